/*
 * crc32c.c - a codec of Zarr: the checksum CRC-32C (Castagnoli) in four bytes, little-endian,
 * before or behind the data.
 */
#include "filters/sums.h"
#include "isa/cpu.h"

CPU_ANY uint32_t
axt_crc32c(const uint8_t *p, size_t n)
{
	uint64_t c = UINT32_MAX, w;

	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&w, p, 8);
		c = CPU_CRC32C_8(c, w);
	}
	for (; n > 0; n--)
		c = CPU_CRC32C_1(c, *p++);
	return ~(uint32_t)c;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const uint8_t *p = axt_sum_plain(u, io);

	(void)state;
	return axt_sum_check(u, io, axt_crc32c(p, io->n - 4));
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	uint32_t sum = axt_crc32c(io->in, io->n);

	(void)state;
	(void)u;
	for (int i = 0; i < 4; i++)
		io->out[io->n++] = (uint8_t)(sum >> 8 * i);
	return NULL;
}

const struct axt_filter_fns axt_filter_crc32c = {
	.adds = 4,
	.in_place = true,
	.fits = axt_sum_fits,
	.decode = decode,
	.encode = encode,
};
