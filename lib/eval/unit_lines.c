/*
 * unit_lines.c - tiles of whole lines, or of pieces of lines in order: scans, sorts, elements by
 * position, quantiles. Pages of mapped files are given back while lines are read.
 */
#include <stdlib.h>

#include "eval/shared.h"

#define LET_GO (64 << 20) /* the most bytes that are read before mapped pages are given back */

static void
grids(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	struct axt_grid *g = &r->kept;

	axt_grid_init(g, r, 0, s->sp.lin + 1);
	if (s->line.counted)
		return;
	for (int d = s->line.a; d < s->line.b; d++) {
		g->count /= MAX(1, g->n[d]);
		g->ext[d] = MAX(1, g->len[d]);
		g->n[d] = 1;
	}
}

static int
begin(struct axt_step_run *r)
{
	if (r->s->line.together)
		return axt_sort_begin(r);
	if (!r->s->line.carried)
		return 0;
	grids(r);
	r->carry = calloc((size_t)(r->kept.count * r->s->line.carry) + 1, 8);
	return r->carry ? 0 : axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
}

static int
worker(struct axt_worker *w)
{
	const struct axt_step *s = w->r->s;
	int64_t tile = axt_product(s->ext, 0, s->sp.nd),
		lines = axt_product(s->ext, 0, s->line.a) *
	    axt_product(s->ext, s->line.b, s->sp.nd),
		made = axt_lines_keep(s) ? tile * s->line.size : lines * s->nouts * 8, out = 0;

	if (s->line.together) /* all threads sort one line, in buffers that axt_sort_begin made */
		return 0;
	if (s->line.counted)
		made = ((int64_t)2 * s->nouts * 4) << AXT_COUNT_BITS;
	w->work = axt_scratch_new(s->line.work);
	w->made = axt_scratch_new(made);
	for (int k = 0; k < s->nouts; k++)
		if (s->out[k].finish)
			out = MAX(out,
			    axt_size(s->out[k].dtype) * (axt_lines_keep(s) ? tile : lines));
	w->finished = axt_scratch_new(out);
	w->carry = axt_scratch_new(s->line.carry * 8);
	return w->work && w->made && w->finished && w->carry
	    ? 0
	    : axt_fail(&w->err, AXT_E_MEM, "out of memory");
}

/* Gives back pages of mapped files that were read, so that input does not count as memory. */
static void
let_go(struct axt_worker *w, int64_t elements)
{
	struct axt_step_run *r = w->r;
	const struct axt_prog *p = &r->s->prog;
	int64_t bytes = 0, before, most = MAX(1 << 20, MIN(LET_GO, r->g->memory / 4));

	for (int k = 0; k < p->noperands; k++)
		bytes += axt_source_is_mapped(&r->src[k]) && !p->operand[k].scalar
		    ? elements * p->operand[k].size
		    : 0;
	before = atomic_fetch_add(&r->sh->read, bytes);
	if (before / most == (before + bytes) / most)
		return;
	for (int k = 0; k < p->noperands; k++)
		if (axt_source_is_mapped(&r->src[k]))
			r->src[k].kind->forget(&r->src[k], 0, 1);
}

const void *
axt_lines_values(struct axt_worker *w, struct axt_tile *t)
{
	const struct axt_step *s = w->r->s;
	const struct axt_reg *root = &s->prog.reg[s->out[0].root];

	t->count = axt_product(t->n, 0, s->sp.nd);
	let_go(w, t->count);
	if (axt_worker_load(w, t, 0))
		return NULL;
	if (s->prog.ninstrs == 0 && root->operand >= 0 && !root->scalar)
		return w->data[root->operand];
	return axt_worker_fill(w, t->count) ? NULL : w->root_val[s->out[0].root];
}

/* Converts n values from the kernel's dtype to that of the output. */
static const void *
finished(struct axt_worker *w, int k, const void *made, int64_t n)
{
	const struct axt_output *o = &w->r->s->out[k];
	int64_t bad = -1;

	if (!o->finish)
		return made;
	o->finish(w->finished, made, n, &bad);
	if (bad < 0)
		return w->finished;
	axt_misfit(o, &w->err);
	return NULL;
}

