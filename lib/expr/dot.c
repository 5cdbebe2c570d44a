/* dot.c - contraction nodes: which axes pair, which dtype. */
#include "expr.h"

static const struct axt_axes *
parse(struct axt_graph *g, const char *list, struct axt_axes *out)
{
	if (!list || axt_axes_parse(g->m, list, false, out, NULL, &g->err))
		return NULL;
	return out;
}

/* Integers and bool give 64-bit sums, as a sum does. */
static enum axt_dtype
result_dtype(enum axt_dtype t)
{
	switch (axt_dtypes[t].cls) {
	case AXT_CLASS_BOOL:
	case AXT_CLASS_INT:
		return AXT_I64;
	case AXT_CLASS_UINT:
		return AXT_U64;
	default:
		return t;
	}
}

/* The dtype the products are summed in. */
static enum axt_dtype
sum_dtype(enum axt_dtype t)
{
	return axt_dtypes[result_dtype(t)].comp;
}

static bool
accumulates(enum axt_dtype d)
{
	return d == AXT_I64 || d == AXT_U64 || d == AXT_F32 || d == AXT_F64 || d == AXT_C64 ||
	    d == AXT_C128;
}

static struct axt_expr *
dot_node(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_pairing *p,
    enum axt_dtype acc, enum axt_dtype d)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_DOT, d);

	if (axt_bad(e))
		return e;
	e->nargs = 2;
	e->arg[0] = axt_conv(g, a, acc, AXT_OVERFLOW_ERROR);
	e->arg[1] = axt_conv(g, b, acc, AXT_OVERFLOW_ERROR);
	e->u.dot = p;
	e->axes = p->out;
	e->meta = axt_meta_map(g, AXT_OP_MUL, 2, (struct axt_expr *[]){ a, b }, e);
	if (!e->meta || axt_bad(e->arg[0]) || axt_bad(e->arg[1]))
		return axt_node_failed(g);
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	return e;
}

struct axt_expr *
axt_dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_dot_opts *o)
{
	static const struct axt_dot_opts plain = { .accumulate = AXT_DTYPE_AUTO,
	    .dtype = AXT_DTYPE_AUTO };
	struct axt_axes over, keep;
	const struct axt_axes *ov, *kp;
	struct axt_pairing *p;
	enum axt_dtype t, acc;

	if (axt_bad(a) || axt_bad(b))
		return axt_node_failed(g);
	o = o ? o : &plain;
	if (o->strict && o->plain)
		return axt_graph_fail(g, AXT_E_ARG, "strict and plain do not go together");
	ov = parse(g, o->over, &over);
	kp = parse(g, o->keep, &keep);
	p = axt_alloc(g->m, sizeof *p);
	if (g->err.code || !p)
		return axt_node_failed(g);
	if (axt_axes_pair(g->m, &a->axes, &b->axes, o->strict ? AXT_PAIR_STRICT
	    : o->plain ? AXT_PAIR_PLAIN : AXT_PAIR_DEFAULT, ov, kp, &g->join, p, &g->err))
		return axt_node_failed(g);
	t = axt_promote(a->dtype, b->dtype);
	acc = o->accumulate >= 0 ? o->accumulate : sum_dtype(t);
	if (!accumulates(acc))
		return axt_graph_fail(g,
		    AXT_E_DTYPE, "dot accumulates in i64, u64, f32, f64, c64 or c128, not %s",
		    axt_dtypes[acc].name);
	return dot_node(g, a, b, p, acc,
	    o->dtype >= 0 ? o->dtype : o->accumulate >= 0 ? acc : result_dtype(t));
}

struct axt_expr *
axt_dot_given(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *pairs, enum axt_dtype d)
{
	struct axt_pairing *p = axt_alloc(g->m, sizeof *p);

	if (!p || axt_axes_pair_given(g->m, &a->axes, &b->axes, pairs, &g->join, p, &g->err))
		return axt_node_failed(g);
	if (!accumulates(a->dtype) || a->dtype != b->dtype)
		return axt_graph_fail(g, AXT_E_DTYPE, "dot of %s and %s is not typed",
		    axt_dtypes[a->dtype].name, axt_dtypes[b->dtype].name);
	return dot_node(g, a, b, p, a->dtype, d);
}
