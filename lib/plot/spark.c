/*
 * spark.c - values as a line of blocks of eight heights: rows of tensors, and for the listing of a
 * file a series or a histogram of each tensor.
 */
#include "plot/along.h"

#include <errno.h>
#include <math.h>

#define COLUMNS 60 /* of a row */
#define SMALL 16   /* in a listing */
#define ROWS_MOST 10000

/*
 * Adds v[n] as blocks whose heights reach from lo to hi; missing values are blank. ascii: other
 * characters that rise.
 */
static void
blocks(struct axt_buf *b, const double *v, int64_t n, double lo, double hi, bool ascii)
{
	for (int64_t i = 0; i < n; i++) {
		double f = hi > lo ? (v[i] - lo) / (hi - lo) : 0.5;
		int level = (int)fmin(fmax(f * 8, 0), 7);

		if (isnan(v[i]))
			axt_buf_add(b, " ", 1);
		else if (ascii)
			axt_buf_add(b, &"_.-:=+*#"[level], 1);
		else
			axt_buf_addf(b, "\xe2\x96%c", 0x81 + level);
	}
}

/* The least and the greatest finite value; false: there is none. */
static bool
extremes(const double *v, const double *w, int64_t n, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (int64_t i = 0; i < n; i++) {
		*lo = isfinite(v[i]) ? fmin(*lo, v[i]) : *lo;
		*hi = isfinite(w[i]) ? fmax(*hi, w[i]) : *hi;
	}
	return *lo <= *hi;
}

/*
 * Adds the blocks of the means v[n], and behind them lo and hi, the least and the greatest value of
 * all elements.
 */
static void
line(struct axt_buf *b, const double *v, int64_t n, double lo, double hi, bool ascii)
{
	double from, to;

	if (!extremes(v, v, n, &from, &to)) {
		blocks(b, v, n, 0, 0, ascii);
		axt_buf_addf(b, "  no values");
		return;
	}
	blocks(b, v, n, from, to, ascii);
	axt_buf_addf(b, "  %.5g .. %.5g", lo, hi);
}

