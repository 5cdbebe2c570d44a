/*
 * rename_order.c - nodes that move no value: order, broadcast, rename, cast, transpose, dtype,
 * name.
 */
#include "base/quote.h"
#include "expr/expr.h"

const int axt_identity[AXT_MAX_RANK] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

/* What e is called in messages; a result without a name by what it is made of first. */
static const char *
origin(const struct axt_expr *e)
{
	while (strcmp(e->from, "result") == 0 && e->nargs > 0 && e->arg[0]->axes.n == e->axes.n)
		e = e->arg[0];
	return e->from;
}

/* What a user types for e: its name in the text of axt-calc, or the file and the dataset. */
static const char *
name_typed(const struct axt_graph *g, const struct axt_expr *e)
{
	const char *from = origin(e);

	for (const struct axt_called *x = g->called; x; x = x->next)
		if (strcmp(x->e->from, from) == 0)
			from = x->name;
	if (strcmp(from, "result") == 0)
		return g->called ? "..." : "FILE";
	return from;
}

const char *
axt_rename_typed(struct axt_graph *g, const struct axt_expr *e, const char *map)
{
	const char *from = name_typed(g, e), *list = "";

	if (!g->called)
		return axt_sprintf(g->m, "axt-rename %s %s", axt_typed(g->m, "%s", map),
		    axt_typed(g->m, "%s", from));
	for (size_t n; list && *map; map += n + (map[n] == ',')) {
		n = strcspn(map, ",");
		list = axt_sprintf(g->m, "%s, %.*s", list, (int)n, map);
	}
	return axt_sprintf(g->m, "rename(%s%s)", from, list ? list : "");
}

const char *
axt_called(const struct axt_expr *e)
{
	const char *from = origin(e);

	return strcmp(from, "result") == 0 ? "an operand" : from;
}

/* Warns where no axis has a dual to be exchanged with: in NumPy, transpose is another order. */
static void
warn_no_pair(struct axt_graph *g, const struct axt_expr *a)
{
	int back[AXT_MAX_RANK], n = a->axes.n;
	const char *axes;

	for (int i = 0; i < n; i++) {
		if (a->axes.a[i].level != 0)
			return;
		back[i] = n - 1 - i;
	}
	axes = n > 1 ? axt_axes_typed(g->m, &a->axes, back, n) : NULL;
	if (!axes)
		return;
	if (g->called)
		axt_warn(g,
		    "no axis of %s is a dual, as M* of M, and the order stays: order(%s, (%s)) "
		    "changes it",
		    axt_called(a), name_typed(g, a), axes);
	else
		axt_warn(g,
		    "no axis of %s is a dual, as M* of M, and the order stays: axt-order %s %s "
		    "changes it",
		    axt_called(a), axt_typed(g->m, "%s", axes),
		    axt_typed(g->m, "%s", name_typed(g, a)));
}

struct axt_expr *
axt_transpose(struct axt_graph *g, struct axt_expr *a)
{
	struct axt_axes x;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	warn_no_pair(g, a);
	axt_axes_transpose(&a->axes, &x);
	return axt_relabel(g, a, &x, axt_identity);
}

struct axt_expr *
axt_order(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;
	int perm[AXT_MAX_RANK], rest;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, axes, false, &want, &rest, &g->err) ||
	    axt_axes_permute(g->m, &a->axes, &want, rest, perm, &g->err))
		return axt_node_failed(g);
	x.n = a->axes.n;
	for (int i = 0; i < x.n; i++)
		x.a[i] = a->axes.a[perm[i]];
	return axt_relabel(g, a, &x, perm);
}

struct axt_expr *
axt_over_axes(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x)
{
	struct axt_expr *e;
	int src[AXT_MAX_RANK];

	for (int i = 0; i < x->n; i++)
		src[i] = axt_axes_find(&a->axes, &x->a[i]);
	e = axt_relabel(g, a, x, src);
	if (!axt_bad(e))
		e->asked = true;
	return e;
}

struct axt_expr *
axt_broadcast(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, axes, true, &want, NULL, &g->err) ||
	    axt_axes_override(g->m, &a->axes, &want, &x, &g->err))
		return axt_node_failed(g);
	return axt_over_axes(g, a, &x);
}

