/* gradient.c - slopes by the coordinates of neighbours along an axis. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct axt_one, along, "the axis"),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_gradient = {
	.name = "gradient",
	.line = "slopes by the coordinates of neighbours along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_gradient,
};
