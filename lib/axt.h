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
 * A graph without nodes; NULL when out of memory. The new graph has failed already, with NOSYS, if
 * the processor lacks instructions that the kernels need, or if AXT_ISA asks for an instruction set
 * that there is not.
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
 * Forgets the graph's error, so that the graph and the nodes built before the error can be used
 * again. The failed node stays failed. A graph whose kernels cannot run on this processor fails
 * again.
 */
AXT_API void axt_graph_clear(struct axt_graph *g);
/* Fails the graph with a message of the caller's, unless it has failed; returns the failed node. */
AXT_API struct axt_expr *axt_graph_fail(struct axt_graph *g, enum axt_code code, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* warn is called with each warning: one line, no newline, valid during the call. Default: none. */
AXT_API void axt_graph_on_warning(struct axt_graph *g, void (*warn)(void *ctx, const char *line),
    void *ctx);
/*
 * Sets a function that a run calls in the caller's thread, between tiles and between chunks that
 * are written, with the part of the work that is done (0..1). The function must call none of this
 * library. Default: none.
 */
AXT_API void axt_graph_on_progress(struct axt_graph *g, void (*progress)(void *ctx, double done),
    void *ctx);
/*
 * Sets how many threads a run has. The default, also for n < 1, is one for each processor that this
 * process may use.
 */
AXT_API void axt_graph_set_threads(struct axt_graph *g, int n);
/*
 * Sets the bound of a run's scratch memory in bytes. Default: a quarter of the machine's memory, or
 * of the address space if that is limited. bytes < 1 changes nothing.
 */
AXT_API void axt_graph_set_memory(struct axt_graph *g, int64_t bytes);
/*
 * Sets whether plans are given to, and taken from, the process at the other end of a pipe
 * (axt-pipelines(7)). OFF is the default, since this needs a thread and a socket. ON, the default
 * of commands: a writer waits some milliseconds for its reader before heavy work. WAIT: it waits up
 * to a second before any work.
 */
enum axt_fuse { AXT_FUSE_OFF, AXT_FUSE_ON, AXT_FUSE_WAIT };
AXT_API void axt_graph_set_fuse(struct axt_graph *g, enum axt_fuse mode);
/*
 * Sets what computes. CUDA: an NVIDIA GPU (axt-cuda(7)); a run fails with NOSYS if there is none.
 * The CPU does what the GPU cannot do, and all reading and writing. AUTO: a GPU if there is one and
 * it pays. Default: CPU.
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
 * Sets who multiplies large matrices of f32, f64, c64 and c128. "openblas", "mkl", "blis", or a
 * path with a slash: a library of BLAS, which is loaded when a plan has a product; a run fails with
 * NOSYS if it is not there. "axt", the default: axt itself, with the same bits on every processor
 * and for any number of threads, which libraries do not promise. name is copied.
 * errors  SYNTAX.
 */
AXT_API enum axt_code axt_graph_set_blas(struct axt_graph *g, const char *name);
/*
 * How coordinates of operands meet: "exact" (default), "override" or "override:AXIS,...".
 * errors  SYNTAX, AXES (a name twice).
 */
AXT_API enum axt_code axt_graph_set_join(struct axt_graph *g, const char *join);

/*
 * What happens if values of different units meet in a sum, a comparison, a concatenation and the
 * like. CONVERT, the default: they are converted to the units of the first operand by UDUNITS, with
 * a warning; units of different kinds only give a warning. STRICT: an error. IGNORE: the numbers
 * are taken as they are.
 */
enum axt_units { AXT_UNITS_CONVERT, AXT_UNITS_STRICT, AXT_UNITS_IGNORE };
AXT_API void axt_graph_set_units(struct axt_graph *g, enum axt_units mode);

/* ---- tables ---- */

/* The name of a dtype, such as "f32"; NULL when d is no dtype. */
AXT_API const char *axt_dtype_name(enum axt_dtype d);
/* The dtype with a name such as "f32", "float32" or "float"; AXT_DTYPE_AUTO when it is unknown. */
AXT_API enum axt_dtype axt_dtype_of_name(const char *name);
/* The bytes of an element; 0 when d is no dtype. */
AXT_API size_t axt_dtype_bytes(enum axt_dtype d);

/* ---- leaves ---- */

struct axt_open_opts {
	const char *dataset; /* the dataset that is meant if the operand names none; may be NULL */
	bool raw;            /* stored values as they are, without unpacking them */
	/* the same, with a warning, of a dataset whose attributes do not tell how to unpack it */
	bool keep_unclear;
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
 * hour dayofyear daysinmonth) a field of a CF time axis, i32. Reads metadata and coordinates
 * only; the same tensor opened twice is read once.
 * dtypes  as stored; packed data (scale_factor, add_offset, _FillValue, missing_value, _Unsigned)
 *         gives floats, NaN where missing: the dtype of scale_factor and add_offset; with missing
 *         values only, f32 for integers up to 16 bits, else f64. raw: always as stored.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE, AXES, LIMIT.
 * source  CF Conventions 1.11, sections 2.5.1 and 8.1 (missing data, packing).
 */
AXT_API struct axt_expr *axt_open(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o);
/*
 * A number as typed ("2", "-1.5e3", "inf", "nan"): a node of rank 0 that is weak, which means that
 * it takes the kind of dtype of the tensor it is combined with.
 * errors  SYNTAX.
 */
AXT_API struct axt_expr *axt_number(struct axt_graph *g, const char *text);
/*
 * A tensor in the caller's memory, in native byte order, which the caller keeps unchanged until the
 * graph is freed. axes: such as "lat=3,lon=4"; "" for rank 0. strides: for each axis, how many
 * elements lie between one index and the next in memory; 0 and negative numbers are allowed. data
 * points to the element whose indices are all 0. strides NULL: row-major.
 * errors  SYNTAX, NAME, AXES, DTYPE, LIMIT.
 */
AXT_API struct axt_expr *axt_tensor(struct axt_graph *g, enum axt_dtype d, const char *axes,
    const void *data, const int64_t *strides);
/*
 * axt_make - values from nothing. kind: zeros, ones, full:V, iota[:START[:STEP]], random[:LO:HI],
 * normal[:MU:SIGMA], eye, triu, tril (of the last two axes), placeholder (axt_bind). seed -1: a
 * fresh one; it is recorded in the attribute axt_seed.
 * shapes  axes as "lat=3,lon=4".
 * dtypes  d; AUTO: f32, but i64 for iota and full when their numbers are integers, f64 for other
 *         iota.
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
/* csv: what the first line is; AUTO: names of columns if it holds text and is no list of words. */
enum axt_header_line { AXT_HEADER_AUTO, AXT_HEADER_YES, AXT_HEADER_NO };
struct axt_from_opts {
	enum axt_format format;
	const char *to;       /* names of the axes, by position; NULL: the file's, or dim_0... */
	enum axt_dtype dtype; /* AUTO: the file's; raw files must be told theirs */
	bool matrix;          /* csv: every column is values, none an axis */
	enum axt_header_line header;
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

/* ---- elementwise ---- */

/*
 * axt_map - one operation on its n arguments. n is the operation's number of arguments; those with
 * the flag NARY take any n >= 1, and are folded from left to right.
 * shapes  the axes of the first argument, then those that others have besides; an argument is
 *         repeated along axes that it lacks.
 * dtypes  NumPy's promotion; weak numbers take the kind of the tensors; comparisons give bool. f16
 *         and bf16 are computed in f32, and rounded once.
 * errors  AXES, COORD, DTYPE, ARG, RANGE (a weak number that does not fit), LIMIT (2^63 elements);
 *         in the run LIMIT for a result that is larger than 1 GiB and than 16 times the operands,
 *         and whose axes no operand has all of, unless axt_broadcast asked for it.
 * source  NumPy NEP 50 (promotion); SLEEF 3, deterministic functions (error limits in ops.def).
 */
AXT_API struct axt_expr *axt_map(struct axt_graph *g, enum axt_op op, int n,
    struct axt_expr *const a[]);
/* axt_map with one, and with two, arguments. */
AXT_API struct axt_expr *axt_map1(struct axt_graph *g, enum axt_op op, struct axt_expr *a);
AXT_API struct axt_expr *axt_map2(struct axt_graph *g, enum axt_op op, struct axt_expr *a,
    struct axt_expr *b);
/*
 * The elements of a where cond is true, and those of b elsewhere. cond is bool; numbers count as
 * true if they are not 0. dtypes: as of an operation on a and b. shapes: a's axes, then those of b
 * and of cond that are not among them.
 */
AXT_API struct axt_expr *axt_where(struct axt_graph *g, struct axt_expr *cond, struct axt_expr *a,
    struct axt_expr *b);

/* ---- reductions and products ---- */

struct axt_reduce_opts {
	/* lists of axes, or NULL; with neither given all axes are reduced */
	const char *to, *over;
	/* NaN: 1 skips it, -1 does not, 0 skips it where it means a missing value */
	int nan;
	double ddof;              /* var, std: the divisor is the number of elements less this */
	double q;                 /* quantile: 0..1 */
	enum axt_quantile method; /* quantile: where it lies between elements */
	struct axt_expr *weights; /* NULL: none; broadcast by name */
	/* labels over reduced axes, for a result for each; NULL: no groups */
	struct axt_expr *by;
	/*
	 * The labels for which the result has elements, in this order, whether or not they occur:
	 * integers "1:12", or a list "1,3,7:9" or "DJF,JJA". `among`: a tensor whose values are
	 * these labels. Both NULL: the labels that occur, rising.
	 */
	const char *labels;
	struct axt_expr *among;
	bool drop_others; /* leaves out elements with other labels, which are an error otherwise */
	/*
	 * Periods of the time axis, such as "month" or "5 days", each of which gives a result;
	 * NULL: none. If neither `to` nor `over` is given, only the time axis is reduced.
	 */
	const char *every;
	enum axt_dtype dtype; /* AUTO: by the operation */
};
/*
 * axt_reduce - reduces a to one number for each index of the axes that stay.
 * shapes  `to` names the axes that stay, in the order of the result, and `over` those that are
 *         reduced; if both are given, each axis is in one of them. by: the axes of the labels are
 *         replaced by one axis, whose coordinates are the distinct labels, rising. It has the name
 *         of the labels, or "group" if they have none or are called "tensor", and the place of the
 *         first axis replaced, unless `to` has it elsewhere. NaN is no label. Labels are evaluated
 *         now, except for a sum or count along the last axis, with a range in `labels` and with
 *         drop_others.
 *         labels, among: the coordinates are these labels. For one that does not occur, sums,
 *         products, counts, norms, any and all have their value of no elements, and argmin and
 *         argmax -1; other results are missing (NaN), and fail with ARG if they are integers.
 *         every: the axis of CF times that `over` names, or else the only one, is replaced by one
 *         of its name, units and calendar, which has an index for each hour, day, month, season
 *         (December belongs to the next year's winter) or year that has elements, or for each N of
 *         these, counted from the one of the first element. Coordinates are the middles of the
 *         periods, bounds their ends.
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

/* ---- linear algebra ---- */

enum axt_linalg_op {
#define LINALG(ID, ...) AXT_LINALG_##ID,
#include "linalg.def"
#undef LINALG
	AXT_NLINALGS
};
#define AXT_LINALG_RESULTS 4 /* the most results of a function */
struct axt_linalg_opts {
	/*
	 * Lists of the axes that are the rows and the columns of a matrix. Several axes count as
	 * one, row-major. If one list is NULL, that side has the duals of the other side's axes: M*
	 * for M, M for M*. If both are NULL, the rows are all axes of level 0 that have a dual in
	 * the tensor, and these duals are the columns.
	 */
	const char *row, *col;
	const char *mode; /* the name of a new axis of results; NULL: mode */
	/*
	 * Singular values of at most rcond times the largest count as 0. If rcond is 0, it is, as
	 * in NumPy, the greater of the numbers of rows and columns, times the spacing of the dtype
	 * at 1.
	 */
	double rcond;
	int power;
	enum axt_matrix_ord {
		AXT_ORD_FRO,     /* the root of the sum of squares */
		AXT_ORD_NUC,     /* the sum of singular values */
		AXT_ORD_2,       /* the largest singular value */
		AXT_ORD_MINUS_2, /* the smallest */
		AXT_ORD_1,       /* the largest sum of a column's absolute values */
		AXT_ORD_INF,     /* that of a row */
	} ord;
	/* of eigh: so many of the last eigenvectors are needed, and others may be 0; 0: all */
	int vectors;
};
/*
 * axt_linalg - a function of matrices. There is a matrix for each index of the axes that are
 * neither rows nor columns. A second operand has the axes of the rows, too; its axes that the first
 * operand lacks are its columns.
 * results: one for each result in the row of linalg.def; what they share is computed once.
 * A matrix with values that are not finite gives NaN.
 * shapes  those of NumPy's function. A result has the names of the rows where NumPy's has rows,
 *         those of the columns where it has columns, and `mode` where it has an element for each
 *         singular value or eigenvalue.
 * dtypes  those of the operands, but f32 for f16 and bf16, f64 for integers and bool; singular
 *         values and the like are real. All is computed in f64. The results have no units.
 * bits    for matrices of at most 64 rows and columns (32 for eigenvalues and singular values) the
 *         same everywhere; for larger ones what LAPACK, from OpenBLAS, gives on this processor.
 * errors  AXES, NAME, SYNTAX, COORD, DTYPE, ARG (LAPACK cannot be loaded); in the run ARG (a
 *         singular matrix, ...), LIMIT where a matrix does not fit in memory.
 */
AXT_API int axt_linalg(struct axt_graph *g, enum axt_linalg_op op, struct axt_expr *const in[],
    const struct axt_linalg_opts *o, struct axt_expr *results[]);

struct axt_gufunc_opts {
	/*
	 * Names of core axes, in the order in which their letters first occur in the signature:
	 * "row,col" for (m,n),(n)->(m). A core axis that only results have may be left out if it
	 * takes the place of one of the first operand; it then has the name of that axis.
	 */
	const char *core;
	/* further arguments of the function: n has integers and flags, x has other numbers */
	int n[4];
	double x[4];
};
/*
 * axt_gufunc - calls the function of that name in gufuncs.def, with n operands. Such a function
 * takes whole core axes, and is repeated along all other axes, the loop axes: diff has the
 * signature "(n)->(m)", linfit "(n),(n)->(),()". Loop axes are matched by name, as in axt_map.
 * results: one for each that the signature has; if a run needs several of them, what they share is
 * computed once.
 * shapes  if the first operand has as many core axes as a result, the result's take their place,
 *         and loop axes that only other operands have come first; otherwise core axes are last.
 * errors  those of the function, AXES, NAME, SYNTAX, COORD, DTYPE, ARG, LIMIT; some only in the
 *         run.
 */
AXT_API int axt_gufunc(struct axt_graph *g, const char *name, int n, struct axt_expr *const in[],
    const struct axt_gufunc_opts *o, struct axt_expr *results[]);

/*
 * As the value of `accumulate`: sums are taken in f32, and a device may round the factors to TF32,
 * which has 10 bits after the leading one.
 */
#define AXT_TF32 AXT_NDTYPES
struct axt_dot_opts {
	/* strict: only pairs such as M* with M are summed; plain: only those of one level are */
	bool strict, plain;
	/* over: the axes to contract; keep: shared axes that stay in the result */
	const char *over, *keep;
	/* as in axt_reduce_opts; accumulate may also be AXT_TF32 */
	enum axt_dtype accumulate, dtype;
};
/*
 * axt_dot - multiplies two tensors and sums over the axes that they share by name (the rules are in
 * axt-axes(7)).
 * shapes  the remaining axes of a, with kept ones in their places, followed by those of b.
 * dtypes  that of promotion. Integers are summed in i64 or u64, which wrap around; bool gives the
 *         or of ands; f16 and bf16 accumulate in f32.
 * bits    sums are taken in the order of a's axes, in pieces that depend only on length and dtype.
 *         So results are the same for any number of threads, memory limit and instruction set.
 * cost    2 |M||N||K| operations. Operands are read panel by panel, and the result is made slab by
 *         slab while it is used. If an operand is a vector or a number, the dot is a sum of
 *         products.
 * errors  AXES, COORD, NAME, SYNTAX, ARG, DTYPE, LIMIT.
 * source  Goto and van de Geijn, ACM TOMS 34(3) art. 12, 2008.
 */
AXT_API struct axt_expr *axt_dot(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_dot_opts *o);

/* ---- names, order, dtype: values are not moved before the run ---- */

/* Transposes: each axis of level k gets level 1 - k, so that M becomes M* and M* becomes M. */
AXT_API struct axt_expr *axt_transpose(struct axt_graph *g, struct axt_expr *a);
/*
 * Puts the axes of a in an order such as "lon,..."; "..." stands for all axes that are not named.
 * errors: SYNTAX, NAME, AXES.
 */
AXT_API struct axt_expr *axt_order(struct axt_graph *g, struct axt_expr *a, const char *axes);
/* Renames axes by name, "OLD=NEW,...". errors: SYNTAX, NAME, AXES. */
AXT_API struct axt_expr *axt_rename(struct axt_graph *g, struct axt_expr *a, const char *map);
/*
 * Converts to another dtype. mode tells what happens to a value that the dtype cannot hold.
 * errors  DTYPE; in the run RANGE (AXT_OVERFLOW_ERROR).
 */
AXT_API struct axt_expr *axt_cast_dtype(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d,
    enum axt_overflow mode);
/*
 * Gives a the axes of a list such as "D=4,B,C". It names all axes of a, in any order, and new axes
 * with their lengths, along which a is repeated.
 * errors  SYNTAX, NAME, AXES, LIMIT.
 */
AXT_API struct axt_expr *axt_broadcast(struct axt_graph *g, struct axt_expr *a, const char *axes);

/*
 * ---- views: elements in other places; no value is copied before the run ----
 *
 * Views of any kind can be combined: a chain of them reads storage once. Coordinates, and auxiliary
 * datasets such as bounds, change with the tensor. Errors: SYNTAX, NAME, and those that each
 * comment names.
 */
/*
 * Selects along one axis: by position, as in "time=3", "time=0:10:2" or "time=0,5,7" (by the rules
 * of Python; a single position drops the axis), or by coordinate, as in "time@2010-06:2010-08",
 * "lat@45" or "lon@350:20" (axt-slice(1)). nearest: takes the nearest coordinate if there is no
 * equal one. errors: ARG, COORD, AMBIG.
 */
AXT_API struct axt_expr *axt_slice(struct axt_graph *g, struct axt_expr *a, const char *spec,
    bool nearest);
/*
 * Applies n specs, one after another. Besides axes, NAME@SPEC may name a coordinate that lies over
 * axes of a without being one: a dataset that the attribute "coordinates" of a names, or one of
 * that name beside a in its file. Specs of such coordinates over the same axes are applied
 * together. Over one axis they select the elements whose coordinates fit the specs. Over several
 * axes they select the smallest block with all elements that fit; other elements of the block
 * become missing, for which integers become f32 (up to 16 bits) or f64. A latitude and a longitude
 * that are both single values select one element; with `nearest` it is the one at the least
 * distance on the sphere, of several the first. errors: those of axt_slice.
 */
AXT_API struct axt_expr *axt_slices(struct axt_graph *g, struct axt_expr *a,
    const char *const spec[], int n, bool nearest);
/*
 * Takes the elements of a at the positions along AXIS that are the values of index. Axes of the
 * index that a lacks replace AXIS; the others are paired by name with those of a (as in NumPy's
 * take_along_axis). labels: the values are coordinates of AXIS instead of positions. Positions are
 * integers, or floats that declare missing values. A negative or missing position gives NaN, for
 * which integers of a become f32 (up to 16 bits) or f64; only an index that is a number
 * (axt_number) counts from the end when negative. The least and greatest position, or all labels,
 * are evaluated now. An index of dtype bool over AXIS alone is a mask, which is evaluated now:
 * elements where it is true are taken, with their coordinates.
 * errors  DTYPE, ARG (a position out of range, a label that is not there), AXES, COORD, those of a
 *         run.
 */
AXT_API struct axt_expr *axt_take(struct axt_graph *g, struct axt_expr *a, const char *axis,
    struct axt_expr *index, bool labels);
/* Reverses the listed axes, so that the last element comes first. */
AXT_API struct axt_expr *axt_flip(struct axt_graph *g, struct axt_expr *a, const char *axes);
/*
 * Gives a the axes "A=2,B=3". The elements keep their order, row-major ('C') or column-major ('F').
 * One length may be left out. errors: AXES.
 */
AXT_API struct axt_expr *axt_reshape(struct axt_graph *g, struct axt_expr *a, const char *axes,
    char order);
/*
 * Concatenates n >= 1 tensors along one axis. They must have the same axes, in any order.
 * Coordinates of the other axes must agree, unless axt_graph_set_join says otherwise. Coordinates
 * along the axis must go on in one direction and have one unit, unless that axis is overridden. CF
 * times are converted to the units of the first tensor, whether they are coordinates, auxiliary
 * datasets or values.
 * dtypes  by promotion; converted values are i64 or f64. Stored values must be packed alike.
 * errors: AXES, COORD, DTYPE, LIMIT.
 */
AXT_API struct axt_expr *axt_concat(struct axt_graph *g, const char *axis, int n,
    struct axt_expr *const a[]);
/*
 * Stacks tensors along a new axis at position `at`. If each tensor has the coordinate of an axis
 * that was dropped by selecting one position, and that axis had the name of the new one, these
 * become the coordinates of the new axis.
 */
AXT_API struct axt_expr *axt_stack(struct axt_graph *g, const char *axis, int n,
    struct axt_expr *const a[], int at);

/*
 * Sets an attribute: "[AXIS:]NAME=TEXT" or "[AXIS:]NAME:=NUMBERS", and ":NAME=TEXT" for the file.
 * An empty TEXT removes it.
 * dtypes  of numbers: as axt-attr(1) tells; _FillValue and its like have that of a.
 * errors  SYNTAX, NAME, ARG (an axis without coordinates), DTYPE, RANGE (numbers that are compared
 *         with values and do not fit their dtype).
 */
AXT_API struct axt_expr *axt_set_attr(struct axt_graph *g, struct axt_expr *a, const char *spec);
/* Coordinates or the value of an attribute, in memory. */
struct axt_values {
	enum axt_dtype dtype; /* AUTO: the values are text */
	int64_t n;
	const void *data; /* n numbers in native byte order; for text n of const char * */
};
/*
 * Sets an attribute to values, which are copied. object: NULL for the tensor, "" for the file, else
 * the name of an axis. v NULL, or without values: the attribute is removed. Numbers keep their
 * dtype (in files bool is i8). _FillValue is set as by axt_set_fill.
 */
AXT_API struct axt_expr *axt_set_attr_values(struct axt_graph *g, struct axt_expr *a,
    const char *object, const char *name, const struct axt_values *v);
/*
 * axt_convert - values in other units, such as "degC", or the coordinates of an axis or an
 * auxiliary dataset called `coord` with their bounds; coord NULL: the values. UDUNITS is loaded for
 * it. CF times are converted in their calendar.
 * dtypes  floats keep theirs (computed in f64, rounded once); integers give f64.
 * errors  NAME (no units, no such axis), ARG (units that do not fit), NOSYS (no UDUNITS), AXES.
 */
AXT_API struct axt_expr *axt_convert(struct axt_graph *g, struct axt_expr *a, const char *units,
    const char *coord);
/*
 * Gives an axis coordinates, which are copied from memory and have no attributes at first. v NULL:
 * removes the coordinates, as axt_drop_coord does.
 * errors  SYNTAX, NAME, AXES (not one value for each index), DTYPE.
 */
AXT_API struct axt_expr *axt_set_coord_values(struct axt_graph *g, struct axt_expr *a,
    const char *axis, const struct axt_values *v);
/* Sets the name under which the tensor is written. errors: NAME, SYNTAX. */
AXT_API struct axt_expr *axt_set_name(struct axt_graph *g, struct axt_expr *a, const char *name);

/* ---- expressions as text ---- */

/*
 * axt_calc - builds expressions from text, as in axt-calc(1): "m = mean(a, over=time); sqrt((a -
 * m)^2)". names[i] stands for a[i], i < n. out gets the results of the last statement, at most max,
 * with the names that the text gives them. An operand that the text does not use gives a warning.
 * returns  the number of results; 0: failed.
 * errors   SYNTAX, with the position; LIMIT (more than 4000 values and operations); those of the
 *         functions that are called, with the position.
 */
AXT_API int axt_calc(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, struct axt_expr *out[], int max);

/* ---- descriptions of nodes; a failed node has AUTO, 0, NULL, -1 or false ---- */

/* The dtype of the values. */
AXT_API enum axt_dtype axt_expr_dtype(const struct axt_expr *e);
/* The number of axes. */
AXT_API int axt_expr_rank(const struct axt_expr *e);
/* The name of axis i with its stars; NULL if i is out of range. */
AXT_API const char *axt_expr_axis(const struct axt_expr *e, int i);
/* The length of axis i; -1 if i is out of range. */
AXT_API int64_t axt_expr_len(const struct axt_expr *e, int i);
/*
 * The name of the dataset that the tensor comes from, or that of axt_set_name; NULL if it has none.
 */
AXT_API const char *axt_expr_name(const struct axt_expr *e);
/* The coordinates along axis i, which belong to the graph. Returns false if it has none. */
AXT_API bool axt_expr_coord(const struct axt_expr *e, int i, struct axt_values *out);
/*
 * Gives the attribute of that name, whose values belong to the graph. object: NULL for the tensor,
 * "" for the file, else an axis as axt_expr_axis spells it. Attributes that say how values are
 * packed in a file are not found. Returns false if there is none.
 */
AXT_API bool axt_expr_attr(const struct axt_expr *e, const char *object, const char *name,
    struct axt_values *out);
/* The name of the i-th attribute; NULL after the last. */
AXT_API const char *axt_expr_attr_name(const struct axt_expr *e, const char *object, int i);
/*
 * A dataset that goes along with a tensor: bounds, a coordinate that is no axis, a grid mapping.
 * Its values are as they are stored. Text that is stored as single characters has none here.
 */
struct axt_auxiliary {
	const char *name;
	int rank;
	const char *axis[AXT_MAX_RANK]; /* [rank], as axt_expr_axis spells them */
	int64_t len[AXT_MAX_RANK];
	struct axt_values values; /* row-major */
};
/*
 * Gives the i-th auxiliary dataset, all of which belongs to the graph. axt_expr_attr gives its
 * attributes for its name as `object`, unless an axis has that name. Returns false after the last.
 */
AXT_API bool axt_expr_auxiliary(const struct axt_expr *e, int i, struct axt_auxiliary *out);

/* ---- running ---- */

/*
 * Evaluates e into memory of the caller, row-major and in native byte order. bytes must be the
 * number of elements times the size of the dtype.
 * errors  ARG, and those of a run: IO, DAMAGED, CHANGED, RANGE, DTYPE, LIMIT, NOSYS.
 */
AXT_API enum axt_code axt_eval(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes);

struct axt_save_opts {
	const char *output; /* FILE or FILE:DATASET; NULL or "-": standard output */
	/*
	 * A line that is put in front of the history that the output takes from the first operand
	 * and from streams; NULL: no line is added.
	 */
	const char *history;
	bool no_clobber; /* fail with EXISTS instead of replacing */
	bool force;      /* replace the file of an operand even if it holds other tensors */
	/*
	 * "deflate", "zstd" or "lz4". ":LEVEL" may follow the first two, from 1 to 9 (else it is 4)
	 * and from 1 to 22 (else 3). "none": nothing is compressed. NULL: only results that are
	 * copies of compressed tensors are compressed, in the way in which those are.
	 */
	const char *compress;
	/* what is done before: "byte" or "bit" shuffling, or "none"; NULL: byte */
	const char *shuffle;
	/*
	 * Values of f32 and f64 are rounded as netCDF does it: "3" to 3 significant digits,
	 * "bits:9" to 9 bits of their mantissa; NULL: they are not rounded.
	 */
	const char *quantize;
	/* chunk lengths, such as "time=1,lat=90"; NULL: none (with compress: chosen) */
	const char *chunk;
	/*
	 * Axes that are unlimited in the file, such as "time"; NULL: those that are unlimited in
	 * the files of the operands.
	 */
	const char *unlimited;
	/*
	 * For one result: lengths to allocate for some axes, such as "lat=96", greater than its
	 * own; and the order of its elements, 'C' or 'F'.
	 */
	const char *size;
	char layout;
	/*
	 * For one result: the expression is saved instead of its values, and also as a virtual
	 * dataset if HDF5 can describe it so. output must be the name of a file.
	 */
	bool expression;
	/*
	 * FILE or FILE:PATTERN: the text that it means, and datasets that belong to its tensors,
	 * are written, too, if the axes that they lie along have not been changed. Warnings tell
	 * what cannot be written. NULL: nothing else is written.
	 */
	const char *rest_of;
};
/*
 * Writes n >= 1 tensors to one file, atomically: after an error the old file is as it was. A pipe
 * gets the same bytes, in order. Values that were read and only moved are stored as in their file:
 * packed, and the missing ones as the number of _FillValue. If the name of the file tells a format
 * of axt_to, such as "b.npy", it is written in that format, unless options ask for what only HDF5
 * has.
 * errors  those of a run, EXISTS, NAME, SYNTAX, ARG, AXES, COORD (axes of one name must agree).
 */
AXT_API enum axt_code axt_save(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);

struct axt_to_opts {
	enum axt_format format;
	bool no_clobber;     /* fail with EXISTS instead of replacing */
	bool big_endian;     /* of raw files */
	bool matrix;         /* of csv: only values, a line for each row; for rank 0 to 2 */
	const char *history; /* of nc3: as in axt_save_opts */
	const char *rest_of; /* FILE or FILE:PATTERN, of which warnings tell what cannot be read */
};
/*
 * Writes tensors to a file of another format, atomically; file NULL or "-": to standard output, in
 * order. n is 1, unless the format is safetensors or nc3, or it is csv and the tensors have the
 * same axes. npy is version 1.0 and row-major, raw is little-endian, csv is as axt_print writes it,
 * pnm is P5 or P6, or P7 if neither can hold the tensor. No tensor is in memory as a whole, except,
 * within the bound of memory, those of a csv before the last one.
 * dtypes  npy: all but bf16; safetensors: all but c128; pnm: bool, u8, u16; nc3: no f16, bf16, c64,
 *         c128.
 * errors  those of a run, EXISTS, SYNTAX (no format), DTYPE, AXES, NAME, ARG, LIMIT.
 */
AXT_API enum axt_code axt_to(struct axt_graph *g, struct axt_expr *const e[], int n,
    const char *file, const struct axt_to_opts *o);
struct axt_assign_opts {
	const char *dataset; /* the dataset if the target names none; may be NULL */
	bool in_place;       /* change the file itself, instead of a copy that replaces it */
	bool raw;            /* store e as it is, without packing and missing values */
	bool make;           /* make the target of "=" if it does not exist and is no slice */
	bool no_clobber;     /* fail with EXISTS if the target exists */
	const char *history; /* of files that are made: as in axt_save_opts */
};
struct axt_append_opts {
	const char *along; /* the axis; NULL: the one that is unlimited in the file */
	const struct axt_open_opts *open; /* how the tensors of the file are opened; NULL */
	bool sync; /* the records are on the disk when this returns, and before they are shown */
};
/*
 * axt_append - adds records to a file. Each operand is appended, along the one unlimited axis, to
 * the tensor of the file that has its name. All tensors along that axis must get their records
 * together; the file changes as a whole or not at all. Everything else in the file stays.
 * shapes, dtypes  as axt_concat of the tensor and what is appended to it, whose result must be
 *                 stored in the dtype in which the tensor is stored.
 * errors  those of axt_concat and of a run, NAME (no tensor of that name; a tensor along the axis
 *         gets no records), AXES (no axis is unlimited, or several are), DTYPE, IO, CHANGED.
 */
AXT_API enum axt_code axt_append(struct axt_graph *g, const char *file, struct axt_expr *const a[],
    int n, const struct axt_append_opts *o);
/*
 * An assignment of e to target by op. target: a tensor that exists, FILE, FILE:DATASET, or a slice
 * FILE:DATASET[AXIS=SPEC,...] (axt-assign(1)); NULL: a result without a target. op: "set" add sub
 * mul div, or = += -= *= /=.
 */
struct axt_assignment {
	const char *target, *op;
	struct axt_expr *e;
};
/*
 * axt_assign_all - makes n assignments in one run. All expressions see old values, also where they
 * read a target, and all are computed and written to copies before the first copy replaces its
 * file; assignments to one file share a copy. Slices of one tensor must not overlap.
 * shapes  the axes of e are among those of the slice, in any order; e is broadcast over the others.
 * dtypes  values are converted to the dtype of the target, and packed if it is packed. add and the
 *         like are computed as by axt_map2.
 * errors  those of a run, SYNTAX, NAME, AXES, COORD, ARG (the target is a number, a stream or a
 *         constant; a position is out of range, occurs twice or is assigned to twice), RANGE, IO,
 *         CHANGED, EXISTS, and for new files those of axt_save. After an error the files are as
 *         they were, unless one was being changed in place (IO), or it happened in the last step,
 *         in which the files are renamed one after another; then the hint tells which have new
 *         values.
 */
AXT_API enum axt_code axt_assign_all(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o);
/*
 * axt_split - writes one file for each index of an axis, as axt_save does. A file has that part of
 * each of the n tensors, without the axis, whose coordinate stays as a dataset of rank 0; tensors
 * that lack the axis are in each file as they are. If axis is AXIS.FIELD, such as time.year, there
 * is a file for each value of that field of the dates, and the axis stays. In the pattern, such as
 * "tas_{}.nc", {} is replaced by the index, zero-padded to equal width, and {@} by the coordinate
 * as axt_print shows it. The output of o is ignored. Each file is written atomically, one after
 * another; with no_clobber, a file that exists is an error before the first is written.
 * cost    each tensor is computed once. If it has more than 64 MiB, or than a quarter of the
 *         memory, it is kept in $TMPDIR meanwhile, unless it is elementwise and its parts follow
 *         each other in files.
 * errors  those of axt_save and axt_slice, SYNTAX (no braces), ARG (a file occurs twice, or is an
 *         operand; n is 0), COORD (no coordinates), AXES and COORD (the axis is not the same in
 *         all).
 */
AXT_API enum axt_code axt_split(struct axt_graph *g, struct axt_expr *const a[], int n,
    const char *axis, const char *pattern, const struct axt_save_opts *o);

struct axt_print_opts {
	FILE *out;     /* NULL: standard output */
	bool terminal; /* leave out the middle of a long tensor, and say so */
	bool csv;
	bool no_index; /* csv: axes without coordinates have no columns */
	int64_t head;  /* how many values are printed; 0: all; negative: none */
	/* a printf format for one value; NULL: as few digits as read back to the same value */
	const char *format;
	bool columns; /* tensors with the same axes are columns of one table, aligned by blanks */
	/*
	 * Operands that are text along one axis of the tensors, ntexts of them. They become columns
	 * of the tables, before the tensors. `open` says how they are opened, and may be NULL.
	 */
	const char *const *texts;
	int ntexts;
	const struct axt_open_opts *open;
	bool unpack; /* packed results as what they mean, as whoever reads their file finds it */
};
/*
 * Prints n tensors as text, as in axt-print(1).
 * errors  those of a run, SYNTAX (format), IO; for texts those of axt_open, DTYPE (an operand is no
 *         text), AXES and COORD (its axis is not one of the tensors).
 */
AXT_API enum axt_code axt_print(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_print_opts *o);
/*
 * Prints the plans of n tensors as text: axes, dtype, bytes read and written, passes, memory. No
 * data are read.
 */
AXT_API enum axt_code axt_explain(struct axt_graph *g, struct axt_expr *const e[], int n,
    FILE *out);

struct axt_equal_opts {
	double rtol, atol; /* values are equal if |a - b| <= atol + rtol |b| */
	/*
	 * Values are equal if they differ by at most so many units in the last place; 0: this is
	 * not looked at.
	 */
	int64_t ulp;
	bool nan_differ;   /* NaN differs from NaN */
	bool strict_order; /* axes in another order make a difference */
	bool attributes;   /* attributes are compared, and whether axes have coordinates */
	const char *what;  /* a name that begins each line about differences; NULL: none */
};
/*
 * Compares two tensors. Their axes are paired by name.
 * returns  0 equal, 1 different (with a line on out, if that is not NULL), -1 failed.
 * errors   those of a run, DTYPE.
 */
AXT_API int axt_equal(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_equal_opts *o, FILE *out);

/* ---- files ---- */

/* BRIEF: a line for each tensor; NAMES: their names alone. */
enum axt_info_form { AXT_INFO_TEXT, AXT_INFO_JSON, AXT_INFO_CDL, AXT_INFO_BRIEF, AXT_INFO_NAMES };
struct axt_info_opts {
	enum axt_info_form form;
	bool stats; /* shows count, missing values, min, max and mean of each tensor */
	/* BRIEF, NAMES: names begin with "FILE:", as of several files */
	bool file_names;
	/* TEXT: attributes of the file are cut to lines of so many columns; 0: they are whole */
	int width;
	/* how tensors are opened to compute stats, and to tell what they are computed from */
	struct axt_open_opts open;
};
/*
 * Describes FILE, FILE:DATASET or FILE:/GROUP/, as axt-info(1) does.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE; with stats those of a run.
 */
AXT_API enum axt_code axt_info(struct axt_graph *g, const char *operand,
    const struct axt_info_opts *o, FILE *out);
/* Names of the tensors of a file, NULL-terminated; NULL on failure. errors: IO, FORMAT, DAMAGED. */
AXT_API const char *const *axt_tensors(struct axt_graph *g, const char *file);
/*
 * axt_set_kind - sets what the tensor FILE:DATASET is for, in its attribute axt_kind: "constant",
 * "placeholder", "persistent", "variable", or "none". A changed copy replaces the file.
 * errors  SYNTAX (no such kind), IO, FORMAT, DAMAGED, NAME, AMBIG, DTYPE.
 * source  Intel nGraph, tensors: constant, persistent, trainable, input.
 */
AXT_API enum axt_code axt_set_kind(struct axt_graph *g, const char *kind, const char *operand);

#ifdef __cplusplus
}
#endif
#endif
