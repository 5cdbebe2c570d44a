/*
 * nearest.c - the nearest cell to each of many points, which are the cells of another grid or the
 * places of a list of stations.
 */
#include <math.h>

#include "grids/grids.h"

/* The latitude and the longitude of a tensor. */
struct pair {
	struct axt_place lat, lon;
};

/* ---- the coordinates of both tensors ---- */

static int
no_place(struct axt_graph *g, const struct axt_expr *a, const char *name)
{
	const char *list = axt_place_list(g, a);

	axt_fail(&g->err, AXT_E_COORD, "%s has no coordinate \"%s\"", a->from,
	    axt_escape(g->m, name));
	axt_about(&g->err, AXT_NO_AXIS, name, a->from);
	if (list)
		axt_hint(&g->err, "it has %s", list);
	else
		axt_hint(&g->err,
		    "coordinates are its axes, and what its attribute coordinates names");
	return g->err.code;
}

/*
 * Finds the coordinate called `name`. If there is none and the name is a usual one, such as lat,
 * finds the latitude or longitude that a has under another name. Returns as axt_place_find.
 */
static int
named(struct axt_graph *g, const struct axt_expr *a, const char *name, struct axt_place *out)
{
	enum axt_meaning of = axt_meaning(name, NULL);
	int is = axt_place_find(g, a, name, true, out);

	return is == 0 && (of == AXT_MEANS_LAT || of == AXT_MEANS_LON)
	    ? axt_place_of_kind(g, a, of == AXT_MEANS_LON, out)
	    : is;
}

/* Finds the two coordinates of a that the list names, in either order. */
static int
named_pair(struct axt_graph *g, const struct axt_expr *a, const struct axt_axes *names,
    struct pair *out)
{
	struct axt_place x[2];
	enum axt_meaning kind[2];

	for (int k = 0; k < 2; k++) {
		int is = named(g, a, names->a[k].name, &x[k]);

		if (is <= 0)
			return is < 0 ? (int)g->err.code : no_place(g, a, names->a[k].name);
		kind[k] = axt_meaning_likely(names->a[k].name, x[k].aux->attrs);
	}
	if (!axt_place_pair(kind)) {
		axt_fail(&g->err, AXT_E_COORD,
		    "neither names nor units tell which of %s and %s is the latitude of %s",
		    axt_escape(g->m, names->a[0].name), axt_escape(g->m, names->a[1].name),
		    a->from);
		axt_hint(&g->err, "units degrees_north and degrees_east tell it");
		return g->err.code;
	}
	*out = (struct pair){ x[kind[0] == AXT_MEANS_LON], x[kind[0] != AXT_MEANS_LON] };
	return 0;
}

/* Finds those of a tensor of points: by the same names, or by what the attributes tell. */
static int
point_pair(struct axt_graph *g, const struct axt_expr *a, const struct axt_axes *names,
    struct pair *out)
{
	struct axt_place none;
	int found = 0, is;

	for (int k = 0; k < 2; k++)
		found += axt_place_find(g, a, names->a[k].name, true, &none) > 0;
	if (g->err.code || found == 2)
		return g->err.code ? (int)g->err.code : named_pair(g, a, names, out);
	is = axt_place_of_kind(g, a, false, &out->lat);
	if (is > 0)
		is = axt_place_of_kind(g, a, true, &out->lon);
	return is > 0 ? 0 : is < 0 ? (int)g->err.code : no_place(g, a, names->a[0].name);
}

/* ---- the result ---- */

/* A name for one axis of all cells that neither tensor has an axis of. */
static const char *
cell_name(struct axt_graph *g, const struct axt_expr *a, const struct axt_axes *x)
{
	const char *name = "cell";

	for (int i = 1; name; i++) {
		const struct axt_axis one = { .name = name };

		if (axt_axes_find(&a->axes, &one) < 0 && axt_axes_find(x, &one) < 0)
			break;
		name = axt_sprintf(g->m, "cell%d", i);
	}
	return name;
}

