/*
 * plan.h - an expression made ready to run. A plan is a list of steps. Each step is one fused loop
 * nest: its operands, which are views of storage; a program of kernels that is run on tiles; and
 * what is done with the values, which are stored in order or reduced. A plan follows from shapes,
 * dtypes and layouts; the room eval only carries it out. Results that can be computed in one loop
 * nest, such as several reductions of one tensor, are outputs of one step, so that what they share
 * is read and computed once.
 *
 * The loop nest runs over a space of nd dimensions. The last dimensions, [lin, nd), are the linear
 * group, whose elements are numbered in a line. A tile is a box over the dimensions before the
 * group, and a range of the group. Elements of a tile are numbered row-major. The order of
 * dimensions depends on the kind of the step:
 *   MAP      the axes of the result, in its order.
 *   COLUMNS  reduced axes (in their order), then kept axes (in the order of the result). Each
 *            element is merged into the state of its column. If the last reduced axes are
 *            short runs, each run is a block, and vectors go across runs.
 *   RUNS     kept axes (in the order of the result), reduced axes that are not last, then the
 *            last reduced axes, which are the linear group.
 *   LINES    the axes of a line, somewhere among the kept ones. A tile has whole lines, or a
 *            piece of them.
 *   GUFUNC   loop axes, and dimensions of length 1 in the places of core axes. Operands and
 *            results are whole along their own core axes, whatever the length of these.
 */
#ifndef AXT_PLAN_PLAN_H
#define AXT_PLAN_PLAN_H

#include "expr/expr.h"
#include "linalg/blas.h"

/* elements that a program works on at once, so that intermediate values stay in L1 */
#define AXT_STRIP 2048
#define AXT_MAX_DIMS AXT_MAX_RANK
#define AXT_MAX_OUTS 16     /* the most outputs of a step */
#define AXT_MAX_OPERANDS 64 /* the most operands of a step */
#define AXT_MAX_PASS 16     /* the most steps of a pass */

enum axt_step_kind {
#define STEP(ID, name) AXT_STEP_##ID,
#include "steps.def"
#undef STEP
	AXT_NSTEPS
};

/* The kinds of sources, from which the elements of an operand come. */
enum axt_source_id {
#define SOURCE(ID, name, reach, words) AXT_SOURCE_##ID,
#include "sources.def"
#undef SOURCE
	AXT_NSOURCES
};
/* How the elements of an operand can be reached while a step runs. */
enum axt_reach {
	AXT_REACH_ANY,     /* any element at any time */
	AXT_REACH_SLABS,   /* slab by slab; slabs are decoded or computed one after another */
	AXT_REACH_IN_ORDER /* slab by slab, each once, as they arrive */
};
/* In slabs.c: what the planner knows of the kinds of sources. */
extern const struct axt_source_traits {
	enum axt_reach reach;
	const char *words; /* its name in --explain */
} axt_source_traits[AXT_NSOURCES];

struct axt_space {
	int nd, lin;
	int64_t len[AXT_MAX_DIMS];
	int64_t lin_len; /* the number of elements of the linear group */
};

struct axt_tile {
	int64_t lo[AXT_MAX_DIMS], n[AXT_MAX_DIMS]; /* index lin is that of the linear group */
	int64_t count;
};

/*
 * An index map: where the elements of a node are in the space. The position along axis a of the
 * node is from[a] plus, for each term whose axis is a, what the term's sel selects at the index
 * along the term's dimension. sel is NULL if it selects the index itself.
 */
struct axt_index_map {
	int n;
	struct axt_term {
		int axis, dim;
		const struct axt_sel *sel;
	} t[2 * AXT_MAX_DIMS];
	int64_t from[AXT_MAX_RANK];
};

/*
 * An argument of a product of matrices, which is computed slab by slab for the step that uses it.
 * The argument is a MAP step that is not run: the product asks it for tiles. Its dimensions [0,
 * outer) are the batch, [outer, lin) the rows, and the linear group the columns. The product sums
 * over the columns if k_last, else over the rows.
 */
