/*
 * view.c - selection along one axis: which positions, in which order, how often. The same is
 * selected of coordinates and auxiliary datasets.
 */
#include <math.h>
#include <stdlib.h>

#include "axes/keys.h"
#include "expr/inner.h"

/* ---- coordinates and auxiliary datasets ---- */

struct axt_aux *
axt_aux_take(struct axt_graph *g, const struct axt_aux *x, int k, const struct axt_span *span,
    int nspans, const struct axt_axis *as)
{
	struct axt_aux *c = axt_alloc(g->m, sizeof(*c));
	size_t size = x->text ? sizeof(char *) : (size_t)axt_size(x->dtype), row = size;
	int64_t outer = 1, n = 0;
	uint8_t *to;

	for (int i = 0; i < k; i++)
		outer *= x->axes.a[i].len;
	for (int i = k + 1; i < x->axes.n; i++)
		row *= (size_t)x->axes.a[i].len;
	for (int s = 0; s < nspans; s++)
		n += span[s].len;
	to = axt_alloc(g->m, (size_t)(outer * n) * row + 1);
	if (!c || !to)
		return NULL;
	*c = *x;
	c->data = to;
	for (int64_t o = 0; o < outer; o++)
		for (int s = 0; s < nspans; s++)
			for (int64_t i = 0; i < span[s].len; i++, to += row)
				memcpy(to,
				    (const uint8_t *)x->data +
					(size_t)(o * x->axes.a[k].len + span[s].start +
					    i * span[s].step) *
					    row,
				    row);
	if (as) {
		c->axes.a[k] = *as;
		return c;
	}
	c->axes.n--;
	for (int i = k; i < c->axes.n; i++) {
		c->axes.a[i] = c->axes.a[i + 1];
		c->own[i] = c->own[i + 1];
	}
	return c;
}

const struct axt_attr *
axt_add_coordinate(struct axt_graph *g, const struct axt_attr *l, const char *name)
{
	const char *old = axt_attr_text(l, "coordinates");
	struct axt_attr a = { .name = "coordinates", .kind = AXT_ATTR_TEXT };

	for (const char *p = old; p && (p = strstr(p, name)); p++)
		if ((p == old || p[-1] == ' ') && strcspn(p, " ") == strlen(name))
			return l; /* it is named already */
	a.text = old && *old ? axt_sprintf(g->m, "%s %s", old, name) : name;
	return a.text ? axt_attr_set(g->m, l, &a) : l;
}

/*
 * Keeps the coordinate at position i of an axis that is dropped, as an auxiliary dataset of rank 0.
 * It is stored as in the file, as all auxiliary datasets are.
 */
static int
keep_coordinate(struct axt_graph *g, struct axt_meta *m, const struct axt_axis *x, int64_t i)
{
	const struct axt_coord *old;
	struct axt_aux *c;
	size_t size;

	if (!x->coord || !x->coord->data || x->level != 0)
		return 0;
	old = axt_coord_as_stored(g->m, x->coord);
	c = axt_alloc(g->m, sizeof(*c));
	if (!c || !old)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	size = old->text ? sizeof(char *) : (size_t)axt_size(old->dtype);
	*c = (struct axt_aux){ .name = x->name,
		.dtype = old->dtype,
		.text = old->text,
		.data = (const uint8_t *)old->data + (size_t)i * size,
		.attrs = old->attrs,
		.next = (struct axt_aux *)m->aux };
	m->aux = c;
	m->attrs = axt_add_coordinate(g, m->attrs, x->name);
	return 0;
}

/* What is selected along an axis. The axis becomes *as; as NULL drops it. */
struct taking {
	const struct axt_span *span;
	int nspans;
	const struct axt_axis *as;
};

static struct axt_aux *
take(struct axt_graph *g, const struct axt_aux *x, int k, const void *ctx)
{
	const struct taking *t = ctx;

	return axt_aux_take(g, x, k, t->span, t->nspans, t->as);
}

static const struct axt_meta *
meta_take(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_span *span,
    int nspans, const struct axt_axis *as)
{
	const struct axt_axis *axis = &a->axes.a[i];
	struct axt_meta *m = axt_meta_along(g, a->meta, axis, take,
	    &(struct taking){ span, nspans, as });

	if (!m || (!as && nspans && keep_coordinate(g, m, axis, span[0].start)))
		return NULL;
	return m;
}

