/*
 * axt.h - named-axis tensors in HDF5 files: the only public header of libaxt.
 *
 * A program opens operands, builds an expression, and runs it once:
 *
 *	struct axt_graph *g = axt_graph_new();
 *	struct axt_expr *a = axt_open(g, "a.nc:tas", NULL);
 *	struct axt_reduce_opts over = { .over = "time" };
 *	struct axt_expr *m = axt_reduce(g, AXT_RED_MEAN, a, &over);
 *	struct axt_expr *d = axt_map2(g, AXT_OP_SUB, a, m);
 *	struct axt_save_opts to = { .output = "anom.nc" };
 *	if (axt_save(g, &d, 1, &to) != AXT_OK)
 *		fprintf(stderr, "%s\n", axt_graph_error(g));
 *	axt_graph_free(g);
 *
 * Errors stick to the graph: a builder that fails, or is given a failed node, returns the graph's
 * failed node (never NULL), and axt_graph_error() tells the first thing that went wrong. Check
 * once, at the end. Nothing here prints, exits or aborts on what a user gave it. NULL, a node of
 * another graph, and one that failed before axt_graph_clear() fail with ARG wherever a node is
 * asked for.
 *
 * A graph owns its nodes, its files and every string it hands out, until axt_graph_free. Arguments
 * are borrowed, strings copied where they are kept. Options that are zero are the defaults, and so
 * is NULL in place of a pointer to options, where the comment does not say otherwise.
 *
 * Different graphs may be used by different threads at the same time; one graph belongs to one
 * thread at a time. A run starts threads of its own and ends them; results do not depend on how
 * many.
 *
 * The comment of a function gives what applies of: shapes, dtypes, cost, returns, errors (without
 * AXT_E_; all can fail with MEM), threads, source.
 */
#ifndef AXT_H
#define AXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "axt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AXT_VERSION "0.1.0"
#define AXT_API __attribute__((visibility("default")))
struct axt_graph; /* owns every node built on it */
struct axt_expr;  /* a node: a tensor with dtype and axes, no values yet */

/* The AXT_VERSION of the library that is loaded, which may be newer than this header's. */
AXT_API const char *axt_version(void);

/* ---- graphs ---- */

/*
 * A graph without nodes; NULL when out of memory. It has failed already (NOSYS) on a processor
 * without the instructions the kernels need, and where AXT_ISA asks for others than there are.
 */
AXT_API struct axt_graph *axt_graph_new(void);
/* Frees every node and closes every file the graph opened. NULL is allowed. */
AXT_API void axt_graph_free(struct axt_graph *g);
/* The first thing that went wrong, one line without newline; NULL when nothing did. */
AXT_API const char *axt_graph_error(const struct axt_graph *g);
/* What may help against that error, one line; NULL when there is nothing to say. */
AXT_API const char *axt_graph_hint(const struct axt_graph *g);
/* The code of that error; AXT_OK when there is none. */
AXT_API enum axt_code axt_graph_code(const struct axt_graph *g);
/*
 * Forgets that error, so that the graph and the nodes built before it can be used again. The failed
 * node stays failed. A graph whose kernels cannot run on this processor fails again.
 */
