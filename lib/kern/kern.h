/*
 * kern.h - the kernels, reached through tables: plain C, compiled per dtype and
 * ISA, picked at start.
 * A kernel sees n contiguous elements (at any byte of memory) or one scalar;
 * buffers never alias, but out may be in[0] where both have the same size. Strides, threads, files
 * stay above. All kernels give the same bits on every ISA row.
 */
#ifndef AXT_KERN_KERN_H
#define AXT_KERN_KERN_H

#include "dtype/dtype.h"

/*
 * Picks the ISA row (best the CPU has, or AXT_ISA=v3|v4). Thread-safe,
 * idempotent. AXT_E_NOSYS without FMA.
 */
int axt_kern_init(struct axt_err *e);
const char *axt_kern_isa(void);

/*
 * Elementwise. in[k] has n elements, or one where scalar[k]. *bad gets the index of the first
 * element refused (integer division by zero) when it is -1 before; NULL is never passed. Where nothing
 * is refused, but a difference of unsigned numbers was below zero, it gets AXT_KERN_WRAPPED.
 */
#define AXT_KERN_WRAPPED (-2)
typedef void axt_map_fn(void *out, const void *const in[], const bool scalar[], int64_t n,
    int64_t *bad);

/* What an operation needs and gives for argument dtypes already promoted to one. */
struct axt_op_types {
	enum axt_dtype comp;	/* arguments are converted to this first */
	enum axt_dtype kout;	/* what the kernel writes */
	enum axt_dtype res;	/* what the node has: kout is converted to it */
};
/* One row of ops.def as data. */
struct axt_op_info {
	const char *name;	/* "add"; the command is axt-add when arity is 2 and not internal */
	const char *alias;	/* "abs" or NULL */
	int arity;		/* 1..3 */
	bool nary;		/* takes any number of operands, folded left to right */
	bool commutes;		/* operands may change places */
	bool quantity;		/* same quantity: attributes of the first operand stay */
	bool same_units;	/* units of operands should agree: one warning when not */
	bool compare;		/* comparison or logic: bool result */
	bool internal;		/* no command of this name's making: has a builder of its own */
	bool difference;	/* of two times a duration */
	const char *line;	/* one line of documentation */
	double ulp;		/* conformance bound against the exact value */
};
extern const struct axt_op_info axt_ops[AXT_NOPS];
/* -1 when unknown. */
int axt_op_find(const char *name);
/* false: the operation has no such dtype. t is the promoted dtype of all arguments. */
bool axt_op_types(enum axt_op op, enum axt_dtype t, struct axt_op_types *out);
/* NULL: none. */
axt_map_fn *axt_kern_map(enum axt_op op, enum axt_dtype comp);

/*
 * Conversion of n elements; *bad as above (AXT_OVERFLOW_ERROR: NaN or out of range to an integer).
 * Never NULL: every pair has one, complex to real takes the real part, anything to bool is != 0.
 */
typedef void axt_conv_fn(void *out, const void *in, int64_t n, int64_t *bad);
axt_conv_fn *axt_kern_conv(enum axt_dtype to, enum axt_dtype from, enum axt_overflow mode);

/*
 * Packed integers of up to 16 bits to f32 or f64 in one pass: p is { scale, offset, missing,
 * missing }, NaN for no missing value. The bits are those of conversion, MASK and UNPACK. NULL: no
 * such kernel.
 */
typedef void axt_unpack_fn(void *out, const void *in, const double p[4], int64_t n);
axt_unpack_fn *axt_kern_unpack(enum axt_dtype to, enum axt_dtype from);

/* Reverses the bytes of n items of the given size (2, 4, 8), in place. */
void axt_kern_swap(void *p, int64_t n, int size);
/* Sign and payload of a NaN depend on the way it came: every NaN among n results becomes one. */
void axt_kern_one_nan(double *x, int64_t n);
/*
 * out[i*o0 + j] = in[i*s0 + j*s1], elements of size 1, 2, 4, 8 or 16 bytes, strides in elements,
 * any sign or zero. Blocked for s0 == 1 (a transpose), memcpy for s1 == 1, fill for s1 == 0.
 */
void axt_kern_gather2(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
    int64_t s1, int size);

/*
 * out[i*o + j] = in[p*s0 + j*s1], where p = at[i*o + j], i < n and j < m; *fill where p is negative,
 * unless fill is NULL. *bad gets the first index i*o + j whose p is not below len, or is negative
 * without a fill, when it is -1 before. Sizes as of gather2.
 */
