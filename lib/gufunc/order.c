/* order.c - what depends on the order of values along an axis: ranks, and weighted quantiles. */
#include <math.h>

#include "gufunc/gufunc.h"

/* A value as a number whose order is the values', and where it stands. */
struct item {
	uint64_t key;
	int64_t i;
};

#define NONE UINT64_MAX /* the key of NaN */

static uint64_t
key_of(enum axt_dtype d, const void *p)
{
	uint64_t u;
	double v;

	memcpy(&u, p, sizeof(u));
	if (d == AXT_U64)
		return u;
	if (d == AXT_I64)
		return u ^ (1ULL << 63);
	memcpy(&v, p, sizeof(v));
	if (v != v)
		return NONE;
	v += 0.0; /* -0 is 0 */
	memcpy(&u, &v, sizeof(u));
	return u >> 63 ? ~u : u | 1ULL << 63;
}

/*
 * Sorts n items by key; items with equal keys keep their order. other has room for n items. Returns
 * where the sorted items are: a or other.
 */
static struct item *
sorted(struct item *a, struct item *other, int64_t n)
{
	for (int64_t run = 1; run < n; run *= 2) {
		struct item *to = other;

		for (int64_t at = 0; at < n; at += 2 * run) {
			int64_t i = at, mid = MIN(at + run, n), j = mid, end = MIN(at + 2 * run, n);

			for (int64_t k = at; k < end; k++)
				to[k] = j == end || (i < mid && a[i].key <= a[j].key) ? a[i++]
										      : a[j++];
		}
		other = a;
		a = to;
	}
	return a;
}

/* The items of call c in order, and *n, how many have a value. */
static struct item *
in_order(const struct axt_gufunc_calls *k, int64_t c, int64_t *n)
{
	const struct axt_gufunc_tensor *t = &k->t[0];
	int64_t len = k->len['n' - 'a'];
	struct item *a = k->work;

	*n = 0;
	for (int64_t i = 0; i < len; i++) {
		const char *p = (const char *)t->p + (c * t->step + i * t->stride[0]) * 8;
		uint64_t key = key_of(t->dtype, p);

		if (t->dtype != AXT_F64 || key != NONE)
			a[(*n)++] = (struct item){ key, i };
	}
	return sorted(a, a + len, *n);
}

static int64_t
work(const struct axt_gufunc_calls *k)
{
	return 2 * k->len['n' - 'a'] * (int64_t)sizeof(struct item);
}

/* ---- ranks ---- */

/* All values are compared exactly: floats as f64, integers as i64 or u64. */
static bool
rank_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	enum axt_class c = axt_dtypes[in[0]].cls;

	if (in[0] != AXT_U64)
		in[0] = c == AXT_CLASS_FLOAT ? AXT_F64 : AXT_I64;
	out[0] = AXT_F64;
	return c != AXT_CLASS_COMPLEX;
}

/* The rank of the items [from, to), which are equal, in the order of the methods of axt_rank. */
static double
rank_of(int method, int64_t from, int64_t to, int64_t distinct)
{
	switch (method) {
	case 0: return (double)(from + 1 + to) / 2;
	case 1: return (double)(from + 1);
	case 2: return (double)to;
	default: return (double)distinct;
	}
}

static bool
rank_calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *out = &k->t[1];
	int method = k->args->n[0];

	for (int64_t c = 0, n; c < k->calls; c++) {
		const struct item *a = in_order(k, c, &n);
		double *y = (double *)out->p + c * out->step;

		for (int64_t i = 0; i < k->len['n' - 'a']; i++)
			y[i * out->stride[0]] = (double)NAN;
		for (int64_t from = 0, to, distinct = 1; from < n; from = to, distinct++) {
			for (to = from + 1; to < n && a[to].key == a[from].key; to++)
				;
			for (int64_t i = from; i < to; i++)
				y[a[i].i * out->stride[0]] = method == 4
				    ? (double)(i + 1)
				    : rank_of(method, from, to, distinct);
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_RANK = { .dtypes = rank_dtypes,
	.work = work,
	.calls = rank_calls };

/* ---- weighted quantiles ---- */

static bool
quantile_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX &&
	    axt_dtypes[in[1]].cls != AXT_CLASS_COMPLEX;

	in[0] = in[1] = out[0] = AXT_F64;
	return real;
}

/* The position in the weights, as part of their sum, from which value i of n' counts. */
static double
share(double part, double h, double n)
{
	double u = fmax((h - 1) / n, fmin(h / n, part));

	return u * n - h + 1;
}

/*
 * The weighted quantile of call c, of type 7 as xarray computes it. It takes n, the number of
 * values, for the square of the sum of the weights divided by the sum of their squares. Values of
 * weight 0 do not count.
 */
static double
quantile(const struct axt_gufunc_calls *k, int64_t c, const char **why)
{
	const struct axt_gufunc_tensor *tx = &k->t[0], *tw = &k->t[1];
	const axt_operand_f64 *x = (const axt_operand_f64 *)tx->p + c * tx->step,
			      *w = (const axt_operand_f64 *)tw->p + c * tw->step;
	double sum = 0, squares = 0, q = k->args->x[0], n, h, part = 0, y = 0, before, after;
	int64_t len = k->len['n' - 'a'], m;
	const struct item *a = in_order(k, c, &m);

	for (int64_t i = 0; i < m; i++) {
		double v = w[a[i].i * tw->stride[0]];

		if (v < 0)
			*why = "a weight is negative";
		sum += v;
		squares += v * v;
	}
	if ((m < len && !k->args->n[0]) || !(sum > 0))
		return (double)NAN;
	n = sum * sum / squares;
	h = (n - 1) * q + 1;
	before = share(0, h, n);
	for (int64_t i = 0; i < m; i++) {
		double v = w[a[i].i * tw->stride[0]] / sum;

		if (v == 0)
			continue;
		part += v;
		after = share(part, h, n);
		if (after > before)
			y += x[a[i].i * tx->stride[0]] * (after - before);
		before = after;
	}
	return y;
}

static bool
quantile_calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *out = &k->t[2];

	for (int64_t c = 0; c < k->calls; c++) {
		((double *)out->p)[c * out->step] = quantile(k, c, &k->why);
		if (k->why) {
			k->failed = c;
			return false;
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_WQUANTILE = { .dtypes = quantile_dtypes,
	.work = work,
	.calls = quantile_calls };
