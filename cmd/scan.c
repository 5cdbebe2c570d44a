#include <string.h>

#include "cmd.h"

static struct {
	const char *along, *by;
	bool reverse;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_OPERAND(0, "by", &o.by, "LABELS", "begin again wherever the label changes"),
	CMD_FLAG(0, "reverse", &o.reverse, "begin at the end of the axis"),
	CMD_END,
};

static const enum axt_red ops[] = { AXT_RED_SUM, AXT_RED_PROD, AXT_RED_MIN, AXT_RED_MAX };
#define NOPS ((int)(sizeof(ops) / sizeof(ops[0])))

static bool
op_row(int i, const char **name, const char **line)
{
	if (i == NOPS) {
		*name = "linear:A";
		*line = "y[i] = A[i] * y[i-1] + x[i]; A is a number or an operand";
	}
	if (i >= NOPS)
		return i == NOPS;
	*name = axt_red_name(ops[i]);
	*line = axt_red_line(ops[i]);
	return true;
}

static const struct cmd scan = {
	.name = "axt-scan",
	.line = "running sums, products, minima, maxima, recurrences",
	.opts = opts,
	.words = { "OP" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_OWN_DTYPE,
	.choice = op_row,
};

/* axt-scan: each element becomes the reduction of all elements up to it. */
static void
build(struct axt_graph *g)
{
	struct axt_scan_opts how = { .reverse = o.reverse, .dtype = cmd_dtype(g) };
	const char *word = cmd_word(g, 0);
	int op = axt_red_named(word), i = 0;
	struct axt_expr *a, *pair[2];

	if (o.by && strncmp(word, "linear:", 7) == 0)
		cmd_usage(NULL, "--by is for sum, prod, min and max, not %s", cmd_name(word));
	if (strncmp(word, "linear:", 7) == 0 && o.along) {
		pair[0] = cmd_in(g, 0);
		pair[1] = cmd_open(g, word + 7, false);
		axt_meet_dates(g, 2, pair);
		cmd_result(g, axt_scan_linear(g, pair[0], pair[1], o.along, &how));
		return;
	}
	while (i < NOPS && (int)ops[i] != op)
		i++;
	if (i == NOPS && strncmp(word, "linear:", 7) != 0)
		cmd_unknown("operation", word);
	cmd_need_along(o.along);
	a = cmd_in(g, 0);
	cmd_result(g,
	    o.by ? axt_scan_by(g, ops[i], a, cmd_labels(g, a, o.by), o.along, &how)
		 : axt_scan(g, ops[i], a, o.along, &how));
}

CMD_MAIN(scan)
