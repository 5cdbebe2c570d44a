/*
 * stored.c - values that are only moved are stored as they were: a slice of packed integers is
 * packed integers, and 1e20 for what is missing stays 1e20. To this end, an expression that only
 * moves values is built again on the stored values.
 */
#include "expr/expr.h"

const struct axt_meta axt_meta_missing = { .missing = true };

void
axt_meta_computed(struct axt_meta *m)
{
	m->stored = NULL;
	m->fill = NULL;
}

bool
axt_is_integer(enum axt_dtype d)
{
	return axt_dtypes[d].cls < AXT_CLASS_FLOAT;
}

bool
axt_has_integers(struct axt_graph *g, const struct axt_expr *a)
{
	const struct axt_stored *s = axt_refused(g, a) ? NULL : a->meta->stored;
	struct axt_packing p = { 0 };

	if (!s)
		return !axt_bad(a) && axt_is_integer(a->dtype);
	axt_packing_read(g->m, s->attrs, axt_with_sign(s->attrs, s->dtype), &p);
	return axt_is_integer(s->dtype) && !p.scaled;
}

static bool
has_equal(const struct axt_attr *l, const struct axt_attr *other)
{
	for (; l; l = l->next) {
		const struct axt_attr *o = axt_attr_find(other, l->name);

		if (!o || !axt_attr_equal(l, o))
			return false;
	}
	return true;
}

bool
axt_stored_alike(const struct axt_stored *a, const struct axt_stored *b)
{
	return a == b ||
	    (a && b && a->dtype == b->dtype && has_equal(a->attrs, b->attrs) &&
		has_equal(b->attrs, a->attrs));
}

/* Nodes made again, each once. */
struct again {
	const struct axt_expr *was;
	struct axt_expr *is;
	struct again *next;
};
struct mover {
	struct axt_graph *g;
	const struct axt_stored *stored;
	struct axt_packing packing;
	struct again *done;
};

/*
 * The stored form of a constant beside values that are only moved, as what axt-pad puts around a
 * tensor of floats. NaN becomes the first of the numbers that mean missing. NULL: the stored values
 * are packed or have another dtype, or the constant is itself a number that means missing.
 */
static struct axt_expr *
constant(struct mover *m, struct axt_expr *e)
{
	double v = axt_load_f64(e->dtype, e->u.val.bytes);

	if (e->dtype != m->stored->dtype || m->packing.scaled ||
	    axt_dtypes[e->dtype].cls != AXT_CLASS_FLOAT)
		return NULL;
	for (int k = 0; k < m->packing.nmiss; k++)
		if (v == m->packing.miss[k])
			return NULL;
	return v == v || m->packing.nmiss == 0 ? e : axt_const(m->g, e->dtype, m->packing.miss[0]);
}

static struct axt_expr *moved(struct mover *m, struct axt_expr *e);

/* The same move of the stored values. */
static struct axt_expr *
move_again(struct mover *m, struct axt_expr *e)
{
	struct axt_expr **arg = axt_alloc(m->g->m, (size_t)e->nargs * sizeof(*arg));

	if (!arg)
		return axt_node_failed(m->g);
	for (int k = 0; k < e->nargs; k++)
		if (!(arg[k] = moved(m, e->arg[k])) || axt_bad(arg[k]))
			return arg[k];
	return axt_node_again(m->g, e, arg, m->stored->dtype);
}

/* e made again on stored values; NULL: it does more than move them. */
static struct axt_expr *
moved(struct mover *m, struct axt_expr *e)
{
	const struct axt_stored *s = e->meta->stored;
	struct again *x;

	if (s && e == s->means)
		return s->raw;
	if (e->kind == AXT_NODE_CONST)
		return constant(m, e);
	if (e->kind != AXT_NODE_VIEW && e->kind != AXT_NODE_FLATTEN && e->kind != AXT_NODE_CONCAT)
		return NULL;
	for (x = m->done; x; x = x->next)
		if (x->was == e)
			return x->is;
	x = axt_alloc(m->g->m, sizeof(*x));
	if (!x)
		return axt_node_failed(m->g);
	*x = (struct again){ e, move_again(m, e), m->done };
	m->done = x;
	return x->is;
}

/* y with the attributes that tell how its stored values are packed. */
static struct axt_expr *
described(struct axt_graph *g, struct axt_expr *y, const struct axt_expr *e)
{
	struct axt_meta *meta;

	y = axt_bad(y) ? y : axt_relabel(g, y, &e->axes, axt_identity);
	meta = axt_dress(g, &y, e);
	if (!meta)
		return y;
	for (const struct axt_attr *a = e->meta->stored->attrs; a; a = a->next)
		meta->attrs = axt_attr_set(g->m, meta->attrs, a);
	meta->stored = NULL;
	meta->missing = false;
	return y;
}

struct axt_expr *
axt_as_stored(struct axt_graph *g, struct axt_expr *e)
{
	struct mover m = { .g = g };
	struct axt_expr *y;

	if (axt_refused(g, e))
		return axt_node_failed(g);
	if (!e->meta->stored)
		return e;
	m.stored = e->meta->stored;
	axt_packing_read(g->m, m.stored->attrs, axt_with_sign(m.stored->attrs, m.stored->dtype),
	    &m.packing);
	y = moved(&m, e);
	return y ? described(g, y, e) : e;
}

struct axt_expr **
axt_all_as_stored(struct axt_graph *g, struct axt_expr *const e[], int n)
{
	struct axt_expr **s = axt_alloc(g->m, (size_t)n * sizeof(*s));

	if (!s)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; s && i < n; i++)
		s[i] = axt_as_stored(g, e[i]);
	return s;
}

/* ---- what NaN is stored as ---- */

struct axt_expr *
axt_set_missing(struct axt_graph *g, struct axt_expr *a, const char *value, bool free)
{
	struct axt_attr *fill = axt_alloc(g->m, sizeof(*fill));
	enum axt_dtype d;
	struct axt_meta *m;
	struct axt_expr *e, *y;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (!fill)
		return axt_node_failed(g);
	y = axt_as_stored(g, a);
	d = y->dtype;
	fill->name = "_FillValue";
	if (d == AXT_BOOL || axt_dtypes[d].cls == AXT_CLASS_COMPLEX)
		return axt_graph_fail(g, AXT_E_DTYPE,
		    "%s values of %s have no number for missing ones", axt_dtypes[d].name, a->from);
	if (axt_attr_numbers(g->m, value, d, y->meta->attrs, a->from, fill, &g->err))
		return axt_node_failed(g);
	if (fill->n != 1) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not one number",
		    axt_escape(g->m, value));
		axt_about(&g->err, AXT_BAD_NUMBER, value, NULL);
		return axt_node_failed(g);
	}
	e = a;
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	fill->typed = !free;
	m->fill = fill;
	/* whoever reads the file finds that NaN is missing: so does what is computed before */
	m->missing = m->missing || (!free && axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT);
	return e;
}

struct axt_expr *
axt_set_fill(struct axt_graph *g, struct axt_expr *a, const char *value)
{
	return axt_set_missing(g, a, value, true);
}
