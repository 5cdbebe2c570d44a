/*
 * zfp.c - zfp, by libzfp, which is loaded for the first chunk. The filter's parameters are the
 * version of zfp and the header of a zfp stream, which has the shape of a chunk, its type and how
 * it is packed. A stored chunk is a stream without that header.
 * source  H5Z-ZFP's H5Zzfp.c, zfp.h
 */
#include <stdlib.h>

#include "filters/filters.h"

enum { HEADER_FULL = 7, BLOCK_BITS = 16658 }; /* of zfp.h: ZFP_HEADER_FULL, ZFP_MAX_BITS */

static struct {
	void *(*bits_open)(void *, size_t);
	void (*bits_close)(void *);
	void *(*open)(void *);
	void (*close)(void *);
	void (*set_bits)(void *, void *);
	void (*rewind)(void *);
	void (*params)(const void *, unsigned *, unsigned *, unsigned *, int *);
	size_t (*read_header)(void *, void *, unsigned);
	size_t (*unpack)(void *, void *);
	void *(*new_field)(void);
	void (*free_field)(void *);
	void (*set_pointer)(void *, void *);
	size_t (*size)(const void *, size_t *);
	size_t (*size_bytes)(const void *);
	size_t (*blocks)(const void *);
} z;
static const struct axt_library_function functions[] = { { "stream_open", &z.bits_open },
	{ "stream_close", &z.bits_close }, { "zfp_stream_open", &z.open },
	{ "zfp_stream_close", &z.close }, { "zfp_stream_set_bit_stream", &z.set_bits },
	{ "zfp_stream_rewind", &z.rewind }, { "zfp_stream_params", &z.params },
	{ "zfp_read_header", &z.read_header }, { "zfp_decompress", &z.unpack },
	{ "zfp_field_alloc", &z.new_field }, { "zfp_field_free", &z.free_field },
	{ "zfp_field_set_pointer", &z.set_pointer }, { "zfp_field_size", &z.size },
	{ "zfp_field_size_bytes", &z.size_bytes }, { "zfp_field_blocks", &z.blocks },
	{ NULL, NULL } };
static struct axt_library library = { .so = "libzfp.so.1",
	.package = "libzfp1",
	.functions = functions };

struct work {
	void *stream, *field;
};

static const char *
check(const struct axt_filter_use *u)
{
	/* the header begins with "zfp" and the version of its format */
	return u->n >= 4 && u->n <= 9 && (u->param[1] & 0xffffff) == 0x70667a
	    ? NULL
	    : "its parameters of zfp are impossible";
}

/* Blocks of 4 elements along each axis are packed whole, at the chunk's edges too. */
static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return 8 * n + 4096;
}

static void
decoder_free(void *state)
{
	struct work *w = state;

	if (w->field)
		z.free_field(w->field);
	if (w->stream)
		z.close(w->stream);
	free(w);
}

static void *
decoder(const struct axt_filter_use *u, const char **why)
{
	struct work *w = calloc(1, sizeof(*w));

	(void)u;
	(void)why;
	if (!w)
		return NULL;
	w->field = z.new_field();
	w->stream = z.open(NULL);
	if (w->field && w->stream)
		return w;
	decoder_free(w);
	return NULL;
}

/* Reads the header that the parameters hold: shape, type and way of packing. */
static const char *
header(struct work *w, const struct axt_filter_use *u)
{
	uint64_t words[8] = { 0 };
	void *bits;
	size_t n;

	memcpy(words, u->param + 1, sizeof(u->param[0]) * (size_t)(u->n - 1));
	bits = z.bits_open(words, sizeof(words));
	if (!bits)
		return axt_filter_no_memory;
	z.set_bits(w->stream, bits);
	z.rewind(w->stream);
	n = z.read_header(w->stream, w->field, HEADER_FULL);
	z.set_bits(w->stream, NULL);
	z.bits_close(bits);
	return n ? NULL : "its parameters of zfp are impossible";
}

/*
 * Unpacks a chunk. libzfp does not check where the packed bytes end. So they are copied to a buffer
 * that has as many zeros behind them as libzfp may read: for zeros it reads one bit per block, or
 * `least`, the fewest bits that a block may have.
 */
static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct work *w = state;
	const char *why = header(w, u);
	unsigned least, greatest, precision;
	size_t cap, blocks;
	uint8_t *room;
	void *bits;
	int exponent;

	if (why)
		return why;
	blocks = z.blocks(w->field);
	z.params(w->stream, &least, &greatest, &precision, &exponent);
	if (z.size_bytes(w->field) != io->cap || io->cap % (size_t)u->esize != 0 ||
	    z.size(w->field, NULL) != io->cap / (size_t)u->esize)
		return "wrong size";
	/* a stream ends with a whole word of 8 bytes, or of one */
	if (least > BLOCK_BITS || blocks > io->cap || (blocks * least + 7) / 8 > io->n)
		return "is cut short";
	cap = (io->n + blocks * MAX(least, 1) / 8 + 2 * BLOCK_BITS / 8 + 16) & ~(size_t)7;
	room = calloc(1, cap);
	if (!room)
		return axt_filter_no_memory;
	memcpy(room, io->in, io->n);
	bits = z.bits_open(room, cap);
	if (bits) {
		z.set_bits(w->stream, bits);
		z.rewind(w->stream);
		z.set_pointer(w->field, io->out);
		why = z.unpack(w->stream, w->field) ? NULL : "is no zfp";
		z.set_bits(w->stream, NULL);
		z.bits_close(bits);
	}
	free(room);
	io->n = io->cap;
	return bits ? why : axt_filter_no_memory;
}

const struct axt_filter_fns axt_filter_zfp = {
	.library = &library,
	.check = check,
	.most = most,
	.decoder = decoder,
	.decoder_free = decoder_free,
	.decode = decode,
};
