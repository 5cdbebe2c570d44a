#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

#define MAX_OPS 64

static struct {
	const char *to, *over, *weights, *by, *labels, *every;
	bool drop;
	int nan;
	double ddof;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "AXES", "axes to keep, in the result's order ('': none)"),
	CMD_STR(0, "over", &o.over, "AXES", "axes to reduce over (default: all)"),
	CMD_SET(0, "skip-nan", &o.nan, 1, "leave NaN out"),
	CMD_SET(0, "keep-nan", &o.nan, -1,
	    "NaN is a value, also where the tensor declares missing values"),
	CMD_NUM(0, "ddof", &o.ddof, "N", "var and std divide by count - N (default 0)",
	    .lo = INT64_MIN),
	CMD_OPERAND(0, "weights", &o.weights, "W|area",
	    "weights, broadcast by name (sum mean var std rms median quantile)"),
	CMD_OPERAND(0, "by", &o.by, "LABELS",
	    "reduce each group of equal labels separately: time.month, time.year,time.season"),
	CMD_OPERAND(0, "labels", &o.labels, "A:B|LIST|B",
	    "with --by: exactly these labels, in this order"),
	CMD_FLAG(0, "drop-others", &o.drop,
	    "with --labels: leave out elements with other labels (default: an error)"),
	CMD_STR(0, "every", &o.every, "PERIOD",
	    "reduce each month, season, year, day, hour or '5 days' separately"),
	CMD_END,
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
	.name = "axt-reduce",
	.line = "sums, means, extremes, quantiles along axes",
	.opts = opts,
	.words = { "OP[,OP...]" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_OWN_DTYPE,
	.choice = op_row,
};

/* One operation of the list, with its number, and the name of its result. */
struct op {
	enum axt_red red;
	double q;
	char name[80];
};

/* Ends with the hint "quantile:0.9" if the word is "percentile:90", "pctl90" or "p90". */
static void
percentile(const char *word)
{
	static const char *const names[] = { "percentile", "perc", "pctl", "pct", "p", "q",
		"quantile" };
	char meant[80], *end;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);
		bool ours = strcmp(names[i], "quantile") == 0;
		const char *number;
		double q;

		if (strncmp(word, names[i], n) != 0)
			continue;
		number = word + n + (word[n] == ':' || word[n] == '=');
		q = strtod(number, &end);
		if (end == number || *end != '\0' || !(q >= 0 && q <= 100) ||
		    (ours && q <= 1 && word[n] == ':'))
			continue;
		/* a number below 1 is a quantile, whatever the word is */
		snprintf(meant, sizeof(meant), "quantile:%g",
		    q > 1 || (q == 1 && !ours && *names[i] != 'q') ? q / 100 : q);
		cmd_usage(cmd_guess_word(word, meant),
		    ours ? "quantile takes a number from 0 to 1: \"%s\""
			 : "unknown operation \"%s\"",
		    cmd_name(word));
	}
}

/* Parses "mean" or "quantile:0.9". */
static void
parse_op(char *word, struct op *p)
{
	char *colon = strchr(word, ':'), *end;
	int red;

	percentile(word);
	snprintf(p->name, sizeof(p->name), "%s", word);
	if (colon)
		*colon = '\0';
	red = axt_red_named(word);
	if (red < 0)
		cmd_unknown("operation", word);
	p->red = (enum axt_red)red;
	p->q = 0;
	if (p->red != AXT_RED_QUANTILE) {
		if (colon)
			cmd_usage(NULL, "%s takes no number", word);
		return;
	}
	if (colon && axt_is_number(colon + 1))
		p->q = strtod(colon + 1, &end);
	if (!colon || !axt_is_number(colon + 1) || !(p->q >= 0 && p->q <= 1))
		cmd_usage(NULL, "quantile takes a number from 0 to 1: quantile:0.9");
	p->name[colon - word] = '_';
}

/* Parses "mean,quantile:0.9". */
static int
parse_ops(char *list, struct op ops[MAX_OPS])
{
	char *word;
	int n = 0, i;

	while ((word = strsep(&list, ","))) {
		if (n == MAX_OPS)
			cmd_usage(NULL, "more than %d operations", MAX_OPS);
		parse_op(word, &ops[n]);
		for (i = 0; i < n; i++)
			if (strcmp(ops[i].name, ops[n].name) == 0)
				cmd_usage(NULL, "operation %s is named twice", word);
		n++;
	}
	return n;
}

/* Whether --ddof goes with the operation. */
static bool
takes_ddof(const char *name)
{
	return strcmp(name, "var") == 0 || strcmp(name, "std") == 0;
}

/* Whether labels are a list or a range, and no operand. */
static bool
is_list(const char *s)
{
	return strchr(s, ',') || (*s != '\0' && s[strspn(s, "0123456789+-:")] == '\0');
}

/*
 * axt-reduce: reduces axes. Each of several operations gives a result, which has the operation's
 * name.
 */
static void
build(struct axt_graph *g)
{
	char *list = strdup(cmd_word(g, 0));
	struct op ops[MAX_OPS];
	int i, n = list ? parse_ops(list, ops) : 0;
	struct axt_expr *a = cmd_in(g, 0), *y;
	struct axt_expr *w = cmd_weights(g, a, o.weights);
	struct axt_expr *by = o.by ? cmd_labels(g, a, o.by) : NULL;
	bool typed = o.labels && is_list(o.labels);
	struct axt_expr *among = o.labels && !typed ? cmd_labels(g, a, o.labels) : NULL;
	bool some = false; /* of several operations takes --ddof, which is then for those */

	if ((o.labels && !o.by) || (o.drop && !o.labels))
		cmd_usage(NULL,
		    o.drop && !o.labels ? "--drop-others goes with --labels"
					: "--labels goes with --by");

	for (i = 0; i < n; i++)
		some = some || takes_ddof(ops[i].name);
	for (i = 0; i < n; i++) {
		y = axt_reduce(g, ops[i].red, a,
		    &(struct axt_reduce_opts){ .to = o.to,
			.over = o.over,
			.nan = o.nan,
			.ddof = some && !takes_ddof(ops[i].name) ? 0 : o.ddof,
			.weights = w,
			.by = by,
			.labels = typed ? o.labels : NULL,
			.among = among,
			.drop_others = o.drop,
			.every = o.every,
			.dtype = cmd_dtype(g),
			.q = ops[i].q });
		cmd_result(g, n > 1 ? axt_set_name(g, y, ops[i].name) : y);
	}
	if (!list)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	free(list);
}

CMD_MAIN(reduce)
