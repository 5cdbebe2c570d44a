/*
 * face.h - the beginning of every generated program. It defines types and words for CUDA C, which
 * NVRTC compiles, and for plain C. In plain C a kernel is a function that does the work of one
 * block; it runs the block's threads one after another, each up to the next SYNC.
 */
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define M_PI_2 1.57079632679489661923
#define INLINE static __device__ __forceinline__
#define SHARED __shared__
#define ALIGNED(n) __align__(n)
#define UNROLL _Pragma("unroll")
#define RESTRICT __restrict__
struct args {
	int64_t w[NARGS];
};
#define KERNEL(name)                                      \
	extern "C" __global__ void __launch_bounds__(256) \
	    name(const __grid_constant__ struct args a)
#define W(i) (a.w[i])
#define BLOCK ((int64_t)blockIdx.x)
#define EACH_THREAD for (int t = threadIdx.x, once = 1; once; once = 0)
#define SYNC __syncthreads();
INLINE void
refuse(int64_t p)
{
	*(volatile int *)p = 1;
}
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define INLINE static inline
#define SHARED static _Thread_local
#define ALIGNED(n) __attribute__((aligned(n)))
#define UNROLL
#define RESTRICT
#define KERNEL(name) void name(const int64_t *w_, int64_t block_)
#define W(i) (w_[i])
#define BLOCK block_
#define EACH_THREAD for (int t = 0; t < 256; t++)
#define SYNC
INLINE void
refuse(int64_t p)
{
	__atomic_store_n((int *)p, 1, __ATOMIC_RELAXED);
}
#endif
#define CONST(type, i) (*(const type *)&W(i))

typedef uint8_t T_BOOL, T_U8;
typedef int8_t T_I8;
typedef int16_t T_I16;
typedef uint16_t T_U16, T_F16, T_BF16;
typedef int32_t T_I32;
typedef uint32_t T_U32;
typedef int64_t T_I64;
typedef uint64_t T_U64;
typedef float T_F32;
typedef double T_F64;
typedef struct ALIGNED(8) {
	float re, im;
} T_C64;
typedef struct ALIGNED(16) {
	double re, im;
} T_C128;
typedef uint32_t W_I8, W_I16, W_I32, W_U8, W_U16, W_U32;
typedef uint64_t W_I64, W_U64;
/* The states of a reduction, in planes as in kern.h. */
typedef struct {
	union {
		double f[4];
		int64_t i[4];
		uint64_t u[4];
	};
} state_F32, state_F64, state_I64, state_U64;

INLINE T_C64
pair_C64(float re, float im)
{
	T_C64 z;
	z.re = re;
	z.im = im;
	return z;
}
INLINE T_C128
pair_C128(double re, double im)
{
	T_C128 z;
	z.re = re;
	z.im = im;
	return z;
}

/* ---- halves, rounding and sums, as in lib/kern/half.h and lib/kern/red.h ---- */

#ifdef __CUDACC_RTC__
INLINE uint32_t
f32_bits(float x)
{
	return __float_as_uint(x);
}
INLINE float
f32_of_bits(uint32_t u)
{
	return __uint_as_float(u);
}
INLINE float
load_F16(T_F16 x)
{
	float y;
	asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
	return y;
}
INLINE T_F16
store_F16(float x)
{
	T_F16 y;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
	return y;
}
#else
INLINE uint32_t
f32_bits(float x)
{
	uint32_t u;
	memcpy(&u, &x, sizeof(u));
	return u;
}
INLINE float
f32_of_bits(uint32_t u)
{
	float x;
	memcpy(&x, &u, sizeof(x));
	return x;
}
INLINE float
load_F16(T_F16 x)
{
	uint32_t sign = (uint32_t)(x & 0x8000) << 16, e = x >> 10 & 31, m = x & 0x3ff;
	float tiny = (float)m * 0x1p-24f;

	if (e == 0)
		return f32_of_bits(f32_bits(tiny) | sign);
	return f32_of_bits(sign | (e == 31 ? 0x7f800000 : (e + 112) << 23) | m << 13);
}
INLINE T_F16
store_F16(float x) /* to nearest, ties to even */
{
	uint32_t u = f32_bits(x), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;

	if (a > 0x7f800000)
		return (T_F16)(sign | 0x7e00);
	/* below the least normal number: adding 0.5 rounds at 2^-24 */
	if (a < 0x38800000)
		return (T_F16)(sign | (f32_bits(f32_of_bits(a) + 0.5f) - 0x3f000000));
	a += 0xfff + (a >> 13 & 1);
	return (T_F16)(sign | (a >= 0x47800000 ? 0x7c00 : (a - 0x38000000) >> 13));
}
#endif
#include "kern/round.in"
INLINE float
load_BF16(T_BF16 x)
{
	return f32_of_bits((uint32_t)x << 16);
}
INLINE T_BF16
store_BF16(float x)
{
	return bf16_of(x);
}
INLINE uint64_t
wrap_f64(double x)
{
	double m;

	if (!(fabs(x) < (double)INFINITY))
		return 0;
	m = fmod(trunc(fabs(x)), 18446744073709551616.0);
	return x < 0 ? 0 - (uint64_t)m : (uint64_t)m;
}
INLINE void
two_sum(double *s, double *c, double x)
{
	double t = *s + x, z = t - *s;

	*c += (*s - (t - z)) + (x - z);
	*s = t;
}
