/*
 * crc32.c - a codec of Zarr: the checksum CRC-32 in four bytes, little-endian, before the data,
 * or behind them.
 */
#include <libdeflate.h>

#include "filters/sums.h"

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const uint8_t *p = axt_sum_plain(u, io);

	(void)state;
	return axt_sum_check(u, io, libdeflate_crc32(0, p, io->n - 4));
}

const struct axt_filter_fns axt_filter_crc32 = {
	.adds = 4,
	.in_place = true,
	.fits = axt_sum_fits,
	.decode = decode,
};
