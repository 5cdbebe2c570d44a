#include "cmd.h"

#define RESULTS 64

static bool in_place;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "in-place", &in_place, "change files that are assigned to, not copies of them"),
	CMD_END,
};

static const struct cmd calc = {
	.name = "axt-calc",
	.line = "evaluate an expression of named operands",
	.opts = opts,
	.words = { "EXPR" },
	.operands = "EXPR [[NAME=]OPERAND ...]",
	.flags = CMD_TENSOR | CMD_NAMED,
	.choice = axt_calc_function,
};

/*
 * axt-calc: evaluates an expression. If there are several results, the expression names them; it
 * may also assign to files.
 */
static void
build(struct axt_graph *g)
{
	struct axt_assign_opts o = { .in_place = in_place, .make = true };
	struct axt_assignment y[RESULTS];
	int n;

	cmd_assign_opts(&o);
	n = axt_calc_to(g, cmd_word(g, 0), cmd_operand_names(g), cmd_all_in(g), cmd_nin(g), &o, y,
	    RESULTS);
	if (n > 0 && y[0].target) {
		cmd_assign(g, y, n, &o);
		return;
	}
	if (n > 0 && in_place)
		cmd_usage(NULL, "--in-place is of files that are assigned to, and there are none");
	for (int i = 0; i < n; i++)
		cmd_result(g, y[i].e);
}

CMD_MAIN(calc)
