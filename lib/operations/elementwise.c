/*
 * elementwise.c - the rows of ops.def as operations. Those of two arguments are commands, and those
 * of one argument are words of axt-map.
 */
#include "axt_operation.h"

/* Columns of ops.def that matter here. */
enum { NARY = 1, COMM = 2, INTERN = 4, QUANT = 0, UNITS = 0, CMP = 0, DIFF = 0 };

static const struct axt_param params[] = { AXT_PARAMS_END };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_map(g, (enum axt_op)c->op->kind, c->n, c->in);
}

#define IS_TEXT(id) (AXT_OP_##id == AXT_OP_EQ || AXT_OP_##id == AXT_OP_NE)

/* Rows that are INTERN are called "". */
const struct axt_operation axt_operations_elementwise[] = {
#define OP(id, name_, alias, arity, domain, result, flags_, ulp, body, line_)                \
	[AXT_OP_##id] = { .name = (flags_)&INTERN ? "" : (name_),                            \
		.line = (line_),                                                             \
		.operands = (arity) == 1 ? "A" : "A B",                                      \
		.params = params,                                                            \
		.aliases = (const struct axt_alias[]){ { .name = (alias), .line = (line_) }, \
		    { .name = NULL } },                                                      \
		.flags = ((arity) == 1 ? AXT_OPERATION_STDIN : 0) |                          \
		    ((flags_)&NARY ? AXT_OPERATION_MANY : 0) |                               \
		    ((flags_)&COMM ? AXT_OPERATION_COMMUTES : 0) |                           \
		    (IS_TEXT(id) ? AXT_OPERATION_TEXT : 0) | AXT_OPERATION_MEET |            \
		    AXT_OPERATION_WIDE | AXT_OPERATION_NUMBERS,                              \
		.kind = AXT_OP_##id,                                                         \
		.build = build },
#include "ops.def"
#undef OP
	[AXT_NOPS] = { .name = NULL },
};

const struct axt_chooser axt_chooser_map = {
	.all = { .name = "map",
	    .line = "apply a function to every element",
	    .operands = "A",
	    .params = params,
	    .flags = AXT_OPERATION_STDIN | AXT_OPERATION_WIDE },
	.word = "FUNC",
	.noun = "function",
	.table = axt_operations_elementwise,
};
