/* run.h - carries plans out: the only room that starts threads. */
#ifndef AXT_RUN_H
#define AXT_RUN_H

#include "../plan/plan.h"
#include "../store/store.h"

/* ---- pool.c: threads for one job at a time ---- */

/*
 * Runs fn(ctx, id, team) for id in [0, n) at once, in the caller too; returns when
 * all have. Fewer when the system gives fewer.
 */
struct axt_team;
void axt_team_run(int n, void (*fn)(void *ctx, int id, struct axt_team *team), void *ctx);
/* Waits until every member came here. */
void axt_team_barrier(struct axt_team *t);
int axt_team_size(const struct axt_team *t);
/* One thread beside the team; 0, or an error number. */
int axt_thread_start(pthread_t *thread, void *(*fn)(void *arg), void *arg);
/* Processors this process may use. */
int axt_threads_default(void);

/* ---- source.c, chunks.c: operands as bytes ---- */

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
 * chunks.c: moves the window of a chunked source to [lo, hi): what is held already is
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

/* ---- exec.c: programs on strips ---- */

#define AXT_ROWS 8		/* of a tile: merged into columns at once ... */
#define AXT_COLS (16 << 10)	/* ... in pieces so long that reading ahead pays */
#define AXT_SPREAD 512		/* strips up to this see scalars as strips */

/* A thread's buffers for a step. */
struct axt_worker {
	struct axt_step_run *r;
	struct axt_worker_device *dev;	/* tiles go to a device, or NULL */
	uint8_t **tile;			/* per operand: room for a tile */
	const void **data;		/* per operand: this tile's elements */
	int64_t *ld;			/* per operand: elements from row to row */
	int64_t cols;			/* elements of a row */
	uint8_t **spread;		/* per register: a scalar, AXT_SPREAD times */
	uint8_t **strip;		/* per register: room for a strip, or a scalar's value ... */
	uint8_t **strips;		/* ... which is one of these */
	const void **val;		/* per register: where its values are now */
	uint8_t **room;			/* per root: a tile of a map's values, else a strip */
	int root[AXT_MAX_OUTS + 2], nroots;	/* registers that leave the program */
	uint8_t *out;			/* room for a tile of reductions' results */
	struct axt_tile now;		/* the tile being worked on, for messages */
	struct axt_acc acc[AXT_MAX_OUTS];	/* per output: local states */
	struct axt_acc slot[AXT_MAX_OUTS];	/* per output: states of blocks, to be merged */
	struct axt_split *split;	/* room to split a block into groups */
	struct axt_decoder *decoder;	/* made when first needed */
	struct axt_subs **subs;		/* per operand: buffers for joined parts */
	int64_t most;			/* elements of a tile */
	/* LINES: the kernels' room, what they give, that in the output's dtype; running sums */
	uint8_t *work, *made, *finished;
	uint64_t *carry;
	struct axt_buf text;		/* results rendered, of so many bytes */
	int64_t rendered;
	struct axt_err err;
};
int axt_worker_init(struct axt_worker *w, struct axt_step_run *r, int64_t tile, int64_t results);
void axt_worker_release(struct axt_worker *w);
/* Loads the operands of a tile, seen as rows: one per index of dimensions [0, rows). */
int axt_worker_load(struct axt_worker *w, const struct axt_tile *t, int rows);
/*
 * Elements [at, at + n) of the tile through the program, n <= AXT_STRIP unless it has no
 * instructions: the values of each root are then at w->val[root], which is element `place` of its
 * room, or wherever they lie when place is -1. The next call, for element `next` of the tile, finds
 * its operands in cache; -1: unknown.
 */
int axt_worker_eval(struct axt_worker *w, int64_t at, int64_t n, int64_t place, int64_t next);
/* All elements of the tile, into the rooms of the roots. */
int axt_worker_fill(struct axt_worker *w, int64_t count);
/* The values of the first output of a map for a tile; row r is at r * *ld. NULL: error. */
const uint8_t *axt_worker_values(struct axt_worker *w, const struct axt_tile *t, int rows,
    int64_t cols, int64_t *ld);
/* Planes of fns for n entries; frees with axt_acc_release. */
int axt_acc_init(struct axt_acc *a, const struct axt_red_fns *fns, int64_t n, struct axt_err *e);
void axt_acc_release(struct axt_acc *a);

