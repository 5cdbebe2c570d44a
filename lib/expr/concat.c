/* concat.c - tensors end to end along an axis, or along a new one. */
#include <limits.h>

#include "expr/expr.h"

/* ---- packing ---- */

static const char *const packing[] = { "scale_factor", "add_offset", "_FillValue", "missing_value",
	"_Unsigned", AXT_ENUM };

/* "i16, scale_factor 0.01, add_offset 273.15", for messages. */
static const char *
packing_text(struct axt_graph *g, const struct axt_expr *e)
{
	const char *s = axt_sprintf(g->m, "%s", axt_dtypes[e->dtype].name);

	for (int k = 0; s && k < ARRAY_LEN(packing); k++) {
		const struct axt_attr *a = axt_attr_find(e->meta->attrs, packing[k]);

		if (a && a->kind == AXT_ATTR_TEXT)
			s = axt_sprintf(g->m, "%s, %s %s", s, a->name, axt_escape(g->m, a->text));
		else if (a && a->kind == AXT_ATTR_NUM && a->n > 0)
			s = axt_sprintf(g->m, "%s, %s %.*g", s, a->name,
			    a->dtype == AXT_F32 ? 7 : 15, axt_load_f64(a->dtype, a->data));
	}
	return s ? s : "?";
}

static bool
packed_alike(const struct axt_expr *a, const struct axt_expr *b)
{
	for (int k = 0; k < ARRAY_LEN(packing); k++) {
		const struct axt_attr *x = axt_attr_find(a->meta->attrs, packing[k]),
				      *y = axt_attr_find(b->meta->attrs, packing[k]);

		if (x || y)
			if (!x || !y || !axt_attr_equal(x, y) || a->dtype != b->dtype)
				return false;
	}
	return true;
}

/*
 * Checks that all parts whose values are stored are packed alike, since the result is packed as the
 * first part is.
 */
static int
check_packing(struct axt_graph *g, int n, struct axt_expr *const a[])
{
	for (int k = 1; k < n; k++)
		if (!packed_alike(a[0], a[k])) {
			axt_fail(&g->err, AXT_E_DTYPE,
			    "stored values of %s (%s) and %s (%s) do not mean the same", a[0]->from,
			    packing_text(g, a[0]), a[k]->from, packing_text(g, a[k]));
			axt_hint(&g->err,
			    "without --raw they are unpacked, and axt-cast --pack "
			    "packs them alike");
			return g->err.code;
		}
	return 0;
}

/* ---- axes ---- */

/* a with its axes in the order of x and its values in dtype d. Both must have the same axes. */
static struct axt_expr *
ordered(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x, enum axt_dtype d)
{
	int perm[AXT_MAX_RANK];
	struct axt_axes y, want = *x;
	bool same = true;

	a = axt_conv(g, a, d, AXT_OVERFLOW_ERROR);
	if (axt_refused(g, a))
		return axt_node_failed(g);
	for (int k = 0; k < x->n; k++)
		want.a[k].len = -1;
	if (a->axes.n != x->n || axt_axes_permute(g->m, &a->axes, &want, -1, perm, &g->err)) {
		axt_fail(&g->err, AXT_E_AXES, "%s has axes (%s), the first operand (%s)", a->from,
		    axt_axes_text(g->m, &a->axes), axt_axes_text(g->m, x));
		axt_about(&g->err, AXT_OTHER_AXES, a->from, x->n ? x->a[0].from : NULL);
		return axt_node_failed(g);
	}
	y.n = x->n;
	for (int k = 0; k < x->n; k++) {
		y.a[k] = a->axes.a[perm[k]];
		same = same && perm[k] == k;
	}
	return same ? a : axt_relabel(g, a, &y, perm);
}

/* The axes of parts concatenated along axis i (-1: along a new axis): all others must agree. */
static int
meet(struct axt_graph *g, int n, struct axt_expr *const part[], int i, struct axt_axes *x)
{
	*x = part[0]->axes;
	for (int k = 1; k < n; k++)
		for (int d = 0; d < x->n; d++)
			if (d != i &&
			    axt_axis_meet(g->m, &x->a[d], &part[k]->axes.a[d], &g->join, &x->a[d],
				&g->err))
				return g->err.code;
	return 0;
}

