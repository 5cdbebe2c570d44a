/*
 * slices.c - several specs of axt-slice at once, some of which may name coordinates that are no
 * axes: boxes of latitudes and longitudes, and the cell that is nearest to a point.
 */
#include <math.h>

#include "axes/keys.h"
#include "grids/grids.h"

#define CELL_SPECS 8 /* the most specs that are applied to cells together */

/* Specs of coordinates that lie over the same axes. */
struct cells {
	int n;
	struct axt_place of[CELL_SPECS];
	const char *name[CELL_SPECS], *rest[CELL_SPECS];
};

/* ---- which specs are of cells ---- */

/* The name in NAME@REST without escapes; NULL: the spec has another form. */
static const char *
name_of(struct axt_graph *g, const char *spec, const char **rest)
{
	struct axt_err none = { 0 };
	struct axt_axes one;
	const char *p = spec, *word;

	while (*p && !strchr("=@", *p))
		p += *p == '\\' && p[1] ? 2 : 1;
	if (*p != '@' || p == spec)
		return NULL;
	word = axt_strndup(g->m, spec, (size_t)(p - spec));
	*rest = p + 1;
	if (!word || axt_axes_parse(g->m, word, false, &one, NULL, &none) || one.n != 1 ||
	    one.a[0].level != 0)
		return NULL;
	return one.a[0].name;
}

static bool
same_axes(const struct axt_axes *x, const struct axt_axes *y)
{
	for (int i = 0; i < x->n; i++)
		if (axt_axes_find(y, &x->a[i]) < 0)
			return false;
	return x->n == y->n;
}

/*
 * Adds the spec to c if it names a coordinate that lies over axes without being one, over the same
 * axes as the specs before. Returns 1 if it was added, 0 if not, -1 with an error of the graph.
 */
static int
add_spec(struct axt_graph *g, const struct axt_expr *a, const char *spec, struct cells *c)
{
	const char *rest, *name = name_of(g, spec, &rest);
	struct axt_place *to = &c->of[c->n];
	int is = name && c->n < CELL_SPECS ? axt_place_find(g, a, name, false, to) : 0;

	if (is <= 0 || (c->n && !same_axes(&to->aux->axes, &c->of[0].aux->axes)))
		return MIN(is, 0);
	c->name[c->n] = name;
	c->rest[c->n++] = rest;
	return 1;
}

/* ---- the nearest cell ---- */

static bool
is_single(const char *rest)
{
	return !strpbrk(rest, ",:/");
}

/* Tells how the nearest cells are asked for, after an error. */
static struct axt_expr *
hint_point(struct axt_graph *g, const struct axt_expr *a, const struct cells *c)
{
	enum axt_meaning kind = axt_meaning_likely(c->name[0], c->of[0].aux->attrs);
	const char *name = axt_escape(g->m, c->name[0]), *rest = axt_escape(g->m, c->rest[0]);
	struct axt_place found;
	const char *other;

	if (kind != AXT_MEANS_LAT && kind != AXT_MEANS_LON)
		return axt_node_failed(g);
	other = axt_place_of_kind(g, a, kind == AXT_MEANS_LAT, &found) > 0
	    ? axt_escape(g->m, found.aux->name)
	    : kind == AXT_MEANS_LAT ? "LON"
				    : "LAT";
	if (!is_single(c->rest[0]))
		axt_hint(&g->err, "axt-take %s,%s@POINTS --nearest takes several",
		    kind == AXT_MEANS_LAT ? name : other, kind == AXT_MEANS_LAT ? other : name);
	else if (kind == AXT_MEANS_LAT)
		axt_hint(&g->err, "%s@%s %s@0 --nearest", name, rest, other);
	else
		axt_hint(&g->err, "%s@0 %s@%s --nearest", other, name, rest);
	return axt_node_failed(g);
}

/* Fails because the nearest cell to one coordinate has no meaning. */
static struct axt_expr *
no_point(struct axt_graph *g, const struct axt_expr *a, const struct cells *c)
{
	axt_fail(&g->err, AXT_E_ARG,
	    "\"%s\" of %s lies over %s: the nearest cell needs a latitude and a longitude",
	    axt_escape(g->m, c->name[0]), a->from, axt_axes_text(g->m, &c->of[0].aux->axes));
	return hint_point(g, a, c);
}

