/*
 * unit_reduce.c - tiles of reductions: columns, runs, and blocks that threads reduce in parallel.
 * Whatever the tiles are, the order of additions is the one that kern.h describes.
 */
#include <stdlib.h>

#include "eval/shared.h"

#define RECORDS 1024           /* that are written at a time */
#define WAVE_SLOTS (256 << 10) /* partial states that are kept at a time */
#define FETCHED 4096           /* the most bytes of a row that are prefetched */
#define WINDOW_COLS 64         /* windows of a row whose sums are made together */
#define RESULTS 512 /* runs side by side whose states stay in L1 until they are finished */

/* The number of runs of n elements that a strip holds. */
static int64_t
runs_at_once(int64_t n)
{
	return MAX(1, AXT_STRIP / MAX(n, 1));
}

/* The flattened position of the tile's first element among dimensions [a, b). */
static int64_t
position(const struct axt_space *sp, const struct axt_tile *t, int a, int b)
{
	int64_t n = 0;

	for (int d = a; d < b; d++)
		n = n * (d == sp->lin ? sp->lin_len : sp->len[d]) + t->lo[d];
	return n;
}

static const double *
weights(const struct axt_worker *w)
{
	int reg = w->r->s->prog.weight;

	return reg < 0 ? NULL : w->val[reg];
}

/* Whether values and weights are loaded for the whole tile, and weights have no gaps. */
static bool
whole_tile(const struct axt_worker *w)
{
	const struct axt_prog *p = &w->r->s->prog;

	for (int k = 0; k < w->nroots; k++)
		if (p->reg[w->root[k]].operand < 0 || p->reg[w->root[k]].scalar)
			return false;
	return p->weight < 0 || w->ld[p->reg[p->weight].operand] == w->cols;
}

/* Merges m rows of n values of the roots, ld apart, into columns from k on of all states. */
static void
merge_rows(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t m, int64_t n, int64_t ld,
    int64_t index)
{
	const struct axt_step *s = w->r->s;

	for (int j = 0; j < s->nouts; j++)
		s->out[j].fns->rows(&acc[j], k * s->red.parts, w->val[s->out[j].root], weights(w),
		    m, n * s->red.parts, ld * s->red.parts, index, 1);
}

/*
 * Computes the values of m rows of n elements; rows are `cols` elements of the tile apart. If
 * `ready`, the values are used in place; otherwise they are stored, row after row, in w->root_val.
 */
static int
eval_rows(struct axt_worker *w, int64_t at, int64_t m, int64_t n, int64_t cols, bool ready)
{
	if (ready)
		return axt_worker_eval(w, at, n, -1, -1);
	for (int64_t i = 0; i < m; i++)
		for (int64_t c = 0; c < n; c += AXT_STRIP) {
			int64_t from = at + i * cols + c;

			if (axt_worker_eval(w, from, MIN(AXT_STRIP, n - c), i * n + c,
				n - c >= 2 * AXT_STRIP ? from + AXT_STRIP
				    : i + 1 < m        ? from - c + cols
						       : -1))
				return -1;
		}
	for (int j = 0; j < w->nroots; j++)
		w->val[w->root[j]] = w->root_val[w->root[j]];
	return 0;
}

/* The operands of a program that is fused with its reduction, from element `at` of the tile. */
void
axt_fused_args(const struct axt_worker *w, int64_t at, const void *x[2], int64_t ld[2])
{
	const struct axt_prog *p = &w->r->s->prog;

	for (int i = 0; i < 2; i++) {
		const struct axt_reg *r = &p->reg[p->instr->in[i < p->instr->nin ? i : 0]];

		ld[i] = w->ld[r->operand];
		x[i] = (const uint8_t *)w->data[r->operand] +
		    (at / w->cols * ld[i] + at % w->cols) * axt_size(r->dtype);
	}
}

/* Prefetches n elements of every operand, which begin at element `at` of the tile. */
__attribute__((always_inline)) static inline void
fetch_row(const struct axt_worker *w, int64_t at, int64_t n)
{
	const struct axt_prog *p = &w->r->s->prog;

	for (int j = 0; j < p->noperands; j++) {
		int64_t size = p->operand[j].size;
		const char *from = w->data[j];

		if (p->operand[j].scalar || !from)
			continue;
		from += (at / w->cols * w->ld[j] + at % w->cols) * size;
		for (int64_t b = 0; b < MIN(n * size, FETCHED); b += 64)
			__builtin_prefetch(from + b, 0, 2);
	}
}

/*
 * Merges the rows of a tile into the states of their groups, for columns [c, c + n) of the tile,
 * which are the states from k on. ld: how far apart rows are that are used in place; 0: none are.
 */
