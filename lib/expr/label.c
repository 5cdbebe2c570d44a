/*
 * label.c - nodes that move no value: order, broadcast, rename, cast,
 * transpose, dtype, attributes, name.
 */
#include "expr.h"

const int axt_identity[AXT_MAX_RANK] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
};

struct axt_expr *
axt_transpose(struct axt_graph *g, struct axt_expr *a)
{
	struct axt_axes x;

	if (axt_bad(a))
		return a;
	axt_axes_transpose(&a->axes, &x);
	return axt_relabel(g, a, &x, axt_identity);
}

struct axt_expr *
axt_order(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;
	int perm[AXT_MAX_RANK], rest;

	if (axt_bad(a))
		return a;
	if (axt_axes_parse(g->m, axes, false, &want, &rest, &g->err) ||
	    axt_axes_permute(g->m, &a->axes, &want, rest, perm, &g->err))
		return axt_node_failed(g);
	x.n = a->axes.n;
	for (int i = 0; i < x.n; i++)
		x.a[i] = a->axes.a[perm[i]];
	return axt_relabel(g, a, &x, perm);
}

struct axt_expr *
axt_broadcast(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;
	struct axt_expr *e;
	int src[AXT_MAX_RANK];

	if (axt_bad(a))
		return a;
	if (axt_axes_parse(g->m, axes, true, &want, NULL, &g->err) ||
	    axt_axes_override(g->m, &a->axes, &want, &x, &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < x.n; i++)
		src[i] = axt_axes_find(&a->axes, &x.a[i]);
	e = axt_relabel(g, a, &x, src);
	if (!axt_bad(e))
		e->asked = true;
	return e;
}

/* Auxiliary datasets follow a relabelling by position of the tensor's axes. */
static const struct axt_meta *
meta_renamed(struct axt_graph *g, const struct axt_meta *meta, const struct axt_axes *old,
    const struct axt_axes *new)
{
	struct axt_meta *m = axt_meta_copy(g, meta);
	struct axt_aux **tail;

	if (!m)
		return NULL;
	tail = (struct axt_aux **)&m->aux;
	for (const struct axt_aux *x = meta->aux; x; x = x->next) {
		struct axt_aux *c = axt_alloc(g->m, sizeof *c);

		if (!c)
			return NULL;
		*c = *x;
		for (int i = 0; i < c->axes.n; i++) {
			int k = c->own[i] ? -1 : axt_axes_find(old, &c->axes.a[i]);

			if (k >= 0)
				c->axes.a[i] = new->a[k];
		}
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	return m;
}

static struct axt_expr *
renamed(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x)
{
	struct axt_expr *e = axt_relabel(g, a, x, axt_identity);

	if (axt_bad(e))
		return e;
	e->meta = meta_renamed(g, a->meta, &a->axes, x);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_rename(struct axt_graph *g, struct axt_expr *a, const char *map)
{
	struct axt_axes x;

	if (axt_bad(a))
		return a;
	if (axt_axes_rename(g->m, &a->axes, map, &x, &g->err))
		return axt_node_failed(g);
	return renamed(g, a, &x);
}

struct axt_expr *
axt_cast_axes(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes want, x;

	if (axt_bad(a))
		return a;
	if (axt_axes_parse(g->m, axes, true, &want, NULL, &g->err) ||
	    axt_axes_cast(g->m, &a->axes, &want, &x, &g->err))
		return axt_node_failed(g);
	return renamed(g, a, &x);
}

/*
 * Numbers of another dtype are not those that packing tells of. What is no float any more has no
 * NaN for what is missing, as a file of it has not.
 */
static struct axt_expr *
as_numbers(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_meta *m;

	if (axt_bad(e))
		return e;
	m = axt_meta_copy(g, e->meta);
	if (!m)
		return axt_node_failed(g);
	m->attrs = axt_attrs_unpacked(g->m, m->attrs);
	m->missing = m->missing && axt_dtypes[e->dtype].cls == AXT_CLASS_FLOAT;
	e->meta = m;
	return e;
}

struct axt_expr *
axt_cast_dtype(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d, enum axt_overflow mode)
{
	if ((int)d < 0 || d >= AXT_NDTYPES)
		return axt_graph_fail(g, AXT_E_DTYPE, "no such dtype");
	if (!axt_bad(a) && a->kind == AXT_NODE_CONST && a->u.val.weak) {
		struct axt_expr *c = axt_node(g, AXT_NODE_CONST, d);

		if (axt_bad(c))
			return c;
		c->u.val = a->u.val;
		c->u.val.weak = false;
		if (axt_num_store(&a->u.val.num, d, c->u.val.bytes))
			return c;
	}
	return axt_bad(a) || a->dtype == d ? a
	    : as_numbers(g, axt_conv(g, a, d, mode));
}

struct axt_expr *
axt_set_name(struct axt_graph *g, struct axt_expr *a, const char *name)
{
	struct axt_expr *e;
	struct axt_meta *m;

	if (axt_bad(a))
		return a;
	if (axt_name_check(name, "tensor", &g->err))
		return axt_node_failed(g);
	e = axt_relabel(g, a, &a->axes, axt_identity);
	m = axt_meta_copy(g, a->meta);
	if (axt_bad(e) || !m || !(m->name = axt_strdup(g->m, name)))
		return axt_node_failed(g);
	e->meta = m;
	return e;
}

/* Values of NAME:=1,2,3: integers stay i64 unless one has a fraction. */
static int
parse_numbers(struct axt_graph *g, const char *text, struct axt_attr *a)
{
	char *s = axt_strdup(g->m, text), *save = NULL;
	int64_t n = 1, k = 0;
	bool ints = true;
	double *f;
	int64_t *v;

	for (const char *p = text; *p; p++)
		n += *p == ',';
	f = axt_alloc(g->m, (size_t)n * sizeof *f);
	v = axt_alloc(g->m, (size_t)n * sizeof *v);
	if (!s || !f || !v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (char *w = strtok_r(s, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		struct axt_num x;

		if (!axt_parse_num(w, &x)) {
			char word[200];

			return axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not a number",
			    axt_escape_to(word, sizeof word, w));
		}
		ints = ints && x.is_int && !x.is_unsigned;
		f[k] = x.f;
		v[k++] = x.i;
	}
	a->kind = AXT_ATTR_NUM;
	a->dtype = ints ? AXT_I64 : AXT_F64;
	a->data = ints ? (const void *)v : (const void *)f;
	a->n = k;
	return k ? 0 : axt_fail(&g->err, AXT_E_SYNTAX, "no numbers in \"%s\"", text);
}

/*
 * [OBJECT:]NAME=TEXT or [OBJECT:]NAME:=NUMBERS. *object: NULL the tensor, ""
 * the file, else an axis.
 */
int
axt_attr_parse(struct axt_graph *g, const char *spec, const char **object, struct axt_attr *out)
{
	const char *eq = strchr(spec, '='), *name = spec, *colon, *end;
	bool numbers;

	*out = (struct axt_attr){ 0 };
	*object = NULL;
	if (!eq || eq == spec)
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "an attribute is set by NAME=TEXT or NAME:=NUMBERS, not \"%s\"",
		    axt_escape(g->m, spec));
	numbers = eq > spec && eq[-1] == ':';
	end = numbers ? eq - 1 : eq;
	colon = memchr(spec, ':', (size_t)(end - spec));
	if (colon) {
		*object = axt_strndup(g->m, spec, (size_t)(colon - spec));
		name = colon + 1;
	}
	out->name = axt_strndup(g->m, name, (size_t)(end - name));
	if (!out->name || (colon && !*object))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!*out->name)
		return axt_fail(&g->err, AXT_E_SYNTAX, "an attribute without a name: \"%s\"",
		    axt_escape(g->m, spec));
	if (numbers)
		return parse_numbers(g, eq + 1, out);
	out->kind = AXT_ATTR_TEXT;
	out->text = axt_strdup(g->m, eq + 1);
	return out->text ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The list with the attribute set, or without it when its text is empty. */
static const struct axt_attr *
edited(struct axt_graph *g, const struct axt_attr *l, const struct axt_attr *a)
{
	if (a->kind == AXT_ATTR_TEXT && !*a->text)
		return axt_attr_drop(g->m, l, a->name);
	return axt_attr_set(g->m, l, a);
}

static int
edit_axis(struct axt_graph *g, struct axt_axes *x, const char *object, const struct axt_attr *a,
    const char *from)
{
	struct axt_axes one;
	struct axt_coord *c;
	int i;

	if (axt_axes_parse(g->m, object, false, &one, NULL, &g->err))
		return g->err.code;
	i = one.n == 1 ? axt_axes_find(x, &one.a[0]) : -1;
	if (i < 0)
		return axt_fail(&g->err, AXT_E_NAME, "no axis \"%s\" in %s (%s)",
		    axt_escape(g->m, object), from, axt_axes_text(g->m, x));
	c = axt_alloc(g->m, sizeof *c);
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!x->a[i].coord)
		return axt_fail(&g->err, AXT_E_ARG,
		    "axis \"%s\" of %s has no coordinates to describe", axt_escape(g->m, object),
		    from);
	*c = *x->a[i].coord;
	c->attrs = edited(g, c->attrs, a);
	x->a[i].coord = c;
	return 0;
}

struct axt_expr *
axt_set_attr(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_attr *at = axt_alloc(g->m, sizeof *at);
	const char *object;
	struct axt_expr *e;
	struct axt_meta *m;

	if (axt_bad(a))
		return a;
	if (!at || axt_attr_parse(g, spec, &object, at))
		return axt_node_failed(g);
	at->typed = true;
	e = axt_relabel(g, a, &a->axes, axt_identity);
	m = axt_meta_copy(g, a->meta);
	if (axt_bad(e) || !m)
		return axt_node_failed(g);
	e->meta = m;
	if (!object)
		m->attrs = edited(g, m->attrs, at);
	else if (!*object)
		m->file_attrs = edited(g, m->file_attrs, at);
	else if (edit_axis(g, &e->axes, object, at, a->from))
		return axt_node_failed(g);
	return e;
}
