/*
 * bitshuffle.c - puts bit 0 of all elements of a block first, then bit 1, and so on, and then packs
 * the block by LZ4, by zstd, or not at all. A packed chunk begins with the number of plain bytes (8
 * bytes) and the plain bytes of a block (4); a packed block begins with the number of its bytes
 * (4). Numbers are big-endian. If fewer than 8 elements are left at the end of the chunk, they are
 * stored as they are.
 * source  HDF5 filter 32008, bitshuffle's README and src/bshuf_h5filter.c
 */
#include <stdlib.h>

#include "filters/blocks.h"

/* Parameters by their place: 0 and 1 are the version of the filter. */
enum { SIZE = 2, BLOCK = 3, PACKED = 4, LEVEL = 5 };
enum { PLAIN = 0, LZ4 = 2, ZSTD = 3 };
#define PLAIN_BLOCK 8192 /* bytes of a block, unless a parameter tells */
#define LEAST_BLOCK 128  /* elements */

struct state {
	struct axt_filter_buffer planes, packed;
	void *zstd; /* what zstd's decoder or encoder opened; NULL: it was not needed yet */
	bool packs; /* it is the encoder */
};

static uint32_t
param(const struct axt_filter_use *u, int k)
{
	return k < u->n && k < AXT_FILTER_PARAMS ? u->param[k] : 0;
}

/* Elements of a block, a multiple of 8. */
static size_t
usual_block(const struct axt_filter_use *u, size_t size)
{
	size_t n = param(u, BLOCK);

	return n ? n : MAX(PLAIN_BLOCK / size / 8 * 8, (size_t)LEAST_BLOCK);
}

/* ---- the order of bits ---- */

/*
 * Puts the bits of n elements of `size` bytes back in order; n is a multiple of 8. For each byte of
 * an element, all elements' bytes are a plane of n bytes, in which each bit is a row of n / 8
 * bytes. So a plane is unshuffled as n / 8 elements of 8 bytes whose bits are also turned.
 */
static void
unshuffle_bits(uint8_t *out, const uint8_t *in, size_t n, size_t size, uint8_t *planes)
{
	uint8_t *to = size == 1 ? out : planes;

	for (size_t j = 0; j < size; j++)
		axt_unshuffle_bits(to + j * n, in + j * n, n);
	if (size > 1)
		axt_unshuffle(out, planes, n * size, size);
}

/* planes: n * size bytes, and `out` may be `in`. */
static void
shuffle_bits(uint8_t *out, const uint8_t *in, size_t n, size_t size, uint8_t *planes)
{
	axt_shuffle(in, planes, n * size, size);
	axt_turn_bits(planes, n * size);
	for (size_t j = 0; j < size; j++)
		axt_shuffle(planes + j * n, out + j * n, n, 8);
}

/* ---- unpacking ---- */

static const char *
check(const struct axt_filter_use *u)
{
	uint32_t p = param(u, PACKED);

	if (param(u, SIZE) != (uint32_t)u->esize)
		return "bits are shuffled by another size than elements have";
	if (param(u, BLOCK) % 8)
		return "bits are shuffled in blocks of no multiple of 8 elements";
	return p == PLAIN || p == LZ4 || p == ZSTD
	    ? NULL
	    : "bits are shuffled and then packed in a way that is not known";
}

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	size_t size = (size_t)u->esize, block = usual_block(u, size) * size;

	return param(u, PACKED) == PLAIN ? n : n + n / 128 + 128 + 12 + (n / block + 1) * 100;
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	if (param(u, PACKED) == PLAIN)
		return (exact ? n != want : n > want) ? "wrong size" : NULL;
	/* blocks of LZ4 take a byte for 255, blocks of zstd 4 for 128 KiB */
	return exact && n < want / 32768 ? "too small for what it is to unpack to" : NULL;
}

static void *
decoder(const struct axt_filter_use *u, const char **why)
{
	(void)u;
	(void)why;
	return calloc(1, sizeof(struct state));
}

static void *
encoder(const struct axt_filter_use *u, const char **why)
{
	struct state *s = decoder(u, why);

	if (s)
		s->packs = true;
	return s;
}

static void
state_free(void *p)
{
	struct state *s = p;

	if (s->zstd)
		(s->packs ? axt_filter_zstd.encoder_free : axt_filter_zstd.decoder_free)(s->zstd);
	free(s->planes.p);
	free(s->packed.p);
	free(s);
}