static int
add_groups(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t c, int64_t n, int64_t rows,
    int64_t cols, int64_t ld, int64_t index)
{
	const struct axt_step *s = w->r->s;
	struct axt_group_rows x;
	int64_t at = 0, m;

	while ((m = axt_groups_next(w, &at, rows, cols, ld || s->red.fused ? rows : AXT_ROWS, &x)) >
	    0) {
		if (x.then >= 0)
			fetch_row(w, x.then * cols + c, n);
		if (s->red.fused) {
			const void *in[2];
			int64_t lds[2];

			axt_fused_args(w, x.row * cols + c, in, lds);
			s->red.fused->rows(acc, k + x.group * cols, in, lds, s->prog.instr->packing,
			    m, n);
			continue;
		}
		if (eval_rows(w, x.row * cols + c, m, n, cols, ld != 0))
			return -1;
		axt_groups_merge(w, acc, k, cols, x.group, m, n, ld ? ld : n, index + x.row);
	}
	return (int)m;
}

/*
 * Merges the rows of a tile into columns [k, k + cols) of the states. It takes so many rows and
 * columns at a time that intermediate values and states stay in the cache.
 */
static int
add_rows(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t rows, int64_t cols,
    int64_t index)
{
	const struct axt_prog *p = &w->r->s->prog;
	bool ready = whole_tile(w);
	int64_t ld = ready ? w->ld[p->reg[w->root[0]].operand] : 0;
	bool grouped = w->r->s->red.group_at >= 0;

	/* rows of a group are merged with weights that lie as far apart: both are copied */
	ready = ready && (!grouped || (w->r->s->red.group_rows && p->weight < 0));
	for (int64_t c = 0; w->r->s->red.group_rows && c < cols; c += AXT_COLS)
		if (add_groups(w, acc, k + c, c, MIN(AXT_COLS, cols - c), rows, cols,
			ready ? ld : 0, index))
			return -1;
	if (w->r->s->red.group_rows)
		return 0;
	for (int64_t c = 0; w->r->s->red.fused && c < cols; c += AXT_COLS) {
		const void *x[2];
		int64_t lds[2];

		axt_fused_args(w, c, x, lds);
		w->r->s->red.fused->rows(acc, k + c, x, lds, p->instr->packing, rows,
		    MIN(AXT_COLS, cols - c));
	}
	if (w->r->s->red.fused)
		return 0;
	if (ready && !grouped && (p->weight >= 0 || ld == cols)) {
		if (axt_worker_eval(w, 0, rows * cols, -1, -1))
			return -1;
		merge_rows(w, acc, k, rows, cols, ld, index);
		return 0;
	}
	for (int64_t c = 0; c < cols; c += AXT_COLS)
		for (int64_t r = 0; r < rows; r += AXT_ROWS) {
			int64_t n = MIN(AXT_COLS, cols - c), m = MIN(AXT_ROWS, rows - r);

			if (eval_rows(w, r * cols + c, m, n, cols, ready))
				return -1;
			if (grouped)
				axt_groups_merge(w, acc, k + c, cols, -1, m, n, n, index + r);
			else
				merge_rows(w, acc, k + c, m, n, ready ? ld : n, index + r);
		}
	return 0;
}

/* Makes results of n states of output j, each of which has `count` elements. */
static int
finish_states(struct axt_worker *w, int j, const struct axt_acc *acc, int64_t k, int64_t n,
    int64_t count, uint8_t *out)
{
	const struct axt_step *s = w->r->s;
	const struct axt_output *o = &s->out[j];
	int64_t bad = axt_states_finish(o->fns, o->finish, acc, k, n, count, o->node->u.red.ddof,
	    axt_size(o->dtype) / s->red.parts, out);

	return bad < 0 ? 0 : axt_misfit(o, &w->err);
}

/* Whether windows can be taken from the operand itself, row by row. */
static bool
bare_windows(const struct axt_step *s)
{
	return s->columns.slide >= 0 && s->prog.ninstrs == 0 && s->nouts == 1;
}

/* Computes the values of a part of a tile; w->val then has them. */
static int
side_values(struct axt_worker *w, const struct axt_tile *t, int64_t rows, int64_t cols)
{
	const struct axt_step *s = w->r->s;
	const struct axt_prog *p = &s->prog;
	bool even = true;

	if (axt_worker_load(w, t,
		bare_windows(s)             ? s->columns.slide + 1
		    : s->columns.slide >= 0 ? 0
					    : s->columns.nred))
		return -1;
	if (whole_tile(w))
		return axt_worker_eval(w, 0, t->count, -1, -1);
	for (int k = 0; k < p->noperands; k++)
		even = even && (p->operand[k].scalar || w->ld[k] == w->cols);
	if (!even)
		return eval_rows(w, 0, rows, cols, cols, false);
	if (axt_worker_fill(w, t->count))
		return -1;
	for (int j = 0; j < w->nroots; j++)
		w->val[w->root[j]] = w->root_val[w->root[j]];
	return 0;
}

