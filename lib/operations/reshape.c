/* reshape.c - the same elements along other axes, in row-major or column-major order. */
#include "axt_builds.h"
#include "axt_operation.h"

struct reshape {
	const char *axes;
	int64_t rank;
	int order;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct reshape, axes, "the new axes", .arg = "NEW=LEN,...",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_NEW | AXT_PARAM_LENGTHS),
	AXT_INTEGER_OF(struct reshape, rank, 0, AXT_MAX_RANK,
	    "keep the first R - 1 axes and flatten the others, or add axes of length 1", .arg = "R",
	    .value = -1, .flags = AXT_PARAM_INSTEAD, .excludes = "axes"),
	AXT_CHOICE_OF(struct reshape, order, "C|F", "row-major (default) or column-major"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct reshape *o = AXT_VALUES(struct reshape, c);
	char order = o->order ? 'F' : 'C';

	return o->axes ? axt_reshape(g, c->in[0], o->axes, order)
		       : axt_reshape_rank(g, c->in[0], (int)o->rank, order);
}

const struct axt_operation axt_operation_reshape = {
	.name = "reshape",
	.line = "give the elements other axes, in the same order",
	.operands = "A",
	.params = params,
	.size = sizeof(struct reshape),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
