/*
 * keys.h - elements as signed integers of the same size, in the order of their values (NaN last),
 * and the network that sorts short lines of them. Sorting and quantiles both use it.
 */
#ifndef AXT_KERN_KEYS_H
#define AXT_KERN_KEYS_H

#include "kern/prim.h"

/* In k_quantiles.c; not for complex dtypes and halves. */
void KERN_NAME(quantile)(double *out, const void *x, int64_t n, int64_t lines, int64_t es,
    int64_t ls, const struct axt_quantile_of *q, int nq, bool skip, void *r);
void KERN_NAME(
    count)(uint32_t *hist, const void *p, int64_t n, int shift, const uint64_t *prefix, int m);
double KERN_NAME(key_value)(uint64_t k);

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
#define W (LANE_BYTES / (int)sizeof(T)) /* lines side by side */
#define DIGIT (NKEY < 32 ? 8 : 11)

/* ---- keys ---- */

/* down: in reversed order, but NaN still last. zeros: -0 and 0 get the same key. */
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
		IVDEP for (int64_t i = 0; i < n; i++) x[i] = to_key(x[i], true, zeros);
	else
		IVDEP for (int64_t i = 0; i < n; i++) x[i] = to_key(x[i], false, zeros);
}

/* ---- short lines: Batcher's merge exchange ---- */

/*
 * Defines a function that sorts n rows by the network of Knuth, The Art of Computer Programming 3,
 * algorithm 5.2.2M. `swap` puts rows i and i + d in order, in each lane; which rows are compared
 * does not depend on the values.
 */
#define NETWORK(name, args, swap)                                                        \
	static void name args                                                            \
	{                                                                                \
		int64_t top = 1;                                                         \
                                                                                         \
		while (2 * top < n)                                                      \
			top *= 2;                                                        \
		for (int64_t p = top; n > 1 && p > 0; p /= 2)                            \
			for (int64_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) { \
				for (int64_t b = r; b + d < n; b += 2 * p)               \
					for (int64_t i = b; i < MIN(b + p, n - d); i++)  \
						swap;                                    \
				if (q == p)                                              \
					break;                                           \
			}                                                                \
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

NETWORK(sort_keys, (key_t_ * x, int64_t n), swap_keys(x + i * W, x + (i + d) * W))

/* Copies w lines side by side, into rows of `width` elements; the lanes after them are zeros. */
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

/* How many lines are gathered at once. */
static int64_t
many(int64_t es)
{
	return es == 1 ? 1 : W;
}

#endif

#endif