/*
 * Reduces `cols` blocks of n elements of output j, which lie side by side: rows at x, ld elements
 * apart. Each block becomes one of the states from k on or, if a result has several blocks, is
 * merged into it.
 */
static void
side_blocks(struct axt_worker *w, int j, struct axt_acc *acc, int64_t k, const uint8_t *x,
    const double *weight, int64_t n, int64_t cols, int64_t ld, int64_t index)
{
	const struct axt_step *s = w->r->s;
	const struct axt_red_fns *f = s->out[j].fns;

	if (!f->blocks) {
		if (s->columns.run == 0)
			f->init(acc, k, cols);
		f->rows(acc, k, x, weight, n, cols, ld, index, 1);
	} else if (s->columns.run == 0) {
		f->blocks(acc, k, x, weight, n, cols, ld);
	} else {
		f->blocks(&w->slot[j], 0, x, weight, n, cols, ld);
		f->merge(acc, k, &w->slot[j], 0, cols);
	}
}

/* Whether each run, side by side, is a whole result, finished while its state is in L1. */
static bool
ends_at_once(const struct axt_step *s)
{
	return axt_is_side(s) && s->columns.run == 0 && !s->red.global_acc && s->nouts == 1 &&
	    s->red.parts == 1 && s->red.groups == 1;
}

/* The same for such runs; the results go to w->out, from result k on. */
static int
side_results(struct axt_worker *w, int64_t k, const uint8_t *x, const double *weight, int64_t cols,
    int64_t ld)
{
	const struct axt_step *s = w->r->s;
	/* a call needs the weights of all blocks that it is given */
	int64_t step = weight ? cols : RESULTS;
	int size = axt_size(s->out[0].fns->in), out = axt_size(s->out[0].dtype);

	for (int64_t c = 0; c < cols; c += step) {
		int64_t m = MIN(step, cols - c);

		side_blocks(w, 0, &w->slot[0], 0, x + c * size, weight, s->columns.run_len, m, ld,
		    0);
		if (finish_states(w, 0, &w->slot[0], 0, m, s->red_count, w->out + (k + c) * out))
			return -1;
	}
	return 0;
}

/* Whether the sums that windows have in common are made once: those of steps that end at once. */
static bool
shares(const struct axt_step *s)
{
	return axt_slides(s) && ends_at_once(s) && s->prog.weight < 0 &&
	    axt_windows_rows(s->out[0].fns, s->columns.run_len, 1) > 0;
}

/* So few columns of windows of n elements that most rows which are read have their own windows. */
static int64_t
window_cols(const struct axt_red_fns *f, int64_t n, int64_t inner)
{
	int64_t cols = MIN(inner, WINDOW_COLS);

	while (cols > 1 && axt_windows_rows(f, n, cols) < 2 * axt_windows_below(f, n))
		cols /= 2;
	return cols;
}

/*
 * The same for windows that slide over rows of `inner` elements: `at` of them, from x on. A few
 * rows and columns are done at a time, so that what they share stays in the cache.
 */
static int
window_results(struct axt_worker *w, int64_t k, const uint8_t *x, int64_t at, int64_t inner,
    int64_t ld)
{
	const struct axt_step *s = w->r->s;
	const struct axt_red_fns *f = s->out[0].fns;
	int64_t n = s->columns.run_len, most = window_cols(f, n, inner),
		rows = axt_windows_rows(f, n, most);
	int size = axt_size(f->in), out = axt_size(s->out[0].dtype);

	for (int64_t r = 0; r < at; r += rows)
		for (int64_t c = 0; c < inner; c += most) {
			int64_t m = MIN(most, inner - c), have = MIN(rows, at - r),
				side = m == inner ? have * m : m;

			f->windows(&w->slot[0], 0, x + (r * ld + c) * size, n, have, m, ld,
			    w->windows);
			for (int64_t i = 0; i < have * m; i += side)
				if (finish_states(w, 0, &w->slot[0], i, side, s->red_count,
					w->out + (k + (r + i / m) * inner + c) * out))
					return -1;
		}
	return 0;
}

/*
 * Reduces a part of a tile of runs side by side, `rows` rows of `cols` elements, to the states or
 * results of the columns from k on. If runs are windows that overlap, each row begins one index
 * later than the one before, along the dimension of the windows; if the operand has gaps between
 * rows, the windows are done index by index.
 */
