#include "cmd.h"

static int64_t at;

static const struct cmd_opt opts[] = {
	CMD_INT(0, "at", &at, -32, 32, "POS",
	    "position of the new axis, from the end when negative (default 0)"),
	CMD_END,
};

static const struct cmd stack = {
	.name = "axt-stack",
	.line = "join tensors along a new axis",
	.opts = opts,
	.words = { "AXIS" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_NARY,
};

/*
 * axt-stack: stacks operands along a new axis. If each has a coordinate of that name, these become
 * its coordinates.
 */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_stack(g, cmd_word(g, 0), cmd_nin(g), cmd_all_in(g), (int)at));
}

CMD_MAIN(stack)