/* The number that was typed, in the dtype of the coordinate. */
static int
typed(struct axt_graph *g, const struct cells *c, int k, double *out)
{
	enum axt_dtype d = c->of[k].c.dtype;
	struct axt_num n;
	char p[16];

	if (!axt_parse_num(c->rest[k], &n) || isnan(n.f)) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no value of \"%s\"",
		    axt_escape(g->m, c->rest[k]), axt_escape(g->m, c->name[k]));
		return axt_about(&g->err, AXT_BAD_COORDINATE, c->rest[k], c->name[k]);
	}
	*out = n.f;
	if (axt_dtypes[d].cls == AXT_CLASS_FLOAT && axt_num_store(&n, d, p))
		*out = axt_load_f64(d, p);
	return 0;
}

/* The value of a coordinate in a cell, whose position along the axes of the points is at. */
static double
in_cell(const struct axt_place *p, const struct axt_axes *x, const int64_t at[])
{
	int64_t i = 0;

	for (int k = 0; k < p->aux->axes.n; k++) {
		int j = axt_axes_find(x, &p->aux->axes.a[k]);

		i = i * p->aux->axes.a[k].len + (j < 0 ? 0 : at[j]);
	}
	return axt_load_f64(p->c.dtype, (const char *)p->c.data + i * axt_size(p->c.dtype));
}

static bool
equal_modulo(double a, double b, bool turns)
{
	return a == b || (turns && fabs(a) < 1e6 && fabs(b) < 1e6 && remainder(a - b, 360) == 0);
}

/* Selects the cell nearest to a point: c has a latitude and a longitude, numbers lat and lon. */
static struct axt_expr *
point(struct axt_graph *g, struct axt_expr *a, const struct cells *c, int lat, bool nearest)
{
	const struct axt_place *y = &c->of[lat], *x = &c->of[!lat];
	int64_t found = -1, at[AXT_MAX_RANK];
	struct axt_points p;
	double wy, wx, v[1][3];

	if (typed(g, c, lat, &wy) || typed(g, c, !lat, &wx) || axt_points_of(g, a, y, x, &p) ||
	    axt_point_of(g, y, wy, x, wx, v[0]) || axt_points_nearest(g, &p, v, 1, &found))
		return axt_node_failed(g);
	if (found < 0)
		return axt_graph_fail(g, AXT_E_ARG, "no cell of %s has coordinates", a->from);
	for (int k = p.axes.n - 1; k >= 0; found /= p.axes.a[k--].len)
		at[k] = found % p.axes.a[k].len;
	if (!nearest &&
	    !(equal_modulo(in_cell(y, &p.axes, at), wy, false) &&
		equal_modulo(in_cell(x, &p.axes, at), wx, axt_coord_circle(&x->c)))) {
		axt_fail(&g->err, AXT_E_ARG,
		    "no cell of %s is at %s %s, %s %s: nearest is %.9g, %.9g", a->from,
		    axt_escape(g->m, c->name[lat]), c->rest[lat], axt_escape(g->m, c->name[!lat]),
		    c->rest[!lat], in_cell(y, &p.axes, at), in_cell(x, &p.axes, at));
		axt_about(&g->err, AXT_NO_COORDINATE, c->rest[lat], c->name[lat]);
		axt_hint(&g->err, "--nearest takes the nearest");
		return axt_node_failed(g);
	}
	for (int k = 0; k < p.axes.n && !axt_bad(a); k++)
		a = axt_view_axis(g, a, axt_axes_find(&a->axes, &p.axes.a[k]),
		    &(struct axt_span){ at[k], 1, 1 }, 1, NULL);
	return a;
}

/* ---- boxes ---- */