static bool
is_real(enum axt_dtype d)
{
	return axt_dtypes[d].cls <= AXT_CLASS_FLOAT;
}

/*
 * The auxiliary dataset of e that can be concatenated with x: it has the name of x, as many axes,
 * and values of the same kind. NULL: e has none.
 */
static const struct axt_aux *
like(const struct axt_expr *e, const struct axt_aux *x)
{
	for (const struct axt_aux *y = e->meta->aux; y; y = y->next)
		if (strcmp(y->name, x->name) == 0 && y->text == x->text && y->axes.n == x->axes.n &&
		    (y->dtype == x->dtype || (is_real(x->dtype) && is_real(y->dtype))))
			return y;
	return NULL;
}

/* The values of y as an axis with coordinates, because axt_coords_concat concatenates those. */
static const struct axt_axis *
as_axis(struct axt_graph *g, const struct axt_expr *part, const struct axt_aux *y,
    const struct axt_axis *as)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	struct axt_axis *a = axt_alloc(g->m, sizeof(*a));

	if (!c || !a)
		return NULL;
	*c = (struct axt_coord){ .text = y->text,
		.dtype = y->dtype,
		.data = y->data,
		.attrs = axt_values_attrs(part, y->name, y->attrs) };
	axt_axes_count(&y->axes, &c->n);
	*a = (struct axt_axis){ .name = as->name,
		.level = as->level,
		.len = c->n,
		.coord = c,
		.from = part->from };
	return a;
}

static bool
overrides(const struct axt_graph *g, const struct axt_axis *a)
{
	return g->join.override_all || axt_axes_find(&g->join.override, a) >= 0;
}

/* Whether y has x's axes, with their lengths but along k. */
static bool
fits(const struct axt_aux *x, const struct axt_aux *y, int k)
{
	for (int d = 0; d < x->axes.n; d++)
		if (!axt_axis_same(&y->axes.a[d], &x->axes.a[d]) ||
		    (d != k && y->axes.a[d].len != x->axes.a[d].len))
			return false;
	return true;
}

/*
 * Concatenates the auxiliary datasets that correspond to x in all parts, along axis k of x, which
 * becomes the axis `as`. NULL: a part lacks the dataset, or there was an error.
 */
static struct axt_aux *
concat_aux(struct axt_graph *g, int n, struct axt_expr *const part[], const struct axt_aux *x,
    int k, const struct axt_axis *as)
{
	const struct axt_axis **along = axt_alloc(g->m, (size_t)n * sizeof(*along));
	struct axt_aux *c = axt_alloc(g->m, sizeof(*c));
	int64_t outer = 1, size;
	const uint8_t *from;
	struct axt_axis all;
	uint8_t *to;

	for (int p = 0; p < n; p++) {
		const struct axt_aux *y = like(part[p], x);

		if (!y || !fits(x, y, k))
			return NULL;
		if (!c || !along || !(along[p] = as_axis(g, part[p], y, as))) {
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
			return NULL;
		}
	}
	if (axt_coords_concat(g->m, along, n, overrides(g, as), x->name, &all, &g->err))
		return NULL;
	*c = *x;
	c->axes.a[k] = *as;
	c->dtype = all.coord->dtype;
	c->data = from = all.coord->data;
	for (int d = 0; d < k; d++)
		outer *= x->axes.a[d].len;
	if (outer < 2)
		return c;
	/*
	 * c->data has the parts one after another. In row-major order they alternate: for each
	 * index of the axes before axis k, the rows of each part follow those of the part before
	 * it.
	 */
	size = x->text ? (int64_t)sizeof(char *) : axt_size(c->dtype);
	c->data = to = axt_alloc(g->m, (size_t)(all.len * size) + 1);
	if (!to) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t o = 0; o < outer; o++)
		for (int64_t p = 0, at = 0; p < n; at += along[p++]->len) {
			int64_t len = along[p]->len / outer;

			memcpy(to, from + (at + o * len) * size, (size_t)(len * size));
			to += len * size;
		}
	return c;
}

/*
 * Whether the result of a concatenation can have the auxiliary dataset x: x lies along an axis of
 * the tensor, or all parts have it with the same values.
 */
