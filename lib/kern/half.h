/* half.h - f16 and bf16 as arrays of f32 and back, rounded to nearest even. */
#ifndef AXT_KERN_HALF_H
#define AXT_KERN_HALF_H

#include <math.h>

#include "kern/isa.h"

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

#include "kern/round.in"

static inline __attribute__((unused)) void
load_F16(float *out, const T_F16 *x, int64_t n)
{
	int64_t i = 0;

	for (; i + F16_STEP <= n; i += F16_STEP)
		LOAD_F16(out + i, x + i);
	for (; i < n; i++)
		out[i] = F32_OF_F16(x[i]);
}

static inline __attribute__((unused)) void
store_F16(T_F16 *out, const float *x, int64_t n)
{
	int64_t i = 0;

	for (; i + F16_STEP <= n; i += F16_STEP)
		STORE_F16(out + i, x + i);
	for (; i < n; i++)
		out[i] = F16_OF_F32(x[i]);
}

static inline __attribute__((unused)) void
load_BF16(float *out, const T_BF16 *x, int64_t n)
{
	IVDEP for (int64_t i = 0; i < n; i++) out[i] = f32_of_bits((uint32_t)x[i] << 16);
}

static inline __attribute__((unused)) void
store_BF16(T_BF16 *out, const float *x, int64_t n)
{
	IVDEP for (int64_t i = 0; i < n; i++) out[i] = bf16_of(x[i]);
}

#endif
