/* v4.h - the vectors of AVX-512; v3.h says what each word is. */
#ifndef AXT_ISA_V4_H
#define AXT_ISA_V4_H

#include "isa/x86.h"

#define VEC_BYTES 64
#define VEC_REGISTERS 32

#define SLEEF_F32 __m512
#define SLEEF_F64 __m512d
#define SLEEF32(f, acc) Sleef_finz_##f##f16_##acc##avx512f
#define SLEEF64(f, acc) Sleef_finz_##f##d8_##acc##avx512f

#define FMA_F32(a, b, c) _mm512_fmadd_ps(a, b, c)
#define FMA_F64(a, b, c) _mm512_fmadd_pd(a, b, c)
#define FNMA_F64(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define SQRT_F64(v) _mm512_sqrt_pd(v)

#define FIRSTS_F32(v) _mm512_moveldup_ps(v)
#define FIRSTS_F64(v) _mm512_movedup_pd(v)
#define SECONDS_F32(v) _mm512_movehdup_ps(v)
#define SECONDS_F64(v) _mm512_permute_pd(v, 0xff)
#define TURNED_F32(v) _mm512_permute_ps(v, 0xb1)
#define TURNED_F64(v) _mm512_permute_pd(v, 0x55)

#define SIGNS_F64(v) _mm512_movepi64_mask((__m512i)(v))

#define LOAD_I8_I32(p) _mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)(p)))
#define LOAD_U8_I32(p) _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(p)))
#define LOAD_I16_I32(p) _mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)(p)))
#define LOAD_U16_I32(p) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(p)))
#define LOAD_F32_F64(p) _mm512_cvtps_pd(_mm256_loadu_ps((const void *)(p)))

#define HALF_I32_F64(v, h) _mm512_cvtepi32_pd(V4_HALF(v, h))
#define HALF_I32_I64(v, h) _mm512_cvtepi32_epi64(V4_HALF(v, h))
#define HALF_F32_F64(v, h) _mm512_cvtps_pd((__m256)V4_HALF(v, h))
#define V4_HALF(v, h) \
	((h) ? _mm512_extracti64x4_epi64((__m512i)(v), 1) : _mm512_castsi512_si256((__m512i)(v)))

#endif
