/*
 * step_columns.c - plans reductions whose elements are merged into columns of states: over axes
 * that are not last, or over short runs, or windows, that lie side by side.
 */
#include "plan/steps.h"

#define COLUMNS_DEVICE (256 << 10)
#define COLUMNS_MAX (16 << 10) /* columns of a tile, whose states stay in L2 */
#define SIDE_PART (8 << 10)    /* elements of runs side by side that are computed at a time */
#define SIDE_COLUMNS 128       /* the least number of runs in such a part */
#define SAME_COLUMNS (2 << 10) /* runs in such a part where elements are used where they are */
#define WINDOWS_MIN 8          /* the least number of windows in such a part */
/* elements of a tile of windows that share sums: the kernel takes a few of its columns at a time */
#define WINDOWS_WIDE (256 << 10)
#define ROWS_MIN 8 /* the least number of rows that are merged in one pass over their states */
/* rows that are sorted by group: the least number of columns, the rows of a group, bytes of rows */
#define SORTED_COLUMNS 64
#define SORTED_ROWS 16
#define SORTED_BYTES (32 << 20)
#define SORTED_STATES (1 << 20) /* the most states of all groups */

static void
init(struct axt_step *s)
{
	s->columns.slide = s->columns.same = -1;
}

static void
kept(const struct axt_step *s, int *a, int *b)
{
	*a = s->columns.nred;
	*b = s->sp.nd;
}

static struct axt_marks
marks(struct axt_step *s)
{
	return (
	    struct axt_marks){ .n = 2, .dim = { &s->columns.run, &s->columns.nred }, .full = 1 };
}

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	return (d == 0 && s->columns.run > 0) ||
	    (d >= s->columns.nred && (!ordered || d == s->columns.nred));
}

/* ---- shape ---- */

/*
 * Whether rows lie where they can be used in any order, so that a tile may have very many of them:
 * nothing of it is copied. The evaluator goes through them group by group (unit_groups.c).
 */
static bool
rows_there(const struct axt_step *s)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];
		int d = s->sp.nd - 1;

		if (k == s->prog.reg[s->prog.group].operand || op->scalar)
			continue;
		if (op->source != AXT_SOURCE_STORED || op->jumps || op->v.stride[d] != 1)
			return false;
	}
	return s->columns.nred == 1 && s->sp.nd == 2;
}

/* Shapes the tile for rows of many groups: as many rows as let each group have several. */
static bool
shape_groups(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t cols = MAX(s->kept_count / (2 * o->threads), SORTED_COLUMNS), rows;

	if (!s->red.group_rows || o->tile || o->ordered || s->nband || s->device || !rows_there(s))
		return false;
	cols = MIN(MIN(cols, MAX(1, SORTED_STATES / s->red.groups)), s->kept_count);
	rows = MIN(SORTED_ROWS * s->red.groups, SORTED_BYTES / 4 / cols);
	if (cols * s->red.groups <= elements / 8 || rows * cols <= elements)
		return false;
	axt_tile_widen(s, 1, 2, cols);
	axt_tile_widen(s, 0, 1, rows);
	s->linear = axt_tile_linear(s, s->columns.nred, s->sp.nd);
	return true;
}

static void
shape_columns(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t most = s->device ? COLUMNS_DEVICE : COLUMNS_MAX,
		cols = MIN(MIN(most, elements), axt_groups_most(s)), u = axt_transposed_dim(s);

	if (shape_groups(s, o, elements))
		return;
	if (!s->nband && !s->device)
		cols = MIN(cols, MAX(s->kept_count / (2 * o->threads), AXT_BLOCK));
	if (u >= s->columns.nred && !o->tile &&
	    !o->ordered) /* rows of reduced elements have to stay in order */
		s->ext[u] = MIN(AXT_TRANSPOSED, axt_band_len(s, u));
	axt_tile_widen(s, s->columns.nred, s->sp.nd, cols);
	axt_tile_widen(s, 0, s->columns.nred,
	    MAX(ROWS_MIN, elements / axt_tile_count(s, s->ext, s->columns.nred, s->sp.nd)));
	s->linear = axt_tile_linear(s, s->columns.nred, s->sp.nd);
}

/*
 * If runs are windows that overlap, finds the kept dimension along which they do. Called before
 * dimensions are simplified.
 */
static void
find_slide(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o)
{
	int w = -1;

	(void)g, (void)o;
	if (s->prog.weight >= 0)
		return;
	for (int d = s->columns.run; d < s->columns.nred; d++) {
		if (s->sp.len[d] > 1 && w >= 0)
			return;
		w = s->sp.len[d] > 1 ? d : w;
	}
	for (int d = s->columns.nred; d < s->sp.nd && w >= 0 && s->columns.slide < 0; d++) {
		s->columns.slide = axt_operands_slide(s, d, w) ? d : -1;
	}
}

/*
 * Sets the lengths of a part of the tile: whole along reduced dimensions, and about `cols` elements
 * along the kept ones together.
 */
