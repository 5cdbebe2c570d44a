/* trend.c - the nearest straight line along an axis: its slope, its start, what it leaves. */
#include "axt_builds.h"
#include "axt_operation.h"

struct trend {
	const char *along;
	struct axt_expr *points;
	bool detrend, skip_nan, keep_nan;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct trend, along, "the axis"),
	AXT_TENSOR_OF(struct trend, points, "a tensor to use in place of the coordinates",
	    .arg = "P"),
	AXT_FLAG_OF(struct trend, detrend, "the values minus those of the line",
	    .flags = AXT_PARAM_RESULT),
	AXT_FLAG_OF(struct trend, skip_nan, "leave NaN out", .excludes = "keep_nan",
	    .opposite = "keep_nan", .was = "skipnan"),
	AXT_FLAG_OF(struct trend, keep_nan,
	    "NaN is a value, also where the tensor declares missing values"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "slope", NULL, "slope of the nearest straight line", NULL, "slope" },
	{ "intercept", NULL, "its value where points are 0", NULL, "intercept" },
	{ "detrend", NULL, "values without the line", NULL, "detrend" },
	{ .name = NULL },
};

/* What the line leaves keeps the name of the tensor. */
static int
build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const struct trend *o = AXT_VALUES(struct trend, c);

	if (axt_trend(g, c->in[0], o->points, o->along, o->skip_nan - o->keep_nan, out))
		return 1;
	out[0] = axt_set_name(g, out[0], "slope");
	out[1] = axt_set_name(g, out[1], "intercept");
	return 0;
}

const struct axt_operation axt_operation_trend = {
	.name = "trend",
	.line = "linear trends: slope and intercept along an axis",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct trend),
	.flags = AXT_OPERATION_STDIN,
	.results = "slope intercept detrend",
	.build_all = build,
};
