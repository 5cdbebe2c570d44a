/*
 * red.h - what reductions share: 16 lanes as vectors, pairwise addition of lanes, compensated
 * sums.
 * Reductions have kernels for f32, f64, i64 and u64 (RED_T); callers convert other dtypes.
 */
#ifndef AXT_KERN_RED_H
#define AXT_KERN_RED_H

#include "kern/prim.h"

#define RED_F32 1
#define RED_F64 1
#define RED_I64 2
#define RED_U64 2
#define RED_FLOAT (CAT(RED_, AXT_T) == 1)
#define RED_INT (CAT(RED_, AXT_T) == 2)

#define LANES AXT_LANES
#define WIDTH (VEC_BYTES / 8) /* doubles in a vector */
#define NVEC (LANES / WIDTH)
typedef double vd __attribute__((vector_size(VEC_BYTES)));
typedef int64_t vi __attribute__((vector_size(VEC_BYTES)));

/* 16 lanes in registers. Loops over v have constant bounds, so that they are unrolled. */
struct lanes {
	vd v[NVEC];
};
#define EACH_VEC(k) for (int k = 0; k < NVEC; k++)

INLINE vd
vd_and(vd a, vi m)
{
	return (vd)((vi)a & m);
}

INLINE vd
vd_pick(vi m, vd a, vd b)
{
	return (vd)((m & (vi)a) | (~m & (vi)b));
}

INLINE vd
vd_abs(vd a)
{
	return (vd)((vi)a & INT64_MAX);
}

#if RED_FLOAT
INLINE vd
vd_load(const T *x)
{
#if IS_64
	vd v;

	memcpy(&v, x, sizeof(v));
	return v;
#else
	return (vd)LOAD_F32_F64(x);
#endif
}

INLINE struct lanes
lanes_load(const T *x)
{
	struct lanes l;

	EACH_VEC (k)
		l.v[k] = vd_load(x + k * WIDTH);
	return l;
}
#endif

INLINE struct lanes
lanes_load64(const double *x)
{
	struct lanes l;

	EACH_VEC (k)
		memcpy(&l.v[k], x + k * WIDTH, sizeof(vd));
	return l;
}

/* Adds lanes pairwise: 8+8, 4+4, 2+2, 1+1. */
INLINE double
lanes_sum(struct lanes l)
{
	double t[LANES];

	EACH_VEC (k)
		memcpy(t + k * WIDTH, &l.v[k], sizeof(vd));
	for (int h = LANES / 2; h; h /= 2)
		for (int i = 0; i < h; i++)
			t[i] += t[i + h];
	return t[0];
}

/*
 * The lanes of up to SIDE blocks that lie side by side: v[i] has lane i of each block, so that
 * vectors run across blocks. Lanes without elements are left out when lanes are added. In a single
 * block they are +0 (1 in a product), which changes no sum that begins with +0, so the bits are the
 * same.
 */
#define SIDE 64
struct side {
	double v[LANES][SIDE];
};

/* Adds the lanes of m blocks of n elements pairwise, as one block's are; the sums are in v[0]. */
INLINE void
side_sum(struct side *t, int64_t n, int64_t m)
{
	for (int h = LANES / 2; h; h /= 2)
		for (int64_t i = 0; i < h && i + h < n; i++)
			IVDEP for (int64_t j = 0; j < m; j++) t->v[i][j] += t->v[i + h][j];
}

/* c ? a : b on bits: compilers turn the plain form into branches, which do not vectorise. */
INLINE int64_t
pick_i64(int64_t c, int64_t a, int64_t b)
{
	return (a & -c) | (b & ~-c);
}

INLINE double
pick(int64_t c, double a, double b)
{
	int64_t i, j;
	double r;

	memcpy(&i, &a, sizeof(i));
	memcpy(&j, &b, sizeof(j));
	i = pick_i64(c, i, j);
	memcpy(&r, &i, sizeof(r));
	return r;
}

/* Adds x to the sum *s, and the rounding error to *c: Neumaier's compensated sum. */
INLINE void
two_sum(double *s, double *c, double x)
{
	double t = *s + x, z = t - *s;

	*c += (*s - (t - z)) + (x - z);
	*s = t;
}

/* The compensated sum. After inf or NaN c is NaN; then s alone is the result. */
INLINE double
sum_value(double s, double c)
{
	return fabs(s) < (double)INFINITY ? s + c : s;
}

#define P(a, q) ((double *)(a)->p[q])
#define PI(a, q) ((int64_t *)(a)->p[q])

/* The arguments of finish that hold for each entry. */
#define FINISH_ARGS \
	void *out, const struct axt_acc *a, int64_t k, int64_t n, int64_t count, double ddof

/*
 * Defines the function of windows that overlap, for a reduction in any order. Elements v become
 * `first`, of type D, and `join` is what r and q make together: those of 2, 4, 8... elements are
 * made for all positions, and a state, of type S, of as many as needed. If `again`, an element may
 * be in both.
 */
#define SLIDING(name, D, first, join, S, again)                                             \
	static void windows_##name(struct axt_acc *a, int64_t k, const void *in, int64_t n, \
	    int64_t rows, int64_t cols, int64_t ld, void *room)                             \
	{                                                                                   \
		const T *x = in;                                                            \
		S *s = (S *)a->p[0] + k;                                                    \
		D *d = room, *to = d + 2 * AXT_WINDOWS_PART;                                \
		int64_t have = rows + n - 1, all = rows * cols, done = 0, width = 1;        \
                                                                                            \
		for (int64_t i = 0; i < have; i++)                                          \
			IVDEP for (int64_t j = 0; j < cols; j++)                            \
			{                                                                   \
				T v = x[i * ld + j];                                        \
				d[i * cols + j] = first;                                    \
			}                                                                   \
		for (;;) {                                                                  \
			bool last = 2 * width > n;                                          \
			const D *far = d + (again ? n - width : done) * cols, *near = d;    \
                                                                                            \
			if (again && last)                                                  \
				IVDEP for (int64_t i = 0; i < all; i++)                     \
				{                                                           \
					D r = near[i], q = far[i];                          \
					s[i] = (S)(join);                                   \
				}                                                           \
			else if (!again && (n & width) && done == 0)                        \
				IVDEP for (int64_t i = 0; i < all; i++) s[i] = (S)far[i];   \
			else if (!again && (n & width))                                     \
				IVDEP for (int64_t i = 0; i < all; i++)                     \
				{                                                           \
					D r = (D)s[i], q = far[i];                          \
					s[i] = (S)(join);                                   \
				}                                                           \
			if (last)                                                           \
				return;                                                     \
			done += n & width;                                                  \
			have -= width;                                                      \
			far = d + width * cols;                                             \
			IVDEP for (int64_t i = 0; i < have * cols; i++)                     \
			{                                                                   \
				D r = near[i], q = far[i];                                  \
				to[i] = join;                                               \
			}                                                                   \
			d = to;                                                             \
			to = (D *)near;                                                     \
			width *= 2;                                                         \
		}                                                                           \
	}

typedef const struct axt_red_fns *red_fn(enum axt_red op, bool skip, bool weighted);
red_fn KERN_NAME(sums), KERN_NAME(folds), KERN_NAME(moments), KERN_NAME(extremes);

#endif
