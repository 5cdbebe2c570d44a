/* v4.h - the vectors of AVX-512; v3.h says what each word is. */
#ifndef AXT_ISA_V4_H
#define AXT_ISA_V4_H

#define VEC_BYTES 64
#define VEC_REGISTERS 32
#define MM(stem) _mm512_##stem

#define VEC_INT __m512i
#define VEC_F32 __m512
#define VEC_F64 __m512d
#define VEC_HALF_INT __m256i
#define VEC_HALF_F32 __m256
#define VEC_LOW_HALF(v) _mm512_castsi512_si256(v)
#define VEC_HIGH_HALF(v) _mm512_extracti64x4_epi64(v, 1)

/*
 * Loads half a vector of f32 as f64. This word is defined where gcc compiles the plain form badly,
 * here to two conversions and an insertion.
 */
#define VEC_WIDEN_F32(x) _mm512_cvtps_pd(_mm256_loadu_ps(x))

#define SLEEF32(f, acc) Sleef_finz_##f##f16_##acc##avx512f
#define SLEEF64(f, acc) Sleef_finz_##f##d8_##acc##avx512f

#define VEC_SIGNS(v) _mm512_movepi64_mask((__m512i)(v))

#endif
