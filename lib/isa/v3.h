/* v3.h - the vectors of AVX2 with FMA, and what each word of such a header is. */
#ifndef AXT_ISA_V3_H
#define AXT_ISA_V3_H

#include "isa/x86.h"

#define VEC_BYTES 32
#define VEC_REGISTERS 16

/* A vector as SLEEF has it, and its deterministic function of that name and accuracy. */
#define SLEEF_F32 __m256
#define SLEEF_F64 __m256d
#define SLEEF32(f, acc) Sleef_finz_##f##f8_##acc##avx2
#define SLEEF64(f, acc) Sleef_finz_##f##d4_##acc##avx2

/* a * b + c, and c - a * b, rounded once. */
#define FMA_F32(a, b, c) _mm256_fmadd_ps(a, b, c)
#define FMA_F64(a, b, c) _mm256_fmadd_pd(a, b, c)
#define FNMA_F64(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define SQRT_F64(v) _mm256_sqrt_pd(v)

/* Of each pair of lanes the first one twice, the second one twice, and both exchanged. */
#define FIRSTS_F32(v) _mm256_moveldup_ps(v)
#define FIRSTS_F64(v) _mm256_movedup_pd(v)
#define SECONDS_F32(v) _mm256_movehdup_ps(v)
#define SECONDS_F64(v) _mm256_permute_pd(v, 0xf)
#define TURNED_F32(v) _mm256_permute_ps(v, 0xb1)
#define TURNED_F64(v) _mm256_permute_pd(v, 0x5)

/* The signs of the f64 of a vector as bits, lane 0 first. */
#define SIGNS_F64(v) _mm256_movemask_pd(v)

/* As many elements at p, any address, as a vector has of the second dtype, converted to it. */
#define LOAD_I8_I32(p) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)(p)))
#define LOAD_U8_I32(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(p)))
#define LOAD_I16_I32(p) _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)(p)))
#define LOAD_U16_I32(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(p)))
#define LOAD_F32_F64(p) _mm256_cvtps_pd(_mm_loadu_ps((const void *)(p)))

/* Half of a vector, the first one (h is 0) or the second, converted to the second dtype. */
#define HALF_I32_F64(v, h) _mm256_cvtepi32_pd(V3_HALF(v, h))
#define HALF_I32_I64(v, h) _mm256_cvtepi32_epi64(V3_HALF(v, h))
#define HALF_F32_F64(v, h) _mm256_cvtps_pd((__m128)V3_HALF(v, h))
#define V3_HALF(v, h) \
	((h) ? _mm256_extracti128_si256((__m256i)(v), 1) : _mm256_castsi256_si128((__m256i)(v)))

/*
 * f16 (x86.h): LOAD_F16(to, from) and STORE_F16(to, from) convert F16_STEP elements to f32 and
 * back, rounded to nearest even; F32_OF_F16(x) and F16_OF_F32(x) one.
 */

#endif
