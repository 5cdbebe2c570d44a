/*
 * chunkflow.c - a chunk decoded as it flows by: some kilobytes of it are held at a time, whatever its
 * size, and of its elements those of a box are kept. No libhdf5: any thread.
 */
#include <stdlib.h>

#include <isa-l/igzip_lib.h>

#include "bytes/chunk.h"

#define PIECE (64 << 10)

struct axt_flow_room {
	uint8_t stored[PIECE], plain[PIECE];
	struct inflate_state z;
};

struct axt_flow_room *
axt_flow_room(void)
{
	return malloc(sizeof(struct axt_flow_room));
}

size_t
axt_flow_bytes(void)
{
	return sizeof(struct axt_flow_room);
}

bool
axt_flow_of(const struct axt_storage *s, uint32_t mask, struct axt_flow *f)
{
	*f = (struct axt_flow){ 0 };
	for (int k = s->nfilters - 1; k >= 0; k--) {
		if (mask >> k & 1)
			continue;
		switch (s->filter[k]) {
		case AXT_FILTER_FLETCHER32:
			if (f->shuffled || f->sum_plain || (f->sum_stored && !f->inflate))
				return false;
			*(f->inflate ? &f->sum_plain : &f->sum_stored) = true;
			break;
		case AXT_FILTER_DEFLATE:
			if (f->shuffled || f->inflate)
				return false;
			f->inflate = true;
			break;
		case AXT_FILTER_SHUFFLE:
			if (f->shuffled)
				return false;
			f->shuffled = true;
			break;
		}
	}
	return true;
}

/* Where the plain bytes of a chunk go, in their order: those of the box to their places. */
struct taker {
	const struct axt_storage *s;
	const struct axt_chunk_box *b;
	bool shuffled;			/* byte k of all elements, then byte k + 1 */
	int rows;			/* dimensions of rows; of those before, the row at hand: */
	int64_t i[AXT_MAX_RANK], run;	/* elements of a row */
	size_t first;			/* element of the chunk it begins with */
	uint8_t *to;
	bool over;			/* no row is left */
	size_t plane, at;		/* byte of the elements; bytes taken of its plane, or of all */
	size_t got;
};

static void
row_at(struct taker *t)
{
	int64_t first = 0;

	t->to = t->b->out;
	for (int d = 0; d < t->s->rank; d++) {
		int64_t i = d < t->rows ? t->i[d] : 0;

		first = first * t->s->chunk[d] + t->b->lo[d] + i;
		t->to += i * t->b->stride[d];
	}
	t->first = (size_t)first;
}

static void
begin(struct taker *t)
{
	t->rows = axt_box_rows(t->s, t->b, &t->run);
	row_at(t);
}

/* Bytes [lo, hi) of the row at hand, which is one plane of it where they are shuffled. */
static void
keep(const struct taker *t, size_t lo, size_t hi, const uint8_t *p)
{
	size_t size = (size_t)t->s->esize;

	if (!t->shuffled) {
		memcpy(t->to + lo, p, hi - lo);
		return;
	}
	for (size_t k = lo; k < hi; k++)
		t->to[k * size + t->plane] = *p++;
}

/* n bytes of the plane at hand. */
static void
take_plane(struct taker *t, const uint8_t *p, size_t n)
{
	size_t unit = t->shuffled ? 1 : (size_t)t->s->esize, end = t->at + n;

	while (!t->over) {
		size_t a = t->first * unit, z = a + (size_t)t->run * unit, lo = MAX(a, t->at),
		    hi = MIN(z, end);

		if (a >= end)
			break;
		keep(t, lo - a, hi - a, p + (lo - t->at));
		if (z > end)
			break;
		t->over = !axt_box_step(t->b, t->rows, t->i);
		row_at(t);
	}
	t->at = end;
}

static void
take(struct taker *t, const uint8_t *p, size_t n)
{
	size_t bytes = (size_t)t->s->chunk_count * (t->shuffled ? 1 : (size_t)t->s->esize);

	t->got += n;
	while (n > 0) {
		size_t k = MIN(n, bytes - t->at);

		take_plane(t, p, k);
		p += k;
		n -= k;
		if (t->at == bytes && t->shuffled) {
			t->plane++;
			t->at = 0;
			t->over = false;	/* all indices are 0 again */
		}
	}
}

/* A chunk on its way: stored bytes in pieces, plain ones to the taker, sums of both. */
struct way {
	const struct axt_storage *s;
	struct axt_flow_room *r;
	const struct axt_flow *f;
	struct taker t;
	struct axt_fletcher stored, plain;
	uint8_t tail[4];		/* the sum behind the plain bytes */
	size_t all, got;		/* plain bytes, without the sum; what came, with it */
};

