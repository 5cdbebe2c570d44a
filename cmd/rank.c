#include "cmd.h"

static struct {
	const char *along;
	int method;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_CHOICE(0, "method", &o.method, "average|min|max|dense|ordinal",
	    "what equal values get (default: the average of their ranks)"),
	CMD_END,
};

static const struct cmd rank = {
	.name = "axt-rank",
	.line = "ranks of values along an axis, from 1",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-rank: the place of each value among those along an axis. */
static void
build(struct axt_graph *g)
{
	cmd_need_along(o.along);
	cmd_result(g, axt_rank(g, cmd_in(g, 0), o.along, (enum axt_rank_method)o.method));
}

CMD_MAIN(rank)
