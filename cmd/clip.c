#include <stdlib.h>

#include "cmd.h"

static const struct cmd clip = {
	.name = "axt-clip",
	.line = "limit every element to the range LO to HI",
	.in = { "LO", "HI", "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_MEET,
};

/* axt-clip: y = min(max(a, lo), hi). */
static void
build(struct axt_graph *g)
{
	const char *lo = cmd_operand(g, 0), *hi = cmd_operand(g, 1);
	bool numbers = axt_is_number(lo) && axt_is_number(hi);
	struct axt_expr *const *in;

	if (axt_is_number(cmd_operand(g, 2)) && !numbers)
		cmd_usage(
		    cmd_guess_order(axt_is_number(hi) ? (int[]){ 1, 2, 0 } : (int[]){ 0, 2, 1 }, 3),
		    "the tensor to limit is operand A, the last one");
	if (numbers && strtod(lo, NULL) > strtod(hi, NULL))
		cmd_usage(cmd_guess_order((int[]){ 1, 0, 2 }, 3),
		    "LO, which is %s, is greater than HI, which is %s", lo, hi);
	in = cmd_all_wide(g);
	cmd_result(g, axt_clip(g, in[2], in[0], in[1]));
}

CMD_MAIN(clip)
