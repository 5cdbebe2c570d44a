/*
 * unit_gufunc.c - tiles of gufuncs with any signature: operands are whole along core axes, and the
 * function is called for each index of the loop axes.
 */
#include <stdlib.h>

#include "eval/shared.h"

/* The number of operands of a step's function. */
static int
operands(const struct axt_step *s)
{
	return s->out[0].node->nargs;
}

/* The index of output k among operands and results. */
static int
tensor(const struct axt_step *s, int k)
{
	return operands(s) + s->out[k].node->u.gufunc.result;
}

static struct axt_signature
signature(const struct axt_step *s)
{
	return axt_gufunc_signature(s->out[0].node->u.gufunc.op);
}

static int
begin(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;

	r->outs = calloc((size_t)s->nouts, sizeof(*r->outs));
	if (!r->outs)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < s->nouts; k++) {
		const struct axt_axes *x = &s->out[k].node->axes;
		struct axt_space *sp = &r->outs[k];

		sp->len[0] = 1;
		for (int i = 0; i < x->n; i++)
			sp->len[i] = x->a[i].len;
		sp->nd = MAX(1, x->n);
		sp->lin = sp->nd - 1;
		sp->lin_len = sp->len[sp->lin];
	}
	return 0;
}

static struct axt_tile
gufunc_tile(const struct axt_step *s, int k, const struct axt_tile *t, int64_t ld[AXT_MAX_DIMS])
{
	const struct axt_expr *e = s->out[k].node;
	const int *dim = s->gufunc->dim[k];
	struct axt_tile out = { .n = { 1 }, .count = 1 };

	memset(ld, 0, AXT_MAX_DIMS * sizeof(*ld));
	for (int i = e->axes.n - 1; i >= 0; i--) {
		out.lo[i] = axt_is_slot(s, dim[i]) ? 0 : t->lo[dim[i]];
		out.n[i] = axt_is_slot(s, dim[i]) ? e->axes.a[i].len : t->n[dim[i]];
		ld[dim[i]] = out.count;
		out.count *= out.n[i];
	}
	return out;
}

static int
worker(struct axt_worker *w)
{
	const struct axt_step *s = w->r->s;
	struct axt_tile t = { .count = 1 };
	int64_t ld[AXT_MAX_DIMS], bytes = 0;

	memcpy(t.n, s->ext, sizeof(t.n));
	for (int k = 0; k < s->nouts; k++)
		bytes += (gufunc_tile(s, k, &t, ld).count * axt_size(s->out[k].dtype) + 63) / 64 *
		    64;
	w->work = axt_scratch_new(s->gufunc->work);
	w->made = axt_scratch_new(bytes);
	return w->work && w->made ? 0 : axt_fail(&w->err, AXT_E_MEM, "out of memory");
}

/* The calls of a tile: where tensors begin, and the distance of neighbours along dimensions. */
struct calls {
	struct axt_gufunc_calls x;
	int64_t ld[AXT_GUFUNC_TENSORS][AXT_MAX_DIMS];
};

static int
load(struct axt_worker *w, const struct axt_tile *t, struct calls *c)
{
	const struct axt_step *s = w->r->s;

	for (int k = 0; k < operands(s); k++) {
		struct axt_gufunc_tensor *x = &c->x.t[k];

		x->dtype = s->out[0].node->arg[k]->dtype;
		x->p = (void *)axt_parts_whole_load(w, s->gufunc->operand[k], t, c->ld[k]);
		if (!x->p)
			return -1;
	}
	return 0;
}

/* Fails with a message such as "solve of a.nc:t at time=3, lat=2: the matrix is singular". */
static int
refused(struct axt_worker *w, const struct calls *c, int64_t *at, int along)
{
	const struct axt_step *s = w->r->s;
	const struct axt_expr *e = s->out[0].node;
	char where[600];

	at[along] += c->x.failed;
	for (int d = 0; d < s->sp.nd; d++)
		at[d] = axt_is_slot(s, d) ? -1 : at[d];
	axt_place_text(s, at, where, sizeof(where));
	return axt_fail(&w->err, AXT_E_ARG, "%s of %s%s: %s", axt_gufunc_name[e->u.gufunc.op],
	    e->from, where, c->x.why);
}

