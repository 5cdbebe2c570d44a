#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"

static struct axt_plot_opts o;
static struct cmd_list frames;
static int format, protocol;
static const char *size, *clip;
static int what;

static const struct cmd_opt opts[] = {
	CMD_STR('o', "output", &o.output, "FILE",
	    "write a picture: .png, .svg, .pdf, .txt (default: the terminal)"),
	CMD_FLAG('N', "no-clobber", &o.no_clobber, "refuse to replace a file"),
	CMD_CHOICE(0, "format", &format, "auto|png|svg|pdf|txt",
	    "what FILE becomes (default: by its suffix)"),
	CMD_CHOICE(0, "protocol", &protocol, "auto|kitty|sixel|blocks|ascii",
	    "how the terminal gets it (default: what it can)", .plumbing = true),
	CMD_LIST(0, "frame", &frames, "AXIS=I|AXIS@VALUE", "one index, or a part, of another axis"),
	CMD_FLAG(0, "nearest", &o.nearest, "of AXIS@VALUE: the nearest coordinate"),
	CMD_FLAG(0, "mean-rest", &o.mean_rest, "average over axes that are not drawn"),
	CMD_STR(0, "x", &o.x, "AXIS", "the axis that goes across"),
	CMD_STR(0, "y", &o.y, "AXIS", "the axis of a map that goes up"),
	CMD_STR(0, "lines", &o.lines, "AXIS", "a line for each index of AXIS"),
	CMD_STR(0, "all", &o.all, "AXIS", "a map for each index of AXIS"),
	CMD_SET(0, "hist", &what, AXT_PLOT_HIST, "a histogram of all values"),
	CMD_INT(0, "bins", &o.bins, 1, 100000, "N", "of how many bins (default 50)"),
	CMD_SET(0, "scatter", &what, AXT_PLOT_SCATTER,
	    "points: values of the first tensor across, of the second up"),
	CMD_SET(0, "image", &what, AXT_PLOT_IMAGE,
	    "values as brightness: y, x and 1 to 4 channels (grey, red green blue, opacity)"),
	CMD_STR(0, "range", &o.range, "LO,HI[,LO,HI]", "values from where to where (default: all)"),
	CMD_STR(0, "clip", &clip, "PERCENT",
	    "leave so many of the values out at both ends of the range"),
	CMD_FLAG(0, "log", &o.log, "values on a logarithmic scale"),
	CMD_STR(0, "cmap", &o.colors, "NAME",
	    "viridis, cividis, magma, grey, RdBu, RdBu_r (default: by the values)"),
	CMD_STR(0, "title", &o.title, "TEXT", "instead of the long name"),
	CMD_STR(0, "size", &size, "W,H", "pixels of a picture, or columns and lines of text"),
	CMD_FLAG(0, "quick", &o.quick, "look at one element of each cell only"),
	CMD_FLAG(0, "no-coast", &o.no_coast,
	    "a map of latitudes and longitudes without coast lines"),
	CMD_FLAG(0, "bare", &o.bare, "a map without axes: a pixel for each cell"),
	CMD_END,
};

static const struct cmd plot = {
	.name = "axt-plot",
	.line = "pictures of tensors: lines, maps, histograms, in the terminal or as a file",
	.opts = opts,
	.in = { "A" },
	.operands = "[AXIS=SPEC|AXIS@SPEC ...] [A] ...",
	.flags = CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_STDIN | CMD_NARY | CMD_SPECS,
};

static void
parse_size(void)
{
	const char *c = size + strcspn(size, ",x");
	char first[16];
	int64_t w, h;

	snprintf(first, sizeof(first), "%.*s", (int)(c - size), size);
	if (!*c || !axt_parse_int(first, 10, 20000, &w) || !axt_parse_int(c + 1, 5, 20000, &h))
		cmd_usage(NULL, "--size takes W,H, such as 900,600, not \"%s\"", cmd_name(size));
	o.width = (int)w;
	o.height = (int)h;
}

