/*
 * group_quantiles.c - reductions, such as quantiles, that need all elements of a group at once. For
 * each group a view selects its elements, and the reduced views are concatenated along the axis of
 * the groups.
 */
#include <math.h>

#include "groups/groups.h"

/* a group takes three nodes, or up to 14 with weights, and a plan has at most 4096 */
#define LABELS_MAX 1000
#define WEIGHTED_MAX 250

/*
 * Which elements are in group k, as positions along the axis of the labels: at[from[k]] up to, but
 * without, at[from[k + 1]].
 */
struct members {
	int64_t *from, *at;
};

static int
find_members(struct axt_graph *g, const int32_t *of, int64_t n, int64_t groups, struct members *m)
{
	m->from = axt_alloc(g->m, (size_t)(groups + 2) * sizeof(*m->from));
	m->at = axt_alloc(g->m, (size_t)n * sizeof(*m->at) + 1);
	if (!m->from || !m->at)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++)
		if (of[i] >= 0)
			m->from[of[i] + 2]++;
	for (int64_t k = 2; k < groups + 2; k++)
		m->from[k] += m->from[k - 1];
	/* after this loop from[k + 1] is where group k + 1 begins */
	for (int64_t i = 0; i < n; i++)
		if (of[i] >= 0)
			m->at[m->from[of[i] + 1]++] = i;
	return 0;
}

/* A view of `a` with these positions along axis i. */
static struct axt_expr *
part_of(struct axt_graph *g, struct axt_expr *a, int i, const int64_t *at, int64_t n)
{
	struct axt_span *span = axt_alloc(g->m, (size_t)n * sizeof(*span));
	struct axt_axis as = a->axes.a[i];

	if (!span)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int64_t k = 0; k < n; k++)
		span[k] = (struct axt_span){ at[k], 1, 1 };
	as.len = n;
	as.coord = NULL;
	as.parts = NULL;
	return axt_view_axis(g, a, i, span, (int)n, &as);
}

/* The quantile of the elements `a` of one group with their weights, over the axes as in e. */
static struct axt_expr *
weighted_part(struct axt_graph *g, const struct axt_expr *e, struct axt_expr *a, struct axt_expr *w,
    int nan)
{
	struct axt_reduce_opts o = { .weights = w, .nan = nan, .q = e->u.red.q, .dtype = e->dtype };

	o.to = axt_axes_typed(g->m, &e->arg[0]->axes, e->u.red.kept, e->u.red.nkept);
	return axt_refused(g, a) || axt_refused(g, w)
	    ? axt_node_failed(g)
	    : axt_weighted_quantile(g, (enum axt_red)e->u.red.op, a, &o);
}

/* Reduces `a`, the elements of one group, as e does. */
static struct axt_expr *
plain_part(struct axt_graph *g, const struct axt_expr *e, struct axt_expr *a)
{
	struct axt_expr *p;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	p = axt_node(g, AXT_NODE_REDUCE, e->dtype);
	if (axt_bad(p))
		return p;
	p->meta = e->meta;
	p->from = e->from;
	p->u.red = e->u.red;
	p->u.red.group = -1;
	p->nargs = 1;
	p->arg[0] = a;
	p->axes.n = e->u.red.nkept;
	for (int i = 0; i < p->axes.n; i++) {
		p->u.red.kept[i] = axt_axes_find(&a->axes, &e->arg[0]->axes.a[e->u.red.kept[i]]);
		p->axes.a[i] = a->axes.a[p->u.red.kept[i]];
	}
	return p;
}

/* The result of one group with the axis of groups, of length 1. */
static struct axt_expr *
as_group(struct axt_graph *g, const struct axt_expr *e, struct axt_expr *p)
{
	int src[AXT_MAX_RANK], at = e->u.red.group;
	struct axt_axes x = e->axes;

	if (axt_bad(p))
		return p;
	for (int i = 0; i < x.n; i++)
		src[i] = i == at ? -1 : i - (i > at);
	x.a[at].len = 1;
	x.a[at].coord = NULL;
	return axt_relabel(g, p, &x, src);
}

/* NaN for the result of n groups that have no elements. */
static struct axt_expr *
nothing(struct axt_graph *g, const struct axt_expr *e, int64_t n)
{
	struct axt_expr *z = axt_const(g, e->dtype, NAN);
	struct axt_axes x = e->axes;
	int src[AXT_MAX_RANK];

	for (int i = 0; i < e->axes.n; i++)
		src[i] = -1;
	x.a[e->u.red.group].len = n;
	x.a[e->u.red.group].coord = NULL;
	return axt_bad(z) ? z : axt_relabel(g, z, &x, src);
}

/* `a` with the axes of the labels as one, in their order. */
static struct axt_expr *
label_axes_as_one(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x)
{
	const char *list = axt_axes_typed(g->m, x, axt_identity, x->n);

	return x->n == 1 ? a : axt_flatten(g, a, axt_sprintf(g->m, "%s=axt_labels", list));
}

struct axt_expr *
axt_reduce_parts(struct axt_graph *g, const struct axt_expr *e, const struct axt_groups *by,
    struct axt_expr *weights, int nan)
{
	struct axt_expr *a = label_axes_as_one(g, e->arg[0], &by->of->axes), *w = NULL, **part, *y;
	int64_t groups = by->axis.len, most = weights ? WEIGHTED_MAX : LABELS_MAX;
	struct members m;
	int i;

	if (groups > most)
		return axt_graph_fail(g, AXT_E_LIMIT,
		    "%s%s takes up to %lld labels, and there are %lld (%s)",
		    axt_reds[e->u.red.op].name, weights ? " with weights" : "", (long long)most,
		    (long long)groups, by->of->from);
	if (axt_bad(a))
		return a;
	if (weights) {
		w = axt_weights_over(g, e->arg[0], weights);
		w = axt_bad(w) ? w : label_axes_as_one(g, w, &by->of->axes);
		if (axt_bad(w))
			return w;
	}
	part = axt_alloc(g->m, (size_t)groups * sizeof(*part) + 1);
	if (!part)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	i = by->of->axes.n == 1 ? axt_axes_find(&a->axes, &by->of->axes.a[0])
				: axt_axes_spelled(&a->axes, "axt_labels");
	if (find_members(g, by->of->u.leaf.st->mem, axt_count(by->of), groups, &m))
		return axt_node_failed(g);
	for (int64_t k = 0; k < groups; k++) {
		const int64_t *at = m.at + m.from[k], n = m.from[k + 1] - m.from[k];
		struct axt_expr *some = n ? part_of(g, a, i, at, n) : NULL;

		if (some)
			some = w ? weighted_part(g, e, some, part_of(g, w, i, at, n), nan)
				 : plain_part(g, e, some);
		part[k] = some ? as_group(g, e, some) : nothing(g, e, 1);
		if (axt_bad(part[k]))
			return part[k];
	}
	y = groups ? axt_concat_node(g, (int)groups, part, &e->axes, e->u.red.group)
		   : nothing(g, e, 0);
	axt_dress(g, &y, e);
	return y;
}
