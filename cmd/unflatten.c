#include "cmd.h"

static const struct cmd unflatten = {
	.name = "axt-unflatten",
	.line = "make several axes of one",
	.words = { "NAME[=A:LEN,...]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-unflatten: splits an axis into the parts named, or those it was flattened from. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_unflatten(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(unflatten)
