#include "cmd.h"

static const struct cmd transpose = {
	.name = "axt-transpose",
	.line =
	    "exchange rows and columns that are an axis and its dual: M becomes M*, M* becomes M",
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-transpose: changes each level k to 1-k, and moves no values. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_transpose(g, cmd_in(g, 0)));
}

CMD_MAIN(transpose)
