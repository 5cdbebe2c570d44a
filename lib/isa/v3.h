/* v3.h - the vectors of AVX2 with FMA. */
#ifndef AXT_ISA_V3_H
#define AXT_ISA_V3_H

#define VEC_BYTES 32
#define VEC_REGISTERS 16
#define MM(stem) _mm256_##stem /* the intrinsic of that name for whole vectors */

/* A vector as intrinsics see it; half of one, of integers and of floats; the halves of one. */
#define VEC_INT __m256i
#define VEC_F32 __m256
#define VEC_F64 __m256d
#define VEC_HALF_INT __m128i
#define VEC_HALF_F32 __m128
#define VEC_LOW_HALF(v) _mm256_castsi256_si128(v)
#define VEC_HIGH_HALF(v) _mm256_extracti128_si256(v, 1)

/* SLEEF's deterministic function of that name and accuracy for whole vectors. */
#define SLEEF32(f, acc) Sleef_finz_##f##f8_##acc##avx2
#define SLEEF64(f, acc) Sleef_finz_##f##d4_##acc##avx2

/* The signs of the f64 of a vector as bits, lane 0 first. */
#define VEC_SIGNS(v) _mm256_movemask_pd(v)

#endif
