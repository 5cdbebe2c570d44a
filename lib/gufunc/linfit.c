/* linfit.c - fits a straight line to points by least squares: its slope and its intercept. */
#include <math.h>

#include "gufunc/gufunc.h"

#define ABREAST 64 /* calls whose sums are computed together */

/* real dtypes; computed in f64 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX &&
	    axt_dtypes[in[1]].cls != AXT_CLASS_COMPLEX;

	in[0] = in[1] = out[0] = out[1] = AXT_F64;
	return real;
}

/*
 * Of each of some calls: n points, the means x and y (their sums until all points are added), and
 * the sums xx and xy of the products of differences from the means.
 */
struct sums {
	double n[ABREAST], x[ABREAST], y[ABREAST], xx[ABREAST], xy[ABREAST];
};

static void
add_up(const struct axt_gufunc_calls *k, int64_t from, int64_t calls, struct sums *s)
{
	const struct axt_gufunc_tensor *tx = &k->t[0], *ty = &k->t[1];
	bool skip = k->args->n[0];

	memset(s, 0, sizeof(*s));
	for (int pass = 0; pass < 2; pass++) {
		for (int64_t i = 0; i < k->len['n' - 'a']; i++) {
			const axt_operand_f64 *x = (const axt_operand_f64 *)tx->p +
			    i * tx->stride[0];
			const axt_operand_f64 *y = (const axt_operand_f64 *)ty->p +
			    i * ty->stride[0];

			for (int64_t c = 0; c < calls; c++) {
				double a = x[(from + c) * tx->step], b = y[(from + c) * ty->step];

				if (skip && (a != a || b != b))
					continue;
				if (pass == 0) {
					s->n[c]++;
					s->x[c] += a;
					s->y[c] += b;
				} else {
					a -= s->x[c];
					s->xx[c] += a * a;
					s->xy[c] += a * (b - s->y[c]);
				}
			}
		}
		for (int64_t c = 0; c < calls && pass == 0; c++) {
			s->x[c] /= s->n[c];
			s->y[c] /= s->n[c];
		}
	}
}

/* A line needs two points; with fewer the results are NaN. */
static bool
calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *slope = &k->t[2], *intercept = &k->t[3];
	struct sums s;

	for (int64_t from = 0, n; from < k->calls; from += n) {
		n = MIN(ABREAST, k->calls - from);
		add_up(k, from, n, &s);
		for (int64_t c = 0; c < n; c++) {
			double b = s.n[c] < 2 ? __builtin_nan("") : s.xy[c] / s.xx[c];

			if (s.n[c] >= 2 && s.xx[c] == 0) {
				k->failed = from + c;
				k->why = "all points have the same x";
				return false;
			}
			if (slope->p)
				((double *)slope->p)[(from + c) * slope->step] = b;
			if (intercept->p)
				((double *)intercept->p)[(from + c) * intercept->step] = s.y[c] -
				    b * s.x[c];
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_LINFIT = { .dtypes = dtypes, .calls = calls };
