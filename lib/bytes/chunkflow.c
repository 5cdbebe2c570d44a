/*
 * chunkflow.c - a chunk decoded piece by piece: some kilobytes of it are in memory at a time,
 * whatever its size, and only the elements of a box are kept. Any thread may call these functions.
 */
#include <stdlib.h>

#include "bytes/chunk.h"

#define PIECE (64 << 10)

struct axt_flow_scratch {
	uint8_t stored[PIECE];
	struct axt_filter_work work;
};

struct axt_flow_scratch *
axt_flow_scratch_new(void)
{
	struct axt_flow_scratch *r = malloc(sizeof(*r));

	if (r)
		r->work = (struct axt_filter_work){ 0 };
	return r;
}

void
axt_flow_scratch_free(struct axt_flow_scratch *r)
{
	if (r)
		axt_filter_work_close(&r->work);
	free(r);
}

size_t
axt_flow_bytes(const struct axt_storage *s)
{
	return sizeof(struct axt_flow_scratch) + axt_filters_flow_bytes(&s->filters);
}

/*
 * Receives the plain bytes of a chunk in their order, and copies those of the box to their places
 * in the result.
 */
struct taker {
	const struct axt_storage *s;
	const struct axt_chunk_box *b;
	/* shuffled: byte k of all elements comes before byte k + 1 of any */
	bool planes;
	/*
	 * rows: how many dimensions come before those of a row; i: the index of the present row in
	 * them
	 */
	int rows;
	int64_t i[AXT_MAX_RANK], run; /* elements of a row */
	/* the element of the chunk that the present row begins with */
	size_t first;
	uint8_t *to;
	bool over; /* no row is left */
	/*
	 * of planes: which byte of the elements is arriving, and how many bytes of its plane have
	 * come; got: how many bytes of the chunk have come
	 */
	size_t plane, at;
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

/* Keeps bytes [lo, hi) of the present row, or of one plane of it. */
static void
keep(const struct taker *t, size_t lo, size_t hi, const uint8_t *p)
{
	size_t size = (size_t)t->s->esize;

	if (!t->planes) {
		memcpy(t->to + lo, p, hi - lo);
		return;
	}
	for (size_t k = lo; k < hi; k++)
		t->to[k * size + t->plane] = *p++;
}

/* Receives n bytes of the present plane. */
static void
take_plane(struct taker *t, const uint8_t *p, size_t n)
{
	size_t unit = t->planes ? 1 : (size_t)t->s->esize, end = t->at + n;

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
	size_t bytes = (size_t)t->s->chunk_count * (t->planes ? 1 : (size_t)t->s->esize);

	t->got += n;
	while (n > 0) {
		size_t k = MIN(n, bytes - t->at);

		take_plane(t, p, k);
		p += k;
		n -= k;
		if (t->at == bytes && t->planes) {
			t->plane++;
			t->at = 0;
			t->over = false; /* axt_box_step ended with all indices 0 */
		}
	}
}

/* A chunk being decoded: its stored bytes are read in pieces, its plain bytes go to the taker. */
struct way {
	const struct axt_storage *s;
	struct axt_flow_scratch *r;
	struct axt_flow f;
	struct taker t;
	size_t all; /* plain bytes */
};

/* Receives n more plain bytes. Returns what is wrong, or NULL. */
static const char *
give(void *ctx, const uint8_t *p, size_t n)
{
	struct way *w = ctx;

	if (n > w->all - w->t.got)
		return "wrong size";
	take(&w->t, p, n);
	return NULL;
}

/* Reads the stored bytes [at, at + n) of the chunk. NULL: error. */
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
axt_flow_read(const struct axt_storage *s, struct axt_flow_scratch *r, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];
	size_t at = 0, n, end = l->size;
	struct way w = { .s = s,
		.r = r,
		.t = { .s = s, .b = b },
		.all = (size_t)s->chunk_count * (size_t)s->esize };
	const char *why;
	bool planes;

	axt_filters_flow(&s->filters, l->mask, &planes);
	w.t.planes = planes && s->esize > 1;
	w.f.to = (struct axt_flow_to){ .take = give, .ctx = &w };
	begin(&w.t);
	why = axt_flow_begin(&w.f, &s->filters, l->mask, &r->work, l->size, w.all);
	if (why == axt_filter_no_memory || (why && r->work.absent))
		return axt_bad_filter(s, &r->work, why, e);
	if (w.f.n == 0 && !planes) { /* no filters: only the bytes of the box have to be read */
		w.t.got = w.t.at = at = w.t.first * (size_t)s->esize;
		w.all = end = last_byte(s, b);
	}
	for (; !why && at < end; at += n) {
		const uint8_t *p;

		n = MIN(end - at, (size_t)PIECE);
		p = piece(&w, l->addr + at, n, e);
		if (!p)
			return e->code;
		why = axt_flow_put(&w.f, p, n);
	}
	why = why ? why : axt_flow_end(&w.f);
	if (!why && w.t.got != w.all)
		why = "wrong size";
	return why ? axt_bad_chunk(s, c, why, e) : AXT_OK;
}
