/* take.c - elements by position. The kernel is axt_kern_take. */
#include "gufunc/gufunc.h"

static bool
take_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	out[0] = in[1];
	return in[0] == AXT_I64;
}

const struct axt_gufunc axt_gufunc_TAKE = { .dtypes = take_dtypes, .like = 2, .takes = true };
