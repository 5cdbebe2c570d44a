/* gradient.c - slopes by the coordinates of neighbours along an axis. */
#include "axt_operation.h"

struct gradient {
	const char *along;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct gradient, along, "the axis"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_gradient(g, c->in[0], AXT_VALUES(struct gradient, c)->along);
}

const struct axt_operation axt_operation_gradient = {
	.name = "gradient",
	.line = "slopes by the coordinates of neighbours along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct gradient),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
