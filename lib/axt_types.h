/*
 * axt_types.h - the numbers of libaxt: dtypes, operations, reductions, result codes. Part of axt.h;
 * it stands alone so that the kernels are built again only where one of these changes.
 */
#ifndef AXT_TYPES_H
#define AXT_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

#define AXT_MAX_RANK 32

/*
 * Element types; the order is fixed. f16 is IEEE binary16, bf16 is bfloat16, c64 is two f32. In
 * options AUTO is the dtype that comes of itself; as a result it means that there is none.
 */
enum axt_dtype {
	AXT_DTYPE_AUTO,
	AXT_BOOL,
	AXT_I8,
	AXT_I16,
	AXT_I32,
	AXT_I64,
	AXT_U8,
	AXT_U16,
	AXT_U32,
	AXT_U64,
	AXT_F16,
	AXT_BF16,
	AXT_F32,
	AXT_F64,
	AXT_C64,
	AXT_C128,
	AXT_NDTYPES
};

/* Result codes: rows of errs.def. */
enum axt_code {
	AXT_OK = 0,
#define ERR(id, num, line) AXT_E_##id = num,
#include "errs.def"
#undef ERR
};

/* Elementwise operations: rows of ops.def. */
enum axt_op {
#define OP(id, ...) AXT_OP_##id,
#include "ops.def"
#undef OP
	AXT_NOPS
};

/*
 * Where a quantile lies between two neighbours of the sorted elements: the methods of
 * numpy.quantile, by its names. The first nine that follow AXT_MIDPOINT are those of Hyndman and
 * Fan, but for their seventh, which is AXT_LINEAR.
 */
enum axt_quantile {
	AXT_LINEAR,
	AXT_LOWER,
	AXT_HIGHER,
	AXT_NEAREST,
	AXT_MIDPOINT,
	AXT_INVERTED_CDF,
	AXT_AVERAGED_INVERTED_CDF,
	AXT_CLOSEST_OBSERVATION,
	AXT_INTERPOLATED_INVERTED_CDF,
	AXT_HAZEN,
	AXT_WEIBULL,
	AXT_MEDIAN_UNBIASED,
	AXT_NORMAL_UNBIASED,
	AXT_QUANTILES
};

/* Reductions: rows of reds.def. */
enum axt_red {
#define RED(id, ...) AXT_RED_##id,
#include "reds.def"
#undef RED
	AXT_NREDS
};

/* What a conversion does with a value the new dtype cannot hold. */
enum axt_overflow { AXT_OVERFLOW_ERROR, AXT_OVERFLOW_SATURATE, AXT_OVERFLOW_WRAP };

#ifdef __cplusplus
}
#endif
#endif
