/*
 * boxes.h - for the rooms that assign values: cuts a slice of a dataset into boxes. A box is in one
 * chunk, and its positions along each dimension are evenly spaced.
 */
#ifndef AXT_BYTES_BOXES_H
#define AXT_BYTES_BOXES_H

#include "bytes/output.h"

/*
 * Positions index, index + step, ... of the storage, along one dimension. place: the position in
 * the slice of the first one; those of the others follow it in direction dir. chunk: the number of
 * their chunk.
 */
struct axt_piece {
	int64_t index, step, len, place, chunk;
	int dir; /* 1 or -1 */
};

struct axt_boxes {
	int rank, esize;
	int64_t len[AXT_MAX_RANK];    /* of the slice */
	int64_t stride[AXT_MAX_RANK]; /* of the slice, row-major, in elements */
	/* pieces along each dimension, sorted by chunk; in each, positions in the storage rise */
	int64_t n[AXT_MAX_RANK];
	struct axt_piece *piece[AXT_MAX_RANK];
	/* the first piece of each chunk, and the end */
	int64_t ngroups[AXT_MAX_RANK], *group[AXT_MAX_RANK];
	/* The current box. */
	int64_t g[AXT_MAX_RANK], p[AXT_MAX_RANK];
	bool begun, empty;
};

/*
 * Begins to cut the slice dim[] of `rank` dimensions into boxes. chunk: the chunk lengths, or NULL
 * if the storage is one chunk. axt_boxes_free frees what b has.
 */
int axt_boxes_init(struct axt_boxes *b, int rank, int esize, const struct axt_slice_dim *dim,
    const int64_t *chunk, struct axt_err *e);
void axt_boxes_free(struct axt_boxes *b);
/*
 * Moves to the next box. Boxes of one chunk follow each other. Returns false after the last one.
 * *fresh: whether this box is in another chunk than the one before it.
 */
bool axt_boxes_next(struct axt_boxes *b, bool *fresh);
static inline const struct axt_piece *
axt_box(const struct axt_boxes *b, int d)
{
	return &b->piece[d][b->p[d]];
}
/*
 * The number of the chunk of st that contains the box, row-major over the grid. *at: the index of
 * the element of the chunk that the box begins with.
 */
int64_t axt_box_chunk(const struct axt_boxes *b, const struct axt_storage *st, int64_t *at);
/* Strides of a row-major array, in elements. */
void axt_row_strides(int rank, const int64_t *len, int64_t *stride);
/*
 * Copies the box between the slice, which is row-major at `slice`, and other memory, in which its
 * first element is at `other`, and stride[d] is the distance in elements between neighbours along
 * dimension d: neighbours in the box or, with `stepped`, in the storage, where those of the box are
 * `step` apart.
 */
void axt_box_copy(const struct axt_boxes *b, uint8_t *slice, uint8_t *other, const int64_t *stride,
    bool stepped, bool to_slice);

/*
 * In slice.c: reads the values of the slice dim[], in native byte order, from storage that is not
 * contiguous in a file. memory and beside are as for axt_repack_open.
 */
int axt_slice_values(const struct axt_storage *st, const struct axt_slice_dim *dim, int64_t count,
    int64_t memory, struct axt_temp *beside, void *out, struct axt_err *e);

#endif
