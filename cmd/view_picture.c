/*
 * view_picture.c - the picture of a slice: the text that axt-plot writes to a terminal, read again
 * and put on the screen character by character, with its colours.
 */
#include <stdlib.h>
#include <string.h>

#include "view.h"

/*
 * A slice of more elements than MANY is drawn by one element of each block instead of the block's
 * mean, so that no key waits long. The bound is FEW where the elements are far apart in the file,
 * so that reading each of them costs more.
 */
#define MANY (16 << 20)
#define FEW (64 << 10)

/* ---- text with colours ---- */

/* Where the text is put, and in which colours. */
struct pen {
	int y, x, ink, paper;
};

/* Reads a sequence of the form ESC [ N ; N ... m. Returns what follows it. */
static const char *
look(struct pen *p, const char *s)
{
	int v[8] = { 0 }, n = 0;

	for (s += s[1] ? 2 : 1; *s && *s != 'm'; s++)
		if (*s == ';')
			n = n < 7 ? n + 1 : n;
		else if (*s >= '0' && *s <= '9' && v[n] < 1000)
			v[n] = 10 * v[n] + *s - '0';
	switch (v[0]) {
	case 0: p->ink = p->paper = VIEW_NONE; break;
	case 38: p->ink = v[2] & 255; break;
	case 39: p->ink = VIEW_NONE; break;
	case 48: p->paper = v[2] & 255; break;
	case 49: p->paper = VIEW_NONE; break;
	default: break;
	}
	return *s ? s + 1 : s;
}

static void
put(const char *s, int lines)
{
	struct pen p = { 0, 0, VIEW_NONE, VIEW_NONE };

	while (*s && p.y < lines) {
		unsigned char b = (unsigned char)*s;
		uint32_t c;

		if (b == '\n') {
			p = (struct pen){ p.y + 1, 0, VIEW_NONE, VIEW_NONE };
			s++;
			continue;
		}
		if (b == '\033') {
			s = look(&p, s);
			continue;
		}
		/* the text is UTF-8, as axt-plot writes it */
		c = b < 0xc0 ? b : b < 0xe0 ? b & 0x1f : b < 0xf0 ? b & 15 : b & 7;
		for (s++; ((unsigned char)*s & 0xc0) == 0x80; s++)
			c = c << 6 | ((unsigned char)*s & 0x3f);
		p.x += view_cell(p.y, p.x, c, p.ink, p.paper);
	}
}

/* ---- what axt-plot is asked for ---- */

/* Whether elements that are shown lie far from each other, by the order of the axes. */
static bool
is_scattered(const struct view_slice *s)
{
	double between = (double)axt_dtype_bytes(s->dtype);

	for (int i = s->rank - 1; i >= 0 && i != s->x && i != s->y; i--)
		between *= (double)s->axis[i].len;
	return between > 256;
}

static bool
is_quick(const struct view_slice *s)
{
	if (s->quick >= 0)
		return s->quick > 0;
	return view_slice_count(s) > (is_scattered(s) ? FEW : MANY);
}

/* range: of 64 bytes, for the range's text. */
static struct axt_plot_opts
options(const struct view_slice *s, char *range)
{
	struct axt_plot_opts o = { .quick = is_quick(s) };
	double most = s->hi > -s->lo ? s->hi : -s->lo;
	bool both = s->whole && s->lo < 0 && s->hi > 0 && s->y >= 0 && s->colors < 0;

	if (s->turned)
		o.x = s->axis[s->x].name;
	if (s->turned && s->y >= 0)
		o.y = s->axis[s->y].name;
	if (s->colors >= 0)
		o.colors = axt_plot_colors(s->colors);
	/* as axt-plot does of its own: zero is in the middle of the colours */
	if (both)
		o.colors = "RdBu_r";
	if (s->whole) {
		snprintf(range, 64, "%.9g,%.9g", both ? -most : s->lo, both ? most : s->hi);
		o.range = range;
	}
	return o;
}

void
view_picture_draw(const struct view_slice *s, int lines)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e = cmd_open(g, s->operand, false);
	char *specs[AXT_MAX_RANK], *text = NULL, range[64];
	struct axt_plot_opts o = options(s, range);
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	o.out = f;
	o.form = view_has_unicode() ? AXT_PLOT_BLOCKS : AXT_PLOT_ASCII;
	o.ink = view_has_colors() && view_has_unicode() ? AXT_PLOT_256 : AXT_PLOT_PLAIN;
	o.width = view_columns();
	o.height = lines;
	o.nframes = view_slice_specs(s, specs, false);
	o.frames = (const char *const *)specs;
	if (!f)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_plot(g, &e, 1, &o);
	if (f)
		fclose(f);
	view_clear();
	if (!view_failed(g) && text)
		put(text, lines);
	free(text);
	view_slice_free_specs(specs, o.nframes);
	axt_graph_free(g);
}

char *
view_picture_command(const struct view_slice *s)
{
	char *specs[AXT_MAX_RANK], *line = NULL, range[64];
	int nspecs = view_slice_specs(s, specs, false);
	struct axt_plot_opts o = options(s, range);
	const char *const option[] = { "--x", o.x, "--y", o.y, "--cmap", o.colors, "--range",
		o.range };
	size_t n = 0;

	cmd_add_word(&line, &n, "axt-plot");
	for (int i = 0; i < nspecs; i++)
		cmd_add_word(&line, &n, specs[i]);
	for (size_t i = 0; i < sizeof(option) / sizeof(option[0]); i += 2)
		if (option[i + 1]) {
			cmd_add_word(&line, &n, option[i]);
			cmd_add_word(&line, &n, option[i + 1]);
		}
	if (o.quick)
		cmd_add_word(&line, &n, "--quick");
	if (cmd_is_raw(NULL))
		cmd_add_word(&line, &n, "--raw");
	cmd_add_word(&line, &n, s->operand);
	view_slice_free_specs(specs, nspecs);
	return line;
}