#define AXT_MATRIX_TILE (32 << 10) /* elements of a tile of an argument that has to be copied */
struct axt_matrix {
	struct axt_step *s;
	int outer;
	bool k_last;
};
struct axt_product {
	const struct axt_expr *node;
	struct axt_matrix arg[2];
	/* the arguments as f16 or bf16, before they are converted to f32; s NULL: they are not */
	struct axt_matrix half[2];
	bool device;    /* whether a device multiplies the matrices */
	bool symmetric; /* whether the right is the left, transposed: so is the product, then */
	/* whether the step that uses the product reads it on the device, too */
	bool read_on_device;
	struct axt_blas blas; /* the library that multiplies blocks; name NULL: axt does */
	int64_t batch, m, n, k;
	int64_t mc, nc, kc; /* lengths of blocks; kc depends only on shape and dtype */
};

/* What is packed of argument i: as f16 or bf16, if a device multiplies those. */
static inline const struct axt_matrix *
axt_product_arg(const struct axt_product *p, int i)
{
	return p->device && p->half[0].s ? &p->half[i] : &p->arg[i];
}

/*
 * An operand that is made of any number of parts. Each part is a MAP step over the same space that
 * is not run: the operand asks it for tiles. Concatenated parts follow each other along dimension
 * `dim`, each with its own length there, and segments tell where each one is. If folded, every part
 * covers the whole space, and is combined with the result of the parts before it. With `whole`,
 * there is one part, which is always asked for whole along its core axes.
 */
struct axt_parts {
	int axis, dim, nparts; /* dim: -1 with fold or whole, or if the axis is no dimension */
	bool whole;            /* there is one part, which is whole along its core axes */
	int ncore;
	struct axt_core_dim {
		int dim;
		int64_t len; /* the length along dim, whatever that of the space is */
	} core[AXT_GUFUNC_CORE];
	bool slabbed;        /* whether some part is reached slab by slab */
	axt_map_fn *fold;    /* NULL: the parts are concatenated */
	bool *wrapped;       /* of a fold: set where an integer did not fit */
	enum axt_dtype comp; /* the dtype in which they are folded */
	/* conversion from the dtype of the parts to comp, and back; NULL: they are the same */
	axt_conv_fn *widen, *narrow;
	struct axt_step **part;
	int *arg;            /* which argument of the node each part is */
	struct axt_sel *sel; /* which positions of the part are used */
	int64_t nsegs;
	struct axt_segment {
		int64_t at, from; /* where the segment begins: in the space, and in the part */
		int part;
	} * seg;
};

/* Which elements of an operand, that is reached slab by slab, are in memory at a time. */
struct axt_window {
	int axis; /* the stored axis along which slabs advance; -1: everything is held at once */
	int64_t region[AXT_MAX_RANK]; /* the shape of what is in memory */
	int64_t origin[AXT_MAX_RANK]; /* where that begins, except along `axis` */
	/* the positions on `axis` that rows of a slab select; NULL: those of the rows */
	const struct axt_sel *sel;
	/* the least and the greatest that other dimensions add to these positions */
	int64_t lo, hi;
	/* [axis][chunk]: whether the chunk is needed; NULL: all in the region are */
	const uint8_t *wanted[AXT_MAX_RANK];
	bool pieces; /* whether chunks are decoded piece by piece */
};

/* How the elements of a contiguous storage are read. */
enum axt_access {
	AXT_ACCESS_PIECES, /* contiguous pieces of a tile are read into the tile */
	/* reductions use elements where they are, in a mapped file or in memory */
	AXT_ACCESS_IN_PLACE,
	AXT_ACCESS_MAPPED /* a tile is gathered from memory, or from a mapped file */
};

