/* flip.c - axes reversed, the last element first. */
#include "axt_operation.h"

struct flip {
	const char *axes;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct flip, axes, "the axes",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_flip(g, c->in[0], AXT_VALUES(struct flip, c)->axes);
}

const struct axt_operation axt_operation_flip = {
	.name = "flip",
	.line = "reverse axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct flip),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
