/*
 * device_tiles.c - the engine of devices. Threads load the operands of a tile, as for the CPU, but
 * into memory from which transfers are fast. Each thread has a queue of the device, so that one
 * thread loads a tile while that of another one is computed. Operands that are broadcast, or read
 * across their storage, are uploaded once, and the device finds their elements by strides.
 */
#include <stdlib.h>

#include "device/device.h"
#include "eval/contraction.h"
#include "eval/step.h"

#define LANES (256 << 10)         /* threads that keep a device busy */
#define PIECE ((int64_t)16 << 20) /* bytes that are sent at a time */
/* if fewer than one in so many elements of a span are used, they are gathered on the host */
#define SPARSE 8

/* What the workers of a step share. */
struct axt_step_device {
	struct axt_device *d;
	struct axt_program *p;
	const struct axt_kernels *k;
	/* [operand]: its storage on the device, from element `first` on, or NULL */
	uint8_t *stored[AXT_MAX_OPERANDS];
	int64_t first[AXT_MAX_OPERANDS];
	int64_t *words; /* the words that are the same for all tiles */
};
struct axt_worker_device {
	struct axt_queue *q;
	void *in[AXT_MAX_OPERANDS]; /* [operand]: a tile, on the device */
	void *out[AXT_MAX_OUTS];    /* values or partial states, on the device */
	void *acc[AXT_MAX_OUTS];    /* states of the results of a tile, on the device */
	void *got[AXT_MAX_OUTS];    /* buffers on the host for downloads */
	/* what tells that an element was refused: on the device, and on the host */
	int *refused, *bad;
	int64_t *words;
	bool off; /* the CPU computes from now on, to find out what is wrong */
};

/* ---- operands ---- */

/* Whether elements are used more than once, or lie in another order than that of the tiles. */
static bool
is_across(const struct axt_operand *op, const struct axt_space *sp)
{
	int64_t in = op->v.stride[sp->nd - 1];
	bool again = false;

	for (int d = 0; d < sp->nd; d++)
		again = again || (op->v.stride[d] == 0 && sp->len[d] > 1);
	return again || (in != 1 && sp->nd > 1);
}

/*
 * The number of elements of the operand's storage from the first used one, *first, to the last used
 * one. *used gets how many of them are used.
 */
static int64_t
operand_span(const struct axt_operand *op, const struct axt_space *sp, int64_t *first,
    int64_t *used)
{
	int64_t last = *first = op->v.offset;

	*used = 1;
	for (int d = 0; d < sp->nd; d++) {
		int64_t reach = (sp->len[d] - 1) * op->v.stride[d];

		last += MAX(reach, 0);
		*first += MIN(reach, 0);
		*used *= reach ? sp->len[d] : 1;
	}
	return last - *first + 1;
}

/*
 * The bytes of operand k's storage, if they are uploaded as a whole, or -1 if tiles of it are
 * loaded.
 */
static int64_t
stored_bytes(const struct axt_step_run *r, int k)
{
	const struct axt_operand *op = &r->s->prog.operand[k];
	const struct axt_source *src = &r->src[k];
	int64_t first, used, span;

	if (op->source != AXT_SOURCE_STORED || op->scalar || op->jumps || !src->st || !src->mem ||
	    src->st->swap || !is_across(op, &r->s->sp))
		return -1;
	span = operand_span(op, &r->s->sp, &first, &used);
	return span / SPARSE <= used ? span * op->size : -1;
}

static void
choose_operands(const struct axt_step_run *r, int64_t left, enum axt_seen_as as[])
{
	for (int k = 0; k < r->s->prog.noperands; k++) {
		const struct axt_operand *op = &r->s->prog.operand[k];
		bool there = op->product && op->product->read_on_device;
		int64_t n = there ? 0 : stored_bytes(r, k);

		as[k] = op->scalar && !there ? AXT_AS_SCALAR
		    : n >= 0 && n <= left    ? AXT_AS_STORED
					     : AXT_AS_TILE;
		left -= as[k] == AXT_AS_STORED ? n : 0;
	}
}