/* An operand of a loop nest: a leaf, or a node that is treated as one. */
struct axt_operand {
	enum axt_source_id source;
	/* LEAF, GEN, DOT, CONCAT, or a node whose values an earlier step stored */
	const struct axt_expr *node;
	const struct axt_storage *st; /* of a LEAF; NULL for others */
	struct axt_view v;            /* strides along the dimensions of the space */
	/*
	 * [d]: the positions along dimension d, if these are not evenly spaced; v.stride[d] is then
	 * -1
	 */
	const struct axt_sel *jump[AXT_MAX_DIMS];
	bool jumps;
	const struct axt_index_map *index_map; /* its index map, before dimensions are simplified */
	bool scalar;                           /* it has one value for the whole space */
	int size;                              /* bytes of an element */
	bool pipe;                             /* its bytes come through a pipe */
	/* the following belong to some sources only */
	enum axt_access access; /* of STORED */
	bool sparse;            /* of STORED: short pieces are used, far from one another */
	/* of a stream that is read in order: elements that are in memory at a time */
	int64_t slab_elements;
	struct axt_window *window;   /* if it is reached slab by slab, else NULL */
	struct axt_product *product; /* of PRODUCT, else NULL */
	struct axt_parts *joined;    /* of PARTS, else NULL */
};

/*
 * Whether the operand is a stream that is read once and in order. Other streams are spooled before
 * the step.
 */
static inline bool
axt_is_in_order(const struct axt_operand *op)
{
	return axt_source_traits[op->source].reach == AXT_REACH_IN_ORDER;
}

/* Whether the operand, or a part of it, is decoded or computed slab by slab. */
static inline bool
axt_is_slabbed(const struct axt_operand *op)
{
	return op->window || (op->joined && op->joined->slabbed);
}

/* The offset in storage that index i of dimension d adds. */
static inline int64_t
axt_operand_at(const struct axt_operand *op, int d, int64_t i)
{
	return op->jump[d] ? axt_sel_at(op->jump[d], i) : op->v.stride[d] * i;
}

enum axt_instr_kind { AXT_INSTR_CONV, AXT_INSTR_MAP, AXT_INSTR_UNPACK, AXT_INSTR_BINS };
#define AXT_APART 8 /* numbers for missing values that a conversion is told of */
struct axt_instr {
	enum axt_instr_kind kind;
	axt_conv_fn *conv;
	axt_map_fn *map;
	axt_unpack_fn *unpack;
	enum axt_overflow mode; /* of CONV */
	double packing[4];      /* of UNPACK: scale, offset, missing values */
	struct axt_bins *bins;  /* of BINS */
	const char *name;
	const struct axt_expr *node;
	int nin, in[3], out;
	bool *wrapped; /* set where an integer result did not fit, or a conversion to f64 rounded */
	uint64_t *apart; /* of CONV: bits of integers that may be rounded, as they are masked */
	int napart;
};
struct axt_reg {
	enum axt_dtype dtype;
	int operand;       /* index of the operand that it has, or -1 */
	const void *value; /* a constant, or NULL */
	bool scalar;
};
struct axt_prog {
	int noperands, nregs, ninstrs;
	struct axt_operand *operand;
	struct axt_reg *reg;
	struct axt_instr *instr;
	int weight, group; /* registers of weights and groups of a reduction; -1: there are none */
	struct axt_seen *seen; /* in compile.c: which nodes are in a register already */
};

/* A result of a step. */
struct axt_output {
	/* the node whose values these are: a REDUCE, a DOT, or what a map computes */
	const struct axt_expr *node;
	enum axt_dtype dtype;          /* dtype of the values that are stored */
	int root;                      /* register of the values, or of those that are reduced */
	const struct axt_red_fns *fns; /* of a reduction */
	axt_conv_fn *finish; /* from the dtype of fns->out to dtype; NULL: they are the same */
	int result;          /* which result of the plan it is; -1: it is kept for later steps */
	const struct axt_storage *held; /* where those values are, once the step has run */
};

