/* reduce.c - plans reductions: the step that a reduction is in, its loop nest, and its program. */
#include "plan/kinds.h"
#include "plan/steps.h"

#define SHORT 64 /* runs up to this length are reduced side by side; measured */
/* longer runs are as well, if so many elements of different runs are adjacent */
#define ACROSS_MIN 16
/* results per thread from which on that pays, if each is merged from many runs */
#define SIDE_MIN 2048
/* the longest windows that lie side by side if each element is merged by itself; measured */
#define SLIDING_ROWS 256
#define LITTLE (64 << 10) /* elements that one thread reduces in any case */

/* Finds the axes of the run: the reduced axes at the end, where axes of length 1 do not count. */
static bool
find_run(const struct axt_expr *a, int nkept, const int *kept, bool is_kept[AXT_MAX_RANK],
    bool in_run[AXT_MAX_RANK])
{
	bool runs = nkept == 0;

	memset(is_kept, 0, AXT_MAX_RANK * sizeof(*is_kept));
	memset(in_run, 0, AXT_MAX_RANK * sizeof(*in_run));
	for (int i = 0; i < nkept; i++)
		is_kept[kept[i]] = true;
	for (int i = a->axes.n - 1; i >= 0; i--) {
		if (a->axes.a[i].len == 1)
			continue;
		if (is_kept[i])
			break;
		in_run[i] = runs = true;
	}
	return runs;
}

/*
 * Whether there are enough results to reduce runs side by side. If each result is one run (outer is
 * 1), any number will do. If a result is merged from several runs, there must be enough results for
 * all threads, or so few elements that one thread reduces all.
 */
static bool
are_many(int64_t kept, int64_t outer, int64_t run, const struct axt_plan_opts *o)
{
	return !o->device && kept > 1 && run > 1 && run <= AXT_BLOCK &&
	    (outer == 1 || kept >= (int64_t)o->threads * SIDE_MIN || kept * outer * run <= LITTLE);
}

/* Whether runs are so short that they had better lie side by side. */
static bool
is_short(const struct axt_expr *a, int nkept, const int *kept, const struct axt_plan_opts *o)
{
	bool is_kept[AXT_MAX_RANK], in_run[AXT_MAX_RANK];
	/* elements that are kept, reduced outside the run, and in the run */
	int64_t n[3] = { 1, 1, 1 };

	if (!find_run(a, nkept, kept, is_kept, in_run))
		return false;
	for (int i = 0; i < a->axes.n; i++)
		n[is_kept[i] ? 0 : in_run[i] ? 2 : 1] *= a->axes.a[i].len;
	return n[2] <= SHORT && are_many(n[0], n[1], n[2], o);
}

/* How many elements of an operand are adjacent along kept dimensions. */
static int64_t
together(const struct axt_step *s, const struct axt_operand *op)
{
	int64_t n = 1;

	for (int d = 0; d < s->runs.nkept; d++)
		if (s->sp.len[d] > 1 && op->v.stride[d] == n && !op->jump[d]) {
			n *= s->sp.len[d];
			d = -1; /* the stride may belong to a dimension before it */
		}
	return n;
}

/* Whether runs are windows that overlap: each element of them is then computed or copied once. */
static bool
overlap(const struct axt_step *s, int64_t outer, int64_t run)
{
	const struct axt_red_fns *f = s->out[0].fns;
	bool rows = !f->blocks && axt_windows_rows(f, run, 1) == 0;
	int d = 0, w = s->sp.lin;

	for (int k = w; k < s->sp.nd; k++)
		w = s->sp.len[k] > 1 ? k : w;
	if (outer > 1 || run != s->sp.len[w] || s->prog.weight >= 0 || (rows && run > SLIDING_ROWS))
		return false;
	while (d < s->runs.nkept && !axt_operands_slide(s, d, w))
		d++;
	return d < s->runs.nkept;
}

/*
 * Whether runs had better lie side by side because they are windows that overlap, or because the
 * operands are contiguous across them. Where operands are contiguous is known only after the
 * program is compiled.
 */
static bool
lies_across(const struct axt_step *s, const struct axt_plan_opts *o)
{
	const struct axt_space *sp = &s->sp;
	int64_t kept = 1, outer = 1, run = 1;
	bool across = false;

	for (int d = 0; d < sp->nd; d++)
		*(d < s->runs.nkept ? &kept : d < sp->lin ? &outer : &run) *= sp->len[d];
	if (s->kind != AXT_STEP_RUNS || s->red.group_at >= 0 || !are_many(kept, outer, run, o))
		return false;
	if (overlap(s, outer, run))
		return true;
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		for (int d = sp->lin; d < sp->nd && !op->scalar; d++)
			if (sp->len[d] > 1 && op->v.stride[d] == 1 && !op->jump[d])
				return false;
		across = across || (!op->scalar && together(s, op) >= ACROSS_MIN);
	}
	return across;
}

