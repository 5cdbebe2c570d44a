/*
 * slabs.c - cuts steps into slabs, for which chunked operands are decoded and products are
 * computed: along which dimension, and how many rows a slab has.
 */
#include "plan/steps.h"

#define WANTED_MAX (1 << 24)  /* of an axis with more positions than this, all chunks are decoded */
#define SLAB_BYTES (16 << 20) /* chunked operands are decoded in slabs of about so many bytes */
#define SLAB_MIN (1 << 20)    /* with little memory slabs are smaller, but not smaller than this */

const struct axt_source_traits axt_source_traits[AXT_NSOURCES] = {
#define SOURCE(ID, name, reach, words) [AXT_SOURCE_##ID] = { AXT_REACH_##reach, words },
#include "sources.def"
#undef SOURCE
};

bool
axt_slab_in_run(const struct axt_step *s)
{
	return axt_step_fns(s)->lin_is_run && s->slab_dim == s->sp.lin;
}

/*
 * The axis along which an operand advances in its storage when slabs advance along dimension d, or
 * -1 if it does not advance.
 */
static int
slab_axis(const struct axt_operand *op, int d)
{
	int ax = -1;

	for (int k = 0; k < op->index_map->n && d >= 0; k++) {
		int i = op->index_map->t[k].axis;

		if (op->index_map->t[k].dim == d && axt_operand_cuts(op, i) && (ax < 0 || i < ax))
			ax = i;
	}
	return ax;
}

/*
 * The number of positions along axis i of an operand that are reached by `rows` indices of
 * dimension d or, if rows is 0, by all of them.
 */
static int64_t
extent(const struct axt_step *s, const struct axt_operand *op, int i, int d, int64_t rows)
{
	int64_t n = 1;

	for (int k = 0; k < op->index_map->n; k++) {
		const struct axt_term *t = &op->index_map->t[k];
		int64_t len = s->sp.len[t->dim];

		if (t->axis != i)
			continue;
		if (t->dim == d && rows && i == slab_axis(op, d))
			len = MIN(len, rows);
		n += (t->sel ? axt_sel_extent(t->sel, len) : len) - 1;
	}
	return n;
}

/* Asks for the facts about an operand's storage. A product can be cut anywhere. */
static void
operand_facts(const struct axt_operand *op, axt_facts_fn *facts, struct axt_storage_facts *f)
{
	if (!op->product) {
		facts(op->st, f);
		return;
	}
	*f = (struct axt_storage_facts){ .source = AXT_SOURCE_PRODUCT, .rank = op->node->axes.n };
	for (int i = 0; i < f->rank; i++) {
		f->dims[i] = op->node->axes.a[i].len;
		f->chunk[i] = 1;
	}
}

/*
 * Whether all positions along axis i of the operand are computed. A product computes all of its
 * rows and columns, even if few are used, except along the axis that slabs cut.
 */
static bool
whole_axis(const struct axt_operand *op, int i, int slab_axis)
{
	return op->product && i != slab_axis;
}

/*
 * Whether the parts are concatenated along dimension d: slabs along it come from one part after
 * another.
 */
static bool
along(const struct axt_parts *j, int d)
{
	return d >= 0 && d == j->dim;
}

/* The bytes in memory at once if slabs of `rows` advance along d. rows 0: slabs of one chunk. */
static double
slab_cost(const struct axt_step *s, int d, int64_t rows, axt_facts_fn *facts)
{
	double sum = 0;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];
		struct axt_storage_facts f;
		double bytes = op->size, most = 0;

		if (!axt_is_slabbed(op))
			continue;
		for (int i = 0; op->joined && i < op->joined->nparts; i++) {
			double part = slab_cost(op->joined->part[i], d, rows, facts);

			/*
			 * along the concatenated dimension at most two parts are in memory at once,
			 * so that twice the largest is added below
			 */
			sum += along(op->joined, d) ? 0 : part;
			most = MAX(most, part);
		}
		if (op->joined) {
			sum += along(op->joined, d) ? 2 * most : 0;
			continue;
		}
		operand_facts(op, facts, &f);
		for (int i = 0; i < f.rank; i++)
			bytes *= (double)(whole_axis(op, i, slab_axis(op, d))
				? f.dims[i]
				: extent(s, op, i, d, rows ? rows : f.chunk[i]));
		sum += bytes;
	}
	return sum;
}