/*
 * What only steps of the kind COLUMNS have; the structs after it are those of other kinds.
 * Dimensions [0, nred) are reduced. If runs lie side by side, dimensions [run, nred) are those of a
 * run, which is a block of run_len elements; otherwise run is nred, and each element is a block.
 * slide is -1 unless runs are windows that overlap along the kept dimension `slide`. Then each
 * element is computed only once, over the space `slid`, which lacks the dimension of the runs and
 * is longer along `slide`.
 */
#define AXT_SAME_MOST 256 /* the most elements of a run, where one operand is the same for all */
struct axt_step_columns {
	bool side;
	int nred, run, slide;
	int64_t run_len;
	struct axt_space slid;
	int64_t part[AXT_MAX_DIMS]; /* lengths of a part of a tile that is loaded at a time */
	/*
	 * Of runs side by side that are fused with a program (red.fused): the operand whose
	 * elements are the same for all runs, as the weights of a moving average; -1: none is.
	 */
	int same;
};
struct axt_step_runs {
	int nkept; /* dimensions [0, nkept) are kept, [nkept, lin) are reduced, but not last */
};
struct axt_step_lines {
	int a, b;      /* dimensions [a, b) are those of a line */
	bool counted;  /* quantiles of long lines are found by counting digits, in several passes */
	bool together; /* few long lines are sorted, each by all threads */
	bool full;     /* the result of the scan has the dtype of its accumulators */
	bool carried;  /* accumulators continue from slab to slab along the line */
	const struct axt_line_fns *fns;
	axt_scan_fn *scan;   /* NULL: it is no scan */
	int parts;           /* 2 for complex numbers, whose parts are done one by one, else 1 */
	int size;            /* bytes of an element of what the kernel gives */
	int from;            /* the operand from which elements are taken by position, or -1 */
	int64_t work, carry; /* of each thread: bytes of scratch, and number of accumulators */
	int64_t group;       /* the number of lines whose digits are counted together */
};
/*
 * What only steps of gufuncs have: which operands are read, and which dimensions are the axes of
 * the results.
 */
struct axt_step_gufunc {
	int operand[AXT_GUFUNC_TENSORS];
	/* [k]: the dimension of length 1 in the place of core axis k, or -1 */
	int slot[AXT_GUFUNC_CORE];
	int dim[AXT_MAX_OUTS][AXT_MAX_RANK]; /* the dimensions of the axes of each output */
	int64_t len[AXT_LETTERS]; /* [letter]: the length of the core axes with that letter */
	int64_t work;             /* bytes that a thread needs beside the tensors */
	int64_t most;             /* elements of the largest tensor of a call */
	int64_t done, spoiled; /* calls, and those whose results are NaN, as threads count them */
	bool wrapped;          /* set where an integer did not fit */
};

/*
 * What only reductions have: steps of the kinds COLUMNS and RUNS. A grouped reduction has a state
 * for each group and kept element. In its result, the dimension of the groups comes before the kept
 * dimension number group_at.
 */
struct axt_step_reduction {
	int kept[AXT_MAX_RANK]; /* axes of the argument that are kept */
	bool global_acc; /* the states of all kept elements are in memory during the whole step */
	/* of RUNS: threads reduce blocks in parallel, and the states are merged in order */
	bool partials;
	/*
	 * of RUNS with groups: any order gives the same bits, so that elements go to their groups
	 * one by one; `own`: each thread has states of its own of all results, which are merged at
	 * the end
	 */
	bool exact, own;
	/*
	 * of RUNS with groups that are the same for several kept elements: a block is split by
	 * group once for AXT_BESIDE of these, whose values lie side by side
	 */
	bool beside;
	/* of COLUMNS: all elements of a row belong to one group, which is looked up in memory */
	bool group_rows;
	int64_t groups; /* 1 if it is not grouped */
	int group_at;   /* -1 if it is not grouped */
	/*
	 * of RUNS: into how many parts the groups are divided; each unit reads all elements, and
	 * adds up those of one part
	 */
	int group_parts;
	int parts; /* 2 for sums of complex numbers, else 1 */
	/* of RUNS with partials: the values are the states of blocks (lib/kern/states.c) */
	bool states;
	/* the program and the reduction in one loop, for steps of one output; or NULL */
	const struct axt_fused_fns *fused;
};

