#include <string.h>

#include "cmd.h"

static const struct cmd kind = {
	.name = "axt-kind",
	.line = "mark a tensor as constant, placeholder, persistent or variable",
	.words = { "KIND" },
	.operands = "KIND FILE[:DATASET] ...",
	.flags = CMD_FREE | CMD_CHANGES,
	.choice = axt_kind_row,
};

/* axt-kind: shows or sets the kind of each tensor that is named, in its file. */
int
cmd_main_kind(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&kind, argc, argv);
	const char *name, *line;
	int i, n = cmd_nin(g);

	for (i = 0; axt_kind_row(i, &name, &line); i++)
		if (strcmp(name, cmd_word(g, 0)) == 0)
			break;
	if (!axt_kind_row(i, &name, &line))
		cmd_unknown("kind", cmd_word(g, 0));
	if (n == 0)
		cmd_usage(cmd_help_hint(), "operand FILE is missing");
	for (i = 0; i < n; i++)
		if (axt_set_kind(g, name, cmd_operand(g, i)) != AXT_OK)
			break;
	return cmd_finish(g, 0);
}
