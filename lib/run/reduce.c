/*
 * reduce.c - reduction tiles: columns, runs, blocks in parallel. The order of
 * work is that of kern.h, however tiles fall.
 */
#include "run.h"

#define STRIP_ROWS 8
#define STRIP_COLS (AXT_STRIP / STRIP_ROWS)

/* Strips hold this many runs of n elements. */
static int64_t
runs_at_once(int64_t n)
{
	return MAX(1, AXT_STRIP / MAX(n, 1));
}

/* Flattened position of the tile's first element among dimensions [a, lin]. */
static int64_t
position(const struct axt_space *sp, const struct axt_tile *t, int a, int b)
{
	int64_t n = 0;

	for (int d = a; d < b; d++)
		n = n * (d == sp->lin ? sp->lin_len : sp->len[d]) + t->lo[d];
	return n;
}

static int
value_and_weight(struct axt_worker *w, int64_t at, int64_t n, const void **x, const double **wt)
{
	const struct axt_prog *p = &w->r->s->prog;

	*x = axt_worker_eval(w, p->root, at, n, NULL);
	*wt = NULL;
	if (*x && p->weight >= 0)
		*wt = axt_worker_eval(w, p->weight, at, n, NULL);
	return *x && (p->weight < 0 || *wt) ? 0 : -1;
}

/* Whether value and weight lie ready for a whole tile, the weights without gaps. */
static bool
whole_tile(const struct axt_worker *w)
{
	const struct axt_prog *p = &w->r->s->prog;

	if (p->ninstrs > 0 || p->reg[p->root].operand < 0 || p->reg[p->root].scalar)
		return false;
	return p->weight < 0 || (p->reg[p->weight].operand >= 0 && !p->reg[p->weight].scalar &&
	    w->ld[p->reg[p->weight].operand] == w->cols);
}

/* Values and weights of m rows of n elements, one after another in the spare strips. */
static int
eval_rows(struct axt_worker *w, int64_t at, int64_t m, int64_t n, int64_t cols, const void **x,
    const double **wt)
{
	const struct axt_prog *p = &w->r->s->prog;
	int64_t size = axt_size(p->reg[p->root].dtype);

	for (int64_t i = 0; i < m; i++) {
		axt_worker_prefetch(w, at + i * cols + n, n);
		if (!axt_worker_eval(w, p->root, at + i * cols, n, w->spare[0] + i * n * size))
			return -1;
		if (p->weight >= 0 &&
		    !axt_worker_eval(w, p->weight, at + i * cols, n, w->spare[1] + i * n * 8))
			return -1;
	}
	*x = w->spare[0];
	*wt = p->weight >= 0 ? (const double *)(const void *)w->spare[1] : NULL;
	return 0;
}

/* The whole tile where it lies: nothing goes through a strip. */
static void
add_packed(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t rows, int64_t cols)
{
	const struct axt_prog *p = &w->r->s->prog;
	int op = p->reg[p->instr->in[0]].operand;

	w->r->s->unpack_rows(acc, k, w->data[op], p->instr->packing, rows, cols, w->ld[op]);
}

/*
 * Rows of a tile into columns [k, k + cols) of the states, strip by strip:
 * states and intermediates stay in L1.
 */
static int
add_rows(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t rows, int64_t cols,
    int64_t index)
{
	const struct axt_step *s = w->r->s;
	int parts = s->parts;
	const double *wt;
	const void *x;

	if (s->unpack_rows) {
		add_packed(w, acc, k, rows, cols);
		return 0;
	}
	if (whole_tile(w)) {
		if (value_and_weight(w, 0, rows * cols, &x, &wt))
			return -1;
		s->fns->rows(acc, k, x, wt, rows, cols * parts,
		    w->ld[s->prog.reg[s->prog.root].operand] * parts, index, 1);
		return 0;
	}
	for (int64_t c = 0; c < cols; c += STRIP_COLS)
		for (int64_t r = 0; r < rows; r += STRIP_ROWS) {
			int64_t n = MIN(STRIP_COLS, cols - c), m = MIN(STRIP_ROWS, rows - r);

			if (eval_rows(w, r * cols + c, m, n, cols, &x, &wt))
				return -1;
			s->fns->rows(acc, k + c * parts, x, wt, m, n * parts, n * parts, index + r,
			    1);
		}
	return 0;
}

int
axt_columns_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	struct axt_acc *acc = s->global_acc ? &r->acc : &w->acc;
	int64_t k = s->global_acc ? unit * r->acc_tile : 0, cols;

	axt_grid_tile(&r->kept, unit, &t);
	cols = axt_product(t.n, s->nred, s->sp.lin + 1);
	if (!s->global_acc)
		s->fns->init(acc, 0, cols * s->parts);
	for (int64_t i = 0; i < r->inner.count; i++) {
		int64_t rows;

		axt_grid_tile(&r->inner, i, &t);
		rows = axt_product(t.n, 0, s->nred);
		t.count = rows * cols;
		if (axt_worker_load(w, &t, s->nred) ||
		    add_rows(w, acc, k, rows, cols, position(&s->sp, &t, 0, s->nred)))
			return -1;
	}
	return s->global_acc ? 0 : axt_finish_unit(w, acc, 0, unit, r->seq + unit);
}

/*
 * The runs of a tile, block by block: done(block state in w->slot, run number in the tile).
 * Complex elements are blocks of their own, part by part, straight into acc.
 */
