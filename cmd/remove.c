#include <stdlib.h>

#include "cmd.h"

static bool force, in_place;

static const struct cmd_opt opts[] = {
	CMD_FLAG('f', "force", &force, "remove datasets that are used in the file, too"),
	CMD_FLAG(0, "in-place", &in_place, "change the file itself, not a copy that replaces it"),
	CMD_END,
};

static const struct cmd rm = {
	.name = "axt-remove",
	.line = "remove datasets or groups from files",
	.opts = opts,
	.operands = "FILE:DATASET ...",
	.flags = CMD_FREE | CMD_CHANGES | CMD_HISTORY,
};

/* axt-remove: what the operands name goes, file after file. */
int
cmd_main_remove(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&rm, argc, argv);
	int i, n = cmd_nin(g);
	const char **word;

	if (n == 0)
		cmd_usage(cmd_help_hint(), "operand FILE:DATASET is missing");
	word = calloc((size_t)n, sizeof(*word));
	for (i = 0; word && i < n; i++)
		word[i] = cmd_operand(g, i);
	if (!word)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_remove(g, word, n, force, in_place, cmd_history(g));
	free(word);
	return cmd_finish(g, 0);
}
