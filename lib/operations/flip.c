/* flip.c - axes reversed, the last element first. */
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, axes, "the axes",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_flip = {
	.name = "flip",
	.line = "reverse axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_flip,
};