/* Two buffers from which transfers are fast: one is filled while the other is sent. */
struct ferry {
	struct axt_device *d;
	struct axt_queue *q[2];
	uint8_t *buf[2];
	int turn;
};

static int
ferry_begin(struct ferry *f, struct axt_device *d, struct axt_err *e)
{
	f->d = d;
	for (int i = 0; i < 2; i++)
		if (!(f->q[i] = d->fns->queue_new(d, e)) ||
		    !(f->buf[i] = d->fns->host_alloc(d, PIECE)))
			return axt_fail(e, AXT_E_MEM, "out of memory");
	return 0;
}

static int
ferry_send(struct ferry *f, uint8_t *to, const uint8_t *from, int64_t n, struct axt_err *e)
{
	for (int64_t at = 0; at < n; at += PIECE) {
		int i = f->turn++ % 2;
		int64_t m = MIN(PIECE, n - at);

		if (f->d->fns->wait(f->q[i], e))
			return -1;
		memcpy(f->buf[i], from + at, (size_t)m);
		if (f->d->fns->upload(f->q[i], to + at, f->buf[i], m, e))
			return -1;
	}
	return 0;
}

/* Waits until everything has arrived, and frees the buffers. Returns rc, an earlier error. */
static int
ferry_end(struct ferry *f, int rc, struct axt_err *e)
{
	for (int i = 0; i < 2 && f->d; i++) {
		if (f->q[i] && f->d->fns->wait(f->q[i], e))
			rc = -1;
		f->d->fns->queue_free(f->d, f->q[i]);
		if (f->buf[i])
			f->d->fns->host_free(f->d, f->buf[i]);
	}
	return rc;
}

static int
upload_stored(struct axt_step_run *r, struct axt_step_device *x)
{
	struct ferry f = { 0 };
	int rc = 0;

	for (int k = 0; k < r->s->prog.noperands && rc == 0; k++) {
		const struct axt_operand *op = &r->s->prog.operand[k];
		int64_t used, n;

		if (x->p->as[k] != AXT_AS_STORED || op->product)
			continue;
		n = operand_span(op, &r->s->sp, &x->first[k], &used) * op->size;
		x->stored[k] = x->d->fns->alloc(x->d, n);
		r->g->device_full = !x->stored[k];
		if (!x->stored[k])
			rc = axt_fail(&r->g->err, AXT_E_MEM,
			    "device %s: out of memory for %lld bytes", x->d->name, (long long)n);
		else if (!f.d)
			rc = ferry_begin(&f, x->d, &r->g->err);
		rc = rc ||
			ferry_send(&f, x->stored[k], r->src[k].mem + x->first[k] * op->size, n,
			    &r->g->err)
		    ? -1
		    : 0;
	}
	return ferry_end(&f, rc, &r->g->err);
}

static int
begin(struct axt_step_run *r)
{
	enum axt_seen_as as[AXT_MAX_OPERANDS];
	struct axt_step_device *x;

	x = r->dev = calloc(1, sizeof(*x));
	if (!x)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	x->d = axt_device_open(r->g->device, &r->g->err);
	if (!x->d)
		return -1;
	choose_operands(r, axt_device_memory(x->d) / 3, as);
	x->p = axt_program_new(r->g, r->s, as);
	if (!x->p)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	axt_dump_source(x->p->text);
	x->k = axt_device_build(x->d, x->p->text, &r->g->err);
	x->words = calloc((size_t)x->p->nargs, sizeof(*x->words));
	if (!x->k || !x->words)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	axt_program_words(x->p, x->words);
	return upload_stored(r, x);
}

static void
end(struct axt_step_run *r)
{
	struct axt_step_device *x = r->dev;

	for (int k = 0; x && x->d && k < r->s->prog.noperands; k++)
		x->d->fns->free(x->d, x->stored[k]);
	if (x)
		free(x->words);
	free(x);
	r->dev = NULL;
}

static bool
holds(const struct axt_worker *w, int k)
{
	return !w->dev->off && w->r->dev->p->as[k] == AXT_AS_STORED;
}

/* ---- workers ---- */

/* The most elements of the results that a tile has, or adds to. */
static int64_t
tile_results(const struct axt_step *s)
{
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	return axt_product(s->ext, a, b);
}

