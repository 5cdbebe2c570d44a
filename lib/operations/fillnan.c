/* fillnan.c - missing values replaced: by another tensor, between neighbours, or from near by. */
#include <math.h>
#include <string.h>

#include "expr/expr.h"
#include "grids/grids.h"
#include "axt_operation.h"

struct fillnan {
	const char *along;
	int method;
	int64_t limit, max_gap;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct fillnan, along,
	    "fill from the neighbours along this axis, or these two of latitude and longitude",
	    .flags = AXT_PARAM_INSTEAD),
	AXT_CHOICE_OF(struct fillnan, method, "linear|nearest|distance",
	    "on a line between two values, the nearest one, or of two axes the four nearest by distance",
	    .needs = "along"),
	AXT_INTEGER_OF(struct fillnan, limit, 1, INT32_MAX,
	    "fill at most N in a row (default: all)", .needs = "along"),
	AXT_INTEGER_OF(struct fillnan, max_gap, 1, INT32_MAX,
	    "fill only gaps of at most N values, and these whole", .needs = "along"),
	AXT_PARAMS_END,
};

enum { LINEAR, NEAREST, DISTANCE };

/* A coordinate of `a` over the two axes, in their order; *degrees of its unit. */
static struct axt_expr *
coordinate(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *along, bool lon,
    double *degrees)
{
	struct axt_place p;
	int is = axt_place_of_kind(g, a, lon, &p);
	const char *units = is > 0 ? axt_attr_text(p.aux->attrs, "units") : NULL;

	if (is < 0)
		return axt_node_failed(g);
	for (int i = 0; is > 0 && i < p.aux->axes.n; i++)
		if (axt_axes_find(along, &p.aux->axes.a[i]) < 0)
			is = 0;
	if (is == 0)
		return axt_graph_fail(g, AXT_E_COORD, "%s has no %s over %s", a->from,
		    lon ? "longitudes" : "latitudes", axt_axes_text(g->m, along));
	*degrees = units && strncmp(units, "rad", 3) == 0 ? 180 / M_PI : 1;
	return axt_over_axes(g, axt_memory_leaf(g, p.c.dtype, &p.aux->axes, p.c.data), along);
}

/* `a` with gaps filled from the places that are nearest on the sphere. */
static struct axt_expr *
near(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *along, bool distance)
{
	struct axt_gufunc_opts how = { .core = axt_axes_typed(g->m, along, axt_identity, 2),
		.n = { distance } };
	struct axt_expr *in[3] = { a }, *e;
	struct axt_meta *m;

	if (axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT) /* nothing is missing */
		return a;
	for (int k = 1; k < 3; k++)
		if (axt_bad(in[k] = coordinate(g, a, along, k == 2, &how.x[0])))
			return in[k];
	if (axt_gufunc(g, "near", 3, in, &how, &e))
		return axt_node_failed(g);
	e = axt_order(g, e, axt_axes_typed(g->m, &a->axes, axt_identity, a->axes.n));
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	m->aux = a->meta->aux;
	return axt_conv(g, e, a->dtype, AXT_OVERFLOW_ERROR);
}

/* Fills along the axes that are named: one, or two. */
static struct axt_expr *
fill_along(struct axt_graph *g, struct axt_expr *a, const struct fillnan *o)
{
	struct axt_axes along;

	if (axt_refused(g, a) || axt_axes_parse(g->m, o->along, false, &along, NULL, &g->err))
		return axt_node_failed(g);
	if (along.n == 1 && o->method != DISTANCE)
		return axt_fillnan_along(g, a, o->along, o->method == NEAREST, (int)o->limit,
		    (int)o->max_gap);
	for (int i = 0; i < along.n; i++) {
		int k = axt_axes_find(&a->axes, &along.a[i]);

		if (k < 0)
			return axt_view_find(g, a, axt_axis_spell(g->m, &along.a[i])),
			       axt_node_failed(g);
		along.a[i] = a->axes.a[k];
	}
	if (along.n == 2 && o->method != LINEAR && !o->limit && !o->max_gap)
		return near(g, a, &along, o->method == DISTANCE);
	return axt_graph_fail(g, AXT_E_ARG,
	    along.n == 1 ? "fillnan takes the method distance along two axes"
			 : "fillnan takes one axis, or two with the method nearest or distance, "
			   "without limit and max_gap");
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct fillnan *o = AXT_VALUES(struct fillnan, c);

	if (o->along && c->n > 1)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "fillnan takes what fills A, or along, and not both");
	if (o->along)
		return fill_along(g, c->in[0], o);
	if (c->n < 2)
		return axt_graph_fail(g, AXT_E_SYNTAX, "fillnan needs B, which fills A, or along");
	/* numbers have no names and axes, which the result would lack */
	if (axt_is_weak(c->in[0]) && !axt_is_weak(c->in[1]) &&
	    c->in[0]->u.val.num.f == c->in[0]->u.val.num.f)
		return axt_is_number_here(g,
		    "the tensor that fillnan fills is operand A, and not a number");
	return axt_fillnan(g, c->in[0], c->in[1]);
}

const struct axt_operation axt_operation_fillnan = {
	.name = "fillnan",
	.line = "replace missing values: A, and B where A is NaN",
	.operands = "A [B]",
	.params = params,
	.size = sizeof(struct fillnan),
	.flags = AXT_OPERATION_MEET | AXT_OPERATION_WIDE | AXT_OPERATION_NUMBERS,
	.kind = AXT_OP_FILLNAN,
	.build = build,
};
