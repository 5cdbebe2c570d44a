/* k_sums.c - sums of floats, and what is computed from sums: mean, rms, norms. */
#include "kern/red.h"

const struct axt_fused_fns *KERN_NAME(fused)(enum axt_op op, enum axt_op then, bool skip);

#if RED_FLOAT

enum kind { ID, MAG, SQ };
/* Weights: none; they multiply values (sum); they multiply and are summed as well (mean, rms). */
enum weight { NONE, TIMES, MEAN };

struct sums {
	double s, n, w;
};

INLINE vd
kind_of(vd v, const enum kind kind)
{
	return kind == MAG ? vd_abs(v) : kind == SQ ? v * v : v;
}

/* What is summed: a value, or what a program computes in T from one element of x and one of y. */
enum head { HEAD_NONE, HEAD_SUB, HEAD_SUB_SQUARE, HEAD_SUB_ABS, HEAD_MUL };

INLINE T
head_of(T x, T y, const enum head head)
{
	T d = head == HEAD_MUL ? x * y : x - y;

	return head == HEAD_NONE      ? x
	    : head == HEAD_SUB_SQUARE ? d * d
	    : head == HEAD_SUB_ABS    ? (T)fabs(d)
				      : d;
}

INLINE struct lanes
lanes_head(const T *x, const T *y, const enum head head)
{
	T t[LANES];

	if (head == HEAD_NONE)
		return lanes_load(x);
	for (int i = 0; i < LANES; i++)
		t[i] = head_of(x[i], y[i], head);
	return lanes_load(t);
}

/* Adds 16 elements, of which the first `rest` exist (16 for all). */
INLINE void
lanes_add(struct lanes *s, struct lanes *n, struct lanes *ws, struct lanes v, const double *w,
    int64_t rest, const enum kind kind, const bool skip, const enum weight weight)
{
	struct lanes u = { 0 };

	if (weight)
		u = lanes_load64(w);
	EACH_VEC (k) {
		vi ok = (vi){ 0 } - 1;

		if (rest < LANES)
			for (int i = 0; i < WIDTH; i++)
				ok[i] = k * WIDTH + i < rest ? -1 : 0;
		if (skip)
			ok &= v.v[k] == v.v[k];
		v.v[k] = kind_of(v.v[k], kind);
		if (weight)
			v.v[k] *= u.v[k];
		if (skip || rest < LANES)
			v.v[k] = vd_and(v.v[k], ok);
		s->v[k] += v.v[k];
		if (skip && weight != MEAN)
			n->v[k] += vd_and((vd){ 0 } + 1, ok);
		if (weight == MEAN)
			ws->v[k] += vd_and(u.v[k], ok);
	}
}

INLINE struct sums
block_sums(const T *x, const T *y, const double *w, int64_t n, const enum head head,
    const enum kind kind, const bool skip, const enum weight weight)
{
	struct lanes s = { 0 }, c = { 0 }, ws = { 0 };
	int64_t i = 0;

	for (; i + LANES <= n; i += LANES)
		lanes_add(&s, &c, &ws, lanes_head(x + i, y + i, head), w ? w + i : NULL, LANES,
		    kind, skip, weight);
	if (i < n) {
		T tx[LANES] = { 0 }, ty[LANES] = { 0 };
		double tw[LANES] = { 0 };

		memcpy(tx, x + i, (n - i) * sizeof(T));
		memcpy(ty, y + i, (n - i) * sizeof(T));
		if (weight)
			memcpy(tw, w + i, (n - i) * sizeof(double));
		lanes_add(&s, &c, &ws, lanes_head(tx, ty, head), tw, n - i, kind, skip, weight);
	}
	return (struct sums){ lanes_sum(s), lanes_sum(c), lanes_sum(ws) };
}

