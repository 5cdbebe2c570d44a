#include <stdlib.h>

#include "priv.h"

static struct axt_print_opts o;
static int64_t head = -1;
static bool spark;

static const struct cmd_opt opts[] = { CMD_INT(0, "head", &head, 0, INT64_MAX, "N",
					   "only the first N values"),
	CMD_STR(0, "format", &o.format, "FORMAT", "printf format of a value, such as %.3f"),
	CMD_FLAG(0, "csv", &o.csv, "comma-separated: a line per value, a column per axis"),
	CMD_FLAG(0, "no-index", &o.no_index, "with --csv: no columns of axes without coordinates"),
	CMD_FLAG(0, "spark", &spark, "each row along the last axis as a line of blocks"), CMD_END };

static const struct cmd print = {
	.name = "axt-print",
	.line = "print the values of tensors as text",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_PRINTS | CMD_STDIN | CMD_NARY | CMD_LISTS,
};

/*
 * Opens the tensors among several operands; those that are text become columns of their tables.
 * Returns how many tensors there are.
 */
static int
tensors(struct axt_graph *g, struct axt_expr **e)
{
	static const char **texts; /* until the end, as the options of opening them */
	static struct axt_open_opts open;
	int n = 0;

	texts = calloc((size_t)cmd_nin(g) + 1, sizeof(*texts));
	if (!texts)
		cmd_oom();
	for (int i = 0; i < cmd_nin(g); i++) {
		const char *w = cmd_operand(g, i);

		if (w[0] != '-' && axt_is_text(g, w))
			texts[o.ntexts++] = w;
		else
			e[n++] = cmd_in(g, i);
	}
	open = cmd_open_opts(g);
	o.texts = texts;
	o.open = &open;
	return n;
}

static void
print_several(struct axt_graph *g)
{
	struct axt_expr **e = calloc((size_t)cmd_nin(g) + 1, sizeof(*e));
	int n;

	if (!e)
		cmd_oom();
	n = tensors(g, e);
	if (n > 0)
		cmd_print(g, e, n, &o);
	else
		cmd_print(g, cmd_all_in(g), cmd_nin(g), &o); /* text alone, which fails */
	free(e);
}

/*
 * axt-print: prints values as text, even if standard output is no terminal. Tensors with the same
 * axes are columns of one table.
 */
static void
build(struct axt_graph *g)
{
	struct axt_open_opts open;
	struct axt_expr *const *all;

	/* the library shows all elements for 0, and none for a negative number */
	o.head = head < 0 ? 0 : head > 0 ? head : -1;
	o.columns = true;
	if (spark && (o.csv || o.format || head >= 0))
		cmd_usage(NULL, "--spark does not go with --csv, --format or --head");
	if (o.no_index && !o.csv)
		cmd_usage("axt-print --csv --no-index", "--no-index goes with --csv");
	if (!spark && cmd_nin(g) > 1) {
		print_several(g);
		return;
	}
	all = cmd_all_in(g);
	if (spark) {
		cmd_spark(g, all, cmd_nin(g));
		return;
	}
	if (axt_graph_code(g) != AXT_E_DTYPE || cmd_nin(g) != 1) {
		cmd_print(g, all, cmd_nin(g), &o);
		return;
	}
	axt_graph_clear(g); /* no numbers: it may be text */
	open = cmd_open_opts(g);
	axt_print_text(g, cmd_operand(g, 0), &open, &o);
}

CMD_MAIN(print)
