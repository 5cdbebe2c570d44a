/* hist.c - how many elements are in each bin, of one tensor or of two at once. */
#include <stdlib.h>

#include "expr/expr.h"
#include "axt_operation.h"

struct hist {
	const char *bins, *range, *to, *over;
	struct axt_expr *weights;
	bool density;
};

static const struct axt_param params[] = {
	AXT_NUMBERS_OF(struct hist, bins,
	    "how many bins of equal width, of B too unless M is given", .arg = "N[,M]",
	    .such = "10", .lo = 1, .hi = 2, .flags = AXT_PARAM_REQUIRED),
	AXT_NUMBERS_OF(struct hist, range,
	    "from where to where (default: least to greatest finite value)",
	    .arg = "LO,HI[,LO,HI]"),
	AXT_AXES_OF(struct hist, to, "axes to keep, in the result's order ('': none)"),
	AXT_AXES_OF(struct hist, over, "axes to count over (default: all)"),
	AXT_TENSOR_OF(struct hist, weights, "what elements count, broadcast by name",
	    .arg = "W|area", .flags = AXT_PARAM_AREA),
	AXT_FLAG_OF(struct hist, density, "divide by the sum over the bins and by their widths"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct hist *o = AXT_VALUES(struct hist, c);
	struct axt_hist_opts how = { .to = o->to,
		.over = o->over,
		.range = o->range,
		.weights = o->weights,
		.density = o->density,
		/* results of one file share no axis of bins, unless the range is given */
		.named = c->several && !o->range && !(o->to && strstr(o->to, "bin")) };

	char *end;

	how.bins = strtoll(o->bins, &end, 10);
	how.bins2 = *end ? strtoll(end + 1, NULL, 10) : 0;
	if (how.bins2 && c->n == 1)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "the bins of one tensor are a number, not %s", axt_escape(g->m, o->bins));
	for (int i = 0; c->n > 1 && i < c->n; i++)
		if (axt_is_weak(c->in[i]))
			return axt_is_number_here(g,
			    i ? "hist counts tensors, and operand B is a number"
			      : "hist counts tensors, and operand A is a number");
	return c->n > 1 ? axt_hist2d(g, c->in[0], c->in[1], &how) : axt_hist(g, c->in[0], &how);
}

const struct axt_operation axt_operation_hist = {
	.name = "hist",
	.line = "histograms of one tensor or two: the number of elements in each bin",
	.operands = "A [B]",
	.params = params,
	.size = sizeof(struct hist),
	.flags = AXT_OPERATION_STDIN | AXT_OPERATION_MEET,
	.build = build,
};
