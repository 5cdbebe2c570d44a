/*
 * chunk.c - one chunk of a storage: read, filters undone, swapped. Plain C, no
 * libhdf5: called from worker threads.
 */
#include <stdlib.h>

#include <libdeflate.h>

#include "bytes/chunk.h"

struct room {
	uint8_t *p;
	size_t cap;
};

struct axt_decoder {
	struct libdeflate_decompressor *z;
	struct room stored, part[2], plain;	/* plain: a chunk of which a box is wanted */
	struct axt_flow_room *flow;
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
	if (z->z)
		libdeflate_free_decompressor(z->z);
	free(z->stored.p);
	free(z->part[0].p);
	free(z->part[1].p);
	free(z->plain.p);
	free(z->flow);
	free(z);
}

/* n bytes; what was there is lost. NULL: out of memory. */
static uint8_t *
room(struct room *r, size_t n)
{
	if (r->cap < n) {
		free(r->p);
		r->p = malloc(n);
		r->cap = r->p ? n : 0;
	}
	return r->p;
}

uint8_t *
axt_decoder_room(struct axt_decoder *z, size_t n)
{
	return room(&z->plain, n);
}

static size_t
plain_bytes(const struct axt_storage *s)
{
	return (size_t)s->chunk_count * (size_t)s->esize;
}

static void
fold(struct axt_fletcher *f)
{
	f->a = (f->a & 0xffff) + (f->a >> 16);
	f->b = (f->b & 0xffff) + (f->b >> 16);
}

void
axt_fletcher_add(struct axt_fletcher *f, const uint8_t *p, size_t n)
{
	size_t words;

	if (f->odd && n > 0) {
		f->a += (uint32_t)f->byte << 8 | *p++;
		f->b += f->a;
		fold(f);
		f->odd = false;
		n--;
	}
	words = n / 2;
	while (words > 0) {
		size_t k = MIN(words, (size_t)360);
		uint32_t a = f->a, b = f->b;

		words -= k;
		for (; k > 0; k--, p += 2) {
			a += (uint32_t)p[0] << 8 | p[1];
			b += a;
		}
		f->a = a;
		f->b = b;
		fold(f);
	}
	if (n % 2) {
		f->odd = true;
		f->byte = p[0];
	}
}

uint32_t
axt_fletcher_sum(struct axt_fletcher *f)
{
	static const uint8_t zero;

	if (f->odd)
		axt_fletcher_add(f, &zero, 1);
	fold(f);
	return f->b << 16 | f->a;
}

/* Writers before HDF5 1.6.3 on little-endian machines swapped the bytes of each half. */
bool
axt_fletcher_ok(struct axt_fletcher *f, const uint8_t stored[4])
{
	uint32_t have = axt_le32(stored), want = axt_fletcher_sum(f), old;

	old = (want & 0xff00ff) << 8 | (want >> 8 & 0xff00ff);
	return have == want || have == old;
}

static bool
checksum_ok(const uint8_t *p, size_t n)
{
	struct axt_fletcher f = { 0 };

	axt_fletcher_add(&f, p, n - 4);
	return axt_fletcher_ok(&f, p + n - 4);
}

typedef uint8_t v16 __attribute__((vector_size(16)));

static inline void
zip(v16 a, v16 b, v16 *lo, v16 *hi)
{
	*lo = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
	*hi = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
	    15, 31);
}

/*
 * 16 elements of `size` planes: zipping planes half the list apart, log2(size)
 * times, puts the bytes together.
 */
static inline __attribute__((always_inline)) void
unshuffle16(uint8_t *out, const uint8_t *in, size_t n, const int size)
{
	v16 a[16], b[16];

#pragma GCC unroll 16
	for (int k = 0; k < size; k++)
		memcpy(&a[k], in + (size_t)k * n, 16);
#pragma GCC unroll 4
	for (int s = size; s > 1; s /= 2) {
#pragma GCC unroll 8
		for (int k = 0; k < size / 2; k++)
			zip(a[k], a[k + size / 2], &b[2 * k], &b[2 * k + 1]);
#pragma GCC unroll 16
		for (int k = 0; k < size; k++)
			a[k] = b[k];
	}
#pragma GCC unroll 16
	for (int k = 0; k < size; k++)
		memcpy(out + 16 * k, &a[k], 16);
}

