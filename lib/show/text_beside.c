/*
 * text_beside.c - columns of a table for what lies along one axis of its tensors: text that was
 * asked for, and what belongs to a tensor, such as the names and places of stations.
 */
#include <stdlib.h>

#include "show/text.h"

/* How many pieces make a string of text along one axis, 0 for numbers; -1: it is no column. */
static int64_t
pieces(const struct axt_aux *x)
{
	if (x->axes.n < 1 || x->axes.n > 2 || x->own[0] || !x->data ||
	    (x->axes.n == 2 && !(x->text && x->chars && x->own[1])))
		return -1;
	return x->axes.n == 2 ? x->axes.a[1].len : x->text;
}

bool
axt_beside_any(const struct axt_axes *x, const struct axt_aux *given, int n)
{
	for (int i = 0; i < n; i++)
		if (axt_axes_find(x, &given[i].axes.a[0]) >= 0)
			return true;
	return false;
}

/* Whether a column shows that dataset: what was asked for is not shown twice. */
static bool
is_shown(const struct axt_beside *c, int n, const struct axt_aux *x)
{
	for (int i = 0; i < n; i++)
		if (strcmp(c[i].x->name, x->name) == 0)
			return true;
	return false;
}

/* Fills the column, if x lies along one of the axes. */
static bool
fill(struct axt_arena *m, const struct axt_axes *axes, const struct axt_aux *x,
    struct axt_beside *c, struct axt_err *e)
{
	*c = (struct axt_beside){ .x = x, .pieces = pieces(x), .axis = -1 };
	if (c->pieces > 0 || (c->pieces == 0 && axes->n == 1))
		c->axis = axt_axes_find(axes, &x->axes.a[0]);
	if (c->axis < 0)
		return false;
	c->name = axt_escape(m, x->name);
	if (c->pieces == 0) {
		c->c = (struct axt_coord){ .dtype = x->dtype,
			.n = x->axes.a[0].len,
			.data = x->data,
			.attrs = x->attrs };
		if (axt_coord_decode(m, x->name, &c->c, e))
			return false;
		axt_valfmt_init(&c->fmt, c->c.dtype, x->attrs, NULL, NULL);
	}
	return true;
}

struct axt_beside *
axt_beside_find(struct axt_arena *m, const struct axt_axes *x, const struct axt_beside_opts *o,
    int *n, struct axt_err *e)
{
	size_t most = (size_t)o->ngiven + 1;
	struct axt_beside *c;

	for (const struct axt_aux *a = o->aux; a; a = a->next)
		most++;
	c = calloc(most, sizeof(*c));
	*n = 0;
	if (!c) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int i = 0; i < o->ngiven; i++)
		*n += fill(m, x, &o->given[i], &c[*n], e);
	for (const struct axt_aux *a = o->aux; a; a = a->next)
		*n += !is_shown(c, *n, a) && fill(m, x, a, &c[*n], e);
	for (int i = 0; i < *n; i++)
		c[i].escape = o->escape;
	return c;
}

/* Adds string i, without the blanks that fill up characters. */
static void
add_text(struct axt_buf *b, const struct axt_aux *x, int64_t i, int64_t n, bool quote, bool escape)
{
	const char *const *s = x->data;
	struct axt_buf c = { 0 };
	char name[1024];

	for (int64_t k = 0; k < n; k++)
		axt_buf_adds(&c, s[i * n + k]);
	while (x->chars && c.n > 0 && c.p[c.n - 1] == ' ')
		c.p[--c.n] = '\0';
	b->bad = b->bad || c.bad;
	if (!c.bad && quote && !escape) {
		axt_csv_add(b, c.p ? c.p : "");
	} else if (!c.bad) {
		axt_escape_to(name, sizeof(name), c.p ? c.p : "");
		if (quote)
			axt_csv_add(b, name);
		else
			axt_buf_adds(b, name);
	}
	axt_buf_release(&c);
}

void
axt_beside_add(struct axt_buf *b, const struct axt_beside *c, int64_t i, bool quote)
{
	if (c->pieces > 0)
		add_text(b, c->x, i, c->pieces, quote, c->escape);
	else
		axt_valfmt_add(b, &c->fmt, (const char *)c->c.data + i * axt_size(c->c.dtype));
}

void
axt_beside_free(struct axt_beside *c, int n)
{
	for (int k = 0; k < n; k++)
		if (c[k].pieces == 0)
			axt_valfmt_release(&c[k].fmt);
	free(c);
}