static bool
agrees(struct axt_graph *g, int n, struct axt_expr *const part[], const struct axt_aux *x)
{
	for (int p = 1; p < n && axt_aux_apart(x); p++) {
		const struct axt_aux *y = like(part[p], x);

		if (!y || axt_aux_differ(g->m, x, y))
			return false;
	}
	return true;
}

/* Whether the bounds of an axis, or the attribute coordinates, name x. */
static bool
is_named(const struct axt_expr *part, const struct axt_axis *a, const struct axt_aux *x)
{
	const char *list = axt_attr_text(part->meta->attrs, "coordinates");
	size_t len = strlen(x->name);

	if (a->coord && axt_is_bounds(a->coord->attrs, x))
		return true;
	for (const char *p = list ? list : ""; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == len && strncmp(p, x->name, n) == 0)
			return true;
		p += n;
	}
	return false;
}

/*
 * Warns of auxiliary datasets that lie along axis i of some parts and are not in all of them, so
 * that the result lacks them. Each name is told only once, since several tensors of a file have the
 * same bounds.
 */
static void
tell_unjoined(struct axt_graph *g, int n, struct axt_expr *const part[], int i)
{
	for (int p = 0; p < n; p++)
		for (const struct axt_aux *x = part[p]->meta->aux; x; x = x->next) {
			const struct axt_axis *a = &part[p]->axes.a[i];
			const char *word = axt_sprintf(g->m, " %s ", x->name);
			int k = axt_axes_find(&x->axes, a), q = 0;

			while (q < n && axt_aux_find(part[q]->meta->aux, x->name))
				q++;
			if (q == n || k < 0 || x->own[k] || !is_named(part[p], a, x) || !word ||
			    (g->unjoined && strstr(g->unjoined, word)))
				continue;
			g->unjoined = axt_sprintf(g->m, "%s%s", g->unjoined ? g->unjoined : "",
			    word);
			axt_warn(g, "%s along axis \"%s\" of %s is left out: %s has none",
			    axt_escape(g->m, x->name), axt_escape(g->m, a->name), part[p]->from,
			    part[q]->from);
		}
}

