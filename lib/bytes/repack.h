/*
 * repack.h - a chunk of a dataset that is there, decoded, changed, and packed
 * again by the dataset's own filters.
 */
#ifndef AXT_BYTES_REPACK_H
#define AXT_BYTES_REPACK_H

#include "bytes/output.h"

/*
 * Memory for one chunk. What does not fit half of the memory lies in an unlinked file that is
 * mapped; a chunk is then decoded as it flows by.
 */
struct axt_repack {
	struct axt_storage st; /* of the dataset */
	struct axt_decoder *z;
	bool pieces;
	struct axt_waiting scratch;
	uint8_t *plain;                  /* native order */
	uint8_t *stored;                 /* of `bound` bytes */
	size_t bytes, bound;             /* of a plain chunk; the most that one may be packed to */
	struct axt_pack_scratch packing; /* by the filters of the dataset */
	struct axt_filter_work work;
};

/*
 * Whether a chunk can be decoded within the memory: AXT_E_LIMIT. pack: and packed again:
 * AXT_E_DTYPE where a filter is one that axt only reads.
 */
int axt_repack_fits(const struct axt_storage *st, bool pack, int64_t memory, struct axt_err *e);
/* pack: chunks will be packed too. beside: whose folder takes the file; NULL: $TMPDIR. */
int axt_repack_open(struct axt_repack *k, const struct axt_storage *st, bool pack, int64_t memory,
    struct axt_temp *beside, struct axt_err *e);
void axt_repack_close(struct axt_repack *k);
/* Chunk c of the dataset as it is in the file it was read from, to plain. */
int axt_repack_read(struct axt_repack *k, int64_t c, struct axt_err *e);
/* The same of n bytes in `stored`; mask: filters that were skipped. */
int axt_repack_take(struct axt_repack *k, int64_t c, size_t n, uint32_t mask, struct axt_err *e);
/* The plain chunk as it is to be stored, without the filters in mask; plain is lost. Needs pack. */
int axt_repack_pack(struct axt_repack *k, uint32_t mask, const uint8_t **out, size_t *n,
    struct axt_err *e);

#endif
