/*
 * figure.c - makes a figure of tensors: chooses which axes go across and up, decides what becomes
 * of the other axes, and finds the range of values.
 */
#include "plot/maker.h"

#include <math.h>
#include <stdlib.h>

int
axt_make_oom(struct axt_maker *m)
{
	return axt_fail(&m->g->err, AXT_E_MEM, "out of memory");
}

void
axt_make_note(struct axt_maker *m, const char *text)
{
	axt_buf_addf(&m->note, "%s%s", m->note.n ? ", " : "", text);
}

/* ---- axes ---- */

/* The index of the axis that was typed; -1 if `typed` is NULL, or with an error. */
int
axt_make_axis(struct axt_graph *g, const struct axt_expr *e, const char *typed)
{
	struct axt_axes want;
	int i;

	if (!typed || axt_axes_parse(g->m, typed, false, &want, NULL, &g->err))
		return -1;
	if (want.n != 1) {
		axt_not_one_axis(g, typed);
		return -1;
	}
	i = axt_axes_find(&e->axes, &want.a[0]);
	if (i < 0)
		axt_axes_unknown_in(g->m, &e->axes, &want.a[0], e->from, &g->err);
	return i;
}

/* How much an axis belongs up in a picture rather than across. */
int
axt_make_upness(const struct axt_axis *a)
{
	switch (axt_meaning_likely(a->name, a->coord ? a->coord->attrs : NULL)) {
	case AXT_MEANS_LAT: return AXT_UP_LAT;
	case AXT_MEANS_LON: return AXT_UP_LON;
	case AXT_MEANS_HEIGHT: return AXT_UP_HEIGHT;
	default: return AXT_UP_OTHER;
	}
}

/* Says how many axes are too many, and how to choose. want: how many a picture takes. */
static int
too_many(struct axt_maker *m, const struct axt_expr *e, const struct axt_roles *r, int want)
{
	struct axt_graph *g = m->g;
	int left = e->axes.n - want - (r->each >= 0);
	struct axt_buf frames = { 0 };

	for (int i = 0; i < e->axes.n && left > 0; i++)
		if (i != r->y && i != r->x && i != r->each) {
			axt_buf_addf(&frames, "%s--frame %s=0", frames.n ? " " : "",
			    axt_axis_spell(g->m, &e->axes.a[i]));
			left--;
		}
	axt_fail(&g->err, AXT_E_AXES,
	    "%s has the axes %s, and %s has %s: choose an index of the others, or --mean-rest",
	    e->from, axt_axes_text(g->m, &e->axes), want == 1 ? "a line" : "a map",
	    want == 1 ? "one" : "two");
	if (frames.p &&
	    !strstr(frames.p + 1, "--frame")) /* one alone: its value is all but the option */
		axt_hint_option(&g->err, "frame", "%s", frames.p + strlen("--frame "));
	axt_hint(&g->err, "%s", frames.p ? frames.p : "");
	axt_buf_release(&frames);
	return g->err.code;
}

struct axt_expr *
axt_make_settle(struct axt_maker *m, struct axt_expr *e, struct axt_roles *r, int want)
{
	struct axt_graph *g = m->g;
	int role[3] = { r->each, r->y, r->x }, src[AXT_MAX_RANK], k = 0;
	struct axt_axes x = { 0 };
	char to[600] = "";
	size_t at = 0;

	for (int i = 0; i < 3; i++)
		if (role[i] >= 0) {
			const char *name = axt_axis_spell(g->m, &e->axes.a[role[i]]);

			at += (size_t)snprintf(to + MIN(at, sizeof(to)),
			    sizeof(to) - MIN(at, sizeof(to)), "%s\\%s", at ? "," : "", name);
			x.a[x.n++] = e->axes.a[role[i]];
			src[k++] = role[i];
		}
	if (k == e->axes.n)
		return axt_relabel(g, e, &x, src);
	if (!m->o->mean_rest) {
		too_many(m, e, r, want);
		return axt_node_failed(g);
	}
	for (int i = 0, n = 0; i < e->axes.n; i++)
		if (i != r->each && i != r->y && i != r->x)
			axt_make_note(m,
			    axt_sprintf(g->m, "%s%s", n++ ? "" : "mean over ",
				axt_escape(g->m, axt_axis_spell(g->m, &e->axes.a[i]))));
	for (int i = 0; i < e->axes.n; i++)
		if (i != r->each && i != r->y && i != r->x &&
		    axt_make_upness(&e->axes.a[i]) == AXT_UP_LAT)
			axt_make_note(m, "not weighted by area");
	return axt_reduce(g, AXT_RED_MEAN, e, &(struct axt_reduce_opts){ .to = to });
}

/* ---- operands ---- */

