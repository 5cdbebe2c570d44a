/*
 * figure.c - from tensors to a figure: which axes go across and up, what becomes of the others, and
 * the range of values.
 */
#include "plot/along.h"

#include <math.h>
#include <stdlib.h>

#define LINES_MOST 20
#define PANELS_MOST 36

/* What is known while a figure is made. */
struct maker {
	struct axt_graph *g;
	const struct axt_plot_opts *o;
	struct axt_fig *f;
	struct axt_buf note;
};

static int
oom(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

static void
note(struct maker *m, const char *text)
{
	axt_buf_addf(&m->note, "%s%s", m->note.n ? ", " : "", text);
}

/* ---- axes ---- */

/* The index of the axis that was typed; -1 if `typed` is NULL, or with an error. */
static int
axis_typed(struct axt_graph *g, const struct axt_expr *e, const char *typed)
{
	struct axt_axes want;
	int i;

	if (!typed || axt_axes_parse(g->m, typed, false, &want, NULL, &g->err))
		return -1;
	if (want.n != 1) {
		axt_fail(&g->err, AXT_E_ARG, "\"%s\" is not one axis", axt_escape(g->m, typed));
		return -1;
	}
	i = axt_axes_find(&e->axes, &want.a[0]);
	if (i < 0)
		axt_axes_unknown_in(g->m, &e->axes, &want.a[0], e->from, &g->err);
	return i;
}

/* How much an axis belongs up in a picture rather than across. */
static int
upness(const struct axt_axis *a)
{
	const struct axt_attr *l = a->coord ? a->coord->attrs : NULL;
	const char *axis = axt_attr_text(l, "axis");

	switch (axt_place_kind(a->name, l)) {
	case AXT_PLACE_LAT: return 3;
	case AXT_PLACE_LON: return 1;
	default: break;
	}
	return axt_attr_text(l, "positive") || (axis && strcmp(axis, "Z") == 0) ? 4 : 2;
}

/* The axes of e that a figure has: up, across, and that of panels or lines; -1: none. */
struct roles {
	int y, x, each;
};

/* Says how many axes are too many, and how to choose. want: how many a picture takes. */
static int
too_many(struct maker *m, const struct axt_expr *e, const struct roles *r, int want)
{
	struct axt_graph *g = m->g;
	int left = e->axes.n - want - (r->each >= 0);
	struct axt_buf frames = { 0 };

	for (int i = 0; i < e->axes.n && left > 0; i++)
		if (i != r->y && i != r->x && i != r->each) {
			axt_buf_addf(&frames, "--frame %s=0 ", axt_axis_spell(g->m, &e->axes.a[i]));
			left--;
		}
	axt_fail(&g->err, AXT_E_AXES, "%s has the axes %s, and %s has %s", e->from,
	    axt_axes_text(g->m, &e->axes), want == 1 ? "a line" : "a map",
	    want == 1 ? "one" : "two");
	axt_hint(&g->err, "%sor --mean-rest", frames.p ? frames.p : "");
	axt_buf_release(&frames);
	return g->err.code;
}

/* Chooses two axes for a map: latitude and longitude if they are there, else the last two. */
static void
choose_map(const struct axt_expr *e, struct roles *r)
{
	int lat = -1, lon = -1, n = e->axes.n;

	for (int i = 0; i < n; i++) {
		int up = upness(&e->axes.a[i]);

		lat = up == 3 ? i : lat;
		lon = up == 1 ? i : lon;
	}
	if (r->x < 0 && r->y < 0 && lat >= 0 && lon >= 0 && lat != r->each && lon != r->each) {
		r->y = lat;
		r->x = lon;
	}
	for (int i = n - 1; i >= 0; i--)
		if (i == r->x || i == r->y || i == r->each)
			continue;
		else if (r->x < 0)
			r->x = i;
		else if (r->y < 0)
			r->y = i;
}

/*
 * Reduces e to the axes of the roles, in the order each, y, x, or says why it cannot be. Axes that
 * are not drawn are averaged over, with --mean-rest.
 */
static struct axt_expr *
settle(struct maker *m, struct axt_expr *e, struct roles *r, int want)
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
	for (int i = 0; i < e->axes.n; i++)
		if (i != r->each && i != r->y && i != r->x)
			note(m,
			    axt_sprintf(g->m, "mean over %s",
				axt_escape(g->m, axt_axis_spell(g->m, &e->axes.a[i]))));
	return axt_reduce(g, AXT_RED_MEAN, e, &(struct axt_reduce_opts){ .to = to });
}

