/* chunk.h - what the two ways to decode a chunk share: whole, and as it flows by. */
#ifndef AXT_BYTES_CHUNK_H
#define AXT_BYTES_CHUNK_H

#include "bytes/bytes.h"

/* HDF5's checksum, added to piece by piece: big-endian words, sums folded every 360. */
struct axt_fletcher {
	uint32_t a, b;
	bool odd;			/* the first byte of a word waits for its second */
	uint8_t byte;
};
void axt_fletcher_add(struct axt_fletcher *f, const uint8_t *p, size_t n);
/* The sum of what was added. */
uint32_t axt_fletcher_sum(struct axt_fletcher *f);
/* Whether the four bytes stored are the sum of what was added. */
bool axt_fletcher_ok(struct axt_fletcher *f, const uint8_t stored[4]);

/* How chunk c's filters are undone as its bytes flow by; false: they cannot be. */
struct axt_flow {
	bool sum_stored, inflate, sum_plain, shuffled;
};
bool axt_flow_of(const struct axt_storage *s, uint32_t mask, struct axt_flow *f);
/* Buffers for that, of any storage; NULL: out of memory. */
struct axt_flow_room;
struct axt_flow_room *axt_flow_room(void);
size_t axt_flow_bytes(void);
/* Decodes what the box wants of chunk c, in the stored byte order. */
int axt_flow_read(const struct axt_storage *s, struct axt_flow_room *r, int64_t c,
    const struct axt_flow *f, const struct axt_chunk_box *b, struct axt_err *e);
/* The least bytes deflate can make of n: a repeated one takes two bits for each 258. */
static inline size_t
axt_deflate_least(size_t n)
{
	return n / 1032;
}

int axt_bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e);
/* Rows of a box: how many elements lie one after another, and the dimensions before them. */
int axt_box_rows(const struct axt_storage *s, const struct axt_chunk_box *b, int64_t *run);
/* The box out of a chunk in memory; NULL: elements that were never written. */
void axt_box_copy_rows(const struct axt_storage *s, const struct axt_chunk_box *b,
    const uint8_t *chunk);
/* What is in the box's place to native order. */
void axt_box_swap_rows(const struct axt_storage *s, const struct axt_chunk_box *b);
/* n bytes of the decoder's for a chunk of which a box is wanted. NULL: out of memory. */
uint8_t *axt_decoder_room(struct axt_decoder *z, size_t n);
/*
 * axt_chunk_box of a storage that axt_storage_cut cut: rows are read one by one where they are long, else
 * all that lies from the first to the last.
 */
int axt_cut_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e);
/* The next index of dimensions [0, n); false behind the last, all are 0 again. */
static inline bool
axt_box_step(const struct axt_chunk_box *b, int n, int64_t *i)
{
	for (int d = n - 1; d >= 0; d--) {
		if (++i[d] < b->n[d])
			return true;
		i[d] = 0;
	}
	return false;
}
/* Byte j of every element to plane j, as HDF5's filter does; what is no whole element stays last. */
void axt_shuffle(const unsigned char *in, unsigned char *out, size_t bytes, int size);

#endif
