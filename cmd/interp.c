#include "cmd.h"

static struct {
	const char *points;
	int method;
	bool extrapolate;
} o;

enum { LINEAR, NEAREST, CONSERVATIVE };

static const struct cmd_opt opts[] = {
	CMD_CHOICE(0, "method", &o.method, "linear|nearest|conservative",
	    "on a line between two points (default), the nearest one, or means over cells"),
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
	struct axt_interp_opts how = { .nearest = o.method == NEAREST,
		.extrapolate = o.extrapolate };
	struct axt_open_opts open = cmd_open_opts(g);
	struct axt_expr *y = cmd_in(g, 0);

	if (o.points && cmd_nspecs(g) > 0)
		cmd_usage(NULL, "--points is for one axis");
	how.open = &open;
	if (o.method == CONSERVATIVE) {
		const char *spec[AXT_MAX_RANK] = { cmd_word(g, 0) };
		int n = 1;

		if (o.points || o.extrapolate)
			cmd_usage(NULL, "--method conservative takes no --%s",
			    o.points ? "points" : "extrapolate");
		while (n <= cmd_nspecs(g) && n < AXT_MAX_RANK) {
			spec[n] = cmd_spec(g, n - 1);
			n++;
		}
		cmd_result(g, axt_regrid(g, y, n, spec, NULL, &open));
		return;
	}
	if (o.points)
		how.points = cmd_open(g, o.points, false);
	y = axt_interp(g, y, cmd_word(g, 0), &how);
	for (int i = 0; i < cmd_nspecs(g); i++)
		y = axt_interp(g, y, cmd_spec(g, i), &how);
	cmd_result(g, y);
}

CMD_MAIN(interp)
