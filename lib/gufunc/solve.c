/*
 * solve.c - systems of linear equations, inverses and determinants, as numpy.linalg.solve, inv, det
 * and slogdet, by elimination with row exchanges.
 */
#include <math.h>

#include "gufunc/matrix.h"

#define ORDER AXT_SMALL_ORDER /* of small matrices */

static const char singular[] = "the matrix is singular";

/* The row exchanges. */
static int64_t
work(const struct axt_matrix *k)
{
	return axt_mats_size(&k->x, LEN(k, 'm'));
}

static bool
solve_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = in[1] = out[0] = axt_matrix_dtype(in, 2);
	return true;
}

static unsigned
solve_run(const struct axt_matrix *k, const char **why)
{
	int n = LEN(k, 'm'), columns = LEN(k, 'k'), *exchange = (int *)k->work;
	unsigned failed = axt_mats_lu(&k->x, n, k->t[0], exchange);

	*why = singular;
	memcpy(k->t[2], k->t[1],
	    sizeof(double) * (size_t)axt_mats_size(&k->x, (int64_t)n * columns));
	axt_mats_lu_solve(&k->x, n, k->t[0], exchange, k->t[2], columns);
	return failed;
}

static const struct axt_matrix_fns solve = { .order = ORDER, .work = work, .run = solve_run };
AXT_MATRIX_GUFUNC(SOLVE, solve, solve_dtypes, axt_matrix_square)

static unsigned
inv_run(const struct axt_matrix *k, const char **why)
{
	int n = LEN(k, 'm'), *exchange = (int *)k->work;
	unsigned failed = axt_mats_lu(&k->x, n, k->t[0], exchange);

	*why = singular;
	axt_mats_identity(&k->x, n, k->t[1]);
	axt_mats_lu_solve(&k->x, n, k->t[0], exchange, k->t[1], n);
	return failed;
}

static const struct axt_matrix_fns inv = { .order = ORDER, .work = work, .run = inv_run };
AXT_MATRIX_GUFUNC(INV, inv, axt_matrix_like, axt_matrix_square)

/* ---- determinants ---- */

/* A product whose exponent is kept apart: part of it may be beyond f64 where all of it is not. */
struct scaled {
	double x[2];
	int64_t e;
};

static void
normalize(struct scaled *p)
{
	double s = fmax(fabs(p->x[0]), fabs(p->x[1]));
	int e;

	if (s == 0)
		return;
	frexp(s, &e);
	p->x[0] = ldexp(p->x[0], -e);
	p->x[1] = ldexp(p->x[1], -e);
	p->e += e;
}

/* The product of the diagonal of the factors of lane l, with its sign. */
static struct scaled
product(const struct axt_matrix *k, int n, const int *exchange, int l)
{
	struct scaled p = { .x = { 1 } };

	for (int i = 0; i < n; i++) {
		const double *d = k->t[0] + AXT_MATS_AT(&k->x, n, n, i, i, 0, l);
		struct scaled y = { .x = { d[0], k->x.parts == 2 ? d[k->x.lanes] : 0 } };
		double re;

		normalize(&y);
		re = p.x[0] * y.x[0] - p.x[1] * y.x[1];
		p.x[1] = p.x[0] * y.x[1] + p.x[1] * y.x[0];
		p.x[0] = re;
		p.e += y.e;
		normalize(&p);
		if (exchange[i * k->x.lanes + l] != i) {
			p.x[0] = -p.x[0];
			p.x[1] = -p.x[1];
		}
	}
	return p;
}

/*
 * Computes determinants. With log_too, the first result is only the sign of the determinant, and
 * the second one the logarithm of its absolute value.
 */
static unsigned
det_of(const struct axt_matrix *k, bool log_too)
{
	int n = LEN(k, 'm'), *exchange = (int *)k->work;
	unsigned zero = axt_mats_lu(&k->x, n, k->t[0], exchange);

	for (int l = 0; l < k->x.lanes; l++) {
		struct scaled p = product(k, n, exchange, l);
		double size = axt_hypot(p.x[0], p.x[1]);
		/* beyond these exponents all is 0 or infinite */
		int e = (int)MAX(-5000, MIN(5000, p.e));

		if (zero & 1u << l)
			p = (struct scaled){ 0 };
		for (int i = 0; i < k->x.parts; i++)
			k->t[1][i * k->x.lanes + l] = !log_too ? ldexp(p.x[i], e)
			    : zero & 1u << l                   ? 0
							       : p.x[i] / size;
		if (log_too)
			k->t[2][l] = zero & 1u << l ? -INFINITY : log(size) + (double)p.e * M_LN2;
	}
	return 0;
}

static unsigned
det_run(const struct axt_matrix *k, const char **why)
{
	(void)why;
	return det_of(k, false);
}

static const struct axt_matrix_fns det = { .order = ORDER, .work = work, .run = det_run };
AXT_MATRIX_GUFUNC(DET, det, axt_matrix_like, axt_matrix_square)

static bool
slogdet_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[0] = axt_matrix_dtype(in, 1);
	out[1] = axt_matrix_real(in[0]);
	return true;
}

static unsigned
slogdet_run(const struct axt_matrix *k, const char **why)
{
	(void)why;
	return det_of(k, true);
}

static const struct axt_matrix_fns slogdet = { .order = ORDER, .work = work, .run = slogdet_run };
AXT_MATRIX_GUFUNC(SLOGDET, slogdet, slogdet_dtypes, axt_matrix_square)
