/* lzf.c - LZF, by liblzf, which is loaded for the first chunk. */
#include "filters/filters.h"

static unsigned (*unpack)(const void *, unsigned, void *, unsigned);
static const struct axt_library_function functions[] = { { "lzf_decompress", &unpack },
	{ NULL, NULL } };
static struct axt_library library = { .so = "liblzf.so.1",
	.package = "liblzf1",
	.functions = functions };

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 16 + 64;
}

/* Three bytes stand for 264 at most. */
static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 88 ? "too small for what it is to unpack to" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	unsigned n;

	(void)state;
	(void)u;
	if (io->n > UINT32_MAX)
		return "is no LZF";
	n = unpack(io->in, (unsigned)io->n, io->out, (unsigned)MIN(io->cap, (size_t)UINT32_MAX));
	if (n == 0)
		return "is no LZF";
	io->n = n;
	return io->exact && n != io->cap ? "wrong size" : NULL;
}

const struct axt_filter_fns axt_filter_lzf = {
	.library = &library,
	.most = most,
	.fits = fits,
	.decode = decode,
};
