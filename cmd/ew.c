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
	.flags = CMD_TENSOR,
};
static char name[64];

static bool
is_command(int op, struct axt_op_row *row)
{
	return op >= 0 && axt_op_row((enum axt_op)op, row) && row->arity == 2 && !row->internal;
}

static int
list_ops(void)
{
	struct axt_op_row row;

	for (int op = 0; op < AXT_NOPS; op++)
		if (is_command(op, &row))
			puts(row.name);
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
	found = axt_op_named(strncmp(base, "axt-", 4) == 0 ? base + 4 : base);
	if (!is_command(found, &row)) {
		fprintf(stderr, "axt-ew: call it by the name of an operation, as axt-add\n");
		exit(2);
	}
	snprintf(name, sizeof(name), "axt-%s", row.name);
	c.name = name;
	c.line = row.line;
	c.in[0] = "A";
	c.in[1] = "B";
	c.flags |= (row.nary ? CMD_NARY : 0) | (row.commutes ? CMD_COMMUTES : 0);
	return found;
}

static int op;

static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_map(g, (enum axt_op)op, cmd_nin(g), cmd_all_wide(g)));
}

int
main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "--list-ops") == 0)
		return list_ops();
	op = find_op(argc > 0 ? argv[0] : "");
	return cmd_main(&c, build, argc, argv);
}
