/*
 * chunk.c - reads one chunk of a storage: its bytes, its filters undone (lib/filters), native byte
 * order. Called from worker threads.
 */
#include <stdlib.h>

#include "bytes/chunk.h"

struct axt_decoder {
	struct axt_filter_work work;
	struct axt_filter_buffer stored, part[2];
	struct axt_filter_buffer plain; /* a chunk of which only a box is wanted */
	struct axt_filter_buffer records;
	struct axt_flow_scratch *flow;
	/* where a chunk goes as it is stored; NULL: nowhere */
	uint8_t *as_is;
	size_t room, nas_is; /* bytes that fit there, and that went there */
};

struct axt_decoder *
axt_decoder_new(void)
{
	return calloc(1, sizeof(struct axt_decoder));
}

void
axt_decoder_free(struct axt_decoder *z)
{
	if (!z)
		return;
	axt_filter_work_close(&z->work);
	free(z->stored.p);
	free(z->part[0].p);
	free(z->part[1].p);
	free(z->plain.p);
	free(z->records.p);
	axt_flow_scratch_free(z->flow);
	free(z);
}

uint8_t *
axt_decoder_buffer(struct axt_decoder *z, size_t n)
{
	return axt_filter_buffer_grow(&z->plain, n);
}

static size_t
plain_bytes(const struct axt_storage *s)
{
	return (size_t)s->chunk_count * (size_t)s->esize;
}

int
axt_bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e)
{
	char name[256];

	if (!s->apart)
		return axt_fail(e, AXT_E_DAMAGED, "%s: chunk %lld: %s", s->from, (long long)c, why);
	s->apart->name(s, c, name, sizeof(name));
	return axt_fail(e, AXT_E_DAMAGED, "%s: %s: %s", s->from, name, why);
}

int
axt_bad_filter(const struct axt_storage *s, const struct axt_filter_work *w, const char *why,
    struct axt_err *e)
{
	if (why == axt_filter_no_memory)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	return axt_fail(e, AXT_E_DTYPE, "%s: filter %s: %s", s->from, w->absent->name, why);
}

/* ---- a chunk as a whole ---- */

/* Takes the elements of a chunk out of its records: one array of them out of each. */
static void
take_member(const struct axt_storage *s, const uint8_t *records, uint8_t *out)
{
	size_t n = axt_chunk_bytes(s) / s->record, bytes = plain_bytes(s) / n;

	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = records + i * s->record + s->within;

		if (s->number)
			axt_number_load(s->number, p, bytes / (size_t)s->esize, out + i * bytes);
		else
			memcpy(out + i * bytes, p, bytes);
	}
}

/* The stored bytes of a chunk. NULL: error. */
static const uint8_t *
stored(const struct axt_storage *s, struct axt_decoder *z, const struct axt_chunk_loc *l,
    struct axt_err *e)
{
	if (s->mem)
		return (const uint8_t *)s->mem + l->addr;
	if (!axt_filter_buffer_grow(&z->stored, l->size)) {
		axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		return NULL;
	}
	return axt_pread(s, l->addr, l->size, z->stored.p, e) ? NULL : z->stored.p;
}

/* Unpacks the stored bytes io->in of chunk c to io->out. Some filters change them. */
static int
unpack(const struct axt_storage *s, struct axt_decoder *z, int64_t c, uint32_t mask,
    struct axt_filter_io *in, struct axt_err *e)
{
	struct axt_filter_io io = *in;
	uint8_t *out = io.out;
	const char *why;

	if (z->as_is && mask == 0 && io.n <= z->room) {
		memcpy(z->as_is, io.in, io.n);
		z->nas_is = io.n;
	}
	why = axt_filters_unpack(&s->filters, mask, &z->work, z->part, &io);
	if (why == axt_filter_no_memory || (why && z->work.absent))
		return axt_bad_filter(s, &z->work, why, e);
	if (why)
		return axt_bad_chunk(s, c, why, e);
	if (io.in != out)
		memcpy(out, io.in, io.n);
	return AXT_OK;
}

