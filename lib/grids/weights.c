/*
 * weights.c - links between grids in files, as SCRIP and CDO have them (src_address, dst_address,
 * remap_matrix) and as ESMF has them (col, row, S). Addresses are counted from 1 on, latitude after
 * latitude where a grid has these as an axis.
 */
#include <stdlib.h>

#include "axt_builds.h"
#include "eval/eval.h"
#include "grids/links.h"
#include "inputs/inputs.h"
#include "out/out.h"

#define APART 1e-4 /* how far middles of one cell may be apart: about 600 m */

/* The names of what is in a file, by dialect. */
static const struct dialect {
	const char *name, *from, *to, *weight, *lat[2], *lon[2], *mask[2], *area[2], *frac[2],
	    *size[2], *links;
} dialects[] = {
	{ "scrip", "src_address", "dst_address", "remap_matrix",
	    { "src_grid_center_lat", "dst_grid_center_lat" },
	    { "src_grid_center_lon", "dst_grid_center_lon" },
	    { "src_grid_imask", "dst_grid_imask" }, { "src_grid_area", "dst_grid_area" },
	    { "src_grid_frac", "dst_grid_frac" }, { "src_grid_size", "dst_grid_size" },
	    "num_links" },
	{ "esmf", "col", "row", "S", { "yc_a", "yc_b" }, { "xc_a", "xc_b" }, { "mask_a", "mask_b" },
	    { "area_a", "area_b" }, { "frac_a", "frac_b" }, { "n_a", "n_b" }, "n_s" },
};

/* The number in files of cell i, from 0 on, and back: of rows of latitudes, whatever is first. */
static int64_t
in_file(const struct axt_grid *x, int64_t i, bool back)
{
	int64_t inner = x->axes.a[1].len, outer = x->axes.a[0].len;

	if (x->kind != AXT_GRID_CROSSED || !x->lon_first)
		return i;
	return back ? i % outer * inner + i / outer : i % inner * outer + i / inner;
}

/* ---- reading ---- */

struct reader {
	struct axt_graph *g;
	const char *file;
	const struct axt_open_opts *open;
	const struct axt_file *f;
	const struct dialect *dialect;
	const struct axt_attr *attrs; /* of the file */
};

static bool
has(const struct reader *r, const char *name)
{
	for (int i = 0; i < r->f->ndsets; i++)
		if (strcmp(axt_last_part(r->f->dsets[i].path), name) == 0)
			return true;
	return false;
}

/* The values of a tensor with one axis, or with a second one of length 1. NULL: an error. */
static void *
column(struct reader *r, const char *name, enum axt_dtype d, int64_t *n)
{
	struct axt_graph *g = r->g;
	struct axt_expr *e = axt_open(g, axt_sprintf(g->m, "%s:%s", r->file, name), r->open);
	void *p;

	if (axt_bad(e))
		return NULL;
	r->attrs = e->meta->file_attrs;
	*n = axt_count(e);
	if (e->axes.n < 1 || e->axes.a[0].len != *n) {
		axt_fail(&g->err, AXT_E_AXES,
		    "%s (%s) has more than one weight for a link, as bicubic and second-order ones do, "
		    "which are not applied",
		    e->from, axt_axes_text(g->m, &e->axes));
		return NULL;
	}
	e = axt_conv(g, e, d, AXT_OVERFLOW_ERROR);
	p = axt_alloc(g->m, (size_t)(*n * axt_size(d)) + 1);
	if (!p)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return !p || axt_bad(e) || axt_eval_early(g, e, p, (size_t)(*n * axt_size(d))) ? NULL : p;
}

/* Fails because a number is none that is finite. */
static int
not_finite(struct reader *r, const char *name, int64_t i, double v)
{
	return axt_fail(&r->g->err, AXT_E_RANGE, "%s:%s: number %lld is %g",
	    axt_escape(r->g->m, r->file), name, (long long)i + 1, v);
}

/* Reads numbers that have to be finite. NULL: an error. */
static double *
finite_column(struct reader *r, const char *name, int64_t *n)
{
	double *v = column(r, name, AXT_F64, n);

	for (int64_t i = 0; v && i < *n; i++)
		if (!isfinite(v[i]))
			return not_finite(r, name, i, v[i]), NULL;
	return v;
}