/*
 * Makes dimensions of the axes of the argument. kept[i] is the axis of the argument that is axis i
 * of the result. If there is no run, elements are merged into columns.
 */
static void
lay_axes(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *a, int nkept,
    const int *kept, int group_at, bool side)
{
	bool is_kept[AXT_MAX_RANK], in_run[AXT_MAX_RANK];
	struct axt_index_map *p = &s->index_map;
	/* one element is a run, too, where states of runs are asked for */
	bool runs = (find_run(a, nkept, kept, is_kept, in_run) || s->red.states) && !side;
	int run, nred;

	*p = (struct axt_index_map){ 0 };
	s->sp.nd = s->laid.n = 0;
	axt_step_become(s, runs ? AXT_STEP_RUNS : AXT_STEP_COLUMNS);
	for (int i = 0; i < a->axes.n && !runs; i++)
		if (!is_kept[i] && !(side && in_run[i]))
			axt_index_map_axis(pl, s, p, a, i);
	run = s->sp.nd;
	for (int i = 0; i < a->axes.n && side; i++)
		if (!is_kept[i] && in_run[i])
			axt_index_map_axis(pl, s, p, a, i);
	nred = s->sp.nd;
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX) /* each complex element is a block */
		run = nred;
	s->red.group_at = -1;
	for (int i = 0; i <= nkept; i++) {
		if (i == group_at)
			s->red.group_at = s->sp.nd - nred;
		if (i < nkept)
			axt_index_map_axis(pl, s, p, a, kept[i]);
	}
	if (runs) {
		s->runs.nkept = s->sp.nd;
	} else {
		s->columns.side = side;
		s->columns.run = run;
		s->columns.nred = nred;
	}
	for (int pass = 0; pass < 2 && runs; pass++) {
		for (int i = 0; i < a->axes.n; i++)
			if (!is_kept[i] && in_run[i] == pass)
				axt_index_map_axis(pl, s, p, a, i);
		if (pass == 0)
			s->sp.lin = s->sp.nd;
	}
	s->kept_count = s->red_count = 1;
	for (int i = 0; i < a->axes.n; i++)
		*(is_kept[i] ? &s->kept_count : &s->red_count) *= a->axes.a[i].len;
	if (s->sp.nd == s->sp.lin && runs) /* the run has no axis, so it has one element */
		s->sp.len[s->sp.nd++] = 1;
	axt_some_dim(s);
}

/* The functions that run the whole program and its reduction in one loop; NULL: there are none. */
static const struct axt_fused_fns *
fused(const struct axt_step *s, const struct axt_expr *red)
{
	const struct axt_prog *p = &s->prog;
	const struct axt_instr *i = p->instr;
	const struct axt_fused_fns *f = NULL;
	bool two = p->ninstrs == 2;

	if (p->group >= 0 && !s->red.group_rows)
		return NULL;
	if (p->weight >= 0 || p->ninstrs < 1 || p->ninstrs > 2 || s->red.parts != 1 || i->nin > 2)
		return NULL;
	for (int k = 0; k < i->nin; k++)
		if (p->reg[i->in[k]].operand < 0 || p->reg[i->in[k]].scalar)
			return NULL;
	if (i->kind == AXT_INSTR_UNPACK && !two)
		f = axt_kern_fused_unpack(red->u.red.op, p->reg[i->out].dtype,
		    p->reg[i->in[0]].dtype, red->u.red.skip, i->packing, s->red_count);
	else if (i->kind == AXT_INSTR_MAP &&
	    (!two || (i[1].kind == AXT_INSTR_MAP && i[1].nin == 1 && i[1].in[0] == i->out)))
		f = axt_kern_fused_map(red->u.red.op, p->reg[i->out].dtype, red->u.red.skip,
		    i->node->u.op, two ? i[1].node->u.op : AXT_NOPS);
	if (f && axt_is_side(s))
		return f->sides && (i->node->u.op == AXT_OP_MUL || two) ? f : NULL;
	return f && (s->kind == AXT_STEP_COLUMNS || f->block) ? f : NULL;
}

/* Compiles weights or groups over the dimensions of what is reduced. *reg: their register. */
static int
beside(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *a,
    const struct axt_expr *w, int *reg)
{
	struct axt_index_map sub;

	if (!w || *reg >= 0)
		return 0;
	axt_index_map_sub(&s->index_map, &a->axes, &w->axes, &sub);
	return axt_compile(pl, s, w, &sub, reg);
}

