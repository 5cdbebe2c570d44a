/* attr.c - attributes of an expression, as users type them. */
#include "base/quote.h"
#include "expr/expr.h"

/*
 * The list l with attribute a, which keeps the shape (a number or a list) of the attribute of that
 * name that it replaces. An empty text removes the attribute.
 */
static const struct axt_attr *
edited(struct axt_graph *g, const struct axt_attr *l, const struct axt_attr *a)
{
	struct axt_attr shaped = *a;

	if (a->kind == AXT_ATTR_TEXT && !*a->text)
		return axt_attr_drop(g->m, l, a->name);
	axt_attr_shape_as(&shaped, axt_attr_find(l, a->name));
	return axt_attr_set(g->m, l, &shaped);
}

static int
edit_axis(struct axt_graph *g, struct axt_axes *x, const char *object, struct axt_attr *a,
    const char *numbers, const char *from)
{
	struct axt_axes one;
	struct axt_coord *c;
	int i;

	if (axt_axes_parse(g->m, object, false, &one, NULL, &g->err))
		return g->err.code;
	i = one.n == 1 ? axt_axes_find(x, &one.a[0]) : -1;
	if (i < 0)
		return one.n == 1 ? axt_axes_unknown_in(g->m, x, &one.a[0], from, &g->err)
				  : axt_not_one_axis(g, object);
	c = axt_alloc(g->m, sizeof(*c));
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!x->a[i].coord) {
		axt_fail(&g->err, AXT_E_ARG, "axis \"%s\" of %s has no coordinates to describe",
		    axt_escape(g->m, object), from);
		return axt_about(&g->err, AXT_UNLABELLED, object, from);
	}
	*c = *x->a[i].coord;
	if (numbers &&
	    axt_attr_numbers(g->m, numbers, c->text || !c->data ? AXT_DTYPE_AUTO : c->dtype,
		c->attrs, object, a, &g->err))
		return g->err.code;
	c->attrs = edited(g, c->attrs, a);
	x->a[i].coord = c;
	return 0;
}

/*
 * Sets an attribute that describes stored values. If the user removes _FillValue, no stored number
 * stands for missing values any more, and NaN does not mean missing either.
 */
static int
edit_stored(struct axt_graph *g, struct axt_meta *m, const struct axt_attr *a)
{
	struct axt_stored *s;

	if (strcmp(a->name, "_FillValue") == 0 && a->kind == AXT_ATTR_TEXT) {
		m->fill = NULL;
		m->missing = false;
	}
	if (!m->stored) {
		m->attrs = edited(g, m->attrs, a);
		return 0;
	}
	s = axt_alloc(g->m, sizeof(*s));
	if (!s)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*s = *m->stored;
	s->attrs = edited(g, s->attrs, a);
	m->stored = s;
	return 0;
}

struct axt_expr *
axt_attr_put(struct axt_graph *g, struct axt_expr *a, const char *object, struct axt_attr *at,
    const char *numbers)
{
	struct axt_expr *e, *y = axt_as_stored(g, a);
	struct axt_meta *m;

	if (axt_bad(y))
		return y;
	if (numbers && !object && strcmp(at->name, "_FillValue") == 0)
		return axt_set_missing(g, a, numbers, false);
	if (numbers && (!object || !*object) &&
	    axt_attr_numbers(g->m, numbers, object ? AXT_DTYPE_AUTO : y->dtype,
		object ? y->meta->file_attrs : y->meta->attrs, a->from, at, &g->err))
		return axt_node_failed(g);
	at->typed = true;
	e = a;
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	if (!object && axt_is_packing(at->name)) {
		m->stored = y == a ? NULL : m->stored;
		if (edit_stored(g, m, at))
			return axt_node_failed(g);
	} else if (!object)
		m->attrs = edited(g, m->attrs, at);
	else if (!*object)
		m->file_attrs = edited(g, m->file_attrs, at);
	else if (edit_axis(g, &e->axes, object, at, numbers, a->from))
		return axt_node_failed(g);
	return e;
}

const char *
axt_attr_undotted(struct axt_graph *g, const struct axt_axes *x, const char *tensor,
    const struct axt_attr *l, const char *name)
{
	const char *dot = strchr(name, '.');
	size_t n = dot ? (size_t)(dot - name) : 0;

	if (n == 0 || dot[1] == '\0' || axt_attr_find(l, name))
		return NULL;
	if (tensor && strlen(tensor) == n && strncmp(tensor, name, n) == 0)
		return dot + 1;
	for (int i = 0; i < x->n; i++) {
		const char *axis = axt_axis_spell(g->m, &x->a[i]);

		if (axis && strlen(axis) == n && strncmp(axis, name, n) == 0)
			return axt_sprintf(g->m, "%s:%s", axis, dot + 1);
	}
	return NULL;
}

struct axt_expr *
axt_set_attr(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_attr *at = axt_alloc(g->m, sizeof(*at));
	const char *object, *numbers, *meant;

	if (axt_refused(g, a) || !at || axt_attr_parse(g->m, spec, &object, at, &numbers, &g->err))
		return axt_node_failed(g);
	if (!object && a->meta &&
	    (meant = axt_attr_undotted(g, &a->axes, a->meta->name, a->meta->attrs, at->name)))
		return axt_graph_fail(g, AXT_E_NAME,
		    "\"%s\" would be an attribute of %s with a dot in its name: the other is %s",
		    axt_escape(g->m, at->name), a->from, axt_escape(g->m, meant));
	return axt_attr_put(g, a, object, at, numbers);
}