/* Scans a piece of the lines of a tile, many side by side or one after another. */
static void
scan_piece(const struct axt_step *s, const uint8_t *x, uint8_t *out, uint64_t *acc, int64_t many,
    int64_t n, int64_t side)
{
	bool back = s->out[0].node->u.gufunc.reverse;
	int64_t size = s->line.fns->bits / 8, made = s->line.size / s->line.parts;

	if (side == 1) {
		int64_t at = back ? n - 1 : 0;

		s->line.scan(out + at * made, x + at * size, acc, n, many, back ? -1 : 1, n);
		return;
	}
	for (int64_t i = 0; i < many; i++) {
		int64_t at = i * n * side + (back ? (n - 1) * side : 0);

		s->line.scan(out + at * made, x + at * size, acc + i * side, n, side,
		    back ? -side : side, 1);
	}
}

static int
scan_unit(struct axt_worker *w, struct axt_tile t, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	const struct axt_expr *e = s->out[0].node;
	int a = s->line.a;
	int64_t many = axt_product(t.n, 0, a),
		side = axt_product(t.n, a + 1, s->sp.nd) * s->line.parts, lo = t.lo[a],
		all = t.n[a];
	uint64_t *acc = s->line.carried ? w->r->carry + unit * s->line.carry : w->carry;

	if (!s->line.carried || lo == 0)
		s->line.fns->begin(axt_gufuncs[e->u.gufunc.op]->red, acc, many * side);
	for (int64_t done = 0; done < all; done += t.n[a]) {
		const void *x, *y;

		t.n[a] = MIN(s->ext[a], all - done);
		t.lo[a] = lo + (e->u.gufunc.reverse ? all - done - t.n[a] : done);
		x = axt_lines_values(w, &t);
		if (!x)
			return -1;
		scan_piece(s, x, w->made, acc, many, t.n[a], side);
		y = finished(w, 0, w->made, t.count * s->line.parts);
		if (!y || axt_emit_part(w, 0, &t, y, w->r->at.seq + unit, done + t.n[a] == all))
			return -1;
	}
	return 0;
}

/* Does a tile of whole lines, one after another or side by side. */
static int
whole_unit(struct axt_worker *w, struct axt_tile *t, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	const struct axt_expr *e = s->out[0].node;
	int a = s->line.a;
	int64_t many = axt_product(t->n, 0, a), side = axt_product(t->n, a + 1, s->sp.nd),
		n = t->n[a];
	enum axt_dtype d = s->prog.reg[s->out[0].root].dtype;
	int64_t len[AXT_LETTERS] = { 0 }, es = side, ls = side == 1 ? n : 1;
	const struct axt_gufunc_args args = { .n = { e->u.gufunc.reverse } };
	struct axt_gufunc_calls x = { .args = &args,
		.len = len,
		.t = { { .dtype = d,
			   .p = (void *)axt_lines_values(w, t),
			   .step = ls,
			   .stride = { es } },
		    { .dtype = s->out[0].dtype, .p = w->made, .step = ls, .stride = { es } } },
		.calls = side == 1 ? many : side,
		.work = w->work };

	len['n' - 'a'] = n;
	if (!x.t[0].p)
		return -1;
	for (int64_t i = 0; i < (side == 1 ? 1 : many); i++) {
		axt_gufuncs[e->u.gufunc.op]->calls(&x);
		x.t[0].p = (uint8_t *)x.t[0].p + n * side * axt_size(d);
		x.t[1].p = (uint8_t *)x.t[1].p + n * side * s->line.size;
	}
	return axt_emit(w, 0, t, w->made, w->r->at.seq + unit);
}

/*
 * Takes the elements at positions x from the lines at `in`, for a tile. Dimensions behind the line
 * are done together as far as `in` advances evenly along them. Returns -1, or the index of a
 * refused position.
 */
static int64_t
take_tile(struct axt_worker *w, const struct axt_tile *t, const uint8_t *in, const int64_t *x,
    const int64_t *ld, const void *fill)
{
	const struct axt_step *s = w->r->s;
	int a = s->line.a, nd = s->sp.nd, d = nd;
	int64_t i[AXT_MAX_DIMS] = { 0 }, many = 1, size = s->line.size, bad = -1,
		side = axt_product(t->n, a + 1, nd), step = nd > a + 1 ? ld[nd - 1] : 0,
		len = s->prog.operand[s->line.from].joined->core[0].len;

	for (; d > a + 1 && ld[d - 1] == many * step; d--)
		many *= t->n[d - 1];
	for (;;) {
		int64_t at = 0, from = 0, row = 1;
		int e;

		for (e = nd - 1; e >= 0; e--) {
			at += i[e] * row;
			from += i[e] * ld[e];
			row *= t->n[e];
		}
		axt_kern_take(w->made + at * size, side, x + at, t->n[a], many, in + from * size,
		    ld[a], step, len, (int)size, fill, &bad);
		if (bad >= 0)
			return at + bad;
		for (e = d - 1; e >= 0 && (e == a || ++i[e] == t->n[e]); e--)
			i[e] = 0;
		if (e < 0)
			return -1;
	}
}

