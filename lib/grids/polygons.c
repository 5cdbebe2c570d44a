/*
 * polygons.c - the areas of cells whose latitudes and longitudes have vertices as bounds:
 * triangles, hexagons, cells of rotated and tripolar grids. Edges are parts of great circles.
 */
#include <math.h>
#include <stdatomic.h>

#include "grids/grids.h"
#include "grids/shares.h"
#include "grids/sphere.h"

/* The latitude and longitude of the vertices of cells, those of a cell one after another. */
struct vertices {
	struct axt_place lat, lon;
	int64_t cells, each;
};

int
axt_place_vertices(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *of,
    struct axt_place *out)
{
	int n = of->axes.n;

	for (const struct axt_aux *x = a->meta->aux; x; x = x->next) {
		bool same = axt_is_bounds(of->attrs, x) && x->axes.n == n + 1 && x->own[n] &&
		    x->axes.a[n].len > 2;

		for (int i = 0; same && i < n; i++)
			same = axt_axis_same(&x->axes.a[i], &of->axes.a[i]);
		if (!same)
			continue;
		if (axt_place_of(g, x, out))
			return -1;
		if (!axt_attr_text(x->attrs, "units"))
			out->c.attrs = of->attrs;
		return 1;
	}
	return 0;
}

/* Returns as axt_place_find. */
static int
find_vertices(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *lat,
    struct vertices *v)
{
	struct axt_place lon;
	int is = axt_place_of_kind(g, a, true, &lon);

	if (is > 0)
		is = axt_place_vertices(g, a, lat, &v->lat);
	if (is > 0)
		is = axt_place_vertices(g, a, lon.aux, &v->lon);
	if (is <= 0)
		return is;
	if (v->lat.aux->axes.n != v->lon.aux->axes.n || v->lat.c.n != v->lon.c.n)
		return 0;
	for (int i = 0; i < lat->axes.n; i++)
		if (!axt_axis_same(&lat->axes.a[i], &lon.aux->axes.a[i]))
			return 0;
	v->each = v->lat.aux->axes.a[lat->axes.n].len;
	v->cells = v->lat.c.n / v->each;
	return v->lon.aux->axes.a[lat->axes.n].len == v->each;
}

/*
 * Sets *area to the area of cell i, a sum of triangles that share its first vertex. Missing
 * vertices are passed over, and a cell with less than 3 others is missing. *folded: whether
 * triangles take away more than half of what others add, as they do where edges cross. Without g
 * there is no message of a wrong latitude.
 */
static int
polygon(struct axt_graph *g, const struct vertices *v, int64_t i, double *area, bool *folded)
{
	double p[3][3], sum = 0, all = 0;
	int n = 0;

	for (int64_t k = i * v->each; k < (i + 1) * v->each; k++) {
		double *to = p[MIN(n, 2)], t;

		if (axt_point_of(g, &v->lat, axt_place_value(&v->lat, k), &v->lon,
			axt_place_value(&v->lon, k), to))
			return -1;
		if (isnan(to[0]))
			continue;
		if (n < 2) {
			n++;
			continue;
		}
		n = 3;
		t = axt_sphere_triangle(p[0], p[1], p[2]);
		sum += t;
		all += fabs(t);
		memcpy(p[1], p[2], sizeof(p[1]));
	}
	*area = n < 3 ? NAN : fabs(sum);
	*folded = n == 3 && all > 1e-14 && fabs(sum) < all / 3;
	return 0;
}

#define SHARE 1024 /* cells that a thread takes at a time */

/* The areas of all cells, and what threads that compute them find. */
struct job {
	const struct vertices *v;
	double *area;
	atomic_llong folded, missing; /* cells */
	atomic_bool wrong;            /* whether there is a wrong latitude */
};

static void
cell_share(void *ctx, int64_t from, int64_t to)
{
	struct job *j = ctx;
	int64_t folded = 0, missing = 0;

	for (int64_t i = from; i < to && !atomic_load(&j->wrong); i++) {
		bool fold = false;

		if (polygon(NULL, j->v, i, &j->area[i], &fold))
			atomic_store(&j->wrong, true);
		folded += fold;
		missing += isnan(j->area[i]);
	}
	atomic_fetch_add(&j->folded, folded);
	atomic_fetch_add(&j->missing, missing);
}

/* Computes the areas of all cells. Of wrong latitudes the first is told. */
static int
compute(struct axt_graph *g, struct job *j)
{
	bool folded;

	axt_shares(g, j->v->cells, SHARE, cell_share, j);
	for (int64_t i = 0; atomic_load(&j->wrong) && i < j->v->cells; i++)
		if (polygon(g, j->v, i, &j->area[i], &folded))
			return -1;
	return 0;
}

/* What belongs to areas: the coordinates of cells, with their vertices. */
static const struct axt_meta *
meta_of(struct axt_graph *g, const struct axt_expr *a, const struct vertices *v, bool missing)
{
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));
	struct axt_aux **tail = m ? (struct axt_aux **)&m->aux : NULL;

	if (!m)
		return NULL;
	*m = (struct axt_meta){ .name = "area", .missing = missing };
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next) {
		bool named = axt_is_bounds(x->attrs, v->lat.aux) ||
		    axt_is_bounds(x->attrs, v->lon.aux);

		if ((named || x == v->lat.aux || x == v->lon.aux) && !axt_aux_add(g->m, x, &tail))
			return NULL;
		if (named)
			m->attrs = axt_add_coordinate(g, m->attrs, x->name);
	}
	return m;
}

int
axt_polygon_areas(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *lat,
    struct axt_expr **out)
{
	struct vertices v;
	int is = find_vertices(g, a, lat, &v);
	struct job j = { .v = &v };

	if (is <= 0)
		return is;
	j.area = axt_alloc(g->m, ((size_t)v.cells + 1) * sizeof(*j.area));
	if (!j.area)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
	if (compute(g, &j))
		return -1;
	if (j.folded)
		axt_warn(g,
		    "edges of %lld of %lld cells of %s cross each other: the vertices in %s and %s "
		    "must go round a cell",
		    (long long)j.folded, (long long)v.cells, a->from,
		    axt_escape(g->m, v.lat.aux->name), axt_escape(g->m, v.lon.aux->name));
	*out = axt_memory_leaf(g, AXT_F64, &lat->axes, j.area);
	if (axt_bad(*out))
		return -1;
	(*out)->from = "areas";
	(*out)->meta = meta_of(g, a, &v, j.missing > 0);
	return (*out)->meta ? 1 : (axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1);
}