AXT_API void axt_graph_clear(struct axt_graph *g);
/* Fails the graph with a message of the caller's, unless it has failed; returns the failed node. */
AXT_API struct axt_expr *axt_graph_fail(struct axt_graph *g, enum axt_code code, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* warn is called with each warning: one line, no newline, valid during the call. Default: none. */
AXT_API void axt_graph_on_warning(struct axt_graph *g, void (*warn)(void *ctx, const char *line),
    void *ctx);
/*
 * progress is called in the caller's thread, between tiles and between chunks that are written,
 * with the part of the work that is done (0..1). It calls no function of this library. Default:
 * none.
 */
AXT_API void axt_graph_on_progress(struct axt_graph *g, void (*progress)(void *ctx, double done),
    void *ctx);
/*
 * Sets how many threads a run has. Default, and for n < 1: as many as processors that this process
 * may use.
 */
AXT_API void axt_graph_set_threads(struct axt_graph *g, int n);
/*
 * Sets the bound of a run's scratch memory in bytes. Default: a quarter of the machine's memory, or
 * of the address space if that is limited. bytes < 1 changes nothing.
 */
AXT_API void axt_graph_set_memory(struct axt_graph *g, int64_t bytes);
/*
 * Hands plans to, and takes them from, the process at the other end of a pipe (axt-pipelines(7)).
 * OFF at first: it starts a thread and a socket. Commands have it ON: a writer waits some
 * milliseconds for its reader before heavy work. WAIT: up to a second, before any work.
 */
enum axt_fuse { AXT_FUSE_OFF, AXT_FUSE_ON, AXT_FUSE_WAIT };
AXT_API void axt_graph_set_fuse(struct axt_graph *g, enum axt_fuse mode);
/*
 * Sets what computes. CUDA: an NVIDIA GPU (axt-cuda(7)); without one a run fails with NOSYS. What
 * it cannot do, and all reading and writing, is done by the CPU. AUTO: a GPU if there is one and it
 * pays. Default: CPU.
 */
enum axt_device_kind {
	AXT_DEVICE_CPU,
#define DEVICE(NAME, name) AXT_DEVICE_##NAME,
#include "devices.def"
#undef DEVICE
	AXT_DEVICE_AUTO
};
AXT_API void axt_graph_set_device(struct axt_graph *g, enum axt_device_kind d);
/*
 * How coordinates of operands meet: "exact" (default), "override" or "override:AXIS,...".
 * errors  SYNTAX, AXES (a name twice).
 */
AXT_API enum axt_code axt_graph_set_join(struct axt_graph *g, const char *join);

/* ---- tables ---- */

/* The name of a dtype, such as "f32"; NULL when d is no dtype. */
AXT_API const char *axt_dtype_name(enum axt_dtype d);
/* The dtype with a name such as "f32", "float32" or "float"; AXT_DTYPE_AUTO when it is unknown. */
AXT_API enum axt_dtype axt_dtype_of_name(const char *name);
/* The bytes of an element; 0 when d is no dtype. */
AXT_API size_t axt_dtype_bytes(enum axt_dtype d);

/* One row of ops.def. */
struct axt_op_row {
	const char *name, *alias, *line; /* alias may be NULL */
	int arity;
	bool nary; /* any number of arguments, folded left to right */
	bool commutes;
	bool internal; /* no command of its own */
};
/* Fills *out; false when op is no operation. */
AXT_API bool axt_op_row(enum axt_op op, struct axt_op_row *out);
/* The operation of a name or alias; -1 when there is none. */
AXT_API int axt_op_named(const char *name);

/* The name of a reduction, such as "mean"; NULL when op is no reduction. */
AXT_API const char *axt_red_name(enum axt_red op);
/* What a reduction is, such as "arithmetic mean"; NULL when op is no reduction. */
AXT_API const char *axt_red_line(enum axt_red op);
/* The reduction of a name; -1 when there is none. */
AXT_API int axt_red_named(const char *name);

/* ---- leaves ---- */

struct axt_open_opts {
	const char *dataset; /* the dataset that is meant if the operand names none; may be NULL */
	bool raw;            /* stored values as they are, without unpacking them */
	/* accept a dataset two of whose axes have one name (for axt_cast_axes) */
	bool duplicate_axes;
	/* saved expressions and virtual datasets may read files outside their folders */
	bool allow_external;
	/* a saved expression is read even if its inputs have changed since it was saved */
	bool stale;
};
/*
 * axt_open - a tensor in a file: FILE, FILE:DATASET, "-", "-:DATASET", "/dev/fd/N", or a number as
 * of axt_number. FILE:AXIS is the coordinates of an axis; FILE:AXIS.month (year season month day
 * hour dayofyear) a field of a CF time axis, i32. Reads metadata and coordinates only; the same
 * tensor opened twice is read once.
 * dtypes  as stored; packed data (scale_factor, add_offset, _FillValue, missing_value, _Unsigned)
 *         gives floats, NaN where missing: the dtype of scale_factor and add_offset; with missing
 *         values only, f32 for integers up to 16 bits, else f64. raw: always as stored.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE, AXES, LIMIT.
 * source  CF Conventions 1.11, sections 2.5.1 and 8.1 (missing data, packing).
 */
AXT_API struct axt_expr *axt_open(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o);
/*
 * A number as typed ("2", "-1.5e3", "inf", "nan"): rank 0, weak, so that it takes the kind of the
 * tensor it meets.
 * errors  SYNTAX.
 */
AXT_API struct axt_expr *axt_number(struct axt_graph *g, const char *text);
/*
 * A tensor in the caller's memory: native byte order, kept unchanged by the caller until the graph
 * is freed. axes as "lat=3,lon=4"; "" for rank 0. strides: how many elements to go on in memory
 * from one index of each axis to the next, 0 and negative ones too; data is the element whose
 * indices are all 0. NULL: row-major.
 * errors  SYNTAX, NAME, AXES, DTYPE, LIMIT.
 */
AXT_API struct axt_expr *axt_tensor(struct axt_graph *g, enum axt_dtype d, const char *axes,
    const void *data, const int64_t *strides);
/*
 * axt_make - values from nothing. kind: zeros, ones, full:V, iota[:START[:STEP]], random[:LO:HI],
 * normal[:MU:SIGMA], eye, triu, tril (of the last two axes), placeholder (axt_bind). seed -1: a
 * fresh one; it is recorded in the attribute axt_seed.
 * shapes  axes as "lat=3,lon=4".
 * dtypes  d; AUTO: f32, but i64 for iota and full when their numbers are integers.
 * errors  SYNTAX, NAME, AXES, DTYPE, ARG, RANGE, LIMIT, IO (no seed).
 * source  Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011 (Philox4x32-10).
 */
AXT_API struct axt_expr *axt_make(struct axt_graph *g, const char *kind, const char *axes,
    enum axt_dtype d, int64_t seed);

/*
 * Files that are no HDF5: rows of formats.def. AUTO: by the suffix of the name; for reading, then
 * by the first bytes.
 */
enum axt_format {
	AXT_FORMAT_AUTO,
#define FORMAT(NAME, name, line) AXT_FORMAT_##NAME,
#include "formats.def"
#undef FORMAT
	AXT_NFORMATS
};
struct axt_from_opts {
	enum axt_format format;
	const char *to;       /* names of the axes, by position; NULL: the file's, or dim_0... */
	enum axt_dtype dtype; /* AUTO: the file's; raw files must be told theirs */
	bool matrix;          /* csv: every column is values, none an axis */
	/* raw only */
	bool big_endian, fortran; /* byte order; column-major */
	int64_t offset;           /* bytes before the first value */
};
/*
 * axt_from - a tensor in a file of another format: FILE, or FILE:NAME where one has several tensors
 * (safetensors; csv: a column of values); "-" is standard input. Headers are read, values stay in
 * the file; csv, and text and bits of pnm, are parsed into memory, within the graph's bound.
 * shapes  npy, safetensors: as they say; raw: `to`, with lengths; pnm: y,x or y,x,c; csv: a column
 *         per axis and one of values, as axt_print writes, or the matrix row,column.
 * dtypes  as stored. raw: dtype tells. Others: dtype casts. pnm: u8, u16, bool (true is white).
 *         csv: bool, i64, u64, f64 or c128, what holds all of a column.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE, AXES, SYNTAX, LIMIT.
 * source  NumPy NEP 1; safetensors' format.md; netpbm's pbm(5) to pam(5); RFC 4180.
 */
AXT_API struct axt_expr *axt_from(struct axt_graph *g, const char *file,
    const struct axt_from_opts *o);
/*
 * axt_bind - e with placeholders replaced: name[i] by value[i]. A placeholder is a tensor of kind
 * "placeholder" (axt_set_kind), or of axt_make; a run fails while one is left.
 * shapes  a value's axes are among those of its placeholder, in any order; it is broadcast.
 * dtypes  converted to the placeholder's.
 * errors  NAME (no such placeholder), ARG (bound twice), AXES, COORD, DTYPE; the run: RANGE.
 */
AXT_API struct axt_expr *axt_bind(struct axt_graph *g, struct axt_expr *e, int n,
    const char *const name[], struct axt_expr *const value[]);

/* ---- elementwise ---- */

/*
 * axt_map - one op on its n arguments (n is its arity; for nary ops any n >= 1, folded left to
 * right).
 * shapes  ordered union of the arguments' axes, missing ones broadcast.
 * dtypes  NumPy's promotion; weak numbers take the kind of the tensors; comparisons give bool. f16
 *         and bf16 compute in f32, rounded once.
 * errors  AXES, COORD, DTYPE, ARG, RANGE (a weak number that does not fit), LIMIT (2^63 elements);
 *         the run: LIMIT for a result no operand has all axes of, over 1 GiB and 16 times the
 *         operands, unless axt_broadcast asked for it.
 * source  NumPy NEP 50 (promotion); SLEEF 3, deterministic functions (error limits in ops.def).
 */
AXT_API struct axt_expr *axt_map(struct axt_graph *g, enum axt_op op, int n,
    struct axt_expr *const a[]);
/* axt_map with one, and with two, arguments. */
AXT_API struct axt_expr *axt_map1(struct axt_graph *g, enum axt_op op, struct axt_expr *a);
AXT_API struct axt_expr *axt_map2(struct axt_graph *g, enum axt_op op, struct axt_expr *a,
    struct axt_expr *b);
/*
 * a where cond is true, else b. cond is bool, or numbers: != 0. dtypes: those of a and b. shapes:
 * a's axes, then b's, then cond's.
 */
AXT_API struct axt_expr *axt_where(struct axt_graph *g, struct axt_expr *cond, struct axt_expr *a,
    struct axt_expr *b);
/* min(max(a, lo), hi); a's axes first; NaN stays. */
AXT_API struct axt_expr *axt_clip(struct axt_graph *g, struct axt_expr *a, struct axt_expr *lo,
    struct axt_expr *hi);
/* a, but b where a is NaN. */
AXT_API struct axt_expr *axt_fillnan(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b);

/*
 * axt_onehot - true where the index along a new axis, "AXIS=LEN", is a's value.
 * shapes  the new axis, then a's.
 * dtypes  a: integers; bool.
 * errors  SYNTAX, NAME, AXES (a has the axis), DTYPE, LIMIT;
 *         the run: RANGE (a value not in [0, LEN)).
 */
AXT_API struct axt_expr *axt_onehot(struct axt_graph *g, struct axt_expr *a, const char *spec);

/* ---- reductions and products ---- */

struct axt_reduce_opts {
	/* lists of axes, or NULL; with neither given all axes are reduced */
	const char *to, *over;
	/* NaN: 1 skips it, -1 does not, 0 skips it where it means a missing value */
	int nan;
	double ddof;              /* var, std: the divisor is the number of elements less this */
	double q;                 /* quantile: 0..1 */
	struct axt_expr *weights; /* NULL: none; broadcast by name */
	/* labels over one of the reduced axes, for a result for each; NULL: no groups */
	struct axt_expr *by;
	enum axt_dtype dtype; /* AUTO: by the operation */
};
/*
 * axt_reduce - one number per kept index.
 * shapes  `to` names what stays, in result order; `over` what goes; both must partition the axes.
 *         by: the axis of the labels becomes one with their name, unless `to` tells its place,
 *         whose coordinates are the distinct labels, rising; NaN is none. Labels called "tensor",
 *         or nothing, give "group". They are evaluated now.
 * dtypes  sum, prod, sumsq, norm1 of integers and bool: i64/u64; of floats: their own (accumulated
 *         in f64); mean, var, std, rms, norm2, logsumexp of integers: f64; min, max, ptp: their
 *         own; any, all: bool; count, argmin, argmax: i64; median, quantile: of integers f64, of
 *         floats their own (computed in f64, rounded once), linear between the two nearest values.
 *         argmin, argmax over several axes: the position in their row-major order, in a's order.
 * errors  AXES, NAME, SYNTAX, DTYPE, COORD, ARG (empty axis for min, max..., ddof with weights, q,
 *         a quantile by labels); by: those of a run.
 * source  Neumaier 1974 (sums); Chan, Golub, LeVeque 1979 (var); order of work in axt-axes(7);
 *         Knuth, TAOCP 3, 5.2.2M (quantiles: Batcher's merge exchange), counts of leading bits for
 *         long lines.
 */
AXT_API struct axt_expr *axt_reduce(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o);
/*
 * axt_labels - axt_open, but text over one axis is good too, as labels of axt_reduce: it gives the
 * place of each among the distinct ones in the order of their bytes, i32; -1 of an empty one, which
 * is none.
 * errors  those of axt_open, LIMIT.
 */
AXT_API struct axt_expr *axt_labels(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o);

struct axt_hist_opts {
	const char *to, *over; /* as of axt_reduce; the bins come last, or where `to` has "bin" */
	int64_t bins;          /* 0: 10, as numpy.histogram has it */
	const char *range;     /* "LO,HI"; NULL: least to greatest finite value, a pass over a */
	struct axt_expr *weights; /* NULL: each element counts 1; broadcast by name */
};
/*
 * axt_hist - how many elements are in each of so many bins of equal width; the last one has its
 * upper edge too. NaN and what is out of the range are in none.
 * shapes  as of axt_reduce, and an axis "bin": coordinates are the middles, their bounds the edges.
 * dtypes  real; counts i64, sums of weights f64. Edges are f64, rounded to f32 for floats up to 32
 *         bits.
 * errors  AXES, NAME, SYNTAX, DTYPE, COORD, ARG (bins, range), LIMIT; without a range those of a
 *         run.
 * source  numpy.histogram.
 */
AXT_API struct axt_expr *axt_hist(struct axt_graph *g, struct axt_expr *a,
    const struct axt_hist_opts *o);

/*
 * axt_softmax - exp(a) as part of its sum along the axes, the greatest value taken off first.
 * shapes  a's.
 * dtypes  floats: their own (16-bit ones computed in f32); integers and bool: f64.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex), ARG (an empty axis).
 */
AXT_API struct axt_expr *axt_softmax(struct axt_graph *g, struct axt_expr *a, const char *along);

struct axt_scan_opts {
	bool reverse;         /* from the end */
	enum axt_dtype dtype; /* as of axt_reduce_opts */
};
/*
 * axt_scan - running sums, products, minima or maxima: each element is the reduction of those up to
 * it along one axis. op: AXT_RED_SUM PROD MIN MAX. NaN stays, also where it means missing.
 * shapes  a's.
 * dtypes  those of the reduction; floats go on in f64, each result is rounded once. Complex: sums.
 * errors  AXES, NAME, SYNTAX, DTYPE, ARG.
 */
AXT_API struct axt_expr *axt_scan(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const char *along, const struct axt_scan_opts *o);
/*
 * axt_sort - a's values along one axis in rising or descending order, NaN last; or, with index, the
 * positions they come from (of equal ones the first first). The axis loses its coordinates.
 * shapes  a's.  dtypes  a's; index: i64.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex); the run: LIMIT when a line does not fit in memory.
 * source  Knuth, TAOCP 3, 5.2.2M (short lines), 5.2.5 (digits).
 */
AXT_API struct axt_expr *axt_sort(struct axt_graph *g, struct axt_expr *a, const char *along,
    bool descending, bool index);

/*
 * axt_diff - a[i + 1] - a[i] along one axis, taken `order` times (at least once), as numpy.diff.
 * shapes  a's, the axis shorter by `order`; its coordinates are those of the later elements.
 * dtypes  a's: integers wrap, differences of bool are exclusive or.
 * errors  AXES, NAME, SYNTAX, ARG (order); the run: LIMIT when the axis does not fit in memory.
 */
AXT_API struct axt_expr *axt_diff(struct axt_graph *g, struct axt_expr *a, int order,
    const char *along);
/*
 * axt_linfit - the straight line y = results[0] * x + results[1] that is nearest to the points
 * along one axis, by least squares, as numpy.polyfit of degree 1. Both come from one computation.
 * nan: as of axt_reduce_opts. Of fewer than two points: NaN.
 * shapes  x's axes but this one, then those of y that x lacks.
 * dtypes  real; f64. units  none.
 * errors  AXES, NAME, SYNTAX, COORD, DTYPE, ARG; the run: ARG (all points have the same x), LIMIT.
 */
AXT_API int axt_linfit(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const char *along, int nan, struct axt_expr *results[2]);

struct axt_gufunc_opts {
	/* Names of core axes, in the order in which the signature has them first: "row,col" of
	 * (m,n),(n)->(m). Those that only results have may be left out where they are in the place
	 * of one of the first operand: they are called as that. */
	const char *core;
	int n[4]; /* what the function is told besides: integers and flags, numbers */
	double x[4];
};
/*
 * axt_gufunc - a function of whole core axes that loops over all other axes, by its name in
 * gufuncs.def, for n operands: diff "(n)->(m)" and linfit "(n),(n)->(),()" are such functions.
 * Loop axes meet by name, as in axt_map. results: one for each that the signature has; what several
 * of them need is computed once where a run asks for more than one.
 * shapes  where the first operand has as many core axes as the result, the result's stand in their
 *         place, and loop axes that only other operands have come first; else core axes are last.
 * errors  those of the function, AXES, NAME, SYNTAX, COORD, DTYPE, ARG, LIMIT; in the run too.
 */
AXT_API int axt_gufunc(struct axt_graph *g, const char *name, int n, struct axt_expr *const in[],
    const struct axt_gufunc_opts *o, struct axt_expr *results[]);

/*
 * To accumulate in f32, where a device may round what it multiplies to TF32: 10 bits after the
 * first.
 */
#define AXT_TF32 AXT_NDTYPES
struct axt_dot_opts {
	/* strict: only starred axes pair (M* with M); plain: these do not */
	bool strict, plain;
	const char *over, *keep;          /* the axes to contract; shared axes to keep */
	enum axt_dtype accumulate, dtype; /* as of axt_reduce_opts; AXT_TF32 */
};
/*
 * axt_dot - contract the axes two tensors share by name (rules in axt-axes(7)).
 * shapes  a's rest (kept axes at their place), then b's rest.
 * dtypes  that of promotion, integers i64/u64 (sums wrap), bool or-of-and; f16, bf16 accumulate in
 *         f32.
 * bits    sums go over the contracted axes in the order of a's axes, cut by length and dtype alone:
 *         the same for any number of threads, any memory bound, any instruction set.
 * cost    2 |M||N||K| flops; the operands are read panel by panel and the result is made slab by
 *         slab as it is used. A vector or a number on one side makes it a sum of products.
 * errors  AXES, COORD, NAME, SYNTAX, ARG, DTYPE, LIMIT.
 * source  Goto and van de Geijn, ACM TOMS 34(3) art. 12, 2008.
 */
AXT_API struct axt_expr *axt_dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_dot_opts *o);
/*
 * axt_multi_dot - the contraction of 2 to 12 tensors, paired from left to right, contracted in the
 * order that costs least (flops and elements moved; dynamic programming over their subsets). over,
 * keep: each axis must be in two of them.
 */
