/*
 * kern.h - the kernels, called by way of tables. They are plain C, compiled once per dtype and
 * instruction set (ISA); the ISA is picked when a program starts.
 * A kernel gets n contiguous elements (at any byte address) or one scalar. Buffers never overlap,
 * but out may be in[0] where both have the same element size. Kernels know nothing of strides,
 * threads and files. Every kernel gives the same bits on every ISA.
 */
#ifndef AXT_KERN_KERN_H
#define AXT_KERN_KERN_H

#include "dtype/dtype.h"

/*
 * Picks the instruction set: the best that the processor has, or the one that AXT_ISA names. Fails
 * with AXT_E_NOSYS if the processor lacks that set, or there is none of that name. Thread-safe;
 * later calls return what the first one did.
 */
int axt_kern_init(struct axt_err *e);
static inline const char *axt_kern_isa(void);

/*
 * An elementwise kernel. in[k] has n elements or, if scalar[k], one. If *bad is -1, it gets the
 * index of the first element that is refused (division of an integer by zero). If none is refused
 * but an integer result did not fit, it gets AXT_KERN_WRAPPED. bad is never NULL.
 */
#define AXT_KERN_WRAPPED (-2)
typedef void axt_map_fn(void *out, const void *const in[], const bool scalar[], int64_t n,
    int64_t *bad);

/* The dtypes of an operation whose arguments have already been promoted to one dtype. */
struct axt_op_types {
	enum axt_dtype comp; /* arguments are converted to this first */
	enum axt_dtype kout; /* what the kernel writes */
	enum axt_dtype res;  /* what the node has: kout is converted to it */
};
/* One row of ops.def as data. */
struct axt_op_info {
	const char *name;  /* "add"; the command is axt-add when arity is 2 and not internal */
	const char *alias; /* "abs" or NULL */
	int arity;         /* 1..3 */
	bool nary;         /* takes any number of operands, folded from left to right */
	bool commutes;     /* operands may be swapped */
	bool quantity;     /* the result keeps the attributes of the first operand */
	bool same_units;   /* operands should have one unit: a warning when not */
	bool compare;      /* comparison or logic: bool result */
	bool internal;     /* has no command of its own: other functions build it */
	bool difference;   /* of two times: a duration */
	const char *line;  /* one line of documentation */
	double ulp;        /* allowed error against the exact value, which tests check */
};
extern const struct axt_op_info axt_ops[AXT_NOPS];
/* The operation of that name or alias, or -1. */
int axt_op_find(const char *name);
/* Returns false when the operation is not defined for t, the promoted dtype of its arguments. */
bool axt_op_types(enum axt_op op, enum axt_dtype t, struct axt_op_types *out);
/* NULL when the operation has no kernel for that dtype. */
static inline axt_map_fn *axt_kern_map(enum axt_op op, enum axt_dtype comp);

/*
 * Converts n elements. *bad is set as by axt_map_fn; AXT_OVERFLOW_ERROR refuses NaN and values out
 * of an integer's range. There is a kernel for every pair of dtypes: from complex to real takes the
 * real part, to bool gives whether the value is not 0.
 */
typedef void axt_conv_fn(void *out, const void *in, int64_t n, int64_t *bad);
static inline axt_conv_fn *axt_kern_conv(enum axt_dtype to, enum axt_dtype from,
    enum axt_overflow mode);

/*
 * Unpacks integers of up to 16 bits to f32 or f64 in one pass. p is { scale, offset, missing,
 * missing }, where NaN stands for no missing value. The bits are those of conversion, MASK and
 * UNPACK one after another. axt_kern_unpack gives NULL if there is no such kernel.
 */
typedef void axt_unpack_fn(void *out, const void *in, const double p[4], int64_t n);
static inline axt_unpack_fn *axt_kern_unpack(enum axt_dtype to, enum axt_dtype from);

/*
 * Equal bins with edges lo + i * step, rounded to f32 if f32 is set, of which elements in [least,
 * greatest] are in one: in the last one, `last`, if no edge behind it is greater.
 */
