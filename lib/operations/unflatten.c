/* unflatten.c - an axis split into the named parts, or into those from which it was flattened. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, axes, "the axis, and its parts", .arg = "NAME[=A:LEN,...]",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_unflatten = {
	.name = "unflatten",
	.line = "split one axis into several",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_unflatten,
};
