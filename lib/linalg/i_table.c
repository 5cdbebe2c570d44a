/* i_table.c - the table of the functions of one instruction set. */
#include "linalg/lanes.h"

#define FN(stem, parts) CAT4(axt_##stem##_, parts, _, AXT_ISA)
#define FNS(parts)                                                                           \
	{                                                                                    \
		.lu = FN(lu, parts), .lu_solve = FN(lu_solve, parts),                        \
		.cholesky = FN(cholesky, parts), .qr = FN(qr, parts), .mul = FN(mul, parts), \
		.turn = FN(turn, parts), .eigh = FN(eigh, parts), .svd = FN(svd, parts)      \
	}

const struct axt_lanes CAT(axt_lanes_, AXT_ISA) = {
	.lanes = LANES,
	.fns = { FNS(1), FNS(2) },
	.load_f64 = { ISA_NAME(load_f64_1), ISA_NAME(load_f64_2) },
	.load_f32 = { ISA_NAME(load_f32_1), ISA_NAME(load_f32_2) },
	.store_f64 = { ISA_NAME(store_f64_1), ISA_NAME(store_f64_2) },
	.store_f32 = { ISA_NAME(store_f32_1), ISA_NAME(store_f32_2) },
	.store_i64 = ISA_NAME(store_i64_1),
};
