#include "cmd.h"

static const struct cmd where = {
	.name = "axt-where",
	.line = "A where COND is true, else B",
	.in = { "COND", "A", "B" },
	.flags = CMD_TENSOR,
};

/* axt-where: y = cond ? a : b. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *cond = cmd_in(g, 0);
	struct axt_expr *a = cmd_wide(g, cmd_in(g, 1));
	struct axt_expr *b = cmd_wide(g, cmd_in(g, 2));

	cmd_result(g, axt_where(g, cond, a, b));
}

CMD_MAIN(where)
