/* softmax.c - exponentials divided by their sum, built from nodes that fuse. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

/* The dtype to compute in: f32 for 16-bit floats, which are rounded once, at the end. */
static enum axt_dtype
compute_dtype(enum axt_dtype d)
{
	return d == AXT_F16 || d == AXT_BF16       ? AXT_F32
	    : axt_dtypes[d].cls == AXT_CLASS_FLOAT ? d
						   : AXT_F64;
}

struct axt_expr *
axt_softmax(struct axt_graph *g, struct axt_expr *a, const char *along)
{
	const struct axt_reduce_opts *o = &(struct axt_reduce_opts){ .over = along };
	struct axt_expr *x, *e;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_undefined(g, "softmax", a);
	x = axt_cast_dtype(g, a, compute_dtype(a->dtype), AXT_OVERFLOW_ERROR);
	e = axt_map1(g, AXT_OP_EXP,
	    axt_map2(g, AXT_OP_SUB, x, axt_reduce_grouped(g, AXT_RED_MAX, x, o, NULL)));
	e = axt_map2(g, AXT_OP_DIV, e, axt_reduce_grouped(g, AXT_RED_SUM, e, o, NULL));
	return axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT
	    ? axt_conv(g, e, a->dtype, AXT_OVERFLOW_ERROR)
	    : e;
}

/* ---- the operation ---- */

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, along, "the axes", .flags = AXT_PARAM_REQUIRED),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_softmax = {
	.name = "softmax",
	.line = "exponentials divided by their sum",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_softmax,
};
