#include "cmd.h"

static const struct cmd save = {
	.name = "axt-save",
	.line = "keep an expression, instead of its values, in a file",
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-save: writes what comes by the pipe, or an expression that the options build, to a file. */
static void
build(struct axt_graph *g)
{
	cmd_expression();
	cmd_result(g, cmd_in(g, 0));
}

CMD_MAIN(save)
