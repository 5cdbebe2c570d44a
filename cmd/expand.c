#include "cmd.h"

static int64_t at;

static const struct cmd_opt opts[] = {
	CMD_INT(0, "at", &at, -32, 32, "POS",
	    "the position of the first of them, from the end when negative (default 0)"),
	CMD_END,
};

static const struct cmd expand = {
	.name = "axt-expand",
	.line = "add axes",
	.opts = opts,
	.words = { "AXIS[=LEN],..." },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-expand: adds axes of length 1, or axes along which elements are repeated. */
static void
build(struct axt_graph *g)
{
	if (axt_is_number(cmd_word(g, 0)))
		cmd_usage(cmd_guess_position(), "\"%s\" is a position, and the new axis has a name",
		    cmd_name(cmd_word(g, 0)));
	cmd_result(g, axt_expand(g, cmd_in(g, 0), cmd_word(g, 0), (int)at));
}

CMD_MAIN(expand)
