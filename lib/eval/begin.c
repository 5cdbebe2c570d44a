/* begin.c - what a step needs before it runs: its operands opened, room for states, workers. */
#include <stdlib.h>

#include "eval/device.h"
#include "eval/shared.h"

#define WAVE_SLOTS (256 << 10) /* partial states held at once */

static const struct axt_storage *
made_storage(const struct axt_plan *p, const struct axt_expr *e)
{
	for (const struct axt_step *s = p->steps; s; s = s->next)
		for (int k = 0; k < s->nouts; k++)
			if (s->out[k].node == e && s->out[k].held)
				return s->out[k].held;
	return NULL;
}

/* A source of steps before that has the storage in memory. */
static const struct axt_source *
mapped_before(const struct axt_step_run *r, int n, const struct axt_storage *st)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < r[i].s->prog.noperands; k++)
			if (r[i].src[k].st == st && r[i].src[k].mem)
				return &r[i].src[k];
	return NULL;
}

static int
open_sources(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p)
{
	const struct axt_prog *pr = &r->s->prog;

	for (int k = 0; k < pr->noperands; k++) {
		const struct axt_operand *op = &pr->operand[k];
		const struct axt_storage *st = op->st ? op->st : made_storage(p, op->node);
		const struct axt_source *twin = st ? mapped_before(before, nbefore, st) : NULL;

		if (op->joined) {
			r->src[k] = (struct axt_source){ .op = op };
			if (axt_parts_begin(r, k))
				return -1;
			continue;
		}
		if (op->product && !(st = axt_product_storage(r->g, op->product)))
			return -1;
		if (twin)
			r->src[k] = (struct axt_source){ .op = op, .st = st, .mem = twin->mem };
		else if (axt_source_open(&r->src[k], op, st, &r->g->err))
			return -1;
	}
	return 0;
}

/* Dimensions of the result, for writing. */
static void
out_space(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int a = s->kind == AXT_STEP_COLUMNS ? s->nred : 0,
	    b = s->kind == AXT_STEP_RUNS ? s->nkept : s->sp.nd;

	if (s->kind == AXT_STEP_LINES && !axt_lines_keep(s)) { /* kept dims on one side */
		a = s->line.b < s->sp.nd ? s->line.b : 0;
		b = s->line.b < s->sp.nd ? b : s->line.a;
	}
	r->out.len[0] = 1;
	r->out.nd = 0;
	for (int d = a; d < b; d++) {
		if (d - a == s->group_at)
			r->out.len[r->out.nd++] = s->groups;
		r->out.len[r->out.nd++] = s->sp.len[d];
	}
	if (b - a == s->group_at)
		r->out.len[r->out.nd++] = s->groups;
	r->out.nd = MAX(1, r->out.nd);
	r->out.lin = r->out.nd - 1;
	r->out.lin_len = r->out.len[r->out.lin];
}

int
axt_partial_init(struct axt_step_run *r, int64_t slots)
{
	const struct axt_step *s = r->s;
	int64_t blocks = (s->ext[s->sp.lin] + AXT_BLOCK - 1) / AXT_BLOCK;

	r->unit_slots = axt_product(s->ext, s->nkept, s->sp.lin) * blocks *
	    MIN(s->groups, AXT_BLOCK);
	r->wave = MAX(1, slots / r->unit_slots);
	r->filled = calloc((size_t)r->wave, sizeof(*r->filled));
	if (s->group_at >= 0)
		r->slot_group = calloc((size_t)(r->wave * r->unit_slots), sizeof(*r->slot_group));
	if (!r->filled || (s->group_at >= 0 && !r->slot_group))
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->nouts; k++)
		if (axt_acc_init(&r->partial[k], s->out[k].fns, r->wave * r->unit_slots,
			&r->g->err))
			return -1;
	return 0;
}

static int
states_init(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int a, b;

	if (s->kind == AXT_STEP_LINES)
		return axt_lines_begin(r);
	if (s->kind == AXT_STEP_MAP)
		return 0;
	axt_kept_dims(s, &a, &b);
	r->acc_tile = axt_product(s->ext, a, b) * s->parts * s->groups;
	if (!s->global_acc)
		return 0;
	axt_grid_init(&r->kept, r, a, b);
	for (int k = 0; k < s->nouts; k++)
		if (axt_acc_init(&r->acc[k], s->out[k].fns, r->kept.count * r->acc_tile,
			&r->g->err))
			return -1;
	return s->partials ? axt_partial_init(r, WAVE_SLOTS) : 0;
}

int
axt_step_worker(struct axt_worker *w, struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int64_t tile = axt_product(axt_is_side(s) ? s->part : s->ext, 0, s->sp.lin + 1);

	if (axt_worker_init(w, r, tile, r->acc_tile))
		return -1;
	if (s->kind == AXT_STEP_LINES)
		return axt_lines_worker(w);
	for (int k = 0; k < s->nouts && s->kind != AXT_STEP_MAP && !s->global_acc; k++)
		if (axt_acc_init(&w->acc[k], s->out[k].fns, r->acc_tile, &w->err))
			return -1;
	return 0;
}

int
axt_step_begin(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p)
{
	const struct axt_step *s = r->s;
	int n = s->prog.noperands;

	r->plan = p;
	out_space(r);
	axt_slab_init(r);
	r->src = calloc((size_t)n + 1, sizeof(*r->src));
	r->jobs = calloc((size_t)n + 1, sizeof(*r->jobs));
	if (!r->src || !r->jobs)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	return open_sources(r, before, nbefore, p) || axt_groups_begin(r) || states_init(r) ||
		axt_device_begin(r)
	    ? -1
	    : 0;
}

void
axt_step_end(struct axt_step_run *r)
{
	axt_device_end(r);
	axt_sort_end(r);
	for (int k = 0; r->src && k < r->s->prog.noperands; k++) {
		axt_product_end(r->src[k].product);
		axt_parts_end(r->src[k].joined);
		axt_source_close(&r->src[k]);
	}
	free(r->src);
	free(r->jobs);
	free(r->filled);
	free(r->slot_group);
	free(r->carry);
	for (int k = 0; k < AXT_MAX_OUTS; k++) {
		axt_acc_release(&r->acc[k]);
		axt_acc_release(&r->partial[k]);
	}
}
