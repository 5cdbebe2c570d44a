/*
 * between.c - values between the middles of cells, linear in both directions: within four places
 * where there are rows and columns, within three where cells are only numbered.
 */
#include "grids/between.h"

#include <stdlib.h>

#define NEAR 1e-9      /* how far outside of what surrounds it a place may be, by rounding */
#define SURROUNDING 12 /* the nearest cells, of which three surround a place */
#define BULGE 1.2      /* how far sides between latitudes may go beyond great circles */
#define TURNS 100      /* iterations of Newton's method; a few are needed */

/* A place in degrees, its longitude within half a turn of another. */
static void
in_degrees(const double v[3], double near, double out[2])
{
	out[0] = asin(fmax(-1, fmin(1, v[2]))) * (180 / M_PI);
	out[1] = atan2(v[1], v[0]) * (180 / M_PI);
	out[1] -= 360 * rint((out[1] - near) / 360);
}

/* ---- latitudes and longitudes that are axes ---- */

/* The coordinates of an axis; *rises: from the first to the last. NULL: an error. */
static double *
line(struct axt_graph *g, const struct axt_place *p, bool circle, bool *rises)
{
	double *v = axt_alloc(g->m, (size_t)p->c.n * sizeof(*v) + 1);

	if (!v) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t i = 0; i < p->c.n; i++) {
		v[i] = axt_place_at(p, i);
		if (circle && i > 0)
			v[i] -= 360 * rint((v[i] - v[i - 1]) / 360);
	}
	*rises = p->c.n < 2 || v[1] > v[0];
	for (int64_t i = 1; i < p->c.n; i++)
		if (!(*rises ? v[i] > v[i - 1] : v[i] < v[i - 1])) {
			axt_fail(&g->err, AXT_E_COORD, "%s neither rises nor falls",
			    axt_escape(g->m, p->aux->name));
			return NULL;
		}
	return v;
}

/*
 * Where x is between v[i] and v[i + 1]: returns i, and sets *t to how far from v[i] it is. -1: it
 * is beyond the ends.
 */
static int64_t
find(const double *v, int64_t n, bool rises, double x, double *t)
{
	int64_t lo = 0, hi = n - 1;
	double least = fmin(v[0], v[n - 1]), most = fmax(v[0], v[n - 1]);

	if (n < 2 || !(least - NEAR <= x && x <= most + NEAR))
		return -1;
	x = fmin(most, fmax(least, x));
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if ((v[mid] <= x) == rises)
			lo = mid;
		else
			hi = mid;
	}
	*t = (x - v[lo]) / (v[hi] - v[lo]);
	return lo;
}

/* Where a longitude is; between the last and the first one i is the last. */
static int64_t
find_around(const struct axt_between *b, double x, double *t)
{
	int64_t n = b->from->lon.c.n, i;
	double west = fmin(b->lon[0], b->lon[n - 1]), gap;

	x -= 360 * floor((x - west + NEAR) / 360);
	i = find(b->lon, n, b->lon_rises, x, t);
	if (i >= 0 || !b->from->circle)
		return i;
	gap = 360 - fabs(b->lon[n - 1] - b->lon[0]);
	*t = (x - fmax(b->lon[0], b->lon[n - 1])) / gap;
	if (!b->lon_rises)
		*t = 1 - *t;
	return n - 1;
}

static void
add(struct axt_row *r, int64_t from, double weight)
{
	if (weight != 0)
		axt_row_add(r, from, weight);
}

/* The number of a cell by its places along latitudes and longitudes. */
static int64_t
crossing(const struct axt_grid *x, int64_t lat, int64_t lon)
{
	return x->lon_first ? lon * x->axes.a[1].len + lat : lat * x->axes.a[1].len + lon;
}

static bool
between_axes(const struct axt_between *b, double lat, double lon, struct axt_row *r)
{
	double s, t;
	int64_t i = find(b->lat, b->from->lat.c.n, b->lat_rises, lat, &s),
		k = find_around(b, lon, &t), next;

	if (i < 0 || k < 0)
		return false;
	next = k + 1 < b->from->lon.c.n ? k + 1 : 0;
	add(r, crossing(b->from, i, k), (1 - s) * (1 - t));
	add(r, crossing(b->from, i, next), (1 - s) * t);
	if (s > 0) {
		add(r, crossing(b->from, i + 1, k), s * (1 - t));
		add(r, crossing(b->from, i + 1, next), s * t);
	}
	return true;
}

