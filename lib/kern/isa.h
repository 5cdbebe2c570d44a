/*
 * isa.h - what the sources share that are compiled once per instruction set (ISA): names that end
 * in that of the ISA, its vectors, the table of its kernels.
 */
#ifndef AXT_KERN_ISA_H
#define AXT_KERN_ISA_H

#include "kern/kern.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT4_(a, b, c, d) a##b##c##d
#define CAT4(a, b, c, d) CAT4_(a, b, c, d)
#define STR_(a) #a
#define STR(a) STR_(a)

#define ISA(name, flags, test) extern const struct axt_kern_isa axt_kern_isa_##name;
#include "isa/isas.def"
#undef ISA

#ifdef AXT_ISA
/* ISA_NAME(gather2) is axt_gather2_v4; KERN_NAME(map), with the dtype, is axt_map_F32_v4. */
#define ISA_NAME(stem) CAT4(axt_, stem, _, AXT_ISA)
#define KERN_NAME(stem) CAT4(CAT4(axt_, stem, _, AXT_T), _, AXT_ISA, )

/* The vectors of this ISA: isa/v4.h. Blanks around the slash would be in the name of the file. */
/* clang-format off */
#define VECTORS_(id) STR(isa/id.h)
/* clang-format on */
#define VECTORS(id) VECTORS_(id)
#include VECTORS(AXT_ISA)

/*
 * Tells gcc that iterations of the next loop are independent, although out may be in[0]. clang is
 * told nothing, since it tests for overlap at run time, and its own pragma warns where a loop stays
 * scalar.
 */
#ifdef __clang__
#define IVDEP
#else
#define IVDEP _Pragma("GCC ivdep")
#endif
#define INLINE static inline __attribute__((always_inline))

/* Operands of kernels may be unaligned, since elements are used where they lie in a mapped file. */
#define ANYWHERE __attribute__((aligned(1)))
typedef uint8_t T_BOOL, T_U8;
typedef int8_t T_I8;
typedef int16_t T_I16 ANYWHERE;
typedef uint16_t T_U16 ANYWHERE, T_F16 ANYWHERE, T_BF16 ANYWHERE;
typedef int32_t T_I32 ANYWHERE;
typedef uint32_t T_U32 ANYWHERE;
typedef int64_t T_I64 ANYWHERE;
typedef uint64_t T_U64 ANYWHERE;
typedef float T_F32 ANYWHERE;
typedef double T_F64 ANYWHERE;
#endif

#endif
