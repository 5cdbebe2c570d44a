/*
 * lapack.h - LAPACK's functions for matrices that are not small, from OpenBLAS, which is loaded
 * when the first of them is needed. As in Fortran, matrices are stored column by column, a complex
 * number is two doubles, and arguments are passed by address. Functions for real and for complex
 * numbers stand side by side: geqrf[0] is dgeqrf, geqrf[1] zgeqrf.
 */
#ifndef AXT_LINALG_LAPACK_H
#define AXT_LINALG_LAPACK_H

#include "base/base.h"

#define AXT_LAPACK_FUNCTIONS(F)                                                                \
	F(getrf, "getrf", "getrf",                                                             \
	    (const int *m, const int *n, double *a, const int *lda, int *pivot, int *info))    \
	F(getrs, "getrs", "getrs",                                                             \
	    (const char *trans, const int *n, const int *k, const double *a, const int *lda,   \
		const int *pivot, double *b, const int *ldb, int *info, size_t))               \
	F(potrf, "potrf", "potrf",                                                             \
	    (const char *uplo, const int *n, double *a, const int *lda, int *info, size_t))    \
	F(geqrf, "geqrf", "geqrf",                                                             \
	    (const int *m, const int *n, double *a, const int *lda, double *tau, double *work, \
		const int *lwork, int *info))                                                  \
	F(orgqr, "orgqr", "ungqr",                                                             \
	    (const int *m, const int *n, const int *k, double *a, const int *lda,              \
		const double *tau, double *work, const int *lwork, int *info))                 \
	F(gemm, "gemm", "gemm",                                                                \
	    (const char *ta, const char *tb, const int *m, const int *n, const int *k,         \
		const double *alpha, const double *a, const int *lda, const double *b,         \
		const int *ldb, const double *beta, double *c, const int *ldc, size_t, size_t))
/* those whose complex form has an argument more */
#define AXT_LAPACK_PAIRS(F)                                                                       \
	F(dgesdd,                                                                                 \
	    (const char *job, const int *m, const int *n, double *a, const int *lda, double *s,   \
		double *u, const int *ldu, double *vt, const int *ldvt, double *work,             \
		const int *lwork, int *iwork, int *info, size_t))                                 \
	F(zgesdd,                                                                                 \
	    (const char *job, const int *m, const int *n, double *a, const int *lda, double *s,   \
		double *u, const int *ldu, double *vt, const int *ldvt, double *work,             \
		const int *lwork, double *rwork, int *iwork, int *info, size_t))                  \
	F(dsyevd,                                                                                 \
	    (const char *job, const char *uplo, const int *n, double *a, const int *lda,          \
		double *w, double *work, const int *lwork, int *iwork, const int *liwork,         \
		int *info, size_t, size_t))                                                       \
	F(zheevd,                                                                                 \
	    (const char *job, const char *uplo, const int *n, double *a, const int *lda,          \
		double *w, double *work, const int *lwork, double *rwork, const int *lrwork,      \
		int *iwork, const int *liwork, int *info, size_t, size_t))                        \
	F(dsytrd,                                                                                 \
	    (const char *uplo, const int *n, double *a, const int *lda, double *d, double *e,     \
		double *tau, double *work, const int *lwork, int *info, size_t))                  \
	F(dsterf, (const int *n, double *d, double *e, int *info))                                \
	F(dstemr,                                                                                 \
	    (const char *job, const char *range, const int *n, double *d, double *e,              \
		const double *lo, const double *hi, const int *first, const int *last, int *m,    \
		double *w, double *z, const int *ldz, const int *room, int *support, int *exact,  \
		double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t, \
		size_t))                                                                          \
	F(dormtr,                                                                                 \
	    (const char *side, const char *uplo, const char *trans, const int *m, const int *n,   \
		const double *a, const int *lda, const double *tau, double *c, const int *ldc,    \
		double *work, const int *lwork, int *info, size_t, size_t, size_t))               \
	F(dgeevx,                                                                                 \
	    (const char *balance, const char *left, const char *right, const char *sense,         \
		const int *n, double *a, const int *lda, double *wr, double *wi, double *vl,      \
		const int *ldvl, double *vr, const int *ldvr, int *lo, int *hi, double *scale,    \
		double *norm, double *conde, double *condv, double *work, const int *lwork,       \
		int *iwork, int *info, size_t, size_t, size_t, size_t))                           \
	F(zgeevx,                                                                                 \
	    (const char *balance, const char *left, const char *right, const char *sense,         \
		const int *n, double *a, const int *lda, double *w, double *vl, const int *ldvl,  \
		double *vr, const int *ldvr, int *lo, int *hi, double *scale, double *norm,       \
		double *conde, double *condv, double *work, const int *lwork, double *rwork,      \
		int *info, size_t, size_t, size_t, size_t))

struct axt_lapack {
#define F(id, real, complex, args) void(*id[2]) args;
	AXT_LAPACK_FUNCTIONS(F)
#undef F
#define F(id, args) void(*id) args;
	AXT_LAPACK_PAIRS(F)
#undef F
};

/*
 * Gives the functions, or NULL if they cannot be loaded: *why, a constant text, then says why. The
 * first call has to come before threads are started, as that of axt_blas_library.
 */
const struct axt_lapack *axt_lapack(const char **why);

#endif