/* ---- one axis ---- */

struct axt_expr *
axt_view_axis(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_span *span,
    int nspans, const struct axt_axis *as)
{
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	struct axt_sel *s = axt_alloc(g->m, sizeof(*s));
	int64_t from[AXT_MAX_RANK] = { 0 };
	struct axt_axes x = { 0 };
	int src[AXT_MAX_RANK];
	struct axt_expr *e;
	bool whole;

	if (!s || !axt_sel_spans(g->m, s, span, nspans))
		return axt_graph_fail(g, AXT_E_LIMIT, "too many pieces of axis \"%s\" of %s",
		    axt_escape(g->m, a->axes.a[i].name), a->from);
	for (int k = 0; k < a->axes.n; k++) {
		if (k == i && !as)
			continue;
		x.a[x.n] = k == i ? *as : a->axes.a[k];
		sel[x.n] = k == i ? s : NULL;
		src[x.n++] = k;
	}
	if (as && (as->len != s->len || axt_axes_check_unique(g->m, &x, &g->err)))
		return axt_node_failed(g);
	whole = as && s->n == 1 && s->span[0].start == 0 && s->span[0].step == 1 &&
	    s->len == a->axes.a[i].len;
	if (!as)
		from[i] = span[0].start;
	e = axt_view_node(g, a, &x, src, whole || !as ? NULL : sel, as ? NULL : from);
	if (axt_bad(e))
		return e;
	e->meta = meta_take(g, a, i, span, nspans, as);
	return e->meta ? e : axt_node_failed(g);
}

int
axt_view_find(struct axt_graph *g, const struct axt_expr *a, const char *name)
{
	struct axt_axes one;
	int i;

	if (axt_axes_parse(g->m, name, false, &one, NULL, &g->err))
		return -1;
	if (one.n != 1)
		return axt_not_one_axis(g, name), -1;
	i = axt_axes_find(&a->axes, &one.a[0]);
	if (i < 0)
		axt_axes_unknown_in(g->m, &a->axes, &one.a[0], a->from, &g->err);
	return i;
}

/*
 * Gives the hint for a word that is no spec. "lat>0", "time[0:10]" and "time:3", as others would
 * type it, are shown as axt wants them.
 */
static void
hint_spec(struct axt_graph *g, const char *spec, const char *marks)
{
	const char *name = axt_strndup(g->m, spec, strcspn(spec, "<>[:"));
	const char *op = spec + strcspn(spec, "<>[:"), *value = *op ? op + 1 : op;
	size_t n = strcspn(value, "]");

	name = name && *name ? axt_escape(g->m, name) : NULL;
	if (!name || strspn(spec, "0123456789:-,") == strlen(spec))
		axt_hint(&g->err, "the name of an axis stands first, such as time%c%s", *marks,
		    axt_escape(g->m, spec));
	else if (strchr("<>", *op) && *op && strchr(marks, '@'))
		axt_hint(&g->err, *op == '<' ? "%s@:%s" : "%s@%s:", name,
		    axt_escape(g->m, value + strspn(value, "= ")));
	else if (*op && !strchr("<>", *op) && n > 0)
		axt_hint(&g->err, "%s%c%.*s", name, *marks, (int)n, axt_escape(g->m, value));
	else
		axt_hint(&g->err, "%s%c1 is one", name, *marks);
}

const char *
axt_view_spec(struct axt_graph *g, const char *spec, const char *marks, char *mark, char **name)
{
	const char *p = spec;

	while (*p && !strchr(marks, *p))
		p += *p == '\\' && p[1] ? 2 : 1;
	if (!*p || p == spec || p[-1] == '<' || p[-1] == '>') {
		axt_no_form(g, spec, *marks == '=' ? "AXIS=..." : "AXIS@...");
		if (*spec)
			hint_spec(g, spec, marks);
		return NULL;
	}
	*mark = *p;
	*name = axt_strndup(g->m, spec, (size_t)(p - spec));
	if (!*name)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return *name ? p + 1 : NULL;
}

int
axt_view_rest(struct axt_graph *g, const struct axt_expr *a, const char *spec, const char **rest)
{
	char mark, *name;

	*rest = axt_view_spec(g, spec, "=", &mark, &name);
	return *rest ? axt_view_find(g, a, name) : -1;
}

/*
 * Shifts the bounds of longitudes by 360 degrees wherever their coordinates were shifted, because a
 * range went across the seam of the circle.
 */