/*
 * The parameters of a question about all operands that have slabs, and the sum or the maximum of
 * the answers.
 */
struct asked {
	int dim;     /* the dimension along which slabs advance */
	bool pieces; /* whether chunks are decoded piece by piece if possible */
	int64_t most;
	double sum;
};
typedef void ask_fn(const struct axt_operand *op, const struct axt_storage_facts *f,
    struct asked *a);

/* Calls `ask` for all operands of a step that have slabs, also for those in parts. */
static void
ask_slabbed(const struct axt_step *s, axt_facts_fn *facts, ask_fn *ask, struct asked *a)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];
		struct axt_storage_facts f;

		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			ask_slabbed(op->joined->part[i], facts, ask, a);
		if (!op->window)
			continue;
		operand_facts(op, facts, &f);
		ask(op, &f, a);
	}
}

static void
chunk_rows(const struct axt_operand *op, const struct axt_storage_facts *f, struct asked *a)
{
	int i = slab_axis(op, a->dim);

	if (i >= 0)
		a->most = MAX(a->most, f->chunk[i]);
}

static int64_t
largest_chunk(const struct axt_step *s, int d, axt_facts_fn *facts)
{
	struct asked a = { .dim = d, .most = 1 };

	ask_slabbed(s, facts, chunk_rows, &a);
	return a.most;
}

/*
 * Marks the chunks along axis i that have selected elements. The positions along the axis may
 * depend on one dimension, or on two if windows overlap along it. NULL: all chunks of the region
 * are needed, or memory ran out.
 */
static const uint8_t *
wanted(struct axt_graph *g, const struct axt_step *s, const struct axt_operand *op, int i,
    const struct axt_storage_facts *f)
{
	const struct axt_term *t[2] = { NULL };
	int64_t len[2] = { 1, 1 }, all;
	bool gaps = false;
	int n = 0;
	uint8_t *w;

	for (int k = 0; k < op->index_map->n; k++)
		if (op->index_map->t[k].axis == i) {
			const struct axt_term *x = &op->index_map->t[k];

			if (n == ARRAY_LEN(t))
				return NULL;
			len[n] = s->sp.len[x->dim];
			gaps = gaps || (x->sel && (x->sel->n > 1 || x->sel->span[0].step != 1));
			t[n++] = x;
		}
	if (!gaps || op->product || !axt_mul(len[0], len[1], &all) || all > WANTED_MAX)
		return NULL;
	w = axt_alloc(g->m, (size_t)(f->dims[i] / f->chunk[i] + 1));
	for (int64_t k = 0; w && k < all; k++) {
		int64_t at[2] = { k / len[1], k % len[1] }, sum = op->index_map->from[i];

		for (int j = 0; j < n; j++)
			sum += t[j]->sel ? axt_sel_at(t[j]->sel, at[j]) : at[j];
		w[sum / f->chunk[i]] = 1;
	}
	return w;
}

/* The least and greatest sum of the terms of axis i, without the term of dimension d. */
static void
reach(const struct axt_step *s, const struct axt_operand *op, int i, int d, int64_t *lo,
    int64_t *hi)
{
	int64_t a, b;

	*lo = *hi = op->index_map->from[i];
	for (int k = 0; k < op->index_map->n; k++) {
		const struct axt_term *t = &op->index_map->t[k];

		if (t->axis != i || t->dim == d)
			continue;
		a = 0;
		b = s->sp.len[t->dim] - 1;
		if (t->sel)
			axt_sel_range(t->sel, 0, t->sel->len, &a, &b);
		*lo += a;
		*hi += b;
	}
}

static int
set_region(struct axt_graph *g, const struct axt_step *s, struct axt_operand *op, int slab_dim,
    int64_t rows, const struct axt_storage_facts *f)
{
	int64_t stride[AXT_MAX_RANK], n = 1, offset = 0, hi;
	struct axt_window *w = op->window;

	w->axis = slab_axis(op, slab_dim);
	for (int i = f->rank - 1; i >= 0; i--) {
		bool cut = i == w->axis, whole = whole_axis(op, i, w->axis);

		w->region[i] = whole ? f->dims[i]
				     : MIN(extent(s, op, i, cut ? slab_dim : -1, rows), f->dims[i]);
		w->wanted[i] = wanted(g, s, op, i, f);
		stride[i] = n;
		n *= w->region[i];
		reach(s, op, i, cut ? slab_dim : -1, &w->origin[i], &hi);
		if (cut) {
			w->lo = w->origin[i];
			w->hi = hi;
		}
		if (cut || whole)
			w->origin[i] = 0;
		offset -= w->origin[i] * stride[i];
	}
	w->sel = NULL;
	for (int k = 0; k < op->index_map->n && w->axis >= 0; k++)
		if (op->index_map->t[k].axis == w->axis && op->index_map->t[k].dim == slab_dim)
			w->sel = op->index_map->t[k].sel;
	return axt_operand_lay(g, op, &s->sp, stride, offset);
}