/* What row i of m <= SIDE blocks adds to their lanes: values to s, counts or weights to c. */
INLINE void
side_add(double *s, double *c, const T *x, const double *w, int64_t m, bool first,
    const enum kind kind, const bool skip, const enum weight weight)
{
	IVDEP for (int64_t j = 0; j < m; j++)
	{
		double v = (double)x[j], u = weight ? w[j] : 1, q = 0;
		int64_t ok = v == v;

		v = kind == MAG ? fabs(v) : kind == SQ ? v * v : v;
		if (weight)
			v *= u;
		s[j] = (first ? 0 : s[j]) + (skip ? pick(ok, v, 0) : v);
		if (skip || weight == MEAN)
			q = skip ? pick(ok, u, 0) : u;
		if (weight == MEAN)
			c[j] = (first ? 0 : c[j]) + q;
		else if (skip)
			c[j] = (first ? 0 : c[j]) + pick(ok, 1, 0);
	}
}

/* Of m <= SIDE blocks of n elements: the sums and, where the kind has them, counts or weights. */
INLINE void
side_sums(double *s, double *c, const T *x, const double *w, int64_t n, int64_t m, int64_t ld,
    int64_t ldw, const enum kind kind, const bool skip, const enum weight weight)
{
	const bool both = skip || weight == MEAN;
	struct side a, b;

	for (int64_t i = 0; i < n; i++)
		if (i < LANES)
			side_add(a.v[i], b.v[i], x + i * ld, weight ? w + i * ldw : NULL, m, true,
			    kind, skip, weight);
		else
			side_add(a.v[i % LANES], b.v[i % LANES], x + i * ld,
			    weight ? w + i * ldw : NULL, m, false, kind, skip, weight);
	side_sum(&a, n, m);
	memcpy(s, a.v[0], (size_t)m * sizeof(double));
	if (!both)
		return;
	side_sum(&b, n, m);
	memcpy(c, b.v[0], (size_t)m * sizeof(double));
}

/* Short blocks side by side: the sums, and counts or weights, of ACROSS vectors of blocks. */
#define ACROSS 2
struct across {
	vd s[ACROSS], c[ACROSS];
};
#define EACH_ACROSS(k) for (int k = 0; k < ACROSS; k++)

/* In blocks of n <= LANES elements, lane i holds element i. */
INLINE struct across
across_1(const T *x, const double *w, int64_t i, int64_t n, int64_t ld, int64_t ldw,
    const enum kind kind, const bool skip, const enum weight weight)
{
	struct across a;

	(void)n;
	EACH_ACROSS (k) {
		vd v = vd_load(x + i * ld + k * WIDTH), u = (vd){ 0 } + 1;
		vi ok = v == v;

		if (weight)
			memcpy(&u, w + i * ldw + k * WIDTH, sizeof(vd));
		v = kind_of(v, kind);
		if (weight)
			v *= u;
		a.s[k] = skip ? vd_and(v, ok) : v;
		u = weight == MEAN ? u : (vd){ 0 } + 1;
		a.c[k] = skip ? vd_and(u, ok) : u;
	}
	return a;
}

/*
 * Adds lanes i and i + 8, then + 4, + 2, + 1, as far as there are elements for them. AT(i): the
 * arguments of the function that gives lane i.
 */
#define LANE_PAIR(name, half, h, PARAMS, AT)                \
	INLINE struct across name PARAMS {                  \
		struct across a = half AT(i);               \
                                                            \
		if (i + (h) < n) {                          \
			struct across b = half AT(i + (h)); \
                                                            \
			EACH_ACROSS (k) {                   \
				a.s[k] += b.s[k];           \
				a.c[k] += b.c[k];           \
			}                                   \
		}                                           \
		return a;                                   \
	}
