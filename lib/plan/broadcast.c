/*
 * broadcast.c - finds computed nodes that are broadcast over many more elements than they have, as
 * the weights cos(lat) over time, lat and lon. Fused into the loop of their users, they would be
 * computed again for each of these elements; they get steps of their own instead.
 */
#include "plan/kinds.h"
#include "plan/steps.h"

#define OFTEN 16           /* how often each element would be computed, at least */
#define ELEMENTS (1 << 18) /* in loops with fewer, another step costs as much as it saves */
#define MEMORY_PART 8      /* the part of the memory that these nodes may take */
#define FUNCTION_ULP 1.0   /* operations with such an error are functions: many instructions */

/* What is known of a node. */
struct known {
	double bytes;  /* what is read to compute it once */
	bool function; /* whether a function is computed */
	bool pipe;     /* whether it needs a stream, which cannot be read twice */
	int64_t space; /* elements of the largest loop that it is computed in */
};

static bool
is_fused(const struct axt_expr *e)
{
	return axt_plan_kinds[e->kind]->way != AXT_WAY_OTHER;
}

/* Finds out what the value of a node takes; that of its arguments is known. */
static void
look_down(const struct axt_planner *pl, struct known *k, const struct axt_expr *e)
{
	struct axt_storage_facts f = { 0 };

	k->function = e->kind == AXT_NODE_MAP && axt_ops[e->u.op].ulp >= FUNCTION_ULP;
	if (e->kind == AXT_NODE_LEAF) {
		pl->facts(e->u.leaf.st, &f);
		k->pipe = f.pipe;
	}
	if (!is_fused(e) && e->kind != AXT_NODE_CONST && e->kind != AXT_NODE_GEN)
		k->bytes = (double)axt_count(e) * axt_size(e->dtype);
}

/* Whether a step of its own pays for e. */
static bool
pays(const struct known *k, const struct axt_expr *e, int64_t *free)
{
	int64_t n = axt_count(e), bytes = n * axt_size(e->dtype);

	if (e->kind != AXT_NODE_MAP || n <= 1 || k->pipe || k->space < ELEMENTS ||
	    k->space / n < OFTEN || bytes > *free)
		return false;
	if (!k->function && k->bytes < 2 * (double)bytes)
		return false;
	*free -= bytes;
	return true;
}

/* The elements of the loop that computes e, which has a step of its own. */
static int64_t
loop_of(const struct axt_expr *e)
{
	int64_t n = axt_count(e);

	for (int j = 0; j < e->nargs && axt_plan_kinds[e->kind]->reduces; j++)
		n = MAX(n, axt_count(e->arg[j]));
	return n;
}

int
axt_hold_broadcast(struct axt_planner *pl, struct axt_expr *const e[], int n)
{
	const struct axt_nodes *o = &pl->nodes;
	struct known *known = axt_alloc(pl->g->m, (size_t)o->n * sizeof(*known) + 1);
	int64_t free = pl->g->memory / MEMORY_PART;

	if (!known)
		return axt_fail(&pl->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->n; i++) { /* arguments before their users */
		look_down(pl, &known[i], o->e[i]);
		for (int j = 0; j < o->e[i]->nargs && !axt_plan_kinds[o->e[i]->kind]->step; j++) {
			const struct known *a = &known[axt_nodes_at(o, o->e[i]->arg[j])];

			known[i].bytes += is_fused(o->e[i]) ? a->bytes : 0;
			known[i].function = known[i].function || a->function;
			known[i].pipe = known[i].pipe || a->pipe;
		}
	}
	for (int i = 0; i < n; i++)
		known[axt_nodes_at(o, e[i])].space = axt_count(e[i]);
	for (int i = o->n - 1; i >= 0; i--) {
		const struct axt_expr *x = o->e[i];
		bool own = pays(&known[i], x, &free);
		int64_t space = is_fused(x) && !own ? known[i].space : loop_of(x);

		pl->learned[i].hold = pl->learned[i].hold || own;
		for (int j = 0; j < x->nargs; j++) {
			struct known *a = &known[axt_nodes_at(o, x->arg[j])];

			a->space = MAX(a->space, MAX(space, axt_count(x->arg[j])));
		}
	}
	return 0;
}