struct axt_bins {
	double lo, step, least, greatest;
	int32_t last;
	bool f32;
};
/*
 * The bin of each of n elements, f64 if `wide`, else f32; -1: none, as for NaN. The edges have to
 * rise, and 1 / step to be a normal number.
 */
static inline void axt_kern_bins(int32_t *out, const void *in, bool wide, const struct axt_bins *b,
    int64_t n);

/* Reverses the bytes of n items of the given size (2, 4, 8), in place. */
static inline void axt_kern_swap(void *p, int64_t n, int size);
/* A NaN's sign and payload depend on how it arose: gives all NaN of n values the same bits. */
static inline void axt_kern_one_nan(double *x, int64_t n);
/*
 * Whether any of n integers of eight bytes, signed or unsigned, has more digits than f64 holds,
 * except those that equal one of apart[0..napart). napart is at least 1.
 */
static inline bool axt_kern_rounds(const void *in, int64_t n, bool sign, const uint64_t *apart,
    int napart);
/*
 * Sets out[i*o0 + j] = in[i*s0 + j*s1] for i < n0 and j < n1. Elements have a size of 1, 2, 4, 8 or
 * 16 bytes; strides count elements, and may be negative or zero. s0 == 1 is a blocked transpose,
 * s1 == 1 copies rows, s1 == 0 fills them.
 */
static inline void axt_kern_gather2(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1,
    int64_t s0, int64_t s1, int size);

/*
 * Sets out[i*o + j] = in[p*s0 + j*s1], where p = at[i*o + j], for i < n and j < m; if p is
 * negative, the element is *fill, unless fill is NULL. If *bad is -1, it gets the first index
 * i*o + j whose p is refused: one of at least len, or a negative one without a fill. Sizes are
 * those of gather2.
 */
static inline void axt_kern_take(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m,
    const void *in, int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);

/* iota: values start + (i0 + k*step) * inc, in dtype d; integers wrap. */
static inline void axt_kern_iota(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    double start, double inc);
/*
 * Makes n random numbers by Philox4x32-10, which counts: value k depends on seed and i0 + k*step
 * only. They are uniform in [lo, hi] (integers: both ends included; floats: lo + (hi-lo)*u, with 24
 * or 53 bits of u in [0,1)), or normal, with mean lo and deviation hi (Box-Muller in f64, by
 * functions of SLEEF). Both parts of a complex number are random.
 */
static inline void axt_kern_random(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    uint64_t seed, bool normal, double lo, double hi);

/*
 * Reductions. A state is one entry in each of `planes` planes of 8 bytes (double or int64). The
 * order of work is fixed, and documented in axt-axes(7), Order of work: a run of consecutive
 * reduced elements is cut into blocks of AXT_BLOCK from its start; in a block element i adds to
 * lane i mod 16, and lanes are added pairwise (8+8, 4+4, 2+2, 1+1); blocks, or single elements
 * where the innermost axis is kept, are merged one after another (sums with Neumaier compensation).
 */
