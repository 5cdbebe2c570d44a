/*
 * lz4.c - LZ4, by liblz4, which is loaded for the first chunk. A chunk begins with the number of
 * plain bytes (8 bytes) and the plain bytes of a block (4). Each block begins with the number of
 * its packed bytes (4); if a block has as many plain bytes, it is stored as it is. Numbers are
 * big-endian.
 * source  HDF5 filter 32004, "HDF5 LZ4 filter format"
 */
#include "filters/blocks.h"

static struct {
	int (*decode)(const char *, char *, int, int);
	int (*encode)(const char *, char *, int, int);
} z;
static const struct axt_library_function functions[] = { { "LZ4_decompress_safe", &z.decode },
	{ "LZ4_compress_default", &z.encode }, { NULL, NULL } };
struct axt_library axt_lz4_library = { .so = "liblz4.so.1",
	.package = "liblz4-1",
	.functions = functions };

#define BLOCK ((size_t)1 << 30) /* plain bytes of a block at most, unless a parameter tells */

const char *
axt_lz4_block(const uint8_t *in, size_t n, uint8_t *out, size_t want)
{
	bool fits = n <= INT32_MAX && want <= INT32_MAX;

	return fits && z.decode((const char *)in, (char *)out, (int)n, (int)want) == (int)want
	    ? NULL
	    : "is no LZ4";
}

size_t
axt_lz4_pack(const uint8_t *in, size_t n, uint8_t *out, size_t cap)
{
	int k = z.encode((const char *)in, (char *)out, (int)n, (int)MIN(cap, (size_t)INT32_MAX));

	return k > 0 ? (size_t)k : 0;
}

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	size_t block = u->n > 0 && u->param[0] ? u->param[0] : BLOCK;

	return n + n / 255 + 32 + 12 + 4 * (n / MIN(block, BLOCK) + 1);
}

/* A byte of LZ4 stands for 255 at most. */
static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 255 ? "too small for what it is to unpack to" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const uint8_t *p = io->in, *end = p + io->n;
	size_t total, block, done = 0;
	const char *why;

	(void)state;
	(void)u;
	if (io->n < 12)
		return "is no LZ4";
	total = (size_t)axt_be(p, 8);
	block = (size_t)axt_be(p + 8, 4);
	p += 12;
	if (total > io->cap || (io->exact && total != io->cap) || block == 0)
		return "wrong size";
	while (done < total) {
		size_t want = MIN(block, total - done), n;

		if (end - p < 4)
			return "is no LZ4";
		n = (size_t)axt_be(p, 4);
		p += 4;
		if (n > (size_t)(end - p))
			return "is no LZ4";
		if (n == want)
			memcpy(io->out + done, p, n);
		else if ((why = axt_lz4_block(p, n, io->out + done, want)))
			return why;
		p += n;
		done += want;
	}
	io->n = total;
	return NULL;
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t block = u->n > 0 && u->param[0] ? MIN((size_t)u->param[0], BLOCK) : BLOCK;
	uint8_t *p = io->out;

	(void)state;
	block = MIN(block, MAX(io->n, (size_t)1));
	axt_put_be(p, io->n, 8);
	axt_put_be(p + 8, block, 4);
	p += 12;
	for (size_t done = 0; done < io->n; done += block) {
		size_t n = MIN(block, io->n - done),
		       k = axt_lz4_pack(io->in + done, n, p + 4,
			   io->cap - (size_t)(p + 4 - io->out));

		if (k == 0 || k >= n) {
			memcpy(p + 4, io->in + done, n);
			k = n;
		}
		axt_put_be(p, k, 4);
		p += 4 + k;
	}
	io->n = (size_t)(p - io->out);
	return NULL;
}

const struct axt_filter_fns axt_filter_lz4 = {
	.library = &axt_lz4_library,
	.most = most,
	.fits = fits,
	.decode = decode,
	.encode = encode,
};
