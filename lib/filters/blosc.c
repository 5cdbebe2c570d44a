/*
 * blosc.c - Blosc 1, by libblosc, which is loaded for the first chunk. Each chunk says by which
 * codec it was packed; libblosc has all of them.
 */
#include "filters/filters.h"

static struct {
	int (*validate)(const void *, size_t, size_t *);
	int (*unpack)(const void *, void *, size_t, int);
} z;
static const struct axt_library_function functions[] = { { "blosc_cbuffer_validate", &z.validate },
	{ "blosc_decompress_ctx", &z.unpack }, { NULL, NULL } };
static struct axt_library library = { .so = "libblosc.so.1",
	.package = "libblosc1",
	.functions = functions };

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 16 + 4096;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t n;

	(void)state;
	(void)u;
	if (io->n < 16 || z.validate(io->in, io->n, &n) != 0)
		return "is no Blosc";
	if (n > io->cap || (io->exact && n != io->cap))
		return "wrong size";
	/* one thread: chunks are shared among axt's */
	if (n > 0 && z.unpack(io->in, io->out, n, 1) != (int)n)
		return "is no Blosc";
	io->n = n;
	return NULL;
}

const struct axt_filter_fns axt_filter_blosc = {
	.library = &library,
	.most = most,
	.decode = decode,
};