static void
cut_part(struct axt_step *s, int64_t cols)
{
	memcpy(s->columns.part, s->ext, sizeof(s->columns.part));
	for (int d = s->sp.nd - 1; d >= s->columns.nred; d--) {
		s->columns.part[d] = MAX(1, MIN(s->ext[d], cols));
		cols = s->columns.part[d] < s->ext[d] ? 1 : cols / s->columns.part[d];
	}
}

/*
 * Shapes the tile for windows that overlap. Along the dimension on which they slide, a part of the
 * tile has about as many windows as a window has elements, so that few elements are computed twice.
 */
static void
shape_windows(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	bool ordered = o->ordered,
	     wide = !o->tile && s->nouts == 1 &&
	    axt_windows_rows(s->out[0].fns, s->columns.run_len, 1) > 0;
	int d = s->columns.slide;
	int64_t most = wide ? MIN(axt_tile_limit(s, o), WINDOWS_WIDE)
			    : MIN(elements, 2 * COLUMNS_MAX),
		n = s->columns.run_len, inner, along = MIN(axt_band_len(s, d), MAX(n, WINDOWS_MIN));

	s->columns.slid = s->sp;
	s->columns.slid.len[s->columns.run] = 1;
	s->columns.slid.len[d] += n - 1;
	if (d == s->columns.slid.lin)
		s->columns.slid.lin_len = s->columns.slid.len[d];
	if (ordered && axt_tile_count(s, NULL, d + 1, s->sp.nd) > most / along)
		along = 1;
	axt_tile_widen(s, d + 1, s->sp.nd, MAX(1, MIN(most / along, 2 * most / (along + n))));
	inner = axt_tile_count(s, s->ext, d + 1, s->sp.nd);
	if (!ordered || inner == axt_tile_count(s, NULL, d + 1, s->sp.nd))
		s->ext[d] = MIN(axt_band_len(s, d), MAX(1, most / inner));
	memcpy(s->columns.part, s->ext, sizeof(s->columns.part));
	s->columns.part[s->columns.run] = 1;
	s->columns.part[d] += n - 1;
	if (s->ext[d] == axt_band_len(s, d) && inner == axt_tile_count(s, NULL, d + 1, s->sp.nd))
		axt_tile_widen(s, s->columns.nred, d, MAX(1, most / inner / s->ext[d]));
}

/*
 * Finds the operand that is the same for all runs side by side, where the other one lies side by
 * side as well, so that neither needs to be copied. -1: there is none.
 */
static int
same_for_all(const struct axt_step *s)
{
	const struct axt_prog *p = &s->prog;
	const int *in = p->instr->in;
	int d = s->columns.nred, last = s->sp.nd - 1;

	if (!s->red.fused || p->instr->nin != 2 || s->columns.run > 0 ||
	    s->columns.run_len > AXT_SAME_MOST || s->red.global_acc || s->sp.lin != last ||
	    in[0] == in[1])
		return -1;
	for (int i = 0; i < 2; i++) {
		int y = p->reg[in[i]].operand, x = p->reg[in[!i]].operand;
		const struct axt_operand *a = &p->operand[x], *b = &p->operand[y];
		bool same = !b->joined && !a->joined && !b->jump[last] && a->v.stride[last] == 1;

		for (int k = 0; k <= last; k++)
			same = same && !a->jump[k] && !b->jump[k] && (k < d || !b->v.stride[k]);
		if (same)
			return y;
	}
	return -1;
}

/*
 * Shapes the tile of a reduction of runs (the elements that one result is made of) which lie side
 * by side. A tile has whole runs and is computed piece by piece; a piece has so few runs that its
 * elements stay in L1.
 */
static void
shape_side(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t cols = o->tile ? MAX(1, elements / s->columns.run_len) : COLUMNS_MAX;

	for (int d = s->columns.run; d < s->columns.nred; d++)
		s->ext[d] = s->sp.len[d];
	if (s->columns.slide >= 0) {
		shape_windows(s, o, elements);
	} else {
		axt_tile_widen(s, s->columns.nred, s->sp.nd, cols);
		s->columns.same = same_for_all(s);
		cut_part(s,
		    o->tile                    ? cols
			: s->columns.same >= 0 ? SAME_COLUMNS
					       : MAX(SIDE_PART / s->columns.run_len, SIDE_COLUMNS));
	}
	s->linear = axt_tile_linear(s, s->columns.nred, s->sp.nd);
}

static void
shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	(void)g;
	s->columns.run_len = axt_tile_count(s, s->sp.len, s->columns.run, s->columns.nred);
	if (axt_is_side(s))
		shape_side(s, o, elements);
	else
		shape_columns(s, o, elements);
}

static void
explain(const struct axt_step *s, FILE *out)
{
	axt_explain_reduces(s,
	    axt_slides(s)        ? ", windows side by side"
		: axt_is_side(s) ? ", side by side"
				 : "",
	    out);
}

const struct axt_step_fns axt_step_columns = {
	.word = "reduce",
	.kept = kept,
	.init = init,
	.marks = marks,
	.may_slab = may_slab,
	.choose = find_slide,
	.shape = shape,
	.explain = explain,
	.states = true,
	.columns = true,
	.slab_part = 2,
};