/* Tells what a frame chose: "time = 2010-06-15". */
static void
note_frame(struct axt_maker *m, const struct axt_expr *e, const char *spec)
{
	struct axt_graph *g = m->g;
	size_t n = strcspn(spec, "=@");
	int64_t i;

	for (int k = 0; k < e->axes.n; k++) {
		const struct axt_axis *a = &e->axes.a[k];
		const char *name = axt_axis_spell(g->m, a);

		if (strlen(name) == n && strncmp(name, spec, n) == 0 && spec[n] == '=' &&
		    axt_parse_int(spec + n + 1, -a->len, a->len - 1, &i)) {
			axt_make_note(m,
			    axt_sprintf(g->m, "%s = %s", axt_escape(g->m, name),
				axt_plot_coord(g, a, i < 0 ? i + a->len : i)));
			return;
		}
	}
	axt_make_note(m,
	    axt_escape(g->m,
		axt_sprintf(g->m, "%.*s %s %s", (int)n, spec,
		    spec[n] == '@' && m->o->nearest ? "near" : "=", spec + n + (spec[n] != '\0'))));
}

/* Leaves out axes of length 1, unless an option names them. */
static struct axt_expr *
squeeze(struct axt_maker *m, struct axt_expr *e)
{
	const char *const named[] = { m->o->x, m->o->y, m->o->lines, m->o->all };
	struct axt_graph *g = m->g;
	struct axt_axes x = { 0 };
	char spec[64];

	for (int i = e->axes.n - 1; i >= 0 && !axt_bad(e); i--) {
		const struct axt_axis *a = &e->axes.a[i];
		bool keep = a->len != 1 || e->axes.n == 1;

		for (int k = 0; k < ARRAY_LEN(named); k++)
			keep = keep || (named[k] && axt_make_axis(g, e, named[k]) == i);
		if (keep)
			continue;
		if (a->coord && a->coord->data)
			axt_make_note(m,
			    axt_sprintf(g->m, "%s = %s", axt_escape(g->m, axt_axis_spell(g->m, a)),
				axt_plot_coord(g, a, 0)));
		x = e->axes;
		x.a[i] = (struct axt_axis){ .name = "axt_gone", .len = 1 };
		snprintf(spec, sizeof(spec), "%s=0", x.a[i].name);
		e = axt_slice(g, axt_relabel(g, e, &x, axt_identity), spec, false);
	}
	return e;
}

/* An operand that can be drawn, after its frames. */
static struct axt_expr *
operand(struct axt_maker *m, struct axt_expr *e)
{
	struct axt_graph *g = m->g;
	const char *from = e->from ? e->from : "the tensor";

	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX) {
		axt_graph_fail(g, AXT_E_DTYPE, "%s is complex, and pictures are of real numbers",
		    from);
		axt_hint(&g->err, "axt-map absolute or axt-map angle gives such");
		return axt_node_failed(g);
	}
	if (axt_count(e) == 0)
		return axt_graph_fail(g, AXT_E_ARG, "%s has no elements: %s", from,
		    axt_axes_text(g->m, &e->axes));
	for (int i = 0; i < m->o->nframes && !axt_bad(e); i++) {
		struct axt_expr *was = e;

		e = axt_slice(g, e, m->o->frames[i], m->o->nearest);
		if (!axt_bad(e))
			note_frame(m, was, m->o->frames[i]);
	}
	if (!axt_bad(e))
		e = squeeze(m, e);
	if (!axt_bad(e) && axt_count(e) == 0)
		return axt_graph_fail(g, AXT_E_ARG, "%s has no elements in this frame", from);
	if (!axt_bad(e) && m->o->what != AXT_PLOT_HIST && e->axes.n == 0) {
		axt_graph_fail(g, AXT_E_AXES, "a single number has nothing to draw");
		axt_hint(&g->err, "axt-print");
		return axt_node_failed(g);
	}
	return e;
}

void
axt_make_note_blocks(struct axt_maker *m, const struct axt_cells *c, int first, int nd,
    const char *what)
{
	struct axt_buf b = { 0 };
	bool any = false;

	for (int i = first; i < nd; i++) {
		axt_buf_addf(&b, "%s%lld", i > first ? " x " : "", (long long)c->block[i]);
		any = any || c->block[i] > 1;
	}
	if (any)
		axt_make_note(m,
		    axt_sprintf(m->g->m, "%s %s elements", m->quick ? "one of" : what,
			b.p ? b.p : ""));
	m->note.bad = m->note.bad || b.bad;
	axt_buf_release(&b);
}

/* The coordinates along an axis as names of panels or lines; dates and texts without its name. */
const char *const *
axt_make_names(struct axt_graph *g, const struct axt_axis *a)
{
	const char **s = axt_alloc(g->m, ((size_t)a->len + 1) * sizeof(*s));

	for (int64_t i = 0; s && i < a->len; i++) {
		char *end;

		s[i] = axt_plot_coord(g, a, i);
		if (!s[i])
			break;
		axt_strtod(s[i], &end);
		if (*end == '\0')
			s[i] = axt_sprintf(g->m, "%s = %s",
			    axt_escape(g->m, axt_axis_spell(g->m, a)), s[i]);
	}
	return s;
}