static inline __attribute__((always_inline)) void
unshuffle_size(uint8_t *out, const uint8_t *in, size_t n, const int size)
{
	size_t i = 0;

	for (; i + 16 <= n; i += 16)
		unshuffle16(out + i * (size_t)size, in + i, n, size);
	for (; i < n; i++)
		for (int k = 0; k < size; k++)
			out[i * (size_t)size + (size_t)k] = in[(size_t)k * n + i];
}

/* Blocks keep what is read in cache. */
void
axt_shuffle(const unsigned char *in, unsigned char *out, size_t bytes, int size)
{
	size_t n = bytes / (size_t)size;

	for (size_t b = 0; b < n; b += 1024) {
		size_t m = MIN(n - b, (size_t)1024);

		for (int j = 0; j < size; j++) {
			const unsigned char *p = in + b * (size_t)size + j;
			unsigned char *q = out + (size_t)j * n + b;

			for (size_t i = 0; i < m; i++)
				q[i] = p[i * (size_t)size];
		}
	}
	memcpy(out + n * (size_t)size, in + n * (size_t)size, bytes - n * (size_t)size);
}

/* bytes: all of the buffer; what is no whole element stays at the end. */
static void
unshuffle(uint8_t *out, const uint8_t *in, size_t bytes, size_t size)
{
	size_t n = bytes / size;

	switch (size) {
	case 2:
		unshuffle_size(out, in, n, 2);
		break;
	case 4:
		unshuffle_size(out, in, n, 4);
		break;
	case 8:
		unshuffle_size(out, in, n, 8);
		break;
	case 16:
		unshuffle_size(out, in, n, 16);
		break;
	default:
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < size; k++)
				out[i * size + k] = in[k * n + i];
	}
	memcpy(out + n * size, in + n * size, bytes - n * size);
}

int
axt_bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e)
{
	return axt_fail(e, AXT_E_DAMAGED, "%s: chunk %lld: %s", s->from, (long long)c, why);
}

/* ---- a chunk as a whole ---- */

static bool
filtered(const struct axt_storage *s, uint32_t mask)
{
	return s->nfilters > 0 && (~mask & ((1u << s->nfilters) - 1)) != 0;
}

/* What filters before k still have to undo. */
struct rest {
	int sums;
	bool deflate, moves;		/* moves: deflate or shuffle */
};

static struct rest
rest_of(const struct axt_storage *s, uint32_t mask, int k)
{
	struct rest r = { 0 };

	while (--k >= 0) {
		if (mask >> k & 1)
			continue;
		r.sums += s->filter[k] == AXT_FILTER_FLETCHER32;
		r.deflate = r.deflate || s->filter[k] == AXT_FILTER_DEFLATE;
		r.moves = r.moves || s->filter[k] != AXT_FILTER_FLETCHER32;
	}
	return r;
}

/* Bytes that the data must have become when filter k is undone; the most, when it is packed again. */
static size_t
bytes_after(const struct axt_storage *s, const struct rest *r)
{
	size_t n = plain_bytes(s) + 4 * (size_t)r->sums;

	return r->deflate ? n + n / 1024 + 64 : n;
}

static const char out_of_memory[] = "out of memory";

static const char *
inflate(struct axt_decoder *z, const uint8_t *p, size_t n, uint8_t *out, size_t want, bool exact,
    size_t *got)
{
	z->z = z->z ? z->z : libdeflate_alloc_decompressor();
	if (!z->z)
		return out_of_memory;
	switch (libdeflate_zlib_decompress(z->z, p, n, out, want, got)) {
	case LIBDEFLATE_SUCCESS:
		return exact && *got != want ? "wrong size" : NULL;
	case LIBDEFLATE_INSUFFICIENT_SPACE:
		return "wrong size";
	default:
		return "does not inflate";
	}
}

/*
 * Undoes filter k: *p of *n bytes becomes another buffer, or the same one shortened; what leaves the
 * last one has the size of a chunk and goes to out.
 */
static const char *
undo(const struct axt_storage *s, struct axt_decoder *z, uint32_t mask, int k, const uint8_t **p,
    size_t *n, uint8_t *out)
{
	struct rest r = rest_of(s, mask, k);
	size_t want = bytes_after(s, &r);
	const char *why = NULL;

	if (s->filter[k] == AXT_FILTER_FLETCHER32) {
		if (*n < 4 || !checksum_ok(*p, *n))
			return "checksum differs";
		*n -= 4;
		return NULL;
	}
	if (s->filter[k] == AXT_FILTER_DEFLATE && *n < axt_deflate_least(r.deflate ? 0 : want))
		return "too small for what it is to unpack to";
	if (s->filter[k] == AXT_FILTER_SHUFFLE && (r.deflate ? *n > want : *n != want))
		return "wrong size";
	if (r.moves || r.sums)
		out = room(&z->part[*p == z->part[0].p], want);
	if (!out)
		return out_of_memory;
	if (s->filter[k] == AXT_FILTER_SHUFFLE)
		unshuffle(out, *p, *n, (size_t)s->esize);
	else
		why = inflate(z, *p, *n, out, want, !r.deflate, n);
	*p = out;
	return why;
}

