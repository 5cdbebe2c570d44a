#include "cmd.h"

static struct {
	const char *along, *points;
	int nan;
	bool detrend;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_OPERAND(0, "points", &o.points, "P", "a tensor to use in place of the coordinates"),
	CMD_FLAG(0, "detrend", &o.detrend, "the values minus those of the line"),
	CMD_SET(0, "skip-nan", &o.nan, 1, "leave NaN out"),
	CMD_SET(0, "keep-nan", &o.nan, -1,
	    "NaN is a value, also where the tensor declares missing values"),
	CMD_END,
};

static const struct cmd trend = {
	.name = "axt-trend",
	.line = "linear trends: slope and intercept along an axis",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-trend: two results, the slope and the intercept, or with --detrend what the line leaves. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a, *r[3];

	cmd_need_along(o.along);
	a = cmd_in(g, 0);
	if (axt_trend(g, a, o.points ? cmd_open(g, o.points, false) : NULL, o.along, o.nan, r))
		return;
	if (o.detrend) {
		cmd_result(g, r[2]);
		return;
	}
	cmd_result(g, axt_set_name(g, r[0], "slope"));
	cmd_result(g, axt_set_name(g, r[1], "intercept"));
}

CMD_MAIN(trend)
