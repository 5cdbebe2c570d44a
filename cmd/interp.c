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

static struct axt_expr *
along(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_open_opts open = cmd_open_opts(g);
	struct axt_interp_opts how = { .nearest = o.method == NEAREST,
		.extrapolate = o.extrapolate,
		.open = &open,
		.points = o.points ? cmd_open(g, o.points, false) : NULL };

	return axt_interp(g, a, spec, &how);
}

static struct axt_expr *
over_cells(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_open_opts open = cmd_open_opts(g);

	return axt_regrid(g, a, 1, &spec, NULL, &open);
}

/* Means over the cells of another grid, along all axes at once. */
static struct axt_expr *
regridded(struct axt_graph *g, struct axt_expr *a)
{
	const char *spec[AXT_MAX_RANK] = { cmd_word(g, 0) };
	struct axt_open_opts open = cmd_open_opts(g);
	struct axt_expr *y;
	int n = 1;

	if (o.points || o.extrapolate)
		cmd_usage(NULL, "--method conservative takes no --%s",
		    o.points ? "points" : "extrapolate");
	for (; n <= cmd_nspecs(g) && n < AXT_MAX_RANK; n++)
		spec[n] = cmd_spec(g, n - 1);
	cmd_once(spec, n);
	y = axt_regrid(g, a, n, spec, NULL, &open);
	if (n > 1 && cmd_skips(g, -1))
		y = axt_regrid(g, a, cmd_keep(g, a, spec, n, over_cells), spec, NULL, &open);
	return y;
}

/* axt-interp: interpolates along one axis after another. */
static void
build(struct axt_graph *g)
{
	if (o.points && cmd_nspecs(g) > 0)
		cmd_usage(NULL, "--points is for one axis");
	cmd_result(g,
	    o.method == CONSERVATIVE ? regridded(g, cmd_in(g, 0))
				     : cmd_each_spec(g, cmd_in(g, 0), 0, along));
}

CMD_MAIN(interp)
