/* onehot.c - integers as a new axis that is true at the index which is the value. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, axis, "the new axis", .arg = "AXIS=LEN",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_LENGTHS),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_onehot = {
	.name = "onehot",
	.line = "one-hot encoding of integers along a new axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_onehot,
};
