/*
 * chunkbox.c - boxes of chunks: their rows, and those of chunks that are ranges of a contiguous
 * storage. No libhdf5: any thread.
 */
#include "bytes/chunk.h"

#define CUT (1 << 20)    /* about how many bytes a chunk has that is cut from contiguous storage */
#define APART (16 << 10) /* rows of at least so many bytes are read one by one */

int
axt_box_rows(const struct axt_storage *s, const struct axt_chunk_box *b, int64_t *run)
{
	int d = s->rank - 1;

	*run = b->n[d];
	for (; d > 0 && b->n[d] == s->chunk[d] &&
	     (b->n[d - 1] == 1 || b->stride[d - 1] == *run * s->esize);
	     d--)
		*run *= b->n[d - 1];
	return d;
}

/* The element of the chunk that a row of the box begins with. */
static int64_t
row_first(const struct axt_storage *s, const struct axt_chunk_box *b, int rows, const int64_t *i)
{
	int64_t first = 0;

	for (int d = 0; d < s->rank; d++)
		first = first * s->chunk[d] + b->lo[d] + (d < rows ? i[d] : 0);
	return first;
}

void
axt_box_copy_rows(const struct axt_storage *s, const struct axt_chunk_box *b, const uint8_t *chunk)
{
	int64_t i[AXT_MAX_RANK] = { 0 }, run;
	int rows = axt_box_rows(s, b, &run);
	size_t bytes = (size_t)run * (size_t)s->esize;

	do {
		int64_t first = row_first(s, b, rows, i), to = 0;

		for (int d = 0; d < rows; d++)
			to += i[d] * b->stride[d];
		if (chunk)
			memcpy(b->out + to, chunk + (size_t)first * (size_t)s->esize, bytes);
		else
			axt_fill(s, b->out + to, run);
	} while (axt_box_step(b, rows, i));
}

void
axt_box_swap_rows(const struct axt_storage *s, const struct axt_chunk_box *b)
{
	int64_t i[AXT_MAX_RANK] = { 0 }, run;
	int rows = axt_box_rows(s, b, &run);

	if (!s->swap)
		return;
	do {
		uint8_t *to = b->out;

		for (int d = 0; d < rows; d++)
			to += i[d] * b->stride[d];
		axt_swap(s, to, run);
	} while (axt_box_step(b, rows, i));
}

/* ---- chunks that are ranges of a contiguous storage ---- */

void
axt_storage_cut(struct axt_storage *s)
{
	int64_t room = MAX(1, CUT / s->esize);

	if (s->layout != AXT_LAYOUT_CONTIGUOUS || s->mem || s->src)
		return;
	s->nchunks = s->chunk_count = 1;
	for (int d = s->rank - 1; d >= 0; d--) {
		s->chunk[d] = MAX(1, MIN(s->dims[d], room));
		s->grid[d] = (s->dims[d] + s->chunk[d] - 1) / s->chunk[d];
		room = s->chunk[d] < s->dims[d] ? 1 : room / s->chunk[d];
		s->nchunks *= s->grid[d];
		s->chunk_count *= s->chunk[d];
	}
}

/* Where a chunk begins in the file. */
static uint64_t
cut_at(const struct axt_storage *s, int64_t c)
{
	int64_t at = 0, n = 1;

	for (int d = s->rank - 1; d >= 0; d--) {
		at += c % s->grid[d] * s->chunk[d] * n;
		n *= s->dims[d];
		c /= s->grid[d];
	}
	return s->offset + (uint64_t)at * (uint64_t)s->esize;
}

int
axt_cut_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e)
{
	int64_t i[AXT_MAX_RANK] = { 0 }, last[AXT_MAX_RANK], run;
	int rows = axt_box_rows(s, b, &run);
	uint8_t *p;
	uint64_t at = cut_at(s, c), size = (uint64_t)s->esize, from, end;

	for (int d = 0; d < s->rank; d++)
		last[d] = b->n[d] - 1;
	if (rows > 0 && run * s->esize < APART) {
		from = (uint64_t)row_first(s, b, rows, i) * size;
		end = (uint64_t)(row_first(s, b, rows, last) + run) * size;
		p = axt_decoder_buffer(z, (size_t)s->chunk_count * (size_t)s->esize);
		if (!p)
			return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		if (axt_pread(s, at + from, end - from, p + from, e))
			return e->code;
		axt_box_copy_rows(s, b, p);
	} else {
		do {
			uint8_t *to = b->out;

			for (int d = 0; d < rows; d++)
				to += i[d] * b->stride[d];
			from = (uint64_t)row_first(s, b, rows, i) * size;
			if (axt_pread(s, at + from, (size_t)run * size, to, e))
				return e->code;
		} while (axt_box_step(b, rows, i));
	}
	axt_box_swap_rows(s, b);
	return AXT_OK;
}
