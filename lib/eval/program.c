/* program.c - the buffers of a thread, and the program of a step, run on strips of a tile. */
#include <stdlib.h>

#include "eval/step.h"

#define LINE 64 /* bytes of a cache line */

static bool
is_scalar(const struct axt_prog *p, int reg)
{
	return p->reg[reg].scalar;
}

/* Finds the registers whose values leave the program, and allocates n elements for each. */
static int
init_roots(struct axt_worker *w, int64_t n)
{
	const struct axt_step *s = w->r->s;

	for (int k = 0; k < s->nouts + 2; k++) {
		int reg = k < s->nouts  ? s->out[k].root
		    : k == s->nouts     ? s->prog.weight
		    : s->red.group_rows ? -1
					: s->prog.group;

		if (reg < 0 || w->root_val[reg])
			continue;
		w->root_val[reg] = axt_scratch_new(n * axt_size(s->prog.reg[reg].dtype));
		if (!w->root_val[reg])
			return axt_fail(&w->err, AXT_E_MEM, "out of memory");
		w->root[w->nroots++] = reg;
	}
	return 0;
}

/* Whether reg is a strip that no instruction after k reads. */
static bool
dies(const struct axt_worker *w, const int *last, int reg, int k)
{
	return last[reg] == k && w->strip[reg] && !is_scalar(&w->r->s->prog, reg);
}

/*
 * The strip for the result of instruction k: the strip of an argument that is not needed
 * afterwards, or one of the *n spare strips, or a new one.
 */
static uint8_t *
strip_for(struct axt_worker *w, int *last, int k, uint8_t *const *spare, int *n, int size)
{
	const struct axt_prog *p = &w->r->s->prog;
	const struct axt_instr *in = &p->instr[k];
	bool one = is_scalar(p, in->out);

	/* not for conversions: the message about a refused value has to show it */
	for (int i = 0; i < in->nin && !one && in->kind == AXT_INSTR_MAP; i++)
		if (dies(w, last, in->in[i], k) &&
		    axt_size(p->reg[in->in[i]].dtype) == axt_size(p->reg[in->out].dtype)) {
			last[in->in[i]] = -1;
			return w->strip[in->in[i]];
		}
	if (!one && *n > 0)
		return spare[--*n];
	return w->strips[k] = axt_scratch_new((one ? 1 : AXT_STRIP) * (int64_t)size);
}

/*
 * Allocates strips for the results of instructions. Registers that are not needed at the same time
 * share a strip, and the strip that was freed last is used first, so that the few strips stay in
 * L1.
 */
static int
init_strips(struct axt_worker *w)
{
	const struct axt_prog *p = &w->r->s->prog;
	uint8_t **spare = calloc((size_t)p->ninstrs + 1, sizeof(*spare));
	int *last = calloc((size_t)p->nregs + 1, sizeof(*last)), n = 0, size = 0, k;
	bool ok;

	w->strips = calloc((size_t)p->ninstrs + 1, sizeof(*w->strips));
	ok = spare && last && w->strips;
	for (k = 0; ok && k < p->ninstrs; k++) {
		size = MAX(size, axt_size(p->reg[p->instr[k].out].dtype));
		for (int i = 0; i < p->instr[k].nin; i++)
			last[p->instr[k].in[i]] = k;
	}
	for (k = 0; ok && k < w->nroots; k++)
		last[w->root[k]] = p->ninstrs;
	for (k = 0; ok && k < p->ninstrs; k++) {
		const struct axt_instr *in = &p->instr[k];

		w->strip[in->out] = strip_for(w, last, k, spare, &n, size);
		ok = w->strip[in->out] != NULL;
		for (int i = 0; i < in->nin; i++)
			if (dies(w, last, in->in[i], k)) {
				spare[n++] = w->strip[in->in[i]];
				last[in->in[i]] = -1;
			}
	}
	free(spare);
	free(last);
	return ok ? 0 : axt_fail(&w->err, AXT_E_MEM, "out of memory");
}

