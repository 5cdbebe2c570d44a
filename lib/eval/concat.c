/*
 * concat.c - tiles of operands made of parts. Of concatenated parts, each element is loaded from
 * the part that has it; folded parts are combined with the tile one after another.
 */
#include <stdlib.h>

#include "eval/shared.h"

#define SUBS 4 /* a thread has buffers for at most so many parts at a time */

struct axt_parts_run {
	const struct axt_parts *j;
	bool along; /* whether slabs advance along the concatenated dimension */
	struct axt_step_run *part;
	/* the parts that the current rows, and the rows before, belong to */
	int *with, *old, nwith, nold;
	/* [i]: the number of chunks to decode for the parts before with[i] */
	int64_t *before;
};

/* A thread's buffers for some of the parts. */
struct axt_subs {
	struct sub {
		int part;
		struct axt_worker w;
	} * sub[SUBS];
};

/* ---- set-up ---- */

static void
close_parts(struct axt_source *s)
{
	struct axt_parts_run *x = s->own;

	if (!x)
		return;
	for (int i = 0; x->part && i < x->j->nparts; i++)
		if (x->part[i].s)
			axt_step_end(&x->part[i]);
	free(x->part);
	free(x->with);
	free(x->old);
	free(x->before);
	free(x);
}

static int
open_parts(struct axt_source *s, struct axt_step_run *r, struct axt_err *e)
{
	struct axt_parts_run *x = calloc(1, sizeof(*x));

	if (!x)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	s->own = x;
	x->j = s->op->joined;
	x->along = !x->j->fold && !x->j->whole && r->s->slab_dim == x->j->dim;
	x->part = calloc((size_t)x->j->nparts, sizeof(*x->part));
	x->with = calloc((size_t)x->j->nparts, sizeof(*x->with));
	x->old = calloc((size_t)x->j->nparts, sizeof(*x->old));
	x->before = calloc((size_t)x->j->nparts, sizeof(*x->before));
	if (!x->part || !x->with || !x->old || !x->before)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->j->nparts; i++) {
		x->part[i] = (struct axt_step_run){ .g = r->g, .s = x->j->part[i], .sh = r->sh };
		/* a part uses what an earlier part has mapped of the same tensor */
		if (axt_step_begin(&x->part[i], i ? &x->part[i - 1] : NULL, i > 0, r->plan))
			return -1;
	}
	return 0;
}

static void
release(struct sub *s)
{
	if (s)
		axt_worker_release(&s->w);
	free(s);
}

void
axt_subs_release(struct axt_subs *s)
{
	for (int i = 0; s && i < SUBS; i++)
		release(s->sub[i]);
	free(s);
}

