/* shift.c - elements moved along axes, cyclically: element i becomes element i + N. */
#include <string.h>

#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct shift {
	struct axt_specs specs;
	bool fixed;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct shift, "AXIS=N", 0, "by how many elements along an axis"),
	AXT_FLAG_OF(struct shift, fixed,
	    "do not move the coordinates (default: they move with their values)"),
	AXT_PARAMS_END,
};

/* Times that go round in a circle are most likely no shift as a series has it. */
static void
tell_circle(struct axt_graph *g, const struct axt_expr *a, const char *spec)
{
	size_t n = axt_spec_axis(spec);
	struct axt_values units;
	char axis[200];

	snprintf(axis, sizeof(axis), "%.*s", (int)n, spec);
	if (spec[n] != '=' || strcmp(spec + n, "=0") == 0 ||
	    !axt_expr_attr(a, axis, "units", &units) || units.dtype != AXT_DTYPE_AUTO ||
	    units.n < 1 || !strstr(*(const char *const *)units.data, " since "))
		return;
	axt_warn(g,
	    "elements go round in a circle, with their %.100s: what leaves at one end comes in at the "
	    "other; --fixed keeps the %.100s where it is, axt-diff takes differences",
	    axis, axis);
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct shift *o = AXT_VALUES(struct shift, c);
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < o->specs.n; i++) {
		if (!o->fixed && !axt_bad(a))
			tell_circle(g, a, o->specs.word[i]);
		a = axt_shift(g, a, o->specs.word[i], o->fixed);
	}
	return a;
}

const struct axt_operation axt_operation_shift = {
	.name = "shift",
	.line = "shift elements along axes, cyclically",
	.operands = "A",
	.params = params,
	.size = sizeof(struct shift),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
