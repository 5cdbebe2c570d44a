/*
 * k_moments.c - var and std, whose states are the count (or weight), the mean and the sum of
 * squared deviations, merged as Chan, Golub and LeVeque (1979) do; and logsumexp, whose state is
 * the largest value and the sum of exponentials relative to it.
 *
 * A mean is stored as its distance from one of the elements, the shift. So its digits tell how the
 * elements differ, however far from zero they are, and equal elements have a variance of exactly 0.
 * The shift is subtracted from integers of 64 bits before they are converted to f64, which has not
 * all their digits. If the integers of a block are near the shift, vectors convert their distances.
 */
#include "kern/red.h"

#if RED_FLOAT || RED_INT
/* What distances are from, and whether there is a value: it is no NaN. */
#if RED_FLOAT
typedef double S;
#define HERE(v) ((v) == (v))
#define PICK_S pick
#else
typedef T S;
#define HERE(v) ((void)(v), 1)
#define PICK_S(c, a, b) ((T)pick_i64(c, (int64_t)(a), (int64_t)(b)))
#endif
#define SHIFT(a) ((S *)(a)->p[3])

struct moments {
	double n, mean, m2; /* the mean is shift + mean */
	S shift;
};

#if RED_FLOAT
INLINE double
distance(S x, S from)
{
	return x - from;
}

INLINE struct lanes
lanes_distance(const T *x, S from)
{
	struct lanes v = lanes_load(x);

	EACH_VEC (k)
		v.v[k] -= from;
	return v;
}

INLINE vi
lanes_here(const T *x, int k)
{
	vd v = vd_load(x + k * WIDTH);

	return v == v;
}

/* Floats are subtracted alike, near and far. */
#define IS_FAR(x, from) ((void)(x), (void)(from), 1)
#define distance_near distance
#define lanes_near lanes_distance
#else
/*
 * Whether x - from may not fit in 51 bits. The subtraction is done modulo 2^64, so numbers that are
 * far apart could seem near. They are found by their first bits: signed x is far if `from` is
 * beyond +-2^62, unsigned x if one of the two is at least 2^63 and the other is not.
 */
INLINE uint64_t
is_far(T x, T from)
{
	uint64_t ends = IS_SIGNED ? (uint64_t)from + (1ULL << 62) : (uint64_t)(x ^ from);

	return ((uint64_t)x - (uint64_t)from + (1ULL << 50)) >> 51 | ends >> 63;
}
#define IS_FAR(x, from) is_far(x, from)

/* 1.5 * 2^52: added to the bits of this number, d is added to the number itself. */
#define MAGIC 6755399441055744.0
#define MAGIC_BITS 0x4338000000000000
typedef uint64_t vu __attribute__((vector_size(VEC_BYTES)));

INLINE double
distance_near(T x, T from)
{
	int64_t bits = (int64_t)((uint64_t)x - (uint64_t)from + MAGIC_BITS);
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d - MAGIC;
}

INLINE struct lanes
lanes_near(const T *x, T from)
{
	struct lanes l;
	vu v;

	EACH_VEC (k) {
		memcpy(&v, x + k * WIDTH, sizeof(v));
		l.v[k] = (vd)(v + (MAGIC_BITS - (uint64_t)from)) - MAGIC;
	}
	return l;
}

INLINE double
distance(T x, T from)
{
	int64_t d;

	if (!__builtin_sub_overflow(x, from, &d))
		return (double)d;
	return x > from ? (double)((uint64_t)x - (uint64_t)from)
			: -(double)((uint64_t)from - (uint64_t)x);
}

INLINE struct lanes
lanes_distance(const T *x, T from)
{
	double d[LANES];

	for (int i = 0; i < LANES; i++)
		d[i] = distance(x[i], from);
	return lanes_load64(d);
}

INLINE vi
lanes_here(const T *x, int k)
{
	(void)x, (void)k;
	return (vi){ 0 } - 1;
}
#endif

