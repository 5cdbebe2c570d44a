#include <string.h>

#include "cmd.h"

static struct {
	const char *along;
	int64_t order;
} o = { .order = 1 };

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_INT(0, "order", &o.order, 1, INT32_MAX, "N", "take differences N times (default 1)"),
	CMD_END,
};

static const struct cmd diff = {
	.name = "axt-diff",
	.line = "differences of neighbours along an axis",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_FREE,
};

/* axt-diff: subtracts from each element the one before it. (Files are compared by axt-equal.) */
static void
build(struct axt_graph *g)
{
	const char *guess = cmd_nin(g) == 2 ? cmd_guess_too_many() : NULL;

	if (cmd_nin(g) != 1)
		cmd_usage(guess && strstr(guess, " --along ") && !strstr(guess, " | ")
			? guess
			: "axt-sub A B subtracts; axt-equal compares files",
		    "takes one tensor, not %d", cmd_nin(g));
	cmd_need_along(o.along);
	cmd_result(g, axt_diff(g, cmd_in(g, 0), (int)o.order, o.along));
}

CMD_MAIN(diff)
