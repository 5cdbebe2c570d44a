/* step.c - runs one step slab by slab: threads share its tiles, results are in order if needed. */
#include <stdlib.h>

#include "eval/shared.h"

const struct axt_unit_fns *const axt_units[AXT_NSTEPS] = {
#define STEP(ID, name) [AXT_STEP_##ID] = &axt_unit_##name,
#include "steps.def"
#undef STEP
};

/* ---- grids ---- */

void
axt_grid_init(struct axt_grid *g, const struct axt_step_run *r, int a, int b)
{
	g->a = a;
	g->b = b;
	g->count = 1;
	for (int d = a; d < b; d++) {
		g->lo[d] = r->at.box_lo[d];
		g->len[d] = r->at.box_n[d];
		g->ext[d] = r->s->ext[d];
		g->n[d] = (g->len[d] + g->ext[d] - 1) / g->ext[d];
		g->count *= g->n[d];
	}
}

void
axt_grid_tile(const struct axt_grid *g, int64_t i, struct axt_tile *t)
{
	for (int d = g->b - 1; d >= g->a; d--) {
		int64_t k = i % g->n[d];

		i /= g->n[d];
		t->lo[d] = g->lo[d] + k * g->ext[d];
		t->n[d] = MIN(g->ext[d], g->len[d] - k * g->ext[d]);
	}
}

/* ---- threads ---- */

void
axt_tell(const struct axt_step_run *r, int64_t done, int64_t all)
{
	if (r->share > 0) /* an argument of a product is not a step with progress of its own */
		axt_progress(r->g,
		    r->from +
			r->share *
			    (r->at.done_lo +
				(r->at.done_hi - r->at.done_lo) * (double)done / (double)all));
}

/* Tells the progress within a slab. Decoding a slab first counts as half of the work. */
static void
tell_unit(const struct axt_step_run *r, int64_t i, int64_t end, bool decoding)
{
	if (r->sh->chunks == 0)
		axt_tell(r, i, end);
	else
		axt_tell(r, decoding ? i : end + i, 2 * end);
}

int
axt_step_decode(const struct axt_step_run *r, struct axt_decoder *z, int64_t k, struct axt_err *e)
{
	for (int j = 0; j < r->s->prog.noperands; j++) {
		const struct axt_source *src = &r->src[j];

		if (k < src->units)
			return src->kind->decode(src, z, k, e);
		k -= src->units;
	}
	return 0;
}

static int
decode_one(struct axt_worker *w, int64_t k)
{
	w->decoder = w->decoder ? w->decoder : axt_decoder_new();
	if (!w->decoder)
		return axt_fail(&w->err, AXT_E_MEM, "out of memory");
	return axt_step_decode(w->r, w->decoder, k, &w->err);
}

/* Does units until there are no more. Thread 0 tells the progress. */
static void
step_work(struct axt_worker *w, int id, atomic_llong *next, int64_t end,
    int (*fn)(struct axt_worker *w, int64_t i))
{
	bool decoding = fn == decode_one;

	for (;;) {
		int64_t i = atomic_fetch_add(next, 1);

		if (i >= end || atomic_load(&w->r->sh->stop) || axt_is_full(w->r))
			return;
		if (id == 0 && !w->r->products)
			tell_unit(w->r, i, end, decoding);
		if (axt_cancelled(w->r->g, &w->err) || fn(w, i)) {
			axt_fail_unit(w, i);
			return;
		}
	}
}

void
axt_step_decode_all(struct axt_worker *w, int id)
{
	struct axt_shared *sh = w->r->sh;

	if (id < w->r->s->decoders)
		step_work(w, id, &sh->chunk, sh->chunks, decode_one);
}

/*
 * The end of the elements of its storage that an operand needs for a tile, as far as
 * strides can tell.
 */
