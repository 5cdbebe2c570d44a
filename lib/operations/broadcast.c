/* broadcast.c - a tensor along all axes of the result, of which the new ones have lengths. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct axt_expr *
axt_broadcast_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b)
{
	struct axt_axes x;

	if (axt_refused(g, a) || axt_refused(g, b) || axt_meet(g, (struct axt_expr *)b, a, &x))
		return axt_node_failed(g);
	axt_warn_first(g, 2, (struct axt_expr *[]){ (struct axt_expr *)b, a });
	return axt_over_axes(g, a, &x);
}

struct broadcast {
	const char *axes;
	struct axt_expr *like;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct broadcast, axes, "all axes of the result, in order: D=4,B,C",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_TENSOR_OF(struct broadcast, like, "the axes of B, and then those that only A has",
	    .flags = AXT_PARAM_INSTEAD, .excludes = "axes"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "broadcast_like", NULL, "the axes of the second tensor", "like", NULL },
	{ .name = NULL },
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct broadcast *o = AXT_VALUES(struct broadcast, c);

	return o->like ? axt_broadcast_like(g, c->in[0], o->like)
		       : axt_broadcast(g, c->in[0], o->axes);
}

const struct axt_operation axt_operation_broadcast = {
	.name = "broadcast",
	.line = "repeat a tensor along more axes",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct broadcast),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
