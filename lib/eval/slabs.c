/* slabs.c - goes through the slabs of a step: which part of the space and of streams each has. */
#include "eval/shared.h"

static int64_t
dim_len(const struct axt_step *s, int d)
{
	return d == s->sp.lin ? s->sp.lin_len : s->sp.len[d];
}

/* Moves to the next index of the dimensions before the slab dimension; false after the last. */
static bool
next_index(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;

	for (int i = s->nwalk - 2; i >= 0; i--) {
		if (++r->at.box_lo[s->walk[i]] < dim_len(s, s->walk[i]))
			return true;
		r->at.box_lo[s->walk[i]] = 0;
	}
	return false;
}

/* The share of the step, from 0 to 1, that comes before index `at` of the slab dimension. */
static double
part(const struct axt_step_run *r, int64_t at)
{
	double x = (double)at / (double)dim_len(r->s, r->s->slab_dim);

	for (int i = r->s->nwalk - 2; i >= 0; i--)
		x = (x + (double)r->at.box_lo[r->s->walk[i]]) /
		    (double)dim_len(r->s, r->s->walk[i]);
	return x;
}

bool
axt_slab_next(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	struct axt_part *at = &r->at;
	int64_t len, rows_lo, rows_hi, inner = 1;

	at->done_hi = 1;
	if (s->slab_dim < 0)
		return at->slab_hi == 0 ? (at->slab_hi = 1) : false;
	len = dim_len(s, s->slab_dim);
	if (axt_slab_in_run(s))
		inner = s->sp.lin_len / s->sp.len[s->slab_dim];
	if (at->slab_hi >= len) {
		at->over = at->over || !next_index(r);
		if (at->over)
			return false;
		at->slab_hi = at->win_hi = 0;
	}
	at->slab_lo = at->slab_hi;
	rows_lo = at->slab_lo / inner;
	rows_hi = MIN(len / inner, at->win_hi + s->slab_rows);
	at->slab_hi = rows_hi * inner;
	if (axt_slab_in_run(s) && at->slab_hi < len)
		at->slab_hi = at->slab_hi / AXT_BLOCK * AXT_BLOCK;
	at->win_lo = rows_lo;
	at->win_hi = rows_hi;
	at->box_lo[s->slab_dim] = at->slab_lo;
	at->box_n[s->slab_dim] = at->slab_hi - at->slab_lo;
	at->done_lo = part(r, at->slab_lo);
	at->done_hi = part(r, at->slab_hi);
	return true;
}

bool
axt_slab_last(const struct axt_step_run *r)
{
	const struct axt_step *s = r->s;

	if (s->slab_dim < 0)
		return true;
	for (int i = 0; i < s->nwalk - 1; i++) {
		int d = s->walk[i];

		if (axt_is_reduced(s, d) && r->at.box_lo[d] < dim_len(s, d) - 1)
			return false;
	}
	return r->at.slab_hi >= dim_len(s, s->slab_dim);
}

/*
 * Reads what a slab needs of stream j. The first dimensions of the stream are those along which
 * slabs advance; dimensions that the stream lacks are passed over.
 */
static int
take_rows(const struct axt_step_run *r, int j, struct axt_source *last, struct axt_err *e)
{
	const struct axt_step *s = r->s;
	const struct axt_view *v = &s->prog.operand[j].v;
	int64_t lo = 0, n = r->src[j].st->count;

	for (int i = 0; i < s->nwalk; i++) {
		int d = s->walk[i];
		bool rows = d == s->slab_dim;

		if (v->stride[d] == 0)
			break;
		lo += v->stride[d] * (rows ? r->at.win_lo : r->at.box_lo[d]);
		n = v->stride[d] * (rows ? r->at.win_hi - r->at.win_lo : 1);
	}
	return r->src[j].kind->take(&r->src[j], last, lo, n, e);
}

void
axt_slab_init(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;

	for (int d = 0; d <= s->sp.lin; d++)
		r->at.box_n[d] = dim_len(s, d);
	for (int i = 0; i < s->nwalk - 1; i++)
		r->at.box_n[s->walk[i]] = 1;
}

int
axt_slab_take(const struct axt_step_run *r, struct axt_source *last, struct axt_err *e)
{
	for (int j = 0; j < r->s->prog.noperands; j++)
		if (r->src[j].kind->take && take_rows(r, j, &last[j], e))
			return -1;
	return 0;
}
