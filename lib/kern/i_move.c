/*
 * i_move.c - elements moved to another order, by strides or in blocked transposes; bytes of
 * elements reversed; and elements of eight bytes searched for integers that f64 cannot hold.
 */
#include "kern/isa.h"

/*
 * LINE: the bytes of an output row that are written at a time, which are a cache line. STRIP: the
 * bytes of an input row in a strip of a transpose. AHEAD: how many input rows ahead are prefetched.
 */
#define LINE 64
#define STRIP 512
#define AHEAD 32

struct el16 {
	uint64_t a, b;
};
/* Elements are read where they lie in a file, at any address. */
#define ANY __attribute__((aligned(1)))
typedef uint8_t any1;
typedef uint16_t any2 ANY;
typedef uint32_t any4 ANY;
typedef uint64_t any8 ANY;
typedef struct el16 any16 ANY;

/* ---- tiles: out[i*o + j] = in[i + j*s], i in [0, rows), j in [0, R); R of i are read ---- */

/*
 * Transposes a tile by interleaving the first half of its rows with the second half, log2 R times.
 */
#define TILE(name, T, R, lo, hi)                                                                \
	INLINE void name(T *out, int64_t o, const T *in, int64_t s, int64_t rows)               \
	{                                                                                       \
		typedef T row __attribute__((vector_size(16)));                                 \
		row v[R], u[R];                                                                 \
                                                                                                \
		for (int k = 0; k < R; k++)                                                     \
			memcpy(&v[k], in + k * s, sizeof(row));                                 \
		for (int d = 1; d < R; d *= 2) {                                                \
			for (int k = 0; k < R / 2; k++) {                                       \
				u[2 * k] = __builtin_shufflevector(v[k], v[k + R / 2], lo);     \
				u[2 * k + 1] = __builtin_shufflevector(v[k], v[k + R / 2], hi); \
			}                                                                       \
			for (int k = 0; k < R; k++)                                             \
				v[k] = u[k];                                                    \
		}                                                                               \
		for (int k = 0; k < R && k < rows; k++)                                         \
			memcpy(out + k * o, &v[k], sizeof(row));                                \
	}
#define LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
TILE(tile1, uint8_t, 16, LOW_16, HIGH_16)
TILE(tile2, uint16_t, 8, LOW_8, HIGH_8)

#if VEC_BYTES < 32
#define ROWS_4 4
#define ROWS_8 2
#define LOW_4 0, 4, 1, 5
#define HIGH_4 2, 6, 3, 7
#define LOW_2 0, 2
#define HIGH_2 1, 3
TILE(tile4, uint32_t, ROWS_4, LOW_4, HIGH_4)
TILE(tile8, uint64_t, ROWS_8, LOW_2, HIGH_2)
#else
#define ROWS_4 8
#define ROWS_8 4
typedef uint32_t row4 __attribute__((vector_size(32)));
typedef uint64_t row8 __attribute__((vector_size(32)));
/* The same where they lie in an output. Stored by memcpy, rows of a tile leave the registers. */
typedef row4 out4 __attribute__((aligned(4), may_alias));
typedef row8 out8 __attribute__((aligned(8), may_alias));

#define LOWS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGHS(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
INLINE void
tile4(uint32_t *out, int64_t o, const uint32_t *in, int64_t s, int64_t rows)
{
	row4 v[8], u[8];

	/* Puts rows k and k + 4 side by side: later exchanges then stay within 128-bit halves. */
	for (int k = 0; k < 4; k++) {
		v[k] = (row4)BESIDE(in + k * s, in + (k + 4) * s);
		v[k + 4] = (row4)BESIDE(in + k * s + 4, in + (k + 4) * s + 4);
	}
	for (int h = 0; h < 8; h += 4) {
		u[h] = LOWS(v[h], v[h + 2]);
		u[h + 1] = HIGHS(v[h], v[h + 2]);
		u[h + 2] = LOWS(v[h + 1], v[h + 3]);
		u[h + 3] = HIGHS(v[h + 1], v[h + 3]);
		v[h] = LOWS(u[h], u[h + 2]);
		v[h + 1] = HIGHS(u[h], u[h + 2]);
		v[h + 2] = LOWS(u[h + 1], u[h + 3]);
		v[h + 3] = HIGHS(u[h + 1], u[h + 3]);
	}
	for (int k = 0; k < 8 && k < rows; k++)
		*(out4 *)(out + k * o) = v[k];
}

