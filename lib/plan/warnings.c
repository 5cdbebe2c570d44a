/* warnings.c - what is said after a run of what its steps found in the values. */
#include "plan/plan.h"

/*
 * A node of a step whose integer results did not fit their dtype and wrapped around, or whose
 * integers were rounded to floats. NULL: there is none.
 */
static const struct axt_expr *
step_wrapped(const struct axt_step *s)
{
	const struct axt_expr *e = NULL;

	for (int k = 0; k < s->prog.ninstrs; k++)
		if (s->prog.instr[k].wrapped && *s->prog.instr[k].wrapped)
			return s->prog.instr[k].node;
	if (s->kind == AXT_STEP_GUFUNC && s->gufunc->wrapped)
		return s->out[0].node;
	for (int k = 0; k < s->prog.noperands && !e; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (op->joined && op->joined->fold && *op->joined->wrapped)
			return op->node;
		for (int i = 0; op->joined && i < op->joined->nparts && !e; i++)
			e = step_wrapped(op->joined->part[i]);
		for (int i = 0; op->product && i < 2 && !e; i++)
			e = step_wrapped(op->product->arg[i].s);
	}
	return e;
}

/* An operand as messages call it. */
static const char *
called(struct axt_graph *g, const struct axt_expr *a)
{
	return a->kind == AXT_NODE_CONST ? axt_sprintf(g->m, "%.15g", a->u.val.num.f) : a->from;
}

/* Says that integers wrapped around, with a dtype that holds what was computed. */
static void
warn_wrapped(struct axt_graph *g, const struct axt_expr *e)
{
	const char *name, *sign, *x, *y;
	enum axt_dtype wide;
	bool map, below;

	map = e->kind == AXT_NODE_MAP;
	name = map ? axt_ops[e->u.op].name : axt_gufunc_name[e->u.gufunc.op];
	sign = !map || e->nargs > 2 ? NULL
	    : e->u.op == AXT_OP_ADD ? "+"
	    : e->u.op == AXT_OP_SUB ? "-"
	    : e->u.op == AXT_OP_MUL ? "*"
				    : NULL;
	below = axt_dtypes[e->dtype].cls == AXT_CLASS_UINT &&
	    (!map || e->u.op == AXT_OP_SUB || e->u.op == AXT_OP_NEGATIVE);
	wide = below ? axt_promote(e->dtype, AXT_I8)
	    : e->dtype == AXT_I64 || e->dtype == AXT_U64 || (map && e->u.op == AXT_OP_POW)
	    ? AXT_F64
	    : e->dtype + 1;
	x = called(g, e->arg[0]);
	y = e->nargs > 1 ? called(g, e->arg[1]) : "";
	axt_warn(g,
	    "%s is %s in places, where %s wraps around: cast an operand first (axt-cast --dtype %s, "
	    "in axt-calc cast(a, %s))",
	    sign ? axt_sprintf(g->m, "%s %s %s", x, sign, y)
		 : axt_sprintf(g->m, "%s(%s%s%s%s)", name, x, *y ? ", " : "", y,
		       e->nargs > 2 ? ", ..." : ""),
	    below ? "below 0" : "out of range", axt_dtypes[e->dtype].name, axt_dtypes[wide].name,
	    axt_dtypes[wide].name);
}

/* Says that all matrices had numbers which are not finite. */
static void
warn_spoiled(struct axt_graph *g, const struct axt_plan *p)
{
	for (const struct axt_step *s = p->steps; s; s = s->next) {
		const struct axt_expr *e = s->nouts > 0 ? s->out[0].node : NULL;

		if (s->kind != AXT_STEP_GUFUNC || !s->gufunc->done ||
		    s->gufunc->done != s->gufunc->spoiled)
			continue;
		axt_warn(g,
		    "%s of %s is NaN, as %s values that are nan or inf: axt-fillnan replaces nan",
		    axt_gufunc_name[e->u.gufunc.op], e->from,
		    s->gufunc->done > 1 ? "all matrices have" : "the matrix has");
		return;
	}
}

void
axt_plan_warn(struct axt_graph *g, const struct axt_plan *p)
{
	const struct axt_expr *e = NULL;

	for (const struct axt_step *s = p->steps; s && !e; s = s->next)
		e = step_wrapped(s);
	if (e && e->kind == AXT_NODE_CONV)
		axt_warn(g,
		    "%s has integers beyond 2^53, which are rounded, as missing values make them f64: "
		    "--raw computes with the %s that are stored",
		    e->from, axt_dtypes[e->arg[0]->dtype].name);
	else if (e)
		warn_wrapped(g, e);
	warn_spoiled(g, p);
}