static int
turn_bounds(struct axt_graph *g, const struct axt_meta *m, const struct axt_axis *as,
    const int64_t *turns)
{
	for (struct axt_aux *x = (struct axt_aux *)m->aux; x; x = x->next) {
		struct axt_coord c = { .dtype = x->dtype, .data = x->data };
		const struct axt_coord *moved;

		if (!axt_is_bounds(as->coord->attrs, x) || axt_axes_find(&x->axes, as) != 0)
			continue;
		axt_axes_count(&x->axes, &c.n);
		if (axt_coord_turn(g->m, &c, turns, c.n / as->len, &moved))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		x->dtype = moved->dtype;
		x->data = moved->data;
	}
	return 0;
}

/* Fails because positions were typed for a field of dates. */
static struct axt_expr *
no_positions(struct axt_graph *g, const char *name, const char *rest)
{
	axt_fail(&g->err, AXT_E_SYNTAX,
	    "\"%s\" is a field of dates, which has values and no positions",
	    axt_escape(g->m, name));
	axt_about(&g->err, AXT_BAD_POSITION, rest, name);
	axt_hint(&g->err, "%s@%s", axt_escape(g->m, name), axt_escape(g->m, rest));
	return axt_node_failed(g);
}

struct axt_expr *
axt_slice(struct axt_graph *g, struct axt_expr *a, const char *spec, bool nearest)
{
	struct axt_selection s;
	struct axt_axis as;
	struct axt_expr *e;
	const char *rest, *doubt;
	char mark, *name;
	int i = 0, field;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	rest = axt_view_spec(g, spec, "=@", &mark, &name);
	field = rest ? axt_axes_field(g->m, &a->axes, name, &i) : -1;
	if (field >= 0 && mark == '=')
		return no_positions(g, name, rest);
	if (!rest || (field < 0 && (i = axt_view_find(g, a, name)) < 0))
		return axt_node_failed(g);
	as = a->axes.a[i];
	if (field >= 0 ? axt_select_field(g->m, &as, field, rest, a->from, &s, &g->err)
		       : axt_select(g->m, &as, rest, mark == '@', nearest, a->from, &s, &g->err))
		return axt_node_failed(g);
	doubt = s.beyond  ? s.beyond
	    : mark == '=' ? axt_positions_doubt(g->m, &as, rest, a->from, &s)
	    : field < 0   ? axt_dates_doubt(g->m, &as, rest, &s)
			  : NULL;
	if (doubt)
		axt_warn(g, "%s", doubt);
	as.len = s.len;
	as.coord = s.coord;
	as.parts = NULL;
	e = axt_view_axis(g, a, i, s.span, s.nspans, s.drop ? NULL : &as);
	if (!axt_bad(e) && s.turns && turn_bounds(g, e->meta, &as, s.turns))
		return axt_node_failed(g);
	return e;
}

/* Selects spans along axis i, with the coordinates that belong to them. */
static struct axt_expr *
by_spans(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_span *span, int n)
{
	struct axt_axis as = a->axes.a[i];

	as.len = 0;
	for (int k = 0; k < n; k++)
		as.len += span[k].len;
	if (axt_coord_take(g->m, as.coord, span, n, &as.coord))
		return axt_node_failed(g);
	return axt_view_axis(g, a, i, span, n, &as);
}

struct axt_expr *
axt_flip(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	struct axt_axes which;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, axes, false, &which, NULL, &g->err))
		return axt_node_failed(g);
	for (int k = 0; k < which.n && !axt_bad(a); k++) {
		int i = axt_axes_find(&a->axes, &which.a[k]);

		if (i < 0) {
			axt_axes_unknown_in(g->m, &a->axes, &which.a[k], a->from, &g->err);
			return axt_node_failed(g);
		}
		a = by_spans(g, a, i,
		    &(struct axt_span){ MAX(0, a->axes.a[i].len - 1), -1, a->axes.a[i].len }, 1);
	}
	return a;
}

/* Who shifts longitudes by more elements than there are counts most likely in degrees. */
static void
tell_degrees(struct axt_graph *g, const struct axt_axis *x, int64_t by)
{
	const char *name = axt_escape(g->m, axt_axis_spell(g->m, x));
	double elements = (double)by * (double)x->len / 360;

	if (x->len > 0 && (by >= x->len || by <= -x->len) && x->coord && axt_axis_circle(x) &&
	    elements == floor(elements))
		axt_warn(g,
		    "%s=%lld is more than all of its %lld elements: %lld degrees are %s=%.0f", name,
		    (long long)by, (long long)x->len, (long long)by, name, elements);
}

