/*
 * isa.h - what the sources compiled per ISA share: names with suffixes, its vectors, the table of
 * kernels that each ISA has.
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

/* All kernels of one ISA. i_table.c fills one such table per ISA, and kern.c picks one. */
struct axt_kern_isa {
	const char *name;
	axt_map_fn *(*map[AXT_NDTYPES])(enum axt_op op);
	axt_conv_fn *(*conv[AXT_NDTYPES])(enum axt_dtype to, enum axt_overflow mode);
	axt_unpack_fn *(*unpack[AXT_NDTYPES])(enum axt_dtype to);
	const struct axt_fused_fns *(*fused_unpack[AXT_NDTYPES])(enum axt_dtype to, bool skip,
	    const double p[4], int64_t count);
	const struct axt_fused_fns *(
	    *fused[AXT_NDTYPES])(enum axt_op op, enum axt_op then, bool skip);
	const struct axt_red_fns *(*sums[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(*folds[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(
	    *moments[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_red_fns *(
	    *extremes[AXT_NDTYPES])(enum axt_red op, bool skip, bool weighted);
	const struct axt_gemm_fns *(*gemm[AXT_NDTYPES])(void);
	const struct axt_line_fns *(*lines[AXT_NDTYPES])(void);
	void (*swap)(void *p, int64_t n, int size);
	void (*one_nan)(double *x, int64_t n);
	bool (*rounds)(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart);
	void (*gather2)(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
	    int64_t s1, int size);
	void (*take)(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
	    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);
	void (*iota)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
	    double inc);
	void (*random)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
	    uint64_t seed, bool normal, double lo, double hi);
};
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
 * Says that iterations of the next loop are independent, although out may be in[0]. clang tests
 * that at run time: its own pragma would warn wherever a loop stays scalar.
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
