/*
 * dot.c - contraction: which axes pair, the dtype of the result, the order of the contractions, and
 * the nodes that they are made of. Operands are paired from left to right; once it is known which
 * of their axes are the same index, they may be contracted in any order. A product of matrices
 * becomes a DOT node. Products that move more than they compute (one side is a vector or a number)
 * become a sum of products, and outer products become a product.
 */
#include "base/quote.h"
#include "expr/expr.h"

#define MAX_OPERANDS 12 /* the order is found by trying 3^n ways to split n operands */
#define MOVE_FLOPS 16   /* moving an element costs about as much as this many flops */

/* An index, as in einsum: the axes of operands that share it are contracted, or kept, together. */
struct index {
	struct axt_axis axis; /* a name of its own, no coordinates */
	bool summed;
	unsigned in; /* bit k: operand k has it */
};

/* An operand, or the contraction of several. id[i] is the index that its axis i stands for. */
struct term {
	struct axt_expr *e;
	int n, id[AXT_MAX_RANK];
};

struct chain {
	struct axt_graph *g;
	struct term term[MAX_OPERANDS];
	int n;
	bool tf32;
	struct index index[MAX_OPERANDS * AXT_MAX_RANK];
	int nindex;
	/*
	 * [s], for each set s of operands, one bit each: the least cost of contracting them, and
	 * which of them are then on the left of the last contraction
	 */
	double cost[1 << MAX_OPERANDS];
	unsigned left[1 << MAX_OPERANDS];
};

static const struct axt_axes *
parse(struct axt_graph *g, const char *list, struct axt_axes *out)
{
	if (!list || axt_axes_parse(g->m, list, false, out, NULL, &g->err))
		return NULL;
	return out;
}

/*
 * The dtype of the result for operands of dtype t. Integers are summed in 64 bits, as axt-reduce
 * sum does; the sum of bool is "or" and the product is "and".
 */
static enum axt_dtype
result_dtype(enum axt_dtype t)
{
	switch (axt_dtypes[t].cls) {
	case AXT_CLASS_INT: return AXT_I64;
	case AXT_CLASS_UINT: return AXT_U64;
	default: return t;
	}
}

/*
 * The dtype that products of operands of dtype t are summed in. For bool the products that are true
 * are counted, in f32; the result is whether the count is more than 0.
 */
static enum axt_dtype
sum_dtype(enum axt_dtype t)
{
	return t == AXT_BOOL ? AXT_F32 : axt_dtypes[result_dtype(t)].comp;
}

/* The dtype that products of integers are summed in where the result is of dtype d. */
static enum axt_dtype
wanted_sum(enum axt_dtype t, enum axt_dtype d)
{
	bool integers = axt_dtypes[t].cls < AXT_CLASS_FLOAT && t != AXT_BOOL;

	return integers && axt_dtypes[d].cls >= AXT_CLASS_FLOAT ? axt_promote(AXT_F64, d)
								: sum_dtype(t);
}

/* ---- indices ---- */

/* Makes a new index, named like the axis unless another index has that name. */
static int
new_index(struct chain *c, const struct axt_axis *x)
{
	struct index *d = &c->index[c->nindex];

	*d = (struct index){ .axis = { .name = x->name, .level = x->level, .len = x->len } };
	for (int i = 0; i < c->nindex; i++)
		if (axt_axis_same(&c->index[i].axis, &d->axis)) {
			d->axis.name = axt_sprintf(c->g->m, "%s.%d", x->name, c->nindex);
			i = -1;
			if (!d->axis.name)
				return axt_fail(&c->g->err, AXT_E_MEM, "out of memory"), 0;
			d->axis.level = 0;
			x = &d->axis;
		}
	return c->nindex++;
}

/* A list of axes that the user gave, and which of them some pair of operands has had. */
struct list {
	const struct axt_axes *axes; /* NULL: there is none */
	bool used[AXT_MAX_RANK];
};

/*
 * Those axes of the list that both a and b have, in *out: on the same level, or with `below` in b
 * one level below. NULL: there is no list.
 */
static const struct axt_axes *
in_both(struct list *l, const struct axt_axes *a, const struct axt_axes *b, bool below,
    struct axt_axes *out)
{
	out->n = 0;
	for (int i = 0; l->axes && i < l->axes->n; i++) {
		struct axt_axis x = l->axes->a[i], y = x;

		y.level -= below;
		if (axt_axes_find(a, &x) < 0 ||
		    (axt_axes_find(b, &x) < 0 && axt_axes_find(b, &y) < 0))
			continue;
		out->a[out->n++] = x;
		l->used[i] = true;
	}
	return l->axes ? out : NULL;
}

