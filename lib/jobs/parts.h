/*
 * parts.h - one job cut into parts, each of which computes and writes its share of the output, and
 * the parts put together again.
 */
#ifndef AXT_JOBS_PARTS_H
#define AXT_JOBS_PARTS_H

#include "graph/graph.h"
#include "out/way.h"

/* Positions [from[i], from[i] + len[i]) along each axis i of a tensor. */
struct axt_box {
	int64_t from[AXT_MAX_RANK], len[AXT_MAX_RANK];
};

/* ---- cut.c: which elements of the output belong to which part ---- */

/*
 * How an output is cut. Its chunks along the axes axis[0..n) are numbered, the last of these axes
 * fastest; along all other axes it is whole. Each part has a
 * range of these numbers. A chunk is unit[i] positions long along axis i, the last one maybe less.
 */
struct axt_partition {
	int rank, n, axis[AXT_MAX_RANK];
	int64_t len[AXT_MAX_RANK], unit[AXT_MAX_RANK];
	int64_t chunks; /* in all; 0: the output has no elements */
};
#define AXT_PARTS_MAX 1000000
#define AXT_PART_BOXES (2 * AXT_MAX_RANK)
/*
 * Cuts a tensor of those axes into at least `parts` chunks, if it has so many, along the first of
 * the axes order[0..n), and the next ones only if that is not enough. unit: the lengths of chunks.
 */
void axt_partition_make(const struct axt_axes *x, const int64_t *unit, const int *order, int n,
    int64_t parts, struct axt_partition *out);
/* Whether its numbers fit together; they may have been read from a file. */
bool axt_partition_sound(const struct axt_partition *p);
/*
 * Part k of n, from 1: box[] gets the boxes that it is made of, in the order of the chunks, and
 * together they have every element of the part once. Parts differ by at most one chunk. Returns how
 * many boxes there are, 0 for a part that is empty.
 */
int axt_partition_boxes(const struct axt_partition *p, int64_t k, int64_t n,
    struct axt_box box[AXT_PART_BOXES]);

/* ---- narrow.c: an expression for some elements of another ---- */

/*
 * The elements of e in the box, computed from no more of its arguments than they need. The values
 * are the same to the last bit as those of e. The result has the axes of e without coordinates, and
 * its meta.
 */
struct axt_expr *axt_narrowed(struct axt_graph *g, struct axt_expr *e, const struct axt_box *box);
/*
 * The reduction `red` of positions [from, from + len) along an axis of its argument, as states of
 * blocks. first: the position of the first of these elements among all that are reduced.
 */
struct axt_expr *axt_narrowed_states(struct axt_graph *g, struct axt_expr *red, int axis,
    int64_t from, int64_t len, int64_t first);
/*
 * Sets free_[i]: whether axis i of e can be cut so that each piece is computed by itself. *why: for
 * the first that cannot, what needs all of it, such as "sort"; NULL.
 */
int axt_free_axes(struct axt_graph *g, struct axt_expr *e, bool free_[AXT_MAX_RANK],
    const char **why);

/* ---- reads.c: what parts read, and which axes to cut ---- */

/*
 * The bytes of files that e reads: of each node that reads a tensor, all of the chunks that its
 * box of the tensor meets, as they are in memory. INT64_MAX: as many or more.
 */
int axt_part_reads(struct axt_graph *g, struct axt_expr *e, int64_t *bytes);
/*
 * Sets order[0..*n) to the axes that e can be cut along into such parts. First come those along
 * which all parts together read least; of several that differ by less than a quarter, the
 * outermost. unit: the lengths of chunks; can: which axes can be cut.
 */
int axt_cut_order(struct axt_graph *g, struct axt_expr *e, const int64_t *unit, const bool *can,
    int64_t parts, int order[AXT_MAX_RANK], int *n);

/* ---- block_states.c: reductions that are cut along an axis which they reduce ---- */

/*
 * A reduction of few results, whose parts are the states of blocks (kern/states.c): each part has a
 * range of positions along the axis, from one border of blocks to another.
 */
