/*
 * regrid.c - means over the cells of another grid: how much the cells of both grids overlap along
 * each axis.
 */
#include <math.h>
#include <stdlib.h>

#include "axes/keys.h"
#include "grids/grids.h"

/* An axis that is regridded. */
struct along {
	int i; /* its position */
	struct axt_targets to;
	struct axt_edges old, new;
	double *links; /* [nlinks][3]: target, source, overlap */
	int64_t nlinks;
};

/* Turns latitudes of edges into their sines, whose differences are areas. */
static void
to_sines(struct axt_edges *c)
{
	for (int64_t i = 0; i < c->n; i++)
		for (int k = 0; k < 2; k++)
			c->of[i][k] = sin(c->of[i][k] * M_PI / 180);
}

/* ---- overlaps ---- */

/* A cell and its position, for sorting. */
struct sorted {
	double lo, hi;
	int64_t i;
};

static int
by_edge(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* The cells in the order of their edges. NULL: an error; two of them overlap. */
static struct sorted *
sort(struct axt_graph *g, const struct axt_edges *c, const char *what)
{
	struct sorted *s = axt_alloc(g->m, (size_t)c->n * sizeof(*s) + 1);

	if (!s) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t i = 0; i < c->n; i++)
		s[i] = (struct sorted){ c->of[i][0], c->of[i][1], i };
	qsort(s, (size_t)c->n, sizeof(*s), by_edge);
	for (int64_t i = 1; i < c->n; i++)
		if (s[i].lo < s[i - 1].hi - 1e-6 * (s[i].hi - s[i].lo)) {
			axt_fail(&g->err, AXT_E_COORD, "cells %lld and %lld of %s overlap",
			    (long long)s[i - 1].i, (long long)s[i].i, what);
			return NULL;
		}
	return s;
}

static int
add_link(struct axt_graph *g, struct along *w, int64_t *cap, int64_t target, int64_t source,
    double overlap)
{
	double *p;

	if (w->nlinks == *cap) {
		*cap = *cap ? 2 * *cap : 256;
		p = axt_alloc(g->m, (size_t)*cap * 3 * sizeof(*p));
		if (!p)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (w->nlinks)
			memcpy(p, w->links, (size_t)w->nlinks * 3 * sizeof(*p));
		w->links = p;
	}
	p = w->links + 3 * w->nlinks++;
	p[0] = (double)target;
	p[1] = (double)source;
	p[2] = overlap;
	return 0;
}

#define SLIVER 1e-9 /* overlaps of less than this part of a cell are errors of rounding */

/* Finds the overlaps of each new cell. On a circle it is there again 360 degrees further on. */
static int
find_links(struct axt_graph *g, struct along *w, const char *what)
{
	struct sorted *s = sort(g, &w->old, what);
	int64_t cap = 0;

	if (!s)
		return g->err.code;
	for (int64_t t = 0; t < w->new.n; t++)
		for (int turn = w->old.circle ? -2 : 0; turn <= (w->old.circle ? 2 : 0); turn++) {
			double lo = w->new.of[t][0] + 360 * turn, hi = w->new.of[t][1] + 360 * turn;
			int64_t a = 0, b = w->old.n;

			while (a < b) { /* the first cell that ends behind lo */
				int64_t mid = a + (b - a) / 2;

				if (s[mid].hi > lo)
					b = mid;
				else
					a = mid + 1;
			}
			for (; a < w->old.n && s[a].lo < hi; a++) {
				double part = fmin(hi, s[a].hi) - fmax(lo, s[a].lo);

				if (part > SLIVER * fmin(hi - lo, s[a].hi - s[a].lo) &&
				    add_link(g, w, &cap, t, s[a].i, part))
					return g->err.code;
			}
		}
	return w->nlinks ? 0
			 : axt_fail(&g->err, AXT_E_COORD, "no cell of %s overlaps a new one", what);
}

/* ---- the axes, and the call ---- */

/* Finds cells and overlaps along one axis of a. */
static int
prepare(struct axt_graph *g, struct axt_expr *a, const char *axis, const char *spec,
    const struct axt_interp_opts *o, struct along *w)
{
	const struct axt_axis *x;
	const char *what;

	w->i = axt_view_find(g, a, axis);
	if (w->i < 0 || axt_targets_of(g, a, w->i, spec, o, &w->to))
		return g->err.code;
	x = &a->axes.a[w->i];
	what = axt_axis_where(g->m, x, a->from);
	if (axt_edges_of_axis(g, a, x, &w->old))
		return g->err.code;
	w->new = (struct axt_edges){ .n = w->to.n,
		.circle = w->old.circle,
		.latitude = w->old.latitude };
	if (axt_edges_make(g, w->to.to, w->to.bounds,
		axt_sprintf(g->m, "the new axis \"%s\"", axt_escape(g->m, x->name)), &w->new))
		return g->err.code;
	if (!w->to.bounds) {
		w->to.bounds = axt_alloc(g->m, (size_t)w->new.n * sizeof(*w->new.of));
		if (!w->to.bounds)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		memcpy(w->to.bounds, w->new.of, (size_t)w->new.n * sizeof(*w->new.of));
	}
	if (w->old.latitude) {
		to_sines(&w->old);
		to_sines(&w->new);
	}
	return find_links(g, w, what);
}