/* ---- operands ---- */

/* Tells what a frame chose: "time = 2010-06-15". */
static void
note_frame(struct maker *m, const struct axt_expr *e, const char *spec)
{
	struct axt_graph *g = m->g;
	size_t n = strcspn(spec, "=@");
	int64_t i;

	for (int k = 0; k < e->axes.n; k++) {
		const struct axt_axis *a = &e->axes.a[k];
		const char *name = axt_axis_spell(g->m, a);

		if (strlen(name) == n && strncmp(name, spec, n) == 0 && spec[n] == '=' &&
		    axt_parse_int(spec + n + 1, -a->len, a->len - 1, &i)) {
			note(m,
			    axt_sprintf(g->m, "%s = %s", axt_escape(g->m, name),
				axt_plot_coord(g, a, i < 0 ? i + a->len : i)));
			return;
		}
	}
	note(m,
	    axt_escape(g->m,
		axt_sprintf(g->m, "%.*s %s %s", (int)n, spec,
		    spec[n] == '@' && m->o->nearest ? "near" : "=", spec + n + (spec[n] != '\0'))));
}

/* Leaves out axes of length 1, unless an option names them. */
static struct axt_expr *
squeeze(struct maker *m, struct axt_expr *e)
{
	const char *const named[] = { m->o->x, m->o->y, m->o->lines, m->o->all };
	struct axt_graph *g = m->g;
	struct axt_axes x = { 0 };
	char spec[64];

	for (int i = e->axes.n - 1; i >= 0 && !axt_bad(e); i--) {
		const struct axt_axis *a = &e->axes.a[i];
		bool keep = a->len != 1 || e->axes.n == 1;

		for (int k = 0; k < ARRAY_LEN(named); k++)
			keep = keep || (named[k] && axis_typed(g, e, named[k]) == i);
		if (keep)
			continue;
		if (a->coord && a->coord->data)
			note(m,
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
operand(struct maker *m, struct axt_expr *e)
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

/* ---- ranges ---- */

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The values that a range is taken of: finite, and positive with --log. Returns how many. */
static int64_t
usable(const struct maker *m, const double *v, int64_t n, double *out)
{
	int64_t k = 0;

	for (int64_t i = 0; i < n; i++)
		if (isfinite(v[i]) && !(m->o->log && v[i] <= 0))
			out[k++] = v[i];
	return k;
}

static int
typed_range(struct maker *m, struct axt_scale *s)
{
	struct axt_graph *g = m->g;
	const char *text = m->o->range, *comma = strchr(text, ',');
	char *end, *last;
	double lo, hi;

	lo = axt_strtod(text, &end);
	hi = comma ? axt_strtod(comma + 1, &last) : 0;
	if (!comma || end != comma || last == comma + 1 || *last || !isfinite(hi - lo) ||
	    !(lo < hi))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--range takes LO,HI, two numbers of which the second is larger, not \"%s\"",
		    axt_escape(g->m, text));
	if (m->o->log && lo <= 0)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--range %s begins at %g, which has no logarithm", axt_escape(g->m, text), lo);
	axt_scale_range(s, lo, hi);
	return 0;
}

/*
 * Sets the range of s to that of the values, or to --range. even: to values of both signs a range
 * is given that has zero in its middle; *both tells whether it is so.
 */
static int
range(struct maker *m, struct axt_scale *s, const double *v, const double *w, int64_t n, bool *both)
{
	struct axt_graph *g = m->g;
	double *u, lo = NAN, hi = NAN;
	int64_t k;

	s->log = m->o->log;
	if (both)
		*both = false;
	u = malloc(((size_t)n * 2 + 1) * sizeof(*u));
	if (!u)
		return oom(g);
	k = usable(m, v, n, u);
	k += w && w != v ? usable(m, w, n, u + k) : 0;
	if (k > 0 && m->o->clip > 0)
		qsort(u, (size_t)k, sizeof(*u), by_value);
	if (k > 0 && m->o->clip > 0) {
		int64_t cut = (int64_t)floor((double)k * m->o->clip / 100);

		cut = MIN(cut, (k - 1) / 2);
		lo = u[cut];
		hi = u[k - 1 - cut];
	} else if (k > 0) {
		lo = hi = u[0];
		for (int64_t i = 1; i < k; i++) {
			lo = fmin(lo, u[i]);
			hi = fmax(hi, u[i]);
		}
	}
	free(u);
	if (m->o->range)
		return typed_range(m, s);
	if (k == 0)
		note(m, m->o->log ? "no finite value above 0" : "no finite value");
	if (both && !s->log && lo < 0 && hi > 0) {
		*both = true;
		hi = fmax(-lo, hi);
		lo = -hi;
	}
	if (k == 0)
		lo = s->log ? 1 : 0, hi = s->log ? 10 : 1;
	axt_scale_range(s, lo, hi);
	return 0;
}

/* A little room at both ends of a range of lines. */
static void
widen(struct axt_scale *s)
{
	double d = 0.04 * (s->hi - s->lo), r = s->log ? pow(s->hi / s->lo, 0.04) : 1;

	if (s->log)
		axt_scale_range(s, s->lo / r, s->hi * r);
	else if (isfinite(s->lo - d) && isfinite(s->hi + d))
		axt_scale_range(s, s->lo - d, s->hi + d);
}

static int
pick_colors(struct maker *m, bool both)
{
	struct axt_graph *g = m->g;
	const char *name = m->o->colors;

	m->f->colors = axt_colors_named(name ? name : both ? "RdBu_r" : "viridis");
	if (!m->f->colors)
		return axt_fail(&g->err, AXT_E_ARG, "no colour map is called \"%s\"",
		    axt_escape(g->m, name));
	return 0;
}

/* ---- kinds of figures ---- */

static void
note_blocks(struct maker *m, const struct axt_cells *c, int first, int nd, const char *what)
{
	struct axt_buf b = { 0 };
	bool any = false;

	for (int i = first; i < nd; i++) {
		axt_buf_addf(&b, "%s%lld", i > first ? " x " : "", (long long)c->block[i]);
		any = any || c->block[i] > 1;
	}
	if (any)
		note(m,
		    axt_sprintf(m->g->m, "%s %s", m->o->quick ? "one of" : what, b.p ? b.p : ""));
	axt_buf_release(&b);
}

/* The coordinates along an axis as names of panels or lines; dates and texts without its name. */
static const char *const *
names_along(struct axt_graph *g, const struct axt_axis *a)
{
	const char **s = axt_alloc(g->m, ((size_t)a->len + 1) * sizeof(*s));

	for (int64_t i = 0; s && i < a->len; i++) {
		char *end;

		s[i] = axt_plot_coord(g, a, i);
		axt_strtod(s[i], &end);
		if (*end == '\0')
			s[i] = axt_sprintf(g->m, "%s = %s",
			    axt_escape(g->m, axt_axis_spell(g->m, a)), s[i]);
	}
	return s;
}

static int
few_enough(struct maker *m, const struct axt_expr *e, int axis, int64_t most, const char *option)
{
	struct axt_graph *g = m->g;
	const struct axt_axis *a = &e->axes.a[axis];
	const char *name = axt_axis_spell(g->m, a);

	if (a->len <= most)
		return 0;
	axt_fail(&g->err, AXT_E_ARG, "%s %s: it has %lld indices, and at most %lld are drawn",
	    option, axt_escape(g->m, name), (long long)a->len, (long long)most);
	axt_hint(&g->err, "--frame %s=::%lld", name, (long long)((a->len + most - 1) / most));
	return g->err.code;
}

static int
make_map(struct maker *m, struct axt_expr *e, const int64_t fit[2])
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const struct axt_meta *meta = e->meta;
	struct roles r = { axis_typed(g, e, m->o->y), axis_typed(g, e, m->o->x),
		axis_typed(g, e, m->o->all) };
	struct axt_along ax, ay;
	struct axt_cells c;
	int64_t most[3] = { 0 };
	int panels, columns, at;
	bool both;

	if (g->err.code || (r.each >= 0 && few_enough(m, e, r.each, PANELS_MOST, "--all")))
		return g->err.code;
	if ((r.x >= 0 && (r.x == r.y || r.x == r.each)) || (r.y >= 0 && r.y == r.each))
		return axt_fail(&g->err, AXT_E_ARG, "--x, --y and --all name one axis twice");
	at = r.x < 0 && r.y < 0;
	choose_map(e, &r);
	if (r.x < 0 || r.y < 0)
		return axt_fail(&g->err, AXT_E_AXES, "%s has the axes %s, and a map has two",
		    e->from, axt_axes_text(g->m, &e->axes));
	if (at && upness(&e->axes.a[r.x]) > upness(&e->axes.a[r.y]))
		r = (struct roles){ r.x, r.y, r.each };
	panels = r.each >= 0 ? (int)e->axes.a[r.each].len : 1;
	columns = axt_fig_columns(panels);
	if (axt_plot_along(g, &e->axes.a[r.x], false, &ax) ||
	    axt_plot_along(g, &e->axes.a[r.y], true, &ay))
		return g->err.code;
	f->name = r.each >= 0 ? names_along(g, &e->axes.a[r.each]) : NULL;
	e = settle(m, e, &r, 2);
	if (axt_bad(e))
		return g->err.code;
	at = e->axes.n - 2;
	most[at] = MAX(1, fit[1] / ((panels + columns - 1) / columns));
	most[at + 1] = MAX(1, fit[0] / columns);
	if (axt_cells_read(g, e, e->axes.n, most, m->o->quick ? AXT_CELLS_QUICK : AXT_CELLS_MEAN,
		&c))
		return g->err.code;
	f->kind = AXT_FIG_MAP;
	f->n = panels;
	f->ny = c.n[at];
	f->nx = c.n[at + 1];
	f->v = c.lo;
	f->x = ax.scale;
	f->y = ay.scale;
	f->xe = axt_plot_edges(g, &ax, c.block[at + 1]);
	f->ye = axt_plot_edges(g, &ay, c.block[at]);
	if (!f->xe || !f->ye)
		return g->err.code;
	axt_scale_range(&f->x, fmin(f->xe[0], f->xe[f->nx]), fmax(f->xe[0], f->xe[f->nx]));
	axt_scale_range(&f->y, fmin(f->ye[0], f->ye[f->ny]), fmax(f->ye[0], f->ye[f->ny]));
	f->equal = (ax.scale.kind == AXT_SCALE_EAST && ay.scale.kind == AXT_SCALE_NORTH) ||
	    (!ax.coord && !ay.coord && !ax.scale.label && !ay.scale.label);
	note_blocks(m, &c, at, at + 2, "means of");
	f->c = (struct axt_scale){ .title = axt_plot_with_units(g, "", meta ? meta->attrs : NULL) };
	if (range(m, &f->c, f->v, NULL, f->n * f->ny * f->nx, &both))
		return g->err.code;
	return pick_colors(m, both);
}

/* The scale and the points of one operand as a line; several if it has an axis of lines. */
static int
add_lines(struct maker *m, struct axt_expr *e, int64_t fit, int *n)
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const char *name = e->meta && e->meta->name ? e->meta->name : e->from;
	struct roles r = { -1, axis_typed(g, e, m->o->x), axis_typed(g, e, m->o->lines) };
	const char *const *names;
	struct axt_along a;
	struct axt_cells c;
	const double *x;
	int64_t most[2] = { 0 };

	if (g->err.code || (r.each >= 0 && few_enough(m, e, r.each, LINES_MOST, "--lines")))
		return g->err.code;
	for (int i = e->axes.n - 1; i >= 0 && r.x < 0; i--)
		r.x = i == r.each ? -1 : i;
	if (r.x < 0 || r.x == r.each)
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s has the axes %s: none is left to go across", e->from,
		    axt_axes_text(g->m, &e->axes));
	names = r.each >= 0 ? names_along(g, &e->axes.a[r.each]) : &name;
	if (axt_plot_along(g, &e->axes.a[r.x], false, &a))
		return g->err.code;
	e = settle(m, e, &r, 1);
	if (axt_bad(e))
		return g->err.code;
	most[e->axes.n - 1] = 2 * fit;
	if (axt_cells_read(g, e, e->axes.n, most,
		m->o->quick ? AXT_CELLS_QUICK : AXT_CELLS_EXTREMES, &c) ||
	    !(x = axt_plot_middles(g, &a, c.block[e->axes.n - 1])))
		return g->err.code;
	if (*n == 0) {
		f->x = a.scale;
		note_blocks(m, &c, e->axes.n - 1, e->axes.n, "least and greatest of");
	} else if (f->x.kind != a.scale.kind ||
	    (f->x.kind == AXT_SCALE_TIMES &&
		!axt_cftime_same_count(f->x.calendar, a.scale.calendar)))
		return axt_fail(&g->err, AXT_E_COORD,
		    "%s has other coordinates than the line before it, and they share an axis",
		    e->from);
	for (int i = 0; i < (r.each >= 0 ? c.n[0] : 1); i++, ++*n) {
		int64_t k = c.n[e->axes.n - 1];
		const double *lo = c.lo + i * k;

		f->line[*n] = (struct axt_line){ k, x, lo, c.hi ? c.hi + i * k : lo };
		((const char **)f->name)[*n] = axt_escape(g->m, names[i] ? names[i] : "");
	}
	return 0;
}

