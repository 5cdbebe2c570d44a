/*
 * k_lines.c - what needs a whole line of one axis: sorting, quantiles. Elements are sorted as
 * signed integers of their size, in the order of their values (NaN last): short lines side by side,
 * one in each lane of a vector, by a network of exchanges; long ones by their digits.
 */
#include "prim.h"

const struct axt_line_fns *KERN_NAME(lines)(void);
axt_scan_fn *KERN_NAME(scan)(enum axt_red op, bool full);
void KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n);

#if !IS_COMPLEX

#define FLOATS (IS_FLOAT || IS_HALF)
#define BITS ((int)sizeof(T) * 8)
#define KEYS_BOOL 8
#define KEYS_I8 8
#define KEYS_U8 8
#define KEYS_I16 16
#define KEYS_U16 16
#define KEYS_F16 16
#define KEYS_BF16 16
#define KEYS_I32 32
#define KEYS_U32 32
#define KEYS_F32 32
#define KEYS_I64 64
#define KEYS_U64 64
#define KEYS_F64 64
#define NKEY CAT(KEYS_, AXT_T)
#define LOOSE __attribute__((aligned(1), may_alias))
typedef CAT4(int, NKEY, _, t) key_t_;
typedef key_t_ K LOOSE;
typedef CAT4(uint, NKEY, _, t) U;
#define MOST CAT4(INT, NKEY, _MAX, )
#define LEAST CAT4(INT, NKEY, _MIN, )
#define INF_F16 0x7c00
#define INF_BF16 0x7f80
#define INF_F32 0x7f800000
#define INF_F64 0x7ff0000000000000

#define LANE_BYTES 64
#define W (LANE_BYTES / (int)sizeof(T))		/* lines side by side */
#define W64 (LANE_BYTES / 8)
#define NETWORK_MAX 4096			/* elements of a line to sort; measured */
#define SELECT_MIN 2049			/* of which single elements are looked for; measured */
#define DIGIT (NKEY < 32 ? 8 : 11)

/* ---- keys ---- */

/* down: the order reversed, NaN still last; zeros: 0 and -0 are equal. */
INLINE K
to_key(K b, bool down, bool zeros)
{
#if FLOATS
	key_t_ m = b & MOST, k = b ^ ((b >> (BITS - 1)) & MOST);

	k = zeros && m == 0 ? 0 : k;
	k = down ? ~k : k;
	return m > CAT(INF_, AXT_T) ? MOST : k;
#else
	key_t_ k = IS_SIGNED ? b : (key_t_)(b ^ LEAST);

	(void)zeros;
	return down ? ~k : k;
#endif
}

INLINE K
of_key(K k, bool down)
{
#if FLOATS
	key_t_ b = down && k != MOST ? ~k : k;

	return b ^ ((b >> (BITS - 1)) & MOST);
#else
	key_t_ b = down ? ~k : k;

	return IS_SIGNED ? b : (key_t_)(b ^ LEAST);
#endif
}

static void
to_keys(K *x, int64_t n, bool down, bool zeros)
{
	if (down)
		IVDEP for (int64_t i = 0; i < n; i++)
			x[i] = to_key(x[i], true, zeros);
	else
		IVDEP for (int64_t i = 0; i < n; i++)
			x[i] = to_key(x[i], false, zeros);
}

static void
of_keys(K *x, int64_t n, bool down)
{
	if (down)
		IVDEP for (int64_t i = 0; i < n; i++)
			x[i] = of_key(x[i], true);
	else
		IVDEP for (int64_t i = 0; i < n; i++)
			x[i] = of_key(x[i], false);
}

/* ---- short lines: Batcher's merge exchange ---- */

/*
 * Knuth, The Art of Computer Programming 3, algorithm 5.2.2M: calls swap for pairs of rows, which
 * are then in order, the same for all lanes.
 */