static int
add_side(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t, int64_t rows,
    int64_t cols, int64_t index)
{
	const struct axt_step *s = w->r->s;
	const struct axt_prog *p = &s->prog;
	int64_t n = s->columns.run_len,
		inner = axt_product(t->n, s->columns.slide + 1, s->sp.lin + 1), wide = cols;
	bool ready;

	if (side_values(w, t, rows, cols))
		return -1;
	ready = whole_tile(w);
	for (int j = 0; j < s->nouts; j++) {
		const struct axt_output *o = &s->out[j];
		int operand = p->reg[o->root].operand, size = axt_size(o->fns->in);
		int64_t ld = s->columns.slide >= 0 ? inner : ready ? w->ld[operand] : cols;
		const uint8_t *x = w->val[o->root];

		if (bare_windows(s) && ready && w->ld[operand] != inner) {
			ld = w->ld[operand];
			wide = inner;
		}
		if (shares(s)) {
			if (window_results(w, k, x, cols / inner, inner, ld))
				return -1;
			continue;
		}
		for (int64_t c = 0; c < cols; c += wide, x += ld * size)
			for (int64_t r = 0; r < rows; r += n) {
				const double *weight = weights(w) ? weights(w) + r * cols : NULL;

				if (!ends_at_once(s))
					side_blocks(w, j, &acc[j], k + c, x + r * ld * size, weight,
					    n, wide, ld, index + r);
				else if (side_results(w, k + c, x, weight, wide, ld))
					return -1;
			}
	}
	return 0;
}

/*
 * Reduces the runs of a part of a tile to results from k on, where the operand `same` has the same
 * elements for all, and the other one is used where it is. Returns 1, or 0 if it is not in memory,
 * or -1.
 */
static int
same_results(struct axt_worker *w, int64_t k, const struct axt_tile *t)
{
	const struct axt_step *s = w->r->s;
	const struct axt_prog *p = &s->prog;
	const int *in = p->instr->in;
	int same = s->columns.same, other = p->reg[in[p->reg[in[0]].operand == same]].operand;
	int last = s->sp.nd - 1, size = axt_size(s->out[0].fns->in),
	    out = axt_size(s->out[0].dtype);
	int64_t n = s->columns.run_len, cols = t->n[last], ld, at[AXT_SAME_MOST] = { 0 };
	struct axt_tile u = *t;
	struct axt_asked_tile a = { &s->sp, &u, 0, n, &ld, w->tile[same], w, &w->err };
	const uint8_t *y, *x;

	if (cols < AXT_ACROSS)
		return 0;
	for (int d = 0; d <= last; d++)
		u.n[d] = d < s->columns.nred ? t->n[d] : 1;
	u.count = n;
	w->now = u;
	y = w->r->src[same].kind->load(&w->r->src[same], &a);
	if (!y)
		return -1;
	for (int64_t i = 0; i < n; i++)
		for (int64_t d = s->columns.nred - 1, rest = i; d >= 0; rest /= t->n[d--])
			at[i] += rest % t->n[d] * p->operand[other].v.stride[d];
	for (int d = 0; d < s->columns.nred; d++)
		u.n[d] = 1;
	u.n[last] = a.cols = u.count = cols;
	do {
		int d = last;

		x = axt_source_there(&w->r->src[other], &a);
		if (!x)
			return 0;
		for (int64_t c = 0, m; c < cols; c += m, x += m * size, k += m) {
			/* no piece is too short for the kernel */
			m = cols - c <= RESULTS ? cols - c : MIN(RESULTS, cols - c - AXT_ACROSS);
			s->red.fused->sides(&w->slot[0], 0, x, at, y, n, m);
			if (finish_states(w, 0, &w->slot[0], 0, m, s->red_count, w->out + k * out))
				return -1;
		}
		while (--d >= s->columns.nred && ++u.lo[d] == t->lo[d] + t->n[d])
			u.lo[d] = t->lo[d];
		if (d < s->columns.nred)
			return 1;
	} while (true);
}

/* Reduces a tile of runs side by side, part by part, in the order of kept elements. */
static int
side_parts(struct axt_worker *w, struct axt_acc *acc, int64_t k, const struct axt_tile *t,
    int64_t rows, int64_t index)
{
	const struct axt_step *s = w->r->s;
	struct axt_tile u = *t;
	struct axt_grid g = { .a = s->columns.nred, .b = s->sp.lin + 1, .count = 1 };

	for (int d = g.a; d < g.b; d++) {
		g.lo[d] = t->lo[d];
		g.len[d] = t->n[d];
		g.ext[d] = MIN(s->ext[d], s->columns.part[d]);
		g.n[d] = (g.len[d] + g.ext[d] - 1) / g.ext[d];
		g.count *= g.n[d];
	}
	for (int64_t i = 0; i < g.count; i++) {
		int64_t cols;
		int done;

		axt_grid_tile(&g, i, &u);
		cols = axt_product(u.n, g.a, g.b);
		if (s->columns.slide >= 0) {
			u.n[s->columns.run] = 1;
			u.n[s->columns.slide] += s->columns.run_len - 1;
		}
		u.count = axt_product(u.n, 0, g.b);
		done = s->columns.same < 0 ? 0 : same_results(w, k, &u);
		if (done < 0 || (done == 0 && add_side(w, acc, k, &u, rows, cols, index)))
			return -1;
		k += cols;
	}
	return 0;
}

