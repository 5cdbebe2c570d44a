/*
 * plan.h - an expression made ready to run. A plan is a list of steps; each step is one fused
 * loop nest: operands (views of storage), a program of kernels on tiles, and what happens to the
 * values (kept in order, or reduced). Everything is decided here from shapes, dtypes and
 * layouts; the room eval only carries it out. Results that have a loop nest in common (several
 * reductions of one tensor) are the outputs of one step: what they share is read and made once.
 *
 * The loop nest is a space of nd dimensions. The last group of dimensions, [lin, nd), is
 * walked linearly; a tile is a box over the dimensions before it and a range of the group.
 * Elements of a tile are numbered row-major.
 *   MAP      the result's axes in its order.
 *   COLUMNS  reduced axes (in order), then kept axes (in result order): each
 *            element merges into its column; or, where the last reduced axes are short runs, each
 *            run is a block of its own, and vectors run across the runs.
 *   RUNS     kept axes (in result order), outer reduced axes, then the trailing
 *            reduced axes as the linear group.
 *   LINES    axes of a line somewhere among the kept ones; a tile has lines whole, or a piece.
 *   GUFUNC   loop axes, and dimensions of length 1 where core axes come in: each operand is asked
 *            for whole along its own core axes, and each result is as long there as it says.
 */
#ifndef AXT_PLAN_PLAN_H
#define AXT_PLAN_PLAN_H

#include "expr/expr.h"

#define AXT_STRIP 2048 /* elements a program works on at once: intermediates stay in L1 */
#define AXT_MAX_DIMS AXT_MAX_RANK
#define AXT_MAX_OUTS 16     /* outputs of a step */
#define AXT_MAX_OPERANDS 64 /* of a step */
#define AXT_MAX_PASS 8      /* steps of a pass */

enum axt_step_kind {
#define STEP(ID, name) AXT_STEP_##ID,
#include "steps.def"
#undef STEP
	AXT_NSTEPS
};

/* Where the elements of an operand come from: the kinds of sources. */
enum axt_source_id {
#define SOURCE(ID, name, reach, words) AXT_SOURCE_##ID,
#include "sources.def"
#undef SOURCE
	AXT_NSOURCES
};
/* How elements of an operand can be reached while a step runs. */
enum axt_reach {
	AXT_REACH_ANY,     /* each at any time */
	AXT_REACH_SLABS,   /* as slabs, which are decoded or computed one after another */
	AXT_REACH_IN_ORDER /* once, slab by slab, as they come */
};
/* In slabs.c: what the planner knows of the kinds of sources. */
extern const struct axt_source_traits {
	enum axt_reach reach;
	const char *words; /* in --explain */
} axt_source_traits[AXT_NSOURCES];

struct axt_space {
	int nd, lin;
	int64_t len[AXT_MAX_DIMS];
	int64_t lin_len; /* product of the lengths of the linear group */
};

struct axt_tile {
	int64_t lo[AXT_MAX_DIMS], n[AXT_MAX_DIMS]; /* [lin]: of the linear group */
	int64_t count;
};

/*
 * Where the elements of a node are in the space: the position along its axis a is from[a] and, for
 * each term with that axis, what its dimension's index selects. NULL: the index itself.
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
 * A product of matrices, computed slab by slab for the step that uses it. An argument is a MAP step
 * of which tiles are asked for: dimensions [0, outer) are those of the batch; then the rows,
 * [outer, lin), and the linear group, which is what is summed over, or not.
 */
#define AXT_MATRIX_TILE (32 << 10) /* elements of such a tile, when it has to be copied */
struct axt_matrix {
	struct axt_step *s;
	int outer;
	bool k_last;
};
struct axt_product {
	const struct axt_expr *node;
	struct axt_matrix arg[2];
	struct axt_matrix half[2]; /* what f16 or bf16 were before they became f32; or no s */
	bool device;               /* multiplied there ... */
	bool stays;                /* ... and read there by the step that uses it */
	int64_t batch, m, n, k;
	int64_t mc, nc, kc; /* blocks; kc by shape and dtype alone */
};