/* The plain bytes of a chunk that is stored, in stored byte order. */
static int
unpacked(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];
	struct axt_filter_io io = { .n = l->size, .out = out, .cap = axt_chunk_bytes(s) };
	bool filtered = axt_filters_any(&s->filters, l->mask);

	if (!filtered && (s->short_edges ? l->size > io.cap : l->size != io.cap))
		return axt_bad_chunk(s, c, "wrong size", e);
	if (!filtered) {
		memset((uint8_t *)out + l->size, 0, io.cap - l->size);
		if (!s->mem)
			return axt_pread(s, l->addr, l->size, out, e);
		memcpy(out, (const uint8_t *)s->mem + l->addr, l->size);
		return AXT_OK;
	}
	io.in = stored(s, z, l, e);
	return io.in ? unpack(s, z, c, l->mask, &io, e) : (int)e->code;
}

/* ---- a chunk that lies apart ---- */

struct room {
	struct axt_decoder *z;
	uint8_t
	    *out; /* where bytes go that are as many as `cap`; NULL: into the decoder's memory */
	size_t cap;
	const uint8_t *p; /* where they went */
};

static uint8_t *
room_for(void *ctx, size_t n)
{
	struct room *r = ctx;
	uint8_t *p = r->out && n == r->cap ? r->out : axt_filter_buffer_grow(&r->z->stored, n + 1);

	r->p = p;
	return p;
}

/* The most bytes that a chunk which lies apart may be stored in. */
static size_t
most_apart(const struct axt_storage *s)
{
	bool exact;

	return axt_filters_most(&s->filters, s->filters.n, 0, axt_chunk_bytes(s), &exact);
}

const uint8_t *
axt_chunk_apart(const struct axt_storage *s, struct axt_decoder *z, int64_t c, size_t *n,
    struct axt_err *e)
{
	struct room r = { .z = z };

	return s->apart->bring(s, c, most_apart(s), room_for, &r, n, e) ? NULL : r.p;
}

/* The same as `unpacked`. *none: it was never written. */
static int
unpacked_apart(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out, bool *none,
    struct axt_err *e)
{
	struct axt_filter_io io = { .out = out, .cap = axt_chunk_bytes(s) };
	struct room r = { .z = z, .out = s->filters.n ? NULL : out, .cap = io.cap };

	if (s->apart->bring(s, c, most_apart(s), room_for, &r, &io.n, e))
		return e->code;
	*none = io.n == SIZE_MAX;
	if (*none || r.p == out)
		return AXT_OK;
	io.in = r.p;
	return unpack(s, z, c, 0, &io, e);
}

static int
read_apart(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e)
{
	bool none = false;

	if (unpacked_apart(s, z, c, out, &none, e))
		return e->code;
	if (none)
		axt_fill(s, out, s->chunk_count);
	else
		axt_swap(s, out, s->chunk_count);
	return AXT_OK;
}

/* How many indices of the first dimension are stored from where chunk c begins. */
static int64_t
stored_in(const struct axt_storage *s, int64_t c)
{
	return MAX(s->stored - c / (s->nchunks / s->grid[0]) * s->chunk[0], 0);
}

int
axt_chunk_read(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e)
{
	void *p = out;

	if (s->apart)
		return read_apart(s, z, c, out, e);
	if (s->chunks[c].addr == UINT64_MAX) {
		axt_fill(s, out, s->chunk_count);
		return AXT_OK;
	}
	if (s->record && !(p = axt_filter_buffer_grow(&z->records, axt_chunk_bytes(s))))
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (unpacked(s, z, c, p, e))
		return e->code;
	if (s->record)
		take_member(s, p, out);
	axt_swap(s, out, s->chunk_count);
	if (s->cut) {
		int64_t n = MIN(stored_in(s, c), s->chunk[0]), row = s->chunk_count / s->chunk[0];

		axt_fill(s, (uint8_t *)out + (size_t)(n * row) * (size_t)s->esize,
		    (s->chunk[0] - n) * row);
	}
	return AXT_OK;
}

int
axt_chunk_read_both(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    uint8_t *as_is, size_t *n, struct axt_err *e)
{
	z->as_is = as_is;
	z->room = *n;
	z->nas_is = 0;
	axt_chunk_read(s, z, c, out, e);
	z->as_is = NULL;
	*n = z->nas_is;
	return e->code;
}

