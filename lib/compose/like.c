/*
 * like.c - a tensor along the axes of another one: in its order, or repeated along those it lacks.
 * No value is read.
 */
#include "expr/expr.h"

struct axt_expr *
axt_order_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b)
{
	const char *axes;

	if (axt_refused(g, a) || axt_refused(g, b))
		return axt_node_failed(g);
	axes = axt_axes_typed(g->m, &b->axes, axt_identity, b->axes.n);
	return axes ? axt_order(g, a, axes) : axt_node_failed(g);
}

struct axt_expr *
axt_broadcast_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b)
{
	struct axt_axes x;

	if (axt_refused(g, a) || axt_refused(g, b) || axt_meet(g, (struct axt_expr *)b, a, &x))
		return axt_node_failed(g);
	axt_warn_first(g, 2, (struct axt_expr *[]){ (struct axt_expr *)b, a });
	return axt_over_axes(g, a, &x);
}
