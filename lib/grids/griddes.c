/*
 * griddes.c - grids as text, in the form that CDO prints and reads, and tensors that are given the
 * coordinates of a grid.
 */
#include <math.h>
#include <stdio.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "grids/cells.h"

#define PER_LINE 6 /* numbers */

/* ---- as text ---- */

static void
put_number(FILE *f, double v)
{
	char text[64];

	text[axt_value_text(text, AXT_F64, &v)] = '\0';
	fputs(text, f);
}

/* n numbers, `each` or PER_LINE of them in a line. */
static void
put_list(FILE *f, const char *key, const double *v, int64_t n, int64_t each)
{
	fprintf(f, "%-9s =", key);
	for (int64_t i = 0; i < n; i++) {
		fputs(i > 0 && i % (each ? each : PER_LINE) == 0 ? "\n            " : " ", f);
		put_number(f, v[i]);
	}
	putc('\n', f);
}

/* The first value and the step, if all values are in even steps. */
static bool
put_steps(FILE *f, bool lon, const double *v, int64_t n)
{
	double inc = n > 1 ? v[1] - v[0] : 0;

	/* of the steps that differ by rounding the shortest number that gives all values */
	for (int digits = 1; n > 1 && digits < 17; digits++) {
		char text[40], *end;
		double x;
		int64_t i = 0;

		snprintf(text, sizeof(text), "%.*g", digits, inc);
		x = axt_strtod(text, &end);
		while (i < n && v[0] + (double)i * x == v[i])
			i++;
		if (i < n)
			continue;
		fprintf(f, "%-9s = ", lon ? "xfirst" : "yfirst");
		put_number(f, v[0]);
		fprintf(f, "\n%-9s = ", lon ? "xinc" : "yinc");
		put_number(f, x);
		putc('\n', f);
		return true;
	}
	return false;
}

static int
no_number(struct axt_graph *g, const struct axt_grid *x, const char *name, int64_t i)
{
	return axt_fail(&g->err, AXT_E_COORD,
	    "%s of %s is missing at position %lld, and a description has a number there",
	    axt_escape(g->m, name), axt_escape(g->m, x->what), (long long)i);
}

/* The n values of a coordinate in degrees. NULL: an error. */
static double *
in_degrees(struct axt_graph *g, const struct axt_grid *x, const struct axt_place *p, int64_t n)
{
	double *v = axt_alloc(g->m, (size_t)n * sizeof(*v) + 1);

	if (!v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), NULL;
	for (int64_t i = 0; i < n; i++) {
		v[i] = axt_place_at(p, i);
		if (!(fabs(v[i]) < 1e10))
			return no_number(g, x, p->aux->name, i), NULL;
	}
	return v;
}

/*
 * The n bounds of a coordinate in degrees, *each of a cell; cells with fewer vertices have the last
 * one again. NULL: there are none, or an error.
 */
static double *
bounds_of(struct axt_graph *g, const struct axt_grid *x, const struct axt_place *p, int64_t *n,
    int64_t *each)
{
	const char *name = axt_attr_text(p->aux->attrs, "bounds");
	const struct axt_aux *b = name ? axt_aux_find(x->aux, name) : NULL;
	struct axt_place at;
	double *v;

	if (!b || axt_place_of(g, b, &at))
		return NULL;
	if (!axt_attr_text(b->attrs, "units"))
		at.c.attrs = p->aux->attrs;
	*n = at.c.n;
	*each = b->axes.a[b->axes.n - 1].len;
	v = axt_alloc(g->m, (size_t)*n * sizeof(*v) + 1);
	if (!v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), NULL;
	for (int64_t i = 0; i < *n; i++) {
		v[i] = axt_place_at(&at, i);
		if (!(fabs(v[i]) < 1e10) && i % *each > 0)
			v[i] = v[i - 1];
		if (!(fabs(v[i]) < 1e10))
			return no_number(g, x, name, i / *each), NULL;
	}
	return v;
}

/* Whether these are the latitudes of Gauss. */
static bool
is_gaussian(struct axt_graph *g, const double *v, int64_t n)
{
	struct axt_grid gauss;

	if (n < 2 || n % 2 || n > 10000 ||
	    axt_grid_word(g, axt_sprintf(g->m, "F%lld", (long long)n / 2), false, NULL, &gauss))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (!(fabs(fabs(v[i]) - fabs(axt_place_value(&gauss.lat, i))) < 1e-4))
			return false;
	return true;
}

