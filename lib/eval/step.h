/* step.h - a step while it runs: the buffers of threads, tiles, and the units that threads do. */
#ifndef AXT_EVAL_STEP_H
#define AXT_EVAL_STEP_H

#include "eval/eval.h"
#include "plan/steps.h"

#define AXT_ROWS 8 /* rows of a tile that are merged into columns at a time */
/* columns that are merged at a time, enough for the processor to prefetch */
#define AXT_COLS (16 << 10)
/* in strips up to this length, scalars are repeated, which is faster for kernels */
#define AXT_SPREAD 512
/* A worker: the buffers of one thread for a step. */
struct axt_worker {
	struct axt_step_run *r;
	struct axt_worker_device *dev; /* what the engine of devices adds */
	uint8_t **tile;                /* [operand]: a buffer for a tile */
	const void **data;             /* [operand]: the elements of the current tile */
	int64_t *ld;                   /* [operand]: how many elements lie between rows */
	int64_t cols;                  /* elements in a row */
	uint8_t **spread;              /* [register]: a scalar, repeated AXT_SPREAD times */
	uint8_t **strip;               /* [register]: one of `strips`, or the value of a scalar */
	uint8_t **strips;              /* the strips that were allocated; registers share them */
	const void **val;              /* [register]: where its values are now */
	uint8_t **root_val; /* [root]: buffer for a tile of values of a map, or for a strip */
	int root[AXT_MAX_OUTS + 2], nroots; /* the registers whose values leave the program */
	uint8_t *out;                       /* buffer for the results of a reduction's tile */
	struct axt_tile now;                /* the current tile, for messages */
	struct axt_acc acc[AXT_MAX_OUTS];   /* [output]: states of this thread */
	/* [output]: states of blocks, which are merged afterwards */
	struct axt_acc slot[AXT_MAX_OUTS];
	void *windows;               /* the room of axt_red_fns.windows */
	struct axt_split *split;     /* buffers in which a block is split into groups */
	struct axt_decoder *decoder; /* allocated when it is first needed */
	struct axt_subs **subs;      /* [operand]: buffers for the parts of an operand */
	int64_t most;                /* the most elements of a tile */
	/* of LINES: scratch of kernels, their results, these in the output's dtype, running sums */
	uint8_t *work, *made, *finished;
	uint64_t *carry;
	/* results as text, and the number of bytes of values that the text stands for */
	struct axt_buf text;
	int64_t rendered;
	struct axt_err err;
};
/* Fails, since a result of the output does not fit its dtype, and says which dtype is wider. */
int axt_misfit(const struct axt_output *o, struct axt_err *e);
int axt_worker_init(struct axt_worker *w, struct axt_step_run *r, int64_t tile, int64_t results);
void axt_worker_release(struct axt_worker *w);
/* Loads the operands of a tile as rows: there is one row for each index of dimensions [0, rows). */
int axt_worker_load(struct axt_worker *w, const struct axt_tile *t, int rows);
/*
 * Runs the program on elements [at, at + n) of the tile; n <= AXT_STRIP unless the program has no
 * instructions. The values of each root are then at w->val[root]; if place >= 0, they are also in
 * w->root_val[root], from element `place` on. next is the element that the next call will begin
 * with, whose operands are prefetched, or -1 if it is not known.
 */
int axt_worker_eval(struct axt_worker *w, int64_t at, int64_t n, int64_t place, int64_t next);
/* Computes all elements of the tile into w->root_val of the roots. */
int axt_worker_fill(struct axt_worker *w, int64_t count);
/* Computes the first output of a map for a tile; row r is at element r * *ld. NULL: error. */
const uint8_t *axt_worker_values(struct axt_worker *w, const struct axt_tile *t, int rows,
    int64_t cols, int64_t *ld);