int
axt_worker_init(struct axt_worker *w, struct axt_step_run *r, int64_t tile, int64_t results)
{
	const struct axt_prog *p = &r->s->prog;
	bool whole = !axt_step_fns(r->s)->states || axt_is_side(r->s);
	int64_t slot = axt_is_side(r->s) ? r->acc_tile : r->s->red.group_at >= 0 ? AXT_BLOCK : 1;

	memset(w, 0, sizeof(*w));
	w->r = r;
	w->tile = calloc((size_t)p->noperands + 1, sizeof(*w->tile));
	w->data = calloc((size_t)p->noperands + 1, sizeof(*w->data));
	w->ld = calloc((size_t)p->noperands + 1, sizeof(*w->ld));
	w->subs = calloc((size_t)p->noperands + 1, sizeof(*w->subs));
	w->most = tile;
	w->strip = calloc((size_t)p->nregs + 1, sizeof(*w->strip));
	w->val = calloc((size_t)p->nregs + 1, sizeof(*w->val));
	w->root_val = calloc((size_t)p->nregs + 1, sizeof(*w->root_val));
	w->spread = calloc((size_t)p->nregs + 1, sizeof(*w->spread));
	w->out = axt_scratch_new(results * 16);
	if (!w->tile || !w->data || !w->ld || !w->strip || !w->val || !w->root_val || !w->spread ||
	    !w->subs || !w->out)
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	if (init_roots(w, whole ? tile : AXT_ROWS * AXT_COLS))
		return w->err.code;
	for (int k = 0; k < p->noperands; k++) {
		int64_t n = p->operand[k].scalar ? 1 : tile;

		w->tile[k] = r->engine->tile_new(r, n * p->operand[k].size);
		if (!w->tile[k])
			return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	}
	if (init_strips(w))
		return w->err.code;
	if (r->engine->worker(w))
		return w->err.code;
	for (int k = 0; k < r->s->nouts && r->s->out[k].fns; k++)
		if (axt_acc_init(&w->slot[k], r->s->out[k].fns, slot, &w->err))
			return w->err.code;
	return r->s->red.group_at >= 0 ? axt_groups_worker(w) : 0;
}

void
axt_worker_release(struct axt_worker *w)
{
	const struct axt_prog *p = &w->r->s->prog;

	w->r->engine->release(w);
	axt_buf_release(&w->text);
	for (int k = 0; k < p->noperands; k++) {
		if (w->tile)
			w->r->engine->tile_free(w->r, w->tile[k]);
		if (w->subs)
			axt_subs_release(w->subs[k]);
	}
	for (int k = 0; k < p->nregs; k++) {
		if (w->spread)
			free(w->spread[k]);
		if (w->root_val)
			free(w->root_val[k]);
	}
	for (int k = 0; w->strips && k < p->ninstrs; k++)
		free(w->strips[k]);
	free(w->strips);
	free(w->spread);
	free(w->root_val);
	free(w->val);
	free(w->tile);
	free(w->data);
	free(w->ld);
	axt_decoder_free(w->decoder);
	free(w->subs);
	free(w->strip);
	free(w->out);
	axt_groups_release(w);
	free(w->work);
	free(w->made);
	free(w->finished);
	free(w->carry);
	free(w->windows);
	for (int k = 0; k < AXT_MAX_OUTS; k++) {
		axt_acc_release(&w->slot[k]);
		axt_acc_release(&w->acc[k]);
	}
}

static int
negative_power(struct axt_worker *w, const char *where)
{
	axt_fail(&w->err, AXT_E_RANGE, "integer to a negative power%s", where);
	axt_hint(&w->err, "an exponent with a point, as -1.0, gives floats");
	return w->err.code;
}

