/*
 * tall.c - systems of linear equations with fewer rows, for least squares. With A = Q R, the
 * triangle R and Q^H B have the same solutions as A and B. One more row, in which R is 0, has the
 * length of what is left of each column of B, so that residuals are those of all rows, too.
 */
#include <math.h>

#include "gufunc/matrix.h"

static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = in[1] = out[0] = out[1] = axt_matrix_dtype(in, 2);
	return true;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	(void)args;
	len['l' - 'a'] = len['n' - 'a'] + 1;
	return len['m' - 'a'] > len['n' - 'a'] ? NULL : "there are no more rows than columns";
}

/* Q, Q^H, Q^H B, and Q Q^H B, then scratch. */
static int64_t
work(const struct axt_matrix *k)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n'), c = LEN(k, 'k');

	return 2 * axt_mats_size(&k->x, (int64_t)m * n) + axt_mats_size(&k->x, (int64_t)n * c) +
	    axt_mats_size(&k->x, (int64_t)m * c) + axt_mats_qr_work(&k->x, m, n);
}

static unsigned
run(const struct axt_matrix *k, const char **why)
{
	int m = LEN(k, 'm'), n = LEN(k, 'n'), c = LEN(k, 'k'), lanes = k->x.lanes;
	const struct axt_mats *x = &k->x;
	double *q = k->work, *qh = q + axt_mats_size(x, (int64_t)m * n),
	       *y = qh + axt_mats_size(x, (int64_t)m * n),
	       *of = y + axt_mats_size(x, (int64_t)n * c), *to = k->t[3];

	(void)why;
	axt_mats_qr(x, m, n, k->t[0], q, of + axt_mats_size(x, (int64_t)m * c));
	axt_mats_part(x, m, n, k->t[0], n + 1, n, k->t[2]);
	axt_mats_adjoint(x, m, n, q, qh);
	axt_mats_mul(x, n, m, c, qh, k->t[1], y);
	axt_mats_mul(x, m, n, c, q, y, of);
	for (int j = 0; j < c; j++)
		for (int l = 0; l < lanes; l++) {
			double sum = 0;

			for (int p = 0; p < x->parts; p++) {
				for (int i = 0; i < m; i++) {
					int64_t at = AXT_MATS_AT(x, m, c, i, j, p, l);
					double d = k->t[1][at] - of[at];

					sum += d * d;
				}
				for (int i = 0; i < n; i++)
					to[AXT_MATS_AT(x, n + 1, c, i, j, p, l)] =
					    y[AXT_MATS_AT(x, n, c, i, j, p, l)];
				to[AXT_MATS_AT(x, n + 1, c, n, j, p, l)] = 0;
			}
			to[AXT_MATS_AT(x, n + 1, c, n, j, 0, l)] = sqrt(sum);
		}
	return 0;
}

static const struct axt_matrix_fns tall = { .work = work, .run = run };
AXT_MATRIX_GUFUNC(TALL, tall, dtypes, sizes)
