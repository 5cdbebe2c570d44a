/*
 * words.c - grids that words mean, as in CDO: r360x180 and global_1 have regular latitudes and
 * longitudes, n80 and F80 those of Gauss, hp8 the cells of HEALPix. Any other word names a file.
 */
#include <stdlib.h>

#include "graph/graph.h"
#include "grids/cells.h"

#define MOST 100000000 /* latitudes or longitudes */

/* ---- coordinates ---- */

static const struct axt_attr *
text_attr(struct axt_graph *g, const struct axt_attr *l, const char *name, const char *text)
{
	return axt_attr_set(g->m, l,
	    &(struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text });
}

static const struct axt_attr *
coordinate_attrs(struct axt_graph *g, bool lon, const char *bounds)
{
	const struct axt_attr *l = text_attr(g, NULL, "standard_name",
	    lon ? "longitude" : "latitude");

	l = text_attr(g, l, "units", lon ? "degrees_east" : "degrees_north");
	return bounds ? text_attr(g, l, "bounds", bounds) : l;
}

/* Fills a place from numbers over axes. */
static int
make_place(struct axt_graph *g, const char *name, const struct axt_axes *axes, const double *v,
    const struct axt_attr *attrs, struct axt_place *out)
{
	struct axt_aux *x = axt_alloc(g->m, sizeof(*x));

	if (!x)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*x = (struct axt_aux){ .name = name,
		.axes = *axes,
		.dtype = AXT_F64,
		.data = v,
		.attrs = attrs };
	return axt_place_of(g, x, out);
}

/* A grid of n[0] latitudes and n[1] longitudes, of which the middles and the edges are given. */
static int
make_crossed(struct axt_graph *g, const int64_t n[2], double *const at[2],
    double (*const edge[2])[2], struct axt_grid *x)
{
	static const char *const name[2] = { "lat", "lon" },
				 *const bounds[2] = { "lat_bnds", "lon_bnds" };

	x->kind = AXT_GRID_CROSSED;
	x->axes.n = 2;
	x->n = n[0] * n[1];
	x->circle = true;
	x->lat_edge = edge[0];
	x->lon_edge = edge[1];
	for (int k = 0; k < 2; k++) {
		struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
		struct axt_axes one = { .n = 1 };

		if (!c)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*c = (struct axt_coord){ .dtype = AXT_F64,
			.n = n[k],
			.data = at[k],
			.attrs = coordinate_attrs(g, k == 1, bounds[k]) };
		one.a[0] = (struct axt_axis){ .name = name[k], .len = n[k], .coord = c };
		x->axes.a[k] = one.a[0];
		if (make_place(g, name[k], &one, at[k], c->attrs, k ? &x->lon : &x->lat) ||
		    axt_edges_add(g, &one.a[0], edge[k][0], &x->aux))
			return g->err.code;
	}
	return 0;
}

