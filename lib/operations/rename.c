/* rename.c - axes with other names, all changed at the same time. */
#include "axt_operation.h"

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, names, "their names", .arg = "OLD=NEW,...",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_rename = {
	.name = "rename",
	.line = "rename axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_rename,
};
