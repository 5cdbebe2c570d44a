#include <string.h>

#include "cmd.h"

static bool
action(int i, const char **name, const char **line)
{
	static const char *const rows[][2] = {
		{ "set", "AXIS=OPERAND, AXIS=START:STEP or AXIS=V,W,..., any number of them" },
		{ "drop", "AXIS,...: take the coordinates away" },
	};

	if (i >= (int)(sizeof(rows) / sizeof(rows[0])))
		return false;
	*name = rows[i][0];
	*line = rows[i][1];
	return true;
}

static const struct cmd coord = {
	.name = "axt-coord",
	.line = "set or drop the coordinates of axes",
	.words = { "ACTION", "AXIS" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS | CMD_SPEC_OPERANDS,
	.operands = "set AXIS=OPERAND|AXIS=START:STEP ... [A] | drop AXIS,... [A]",
	.choice = action,
};

static struct axt_expr *
set(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_open_opts how = cmd_open_opts(g);

	return axt_set_coord(g, a, spec, &how);
}

/* Spec i of those that `set` has: the first one is the word after it. */
static const char *
spec(struct axt_graph *g, int i)
{
	return i == 0 ? cmd_word(g, 1) : cmd_spec(g, i - 1);
}

/* Fails if two specs are for the same axis: the second would replace what the first one sets. */
static bool
has_twice(struct axt_graph *g)
{
	for (int i = 1; i <= cmd_nspecs(g); i++)
		for (int j = 0; j < i; j++) {
			size_t n = strcspn(spec(g, i), "=");

			if (n != strcspn(spec(g, j), "=") ||
			    strncmp(spec(g, i), spec(g, j), n) != 0)
				continue;
			axt_graph_fail(g, AXT_E_AXES, "axis \"%.*s\" stands twice: %s and %s",
			    (int)n, spec(g, i), cmd_name(spec(g, j)), cmd_name(spec(g, i)));
			return true;
		}
	return false;
}

/*
 * axt-coord: replaces or removes the coordinates of an axis. The values of the tensor do not
 * change.
 */
static void
build(struct axt_graph *g)
{
	const char *what = cmd_word(g, 0);

	if (strcmp(what, "set") == 0) {
		if (!has_twice(g))
			cmd_result(g, cmd_each_spec(g, cmd_in(g, 0), 1, set));
		return;
	}
	if (strcmp(what, "drop") != 0)
		cmd_unknown("action", what);
	if (cmd_nspecs(g) > 0)
		cmd_usage(NULL, "drop takes names of axes, not \"%s\"", cmd_name(cmd_spec(g, 0)));
	cmd_result(g, cmd_listed(g, cmd_in(g, 0), cmd_word(g, 1), axt_drop_coord));
}

CMD_MAIN(coord)
