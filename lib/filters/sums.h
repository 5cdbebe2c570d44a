/*
 * sums.h - what the filters share that are checksums of Zarr: the checksum has four bytes,
 * little-endian, behind the data or, if parameter 0 is 1, before them.
 */
#ifndef AXT_FILTERS_SUMS_H
#define AXT_FILTERS_SUMS_H

#include "filters/filters.h"

static inline bool
axt_sum_first(const struct axt_filter_use *u)
{
	return u->n > 0 && u->param[0] == 1;
}

static inline const char *
axt_sum_fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	(void)want;
	(void)exact;
	return n < 4 ? "checksum differs" : NULL;
}

/* The io->n - 4 bytes that the checksum is of. */
static inline const uint8_t *
axt_sum_plain(const struct axt_filter_use *u, const struct axt_filter_io *io)
{
	return io->in + (axt_sum_first(u) ? 4 : 0);
}

/* Compares the stored checksum with that of the data, and leaves these in io->out. */
static inline const char *
axt_sum_check(const struct axt_filter_use *u, struct axt_filter_io *io, uint32_t sum)
{
	const uint8_t *p = io->in + (axt_sum_first(u) ? 0 : io->n - 4);
	uint32_t have = 0;

	for (int i = 0; i < 4; i++)
		have |= (uint32_t)p[i] << 8 * i;
	if (have != sum)
		return "checksum differs";
	io->n -= 4;
	if (axt_sum_first(u))
		memmove(io->out, io->in + 4, io->n);
	return NULL;
}

#endif
