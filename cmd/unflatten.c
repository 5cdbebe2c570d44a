#include "cmd.h"

static const struct cmd unflatten = {
	.name = "axt-unflatten",
	.line = "make several axes of one",
	.words = { "NAME[=A:LEN,...]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-unflatten: splits an axis into the parts named, or those it was flattened from. */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&unflatten, argc, argv);

	return cmd_end(g, axt_unflatten(g, cmd_in(g, 0), cmd_word(g, 0)));
}