/* Marks the cells, in the order of the axes of c->of[0], in which every spec selects. */
static bool *
mark_cells(struct axt_graph *g, const struct axt_expr *a, const struct cells *c)
{
	const struct axt_axes *x = &c->of[0].aux->axes;
	int64_t n = c->of[0].c.n;
	bool *all = axt_alloc(g->m, (size_t)n + 1), *one = axt_alloc(g->m, (size_t)n + 1);

	if (!all || !one) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int k = 0; k < c->n; k++) {
		struct axt_axis named = { .name = c->name[k], .len = n, .coord = &c->of[k].c };
		int64_t at[AXT_MAX_RANK] = { 0 }, from = 0, step[AXT_MAX_RANK], s = 1;
		const struct axt_axes *own = &c->of[k].aux->axes;

		memset(one, 0, (size_t)n);
		if (axt_select_cells(g->m, &named, c->rest[k], a->from, one, &g->err))
			return NULL;
		for (int i = own->n - 1; i >= 0; s *= own->a[i--].len)
			step[axt_axes_find(x, &own->a[i])] = s;
		for (int64_t i = 0; i < n; i++) {
			all[i] = one[from] && (k == 0 || all[i]);
			for (int j = x->n - 1; j >= 0; j--) {
				from += step[j];
				if (++at[j] < x->a[j].len)
					break;
				from -= at[j] * step[j];
				at[j] = 0;
			}
		}
	}
	return all;
}

/* The least and the greatest position of marked cells along axis k of x; false: there is none. */
static bool
extent(const bool *in, const struct axt_axes *x, int k, int64_t *first, int64_t *last)
{
	int64_t inner = 1, outer = 1;

	for (int i = k + 1; i < x->n; i++)
		inner *= x->a[i].len;
	for (int i = 0; i < k; i++)
		outer *= x->a[i].len;
	*first = x->a[k].len;
	*last = -1;
	for (int64_t o = 0; o < outer; o++)
		for (int64_t i = 0; i < x->a[k].len; i++, in += inner)
			if (memchr(in, true, (size_t)inner)) {
				*first = MIN(*first, i);
				*last = MAX(*last, i);
			}
	return *last >= 0;
}

/* Selects spans along axis i, with the coordinates that belong to them. */
static struct axt_expr *
by_spans(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_span *span, int n,
    int64_t len)
{
	struct axt_axis as = a->axes.a[i];

	as.len = len;
	as.parts = NULL;
	if (axt_coord_take(g->m, as.coord, span, n, &as.coord))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_view_axis(g, a, i, span, n, &as);
}

/* The marks of the block of cells that the spans are. */
static struct axt_expr *
block_of(struct axt_graph *g, const bool *in, struct axt_axes x, const struct axt_span span[])
{
	struct axt_expr *e = axt_memory_leaf(g, AXT_BOOL, &x, in);

	for (int k = 0; k < x.n && !axt_bad(e); k++)
		e = by_spans(g, e, k, &span[k], 1, span[k].len);
	return e;
}

/*
 * Takes the smallest block, along the axes x, that has all marked cells. Unless `whole`, elements
 * of the block that are not marked become missing.
 */
static struct axt_expr *
boxed(struct axt_graph *g, struct axt_expr *a, const bool *in, const struct axt_axes *x, bool whole)
{
	struct axt_span span[AXT_MAX_RANK];
	struct axt_expr *e = whole ? a : axt_with_nan(g, a), *mask;
	struct axt_axes bare = *x;
	struct axt_meta *m;
	int src[AXT_MAX_RANK];

	for (int k = 0; k < x->n && !axt_bad(e); k++) {
		int64_t first, last;

		if (!extent(in, x, k, &first, &last))
			return axt_graph_fail(g, AXT_E_ARG, "no cell of %s is in the box", a->from);
		span[k] = (struct axt_span){ first, 1, last - first + 1 };
		e = by_spans(g, e, axt_axes_find(&e->axes, &x->a[k]), &span[k], 1, span[k].len);
		bare.a[k].coord = NULL;
	}
	if (whole)
		return e;
	mask = block_of(g, in, bare, span);
	if (axt_bad(e) || axt_bad(mask))
		return axt_node_failed(g);
	for (int i = 0; i < e->axes.n; i++)
		src[i] = axt_axes_find(&mask->axes, &e->axes.a[i]);
	a = axt_where(g, axt_relabel(g, mask, &e->axes, src), e, axt_const(g, e->dtype, NAN));
	m = axt_dress(g, &a, e);
	if (!m)
		return a;
	axt_meta_computed(m);
	m->missing = true;
	return a;
}

