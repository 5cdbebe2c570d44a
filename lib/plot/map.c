/* map.c - maps: the means of blocks as cells, for each index of an axis if that is asked for. */
#include "plot/maker.h"

#include <math.h>

#define PANELS_MOST 36

/* Chooses two axes for a map: latitude and longitude if they are there, else the last two. */
static void
choose_map(const struct axt_expr *e, struct axt_roles *r)
{
	int lat = -1, lon = -1, n = e->axes.n;

	for (int i = 0; i < n; i++) {
		int up = axt_make_upness(&e->axes.a[i]);

		lat = up == AXT_UP_LAT ? i : lat;
		lon = up == AXT_UP_LON ? i : lon;
	}
	if (r->x < 0 && r->y < 0 && lat >= 0 && lon >= 0 && lat != r->each && lon != r->each) {
		r->y = lat;
		r->x = lon;
	}
	for (int i = n - 1; i >= 0; i--)
		if (i == r->x || i == r->y || i == r->each)
			continue;
		else if (r->x < 0)
			r->x = i;
		else if (r->y < 0)
			r->y = i;
}

void
axt_plot_axes(const struct axt_expr *e, int *y, int *x)
{
	struct axt_roles r = { -1, -1, -1 };
	struct axt_expr longer = { .axes = { 0 } };
	int at[AXT_MAX_RANK], n = 0;

	*y = *x = -1;
	for (int i = 0; i < axt_expr_rank(e); i++)
		if (e->axes.a[i].len > 1) {
			longer.axes.a[n] = e->axes.a[i];
			at[n++] = i;
		}
	longer.axes.n = n;
	choose_map(&longer, &r);
	if (r.x >= 0 && r.y >= 0 &&
	    axt_make_upness(&longer.axes.a[r.x]) > axt_make_upness(&longer.axes.a[r.y]))
		r = (struct axt_roles){ r.x, r.y, -1 };
	*y = r.y < 0 ? -1 : at[r.y];
	*x = r.x < 0 ? -1 : at[r.x];
}

/*
 * Sets *north to whether rows along axis y, which has no coordinates, run from south to north.
 * Latitudes over two axes tell that, by the first and the last one in the middle column.
 */
static int
rises_north(struct axt_maker *m, const struct axt_expr *e, int y, bool *north)
{
	struct axt_place p;
	int found = axt_place_of_kind(m->g, e, false, &p), i = -1;
	int64_t inner = 1, outer = 1, n, at;
	double first, last;

	*north = false;
	if (found < 0)
		return m->g->err.code;
	for (int k = 0; found && k < p.aux->axes.n; k++)
		if (axt_axis_same(&p.aux->axes.a[k], &e->axes.a[y]))
			i = k;
	if (i < 0 || !p.c.data || p.c.text)
		return 0;
	for (int k = 0; k < p.aux->axes.n; k++)
		*(k < i ? &outer : &inner) *= k == i ? 1 : p.aux->axes.a[k].len;
	n = p.aux->axes.a[i].len;
	at = (outer / 2 * n * inner + inner / 2) * axt_size(p.c.dtype);
	first = axt_load_f64(p.c.dtype, (const char *)p.c.data + at);
	last = axt_load_f64(p.c.dtype,
	    (const char *)p.c.data + at + (n - 1) * inner * axt_size(p.c.dtype));
	*north = last > first;
	return 0;
}

/* Takes over the cells, of which axes `at` and at + 1 go up and across. */
static int
take_cells(struct axt_maker *m, const struct axt_cells *c, int at, const struct axt_along *ax,
    const struct axt_along *ay)
{
	struct axt_fig *f = m->f;

	f->ny = c->n[at];
	f->nx = c->n[at + 1];
	f->x = ax->scale;
	f->y = ay->scale;
	f->xe = axt_plot_edges(m->g, ax, c->block[at + 1]);
	f->ye = axt_plot_edges(m->g, ay, c->block[at]);
	if (!f->xe || !f->ye)
		return m->g->err.code;
	axt_scale_range(&f->x, fmin(f->xe[0], f->xe[f->nx]), fmax(f->xe[0], f->xe[f->nx]));
	axt_scale_range(&f->y, fmin(f->ye[0], f->ye[f->ny]), fmax(f->ye[0], f->ye[f->ny]));
	/* a degree is as long in both directions, and so is an element of a matrix */
	f->coast = ax->earth && ay->earth && ax->scale.kind == AXT_SCALE_EAST &&
	    ay->scale.kind == AXT_SCALE_NORTH && !m->o->no_coast;
	f->equal = (ax->scale.kind == AXT_SCALE_EAST && ay->scale.kind == AXT_SCALE_NORTH) ||
	    (!ax->coord && !ay->coord && !ax->scale.label && !ay->scale.label);
	return 0;
}

