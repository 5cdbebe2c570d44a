/*
 * nodes.c - the nodes of an expression, arguments before users. An expression may be thousands of nodes
 * deep, which is more than a small stack holds calls: whoever goes through one goes through this list.
 */
#include "expr/expr.h"

/* A node whose arguments are being gone through. */
struct open_node {
	struct axt_expr *e;
	int next;
};

struct walk {
	struct axt_graph *g;
	struct axt_nodes *o;
	struct open_node *open;
	int nopen, cap_open, cap;
};

/* An array of n with room for one more, twice as large where it is full. NULL: out of memory. */
static void *
room(struct walk *w, void *a, int n, int *cap, size_t size)
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

static bool
enter(struct walk *w, struct axt_expr *e)
{
	if (e->g != w->g)
		return axt_fail(&w->g->err, AXT_E_ARG, "%s is of another graph", e->from) == 0;
	if (e->seen == w->g->visit)
		return true;
	e->seen = w->g->visit;
	w->open = room(w, w->open, w->nopen, &w->cap_open, sizeof *w->open);
	if (w->open)
		w->open[w->nopen++] = (struct open_node){ e, 0 };
	return w->open != NULL;
}

static bool
add(struct walk *w, struct axt_expr *e)
{
	struct axt_nodes *o = w->o;

	o->e = room(w, o->e, o->n, &w->cap, sizeof *o->e);
	if (o->e)
		o->e[o->n++] = e;
	return o->e != NULL;
}

/* The k-th node that e needs, its writer's or the saved plan of a leaf last; NULL: there is none. */
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
	struct walk w = { .g = g, .o = out, .cap = out->cap };
	bool ok = enter(&w, e);

	while (ok && w.nopen) {
		struct open_node *top = &w.open[w.nopen - 1];
		struct axt_expr *a = needed(top->e, &top->next, plans);

		if (a) {
			ok = enter(&w, a);
		} else {
			ok = add(&w, top->e);
			w.nopen--;
		}
	}
	out->cap = w.cap;
	return ok ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

int
axt_nodes(struct axt_graph *g, struct axt_expr *const e[], int n, bool plans, struct axt_nodes *out)
{
	*out = (struct axt_nodes){ 0 };
	g->visit++;
	for (int i = 0; i < n; i++)
		if (e[i] ? !axt_bad(e[i]) && axt_nodes_add(g, e[i], plans, out)
		    : axt_fail(&g->err, AXT_E_ARG, "there is no node: NULL"))
			return g->err.code;
	return 0;
}
