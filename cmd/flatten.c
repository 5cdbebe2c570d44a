#include "cmd.h"

static const struct cmd flatten = {
	.name = "axt-flatten",
	.line = "combine several axes into one",
	.words = { "AXIS,AXIS,...[=NAME]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/*
 * axt-flatten: makes one axis of several, in row-major order. The new axis keeps their names and
 * lengths.
 */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_flatten(g, cmd_in(g, 0), cmd_word(g, 0)));
}

CMD_MAIN(flatten)
