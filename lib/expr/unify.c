/*
 * unify.c - simplifies an expression whose parts came from several processes: streams whose plans
 * were taken become those plans, and nodes that give the same values become one node, so that each
 * is read and computed once.
 */
#include "expr/expr.h"

struct unified {
	const struct axt_expr *was;
	struct axt_expr *is; /* NULL: a placeholder whose value is being unified */
};

struct unifier {
	struct axt_graph *g;
	const struct axt_binding *bind; /* of placeholders */
	int nbind;
	struct axt_table done;     /* struct unified, by the node it was */
	struct axt_table distinct; /* nodes, by what they compute */
};

/* Whether two nodes whose arguments are the same give the same values. */
static bool
same(struct axt_expr *a, struct axt_expr *b)
{
	return a->dtype == b->dtype && a->outer == b->outer && a->asked == b->asked &&
	    axt_axes_same(&a->axes, &b->axes) && axt_node_alike(a, b);
}

/* A relabelling that changes nothing the values depend on. */
static bool
is_identity(const struct axt_expr *e)
{
	return axt_is_relabel(e) && !e->asked &&
	    memcmp(e->u.view.src, axt_identity, (size_t)e->axes.n * sizeof(*axt_identity)) == 0 &&
	    axt_axes_same(&e->axes, &e->arg[0]->axes);
}

/* e, or the node met before that is the same. */
static struct axt_expr *
distinct(struct unifier *u, struct axt_expr *e)
{
	uint64_t h = axt_node_hash(e);

	for (const struct axt_entry *x = axt_table_first(&u->distinct, h); x; x = axt_table_next(x))
		if (same(x->value, e))
			return x->value;
	return axt_table_add(u->g->m, &u->distinct, h, e) ? e : axt_node_failed(u->g);
}

static struct unified *
find(const struct unifier *u, const struct axt_expr *was)
{
	for (const struct axt_entry *x = axt_table_first(&u->done, axt_hash_pointer(was)); x;
	     x = axt_table_next(x)) {
		struct unified *y = x->value;

		if (y->was == was)
			return y;
	}
	return NULL;
}

static struct axt_expr *unify(struct unifier *u, struct axt_expr *e);

/* What a placeholder is bound to, over its axes in its dtype; NULL: nothing. */
static struct axt_expr *
binding(struct unifier *u, const struct axt_expr *place)
{
	for (int i = 0; i < u->nbind; i++)
		if (strcmp(u->bind[i].name, place->u.place) == 0)
			return axt_bound(u->g, place, &u->bind[i]);
	return NULL;
}

/* An argument, which was unified before; a placeholder in its own value stays one. */
static struct axt_expr *
argument(const struct unifier *u, struct axt_expr *a)
{
	const struct unified *x = find(u, a);

	return x && x->is ? x->is : a;
}

/* e on unified arguments; itself where nothing changed. */
static struct axt_expr *
rebuilt(struct unifier *u, struct axt_expr *e)
{
	struct axt_expr *few[3], **arg = few, *b;
	bool changed = false;

	if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		return argument(u, *e->u.leaf.plan);
	if (e->nargs > ARRAY_LEN(few) &&
	    !(arg = axt_alloc(u->g->m, (size_t)e->nargs * sizeof(*arg))))
		return axt_node_failed(u->g);
	if (e->kind == AXT_NODE_PLACE && (b = binding(u, e)))
		return unify(u, b);
	for (int i = 0; i < e->nargs; i++) {
		arg[i] = argument(u, e->arg[i]);
		changed = changed || arg[i] != e->arg[i];
	}
	if (is_identity(e))
		return arg[0];
	if (!changed)
		return distinct(u, e);
	e = axt_node_again(u->g, e, arg, AXT_DTYPE_AUTO);
	return axt_bad(e) ? e : distinct(u, e);
}

/* What values of placeholders need is a list of its own: calls are as deep as those are nested. */
static struct axt_expr *
unify(struct unifier *u, struct axt_expr *e)
{
	struct axt_nodes o;

	if (axt_nodes(u->g, &e, 1, true, &o))
		return axt_node_failed(u->g);
	for (int i = 0; i < o.n; i++) {
		struct unified *x;

		if (find(u, o.e[i]))
			continue;
		x = axt_alloc(u->g->m, sizeof(*x));
		if (!x || !axt_table_add(u->g->m, &u->done, axt_hash_pointer(o.e[i]), x))
			return axt_node_failed(u->g);
		x->was = o.e[i];
		x->is = rebuilt(u, o.e[i]);
		if (axt_bad(x->is))
			return x->is;
	}
	return argument(u, e);
}

struct axt_expr *
axt_unify_bound(struct axt_graph *g, struct axt_expr *e, const struct axt_binding *bind, int nbind)
{
	struct unifier u = { .g = g, .bind = bind, .nbind = nbind };

	return axt_refused(g, e) ? axt_node_failed(g) : unify(&u, e);
}

int
axt_unify(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_expr *out[])
{
	struct unifier u = { .g = g };

	for (int i = 0; i < n; i++) {
		if (axt_refused(g, e[i]))
			return g->err.code;
		out[i] = unify(&u, e[i]);
	}
	return g->err.code;
}
