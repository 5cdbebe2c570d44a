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
 * Picks the ISA: the best the processor has, or the one AXT_ISA names. AXT_E_NOSYS when the
 * processor lacks it, or AXT_ISA names none. Thread-safe; later calls return the same.
 */
int axt_kern_init(struct axt_err *e);
static inline const char *axt_kern_isa(void);

/*
 * Elementwise. in[k] has n elements, or one where scalar[k]. *bad, when it is -1 before, gets the
 * index of the first element refused (integer division by zero). If none is refused, but an
 * integer result did not fit, it gets AXT_KERN_WRAPPED. bad is never NULL.
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
 * Converts n elements; *bad as above (AXT_OVERFLOW_ERROR refuses NaN and values out of range of an
 * integer). There is one for every pair: complex to real takes the real part, to bool is != 0.
 */
typedef void axt_conv_fn(void *out, const void *in, int64_t n, int64_t *bad);
static inline axt_conv_fn *axt_kern_conv(enum axt_dtype to, enum axt_dtype from,
    enum axt_overflow mode);

/*
 * Packed integers of up to 16 bits to f32 or f64 in one pass: p is { scale, offset, missing,
 * missing }, where NaN stands for no missing value. The bits are the same as of conversion, MASK
 * and UNPACK in turn. NULL when there is no such kernel.
 */
typedef void axt_unpack_fn(void *out, const void *in, const double p[4], int64_t n);
static inline axt_unpack_fn *axt_kern_unpack(enum axt_dtype to, enum axt_dtype from);

/* Reverses the bytes of n items of the given size (2, 4, 8), in place. */
static inline void axt_kern_swap(void *p, int64_t n, int size);
/* A NaN's sign and payload depend on how it arose: gives all NaN of n values the same bits. */
static inline void axt_kern_one_nan(double *x, int64_t n);
/*
 * Whether one of n integers of eight bytes, with a sign or without, has more digits than f64 holds.
 * The napart > 0 integers apart[] are not looked at.
 */
static inline bool axt_kern_rounds(const void *in, int64_t n, bool sign, const uint64_t *apart,
    int napart);
/*
 * out[i*o0 + j] = in[i*s0 + j*s1], elements of size 1, 2, 4, 8 or 16 bytes, strides in elements,
 * any sign or zero. Blocked for s0 == 1 (a transpose), memcpy for s1 == 1, fill for s1 == 0.
 */
static inline void axt_kern_gather2(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1,
    int64_t s0, int64_t s1, int size);

/*
 * out[i*o + j] = in[p*s0 + j*s1], where p = at[i*o + j], i < n and j < m; where p is negative,
 * *fill (unless fill is NULL). *bad, when it is -1 before, gets the first index i*o + j whose p is
 * not below len, or is negative without a fill. Sizes are as for gather2.
 */
static inline void axt_kern_take(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m,
    const void *in, int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);

/* iota: values start + (i0 + k*step) * inc, in dtype d; integers wrap. */
static inline void axt_kern_iota(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    double start, double inc);
/*
 * Philox4x32-10, counter-based: value k depends on (seed, i0 + k*step) only. Uniform in [lo, hi]
 * (integers: both ends in; floats: lo + (hi-lo)*u, u in [0,1) with 24 or 53 bits), or normal (lo is
 * mu, hi is sigma; Box-Muller in f64, by functions of SLEEF). Of a complex value both parts.
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
	 * Sets entries [k, k + m) to the states of m blocks side by side, with the same bits as
	 * block: element i of block j is x[i*ld + j], its weight w[i*m + j]. NULL where any order
	 * gives the same bits: then init and rows do.
	 */
	void (*blocks)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t n,
	    int64_t m, int64_t ld);
	/* Merges entries [j, j + n) of b into entries [k, k + n) of a. */
	void (*merge)(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n);
	/*
	 * For r in [0, rows): merges x[r*ld + i] (weight w[r*n + i]) into entry k + i, as a block
	 * of one element; the position of row r is index + r*step.
	 */
	void (*rows)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t rows,
	    int64_t n, int64_t ld, int64_t index, int64_t step);
	/* Makes entries [k, k+n) n values of dtype out. count: product of the reduced lengths. */
	void (*finish)(void *out, const struct axt_acc *a, int64_t k, int64_t n, int64_t count,
	    double ddof);
	/*
	 * For i in [0, n), q = which[i]: merges x[q] (weight w[q]) into entry k + group[q] * step,
	 * each element as a block of its own. NULL: there is none, and rows does the same.
	 */
	void (*each)(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group,
	    const int32_t *which, const void *x, const double *w, int64_t n);
};
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
 * The functions that reduce a tensor of dtype t, or NULL. Complex numbers are reduced by init, rows
 * and merge only, their parts as columns beside each other. skip: NaN are left out. *res: the dtype
 * when --dtype is not given (sum of f32 is f32, of i16 i64, mean of i32 f64, any bool...).
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
 * Makes n results, of `size` bytes each, of states k and following, each of which has `count`
 * elements. conv: from the dtype of f->out; NULL: they stay. Returns -1, or the number of a result
 * that does not fit, among those that were converted with it.
 */
