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

/* ---- very short lines: only what the quantiles depend on is sorted ---- */

#define FEW 25          /* the most elements of such a line */
#define SWAPS 160       /* room for the pairs that the network of FEW elements compares: 138 */
#define ABREAST (4 * W) /* lines side by side */

/* A pair of rows that is put in order: both, or only the less or the greater where that is used. */
struct swap {
	uint8_t a, b;
	bool less, greater;
};
struct network {
	int n;
	struct swap s[SWAPS];
};

static void
add_swap(struct network *t, int64_t a, int64_t b)
{
	t->s[t->n++] = (struct swap){ (uint8_t)a, (uint8_t)b, true, true };
}

NETWORK(list_swaps, (struct network * t, int64_t n), add_swap(t, i, i + d))

/* Makes the network for the two elements on either side of each quantile of n elements. */
static void
make_network(struct network *t, int64_t n, const struct axt_quantile_of *q, int nq)
{
	bool used[FEW + 1] = { false };
	int kept = SWAPS;
	double x;

	t->n = 0;
	list_swaps(t, n);
	for (int i = 0; i < nq; i++) {
		int64_t lo = axt_quantile_at(&q[i], n, &x);

		used[lo] = true;
		used[MIN(lo + 1, n - 1)] |= x != 0;
	}
	for (int i = t->n - 1; i >= 0; i--) {
		struct swap s = t->s[i];

		s.less = used[s.a];
		s.greater = used[s.b];
		if (!s.less && !s.greater)
			continue;
		used[s.a] = used[s.b] = true;
		t->s[--kept] = s;
	}
	t->n = SWAPS - kept;
	memmove(t->s, t->s + kept, (size_t)t->n * sizeof(*t->s));
}

INLINE void
swap_rows(key_t_ *restrict a, key_t_ *restrict b, const bool less, const bool greater)
{
	for (int j = 0; j < ABREAST; j++) {
		key_t_ x = a[j], y = b[j];

		if (less)
			a[j] = x < y ? x : y;
		if (greater)
			b[j] = x < y ? y : x;
	}
}

static void
run_network(const struct network *t, key_t_ *r)
{
	for (int i = 0; i < t->n; i++) {
		const struct swap *s = &t->s[i];
		key_t_ *a = r + s->a * ABREAST, *b = r + s->b * ABREAST;

		if (s->less && s->greater)
			swap_rows(a, b, true, true);
		else if (s->less)
			swap_rows(a, b, true, false);
		else
			swap_rows(a, b, false, true);
	}
}

/* Makes keys of ABREAST lines, and returns whether one is that of NaN. */
static bool
few_keys(K *r, int64_t n)
{
	K bad = 0;

	for (int64_t i = 0; i < n; i++)
		IVDEP for (int j = 0; j < ABREAST; j++)
		{
			K k = to_key(r[i * ABREAST + j], false, false);

			r[i * ABREAST + j] = k;
			bad |= k == MOST;
		}
	return FLOATS && bad;
}

/* The quantile t of the way from keys a to keys b, for w lines without NaN. */
static void
mix_rows(double *out, const K *a, const K *b, double t, int64_t w)
{
	if (t == 0)
		for (int64_t j = 0; j < w; j++)
			out[j] = value(a[j]);
	else
		for (int64_t j = 0; j < w; j++)
			out[j] = axt_quantile_mix(value(a[j]), value(b[j]), t);
}

/*
 * Does the lines from l on, ABREAST of them at a time, until one has NaN or too few are left.
 * Returns where it ended.
 */
static int64_t
quantile_few(double *out, const T *x, int64_t n, int64_t lines, int64_t ld, int64_t l,
    const struct axt_quantile_of *q, int nq, const struct network *t)
{
	key_t_ r[FEW * ABREAST];

	for (; l + ABREAST <= lines; l += ABREAST) {
		for (int64_t i = 0; i < n; i++)
			memcpy(r + i * ABREAST, x + i * ld + l, ABREAST * sizeof(T));
		if (few_keys(r, n))
			break;
		run_network(t, r);
		for (int i = 0; i < nq; i++) {
			double f;
			int64_t lo = axt_quantile_at(&q[i], n, &f);

			mix_rows(out + i * lines + l, r + lo * ABREAST,
			    r + MIN(lo + 1, n - 1) * ABREAST, f, ABREAST);
		}
	}
	return l;
}

static void
quantile_short(double *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const struct axt_quantile_of *q, int nq, bool skip, K *r)
{
	struct network t;
	bool few = n <= FEW && ls == 1;

	if (few)
		make_network(&t, n, q, nq);
	for (int64_t l = 0; l < lines; l += W) {
		int64_t w;

		if (few && (l = quantile_few(out, x, n, lines, es, l, q, nq, &t)) >= lines)
			break;
		w = MIN(W, lines - l);
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
				lo = axt_quantile_at(&q[i], m, &t);
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
    const struct axt_quantile_of *q, int nq, bool skip, K *r)
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
				lo = axt_quantile_at(&q[i], m, &t);
				select_two(k, r + most * n, n, lo, &a, &b);
				*o = axt_quantile_mix(value(a), value(lo + 1 < m ? b : a), t);
			}
		}
	}
}

void
KERN_NAME(quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const struct axt_quantile_of *q, int nq, bool skip, void *r)
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
