/* rank.c - ranks of values along an axis, from 1. */
#include "axt_builds.h"
#include "axt_operation.h"

struct rank {
	const char *along;
	int method;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct rank, along, "the axis"),
	AXT_CHOICE_OF(struct rank, method, "average|min|max|dense|ordinal",
	    "what equal values get (default: the average of their ranks)"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct rank *o = AXT_VALUES(struct rank, c);

	return axt_rank(g, c->in[0], o->along, (enum axt_rank_method)o->method);
}

const struct axt_operation axt_operation_rank = {
	.name = "rank",
	.line = "ranks of values along an axis, from 1",
	.operands = "A",
	.params = params,
	.size = sizeof(struct rank),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