/* The axes x of a as one, called name. */
static struct axt_expr *
one_axis(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x, const char *name)
{
	struct axt_buf b = { 0 };
	struct axt_expr *e;

	for (int k = 0; k < x->n; k++) {
		const char *word = axt_axis_spell(g->m, &x->a[k]);

		axt_buf_addf(&b, "%s%s", k ? "," : "", word ? axt_escape(g->m, word) : "");
	}
	axt_buf_addf(&b, "=%s", name);
	e = b.bad ? axt_graph_fail(g, AXT_E_MEM, "out of memory") : axt_flatten(g, a, b.p);
	axt_buf_release(&b);
	return e;
}

/* Adds a coordinate of the points to the attributes and auxiliary datasets of the result. */
static int
add_place(struct axt_graph *g, struct axt_meta *m, const struct axt_place *p)
{
	struct axt_aux *c;

	if (p->is_axis)
		return 0;
	c = axt_alloc(g->m, sizeof(*c));
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = *p->aux;
	c->next = (struct axt_aux *)m->aux;
	m->aux = c;
	m->attrs = axt_add_coordinate(g, m->attrs, c->name);
	return 0;
}

/* Whether x has the bounds of an axis of the points, or of one of the two coordinates. */
static bool
is_bounds(const struct axt_expr *points, const struct pair *to, const struct axt_aux *x)
{
	for (int i = 0; i < points->axes.n; i++)
		if (points->axes.a[i].coord && axt_is_bounds(points->axes.a[i].coord->attrs, x))
			return true;
	return axt_is_bounds(to->lat.aux->attrs, x) || axt_is_bounds(to->lon.aux->attrs, x);
}

/* The result has the coordinates of the points, and the bounds of their axes. */
static struct axt_expr *
with_places(struct axt_graph *g, struct axt_expr *e, const struct axt_expr *points,
    const struct pair *from, const struct pair *to)
{
	/* the grid of the points is another one */
	const struct axt_aux *const of[] = { from->lat.aux, from->lon.aux, to->lat.aux,
		to->lon.aux };
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (!m)
		return e;
	m->attrs = axt_place_leave(g, m->attrs, of, 4);
	for (const struct axt_aux *x = points->meta->aux; x; x = x->next)
		if (is_bounds(points, to, x)) {
			struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

			if (!c)
				return axt_graph_fail(g, AXT_E_MEM, "out of memory");
			*c = *x;
			c->next = (struct axt_aux *)m->aux;
			m->aux = c;
		}
	if (add_place(g, m, &to->lon) || add_place(g, m, &to->lat))
		return axt_node_failed(g);
	return e;
}

struct axt_expr *
axt_take_nearest(struct axt_graph *g, struct axt_expr *a, const char *list, struct axt_expr *points)
{
	struct axt_points cells, at;
	struct pair from, to;
	struct axt_axes names;
	struct axt_expr *index, *y;
	const char *cell;
	int64_t *found;

	if (axt_refused(g, a) || axt_refused(g, points) ||
	    axt_axes_parse(g->m, list, false, &names, NULL, &g->err))
		return axt_node_failed(g);
	if (names.n != 2) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "the nearest cell needs a latitude and a longitude, and \"%s\" names %d",
		    axt_escape(g->m, list), names.n);
		axt_hint(&g->err, "lat,lon@POINTS");
		return axt_node_failed(g);
	}
	if (named_pair(g, a, &names, &from) || point_pair(g, points, &names, &to) ||
	    axt_points_of(g, a, &from.lat, &from.lon, &cells) ||
	    axt_points_of(g, points, &to.lat, &to.lon, &at))
		return axt_node_failed(g);
	found = axt_alloc(g->m, (size_t)at.n * sizeof(*found) + 1);
	cell = cell_name(g, a, &at.axes);
	if (!found || !cell)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (axt_points_nearest(g, &cells, at.v, at.n, found))
		return axt_node_failed(g);
	index = axt_memory_leaf(g, AXT_I64, &at.axes, found);
	if (axt_bad(index))
		return index;
	index->from = points->from;
	y = one_axis(g, a, &cells.axes, cell);
	return with_places(g, axt_take(g, y, cell, index, false), points, &from, &to);
}