static void
element_text(const struct axt_step *s, const struct axt_tile *t, int64_t k, char *out, size_t size)
{
	const struct axt_space *sp = &s->sp;
	int64_t idx[AXT_MAX_DIMS], linear = 0, rest = k;

	for (int d = sp->lin; d >= 0; d--) {
		idx[d] = t->lo[d] + rest % t->n[d];
		rest /= t->n[d];
	}
	/*
	 * if windows overlap, an element behind the start of the last window is one of that window
	 */
	if (axt_slides(s)) {
		idx[s->columns.run] = MAX(0, idx[s->columns.slide] - sp->len[s->columns.slide] + 1);
		idx[s->columns.slide] -= idx[s->columns.run];
	}
	for (int d = 0; d <= sp->lin; d++)
		linear = linear * (d == sp->lin ? sp->lin_len : sp->len[d]) + idx[d];
	for (int i = s->laid.n - 1; i >= 0; i--) {
		idx[i] = linear % s->laid.a[i].len;
		linear /= s->laid.a[i].len;
	}
	axt_place_text(s, idx, out, size);
}

static int
refused(struct axt_worker *w, const struct axt_instr *in, const void *const arg[], int64_t at,
    int64_t bad)
{
	const struct axt_prog *p = &w->r->s->prog;
	char where[600], value[AXT_TEXT];
	enum axt_dtype d = p->reg[in->in[0]].dtype;
	int64_t k = is_scalar(p, in->in[0]) ? 0 : bad;

	element_text(w->r->s, &w->now, at + bad, where, sizeof(where));
	if (in->kind == AXT_INSTR_CONV) {
		axt_value_text(value, d, (const uint8_t *)arg[0] + k * axt_size(d));
		return axt_fail(&w->err, AXT_E_RANGE, "%s does not fit %s%s in %s", value, in->name,
		    where, in->node->from);
	}
	if (in->node->u.op == AXT_OP_INDEX) {
		axt_value_text(value, d, (const uint8_t *)arg[0] + k * axt_size(d));
		return axt_fail(&w->err, AXT_E_RANGE,
		    "%s is no index of an axis of length %.0f%s in %s", value,
		    axt_load_f64(d, arg[1]), where, in->node->from);
	}
	if (in->node->u.op == AXT_OP_POW)
		return negative_power(w, where);
	return axt_fail(&w->err, AXT_E_RANGE, "integer division by zero in %s%s", in->name, where);
}

static const void *
reg_data(const struct axt_worker *w, int reg, int64_t at)
{
	const struct axt_reg *r = &w->r->s->prog.reg[reg];

	if (r->value)
		return r->value;
	if (r->operand >= 0 && r->scalar)
		return w->data[r->operand];
	if (r->operand >= 0)
		return (const uint8_t *)w->data[r->operand] +
		    (at / w->cols * w->ld[r->operand] + at % w->cols) * axt_size(r->dtype);
	return w->val[reg];
}

/* Repeats a scalar as a strip, which for short strips is cheaper than what kernels do. */
static const void *
spread(struct axt_worker *w, int reg, const void *p)
{
	int size = axt_size(w->r->s->prog.reg[reg].dtype);

	if (!w->spread[reg]) {
		w->spread[reg] = axt_scratch_new(AXT_SPREAD * size);
		if (w->spread[reg])
			axt_kern_gather2(w->spread[reg], AXT_SPREAD, p, 1, AXT_SPREAD, 0, 0, size);
	}
	return w->spread[reg];
}

/* Notes whether one of n integers was rounded to f64, but for those that are masked. */
static void
note_rounded(const struct axt_instr *in, enum axt_dtype d, const void *arg, int64_t n)
{
	/* any thread may set this, always to the same value */
	if (!__atomic_load_n(in->wrapped, __ATOMIC_RELAXED) &&
	    axt_kern_rounds(arg, n, d == AXT_I64, in->apart, in->napart))
		__atomic_store_n(in->wrapped, true, __ATOMIC_RELAXED);
}