AXT_API struct axt_expr *axt_multi_dot(struct axt_graph *g, int n, struct axt_expr *const a[],
    const struct axt_dot_opts *o);

/* ---- labels, order, dtype: no value moves before the run ---- */

/* The transpose: of each axis level k becomes 1 - k, so that M becomes M* and M* becomes M. */
AXT_API struct axt_expr *axt_transpose(struct axt_graph *g, struct axt_expr *a);
/* a's axes in the order "lon,..." ("...": the rest). errors: SYNTAX, NAME, AXES. */
AXT_API struct axt_expr *axt_order(struct axt_graph *g, struct axt_expr *a, const char *axes);
/* Renames axes by name, "OLD=NEW,...". errors: SYNTAX, NAME, AXES. */
AXT_API struct axt_expr *axt_rename(struct axt_graph *g, struct axt_expr *a, const char *map);
/*
 * Renames all axes by position, "B,C" or "B=3,C=4"; the rank must agree. errors: SYNTAX, NAME,
 * AXES.
 */
AXT_API struct axt_expr *axt_cast_axes(struct axt_graph *g, struct axt_expr *a, const char *axes);
/*
 * Another dtype; mode tells what becomes of a value it cannot hold.
 * errors  DTYPE; the run: RANGE (AXT_OVERFLOW_ERROR).
 */
