#include <stdlib.h>

#include "cmd.h"

static bool nearest;
static const char *like;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "nearest", &nearest, "take the nearest coordinate where a value is not there"),
	CMD_OPERAND(0, "like", &like, "B",
	    "only the coordinates that B has, too, along shared axes", .instead = true),
	CMD_END,
};

static const struct cmd slice = {
	.name = "axt-slice",
	.line = "part of a tensor, by position or coordinate",
	.opts = opts,
	.words = { "AXIS=SPEC|AXIS@SPEC" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "[AXIS=SPEC|AXIS@SPEC ...] [A]",
};

/* axt-slice: applies the specs. */
static void
build(struct axt_graph *g)
{
	int first = like ? 0 : 1, n = cmd_nspecs(g) + first, i;
	struct axt_expr *a = cmd_in(g, 0);
	const char **spec = calloc((size_t)n + 1, sizeof(*spec));

	if (!spec) {
		cmd_result(g, axt_graph_fail(g, AXT_E_MEM, "out of memory"));
		return;
	}
	if (like)
		a = axt_slice_like(g, a, cmd_open(g, like, false));
	else
		spec[0] = cmd_word(g, 0);
	for (i = first; i < n; i++)
		spec[i] = cmd_spec(g, i - first);
	cmd_result(g, n > 0 ? axt_slices(g, a, spec, n, nearest) : a);
	free(spec);
}

CMD_MAIN(slice)