/* Fails unless the lengths of axes that a file tells of make as many cells as the grid has. */
static int
check_dims(struct reader *r, const struct axt_grid *x, bool new)
{
	const char *name = new ? "dst_grid_dims" : "src_grid_dims";
	int64_t n, all = 1, *dims;

	if (!has(r, name))
		return 0;
	dims = column(r, name, AXT_I64, &n);
	if (!dims)
		return r->g->err.code;
	for (int64_t i = 0; i < n && all > 0; i++)
		all = dims[i] > 0 && dims[i] <= x->n / all ? all * dims[i] : -1;
	return all == x->n ? 0
			   : axt_fail(&r->g->err, AXT_E_AXES,
				 "%s:%s: the product is not %lld, as many %s cells as %s has",
				 axt_escape(r->g->m, r->file), name, (long long)x->n,
				 new ? "new" : "old", x->what);
}

/* Fails unless cells that a file tells of are those of the grid. */
static int
check_grid(struct reader *r, const struct axt_grid *x, bool new)
{
	const char *const name[2] = { r->dialect->lat[new], r->dialect->lon[new] };
	struct axt_graph *g = r->g;
	double *at[2], by[2];

	if (!has(r, name[0]) || !has(r, name[1]))
		return check_dims(r, x, new);
	for (int k = 0; k < 2; k++) {
		struct axt_expr *e = axt_open(g, axt_sprintf(g->m, "%s:%s", r->file, name[k]),
		    r->open);
		int64_t n;

		at[k] = axt_bad(e) ? NULL : column(r, name[k], AXT_F64, &n);
		if (!at[k])
			return g->err.code;
		by[k] = axt_place_degrees(e->meta->attrs);
		if (n != x->n)
			return axt_fail(&g->err, AXT_E_AXES,
			    "the weights of %s are for %lld %s cells, and %s has %lld",
			    axt_escape(g->m, r->file), (long long)n, new ? "new" : "old", x->what,
			    (long long)x->n);
	}
	for (int64_t i = 0; i < x->n; i++) {
		int64_t k = in_file(x, i, false);
		double v[3], w[3], far = 0;

		axt_grid_middle(x, i, v);
		for (int c = 0; c < 2 && !isnan(v[0]); c++)
			if (!isfinite(at[c][k]))
				return not_finite(r, name[c], k, at[c][k]);
		axt_sphere_vector(at[0][k] * by[0], at[1][k] * by[1], w);
		for (int d = 0; d < 3; d++)
			far += (v[d] - w[d]) * (v[d] - w[d]);
		if (far > APART * APART)
			return axt_fail(&g->err, AXT_E_COORD,
			    "the weights of %s are for another grid than that of %s: cell %lld is at "
			    "latitude %.6g and longitude %.6g there",
			    axt_escape(g->m, r->file), x->what, (long long)k + 1, at[0][k] * by[0],
			    at[1][k] * by[1]);
	}
	return check_dims(r, x, new);
}

/* The numbers of cells from 0 on. NULL: an error. */
static int64_t *
addresses(struct reader *r, const struct axt_grid *x, const char *name, int64_t *n)
{
	int64_t *p = column(r, name, AXT_I64, n);

	for (int64_t i = 0; p && i < *n; i++) {
		if (p[i] < 1 || p[i] > x->n) {
			axt_fail(&r->g->err, AXT_E_RANGE,
			    "%s:%s: link %lld is with cell %lld, and %s has %lld",
			    axt_escape(r->g->m, r->file), name, (long long)i + 1, (long long)p[i],
			    x->what, (long long)x->n);
			return NULL;
		}
		p[i] = in_file(x, p[i] - 1, true);
	}
	return p;
}