/* Sets n states of every output to the identity. */
static void
clear(struct axt_worker *w, int64_t n)
{
	for (int j = 0; j < w->r->s->nouts; j++)
		w->r->s->out[j].fns->init(&w->acc[j], 0, n);
}

static int
columns_tile(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t, int64_t cols,
    int64_t index)
{
	const struct axt_step *s = w->r->s;
	int64_t rows = t->count / cols;

	if (axt_is_side(s))
		return side_parts(w, acc, k, t, rows, index);
	return axt_worker_load(w, t, s->columns.nred) ? -1 : add_rows(w, acc, k, rows, cols, index);
}

static int
columns_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	struct axt_acc *acc = s->red.global_acc ? r->acc : w->acc;
	int64_t k = s->red.global_acc ? unit * r->acc_tile / s->red.parts : 0, cols;

	axt_grid_tile(&r->kept, unit, &t);
	cols = axt_product(t.n, s->columns.nred, s->sp.lin + 1);
	if (!s->red.global_acc && !ends_at_once(s))
		clear(w, cols * s->red.parts * s->red.groups);
	for (int64_t i = 0; i < r->inner.count; i++) {
		axt_grid_tile(&r->inner, i, &t);
		t.count = axt_product(t.n, 0, s->columns.nred) * cols;
		if (r->engine->reduce(w, acc, k, &t, cols, position(&s->sp, &t, 0, s->columns.nred),
			i == 0, columns_tile))
			return -1;
	}
	if (r->engine->merge(w, acc, k, cols))
		return -1;
	return s->red.global_acc ? 0 : axt_finish_unit(w, acc, 0, unit, r->at.seq + unit);
}

/* Makes state k of one block of output j, which begins at element `at` of what was computed. */
static void
one_block(struct axt_worker *w, int j, struct axt_acc *acc, int64_t k, int64_t at, int64_t n,
    int64_t pos)
{
	const struct axt_step *s = w->r->s;
	const struct axt_red_fns *f = s->out[j].fns;
	const void *x[2];
	int64_t ld[2];

	if (s->red.fused) {
		axt_fused_args(w, at, x, ld);
		s->red.fused->block(acc, k, x, n);
	} else {
		f->block(acc, k, (const uint8_t *)w->val[s->out[j].root] + at * axt_size(f->in),
		    weights(w) ? weights(w) + at : NULL, n, pos);
	}
}

/*
 * Merges a block of values, with their weights, into state k of every output. If slot >= 0, the
 * block becomes that partial state instead, which is merged later. The real and the imaginary parts
 * of complex numbers are blocks of their own.
 */
static void
add_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t slot, int64_t at, int64_t n,
    int64_t pos)
{
	const struct axt_step *s = w->r->s;

	for (int j = 0; j < s->nouts; j++) {
		const struct axt_red_fns *f = s->out[j].fns;

		if (s->red.parts == 2) {
			f->rows(&acc[j], k * 2,
			    (const uint8_t *)w->val[s->out[j].root] + at * axt_size(f->in) * 2,
			    weights(w) ? weights(w) + at : NULL, n, 2, 2, pos, 1);
		} else if (slot >= 0) {
			one_block(w, j, &w->r->partial[j], slot, at, n, pos);
		} else {
			one_block(w, j, &w->slot[j], 0, at, n, pos);
			f->merge(&acc[j], k, &w->slot[j], 0, 1);
		}
	}
}

/*
 * Reduces the runs of a tile, of `kept` kept elements that have the same groups, block by block.
 * The values of a block of several of them are computed before they are merged.
 */
static int
beside_blocks(struct axt_worker *w, int64_t kept, int64_t n, int64_t outer, struct axt_acc *acc,
    int64_t k)
{
	for (int64_t j = 0; j < kept; j += AXT_BESIDE)
		for (int64_t at = 0; at < outer * n;) {
			int64_t m = MIN(AXT_BESIDE, kept - j), len = MIN(AXT_BLOCK, n - at % n);

			for (int64_t i = 0; i < m; i++)
				if (axt_worker_eval(w, (j + i) * outer * n + at, len, i * AXT_BLOCK,
					-1))
					return -1;
			axt_groups_beside(w, acc, k + j, kept, m, len);
			at += len;
		}
	return 0;
}

/*
 * Reduces the runs of a tile, block by block, into the states of acc. If *slot >= 0, each block
 * becomes partial state *slot instead, and *slot is increased.
 */
