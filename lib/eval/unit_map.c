/* unit_map.c - tiles of maps: values as the program computes them, or as they are loaded. */
#include "eval/device.h"

/* What a map without instructions gives: an operand as it is loaded, or NULL. */
static const void *
loaded(const struct axt_worker *w, int reg)
{
	const struct axt_prog *p = &w->r->s->prog;

	return p->ninstrs == 0 && p->reg[reg].operand >= 0 && !p->reg[reg].scalar
	    ? w->data[p->reg[reg].operand]
	    : NULL;
}

static int
map_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_step_run *r = w->r;
	const struct axt_step *s = r->s;
	struct axt_tile t = { .count = 1 };
	int rc;

	axt_grid_tile(&r->kept, unit, &t);
	for (int d = 0; d <= r->s->sp.lin; d++)
		t.count *= t.n[d];
	if (w->dev && (rc = axt_device_map(w, &t)) <= 0) {
		for (int k = 0; k < s->nouts && rc == 0; k++)
			rc = axt_emit(w, k, &t, axt_device_got(w, k), r->at.seq + unit);
		return rc;
	}
	if (axt_worker_load(w, &t, 0))
		return -1;
	/* a copy or a new order */
	if (s->nouts == 1 && loaded(w, s->out[0].root))
		return axt_emit(w, 0, &t, loaded(w, s->out[0].root), r->at.seq + unit);
	if (axt_worker_fill(w, t.count))
		return -1;
	for (int k = 0; k < s->nouts; k++)
		if (axt_emit(w, k, &t, w->root_val[s->out[k].root], r->at.seq + unit))
			return -1;
	return 0;
}

static void
grids(struct axt_step_run *r)
{
	axt_grid_init(&r->kept, r, 0, r->s->sp.lin + 1);
}

const struct axt_unit_fns axt_unit_map = { .grids = grids, .unit = map_unit, .run = axt_step_once };
