#include <stdio.h>
#include <string.h>

#include "cmd.h"

static struct {
	const char *to, *over, *range, *weights, *bins;
	bool density;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "bins", &o.bins, "N[,M]",
	    "how many bins of equal width, of B too unless M is given (required)"),
	CMD_STR(0, "range", &o.range, "LO,HI[,LO,HI]",
	    "from where to where (default: least to greatest finite value)"),
	CMD_STR(0, "to", &o.to, "AXES", "axes to keep, in the result's order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "axes to count over (default: all)"),
	CMD_OPERAND(0, "weights", &o.weights, "W", "what elements count, broadcast by name"),
	CMD_FLAG(0, "density", &o.density, "divide by the sum over the bins and by their widths"),
	CMD_END,
};

static const struct cmd hist = {
	.name = "axt-hist",
	.line = "histograms of one tensor or two: the number of elements in each bin",
	.opts = opts,
	.in = { "A" },
	.operands = "[A [B]]",
	.flags = CMD_TENSOR | CMD_STDIN | CMD_FREE | CMD_MEET,
};

/* Parses the numbers of bins: "N" or, of two tensors, "N,M". */
static void
parse_bins(int tensors, struct axt_hist_opts *h)
{
	const char *comma = strchr(o.bins, ',');
	char first[32];

	snprintf(first, sizeof(first), "%.*s", (int)(comma ? comma - o.bins : 31), o.bins);
	if (!axt_parse_int(first, 1, INT32_MAX, &h->bins) ||
	    (comma && (tensors < 2 || !axt_parse_int(comma + 1, 1, INT32_MAX, &h->bins2))))
		cmd_usage(cmd_guess_bins(o.bins), "--bins takes %s, not \"%s\"",
		    tensors > 1 ? "N or N,M, integers of at least 1" : "an integer of at least 1",
		    cmd_name(o.bins));
}

/* axt-hist: counts values per bin, along an axis of bins; those of two tensors along two axes. */
static void
build(struct axt_graph *g)
{
	struct axt_hist_opts h = { .to = o.to,
		.over = o.over,
		.range = o.range,
		.density = o.density };
	struct axt_expr *const *in;
	const char *guess;
	int n = cmd_nin(g);

	if (n == 2 && (axt_is_number(cmd_operand(g, 0)) || axt_is_number(cmd_operand(g, 1)))) {
		guess = cmd_guess_too_many();
		cmd_usage(guess, "counts tensors, and \"%s\" is a number",
		    cmd_name(cmd_operand(g, axt_is_number(cmd_operand(g, 0)) ? 0 : 1)));
	}
	if (n > 2) {
		guess = cmd_guess_too_many();
		cmd_usage(guess, "too many operands: \"%s\" is one of %d",
		    cmd_name(cmd_operand(g, 2)), n);
	}
	if (!o.bins)
		cmd_usage("axt-hist --bins N [A]", "--bins is missing");
	parse_bins(n, &h);
	in = cmd_all_in(g);
	h.weights = o.weights ? cmd_open(g, o.weights, false) : NULL;
	/* results of one file share no axis of bins, unless the range is given */
	h.named = cmd_one_of_several() && !o.range && !(o.to && strstr(o.to, "bin"));
	cmd_result(g, n > 1 ? axt_hist2d(g, in[0], in[1], &h) : axt_hist(g, in[0], &h));
}

CMD_MAIN(hist)
