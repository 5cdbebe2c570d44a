#include "cmd.h"

static const struct cmd unflatten = {
	.name = "axt-unflatten",
	.line = "split one axis into several",
	.words = { "NAME[=A:LEN,...]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-unflatten: splits an axis into the named parts, or into those from which it was flattened. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_unflatten(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(unflatten)