/* What is packed of argument i. */
static inline const struct axt_matrix *
axt_product_arg(const struct axt_product *p, int i)
{
	return p->device && p->half[0].s ? &p->half[i] : &p->arg[i];
}

/*
 * Any number of parts, each a MAP step over the same space, of which tiles are asked for: either
 * one after another along dimension `dim`, each of its own length there, and segments say which
 * part is where; or, with `fold`, all over the whole space, each put into the result of those
 * before it. An operand with core axes is one part, always asked for along the whole of these.
 */
struct axt_parts {
	int axis, dim, nparts; /* dim -1: the axis is no dimension; fold; whole */
	bool whole;            /* one part, whole along its core axes: */
	int ncore;
	struct axt_core_dim {
		int dim;
		int64_t len; /* there, whatever the space's length is */
	} core[AXT_GUFUNC_CORE];
	bool slabbed;     /* some part is held slab by slab */
	axt_map_fn *fold; /* NULL: one after another. In dtype comp: */
	enum axt_dtype comp;
	axt_conv_fn *widen, *narrow; /* from and to that of the parts; NULL: it is the same */
	struct axt_step **part;
	int *arg;            /* of the node, that each part is */
	struct axt_sel *sel; /* what of it */
	int64_t nsegs;
	struct axt_segment {
		int64_t at, from; /* first index there: of the space, of the part */
		int part;
	} * seg;
};

/* What is held at a time of an operand that is decoded or computed slab by slab. */
struct axt_window {
	int axis;                     /* stored axis the slabs advance along; -1: all at once */
	int64_t region[AXT_MAX_RANK]; /* shape of what is held */
	int64_t origin[AXT_MAX_RANK]; /* where it begins, but along axis: */
	const struct axt_sel *sel;    /* rows of a slab to positions there; NULL: themselves */
	int64_t lo, hi;               /* and what other dimensions add to them */
	const uint8_t *wanted[AXT_MAX_RANK]; /* per chunk of an axis; NULL: all of the region */
	bool pieces;                         /* chunks are decoded without being held whole */
};

/* How the elements of a contiguous storage are best read. */
enum axt_access {
	AXT_ACCESS_PIECES,   /* contiguous pieces of a tile */
	AXT_ACCESS_IN_PLACE, /* where they lie, if that may be mapped: reductions */
	AXT_ACCESS_MAPPED    /* through memory: gathers and broadcasts */
};

/* A leaf as the loop nest sees it. */
struct axt_operand {
	enum axt_source_id source;
	const struct axt_expr *node;  /* LEAF, GEN, DOT, CONCAT, or what a step before holds */
	const struct axt_storage *st; /* of a LEAF; else NULL */
	struct axt_view v;            /* strides along the space's dimensions */
	/* dimensions whose elements are not evenly spaced, where they are; v.stride is -1 there */
	const struct axt_sel *jump[AXT_MAX_DIMS];
	bool jumps;
	const struct axt_index_map *place; /* before simplification */
	bool scalar;                       /* one value for the whole space */
	int size;                          /* bytes of an element */
	bool pipe;                         /* its bytes come through a pipe */
	/* what only some sources have, which is theirs */
	enum axt_access access;      /* STORED */
	int64_t held;                /* taken in order: so many elements at a time */
	struct axt_window *window;   /* reached as slabs, else NULL */
	struct axt_product *product; /* PRODUCT, else NULL */
	struct axt_parts *joined;    /* PARTS, else NULL */
};

/* Whether it is a stream that is taken once and in order; else it is spooled before. */
static inline bool
axt_is_in_order(const struct axt_operand *op)
{
	return axt_source_traits[op->source].reach == AXT_REACH_IN_ORDER;
}

/* Whether some of it is decoded or computed slab by slab. */
static inline bool
axt_is_slabbed(const struct axt_operand *op)
{
	return op->window || (op->joined && op->joined->slabbed);
}

