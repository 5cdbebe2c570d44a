/* eof.c - empirical orthogonal functions, and pairs of patterns of two tensors. */
#include "axt_builds.h"
#include "axt_operation.h"

struct eof {
	const char *over, *keep, *mode;
	int64_t modes;
	int rotate;
	struct axt_expr *against, *weights, *against_weights;
	bool standardize, center, no_center;
	double missing, ddof;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct eof, over, "axes of samples, such as time", .flags = AXT_PARAM_REQUIRED),
	AXT_INTEGER_OF(struct eof, modes, 1, INT32_MAX, "how many EOFs (default: 10, or all)"),
	AXT_CHOICE_OF(struct eof, rotate, "none|varimax", "rotate the modes", .arg = "varimax"),
	AXT_TENSOR_OF(struct eof, against, "pairs of patterns of A and B of most covariance",
	    .excludes = "rotate=varimax"),
	AXT_TENSOR_OF(struct eof, weights, "weights of places, such as their areas",
	    .arg = "W|area", .flags = AXT_PARAM_AREA),
	AXT_TENSOR_OF(struct eof, against_weights, "those of places of B (default: --weights)",
	    .arg = "W|area", .flags = AXT_PARAM_AREA, .needs = "against", .of = "against",
	    .as = "weights"),
	AXT_FLAG_OF(struct eof, standardize, "divide by the standard deviation of each place"),
	AXT_FLAG_OF(struct eof, center, "take the mean of each place off (default)",
	    .excludes = "no_center", .opposite = "no_center"),
	AXT_FLAG_OF(struct eof, no_center, "A has anomalies already"),
	AXT_NUMBER_OF(struct eof, missing, 0,
	    "places may miss P % of their samples, which then count as 0", .arg = "P"),
	AXT_NUMBER_OF(struct eof, ddof, 0, "variances are sums divided by samples - N", .arg = "N",
	    .number = 1),
	AXT_AXES_OF(struct eof, keep, "axes with EOFs of their own at each index"),
	AXT_AXES_OF(struct eof, mode, "the new axis of the results", .text = "mode",
	    .flags = AXT_PARAM_ONE | AXT_PARAM_NEW),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "mca", NULL, "maximum covariance analysis of two tensors", "against", NULL },
	{ .name = NULL },
};

static int
build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const struct eof *o = AXT_VALUES(struct eof, c);
	struct axt_eof_opts how = { .over = o->over,
		.keep = o->keep,
		.mode = o->mode,
		.modes = o->modes,
		.weights = o->weights,
		.standardize = o->standardize,
		.no_center = o->no_center,
		.ddof = o->ddof,
		.missing = o->missing,
		.rotate = o->rotate,
		.against_weights = o->against_weights };

	return o->against ? axt_mca(g, c->in[0], o->against, &how, out)
			  : axt_eof(g, c->in[0], &how, out);
}

const struct axt_operation axt_operation_eof = {
	.name = "eof",
	.line = "empirical orthogonal functions, or principal components",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct eof),
	.flags = AXT_OPERATION_STDIN,
	.results = AXT_EOF_NAMES,
	.where = "against",
	.other_results = AXT_MCA_NAMES,
	.build_all = build,
};
