/* chunk.h - what the two ways to decode a chunk share: whole, and as it flows by. */
#ifndef AXT_BYTES_CHUNK_H
#define AXT_BYTES_CHUNK_H

#include "bytes/bytes.h"

/* Buffers to decode a chunk as it flows by, of any storage; NULL: out of memory. */
struct axt_flow_scratch;
struct axt_flow_scratch *axt_flow_scratch_new(void);
void axt_flow_scratch_free(struct axt_flow_scratch *r);
size_t axt_flow_bytes(const struct axt_storage *s);
/*
 * Decodes what the box wants of chunk c, in the stored byte order. Its filters are known to flow.
 */
int axt_flow_read(const struct axt_storage *s, struct axt_flow_scratch *r, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e);

/* The error that chunk c is damaged in that way. */
int axt_bad_chunk(const struct axt_storage *s, int64_t c, const char *why, struct axt_err *e);
/* The error that a filter could not be opened. */
int axt_bad_filter(const struct axt_storage *s, const struct axt_filter_work *w, const char *why,
    struct axt_err *e);
/* Rows of a box: how many elements lie one after another, and the dimensions before them. */
int axt_box_rows(const struct axt_storage *s, const struct axt_chunk_box *b, int64_t *run);
/* The box out of a chunk in memory; NULL: elements that were never written. */
void axt_box_copy_rows(const struct axt_storage *s, const struct axt_chunk_box *b,
    const uint8_t *chunk);
/* What is in the box's place to native order. */
void axt_box_swap_rows(const struct axt_storage *s, const struct axt_chunk_box *b);
/* n bytes of the decoder's for a chunk of which a box is wanted. NULL: out of memory. */
uint8_t *axt_decoder_buffer(struct axt_decoder *z, size_t n);
/*
 * axt_chunk_box of a storage that axt_storage_cut cut: rows are read one by one where they are
 * long, else all that lies from the first to the last.
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

#endif
