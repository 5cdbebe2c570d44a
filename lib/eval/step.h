/*
 * step.h - a step while it runs: its threads' buffers, tiles, schedules, and the units that they
 * do.
 */
#ifndef AXT_EVAL_STEP_H
#define AXT_EVAL_STEP_H

#include "eval/eval.h"
#include "plan/steps.h"

#define AXT_ROWS 8          /* rows of a tile that are merged into columns at once ... */
#define AXT_COLS (16 << 10) /* ... and columns: enough for the processor to prefetch */
#define AXT_SPREAD 512      /* strips up to this length get scalars repeated to strips */
/* A thread's buffers for a step. */
struct axt_worker {
	struct axt_step_run *r;
	struct axt_worker_device *dev; /* of the engine of devices */
	uint8_t **tile;                /* per operand: room for a tile */
	const void **data;             /* per operand: this tile's elements */
	int64_t *ld;                   /* per operand: elements from row to row */
	int64_t cols;                  /* elements of a row */
	uint8_t **spread;              /* per register: a scalar, AXT_SPREAD times */
	uint8_t **strip;               /* per register: room for a strip, or a scalar's value ... */
	uint8_t **strips;              /* ... which is one of these */
	const void **val;              /* per register: where its values are now */
	uint8_t **root_val;            /* per root: a tile of a map's values, else a strip */
	int root[AXT_MAX_OUTS + 2], nroots; /* registers that leave the program */
	uint8_t *out;                       /* has space for a tile of reductions' results */
	struct axt_tile now;                /* the tile being worked on, for messages */
	struct axt_acc acc[AXT_MAX_OUTS];   /* per output: local states */
	struct axt_acc slot[AXT_MAX_OUTS];  /* per output: states of blocks, to be merged */
	struct axt_split *split;            /* buffers to split a block into groups */
	struct axt_decoder *decoder;        /* allocated when first needed */
	struct axt_subs **subs;             /* per operand: buffers for parts */
	int64_t most;                       /* elements of a tile */
	/* LINES: scratch of kernels; their results; these in the output's dtype; running sums. */
	uint8_t *work, *made, *finished;
	uint64_t *carry;
	/* results as text, and how many bytes of values it stands for */
	struct axt_buf text;
	int64_t rendered;
	struct axt_err err;
};
int axt_worker_init(struct axt_worker *w, struct axt_step_run *r, int64_t tile, int64_t results);
void axt_worker_release(struct axt_worker *w);
/* Loads the operands of a tile, seen as rows: one per index of dimensions [0, rows). */
int axt_worker_load(struct axt_worker *w, const struct axt_tile *t, int rows);
/*
 * Runs the program on elements [at, at + n) of the tile, n <= AXT_STRIP unless it has no
 * instructions. The values of each root are then at w->val[root]: from element `place` of
 * w->root_val[root] on, or, with place -1, wherever they are. next: the element that the next call
 * begins with, whose operands are prefetched; -1: unknown.
 */
int axt_worker_eval(struct axt_worker *w, int64_t at, int64_t n, int64_t place, int64_t next);
/* Computes all elements of the tile into the buffers of the roots. */
int axt_worker_fill(struct axt_worker *w, int64_t count);
/* The values of the first output of a map for a tile; row r is at r * *ld. NULL: error. */
const uint8_t *axt_worker_values(struct axt_worker *w, const struct axt_tile *t, int rows,
    int64_t cols, int64_t *ld);