/*
 * Fails if an axis of the list was in no pair of operands. With several operands, it may be missing
 * in some of the pairs.
 */
static int
all_used(struct chain *c, const struct list *l, const struct axt_axes *x)
{
	for (int i = 0; l->axes && i < l->axes->n; i++)
		if (!l->used[i]) {
			const char *name = axt_axis_spell(c->g->m, &l->axes->a[i]);

			axt_fail(&c->g->err, AXT_E_NAME,
			    "no two operands have the axis \"%s\" (the result: %s)",
			    axt_escape(c->g->m, name), axt_axes_text(c->g->m, x));
			return axt_about(&c->g->err, AXT_NO_AXIS, name, NULL);
		}
	return 0;
}

/*
 * Pairs the axes of operand k with those of what the operands before it are contracted to, whose
 * axes are x and whose indices are id. x and id become those of the result with operand k.
 */
static int
pair_next(struct chain *c, int k, struct axt_axes *x, int id[], const struct axt_dot_opts *o,
    struct list *over, struct list *keep)
{
	struct axt_graph *g = c->g;
	struct term *t = &c->term[k];
	struct axt_pairing *p = axt_alloc(g->m, sizeof(*p));
	const struct axt_axes *ov = over->axes, *kp = keep->axes;
	struct axt_axes some[2];
	int old[AXT_MAX_RANK], n = 0;

	if (c->n > 2) {
		ov = in_both(over, x, &t->e->axes, true, &some[0]);
		kp = in_both(keep, x, &t->e->axes, false, &some[1]);
	}
	if (!p ||
	    axt_axes_pair(g->m, x, &t->e->axes,
		o->strict      ? AXT_PAIR_STRICT
		    : o->plain ? AXT_PAIR_PLAIN
			       : AXT_PAIR_DEFAULT,
		ov, kp, &g->join, p, &g->err))
		return -1;
	memcpy(old, id, sizeof(old));
	for (int i = 0; i < p->nk; i++) {
		t->id[p->kb[i]] = old[p->ka[i]];
		c->index[old[p->ka[i]]].summed = true;
	}
	for (int i = 0; i < p->nb; i++)
		t->id[p->bb[i]] = old[p->ba[i]];
	for (int i = 0; i < p->nn; i++)
		t->id[p->nbx[i]] = new_index(c, &t->e->axes.a[p->nbx[i]]);
	for (int i = 0; i < x->n; i++)
		if (!c->index[old[i]].summed)
			id[n++] = old[i];
	for (int i = 0; i < p->nn; i++)
		id[n++] = t->id[p->nbx[i]];
	*x = p->out;
	return g->err.code ? -1 : 0;
}

/*
 * Renames the axes of operand k to the names of their indices, so that equal names mean equal
 * indices, and converts the operand to dtype acc.
 */
static void
name_axes(struct chain *c, int k, enum axt_dtype acc)
{
	struct term *t = &c->term[k];
	struct axt_axes x = { .n = t->n };

	for (int i = 0; i < t->n; i++) {
		x.a[i] = c->index[t->id[i]].axis;
		c->index[t->id[i]].in |= 1u << k;
	}
	t->e = axt_relabel(c->g, axt_conv(c->g, t->e, acc, AXT_OVERFLOW_ERROR), &x, axt_identity);
}

/* ---- order ---- */

/*
 * Whether the contraction of the operands in `set` still has the index d: the index is kept, or an
 * operand outside of the set has it, too.
 */
static bool
has_index(const struct index *d, unsigned set)
{
	return (d->in & set) && (!d->summed || (d->in & ~set));
}

/*
 * The number of elements over all indices that set a or set b still has. With b empty, this is the
 * size of the contraction of a; with two sets, the work of contracting them with each other.
 */
static double
elements(const struct chain *c, unsigned a, unsigned b)
{
	double n = 1;

	for (int i = 0; i < c->nindex; i++)
		if (has_index(&c->index[i], a) || has_index(&c->index[i], b))
			n *= (double)c->index[i].axis.len;
	return n;
}