/*
 * The weights of four places in a row, of which the place is at t between the second and the third:
 * a cubic polynomial with the slopes that the places around have. Slopes at the ends, where there
 * is no first or last place, are those of the line to the next.
 */
static void
cubic(double t, bool first, bool last, double w[4])
{
	double a = t * (1 - t) * (1 - t), b = t * t * (t - 1), rise = t * t * (3 - 2 * t);

	w[0] = first ? 0 : -a / 2;
	w[1] = 1 - rise - (first ? a : 0) - (last ? b : b / 2);
	w[2] = rise + (first ? a : a / 2) + (last ? b : 0);
	w[3] = last ? 0 : b / 2;
}

bool
axt_between_cubic(const struct axt_between *b, const double p[3], struct axt_row *r)
{
	int64_t rows = b->from->lat.c.n, columns = b->from->lon.c.n, i, k;
	bool circle = b->from->circle;
	double at[2], s, t, y[4], x[4];

	if (isnan(p[0]))
		return true;
	in_degrees(p, 180, at);
	i = find(b->lat, rows, b->lat_rises, at[0], &s);
	k = find_around(b, at[1], &t);
	if (i < 0 || k < 0)
		return false;
	cubic(s, i == 0, i + 2 >= rows, y);
	cubic(t, !circle && k == 0, !circle && k + 2 >= columns, x);
	for (int64_t m = 0; m < 4; m++)
		for (int64_t l = 0; l < 4; l++)
			if (y[m] != 0 && x[l] != 0)
				axt_row_add(r,
				    crossing(b->from, i + m - 1,
					(k + l - 1 + 2 * columns) % columns),
				    y[m] * x[l]);
	return true;
}

/* ---- rows and columns ---- */

static int64_t
quads_in_row(const struct axt_grid *x)
{
	return x->axes.a[1].len - !x->circle;
}

/* The four cells around quad q, one after another around it. */
static void
corners_of(const struct axt_grid *x, int64_t q, int64_t cell[4])
{
	int64_t columns = x->axes.a[1].len, row = q / quads_in_row(x), k = q % quads_in_row(x),
		next = k + 1 < columns ? k + 1 : 0;

	cell[0] = row * columns + k;
	cell[1] = row * columns + next;
	cell[2] = (row + 1) * columns + next;
	cell[3] = (row + 1) * columns + k;
}

static void
ball_of(const struct axt_grid *x, const int64_t cell[4], struct axt_ball *b)
{
	double far = 0;

	*b = (struct axt_ball){ 0 };
	for (int k = 0; k < 4; k++)
		for (int d = 0; d < 3; d++)
			b->at[d] += x->at[cell[k]][d];
	if (!(axt_dot3(b->at, b->at) > 0)) {
		b->at[0] = NAN;
		return;
	}
	axt_unit3(b->at);
	for (int k = 0; k < 4; k++) {
		double away[3];

		for (int d = 0; d < 3; d++)
			away[d] = x->at[cell[k]][d] - b->at[d];
		far = fmax(far, axt_dot3(away, away));
	}
	b->radius = BULGE * sqrt(far) + 1e-12;
}

/*
 * Solves p = (1-s)(1-t) c[0] + s(1-t) c[1] + st c[2] + (1-s)t c[3] in a plane by Newton's method.
 * Returns whether 0 <= s, t <= 1.
 */
