/*
 * szip.c - szip, which is extended Rice coding, by libaec. A chunk begins with the number of plain
 * bytes, 4 bytes, little-endian.
 * source  HDF5's H5Zszip.c, libaec's szlib.h
 */
#include <szlib.h>

#include "filters/filters.h"

/* Parameters by their place. */
enum { OPTIONS, PIXELS, BITS, SCANLINE };

static const char *
check(const struct axt_filter_use *u)
{
	const uint32_t *p = u->param;

	return u->n >= 4 && p[PIXELS] >= 2 && p[PIXELS] <= 32 && p[PIXELS] % 2 == 0 &&
		p[SCANLINE] >= p[PIXELS] && p[SCANLINE] <= 4096 && p[BITS] >= 1 &&
		(p[BITS] <= 32 || p[BITS] == 64)
	    ? NULL
	    : "its parameters of szip are impossible";
}

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 8 + 4096;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	SZ_com_t c = { .options_mask = (int)u->param[OPTIONS],
		.bits_per_pixel = (int)u->param[BITS],
		.pixels_per_block = (int)u->param[PIXELS],
		.pixels_per_scanline = (int)u->param[SCANLINE] };
	size_t n;

	(void)state;
	if (io->n < 4)
		return "is cut short";
	n = io->in[0] | (size_t)io->in[1] << 8 | (size_t)io->in[2] << 16 | (size_t)io->in[3] << 24;
	if (n > io->cap || (io->exact && n != io->cap))
		return "wrong size";
	io->cap = n;
	if (SZ_BufftoBuffDecompress(io->out, &n, io->in + 4, io->n - 4, &c) != SZ_OK ||
	    n != io->cap)
		return "is no szip";
	io->n = n;
	return NULL;
}

const struct axt_filter_fns axt_filter_szip = {
	.check = check,
	.most = most,
	.decode = decode,
};