#define AXT_PART_KEPT_MAX 65536 /* more results are not few */
struct axt_part_states {
	bool on;
	/*
	 * Axes [axis, axis + naxes) of what is reduced are cut, as one axis if there are several;
	 * and the number of blocks. They are not known where parts are merged.
	 */
	int axis, naxes;
	int64_t blocks;
	struct axt_states_of of;
	struct axt_partition cut; /* of that axis */
};
/*
 * Whether e is such a reduction, and has states for more parts than `chunks`. Where it is not,
 * out->on is false.
 */
void axt_part_states_plan(struct axt_expr *e, int64_t parts, int64_t chunks,
    struct axt_part_states *out);
/* The reduction that e is a view of; NULL: it is none. */
struct axt_expr *axt_part_reduction(struct axt_expr *e);
/* The states of a range of positions along the axis that is cut, as an expression. */
struct axt_expr *axt_part_states_node(struct axt_graph *g, struct axt_expr *e,
    const struct axt_part_states *s, const struct axt_box *box);
/* Evaluates that: a tensor of records. */
struct axt_expr *axt_part_states_values(struct axt_graph *g, struct axt_expr *node);

/* ---- record.c: what the whole output is to be, as bytes in the first part ---- */

struct axt_part_output {
	struct axt_out_var v;
	const struct axt_attr *attrs; /* of the file */
	struct axt_out_opts opts;     /* those of them that say how the tensor is stored */
	struct axt_partition cut;
	struct axt_part_states states; /* if on, parts have these, and not values of the output */
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
/* s->sink takes the bytes of the box, and gives them to `to`, which takes those of the whole. */
void axt_scatter_begin(struct axt_scatter *s, const struct axt_part_output *o,
    const struct axt_box *box, struct axt_sink *to);

/* ---- part.c: parts that processes write into the output itself ---- */

/* Where that is; path "": nowhere, and each part needs a file of its own. */
struct axt_shared {
	char path[4096];
	int64_t offset;    /* of the first byte of the tensor */
	uint64_t dev, ino; /* what the path leads to, where it was made */
};
/*
 * Opens the output of a job, as the first of n processes does; *out is then closed by
 * axt_out_close, once axt_out_came has told of the bytes of all. It is NULL where at->path is "".
 */
int axt_shared_open(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, int64_t parts, struct axt_out **out, struct axt_shared *at,
    int64_t *bytes);
/* Whether this process finds the file there: the path is for processes of one machine at first. */
bool axt_shared_reached(const struct axt_shared *at);
/* Gives the file a name that processes on other machines find, too. */
int axt_shared_named(struct axt_graph *g, struct axt_out *out, struct axt_shared *at);
/* Computes a part, and writes it there. */
int axt_shared_write(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const char *part, const struct axt_shared *at);

/* ---- merge.c ---- */

/* What an output is. Fails if its name asks for a format that parts of a job are not written in. */
int axt_part_way(struct axt_graph *g, const char *output, struct axt_way *way);

/* ---- job.c: which job a part belongs to ---- */

/*
 * A checksum of the expression e, which is unified, and of its inputs: their sizes, times of
 * writing and paths of datasets, or the bytes of what is in memory. Fails with ARG if an input is a
 * stream.
 */
int axt_job_sum(struct axt_graph *g, struct axt_expr *e, uint64_t *sum);

/* The attributes of the file that a part has, and the dataset with the record in the first part. */
#define AXT_PART_OF "axt_part"
#define AXT_PART_JOB "axt_part_job"
#define AXT_PART_SLAB "axt_part_slab"
#define AXT_PART_COMMAND "axt_part_command"
#define AXT_PART_RECORD "axt_part_output"
#define AXT_PART_SUMS "axt_part_sums"     /* the dataset with a checksum of each piece's bytes */
#define AXT_PART_STATES "axt_part_states" /* the dataset of a part that has states */
/* The path of piece i of a part, from 0, in its file. */
const char *axt_part_piece(struct axt_arena *m, const char *name, int i);
/* "3/64". false: it is not of that form, or there is no such part. */
bool axt_part_number(const char *s, int64_t *k, int64_t *n);

#endif
