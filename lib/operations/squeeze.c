/* squeeze.c - axes of length 1 dropped; their coordinates stay, as datasets of rank 0. */
#include "axt_operation.h"

struct squeeze {
	const char *over;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct squeeze, over, "these axes, whose length must be 1 (default: all such)"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_squeeze(g, c->in[0], AXT_VALUES(struct squeeze, c)->over);
}

const struct axt_operation axt_operation_squeeze = {
	.name = "squeeze",
	.line = "drop axes of length 1",
	.operands = "A",
	.params = params,
	.size = sizeof(struct squeeze),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