INLINE void
tile8(uint64_t *out, int64_t o, const uint64_t *in, int64_t s, int64_t rows)
{
	row8 v[4], u[4];

	for (int k = 0; k < 2; k++) {
		v[k] = (row8)BESIDE(in + k * s, in + (k + 2) * s);
		v[k + 2] = (row8)BESIDE(in + k * s + 2, in + (k + 2) * s + 2);
	}
	for (int h = 0; h < 4; h += 2) {
		u[h] = __builtin_shufflevector(v[h], v[h + 1], 0, 4, 2, 6);
		u[h + 1] = __builtin_shufflevector(v[h], v[h + 1], 1, 5, 3, 7);
	}
	for (int k = 0; k < 4 && k < rows; k++)
		*(out8 *)(out + k * o) = u[k];
}
#endif

INLINE void
tile16(struct el16 *out, int64_t o, const any16 *in, int64_t s, int64_t rows)
{
	for (int i = 0; i < 2 && i < rows; i++)
		for (int j = 0; j < 2; j++)
			out[i * o + j] = in[i + j * s];
}

/* ---- one element size ---- */

/*
 * A transpose goes by strips along the direction in which the input is contiguous, narrow enough
 * that the output rows of a strip stay in the cache. Within a strip every output row grows by one
 * cache line at a time, while the next input rows are prefetched. The last tile of a direction is
 * moved back to fit: it writes some elements a second time.
 */
