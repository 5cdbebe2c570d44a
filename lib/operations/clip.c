/* clip.c - every element limited to a range, whose ends are numbers or tensors. */
#include "expr/expr.h"
#include "axt_operation.h"

static const struct axt_param params[] = { AXT_PARAMS_END };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_expr *a = c->in[0], *lo = c->in[1], *hi = c->in[2];

	/* numbers have no names and axes, which the result would lack */
	if (axt_is_weak(a) && !(axt_is_weak(lo) && axt_is_weak(hi)))
		return axt_is_number_here(g,
		    "the tensor that clip limits is operand A, and not a number");
	if (axt_is_weak(lo) && axt_is_weak(hi) && lo->u.val.num.f > hi->u.val.num.f)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "the lower limit of clip, %.17g, is greater than the upper, %.17g",
		    lo->u.val.num.f, hi->u.val.num.f);
	return axt_clip(g, c->in[0], c->in[1], c->in[2]);
}

const struct axt_operation axt_operation_clip = {
	.name = "clip",
	.line = "limit every element to the range LO to HI",
	.operands = "A LO HI",
	.typed = "LO HI A",
	.params = params,
	.flags = AXT_OPERATION_STDIN | AXT_OPERATION_MEET | AXT_OPERATION_WIDE |
	    AXT_OPERATION_NUMBERS,
	.kind = AXT_OP_CLIP,
	.build = build,
};