void axt_kern_take(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);

/* iota: values start + (i0 + k*step) * inc, in dtype d; integers wrap. */
void axt_kern_iota(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
    double inc);
/*
 * Philox4x32-10, counter-based: value k depends on (seed, i0 + k*step) only. Uniform in [lo, hi]
 * (integers: both ends in; floats: lo + (hi-lo)*u, u in [0,1) with 24 or 53 bits), or normal (lo is
 * mu, hi is sigma; Box-Muller in f64 with the deterministic functions). Complex: both parts.
 */
void axt_kern_random(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    uint64_t seed, bool normal, double lo, double hi);

/*
 * Reductions. A state is one entry in each of `planes` planes of 8 bytes (double or int64). The
 * order of work is part of the contract (design section 3): a run of consecutive reduced elements
 * is cut in blocks of AXT_BLOCK from its start; inside a block 16 lanes (i mod 16), lanes added
 * pairwise (8+8, 4+4, 2+2, 1+1); blocks, or single elements where the innermost axis is kept, are
 * merged one after another (sums with Neumaier compensation).
 */
#define AXT_BLOCK 1024
struct axt_acc {
	void *p[4];
};
struct axt_red_fns {
	int planes;
	enum axt_dtype in;	/* f32, f64, i64 or u64: the caller converts to it */
	enum axt_dtype out;	/* f64, i64, u64 or bool: the caller converts from it */
	/* Identity into entries [k, k+n). */
	void (*init)(struct axt_acc *a, int64_t k, int64_t n);
	/* Sets entry k to the state of one block, 1 <= n <= AXT_BLOCK. w: weights
	 * (f64), NULL when unweighted. index: flattened position of x[0] among the
	 * reduced axes (for argmin, argmax). */
	void (*block)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t n,
	    int64_t index);
	/*
	 * Sets entries [k, k + m) to the states of m blocks side by side, the same bits as block:
	 * element i of block j is x[i*ld + j], its weight w[i*m + j]. NULL: the fold is exact in any
	 * order, so that init and rows give the same.
	 */
	void (*blocks)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t n,
	    int64_t m, int64_t ld);
	/* Merges entries [j, j + n) of b into entries [k, k + n) of a. */
	void (*merge)(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n);
	/* For r in [0, rows): merges x[r*ld + i] (weight w[r*n + i]) into entry k + i, each element
	 * as a block of its own; the position of row r is index + r*step. */
	void (*rows)(struct axt_acc *a, int64_t k, const void *x, const double *w, int64_t rows,
	    int64_t n, int64_t ld, int64_t index, int64_t step);
	/* Entries [k, k+n) to n values of dtype out. count: product of the reduced lengths. */
	void (*finish)(void *out, const struct axt_acc *a, int64_t k, int64_t n, int64_t count,
	    double ddof);
};
struct axt_red_info {
	const char *name;	/* "mean" */
	const char *cf;		/* CF cell method: "mean", "standard_deviation"; NULL: none */
	bool quantity;		/* attributes stay (units too) */
	bool difference;	/* of times a duration */
	bool weighted;		/* takes --weights */
	bool ddof;
	bool empty_ok;		/* defined for no elements */
	const char *line;
};
extern const struct axt_red_info axt_reds[AXT_NREDS];
int axt_red_find(const char *name);
/*
 * The functions for a reduction of a tensor of dtype t (never complex: the caller splits it), NULL
 * when there are none. skip: NaN are left out. *res: dtype of the node when --dtype is not given
 * (sum of f32 is f32, of i16 i64, mean of i32 f64, argmax i64, any bool, max of i16 i16...).
 */
const struct axt_red_fns *axt_kern_red(enum axt_red op, enum axt_dtype t, bool skip, bool weighted,
    enum axt_dtype *res);

/*
 * A program and an unweighted sum or mean in one pass over its operands x[0] and x[1], the same
 * where there is one: what is computed goes through no memory. The bits are those of the two one
 * after the other. rows: as of axt_red_fns, rows of the operands ld[0] and ld[1] elements apart.
 * block: as of axt_red_fns; NULL: there is none. p: as of axt_unpack_fn.
 */
struct axt_fused_fns {
	void (*rows)(struct axt_acc *a, int64_t k, const void *const x[2], const int64_t ld[2],
	    const double p[4], int64_t rows, int64_t n);
	void (*block)(struct axt_acc *a, int64_t k, const void *const x[2], int64_t n);
};
/*
 * UNPACK of integers: only where f64 holds every sum of `count` such values exactly, so that there
 * is nothing to compensate. NULL: no such functions.
 */
