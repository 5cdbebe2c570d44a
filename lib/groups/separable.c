/*
 * separable.c - extremes over windows of several axes. The greatest of 15 x 15 elements is the
 * greatest of 15 columns of 15: one axis after another looks at 30 elements in place of 225, and
 * what is found of a column serves all windows that have it. Extremes do not depend on an order, so
 * that the results have the same bits.
 */
#include "groups/groups.h"

#define WORTH 2 /* windows of so many times more elements than one axis after another looks at */

/* A view of x, which is none: what a VIEW node has, of views of views. */
struct flat {
	struct axt_expr *x;
	const struct axt_axes *axes; /* of the outermost view */
	int src[AXT_MAX_RANK];
	const struct axt_sel *sel[AXT_MAX_RANK];
	int64_t from[AXT_MAX_RANK];
};
/* A reduced axis `at` of windows: it and the axis `along` count positions of the axis `of` of x. */
struct window {
	int at, along, of;
};

static bool
is_free_of_order(const struct axt_expr *e)
{
	enum axt_red op = e->u.red.op;

	return (op == AXT_RED_MIN || op == AXT_RED_MAX || op == AXT_RED_ANY || op == AXT_RED_ALL) &&
	    e->u.red.group < 0 && e->nargs == 1 && !axt_is_complex(e->arg[0]->dtype);
}