/* Orders links by new cells, and those of one cell as they were. */
static int
by_rows(struct axt_graph *g, int64_t n, const int64_t *from, const int64_t *to,
    const double *weight, struct axt_links *out)
{
	out->n = n;
	out->start = axt_alloc(g->m, ((size_t)out->rows + 2) * sizeof(*out->start));
	out->from = axt_alloc(g->m, (size_t)n * sizeof(*out->from) + 1);
	out->weight = axt_alloc(g->m, (size_t)n * sizeof(*out->weight) + 1);
	if (!out->start || !out->from || !out->weight)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++)
		out->start[to[i] + 2]++;
	for (int64_t t = 0; t < out->rows; t++)
		out->start[t + 2] += out->start[t + 1];
	for (int64_t i = 0; i < n; i++) {
		int64_t at = out->start[to[i] + 1]++;

		out->from[at] = from[i];
		out->weight[at] = weight[i];
	}
	return 0;
}

/*
 * Weights that were divided by the share of the new cell that old ones cover are multiplied by it
 * again, so that they add up to the share.
 */
static int
by_share(struct reader *r, const struct axt_grid *to, const int64_t *row, int64_t n, double *weight)
{
	const char *norm = axt_attr_text(r->attrs, "normalization");
	int64_t cells;
	double *share;

	if (!norm || strcmp(norm, "fracarea") != 0 || !has(r, r->dialect->frac[1]))
		return 0;
	share = finite_column(r, r->dialect->frac[1], &cells);
	if (!share)
		return r->g->err.code;
	if (cells != to->n)
		return axt_fail(&r->g->err, AXT_E_AXES,
		    "%s:%s has %lld values, and %s has %lld cells", axt_escape(r->g->m, r->file),
		    r->dialect->frac[1], (long long)cells, to->what, (long long)to->n);
	for (int64_t i = 0; i < n; i++)
		if (share[in_file(to, row[i], false)] > 0)
			weight[i] *= share[in_file(to, row[i], false)];
	return 0;
}

/* Which method made the weights, as far as it matters how missing values are treated. */
static enum axt_regrid_method
method_of(const struct axt_attr *l)
{
	const char *s = axt_attr_text(l, "map_method");

	if (s && (strstr(s, "ilinear") || strstr(s, "icubic")))
		return AXT_REGRID_BILINEAR;
	if (s && strstr(s, "argest"))
		return AXT_REGRID_LARGEST;
	return s && strstr(s, "onserv") ? AXT_REGRID_CONSERVATIVE : AXT_REGRID_DISTANCE;
}

int
axt_links_read(struct axt_graph *g, const char *file, const struct axt_open_opts *open,
    const struct axt_grid *from, const struct axt_grid *to, enum axt_regrid_method *as,
    struct axt_links *out)
{
	static const struct axt_open_opts plain;
	struct reader r = { .g = g, .file = file, .open = open ? open : &plain };
	int64_t n[3], *col, *row;
	double *weight;

	r.f = axt_open_file(g, file);
	for (size_t k = 0; r.f && k < ARRAY_LEN(dialects) && !r.dialect; k++)
		if (has(&r, dialects[k].weight) && has(&r, dialects[k].from) &&
		    has(&r, dialects[k].to))
			r.dialect = &dialects[k];
	if (!r.f)
		return g->err.code;
	if (!r.dialect)
		return axt_fail(&g->err, AXT_E_NAME,
		    "%s has no weights: neither remap_matrix, src_address and dst_address, nor S, row "
		    "and col",
		    axt_escape(g->m, file));
	*out = (struct axt_links){ .rows = to->n };
	if (check_grid(&r, from, false) || check_grid(&r, to, true) ||
	    !(col = addresses(&r, from, r.dialect->from, &n[0])) ||
	    !(row = addresses(&r, to, r.dialect->to, &n[1])) ||
	    !(weight = finite_column(&r, r.dialect->weight, &n[2])))
		return g->err.code;
	if (n[0] != n[1] || n[0] != n[2])
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s has %lld old cells, %lld new ones and %lld weights of links",
		    axt_escape(g->m, file), (long long)n[0], (long long)n[1], (long long)n[2]);
	*as = method_of(r.attrs);
	return by_share(&r, to, row, n[0], weight) ? (int)g->err.code
						   : by_rows(g, n[0], col, row, weight, out);
}

/* ---- writing ---- */

#define MOST_TENSORS 20

/* A file while its tensors are listed, in a graph of its own. */
struct writer {
	struct axt_graph *h;
	const struct dialect *dialect;
	const struct axt_attr *attrs;
	struct axt_expr *e[MOST_TENSORS];
	int n;
};

