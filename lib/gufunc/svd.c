/*
 * svd.c - singular values and vectors, and what is made of them, as numpy.linalg.svd, pinv,
 * matrix_rank, cond, norm and lstsq.
 */
#include <float.h>
#include <math.h>

#include "gufunc/matrix.h"

#define ORDER 32 /* of small matrices */

static const char unsettled[] = "the singular values were not found";

static bool
svd_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[0] = out[2] = axt_matrix_dtype(in, 1);
	out[1] = axt_matrix_real(in[0]);
	return true;
}

static int64_t
svd_work(const struct axt_matrix *k)
{
	return axt_mats_svd_work(&k->x, LEN(k, 'm'), LEN(k, 'n'), true);
}

static unsigned
svd_run(const struct axt_matrix *k, const char **why)
{
	bool vectors = k->needed[1] || k->needed[3];

	*why = unsettled;
	return axt_mats_svd(&k->x, LEN(k, 'm'), LEN(k, 'n'), k->t[0], vectors ? k->t[1] : NULL,
	    k->t[2], vectors ? k->t[3] : NULL, k->work);
}

static const struct axt_matrix_fns svd = {
	.order = ORDER, .wide = true, .work = svd_work, .run = svd_run
};
AXT_MATRIX_GUFUNC(SVD, svd, svd_dtypes, axt_matrix_lesser)

/* ---- results of singular values alone ---- */

/* The singular values of a call, then scratch. */
static int64_t
values_work(const struct axt_matrix *k)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n');

	return axt_mats_size(&k->x, MIN(m, n)) + axt_mats_svd_work(&k->x, m, n, false);
}

static unsigned
values(const struct axt_matrix *k, const char **why)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n');

	*why = unsettled;
	return axt_mats_svd(&k->x, m, n, k->t[0], NULL, k->work, NULL,
	    k->work + axt_mats_size(&k->x, MIN(m, n)));
}

/*
 * The smallest singular value that counts as more than 0: tol times the largest one, `most`. If tol
 * is 0, it is chosen as NumPy chooses it.
 */
static double
threshold(const struct axt_matrix *k, double most, double tol)
{
	return most * (tol > 0 ? tol : MAX(LEN(k, 'm'), LEN(k, 'n')) * k->args->x[1]);
}

static bool
rank_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = axt_matrix_dtype(in, 1);
	out[0] = AXT_I64;
	return true;
}

static unsigned
rank_run(const struct axt_matrix *k, const char **why)
{
	unsigned failed = values(k, why);
	int n = MIN(LEN(k, 'm'), LEN(k, 'n'));

	for (int l = 0; l < k->x.lanes; l++) {
		const double *s = k->work + l;
		int rank = 0;

		for (int i = 0; i < n; i++)
			rank += s[i * k->x.lanes] > threshold(k, s[0], k->args->x[0]);
		k->t[1][l] = rank;
	}
	return failed;
}

static const struct axt_matrix_fns rank = {
	.order = ORDER, .wide = true, .work = values_work, .run = rank_run
};
AXT_MATRIX_GUFUNC(MATRIX_RANK, rank, rank_dtypes, NULL)

static bool
norm_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = axt_matrix_dtype(in, 1);
	out[0] = axt_matrix_real(in[0]);
	return true;
}

/* n[0]: the sum of all singular values, 0; the largest, 1; the smallest, 2; the largest by it, 3 */
static unsigned
norm_run(const struct axt_matrix *k, const char **why)
{
	unsigned failed = values(k, why);
	int n = MIN(LEN(k, 'm'), LEN(k, 'n'));

	for (int l = 0; l < k->x.lanes; l++) {
		const double *s = k->work + l;
		/* of a matrix of zeros 0 / 0 is infinite, as for any other singular matrix */
		double sum = 0, least = n ? s[(n - 1) * k->x.lanes] : 0;

		for (int i = 0; i < n; i++)
			sum += s[i * k->x.lanes];
		k->t[1][l] = k->args->n[0] == 0 ? sum
		    : k->args->n[0] == 1        ? s[0]
		    : k->args->n[0] == 2        ? least
		    : least == 0                ? INFINITY
						: s[0] / least;
	}
	return failed;
}

static const char *
has_values(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	return args->n[0] > 0 && MIN(len['m' - 'a'], len['n' - 'a']) == 0
	    ? "a matrix without elements has no singular values"
	    : NULL;
}

static const struct axt_matrix_fns norm = {
	.order = ORDER, .wide = true, .work = values_work, .run = norm_run
};
AXT_MATRIX_GUFUNC(MATRIX_NORM, norm, norm_dtypes, has_values)

/* ---- pseudo-inverses and least squares ---- */

/* Where the parts of a decomposition are in the scratch of a call. */
struct parts {
	double *u, *s, *vh, *work;
};

static struct parts
parts(const struct axt_matrix *k)
{
	int64_t m = LEN(k, 'm'), n = LEN(k, 'n'), r = MIN(m, n);
	struct parts p = { .u = k->work };

	p.s = p.u + axt_mats_size(&k->x, m * r);
	p.vh = p.s + axt_mats_size(&k->x, r);
	p.work = p.vh + axt_mats_size(&k->x, r * n);
	return p;
}