/* Auxiliary datasets follow a relabelling by position of the tensor's axes. */
static const struct axt_meta *
meta_renamed(struct axt_graph *g, const struct axt_meta *meta, const struct axt_axes *old,
    const struct axt_axes *new)
{
	struct axt_meta *m = axt_meta_copy(g, meta);
	struct axt_aux **tail;

	if (!m)
		return NULL;
	tail = (struct axt_aux **)&m->aux;
	for (const struct axt_aux *x = meta->aux; x; x = x->next) {
		struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

		if (!c)
			return NULL;
		*c = *x;
		for (int i = 0; i < c->axes.n; i++) {
			int k = c->own[i] ? -1 : axt_axes_find(old, &c->axes.a[i]);

			if (k >= 0)
				c->axes.a[i] = new->a[k];
		}
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	return m;
}

static struct axt_expr *
renamed(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x)
{
	struct axt_expr *e = axt_relabel(g, a, x, axt_identity);

	if (axt_bad(e))
		return e;
	e->meta = meta_renamed(g, a->meta, &a->axes, x);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_rename(struct axt_graph *g, struct axt_expr *a, const char *map)
{
	struct axt_axes x;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_rename(g->m, &a->axes, map, &x, &g->err))
		return axt_node_failed(g);
	return renamed(g, a, &x);
}

struct axt_expr *
axt_cast_axes(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, axes, true, &want, NULL, &g->err) ||
	    axt_axes_cast(g->m, &a->axes, &want, &x, &g->err))
		return axt_node_failed(g);
	return renamed(g, a, &x);
}

/*
 * Gives e, which was converted to another dtype, the attributes of computed values, because it
 * cannot be stored packed as its argument was. If the dtype is not one of floats, e cannot hold
 * NaN, so none of its elements is missing.
 */
static struct axt_expr *
as_numbers(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (!m)
		return e;
	axt_meta_computed(m);
	m->attrs = axt_attrs_recomputed(g->m, m->attrs);
	m->missing = m->missing && axt_dtypes[e->dtype].cls == AXT_CLASS_FLOAT;
	return e;
}

struct axt_expr *
axt_cast_dtype(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d, enum axt_overflow mode)
{
	if (!axt_dtype_bytes(d))
		return axt_graph_fail(g, AXT_E_DTYPE, "no such dtype");
	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_is_weak(a)) {
		struct axt_expr *c = axt_node(g, AXT_NODE_CONST, d);

		if (axt_bad(c))
			return c;
		c->u.val = a->u.val;
		c->u.val.weak = false;
		if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
			return axt_conv(g, a, d, mode);
		if (axt_num_store(&a->u.val.num, d, c->u.val.bytes))
			return c;
	}
	/* packed values have this dtype only once they are unpacked */
	if (a->dtype == d && a->meta->stored && a->meta->stored->dtype != d)
		return as_numbers(g, a);
	return a->dtype == d ? a : as_numbers(g, axt_conv(g, a, d, mode));
}

struct axt_expr *
axt_widen(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d)
{
	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (!d || (axt_is_weak(a)) || axt_promote(a->dtype, d) != d)
		return a;
	return axt_cast_dtype(g, a, d, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_set_path(struct axt_graph *g, struct axt_expr *a, const char *path)
{
	struct axt_expr *e = axt_refused(g, a) ? axt_node_failed(g) : a;
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (!m || !(m->name = axt_strdup(g->m, path)))
		return axt_node_failed(g);
	return e;
}

struct axt_expr *
axt_set_name(struct axt_graph *g, struct axt_expr *a, const char *name)
{
	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_name_check(name, "tensor", &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < a->axes.n; i++)
		if (strcmp(name, axt_axis_spell(g->m, &a->axes.a[i])) == 0) {
			axt_fail(&g->err, AXT_E_NAME,
			    "\"%s\" is an axis of the result: only its coordinates have that name",
			    axt_escape(g->m, name));
			axt_about(&g->err, AXT_AXIS_THERE, name, a->from);
			axt_hint(&g->err, "axt-coord set %s makes coordinates of a tensor",
			    axt_quoted(g->m, axt_sprintf(g->m, "%s=FILE:DATASET", name)));
			return axt_node_failed(g);
		}
	return axt_set_path(g, a, name);
}
