/*
 * power.c - powers of square matrices, as numpy.linalg.matrix_power gives them, and exponentials of
 * matrices, as scipy.linalg.expm.
 */
#include <math.h>

#include "gufunc/matrix.h"

#define ORDER AXT_SMALL_ORDER /* of small matrices */

/* The doubles of a matrix of each lane. */
static int64_t
size_of(const struct axt_matrix *k)
{
	return axt_mats_size(&k->x, (int64_t)LEN(k, 'm') * LEN(k, 'm'));
}

static void
copy(const struct axt_matrix *k, const double *a, double *b)
{
	memcpy(b, a, sizeof(*b) * (size_t)size_of(k));
}

static int64_t
power_work(const struct axt_matrix *k)
{
	return size_of(k) + axt_mats_size(&k->x, LEN(k, 'm'));
}

/* n[0]: the power; of a negative one, that of the inverse */
static unsigned
power_run(const struct axt_matrix *k, const char **why)
{
	int n = LEN(k, 'm'), *exchange = (int *)(k->work + size_of(k));
	unsigned failed = 0, power = (unsigned)k->args->n[0];
	double *a = k->t[0], *b = k->t[1], *c = k->work;

	*why = "the matrix is singular";
	axt_mats_identity(&k->x, n, b);
	if (k->args->n[0] < 0) {
		failed = axt_mats_lu(&k->x, n, a, exchange);
		axt_mats_lu_solve(&k->x, n, a, exchange, b, n);
		copy(k, b, a);
		axt_mats_identity(&k->x, n, b);
		power = -power;
	}
	for (; power; power >>= 1) {
		if (power & 1) {
			axt_mats_mul(&k->x, n, n, n, b, a, c);
			copy(k, c, b);
		}
		if (power > 1) {
			axt_mats_mul(&k->x, n, n, n, a, a, c);
			copy(k, c, a);
		}
	}
	return failed;
}

static const struct axt_matrix_fns power = { .order = ORDER, .work = power_work, .run = power_run };
AXT_MATRIX_GUFUNC(MATRIX_POWER, power, axt_matrix_like, axt_matrix_square)

/* ---- exponentials ---- */

static int64_t
expm_work(const struct axt_matrix *k)
{
	return 6 * size_of(k) + axt_mats_size(&k->x, LEN(k, 'm'));
}

/* How often the matrix of lane l is halved so that its 1-norm is at most 5.37. */
static int
halvings(const struct axt_matrix *k, int n, int l)
{
	double most = 0;
	int e;

	for (int j = 0; j < n; j++) {
		double sum = 0;

		for (int i = 0; i < n; i++) {
			const double *p = k->t[0] + AXT_MATS_AT(&k->x, n, n, i, j, 0, l);

			sum += k->x.parts == 2 ? axt_hypot(p[0], p[k->x.lanes]) : fabs(*p);
		}
		most = fmax(most, sum);
	}
	if (!(most > 5.371920351148152))
		return 0;
	frexp(most / 5.371920351148152, &e);
	return e;
}

/* a = x0 * b0 + x1 * b1 + x2 * b2 + x3 on the diagonal. */
static void
combine(const struct axt_matrix *k, double *a, double *const b[3], const double x[4])
{
	int n = LEN(k, 'm');

	for (int64_t i = 0; i < size_of(k); i++)
		a[i] = x[0] * b[0][i] + x[1] * b[1][i] + x[2] * b[2][i];
	for (int i = 0; i < n; i++)
		for (int l = 0; l < k->x.lanes; l++)
			a[AXT_MATS_AT(&k->x, n, n, i, i, 0, l)] += x[3];
}

static void
add(const struct axt_matrix *k, double *a, const double *b)
{
	for (int64_t i = 0; i < size_of(k); i++)
		a[i] += b[i];
}

/*
 * Computes exponentials: halves each matrix until it is small, takes Pade's approximation of order
 * 13, and squares as often as was halved. Source: Higham, The scaling and squaring method for the
 * matrix exponential revisited, 2005.
 */
static unsigned
expm_run(const struct axt_matrix *k, const char **why)
{
	static const double b[] = { 64764752532480000, 32382376266240000, 7771770303897600,
		1187353796428800, 129060195264000, 10559470521600, 670442572800, 33522128640,
		1323241920, 40840800, 960960, 16380, 182, 1 };
	int n = LEN(k, 'm'), half[AXT_LANES_MAX], most = 0, *exchange;
	double *a = k->t[0], *power[3], *u, *v, *w;
	unsigned failed;

	power[0] = k->work; /* the powers 6, 4 and 2 */
	power[1] = power[0] + size_of(k);
	power[2] = power[1] + size_of(k);
	u = power[2] + size_of(k);
	v = u + size_of(k);
	w = v + size_of(k);
	exchange = (int *)(w + size_of(k));
	for (int l = 0; l < k->x.lanes; l++) {
		half[l] = halvings(k, n, l);
		most = MAX(most, half[l]);
		for (int64_t i = l; i < (int64_t)n * n * k->x.parts * k->x.lanes; i += k->x.lanes)
			a[i] = ldexp(a[i], -half[l]);
	}
	axt_mats_mul(&k->x, n, n, n, a, a, power[2]);
	axt_mats_mul(&k->x, n, n, n, power[2], power[2], power[1]);
	axt_mats_mul(&k->x, n, n, n, power[1], power[2], power[0]);
	/* u = a (a^6 (b13 a^6 + b11 a^4 + b9 a^2) + b7 a^6 + b5 a^4 + b3 a^2 + b1) */
	combine(k, v, power, (const double[]){ b[13], b[11], b[9], 0 });
	axt_mats_mul(&k->x, n, n, n, power[0], v, w);
	combine(k, v, power, (const double[]){ b[7], b[5], b[3], b[1] });
	add(k, w, v);
	axt_mats_mul(&k->x, n, n, n, a, w, u);
	/* v = a^6 (b12 a^6 + b10 a^4 + b8 a^2) + b6 a^6 + b4 a^4 + b2 a^2 + b0 */
	combine(k, w, power, (const double[]){ b[12], b[10], b[8], 0 });
	axt_mats_mul(&k->x, n, n, n, power[0], w, v);
	combine(k, w, power, (const double[]){ b[6], b[4], b[2], b[0] });
	add(k, v, w);
	/* (v - u) x = v + u */
	for (int64_t i = 0; i < size_of(k); i++) {
		a[i] = v[i] - u[i];
		k->t[1][i] = v[i] + u[i];
	}
	*why = "the exponential was not found";
	failed = axt_mats_lu(&k->x, n, a, exchange);
	axt_mats_lu_solve(&k->x, n, a, exchange, k->t[1], n);
	for (int s = 0; s < most; s++) {
		axt_mats_mul(&k->x, n, n, n, k->t[1], k->t[1], w);
		for (int l = 0; l < k->x.lanes; l++)
			for (int64_t i = l; s < half[l] && i < size_of(k); i += k->x.lanes)
				k->t[1][i] = w[i];
	}
	return failed;
}

static const struct axt_matrix_fns expm = { .order = ORDER, .work = expm_work, .run = expm_run };
AXT_MATRIX_GUFUNC(EXPM, expm, axt_matrix_like, axt_matrix_square)