#define AXT_BLOCK 1024
#define AXT_BESIDE 8 /* blocks that are split by group together */
struct axt_acc {
	void *p[4];
};
struct axt_red_fns {
	int planes;
	enum axt_dtype in;  /* f32, f64, i64 or u64: the caller converts to it */
	enum axt_dtype out; /* f64, i64, u64 or bool: the caller converts from it */
	/* Sets entries [k, k+n) to the identity. */
	void (*init)(struct axt_acc *a, int64_t k, int64_t n);
	/* Sets entry k to the state of one block, 1 <= n <= AXT_BLOCK. w: weights
	 * (f64), or NULL. index: the flattened position of x[0] among the reduced
	 * axes (for argmin, argmax). */
	void (*block)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t n,
	    int64_t index);
	/*
	 * Sets entries [k, k + m) to the states of m blocks that lie side by side: element i of
	 * block j is x[i*ld + j], and its weight w[i*m + j]. The bits are those of `block`. NULL
	 * for reductions whose bits do not depend on the order: these use init and rows.
	 */
	void (*blocks)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t n,
	    int64_t m, int64_t ld);
	/* Merges entries [j, j + n) of b into entries [k, k + n) of a. */
	void (*merge)(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n);
	/*
	 * Merges each element of `rows` rows as a block of its own: element i of row r, x[r*ld + i]
	 * with weight w[r*n + i], into entry k + i. The position of row r among the reduced
	 * elements is index + r*step.
	 */
	void (*rows)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t rows,
	    int64_t n, int64_t ld, int64_t index, int64_t step);
	/* Makes entries [k, k+n) n values of dtype out. count: product of the reduced lengths. */
	void (*finish)(void *out, const struct axt_acc *a, int64_t k, int64_t n, int64_t count,
	    double ddof);
	/*
	 * Merges n elements, each as a block of its own: for i in [0, n), with q = which[i], x[q]
	 * of weight w[q] into entry k + group[q] * step. NULL: the reduction has no such kernel,
	 * and `rows` has to be used.
	 */
	void (*each)(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group,
	    const int32_t *which, const void *x, const double *w, int64_t n);
	/*
	 * Sets entries [k, k + rows*cols) to the states of blocks that overlap: element i of block
	 * (r, j), which entry k + r*cols + j is of, is x[(r + i)*ld + j]; 1 < n <= AXT_BLOCK. What
	 * several blocks have in common is added once. The bits are those of `block`. There must be
	 * axt_windows_rows rows at most, and `room` has AXT_WINDOWS_ROOM bytes. NULL: none.
	 */
	void (*windows)(struct axt_acc *a, int64_t k, const void *x, int64_t n, int64_t rows,
	    int64_t cols, int64_t ld, void *room);
};
#define AXT_WINDOWS_PART 4096 /* elements of a part of the room */
#define AXT_WINDOWS_ROOM (4 * AXT_WINDOWS_PART * 8)
#define AXT_LANES 16 /* partial sums of a block */
/* Whether states can be merged in any order, with the same bits. */
static inline bool
axt_red_any_order(const struct axt_red_fns *f)
{
	return !f->blocks;
}
/* How many rows of elements of windows reach below the last of them. */
static inline int64_t
axt_windows_below(const struct axt_red_fns *f, int64_t n)
{
	return (axt_red_any_order(f) ? n : AXT_LANES) - 1;
}
/* How many rows of `cols` windows of n elements f->windows takes at a time; 0: none. */
static inline int64_t
axt_windows_rows(const struct axt_red_fns *f, int64_t n, int64_t cols)
{
	bool any = axt_red_any_order(f);

	/* shorter ones are faster one by one */
	if (!f->windows || n <= (any ? 12 : AXT_LANES) || n > AXT_BLOCK)
		return 0;
	return MAX(0, (any ? 2 : 1) * AXT_WINDOWS_PART / cols - axt_windows_below(f, n));
}
/* The dtype of a reduction's result: reds.def says what each means. */
enum axt_red_result {
	AXT_RESULT_FLOAT,
	AXT_RESULT_SAME,
	AXT_RESULT_SPAN,
	AXT_RESULT_SUM,
	AXT_RESULT_COUNT,
	AXT_RESULT_TRUTH
};
struct axt_red_info {
	const char *name; /* "mean" */
	enum axt_red_result result;
	const char *cf;  /* CF cell method: "mean", "standard_deviation"; NULL: none */
	bool quantity;   /* the result keeps attributes, units too */
	bool difference; /* of times: a duration */
	bool weighted;   /* takes --weights */
	bool ddof;
	bool empty_ok; /* defined for no elements at all */
	const char *line;
};
extern const struct axt_red_info axt_reds[AXT_NREDS];
/*
 * The functions that reduce a tensor of dtype t, or NULL if there are none. Complex numbers are
 * reduced by init, rows and merge only, as two columns, their real and their imaginary parts. skip:
 * NaN are left out. *res gets the dtype of the result without --dtype: the sum of f32 is f32, that
 * of i16 is i64, the mean of i32 is f64, any is bool.
 */
