/*
 * sched_stream.c - runs steps that read streams. Each thread reads the next slab into memory of its
 * own, works on it alone, and waits only until it is its turn to write or to merge. Thus one thread
 * can read while others compute or wait for a full pipe. Threads synchronise once for each slab and
 * never for a tile.
 */
#include <stdlib.h>

#include "eval/shared.h"

#define MOST_THREADS 8 /* the most threads; with more, a pipe cannot keep them busy */
#define SLOTS 4096     /* partial states that a thread has at a time */

bool
axt_is_slab_per_thread(const struct axt_step *s)
{
	bool stream = false;

	for (int k = 0; k < s->prog.noperands; k++) {
		if (axt_is_slabbed(&s->prog.operand[k]))
			return false;
		stream = stream || axt_is_in_order(&s->prog.operand[k]);
	}
	return stream && s->slab_dim >= 0;
}

static bool
take_slab(struct axt_worker *w)
{
	struct axt_step_run *r = w->r, *main = r->sh->main;
	struct axt_shared *sh = r->sh;
	bool ok;

	pthread_mutex_lock(&sh->in);
	ok = !atomic_load(&sh->stop) && !axt_is_full(r) && axt_slab_next(main);
	if (ok) {
		r->at = main->at;
		axt_unit_fns(r->s)->grids(r);
		r->ticket = sh->ticket++;
		if (!r->s->red.global_acc || axt_slab_last(r))
			main->at.seq += r->kept.count;
		if (axt_slab_take(r, sh->last, &w->err)) {
			axt_fail_unit(w, r->s->red.global_acc ? r->ticket : r->at.seq);
			ok = false;
		}
		sh->last = r->src;
	}
	pthread_mutex_unlock(&sh->in);
	return ok;
}

/* ---- slabs are merged in their order ---- */

static bool
wait_turn(struct axt_step_run *r, int64_t tile)
{
	struct axt_shared *sh = r->sh;
	bool mine;

	pthread_mutex_lock(&sh->lock);
	while (sh->tile_now[tile] != r->ticket && !atomic_load(&sh->stop))
		pthread_cond_wait(&sh->turn, &sh->lock);
	mine = !atomic_load(&sh->stop);
	pthread_mutex_unlock(&sh->lock);
	return mine;
}

static void
pass_turn(struct axt_step_run *r, int64_t first, int64_t n)
{
	struct axt_shared *sh = r->sh;

	pthread_mutex_lock(&sh->lock);
	for (int64_t k = 0; k < n; k++)
		sh->tile_now[first + k] = r->ticket + 1;
	pthread_cond_broadcast(&sh->turn);
	pthread_mutex_unlock(&sh->lock);
}

/* Reduces the blocks of the slab to partial states, and merges these when it is its turn. */
static bool
partial_slab(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;
	int64_t all = r->kept.count * r->inner.count;

	for (int64_t first = 0; first < all; first += r->wave) {
		int64_t n = MIN(r->wave, all - first);

		for (int64_t u = first; u < first + n; u++)
			if (axt_partial_unit(w, u, first)) {
				axt_fail_unit(w, r->ticket);
				return false;
			}
		if (first == 0 && !wait_turn(r, 0))
			return false;
		if (axt_partial_merge(w, first, n)) {
			axt_fail_unit(w, r->ticket);
			return false;
		}
	}
	return all > 0 || wait_turn(r, 0); /* the slabs so far have less than a block */
}

/* Reduces the slab into the states of this thread, and merges these when it is its turn. */
static bool
own_states_slab(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;

	for (int64_t u = 0; u < r->kept.count * r->inner.count; u++)
		if (axt_unit_fns(r->s)->unit(w, u)) {
			axt_fail_unit(w, r->ticket);
			return false;
		}
	if (!wait_turn(r, 0))
		return false;
	axt_own_merge(w);
	return true;
}

/*
 * Merges the slab into states that are kept for all slabs, tile by tile. The thread with the next
 * slab merges a tile as soon as this one has.
 */
