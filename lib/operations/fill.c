/* fill.c - missing values filled with the value before them, or with the one behind. */
#include "axt_builds.h"
#include "axt_operation.h"

struct fill {
	const char *along;
	int64_t limit;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct fill, along, "the axis"),
	AXT_INTEGER_OF(struct fill, limit, 1, INT32_MAX, "fill at most N in a row (default: all)"),
	AXT_PARAMS_END,
};

static struct axt_expr *
forward(struct axt_graph *g, const struct axt_call *c)
{
	const struct fill *o = AXT_VALUES(struct fill, c);

	return axt_ffill(g, c->in[0], o->along, (int)o->limit);
}

static struct axt_expr *
backward(struct axt_graph *g, const struct axt_call *c)
{
	const struct fill *o = AXT_VALUES(struct fill, c);

	return axt_bfill(g, c->in[0], o->along, (int)o->limit);
}

const struct axt_operation axt_operation_ffill = {
	.name = "ffill",
	.line = "fill missing values with the previous value along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct fill),
	.flags = AXT_OPERATION_STDIN,
	.build = forward,
};

const struct axt_operation axt_operation_bfill = {
	.name = "bfill",
	.line = "fill missing values with the next value along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct fill),
	.flags = AXT_OPERATION_STDIN,
	.build = backward,
};
