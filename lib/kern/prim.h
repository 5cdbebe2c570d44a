/*
 * prim.h - the vocabulary that the bodies of ops.def are written in, for the dtype AXT_T: its C
 * type T, its real type R, and primitives. Small integers are computed in an unsigned type of at
 * least 32 bits, so that nothing overflows.
 */
#ifndef AXT_KERN_PRIM_H
#define AXT_KERN_PRIM_H

#ifndef AXT_DEVICE /* programs for devices have lib/device/words.in instead */
#include <math.h>

#include "kern/isa.h"
#endif

#define CLASS_BOOL 1
#define CLASS_I8 2
#define CLASS_I16 2
#define CLASS_I32 2
#define CLASS_I64 2
#define CLASS_U8 3
#define CLASS_U16 3
#define CLASS_U32 3
#define CLASS_U64 3
#define CLASS_F16 4
#define CLASS_BF16 4
#define CLASS_F32 5
#define CLASS_F64 5
#define CLASS_C64 6
#define CLASS_C128 6

#define CLASS CAT(CLASS_, AXT_T)
#define IS_BOOL (CLASS == 1)
#define IS_INT (CLASS == 2 || CLASS == 3)
#define IS_SIGNED (CLASS == 2)
#define IS_HALF (CLASS == 4)
#define IS_FLOAT (CLASS == 5)
#define IS_COMPLEX (CLASS == 6)

#if IS_COMPLEX || IS_FLOAT
#define IS_64 (CAT(SIZE_, AXT_T) == 8)
#define SIZE_F32 4
#define SIZE_C64 4
#define SIZE_F64 8
#define SIZE_C128 8
#if IS_64
#define FN(name) name
#else
#define FN(name) CAT(name, f)
#endif
#else
#define IS_64 0
#endif

#ifndef AXT_DEVICE
struct axt_c64 {
	float re, im;
};
struct axt_c128 {
	double re, im;
};

/* Storage types. Complex ones are structs: the compiler's own complex product calls a function. */
typedef struct axt_c64 T_C64 ANYWHERE;
typedef struct axt_c128 T_C128 ANYWHERE;

/* Unsigned types of at least 32 bits, which C does not promote to int and which wrap. */
typedef uint32_t W_I8, W_I16, W_I32, W_U8, W_U16, W_U32;
typedef uint64_t W_I64, W_U64;
/* Types that hold products, but for those of 64 bits. */
typedef int32_t X_I8, X_I16;
typedef uint32_t X_U8, X_U16;
typedef int64_t X_I32, X_I64;
typedef uint64_t X_U32, X_U64;

#ifdef AXT_T
typedef CAT(T_, AXT_T) T;
#if !IS_COMPLEX && !IS_FLOAT
typedef T R;
#elif IS_64
typedef double R;
typedef int64_t R_BITS;
#else
typedef float R;
typedef int32_t R_BITS;
#endif
#if IS_INT
typedef CAT(W_, AXT_T) W;
typedef CAT(X_, AXT_T) X;
#endif
#define CPLX(x, y) ((T){ x, y })
#define RINT_OF(a) FN(__builtin_rint)(a)
/* The barrier keeps gcc 12 from contracting this to fmaddsub in spite of -ffp-contract=off. */
#ifdef __clang__
#define ROUNDED(x) (x)
#else
#define ROUNDED(x) __builtin_assoc_barrier(x)
#endif
#endif
#endif

#ifdef AXT_T
/* The name with the dtype appended, as one text may hold functions of several dtypes. */
#define NAMED(stem) CAT4(stem, _, AXT_T, )
#define K(x) ((R)(x))
#define ONE ((T)1)

#if IS_BOOL
#define IFI(x, y) x
#define IFC(x, y) y
#define ADD(a, b) ((a) | (b))
#define MUL(a, b) ((a) & (b))
#define MINIMUM(a, b) ((a) & (b))
#define MAXIMUM(a, b) ((a) | (b))
#define NOT(a) (!(a))
#define ABSDIFF(a, b) ((a) != (b))
#endif