/* n more plain bytes; what is wrong, or NULL. */
static const char *
give(struct way *w, const uint8_t *p, size_t n)
{
	size_t k = MIN(n, w->all - MIN(w->all, w->got)), more = w->f->sum_plain ? 4 : 0;

	if (n > w->all + more - w->got)
		return "wrong size";
	if (w->f->sum_plain)
		axt_fletcher_add(&w->plain, p, k);
	take(&w->t, p, k);
	w->got += k;
	for (p += k; k < n; k++)
		w->tail[w->got++ - w->all] = *p++;
	return NULL;
}

/* A piece of the stored bytes. */
static const char *
unpack(struct way *w, const uint8_t *p, size_t n)
{
	struct inflate_state *z = &w->r->z;
	const char *why = NULL;

	if (!w->f->inflate)
		return give(w, p, n);
	z->next_in = (uint8_t *)(uintptr_t)p;
	z->avail_in = (uint32_t)n;
	while (!why && z->block_state != ISAL_BLOCK_FINISH) {
		int rc;

		z->next_out = w->r->plain;
		z->avail_out = PIECE;
		rc = isal_inflate(z);
		if (rc != ISAL_DECOMP_OK && rc != ISAL_END_INPUT)
			return "does not inflate";
		if (z->avail_out == PIECE && z->block_state != ISAL_BLOCK_FINISH)
			break;	/* it wants more */
		why = give(w, w->r->plain, PIECE - z->avail_out);
	}
	return why;
}

static const char *
ends_well(struct way *w)
{
	if (w->f->inflate && w->r->z.block_state != ISAL_BLOCK_FINISH)
		return "does not inflate";
	if (w->got != w->all + (w->f->sum_plain ? 4 : 0))
		return "wrong size";
	return w->f->sum_plain && !axt_fletcher_ok(&w->plain, w->tail) ? "checksum differs" : NULL;
}

/* Bytes [at, at + n) as they are stored. NULL: error. */
static const uint8_t *
piece(const struct way *w, uint64_t at, size_t n, struct axt_err *e)
{
	if (w->s->mem)
		return (const uint8_t *)w->s->mem + at;
	return axt_pread(w->s, at, n, w->r->stored, e) ? NULL : w->r->stored;
}

/* The byte after the box's last element. */
static size_t
last_byte(const struct axt_storage *s, const struct axt_chunk_box *b)
{
	int64_t last = 0;

	for (int d = 0; d < s->rank; d++)
		last = last * s->chunk[d] + b->lo[d] + b->n[d] - 1;
	return (size_t)(last + 1) * (size_t)s->esize;
}

int
axt_flow_read(const struct axt_storage *s, struct axt_flow_room *r, int64_t c,
    const struct axt_flow *f, const struct axt_chunk_box *b, struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];
	size_t sum = f->sum_stored ? 4 : 0, at = 0, n, end = l->size - MIN(sum, l->size);
	struct way w = { .s = s, .r = r, .f = f,
		.t = { .s = s, .b = b, .shuffled = f->shuffled && s->esize > 1 },
		.all = (size_t)s->chunk_count * (size_t)s->esize };
	const char *why = l->size < sum ? "checksum differs" : NULL;
	const uint8_t *p;

	begin(&w.t);
	if (f->inflate) {
		isal_inflate_init(&r->z);
		r->z.crc_flag = ISAL_ZLIB;
		if (end < axt_deflate_least(w.all))
			why = "too small for what it is to unpack to";
	} else if (end != w.all) {
		why = "wrong size";
	} else if (!f->sum_stored && !f->shuffled) {	/* nothing has to be looked at beside the box */
		w.got = w.t.at = at = w.t.first * (size_t)s->esize;
		w.all = end = last_byte(s, b);
	}
	for (; !why && at < end; at += n) {
		n = MIN(end - at, (size_t)PIECE);
		p = piece(&w, l->addr + at, n, e);
		if (!p)
			return e->code;
		if (f->sum_stored)
			axt_fletcher_add(&w.stored, p, n);
		why = unpack(&w, p, n);
	}
	if (!why && f->sum_stored && !(p = piece(&w, l->addr + end, 4, e)))
		return e->code;
	if (!why && f->sum_stored && !axt_fletcher_ok(&w.stored, p))
		why = "checksum differs";
	why = why ? why : ends_well(&w);
	return why ? axt_bad_chunk(s, c, why, e) : AXT_OK;
}