AXT_API struct axt_expr *axt_cast_dtype(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d,
    enum axt_overflow mode);
/*
 * axt_pack - packed as CF tells: integers of spec's dtype with attributes scale_factor, add_offset
 * and _FillValue (the least integer, of unsigned ones the greatest), which NaN becomes. spec is
 * "i16" (the least and greatest value are looked for now: a pass over a) or "i16:SCALE:OFFSET".
 * shapes  a's. dtypes  real; i8 u8 i16 u16 i32 u32. mode: ERROR or SATURATE.
 * errors  SYNTAX, DTYPE, ARG, RANGE (infinite values); the run: RANGE.
 * source  CF conventions 1.11, section 8.1.
 */
AXT_API struct axt_expr *axt_pack(struct axt_graph *g, struct axt_expr *a, const char *spec,
    enum axt_overflow mode);
/*
 * Axes to have ("D=4,B,C"): all of a's, in any order, and new ones with lengths.
 * errors  SYNTAX, NAME, AXES, LIMIT.
 */
AXT_API struct axt_expr *axt_broadcast(struct axt_graph *g, struct axt_expr *a, const char *axes);

/*
 * ---- views: elements in other places; no value is copied before the run ----
 *
 * Views of any kind compose: a chain of them is one look at storage. Coordinates and the datasets
 * named in bounds and coordinates follow. Errors: SYNTAX, NAME, and what each tells.
 */