#if IS_INT
#define IFI(x, y) x
#define IFC(x, y) y
#define ADD(a, b) ((T)((W)(a) + (W)(b)))
#define SUB(a, b) ((T)((W)(a) - (W)(b)))
#define MUL(a, b) ((T)((W)(a) * (W)(b)))
#define NEG(a) ((T)(0 - (W)(a)))
/* TIMES multiplies with wrapping, and tells whether the product does not fit. */
#ifdef AXT_DEVICE
#define TIMES(a, b, r) (*(r) = MUL(a, b), 0)
#else
#define TIMES __builtin_mul_overflow
#endif
/* Whether a result does not fit. */
#if IS_SIGNED
#define ADD_WRAPS(a, b) ((T)(((a) ^ ADD(a, b)) & ((b) ^ ADD(a, b))) < 0)
#define SUB_WRAPS(a, b) ((T)(((a) ^ (b)) & ((a) ^ SUB(a, b))) < 0)
#define NEG_WRAPS(a) (((a)&NEG(a)) < 0)
#define ABS_WRAPS(a) NEG_WRAPS(a)
/* the least number divided by -1 */
#define FLOORDIV_WRAPS(a, b) ((b) == -1 && NEG_WRAPS(a))
#else
#define ADD_WRAPS(a, b) (ADD(a, b) < (a))
#define SUB_WRAPS(a, b) ((a) < (b))
#define NEG_WRAPS(a) ((a) != 0)
#define ABS_WRAPS(a) 0
#define FLOORDIV_WRAPS(a, b) 0
#endif
#ifndef AXT_DEVICE
#define MUL_WRAPS NAMED(mul_wraps)
INLINE bool
MUL_WRAPS(T a, T b)
{
	T r;

	return sizeof(T) == 8 ? TIMES(a, b, &r) : (X)a * (X)b != MUL(a, b);
}
#endif
#define NOT(a) ((T) ~(a))
#define MINIMUM(a, b) ((b) < (a) ? (b) : (a))
#define MAXIMUM(a, b) ((b) > (a) ? (b) : (a))
#define RELU(a) ((a) > 0 ? (a) : 0)
#define ABSDIFF(a, b) \
	((double)((a) > (b) ? (uint64_t)(a) - (uint64_t)(b) : (uint64_t)(b) - (uint64_t)(a)))
#if IS_SIGNED
#define SIGN(a) ((T)(((a) > 0) - ((a) < 0)))