struct axt_step {
	enum axt_step_kind kind;
	struct axt_output *out;
	int nouts;
	struct axt_prog prog;
	struct axt_space sp;
	struct axt_axes laid; /* axes in the order of the dimensions, before these are simplified */
	/* index map of what is computed or reduced, before dimensions are simplified */
	struct axt_index_map index_map;
	bool split; /* whether an axis is split into several dimensions */
	/* it is a part of a concatenation, so products and streams in it are stored first */
	bool apart;
	bool strict;               /* nodes that do not fit in the program become earlier steps */
	bool device;               /* a device computes the tiles */
	const char *why_not;       /* why no device does, if the user asked for one */
	int64_t ext[AXT_MAX_DIMS]; /* the lengths of a tile */
	/* tiles are computed in the order of the output, for a sink that needs order */
	bool linear;
	struct axt_step_reduction red;
	/*
	 * A pass is made of steps that are run band by band: a thread takes one band through all of
	 * them, so that what they share stays in the cache. The first step of a pass has the number
	 * of its steps as npass; the others have 0. band[] has the lengths of a band in the nband
	 * dimensions that are cut; the lengths are the same in each step.
	 */
	int npass, nband, band_dim[AXT_MAX_DIMS];
	int64_t band[AXT_MAX_DIMS];
	int slab_dim; /* the dimension along which slabs advance; -1: the step is done at once */
	int64_t slab_rows; /* the length of a slab along slab_dim */
	int decoders;      /* the number of threads that decode chunks at the same time */
	int64_t again; /* the number of slabs that need the same chunk, which is decoded for each */
	/*
	 * All dimensions along which slabs advance, slowest first. The last of them is slab_dim;
	 * along the others a slab has length 1.
	 */
	int nwalk, walk[AXT_MAX_DIMS];
	/*
	 * kept_count: the elements of the result (of each group, if it is grouped); red_count: how
	 * many elements are reduced to each
	 */
	int64_t kept_count, red_count;
	int64_t bytes_read, bytes_written, bytes_held, scratch;
	int64_t tiles; /* bytes of the tiles of all threads, which `scratch` does not include */
	union {        /* by the kind of the step */
		struct axt_step_columns columns;
		struct axt_step_runs runs;
		struct axt_step_lines line;
		struct axt_step_gufunc *gufunc;
	};
	struct axt_step *next;
};

/* Whether the runs of a reduction lie side by side, so that a tile is loaded part by part. */
static inline bool
axt_is_side(const struct axt_step *s)
{
	return s->kind == AXT_STEP_COLUMNS && s->columns.run < s->columns.nred;
}

/* Whether runs are windows that overlap. */
static inline bool
axt_slides(const struct axt_step *s)
{
	return s->kind == AXT_STEP_COLUMNS && s->columns.slide >= 0;
}

struct axt_plan {
	struct axt_step *steps; /* in the order in which they are run */
	bool ordered;           /* as in the options */
	int64_t scratch;        /* the most bytes in use at once, without the tiles of threads */
	int64_t tiles;          /* the most bytes of these tiles */
};

struct axt_plan_opts {
	bool ordered;   /* results go to sinks that need order, one after another */
	int64_t device; /* memory of the device that takes the steps it can take; 0: no device */
	int threads;
	int64_t memory; /* the most bytes that the plan may need in all */
	int64_t tile;   /* elements of a tile; 0: as many as fit in the cache */
	int64_t slab;   /* bytes of a slab; 0: as slabs.c and streams.c choose */
};

