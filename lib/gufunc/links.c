/*
 * links.c - fields on the cells of another grid. Each new cell is the sum of old ones, each times a
 * weight: which ones, and how much they count, are the links of the cell. Operands: a field; where
 * the links of each new cell begin, and those of the last one end; the old cell and the weight of
 * each link.
 */
#include <math.h>

#include "gufunc/gufunc.h"

#define ABREAST 4       /* fields that are done together, so that links are read once for them */
#define MOST (64 << 20) /* bytes of them that are laid side by side */
#define NEARLY 1e-9     /* what a share may lack by errors of rounding */

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

/* What the links of a cell make of a field, of which they have found so much. */
static double
result(double sum, double weight, bool missing, const struct axt_gufunc_args *args)
{
	if (!(weight > 0 || weight < 0) || (missing && args->n[2]) ||
	    weight < args->x[0] * (1 - NEARLY))
		return NAN;
	return sum / weight;
}

typedef double vec __attribute__((vector_size(16)));
typedef int64_t bits __attribute__((vector_size(16)));
#define VECS (ABREAST / 2)

/* Some fields: where each begins, and how elements of it are found. */
struct fields {
	const uint8_t *p[ABREAST];
	const int64_t *from;
	const double *weight;
	int64_t columns, stride[2];
	int64_t step; /* bytes */
	bool even;    /* the elements of a field follow each other, a step from one to the next */
	bool narrow;  /* f32, and not f64 */
};

/* What links have found in each field. */
struct found {
	double sum[ABREAST], all[ABREAST];
	int64_t missing[ABREAST];
};

static inline int64_t
place(const struct fields *x, int64_t k)
{
	int64_t i = x->from[k];

	return x->even ? i * x->step
		       : (i / x->columns * x->stride[0] + i % x->columns * x->stride[1]) * x->step;
}

static inline double
element(const struct fields *x, int f, int64_t at, bool narrow)
{
	return narrow ? (double)*(const axt_operand_f32 *)(x->p[f] + at)
		      : *(const axt_operand_f64 *)(x->p[f] + at);
}

/* Sums of the links from k to end. Missing values add 0 to both sums. */
static inline void
add(const struct fields *x, int64_t k, int64_t end, bool narrow, struct found *out)
{
	vec sum[VECS] = { { 0 } }, all[VECS] = { { 0 } };
	bits missing[VECS] = { { 0 } };

	for (; k < end; k++) {
		vec w = { x->weight[k], x->weight[k] };
		int64_t at = place(x, k);

#pragma GCC unroll 2
		for (int f = 0; f < VECS; f++) {
			vec v = { element(x, 2 * f, at, narrow),
				element(x, 2 * f + 1, at, narrow) };
			bits there = v == v;

			sum[f] += (vec)((bits)(w * v) & there);
			all[f] += (vec)((bits)w & there);
			missing[f] |= ~there;
		}
	}
	memcpy(out->sum, sum, sizeof(sum));
	memcpy(out->all, all, sizeof(all));
	memcpy(out->missing, missing, sizeof(missing));
}

/* The value with the greatest weight. */
static void
choose(const struct fields *x, int64_t k, int64_t end, bool narrow, struct found *out)
{
	*out = (struct found){ .sum = { 0 } };
	for (; k < end; k++)
		for (int f = 0; f < ABREAST; f++) {
			double v = element(x, f, place(x, k), narrow);

			if (v != v) {
				out->missing[f] = -1;
			} else if (x->weight[k] > out->all[f]) {
				out->sum[f] = x->weight[k] * v;
				out->all[f] = x->weight[k];
			}
		}
}

/* The new cells of up to ABREAST calls. */
static void
rows(const struct axt_gufunc_calls *x, const struct fields *of, int64_t first, int n)
{
	const struct axt_gufunc_tensor *out = &x->t[4];
	const int64_t *start = x->t[1].p;
	int64_t columns = x->len['l' - 'a'], all = x->len['m' - 'a'] * columns;

	for (int64_t t = 0; t < all; t++) {
		struct found y;

		if (x->args->n[3])
			choose(of, start[t], start[t + 1], of->narrow, &y);
		else if (of->narrow)
			add(of, start[t], start[t + 1], true, &y);
		else
			add(of, start[t], start[t + 1], false, &y);
		for (int f = 0; f < n; f++)
			((double *)out->p)[(first + f) * out->step + t / columns * out->stride[0] +
			    t % columns * out->stride[1]] = result(y.sum[f], y.all[f], y.missing[f],
			    x->args);
	}
}

/*
 * Bytes for fields side by side, so that a link finds its old cell of all of them at one place in
 * memory; 0: they are too large.
 */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	int64_t bytes = x->len['n' - 'a'] * x->len['k' - 'a'] * ABREAST * axt_size(x->t[0].dtype);

	return bytes <= MOST ? bytes : 0;
}

/* Lays fields side by side. */
static void
lay(const struct axt_gufunc_calls *x, const struct fields *of, bool narrow)
{
	int64_t at = 0, stride = x->t[0].stride[1];

	for (int64_t n = 0; n < x->len['n' - 'a']; n++)
		for (int64_t k = 0; k < of->columns; k++, at += ABREAST)
			for (int f = 0; f < ABREAST; f++) {
				int64_t from = n * x->t[0].stride[0] + k * stride;

				if (narrow)
					((float *)x->work)[at + f] = ((
					    const axt_operand_f32 *)of->p[f])[from];
				else
					((double *)x->work)[at + f] = ((
					    const axt_operand_f64 *)of->p[f])[from];
			}
}

static bool
calls(struct axt_gufunc_calls *x)
{
	const struct axt_gufunc_tensor *in = &x->t[0];
	struct fields of = { .from = x->t[2].p,
		.weight = x->t[3].p,
		.columns = x->len['k' - 'a'],
		.stride = { in->stride[0], in->stride[1] },
		.narrow = in->dtype == AXT_F32,
		.step = axt_size(in->dtype) };
	bool beside = work(x) > 0 && x->calls > 1 && in->step != 1;

	of.even = beside ||
	    ((of.columns == 1 || in->stride[1] == 1) && in->stride[0] == of.columns);
	for (int64_t c = 0; c < x->calls; c += ABREAST) {
		int some = (int)MIN(ABREAST, x->calls - c), size = (int)axt_size(in->dtype);

		for (int f = 0; f < ABREAST; f++)
			of.p[f] = (const uint8_t *)in->p + (c + MIN(f, some - 1)) * in->step * size;
		if (beside) {
			lay(x, &of, of.narrow);
			of.step = ABREAST * size;
			for (int f = 0; f < ABREAST; f++)
				of.p[f] = (const uint8_t *)x->work + f * size;
		}
		rows(x, &of, c, some);
	}
	return true;
}

const struct axt_gufunc axt_gufunc_LINKS = { .dtypes = dtypes,
	.sizes = sizes,
	.work = work,
	.abreast = ABREAST,
	.calls = calls,
	.like = 1 };
