/*
 * streams.c - plans how operands that come through a pipe are read: slab by slab, in their own
 * order. Decides along which dimensions slabs advance, and which streams must be spooled because
 * the step needs them in another order.
 */
#include "plan/steps.h"

/* bytes of a slab of all streams, for each thread; the best of 256 KiB to 4 MiB, measured */
#define SLAB_BYTES (256 << 10)
#define HOLD_BYTES (32 << 20) /* bytes of a slab, if smaller ones are not possible */

/*
 * How slabs advance: along dim[0..n), by several rows along the last of these dimensions and by one
 * index along the ones before it. A slab is whole along all other dimensions.
 */
struct walk {
	int n, dim[AXT_MAX_DIMS];
};

/*
 * Lists the dimensions along which the operand advances, slowest first. Returns false if its values
 * do not come in row-major order of these dimensions.
 */
static bool
own_order(const struct axt_step *s, const struct axt_operand *op, struct walk *w)
{
	int64_t span = 1;

	w->n = 0;
	if (op->jumps)
		return false;
	for (int d = 0; d < s->sp.nd; d++) {
		int i = w->n;

		if (s->sp.len[d] == 1 || op->v.stride[d] == 0)
			continue;
		for (w->n++; i > 0 && op->v.stride[w->dim[i - 1]] < op->v.stride[d]; i--)
			w->dim[i] = w->dim[i - 1];
		w->dim[i] = d;
	}
	for (int i = w->n - 1; i >= 0; i--) {
		if (op->v.stride[w->dim[i]] != span)
			return false;
		span *= s->sp.len[w->dim[i]];
	}
	return op->v.offset == 0 && span == axt_count(op->node);
}

/*
 * Whether slabs of a step may advance as w says. The reduced dimensions in w must be in the order
 * in which each result takes its elements. Kept ones must come before them, so that results are
 * finished one index after another, and in the order of the results if the sink needs that. Runs
 * are cut only along their first dimension, and not at all if they lie side by side.
 */
static bool
may_walk(const struct axt_step *s, const struct walk *w, bool ordered)
{
	const struct axt_step_fns *f = axt_step_fns(s);
	int kept, end, first, red;

	f->kept(s, &kept, &end);
	first = red = kept > 0 ? 0 : end;
	for (int i = 0; i < w->n; i++) {
		int d = w->dim[i];

		if (axt_is_reduced(s, d)) {
			if (d != red++ || (f->lin_is_run ? d > s->sp.lin : d >= s->columns.run))
				return false;
		} else if (red > first || ((ordered || f->elementwise) && d != kept++)) {
			return false;
		}
	}
	return true;
}

/*
 * The number of elements of an operand that are in memory while slabs of `rows` rows advance as w
 * says. It is 0 if the operand cannot be read in that order. To be read so, the operand must have
 * the dimensions that slabs advance along as its own slowest ones, and those that it lacks must
 * come last.
 */
static int64_t
held(const struct axt_step *s, const struct axt_operand *op, const struct walk *w, int64_t rows)
{
	struct walk own;
	int i = 0;

	if (!own_order(s, op, &own))
		return 0;
	while (i < w->n && op->v.stride[w->dim[i]] != 0)
		i++;
	for (int k = 0; k < w->n; k++)
		if (k < i ? k >= own.n || own.dim[k] != w->dim[k] : op->v.stride[w->dim[k]] != 0)
			return 0;
	if (i == 0)
		return axt_count(op->node);
	return op->v.stride[w->dim[i - 1]] * (i == w->n ? rows : 1);
}

static double
held_bytes(const struct axt_step *s, const struct walk *w, int64_t rows)
{
	double sum = 0;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (axt_is_in_order(op))
			sum += (double)held(s, op, w, rows) * op->size;
	}
	return sum;
}

/* The largest stream, which decides how slabs advance; NULL: there is none. */
static const struct axt_operand *
leader(const struct axt_step *s)
{
	const struct axt_operand *lead = NULL;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (axt_is_in_order(op) && (!lead || axt_count(op->node) > axt_count(lead->node)))
			lead = op;
	}
	return lead;
}

/*
 * Chooses along which dimensions slabs advance: the slowest ones of `lead`, the largest stream, as
 * many as are needed for one row to fit in `slab` bytes, or as are possible.
 */
static void
choose(const struct axt_step *s, const struct axt_operand *lead, bool ordered, double slab,
    struct walk *w)
{
	struct walk own;

	w->n = 0;
	if (!own_order(s, lead, &own))
		return;
	for (struct walk t = own; w->n < own.n; *w = t) {
		t.n = w->n + 1;
		if (!may_walk(s, &t, ordered))
			return;
		if (held_bytes(s, &t, 1) <= slab) {
			*w = t;
			return;
		}
	}
}

/*
 * Decides which streams are read in order: those whose slabs have at most `limit` bytes. The
 * others, and those that come in another order than slabs advance in, are spooled.
 */
static void
decide(struct axt_step *s, const struct walk *w, int64_t rows, int64_t keep, double limit)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];
		double bytes;

		if (!axt_is_in_order(op))
			continue;
		op->slab_elements = held(s, op, w, rows + keep);
		op->slab_elements = MIN(op->slab_elements, axt_count(op->node));
		bytes = (double)op->slab_elements * op->size;
		if (op->slab_elements > 0 && bytes <= limit)
			s->scratch += (int64_t)bytes;
		else
			op->source = AXT_SOURCE_STORED;
	}
}

void
axt_choose_streams(struct axt_step *s, const struct axt_plan_opts *o)
{
	double slab = o->slab > 0 ? (double)o->slab : SLAB_BYTES, row;
	const struct axt_operand *lead;
	int64_t keep = 0, inner = 1;
	struct walk w = { 0 };

	for (int k = 0; k < s->prog.noperands && axt_step_fns(s)->spools; k++)
		if (axt_is_in_order(&s->prog.operand[k])) /* it is spooled instead */
			s->prog.operand[k].source = AXT_SOURCE_STORED;
	lead = leader(s);
	if (s->slab_dim >= 0) { /* slabs are those of chunked operands, which slabs.c chose */
		w = (struct walk){ .n = 1, .dim = { s->slab_dim } };
	} else if (lead) {
		choose(s, lead, o->ordered, slab, &w);
		row = held_bytes(s, &w, 1);
		if (w.n > 0) {
			s->slab_dim = w.dim[w.n - 1];
			s->slab_rows = row > 0 ? (int64_t)(slab / row) : 1;
			s->slab_rows = MIN(MAX(s->slab_rows, 1), s->sp.len[s->slab_dim]);
		}
	}
	s->nwalk = w.n;
	memcpy(s->walk, w.dim, sizeof(w.dim));
	if (axt_slab_in_run(s)) { /* the rest of a block waits for the next slab */
		for (int d = s->slab_dim + 1; d < s->sp.nd; d++)
			inner *= s->sp.len[d];
		keep = AXT_BLOCK / inner + 2;
	}
	if (lead)
		decide(s, &w, MAX(s->slab_rows, 1), keep, w.n > 0 ? HOLD_BYTES : MAX(slab, 16));
}
