/*
 * repack.h - decodes a chunk of an existing dataset, so that it can be changed, and packs it again
 * by the dataset's own filters.
 */
#ifndef AXT_BYTES_REPACK_H
#define AXT_BYTES_REPACK_H

#include "bytes/output.h"

/*
 * Memory for one chunk. If it needs more than half of the memory that there is, it is a mapped
 * unlinked file, and chunks are decoded piece by piece.
 */
struct axt_repack {
	struct axt_storage st; /* the dataset's storage */
	struct axt_decoder *z;
	bool pieces;
	struct axt_waiting scratch;
	uint8_t *plain;  /* the chunk decoded, in native byte order */
	uint8_t *stored; /* the chunk as stored; `bound` bytes */
	/* bytes of a plain chunk; the most bytes that it may be packed to */
	size_t bytes, bound;
	struct axt_pack_scratch packing; /* buffers to pack by the filters of the dataset */
	struct axt_filter_work work;
};

/*
 * Fails with AXT_E_LIMIT if a chunk cannot be decoded within the memory. With `pack` it also has to
 * be possible to pack it again; AXT_E_DTYPE if axt can only read one of the filters.
 */
int axt_repack_fits(const struct axt_storage *st, bool pack, int64_t memory, struct axt_err *e);
/*
 * Gets memory for one chunk of the dataset and, with `pack`, for packing it again. If that is more
 * than half of `memory`, it is an unlinked file in the folder of the output `beside`, or in $TMPDIR
 * if that is NULL.
 */
int axt_repack_open(struct axt_repack *k, const struct axt_storage *st, bool pack, int64_t memory,
    struct axt_temp *beside, struct axt_err *e);
void axt_repack_close(struct axt_repack *k);
/* Decodes chunk c of the dataset, as its file has it, to plain. */
int axt_repack_read(struct axt_repack *k, int64_t c, struct axt_err *e);
/* The same for n bytes in `stored`. mask: filters that were skipped when it was packed. */
int axt_repack_take(struct axt_repack *k, int64_t c, size_t n, uint32_t mask, struct axt_err *e);
/*
 * Packs the plain chunk by all filters but those in `mask`. k->plain is overwritten.
 * axt_repack_open must have been called with `pack`.
 */
int axt_repack_pack(struct axt_repack *k, uint32_t mask, const uint8_t **out, size_t *n,
    struct axt_err *e);

#endif