/* near: the distance of the two shifts is small (IS_FAR). */
INLINE void
moments_join(struct moments *a, struct moments b, const bool near)
{
	double n = a->n + b.n,
	       far = near ? distance_near(b.shift, a->shift) : distance(b.shift, a->shift),
	       d = far + (b.mean - a->mean);
	double mean = a->mean + d * (b.n / n), m2 = (a->m2 + b.m2) + (d * d) * (a->n * b.n / n);
	int64_t copy = a->n == 0, keep = b.n == 0;

	a->mean = pick(keep, a->mean, pick(copy, b.mean, mean));
	a->m2 = pick(keep, a->m2, pick(copy, b.m2, m2));
	a->shift = PICK_S(copy, b.shift, a->shift);
	a->n = n;
}

INLINE void
moments_merge(struct moments *a, struct moments b)
{
	moments_join(a, b, false);
}

/*
 * Adds 16 elements, one to each lane, of which only the first `rest` exist: to s their distances
 * from `shift` (or, if `squares`, the squares of their distances from shift + mean), to c their
 * count or weight.
 */
INLINE void
lanes_add(struct lanes *s, struct lanes *c, const T *x, const double *w, int64_t rest, S shift,
    double mean, const bool squares, const bool near, const bool skip, const bool weighted)
{
	struct lanes v = near ? lanes_near(x, shift) : lanes_distance(x, shift), u = { 0 };

	if (weighted)
		u = lanes_load64(w);
	EACH_VEC (k) {
		vi ok = (vi){ 0 } - 1;
		vd one = weighted ? u.v[k] : (vd){ 0 } + 1, d = v.v[k];

		if (rest < LANES)
			for (int j = 0; j < WIDTH; j++)
				ok[j] = k * WIDTH + j < rest ? -1 : 0;
		if (skip)
			ok &= lanes_here(x, k);
		d = squares ? (d - mean) * (d - mean) : d;
		if (weighted)
			d *= u.v[k];
		s->v[k] += vd_and(d, ok);
		c->v[k] += vd_and(one, ok);
	}
}

/* The sums of one block, in one pass. */
INLINE struct moments
pass(const T *x, const double *w, int64_t n, S shift, double mean, const bool squares,
    const bool near, const bool skip, const bool weighted)
{
	struct lanes s = { 0 }, c = { 0 };
	int64_t i = 0;

	for (; i + LANES <= n; i += LANES)
		lanes_add(&s, &c, x + i, weighted ? w + i : NULL, LANES, shift, mean, squares, near,
		    skip, weighted);
	if (i < n) {
		T tx[LANES] = { 0 };
		double tw[LANES] = { 0 };

		memcpy(tx, x + i, (n - i) * sizeof(T));
		if (weighted)
			memcpy(tw, w + i, (n - i) * sizeof(double));
		lanes_add(&s, &c, tx, tw, n - i, shift, mean, squares, near, skip, weighted);
	}
	return (struct moments){ lanes_sum(c), 0, lanes_sum(s), shift };
}

INLINE struct moments
passes(const T *x, const double *w, int64_t n, S shift, const bool near, const bool skip,
    const bool weighted)
{
	struct moments a = pass(x, w, n, shift, 0, false, near, skip, weighted), b;

	if (a.n == 0)
		return (struct moments){ 0 };
	a.mean = a.m2 / a.n;
	b = pass(x, w, n, a.shift, a.mean, true, near, skip, weighted);
	return (struct moments){ a.n, a.mean, b.m2, a.shift };
}

INLINE struct moments
block_moments(const T *x, const double *w, int64_t n, const bool skip, const bool weighted)
{
	int64_t first = 0;
	uint64_t far = RED_FLOAT;
	S shift;

	while (skip && first + 1 < n && !HERE(x[first]))
		first++;
	shift = n > 0 ? (S)x[first] : 0;
	for (int64_t i = 0; i < n && !RED_FLOAT; i++)
		far |= IS_FAR(x[i], shift);
	return far ? passes(x, w, n, shift, false, skip, weighted)
		   : passes(x, w, n, shift, true, skip, weighted);
}

