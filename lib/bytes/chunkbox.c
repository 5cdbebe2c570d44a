/*
 * chunkbox.c - boxes of chunks: the rows of a box; and boxes of storage that axt_storage_cut has
 * cut into ranges of its bytes. Any thread may call these functions.
 */
#include "bytes/chunk.h"

#define CUT (1 << 20)    /* about how many bytes a chunk has that is cut from contiguous storage */
#define APART (16 << 10) /* rows of at least so many bytes are read one by one */

int
axt_box_rows(const struct axt_storage *s, const struct axt_chunk_box *b, int64_t *run)
{
	bool apart = s->layout == AXT_LAYOUT_RECORDS; /* a row ends where a record does */
	int d = s->rank - 1;

	if (d < 0) { /* one element */
		*run = 1;
		return 0;
	}
	if (apart && d == 0) {
		*run = 1;
		return 1;
	}
	*run = b->n[d];
	for (; d > apart && b->n[d] == s->chunk[d] &&
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

/* ---- chunks that are ranges of the bytes of a storage ---- */

/* The bytes in the file from one index of each dimension to the next. */
static void
steps(const struct axt_storage *s, uint64_t *step)
{
	uint64_t n = (uint64_t)s->esize;

	for (int d = s->rank - 1; d >= 0; d--) {
		step[d] = d == 0 && s->layout == AXT_LAYOUT_RECORDS ? s->record : n;
		n *= (uint64_t)s->dims[d];
	}
}

void
axt_storage_cut(struct axt_storage *s)
{
	bool records = s->layout == AXT_LAYOUT_RECORDS;
	uint64_t step[AXT_MAX_RANK];
	int64_t room = MAX(1, CUT / s->esize);

	if (!records && (s->layout != AXT_LAYOUT_CONTIGUOUS || s->mem || s->src))
		return;
	steps(s, step);
	s->nchunks = s->chunk_count = 1;
	for (int d = s->rank - 1; d >= 0; d--) {
		if (d == 0 && records && room > 1)
			room = (int64_t)MAX(1, CUT / s->record);
		s->chunk[d] = MAX(1, MIN(s->dims[d], room));
		s->grid[d] = (s->dims[d] + s->chunk[d] - 1) / s->chunk[d];
		room = s->chunk[d] < s->dims[d] ? 1 : room / s->chunk[d];
		s->nchunks *= s->grid[d];
		s->chunk_count *= s->chunk[d];
	}
}

/* How many records chunk c has, less what would lie beyond an edge. */
static int64_t
records_of(const struct axt_storage *s, int64_t c)
{
	int64_t n = 1;

	for (int k = s->rank - s->inner - 1; k >= 0; k--) {
		n *= MIN(s->chunk[k], s->dims[k] - c % s->grid[k] * s->chunk[k]);
		c /= s->grid[k];
	}
	return n;
}

/* Reads the only record of a storage without dimensions. */
static int
single_record(struct axt_arena *m, struct axt_storage *s, uint64_t addr, struct axt_err *e)
{
	uint8_t *p = axt_alloc(m, s->record), *out = axt_alloc(m, (size_t)s->esize);

	if (!p || !out)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (s->mem)
		memcpy(p, (const uint8_t *)s->mem + addr, s->record);
	else if (axt_pread(s, addr, s->record, p, e))
		return e->code;
	if (s->number)
		axt_number_load(s->number, p + s->within, 1, out);
	else
		memcpy(out, p + s->within, (size_t)s->esize);
	s->layout = AXT_LAYOUT_COMPACT;
	s->record = 0;
	s->mem = out;
	return AXT_OK;
}

int
axt_records_cut(struct axt_arena *m, struct axt_storage *s, uint64_t addr, struct axt_err *e)
{
	int64_t room = MAX(1, CUT / (int64_t)s->record);
	int rank = s->rank - s->inner;

	if (s->rank == 0)
		return single_record(m, s, addr, e);
	s->layout = AXT_LAYOUT_CHUNKED;
	s->short_edges = true;
	s->nchunks = s->chunk_count = 1;
	for (int k = s->rank - 1; k >= 0; k--) {
		s->chunk[k] = k < rank ? MAX(1, MIN(s->dims[k], room)) : s->dims[k];
		s->grid[k] = (s->dims[k] + s->chunk[k] - 1) / s->chunk[k];
		if (k < rank)
			room = s->chunk[k] < s->dims[k] ? 1 : room / s->chunk[k];
		s->nchunks *= s->grid[k];
		s->chunk_count *= s->chunk[k];
	}
	s->chunks = axt_alloc(m, (size_t)s->nchunks * sizeof(*s->chunks));
	if (!s->chunks)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int64_t c = 0; c < s->nchunks; c++) {
		uint64_t n = (uint64_t)records_of(s, c) * s->record;

		s->chunks[c] = (struct axt_chunk_loc){ addr, (uint32_t)n, 0 };
		addr += n;
	}
	return AXT_OK;
}

/* Where a chunk begins in the file, or in s->mem. */
static uint64_t
cut_at(const struct axt_storage *s, const uint64_t *step, int64_t c)
{
	uint64_t at = s->mem ? 0 : s->offset;

	for (int d = s->rank - 1; d >= 0; d--) {
		at += (uint64_t)(c % s->grid[d] * s->chunk[d]) * step[d];
		c /= s->grid[d];
	}
	return at;
}

static int
read_cut(const struct axt_storage *s, uint64_t at, size_t n, uint8_t *out, struct axt_err *e)
{
	if (!s->mem)
		return axt_pread(s, at, n, out, e);
	memcpy(out, (const uint8_t *)s->mem + at, n);
	return AXT_OK;
}

int
axt_cut_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, struct axt_err *e)
{
	int64_t i[AXT_MAX_RANK] = { 0 }, run;
	int rows = axt_box_rows(s, b, &run);
	size_t bytes = (size_t)run * (size_t)s->esize;
	uint64_t step[AXT_MAX_RANK], at, all = bytes;
	uint8_t *p = NULL;

	steps(s, step);
	at = cut_at(s, step, c);
	for (int d = 0; d < s->rank; d++) {
		at += (uint64_t)b->lo[d] * step[d];
		if (d < rows)
			all += (uint64_t)(b->n[d] - 1) * step[d];
	}
	/* short rows are taken out of one piece of the file, which has them all */
	if (rows > 0 && bytes < APART) {
		p = axt_decoder_buffer(z, (size_t)all);
		if (!p)
			return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		if (read_cut(s, at, (size_t)all, p, e))
			return e->code;
	}
	do {
		uint64_t from = 0;
		uint8_t *to = b->out;

		for (int d = 0; d < rows; d++) {
			from += (uint64_t)i[d] * step[d];
			to += i[d] * b->stride[d];
		}
		if (p)
			memcpy(to, p + from, bytes);
		else if (read_cut(s, at + from, bytes, to, e))
			return e->code;
		axt_swap(s, to, run);
	} while (axt_box_step(b, rows, i));
	return AXT_OK;
}
