/* zstd.c - Zstandard, by libzstd, which is loaded for the first chunk. */
#include <stdlib.h>

#include "filters/filters.h"

#define PIECE (128 << 10) /* the largest block of the format */

struct buffer { /* libzstd's ZSTD_inBuffer and ZSTD_outBuffer */
	void *p;
	size_t size, pos;
};
static struct {
	void *(*new_decoder)(void);
	size_t (*free_decoder)(void *);
	size_t (*decode)(void *, void *, size_t, const void *, size_t);
	size_t (*stream)(void *, struct buffer *, struct buffer *);
	size_t (*reset)(void *, int);
	void *(*new_encoder)(void);
	size_t (*free_encoder)(void *);
	size_t (*encode)(void *, void *, size_t, const void *, size_t, int);
	unsigned (*failed)(size_t);
} z;
static const struct axt_library_function functions[] = { { "ZSTD_createDCtx", &z.new_decoder },
	{ "ZSTD_freeDCtx", &z.free_decoder }, { "ZSTD_decompressDCtx", &z.decode },
	{ "ZSTD_decompressStream", &z.stream }, { "ZSTD_DCtx_reset", &z.reset },
	{ "ZSTD_createCCtx", &z.new_encoder }, { "ZSTD_freeCCtx", &z.free_encoder },
	{ "ZSTD_compressCCtx", &z.encode }, { "ZSTD_isError", &z.failed }, { NULL, NULL } };
static struct axt_library library = { .so = "libzstd.so.1",
	.package = "libzstd1",
	.functions = functions };

static const char damaged[] = "is no zstd";

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 256 + 128;
}

/* A block of up to 128 KiB takes 4 bytes at least. */
static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / (PIECE / 4) ? "too small for what it is to unpack to" : NULL;
}

static void *
decoder(const struct axt_filter_use *u, const char **why)
{
	(void)u;
	(void)why;
	return z.new_decoder();
}

static void
decoder_free(void *state)
{
	z.free_decoder(state);
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t n = z.decode(state, io->out, io->cap, io->in, io->n);

	(void)u;
	if (z.failed(n))
		return damaged;
	io->n = n;
	return io->exact && n != io->cap ? "wrong size" : NULL;
}

/* ---- piece by piece ---- */

struct flow {
	void *z;
	bool over; /* a frame has ended, and none has begun */
	uint8_t plain[PIECE];
};

static void *
flow_open(const struct axt_filter_use *u, const char **why)
{
	struct flow *w;
	void *d = decoder(u, why);

	if (!d)
		return NULL;
	w = malloc(sizeof(*w));
	if (w)
		w->z = d;
	else
		z.free_decoder(d);
	return w;
}

static void
flow_free(void *state)
{
	struct flow *w = state;

	z.free_decoder(w->z);
	free(w);
}

static void
flow_begin(void *state, size_t want, bool exact)
{
	struct flow *w = state;

	(void)want;
	(void)exact;
	w->over = false;
	z.reset(w->z, 1 /* the session, not the parameters */);
}

static const char *
flow(void *state, const uint8_t *p, size_t n, const struct axt_flow_to *to)
{
	struct flow *w = state;
	struct buffer in = { (uint8_t *)(uintptr_t)p, n, 0 }, out = { w->plain, PIECE, PIECE };
	const char *why = NULL;

	/* what fills the buffer may not be all */
	while (!why && (in.pos < in.size || out.pos == out.size)) {
		size_t rc;

		if (in.pos == in.size && w->over)
			break;
		out.pos = 0;
		rc = z.stream(w->z, &out, &in);
		if (z.failed(rc))
			return damaged;
		w->over = rc == 0;
		why = out.pos ? to->take(to->ctx, w->plain, out.pos) : NULL;
	}
	return why;
}

static const char *
flow_end(void *state)
{
	const struct flow *w = state;

	return w->over ? NULL : damaged;
}

/* ---- packing ---- */

static void *
encoder(const struct axt_filter_use *u, const char **why)
{
	(void)u;
	(void)why;
	return z.new_encoder();
}

static void
encoder_free(void *state)
{
	z.free_encoder(state);
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t n = z.encode(state, io->out, io->cap, io->in, io->n,
	    u->n > 0 ? (int)u->param[0] : 3);

	io->n = n;
	return z.failed(n) ? "a chunk cannot be compressed" : NULL;
}

const char *
axt_zstd_block(void *state, const uint8_t *in, size_t n, uint8_t *out, size_t want)
{
	return z.decode(state, out, want, in, n) == want ? NULL : damaged;
}

const char *
axt_zstd_pack(void *state, int level, const uint8_t *in, size_t n, uint8_t *out, size_t *cap)
{
	size_t k = z.encode(state, out, *cap, in, n, level);

	*cap = k;
	return z.failed(k) ? "a chunk cannot be compressed" : NULL;
}

const struct axt_filter_fns axt_filter_zstd = {
	.library = &library,
	.most = most,
	.fits = fits,
	.decoder = decoder,
	.decoder_free = decoder_free,
	.decode = decode,
	.flow_bytes = sizeof(struct flow) + ((size_t)8 << 20),
	.flow_open = flow_open,
	.flow_free = flow_free,
	.flow_begin = flow_begin,
	.flow = flow,
	.flow_end = flow_end,
	.encoder = encoder,
	.encoder_free = encoder_free,
	.encode = encode,
};