/* Does all calls of a tile: those along one dimension together, for each index of the others. */
static int
run_calls(struct axt_worker *w, const struct axt_tile *t, struct calls *c)
{
	const struct axt_step *s = w->r->s;
	const struct axt_gufunc *f = axt_gufuncs[s->out[0].node->u.gufunc.op];
	struct axt_signature sig = signature(s);
	struct axt_gufunc_calls x;
	int64_t i[AXT_MAX_DIMS] = { 0 };
	int along = s->sp.nd - 1, n = sig.nin + sig.nout, d;

	/* the innermost dimension that has more than one index */
	for (d = s->sp.nd - 1; d >= 0; d--)
		if (t->n[d] > 1) {
			along = d;
			break;
		}
	c->x.sig = &sig;
	c->x.calls = t->n[along];
	for (int k = 0; k < n; k++) {
		c->x.t[k].step = c->ld[k][along];
		for (int j = 0; j < sig.core[k].n; j++)
			c->x.t[k].stride[j] = c->ld[k][s->gufunc->slot[j]];
	}
	for (;;) {
		x = c->x;
		for (int k = 0; k < n; k++) {
			int64_t at = 0;

			for (int e = 0; e < s->sp.nd; e++)
				at += i[e] * c->ld[k][e];
			if (x.t[k].p)
				x.t[k].p = (uint8_t *)x.t[k].p + at * axt_size(x.t[k].dtype);
		}
		if (!f->calls(&x)) {
			for (d = 0; d < s->sp.nd; d++)
				i[d] += t->lo[d];
			c->x = x;
			return refused(w, c, i, along);
		}
		__atomic_fetch_add(&s->gufunc->done, x.calls, __ATOMIC_RELAXED);
		__atomic_fetch_add(&s->gufunc->spoiled, x.spoiled, __ATOMIC_RELAXED);
		if (x.wrapped)
			__atomic_store_n(&s->gufunc->wrapped, true, __ATOMIC_RELAXED);
		for (d = s->sp.nd - 1; d >= 0 && (d == along || ++i[d] == t->n[d]); d--)
			i[d] = 0;
		if (d < 0)
			return 0;
	}
}

static int
gufunc_unit(struct axt_worker *w, int64_t unit)
{
	const struct axt_step *s = w->r->s;
	struct axt_tile t = { .count = 1 }, out;
	struct calls c = { .x = { .args = &s->out[0].node->u.gufunc.args,
			       .len = s->gufunc->len,
			       .work = w->work } };
	uint8_t *p = w->made, *from[AXT_MAX_OUTS];

	axt_grid_tile(&w->r->kept, unit, &t);
	for (int d = 0; d < s->sp.nd; d++)
		t.count *= t.n[d];
	w->now = t;
	if (load(w, &t, &c))
		return -1;
	for (int k = 0; k < s->nouts; k++) {
		int at = tensor(s, k);

		out = gufunc_tile(s, k, &t, c.ld[at]);
		from[k] = p;
		c.x.t[at].dtype = s->out[k].dtype;
		c.x.t[at].p = p;
		p += (out.count * axt_size(s->out[k].dtype) + 63) / 64 * 64;
	}
	if (run_calls(w, &t, &c))
		return -1;
	for (int k = 0; k < s->nouts; k++) {
		out = gufunc_tile(s, k, &t, c.ld[tensor(s, k)]);
		if (out.count > 0 && axt_emit(w, k, &out, from[k], w->r->at.seq + unit))
			return -1;
	}
	return 0;
}

static void
grids(struct axt_step_run *r)
{
	axt_grid_init(&r->kept, r, 0, r->s->sp.lin + 1);
}

const struct axt_unit_fns axt_unit_gufunc = {
	.begin = begin,
	.worker = worker,
	.grids = grids,
	.unit = gufunc_unit,
	.run = axt_step_once,
};
