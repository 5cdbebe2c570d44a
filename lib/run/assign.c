/* assign.c - an expression into a slice of a tensor that is there. */
#include "../plan/text.h"
#include "target.h"

/* -1: plain assignment; -2: no such operation. */
static int
op_of(const char *op)
{
	static const struct {
		const char *word, *sign;
		int op;
	} rows[] = {
		{ "set", "=", -1 }, { "add", "+=", AXT_OP_ADD }, { "sub", "-=", AXT_OP_SUB },
		{ "mul", "*=", AXT_OP_MUL }, { "div", "/=", AXT_OP_DIV },
	};

	for (int i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(op, rows[i].word) == 0 || strcmp(op, rows[i].sign) == 0)
			return rows[i].op;
	return -2;
}

/* Where an integer must not be the one that means missing. */
static struct axt_expr *
avoid(struct axt_graph *g, struct axt_expr *q, const struct axt_packing *p)
{
	for (int i = 0; i < p->nmiss; i++)
		q = axt_where(g, axt_map2(g, AXT_OP_EQ, q, axt_const(g, AXT_F64, p->miss[i])),
		    axt_const(g, AXT_F64, 1e300), q);
	return q;
}

/* Values as the target stores them: the way back from axt_unpack. */
static struct axt_expr *
packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d, const struct axt_packing *p)
{
	bool integer = axt_dtypes[d].cls < AXT_CLASS_FLOAT;

	if (!p->scaled && (!p->missing || axt_dtypes[e->dtype].cls < AXT_CLASS_FLOAT))
		return axt_cast_dtype(g, e, d, AXT_OVERFLOW_ERROR);
	e = axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_ERROR);
	if (p->scaled)
		e = axt_map2(g, AXT_OP_DIV, axt_map2(g, AXT_OP_SUB, e,
		    axt_const(g, AXT_F64, p->offset)), axt_const(g, AXT_F64, p->scale));
	if (integer && p->scaled)
		e = axt_map1(g, AXT_OP_ROUND, e);
	if (integer)
		e = avoid(g, e, p);
	if (p->nmiss > 0)
		e = axt_fillnan(g, e, axt_const(g, AXT_F64, p->miss[0]));
	return axt_cast_dtype(g, e, d, AXT_OVERFLOW_ERROR);
}

/* What the slice holds, as a tensor over its axes. */
static struct axt_expr *
old_values(struct axt_graph *g, const struct axt_target *t, enum axt_dtype d,
    const struct axt_axes *x, struct axt_assign *a)
{
	struct axt_storage *st;
	struct axt_expr *e;

	if (t->whole)
		return axt_dataset_leaf(g, t->f, t->d, d, x);
	st = axt_alloc(g->m, sizeof *st);
	if (!st || axt_assign_old(a, st, &g->err))
		return axt_node_failed(g);
	e = axt_memory_leaf(g, d, x, st->mem);
	if (!axt_bad(e))
		e->from = t->from;
	return e;
}

struct assignment {
	struct axt_target t;
	struct axt_axes axes;		/* of the slice, those it drops left out */
	struct axt_packing packing;
	enum axt_dtype d;
	int op;
};

/* The values to store. */
static struct axt_expr *
values(struct axt_graph *g, const struct assignment *s, struct axt_expr *e, struct axt_assign *a)
{
	struct axt_expr *old;

	if (s->op >= 0) {
		old = old_values(g, &s->t, s->d, &s->axes, a);
		if (!old || axt_bad(old))
			return axt_node_failed(g);
		if (s->packing.scaled || s->packing.missing)
			old = axt_unpack(g, old, &s->packing);
		e = axt_map2(g, (enum axt_op)s->op, old, e);
	}
	e = packed(g, e, s->d, &s->packing);
	return axt_bad(e) ? e : axt_conform(g, e, &s->axes, s->t.from);
}

static int
run(struct axt_graph *g, const struct assignment *s, struct axt_expr *e, bool in_place)
{
	struct axt_sink *sink;
	struct axt_assign *a;
	bool ok;

	if (axt_assign_open(s->t.f, s->t.d, s->t.dim, in_place, g->memory, &a, &g->err))
		return g->err.code;
	sink = axt_assign_sink(a);
	e = values(g, s, e, a);
	ok = !axt_bad(e) && axt_run(g, &e, 1, &sink) == 0 && axt_files_check(g) == 0;
	return axt_assign_close(a, ok, &g->err);
}

static int
open_slice(struct axt_graph *g, const char *target, const struct axt_assign_opts *o,
    struct assignment *s)
{
	const struct axt_attr *attrs;

	if (axt_target_open(g, target, o->dataset, &s->t))
		return g->err.code;
	for (int i = 0; i < s->t.axes.n; i++)
		if (!s->t.drop[i])
			s->axes.a[s->axes.n++] = s->t.axes.a[i];
	attrs = s->t.d->attrs;
	s->d = o->raw ? s->t.d->dtype : axt_with_sign(attrs, s->t.d->dtype);
	if (!o->raw && s->d != AXT_BOOL && axt_dtypes[s->d].cls != AXT_CLASS_COMPLEX)
		axt_packing_read(attrs, s->d, &s->packing);
	return 0;
}

enum axt_code
axt_assign(struct axt_graph *g, const char *target, const char *op, struct axt_expr *e,
    const struct axt_assign_opts *o)
{
	static const struct axt_assign_opts plain;
	struct assignment s = { .op = op_of(op) };
	struct axt_expr *y;
	struct axt_plan *p;
	int64_t n;

	o = o ? o : &plain;
	if (axt_bad(e))
		return g->err.code;
	if (s.op == -2)
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "no such operation \"%s\": set add sub mul div, or = += -= *= /=",
		    axt_escape(g->m, op));
	if (open_slice(g, target, o, &s))
		return g->err.code;
	/* what can be refused is refused before there is a copy */
	y = axt_conform(g, e, &s.axes, s.t.from);
	if (axt_bad(y) || axt_make_plan(g, &y, 1, false, &p))
		return g->err.code;
	if (!axt_axes_count(&s.axes, &n))
		return axt_fail(&g->err, AXT_E_LIMIT, "the slice is too large");
	if (n > 0)
		return run(g, &s, e, o->in_place);
	axt_taken_commit(g);	/* nothing is written, but what is piped in may still be wrong */
	return g->err.code ? g->err.code : (enum axt_code)axt_files_check(g);
}
