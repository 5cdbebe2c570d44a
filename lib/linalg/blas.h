/*
 * blas.h - libraries of BLAS and LAPACK, which are loaded when they are needed. Products of large
 * matrices are handed to the library that the user has chosen.
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
 * A factor of a product: rows of elements, ld apart. If k_last, there is a row for each row of the
 * result (in the left factor) or each column of it (in the right one), whose elements are those
 * that are summed over. Otherwise it is stored the other way: there is a row for each index of the
 * sum.
 */
struct axt_blas_side {
	const void *p;
	int64_t ld;
	bool k_last;
};

/*
 * Whether the functions below know the library `name`: it is a row of blas.def, or a path with a
 * slash.
 */
bool axt_blas_named(const char *name);
/*
 * Loads the library, if it is not loaded yet. Each call of its functions uses one thread, and may
 * come from any thread. The first call of this function has to come before threads are started,
 * since it sets environment variables: how many threads a library may use, and which processor
 * OpenBLAS takes this one for, which it may not know (the user's OPENBLAS_CORETYPE is kept). NULL:
 * e has the error.
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
