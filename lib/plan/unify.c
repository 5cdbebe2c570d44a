/*
 * unify.c - an expression that came together from several processes, simplified as one: streams
 * whose plans were taken become those plans, and nodes that give the same values become one node,
 * so that each is read and computed once.
 */
#include "text.h"

struct unified {
	const struct axt_expr *was;
	struct axt_expr *is;
	struct unified *next;
};

struct unifier {
	struct axt_graph *g;
	const struct axt_binding *bind;	/* of placeholders */
	int nbind;
	struct unified *done;
	int n;
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

/* e, or the node met before that is the same. */
static struct axt_expr *
distinct(struct unifier *u, struct axt_expr *e)
{
	for (const struct unified *x = u->done; x; x = x->next)
		if (same(x->is, e))
			return x->is;
	return e;
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

/* e on unified arguments; itself where nothing changed. */
static struct axt_expr *
rebuilt(struct unifier *u, struct axt_expr *e)
{
	struct axt_expr *few[3], **arg = few, *b, *c;
	bool changed = false;

	if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		return unify(u, *e->u.leaf.plan);
	if (e->nargs > ARRAY_LEN(few) &&
	    !(arg = axt_alloc(u->g->m, (size_t)e->nargs * sizeof *arg)))
		return axt_node_failed(u->g);
	if (e->kind == AXT_NODE_PLACE && (b = binding(u, e)) != NULL)
		return unify(u, b);
	for (int i = 0; i < e->nargs; i++) {
		arg[i] = unify(u, e->arg[i]);
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

static struct axt_expr *
unify(struct unifier *u, struct axt_expr *e)
{
	struct unified *x;

	for (x = u->done; x; x = x->next)
		if (x->was == e)
			return x->is;
	x = axt_alloc(u->g->m, sizeof *x);
	if (!x)
		return axt_node_failed(u->g);
	x->was = e;
	x->is = rebuilt(u, e);
	if (++u->n > AXT_PLAN_NODES)
		return axt_graph_fail(u->g, AXT_E_LIMIT, "the expression has more than %d nodes",
		    AXT_PLAN_NODES);
	x->next = u->done;
	u->done = x;
	return x->is;
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
