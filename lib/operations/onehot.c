/* onehot.c - integers as a new axis that is true at the index which is the value. */
#include "axt_operation.h"

struct onehot {
	const char *axis;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct onehot, axis, "the new axis", .arg = "AXIS=LEN",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_LENGTHS),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_onehot(g, c->in[0], AXT_VALUES(struct onehot, c)->axis);
}

const struct axt_operation axt_operation_onehot = {
	.name = "onehot",
	.line = "one-hot encoding of integers along a new axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct onehot),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