/* Room for n numbers. */
static void *
numbers(struct writer *w, int64_t n, size_t each)
{
	void *p = axt_alloc(w->h->m, (size_t)n * each + 1);

	if (!p)
		axt_fail(&w->h->err, AXT_E_MEM, "out of memory");
	return p;
}

static const struct axt_attr *
text(struct writer *w, const struct axt_attr *l, const char *name, const char *value)
{
	return axt_attr_set(w->h->m, l,
	    &(struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = value });
}

/* Lists a tensor over an axis; of weights of SCRIP there is a second one, of length 1. */
static void
put(struct writer *w, const char *name, enum axt_dtype d, const char *axis, int64_t n,
    const void *p, const char *units)
{
	struct axt_axes x = { .n = 1, .a = { { .name = axis, .len = n } } };
	struct axt_expr *e;
	struct axt_meta *m;

	if (!p)
		return;
	if (strcmp(name, "remap_matrix") == 0)
		x.a[x.n++] = (struct axt_axis){ .name = "num_wgts", .len = 1 };
	e = axt_memory_leaf(w->h, d, &x, p);
	m = axt_dress(w->h, &e, NULL);
	if (!m)
		return;
	m->name = name;
	m->attrs = units ? text(w, NULL, "units", units) : NULL;
	m->file_attrs = w->attrs;
	w->e[w->n++] = e;
}

/* What is told of the old grid, or of the new one. */
static void
put_grid(struct writer *w, const struct axt_grid *x, bool new, const double *area,
    const double *frac)
{
	const struct dialect *as = w->dialect;
	bool degrees = as != dialects;
	const char *u = degrees ? "degrees" : "radians";
	double *lat = numbers(w, x->n, sizeof(*lat)), *lon = numbers(w, x->n, sizeof(*lon));
	int32_t *mask = numbers(w, x->n, sizeof(*mask)), *dims = numbers(w, 2, sizeof(*dims));
	bool lon_first = x->kind == AXT_GRID_CROSSED && x->lon_first;

	if (!lat || !lon || !mask || !dims)
		return;
	for (int64_t i = 0; i < x->n; i++) {
		int64_t k = in_file(x, i, false);
		double v[3], by = degrees ? 180 / M_PI : 1;

		axt_grid_middle(x, i, v);
		lat[k] = asin(fmax(-1, fmin(1, v[2]))) * by;
		lon[k] = atan2(v[1], v[0]);
		lon[k] = (lon[k] < 0 ? lon[k] + 2 * M_PI : lon[k]) * by;
		mask[k] = !isnan(v[0]);
	}
	dims[0] = (int32_t)x->axes.a[x->axes.n == 2 && !lon_first].len;
	dims[1] = (int32_t)x->axes.a[lon_first].len;
	put(w, new ? "dst_grid_dims" : "src_grid_dims", AXT_I32,
	    new ? "dst_grid_rank" : "src_grid_rank", x->axes.n, dims, NULL);
	put(w, as->lat[new], AXT_F64, as->size[new], x->n, lat, u);
	put(w, as->lon[new], AXT_F64, as->size[new], x->n, lon, u);
	put(w, as->mask[new], AXT_I32, as->size[new], x->n, mask, "unitless");
	put(w, as->area[new], AXT_F64, as->size[new], x->n, area, "square radians");
	put(w, as->frac[new], AXT_F64, as->size[new], x->n, frac, "unitless");
}

/* The areas of all cells in the order of files. */
static double *
areas(struct writer *w, const struct axt_grid *x, bool circles)
{
	double *v = numbers(w, x->n, sizeof(*v));

	for (int64_t i = 0; v && i < x->n; i++)
		v[in_file(x, i, false)] = axt_grid_area(x, circles, i);
	return v;
}

