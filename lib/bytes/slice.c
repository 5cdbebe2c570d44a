/* slice.c - the values of a slice of a dataset, by chunks or from memory. */
#include "bytes/boxes.h"
#include "bytes/repack.h"

/* Decodes the chunks that have elements of the slice. */
static int
read_chunks(const struct axt_storage *st, const struct axt_slice_dim *dim, int64_t memory,
    struct axt_temp *beside, uint8_t *out, struct axt_err *e)
{
	int64_t stride[AXT_MAX_RANK], c, at;
	struct axt_boxes b = { 0 };
	struct axt_repack k;
	bool fresh;

	axt_row_strides(st->rank, st->chunk, stride);
	if (axt_repack_open(&k, st, false, memory, beside, e) == 0)
		axt_boxes_init(&b, st->rank, st->esize, dim, st->chunk, e);
	while (!e->code && axt_boxes_next(&b, &fresh)) {
		c = axt_box_chunk(&b, st, &at);
		if (!fresh || axt_repack_read(&k, c, e) == 0)
			axt_box_copy(&b, out, k.plain + at * st->esize, stride, true, true);
	}
	axt_boxes_free(&b);
	axt_repack_close(&k);
	return e->code;
}

/* Reads a slice of storage that is in memory, or that was never written. */
static int
read_small(const struct axt_storage *st, const struct axt_slice_dim *dim, int64_t count,
    uint8_t *out, struct axt_err *e)
{
	int64_t stride[AXT_MAX_RANK];
	struct axt_boxes b;
	bool fresh;

	if (!st->mem) {
		axt_fill(st, out, count);
		return 0;
	}
	axt_row_strides(st->rank, st->dims, stride);
	if (axt_boxes_init(&b, st->rank, st->esize, dim, NULL, e))
		return e->code;
	while (axt_boxes_next(&b, &fresh)) {
		int64_t at = 0;

		for (int d = 0; d < st->rank; d++)
			at += axt_box(&b, d)->index * stride[d];
		axt_box_copy(&b, out, (uint8_t *)st->mem + at * st->esize, stride, true, true);
	}
	axt_boxes_free(&b);
	axt_swap(st, out, count);
	return 0;
}

int
axt_slice_values(const struct axt_storage *st, const struct axt_slice_dim *dim, int64_t count,
    int64_t memory, struct axt_temp *beside, void *out, struct axt_err *e)
{
	return st->layout == AXT_LAYOUT_CHUNKED ? read_chunks(st, dim, memory, beside, out, e)
						: read_small(st, dim, count, out, e);
}
