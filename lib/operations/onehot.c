/* onehot.c - integers as a new axis that is 1 at the index that is the value, else 0. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

/* The new axis with its length. */
static int
new_axis(struct axt_graph *g, const struct axt_expr *a, const char *spec, struct axt_axes *x)
{
	if (axt_axes_parse(g->m, spec, true, x, NULL, &g->err))
		return g->err.code;
	if (x->n != 1 || x->a[0].len < 0) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no AXIS=LEN", axt_escape(g->m, spec));
		return axt_about(&g->err, AXT_BAD_WORD, spec, "AXIS=LEN");
	}
	if (axt_axes_find(&a->axes, &x->a[0]) >= 0) {
		axt_fail(&g->err, AXT_E_AXES, "axis \"%s\" is in %s already (%s)",
		    axt_escape(g->m, axt_axis_spell(g->m, &x->a[0])), a->from,
		    axt_axes_text(g->m, &a->axes));
		return axt_about(&g->err, AXT_AXIS_THERE, axt_axis_spell(g->m, &x->a[0]), a->from);
	}
	return AXT_OK;
}

/* An integer dtype that holds the values of d and n. */
static enum axt_dtype
wide_enough(enum axt_dtype d, int64_t n)
{
	struct axt_num len = { .is_int = true, .i = n, .u = (uint64_t)n, .f = (double)n };
	char p[16];

	return axt_num_store(&len, d, p) ? d : AXT_I64;
}

struct axt_expr *
axt_onehot(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_expr *iota, *index, *y;
	struct axt_axes x;
	enum axt_dtype d;

	if (axt_refused(g, a) || new_axis(g, a, spec, &x))
		return axt_node_failed(g);
	if (axt_dtypes[a->dtype].cls != AXT_CLASS_INT &&
	    axt_dtypes[a->dtype].cls != AXT_CLASS_UINT) {
		axt_fail(&g->err, AXT_E_DTYPE, "indices are integers, and %s is %s", a->from,
		    axt_dtypes[a->dtype].name);
		axt_about(&g->err, AXT_OTHER_DTYPE, axt_dtypes[a->dtype].name, a->from);
		axt_hint(&g->err, "axt-cast --dtype i64 makes integers of it");
		return axt_node_failed(g);
	}
	d = wide_enough(a->dtype, x.a[0].len);
	index = axt_map2(g, AXT_OP_INDEX, axt_conv(g, a, d, AXT_OVERFLOW_ERROR),
	    axt_const(g, d, (double)x.a[0].len));
	if (axt_bad(index))
		return index;
	index->from = a->from;
	iota = axt_gen(g, "iota", &x, d, 0, 0, 1);
	y = axt_map2(g, AXT_OP_EQ, index, iota);
	if (axt_dress(g, &y, index))
		y->from = "result";
	return y;
}

/* ---- the operation ---- */

static const struct axt_param params[] = {
	AXT_AXES_OF(struct axt_one, axis, "the new axis", .arg = "AXIS=LEN",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_LENGTHS),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_onehot = {
	.name = "onehot",
	.line = "one-hot encoding of integers along a new axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_onehot,
};
