/* bzip2.c - bzip2, by libbz2, which is loaded for the first chunk. */
#include "filters/filters.h"

static int (*unpack)(char *, unsigned *, char *, unsigned, int, int);
static const struct axt_library_function functions[] = { { "BZ2_bzBuffToBuffDecompress", &unpack },
	{ NULL, NULL } };
static struct axt_library library = { .so = "libbz2.so.1.0",
	.package = "libbz2-1.0",
	.functions = functions };

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 100 + 600;
}

/* A block of 900 kB of equal bytes takes about 40. */
static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 50000 ? "too small for what it is to unpack to" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	unsigned n = (unsigned)MIN(io->cap, (size_t)UINT32_MAX);

	(void)state;
	(void)u;
	if (io->n > UINT32_MAX ||
	    unpack((char *)io->out, &n, (char *)(uintptr_t)io->in, (unsigned)io->n, 0, 0) != 0)
		return "is no bzip2";
	io->n = n;
	return io->exact && n != io->cap ? "wrong size" : NULL;
}

const struct axt_filter_fns axt_filter_bzip2 = {
	.library = &library,
	.most = most,
	.fits = fits,
	.decode = decode,
};