/* For each set of operands, finds the cheapest way to contract two smaller sets into it. */
static void
choose_order(struct chain *c)
{
	unsigned all = (1u << c->n) - 1;

	for (unsigned s = 1; s <= all; s++) {
		double size = elements(c, s, 0);

		c->cost[s] = s & (s - 1) ? 1e300 : 0;
		c->left[s] = 0;
		/* of the two sides, the one with the first operand is the left */
		for (unsigned a = (s - 1) & s; a; a = (a - 1) & s) {
			double cost = c->cost[a] + c->cost[s & ~a] + 2 * elements(c, a, s & ~a) +
			    MOVE_FLOPS * (elements(c, a, 0) + elements(c, s & ~a, 0) + size);

			if ((a & (s & -s)) && cost < c->cost[s]) {
				c->cost[s] = cost;
				c->left[s] = a;
			}
		}
	}
}

/* ---- nodes ---- */

/*
 * The contraction of a and b as sum(a * b). For a vector or a number, the speed of memory is the
 * limit, and reductions reach it.
 */
static struct axt_expr *
sum_of_products(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *p)
{
	const char *over = axt_axes_typed(g->m, &a->axes, p->ka, p->nk);
	struct axt_expr *e = over ? axt_map2(g, AXT_OP_MUL, a, b) : axt_node_failed(g);

	if (axt_bad(e))
		return e;
	/* an outer product is what the user of a dot may mean, so it is not refused */
	e->outer = false;
	return p->nk == 0
	    ? e
	    : axt_reduce_grouped(g, AXT_RED_SUM, e,
		  &(struct axt_reduce_opts){ .over = over, .nan = -1, .dtype = a->dtype }, NULL);
}

/*
 * The contraction of a and b as a product of matrices. The axes of the result are the batch axes,
 * which both operands have, then the other axes of a, then those of b.
 */
static struct axt_expr *
matrix_product(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, struct axt_pairing *p)
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

/* Contracts two terms over the indices that neither the result nor any other operand has. */
static struct axt_expr *
contract(struct chain *c, const struct axt_expr *x, const struct axt_expr *y, unsigned set)
{
	struct axt_graph *g = c->g;
	struct axt_expr *a = (struct axt_expr *)x, *b = (struct axt_expr *)y;
	struct axt_pairing given = { 0 }, *p = axt_alloc(g->m, sizeof(*p));

	if (axt_bad(a) || axt_bad(b))
		return axt_node_failed(g);
	for (int i = 0; i < c->nindex; i++) {
		int ka = axt_axes_find(&a->axes, &c->index[i].axis),
		    kb = axt_axes_find(&b->axes, &c->index[i].axis);

		if (ka < 0 || kb < 0)
			continue;
		if (has_index(&c->index[i], set)) {
			given.ba[given.nb] = ka;
			given.bb[given.nb++] = kb;
		} else {
			given.ka[given.nk] = ka;
			given.kb[given.nk++] = kb;
		}
	}
	if (!p || axt_axes_pair_given(g->m, &a->axes, &b->axes, &given, &g->join, p, &g->err))
		return axt_node_failed(g);
	p->tf32 = c->tf32;
	if (p->nk == 0 || axt_axes_product(&a->axes, p->ma, p->nm) <= 1 ||
	    axt_axes_product(&b->axes, p->nbx, p->nn) <= 1)
		return sum_of_products(g, a, b, p);
	return matrix_product(g, a, b, p);
}

static struct axt_expr *
build(struct chain *c, unsigned set)
{
	unsigned a = c->left[set];

	if (a == 0)
		return c->term[__builtin_ctz(set)].e;
	return contract(c, build(c, a), build(c, set & ~a), set);
}

/* Contracts the whole chain in the order chosen. The result's axes are x; id are their indices. */
static struct axt_expr *
contract_all(struct chain *c, const struct axt_axes *x, const int id[])
{
	struct axt_expr *e = build(c, (1u << c->n) - 1);
	int src[AXT_MAX_RANK];

	if (axt_bad(e))
		return e;
	for (int i = 0; i < x->n; i++)
		src[i] = axt_axes_find(&e->axes, &c->index[id[i]].axis);
	return axt_relabel(c->g, e, x, src);
}

/*
 * Whether e, or what it is a view of, is made by axt_onehot, here or in the plan of a pipe or of a
 * saved expression: an index compared with 0, 1, 2...
 */
