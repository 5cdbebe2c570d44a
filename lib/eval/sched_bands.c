/*
 * sched_bands.c - runs the steps of a pass together. A thread takes one band, a part of the axes
 * that all steps keep, through one step after another, so that what the steps share is in its
 * cache.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "eval/step.h"

struct bands {
	int n;
	struct axt_step_run *r; /* [n]: a run of each step */
	struct axt_grid grid;   /* the bands, as tiles of the dimensions that are cut */
	bool ordered;           /* results are written band after band */
	atomic_llong next;
	struct axt_shared *sh;
};

/* A thread that runs bands, with its own copy of the run of each step, and its own buffers. */
struct band_worker {
	struct bands *b;
	struct axt_step_run *r; /* [n]: its copies */
	struct axt_worker *w;   /* [n]: its buffers */
};

static int
one_step(struct axt_worker *w, const struct axt_tile *t, int64_t band)
{
	struct axt_step_run *r = w->r;

	for (int i = 0; i < r->s->nband; i++) {
		r->at.box_lo[r->s->band_dim[i]] = t->lo[i];
		r->at.box_n[r->s->band_dim[i]] = t->n[i];
	}
	r->at.seq = band;
	axt_unit_fns(r->s)->grids(r);
	for (int64_t u = 0; u < r->kept.count; u++)
		if (axt_unit_fns(w->r->s)->unit(w, u))
			return -1;
	return 0;
}

static void
one_band(struct band_worker *l, int64_t band)
{
	struct bands *b = l->b;
	struct axt_tile t;

	axt_grid_tile(&b->grid, band, &t);
	for (int k = 0; k < b->n; k++)
		if (one_step(&l->w[k], &t, band)) {
			axt_fail_unit(&l->w[k], band);
			return;
		}
	if (b->ordered && axt_turn_wait(b->sh, band))
		axt_turn_end(b->sh, band);
}

static void
work(void *ctx, int id, struct axt_team *team)
{
	struct band_worker *l = (struct band_worker *)ctx + id;
	struct bands *b = l->b;
	const struct axt_step_run *r = b->r;

	(void)team;
	for (;;) {
		int64_t band = atomic_fetch_add(&b->next, 1);

		if (band >= b->grid.count || axt_shared_stopped(b->sh))
			return;
		if (id == 0)
			axt_progress(r->g,
			    r->from + r->share * (double)band / (double)b->grid.count);
		one_band(l, band);
	}
}

static void
band_worker_end(struct band_worker *l)
{
	for (int k = 0; l->w && k < l->b->n; k++)
		if (l->w[k].r)
			axt_worker_release(&l->w[k]);
	free(l->w);
	free(l->r);
}

static int
band_worker_begin(struct band_worker *l, struct bands *b, struct axt_err *e)
{
	l->b = b;
	l->r = calloc((size_t)b->n, sizeof(*l->r));
	l->w = calloc((size_t)b->n, sizeof(*l->w));
	if (!l->r || !l->w)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int k = 0; k < b->n; k++) {
		l->r[k] = b->r[k];
		if (axt_step_worker(&l->w[k], &l->r[k])) {
			*e = l->w[k].err;
			return -1;
		}
	}
	return 0;
}

static int
run_workers(struct bands *b, int threads)
{
	struct axt_err *e = &b->r->g->err;
	struct band_worker *l = calloc((size_t)threads, sizeof(*l));
	int rc = 0;

	if (!l)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < threads && rc == 0; i++)
		rc = band_worker_begin(&l[i], b, e);
	if (rc == 0) {
		axt_team_run(threads, work, l);
		rc = axt_shared_end(b->sh, e);
	}
	for (int i = 0; i < threads && l[i].b; i++)
		band_worker_end(&l[i]);
	free(l);
	return rc;
}

static void
cut(struct axt_grid *g, const struct axt_step *s)
{
	*g = (struct axt_grid){ .b = s->nband, .count = 1 };
	for (int i = 0; i < s->nband; i++) {
		g->len[i] = s->sp.len[s->band_dim[i]];
		g->ext[i] = s->band[i];
		g->n[i] = (g->len[i] + g->ext[i] - 1) / g->ext[i];
		g->count *= g->n[i];
	}
}

int
axt_bands_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *(*sink)[AXT_MAX_OUTS],
    int threads, const struct axt_plan *p, double from, double share)
{
	struct bands b = { .n = s->npass };
	int rc = 0, begun = 0;

	b.sh = axt_shared_new(&g->err);
	b.r = calloc((size_t)b.n, sizeof(*b.r));
	if (!b.r || !b.sh)
		rc = axt_fail(&g->err, AXT_E_MEM, "out of memory");
	cut(&b.grid, s);
	for (; begun < b.n && rc == 0; begun++, s = s->next) {
		b.r[begun] = (struct axt_step_run){ .g = g,
			.s = s,
			.sink = sink[begun],
			.sh = b.sh,
			.banded = true,
			.from = from,
			.share = share };
		for (int k = 0; k < s->nouts; k++)
			b.ordered = b.ordered || sink[begun][k]->ordered;
		rc = axt_step_begin(&b.r[begun], b.r, begun, p);
	}
	if (rc == 0)
		rc = run_workers(&b, axt_step_threads(b.r->s, threads));
	for (int k = begun - 1; k >= 0; k--)
		axt_step_end(&b.r[k]);
	free(b.r);
	axt_shared_free(b.sh);
	return rc;
}
