/*
 * parts.h - one job cut into parts, each of which computes and writes its share of the output, and
 * the parts put together again.
 */
#ifndef AXT_JOBS_PARTS_H
#define AXT_JOBS_PARTS_H

#include "graph/graph.h"
#include "out/way.h"

struct axt_needs;
struct axt_ranks;

/* Positions [from[i], from[i] + len[i]) along each axis i of a tensor. */
struct axt_box {
	int64_t from[AXT_MAX_RANK], len[AXT_MAX_RANK];
};

/* a * b and a + b, or the largest number there is, of numbers from 0 on. */
static inline int64_t
axt_times(int64_t a, int64_t b)
{
	int64_t c;

	return axt_mul(a, b, &c) ? c : INT64_MAX;
}

static inline int64_t
axt_plus(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* ---- cut.c: which elements of the output belong to which part ---- */

/*
 * How an output is cut: along the axes axis[0..n), and along no others, always between chunks. A
 * chunk is unit[i] positions long along axis i; the last one may be shorter. Either the chunks of
 * the cut axes are numbered, the last of these axes fastest, and each part has a range of these
 * numbers. Or the output is a grid: it has pieces[k] pieces along axis[k], and each part is one of
 * them, counted in the same way, or is empty where there are more parts than pieces.
 */
#define AXT_GRID_AXES 4 /* a grid is cut along at most so many */
struct axt_partition {
	int rank, n, axis[AXT_MAX_RANK];
	int pieces
	    [AXT_GRID_AXES]; /* 0: no grid, and none either where pieces are more than parts */
	int64_t len[AXT_MAX_RANK], unit[AXT_MAX_RANK];
	int64_t chunks; /* in all; 0: the output has no elements */
};
#define AXT_PARTS_MAX 1000000
#define AXT_PART_BOXES (2 * AXT_MAX_RANK)
/*
 * Cuts a tensor with the axes x into at least `parts` chunks, if it has so many: along the axis
 * order[0], and along the next of the n axes in `order` only as far as that is not enough. unit:
 * the lengths of chunks along each axis.
 */
void axt_partition_make(const struct axt_axes *x, const int64_t *unit, const int *order, int n,
    int64_t parts, struct axt_partition *out);
/* Whether its numbers fit together; they may have been read from a file. */
bool axt_partition_sound(const struct axt_partition *p);
/*
 * Sets box[] to the boxes that part k of n, counted from 1, is made of, in the order of the chunks.
 * Together they have each element of the part once. Parts differ by at most one chunk, and pieces
 * of a grid by at most one along each axis. Returns how many boxes there are; 0: the part is empty.
 */
int axt_partition_boxes(const struct axt_partition *p, int64_t k, int64_t n,
    struct axt_box box[AXT_PART_BOXES]);
/*
 * Sets of[] to parts of n, counted from 1, of which one takes longest: one than which none has more
 * chunks, and one that has ends of two rows of them, if there is one. Both are about in the middle.
 * Returns how many.
 */
int axt_partition_large(const struct axt_partition *p, int64_t n, int64_t of[2]);
/* The chunks along all axes, which can be more than those that are cut. INT64_MAX: or more. */
int64_t axt_partition_grid(const struct axt_partition *p);
/*
 * Sets number[] to where the chunks of that part are among those of the whole, in row-major order:
 * of one box after another, row-major in each. Returns how many there are.
 */
int64_t axt_partition_chunks(const struct axt_partition *p, const struct axt_box *box, int nboxes,
    int64_t *number);

/* ---- narrow.c: an expression for some elements of another ---- */

/*
 * The elements of e in the box, computed from no more of its arguments than they need. The values
 * are the same to the last bit as those of e. The result has the axes of e, without coordinates,
 * and e's name and attributes. needs (exchange.h) gets the boxes of inputs that are needed, or has
 * the values of these, which are then taken; it may be NULL.
 */
struct axt_expr *axt_narrowed(struct axt_graph *g, struct axt_expr *e, const struct axt_box *box,
    const struct axt_needs *needs);
/* The axes of e as long as the box. Coordinates do not matter below the result. */
struct axt_axes axt_axes_of_box(const struct axt_expr *e, const struct axt_box *box);
/*
 * The reduction `red` of no more than positions [from, from + len) along an axis of its argument.
 * needs: as above.
 */
struct axt_expr *axt_narrowed_reduction(struct axt_graph *g, struct axt_expr *red, int axis,
    int64_t from, int64_t len, const struct axt_needs *needs);
/*
 * Sets free_[i] to whether axis i of e can be cut so that each piece is computed by itself. *why
 * becomes the operation that needs all of the first axis that cannot be cut, such as "sort", or
 * NULL.
 */
int axt_free_axes(struct axt_graph *g, struct axt_expr *e, bool free_[AXT_MAX_RANK],
    const char **why);

/* ---- reads.c: what parts read ---- */

/* The elements of a box with so many axes; INT64_MAX: as many or more. */
int64_t axt_box_count(const struct axt_box *b, int rank);
/* How many runs of elements that lie together the box is made of, in a tensor of those axes. */
int64_t axt_box_runs(const struct axt_box *b, const struct axt_axes *x);
/* How many positions along axis i of a leaf are read together: a chunk, or one. */
int64_t axt_chunk_along(const struct axt_expr *leaf, int i);
/* The box with all of the chunks that it meets. */
struct axt_box axt_whole_chunks(const struct axt_expr *leaf, const struct axt_box *b);

/*
 * What is read from files: bytes, and how long that takes, as a number of bytes that are read in
 * order. Each node that reads a box of a tensor reads all chunks that the box meets, counted as
 * they are in memory. INT64_MAX: as many or more.
 */
struct axt_reads {
	int64_t bytes, time;
};
/* What is read of a leaf for the box. */
struct axt_reads axt_leaf_reads(const struct axt_expr *leaf, const struct axt_box *box);
/*
 * Adds what e[0..n) read to *own, but of the inputs needs->l[i] to of[i]; needs may be NULL.
 */
int axt_part_effort(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_needs *needs, struct axt_reads *of, struct axt_reads *own);
/* The bytes alone: sets *bytes, and adds those of inputs to of[]. */
int axt_part_reads(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_needs *needs, int64_t *of, int64_t *bytes);

/* ---- choose.c: how an output is cut so that parts read and exchange little ---- */

/*
 * Cuts e into `parts` parts: along the axis along which all of them together read least, or among
 * axes that differ by less than a quarter in this along the outermost, and along the next only as
 * far as that has not enough chunks; or as a grid, where the part that takes longest then clearly
 * reads less. unit: the lengths of chunks; can: which axes may be cut; together: the parts are
 * processes of one job, which can exchange what they read (exchange.c). All parts choose alike.
 */
int axt_cut_choose(struct axt_graph *g, struct axt_expr *e, const int64_t *unit, const bool *can,
    int64_t parts, bool together, struct axt_partition *out);
/*
 * The bytes that one of `parts` ranks reads and exchanges if e is cut so. What it receives counts
 * twice, since it is kept, in a file if it is much, and read again.
 */
int axt_cut_moves(struct axt_graph *g, struct axt_expr *e, int64_t parts, int64_t *bytes);

/* ---- block_states.c: reductions that are cut along an axis which they reduce ---- */

/*
 * A reduction of few results whose parts are the states of blocks (kern/states.c). Each part has a
 * range of positions along the axis that is cut, from one border of blocks to another.
 */
#define AXT_PART_KEPT_MAX 65536 /* more results are not few */
#define AXT_PART_COUNTED_MAX 16 /* of a quantile */
struct axt_part_states {
	bool on;
	/*
	 * It is a quantile instead, which has no states. Processes that run at the same time can
	 * count what they have of the range together (struct axt_together).
	 */
	bool counted;
	/*
	 * Axes [axis, axis + naxes) of what is reduced are cut, as one axis if they are several,
	 * and `blocks` is the number of blocks. Where parts are merged, neither is known.
	 */
	int axis, naxes;
	int64_t blocks;
	struct axt_states_of of;
	struct axt_partition cut; /* of that axis */
};
/*
 * Fills *out if e is a reduction of few results that can be cut into blocks for more parts than
 * `chunks`, the number of parts that cutting its result gives. Otherwise out->on becomes false, and
 * out->counted tells whether e is a quantile that can be cut so.
 */
void axt_part_states_plan(struct axt_expr *e, int64_t parts, int64_t chunks,
    struct axt_part_states *out);
/* The reduction that e is a view of; NULL: it is none. */
struct axt_expr *axt_part_reduction(struct axt_expr *e);
/*
 * The states of a range of positions along the axis that is cut, as an expression; or the quantile
 * of all, if it is counted, and `together` adds up the counts. needs: as of axt_narrowed.
 */
struct axt_expr *axt_part_states_node(struct axt_graph *g, struct axt_expr *e,
    const struct axt_part_states *s, const struct axt_box *box, const struct axt_needs *needs,
    const struct axt_together *together);
/* Evaluates m of these in one run: numbers of records, or the values of quantiles. */
struct axt_numbers {
	const int64_t *v;
	int64_t n;
};
int axt_part_states_run(struct axt_graph *g, struct axt_expr *const node[], int m,
    struct axt_numbers out[]);

/* States of parts, merged. */
struct axt_states {
	struct axt_states_of of;
	const struct axt_red_fns *fns;
	struct axt_acc all, one;
};
/*
 * Begins with the states of no elements. axt_states_release frees them, after an error as well.
 */
int axt_states_begin(struct axt_states *x, const struct axt_states_of *of, struct axt_err *e);
/* The numbers of a record: the kept element, and the planes. */
int64_t axt_states_numbers(const struct axt_states *x);
/* Merges n records, in their order. false: one is of no result. */
bool axt_states_add(struct axt_states *x, const int64_t *v, int64_t n);
/* Makes the results, of dtype d, of the states. */
int axt_states_results(const struct axt_states *x, enum axt_dtype d, void *out, struct axt_err *e);
void axt_states_release(struct axt_states *x);

/* ---- record.c: what the whole output is to be, as bytes in the first part ---- */

/* One tensor of the output. */
struct axt_part_tensor {
	struct axt_out_var v;
	struct axt_partition cut;
	struct axt_part_states states; /* if on, parts have these, and not values of the tensor */
};
/* In part.c: what is cut into chunks, the tensor or an axis that is reduced. */
const struct axt_partition *axt_part_cut(const struct axt_part_tensor *t);
struct axt_part_output {
	int n;
	struct axt_part_tensor *t;    /* [n] */
	const struct axt_attr *attrs; /* of the file */
	struct axt_out_opts opts;     /* those of them that say how tensors are stored; the rest */
};
int axt_part_output_write(struct axt_buf *b, const struct axt_part_output *x);
/* Returns 0, or -1 if the bytes are no such record. Strings and values are in the arena. */
int axt_part_output_read(struct axt_arena *m, const void *p, size_t n, struct axt_part_output *out);

/* ---- scatter.c: the values of a box, written to where they are in the whole ---- */

struct axt_scatter {
	struct axt_sink sink, *to;
	const struct axt_axes *x; /* of the whole */
	const struct axt_box *box;
	int inner;   /* the box is whole along the axes behind this one; -1: along all */
	int64_t run; /* elements that lie together in both */
	int size;
};
/* s->sink takes the bytes of a box of v, and gives them to `to`, which takes those of the whole. */
void axt_scatter_begin(struct axt_scatter *s, const struct axt_out_var *v,
    const struct axt_box *box, struct axt_sink *to);

/* ---- shared.c: parts that processes write into the output itself ---- */

/* The output of a whole job: a file, or a store of Zarr. */
struct axt_whole {
	struct axt_out *file;
	struct axt_zarr_out *store;
};
/* Where that is; path "": nowhere, and each part needs a file of its own. */
struct axt_shared {
	char path[4096];
	bool store;        /* the path is that of the folder of a store of Zarr */
	bool precious;     /* what it replaces stays until all bytes are on the disk */
	uint64_t dev, ino; /* what the path leads to, where it was made */
	int64_t *offset;   /* of the first byte of each tensor; -1: it is in chunks */
};
/*
 * Opens the output of the job by->job, which the first process does for all. If each needs a
 * file of its own, at->path is "" and *out is empty. Otherwise axt_whole_close closes *out, once
 * the bytes of all processes are there. at->offset has room for one number for each result.
 */
int axt_shared_open(struct axt_graph *g, const struct axt_save_opts *o, const struct axt_ranks *by,
    struct axt_whole *out, struct axt_shared *at);
/* Whether this process finds the file there: the path is for processes of one machine at first. */
bool axt_shared_reached(const struct axt_shared *at);
/* Gives the file a name that processes on other machines find, too. */
int axt_shared_named(struct axt_graph *g, struct axt_whole *out, int n, struct axt_shared *at);
/*
 * Where axt_part_save writes a part, in place of the output that the options name, which is that of
 * the whole. known: is told what the parts of the job have in common, and returns whether there is
 * nothing to do for this one; NULL.
 */
struct axt_part_place {
	const char *file;
	bool (*known)(void *ctx, const char *job);
	void *ctx;
};
/* axt_save_part, also by a process of a job, which all call. by, place: NULL, or these. */
int axt_part_save(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *how, const struct axt_ranks *by,
    const struct axt_part_place *place);

/* In part.c: fails if the file is one that the other parts are yet to read. */
int axt_part_operand(struct axt_graph *g, const char *file);
/* In into.c: axt_save_part where o->output is the output of the whole job. */
int axt_part_into(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *how);

/* A packed chunk. */
struct axt_kept {
	void *mem;     /* its bytes; NULL: they are in the file */
	int64_t n, at; /* how many, and where in the file */
};
/* The chunks of one tensor that a part has. */
struct axt_packed_tensor {
	struct axt_partition cut; /* of the job */
	int64_t n;                /* chunks: of one box after another, row-major in each */
	int64_t *chunk; /* [n]: their bytes, which axt_packed_write finds replaced by addresses */
	struct axt_kept *kept; /* [n] */
};
/* The chunks of a part, packed. */
struct axt_packed {
	int n;
	struct axt_packed_tensor *t; /* [n], of all results; those without chunks have none here */
	int64_t end, room;       /* bytes of all so far, and of those that memory has room for */
	struct axt_waiting more; /* the file of others */
	const char *name;        /* of the output, escaped */
};
/*
 * Computes a part. Values of tensors that are not in chunks are written where they belong; chunks
 * are packed. To be freed in any case. No more than the graph allows is in memory; the rest is in
 * files without a name, beside the output. Chunks of a store are files, which are written at once,
 * so that the numbers of chunks are 0.
 */
int axt_shared_make(struct axt_graph *g, const struct axt_save_opts *o, const char *part,
    const struct axt_shared *at, const struct axt_ranks *by, struct axt_packed *k);
/* Writes each chunk to its address there. */
int axt_packed_write(struct axt_packed *k, const struct axt_shared *at, struct axt_err *e);
void axt_packed_free(struct axt_packed *k);

/* ---- merge.c ---- */

/* Opens the output of a whole job. *x must stay until axt_whole_close. */
int axt_whole_open(struct axt_graph *g, const struct axt_part_output *x, const struct axt_way *way,
    struct axt_whole *w);
/* Puts it in its place, or removes it if the graph has an error. */
int axt_whole_close(struct axt_graph *g, struct axt_whole *w);

/* What an output is. Fails if its name asks for a format that parts of a job are not written in. */
int axt_part_way(struct axt_graph *g, const char *output, struct axt_way *way);

/* ---- job.c: which job a part belongs to ---- */

/*
 * Sets *sum to a checksum of the n expressions e, which are unified, and of their inputs: of files
 * the sizes, times and paths of datasets, of memory the bytes. It tells to which job a part
 * belongs. Fails with ARG if an input is a stream.
 */
int axt_job_sum(struct axt_graph *g, struct axt_expr *const e[], int n, uint64_t *sum);

/* The attributes of the file that a part has, and the dataset with the record in the first part. */
#define AXT_PART_OF "axt_part"
#define AXT_PART_JOB "axt_part_job"
#define AXT_PART_SLAB "axt_part_slab"
#define AXT_PART_COMMAND "axt_part_command"
#define AXT_PART_RECORD "axt_part_output"
#define AXT_PART_SUMS "axt_part_sums"     /* the dataset with a checksum of each piece's bytes */
#define AXT_PART_STATES "axt_part_states" /* a dataset of a part that has states */
/* The path of piece i of a part, from 0, in its file: name is that of its tensor. */
const char *axt_part_piece(struct axt_arena *m, const char *name, int i);
/* "3/64". false: it is not of that form, or there is no such part. */
bool axt_part_number(const char *s, int64_t *k, int64_t *n);

#endif