/* ---- shared.c, begin.c, step.c, reduce.c, groups.c: one step ---- */

/* A box of the space cut into tiles, numbered row-major. */
struct axt_grid {
	int a, b;			/* dimensions [a, b) */
	int64_t lo[AXT_MAX_DIMS], len[AXT_MAX_DIMS], ext[AXT_MAX_DIMS], n[AXT_MAX_DIMS];
	int64_t count;
};
struct axt_step_run;
/* Dimensions [a, b) of what the slab leaves, in tiles of the step's extents. */
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
/* The kept dimensions [*a, *b) of a reduction's tiles; the linear group counts as one. */
static inline void
axt_kept_dims(const struct axt_step *s, int *a, int *b)
{
	bool columns = s->kind == AXT_STEP_COLUMNS;

	*a = columns ? s->nred : 0;
	*b = columns ? s->sp.lin + 1 : s->nkept;
}

/* Tiles that are handed to threads. */
static inline int64_t
axt_step_tiles(const struct axt_step *s)
{
	int a = 0, b = s->sp.lin + 1;
	int64_t n = 1;

	if (s->kind != AXT_STEP_MAP && !s->partials)
		axt_kept_dims(s, &a, &b);
	for (int d = a; d < b; d++)
		n *= (axt_band_len(s, d) + s->ext[d] - 1) / s->ext[d];
	return n;
}

/* Threads worth starting: one does little alone sooner than two are started. */
static inline int
axt_step_threads(const struct axt_step *s, int threads)
{
	bool busy = false;
	double work = (double)s->kept_count * (double)s->red_count;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_product *p = s->prog.operand[k].product;

		busy = busy || p || s->prog.operand[k].stream;
		if (p)		/* eight products take as long as an element elsewhere */
			work += (double)p->batch * (double)p->m * (double)p->n * (double)p->k / 8;
	}
	if (s->device && !busy)		/* each has memory there, and some here that is costly to get */
		threads = (int)MAX(1, MIN(threads, axt_step_tiles(s)));
	return work <= 64 << 10 ? 1 : threads;
}

/* The part of a step at hand: a slab, a band, or all of it. */
struct axt_part {
	int64_t box_lo[AXT_MAX_DIMS], box_n[AXT_MAX_DIMS];	/* in tile numbering */
	bool over;			/* there is no next slab */
	double done_lo, done_hi;	/* part of the step before and after this slab */
	int64_t slab_lo, slab_hi;	/* of the slab dimension, in tile numbering */
	int64_t win_lo, win_hi;		/* rows of chunked operands held */
	int64_t seq;			/* units finished in earlier slabs */
};

struct axt_step_run {
	struct axt_graph *g;
	struct axt_step_device *dev;	/* NULL: the CPU does it */
	const struct axt_step *s;
	struct axt_sink *const *sink;	/* per output */
	struct axt_source *src;
	struct axt_acc acc[AXT_MAX_OUTS];	/* per output: global states */
	int64_t acc_tile;		/* entries per kept tile */
	struct axt_space out;		/* the result's dimensions */
	struct axt_grid kept, inner;	/* tiles of results; tiles of what each is made of */
	struct axt_part at;		/* what they cut */
	bool banded;			/* the unit of an ordered sink is a band, number seq */
	struct axt_chunk_job *jobs;	/* of the slab */
	int64_t chunks;			/* in all of them, and those of joined parts */
	const struct axt_plan *plan;
	double from, share;		/* this step's part of the run, for progress */
	bool products;			/* what takes time, and tells the progress */
	struct axt_sort *sort;		/* lines sorted by all threads, or NULL */
	/* partial states of a wave */
	struct axt_acc partial[AXT_MAX_OUTS];	/* per output */
	int64_t *filled, wave, unit_slots;
	int32_t *slot_group;		/* per partial state */
	const int64_t *group_count;	/* elements reduced of each group; NULL: not known */
	int64_t ticket;			/* the slab's number, where threads have their own */
	struct axt_shared *sh;		/* counters and errors of the threads */
	uint64_t *carry;		/* running sums that live through slabs */
	struct axt_counting *count;	/* quantiles that are counted */
};

