#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static bool in_place, values;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "in-place", &in_place, "change the file itself, not a copy that replaces it"),
	CMD_FLAG(0, "value", &values, "print the values alone, for $( ) of a shell"),
	CMD_END,
};

static const struct cmd attr = {
	.name = "axt-attr",
	.line = "show, set or remove attributes of a tensor, an axis, a group or a file",
	.opts = opts,
	.operands = "[[AXIS:]NAME[=TEXT|:=NUMBERS] ...] FILE[:DATASET|:/group/]",
	.flags = CMD_FREE | CMD_HISTORY,
};

/*
 * axt-attr: the last operand is the file; the others are attributes to show or to set. An empty
 * TEXT removes an attribute.
 */
int
cmd_main_attr(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&attr, argc, argv);
	int i, n = cmd_nin(g);
	const char **specs;

	if (n == 0)
		cmd_usage(cmd_help_hint(), "operand FILE is missing");
	specs = calloc((size_t)n, sizeof(*specs));
	for (i = 0; i < n - 1; i++)
		if (strchr(cmd_operand(g, i), '=')) {
			if (values)
				cmd_usage(NULL, "--value shows attributes, and sets none");
			cmd_refuse_copies(cmd_operand(g, n - 1));
		}
	if (values && n == 1)
		cmd_usage(NULL, "--value needs the name of an attribute before \"%s\"",
		    cmd_name(cmd_operand(g, 0)));
	for (i = 0; specs && i < n - 1; i++)
		specs[i] = cmd_operand(g, i);
	if (!specs)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_attr_edit(g, cmd_operand(g, n - 1), specs, n - 1, values, in_place,
		    in_place ? NULL : cmd_history(g), stdout);
	free(specs);
	return cmd_finish(g, 0);
}