static int64_t
parts_work(const struct axt_matrix *k)
{
	int64_t m = LEN(k, 'm'), n = LEN(k, 'n'), r = MIN(m, n);

	return axt_mats_size(&k->x, m * r) + axt_mats_size(&k->x, r) + axt_mats_size(&k->x, r * n) +
	    axt_mats_svd_work(&k->x, (int)m, (int)n, true);
}

/* Divides row i of r by n matrices by singular value i; those that count as 0 make it 0. */
static void
divide_rows(const struct axt_matrix *k, const double *s, int r, int n, double *a)
{
	for (int i = 0; i < r; i++)
		for (int l = 0; l < k->x.lanes; l++) {
			double v = s[i * k->x.lanes + l];
			double by = v > threshold(k, s[l], k->args->x[0]) ? 1 / v : 0;

			for (int j = 0; j < n; j++)
				for (int p = 0; p < k->x.parts; p++)
					a[AXT_MATS_AT(&k->x, r, n, i, j, p, l)] *= by;
		}
}

/* V (U / s)^H */
static unsigned
pinv_run(const struct axt_matrix *k, const char **why)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n'), r = MIN(m, n);
	struct parts p = parts(k);
	unsigned failed = axt_mats_svd(&k->x, m, n, k->t[0], p.u, p.s, p.vh, p.work);

	*why = unsettled;
	axt_mats_adjoint(&k->x, r, n, p.vh, k->t[0]);
	axt_mats_adjoint(&k->x, m, r, p.u, p.work);
	divide_rows(k, p.s, r, m, p.work);
	axt_mats_mul(&k->x, n, r, m, k->t[0], p.work, k->t[1]);
	return failed;
}

static int64_t
pinv_work(const struct axt_matrix *k)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n');

	return parts_work(k) + axt_mats_size(&k->x, (int64_t)m * MIN(m, n));
}

static const struct axt_matrix_fns pinv = {
	.order = ORDER, .wide = true, .work = pinv_work, .run = pinv_run
};
AXT_MATRIX_GUFUNC(PINV, pinv, axt_matrix_like, NULL)

static bool
lstsq_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = in[1] = out[0] = axt_matrix_dtype(in, 2);
	out[1] = out[3] = axt_matrix_real(in[0]);
	out[2] = AXT_I64;
	return true;
}

/* The doubles that lstsq needs beside the decomposition: U^H b, and a copy of A for residuals. */
static int64_t
lstsq_work(const struct axt_matrix *k)
{
	int64_t m = LEN(k, 'm'), n = LEN(k, 'n'), c = LEN(k, 'k'), r = MIN(m, n);

	return parts_work(k) + axt_mats_size(&k->x, r * m) + axt_mats_size(&k->x, r * c) +
	    axt_mats_size(&k->x, m * n) + axt_mats_size(&k->x, m * c);
}

/* x = V ((U^H b) / s): of all that are nearest, the shortest. */
static unsigned
lstsq_run(const struct axt_matrix *k, const char **why)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n'), c = LEN(k, 'k'), r = MIN(m, n);
	const struct axt_mats *x = &k->x;
	struct parts p = parts(k);
	double *uh = p.work, *y = uh + axt_mats_size(x, (int64_t)r * m),
	       *a = y + axt_mats_size(x, (int64_t)r * c),
	       *ax = a + axt_mats_size(x, (int64_t)m * n),
	       *work = ax + axt_mats_size(x, (int64_t)m * c);
	unsigned failed;

	memcpy(a, k->t[0], sizeof(*a) * (size_t)axt_mats_size(x, (int64_t)m * n));
	failed = axt_mats_svd(x, m, n, k->t[0], p.u, p.s, p.vh, work);
	*why = unsettled;
	for (int l = 0; l < x->lanes; l++) {
		int rank = 0;

		for (int i = 0; i < r; i++) {
			double s = p.s[i * x->lanes + l];

			k->t[5][i * x->lanes + l] = s;
			rank += s > threshold(k, p.s[l], k->args->x[0]);
		}
		k->t[4][l] = rank;
	}
	axt_mats_adjoint(x, m, r, p.u, uh);
	axt_mats_mul(x, r, m, c, uh, k->t[1], y);
	divide_rows(k, p.s, r, c, y);
	axt_mats_adjoint(x, r, n, p.vh, k->t[0]);
	axt_mats_mul(x, n, r, c, k->t[0], y, k->t[2]);
	if (!k->needed[3])
		return failed;
	axt_mats_mul(x, m, n, c, a, k->t[2], ax);
	for (int j = 0; j < c; j++)
		for (int l = 0; l < x->lanes; l++) {
			double sum = 0;

			for (int i = 0; i < m; i++)
				for (int q = 0; q < x->parts; q++) {
					int64_t at = AXT_MATS_AT(x, m, c, i, j, q, l);
					double d = k->t[1][at] - ax[at];

					sum += d * d;
				}
			k->t[3][j * x->lanes + l] = sum;
		}
	return failed;
}

static const struct axt_matrix_fns lstsq = {
	.order = ORDER, .wide = true, .work = lstsq_work, .run = lstsq_run
};
AXT_MATRIX_GUFUNC(LSTSQ, lstsq, lstsq_dtypes, axt_matrix_lesser)
