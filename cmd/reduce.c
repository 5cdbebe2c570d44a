#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static struct {
	const char *to, *over, *weights, *by;
	int nan;
	double ddof;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "AXES", "the axes that stay, in result order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "the axes that go (default: all)"),
	CMD_SET(0, "skip-nan", &o.nan, 1, "leave NaN out"),
	CMD_SET(0, "keep-nan", &o.nan, -1,
	    "NaN is a value, also where the tensor declares missing values"),
	CMD_NUM(0, "ddof", &o.ddof, "N", "var and std divide by count - N (default 0)",
	    .lo = INT64_MIN),
	CMD_OPERAND(0, "weights", &o.weights, "W",
	    "weights, broadcast by name (sum mean var std rms)"),
	CMD_OPERAND(0, "by", &o.by, "LABELS",
	    "each label of an axis that goes by itself; an axis of labels takes its place"),
	CMD_END
};

static bool
op_row(int i, const char **name, const char **line)
{
	if (i >= AXT_NREDS)
		return false;
	*name = axt_red_name((enum axt_red)i);
	*line = axt_red_line((enum axt_red)i);
	return true;
}

static const struct cmd reduce = {
	.name = "axt-reduce", .line = "one number per index that stays: sums, means, extremes",
	.opts = opts, .words = { "OP[,OP...]" }, .in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_OWN_DTYPE, .choice = op_row,
};

/* "mean,std" to numbers of rows. */
static int
parse_ops(char *list, int ops[AXT_NREDS])
{
	char *word;
	int n = 0, i;

	while ((word = strsep(&list, ",")) != NULL) {
		int op = axt_red_named(word);

		if (op < 0)
			cmd_unknown("operation", word);
		for (i = 0; i < n; i++)
			if (ops[i] == op)
				cmd_usage(NULL, "operation %s is named twice", word);
		ops[n++] = op;
	}
	return n;
}

/* axt-reduce: several operations give several results, named by their operation. */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&reduce, argc, argv);
	char *list = strdup(cmd_word(g, 0));
	int ops[AXT_NREDS], i, n = list != NULL ? parse_ops(list, ops) : 0;
	struct axt_expr *a = cmd_in(g, 0), *y[AXT_NREDS];
	struct axt_expr *w = o.weights != NULL ? cmd_open(g, o.weights, false) : NULL;
	struct axt_expr *by = o.by != NULL ? cmd_labels(g, o.by) : NULL;

	for (i = 0; i < n; i++) {
		y[i] = axt_reduce(g, (enum axt_red)ops[i], a,
		    &(struct axt_reduce_opts){ .to = o.to, .over = o.over, .nan = o.nan,
		    .ddof = o.ddof, .weights = w, .by = by, .dtype = cmd_dtype(g) });
		if (n > 1)
			y[i] = axt_set_name(g, y[i], axt_red_name((enum axt_red)ops[i]));
	}
	free(list);
	return n > 0 ? cmd_end_n(g, y, n)
	    : cmd_end(g, axt_graph_fail(g, AXT_E_MEM, "out of memory"));
}
