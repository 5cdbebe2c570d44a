#include "cmd.h"

enum { STRICT = 1, PLAIN };
static struct {
	int mode;
	const char *over, *keep;
	enum axt_dtype accumulate;
} o;

static const struct cmd_opt opts[] = {
	CMD_SET(0, "strict", &o.mode, STRICT, "only M* with M; an axis left in both is an error"),
	CMD_SET(0, "plain", &o.mode, PLAIN, "stars pair with nothing; equal axes contract"),
	CMD_STR(0, "over", &o.over, "AXES", "contract exactly these axes"),
	CMD_STR(0, "keep", &o.keep, "AXES", "shared axes to keep, as a batch"),
	CMD_DTYPE(0, "accumulate", &o.accumulate, "TYPE|tf32",
	    "sum in this dtype (default: by class)"),
	CMD_END,
};

static const struct cmd dot = {
	.name = "axt-dot",
	.line = "products of tensors, summed over the axes they share",
	.opts = opts,
	.in = { "A", "B" },
	.flags = CMD_TENSOR | CMD_OWN_DTYPE | CMD_NARY | CMD_MEET,
};

/*
 * axt-dot: y = the sum over shared axes of a * b * .... Operands are multiplied two at a time, in
 * the cheapest order.
 */
static void
build(struct axt_graph *g)
{
	cmd_result(g,
	    axt_multi_dot(g, cmd_nin(g), cmd_all_in(g),
		&(struct axt_dot_opts){ .strict = o.mode == STRICT,
		    .plain = o.mode == PLAIN,
		    .over = o.over,
		    .keep = o.keep,
		    .accumulate = o.accumulate,
		    .dtype = cmd_dtype(g) }));
}

CMD_MAIN(dot)