#define GATHER(T, IN, R, tile)                                                                  \
	static void loop_##tile(T *out, int64_t o0, const IN *in, int64_t n0, int64_t n1,       \
	    int64_t s0, int64_t s1)                                                             \
	{                                                                                       \
		const int64_t w = LINE / sizeof(T);                                             \
                                                                                                \
		for (int64_t jb = 0; jb < n1; jb += w)                                          \
			for (int64_t i = 0; i < n0; i++)                                        \
				for (int64_t j = jb; j < MIN(jb + w, n1); j++)                  \
					out[i * o0 + j] = in[i * s0 + j * s1];                  \
	}                                                                                       \
                                                                                                \
	static void transpose_##tile(T *out, int64_t o0, const IN *in, int64_t n0, int64_t n1,  \
	    int64_t s1)                                                                         \
	{                                                                                       \
		const int64_t w = MAX(LINE / (int64_t)sizeof(T), R), strip = STRIP / sizeof(T); \
                                                                                                \
		for (int64_t is = 0; is < n0; is += strip) {                                    \
			int64_t ie = MIN(is + strip, n0);                                       \
                                                                                                \
			for (int64_t jb = 0; jb < n1; jb += w) {                                \
				int64_t je = MIN(jb + w, n1);                                   \
                                                                                                \
				for (int64_t j = jb + AHEAD; j < MIN(je + AHEAD, n1); j++)      \
					for (int64_t i = is; i < ie; i += LINE / sizeof(T))     \
						__builtin_prefetch(in + i + j * s1);            \
				for (int64_t i = is; i < ie; i += R) {                          \
					int64_t it = MIN(i, n0 - R);                            \
                                                                                                \
					for (int64_t j = jb; j < je; j += R) {                  \
						int64_t jt = MIN(j, n1 - R);                    \
                                                                                                \
						tile(out + it * o0 + jt, o0,                    \
						    (const void *)(in + it + jt * s1), s1, R);  \
					}                                                       \
				}                                                               \
			}                                                                       \
		}                                                                               \
	}                                                                                       \
                                                                                                \
	/* Copies n0 < R adjacent elements n1 times; reads R each time, except at the end. */   \
	static void few_##tile(T *out, int64_t o0, const IN *in, int64_t n0, int64_t n1,        \
	    int64_t s1)                                                                         \
	{                                                                                       \
		int64_t safe = MAX(0, (n1 - 1) * s1 + n0 - R) / s1, j = 0;                      \
                                                                                                \
		for (; j + R - 1 <= safe && j + R <= n1; j += R)                                \
			tile(out + j, o0, (const void *)(in + j * s1), s1, n0);                 \
		for (; j < n1; j++)                                                             \
			for (int64_t i = 0; i < n0; i++)                                        \
				out[i * o0 + j] = in[i + j * s1];                               \
	}                                                                                       \
                                                                                                \
	static void gather_##tile(T *out, int64_t o0, const IN *in, int64_t n0, int64_t n1,     \
	    int64_t s0, int64_t s1)                                                             \
	{                                                                                       \
		if (s1 == 1) {                                                                  \
			for (int64_t i = 0; i < n0; i++)                                        \
				memcpy(out + i * o0, in + i * s0, n1 * sizeof(T));              \
		} else if (s1 == -1) {                                                          \
			for (int64_t i = 0; i < n0; i++)                                        \
				for (int64_t j = 0; j < n1; j++)                                \
					out[i * o0 + j] = in[i * s0 - j];                       \
		} else if (s1 == 0) {                                                           \
			for (int64_t i = 0; i < n0; i++)                                        \
				for (int64_t j = 0; j < n1; j++)                                \
					out[i * o0 + j] = in[i * s0];                           \
		} else if (s0 == 0) {                                                           \
			loop_##tile(out, o0, in, 1, n1, s0, s1);                                \
			for (int64_t i = 1; i < n0; i++)                                        \
				memcpy(out + i * o0, out, n1 * sizeof(T));                      \
		} else if (s0 == 1 && n0 >= R && n1 >= R) {                                     \
			transpose_##tile(out, o0, in, n0, n1, s1);                              \
		} else if (s0 == 1 && n0 > 1 && n0 < R && s1 > 1 && (n1 - 1) * s1 + n0 >= R) {  \
			few_##tile(out, o0, in, n0, n1, s1);                                    \
		} else {                                                                        \
			loop_##tile(out, o0, in, n0, n1, s0, s1);                               \
		}                                                                               \
	}
GATHER(uint8_t, any1, 16, tile1)
GATHER(uint16_t, any2, 8, tile2)
GATHER(uint32_t, any4, ROWS_4, tile4)
GATHER(uint64_t, any8, ROWS_8, tile8)
GATHER(struct el16, any16, 2, tile16)

void ISA_NAME(gather2)(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
    int64_t s1, int size);

void
ISA_NAME(gather2)(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
    int64_t s1, int size)
{
	if (n0 <= 0 || n1 <= 0)
		return;
	switch (size) {
	case 1: gather_tile1(out, o0, in, n0, n1, s0, s1); break;
	case 2: gather_tile2(out, o0, in, n0, n1, s0, s1); break;
	case 4: gather_tile4(out, o0, in, n0, n1, s0, s1); break;
	case 8: gather_tile8(out, o0, in, n0, n1, s0, s1); break;
	default: gather_tile16(out, o0, in, n0, n1, s0, s1); break;
	}
}

/* ---- elements by position ---- */