static int
oom(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* Whether e can be drawn: real numbers, of which there are some. */
static int
check(struct axt_graph *g, const struct axt_expr *e)
{
	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_fail(&g->err, AXT_E_DTYPE, "%s is complex, and blocks are real numbers",
		    e->from);
	if (axt_count(e) == 0)
		return axt_fail(&g->err, AXT_E_ARG, "%s has no elements", e->from);
	return 0;
}

/* e as rows: its axes but the last one become one. */
static struct axt_expr *
as_rows(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_axes x = { .n = e->axes.n };
	struct axt_buf spec = { 0 };
	int src[AXT_MAX_RANK];

	for (int i = 0; i < x.n; i++) {
		x.a[i] = (struct axt_axis){ .name = axt_sprintf(g->m, "a%d", i),
			.len = e->axes.a[i].len };
		src[i] = i;
		if (i < x.n - 1)
			axt_buf_addf(&spec, "%sa%d", i ? "," : "", i);
	}
	axt_buf_addf(&spec, "=rows");
	e = axt_relabel(g, e, &x, src);
	if (x.n > 2)
		e = axt_flatten(g, e, spec.p ? spec.p : "");
	if (spec.bad)
		oom(g);
	axt_buf_release(&spec);
	return e;
}

/* The coordinates of row k along the leading axes. */
static const char *
label(struct axt_graph *g, const struct axt_axes *x, int64_t k)
{
	const char *s = NULL;

	for (int i = x->n - 2; i >= 0; i--) {
		const char *one = axt_plot_coord(g, &x->a[i], k % x->a[i].len);

		s = s ? axt_sprintf(g->m, "%s %s", one, s) : one;
		k /= x->a[i].len;
	}
	return s ? s : "";
}

/* The line above: what is drawn, along which axis, and how many elements a block stands for. */
static void
heading(struct axt_graph *g, const struct axt_expr *e, int64_t block, struct axt_buf *b)
{
	const struct axt_axis *a = &e->axes.a[e->axes.n - 1];
	const struct axt_meta *m = e->meta;
	const char *name = m && m->name ? m->name : e->from;

	axt_buf_addf(b, "# %s along %s, %lld elements",
	    axt_plot_with_units(g, axt_escape(g->m, name), m ? m->attrs : NULL),
	    axt_axis_spell(g->m, a), (long long)a->len);
	if (block > 1)
		axt_buf_addf(b, ", means of %lld", (long long)block);
	axt_buf_addf(b, "\n");
}

static int
put(struct axt_graph *g, struct axt_buf *b, FILE *out)
{
	if (b->bad)
		oom(g);
	else if (fwrite(b->p, 1, b->n, out) != b->n)
		axt_fail(&g->err, AXT_E_IO, "standard output: %s", strerror(errno));
	axt_buf_release(b);
	return g->err.code;
}

/* Draws rows of cells c along their last axis, whose extremes are those of the cells all. */
static int
draw_rows(struct axt_graph *g, const struct axt_expr *e, const struct axt_cells *c,
    const struct axt_cells *all, int last, const struct axt_spark_opts *o)
{
	int64_t n = c->n[last], rows = last ? c->n[0] : 1, parts = all->n[last];
	const char **name = axt_alloc(g->m, (size_t)rows * sizeof(*name));
	struct axt_buf b = { 0 };
	double least, greatest;
	size_t most = 0;

	if (!name)
		return oom(g);
	for (int64_t k = 0; k < rows; k++) {
		if (!(name[k] = label(g, &e->axes, k)))
			return oom(g);
		most = MAX(most, strlen(name[k]));
	}
	heading(g, e, c->block[last], &b);
	for (int64_t k = 0; k < rows; k++) {
		extremes(all->lo + k * parts, (all->hi ? all->hi : all->lo) + k * parts, parts,
		    &least, &greatest);
		axt_buf_addf(&b, "%-*s%s", (int)most, name[k], most ? "  " : "");
		line(&b, c->lo + k * n, n, least, greatest, o->ascii);
		axt_buf_addf(&b, "\n");
	}
	return put(g, &b, o->out);
}

enum axt_code
axt_spark(struct axt_graph *g, struct axt_expr *e, const struct axt_spark_opts *o)
{
	int last = !axt_bad(e) && e->axes.n > 1;
	int64_t most[2] = { 0 }, one[2] = { 0 }, n;
	const struct axt_axis *along;
	struct axt_cells c, all;
	struct axt_expr *rows;

	if (axt_refused(g, e) || check(g, e))
		return g->err.code;
	if (e->axes.n == 0)
		return (enum axt_code)axt_fail(&g->err, AXT_E_AXES,
		    "%s has no axes, and a line of blocks is along one", e->from);
	along = &e->axes.a[e->axes.n - 1];
	n = axt_count(e) / along->len;
	if (n > ROWS_MOST) {
		axt_fail(&g->err, AXT_E_ARG, "%s has %lld rows along %s, and at most %d are drawn",
		    e->from, (long long)n, axt_axis_spell(g->m, along), ROWS_MOST);
		axt_hint(&g->err, "a part of them: axt-slice %s=:10 FILE | axt-print --spark",
		    axt_axis_spell(g->m, &e->axes.a[0]));
		return g->err.code;
	}
	most[last] = o->columns ? o->columns : COLUMNS;
	one[last] = 1;
	rows = last ? as_rows(g, e) : e;
	if (axt_bad(rows) ||
	    axt_cells_read(g, rows, 1 + last, most, AXT_CELLS_MEAN, o->explain, &c) || o->explain)
		return g->err.code;
	all = c;
	if (c.block[last] > 1 &&
	    axt_cells_read(g, rows, 1 + last, one, AXT_CELLS_EXTREMES, NULL, &all))
		return g->err.code;
	return (enum axt_code)draw_rows(g, e, &c, &all, last, o);
}

/* ---- the listing of a file ---- */

/* The least and the greatest value of e, as "LO,HI" if both are finite; else "". */
static int
range(struct axt_graph *g, struct axt_expr *e, double lo_hi[2], char text[80])
{
	static const struct axt_reduce_opts all = { .nan = 1 };
	struct axt_expr *two[2] = { axt_reduce(g, AXT_RED_MIN, e, &all),
		axt_reduce(g, AXT_RED_MAX, e, &all) };

	for (int i = 0; i < 2; i++)
		two[i] = axt_cast_dtype(g, two[i], AXT_F64, AXT_OVERFLOW_WRAP);
	*text = '\0';
	if (axt_bad(two[0]) || axt_bad(two[1]) ||
	    axt_part_values(g, two, 2, (void *const[]){ &lo_hi[0], &lo_hi[1] }))
		return g->err.code;
	if (isfinite(lo_hi[1] - lo_hi[0]))
		snprintf(text, 80, "%.17g,%.17g", lo_hi[0], lo_hi[1]);
	return 0;
}

/* Adds a histogram of all values of e, and the least and the greatest. */
static int
histogram(struct axt_graph *g, struct axt_expr *e, bool ascii, struct axt_buf *b)
{
	double v[SMALL] = { 0 }, most = 0, lo_hi[2];
	struct axt_expr *h;
	char text[80];

	if (range(g, e, lo_hi, text))
		return g->err.code;
	h = axt_hist(g, e,
	    &(struct axt_hist_opts){ .bins = SMALL,
		.range = lo_hi[0] < lo_hi[1] && *text ? text : NULL });
	h = axt_cast_dtype(g, h, AXT_F64, AXT_OVERFLOW_WRAP);
	if (axt_bad(h) || axt_eval(g, h, v, sizeof(v)))
		return g->err.code;
	for (int i = 0; i < SMALL; i++)
		most = fmax(most, v[i]);
	for (int i = 0; i < SMALL; i++) /* where no value lies is blank */
		v[i] = v[i] > 0 ? v[i] : NAN;
	blocks(b, v, SMALL, 0, most, ascii);
	if (lo_hi[0] <= lo_hi[1])
		axt_buf_addf(b, "  %.5g .. %.5g", lo_hi[0], lo_hi[1]);
	else
		axt_buf_addf(b, "  no values");
	return 0;
}

/* Adds the values of e, which has one axis, as a row of a few blocks. */
static int
series(struct axt_graph *g, struct axt_expr *e, bool ascii, struct axt_buf *b)
{
	const int64_t most = SMALL, one = 1;
	struct axt_cells c, all;
	double lo, hi;

	if (axt_cells_read(g, e, 1, &most, AXT_CELLS_MEAN, NULL, &c))
		return g->err.code;
	all = c;
	if (c.block[0] > 1 && axt_cells_read(g, e, 1, &one, AXT_CELLS_EXTREMES, NULL, &all))
		return g->err.code;
	extremes(all.lo, all.hi ? all.hi : all.lo, all.n[0], &lo, &hi);
	axt_buf_addf(b, "%*s", (int)(SMALL - c.n[0]), "");
	line(b, c.lo, c.n[0], lo, hi, ascii);
	return 0;
}

/* One line of the listing, of a tensor whose name and shape are padded to those widths. */
static int
listed(struct axt_graph *g, struct axt_expr *e, const char *head, int width,
    const struct axt_spark_opts *o)
{
	const char *units = e->meta ? axt_attr_text(e->meta->attrs, "units") : NULL;
	struct axt_buf b = { 0 };

	axt_buf_addf(&b, "%-*s  ", width, head);
	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX)
		axt_buf_addf(&b, "%*s  complex", SMALL, "");
	else if (axt_count(e) == 0)
		axt_buf_addf(&b, "%*s  no elements", SMALL, "");
	else if ((e->axes.n == 1 ? series : histogram)(g, e, o->ascii, &b) == 0 && units && *units)
		axt_buf_addf(&b, " %s", axt_escape(g->m, units));
	axt_buf_addf(&b, "\n");
	if (!g->err.code)
		return put(g, &b, o->out);
	axt_buf_release(&b);
	return g->err.code;
}

enum axt_code
axt_spark_file(struct axt_graph *g, const char *file, const struct axt_open_opts *open,
    const struct axt_spark_opts *o)
{
	const char *const *operand, *const *path;
	const char **head = NULL;
	struct axt_expr **e = NULL;
	int n, all = axt_names(g, file, &operand, &path, &n), width = 0;

	if (all > 0) {
		head = axt_alloc(g->m, (size_t)all * sizeof(*head));
		e = axt_alloc(g->m, (size_t)all * sizeof(struct axt_expr *));
	}
	if (all > 0 && (!head || !e))
		oom(g);
	for (int i = 0; head && e && i < n; i++) {
		e[i] = axt_open(g, operand[i], open);
		if (axt_bad(e[i]))
			return g->err.code;
		head[i] = axt_sprintf(g->m, "%s %s %s", axt_escape(g->m, path[i]),
		    axt_dtype_name(e[i]->dtype), axt_axes_text(g->m, &e[i]->axes));
		if (!head[i])
			return (enum axt_code)oom(g);
		width = MAX(width, (int)strlen(head[i]));
	}
	for (int i = 0; i < n && g->err.code == AXT_OK; i++)
		listed(g, e[i], head[i], width, o);
	return g->err.code;
}
