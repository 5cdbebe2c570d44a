/*
 * areas.c - the areas of cells. They are the dataset that cell_measures names, if there is one.
 * Without it they are computed: on a regular grid from the bounds of latitudes and longitudes, or,
 * without bounds, from the cosines of latitudes; on other grids from the vertices of cells
 * (polygons.c).
 */
#include <math.h>
#include <strings.h>

#include "axt_builds.h"
#include "grids/grids.h"

/* Turns the bounds c, which may have units of their own, into units of the axis. */
static int
in_units_of(struct axt_graph *g, const struct axt_axis *axis, const struct axt_aux *x,
    struct axt_coord *c)
{
	const char *u = axt_attr_text(axis->coord->attrs, "units"),
		   *v = axt_attr_text(x->attrs, "units");
	const struct axt_attr *own = c->attrs, *calendar;
	struct axt_units_way w;
	double *y;

	c->attrs = axis->coord->attrs;
	if (!u || !v || strcmp(u, v) == 0 || (axt_units_degrees(u) && axt_units_degrees(v)))
		return 0;
	calendar = axt_attr_find(c->attrs, "calendar");
	if (calendar && !axt_attr_find(own, "calendar"))
		own = axt_attr_set(g->m, own, calendar);
	y = axt_alloc(g->m, (size_t)c->n * sizeof(*y) + 1);
	if (!y)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_units_find(g, own, u, axt_escape(g->m, x->name), &w))
		return g->err.code;
	for (int64_t i = 0; i < c->n; i++) {
		double b = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));

		y[i] = w.from ? (axt_cftime_seconds(w.from, b) - w.to->epoch) / w.to->unit
			      : b * w.scale + w.offset;
	}
	c->dtype = AXT_F64;
	c->data = y;
	return 0;
}

int
axt_place_bounds(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *axis,
    struct axt_place *out)
{
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (axt_is_bounds(axis->coord->attrs, x) && x->axes.n == 2 && x->own[1] &&
		    x->axes.a[1].len == 2 && axt_axis_same(&x->axes.a[0], axis)) {
			if (axt_place_of(g, x, out))
				return -1;
			return in_units_of(g, axis, x, &out->c) ? -1 : 1;
		}
	return 0;
}

/* A bound of a latitude, cut at the pole: cells around a pole may be given as if they went on. */
static double
latitude(const struct axt_place *bounds, int64_t i)
{
	const char *units = axt_attr_text(bounds->c.attrs, "units");
	double pole = units && strncasecmp(units, "rad", 3) == 0 ? M_PI / 2 : 90,
	       v = axt_place_value(bounds, i);

	/* beyond twice the width of the largest cell that has a pole, it is no latitude */
	return fabs(v) <= 2 * pole ? fmax(-pole, fmin(pole, v)) : v;
}

/* The height of each cell, as the difference of sines, or the cosine of its latitude. */
static int
heights(struct axt_graph *g, const struct axt_place *lat, const struct axt_place *bounds, double *w)
{
	double lo[3], hi[3];

	for (int64_t i = 0; i < lat->c.n; i++) {
		if (axt_point_of(g, bounds ? bounds : lat,
			bounds ? latitude(bounds, 2 * i) : axt_place_value(lat, i), lat, 0, lo) ||
		    (bounds && axt_point_of(g, bounds, latitude(bounds, 2 * i + 1), lat, 0, hi)))
			return g->err.code;
		w[i] = bounds ? fabs(hi[2] - lo[2]) : lo[0];
	}
	return 0;
}

static struct axt_expr *
leaf(struct axt_graph *g, const struct axt_axis *axis, const double *w)
{
	struct axt_axes x = { .n = 1, .a = { *axis } };
	struct axt_expr *e = axt_memory_leaf(g, AXT_F64, &x, w);

	if (!axt_bad(e))
		e->from = "areas";
	return axt_set_name(g, e, "area");
}

/*
 * The dataset that the attribute cell_measures names, as "area: cell_area", if it lies beside `a`
 * in its file, over axes of `a`. NULL: there is none, or the graph has an error.
 */
