/* flatten.c - several axes as one, in row-major order, which keeps their names and lengths. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, axes, "the axes, and what the new one is called",
	    .arg = "AXIS,AXIS,...[=NAME]", .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_flatten = {
	.name = "flatten",
	.line = "combine several axes into one",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_flatten,
};
