/*
 * unit_groups.c - reductions by groups. In columns, rows are merged into the states of their
 * groups. In runs, a block is split, so that its elements of each group are a block of their own;
 * where any order gives the same bits, each element is merged by itself instead.
 * The group of an element is a value that the program computes, or is looked up in memory.
 */
#include <stdlib.h>

#include "eval/step.h"

#define MANY_GROUPS 128 /* with fewer groups hardly any element of a block is alone in its group */
#define LANES 4
#define TALLIED (16 << 10) /* the most groups that have such counts */
#define AHEAD 8 /* elements by which the states of single elements are prefetched ahead */
#define STATES_NEAR (32 << 10) /* the bytes of states up to which rows are merged in any order */

/*
 * A block that was split by group. `alone` has the elements that are alone in their group. The
 * others are sorted by group: those of group[i] are element[from[i]] to element[from[i + 1] - 1].
 * Only elements of groups [lo, hi) are considered.
 */
struct axt_split {
	int32_t lo, hi;
	int32_t own[AXT_BLOCK]; /* the elements of groups [lo, hi) */
	int32_t all[AXT_BLOCK]; /* 0, 1, 2, ... */
	/* [i]: whether another element is in the same group; the last belongs to no element */
	uint8_t joined[AXT_BLOCK + 1];
	/* block: its number; last[g]: the block and the place of the last element of group g */
	uint32_t block, *last;
	int32_t alone[AXT_BLOCK], several[AXT_BLOCK], element[AXT_BLOCK];
	int32_t group[AXT_BLOCK], from[AXT_BLOCK + 1];
	uint8_t value[AXT_BLOCK * 16] __attribute__((aligned(64)));
	double weight[AXT_BLOCK];
	/* blocks side by side, and those of their elements that are not alone */
	uint8_t side[AXT_BLOCK * AXT_BESIDE * 8], picked[AXT_BLOCK * AXT_BESIDE * 8];
	/* the labels of a block whose address is odd, as in a mapped chunk */
	int32_t aligned[AXT_BLOCK];
	int nalone, n;
	/*
	 * where integers are only counted: LANES counts of each group, and of no group, which
	 * equal neighbours do not wait for; NULL: none
	 */
	uint32_t *tally;
	int64_t tallied; /* elements in them */
	/* of the rows of a tile, for which there is room: their groups, and themselves by group */
	int32_t *label, *row;
	int64_t room, rows;
	int32_t count[]; /* [group]: 0 between blocks */
};

/* Whether every element counts, as integers do. */
static bool
counts_all(const struct axt_output *o)
{
	return o->node->u.red.op == AXT_RED_COUNT && o->fns->in != AXT_F32 && o->fns->in != AXT_F64;
}

/* Whether a worker counts elements for a single result of each group, and does nothing else. */
static bool
tallies(const struct axt_step *s)
{
	return s->red.own && s->kept_count == 1 && s->nouts == 1 && s->red.groups <= TALLIED &&
	    counts_all(&s->out[0]);
}

int
axt_groups_worker(struct axt_worker *w)
{
	int64_t groups = w->r->s->red.groups,
		bytes = (int64_t)sizeof(*w->split) +
	    groups * (int64_t)(sizeof(*w->split->count) + sizeof(*w->split->last));

	w->split = axt_scratch_new(bytes);
	if (!w->split)
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	w->split->last = (uint32_t *)(w->split->count + groups);
	memset(w->split->count, 0, (size_t)(bytes - (int64_t)sizeof(*w->split)));
	w->split->block = 0;
	w->split->label = NULL;
	w->split->room = w->split->tallied = 0;
	w->split->tally = tallies(w->r->s) ? calloc((size_t)(groups + 1) * LANES, sizeof(uint32_t))
					   : NULL;
	if (tallies(w->r->s) && !w->split->tally)
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	for (int32_t i = 0; i < AXT_BLOCK; i++)
		w->split->all[i] = i;
	axt_groups_part(w, 0);
	return 0;
}

void
axt_groups_release(struct axt_worker *w)
{
	if (w->split) {
		free(w->split->label);
		free(w->split->tally);
	}
	free(w->split);
}

