/*
 * sphere.h - polygons on the sphere of radius 1, whose edges are parts of great circles. Vertices
 * are vectors of length 1.
 */
#ifndef AXT_GRIDS_SPHERE_H
#define AXT_GRIDS_SPHERE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define AXT_POLYGON_MAX 40 /* vertices of a cell */

/* The vector from the sphere's centre to a place in degrees. */
void axt_sphere_vector(double lat, double lon, double v[3]);

static inline double
axt_dot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void
axt_cross3(const double a[3], const double b[3], double out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void
axt_unit3(double v[3])
{
	double n = 1 / sqrt(axt_dot3(v, v));

	v[0] *= n;
	v[1] *= n;
	v[2] *= n;
}

/* atan2(y, x), of angles that are mostly small: for these five terms have all digits. */
static inline double
axt_small_angle(double y, double x)
{
	double t = y / x, u = t * t;

	return u < 1e-4 && x > 0 ? t * (1 - u * (1. / 3 - u * (1. / 5 - u * (1. / 7 - u / 9))))
				 : atan2(y, x);
}

/*
 * The area of a triangle, positive if it goes round counterclockwise as seen from outside, by the
 * formula of Eriksson (1990). The determinant is taken of differences, so that small triangles have
 * as many right digits as large ones.
 */
static inline double
axt_sphere_triangle(const double a[3], const double b[3], const double c[3])
{
	double p[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] },
	       q[3] = { c[0] - a[0], c[1] - a[1], c[2] - a[2] }, n[3];

	axt_cross3(p, q, n);
	return 2 *
	    axt_small_angle(axt_dot3(a, n), 1 + axt_dot3(a, b) + axt_dot3(b, c) + axt_dot3(c, a));
}

struct axt_polygon {
	int n; /* vertices; less than 3: it has no area */
	bool convex;
	double v[AXT_POLYGON_MAX][3];
	/* of the great circle through vertex k and the next one; it points inwards if convex */
	double normal[AXT_POLYGON_MAX][3];
};
/*
 * Makes a polygon of which n and v are set ready for the functions below: leaves out vertices that
 * are where the one before is, and has it go round counterclockwise as seen from outside.
 */
void axt_polygon_ready(struct axt_polygon *p);
double axt_polygon_area(const struct axt_polygon *p);
/*
 * The area that two polygons have in common. They may have any shape, if each lies within a half of
 * the sphere.
 */
double axt_polygon_overlap(const struct axt_polygon *a, const struct axt_polygon *b);
/*
 * Both as areas, and adds to moment[] the sum of places, each times its share of the area: the
 * integral of the vectors of length 1 over the polygon, or over what both have in common.
 */
double axt_polygon_moment(const struct axt_polygon *p, double moment[3]);
double axt_polygon_overlap_moment(const struct axt_polygon *a, const struct axt_polygon *b,
    double moment[3]);
/* Whether a place is in a polygon that is convex, or on its edge. */
bool axt_polygon_has(const struct axt_polygon *p, const double at[3]);

#endif
