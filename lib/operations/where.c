/* where.c - elements of one tensor or of another, as a condition says. */
#include "axt_operation.h"

static const struct axt_param params[] = { AXT_PARAMS_END };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_where(g, c->in[0], c->in[1], c->in[2]);
}

const struct axt_operation axt_operation_where = {
	.name = "where",
	.line = "A where COND is true, else B",
	.operands = "COND A B",
	.params = params,
	.flags = AXT_OPERATION_MEET | AXT_OPERATION_WIDE,
	.build = build,
};
