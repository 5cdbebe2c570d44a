/*
 * bind.c - placeholders: tensors with a description and no values yet. They are made here, found in
 * an expression, given values, and reported where they have none.
 */
#include "axt_builds.h"
#include "base/quote.h"
#include "expr/expr.h"

struct axt_expr *
axt_placeholder(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x, const char *name)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_PLACE, d);

	if (axt_bad(e) || !name)
		return axt_node_failed(g);
	e->axes = *x;
	e->u.place = name;
	e->from = name;
	return e;
}

static bool
place_fields(struct axt_fields *f, struct axt_expr *e)
{
	return f->field(f, AXT_FIELD(TEXT, "", &e->u.place, .lo = 0));
}

static struct axt_expr *
place_build(struct axt_graph *g, struct axt_expr *d)
{
	return axt_placeholder(g, d->dtype, &d->axes, d->u.place);
}

static const char *
place_does(struct axt_graph *g, const struct axt_expr *e)
{
	(void)g;
	(void)e;
	return "has a placeholder";
}

const struct axt_node_kind axt_node_place = { .fields = place_fields,
	.build = place_build,
	.does = place_does };

const struct axt_expr *
axt_find_place(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_nodes o;

	for (int i = axt_nodes(g, &e, 1, true, &o) ? o.n : 0; i < o.n; i++)
		if (o.e[i]->kind == AXT_NODE_PLACE)
			return o.e[i];
	return NULL;
}

struct axt_expr *
axt_conform(struct axt_graph *g, struct axt_expr *e, const struct axt_axes *x, const char *from)
{
	struct axt_axis met;
	int src[AXT_MAX_RANK];

	for (int k = 0; k < x->n; k++)
		src[k] = -1;
	for (int i = 0; i < e->axes.n; i++) {
		int k = axt_axes_find(x, &e->axes.a[i]);

		if (k < 0)
			return axt_graph_fail(g, AXT_E_AXES, "axis \"%s\" of %s is not in %s (%s)",
			    axt_escape(g->m, axt_axis_spell(g->m, &e->axes.a[i])), e->from, from,
			    axt_axes_text(g->m, x));
		if (axt_axis_meet(g->m, &x->a[k], &e->axes.a[i], &g->join, &met, &g->err))
			return axt_node_failed(g);
		src[k] = i;
	}
	return axt_relabel(g, e, x, src);
}

struct axt_expr *
axt_bound(struct axt_graph *g, const struct axt_expr *place, const struct axt_binding *b)
{
	struct axt_axes x = place->axes;
	struct axt_expr *e;

	*b->used = true;
	for (int i = 0; i < x.n; i++)
		x.a[i].from = axt_sprintf(g->m, "placeholder %s", axt_escape(g->m, b->name));
	e = axt_cast_dtype(g, b->value, place->dtype, AXT_OVERFLOW_ERROR);
	return axt_bad(e)
	    ? e
	    : axt_conform(g, e, &x, axt_sprintf(g->m, "placeholder %s", axt_escape(g->m, b->name)));
}

static struct axt_expr *
not_there(struct axt_graph *g, struct axt_expr *e, const char *name)
{
	struct axt_buf b = { 0 }; /* the names of the placeholders in e: "a, b" */
	struct axt_nodes o;

	if (axt_nodes(g, &e, 1, true, &o))
		return axt_node_failed(g);
	for (int i = 0; i < o.n; i++)
		if (o.e[i]->kind == AXT_NODE_PLACE)
			axt_buf_addf(&b, "%s%s", b.n ? ", " : "",
			    axt_escape(g->m, o.e[i]->u.place));
	axt_fail(&g->err, AXT_E_NAME, "no placeholder \"%s\" in %s (%s%s)", axt_escape(g->m, name),
	    e->from, b.n ? "there are: " : "there is none", b.n ? b.p : "");
	axt_buf_release(&b);
	axt_about(&g->err, AXT_NO_NAME, name, e->from);
	for (int i = 0; i < o.n; i++)
		if (o.e[i]->kind == AXT_NODE_PLACE)
			axt_about_among(&g->err, o.e[i]->u.place);
	return axt_node_failed(g);
}

struct axt_expr *
axt_bind(struct axt_graph *g, struct axt_expr *e, int n, const char *const name[],
    struct axt_expr *const value[])
{
	struct axt_binding *b = axt_alloc(g->m, (size_t)n * sizeof(*b) + 1);
	bool *used = axt_alloc(g->m, (size_t)n + 1);
	struct axt_expr *y;

	if (axt_refused(g, e) || !b || !used)
		return axt_node_failed(g);
	for (int i = 0; i < n; i++) {
		if (axt_refused(g, value[i]))
			return axt_node_failed(g);
		b[i] = (struct axt_binding){ name[i], value[i], &used[i] };
		for (int k = 0; k < i; k++)
			if (strcmp(name[k], name[i]) == 0) {
				axt_fail(&g->err, AXT_E_ARG, "\"%s\" is bound twice",
				    axt_escape(g->m, name[i]));
				axt_about(&g->err, AXT_TWICE, name[i], NULL);
				return axt_node_failed(g);
			}
	}
	y = axt_unify_bound(g, e, b, n);
	for (int i = 0; i < n; i++)
		if (!axt_bad(y) && !used[i])
			return not_there(g, e, name[i]);
	if (axt_bad(y))
		return y;
	y = axt_relabel(g, y, &e->axes, axt_identity); /* with its coordinates and attributes */
	axt_dress(g, &y, e);
	return y;
}
