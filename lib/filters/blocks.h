/*
 * blocks.h - shared by filters that pack a chunk in blocks: big-endian numbers, single blocks of
 * LZ4 and zstd, and the order of bytes.
 */
#ifndef AXT_FILTERS_BLOCKS_H
#define AXT_FILTERS_BLOCKS_H

#include "filters/filters.h"

/* An unsigned big-endian number of n bytes. */
static inline uint64_t
axt_be(const uint8_t *p, int n)
{
	uint64_t v = 0;

	for (int i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}
static inline void
axt_put_be(uint8_t *p, uint64_t v, int n)
{
	for (int i = n; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

/* In lz4.c: liblz4, which has to be loaded for the next two. */
extern struct axt_library axt_lz4_library;
/* Unpacks one block, which must become `want` bytes. */
const char *axt_lz4_block(const uint8_t *in, size_t n, uint8_t *out, size_t want);
/* Packs one block of at most 1 GiB; 0: it does not fit. */
size_t axt_lz4_pack(const uint8_t *in, size_t n, uint8_t *out, size_t cap);
/* In zstd.c, the same by what its decoder or encoder opened. *cap becomes the packed bytes. */
const char *axt_zstd_block(void *state, const uint8_t *in, size_t n, uint8_t *out, size_t want);
const char *axt_zstd_pack(void *state, int level, const uint8_t *in, size_t n, uint8_t *out,
    size_t *cap);
/*
 * In shuffle.c: puts byte 0 of all elements, which have `size` bytes, first, then byte 1, and so
 * on; and undoes this. Bytes at the end that are no whole element stay where they are.
 */
void axt_shuffle(const uint8_t *in, uint8_t *out, size_t bytes, size_t size);
void axt_unshuffle(uint8_t *out, const uint8_t *in, size_t bytes, size_t size);
/* In each 8 of n bytes, a multiple of 8: bit e of byte k becomes bit k of byte e. */
void axt_turn_bits(uint8_t *p, size_t n);
/* Bit 0 of n bytes, bit 1 ... become the bytes; n is a multiple of 8. */
void axt_unshuffle_bits(uint8_t *out, const uint8_t *in, size_t n);

#endif
