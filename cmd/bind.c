#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static const struct cmd bind = {
	.name = "axt-bind",
	.line = "give values to the placeholders of an expression",
	.operands = "NAME=OPERAND ... [A]",
	.flags = CMD_TENSOR | CMD_STDIN | CMD_FREE | CMD_SPEC_OPERANDS,
};

/*
 * Splits "x=a.nc:t" into the name, which is returned, and *value. NULL: the word has another form.
 */
static char *
binding(const char *word, const char **value)
{
	const char *eq = strchr(word, '=');

	*value = eq ? eq + 1 : NULL;
	return !eq || eq == word || memchr(word, '/', (size_t)(eq - word))
	    ? NULL
	    : strndup(word, (size_t)(eq - word));
}

/*
 * axt-bind: NAME=OPERAND words, followed by the expression, which is standard input if it is
 * missing.
 */
static void
build(struct axt_graph *g)
{
	int i, n = 0, all = cmd_nin(g);
	char **name = calloc((size_t)all + 1, sizeof(*name));
	struct axt_expr **value = calloc((size_t)all + 1, sizeof(*value)), *y;
	const char *word, *a = "-";

	for (i = 0; name && value && i < all; i++) {
		name[n] = binding(cmd_operand(g, i), &word);
		if (name[n]) {
			value[n++] = cmd_open(g, word, false);
		} else if (i < all - 1) {
			cmd_usage(cmd_help_hint(), "\"%s\" is no NAME=OPERAND",
			    cmd_name(cmd_operand(g, i)));
		} else {
			a = cmd_operand(g, i);
		}
	}
	if (n == 0)
		cmd_usage(cmd_help_hint(), "operand NAME=OPERAND is missing");
	y = axt_bind(g, cmd_open(g, a, false), n, (const char *const *)name, value);
	for (i = 0; i < n; i++)
		free(name[i]);
	free(name);
	free(value);
	cmd_result(g, y);
}

CMD_MAIN(bind)
