/*
 * source.h - the operands of a step while it runs. Their bytes are mapped, read, decoded or taken
 * from a pipe, and passed to the evaluator tile by tile.
 */
#ifndef AXT_SOURCE_SOURCE_H
#define AXT_SOURCE_SOURCE_H

#include "base/threads.h"
#include "bytes/output.h"
#include "plan/plan.h"

struct axt_step_run; /* a step while it runs; see eval/step.h */
struct axt_worker;   /* a thread of the step, with its buffers */

/* An operand while a step runs, shared by the threads of the step. */
struct axt_source {
	const struct axt_source_kind *kind;
	const struct axt_operand *op;
	const struct axt_storage *st; /* NULL: this kind needs no storage */
	/*
	 * Where element 0 is in memory, or would be if the slab held all elements; NULL: the
	 * operand is not in memory.
	 */
	const uint8_t *mem;
	int64_t units; /* how many chunks, or other units, the current slab has to decode */
	void *own;     /* what only this kind of source has */
};

/* A tile that a thread asks a source for. */
struct axt_asked_tile {
	const struct axt_space *sp;
	const struct axt_tile *t;
	/*
	 * The tile may be returned as rows of `cols` elements, one row for each index of the first
	 * `rows` dimensions. The rows are then *ld elements apart, which is `cols` before the call.
	 */
	int rows;
	int64_t cols, *ld;
	void *buf; /* large enough for it */
	struct axt_worker *w;
	struct axt_err *e;
};

/*
 * A kind of source. Each has a row in sources.def and a file of its own, which is in lib/eval if
 * steps compute its values. All functions but load may be NULL.
 */
struct axt_source_kind {
	/* Of rows of STORAGE: whether this kind is used for such storage. NULL: for any. */
	bool (*holds)(const struct axt_storage *st);
	/* Tells the planner what it needs to know in addition to dims and chunk. */
	void (*tell)(const struct axt_storage *st, struct axt_storage_facts *f);
	/*
	 * Called before the threads start. kind, op and st are set; so is mem, if the values of the
	 * storage are those of an earlier step, in memory.
	 */
	int (*open)(struct axt_source *s, struct axt_step_run *r, struct axt_err *e);
	/*
	 * For sources reached slab by slab: moves the slab to rows [lo, hi). Returns how many units
	 * have to be decoded before tiles of these rows can be loaded; -1: error.
	 */
	int64_t (*window)(struct axt_source *s, int64_t lo, int64_t hi, struct axt_err *e);
	/* Decodes unit k; any thread may call it. */
	int (*decode)(const struct axt_source *s, struct axt_decoder *z, int64_t k,
	    struct axt_err *e);
	/*
	 * For sources reached in order: reads elements [lo, lo + n), after `last` has read all
	 * elements before them; last may be s. Threads may have sources of their own, which read
	 * slabs in turn.
	 */
	int (*take)(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n,
	    struct axt_err *e);
	/*
	 * Returns the elements of the tile, in its order and in native byte order: a pointer into
	 * memory, or buf after filling it. NULL: error.
	 */
	const void *(*load)(struct axt_source *s, const struct axt_asked_tile *x);
	/*
	 * Called at the end by n threads: each removes its share `id` of the mappings from the page
	 * tables. munmap alone would do all of it in a single thread.
	 */
	void (*forget)(const struct axt_source *s, int id, int n);
	/* Closes what was opened, also if opening failed. */
	void (*close)(struct axt_source *s);
};
#define SOURCE(ID, name, reach, words) extern const struct axt_source_kind axt_source_##name;
#include "sources.def"
#undef SOURCE

static inline void
axt_source_close(struct axt_source *s)
{
	if (s->kind && s->kind->close)
		s->kind->close(s);
}
/* The tile where it is in memory, in rows; NULL: it has to be loaded. */
const void *axt_source_there(const struct axt_source *s, const struct axt_asked_tile *x);
/* Loads a tile from s->mem, where it is used in place or gathered. */
const void *axt_source_gather(struct axt_source *s, const struct axt_asked_tile *x);
/*
 * Fills buf run by run: `fill` makes n elements of the source, the first of which is element `at`,
 * and which are `stride` apart. fill NULL: they are copied from s->mem.
 */
typedef void axt_fill_fn(uint8_t *out, const struct axt_source *s, int64_t at, int64_t stride,
    int64_t n);
void axt_source_fill(const struct axt_source *s, const struct axt_asked_tile *x, axt_fill_fn *fill);
/* Converts n elements from stored to native byte order. */
void axt_source_swap(const struct axt_source *s, void *p, int64_t n);
/* Whether the source is a mapped file, so that `forget` frees memory. */
bool axt_source_is_mapped(const struct axt_source *s);

/* ---- chunks.c: slabs of sources that are reached slab by slab ---- */

struct axt_slab {
	uint8_t *p;
	int64_t lo, hi; /* the rows of the storage that the slab holds, or will hold */
	int64_t from;   /* rows [from, hi) are not there yet */
	int64_t cap;    /* rows that fit in it */
};
int axt_slab_new(struct axt_source *s, struct axt_slab *b, struct axt_err *e);
/*
 * Moves the slab, and s->mem with it, to rows [lo, hi) of the step's slabs. Rows that it has and
 * still needs stay. Returns whether rows are missing and have to be decoded; -1: error.
 */
int axt_slab_move(struct axt_source *s, struct axt_slab *b, int64_t lo, int64_t hi,
    struct axt_err *e);
/* The bytes of all rows that come before those of the slab. */
int64_t axt_slab_offset(const struct axt_source *s, const struct axt_slab *b);

/*
 * ---- streams.c: operands that are pipes ----
 * axt_streams_keep marks all pipes that e reads, so that they are spooled.
 */
int axt_streams_keep(struct axt_graph *g, struct axt_expr *const e[], int n);
/*
 * Marks those pipes that the plan reads more than once or not in order, so that they are spooled.
 * Returns whether any was marked.
 */
bool axt_streams_check(struct axt_graph *g, const struct axt_plan *p);
/* Spools the marked pipes. */
int axt_streams_spool(struct axt_graph *g, const struct axt_plan *p);
/* An axt_facts_fn: tells the planner what it needs to know about a storage. */
void axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f);
/* Whether the run should stop because the reader of its output has taken the plan. */
static inline bool
axt_cancelled(const struct axt_graph *g, struct axt_err *e)
{
	return __atomic_load_n(&g->cancelled, __ATOMIC_RELAXED) &&
	    axt_fail(e, AXT_E_CANCELLED, "the plan was taken");
}
/* Whether files may be mapped: axt_guard_mapped_files has installed its handler. */
bool axt_guarded(void);
/*
 * Whether the handler has been called: another program has shortened a mapped file, and a page of
 * it is gone.
 */
bool axt_guard_hit(void);

#endif
