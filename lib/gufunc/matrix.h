/*
 * matrix.h - what gufuncs of matrices share. Operands and results are f64, real or complex, and
 * stored as mats.h says: small matrices of several calls side by side, larger ones one by one. If
 * the values of an operand are not all finite, nothing is computed: the results are NaN.
 */
#ifndef AXT_GUFUNC_MATRIX_H
#define AXT_GUFUNC_MATRIX_H

#include "gufunc/gufunc.h"
#include "gufunc/mats.h"

/* Calls that are computed together. */
struct axt_matrix {
	struct axt_mats x;
	const struct axt_gufunc_args *args;
	const int64_t *len; /* [letter], as in struct axt_gufunc_calls */
	/* operands, which may be overwritten, and results, also those that are not needed */
	double *t[AXT_GUFUNC_TENSORS];
	bool needed[AXT_GUFUNC_TENSORS];
	double *work;
};

/* A function of matrices, whose rows are the letter m and whose columns are n. */
struct axt_matrix_fns {
	int order; /* the most columns of a small matrix; 0: LAPACK computes all */
	bool wide; /* with as few rows as that it is small, too */
	/* The doubles of scratch; NULL: none. t is not set. */
	int64_t (*work)(const struct axt_matrix *k);
	/* Computes the results. Returns the lanes that fail, and why. */
	unsigned (*run)(const struct axt_matrix *k, const char **why);
};

/* For the members of a gufunc's table that have these names. */
int64_t axt_matrix_work(const struct axt_matrix_fns *f, const struct axt_gufunc_calls *x);
bool axt_matrix_calls(const struct axt_matrix_fns *f, struct axt_gufunc_calls *x);
/*
 * Returns NULL if matrices of these lengths can be computed, else why not. Loads LAPACK if it is
 * needed.
 */
const char *axt_matrix_ready(const struct axt_matrix_fns *f, const int64_t len[AXT_LETTERS]);
/* Who computes matrices of these lengths, for --explain. */
const char *axt_matrix_by(const struct axt_matrix_fns *f, const int64_t len[AXT_LETTERS]);

/*
 * The dtype of the results for n operands: f16 and bf16 become f32, integers and bool become f64,
 * and with a complex operand the results are complex.
 */
enum axt_dtype axt_matrix_dtype(const enum axt_dtype in[], int n);
/* The real dtype, and the complex one, of as many bits. */
enum axt_dtype axt_matrix_real(enum axt_dtype d);
enum axt_dtype axt_matrix_complex(enum axt_dtype d);

/*
 * Functions for tables of gufuncs. axt_matrix_like is a `dtypes` for one result that has the dtype
 * of the only operand. The others are `sizes`: for square matrices, for a letter l that is the
 * lesser of rows and columns, and for both.
 */
bool axt_matrix_like(enum axt_dtype in[], enum axt_dtype out[]);
const char *axt_matrix_square(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS]);
const char *axt_matrix_lesser(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS]);
const char *axt_matrix_square_lesser(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS]);

/* The table of a gufunc of matrices by the names of its functions; lengths: `sizes`, or NULL. */
#define AXT_MATRIX_GUFUNC(ID, fns, types, lengths)                                       \
	static int64_t fns##_bytes(const struct axt_gufunc_calls *x)                     \
	{                                                                                \
		return axt_matrix_work(&(fns), x);                                       \
	}                                                                                \
	static bool fns##_calls(struct axt_gufunc_calls *x)                              \
	{                                                                                \
		return axt_matrix_calls(&(fns), x);                                      \
	}                                                                                \
	static const char *fns##_by(const int64_t len[AXT_LETTERS])                      \
	{                                                                                \
		return axt_matrix_by(&(fns), len);                                       \
	}                                                                                \
	static const char *fns##_sizes(const struct axt_gufunc_args *args,               \
	    int64_t len[AXT_LETTERS])                                                    \
	{                                                                                \
		const char *(*f)(const struct axt_gufunc_args *, int64_t *) = (lengths); \
		const char *why = f ? f(args, len) : NULL;                               \
                                                                                         \
		return why ? why : axt_matrix_ready(&(fns), len);                        \
	}                                                                                \
	const struct axt_gufunc axt_gufunc_##ID = { .dtypes = (types),                   \
		.sizes = fns##_sizes,                                                    \
		.work = fns##_bytes,                                                     \
		.calls = fns##_calls,                                                    \
		.empty = true,                                                           \
		.by = fns##_by };

#define LEN(k, letter) ((int)(k)->len[(letter) - 'a'])

#endif
