/* softmax.c - exp(a - max) / sum(exp(a - max)) along axes. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, along, "the axes", .flags = AXT_PARAM_REQUIRED),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_softmax = {
	.name = "softmax",
	.line = "exponentials divided by their sum",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_softmax,
};
