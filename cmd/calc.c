#include "priv.h"

#define RESULTS 64

static bool in_place, check;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "in-place", &in_place, "change files that are assigned to, not copies of them"),
	CMD_FLAG(0, "assert", &check,
	    "write nothing: status 1 where a result is not true everywhere"),
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

/* Fails unless all elements of a result are true. */
static void
assert_all(struct axt_graph *g, struct axt_expr *e)
{
	double all = 1, no;
	int64_t yes = 0;
	struct axt_expr *n;

	if (axt_graph_error(g))
		return;
	if (axt_expr_dtype(e) != AXT_BOOL) {
		axt_graph_fail(g, AXT_E_DTYPE,
		    "--assert takes what is true or false, as a comparison is; %s is %s",
		    cmd_word(g, 0), axt_dtype_name(axt_expr_dtype(e)));
		return;
	}
	for (int i = 0; i < axt_expr_rank(e); i++)
		all *= (double)axt_expr_len(e, i);
	n = axt_reduce(g, AXT_RED_SUM, e, &(struct axt_reduce_opts){ .dtype = AXT_I64 });
	if (axt_eval(g, n, &yes, sizeof(yes)))
		return;
	no = all - (double)yes;
	if (no > 0 && axt_expr_rank(e) == 0)
		axt_graph_fail(g, AXT_E_RANGE, "%s is false", cmd_word(g, 0));
	else if (no > 0)
		axt_graph_fail(g, AXT_E_RANGE, "%s is false for %.0f of %.0f elements",
		    cmd_word(g, 0), no, all);
}

/*
 * axt-calc: evaluates an expression. An expression with several results names each of them. An
 * expression that assigns to files has these written instead.
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
	if (check && ((n > 0 && y[0].target) || cmd_st.o.output))
		cmd_usage(NULL,
		    "--assert writes nothing: no file is assigned to, and -o does not go with it");
	if (n > 0 && y[0].target) {
		cmd_assign(g, y, n, &o);
		return;
	}
	if (n > 0 && in_place)
		cmd_usage(NULL, "--in-place is of files that are assigned to, and there are none");
	for (int i = 0; i < n; i++)
		if (check)
			assert_all(g, y[i].e);
		else
			cmd_result(g, y[i].e);
}

CMD_MAIN(calc)