/*
 * groups.c: rows [r, r + m) of a tile, n values each from the roots, ld apart, into columns k... of
 * their groups' states; cols states are between one group and the next.
 */
void axt_groups_rows(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t cols, int64_t r,
    int64_t m, int64_t n, int64_t ld, int64_t index);
/* The same of rows that a fused program computes, from column c of the tile. */
void axt_groups_fused(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t c,
    int64_t rows, int64_t cols);
/*
 * n <= AXT_BLOCK values of a run, from element `at` of what was evaluated: those of each group are
 * a block. Into states k, k + step...; *slot >= 0: each to be the partial state *slot, counted up.
 */
void axt_groups_block(struct axt_worker *w, struct axt_acc *acc, int64_t k, int64_t step,
    int64_t *slot, int64_t at, int64_t n, int64_t pos);
int axt_groups_begin(struct axt_step_run *r);
int axt_groups_worker(struct axt_worker *w);
/* From group by group to the order of the results: pre x n each of size bytes. */
void axt_groups_order(const struct axt_step *s, uint8_t *out, const uint8_t *in, int64_t pre,
    int64_t n, int size);
/* reduce.c: operands of a program fused with its reduction, from element `at` of the tile. */
void axt_fused_args(const struct axt_worker *w, int64_t at, const void *x[2], int64_t ld[2]);
/* Reduction tiles (reduce.c). */
int axt_columns_unit(struct axt_worker *w, int64_t unit);
int axt_runs_unit(struct axt_worker *w, int64_t unit);
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
/* The same in parts, the turn ends with the last. */
int axt_emit_part(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq,
    bool last);
/* lines.c: tiles of lines; running sums; a thread's room; grids, of lines as a whole. */
int axt_lines_unit(struct axt_worker *w, int64_t unit);
int axt_lines_begin(struct axt_step_run *r);
int axt_lines_worker(struct axt_worker *w);
void axt_lines_grid(struct axt_step_run *r);
/* The values of a tile, row-major; count is set. NULL: error. */
const void *axt_lines_values(struct axt_worker *w, struct axt_tile *t);
/* count.c */
int axt_count_unit(struct axt_worker *w, struct axt_tile *t);
int axt_count_run(struct axt_step_run *r, int threads);
/* All units of a step, once; r has sinks and shares. */
int axt_step_once(struct axt_step_run *r, int threads);
/* What the threads of a step, or of steps that run together, share: errors and turns. */
struct axt_shared *axt_shared_new(struct axt_err *e);
void axt_shared_free(struct axt_shared *sh);
bool axt_shared_stopped(struct axt_shared *sh);
/* The first error in order of units, to e. */
int axt_shared_end(struct axt_shared *sh, struct axt_err *e);
/* The turn of unit seq at the ordered sink: waits for it, false when somebody failed; ends it. */
bool axt_turn_wait(struct axt_shared *sh, int64_t seq);
void axt_turn_end(struct axt_shared *sh, int64_t seq);
/* The error of w, met in a unit. */
void axt_fail_unit(struct axt_worker *w, int64_t unit);
/* begin.c: what all threads of a step have; sources of steps before it are shared. */
int axt_step_begin(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p);
void axt_step_end(struct axt_step_run *r);
int axt_step_worker(struct axt_worker *w, struct axt_step_run *r);
/* The grids of the box, and the results of one tile of kept dimensions. */
void axt_step_grids(struct axt_step_run *r);
int axt_step_unit(struct axt_worker *w, int64_t unit);
/* bands.c: steps that run band by band, the first being s; sink[k] has the sinks of step k. */
int axt_bands_run(struct axt_graph *g, const struct axt_step *s,
    struct axt_sink *(*sink)[AXT_MAX_OUTS], int threads, const struct axt_plan *p, double from,
    double share);
/* sink[k] takes output k. */
int axt_step_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *const *sink,
    int threads, const struct axt_plan *p, double from, double share);
/* dot.c: products of matrices, computed into the slabs of a step by all its threads. */
int axt_products_begin(struct axt_step_run *r, int threads);
const struct axt_storage *axt_product_storage(struct axt_graph *g, const struct axt_product *p);
/* The part of the slab to compute is the job's, which is left empty: by one thread, then all. */
void axt_product_window(struct axt_product_run *x, struct axt_chunk_job *job);
void axt_products_run(struct axt_worker *w, int id, struct axt_team *team);
void axt_product_forget(const struct axt_product_run *x, int id);
void axt_product_end(struct axt_product_run *x);

