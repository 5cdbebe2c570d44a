/*
 * chunks.c - windows on chunked storage and on products: which chunks a slab needs, and where they
 * go.
 */
#include <stdlib.h>

#include "source/source.h"

/*
 * Moves the rows that are needed further to the front of the slab. Only where the slab axis is the
 * slowest: elsewhere rows are not contiguous, and are decoded again.
 */
static int64_t
keep_rows(struct axt_source *s, int64_t lo, int64_t hi)
{
	int64_t row = axt_source_row(s);

	if (s->op->slab_axis != 0 || lo < s->slab_lo || lo >= s->slab_hi)
		return lo;
	memmove(s->slab, s->slab + (lo - s->slab_lo) * row,
	    (size_t)((MIN(s->slab_hi, hi) - lo) * row));
	return MIN(s->slab_hi, hi);
}

int
axt_source_window(struct axt_source *s, int64_t lo, int64_t hi, struct axt_chunk_job *job,
    struct axt_err *e)
{
	const struct axt_storage *st = s->st;
	const struct axt_operand *op = s->op;
	int ax = op->slab_axis;

	*job = (struct axt_chunk_job){ .src = s, .count = 1 };
	if (ax >= 0 && lo < hi) {
		if (op->slab_sel) {
			axt_sel_range(op->slab_sel, lo, hi, &lo, &hi);
			hi++;
		}
		lo += op->slab_lo;
		hi += op->slab_hi;
	}
	job->lo = lo;
	job->hi = hi;
	if (ax >= 0 && lo >= hi) { /* no row of it is needed for this slab */
		free(s->slab);
		s->slab = NULL;
		s->slab_lo = s->slab_hi = job->count = 0;
		return 0;
	}
	/* freed above, where a concatenated part was not needed */
	if (!s->slab && axt_source_alloc_slab(s, e))
		return -1;
	if (ax < 0) { /* all of it, once */
		job->count = !s->slab_hi;
		s->slab_hi = 1;
	} else {
		if (hi - lo > s->slab_cap)
			return axt_fail(e, AXT_E_LIMIT, "a slab of %s is too small", st->from);
		job->lo = keep_rows(s, lo, hi);
		s->slab_lo = lo;
		s->slab_hi = hi;
		job->count = job->lo < hi;
	}
	if (op->product)
		return 0;
	for (int i = 0; i < st->rank; i++) {
		int64_t from = i == ax ? job->lo : op->origin[i],
			end = i == ax ? hi : op->origin[i] + op->region[i];

		job->first[i] = from / st->chunk[i];
		job->n[i] = (end - 1) / st->chunk[i] - job->first[i] + 1;
		job->count *= job->n[i];
	}
	return 0;
}

/* The position along axis i at which the slab begins. */
static int64_t
first_of(const struct axt_source *s, int i)
{
	return i == s->op->slab_axis ? s->slab_lo : s->op->origin[i];
}

int
axt_source_decode(const struct axt_chunk_job *job, int64_t k, struct axt_decoder *z,
    struct axt_err *e)
{
	const struct axt_source *s = job->src;
	const struct axt_storage *st = s->st;
	int64_t at[AXT_MAX_RANK], c = 0, rest = k, to = 0, row = s->op->size;
	struct axt_chunk_box b;

	for (int i = st->rank - 1; i >= 0; i--) {
		at[i] = job->first[i] + rest % job->n[i];
		rest /= job->n[i];
		b.stride[i] = row;
		row *= s->op->region[i];
	}
	for (int i = 0; i < st->rank; i++) {
		bool cut = i == s->op->slab_axis;
		int64_t from = cut ? job->lo : s->op->origin[i],
			end = cut ? job->hi : from + s->op->region[i], hi;

		if (s->op->wanted[i] && !s->op->wanted[i][at[i]])
			return 0;
		c = c * st->grid[i] + at[i];
		at[i] *= st->chunk[i];
		b.lo[i] = MAX(0, from - at[i]);
		hi = MIN(MIN(st->chunk[i], st->dims[i] - at[i]), end - at[i]);
		b.n[i] = hi - b.lo[i];
		to += (at[i] + b.lo[i] - first_of(s, i)) * b.stride[i];
	}
	b.out = s->slab + to;
	return axt_chunk_box(st, z, c, &b, s->op->pieces, e);
}
