/*
 * k_lines.c - the table of what needs a whole line of one axis, and sorting: short lines side by
 * side, one per lane of a vector, by a network of exchanges; long ones by radix sort.
 */
#include "kern/keys.h"

const struct axt_line_fns *KERN_NAME(lines)(void);
axt_scan_fn *KERN_NAME(scan)(enum axt_red op, bool full);
void KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n);

#if !IS_COMPLEX

#define W64 (LANE_BYTES / 8)
#define NETWORK_MAX 4096 /* the longest line sorted by a network; measured */

static void
of_keys(K *x, int64_t n, bool down)
{
	if (down)
		IVDEP for (int64_t i = 0; i < n; i++) x[i] = of_key(x[i], true);
	else
		IVDEP for (int64_t i = 0; i < n; i++) x[i] = of_key(x[i], false);
}

/* ---- short lines: keys with their positions ---- */

#if NKEY == 64
/* Orders by key, then by position: so that of equal keys the first comes first. */
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

NETWORK(sort_pairs, (int64_t * x, int64_t *at, int64_t n),
    swap_pairs(x + i * W64, x + (i + d) * W64, at + i * W64, at + (i + d) * W64))
#else
/* The lower half of each word is the position. */
INLINE void
swap_wide(int64_t *restrict a, int64_t *restrict b)
{
	for (int j = 0; j < W64; j++) {
		int64_t x = a[j], y = b[j];

		a[j] = x < y ? x : y;
		b[j] = x < y ? y : x;
	}
}

NETWORK(sort_wide, (int64_t * x, int64_t n), swap_wide(x + i * W64, x + (i + d) * W64))
#endif

/* Undoes side_by_side: writes lines whose elements are es apart, and whose starts are ls apart. */
static void
lay_out(void *to, const void *x, int64_t width, int64_t n, int64_t w, int64_t es, int64_t ls,
    int size)
{
	if (ls == 1)
		axt_kern_gather2(to, es, x, n, w, width, 1, size);
	else
		axt_kern_gather2(to, ls, x, w, n, 1, width, size);
}

/* ---- long lines: radix sort, least significant digit first ---- */

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
		memset(count, 0, sizeof(count));
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
		if (at) /* at and tat were swapped as often */
			memcpy(tat, at, (size_t)n * sizeof(*at));
	}
}

/* ---- one line by all threads: the same radix sort, a piece of the line for each thread ---- */

INLINE K
key_at(const K *x, int64_t i, int64_t es, const int how)
{
	K k = x[i * es];

	return how & AXT_SORT_RAW ? to_key(k, how & AXT_SORT_DOWN, how & AXT_SORT_INDEX) : k;
}

INLINE void
count_as(int64_t *count, const K *x, int64_t n, int64_t es, int shift, const int how)
{
	const U mask = (U)((1 << DIGIT) - 1);

	for (int64_t i = 0; i < n; i++)
		count[((U)key_at(x, i, es, how) ^ (U)LEAST) >> shift & mask]++;
}

INLINE void
deal_as(K *to, int64_t *at, const K *x, const int64_t *from, int64_t first, int64_t n, int64_t es,
    int shift, int64_t *next, const int how)
{
	const U mask = (U)((1 << DIGIT) - 1);

	for (int64_t i = 0; i < n; i++) {
		K k = key_at(x, i, es, how);
		int64_t place = next[((U)k ^ (U)LEAST) >> shift & mask]++;

		to[place] = k;
		if (how & AXT_SORT_INDEX)
			at[place] = how & AXT_SORT_RAW ? first + i : from[i];
	}
}

INLINE void
values_as(void *out, const K *x, const int64_t *at, int64_t first, int64_t n, int64_t es,
    int64_t oes, const int how)
{
	if (how & AXT_SORT_INDEX)
		for (int64_t i = 0; i < n; i++)
			((int64_t *)out)[i * oes] = how & AXT_SORT_RAW ? first + i : at[i];
	else
		for (int64_t i = 0; i < n; i++)
			((K *)out)[i * oes] = of_key(key_at(x, i, es, how), how & AXT_SORT_DOWN);
}

/* Calls the function with a constant `how`, so that the compiler makes a copy for each value. */
#define AS(call)                   \
	switch (how) {             \
	case 0: {                  \
		const int HOW = 0; \
		call;              \
		break;             \
	}                          \
	case 1: {                  \
		const int HOW = 1; \
		call;              \
		break;             \
	}                          \
	case 2: {                  \
		const int HOW = 2; \
		call;              \
		break;             \
	}                          \
	case 3: {                  \
		const int HOW = 3; \
		call;              \
		break;             \
	}                          \
	case 4: {                  \
		const int HOW = 4; \
		call;              \
		break;             \
	}                          \
	case 5: {                  \
		const int HOW = 5; \
		call;              \
		break;             \
	}                          \
	case 6: {                  \
		const int HOW = 6; \
		call;              \
		break;             \
	}                          \
	default: {                 \
		const int HOW = 7; \
		call;              \
		break;             \
	}                          \
	}

static void
count_digits(int64_t *count, const void *x, int64_t n, int64_t es, int shift, int how)
{
	if (es == 1)
		AS(count_as(count, x, n, 1, shift, HOW))
	else
		AS(count_as(count, x, n, es, shift, HOW))
}

static void
deal(void *to, int64_t *at, const void *x, const int64_t *from, int64_t first, int64_t n,
    int64_t es, int shift, int64_t *next, int how)
{
	if (es == 1)
		AS(deal_as(to, at, x, from, first, n, 1, shift, next, HOW))
	else
		AS(deal_as(to, at, x, from, first, n, es, shift, next, HOW))
}

static void
values(void *out, const void *x, const int64_t *at, int64_t first, int64_t n, int64_t es,
    int64_t oes, int how)
{
	if (oes == 1 && es == 1)
		AS(values_as(out, x, at, first, n, 1, 1, HOW))
	else
		AS(values_as(out, x, at, first, n, es, oes, HOW))
}

/* ---- sorting ---- */

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

const struct axt_line_fns *
KERN_NAME(lines)(void)
{
	static const struct axt_line_fns fns = {
		.bits = NKEY,
		.room = room,
		.sort = sort,
		.digit = DIGIT,
		.digits = count_digits,
		.deal = deal,
		.values = values,
#if !IS_HALF
		.quantile = KERN_NAME(quantile),
		.count = KERN_NAME(count),
		.value = KERN_NAME(key_value),
#endif
		.scan = KERN_NAME(scan),
		.begin = KERN_NAME(scan_begin),
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