/* join.c: operand k of a step, from the parts it is joined from. */
int axt_joined_begin(struct axt_step_run *r, int k);
void axt_joined_end(struct axt_joined_run *x);
void axt_subs_release(struct axt_subs *s);
/* Chunks to decode for rows [lo, hi) of the step's slabs; -1: error. */
int64_t axt_joined_windows(struct axt_step_run *r, int k, int64_t lo, int64_t hi);
/* Decodes number *unit of them, and sets that to -1, or counts it down by what there are. */
int axt_joined_decode(const struct axt_step_run *r, int k, struct axt_decoder *z, int64_t *unit,
    struct axt_err *e);
/*
 * The lines of the tile that elements are taken of, as operand k has them; ld[d]: elements from one
 * index of dimension d to the next, 0 where they are the same. NULL: error.
 */
const void *axt_joined_lines_load(struct axt_worker *w, int k, const struct axt_tile *t,
    int64_t *ld);
/* The elements of a tile in its order. NULL: error. */
const void *axt_joined_load(struct axt_worker *w, int k, const struct axt_tile *t);

/* ---- run.c: plans carried out ---- */

/* Evaluates e[i] into sink[i]; ordered sinks are served one after another. */
int axt_run(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[]);
/* What a plan is for: to be looked at, which starts no device; to be run, or shown as it would be. */
enum axt_plan_use { AXT_DRAFT, AXT_FOR_RUN, AXT_FOR_ORDERED_RUN };
int axt_make_plan(struct axt_graph *g, struct axt_expr *const e[], int n, enum axt_plan_use use,
    struct axt_plan **out);
/* streams.c: pipes among the operands. Marks all of e to be kept. */
int axt_streams_keep(struct axt_graph *g, struct axt_expr *const e[], int n);
/* Marks what the plan does not take in order, once, to be kept: true when that is news. */
bool axt_streams_check(struct axt_graph *g, const struct axt_plan *p);
/* Pulls what is marked. */
int axt_streams_spool(struct axt_graph *g, const struct axt_plan *p);
/*
 * Values of parts of what is to be run, n <= 2 of them, into memory: streams of the rest are left
 * as they are.
 */
int axt_part_values(struct axt_graph *g, struct axt_expr *const e[], int n, void *const out[]);
int axt_graph_threads(const struct axt_graph *g);
/* What a plan needs to know of storage: an axt_facts_fn. */
void axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f);
/* Whether the run is to end: the reader of its output has no need of it. */
static inline bool
axt_cancelled(const struct axt_graph *g, struct axt_err *e)
{
	return __atomic_load_n(&g->cancelled, __ATOMIC_RELAXED) &&
	    axt_fail(e, AXT_E_CANCELLED, "the plan was taken");
}
/* Every file the graph opened is as it was. */
int axt_files_check(struct axt_graph *g);
/* A sink into memory: row-major bytes at p. */
struct axt_mem_sink {
	struct axt_sink sink;
	uint8_t *p;
	int64_t bytes;
};
void axt_mem_sink_init(struct axt_mem_sink *m, void *p, int64_t bytes);
/* waits.c: a sink of values that wait; `to` is to be closed, also after a failure. */
struct axt_wait_sink {
	struct axt_sink sink;
	struct axt_waiting *to;
};
int axt_wait_sink_open(struct axt_graph *g, struct axt_wait_sink *k, const struct axt_expr *e,
    struct axt_waiting *to);
/* e, of values that wait (axt_wait_map), with the name and attributes of `like`. */
struct axt_expr *axt_wait_leaf(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_expr *like, const struct axt_waiting *w);
/*
 * Whether nobody should wait for its values: bytes of a pipe are in it, whose writer may wait too, or
 * much is done for few of them.
 */
bool axt_is_slow(struct axt_graph *g, struct axt_expr *e);

/* axt_save into FILE, or into a dataset of it, which are not told by the output of the options. */
struct axt_save_place {
	const char *file, *dataset;	/* dataset: NULL where it has the value's name */
};
enum axt_code axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_save_place *in);

