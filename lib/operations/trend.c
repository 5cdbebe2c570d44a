/*
 * trend.c - axt-trend: the straight line that fits the values along an axis best, by its
 * coordinates, and the values without that line.
 */
#include "graph/graph.h"
#include "operations/inner.h"
#include "axt_builds.h"
#include "axt_operation.h"

static const struct axt_attr *
with_calendar(struct axt_graph *g, const struct axt_attr *l, const char *calendar)
{
	struct axt_attr a = { .name = "calendar", .kind = AXT_ATTR_TEXT, .text = calendar };

	return axt_attr_set(g->m, l, &a);
}

/*
 * Attributes with the unit of differences of coordinates that have the attributes l: "days" for
 * "days since 2000-01-01". The calendar is among them if its years are not as long as those of
 * UDUNITS.
 */
static const struct axt_attr *
unit(struct axt_graph *g, const struct axt_attr *l)
{
	struct axt_attr a = { .name = "units", .kind = AXT_ATTR_TEXT };
	const char *u = axt_attr_text(l, a.name), *calendar = axt_attr_text(l, "calendar");
	struct axt_cftime t;

	l = axt_calendar_year(calendar) > 0 ? with_calendar(g, NULL, calendar) : NULL;
	if (!u)
		return NULL;
	if (axt_cftime_parse(u, calendar, &t)) {
		u += strspn(u, " \t");
		u = axt_strndup(g->m, u, strcspn(u, " \t"));
	}
	a.text = u;
	return u ? axt_attr_set(g->m, l, &a) : NULL;
}

struct axt_expr *
axt_axis_points(struct axt_graph *g, const struct axt_expr *a, int i, const double **values)
{
	const struct axt_coord *c = a->axes.a[i].coord;
	struct axt_axes x = { .n = 1, .a = { a->axes.a[i] } };
	double *v = axt_alloc(g->m, ((size_t)x.a[0].len + 1) * sizeof(*v));
	struct axt_expr *e;
	struct axt_meta *m;

	if (!v)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (c && c->data && (c->text || axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX))
		return axt_graph_fail(g, AXT_E_COORD,
		    "the coordinates of axis \"%s\" of %s are no real numbers",
		    axt_escape(g->m, a->axes.a[i].name), a->from);
	for (int64_t k = 0; k < x.a[0].len; k++)
		v[k] = c && c->data
		    ? axt_load_f64(c->dtype, (const char *)c->data + k * axt_size(c->dtype))
		    : (double)k;
	if (values)
		*values = v;
	e = axt_memory_leaf(g, AXT_F64, &x, v);
	m = axt_dress(g, &e, NULL);
	if (m && c && c->data)
		m->attrs = unit(g, c->attrs);
	return e;
}

/* Coordinate k of c less the first; integers are subtracted before they are rounded to f64. */
static double
from_first(const struct axt_coord *c, int64_t k)
{
	const char *p = c->data;
	int64_t size = axt_size(c->dtype), x, first, d;

	if (c->dtype == AXT_I64) {
		memcpy(&x, p + k * size, sizeof(x));
		memcpy(&first, p, sizeof(first));
		if (!__builtin_sub_overflow(x, first, &d))
			return (double)d;
	}
	return axt_load_f64(c->dtype, p + k * size) - axt_load_f64(c->dtype, p);
}

/*
 * The coordinates of axis i of a, or its positions, less the first one. A line fitted by these does
 * not lose digits if the coordinates are far from zero.
 */
static struct axt_expr *
near_points(struct axt_graph *g, const struct axt_expr *a, int i)
{
	const struct axt_coord *c = a->axes.a[i].coord;
	struct axt_axes x = { .n = 1, .a = { a->axes.a[i] } };
	double *v = axt_alloc(g->m, ((size_t)x.a[0].len + 1) * sizeof(*v));

	if (!v)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int64_t k = 0; k < x.a[0].len; k++)
		v[k] = c && c->data ? from_first(c, k) : (double)k;
	return axt_memory_leaf(g, AXT_F64, &x, v);
}

/* Gives *e the attributes of a op b; what is divided by times keeps their calendar. */
static int
attributes(struct axt_graph *g, struct axt_expr **e, enum axt_op op, struct axt_expr *a,
    struct axt_expr *b)
{
	const struct axt_meta *like = axt_meta_map(g, op, 2, (struct axt_expr *[]){ a, b }, *e);
	struct axt_meta *m = axt_dress(g, e, NULL);
	const char *calendar;

