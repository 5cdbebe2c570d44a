#include "cmd.h"

static struct {
	const char *to, *over, *range, *weights;
	int64_t bins;
} o;

static const struct cmd_opt opts[] = {
	CMD_INT(0, "bins", &o.bins, 1, INT32_MAX, "N", "how many bins of equal width (required)"),
	CMD_STR(0, "range", &o.range, "LO,HI",
	    "from where to where (default: least to greatest finite value)"),
	CMD_STR(0, "to", &o.to, "AXES", "axes to keep, in the result's order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "axes to count over (default: all)"),
	CMD_OPERAND(0, "weights", &o.weights, "W", "what elements count, broadcast by name"),
	CMD_END,
};

static const struct cmd hist = {
	.name = "axt-hist",
	.line = "histograms: the number of elements in each bin",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-hist: counts values per bin, along an axis of bins. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a = cmd_in(g, 0);
	struct axt_expr *w = o.weights ? cmd_open(g, o.weights, false) : NULL;

	if (o.bins == 0)
		cmd_usage("axt-hist --bins N [A]", "--bins is missing");
	cmd_result(g,
	    axt_hist(g, a,
		&(struct axt_hist_opts){ .to = o.to,
		    .over = o.over,
		    .bins = o.bins,
		    .range = o.range,
		    .weights = w }));
}

CMD_MAIN(hist)