const struct axt_red_fns *axt_kern_red(enum axt_red op, enum axt_dtype t, bool skip, bool weighted,
    enum axt_dtype *res);

/* In states.c. */
/* Allocates planes of fns for n states, which axt_acc_release frees. */
int axt_acc_init(struct axt_acc *a, const struct axt_red_fns *fns, int64_t n, struct axt_err *e);
void axt_acc_release(struct axt_acc *a);
/* What states are of. */
struct axt_states_of {
	enum axt_red op;
	enum axt_dtype dtype; /* of what is reduced */
	bool skip, weighted;
	double ddof;
	int64_t kept, count; /* results, and the elements that each is made of */
};
/* The most numbers of a record. */
#define AXT_STATE_NUMBERS (1 + ARRAY_LEN(((struct axt_acc *)NULL)->p))

/*
 * Makes n results, of `size` bytes each, of the states from k on, each of which has `count`
 * elements. conv converts them from the dtype f->out; NULL: they keep that dtype. Returns -1, or
 * the number of a result that does not fit its dtype, counted from the beginning of the strip that
 * it is converted in.
 */
int64_t axt_states_finish(const struct axt_red_fns *f, axt_conv_fn *conv, const struct axt_acc *acc,
    int64_t k, int64_t n, int64_t count, double ddof, int size, uint8_t *out);

/*
 * Does an elementwise program and an unweighted sum or mean of its values in one pass over the
 * operands x[0] and x[1] (the same one if the program has one operand), without storing the values.
 * The bits are those of the program and the reduction one after the other. rows and block are as in
 * axt_red_fns; rows of operand i are ld[i] elements apart; block may be NULL. p is as in
 * axt_unpack_fn.
 */
struct axt_fused_fns {
	void (*rows)(struct axt_acc *a, int64_t k, const void *const x[2], const int64_t ld[2],
	    const double p[4], int64_t rows, int64_t n);
	void (*block)(struct axt_acc *a, int64_t k, const void *const x[2], int64_t n);
	/*
	 * Sets entries [k, k + m) to the states of m >= AXT_ACROSS blocks that lie side by side,
	 * where the second operand is the same for all: element i of block j is made of
	 * x[at[i] + j] and y[i]. NULL: none.
	 */
	void (*sides)(struct axt_acc *a, int64_t k, const void *x, const int64_t *at, const void *y,
	    int64_t n, int64_t m);
};
/*
 * The functions for UNPACK of integers and the reduction red. NULL unless f64 holds every sum of
 * `count` unpacked values exactly: then no rounding needs compensation.
 */
const struct axt_fused_fns *axt_kern_fused_unpack(enum axt_red red, enum axt_dtype to,
    enum axt_dtype from, bool skip, const double p[4], int64_t count);
/* The operation op, then the operation `then` on its result (AXT_NOPS: none), in dtype t. */
const struct axt_fused_fns *axt_kern_fused_map(enum axt_red red, enum axt_dtype t, bool skip,
    enum axt_op op, enum axt_op then);

/*
 * Products of matrices. The left matrix is packed in panels of mr rows, the right one in panels of
 * nr columns; a panel has k times mr or nr elements, and is padded with zeros. multiply sets
 * c[i*ldc + j], for i < m and j < n, to the sum over l < k of left (i, l) times right (l, j); with
 * `add` it adds the sum instead. The bits depend only on how k is cut. axt_kern_gemm gives NULL
 * unless t is f32, f64, complex, i64 or u64.
 *
 * across computes the products of `lanes` pairs of small matrices, with the bits of multiply; lanes
 * is a multiple of AXT_ACROSS. The matrices are interleaved: element e of matrix b is at e * lanes
 * + b. Element (i, l) of the left is its element number i * k + l if k_last[0], else l * m + i; (l,
 * j) of the right is number j * k + l if k_last[1], else l * n + j; (i, j) of c is number i * n +
 * j.
 */
