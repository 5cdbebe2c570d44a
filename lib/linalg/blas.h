/*
 * blas.h - libraries of BLAS and LAPACK, which are loaded when they are needed. Products of large
 * matrices are handed to the one that the user has chosen.
 */
#ifndef AXT_LINALG_BLAS_H
#define AXT_LINALG_BLAS_H

#include "dtype/dtype.h"

/* ?gemm_ of Fortran. Sizes have 64 bits, of which a library of 32-bit sizes reads the low half. */
typedef void axt_gemm_fn(const char *ta, const char *tb, const int64_t *m, const int64_t *n,
    const int64_t *k, const void *alpha, const void *a, const int64_t *lda, const void *b,
    const int64_t *ldb, const void *beta, void *c, const int64_t *ldc, size_t, size_t);

struct axt_blas {
	const char *name;
	axt_gemm_fn *gemm;
};

/*
 * A factor: rows of elements, ld apart. A row goes along what is summed over if k_last; else along
 * the rows of the result, for the left, or its columns, for the right.
 */
struct axt_blas_side {
	const void *p;
	int64_t ld;
	bool k_last;
};

/*
 * Whether `name` is one that the functions below take: a row of blas.def, or a path with a slash.
 */
bool axt_blas_named(const char *name);
/*
 * Loads the library, or finds that it is loaded. It uses one thread for each call, which may come
 * from any thread. The first call is made before threads are started, since it sets environment
 * variables: how many threads a library may use, and which processor OpenBLAS is made for, which it
 * may not know (OPENBLAS_CORETYPE of the user's is kept). NULL: e has the error.
 */
void *axt_blas_library(const char *name, struct axt_err *e);
/* Whether there is a function for matrices of this dtype. */
bool axt_blas_has(enum axt_dtype d);
/* Finds that function in the library `name`. */
int axt_blas_open(struct axt_blas *x, const char *name, enum axt_dtype d, struct axt_err *e);
/* c = left * right, or c += left * right; c has m rows of n elements, ldc apart. */
void axt_blas_multiply(const struct axt_blas *x, enum axt_dtype d, int64_t m, int64_t n, int64_t k,
    const struct axt_blas_side *left, const struct axt_blas_side *right, bool add, void *c,
    int64_t ldc);

#endif
