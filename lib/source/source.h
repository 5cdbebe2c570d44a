/*
 * source.h - the operands of a step while it runs: their bytes are mapped, read, decoded or taken
 * from a pipe, and given to the evaluator tile by tile.
 */
#ifndef AXT_SOURCE_SOURCE_H
#define AXT_SOURCE_SOURCE_H

#include "base/threads.h"
#include "bytes/output.h"
#include "plan/plan.h"

/* An operand while a step runs. The threads of the step share it. */
struct axt_source {
	const struct axt_operand *op;
	const struct axt_storage *st;
	const uint8_t *mem; /* element 0 of the storage, or NULL: use pread */
	bool owned;         /* mem was allocated, since the file is not mapped */
	void *map;
	size_t map_bytes;
	/* the rows [slab_lo, slab_hi) along slab_axis, or all */
	uint8_t *slab;
	/* for a stream: elements, counted from its beginning */
	int64_t slab_lo, slab_hi, slab_cap;
	struct axt_product_run *product; /* computes the slab; NULL: it is no product */
	struct axt_parts_run *joined;    /* the parts it is concatenated from, or NULL */
};
int axt_source_open(struct axt_source *s, const struct axt_operand *op,
    const struct axt_storage *st, struct axt_err *e);
/*
 * Removes share id of n of the mapping from the page tables, in parallel: at the end munmap would
 * do all of it in one thread.
 */
void axt_source_forget(const struct axt_source *s, int id, int n);
void axt_source_close(struct axt_source *s);
/*
 * The tile's elements in the tile's order and native byte order: a pointer into memory, or to buf,
 * filled with them. NULL on error. The tile may be seen as rows of `cols` elements, one per index
 * of dimensions [0, rows): then rows begin *ld elements apart.
 */
const void *axt_source_load(const struct axt_source *s, const struct axt_space *sp,
    const struct axt_tile *t, int rows, int64_t cols, void *buf, int64_t *ld, struct axt_err *e);
/*
 * Takes elements [lo, lo + n) of a stream, once `last` (which may be s) has taken all before them.
 */
int axt_source_take(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n,
    struct axt_err *e);
/* Allocates the slab. */
int axt_source_alloc_slab(struct axt_source *s, struct axt_err *e);
/* The bytes of one position along the slab axis. */
static inline int64_t
axt_source_row(const struct axt_source *s)
{
	int64_t row = s->op->size;

	for (int i = s->op->slab_axis + 1; i < s->st->rank; i++)
		row *= s->op->region[i];
	return row;
}
/*
 * ---- chunks.c: moves the window of a chunked source to rows [lo, hi). Rows in the old window are
 * kept; the job says which chunks are to be decoded. ----
 */
struct axt_chunk_job {
	struct axt_source *src;
	int64_t lo, hi; /* rows to decode */
	/* chunks: a box of the grid, and how many */
	int64_t first[AXT_MAX_RANK], n[AXT_MAX_RANK], count;
};
int axt_source_window(struct axt_source *s, int64_t lo, int64_t hi, struct axt_chunk_job *job,
    struct axt_err *e);
/* Decodes chunk k of a job into the slab. */
int axt_source_decode(const struct axt_chunk_job *job, int64_t k, struct axt_decoder *z,
    struct axt_err *e);
/* ---- streams.c: pipes among the operands. Marks all pipes in e to be spooled. ---- */
int axt_streams_keep(struct axt_graph *g, struct axt_expr *const e[], int n);
/*
 * Marks the pipes that the plan does not take once and in order to be spooled; true when it marked
 * any.
 */
bool axt_streams_check(struct axt_graph *g, const struct axt_plan *p);
/* Spools the pipes that are marked. */
int axt_streams_spool(struct axt_graph *g, const struct axt_plan *p);
/* Tells the planner what it needs to know of storage. An axt_facts_fn. */
void axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f);
/* Whether the run should stop because the reader of its output took the plan instead. */
static inline bool
axt_cancelled(const struct axt_graph *g, struct axt_err *e)
{
	return __atomic_load_n(&g->cancelled, __ATOMIC_RELAXED) &&
	    axt_fail(e, AXT_E_CANCELLED, "the plan was taken");
}
/* Whether files may be mapped: axt_guard_mapped_files has installed its handler. */
bool axt_guarded(void);
/* Whether that handler has met a page that is gone. */
bool axt_guard_hit(void);

#endif
