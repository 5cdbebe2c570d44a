/*
 * source.h - the operands of a step while it runs: their bytes are mapped, read, decoded or taken
 * from a pipe, and given to the evaluator tile by tile.
 */
#ifndef AXT_SOURCE_SOURCE_H
#define AXT_SOURCE_SOURCE_H

#include "base/threads.h"
#include "bytes/output.h"
#include "plan/plan.h"

struct axt_step_run; /* a step while it runs, of the room eval */
struct axt_worker;   /* a thread of it */

/* An operand while a step runs. The threads of the step share it. */
struct axt_source {
	const struct axt_source_kind *kind;
	const struct axt_operand *op;
	const struct axt_storage *st; /* NULL: the kind needs none */
	/* Element 0, or where it would be if a slab held all; NULL: it is not in memory. */
	const uint8_t *mem;
	int64_t units; /* how many the slab at hand has to decode */
	void *own;     /* what only its kind knows */
};

/* The tile of a source that a thread asks for. */
struct axt_asked_tile {
	const struct axt_space *sp;
	const struct axt_tile *t;
	/*
	 * The tile may be seen as rows of `cols` elements, one per index of dimensions [0, rows):
	 * then rows begin *ld elements apart. *ld is cols before.
	 */
	int rows;
	int64_t cols, *ld;
	void *buf; /* large enough for it */
	struct axt_worker *w;
	struct axt_err *e;
};

/*
 * What kinds of sources differ in: a row of sources.def, in a file of its own, or in the room eval
 * where the evaluator computes the values. All but load may be NULL.
 */
struct axt_source_kind {
	/* Rows of STORAGE: whether it is one for such storage; NULL: for any. */
	bool (*holds)(const struct axt_storage *st);
	/* What the planner has to know beside dims and chunk. */
	void (*tell)(const struct axt_storage *st, struct axt_storage_facts *f);
	/* Before the threads start. kind, op, st are set, and mem if a step before has it there. */
	int (*open)(struct axt_source *s, struct axt_step_run *r, struct axt_err *e);
	/*
	 * Reached as slabs: moves on to rows [lo, hi), and gives how many units are to be decoded
	 * before tiles of these are loaded; -1: error.
	 */
	int64_t (*window)(struct axt_source *s, int64_t lo, int64_t hi, struct axt_err *e);
	/* Decodes unit k of these, in any thread. */
	int (*decode)(const struct axt_source *s, struct axt_decoder *z, int64_t k,
	    struct axt_err *e);
	/*
	 * Reached in order: takes elements [lo, lo + n), once `last` (which may be s) has taken all
	 * before them. Each thread may have a source of its own, and take slabs in turn.
	 */
	int (*take)(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n,
	    struct axt_err *e);
	/*
	 * The tile's elements in the tile's order and native byte order: a pointer into memory, or
	 * to buf, filled with them. NULL: error.
	 */
	const void *(*load)(struct axt_source *s, const struct axt_asked_tile *x);
	/*
	 * At the end, share id of n: removes mappings from the page tables, in parallel. munmap
	 * would do all of it in one thread.
	 */
	void (*forget)(const struct axt_source *s, int id, int n);
	/* Of what was opened, or failed to open. */
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
/* Loads a tile from s->mem: used where it lies, or gathered. */
const void *axt_source_gather(struct axt_source *s, const struct axt_asked_tile *x);
/*
 * Fills buf run by run: n elements from element `at` of the source on, `stride` apart. fill NULL:
 * from s->mem.
 */
typedef void axt_fill_fn(uint8_t *out, const struct axt_source *s, int64_t at, int64_t stride,
    int64_t n);
void axt_source_fill(const struct axt_source *s, const struct axt_asked_tile *x, axt_fill_fn *fill);
/* Brings n elements as stored to native byte order. */
void axt_source_swap(const struct axt_source *s, void *p, int64_t n);
/* Whether its file is mapped, so that `forget` gives memory back. */
bool axt_source_is_mapped(const struct axt_source *s);

/* ---- chunks.c: what is held at a time of a source that is reached as slabs ---- */

struct axt_slab {
	uint8_t *p;
	int64_t lo, hi; /* rows, of the storage, that it holds, or is to hold: */
	int64_t from;   /* those in [from, hi) are not there yet */
	int64_t cap;    /* rows that fit in it */
};
int axt_slab_new(struct axt_source *s, struct axt_slab *b, struct axt_err *e);
/*
 * Moves the slab to rows [lo, hi) of the step's slabs, and s->mem with it. Rows that it has are
 * kept. Whether any row is not there yet; -1: error.
 */
int axt_slab_move(struct axt_source *s, struct axt_slab *b, int64_t lo, int64_t hi,
    struct axt_err *e);
/* The bytes of all rows before those of the slab. */
int64_t axt_slab_offset(const struct axt_source *s, const struct axt_slab *b);

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
