/*
 * cells.c - the grid of a tensor, and its cells as polygons.
 */
#include "grids/cells.h"

#include <stdlib.h>

#include "axes/keys.h"
#include "grids/shares.h"

#define STEP 1.0 /* degrees along a circle of latitude that one great circle takes the place of */

/* ---- the grid of a tensor ---- */

static int
no_grid(struct axt_graph *g, const struct axt_expr *a, const char *what)
{
	axt_fail(&g->err, AXT_E_COORD, "%s (%s) has no %s", a->from, axt_axes_text(g->m, &a->axes),
	    what);
	axt_hint(&g->err,
	    "coordinates with units degrees_north and degrees_east are latitudes and "
	    "longitudes");
	return g->err.code;
}

/* Whether the bounds of the longitudes cover all of the circle. Returns as axt_place_find. */
static int
bounds_close(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *lon)
{
	struct axt_place b;
	int has = axt_place_bounds(g, a, lon, &b);
	double wide = 0;

	for (int64_t i = 0; has > 0 && i + 1 < b.c.n; i += 2)
		wide += fabs(axt_place_at(&b, i + 1) - axt_place_at(&b, i));
	return has > 0 ? fabs(wide - 360) < 1e-6 : has;
}

/*
 * Whether longitudes that are an axis go around: the last is about as far from the first, a turn
 * on, as neighbours are, or their bounds cover the circle. Returns as axt_place_find.
 */
static int
longitudes_close(struct axt_graph *g, const struct axt_expr *a, const struct axt_grid *x,
    const struct axt_axis *lon)
{
	double most = 0, all = 0, gap;

	if (!axt_axis_circle(lon))
		return 0;
	for (int64_t i = 1; i < lon->len; i++) {
		double step = axt_place_at(&x->lon, i) - axt_place_at(&x->lon, i - 1);

		step -= 360 * rint(step / 360);
		most = fmax(most, fabs(step));
		all += step;
	}
	gap = 360 - fabs(all);
	if (gap < 1e-6) /* the first longitude is there again at the end */
		return 0;
	return gap <= 1.5 * most ? 1 : bounds_close(g, a, lon);
}

/* Latitudes and longitudes that are axes. */
static int
crossed(struct axt_graph *g, const struct axt_expr *a, bool cells, struct axt_grid *x)
{
	const struct axt_axis *lat = &x->lat.aux->axes.a[0], *lon = &x->lon.aux->axes.a[0];
	struct axt_edges e;
	int i = axt_axes_find(&a->axes, lat), k = axt_axes_find(&a->axes, lon), closed;

	x->kind = AXT_GRID_CROSSED;
	x->lon_first = k < i;
	x->axes = (struct axt_axes){ .n = 2 };
	x->axes.a[x->lon_first] = a->axes.a[i];
	x->axes.a[!x->lon_first] = a->axes.a[k];
	x->n = lat->len * lon->len;
	closed = longitudes_close(g, a, x, &a->axes.a[k]);
	if (closed < 0)
		return g->err.code;
	x->circle = closed;
	if (!cells)
		return 0;
	if (axt_edges_of_axis(g, a, &a->axes.a[i], &e))
		return g->err.code;
	x->lat_edge = e.of;
	if (axt_edges_of_axis(g, a, &a->axes.a[k], &e))
		return g->err.code;
	x->lon_edge = e.of;
	return 0;
}

/* Whether the vertices of both coordinates lie over the axes of the grid, in their order. */
static bool
fits(const struct axt_grid *x, const struct axt_place *v)
{
	const struct axt_axes *has = &v->aux->axes;

	if (has->n != x->axes.n + 1)
		return false;
	for (int i = 0; i < x->axes.n; i++)
		if (!axt_axis_same(&has->a[i], &x->axes.a[i]))
			return false;
	return true;
}