/* A box of the space that is cut into tiles, which are numbered row-major. */
struct axt_grid {
	int a, b; /* dimensions [a, b) */
	int64_t lo[AXT_MAX_DIMS], len[AXT_MAX_DIMS], ext[AXT_MAX_DIMS], n[AXT_MAX_DIMS];
	int64_t count;
};
struct axt_step_run;
/* Cuts dimensions [a, b) of the current slab into tiles. */
void axt_grid_init(struct axt_grid *g, const struct axt_step_run *r, int a, int b);
void axt_grid_tile(const struct axt_grid *g, int64_t i, struct axt_tile *t);
/* The product of x[a] to x[b - 1]. */
static inline int64_t
axt_product(const int64_t *x, int a, int b)
{
	int64_t n = 1;

	for (int d = a; d < b; d++)
		n *= x[d];
	return n;
}
/* The part of a step that is being done: a slab, a band, or all of it. */
struct axt_part {
	/* the box in the space, in the order in which tiles are numbered */
	int64_t box_lo[AXT_MAX_DIMS], box_n[AXT_MAX_DIMS];
	bool over; /* whether there is no further slab */
	/* the share of the step that is done before and after this slab, for progress */
	double done_lo, done_hi;
	int64_t slab_lo, slab_hi; /* the slab along the slab dimension */
	int64_t win_lo, win_hi;   /* rows of chunked operands that are in memory */
	int64_t seq;              /* units that were done in earlier slabs */
};
struct axt_step_run {
	struct axt_graph *g;
	const struct axt_engine_fns *engine; /* who computes the tiles; NULL before it is chosen */
	struct axt_step_device *dev;         /* what the engine of devices adds */
	const struct axt_step *s;
	struct axt_sink *const *sink; /* [output] */
	struct axt_source *src;
	struct axt_acc acc[AXT_MAX_OUTS]; /* [output]: states that all threads share */
	int64_t acc_tile;                 /* states of a tile of kept elements */
	struct axt_space out;             /* the dimensions of the result */
	struct axt_space *outs;           /* those of each result, where they differ; or NULL */
	/* kept: the tiles of results; inner: the tiles that each of these is reduced from */
	struct axt_grid kept, inner;
	struct axt_part at; /* the part that kept and inner cut */
	/*
	 * whether bands, instead of units, take turns at an ordered sink; at.seq is then the number
	 * of the band
	 */
	bool banded;
	int64_t chunks; /* chunks that sources have to decode for the slab */
	const struct axt_plan *plan;
	double from, share; /* which share of the run this step is, for progress */
	/* whether products take most of the time, so that they report the progress */
	bool products;
	struct axt_sort *sort; /* what threads share that sort a line together, or NULL */
	/* partial states of a wave of units */
	struct axt_acc partial[AXT_MAX_OUTS]; /* [output] */
	int64_t *filled, wave, unit_slots;
	int32_t *slot_group; /* [partial state]: its group */
	/* [group]: the number of elements that are reduced; NULL: not known */
	const int64_t *group_count;
	/* number of the slab, if each thread has slabs of its own */
	int64_t ticket;
	struct axt_shared *sh;      /* what the threads share: counters and errors */
	uint64_t *carry;            /* running sums that continue from slab to slab */
	struct axt_counting *count; /* of quantiles that are found by counting, or NULL */
};
/* Reduces a tile into n states, from k on. index: the flattened position of the first element. */
typedef int axt_tile_fn(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t,
    int64_t n, int64_t index);
/*
 * An engine computes the tiles of a step: the kernels of the CPU, or a device. It is chosen when
 * the step begins. If a device refuses an element, such as one that does not fit its dtype, the CPU
 * computes the tile again, and makes the message.
 */
