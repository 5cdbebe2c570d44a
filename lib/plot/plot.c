/* plot.c - axt_plot: reads what a picture needs, draws it, and writes it where it goes. */
#include "plot/plot.h"

#include <errno.h>
#include <strings.h>

#include "plot/cairo.h"

/* The form of a picture by the end of its name; AUTO: it has no known one. */
static enum axt_plot_form
form_of(const char *name)
{
	static const struct {
		const char *end;
		enum axt_plot_form form;
	} known[] = { { ".png", AXT_PLOT_PNG }, { ".svg", AXT_PLOT_SVG }, { ".pdf", AXT_PLOT_PDF },
		{ ".txt", AXT_PLOT_ASCII } };
	size_t n = strlen(name);

	for (int i = 0; i < ARRAY_LEN(known); i++)
		if (n > 4 && strcasecmp(name + n - 4, known[i].end) == 0)
			return known[i].form;
	return AXT_PLOT_AUTO;
}

static bool
is_text(enum axt_plot_form form)
{
	return form == AXT_PLOT_ASCII || form == AXT_PLOT_BLOCKS;
}

/*
 * Where a picture goes: to a temporary file that replaces the output, or to a stream; with neither,
 * to o->out.
 */
struct output {
	struct axt_stream stream;
	struct axt_temp temp;
};

/* Opened before anything is read, since it may fail. */
static int
output_open(struct output *to, const struct axt_plot_opts *o, struct axt_err *e)
{
	if (!o->output || o->explain)
		return 0;
	return axt_stream_is(o->output)
	    ? axt_stream_open(&to->stream, o->output, e)
	    : axt_temp_open(&to->temp, o->output, o->no_clobber, false, e);
}

/* Writes the whole picture, and puts it in its place. */
static int
output_write(struct output *to, const struct axt_plot_opts *o, const struct axt_buf *b,
    struct axt_talk *talk, struct axt_err *e)
{
	if (!o->output) {
		errno = 0;
		if (fwrite(b->p, 1, b->n, o->out) != b->n || fflush(o->out) != 0)
			axt_fail(e, AXT_E_IO, "standard output: %s", strerror(errno));
	} else if (to->stream.fd >= 0) {
		if (axt_stream_put(&to->stream, 0, b->p, b->n, e) == 0)
			axt_stream_end(&to->stream, e);
	} else if (axt_pwrite(to->temp.fd, b->p, b->n, 0, to->temp.path, e) == 0) {
		axt_temp_commit(&to->temp, talk, e);
	}
	return e->code;
}

/* Makes the figure, and draws it. */
static int
draw(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_plot_opts *o,
    struct axt_buf *b)
{
	struct axt_fig *f = axt_alloc(g->m, sizeof(*f));
	int64_t cells[2] = { (int64_t)(0.78 * (o->width ? o->width : 900)),
		(int64_t)(0.8 * (o->height ? o->height : 600)) };

	if (is_text(o->form)) {
		cells[0] = o->width ? o->width : 80;
		cells[1] = o->height ? o->height : 24;
	}
	if (o->form == AXT_PLOT_BLOCKS) {
		cells[0] *= 2;
		cells[1] *= 2;
	}
	if (!f)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_fig_make(g, e, n, o, cells, f) || o->explain)
		return g->err.code;
	if (o->bare && (!axt_fig_has_cells(f) || axt_fig_panels(f) > 1 || is_text(o->form)))
		return axt_fail(&g->err, AXT_E_SYNTAX, "--bare is for the picture of one map");
	return is_text(o->form) ? axt_text_draw(f, o, b, &g->err)
				: axt_picture_draw(f, o, o->form, b, &g->err);
}

/* Checks what can be checked before anything is read. */
static int
check(struct axt_graph *g, int n, const struct axt_plot_opts *o)
{
	struct axt_err *e = &g->err;
	const char *why;

	if (!is_text(o->form) && o->form != AXT_PLOT_AUTO && !axt_cairo(&why)) {
		axt_fail(e, AXT_E_NOSYS, "%s, and pictures are drawn with it", why);
		axt_hint_option(e, "protocol", "ascii");
	} else if (o->form == AXT_PLOT_AUTO) {
		axt_fail(e, AXT_E_SYNTAX, "%s: the name tells no form of pictures",
		    o->output ? axt_escape(g->m, o->output) : "standard output");
		axt_about(e, AXT_NO_FORMAT, o->output, NULL);
		axt_hint(e, "-o FILE.png, .svg, .pdf or .txt, or --format");
	} else if (o->what == AXT_PLOT_HIST && n != 1) {
		axt_fail(e, AXT_E_SYNTAX, "--hist is of one tensor, not %d", n);
	} else if (o->what == AXT_PLOT_SCATTER && n != 2) {
		axt_fail(e, AXT_E_SYNTAX, "--scatter is of two tensors, not %d", n);
	} else if (o->what == AXT_PLOT_IMAGE && n != 1) {
		axt_fail(e, AXT_E_SYNTAX, "--image is of one tensor, not %d", n);
	} else if (n > 1 && (o->all || o->y)) {
		axt_fail(e, AXT_E_SYNTAX, "%s is of maps, and %d tensors are lines",
		    o->all ? "--all" : "--y", n);
	} else if (o->lines && (o->all || o->y)) {
		axt_fail(e, AXT_E_SYNTAX, "%s is of maps, and --lines of lines",
		    o->all ? "--all" : "--y");
	}
	return e->code;
}

enum axt_code
axt_plot(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_plot_opts *opts)
{
	struct axt_plot_opts o = *opts;
	struct output to = { .stream.fd = -1, .temp.fd = -1, .temp.dirfd = -1, .temp.slot = -1 };
	struct axt_buf b = { 0 };

	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]))
			return g->err.code;
	if (o.form == AXT_PLOT_AUTO && o.output)
		o.form = form_of(o.output);
	if (check(g, n, &o))
		return g->err.code;
	if (output_open(&to, &o, &g->err) == 0 && draw(g, e, n, &o, &b) == 0 && !o.explain)
		output_write(&to, &o, &b, axt_graph_talk(g), &g->err);
	axt_stream_release(&to.stream);
	axt_temp_drop(&to.temp);
	axt_buf_release(&b);
	return g->err.code;
}