#define AXT_ACROSS 16
struct axt_gemm_fns {
	int mr, nr;
	void (*multiply)(void *c, int64_t ldc, const void *left, const void *right, int64_t m,
	    int64_t n, int64_t k, bool add);
	void (*across)(void *c, const void *left, const void *right, int64_t m, int64_t n,
	    int64_t k, const bool k_last[2], int64_t lanes);
};
static inline const struct axt_gemm_fns *axt_kern_gemm(enum axt_dtype t);

/* Which quantile; method: an enum axt_quantile. */
struct axt_quantile_of {
	double q;
	int method;
};

/*
 * Functions for lines: each line has n elements, es apart, and the next line starts ls further; es
 * or ls is 1. Values are ordered as numbers, NaN last. room gives how many bytes of scratch the
 * argument `room` of the others must have. bits: the bits of a key, which are those of an element.
 */
typedef void axt_scan_fn(void *out, const void *x, void *acc, int64_t n, int64_t lines, int64_t es,
    int64_t ls);
#define AXT_COUNT_BITS 16
#define AXT_COUNT_MASK ((1 << AXT_COUNT_BITS) - 1)
#define AXT_SORT_RAW 1 /* elements are values, not keys */
#define AXT_SORT_DOWN 2
#define AXT_SORT_INDEX 4
struct axt_line_fns {
	int bits;
	int64_t (*room)(int64_t n, int64_t es, bool index);
	/*
	 * Gives the values of each line in order, or with `index` their positions (i64; of equal
	 * values the first comes first), laid out as x is. down: the greatest comes first, NaN
	 * still last.
	 */
	void (*sort)(void *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
	    bool down, bool index, void *room);
	/*
	 * The passes of a radix sort, least significant digit first, by which several threads sort
	 * one line. `digits` counts n keys, es apart, by the digit of `digit` bits that begins at
	 * bit `shift`; `deal` moves keys and their positions to the next free index for their
	 * digit; `values` turns sorted keys into the result. how has bits AXT_SORT_*. x has keys,
	 * whose positions are in `from`; or, with AXT_SORT_RAW, values, whose positions count up
	 * from `first`.
	 */
	int digit;
	void (*digits)(int64_t *count, const void *x, int64_t n, int64_t es, int shift, int how);
	void (*deal)(void *to, int64_t *at, const void *x, const int64_t *from, int64_t first,
	    int64_t n, int64_t es, int shift, int64_t *next, int how);
	void (*values)(void *out, const void *x, const int64_t *at, int64_t first, int64_t n,
	    int64_t es, int64_t out_es, int how);
	/* Quantiles q[0], q[1], ... of each line. skip: NaN are left out. Not for f16 and bf16. */
	void (*quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es,
	    int64_t ls, const struct axt_quantile_of *q, int nq, bool skip, void *room);
	/*
	 * Counts keys by the AXT_COUNT_BITS bits that begin at bit `shift`. There are m parts of
	 * hist: the k-th counts the keys whose higher bits, if any, are prefix[k]. The key of NaN
	 * has all bits set.
	 */
	void (*count)(uint32_t *hist, const void *x, int64_t n, int shift, const uint64_t *prefix,
	    int m);
	double (*value)(uint64_t key);
	/*
	 * Gives the scan for sum, prod, min or max, or NULL unless the dtype is f32, f64, i64 or
	 * u64. The scan's argument acc has a double or a 64-bit integer for each line, which begin
	 * sets. full: the result has the dtype of acc. es may be negative.
	 */
	axt_scan_fn *(*scan)(enum axt_red op, bool full);
	void (*begin)(enum axt_red op, void *acc, int64_t n);
};
/* NULL for complex dtypes. */
static inline const struct axt_line_fns *axt_kern_lines(enum axt_dtype t);
/* Median and quantile: reductions that need whole lines and have no states. */
bool axt_red_selects(enum axt_red op);
/*
 * The quantile of n sorted values lies *t of the way from the index returned to the next one, if
 * there is one.
 */