#define TAKE(T, IN)                                                                         \
	static void take_##T(T *out, int64_t o, const any8 *at, int64_t n, int64_t m,       \
	    const IN *in, int64_t s0, int64_t s1, int64_t len, const T *fill, int64_t *bad) \
	{                                                                                   \
		static const T zero;                                                        \
		const T none = fill ? *fill : zero;                                         \
		bool wrong = false;                                                         \
                                                                                            \
		for (int64_t i = 0; i < n; i++)                                             \
			for (int64_t j = 0; j < m; j++) {                                   \
				int64_t p = (int64_t)at[i * o + j];                         \
				bool in_line = p >= 0 && p < len;                           \
                                                                                            \
				wrong |= !in_line && (p >= 0 || !fill);                     \
				out[i * o + j] = in_line ? (T)in[p * s0 + j * s1] : none;   \
			}                                                                   \
		for (int64_t k = 0; wrong && *bad < 0; k++) {                               \
			int64_t p = (int64_t)at[k / m * o + k % m];                         \
                                                                                            \
			if (p >= len || (p < 0 && !fill))                                   \
				*bad = k / m * o + k % m;                                   \
		}                                                                           \
	}
typedef struct el16 el16;
TAKE(uint8_t, any1)
TAKE(uint16_t, any2)
TAKE(uint32_t, any4)
TAKE(uint64_t, any8)
TAKE(el16, any16)

void ISA_NAME(take)(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);

void
ISA_NAME(take)(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad)
{
	const void *p = at;

	switch (size) {
	case 1: take_uint8_t(out, o, p, n, m, in, s0, s1, len, fill, bad); break;
	case 2: take_uint16_t(out, o, p, n, m, in, s0, s1, len, fill, bad); break;
	case 4: take_uint32_t(out, o, p, n, m, in, s0, s1, len, fill, bad); break;
	case 8: take_uint64_t(out, o, p, n, m, in, s0, s1, len, fill, bad); break;
	default: take_el16(out, o, p, n, m, in, s0, s1, len, fill, bad); break;
	}
}

/* ---- NaN ---- */

void ISA_NAME(one_nan)(double *x, int64_t n);

void
ISA_NAME(one_nan)(double *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		x[i] = x[i] == x[i] ? x[i] : __builtin_nan("");
}

/* ---- integers that f64 does not hold ---- */

bool ISA_NAME(rounds)(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart);

/* Whether x has more digits than f64 holds. */
static bool
is_rounded(uint64_t x, bool sign)
{
	uint64_t size = sign && (int64_t)x < 0 ? 0 - x : x;

	return size >> 53 && size >> __builtin_ctzll(size) >> 53;
}

/*
 * The first loop ORs all integers except the first two of apart[], and decides for nearly all
 * strips: small integers, and times in nanoseconds that are whole microseconds, fit in f64. Only if
 * it cannot decide is each integer looked at.
 */
bool
ISA_NAME(rounds)(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart)
{
	const any8 *x = in;
	uint64_t a = apart[0], b = apart[napart > 1], minus = sign ? UINT64_MAX : 0, high = 0,
		 low = 0;

	for (int64_t i = 0; i < n; i++) {
		uint64_t v = x[i] == a || x[i] == b ? 0 : x[i];

		high |= v ^ (minus & (0 - (v >> 63)));
		low |= v;
	}
	if (!(high >> 53) || !(high >> __builtin_ctzll(low) >> 53))
		return false;
	for (int64_t i = 0; i < n; i++) {
		bool told = is_rounded(x[i], sign);

		for (int k = 0; k < napart; k++)
			told = told && x[i] != apart[k];
		if (told)
			return true;
	}
	return false;
}

/* ---- byte order ---- */

void ISA_NAME(swap)(void *p, int64_t n, int size);

void
ISA_NAME(swap)(void *p, int64_t n, int size)
{
	T_U16 *a = p;
	T_U32 *b = p;
	T_U64 *c = p;

	for (int64_t i = 0; size == 2 && i < n; i++)
		a[i] = __builtin_bswap16(a[i]);
	for (int64_t i = 0; size == 4 && i < n; i++)
		b[i] = __builtin_bswap32(b[i]);
	for (int64_t i = 0; size == 8 && i < n; i++)
		c[i] = __builtin_bswap64(c[i]);
}
