/*
 * chunk.c - one chunk of a storage: read, filters undone, swapped. Plain C, no
 * libhdf5: called from worker threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <libdeflate.h>

#include "bytes.h"

struct axt_decoder {
	struct libdeflate_decompressor *z;
	uint8_t *buf[2];		/* each as large as a decoded chunk with its checksums */
	size_t cap;
	uint8_t *in;			/* stored bytes */
	size_t in_cap;
};

/* A chunk and the checksums filters may have put behind it. */
static size_t
plain_bytes(const struct axt_storage *s)
{
	return (size_t)s->chunk_count * (size_t)s->esize;
}

struct axt_decoder *
axt_decoder_new(const struct axt_storage *s)
{
	struct axt_decoder *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	if (s->nfilters == 0)
		return z;
	z->cap = plain_bytes(s) + plain_bytes(s) / 1024 + 64 * (size_t)s->nfilters;
	z->buf[0] = malloc(z->cap);
	z->buf[1] = malloc(z->cap);
	z->z = libdeflate_alloc_decompressor();
	if (!z->buf[0] || !z->buf[1] || !z->z) {
		axt_decoder_free(z);
		return NULL;
	}
	return z;
}

void
axt_decoder_free(struct axt_decoder *z)
{
	if (!z)
		return;
	if (z->z)
		libdeflate_free_decompressor(z->z);
	free(z->buf[0]);
	free(z->buf[1]);
	free(z->in);
	free(z);
}

/* HDF5's own form: big-endian words, sums folded every 360. */
static uint32_t
fletcher32(const uint8_t *p, size_t n)
{
	uint32_t a = 0, b = 0;
	size_t words = n / 2;

	while (words > 0) {
		size_t k = MIN(words, (size_t)360);

		words -= k;
		for (; k > 0; k--, p += 2) {
			a += (uint32_t)p[0] << 8 | p[1];
			b += a;
		}
		a = (a & 0xffff) + (a >> 16);
		b = (b & 0xffff) + (b >> 16);
	}
	if (n % 2) {
		a += (uint32_t)p[0] << 8;
		b += a;
		a = (a & 0xffff) + (a >> 16);
		b = (b & 0xffff) + (b >> 16);
	}
	a = (a & 0xffff) + (a >> 16);
	b = (b & 0xffff) + (b >> 16);
	return b << 16 | a;
}

/* Writers before HDF5 1.6.3 on little-endian machines swapped the bytes of each half. */
static bool
checksum_ok(const uint8_t *p, size_t n)
{
	uint32_t have = axt_le32(p + n - 4), want = fletcher32(p, n - 4);
	uint32_t old = (want & 0xff00ff) << 8 | (want >> 8 & 0xff00ff);

	return have == want || have == old;
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

static int
bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e)
{
	return axt_fail(e, AXT_E_DAMAGED, "%s: chunk %lld: %s", s->from, (long long)c, why);
}

/* Undoes filter k: *p of *n bytes becomes another buffer, or the same one shortened. */
static const char *
undo(const struct axt_storage *s, struct axt_decoder *z, int k, const uint8_t **p, size_t *n)
{
	uint8_t *out = *p == z->buf[0] ? z->buf[1] : z->buf[0];
	size_t got;

	switch (s->filter[k]) {
	case AXT_FILTER_FLETCHER32:
		if (*n < 4 || !checksum_ok(*p, *n))
			return "checksum differs";
		*n -= 4;
		return NULL;
	case AXT_FILTER_SHUFFLE:
		if (*n > z->cap)
			return "too large";
		unshuffle(out, *p, *n, (size_t)s->esize);
		break;
	case AXT_FILTER_DEFLATE:
		if (libdeflate_zlib_decompress(z->z, *p, *n, out, z->cap,
		    &got) != LIBDEFLATE_SUCCESS)
			return "does not inflate";
		*n = got;
		break;
	}
	*p = out;
	return NULL;
}

static int
stored(const struct axt_storage *s, struct axt_decoder *z, int64_t c, const uint8_t **p,
    struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];

	if (s->mem) {
		*p = (const uint8_t *)s->mem + l->addr;
		return AXT_OK;
	}
	if (z->in_cap < l->size) {
		free(z->in);
		z->in_cap = 0;
		z->in = malloc(l->size);
		if (!z->in)
			return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		z->in_cap = l->size;
	}
	*p = z->in;
	return axt_pread(s, l->addr, l->size, z->in, e);
}

static bool
filtered(const struct axt_storage *s, const struct axt_chunk_loc *l)
{
	for (int k = 0; k < s->nfilters; k++)
		if (!(l->mask >> k & 1))
			return true;
	return false;
}

int
axt_chunk_read(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e)
{
	const struct axt_chunk_loc *l = &s->chunks[c];
	size_t plain = plain_bytes(s), n = l->size;
	const uint8_t *p = NULL;
	const char *why = NULL;
	int rc;

	if (l->addr == UINT64_MAX) {
		axt_fill(s, out, s->chunk_count);
		return AXT_OK;
	}
	if (!filtered(s, l) && !s->mem) {
		if (n != plain)
			return bad_chunk(s, c, "wrong size", e);
		rc = axt_pread(s, l->addr, n, out, e);
		if (rc == AXT_OK)
			axt_swap(s, out, s->chunk_count);
		return rc;
	}
	rc = stored(s, z, c, &p, e);
	if (rc != AXT_OK)
		return rc;
	for (int k = s->nfilters - 1; k >= 0 && !why; k--)
		if (!(l->mask >> k & 1))
			why = undo(s, z, k, &p, &n);
	if (!why && n != plain)
		why = "wrong size";
	if (why)
		return bad_chunk(s, c, why, e);
	memcpy(out, p, plain);
	axt_swap(s, out, s->chunk_count);
	return AXT_OK;
}
