/* squeeze.c - axes of length 1 dropped; their coordinates stay, as datasets of rank 0. */
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, over, "these axes, whose length must be 1 (default: all such)"),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_squeeze = {
	.name = "squeeze",
	.line = "drop axes of length 1",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_squeeze,
};
