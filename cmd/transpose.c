#include "cmd.h"

static const struct cmd transpose = {
	.name = "axt-transpose",
	.line = "swap the two sides of a matrix: axis M becomes M*, M* becomes M",
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-transpose: levels k become 1-k; no value is moved. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_transpose(g, cmd_in(g, 0)));
}

CMD_MAIN(transpose)
