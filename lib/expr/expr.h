/*
 * expr.h - nodes of a lazy expression and their descriptions. A node has its dtype, axes and
 * attributes from when it is built; its values are computed only in a run. Nodes belong to the
 * arena of their graph, and are never changed once built.
 */
#ifndef AXT_EXPR_EXPR_H
#define AXT_EXPR_EXPR_H

#include "axt_builds.h"
#include "axt_cmd.h"
#include "gufunc/gufunc.h"
#include "view/view.h"

struct axt_storage; /* in bytes/bytes.h, which this room does not know */
struct axt_file;
struct axt_aux;
struct axt_opened;
struct axt_known;
struct axt_mapped;
struct axt_taken;
struct axt_labels;

/*
 * The kinds of nodes. A row has the name in the enum, AXT_NODE_...; the word for the kind in the
 * text of a plan, which is also in the name of its table axt_node_..., in the file that builds such
 * nodes; and the name of the planner's table for it, axt_plan_..., in the room plan.
 */
#define AXT_NODES(ROW)                                                                           \
	ROW(LEAF, leaf, operand)       /* a view of storage */                                   \
	ROW(CONST, const, value)       /* one value everywhere */                                \
	ROW(PLACE, place, unbound)     /* a placeholder: nothing, until it is bound */           \
	ROW(GEN, gen, generated)       /* iota, random, eye...: a function of the index */       \
	ROW(MAP, map, map)             /* an op row on 1..3 arguments, or folded over more */    \
	ROW(CONV, conv, conv)          /* another dtype */                                       \
	ROW(VIEW, view, view)          /* positions of one argument by axis: order, slice... */  \
	ROW(REDUCE, reduce, reduce)    /* a reduction row over some axes, maybe by groups */     \
	ROW(DOT, dot, product)         /* axes of both, the rest of arg[0], that of arg[1] */    \
	ROW(FLATTEN, flatten, flatten) /* neighbouring axes of the argument as one, row-major */ \
	ROW(CONCAT, join, concat)      /* the arguments one after another along an axis */       \
	ROW(GUFUNC, gufunc, gufunc)    /* a result of a gufunc row, over loop axes and core axes */

enum axt_kind {
	AXT_NODE_FAILED,
#define ROW(ID, name, plan) AXT_NODE_##ID,
	AXT_NODES(ROW)
#undef ROW
	    AXT_NNODES
};

enum axt_gen_kind {
	AXT_GEN_IOTA,
	AXT_GEN_UNIFORM,
	AXT_GEN_NORMAL,
	AXT_GEN_EYE,
	AXT_GEN_TRIU,
	AXT_GEN_TRIL
};

/* What travels with the values. Shared between nodes, never changed. */
struct axt_meta {
	const char *name; /* of the dataset */
	const struct axt_attr *attrs;
	const struct axt_attr *file_attrs;
	const struct axt_aux *aux; /* datasets named in bounds, coordinates, grid_mapping */
	bool missing;              /* the tensor declares missing values: NaN means missing */
	const struct axt_stored
	    /* how the values were stored, if they were only moved since; NULL: they are computed */
	    *stored;
	const struct axt_attr *fill; /* _FillValue as asked for: what NaN is stored as; or NULL */
};

/*
 * How values are stored in the file that they were read from: packed, or with a number for missing
 * values. A tensor that was only moved since (sliced, reordered) is stored in the same way in a
 * result. attrs are those attributes that axt_is_packing names.
 */
struct axt_stored {
	enum axt_dtype dtype;
	const struct axt_attr *attrs;
	const struct axt_expr *means; /* the node of the values that were read */
	struct axt_expr *raw;         /* those stored, over the same axes */
};

/*
 * How processes, each of which evaluates the same quantiles of a share of the elements, find those
 * of all elements: add replaces n numbers by their sums over all processes. It returns -1, and sets
 * the error of the graph, if one of them has failed.
 */
struct axt_together {
	int (*add)(const struct axt_together *t, int64_t *x, int n);
};