static int
tile_blocks(struct axt_worker *w, int64_t runs, int64_t n, int64_t per_kept, int64_t index,
    struct axt_acc *acc, int64_t k, int64_t *slot)
{
	const struct axt_step *s = w->r->s;
	int64_t at_once = n >= AXT_BLOCK ? 1 : runs_at_once(n),
		step = n >= AXT_BLOCK ? AXT_STRIP : n;

	if (s->red.beside && *slot < 0 && runs > per_kept)
		return beside_blocks(w, runs / per_kept, n, per_kept, acc, k);
	for (int64_t i = 0; i < runs; i += at_once) {
		int64_t m = MIN(at_once, runs - i);

		for (int64_t b = 0; b < n; b += step) {
			int64_t len = MIN(step, n - b), at = s->red.fused ? i * n + b : 0;

			if (!s->red.fused &&
			    axt_worker_eval(w, i * n + b, m * len, -1,
				n - b >= 2 * len ? i * n + b + len : -1))
				return -1;
			for (int64_t q = 0, block; q < m * len; q += block) {
				int64_t j = i + q / len,
					pos = index + j % per_kept * s->sp.lin_len + b + q % len;

				block = MIN(AXT_BLOCK, len - q % len);
				if (s->red.group_at >= 0)
					axt_groups_block(w, acc, k + j / per_kept, runs / per_kept,
					    slot, at + q, block, pos);
				else
					add_block(w, acc, k + j / per_kept, *slot, at + q, block,
					    pos);
				*slot += *slot >= 0 && s->red.group_at < 0;
			}
		}
	}
	return 0;
}

/* Loads the tile of runs; if they are taken one by one, what is the same for all only once. */
static int
load_runs(struct axt_worker *w, const struct axt_tile *t)
{
	int lin = w->r->s->sp.lin;

	return axt_worker_load(w, t, t->n[lin] >= AXT_BLOCK ? lin : 0);
}

static int
runs_tile(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t, int64_t kept,
    int64_t index)
{
	const struct axt_step *s = w->r->s;
	int64_t outer = axt_product(t->n, s->runs.nkept, s->sp.lin), none = -1;

	return load_runs(w, t) ||
		tile_blocks(w, kept * outer, t->n[s->sp.lin], outer, index, acc, k, &none)
	    ? -1
	    : 0;
}

static int
runs_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	struct axt_acc *acc = s->red.global_acc ? r->acc : w->acc;
	int64_t k, kept;

	if (s->red.group_parts > 1) {
		axt_groups_part(w, unit % s->red.group_parts);
		unit /= s->red.group_parts;
	}
	k = s->red.global_acc ? unit * r->acc_tile / s->red.parts : 0;
	axt_grid_tile(&r->kept, unit, &t);
	kept = axt_product(t.n, 0, s->runs.nkept);
	if (!s->red.global_acc)
		clear(w, kept * s->red.parts * s->red.groups);
	for (int64_t i = 0; i < r->inner.count; i++) {
		axt_grid_tile(&r->inner, i, &t);
		t.count = kept * axt_product(t.n, s->runs.nkept, s->sp.lin + 1);
		if (r->engine->reduce(w, acc, k, &t, kept,
			position(&s->sp, &t, s->runs.nkept, s->sp.lin + 1), i == 0, runs_tile))
			return -1;
	}
	if (r->engine->merge(w, acc, k, kept))
		return -1;
	return s->red.global_acc ? 0 : axt_finish_unit(w, acc, 0, unit, r->at.seq + unit);
}

int
axt_partial_tile(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot, int64_t *n)
{
	const struct axt_step *s = w->r->s;
	int64_t outer = axt_product(t->n, s->runs.nkept, s->sp.lin), next = slot;

	if (load_runs(w, t) || tile_blocks(w, outer, t->n[s->sp.lin], outer, index, NULL, 0, &next))
		return -1;
	*n = next - slot;
	return 0;
}

/* The blocks of a unit, where there is a unit for each tile of what is reduced. */
static void
blocks_of(const struct axt_step_run *r, int64_t unit, struct axt_tile *t)
{
	axt_grid_tile(&r->kept, unit / r->inner.count, t);
	axt_grid_tile(&r->inner, unit % r->inner.count, t);
	t->count = axt_product(t->n, r->s->runs.nkept, r->s->sp.lin + 1);
}

int
axt_partial_unit(struct axt_worker *w, int64_t unit, int64_t first)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };

	blocks_of(r, unit, &t);
	return r->engine->partial(w, &t,
	    position(&s->sp, &t, s->runs.nkept, s->sp.lin + 1) +
		(s->red.states ? s->out[0].node->u.red.first : 0),
	    (unit - first) * r->unit_slots, &r->filled[unit - first]);
}

