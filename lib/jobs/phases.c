/*
 * phases.c - reductions that all ranks compute together, before what needs them. In (x - mean(x)) /
 * std(x) each rank needs all of x for the two numbers. Instead, each has the states of its share of
 * blocks (block_states.c), these are merged, and the number is a leaf in memory of what comes then.
 * What is left can be cut anywhere.
 *
 * States are merged in the order of the blocks, from rank to rank, so that a sum has the bits that
 * it has in one process, and no rank holds the states of another. Quantiles have no states, but are
 * found by counting (eval/radix_select.c): each rank counts its share, and the counts are added up
 * after each pass over it.
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

/* How often the argument of a quantile is read to count it. */
static int
readings(const struct axt_expr *e)
{
	int bits = axt_kern_lines(axt_dtypes[e->arg[0]->dtype].comp)->bits;

	return (bits + AXT_COUNT_BITS - 1) / AXT_COUNT_BITS;
}

/* The bytes of counts that all readings add up. */
static int64_t
count_bytes(const struct axt_expr *e)
{
	return ((int64_t)2 * 8 << AXT_COUNT_BITS) * axt_count(e) * readings(e);
}

/* Whether e is a reduction whose states, or counts, are few beside what it reads. */
static bool
is_phase(struct axt_expr *e, int64_t parts, struct axt_part_states *states)
{
	if (e->kind != AXT_NODE_REDUCE)
		return false;
	axt_part_states_plan(e, parts, 1, states);
	if (states->counted)
		return count_bytes(e) <= bytes_of(e->arg[0]) / 4;
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
	struct axt_numbers *own; /* the states of this rank's share of each; values of quantiles */
};

/* ---- counts ---- */

/* Adds up counts of quantiles, which one run computes. */
struct adder {
	struct axt_together t;
	struct axt_graph *g;
	const struct axt_ranks *by;
	bool told; /* this rank knows that one has failed */
};

static int
add_counts(const struct axt_together *t, int64_t *x, int n)
{
	struct adder *a = (struct adder *)t;

	a->told = axt_ranks_well(a->g, a->by) != 0;
	if (a->told)
		return -1;
	a->by->t->sum(x, n);
	return 0;
}

/* Whether two quantiles read the same elements in the same order, so that one run counts both. */
static bool
same_elements(const struct axt_expr *a, const struct axt_expr *b)
{
	return a->arg[0] == b->arg[0] && a->u.red.skip == b->u.red.skip &&
	    a->u.red.nkept == b->u.red.nkept &&
	    memcmp(a->u.red.kept, b->u.red.kept, (size_t)a->u.red.nkept * sizeof(int)) == 0;
}

/*
 * Makes nodes of what this rank computes of its shares: first those of states, then the quantiles.
 * box: AXT_PART_BOXES. Sets of[] to the numbers of their reductions. Returns how many there are,
 * and sets *nstates to how many have states.
 */
static int
share_nodes(const struct pass *s, const struct axt_needs *needs, const struct axt_together *t,
    struct axt_box *box, struct axt_expr **node, int *of, int *nstates)
{
	int m = 0;

	for (int counted = 0; counted < 2; counted++) {
		for (int i = 0; i < s->n; i++) {
			const struct axt_part_states *x = &s->states[i];

			if (x->counted != (bool)counted ||
			    axt_partition_boxes(&x->cut, s->by->rank + 1, s->by->size, box) == 0)
				continue;
			of[m] = i;
			node[m++] = axt_part_states_node(s->g, s->red[i], x, box, needs,
			    counted ? t : NULL);
		}
		if (!counted)
			*nstates = m;
	}
	return m;
}

/* Computes the m quantiles node[], those of the same elements together. All ranks must call it. */
static void
count(struct pass *s, struct axt_expr *const node[], const int of[], int m, struct adder *a)
{
	struct axt_graph *g = s->g;
	struct axt_numbers own[AXT_PART_COUNTED_MAX];
	int n;

	for (int i = 0; i < m; i += n) {
		for (n = 1; i + n < m && n < AXT_PART_COUNTED_MAX; n++)
			if (!same_elements(s->red[of[i]], s->red[of[i + n]]))
				break;
		a->told = false;
		if (!g->err.code && axt_part_states_run(g, node + i, n, own) == 0)
			for (int k = 0; k < n; k++)
				s->own[of[i + k]] = own[k];
		if (!a->told)
			axt_ranks_well(g, s->by);
	}
}

/* Computes the states of this rank's shares, and quantiles. All ranks must call it. */
static int
own_states(struct pass *s)
{
	struct axt_graph *g = s->g;
	struct axt_box *box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*box));
	struct axt_expr **node = axt_alloc(g->m, (size_t)s->n * sizeof(*node));
	struct axt_numbers *own = axt_alloc(g->m, (size_t)s->n * sizeof(*own));
	int *of = axt_alloc(g->m, (size_t)s->n * sizeof(*of)), m = 0, nstates = 0;
	struct adder a = { { add_counts }, g, s->by, false };
	struct axt_needs needs = { 0 };

	if (!box || !node || !own || !of)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (axt_needs_of(g, s->red, s->n, &needs) == 0)
		m = share_nodes(s, &needs, &a.t, box, node, of, &nstates);
	axt_needs_read(g, node, m, &needs);
	needs.several = s->n > 1 || m > nstates;
	if (axt_exchange(g, s->by, &needs) == 0) {
		if (needs.held)
			share_nodes(s, &needs, &a.t, box, node, of, &nstates);
		if (!g->err.code && nstates > 0)
			axt_part_states_run(g, node, nstates, own);
		for (int i = 0; !g->err.code && i < nstates; i++)
			s->own[of[i]] = own[i];
		count(s, node + nstates, of + nstates, m - nstates, &a);
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
	uint8_t *p, *out;

	if (s->states[i].counted)
		return axt_ranks_well(g, s->by) ? axt_node_failed(g)
						: leaf_for(g, red, s->own[i].v);
	p = axt_alloc(g->m, (size_t)of->kept * STATE_BYTES);
	out = axt_alloc(g->m, (size_t)bytes_of(red) + 16);
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
	int64_t *of, most, rest, times;

	if (axt_needs_of(g, s->red, s->n, &needs))
		return g->err.code;
	for (int i = 0; i < s->n; i++) {
		of = axt_alloc(g->m, (size_t)needs.n * sizeof(*of) + 1);
		if (!of)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (axt_part_reads(g, &s->red[i], 1, &needs, of, &rest))
			return g->err.code;
		times = s->states[i].counted ? readings(s->red[i]) : 1;
		*bytes = axt_plus(*bytes, axt_times(rest, times));
		for (int k = 0; k < needs.n; k++) {
			most = MAX(needs.l[k].bytes, axt_times(of[k], times));
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
		for (int i = 0; i < s.n; i++)
			if (s.states[i].counted)
				found.counts += count_bytes(s.red[i]);
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
