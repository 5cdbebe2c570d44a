/* unflatten.c - an axis split into the named parts, or into those from which it was flattened. */
#include "axt_operation.h"

struct unflatten {
	const char *axes;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct unflatten, axes, "the axis, and its parts", .arg = "NAME[=A:LEN,...]",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_unflatten(g, c->in[0], AXT_VALUES(struct unflatten, c)->axes);
}

const struct axt_operation axt_operation_unflatten = {
	.name = "unflatten",
	.line = "split one axis into several",
	.operands = "A",
	.params = params,
	.size = sizeof(struct unflatten),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
