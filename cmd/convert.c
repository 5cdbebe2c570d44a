#include "cmd.h"

static struct {
	const char *to, *coord;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "UNITS",
	    "the units of the result, such as degC or 'm s-1' (required)"),
	CMD_STR(0, "coord", &o.coord, "NAME", "convert the coordinates of an axis instead"),
	CMD_END,
};

static const struct cmd convert = {
	.name = "axt-convert",
	.line = "convert values to other units",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-convert: the same quantity in other units, which UDUNITS knows. */
static void
build(struct axt_graph *g)
{
	if (!o.to)
		cmd_usage(cmd_guess_line("--to degC"), "needs --to UNITS");
	cmd_result(g, axt_convert(g, cmd_in(g, 0), o.to, o.coord));
}

CMD_MAIN(convert)
