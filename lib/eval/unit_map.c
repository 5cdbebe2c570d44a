/* unit_map.c - tiles of maps: computed by the program or, without instructions, loaded. */
#include "eval/step.h"

/* The loaded operand that is the result of a map without instructions; NULL: there is none. */
static const void *
loaded(const struct axt_worker *w, int reg)
{
	const struct axt_prog *p = &w->r->s->prog;

	return p->ninstrs == 0 && p->reg[reg].operand >= 0 && !p->reg[reg].scalar
	    ? w->data[p->reg[reg].operand]
	    : NULL;
}

int
axt_map_tile(struct axt_worker *w, struct axt_tile *t, int64_t seq)
{
	const struct axt_step *s = w->r->s;

	if (axt_worker_load(w, t, 0))
		return -1;
	/* the step copies its operand, perhaps in another order */
	if (s->nouts == 1 && loaded(w, s->out[0].root))
		return axt_emit(w, 0, t, loaded(w, s->out[0].root), seq);
	if (axt_worker_fill(w, t->count))
		return -1;
	for (int k = 0; k < s->nouts; k++)
		if (axt_emit(w, k, t, w->root_val[s->out[k].root], seq))
			return -1;
	return 0;
}

static int
map_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	struct axt_tile t = { .count = 1 };

	axt_grid_tile(&r->kept, unit, &t);
	for (int d = 0; d <= r->s->sp.lin; d++)
		t.count *= t.n[d];
	return r->engine->map(w, &t, r->at.seq + unit);
}

static void
grids(struct axt_step_run *r)
{
	axt_grid_init(&r->kept, r, 0, r->s->sp.lin + 1);
}

const struct axt_unit_fns axt_unit_map = { .grids = grids, .unit = map_unit, .run = axt_step_once };
