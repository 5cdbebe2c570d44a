/*
 * links.c - fields on the cells of another grid. Each new cell is the sum of old ones, each times a
 * weight: which ones, and how much they count, are the links of the cell. Operands: a field; where
 * the links of each new cell begin, and those of the last one end; the old cell and the weight of
 * each link.
 */
#include <math.h>

#include "gufunc/gufunc.h"

#define ABREAST 8   /* fields that are done together, so that links are read once for them */
#define NEARLY 1e-9 /* what a share may lack by errors of rounding */

/*
 * Arguments: n[0], n[1]: rows and columns of the new cells; n[2]: a cell with a link to a missing
 * one is missing; n[3]: it is the old one with the greatest weight, instead of a sum; x[0]: the
 * share of a new cell that must not be missing, at least.
 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool narrow = axt_dtypes[in[0]].cls == AXT_CLASS_FLOAT && in[0] != AXT_F64,
	     real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX;

	in[0] = narrow ? AXT_F32 : AXT_F64;
	in[1] = in[2] = AXT_I64;
	in[3] = out[0] = AXT_F64;
	return real;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	len['m' - 'a'] = args->n[0];
	len['l' - 'a'] = args->n[1];
	return len['t' - 'a'] == (int64_t)args->n[0] * args->n[1] + 1
	    ? NULL
	    : "each new cell has a beginning of its links";
}

static double
element(const uint8_t *p, bool narrow)
{
	return narrow ? (double)*(const axt_operand_f32 *)p : *(const axt_operand_f64 *)p;
}

/* What the links of a cell make of a field, of which they have found so much. */
static double
result(double sum, double weight, bool missing, const struct axt_gufunc_args *args)
{
	if (!(weight > 0 || weight < 0) || (missing && args->n[2]) ||
	    weight < args->x[0] * (1 - NEARLY))
		return NAN;
	return sum / weight;
}

/* The new cells of up to ABREAST fields. */
static void
fields(const struct axt_gufunc_calls *x, int64_t first, int n, const int64_t *at)
{
	const struct axt_gufunc_tensor *in = &x->t[0], *out = &x->t[4];
	const int64_t *start = x->t[1].p;
	const double *weight = x->t[3].p;
	int64_t size = axt_size(in->dtype), columns = x->len['l' - 'a'], t = 0;
	bool narrow = in->dtype == AXT_F32, largest = x->args->n[3];

	for (int64_t m = 0; m < x->len['m' - 'a']; m++)
		for (int64_t l = 0; l < columns; l++, t++) {
			double sum[ABREAST] = { 0 }, all[ABREAST] = { 0 };
			bool missing[ABREAST] = { false };

			for (int64_t k = start[t]; k < start[t + 1]; k++)
				for (int f = 0; f < n; f++) {
					double v = element((const uint8_t *)in->p +
						(first + f) * in->step * size + at[k],
					    narrow);

					if (v != v) {
						missing[f] = true;
					} else if (!largest) {
						sum[f] += weight[k] * v;
						all[f] += weight[k];
					} else if (weight[k] > all[f]) {
						sum[f] = weight[k] * v;
						all[f] = weight[k];
					}
				}
			for (int f = 0; f < n; f++)
				((double *)out->p)[(first + f) * out->step + m * out->stride[0] +
				    l * out->stride[1]] = result(sum[f], all[f], missing[f],
				    x->args);
		}
}

/* Where the old cell of each link is in a field. */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	return x->len['j' - 'a'] * (int64_t)sizeof(int64_t);
}

static bool
calls(struct axt_gufunc_calls *x)
{
	const struct axt_gufunc_tensor *in = &x->t[0];
	const int64_t *from = x->t[2].p;
	int64_t columns = x->len['k' - 'a'], size = axt_size(in->dtype), *at = x->work;

	for (int64_t k = 0; k < x->len['j' - 'a']; k++)
		at[k] = (from[k] / columns * in->stride[0] + from[k] % columns * in->stride[1]) *
		    size;
	for (int64_t c = 0; c < x->calls; c += ABREAST)
		fields(x, c, (int)MIN(ABREAST, x->calls - c), at);
	return true;
}

const struct axt_gufunc axt_gufunc_LINKS = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls, .like = 1
};