void
axt_groups_part(struct axt_worker *w, int64_t part)
{
	const struct axt_step *s = w->r->s;

	w->split->lo = (int32_t)(s->red.groups * part / s->red.group_parts);
	w->split->hi = (int32_t)(s->red.groups * (part + 1) / s->red.group_parts);
}

/* An output whose result depends on the number of elements in a group, as a mean; or NULL. */
static const struct axt_expr *
needs_count(const struct axt_step *s)
{
	for (int j = 0; j < s->nouts; j++)
		if (s->out[j].node->u.red.op != AXT_RED_SUM &&
		    s->out[j].node->u.red.op != AXT_RED_COUNT)
			return s->out[j].node;
	return NULL;
}

/* Counts the elements of each group, which a mean needs, if groups are values in memory. */
int
axt_groups_begin(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int k = s->red.group_at >= 0 ? s->prog.reg[s->prog.group].operand : -1;
	const struct axt_storage *st = k >= 0 ? r->src[k].st : NULL;
	const struct axt_expr *needs = needs_count(s);
	int64_t *count, times;

	if (s->red.group_at < 0 || !needs)
		return 0;
	if (!st || !st->mem || st->swap)
		return axt_fail(&r->g->err, AXT_E_ARG, "%s of groups needs their labels in memory",
		    axt_reds[needs->u.red.op].name);
	if (st->count == 0)
		return 0;
	count = axt_alloc(r->g->m, (size_t)s->red.groups * sizeof(*count) + 1);
	if (!count)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	times = s->red_count / st->count;
	for (int64_t i = 0; i < st->count; i++) {
		int32_t g = ((const int32_t *)st->mem)[i];

		if (g >= 0 && g < s->red.groups)
			count[g] += times;
	}
	r->group_count = count;
	return 0;
}

/* ---- columns ---- */

/* The group of row i of the tile. */
static int32_t
group_of_row(const struct axt_worker *w, int64_t i)
{
	const struct axt_step *s = w->r->s;
	int k = s->prog.reg[s->prog.group].operand;
	const struct axt_view *v = &s->prog.operand[k].v;
	int64_t at = v->offset;
	int32_t g;

	for (int d = s->columns.nred - 1; d >= 0; d--) {
		at += (w->now.lo[d] + i % w->now.n[d]) * v->stride[d];
		i /= w->now.n[d];
	}
	memcpy(&g, w->r->src[k].mem + at * (int64_t)sizeof(g), sizeof(g));
	return g >= 0 && g < s->red.groups ? g : -1;
}

/*
 * Lists the rows of the tile that have a group: in their order or, where the states of all groups
 * do not stay in the cache, group by group. Those of a group stay in their order, so that the bits
 * are the same.
 */
static int
list_rows(struct axt_worker *w, int64_t rows, int64_t cols)
{
	struct axt_split *x = w->split;
	int64_t groups = w->r->s->red.groups;
	bool near = groups * cols * 16 <= STATES_NEAR || groups > 4 * rows;
	int32_t at = 0, most = 0;

	if (rows > x->room) {
		free(x->label);
		x->room = 0;
		x->label = axt_scratch_new(rows * 2 * (int64_t)sizeof(*x->label));
		if (!x->label)
			return axt_fail(&w->err, AXT_E_MEM, "out of memory");
		x->room = rows;
	}
	x->row = x->label + x->room;
	x->rows = 0;
	for (int64_t i = 0; i < rows; i++) {
		int32_t g = group_of_row(w, i);

		x->label[i] = g;
		x->row[x->rows] = (int32_t)i;
		x->rows += g >= 0;
		if (g >= 0 && !near) {
			x->count[g]++;
			at |= g < most; /* whether they are in no order yet */
			most = MAX(most, g);
		}
	}
	if (near)
		return 0;
	for (int32_t g = 0, sum = 0; g < groups; g++) {
		int32_t n = x->count[g];

		x->count[g] = sum;
		sum += n;
	}
	for (int64_t i = 0; at && i < rows; i++)
		if (x->label[i] >= 0)
			x->row[x->count[x->label[i]]++] = (int32_t)i;
	memset(x->count, 0, (size_t)groups * sizeof(*x->count));
	return 0;
}

int64_t
axt_groups_next(struct axt_worker *w, int64_t *at, int64_t rows, int64_t cols, int64_t most,
    struct axt_group_rows *to)
{
	const struct axt_split *x = w->split;
	const int32_t *row;
	int64_t n = 1;

