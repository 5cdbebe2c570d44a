/* k_packed.c - packed integers of up to 16 bits: to floats, and into sums at once. */
#include "red.h"

axt_unpack_fn *KERN_NAME(unpack)(enum axt_dtype to);
axt_unpack_rows_fn *KERN_NAME(unpack_rows)(enum axt_dtype to, bool skip, const double p[4],
    int64_t count);

#define SMALL_I8 1
#define SMALL_U8 1
#define SMALL_I16 1
#define SMALL_U16 1
#if CAT(SMALL_, AXT_T)

#define ROWS 8			/* read at a time: a sum is loaded and stored once for them */

#define PACKED(to, real)                                                                         \
	struct packing_##to {                                                                    \
		real scale, offset, a, b;                                                        \
		bool missing;                                                                    \
	};                                                                                       \
                                                                                                 \
	INLINE struct packing_##to                                                               \
	packing_##to(const double p[4])                                                          \
	{                                                                                        \
		return (struct packing_##to){ (real)p[0], (real)p[1], (real)p[2], (real)p[3],    \
		    p[2] == p[2] };                                                              \
	}                                                                                        \
                                                                                                 \
	/* What CONV, MASK and UNPACK give one after another. */                                 \
	INLINE real                                                                              \
	value_##to(T x, struct packing_##to p, const bool missing)                               \
	{                                                                                        \
		real v = (real)x, u = v * p.scale + p.offset;                                    \
                                                                                                 \
		return missing && ((int)(v == p.a) | (int)(v == p.b)) ? (real)NAN : u;           \
	}                                                                                        \
                                                                                                 \
	INLINE void                                                                              \
	values_##to(T_##to *y, const T *x, struct packing_##to p, int64_t n, const bool missing) \
	{                                                                                        \
		IVDEP for (int64_t i = 0; i < n; i++)                                            \
			y[i] = value_##to(x[i], p, missing);                                     \
	}                                                                                        \
                                                                                                 \
	static void                                                                              \
	unpack_##to(void *out, const void *in, const double p[4], int64_t n)                     \
	{                                                                                        \
		struct packing_##to q = packing_##to(p);                                         \
                                                                                                 \
		if (q.missing)                                                                   \
			values_##to(out, in, q, n, true);                                        \
		else                                                                             \
			values_##to(out, in, q, n, false);                                       \
	}                                                                                        \
                                                                                                 \
	INLINE void                                                                              \
	sums_##to(double *s, double *here, const T *x, struct packing_##to p, int64_t n,         \
	    int64_t ld, const int R, const bool missing)                                         \
	{                                                                                        \
		IVDEP for (int64_t i = 0; i < n; i++) {                                          \
			double si = s[i], hi = here ? here[i] : 0;                               \
                                                                                                 \
			for (int r = 0; r < R; r++) {                                            \
				double v = (double)value_##to(x[r * ld + i], p, missing);        \
				int64_t ok = v == v;                                             \
                                                                                                 \
				si += here ? pick(ok, v, 0) : v;                                 \
				hi += pick(ok, 1, 0);                                            \
			}                                                                        \
			s[i] = si;                                                               \
			if (here)                                                                \
				here[i] = hi;                                                    \
		}                                                                                \
	}                                                                                        \
                                                                                                 \
	INLINE void                                                                              \
	all_sums_##to(struct axt_acc *acc, int64_t k, const T *x, const double p[4],             \
	    int64_t rows, int64_t n, int64_t ld, const bool skip)                                \
	{                                                                                        \
		struct packing_##to q = packing_##to(p);                                         \
		double *s = P(acc, 0) + k, *here = skip ? P(acc, 2) + k : NULL;                  \
		int64_t r = 0;                                                                   \
                                                                                                 \
		for (; r + ROWS <= rows; r += ROWS)                                              \
			if (q.missing)                                                           \
				sums_##to(s, here, x + r * ld, q, n, ld, ROWS, true);            \
			else                                                                     \
				sums_##to(s, here, x + r * ld, q, n, ld, ROWS, false);           \
		for (; r < rows; r++)                                                            \
			sums_##to(s, here, x + r * ld, q, n, ld, 1, true);                       \
	}                                                                                        \
                                                                                                 \
	static void                                                                              \
	rows_##to(struct axt_acc *acc, int64_t k, const void *x, const double p[4],              \
	    int64_t rows, int64_t n, int64_t ld)                                                 \
	{                                                                                        \
		all_sums_##to(acc, k, x, p, rows, n, ld, false);                                 \
	}                                                                                        \
                                                                                                 \
	static void                                                                              \
	rows_skip_##to(struct axt_acc *acc, int64_t k, const void *x, const double p[4],         \
	    int64_t rows, int64_t n, int64_t ld)                                                 \
	{                                                                                        \
		all_sums_##to(acc, k, x, p, rows, n, ld, true);                                  \
	}
PACKED(F32, float)
PACKED(F64, double)

axt_unpack_fn *
KERN_NAME(unpack)(enum axt_dtype to)
{
	return to == AXT_F32 ? unpack_F32 : to == AXT_F64 ? unpack_F64 : NULL;
}

/* The last bit of x as a number; x is a multiple of it, and so is 0 of anything. */
static double
last_bit(double x)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(x, &e), 53);

	return m ? ldexp((double)(m & -m), e - 53) : (double)INFINITY;
}

static double
value(enum axt_dtype to, int x, const double p[4])
{
	double q[4] = { p[0], p[1], NAN, NAN };

	return to == AXT_F32 ? (double)value_F32((T)x, packing_F32(q), false)
	    : value_F64((T)x, packing_F64(q), false);
}

/*
 * Values go up or down with x, so the ends bound them. All are multiples of some power of two:
 * rounding keeps that of scale and offset, and that of the value nearest to zero is one where the
 * ends have one sign. Sums below 2^53 of it are exact.
 */
static bool
exact(enum axt_dtype to, const double p[4], int64_t count)
{
	bool half = to == AXT_F32, minus = (T)-1 < 0;
	double scale = half ? (double)(float)p[0] : p[0], offset = half ? (double)(float)p[1] : p[1];
	int bits = 8 * (int)sizeof(T), least = minus ? -(1 << (bits - 1)) : 0;
	double lo = value(to, least, p), hi = value(to, least + (1 << bits) - 1, p);
	double most = fmax(fabs(lo), fabs(hi)), unit = fmin(last_bit(scale), last_bit(offset));

	if (!(fabs(lo) + fabs(hi) < (double)INFINITY))
		return false;
	if (lo * hi > 0)
		unit = fmax(unit, ldexp(1, ilogb(fmin(fabs(lo), fabs(hi))) - (half ? 23 : 52)));
	return most * (double)count < unit * 0x1p53;
}

axt_unpack_rows_fn *
KERN_NAME(unpack_rows)(enum axt_dtype to, bool skip, const double p[4], int64_t count)
{
	if (!exact(to, p, count))
		return NULL;
	if (to == AXT_F32)
		return skip ? rows_skip_F32 : rows_F32;
	return skip ? rows_skip_F64 : rows_F64;
}
#else

axt_unpack_fn *
KERN_NAME(unpack)(enum axt_dtype to)
{
	(void)to;
	return NULL;
}

axt_unpack_rows_fn *
KERN_NAME(unpack_rows)(enum axt_dtype to, bool skip, const double p[4], int64_t count)
{
	(void)to, (void)skip, (void)p, (void)count;
	return NULL;
}
#endif
