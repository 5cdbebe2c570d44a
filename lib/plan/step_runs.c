/*
 * step_runs.c - plans reductions over adjacent elements: a run is the linear group, which is cut
 * into blocks. If there are few results, all threads reduce blocks of each.
 */
#include "plan/steps.h"

/* with more groups a block has few elements of each, so that partial states do not pay */
#define GROUPS_PARTIAL 512
#define OWN_STATES (2 << 20) /* the most states of a thread */
/* if threads have parts of the groups: the least number of groups in a part */
#define GROUPS_PART 256
#define GROUPS_ELEMENTS (64 << 10) /* the least number of elements */
#define GROUPS_INSTRS 4 /* the most instructions, which every thread runs for all elements */

static void
kept(const struct axt_step *s, int *a, int *b)
{
	*a = 0;
	*b = s->runs.nkept;
}

static struct axt_marks
marks(struct axt_step *s)
{
	return (struct axt_marks){ .n = 2, .dim = { &s->runs.nkept, &s->sp.lin }, .full = 1 };
}

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	return d == s->runs.nkept || (d < s->runs.nkept && !s->red.states && (!ordered || d == 0));
}

/* ---- shape ---- */

/*
 * Whether the groups of a grouped reduction are divided among the threads, since there is a single
 * tile of results. Each thread goes over every element, so that each group gets its elements in
 * order, and also computes every element, so that must be little work. Steps that read streams in
 * order are scheduled otherwise.
 */
static bool
groups_in_parts(const struct axt_step *s, int64_t tiles)
{
	for (int k = 0; k < s->prog.noperands; k++)
		if (axt_is_in_order(&s->prog.operand[k]))
			return false;
	return !s->red.partials && !s->red.own && !s->nband && !s->device && tiles == 1 &&
	    s->red.groups >= 2 * GROUPS_PART && s->red_count >= GROUPS_ELEMENTS &&
	    s->prog.ninstrs <= GROUPS_INSTRS;
}

/* Whether the elements of groups can be reduced in any order, one by one. */
static bool
is_exact(const struct axt_step *s)
{
	for (int k = 0; k < s->nouts; k++)
		if (!axt_red_any_order(s->out[k].fns) || !s->out[k].fns->each)
			return false;
	return s->red.group_at >= 0 && s->red.parts == 1 && !s->device;
}

/* Whether each thread had better have states of its own, as there are few tiles of results. */
static bool
has_own(const struct axt_step *s, const struct axt_plan_opts *o, int64_t tiles)
{
	int64_t states, planes = 0;

	for (int k = 0; k < s->nouts; k++)
		planes += s->out[k].fns->planes;
	return s->red.exact && !s->red.states && !s->nband && tiles < 2 * o->threads &&
	    s->red_count > 4 * AXT_BLOCK && axt_mul(s->kept_count, s->red.groups, &states) &&
	    states <= MIN(OWN_STATES, s->kept_count * s->red_count / o->threads) / planes &&
	    (s->slab_dim < 0 || s->slab_dim >= s->runs.nkept);
}

/* Whether all kept elements have the same groups, so that a block is split once for several. */
static bool
is_beside(const struct axt_step *s)
{
	const struct axt_reg *r = &s->prog.reg[MAX(s->prog.group, 0)];

	if (s->red.group_at < 0 || s->red.exact || s->red.states || s->red.parts != 1 ||
	    s->prog.weight >= 0 || r->operand < 0 || s->nband || s->device ||
	    (s->slab_dim >= 0 && s->slab_dim < s->runs.nkept))
		return false;
	for (int d = 0; d < s->runs.nkept; d++)
		if (s->prog.operand[r->operand].v.stride[d] != 0 ||
		    s->prog.operand[r->operand].jump[d])
			return false;
	for (int k = 0; k < s->nouts; k++)
		if (!s->out[k].fns->blocks)
			return false;
	return true;
}

static void
shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t tiles;

	(void)g;
	s->red.exact = is_exact(s);
	s->red.beside = is_beside(s);
	elements = MAX(elements / AXT_BLOCK * AXT_BLOCK, AXT_BLOCK);
	s->ext[s->sp.lin] = MIN(elements, s->sp.lin_len);
	if (s->red.beside && s->sp.lin_len > AXT_BLOCK) {
		s->ext[s->sp.lin] = MAX(elements / AXT_BESIDE / AXT_BLOCK * AXT_BLOCK, AXT_BLOCK);
		s->ext[s->sp.lin] = MIN(s->ext[s->sp.lin], s->sp.lin_len);
		axt_tile_widen(s, 0, s->runs.nkept,
		    MIN(MIN(AXT_BESIDE, axt_groups_most(s)), MAX(s->kept_count / o->threads, 1)));
	}
	if (s->ext[s->sp.lin] == s->sp.lin_len)
		axt_tile_widen(s, s->runs.nkept, s->sp.lin + 1, elements);
	if (axt_tile_count(s, s->ext, s->runs.nkept, s->sp.lin + 1) == s->red_count)
		axt_tile_widen(s, 0, s->sp.lin + 1,
		    MIN(elements,
			s->red.groups == 1
			    ? elements
			    : MAX(s->red_count, 1) * MIN(axt_groups_most(s), elements)));
	tiles = axt_tile_count(s, NULL, 0, s->runs.nkept) /
	    MAX(1, axt_tile_count(s, s->ext, 0, s->runs.nkept));
	s->red.own = has_own(s, o, tiles);
	s->red.partials = s->red.states ||
	    (!s->red.own && s->red.parts == 1 && !s->nband && s->red.groups <= GROUPS_PARTIAL &&
		tiles < 2 * o->threads && s->red_count > 4 * AXT_BLOCK &&
		(s->slab_dim < 0 || s->slab_dim >= s->runs.nkept));
	if (s->red.partials || s->red.own) {
		for (int d = 0; d < s->runs.nkept; d++)
			s->ext[d] = 1;
	}
	if (groups_in_parts(s, tiles))
		s->red.group_parts = (int)MIN(o->threads, s->red.groups / GROUPS_PART);
	s->linear = axt_tile_linear(s, 0, s->runs.nkept);
}

static void
explain(const struct axt_step *s, FILE *out)
{
	axt_explain_reduces(s,
	    s->red.own            ? ", states of each thread"
		: s->red.partials ? ", blocks in parallel"
				  : "",
	    out);
}

const struct axt_step_fns axt_step_runs = {
	.word = "reduce",
	.kept = kept,
	.marks = marks,
	.may_slab = may_slab,
	.shape = shape,
	.explain = explain,
	.states = true,
	.lin_is_run = true,
	.slab_part = 2,
};
