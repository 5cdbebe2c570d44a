#include "cmd.h"

static const struct cmd fillnan = {
	.name = "axt-fillnan",
	.line = "A, and B where A is NaN",
	.in = { "A", "B" },
	.flags = CMD_TENSOR,
};

/* axt-fillnan: y = isnan(a) ? b : a. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a = cmd_wide(g, cmd_in(g, 0));
	struct axt_expr *b = cmd_wide(g, cmd_in(g, 1));

	cmd_result(g, axt_fillnan(g, a, b));
}

CMD_MAIN(fillnan)
