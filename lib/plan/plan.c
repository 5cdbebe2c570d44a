/* plan.c - from an expression to steps: what is fused, what is made first, how reductions run. */
#include "plan.h"

struct planner {
	struct axt_graph *g;
	const struct axt_plan_opts *o;
	axt_facts_fn *facts;
	struct axt_plan *p;
};

static struct axt_step *
new_step(struct planner *pl, enum axt_step_kind kind, const struct axt_expr *e)
{
	struct axt_step *s = axt_alloc(pl->g->m, sizeof *s);

	if (!s) {
		axt_fail(&pl->g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	s->kind = kind;
	s->node = e;
	s->dtype = e->dtype;
	s->parts = 1;
	s->slab_dim = -1;
	s->red_count = 1;
	return s;
}

static void
append(struct planner *pl, struct axt_step *s)
{
	if (pl->p->last)
		pl->p->last->next = s;
	else
		pl->p->steps = s;
	pl->p->last = s;
}

static int
map_step(struct planner *pl, const struct axt_expr *e)
{
	struct axt_step *s = new_step(pl, AXT_STEP_MAP, e);
	int dim[AXT_MAX_RANK];

	if (!s)
		return pl->g->err.code;
	s->sp.nd = MAX(1, e->axes.n);
	s->sp.len[0] = 1;
	for (int i = 0; i < e->axes.n; i++) {
		s->sp.len[i] = e->axes.a[i].len;
		dim[i] = i;
	}
	s->laid = e->axes;
	s->kept_count = axt_count(e);
	if (axt_compile(pl->g, s, e, dim, &s->prog.root, pl->facts) ||
	    axt_shape(pl->g, s, pl->o, pl->facts))
		return pl->g->err.code;
	append(pl, s);
	return 0;
}

/*
 * Lays the argument's axes along dimensions. kept[i]: the argument's axis that is
 * axis i of the result. The trailing reduced axes (axes of length 1 aside) form the
 * run; with none, elements merge into columns.
 */
static void
lay_reduce(struct axt_step *s, const struct axt_expr *a, int nkept, const int *kept, int dim[])
{
	bool is_kept[AXT_MAX_RANK] = { false }, in_run[AXT_MAX_RANK] = { false };
	bool runs = false;
	int n = 0;

	for (int i = 0; i < nkept; i++)
		is_kept[kept[i]] = true;
	for (int i = a->axes.n - 1; i >= 0; i--) {
		if (a->axes.a[i].len == 1)
			continue;
		if (is_kept[i])
			break;
		in_run[i] = runs = true;
	}
	runs = runs || nkept == 0;
	s->kind = runs ? AXT_STEP_RUNS : AXT_STEP_COLUMNS;
	for (int i = 0; i < a->axes.n && !runs; i++)
		if (!is_kept[i])
			dim[i] = n++;
	s->nred = n;
	for (int i = 0; i < nkept; i++)
		dim[kept[i]] = n++;
	s->nkept = nkept;
	for (int pass = 0; pass < 2 && runs; pass++) {
		for (int i = 0; i < a->axes.n; i++)
			if (!is_kept[i] && in_run[i] == pass)
				dim[i] = n++;
		if (pass == 0)
			s->sp.lin = n;
	}
	s->kept_count = s->red_count = 1;
	for (int i = 0; i < a->axes.n; i++) {
		s->sp.len[dim[i]] = a->axes.a[i].len;
		s->laid.a[dim[i]] = a->axes.a[i];
		*(is_kept[i] ? &s->kept_count : &s->red_count) *= a->axes.a[i].len;
	}
	s->sp.nd = s->laid.n = n;
	if (n == s->sp.lin && runs) {	/* the run has no axis: one element */
		s->sp.len[n] = 1;
		s->sp.nd++;
	}
	if (s->sp.nd == 0) {
		s->sp.len[0] = 1;
		s->sp.nd = 1;
	}
}

/* The kernel for a program that only unpacks, where there is one. */
static axt_unpack_rows_fn *
unpack_rows(const struct axt_step *s, const struct axt_expr *red)
{
	const struct axt_prog *p = &s->prog;
	const struct axt_instr *i = p->instr;

	if (s->kind != AXT_STEP_COLUMNS || p->weight >= 0 || p->ninstrs != 1 ||
	    i->kind != AXT_INSTR_UNPACK || p->reg[i->in[0]].operand < 0 || p->reg[i->out].scalar)
		return NULL;
	return axt_kern_unpack_rows(red->u.red.op, p->reg[i->out].dtype, p->reg[i->in[0]].dtype,
	    red->u.red.skip, i->packing, s->red_count);
}

static int
reduce_program(struct planner *pl, struct axt_step *s, const struct axt_expr *red, const int *dim)
{
	const struct axt_expr *a = red->arg[0], *w = red->nargs > 1 ? red->arg[1] : NULL;
	bool cplx = axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX;
	enum axt_dtype part = a->dtype == AXT_C64 ? AXT_F32 : cplx ? AXT_F64 : a->dtype, res;
	int sub[AXT_MAX_RANK];

	s->fns = axt_kern_red(red->u.red.op, part, red->u.red.skip, w != NULL, &res);
	if (!s->fns)
		return axt_fail(&pl->g->err, AXT_E_DTYPE, "%s is not defined for %s",
		    axt_reds[red->u.red.op].name, axt_dtypes[a->dtype].name);
	s->parts = cplx ? 2 : 1;
	if (axt_compile(pl->g, s, a, dim, &s->prog.root, pl->facts))
		return pl->g->err.code;
	if (cplx ? s->fns->in != part && axt_compile_conv(pl->g, s, &s->prog.root, AXT_C128)
	    : axt_compile_conv(pl->g, s, &s->prog.root, s->fns->in))
		return pl->g->err.code;
	if (w) {
		for (int j = 0; j < w->axes.n; j++)
			sub[j] = dim[axt_axes_find(&a->axes, &w->axes.a[j])];
		if (axt_compile(pl->g, s, w, sub, &s->prog.weight, pl->facts))
			return pl->g->err.code;
	}
	s->unpack_rows = unpack_rows(s, red);
	res = cplx ? (red->dtype == AXT_C64 ? AXT_F32 : AXT_F64) : red->dtype;
	s->finish = s->fns->out == res ? NULL : axt_kern_conv(res, s->fns->out, AXT_OVERFLOW_ERROR);
	return 0;
}

/* The step of reduce node red whose result has the axes of e, which relabels red (or is it). */
static int
reduce_step(struct planner *pl, const struct axt_expr *e, const struct axt_expr *red,
    const int *axis_of)
{
	struct axt_step *s = new_step(pl, AXT_STEP_RUNS, red);
	int dim[AXT_MAX_RANK], kept[AXT_MAX_RANK];

	if (!s)
		return pl->g->err.code;
	for (int i = 0; i < e->axes.n; i++)
		kept[i] = red->u.red.kept[axis_of[i]];
	lay_reduce(s, red->arg[0], red->u.red.nkept, kept, dim);
	if (reduce_program(pl, s, red, dim) || axt_shape(pl->g, s, pl->o, pl->facts))
		return pl->g->err.code;
	append(pl, s);
	return 0;
}

static int
dot_step(struct planner *pl, const struct axt_expr *e)
{
	struct axt_step *s = new_step(pl, AXT_STEP_DOT, e);
	int64_t acc;

	if (!s)
		return pl->g->err.code;
	acc = axt_size(e->arg[0]->dtype);
	s->kept_count = axt_count(e);
	s->scratch = acc * (axt_count(e->arg[0]) + axt_count(e->arg[1]) + s->kept_count);
	for (int k = 0; k < 2; k++)
		s->bytes_read += axt_count(e->arg[k]) * acc;
	s->bytes_written = s->kept_count * axt_size(e->dtype);
	append(pl, s);
	return 0;
}

/*
 * Steps for the reductions and products inside e (e itself only when `self`),
 * arguments before users.
 */
static int
make_inner(struct planner *pl, const struct axt_expr *e, bool self)
{
	if (self && e->seen == pl->g->visit)
		return 0;
	((struct axt_expr *)e)->seen = pl->g->visit;
	/* a dot plans its own operands */
	for (int k = 0; k < e->nargs && e->kind != AXT_NODE_DOT; k++)
		if (make_inner(pl, e->arg[k], true))
			return pl->g->err.code;
	if (self && e->kind == AXT_NODE_REDUCE)
		return reduce_step(pl, e, e, axt_identity);
	return self && e->kind == AXT_NODE_DOT ? dot_step(pl, e) : 0;
}

/*
 * The reduction e relabels without adding axes, with the axis of it behind each
 * axis of e; NULL when it is none.
 */
static const struct axt_expr *
root_reduction(const struct axt_expr *e, int axis_of[])
{
	for (int i = 0; i < e->axes.n; i++)
		axis_of[i] = i;
	while (e->kind == AXT_NODE_RELABEL) {
		if (e->axes.n != e->arg[0]->axes.n)
			return NULL;
		for (int i = 0; i < e->axes.n; i++)
			axis_of[i] = e->u.src[axis_of[i]];
		e = e->arg[0];
	}
	return e->kind == AXT_NODE_REDUCE ? e : NULL;
}

static int
check_outer(struct axt_graph *g, const struct axt_expr *e, bool asked)
{
	char list[3][400];

	asked = asked || e->asked;
	if (e->seen == g->visit)
		return 0;
	((struct axt_expr *)e)->seen = g->visit;
	if (e->outer && !asked && e->nargs >= 2) {
		for (int k = 0; k < 2; k++)
			snprintf(list[k], sizeof list[k], "%s",
			    axt_axes_text(g->m, &e->arg[k]->axes));
		axt_fail(&g->err, AXT_E_LIMIT,
		    "the operands share too few axes: %s and %s give %s, %.3g GiB", list[0],
		    list[1], axt_axes_text(g->m, &e->axes),
		    (double)axt_count(e) * axt_size(e->dtype) / (1 << 30));
		axt_hint(&g->err, "name all its axes with --axes if that is meant");
		return g->err.code;
	}
	for (int k = 0; k < e->nargs; k++)
		if (check_outer(g, e->arg[k], asked && e->kind != AXT_NODE_REDUCE))
			return g->err.code;
	return 0;
}

/*
 * Scratch of all steps: results of inner steps live to the end, the rest of a
 * step only while it runs.
 */
static int
check_memory(struct planner *pl)
{
	int64_t held = 0;

	for (const struct axt_step *s = pl->p->steps; s; s = s->next) {
		pl->p->scratch = MAX(pl->p->scratch, held + s->scratch);
		if (s->next)
			held += s->bytes_written;
	}
	pl->p->scratch = MAX(pl->p->scratch, held);
	if (pl->p->scratch <= pl->g->memory)
		return 0;
	axt_fail(&pl->g->err, AXT_E_LIMIT,
	    "the plan needs %.4g MiB of scratch memory, the bound is %.4g MiB",
	    (double)pl->p->scratch / (1 << 20), (double)pl->g->memory / (1 << 20));
	axt_hint(&pl->g->err, "raise it with --memory");
	return pl->g->err.code;
}

int
axt_plan_make(struct axt_graph *g, struct axt_expr *e, const struct axt_plan_opts *o,
    axt_facts_fn *facts, struct axt_plan **out)
{
	/* goes to memory, in any order */
	struct axt_plan_opts inner = { .threads = o->threads, .tile = o->tile, .slab = o->slab };
	struct planner pl = { .g = g, .facts = facts };
	const struct axt_expr *red;
	int axis_of[AXT_MAX_RANK];

	if (axt_bad(e))
		return g->err.code;
	pl.p = axt_alloc(g->m, sizeof *pl.p);
	if (!pl.p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	g->visit++;
	if (check_outer(g, e, false))
		return g->err.code;
	red = root_reduction(e, axis_of);
	g->visit++;
	pl.o = &inner;
	if (make_inner(&pl, red ? red : e, !red))
		return g->err.code;
	pl.o = o;
	if (red ? reduce_step(&pl, e, red, axis_of) : map_step(&pl, e))
		return g->err.code;
	*out = pl.p;
	return check_memory(&pl);
}

static const char *const kind_name[] = { "map", "reduce", "reduce", "dot" };

void
axt_plan_explain(struct axt_graph *g, const struct axt_plan *p, FILE *out)
{
	int passes = 0, n = 0;

	for (const struct axt_step *s = p->steps; s; s = s->next)
		passes++;
	for (const struct axt_step *s = p->steps; s; s = s->next) {
		const struct axt_prog *pr = &s->prog;

		fprintf(out, "pass %d of %d: %s -> %s %s\n", ++n, passes, kind_name[s->kind],
		    axt_dtypes[s->dtype].name, axt_axes_text(g->m, &s->node->axes));
		for (int k = 0; k < pr->noperands; k++)
			fprintf(out, "  reads %s: %s %s%s\n", pr->operand[k].node->from,
			    axt_dtypes[pr->operand[k].node->dtype].name,
			    axt_axes_text(g->m, &pr->operand[k].node->axes),
			    pr->operand[k].stream ? ", stream, in order"
			    : pr->operand[k].pipe ? ", stream, spooled"
			    : pr->operand[k].slabbed ? ", decoded by chunk"
			    : pr->operand[k].mapped ? ", gathered" : "");
		if (pr->ninstrs) {
			fprintf(out, "  fused:");
			for (int k = 0; k < pr->ninstrs; k++)
				fprintf(out, " %s", pr->instr[k].name);
			fprintf(out, "\n");
		}
		if (s->fns)
			fprintf(out, "  reduces: %s of %lld elements each%s\n",
			    axt_reds[s->node->u.red.op].name, (long long)s->red_count,
			    s->partials ? ", blocks in parallel" : "");
		if (s->slab_dim >= 0)
			fprintf(out, "  slabs: %lld rows at a time\n", (long long)s->slab_rows);
		fprintf(out, "  bytes: %lld read, %lld %s\n", (long long)s->bytes_read,
		    (long long)s->bytes_written, s->next ? "kept in memory" : "written");
	}
	fprintf(out, "memory: %lld bytes of scratch, bound %lld\n", (long long)p->scratch,
	    (long long)g->memory);
}