/* The ranges of all lines together. */
static int
lines_range(struct maker *m, int n)
{
	struct axt_fig *f = m->f;
	double lo = INFINITY, hi = -INFINITY, *v, *w;
	int64_t all = 0, at = 0;

	for (int i = 0; i < n; i++) {
		const struct axt_line *l = &f->line[i];

		all += l->n;
		lo = fmin(lo, fmin(l->x[0], l->x[l->n - 1]));
		hi = fmax(hi, fmax(l->x[0], l->x[l->n - 1]));
	}
	v = axt_alloc(m->g->m, (size_t)all * 2 * sizeof(*v));
	if (!v)
		return oom(m->g);
	w = v + all;
	for (int i = 0; i < n; at += f->line[i++].n) {
		memcpy(v + at, f->line[i].lo, (size_t)f->line[i].n * sizeof(*v));
		memcpy(w + at, f->line[i].hi, (size_t)f->line[i].n * sizeof(*v));
	}
	axt_scale_range(&f->x, lo, hi);
	if (range(m, &f->y, v, w, all, NULL))
		return m->g->err.code;
	if (!m->o->range)
		widen(&f->y);
	return 0;
}

static int
make_lines(struct maker *m, struct axt_expr *const e[], int n, const int64_t fit[2])
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const struct axt_attr *first = e[0]->meta ? e[0]->meta->attrs : NULL;
	const char *u = axt_attr_text(first, "units"), *title;
	bool units = true;
	int k = 0;

	f->kind = AXT_FIG_LINES;
	f->line = axt_alloc(g->m, (size_t)n * LINES_MOST * sizeof(*f->line));
	f->name = axt_alloc(g->m, (size_t)n * LINES_MOST * sizeof(*f->name));
	if (!f->line || !f->name)
		return oom(g);
	if (n > LINES_MOST)
		return axt_fail(&g->err, AXT_E_ARG, "%d lines: at most %d are drawn", n,
		    LINES_MOST);
	for (int i = 0; i < n; i++) {
		const char *v = axt_attr_text(e[i]->meta ? e[i]->meta->attrs : NULL, "units");

		units = units && !axt_units_differ(u, v) && !u == !v;
		if (add_lines(m, e[i], fit[0], &k))
			return g->err.code;
	}
	f->n = k;
	/* operands of one name are told by their files */
	for (int i = 1; i < n && k == n; i++)
		if (strcmp(f->name[i], f->name[0]) == 0)
			for (int j = 0; j < n; j++)
				((const char **)f->name)[j] = e[j]->from;
	title = k == 1 ? axt_plot_title(g, first, e[0]->meta ? e[0]->meta->name : NULL) : "";
	f->y.title = units ? axt_plot_with_units(g, title, first) : "";
	if (k == 1)
		f->name = NULL;
	return lines_range(m, k);
}

