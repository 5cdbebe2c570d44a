/*
 * window.c - windows that slide along an axis. That axis then counts the windows, and a new axis
 * has the positions within one. Its coordinates are those of the middles of windows, or of their
 * first or last elements; its bounds reach over all cells of a window.
 */
#include "base/quote.h"
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

/* Windows of `len` positions, one at each position of the span `at`. */
struct windows {
	int64_t len;
	/* positions in a window, often one: it has the coordinates halfway between these */
	int64_t lo, hi;
	struct axt_span at; /* where the windows begin */
	struct axt_axis as; /* the axis that counts the windows */
};

static struct axt_span
in_each(const struct windows *w, int64_t i)
{
	return (struct axt_span){ w->at.start + i, w->at.step, w->at.len };
}

/* ---- coordinates and auxiliary datasets ---- */

static bool
is_missing(double x, const struct axt_packing *p)
{
	for (int k = 0; p && k < p->nmiss; k++)
		if (x == p->miss[k])
			return true;
	return x != x;
}

/*
 * Makes n values of dtype `to`, halfway between those of a and of b, which have dtype d. Where a
 * value of a or b is missing, or the mean is a number that stands for missing, it is the value of
 * a.
 */
static void *
halfway(struct axt_graph *g, enum axt_dtype d, const void *a, const void *b, int64_t n,
    enum axt_dtype to, const struct axt_packing *p)
{
	uint8_t *v = axt_alloc(g->m, (size_t)n * 8 + 1);

	for (int64_t i = 0; v && i < n; i++) {
		double x = axt_load_f64(d, (const uint8_t *)a + i * axt_size(d)),
		       y = axt_load_f64(d, (const uint8_t *)b + i * axt_size(d)),
		       between = x + (y - x) / 2;

		if (is_missing(x, p) || is_missing(y, p) || is_missing(between, p))
			between = x;
		axt_num_store(&(struct axt_num){ .f = between }, to, v + i * axt_size(to));
	}
	return v;
}

/*
 * The coordinates of the windows: those of one position in each window, or, for the middle of an
 * even length, the means of the two positions beside the middle.
 */
