#include "cmd.h"

static const struct cmd relabel = {
	.name = "axt-rename",
	.line = "rename axes",
	.words = { "OLD=NEW,..." },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-rename: renames axes, all at the same time. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_listed(g, cmd_in(g, 0), cmd_word(g, 0), axt_rename));
}

CMD_MAIN(relabel)