/* The worker for part i of operand k, which is made when first needed. NULL: out of memory. */
static struct axt_worker *
worker_of(struct axt_worker *w, int k, int i)
{
	struct axt_subs *subs = w->subs[k] ? w->subs[k] : calloc(1, sizeof(*subs));
	const struct axt_parts *j = w->r->s->prog.operand[k].joined;
	struct axt_parts_run *x = w->r->src[k].own;
	struct axt_step_run *part = &x->part[i];
	struct sub *s;

	w->subs[k] = subs;
	if (!subs) {
		axt_fail(&w->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	s = subs->sub[i % SUBS];
	if (s && s->part == i)
		return &s->w;
	release(s);
	subs->sub[i % SUBS] = s = calloc(1, sizeof(*s));
	if (!s) {
		axt_fail(&w->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	s->part = i;
	if (axt_worker_init(&s->w, part,
		j->whole ? axt_product(part->s->ext, 0, part->s->sp.nd) : w->most, 0)) {
		w->err = s->w.err;
		return NULL;
	}
	return &s->w;
}

/* ---- chunks ---- */

/* The segment that has index `at` of the concatenated dimension. */
static int64_t
segment_at(const struct axt_parts *j, int64_t at)
{
	return j->nsegs ? axt_range_of(&j->seg->at, sizeof(*j->seg), j->nsegs, at) : 0;
}

static int
by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Lists in x->with, each once, the parts that have rows [lo, hi) of the concatenated dimension. */
static void
parts_of(struct axt_parts_run *x, int64_t lo, int64_t hi)
{
	const struct axt_parts *j = x->j;
	int n = 0, last = -1;

	x->nwith = 0;
	for (int64_t k = segment_at(j, lo); lo < hi && k < j->nsegs && j->seg[k].at < hi; k++) {
		/* parts may occur in several segments */
		if (n == j->nparts) {
			x->nwith = j->nparts;
			break;
		}
		x->with[n++] = j->seg[k].part;
	}
	for (int i = 0; i < x->nwith; i++)
		x->with[i] = i;
	if (x->nwith)
		return;
	qsort(x->with, (size_t)n, sizeof(*x->with), by_number);
	for (int i = 0; i < n; i++)
		if (x->with[i] != last)
			last = x->with[x->nwith++] = x->with[i];
}

/* Reduces rows [*lo, *hi) of the concatenated dimension to the indices of part i among them. */
static void
rows_of(const struct axt_parts *j, int i, int64_t *lo, int64_t *hi)
{
	int64_t a = INT64_MAX, b = 0;

	for (int64_t k = segment_at(j, *lo); k < j->nsegs && j->seg[k].at < *hi; k++) {
		const struct axt_segment *s = &j->seg[k];
		int64_t end = k + 1 < j->nsegs ? s[1].at : *hi;

		if (s->part != i || end <= *lo)
			continue;
		a = MIN(a, s->from + MAX(*lo, s->at) - s->at);
		b = MAX(b, s->from + MIN(*hi, end) - s->at);
	}
	*lo = MIN(a, b);
	*hi = b;
}

/* Frees the memory of parts that later rows do not need. */
static int
give_back(struct axt_parts_run *x, int64_t lo)
{
	for (int i = 0, k = 0; i < x->nold; i++) {
		while (k < x->nwith && x->with[k] < x->old[i])
			k++;
		if ((k == x->nwith || x->with[k] != x->old[i]) &&
		    axt_step_windows(&x->part[x->old[i]], lo, lo) < 0)
			return -1;
	}
	return 0;
}

static int64_t
window(struct axt_source *s, int64_t lo, int64_t hi, struct axt_err *e)
{
	struct axt_parts_run *x = s->own;
	int64_t n = 0;

	(void)e; /* the errors of the parts are here already */
	memcpy(x->old, x->with, (size_t)x->nwith * sizeof(*x->old));
	x->nold = x->nwith;
	if (x->along) {
		parts_of(x, lo, hi);
	} else {
		x->nwith = x->j->nparts;
		for (int i = 0; i < x->nwith; i++)
			x->with[i] = i;
	}
	if (give_back(x, lo))
		return -1;
	for (int i = 0; i < x->nwith; i++) {
		int64_t a = lo, b = hi, c;

		if (x->along)
			rows_of(x->j, x->with[i], &a, &b);
		c = axt_step_windows(&x->part[x->with[i]], a, b);
		if (c < 0)
			return c;
		x->before[i] = n;
		n += c;
	}
	return n;
}

static int
decode(const struct axt_source *s, struct axt_decoder *z, int64_t k, struct axt_err *e)
{
	const struct axt_parts_run *x = s->own;
	int64_t a = axt_range_of(x->before, sizeof(*x->before), x->nwith, k);

	return axt_step_decode(&x->part[x->with[a]], z, k - x->before[a], e);
}

/* ---- tiles ---- */

/* A tile that is filled box by box, since a range of the linear group may not be a box. */
struct filling {
	struct axt_worker *w;
	int k;
	const struct axt_parts *j;
	const struct axt_space *sp;
	const struct axt_tile *t;
	uint8_t *out;
	int size;
	bool whole; /* if the tile is one box of one part, its values may be used where they are */
	const void *as_is;
	bool first;       /* with fold: this is the first part, which is copied to the tile */
	uint8_t *wide[2]; /* strips for a fold that is computed in another dtype */
};

/* Combines n elements of a part with those at `out`, the result for the earlier parts. */
static void
fold(const struct filling *f, uint8_t *out, const uint8_t *in, int64_t n)
{
	const struct axt_parts *j = f->j;
	const bool none[2] = { false, false };
	int64_t bad = -1;

	for (int64_t at = 0, m; at < n; at += m) {
		const void *arg[2] = { out + at * f->size, in + at * f->size };

		m = MIN(AXT_STRIP, n - at);
		if (!j->widen) {
			j->fold(out + at * f->size, arg, none, m, &bad);
			continue;
		}
		for (int k = 0; k < 2; k++) {
			j->widen(f->wide[k], arg[k], m, &bad);
			arg[k] = f->wide[k];
		}
		j->fold(f->wide[0], arg, none, m, &bad);
		j->narrow(out + at * f->size, f->wide[0], m, &bad);
	}
	if (bad == AXT_KERN_WRAPPED)
		__atomic_store_n(j->wrapped, true, __ATOMIC_RELAXED);
}

/* Copies box b of one part to the tile, from element `to` on. ld: the strides of the tile. */
static int
fill_part(struct filling *f, const struct axt_tile *b, int part, int64_t to, const int64_t *ld)
{
	struct axt_worker *sub = worker_of(f->w, f->k, part);
	int64_t i[AXT_MAX_DIMS] = { 0 }, run = 1, ld_values;
	const uint8_t *v;
	int d = f->sp->nd - 1, e;

	v = sub ? axt_worker_values(sub, b, 0, b->count, &ld_values) : NULL;
	if (!v) {
		f->w->err = sub ? sub->err : f->w->err;
		return -1;
	}
	if (f->whole && b->count == f->t->count) {
		f->as_is = v;
		return 0;
	}
	for (; d >= 0 && (b->n[d] == 1 || ld[d] == run); d--)
		run *= b->n[d];
	for (;;) {
		int64_t at = to;

		for (e = 0; e <= d; e++)
			at += i[e] * ld[e];
		if (f->first)
			memcpy(f->out + at * f->size, v, (size_t)(run * f->size));
		else
			fold(f, f->out + at * f->size, v, run);
		v += run * f->size;
		for (e = d; e >= 0 && ++i[e] == b->n[e]; e--)
			i[e] = 0;
		if (e < 0)
			return 0;
	}
}

/* Copies a box from all parts that have elements of it, one after another. */
static int
fill_concat(struct filling *f, const struct axt_tile *box, int64_t to, const int64_t *ld)
{
	const struct axt_parts *j = f->j;
	int64_t lo = box->lo[j->dim], hi = lo + box->n[j->dim], end;
	struct axt_tile b = *box;

	for (int64_t k = segment_at(j, lo), at = lo; at < hi; k++, at = end) {
		const struct axt_segment *s = &j->seg[k];

		end = MIN(hi, k + 1 < j->nsegs ? s[1].at : hi);
		b.lo[j->dim] = s->from + at - s->at;
		b.n[j->dim] = end - at;
		b.count = box->count / box->n[j->dim] * (end - at);
		if (fill_part(f, &b, s->part, to + (at - lo) * ld[j->dim], ld))
			return -1;
	}
	return 0;
}

/* Fills a box that begins `to` elements into each row of the tile. It is cut where a part ends. */
static int
fill_box(struct filling *f, const struct axt_tile *box, int64_t to)
{
	int64_t ld[AXT_MAX_DIMS];
	int lin = f->sp->lin;

	for (int d = f->sp->nd - 1; d >= 0; d--)
		ld[d] = d == f->sp->nd - 1 ? 1
		    : d == lin - 1         ? f->t->n[lin]
				   : ld[d + 1] * (d + 1 < lin ? f->t->n[d + 1] : box->n[d + 1]);
	if (lin == f->sp->nd)
		ld[lin - 1] = 1;
	if (!f->j->fold)
		return fill_concat(f, box, to, ld);
	for (int k = 0; k < f->j->nparts; k++) {
		f->first = k == 0;
		if (fill_part(f, box, k, to, ld))
			return -1;
	}
	return 0;
}

/* Fills elements [lo, lo + n) of flattened dimensions [d, nd), from element `to` of each row on. */
static int
fill_range(struct filling *f, struct axt_tile *b, int d, int64_t lo, int64_t n, int64_t to)
{
	int64_t inner = 1;

	for (int e = d + 1; e < f->sp->nd; e++)
		inner *= f->sp->len[e];
	while (n > 0) {
		int64_t part = lo % inner, c = n;

		b->lo[d] = lo / inner;
		b->n[d] = 1;
		if (part == 0 && (n >= inner || inner == 1)) { /* whole rows */
			b->n[d] = n / inner;
			c = b->n[d] * inner;
			for (int e = d + 1; e < f->sp->nd; e++) {
				b->lo[e] = 0;
				b->n[e] = f->sp->len[e];
			}
			b->count = c;
			for (int e = 0; e < f->sp->lin; e++)
				b->count *= b->n[e];
			if (fill_box(f, b, to))
				return -1;
		} else {
			c = MIN(n, inner - part);
			if (fill_range(f, b, d + 1, part, c, to))
				return -1;
		}
		lo += c;
		n -= c;
		to += c;
	}
	return 0;
}

static const void *
load(struct axt_source *s, const struct axt_asked_tile *x)
{
	const struct axt_operand *op = s->op;
	const struct axt_tile *t = x->t;
	struct axt_worker *w = x->w;
	struct filling f = { .w = w,
		.k = (int)(s - w->r->src),
		.j = op->joined,
		.sp = &w->r->s->sp,
		.t = t,
		.out = x->buf,
		.size = op->size,
		.whole = !op->joined->fold,
		.first = true };
	struct axt_tile b = *t;
	int bad = 0;

	for (int i = 0; i < 2 && f.j->widen; i++)
		if (!(f.wide[i] = axt_scratch_new(AXT_STRIP * axt_size(f.j->comp))))
			bad = axt_fail(&w->err, AXT_E_MEM, "out of memory");
	if (!bad)
		bad = fill_range(&f, &b, f.sp->lin, t->lo[f.sp->lin], t->n[f.sp->lin], 0);
	free(f.wide[0]);
	free(f.wide[1]);
	return bad ? NULL : f.as_is ? f.as_is : f.out;
}

const struct axt_source_kind axt_source_parts = {
	.open = open_parts, .window = window, .decode = decode, .load = load, .close = close_parts
};

/* Whether any operand of the program changes along dimension d. */
static bool
moves(const struct axt_step *s, int d)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (op->v.stride[d] != 0 || op->jump[d])
			return true;
		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			if (d == op->joined->dim || moves(op->joined->part[i], d))
				return true;
		for (int c = 0; op->joined && c < op->joined->ncore; c++)
			if (d == op->joined->core[c].dim)
				return true;
	}
	return false;
}

const void *
axt_parts_whole_load(struct axt_worker *w, int k, const struct axt_tile *t, int64_t *ld)
{
	const struct axt_parts *j = w->r->s->prog.operand[k].joined;
	struct axt_worker *sub = worker_of(w, k, 0);
	int nd = w->r->s->sp.nd;
	struct axt_tile b = *t;
	bool core[AXT_MAX_DIMS] = { false };
	int64_t n = 1, ld_values;
	const void *v;

	for (int c = 0; c < j->ncore; c++) {
		core[j->core[c].dim] = true;
		b.lo[j->core[c].dim] = 0;
		b.n[j->core[c].dim] = j->core[c].len;
	}
	for (int d = nd - 1; d >= 0; d--) {
		bool along = core[d] || moves(j->part[0], d);

		if (!along) {
			b.lo[d] = 0;
			b.n[d] = 1;
		}
		ld[d] = along ? n : 0;
		n *= b.n[d];
	}
	b.count = n;
	v = sub ? axt_worker_values(sub, &b, 0, n, &ld_values) : NULL;
	if (!v && sub)
		w->err = sub->err;
	return v;
}