/* Where element i of dimension d is. */
static inline int64_t
axt_operand_at(const struct axt_operand *op, int d, int64_t i)
{
	return op->jump[d] ? axt_sel_at(op->jump[d], i) : op->v.stride[d] * i;
}

enum axt_instr_kind { AXT_INSTR_CONV, AXT_INSTR_MAP, AXT_INSTR_UNPACK };
struct axt_instr {
	enum axt_instr_kind kind;
	axt_conv_fn *conv;
	axt_map_fn *map;
	axt_unpack_fn *unpack;
	enum axt_overflow mode; /* CONV */
	double packing[4];      /* UNPACK: scale, offset, missing values */
	const char *name;
	const struct axt_expr *node;
	int nin, in[3], out;
	bool *wrapped; /* differences of unsigned numbers: set where one was below zero */
};
struct axt_reg {
	enum axt_dtype dtype;
	int operand;       /* index, or -1 */
	const void *value; /* a constant, or NULL */
	bool scalar;
};
struct axt_prog {
	int noperands, nregs, ninstrs;
	struct axt_operand *operand;
	struct axt_reg *reg;
	struct axt_instr *instr;
	int weight, group;     /* registers; -1 when there is none */
	struct axt_seen *seen; /* In compile.c: what is in a register already */
};

/* What leaves a step. */
struct axt_output {
	const struct axt_expr *node;    /* whose values: a REDUCE, a DOT, or what a map computes */
	enum axt_dtype dtype;           /* of the bytes */
	int root;                       /* register of the values, or of what is reduced */
	const struct axt_red_fns *fns;  /* reductions */
	axt_conv_fn *finish;            /* fns->out -> dtype, NULL: same */
	int result;                     /* which result of the plan; -1: held for later steps */
	const struct axt_storage *held; /* where, once run */
};

/*
 * What steps of one kind have. COLUMNS: dimensions [0, nred) are reduced. Of runs side by side,
 * dimensions [run, nred) are those of a run, which is a block of run_len elements; run is nred
 * where each element is a block. slide is -1, unless runs are windows that overlap along kept
 * dimension `slide`. Then elements are computed only once, over the space `slid`, which lacks the
 * runs' dimension and is longer along `slide`.
 */
struct axt_step_columns {
	bool side;
	int nred, run, slide;
	int64_t run_len;
	struct axt_space slid;
	int64_t part[AXT_MAX_DIMS]; /* of a tile, what is loaded at a time */
};
struct axt_step_runs {
	int nkept; /* dimensions [0, nkept) stay, [nkept, lin) are outer */
};
struct axt_step_lines {
	int a, b;      /* dimensions [a, b) are those of a line */
	bool counted;  /* quantiles of long lines: by counts of digits, in passes */
	bool together; /* sorts of few long lines: all threads sort each */
	bool full;     /* the scan's result has the dtype of its accumulators */
	bool carried;  /* accumulators continue from slab to slab along the line */
	const struct axt_line_fns *fns;
	axt_scan_fn *scan;   /* NULL: no scan */
	int size;            /* bytes of an element of the kernel's result */
	int from;            /* the operand that elements are taken from by position, or -1 */
	int64_t work, carry; /* scratch of a thread: bytes; accumulators */
	int64_t group;       /* lines whose digits are counted together */
};
/* Operands of the program, and which dimensions are the axes of results. */
struct axt_step_gufunc {
	int operand[AXT_GUFUNC_TENSORS];
	int slot[AXT_GUFUNC_CORE];           /* the dimension where k-th core axes come in, or -1 */
	int dim[AXT_MAX_OUTS][AXT_MAX_RANK]; /* of the axes of each output */
	int64_t len[AXT_LETTERS];            /* of core axes, by letter */
	int64_t work;                        /* bytes that a thread needs beside the tensors */
	int64_t most;                        /* elements of the largest tensor of a call */
};

