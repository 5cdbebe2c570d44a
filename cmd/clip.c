#include "cmd.h"

static const struct cmd clip = {
	.name = "axt-clip",
	.line = "limit every element to the range LO to HI",
	.in = { "LO", "HI", "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-clip: y = min(max(a, lo), hi). */
static void
build(struct axt_graph *g)
{
	if (axt_is_number(cmd_operand(g, 2)) && axt_is_number(cmd_operand(g, 1)) &&
	    !axt_is_number(cmd_operand(g, 0)))
		cmd_usage(cmd_guess_order((int[]){ 1, 2, 0 }, 3),
		    "the tensor to limit is operand A, the last one");
	struct axt_expr *lo = cmd_wide(g, cmd_in(g, 0));
	struct axt_expr *hi = cmd_wide(g, cmd_in(g, 1));
	struct axt_expr *a = cmd_wide(g, cmd_in(g, 2));

	cmd_result(g, axt_clip(g, a, lo, hi));
}

CMD_MAIN(clip)