#define FLOORDIV NAMED(floordiv)
#define MOD NAMED(mod)
INLINE T
FLOORDIV(T a, T b)
{
	if (b == -1)
		return NEG(a);
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

INLINE T
MOD(T a, T b)
{
	T r = b == -1 ? 0 : a % b;

	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
#else
#define SIGN(a) ((T)((a) > 0))
#define FLOORDIV(a, b) ((a) / (b))
#define MOD(a, b) ((a) % (b))
#endif

/* b >= 0. Sets *wraps where the power does not fit. */
#define POWI NAMED(powi)
INLINE T
POWI(T a, T b, int *wraps)
{
	T r = 1, x = a;
	int over = 0;

	for (W n = (W)b; n; n >>= 1) {
		if (n & 1)
			over |= TIMES(r, x, &r);
		if (n > 1)
			over |= TIMES(x, x, &x);
	}
	*wraps |= over;
	return r;
}
#endif

#if IS_BOOL || IS_INT
#if IS_SIGNED
#define ABS(a) ((a) < 0 ? NEG(a) : (a))
#else
#define ABS(a) (a)
#endif
#define EQ(a, b) ((a) == (b))
#define DIFFER(a, b) ((a) != (b))
#define RINT(a) (a)
#define FLOOR(a) (a)
#define CEIL(a) (a)
#define TRUNC(a) (a)
#define ISNAN(a) ((void)(a), 0)
#define ISINF(a) ((void)(a), 0)
#define ISFINITE(a) ((void)(a), 1)
#endif

#if IS_FLOAT
#define IFI(x, y) y
#define IFC(x, y) y
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define NEG(a) (-(a))
#define EQ(a, b) ((a) == (b))
#define DIFFER(a, b) ((a) != (b) && ((a) == (a) || (b) == (b)))
#define ABSDIFF(a, b) ((a) == (b) ? 0.0 : fabs((double)(a) - (double)(b)))
#define MINIMUM(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))
#define ABS(a) FN(fabs)(a)
#define SIGN(a) ((a) > 0 ? 1 : (a) < 0 ? -1 : (a) == 0 ? 0 : (a))
#define RELU(a) ((a) < 0 ? 0 : (a))
#define SQRT(a) FN(sqrt)(a)
/* The sign of a NaN differs between processors, and so between instruction sets: it is not used. */
#define COPYSIGN(a, b) FN(copysign)(a, (b) == (b) ? (b) : K(0))
#define RINT(a) RINT_OF(a)
#define FLOOR NAMED(floor)
#define CEIL NAMED(ceil)
#define TRUNC NAMED(trunc)
/* By rint, which gcc and clang vectorise; floor they do not, unless told that nothing traps. */
INLINE T
FLOOR(T a)
{
	T r = RINT(a), d = r - 1;

	return FN(copysign)(r > a ? d : r, a);
}

INLINE T
CEIL(T a)
{
	T r = RINT(a), d = r + 1;

	return FN(copysign)(r < a ? d : r, a);
}

INLINE T
TRUNC(T a)
{
	T m = ABS(a), r = RINT(m), d = r - 1;

	return FN(copysign)(r > m ? d : r, a);
}
#define ISNAN(a) ((a) != (a))
#define ISINF(a) (FN(fabs)(a) == (R)INFINITY)
#define ISFINITE(a) (FN(fabs)(a) < (R)INFINITY)
/* The guess is off by at most one, and is corrected by comparing with the edges. */
#define EDGE(i, b, c) ((i) * (c) + (b))
#define EDGEF(i, b, c) ((R)(float)((i) * (c) + (b)))
#define BIN(a, b, c, edge) NAMED(CAT(bin_, edge))(a, b, c)
#define BIN_FN(edge)                                                                      \
	INLINE T NAMED(CAT(bin_, edge))(T a, T b, T c)                                    \
	{                                                                                 \
		T q = (a - b) / c, i = FLOOR(q), d = i - 1, u = i + 1, l = edge(i, b, c), \
		  h = edge(u, b, c), s = a < l ? d : i;                                   \
                                                                                          \
		return a >= h ? u : s;                                                    \
	}
BIN_FN(EDGE)
BIN_FN(EDGEF)
#define MASK(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)) ? (R)NAN : (a))
/* Beyond these, SLEEF's sinh and cosh, and its log1p, overflow to inf too early. */
#define EXP_MAX (IS_64 ? K(709) : K(88))
#define HUGE_ARG (IS_64 ? K(1e306) : K(1e37))
/*
 * SLEEF's asinh(a) and acosh(a) overflow for |a| beyond ROOT_ARG, where both are log(2a). There
 * SLEEF's function is called with sqrt(a) / 4 instead: FAR_LOG makes log(2a) of its result t, which
 * is log(a) / 2 - log(2).
 */
#define ROOT_ARG (IS_64 ? K(1e150) : K(1e18))
#define FAR_LOG(t) (2 * (t) + K(2.0794415416798359283))
#define ARG(a) ((a) != (a) ? (a) : FN(copysign)(K(M_PI_2), -(a)) + K(M_PI_2))

/*
 * The exact remainder of a / b with the sign of a. If the quotient is small, a - q * b with one
 * rounding is exact, and q is off by at most one; otherwise libm computes the remainder.
 */
#define REMAINDER NAMED(remainder)
#define GELU NAMED(gelu)
#define MOD NAMED(mod)
#define FLOORDIV NAMED(floordiv)
INLINE R
REMAINDER(R a, R b)
{
	R q = TRUNC(a / b), r = FN(fma)(-q, b, a);

	if (!(FN(fabs)(q) < (IS_64 ? K(1e15) : K(8e6))) ||
	    FN(fabs)(a) < (IS_64 ? K(1e-270) : K(1e-25)) || FN(fabs)(b) == (R)INFINITY)
		return FN(fmod)(a, b);
	if (r != 0 && (r < 0) != (a < 0))
		r += FN(copysign)(b, a);
	else if (FN(fabs)(r) >= FN(fabs)(b))
		r -= FN(copysign)(b, a);
	return r;
}

/*
 * The function gelu of a, for t = erfc(-a / sqrt(2)). Where erfc is steep the rounding of its
 * argument matters, and t gets a first-order correction for it.
 * rest: what HALF_ROOT lacks of sqrt(0.5), which is taken with 64 binary digits.
 */
#define HALF_ROOT K(0.70710678118654752440)
INLINE R
GELU(R a, R t)
{
	const R rest = IS_64 ? K(-0x1.bep-55) : K(0x1.9fcef4p-27);
	R z = a * -HALF_ROOT, d = FN(fma)(a, -HALF_ROOT, -z) + a * -rest;

	return a / 2 * (a < 0 && t > 0 ? t - t * (2 * z * d) : t);
}

/*
 * gamma(a), for t, which is SLEEF's gamma of a or, if GAMMA_FAR(a), of a + n with n = GAMMA_STEPS.
 * There gamma(a) is nearly subnormal, and SLEEF loses digits. a + n is exact, and t is divided by a
 * (a + 1) ... (a + n - 1), whose rounding errors are summed.
 */
#define GAMMA NAMED(gamma)
#define GAMMA_STEPS (IS_64 ? 14 : 10)
#define GAMMA_FAR(a) ((a) < (IS_64 ? K(-169) : K(-32)) && (a) > (IS_64 ? K(-200) : K(-50)))
INLINE R
GAMMA(R a, R t)
{
	R p = a, rest = 0, x, q;

	for (int k = 1; k < GAMMA_STEPS; k++) {
		x = a + k;
		q = p * x;
		rest = rest * x + FN(fma)(p, x, -q);
		p = q;
	}
	return t / (p + rest);
}

INLINE R
MOD(R a, R b)
{
	R r = REMAINDER(a, b);

	if (r == 0)
		return FN(copysign)(K(0), b);
	return (b < 0) != (r < 0) ? r + b : r;
}

INLINE R
FLOORDIV(R a, R b)
{
	R r, q, f;

	if (b == 0)
		return a / b;
	r = REMAINDER(a, b);
	q = (a - r) / b;
	if (r != 0 && (b < 0) != (r < 0))
		q -= 1;
	if (q == 0)
		return FN(copysign)(K(0), a / b);
	f = FLOOR(q);
	return q - f > K(0.5) ? f + 1 : f;
}
#endif

#if IS_BOOL || IS_INT || IS_FLOAT
#define CLIP NAMED(clip)
INLINE T
CLIP(T a, T b, T c)
{
	T m = MAXIMUM(a, b);

	return MINIMUM(m, c);
}

/* NaN is true, as in NumPy. */
#define TRUTH(a) ((a) != 0)
#define RE(a) (a)
#define IM(a) ((void)(a), (T)0)
#define CONJ(a) (a)
#endif

#if IS_COMPLEX
#define IFI(x, y) y
#define IFC(x, y) x
#undef ONE
#define ONE CPLX(1, 0)
#define DIV NAMED(div)
#define ABSDIFF NAMED(absdiff)
#define TRUTH(a) ((a).re != 0 || (a).im != 0)
#define RE(a) ((a).re)
#define IM(a) ((a).im)
#define ADD(a, b) CPLX((a).re + (b).re, (a).im + (b).im)
#define SUB(a, b) CPLX((a).re - (b).re, (a).im - (b).im)
#define MUL(a, b)                                                \
	CPLX(ROUNDED((a).re *(b).re) - ROUNDED((a).im * (b).im), \
	    ROUNDED((a).re * (b).im) + ROUNDED((a).im * (b).re))
#define NEG(a) CPLX(-(a).re, -(a).im)
#define CONJ(a) CPLX((a).re, -(a).im)
#define EQ(a, b) ((a).re == (b).re && (a).im == (b).im)
#define ISNAN(a) ((a).re != (a).re || (a).im != (a).im)
#define ISINF(a) (FN(fabs)((a).re) == (R)INFINITY || FN(fabs)((a).im) == (R)INFINITY)
#define ISFINITE(a) (FN(fabs)((a).re) < (R)INFINITY && FN(fabs)((a).im) < (R)INFINITY)
#define DIFFER_(a, b) ((a) != (b) && ((a) == (a) || (b) == (b)))
#define DIFFER(a, b) (DIFFER_((a).re, (b).re) || DIFFER_((a).im, (b).im))

/* Smith's division, as in NumPy: no intermediate result overflows. */
INLINE T
DIV(T a, T b)
{
	R x = FN(fabs)(b.re), y = FN(fabs)(b.im), q, d;

	if (x == 0 && y == 0)
		return CPLX(a.re / x, a.im / x);
	if (x >= y) {
		q = b.im / b.re;
		d = 1 / (b.re + ROUNDED(b.im * q));
		return CPLX((a.re + ROUNDED(a.im * q)) * d, (a.im - ROUNDED(a.re * q)) * d);
	}
	q = b.re / b.im;
	d = 1 / (b.im + ROUNDED(b.re * q));
	return CPLX((ROUNDED(a.re * q) + a.im) * d, (ROUNDED(a.im * q) - a.re) * d);
}

/* Scaled by the larger part, so that no square overflows. */
INLINE double
ABSDIFF(T a, T b)
{
	double x = a.re == b.re ? 0 : fabs((double)a.re - (double)b.re);
	double y = a.im == b.im ? 0 : fabs((double)a.im - (double)b.im);
	double big = x > y ? x : y, small = x > y ? y : x;

	if (x == INFINITY || y == INFINITY)
		return INFINITY;
	if (big == 0)
		return small;
	small /= big;
	return big * sqrt(1 + small * small);
}
#include "kern/complex.h"
#ifndef AXT_DEVICE
#include "kern/zmap.h"
#endif
#endif
#endif

#endif
