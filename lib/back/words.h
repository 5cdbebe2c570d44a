/*
 * words.h - what a generated program is made of, for the dtype AXT_T: the rows of ops.def, conversions
 * and reductions as functions of one element. It is only ever preprocessed: the build takes the text,
 * cuts it at @@ and keeps the pieces by name (scripts/words), so that programs have the very bodies
 * the kernels have. Here SLEEF's functions are those of the C library, or of CUDA.
 */
#define AXT_DEVICE
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT4_(a, b, c, d) a##b##c##d
#define CAT4(a, b, c, d) CAT4_(a, b, c, d)
#define T CAT(T_, AXT_T)
#define W CAT(W_, AXT_T)
#define CPLX(x, y) CAT(pair_, AXT_T)(x, y)
#define RINT_OF(a) FN(rint)(a)
#define ROUNDED(x) (x)
#if AXT_REAL == 64
#define R double
#elif AXT_REAL == 32
#define R float
#else
#define R T
#endif

@@ base
#include "../kern/prim.h"

/* ---- operations ---- */

#define OUT_SAME T
#define OUT_BYTE T
#define OUT_FLOAT T
#define OUT_REAL R
#define OUT_FREAL R
#define OUT_BOOL T_BOOL
#define OUT_F64 double

#define NO(...)
#define YES(...) __VA_ARGS__
#define ON_BIUFC YES
#define ON_BIUF NO
#define ON_BIU NO
#define ON_IUFC NO
#define ON_IUF NO
#define ON_IU NO
#define ON_FC NO
#define ON_F NO
#if IS_HALF
#undef ON_BIUFC
#define ON_BIUFC NO
#endif
#if IS_BOOL || IS_INT || IS_FLOAT
#undef ON_BIUF
#define ON_BIUF YES
#endif
#if IS_BOOL || IS_INT
#undef ON_BIU
#define ON_BIU YES
#endif
#if IS_INT || IS_FLOAT || IS_COMPLEX
#undef ON_IUFC
#define ON_IUFC YES
#endif
#if IS_INT || IS_FLOAT
#undef ON_IUF
#define ON_IUF YES
#endif
#if IS_INT
#undef ON_IU
#define ON_IU YES
#endif
#if IS_FLOAT || IS_COMPLEX
#undef ON_FC
#define ON_FC YES
#endif
#if IS_FLOAT
#undef ON_F
#define ON_F YES
#endif

#if IS_SIGNED
#define BELOW0(x) ((x) < 0)
#else
#define BELOW0(x) 0
#endif

/* A refused element sets *bad, and gives anything. */
#define REFUSE(test) if (test) { *bad = 1; return 0; }
#define EXPR1(e) return e;
#define EXPR2(e) return e;
#define EXPR3(e) return e;
#define WHERE3 return a ? b : c;
#if IS_INT
#define EXPR2Z(e) REFUSE(b == 0) return e;
#define EXPR2N(e) REFUSE(BELOW0(b)) return e;
#define EXPR2R(e) REFUSE(BELOW0(a) || a >= b) return e;
#else
#define EXPR2Z(e) return e;
#define EXPR2N(e) return e;
#endif
#define VEC1(f, acc) return FN(f)(a);
#define VEC2(f, acc) return FN(f)(a, b);
#define CALL1(f, acc, x0, e) R t = FN(f)(x0); return e;
#define CALL12(f, acc, x0, x1, e) R t = FN(f)(x0, x1); return e;
#define CALL2(f, acc, x0, x1, e) R t = FN(f)(x0, x1); return e;

/* A_ADD and the like: what the first argument is, T but for WHERE. */
#define OP(id, name, alias, arity, dom, result, flags, ulp, body, line)                          \
	ON_##dom(@@ op #id@INLINE OUT_##result CAT(op_##id##_, AXT_T)(A_##id a, T b, T c, int *bad) \
	{ (void)a; (void)b; (void)c; (void)bad; body })
#include "../ops.def"
#undef OP

/* ---- conversions ---- */