struct axt_engine_fns {
	int (*begin)(struct axt_step_run *r); /* sets up what the threads share */
	void (*end)(struct axt_step_run *r);
	int (*worker)(struct axt_worker *w); /* sets up what one thread needs */
	void (*release)(struct axt_worker *w);
	/* Allocates memory for tiles of operands. */
	void *(*tile_new)(const struct axt_step_run *r, int64_t bytes);
	void (*tile_free)(const struct axt_step_run *r, void *p);
	/* Whether the engine reads operand k from its storage, so that no tile of it is loaded. */
	bool (*holds)(const struct axt_worker *w, int k);
	/* Computes a tile of a map, and passes it to the sinks as number `seq`. */
	int (*map)(struct axt_worker *w, struct axt_tile *t, int64_t seq);
	/* Reduces a tile to n states. first: the first tile of these. fn does it on the CPU. */
	int (*reduce)(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t,
	    int64_t n, int64_t index, bool first, axt_tile_fn *fn);
	/* Merges into acc what the engine has of n states, after all tiles of these are done. */
	int (*merge)(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t n);
	/* Reduces a tile of one result to partial states, from `slot` on. *n: their number. */
	int (*partial)(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot,
	    int64_t *n);
};
/* The engine of the CPU is in program.c, that of devices in device_tiles.c. */
extern const struct axt_engine_fns axt_engine_cpu, axt_engine_device;
/* What the engine of the CPU does for a map (unit_map.c) and partial states (unit_reduce.c). */
int axt_map_tile(struct axt_worker *w, struct axt_tile *t, int64_t seq);
int axt_partial_tile(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot,
    int64_t *n);

/* How steps of one kind are run: a table for each row of steps.def, beside its units. */
struct axt_unit_fns {
	/* Sets up what the threads share. NULL: nothing. */
	int (*begin)(struct axt_step_run *r);
	int (*worker)(struct axt_worker *w); /* sets up what one thread needs */
	/* Cuts the current slab into tiles. Unit number i does tile i. */
	void (*grids)(struct axt_step_run *r);
	int (*unit)(struct axt_worker *w, int64_t unit);
	/* Runs the whole step, by axt_step_once or by more than that. */
	int (*run)(struct axt_step_run *r, int threads);
};
#define STEP(ID, name) extern const struct axt_unit_fns axt_unit_##name;
#include "steps.def"
#undef STEP
extern const struct axt_unit_fns *const axt_units[AXT_NSTEPS];
static inline const struct axt_unit_fns *
axt_unit_fns(const struct axt_step *s)
{
	return axt_units[s->kind];
}
/*
 * In unit_groups.c: the next rows of a tile, at most `most`, that lie together and are of one group
 * (red.group_rows). *at is 0 at first, and then says how far it is. Returns how many rows, 0 at the
 * end, or -1. A group has `cols` states.
 */
struct axt_group_rows {
	int64_t row; /* the first */
	int32_t group;
	int32_t then; /* the row that will follow; -1: none */
};
int64_t axt_groups_next(struct axt_worker *w, int64_t *at, int64_t rows, int64_t cols, int64_t most,
    struct axt_group_rows *to);
/*
 * Merges m rows of the roots' values into the states of group g or, if it is negative, of the group
 * of each element. Each row has n values of each root, for the columns from k on. Rows are ld
 * elements apart; a group has `cols` states.
 */
void axt_groups_merge(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t cols, int32_t g,
    int64_t m, int64_t n, int64_t ld, int64_t index);
/*
 * Merges n <= AXT_BLOCK values of a run, computed values from element `at` on. The values of each
 * group are a block of their own, whose state is merged into state k + g * step for group g. If
 * *slot >= 0, each such state becomes partial state *slot instead, and *slot is increased.
 */
void axt_groups_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step,
    int64_t *slot, int64_t at, int64_t n, int64_t pos);
/*
 * The same for blocks of n values of m <= AXT_BESIDE kept elements, with the same groups, into
 * states k, k + 1 ... The values of each are in w->root_val, AXT_BLOCK apart.
 */
void axt_groups_beside(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step,
    int64_t m, int64_t n);
int axt_groups_begin(struct axt_step_run *r);
int axt_groups_worker(struct axt_worker *w);
void axt_groups_release(struct axt_worker *w);
/* Adds what the worker has counted elsewhere to its states. */
void axt_groups_flush(struct axt_worker *w);
/* Lets the worker add only elements of the groups in this part. */
void axt_groups_part(struct axt_worker *w, int64_t part);
/* Brings results that are stored by group into the order of the output: pre x n elements. */
void axt_groups_order(const struct axt_step *s, uint8_t *out, const uint8_t *in, int64_t pre,
    int64_t n, int size);
