/* k_conv.c - conversions from one dtype to all, on one ISA. */
#include "kern/prim.h"
#include "kern/half.h"

#define CHUNK 1024
#define EACH IVDEP for (int64_t i = 0; i < n; i++)
#define CONV(to, mode) \
	static void to_##to##_##mode(void *out, const void *in, int64_t n, int64_t *bad)
/*
 * Calls X for each integer dtype with its smallest and largest value, its bits, and an integer type
 * that the processor converts floats to in one instruction.
 */
#define INTEGERS(X)                               \
	X(I8, INT8_MIN, INT8_MAX, 8, int32_t)     \
	X(I16, INT16_MIN, INT16_MAX, 16, int32_t) \
	X(I32, INT32_MIN, INT32_MAX, 32, int32_t) \
	X(I64, INT64_MIN, INT64_MAX, 64, int64_t) \
	X(U8, 0, UINT8_MAX, 8, int32_t)           \
	X(U16, 0, UINT16_MAX, 16, int32_t)        \
	X(U32, 0, UINT32_MAX, 32, int64_t)        \
	X(U64, 0, UINT64_MAX, 64, uint64_t)

#define NAME_OF(stem, t) CAT4(CAT4(axt_, stem, _, t), _, AXT_ISA, )
axt_conv_fn *NAME_OF(conv, F32)(enum axt_dtype to, enum axt_overflow mode);
axt_conv_fn *NAME_OF(conv, F64)(enum axt_dtype to, enum axt_overflow mode);

#if IS_HALF || IS_COMPLEX
/* Conversions of these go by way of f32 or f64 (of a complex value: the real part), in chunks. */
#if IS_HALF
typedef float VIA;
#define VIA_CONV NAME_OF(conv, F32)
#else
typedef R VIA;
#if IS_64
#define VIA_CONV NAME_OF(conv, F64)
#else
#define VIA_CONV NAME_OF(conv, F32)
#endif
#endif

static void
load(VIA *out, const T *x, int64_t n)
{
#if IS_HALF
	CAT(load_, AXT_T)(out, x, n);
#else
	EACH out[i] = x[i].re;
#endif
}

static void
via(void *out, const void *in, int64_t n, int64_t *bad, axt_conv_fn *conv, int size)
{
	_Alignas(64) VIA buf[CHUNK];

	for (int64_t i = 0; i < n; i += CHUNK) {
		int64_t m = MIN(n - i, CHUNK), at = -1;

		load(buf, (const T *)in + i, m);
		conv((char *)out + i * size, buf, m, &at);
		if (at >= 0 && *bad < 0)
			*bad = i + at;
	}
}

