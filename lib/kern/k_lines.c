/*
 * k_lines.c - what needs a whole line of one axis, as a table; sorting: short lines side by side,
 * one in each lane of a vector, by a network of exchanges; long ones by their digits.
 */
#include "keys.h"

const struct axt_line_fns *KERN_NAME(lines)(void);
axt_scan_fn *KERN_NAME(scan)(enum axt_red op, bool full);
void KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n);

#if !IS_COMPLEX

#define W64 (LANE_BYTES / 8)
#define NETWORK_MAX 4096			/* elements of a line to sort; measured */

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

/* ---- short lines: keys with where they were ---- */

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
		.bits = NKEY, .room = room, .sort = sort,
#if !IS_HALF
		.quantile = KERN_NAME(quantile), .count = KERN_NAME(count),
		.value = KERN_NAME(key_value),
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
