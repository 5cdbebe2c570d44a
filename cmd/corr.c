#include "cmd.h"

static struct {
	const char *to, *over, *weights;
	int nan;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "AXES", "axes to keep, in the result's order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "axes to reduce over (default: all)"),
	CMD_SET(0, "skip-nan", &o.nan, 1, "leave pairs with NaN out"),
	CMD_SET(0, "keep-nan", &o.nan, -1,
	    "NaN is a value, also where a tensor declares missing values"),
	CMD_OPERAND(0, "weights", &o.weights, "W", "weights, broadcast by name"),
	CMD_END,
};

static const struct cmd corr = {
	.name = "axt-corr",
	.line = "correlation of two tensors over axes",
	.opts = opts,
	.in = { "X", "Y" },
	.flags = CMD_TENSOR | CMD_COMMUTES | CMD_OWN_DTYPE,
};

/* axt-corr: Pearson's correlation over the pairs of which none is NaN. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *x = cmd_in(g, 0), *y = cmd_in(g, 1);

	cmd_result(g,
	    axt_corr(g, x, y,
		&(struct axt_reduce_opts){ .to = o.to,
		    .over = o.over,
		    .nan = o.nan,
		    .weights = o.weights ? cmd_open(g, o.weights, false) : NULL,
		    .dtype = cmd_dtype(g) }));
}

CMD_MAIN(corr)
