#include "cmd.h"

static const struct cmd broadcast = {
	.name = "axt-broadcast",
	.line = "repeat a tensor along more axes",
	.words = { "AXES" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/*
 * axt-broadcast: the operand names all axes of the result in order: those of the tensor, and new
 * ones with lengths (D=4,B,C).
 */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_broadcast(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(broadcast)
