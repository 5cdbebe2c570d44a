/* transpose.c - rows and columns that are an axis and its dual, exchanged: level k becomes 1-k. */
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_transpose(g, c->in[0]);
}

const struct axt_operation axt_operation_transpose = {
	.name = "transpose",
	.line =
	    "exchange rows and columns that are an axis and its dual: M becomes M*, M* becomes M",
	.operands = "A",
	.params = params,
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
