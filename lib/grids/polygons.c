/*
 * polygons.c - the areas of cells whose latitudes and longitudes have vertices as bounds:
 * triangles, hexagons, cells of rotated and tripolar grids. Edges are parts of great circles.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/threads.h"
#include "grids/grids.h"

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

static double
value(const struct axt_place *p, int64_t i)
{
	return axt_load_f64(p->c.dtype, (const char *)p->c.data + i * axt_size(p->c.dtype));
}

static double
dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*
 * The area of a triangle on the sphere of radius 1, positive if it goes round counterclockwise, by
 * the formula of Eriksson (1990). The determinant is taken of differences, so that small triangles
 * have as many right digits as large ones.
 */
static double
triangle(const double a[3], const double b[3], const double c[3])
{
	double p[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] },
	       q[3] = { c[0] - a[0], c[1] - a[1], c[2] - a[2] },
	       n[3] = { p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
		       p[0] * q[1] - p[1] * q[0] };

	return 2 * atan2(dot(a, n), 1 + dot(a, b) + dot(b, c) + dot(c, a));
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

		if (axt_point_of(g, &v->lat, value(&v->lat, k), &v->lon, value(&v->lon, k), to))
			return -1;
		if (isnan(to[0]))
			continue;
		if (n < 2) {
			n++;
			continue;
		}
		n = 3;
		t = triangle(p[0], p[1], p[2]);
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
	atomic_llong next;            /* the first cell that no thread has taken yet */
	atomic_llong folded, missing; /* cells */
	atomic_bool wrong;            /* whether there is a wrong latitude */
};

static void
cell_shares(void *ctx, int id, struct axt_team *team)
{
	struct job *j = ctx;
	int64_t from, folded = 0, missing = 0;

	(void)id;
	(void)team;
	while ((from = atomic_fetch_add(&j->next, SHARE)) < j->v->cells)
		for (int64_t i = from; i < MIN(from + SHARE, j->v->cells); i++) {
			bool fold = false;

			if (polygon(NULL, j->v, i, &j->area[i], &fold)) {
				atomic_store(&j->wrong, true);
				return;
			}
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

	axt_team_run((int)MIN(axt_graph_threads(g), 1 + j->v->cells / SHARE), cell_shares, j);
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