	if (*at == 0 && list_rows(w, rows, cols))
		return -1;
	if (*at == x->rows)
		return 0;
	row = x->row + *at;
	most = MIN(most, x->rows - *at);
	while (n < most && row[n] == row[0] + n && x->label[row[n]] == x->label[row[0]])
		n++;
	to->row = row[0];
	to->group = x->label[row[0]];
	to->then = *at + n < x->rows ? row[n] : -1;
	*at += n;
	return n;
}

/* Merges m rows of n values, from element `from` of the roots on, into states k, k + 1... */
static void
merge(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t from, int64_t m, int64_t n,
    int64_t ld, int64_t index)
{
	const struct axt_step *s = w->r->s;
	const double *weight = s->prog.weight >= 0 ? w->val[s->prog.weight] : NULL;

	for (int j = 0; j < s->nouts; j++) {
		const struct axt_red_fns *f = s->out[j].fns;
		const uint8_t *x = w->val[s->out[j].root];

		f->rows(&acc[j], k * s->red.parts, x + from * s->red.parts * axt_size(f->in),
		    weight ? weight + from : NULL, m, n * s->red.parts, ld * s->red.parts, index,
		    1);
	}
}

/* Merges a row whose elements may be in different groups; equal neighbours together. */
static void
mixed_row(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t cols, int64_t from,
    int64_t n, int64_t index)
{
	typedef int32_t label __attribute__((aligned(1))); /* a mapped chunk begins anywhere */
	const label *g = (const label *)w->val[w->r->s->prog.group] + from;

	for (int64_t i = 0, m; i < n; i += m) {
		for (m = 1; i + m < n && g[i + m] == g[i]; m++)
			;
		if (g[i] >= 0 && g[i] < w->r->s->red.groups)
			merge(w, acc, k + g[i] * cols + i, from + i, 1, m, m, index);
	}
}

void
axt_groups_merge(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t cols, int32_t g,
    int64_t m, int64_t n, int64_t ld, int64_t index)
{
	for (int64_t i = 0; i < m && g < 0; i++)
		mixed_row(w, acc, k, cols, i * ld, n, index + i);
	if (g >= 0)
		merge(w, acc, k + g * cols, 0, m, n, ld, index);
}

/* ---- runs ---- */

/* Lists the elements of groups [lo, hi), without branches, which would be unpredictable. */
static int
find_own(struct axt_split *x, const int32_t *g, int64_t n)
{
	uint32_t groups = (uint32_t)(x->hi - x->lo);
	int own = 0;

	for (int64_t i = 0; i < n; i++) {
		x->own[own] = (int32_t)i;
		own += (uint32_t)g[i] - (uint32_t)x->lo < groups;
	}
	return own;
}

/* Whether all elements are of groups [lo, hi). */
static bool
all_own(const struct axt_split *x, const int32_t *g, int64_t n)
{
	uint32_t groups = (uint32_t)(x->hi - x->lo), others = 0;

	for (int64_t i = 0; i < n; i++)
		others |= (uint32_t)g[i] - (uint32_t)x->lo >= groups;
	return !others;
}

/* Begins a block and returns its number. What `last` has of earlier blocks is then void. */
static uint32_t
next_block(struct axt_split *x, int64_t groups)
{
	if (++x->block == UINT32_MAX / AXT_BLOCK) {
		memset(x->last, 0, (size_t)groups * sizeof(*x->last));
		x->block = 1;
	}
	return x->block * AXT_BLOCK;
}

/* Divides n elements into those alone in their group and others; returns how many others. */
static int
part(struct axt_split *x, const int32_t *g, int n, int64_t groups)
{
	uint32_t from = next_block(x, groups);
	int several = 0;

	for (int k = 0; k < n; k++) {
		int32_t i = x->own[k];
		uint32_t *last = &x->last[g[i]], before = *last - from;
		bool again = before < AXT_BLOCK;

		x->joined[i] = again;
		x->joined[again ? before : AXT_BLOCK] = true;
		*last = from + (uint32_t)i;
	}
	for (int k = 0; k < n; k++) {
		int32_t i = x->own[k];

		x->alone[x->nalone] = x->several[several] = i;
		x->nalone += !x->joined[i];
		several += x->joined[i];
	}
	return several;
}