/*
 * One axis by position, "time=3", "time=0:10:2", "time=0,5,7" (Python's rules; one position drops
 * the axis), or by coordinate, "time@2010-06:2010-08", "lat@45", "lon@350:20" (axt-slice(1)).
 * nearest: the nearest coordinate will do. errors: ARG, COORD, AMBIG.
 */
AXT_API struct axt_expr *axt_slice(struct axt_graph *g, struct axt_expr *a, const char *spec,
    bool nearest);
/*
 * "AXIS": the elements at the positions that index has: its axes that a lacks stand in AXIS's
 * place, others are paired by name with a's (NumPy's take_along_axis). labels: index has
 * coordinates of AXIS instead. Positions are integers, or floats that declare missing values; a
 * negative or missing one gives NaN, and integers of a become f32 (up to 16 bits) or f64 for that.
 * A number (axt_number) counts from the end when negative. The least and the greatest position, or
 * all labels, are evaluated now.
 * errors  DTYPE, ARG (position out of range, label not there), AXES, COORD, those of a run.
 */
AXT_API struct axt_expr *axt_take(struct axt_graph *g, struct axt_expr *a, const char *axis,
    struct axt_expr *index, bool labels);
/* Reverses the axes named: the last element comes first. */
AXT_API struct axt_expr *axt_flip(struct axt_graph *g, struct axt_expr *a, const char *axes);
/*
 * "AXIS=N": element i goes to i + N, around the end; so do coordinates, and what lies along the
 * axis, unless fixed: then a place keeps its label and gets a neighbour's element.
 */