	if (!like || !m)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	m->attrs = like->attrs;
	calendar = op == AXT_OP_DIV ? axt_attr_text(b->meta->attrs, "calendar") : NULL;
	if (calendar)
		m->attrs = with_calendar(g, m->attrs, calendar);
	m->file_attrs = a->meta->file_attrs;
	m->missing = true; /* of fewer than two points */
	return 0;
}

int
axt_linfit(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y, const char *along, int nan,
    struct axt_expr *results[2])
{
	struct axt_expr *in[] = { x, y };
	bool skip = nan > 0;

	if (axt_refused(g, x) || axt_refused(g, y))
		return g->err.code;
	if (nan == 0)
		skip = x->meta->missing || y->meta->missing;
	return axt_gufunc(g, "linfit", 2, in,
	    &(struct axt_gufunc_opts){ .core = along, .n = { skip } }, results);
}

int
axt_trend(struct axt_graph *g, struct axt_expr *a, struct axt_expr *x, const char *along, int nan,
    struct axt_expr *results[3])
{
	struct axt_expr *f, *line, *near, *fit[2];
	enum axt_dtype d;
	struct axt_meta *m;
	int i;

	if (axt_refused(g, a) || (x && axt_refused(g, x)) ||
	    (i = axt_view_find(g, a, along ? along : "")) < 0)
		return g->err.code;
	near = x;
	x = x ? x : axt_axis_points(g, a, i, NULL);
	near = near || axt_bad(x) ? x : near_points(g, a, i);
	if (axt_linfit(g, x, a, along, nan, results) || axt_linfit(g, near, a, along, nan, fit) ||
	    attributes(g, &results[0], AXT_OP_DIV, a, x) ||
	    attributes(g, &results[1], AXT_OP_ADD, a, a))
		return g->err.code;
	d = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT ? a->dtype : AXT_F64;
	f = axt_cast_dtype(g, a, AXT_F64, AXT_OVERFLOW_ERROR);
	line = axt_map2(g, AXT_OP_ADD, axt_map2(g, AXT_OP_MUL, fit[0], near), fit[1]);
	f = axt_conv(g, axt_map2(g, AXT_OP_SUB, f, line), d, AXT_OVERFLOW_ERROR);
	m = axt_dress(g, &f, a);
	if (!m)
		return g->err.code;
	axt_meta_computed(m);
	m->attrs = axt_meta_difference(g, m->attrs);
	m->missing = true;
	results[2] = f;
	return 0;
}

/* ---- the operation ---- */

struct trend {
	const char *along;
	struct axt_expr *points;
	bool detrend, skip_nan, keep_nan;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct trend, along, "the axis"),
	AXT_TENSOR_OF(struct trend, points, "a tensor to use in place of the coordinates",
	    .arg = "P"),
	AXT_FLAG_OF(struct trend, detrend, "the values minus those of the line",
	    .flags = AXT_PARAM_RESULT),
	AXT_FLAG_OF(struct trend, skip_nan, "leave NaN out", .excludes = "keep_nan",
	    .opposite = "keep_nan", .was = "skipnan"),
	AXT_FLAG_OF(struct trend, keep_nan,
	    "NaN is a value, also where the tensor declares missing values"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "slope", NULL, "slope of the nearest straight line", NULL, "slope" },
	{ "intercept", NULL, "its value where points are 0", NULL, "intercept" },
	{ "detrend", NULL, "values without the line", NULL, "detrend" },
	{ .name = NULL },
};

/* What the line leaves keeps the name of the tensor. */
static int
build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const struct trend *o = AXT_VALUES(struct trend, c);

	if (axt_trend(g, c->in[0], o->points, o->along, o->skip_nan - o->keep_nan, out))
		return 1;
	out[0] = axt_set_name(g, out[0], "slope");
	out[1] = axt_set_name(g, out[1], "intercept");
	return 0;
}

const struct axt_operation axt_operation_trend = {
	.name = "trend",
	.line = "linear trends: slope and intercept along an axis",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct trend),
	.flags = AXT_OPERATION_STDIN,
	.results = "slope intercept detrend",
	.build_all = build,
};
