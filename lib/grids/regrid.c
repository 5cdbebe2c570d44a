/*
 * regrid.c - means over the cells of another grid. Here are the cells of both grids along each
 * axis, by bounds or halfway between coordinates, and how much those of one overlap those of the
 * other.
 */
#include <math.h>
#include <stdlib.h>

#include "axes/keys.h"
#include "grids/grids.h"

/* The cells along an axis: two edges of each, the lower one first, in any order of cells. */
struct cells {
	int64_t n;
	double (*edge)[2];
};

/* An axis that is regridded. */
struct along {
	int i; /* its position */
	struct axt_targets to;
	struct cells old, new;
	bool circle, latitude;
	double *links; /* [nlinks][3]: target, source, overlap */
	int64_t nlinks;
};

/* ---- cells ---- */

/* Edges halfway between coordinates; those at the ends are as far out as they are inwards. */
static int
halfway(struct axt_graph *g, const double *x, int64_t n, bool circle, const char *what,
    struct cells *out)
{
	double *at = axt_alloc(g->m, (size_t)n * sizeof(*at));

	if (!at)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (n < 2)
		return axt_fail(&g->err, AXT_E_COORD,
		    "%s has one coordinate without bounds, so that its cell has no width", what);
	for (int64_t i = 0; i < n; i++) {
		at[i] = x[i];
		if (circle && i > 0)
			at[i] -= 360 * rint((at[i] - at[i - 1]) / 360);
	}
	for (int64_t i = 0; i < n; i++) {
		double before = i > 0 ? at[i] - at[i - 1] : at[1] - at[0],
		       after = i < n - 1 ? at[i + 1] - at[i] : before;

		if (!(before * after > 0)) {
			axt_fail(&g->err, AXT_E_COORD, "%s neither rises nor falls", what);
			return axt_about(&g->err, AXT_NOT_INCREASING, NULL, NULL);
		}
		out->edge[i][0] = fmin(at[i] - before / 2, at[i] + after / 2);
		out->edge[i][1] = fmax(at[i] - before / 2, at[i] + after / 2);
	}
	return 0;
}

/* Edges by bounds: n pairs. On a circle the cell is the part that has its coordinate. */
static int
bounded(struct axt_graph *g, const double *x, const double *b, int64_t n, bool circle,
    const char *what, struct cells *out)
{
	for (int64_t i = 0; i < n; i++) {
		double lo = fmin(b[2 * i], b[2 * i + 1]), hi = fmax(b[2 * i], b[2 * i + 1]),
		       at = x[i];

		if (circle)
			at -= 360 * floor((at - lo) / 360);
		if (circle && at > hi + 1e-9 * (hi - lo)) {
			double turned = hi - 360;

			hi = lo;
			lo = turned;
		}
		if (!(hi > lo))
			return axt_fail(&g->err, AXT_E_COORD,
			    "the bounds of %s make no cell: %g and %g at position %lld", what,
			    b[2 * i], b[2 * i + 1], (long long)i);
		out->edge[i][0] = lo;
		out->edge[i][1] = hi;
	}
	return 0;
}

static int
make_cells(struct axt_graph *g, const double *x, const double *bounds, int64_t n,
    const struct along *w, const char *what, struct cells *out)
{
	out->n = n;
	out->edge = axt_alloc(g->m, (size_t)n * sizeof(*out->edge) + 1);
	if (!out->edge)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (bounds ? bounded(g, x, bounds, n, w->circle, what, out)
		   : halfway(g, x, n, w->circle, what, out))
		return g->err.code;
	for (int64_t i = 0; i < n && w->latitude; i++)
		for (int k = 0; k < 2; k++)
			out->edge[i][k] = fmax(-90, fmin(90, out->edge[i][k]));
	return 0;
}

/* Turns latitudes of edges into their sines, whose differences are areas. */
static void
to_sines(struct cells *c)
{
	for (int64_t i = 0; i < c->n; i++)
		for (int k = 0; k < 2; k++)
			c->edge[i][k] = sin(c->edge[i][k] * M_PI / 180);
}

/* The coordinates of an axis, or their bounds, as f64. */
static double *
values(struct axt_graph *g, const struct axt_coord *c)
{
	double *v = axt_alloc(g->m, (size_t)c->n * sizeof(*v) + 1);

	for (int64_t i = 0; v && i < c->n; i++)
		v[i] = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));
	if (!v)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return v;
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
sort(struct axt_graph *g, const struct cells *c, const char *what)
{
	struct sorted *s = axt_alloc(g->m, (size_t)c->n * sizeof(*s) + 1);

	if (!s) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t i = 0; i < c->n; i++)
		s[i] = (struct sorted){ c->edge[i][0], c->edge[i][1], i };
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
		for (int turn = w->circle ? -2 : 0; turn <= (w->circle ? 2 : 0); turn++) {
			double lo = w->new.edge[t][0] + 360 * turn,
			       hi = w->new.edge[t][1] + 360 * turn;
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
	struct axt_place bounds;
	double *at, *b = NULL;
	int has;

	w->i = axt_view_find(g, a, axis);
	if (w->i < 0 || axt_targets_of(g, a, w->i, spec, o, &w->to))
		return g->err.code;
	x = &a->axes.a[w->i];
	what = axt_axis_where(g->m, x, a->from);
	w->circle = axt_axis_circle(x);
	w->latitude = axt_meaning(x->name, x->coord->attrs) == AXT_MEANS_LAT &&
	    axt_meaning_earth(x->name, x->coord->attrs);
	has = axt_place_bounds(g, a, x, &bounds);
	if (has < 0 || !(at = values(g, x->coord)) || (has && !(b = values(g, &bounds.c))))
		return g->err.code;
	if (make_cells(g, at, b, x->len, w, what, &w->old) ||
	    make_cells(g, w->to.to, w->to.bounds, w->to.n, w,
		axt_sprintf(g->m, "the new axis \"%s\"", axt_escape(g->m, x->name)), &w->new))
		return g->err.code;
	if (!w->to.bounds) {
		w->to.bounds = axt_alloc(g->m, (size_t)w->new.n * sizeof(*w->new.edge));
		if (!w->to.bounds)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		memcpy(w->to.bounds, w->new.edge, (size_t)w->new.n * sizeof(*w->new.edge));
	}
	if (w->latitude) {
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

/* The bounds of an axis that new_axis made. */
static int
add_bounds(struct axt_graph *g, struct axt_meta *m, const struct axt_axis *as,
    const struct along *w)
{
	struct axt_aux *x = axt_alloc(g->m, sizeof(*x));

	if (!x)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*x = (struct axt_aux){ .name = axt_attr_text(as->coord->attrs, "bounds"),
		.axes = { .n = 2, .a = { *as, { .name = "bnds", .len = 2 } } },
		.own = { false, true },
		.dtype = AXT_F64,
		.data = w->to.bounds,
		.next = (struct axt_aux *)m->aux };
	m->aux = x;
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
		if (add_bounds(g, m, &e->axes.a[at[k]], &w[k]))
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