/* Reduces a unit into the states of this thread. */
static int
own_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	int64_t runs, none = -1;

	blocks_of(r, unit, &t);
	runs = axt_product(t.n, s->runs.nkept, s->sp.lin);
	return load_runs(w, &t) ||
		tile_blocks(w, runs, t.n[s->sp.lin], runs,
		    position(&s->sp, &t, s->runs.nkept, s->sp.lin + 1), w->acc,
		    unit / r->inner.count * r->acc_tile, &none)
	    ? -1
	    : 0;
}

void
axt_own_merge(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;
	int64_t n = r->kept.count * r->acc_tile;

	axt_groups_flush(w);
	for (int k = 0; k < r->s->nouts; k++) {
		r->s->out[k].fns->merge(&r->acc[k], 0, &w->acc[k], 0, n);
		r->s->out[k].fns->init(&w->acc[k], 0, n);
	}
}

static void
merge_partials(struct axt_step_run *r, int64_t first, int64_t n)
{
	for (int k = 0; k < r->s->nouts; k++)
		for (int64_t u = 0; u < n; u++)
			for (int64_t j = 0; j < r->filled[u]; j++) {
				int64_t slot = u * r->unit_slots + j;

				r->s->out[k].fns->merge(&r->acc[k],
				    (first + u) / r->inner.count * r->acc_tile +
					(r->slot_group ? r->slot_group[slot] : 0),
				    &r->partial[k], slot, 1);
			}
}

/* ---- states as records, for the parts of a job (kern/states.c) ---- */

struct records {
	struct axt_worker *w;
	int64_t n, *v; /* [RECORDS * AXT_STATE_NUMBERS] */
};

static int
begin_records(struct records *x, struct axt_worker *w)
{
	*x = (struct records){ .w = w, .v = malloc(RECORDS * AXT_STATE_NUMBERS * sizeof(*x->v)) };
	return x->v ? 0 : axt_fail(&w->err, AXT_E_MEM, "out of memory");
}

static int
flush_records(struct records *x)
{
	struct axt_step_run *r = x->w->r;
	int64_t bytes = x->n * 8, at = r->sh->states;

	r->sh->states += bytes;
	x->n = 0;
	return bytes ? r->sink[0]->write(r->sink[0], at, x->v, bytes, &x->w->err) : 0;
}

static int
add_record(struct records *x, int64_t kept, const struct axt_acc *a, int64_t k)
{
	int planes = x->w->r->s->out[0].fns->planes;

	if (x->n + 1 + planes > RECORDS * AXT_STATE_NUMBERS && flush_records(x))
		return -1;
	x->v[x->n++] = kept;
	for (int i = 0; i < planes; i++)
		memcpy(&x->v[x->n++], (const uint8_t *)a->p[i] + k * 8, 8);
	return 0;
}

/* Writes the partial states of n units. */
static int
write_partials(struct axt_worker *w, int64_t first, int64_t n)
{
	struct axt_step_run *r = w->r;
	struct records x;
	int rc = begin_records(&x, w);

	for (int64_t u = 0; u < n && rc == 0; u++)
		for (int64_t j = 0; j < r->filled[u] && rc == 0; j++)
			rc = add_record(&x, (first + u) / r->inner.count, &r->partial[0],
			    u * r->unit_slots + j);
	rc = rc ? rc : flush_records(&x);
	free(x.v);
	return rc;
}

int
axt_states_end(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;
	struct records x;
	int rc = begin_records(&x, w);

	for (int64_t k = 0; axt_red_any_order(r->s->out[0].fns) && k < r->kept.count && rc == 0;
	     k++)
		rc = add_record(&x, k, &r->acc[0], k);
	rc = rc ? rc : flush_records(&x);
	free(x.v);
	return rc;
}

int
axt_partial_merge(struct axt_worker *w, int64_t first, int64_t n)
{
	if (w->r->s->red.states && !axt_red_any_order(w->r->s->out[0].fns))
		return write_partials(w, first, n);
	merge_partials(w->r, first, n);
	return 0;
}

/* ---- results ---- */

/*
 * Makes results of the states of all groups; each group has n states. `pre` is the number of kept
 * elements that come before the dimension of the groups in the result.
 */
static int
finish_groups(struct axt_worker *w, int j, const struct axt_acc *acc, int64_t k, int64_t n,
    int64_t pre)
{
	const struct axt_step *s = w->r->s;
	int size = axt_size(s->out[j].dtype);
	const int64_t *count = w->r->group_count;
	uint8_t *to = pre > 1 ? w->out + n * s->red.groups * size : w->out;

	for (int64_t i = 0; i < s->red.groups; i++)
		if (finish_states(w, j, acc, k + i * n * s->red.parts, n * s->red.parts,
			count ? count[i] : s->red_count, to + i * n * size))
			return -1;
	if (pre > 1)
		axt_groups_order(s, w->out, to, pre, n / pre, size);
	return 0;
}

