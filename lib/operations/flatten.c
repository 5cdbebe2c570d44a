/* flatten.c - several axes as one, in row-major order, which keeps their names and lengths. */
#include "axt_operation.h"

struct flatten {
	const char *axes;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct flatten, axes, "the axes, and what the new one is called",
	    .arg = "AXIS,AXIS,...[=NAME]", .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_flatten(g, c->in[0], AXT_VALUES(struct flatten, c)->axes);
}

const struct axt_operation axt_operation_flatten = {
	.name = "flatten",
	.line = "combine several axes into one",
	.operands = "A",
	.params = params,
	.size = sizeof(struct flatten),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
