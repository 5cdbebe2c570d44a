#include "cmd.h"

static bool fixed;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "fixed", &fixed,
	    "do not move the coordinates (default: they move with their values)"),
	CMD_END
};

static const struct cmd shift = {
	.name = "axt-shift",
	.line = "shift elements along axes, cyclically",
	.opts = opts,
	.words = { "AXIS=N" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=N ... [A]",
};

/* axt-shift: element i moves to i + N. Its coordinate moves with it, unless --fixed is given. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *y = axt_shift(g, cmd_in(g, 0), cmd_word(g, 0), fixed);
	int i;

	for (i = 0; i < cmd_nspecs(g); i++)
		y = axt_shift(g, y, cmd_spec(g, i), fixed);
	cmd_result(g, y);
}

CMD_MAIN(shift)
