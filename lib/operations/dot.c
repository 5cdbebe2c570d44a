/* dot.c - products of tensors, summed over the axes that they share. */
#include "axt_builds.h"
#include "axt_operation.h"

struct dot {
	bool strict, plain;
	const char *over, *keep;
	enum axt_dtype accumulate, dtype;
};

static const struct axt_param params[] = {
	AXT_FLAG_OF(struct dot, strict, "only M* with M; an axis left in both is an error",
	    .excludes = "plain", .was = "mode=strict"),
	AXT_FLAG_OF(struct dot, plain, "stars pair with nothing; equal axes contract",
	    .was = "mode=plain"),
	AXT_AXES_OF(struct dot, over, "contract exactly these axes"),
	AXT_AXES_OF(struct dot, keep, "shared axes to keep, as a batch"),
	AXT_DTYPE_OF(struct dot, accumulate, "sum in this dtype (default: by class)",
	    .arg = "TYPE|tf32", .words = "tf32"),
	AXT_DTYPE_OF(struct dot, dtype, "dtype of the result"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct dot *o = AXT_VALUES(struct dot, c);

	return axt_multi_dot(g, c->n, c->in,
	    &(struct axt_dot_opts){ .strict = o->strict,
		.plain = o->plain,
		.over = o->over,
		.keep = o->keep,
		.accumulate = o->accumulate,
		.dtype = o->dtype });
}

const struct axt_operation axt_operation_dot = {
	.name = "dot",
	.line = "products of tensors, summed over the axes they share",
	.operands = "A B",
	.params = params,
	.size = sizeof(struct dot),
	.flags = AXT_OPERATION_MANY | AXT_OPERATION_MEET,
	.build = build,
};
