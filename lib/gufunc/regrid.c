/*
 * regrid.c - means over the cells of another grid, along two axes at once. For each of the two axes
 * there are links, which say how the cells of both grids overlap. A link is three numbers: the
 * target cell, the source cell and how much they overlap. Links are in the order of targets.
 */
#include <math.h>

#include "gufunc/gufunc.h"

enum { TARGET, SOURCE, OVERLAP };

static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool narrow = axt_dtypes[in[0]].cls == AXT_CLASS_FLOAT && in[0] != AXT_F64,
	     real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX;

	in[0] = narrow ? AXT_F32 : AXT_F64;
	in[1] = in[2] = out[0] = AXT_F64;
	return real;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	len['m' - 'a'] = args->n[0];
	len['l' - 'a'] = args->n[1];
	return len['t' - 'a'] == 3 ? NULL : "a link has three numbers";
}

/* A line of weighted values, and one of weights. */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	return 2 * x->len['k' - 'a'] * (int64_t)sizeof(double);
}

/* Number `what` of link i of operand t. */
static double
link(const struct axt_gufunc_tensor *t, int64_t i, int what)
{
	return ((const axt_operand_f64 *)t->p)[i * t->stride[0] + what * t->stride[1]];
}

/* Adds w times the n values at in to sum, and w to the weight of each that is not missing. */
#define ADD(NAME, TYPE)                                                                 \
	static void NAME(const void *from, int64_t s, int64_t n, double w, double *sum, \
	    double *weight)                                                             \
	{                                                                               \
		const TYPE *in = from;                                                  \
                                                                                        \
		for (int64_t k = 0; k < n; k++) {                                       \
			double v = (double)in[k * s];                                   \
                                                                                        \
			sum[k] += v == v ? w * v : 0;                                   \
			weight[k] += v == v ? w : 0;                                    \
		}                                                                       \
	}
ADD(add_f32, axt_operand_f32)
ADD(add_f64, axt_operand_f64)

static bool
calls(struct axt_gufunc_calls *x)
{
	const struct axt_gufunc_tensor *in = &x->t[0], *row = &x->t[1], *col = &x->t[2],
				       *out = &x->t[3];
	int64_t n = x->len['k' - 'a'], rows = x->len['r' - 'a'], cols = x->len['c' - 'a'],
		size = axt_size(in->dtype);
	double *sum = x->work, *weight = sum + n;
	void (*add)(const void *, int64_t, int64_t, double, double *,
	    double *) = in->dtype == AXT_F32 ? add_f32 : add_f64;

	for (int64_t c = 0; c < x->calls; c++) {
		const uint8_t *field = (const uint8_t *)in->p + c * in->step * size;
		double *to = (double *)out->p + c * out->step;

		for (int64_t m = 0, r = 0; m < x->len['m' - 'a']; m++) {
			double *line = to + m * out->stride[0];

			memset(sum, 0, 2 * (size_t)n * sizeof(*sum));
			for (; r < rows && link(row, r, TARGET) == (double)m; r++)
				add(field + (int64_t)link(row, r, SOURCE) * in->stride[0] * size,
				    in->stride[1], n, link(row, r, OVERLAP), sum, weight);
			for (int64_t l = 0, k = 0; l < x->len['l' - 'a']; l++) {
				double s = 0, w = 0;

				for (; k < cols && link(col, k, TARGET) == (double)l; k++) {
					int64_t at = (int64_t)link(col, k, SOURCE);

					s += link(col, k, OVERLAP) * sum[at];
					w += link(col, k, OVERLAP) * weight[at];
				}
				line[l * out->stride[1]] = w > 0 ? s / w : NAN;
			}
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_REGRID = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls, .like = 1
};
