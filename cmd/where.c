#include "cmd.h"

static const struct cmd where = {
	.name = "axt-where",
	.line = "A where COND is true, else B",
	.in = { "COND", "A", "B" },
	.flags = CMD_TENSOR | CMD_MEET,
};

/* axt-where: y = cond ? a : b. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *const *in = cmd_all_in(g);

	cmd_result(g, axt_where(g, in[0], cmd_wide(g, in[1]), cmd_wide(g, in[2])));
}

CMD_MAIN(where)
