/*
 * plan.c - makes the steps of an expression: decides which steps there are, and in which order they
 * are run.
 */
#include <limits.h>
#include <math.h>

#include "base/quote.h"
#include "plan/kinds.h"
#include "plan/steps.h"

#define HOLD_READERS 8 /* a chunked leaf that so many steps read is decoded once */

struct axt_learned *
axt_learned(const struct axt_planner *pl, const struct axt_expr *e)
{
	return &pl->learned[axt_nodes_at(&pl->nodes, e)];
}

const struct axt_step_fns *const axt_steps[AXT_NSTEPS] = {
#define STEP(ID, name) [AXT_STEP_##ID] = &axt_step_##name,
#include "steps.def"
#undef STEP
};

void
axt_step_become(struct axt_step *s, enum axt_step_kind kind)
{
	s->kind = kind;
	memset(&s->columns, 0, sizeof(s->columns));
	s->line = (struct axt_step_lines){ 0 };
	if (axt_step_fns(s)->init)
		axt_step_fns(s)->init(s);
}

static struct axt_step *
make_step(struct axt_graph *g, enum axt_step_kind kind, int outs)
{
	struct axt_step *s = axt_alloc(g->m, sizeof(*s));

	if (s)
		s->out = axt_alloc(g->m, (size_t)outs * sizeof(*s->out));
	if (!s || !s->out) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	axt_step_become(s, kind);
	s->slab_dim = -1;
	s->decoders = INT_MAX;
	s->red_count = 1;
	s->red = (struct axt_step_reduction){ .groups = 1,
		.group_at = -1,
		.group_parts = 1,
		.parts = 1 };
	return s;
}

struct axt_step *
axt_step_asked(struct axt_graph *g, const struct axt_expr *e)
{
	struct axt_step *s = make_step(g, AXT_STEP_MAP, 1);

	if (!s)
		return NULL;
	s->kept_count = axt_count(e);
	s->nouts = 1;
	s->out[0] = (struct axt_output){ .node = e, .dtype = e->dtype, .result = -1 };
	return s;
}

struct axt_step *
axt_step_new(struct axt_planner *pl, enum axt_step_kind kind)
{
	struct axt_step *s = make_step(pl->g, kind, AXT_MAX_OUTS);

	if (!s)
		return NULL;
	if (pl->last)
		pl->last->next = s;
	else
		pl->p->steps = s;
	pl->last = s;
	return s;
}

struct axt_output *
axt_output_new(struct axt_step *s, const struct axt_expr *e, int result)
{
	s->out[s->nouts] = (struct axt_output){ .node = e, .dtype = e->dtype, .result = result };
	return &s->out[s->nouts++];
}

bool
axt_step_joined(struct axt_planner *pl, struct axt_step *s, const struct axt_prog *before, int rc)
{
	s->strict = false;
	if (rc == 0 && s->prog.noperands == before->noperands)
		return true;
	s->prog = *before;
	if (pl->g->err.code == AXT_E_LIMIT && !pl->again)
		pl->g->err = (struct axt_err){ 0 };
	return false;
}

/*
 * Makes a step that stores the values of e, if other steps need them stored: if the kind of e has
 * steps of its own, if e has several users and is heavy, or if `hold` is set. Without `self` only
 * `hold` counts, since the caller makes the step that computes e.
 */
static int
make_inner(struct axt_planner *pl, const struct axt_expr *e, bool self)
{
	const struct axt_plan_kind *k = axt_plan_kinds[e->kind];
	struct axt_learned *l = axt_learned(pl, e);
	bool copy;

	if (self && k->step)
		return k->step(pl, e, axt_identity, -1, &copy);
	if (!l->hold && (!self || !k->heavy || !l->several))
		return 0;
	if (axt_map_step(pl, e, -1))
		return pl->g->err.code;
	l->held = true;
	return 0;
}

/* The same for everything inside e that has no steps yet, for expressions of any depth. */
static int
make_all_inner(struct axt_planner *pl, struct axt_expr *e, bool self)
{
	struct axt_nodes *o = &pl->made;
	int from = o->n;

	for (int k = 0; !self && k < e->nargs; k++)
		if (axt_nodes_add(pl->g, e->arg[k], false, o))
			return pl->g->err.code;
	if (self && axt_nodes_add(pl->g, e, false, o))
		return pl->g->err.code;
	axt_learned(pl, e)->held = false;
	for (int i = from; i < o->n; i++)
		if (make_inner(pl, o->e[i], true))
			return pl->g->err.code;
	return self ? 0 : make_inner(pl, e, false);
}