/* A sum of up to four middles of cells that meet at a corner; *n grows by how many there are. */
static void
add_middle(const struct axt_grid *x, int64_t i, int64_t k, double sum[3], int *n)
{
	int64_t rows = x->axes.a[0].len, columns = x->axes.a[1].len;
	const double *v;

	if (x->circle)
		k = (k + columns) % columns;
	if (i < 0 || i >= rows || k < 0 || k >= columns)
		return;
	v = x->at[i * columns + k];
	if (isnan(v[0]))
		return;
	for (int d = 0; d < 3; d++)
		sum[d] += v[d];
	++*n;
}

/*
 * Corners of the cells of a grid over two axes whose coordinates have no vertices: the middle
 * between the four cells that meet there. Beyond the edge of the grid cells are as large as they
 * are within it: what is missing there are the cells before it, turned about the middles.
 */
static int
make_corners(struct axt_graph *g, struct axt_grid *x)
{
	int64_t rows = x->axes.a[0].len, columns = x->axes.a[1].len, at = 0;

	x->corner = axt_alloc(g->m, (size_t)((rows + 1) * (columns + 1)) * sizeof(*x->corner));
	if (!x->corner)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (rows < 2 || columns < 2)
		return axt_fail(&g->err, AXT_E_COORD,
		    "the cells of %s have no vertices, and no "
		    "neighbours from which these follow",
		    x->what);
	for (int64_t i = 0; i <= rows; i++)
		for (int64_t k = 0; k <= columns; k++, at++) {
			double *c = x->corner[at];
			int n = 0;

			for (int d = 0; d < 4; d++)
				add_middle(x, i - d / 2, k - d % 2, c, &n);
			if (n == 0)
				c[0] = NAN;
			else
				axt_unit3(c);
		}
	/* corners at the edge of the grid lie between its last middles: they are moved outwards */
	for (int64_t i = 0; i <= rows; i++)
		for (int64_t k = 0; k <= columns; k++) {
			int64_t di = i == 0 ? 1
			    : i == rows     ? -1
					    : 0,
				dk = x->circle ? 0
			    : k == 0           ? 1
			    : k == columns     ? -1
					       : 0;
			double *c = x->corner[i * (columns + 1) + k],
			       *in = x->corner[(i + di) * (columns + 1) + k + dk];

			if ((di == 0 && dk == 0) || isnan(c[0]) || isnan(in[0]))
				continue;
			for (int d = 0; d < 3; d++)
				c[d] = 2 * c[d] - in[d];
			axt_unit3(c);
		}
	return 0;
}

/*
 * Whether the columns of a grid over two axes go around: the last is about as near to the first as
 * to the one before.
 */
static bool
goes_around(const struct axt_grid *x)
{
	int64_t rows = x->axes.a[0].len, columns = x->axes.a[1].len, like = 0, all = 0;

	if (columns < 3)
		return false;
	for (int64_t i = 0; i < rows; i++) {
		const double(*v)[3] = (const double(*)[3])x->at + i * columns;
		double step = 0, gap = 0;

		for (int d = 0; d < 3; d++) {
			step += (v[columns - 1][d] - v[columns - 2][d]) *
			    (v[columns - 1][d] - v[columns - 2][d]);
			gap += (v[columns - 1][d] - v[0][d]) * (v[columns - 1][d] - v[0][d]);
		}
		if (isnan(step) || isnan(gap))
			continue;
		all++;
		like += gap <= 2.25 * step;
	}
	return 2 * like > all;
}