#define LANE_PAIRS(name, PARAMS, AT)                 \
	LANE_PAIR(name##_2, name##_1, 8, PARAMS, AT) \
	LANE_PAIR(name##_4, name##_2, 4, PARAMS, AT) \
	LANE_PAIR(name##_8, name##_4, 2, PARAMS, AT) \
	LANE_PAIR(name##_16, name##_8, 1, PARAMS, AT)

#define ACROSS_PARAMS                                                                \
	(const T *x, const double *w, int64_t i, int64_t n, int64_t ld, int64_t ldw, \
	    const enum kind kind, const bool skip, const enum weight weight)
#define ACROSS_AT(i) (x, w, i, n, ld, ldw, kind, skip, weight)
LANE_PAIRS(across, ACROSS_PARAMS, ACROSS_AT)

/*
 * Does the same as side_sums for m >= ACROSS * WIDTH blocks of n <= LANES elements, with all lanes
 * in registers. If m is no multiple of ACROSS * WIDTH, the last vectors overlap those before, and
 * compute some sums twice. A lane begins with +0, which changes a sum only where all elements are
 * -0.
 */
INLINE void
across_sums(double *s, double *c, const T *x, const double *w, int64_t n, int64_t m, int64_t ld,
    const enum kind kind, const bool skip, const enum weight weight)
{
	const int64_t step = ACROSS * WIDTH;

	for (int64_t j = 0; j < m; j += step) {
		int64_t at = MIN(j, m - step);
		struct across a = across_16(x + at, weight ? w + at : NULL, 0, n, ld, m, kind, skip,
		    weight);

		EACH_ACROSS (k) {
			a.s[k] += (vd){ 0 };
			memcpy(s + at + k * WIDTH, &a.s[k], sizeof(vd));
			if (skip || weight == MEAN)
				memcpy(c + at + k * WIDTH, &a.c[k], sizeof(vd));
		}
	}
}

/*
 * Windows that overlap. The order of additions in a block of n elements makes a tree: c elements
 * that are h apart are the ceil(c/2) even ones plus the floor(c/2) odd ones, each 2h apart; lanes,
 * which are 16 apart, are added up in order. So there are at most two trees for each h, those of
 * floor(n/h) and of ceil(n/h) elements, whichever window they are in: each is made once for every
 * position, from those for 4h.
 */

/* The sum of four trees, two and two; of fewer where there are only c elements. */
INLINE void
quarter_sums(double *restrict to, const double *p, const double *q, const double *r,
    const double *s, int64_t c, int64_t n)
{
	if (c == 1)
		memcpy(to, p, (size_t)n * sizeof(*to));
	else if (c == 2)
		for (int64_t i = 0; i < n; i++)
			to[i] = p[i] + r[i];
	else if (c == 3)
		for (int64_t i = 0; i < n; i++)
			to[i] = (p[i] + q[i]) + r[i];
	else
		for (int64_t i = 0; i < n; i++)
			to[i] = (p[i] + q[i]) + (r[i] + s[i]);
}

/* Trees of c elements that are h apart, from those of `few` and few + 1 elements 4h apart. */
static void
quarter(double *to, double *const from[2], int64_t few, int64_t c, int64_t h, int64_t n)
{
	int64_t even = (c + 1) / 2, odd = c / 2;
	int64_t m[4] = { (even + 1) / 2, even / 2, (odd + 1) / 2, odd / 2 };
	const int64_t at[4] = { 0, 2 * h, h, 3 * h };
	const double *p[4];

	for (int i = 0; i < 4; i++)
		p[i] = from[m[i] > few] + at[i];
	quarter_sums(to, p[0], p[1], p[2], p[3], c, n);
}

/* What an element adds to a sum, or with `counts` to the number of values. */
INLINE double
taken(T x, const enum kind kind, const bool skip, const bool counts)
{
	double v = (double)x;
	int64_t ok = v == v;

	if (counts)
		return pick(ok, 1, 0);
	v = kind == MAG ? fabs(v) : kind == SQ ? v * v : v;
	return skip ? pick(ok, v, 0) : v;
}

/* A row of lanes of c elements, and of one more where `more` is not NULL. */
INLINE void
lane_rows(double *restrict lane, double *restrict more, const T *x, int64_t c, int64_t step,
    int64_t n, const enum kind kind, const bool skip, const bool counts)
{
	const T *last = x + c * step;

	for (int64_t j = 0; c == 1 && j < n; j++)
		lane[j] = 0 + taken(x[j], kind, skip, counts);
	for (int64_t j = 0; c == 0 && j < n; j++)
		lane[j] = 0;
	for (int64_t j = 0; c > 1 && j < n; j++)
		lane[j] = 0 + taken(x[j], kind, skip, counts) +
		    taken(x[j + step], kind, skip, counts);
	for (int64_t i = 2; i < c; i++)
		for (int64_t j = 0; j < n; j++)
			lane[j] += taken(x[i * step + j], kind, skip, counts);
	for (int64_t j = 0; more && j < n; j++)
		more[j] = lane[j] + taken(last[j], kind, skip, counts);
}

INLINE void
window_sums(double *out, const T *x, int64_t n, int64_t rows, int64_t cols, int64_t ld,
    double *room, const enum kind kind, const bool skip, const bool counts)
{
	double *a[2] = { room, room + AXT_WINDOWS_PART },
	       *b[2] = { a[1] + AXT_WINDOWS_PART, a[1] + 2 * AXT_WINDOWS_PART };
	int64_t c = n / LANES, m = n % LANES, high = rows + LANES - 1,
		full = m ? MIN(high, rows + m - 1) : 0;
	bool flat = cols == ld;

	if (flat) {
		lane_rows(a[0], m ? a[1] : NULL, x, c, LANES * ld, full * cols, kind, skip, counts);
		lane_rows(a[0] + full * cols, NULL, x + full * cols, c, LANES * ld,
		    (high - full) * cols, kind, skip, counts);
	}
	for (int64_t r = 0; r < high && !flat; r++)
		lane_rows(a[0] + r * cols, r < full ? a[1] + r * cols : NULL, x + r * ld, c,
		    LANES * ld, cols, kind, skip, counts);
	for (int more = 0; more < 2; more++) {
		int64_t d = n / 4 + more,
			all = MIN(rows + 3, more ? rows + n - 4 * (d - 1) - 1 : rows + 3);

		if (d > 0 && (!more || n % 4))
			quarter(b[more], a, c, d, 4 * cols, all * cols);
	}
	quarter(out, b, n / 4, n, cols, rows * cols);
}

/*
 * Adds R rows to the states in one pass. The planes of a state are the sum and its compensation;
 * then, if NaN is skipped, the count; or, for weighted means, the sum of the weights and its
 * compensation.
 */
INLINE void
row_sums(const struct axt_acc *a, int64_t k, const T *x, int64_t ld, const T *y, int64_t ldy,
    const double *w, int64_t n, const int R, const enum head head, const enum kind kind,
    const bool skip, const enum weight weight)
{
	double *s = P(a, 0) + k, *c = P(a, 1) + k;
	double *ws = weight == MEAN || skip ? P(a, 2) + k : NULL,
	       *wc = weight == MEAN ? P(a, 3) + k : NULL;

	IVDEP for (int64_t i = 0; i < n; i++)
	{
		double si = s[i], ci = c[i], wsi = 0, wci = 0;

		if (weight == MEAN || skip)
			wsi = ws[i];
		if (weight == MEAN)
			wci = wc[i];
		for (int r = 0; r < R; r++) {
			double v = (double)head_of(x[r * ld + i], y[r * ldy + i], head);
			double u = weight ? w[r * n + i] : 1;
			int64_t ok = v == v;

			v = kind == MAG ? fabs(v) : kind == SQ ? v * v : v;
			if (weight)
				v *= u;
			two_sum(&si, &ci, skip ? pick(ok, v, 0) : v);
			if (weight == MEAN)
				two_sum(&wsi, &wci, skip ? pick(ok, u, 0) : u);
			else if (skip)
				wsi += pick(ok, 1, 0);
		}
		s[i] = si;
		c[i] = ci;
		if (weight == MEAN || skip)
			ws[i] = wsi;
		if (weight == MEAN)
			wc[i] = wci;
	}
}

#define PLANES(skip, weight) ((weight) == MEAN ? 4 : (skip) ? 3 : 2)

/* The functions of one kind of sum, but for finish. */
#define SUMS(name, kind, skip, weight)                                                             \
	static void init_##name(struct axt_acc *a, int64_t k, int64_t n)                           \
	{                                                                                          \
		for (int q = 0; q < PLANES(skip, weight); q++)                                     \
			memset(P(a, q) + k, 0, n * sizeof(double));                                \
	}                                                                                          \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,     \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		struct sums b = block_sums(x, x, w, n, HEAD_NONE, kind, skip, weight);             \
                                                                                                   \
		(void)index;                                                                       \
		P(a, 0)[k] = b.s;                                                                  \
		P(a, 1)[k] = 0;                                                                    \
		if (PLANES(skip, weight) > 2)                                                      \
			P(a, 2)[k] = (weight) == MEAN ? b.w : b.n;                                 \
		if (PLANES(skip, weight) > 3)                                                      \
			P(a, 3)[k] = 0;                                                            \
	}                                                                                          \
	static void blocks_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,   \
	    int64_t n, int64_t m, int64_t ld)                                                      \
	{                                                                                          \
		const T *x = in;                                                                   \
		double *c = PLANES(skip, weight) > 2 ? P(a, 2) + k : NULL;                         \
                                                                                                   \
		if (n <= LANES && m >= ACROSS * WIDTH)                                             \
			across_sums(P(a, 0) + k, c, x, w, n, m, ld, kind, skip, weight);           \
		for (int64_t j = n <= LANES && m >= ACROSS * WIDTH ? m : 0; j < m; j += SIDE)      \
			if (m - j >= SIDE)                                                         \
				side_sums(P(a, 0) + k + j, c ? c + j : NULL, x + j,                \
				    w ? w + j : NULL, n, SIDE, ld, m, kind, skip, weight);         \
			else                                                                       \
				side_sums(P(a, 0) + k + j, c ? c + j : NULL, x + j,                \
				    w ? w + j : NULL, n, m - j, ld, m, kind, skip, weight);        \
		memset(P(a, 1) + k, 0, (size_t)m * sizeof(double));                                \
		if (PLANES(skip, weight) > 3)                                                      \
			memset(P(a, 3) + k, 0, (size_t)m * sizeof(double));                        \
	}                                                                                          \
	static void merge_##name(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, \
	    int64_t n)                                                                             \
	{                                                                                          \
		IVDEP for (int64_t i = 0; i < n; i++)                                              \
		{                                                                                  \
			P(a, 1)[k + i] += P(b, 1)[j + i];                                          \
			two_sum(P(a, 0) + k + i, P(a, 1) + k + i, P(b, 0)[j + i]);                 \
			if (PLANES(skip, weight) == 3)                                             \
				P(a, 2)[k + i] += P(b, 2)[j + i];                                  \
			if (PLANES(skip, weight) == 4) {                                           \
				P(a, 3)[k + i] += P(b, 3)[j + i];                                  \
				two_sum(P(a, 2) + k + i, P(a, 3) + k + i, P(b, 2)[j + i]);         \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,     \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		const T *x = in;                                                                   \
		int64_t r = 0;                                                                     \
                                                                                                   \
		(void)index, (void)step;                                                           \
		for (; r + 8 <= rows; r += 8)                                                      \
			row_sums(a, k, x + r * ld, ld, x, 0, w ? w + r * n : NULL, n, 8,           \
			    HEAD_NONE, kind, skip, weight);                                        \
		for (; r < rows; r++)                                                              \
			row_sums(a, k, x + r * ld, ld, x, 0, w ? w + r * n : NULL, n, 1,           \
			    HEAD_NONE, kind, skip, weight);                                        \
	}                                                                                          \
	static void each_##name(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group,  \
	    const int32_t *which, const void *in, const double *w, int64_t n)                      \
	{                                                                                          \
		const T *x = in;                                                                   \
                                                                                                   \
		for (int64_t i = 0; i < n; i++)                                                    \
			row_sums(a, k + group[which[i]] * step, x + which[i], 0, x, 0,             \
			    w ? w + which[i] : NULL, 1, 1, HEAD_NONE, kind, skip, weight);         \
	}
/* The states of windows that overlap. */
#define WINDOWS(name, kind, skip)                                                               \
	static void windows_##name(struct axt_acc *a, int64_t k, const void *x, int64_t n,      \
	    int64_t rows, int64_t cols, int64_t ld, void *room)                                 \
	{                                                                                       \
		window_sums(P(a, 0) + k, x, n, rows, cols, ld, room, kind, skip, false);        \
		memset(P(a, 1) + k, 0, (size_t)(rows * cols) * sizeof(double));                 \
		if (skip)                                                                       \
			window_sums(P(a, 2) + k, x, n, rows, cols, ld, room, kind, skip, true); \
	}
#define windows_id_times NULL
#define windows_id_times_skip NULL
#define windows_id_mean NULL
#define windows_id_mean_skip NULL
#define windows_sq_mean NULL
#define windows_sq_mean_skip NULL
WINDOWS(id, ID, false)
WINDOWS(id_skip, ID, true)
WINDOWS(mag, MAG, false)
WINDOWS(mag_skip, MAG, true)
WINDOWS(sq, SQ, false)
WINDOWS(sq_skip, SQ, true)

SUMS(id, ID, false, NONE)
SUMS(id_skip, ID, true, NONE)
SUMS(id_times, ID, false, TIMES)
SUMS(id_times_skip, ID, true, TIMES)
SUMS(id_mean, ID, false, MEAN)
SUMS(id_mean_skip, ID, true, MEAN)
SUMS(mag, MAG, false, NONE)
SUMS(mag_skip, MAG, true, NONE)
SUMS(sq, SQ, false, NONE)
SUMS(sq_skip, SQ, true, NONE)
SUMS(sq_mean, SQ, false, MEAN)
SUMS(sq_mean_skip, SQ, true, MEAN)

/* e is the result, from v, the sum, and n, by which a mean divides. */
#define FINISH(name, skip, weight, e)                                                            \
	static void finish_##name(FINISH_ARGS)                                                   \
	{                                                                                        \
		(void)ddof;                                                                      \
		for (int64_t i = k; i < k + n; i++) {                                            \
			double v = sum_value(P(a, 0)[i], P(a, 1)[i]);                            \
			double m = (skip) ? P(a, 2)[i] : (double)count;                          \
                                                                                                 \
			if ((weight) == MEAN)                                                    \
				m = sum_value(P(a, 2)[i], P(a, 3)[i]);                           \
			((double *)out)[i - k] = (skip) && (weight) != MEAN && m == 0 ? NAN : e; \
		}                                                                                \
	}
FINISH(sum, false, NONE, v)
FINISH(sum_skip, true, NONE, v)
FINISH(mean, false, NONE, v / m)
FINISH(mean_skip, true, NONE, v / m)
FINISH(wmean, false, MEAN, v / m)
FINISH(root, false, NONE, sqrt(v))
FINISH(root_skip, true, NONE, sqrt(v))
FINISH(rms, false, NONE, sqrt(v / m))
FINISH(rms_skip, true, NONE, sqrt(v / m))
FINISH(wrms, false, MEAN, sqrt(v / m))

/* What a program makes of WIDTH elements of x and of one y, computed in T. */
INLINE vd
vd_head(const T *x, T y, const enum head head)
{
	typedef T vt __attribute__((vector_size(WIDTH * sizeof(T))));
	vt v;
	vd d;

	memcpy(&v, x, sizeof(v));
	v = head == HEAD_MUL ? v * y : v - y;
	v = head == HEAD_SUB_SQUARE ? v * v : v;
	d = __builtin_convertvector(v, vd);
	return head == HEAD_SUB_ABS ? vd_abs(d) : d;
}

/* Lane i of blocks side by side, whose element i is made of x[at[i]] and y[i]. */
INLINE struct across
sides_1(const T *x, const int64_t *at, const T *y, int64_t i, int64_t n, const enum head head,
    const bool skip)
{
	struct across a = { 0 };

	for (; i < n; i += LANES)
		EACH_ACROSS (k) {
			vd v = vd_head(x + at[i] + k * WIDTH, y[i], head);
			vi ok = v == v;

			a.s[k] += skip ? vd_and(v, ok) : v;
			a.c[k] += skip ? vd_and((vd){ 0 } + 1, ok) : v;
		}
	return a;
}

#define SIDES_PARAMS                                                                            \
	(const T *x, const int64_t *at, const T *y, int64_t i, int64_t n, const enum head head, \
	    const bool skip)
#define SIDES_AT(i) (x, at, y, i, n, head, skip)
LANE_PAIRS(sides, SIDES_PARAMS, SIDES_AT)

/* A program and a sum in one loop: the functions for blocks and for rows. */
#define FUSED(name, head, skip)                                                                \
	static void fused_block_##name(struct axt_acc *a, int64_t k, const void *const in[2],  \
	    int64_t n)                                                                         \
	{                                                                                      \
		struct sums b = block_sums(in[0], in[1], NULL, n, head, ID, skip, NONE);       \
                                                                                               \
		P(a, 0)[k] = b.s;                                                              \
		P(a, 1)[k] = 0;                                                                \
		if (skip)                                                                      \
			P(a, 2)[k] = b.n;                                                      \
	}                                                                                      \
	static void fused_rows_##name(struct axt_acc *a, int64_t k, const void *const in[2],   \
	    const int64_t ld[2], const double p[4], int64_t rows, int64_t n)                   \
	{                                                                                      \
		const T *x = in[0], *y = in[1];                                                \
		int64_t r = 0;                                                                 \
                                                                                               \
		(void)p;                                                                       \
		for (; r + 8 <= rows; r += 8)                                                  \
			row_sums(a, k, x + r * ld[0], ld[0], y + r * ld[1], ld[1], NULL, n, 8, \
			    head, ID, skip, NONE);                                             \
		for (; r < rows; r++)                                                          \
			row_sums(a, k, x + r * ld[0], ld[0], y + r * ld[1], ld[1], NULL, n, 1, \
			    head, ID, skip, NONE);                                             \
	}