/* Arrays of the middles and edges of n cells. */
static int
room(struct axt_graph *g, const int64_t n[2], double *at[2], double (*edge[2])[2])
{
	for (int k = 0; k < 2; k++) {
		at[k] = axt_alloc(g->m, (size_t)n[k] * sizeof(*at[k]) + 1);
		edge[k] = axt_alloc(g->m, (size_t)n[k] * sizeof(*edge[k]) + 1);
		if (!at[k] || !edge[k])
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	return 0;
}

/*
 * Longitudes, and latitudes from south to north, in even steps over the sphere. poles: the first
 * and the last latitude are the poles, whose cells are half as high as others.
 */
static int
regular(struct axt_graph *g, int64_t lats, int64_t lons, double west, bool poles,
    struct axt_grid *x)
{
	int64_t n[2] = { lats, lons };
	double *at[2], (*edge[2])[2], step = 180. / (double)(lats - poles), half = poles ? 0 : .5;

	if (room(g, n, at, edge))
		return g->err.code;
	for (int64_t i = 0; i < lats; i++) {
		at[0][i] = -90 + step * ((double)i + half);
		edge[0][i][0] = fmax(-90, -90 + step * ((double)i + half - .5));
		edge[0][i][1] = fmin(90, -90 + step * ((double)i + half + .5));
	}
	for (int64_t i = 0; i < lons; i++) {
		at[1][i] = west + 360 * (double)i / (double)lons;
		edge[1][i][0] = west + 360 * ((double)i - .5) / (double)lons;
		edge[1][i][1] = west + 360 * ((double)i + .5) / (double)lons;
	}
	return make_crossed(g, n, at, edge, x);
}

/* The k-th root of the Legendre polynomial of degree n, counted from the greatest, by Newton. */
static double
root(int64_t n, int64_t k)
{
	double x = cos(M_PI * ((double)k + .75) / ((double)n + .5)), step = 1;

	for (int turn = 0; turn < 100 && fabs(step) > 1e-16; turn++) {
		double a = 1, b = x, c;

		for (int64_t i = 2; i <= n; i++) {
			c = ((2 * (double)i - 1) * x * b - ((double)i - 1) * a) / (double)i;
			a = b;
			b = c;
		}
		step = b * (x * x - 1) / ((double)n * (x * b - a));
		x -= step;
	}
	return x;
}

/* Latitudes from north to south at the roots of a polynomial, and twice as many longitudes. */
static int
gaussian(struct axt_graph *g, int64_t half, struct axt_grid *x)
{
	int64_t n[2] = { 2 * half, 4 * half };
	double *at[2], (*edge[2])[2];

	if (room(g, n, at, edge))
		return g->err.code;
	for (int64_t i = 0; i < half; i++) {
		at[0][i] = asin(root(2 * half, i)) * 180 / M_PI;
		at[0][2 * half - 1 - i] = -at[0][i];
	}
	for (int64_t i = 0; i < 2 * half; i++) {
		edge[0][i][0] = i + 1 < 2 * half ? (at[0][i] + at[0][i + 1]) / 2 : -90;
		edge[0][i][1] = i > 0 ? edge[0][i - 1][0] : 90;
	}
	for (int64_t i = 0; i < 4 * half; i++) {
		at[1][i] = 90 * (double)i / (double)half;
		edge[1][i][0] = 90 * ((double)i - .5) / (double)half;
		edge[1][i][1] = 90 * ((double)i + .5) / (double)half;
	}
	return make_crossed(g, n, at, edge, x);
}

/* ---- HEALPix ---- */

/* Attributes of a dataset that says how the cells of HEALPix are numbered. */
static const struct axt_attr *
mapping(struct axt_graph *g, const struct axt_grid *x)
{
	int32_t *side = axt_alloc(g->m, sizeof(*side));
	const struct axt_attr *l = text_attr(g, NULL, "grid_mapping_name", "healpix");

	if (side)
		*side = (int32_t)x->side;
	l = text_attr(g, l, "healpix_order", x->nested ? "nested" : "ring");
	return side ? axt_attr_set(g->m, l,
			  &(struct axt_attr){ .name = "healpix_nside",
			      .kind = AXT_ATTR_NUM,
			      .dtype = AXT_I32,
			      .n = 1,
			      .data = side })
		    : NULL;
}

static int
healpix(struct axt_graph *g, int64_t side, bool nested, struct axt_grid *x)
{
	static const int32_t zero;
	struct axt_aux *crs = axt_alloc(g->m, sizeof(*crs)), *c[2];
	double *at[2];

	x->kind = AXT_GRID_HEALPIX;
	x->side = side;
	x->nested = nested;
	x->n = 12 * side * side;
	x->axes = (struct axt_axes){ .n = 1, .a = { { .name = "cell", .len = x->n } } };
	for (int k = 0; k < 2; k++)
		at[k] = axt_alloc(g->m, (size_t)x->n * sizeof(*at[k]));
	if (!crs || !at[0] || !at[1])
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < x->n; i++) {
		double v[3];

		axt_healpix_middle(side, nested, i, v);
		at[0][i] = asin(v[2]) * 180 / M_PI;
		at[1][i] = atan2(v[1], v[0]) * 180 / M_PI;
		at[1][i] += at[1][i] < 0 ? 360 : 0;
	}
	*crs = (struct axt_aux){ .name = "crs",
		.dtype = AXT_I32,
		.data = &zero,
		.attrs = mapping(g, x) };
	if (make_place(g, "lat", &x->axes, at[0], coordinate_attrs(g, false, NULL), &x->lat) ||
	    make_place(g, "lon", &x->axes, at[1], coordinate_attrs(g, true, NULL), &x->lon))
		return g->err.code;
	x->attrs = text_attr(g, NULL, "coordinates", "lat lon");
	x->attrs = text_attr(g, x->attrs, "grid_mapping", crs->name);
	for (int k = 0; k < 2; k++) {
		c[k] = axt_alloc(g->m, sizeof(*c[k]));
		if (!c[k])
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*c[k] = *(k ? x->lon : x->lat).aux;
		c[k]->next = k ? c[0] : crs;
	}
	x->aux = c[1];
	return crs->attrs ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* ---- words ---- */

/* Reads a number behind a prefix. NULL: the word begins with something else. */
static const char *
number_behind(const char *word, const char *prefix, double *out)
{
	size_t n = strlen(prefix), digits;
	char text[24], *end;

	if (strncmp(word, prefix, n) != 0)
		return NULL;
	word += n;
	digits = strspn(word, "0123456789.");
	if (digits == 0 || digits >= sizeof(text))
		return NULL;
	memcpy(text, word, digits); /* of 4x3 the 4, which is no hexadecimal number */
	text[digits] = '\0';
	*out = axt_strtod(text, &end);
	return word + digits;
}

/* Whether x is a whole number of cells that a grid can have, at most so many. */
static bool
is_size(double x, double most)
{
	return x >= 1 && x <= most && x == floor(x);
}

static int
no_size(struct axt_graph *g, const char *word)
{
	return axt_fail(&g->err, AXT_E_ARG,
	    "there is no grid \"%s\": its size is not from 1 on, or too large",
	    axt_escape(g->m, word));
}

/*
 * The four below make the grid of a word of their kind. They return 1, or 0 if the word is of
 * another kind, or -1 with an error of the graph.
 */
static int
columns_by_rows(struct axt_graph *g, const char *word, struct axt_grid *x)
{
	double a, b;
	const char *rest = number_behind(word, "r", &a);

	if (!rest || !(rest = number_behind(rest, "x", &b)) || *rest)
		return 0;
	if (!is_size(a, MOST) || !is_size(b, MOST) || a * b > 1e12)
		return no_size(g, word), -1;
	/* as in CDO the poles are among an odd number of latitudes */
	return regular(g, (int64_t)b, (int64_t)a, 0, b > 1 && fmod(b, 2) == 1, x) ? -1 : 1;
}

static int
by_degrees(struct axt_graph *g, const char *word, struct axt_grid *x)
{
	double a, lats;
	const char *rest = number_behind(word, "global_", &a);
	bool zonal = !rest;

	rest = rest ? rest : number_behind(word, "zonal_", &a);
	if (!rest || *rest)
		return 0;
	lats = rint(180 / a);
	if (!is_size(lats, MOST) || fabs(lats * a - 180) > 1e-9 * 180)
		return axt_fail(&g->err, AXT_E_ARG, "%g degrees do not divide 180", a), -1;
	if (zonal)
		return regular(g, (int64_t)lats, 1, 0, false, x) ? -1 : 1;
	return regular(g, (int64_t)lats, 2 * (int64_t)lats, -180 + a / 2, false, x) ? -1 : 1;
}

static int
of_gauss(struct axt_graph *g, const char *word, struct axt_grid *x)
{
	double a;
	const char *rest = number_behind(word, "n", &a);
	/* latitudes of spherical harmonics up to a: so many waves each, by halves */
	double each = 0;

	rest = rest ? rest : number_behind(word, "F", &a);
	if (!rest && (rest = number_behind(word, "t", &a)))
		each = 3;
	else if (!rest && (rest = number_behind(word, "tl", &a)))
		each = 2;
	if (!rest || (each == 0 && *rest) || (each > 0 && strcmp(rest, "grid") != 0))
		return 0;
	if (is_size(a, 20000) && each > 0)
		a = ceil(round((each * a + 1) / 2) / 2);
	if (!is_size(a, 20000))
		return no_size(g, word), -1;
	return gaussian(g, (int64_t)a, x) ? -1 : 1;
}

static int
of_healpix(struct axt_graph *g, const char *word, struct axt_grid *x)
{
	double a;
	const char *rest = number_behind(word, "hp", &a);
	bool nested = rest && strcmp(rest, "_nested") == 0;

	if (!rest || (*rest && !nested && strcmp(rest, "_ring") != 0))
		return 0;
	if (!is_size(a, 32768))
		return no_size(g, word), -1;
	if (!nested || ((int64_t)a & ((int64_t)a - 1)) == 0)
		return healpix(g, (int64_t)a, nested, x) ? -1 : 1;
	axt_fail(&g->err, AXT_E_ARG,
	    "cells of HEALPix are nested where a side has a power of 2 of them, and not %g", a);
	return -1;
}

int
axt_grid_word(struct axt_graph *g, const char *word, bool cells, const struct axt_open_opts *open,
    struct axt_grid *out)
{
	static const struct axt_open_opts plain;
	static int (*const kinds[])(struct axt_graph *, const char *,
	    struct axt_grid *) = { columns_by_rows, by_degrees, of_gauss, of_healpix };
	struct axt_expr *a;
	const char *other;
	int is;

	open = open ? open : &plain;
	*out = (struct axt_grid){ .what = word };
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		is = kinds[k](g, word, out);
		if (is)
			return is < 0 ? (int)g->err.code : 0;
	}
	is = axt_grid_described(g, word, open, &a, &other);
	if (is > 0 && other)
		return axt_grid_word(g, other, cells, open, out);
	if (is == 0)
		a = axt_open(g, word, open);
	if (is < 0 || !a || axt_bad(a))
		return g->err.code;
	return axt_grid_of(g, a, cells, out);
}