int
axt_chunk_read_packed(const struct axt_storage *s, struct axt_decoder *z, int64_t c, uint8_t *as_is,
    size_t *n, struct axt_err *e)
{
	size_t room = *n, all;
	const uint8_t *p;

	*n = 0;
	if (s->apart) {
		p = axt_chunk_apart(s, z, c, &all, e);
		if (p && all <= room)
			memcpy(as_is, p, *n = all);
		return e->code;
	}
	if (s->chunks[c].addr == UINT64_MAX || s->chunks[c].mask || s->chunks[c].size > room)
		return 0;
	*n = s->chunks[c].size;
	if (!s->mem)
		return axt_pread(s, s->chunks[c].addr, *n, as_is, e);
	memcpy(as_is, (const uint8_t *)s->mem + s->chunks[c].addr, *n);
	return 0;
}

/* ---- a box of a chunk ---- */

static bool
is_whole(const struct axt_storage *s, const struct axt_chunk_box *b)
{
	int64_t run;

	return axt_box_rows(s, b, &run) == 0 && run == s->chunk_count;
}

static int
box_apart(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e)
{
	bool none = false;
	uint8_t *p;

	if (is_whole(s, b))
		return read_apart(s, z, c, b->out, e);
	p = axt_decoder_buffer(z, plain_bytes(s));
	if (!p)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (unpacked_apart(s, z, c, p, &none, e))
		return e->code;
	if (!none)
		axt_swap(s, p, s->chunk_count);
	axt_box_copy_rows(s, b, none ? NULL : p);
	return AXT_OK;
}

size_t
axt_decoder_bytes(const struct axt_storage *s, bool pieces)
{
	size_t plain = plain_bytes(s), all;
	bool some;

	if (s->layout == AXT_LAYOUT_RECORDS)
		return MAX(plain, (size_t)s->chunk[0] * (size_t)s->record);
	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		return plain;
	if (s->apart)
		return pieces ? 0 : plain + most_apart(s) + axt_filters_scratch(&s->filters, plain);
	if (pieces && !s->record)
		return axt_filters_flow(&s->filters, 0, &some) ? axt_flow_bytes(s) : 0;
	if (s->filters.n == 0 && !s->record)
		return 0;
	/* the plain chunk, its records, and the chunk as stored */
	all = axt_chunk_bytes(s);
	return plain + (s->record ? all : 0) +
	    MIN(s->largest, axt_filters_most(&s->filters, s->filters.n, 0, all, &some)) +
	    axt_filters_scratch(&s->filters, all);
}

/* The box of a chunk whose elements are all stored, or not stored at all. */
static int
box(const struct axt_storage *s, struct axt_decoder *z, int64_t c, const struct axt_chunk_box *b,
    bool pieces, struct axt_err *e)
{
	const struct axt_chunk_loc *l;
	uint8_t *p;
	bool flows, filtered, planes;

	if (s->layout == AXT_LAYOUT_CONTIGUOUS || s->layout == AXT_LAYOUT_RECORDS)
		return axt_cut_box(s, z, c, b, e);
	if (s->apart)
		return box_apart(s, z, c, b, e);
	l = &s->chunks[c];
	flows = !s->record && axt_filters_flow(&s->filters, l->mask, &planes);
	filtered = axt_filters_any(&s->filters, l->mask);
	if (l->addr == UINT64_MAX) {
		axt_box_copy_rows(s, b, NULL);
		return AXT_OK;
	}
	if (is_whole(s, b) && !(pieces && flows && filtered))
		return axt_chunk_read(s, z, c, b->out, e);
	if (flows && (pieces || !filtered)) {
		z->flow = z->flow ? z->flow : axt_flow_scratch_new();
		if (!z->flow)
			return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		if (axt_flow_read(s, z->flow, c, b, e))
			return e->code;
		axt_box_swap_rows(s, b);
		return AXT_OK;
	}
	p = axt_decoder_buffer(z, plain_bytes(s));
	if (!p)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (axt_chunk_read(s, z, c, p, e))
		return e->code;
	axt_box_copy_rows(s, b, p);
	return AXT_OK;
}

int
axt_chunk_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, bool pieces, struct axt_err *e)
{
	struct axt_chunk_box in = *b, behind = *b;

	if (!s->cut)
		return box(s, z, c, b, pieces, e);
	in.n[0] = MIN(MAX(stored_in(s, c) - b->lo[0], 0), b->n[0]);
	behind.n[0] -= in.n[0];
	behind.lo[0] += in.n[0];
	behind.out += in.n[0] * b->stride[0];
	if (in.n[0] > 0 && box(s, z, c, &in, pieces, e))
		return e->code;
	if (behind.n[0] > 0)
		axt_box_copy_rows(s, &behind, NULL);
	return AXT_OK;
}