static struct axt_expr *
measured(struct axt_graph *g, const struct axt_expr *a)
{
	const char *list = axt_attr_text(a->meta->attrs, "cell_measures"),
		   *at = list ? strstr(list, "area:") : NULL, *name;
	struct axt_place p;

	if (!at)
		return NULL;
	at += strlen("area:");
	at += strspn(at, " ");
	name = axt_strndup(g->m, at, strcspn(at, " "));
	return name && axt_place_find(g, a, name, false, &p) > 0
	    ? axt_set_name(g, axt_memory_leaf(g, p.c.dtype, &p.aux->axes, p.c.data), "area")
	    : NULL;
}

static int
no_latitude(struct axt_graph *g, const struct axt_expr *a, const struct axt_place *lat)
{
	if (lat)
		axt_fail(&g->err, AXT_E_COORD,
		    "areas need latitudes that are an axis, or vertices of cells, and \"%s\" of %s "
		    "lies over %s, without vertices as bounds of it and of longitudes",
		    axt_escape(g->m, lat->aux->name), a->from,
		    axt_axes_text(g->m, &lat->aux->axes));
	else
		axt_fail(&g->err, AXT_E_COORD, "areas need latitudes, and %s (%s) has none",
		    a->from, axt_axes_text(g->m, &a->axes));
	if (lat)
		axt_hint(&g->err, "--weights FILE:areacella, a dataset of areas");
	else
		axt_hint(&g->err, "coordinates with units degrees_north are latitudes");
	return g->err.code;
}

static struct axt_expr *
area(struct axt_graph *g, struct axt_expr *a)
{
	struct axt_place p[2], bounds[2];
	const struct axt_axis *axis;
	struct axt_expr *e;
	double *w, first;
	int is, has, same = 1;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	e = measured(g, a);
	if (e || g->err.code || (is = axt_place_of_kind(g, a, false, &p[0])) < 0)
		return e ? e : axt_node_failed(g);
	if (is && !p[0].is_axis) {
		is = axt_polygon_areas(g, a, p[0].aux, &e);
		if (is)
			return is > 0 ? e : axt_node_failed(g);
		is = 1;
	}
	if (!is || !p[0].is_axis) {
		no_latitude(g, a, is ? &p[0] : NULL);
		return axt_node_failed(g);
	}
	axis = &p[0].aux->axes.a[0];
	w = axt_alloc(g->m, ((size_t)axis->len + 1) * sizeof(*w));
	if (!w)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	has = axt_place_bounds(g, a, axis, &bounds[0]);
	if (has < 0 || heights(g, &p[0], has ? &bounds[0] : NULL, w))
		return axt_node_failed(g);
	e = leaf(g, axis, w);
	is = has ? axt_place_of_kind(g, a, true, &p[1]) : 0;
	if (is <= 0 || !p[1].is_axis)
		return is < 0 ? axt_node_failed(g) : e;
	axis = &p[1].aux->axes.a[0];
	if (axt_place_bounds(g, a, axis, &bounds[1]) <= 0)
		return g->err.code ? axt_node_failed(g) : e;
	w = axt_alloc(g->m, ((size_t)axis->len + 1) * sizeof(*w));
	if (!w)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < axis->len; i++)
		w[i] = fabs(
		    axt_place_value(&bounds[1], 2 * i + 1) - axt_place_value(&bounds[1], 2 * i));
	first = axis->len ? w[0] : 0;
	for (int64_t i = 0; i < axis->len; i++)
		same = same && fabs(w[i] - first) <= 1e-5 * first;
	/* widths that are all the same change no weights */
	return same ? e : axt_set_name(g, axt_map2(g, AXT_OP_MUL, e, leaf(g, axis, w)), "area");
}

struct axt_expr *
axt_weights_of(struct axt_graph *g, struct axt_expr *a, const char *word)
{
	const char *dot = strrchr(word, '.');
	int k = dot ? axt_cffield_named(dot + 1) : -1;
	char text[AXT_CFFIELD_TEXT];

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (strcmp(word, "area") == 0)
		return area(g, a);
	if (k < 0 || !axt_cffield_text(k, 1, text))
		return axt_field(g, a, word);
	axt_fail(&g->err, AXT_E_DTYPE, "weights are numbers, and %s is text, such as %s",
	    axt_escape(g->m, word), text);
	axt_about(&g->err, AXT_BAD_FIELD, word, "weights");
	return axt_node_failed(g);
}
