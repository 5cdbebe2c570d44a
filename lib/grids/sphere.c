/*
 * sphere.c - areas of polygons on the sphere, and of what two of them have in common.
 *
 * One polygon is cut by the great circles through the edges of the other, one after another, which
 * is right if the other is convex. One that is not is taken as the triangles from its first vertex
 * to each edge: those that go round the other way count negative, so that their sum is the polygon.
 */
#include <string.h>

#include "grids/sphere.h"

#define CUT_MAX (2 * AXT_POLYGON_MAX + 4) /* vertices of what is left of a polygon */

#define RADIANS (M_PI / 180)

void
axt_sphere_vector(double lat, double lon, double v[3])
{
	double c = fabs(lat) >= 90 ? 0 : cos(lat * RADIANS);

	v[0] = c * cos(lon * RADIANS);
	v[1] = c * sin(lon * RADIANS);
	v[2] = lat >= 90 ? 1 : lat <= -90 ? -1 : sin(lat * RADIANS);
}

static double
area(const double (*v)[3], int n)
{
	double sum = 0;

	for (int i = 2; i < n; i++)
		sum += axt_sphere_triangle(v[0], v[i - 1], v[i]);
	return sum;
}

/*
 * Adds `sign` times the integral of the vectors of length 1 over a polygon: half of each edge's
 * length, along the normal of its great circle.
 */
static void
add_moment(const double (*v)[3], int n, double sign, double moment[3])
{
	for (int i = 0; i < n; i++) {
		double normal[3], sine, half;

		axt_cross3(v[i], v[i + 1 < n ? i + 1 : 0], normal);
		sine = sqrt(axt_dot3(normal, normal));
		if (!(sine > 0))
			continue;
		half = atan2(sine, axt_dot3(v[i], v[i + 1 < n ? i + 1 : 0])) / (2 * sine);
		for (int d = 0; d < 3; d++)
			moment[d] += sign * half * normal[d];
	}
}

/* the square of a distance below which two vertices are one: 6 micrometres on Earth */
#define SAME 1e-24

static bool
same(const double a[3], const double b[3])
{
	double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };

	return axt_dot3(d, d) < SAME;
}

/* Whether vertices go clockwise: the flat triangles from the first one do, taken together. */
static bool
goes_back(const struct axt_polygon *p)
{
	double sum = 0, a[3], b[3], n[3];

	for (int i = 2; i < p->n; i++) {
		for (int d = 0; d < 3; d++) {
			a[d] = p->v[i - 1][d] - p->v[0][d];
			b[d] = p->v[i][d] - p->v[0][d];
		}
		axt_cross3(a, b, n);
		sum += axt_dot3(p->v[0], n);
	}
	return sum < 0;
}

static void
turn_round(struct axt_polygon *p)
{
	for (int i = 0, k = p->n - 1; i < k; i++, k--) {
		double t[3];

		memcpy(t, p->v[i], sizeof(t));
		memcpy(p->v[i], p->v[k], sizeof(t));
		memcpy(p->v[k], t, sizeof(t));
	}
}

void
axt_polygon_ready(struct axt_polygon *p)
{
	int n = 0;

	for (int i = 0; i < p->n; i++)
		if (n == 0 || !same(p->v[n - 1], p->v[i])) {
			if (n < i)
				memcpy(p->v[n], p->v[i], sizeof(p->v[i]));
			n++;
		}
	while (n > 1 && same(p->v[0], p->v[n - 1]))
		n--;
	p->n = n;
	if (n > 2 && goes_back(p))
		turn_round(p);
	for (int i = 0; i < n; i++)
		axt_cross3(p->v[i], p->v[i + 1 < n ? i + 1 : 0], p->normal[i]);
	p->convex = true;
	for (int i = 0; i < n && n > 2; i++)
		p->convex = p->convex &&
		    axt_dot3(p->normal[i], p->v[i + 2 < n ? i + 2 : i + 2 - n]) >= -1e-14;
}

double
axt_polygon_area(const struct axt_polygon *p)
{
	return area((const double(*)[3])p->v, p->n);
}

double
axt_polygon_moment(const struct axt_polygon *p, double moment[3])
{
	add_moment((const double(*)[3])p->v, p->n, 1, moment);
	return axt_polygon_area(p);
}

bool
axt_polygon_has(const struct axt_polygon *p, const double at[3])
{
	for (int i = 0; i < p->n; i++)
		if (axt_dot3(p->normal[i], at) < -1e-14)
			return false;
	return true;
}

/*
 * Cuts off what is beyond a great circle, given its normal. Returns the number of vertices that are
 * left, in `to`.
 */
static int
cut(const double (*v)[3], int n, const double normal[3], double (*to)[3])
{
	double here = axt_dot3(normal, v[0]), next;
	int m = 0;

	for (int i = 0; i < n; i++, here = next) {
		const double *p = v[i], *q = v[i + 1 < n ? i + 1 : 0];

		next = axt_dot3(normal, q);
		if (m > CUT_MAX - 2)
			return 0;
		if (here >= 0)
			memcpy(to[m++], p, sizeof(*to));
		if ((here > 0 && next < 0) || (here < 0 && next > 0)) {
			double t = here / (here - next);

			for (int k = 0; k < 3; k++)
				to[m][k] = p[k] + t * (q[k] - p[k]);
			axt_unit3(to[m++]);
		}
	}
	return m;
}

/*
 * What polygon v has in common with a convex one, which is left of the m great circles `normal`.
 * moment: NULL, or it gets `sign` times the integral over that.
 */
static double
common(const double (*v)[3], int n, const double (*normal)[3], int m, double sign, double *moment)
{
	double one[CUT_MAX][3], two[CUT_MAX][3], (*to)[3] = one;

	for (int i = 0; i < m && n >= 3; i++) {
		int in = 0;

		for (int k = 0; k < n; k++)
			in += axt_dot3(normal[i], v[k]) >= 0;
		if (in == 0)
			return 0;
		if (in == n)
			continue;
		n = cut(v, n, normal[i], to);
		v = (const double(*)[3])to;
		to = to == one ? two : one;
	}
	if (moment && n > 2)
		add_moment(v, n, sign, moment);
	return area(v, n);
}

double
axt_polygon_overlap_moment(const struct axt_polygon *a, const struct axt_polygon *b,
    double moment[3])
{
	double sum = 0;

	if (b->convex)
		return common(a->v, a->n, b->normal, b->n, 1, moment);
	if (a->convex)
		return common(b->v, b->n, a->normal, a->n, 1, moment);
	for (int i = 2; i < b->n; i++) {
		const double *v[3] = { b->v[0], b->v[i - 1], b->v[i] };
		double normal[3][3], sign = axt_sphere_triangle(v[0], v[1], v[2]) < 0 ? -1 : 1;

		for (int k = 0; k < 3; k++) {
			axt_cross3(v[k], v[(k + 1) % 3], normal[k]);
			for (int d = 0; d < 3; d++)
				normal[k][d] *= sign;
		}
		sum += sign * common(a->v, a->n, (const double(*)[3])normal, 3, sign, moment);
	}
	return sum;
}

double
axt_polygon_overlap(const struct axt_polygon *a, const struct axt_polygon *b)
{
	return axt_polygon_overlap_moment(a, b, NULL);
}
