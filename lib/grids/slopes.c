/*
 * slopes.c - fields within cells, for means of second order. A field slopes as it does between the
 * middles of mass of the cells around: by least squares in three dimensions, so that a field that
 * is linear in space has its own slope.
 */
#include <stdlib.h>

#include "grids/links.h"
#include "grids/shares.h"

/* ---- middles of mass ---- */

void
axt_circles_moment(const struct axt_box4 *a, const struct axt_box4 *b, double moment[3])
{
	const double by = M_PI / 180;
	double south = fmax(a->south, b->south) * by, north = fmin(a->north, b->north) * by, across;

	if (!(north > south))
		return;
	/* of the square of the cosine of the latitude, and of its product with the sine */
	across = (north - south + cos(north + south) * sin(north - south)) / 2;
	for (double turn = -720; turn <= 720; turn += 360) {
		double west = fmax(a->west, b->west + turn) * by,
		       east = fmin(a->east, b->east + turn) * by;

		if (!(east > west))
			continue;
		moment[0] += across * 2 * cos((east + west) / 2) * sin((east - west) / 2);
		moment[1] += across * 2 * sin((east + west) / 2) * sin((east - west) / 2);
		moment[2] += (east - west) * sin(north + south) * sin(north - south) / 2;
	}
}

struct centres {
	const struct axt_grid *x;
	bool circles;
	double (*at)[3];
};

static void
find_some(void *ctx, int64_t from, int64_t to)
{
	struct centres *j = ctx;

	for (int64_t i = from; i < to; i++) {
		double sum = axt_grid_area(j->x, j->circles, i);
		struct axt_polygon v;
		struct axt_box4 b;

		j->at[i][0] = j->at[i][1] = j->at[i][2] = 0;
		if (j->circles && axt_grid_box(j->x, i, &b)) {
			axt_circles_moment(&b, &b, j->at[i]);
		} else {
			for (int p = axt_grid_pieces(j->x, i) - 1; p >= 0; p--) {
				axt_grid_polygon(j->x, i, p, &v);
				axt_polygon_moment(&v, j->at[i]);
			}
		}
		for (int d = 0; d < 3; d++)
			j->at[i][d] = sum > 0 ? j->at[i][d] / sum : NAN;
	}
}

double (*axt_grid_centres(struct axt_graph *g, const struct axt_grid *x, bool circles))[3]
{
	struct centres j = { .x = x,
		.circles = circles,
		.at = malloc((size_t)x->n * sizeof(*j.at) + 1) };

	if (!j.at)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		axt_shares(g, x->n, 1024, find_some, &j);
	return j.at;
}

/* ---- slopes ---- */

/* The cells around cell i: those beside it in rows and columns, or else the nearest. */
static int
around(const struct axt_grid *x, const struct axt_tree *t, int64_t i, int64_t at[AXT_AROUND])
{
	int64_t columns = x->axes.n < 2 ? 1 : x->axes.a[1].len, rows = x->axes.a[0].len,
		row = i / columns, k = i % columns;
	double d[AXT_AROUND];
	int n = 0;

	if (x->axes.n < 2) {
		int found = isnan(t->ball[i].at[0])
		    ? 0
		    : axt_tree_nearest(t, t->ball[i].at, AXT_AROUND, at, d);

		for (int m = 0; m < found; m++)
			if (at[m] != i)
				at[n++] = at[m];
		return n;
	}
	for (int m = 0; m < 4; m++) {
		bool across = m < 2, circle = x->circle && across != x->lon_first;
		int64_t *p = across ? &k : &row, len = across ? columns : rows, was = *p,
			to = was + (m % 2 ? 1 : -1);

		if (circle)
			to = (to + len) % len;
		*p = to;
		if (to >= 0 && to < len && !isnan(t->ball[row * columns + k].at[0]))
			at[n++] = row * columns + k;
		*p = was;
	}
	return n;
}

int
axt_slope(const struct axt_grid *x, const struct axt_tree *centres, int64_t i, const double off[3],
    int64_t from[AXT_AROUND], double weight[AXT_AROUND])
{
	int n = around(x, centres, i, from);
	double m[3][3] = { { 0 } }, inverse[3][3], all = 0, v[3], step[AXT_AROUND][3], det;

	for (int k = 0; k < n; k++) {
		for (int d = 0; d < 3; d++)
			step[k][d] = centres->ball[from[k]].at[d] - centres->ball[i].at[d];
		det = axt_dot3(step[k], step[k]);
		for (int d = 0; d < 3; d++)
			for (int e = 0; e < 3 && det > 0; e++)
				m[d][e] += step[k][d] * step[k][e] / det;
	}
	/* directions in which there are no cells have no slope */
	for (int d = 0; d < 3; d++)
		m[d][d] += 1e-13;
	for (int d = 0; d < 3; d++)
		axt_cross3(m[(d + 1) % 3], m[(d + 2) % 3], inverse[d]);
	det = axt_dot3(m[0], inverse[0]);
	if (!(det > 0))
		return 0;
	for (int d = 0; d < 3; d++)
		v[d] = axt_dot3(inverse[d], off) / det;
	/* the columns of the inverse of a symmetric matrix are its rows */
	for (int k = 0; k < n; k++) {
		double size = axt_dot3(step[k], step[k]);

		weight[k] = size > 0 ? axt_dot3(v, step[k]) / size : 0;
		all += weight[k];
	}
	from[n] = i;
	weight[n] = -all;
	return n + 1;
}
