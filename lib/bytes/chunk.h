/* chunk.h - what the two ways to decode a chunk share: as a whole, and piece by piece. */
#ifndef AXT_BYTES_CHUNK_H
#define AXT_BYTES_CHUNK_H

#include "bytes/bytes.h"

/* Buffers to decode chunks of any storage piece by piece. NULL: out of memory. */
struct axt_flow_scratch;
struct axt_flow_scratch *axt_flow_scratch_new(void);
void axt_flow_scratch_free(struct axt_flow_scratch *r);
size_t axt_flow_bytes(const struct axt_storage *s);
/*
 * Decodes the elements of the box out of chunk c, in stored byte order, piece by piece.
 * axt_filters_flow must have told that the filters of the storage can be undone so.
 */
int axt_flow_read(const struct axt_storage *s, struct axt_flow_scratch *r, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e);

/* The bytes of a chunk once its filters are undone. */
static inline size_t
axt_chunk_bytes(const struct axt_storage *s)
{
	int64_t n = s->chunk_count;

	for (int d = s->rank - s->inner; s->record && d < s->rank; d++)
		n /= s->dims[d];
	return (size_t)n * (s->record ? (size_t)s->record : (size_t)s->esize);
}

/*
 * Does what axt_chunk_read does, and also copies the chunk as it is stored to as_is, of *n bytes.
 * *n becomes its length; 0: it was never written, not all filters were applied, or it is longer.
 */
int axt_chunk_read_both(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    uint8_t *as_is, size_t *n, struct axt_err *e);
/* Reads the chunk as it is stored alone, in the same way. */
int axt_chunk_read_packed(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    uint8_t *as_is, size_t *n, struct axt_err *e);
/* Sets the error that chunk c is damaged; why tells how. */
int axt_bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e);
/* Sets the error that a filter could not be opened. */
int axt_bad_filter(const struct axt_storage *s, const struct axt_filter_work *w, const char *why,
    struct axt_err *e);
/*
 * A row is what is contiguous of a box in its chunk: *run elements. Returns how many dimensions
 * come before those of a row.
 */
int axt_box_rows(const struct axt_storage *s, const struct axt_chunk_box *b, int64_t *run);
/*
 * Copies the box out of a chunk in memory. If chunk is NULL, the chunk was never written, and the
 * box gets the fill value.
 */
void axt_box_copy_rows(const struct axt_storage *s, const struct axt_chunk_box *b,
    const uint8_t *chunk);
/* Swaps the elements of the box, where they were put, to native byte order. */
void axt_box_swap_rows(const struct axt_storage *s, const struct axt_chunk_box *b);
/*
 * Gives n bytes of the decoder's memory, for a whole chunk from which a box is then copied. NULL:
 * out of memory.
 */
uint8_t *axt_decoder_buffer(struct axt_decoder *z, size_t n);
/*
 * Does what axt_chunk_box does for storage that axt_storage_cut has cut. Long rows are read one by
 * one. If rows are short, everything from the first to the last one is read at once.
 */
int axt_cut_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e);
/* Advances i to the next index of dimensions [0, n). false after the last, when all are 0 again. */
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

#endif