static bool
merged_slab(struct axt_worker *w, bool last)
{
	struct axt_step_run *r = w->r;

	for (int64_t u = 0; u < r->kept.count; u++) {
		if (!wait_turn(r, u))
			return false;
		if (axt_unit_fns(w->r->s)->unit(w, u)) {
			axt_fail_unit(w, r->ticket);
			return false;
		}
		if (!last)
			pass_turn(r, u, 1);
	}
	return true;
}

static bool
global_slab(struct axt_worker *w)
{
	struct axt_step_run *r = w->r;
	bool last = axt_slab_last(r);

	if (r->s->red.own            ? !own_states_slab(w)
		: r->s->red.partials ? !partial_slab(w)
				     : !merged_slab(w, last))
		return false;
	if (last)
		axt_finish_all(w);
	if (last || r->s->red.partials || r->s->red.own)
		pass_turn(r, 0, r->kept.count);
	return !atomic_load(&r->sh->stop);
}

static bool
own_slab(struct axt_worker *w, int id)
{
	struct axt_step_run *r = w->r;

	for (int64_t u = 0; u < r->kept.count; u++) {
		if (atomic_load(&r->sh->stop) || axt_is_full(r))
			return false;
		if (id == 0)
			axt_tell(r, u, r->kept.count);
		if (axt_unit_fns(w->r->s)->unit(w, u)) {
			axt_fail_unit(w, r->at.seq + u);
			return false;
		}
	}
	return true;
}

static void
slab_work(void *ctx, int id, struct axt_team *team)
{
	struct axt_worker *w = (struct axt_worker *)ctx + id;

	(void)team;
	while (take_slab(w)) {
		if (w->r->s->red.global_acc && id == 0)
			axt_tell(w->r, 0, 1);
		if (w->r->s->red.global_acc ? !global_slab(w) : !own_slab(w, id))
			return;
	}
}

/* ---- set-up ---- */

static void
run_release(struct axt_step_run *r)
{
	for (int k = 0; r->src && k < r->s->prog.noperands; k++)
		if (r->src[k].kind->take)
			axt_source_close(&r->src[k]);
	free(r->src);
	free(r->filled);
	free(r->slot_group);
	for (int k = 0; k < AXT_MAX_OUTS; k++)
		axt_acc_release(&r->partial[k]);
}

/*
 * Gives a thread a copy of the run, with its own partial states and its own slabs of streams.
 * States that are kept for all slabs, and sources that are no streams, are shared.
 */
static int
run_init(struct axt_step_run *r, const struct axt_step_run *main)
{
	int n = main->s->prog.noperands;

	*r = *main;
	memset(r->partial, 0, sizeof(r->partial));
	r->filled = NULL;
	r->slot_group = NULL;
	r->src = calloc((size_t)n + 1, sizeof(*r->src));
	if (!r->src)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	memcpy(r->src, main->src, (size_t)n * sizeof(*r->src));
	for (int k = 0; k < n; k++)
		if (r->src[k].kind->take)
			r->src[k].own = NULL;
	for (int k = 0; k < n; k++)
		if (r->src[k].kind->take && r->src[k].kind->open(&r->src[k], r, &r->g->err))
			return -1;
	return r->s->red.partials ? axt_partial_init(r, SLOTS) : 0;
}

void
axt_slab_per_thread_run(struct axt_worker *w, int n)
{
	struct axt_step_run *main = w[0].r, *run = calloc(MOST_THREADS, sizeof(*run));
	struct axt_shared *sh = main->sh;
	int made = 0, rc = 0;

	n = MIN(n, MOST_THREADS);
	sh->main = main;
	sh->tile_now = calloc((size_t)main->kept.count + 1, sizeof(*sh->tile_now));
	if (!sh->tile_now || !run)
		rc = axt_fail(&main->g->err, AXT_E_MEM, "out of memory");
	for (; rc == 0 && made < n; made++) {
		rc = run_init(&run[made], main);
		w[made].r = &run[made];
	}
	if (rc == 0) {
		sh->last = run[0].src;
		axt_team_run(n, slab_work, w);
	}
	for (int i = 0; i < made; i++) {
		w[i].r = main;
		run_release(&run[i]);
	}
	free(sh->tile_now);
	free(run);
	if (rc)
		sh->err = main->g->err;
}
