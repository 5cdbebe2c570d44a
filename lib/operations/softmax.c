/* softmax.c - exp(a - max) / sum(exp(a - max)) along axes. */
#include "axt_operation.h"

struct softmax {
	const char *along;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct softmax, along, "the axes", .flags = AXT_PARAM_REQUIRED),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_softmax(g, c->in[0], AXT_VALUES(struct softmax, c)->along);
}

const struct axt_operation axt_operation_softmax = {
	.name = "softmax",
	.line = "exponentials divided by their sum",
	.operands = "A",
	.params = params,
	.size = sizeof(struct softmax),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