static int
worker(struct axt_worker *w)
{
	const struct axt_step *s = w->r->s;
	struct axt_step_device *x = w->r->dev;
	const struct axt_device_fns *f = x->d->fns;
	struct axt_worker_device *y = w->dev = calloc(1, sizeof(*y));
	/* the n results of a tile have at most n + LANES partial states, see splits_of */
	int64_t results = tile_results(s), more = axt_step_fns(s)->states ? LANES : 0;
	bool ok = y != NULL;

	if (!ok || !(y->q = f->queue_new(x->d, &w->err)))
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->prog.noperands; k++)
		if (x->p->as[k] == AXT_AS_TILE)
			ok = ok && (y->in[k] = f->alloc(x->d, w->most * s->prog.operand[k].size));
	for (int k = 0; k < s->nouts; k++) {
		int64_t size = s->out[k].fns ? 8 * s->out[k].fns->planes * s->red.parts
					     : axt_size(s->out[k].dtype);

		ok = ok && (y->out[k] = f->alloc(x->d, (results + more) * size)) &&
		    (y->got[k] = f->host_alloc(x->d, results * size)) &&
		    (!s->out[k].fns || (y->acc[k] = f->alloc(x->d, results * size)));
	}
	y->words = malloc((size_t)x->p->nargs * sizeof(*y->words));
	ok = ok && y->words && (y->refused = f->alloc(x->d, sizeof(*y->refused))) &&
	    (y->bad = f->host_alloc(x->d, sizeof(*y->bad)));
	if (!ok) {
		w->r->g->device_full = true;
		axt_fail(&w->err, AXT_E_MEM, "device %s: out of memory for tiles of %lld elements",
		    x->d->name, (long long)w->most);
		axt_hint(&w->err, "--device cpu needs none of it");
		return -1;
	}
	memcpy(y->words, x->words, (size_t)x->p->nargs * sizeof(*y->words));
	return 0;
}

static void
release(struct axt_worker *w)
{
	struct axt_worker_device *y = w->dev;
	struct axt_device *d = y ? w->r->dev->d : NULL;

	if (!y)
		return;
	d->fns->queue_free(d, y->q);
	for (int k = 0; k < w->r->s->prog.noperands; k++)
		d->fns->free(d, y->in[k]);
	for (int k = 0; k < w->r->s->nouts; k++) {
		d->fns->free(d, y->out[k]);
		d->fns->free(d, y->acc[k]);
		d->fns->host_free(d, y->got[k]);
	}
	d->fns->free(d, y->refused);
	d->fns->host_free(d, y->bad);
	free(y->words);
	free(y);
	w->dev = NULL;
}

static void *
tile_new(const struct axt_step_run *r, int64_t bytes)
{
	return r->dev->d->fns->host_alloc(r->dev->d, bytes);
}

static void
tile_free(const struct axt_step_run *r, void *p)
{
	r->dev->d->fns->host_free(r->dev->d, p);
}

/* ---- tiles ---- */

/* Where element 0 of a stored operand is, or would be if the device had more than a slab. */
static const uint8_t *
stored(const struct axt_step_run *r, int k)
{
	const struct axt_source *src = &r->src[k];

	if (!src->op->product)
		return r->dev->stored[k] - r->dev->first[k] * src->op->size;
	return axt_product_there(src->own);
}

