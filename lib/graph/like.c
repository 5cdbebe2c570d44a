/* like.c - a tensor at the coordinates of another tensor. No value is read. */
#include "graph/graph.h"

/* a view of more pieces is slower than taking elements line by line */
#define PIECES 4096

static int
no_memory(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

static bool
has_values(const struct axt_axis *x)
{
	return x->coord && x->coord->data;
}

/* Whether the coordinates count in units that are no times and not the same. */
static bool
other_units(const struct axt_coord *x, const struct axt_coord *y)
{
	const char *u = axt_attr_text(x->attrs, "units"), *v = axt_attr_text(y->attrs, "units");

	return !x->text && !y->text && axt_units_differ(u, v) &&
	    !(axt_attrs_time(x->attrs, NULL) && axt_attrs_time(y->attrs, NULL));
}

/*
 * Whether axis x of a tensor has to be changed to be like `like`: both axes have coordinates, and
 * these differ. If one has none, their lengths must agree; the graph gets an error otherwise.
 */
static bool
differ(struct axt_graph *g, const struct axt_axis *x, const struct axt_axis *like)
{
	struct axt_err e = { 0 };
	struct axt_axis met;

	if (!has_values(x) || !has_values(like)) {
		axt_axis_meet(g->m, x, like, &g->join, &met, &g->err);
		return false;
	}
	if (other_units(x->coord, like->coord))
		axt_fail(&g->err, AXT_E_COORD,
		    "axis \"%s\" has units \"%s\" in %s and \"%s\" in %s", axt_axis_spell(g->m, x),
		    axt_attr_text(x->coord->attrs, "units"), x->from,
		    axt_attr_text(like->coord->attrs, "units"), like->from);
	return !g->err.code && axt_axis_meet(g->m, x, like, NULL, &met, &e);
}

/* Changes axis i of `a` into one like another. */
typedef struct axt_expr *along_fn(struct axt_graph *g, struct axt_expr *a, int i,
    const struct axt_axis *like, const struct axt_expr *b, enum axt_absent absent);

/* Does f along each axis that both tensors have and whose coordinates differ. */
static struct axt_expr *
along_each(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b,
    enum axt_absent absent, along_fn *f)
{
	int shared = 0;

	if (axt_refused(g, a) || axt_refused(g, b))
		return axt_node_failed(g);
	for (int i = 0; i < a->axes.n; i++) {
		int k = axt_axes_find(&b->axes, &a->axes.a[i]);

		if (k < 0)
			continue;
		shared++;
		if (differ(g, &a->axes.a[i], &b->axes.a[k]))
			a = f(g, a, i, &b->axes.a[k], b, absent);
		if (g->err.code)
			return axt_node_failed(g);
	}
	if (shared)
		return a;
	axt_fail(&g->err, AXT_E_AXES, "%s and %s share no axis: %s, and %s", a->from, b->from,
	    axt_axes_text(g->m, &a->axes), axt_axes_text(g->m, &b->axes));
	axt_about(&g->err, AXT_OUTER, axt_axes_text(g->m, &a->axes), a->from);
	axt_about_among(&g->err, a->from);
	axt_about_among(&g->err, b->from);
	return axt_node_failed(g);
}

/* The first and last coordinate of an axis, for a message. */
static const char *
extent(struct axt_graph *g, const struct axt_axis *x)
{
	struct axt_cftime t, *time = NULL;

	if (x->len == 0)
		return "none";
	if (!x->coord->text && axt_attrs_time(x->coord->attrs, &t))
		time = &t;
	return axt_sprintf(g->m, "%s to %s", axt_coord_value(g->m, x->coord, time, 0),
	    axt_coord_value(g->m, x->coord, time, x->len - 1));
}

/* The positions of axis i whose coordinates the other axis has. */
static struct axt_expr *
intersection(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_axis *like,
    const struct axt_expr *b, enum axt_absent absent)
{
	struct axt_axis as = a->axes.a[i];
	int64_t n = 0, *pos = axt_alloc(g->m, ((size_t)as.len + 1) * sizeof(*pos));
	struct axt_span *span;
	int nspans;

	if (!pos || axt_labels_find(g->m, like, as.coord, b->from, a->from, absent, pos, &g->err))
		return no_memory(g), axt_node_failed(g);
	for (int64_t k = 0; k < as.len; k++)
		if (pos[k] >= 0)
			pos[n++] = k;
	if (n == 0 && as.len > 0)
		return axt_graph_fail(g, AXT_E_COORD,
		    "axis \"%s\" of %s has no coordinate of %s: %s, and %s",
		    axt_axis_spell(g->m, &as), a->from, b->from, extent(g, &as), extent(g, like));
	if (axt_spans_of(g->m, pos, n, &span, &nspans) ||
	    axt_coord_take(g->m, as.coord, span, nspans, &as.coord))
		return no_memory(g), axt_node_failed(g);
	as.len = n;
	return axt_view_axis(g, a, i, span, nspans, &as);
}

struct axt_expr *
axt_slice_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b)
{
	return along_each(g, a, b, AXT_ABSENT_NONE, intersection);
}

