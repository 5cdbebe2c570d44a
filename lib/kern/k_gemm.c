/*
 * k_gemm.c - blocks of matrix products from packed panels. Each element of the result is one chain
 * of fused multiply-adds in the order of k, on any ISA and however panels are cut; a complex one is
 * two chains, for the real and for the imaginary part of the left operand. Of small
 * matrices many are multiplied at once, with vectors across them.
 */
#include "kern/prim.h"

const struct axt_gemm_fns *KERN_NAME(gemm)(void);

#define GEMM_I64 1
#define GEMM_U64 1
#define GEMM_F32 1
#define GEMM_F64 1
#define GEMM_C64 1
#define GEMM_C128 1
#if CAT(GEMM_, AXT_T)

#if IS_INT
typedef uint64_t S; /* of a vector's elements; sums wrap */
#define FMADD(a, b, c) ((c) + (a) * (b))
#else
typedef R S;
#if IS_64
#define FMADD(a, b, c) (vec) FMA_F64(a, b, c)
#else
#define FMADD(a, b, c) (vec) FMA_F32(a, b, c)
#endif
#endif
typedef S vec __attribute__((vector_size(VEC_BYTES)));
#define ALL(x) ((x) - (vec){ 0 })

/* A tile's sums (24 of 32 vector registers, or 12 of 16) and 2 vectors of the right fit in them. */
#define PARTS ((int)(sizeof(T) / sizeof(S))) /* 2 when complex: real and imaginary */
#define VECS 2
#define LANES ((int)(VEC_BYTES / sizeof(S)))
#define MR (VEC_REGISTERS * 3 / 8 / PARTS)
#define NR (VECS * LANES / PARTS)

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 12")
#endif

/* One tile: the sums over k of the first M of MR rows, for the columns of a panel of the right. */
struct tile {
	S s[MR][VECS * LANES];
};

INLINE void
add_up(struct tile *out, const S *a, const S *b, int64_t k, const int M)
{
	vec s[PARTS][MR][VECS];

	UNROLL for (int p = 0; p < PARTS; p++) UNROLL for (int i = 0; i < M; i++)
	    UNROLL for (int j = 0; j < VECS; j++) s[p][i][j] = (vec){ 0 };
	for (int64_t l = 0; l < k; l++) {
		vec v[VECS];

		UNROLL for (int j = 0; j < VECS; j++) memcpy(&v[j], b + j * LANES, sizeof(vec));
		UNROLL for (int i = 0; i < M; i++) UNROLL for (int p = 0; p < PARTS; p++)
		{
			vec x = ALL(a[i * PARTS + p]);

			UNROLL for (int j = 0; j < VECS; j++)
			    s[p][i][j] = FMADD(x, v[j], s[p][i][j]);
		}
		a += MR * PARTS;
		b += VECS * LANES;
	}
	UNROLL for (int i = 0; i < M; i++) memcpy(out->s[i], s[0][i], sizeof(s[0][i]));
#if IS_COMPLEX
	for (int i = 0; i < M; i++) {
		S t[VECS * LANES];

		memcpy(t, s[1][i], sizeof(t));
		for (int j = 0; j < VECS * LANES; j += 2) {
			out->s[i][j] -= t[j + 1];
			out->s[i][j + 1] += t[j];
		}
	}
#endif
}

/* Writes m rows and n columns of a tile to c, or adds them to what is there. */
INLINE void
store(S *c, int64_t ldc, const struct tile *t, int64_t m, int64_t n, bool add)
{
	for (int64_t i = 0; i < m; i++) {
		S *ci = c + i * ldc * PARTS;

		if (add)
			for (int64_t j = 0; j < n * PARTS; j++)
				ci[j] += t->s[i][j];
		else
			memcpy(ci, t->s[i], (size_t)n * sizeof(T));
	}
}

