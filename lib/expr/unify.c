/*
 * unify.c - an expression that came together from several processes, simplified as one: streams
 * whose plans were taken become those plans, and nodes that give the same values become one node,
 * so that each is read and computed once.
 */
#include "expr/expr.h"

struct unified {
	const struct axt_expr *was;
	struct axt_expr *is;		/* NULL: a placeholder whose value is being unified */
};

struct unifier {
	struct axt_graph *g;
	const struct axt_binding *bind;	/* of placeholders */
	int nbind;
	struct axt_table done;		/* struct unified, by the node it was */
	struct axt_table distinct;	/* nodes, by what they compute */
};

static bool
same_ints(const int *a, const int *b, int n)
{
	return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool
same_dot(const struct axt_pairing *p, const struct axt_pairing *q)
{
	return p->tf32 == q->tf32 && p->nk == q->nk && p->nb == q->nb && same_ints(p->ka, q->ka, p->nk) &&
	    same_ints(p->kb, q->kb, p->nk) && same_ints(p->ba, q->ba, p->nb) &&
	    same_ints(p->bb, q->bb, p->nb);
}

static bool
same_view(const struct axt_view *a, const struct axt_view *b)
{
	size_t n = (size_t)a->nd * sizeof *a->shape;

	return a->nd == b->nd && a->offset == b->offset && memcmp(a->shape, b->shape, n) == 0 &&
	    memcmp(a->stride, b->stride, n) == 0;
}

/* 0 and -0 are not the same. */
static bool
same_bits(double a, double b)
{
	uint64_t x, y;

	memcpy(&x, &a, sizeof x);
	memcpy(&y, &b, sizeof y);
	return x == y;
}

static bool
same_sel(const struct axt_sel *a, const struct axt_sel *b)
{
	return a == b || (a && b && a->n == b->n && a->len == b->len &&
	    memcmp(a->span, b->span, (size_t)a->n * sizeof *a->span) == 0);
}

static bool
same_parts(const struct axt_expr *a, const struct axt_expr *b)
{
	for (int i = 0; i < a->axes.n; i++)
		if (!same_sel(a->u.view.sel ? a->u.view.sel[i] : NULL,
		    b->u.view.sel ? b->u.view.sel[i] : NULL))
			return false;
	for (int j = 0; j < a->arg[0]->axes.n; j++)
		if ((a->u.view.from ? a->u.view.from[j] : 0) !=
		    (b->u.view.from ? b->u.view.from[j] : 0))
			return false;
	return true;
}

/* Whether two nodes whose arguments are the same give the same values. */
static bool
same_details(const struct axt_expr *a, const struct axt_expr *b)
{
	switch (a->kind) {
	case AXT_NODE_LEAF:
		return a->u.leaf.st == b->u.leaf.st &&
		    same_view(&a->u.leaf.view, &b->u.leaf.view);
	case AXT_NODE_CONST:
		return memcmp(a->u.val.bytes, b->u.val.bytes, (size_t)axt_size(a->dtype)) == 0;
	case AXT_NODE_PLACE:
		return strcmp(a->u.place, b->u.place) == 0;
	case AXT_NODE_GEN:
		return a->u.gen.kind == b->u.gen.kind && a->u.gen.seed == b->u.gen.seed &&
		    same_bits(a->u.gen.lo, b->u.gen.lo) &&
		    same_bits(a->u.gen.hi, b->u.gen.hi);
	case AXT_NODE_MAP:
		return a->u.op == b->u.op;
	case AXT_NODE_CONV:
		return a->u.overflow == b->u.overflow;
	case AXT_NODE_VIEW:
		return same_ints(a->u.view.src, b->u.view.src, a->axes.n) && same_parts(a, b);
	case AXT_NODE_FLATTEN:
		return a->u.flat.at == b->u.flat.at && a->u.flat.n == b->u.flat.n;
	case AXT_NODE_JOIN:
		return a->u.join == b->u.join;
	case AXT_NODE_REDUCE:
		return a->u.red.op == b->u.red.op && a->u.red.skip == b->u.red.skip &&
		    a->u.red.ddof == b->u.red.ddof && a->u.red.q == b->u.red.q &&
		    a->u.red.group == b->u.red.group &&
		    a->u.red.nkept == b->u.red.nkept &&
		    same_ints(a->u.red.kept, b->u.red.kept, a->u.red.nkept);
	case AXT_NODE_DOT:
		return same_dot(a->u.dot, b->u.dot);
	case AXT_NODE_LINES:
		return a->u.lines.op == b->u.lines.op && a->u.lines.axis == b->u.lines.axis &&
		    a->u.lines.reverse == b->u.lines.reverse;
	default:
		return false;
	}
}

static bool
same(const struct axt_expr *a, const struct axt_expr *b)
{
	if (a->kind != b->kind || a->dtype != b->dtype || a->nargs != b->nargs ||
	    a->outer != b->outer || a->asked != b->asked || !axt_axes_same(&a->axes, &b->axes))
		return false;
	for (int i = 0; i < a->nargs; i++)
		if (a->arg[i] != b->arg[i])
			return false;
	return same_details(a, b);
}

/* A relabelling that changes nothing the values depend on. */
static bool
is_identity(const struct axt_expr *e)
{
	return axt_is_relabel(e) && !e->asked &&
	    same_ints(e->u.view.src, axt_identity, e->axes.n) &&
	    axt_axes_same(&e->axes, &e->arg[0]->axes);
}

/* Of what same() compares, what is cheap. */
static uint64_t
hash_of(const struct axt_expr *e)
{
	int what[] = { (int)e->kind, (int)e->dtype, e->nargs, e->axes.n };
	uint64_t h = axt_hash(0, what, sizeof what);

	h = axt_hash(h, e->arg, (size_t)e->nargs * sizeof *e->arg);
	for (int i = 0; i < e->axes.n; i++)
		h = axt_hash(h, &e->axes.a[i].len, sizeof e->axes.a[i].len);
	if (e->kind == AXT_NODE_LEAF)
		h = axt_hash(h, &e->u.leaf.st, sizeof e->u.leaf.st);
	if (e->kind == AXT_NODE_CONST)
		h = axt_hash(h, e->u.val.bytes, (size_t)axt_size(e->dtype));
	if (e->kind == AXT_NODE_VIEW)
		h = axt_hash(h, e->u.view.src, (size_t)e->axes.n * sizeof *e->u.view.src);
	if (e->kind == AXT_NODE_VIEW && e->u.view.from)
		h = axt_hash(h, e->u.view.from, (size_t)e->arg[0]->axes.n * sizeof *e->u.view.from);
	for (int i = 0; e->kind == AXT_NODE_VIEW && e->u.view.sel && i < e->axes.n; i++)
		if (e->u.view.sel[i] && e->u.view.sel[i]->n)
			h = axt_hash(h, e->u.view.sel[i]->span, sizeof *e->u.view.sel[i]->span);
	return h;
}

/* e, or the node met before that is the same. */
static struct axt_expr *
distinct(struct unifier *u, struct axt_expr *e)
{
	uint64_t h = hash_of(e);

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
	struct axt_expr *few[3], **arg = few, *b, *c;
	bool changed = false;

	if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		return argument(u, *e->u.leaf.plan);
	if (e->nargs > ARRAY_LEN(few) &&
	    !(arg = axt_alloc(u->g->m, (size_t)e->nargs * sizeof *arg)))
		return axt_node_failed(u->g);
	if (e->kind == AXT_NODE_PLACE && (b = binding(u, e)) != NULL)
		return unify(u, b);
	for (int i = 0; i < e->nargs; i++) {
		arg[i] = argument(u, e->arg[i]);
		changed = changed || arg[i] != e->arg[i];
	}
	if (is_identity(e))
		return arg[0];
	if (!changed)
		return distinct(u, e);
	c = axt_node_like(u->g, e->kind, e);
	if (axt_bad(c))
		return c;
	*c = *e;
	c->arg = arg == few ? c->few : arg;
	memcpy(c->arg, arg, (size_t)e->nargs * sizeof *arg);
	return distinct(u, c);
}

/* What values of placeholders need is a list of its own: calls are as deep as those are nested. */
static struct axt_expr *
unify(struct unifier *u, struct axt_expr *e)
{
	struct axt_nodes o;

	if (axt_nodes(u->g, &e, 1, true, &o))
		return axt_node_failed(u->g);
	for (int i = 0; i < o.n; i++) {
		struct unified *x = find(u, o.e[i]) ? NULL : axt_alloc(u->g->m, sizeof *x);

		if (!x && find(u, o.e[i]))
			continue;
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

	return axt_bad(e) ? e : unify(&u, e);
}

int
axt_unify(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_expr *out[])
{
	struct unifier u = { .g = g };

	for (int i = 0; i < n; i++) {
		if (axt_bad(e[i]))
			return g->err.code;
		out[i] = unify(&u, e[i]);
	}
	return g->err.code;
}
