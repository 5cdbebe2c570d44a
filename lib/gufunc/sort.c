/* sort.c - sorts values, or finds the positions from which sorted values come. */
#include "gufunc/gufunc.h"

static bool
sort_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	out[0] = in[0];
	return axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX;
}

static bool
index_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	out[0] = AXT_I64;
	return axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX;
}

static int64_t
work(const struct axt_gufunc_calls *x, bool index)
{
	return axt_kern_lines(x->t[0].dtype)->room(x->len['n' - 'a'], x->t[0].stride[0], index);
}

static int64_t
sort_work(const struct axt_gufunc_calls *x)
{
	return work(x, false);
}

static int64_t
index_work(const struct axt_gufunc_calls *x)
{
	return work(x, true);
}

static bool
calls(const struct axt_gufunc_calls *x, bool index)
{
	const struct axt_gufunc_tensor *in = &x->t[0], *out = &x->t[1];

	axt_kern_lines(in->dtype)->sort(out->p, in->p, x->len['n' - 'a'], x->calls, in->stride[0],
	    in->step, x->args->n[0], index, x->work);
	return true;
}

static bool
sort_calls(struct axt_gufunc_calls *x)
{
	return calls(x, false);
}

static bool
index_calls(struct axt_gufunc_calls *x)
{
	return calls(x, true);
}

const struct axt_gufunc axt_gufunc_SORT = {
	.dtypes = sort_dtypes, .work = sort_work, .calls = sort_calls, .like = 1, .sorts = true
};
const struct axt_gufunc axt_gufunc_INDEX = { .dtypes = index_dtypes,
	.work = index_work,
	.calls = index_calls,
	.sorts = true,
	.positions = true };
