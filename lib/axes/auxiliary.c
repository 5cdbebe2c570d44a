/*
 * auxiliary.c - lists of auxiliary datasets: which of two lists go on, and which belong to an axis.
 */
#include "axes/axes.h"

bool
axt_is_bounds(const struct axt_attr *l, const struct axt_aux *x)
{
	const char *name = axt_attr_text(l, "bounds");

	name = name ? name : axt_attr_text(l, "climatology");
	return name && strcmp(name, x->name) == 0 && !x->text &&
	    axt_dtypes[x->dtype].cls != AXT_CLASS_COMPLEX;
}

int
axt_coord_decode(struct axt_arena *m, const char *name, struct axt_coord *c, struct axt_err *e)
{
	enum axt_dtype t = axt_with_sign(c->attrs, c->dtype), to;
	struct axt_packing p;
	void *v;

	if (c->text || t == AXT_BOOL || axt_dtypes[t].cls == AXT_CLASS_COMPLEX)
		return 0;
	axt_packing_read(m, c->attrs, t, &p);
	if (p.wrong)
		return axt_fail(e, AXT_E_ARG, "\"%s\" cannot be unpacked: %s", axt_escape(m, name),
		    p.wrong);
	c->dtype = t;
	if (!p.scaled && !p.missing)
		return 0;
	to = axt_unpacked_dtype(t, &p);
	v = axt_alloc(m, (size_t)c->n * (size_t)axt_size(to) + 1);
	if (!v)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	axt_unpack_values(v, to, c->data, t, c->n, &p);
	c->dtype = to;
	c->data = v;
	return 0;
}

const struct axt_aux *
axt_aux_find(const struct axt_aux *l, const char *name)
{
	for (; l; l = l->next)
		if (strcmp(l->name, name) == 0)
			return l;
	return NULL;
}

bool
axt_aux_apart(const struct axt_aux *x)
{
	for (int i = 0; i < x->axes.n; i++)
		if (!x->own[i])
			return false;
	return true;
}

bool
axt_aux_differ(struct axt_arena *m, const struct axt_aux *a, const struct axt_aux *b)
{
	struct axt_coord ca = { a->text, a->dtype, 1, a->data, a->attrs, NULL, NULL, NULL },
			 cb = { b->text, b->dtype, 1, b->data, b->attrs, NULL, NULL, NULL };
	struct axt_axis x = { .name = a->name, .coord = &ca },
			y = { .name = b->name, .coord = &cb }, met;
	struct axt_err e = { 0 };

	if (a->axes.n != b->axes.n || a->text != b->text || axt_aux_apart(a) != axt_aux_apart(b))
		return true;
	if (!axt_aux_apart(a))
		/* their axes have been compared already: the first operand's is taken */
		return false;
	if (!axt_axes_same(&a->axes, &b->axes) || !axt_axes_count(&a->axes, &ca.n))
		return true;
	x.len = y.len = cb.n = ca.n;
	return axt_axis_meet(m, &x, &y, NULL, &met, &e) != 0;
}

bool
axt_aux_shadowed(const struct axt_aux *l, const struct axt_aux *x, const struct axt_axes *axes)
{
	if (!axt_aux_apart(x))
		return false;
	if (x->axes.n == 0 && axt_axes_find(axes, &(struct axt_axis){ .name = x->name }) >= 0)
		return true;
	for (; l; l = l->next)
		if (l->axes.n == 0 && l != x && axt_is_bounds(l->attrs, x) &&
		    axt_axes_find(axes, &(struct axt_axis){ .name = l->name }) >= 0)
			return true;
	return false;
}

struct axt_aux *
axt_aux_add(struct axt_arena *m, const struct axt_aux *x, struct axt_aux ***tail)
{
	struct axt_aux *c = axt_alloc(m, sizeof(*c));

	if (!c)
		return NULL;
	*c = *x;
	c->next = NULL;
	**tail = c;
	*tail = &c->next;
	return c;
}

