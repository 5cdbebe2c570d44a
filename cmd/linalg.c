/*
 * axt-solve, axt-eigh ...: one program for all rows of linalg.def. It is called by the name of a
 * row; the build makes a hard link to axt-linalg for each name (`axt-linalg --list`).
 */
#include <limits.h>
#include <string.h>

#include "cmd.h"

static struct axt_linalg_opts o;

static int ord;
static int64_t power = INT_MIN;

/* The options that any function has; a command has those that its row names. */
#define OPTS 7 /* with the last, empty one */
static const struct cmd_opt every_opt[OPTS] = {
	CMD_STR(0, "row", &o.row, "AXES",
	    "axes of the rows (default: those whose duals are there)"),
	CMD_STR(0, "col", &o.col, "AXES", "axes of the columns (default: the duals of the rows)"),
	CMD_STR(0, "mode", &o.mode, "AXIS", "the new axis of the results (default mode)"),
	CMD_NUM(0, "rcond", &o.rcond, "X",
	    "singular values of at most X times the largest count as 0"),
	CMD_INT(0, "power", &power, -INT_MAX, INT_MAX, "N", "the power (required)"),
	CMD_CHOICE(0, "ord", &ord, "fro|nuc|2|-2|1|inf", "which norm (default fro)"),
	CMD_END,
};
static struct cmd_opt opts[OPTS];
static struct cmd c = { .name = "axt-linalg",
	.line = "function of matrices",
	.opts = opts,
	.flags = CMD_TENSOR | CMD_STDIN | CMD_MEET };
static struct axt_linalg_row row;
static int op;
static char name[64];

static int
list(void)
{
	for (int i = 0; axt_linalg_row(i, &row); i++) {
		for (const char *s = row.name; *s; s++)
			putchar(*s == '_' ? '-' : *s);
		putchar('\n');
	}
	return fclose(stdout) == 0 ? 0 : 1;
}

/* The command's name has - where the function's has _. */
static bool
is_name(const char *command, const char *function)
{
	for (; *command && (*command == *function || (*command == '-' && *function == '_'));
	     command++)
		function++;
	return !*command && !*function;
}

/* Finds the function that has the program's name, and sets the command's rows for it. */
static bool
find_row(const char *argv0)
{
	const char *base = strrchr(argv0, '/');
	int n = 0;

	base = base ? base + 1 : argv0;
	base = strncmp(base, "axt-", 4) == 0 ? base + 4 : base;
	for (op = 0; axt_linalg_row(op, &row) && !is_name(base, row.name); op++)
		;
	if (!axt_linalg_row(op, &row))
		return false;
	snprintf(name, sizeof(name), "axt-%s", base);
	c.name = name;
	c.line = row.line;
	c.in[0] = "A";
	c.in[1] = row.operands == 2 ? "B" : NULL;
	for (int i = 0; i < OPTS; i++)
		if (!every_opt[i].name || axt_has_word(row.options, every_opt[i].name))
			opts[n++] = every_opt[i];
	return true;
}

/* Several results have the names that NumPy gives them. */
static void
build(struct axt_graph *g)
{
	struct axt_expr *results[AXT_LINALG_RESULTS];
	const char *s = row.results;
	char word[16];

	o.ord = (enum axt_matrix_ord)ord;
	o.power = (int)power;
	if (axt_has_word(row.options, "power") && power == INT_MIN)
		cmd_usage("--power 2", "needs --power N");
	if (axt_linalg(g, (enum axt_linalg_op)op, cmd_all_in(g), &o, results))
		return;
	for (int k = 0; k < row.nresults; k++, s += strcspn(s, " "), s += *s == ' ') {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(s, " "), s);
		cmd_result(g, row.nresults > 1 ? axt_set_name(g, results[k], word) : results[k]);
	}
}

int
main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list();
	if (!find_row(argc > 0 ? argv[0] : "")) {
		fprintf(stderr, "axt-linalg: call it by the name of a function, as axt-solve\n");
		return 2;
	}
	return cmd_main(&c, build, argc, argv);
}