/* Opens what the blocks of a chunk are packed by. */
static const char *
open_packer(struct state *s, const struct axt_filter_use *u)
{
	const char *why = NULL;

	if (param(u, PACKED) == LZ4)
		return axt_library_load(&axt_lz4_library);
	if (param(u, PACKED) == ZSTD && !s->zstd &&
	    !(why = axt_library_load(axt_filter_zstd.library)))
		s->zstd = (s->packs ? axt_filter_zstd.encoder : axt_filter_zstd.decoder)(u, &why);
	return why || param(u, PACKED) != ZSTD || s->zstd ? why : axt_filter_no_memory;
}

/* The next block of n plain bytes, unpacked; *p is moved behind it. */
static const uint8_t *
next_block(struct state *s, const struct axt_filter_use *u, const uint8_t **p, const uint8_t *end,
    size_t n, const char **why)
{
	const uint8_t *q = *p;
	size_t k = n;

	*why = "is cut short";
	if (param(u, PACKED) != PLAIN) {
		if (end - q < 4)
			return NULL;
		k = (size_t)axt_be(q, 4);
		q += 4;
	}
	if (k > (size_t)(end - q))
		return NULL;
	*p = q + k;
	if (param(u, PACKED) == PLAIN)
		return q;
	*why = param(u, PACKED) == LZ4 ? axt_lz4_block(q, k, s->packed.p, n)
				       : axt_zstd_block(s->zstd, q, k, s->packed.p, n);
	return *why ? NULL : s->packed.p;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct state *s = state;
	size_t size = (size_t)u->esize, total = io->n, block = usual_block(u, size), done = 0, n;
	const uint8_t *p = io->in, *end = p + io->n, *q;
	const char *why = open_packer(s, u);

	if (why)
		return why;
	if (param(u, PACKED) != PLAIN) {
		if (io->n < 12)
			return "is cut short";
		total = (size_t)axt_be(p, 8);
		block = (size_t)axt_be(p + 8, 4) / size;
		p += 12;
	}
	if (total > io->cap || (io->exact && total != io->cap) || block == 0 || block % 8)
		return "wrong size";
	block = MIN(block, total / size / 8 * 8);
	if (block &&
	    (!axt_filter_buffer_grow(&s->planes, block * size) ||
		!axt_filter_buffer_grow(&s->packed, block * size)))
		return axt_filter_no_memory;
	for (; block && (n = MIN(block, (total - done) / size / 8 * 8)) > 0; done += n * size) {
		if (!(q = next_block(s, u, &p, end, n * size, &why)))
			return why;
		unshuffle_bits(io->out + done, q, n, size, s->planes.p);
	}
	if ((size_t)(end - p) != total - done)
		return "wrong size";
	memcpy(io->out + done, p, total - done);
	io->n = total;
	return NULL;
}

/* ---- packing ---- */

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct state *s = state;
	size_t size = (size_t)u->esize, block = usual_block(u, size), total = io->n, done = 0, n, k;
	bool packs = param(u, PACKED) != PLAIN;
	uint8_t *p = io->out;
	const char *why = open_packer(s, u);

	if (why)
		return why;
	if (packs) {
		axt_put_be(p, total, 8);
		axt_put_be(p + 8, block * size, 4);
		p += 12;
	}
	if (!axt_filter_buffer_grow(&s->planes, block * size) ||
	    !axt_filter_buffer_grow(&s->packed, block * size))
		return axt_filter_no_memory;
	for (; (n = MIN(block, (total - done) / size / 8 * 8)) > 0; done += n * size, p += k) {
		k = io->cap - (size_t)(p - io->out) - 4;
		shuffle_bits(packs ? s->packed.p : p, io->in + done, n, size, s->planes.p);
		if (!packs) {
			k = n * size;
			continue;
		}
		if (param(u, PACKED) == LZ4)
			k = axt_lz4_pack(s->packed.p, n * size, p + 4, k);
		else if ((why = axt_zstd_pack(s->zstd, (int)param(u, LEVEL), s->packed.p, n * size,
			      p + 4, &k)))
			return why;
		if (k == 0)
			return "a chunk cannot be compressed";
		axt_put_be(p, k, 4);
		p += 4;
	}
	memcpy(p, io->in + done, total - done);
	io->n = (size_t)(p - io->out) + total - done;
	return NULL;
}

const struct axt_filter_fns axt_filter_bitshuffle = {
	.check = check,
	.most = most,
	.fits = fits,
	.decoder = decoder,
	.decoder_free = state_free,
	.decode = decode,
	.encoder = encoder,
	.encoder_free = state_free,
	.encode = encode,
};
