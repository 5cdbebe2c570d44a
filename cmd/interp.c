#include "cmd.h"

static struct {
	const char *points;
	int method;
	bool extrapolate;
} o;

static const struct cmd_opt opts[] = {
	CMD_CHOICE(0, "method", &o.method, "linear|nearest",
	    "on a line between two points, or the nearest one (default linear)"),
	CMD_FLAG(0, "extrapolate", &o.extrapolate, "go on beyond the ends (default: missing)"),
	CMD_STR(0, "points", &o.points, "FIELD",
	    "a tensor that tells where each element lies along AXIS"),
	CMD_END,
};

static const struct cmd interp = {
	.name = "axt-interp",
	.line = "interpolate to other coordinates along axes",
	.opts = opts,
	.words = { "AXIS=TARGETS" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=TARGETS ... [A]",
};

/* axt-interp: interpolates along one axis after another. */
static void
build(struct axt_graph *g)
{
	struct axt_interp_opts how = { .nearest = o.method == 1, .extrapolate = o.extrapolate };
	struct axt_open_opts open = cmd_open_opts(g);
	struct axt_expr *y = cmd_in(g, 0);

	if (o.points && cmd_nspecs(g) > 0)
		cmd_usage(NULL, "--points is for one axis");
	how.open = &open;
	if (o.points)
		how.points = cmd_open(g, o.points, false);
	y = axt_interp(g, y, cmd_word(g, 0), &how);
	for (int i = 0; i < cmd_nspecs(g); i++)
		y = axt_interp(g, y, cmd_spec(g, i), &how);
	cmd_result(g, y);
}

CMD_MAIN(interp)