static int
take_unit(struct axt_worker *w, struct axt_tile t, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	const struct axt_expr *e = s->out[0].node;
	int a = s->line.a;
	int64_t all = t.n[a], ld[AXT_MAX_DIMS], bad;
	const void *in = axt_parts_whole_load(w, s->line.from, &t, ld);
	enum axt_class cls = axt_dtypes[e->dtype].cls;
	bool real = cls == AXT_CLASS_FLOAT || cls == AXT_CLASS_COMPLEX;
	uint8_t nan[16];
	const void *fill = real ? nan : NULL;

	if (!in)
		return -1;
	if (real)
		axt_num_store(&(struct axt_num){ .f = __builtin_nan("") }, e->dtype, nan);
	for (int64_t done = 0; done < all; done += t.n[a]) {
		const int64_t *x;

		t.lo[a] = done;
		t.n[a] = MIN(s->ext[a], all - done);
		if (!(x = axt_lines_values(w, &t)))
			return -1;
		bad = take_tile(w, &t, in, x, ld, fill);
		if (bad >= 0) {
			int64_t p;

			memcpy(&p, x + bad, sizeof(p));
			return axt_fail(&w->err, AXT_E_RANGE,
			    "position %lld is not on an axis of length %lld of %s", (long long)p,
			    (long long)e->arg[1]->axes.a[e->u.gufunc.axis].len, e->from);
		}
		if (axt_emit_part(w, 0, &t, w->made, w->r->at.seq + unit, done + t.n[a] == all))
			return -1;
	}
	return 0;
}

static int
quantile_unit(struct axt_worker *w, struct axt_tile *t, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	int a = s->line.a, b = s->line.b, nd = s->sp.nd;
	int64_t n = axt_product(t->n, a, b),
		lines = axt_product(t->n, 0, a) * axt_product(t->n, b, nd);
	struct axt_tile out = { .n = { 1 }, .count = lines };
	const void *x = axt_lines_values(w, t);
	struct axt_quantile_of q[AXT_MAX_OUTS];

	for (int k = 0; k < s->nouts; k++)
		q[k] = (struct axt_quantile_of){ s->out[k].node->u.red.q,
			s->out[k].node->u.red.method };
	if (!x)
		return -1;
	s->line.fns->quantile((double *)w->made, x, n, lines, b == nd ? 1 : lines, b == nd ? n : 1,
	    q, s->nouts, s->out[0].node->u.red.skip, w->work);
	for (int d = 0; d < nd; d++)
		if (d < a || d >= b) {
			int to = d < a ? d : d - b;

			out.lo[to] = t->lo[d];
			out.n[to] = t->n[d];
		}
	for (int k = 0; k < s->nouts; k++) {
		const void *y = finished(w, k, w->made + k * lines * 8, lines);

		if (!y || axt_emit(w, k, &out, y, w->r->at.seq + unit))
			return -1;
	}
	return 0;
}

static int
lines_unit(struct axt_worker *w, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	struct axt_tile t = { 0 };

	axt_grid_tile(&w->r->kept, unit, &t);
	if (s->line.counted)
		return axt_count_unit(w, &t);
	if (!axt_lines_keep(s))
		return quantile_unit(w, &t, unit);
	if (s->line.from >= 0)
		return take_unit(w, t, unit);
	return s->line.scan ? scan_unit(w, t, unit) : whole_unit(w, &t, unit);
}

static int
run(struct axt_step_run *r, int threads)
{
	return r->s->line.counted ? axt_count_run(r, threads) : axt_step_once(r, threads);
}

const struct axt_unit_fns axt_unit_lines = {
	.begin = begin,
	.worker = worker,
	.grids = grids,
	.unit = lines_unit,
	.run = run,
};
