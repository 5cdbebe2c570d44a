/* reshape.c - axes flattened into one, taken apart, dropped and added. */
#include "expr/expr.h"

#define ALL INT32_MIN /* marks the axis with all elements, between one shape and the next */

/*
 * The meta of a after axes [at, at + n) became the axis `as`. Auxiliary datasets along all of these
 * axes, neighbours in the same order, are flattened, too; those along only some of them are left
 * out.
 */
static const struct axt_meta *
meta_flatten(struct axt_graph *g, const struct axt_expr *a, int at, int n,
    const struct axt_axis *as)
{
	struct axt_meta *m = axt_meta_copy(g, a->meta);
	struct axt_aux *head = NULL, **tail = &head, *c;

	if (!m)
		return NULL;
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next) {
		int some = 0, row = 0, first = -1;

		for (int k = 0; k < n; k++) {
			int i = axt_axes_find(&x->axes, &a->axes.a[at + k]);

			some += i >= 0 && !x->own[i];
			first = k == 0 ? i : first;
			row += i >= 0 && i == first + k;
		}
		if (some && (some < n || row < n))
			continue;
		if (!(c = axt_alloc(g->m, sizeof(*c))))
			return NULL;
		*c = *x;
		if (some) {
			c->axes.n -= n - 1;
			c->axes.a[first] = *as;
			for (int i = first + 1; i < c->axes.n; i++) {
				c->axes.a[i] = x->axes.a[i + n - 1];
				c->own[i] = x->own[i + n - 1];
			}
		}
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	m->aux = head;
	return m;
}