int64_t axt_states_finish(const struct axt_red_fns *f, axt_conv_fn *conv, const struct axt_acc *acc,
    int64_t k, int64_t n, int64_t count, double ddof, int size, uint8_t *out);

/*
 * An elementwise program and an unweighted sum or mean in one pass over its operands x[0] and x[1]
 * (the same one if it has only one): what the program computes is never stored. The bits are the
 * same as of both one after the other. rows and block are as in axt_red_fns; rows of operand i are
 * ld[i] elements apart; block is NULL where there is none. p is as in axt_unpack_fn.
 */
struct axt_fused_fns {
	void (*rows)(struct axt_acc *a, int64_t k, const void *const x[2], const int64_t ld[2],
	    const double p[4], int64_t rows, int64_t n);
	void (*block)(struct axt_acc *a, int64_t k, const void *const x[2], int64_t n);
};
/*
 * UNPACK of integers, then red. There are functions only where f64 holds every sum of `count` such
 * values exactly, so that no rounding needs compensation; else NULL.
 */
const struct axt_fused_fns *axt_kern_fused_unpack(enum axt_red red, enum axt_dtype to,
    enum axt_dtype from, bool skip, const double p[4], int64_t count);
/* The operation op, then the operation `then` on its result (AXT_NOPS: none), in dtype t. */
const struct axt_fused_fns *axt_kern_fused_map(enum axt_red red, enum axt_dtype t, bool skip,
    enum axt_op op, enum axt_op then);

/*
 * Products of matrices. The left is packed in panels of mr rows, the right in panels of nr columns,
 * each k times mr or nr elements, padded with zeros. multiply sets c[i*ldc + j], i < m, j < n, to
 * the sum over l < k of left i, l times right l, j, or with `add` adds that to it. NULL when dtype
 * t has none (f32, f64, complex, i64 and u64 have). Bits depend only on how k is cut.
 *
 * across: the products of `lanes` pairs of small matrices, with the bits of multiply; lanes is a
 * multiple of AXT_ACROSS. Element e of matrix b is at e * lanes + b. The element i, l of the left
 * is number i * k + l where k_last[0], else l * m + i; l, j of the right is number j * k + l where
 * k_last[1], else l * n + j; i, j of c is i * n + j.
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

/*
 * Lines: each has n elements es apart, and the next line starts ls further; es or ls is 1. Values
 * are ordered as numbers, NaN last. room: how many bytes of scratch the argument `room` must have.
 * bits: of a key, as many as an element has.
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
	 * The values of each line in order, or their positions (i64; of equal values the first
	 * comes first), laid out as x is. down: from the greatest; NaN is last all the same.
	 */
	void (*sort)(void *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
	    bool down, bool index, void *room);
	/*
	 * One line sorted by several threads: radix sort, least significant digit first. digits
	 * counts n keys, es apart, by the `digit` bits from `shift` on; deal moves keys and
	 * positions to the next free index for their digit; values makes the result of them. how:
	 * of AXT_SORT_*. Elements are keys, with positions in from; or with RAW they are values,
	 * with positions first, first + 1...
	 */
	int digit;
	void (*digits)(int64_t *count, const void *x, int64_t n, int64_t es, int shift, int how);
	void (*deal)(void *to, int64_t *at, const void *x, const int64_t *from, int64_t first,
	    int64_t n, int64_t es, int shift, int64_t *next, int how);
	void (*values)(void *out, const void *x, const int64_t *at, int64_t first, int64_t n,
	    int64_t es, int64_t out_es, int how);
	/* Quantiles q[0], q[1], ... of each line. skip: NaN are left out. Not for f16 and bf16. */
	void (*quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es,
	    int64_t ls, const double *q, int nq, bool skip, void *room);
	/*
	 * Counts keys by the AXT_COUNT_BITS bits above `shift`: in the k-th part of hist those
	 * whose higher bits (if any) are prefix[k]. The key of NaN has all bits set.
	 */
	void (*count)(uint32_t *hist, const void *x, int64_t n, int shift, const uint64_t *prefix,
	    int m);
	double (*value)(uint64_t key);
	/*
	 * The scan for sum, prod, min or max. acc: a double or 64-bit integer per line, set by
	 * begin; full: out has acc's dtype. Only f32, f64, i64 and u64. es may be negative.
	 */
	axt_scan_fn *(*scan)(enum axt_red op, bool full);
	void (*begin)(enum axt_red op, void *acc, int64_t n);
};
/* NULL for complex dtypes. */
static inline const struct axt_line_fns *axt_kern_lines(enum axt_dtype t);
/* Median and quantile: reductions that need whole lines and have no states. */
bool axt_red_selects(enum axt_red op);
/* Quantile q of n sorted values lies *t of the way from the index returned to the next one. */
int64_t axt_quantile_at(double q, int64_t n, double *t);
double axt_quantile_mix(double a, double b, double t);

/*
 * All kernels of one ISA: i_table.c fills such a table for each, and kern.c picks one, which
 * axt_kern gives. The functions above call it.
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