static void
init_moments(struct axt_acc *a, int64_t k, int64_t n)
{
	for (int q = 0; q < 4; q++)
		memset(P(a, q) + k, 0, n * sizeof(double));
}

static void
merge_moments(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n)
{
	IVDEP for (int64_t i = 0; i < n; i++)
	{
		struct moments m = { P(a, 0)[k + i], P(a, 1)[k + i], P(a, 2)[k + i],
			SHIFT(a)[k + i] };

		moments_merge(&m,
		    (struct moments){ P(b, 0)[j + i], P(b, 1)[j + i], P(b, 2)[j + i],
			SHIFT(b)[j + i] });
		P(a, 0)[k + i] = m.n;
		P(a, 1)[k + i] = m.mean;
		P(a, 2)[k + i] = m.m2;
		SHIFT(a)[k + i] = m.shift;
	}
}

/*
 * Does one pass of passes() for m <= SIDE blocks of n elements that lie side by side: sums go to s,
 * counts or weights to c. The shift of a block is its first element. If NaN is skipped, the first
 * pass replaces a shift that is NaN by the block's first element that is not.
 */
INLINE void
side_pass(double *s, double *c, S *shift, const double *mean, const T *x, const double *w,
    int64_t n, int64_t m, int64_t ld, int64_t ldw, const bool squares, const bool near,
    const bool skip, const bool weighted)
{
	struct side a, b;

	for (int64_t i = 0; i < n; i++) {
		const T *row = x + i * ld;
		const double *u = weighted ? w + i * ldw : NULL;
		double *la = a.v[i % LANES], *lb = b.v[i % LANES];

		IVDEP for (int64_t j = 0; j < m; j++)
		{
			S v = (S)row[j];
			double one = weighted ? u[j] : 1, d;
			int64_t ok = HERE(v);

			if (skip && !squares)
				shift[j] = PICK_S(HERE(shift[j]), shift[j], v);
			d = near ? distance_near(v, shift[j]) : distance(v, shift[j]);
			d = squares ? (d - mean[j]) * (d - mean[j]) : d;
			if (weighted)
				d *= one;
			la[j] = (i < LANES ? 0 : la[j]) + (skip ? pick(ok, d, 0) : d);
			if (!squares)
				lb[j] = (i < LANES ? 0 : lb[j]) + (skip ? pick(ok, one, 0) : one);
		}
	}
	side_sum(&a, n, m);
	memcpy(s, a.v[0], (size_t)m * sizeof(double));
	if (squares)
		return;
	side_sum(&b, n, m);
	memcpy(c, b.v[0], (size_t)m * sizeof(double));
}

INLINE void
side_passes(struct axt_acc *a, int64_t k, S *shift, const T *x, const double *w, int64_t n,
    int64_t m, int64_t ld, int64_t ldw, const bool near, const bool skip, const bool weighted)
{
	double *c = P(a, 0) + k, *mean = P(a, 1) + k, *m2 = P(a, 2) + k;

	side_pass(mean, c, shift, NULL, x, w, n, m, ld, ldw, false, near, skip, weighted);
	for (int64_t j = 0; j < m; j++)
		mean[j] = c[j] == 0 ? 0 : mean[j] / c[j];
	side_pass(m2, NULL, shift, mean, x, w, n, m, ld, ldw, true, near, skip, weighted);
	for (int64_t j = 0; j < m; j++) {
		m2[j] = c[j] == 0 ? 0 : m2[j];
		SHIFT(a)[k + j] = c[j] == 0 ? 0 : shift[j];
	}
}

/* Whether an element of n rows of m is far from the shift of its column. */
INLINE uint64_t
far_rows(const T *x, const S *shift, int64_t n, int64_t m, int64_t ld)
{
	uint64_t far = RED_FLOAT;

	for (int64_t i = 0; i < n && !RED_FLOAT; i++)
		for (int64_t j = 0; j < m; j++)
			far |= IS_FAR(x[i * ld + j], shift[j]);
	return far;
}

