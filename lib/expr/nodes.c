/*
 * nodes.c - the nodes of an expression, arguments before users. An expression may be thousands of
 * nodes deep, too deep for recursion on a small stack: functions that visit all nodes use this
 * list.
 */
#include "expr/expr.h"

/* A node whose arguments are being visited. */
struct open_node {
	struct axt_expr *e;
	int met; /* its index in the list */
	int next;
};

/*
 * A node that was visited. at is its index in the list, or -1 while its arguments are still being
 * visited.
 */
struct axt_met {
	const struct axt_expr *e;
	int at;
};

struct walk {
	struct axt_graph *g;
	struct axt_nodes *o;
	struct open_node *open;
	int nopen, cap_open;
};

/* An array of n with room for one more, twice as large where it is full. NULL: out of memory. */
static void *
reserve_one(struct walk *w, void *a, int n, int *cap, size_t size)
{
	void *b;

	if (n < *cap)
		return a;
	b = axt_alloc(w->g->m, (size_t)MAX(32, 2 * n) * size);
	if (b && n)
		memcpy(b, a, (size_t)n * size);
	*cap = MAX(32, 2 * n);
	return b;
}

/* The slot of the hash table that e is in, or would be. */
static int
slot_of(const struct axt_nodes *o, const struct axt_expr *e)
{
	uint64_t h = (uint64_t)(uintptr_t)e *
	    0x9e3779b97f4a7c15u; /* the upper half of the product has the best mixed bits */
	int i = (int)(h >> 32 & (uint64_t)(o->nslots - 1));

	while (o->slot[i] && o->met[o->slot[i] - 1].e != e)
		i = (i + 1) & (o->nslots - 1);
	return i;
}

/* Grows the hash table to at least two slots a node. */
static bool
more_slots(struct walk *w)
{
	struct axt_nodes *o = w->o;

	if (2 * o->nmet < o->nslots)
		return true;
	o->nslots = MAX(64, 2 * o->nslots);
	o->slot = axt_alloc(w->g->m, (size_t)o->nslots * sizeof(*o->slot));
	if (!o->slot) {
		o->nslots = 0;
		return false;
	}
	for (int i = 0; i < o->nmet; i++)
		o->slot[slot_of(o, o->met[i].e)] = i + 1;
	return true;
}

static bool
enter(struct walk *w, struct axt_expr *e)
{
	struct axt_nodes *o = w->o;
	int i;

	if (!more_slots(w))
		return false;
	i = slot_of(o, e);
	if (o->slot[i])
		return true;
	o->met = reserve_one(w, o->met, o->nmet, &o->cap_met, sizeof(*o->met));
	w->open = reserve_one(w, w->open, w->nopen, &w->cap_open, sizeof(*w->open));
	if (!o->met || !w->open)
		return false;
	o->met[o->nmet] = (struct axt_met){ e, -1 };
	w->open[w->nopen++] = (struct open_node){ e, o->nmet, 0 };
	o->slot[i] = ++o->nmet;
	return true;
}

static bool
add(struct walk *w, const struct open_node *x)
{
	struct axt_nodes *o = w->o;

	o->e = reserve_one(w, o->e, o->n, &o->cap, sizeof(*o->e));
	if (!o->e)
		return false;
	o->met[x->met].at = o->n;
	o->e[o->n++] = x->e;
	return true;
}

/*
 * The k-th node that e needs, or NULL if there are no more. With `plans`, a leaf that stands for a
 * plan (a saved one, or that of the writer of its pipe) needs that plan after its arguments.
 */
static struct axt_expr *
needed(struct axt_expr *e, int *k, bool plans)
{
	while (*k < e->nargs) {
		struct axt_expr *a = e->arg[(*k)++];

		if (a)
			return a;
	}
	if (*k == e->nargs && plans && e->kind == AXT_NODE_LEAF && e->u.leaf.plan) {
		(*k)++;
		return *e->u.leaf.plan;
	}
	return NULL;
}

int
axt_nodes_add(struct axt_graph *g, struct axt_expr *e, bool plans, struct axt_nodes *out)
{
	struct walk w = { .g = g, .o = out };
	bool ok = enter(&w, e);

	while (ok && w.nopen) {
		struct open_node *top = &w.open[w.nopen - 1];
		struct axt_expr *a = needed(top->e, &top->next, plans);

		if (a) {
			ok = enter(&w, a);
		} else {
			ok = add(&w, top);
			w.nopen--;
		}
	}
	return ok ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

int
axt_nodes(struct axt_graph *g, struct axt_expr *const e[], int n, bool plans, struct axt_nodes *out)
{
	*out = (struct axt_nodes){ 0 };
	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]) || axt_nodes_add(g, e[i], plans, out))
			return g->err.code;
	return 0;
}

int
axt_nodes_at(const struct axt_nodes *o, const struct axt_expr *e)
{
	int i = o->nslots ? o->slot[slot_of(o, e)] : 0;

	return i ? o->met[i - 1].at : -1;
}
