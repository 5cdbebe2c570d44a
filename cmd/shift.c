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

static struct axt_expr *
shifted(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	return axt_shift(g, a, spec, fixed);
}

/* axt-shift: element i moves to i + N. Its coordinate moves with it, unless --fixed is given. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_each_spec(g, cmd_in(g, 0), 0, shifted));
}

CMD_MAIN(shift)
