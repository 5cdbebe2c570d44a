/*
 * plan.h - an expression made ready to run. A plan is a list of steps; each step is one fused
 * loop nest: operands (views of storage), a program of kernels on tiles, and what happens to the
 * values (kept in order, or reduced). Everything is decided here from shapes, dtypes and
 * layouts; the run room only carries it out. Results that have a loop nest in common (several
 * reductions of one tensor) are the outputs of one step: what they share is read and made once.
 *
 * The loop nest is a space of nd dimensions. The last group of dimensions, [lin, nd), is
 * walked linearly; a tile is a box over the dimensions before it and a range of the group.
 * Elements of a tile are numbered row-major.
 *   MAP      the result's axes in its order.
 *   COLUMNS  reduced axes (in order), then kept axes (in result order): each
 *            element merges into its column.
 *   RUNS     kept axes (in result order), outer reduced axes, then the trailing
 *            reduced axes as the linear group.
 */
#ifndef AXT_PLAN_H
#define AXT_PLAN_H

#include "../expr/expr.h"

#define AXT_STRIP 2048		/* elements a program works on at once: intermediates stay in L1 */
#define AXT_MAX_DIMS AXT_MAX_RANK
#define AXT_MAX_OUTS 16		/* outputs of a step */
#define AXT_MAX_PASS 8		/* steps of a pass */

enum axt_step_kind { AXT_STEP_MAP, AXT_STEP_COLUMNS, AXT_STEP_RUNS };

struct axt_space {
	int nd, lin;
	int64_t len[AXT_MAX_DIMS];
	int64_t lin_len;		/* product of the lengths of the linear group */
};

struct axt_tile {
	int64_t lo[AXT_MAX_DIMS], n[AXT_MAX_DIMS];	/* [lin]: of the linear group */
	int64_t count;
};

/*
 * A product of matrices, computed slab by slab for the step that uses it. An argument is a MAP step of
 * which tiles are asked for: dimensions [0, outer) are those of the batch; then the rows, [outer, lin),
 * and the linear group, which is what is summed over, or not.
 */
#define AXT_MATRIX_TILE (32 << 10)	/* elements of such a tile, when it has to be copied */
struct axt_product {
	const struct axt_expr *node;
	struct axt_matrix {
		struct axt_step *s;
		int outer;
		bool k_last;
	} arg[2];
	int64_t batch, m, n, k;
	int64_t mc, nc, kc;		/* blocks; kc by shape and dtype alone */
};

/* A leaf as the loop nest sees it. */
struct axt_operand {
	const struct axt_expr *node;	/* LEAF, GEN, DOT, or a REDUCE or DOT made before */
	const struct axt_product *product; /* DOT: computed into a slab */
	const struct axt_storage *st;	/* NULL for GEN */
	struct axt_view v;		/* strides along the space's dimensions */
	int axis_dim[AXT_MAX_RANK];	/* of each stored axis, before simplification; -1 none */
	bool scalar;			/* one value for the whole space */
	bool mapped;			/* read through memory: gathers and broadcasts */
	bool in_place;			/* better used where it lies: reductions */
	int size;			/* bytes of an element */
	/* a stream: taken in order, so many elements at a time; else spooled before */
	bool pipe, stream;
	int64_t held;
	/* chunked storage decoded, and products computed, slab by slab: */
	bool slabbed;
	int slab_axis;			/* stored axis the slabs advance along; -1: all at once */
	int64_t region[AXT_MAX_RANK];	/* shape of what is held at a time */
};

enum axt_instr_kind { AXT_INSTR_CONV, AXT_INSTR_MAP, AXT_INSTR_UNPACK };
struct axt_instr {
	enum axt_instr_kind kind;
	axt_conv_fn *conv;
	axt_map_fn *map;
	axt_unpack_fn *unpack;
	double packing[4];			/* UNPACK: scale, offset, missing values */
	const char *name;
	const struct axt_expr *node;
	int nin, in[3], out;
};
struct axt_reg {
	enum axt_dtype dtype;
	int operand;			/* index, or -1 */
	const void *value;		/* a constant, or NULL */
	bool scalar;
};
struct axt_prog {
	int noperands, nregs, ninstrs;
	struct axt_operand *operand;
	struct axt_reg *reg;
	struct axt_instr *instr;
	int weight;			/* register; -1 when there is none */
	struct axt_seen *seen;		/* compile.c: what is in a register already */
};