/* ---- inputs.c, open.c, calendar.c, files.c, guard.c: files ---- */

/* Opens a file, or finds it open already: a tensor used twice is read once. NULL: error. */
struct axt_file *axt_open_file(struct axt_graph *g, const char *path);
/* The same for an open descriptor, which is the graph's from here on; path: what it is called. */
struct axt_file *axt_open_fd(struct axt_graph *g, int fd, const char *path);
/*
 * The file `path` is locked: what the graph opened of it before, and is not as it was, is opened
 * again, and the tensors in it are read from there. CHANGED where they are not what they were.
 */
int axt_renew_file(struct axt_graph *g, const char *path, const struct axt_lock *l);
/* Tensors of `old` are read from `now`; false: they are others there. */
bool axt_read_instead(struct axt_graph *g, const struct axt_file *old, struct axt_file *now);
/* Tells by warnings; NULL: out of memory, nothing is told. */
struct axt_talk *axt_graph_talk(struct axt_graph *g);
/* Whether the path leads to the file opened as f. */
bool axt_same_file(const struct axt_file *f, const char *path, struct axt_err *e);
/*
 * The open descriptor of that very file, HDF5 or foreign; the graph owns it. NULL: it is not, or
 * not readable.
 */
struct axt_file *axt_adopt_file(struct axt_graph *g, int fd, const char *path,
    const struct axt_file_id *id, bool foreign);
/* The dataset a leaf's storage is of; NULL: of memory. */
const struct axt_dset *axt_leaf_dataset(struct axt_graph *g, const struct axt_storage *st,
    struct axt_file **f);
/* A leaf over a dataset seen as dtype t with axes x; NULL: it is no such thing. */
struct axt_expr *axt_dataset_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    enum axt_dtype t, const struct axt_axes *x);
/* A file begun, not read: what it holds is for foreign.h to tell. NULL: error. */
struct axt_file *axt_begin_foreign(struct axt_graph *g, const char *path);
/* What a leaf of stored values means. */
struct axt_expr *axt_unpack(struct axt_graph *g, struct axt_expr *leaf,
    const struct axt_packing *p);
/* A leaf over memory of the caller, which lives as long as the graph. */
struct axt_expr *axt_memory_leaf(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const void *data);
/* Whether NAME is AXIS.month or the like and no dataset of the file. */
bool axt_is_calendar(struct axt_file *f, const char *name);
/* Says what there is, where NAME, which was not found, is AXIS.something. */
void axt_calendar_hint(struct axt_graph *g, const struct axt_file *f, const char *name);
/* The values of such a name over AXIS, i32. */
struct axt_expr *axt_calendar(struct axt_graph *g, struct axt_file *f, const char *name);
/* Whether files may be mapped: the handler of axt_guard_mapped_files is installed. */
bool axt_guarded(void);
/* Set by that handler when a mapped page was gone. */
bool axt_guard_hit(void);

/* parts.c: what stands for e, a quantile of groups, which as such is not computed. */
struct axt_expr *axt_reduce_parts(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_groups *by);
/* along.c: the datasets of f that go along with d, into *all. */
int axt_add_aux(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all);
/* Names, attributes and auxiliaries of n results as they leave. */
int axt_out_vars(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_out_var **v);
/*
 * history.c: the attributes of an output, whose history has `line` in front of that of l and of the
 * streams that were read. NULL: l's.
 */
const struct axt_attr *axt_with_history(struct axt_graph *g, const struct axt_attr *l,
    const char *line);
/* ---- padded.c: storage that is larger than the result, or column-major ---- */

/* e with its axes in the order of the storage that o asks for. */
struct axt_expr *axt_padded_order(struct axt_graph *g, struct axt_expr *e,
    const struct axt_save_opts *o);
/* v as what is allocated for e. */
int axt_padded_var(struct axt_graph *g, const struct axt_expr *e, const struct axt_save_opts *o,
    struct axt_out_var *v);
/* A sink for the bytes of e, which go to their places in v's, zeros between them. */
struct axt_padded {
	struct axt_sink sink, *to;
	struct axt_view v;
	int64_t bytes, rows, row;	/* allocated; of the last axis; bytes of one */
	int size;
};
int axt_padded_begin(struct axt_padded *p, const struct axt_expr *e, const struct axt_out_var *v,
    struct axt_sink *to, struct axt_err *err);