INLINE void
side_moments(struct axt_acc *a, int64_t k, const T *x, const double *w, int64_t n, int64_t m,
    int64_t ld, int64_t ldw, const bool skip, const bool weighted)
{
	S shift[SIDE];

	for (int64_t j = 0; j < m; j++)
		shift[j] = n > 0 ? (S)x[j] : 0;
	if (far_rows(x, shift, n, m, ld))
		side_passes(a, k, shift, x, w, n, m, ld, ldw, false, skip, weighted);
	else
		side_passes(a, k, shift, x, w, n, m, ld, ldw, true, skip, weighted);
}

INLINE void
row_moments(struct axt_acc *a, int64_t k, const T *x, const double *w, int64_t n, int64_t ld,
    const int R, const bool near, const bool skip, const bool weighted)
{
	double *c = P(a, 0) + k, *mean = P(a, 1) + k, *m2 = P(a, 2) + k;
	S *shift = SHIFT(a) + k;

	IVDEP for (int64_t i = 0; i < n; i++)
	{
		struct moments m = { c[i], mean[i], m2[i], shift[i] };

		for (int r = 0; r < R; r++) {
			S v = (S)x[r * ld + i];
			double u = weighted ? w[r * n + i] : 1;
			double d = (double)(v - v); /* NaN for NaN and infinity */
			int64_t ok = HERE(v);

			moments_join(&m, (struct moments){ skip ? pick(ok, u, 0) : u, d, d, v },
			    near);
		}
		c[i] = m.n;
		mean[i] = m.mean;
		m2[i] = m.m2;
		shift[i] = m.shift;
	}
}

INLINE void
rows_moments(struct axt_acc *a, int64_t k, const T *x, const double *w, int64_t rows, int64_t n,
    int64_t ld, const bool near, const bool skip, const bool weighted)
{
	int64_t r = 0;

	for (; r + 4 <= rows; r += 4)
		row_moments(a, k, x + r * ld, w ? w + r * n : NULL, n, ld, 4, near, skip, weighted);
	for (; r < rows; r++)
		row_moments(a, k, x + r * ld, w ? w + r * n : NULL, n, ld, 1, near, skip, weighted);
}

#define MOMENTS(name, skip, weighted)                                                           \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,  \
	    int64_t n, int64_t index)                                                           \
	{                                                                                       \
		struct moments m = block_moments(x, w, n, skip, weighted);                      \
                                                                                                \
		(void)index;                                                                    \
		P(a, 0)[k] = m.n;                                                               \
		P(a, 1)[k] = m.mean;                                                            \
		P(a, 2)[k] = m.m2;                                                              \
		SHIFT(a)[k] = m.shift;                                                          \
	}                                                                                       \
	static void blocks_##name(struct axt_acc *a, int64_t k, const void *x, const double *w, \
	    int64_t n, int64_t m, int64_t ld)                                                   \
	{                                                                                       \
		for (int64_t j = 0; j < m; j += SIDE)                                           \
			side_moments(a, k + j, (const T *)x + j, w ? w + j : NULL, n,           \
			    MIN(SIDE, m - j), ld, m, skip, weighted);                           \
	}                                                                                       \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,  \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                   \
	{                                                                                       \
		(void)index, (void)step;                                                        \
		if (far_rows(in, SHIFT(a) + k, rows, n, ld))                                    \
			rows_moments(a, k, in, w, rows, n, ld, false, skip, weighted);          \
		else                                                                            \
			rows_moments(a, k, in, w, rows, n, ld, true, skip, weighted);           \
	}
MOMENTS(plain, false, false)
MOMENTS(skip, true, false)
MOMENTS(weighted, false, true)
MOMENTS(weighted_skip, true, true)

static void
finish_var(FINISH_ARGS)
{
	(void)count;
	for (int64_t i = k; i < k + n; i++) {
		double free = P(a, 0)[i] - ddof;

		((double *)out)[i - k] = free > 0 ? P(a, 2)[i] / free : (double)NAN;
	}
}