/* What leaves a step. */
struct axt_output {
	const struct axt_expr *node;	/* whose values: a REDUCE, a DOT, or what a map computes */
	enum axt_dtype dtype;		/* of the bytes */
	int root;			/* register of the values, or of what is reduced */
	const struct axt_red_fns *fns;	/* reductions */
	axt_conv_fn *finish;		/* fns->out -> dtype, NULL: same */
	int result;			/* which result of the plan; -1: held for later steps */
	const struct axt_storage *held;	/* where, once run */
};

struct axt_step {
	enum axt_step_kind kind;
	struct axt_output *out;
	int nouts;
	struct axt_prog prog;
	struct axt_space sp;
	int kept[AXT_MAX_RANK];		/* reductions: axes of the argument that stay */
	struct axt_axes laid;		/* axes in the dimensions' order, before simplification */
	/* COLUMNS: dims [0,nred) reduced; RUNS: [0,nkept) kept, [nkept,lin) outer */
	int nkept, nred;
	int64_t ext[AXT_MAX_DIMS];	/* tile extents */
	bool linear;			/* tiles come in the output's order, for ordered sinks */
	bool partials;			/* RUNS: blocks in parallel, merged in order afterwards */
	bool global_acc;		/* states of all kept elements live through the step */
	/*
	 * A pass: this step and the npass - 1 after it (0: in a pass begun before). Several run band
	 * by band, a thread a band through all of them, so that what they share stays in cache:
	 * nband dimensions, the same in number and length for each step, are cut by band[].
	 */
	int npass, nband, band_dim[AXT_MAX_DIMS];
	int64_t band[AXT_MAX_DIMS];
	int slab_dim;			/* dimension the slabs advance along; -1: all at once */
	int64_t slab_rows;		/* indices of slab_dim in a slab */
	/* dimensions the slabs walk: slab_dim is the last, those before go index by index */
	int nwalk, walk[AXT_MAX_DIMS];
	const struct axt_fused_fns *fused; /* one output: program and reduction at once, or NULL */
	int parts;			/* 2 for complex sums, else 1 */
	int64_t kept_count, red_count;	/* elements of the result; elements of one of them */
	int64_t bytes_read, bytes_written, bytes_held, scratch;
	struct axt_step *next;
};

struct axt_plan {
	struct axt_step *steps;		/* in order of execution */
	int64_t scratch;		/* most bytes held at once, without the threads' tiles */
};

struct axt_plan_opts {
	bool ordered;			/* results go to ordered sinks, one after another */
	int threads;
	int64_t tile;			/* elements; 0: by cache size */
	int64_t slab;			/* bytes; 0: what slabs.c and streams.c say */
};

/* What the plan needs to know of storage, filled by the run room: store is not to its left. */
struct axt_storage_facts {
	enum { AXT_ST_FILE, AXT_ST_MEMORY, AXT_ST_CHUNKED, AXT_ST_FILL, AXT_ST_STREAM } where;
	bool pipe;			/* a stream: where, or what it was before it was spooled */
	bool swap;
	int rank;
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK];
	const void *fill;		/* FILL: one element */
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

/*
 * compile.c: the program of a node over dimensions; dim[i] is the dimension of
 * the node's axis i.
 */
int axt_compile(struct axt_graph *g, struct axt_step *s, const struct axt_expr *e, const int *dim,
    int *reg, axt_facts_fn *facts);
/* product.c: NULL: the graph has the error. */
struct axt_product *axt_product_new(struct axt_graph *g, const struct axt_expr *e,
    axt_facts_fn *facts);
/* Whether slabs may advance along a stored axis. */
bool axt_operand_cuts(const struct axt_operand *op, int axis);
/* Bytes of a slab worth computing at once; bytes of panels. */
int64_t axt_product_slab(const struct axt_product *p, int64_t memory);
int64_t axt_product_scratch(const struct axt_product *p, int threads);
/* Bytes of its arguments that are read again, slab by slab. */
int64_t axt_product_again(const struct axt_step *s, const struct axt_operand *op);
/* shape.c: its dimensions simplified, within the batch, the rows and the linear group. */
int axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts);
/* -1: a placeholder has no value. */
int axt_unbound(struct axt_graph *g, const struct axt_expr *e);
/* The register converted to another dtype. */
int axt_compile_conv(struct axt_graph *g, struct axt_step *s, int *reg, enum axt_dtype to);
/* bands.c: which steps make a pass together, before simplification. */
void axt_choose_bands(struct axt_plan *p, const struct axt_plan_opts *o);
/* slabs.c: slab_dim, slab_rows and the operands' regions, before simplification. */
int axt_choose_slabs(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts);
/* streams.c: the same for streams, after simplification. Operands that stay `stream` are in order. */
void axt_choose_streams(struct axt_step *s, const struct axt_plan_opts *o);
/* shape.c: slabs, simplification, tile extents, memory. */
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
