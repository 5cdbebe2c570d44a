#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static int64_t rank = -1;
static int order;

static const struct cmd_opt opts[] = {
	CMD_INT(0, "rank", &rank, 0, 32, "R",
	    "keep the first R - 1 axes and flatten the others, or add axes of length 1"),
	CMD_CHOICE(0, "order", &order, "C|F", "row-major (default) or column-major"), CMD_END
};

static const struct cmd reshape = {
	.name = "axt-reshape",
	.line = "give the elements other axes, in the same order",
	.opts = opts,
	.operands = "NEW=LEN,... [A] | --rank R [A]",
	.in = { "NEW=LEN,...", "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_FREE,
};

/* axt-reshape: gives the values another shape; they keep their row-major or column-major order. */
static void
build(struct axt_graph *g)
{
	int n = cmd_nin(g);

	if (rank >= 0) {
		if (n != 1)
			cmd_usage(NULL, "with --rank the only operand is the tensor");
		cmd_result(g, axt_reshape_rank(g, cmd_in(g, 0), (int)rank, order ? 'F' : 'C'));
		return;
	}
	if (n >= 1 && *cmd_operand(g, 0) &&
	    strspn(cmd_operand(g, 0), "0123456789,-") == strlen(cmd_operand(g, 0)))
		cmd_usage(cmd_guess_shape("such as y=12,x=12"),
		    "\"%s\": the new axes have names, NEW=LEN", cmd_name(cmd_operand(g, 0)));
	if (n < 1 || n > 2)
		cmd_usage(cmd_help_hint(), "the operands are NEW=LEN,... and a tensor");
	cmd_result(g,
	    axt_reshape(g, n == 2 ? cmd_in(g, 1) : cmd_open(g, "-", false), cmd_operand(g, 0),
		order ? 'F' : 'C'));
}

CMD_MAIN(reshape)