/* Latitudes and longitudes over one axis or two. */
static int
celled(struct axt_graph *g, const struct axt_expr *a, bool cells, struct axt_grid *x)
{
	struct axt_points p;
	int has = 1;

	x->kind = AXT_GRID_CELLS;
	if (axt_points_of(g, a, &x->lat, &x->lon, &p))
		return g->err.code;
	x->axes = p.axes;
	x->n = p.n;
	x->at = p.v;
	if (x->axes.n > 2)
		return axt_fail(&g->err, AXT_E_COORD,
		    "the coordinates %s and %s of %s lie over %d axes, and a grid has one or two",
		    axt_escape(g->m, x->lat.aux->name), axt_escape(g->m, x->lon.aux->name), x->what,
		    x->axes.n);
	x->circle = x->axes.n == 2 && goes_around(x);
	if (!cells)
		return 0;
	has = axt_place_vertices(g, a, x->lat.aux, &x->vlat);
	if (has > 0)
		has = axt_place_vertices(g, a, x->lon.aux, &x->vlon);
	if (has < 0)
		return g->err.code;
	if (has && fits(x, &x->vlat) && fits(x, &x->vlon) &&
	    x->vlat.aux->axes.a[x->axes.n].len == x->vlon.aux->axes.a[x->axes.n].len) {
		x->each = x->vlat.aux->axes.a[x->axes.n].len;
		if (x->each > AXT_POLYGON_MAX)
			return axt_fail(&g->err, AXT_E_LIMIT,
			    "cells of %s have %lld vertices, and "
			    "%d are the most",
			    x->what, (long long)x->each, AXT_POLYGON_MAX);
		return 0;
	}
	if (x->axes.n == 2)
		return make_corners(g, x);
	axt_fail(&g->err, AXT_E_COORD, "the cells of %s have no vertices", x->what);
	axt_hint(&g->err,
	    "the attribute bounds of %s and %s names them; --method nearest needs none",
	    axt_escape(g->m, x->lat.aux->name), axt_escape(g->m, x->lon.aux->name));
	return g->err.code;
}

/* The first number of an attribute; 0: there is none. */
static int64_t
number(const struct axt_attr *l, const char *name)
{
	const struct axt_attr *x = axt_attr_find(l, name);
	double v = x && x->kind == AXT_ATTR_NUM && x->n > 0 ? axt_load_f64(x->dtype, x->data) : 0;

	return v >= 1 && v <= 1 << 15 ? (int64_t)v : 0;
}

/* Whether attributes of a grid mapping say that cells are numbered as those of HEALPix. */
static bool
says_healpix(const struct axt_attr *l, struct axt_grid *x)
{
	const char *name = axt_attr_text(l, "grid_mapping_name"),
		   *order = axt_attr_text(l, "healpix_order");

	if (!name || strcmp(name, "healpix") != 0)
		return false;
	order = order ? order : axt_attr_text(l, "indexing_scheme");
	x->nested = order && strncmp(order, "nest", 4) == 0;
	x->side = number(l, "healpix_nside");
	if (!x->side && number(l, "refinement_level"))
		x->side = (int64_t)1 << number(l, "refinement_level");
	return x->side > 0;
}

/* The cells of HEALPix, if the tensor's grid mapping says so. Returns as axt_place_find. */
static int
healpix(struct axt_graph *g, const struct axt_expr *a, struct axt_grid *x)
{
	const char *name = axt_attr_text(a->meta->attrs, "grid_mapping");
	struct axt_companion c;
	int axis = -1;

	if (!name || !axt_companion_find(g, a, name, &c) ||
	    !says_healpix(c.d ? c.d->attrs : c.aux->attrs, x))
		return g->err.code ? -1 : 0;
	for (int i = 0; i < a->axes.n; i++)
		if (a->axes.a[i].len == 12 * x->side * x->side)
			axis = i;
	if (axis < 0) {
		axt_fail(&g->err, AXT_E_COORD,
		    "%s (%s) has no axis of %lld cells, as many as HEALPix has whose sides have %lld",
		    a->from, axt_axes_text(g->m, &a->axes), (long long)(12 * x->side * x->side),
		    (long long)x->side);
		return -1;
	}
	x->kind = AXT_GRID_HEALPIX;
	x->axes = (struct axt_axes){ .n = 1, .a = { a->axes.a[axis] } };
	x->n = a->axes.a[axis].len;
	return 1;
}