/* Whether groups are values in memory over reduced dimensions, and are used for nothing else. */
static bool
groups_of_rows(const struct axt_step *s)
{
	const struct axt_prog *p = &s->prog;
	const struct axt_operand *op;
	int r = p->group;

	if (s->kind != AXT_STEP_COLUMNS || p->reg[r].operand < 0 || r == p->weight)
		return false;
	op = &p->operand[p->reg[r].operand];
	if (op->node->kind != AXT_NODE_LEAF || op->source != AXT_SOURCE_STORED ||
	    op->access != AXT_ACCESS_MAPPED)
		return false;
	for (int d = s->columns.nred; d < s->sp.nd; d++)
		if (op->v.stride[d] != 0)
			return false;
	for (int k = 0; k < s->nouts; k++)
		if (s->out[k].root == r)
			return false;
	for (int k = 0; k < p->ninstrs; k++)
		for (int i = 0; i < p->instr[k].nin; i++)
			if (p->instr[k].in[i] == r)
				return false;
	return true;
}

static int
compile_red(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *red,
    struct axt_output *o)
{
	struct axt_graph *g = pl->g;
	const struct axt_expr *a = red->arg[0], *w = axt_red_weights(red),
			      *by = axt_red_groups(red);
	bool cplx = axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX;
	enum axt_dtype part = a->dtype == AXT_C64 ? AXT_F32 : cplx ? AXT_F64 : a->dtype, res;

	o->fns = axt_kern_red(red->u.red.op, a->dtype, red->u.red.skip, w != NULL, &res);
	if (!o->fns)
		return axt_fail(&g->err, AXT_E_DTYPE, "%s is not defined for %s",
		    axt_reds[red->u.red.op].name, axt_dtypes[a->dtype].name);
	s->red.parts = cplx ? 2 : 1;
	if (axt_compile(pl, s, a, &s->index_map, &o->root))
		return g->err.code;
	if (cplx ? o->fns->in != part && axt_compile_conv(g, s, &o->root, AXT_C128)
		 : axt_compile_conv(g, s, &o->root, o->fns->in))
		return g->err.code;
	if (beside(pl, s, a, w, &s->prog.weight) || beside(pl, s, a, by, &s->prog.group))
		return g->err.code;
	s->red.group_rows = by && groups_of_rows(s);
	s->red.fused = s->nouts == 1 ? fused(s, red) : NULL;
	res = cplx ? (red->dtype == AXT_C64 ? AXT_F32 : AXT_F64) : red->dtype;
	o->finish = o->fns->out == res ? NULL : axt_kern_conv(res, o->fns->out, AXT_OVERFLOW_ERROR);
	return 0;
}

/* Whether a and b have the same values: they are one node, or the same conversion of one. */
static bool
same_values(const struct axt_expr *a, const struct axt_expr *b)
{
	while (a != b && a && b && a->kind == AXT_NODE_CONV && b->kind == AXT_NODE_CONV &&
	    a->dtype == b->dtype && a->u.overflow == b->u.overflow) {
		a = a->arg[0];
		b = b->arg[0];
	}
	return a == b;
}

/* Finds a step that reduces the same argument to the same axes as red. */
static struct axt_step *
step_of_same(struct axt_planner *pl, const struct axt_expr *red, const int *kept, int group_at,
    int64_t groups)
{
	struct axt_step *s;

	for (s = pl->p->steps; s; s = s->next) {
		const struct axt_expr *x = s->out[0].node;
		bool alone = red->u.red.states || s->red.states,
		     lines = s->kind == AXT_STEP_LINES && x->kind == AXT_NODE_REDUCE;

		if ((axt_red_selects(red->u.red.op) ? lines && x->u.red.skip == red->u.red.skip
						    : axt_step_fns(s)->states) &&
		    !alone && s->nouts < AXT_MAX_OUTS && same_values(x->arg[0], red->arg[0]) &&
		    same_values(axt_red_weights(x), axt_red_weights(red)) &&
		    same_values(axt_red_groups(x), axt_red_groups(red)) &&
		    s->red.group_at == group_at && s->red.groups == groups &&
		    x->u.red.nkept == red->u.red.nkept &&
		    memcmp(s->red.kept, kept, (size_t)red->u.red.nkept * sizeof(*kept)) == 0)
			break;
	}
	return s;
}

/*
 * Makes the loop nest and the program of an output. The first output of a step decides whether runs
 * lie side by side, which may depend on the operands, that is, on the program.
 */