/*
 * Sorts the elements of a block by group; those of a group stay in their order. alone: elements
 * that are alone in their group are set apart.
 */
static void
split(struct axt_split *x, const int32_t *g, int64_t n, int64_t groups, bool alone)
{
	const int32_t *which = alone ? x->several : x->own;
	int32_t at = 0;
	int m = find_own(x, g, n);

	x->n = x->nalone = 0;
	m = alone ? part(x, g, m, groups) : m;
	for (int k = 0; k < m; k++) {
		int32_t q = g[which[k]];

		if (x->count[q]++ == 0)
			x->group[x->n++] = q;
	}
	for (int i = 0; i < x->n; i++) {
		int32_t len = x->count[x->group[i]];

		x->from[i] = x->count[x->group[i]] = at;
		at += len;
	}
	x->from[x->n] = at;
	for (int k = 0; k < m; k++)
		x->element[x->count[g[which[k]]]++] = which[k];
}

/* Gathers the elements of output j with the n indices in `which`, and their weights. */
static void
gather(struct axt_worker *w, int j, int64_t at, const int32_t *which, int64_t n)
{
	const struct axt_step *s = w->r->s;
	struct axt_split *x = w->split;
	int size = axt_size(s->out[j].fns->in) * s->red.parts;
	const uint8_t *from = (const uint8_t *)w->val[s->out[j].root] + at * size;
	const double *weight = s->prog.weight >= 0 ? (const double *)w->val[s->prog.weight] + at
						   : NULL;

	for (int64_t i = 0; i < n && size == 8; i++)
		memcpy(x->value + i * 8, from + which[i] * 8, 8);
	for (int64_t i = 0; i < n && size == 4; i++)
		memcpy(x->value + i * 4, from + which[i] * 4, 4);
	for (int64_t i = 0; i < n && size == 16; i++)
		memcpy(x->value + i * 16, from + which[i] * 16, 16);
	for (int64_t i = 0; i < n && weight; i++)
		x->weight[i] = weight[which[i]];
}

/*
 * Merges the elements that are alone in their groups, each as a block. If the reduction has no
 * function for single elements, the states of their groups are copied side by side and merged as
 * one row, with vectors.
 */
static void
merge_alone(struct axt_worker *w, int j, struct axt_acc *acc, int64_t k, int64_t step, int64_t at,
    const int32_t *g)
{
	const struct axt_step *s = w->r->s;
	const struct axt_red_fns *f = s->out[j].fns;
	struct axt_split *x = w->split;
	int n = x->nalone;

	if (f->each) {
		f->each(acc, k, step, g, x->alone,
		    (const uint8_t *)w->val[s->out[j].root] + at * axt_size(f->in),
		    s->prog.weight >= 0 ? (const double *)w->val[s->prog.weight] + at : NULL, n);
		return;
	}
	gather(w, j, at, x->alone, n);
	for (int q = 0; q < f->planes; q++) {
		const int64_t *from = (const int64_t *)acc->p[q] + k;
		int64_t *to = w->slot[j].p[q];

		for (int i = 0; i < n; i++)
			to[i] = from[g[x->alone[i]] * step];
	}
	f->rows(&w->slot[j], 0, x->value, s->prog.weight >= 0 ? x->weight : NULL, 1, n, n, 0, 1);
	for (int q = 0; q < f->planes; q++) {
		const int64_t *from = w->slot[j].p[q];
		int64_t *to = (int64_t *)acc->p[q] + k;

		for (int i = 0; i < n; i++)
			to[g[x->alone[i]] * step] = from[i];
	}
}

/* Whether the state of an output has a position, as that of argmin does. */
static bool
finds(const struct axt_output *o)
{
	return o->node->u.red.op == AXT_RED_ARGMIN || o->node->u.red.op == AXT_RED_ARGMAX;
}

/* Whether merge_alone merges elements that are alone. */
static bool
merges_alone(const struct axt_step *s, int64_t slot)
{
	for (int j = 0; j < s->nouts; j++)
		if (finds(&s->out[j]))
			return false;
	return slot < 0 && s->red.parts == 1 && s->red.groups >= MANY_GROUPS;
}