/* What the planner has to know of a storage; axt_storage_told in source/source.c fills it in. */
struct axt_storage_facts {
	enum axt_source_id source;
	bool memory; /* of STORED: it is in memory */
	bool pipe;   /* it is a stream, or was one before it was spooled */
	bool swap;
	int rank;
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK];
	/*
	 * of a source that is reached slab by slab: the bytes that a thread needs to decode a chunk
	 * as a whole, and those to decode it piece by piece (0: that is impossible)
	 */
	int64_t decode, flow;
	const void *fill; /* if all elements are equal: one of them; NULL: elements are stored */
};
typedef void axt_facts_fn(const struct axt_storage *st, struct axt_storage_facts *out);

/*
 * Plans n results without reading anything. Errors are in g->err, such as AXT_E_LIMIT if the
 * scratch does not fit in g->memory, or an outer product that was not asked for.
 */
int axt_plan_make(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_plan_opts *o, axt_facts_fn *facts, struct axt_plan **out);
/* The bytes that the steps read and write. */
int64_t axt_plan_bytes(const struct axt_plan *p);
void axt_plan_explain(struct axt_graph *g, const struct axt_plan *p, FILE *out);

/* What the planner finds out about a node. */
struct axt_learned {
	int users;    /* number of times that it is an argument or a result */
	bool several; /* whether values for several users are computed from it */
	bool held;    /* whether a step stores its values, since several users need them */
	/* whether it has to be stored: a user cannot compute it, or would do so again and again */
	bool hold;
};

/*
 * What the functions that make a plan share. They never change nodes: what they find out about
 * nodes is in `learned`.
 */
struct axt_planner {
	struct axt_graph *g;
	const struct axt_plan_opts *o;
	axt_facts_fn *facts;
	struct axt_plan *p;
	struct axt_step *last;
	int64_t held; /* bytes that steps so far store for later steps */
	struct axt_nodes nodes;
	struct axt_learned *learned; /* [i]: about node i of `nodes` */
	struct axt_nodes made;       /* nodes for which steps have been made */
	bool again; /* planning has to start again, since `hold` of some node was set */
};
/*
 * In plan.c: ends the trial of adding another output to step s, for which s->strict was set and
 * whose program was compiled with result rc. Returns true if the step already reads everything that
 * the output needs. Otherwise the program becomes `before` again, and an error that it is too large
 * is forgotten.
 */
bool axt_step_joined(struct axt_planner *pl, struct axt_step *s, const struct axt_prog *before,
    int rc);
/*
 * In broadcast.c: sets `hold` of computed nodes that are broadcast over many more elements than
 * they have, so that steps of their own store them.
 */
int axt_hold_broadcast(struct axt_planner *pl, struct axt_expr *const e[], int n);
/* In plan.c: what was found out about a node of the plan. */
struct axt_learned *axt_learned(const struct axt_planner *pl, const struct axt_expr *e);
static inline bool
axt_is_held(const struct axt_planner *pl, const struct axt_expr *e)
{
	return axt_learned(pl, e)->held;
}

/*
 * In compile.c: compiles the program that computes e over the dimensions of s->sp; *reg gets the
 * register of the values. If pl->again is set after an error, planning only has to start again.
 */
int axt_compile(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *index_map, int *reg);
/*
 * In index_map.c: adds the dimension of axis i of e to the space. If the axis was flattened from
 * several axes, each of these gets a dimension, except in a step of lines.
 */
void axt_index_map_axis(struct axt_planner *pl, struct axt_step *s, struct axt_index_map *p,
    const struct axt_expr *e, int i);
/*
 * Makes *out the index map of a node with axes `to`, which are some of the axes `of` of a node with
 * index map p. Axes are matched by name.
 */
void axt_index_map_sub(const struct axt_index_map *p, const struct axt_axes *of,
    const struct axt_axes *to, struct axt_index_map *out);