#define INTEGERS(X)                                                                              \
	X(I8, INT8_MIN, INT8_MAX, 8, int32_t)                                                    \
	X(I16, INT16_MIN, INT16_MAX, 16, int32_t)                                                \
	X(I32, INT32_MIN, INT32_MAX, 32, int32_t)                                                \
	X(I64, INT64_MIN, INT64_MAX, 64, int64_t)                                                \
	X(U8, 0, UINT8_MAX, 8, int32_t)                                                          \
	X(U16, 0, UINT16_MAX, 16, int32_t)                                                       \
	X(U32, 0, UINT32_MAX, 32, int64_t)                                                       \
	X(U64, 0, UINT64_MAX, 64, uint64_t)

#define CONV(to, mode) @@ conv to mode@INLINE T_##to CAT4(conv_##to##_, AXT_T, _, mode)(T x, int *bad)

#if IS_BOOL
#define VALUE(x) ((x) != 0)
#else
#define VALUE(x) (x)
#endif

#if IS_HALF || IS_COMPLEX
/* By way of f32 or f64; of complex the real part. */
#if IS_HALF
#define VIA F32
#define REAL_OF(x) CAT(load_, AXT_T)(x)
#define IMAG_OF(x) 0
#else
#define VIA CAT(VIA_, AXT_T)
#define VIA_C64 F32
#define VIA_C128 F64
#define REAL_OF(x) (x).re
#define IMAG_OF(x) (x).im
#endif
#define VIA_FN(to, mode)                                                                         \
	CONV(to, mode) { return CAT4(conv_##to##_, VIA, _, mode)(REAL_OF(x), bad); }
#define FROM(to, lo, hi, bits, reg) VIA_FN(to, ERROR) VIA_FN(to, SATURATE) VIA_FN(to, WRAP)
INTEGERS(FROM)
VIA_FN(F16, ERROR)
VIA_FN(BF16, ERROR)
VIA_FN(F32, ERROR)
VIA_FN(F64, ERROR)
#else
#define REAL_OF(x) VALUE(x)
#define IMAG_OF(x) 0

#if IS_FLOAT
/* As in k_conv.c. */
#define MANTISSA (IS_64 ? 53 : 24)
#define OVER(x, lo, bits) ((bits) < MANTISSA || (lo) == 0 ? (x) > (R)(lo) - 1 : (x) >= (R)(lo))
#define FITS(x, lo, hi, bits) (OVER(x, lo, bits) & ((x) < (R)(hi) + 1))
#define FROM(to, lo, hi, bits, reg)                                                              \
	CONV(to, ERROR)                                                                          \
	{                                                                                        \
		int ok = FITS(x, lo, hi, bits);                                                  \
		*bad |= !ok;                                                                     \
		return (T_##to)(reg)(ok ? x : 0);                                                \
	}                                                                                        \
	CONV(to, SATURATE)                                                                       \
	{                                                                                        \
		int ok = FITS(x, lo, hi, bits);                                                  \
		(void)bad;                                                                       \
		return ok ? (T_##to)(reg)x : x < 0 ? (T_##to)(lo) : x > 0 ? (T_##to)(hi) : 0;    \
	}                                                                                        \
	CONV(to, WRAP)                                                                           \
	{                                                                                        \
		(void)bad;                                                                       \
		return FITS(x, lo, hi, bits) ? (T_##to)(reg)x : (T_##to)wrap_f64(x);             \
	}
#else
#define FITS(x, c, to) ((T)(c) == (x) && BELOW0(x) == NEG_##to(c))
#define NEG_I8(c) ((c) < 0)
#define NEG_I16(c) ((c) < 0)
#define NEG_I32(c) ((c) < 0)
#define NEG_I64(c) ((c) < 0)
#define NEG_U8(c) 0
#define NEG_U16(c) 0
#define NEG_U32(c) 0
#define NEG_U64(c) 0
#define FROM(to, lo, hi, bits, reg)                                                              \
	CONV(to, ERROR)                                                                          \
	{                                                                                        \
		T v = VALUE(x);                                                                  \
		T_##to c = (T_##to)v;                                                            \
		*bad |= !FITS(v, c, to);                                                         \
		return c;                                                                        \
	}                                                                                        \
	CONV(to, SATURATE)                                                                       \
	{                                                                                        \
		T v = VALUE(x);                                                                  \
		T_##to c = (T_##to)v;                                                            \
		(void)bad;                                                                       \
		return FITS(v, c, to) ? c : BELOW0(v) ? (T_##to)(lo) : (T_##to)(hi);             \
	}                                                                                        \
	CONV(to, WRAP)                                                                           \
	{                                                                                        \
		(void)bad;                                                                       \
		return (T_##to)VALUE(x);                                                         \
	}
#endif
INTEGERS(FROM)
CONV(F32, ERROR) { (void)bad; return (float)VALUE(x); }
CONV(F64, ERROR) { (void)bad; return (double)VALUE(x); }

/* To f32 so that the next rounding is the only one. */
#if IS_FLOAT
#define ODD(x) odd_f32((double)(x))
#elif SMALL
#define ODD(x) (float)VALUE(x)
#elif WIDE
#define ODD(x) odd_f32((x) < 1 ? -odd_f64(0 - (uint64_t)(x)) : odd_f64((uint64_t)(x)))
#else
#define ODD(x) odd_f32((double)(x))
#endif
CONV(F16, ERROR) { (void)bad; return store_F16(ODD(x)); }
CONV(BF16, ERROR) { (void)bad; return store_BF16(ODD(x)); }
#endif

CONV(BOOL, ERROR)
{
	(void)bad;
#if IS_HALF
	return (x & 0x7fff) != 0;
#else
	return REAL_OF(x) != 0 || IMAG_OF(x) != 0;
#endif
}

CONV(C64, ERROR) { (void)bad; return pair_C64((float)REAL_OF(x), (float)IMAG_OF(x)); }
CONV(C128, ERROR) { (void)bad; return pair_C128((double)REAL_OF(x), (double)IMAG_OF(x)); }

/* ---- reductions: states as of kern.h, elements one by one; sums are compensated where they join ---- */

#if defined AXT_RED
#define STATE CAT(state_, AXT_T)
/* What a reduction has: begin(s) sets the identity, put(s, v, w, at) adds an element, join(a, b) a state. */
#define RED_FN(name, what) CAT4(what##_##name, _, AXT_T, )
#define BEGIN(name) @@ red name@INLINE void RED_FN(name, begin)(STATE *s)
#define PUT(name) INLINE void RED_FN(name, put)(STATE *s, T v, double w, int64_t at)
#define JOIN(name) INLINE void RED_FN(name, join)(STATE *a, const STATE *b)
#define UNUSED (void)v; (void)w; (void)at;
/* By class: floats count what is no NaN. */
#if IS_FLOAT
#define HERE(v) ((v) == (v))
#else
#define HERE(v) 1
#endif

#if IS_FLOAT
/* e: of d, the value; planes: s, c, and what is counted or the weights' sum and its compensation. */
#define SUM(name, e, skip, weighted, mean)                                                       \
	BEGIN(name) { s->f[0] = s->f[1] = s->f[2] = s->f[3] = 0; }                               \
	PUT(name)                                                                                \
	{                                                                                        \
		double d = (double)v;                                                            \
		UNUSED                                                                           \
		if ((skip) && d != d)                                                            \
			return;                                                                  \
		s->f[0] += (weighted) ? (e) * w : (e);                                           \
		if (mean)                                                                        \
			s->f[2] += w;                                                            \
		else if (skip)                                                                   \
			s->f[2] += 1;                                                            \
	}                                                                                        \
	JOIN(name)                                                                               \
	{                                                                                        \
		a->f[1] += b->f[1];                                                              \
		two_sum(&a->f[0], &a->f[1], b->f[0]);                                            \
		if (mean) {                                                                      \
			a->f[3] += b->f[3];                                                      \
			two_sum(&a->f[2], &a->f[3], b->f[2]);                                    \
		} else if (skip) {                                                               \
			a->f[2] += b->f[2];                                                      \
		}                                                                                \
	}
SUM(sum, d, 0, 0, 0)
SUM(sum_skip, d, 1, 0, 0)
SUM(sum_times, d, 0, 1, 0)
SUM(sum_times_skip, d, 1, 1, 0)
SUM(sum_mean, d, 0, 1, 1)
SUM(sum_mean_skip, d, 1, 1, 1)
SUM(norm1, fabs(d), 0, 0, 0)
SUM(norm1_skip, fabs(d), 1, 0, 0)
SUM(sumsq, d * d, 0, 0, 0)
SUM(sumsq_skip, d * d, 1, 0, 0)
SUM(sumsq_mean, d * d, 0, 1, 1)
SUM(sumsq_mean_skip, d * d, 1, 1, 1)

#define PROD(name, skip)                                                                         \
	BEGIN(name) { s->f[0] = 1; s->f[1] = 0; }                                                \
	PUT(name)                                                                                \
	{                                                                                        \
		UNUSED                                                                           \
		if ((skip) && v != v)                                                            \
			return;                                                                  \
		s->f[0] *= (double)v;                                                            \
		s->f[1] += 1;                                                                    \
	}                                                                                        \
	JOIN(name) { a->f[0] *= b->f[0]; a->f[1] += b->f[1]; }
PROD(prod, 0)
PROD(prod_skip, 1)

/* Count or weight, mean, squared deviations: Welford, Chan. */
#define MOMENTS(name, skip, weighted)                                                            \
	BEGIN(name) { s->f[0] = s->f[1] = s->f[2] = 0; }                                         \
	PUT(name)                                                                                \
	{                                                                                        \
		double d = (double)v, u = (weighted) ? w : 1, m;                                 \
		UNUSED                                                                           \
		if (((skip) && d != d) || u == 0)                                                \
			return;                                                                  \
		s->f[0] += u;                                                                    \
		m = s->f[1] + (d - s->f[1]) * (u / s->f[0]);                                     \
		s->f[2] += u * (d - s->f[1]) * (d - m);                                          \
		s->f[1] = m;                                                                     \
	}                                                                                        \
	JOIN(name)                                                                               \
	{                                                                                        \
		double n = a->f[0] + b->f[0], d = b->f[1] - a->f[1];                             \
		if (b->f[0] == 0)                                                                \
			return;                                                                  \
		if (a->f[0] == 0) {                                                              \
			*a = *b;                                                                 \
			return;                                                                  \
		}                                                                                \
		a->f[2] = (a->f[2] + b->f[2]) + (d * d) * (a->f[0] * b->f[0] / n);               \
		a->f[1] = a->f[1] + d * (b->f[0] / n);                                           \
		a->f[0] = n;                                                                     \
	}
MOMENTS(var, 0, 0)
MOMENTS(var_skip, 1, 0)
MOMENTS(var_times, 0, 1)
MOMENTS(var_times_skip, 1, 1)

/* The largest value and the sum of exponentials relative to it. */
#define LSE(name, skip)                                                                          \
	BEGIN(name) { s->f[0] = -(double)INFINITY; s->f[1] = 0; }                                \
	JOIN(name)                                                                               \
	{                                                                                        \
		double m = a->f[0], d = b->f[0], e = m == d ? 1 : exp(-fabs(m - d));             \
		if (b->f[1] == 0)                                                                \
			return;                                                                  \
		if (a->f[1] == 0) {                                                              \
			*a = *b;                                                                 \
			return;                                                                  \
		}                                                                                \
		a->f[1] = d > m ? b->f[1] + a->f[1] * e : a->f[1] + b->f[1] * e;                 \
		a->f[0] = d > m ? d : m;                                                         \
	}                                                                                \
	PUT(name)                                                                                \
	{                                                                                        \
		STATE one;                                                                       \
		UNUSED                                                                           \
		if ((skip) && v != v)                                                            \
			return;                                                                  \
		one.f[0] = (double)v;                                                            \
		one.f[1] = 1;                                                                    \
		RED_FN(name, join)(s, &one);                                                     \
	}
LSE(logsumexp, 0)
LSE(logsumexp_skip, 1)
#endif

/* One plane of 64 bits; r of r and v. */
#define FOLD(name, identity, element, both)                                                      \
	BEGIN(name) { s->u[0] = identity; }                                                      \
	PUT(name) { uint64_t r = s->u[0]; UNUSED s->u[0] = element; }                            \
	JOIN(name) { uint64_t r = a->u[0], q = b->u[0]; a->u[0] = both; }
FOLD(count, 0, r + (uint64_t)HERE(v), r + q)
FOLD(any, 0, r | (uint64_t)(v != 0), r | q)
FOLD(all, 1, r & (uint64_t)(v != 0), r & q)
#if IS_FLOAT
FOLD(any_skip, 0, r | (uint64_t)(v != 0 && v == v), r | q)
#else
FOLD(sum, 0, r + (uint64_t)v, r + q)
FOLD(prod, 1, r * (uint64_t)v, r * q)
FOLD(sumsq, 0, r + (uint64_t)v * (uint64_t)v, r + q)
FOLD(norm1, 0, r + (uint64_t)ABS(v), r + q)
#endif

/* As in k_extremes.c: NaN wins unless it is skipped, of equals the first. */
#if IS_FLOAT
#define LEAST (-(double)INFINITY)
#define MOST ((double)INFINITY)
#define NONE_LEFT ((double)NAN)
#define V f
#define VALUE_T double
#define SAME(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))
#define BEATS(a, b, cmp, skip) ((skip) ? ((b) cmp (a)) || ((a) != (a) && (b) == (b))             \
	    : !((a) cmp##= (b)) && (a) == (a))
#else
#define NONE_LEFT 0
#define VALUE_T T
#if IS_SIGNED
#define V i
#define LEAST INT64_MIN
#define MOST INT64_MAX
#else
#define V u
#define LEAST 0
#define MOST UINT64_MAX
#endif
#define SAME(a, b) ((a) == (b))
#define BEATS(a, b, cmp, skip) ((b) cmp (a))
#endif
#define EXTREME(name, cmp, skip, q, start)                                                       \
	BEGIN(name) { s->V[q] = start; }                                                         \
	PUT(name) { VALUE_T d = (VALUE_T)v; UNUSED if (BEATS(s->V[q], d, cmp, skip)) s->V[q] = d; } \
	JOIN(name) { if (BEATS(a->V[q], b->V[q], cmp, skip)) a->V[q] = b->V[q]; }
#define ARG(name, cmp, skip, start)                                                              \
	BEGIN(name) { s->V[0] = start; s->i[1] = -1; }                                           \
	PUT(name)                                                                                \
	{                                                                                        \
		VALUE_T d = (VALUE_T)v;                                                          \
		UNUSED                                                                           \
		if ((skip) && !HERE(d))                                                         \
			return;                                                                  \
		if (s->i[1] < 0 || BEATS(s->V[0], d, cmp, skip) ||                               \
		    (SAME(s->V[0], d) && at < s->i[1])) {                                        \
			s->V[0] = d;                                                             \
			s->i[1] = at;                                                            \
		}                                                                                \
	}                                                                                        \
	JOIN(name)                                                                               \
	{                                                                                        \
		if (b->i[1] >= 0 && (a->i[1] < 0 || BEATS(a->V[0], b->V[0], cmp, skip) ||        \
		    (SAME(a->V[0], b->V[0]) && b->i[1] < a->i[1]))) {                            \
			a->V[0] = b->V[0];                                                       \
			a->i[1] = b->i[1];                                                       \
		}                                                                                \
	}
#define PTP(name, lo, hi)                                                                        \
	BEGIN(name) { RED_FN(lo, begin)(s); RED_FN(hi, begin)(s); }                              \
	PUT(name) { RED_FN(lo, put)(s, v, w, at); RED_FN(hi, put)(s, v, w, at); }                \
	JOIN(name) { RED_FN(lo, join)(a, b); RED_FN(hi, join)(a, b); }
EXTREME(min, <, 0, 0, MOST)
EXTREME(max, >, 0, 0, LEAST)
ARG(argmin, <, 0, MOST)
ARG(argmax, >, 0, LEAST)
EXTREME(ptp_min, <, 0, 0, MOST)
EXTREME(ptp_max, >, 0, 1, LEAST)
PTP(ptp, ptp_min, ptp_max)
#if IS_FLOAT
EXTREME(min_skip, <, 1, 0, NONE_LEFT)
EXTREME(max_skip, >, 1, 0, NONE_LEFT)
ARG(argmin_skip, <, 1, NONE_LEFT)
ARG(argmax_skip, >, 1, NONE_LEFT)
EXTREME(ptp_skip_min, <, 1, 0, NONE_LEFT)
EXTREME(ptp_skip_max, >, 1, 1, NONE_LEFT)
PTP(ptp_skip, ptp_skip_min, ptp_skip_max)
#endif
#endif
