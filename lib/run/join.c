/* join.c - tiles of parts one after another along an axis: each from the part it is in. */
#include <stdlib.h>

#include "shared.h"

#define SUBS 4			/* parts a thread has buffers for at a time */

struct axt_joined_run {
	const struct axt_joined *j;
	struct axt_step_run *part;
};

/* A thread's buffers for some of the parts. */
struct axt_subs {
	struct sub {
		int part;
		struct axt_worker w;
	} *sub[SUBS];
};

/* ---- set-up ---- */

void
axt_joined_end(struct axt_joined_run *x)
{
	if (!x)
		return;
	for (int i = 0; x->part && i < x->j->nparts; i++)
		if (x->part[i].s)
			axt_step_end(&x->part[i]);
	free(x->part);
	free(x);
}

int
axt_joined_begin(struct axt_step_run *r, int k)
{
	struct axt_joined_run *x = calloc(1, sizeof *x);

	if (!x)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	r->src[k].joined = x;
	x->j = r->s->prog.operand[k].joined;
	x->part = calloc((size_t)x->j->nparts, sizeof *x->part);
	if (!x->part)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->j->nparts; i++) {
		x->part[i] = (struct axt_step_run){ .g = r->g, .s = x->j->part[i], .sh = r->sh };
		if (axt_step_begin(&x->part[i], NULL, 0, r->plan))
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

/* Buffers for part i of operand k. NULL: out of memory. */
static struct axt_worker *
worker_of(struct axt_worker *w, int k, int i)
{
	struct axt_subs *subs = w->subs[k] ? w->subs[k] : calloc(1, sizeof *subs);
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
	subs->sub[i % SUBS] = s = calloc(1, sizeof *s);
	if (!s) {
		axt_fail(&w->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	s->part = i;
	if (axt_worker_init(&s->w, &w->r->src[k].joined->part[i], w->most, 0)) {
		w->err = s->w.err;
		return NULL;
	}
	return &s->w;
}

/* ---- chunks ---- */

/* The indices of part i among rows [*lo, *hi) of the joined dimension. */
static void
rows_of(const struct axt_joined *j, int i, int64_t *lo, int64_t *hi)
{
	int64_t a = INT64_MAX, b = 0;

	for (int64_t k = 0; k < j->nsegs && j->seg[k].at < *hi; k++) {
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

int64_t
axt_joined_windows(struct axt_step_run *r, int k, int64_t lo, int64_t hi)
{
	struct axt_joined_run *x = r->src[k].joined;
	int64_t n = 0;

	for (int i = 0; i < x->j->nparts; i++) {
		int64_t a = lo, b = hi, c;

		if (r->s->slab_dim == x->j->dim)
			rows_of(x->j, i, &a, &b);
		c = axt_step_windows(&x->part[i], a, b);
		if (c < 0)
			return c;
		n += c;
	}
	return n;
}

int
axt_joined_decode(const struct axt_step_run *r, int k, struct axt_decoder *z, int64_t *unit,
    struct axt_err *e)
{
	struct axt_joined_run *x = r->src[k].joined;

	for (int i = 0; i < x->j->nparts; i++) {
		if (*unit < x->part[i].chunks) {
			if (axt_step_decode(&x->part[i], z, *unit, e))
				return -1;
			*unit = -1;
			return 0;
		}
		*unit -= x->part[i].chunks;
	}
	return 0;
}

/* ---- tiles ---- */

/* A tile being filled: box by box, since a range of the linear group may be none. */
struct filling {
	struct axt_worker *w;
	int k;
	const struct axt_joined *j;
	const struct axt_space *sp;
	const struct axt_tile *t;
	uint8_t *out;
	int size;
	bool whole;			/* one box of one part may be given as it lies */
	const void *as_is;
};

/* Box b of the space, of a part, to element `to` of the tile; ld[d]: the tile's strides. */
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
		memcpy(f->out + at * f->size, v, (size_t)(run * f->size));
		v += run * f->size;
		for (e = d; e >= 0 && ++i[e] == b->n[e]; e--)
			i[e] = 0;
		if (e < 0)
			return 0;
	}
}

/* A box, `to` elements into each row of the tile, cut where parts meet. */
static int
fill_box(struct filling *f, const struct axt_tile *box, int64_t to)
{
	const struct axt_joined *j = f->j;
	int64_t ld[AXT_MAX_DIMS], lo = box->lo[j->dim], hi = lo + box->n[j->dim], a = 0,
	    z = j->nsegs;
	struct axt_tile b = *box;
	int lin = f->sp->lin;

	for (int d = f->sp->nd - 1; d >= 0; d--)
		ld[d] = d == f->sp->nd - 1 ? 1 : d == lin - 1 ? f->t->n[lin]
		    : ld[d + 1] * (d + 1 < lin ? f->t->n[d + 1] : box->n[d + 1]);
	if (lin == f->sp->nd)
		ld[lin - 1] = 1;
	while (z - a > 1) {
		int64_t mid = a + (z - a) / 2;

		*(j->seg[mid].at <= lo ? &a : &z) = mid;
	}
	for (int64_t k = a, at = lo, end; at < hi; k++, at = end) {
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

/* Elements [lo, lo + n) of dimensions [d, nd), as boxes, `to` into each row of the tile. */
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
		if (part == 0 && (n >= inner || inner == 1)) {	/* whole rows */
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

const void *
axt_joined_load(struct axt_worker *w, int k, const struct axt_tile *t)
{
	const struct axt_operand *op = &w->r->s->prog.operand[k];
	struct filling f = { .w = w, .k = k, .j = op->joined, .sp = &w->r->s->sp, .t = t,
	    .out = w->tile[k], .size = op->size, .whole = true };
	struct axt_tile b = *t;

	if (fill_range(&f, &b, f.sp->lin, t->lo[f.sp->lin], t->n[f.sp->lin], 0))
		return NULL;
	return f.as_is ? f.as_is : f.out;
}