static int
reduction(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *red, const int *kept,
    int group_at, struct axt_output *o)
{
	const struct axt_expr *a = red->arg[0];
	int n = red->u.red.nkept;
	bool first = s->nouts == 1,
	     side = first ? group_at < 0 && !red->u.red.states && is_short(a, n, kept, pl->o)
			  : s->kind == AXT_STEP_COLUMNS && s->columns.side;

	s->red.states = red->u.red.states;

	for (;;) {
		lay_axes(pl, s, a, n, kept, group_at, side);
		if (s->red.groups == 0)
			s->kept_count = 0;
		if (compile_red(pl, s, red, o))
			return pl->g->err.code;
		if (side || !first || s->red.states || !lies_across(s, pl->o))
			return 0;
		s->prog = (struct axt_prog){ 0 };
		side = true;
	}
}

/*
 * Adds the reduction red as an output to step s, if s already reduces the same axes, of another
 * argument with the same axes, and reads everything that red needs. Returns false if it does not.
 */
static bool
add_to_step(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *red, const int *kept,
    int result)
{
	const struct axt_expr *a = red->arg[0], *x = s->out[0].node, *b;
	struct axt_prog before = s->prog;
	struct axt_step_reduction was = s->red;

	if (!axt_step_fns(s)->states || x->kind != AXT_NODE_REDUCE || s->nouts == AXT_MAX_OUTS ||
	    s->split || a->flat)
		return false;
	b = x->arg[0];
	if (axt_red_selects(red->u.red.op) || red->u.red.states || s->red.states ||
	    axt_red_weights(red) || axt_red_weights(x) || axt_red_groups(red) ||
	    axt_red_groups(x) || !axt_axes_same(&a->axes, &b->axes) ||
	    (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX) !=
		(axt_dtypes[b->dtype].cls == AXT_CLASS_COMPLEX) ||
	    x->u.red.nkept != red->u.red.nkept ||
	    memcmp(s->red.kept, kept, (size_t)red->u.red.nkept * sizeof(*kept)) != 0)
		return false;
	s->strict = true;
	if (axt_step_joined(pl, s, &before,
		compile_red(pl, s, red, axt_output_new(s, red, result))))
		return true;
	s->nouts--;
	s->red = was;
	return false;
}

/*
 * Makes the reduction red an output of a step, with its axes in the order axis_of. If results are
 * written one after another and red shares the step of an earlier one, its values are stored, if
 * memory allows, and copied to the result later: *copy becomes true.
 */
static int
reduce_as(struct axt_planner *pl, const struct axt_expr *red, const int *axis_of, int result,
    bool *copy)
{
	int kept[AXT_MAX_RANK] = { 0 }, n = red->u.red.nkept, j = 0, group = red->u.red.group,
	    group_at = -1;
	int64_t bytes = axt_count(red) * axt_size(red->dtype),
		groups = group >= 0 ? red->axes.a[group].len : 1;
	bool later = result >= 0 && pl->o->ordered, joins, joined = false;
	struct axt_step *s = NULL;

	for (int i = 0; i < red->axes.n; i++)
		if (axis_of[i] == group)
			group_at = i;
		else
			kept[j++] = red->u.red
					.kept[axis_of[i] - (group >= 0 && axis_of[i] > group)];
	joins = !later ||
	    (pl->held + bytes <= pl->g->memory / 2 &&
		memcmp(kept, red->u.red.kept, (size_t)n * sizeof(*kept)) == 0);
	if (joins)
		s = step_of_same(pl, red, kept, group_at, groups);
	for (struct axt_step *t = pl->p->steps; t && joins && !s && !joined; t = t->next) {
		joined = add_to_step(pl, t, red, kept, later ? -1 : result);
		if (pl->g->err.code)
			return pl->g->err.code;
	}
	*copy = later && (s || joined);
	pl->held += result < 0 || *copy ? bytes : 0;
	if (joined)
		return 0;
	if (!s && !(s = axt_step_new(pl, AXT_STEP_RUNS)))
		return pl->g->err.code;
	memcpy(s->red.kept, kept, sizeof(kept));
	if (axt_red_selects(red->u.red.op)) {
		if (s->kind != AXT_STEP_LINES)
			axt_step_become(s, AXT_STEP_LINES);
		return axt_lines_lay(pl, s, red, kept) ||
			axt_lines_program(pl, s, red, axt_output_new(s, red, *copy ? -1 : result))
		    ? pl->g->err.code
		    : 0;
	}
	s->red.groups = groups;
	return reduction(pl, s, red, kept, group_at, axt_output_new(s, red, *copy ? -1 : result));
}

int
axt_reduce_step(struct axt_planner *pl, const struct axt_expr *red, const int *axis_of, int result,
    bool *copy)
{
	/*
	 * all groups are finished at the same time, so results that are written in order are stored
	 * until then
	 */
	bool wait = red->u.red.group >= 0 && result >= 0 && pl->o->ordered;
	int rc = reduce_as(pl, red, wait ? axt_identity : axis_of, wait ? -1 : result, copy);

	*copy = *copy || wait;
	return rc;
}
