/*
 * slabs.c - chunked operands are decoded, and products computed, slab by slab: along which dimension,
 * how many rows.
 */
#include "plan.h"

#define SLAB_BYTES (16 << 20)	/* chunked operands are decoded in slabs of about this */

bool
axt_slab_in_run(const struct axt_step *s)
{
	return s->kind == AXT_STEP_RUNS && s->slab_dim == s->sp.lin;
}

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	int outer = s->kind == AXT_STEP_MAP || s->kind == AXT_STEP_RUNS ? 0 : s->nred;

	switch (s->kind) {
	case AXT_STEP_COLUMNS:
		return d == 0 || (d >= s->nred && (!ordered || d == outer));
	case AXT_STEP_LINES:
		return axt_lines_may_slab(s, d, ordered);
	case AXT_STEP_RUNS:
		return d == s->nkept || (d < s->nkept && (!ordered || d == outer));
	default:
		return !ordered || d == outer;
	}
}

/* Bytes held at once when slabs of `rows` (0: one chunk) advance along d. */
static double
slab_cost(const struct axt_step *s, int d, int64_t rows, const struct axt_storage_facts *f)
{
	double sum = 0;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];
		double bytes = op->size;

		if (!op->slabbed)
			continue;
		for (int i = 0; i < f[k].rank; i++) {
			int64_t n = op->axis_dim[i] != d || !axt_operand_cuts(op, i)
			    ? f[k].dims[i] : rows ? rows : f[k].chunk[i];

			bytes *= (double)MIN(n, f[k].dims[i]);
		}
		sum += bytes;
	}
	return sum;
}

static int64_t
largest_chunk(const struct axt_step *s, int d, const struct axt_storage_facts *f)
{
	int64_t c = 1;

	for (int k = 0; k < s->prog.noperands; k++)
		for (int i = 0; s->prog.operand[k].slabbed && i < f[k].rank; i++)
			if (s->prog.operand[k].axis_dim[i] == d &&
			    axt_operand_cuts(&s->prog.operand[k], i))
				c = MAX(c, f[k].chunk[i]);
	return c;
}

static void
set_regions(struct axt_step *s, const struct axt_storage_facts *f)
{
	int64_t inner = 1, keep = 0;

	if (axt_slab_in_run(s)) {	/* what is left of a block waits for the next slab */
		for (int d = s->slab_dim + 1; d < s->sp.nd; d++)
			inner *= s->sp.len[d];
		keep = AXT_BLOCK / inner + 2;
	}
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];
		int64_t stride = 1;

		if (!op->slabbed)
			continue;
		for (int i = f[k].rank - 1; i >= 0; i--) {
			op->region[i] = f[k].dims[i];
			if (s->slab_dim >= 0 && op->axis_dim[i] == s->slab_dim &&
			    axt_operand_cuts(op, i)) {
				op->slab_axis = i;
				op->region[i] = MIN(f[k].dims[i], s->slab_rows + keep);
			}
			op->v.stride[op->axis_dim[i]] = stride;
			stride *= op->region[i];
		}
	}
}

/* What the plan has to know of an operand's storage; a product is cut anywhere. */
static void
operand_facts(const struct axt_operand *op, axt_facts_fn *facts, struct axt_storage_facts *f)
{
	if (!op->product) {
		facts(op->st, f);
		return;
	}
	*f = (struct axt_storage_facts){ .where = AXT_ST_CHUNKED, .rank = op->node->axes.n };
	for (int i = 0; i < f->rank; i++) {
		f->dims[i] = op->node->axes.a[i].len;
		f->chunk[i] = 1;
	}
}

/* A dimension of the batch: there nothing is packed twice. -1: none. */
static int
batch_dim(const struct axt_step *s, const struct axt_plan_opts *o, int64_t slab,
    const struct axt_storage_facts *f)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		for (int i = 0; op->product && i < op->node->u.dot->nb; i++) {
			int d = op->axis_dim[i];

			if (axt_operand_cuts(op, i) && may_slab(s, d, o->ordered) &&
			    s->sp.len[d] > 1 && slab_cost(s, d, 1, f) <= (double)slab)
				return d;
		}
	}
	return -1;
}

int
axt_choose_slabs(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	struct axt_storage_facts *f = axt_alloc(g->m, (size_t)(s->prog.noperands + 1) * sizeof *f);
	int64_t slab = o->slab > 0 ? o->slab : SLAB_BYTES;
	double best = 0, whole;
	int64_t c;
	int batch;
	bool any = false;

	s->slab_dim = -1;
	if (!f)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_product *p = s->prog.operand[k].product;

		if (s->prog.operand[k].slabbed)
			operand_facts(&s->prog.operand[k], facts, &f[k]);
		any = any || s->prog.operand[k].slabbed;
		if (p && o->slab == 0)
			slab = MAX(slab, axt_product_slab(p, g->memory));
		for (int i = 0; p && i < 2; i++)
			s->scratch += p->arg[i].s->scratch;
		s->scratch += p ? axt_product_scratch(p, o->threads) : 0;
	}
	if (!any)
		return 0;
	whole = slab_cost(s, -1, 0, f);
	if (whole > (double)slab) {
		best = whole;
		batch = batch_dim(s, o, slab, f);
		for (int d = 0; d < s->sp.nd && batch < 0; d++)
			if (may_slab(s, d, o->ordered) && slab_cost(s, d, 0, f) < best) {
				best = slab_cost(s, d, 0, f);
				s->slab_dim = d;
			}
		s->slab_dim = batch >= 0 ? batch : s->slab_dim;
	}
	if (s->slab_dim >= 0) {
		double row = slab_cost(s, s->slab_dim, 1, f);

		c = largest_chunk(s, s->slab_dim, f);
		s->slab_rows = row > 0 ? (int64_t)((double)slab / row) / c * c : c;
		s->slab_rows = MIN(MAX(s->slab_rows, c), s->sp.len[s->slab_dim]);
	}
	if (s->kind == AXT_STEP_LINES)
		axt_lines_limit(g, s, o, whole, slab_cost, f);
	best = s->slab_dim < 0 ? whole : slab_cost(s, s->slab_dim, s->slab_rows, f);
	s->scratch += (int64_t)MIN(best, 9e18);
	set_regions(s, f);
	return 0;
}
