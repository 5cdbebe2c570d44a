/* factor.c - factors of matrices, as numpy.linalg.cholesky, qr and scipy.linalg.lu. */
#include "gufunc/matrix.h"

#define ORDER AXT_SMALL_ORDER /* of small matrices */

static unsigned
cholesky_run(const struct axt_matrix *k, const char **why)
{
	int n = LEN(k, 'm');
	unsigned failed = axt_mats_cholesky(&k->x, n, k->t[0]);

	*why = "the matrix is not positive definite";
	memcpy(k->t[1], k->t[0], sizeof(double) * (size_t)axt_mats_size(&k->x, (int64_t)n * n));
	return failed;
}

static const struct axt_matrix_fns cholesky = { .order = ORDER, .run = cholesky_run };
AXT_MATRIX_GUFUNC(CHOLESKY, cholesky, axt_matrix_like, axt_matrix_square)

static bool
qr_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[0] = out[1] = axt_matrix_dtype(in, 1);
	return true;
}

static int64_t
qr_work(const struct axt_matrix *k)
{
	return axt_mats_qr_work(&k->x, LEN(k, 'm'), LEN(k, 'n'));
}

static unsigned
qr_run(const struct axt_matrix *k, const char **why)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n');

	(void)why;
	axt_mats_qr(&k->x, m, n, k->t[0], k->t[1], k->work);
	axt_mats_part(&k->x, m, n, k->t[0], MIN(m, n), n, k->t[2]);
	return 0;
}

static const struct axt_matrix_fns qr = { .order = ORDER, .work = qr_work, .run = qr_run };
AXT_MATRIX_GUFUNC(QR, qr, qr_dtypes, axt_matrix_lesser)

static bool
lu_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[1] = out[2] = axt_matrix_dtype(in, 1);
	out[0] = AXT_I64;
	return true;
}

static int64_t
lu_work(const struct axt_matrix *k)
{
	return axt_mats_size(&k->x, LEN(k, 'm'));
}

/* Rows of the operand in the order p are L U. */
static unsigned
lu_run(const struct axt_matrix *k, const char **why)
{
	int n = LEN(k, 'm'), *exchange = (int *)k->work;

	(void)why;
	axt_mats_lu(&k->x, n, k->t[0], exchange);
	for (int l = 0; l < k->x.lanes; l++) {
		double *p = k->t[1] + l;

		for (int i = 0; i < n; i++)
			p[(int64_t)i * k->x.lanes] = i;
		for (int i = 0; i < n; i++) {
			int64_t j = exchange[i * k->x.lanes + l];
			double was = p[(int64_t)i * k->x.lanes];

			p[(int64_t)i * k->x.lanes] = p[j * k->x.lanes];
			p[j * k->x.lanes] = was;
		}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				for (int part = 0; part < k->x.parts; part++) {
					int64_t at = AXT_MATS_AT(&k->x, n, n, i, j, part, l);

					k->t[2][at] = j < i ? k->t[0][at] : i == j && part == 0;
					k->t[3][at] = j < i ? 0 : k->t[0][at];
				}
	}
	return 0;
}

static const struct axt_matrix_fns lu = { .order = ORDER, .work = lu_work, .run = lu_run };
AXT_MATRIX_GUFUNC(LU, lu, lu_dtypes, axt_matrix_square_lesser)