static int
labels(struct axt_graph *g, const struct axt_coord *c, const struct windows *w,
    const struct axt_coord **out)
{
	struct axt_span lo = in_each(w, w->lo), hi = in_each(w, w->hi);
	const struct axt_coord *a, *b;
	struct axt_coord *m;

	if (axt_coord_take(g->m, c, &lo, 1, &a) || axt_coord_take(g->m, c, &hi, 1, &b))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*out = a;
	if (w->lo == w->hi || !a || !a->data || a->text ||
	    axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return 0;
	m = axt_alloc(g->m, sizeof(*m));
	if (!m)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*m = *a;
	m->dtype = AXT_F64;
	m->data = halfway(g, a->dtype, a->data, b->data, a->n, AXT_F64, NULL);
	if (!m->data)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*out = m;
	return 0;
}

/* Whether values halfway between two of x mean something. */
static bool
has_between(const struct axt_aux *x)
{
	return !x->text && x->dtype != AXT_BOOL && axt_dtypes[x->dtype].cls != AXT_CLASS_COMPLEX;
}

/* The attributes of x, with the numbers that stand for missing values in dtype d. */
static const struct axt_attr *
attrs_as(struct axt_graph *g, const struct axt_aux *x, enum axt_dtype d)
{
	static const char *const miss[] = { "_FillValue", "missing_value" };
	const struct axt_attr *l = x->attrs;

	for (int k = 0; k < ARRAY_LEN(miss) && d != x->dtype; k++) {
		const struct axt_attr *a = axt_attr_find(l, miss[k]);
		struct axt_attr *c = axt_alloc(g->m, sizeof(*c));
		double *v = axt_alloc(g->m, sizeof(*v));

		if (!c || !v || !a || a->kind != AXT_ATTR_NUM || a->n != 1 || d != AXT_F64)
			continue;
		*v = axt_load_f64(a->dtype, a->data);
		*c = *a;
		c->dtype = d;
		c->data = v;
		l = axt_attr_set(g->m, l, c);
	}
	return l;
}

/* What x has for each window along its axis k. Floats keep their dtype. */
static struct axt_aux *
aux_labels(struct axt_graph *g, const struct axt_aux *x, int k, const struct windows *w)
{
	struct axt_span lo = in_each(w, w->lo), hi = in_each(w, w->hi);
	struct axt_aux *a = axt_aux_take(g, x, k, &lo, 1, &w->as), *b;
	struct axt_packing p = { 0 };
	int64_t n;

	if (!a || w->lo == w->hi || !has_between(x))
		return a;
	b = axt_aux_take(g, x, k, &hi, 1, &w->as);
	if (!b || !axt_axes_count(&a->axes, &n))
		return NULL;
	a->dtype = axt_dtypes[x->dtype].cls == AXT_CLASS_FLOAT ? x->dtype : AXT_F64;
	axt_packing_read(g->m, x->attrs, x->dtype, &p);
	a->data = halfway(g, x->dtype, a->data, b->data, n, a->dtype, &p);
	a->attrs = attrs_as(g, x, a->dtype);
	return a->data ? a : NULL;
}

/*
 * Makes the bounds of each window, from the bounds x of the cells: the outer ends of its first and
 * its last cell, in the order that the two bounds of each cell have.
 */
static struct axt_aux *
unite(struct axt_graph *g, const struct axt_aux *x, const struct windows *w)
{
	struct axt_span at = in_each(w, 0), end = in_each(w, w->len - 1);
	struct axt_aux *c = axt_aux_take(g, x, 0, &at, 1, &w->as), *l;
	size_t size = (size_t)axt_size(x->dtype);

	l = axt_aux_take(g, x, 0, &end, 1, &w->as);
	for (int64_t i = 0; c && l && i < w->as.len; i++) {
		uint8_t *first = (uint8_t *)c->data + (size_t)i * 2 * size;
		const uint8_t *last = (const uint8_t *)l->data + (size_t)i * 2 * size;
		double v = axt_load_f64(x->dtype, first);
		bool on = v <= axt_load_f64(x->dtype, last),
		     up = v <= axt_load_f64(x->dtype, first + size);

		if (on == up) /* the cells are in the same order as the two ends of each */
			memcpy(first + size, last + size, size);
		else
			memcpy(first, last, size);
	}
	return l ? c : NULL;
}

/* What becomes of auxiliary dataset x: bounds are united, others are taken as coordinates are. */
static struct axt_aux *
windowed(struct axt_graph *g, const struct axt_aux *x, int k, const void *ctx)
{
	const struct windows *w = ctx;

	if (k == 0 && w->as.coord && axt_is_bounds(w->as.coord->attrs, x) && x->axes.n == 2 &&
	    x->axes.a[1].len == 2)
		return unite(g, x, w);
	return aux_labels(g, x, k, w);
}

/* ---- values ---- */

/*
 * Windows over a concatenation, as another concatenation along the axis within the windows: part k
 * has what all windows have at their position k.
 */
static struct axt_expr *
stacked_window(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_axes *x,
    struct axt_span at, const struct axt_meta *meta)
{
	int64_t n = x->a[x->n - 1].len;
	struct axt_expr **part = axt_alloc(g->m, (size_t)n * sizeof(*part)), *e;
	struct axt_axes one = *x;
	struct axt_meta *m;
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };

	if (!part)
		return axt_node_failed(g);
	one.a[one.n - 1].len = 1;
	for (int64_t k = 0; k < n; k++, at.start++) {
		struct axt_sel *s = axt_alloc(g->m, sizeof(*s));
		int src[AXT_MAX_RANK];

		if (!s || !axt_sel_spans(g->m, s, &at, 1))
			return axt_node_failed(g);
		for (int d = 0; d < one.n; d++)
			src[d] = d == one.n - 1 ? -1 : d;
		sel[i] = s;
		part[k] = axt_view_node(g, a, &one, src, sel, NULL);
		if (axt_bad(part[k]))
			return part[k];
	}
	e = axt_concat_node(g, (int)n, part, x, x->n - 1);
	if ((m = axt_dress(g, &e, NULL)))
		*m = *meta;
	return e;
}

static struct axt_expr *
no_window(struct axt_graph *g, const char *spec, const char *len)
{
	axt_no_form(g, spec, "AXIS=NAME:LEN[:STEP]");
	if (strspn(len, "0123456789") == strlen(len) && strchr(spec, '='))
		axt_hint(&g->err, "the axis of the windows has a name: %.*s=w:%s",
		    (int)strcspn(spec, "="), axt_escape(g->m, spec), len);
	return axt_node_failed(g);
}

/* Windows as long as the step cut the axis into pieces; what is too short for one more is lost. */
static void
warn_rest(struct axt_graph *g, const struct axt_expr *a, int i, int64_t len)
{
	int64_t n = a->axes.a[i].len, rest = n % len;
	const char *name = axt_escape(g->m, axt_axis_spell(g->m, &a->axes.a[i]));
	bool real = axt_dtypes[a->dtype].cls >= AXT_CLASS_FLOAT;

	axt_warn(g,
	    "the last %lld of the %lld elements along %s of %s are in no window of %lld: axt-pad "
	    "%s%s fills one more, axt-slice %s leaves them out",
	    (long long)rest, (long long)n, name, a->from, (long long)len,
	    axt_typed(g->m, "%s=0,%lld", name, (long long)(len - rest)), real ? " --value nan" : "",
	    axt_typed(g->m, "%s=:%lld", name, (long long)(n - rest)));
}

