/* blas.h - matrix products: OpenBLAS, loaded when the first is needed; integers by plain loops. */
#ifndef AXT_BLAS_H
#define AXT_BLAS_H

#include "../dtype/dtype.h"

/*
 * Loads the library for dtypes that need it (f32, f64, c64, c128). Thread-safe.
 * AXT_E_NOSYS when it is not there.
 */
int axt_blas_load(enum axt_dtype d, struct axt_err *e);
/*
 * C[m][n] = A[m][k] . B[k][n], row-major with leading dimensions in elements; d is i64, u64,
 * f32, f64, c64 or c128. One thread per call: callers cut C into blocks that depend on the shape
 * only, so the bits do not depend on threads.
 */
void axt_gemm(enum axt_dtype d, int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
    const void *b, int64_t ldb, void *c, int64_t ldc);

#endif