static int
run_instr(struct axt_worker *w, const struct axt_instr *in, int64_t at, int64_t n, void *out)
{
	const void *arg[3];
	bool scalar[3];
	int64_t bad = -1;

	for (int k = 0; k < in->nin; k++) {
		arg[k] = reg_data(w, in->in[k], at);
		scalar[k] = is_scalar(&w->r->s->prog, in->in[k]);
		if (scalar[k] && n > 1 && n <= AXT_SPREAD && in->kind == AXT_INSTR_MAP) {
			arg[k] = spread(w, in->in[k], arg[k]);
			if (!arg[k])
				return axt_fail(&w->err, AXT_E_MEM, "out of memory");
			scalar[k] = false;
		}
	}
	if (in->kind == AXT_INSTR_CONV && in->wrapped)
		note_rounded(in, w->r->s->prog.reg[in->in[0]].dtype, arg[0], n);
	if (in->kind == AXT_INSTR_CONV)
		in->conv(out, arg[0], n, &bad);
	else if (in->kind == AXT_INSTR_UNPACK)
		in->unpack(out, arg[0], in->packing, n);
	else if (in->kind == AXT_INSTR_BINS)
		axt_kern_bins(out, arg[0], w->r->s->prog.reg[in->in[0]].dtype == AXT_F64, in->bins,
		    n);
	else
		in->map(out, arg, scalar, n, &bad);
	if (bad == AXT_KERN_WRAPPED) /* any thread may set this, always to the same value */
		__atomic_store_n(in->wrapped, true, __ATOMIC_RELAXED);
	return bad >= 0 ? refused(w, in, arg, at, bad) : 0;
}

int
axt_worker_load(struct axt_worker *w, const struct axt_tile *t, int rows)
{
	static const struct axt_tile first_one = { .n = { 1 }, .count = 1 };
	static const struct axt_space point = { .nd = 1, .len = { 1 }, .lin_len = 1 };
	const struct axt_step *s = w->r->s;
	const struct axt_prog *p = &s->prog;
	struct axt_asked_tile all = { .t = t,
		.rows = rows,
		.cols = t->count,
		.w = w,
		.e = &w->err };
	struct axt_asked_tile one = { .t = &first_one, .cols = 1, .w = w, .e = &w->err };

	w->now = *t;
	all.sp = axt_slides(s) ? &s->columns.slid : &s->sp;
	one.sp = &point;
	for (int d = 0; d < rows; d++)
		all.cols /= t->n[d];
	w->cols = all.cols;
	for (int k = 0; k < p->noperands; k++) {
		struct axt_asked_tile *x = p->operand[k].scalar ? &one : &all;
		struct axt_source *src = &w->r->src[k];
		bool first = !w->data[k];

		if (s->red.group_rows && k == p->reg[p->group].operand)
			continue; /* groups are looked up row by row */
		if (p->operand[k].scalar && !first && !p->operand[k].window)
			continue;
		if (w->r->engine->holds(w, k))
			continue;
		w->ld[k] = x->cols;
		if (p->operand[k].joined && p->operand[k].joined->whole)
			/* the units of unit_lines.c load its elements line by line */
			continue;
		x->ld = &w->ld[k];
		x->buf = w->tile[k];
		w->data[k] = src->kind->load(src, x);
		if (!w->data[k])
			return -1;
	}
	return 0;
}

/* Sets w->val of a root. A scalar is repeated n times. */
static void
settle(struct axt_worker *w, int reg, int64_t at, int64_t n, int64_t place)
{
	const struct axt_reg *r = &w->r->s->prog.reg[reg];
	const void *p = reg_data(w, reg, at);
	int size = axt_size(r->dtype);
	uint8_t *dest = w->root_val[reg] + MAX(place, 0) * size;

	if (r->scalar)
		axt_kern_gather2(dest, n, p, 1, n, 0, 0, size);
	else if (place >= 0 && r->operand >= 0)
		memcpy(dest, p, (size_t)(n * size));
	w->val[reg] = r->scalar || (place >= 0 && r->operand >= 0) ? dest : p;
}

/*
 * Prefetches a part, the k-th of p->ninstrs, of the next n elements of every operand, which begin
 * at element `at` of the tile; called before instruction k. It has to be inlined, since gcc drops
 * calls of a function that only prefetches.
 */
