/* sort.c - values in order, and the positions they come from. */
#include "gufunc/gufunc.h"

static enum axt_dtype
sort_dtype(const enum axt_dtype in[])
{
	return axt_dtypes[in[0]].cls == AXT_CLASS_COMPLEX ? AXT_DTYPE_AUTO : in[0];
}

static int64_t
sort_room(enum axt_dtype d, int64_t n, int64_t es)
{
	return axt_kern_lines(d)->room(n, es, false);
}

static void
sort_run(const struct axt_lines *x)
{
	axt_kern_lines(x->dtype)->sort(x->out, x->in, x->n, x->lines, x->es, x->ls, x->reverse,
	    false, x->room);
}

const struct axt_gufunc axt_gufunc_SORT = {
	.result = sort_dtype, .room = sort_room, .run = sort_run, .sorts = true
};

static enum axt_dtype
index_dtype(const enum axt_dtype in[])
{
	return axt_dtypes[in[0]].cls == AXT_CLASS_COMPLEX ? AXT_DTYPE_AUTO : AXT_I64;
}

static int64_t
index_room(enum axt_dtype d, int64_t n, int64_t es)
{
	return axt_kern_lines(d)->room(n, es, true);
}

static void
index_run(const struct axt_lines *x)
{
	axt_kern_lines(x->dtype)->sort(x->out, x->in, x->n, x->lines, x->es, x->ls, x->reverse,
	    true, x->room);
}

const struct axt_gufunc axt_gufunc_INDEX = { .result = index_dtype,
	.room = index_room,
	.run = index_run,
	.sorts = true,
	.positions = true };