/* The stored bytes of a chunk. NULL: error. */
static const uint8_t *
stored(const struct axt_storage *s, struct axt_decoder *z, const struct axt_chunk_loc *l,
    struct axt_err *e)
{
	if (s->mem)
		return (const uint8_t *)s->mem + l->addr;
	if (!room(&z->stored, l->size)) {
		axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		return NULL;
	}
	return axt_pread(s, l->addr, l->size, z->stored.p, e) ? NULL : z->stored.p;
}

int
axt_chunk_read(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];
	size_t plain = plain_bytes(s), n = l->size;
	const uint8_t *p = NULL;
	const char *why = NULL;

	if (l->addr == UINT64_MAX) {
		axt_fill(s, out, s->chunk_count);
		return AXT_OK;
	}
	if (!filtered(s, l->mask) && n != plain)
		return axt_bad_chunk(s, c, "wrong size", e);
	if (!filtered(s, l->mask) && !s->mem) {
		if (axt_pread(s, l->addr, n, out, e))
			return e->code;
		axt_swap(s, out, s->chunk_count);
		return AXT_OK;
	}
	p = stored(s, z, l, e);
	if (!p)
		return e->code;
	for (int k = s->nfilters - 1; k >= 0 && !why; k--)
		if (!(l->mask >> k & 1))
			why = undo(s, z, l->mask, k, &p, &n, out);
	if (why == out_of_memory)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (!why && n != plain)
		why = "wrong size";
	if (why)
		return axt_bad_chunk(s, c, why, e);
	if (p != out)
		memcpy(out, p, plain);
	axt_swap(s, out, s->chunk_count);
	return AXT_OK;
}

/* ---- a box of a chunk ---- */

static bool
is_whole(const struct axt_storage *s, const struct axt_chunk_box *b)
{
	int64_t run;

	return axt_box_rows(s, b, &run) == 0 && run == s->chunk_count;
}

size_t
axt_decoder_bytes(const struct axt_storage *s, bool pieces)
{
	struct rest r = rest_of(s, 0, s->nfilters);
	size_t plain = plain_bytes(s), n = plain, moves = 0;
	struct axt_flow f;

	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		return plain;
	if (pieces)
		return axt_flow_of(s, 0, &f) ? axt_flow_bytes() : 0;
	if (!r.moves && !r.sums)
		return 0;
	for (int k = 0; k < s->nfilters; k++)
		moves += s->filter[k] != AXT_FILTER_FLETCHER32;
	n += MIN(s->largest, plain + plain / 1024 + 64);	/* a part of it, and what is stored */
	if (moves > 1 || r.sums)
		n += (moves > 2 ? 2 : 1) * (plain + plain / 1024 + 64);
	return n;
}

int
axt_chunk_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, bool pieces, struct axt_err *e)
{
	const struct axt_chunk_loc *l;
	struct axt_flow f;
	uint8_t *p;
	bool flows;

	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		return axt_cut_box(s, z, c, b, e);
	l = &s->chunks[c];
	flows = axt_flow_of(s, l->mask, &f);
	if (l->addr == UINT64_MAX) {
		axt_box_copy_rows(s, b, NULL);
		return AXT_OK;
	}
	if (is_whole(s, b) && !(pieces && flows && filtered(s, l->mask)))
		return axt_chunk_read(s, z, c, b->out, e);
	if (flows && (pieces || !filtered(s, l->mask))) {
		z->flow = z->flow ? z->flow : axt_flow_room();
		if (!z->flow)
			return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		if (axt_flow_read(s, z->flow, c, &f, b, e))
			return e->code;
		axt_box_swap_rows(s, b);
		return AXT_OK;
	}
	p = axt_decoder_room(z, plain_bytes(s));
	if (!p)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (axt_chunk_read(s, z, c, p, e))
		return e->code;
	axt_box_copy_rows(s, b, p);
	return AXT_OK;
}
