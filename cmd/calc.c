#include "cmd.h"

#define RESULTS 64

static const struct cmd calc = {
	.name = "axt-calc", .line = "evaluate an expression of named operands",
	.words = { "EXPR" }, .operands = "EXPR [NAME=OPERAND ...]",
	.flags = CMD_TENSOR | CMD_NAMED, .choice = axt_calc_function,
};

/* axt-calc: y = EXPR; several results are named by it. */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&calc, argc, argv);
	struct axt_expr *y[RESULTS];
	int n = axt_calc(g, cmd_word(g, 0), cmd_operand_names(g), cmd_all_in(g), cmd_nin(g), y,
	    RESULTS);

	return n > 0 ? cmd_end_n(g, y, n) : cmd_finish(g, 0);
}
