#include <string.h>

#include "cmd.h"

/* Finds the i-th row of ops.def that has one argument. */
static bool
func(int i, const char **name, const char **line)
{
	struct axt_op_row row;
	int op;

	for (op = 0; op < AXT_NOPS; op++) {
		if (!axt_op_row((enum axt_op)op, &row) || row.arity != 1 || row.internal || i-- > 0)
			continue;
		*name = row.name;
		*line = row.line;
		return true;
	}
	return false;
}

/* Ends with a hint: axt-calc is for expressions, and a pipe for several functions. */
static void
unknown(const char *word)
{
	const char *line = cmd_guess_expression(word);

	if (word[strcspn(word, "+-*/^<>=(,")] != '\0')
		cmd_usage(line ? line
			       : "axt-calc takes expressions: axt-calc 'sqrt(tas*2)' a.nc:tas",
		    "unknown function \"%s\"", word);
	cmd_unknown("function", word);
}

static const struct cmd map = {
	.name = "axt-map",
	.line = "apply a function to every element",
	.words = { "FUNC" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
	.choice = func,
};

/* axt-map: y = FUNC(a). */
static void
build(struct axt_graph *g)
{
	int op = axt_op_named(cmd_word(g, 0));
	struct axt_op_row row;

	if (op < 0 || !axt_op_row((enum axt_op)op, &row) || row.arity != 1 || row.internal)
		unknown(cmd_word(g, 0));
	cmd_result(g, axt_map1(g, (enum axt_op)op, cmd_wide(g, cmd_in(g, 0))));
}

CMD_MAIN(map)