/* Lists a dataset with what belongs to the grid, over no more axes than the grid has. */
static int
belongs(struct axt_graph *g, struct axt_grid *x, const struct axt_aux *of)
{
	struct axt_aux *c = axt_alloc(g->m, sizeof(*c));
	int more = 0;

	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = *of;
	/* the grid does not change along further axes, which come first */
	for (int i = 0; x->kind == AXT_GRID_CELLS && i < of->axes.n; i++)
		more += !of->own[i] && axt_axes_find(&x->axes, &of->axes.a[i]) < 0;
	for (int i = 0; i + more < of->axes.n; i++) {
		c->axes.a[i] = of->axes.a[i + more];
		c->own[i] = of->own[i + more];
	}
	c->axes.n -= more;
	c->next = (struct axt_aux *)x->aux;
	x->aux = c;
	return 0;
}

/* Sets what a field on the grid of a has besides axes: coordinates, bounds, the mapping. */
static int
belongings(struct axt_graph *g, const struct axt_expr *a, struct axt_grid *x)
{
	const char *mapping = axt_attr_text(a->meta->attrs, "grid_mapping");
	const struct axt_aux *crs = mapping ? axt_aux_find(a->meta->aux, mapping) : NULL;
	struct axt_place *of[] = { &x->lat, &x->lon }, v;

	for (int k = 0; k < 2; k++) {
		int has = 0;

		if (!of[k]->aux)
			continue;
		if (x->kind == AXT_GRID_CROSSED)
			has = axt_place_bounds(g, a, &of[k]->aux->axes.a[0], &v);
		else if (x->kind == AXT_GRID_CELLS)
			has = axt_place_vertices(g, a, of[k]->aux, &v);
		if (has < 0 || (has && belongs(g, x, v.aux)) ||
		    (x->kind != AXT_GRID_CROSSED && belongs(g, x, of[k]->aux)))
			return g->err.code;
		if (x->kind != AXT_GRID_CROSSED)
			x->attrs = axt_add_coordinate(g, x->attrs, of[k]->aux->name);
	}
	if (!crs)
		return 0;
	x->attrs = axt_attr_set(g->m, x->attrs, axt_attr_find(a->meta->attrs, "grid_mapping"));
	return belongs(g, x, crs);
}

bool
axt_grid_there(struct axt_graph *g, const struct axt_expr *a)
{
	struct axt_grid x = { 0 };

	return healpix(g, a, &x) != 0 ||
	    (axt_place_of_kind(g, a, false, &x.lat) > 0 &&
		axt_place_of_kind(g, a, true, &x.lon) > 0);
}

int
axt_grid_of(struct axt_graph *g, const struct axt_expr *a, bool cells, struct axt_grid *out)
{
	int lat, lon;

	*out = (struct axt_grid){ .what = a->from };
	lat = healpix(g, a, out);
	if (lat > 0 &&
	    (axt_place_of_kind(g, a, false, &out->lat) < 0 ||
		axt_place_of_kind(g, a, true, &out->lon) < 0))
		return g->err.code;
	if (lat)
		return lat < 0 ? (int)g->err.code : belongings(g, a, out);
	lat = axt_place_of_kind(g, a, false, &out->lat);
	lon = lat > 0 ? axt_place_of_kind(g, a, true, &out->lon) : 0;
	if (lat <= 0 || lon <= 0)
		return g->err.code ? (int)g->err.code
				   : no_grid(g, a, lat <= 0 ? "latitudes" : "longitudes");
	if (out->lat.is_axis && out->lon.is_axis ? crossed(g, a, cells, out)
						 : celled(g, a, cells, out))
		return g->err.code;
	return belongings(g, a, out);
}

