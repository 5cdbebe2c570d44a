/* concat.c - tensors end to end along an axis; CF times are converted to the units of the first. */
#include "axt_operation.h"

struct concat {
	const char *along;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct concat, along, "the axis",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_WORD | AXT_PARAM_ONE),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_concat(g, AXT_VALUES(struct concat, c)->along, c->n, c->in);
}

const struct axt_operation axt_operation_concat = {
	.name = "concat",
	.line = "join tensors end to end along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct concat),
	.flags = AXT_OPERATION_MANY,
	.build = build,
};