static int
set_regions(struct axt_graph *g, struct axt_step *s, int slab_dim, int64_t rows,
    axt_facts_fn *facts)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];
		struct axt_storage_facts f;

		if (!axt_is_slabbed(op))
			continue;
		for (int i = 0; op->joined && i < op->joined->nparts; i++) {
			op->joined->part[i]->slab_dim = slab_dim;
			if (set_regions(g, op->joined->part[i], slab_dim, rows, facts))
				return g->err.code;
		}
		if (op->joined)
			continue;
		operand_facts(op, facts, &f);
		if (set_region(g, s, op, slab_dim, rows, &f))
			return g->err.code;
	}
	return 0;
}

/*
 * The dimension of the batch of a product along which slabs had better advance, since no panel is
 * then packed twice, or -1 if there is none.
 */
static int
batch_dim(const struct axt_step *s, const struct axt_plan_opts *o, int64_t slab,
    axt_facts_fn *facts)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		for (int i = 0; op->product && i < op->node->u.dot->nb; i++) {
			int d = axt_operand_dim(op, &s->sp, i);

			if (d >= 0 && axt_operand_cuts(op, i) &&
			    axt_step_fns(s)->may_slab(s, d, o->ordered) && s->sp.len[d] > 1 &&
			    slab_cost(s, d, 1, facts) <= (double)slab)
				return d;
		}
	}
	return -1;
}

/* ---- the memory of decoders ---- */

static void
chunk_decoder(const struct axt_operand *op, const struct axt_storage_facts *f, struct asked *a)
{
	if (!op->product)
		a->most = MAX(a->most, a->pieces && f->flow ? f->flow : f->decode);
}

/*
 * The bytes that a thread needs to decode a chunk of any operand: as a whole, or with `pieces`
 * piece by piece where the filters can do that.
 */
static int64_t
decoder_bytes(const struct axt_step *s, bool pieces, axt_facts_fn *facts)
{
	struct asked a = { .pieces = pieces };

	ask_slabbed(s, facts, chunk_decoder, &a);
	return a.most;
}

static void
slab_chunks(const struct axt_operand *op, const struct axt_storage_facts *f, struct asked *a)
{
	double n = !op->product;

	for (int i = 0; i < f->rank; i++)
		n *= (double)((op->window->region[i] + f->chunk[i] - 1) / f->chunk[i]);
	a->sum += n;
}

/* The number of chunks in a slab, since no more threads can decode it. */
static int64_t
chunks_at_once(const struct axt_step *s, axt_facts_fn *facts)
{
	struct asked a = { 0 };

	ask_slabbed(s, facts, slab_chunks, &a);
	return (int64_t)MIN(a.sum, 1e9);
}

static void
set_pieces(struct axt_step *s)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		if (op->window)
			op->window->pieces = true;
		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			set_pieces(op->joined->part[i]);
	}
}

/*
 * Chooses how many threads decode: as many as the memory beside *scratch allows. Chunks are decoded
 * as a whole, which is faster, unless the memory is then enough for less than half of the threads.
 */
static void
choose_decoders(const struct axt_graph *g, struct axt_step *s, int64_t *scratch, int threads,
    axt_facts_fn *facts)
{
	int64_t whole = decoder_bytes(s, false, facts), least = decoder_bytes(s, true, facts),
		left = MAX(0, g->memory / 4 * 3 - *scratch),
		most = MAX(1, chunks_at_once(s, facts)), n = MIN(threads, most);

	s->decoders = (int)(whole > 0 ? MIN(n, left / whole) : n);
	if (least < whole && 2 * s->decoders < n) {
		set_pieces(s);
		s->decoders = (int)(least > 0 ? MIN(n, left / least) : n);
		whole = least;
	}
	s->decoders = MAX(1, s->decoders);
	*scratch += s->decoders * whole;
}

