/* stack.c - tensors along a new axis, whose coordinates are those of that name that each has. */
#include "axt_operation.h"

struct stack {
	const char *along;
	int64_t at;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct stack, along, "the axis",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_WORD | AXT_PARAM_ONE),
	AXT_INTEGER_OF(struct stack, at, -AXT_MAX_RANK, AXT_MAX_RANK,
	    "position of the new axis, from the end when negative", .arg = "POS"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct stack *o = AXT_VALUES(struct stack, c);

	return axt_stack(g, o->along, c->n, c->in, (int)o->at);
}

const struct axt_operation axt_operation_stack = {
	.name = "stack",
	.line = "join tensors along a new axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct stack),
	.flags = AXT_OPERATION_MANY,
	.build = build,
};