/* Sends the operands of the tile, and the words that describe it to the kernels. */
static int
send(struct axt_worker *w, const struct axt_tile *t)
{
	const struct axt_step *s = w->r->s;
	const struct axt_step_device *x = w->r->dev;
	struct axt_worker_device *y = w->dev;
	const struct axt_device_fns *f = x->d->fns;

	if (axt_worker_load(w, t, 0))
		return -1;
	for (int d = 0; d <= s->sp.lin && x->p->stored; d++)
		y->words[x->p->tile + d] = t->n[d];
	y->words[AXT_ARG_LO] = t->lo[s->sp.lin];
	y->words[AXT_ARG_BAD] = (intptr_t)y->refused;
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];
		int64_t at = op->v.offset;

		switch (x->p->as[k]) {
		case AXT_AS_SCALAR:
			memcpy(y->words + x->p->in[k], w->data[k], (size_t)op->size);
			break;
		case AXT_AS_STORED:
			for (int d = 0; d < s->sp.lin; d++)
				at += t->lo[d] * op->v.stride[d];
			y->words[x->p->in[k]] = (intptr_t)stored(w->r, k) + at * op->size;
			break;
		default:
			y->words[x->p->in[k]] = (intptr_t)y->in[k];
			/* tiles are in pinned memory, from which transfers are fast */
			if (w->data[k] != w->tile[k])
				memcpy(w->tile[k], w->data[k], (size_t)(t->count * op->size));
			if (f->upload(y->q, y->in[k], w->tile[k], t->count * op->size, &w->err))
				return -1;
		}
	}
	*y->bad = 0;
	return f->upload(y->q, y->refused, y->bad, sizeof(*y->bad), &w->err);
}

/* Waits for the kernels. Returns 1 if an element was refused, which the CPU then reports. */
static int
settle(struct axt_worker *w)
{
	const struct axt_step_device *x = w->r->dev;
	struct axt_worker_device *y = w->dev;

	if (x->d->fns->download(y->q, y->bad, y->refused, sizeof(*y->bad), 1, 0, &w->err) ||
	    x->d->fns->wait(y->q, &w->err))
		return -1;
	y->off = *y->bad != 0;
	return y->off;
}

/* Runs the kernels of a map. Returns 1 if an element was refused, -1 after an error. */
static int
map_there(struct axt_worker *w, const struct axt_tile *t)
{
	const struct axt_step *s = w->r->s;
	const struct axt_step_device *x = w->r->dev;
	struct axt_worker_device *y = w->dev;
	const struct axt_device_fns *f = x->d->fns;

	if (send(w, t))
		return -1;
	y->words[AXT_ARG_N] = t->count;
	for (int k = 0; k < s->nouts; k++)
		y->words[x->p->out[k]] = (intptr_t)y->out[k];
	if (f->launch(y->q, x->k, "axt_map", axt_program_blocks(x->p, t), y->words, &w->err))
		return -1;
	for (int k = 0; k < s->nouts; k++)
		if (f->download(y->q, y->got[k], y->out[k], t->count * axt_size(s->out[k].dtype), 1,
			0, &w->err))
			return -1;
	return settle(w);
}

static int
map(struct axt_worker *w, struct axt_tile *t, int64_t seq)
{
	int rc = map_there(w, t);

	if (rc > 0)
		return axt_map_tile(w, t, seq);
	for (int k = 0; k < w->r->s->nouts && rc == 0; k++)
		rc = axt_emit(w, k, t, w->dev->got[k], seq);
	return rc;
}

/* The number of partial states for each of n results, so that the device is busy. */
static int64_t
splits_of(int64_t n, int64_t threads, int64_t rows, int64_t least)
{
	int64_t splits = MIN(AXT_MAX_SPLITS, 1 + LANES / MAX(1, n * threads));

	return MAX(1, MIN(splits, rows / least));
}