#define VIA_FN(to, mode)                                                                       \
	CONV(to, mode)                                                                         \
	{                                                                                      \
		via(out, in, n, bad, VIA_CONV(AXT_##to, AXT_OVERFLOW_##mode), sizeof(T_##to)); \
	}
#define FROM_VIA(to, lo, hi, bits, reg) VIA_FN(to, ERROR) VIA_FN(to, SATURATE) VIA_FN(to, WRAP)
INTEGERS(FROM_VIA)
VIA_FN(F16, ERROR)
VIA_FN(BF16, ERROR)
VIA_FN(F32, ERROR)
VIA_FN(F64, ERROR)
#else

#if IS_BOOL
#define VALUE(x) ((x) != 0)
#else
#define VALUE(x) (x)
#endif

#if IS_FLOAT
/*
 * Whether the float x fits in an integer dtype of the range [lo, hi]. Since conversion truncates, x
 * fits if lo - 1 < x < hi + 1. Where R cannot represent lo - 1, the first test is x >= lo.
 */
#define MANTISSA (IS_64 ? 53 : 24)
#define OVER(x, lo, bits) ((bits) < MANTISSA || (lo) == 0 ? (x) > (R)(lo)-1 : (x) >= (R)(lo))
#define FITS(x, lo, hi, bits) ((bool)(OVER(x, lo, bits) & ((x) < (R)(hi) + 1)))

/* The value modulo 2^64; NaN and infinities give 0. */
static uint64_t
wrap(double x)
{
	double m;

	if (!(fabs(x) < (double)INFINITY))
		return 0;
	m = fmod(trunc(fabs(x)), 0x1p64);
	return x < 0 ? 0 - (uint64_t)m : (uint64_t)m;
}

#define FROM(to, lo, hi, bits, reg)                                                            \
	static int64_t check_##to(T_##to *y, const T *x, int64_t n)                            \
	{                                                                                      \
		int bad = 0;                                                                   \
                                                                                               \
		EACH                                                                           \
		{                                                                              \
			bool ok = FITS(x[i], lo, hi, bits);                                    \
			R v = ok ? x[i] : 0;                                                   \
			bad |= !ok;                                                            \
			y[i] = (T_##to)(reg)v;                                                 \
		}                                                                              \
		for (int64_t i = 0; bad && i < n; i++)                                         \
			if (!FITS(x[i], lo, hi, bits))                                         \
				return i;                                                      \
		return -1;                                                                     \
	}                                                                                      \
	CONV(to, ERROR)                                                                        \
	{                                                                                      \
		int64_t at = check_##to(out, in, n);                                           \
                                                                                               \
		if (at >= 0 && *bad < 0)                                                       \
			*bad = at;                                                             \
	}                                                                                      \
	CONV(to, SATURATE)                                                                     \
	{                                                                                      \
		const T *x = in;                                                               \
		T_##to *y = out;                                                               \
                                                                                               \
		(void)bad;                                                                     \
		EACH                                                                           \
		{                                                                              \
			bool ok = FITS(x[i], lo, hi, bits);                                    \
			R v = ok ? x[i] : 0;                                                   \
			T_##to c = (T_##to)(reg)v;                                             \
			y[i] = ok ? c : x[i] < 0 ? (T_##to)(lo) : x[i] > 0 ? (T_##to)(hi) : 0; \
		}                                                                              \
	}                                                                                      \
	CONV(to, WRAP)                                                                         \
	{                                                                                      \
		const T *x = in;                                                               \
		T_##to *y = out;                                                               \
                                                                                               \
		(void)bad;                                                                     \
		if (check_##to(y, x, n) < 0)                                                   \
			return;                                                                \
		for (int64_t i = 0; i < n; i++)                                                \
			y[i] = (T_##to)wrap(x[i]);                                             \
	}
#else
#if IS_SIGNED
#define BELOW0(x) ((x) < 0)
#else
#define BELOW0(x) 0
#endif
/* A value fits when wrapping it and converting it back gives the same value with the same sign. */
#define FITS(x, c, to) ((T)(c) == (x) && BELOW0(x) == NEG_##to(c))
#define NEG_I8(c) ((c) < 0)
#define NEG_I16(c) ((c) < 0)
#define NEG_I32(c) ((c) < 0)
#define NEG_I64(c) ((c) < 0)
#define NEG_U8(c) 0
#define NEG_U16(c) 0
#define NEG_U32(c) 0
#define NEG_U64(c) 0

#define FROM(to, lo, hi, bits, reg)                                                          \
	CONV(to, ERROR)                                                                      \
	{                                                                                    \
		const T *x = in;                                                             \
		T_##to *y = out;                                                             \
		int wrong = 0;                                                               \
                                                                                             \
		EACH                                                                         \
		{                                                                            \
			T v = VALUE(x[i]);                                                   \
			T_##to c = (T_##to)v;                                                \
			wrong |= !FITS(v, c, to);                                            \
			y[i] = c;                                                            \
		}                                                                            \
		for (int64_t i = 0; wrong && *bad < 0 && i < n; i++)                         \
			if (!FITS(x[i], (T_##to)x[i], to))                                   \
				*bad = i;                                                    \
	}                                                                                    \
	CONV(to, SATURATE)                                                                   \
	{                                                                                    \
		const T *x = in;                                                             \
		T_##to *y = out;                                                             \
                                                                                             \
		(void)bad;                                                                   \
		EACH                                                                         \
		{                                                                            \
			T v = VALUE(x[i]);                                                   \
			T_##to c = (T_##to)v;                                                \
			y[i] = FITS(v, c, to) ? c : BELOW0(v) ? (T_##to)(lo) : (T_##to)(hi); \
		}                                                                            \
	}                                                                                    \
	CONV(to, WRAP)                                                                       \
	{                                                                                    \
		const T *x = in;                                                             \
		T_##to *y = out;                                                             \
                                                                                             \
		(void)bad;                                                                   \
		EACH y[i] = (T_##to)VALUE(x[i]);                                             \
	}
#endif
INTEGERS(FROM)

CONV(F32, ERROR)
{
	const T *x = in;
	float *y = out;

	(void)bad;
	EACH y[i] = (float)VALUE(x[i]);
}

CONV(F64, ERROR)
{
	const T *x = in;
	double *y = out;

	(void)bad;
	EACH y[i] = (double)VALUE(x[i]);
}

/* Rounds to odd, so that rounding the f32 to a half afterwards is as if only that had been done. */
static inline float
odd(T x)
{
	static const bool wide = sizeof(T) == 8 && (T)0.5 == 0;

	if (sizeof(T) < 4 || (sizeof(T) == 4 && (T)0.5 != 0))
		return (float)VALUE(x);
	if (wide) {
		double m = odd_f64(x < 1 ? 0 - (uint64_t)x : (uint64_t)x);

		return odd_f32(x < 1 ? -m : m);
	}
	return odd_f32((double)x);
}

#define TO_HALF(to)                                                               \
	CONV(to, ERROR)                                                           \
	{                                                                         \
		_Alignas(64) float buf[CHUNK];                                    \
                                                                                  \
		(void)bad;                                                        \
		for (int64_t k = 0; k < n; k += CHUNK) {                          \
			const T *x = (const T *)in + k;                           \
			int64_t m = MIN(n - k, CHUNK);                            \
                                                                                  \
			IVDEP for (int64_t i = 0; i < m; i++) buf[i] = odd(x[i]); \
			store_##to((T_##to *)out + k, buf, m);                    \
		}                                                                 \
	}
TO_HALF(F16)
TO_HALF(BF16)
#endif

CONV(BOOL, ERROR)
{
	const T *x = in;
	uint8_t *y = out;

	(void)bad;
#if IS_HALF
	EACH y[i] = (x[i] & 0x7fff) != 0;
#elif IS_COMPLEX
	EACH y[i] = x[i].re != 0 || x[i].im != 0;
#else
	EACH y[i] = x[i] != 0;
#endif
}

#define TO_COMPLEX(to, real)                         \
	CONV(to, ERROR)                              \
	{                                            \
		const T *x = in;                     \
		T_##to *y = out;                     \
                                                     \
		(void)bad;                           \
		EACH y[i] = COMPLEX(to, real, x[i]); \
	}
#if IS_COMPLEX
#define COMPLEX(to, real, x)               \
	(T_##to)                           \
	{                                  \
		(real)(x).re, (real)(x).im \
	}
#elif IS_HALF
#define COMPLEX(to, real, x)           \
	(T_##to)                       \
	{                              \
		CAT(one_, AXT_T)(x), 0 \
	}
#define one_F16(x) F32_OF_F16(x)
#define one_BF16(x) f32_of_bits((uint32_t)(x) << 16)
#else
#define COMPLEX(to, real, x)       \
	(T_##to)                   \
	{                          \
		(real) VALUE(x), 0 \
	}
#endif
TO_COMPLEX(C64, float)
TO_COMPLEX(C128, double)

#if IS_HALF
/* The dtype is the same: a copy. */
static void
to_self(void *out, const void *in, int64_t n, int64_t *bad)
{
	(void)bad;
	memmove(out, in, (size_t)n * sizeof(T));
}
#define SELF(to) AXT_##to == CAT(AXT_, AXT_T) ? to_self : to_##to##_ERROR
#else
#define SELF(to) to_##to##_ERROR
#endif

axt_conv_fn *
KERN_NAME(conv)(enum axt_dtype to, enum axt_overflow mode)
{
	static axt_conv_fn *const table[AXT_NDTYPES][3] = {
#define ROW(to, lo, hi, bits, reg) \
	[AXT_##to] = { to_##to##_ERROR, to_##to##_SATURATE, to_##to##_WRAP },
		INTEGERS(ROW)[AXT_BOOL] = { to_BOOL_ERROR },
		[AXT_F16] = { SELF(F16) },
		[AXT_BF16] = { SELF(BF16) },
		[AXT_F32] = { to_F32_ERROR },
		[AXT_F64] = { to_F64_ERROR },
		[AXT_C64] = { to_C64_ERROR },
		[AXT_C128] = { to_C128_ERROR },
	};

	return table[to][mode] ? table[to][mode] : table[to][0];
}