AXT_API struct axt_expr *axt_shift(struct axt_graph *g, struct axt_expr *a, const char *spec,
    bool fixed);
/*
 * "AXIS=NAME:LEN[:STEP]": windows along AXIS, which keeps their middles' coordinates (f64 between
 * two where LEN is even); what is in a window is along the new last axis NAME. errors: ARG, AXES,
 * LIMIT.
 */
AXT_API struct axt_expr *axt_window(struct axt_graph *g, struct axt_expr *a, const char *spec);
/*
 * "A,B[=NAME]": flattens the axes into one, row-major, at the place of the first of them. Without
 * NAME it is A.B.
 */
AXT_API struct axt_expr *axt_flatten(struct axt_graph *g, struct axt_expr *a, const char *spec);
/*
 * "NAME[=A:2,B:3]": the axis as several, those given or those it was flattened from. One length may
 * be left out. errors: AXES.
 */
AXT_API struct axt_expr *axt_unflatten(struct axt_graph *g, struct axt_expr *a, const char *spec);
/*
 * Axes "A=2,B=3" with the elements in the same row-major ('C') or column-major ('F') order; one
 * length may be left out. errors: AXES.
 */
AXT_API struct axt_expr *axt_reshape(struct axt_graph *g, struct axt_expr *a, const char *axes,
    char order);
/*
 * a with `rank` axes. Fewer than it has: the last ones are flattened into one, row-major ('C') or
 * with the first running fastest ('F'). More: axes dim_0... of length 1 are added at the end.
 * errors: ARG, SYNTAX.
 */
AXT_API struct axt_expr *axt_reshape_rank(struct axt_graph *g, struct axt_expr *a, int rank,
    char order);
/* Drops axes of length 1: those that `over` lists, or all (NULL). errors: AXES. */
AXT_API struct axt_expr *axt_squeeze(struct axt_graph *g, struct axt_expr *a, const char *over);
/*
 * Adds an axis "NAME[=LEN]" at position `at`, which counts from the end when negative. errors:
 * AXES, ARG.
 */
AXT_API struct axt_expr *axt_expand(struct axt_graph *g, struct axt_expr *a, const char *spec,
    int at);
/*
 * "AXIS=BEFORE,AFTER" ("AXIS=N": both) elements more: of value (NULL: 0), or for mode "edge" the
 * outermost, "reflect" mirrored about it, "wrap" those of the other end (numpy.pad). NULL:
 * "constant". Numeric coordinates go on evenly, others go. errors: ARG, RANGE (value does not fit
 * a's dtype), LIMIT.
 */
AXT_API struct axt_expr *axt_pad(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const char *mode, struct axt_expr *value);
/*
 * n >= 1 tensors of the same axes, in any order, end to end along one. Other axes must agree as
 * --join tells; coordinates along it must go on in one direction, in one unit, unless overridden.
 * CF times are converted, as coordinates, auxiliary datasets and values.
 * dtypes  by promotion; of values that are converted i64 or f64; stored values must be packed
 *         alike.
 * errors: AXES, COORD, DTYPE, LIMIT.
 */
AXT_API struct axt_expr *axt_concat(struct axt_graph *g, const char *axis, int n,
    struct axt_expr *const a[]);
/* The same along a new axis at a position; coordinates that were dropped by index come back. */
AXT_API struct axt_expr *axt_stack(struct axt_graph *g, const char *axis, int n,
    struct axt_expr *const a[], int at);

/*
 * "[AXIS:]NAME=TEXT" or "[AXIS:]NAME:=NUMBERS", ":NAME=TEXT" for the file; empty TEXT removes.
 * dtypes  numbers: as axt-attr(1) tells, _FillValue and the like as a.
 * errors  SYNTAX, NAME, ARG (an axis without coordinates), DTYPE, RANGE (numbers of values that do
 *         not fit theirs).
 */
AXT_API struct axt_expr *axt_set_attr(struct axt_graph *g, struct axt_expr *a, const char *spec);
/* Coordinates, or an attribute, in memory. */
struct axt_values {
	enum axt_dtype dtype; /* AUTO: text */
	int64_t n;
	const void *data; /* n numbers, native byte order; of text n of const char * */
};
/*
 * The same from memory, which is copied. object: NULL the tensor, "" the file, else an axis. v
 * NULL, or of no values: removed. Numbers keep their dtype (in files bool is i8); _FillValue: as of
 * axt_set_fill.
 */
AXT_API struct axt_expr *axt_set_attr_values(struct axt_graph *g, struct axt_expr *a,
    const char *object, const char *name, const struct axt_values *v);
/*
 * axt_set_coord - other values along an axis: "AXIS=OPERAND" (an operand of axt_open, opened as o
 * tells, or text, with its attributes; read now) or "AXIS=START:STEP". The bounds of the old ones
 * go. o NULL: the defaults.
 * errors  SYNTAX, NAME, AXES (not one value for each index), those of axt_open and of a run.
 */
AXT_API struct axt_expr *axt_set_coord(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const struct axt_open_opts *o);
/*
 * The same from memory, which is copied; they have no attributes at first. v NULL: as of
 * axt_drop_coord.
 * errors  SYNTAX, NAME, AXES (not one value for each index), DTYPE.
 */
AXT_API struct axt_expr *axt_set_coord_values(struct axt_graph *g, struct axt_expr *a,
    const char *axis, const struct axt_values *v);