struct axt_expr {
	struct axt_graph *g;
	enum axt_kind kind;
	enum axt_dtype dtype;
	struct axt_axes axes;
	const struct axt_meta *meta;
	const char *from; /* "a.nc:t" or "result", for messages */
	/* a large outer product, which is refused unless the user named its axes */
	bool outer;
	/*
	 * Why the user may be warned of how axes meet in this node. ALIKE: two axes of an outer
	 * product look like one axis under two names. LARGE: the outer product is large and is a
	 * result. FIRST: axes without names meet by their numbers, where NumPy lets the last ones
	 * meet. There is one warning in a run, and none if the user named the axes.
	 */
	enum { AXT_CLEAR, AXT_LARGE, AXT_ALIKE, AXT_FIRST } doubt;
	bool asked; /* VIEW: the user listed the axes, so an outer product is meant */
	/*
	 * The node stands for text. It can only be compared with a text, or be the labels of a
	 * reduction. Its argument has the number of each text (groups/texts.c).
	 */
	bool text;
	bool flat, concats; /* it, or a node it is made of, is a FLATTEN, a CONCAT */
	int nargs;
	/* arguments; those of REDUCE are the tensor, then weights and groups, if it has them */
	struct axt_expr **arg;
	struct axt_expr *few[3]; /* where arg points to unless there are more than three */
	union {
		struct {
			const struct axt_storage *st;
			struct axt_view view;
			/*
			 * of a stream whose writer may offer its plan: *plan is the expression that
			 * gives the values of the stream, or NULL if no plan was taken
			 */
			struct axt_expr **plan;
		} leaf;
		struct {
			struct axt_num num;
			/*
			 * whether it is a number that was typed without a dtype: together with a
			 * tensor it takes the tensor's dtype (axt_weak)
			 */
			bool weak;
			uint8_t bytes[16] __attribute__((aligned(16))); /* the value in dtype */
		} val;
		const char *place; /* PLACE: the name it is bound by */
		struct {
			enum axt_gen_kind kind;
			bool fresh; /* nobody has named the seed: it is for this run alone */
			uint64_t seed;
			/*
			 * iota: start and step; random numbers: the ends of their range, or mean
			 * and standard deviation
			 */
			double lo, hi;
		} gen;
		enum axt_op op;
		enum axt_overflow overflow;
		/*
		 * VIEW: index k along axis i selects position sel[i][k] along axis src[i] of the
		 * argument, or k if sel[i] is NULL. If src[i] is -1, the values repeat along axis
		 * i. If several axes have one src, their positions are added. from[j] is added to
		 * the positions along axis j of the argument. sel is NULL if all sel[i] are NULL,
		 * from is NULL if all from[j] are 0.
		 */
		struct {
			int src[AXT_MAX_RANK];
			const struct axt_sel **sel;
			const int64_t *from;
		} view;
		struct {
			int at, n; /* FLATTEN: axes [at, at + n) of the argument become axis `at` */
		} flat;
		/* CONCAT: the number of the axis that the arguments follow one another along */
		int concat;
		struct {
			enum axt_red op;
			bool skip;
			double ddof, q;
			int method;                    /* of a quantile: an enum axt_quantile */
			int nkept, kept[AXT_MAX_RANK]; /* axes of arg[0], in result order */
			/* the number of the result's axis of groups; -1: there are no groups */
			int group;
			/*
			 * Whether the values are states of blocks (lib/kern/states.c), and not
			 * results. The argument is then a range of all elements that are reduced:
			 * first is the position of its first element.
			 */
			bool states;
			int64_t first;
			/*
			 * Of a quantile: how counts of the argument become those of all
			 * elements, of which it is a share; NULL: it has them all.
			 */
			const struct axt_together *together;
		} red;
		struct axt_pairing *dot;
		struct {
			enum axt_gufunc_id op;
			int axis;     /* of rows with special ways: the core axis */
			bool reverse; /* of those: a scan from the end; descending order */
			/*
			 * Of rows without special ways: which result of the function this node is;
			 * the positions of the core axes in each operand, then those in this
			 * result, in one list; and the arguments.
			 */
			int result;
			int core[AXT_GUFUNC_TENSORS * AXT_GUFUNC_CORE];
			struct axt_gufunc_args args;
		} gufunc;
	} u;
};

/*
 * The fields of a node are what tells it from other nodes of the same kind, dtype, axes and
 * arguments. A kind names its fields once, in the order in which the text of a plan has them.
 * Writing, reading, comparing and hashing nodes all use that list.
 */
