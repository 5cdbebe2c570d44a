/* fillnan.c - missing values replaced by those of another tensor, or between neighbours. */
#include "expr/expr.h"
#include "axt_operation.h"

struct fillnan {
	const char *along;
	int method;
	int64_t limit, max_gap;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct fillnan, along, "fill from the neighbours along this axis",
	    .flags = AXT_PARAM_ONE | AXT_PARAM_INSTEAD),
	AXT_CHOICE_OF(struct fillnan, method, "linear|nearest",
	    "on a line between two values, or the nearest one", .needs = "along"),
	AXT_INTEGER_OF(struct fillnan, limit, 1, INT32_MAX,
	    "fill at most N in a row (default: all)", .needs = "along"),
	AXT_INTEGER_OF(struct fillnan, max_gap, 1, INT32_MAX,
	    "fill only gaps of at most N values, and these whole", .needs = "along"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct fillnan *o = AXT_VALUES(struct fillnan, c);

	if (o->along && c->n > 1)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "fillnan takes what fills A, or along, and not both");
	if (o->along)
		return axt_fillnan_along(g, c->in[0], o->along, o->method == 1, (int)o->limit,
		    (int)o->max_gap);
	if (c->n < 2)
		return axt_graph_fail(g, AXT_E_SYNTAX, "fillnan needs B, which fills A, or along");
	/* numbers have no names and axes, which the result would lack */
	if (axt_is_weak(c->in[0]) && !axt_is_weak(c->in[1]) &&
	    c->in[0]->u.val.num.f == c->in[0]->u.val.num.f)
		return axt_is_number_here(g,
		    "the tensor that fillnan fills is operand A, and not a number");
	return axt_fillnan(g, c->in[0], c->in[1]);
}

const struct axt_operation axt_operation_fillnan = {
	.name = "fillnan",
	.line = "replace missing values: A, and B where A is NaN",
	.operands = "A [B]",
	.params = params,
	.size = sizeof(struct fillnan),
	.flags = AXT_OPERATION_MEET | AXT_OPERATION_WIDE | AXT_OPERATION_NUMBERS,
	.kind = AXT_OP_FILLNAN,
	.build = build,
};