/*
 * The node that e shows, if e only renames or reorders the axes of a node that has a step of its
 * own, and that step can give its axes in the order of e; axis_of[i] is then the node's axis that
 * is axis i of e. Otherwise NULL.
 */
static struct axt_expr *
root_reduction(struct axt_expr *e, int axis_of[])
{
	for (int i = 0; i < e->axes.n; i++)
		axis_of[i] = i;
	while (e->kind == AXT_NODE_VIEW) {
		if (!axt_is_relabel(e) || e->axes.n != e->arg[0]->axes.n)
			return NULL;
		for (int i = 0; i < e->axes.n; i++)
			axis_of[i] = e->u.view.src[axis_of[i]];
		e = e->arg[0];
	}
	return axt_plan_kinds[e->kind]->step &&
		(axt_plan_kinds[e->kind]->any_order ||
		    memcmp(axis_of, axt_identity, (size_t)e->axes.n * sizeof(*axis_of)) == 0)
	    ? e
	    : NULL;
}

/* The axes of e as the user would type them. */
static const char *
typed_axes(struct axt_graph *g, const struct axt_expr *e)
{
	const char *s = axt_axes_typed(g->m, &e->axes, axt_identity, e->axes.n);

	return s ? s : "";
}

/* Whether one may be another name for the other: an axis of years is none for one of times. */
static bool
is_other_name(const struct axt_axis *x, const struct axt_axis *y)
{
	return axt_axes_alike(x, y) && axt_cffield_named(y->name) < 0 &&
	    axt_cffield_named(x->name) < 0;
}

/*
 * The command that gives the axes of operand b the names that a has for them. Where a has another
 * number of positions along such an axis, the command takes the values of b at the coordinates of
 * a.
 */
static const char *
renaming(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *b)
{
	const char *map = "", *grid = "", *rename;
	bool taken[AXT_MAX_RANK] = { false };

	for (int i = 0; i < b->axes.n; i++)
		for (int k = 0; k < a->axes.n; k++) {
			const struct axt_axis *x = &a->axes.a[k], *y = &b->axes.a[i];

			if (taken[k] || !is_other_name(x, y) || axt_axes_find(&b->axes, x) >= 0 ||
			    axt_axes_find(&a->axes, y) >= 0)
				continue;
			map = axt_sprintf(g->m, "%s%s%s=%s", map, *map ? "," : "",
			    axt_axis_spell(g->m, y), axt_axis_spell(g->m, x));
			if (map && x->len != y->len)
				grid = axt_sprintf(g->m, "%s%s%s", grid, *grid ? "," : "",
				    axt_axis_spell(g->m, x));
			if (!map || !grid)
				return "axt-rename";
			taken[k] = true;
			break;
		}
	if (*map && !*grid && g->called)
		return axt_rename_typed(g, b, map);
	if (!*map || !strchr(a->from, ':') || !strchr(b->from, ':'))
		return "axt-rename";
	rename = axt_sprintf(g->m, "axt-rename %s %s", axt_typed(g->m, "%s", map),
	    axt_typed(g->m, "%s", b->from));
	if (rename && *grid)
		rename = axt_sprintf(g->m, "%s | axt-interp %s -", rename,
		    axt_typed(g->m, "%s=%s", grid, a->from));
	return rename ? rename : "axt-rename";
}

/* Warns of an outer product that is perhaps a mistake, and tells both ways out. */
static void
warn_outer(struct axt_graph *g, const struct axt_expr *e)
{
	char list[3][400];

	for (int k = 0; k < 3; k++)
		snprintf(list[k], sizeof(list[k]), "%s",
		    axt_axes_text(g->m, k < 2 ? &e->arg[k]->axes : &e->axes));
	axt_warn(g,
	    "an outer product: %s and %s give %s, %.3g MiB; %s lets axes meet, "
	    "--axes %s (in axt-calc, around it: broadcast(..., (%s))) says that it is meant",
	    list[0], list[1], list[2], (double)axt_count(e) * axt_size(e->dtype) / (1 << 20),
	    renaming(g, e->arg[0], e->arg[1]), typed_axes(g, e), typed_axes(g, e));
	g->outer_told = true;
}

