/* counts.c - histograms, and points of two tensors: how many values are in each bin. */
#include "plot/maker.h"

#include <math.h>

/* The scale of a tensor's values along an axis of bins. */
static int
along_values(struct axt_maker *m, const struct axt_expr *e, const struct axt_axis *bins,
    struct axt_scale *s, const double **edges)
{
	const struct axt_attr *attrs = e->meta ? e->meta->attrs : NULL;
	struct axt_along a;
	double *v;

	if (axt_plot_along(m->g, bins, false, &a) || !(v = axt_plot_edges(m->g, &a, 1)))
		return m->g->err.code;
	*s = a.scale;
	s->title = axt_plot_with_units(m->g,
	    axt_plot_title(m->g, attrs, e->meta ? e->meta->name : NULL), attrs);
	axt_scale_range(s, v[0], v[a.n]);
	*edges = v;
	return 0;
}

/* Runs the counts, or tells how they would be. */
static int
count(struct axt_maker *m, struct axt_expr *e, double *v)
{
	return (int)(m->o->explain ? axt_explain(m->g, &e, 1, m->o->explain)
				   : axt_eval(m->g, e, v, (size_t)axt_count(e) * sizeof(*v)));
}

int
axt_make_hist(struct axt_maker *m, struct axt_expr *a)
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	struct axt_expr *e;
	double *v;

	e = axt_hist(g, a,
	    &(struct axt_hist_opts){ .bins = m->o->bins ? m->o->bins : 50, .range = m->o->range });
	e = axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_WRAP);
	if (axt_bad(e))
		return g->err.code;
	v = axt_alloc(g->m, (size_t)axt_count(e) * sizeof(*v));
	if (!v)
		return axt_make_oom(m);
	if (along_values(m, a, &e->axes.a[0], &f->x, &f->xe) || count(m, e, v))
		return g->err.code;
	f->kind = AXT_FIG_BARS;
	f->n = 1;
	f->nx = axt_count(e);
	f->v = v;
	f->y = (struct axt_scale){ .title = "count" };
	m->o = &(struct axt_plot_opts){ .log = m->o->log };
	if (axt_make_range(m, &f->y, v, NULL, f->nx, NULL))
		return g->err.code;
	if (!f->y.log)
		axt_scale_range(&f->y, 0, f->y.hi * 1.04);
	else
		axt_scale_range(&f->y, f->y.lo / 2, f->y.hi * 1.2);
	return 0;
}

/*
 * Draws points whose places are the values of a and b. Each pixel shows how many points it has, so
 * that memory depends on the pixels and not on the points.
 */
int
axt_make_scatter(struct axt_maker *m, struct axt_expr *a, struct axt_expr *b, const int64_t fit[2])
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	struct axt_plot_opts counts = { .log = true };
	const struct axt_plot_opts *given = m->o;
	int64_t nx = MAX(4, fit[0] / m->dot), ny = MAX(4, fit[1] / m->dot);
	struct axt_expr *e;
	double *v;

	e = axt_hist2d(g, a, b,
	    &(struct axt_hist_opts){ .bins = nx, .bins2 = ny, .range = given->range });
	e = axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_WRAP);
	if (axt_bad(e))
		return g->err.code;
	if (along_values(m, a, &e->axes.a[0], &f->x, &f->xe) ||
	    along_values(m, b, &e->axes.a[1], &f->y, &f->ye))
		return g->err.code;
	e = axt_relabel(g, e, &(struct axt_axes){ .n = 2, .a = { e->axes.a[1], e->axes.a[0] } },
	    (const int[]){ 1, 0 });
	v = axt_alloc(g->m, (size_t)(nx * ny) * sizeof(*v));
	if (!v)
		return axt_make_oom(m);
	if (count(m, e, v))
		return g->err.code;
	f->kind = AXT_FIG_MAP;
	f->n = 1;
	f->nx = nx;
	f->ny = ny;
	f->v = v;
	f->missing = 0xffffff;
	f->c.title = "points";
	m->o = &counts;
	axt_make_range(m, &f->c, v, NULL, nx * ny, NULL);
	m->o = given;
	return g->err.code ? (int)g->err.code : axt_make_colors(m, false);
}