static int64_t
power_up(int64_t n)
{
	int64_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* Reduces the first tile of n states on the device, or one more. Returns as map_there. */
static int
reduce_there(struct axt_worker *w, const struct axt_tile *t, int64_t n, int64_t index, bool first)
{
	const struct axt_step *s = w->r->s;
	const struct axt_step_device *x = w->r->dev;
	struct axt_worker_device *y = w->dev;
	const struct axt_device_fns *f = x->d->fns;
	int64_t *a = y->words, rows = t->count / n, width, splits, part, blocks;

	if (send(w, t))
		return -1;
	if (axt_step_fns(s)->columns) {
		width = MIN(AXT_BLOCK_THREADS, power_up(n));
		splits = splits_of(n, 1, rows, 16);
	} else {
		width = MAX(1, MIN(AXT_BLOCK_THREADS, power_up(rows / 8 + 1)));
		splits = splits_of(n, width, rows, 8 * width);
	}
	part = (rows + splits - 1) / splits;
	splits = (rows + part - 1) / part;
	if (axt_step_fns(s)->columns)
		blocks = (n + width - 1) / width *
		    ((splits + AXT_BLOCK_THREADS / width - 1) / (AXT_BLOCK_THREADS / width));
	else
		blocks = (n + AXT_BLOCK_THREADS / width - 1) / (AXT_BLOCK_THREADS / width) * splits;
	a[AXT_ARG_N] = n;
	a[AXT_ARG_ROWS] = rows;
	a[AXT_ARG_SPLITS] = splits;
	a[AXT_ARG_PART] = part;
	a[AXT_ARG_WIDTH] = width;
	a[AXT_ARG_FIRST] = first;
	a[AXT_ARG_INDEX] = index;
	a[AXT_ARG_RUN] = t->n[s->sp.lin];
	for (int k = 0; k < s->nouts; k++) {
		a[x->p->out[k]] = (intptr_t)y->out[k];
		a[x->p->acc[k]] = (intptr_t)y->acc[k];
	}
	if (f->launch(y->q, x->k, "axt_reduce", blocks, a, &w->err))
		return -1;
	width = MIN(MIN(AXT_BLOCK_THREADS, power_up(splits)), power_up(1 + LANES / 4 / n));
	a[AXT_ARG_WIDTH] = width;
	blocks = (n * width + AXT_BLOCK_THREADS - 1) / AXT_BLOCK_THREADS;
	if (f->launch(y->q, x->k, "axt_merge", blocks, a, &w->err))
		return -1;
	return settle(w);
}

/* Downloads n states of each output, and of each part of it, to acc. */
static int
states(struct axt_worker *w, int64_t n, struct axt_acc acc[])
{
	const struct axt_step *s = w->r->s;
	const struct axt_step_device *x = w->r->dev;
	struct axt_worker_device *y = w->dev;

	for (int k = 0; k < s->nouts; k++) {
		int planes = s->out[k].fns->planes;

		if (x->d->fns->download(y->q, y->got[k], y->acc[k], n * 8 * planes * s->red.parts,
			1, 0, &w->err))
			return -1;
		for (int q = 0; q < planes * s->red.parts; q++)
			acc[k * s->red.parts + q / planes].p[q % planes] = (uint8_t *)y->got[k] +
			    q * n * 8;
	}
	return x->d->fns->wait(y->q, &w->err);
}

static int
reduce(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t, int64_t n,
    int64_t index, bool first, axt_tile_fn *fn)
{
	int rc = reduce_there(w, t, n, index, first);

	return rc > 0 ? fn(w, acc, k, t, n, index) : rc;
}

static int
merge(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t n)
{
	const struct axt_step *s = w->r->s;
	struct axt_acc got[AXT_MAX_OUTS * 2];

	if (w->r->inner.count == 0) /* the slab completes no block */
		return 0;
	if (states(w, n, got))
		return -1;
	for (int j = 0; j < s->nouts; j++)
		for (int64_t i = 0; i < n * s->red.parts; i++)
			s->out[j].fns->merge(&acc[j], k * s->red.parts + i,
			    &got[j * s->red.parts + i % s->red.parts], i / s->red.parts, 1);
	return 0;
}

static int
partial(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot, int64_t *n)
{
	const struct axt_step *s = w->r->s;
	struct axt_acc got[AXT_MAX_OUTS];
	int rc = reduce_there(w, t, 1, index, true);

	if (rc > 0)
		return axt_partial_tile(w, t, index, slot, n);
	*n = 1;
	if (rc || states(w, 1, got))
		return -1;
	for (int j = 0; j < s->nouts; j++)
		for (int q = 0; q < s->out[j].fns->planes; q++)
			((int64_t *)w->r->partial[j].p[q])[slot] = *(int64_t *)got[j].p[q];
	return 0;
}

const struct axt_engine_fns axt_engine_device = {
	.begin = begin,
	.end = end,
	.worker = worker,
	.release = release,
	.tile_new = tile_new,
	.tile_free = tile_free,
	.holds = holds,
	.map = map,
	.reduce = reduce,
	.merge = merge,
	.partial = partial,
};