/* Fails if e has an outer product that the user did not ask for. */
static int
outer_product(struct axt_graph *g, const struct axt_expr *e)
{
	char list[2][400];

	for (int k = 0; k < 2; k++)
		snprintf(list[k], sizeof(list[k]), "%s", axt_axes_text(g->m, &e->arg[k]->axes));
	axt_fail(&g->err, AXT_E_LIMIT,
	    "this would be an outer product of %.3g GiB: %s and %s share too few axes, and give %s",
	    (double)axt_count(e) * axt_size(e->dtype) / (1 << 30), list[0], list[1],
	    axt_axes_text(g->m, &e->axes));
	axt_about(&g->err, AXT_OUTER, list[0], e->arg[0]->from);
	axt_about_among(&g->err, e->arg[0]->from);
	axt_about_among(&g->err, e->arg[1]->from);
	axt_hint(&g->err,
	    "if that is meant: --axes %s, or broadcast(..., (%s)) around it in axt-calc",
	    typed_axes(g, e), typed_axes(g, e));
	return g->err.code;
}

/*
 * Finds out about each node how many users it has, and whether the user of the command asked for
 * all of its axes. Nodes are visited before their arguments.
 */
static int
look_at_users(struct axt_planner *pl, struct axt_expr *const e[], int n)
{
	struct axt_graph *g = pl->g;
	struct axt_nodes *o = &pl->nodes;
	bool *asked, *result; /* asked: all axes were asked for; result: it is not only reduced */

	if (axt_nodes(g, e, n, false, o))
		return g->err.code;
	asked = axt_alloc(g->m, (size_t)o->n * sizeof(*asked) + 1);
	result = axt_alloc(g->m, (size_t)o->n * sizeof(*result) + 1);
	pl->learned = axt_alloc(g->m, (size_t)o->n * sizeof(*pl->learned) + 1);
	if (!asked || !result || !pl->learned)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		axt_learned(pl, e[i])->users++;
		result[axt_nodes_at(o, e[i])] = true;
	}
	for (int i = o->n - 1; i >= 0; i--) { /* users before their arguments */
		const struct axt_expr *x = o->e[i];
		const struct axt_plan_kind *k = axt_plan_kinds[x->kind];
		struct axt_learned *l = &pl->learned[i];

		asked[i] = asked[i] || x->asked;
		l->several = l->several || l->users > 1;
		if (x->outer && !asked[i] && x->nargs >= 2)
			return outer_product(g, x);
		if (x->doubt == AXT_FIRST && !g->outer_told && !asked[i])
			axt_warn_first(g, x->nargs, x->arg);
		else if (x->doubt && !g->outer_told && !asked[i] && x->nargs >= 2 &&
		    (result[i] || x->doubt == AXT_ALIKE))
			warn_outer(g, x);
		for (int j = 0; j < x->nargs; j++) {
			int a = axt_nodes_at(o, x->arg[j]);

			pl->learned[a].users++;
			asked[a] = asked[a] || (asked[i] && !k->reduces);
			result[a] = result[a] || (result[i] && !k->reduces);
			pl->learned[a].several = pl->learned[a].several || k->heavy ||
			    (l->several && !k->step);
		}
	}
	return 0;
}

/*
 * Checks that the scratch of all steps fits in the memory. What a step stores for others is kept to
 * the end of the run; the rest of its scratch is needed only while the step runs.
 */
static int
check_memory(struct axt_planner *pl)
{
	int64_t held = 0;
	/*
	 * the hint asks for more than this plan needs: with more memory the next plan is another
	 * one, which needs more, most of all if slabs were cut short here
	 */
	double growth = 1.25;

	for (const struct axt_step *s = pl->p->steps; s; s = s->next) {
		pl->p->scratch = MAX(pl->p->scratch, held + s->scratch);
		pl->p->tiles = MAX(pl->p->tiles, s->tiles);
		held += s->bytes_held;
		growth = s->again > 1 ? 2 : growth;
	}
	pl->p->scratch = MAX(pl->p->scratch, held);
	if (pl->p->scratch <= pl->g->memory)
		return 0;
	axt_fail(&pl->g->err, AXT_E_LIMIT,
	    "the plan needs %.4g MiB of scratch memory, the bound is %.4g MiB",
	    (double)pl->p->scratch / (1 << 20), (double)pl->g->memory / (1 << 20));
	axt_hint(&pl->g->err, "raise it with --memory %.0fM",
	    ceil((double)pl->p->scratch * growth / (1 << 20)));
	return pl->g->err.code;
}

