/* corr.c - axt-corr and, with COVARIANCE, axt-cov. */
#include <math.h>

#include "cmd.h"

#ifdef COVARIANCE
#define NAME "axt-cov"
#define LINE "covariance of two tensors over axes"
#define STATISTIC axt_cov
#else
#define NAME "axt-corr"
#define LINE "correlation of two tensors over axes"
#define STATISTIC axt_corr
#endif

static struct {
	const char *to, *over, *weights;
	int nan;
	double ddof;
} o = { .ddof = NAN };

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "AXES", "axes to keep, in the result's order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "axes to reduce over (default: all)"),
	CMD_SET(0, "skip-nan", &o.nan, 1, "leave pairs with NaN out"),
	CMD_SET(0, "keep-nan", &o.nan, -1,
	    "NaN is a value, also where a tensor declares missing values"),
#ifdef COVARIANCE
	CMD_NUM(0, "ddof", &o.ddof, "N", "divide by count - N (default 1; 0 with weights)",
	    .lo = INT64_MIN),
#endif
	CMD_OPERAND(0, "weights", &o.weights, "W|area", "weights, broadcast by name"),
	CMD_END,
};

static const struct cmd corr = {
	.name = NAME,
	.line = LINE,
	.opts = opts,
	.in = { "X", "Y" },
	.flags = CMD_TENSOR | CMD_COMMUTES | CMD_OWN_DTYPE | CMD_MEET,
};

/* The statistic over the pairs of which none is NaN. A correlation has no use for ddof. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *const *in = cmd_all_in(g);

	cmd_result(g,
	    STATISTIC(g, in[0], in[1],
		&(struct axt_reduce_opts){ .to = o.to,
		    .over = o.over,
		    .nan = o.nan,
		    .weights = cmd_weights(g, in[0], o.weights),
		    .ddof = isnan(o.ddof) ? !o.weights : o.ddof,
		    .dtype = cmd_dtype(g) }));
}

#ifndef COVARIANCE
CMD_MAIN(corr)
#endif