/* Drops the coordinates of the axes in a list. errors: SYNTAX, NAME, AXES. */
AXT_API struct axt_expr *axt_drop_coord(struct axt_graph *g, struct axt_expr *a, const char *axes);
/*
 * axt_set_fill - what missing values are stored as, and _FillValue says: a number as of
 * NAME:=NUMBERS, of the dtype that is stored. axt_to and axt_print give that number, too; in memory
 * they stay NaN. A run fails where a value is that number.
 * errors  SYNTAX, DTYPE (bool, complex; another dtype), RANGE (it does not fit); the run: RANGE.
 */
AXT_API struct axt_expr *axt_set_fill(struct axt_graph *g, struct axt_expr *a, const char *value);
/* The name the tensor is written under. errors: NAME, SYNTAX. */
AXT_API struct axt_expr *axt_set_name(struct axt_graph *g, struct axt_expr *a, const char *name);

/* ---- expressions as text ---- */

/*
 * axt_calc - what axt-calc(1) reads: "m = mean(a, over=time); sqrt((a - m)^2)". names[i] stands for
 * a[i], i < n. The results of its last statement go to out, at most max of them, under their names
 * where it gives some. An operand it does not use gives a warning.
 * returns  the number of results; 0: failed.
 * errors   SYNTAX, with the place; LIMIT (more than 4000 values and operations); those of the
 *          functions it calls, with the place.
 */
AXT_API int axt_calc(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, struct axt_expr *out[], int max);

/* ---- descriptions; of a failed node: AUTO, 0, NULL, -1, false ---- */

/* The dtype of the values. */
AXT_API enum axt_dtype axt_expr_dtype(const struct axt_expr *e);
/* The number of axes. */
AXT_API int axt_expr_rank(const struct axt_expr *e);
/* The name of axis i, spelled with its stars; NULL when i is out of range. */
AXT_API const char *axt_expr_axis(const struct axt_expr *e, int i);
/* The length of axis i; -1 when i is out of range. */
AXT_API int64_t axt_expr_len(const struct axt_expr *e, int i);
/* The name of the dataset it came from, or that of axt_set_name; NULL when there is none. */
AXT_API const char *axt_expr_name(const struct axt_expr *e);
/* The coordinates along axis i; they belong to the graph. false: it has none. */
AXT_API bool axt_expr_coord(const struct axt_expr *e, int i, struct axt_values *out);
/*
 * The attribute of that name; it belongs to the graph. object: NULL the tensor, "" the file, else
 * an axis, as axt_expr_axis spells it. What tells how values are packed in a file is no attribute
 * of theirs. false: there is none.
 */
AXT_API bool axt_expr_attr(const struct axt_expr *e, const char *object, const char *name,
    struct axt_values *out);
/* The name of the i-th attribute; NULL after the last. */
AXT_API const char *axt_expr_attr_name(const struct axt_expr *e, const char *object, int i);

/* ---- running ---- */

/*
 * Evaluates into the caller's memory: row-major, native byte order. bytes must be count * size of
 * the dtype.
 * errors  ARG, and those of a run: IO, DAMAGED, CHANGED, RANGE, DTYPE, LIMIT, NOSYS.
 */
AXT_API enum axt_code axt_eval(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes);

struct axt_save_opts {
	const char *output; /* FILE, FILE:DATASET, NULL or "-": standard output */
	/*
	 * one line put in front of the history of the operands: of the first one and of streams;
	 * NULL: none
	 */
	const char *history;
	bool no_clobber;   /* fail with EXISTS instead of replacing */
	bool force;        /* replace an operand's file that holds other tensors */
	int deflate;       /* 1..9; 0: not compressed */
	const char *chunk; /* "time=1,lat=90"; NULL: contiguous (or automatic with deflate) */
	/*
	 * axes that are unlimited in the file, "time"; NULL: those that are so in the operands'
	 * files
	 */
	const char *unlimited;
	/* of one result: lengths to allocate, "lat=96", where its own are too short; 'C' or 'F' */
	const char *size;
	char layout;
	/*
	 * of one result: keep the expression instead of its values, as a virtual dataset where HDF5
	 * can say it; output is the name of a file
	 */
	bool expression;
};
/*
 * Writes n >= 1 tensors into one file, atomically; on failure the old file is as it was. A pipe
 * gets the same bytes in order. Values that were read and only moved are stored as they
 * were: packed, missing ones as the number of their _FillValue.
 * errors  those of a run, EXISTS, NAME, SYNTAX, ARG, AXES, COORD (axes of one name must agree).
 */
AXT_API enum axt_code axt_save(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);

struct axt_to_opts {
	enum axt_format format;
	bool no_clobber; /* fail with EXISTS instead of replacing */
	bool big_endian; /* raw */
	bool matrix;     /* csv: values alone, a line per row; rank 0 to 2 */
};
/*
 * Writes n tensors (safetensors; else one) into a file of another format, atomically; NULL or "-":
 * standard output, in order. npy is version 1.0, row-major; raw little-endian; csv as axt_print has
 * it; pnm P5, P6, else P7. No tensor is held whole.
 * dtypes  npy: all but bf16; safetensors: all but c128; pnm: bool, u8, u16.
 * errors  those of a run, EXISTS, SYNTAX (no format), DTYPE, AXES, NAME, ARG.
 */
AXT_API enum axt_code axt_to(struct axt_graph *g, struct axt_expr *const e[], int n,
    const char *file, const struct axt_to_opts *o);
