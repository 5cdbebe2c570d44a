#include "cmd.h"

static const char *like;

static const struct cmd_opt opts[] = {
	CMD_OPERAND(0, "like", &like, "B", "the axes of B, and then those that only A has",
	    .instead = true),
	CMD_END,
};

static const struct cmd broadcast = {
	.name = "axt-broadcast",
	.line = "repeat a tensor along more axes",
	.opts = opts,
	.words = { "AXES" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/*
 * axt-broadcast: the operand names all axes of the result in order: those of the tensor, and new
 * ones with lengths (D=4,B,C).
 */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a = cmd_in(g, 0);

	cmd_result(g,
	    like ? axt_broadcast_like(g, a, cmd_open(g, like, false))
		 : axt_broadcast(g, a, cmd_word(g, 0)));
}

CMD_MAIN(broadcast)
