/* i_table.c - the table of all kernels of one ISA. */
#include "kern/isa.h"

#define FN(stem, t) CAT4(CAT4(axt_, stem, _, t), _, AXT_ISA, )

#define DTYPE(id, ...)                                                                          \
	axt_map_fn *FN(map, id)(enum axt_op op);                                                \
	axt_conv_fn *FN(conv, id)(enum axt_dtype to, enum axt_overflow mode);                   \
	axt_unpack_fn *FN(unpack, id)(enum axt_dtype to);                                       \
	const struct axt_fused_fns *FN(fused_unpack, id)(enum axt_dtype to, bool skip,          \
	    const double p[4], int64_t count);                                                  \
	const struct axt_fused_fns *FN(fused, id)(enum axt_op op, enum axt_op then, bool skip); \
	const struct axt_gemm_fns *FN(gemm, id)(void);                                          \
	const struct axt_line_fns *FN(lines, id)(void);                                         \
	const struct axt_red_fns *FN(sums, id)(enum axt_red op, bool skip, bool weighted);      \
	const struct axt_red_fns *FN(folds, id)(enum axt_red op, bool skip, bool weighted);     \
	const struct axt_red_fns *FN(moments, id)(enum axt_red op, bool skip, bool weighted);   \
	const struct axt_red_fns *FN(extremes, id)(enum axt_red op, bool skip, bool weighted);
#include "dtypes.def"
#undef DTYPE
void ISA_NAME(bins)(int32_t *out, const void *in, bool wide, const struct axt_bins *b, int64_t n);
void ISA_NAME(swap)(void *p, int64_t n, int size);
void ISA_NAME(one_nan)(double *x, int64_t n);
bool ISA_NAME(rounds)(const void *in, int64_t n, bool sign, const uint64_t *apart, int napart);
void ISA_NAME(gather2)(void *out, int64_t o0, const void *in, int64_t n0, int64_t n1, int64_t s0,
    int64_t s1, int size);
void ISA_NAME(take)(void *out, int64_t o, const int64_t *at, int64_t n, int64_t m, const void *in,
    int64_t s0, int64_t s1, int64_t len, int size, const void *fill, int64_t *bad);
void ISA_NAME(iota)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
    double inc);
void ISA_NAME(random)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    uint64_t seed, bool normal, double lo, double hi);

const struct axt_kern_isa CAT(axt_kern_isa_, AXT_ISA) = {
	.name = STR(AXT_ISA),
#define DTYPE(id, ...)                                                                      \
	.map[AXT_##id] = FN(map, id), .conv[AXT_##id] = FN(conv, id),                       \
	.unpack[AXT_##id] = FN(unpack, id), .fused_unpack[AXT_##id] = FN(fused_unpack, id), \
	.fused[AXT_##id] = FN(fused, id), .sums[AXT_##id] = FN(sums, id),                   \
	.moments[AXT_##id] = FN(moments, id), .extremes[AXT_##id] = FN(extremes, id),       \
	.folds[AXT_##id] = FN(folds, id), .gemm[AXT_##id] = FN(gemm, id),                   \
	.lines[AXT_##id] = FN(lines, id),
#include "dtypes.def"
#undef DTYPE
	.bins = ISA_NAME(bins),
	.swap = ISA_NAME(swap),
	.one_nan = ISA_NAME(one_nan),
	.rounds = ISA_NAME(rounds),
	.gather2 = ISA_NAME(gather2),
	.take = ISA_NAME(take),
	.iota = ISA_NAME(iota),
	.random = ISA_NAME(random),
};
