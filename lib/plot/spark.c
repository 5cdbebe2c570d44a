/*
 * spark.c - values as a line of blocks of eight heights: rows of tensors, and for the listing of a
 * file a series or a histogram of each tensor.
 */
#include "base/quote.h"
#include "plot/along.h"

#include <errno.h>
#include <math.h>

#define COLUMNS 60 /* of a row */
#define SMALL 16   /* in a listing */
#define ROWS_MOST 10000

void
axt_blocks(struct axt_buf *b, const double *v, int64_t n, double lo, double hi, bool ascii)
{
	/* half of each, because the difference of two great numbers may have no double */
	double range = hi / 2 - lo / 2;

	for (int64_t i = 0; i < n; i++) {
		double f = range > 0 ? (v[i] / 2 - lo / 2) / range : 0.5;
		int level = (int)fmin(fmax(f * 8, 0), 7);

		if (isnan(v[i]))
			axt_buf_add(b, " ", 1);
		else if (ascii)
			axt_buf_add(b, &"_.-:=+*#"[level], 1);
		else
			axt_buf_addf(b, "\xe2\x96%c", 0x81 + level);
	}
}

/* The least finite value of v, and the greatest of w, which is below it if there is none. */
static void
extremes(const double *v, const double *w, int64_t n, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (int64_t i = 0; i < n; i++) {
		*lo = isfinite(v[i]) ? fmin(*lo, v[i]) : *lo;
		*hi = isfinite(w[i]) ? fmax(*hi, w[i]) : *hi;
	}
}

/* Adds lo and hi, the ends of what stands before. */
static void
ends(struct axt_buf *b, double lo, double hi)
{
	if (lo <= hi)
		axt_buf_addf(b, "  %.5g .. %.5g", lo, hi);
	else
		axt_buf_addf(b, "  no finite values");
}

/* Adds n cells of c, from the k-th, as a row: blocks, and behind them the ends of all values. */
static void
row(struct axt_buf *b, const struct axt_cells *c, int64_t k, int64_t n, bool ascii)
{
	const double *v = (c->mean ? c->mean : c->lo) + k;
	double from, to, lo, hi;

	extremes(v, v, n, &from, &to);
	axt_blocks(b, v, n, from, to, ascii);
	extremes(c->lo + k, (c->hi ? c->hi : c->lo) + k, n, &lo, &hi);
	ends(b, lo, hi);
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
	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s is complex, and blocks are real numbers",
		    e->from);
		axt_hint(&g->err, "axt-map absolute or axt-map angle gives such");
		return g->err.code;
	}
	if (axt_count(e) == 0)
		return axt_fail(&g->err, AXT_E_ARG, "%s has no elements", e->from);
	return 0;
}