int
axt_make_map(struct axt_maker *m, struct axt_expr *e, const int64_t fit[2])
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	const struct axt_meta *meta = e->meta;
	struct axt_roles r = { axt_make_axis(g, e, m->o->y), axt_make_axis(g, e, m->o->x),
		axt_make_axis(g, e, m->o->all) };
	struct axt_along ax, ay;
	struct axt_cells c;
	int64_t most[3] = { 0 };
	int panels, columns, at;
	bool both;

	if (g->err.code || (r.each >= 0 && axt_make_few(m, e, r.each, PANELS_MOST, "--all")))
		return g->err.code;
	if ((r.x >= 0 && (r.x == r.y || r.x == r.each)) || (r.y >= 0 && r.y == r.each))
		return axt_fail(&g->err, AXT_E_ARG, "--x, --y and --all name one axis twice");
	at = r.x < 0 && r.y < 0;
	choose_map(e, &r);
	if (r.x < 0 || r.y < 0) {
		axt_fail(&g->err, AXT_E_AXES, "%s has the axes %s, and a map%s has %s", e->from,
		    axt_axes_text(g->m, &e->axes), r.each >= 0 ? " for each index of one" : "",
		    r.each >= 0 ? "three" : "two");
		if (r.each >= 0)
			axt_hint(&g->err, "lines instead: --lines %s",
			    axt_axis_spell(g->m, &e->axes.a[r.each]));
		return g->err.code;
	}
	if (at && axt_make_upness(&e->axes.a[r.x]) > axt_make_upness(&e->axes.a[r.y]))
		r = (struct axt_roles){ r.x, r.y, r.each };
	panels = r.each >= 0 ? (int)e->axes.a[r.each].len : 1;
	columns = axt_fig_columns(panels);
	if (axt_plot_along(g, &e->axes.a[r.x], false, &ax) ||
	    axt_plot_along(g, &e->axes.a[r.y], true, &ay))
		return g->err.code;
	if (!ay.coord && !ay.scale.label && rises_north(m, e, r.y, &both))
		return g->err.code;
	if (!ay.coord && !ay.scale.label && both)
		ay.scale.down = false;
	f->name = r.each >= 0 ? axt_make_names(g, &e->axes.a[r.each]) : NULL;
	e = axt_make_settle(m, e, &r, 2);
	if (axt_bad(e))
		return g->err.code;
	at = e->axes.n - 2;
	most[at] = MAX(1, fit[1] / ((panels + columns - 1) / columns));
	most[at + 1] = MAX(1, fit[0] / columns);
	if (axt_cells_read(g, e, e->axes.n, most, m->quick ? AXT_CELLS_QUICK : AXT_CELLS_MEAN,
		m->o->explain, &c))
		return g->err.code;
	f->kind = AXT_FIG_MAP;
	f->n = panels;
	f->v = c.lo;
	if (take_cells(m, &c, at, &ax, &ay))
		return g->err.code;
	axt_make_note_blocks(m, &c, at, at + 2, "means of");
	f->c = (struct axt_scale){ .title = axt_plot_with_units(g, "", meta ? meta->attrs : NULL) };
	if (axt_make_range(m, &f->c, f->v, NULL, f->n * f->ny * f->nx, &both))
		return g->err.code;
	return axt_make_colors(m, both);
}

/* ---- images ---- */

/* The axis of channels: the last one, or the first if only that has a fitting length; -1: none. */
static int
channels(const struct axt_expr *e)
{
	int n = e->axes.n;

	if (n == 3 && e->axes.a[2].len <= 4)
		return 2;
	return n == 3 && e->axes.a[0].len <= 4 ? 0 : -1;
}

/* The value that is 1 in the picture: the greatest of an unsigned integer, or 1. */
static double
brightest(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_UINT ? ldexp(1, 8 * axt_size(d)) - 1
	    : axt_dtypes[d].cls == AXT_CLASS_INT   ? ldexp(1, 8 * axt_size(d) - 1) - 1
						   : 1;
}

int
axt_make_image(struct axt_maker *m, struct axt_expr *e, const int64_t fit[2])
{
	struct axt_graph *g = m->g;
	struct axt_fig *f = m->f;
	struct axt_scale s = { .lo = 0, .hi = brightest(e->dtype) };
	struct axt_roles r = { -1, -1, channels(e) };
	struct axt_along *ax = axt_alloc(g->m, sizeof(*ax)), *ay = axt_alloc(g->m, sizeof(*ay));
	struct axt_cells c;
	int64_t most[3] = { 0 }, n;
	int at;

	for (int i = e->axes.n - 1; i >= 0 && r.y < 0; i--)
		if (i == r.each)
			continue;
		else if (r.x < 0)
			r.x = i;
		else
			r.y = i;
	if (r.y < 0 || e->axes.n != 2 + (r.each >= 0))
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s has the axes %s, and an image has y, x and up to 4 channels", e->from,
		    axt_axes_text(g->m, &e->axes));
	if (!ax || !ay)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_plot_along(g, &e->axes.a[r.x], false, ax) ||
	    axt_plot_along(g, &e->axes.a[r.y], true, ay))
		return g->err.code;
	/* rows are in their order from the top, whatever the coordinates are */
	ax->coord = ay->coord = NULL;
	ax->scale.kind = ay->scale.kind = AXT_SCALE_LABELS;
	ax->scale.down = false;
	ay->scale.down = true;
	e = axt_make_settle(m, e, &r, 2);
	if (axt_bad(e))
		return g->err.code;
	at = e->axes.n - 2;
	most[at] = fit[1];
	most[at + 1] = fit[0];
	if (axt_cells_read(g, e, e->axes.n, most, m->quick ? AXT_CELLS_QUICK : AXT_CELLS_MEAN,
		m->o->explain, &c))
		return g->err.code;
	n = c.n[0] * c.n[1] * c.n[2];
	if ((m->o->range || m->o->clip > 0) && axt_make_range(m, &s, c.lo, NULL, n, NULL))
		return g->err.code;
	for (int64_t i = 0; i < n; i++)
		c.lo[i] = (c.lo[i] - s.lo) / (s.hi - s.lo);
	f->kind = AXT_FIG_IMAGE;
	f->n = at ? (int)c.n[0] : 1;
	f->v = c.lo;
	axt_make_note_blocks(m, &c, at, at + 2, "means of");
	return take_cells(m, &c, at, ax, ay);
}
