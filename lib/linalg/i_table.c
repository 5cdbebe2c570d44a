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
};