struct axt_step {
	enum axt_step_kind kind;
	struct axt_output *out;
	int nouts;
	struct axt_prog prog;
	struct axt_space sp;
	int kept[AXT_MAX_RANK];     /* reductions: axes of the argument that stay */
	struct axt_axes laid;       /* axes in the dimensions' order, before simplification */
	struct axt_index_map place; /* of what it computes, or reduces: before simplification */
	bool split;                 /* some axis is several dimensions */
	bool apart;  /* part of a concatenation: products and streams in it are stored first */
	bool strict; /* nodes that exceed the program become steps before this one */
	bool device; /* tiles are computed by a device */
	const char *why_not;       /* why not, if one was asked for */
	int64_t ext[AXT_MAX_DIMS]; /* lengths of a tile */
	bool linear;               /* tiles are computed in the output's order, for ordered sinks */
	bool partials;   /* RUNS: blocks are reduced in parallel, and merged in order afterwards */
	bool global_acc; /* the states of all kept elements are in memory during the whole step */
	/*
	 * Grouped reductions have a state for each group and, within it, each kept element. In the
	 * results the groups' dimension comes before kept dimension group_at.
	 */
	int64_t groups;  /* 1: not grouped */
	int group_parts; /* RUNS: a unit sees all elements, adds those of a part of them */
	int group_at;    /* -1: not grouped */
	bool group_rows; /* COLUMNS: each row belongs to one group, which is looked up in memory */
	/*
	 * A pass is this step and the npass - 1 after it; 0: an earlier step began its pass. Steps
	 * of one pass are run band by band: a thread takes a band through all of them, so that what
	 * they share stays in the cache. band[] cuts nband dimensions, of the same lengths in each
	 * step.
	 */
	int npass, nband, band_dim[AXT_MAX_DIMS];
	int64_t band[AXT_MAX_DIMS];
	int slab_dim;      /* dimension the slabs advance along; -1: all at once */
	int64_t slab_rows; /* indices of slab_dim in a slab */
	int decoders;      /* threads that decode chunks at once */
	int64_t again;     /* how many slabs need the same chunk, which is decoded for each */
	/*
	 * dimensions that slabs advance along: slab_dim is the last; in those before by one index
	 */
	int nwalk, walk[AXT_MAX_DIMS];
	const struct axt_fused_fns
	    *fused; /* with one output: program and reduction in one loop, or NULL */
	int parts;  /* 2 for complex sums, else 1 */
	int64_t kept_count, red_count; /* elements of the result, or a group; elements reduced */
	int64_t bytes_read, bytes_written, bytes_held, scratch;
	int64_t tiles; /* bytes of the threads' tiles, which scratch does not count */
	union {        /* by its kind */
		struct axt_step_columns columns;
		struct axt_step_runs runs;
		struct axt_step_lines line;
		struct axt_step_gufunc *gufunc;
	};
	struct axt_step *next;
};

/* Whether the runs of a reduction lie side by side: a tile is then loaded part by part. */
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
	struct axt_step *steps; /* in order of execution */
	bool ordered;           /* as the options asked */
	int64_t scratch;        /* most bytes held at once, without the threads' tiles */
	int64_t tiles;          /* most bytes of those */
};

struct axt_plan_opts {
	bool ordered;   /* results go to ordered sinks, one after another */
	int64_t device; /* bytes of a device, where steps go that can; 0: none */
	int threads;
	int64_t memory; /* bytes that all is to fit in */
	int64_t tile;   /* elements; 0: by cache size */
	int64_t slab;   /* bytes; 0: what slabs.c and streams.c say */
};

/* What the plan needs to know of storage: filled by axt_storage_told of source/source.c. */
struct axt_storage_facts {
	enum axt_source_id source;
	bool memory; /* STORED: in memory */
	bool pipe;   /* a stream, or what was one before it was spooled */
	bool swap;
	int rank;
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK];
	/*
	 * reached as slabs: a thread's buffers to decode a chunk, held whole; piece by piece, 0: it
	 * cannot be
	 */
	int64_t decode, flow;
	const void *fill; /* one element, which all are like; NULL: they are stored */
};
typedef void axt_facts_fn(const struct axt_storage *st, struct axt_storage_facts *out);

