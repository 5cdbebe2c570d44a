#include "cmd.h"

static bool nearest;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "nearest", &nearest, "take the nearest coordinate where a value is not there"),
	CMD_END,
};

static const struct cmd slice = {
	.name = "axt-slice",
	.line = "part of a tensor, by position or coordinate",
	.opts = opts,
	.words = { "AXIS=SPEC|AXIS@SPEC" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=SPEC|AXIS@SPEC ... [A]",
};

/* axt-slice: applies one spec after another. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *y = axt_slice(g, cmd_in(g, 0), cmd_word(g, 0), nearest);
	int i;

	for (i = 0; i < cmd_nspecs(g); i++)
		y = axt_slice(g, y, cmd_spec(g, i), nearest);
	cmd_result(g, y);
}

CMD_MAIN(slice)
