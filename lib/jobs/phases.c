/*
 * phases.c - reductions that all ranks compute together, before what needs them. In (x - mean(x)) /
 * std(x) each rank needs all of x for the two numbers. Instead, each has the states of its share of
 * blocks (block_states.c), these are merged, and the number is a leaf in memory of what comes then.
 * What is left can be cut anywhere.
 *
 * States are merged in the order of the blocks, from rank to rank, so that a sum has the bits that
 * it has in one process, and no rank holds the states of another.
 */
#include <stdlib.h>

#include "jobs/exchange.h"

#define WORTH .85 /* phases are made where they take less than this of the time without them */
#define STATE_BYTES (8 * (int64_t)AXT_STATE_NUMBERS)

/* ---- an expression with leaves in place of some nodes ---- */

struct replaced {
	struct axt_graph *g;
	struct axt_nodes nodes;
	struct axt_expr **is; /* [node]: what stands for it */
};

/* Makes what stands for node i of what stands for its arguments. */
static int
follow(struct replaced *r, int i)
{
	struct axt_expr *x = r->nodes.e[i], **arg;
	bool same = true;

	arg = axt_alloc(r->g->m, (size_t)x->nargs * sizeof(*arg) + 1);
	for (int k = 0; arg && k < x->nargs; k++) {
		arg[k] = r->is[axt_nodes_at(&r->nodes, x->arg[k])];
		same = same && arg[k] == x->arg[k];
	}
	r->is[i] = !arg ? axt_node_failed(r->g)
	    : same      ? x
			: axt_node_again(r->g, x, arg, AXT_DTYPE_AUTO);
	return axt_bad(r->is[i]) ? r->g->err.code : 0;
}

/* A leaf with these values in place of the node x. */
static struct axt_expr *
leaf_for(struct axt_graph *g, const struct axt_expr *x, const void *values)
{
	struct axt_expr *leaf = axt_memory_leaf(g, x->dtype, &x->axes, values);

	axt_dress(g, &leaf, x);
	return leaf;
}

/* ---- which reductions ---- */

static int64_t
bytes_of(const struct axt_expr *e)
{
	int64_t bytes;

	return axt_mul(axt_count(e), axt_size(e->dtype), &bytes) ? bytes : INT64_MAX;
}

/* Whether e is a reduction whose states are few beside what it reads. */
static bool
is_phase(struct axt_expr *e, int64_t parts, struct axt_part_states *states)
{
	if (e->kind != AXT_NODE_REDUCE)
		return false;
	axt_part_states_plan(e, parts, 1, states);
	return states->on && states->blocks <= bytes_of(e->arg[0]) / 4 / STATE_BYTES;
}

/* The bytes that one of `parts` parts of e[0..n) moves. */
static int
moved(struct axt_graph *g, struct axt_expr *const e[], int n, int64_t parts, int64_t *all)
{
	int64_t bytes;

	*all = 0;
	for (int i = 0; i < n; i++) {
		if (axt_cut_moves(g, e[i], parts, &bytes))
			return g->err.code;
		*all = axt_plus(*all, bytes);
	}
	return 0;
}

/* ---- the phases ---- */

/* Reductions that are computed in one pass. */
struct pass {
	struct axt_graph *g;
	const struct axt_ranks *by;
	int64_t parts;
	int n;
	int *node; /* [n]: their numbers among all nodes */
	struct axt_expr **red;
	struct axt_part_states *states;
	struct axt_numbers *own; /* the states of this rank's share of each */
};

/* Makes nodes of the states of this rank's shares; box: AXT_PART_BOXES. Returns how many. */
static int
states_nodes(const struct pass *s, const struct axt_needs *needs, struct axt_box *box,
    struct axt_expr **node, int *of)
{
	int m = 0;

	for (int i = 0; i < s->n; i++)
		if (axt_partition_boxes(&s->states[i].cut, s->by->rank + 1, s->by->size, box) > 0) {
			of[m] = i;
			node[m++] = axt_part_states_node(s->g, s->red[i], &s->states[i], box,
			    needs);
		}
	return m;
}