/* Lists all tensors of the file. */
static void
put_all(struct writer *w, const struct axt_grid *from, const struct axt_grid *to,
    const struct axt_links *x, bool cells)
{
	bool circles = from->kind == AXT_GRID_CROSSED && to->kind == AXT_GRID_CROSSED;
	double *area[2] = { NULL }, *frac[2], *weight = numbers(w, x->n, sizeof(*weight));
	int32_t *col = numbers(w, x->n, sizeof(*col)), *row = numbers(w, x->n, sizeof(*row));

	for (int k = 0; k < 2; k++) {
		if (cells)
			area[k] = areas(w, k ? to : from, circles);
		frac[k] = numbers(w, (k ? to : from)->n, sizeof(double));
	}
	if (w->h->err.code)
		return;
	for (int64_t t = 0; t < x->rows; t++) {
		int64_t r = in_file(to, t, false);

		for (int64_t k = x->start[t]; k < x->start[t + 1]; k++)
			frac[1][r] += x->weight[k];
		for (int64_t k = x->start[t]; k < x->start[t + 1]; k++) {
			int64_t c = in_file(from, x->from[k], false);

			col[k] = (int32_t)c + 1;
			row[k] = (int32_t)r + 1;
			frac[0][c] = cells ? frac[0][c] + x->weight[k] * area[1][r] / area[0][c]
					   : 1;
			/* SCRIP's weights add up to 1, ESMF's to the share that is covered */
			weight[k] = x->weight[k] / (w->dialect == dialects ? frac[1][r] : 1);
		}
	}
	put_grid(w, from, false, area[0], frac[0]);
	put_grid(w, to, true, area[1], frac[1]);
	put(w, w->dialect->from, AXT_I32, w->dialect->links, x->n, col, NULL);
	put(w, w->dialect->to, AXT_I32, w->dialect->links, x->n, row, NULL);
	put(w, w->dialect->weight, AXT_F64, w->dialect->links, x->n, weight, NULL);
}

static const char *
type_of(const struct axt_grid *x)
{
	if (x->kind == AXT_GRID_CROSSED)
		return "lonlat";
	return x->kind == AXT_GRID_CELLS && x->axes.n == 2 ? "curvilinear" : "unstructured";
}

int
axt_links_write(struct axt_graph *g, const struct axt_regrid_opts *o, const struct axt_grid *from,
    const struct axt_grid *to, const struct axt_links *x)
{
	static const char *const called[] = {
		[AXT_REGRID_CONSERVATIVE] = "Conservative remapping using clipping on sphere",
		[AXT_REGRID_BILINEAR] = "Bilinear remapping",
		[AXT_REGRID_NEAREST] = "Nearest neighbor",
		[AXT_REGRID_DISTANCE] = "Distance weighted avg of nearest neighbors",
		[AXT_REGRID_LARGEST] = "Largest area fraction",
		/* CDO's bicubic ones have four weights for a link */
		[AXT_REGRID_BICUBIC] = "Bilinear remapping, of cubic polynomials",
		[AXT_REGRID_CONSERVATIVE2] = "Conservative remapping",
	};
	bool cells = axt_regrid_needs_cells(o->method);
	struct writer w = { .h = axt_graph_new(), .dialect = &dialects[o->dialect] };
	const char *norm = !cells ? "none" : o->dialect ? "destarea" : "fracarea";

	if (!w.h)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (x->n > INT32_MAX || from->n > INT32_MAX || to->n > INT32_MAX)
		axt_fail(&w.h->err, AXT_E_LIMIT,
		    "%s: there are more than 2147483647 links or cells", axt_escape(g->m, o->save));
	w.attrs = text(&w, NULL, "title", "axt-regrid");
	w.attrs = text(&w, w.attrs, "normalization", norm);
	w.attrs = text(&w, w.attrs, "map_method", called[o->method]);
	w.attrs = text(&w, w.attrs, "conventions", o->dialect ? "NCAR-CSM" : "SCRIP");
	w.attrs = text(&w, w.attrs, "source_grid", type_of(from));
	w.attrs = text(&w, w.attrs, "dest_grid", type_of(to));
	if (!w.h->err.code)
		put_all(&w, from, to, x, cells);
	if (!w.h->err.code)
		axt_save_in(w.h, w.e, w.n, &(struct axt_save_opts){ .output = o->save }, NULL);
	if (w.h->err.code)
		axt_fail(&g->err, w.h->err.code, "%s", w.h->err.text);
	axt_graph_free(w.h);
	return g->err.code;
}
