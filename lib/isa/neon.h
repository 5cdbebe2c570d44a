/* neon.h - the vectors of arm64; v3.h says what each word is. */
#ifndef AXT_ISA_NEON_H
#define AXT_ISA_NEON_H

#include <arm_neon.h>
#include <string.h>

#define VEC_BYTES 16
#define VEC_REGISTERS 32

#define SLEEF_F32 float32x4_t
#define SLEEF_F64 float64x2_t
#define SLEEF32(f, acc) Sleef_finz_##f##f4_##acc##advsimd
#define SLEEF64(f, acc) Sleef_finz_##f##d2_##acc##advsimd

#define FMA_F32(a, b, c) vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b))
#define FMA_F64(a, b, c) vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b))
#define FNMA_F64(a, b, c) vfmsq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b))
#define SQRT_F64(v) vsqrtq_f64((float64x2_t)(v))

#define FIRSTS_F32(v) vtrn1q_f32((float32x4_t)(v), (float32x4_t)(v))
#define FIRSTS_F64(v) vtrn1q_f64((float64x2_t)(v), (float64x2_t)(v))
#define SECONDS_F32(v) vtrn2q_f32((float32x4_t)(v), (float32x4_t)(v))
#define SECONDS_F64(v) vtrn2q_f64((float64x2_t)(v), (float64x2_t)(v))
#define TURNED_F32(v) vrev64q_f32((float32x4_t)(v))
#define TURNED_F64(v) vextq_f64((float64x2_t)(v), (float64x2_t)(v), 1)

#define SIGNS_F64(v) (NEON_SIGN(v, 0) | NEON_SIGN(v, 1) << 1)
#define NEON_SIGN(v, lane) (vgetq_lane_u64((uint64x2_t)(v), lane) >> 63)

#define LOAD_I8_I32(p) vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u32(neon_load_4(p)))))
#define LOAD_U8_I32(p) vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(neon_load_4(p)))))
#define LOAD_I16_I32(p) vmovl_s16(vld1_s16((const void *)(p)))
#define LOAD_U16_I32(p) vmovl_u16(vld1_u16((const void *)(p)))
#define LOAD_F32_F64(p) vcvt_f64_f32(vld1_f32((const void *)(p)))

#define HALF_I32_F64(v, h) vcvtq_f64_s64(HALF_I32_I64(v, h))
#define HALF_I32_I64(v, h) \
	vmovl_s32((h) ? vget_high_s32((int32x4_t)(v)) : vget_low_s32((int32x4_t)(v)))
#define HALF_F32_F64(v, h) \
	vcvt_f64_f32((h) ? vget_high_f32((float32x4_t)(v)) : vget_low_f32((float32x4_t)(v)))

#define F16_STEP 4
#define LOAD_F16(to, from) \
	vst1q_f32(to, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16((const void *)(from)))))
#define STORE_F16(to, from) \
	vst1_u16((void *)(to), vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(from))))
#define F32_OF_F16(x) vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(x))), 0)
#define F16_OF_F32(x) vget_lane_u16(vreinterpret_u16_f16(vcvt_f16_f32(vdupq_n_f32(x))), 0)

/* Four bytes at p. */
static inline uint32x2_t
neon_load_4(const void *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return vdup_n_u32(x);
}

#endif