int
axt_make_few(struct axt_maker *m, const struct axt_expr *e, int axis, int64_t most,
    const char *option)
{
	struct axt_graph *g = m->g;
	const struct axt_axis *a = &e->axes.a[axis];
	const char *name = axt_axis_spell(g->m, a);

	if (a->len <= most)
		return 0;
	axt_fail(&g->err, AXT_E_ARG, "%s %s: it has %lld indices, and at most %lld are drawn",
	    option, axt_escape(g->m, name), (long long)a->len, (long long)most);
	axt_hint_option(&g->err, "frame", "%s=::%lld", name,
	    (long long)((a->len + most - 1) / most));
	return g->err.code;
}

/* ---- */

int64_t
axt_cell_at(const double *e, int64_t n, double v)
{
	bool down = e[n] < e[0];
	int64_t lo = 0, hi = n;

	if (!(v >= fmin(e[0], e[n]) && v <= fmax(e[0], e[n])))
		return -1;
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if (down ? v <= e[mid] : v >= e[mid])
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

bool
axt_fig_has_cells(const struct axt_fig *f)
{
	return f->kind == AXT_FIG_MAP || f->kind == AXT_FIG_IMAGE;
}

int
axt_fig_panels(const struct axt_fig *f)
{
	return f->kind == AXT_FIG_MAP ? f->n : 1;
}

/* The channels of a pixel as one colour, on white where it is not opaque. */
static uint32_t
pixel(const struct axt_fig *f, int64_t at)
{
	int64_t size = f->ny * f->nx;
	double opaque = f->n % 2 ? 1 : f->v[(f->n - 1) * size + at];
	uint32_t rgb = 0;

	for (int i = 0; i < 3; i++) {
		double v = f->v[(f->n < 3 ? 0 : i) * size + at];

		if (isnan(v) || isnan(opaque))
			return f->missing;
		v = fmin(fmax(v, 0), 1) * opaque + 1 - opaque;
		rgb = rgb << 8 | (uint32_t)lrint(fmin(fmax(v, 0), 1) * 255);
	}
	return rgb;
}

double
axt_fig_shade(const struct axt_fig *f, int k, int64_t y, int64_t x)
{
	double v = f->v[(k * f->ny + y) * f->nx + x];
	uint32_t c;

	if (f->kind == AXT_FIG_IMAGE) {
		c = pixel(f, y * f->nx + x);
		return (0.299 * (c >> 16) + 0.587 * (c >> 8 & 255) + 0.114 * (c & 255)) / 255;
	}
	if (isnan(v) || (f->c.log && v <= 0))
		return NAN;
	return isinf(v) ? v > 0 : fmin(fmax(axt_scale_at(&f->c, v), 0), 1);
}

uint32_t
axt_fig_color(const struct axt_fig *f, int k, int64_t y, int64_t x)
{
	double t;

	if (f->kind == AXT_FIG_IMAGE)
		return pixel(f, y * f->nx + x);
	t = axt_fig_shade(f, k, y, x);
	return isnan(t) ? f->missing : axt_colors_at(f->colors, t);
}

int
axt_fig_columns(int n)
{
	int c = 1;

	while (c * c < n)
		c++;
	return c;
}

int
axt_fig_make(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_plot_opts *o,
    const int64_t cells[2], struct axt_fig *f)
{
	struct axt_maker m = { .g = g, .o = o, .f = f, .quick = o->quick };
	struct axt_expr **v = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	const struct axt_meta *meta = e[0]->meta;
	bool line;

	*f = (struct axt_fig){ .title = "", .note = "", .missing = AXT_COLOR_MISSING };
	if (!v)
		return axt_make_oom(&m);
	for (int i = 0; i < n; i++) {
		struct axt_buf kept = m.note;

		/* frames are the same for all operands, and told once */
		m.note = i > 0 ? (struct axt_buf){ 0 } : kept;
		v[i] = operand(&m, e[i]);
		if (i > 0) {
			axt_buf_release(&m.note);
			m.note = kept;
		}
		if (axt_bad(v[i]))
			goto end;
	}
	line = n > 1 || v[0]->axes.n == 1 || o->lines || (o->x && !o->y && o->mean_rest);
	/* the mean of two categories is none */
	if (!line && meta)
		m.quick = m.quick || axt_attr_find(meta->attrs, "flag_values") ||
		    axt_attr_find(meta->attrs, "flag_meanings");
	m.dot = o->form == AXT_PLOT_ASCII || o->form == AXT_PLOT_BLOCKS ? 1 : 3;
	if (o->what == AXT_PLOT_HIST)
		axt_make_hist(&m, v[0]);
	else if (o->what == AXT_PLOT_SCATTER)
		axt_make_scatter(&m, v[0], v[1], cells);
	else if (o->what == AXT_PLOT_IMAGE)
		axt_make_image(&m, v[0], cells);
	else if (line)
		axt_make_lines(&m, v, n, cells);
	else
		axt_make_map(&m, v[0], cells);
end:
	f->title = n == 1 ? axt_plot_title(g, meta ? meta->attrs : NULL, meta ? meta->name : NULL)
			  : "";
	if (o->title)
		f->title = axt_escape(g->m, o->title);
	f->note = m.note.n ? axt_strdup(g->m, m.note.p) : "";
	if (m.note.bad || axt_arena_failed(g->m))
		axt_make_oom(&m);
	axt_buf_release(&m.note);
	return g->err.code;
}