/*
 * Plans n results. Errors in g->err: AXT_E_LIMIT when the scratch cannot fit g->memory, an
 * outer product not asked for. Nothing is read.
 */
int axt_plan_make(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_plan_opts *o, axt_facts_fn *facts, struct axt_plan **out);
/* Bytes its steps read and write. */
int64_t axt_plan_bytes(const struct axt_plan *p);
void axt_plan_explain(struct axt_graph *g, const struct axt_plan *p, FILE *out);

/* What the planner learns of a node. */
struct axt_learned {
	int users;    /* how often it is an argument, or a result */
	bool several; /* values of several users come from it */
	bool held;    /* a step stores its values, because several users need them ... */
	bool hold;    /* ... or because a user cannot do without */
};

/*
 * What all functions that make a plan share. The nodes of the plan are not changed: what is learned
 * of them is kept here.
 */
struct axt_planner {
	struct axt_graph *g;
	const struct axt_plan_opts *o;
	axt_facts_fn *facts;
	struct axt_plan *p;
	struct axt_step *last;
	int64_t held; /* bytes of what steps so far hold for later ones */
	struct axt_nodes nodes;
	struct axt_learned *learned; /* by their index in nodes */
	struct axt_nodes made;       /* those that have their steps */
	bool again;                  /* planning must start again, since a node got `hold` */
};
/* In plan.c: what was learned of a node of the plan. */
struct axt_learned *axt_learned(const struct axt_planner *pl, const struct axt_expr *e);
static inline bool
axt_is_held(const struct axt_planner *pl, const struct axt_expr *e)
{
	return axt_learned(pl, e)->held;
}

/*
 * In compile.c: the program of a node over the dimensions of s->sp. With pl->again set the error
 * only says that the plan is to be made again.
 */
int axt_compile(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *place, int *reg);
/*
 * In index_map.c: axis i of e as the next dimensions of the space: one, or as many as what is
 * flattened in it had, but in a step of lines.
 */
void axt_index_map_axis(struct axt_planner *pl, struct axt_step *s, struct axt_index_map *p,
    const struct axt_expr *e, int i);
/* The place of a node over `to` in that of one over `of`: axes by name. */
void axt_index_map_sub(const struct axt_index_map *p, const struct axt_axes *of,
    const struct axt_axes *to, struct axt_index_map *out);
/* That of a VIEW's, or FLATTEN's, argument; false: no index map says so, or memory ran out. */
bool axt_index_map_view(struct axt_graph *g, const struct axt_space *sp, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_index_map *out);
bool axt_index_map_flatten(struct axt_planner *pl, const struct axt_space *sp,
    const struct axt_expr *e, const struct axt_index_map *p, struct axt_index_map *out);
bool axt_index_map_equal(const struct axt_index_map *a, const struct axt_index_map *b);
/* The strides, or jumps, of an operand whose axes have these strides, from element `offset`. */
int axt_operand_lay(struct axt_graph *g, struct axt_operand *op, const struct axt_space *sp,
    const int64_t *stride, int64_t offset);
/* The dimension that is axis i of the operand, whole and alone; -1: there is none. */
int axt_operand_dim(const struct axt_operand *op, const struct axt_space *sp, int i);
/*
 * In concat.c: where each part of a CONCAT is. NULL: no index map says so, or memory ran out. Then
 * the place of part k in its argument, and its steps.
 */
struct axt_parts *axt_parts_concat(struct axt_graph *g, const struct axt_space *sp,
    const struct axt_expr *e, const struct axt_index_map *p);
/* The parts of a MAP of many arguments. NULL: the graph has the error. */
struct axt_parts *axt_parts_folded(struct axt_graph *g, const struct axt_expr *e);
bool axt_parts_index_map(struct axt_graph *g, const struct axt_space *sp, const struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p, int k, struct axt_index_map *out);
int axt_parts_compile(struct axt_planner *pl, const struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_parts *j);
/*
 * Argument k of a node, whole along its axes core[0..n), which are dimensions dim[0..n): their
 * terms are added to *p, the place of its other axes. NULL: out of memory.
 */
