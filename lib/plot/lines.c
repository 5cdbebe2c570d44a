/* lines.c - lines: the least and the greatest value of each block. */
#include "plot/maker.h"

#include <math.h>

#define LINES_MOST 20

/* The scale and the points of one operand as a line; several if it has an axis of lines. */
static int
add_lines(struct axt_maker *m, struct axt_expr *e, int64_t fit, int *n)
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const char *name = e->meta && e->meta->name ? e->meta->name : e->from;
	struct axt_roles r = { -1, axt_make_axis(g, e, m->o->x), axt_make_axis(g, e, m->o->lines) };
	const char *const *names;
	struct axt_along a;
	struct axt_cells c;
	const double *x;
	double first, last;
	int64_t most[2] = { 0 };

	if (g->err.code || (r.each >= 0 && axt_make_few(m, e, r.each, LINES_MOST, "--lines")))
		return g->err.code;
	for (int i = e->axes.n - 1; i >= 0 && r.x < 0; i--)
		r.x = i == r.each ? -1 : i;
	if (r.x < 0 || r.x == r.each)
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s has the axes %s: none is left to go across", e->from,
		    axt_axes_text(g->m, &e->axes));
	names = r.each >= 0 ? axt_make_names(g, &e->axes.a[r.each]) : &name;
	if (axt_plot_along(g, &e->axes.a[r.x], false, &a))
		return g->err.code;
	e = axt_make_settle(m, e, &r, 1);
	if (axt_bad(e))
		return g->err.code;
	most[e->axes.n - 1] = 2 * fit;
	if (axt_cells_read(g, e, e->axes.n, most, m->quick ? AXT_CELLS_QUICK : AXT_CELLS_EXTREMES,
		m->o->explain, &c) ||
	    !(x = axt_plot_middles(g, &a, c.block[e->axes.n - 1])))
		return g->err.code;
	first = axt_along_at(&a, 0);
	last = axt_along_at(&a, a.n - 1);
	if (*n == 0) {
		f->x = a.scale;
		f->x.lo = first;
		f->x.hi = first;
		axt_make_note_blocks(m, &c, e->axes.n - 1, e->axes.n, "least and greatest of");
	} else if (f->x.kind != a.scale.kind ||
	    (f->x.kind == AXT_SCALE_TIMES &&
		!axt_cftime_same_count(f->x.calendar, a.scale.calendar)))
		return axt_fail(&g->err, AXT_E_COORD,
		    "%s has other coordinates than the line before it, and they share an axis",
		    e->from);
	f->x.lo = fmin(f->x.lo, fmin(first, last));
	f->x.hi = fmax(f->x.hi, fmax(first, last));
	for (int i = 0; i < (r.each >= 0 ? c.n[0] : 1); i++, ++*n) {
		int64_t k = c.n[e->axes.n - 1];
		const double *lo = c.lo + i * k;

		f->line[*n] = (struct axt_line){ k, x, lo, c.hi ? c.hi + i * k : lo };
		((const char **)f->name)[*n] = axt_escape(g->m, names[i] ? names[i] : "");
	}
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

/* The ranges of all lines together. */
static int
lines_range(struct axt_maker *m, int n)
{
	struct axt_fig *f = m->f;
	double *v, *w;
	int64_t all = 0, at = 0;

	for (int i = 0; i < n; i++)
		all += f->line[i].n;
	v = axt_alloc(m->g->m, (size_t)all * 2 * sizeof(*v));
	if (!v)
		return axt_make_oom(m);
	w = v + all;
	for (int i = 0; i < n; at += f->line[i++].n) {
		memcpy(v + at, f->line[i].lo, (size_t)f->line[i].n * sizeof(*v));
		memcpy(w + at, f->line[i].hi, (size_t)f->line[i].n * sizeof(*v));
	}
	axt_scale_range(&f->x, f->x.lo, f->x.hi);
	if (axt_make_range(m, &f->y, v, w, all, NULL))
		return m->g->err.code;
	if (!m->o->range)
		widen(&f->y);
	return 0;
}

int
axt_make_lines(struct axt_maker *m, struct axt_expr *const e[], int n, const int64_t fit[2])
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
		return axt_make_oom(m);
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
