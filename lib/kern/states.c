/*
 * states.c - states of reductions outside the loops that make them: their memory; states of blocks
 * as numbers that can be stored, and merged elsewhere; and results made of states.
 *
 * Each part of a job (lib/jobs) computes the states of a range of blocks. Whoever has the states of
 * all parts merges them in the order in which one step would have done so, to the same bits. States
 * are stored as records: the number of the element of the result that the state belongs to, and the
 * numbers of 8 bytes that the state consists of, one of each plane (kern.h). There is a record for
 * each block or, where any order of merging gives the same bits, for each element of the result.
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
