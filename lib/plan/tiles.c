/*
 * tiles.c - answers questions about the tiles of a planned step: where the elements of an operand
 * are in its storage, where an element is along the axes, and how many threads are worth starting.
 */
#include "plan/steps.h"

/* ---- in storage ---- */

/* ---- along axes, for messages ---- */

void
axt_place_text(const struct axt_step *s, const int64_t *idx, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (int i = 0; i < s->laid.n && n < size; i++)
		if (idx[i] >= 0)
			n += (size_t)snprintf(out + n, size - n, "%s%s=%lld", n ? ", " : " at ",
			    s->laid.a[i].name, (long long)idx[i]);
}

/* ---- threads ---- */

/* The number of tiles that threads share. */
static int64_t
tiles(const struct axt_step *s)
{
	int a = 0, b = s->sp.lin + 1;
	int64_t n = 1;

	if (!s->red.partials && !s->red.own)
		axt_step_fns(s)->kept(s, &a, &b);
	for (int d = a; d < b; d++)
		n *= (axt_band_len(s, d) + s->ext[d] - 1) / s->ext[d];
	return n;
}

int
axt_step_threads(const struct axt_step *s, int threads)
{
	bool busy = false;
	double work = (double)s->kept_count * (double)s->red_count;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_product *p = s->prog.operand[k].product;

		busy = busy || p || axt_is_in_order(&s->prog.operand[k]);
		/* eight multiplications of a product take as long as one element does elsewhere */
		if (p)
			work += (double)p->batch * (double)p->m * (double)p->n * (double)p->k / 8;
	}
	/* each thread needs memory on the device, and host memory that is slow to allocate */
	if (s->device && !busy)
		threads = (int)MAX(1, MIN(threads, tiles(s)));
	return work <= 64 << 10 ? 1 : threads;
}