static const struct axt_meta *
concat_meta(struct axt_graph *g, int n, struct axt_expr *const part[], int i,
    const struct axt_axis *as)
{
	struct axt_meta *m = axt_meta_copy(g, part[0]->meta);
	struct axt_aux *head = NULL, **tail = &head, *c;

	if (!m)
		return NULL;
	for (int p = 0; p < n; p++)
		m->missing = m->missing || part[p]->meta->missing;
	for (int p = 1; p < n; p++) {
		m->fill = NULL;
		m->attrs = axt_attrs_rounded(g->m, m->attrs, part[p]->meta->attrs);
		if (!axt_stored_alike(m->stored, part[p]->meta->stored))
			m->stored = NULL;
	}
	for (const struct axt_aux *x = part[0]->meta->aux; x; x = x->next) {
		int k = axt_axes_find(&x->axes, &part[0]->axes.a[i]);

		if (k >= 0 && !x->own[k]) {
			c = concat_aux(g, n, part, x, k, as);
		} else if (agrees(g, n, part, x)) {
			c = axt_alloc(g->m, sizeof(*c));
			if (!c)
				return NULL;
			*c = *x;
		} else {
			continue;
		}
		if (g->err.code)
			return NULL;
		if (!c)
			continue;
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	m->aux = head;
	return m;
}

/* The concatenation of the parts along axis i of x. A single part keeps its name. */
static struct axt_expr *
concat_along(struct axt_graph *g, int n, struct axt_expr *const part[], const struct axt_axes *x,
    int i, const char *from)
{
	struct axt_expr *e = axt_concat_node(g, n, part, x, i);

	if (axt_bad(e))
		return e;
	tell_unjoined(g, n, part, i);
	e->meta = concat_meta(g, n, part, i, &x->a[i]);
	e->from = n > 1 ? "result" : from;
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_concat(struct axt_graph *g, const char *axis, int n, struct axt_expr *const a[])
{
	struct axt_expr **part = axt_alloc(g->m, (size_t)MAX(1, n) * sizeof(*part));
	const struct axt_axis **along = axt_alloc(g->m, (size_t)MAX(1, n) * sizeof(*along));
	enum axt_dtype d;
	struct axt_axes x;
	int i;

	if (n < 1)
		return axt_graph_fail(g, AXT_E_ARG, "nothing to concatenate");
	for (int k = 0; k < n; k++)
		if (axt_refused(g, a[k]))
			return axt_node_failed(g);
	if (!part || !along || check_packing(g, n, a) || axt_common_dtype(g, n, a, &d) ||
	    axt_times_alike(g, n, a, part, &d) || axt_units_alike(g, n, part, part, &d, NULL) ||
	    (i = axt_view_find(g, a[0], axis)) < 0)
		return axt_node_failed(g);
	for (int k = 0; k < n; k++) {
		part[k] = ordered(g, part[k], &a[0]->axes, d);
		if (axt_bad(part[k]))
			return part[k];
		along[k] = &part[k]->axes.a[i];
	}
	if (meet(g, n, part, i, &x) ||
	    axt_coords_concat(g->m, along, n, overrides(g, along[0]), NULL, &x.a[i], &g->err))
		return axt_node_failed(g);
	x.a[i].parts = NULL;
	return concat_along(g, n, part, &x, i, a[0]->from);
}

struct axt_expr *
axt_stack(struct axt_graph *g, const char *axis, int n, struct axt_expr *const a[], int at)
{
	struct axt_expr **part = axt_alloc(g->m, (size_t)MAX(1, n) * sizeof(*part));
	const struct axt_axis **along = axt_alloc(g->m, (size_t)MAX(1, n) * sizeof(*along));
	struct axt_axes one, x;
	enum axt_dtype d;
	bool all = true;
	int rank;

	if (n < 1)
		return axt_graph_fail(g, AXT_E_ARG, "nothing to concatenate");
	for (int k = 0; k < n; k++)
		if (axt_refused(g, a[k]))
			return axt_node_failed(g);
	rank = a[0]->axes.n;
	if (!part || !along || check_packing(g, n, a) || axt_common_dtype(g, n, a, &d) ||
	    axt_times_alike(g, n, a, part, &d) || axt_units_alike(g, n, part, part, &d, NULL) ||
	    axt_axes_parse(g->m, axis, false, &one, NULL, &g->err))
		return axt_node_failed(g);
	if (one.n != 1)
		return axt_not_one_axis(g, axis), axt_node_failed(g);
	if (at < -rank - 1 || at > rank || rank == AXT_MAX_RANK)
		return axt_graph_fail(g, AXT_E_ARG, "no position %d among %d axes", at, rank + 1);
	at += at < 0 ? rank + 1 : 0;
	for (int k = 0; k < n; k++) {
		part[k] = ordered(g, part[k], &a[0]->axes, d);
		if (axt_bad(part[k]))
			return part[k];
	}
	if (meet(g, n, part, -1, &x))
		return axt_node_failed(g);
	one.a[0].len = 1;
	for (int k = 0; k < n; k++) {
		part[k] = axt_new_axis(g, part[k], &x, &one.a[0], at);
		if (axt_bad(part[k]))
			return part[k];
		along[k] = &part[k]->axes.a[at];
	}
	x = part[0]->axes;
	for (int k = 0; k < n; k++)
		all = all && along[k]->coord;
	if (axt_coords_concat(g->m, along, n, !all || overrides(g, along[0]), along[0]->name,
		&x.a[at], &g->err))
		return axt_node_failed(g);
	return concat_along(g, n, part, &x, at, a[0]->from);
}

/* ---- the kind ---- */

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	return axt_field_int(f, "axis=", &e->u.concat, 0, e->axes.n - 1);
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	int64_t len = 0;

	for (int k = 0; k < d->nargs; k++) {
		const struct axt_expr *a = d->arg[k];

		if (a->axes.n != d->axes.n || a->dtype != d->arg[0]->dtype)
			return NULL;
		for (int i = 0; i < d->axes.n; i++)
			if (i != d->u.concat && a->axes.a[i].len != d->axes.a[i].len)
				return NULL;
		if (a->axes.a[d->u.concat].len > INT64_MAX - len)
			return NULL;
		len += a->axes.a[d->u.concat].len;
	}
	return len != d->axes.a[d->u.concat].len
	    ? NULL
	    : axt_concat_node(g, d->nargs, d->arg, &d->axes, d->u.concat);
}

const struct axt_node_kind axt_node_join = {
	.min_args = 1, .max_args = INT_MAX, .fields = fields, .build = build
};