static int
make_hist(struct maker *m, struct axt_expr *e)
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const struct axt_meta *meta = e->meta;
	const struct axt_coord *c;
	struct axt_along a;
	double *v;

	e = axt_hist(g, e,
	    &(struct axt_hist_opts){ .bins = m->o->bins ? m->o->bins : 50, .range = m->o->range });
	e = axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_WRAP);
	if (axt_bad(e))
		return g->err.code;
	c = e->axes.a[0].coord;
	v = axt_alloc(g->m, (size_t)axt_count(e) * sizeof(*v));
	if (!v || !c || axt_plot_along(g, &e->axes.a[0], false, &a))
		return oom(g);
	if (axt_eval(g, e, v, (size_t)axt_count(e) * sizeof(*v)))
		return g->err.code;
	f->kind = AXT_FIG_BARS;
	f->n = 1;
	f->nx = axt_count(e);
	f->v = v;
	f->x = a.scale;
	f->x.title = axt_plot_with_units(g,
	    axt_plot_title(g, meta ? meta->attrs : NULL, meta ? meta->name : NULL),
	    meta ? meta->attrs : NULL);
	f->xe = axt_plot_edges(g, &a, 1);
	if (!f->xe)
		return g->err.code;
	axt_scale_range(&f->x, f->xe[0], f->xe[f->nx]);
	f->y = (struct axt_scale){ .title = "count" };
	m->o = &(struct axt_plot_opts){ .log = m->o->log };
	if (range(m, &f->y, v, NULL, f->nx, NULL))
		return g->err.code;
	if (!f->y.log)
		axt_scale_range(&f->y, 0, f->y.hi * 1.04);
	else
		axt_scale_range(&f->y, f->y.lo / 2, f->y.hi * 1.2);
	return 0;
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

uint32_t
axt_fig_color(const struct axt_fig *f, int k, int64_t y, int64_t x)
{
	double v = f->v[(k * f->ny + y) * f->nx + x];

	if (isnan(v) || (f->c.log && v <= 0))
		return AXT_COLOR_MISSING;
	return axt_colors_at(f->colors, isinf(v) ? v > 0 : axt_scale_at(&f->c, v));
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
	struct maker m = { g, o, f, { 0 } };
	struct axt_expr **v = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	const struct axt_meta *meta = e[0]->meta;
	bool line;

	*f = (struct axt_fig){ .title = "", .note = "" };
	if (!v)
		return oom(g);
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
	if (o->what == AXT_PLOT_HIST)
		make_hist(&m, v[0]);
	else if (line)
		make_lines(&m, v, n, cells);
	else
		make_map(&m, v[0], cells);
end:
	f->title = n == 1 ? axt_plot_title(g, meta ? meta->attrs : NULL, meta ? meta->name : NULL)
			  : "";
	if (o->title)
		f->title = axt_escape(g->m, o->title);
	f->note = m.note.n ? axt_strdup(g->m, m.note.p) : "";
	axt_buf_release(&m.note);
	return g->err.code;
}