__attribute__((always_inline)) static inline void
fetch_ahead(const struct axt_worker *w, int64_t at, int64_t n, int k)
{
	const struct axt_prog *p = &w->r->s->prog;

	for (int j = 0; j < p->noperands; j++) {
		int64_t size = p->operand[j].size, bytes = n * size;
		int64_t share = (bytes / p->ninstrs + LINE) / LINE * LINE;
		const char *from = w->data[j];

		if (p->operand[j].scalar || !from)
			continue;
		from += (at / w->cols * w->ld[j] + at % w->cols) * size;
		for (int64_t b = k * share; b < MIN((k + 1) * share, bytes); b += LINE)
			__builtin_prefetch(from + b, 0, 2);
	}
}

int
axt_worker_eval(struct axt_worker *w, int64_t at, int64_t n, int64_t place, int64_t next)
{
	const struct axt_prog *p = &w->r->s->prog;

	for (int k = 0; k < p->ninstrs; k++) {
		const struct axt_instr *in = &p->instr[k];
		bool one = is_scalar(p, in->out);
		uint8_t *out = w->strip[in->out];

		if (place >= 0 && !one && w->root_val[in->out])
			out = w->root_val[in->out] + place * axt_size(p->reg[in->out].dtype);
		if (next >= 0)
			fetch_ahead(w, next, n, k);
		if (run_instr(w, in, at, one ? 1 : n, out))
			return -1;
		w->val[in->out] = out;
	}
	for (int k = 0; k < w->nroots; k++)
		settle(w, w->root[k], at, n, place);
	return 0;
}

int
axt_worker_fill(struct axt_worker *w, int64_t count)
{
	for (int64_t at = 0, n; at < count; at += n) {
		n = MIN(AXT_STRIP, count - at);
		if (axt_worker_eval(w, at, n, at, count - at - n >= n ? at + n : -1))
			return -1;
	}
	return 0;
}

const uint8_t *
axt_worker_values(struct axt_worker *w, const struct axt_tile *t, int rows, int64_t cols,
    int64_t *ld)
{
	const struct axt_step *s = w->r->s;
	const struct axt_reg *root = &s->prog.reg[s->out[0].root];

	*ld = cols;
	if (s->prog.ninstrs == 0 && root->operand >= 0 && !root->scalar) {
		if (axt_worker_load(w, t, rows))
			return NULL;
		*ld = w->ld[root->operand];
		return w->data[root->operand];
	}
	if (axt_worker_load(w, t, 0))
		return NULL;
	return axt_worker_fill(w, t->count) ? NULL : w->root_val[s->out[0].root];
}

/* ---- the engine of the CPU, whose workers need nothing else ---- */

static int
cpu_begin(struct axt_step_run *r)
{
	(void)r;
	return 0;
}

static void
cpu_end(struct axt_step_run *r)
{
	(void)r;
}

static int
cpu_worker(struct axt_worker *w)
{
	(void)w;
	return 0;
}

static void
cpu_release(struct axt_worker *w)
{
	(void)w;
}

static void *
cpu_tile_new(const struct axt_step_run *r, int64_t bytes)
{
	(void)r;
	return axt_scratch_new(bytes);
}

static void
cpu_tile_free(const struct axt_step_run *r, void *p)
{
	(void)r;
	free(p);
}

static bool
cpu_holds(const struct axt_worker *w, int k)
{
	(void)w, (void)k;
	return false;
}

static int
cpu_reduce(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t, int64_t n,
    int64_t index, bool first, axt_tile_fn *fn)
{
	(void)first;
	return fn(w, acc, k, t, n, index);
}

static int
cpu_merge(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t n)
{
	(void)w, (void)acc, (void)k, (void)n;
	return 0;
}

const struct axt_engine_fns axt_engine_cpu = {
	.begin = cpu_begin,
	.end = cpu_end,
	.worker = cpu_worker,
	.release = cpu_release,
	.tile_new = cpu_tile_new,
	.tile_free = cpu_tile_free,
	.holds = cpu_holds,
	.map = axt_map_tile,
	.reduce = cpu_reduce,
	.merge = cpu_merge,
	.partial = axt_partial_tile,
};