/* Reads NAME:LEN[:STEP], the rest of a spec for axis i of a. */
static int
parse_window(struct axt_graph *g, const struct axt_expr *a, int i, const char *spec,
    const char *rest, struct axt_axes *one, int64_t *len, int64_t *step)
{
	const struct axt_axis *x = &a->axes.a[i];
	char *word, *colon, mark, *name;

	rest = axt_view_spec(g, rest, ":", &mark, &name);
	word = rest ? axt_strdup(g->m, rest) : NULL;
	if (!word || axt_axes_parse(g->m, name, false, one, NULL, &g->err))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	colon = strchr(word, ':');
	if (colon)
		*colon++ = 0;
	if (!axt_parse_int(word, 1, INT64_MAX, len) || one->n != 1 ||
	    (colon && !axt_parse_int(colon, 1, INT64_MAX, step)))
		return no_window(g, spec, word), g->err.code;
	if (*len > x->len) {
		axt_fail(&g->err, AXT_E_ARG,
		    "a window of %lld is longer than axis \"%s\" of %s (%lld)", (long long)*len,
		    axt_escape(g->m, x->name), a->from, (long long)x->len);
		axt_about(&g->err, AXT_OUTSIDE, word, axt_axis_spell(g->m, x));
	}
	return g->err.code;
}

struct axt_expr *
axt_window(struct axt_graph *g, struct axt_expr *a, const char *spec, enum axt_window_label label)
{
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	struct axt_sel *s = axt_alloc(g->m, 2 * sizeof(*s));
	int64_t len, step = 1, n;
	struct axt_span at;
	struct windows w;
	struct axt_axes x, one;
	const struct axt_meta *meta;
	struct axt_meta *m;
	int src[AXT_MAX_RANK], i;
	const char *rest;
	struct axt_expr *e;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if ((i = axt_view_rest(g, a, spec, &rest)) < 0 || !s)
		return axt_node_failed(g);
	if (!strchr(rest, ':'))
		return no_window(g, spec, rest);
	if (parse_window(g, a, i, spec, rest, &one, &len, &step))
		return axt_node_failed(g);
	x = a->axes;
	if (x.n == AXT_MAX_RANK)
		return axt_graph_fail(g, AXT_E_LIMIT, "more than %d axes", AXT_MAX_RANK);
	n = (x.a[i].len - len) / step + 1;
	if (step == len && x.a[i].len % len)
		warn_rest(g, a, i, len);
	at = (struct axt_span){ 0, step, n };
	w = (struct windows){ len, (len - 1) / 2, len / 2, at, x.a[i] };
	if (label != AXT_WINDOW_MIDDLE)
		w.lo = w.hi = label == AXT_WINDOW_FIRST ? 0 : len - 1;
	w.as.len = n;
	w.as.parts = NULL;
	if (labels(g, w.as.coord, &w, &w.as.coord))
		return axt_node_failed(g);
	meta = axt_meta_along(g, a->meta, &a->axes.a[i], windowed, &w);
	for (int k = 0; k < x.n; k++)
		src[k] = k;
	src[x.n] = i;
	x.a[i] = w.as;
	x.a[x.n] = one.a[0];
	x.a[x.n].len = len;
	x.a[x.n].along = axt_meta_cells(g, a, i);
	x.a[x.n++].from = a->from;
	if (!meta || axt_axes_check_unique(g->m, &x, &g->err))
		return axt_node_failed(g);
	if (a->concats)
		return stacked_window(g, a, i, &x, at, meta);
	if (!axt_sel_spans(g->m, &s[0], &at, 1) ||
	    !axt_sel_spans(g->m, &s[1], &(struct axt_span){ 0, 1, len }, 1))
		return axt_node_failed(g);
	sel[i] = &s[0];
	sel[x.n - 1] = &s[1];
	e = axt_view_node(g, a, &x, src, sel, NULL);
	if ((m = axt_dress(g, &e, NULL)))
		*m = *meta;
	return e;
}

/* ---- the operation ---- */

struct window {
	struct axt_specs specs;
	int label;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct window, "AXIS=NAME:LEN[:STEP]", 0,
	    "the new axis of windows along an axis"),
	AXT_CHOICE_OF(struct window, label, "middle|first|last",
	    "the element that gives a window its coordinates (default middle)"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct window *o = AXT_VALUES(struct window, c);
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < o->specs.n; i++)
		a = axt_window(g, a, o->specs.word[i], (enum axt_window_label)o->label);
	return a;
}

const struct axt_operation axt_operation_window = {
	.name = "window",
	.line = "sliding windows as a new last axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct window),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
