/*
 * linalg.h - linear algebra of small matrices, several side by side: each vector register holds the
 * same element of as many matrices as it has lanes. All is computed in f64, real or complex, and
 * the operations on a matrix have one order, so that the bits of its result depend on that matrix
 * alone.
 *
 * An array has the elements of such matrices, row by row. An element is one vector for real
 * numbers, and two for complex ones: the real parts and the imaginary parts of all lanes. Values
 * must be finite.
 */
#ifndef AXT_LINALG_LINALG_H
#define AXT_LINALG_LINALG_H

#include "base/base.h"

#define AXT_LANES_MAX 8    /* the most lanes of any instruction set */
#define AXT_SMALL_ORDER 64 /* the most rows and columns of a small matrix */

/* The functions for real and for complex numbers; a lane is a bit of the masks they return. */
struct axt_small_fns {
	/*
	 * Factors n by n matrices into a lower triangle with ones on the diagonal and an upper one,
	 * in place, by elimination with row exchanges: exchange[k * lanes + lane] is the row that
	 * row k was exchanged with. Returns the lanes with a pivot of 0.
	 */
	unsigned (*lu)(double *a, int n, int *exchange);
	/* Replaces the n by k matrices b by the solutions of A x = b, by the factors of A. */
	void (*lu_solve)(const double *a, int n, const int *exchange, double *b, int k);
	/*
	 * Replaces n by n matrices A by the lower triangles L with L L^H = A. Only the lower
	 * triangle of A is read, and the upper one becomes 0. Returns the lanes whose A is not
	 * positive definite.
	 */
	unsigned (*cholesky)(double *a, int n);
	/*
	 * Factors m by n matrices into Q R by Householder's reflections. a becomes R, which is 0
	 * below the diagonal and has a real diagonal that is not negative. q, which is m by k with
	 * k from min(m, n) to m, gets the first k columns of Q.
	 */
	void (*qr)(double *a, int m, int n, double *q, int k);
	/* c = a b, where a is m by k and b k by n. */
	void (*mul)(int m, int k, int n, const double *a, const double *b, double *c);
	/*
	 * Multiplies each of the n columns of the m by n matrices u so that its largest element (of
	 * equal ones the first) becomes positive, and the columns of v, which is `rows` by n, by
	 * the same factors. v may be NULL.
	 */
	void (*turn)(double *u, int m, int n, double *v, int rows);
	/*
	 * Computes the eigenvalues w (real, rising) of Hermitian matrices, of which only the lower
	 * triangle is read, and their eigenvectors, of length 1, as the columns of v. a is
	 * overwritten. v may be NULL. Source: Jacobi's method, Golub and Van Loan, Matrix
	 * Computations, 8.5.
	 */
	void (*eigh)(double *a, int n, double *w, double *v);
	/*
	 * Computes the singular values s (falling) of m by n matrices, m >= n, and their vectors: a
	 * becomes U, and v, n by n, gets the right singular vectors as columns. v may be NULL; a is
	 * then undefined. Columns of U whose singular value is 0 complete the others to an
	 * orthonormal set. Source: one-sided Jacobi, Demmel and Veselic 1992.
	 */
	void (*svd)(double *a, int m, int n, double *s, double *v);
};

/*
 * How matrices in a tensor are packed, so that they lie side by side: a matrix has n[0] rows of
 * n[1] numbers, stride[0] and stride[1] apart; the matrix of lane l begins at lane[l]. All of this
 * is counted in numbers. Lanes may have the same matrix.
 */
struct axt_packing {
	int64_t n[2], stride[2], lane[AXT_LANES_MAX];
};
/* Packs matrices. Returns the lanes in which a number is not finite. */
typedef unsigned axt_load_fn(const struct axt_packing *o, const void *from, double *to);
/* Unpacks them; of lanes with the same matrix it stores any. */
typedef void axt_store_fn(const struct axt_packing *o, const double *from, void *to);

/* The functions of one instruction set. */
struct axt_lanes {
	int lanes;
	struct axt_small_fns fns[2]; /* real; complex */
	axt_load_fn *load_f64[2], *load_f32[2];
	axt_store_fn *store_f64[2], *store_f32[2], *store_i64;
};
#define ISA(name, flags, test) extern const struct axt_lanes axt_lanes_##name;
#include "isa/isas.def"
#undef ISA

/* Those of the instruction set in use. */
const struct axt_lanes *axt_lanes(void);

#endif
