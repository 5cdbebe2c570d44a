#include "cmd.h"

static const struct cmd save = {
	.name = "axt-save",
	.line = "save an expression instead of its values",
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_EXPRESSION,
};

/* axt-save: saves the expression that its operand is, instead of its values. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_in(g, 0));
}

CMD_MAIN(save)