struct axt_expr *
axt_shift(struct axt_graph *g, struct axt_expr *a, const char *spec, bool fixed)
{
	struct axt_expr *e;
	const char *rest;
	int64_t by, n;
	int i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if ((i = axt_view_rest(g, a, spec, &rest)) < 0)
		return axt_node_failed(g);
	if (!axt_parse_int(rest, INT64_MIN + 1, INT64_MAX, &by)) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not a whole number of places",
		    axt_escape(g->m, rest));
		axt_about(&g->err, AXT_BAD_NUMBER, rest, spec);
		return axt_node_failed(g);
	}
	n = a->axes.a[i].len;
	tell_degrees(g, &a->axes.a[i], by);
	by = n ? (by % n + n) % n : 0;
	e = by_spans(g, a, i, (struct axt_span[]){ { n - by, 1, by }, { 0, 1, n - by } }, 2);
	if (fixed && axt_dress(g, &e, a))
		e->axes.a[i].coord = a->axes.a[i].coord;
	return e;
}

/* ---- the kind ---- */

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	int n = e->axes.n, na = e->arg[0]->axes.n;

	if (!f->field(f,
		AXT_FIELD(INTS, "src=", e->u.view.src, .n = &n, .fixed = true, .lo = -1,
		    .hi = na - 1)) ||
	    !axt_field_flag(f, "asked=", &e->asked))
		return false;
	if (!f->has(f, "from=", !axt_is_relabel(e)))
		return true;
	return f->field(f, AXT_FIELD(STARTS, "from=", &e->u.view.from, .n = &na)) &&
	    f->field(f, AXT_FIELD(SELS, "sel=", &e->u.view.sel, .n = &n));
}

/* Whether all positions that a view selects are within its argument. */
static bool
within(const struct axt_expr *d)
{
	const struct axt_axes *x = &d->axes, *of = &d->arg[0]->axes;

	for (int j = 0; j < of->n; j++) {
		int64_t lo = d->u.view.from ? d->u.view.from[j] : 0, hi = lo, p, q,
			len = of->a[j].len;
		bool none = false;

		for (int i = 0; i < x->n; i++) {
			const struct axt_sel *sel = d->u.view.sel ? d->u.view.sel[i] : NULL;

			if (d->u.view.src[i] != j)
				continue;
			none = none || x->a[i].len == 0;
			p = 0;
			q = x->a[i].len - 1;
			if (sel && sel->len)
				axt_sel_range(sel, 0, sel->len, &p, &q);
			if (lo < 0 || hi < 0 || p < 0 || q >= MAX(len, 1) || hi > INT64_MAX / 4)
				return none;
			lo += p;
			hi += q;
		}
		if (!none && (lo < 0 || hi >= len))
			return false;
	}
	return true;
}

/* Whether a list of axes names each axis of the argument once. */
static bool
names_all(const struct axt_expr *d)
{
	bool met[AXT_MAX_RANK] = { false };
	int n = 0;

	for (int i = 0; i < d->axes.n; i++) {
		int j = d->u.view.src[i];

		if (j < 0)
			continue;
		if (met[j])
			return false;
		met[j] = true;
		n++;
	}
	return n == d->arg[0]->axes.n;
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	const struct axt_axes *x = &d->axes, *of = &d->arg[0]->axes;
	struct axt_expr *e;

	for (int i = 0; i < x->n; i++) {
		const struct axt_sel *sel = d->u.view.sel ? d->u.view.sel[i] : NULL;
		int j = d->u.view.src[i];

		if (sel ? sel->len != x->a[i].len : j >= 0 && of->a[j].len != x->a[i].len)
			return NULL;
	}
	if (!within(d) || (!d->u.view.sel && !d->u.view.from && !names_all(d)))
		return NULL;
	e = axt_view_node(g, d->arg[0], x, d->u.view.src,
	    (const struct axt_sel *const *)d->u.view.sel, d->u.view.from);
	if (!axt_bad(e))
		e->asked = d->asked;
	return e;
}

const struct axt_node_kind axt_node_view = {
	.min_args = 1, .max_args = 1, .fields = fields, .build = build
};