static void
multiply(void *c, int64_t ldc, const void *left, const void *right, int64_t m, int64_t n, int64_t k,
    bool add)
{
	for (int64_t j = 0; j < n; j += NR)
		for (int64_t i = 0; i < m; i += MR) {
			const S *a = (const S *)left + i * k * PARTS,
				*b = (const S *)right + j * k * PARTS;
			S *to = (S *)c + (i * ldc + j) * PARTS;
			int64_t rows = MIN(MR, m - i), cols = MIN(NR, n - j);
			struct tile t;

			for (int64_t r = 0; r < rows; r++)
				for (int v = 0; v < VECS; v++)
					__builtin_prefetch(
					    (char *)(to + r * ldc * PARTS) + v * VEC_BYTES, 1);
			if (rows > (MR + 1) / 2)
				add_up(&t, a, b, k, MR);
			else if (rows > (MR + 3) / 4)
				add_up(&t, a, b, k, (MR + 1) / 2);
			else
				add_up(&t, a, b, k, (MR + 3) / 4);
			if (cols == NR)
				store(to, ldc, &t, rows, NR, add);
			else
				store(to, ldc, &t, rows, cols, add);
		}
}

/* ---- small matrices, side by side ---- */

#if IS_COMPLEX
#if IS_64
#define REALS(x) (vec) FIRSTS_F64(x)
#define IMAGINARIES(x) (vec) SECONDS_F64(x)
#define TURNED(x) (vec) TURNED_F64(x)
#else
#define REALS(x) (vec) FIRSTS_F32(x)
#define IMAGINARIES(x) (vec) SECONDS_F32(x)
#define TURNED(x) (vec) TURNED_F32(x)
#endif

/* The sums of real parts times b, and of imaginary ones times b, as complex numbers. */
INLINE vec
whole(const vec s[PARTS])
{
	vec sign;

	for (int i = 0; i < LANES; i++)
		sign[i] = i % 2 ? 1 : -1;
	return s[0] + sign * TURNED(s[1]);
}
#else
#define REALS(x) (x)
#define IMAGINARIES(x) (x)

INLINE vec
whole(const vec s[PARTS])
{
	return s[0];
}
#endif

/*
 * Computes J neighbouring elements of a row of a product, for LANES products at once. The matrices
 * of these products are interleaved: an element of a matrix and the next one are `step` values
 * apart. k is the length that is summed over.
 */
INLINE void
cross(S *c, const S *a, const S *b, int64_t k, int64_t al, int64_t bl, int64_t bj, int64_t step,
    const int J)
{
	vec s[4][PARTS];

	UNROLL for (int j = 0; j < J; j++) UNROLL for (int p = 0; p < PARTS; p++)
	    s[j][p] = (vec){ 0 };
	for (int64_t l = 0; l < k; l++) {
		vec x, v;

		memcpy(&x, a + l * al * step, sizeof(x));
		UNROLL for (int j = 0; j < J; j++)
		{
			memcpy(&v, b + (l * bl + j * bj) * step, sizeof(v));
			s[j][0] = FMADD(REALS(x), v, s[j][0]);
			if (PARTS == 2)
				s[j][PARTS - 1] = FMADD(IMAGINARIES(x), v, s[j][PARTS - 1]);
		}
	}
	UNROLL for (int j = 0; j < J; j++)
	{
		vec v = whole(s[j]);

		memcpy(c + j * step, &v, sizeof(v));
	}
}

static void
across(void *c, const void *left, const void *right, int64_t m, int64_t n, int64_t k,
    const bool k_last[2], int64_t lanes)
{
	int64_t ai = k_last[0] ? k : 1, al = k_last[0] ? 1 : m, bj = k_last[1] ? k : 1,
		bl = k_last[1] ? 1 : n, step = lanes * PARTS;

	for (int64_t v = 0; v < step; v += LANES)
		for (int64_t i = 0; i < m; i++) {
			const S *a = (const S *)left + v + i * ai * step, *b = (const S *)right + v;
			S *to = (S *)c + v + i * n * step;
			int64_t j = 0;

			for (; j + 4 <= n; j += 4)
				cross(to + j * step, a, b + j * bj * step, k, al, bl, bj, step, 4);
			if (n - j == 3)
				cross(to + j * step, a, b + j * bj * step, k, al, bl, bj, step, 3);
			else if (n - j == 2)
				cross(to + j * step, a, b + j * bj * step, k, al, bl, bj, step, 2);
			else if (n - j == 1)
				cross(to + j * step, a, b + j * bj * step, k, al, bl, bj, step, 1);
		}
}

const struct axt_gemm_fns *
KERN_NAME(gemm)(void)
{
	static const struct axt_gemm_fns f = { MR, NR, multiply, across };

	return &f;
}
#else

const struct axt_gemm_fns *
KERN_NAME(gemm)(void)
{
	return NULL;
}
#endif