static int64_t
operand_end(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
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

void
axt_step_early(struct axt_worker *w, const struct axt_source *src, int64_t end)
{
	struct axt_step_run *r = w->r;
	struct axt_tile t = { 0 };
	int64_t u = r->sh->early;

	for (; u < r->kept.count && !atomic_load(&r->sh->stop); u++) {
		axt_grid_tile(&r->kept, u, &t);
		if (operand_end(src->op, &r->s->sp, &t) > end)
			break;
		if (axt_unit_fns(r->s)->unit(w, u))
			axt_fail_unit(w, u);
	}
	r->sh->early = u;
}

int64_t
axt_step_windows(struct axt_step_run *r, int64_t lo, int64_t hi)
{
	r->chunks = 0;
	for (int j = 0; j < r->s->prog.noperands; j++) {
		struct axt_source *src = &r->src[j];

		src->units = 0;
		if (!axt_is_slabbed(src->op))
			continue;
		src->units = src->kind->window(src, lo, hi, &r->sh->err);
		if (src->units < 0)
			return -1;
		r->chunks += src->units;
	}
	return r->chunks;
}

/* Finds the chunks that the slab needs, so that threads can decode them. */
int
axt_step_next_chunks(struct axt_step_run *r)
{
	r->sh->chunks = axt_step_windows(r, r->at.win_lo, r->at.win_hi);
	atomic_store(&r->sh->chunk, 0);
	return r->sh->chunks < 0 ? -1 : 0;
}

static int
prepare_slab(struct axt_step_run *r)
{
	if (axt_step_next_chunks(r))
		return -1;
	axt_unit_fns(r->s)->grids(r);
	return axt_slab_take(r, r->src, &r->sh->err);
}

/* Sets the units of the next phase: the whole slab, or a wave of partial states. */
static bool
next_phase(struct axt_step_run *r)
{
	struct axt_shared *sh = r->sh;
	bool blocks = r->s->red.partials || r->s->red.own;
	int64_t all = r->kept.count * (blocks ? r->inner.count : r->s->red.group_parts);

	sh->first += sh->units;
	if (sh->first >= all)
		return false;
	sh->units = all - sh->first;
	if (r->s->red.partials)
		sh->units = MIN(sh->units, r->wave);
	atomic_store(&sh->next, sh->first);
	return true;
}

/* Makes results of the states that were kept for all slabs, tile by tile, and begins new states. */
void
axt_finish_all(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;

	if (r->s->red.states) {
		if (axt_states_end(w))
			axt_fail_unit(w, r->at.seq);
		return;
	}
	for (int64_t u = 0; u < r->kept.count; u++)
		if (axt_finish_unit(w, r->acc, u * r->acc_tile, u, r->at.seq + u)) {
			axt_fail_unit(w, u);
			return;
		}
	r->at.seq += r->kept.count;
	for (int k = 0; k < r->s->nouts; k++)
		r->s->out[k].fns->init(&r->acc[k], 0, r->kept.count * r->acc_tile);
}

/* What each thread does. Thread 0 also sets up slabs and phases, with barriers between. */
static void
team_work(void *ctx, int id, struct axt_team *team)
{
	struct axt_step_run *r = ((struct axt_worker *)ctx)->r;
	struct axt_worker *w = (struct axt_worker *)ctx + id;
	struct axt_shared *sh = r->sh;

	for (;;) {
		if (id == 0) {
			sh->done = atomic_load(&sh->stop) || axt_is_full(r) || !axt_slab_next(r);
			if (!sh->done && prepare_slab(r)) {
				sh->done = true;
				atomic_store(&sh->stop, true);
			}
			sh->first = sh->units = 0;
		}
		axt_team_barrier(team);
		if (sh->done)
			break;
		axt_step_decode_all(w, id);
		if (r->products) {
			/* the products use these counters for their arguments */
			axt_team_barrier(team);
			axt_products_run(w, id, team);
		}
		for (;;) {
			axt_team_barrier(team);
			if (id == 0) {
				sh->first += sh->early;
				sh->early = 0;
				sh->done = atomic_load(&sh->stop) || !next_phase(r);
			}
			axt_team_barrier(team);
			if (sh->done)
				break;
			if (r->sort)
				axt_sort_together(w, id, team);
			else
				step_work(w, id, &sh->next, sh->first + sh->units,
				    axt_unit_fns(r->s)->unit);
			axt_team_barrier(team);
			if (id == 0 && r->s->red.partials && !atomic_load(&sh->stop) &&
			    axt_partial_merge(w, sh->first, sh->units))
				axt_fail_unit(w, sh->first);
		}
		if (id == 0 && !r->s->red.global_acc)
			r->at.seq += r->kept.count;
		else if (id == 0 && !atomic_load(&sh->stop) && axt_slab_last(r)) {
			for (int i = 0; r->s->red.own && i < axt_team_size(team); i++)
				axt_own_merge((struct axt_worker *)ctx + i);
			axt_finish_all(w);
		}
		axt_team_barrier(team);
	}
	for (int k = 0; k < r->s->prog.noperands; k++) {
		const struct axt_source *src = &r->src[k];

		if (src->kind->forget)
			src->kind->forget(src, id, axt_team_size(team));
	}
}

/* ---- a whole step ---- */

static int
run_team(struct axt_step_run *r, int threads)
{
	const struct axt_step *s = r->s;
	int n = axt_step_threads(s, threads), rc = 0;
	struct axt_worker *w = calloc((size_t)n, sizeof(*w));

	if (!w)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		w[i].r = r;
		if (rc == 0 && (rc = axt_step_worker(&w[i], r)))
			r->g->err = w[i].err;
	}
	if (rc == 0)
		rc = axt_products_begin(r, n);
	if (rc == 0) {
		if (axt_is_slab_per_thread(s))
			axt_slab_per_thread_run(w, n);
		else
			axt_team_run(n, team_work, w);
		rc = axt_shared_end(r->sh, &r->g->err);
	}
	for (int i = 0; i < n; i++)
		axt_worker_release(&w[i]);
	free(w);
	return rc;
}