static bool
solve(const double c[4][2], const double p[2], double *s, double *t)
{
	double a[2], b[2], ab[2];
	bool done = false;

	for (int d = 0; d < 2; d++) {
		a[d] = c[1][d] - c[0][d];
		b[d] = c[3][d] - c[0][d];
		ab[d] = c[2][d] - c[1][d] - b[d];
	}
	*s = *t = .5;
	for (int k = 0; !done; k++) {
		double e[2], m[2][2], det, ds, dt;

		for (int d = 0; d < 2; d++) {
			e[d] = p[d] - c[0][d] - a[d] * *s - b[d] * *t - ab[d] * *s * *t;
			m[d][0] = a[d] + ab[d] * *t;
			m[d][1] = b[d] + ab[d] * *s;
		}
		det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
		ds = (e[0] * m[1][1] - m[0][1] * e[1]) / det;
		dt = (m[0][0] * e[1] - e[0] * m[1][0]) / det;
		if (k == TURNS || !(fabs(ds) < 1e6 && fabs(dt) < 1e6))
			return false;
		*s += ds;
		*t += dt;
		done = fabs(ds) < 1e-12 && fabs(dt) < 1e-12;
	}
	if (*s < -NEAR || *s > 1 + NEAR || *t < -NEAR || *t > 1 + NEAR)
		return false;
	*s = fmin(1, fmax(0, *s));
	*t = fmin(1, fmax(0, *t));
	return true;
}

/* A place on the plane that touches the sphere at p. */
static void
on_plane(const double p[3], const double v[3], double out[2])
{
	double east[3], north[3], pole[3] = { 0, 0, 1 }, along = axt_dot3(p, v);

	if (fabs(p[2]) > .9)
		pole[0] = pole[2]--;
	axt_cross3(pole, p, east);
	axt_unit3(east);
	axt_cross3(p, east, north);
	out[0] = axt_dot3(v, east) / along;
	out[1] = axt_dot3(v, north) / along;
}

/*
 * Where p is in a quad whose sides are straight lines between latitudes and longitudes, as CDO has
 * them. A quad around a pole has no such sides.
 */
static bool
by_degrees(const struct axt_grid *x, const int64_t cell[4], const double p[3], double *s, double *t)
{
	double c[4][2], at[2], west = INFINITY, east = -INFINITY;

	in_degrees(p, 0, at);
	for (int k = 0; k < 4; k++) {
		in_degrees(x->at[cell[k]], at[1], c[k]);
		west = fmin(west, c[k][1]);
		east = fmax(east, c[k][1]);
	}
	return east - west < 180 && solve((const double(*)[2])c, at, s, t);
}

/* Where p is in a quad whose sides are parts of great circles. */
static bool
on_sphere(const struct axt_grid *x, const int64_t cell[4], const double p[3], double *s, double *t)
{
	struct axt_polygon v = { .n = 4 };
	double c[4][2];

	for (int k = 0; k < 4; k++)
		memcpy(v.v[k], x->at[cell[k]], sizeof(v.v[k]));
	axt_polygon_ready(&v);
	if (v.n < 3 || !axt_polygon_has(&v, p))
		return false;
	for (int k = 0; k < 4; k++)
		on_plane(p, x->at[cell[k]], c[k]);
	return solve((const double(*)[2])c, (double[2]){ 0, 0 }, s, t);
}

static bool
between_rows(const struct axt_between *b, const double p[3], struct axt_row *r)
{
	static bool (*const ways[])(const struct axt_grid *, const int64_t[4], const double[3],
	    double *, double *) = { by_degrees, on_sphere };
	struct axt_ball point = { .at = { p[0], p[1], p[2] } };
	double s, t;

	r->bad = r->bad || !axt_tree_touching(&b->tree, &point, &r->found);
	for (size_t way = 0; way < ARRAY_LEN(ways); way++)
		for (int64_t k = 0; k < r->found.n && !r->bad; k++) {
			int64_t cell[4];

			corners_of(b->from, r->found.i[k], cell);
			if (!ways[way](b->from, cell, p, &s, &t))
				continue;
			add(r, cell[0], (1 - s) * (1 - t));
			add(r, cell[1], s * (1 - t));
			add(r, cell[3], (1 - s) * t);
			add(r, cell[2], s * t);
			return true;
		}
	return false;
}

/* ---- cells that are only numbered ---- */

/* Twice the area of a triangle in the plane, positive counterclockwise. */
static double
twice(const double a[2], const double b[2], const double c[2])
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Whether d lies within the circle through a, b and c, which go counterclockwise. */
static bool
in_circle(const double a[2], const double b[2], const double c[2], const double d[2])
{
	double x[3][3];
	const double *of[3] = { a, b, c };

	for (int i = 0; i < 3; i++) {
		x[i][0] = of[i][0] - d[0];
		x[i][1] = of[i][1] - d[1];
		x[i][2] = x[i][0] * x[i][0] + x[i][1] * x[i][1];
	}
	return x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) -
	    x[0][1] * (x[1][0] * x[2][2] - x[1][2] * x[2][0]) +
	    x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]) >
	    1e-9 * (x[0][2] + x[1][2] + x[2][2]) * (x[0][2] + x[1][2] + x[2][2]);
}