static bool
is_onehot(const struct axt_expr *e)
{
	for (;;)
		if (e->kind == AXT_NODE_VIEW)
			e = e->arg[0];
		else if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
			e = *e->u.leaf.plan;
		else
			break;
	return e->kind == AXT_NODE_MAP && e->u.op == AXT_OP_EQ && e->nargs == 2 &&
	    e->arg[0]->kind == AXT_NODE_MAP && e->arg[0]->u.op == AXT_OP_INDEX;
}

/* A dot of one-hot tensors is mostly meant to count, and that of bool does not. */
static void
warn_onehot(struct axt_graph *g, int n, struct axt_expr *const a[])
{
	int k = 0;

	while (k < n && !is_onehot(a[k]))
		k++;
	if (k < n)
		axt_warn(g,
		    "dot of bool is the or of ands, and counts nothing: accumulate=i64 counts, "
		    "dtype=bool says that or is meant (axt-dot --accumulate i64, --dtype bool)");
}

/*
 * Names for the axes of b with which the product of a and b is NumPy's matrix product, as
 * "dim_0=dim_1,dim_1=dim_2". NULL: some axis has a name, the user said which axes to pair, or the
 * lengths do not fit.
 */
static const char *
as_matrices(struct axt_graph *g, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_dot_opts *o)
{
	const char *s = "";

	if (o->over || o->keep || a->n < 2 || b->n < 1 || !axt_axes_numbered(a) ||
	    !axt_axes_numbered(b) || a->a[a->n - 1].len != b->a[0].len)
		return NULL;
	for (int i = 0; s && i < b->n; i++)
		s = axt_sprintf(g->m, "%s%sdim_%d=dim_%d", s, i ? "," : "", i, a->n - 1 + i);
	return s;
}

static struct axt_expr *
dots(struct axt_graph *g, int n, struct axt_expr *const a[], const struct axt_dot_opts *o,
    struct list *over, struct list *keep)
{
	struct chain *c = axt_alloc(g->m, sizeof(*c));
	enum axt_dtype t = a[0]->dtype, acc, res;
	struct axt_axes x = a[0]->axes;
	int id[AXT_MAX_RANK];
	const char *renamed;
	struct axt_expr *e;