/* Planes of fns for n entries; frees with axt_acc_release. */
int axt_acc_init(struct axt_acc *a, const struct axt_red_fns *fns, int64_t n, struct axt_err *e);
void axt_acc_release(struct axt_acc *a);
/* A box of the space cut into tiles, numbered row-major. */
struct axt_grid {
	int a, b; /* dimensions [a, b) */
	int64_t lo[AXT_MAX_DIMS], len[AXT_MAX_DIMS], ext[AXT_MAX_DIMS], n[AXT_MAX_DIMS];
	int64_t count;
};
struct axt_step_run;
/* Cuts dimensions [a, b) of the current slab into tiles of the step's lengths. */
void axt_grid_init(struct axt_grid *g, const struct axt_step_run *r, int a, int b);
void axt_grid_tile(const struct axt_grid *g, int64_t i, struct axt_tile *t);
/* Product of x[a] to x[b-1]. */
static inline int64_t
axt_product(const int64_t *x, int a, int b)
{
	int64_t n = 1;

	for (int d = a; d < b; d++)
		n *= x[d];
	return n;
}
/* How many tiles are handed out to threads. */
static inline int64_t
axt_step_tiles(const struct axt_step *s)
{
	int a = 0, b = s->sp.lin + 1;
	int64_t n = 1;

	if (!s->partials)
		axt_step_fns(s)->kept(s, &a, &b);
	for (int d = a; d < b; d++)
		n *= (axt_band_len(s, d) + s->ext[d] - 1) / s->ext[d];
	return n;
}
/* How many threads to start: little work is done sooner by one than others start. */
static inline int
axt_step_threads(const struct axt_step *s, int threads)
{
	bool busy = false;
	double work = (double)s->kept_count * (double)s->red_count;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_product *p = s->prog.operand[k].product;

		busy = busy || p || axt_is_in_order(&s->prog.operand[k]);
		if (p) /* eight products take as long as an element elsewhere */
			work += (double)p->batch * (double)p->m * (double)p->n * (double)p->k / 8;
	}
	if (s->device && !busy) /* each has memory there, and some here that is costly to get */
		threads = (int)MAX(1, MIN(threads, axt_step_tiles(s)));
	return work <= 64 << 10 ? 1 : threads;
}
/* The current part of a step: a slab, a band, or all of it. */
struct axt_part {
	int64_t box_lo[AXT_MAX_DIMS], box_n[AXT_MAX_DIMS]; /* in tile numbering */
	bool over;                                         /* there is no next slab */
	/* the share of the step done before this slab, and after it */
	double done_lo, done_hi;
	int64_t slab_lo, slab_hi; /* of the slab dimension, in tile numbering */
	int64_t win_lo, win_hi;   /* rows of chunked operands in memory */
	int64_t seq;              /* units finished in earlier slabs */
};
struct axt_step_run {
	struct axt_graph *g;
	const struct axt_engine_fns *engine; /* who computes its tiles; NULL: not begun yet */
	struct axt_step_device *dev;         /* of the engine of devices */
	const struct axt_step *s;
	struct axt_sink *const *sink; /* per output */
	struct axt_source *src;
	struct axt_acc acc[AXT_MAX_OUTS]; /* per output: global states */
	int64_t acc_tile;                 /* entries per kept tile */
	struct axt_space out;             /* the result's dimensions */
	struct axt_space *outs;           /* those of each result, where they differ; or NULL */
	/* tiles of results; tiles that each of these is reduced from */
	struct axt_grid kept, inner;
	struct axt_part at; /* what they cut */
	bool banded;        /* the unit of an ordered sink is a band, number seq */
	int64_t chunks;     /* that the sources have to decode for the slab */
	const struct axt_plan *plan;
	double from, share;    /* this step's share of the run, for progress */
	bool products;         /* products take the time, and so report progress */
	struct axt_sort *sort; /* lines sorted by all threads, or NULL */
	/* partial states of a wave */
	struct axt_acc partial[AXT_MAX_OUTS]; /* per output */
	int64_t *filled, wave, unit_slots;
	int32_t *slot_group;        /* per partial state */
	const int64_t *group_count; /* elements reduced of each group; NULL: not known */
	/* the slab's number, where each thread has a slab of its own */
	int64_t ticket;
	struct axt_shared *sh;      /* counters and errors of the threads */
	uint64_t *carry;            /* running sums that continue from slab to slab */
	struct axt_counting *count; /* quantiles that are counted */
};
/*
 * A tile of a reduction into n states from k on; index: the flattened position of its first
 * element.
 */
typedef int axt_tile_fn(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t,
    int64_t n, int64_t index);
/*
 * Who computes the tiles of a step: kernels of the CPU, or a device. It is chosen when the step
 * begins. Where an element is refused, a device has the CPU do the tile, and tell why.
 */
struct axt_engine_fns {
	int (*begin)(struct axt_step_run *r); /* what the threads have in common */
	void (*end)(struct axt_step_run *r);
	int (*worker)(struct axt_worker *w); /* the same of one of them */
	void (*release)(struct axt_worker *w);
	/* Memory for operands' tiles. */
	void *(*tile_new)(const struct axt_step_run *r, int64_t bytes);
	void (*tile_free)(const struct axt_step_run *r, void *p);
	/* Whether it has operand k as it is stored, so that no tile of it is loaded. */
	bool (*holds)(const struct axt_worker *w, int k);
	/* A tile of a map, to the sinks at place `seq`. */
	int (*map)(struct axt_worker *w, struct axt_tile *t, int64_t seq);
	/* A tile of a reduction, the first or one more of these states; fn does it on the CPU. */
	int (*reduce)(struct axt_worker *w, struct axt_acc *acc, int64_t k, struct axt_tile *t,
	    int64_t n, int64_t index, bool first, axt_tile_fn *fn);
	/* What it has of n states goes into acc, when all their tiles are done. */
	int (*merge)(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t n);
	/* A tile of one state, as partial states from slot on; *n: how many. */
	int (*partial)(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot,
	    int64_t *n);
};
/* In program.c, and in device_tiles.c. */
extern const struct axt_engine_fns axt_engine_cpu, axt_engine_device;
/* On the CPU: engine->map in unit_map.c, engine->partial in unit_reduce.c. */
int axt_map_tile(struct axt_worker *w, struct axt_tile *t, int64_t seq);
int axt_partial_tile(struct axt_worker *w, struct axt_tile *t, int64_t index, int64_t slot,
    int64_t *n);