static bool
same_values(const struct axt_place *a, const struct axt_place *b)
{
	return a->c.n == b->c.n && a->c.dtype == b->c.dtype &&
	    axt_place_degrees(a->c.attrs) == axt_place_degrees(b->c.attrs) &&
	    (a->c.n == 0 || a->c.data == b->c.data ||
		memcmp(a->c.data, b->c.data, (size_t)(a->c.n * axt_size(a->c.dtype))) == 0);
}

static bool
same_bytes(const void *a, const void *b, int64_t n, size_t each)
{
	return a == b || (a && b && memcmp(a, b, (size_t)n * each) == 0);
}

bool
axt_grid_same(const struct axt_grid *a, const struct axt_grid *b)
{
	if (a->kind != b->kind || a->n != b->n || a->axes.n != b->axes.n ||
	    a->lon_first != b->lon_first || a->circle != b->circle || a->each != b->each ||
	    a->side != b->side || a->nested != b->nested)
		return false;
	for (int i = 0; i < a->axes.n; i++)
		if (a->axes.a[i].len != b->axes.a[i].len)
			return false;
	return same_values(&a->lat, &b->lat) && same_values(&a->lon, &b->lon) &&
	    same_values(&a->vlat, &b->vlat) && same_values(&a->vlon, &b->vlon) &&
	    same_bytes(a->at, b->at, a->n, sizeof(*a->at)) &&
	    same_bytes(a->lat_edge, b->lat_edge, a->lat.c.n, sizeof(*a->lat_edge)) &&
	    same_bytes(a->lon_edge, b->lon_edge, a->lon.c.n, sizeof(*a->lon_edge));
}

/* ---- cells ---- */

double
axt_place_at(const struct axt_place *p, int64_t i)
{
	return axt_place_value(p, i) * axt_place_degrees(p->c.attrs);
}

/* The positions along the latitudes and the longitudes of cell i of a crossed grid. */
static void
positions(const struct axt_grid *x, int64_t i, int64_t *lat, int64_t *lon)
{
	int64_t inner = x->axes.a[1].len;

	*lat = x->lon_first ? i % inner : i / inner;
	*lon = x->lon_first ? i / inner : i % inner;
}

void
axt_grid_middle(const struct axt_grid *x, int64_t i, double v[3])
{
	int64_t lat, lon;

	if (x->kind == AXT_GRID_HEALPIX) {
		axt_healpix_middle(x->side, x->nested, i, v);
	} else if (x->kind == AXT_GRID_CELLS) {
		memcpy(v, x->at[i], 3 * sizeof(*v));
	} else {
		positions(x, i, &lat, &lon);
		axt_sphere_vector(axt_place_at(&x->lat, lat), axt_place_at(&x->lon, lon), v);
	}
}

bool
axt_grid_box(const struct axt_grid *x, int64_t i, struct axt_box4 *out)
{
	int64_t lat, lon;

	if (x->kind != AXT_GRID_CROSSED)
		return false;
	positions(x, i, &lat, &lon);
	*out = (struct axt_box4){ x->lat_edge[lat][0], x->lat_edge[lat][1], x->lon_edge[lon][0],
		x->lon_edge[lon][1] };
	return true;
}

int
axt_grid_pieces(const struct axt_grid *x, int64_t i)
{
	struct axt_box4 b;

	return axt_grid_box(x, i, &b) ? (int)fmax(1, ceil((b.east - b.west) / STEP - 1e-6)) : 1;
}

static int
crossed_polygon(const struct axt_grid *x, int64_t i, int piece, double (*v)[3])
{
	int pieces = axt_grid_pieces(x, i);
	struct axt_box4 b;
	double west, east;

	axt_grid_box(x, i, &b);
	west = b.west + (b.east - b.west) * piece / pieces;
	east = piece + 1 == pieces ? b.east : b.west + (b.east - b.west) * (piece + 1) / pieces;
	axt_sphere_vector(b.south, west, v[0]);
	axt_sphere_vector(b.south, east, v[1]);
	axt_sphere_vector(b.north, east, v[2]);
	axt_sphere_vector(b.north, west, v[3]);
	return 4;
}