/* Flattens axes [at, at + n) into one, whose name is made of theirs if name is NULL. */
static struct axt_expr *
flatten_range(struct axt_graph *g, struct axt_expr *a, int at, int n, const struct axt_axis *name)
{
	struct axt_buf b = { 0 }, parts = { 0 };
	struct axt_axis as = { .level = 0, .len = 1, .from = a->from };
	struct axt_axes x = { 0 };
	struct axt_expr *e;

	for (int k = 0; k < n; k++) {
		const struct axt_axis *p = &a->axes.a[at + k];
		const char *word = axt_axis_spell(g->m, p);

		axt_buf_addf(&b, "%s%s", k ? "." : "", p->name);
		axt_buf_addf(&parts, "%s%s:%lld", k ? "," : "", word ? word : "",
		    (long long)p->len);
		if (!axt_mul(as.len, p->len, &as.len))
			axt_fail(&g->err, AXT_E_LIMIT, "the result has more than 2^63 elements");
	}
	as.name = axt_buf_text(g->m, &b);
	as.parts = axt_buf_text(g->m, &parts);
	if (name) {
		as.name = name->name;
		as.level = name->level;
	}
	if (!as.name || !as.parts || g->err.code)
		return axt_node_failed(g);
	for (int i = 0; i < a->axes.n; i++)
		if (i <= at || i >= at + n)
			x.a[x.n++] = i == at ? as : a->axes.a[i];
	if (axt_axes_check_unique(g->m, &x, &g->err))
		return axt_node_failed(g);
	e = n == 1 ? axt_relabel(g, a, &x, axt_identity) : axt_flatten_node(g, a, &x, at, n);
	if (axt_bad(e))
		return e;
	e->meta = meta_flatten(g, a, at, n, &as);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_flatten(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_axes which, name, order;
	bool named[AXT_MAX_RANK] = { false };
	int perm[AXT_MAX_RANK], first = AXT_MAX_RANK, n = 0;
	const char *p = spec;
	char *list;
	struct axt_expr *e;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	while (*p && *p != '=')
		p += *p == '\\' && p[1] ? 2 : 1;
	list = axt_strndup(g->m, spec, (size_t)(p - spec));
	if (!list || axt_axes_parse(g->m, list, false, &which, NULL, &g->err) ||
	    (*p && axt_axes_parse(g->m, p + 1, false, &name, NULL, &g->err)))
		return axt_node_failed(g);
	if (which.n == 0 || (*p && name.n != 1)) {
		axt_no_form(g, spec, "A,B,...[=NAME]");
		return axt_node_failed(g);
	}
	for (int k = 0; k < which.n; k++) {
		int i = axt_axes_find(&a->axes, &which.a[k]);

		if (i < 0) {
			axt_axes_unknown_in(g->m, &a->axes, &which.a[k], a->from, &g->err);
			return axt_node_failed(g);
		}
		named[i] = true;
		first = MIN(first, i);
		perm[k] = i;
	}
	/*
	 * the axes to be flattened are put together, in the order in which they were named, at the
	 * place of the one that comes first
	 */
	for (int i = 0; i < a->axes.n; i++) {
		if (i == first)
			for (int k = 0; k < which.n; k++)
				order.a[n++] = a->axes.a[perm[k]];
		if (!named[i])
			order.a[n++] = a->axes.a[i];
	}
	order.n = n;
	if (axt_axes_permute(g->m, &a->axes, &order, -1, perm, &g->err))
		return axt_node_failed(g);
	e = axt_relabel(g, a, &order, perm);
	return axt_bad(e) ? e : flatten_range(g, e, first, which.n, *p ? &name.a[0] : NULL);
}

/* "A:2,B:3" as a list of axes. */
static int
parse_parts(struct axt_graph *g, const char *text, struct axt_axes *out)
{
	char *s = axt_strdup(g->m, text);

	if (!s)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (char *p = s; *p; p++) { /* the list's own form is A=2,B=3 */
		if (*p == '\\' && p[1])
			p++;
		else if (*p == ':')
			*p = '=';
	}
	return axt_axes_parse(g->m, s, true, out, NULL, &g->err);
}

static struct axt_expr *
two_lack(struct axt_graph *g, const char *one, const char *other)
{
	axt_fail(&g->err, AXT_E_AXES, "axes \"%s\" and \"%s\" lack lengths", axt_escape(g->m, one),
	    axt_escape(g->m, other));
	axt_about(&g->err, AXT_BAD_WORD, one, "AXIS:LEN");
	axt_hint(&g->err, "of the axes one alone may lack a length: %s:LEN", axt_escape(g->m, one));
	return axt_node_failed(g);
}

/* Axis i of a as the axes of `parts`, one of which may lack a length. */
static struct axt_expr *
split(struct axt_graph *g, struct axt_expr *a, int i, struct axt_axes *parts)
{
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	int64_t known = 1, weight;
	int open = -1, src[AXT_MAX_RANK];
	struct axt_axes x = { 0 };
	struct axt_expr *e;

	for (int k = 0; k < parts->n; k++) {
		if (parts->a[k].len < 0 && open >= 0)
			return two_lack(g, parts->a[open].name, parts->a[k].name);
		if (parts->a[k].len < 0)
			open = k;
		else if (!axt_mul(known, parts->a[k].len, &known))
			return axt_graph_fail(g, AXT_E_LIMIT,
			    "the axes have more than 2^63 elements");
	}
	if (open >= 0 && known > 0 && a->axes.a[i].len % known == 0) {
		parts->a[open].len = a->axes.a[i].len / known;
		known *= parts->a[open].len;
	}
	if (known != a->axes.a[i].len || (open >= 0 && parts->a[open].len < 0))
		return a->axes.a[i].level == ALL
		    ? axt_graph_fail(g, AXT_E_AXES, "%s has %lld elements, which cannot be axes %s",
			  a->from, (long long)a->axes.a[i].len, axt_axes_text(g->m, parts))
		    : axt_graph_fail(g, AXT_E_AXES,
			  "axis \"%s\" of %s has length %lld, its parts %s",
			  axt_escape(g->m, a->axes.a[i].name), a->from, (long long)a->axes.a[i].len,
			  axt_axes_text(g->m, parts));
	if (a->axes.n - 1 + parts->n > AXT_MAX_RANK)
		return axt_graph_fail(g, AXT_E_LIMIT, "more than %d axes", AXT_MAX_RANK);
	weight = a->axes.a[i].len;
	for (int d = 0; d < a->axes.n; d++) {
		if (d != i) {
			src[x.n] = d;
			x.a[x.n++] = a->axes.a[d];
		}
		for (int k = 0; d == i && k < parts->n; k++) {
			struct axt_sel *s = axt_alloc(g->m, sizeof(*s));
			int64_t len = parts->a[k].len;

			weight = len ? weight / len : 0;
			if (!s || !axt_sel_spans(g->m, s, &(struct axt_span){ 0, weight, len }, 1))
				return axt_node_failed(g);
			sel[x.n] = s;
			src[x.n] = i;
			x.a[x.n] = parts->a[k];
			x.a[x.n++].from = a->from;
		}
	}
	if (axt_axes_check_unique(g->m, &x, &g->err))
		return axt_node_failed(g);
	e = axt_view_node(g, a, &x, src, sel, NULL);
	if (axt_bad(e))
		return e;
	e->meta = axt_meta_along(g, a->meta, &a->axes.a[i], NULL, NULL);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_unflatten(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	struct axt_axes parts;
	const char *p = spec, *text;
	char *name;
	int i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	while (*p && *p != '=')
		p += *p == '\\' && p[1] ? 2 : 1;
	name = axt_strndup(g->m, spec, (size_t)(p - spec));
	if (!name || (i = axt_view_find(g, a, name)) < 0)
		return axt_node_failed(g);
	text = *p ? p + 1 : a->axes.a[i].parts;
	if (!text) {
		axt_graph_fail(g, AXT_E_ARG, "axis \"%s\" of %s remembers no parts",
		    axt_escape(g->m, name), a->from);
		axt_hint(&g->err, "name them: NAME=A:2,B:3");
		return axt_node_failed(g);
	}
	return parse_parts(g, text, &parts) ? axt_node_failed(g) : split(g, a, i, &parts);
}

/* Reverses the order of the axes from `first` on. */
static struct axt_expr *
reversed(struct axt_graph *g, struct axt_expr *a, int first)
{
	struct axt_axes x = { .n = a->axes.n };
	int perm[AXT_MAX_RANK];

	for (int i = 0; i < x.n; i++) {
		perm[i] = i < first ? i : x.n - 1 - (i - first);
		x.a[i] = a->axes.a[perm[i]];
	}
	return axt_relabel(g, a, &x, perm);
}

/* All axes in row-major order as the axes of x. */
static struct axt_expr *
as_axes(struct axt_graph *g, struct axt_expr *a, struct axt_axes *x)
{
	static const struct axt_axis all = { .name = "all", .level = ALL };
	struct axt_axes one = { .n = 1, .a = { { .name = "all", .level = ALL, .len = 1 } } };
	static const int none[1] = { -1 };

	a = a->axes.n ? flatten_range(g, a, 0, a->axes.n, &all) : axt_relabel(g, a, &one, none);
	return axt_bad(a) ? a : split(g, a, 0, x);
}

struct axt_expr *
axt_reshape(struct axt_graph *g, struct axt_expr *a, const char *axes, char order)
{
	struct axt_axes x, y;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, axes, true, &x, NULL, &g->err))
		return axt_node_failed(g);
	if (order != 'C' && order != 'F')
		return axt_graph_fail(g, AXT_E_SYNTAX, "an order is C or F");
	if (order == 'C')
		return as_axes(g, a, &x);
	y.n = x.n;
	for (int i = 0; i < x.n; i++)
		y.a[i] = x.a[x.n - 1 - i];
	a = reversed(g, a, 0);
	a = axt_bad(a) ? a : as_axes(g, a, &y);
	return axt_bad(a) ? a : reversed(g, a, 0);
}