static void
parse_clip(void)
{
	char *end;

	o.clip = strtod(clip, &end);
	if (*end == '%')
		end++;
	if (end == clip || *end || !(o.clip >= 0 && o.clip < 50))
		cmd_usage(NULL, "--clip takes a number of percent from 0 to below 50, not \"%s\"",
		    cmd_name(clip));
}

static void
check_colors(void)
{
	const char *name;

	for (int i = 0; (name = axt_plot_colors(i)); i++)
		if (strcmp(name, strcmp(o.colors, "gray") == 0 ? "grey" : o.colors) == 0)
			return;
	cmd_usage("--cmap viridis, cividis, magma, grey, RdBu or RdBu_r",
	    "unknown colour map \"%s\"", cmd_name(o.colors));
}

/* How the terminal gets a picture, and how large it is. */
static void
choose_terminal(void)
{
	static const enum axt_plot_form form[] = { AXT_PLOT_AUTO, AXT_PLOT_KITTY, AXT_PLOT_SIXEL,
		AXT_PLOT_BLOCKS, AXT_PLOT_ASCII };
	struct cmd_terminal t;
	bool file = o.output != NULL;

	cmd_terminal(&t, protocol == 0 && !file && o.form == AXT_PLOT_AUTO);
	if (protocol > 0)
		o.form = form[protocol];
	else if (!file && o.form == AXT_PLOT_AUTO)
		o.form = t.kitty           ? AXT_PLOT_KITTY
		    : t.sixel              ? AXT_PLOT_SIXEL
		    : t.blocks && t.colors ? AXT_PLOT_BLOCKS
					   : AXT_PLOT_ASCII;
	o.ink = !t.colors || (o.form == AXT_PLOT_ASCII && (!t.is || file)) ? AXT_PLOT_PLAIN
	    : t.all_colors || !t.is                                        ? AXT_PLOT_TRUE
									   : AXT_PLOT_256;
	if (o.form == AXT_PLOT_ASCII)
		o.ink = AXT_PLOT_PLAIN;
	if (size || file)
		return;
	if (o.form == AXT_PLOT_ASCII || o.form == AXT_PLOT_BLOCKS) {
		o.width = t.columns;
		o.height = t.is && t.lines > 8 ? t.lines - 2 : t.lines;
	} else if (t.width > 200 && t.height > 200) {
		o.width = t.width < 1000 ? t.width : 1000;
		o.height = t.height * 4 / 5 < o.width * 2 / 3 ? t.height * 4 / 5 : o.width * 2 / 3;
		o.at_most = true;
	}
}

/* The specs among the words are frames, too. */
static void
take_frames(struct axt_graph *g)
{
	int n = cmd_nspecs(g);
	const char **v = calloc((size_t)(n + frames.n) + 1, sizeof(*v));

	if (!v) {
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
		return;
	}
	for (int i = 0; i < frames.n; i++)
		v[i] = frames.v[i];
	for (int i = 0; i < n; i++)
		v[frames.n + i] = cmd_spec(g, i);
	o.frames = v;
	o.nframes = frames.n + n;
}

/* axt-plot: draws operands as lines, or one as a map. */
int
cmd_main_plot(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&plot, argc, argv);
	static const enum axt_plot_form form[] = { AXT_PLOT_AUTO, AXT_PLOT_PNG, AXT_PLOT_SVG,
		AXT_PLOT_PDF, AXT_PLOT_ASCII };

	o.out = stdout;
	o.form = form[format];
	o.what = (enum axt_plot_what)what;
	if (o.colors)
		check_colors();
	if (size)
		parse_size();
	if (clip)
		parse_clip();
	if (o.output && strcmp(o.output, "-") == 0 && !format && !protocol)
		cmd_usage("--format png", "-o - does not tell the form of the picture");
	choose_terminal();
	if (o.form >= AXT_PLOT_PNG && o.form <= AXT_PLOT_PDF && !o.output && isatty(STDOUT_FILENO))
		cmd_usage("-o FILE", "the terminal cannot show such a file: -o names one");
	take_frames(g);
	cmd_expand(g);
	cmd_plot(g, cmd_all_in(g), cmd_nin(g), &o);
	free((void *)o.frames);
	return cmd_finish(g, 0);
}
