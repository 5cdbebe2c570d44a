/*
 * half.c - conversion of the bits of f16 (binary16) and bf16 (bfloat16), rounded to nearest even,
 * in integer arithmetic, so that no special instructions are needed.
 */
#include "dtype/dtype.h"

static uint32_t
bits_of(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static float
float_of(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

float
axt_f16_to_f32(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 0x3ffu;

	if (e == 31)
		return float_of(sign | 0x7f800000 | m << 13 | (m ? 0x400000 : 0));
	if (e)
		return float_of(sign | (e + 112) << 23 | m << 13);
	/* Zero or subnormal: m * 2^-24 is exact in f32. */
	return float_of(sign | bits_of((float)m * 0x1p-24f));
}

uint16_t
axt_f32_to_f16(float f)
{
	uint32_t u = bits_of(f), a = u & 0x7fffffff, m;
	uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
	int shift;

	if (a > 0x7f800000)
		return (uint16_t)(sign | 0x7e00 | (a >> 13 & 0x3ff));
	if (a >= 0x477ff000) /* 65520 and more round to infinity */
		return sign | 0x7c00;
	if (a >= 0x38800000) /* normal: 2^-14 and more */
		return (uint16_t)(sign | ((a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13));
	if (a < 0x33000000) /* below 2^-25: rounds to zero */
		return sign;
	m = (a & 0x7fffff) | 0x800000;
	shift = 126 - (int)(a >> 23);
	return (uint16_t)(sign | ((m + ((1u << (shift - 1)) - 1) + (m >> shift & 1)) >> shift));
}

float
axt_bf16_to_f32(uint16_t h)
{
	return float_of((uint32_t)h << 16);
}

uint16_t
axt_f32_to_bf16(float f)
{
	uint32_t u = bits_of(f);

	if ((u & 0x7fffffff) > 0x7f800000)
		return (uint16_t)(u >> 16 | 0x40);
	return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
