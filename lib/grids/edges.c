/*
 * edges.c - the cells of an axis by their edges: those that bounds give, or halfway between
 * coordinates. Around a circle of longitudes edges go on beyond 360 degrees; latitudes end at the
 * poles.
 */
#include <math.h>

#include "axes/keys.h"
#include "grids/grids.h"

/* Edges halfway between coordinates; those at the ends are as far out as they are inwards. */
static int
halfway(struct axt_graph *g, const double *x, const char *what, struct axt_edges *out)
{
	int64_t n = out->n;
	double *at = axt_alloc(g->m, (size_t)n * sizeof(*at) + 1);

	if (!at)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (n < 2)
		return axt_fail(&g->err, AXT_E_COORD,
		    "%s has one coordinate without bounds, so that its cell has no width", what);
	for (int64_t i = 0; i < n; i++) {
		at[i] = x[i];
		if (out->circle && i > 0)
			at[i] -= 360 * rint((at[i] - at[i - 1]) / 360);
	}
	for (int64_t i = 0; i < n; i++) {
		double before = i > 0 ? at[i] - at[i - 1] : at[1] - at[0],
		       after = i < n - 1 ? at[i + 1] - at[i] : before;

		if (!(before * after > 0)) {
			axt_fail(&g->err, AXT_E_COORD, "%s neither rises nor falls", what);
			return axt_about(&g->err, AXT_NOT_INCREASING, NULL, NULL);
		}
		out->of[i][0] = fmin(at[i] - before / 2, at[i] + after / 2);
		out->of[i][1] = fmax(at[i] - before / 2, at[i] + after / 2);
	}
	return 0;
}

/* Edges by bounds: n pairs. On a circle the cell is the part that has its coordinate. */
static int
bounded(struct axt_graph *g, const double *x, const double *b, const char *what,
    struct axt_edges *out)
{
	for (int64_t i = 0; i < out->n; i++) {
		double lo = fmin(b[2 * i], b[2 * i + 1]), hi = fmax(b[2 * i], b[2 * i + 1]),
		       at = x[i];

		if (out->circle)
			at -= 360 * floor((at - lo) / 360);
		if (out->circle && at > hi + 1e-9 * (hi - lo)) {
			double turned = hi - 360;

			hi = lo;
			lo = turned;
		}
		if (!(hi > lo))
			return axt_fail(&g->err, AXT_E_COORD,
			    "the bounds of %s make no cell: %g and %g at position %lld", what,
			    b[2 * i], b[2 * i + 1], (long long)i);
		out->of[i][0] = lo;
		out->of[i][1] = hi;
	}
	return 0;
}

int
axt_edges_make(struct axt_graph *g, const double *x, const double *bounds, const char *what,
    struct axt_edges *out)
{
	out->of = axt_alloc(g->m, (size_t)out->n * sizeof(*out->of) + 1);
	if (!out->of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (bounds ? bounded(g, x, bounds, what, out) : halfway(g, x, what, out))
		return g->err.code;
	for (int64_t i = 0; i < out->n && out->latitude; i++)
		for (int k = 0; k < 2; k++)
			out->of[i][k] = fmax(-90, fmin(90, out->of[i][k]));
	return 0;
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

int
axt_edges_add(struct axt_graph *g, const struct axt_axis *axis, const double *pairs,
    const struct axt_aux **list)
{
	struct axt_aux *x = axt_alloc(g->m, sizeof(*x));

	if (!x)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*x = (struct axt_aux){ .name = axt_attr_text(axis->coord->attrs, "bounds"),
		.axes = { .n = 2, .a = { *axis, { .name = "bnds", .len = 2 } } },
		.own = { false, true },
		.dtype = AXT_F64,
		.data = pairs,
		.next = (struct axt_aux *)*list };
	*list = x;
	return 0;
}

int
axt_edges_of_axis(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x,
    struct axt_edges *out)
{
	struct axt_place bounds;
	double *at, *b = NULL;
	int has = axt_place_bounds(g, a, x, &bounds);

	*out = (struct axt_edges){ .n = x->len,
		.circle = axt_axis_circle(x),
		.latitude = axt_meaning(x->name, x->coord->attrs) == AXT_MEANS_LAT &&
		    axt_meaning_earth(x->name, x->coord->attrs) };
	if (has < 0 || !(at = values(g, x->coord)) || (has && !(b = values(g, &bounds.c))))
		return g->err.code;
	return axt_edges_make(g, at, b, axt_axis_where(g->m, x, a->from), out);
}
