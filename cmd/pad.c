#include "cmd.h"

static const char *value;
static int mode;

static const char *const modes[] = { "constant", "edge", "reflect", "symmetric", "wrap" };

static const struct cmd_opt opts[] = {
	CMD_STR(0, "value", &value, "V", "what to pad with (default 0)"),
	CMD_CHOICE(0, "mode", &mode, "constant|edge|reflect|symmetric|wrap",
	    "the value (default), the outermost element, mirrored at it, with it, from the other end"),
	CMD_END,
};

static const struct cmd pad = {
	.name = "axt-pad",
	.line = "make axes longer at both ends",
	.opts = opts,
	.words = { "AXIS=BEFORE,AFTER" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=BEFORE,AFTER ... [A]",
};

static struct axt_expr *
padded(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	return axt_pad(g, a, spec, modes[mode], value ? axt_number(g, value) : NULL);
}

/* axt-pad: pads one axis after another, so that corners are padded as well. */
static void
build(struct axt_graph *g)
{
	if (value && mode != 0)
		cmd_usage(NULL, "--value goes with --mode constant, not %s", modes[mode]);
	cmd_result(g, cmd_each_spec(g, cmd_in(g, 0), 0, padded));
}

CMD_MAIN(pad)
