/* begin.c - prepares a step before it runs: opens its operands, allocates states and workers. */
#include <stdlib.h>

#include "eval/shared.h"

const struct axt_source_kind *const axt_sources[AXT_NSOURCES] = {
#define SOURCE(ID, name, reach, words) [AXT_SOURCE_##ID] = &axt_source_##name,
#include "sources.def"
#undef SOURCE
};

static const struct axt_storage *
made_storage(const struct axt_plan *p, const struct axt_expr *e)
{
	for (const struct axt_step *s = p->steps; s; s = s->next)
		for (int k = 0; k < s->nouts; k++)
			if (s->out[k].node == e && s->out[k].held)
				return s->out[k].held;
	return NULL;
}

/* Finds a source that an earlier step of the pass has opened, and whose storage is in memory. */
static const struct axt_source *
mapped_before(const struct axt_step_run *r, int n, const struct axt_storage *st)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < r[i].s->prog.noperands; k++)
			if (r[i].src[k].kind == &axt_source_stored && r[i].src[k].st == st &&
			    r[i].src[k].mem)
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

		r->src[k] = (struct axt_source){ .kind = axt_sources[op->source],
			.op = op,
			.st = st,
			.mem = twin ? twin->mem : NULL };
		if (r->src[k].kind->open && r->src[k].kind->open(&r->src[k], r, &r->g->err))
			return -1;
	}
	return 0;
}

/* Sets the dimensions of the result, as they are written. */
static void
out_space(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	r->out.len[0] = 1;
	r->out.nd = 0;
	for (int d = a; d < b; d++) {
		if (d - a == s->red.group_at)
			r->out.len[r->out.nd++] = s->red.groups;
		r->out.len[r->out.nd++] = s->sp.len[d];
	}
	if (b - a == s->red.group_at)
		r->out.len[r->out.nd++] = s->red.groups;
	r->out.nd = MAX(1, r->out.nd);
	r->out.lin = r->out.nd - 1;
	r->out.lin_len = r->out.len[r->out.lin];
}

int
axt_step_worker(struct axt_worker *w, struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	int64_t tile = axt_product(axt_is_side(s) ? s->columns.part : s->ext, 0, s->sp.lin + 1);

	if (axt_worker_init(w, r, tile, r->acc_tile))
		return -1;
	return axt_unit_fns(s)->worker ? axt_unit_fns(s)->worker(w) : 0;
}

int
axt_step_begin(struct axt_step_run *r, const struct axt_step_run *before, int nbefore,
    const struct axt_plan *p)
{
	const struct axt_step *s = r->s;
	int n = s->prog.noperands;

	r->plan = p;
	r->engine = s->device ? &axt_engine_device : &axt_engine_cpu;
	out_space(r);
	axt_slab_init(r);
	r->src = calloc((size_t)n + 1, sizeof(*r->src));
	if (!r->src)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	return open_sources(r, before, nbefore, p) || axt_groups_begin(r) ||
		(axt_unit_fns(s)->begin && axt_unit_fns(s)->begin(r)) || r->engine->begin(r)
	    ? -1
	    : 0;
}

void
axt_step_end(struct axt_step_run *r)
{
	if (r->engine)
		r->engine->end(r);
	axt_sort_end(r);
	for (int k = 0; r->src && k < r->s->prog.noperands; k++)
		axt_source_close(&r->src[k]);
	free(r->src);
	free(r->filled);
	free(r->slot_group);
	free(r->carry);
	free(r->outs);
	for (int k = 0; k < AXT_MAX_OUTS; k++) {
		axt_acc_release(&r->acc[k]);
		axt_acc_release(&r->partial[k]);
	}
}
