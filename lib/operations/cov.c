/* cov.c - the covariance and the correlation of two tensors, over pairs of which none is NaN. */
#include <math.h>

#include "axt_builds.h"
#include "axt_operation.h"

struct cov {
	const char *to, *over;
	bool skip_nan, keep_nan;
	double ddof;
	struct axt_expr *weights;
	enum axt_dtype dtype;
};

#define AXES                                                                                      \
	AXT_AXES_OF(struct cov, to, "axes to keep, in the result's order ('': none)"),            \
	    AXT_AXES_OF(struct cov, over, "axes to reduce over (default: all)"),                  \
	    AXT_FLAG_OF(struct cov, skip_nan, "leave pairs with NaN out", .excludes = "keep_nan", \
		.opposite = "keep_nan", .was = "skipnan"),                                        \
	    AXT_FLAG_OF(struct cov, keep_nan,                                                     \
		"NaN is a value, also where a tensor declares missing values")
#define WEIGHTS                                                                           \
	AXT_TENSOR_OF(struct cov, weights, "weights, broadcast by name", .arg = "W|area", \
	    .flags = AXT_PARAM_AREA),                                                     \
	    AXT_DTYPE_OF(struct cov, dtype, "the dtype of the result, and of sums that make it")

static const struct axt_param params[] = {
	AXES,
	AXT_NUMBER_OF(struct cov, ddof, INT64_MIN,
	    "divide by count - N (default 1; 0 with weights)", .arg = "N", .number = NAN),
	WEIGHTS,
	AXT_PARAMS_END,
};

static const struct axt_param without_ddof[] = { AXES, WEIGHTS, AXT_PARAMS_END };

static struct axt_reduce_opts
opts(const struct cov *o, double ddof)
{
	return (struct axt_reduce_opts){ .to = o->to,
		.over = o->over,
		.nan = o->skip_nan - o->keep_nan,
		.ddof = ddof,
		.weights = o->weights,
		.dtype = o->dtype };
}

static struct axt_expr *
cov(struct axt_graph *g, const struct axt_call *c)
{
	const struct cov *o = AXT_VALUES(struct cov, c);
	struct axt_reduce_opts how = opts(o, isnan(o->ddof) ? !o->weights : o->ddof);

	return axt_cov(g, c->in[0], c->in[1], &how);
}

/* A correlation has no use for ddof. */
static struct axt_expr *
corr(struct axt_graph *g, const struct axt_call *c)
{
	struct axt_reduce_opts how = opts(AXT_VALUES(struct cov, c), 0);

	return axt_corr(g, c->in[0], c->in[1], &how);
}

const struct axt_operation axt_operation_cov = {
	.name = "cov",
	.line = "covariance of two tensors over axes",
	.operands = "X Y",
	.params = params,
	.size = sizeof(struct cov),
	.flags = AXT_OPERATION_COMMUTES | AXT_OPERATION_MEET,
	.build = cov,
};

const struct axt_operation axt_operation_corr = {
	.name = "corr",
	.line = "correlation of two tensors over axes",
	.operands = "X Y",
	.params = without_ddof,
	.size = sizeof(struct cov),
	.flags = AXT_OPERATION_COMMUTES | AXT_OPERATION_MEET,
	.build = corr,
};
