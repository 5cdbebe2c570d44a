/*
 * scan.c - running sums, products, minima and maxima. The planner gets their kernels by
 * axt_kern_lines.
 */
#include "gufunc/gufunc.h"

/*
 * The dtype of the result of a scan, which is that of the reduction. Of complex numbers there are
 * only sums, whose real and imaginary parts are summed each by itself.
 */
static enum axt_dtype
scan_dtype(enum axt_red red, enum axt_dtype d)
{
	enum axt_dtype res;

	if (axt_dtypes[d].cls == AXT_CLASS_COMPLEX)
		return red == AXT_RED_SUM ? d : AXT_DTYPE_AUTO;
	return axt_kern_red(red, d, false, false, &res) ? res : AXT_DTYPE_AUTO;
}

#define SCAN(ID)                                                           \
	static bool ID##_dtypes(enum axt_dtype in[], enum axt_dtype out[]) \
	{                                                                  \
		out[0] = scan_dtype(AXT_RED_##ID, in[0]);                  \
		return out[0] != AXT_DTYPE_AUTO;                           \
	}                                                                  \
	const struct axt_gufunc axt_gufunc_##ID = { .dtypes = ID##_dtypes, \
		.like = 1,                                                 \
		.scans = true,                                             \
		.red = AXT_RED_##ID };

SCAN(SUM)
SCAN(PROD)
SCAN(MIN)
SCAN(MAX)
