/*
 * varimax.c - the varimax rotation of loadings (Kaiser 1958), as R's varimax and xeofs compute it:
 * the rotation for which the squares of each factor's loadings vary most, after each row of
 * loadings was divided by its length.
 */
#include <math.h>

#include "gufunc/gufunc.h"

#define SWEEPS 1000
#define SETTLED 1e-8 /* radians: one more sweep would turn by the square of this */
#define ROUNDING 1e-15
#define ABREAST 8 /* sums side by side, which are added at the end */

static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX;

	in[0] = out[0] = AXT_F64;
	return real;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	(void)args;
	len['k' - 'a'] = len['n' - 'a'];
	return NULL;
}

/* Columns of m loadings, which n factors have; the lengths of rows; the rotation; its order. */
struct loadings {
	int64_t m, n;
	double *x, *length, *turn, *variance;
	double rows; /* which are not 0 */
};

static int64_t
work(const struct axt_gufunc_calls *k)
{
	int64_t m = k->len['m' - 'a'], n = k->len['n' - 'a'];

	return 8 * (m * n + m + n * n + n);
}

static void
load(const struct axt_gufunc_calls *k, int64_t call, struct loadings *s)
{
	const axt_operand_f64 *from = (const axt_operand_f64 *)k->t[0].p + call * k->t[0].step;

	memset(s->length, 0, sizeof(double) * (size_t)s->m);
	for (int64_t j = 0; j < s->n; j++)
		for (int64_t i = 0; i < s->m; i++) {
			double v = from[i * k->t[0].stride[0] + j * k->t[0].stride[1]];

			s->x[j * s->m + i] = v;
			s->length[i] += v * v;
		}
	s->rows = 0;
	for (int64_t i = 0; i < s->m; i++) {
		s->length[i] = sqrt(s->length[i]);
		s->rows += s->length[i] != 0;
	}
	for (int64_t j = 0; j < s->n; j++)
		for (int64_t i = 0; i < s->m; i++)
			if (s->length[i] != 0)
				s->x[j * s->m + i] /= s->length[i];
	for (int64_t i = 0; i < s->n * s->n; i++)
		s->turn[i] = i % (s->n + 1) == 0;
}

/* Of x^2 - y^2 and 2 x y of each row: their sums, what turns them, and the size of that. */
struct moments {
	double u[ABREAST], v[ABREAST], re[ABREAST], im[ABREAST], all[ABREAST];
};

static void
add_row(struct moments *s, int lane, double x, double y)
{
	double u = x * x - y * y, v = 2 * x * y;

	s->u[lane] += u;
	s->v[lane] += v;
	s->re[lane] += u * u - v * v;
	s->im[lane] += 2 * u * v;
	s->all[lane] += u * u + v * v;
}

static double
total(const double *lane)
{
	double sum = 0;

	for (int l = 0; l < ABREAST; l++)
		sum += lane[l];
	return sum;
}

/* The angle by which columns x and y turn to have most variance of squares. */
static double
angle(const struct loadings *s, const double *x, const double *y)
{
	struct moments k = { 0 };
	double u, v, re, im;
	int64_t i = 0;

	for (; i + ABREAST <= s->m; i += ABREAST)
		for (int l = 0; l < ABREAST; l++)
			add_row(&k, l, x[i + l], y[i + l]);
	for (; i < s->m; i++)
		add_row(&k, 0, x[i], y[i]);
	u = total(k.u);
	v = total(k.v);
	re = total(k.re) - (u * u - v * v) / s->rows;
	im = total(k.im) - 2 * u * v / s->rows;
	/* where all angles are as good, rounding does not turn them */
	return axt_hypot(re, im) <= ROUNDING * (double)s->m * total(k.all) ? 0 : atan2(im, re) / 4;
}

static void
turn(double *x, double *y, int64_t n, double by)
{
	double c = cos(by), s = sin(by);

	for (int64_t i = 0; i < n; i++) {
		double a = x[i], b = y[i];

		x[i] = c * a + s * b;
		y[i] = c * b - s * a;
	}
}

/* Turns each pair of columns until none turns. Returns whether that came to an end. */
static bool
settle(struct loadings *s)
{
	double most = 1;

	for (int sweep = 0; sweep < SWEEPS && most > SETTLED; sweep++) {
		most = 0;
		for (int64_t p = 0; p < s->n; p++)
			for (int64_t q = p + 1; q < s->n; q++) {
				double *x = s->x + p * s->m, *y = s->x + q * s->m;
				double by = angle(s, x, y);

				turn(x, y, s->m, by);
				turn(s->turn + p * s->n, s->turn + q * s->n, s->n, by);
				most = MAX(most, fabs(by));
			}
	}
	return !(most > SETTLED);
}

/* The rotation, its factors by falling variance. */
static void
store(const struct axt_gufunc_calls *k, int64_t call, const struct loadings *s)
{
	double *to = (double *)k->t[1].p + call * k->t[1].step;

	for (int64_t j = 0; j < s->n; j++) {
		s->variance[j] = 0;
		for (int64_t i = 0; i < s->m; i++) {
			double v = s->x[j * s->m + i] * s->length[i];

			s->variance[j] += v * v;
		}
	}
	for (int64_t j = 0; j < s->n; j++) {
		int64_t at = 0;

		for (int64_t i = 0; i < s->n; i++)
			at += s->variance[i] > s->variance[j] ||
			    (i < j && !(s->variance[i] < s->variance[j]));
		for (int64_t i = 0; i < s->n; i++)
			to[i * k->t[1].stride[0] + at * k->t[1].stride[1]] = s->turn[j * s->n + i];
	}
}

static bool
calls(struct axt_gufunc_calls *k)
{
	struct loadings s = { .m = k->len['m' - 'a'], .n = k->len['n' - 'a'], .x = k->work };

	s.length = s.x + s.m * s.n;
	s.turn = s.length + s.m;
	s.variance = s.turn + s.n * s.n;
	for (int64_t call = 0; call < k->calls && k->t[1].p; call++) {
		load(k, call, &s);
		if (!settle(&s)) {
			k->failed = call;
			k->why = "the rotation did not settle";
			return false;
		}
		store(k, call, &s);
	}
	return true;
}

const struct axt_gufunc axt_gufunc_VARIMAX = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls
};