static void
finish_std(FINISH_ARGS)
{
	finish_var(out, a, k, n, count, ddof);
	for (int64_t i = 0; i < n; i++)
		((double *)out)[i] = sqrt(((double *)out)[i]);
}

#endif

#if RED_FLOAT
#include "kern/sleef.h"

/* ---- logsumexp: plane 0 has the largest value, plane 1 the sum of exp(x - largest) ---- */

static void
vec_exp(double *out, const double *x, int64_t n)
{
	vec1_f64(out, x, n, (vec1_f64_fn *)SLEEF64(exp, u10));
}

static void
init_lse(struct axt_acc *a, int64_t k, int64_t n)
{
	for (int64_t i = k; i < k + n; i++) {
		P(a, 0)[i] = -(double)INFINITY;
		P(a, 1)[i] = 0;
	}
}

INLINE void
block_lse(struct axt_acc *a, int64_t k, const T *x, int64_t n, const bool skip)
{
	double e[AXT_BLOCK + LANES], m = -(double)INFINITY;
	struct lanes s = { 0 };
	int64_t full = (n + LANES - 1) / LANES * LANES;

	for (int64_t i = 0; i < n; i++) {
		double v = (double)x[i];

		m = (skip || v == v) && !(v > m) ? m : m != m ? m : v;
	}
	for (int64_t i = 0; i < full; i++) {
		double v = i < n ? (double)x[i] : (double)NAN;

		e[i] = v == m ? 0 : (skip && v != v) || i >= n ? -(double)INFINITY : v - m;
	}
	vec_exp(e, e, full);
	for (int64_t i = 0; i < full; i += LANES) {
		struct lanes l = lanes_load64(e + i);

		EACH_VEC (q)
			s.v[q] += l.v[q];
	}
	P(a, 0)[k] = m;
	P(a, 1)[k] = lanes_sum(s);
}

/* Merges (m, s) and (v, t), where t != 0 and e = exp(-|m - v|), or 1 where m and v are equal. */
INLINE void
lse_merge(double *m, double *s, double v, double t, double e)
{
	bool over = v > *m;
	double merged = over ? t + *s * e : *s + t * e;
	bool copy = *s == 0;

	*s = copy ? t : merged;
	*m = copy || over ? v : *m;
}

static void
merge_lse(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n)
{
	double e[SIDE];

	for (int64_t c = 0, w; c < n; c += w) {
		double *m = P(a, 0) + k + c, *s = P(a, 1) + k + c;
		const double *v = P(b, 0) + j + c, *t = P(b, 1) + j + c;

		w = MIN(n - c, SIDE);
		for (int64_t i = 0; i < w; i++)
			e[i] = m[i] == v[i] ? 0 : -fabs(m[i] - v[i]);
		vec_exp(e, e, w);
		for (int64_t i = 0; i < w; i++)
			if (t[i] != 0)
				lse_merge(m + i, s + i, v[i], t[i], e[i]);
	}
}

/* For m <= SIDE blocks of n elements: the largest of each, and the sum of exponentials. */
INLINE void
side_lse(double *most, double *sum, const T *x, int64_t n, int64_t m, int64_t ld, const bool skip)
{
	struct side a;
	double e[SIDE];

	for (int64_t j = 0; j < m; j++)
		most[j] = -(double)INFINITY;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++) {
			double v = (double)x[i * ld + j], b = most[j];

			most[j] = (skip || v == v) && !(v > b) ? b : b != b ? b : v;
		}
	for (int64_t i = 0; i < n; i++) {
		double *l = a.v[i % LANES];

		for (int64_t j = 0; j < m; j++) {
			double v = (double)x[i * ld + j];

			e[j] = v == most[j] ? 0 : skip && v != v ? -(double)INFINITY : v - most[j];
		}
		vec_exp(e, e, m);
		for (int64_t j = 0; j < m; j++)
			l[j] = (i < LANES ? 0 : l[j]) + e[j];
	}
	side_sum(&a, n, m);
	memcpy(sum, a.v[0], (size_t)m * sizeof(double));
}