/* The links of an axis as an operand. */
static struct axt_expr *
links(struct axt_graph *g, const struct along *w, const char *name)
{
	struct axt_axes x = { .n = 2,
		.a = { { .name = name, .len = w->nlinks }, { .name = "link", .len = 3 } } };

	return axt_memory_leaf(g, AXT_F64, &x, w->links);
}

/* Makes *as the axis w->i of a with the coordinates of the new cells. */
static int
new_axis(struct axt_graph *g, const struct axt_expr *a, struct axt_axis *as, const struct along *w)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	const char *name = axt_sprintf(g->m, "%s_bnds", a->axes.a[w->i].name);

	if (!c || !name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*as = a->axes.a[w->i];
	*c = w->to.coord;
	as->len = w->to.n;
	as->coord = c;
	as->unlimited = false;
	c->attrs = axt_attr_set(g->m, c->attrs,
	    &(struct axt_attr){ .name = "bounds", .kind = AXT_ATTR_TEXT, .text = name });
	return 0;
}

static struct axt_expr *
regrid(struct axt_graph *g, struct axt_expr *a, struct along w[2], int n)
{
	static double alone[] = { 0, 0, 1 };
	struct along one = { .new = { .n = 1 }, .links = alone, .nlinks = 1 };
	const struct along *row = &w[0], *col = n > 1 ? &w[1] : &one;
	struct axt_gufunc_opts o = { .n = { (int)row->new.n, (int)col->new.n } };
	struct axt_expr *in[3], *e, *old = a;
	int core[2] = { row->i, col->i }, at[2];
	struct axt_meta *m;

	if (n == 1) { /* an axis of length 1 besides */
		core[1] = a->axes.n;
		a = axt_expand(g, a, "regrid.one", -1);
		if (axt_bad(a))
			return a;
		core[1] = axt_axes_find(&a->axes, &(struct axt_axis){ .name = "regrid.one" });
		core[0] = axt_axes_find(&a->axes, &old->axes.a[row->i]);
	}
	in[0] = a;
	in[1] = links(g, row, "regrid.rows");
	in[2] = links(g, col, "regrid.cols");
	o.core = axt_axes_typed(g->m, &a->axes, core, 2);
	o.core = axt_sprintf(g->m, "%s,regrid.rows,link,regrid.cols,regrid.m,regrid.l", o.core);
	if (!o.core || axt_gufunc(g, "regrid", 3, in, &o, &e))
		return axt_node_failed(g);
	for (int k = 0; k < n; k++) {
		struct axt_axis made = { .name = k ? "regrid.l" : "regrid.m" };

		at[k] = axt_axes_find(&e->axes, &made);
		if (new_axis(g, old, &e->axes.a[at[k]], &w[k]))
			return axt_node_failed(g);
	}
	m = axt_dress(g, &e, NULL);
	for (int k = 0; m && k < n; k++)
		if (axt_edges_add(g, &e->axes.a[at[k]], w[k].to.bounds, &m->aux))
			return axt_node_failed(g);
	if (m) {
		m->attrs = axt_attr_drop(g->m, m->attrs, "cell_measures");
		m->missing = true;
	}
	if (n == 1)
		e = axt_squeeze(g, e, "regrid.l");
	return !axt_bad(e) && axt_dtypes[old->dtype].cls == AXT_CLASS_FLOAT
	    ? axt_conv(g, e, old->dtype, AXT_OVERFLOW_ERROR)
	    : e;
}

struct axt_expr *
axt_regrid(struct axt_graph *g, struct axt_expr *a, int n, const char *const spec[],
    struct axt_expr *const targets[], const struct axt_open_opts *open)
{
	static const struct axt_open_opts plain;
	struct along w[2] = { 0 };
	int found = 0;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX) {
		axt_not_defined(g, "means over cells are", a);
		return axt_node_failed(g);
	}
	for (int k = 0; k < n; k++) {
		struct axt_interp_opts o = { .open = open ? open : &plain,
			.targets = targets ? targets[k] : NULL };
		const char *rest = NULL;
		char *names = NULL, *p;

		if (o.targets && axt_refused(g, o.targets))
			return axt_node_failed(g);
		if (o.targets)
			names = axt_strdup(g->m, spec[k]);
		else if (axt_targets_split(g, spec[k], &names, &rest))
			return axt_node_failed(g);
		for (; names; names = p) {
			if ((p = strchr(names, ',')))
				*p++ = '\0';
			if (found == 2)
				return axt_graph_fail(g, AXT_E_ARG,
				    "cells have at most two axes; a third is done by itself");
			if (prepare(g, a, names, rest, &o, &w[found]))
				return axt_node_failed(g);
			if (found++ && w[0].i == w[1].i) {
				axt_fail(&g->err, AXT_E_ARG, "axis \"%s\" is there twice",
				    axt_escape(g->m, names));
				axt_about(&g->err, AXT_AXIS_TWICE, names, a->from);
				return axt_node_failed(g);
			}
		}
	}
	if (found)
		return regrid(g, a, w, found);
	axt_fail(&g->err, AXT_E_SYNTAX, "AXIS=TARGETS are missing");
	axt_about(&g->err, AXT_TOO_FEW, "AXIS=TARGETS", NULL);
	return axt_node_failed(g);
}
