/*
 * chunks.c - slabs, which hold a part of an operand that is decoded or computed. For chunked
 * storage: which chunks a slab needs, and where their elements go in it.
 */
#include <stdlib.h>

#include "source/source.h"

/* ---- slabs ---- */

int
axt_slab_new(struct axt_source *s, struct axt_slab *b, struct axt_err *e)
{
	const struct axt_window *w = s->op->window;
	int64_t n = s->op->size;

	for (int i = 0; i < s->st->rank; i++)
		n *= w->region[i];
	b->cap = w->axis >= 0 ? w->region[w->axis] : 0;
	b->p = axt_scratch_new(n);
	return b->p ? 0 : axt_fail(e, AXT_E_MEM, "out of memory decoding %s", s->st->from);
}

/* The bytes of one position along the slab axis. */
static int64_t
row_bytes(const struct axt_source *s)
{
	const struct axt_window *w = s->op->window;
	int64_t row = s->op->size;

	for (int i = w->axis + 1; i < s->st->rank; i++)
		row *= w->region[i];
	return row;
}

int64_t
axt_slab_offset(const struct axt_source *s, const struct axt_slab *b)
{
	return s->op->window->axis < 0 ? 0 : b->lo * row_bytes(s);
}

/*
 * Moves the rows that are still needed to the front of the slab, and returns the first row that has
 * to be decoded. Only if the slab is cut along the first axis are rows contiguous, so that they can
 * be moved; otherwise all are decoded again.
 */
static int64_t
keep_rows(const struct axt_source *s, struct axt_slab *b, int64_t lo, int64_t hi)
{
	int64_t row = row_bytes(s);

	if (s->op->window->axis != 0 || lo < b->lo || lo >= b->hi)
		return lo;
	memmove(b->p, b->p + (lo - b->lo) * row, (size_t)((MIN(b->hi, hi) - lo) * row));
	return MIN(b->hi, hi);
}

int
axt_slab_move(struct axt_source *s, struct axt_slab *b, int64_t lo, int64_t hi, struct axt_err *e)
{
	const struct axt_window *w = s->op->window;
	bool any;

	if (w->axis >= 0 && lo < hi) {
		if (w->sel) {
			axt_sel_range(w->sel, lo, hi, &lo, &hi);
			hi++;
		}
		lo += w->lo;
		hi += w->hi;
	}
	if (w->axis >= 0 && lo >= hi) { /* this slab needs no row of the operand */
		free(b->p);
		s->mem = b->p = NULL;
		b->lo = b->hi = 0;
		b->from = lo;
		return 0;
	}
	/* axt_slab_move freed it when a concatenated part was not needed */
	if (!b->p && axt_slab_new(s, b, e))
		return -1;
	if (w->axis < 0) { /* everything is loaded, once */
		any = !b->hi;
		b->hi = 1;
	} else {
		if (hi - lo > b->cap)
			return axt_fail(e, AXT_E_LIMIT, "a slab of %s is too small", s->st->from);
		b->from = keep_rows(s, b, lo, hi);
		b->lo = lo;
		b->hi = hi;
		any = b->from < hi;
	}
	s->mem = b->p - axt_slab_offset(s, b);
	return any;
}

/* ---- chunks ---- */

struct chunks {
	struct axt_slab slab;
	/*
	 * The chunks to decode: a box in the grid of chunks, by its first chunk and its length
	 * along each axis.
	 */
	int64_t first[AXT_MAX_RANK], n[AXT_MAX_RANK];
};

static int
open_chunks(struct axt_source *s, struct axt_step_run *r, struct axt_err *e)
{
	(void)r;
	s->own = calloc(1, sizeof(struct chunks));
	return s->own ? 0 : axt_fail(e, AXT_E_MEM, "out of memory");
}

static int64_t
window(struct axt_source *s, int64_t lo, int64_t hi, struct axt_err *e)
{
	const struct axt_window *w = s->op->window;
	const struct axt_storage *st = s->st;
	struct chunks *c = s->own;
	int64_t count = axt_slab_move(s, &c->slab, lo, hi, e);

	for (int i = 0; i < st->rank && count > 0; i++) {
		int64_t from = i == w->axis ? c->slab.from : w->origin[i],
			end = i == w->axis ? c->slab.hi : w->origin[i] + w->region[i];

		c->first[i] = from / st->chunk[i];
		c->n[i] = (end - 1) / st->chunk[i] - c->first[i] + 1;
		count *= c->n[i];
	}
	return count;
}

/* The position along axis i where the slab begins. */
static int64_t
first_of(const struct axt_source *s, int i)
{
	const struct chunks *c = s->own;

	return i == s->op->window->axis ? c->slab.lo : s->op->window->origin[i];
}

/* Decodes chunk k of the box into the slab. */
static int
decode(const struct axt_source *s, struct axt_decoder *z, int64_t k, struct axt_err *e)
{
	const struct chunks *own = s->own;
	const struct axt_window *w = s->op->window;
	const struct axt_storage *st = s->st;
	int64_t at[AXT_MAX_RANK], c = 0, rest = k, to = 0, row = s->op->size;
	struct axt_chunk_box b;

	for (int i = st->rank - 1; i >= 0; i--) {
		at[i] = own->first[i] + rest % own->n[i];
		rest /= own->n[i];
		b.stride[i] = row;
		row *= w->region[i];
	}
	for (int i = 0; i < st->rank; i++) {
		bool cut = i == w->axis;
		int64_t from = cut ? own->slab.from : w->origin[i],
			end = cut ? own->slab.hi : from + w->region[i], hi;

		if (w->wanted[i] && !w->wanted[i][at[i]])
			return 0;
		c = c * st->grid[i] + at[i];
		at[i] *= st->chunk[i];
		b.lo[i] = MAX(0, from - at[i]);
		hi = MIN(MIN(st->chunk[i], st->dims[i] - at[i]), end - at[i]);
		b.n[i] = hi - b.lo[i];
		to += (at[i] + b.lo[i] - first_of(s, i)) * b.stride[i];
	}
	b.out = own->slab.p + to;
	return axt_chunk_box(st, z, c, &b, w->pieces, e);
}

static void
close_chunks(struct axt_source *s)
{
	struct chunks *c = s->own;

	if (c)
		free(c->slab.p);
	free(c);
}

static void
tell(const struct axt_storage *st, struct axt_storage_facts *f)
{
	f->decode = (int64_t)axt_decoder_bytes(st, false);
	f->flow = (int64_t)axt_decoder_bytes(st, true);
}

static bool
is_chunked(const struct axt_storage *st)
{
	return st->layout == AXT_LAYOUT_CHUNKED;
}

/*
 * Whether ranges of a file's bytes are read as if they were chunks. They are if the file is too
 * large to be mapped, or if other bytes lie between the records of the tensor.
 */
static bool
is_ranges(const struct axt_storage *st)
{
	if (st->layout == AXT_LAYOUT_RECORDS)
		return true;
	return st->layout == AXT_LAYOUT_CONTIGUOUS && !st->mem && !st->src && st->nchunks > 0 &&
	    !axt_may_map(st->count * st->esize);
}

#define CHUNKS                                                                              \
	.open = open_chunks, .window = window, .decode = decode, .load = axt_source_gather, \
	.close = close_chunks, .tell = tell
const struct axt_source_kind axt_source_chunks = { CHUNKS, .holds = is_chunked };
const struct axt_source_kind axt_source_ranges = { CHUNKS, .holds = is_ranges };