/* Makes state `slot` of `to` from n gathered elements of output j, beginning at `from`. */
static void
part_state(struct axt_worker *w, int j, struct axt_acc *to, int64_t slot, int64_t from, int64_t n,
    int64_t pos)
{
	const struct axt_step *s = w->r->s;
	const struct axt_output *o = &s->out[j];
	const struct axt_split *x = w->split;
	int size = axt_size(o->fns->in);
	const double *weight = s->prog.weight >= 0 ? x->weight + from : NULL;

	if (!finds(o)) {
		o->fns->block(to, slot, x->value + from * size, weight, n, pos);
		return;
	}
	o->fns->init(to, slot, 1);
	for (int64_t i = from; i < from + n; i++)
		o->fns->rows(to, slot, x->value + i * size, NULL, 1, 1, 1, pos + x->element[i], 1);
}

void
axt_groups_flush(struct axt_worker *w)
{
	struct axt_split *x = w->split;
	int64_t *count = w->acc[0].p[0];

	if (!x || !x->tallied)
		return;
	for (int64_t g = 0; g < w->r->s->red.groups; g++)
		for (int i = 0; i < LANES; i++) {
			count[g] += x->tally[g * LANES + i];
			x->tally[g * LANES + i] = 0;
		}
	x->tallied = 0;
}

/* One of LANES counts of group g, or of no group, which is behind the last one. */
static inline uint32_t *
lane(uint32_t *t, int32_t g, uint32_t groups, int i)
{
	return &t[(size_t)MIN((uint32_t)g, groups) * LANES + (size_t)i];
}

/* Counts n elements of each group in turn in one of its lanes. */
static void
tally(struct axt_worker *w, const int32_t *g, int64_t n)
{
	struct axt_split *x = w->split;
	uint32_t *t = x->tally, groups = (uint32_t)w->r->s->red.groups;

	if (x->tallied > UINT32_MAX - AXT_BLOCK)
		axt_groups_flush(w);
	x->tallied += n;
	for (; n >= LANES; n -= LANES, g += LANES) {
		uint32_t *a = lane(t, g[0], groups, 0), *b = lane(t, g[1], groups, 1),
			 *c = lane(t, g[2], groups, 2), *d = lane(t, g[3], groups, 3);

		++*a, ++*b, ++*c, ++*d;
	}
	for (int i = 0; i < n; i++)
		++*lane(t, g[i], groups, i);
}

/* Adds each element to its group; the order does not matter. */
static void
exact_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step, const int32_t *g,
    int64_t at, int64_t n)
{
	const struct axt_step *s = w->r->s;
	struct axt_split *x = w->split;
	uint32_t lo = (uint32_t)x->lo, groups = (uint32_t)x->hi - lo;
	bool all = false;
	int64_t own = -1;

	for (int j = 0; j < s->nouts; j++) {
		const struct axt_output *o = &s->out[j];
		int64_t *count = (int64_t *)acc[j].p[0] + k;

		if (counts_all(o)) {
			for (int64_t i = 0; i < n; i++)
				if ((uint32_t)g[i] - lo < groups)
					count[g[i] * step]++;
			continue;
		}
		if (own < 0) {
			all = all_own(x, g, n);
			own = all ? n : find_own(x, g, n);
		}
		o->fns->each(&acc[j], k, step, g, all ? x->all : x->own,
		    (const uint8_t *)w->val[o->root] + at * axt_size(o->fns->in), NULL, own);
	}
}

