/*
 * source.h - the operands of a step while it runs: bytes mapped, read, decoded or taken from a pipe, given to
 * the evaluator tile by tile.
 */
#ifndef AXT_SOURCE_SOURCE_H
#define AXT_SOURCE_SOURCE_H

#include "base/threads.h"
#include "bytes/output.h"
#include "plan/plan.h"

/* What an operand needs while a step runs, shared by its threads. */
struct axt_source {
	const struct axt_operand *op;
	const struct axt_storage *st;
	const uint8_t *mem;		/* element 0 of the storage in memory, or NULL: pread */
	bool owned;			/* mem was allocated for an unmapped gather */
	void *map;
	size_t map_bytes;
	/* CHUNKED: rows [slab_lo, slab_hi) of slab_axis, or the whole */
	uint8_t *slab;
	int64_t slab_lo, slab_hi, slab_cap;	/* a stream's count elements */
	struct axt_product_run *product;	/* computes the slab; NULL: it is no product */
	struct axt_joined_run *joined;		/* the parts it is joined from, or NULL */
};
int axt_source_open(struct axt_source *s, const struct axt_operand *op,
    const struct axt_storage *st, struct axt_err *e);
/* Takes part id of n out of the page tables: unmapping at the end is a thread's alone. */
void axt_source_forget(const struct axt_source *s, int id, int n);
void axt_source_close(struct axt_source *s);
/*
 * The tile's elements in the tile's order, native: a pointer into memory, or buf filled (count
 * elements). NULL: error. The tile may be seen as rows of `cols` elements, one per index of
 * dimensions [0, rows): *ld is where the next row begins.
 */
const void *axt_source_load(const struct axt_source *s, const struct axt_space *sp,
    const struct axt_tile *t, int rows, int64_t cols, void *buf, int64_t *ld, struct axt_err *e);
/* Elements [lo, lo + n) of a stream, never before those that `last`, which may be s, took. */
int axt_source_take(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n,
    struct axt_err *e);
/* Room for a slab. */
int axt_source_room(struct axt_source *s, struct axt_err *e);
/* Bytes of an index of the slab axis. */
static inline int64_t
axt_source_row(const struct axt_source *s)
{
	int64_t row = s->op->size;

	for (int i = s->op->slab_axis + 1; i < s->st->rank; i++)
		row *= s->op->region[i];
	return row;
}
/*
 * source/chunks.c: moves the window of a chunked source to [lo, hi): what is held already is
 * kept; first..last chunks are to be decoded.
 */
struct axt_chunk_job {
	struct axt_source *src;
	int64_t lo, hi;			/* rows to decode */
	int64_t first[AXT_MAX_RANK], n[AXT_MAX_RANK], count;	/* chunks: box of the grid */
};
int axt_source_window(struct axt_source *s, int64_t lo, int64_t hi, struct axt_chunk_job *job,
    struct axt_err *e);
/* Decodes chunk k of a job into its place. */
int axt_source_decode(const struct axt_chunk_job *job, int64_t k, struct axt_decoder *z,
    struct axt_err *e);
/* source/streams.c: pipes among the operands. Marks all of e to be kept. */
int axt_streams_keep(struct axt_graph *g, struct axt_expr *const e[], int n);
/* Marks what the plan does not take in order, once, to be kept: true when that is news. */
bool axt_streams_check(struct axt_graph *g, const struct axt_plan *p);
/* Pulls what is marked. */
int axt_streams_spool(struct axt_graph *g, const struct axt_plan *p);
/* What a plan needs to know of storage: an axt_facts_fn. */
void axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f);
/* Whether the run is to end: the reader of its output has no need of it. */
static inline bool
axt_cancelled(const struct axt_graph *g, struct axt_err *e)
{
	return __atomic_load_n(&g->cancelled, __ATOMIC_RELAXED) &&
	    axt_fail(e, AXT_E_CANCELLED, "the plan was taken");
}
/* Whether files may be mapped: the handler of axt_guard_mapped_files is installed. */
bool axt_guarded(void);
/* Set by that handler when a mapped page was gone. */
bool axt_guard_hit(void);

#endif
