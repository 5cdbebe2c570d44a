/* rename.c - axes with other names, all changed at the same time. */
#include "axt_operation.h"

struct rename {
	const char *names;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct rename, names, "their names", .arg = "OLD=NEW,...",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_rename(g, c->in[0], AXT_VALUES(struct rename, c)->names);
}

const struct axt_operation axt_operation_rename = {
	.name = "rename",
	.line = "rename axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct rename),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