struct axt_expr *
axt_reshape_rank(struct axt_graph *g, struct axt_expr *a, int rank, char order)
{
	struct axt_axes x;
	int src[AXT_MAX_RANK], n;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	n = a->axes.n;
	if (rank < 0 || rank > AXT_MAX_RANK || (rank == 0 && n > 0))
		return axt_graph_fail(g, AXT_E_ARG, "%s of rank %d cannot have rank %d", a->from, n,
		    rank);
	if (order != 'C' && order != 'F')
		return axt_graph_fail(g, AXT_E_SYNTAX, "an order is C or F");
	if (rank < n && order == 'F')
		a = reversed(g, a, rank - 1);
	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (rank < n)
		return flatten_range(g, a, rank - 1, n - rank + 1, NULL);
	x = a->axes;
	for (int i = 0; i < n; i++)
		src[i] = i;
	for (int k = 0; x.n < rank; k++) {
		struct axt_axis new = { .name = axt_sprintf(g->m, "dim_%d", k),
			.len = 1,
			.from = a->from };

		if (!new.name)
			return axt_node_failed(g);
		if (axt_axes_find(&x, &new) >= 0)
			continue;
		src[x.n] = -1;
		x.a[x.n++] = new;
	}
	return axt_relabel(g, a, &x, src);
}

struct axt_expr *
axt_squeeze(struct axt_graph *g, struct axt_expr *a, const char *over)
{
	const struct axt_span first = { 0, 1, 1 };
	struct axt_axes which;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (over && axt_axes_parse(g->m, over, false, &which, NULL, &g->err))
		return axt_node_failed(g);
	for (int k = 0; over && k < which.n; k++) {
		int i = axt_axes_find(&a->axes, &which.a[k]);

		if (i < 0) {
			axt_axes_unknown_in(g->m, &a->axes, &which.a[k], a->from, &g->err);
			return axt_node_failed(g);
		}
		if (a->axes.a[i].len != 1) {
			const char *name = axt_axis_spell(g->m, &which.a[k]);

			axt_fail(&g->err, AXT_E_AXES, "axis \"%s\" of %s has length %lld, not 1",
			    axt_escape(g->m, name), a->from, (long long)a->axes.a[i].len);
			axt_about(&g->err, AXT_LONGER, name, a->from);
			return axt_node_failed(g);
		}
	}
	for (int i = a->axes.n - 1; i >= 0 && !axt_bad(a); i--)
		if (a->axes.a[i].len == 1 && (!over || axt_axes_find(&which, &a->axes.a[i]) >= 0))
			a = axt_view_axis(g, a, i, &first, 1, NULL);
	return a;
}

