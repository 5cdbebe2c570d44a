/* gzip.c - what the program gzip makes, as Zarr stores it, by libdeflate. */
#include <libdeflate.h>

#include "filters/filters.h"

#define LEAST 18 /* bytes of the head and the tail of a member */

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 1024 + 64 + LEAST;
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 1032 ? "too small for what it is to unpack to" : NULL;
}

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

/* A chunk may have several members, one after another. */
static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t at = 0, done = 0;

	(void)u;
	do {
		size_t in = 0, out = 0;

		switch (libdeflate_gzip_decompress_ex(state, io->in + at, io->n - at,
		    io->out + done, io->cap - done, &in, &out)) {
		case LIBDEFLATE_SUCCESS: break;
		case LIBDEFLATE_INSUFFICIENT_SPACE: return "wrong size";
		default: return "does not inflate";
		}
		at += in;
		done += out;
	} while (at < io->n);
	io->n = done;
	return io->exact && done != io->cap ? "wrong size" : NULL;
}

static void *
encoder(const struct axt_filter_use *u, const char **why)
{
	if (u->n < 1 || u->param[0] > 9) {
		*why = "its level is not 0 to 9";
		return NULL;
	}
	return libdeflate_alloc_compressor((int)u->param[0]);
}

static void
encoder_free(void *state)
{
	libdeflate_free_compressor(state);
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	(void)u;
	io->n = libdeflate_gzip_compress(state, io->in, io->n, io->out, io->cap);
	return io->n > 0 ? NULL : "a chunk cannot be compressed";
}

const struct axt_filter_fns axt_filter_gzip = {
	.most = most,
	.fits = fits,
	.decoder = decoder,
	.decoder_free = decoder_free,
	.decode = decode,
	.encoder = encoder,
	.encoder_free = encoder_free,
	.encode = encode,
};
