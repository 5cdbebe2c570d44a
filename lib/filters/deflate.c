/*
 * deflate.c - zlib's deflate. Whole chunks are unpacked by libdeflate, pieces by igzip. Chunks are
 * packed by igzip at levels 1 to 3, where it is faster, and by libdeflate at levels 0 and 4 to 9.
 */
#include <stdlib.h>

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include "filters/filters.h"

#define PIECE (64 << 10)

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 1024 + 64;
}

/*
 * Says that a chunk is too small for what it should unpack to: deflate takes at least two bits for
 * 258 bytes, which it does if a byte is repeated. NULL: the size is possible.
 */
static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 1032 ? "too small for what it is to unpack to" : NULL;
}

/* ---- a chunk as a whole ---- */

static void *
decoder(const struct axt_filter_use *u, const char **why)
{
	(void)u;
	(void)why;
	return libdeflate_alloc_decompressor();
}

static void
decoder_free(void *state)
{
	libdeflate_free_decompressor(state);
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	(void)u;
	switch (libdeflate_zlib_decompress(state, io->in, io->n, io->out, io->cap, &io->n)) {
	case LIBDEFLATE_SUCCESS: return io->exact && io->n != io->cap ? "wrong size" : NULL;
	case LIBDEFLATE_INSUFFICIENT_SPACE: return "wrong size";
	default: return "does not inflate";
	}
}

/* ---- piece by piece ---- */

struct flow {
	uint8_t plain[PIECE];
	struct inflate_state z;
};

static void
flow_begin(void *state, size_t want, bool exact)
{
	struct flow *w = state;

	(void)want;
	(void)exact;
	isal_inflate_init(&w->z);
	w->z.crc_flag = ISAL_ZLIB;
}

static const char *
flow(void *state, const uint8_t *p, size_t n, const struct axt_flow_to *to)
{
	struct flow *w = state;
	struct inflate_state *z = &w->z;
	const char *why = NULL;

	z->next_in = (uint8_t *)(uintptr_t)p;
	z->avail_in = (uint32_t)n;
	while (!why && z->block_state != ISAL_BLOCK_FINISH) {
		int rc;

		z->next_out = w->plain;
		z->avail_out = PIECE;
		rc = isal_inflate(z);
		if (rc != ISAL_DECOMP_OK && rc != ISAL_END_INPUT)
			return "does not inflate";
		if (z->avail_out == PIECE && z->block_state != ISAL_BLOCK_FINISH)
			break; /* more packed bytes are needed */
		why = to->take(to->ctx, w->plain, PIECE - z->avail_out);
	}
	return why;
}

static const char *
flow_end(void *state)
{
	const struct flow *w = state;

	return w->z.block_state == ISAL_BLOCK_FINISH ? NULL : "does not inflate";
}

/* ---- packing ---- */

struct encoder {
	struct libdeflate_compressor *libdeflate; /* NULL: igzip packs */
	struct isal_zstream z;
	uint32_t level, level_size;
	uint8_t *level_buf;
};

static void
encoder_free(void *state)
{
	struct encoder *k = state;

	if (k->libdeflate)
		libdeflate_free_compressor(k->libdeflate);
	free(k->level_buf);
	free(k);
}

static void *
encoder(const struct axt_filter_use *u, const char **why)
{
	static const uint32_t igzip_size[] = { 0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
		ISAL_DEF_LVL3_DEFAULT };
	struct encoder *k;

	if (u->n < 1 || u->param[0] > 9) {
		*why = "its level is not 0 to 9";
		return NULL;
	}
	k = calloc(1, sizeof(*k));
	if (!k)
		return NULL;
	k->level = u->param[0];
	if (k->level >= 1 && k->level <= 3) {
		k->level_size = igzip_size[k->level];
		k->level_buf = calloc(1, k->level_size);
	} else {
		k->libdeflate = libdeflate_alloc_compressor((int)k->level);
	}
	if (k->libdeflate || k->level_buf)
		return k;
	encoder_free(k);
	return NULL;
}

/*
 * Packs with igzip. Returns 0 if igzip gave up.
 *
 * At levels 1 and 2, the result of igzip would differ from run to run: its assembly hashes a
 * register that holds the address of its state. The result does not differ if other bytes come
 * before those that igzip packs. So the first bytes are stored as they are, and igzip gets them as
 * the history of the others.
 */
static size_t
igzip(struct encoder *k, const struct axt_filter_io *io)
{
	struct isal_zstream *z = &k->z;
	uint8_t first = (uint8_t)MIN(io->n, 16), *out = io->out,
		head[7] = { 0x78, 0x01, 0, first, 0, (uint8_t)~first, 0xff };
	uint32_t sum;

	if (io->cap < sizeof(head) + first + 4)
		return 0;
	head[2] = io->n == first; /* the last block */
	memcpy(out, head, sizeof(head));
	memcpy(out + sizeof(head), io->in, first);
	out += sizeof(head) + first;
	if (io->n > first) {
		memset(z, 0, sizeof(*z)); /* igzip reads members that its own init does not set */
		isal_deflate_init(z);
		z->level = k->level;
		z->level_buf = k->level_buf;
		z->level_buf_size = k->level_size;
		z->end_of_stream = 1;
		z->flush = NO_FLUSH;
		if (isal_deflate_set_dict(z, (uint8_t *)(uintptr_t)io->in, first) != COMP_OK)
			return 0;
		z->next_in = (uint8_t *)(uintptr_t)io->in + first;
		z->avail_in = (uint32_t)(io->n - first);
		z->next_out = out;
		z->avail_out = (uint32_t)MIN((size_t)(io->out + io->cap - out) - 4, UINT32_MAX);
		if (isal_deflate(z) != COMP_OK || z->internal_state.state != ZSTATE_END)
			return 0;
		out += z->total_out;
	}
	sum = libdeflate_adler32(1, io->in, io->n);
	for (int i = 0; i < 4; i++)
		*out++ = (uint8_t)(sum >> (24 - 8 * i));
	return (size_t)(out - io->out);
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct encoder *k = state;

	(void)u;
	if (k->libdeflate)
		io->n = libdeflate_zlib_compress(k->libdeflate, io->in, io->n, io->out, io->cap);
	else
		io->n = io->n <= UINT32_MAX ? igzip(k, io) : 0;
	return io->n > 0 ? NULL : "a chunk cannot be compressed";
}

const struct axt_filter_fns axt_filter_deflate = {
	.most = most,
	.fits = fits,
	.decoder = decoder,
	.decoder_free = decoder_free,
	.decode = decode,
	.flow_bytes = sizeof(struct flow),
	.flow_begin = flow_begin,
	.flow = flow,
	.flow_end = flow_end,
	.encoder = encoder,
	.encoder_free = encoder_free,
	.encode = encode,
};