const struct axt_fused_fns *axt_kern_fused_unpack(enum axt_red red, enum axt_dtype to,
    enum axt_dtype from, bool skip, const double p[4], int64_t count);
/* The map op, then `then` (AXT_NOPS: nothing) of its result, in t: differences and products. */
const struct axt_fused_fns *axt_kern_fused_map(enum axt_red red, enum axt_dtype t, bool skip,
    enum axt_op op, enum axt_op then);

/*
 * Products of matrices. The left is packed in panels of mr rows, the right in panels of nr columns,
 * each k times mr or nr elements, filled up with zeros. multiply: c[i*ldc + j], i < m, j < n, gets,
 * or with `add` is increased by, the sum over l < k of left i, l times right l, j. NULL: dtype t
 * has none (f32, f64, complex, i64 and u64 have). Bits depend on how k is cut alone.
 */
struct axt_gemm_fns {
	int mr, nr;
	void (*multiply)(void *c, int64_t ldc, const void *left, const void *right, int64_t m,
	    int64_t n, int64_t k, bool add);
};
const struct axt_gemm_fns *axt_kern_gemm(enum axt_dtype t);

/*
 * Lines: n elements es apart, the first ones ls apart; es or ls is 1. Values are ordered as
 * numbers, NaN last. room: bytes at `room` for what sorts or selects. bits: of a key, the size of
 * an element.
 */
typedef void axt_scan_fn(void *out, const void *x, void *acc, int64_t n, int64_t lines, int64_t es,
    int64_t ls);
#define AXT_COUNT_BITS 16
#define AXT_COUNT_MASK ((1 << AXT_COUNT_BITS) - 1)
#define AXT_SORT_RAW 1			/* elements are values */
#define AXT_SORT_DOWN 2
#define AXT_SORT_INDEX 4
struct axt_line_fns {
	int bits;
	int64_t (*room)(int64_t n, int64_t es, bool index);
	/*
	 * The values of each line in order, or where they were (i64, of equal ones the first
	 * first), laid out as x is. down: from the greatest; NaN is last all the same.
	 */
	void (*sort)(void *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
	    bool down, bool index, void *room);
	/*
	 * The same of one line by several threads, `digit` bits of a key after another, the least first: counts
	 * n keys, es apart, by those from `shift` on; deals them, and where they were, to the next places for
	 * their digits; makes values, or positions, of them. how: of AXT_SORT_*. Without RAW the elements
	 * are keys, and where they were is in from, else it is first on.
	 */
	int digit;
	void (*digits)(int64_t *count, const void *x, int64_t n, int64_t es, int shift, int how);
	void (*deal)(void *to, int64_t *at, const void *x, const int64_t *from, int64_t first,
	    int64_t n, int64_t es, int shift, int64_t *next, int how);
	void (*values)(void *out, const void *x, const int64_t *at, int64_t first, int64_t n,
	    int64_t es, int64_t out_es, int how);
	/* Quantiles: of q[0] of each line, of q[1], ... skip: NaN are left out. Not f16, bf16. */
	void (*quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es,
	    int64_t ls, const double *q, int nq, bool skip, void *room);
	/* Counts keys by AXT_COUNT_BITS bits above `shift`; of those whose bits above these are
	 * prefix[k] (where there are such bits), in the k-th part of hist. NaN: all bits set. */
	void (*count)(uint32_t *hist, const void *x, int64_t n, int shift, const uint64_t *prefix,
	    int m);
	double (*value)(uint64_t key);
	/*
	 * The scan for sum prod min max; acc: a double or 64-bit integer a line, from begin, goes
	 * on; full: out has acc's dtype. Only f32 f64 i64 u64. es may be negative.
	 */
	axt_scan_fn *(*scan)(enum axt_red op, bool full);
	void (*begin)(enum axt_red op, void *acc, int64_t n);
};
/* NULL: complex. */
const struct axt_line_fns *axt_kern_lines(enum axt_dtype t);
/* median, quantile: not made of states. */
bool axt_red_selects(enum axt_red op);
/* Where quantile q of n sorted values is: between the returned one and the next, *t of the way. */
int64_t axt_quantile_at(double q, int64_t n, double *t);
double axt_quantile_mix(double a, double b, double t);

#endif
