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

/*
 * axt-coord: replaces or removes the coordinates of an axis. The values of the tensor do not
 * change.
 */
static void
build(struct axt_graph *g)
{
	const char *what = cmd_word(g, 0);

	if (strcmp(what, "set") == 0) {
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
