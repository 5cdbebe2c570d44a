/*
 * sized_lz4.c - LZ4 as numcodecs, and so Zarr, has it: the number of plain bytes (4 bytes,
 * little-endian), and then one block.
 */
#include "filters/blocks.h"

#define HEAD 4

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + n / 255 + 32 + HEAD;
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return exact && n < want / 255 ? "too small for what it is to unpack to" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t plain = 0;
	const char *why;

	(void)state;
	(void)u;
	if (io->n < HEAD)
		return "is no LZ4";
	for (int i = 0; i < HEAD; i++)
		plain |= (size_t)io->in[i] << 8 * i;
	if (plain > io->cap || (io->exact && plain != io->cap))
		return "wrong size";
	why = axt_lz4_block(io->in + HEAD, io->n - HEAD, io->out, plain);
	io->n = plain;
	return why;
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t n = 0;

	(void)state;
	(void)u;
	if (io->n <= (size_t)1 << 30 && io->cap > HEAD)
		n = axt_lz4_pack(io->in, io->n, io->out + HEAD, io->cap - HEAD);
	for (int i = 0; i < HEAD && n; i++)
		io->out[i] = (uint8_t)(io->n >> 8 * i);
	io->n = n ? n + HEAD : 0;
	return n ? NULL : "a chunk cannot be compressed";
}

const struct axt_filter_fns axt_filter_sized_lz4 = {
	.library = &axt_lz4_library,
	.most = most,
	.fits = fits,
	.decode = decode,
	.encode = encode,
};