INLINE void
rows_lse(struct axt_acc *a, int64_t k, const T *in, int64_t rows, int64_t n, int64_t ld,
    const bool skip)
{
	enum { W = 256 };
	double e[W];

	for (int64_t c = 0; c < n; c += W) {
		int64_t w = MIN(n - c, W);
		double *m = P(a, 0) + k + c, *s = P(a, 1) + k + c;

		for (int64_t r = 0; r < rows; r++) {
			const T *x = in + r * ld + c;

			for (int64_t i = 0; i < w; i++)
				e[i] = x[i] == m[i] ? 0 : -fabs((double)x[i] - m[i]);
			vec_exp(e, e, w);
			for (int64_t i = 0; i < w; i++)
				if (!skip || x[i] == x[i])
					lse_merge(m + i, s + i, (double)x[i],
					    x[i] == x[i] ? 1 : (double)NAN, e[i]);
		}
	}
}

#define LSE(name, skip)                                                                         \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,  \
	    int64_t n, int64_t index)                                                           \
	{                                                                                       \
		(void)w, (void)index;                                                           \
		block_lse(a, k, x, n, skip);                                                    \
	}                                                                                       \
	static void blocks_##name(struct axt_acc *a, int64_t k, const void *x, const double *w, \
	    int64_t n, int64_t m, int64_t ld)                                                   \
	{                                                                                       \
		(void)w;                                                                        \
		for (int64_t j = 0; j < m; j += SIDE)                                           \
			side_lse(P(a, 0) + k + j, P(a, 1) + k + j, (const T *)x + j, n,         \
			    MIN(SIDE, m - j), ld, skip);                                        \
	}                                                                                       \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,   \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                   \
	{                                                                                       \
		(void)w, (void)index, (void)step;                                               \
		rows_lse(a, k, x, rows, n, ld, skip);                                           \
	}                                                                                       \
	static void finish_##name(FINISH_ARGS)                                                  \
	{                                                                                       \
		(void)count, (void)ddof;                                                        \
		vec1_f64(out, P(a, 1) + k, n, (vec1_f64_fn *)SLEEF64(log, u10));                \
		for (int64_t i = 0; i < n; i++)                                                 \
			((double *)out)[i] = (skip) && P(a, 1)[k + i] == 0                      \
			    ? (double)NAN                                                       \
			    : P(a, 0)[k + i] + ((double *)out)[i];                              \
	}
LSE(all, false)
LSE(some, true)
#endif

#if RED_FLOAT || RED_INT
#define VAR(name, end)                                                                   \
	{                                                                                \
		4, CAT(AXT_, AXT_T), AXT_F64, init_moments, block_##name, blocks_##name, \
		    merge_moments, rows_##name, end, NULL, NULL                          \
	}
#define FOUR(end)                                                                            \
	{                                                                                    \
		VAR(plain, end), VAR(skip, end), VAR(weighted, end), VAR(weighted_skip, end) \
	}

const struct axt_red_fns *
KERN_NAME(moments)(enum axt_red op, bool skip, bool weighted)
{
	static const struct axt_red_fns var[] = FOUR(finish_var), std[] = FOUR(finish_std);
#if RED_FLOAT
	static const struct axt_red_fns lse[] = {
		{ 2, CAT(AXT_, AXT_T), AXT_F64, init_lse, block_all, blocks_all, merge_lse,
		    rows_all, finish_all, NULL, NULL },
		{ 2, CAT(AXT_, AXT_T), AXT_F64, init_lse, block_some, blocks_some, merge_lse,
		    rows_some, finish_some, NULL, NULL },
	};
#endif

	switch (op) {
	case AXT_RED_VAR: return &var[skip + 2 * weighted];
	case AXT_RED_STD: return &std[skip + 2 * weighted];
#if RED_FLOAT
	case AXT_RED_LOGSUMEXP: return &lse[skip];
#endif
	default: return NULL;
	}
}

#else
const struct axt_red_fns *
KERN_NAME(moments)(enum axt_red op, bool skip, bool weighted)
{
	(void)op, (void)skip, (void)weighted;
	return NULL;
}
#endif