/*
 * The next two functions make *out the index map of the argument of e, which is a view or a
 * FLATTEN, from the index map p of e. They return false if no index map can describe it, or memory
 * ran out.
 */
bool axt_index_map_view(struct axt_graph *g, const struct axt_space *sp, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_index_map *out);
bool axt_index_map_flatten(struct axt_planner *pl, const struct axt_space *sp,
    const struct axt_expr *e, const struct axt_index_map *p, struct axt_index_map *out);
bool axt_index_map_equal(const struct axt_index_map *a, const struct axt_index_map *b);
/*
 * Sets how an operand advances along each dimension, by a stride or by jumps: its axes have the
 * given strides, and its element 0 is at `offset`.
 */
int axt_operand_lay(struct axt_graph *g, struct axt_operand *op, const struct axt_space *sp,
    const int64_t *stride, int64_t offset);
/*
 * The dimension that corresponds to the whole of axis i of the operand and to no other axis, or -1
 * if there is none.
 */
int axt_operand_dim(const struct axt_operand *op, const struct axt_space *sp, int i);
/*
 * In concat.c. axt_parts_concat finds where each part of a CONCAT is; NULL: no index map can
 * describe it, or memory ran out. axt_parts_index_map gives the index map of the argument that is
 * part k, and axt_parts_compile compiles the parts.
 */
struct axt_parts *axt_parts_concat(struct axt_graph *g, const struct axt_space *sp,
    const struct axt_expr *e, const struct axt_index_map *p);
/* The parts of a MAP with many arguments. NULL: the graph has the error. */
struct axt_parts *axt_parts_folded(struct axt_graph *g, const struct axt_expr *e);
bool axt_parts_index_map(struct axt_graph *g, const struct axt_space *sp, const struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p, int k, struct axt_index_map *out);
int axt_parts_compile(struct axt_planner *pl, const struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_parts *j);
/*
 * Makes argument k of e an operand of one part, which is whole along its axes core[0..n). These
 * have the dimensions dim[0..n) of the space, and their terms are added to *p, the index map of its
 * other axes. NULL: out of memory.
 */
struct axt_parts *axt_parts_whole(struct axt_graph *g, const struct axt_expr *e, int k,
    const int *core, const int *dim, int n, struct axt_index_map *p);
/*
 * In compile.c: compiles the parts of j, and makes j an operand of the program. Returns its
 * register, or -1 after an error.
 */
int axt_compile_parts(struct axt_planner *pl, struct axt_step *s, struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p);
/* In products.c: plans a product. NULL: the graph has the error. */
struct axt_product *axt_product_new(struct axt_planner *pl, const struct axt_expr *e);
/* Whether slabs may advance along a stored axis of the operand. */
bool axt_operand_cuts(const struct axt_operand *op, int axis);
/*
 * axt_product_slab gives the bytes of a slab of the product that are worth computing at once,
 * axt_product_scratch the bytes of the panels of all threads.
 */
int64_t axt_product_slab(const struct axt_product *p, int64_t memory);
int64_t axt_product_scratch(const struct axt_product *p, int threads);
/* The bytes of its arguments that are read more than once, since slabs need them again. */
int64_t axt_product_again(const struct axt_step *s, const struct axt_operand *op);
/* In simplify.c: merges dimensions along which all operands advance evenly. */
int axt_simplify(struct axt_graph *g, struct axt_step *s);
/*
 * Does what axt_simplify does for an argument of a product: merges dimensions only within the
 * batch, the rows, and the linear group.
 */
int axt_simplify_matrix(struct axt_graph *g, struct axt_matrix *m);
/* In shape.c: finds the lengths of tiles of an argument of a product. */
int axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts);
/* Adds a conversion of the register to another dtype; *reg is then the result. */
int axt_compile_conv(struct axt_graph *g, struct axt_step *s, int *reg, enum axt_dtype to);
/*
 * In step_lines.c: whether the results of the step have all axes of the argument, as those of scans
 * and sorts, or only the kept ones, as quantiles.
 */
