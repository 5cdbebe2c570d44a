/*
 * dot.c - contraction: which axes pair, which dtype, and which node does it. A product of matrices is a
 * DOT node; what moves more bytes than it computes (a vector or a number on one side) is a sum of
 * products, an outer product a product.
 */
#include "expr.h"

static const struct axt_axes *
parse(struct axt_graph *g, const char *list, struct axt_axes *out)
{
	if (!list || axt_axes_parse(g->m, list, false, out, NULL, &g->err))
		return NULL;
	return out;
}

/* Integers give 64-bit sums, as a sum does; bool is or-of-and. */
static enum axt_dtype
result_dtype(enum axt_dtype t)
{
	switch (axt_dtypes[t].cls) {
	case AXT_CLASS_INT:
		return AXT_I64;
	case AXT_CLASS_UINT:
		return AXT_U64;
	default:
		return t;
	}
}

/* The dtype the products are summed in: a count of 0 and 1 is 0 only when all are. */
static enum axt_dtype
sum_dtype(enum axt_dtype t)
{
	return t == AXT_BOOL ? AXT_F32 : axt_dtypes[result_dtype(t)].comp;
}

static int64_t
lengths(const struct axt_axes *x, const int *which, int n)
{
	int64_t p = 1;

	for (int i = 0; i < n; i++)
		p *= x->a[which[i]].len;
	return p;
}

/* a with its contracted axes renamed sum0, sum1... so that both operands agree on them. */
static struct axt_expr *
with_sums(struct axt_graph *g, struct axt_expr *a, const int *k, int nk, const char *prefix)
{
	struct axt_axes x = a->axes;

	for (int i = 0; i < nk; i++) {
		x.a[k[i]] = (struct axt_axis){ .name = axt_sprintf(g->m, "%s%d", prefix, i),
		    .len = x.a[k[i]].len };
		if (!x.a[k[i]].name)
			return axt_node_failed(g);
	}
	return axt_relabel(g, a, &x, axt_identity);
}

/* A beginning of names that no axis has. */
static const char *
fresh_prefix(struct axt_graph *g, const struct axt_axes *a, const struct axt_axes *b)
{
	const char *p = "sum";
	bool taken = true;

	while (taken && p) {
		taken = false;
		for (int i = 0; i < a->n + b->n; i++)
			taken = taken || strncmp((i < a->n ? &a->a[i] : &b->a[i - a->n])->name, p,
			    strlen(p)) == 0;
		if (taken)
			p = axt_sprintf(g->m, "_%s", p);
	}
	return p;
}

/* sum(a * b) over the pairs: memory is what limits it, and the reductions read at its speed. */
static struct axt_expr *
sum_of_products(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *p)
{
	const char *prefix = fresh_prefix(g, &a->axes, &b->axes);
	struct axt_expr *e;
	struct axt_buf over = { 0 };

	if (!prefix)
		return axt_node_failed(g);
	a = with_sums(g, a, p->ka, p->nk, prefix);
	b = with_sums(g, b, p->kb, p->nk, prefix);
	e = axt_bad(a) || axt_bad(b) ? axt_node_failed(g) : axt_map2(g, AXT_OP_MUL, a, b);
	for (int i = 0; i < p->nk; i++)
		axt_buf_addf(&over, "%s%s%d", i ? "," : "", prefix, i);
	if (p->nk > 0)
		e = over.bad ? axt_node_failed(g) : axt_reduce(g, AXT_RED_SUM, e,
		    &(struct axt_reduce_opts){ .over = over.p, .nan = -1, .dtype = a->dtype });
	axt_buf_release(&over);
	return e;
}

/* A product of matrices: axes kept, a's rest, b's rest. */
static struct axt_expr *
matrix_product(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *p)
{
	struct axt_expr *e = axt_node_like(g, AXT_NODE_DOT, a);

	if (axt_bad(e))
		return e;
	e->nargs = 2;
	e->arg[0] = a;
	e->arg[1] = b;
	e->u.dot = p;
	e->axes.n = 0;
	for (int i = 0; i < p->nb + p->nm; i++)
		e->axes.a[e->axes.n++] = a->axes.a[i < p->nb ? p->ba[i] : p->ma[i - p->nb]];
	for (int i = 0; i < p->nn; i++)
		e->axes.a[e->axes.n++] = b->axes.a[p->nbx[i]];
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	return e;
}

