/*
 * tiles.c - answers questions about the tiles of a planned step: where the elements of an operand
 * are in its storage, where an element is along the axes, and how many threads are worth starting.
 */
#include "plan/steps.h"

/* ---- in storage ---- */

int64_t
axt_operand_end(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
{
	int64_t at = op->v.offset + 1, expect = 1, lin = t->lo[sp->lin] + t->n[sp->lin] - 1;
	bool rising = true;

	for (int d = 0; d < sp->lin; d++)
		at += (t->lo[d] + t->n[d] - 1) * op->v.stride[d];
	for (int d = sp->nd - 1; d >= sp->lin; d--) {
		rising = rising && (sp->len[d] == 1 || op->v.stride[d] >= expect);
		expect = sp->len[d] * op->v.stride[d];
	}
	for (int d = sp->nd - 1; d >= sp->lin; d--) {
		at += (rising ? lin % sp->len[d] : sp->len[d] - 1) * op->v.stride[d];
		lin /= sp->len[d];
	}
	return at;
}

bool
axt_operand_is_across(const struct axt_operand *op, const struct axt_space *sp)
{
	int64_t in = op->v.stride[sp->nd - 1];
	bool again = false;

	for (int d = 0; d < sp->nd; d++)
		again = again || (op->v.stride[d] == 0 && sp->len[d] > 1);
	return again || (in != 1 && sp->nd > 1);
}

int64_t
axt_operand_span(const struct axt_operand *op, const struct axt_space *sp, int64_t *first,
    int64_t *used)
{
	int64_t last = *first = op->v.offset;

	*used = 1;
	for (int d = 0; d < sp->nd; d++) {
		int64_t reach = (sp->len[d] - 1) * op->v.stride[d];

		last += MAX(reach, 0);
		*first += MIN(reach, 0);
		*used *= reach ? sp->len[d] : 1;
	}
	return last - *first + 1;
}

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

void
axt_element_text(const struct axt_step *s, const struct axt_tile *t, int64_t k, char *out,
    size_t size)
{
	const struct axt_space *sp = &s->sp;
	int64_t idx[AXT_MAX_DIMS], linear = 0, rest = k;

	for (int d = sp->lin; d >= 0; d--) {
		idx[d] = t->lo[d] + rest % t->n[d];
		rest /= t->n[d];
	}
	/*
	 * if windows overlap, an element behind the beginning of the last window is in that window
	 */
	if (axt_slides(s)) {
		idx[s->columns.run] = MAX(0, idx[s->columns.slide] - sp->len[s->columns.slide] + 1);
		idx[s->columns.slide] -= idx[s->columns.run];
	}
	for (int d = 0; d <= sp->lin; d++)
		linear = linear * (d == sp->lin ? sp->lin_len : sp->len[d]) + idx[d];
	for (int i = s->laid.n - 1; i >= 0; i--) {
		idx[i] = linear % s->laid.a[i].len;
		linear /= s->laid.a[i].len;
	}
	axt_place_text(s, idx, out, size);
}

/* ---- threads ---- */

/* The number of tiles that threads share. */
static int64_t
tiles(const struct axt_step *s)
{
	int a = 0, b = s->sp.lin + 1;
	int64_t n = 1;

	if (!s->red.partials)
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
