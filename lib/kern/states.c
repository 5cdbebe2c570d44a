/*
 * states.c - states of reductions outside the loops that make them: their memory, states of blocks
 * as numbers that can be stored and merged elsewhere, and results made of states.
 *
 * A part of a job (lib/parts) has the states of a range of blocks, and whoever has those of all
 * parts merges them, in the order in which one step would have done so, to the same bits. A record
 * is a number of 8 bytes for the kept element that a state belongs to, and one for each plane of
 * the state. There is a record for each block, and only one for each kept element where any order
 * of merging gives the same bits.
 */
#include <stdlib.h>

#include "kern/kern.h"

#define STRIP 512 /* results that are made at a time */

int
axt_acc_init(struct axt_acc *a, const struct axt_red_fns *fns, int64_t n, struct axt_err *e)
{
	for (int i = 0; i < fns->planes; i++) {
		a->p[i] = axt_scratch_new(n * 8);
		if (!a->p[i])
			return axt_fail(e, AXT_E_MEM, "out of memory");
	}
	fns->init(a, 0, n);
	return 0;
}

void
axt_acc_release(struct axt_acc *a)
{
	for (int i = 0; i < ARRAY_LEN(a->p); i++) {
		free(a->p[i]);
		a->p[i] = NULL;
	}
}

int
axt_states_begin(struct axt_states *x, const struct axt_states_of *of, struct axt_err *e)
{
	enum axt_dtype res;

	*x = (struct axt_states){ .of = *of };
	x->fns = axt_kern_red(of->op, of->dtype, of->skip, of->weighted, &res);
	if (!x->fns || x->fns->planes > ARRAY_LEN(x->all.p))
		return axt_fail(e, AXT_E_DAMAGED, "there are no such states");
	return axt_acc_init(&x->all, x->fns, of->kept, e) || axt_acc_init(&x->one, x->fns, 1, e)
	    ? -1
	    : 0;
}

int64_t
axt_states_numbers(const struct axt_states *x)
{
	return 1 + x->fns->planes;
}

bool
axt_states_add(struct axt_states *x, const int64_t *v, int64_t n)
{
	for (int64_t i = 0; i < n; i++, v += axt_states_numbers(x)) {
		if (v[0] < 0 || v[0] >= x->of.kept)
			return false;
		for (int k = 0; k < x->fns->planes; k++)
			memcpy(x->one.p[k], &v[1 + k], 8);
		x->fns->merge(&x->all, v[0], &x->one, 0, 1);
	}
	return true;
}

int
axt_states_results(const struct axt_states *x, enum axt_dtype d, void *out, struct axt_err *e)
{
	axt_conv_fn *conv = x->fns->out == d ? NULL
					     : axt_kern_conv(d, x->fns->out, AXT_OVERFLOW_ERROR);
	int64_t bad = axt_states_finish(x->fns, conv, &x->all, 0, x->of.kept, x->of.count,
	    x->of.ddof, axt_size(d), out);

	return bad < 0 ? 0
		       : axt_fail(e, AXT_E_RANGE, "a %s does not fit %s", axt_reds[x->of.op].name,
			     axt_dtypes[d].name);
}

void
axt_states_release(struct axt_states *x)
{
	axt_acc_release(&x->all);
	axt_acc_release(&x->one);
}

int64_t
axt_states_finish(const struct axt_red_fns *f, axt_conv_fn *conv, const struct axt_acc *acc,
    int64_t k, int64_t n, int64_t count, double ddof, int size, uint8_t *out)
{
	_Alignas(64) uint8_t nat[STRIP * 8];
	int64_t bad = -1;

	for (int64_t done = 0; done < n && bad < 0; done += STRIP) {
		int64_t m = MIN(STRIP, n - done);
		void *to = out + done * size;

		f->finish(conv ? nat : to, acc, k + done, m, count, ddof);
		if (f->out == AXT_F64)
			axt_kern_one_nan(conv ? (double *)nat : to, m);
		if (conv)
			conv(to, nat, m, &bad);
	}
	return bad;
}