/* Computes the states of this rank's shares. All ranks must call it. */
static int
own_states(struct pass *s)
{
	struct axt_graph *g = s->g;
	struct axt_box *box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*box));
	struct axt_expr **node = axt_alloc(g->m, (size_t)s->n * sizeof(*node));
	struct axt_numbers *own = axt_alloc(g->m, (size_t)s->n * sizeof(*own));
	int *of = axt_alloc(g->m, (size_t)s->n * sizeof(*of)), m = 0;
	struct axt_needs needs = { 0 };

	if (!box || !node || !own || !of)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (axt_needs_of(g, s->red, s->n, &needs) == 0)
		m = states_nodes(s, &needs, box, node, of);
	axt_needs_read(g, node, m, &needs);
	needs.several = s->n > 1;
	if (axt_exchange(g, s->by, &needs) == 0) {
		if (needs.held)
			states_nodes(s, &needs, box, node, of);
		if (!g->err.code && m > 0)
			axt_part_states_run(g, node, m, own);
		for (int i = 0; !g->err.code && i < m; i++)
			s->own[of[i]] = own[i];
	}
	axt_needs_release(&needs);
	return g->err.code;
}

/* The bytes of merged states, one plane after another, to or from `p`. */
static void
pack(const struct axt_states *x, uint8_t *p, bool into)
{
	size_t bytes = (size_t)x->of.kept * 8;

	for (int k = 0; k < x->fns->planes; k++, p += bytes) {
		if (into)
			memcpy(p, x->all.p[k], bytes);
		else
			memcpy(x->all.p[k], p, bytes);
	}
}

/*
 * Merges the states of all ranks in their order: each takes what those before it have merged, adds
 * its own, and gives that to the next. All get the whole in the end.
 */
static void
merge(struct axt_graph *g, const struct axt_ranks *by, struct axt_states *x,
    const struct axt_numbers *own, uint8_t *p)
{
	int bytes = (int)(x->of.kept * 8 * x->fns->planes), last = by->size - 1;

	if (by->rank > 0) {
		by->t->take(p, bytes, by->rank - 1);
		pack(x, p, false);
	}
	if (!axt_states_add(x, own->v, own->n / axt_states_numbers(x)))
		axt_fail(&g->err, AXT_E_DAMAGED, "the states of a reduction are damaged");
	pack(x, p, true);
	if (by->size > 1)
		by->t->give(p, bytes, by->rank < last ? by->rank + 1 : 0);
	if (by->rank == 0 && by->size > 1)
		by->t->take(p, bytes, last);
	by->t->broadcast(p, bytes);
	pack(x, p, false);
}

/* The results of reduction i of a pass, of the states of all ranks. */
static struct axt_expr *
results(const struct pass *s, int i)
{
	struct axt_graph *g = s->g;
	const struct axt_states_of *of = &s->states[i].of;
	struct axt_expr *red = s->red[i];
	struct axt_states all = { 0 };
	uint8_t *p = axt_alloc(g->m, (size_t)of->kept * STATE_BYTES),
		*out = axt_alloc(g->m, (size_t)bytes_of(red) + 16);

	if (!p || !out)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		axt_states_begin(&all, of, &g->err);
	if (axt_ranks_well(g, s->by) == 0) {
		merge(g, s->by, &all, &s->own[i], p);
		if (!g->err.code)
			axt_states_results(&all, red->dtype, out, &g->err);
	}
	axt_states_release(&all);
	return g->err.code ? axt_node_failed(g) : leaf_for(g, red, out);
}

/*
 * Finds the reductions that can be computed now: those whose arguments need no other. Makes all
 * nodes that no such reduction is needed for.
 */
static int
find_pass(struct replaced *r, struct pass *s)
{
	s->n = 0;
	for (int i = 0; i < r->nodes.n; i++) {
		const struct axt_expr *x = r->nodes.e[i];
		bool ready = !r->is[i];

		for (int k = 0; k < x->nargs; k++)
			ready = ready && r->is[axt_nodes_at(&r->nodes, x->arg[k])];
		if (!ready)
			continue;
		if (follow(r, i))
			return s->g->err.code;
		if (!is_phase(r->is[i], s->parts, &s->states[s->n]))
			continue;
		s->node[s->n] = i;
		s->red[s->n++] = r->is[i];
		r->is[i] = NULL;
	}
	return 0;
}