/* ---- filled.c: missing values as numbers ---- */

struct axt_filled {
	struct axt_sink sink, *to;
	const struct axt_expr *e;
	const struct axt_attr *fill;	/* of e's dtype */
	struct axt_packing packing;	/* what means missing in e, beside NaN */
	bool known;			/* the fill value among that, or it may be met */
};
/* The sink for values of e, as stored, in front of `to`: itself where no fill is asked for. NULL: error. */
struct axt_sink *axt_filled(struct axt_graph *g, const struct axt_expr *e, struct axt_sink *to);

/* ---- saved.c: expressions kept in files ---- */

/* v as the dataset that keeps e's plan, in the file that target names. */
int axt_saved_var(struct axt_graph *g, struct axt_expr *e, const char *target,
    struct axt_out_var *v);
/*
 * Where the plan that dataset d of f keeps stands, as values of the leaf e. NULL: error. external:
 * inputs may lie outside the folder of f.
 */
struct axt_expr **axt_saved_plan(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_expr *e, bool external);

/* The folder of an open file, resolved; NULL: it has none, or g's error tells why it is not known. */
const char *axt_input_folder(struct axt_graph *g, struct axt_file *f);
/*
 * An input that is named from there: in the folder or below, links and ".." resolved, unless external.
 * from: what names it. NULL: error, in e or the graph's.
 */
struct axt_file *axt_open_input(struct axt_graph *g, const char *from, const char *folder,
    const char *name, bool external, struct axt_err *e);

/* virtual.c: e, unified, as a virtual dataset that gives the same values; NULL: *why tells. */
const struct axt_virtual *axt_virtual_of(struct axt_graph *g, const struct axt_expr *e,
    const char **why);
/*
 * mapped.c: the leaf e of the virtual dataset d of f, as the expression that gives its values. external:
 * as of axt_saved_plan.
 */
struct axt_expr *axt_mapped_leaf(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    struct axt_expr *e, bool external);

/* describe.c: what gives dataset d of f its values; ctx: the graph. */
int axt_describe(void *ctx, struct axt_file *f, const struct axt_dset *d, struct axt_info_plan *p);

/* ---- offer.c, take.c: plans instead of bytes ---- */

/*
 * Offers the plan of e, whose results are v, to the reader of a pipe, until axt_offer_end, which
 * tells whether it was taken; ok and sent: the run went well, or stopped for that reason, after so
 * many bytes. g->cancelled is set when it is taken. NULL: nothing is offered.
 */
struct axt_offer *axt_offer_begin(struct axt_graph *g, struct axt_expr *const e[],
    const struct axt_out_var *v, int n, int pipe);
/*
 * Waits a moment for a reader that is about to take it: worth it before heavy work. Patient:
 * seconds. Whether it is taken.
 */
bool axt_offer_wait(struct axt_offer *o, bool patient);
bool axt_offer_end(struct axt_offer *o, int64_t sent, bool ok);
/* The text that would be offered. */
void axt_offer_print(struct axt_graph *g, struct axt_expr *const e[], const struct axt_out_var *v,
    int n, FILE *out);
/* Whether p, which a plan gives, can be e, as its header describes it. */
bool axt_stands_for(const struct axt_expr *p, const struct axt_expr *e);
/* Asks the writer of a stream for its plan. Keeps to the bytes where there is any doubt. */
void axt_take_offer(struct axt_graph *g, struct axt_file *f);
/* Where the plan of a leaf of the stream f stands: NULL there once it is declined. */
struct axt_expr **axt_taken_plan(struct axt_graph *g, const struct axt_file *f,
    const struct axt_expr *e);
/* Gives up the offers that are not taken yet; whether there were any. */
bool axt_taken_decline(struct axt_graph *g, const char *why);
/* Tells the writers that their plans are taken: before anything is evaluated. */
void axt_taken_commit(struct axt_graph *g);
/* Takes the pipes to their ends, which must be where their writers stopped. */
int axt_taken_drain(struct axt_graph *g);
/* A line per stream: what became of it. */
void axt_taken_explain(struct axt_graph *g, FILE *out);

#endif