/* How steps of each kind are run: a row of steps.def, in the file of its units. */
struct axt_unit_fns {
	/* What the threads have in common. NULL: nothing of its own. */
	int (*begin)(struct axt_step_run *r);
	int (*worker)(struct axt_worker *w); /* the same of one of them */
	/* Cuts the current slab into tiles, which units are numbers of. */
	void (*grids)(struct axt_step_run *r);
	int (*unit)(struct axt_worker *w, int64_t unit);
	/* All of the step: axt_step_once, or more than that. */
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
 * In unit_groups.c: rows [r, r + m) of a tile, n values each from the roots, ld apart, into columns
 * k... of their groups' states; cols states are between one group and the next.
 */
void axt_groups_rows(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t cols, int64_t r,
    int64_t m, int64_t n, int64_t ld, int64_t index);
/* The same of rows that a fused program computes, from column c of the tile. */
void axt_groups_fused(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t c, int64_t rows,
    int64_t cols);
/*
 * n <= AXT_BLOCK values of a run, from element `at` of what was evaluated: those of each group are
 * a block. Into states k, k + step...; *slot >= 0: each to be the partial state *slot, counted up.
 */
void axt_groups_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step,
    int64_t *slot, int64_t at, int64_t n, int64_t pos);
int axt_groups_begin(struct axt_step_run *r);
int axt_groups_worker(struct axt_worker *w);
/* From now on the worker looks only at the groups of this part of them. */
void axt_groups_part(struct axt_worker *w, int64_t part);
/*
 * Brings results that are stored group by group into the order of the output: pre x n elements of
 * size bytes.
 */
void axt_groups_order(const struct axt_step *s, uint8_t *out, const uint8_t *in, int64_t pre,
    int64_t n, int size);
/*
 * In unit_reduce.c: operands of a program fused with its reduction, from element `at` of the tile.
 */
void axt_fused_args(const struct axt_worker *w, int64_t at, const void *x[2], int64_t ld[2]);
/* Reduction tiles (unit_reduce.c). */
int axt_partial_unit(struct axt_worker *w, int64_t unit, int64_t first);
void axt_partial_merge(struct axt_step_run *r, int64_t first, int64_t n);
/* States of kept tile `unit` to results, written at place `seq` of an ordered sink. */
int axt_finish_unit(struct axt_worker *w, const struct axt_acc *acc, int64_t k, int64_t unit,
    int64_t seq);
/*
 * A tile of output k to its sink; waits for its turn when that is ordered: no more than one of a
 * step's sinks is.
 */
int axt_emit(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq);
/* The same in parts; the turn ends with the last part. */
int axt_emit_part(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq,
    bool last);
/* In unit_lines.c: the values of a tile, row-major; count is set. NULL: error. */
const void *axt_lines_values(struct axt_worker *w, struct axt_tile *t);
/* radix_select.c */
int axt_count_unit(struct axt_worker *w, struct axt_tile *t);
int axt_count_run(struct axt_step_run *r, int threads);
/* Does all units of a step once; r has sinks and shares. */
int axt_step_once(struct axt_step_run *r, int threads);
/* What the threads of a step, or of steps that run together, share: errors and turns. */
struct axt_shared *axt_shared_new(struct axt_err *e);
void axt_shared_free(struct axt_shared *sh);
bool axt_shared_stopped(struct axt_shared *sh);
/* Moves the error of the first unit that failed to e. */
int axt_shared_end(struct axt_shared *sh, struct axt_err *e);
/*
 * Waits until it is the turn of unit seq at the ordered sink, and ends that turn. false when a unit
 * has failed.
 */
bool axt_turn_wait(struct axt_shared *sh, int64_t seq);
void axt_turn_end(struct axt_shared *sh, int64_t seq);
/* Records the error of w in a unit. */
void axt_fail_unit(struct axt_worker *w, int64_t unit);
/* In begin.c: the kinds of sources. */
extern const struct axt_source_kind *const axt_sources[AXT_NSOURCES];
/* In begin.c: what all threads of a step have; sources of steps before it are shared. */
int axt_step_begin(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p);
void axt_step_end(struct axt_step_run *r);
int axt_step_worker(struct axt_worker *w, struct axt_step_run *r);
/*
 * In sched_bands.c: steps that run band by band, the first being s; sink[k] has the sinks of step
 * k.
 */
int axt_bands_run(struct axt_graph *g, const struct axt_step *s,
    struct axt_sink *(*sink)[AXT_MAX_OUTS], int threads, const struct axt_plan *p, double from,
    double share);
/* sink[k] takes output k. */
int axt_step_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *const *sink,
    int threads, const struct axt_plan *p, double from, double share);
/* In contraction.c: products of matrices, computed into the slabs of a step by all its threads. */
int axt_products_begin(struct axt_step_run *r, int threads);
void axt_products_run(struct axt_worker *w, int id, struct axt_team *team);
/* In concat.c. */
void axt_subs_release(struct axt_subs *s);
/*
 * What operand k has in a tile, whole along its core axes; ld[d]: elements from one index of
 * dimension d to the next, 0 where they are the same. NULL: error.
 */
const void *axt_parts_whole_load(struct axt_worker *w, int k, const struct axt_tile *t,
    int64_t *ld);

#endif
