#include "cmd.h"

static bool in_place;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "in-place", &in_place, "change the file itself, not a copy that replaces it"),
	CMD_END,
};

static const struct cmd assign = {
	.name = "axt-assign",
	.line = "change values of a tensor in a file: OP is = += -= *= /= or set add sub mul div",
	.opts = opts,
	.words = { "TARGET[[AXIS=SPEC,...]]", "OP" },
	.in = { "A" },
	.flags = CMD_READS | CMD_RUNS | CMD_STDIN | CMD_CHANGES,
};

/*
 * axt-assign: TARGET = A, or TARGET op= A. If TARGET occurs in A, its values before the assignment
 * are meant.
 */
int
cmd_main_assign(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&assign, argc, argv);
	struct axt_assignment to;

	cmd_progress_begin(g);
	to = (struct axt_assignment){ cmd_word(g, 0), cmd_word(g, 1), cmd_in(g, 0) };
	axt_assign_all(g, &to, 1,
	    &(struct axt_assign_opts){ .dataset = cmd_default_dataset(g),
		.raw = cmd_is_raw(g),
		.in_place = in_place });
	cmd_progress_end();
	return cmd_finish(g, 0);
}