/* The contraction of two operands of dtype acc, its axes those of the pairing. */
static struct axt_expr *
contract(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_pairing *p)
{
	int src[AXT_MAX_RANK];
	struct axt_expr *e;

	if (p->nk == 0 || lengths(&a->axes, p->ma, p->nm) <= 1 ||
	    lengths(&b->axes, p->nbx, p->nn) <= 1)
		e = sum_of_products(g, a, b, p);
	else
		e = matrix_product(g, a, b, p);
	if (axt_bad(e))
		return e;
	for (int i = 0; i < p->out.n; i++)
		src[i] = axt_axes_find(&e->axes, &p->out.a[i]);
	e = axt_relabel(g, e, &p->out, src);
	e->asked = true;		/* an outer product is what a dot may be */
	return e;
}

static struct axt_expr *
dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_dot_opts *o,
    const struct axt_axes *over, const struct axt_axes *keep)
{
	struct axt_pairing *p = axt_alloc(g->m, sizeof *p);
	enum axt_dtype t = axt_promote(a->dtype, b->dtype);
	enum axt_dtype acc = o->accumulate >= 0 ? o->accumulate : sum_dtype(t);
	enum axt_dtype res = o->dtype >= 0 ? o->dtype : o->accumulate >= 0 ? acc : result_dtype(t);
	struct axt_expr *e;

	if (!p || axt_axes_pair(g->m, &a->axes, &b->axes, o->strict ? AXT_PAIR_STRICT
	    : o->plain ? AXT_PAIR_PLAIN : AXT_PAIR_DEFAULT, over, keep, &g->join, p, &g->err))
		return axt_node_failed(g);
	if (!axt_kern_gemm(acc))
		return axt_graph_fail(g,
		    AXT_E_DTYPE, "dot accumulates in i64, u64, f32, f64, c64 or c128, not %s",
		    axt_dtypes[acc].name);
	e = contract(g, axt_conv(g, a, acc, AXT_OVERFLOW_ERROR),
	    axt_conv(g, b, acc, AXT_OVERFLOW_ERROR), p);
	if (axt_bad(e))
		return e;
	e = axt_conv(g, e, res, AXT_OVERFLOW_ERROR);
	if (axt_bad(e))
		return e;
	e->meta = axt_meta_map(g, AXT_OP_MUL, 2, (struct axt_expr *[]){ a, b }, e);
	e->from = "result";
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_dot_opts *o)
{
	static const struct axt_dot_opts plain = { .accumulate = AXT_DTYPE_AUTO,
	    .dtype = AXT_DTYPE_AUTO };
	struct axt_axes over, keep;
	const struct axt_axes *ov, *kp;

	if (axt_bad(a) || axt_bad(b))
		return axt_node_failed(g);
	o = o ? o : &plain;
	if (o->strict && o->plain)
		return axt_graph_fail(g, AXT_E_ARG, "strict and plain do not go together");
	ov = parse(g, o->over, &over);
	kp = parse(g, o->keep, &keep);
	return g->err.code ? axt_node_failed(g) : dot(g, a, b, o, ov, kp);
}

struct axt_expr *
axt_dot_given(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *pairs)
{
	struct axt_pairing *p = axt_alloc(g->m, sizeof *p);

	if (!p || axt_axes_pair_given(g->m, &a->axes, &b->axes, pairs, &g->join, p, &g->err))
		return axt_node_failed(g);
	if (!axt_kern_gemm(a->dtype) || a->dtype != b->dtype)
		return axt_graph_fail(g, AXT_E_DTYPE, "dot of %s and %s is not typed",
		    axt_dtypes[a->dtype].name, axt_dtypes[b->dtype].name);
	return matrix_product(g, a, b, p);
}