/* e, in which infinite values are missing, because no line of finite height has room for them. */
static struct axt_expr *
only_finite(struct axt_graph *g, struct axt_expr *e)
{
	if (axt_dtypes[e->dtype].cls != AXT_CLASS_FLOAT)
		return e;
	return axt_where(g, axt_map1(g, AXT_OP_ISFINITE, e), e, axt_number(g, "nan"));
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

/* Writes the text, unless there was an error. */
static int
put(struct axt_graph *g, struct axt_buf *b, FILE *out)
{
	if (b->bad)
		oom(g);
	else if (g->err.code == AXT_OK && b->n > 0 && fwrite(b->p, 1, b->n, out) != b->n)
		axt_fail(&g->err, AXT_E_IO, "standard output: %s", strerror(errno));
	axt_buf_release(b);
	return g->err.code;
}

/* Adds the rows of cells c, of a tensor e, along its last axis. */
static int
add_rows(struct axt_graph *g, const struct axt_expr *e, const struct axt_cells *c, int last,
    bool ascii, struct axt_buf *b)
{
	int64_t n = c->n[last], rows = last ? c->n[0] : 1;
	const char **name = axt_alloc(g->m, (size_t)rows * sizeof(*name));
	int most = 0;

	if (!name)
		return oom(g);
	for (int64_t k = 0; k < rows; k++) {
		if (!(name[k] = label(g, &e->axes, k)))
			return oom(g);
		most = MAX(most, axt_text_columns(name[k]));
	}
	heading(g, e, c->block[last], b);
	for (int64_t k = 0; k < rows; k++) {
		axt_buf_addf(b, "%s%*s", name[k], most ? most + 2 - axt_text_columns(name[k]) : 0,
		    "");
		row(b, c, k * n, n, ascii);
		axt_buf_addf(b, "\n");
	}
	return 0;
}

/* Says that e has too many rows, and which part of it has few. */
static int
many(struct axt_graph *g, const struct axt_expr *e, int64_t rows)
{
	const struct axt_axis *a = e->axes.a;
	struct axt_buf part = { 0 };
	int64_t left = ROWS_MOST;

	axt_fail(&g->err, AXT_E_ARG, "%s has %lld rows along %s, and at most %d are drawn", e->from,
	    (long long)rows, axt_axis_spell(g->m, &a[e->axes.n - 1]), ROWS_MOST);
	for (int i = 0; i < e->axes.n - 1; i++) {
		int64_t n = MIN(left, 10);

		if (a[i].len > n)
			axt_buf_addf(&part, " %s",
			    axt_typed(g->m, "%s=:%lld", axt_axis_spell(g->m, &a[i]), (long long)n));
		left /= MIN(a[i].len, n);
	}
	if (part.p && !part.bad)
		axt_hint(&g->err, "a part of them: axt-slice%s %s | axt-print --spark", part.p,
		    strncmp(e->from, "-:", 2) == 0 ? "-" : axt_typed(g->m, "%s", e->from));
	axt_buf_release(&part);
	return g->err.code;
}

/* Whether e has rows that can be drawn. */
static int
check_rows(struct axt_graph *g, const struct axt_expr *e)
{
	int64_t rows;

	if (axt_refused(g, e) || check(g, e))
		return g->err.code;
	if (e->axes.n == 0)
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s has no axes, and a line of blocks is along one", e->from);
	rows = axt_count(e) / e->axes.a[e->axes.n - 1].len;
	return rows > ROWS_MOST ? many(g, e, rows) : 0;
}

/* Reads the rows of e, and adds them, or tells how they would be read. */
static int
spark(struct axt_graph *g, struct axt_expr *e, const struct axt_spark_opts *o, struct axt_buf *b)
{
	int last = e->axes.n > 1;
	int64_t most[2] = { 0 };
	struct axt_expr *rows = only_finite(g, e);
	struct axt_cells c;

	rows = last && !axt_bad(rows) ? as_rows(g, rows) : rows;
	most[last] = o->columns ? o->columns : COLUMNS;
	if (axt_bad(rows) ||
	    axt_cells_read(g, rows, 1 + last, most, AXT_CELLS_BOTH, o->explain, &c) || o->explain)
		return g->err.code;
	return add_rows(g, e, &c, last, o->ascii, b);
}

enum axt_code
axt_spark(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_spark_opts *o)
{
	struct axt_buf b = { 0 };

	for (int i = 0; i < n; i++)
		if (check_rows(g, e[i]))
			return g->err.code;
	for (int i = 0; i < n && g->err.code == AXT_OK; i++) {
		if (i > 0 && !o->explain)
			axt_buf_addf(&b, "\n");
		spark(g, e[i], o, &b);
	}
	return (enum axt_code)put(g, &b, o->out);
}

/* ---- the listing of a file ---- */

/*
 * Sets v to how many values of x, which lie between lo and hi, are in each of SMALL equal parts of
 * that range. The values are scaled to [0, 1] first: parts of the range itself may be narrower than
 * the spacing of its numbers, and its width may be too large for f64.
 */
static int
count(struct axt_graph *g, struct axt_expr *x, double lo, double hi, double v[SMALL])
{
	double by = isfinite(hi - lo) ? 1 : 0.5;
	struct axt_expr *h;

	x = axt_map2(g, AXT_OP_MUL, x, axt_const(g, AXT_F64, by));
	x = axt_map2(g, AXT_OP_SUB, x, axt_const(g, AXT_F64, lo * by));
	x = axt_map2(g, AXT_OP_DIV, x, axt_const(g, AXT_F64, hi * by - lo * by));
	h = axt_hist(g, x, &(struct axt_hist_opts){ .bins = SMALL, .range = "0,1" });
	h = axt_cast_dtype(g, h, AXT_F64, AXT_OVERFLOW_WRAP);
	return axt_bad(h) ? (int)g->err.code : (int)axt_eval(g, h, v, SMALL * sizeof(*v));
}

/*
 * Adds a histogram of all finite values of e, and the least and the greatest of them. Those two are
 * found in a pass before the one that counts.
 */
static int
histogram(struct axt_graph *g, struct axt_expr *e, bool ascii, struct axt_buf *b)
{
	double v[SMALL] = { 0 }, most = 0, lo = NAN, hi = NAN;
	struct axt_expr *x = axt_cast_dtype(g, only_finite(g, e), AXT_F64, AXT_OVERFLOW_WRAP);

	if (axt_bad(x) || axt_least_and_greatest(g, x, &lo, &hi))
		return g->err.code;
	if (lo < hi && count(g, x, lo, hi, v))
		return g->err.code;
	if (lo == hi)
		v[SMALL / 2] = 1;
	for (int i = 0; i < SMALL; i++)
		most = fmax(most, v[i]);
	for (int i = 0; i < SMALL; i++) /* where no value lies is blank */
		v[i] = v[i] > 0 ? v[i] : NAN;
	axt_blocks(b, v, SMALL, 0, most, ascii);
	ends(b, lo, hi);
	return 0;
}

/* Adds the values of e, which has one axis, as a row of a few blocks. */
static int
series(struct axt_graph *g, struct axt_expr *e, bool ascii, struct axt_buf *b)
{
	const int64_t most = SMALL;
	struct axt_cells c;

	e = only_finite(g, e);
	if (axt_bad(e) || axt_cells_read(g, e, 1, &most, AXT_CELLS_BOTH, NULL, &c))
		return g->err.code;
	axt_buf_addf(b, "%*s", (int)(SMALL - c.n[0]), "");
	row(b, &c, 0, c.n[0], ascii);
	return 0;
}

/* The tensors that are listed, and what axt-info --brief tells of each. */
struct listing {
	struct axt_expr **e;
	const char **head;
	int n, width; /* width: of the longest head */
};

/* The name, dtype, and axes with their lengths of e. file: is told first; NULL: is not. */
static const char *
brief(struct axt_graph *g, const struct axt_expr *e, const char *file, const char *name)
{
	const char *s = axt_sprintf(g->m, "%s%s%s %s", file ? axt_escape(g->m, file) : "",
	    file ? ":" : "", axt_escape(g->m, name), axt_dtype_name(e->dtype));

	for (int i = 0; s && i < e->axes.n; i++)
		s = axt_sprintf(g->m, "%s %s=%lld", s,
		    axt_escape(g->m, axt_axis_spell(g->m, &e->axes.a[i])),
		    (long long)e->axes.a[i].len);
	return s;
}

/* Makes room for n more tensors. */
static int
grow(struct axt_graph *g, struct listing *l, int n)
{
	struct axt_expr **e = axt_alloc(g->m, (size_t)(l->n + n + 1) * sizeof(struct axt_expr *));
	const char **head = axt_alloc(g->m, (size_t)(l->n + n + 1) * sizeof(*head));

	if (!e || !head)
		return oom(g);
	for (int i = 0; i < l->n; i++) {
		e[i] = l->e[i];
		head[i] = l->head[i];
	}
	l->e = e;
	l->head = head;
	return 0;
}

/* Opens the tensors that a word means. many: they are told with the file's name. */
static int
add_file(struct axt_graph *g, const char *word, bool many, const struct axt_open_opts *open,
    struct listing *l)
{
	struct axt_open_opts how = *open;
	const char *const *operand, *const *path;
	struct axt_named x;
	int n = 0, texts, base;

	if (axt_named_words(g, word, open->dataset, &x))
		return g->err.code;
	if (open->dataset && !(word = axt_sprintf(g->m, "%s:%s", x.file, open->dataset)))
		return oom(g);
	how.dataset = NULL;
	n = axt_match(g, word, false, false, &operand, &path, &base);
	if (n == 0 && axt_names(g, word, &operand, &path, &n, &texts) < 0)
		n = -1;
	if (n < 0 || grow(g, l, n))
		return g->err.code;
	for (int i = 0; i < n; i++) {
		size_t len = strlen(x.file);
		/* of a group the path begins there, and the operand has all of it */
		const char *p = strncmp(operand[i], x.file, len) == 0 && operand[i][len] == ':'
		    ? operand[i] + len + 1
		    : path[i];

		l->e[l->n] = axt_open(g, operand[i], &how);
		if (axt_bad(l->e[l->n]))
			return g->err.code;
		p += *p == '/' && !strchr(p + 1, '/');
		l->head[l->n] = brief(g, l->e[l->n], many ? x.file : NULL, p);
		if (!l->head[l->n])
			return oom(g);
		l->width = MAX(l->width, axt_text_columns(l->head[l->n]));
		l->n++;
	}
	return 0;
}

/* Adds a line of the listing, of a tensor whose head is padded to that width. */
static int
listed(struct axt_graph *g, struct axt_expr *e, const char *head, int width, bool ascii,
    struct axt_buf *b)
{
	const char *units = e->meta ? axt_attr_text(e->meta->attrs, "units") : NULL;

	axt_buf_addf(b, "%s%*s", head, width + 2 - axt_text_columns(head), "");
	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX)
		axt_buf_addf(b, "%*s  complex", SMALL, "");
	else if (axt_count(e) == 0)
		axt_buf_addf(b, "%*s  no elements", SMALL, "");
	else if ((e->axes.n == 1 ? series : histogram)(g, e, ascii, b) == 0 && units && *units)
		axt_buf_addf(b, " %s", axt_escape(g->m, units));
	axt_buf_addf(b, "\n");
	return g->err.code;
}

enum axt_code
axt_spark_files(struct axt_graph *g, const char *const *word, int n,
    const struct axt_open_opts *open, const struct axt_spark_opts *o)
{
	struct listing l = { .n = 0 };
	struct axt_buf b = { 0 };

	for (int i = 0; i < n; i++)
		if (add_file(g, word[i], n > 1, open, &l))
			return g->err.code;
	for (int i = 0; i < l.n && g->err.code == AXT_OK; i++)
		listed(g, l.e[i], l.head[i], l.width, o->ascii, &b);
	return (enum axt_code)put(g, &b, o->out);
}