enum axt_field_type {
	AXT_FIELD_INT,
	AXT_FIELD_FLAG,
	AXT_FIELD_U64,
	AXT_FIELD_REAL,
	AXT_FIELD_TEXT,
	AXT_FIELD_CHOICE,
	AXT_FIELD_BYTES,
	AXT_FIELD_INTS,
	AXT_FIELD_STARTS,
	AXT_FIELD_SELS
};
struct axt_field {
	enum axt_field_type type;
	const char *key;          /* "axis=" */
	void *p;                  /* where it is in the node */
	int *n;                   /* lists: their length; BYTES: the number of bytes */
	bool fixed;               /* INTS: the length is *n and not written; numbers may repeat */
	int64_t lo, hi;           /* the least, the greatest integer there may be */
	const char *const *words; /* CHOICE: the words for the numbers 0 to hi */
};
#define AXT_FIELD(TYPE, k, where, ...) \
	(&(struct axt_field){ .type = AXT_FIELD_##TYPE, .key = (k), .p = (where), __VA_ARGS__ })
struct axt_fields {
	/* false: the field cannot be written or read, and no other is told. */
	bool (*field)(struct axt_fields *f, const struct axt_field *x);
	/*
	 * Whether an optional field is present. `there` says whether the node has it, which decides
	 * when a node is written; a reader looks for the key in the text instead.
	 */
	bool (*has)(struct axt_fields *f, const char *key, bool there);
};
/* In kinds.c: write, read or compare a field, for the types that most fields have. */
bool axt_field_int(struct axt_fields *f, const char *key, int *p, int64_t lo, int64_t hi);
bool axt_field_flag(struct axt_fields *f, const char *key, bool *p);
bool axt_field_real(struct axt_fields *f, const char *key, double *p);
bool axt_field_bytes(struct axt_fields *f, const char *key, void *p, int n);
/* Axes of a tensor of that rank, none twice. */
bool axt_field_axes(struct axt_fields *f, const char *key, int p[AXT_MAX_RANK], int *n, int rank);

struct axt_node_kind {
	int min_args, max_args;
	/*
	 * op: the offset of the member with the operation's number in the node; op_name: gives the
	 * name of each of the nops operations. op_name is NULL if the kind has no operations.
	 */
	size_t op;
	int nops;
	const char *(*op_name)(int op);
	bool (*fields)(struct axt_fields *f, struct axt_expr *e);
	/*
	 * Builds a node from a draft that was read from text, by the function that programs build
	 * such nodes by. If the draft is not valid, the result is NULL, the failed node, or a node
	 * unlike the draft; so the caller compares the two.
	 */
	struct axt_expr *(*build)(struct axt_graph *g, struct axt_expr *draft);
	bool works; /* it reads or computes more elements than its result has */
	/* What evaluating it does, for messages: "computes a sum". NULL for views. */
	const char *(*does)(struct axt_graph *g, const struct axt_expr *e);
};
extern const char *const axt_kind_name[AXT_NNODES];
extern const struct axt_node_kind *const axt_kinds[AXT_NNODES];
#define ROW(ID, name, plan) extern const struct axt_node_kind axt_node_##name;
AXT_NODES(ROW)
#undef ROW
/* In kinds.c: the name of a node's operation; NULL: its kind has none. */
const char *axt_node_op(const struct axt_expr *e);
/* The text "computes NAME", NAME being the node's operation, for messages. */
const char *axt_does_compute(struct axt_graph *g, const struct axt_expr *e);
/* Whether they are of one kind, and have the same arguments and fields. */
bool axt_node_alike(struct axt_expr *a, struct axt_expr *b);
/* A hash of those things that axt_node_alike compares and that are cheap to hash. */
uint64_t axt_node_hash(struct axt_expr *e);
/* A copy of e with other arguments and, unless d is AUTO, another dtype. */
struct axt_expr *axt_node_again(struct axt_graph *g, struct axt_expr *e,
    struct axt_expr *const arg[], enum axt_dtype d);

/* A part of the work, for progress: from = 0 and share = 1 are all of it. */
struct axt_stretch {
	double from, share;
};

struct axt_graph {
	struct axt_arena *m;
	struct axt_err err;
	struct axt_expr failed;
	int threads;
	int64_t memory;
	struct axt_join join;
	enum axt_units units;
	void (*warn)(void *ctx, const char *line);
	void *warn_ctx;
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
	struct axt_stretch told; /* the part of the work that is being done now */
	bool enough; /* the output needs no more: streams need not be read to their ends */
	/* there is one run only, so a stream read in order need not be kept for a second */
	bool once;
	/* values are computed that an operation needs to be built: its operands are read later */
	bool early;
	/* operands that were opened, by dataset; kept by the room inputs */
	struct axt_table opened;
	struct axt_table known;      /* storage, found by dataset or by its own pointer */
	struct axt_known *all_known; /* the same as a list */
	struct axt_mapped *mapped;   /* virtual datasets */
	enum axt_fuse fuse;
	enum axt_device_kind device; /* axt_device_words has the word for it */
	const char *blas;            /* the library that large products are handed to; NULL: none */
	const char *device_why;      /* for AUTO: why the device is used, or is not */
	int64_t device_room;         /* the most device memory the next plan may use; 0: no bound */
	bool device_full;            /* the device could not allocate what the plan assumed */
	bool outer_told;             /* the warning of a doubtful outer product was given */
	const char *unjoined;        /* datasets of which it was told that they are left out */
	/* the names that the text of axt-calc has for operands; NULL: there is no such text */
	struct axt_called {
		const char *name;
		const struct axt_expr *e;
		struct axt_called *next;
	} * called;
	bool external;  /* files may refer to others that are not in their folder */
	bool stale;     /* saved expressions are read with inputs that have other values now */
	bool cancelled; /* set by another thread: the run ends at the next tile */
	struct axt_labels *labels;   /* groups by labels, for the room groups */
	struct axt_regrids *regrids; /* weights between grids, for the room regrid */
	struct axt_taken *taken; /* plans taken from the writers of pipes, for the room inputs */
	void (*taken_free)(struct axt_graph *g);
	struct axt_talk *talk; /* how waiting is reported, for the room inputs */
	struct axt_open_file { /* closed with the graph, by the room that opened them */
		struct axt_file *f;
		bool read;    /* false: a pipe whose first bytes have not been waited for */
		bool adopted; /* its descriptor, and so its path, came from another process */
		bool both;    /* adopted, and also opened by this process by a path */
		/* the file changed and was opened again; this one is not read any more */
		bool stale;
		void (*close)(struct axt_file *f);
		struct axt_open_file *next;
	} * files;
	int nfiles;
	/* the open files by path and by device and inode; streams by path only */
	struct axt_table by_path, by_id;
};

extern const char *const axt_device_words[];
/* Where the graph computes, in the words of a plan: "device cpu blas openblas". NULL: no memory. */
const char *axt_device_line(const struct axt_graph *g);
/* A fresh node of that kind; the failed node when the graph has failed, or memory is out. */
struct axt_expr *axt_node(struct axt_graph *g, enum axt_kind kind, enum axt_dtype d);
/* Copies a into a fresh node that keeps its axes, meta and origin. */
struct axt_expr *axt_node_like(struct axt_graph *g, enum axt_kind kind, struct axt_expr *a);
/* The failed node, after setting the error of the graph by axt_fail(&g->err, ...). */
struct axt_expr *axt_node_failed(struct axt_graph *g);
/* Fails because a typed word has not the form `form`, such as "AXIS=LEN". Returns the code. */
int axt_no_form(struct axt_graph *g, const char *word, const char *form);
/*
 * The next two fail because something is not defined for the dtype of a. what is a name, such as
 * "sqrt"; what_is has a verb, too, such as "EOFs are". axt_undefined returns the failed node,
 * axt_not_defined the code.
 */
struct axt_expr *axt_undefined(struct axt_graph *g, const char *what, const struct axt_expr *a);
int axt_not_defined(struct axt_graph *g, const char *what_is, const struct axt_expr *a);
/* Fails because an axis that is new was typed without a length. Returns the failed node. */
struct axt_expr *axt_needs_length(struct axt_graph *g, const struct axt_axis *a);
/* Fails because an axis of weights, or labels, is none of a. Returns the code. */
int axt_lacks(struct axt_graph *g, const struct axt_expr *a, const char *what,
    const struct axt_axis *axis);
/* Fails because a number does not fit a dtype. Returns the failed node. */
struct axt_expr *axt_too_big(struct axt_graph *g, double v, enum axt_dtype d);
/* Fails because a word is a list of axes, and not one: the same of "one axis". */
int axt_not_one_axis(struct axt_graph *g, const char *word);
static inline bool
axt_bad(const struct axt_expr *e)
{
	return !e || e->kind == AXT_NODE_FAILED;
}
/* Whether it stands for text (axt_open_text). */
bool axt_expr_text(const struct axt_expr *e);
/* Whether it is a number that was typed without a dtype. */
static inline bool
axt_is_weak(const struct axt_expr *e)
{
	return e->kind == AXT_NODE_CONST && e->u.val.weak;
}
/*
 * Whether g cannot use a node that a caller gave: it is NULL, has failed, is of another graph, or
 * stands for text. Then g has an error. Every public function asks this of each node that it is
 * given.
 */
bool axt_refused(struct axt_graph *g, const struct axt_expr *e);
/*
 * In nodes.c: a list of the nodes that expressions need, each once, arguments before their users.
 * With `plans`, it also has the nodes of the plans that leaves stand for. axt_nodes makes the list;
 * axt_nodes_add adds to a list, which begins as {0}, what it lacks of the nodes that e needs.
 */
struct axt_nodes {
	struct axt_expr **e;
	int n, cap;
	struct axt_met *met; /* those in the list, and those whose arguments are looked for */
	int *slot;           /* a hash table of pointers: 1 + the index in met; 0: empty */
	int nmet, cap_met, nslots;
};
int axt_nodes(struct axt_graph *g, struct axt_expr *const e[], int n, bool plans,
    struct axt_nodes *out);
int axt_nodes_add(struct axt_graph *g, struct axt_expr *e, bool plans, struct axt_nodes *out);
/*
 * The index of e in the list, or -1. What is learned of nodes is kept in arrays of the same order.
 */
int axt_nodes_at(const struct axt_nodes *o, const struct axt_expr *e);
/*
 * In doubt.c: mark the node e, made of a[0..n). axt_mark_outer marks an outer product, in which no
 * operand has all axes, that may be a mistake, by its size or the names of its axes; axt_mark_first
 * marks a node in which axes without names meet otherwise than in NumPy.
 */
void axt_mark_outer(struct axt_expr *e, int n, struct axt_expr *const a[]);
void axt_mark_first(struct axt_expr *e, int n, struct axt_expr *const a[]);
/*
 * Whether x and y, whose axes have no names, meet by the numbers of the axes where NumPy would let
 * the axes of x meet the last ones of y. False if x was computed from what y has, such as a mean
 * over an axis, since its axes then have their numbers on purpose.
 */
bool axt_meets_first(const struct axt_expr *x, const struct axt_expr *y);
/* Fails because a number stands where a tensor has to. */
struct axt_expr *axt_is_number_here(struct axt_graph *g, const char *text);
/* If the axes of a[0..n) did not meet, gives a hint how those without names do. */
void axt_hint_meet(struct axt_graph *g, int n, struct axt_expr *const a[]);
/* Makes *out the union of the axes of a and b, or gives the hint of axt_hint_meet. */
int axt_meet(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, struct axt_axes *out);
/* Warns of two of a[0..n) that axt_meets_first is true of, if there are, once in a run. */
void axt_warn_first(struct axt_graph *g, int n, struct axt_expr *const a[]);
void axt_warn(struct axt_graph *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Reports progress: the fraction `done` of the present stretch, from 0 to 1. */
void axt_progress(const struct axt_graph *g, double done);
/*
 * Narrows the stretch that progress is told of to its part [from, from + share). Returns the
 * stretch as it was before, which the caller restores.
 */
struct axt_stretch axt_progress_part(struct axt_graph *g, double from, double share);

/* A constant of dtype d with the given value; rank 0. */
struct axt_expr *axt_const(struct axt_graph *g, enum axt_dtype d, double v);
/* The argument in another dtype (itself when it has it). */
struct axt_expr *axt_conv(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d,
    enum axt_overflow mode);
/* 0, 1, 2...: the src of a relabelling that keeps the order of the axes. */
extern const int axt_identity[AXT_MAX_RANK];
/* a over these axes, in their order, repeated along those that it lacks, as the user asked for. */
struct axt_expr *axt_over_axes(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x);
/* A view of whole axes: its axis i, named as axes->a[i], is axis src[i] of a. */
struct axt_expr *axt_relabel(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *axes,
    const int *src);
/*
 * In rename_order.c, for hints. axt_rename_typed gives what a user would type to give axes of e
 * other names, by map, a list OLD=NEW,...: a command, or in axt-calc rename(e, OLD=NEW, ...).
 * axt_called gives what messages call e.
 */
const char *axt_rename_typed(struct axt_graph *g, const struct axt_expr *e, const char *map);
const char *axt_called(const struct axt_expr *e);
/*
 * A VIEW node. sel and from are as in the node, and must live as long as the graph; NULL selects
 * everything.
 */
struct axt_expr *axt_view_node(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *axes,
    const int *src, const struct axt_sel *const *sel, const int64_t *from);
struct axt_expr *axt_flatten_node(struct axt_graph *g, struct axt_expr *a,
    const struct axt_axes *axes, int at, int n);
/* Parts of one dtype, whose axes are the same but for the length of axis number `axis`. */
struct axt_expr *axt_concat_node(struct axt_graph *g, int n, struct axt_expr *const part[],
    const struct axt_axes *axes, int axis);
/* Whether a view is one of whole axes: nothing but their order and names changes. */
static inline bool
axt_is_relabel(const struct axt_expr *e)
{
	return e->kind == AXT_NODE_VIEW && !e->u.view.sel && !e->u.view.from;
}
/* A placeholder of that name. name is borrowed as long as the graph lives. */
struct axt_expr *axt_placeholder(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const char *name);
/* axt_make of the kind of that name alone, with n numbers behind it. */
struct axt_expr *axt_make_of(struct axt_graph *g, const char *name, const char *axes,
    enum axt_dtype d, int64_t seed, int n, const struct axt_num v[2]);
/* A generated tensor: iota (lo start, hi step), random (seed, range), eye... by its name. */
struct axt_expr *axt_gen(struct axt_graph *g, const char *name, const struct axt_axes *x,
    enum axt_dtype d, uint64_t seed, double lo, double hi);
/*
 * The DOT node that contracts the pairs of axes `pairs`, in the dtype of the operands. Its axes are
 * the batch axes, then the others of a, then those of b.
 */
struct axt_expr *axt_dot_given(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_pairing *pairs);
/* The dtype of n arguments by promotion; a as an argument of dtype d, which a number must fit. */
int axt_common_dtype(struct axt_graph *g, int n, struct axt_expr *const a[], enum axt_dtype *out);
struct axt_expr *axt_argument(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d);
/*
 * In view.c: selects the positions of the spans along axis i. The axis becomes *as, with
 * coordinates; if `as` is NULL, the axis is dropped, and exactly one position must be selected. The
 * same positions of auxiliary datasets are selected.
 */
struct axt_expr *axt_view_axis(struct axt_graph *g, struct axt_expr *a, int i,
    const struct axt_span *span, int nspans, const struct axt_axis *as);
/* In view.c: l with the name in its attribute "coordinates". */
const struct axt_attr *axt_add_coordinate(struct axt_graph *g, const struct axt_attr *l,
    const char *name);
/* The number of the axis with a typed name; -1: the graph has an error that lists the axes. */
int axt_view_find(struct axt_graph *g, const struct axt_expr *a, const char *name);
/*
 * Splits the spec "AXIS=REST" at the first of the characters `marks`. *name becomes AXIS, *mark the
 * character; returns REST. NULL: error.
 */
const char *axt_view_spec(struct axt_graph *g, const char *spec, const char *marks, char *mark,
    char **name);
/* The number of the axis in a spec "AXIS=REST", and *rest. -1: error. */
int axt_view_rest(struct axt_graph *g, const struct axt_expr *a, const char *spec,
    const char **rest);
/* Elements of x at the positions of spans along its axis k, which becomes *as, or goes (NULL). */
struct axt_aux *axt_aux_take(struct axt_graph *g, const struct axt_aux *x, int k,
    const struct axt_span *span, int nspans, const struct axt_axis *as);
/*
 * In reshape.c: a with the new axis *as before axis `at`; the other axes become *x. If the new axis
 * has length 1 and a has a dataset of rank 0 of its name, that becomes its coordinate, with its
 * bounds.
 */
struct axt_expr *axt_new_axis(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x,
    const struct axt_axis *as, int at);
/*
 * Groups of a reduction. The result has a value for each group, along `axis`, which is axis number
 * `place` of the result.
 */
struct axt_groups {
	struct axt_expr *of;  /* i32 over axes of what is reduced: an element's group; -1: none */
	struct axt_axis axis; /* its length: how many groups */
	int place;            /* -1: the place that the axis of `of` had */
};
/*
 * In in_units.c: the attributes that tell the units of a dataset named `name`, which is e or is
 * beside e, and has the attributes attrs. Bounds may have no units: theirs are those of their
 * coordinate.
 */
const struct axt_attr *axt_values_attrs(const struct axt_expr *e, const char *name,
    const struct axt_attr *attrs);
/*
 * Sets out[k] to a[k] or, if it is a CF time in other units than the time a[0], to a[k] in the
 * units of a[0]. *d is the dtype to join them in. If any was converted, *d becomes i64 if it was a
 * dtype of integers and all times stay whole, else f64.
 */
int axt_times_alike(struct axt_graph *g, int n, struct axt_expr *const a[], struct axt_expr *out[],
    enum axt_dtype *d);
/*
 * Finds how values with the attributes l become values in the units `to`. what names the tensor in
 * messages.
 */
int axt_units_find(struct axt_graph *g, const struct axt_attr *l, const char *to, const char *what,
    struct axt_units_way *out);
/* a converted in that way, with those units; floats keep their dtype, integers become f64. */
struct axt_expr *axt_converted(struct axt_graph *g, struct axt_expr *a,
    const struct axt_units_way *w, const char *units);
/*
 * a in the units u of the operand `first`, as the option --units asks. *apart becomes true if u and
 * the units of a measure different things, so that a result of both has no units. apart may be
 * NULL, for operations that have no such result.
 */
struct axt_expr *axt_units_as(struct axt_graph *g, struct axt_expr *a, const char *u,
    const char *first, bool *apart);
/*
 * Sets out[k] to a[k] in the units of the first operand that has units, as the option --units asks,
 * and warns of what is converted and of what cannot be. *d becomes a dtype that also holds what is
 * converted, unless d is NULL. *apart is set as by axt_units_as.
 */
int axt_units_alike(struct axt_graph *g, int n, struct axt_expr *const a[], struct axt_expr *out[],
    enum axt_dtype *d, bool *apart);
/*
 * axt_reduce, which reduces each group of `by` by itself; by NULL: there are no groups. Unless the
 * reduction is a sum or a count, by->of has to be in memory, and lie over reduced axes. A quantile
 * of groups is only described by the node, and cannot be planned.
 */
struct axt_expr *axt_reduce_grouped(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o, const struct axt_groups *by);
/*
 * What a reduction or scan of `a` adds or multiplies if its result has dtype d: integers converted
 * to f64 if d is a dtype of floats and the sum or product of the integers might not fit in 64 bits;
 * otherwise a.
 */
struct axt_expr *axt_as_added(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    enum axt_dtype d);
/* The weights and the groups of a REDUCE node, or NULL. */
static inline struct axt_expr *
axt_red_groups(const struct axt_expr *e)
{
	return e->u.red.group >= 0 ? e->arg[e->nargs - 1] : NULL;
}
static inline struct axt_expr *
axt_red_weights(const struct axt_expr *e)
{
	return e->nargs > 1 + (e->u.red.group >= 0) ? e->arg[1] : NULL;
}
/* The GUFUNC node in dtype d, along axis i of a. */
struct axt_expr *axt_gufunc_given(struct axt_graph *g, struct axt_expr *a, enum axt_gufunc_id op,
    int i, bool reverse, enum axt_dtype d);
/*
 * The GUFUNC node that takes elements of a along axis i, at the positions that are the values of
 * `index`; for a negative one it gives NaN. The node has the axes of index, and otherwise the
 * description of a. NULL: the two do not go together, and no error is set.
 */
struct axt_expr *axt_take_given(struct axt_graph *g, struct axt_expr *index, struct axt_expr *a,
    int i);
/*
 * For a GUFUNC whose row has no special ways. axt_gufunc_core gives the positions of the core axes
 * of operand k or, if k is the number of operands, of the result. axt_gufunc_lengths sets the
 * lengths of core axes by letter, and returns NULL, or why these lengths have no result.
 */
const int *axt_gufunc_core(const struct axt_expr *e, int k);
const char *axt_gufunc_lengths(const struct axt_expr *e, int64_t len[AXT_LETTERS]);
/* Whether both are results of one computation. */
bool axt_gufunc_together(const struct axt_expr *a, const struct axt_expr *b);
/* The number of elements of the node; -1 where it overflows, without setting an error. */
int64_t axt_count(const struct axt_expr *e);

/*
 * In stored.c: e as a result stores it. Values that were only moved since they were read keep their
 * packing and their number for missing values, and the result has the attributes of these.
 */
struct axt_expr *axt_as_stored(struct axt_graph *g, struct axt_expr *e);
/* The same of n results. NULL: error. */
struct axt_expr **axt_all_as_stored(struct axt_graph *g, struct axt_expr *const e[], int n);
/* Whether both are stored alike: in dtype and attributes. */
bool axt_stored_alike(const struct axt_stored *a, const struct axt_stored *b);
/* axt_set_fill. free: no value may be that number already; else those that are are missing, too. */
struct axt_expr *axt_set_missing(struct axt_graph *g, struct axt_expr *a, const char *value,
    bool free);
/*
 * The attributes of differences of values that have the attributes l. Units of times, "hours since
 * 2000-01-01", become "hours", without a calendar. Temperatures get the attribute "temperature:
 * difference" of CF 1.11, since 1 degC is 274.15 K but a difference of 1 degC is one of 1 K.
 */
const struct axt_attr *axt_meta_difference(struct axt_graph *g, const struct axt_attr *l);
/* Changes m, a fresh copy, to the meta of values that are computed: no packing, no fill. */
void axt_meta_computed(struct axt_meta *m);
/* Declares that NaN is missing: the meta of a constant. */
extern const struct axt_meta axt_meta_missing;

/* In meta.c: which names, attributes and auxiliary datasets a result has. */
struct axt_meta *axt_meta_copy(struct axt_graph *g, const struct axt_meta *a);
/*
 * Replaces *e by a fresh node of the same values, with the origin and a copy of the meta of `like`
 * (NULL: of *e). The caller may change that meta, which is returned, and the axes of the node,
 * until others have the node: so no node is changed that others have. axt_dress_without leaves out
 * auxiliary datasets along the axis. NULL if *e or `like` has failed or memory ran out; *e is then
 * the failed node.
 */
struct axt_meta *axt_dress(struct axt_graph *g, struct axt_expr **e, const struct axt_expr *like);
struct axt_meta *axt_dress_without(struct axt_graph *g, struct axt_expr **e,
    const struct axt_expr *like, const struct axt_axis *axis);
/* What becomes of x, of which the axis in question is axis k. NULL: out of memory. */
typedef struct axt_aux *axt_along_fn(struct axt_graph *g, const struct axt_aux *x, int k,
    const void *ctx);
/*
 * A copy of a in which each auxiliary dataset along the axis is replaced by what fn makes of it; if
 * fn is NULL, those datasets are left out.
 */
struct axt_meta *axt_meta_along(struct axt_graph *g, const struct axt_meta *a,
    const struct axt_axis *axis, axt_along_fn *fn, const void *ctx);
const struct axt_meta *axt_meta_map(struct axt_graph *g, enum axt_op op, int n,
    struct axt_expr *const a[], const struct axt_expr *node);
/*
 * The name that cell_methods has for axis i of a when a is reduced over it: its own name or, if it
 * counts the positions in windows, the name of the axis that the windows were taken along. NULL:
 * that is not known.
 */
const char *axt_meta_cells(struct axt_graph *g, const struct axt_expr *a, int i);
const struct axt_meta *axt_meta_reduce(struct axt_graph *g, enum axt_red op,
    const struct axt_expr *a, const struct axt_expr *node);
const struct axt_meta *axt_meta_gufunc(struct axt_graph *g, enum axt_gufunc_id op,
    const struct axt_expr *a, const struct axt_expr *node);

/* In unify.c: e[n] with equal nodes made one, and streams replaced by the plans that were taken. */
int axt_unify(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_expr *out[]);

/*
 * In bind.c and unify.c: placeholders. axt_bound gives the value that stands for a placeholder,
 * over its axes and in its dtype, and marks it used. axt_unify_bound gives e with values for its
 * placeholders, and with the plans of streams in place of these.
 */
struct axt_binding {
	const char *name;
	struct axt_expr *value;
	bool *used;
};
struct axt_expr *axt_bound(struct axt_graph *g, const struct axt_expr *place,
    const struct axt_binding *b);
struct axt_expr *axt_unify_bound(struct axt_graph *g, struct axt_expr *e,
    const struct axt_binding *bind, int nbind);
/* A placeholder whose values e needs, or NULL. */
const struct axt_expr *axt_find_place(struct axt_graph *g, struct axt_expr *e);
/*
 * Fails with AXT_E_ARG if e has random numbers without a seed, since each `what` of a job, such as
 * "part", would draw others.
 */
int axt_need_seeds(struct axt_graph *g, struct axt_expr *e, const char *what);
/* e over the axes x, which have all of its own; from: what has x, for messages. */
struct axt_expr *axt_conform(struct axt_graph *g, struct axt_expr *e, const struct axt_axes *x,
    const char *from);

static inline bool
axt_is_complex(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX;
}

/* In gufunc_call.c: b over axis i of a too. */
struct axt_expr *axt_over_axis(struct axt_graph *g, struct axt_expr *b, const struct axt_expr *a,
    int i);

/*
 * In attr.c: what the user likely means by an attribute `name` with a dot in it, which is not in
 * the list l: AXIS:NAME for AXIS.NAME if there is such an axis, and NAME for TENSOR.NAME. NULL: it
 * is meant as it is typed.
 */
const char *axt_attr_undotted(struct axt_graph *g, const struct axt_axes *x, const char *tensor,
    const struct axt_attr *l, const char *name);
/*
 * In attr.c: a with the attribute `at`, as axt_set_attr sets it. numbers is the text of the
 * attribute's numbers, or NULL if it has none.
 */
struct axt_expr *axt_attr_put(struct axt_graph *g, struct axt_expr *a, const char *object,
    struct axt_attr *at, const char *numbers);

#endif
