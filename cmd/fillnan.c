#include "cmd.h"

static const struct cmd fillnan = {
	.name = "axt-fillnan",
	.line = "replace missing values: A, and B where A is NaN",
	.in = { "A", "B" },
	.flags = CMD_TENSOR,
};

/* axt-fillnan: y = isnan(a) ? b : a. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a, *b;

	if (axt_is_number(cmd_operand(g, 0)) && !axt_is_number(cmd_operand(g, 1)))
		cmd_usage(cmd_guess_order((int[]){ 1, 0 }, 2),
		    "the tensor to fill is operand A, the first one");
	a = cmd_wide(g, cmd_in(g, 0));
	b = cmd_wide(g, cmd_in(g, 1));
	cmd_result(g, axt_fillnan(g, a, b));
}

CMD_MAIN(fillnan)
