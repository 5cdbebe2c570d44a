/* order.c - the axes in another order; "..." stands for those that are not named. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct axt_expr *
axt_order_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b)
{
	const char *axes;

	if (axt_refused(g, a) || axt_refused(g, b))
		return axt_node_failed(g);
	axes = axt_axes_typed(g->m, &b->axes, axt_identity, b->axes.n);
	return axes ? axt_order(g, a, axes) : axt_node_failed(g);
}

struct order {
	const char *axes;
	struct axt_expr *like;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct order, axes, "the axes in their new order",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_TENSOR_OF(struct order, like, "the order of the axes of B, which has the same ones",
	    .flags = AXT_PARAM_INSTEAD, .excludes = "axes"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct order *o = AXT_VALUES(struct order, c);

	return o->like ? axt_order_like(g, c->in[0], o->like) : axt_order(g, c->in[0], o->axes);
}

const struct axt_operation axt_operation_order = {
	.name = "order",
	.line = "put the axes in another order",
	.operands = "A",
	.params = params,
	.size = sizeof(struct order),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
