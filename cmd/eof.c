#include "cmd.h"

static struct axt_eof_opts o = { .ddof = 1 };
static const char *weights, *against;
static int no_center, rotate = -1;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "over", &o.over, "AXES", "axes of samples, such as time (required)"),
	CMD_INT(0, "modes", &o.modes, 1, INT32_MAX, "N", "how many EOFs (default 10)"),
	CMD_CHOICE(0, "rotate", &rotate, "varimax", "rotate the modes"),
	CMD_OPERAND(0, "against", &against, "B", "pairs of patterns of A and B of most covariance"),
	CMD_OPERAND(0, "weights", &weights, "W|area", "weights of places, such as their areas"),
	CMD_FLAG(0, "standardize", &o.standardize,
	    "divide by the standard deviation of each place"),
	CMD_SET(0, "center", &no_center, 0, "take the mean of each place off (default)"),
	CMD_SET(0, "no-center", &no_center, 1, "A has anomalies already"),
	CMD_NUM(0, "missing", &o.missing, "P",
	    "places may miss P % of their samples, which then count as 0 (default 0)"),
	CMD_NUM(0, "ddof", &o.ddof, "N", "variances are sums divided by samples - N (default 1)"),
	CMD_STR(0, "keep", &o.keep, "AXES", "axes with EOFs of their own at each index"),
	CMD_STR(0, "mode", &o.mode, "AXIS", "the new axis of the results (default mode)"),
	CMD_END,
};

static const struct cmd eof = {
	.name = "axt-eof",
	.line = "empirical orthogonal functions, or principal components",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-eof --against B */
static void
pairs(struct axt_graph *g, struct axt_expr *a)
{
	struct axt_expr *b = cmd_open(g, against, false), *results[AXT_MCA_RESULTS];

	if (rotate >= 0)
		cmd_usage(NULL, "--rotate is of the patterns of one tensor, without --against");
	o.against_weights = cmd_weights(g, b, weights);
	if (axt_mca(g, a, b, &o, results) == 0)
		for (int i = 0; i < AXT_MCA_RESULTS; i++)
			cmd_result(g, results[i]);
}

/* axt-eof: the results have the names that axt_set_name gave them. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *a, *results[AXT_EOF_RESULTS];

	if (!o.over)
		cmd_usage(cmd_guess_option("over", cmd_time_axis()),
		    "needs --over AXES, the axes of samples");
	a = cmd_in(g, 0);
	o.no_center = no_center;
	o.rotate = rotate >= 0;
	o.weights = cmd_weights(g, a, weights);
	if (against)
		pairs(g, a);
	else if (axt_eof(g, a, &o, results) == 0)
		for (int i = 0; i < AXT_EOF_RESULTS; i++)
			cmd_result(g, results[i]);
}

CMD_MAIN(eof)
