/*
 * linalg.c - functions of matrices: which axes are their rows and columns, by name or because one
 * is the dual of the other.
 */
#include "expr/expr.h"

/*
 * The axes of one side: those of `list`, or, where it is NULL, the other side's `up` levels higher.
 */
static int
side_axes(struct axt_graph *g, const char *list, const struct axt_axes *other, int up,
    struct axt_axes *out)
{
	if (list)
		return axt_axes_parse(g->m, list, false, out, NULL, &g->err);
	*out = *other;
	for (int i = 0; i < out->n; i++)
		out->a[i].level += up;
	return 0;
}

/* Rows and columns of a as lists. */
static int
sides(struct axt_graph *g, const struct axt_expr *a, const char *row, const char *col,
    struct axt_axes side[2])
{
	struct axt_axes given = { 0 };

	for (int i = 0; i < a->axes.n && !row && !col; i++) {
		struct axt_axis dual = a->axes.a[i];

		dual.level = 1;
		if (a->axes.a[i].level == 0 && axt_axes_find(&a->axes, &dual) >= 0)
			given.a[given.n++] = a->axes.a[i];
	}
	if ((row || col) && side_axes(g, row ? row : col, NULL, 0, &given))
		return g->err.code;
	if (given.n == 0) {
		axt_fail(&g->err, AXT_E_AXES, "%s (%s) has no axis and its dual, such as M and M*",
		    a->from, axt_axes_text(g->m, &a->axes));
		axt_hint(&g->err,
		    "--row AXES --col AXES, in axt-calc row=AXES, col=AXES, name the matrix");
		return g->err.code;
	}
	return side_axes(g, row, &given, row || !col ? 0 : -1, &side[0]) ||
	    side_axes(g, col, &given, 1, &side[1]);
}

/* a with the axes of one side as one, which is then the only one of that side. */
static struct axt_expr *
as_one(struct axt_graph *g, struct axt_expr *a, struct axt_axes *side)
{
	const char *list = axt_axes_typed(g->m, side, axt_identity, side->n);
	struct axt_buf name = { 0 };

	if (side->n == 1 || !list)
		return a;
	for (int i = 0; i < side->n; i++)
		axt_buf_addf(&name, "%s%s", i ? "." : "", side->a[i].name);
	side->a[0].name = axt_buf_text(g->m, &name);
	side->n = 1;
	if (!side->a[0].name)
		return axt_node_failed(g);
	return axt_flatten(g, a,
	    axt_sprintf(g->m, "%s=%s", list, axt_axes_typed(g->m, side, axt_identity, 1)));
}

struct axt_expr *
axt_det(struct axt_graph *g, struct axt_expr *a, const char *row, const char *col)
{
	struct axt_axes side[2];
	struct axt_expr *e;
	int at[2];

	if (axt_refused(g, a) || sides(g, a, row, col, side))
		return axt_node_failed(g);
	for (int k = 0; k < 2; k++) {
		a = as_one(g, a, &side[k]);
		if (axt_bad(a))
			return a;
	}
	for (int k = 0; k < 2; k++) {
		at[k] = axt_axes_find(&a->axes, &side[k].a[0]);
		if (at[k] < 0) {
			axt_axes_unknown_in(g->m, &a->axes, &side[k].a[0], a->from, &g->err);
			return axt_node_failed(g);
		}
	}
	if (a->axes.a[at[0]].len != a->axes.a[at[1]].len)
		return axt_graph_fail(g, AXT_E_AXES,
		    "det needs as many columns as rows, %s has %lld and %lld (%s)", a->from,
		    (long long)a->axes.a[at[1]].len, (long long)a->axes.a[at[0]].len,
		    axt_axes_text(g->m, &a->axes));
	return axt_gufunc(g, "det", 1, &a,
		   &(struct axt_gufunc_opts){ .core = axt_axes_typed(g->m, &a->axes, at, 2) }, &e)
	    ? axt_node_failed(g)
	    : e;
}