/*
 * Whether the place 0 is in the triangle of three of the n places c, and no other is in its circle.
 * Sets w[] to the weights of the three.
 */
static bool
surrounds(const double (*c)[2], int n, const int of[3], double w[3])
{
	static const double zero[2];
	double all = twice(c[of[0]], c[of[1]], c[of[2]]), sign = all > 0 ? 1 : -1;

	for (int k = 0; k < 3; k++) {
		w[k] = twice(zero, c[of[(k + 1) % 3]], c[of[(k + 2) % 3]]) / all;
		if (!(w[k] >= -NEAR))
			return false;
	}
	for (int k = 0; k < n; k++)
		if (k != of[0] && k != of[1] && k != of[2] &&
		    in_circle(c[of[0]], c[of[sign > 0 ? 1 : 2]], c[of[sign > 0 ? 2 : 1]], c[k]))
			return false;
	return true;
}

/* The three of the nearest cells that Delaunay's triangulation has around a place. */
static bool
between_three(const struct axt_between *b, const double p[3], struct axt_row *r)
{
	int64_t i[SURROUNDING];
	double d[SURROUNDING], c[SURROUNDING][2], w[3];
	int n = axt_tree_nearest(&b->tree, p, SURROUNDING, i, d), of[3];

	if (n > 0 && d[0] < 1e-24) {
		axt_row_add(r, i[0], 1);
		return true;
	}
	for (int k = 0; k < n; k++)
		on_plane(p, b->tree.ball[i[k]].at, c[k]);
	for (of[2] = 2; of[2] < n; of[2]++)
		for (of[1] = 1; of[1] < of[2]; of[1]++)
			for (of[0] = 0; of[0] < of[1]; of[0]++) {
				if (!surrounds((const double(*)[2])c, n, of, w))
					continue;
				for (int k = 0; k < 3; k++)
					add(r, i[of[k]], fmax(0, w[k]));
				return true;
			}
	return false;
}

/* ---- any grid ---- */

int
axt_between_make(struct axt_graph *g, const struct axt_grid *from, struct axt_between *b)
{
	int64_t n;

	*b = (struct axt_between){ .from = from };
	if (from->kind == AXT_GRID_CROSSED) {
		b->lat = line(g, &from->lat, false, &b->lat_rises);
		b->lon = b->lat ? line(g, &from->lon, true, &b->lon_rises) : NULL;
		b->ball = g->err.code ? NULL : axt_grid_balls(g, from, true);
		return g->err.code || !b->ball ? (int)g->err.code
					       : axt_tree_make(g, b->ball, from->n, &b->tree);
	}
	if (from->axes.n == 1) {
		b->ball = axt_grid_balls(g, from, true);
		return b->ball ? axt_tree_make(g, b->ball, from->n, &b->tree) : (int)g->err.code;
	}
	n = quads_in_row(from) * MAX(0, from->axes.a[0].len - 1);
	b->ball = malloc((size_t)n * sizeof(*b->ball) + 1);
	if (!b->ball)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t q = 0; q < n; q++) {
		int64_t cell[4];

		corners_of(from, q, cell);
		ball_of(from, cell, &b->ball[q]);
	}
	return axt_tree_make(g, b->ball, n, &b->tree);
}

void
axt_between_free(struct axt_between *b)
{
	axt_tree_free(&b->tree);
	free(b->ball);
	b->ball = NULL;
}

bool
axt_between_row(const struct axt_between *b, const double p[3], struct axt_row *r)
{
	double at[2];

	if (isnan(p[0]))
		return true;
	if (b->from->kind == AXT_GRID_CROSSED) {
		in_degrees(p, 180, at);
		return between_axes(b, at[0], at[1], r);
	}
	return b->from->axes.n == 2 ? between_rows(b, p, r) : between_three(b, p, r);
}
