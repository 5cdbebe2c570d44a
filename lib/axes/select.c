/* select.c - finds what a spec of axt-slice selects along an axis. */
#include <stdlib.h>

#include "axes/pick.h"

int
axt_pick(struct axt_picking *p, int64_t i)
{
	if (p->n == p->cap) {
		int64_t cap = p->cap ? 2 * p->cap : 64;
		int64_t *v = axt_alloc(p->m, (size_t)cap * sizeof(*v));

		if (!v)
			return axt_axes_nomem(p->e);
		if (p->n)
			memcpy(v, p->pos, (size_t)p->n * sizeof(*v));
		p->pos = v;
		p->cap = cap;
	}
	p->pos[p->n++] = i;
	return AXT_OK;
}

int
axt_pick_run(struct axt_picking *p, int64_t start, int64_t step, int64_t len)
{
	p->run = axt_alloc(p->m, sizeof(*p->run));
	if (!p->run)
		return axt_axes_nomem(p->e);
	*p->run = (struct axt_span){ start, step, len };
	return AXT_OK;
}

static int
finish(struct axt_picking *p, struct axt_selection *out)
{
	struct axt_selection r = { .drop = p->drop, .turns = p->turns, .len = p->n };

	if (p->run) {
		r.span = p->run;
		r.len = p->run->len;
		r.nspans = r.len > 0;
	} else if (axt_spans_of(p->m, p->pos, p->n, &r.span, &r.nspans)) {
		return axt_axes_nomem(p->e);
	}
	if (!r.drop && axt_coord_take(p->m, p->a->coord, r.span, r.nspans, &r.coord))
		return axt_axes_nomem(p->e);
	if (r.turns && axt_coord_turn(p->m, r.coord, r.turns, 1, &r.coord))
		return axt_axes_nomem(p->e);
	*out = r;
	return AXT_OK;
}

int
axt_select(struct axt_arena *m, const struct axt_axis *a, const char *spec, bool by_value,
    bool nearest, const char *from, struct axt_selection *out, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct axt_picking p = { .m = m, .a = a, .nearest = nearest, .e = &own, .in = "" };

	from = from ? from : a->from;
	p.name = axt_axis_show(m, a);
	if (from && !(p.in = axt_sprintf(m, " in %s", axt_show(m, from))))
		return axt_axes_nomem(e);
	if (!(by_value ? axt_pick_values(&p, spec) : axt_pick_positions(&p, spec)))
		finish(&p, out);
	return axt_axes_tell(e, &own);
}
