/* slice.c - the values of a slice of a dataset, by chunks or from memory. */
#include <stdlib.h>

#include "bytes/boxes.h"
#include "bytes/bytes.h"

/* Decodes the chunks the slice touches. */
static int
read_chunks(const struct axt_storage *st, const struct axt_slice_dim *dim, uint8_t *out,
    struct axt_err *e)
{
	struct axt_decoder *z = axt_decoder_new();
	uint8_t *chunk = malloc((size_t)(st->chunk_count * st->esize) + 1);
	int64_t stride[AXT_MAX_RANK], n = 1;
	struct axt_boxes b = { 0 };
	bool fresh;

	for (int d = st->rank - 1; d >= 0; d--) {
		stride[d] = n;
		n *= st->chunk[d];
	}
	if (!z || !chunk)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else
		axt_boxes_init(&b, st->rank, st->esize, dim, st->chunk, e);
	while (!e->code && axt_boxes_next(&b, &fresh)) {
		int64_t c = 0, at = 0;

		for (int d = 0; d < st->rank; d++) {
			const struct axt_piece *p = axt_box(&b, d);

			c = c * st->grid[d] + p->chunk;
			at += p->index % st->chunk[d] * stride[d];
		}
		if (fresh && axt_chunk_read(st, z, c, chunk, e))
			break;
		axt_box_copy(&b, out, chunk + at * st->esize, stride, true, true);
	}
	axt_boxes_free(&b);
	axt_decoder_free(z);
	free(chunk);
	return e->code;
}

/* What lies in memory as it is stored, or was never written. */
static int
read_small(const struct axt_storage *st, const struct axt_slice_dim *dim, int64_t count,
    uint8_t *out, struct axt_err *e)
{
	int64_t stride[AXT_MAX_RANK], n = 1;
	struct axt_boxes b;
	bool fresh;

	for (int64_t k = 0; !st->mem && k < count; k++)
		memcpy(out + k * st->esize, st->fill_bytes, (size_t)st->esize);
	if (!st->mem)
		return 0;
	for (int d = st->rank - 1; d >= 0; d--) {
		stride[d] = n;
		n *= st->dims[d];
	}
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
    void *out, struct axt_err *e)
{
	return st->layout == AXT_LAYOUT_CHUNKED ? read_chunks(st, dim, out, e)
	    : read_small(st, dim, count, out, e);
}