/* Takes the cells along the only axis of the coordinates. */
static struct axt_expr *
taken(struct axt_graph *g, struct axt_expr *a, const bool *in, const struct axt_axis *x)
{
	int64_t n = 0, *pos = axt_alloc(g->m, ((size_t)x->len + 1) * sizeof(*pos));
	struct axt_span *span;
	int nspans;

	for (int64_t i = 0; pos && i < x->len; i++)
		if (in[i])
			pos[n++] = i;
	if (!pos || axt_spans_of(g->m, pos, n, &span, &nspans))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (n == 0)
		return axt_graph_fail(g, AXT_E_ARG, "no cell of %s is in the box", a->from);
	return by_spans(g, a, axt_axes_find(&a->axes, x), span, nspans, n);
}

static struct axt_expr *
apply(struct axt_graph *g, struct axt_expr *a, const struct cells *c, bool nearest)
{
	enum axt_meaning kind[2] = { AXT_MEANS_OTHER, AXT_MEANS_OTHER };
	int single = 0;
	bool *in, itself = false;

	for (int k = 0; k < c->n; k++) {
		if (k < 2)
			kind[k] = axt_meaning_likely(c->name[k], c->of[k].aux->attrs);
		single += is_single(c->rest[k]);
		itself = itself || c->of[k].itself;
		if (c->of[k].added)
			a = axt_place_add(g, a, c->of[k].aux);
		if (axt_bad(a))
			return a;
	}
	if (c->n == 2 && single == 2 && axt_place_pair(kind))
		return point(g, a, c, kind[1] == AXT_MEANS_LAT, nearest);
	if (nearest && single)
		return no_point(g, a, c);
	in = mark_cells(g, a, c);
	if (!in)
		return nearest ? hint_point(g, a, c) : axt_node_failed(g);
	/* a coordinate that is sliced itself stays what the block's cells have */
	return c->of[0].aux->axes.n == 1 ? taken(g, a, in, &c->of[0].aux->axes.a[0])
					 : boxed(g, a, in, &c->of[0].aux->axes, itself);
}

/* Slices along an axis. If there is no such axis, a hint lists the coordinates that are no axes. */
static struct axt_expr *
sliced(struct axt_graph *g, struct axt_expr *a, const char *spec, bool nearest)
{
	const char *list = axt_place_list(g, a), *rest, *name = name_of(g, spec, &rest);
	struct axt_texts text;
	struct axt_expr *e;
	int is = name ? axt_texts_find(g, a, name, rest, &text) : 0;

	if (is)
		return is < 0 ? axt_node_failed(g) : axt_slice_text(g, a, &text, rest);
	e = axt_slice(g, a, spec, nearest);
	if (axt_bad(e) && list && axt_axes_is_unknown(&g->err) && !g->err.hint[0])
		axt_hint(&g->err, "its cells have the coordinates %s", list);
	return e;
}

/*
 * Completes the error of a spec that failed after other specs had been applied to `whole`. If
 * `whole` has no such axis either, the error lists all axes of `whole`, and not only those that are
 * left.
 */
static struct axt_expr *
unknown_of(struct axt_graph *g, struct axt_expr *whole, const char *spec, bool nearest)
{
	struct axt_err left = g->err;
	struct axt_expr *e;

	g->err = (struct axt_err){ 0 };
	e = sliced(g, whole, spec, nearest);
	if (!axt_bad(e) || !axt_axes_is_unknown(&g->err))
		g->err = left;
	return axt_node_failed(g);
}

struct axt_expr *
axt_slices(struct axt_graph *g, struct axt_expr *a, const char *const spec[], int n, bool nearest)
{
	struct axt_expr *whole = a;
	bool *done = axt_alloc(g->m, (size_t)n + 1);

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (!done)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n && !axt_bad(a); i++) {
		struct cells c = { 0 };
		int is = done[i] ? 0 : add_spec(g, a, spec[i], &c);

		for (int k = i + 1; k < n && is > 0; k++)
			if (!done[k]) {
				int more = add_spec(g, a, spec[k], &c);

				done[k] = more > 0;
				is = more < 0 ? more : is;
			}
		if (is < 0)
			return axt_node_failed(g);
		if (is > 0)
			a = apply(g, a, &c, nearest);
		else if (!done[i])
			a = sliced(g, a, spec[i], nearest);
		if (i > 0 && axt_bad(a) && axt_axes_is_unknown(&g->err))
			return unknown_of(g, whole, spec[i], nearest);
	}
	return a;
}
