/* take.c - elements by position. The kernel is axt_kern_take. */
#include "gufunc/gufunc.h"

static enum axt_dtype
take_dtype(const enum axt_dtype in[])
{
	return in[0] == AXT_I64 ? in[1] : AXT_DTYPE_AUTO;
}

const struct axt_gufunc axt_gufunc_TAKE = { .result = take_dtype, .takes = true };