int64_t axt_quantile_at(const struct axt_quantile_of *q, int64_t n, double *t);
double axt_quantile_mix(double a, double b, double t);

/*
 * All kernels of one instruction set. i_table.c fills such a table for each set; kern.c picks one,
 * which axt_kern gives and the functions above call.
 */
struct axt_kern_isa {
	const char *name;
	axt_map_fn *(*map[AXT_NDTYPES])(enum axt_op op);
	axt_conv_fn *(*conv[AXT_NDTYPES])(enum axt_dtype to, enum axt_overflow mode);
	axt_unpack_fn *(*unpack[AXT_NDTYPES])(enum axt_dtype to);
	const struct axt_fused_fns *(*fused_unpack[AXT_NDTYPES])(enum axt_dtype to, bool skip,
	    const double p[4], int64_t count);
	const struct axt_fused_fns *(
	    *fused[AXT_NDTYPES])(enum axt_op op, enum axt_op then, bool skip);
	const struct axt_red_fns *(*sums[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(*folds[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(
	    *moments[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(
	    *extremes[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_gemm_fns *(*gemm[AXT_NDTYPES])(void);
	const struct axt_line_fns *(*lines[AXT_NDTYPES])(void);
	void (*bins)(int32_t *out, const void *in, bool wide, const struct axt_bins *b, int64_t n);
	void (*swap)(void *p, int64_t n, int size);
	void (*one_nan)(double *x, int64_t n);
	bool (*rounds)(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart);
	void (*gather2)(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
	    int64_t s1, int size);
	void (*take)(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
	    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);
	void (*iota)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
	    double inc);
	void (*random)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
	    uint64_t seed, bool normal, double lo, double hi);
};
/* NULL where axt_kern_init fails. */
const struct axt_kern_isa *axt_kern(void);

static inline const char *
axt_kern_isa(void)
{
	return axt_kern() ? axt_kern()->name : "none";
}

static inline axt_map_fn *
axt_kern_map(enum axt_op op, enum axt_dtype comp)
{
	return axt_kern()->map[comp](op);
}

static inline axt_conv_fn *
axt_kern_conv(enum axt_dtype to, enum axt_dtype from, enum axt_overflow mode)
{
	return axt_kern()->conv[from](to, mode);
}

static inline axt_unpack_fn *
axt_kern_unpack(enum axt_dtype to, enum axt_dtype from)
{
	return axt_kern()->unpack[from](to);
}

static inline void
axt_kern_bins(int32_t *out, const void *in, bool wide, const struct axt_bins *b, int64_t n)
{
	axt_kern()->bins(out, in, wide, b, n);
}

static inline void
axt_kern_swap(void *p, int64_t n, int size)
{
	axt_kern()->swap(p, n, size);
}

static inline void
axt_kern_one_nan(double *x, int64_t n)
{
	axt_kern()->one_nan(x, n);
}

static inline bool
axt_kern_rounds(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart)
{
	return axt_kern()->rounds(in, n, sign, apart, napart);
}

static inline void
axt_kern_gather2(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
    int64_t s1, int size)
{
	axt_kern()->gather2(out, o0, in, n0, n1, s0, s1, size);
}

static inline void
axt_kern_take(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad)
{
	axt_kern()->take(out, o, at, n, m, in, s0, s1, len, size, fill, bad);
}

static inline void
axt_kern_iota(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
    double inc)
{
	axt_kern()->iota(out, d, i0, step, n, start, inc);
}

static inline void
axt_kern_random(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, uint64_t seed,
    bool normal, double lo, double hi)
{
	axt_kern()->random(out, d, i0, step, n, seed, normal, lo, hi);
}

static inline const struct axt_gemm_fns *
axt_kern_gemm(enum axt_dtype t)
{
	return axt_kern()->gemm[t]();
}

static inline const struct axt_line_fns *
axt_kern_lines(enum axt_dtype t)
{
	return axt_kern()->lines[t]();
}

#endif
