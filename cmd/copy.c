#include "cmd.h"

static const struct cmd copy = {
	.name = "axt-copy",
	.line = "copy tensors, groups or whole files into one file",
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_NARY | CMD_LISTS | CMD_OWN_DTYPE | CMD_MOVES,
};

/* axt-copy: values, packing, chunks and filters stay, unless options ask for others. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *const *in;

	for (int i = 0; i < cmd_nin(g); i++)
		if (axt_is_number(cmd_operand(g, i))) {
			cmd_about(AXT_TOO_MANY, cmd_operand(g, i), NULL);
			cmd_usage(NULL, "%s is a number, and axt-copy copies tensors of files",
			    cmd_name(cmd_operand(g, i)));
		}
	in = cmd_all_cast(g);
	for (int i = 0; i < cmd_nin(g); i++)
		cmd_result(g, in[i]);
}

CMD_MAIN(copy)
