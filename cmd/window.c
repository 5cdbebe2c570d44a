#include "cmd.h"

static int label;

static const struct cmd_opt opts[] = {
	CMD_CHOICE(0, "label", &label, "middle|first|last",
	    "the element that gives a window its coordinates (default middle)"),
	CMD_END,
};

static const struct cmd window = {
	.name = "axt-window",
	.line = "sliding windows as a new last axis",
	.opts = opts,
	.words = { "AXIS=NAME:LEN[:STEP]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=NAME:LEN[:STEP] ... [A]",
};

static struct axt_expr *
windows(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	return axt_window(g, a, spec, (enum axt_window_label)label);
}

/*
 * axt-window: adds an axis of windows that slide along another axis. A running mean is axt-window
 * time=w:12 | axt-reduce mean --over w.
 */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_each_spec(g, cmd_in(g, 0), 0, windows));
}

CMD_MAIN(window)
