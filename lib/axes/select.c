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

int
axt_pick_marked(struct axt_picking *p, const bool *in)
{
	for (int64_t i = 0; i < p->a->len; i++)
		if (in[i] && axt_pick(p, i))
			return p->e->code;
	return AXT_OK;
}

/* Marks the positions that were picked. */
static void
mark(const struct axt_picking *p, bool *in)
{
	for (int64_t i = 0; p->run && i < p->run->len; i++)
		in[p->run->start + i * p->run->step] = true;
	for (int64_t i = 0; !p->run && i < p->n; i++)
		in[p->pos[i]] = true;
}

int
axt_pick_union(struct axt_picking *p, const char *spec, axt_pick_fn *one)
{
	bool *in = axt_alloc(p->m, (size_t)p->a->len + 1);

	if (!in)
		return axt_axes_nomem(p->e);
	memset(in, 0, (size_t)p->a->len + 1);
	for (;; spec++) {
		const char *word = axt_strndup(p->m, spec, strcspn(spec, ","));
		struct axt_picking part = *p;

		if (!word)
			return axt_axes_nomem(p->e);
		if (one(&part, word))
			return p->e->code;
		mark(&part, in);
		spec += strlen(word);
		if (!*spec)
			break;
	}
	return axt_pick_marked(p, in);
}

static int
finish(struct axt_picking *p, struct axt_selection *out)
{
	struct axt_selection r = { .drop = p->drop,
		.turns = p->turns,
		.len = p->n,
		.beyond = p->beyond };

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

/* Begins picking on axis a; errors go to p->e until the end. Returns AXT_OK or AXT_E_MEM. */
static int
begin(struct axt_picking *p, const char *from)
{
	from = from ? from : p->a->from;
	p->from = from;
	p->name = axt_axis_show(p->m, p->a);
	p->in = from ? axt_sprintf(p->m, " in %s", axt_show(p->m, from)) : "";
	return p->in ? (int)AXT_OK : axt_axes_nomem(p->e);
}

int
axt_select(struct axt_arena *m, const struct axt_axis *a, const char *spec, bool by_value,
    bool nearest, const char *from, struct axt_selection *out, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct axt_picking p = { .m = m, .a = a, .nearest = nearest, .e = &own };

	if (!begin(&p, from) &&
	    !(by_value ? axt_pick_values(&p, spec) : axt_pick_positions(&p, spec)))
		finish(&p, out);
	return axt_err_copy(e, &own);
}

int
axt_select_field(struct axt_arena *m, const struct axt_axis *a, int k, const char *spec,
    const char *from, struct axt_selection *out, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct axt_picking p = { .m = m, .a = a, .e = &own };

	if (!begin(&p, from) && !axt_pick_field(&p, k, from ? from : a->from, spec))
		finish(&p, out);
	return axt_err_copy(e, &own);
}

int
axt_select_cells(struct axt_arena *m, const struct axt_axis *a, const char *spec, const char *from,
    bool *in, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct axt_picking p = { .m = m, .a = a, .e = &own };

	if (!begin(&p, from))
		axt_pick_cells(&p, spec, in);
	return axt_err_copy(e, &own);
}