/* Sets the vertices of a cell that has them. */
static void
given_polygon(const struct axt_grid *x, int64_t i, struct axt_polygon *out)
{
	out->n = 0;
	for (int64_t k = i * x->each; k < (i + 1) * x->each; k++) {
		double lat = axt_place_at(&x->vlat, k), lon = axt_place_at(&x->vlon, k);

		if (fabs(lat) < 1e10 && fabs(lon) < 1e10) /* others are missing */
			axt_sphere_vector(lat, lon, out->v[out->n++]);
	}
}

/* Sets those of a cell between corners. */
static void
corner_polygon(const struct axt_grid *x, int64_t i, struct axt_polygon *out)
{
	int64_t columns = x->axes.a[1].len, at = i / columns * (columns + 1) + i % columns;
	const int64_t of[4] = { at, at + 1, at + columns + 2, at + columns + 1 };
	double sum = x->at[i][0];

	for (int k = 0; k < 4; k++) {
		memcpy(out->v[k], x->corner[of[k]], sizeof(out->v[k]));
		sum += out->v[k][0];
	}
	out->n = isnan(sum) ? 0 : 4;
}

void
axt_grid_polygon(const struct axt_grid *x, int64_t i, int piece, struct axt_polygon *out)
{
	if (x->kind == AXT_GRID_CROSSED) {
		out->n = crossed_polygon(x, i, piece, out->v);
	} else if (x->kind == AXT_GRID_HEALPIX) {
		axt_healpix_corners(x->side, x->nested, i, out->v);
		out->n = 4;
	} else if (x->each) {
		given_polygon(x, i, out);
	} else {
		corner_polygon(x, i, out);
	}
	axt_polygon_ready(out);
}

/* ---- balls ---- */

/* The ball around the polygons of a cell: first its middle, then its radius. */
static void
around(const struct axt_grid *x, int64_t i, struct axt_ball *b)
{
	struct axt_polygon v;
	int pieces = axt_grid_pieces(x, i);
	double far = 0;

	*b = (struct axt_ball){ 0 };
	for (int p = 0; p < pieces; p++) {
		axt_grid_polygon(x, i, p, &v);
		for (int k = 0; k < v.n; k++)
			for (int d = 0; d < 3; d++)
				b->at[d] += v.v[k][d];
	}
	if (axt_dot3(b->at, b->at) > 0)
		axt_unit3(b->at);
	for (int p = 0; p < pieces; p++) {
		if (pieces > 1)
			axt_grid_polygon(x, i, p, &v);
		for (int k = 0; k < v.n; k++) {
			double away[3];

			for (int d = 0; d < 3; d++)
				away[d] = v.v[k][d] - b->at[d];
			far = fmax(far, axt_dot3(away, away));
		}
	}
	b->radius = sqrt(far) * (1 + 1e-9) + 1e-12;
	if (far == 0)
		b->at[0] = NAN;
}

#define SHARE 1024 /* cells that a thread takes at a time */

struct balls {
	const struct axt_grid *x;
	struct axt_ball *b;
	bool middles;
};

static void
make_some(void *ctx, int64_t from, int64_t to)
{
	struct balls *j = ctx;

	for (int64_t i = from; i < to; i++) {
		j->b[i].radius = 0;
		if (j->middles)
			axt_grid_middle(j->x, i, j->b[i].at);
		else
			around(j->x, i, &j->b[i]);
	}
}

struct axt_ball *
axt_grid_balls(struct axt_graph *g, const struct axt_grid *x, bool middles)
{
	struct balls j = { .x = x,
		.b = malloc((size_t)x->n * sizeof(*j.b) + 1),
		.middles = middles };

	if (!j.b)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		axt_shares(g, x->n, SHARE, make_some, &j);
	return j.b;
}
