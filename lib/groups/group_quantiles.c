/*
 * group_quantiles.c - reductions, such as quantiles, that need all elements of a group at once. For
 * each group a view selects its elements, and the reduced views are concatenated along the axis of
 * the groups.
 */
#include <math.h>

#include "groups/groups.h"

#define LABELS_MAX 1000 /* a group takes three nodes, and a plan has at most 4096 */

/*
 * The positions of the elements of group k along the axis of the labels: at[from[k]] to at[from[k +
 * 1] - 1].
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

/*
 * Reduces `a`, the elements of one group, as e does. The result has the axis of groups with length
 * 1.
 */
static struct axt_expr *
reduce_part(struct axt_graph *g, const struct axt_expr *e, struct axt_expr *a)
{
	int src[AXT_MAX_RANK], at = e->u.red.group;
	struct axt_axes x = e->axes;
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
axt_reduce_parts(struct axt_graph *g, const struct axt_expr *e, const struct axt_groups *by)
{
	struct axt_expr *a = label_axes_as_one(g, e->arg[0], &by->of->axes), **part, *y;
	int64_t groups = by->axis.len;
	struct members m;
	int i;

	if (groups > LABELS_MAX)
		return axt_graph_fail(g, AXT_E_LIMIT,
		    "%s takes up to %d labels, and there are %lld (%s)", axt_reds[e->u.red.op].name,
		    LABELS_MAX, (long long)groups, by->of->from);
	if (axt_bad(a))
		return a;
	part = axt_alloc(g->m, (size_t)groups * sizeof(*part) + 1);
	if (!part)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	i = by->of->axes.n == 1 ? axt_axes_find(&a->axes, &by->of->axes.a[0])
				: axt_axes_spelled(&a->axes, "axt_labels");
	if (find_members(g, by->of->u.leaf.st->mem, axt_count(by->of), groups, &m))
		return axt_node_failed(g);
	for (int64_t k = 0; k < groups; k++) {
		part[k] = m.from[k + 1] == m.from[k]
		    ? nothing(g, e, 1)
		    : reduce_part(g, e,
			  part_of(g, a, i, m.at + m.from[k], m.from[k + 1] - m.from[k]));
		if (axt_bad(part[k]))
			return part[k];
	}
	y = groups ? axt_concat_node(g, (int)groups, part, &e->axes, e->u.red.group)
		   : nothing(g, e, 0);
	if (axt_bad(y))
		return y;
	y->meta = e->meta;
	y->from = e->from;
	return y;
}