bool axt_lines_keep(const struct axt_step *s);
int axt_lines_lay(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    const int *kept);
int axt_lines_program(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    struct axt_output *o);
/*
 * Makes the step of a scan, of a sort, or of elements taken by position. *copy becomes true if the
 * step's values are stored and have to be copied to the result.
 */
int axt_lines_step(struct axt_planner *pl, const struct axt_expr *e, int result, bool *copy);
/*
 * For quantiles of long lines, which are found by counting digits: axt_count_bytes gives the bytes
 * of the counts for a line, axt_count_group how many lines are counted together.
 */
int64_t axt_count_bytes(const struct axt_step *s);
int64_t axt_count_group(const struct axt_graph *g, const struct axt_step *s);
/* In device.c: sets s->device, or s->why_not. */
void axt_choose_device(struct axt_step *s, const struct axt_plan_opts *o);
/*
 * In plan.c: a MAP step for e that is never run, but asked for tiles by another step. NULL: the
 * graph has the error.
 */
struct axt_step *axt_step_asked(struct axt_graph *g, const struct axt_expr *e);
/*
 * In step_map.c: the MAP step that would compute e alone, not in a plan and without tiles. NULL:
 * the graph has the error.
 */
struct axt_step *axt_step_alone(struct axt_graph *g, struct axt_expr *e, axt_facts_fn *facts);
/* Gives a space without dimensions one of length 1. */
static inline void
axt_some_dim(struct axt_step *s)
{
	if (s->sp.nd == 0)
		s->sp.len[s->sp.nd++] = 1;
}
/* In bands.c: finds which steps are run together as passes, before dimensions are simplified. */
void axt_choose_bands(struct axt_plan *p, const struct axt_plan_opts *o);
/*
 * In slabs.c: decides how slabs advance, before dimensions are simplified: sets slab_dim and
 * slab_rows of the step, and the windows of its operands.
 */
int axt_choose_slabs(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts);
/*
 * In streams.c: sets slab_dim and slab_rows of steps that read streams, after dimensions are
 * simplified. Streams that cannot be read in order are spooled.
 */
void axt_choose_streams(struct axt_step *s, const struct axt_plan_opts *o);
/* In shape.c: finds slabs, simplified dimensions, lengths of tiles, and memory of a step. */
int axt_shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts);

/*
 * The number of elements of a tile that lie together in the storage of the operand and follow each
 * other in the order of the tile. A tile is made of such pieces.
 */
int64_t axt_operand_piece(const struct axt_operand *op, const struct axt_space *sp,
    const struct axt_tile *t);
/*
 * Writes a place such as " at time=3, lat=2". idx has an index for each dimension that the step had
 * before dimensions were simplified; negative ones are left out.
 */
void axt_place_text(const struct axt_step *s, const int64_t *idx, char *out, size_t size);
/* How many threads to start. One thread does little work faster than others can be started. */
int axt_step_threads(const struct axt_step *s, int threads);
/*
 * In warnings.c: after a run, warns of integers that did not fit their dtype, and of functions of
 * matrices whose results are all NaN, because each matrix had a number that is not finite.
 */
void axt_plan_warn(struct axt_graph *g, const struct axt_plan *p);
/* Whether dimension d is one of length 1 that stands in the place of a core axis. */
static inline bool
axt_is_slot(const struct axt_step *s, int d)
{
	for (int c = 0; c < AXT_GUFUNC_CORE; c++)
		if (s->gufunc->slot[c] == d)
			return true;
	return false;
}
/* The length of a band along dimension d; without bands, that of the dimension. */
int64_t axt_band_len(const struct axt_step *s, int d);
/* Whether slabs cut runs, so that the rest of a block waits for the next slab. */
bool axt_slab_in_run(const struct axt_step *s);

#endif
