#include "cmd.h"

static const char *over;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "over", &over, "AXES", "these axes, whose length must be 1 (default: all such)"),
	CMD_END,
};

static const struct cmd squeeze = {
	.name = "axt-squeeze",
	.line = "drop axes of length 1",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-squeeze: drops axes of length 1. Their coordinates stay, as datasets of rank 0. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_squeeze(g, cmd_in(g, 0), over));
}

CMD_MAIN(squeeze)