int
axt_aux_merge(struct axt_arena *m, const struct axt_aux *a, const struct axt_aux *b,
    const struct axt_axes *axes, const struct axt_aux **out, struct axt_err *e)
{
	const struct axt_aux *list[2] = { a, b };
	struct axt_aux *head = NULL, **tail = &head;

	for (int k = 0; k < 2; k++)
		for (const struct axt_aux *x = list[k]; x; x = x->next) {
			const struct axt_aux *y = axt_aux_find(list[!k], x->name);

			if (axt_aux_shadowed(list[k], x, axes))
				continue;
			if (y && !axt_aux_shadowed(list[!k], y, axes) &&
			    (k == 1 || axt_aux_differ(m, x, y)))
				continue;
			if (!axt_aux_add(m, x, &tail))
				return axt_fail(e, AXT_E_MEM, "out of memory");
		}
	*out = head;
	return 0;
}

int
axt_aux_leave(struct axt_arena *m, const char *name, const struct axt_aux **list,
    const struct axt_attr **attrs, struct axt_err *e)
{
	const struct axt_aux *own = axt_aux_find(*list, name);
	const struct axt_attr *of = own ? own->attrs : NULL;
	struct axt_aux *head = NULL, **tail = &head;

	for (const struct axt_aux *x = *list; x; x = x->next)
		if (strcmp(x->name, name) != 0 && !axt_is_bounds(of, x) &&
		    !axt_aux_add(m, x, &tail))
			return axt_fail(e, AXT_E_MEM, "out of memory");
	*list = head;
	*attrs = axt_coordinates_less(m, *attrs, name);
	return 0;
}

/* The string that n pieces make, without blanks at its end. */
static const char *
joined(struct axt_arena *m, const char *const *piece, int64_t n)
{
	struct axt_buf b = { 0 };

	for (int64_t i = 0; i < n; i++)
		axt_buf_adds(&b, piece[i]);
	while (b.n > 0 && b.p[b.n - 1] == ' ')
		b.p[--b.n] = '\0';
	return axt_buf_text(m, &b);
}

bool
axt_coord_equal(const struct axt_coord *a, const struct axt_coord *b)
{
	if (!a || !b || !a->data || !b->data)
		return (a && a->data) == (b && b->data);
	if (a->text != b->text || a->dtype != b->dtype || a->n != b->n)
		return false;
	if (!a->text)
		return memcmp(a->data, b->data, (size_t)a->n * (size_t)axt_size(a->dtype)) == 0;
	for (int64_t i = 0; i < a->n; i++)
		if (strcmp(((const char *const *)a->data)[i], ((const char *const *)b->data)[i]))
			return false;
	return true;
}

bool
axt_aux_same(const struct axt_aux *a, const struct axt_aux *b)
{
	struct axt_coord x = { .text = a->text, .dtype = a->dtype, .data = a->data };
	struct axt_coord y = { .text = b->text, .dtype = b->dtype, .data = b->data };

	if (strcmp(a->name, b->name) != 0 || !axt_axes_same(&a->axes, &b->axes) ||
	    !axt_axes_count(&a->axes, &x.n) || !axt_axes_count(&b->axes, &y.n))
		return false;
	for (int k = 0; k < a->axes.n; k++)
		if (a->axes.a[k].len != b->axes.a[k].len)
			return false;
	return axt_coord_equal(&x, &y);
}

bool
axt_axes_over(const struct axt_axes *of, const struct axt_axes *x, struct axt_axes *as)
{
	struct axt_axes met = *of;

	for (int i = 0; i < of->n; i++) {
		int k = axt_axes_find(x, &of->a[i]);

		if (k < 0 || x->a[k].len != of->a[i].len)
			return false;
		met.a[i] = x->a[k];
	}
	if (as)
		*as = met;
	return of->n > 0;
}

int
axt_aux_strings(struct axt_arena *m, const struct axt_axis *along, const struct axt_aux *x,
    struct axt_coord *c, struct axt_err *e)
{
	const struct axt_axes *over = &x->axes;
	int64_t n = over->n == 2 && x->own[1] ? over->a[1].len : over->n == 1, len;
	const char **s;

	if (!x->text || n == 0 || x->own[0] || !axt_axis_same(&over->a[0], along) ||
	    over->a[0].len != along->len)
		return 0;
	len = along->len;
	s = axt_alloc(m, ((size_t)len + 1) * sizeof(*s));
	for (int64_t k = 0; s && k < len; k++)
		if (!(s[k] = joined(m, (const char *const *)x->data + k * n, n)))
			s = NULL;
	if (!s)
		return axt_fail(e, AXT_E_MEM, "out of memory"), -1;
	*c = (struct axt_coord){ .text = true, .n = len, .data = s, .attrs = x->attrs };
	return 1;
}