/* What comes through a pipe is the expression that makes it, where that is known. */
static struct axt_expr *
unpiped(struct axt_expr *e)
{
	while (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		e = *e->u.leaf.plan;
	return e;
}

/* Sees through the view f->x, if that selects adjacent positions in order. */
static bool
see_through(struct flat *f)
{
	const struct axt_expr *v = f->x = unpiped(f->x);
	int64_t from[AXT_MAX_RANK] = { 0 };

	if (v->kind != AXT_NODE_VIEW)
		return false;
	for (int j = 0; j < v->arg[0]->axes.n && v->u.view.from; j++)
		from[j] = v->u.view.from[j];
	for (int s = 0; s < v->axes.n; s++) {
		const struct axt_sel *sel = v->u.view.sel ? v->u.view.sel[s] : NULL;

		if (sel && (sel->n != 1 || sel->span[0].step != 1))
			return false;
		if (v->u.view.src[s] >= 0)
			from[v->u.view.src[s]] += f->from[s] + (sel ? sel->span[0].start : 0);
	}
	for (int i = 0; i < f->axes->n; i++)
		f->src[i] = f->src[i] < 0 ? -1 : v->u.view.src[f->src[i]];
	memcpy(f->from, from, sizeof(from));
	f->x = v->arg[0];
	return true;
}

static struct flat
flattened(const struct axt_expr *v)
{
	struct flat f = { .x = v->arg[0], .axes = &v->axes };

	for (int i = 0; i < v->axes.n; i++) {
		f.src[i] = v->u.view.src[i];
		f.sel[i] = v->u.view.sel ? v->u.view.sel[i] : NULL;
	}
	for (int j = 0; j < f.x->axes.n && v->u.view.from; j++)
		f.from[j] = v->u.view.from[j];
	while (see_through(&f))
		;
	return f;
}

static bool
is_kept(const struct axt_expr *e, int axis)
{
	for (int k = 0; k < e->u.red.nkept; k++)
		if (e->u.red.kept[k] == axis)
			return true;
	return false;
}

/* The other axis of the view that counts positions of the same axis as i; -1: there is no one. */
static int
partner(const struct flat *f, int i)
{
	int found = -1;

	for (int k = 0; k < f->axes->n; k++)
		if (k != i && f->src[i] >= 0 && f->src[k] == f->src[i]) {
			if (found >= 0)
				return -1;
			found = k;
		}
	return found;
}

/* Finds the axes of windows that e reduces, and returns whether one after another is worth it. */
static bool
find_windows(const struct axt_expr *e, const struct flat *f, struct window *last)
{
	double all = 1, each = 0;
	int n = 0;

	*last = (struct window){ 0 };
	for (int i = 0; i < f->axes->n; i++) {
		int along = partner(f, i);

		if (is_kept(e, i) || along < 0 || !is_kept(e, along))
			continue;
		*last = (struct window){ i, along, f->src[i] };
		all *= (double)f->axes->a[i].len;
		each += (double)f->axes->a[i].len;
		n++;
	}
	return n > 1 && all >= WORTH * each;
}

/* Makes the view of x that f is, with those axes. */
static struct axt_expr *
view_of(struct axt_graph *g, struct axt_expr *x, const struct axt_axes *axes, const struct flat *f)
{
	int64_t *from = axt_alloc(g->m, (size_t)x->axes.n * sizeof(*from) + 1);
	bool some = false, moved = false;

	if (!from)
		return axt_node_failed(g);
	for (int i = 0; i < axes->n; i++)
		some = some || f->sel[i];
	for (int j = 0; j < x->axes.n; j++)
		moved = (from[j] = f->from[j]) || moved;
	return axt_view_node(g, x, axes, f->src, some ? f->sel : NULL, moved ? from : NULL);
}

/* Whether what is kept between two axes is little beside the memory there is. */
static bool
fits(const struct axt_graph *g, const struct axt_expr *x)
{
	return axt_count(x) <= g->memory / 4 / axt_size(x->dtype);
}

/* Reduces x over windows along one axis alone. NULL: it cannot be described. */
static struct axt_expr *
along_one(struct axt_graph *g, enum axt_red op, const struct flat *f, const struct window *w,
    const struct axt_reduce_opts *how)
{
	struct axt_reduce_opts o = *how;
	struct axt_axes axes = f->x->axes;
	struct flat one = { .x = f->x };
	struct axt_err ignore = { 0 };
	struct axt_expr *c;
	int n = axes.n;

	if (n == AXT_MAX_RANK)
		return NULL;
	for (int i = 0; i < n; i++)
		one.src[i] = i;
	one.src[n] = w->of;
	one.sel[w->of] = f->sel[w->along];
	one.sel[n] = f->sel[w->at];
	one.from[w->of] = f->from[w->of];
	axes.a[w->of] = f->axes->a[w->along];
	axes.a[n] = f->axes->a[w->at];
	axes.n++;
	if (axt_axes_check_unique(g->m, &axes, &ignore))
		return NULL;
	c = view_of(g, f->x, &axes, &one);
	o.over = axt_axes_typed(g->m, &axes, &n, 1);
	return axt_reduce_grouped(g, op, c, &o, NULL);
}

/* The windows along all axes but that one, of what was reduced along it. */
static struct axt_expr *
along_others(struct axt_graph *g, const struct flat *f, const struct window *w,
    struct axt_expr *one)
{
	struct flat rest = *f;
	struct axt_axes axes = { 0 };

	for (int i = 0; i < f->axes->n; i++) {
		if (i == w->at)
			continue;
		rest.src[axes.n] = f->src[i];
		rest.sel[axes.n] = i == w->along ? NULL : f->sel[i];
		axes.a[axes.n++] = f->axes->a[i];
	}
	rest.from[w->of] = 0;
	return axt_bad(one) ? one : view_of(g, one, &axes, &rest);
}

struct axt_expr *
axt_separated(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_reduce_opts how = { 0 };
	struct axt_expr *c, *view;
	struct axt_axes axes;
	struct flat f;
	struct window w;

	if (axt_bad(e) || e->kind != AXT_NODE_REDUCE || !is_free_of_order(e))
		return e;
	view = unpiped(e->arg[0]);
	if (view->kind != AXT_NODE_VIEW || axt_count(view) == 0)
		return e;
	f = flattened(view);
	how.nan = e->u.red.skip ? 1 : -1;
	how.dtype = e->dtype;
	if (!find_windows(e, &f, &w) || !fits(g, f.x) ||
	    !(c = along_one(g, e->u.red.op, &f, &w, &how)))
		return e;
	axes = e->axes;
	how.to = axt_axes_typed(g->m, &axes, axt_identity, axes.n);
	c = along_others(g, &f, &w, c);
	c = axt_separated(g, axt_reduce_grouped(g, e->u.red.op, c, &how, NULL));
	if (axt_dress(g, &c, e))
		c->axes = axes;
	return c;
}