/* The lines of one coordinate: names, and values with bounds. */
static int
put_place(struct axt_graph *g, const struct axt_grid *x, bool lon, FILE *f)
{
	const struct axt_place *p = lon ? &x->lon : &x->lat;
	int64_t n = p->c.n, many = 0, each = 0;
	double *v, *b;

	if (x->kind == AXT_GRID_CELLS)
		n = x->n;
	v = in_degrees(g, x, p, n);
	b = v ? bounds_of(g, x, p, &many, &each) : NULL;
	if (!v || g->err.code)
		return g->err.code;
	fprintf(f, "%-9s = %s\n", lon ? "xname" : "yname", p->aux->name);
	if (x->kind == AXT_GRID_CELLS)
		fprintf(f, "%-9s = %s\n", lon ? "xdimname" : "ydimname",
		    x->axes.a[lon ? x->axes.n - 1 : 0].name);
	fprintf(f, "%-9s = \"%s\"\n", lon ? "xunits" : "yunits",
	    lon ? "degrees_east" : "degrees_north");
	if (b && lon && x->kind == AXT_GRID_CELLS)
		fprintf(f, "%-9s = %lld\n", "nvertex", (long long)each);
	if (x->kind == AXT_GRID_CELLS || !put_steps(f, lon, v, n))
		put_list(f, lon ? "xvals" : "yvals", v, n, 0);
	if (b)
		put_list(f, lon ? "xbounds" : "ybounds", b, many, each);
	return 0;
}

static void
put_size(FILE *f, const char *key, int64_t n)
{
	fprintf(f, "%-9s = %lld\n", key, (long long)n);
}

static int
put_grid(struct axt_graph *g, const struct axt_grid *x, FILE *f)
{
	double *lat;

	if (x->kind == AXT_GRID_HEALPIX) {
		fprintf(f, "gridtype  = healpix\ngridsize  = %lld\ngrid_mapping_name = healpix\n",
		    (long long)x->n);
		fprintf(f, "healpix_nside = %lld\nhealpix_order = %s\n", (long long)x->side,
		    x->nested ? "nested" : "ring");
		return 0;
	}
	if (x->kind == AXT_GRID_CELLS) {
		fprintf(f, "gridtype  = %s\n", x->axes.n == 2 ? "curvilinear" : "unstructured");
		put_size(f, "gridsize", x->n);
		if (x->axes.n == 2) {
			put_size(f, "xsize", x->axes.a[1].len);
			put_size(f, "ysize", x->axes.a[0].len);
		}
	} else {
		lat = in_degrees(g, x, &x->lat, x->lat.c.n);
		if (!lat)
			return g->err.code;
		fprintf(f, "gridtype  = %s\n",
		    is_gaussian(g, lat, x->lat.c.n) ? "gaussian" : "lonlat");
		put_size(f, "gridsize", x->n);
		put_size(f, "xsize", x->lon.c.n);
		put_size(f, "ysize", x->lat.c.n);
		if (is_gaussian(g, lat, x->lat.c.n))
			put_size(f, "numLPE", x->lat.c.n / 2);
	}
	return put_place(g, x, true, f) ? (int)g->err.code : put_place(g, x, false, f);
}

enum axt_code
axt_grid_print(struct axt_graph *g, const char *word, const struct axt_open_opts *open, FILE *out)
{
	struct axt_grid x;

	if (!axt_grid_word(g, word, false, open, &x))
		put_grid(g, &x, out);
	return g->err.code;
}

/* ---- tensors on a grid ---- */

struct axt_expr *
axt_grid_dress(struct axt_graph *g, struct axt_expr *e, const int index[2],
    const struct axt_grid *from, const struct axt_grid *to)
{
	const struct axt_aux *const of[] = { from->lat.aux, from->lon.aux };
	struct axt_meta *m;

	for (int k = 0; k < to->axes.n; k++) {
		int i = axt_axes_find(&e->axes, &to->axes.a[k]);

		if (i >= 0 && i != index[0] && (to->axes.n < 2 || i != index[1])) {
			axt_fail(&g->err, AXT_E_AXES,
			    "%s has an axis %s besides those of its grid, and so has the new grid",
			    from->what, axt_escape(g->m, to->axes.a[k].name));
			return axt_node_failed(g);
		}
	}
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	for (int k = 0; k < to->axes.n; k++)
		e->axes.a[index[k]] = to->axes.a[k];
	m->attrs = axt_place_leave(g, m->attrs, of, 2);
	m->attrs = axt_attr_drop(g->m, axt_attr_drop(g->m, m->attrs, "mesh"), "location");
	for (const struct axt_attr *x = to->attrs; x; x = x->next)
		m->attrs = axt_attr_set(g->m, m->attrs, x);
	for (const struct axt_aux *x = to->aux; x; x = x->next) {
		struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

		if (!c)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		*c = *x;
		c->next = (struct axt_aux *)m->aux;
		m->aux = c;
	}
	return e;
}

/*
 * Finds the axes of a that have the lengths of the grid's, in their order. Returns how many ways
 * there are; the first one is in index[].
 */
