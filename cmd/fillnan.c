#include "cmd.h"

static struct {
	const char *along;
	int method;
	int64_t limit, gap;
} o = { .method = -1 };

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "fill from the neighbours along this axis",
	    .instead = true),
	CMD_CHOICE(0, "method", &o.method, "linear|nearest",
	    "with --along: on a line between two values, or the nearest one (default linear)"),
	CMD_INT(0, "limit", &o.limit, 1, INT32_MAX, "N",
	    "with --along: fill at most N in a row (default: all)"),
	CMD_INT(0, "max-gap", &o.gap, 1, INT32_MAX, "N",
	    "with --along: fill only gaps of at most N values, and these whole"),
	CMD_END,
};

static const struct cmd fillnan = {
	.name = "axt-fillnan",
	.line = "replace missing values: A, and B where A is NaN",
	.opts = opts,
	.in = { "A", "B" },
	.flags = CMD_TENSOR | CMD_MEET,
	.operands = "A [B]",
};

/* axt-fillnan: y = isnan(a) ? b : a, or a with its gaps along an axis filled. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *const *in;

	if (o.along) {
		cmd_result(g,
		    axt_fillnan_along(g, cmd_in(g, 0), o.along, o.method == 1, (int)o.limit,
			(int)o.gap));
		return;
	}
	if (o.method >= 0 || o.limit || o.gap)
		cmd_usage(NULL, "--%s needs --along AXIS",
		    o.limit     ? "limit"
			: o.gap ? "max-gap"
				: "method");
	if (axt_is_number(cmd_operand(g, 0)) && !axt_is_number(cmd_operand(g, 1)))
		cmd_usage(cmd_guess_order((int[]){ 1, 0 }, 2),
		    "the tensor to fill is operand A, the first one");
	in = cmd_all_wide(g);
	cmd_result(g, axt_fillnan(g, in[0], in[1]));
}

CMD_MAIN(fillnan)
