/*
 * scan.c - running sums, products, minima and maxima. Their kernels are reached by axt_kern_lines.
 */
#include "gufunc/gufunc.h"

/* That of the reduction; complex numbers have sums, part by part. */
static enum axt_dtype
scan_dtype(enum axt_red red, enum axt_dtype d)
{
	enum axt_dtype res;

	if (axt_dtypes[d].cls == AXT_CLASS_COMPLEX)
		return red == AXT_RED_SUM ? d : AXT_DTYPE_AUTO;
	return axt_kern_red(red, d, false, false, &res) ? res : AXT_DTYPE_AUTO;
}

#define SCAN(ID)                                                          \
	static enum axt_dtype ID##_dtype(const enum axt_dtype in[])       \
	{                                                                 \
		return scan_dtype(AXT_RED_##ID, in[0]);                   \
	}                                                                 \
	const struct axt_gufunc axt_gufunc_##ID = { .result = ID##_dtype, \
		.scans = true,                                            \
		.red = AXT_RED_##ID };

SCAN(SUM)
SCAN(PROD)
SCAN(MIN)
SCAN(MAX)