struct axt_assign_opts {
	const char *dataset; /* the dataset when the target names none; NULL */
	bool in_place;       /* change the file itself, not a copy that takes its place */
	bool raw;            /* e is stored as it is: no packing, no missing values */
	bool make;           /* a target of "=" that is not there, and no slice, is made */
	bool no_clobber;     /* fail with EXISTS where it is there */
	const char *history; /* of files that are made: as of axt_save_opts */
};
/*
 * axt_assign - writes e into a tensor that is there: FILE, FILE:DATASET, or a slice of it,
 * FILE:DATASET[AXIS=SPEC,...] (axt-assign(1)). op: "set" add sub mul div, or = += -= *= /=. All
 * values are known before one is written; e may read the target: it sees the old values.
 * shapes  e's axes are among the slice's, in any order; it is broadcast over the others.
 * dtypes  converted to the target's; packed where the target is. add...: computed as of axt_map2.
 * errors  those of a run, SYNTAX, NAME, AXES, COORD, ARG (no l-tensor: a number, a stream, a
 *         constant; a position out of range or twice), RANGE, IO, CHANGED. Then the file is as it
 *         was, unless in_place was half done (IO).
 */
AXT_API enum axt_code axt_assign(struct axt_graph *g, const char *target, const char *op,
    struct axt_expr *e, const struct axt_assign_opts *o);
/* e into target by op, as of axt_assign; target NULL: a result without one. */
struct axt_assignment {
	const char *target, *op;
	struct axt_expr *e;
};
/*
 * axt_assign_all - n assignments in one run. All of them see old values, and all are computed and
 * written to copies before the first copy takes its place; those to one file share one. Slices of
 * one tensor must not overlap.
 * errors  those of axt_assign, ARG (twice assigned), EXISTS, those of axt_save for what is made.
 *         Files are as they were, unless the last step, one rename a file, failed for a later one:
 *         the hint tells.
 */
AXT_API enum axt_code axt_assign_all(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o);
/*
 * axt_split - as axt_save, one file for each index of an axis, which goes; its coordinate stays as
 * a dataset of rank 0. pattern: "tas_{}.nc"; {} is the index, zero-padded to equal width, {@} the
 * coordinate as axt_print shows it. o's output does not count. Each file is written atomically, one
 * after another; files that exist (no_clobber) are refused before the first is.
 * cost    a is computed once; more than 64 MiB of it, or a quarter of the memory, wait in $TMPDIR,
 *         unless its parts lie one after another in files and are taken elementwise.
 * errors  those of axt_save and axt_slice, SYNTAX (no braces), ARG (one file twice, an operand's),
 *         COORD (no coordinates).
 */
AXT_API enum axt_code axt_split(struct axt_graph *g, struct axt_expr *a, const char *axis,
    const char *pattern, const struct axt_save_opts *o);

struct axt_print_opts {
	FILE *out;     /* NULL: standard output */
	bool terminal; /* may leave the middle of a long tensor out, and says so */
	bool csv;
	int64_t head;       /* only so many values; 0: all; negative: none */
	const char *format; /* printf's, for one value; NULL: fewest digits that read back */
};
/*
 * Prints n tensors as text, as axt-print(1) tells.
 * errors  those of a run, SYNTAX (format), IO.
 */
AXT_API enum axt_code axt_print(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_print_opts *o);
/*
 * The plans of n tensors as text: axes, dtype, bytes read and written, passes, memory. Reads no
 * data.
 */
AXT_API enum axt_code axt_explain(struct axt_graph *g, struct axt_expr *const e[], int n,
    FILE *out);

struct axt_equal_opts {
	double rtol, atol; /* equal when |a - b| <= atol + rtol |b| */
	int64_t ulp;       /* ... or at most so many units in the last place apart; 0: none */
	bool nan_differ;   /* NaN differs from NaN */
	bool strict_order; /* axes in another order differ */
	bool attributes;   /* attributes, and having coordinates, count too */
	const char *what;  /* name of the pair in lines; NULL */
};
/*
 * Compares two tensors, axes paired by name.
 * returns  0 equal, 1 different (one line to out, if not NULL), -1 failed.
 * errors   those of a run, DTYPE.
 */
AXT_API int axt_equal(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_equal_opts *o, FILE *out);

/* ---- files ---- */

enum axt_info_form { AXT_INFO_TEXT, AXT_INFO_JSON, AXT_INFO_CDL };
struct axt_info_opts {
	enum axt_info_form form;
	bool stats;                /* count, missing, min, max, mean of each tensor */
	struct axt_open_opts open; /* how tensors are opened, for stats and for what they are of */
};
/*
 * What is in FILE or FILE:DATASET, as axt-info(1) tells.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE; with stats those of a run.
 */
AXT_API enum axt_code axt_info(struct axt_graph *g, const char *operand,
    const struct axt_info_opts *o, FILE *out);
/* Names of the tensors of a file, NULL-terminated; NULL on failure. errors: IO, FORMAT, DAMAGED. */
AXT_API const char *const *axt_tensors(struct axt_graph *g, const char *file);
/*
 * axt_set_kind - what the tensor FILE:DATASET is for, kept in its attribute axt_kind: "constant",
 * "placeholder", "persistent", "variable", or "none". A copy takes the place of the file.
 * errors  SYNTAX (no such kind), IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE.
 * source  Intel nGraph, tensors: constant, persistent, trainable, input.
 */
AXT_API enum axt_code axt_set_kind(struct axt_graph *g, const char *kind, const char *operand);

#ifdef __cplusplus
}
#endif
#endif