struct axt_parts *axt_parts_whole(struct axt_graph *g, const struct axt_expr *e, int k,
    const int *core, const int *dim, int n, struct axt_index_map *p);
/* In compile.c: j as an operand of a program, its parts compiled. -1: error. */
int axt_compile_parts(struct axt_planner *pl, struct axt_step *s, struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p);
/* In contraction.c: NULL: the graph has the error. */
struct axt_product *axt_product_new(struct axt_planner *pl, const struct axt_expr *e);
/* Whether slabs may advance along a stored axis. */
bool axt_operand_cuts(const struct axt_operand *op, int axis);
/* Bytes of a slab worth computing at once; bytes of panels. */
int64_t axt_product_slab(const struct axt_product *p, int64_t memory);
int64_t axt_product_scratch(const struct axt_product *p, int threads);
/* Bytes of its arguments that are read again, slab by slab. */
int64_t axt_product_again(const struct axt_step *s, const struct axt_operand *op);
/* In simplify.c: dimensions that all operands walk as one become one. */
int axt_simplify(struct axt_graph *g, struct axt_step *s);
/* The same within the batch, the rows and the linear group. */
int axt_simplify_matrix(struct axt_graph *g, struct axt_matrix *m);
/* shape.c */
int axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts);
/* The register converted to another dtype. */
int axt_compile_conv(struct axt_graph *g, struct axt_step *s, int *reg, enum axt_dtype to);
/* In step_lines.c: whether the axes are the argument's (scan, sort), not the kept ones (quantiles). */
bool axt_lines_keep(const struct axt_step *s);
int axt_lines_lay(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    const int *kept);
int axt_lines_program(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    struct axt_output *o);
/* The step of a scan, a sort, or elements by position; held, then copied, where *copy says so. */
int axt_lines_step(struct axt_planner *pl, const struct axt_expr *e, int result, bool *copy);
/* Bytes of the counts of a line; lines counted at once. */
int64_t axt_count_bytes(const struct axt_step *s);
int64_t axt_count_group(const struct axt_graph *g, const struct axt_step *s);
/* In device.c: sets s->device, or s->why_not. */
void axt_choose_device(struct axt_step *s, const struct axt_plan_opts *o);
/*
 * In plan.c: a MAP step that is never run, but asked for tiles of e. NULL: the graph has the error.
 */
struct axt_step *axt_step_asked(struct axt_graph *g, const struct axt_expr *e);
/*
 * In step_map.c: the one MAP step that e would be, with no tiles yet. NULL: the graph has the
 * error.
 */
struct axt_step *axt_step_alone(struct axt_graph *g, struct axt_expr *e, axt_facts_fn *facts);
/* A space without dimensions gets one. */
static inline void
axt_some_dim(struct axt_step *s)
{
	if (s->sp.nd == 0)
		s->sp.len[s->sp.nd++] = 1;
}
/* In bands.c: which steps make a pass together, before simplification. */
void axt_choose_bands(struct axt_plan *p, const struct axt_plan_opts *o);
/* In slabs.c: slab_dim, slab_rows and the operands' regions, before simplification. */
int axt_choose_slabs(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts);
/*
 * In streams.c: the same for streams, after simplification. Those that stay `stream` are in order.
 */
void axt_choose_streams(struct axt_step *s, const struct axt_plan_opts *o);
/* In shape.c: slabs, simplification, tile extents, memory. */
int axt_shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts);

/*
 * Elements of a tile that lie contiguous in an operand's storage, in the tile's
 * order: the tile is made of such pieces.
 */
int64_t axt_operand_piece(const struct axt_operand *op, const struct axt_space *sp,
    const struct axt_tile *t);
/* Indices of dimension d in a band, or all there are. */
int64_t axt_band_len(const struct axt_step *s, int d);
/* Whether slabs cut the run itself: what is left over of a block then waits for the next slab. */
bool axt_slab_in_run(const struct axt_step *s);

#endif