/* ---- points of a file ---- */

/* Whether a dataset of f names d as its bounds. */
static bool
is_bounds_of_any(const struct axt_file *f, const struct axt_dset *d)
{
	for (int i = 0; i < f->ndsets; i++) {
		const char *name = axt_attr_text(f->dsets[i].attrs, "bounds");

		if (name && strcmp(name, d->name) == 0)
			return true;
	}
	return false;
}

/*
 * Finds the dataset of f that is called `name`; if there is none, the only one that is a latitude
 * (or longitude) by its attributes or its name.
 */
static struct axt_dset *
find_dataset(struct axt_graph *g, struct axt_file *f, const char *name, enum axt_meaning kind)
{
	struct axt_dset *by_kind = NULL;

	for (int i = 0; i < f->ndsets; i++) {
		struct axt_dset *d = &f->dsets[i];

		if (d->role != AXT_ROLE_TENSOR && d->role != AXT_ROLE_SCALE &&
		    d->role != AXT_ROLE_AUX)
			continue;
		if (axt_dset_load(g->m, f, d, &g->err))
			return NULL;
		if (strcmp(d->name, name) == 0)
			return d;
		if (axt_meaning(d->name, d->attrs) != kind || is_bounds_of_any(f, d))
			continue;
		if (by_kind) {
			axt_fail(&g->err, AXT_E_AMBIG, "%s has %s and %s: which are the points?",
			    axt_escape(g->m, f->path), axt_escape(g->m, by_kind->path + 1),
			    axt_escape(g->m, d->path + 1));
			axt_hint(&g->err, "%s:TENSOR has the points of that tensor",
			    axt_escape(g->m, f->path));
			return NULL;
		}
		by_kind = d;
	}
	return by_kind;
}

/* A tensor of zeros over the axes of two datasets, which are its coordinates. */
static struct axt_expr *
over(struct axt_graph *g, struct axt_file *f, struct axt_dset *const d[2])
{
	struct axt_expr *e = axt_const(g, AXT_I8, 0);
	struct axt_axes x;
	int src[AXT_MAX_RANK];

	if (axt_bad(e) || axt_axes_union(g->m, &d[0]->axes, &d[1]->axes, &g->join, &x, &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < x.n; i++)
		src[i] = -1;
	e = axt_relabel(g, e, &x, src);
	for (int k = 0; k < 2 && !axt_bad(e); k++) {
		struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

		if (axt_axes_find(&x, &(struct axt_axis){ .name = d[k]->name }) >= 0)
			continue;
		if (!c || axt_load_aux(g, f, d[k], &x, c))
			return axt_graph_fail(g, AXT_E_MEM, "%s is too large for a coordinate",
			    axt_escape(g->m, d[k]->path));
		e = axt_place_add(g, e, c);
	}
	if (!axt_bad(e))
		e->from = f->path;
	return e;
}

struct axt_expr *
axt_points_in(struct axt_graph *g, const char *word, const char *list,
    const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	struct axt_axes names;
	struct axt_dset *d[2];
	struct axt_named x;

	o = o ? o : &plain;
	if (g->err.code || axt_axes_parse(g->m, list, false, &names, NULL, &g->err) ||
	    axt_named_words(g, word, o->dataset, &x) || axt_named_file(g, &x))
		return axt_node_failed(g);
	if (x.name || names.n != 2 || x.f->stream)
		return axt_open(g, word, o);
	for (int k = 0; k < 2; k++) {
		enum axt_meaning kind = axt_meaning_likely(names.a[k].name, NULL);

		if (kind != AXT_MEANS_LAT && kind != AXT_MEANS_LON)
			kind = k ? AXT_MEANS_LON : AXT_MEANS_LAT;
		d[k] = find_dataset(g, x.f, names.a[k].name, kind);
		if (g->err.code)
			return axt_node_failed(g);
	}
	return d[0] && d[1] ? over(g, x.f, d) : axt_open(g, word, o);
}