#define SIDES(name, head, skip)                                                                    \
	static void fused_sides_##name(struct axt_acc *a, int64_t k, const void *in,               \
	    const int64_t *at, const void *y, int64_t n, int64_t m)                                \
	{                                                                                          \
		for (int64_t j = 0; j < m; j += ACROSS * WIDTH) {                                  \
			int64_t to = MIN(j, m - ACROSS * WIDTH); /* the last ones overlap */       \
			struct across s = sides_16((const T *)in + to, at, y, 0, n, head, skip);   \
                                                                                                   \
			EACH_ACROSS (i) {                                                          \
				s.s[i] += (vd){ 0 };                                               \
				memcpy(P(a, 0) + k + to + i * WIDTH, &s.s[i], sizeof(vd));         \
				if (skip)                                                          \
					memcpy(P(a, 2) + k + to + i * WIDTH, &s.c[i], sizeof(vd)); \
			}                                                                          \
		}                                                                                  \
		memset(P(a, 1) + k, 0, (size_t)m * sizeof(double));                                \
	}
#define FUSED_BOTH(name, head)         \
	SIDES(name, head, false)       \
	SIDES(name##_skip, head, true) \
	FUSED(name, head, false)       \
	FUSED(name##_skip, head, true)
FUSED_BOTH(sub, HEAD_SUB)
FUSED_BOTH(sub_square, HEAD_SUB_SQUARE)
FUSED_BOTH(sub_abs, HEAD_SUB_ABS)
FUSED_BOTH(mul, HEAD_MUL)

const struct axt_fused_fns *
KERN_NAME(fused)(enum axt_op op, enum axt_op then, bool skip)
{
#define FNS(name)                                                              \
	{                                                                      \
		{ fused_rows_##name, fused_block_##name, fused_sides_##name }, \
		{                                                              \
			fused_rows_##name##_skip, fused_block_##name##_skip,   \
			    fused_sides_##name##_skip                          \
		}                                                              \
	}
	static const struct {
		enum axt_op op, then;
		struct axt_fused_fns fns[2];
	} row[] = {
		{ AXT_OP_SQUARE, AXT_NOPS, FNS(mul) },
		{ AXT_OP_MUL, AXT_NOPS, FNS(mul) },
		{ AXT_OP_SUB, AXT_NOPS, FNS(sub) },
		{ AXT_OP_SUB, AXT_OP_SQUARE, FNS(sub_square) },
		{ AXT_OP_SUB, AXT_OP_ABSOLUTE, FNS(sub_abs) },
	};
#undef FNS

	for (int i = 0; i < ARRAY_LEN(row); i++)
		if (row[i].op == op && row[i].then == then)
			return &row[i].fns[skip];
	return NULL;
}

/* ---- table ---- */

const struct axt_red_fns *
KERN_NAME(sums)(enum axt_red op, bool skip, bool weighted)
{
#define FNS(core, end, skip, weight)                                                        \
	{                                                                                   \
		PLANES(skip, weight), CAT(AXT_, AXT_T), AXT_F64, init_##core, block_##core, \
		    blocks_##core, merge_##core, rows_##core, finish_##end, each_##core,    \
		    windows_##core                                                          \
	}
	static const struct axt_red_fns sum[] = {
		FNS(id, sum, false, NONE),
		FNS(id_skip, sum_skip, true, NONE),
		FNS(id_times, sum, false, TIMES),
		FNS(id_times_skip, sum_skip, true, TIMES),
	};
	static const struct axt_red_fns mean[] = {
		FNS(id, mean, false, NONE),
		FNS(id_skip, mean_skip, true, NONE),
		FNS(id_mean, wmean, false, MEAN),
		FNS(id_mean_skip, wmean, true, MEAN),
	};
	static const struct axt_red_fns rms[] = {
		FNS(sq, rms, false, NONE),
		FNS(sq_skip, rms_skip, true, NONE),
		FNS(sq_mean, wrms, false, MEAN),
		FNS(sq_mean_skip, wrms, true, MEAN),
	};
	static const struct axt_red_fns norm1[] = {
		FNS(mag, sum, false, NONE),
		FNS(mag_skip, sum_skip, true, NONE),
	};
	static const struct axt_red_fns norm2[] = {
		FNS(sq, root, false, NONE),
		FNS(sq_skip, root_skip, true, NONE),
	};
	static const struct axt_red_fns sumsq[] = {
		FNS(sq, sum, false, NONE),
		FNS(sq_skip, sum_skip, true, NONE),
	};
	int v = skip + 2 * weighted;

	switch (op) {
	case AXT_RED_SUM: return &sum[v];
	case AXT_RED_MEAN: return &mean[v];
	case AXT_RED_RMS: return &rms[v];
	case AXT_RED_NORM1: return &norm1[skip];
	case AXT_RED_NORM2: return &norm2[skip];
	case AXT_RED_SUMSQ: return &sumsq[skip];
	default: return NULL;
	}
}

#else

const struct axt_fused_fns *
KERN_NAME(fused)(enum axt_op op, enum axt_op then, bool skip)
{
	(void)op, (void)then, (void)skip;
	return NULL;
}

const struct axt_red_fns *
KERN_NAME(sums)(enum axt_red op, bool skip, bool weighted)
{
	(void)op, (void)skip, (void)weighted;
	return NULL;
}
#endif
