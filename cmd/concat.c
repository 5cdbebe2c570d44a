#include "cmd.h"

static const struct cmd concat = {
	.name = "axt-concat",
	.line = "join tensors end to end along an axis",
	.words = { "AXIS" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_NARY,
};

/* axt-concat: axes in any order; CF times are converted to the first operand's units. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_concat(g, cmd_word(g, 0), cmd_nin(g), cmd_all_in(g)));
}

CMD_MAIN(concat)