/* Begins to find the passes of e[0..m). */
static int
begin_passes(struct axt_graph *g, struct axt_expr *const e[], int m, struct replaced *r,
    struct pass *s)
{
	size_t n;

	*r = (struct replaced){ .g = g };
	if (axt_nodes(g, e, m, false, &r->nodes))
		return g->err.code;
	n = (size_t)r->nodes.n;
	r->is = axt_alloc(g->m, n * sizeof(*r->is));
	s->node = axt_alloc(g->m, n * sizeof(*s->node));
	s->red = axt_alloc(g->m, n * sizeof(*s->red));
	s->states = axt_alloc(g->m, n * sizeof(*s->states));
	s->own = axt_alloc(g->m, n * sizeof(*s->own));
	return r->is && s->node && s->red && s->states && s->own
	    ? 0
	    : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The bytes of inputs that a pass reads, each input once. */
static int
read_in_pass(const struct pass *s, int64_t *bytes)
{
	struct axt_graph *g = s->g;
	struct axt_needs needs;
	int64_t *of, most, rest;

	if (axt_needs_of(g, s->red, s->n, &needs))
		return g->err.code;
	for (int i = 0; i < s->n; i++) {
		of = axt_alloc(g->m, (size_t)needs.n * sizeof(*of) + 1);
		if (!of)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (axt_part_reads(g, &s->red[i], 1, &needs, of, &rest))
			return g->err.code;
		*bytes = axt_plus(*bytes, rest);
		for (int k = 0; k < needs.n; k++) {
			most = MAX(needs.l[k].bytes, of[k]);
			*bytes = axt_plus(*bytes, most - needs.l[k].bytes);
			needs.l[k].bytes = most;
		}
	}
	return 0;
}

/* Makes e[0..n) what stands for them. */
static void
take_left(const struct replaced *r, struct axt_expr *e[], int n)
{
	for (int i = 0; i < n; i++)
		e[i] = r->is[axt_nodes_at(&r->nodes, e[i])];
}

int
axt_phases_find(struct axt_graph *g, struct axt_expr *e[], int n, int64_t parts,
    struct axt_phases *out)
{
	struct pass s = { .g = g, .parts = parts };
	struct axt_phases found = { 0 };
	struct axt_expr **left = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	struct replaced r;
	int64_t all, rest;

	*out = (struct axt_phases){ 0 };
	if (!left)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (begin_passes(g, e, n, &r, &s))
		return g->err.code;
	while (find_pass(&r, &s) == 0 && s.n > 0) {
		found.n += s.n;
		found.passes++;
		if (read_in_pass(&s, &found.read))
			break;
		for (int i = 0; i < s.n; i++) /* without values, to see what is left */
			r.is[s.node[i]] = leaf_for(g, s.red[i],
			    axt_alloc(g->m, (size_t)bytes_of(s.red[i]) + 16));
	}
	memcpy(left, e, (size_t)n * sizeof(struct axt_expr *));
	if (!g->err.code)
		take_left(&r, left, n);
	if (g->err.code || found.n == 0 || moved(g, e, n, parts, &all) ||
	    moved(g, left, n, parts, &rest))
		return g->err.code;
	if ((double)rest + (double)found.read / (double)parts > WORTH * (double)all)
		return 0;
	*out = found;
	memcpy(e, left, (size_t)n * sizeof(struct axt_expr *));
	return 0;
}

int
axt_phases_run(struct axt_graph *g, const struct axt_ranks *by, struct axt_expr *e[], int n)
{
	struct pass s = { .g = g, .by = by, .parts = by->size };
	struct replaced r;

	begin_passes(g, e, n, &r, &s);
	for (;;) { /* what all ranks call is called by those that have failed, too */
		if (!g->err.code)
			find_pass(&r, &s);
		if (axt_ranks_well(g, by) || s.n == 0)
			break;
		memset(s.own, 0, (size_t)s.n * sizeof(*s.own));
		own_states(&s);
		for (int i = 0; i < s.n; i++)
			r.is[s.node[i]] = results(&s, i);
	}
	if (!g->err.code)
		take_left(&r, e, n);
	return g->err.code;
}
