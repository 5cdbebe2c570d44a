#include "cmd.h"

static const struct cmd order = {
	.name = "axt-order",
	.line = "put the axes in another order",
	.words = { "AXES" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-order: puts the axes in the given order; "..." stands for those that are not named. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_order(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(order)
