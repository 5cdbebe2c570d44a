#include "cmd.h"

static const struct cmd flip = {
	.name = "axt-flip",
	.line = "reverse axes",
	.words = { "AXES" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-flip: reverses the axes that are named. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_listed(g, cmd_in(g, 0), cmd_word(g, 0), axt_flip));
}

CMD_MAIN(flip)
