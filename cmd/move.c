#include "cmd.h"

static bool in_place;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "in-place", &in_place, "change the file itself, not a copy that replaces it"),
	CMD_END,
};

static const struct cmd mv = {
	.name = "axt-move",
	.line = "rename datasets and axes in a file",
	.opts = opts,
	.words = { "OLD=NEW,..." },
	.operands = "OLD=NEW,... FILE",
	.flags = CMD_FREE | CMD_CHANGES | CMD_HISTORY,
};

/* axt-move: renames in the file, all at the same time. */
int
cmd_main_move(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&mv, argc, argv);

	if (cmd_nin(g) > 1)
		cmd_about(AXT_TOO_MANY, cmd_operand(g, 0), NULL);
	if (cmd_nin(g) != 1)
		cmd_usage(cmd_help_hint(),
		    cmd_nin(g) == 0 ? "operand FILE is missing" : "one FILE at a time");
	axt_move(g, cmd_word(g, 0), cmd_operand(g, 0), in_place, cmd_history(g));
	return cmd_finish(g, 0);
}
