#include <stdlib.h>

#include "cmd.h"

static bool nearest;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "nearest", &nearest, "take the nearest coordinate where a value is not there"),
	CMD_END,
};

static const struct cmd slice = {
	.name = "axt-slice",
	.line = "part of a tensor, by position or coordinate",
	.opts = opts,
	.words = { "AXIS=SPEC|AXIS@SPEC" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=SPEC|AXIS@SPEC ... [A]",
};

/* axt-slice: applies the specs. */
static void
build(struct axt_graph *g)
{
	int n = cmd_nspecs(g) + 1, i;
	const char **spec = calloc((size_t)n, sizeof(*spec));

	if (!spec) {
		cmd_result(g, axt_graph_fail(g, AXT_E_MEM, "out of memory"));
		return;
	}
	spec[0] = cmd_word(g, 0);
	for (i = 1; i < n; i++)
		spec[i] = cmd_spec(g, i - 1);
	cmd_result(g, axt_slices(g, cmd_in(g, 0), spec, n, nearest));
	free(spec);
}

CMD_MAIN(slice)
