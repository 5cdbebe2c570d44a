/*
 * axt-add, axt-sub ... axt-xor: one program for all rows of ops.def that have two arguments and are
 * not internal. It is called by the name of a row; the build makes a hard link to axt-ew for each
 * name (`axt-ew --list-ops`).
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static struct cmd c = {
	.name = "axt-ew",
	.line = "elementwise operation of two tensors",
	.flags = CMD_TENSOR | CMD_MEET,
};
static char name[64], title[72];

static bool
is_command(int op, struct axt_op_row *row)
{
	return op >= 0 && axt_op_row((enum axt_op)op, row) && row->arity == 2 && !row->internal;
}

/* "axt-bitwise-and" of bitwise_and, without "axt-". */
static const char *
command_name(const struct axt_op_row *row)
{
	snprintf(name, sizeof(name), "%s", row->name);
	for (char *p = name; (p = strchr(p, '_'));)
		*p = '-';
	return name;
}

static int
list_ops(void)
{
	struct axt_op_row row;

	for (int op = 0; op < AXT_NOPS; op++)
		if (is_command(op, &row))
			puts(command_name(&row));
	return fclose(stdout) == 0 ? 0 : 1;
}

/* Finds the operation that has the program's name, and sets the command's rows for it. */
static int
find_op(const char *argv0)
{
	const char *base = strrchr(argv0, '/');
	struct axt_op_row row;
	int found;

	base = base ? base + 1 : argv0;
	snprintf(name, sizeof(name), "%s", strncmp(base, "axt-", 4) == 0 ? base + 4 : base);
	for (char *p = name; (p = strchr(p, '-'));)
		*p = '_';
	found = axt_op_named(name);
	if (!is_command(found, &row)) {
		fprintf(stderr, "axt-ew: call it by the name of an operation, as axt-add\n");
		exit(2);
	}
	snprintf(title, sizeof(title), "axt-%s", command_name(&row));
	c.name = title;
	c.line = row.line;
	c.in[0] = "A";
	c.in[1] = "B";
	c.flags |= (row.nary ? CMD_NARY : 0) | (row.commutes ? CMD_COMMUTES : 0);
	return found;
}

static int op;

/*
 * axt-eq and axt-ne of text: one operand is a dataset that holds text, the other word is the text
 * that it is compared with. Returns NULL if neither operand is text.
 */
static struct axt_expr *
text(struct axt_graph *g)
{
	struct axt_open_opts o = cmd_open_opts(g);
	bool first, second;

	if ((op != AXT_OP_EQ && op != AXT_OP_NE) || o.dataset)
		return NULL;
	first = strchr(cmd_operand(g, 0), ':') && axt_is_text(g, cmd_operand(g, 0));
	axt_graph_clear(g); /* whoever opens the operand has the error */
	second = strchr(cmd_operand(g, 1), ':') && axt_is_text(g, cmd_operand(g, 1));
	axt_graph_clear(g);
	if (first && second)
		axt_graph_fail(g, AXT_E_DTYPE,
		    "%s and %s hold text, and a text is compared with a word",
		    cmd_name(cmd_operand(g, 0)), cmd_name(cmd_operand(g, 1)));
	return first || second
	    ? axt_compare_text(g, (enum axt_op)op, axt_open_text(g, cmd_operand(g, second), &o),
		  cmd_operand(g, first))
	    : NULL;
}

static void
build(struct axt_graph *g)
{
	struct axt_expr *e = text(g);

	cmd_result(g, e ? e : axt_map(g, (enum axt_op)op, cmd_nin(g), cmd_all_wide(g)));
}

int
main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "--list-ops") == 0)
		return list_ops();
	op = find_op(argc > 0 ? argv[0] : "");
	return cmd_main(&c, build, argc, argv);
}