static int
tile_blocks(struct axt_worker *w, int64_t runs, int64_t n, int64_t per_kept, int64_t index,
    struct axt_acc *acc, int64_t k, int64_t slot, int64_t *slots)
{
	const struct axt_step *s = w->r->s;
	int64_t at_once = n >= AXT_BLOCK ? 1 : runs_at_once(n),
	    step = n >= AXT_BLOCK ? AXT_BLOCK : n;
	const double *wt;
	const void *x;

	for (int64_t i = 0; i < runs; i += at_once) {
		int64_t m = MIN(at_once, runs - i);

		for (int64_t b = 0; b < n; b += step) {
			int64_t len = MIN(step, n - b);
			int in = axt_size(s->fns->in) * s->parts;

			if (value_and_weight(w, i * n + b, m * len, &x, &wt))
				return -1;
			for (int64_t j = 0; j < m; j++) {
				const uint8_t *xj = (const uint8_t *)x + j * len * in;
				const double *wj = wt ? wt + j * len : NULL;
				int64_t pos = index + (i + j) % per_kept * s->sp.lin_len + b;

				if (s->parts == 2) {
					s->fns->rows(acc, (k + (i + j) / per_kept) * 2, xj, wj, len,
					    2, 2, pos, 1);
				} else if (slots) {
					s->fns->block(&w->r->partial, slot + (*slots)++, xj, wj,
					    len, pos);
				} else {
					s->fns->block(&w->slot, 0, xj, wj, len, pos);
					s->fns->merge(acc, k + (i + j) / per_kept, &w->slot, 0);
				}
			}
		}
	}
	return 0;
}

int
axt_runs_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	struct axt_acc *acc = s->global_acc ? &r->acc : &w->acc;
	int64_t k = s->global_acc ? unit * r->acc_tile / s->parts : 0, kept, lin = s->sp.lin;

	axt_grid_tile(&r->kept, unit, &t);
	kept = axt_product(t.n, 0, s->nkept);
	if (!s->global_acc)
		s->fns->init(acc, 0, kept * s->parts);
	for (int64_t i = 0; i < r->inner.count; i++) {
		int64_t outer;

		axt_grid_tile(&r->inner, i, &t);
		outer = axt_product(t.n, s->nkept, (int)lin);
		t.count = kept * outer * t.n[lin];
		if (axt_worker_load(w, &t, 0) || tile_blocks(w, kept * outer, t.n[lin], outer,
		    position(&s->sp, &t, s->nkept, (int)lin + 1), acc, k, 0, NULL))
			return -1;
	}
	return s->global_acc ? 0 : axt_finish_unit(w, acc, 0, unit, r->seq + unit);
}

int
axt_partial_unit(struct axt_worker *w, int64_t unit, int64_t first)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 };
	int64_t outer, lin = s->sp.lin, slots = 0;

	axt_grid_tile(&r->kept, unit / r->inner.count, &t);
	axt_grid_tile(&r->inner, unit % r->inner.count, &t);
	outer = axt_product(t.n, s->nkept, (int)lin);
	t.count = outer * t.n[lin];
	if (axt_worker_load(w, &t, 0) || tile_blocks(w, outer, t.n[lin], outer,
	    position(&s->sp, &t, s->nkept, (int)lin + 1), NULL, 0, (unit - first) * r->unit_slots,
	    &slots))
		return -1;
	r->filled[unit - first] = slots;
	return 0;
}

void
axt_partial_merge(struct axt_step_run *r, int64_t first, int64_t n)
{
	for (int64_t u = 0; u < n; u++)
		for (int64_t j = 0; j < r->filled[u]; j++)
			r->s->fns->merge(&r->acc, (first + u) / r->inner.count * r->acc_tile,
			    &r->partial, u * r->unit_slots + j);
}

/* Sign and payload of a NaN depend on the way it came: results have one. */
static void
one_nan(double *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (x[i] != x[i])
			x[i] = __builtin_nan("");
}

int
axt_finish_unit(struct axt_worker *w, const struct axt_acc *acc, int64_t k, int64_t unit,
    int64_t seq)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { 0 }, out = { .n = { 1 }, .count = 1 };
	int64_t n, bad = -1, size = axt_size(s->dtype) / s->parts, done = 0;
	_Alignas(64) uint8_t nat[AXT_STRIP * 8];
	int a, b;

	axt_kept_dims(s, &a, &b);
	axt_grid_tile(&r->kept, unit, &t);
	for (int d = a; d < b; d++) {
		out.lo[d - a] = t.lo[d];
		out.n[d - a] = t.n[d];
		out.count *= t.n[d];
	}
	for (n = out.count * s->parts; done < n; done += AXT_STRIP) {
		int64_t m = MIN(AXT_STRIP, n - done);
		void *to = w->out + done * size;

		s->fns->finish(s->finish ? nat : to, acc, k + done, m, s->red_count,
		    s->node->u.red.ddof);
		if (s->fns->out == AXT_F64)
			one_nan(s->finish ? (double *)nat : to, m);
		if (s->finish)
			s->finish(to, nat, m, &bad);
		if (bad >= 0)
			return axt_fail(&w->err, AXT_E_RANGE, "a %s does not fit %s in %s",
			    axt_reds[s->node->u.red.op].name, axt_dtypes[s->dtype].name,
			    s->node->from);
	}
	return axt_emit(w, &out, w->out, seq);
}