/* ---- how slabs are cut ---- */

/*
 * The dimension along which a slab of one row needs the least memory, or -1 if no slab needs less
 * than the whole.
 */
static int
best_cut(const struct axt_step *s, bool ordered, axt_facts_fn *facts)
{
	double best = slab_cost(s, -1, 0, facts);
	int cut = -1;

	for (int d = 0; d < s->sp.nd; d++)
		if (axt_step_fns(s)->may_slab(s, d, ordered) && slab_cost(s, d, 1, facts) < best) {
			best = slab_cost(s, d, 1, facts);
			cut = d;
		}
	return cut;
}

/*
 * If a slab of whole chunks does not fit in memory, gives slabs fewer rows. Each chunk is then
 * decoded for several slabs. Arguments of products, planned with a slab of INT64_MAX, stay whole,
 * so that their chunks are decoded once.
 */
static void
limit_slab(const struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	double most = (double)(g->memory / axt_step_fns(s)->slab_part), row;

	if (o->slab == INT64_MAX || slab_cost(s, s->slab_dim, s->slab_rows, facts) <= most)
		return;
	if (s->slab_dim < 0) {
		s->slab_dim = best_cut(s, o->ordered, facts);
		s->slab_rows = s->slab_dim < 0 ? 0 : s->sp.len[s->slab_dim];
	}
	if (s->slab_dim < 0)
		return;
	row = slab_cost(s, s->slab_dim, 1, facts);
	s->slab_rows = MAX(1, MIN(s->slab_rows, (int64_t)(most / MAX(row, 1))));
}

int
axt_choose_slabs(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	int64_t slab = o->slab > 0 ? o->slab : MIN(SLAB_BYTES, MAX(g->memory / 4, SLAB_MIN));
	double best = 0, whole;
	int64_t c, keep = 0, inner = 1;
	int batch;
	bool any = false;

	s->slab_dim = -1;
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_product *p = s->prog.operand[k].product;

		any = any || axt_is_slabbed(&s->prog.operand[k]);
		if (p && o->slab == 0)
			slab = MAX(slab, axt_product_slab(p, g->memory));
		for (int i = 0; p && i < 2; i++)
			s->scratch += p->arg[i].s->scratch;
		s->scratch += p ? axt_product_scratch(p, o->threads) : 0;
	}
	if (!any)
		return 0;
	whole = slab_cost(s, -1, 0, facts);
	if (whole > (double)slab) {
		best = whole;
		batch = batch_dim(s, o, slab, facts);
		for (int d = 0; d < s->sp.nd && batch < 0; d++)
			if (axt_step_fns(s)->may_slab(s, d, o->ordered) &&
			    slab_cost(s, d, 0, facts) < best) {
				best = slab_cost(s, d, 0, facts);
				s->slab_dim = d;
			}
		s->slab_dim = batch >= 0 ? batch : s->slab_dim;
	}
	if (s->slab_dim >= 0) {
		double row = slab_cost(s, s->slab_dim, 1, facts);

		c = largest_chunk(s, s->slab_dim, facts);
		s->slab_rows = row > 0 ? (int64_t)((double)slab / row) / c * c : c;
		s->slab_rows = MIN(MAX(s->slab_rows, c), s->sp.len[s->slab_dim]);
	}
	limit_slab(g, s, o, facts);
	if (s->slab_dim >= 0)
		s->again = (largest_chunk(s, s->slab_dim, facts) + s->slab_rows - 1) / s->slab_rows;
	s->scratch += (int64_t)MIN(slab_cost(s, s->slab_dim, s->slab_rows, facts), 9e18);
	if (axt_slab_in_run(s)) { /* the rest of a block waits for the next slab */
		for (int d = s->slab_dim + 1; d < s->sp.nd; d++)
			inner *= s->sp.len[d];
		keep = AXT_BLOCK / inner + 2;
	}
	if (set_regions(g, s, s->slab_dim, s->slab_rows + keep, facts))
		return g->err.code;
	for (int k = 0; k < s->prog.noperands; k++)
		for (int i = 0; s->prog.operand[k].product && i < 2; i++)
			choose_decoders(g, axt_product_arg(s->prog.operand[k].product, i)->s,
			    &s->scratch, o->threads, facts);
	if (o->slab != INT64_MAX)
		choose_decoders(g, s, &s->scratch, o->threads, facts);
	return 0;
}