/* Whether a step stores the values of e for others. */
static bool
is_there(const struct axt_planner *pl, const struct axt_expr *e)
{
	for (const struct axt_step *s = pl->p->steps; s; s = s->next)
		for (int k = 0; k < s->nouts; k++)
			if (s->out[k].node == e && s->out[k].result < 0)
				return true;
	return false;
}

static int
result_step(struct axt_planner *pl, struct axt_expr *e, int result)
{
	int axis_of[AXT_MAX_RANK];
	const struct axt_expr *red = root_reduction(e, axis_of);
	bool copy = true;

	if (red && !is_there(pl, red) &&
	    axt_plan_kinds[red->kind]->step(pl, red, axis_of, result, &copy))
		return pl->g->err.code;
	return copy ? axt_map_step(pl, e, result) : 0;
}

/* Finds tiles and slabs of all steps, after all outputs of all steps are known. */
static int
shape_steps(struct axt_planner *pl)
{
	/* stored values may come in any order */
	struct axt_plan_opts inner = *pl->o;

	inner.ordered = false;
	axt_choose_bands(pl->p, pl->o);
	for (struct axt_step *s = pl->p->steps; s; s = s->next) {
		bool leaves = false;

		for (int k = 0; k < s->nouts; k++)
			leaves = leaves || s->out[k].result >= 0;
		if (axt_shape(pl->g, s, leaves ? pl->o : &inner, pl->facts))
			return pl->g->err.code;
	}
	return 0;
}

static int
make_steps(struct axt_planner *pl, struct axt_expr *const e[], int n)
{
	struct axt_expr *red;
	int axis_of[AXT_MAX_RANK];

	for (int i = 0; i < n; i++) {
		red = root_reduction(e[i], axis_of);
		if (make_all_inner(pl, red ? red : e[i], !red))
			return pl->g->err.code;
	}
	for (int i = 0; i < n; i++)
		if (result_step(pl, e[i], i))
			return pl->g->err.code;
	return 0;
}

/* How many steps read the leaf e. */
static int
readers(const struct axt_planner *pl, const struct axt_expr *e)
{
	int n = 0;

	for (const struct axt_step *s = pl->p->steps; s; s = s->next)
		for (int k = 0; k < s->prog.noperands; k++)
			n += s->prog.operand[k].node == e;
	return n;
}

/*
 * If many steps read the same chunked tensor, as for the quantiles of many labels, its chunks would
 * be decoded for each. If memory allows, such a tensor is decoded once, by a step that stores it.
 * Returns true if one was found, so that planning has to start again.
 */
static bool
hold_chunked(struct axt_planner *pl)
{
	for (const struct axt_step *s = pl->p->steps; s; s = s->next)
		for (int k = 0; k < s->prog.noperands; k++) {
			const struct axt_operand *op = &s->prog.operand[k];
			int64_t bytes = axt_count(op->node) * op->size;

			if (op->node->kind != AXT_NODE_LEAF || axt_learned(pl, op->node)->hold ||
			    !op->window || bytes <= 0 || pl->held + bytes > pl->g->memory / 2 ||
			    readers(pl, op->node) < HOLD_READERS)
				continue;
			axt_learned(pl, op->node)->hold = true;
			return true;
		}
	return false;
}

int
axt_plan_make(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_plan_opts *o,
    axt_facts_fn *facts, struct axt_plan **out)
{
	struct axt_planner pl = { .g = g, .o = o, .facts = facts };

	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]))
			return g->err.code;
	if (look_at_users(&pl, e, n) || axt_hold_broadcast(&pl, e, n))
		return g->err.code;
	do {
		if (pl.again)
			g->err = (struct axt_err){ 0 };
		pl.again = false;
		pl.last = NULL;
		pl.held = 0;
		pl.made = (struct axt_nodes){ 0 };
		for (int i = 0; i < pl.nodes.n; i++)
			pl.learned[i].held = false;
		pl.p = axt_alloc(g->m, sizeof(*pl.p));
		if (!pl.p)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	} while (make_steps(&pl, e, n) ? pl.again : hold_chunked(&pl));
	*out = pl.p;
	pl.p->ordered = o->ordered;
	return g->err.code || shape_steps(&pl) || check_memory(&pl) ? g->err.code : 0;
}

int64_t
axt_plan_bytes(const struct axt_plan *p)
{
	int64_t n = 0;

	for (const struct axt_step *s = p->steps; s; s = s->next)
		n += s->bytes_read + s->bytes_written;
	return n;
}
