/*
 * mats.h - linear algebra of matrices of any size. Small matrices are computed several side by side
 * by the functions of linalg.h, which give the same bits everywhere; larger ones one by one by
 * LAPACK. What is written with these functions does not depend on which of the two it is.
 *
 * Matrices are f64, real or complex, and finite. AXT_MATS_AT says where an element is.
 */
#ifndef AXT_GUFUNC_MATS_H
#define AXT_GUFUNC_MATS_H

#include "linalg/lapack.h"
#include "linalg/linalg.h"

struct axt_mats {
	int parts;                       /* doubles of an element: 1 real, 2 complex */
	int lanes;                       /* matrices side by side; 1 for LAPACK */
	const struct axt_small_fns *fns; /* NULL: LAPACK computes */
	const struct axt_lapack *lapack;
};

/*
 * Gives what the functions below need for small or for large matrices. If LAPACK is needed and
 * cannot be loaded, .lapack is NULL and *why says so.
 */
struct axt_mats axt_mats(bool small, int parts, const char **why);

/*
 * The index of part p (0 real, 1 imaginary) of element (i, j) of m by n matrices, in lane l. Small
 * matrices are stored row by row, large ones column by column. A vector is a matrix of one column.
 */
#define AXT_MATS_AT(x, m, n, i, j, p, l)                                                         \
	((((x)->fns ? (int64_t)(i) * (n) + (j) : (int64_t)(j) * (m) + (i)) * (x)->parts + (p)) * \
		(x)->lanes +                                                                     \
	    (l))
/* The doubles of n elements. */
static inline int64_t
axt_mats_size(const struct axt_mats *x, int64_t n)
{
	return (n * x->parts * x->lanes + 7) / 8 * 8;
}

/*
 * The functions. An unsigned result has a bit for each lane whose matrix fails. work is scratch of
 * as many doubles as the function beside it, ..._work, says; NULL if that is 0.
 */
/* c = a b, where a is m by k and b k by n. */
void axt_mats_mul(const struct axt_mats *x, int m, int k, int n, const double *a, const double *b,
    double *c);
/* b = the conjugate transpose of a, which is m by n. */
void axt_mats_adjoint(const struct axt_mats *x, int m, int n, const double *a, double *b);
/* a = 1, n by n. */
void axt_mats_identity(const struct axt_mats *x, int n, double *a);
/* b = the first r rows and c columns of a, which is m by n. */
void axt_mats_part(const struct axt_mats *x, int m, int n, const double *a, int r, int c,
    double *b);
/*
 * Replaces the n by n matrices a by their factors. exchange gets n * lanes numbers of rows, from 0
 * on. Fails for singular matrices.
 */
unsigned axt_mats_lu(const struct axt_mats *x, int n, double *a, int *exchange);
/* b, n by k, becomes the solution of A x = b. */
void axt_mats_lu_solve(const struct axt_mats *x, int n, const double *a, int *exchange, double *b,
    int k);
/* a becomes L, where L L^H = A. Fails where A is not positive definite. */
unsigned axt_mats_cholesky(const struct axt_mats *x, int n, double *a);
/*
 * Factors a, m by n, into Q R: a becomes R, whose diagonal is real and not negative, and q gets the
 * first min(m, n) columns of Q.
 */
unsigned axt_mats_qr(const struct axt_mats *x, int m, int n, double *a, double *q, double *work);
int64_t axt_mats_qr_work(const struct axt_mats *x, int m, int n);
/*
 * Computes the eigenvalues w of Hermitian matrices, rising, and as columns of v the eigenvectors,
 * whose largest element is positive. a is overwritten. v may be NULL. last: only so many of the
 * last columns of v are needed, and others may be 0; 0: all are needed.
 */
unsigned axt_mats_eigh(const struct axt_mats *x, int n, int last, double *a, double *w, double *v,
    double *work);
int64_t axt_mats_eigh_work(const struct axt_mats *x, int n, int last, bool vectors);
/*
 * Factors A = U S V^H with k = min(m, n) singular values s, falling; u is m by k, vh is k by n. The
 * largest element of each column of u is positive. a is overwritten. u and vh may both be NULL.
 */
unsigned axt_mats_svd(const struct axt_mats *x, int m, int n, double *a, double *u, double *s,
    double *vh, double *work);
int64_t axt_mats_svd_work(const struct axt_mats *x, int m, int n, bool vectors);
/*
 * Computes the eigenvalues w of any square matrices, by falling absolute value, and as columns of v
 * the eigenvectors, of length 1, whose largest element is positive. w and v are complex. a is
 * overwritten. v may be NULL. axt has no functions of its own for this: LAPACK computes small
 * matrices, too, so x->fns has to be NULL.
 */
unsigned axt_mats_eig(const struct axt_mats *x, int n, double *a, double *w, double *v,
    double *work);
int64_t axt_mats_eig_work(const struct axt_mats *x, int n, bool vectors);

#endif