#define NETWORK(name, args, swap)                                                                \
	static void                                                                              \
	name args                                                                                \
	{                                                                                        \
		int64_t top = 1;                                                                 \
                                                                                                 \
		while (2 * top < n)                                                              \
			top *= 2;                                                                \
		for (int64_t p = top; n > 1 && p > 0; p /= 2)                                    \
			for (int64_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {         \
				for (int64_t b = r; b + d < n; b += 2 * p)                       \
					for (int64_t i = b; i < MIN(b + p, n - d); i++)          \
						swap;                                            \
				if (q == p)                                                      \
					break;                                                   \
			}                                                                        \
	}

INLINE void
swap_keys(key_t_ *restrict a, key_t_ *restrict b)
{
	for (int j = 0; j < W; j++) {
		key_t_ x = a[j], y = b[j];

		a[j] = x < y ? x : y;
		b[j] = x < y ? y : x;
	}
}

NETWORK(sort_keys, (key_t_ *x, int64_t n), swap_keys(x + i * W, x + (i + d) * W))

#if NKEY == 64
/* Keys with their positions: of equal keys the first goes first. */
INLINE void
swap_pairs(int64_t *restrict a, int64_t *restrict b, int64_t *restrict ia, int64_t *restrict ib)
{
	for (int j = 0; j < W64; j++) {
		int64_t x = a[j], y = b[j], i = ia[j], k = ib[j];
		int64_t m = -(int64_t)((x > y) | ((x == y) & (i > k)));

		a[j] = (y & m) | (x & ~m);
		b[j] = (x & m) | (y & ~m);
		ia[j] = (k & m) | (i & ~m);
		ib[j] = (i & m) | (k & ~m);
	}
}

NETWORK(sort_pairs, (int64_t *x, int64_t *at, int64_t n),
    swap_pairs(x + i * W64, x + (i + d) * W64, at + i * W64, at + (i + d) * W64))
#else
/* The position is the lower half. */
INLINE void
swap_wide(int64_t *restrict a, int64_t *restrict b)
{
	for (int j = 0; j < W64; j++) {
		int64_t x = a[j], y = b[j];

		a[j] = x < y ? x : y;
		b[j] = x < y ? y : x;
	}
}

NETWORK(sort_wide, (int64_t *x, int64_t n), swap_wide(x + i * W64, x + (i + d) * W64))
#endif

/* w lines side by side, rows of `width`, the lanes behind them filled with zeros. */
static void
side_by_side(K *to, int64_t width, const T *x, int64_t n, int64_t w, int64_t es, int64_t ls)
{
	if (w < width)
		memset(to, 0, (size_t)(n * width) * sizeof(T));
	if (ls == 1 && w == W && width == W)
		for (int64_t i = 0; i < n; i++)
			memcpy(to + i * W, x + i * es, LANE_BYTES);
	else if (ls == 1)
		axt_kern_gather2(to, width, x, n, w, es, 1, sizeof(T));
	else
		axt_kern_gather2(to, width, x, n, w, es, ls, sizeof(T));
}

/* The way back: lines es and ls apart. */
static void
lay_out(void *to, const void *x, int64_t width, int64_t n, int64_t w, int64_t es, int64_t ls,
    int size)
{
	if (ls == 1)
		axt_kern_gather2(to, es, x, n, w, width, 1, size);
	else
		axt_kern_gather2(to, ls, x, w, n, 1, width, size);
}

/* ---- long lines: digits, least first ---- */

static void
by_digits(K *x, K *tx, int64_t *at, int64_t *tat, int64_t n)
{
	int64_t count[1 << DIGIT];
	K *from = x, *to = tx;

	for (int shift = 0; shift < NKEY; shift += DIGIT) {
		U mask = (U)((1 << MIN(DIGIT, NKEY - shift)) - 1);
		int64_t sum = 0;
		K *t = from;

#define OF(k) (((U)(k) ^ (U)LEAST) >> shift & mask)
		memset(count, 0, sizeof count);
		for (int64_t i = 0; i < n; i++)
			count[OF(from[i])]++;
		if (count[OF(from[0])] == n)
			continue;
		for (int k = 0; k <= (int)mask; k++) {
			int64_t c = count[k];

			count[k] = sum;
			sum += c;
		}
		for (int64_t i = 0; i < n; i++) {
			int64_t k = count[OF(from[i])]++;

			to[k] = from[i];
			if (at)
				tat[k] = at[i];
		}
#undef OF
		from = to;
		to = t;
		if (at) {
			int64_t *ti = at;

			at = tat;
			tat = ti;
		}
	}
	if (from != x) {
		memcpy(x, from, (size_t)n * sizeof(K));
		if (at)		/* it changed places as often */
			memcpy(tat, at, (size_t)n * sizeof *at);
	}
}

/* ---- sorting ---- */

static int64_t
many(int64_t es)
{
	return es == 1 ? 1 : W;
}

static int64_t
room(int64_t n, int64_t es, bool index)
{
	if (n <= NETWORK_MAX)
		return n * (LANE_BYTES * (index ? 2 : 1) + (int64_t)sizeof(T));
	return n * (many(es) + 1) * ((int64_t)sizeof(T) + (index ? 8 : 0));
}

static void
sort_short(T *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls, bool down, K *r)
{
	for (int64_t l = 0; l < lines; l += W) {
		int64_t w = MIN(W, lines - l);

		side_by_side(r, W, x + l * ls, n, w, es, ls);
		to_keys(r, n * W, down, false);
		sort_keys((key_t_ *)r, n);
		of_keys(r, n * W, down);
		lay_out(out + l * ls, r, W, n, w, es, ls, sizeof(T));
	}
}

static void
index_short(int64_t *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls, bool down,
    void *r)
{
	int64_t *at = r;
	K *k = (K *)(at + n * W64);

	for (int64_t l = 0; l < lines; l += W64) {
		int64_t w = MIN(W64, lines - l);

		side_by_side(k, W64, x + l * ls, n, w, es, ls);
		to_keys(k, n * W64, down, true);
#if NKEY == 64
		for (int64_t i = 0; i < n * W64; i++)
			at[i] = i / W64;
		sort_pairs((int64_t *)k, at, n);
#else
		for (int64_t i = 0; i < n * W64; i++)
			at[i] = (int64_t)((uint64_t)(int64_t)k[i] << 32) | i / W64;
		sort_wide(at, n);
		for (int64_t i = 0; i < n * W64; i++)
			at[i] &= UINT32_MAX;
#endif
		lay_out(out + l * ls, at, W64, n, w, es, ls, 8);
	}
}

static void
sort_long(void *out, const T *x, int64_t n, int64_t lines, int64_t es, int64_t ls, bool down,
    bool index, void *r)
{
	int64_t most = many(es), *at = index ? r : NULL;
	K *k = (K *)((int64_t *)r + (index ? (most + 1) * n : 0));

	for (int64_t l = 0; l < lines; l += most) {
		int64_t w = MIN(most, lines - l);

		axt_kern_gather2(k, n, x + l * ls, w, n, ls, es, sizeof(T));
		to_keys(k, w * n, down, index);
		for (int64_t j = 0; j < w; j++) {
			for (int64_t i = 0; index && i < n; i++)
				at[j * n + i] = i;
			by_digits(k + j * n, k + most * n, index ? at + j * n : NULL,
			    index ? at + most * n : NULL, n);
		}
		if (index) {
			axt_kern_gather2((int64_t *)out + l * ls, es, at, n, w, 1, n, 8);
			continue;
		}
		of_keys(k, w * n, down);
		if (es == 1)
			memcpy((T *)out + l * ls, k, (size_t)n * sizeof(T));
		else
			axt_kern_gather2((T *)out + l * ls, es, k, n, w, 1, n, sizeof(T));
	}
}

static void
sort(void *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls, bool down,
    bool index, void *r)
{
	if (n > NETWORK_MAX)
		sort_long(out, x, n, lines, es, ls, down, index, r);
	else if (index)
		index_short(out, x, n, lines, es, ls, down, r);
	else
		sort_short(out, x, n, lines, es, ls, down, r);
}

/* ---- quantiles ---- */

#if !IS_HALF
static double
value(int64_t k)
{
	K b = of_key((K)k, false);
	T v;

	memcpy(&v, &b, sizeof v);
	return (double)v;
}

static double
value_of(uint64_t k)
{
	return value((key_t_)((U)k ^ (U)LEAST));
}

/* How many of n sorted keys, `step` apart, are no NaN. */
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

/* The key of rank k among n; tmp has room for as many. */
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
		memset(count, 0, sizeof count);
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

/* The key of rank k, and the next one. */
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
				*o = axt_quantile_mix(value(a), lo + 1 < m ? value(b) : value(a), t);
			}
		}
	}
}

static void
quantile(double *out, const void *x, int64_t n, int64_t lines, int64_t es, int64_t ls,
    const double *q, int nq, bool skip, void *r)
{
	if (n >= SELECT_MIN)
		quantile_long(out, x, n, lines, es, ls, q, nq, skip, r);
	else
		quantile_short(out, x, n, lines, es, ls, q, nq, skip, r);
}

/* u: of the key, as an unsigned number. */
static void
count(uint32_t *hist, const void *p, int64_t n, int shift, const uint64_t *prefix, int m)
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
				hist[((int64_t)k << AXT_COUNT_BITS) + (int64_t)(u & AXT_COUNT_MASK)]++;
	}
}
#endif

const struct axt_line_fns *
KERN_NAME(lines)(void)
{
	static const struct axt_line_fns fns = {
		.bits = NKEY, .room = room, .sort = sort,
#if !IS_HALF
		.quantile = quantile, .count = count, .value = value_of,
#endif
		.scan = KERN_NAME(scan), .begin = KERN_NAME(scan_begin),
	};

	return &fns;
}

#else
const struct axt_line_fns *
KERN_NAME(lines)(void)
{
	return NULL;
}
#endif
