#include <string.h>

#include "cmd.h"

static bool fixed;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "fixed", &fixed,
	    "do not move the coordinates (default: they move with their values)"),
	CMD_END
};

static const struct cmd shift = {
	.name = "axt-shift",
	.line = "shift elements along axes, cyclically",
	.opts = opts,
	.words = { "AXIS=N" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS,
	.operands = "AXIS=N ... [A]",
};

/* Times that go round in a circle are most likely no shift as a series has it. */
static void
tell_circle(const struct axt_expr *a, const char *spec)
{
	struct axt_values units;
	char axis[200], text[400];
	const char *eq = strchr(spec, '=');

	snprintf(axis, sizeof(axis), "%.*s", eq ? (int)(eq - spec) : 0, spec);
	if (fixed || !eq || strcmp(eq, "=0") == 0 || !axt_expr_attr(a, axis, "units", &units) ||
	    units.dtype != AXT_DTYPE_AUTO || units.n < 1 ||
	    !strstr(*(const char *const *)units.data, " since "))
		return;
	snprintf(text, sizeof(text),
	    "elements go round in a circle, with their %.100s: what leaves at one end comes in at the "
	    "other; --fixed keeps the %.100s where it is, axt-diff takes differences",
	    axis, axis);
	cmd_warn(text);
}

static struct axt_expr *
shifted(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	tell_circle(a, spec);
	return axt_shift(g, a, spec, fixed);
}

/* axt-shift: element i moves to i + N. Its coordinate moves with it, unless --fixed is given. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, cmd_each_spec(g, cmd_in(g, 0), 0, shifted));
}

CMD_MAIN(shift)
