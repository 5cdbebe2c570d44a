/*
 * half.h - f16 and bf16 as arrays of f32 and back, rounded to nearest even; odd
 * rounding, so that two roundings are one.
 */
#ifndef AXT_KERN_HALF_H
#define AXT_KERN_HALF_H

#include <immintrin.h>
#include <math.h>

#include "isa.h"

static inline uint32_t
f32_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static inline float
f32_of_bits(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static inline __attribute__((unused)) void
load_F16(float *out, const T_F16 *x, int64_t n)
{
	int64_t i = 0;

	for (; i + 8 <= n; i += 8)
		_mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(x + i))));
	for (; i < n; i++)
		out[i] = _cvtsh_ss(x[i]);
}

static inline __attribute__((unused)) void
store_F16(T_F16 *out, const float *x, int64_t n)
{
	int64_t i = 0;

	for (; i + 8 <= n; i += 8)
		_mm_storeu_si128((void *)(out + i),
		    _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
	for (; i < n; i++)
		out[i] = _cvtss_sh(x[i], _MM_FROUND_TO_NEAREST_INT);
}

static inline __attribute__((unused)) void
load_BF16(float *out, const T_BF16 *x, int64_t n)
{
	IVDEP for (int64_t i = 0; i < n; i++)
		out[i] = f32_of_bits((uint32_t)x[i] << 16);
}

static inline __attribute__((unused)) void
store_BF16(T_BF16 *out, const float *x, int64_t n)
{
	IVDEP for (int64_t i = 0; i < n; i++) {
		uint32_t u = f32_bits(x[i]);
		uint32_t r = (u + 0x7fff + (u >> 16 & 1)) >> 16, q = u >> 16 | 0x40;

		out[i] = (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? q : r);
	}
}

/*
 * To f32, inexact values to the neighbour with an odd last bit: a later rounding
 * to fewer bits sees on which side they were.
 */
static inline __attribute__((unused)) float
odd_f32(double x)
{
	float f = (float)x;
	uint32_t u = f32_bits(f);

	if (f == x || x != x)
		return f;
	u -= fabs((double)f) > fabs(x);
	return f32_of_bits(u | 1);
}

/*
 * The same for 64-bit magnitudes to f64; bf16 keeps so few bits that 53 with a
 * sticky one are plenty.
 */
static inline __attribute__((unused)) double
odd_f64(uint64_t m)
{
	if (m >> 53)
		m = (m & ~(uint64_t)0x7ff) | (uint64_t)((m & 0x7ff) != 0) << 11;
	return (double)m;
}

#endif
