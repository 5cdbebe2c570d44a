#include "cmd.h"

static const struct cmd onehot = {
	.name = "axt-onehot",
	.line = "one-hot encoding of integers along a new axis",
	.words = { "AXIS=LEN" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-onehot: y[..., c] = a[...] == c. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_onehot(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(onehot)
