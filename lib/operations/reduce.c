/* reduce.c - the rows of reds.def: one number of many elements, by axes, labels or periods. */
#include <math.h>

#include "expr/expr.h"
#include "axt_operation.h"

struct reduce {
	const char *to, *over, *every;
	bool skip_nan, keep_nan, drop_others;
	double ddof, q;
	int method;
	struct axt_expr *weights, *by;
	struct axt_label_list labels;
	int64_t min_count;
	enum axt_dtype dtype;
};

#define Q(flags_)                                                                          \
	AXT_NUMBER_OF(struct reduce, q, 0, "which quantile, from 0 to 1, as quantile:0.9", \
	    .arg = "Q", .such = "0.9", .hi = 1, .number = NAN, .flags = (flags_))
/* In the order of enum axt_quantile. */
#define METHOD                                                                             \
	AXT_CHOICE_OF(struct reduce, method,                                               \
	    "linear|lower|higher|nearest|midpoint|inverted_cdf|averaged_inverted_cdf|"     \
	    "closest_observation|interpolated_inverted_cdf|hazen|weibull|median_unbiased|" \
	    "normal_unbiased",                                                             \
	    "where a quantile lies between two values, as in NumPy", .arg = "METHOD")
#define DDOF \
	AXT_NUMBER_OF(struct reduce, ddof, INT64_MIN, "var and std divide by count - N", .arg = "N")
#define WEIGHTS                                                                                   \
	AXT_TENSOR_OF(struct reduce, weights,                                                     \
	    "weights, broadcast by name (sum mean var std rms median quantile)", .arg = "W|area", \
	    .flags = AXT_PARAM_AREA)
#define MIN_COUNT                                              \
	AXT_INTEGER_OF(struct reduce, min_count, 1, INT64_MAX, \
	    "results of fewer than N values are missing (default: as the operation has it)")
#define COMMON                                                                                     \
	AXT_AXES_OF(struct reduce, to, "axes to keep, in the result's order ('': none)"),          \
	    AXT_AXES_OF(struct reduce, over, "axes to reduce over (default: all)"),                \
	    AXT_FLAG_OF(struct reduce, skip_nan, "leave NaN out", .excludes = "keep_nan",          \
		.opposite = "keep_nan", .was = "skipnan"),                                         \
	    AXT_FLAG_OF(struct reduce, keep_nan,                                                   \
		"NaN is a value, also where the tensor declares missing values",                   \
		.excludes = "skip_nan"),                                                           \
	    AXT_TENSOR_OF(struct reduce, by,                                                       \
		"reduce each group of equal labels separately: time.month, "                       \
		"time.year,time.season",                                                           \
		.arg = "LABELS", .flags = AXT_PARAM_GROUPS),                                       \
	    AXT_LABELS_OF(struct reduce, labels, "with --by: exactly these labels, in this order", \
		.needs = "by"),                                                                    \
	    AXT_FLAG_OF(struct reduce, drop_others,                                                \
		"with --labels: leave out elements with other labels (default: an error)",         \
		.needs = "labels", .was = "dropothers"),                                           \
	    AXT_TEXT_OF(struct reduce, every,                                                      \
		"reduce each month, season, year, day, hour or '5 days' separately",               \
		.arg = "PERIOD"),                                                                  \
	    AXT_DTYPE_OF(struct reduce, dtype, "dtype of the result"), AXT_PARAMS_END

/* What the operations take, as rows of reds.def say. */
static const struct axt_param plain[] = { COMMON }, valued[] = { MIN_COUNT, COMMON },
			      weighted[] = { WEIGHTS, MIN_COUNT, COMMON },
			      spread[] = { DDOF, WEIGHTS, MIN_COUNT, COMMON },
			      quantile[] = { Q(AXT_PARAM_REQUIRED), METHOD, WEIGHTS, MIN_COUNT,
				      COMMON },
			      every_param[] = { Q(0), METHOD, DDOF, WEIGHTS, MIN_COUNT, COMMON };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct reduce *o = AXT_VALUES(struct reduce, c);
	const enum axt_red op = (enum axt_red)c->op->kind;
	struct axt_reduce_opts how = { .to = o->to,
		.over = o->over,
		.nan = o->skip_nan ? 1
		    : o->keep_nan  ? -1
				   : 0,
		.by = o->by,
		.labels = o->labels.list,
		.among = o->labels.e,
		.drop_others = o->drop_others,
		.every = o->every };
	/* bool has no missing values, and whoever counts them is told of sums */
	struct axt_expr *a = c->in[0]->dtype == AXT_BOOL
	    ? axt_cast_dtype(g, c->in[0], AXT_U8, AXT_OVERFLOW_ERROR)
	    : c->in[0];
	struct axt_expr *count = o->min_count ? axt_reduce(g, AXT_RED_COUNT, a, &how) : NULL;
	char least[24];

	if (count && o->dtype != AXT_DTYPE_AUTO && axt_dtypes[o->dtype].cls < AXT_CLASS_FLOAT)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "min_count gives missing values, which %s does not have",
		    axt_dtypes[o->dtype].name);
	how.dtype = o->dtype;
	how.weights = o->weights;
	how.ddof = axt_reds[op].ddof ? o->ddof : 0;
	how.q = op == AXT_RED_QUANTILE ? o->q : 0;
	how.method = op == AXT_RED_QUANTILE ? (enum axt_quantile)o->method : AXT_LINEAR;
	if (!count)
		return axt_reduce(g, op, c->in[0], &how);
	snprintf(least, sizeof(least), "%lld", (long long)o->min_count);
	return axt_where(g, axt_map2(g, AXT_OP_GE, count, axt_number(g, least)),
	    axt_reduce(g, op, c->in[0], &how), axt_number(g, "nan"));
}

/* Whether the result has a value for what is missing. */
#define IS_VALUED(result) (RESULT_##result != RESULT_COUNT && RESULT_##result != RESULT_TRUTH)
enum { RESULT_SUM, RESULT_FLOAT, RESULT_SAME, RESULT_SPAN, RESULT_COUNT, RESULT_TRUTH };

#define IS(id, other) (AXT_RED_##id == AXT_RED_##other)
/* The parameters of a row. */
#define TAKES(q, ddof, weights, values) \
	((q) ? quantile : (ddof) ? spread : (weights) ? weighted : (values) ? valued : plain)

const struct axt_operation axt_operations_reduce[] = {
#define RED(id, name_, result, cf, quantity, difference, weighted_, ddof_, empty_ok, line_) \
	[AXT_RED_##id] = { .name = (name_),                                                 \
		.line = (line_),                                                            \
		.operands = "A",                                                            \
		.params = TAKES(IS(id, QUANTILE), ddof_, (weighted_) || IS(id, MEDIAN),     \
		    IS_VALUED(result)),                                                     \
		.size = sizeof(struct reduce),                                              \
		.flags = AXT_OPERATION_STDIN,                                               \
		.kind = AXT_RED_##id,                                                       \
		.colon = AXT_RED_##id == AXT_RED_QUANTILE ? "q" : NULL,                     \
		.build = build },
#include "reds.def"
#undef RED
	{ .name = NULL },
};

const struct axt_chooser axt_chooser_reduce = {
	.all = { .name = "reduce",
	    .line = "sums, means, extremes, quantiles along axes",
	    .operands = "A",
	    .params = every_param,
	    .size = sizeof(struct reduce),
	    .flags = AXT_OPERATION_STDIN },
	.word = "OP[,OP...]",
	.noun = "operation",
	.table = axt_operations_reduce,
	.list = true,
};