	if (!c)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	c->g = g;
	c->n = n;
	for (int k = 0; k < n; k++) {
		c->term[k] = (struct term){ .e = a[k], .n = a[k]->axes.n };
		t = axt_promote(t, a[k]->dtype);
	}
	c->tf32 = o->accumulate == AXT_TF32;
	acc = c->tf32 ? AXT_F32 : o->accumulate ? o->accumulate : wanted_sum(t, o->dtype);
	res = o->dtype ? o->dtype : o->accumulate ? acc : result_dtype(t);
	if (t == AXT_BOOL && !o->accumulate && !o->dtype)
		warn_onehot(g, n, a);
	if (!axt_kern_gemm(acc))
		return axt_graph_fail(g, AXT_E_DTYPE,
		    "dot accumulates in i64, u64, f32, f64, c64 or c128, not %s",
		    axt_dtypes[acc].name);
	for (int i = 0; i < x.n; i++)
		id[i] = c->term[0].id[i] = new_index(c, &x.a[i]);
	renamed = n == 2 ? as_matrices(g, &a[0]->axes, &a[1]->axes, o) : NULL;
	for (int k = 1; k < n; k++)
		if (pair_next(c, k, &x, id, o, over, keep)) {
			if (renamed && g->err.code == AXT_E_AXES)
				axt_hint(&g->err,
				    "for the product of matrices: axt-rename %s %s, or "
				    "rename(..., %s) in axt-calc",
				    axt_typed(g->m, "%s", renamed),
				    axt_typed(g->m, "%s", a[1]->from), renamed);
			else if (n == 2 && g->err.code == AXT_E_AXES &&
			    (renamed = as_matrices(g, &a[1]->axes, &a[0]->axes, o)))
				axt_hint(&g->err,
				    "for the product of matrices in the other order: axt-rename "
				    "%s %s | axt-dot %s -, or dot(b, rename(a, %s)) in axt-calc",
				    axt_typed(g->m, "%s", renamed),
				    axt_typed(g->m, "%s", a[0]->from),
				    axt_typed(g->m, "%s", a[1]->from), renamed);
			else if (n == 2)
				axt_hint_meet(g, 2, a);
			return axt_node_failed(g);
		}
	if (renamed)
		axt_warn(g,
		    "dot sums over all axes that both have: %s (%s), %s (%s); for the product of "
		    "matrices: axt-rename %s %s, or rename(..., %s) in axt-calc",
		    a[0]->from, axt_axes_text(g->m, &a[0]->axes), a[1]->from,
		    axt_axes_text(g->m, &a[1]->axes), axt_typed(g->m, "%s", renamed),
		    axt_typed(g->m, "%s", a[1]->from), renamed);
	if (n > 2 && (all_used(c, over, &x) || all_used(c, keep, &x)))
		return axt_node_failed(g);
	for (int k = 0; k < n; k++)
		name_axes(c, k, acc);
	choose_order(c);
	e = contract_all(c, &x, id);
	e = axt_bad(e) ? e : axt_conv(g, e, res, AXT_OVERFLOW_ERROR);
	if (axt_bad(e))
		return e;
	e->meta = axt_meta_map(g, AXT_OP_MUL, n, a, e);
	e->from = "result";
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_multi_dot(struct axt_graph *g, int n, struct axt_expr *const a[], const struct axt_dot_opts *o)
{
	static const struct axt_dot_opts plain = { 0 };
	struct axt_axes *x = axt_alloc(g->m, 2 * sizeof(*x));
	struct list over = { 0 }, keep = { 0 };

	for (int i = 0; i < n; i++)
		if (axt_refused(g, a[i]))
			return axt_node_failed(g);
	if (n < 2 || n > MAX_OPERANDS)
		return axt_graph_fail(g, AXT_E_ARG, "a dot takes 2 to %d operands, not %d",
		    MAX_OPERANDS, n);
	o = o ? o : &plain;
	if (o->strict && o->plain)
		return axt_graph_fail(g, AXT_E_ARG, "strict and plain do not go together");
	if (!x)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	over.axes = parse(g, o->over, &x[0]);
	keep.axes = parse(g, o->keep, &x[1]);
	return g->err.code ? axt_node_failed(g) : dots(g, n, a, o, &over, &keep);
}

struct axt_expr *
axt_dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_dot_opts *o)
{
	return axt_multi_dot(g, 2, (struct axt_expr *[]){ a, b }, o);
}

struct axt_expr *
axt_dot_given(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *pairs)
{
	struct axt_pairing *p = axt_alloc(g->m, sizeof(*p));

	if (!p || axt_axes_pair_given(g->m, &a->axes, &b->axes, pairs, &g->join, p, &g->err))
		return axt_node_failed(g);
	if (!axt_kern_gemm(a->dtype) || a->dtype != b->dtype)
		return axt_graph_fail(g, AXT_E_DTYPE, "dot of %s and %s is not typed",
		    axt_dtypes[a->dtype].name, axt_dtypes[b->dtype].name);
	p->tf32 = pairs->tf32;
	return matrix_product(g, a, b, p);
}

static bool
dot_fields(struct axt_fields *f, struct axt_expr *e)
{
	int na = e->arg[0]->axes.n, nb = e->arg[1]->axes.n, k, b;
	struct axt_pairing *p = e->u.dot;

	if (!p && !(e->u.dot = p = axt_alloc(e->g->m, sizeof(*p))))
		return false;
	if (!axt_field_axes(f, "ka=", p->ka, &p->nk, na))
		return false;
	k = p->nk;
	if (!axt_field_axes(f, "kb=", p->kb, &k, nb) || k != p->nk ||
	    !axt_field_axes(f, "ba=", p->ba, &p->nb, na))
		return false;
	b = p->nb;
	if (!axt_field_axes(f, "bb=", p->bb, &b, nb) || b != p->nb)
		return false;
	return !f->has(f, "tf32=", p->tf32) ||
	    f->field(f, AXT_FIELD(FLAG, "tf32=", &p->tf32, .lo = 1));
}

static struct axt_expr *
dot_build(struct axt_graph *g, struct axt_expr *d)
{
	return axt_dot_given(g, d->arg[0], d->arg[1], d->u.dot);
}

static const char *
dot_does(struct axt_graph *g, const struct axt_expr *e)
{
	(void)g;
	(void)e;
	return "computes dot";
}

const struct axt_node_kind axt_node_dot = { .min_args = 2,
	.max_args = 2,
	.fields = dot_fields,
	.build = dot_build,
	.works = true,
	.does = dot_does };
