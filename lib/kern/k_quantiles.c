/*
 * k_quantiles.c - quantiles of lines: short lines are sorted side by side; in long ones single
 * elements are found by radix selection, or by counts of digits from several passes.
 */
#include "kern/prim.h"

#if !IS_COMPLEX && !IS_HALF

#include "kern/keys.h"

#define SELECT_MIN 2049 /* shorter lines are sorted instead; measured */

static double
value(int64_t k)
{
	K b = of_key((K)k, false);
	T v;

	memcpy(&v, &b, sizeof(v));
	return (double)v;
}

double
KERN_NAME(key_value)(uint64_t k)
{
	return value((key_t_)((U)k ^ (U)LEAST));
}

/* How many of n sorted keys, `step` apart, are not NaN. Keys of NaN come last. */
static int64_t
no_nan(const K *k, int64_t n, int64_t step)
{
	int64_t lo = 0, hi = n;

	while (FLOATS && lo < hi) {
		int64_t m = lo + (hi - lo) / 2;

		if (k[m * step] == MOST)
			hi = m;
		else
			lo = m + 1;
	}
	return FLOATS ? lo : n;
}

static void
quantile_short(double *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const double *q, int nq, bool skip, K *r)
{
	for (int64_t l = 0; l < lines; l += W) {
		int64_t w = MIN(W, lines - l);

		side_by_side(r, W, x + l * ls, n, w, es, ls);
		to_keys(r, n * W, false, false);
		sort_keys((key_t_ *)r, n);
		for (int64_t j = 0; j < w; j++) {
			int64_t m = no_nan(r + j, n, W), lo;
			double t;

			for (int i = 0; i < nq; i++) {
				double *o = out + i * lines + l + j;

				*o = NAN;
				if (m == 0 || (m < n && !skip))
					continue;
				lo = axt_quantile_at(q[i], m, &t);
				*o = axt_quantile_mix(value(r[lo * W + j]),
				    value(r[MIN(lo + 1, m - 1) * W + j]), t);
			}
		}
	}
}

/* The key of rank k among n, by radix selection; tmp has room for n keys. */
static K
select_key(const K *x, K *tmp, int64_t n, int64_t k)
{
	int64_t count[1 << DIGIT];

	for (int shift = NKEY; shift > 0 && n > 1;) {
		int bits = MIN(DIGIT, shift);
		U mask = (U)((1 << bits) - 1), b = 0;
		int64_t m = 0;

		shift -= bits;
#define OF(k) (((U)(k) ^ (U)LEAST) >> shift & mask)
		memset(count, 0, sizeof(count));
		for (int64_t i = 0; i < n; i++)
			count[OF(x[i])]++;
		for (; k >= count[b]; b++)
			k -= count[b];
		for (int64_t i = 0, end = count[b]; m < end; i++) {
			tmp[m] = x[i];
			m += OF(x[i]) == b;
		}
#undef OF
		x = tmp;
		n = m;
	}
	return x[0];
}

/* The keys of rank k and k + 1. */
static void
select_two(const K *x, K *tmp, int64_t n, int64_t k, K *a, K *b)
{
	int64_t upto = 0;
	key_t_ above = MOST, v;

	*a = *b = v = select_key(x, tmp, n, k);
	for (int64_t i = 0; i < n; i++) {
		upto += x[i] <= v;
		above = x[i] > v && x[i] < above ? x[i] : above;
	}
	if (upto <= k + 1)
		*b = above;
}

static void
quantile_long(double *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const double *q, int nq, bool skip, K *r)
{
	int64_t most = many(es);

	for (int64_t l = 0; l < lines; l += most) {
		int64_t w = MIN(most, lines - l);

		axt_kern_gather2(r, n, x + l * ls, w, n, ls, es, sizeof(T));
		to_keys(r, w * n, false, false);
		for (int64_t j = 0; j < w; j++) {
			const K *k = r + j * n;
			int64_t m = 0, lo;
			K a, b;
			double t;

			for (int64_t i = 0; i < n; i++)
				m += !FLOATS || k[i] != MOST;
			for (int i = 0; i < nq; i++) {
				double *o = out + i * lines + l + j;

				*o = NAN;
				if (m == 0 || (m < n && !skip))
					continue;
				lo = axt_quantile_at(q[i], m, &t);
				select_two(k, r + most * n, n, lo, &a, &b);
				*o = axt_quantile_mix(value(a), value(lo + 1 < m ? b : a), t);
			}
		}
	}
}

void
KERN_NAME(quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const double *q, int nq, bool skip, void *r)
{
	if (n >= SELECT_MIN)
		quantile_long(out, x, n, lines, es, ls, q, nq, skip, r);
	else
		quantile_short(out, x, n, lines, es, ls, q, nq, skip, r);
}

/* Counts the digits at bit `shift` of the keys, in hist[k] of those that begin with prefix[k]. */
void
KERN_NAME(count)(uint32_t *hist, const void *p, int64_t n, int shift, const uint64_t *prefix, int m)
{
	const K *x = p;

	if (shift + AXT_COUNT_BITS >= NKEY) {
		for (int64_t i = 0; i < n; i++)
			hist[((U)to_key(x[i], false, false) ^ (U)LEAST) >> shift]++;
		return;
	}
	for (int64_t i = 0; i < n; i++) {
		uint64_t u = ((U)to_key(x[i], false, false) ^ (U)LEAST) >> shift;

		for (int k = 0; k < m; k++)
			if (u >> AXT_COUNT_BITS == prefix[k])
				(hist + ((int64_t)k << AXT_COUNT_BITS))[u & AXT_COUNT_MASK]++;
	}
}

#endif
