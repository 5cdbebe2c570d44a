#include "cmd.h"

static const char *like;

static const struct cmd_opt opts[] = {
	CMD_OPERAND(0, "like", &like, "B", "the order of the axes of B, which has the same ones",
	    .instead = true),
	CMD_END,
};

static const struct cmd order = {
	.name = "axt-order",
	.line = "put the axes in another order",
	.opts = opts,
	.words = { "AXES" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-order: puts the axes in the given order; "..." stands for those that are not named. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a = cmd_in(g, 0);

	cmd_result(g,
	    like ? axt_order_like(g, a, cmd_open(g, like, false))
		 : axt_order(g, a, cmd_word(g, 0)));
}

CMD_MAIN(order)
