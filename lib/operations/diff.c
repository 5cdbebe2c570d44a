/* diff.c - differences of neighbours along an axis. */
#include "axt_builds.h"
#include "axt_operation.h"

struct diff {
	const char *along;
	int64_t order;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct diff, along, "the axis"),
	AXT_INTEGER_OF(struct diff, order, 1, INT32_MAX, "take differences N times", .value = 1,
	    .was = "times"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct diff *o = AXT_VALUES(struct diff, c);

	return axt_diff(g, c->in[0], (int)o->order, o->along);
}

const struct axt_operation axt_operation_diff = {
	.name = "diff",
	.line = "differences of neighbours along an axis",
	.operands = "A",
	.two = "axt-sub A B subtracts; axt-equal compares files",
	.params = params,
	.size = sizeof(struct diff),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