/* In unit_reduce.c: the operands of a program fused with its reduction, from element `at` on. */
void axt_fused_args(const struct axt_worker *w, int64_t at, const void *x[2], int64_t ld[2]);
/* In unit_reduce.c. */
int axt_partial_unit(struct axt_worker *w, int64_t unit, int64_t first);
/* Merges the partial states of n units into those of results, or writes them as records. */
int axt_partial_merge(struct axt_worker *w, int64_t first, int64_t n);
/* Adds the states that this thread has of its own to those of all, and begins new ones. */
void axt_own_merge(struct axt_worker *w);
/* Writes, as records, the states of results that can be merged in any order. */
int axt_states_end(struct axt_worker *w);
/* Makes results of the states of kept tile `unit`, and passes them to the sink as number `seq`. */
int axt_finish_unit(struct axt_worker *w, const struct axt_acc *acc, int64_t k, int64_t unit,
    int64_t seq);
/*
 * Passes a tile of output k to its sink. If the sink is ordered, it waits for the turn of number
 * `seq`. At most one sink of a step is ordered.
 */
int axt_emit(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq);
/* The same for a part of a tile. The turn ends with the last part. */
int axt_emit_part(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq,
    bool last);
/* In unit_lines.c: the values of a tile, row-major; sets t->count. NULL: error. */
const void *axt_lines_values(struct axt_worker *w, struct axt_tile *t);
/* In radix_select.c. */
int axt_count_unit(struct axt_worker *w, struct axt_tile *t);
int axt_count_run(struct axt_step_run *r, int threads);
/* Does all units of a step once. The sinks and the share of r are set. */
int axt_step_once(struct axt_step_run *r, int threads);
/* Makes what the threads of a step, or of a pass, share: errors and turns. */
struct axt_shared *axt_shared_new(struct axt_err *e);
void axt_shared_free(struct axt_shared *sh);
bool axt_shared_stopped(struct axt_shared *sh);
/* Frees it, and moves the error of the first unit that failed to e. */
int axt_shared_end(struct axt_shared *sh, struct axt_err *e);
/*
 * axt_turn_wait waits for the turn of unit `seq` at an ordered sink, and returns false if a unit
 * has failed. axt_turn_end ends the turn.
 */
bool axt_turn_wait(struct axt_shared *sh, int64_t seq);
void axt_turn_end(struct axt_shared *sh, int64_t seq);
/* Records the error of w as that of the unit. */
void axt_fail_unit(struct axt_worker *w, int64_t unit);
/* In begin.c: the table of the kinds of sources. */
extern const struct axt_source_kind *const axt_sources[AXT_NSOURCES];
/* In begin.c: sets up what the threads share. Sources of earlier steps of the pass are reused. */
int axt_step_begin(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p);
void axt_step_end(struct axt_step_run *r);
int axt_step_worker(struct axt_worker *w, struct axt_step_run *r);
/* In sched_bands.c: runs the pass that begins with s. sink[k] has the sinks of step k. */
int axt_bands_run(struct axt_graph *g, const struct axt_step *s,
    struct axt_sink *(*sink)[AXT_MAX_OUTS], int threads, const struct axt_plan *p, double from,
    double share);
/* Runs one step; sink[k] takes output k. */
int axt_step_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *const *sink,
    int threads, const struct axt_plan *p, double from, double share);
/* In contraction.c: products, which all threads compute into the slabs of a step. */
int axt_products_begin(struct axt_step_run *r, int threads);
void axt_products_run(struct axt_worker *w, int id, struct axt_team *team);
/* In concat.c. */
void axt_subs_release(struct axt_subs *s);
/*
 * Loads operand k for a tile, whole along the operand's core axes. ld[d] gets the distance in
 * elements from one index of dimension d to the next, or 0 if both have the same elements. NULL:
 * error.
 */
const void *axt_parts_whole_load(struct axt_worker *w, int k, const struct axt_tile *t,
    int64_t *ld);

#endif