static int
axes_of_lengths(const struct axt_expr *a, const struct axt_axes *x, int index[2])
{
	int ways = 0;

	for (int i = a->axes.n - 1; i >= 0; i--)
		for (int k = a->axes.n - 1; k >= 0; k--) {
			bool one = x->n == 1 && i == k && a->axes.a[i].len == x->a[0].len,
			     two = x->n == 2 && i < k && a->axes.a[i].len == x->a[0].len &&
			    a->axes.a[k].len == x->a[1].len;

			if ((one || two) && ways++ == 0) {
				index[0] = i;
				index[1] = k;
			}
		}
	return ways;
}

/* "lat (180) and lon (360)". */
static const char *
lengths(struct axt_graph *g, const struct axt_axes *x)
{
	const char *one = axt_sprintf(g->m, "%s (%lld)", axt_escape(g->m, x->a[0].name),
		       (long long)x->a[0].len),
		   *two = x->n < 2 ? ""
				   : axt_sprintf(g->m, " and %s (%lld)",
					 axt_escape(g->m, x->a[1].name), (long long)x->a[1].len);

	return axt_sprintf(g->m, "%s%s", one, two);
}

/* The axes of a that `over` lists, or those of its grid. Returns how many there are, or -1. */
static int
axes_named(struct axt_graph *g, const struct axt_expr *a, const char *over,
    const struct axt_grid *from, int index[2])
{
	struct axt_axes want = from->axes;
	int perm[AXT_MAX_RANK];

	if (over &&
	    (axt_axes_parse(g->m, over, false, &want, NULL, &g->err) ||
		axt_axes_permute(g->m, &a->axes, &want, 0, perm, &g->err)))
		return -1;
	for (int i = 0; i < want.n && i < 2; i++)
		index[i] = axt_axes_find(&a->axes, &want.a[i]);
	return want.n;
}

/* Finds the axes of a that the grid lies over from now on. Returns as axt_place_find. */
static int
find_axes(struct axt_graph *g, const struct axt_expr *a, const struct axt_regrid_opts *o,
    const struct axt_grid *from, const struct axt_grid *to, int index[2])
{
	bool named = o->over || from->axes.n > 0, fits;
	int ways;

	if (!named) {
		ways = axes_of_lengths(a, &to->axes, index);
		if (ways > 1) {
			axt_fail(&g->err, AXT_E_AMBIG,
			    "several axes of %s (%s) have the lengths of %s: %s", a->from,
			    axt_axes_text(g->m, &a->axes), axt_escape(g->m, o->to),
			    lengths(g, &to->axes));
			axt_hint(&g->err, "--over AXIS,AXIS tells which");
			return -1;
		}
		fits = ways == 1;
	} else {
		ways = axes_named(g, a, o->over, from, index);
		if (ways < 0)
			return -1;
		fits = ways == to->axes.n;
		for (int k = 0; k < to->axes.n && fits; k++)
			fits = a->axes.a[index[k]].len == to->axes.a[k].len;
	}
	if (fits)
		return 1;
	if (o->some && !named)
		return 0;
	axt_fail(&g->err, AXT_E_AXES, "%s (%s) does not fit %s, which has %s", a->from,
	    axt_axes_text(g->m, &a->axes), axt_escape(g->m, o->to), lengths(g, &to->axes));
	for (int i = 0; i < a->axes.n && to->axes.n == 2; i++)
		if (a->axes.a[i].len == to->n)
			axt_hint(&g->err, "axt-unflatten %s=%s:%lld,%s:%lld makes two axes of one",
			    axt_escape(g->m, a->axes.a[i].name),
			    axt_escape(g->m, to->axes.a[0].name), (long long)to->axes.a[0].len,
			    axt_escape(g->m, to->axes.a[1].name), (long long)to->axes.a[1].len);
	return -1;
}

struct axt_expr *
axt_grid_keep(struct axt_graph *g, struct axt_expr *a, const struct axt_regrid_opts *o)
{
	struct axt_grid from = { .what = a->from }, to;
	int index[2] = { 0 }, is;
	struct axt_expr *e = a;

	if (axt_grid_word(g, o->to, false, o->open, &to))
		return axt_node_failed(g);
	if (axt_grid_there(g, a) && axt_grid_of(g, a, false, &from))
		return axt_node_failed(g);
	if (!o->over && from.kind == AXT_GRID_CROSSED && from.lon_first && to.axes.n == 2 &&
	    !to.lon_first) {
		struct axt_axis first = to.axes.a[0];

		to.axes.a[0] = to.axes.a[1];
		to.axes.a[1] = first;
	}
	is = g->err.code ? -1 : find_axes(g, a, o, &from, &to, index);
	if (is <= 0)
		return is < 0 ? axt_node_failed(g) : a;
	for (int k = 0; k < to.axes.n; k++)
		if (!axt_dress_without(g, &e, e, &a->axes.a[index[k]]))
			return e;
	return axt_grid_dress(g, e, index, &from, &to);
}