/* Whether two lists of coordinates have the same numbers, in the same units. */
static bool
same_numbers(const struct axt_coord *x, const struct axt_coord *y)
{
	const char *u = axt_attr_text(x->attrs, "units"), *v = axt_attr_text(y->attrs, "units");

	return !x->text && !y->text && x->dtype == y->dtype && x->n == y->n &&
	    strcmp(u ? u : "", v ? v : "") == 0 &&
	    memcmp(x->data, y->data, (size_t)x->n * (size_t)axt_size(x->dtype)) == 0;
}

/*
 * The view of `a` at these spans of axis i, which becomes the axis *as. Bounds and other datasets
 * along the axis are taken at the same positions if the coordinates there are those of *as. They
 * are left out otherwise, since they belong to other coordinates.
 */
static struct axt_expr *
view_at(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_span *span, int nspans,
    struct axt_axis *as)
{
	const struct axt_coord *own;

	if (axt_coord_take(g->m, a->axes.a[i].coord, span, nspans, &own))
		return no_memory(g), axt_node_failed(g);
	if (same_numbers(own, as->coord)) {
		as->coord = own;
		return axt_view_axis(g, a, i, span, nspans, as);
	}
	if (!axt_dress_without(g, &a, a, &a->axes.a[i]))
		return a;
	return axt_view_axis(g, a, i, span, nspans, as);
}

/* The elements of axis i at the coordinates of the other axis. */
static struct axt_expr *
at_coordinates(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_axis *like,
    const struct axt_expr *b, enum axt_absent absent)
{
	struct axt_axis as = a->axes.a[i];
	int64_t *pos = axt_alloc(g->m, ((size_t)like->len + 1) * sizeof(*pos));
	struct axt_axes one = { .n = 1, .a = { as } };
	struct axt_span *span;
	bool missing = false;
	int nspans;

	if (!pos ||
	    axt_labels_find(g->m, &as, like->coord, a->from, b->from, absent, pos, &g->err)) {
		if (g->err.code == AXT_E_ARG)
			axt_hint(&g->err,
			    "--fill nan makes it missing, --nearest takes the nearest");
		return no_memory(g), axt_node_failed(g);
	}
	as.len = like->len;
	as.coord = like->coord;
	one.a[0] = as;
	for (int64_t k = 0; k < as.len; k++)
		missing = missing || pos[k] < 0;
	if (!missing && axt_spans_of(g->m, pos, as.len, &span, &nspans))
		return no_memory(g), axt_node_failed(g);
	if (missing || nspans > PIECES)
		return axt_take_lines(g, a, i, axt_memory_leaf(g, AXT_I64, &one, pos), missing);
	return view_at(g, a, i, span, nspans, &as);
}

struct axt_expr *
axt_reindex_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b,
    const struct axt_reindex_opts *o)
{
	enum axt_absent absent = o && o->nearest ? AXT_ABSENT_NEAREST
	    : o && o->missing                    ? AXT_ABSENT_NONE
						 : AXT_ABSENT_FAILS;

	return along_each(g, a, b, absent, at_coordinates);
}
