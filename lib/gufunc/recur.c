/*
 * recur.c - linear recurrences along an axis: each result is a multiple of the one before it, plus
 * an element of the operand.
 */
#include "gufunc/gufunc.h"

#define ABREAST 64 /* calls that are gone through together, since they are often neighbours */

/* real dtypes; computed in f64 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX &&
	    axt_dtypes[in[1]].cls != AXT_CLASS_COMPLEX;

	in[0] = in[1] = out[0] = AXT_F64;
	return real;
}

/* The product, minimum or maximum of y and x; NaN if one of them is. */
static double
both(int64_t how, double y, double x)
{
	if (how == AXT_RECUR_PROD)
		return y * x;
	return (how == AXT_RECUR_MIN ? y < x : y > x) || y != y ? y : x;
}

/*
 * Computes y[i] = a[i] * y[i - 1] + x[i], where y[-1] is 0. If n[0] is set, it goes from the last
 * element to the first. n[1] is of enum axt_recur: if it is set, y[i] is x[i] where a[i] is 0, even
 * if y[i - 1] is NaN or infinite, and elsewhere the sum, product, minimum or maximum of y[i - 1]
 * and x[i].
 */
static bool
calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *tx = &k->t[0], *ta = &k->t[1], *ty = &k->t[2];
	int64_t n = k->len['n' - 'a'];
	int64_t how = k->args->n[1];
	bool sums = how <= AXT_RECUR_SUM;

	for (int64_t from = 0, m; from < k->calls; from += m) {
		double last[ABREAST] = { 0 };

		m = MIN(ABREAST, k->calls - from);
		for (int64_t j = 0; j < n; j++) {
			int64_t i = k->args->n[0] ? n - 1 - j : j;
			const axt_operand_f64 *x = (const axt_operand_f64 *)tx->p +
			    i * tx->stride[0] + from * tx->step;
			const axt_operand_f64 *a = (const axt_operand_f64 *)ta->p +
			    i * ta->stride[0] + from * ta->step;
			double *y = (double *)ty->p + i * ty->stride[0] + from * ty->step;

			for (int64_t c = 0; c < m; c++) {
				double f = a[c * ta->step];

				if (sums)
					last[c] = (j && !(how && f == 0) ? f * last[c] : 0) +
					    x[c * tx->step];
				else
					last[c] = j && f != 0 ? both(how, last[c], x[c * tx->step])
							      : x[c * tx->step];
				y[c * ty->step] = last[c];
			}
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_LINEAR = { .dtypes = dtypes, .calls = calls, .like = 1 };