/* The rank-0 dataset of an axis's name as its coordinates. */
static const struct axt_coord *
scalar_coord(struct axt_graph *g, const struct axt_meta *m, const struct axt_axis *x)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));

	for (const struct axt_aux *y = m->aux; c && y && x->len == 1 && !x->level; y = y->next)
		if (y->axes.n == 0 && strcmp(y->name, x->name) == 0) {
			*c = (struct axt_coord){ .text = y->text,
				.dtype = y->dtype,
				.n = 1,
				.data = y->data,
				.attrs = y->attrs };
			return c;
		}
	return NULL;
}

/* The meta of a when its rank-0 dataset of as's name became as's coordinates: bounds follow it. */
static const struct axt_meta *
meta_expanded(struct axt_graph *g, const struct axt_meta *meta, const struct axt_axis *as)
{
	struct axt_meta *m = axt_meta_copy(g, meta);
	struct axt_aux *head = NULL, **tail = &head, *c;

	for (const struct axt_aux *x = meta->aux; m && x; x = x->next) {
		if (strcmp(x->name, as->name) == 0)
			continue;
		if (!(c = axt_alloc(g->m, sizeof(*c))))
			return NULL;
		*c = *x;
		if (axt_is_bounds(as->coord->attrs, x) && axt_aux_apart(x) &&
		    x->axes.n < AXT_MAX_RANK) {
			for (int i = c->axes.n++; i > 0; i--) {
				c->axes.a[i] = x->axes.a[i - 1];
				c->own[i] = true;
			}
			c->axes.a[0] = *as;
			c->own[0] = false;
		}
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	if (m) {
		m->aux = head;
		m->attrs = axt_coordinates_less(g->m, m->attrs, as->name);
	}
	return m;
}

struct axt_expr *
axt_new_axis(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x,
    const struct axt_axis *as, int at)
{
	struct axt_axes y = { .n = x->n + 1 };
	int src[AXT_MAX_RANK];
	struct axt_expr *e;

	for (int i = 0; i < y.n; i++) {
		src[i] = i == at ? -1 : i - (i > at);
		y.a[i] = i == at ? *as : x->a[src[i]];
	}
	y.a[at].from = a->from;
	y.a[at].coord = scalar_coord(g, a->meta, as);
	if (axt_axes_check_unique(g->m, &y, &g->err))
		return axt_node_failed(g);
	e = axt_relabel(g, a, &y, src);
	if (axt_bad(e) || !y.a[at].coord)
		return e;
	e->meta = meta_expanded(g, a->meta, &y.a[at]);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_expand(struct axt_graph *g, struct axt_expr *a, const char *spec, int at)
{
	struct axt_axes x;
	struct axt_expr *e = a;
	int n;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_parse(g->m, spec, true, &x, NULL, &g->err))
		return axt_node_failed(g);
	n = a->axes.n;
	if (x.n == 0)
		return axt_not_one_axis(g, spec), axt_node_failed(g);
	if (n + x.n > AXT_MAX_RANK)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result would have more than %d axes",
		    AXT_MAX_RANK);
	if (at < -n - 1 || at > n)
		return axt_graph_fail(g, AXT_E_ARG, "no position %d among %d axes", at, n + 1);
	at += at < 0 ? n + 1 : 0;
	for (int i = 0; i < x.n && !axt_bad(e); i++) {
		x.a[i].len = x.a[i].len < 0 ? 1 : x.a[i].len;
		e = axt_new_axis(g, e, &e->axes, &x.a[i], at + i);
		if (!axt_bad(e))
			e->asked = true;
	}
	return e;
}

/* ---- the kind of flattened axes ---- */

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	int n = e->arg[0]->axes.n;

	return axt_field_int(f, "at=", &e->u.flat.at, 0, n - 1) &&
	    axt_field_int(f, "n=", &e->u.flat.n, 1, n - e->u.flat.at);
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	const struct axt_axes *a = &d->arg[0]->axes, *x = &d->axes;
	int at = d->u.flat.at, n = d->u.flat.n;
	int64_t len = 1;

	if (x->n != a->n - n + 1)
		return NULL;
	for (int k = at; k < at + n; k++)
		if (!axt_mul(len, a->a[k].len, &len))
			return NULL;
	for (int i = 0; i < x->n; i++)
		if (x->a[i].len != (i == at ? len : a->a[i > at ? i + n - 1 : i].len))
			return NULL;
	return axt_flatten_node(g, d->arg[0], x, at, n);
}

static const char *
does(struct axt_graph *g, const struct axt_expr *e)
{
	(void)g;
	(void)e;
	return "flattens axes";
}

const struct axt_node_kind axt_node_flatten = {
	.min_args = 1, .max_args = 1, .fields = fields, .build = build, .does = does
};