void
axt_groups_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step, int64_t *slot,
    int64_t at, int64_t n, int64_t pos)
{
	const struct axt_step *s = w->r->s;
	struct axt_split *x = w->split;
	const uint8_t *labels = (const uint8_t *)w->val[s->prog.group] +
	    at * (int64_t)sizeof(int32_t);
	const int32_t *g = x->aligned;

	if ((uintptr_t)labels % sizeof(*g) == 0)
		g = (const int32_t *)labels;
	else
		memcpy(x->aligned, labels, (size_t)n * sizeof(*g));
	if (x->tally) {
		tally(w, g, n);
		return;
	}
	if (s->red.exact && *slot < 0) {
		exact_block(w, acc, k, step, g, at, n);
		return;
	}
	split(x, g, n, s->red.groups, merges_alone(s, *slot));
	for (int j = 0; j < s->nouts; j++) {
		const struct axt_red_fns *f = s->out[j].fns;

		if (x->nalone)
			merge_alone(w, j, &acc[j], k, step, at, g);
		gather(w, j, at, x->element, x->from[x->n]);
		for (int i = 0; i < x->n; i++) {
			int64_t to = k + x->group[i] * step, from = x->from[i],
				len = x->from[i + 1] - from;

			if (s->red.parts == 2) {
				const double *wt = s->prog.weight >= 0 ? x->weight + from : NULL;

				f->rows(&acc[j], to * 2, x->value + from * 2 * axt_size(f->in), wt,
				    len, 2, 2, pos, 1);
			} else if (*slot >= 0) {
				part_state(w, j, &w->r->partial[j], *slot + i, from, len, pos);
				w->r->slot_group[*slot + i] = x->group[i];
				/* the state of a block of one element is the same */
			} else if (len == 1) {
				f->rows(&acc[j], to, x->value + from * axt_size(f->in),
				    s->prog.weight >= 0 ? x->weight + from : NULL, 1, 1, 1,
				    pos + x->element[from], 1);
			} else {
				part_state(w, j, &w->slot[j], 0, from, len, pos);
				f->merge(&acc[j], to, &w->slot[j], 0, 1);
			}
		}
	}
	if (*slot >= 0)
		*slot += x->n;
	for (int i = 0; i < x->n; i++)
		x->count[x->group[i]] = 0;
}

/* Copies elements `which` of blocks side by side, each of which has `size` bytes of all blocks. */
static void
pick_side(uint8_t *to, const uint8_t *from, const int32_t *which, int64_t n, int64_t size)
{
	for (int64_t i = 0; i < n; i++)
		memcpy(to + i * size, from + which[i] * size, (size_t)size);
}

/* Prefetches state k, and those of the kept elements after it. */
__attribute__((always_inline)) static inline void
fetch_state(const struct axt_acc *a, int planes, int64_t k)
{
	for (int q = 0; q < planes; q++)
		__builtin_prefetch((const int64_t *)a->p[q] + k, 1, 2);
}

void
axt_groups_beside(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step, int64_t m,
    int64_t n)
{
	const struct axt_step *s = w->r->s;
	struct axt_split *x = w->split;
	const int32_t *g = (const int32_t *)w->root_val[s->prog.group];

	split(x, g, n, s->red.groups, s->red.groups >= MANY_GROUPS);
	for (int j = 0; j < s->nouts; j++) {
		const struct axt_red_fns *f = s->out[j].fns;
		int size = axt_size(f->in);

		axt_kern_gather2(x->side, m, w->root_val[s->out[j].root], n, m, 1, AXT_BLOCK, size);
		for (int i = 0; i < x->nalone; i++) {
			fetch_state(&acc[j], f->planes,
			    k + g[x->alone[MIN(i + AHEAD, x->nalone - 1)]] * step);
			f->rows(&acc[j], k + g[x->alone[i]] * step,
			    x->side + x->alone[i] * m * size, NULL, 1, m, m, 0, 1);
		}
		pick_side(x->picked, x->side, x->element, x->from[x->n], m * size);
		for (int i = 0; i < x->n; i++) {
			f->blocks(&w->slot[j], 0, x->picked + x->from[i] * m * size, NULL,
			    x->from[i + 1] - x->from[i], m, m);
			f->merge(&acc[j], k + x->group[i] * step, &w->slot[j], 0, m);
		}
	}
	for (int i = 0; i < x->n; i++)
		x->count[x->group[i]] = 0;
}

/* ---- results ---- */

void
axt_groups_order(const struct axt_step *s, uint8_t *out, const uint8_t *in, int64_t pre, int64_t n,
    int size)
{
	if (n == 1) {
		axt_kern_gather2(out, s->red.groups, in, pre, s->red.groups, 1, pre, size);
		return;
	}
	for (int64_t p = 0; p < pre; p++)
		for (int64_t g = 0; g < s->red.groups; g++)
			memcpy(out + (p * s->red.groups + g) * n * size,
			    in + (g * pre + p) * n * size, (size_t)(n * size));
}
