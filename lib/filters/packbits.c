/*
 * packbits.c - a codec of Zarr: booleans as bits, the first one in the highest bit of a byte. The
 * first byte says how many bits of the last one are unused.
 */
#include "filters/filters.h"

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return 1 + (n + 7) / 8;
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return n < 1 || (exact ? n != 1 + (want + 7) / 8 : (n - 1) * 8 > want + 7) ? "wrong size"
										   : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t bits = (io->n - 1) * 8, unused = io->in[0];

	(void)state;
	(void)u;
	if (unused > 7 || unused > bits || bits - unused > io->cap)
		return "wrong number of unused bits";
	bits -= unused;
	for (size_t i = 0; i < bits; i++)
		io->out[i] = io->in[1 + i / 8] >> (7 - i % 8) & 1;
	io->n = bits;
	return NULL;
}

const struct axt_filter_fns axt_filter_packbits = {
	.most = most,
	.fits = fits,
	.decode = decode,
};