int
axt_misfit(const struct axt_output *o, struct axt_err *e)
{
	enum axt_dtype wide = axt_size(o->dtype) < 8 ? o->dtype + 1 : AXT_F64;
	bool reduces = o->node->kind == AXT_NODE_REDUCE;

	axt_fail(e, AXT_E_RANGE, "a %s does not fit %s in %s",
	    reduces ? axt_reds[o->node->u.red.op].name : axt_gufunc_name[o->node->u.gufunc.op],
	    axt_dtypes[o->dtype].name, o->node->from);
	if (o->dtype >= AXT_I8 && axt_dtypes[o->dtype].cls <= AXT_CLASS_UINT)
		axt_hint(e, "--dtype %s is wider, in axt-calc cast(a, %s)", axt_dtypes[wide].name,
		    axt_dtypes[wide].name);
	return e->code;
}

/* There are no elements to reduce: sets every result of output j to the reduction of nothing. */
static int
run_empty(struct axt_step_run *r, int j)
{
	const struct axt_step *s = r->s;
	const struct axt_output *o = &s->out[j];
	struct axt_acc acc = { { 0 } };
	_Alignas(16) uint8_t v[16];
	int size = axt_size(o->dtype), part = size / s->red.parts;
	int rc = axt_acc_init(&acc, o->fns, s->red.parts, &r->g->err);
	int64_t bad = -1;

	if (rc == 0) {
		bad = axt_states_finish(o->fns, o->finish, &acc, 0, s->red.parts, 0,
		    o->node->u.red.ddof, part, v);
		if (bad >= 0)
			rc = axt_fail(&r->g->err, AXT_E_RANGE, "%s of nothing does not fit %s",
			    axt_reds[o->node->u.red.op].name, axt_dtypes[o->dtype].name);
	}
	for (int64_t k = 0; rc == 0 && k < s->kept_count * s->red.groups; k++)
		rc = r->sink[j]->write(r->sink[j], k * size, v, size, &r->g->err);
	axt_acc_release(&acc);
	return rc;
}

int
axt_step_once(struct axt_step_run *r, int threads)
{
	int rc;

	r->sh = axt_shared_new(&r->g->err);
	rc = !r->sh || axt_step_begin(r, NULL, 0, r->plan) ? -1 : run_team(r, threads);
	axt_step_end(r);
	axt_shared_free(r->sh);
	return rc;
}

int
axt_step_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *const *sink,
    int threads, const struct axt_plan *p, double from, double share)
{
	struct axt_step_run r = { .g = g,
		.s = s,
		.sink = sink,
		.plan = p,
		.from = from,
		.share = share };
	int rc = 0;

	if (s->kept_count == 0)
		return 0;
	for (int k = 0; k < s->nouts && s->red_count == 0 && rc == 0; k++)
		rc = run_empty(&r, k);
	if (s->red_count == 0)
		return rc;
	return axt_unit_fns(s)->run(&r, threads);
}