int
axt_finish_unit(struct axt_worker *w, const struct axt_acc *acc, int64_t k, int64_t unit,
    int64_t seq)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 }, out = { .n = { 1 }, .count = 1 };
	int64_t pre = 1;
	int a, b, o = 0;

	axt_step_fns(s)->kept(s, &a, &b);
	axt_grid_tile(&r->kept, unit, &t);
	for (int d = a; d < b; d++) {
		if (d - a == s->red.group_at) {
			pre = out.count;
			out.n[o++] = s->red.groups;
		}
		out.lo[o] = t.lo[d];
		out.n[o++] = t.n[d];
		out.count *= t.n[d];
	}
	if (b - a == s->red.group_at) {
		pre = out.count;
		out.n[o++] = s->red.groups;
	}
	for (int j = 0; j < s->nouts; j++) {
		out.count = axt_product(out.n, 0, MAX(o, 1));
		if ((ends_at_once(s) ? 0
			    : s->red.group_at < 0
			    ? finish_states(w, j, &acc[j], k, out.count * s->red.parts,
				  s->red_count, w->out)
			    : finish_groups(w, j, &acc[j], k, out.count / s->red.groups, pre)) ||
		    axt_emit(w, j, &out, w->out, seq))
			return -1;
	}
	return 0;
}

/* ---- what the threads share ---- */

int
axt_partial_init(struct axt_step_run *r, int64_t slots)
{
	const struct axt_step *s = r->s;
	int64_t blocks = (s->ext[s->sp.lin] + AXT_BLOCK - 1) / AXT_BLOCK, units = 1;

	for (int d = 0; d <= s->sp.lin; d++)
		units *= (axt_band_len(s, d) + s->ext[d] - 1) / s->ext[d];
	r->unit_slots = axt_product(s->ext, s->runs.nkept, s->sp.lin) * blocks *
	    MIN(s->red.groups, AXT_BLOCK);
	r->wave = MAX(1, MIN(slots / r->unit_slots, units));
	r->filled = calloc((size_t)r->wave, sizeof(*r->filled));
	if (s->red.group_at >= 0)
		r->slot_group = calloc((size_t)(r->wave * r->unit_slots), sizeof(*r->slot_group));
	if (!r->filled || (s->red.group_at >= 0 && !r->slot_group))
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->nouts; k++)
		if (axt_acc_init(&r->partial[k], s->out[k].fns, r->wave * r->unit_slots,
			&r->g->err))
			return -1;
	return 0;
}

static int
states_begin(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	r->acc_tile = axt_product(s->ext, a, b) * s->red.parts * s->red.groups;
	if (!s->red.global_acc)
		return 0;
	axt_grid_init(&r->kept, r, a, b);
	for (int k = 0; k < s->nouts; k++)
		if (axt_acc_init(&r->acc[k], s->out[k].fns, r->kept.count * r->acc_tile,
			&r->g->err))
			return -1;
	return s->red.partials ? axt_partial_init(r, WAVE_SLOTS) : 0;
}

static int
states_worker(struct axt_worker *w)
{
	const struct axt_step *s = w->r->s;

	int64_t n = w->r->acc_tile * (s->red.own ? w->r->kept.count : 1);

	if (shares(s) && !(w->windows = malloc(AXT_WINDOWS_ROOM)))
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->nouts && (s->red.own || !s->red.global_acc); k++)
		if (axt_acc_init(&w->acc[k], s->out[k].fns, n, &w->err))
			return -1;
	return 0;
}

static void
columns_grids(struct axt_step_run *r)
{
	axt_grid_init(&r->kept, r, r->s->columns.nred, r->s->sp.lin + 1);
	axt_grid_init(&r->inner, r, 0, r->s->columns.nred);
}

static void
runs_grids(struct axt_step_run *r)
{
	axt_grid_init(&r->kept, r, 0, r->s->runs.nkept);
	axt_grid_init(&r->inner, r, r->s->runs.nkept, r->s->sp.lin + 1);
}

static int
blocks_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;

	return r->s->red.own     ? own_unit(w, unit)
	    : r->s->red.partials ? axt_partial_unit(w, unit, r->sh->first)
				 : runs_unit(w, unit);
}

const struct axt_unit_fns axt_unit_columns = {
	.begin = states_begin,
	.worker = states_worker,
	.grids = columns_grids,
	.unit = columns_unit,
	.run = axt_step_once,
};
const struct axt_unit_fns axt_unit_runs = {
	.begin = states_begin,
	.worker = states_worker,
	.grids = runs_grids,
	.unit = blocks_unit,
	.run = axt_step_once,
};
