/*
 * gradient.c - slopes along an axis, as by numpy.gradient: computed from the neighbours of each
 * element and their distances.
 */
#include <math.h>

#include "axes/keys.h"
#include "graph/graph.h"
#include "operations/inner.h"
#include "axt_builds.h"
#include "axt_operation.h"

/* What elements are multiplied by, n of each: those before them, themselves, those after them. */
struct weights {
	double *before, *own, *after;
	double *distance; /* of the two neighbours; at the ends, of the end and its neighbour */
	uint8_t *end;     /* whether the element is at an end */
	bool even;        /* whether all neighbours are equally far, so that distances are enough */
};

/* Longitudes that go around are counted on, 350 355 360, and not 350 355 0. */
static void
unwind(const struct axt_axis *axis, double *x)
{
	if (!axis->coord || !axis->coord->data || !axt_axis_circle(axis))
		return;
	for (int64_t i = 1; i < axis->len; i++)
		x[i] -= 360 * rint((x[i] - x[i - 1]) / 360);
}

static int
check(struct axt_graph *g, const struct axt_expr *a, int i, const double *x)
{
	const struct axt_axis *axis = &a->axes.a[i];
	const char *where = axt_axis_where(g->m, axis, a->from);

	if (axis->len < 2)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s has %s, and a gradient is between two or more", where,
		    axis->len == 0 ? "no element" : "one element");
	for (int64_t k = 1; k < axis->len; k++)
		if (!(x[axis->len - 1] > x[0] ? x[k] > x[k - 1] : x[k] < x[k - 1])) {
			axt_fail(&g->err, AXT_E_COORD,
			    "%s neither rises nor falls: %.17g comes before %.17g", where, x[k - 1],
			    x[k]);
			return axt_about(&g->err, AXT_NOT_INCREASING, axt_axis_spell(g->m, axis),
			    a->from);
		}
	return 0;
}

static int
weigh(struct axt_graph *g, const double *x, int64_t n, struct weights *w)
{
	size_t bytes = (size_t)n * sizeof(double);

	*w = (struct weights){ axt_alloc(g->m, bytes), axt_alloc(g->m, bytes),
		axt_alloc(g->m, bytes), axt_alloc(g->m, bytes), axt_alloc(g->m, (size_t)n), true };
	if (!w->before || !w->own || !w->after || !w->distance || !w->end)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t k = 0; k < n; k++) {
		double p = k > 0 ? x[k] - x[k - 1] : 0, q = k < n - 1 ? x[k + 1] - x[k] : 0;

		w->end[k] = k == 0 || k == n - 1;
		w->distance[k] = p + q;
		w->before[k] = w->end[k] ? 0 : -q / (p * (p + q));
		w->own[k] = w->end[k] ? 0 : (q - p) / (p * q);
		w->after[k] = w->end[k] ? 0 : p / (q * (p + q));
		w->even = w->even && (w->end[k] || p == q);
	}
	return 0;
}

static struct axt_expr *
along_axis(struct axt_graph *g, const struct axt_axis *axis, enum axt_dtype d, const void *v)
{
	return axt_memory_leaf(g, d, &(struct axt_axes){ .n = 1, .a = { *axis } }, v);
}

/* The elements before those of a, or after them; at an end the element itself. */
static struct axt_expr *
neighbours(struct axt_graph *g, struct axt_expr *a, int i, bool after)
{
	int64_t n = a->axes.a[i].len;
	const struct axt_span end = { after ? n - 1 : 0, 0, 1 }, rest = { after, 1, n - 1 };

	return axt_view_axis(g, a, i, (struct axt_span[]){ after ? rest : end, after ? end : rest },
	    2, &a->axes.a[i]);
}

/* The slopes of a, of which axis i has these weights. */
static struct axt_expr *
slopes(struct axt_graph *g, struct axt_expr *a, int i, const struct weights *w)
{
	const struct axt_axis *axis = &a->axes.a[i];
	struct axt_expr *lo = neighbours(g, a, i, false), *hi = neighbours(g, a, i, true), *e, *sum;

	/* an element's own value takes no part where it need not: it may be missing */
	e = axt_map2(g, AXT_OP_DIV, axt_map2(g, AXT_OP_SUB, hi, lo),
	    along_axis(g, axis, AXT_F64, w->distance));
	if (w->even)
		return e;
	sum = axt_map2(g, AXT_OP_ADD,
	    axt_map2(g, AXT_OP_MUL, lo, along_axis(g, axis, AXT_F64, w->before)),
	    axt_map2(g, AXT_OP_MUL, a, along_axis(g, axis, AXT_F64, w->own)));
	sum = axt_map2(g, AXT_OP_ADD, sum,
	    axt_map2(g, AXT_OP_MUL, hi, along_axis(g, axis, AXT_F64, w->after)));
	return axt_where(g, along_axis(g, axis, AXT_BOOL, w->end), e, sum);
}

/*
 * The units of the slopes of a along an axis with the coordinates x; NULL: those of the quotient a
 * / x. Values in degC differ by K. Latitudes are angles, which products of units refuse, so that
 * "degree-1" is written here.
 */
static const char *
slope_units(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *x)
{
	const char *u[2] = { axt_attr_text(a->meta->attrs, "units"),
		axt_attr_text(x->meta->attrs, "units") };
	const int power[2] = { 1, -1 };
	char text[AXT_UNITS_TEXT];

	if (!u[0] || !u[1])
		return NULL;
	if (!axt_units_differ("degC", u[0]))
		u[0] = "K";
	if (axt_units_differ("degree", u[1]))
		return axt_units_product(2, u, power, 1, text)
		    ? axt_strndup(g->m, text, strlen(text))
		    : NULL;
	if (!axt_units_product(1, u, power, 1, text))
		return NULL;
	return strcmp(text, "1") == 0 ? "degree-1" : axt_sprintf(g->m, "%s degree-1", text);
}

struct axt_expr *
axt_gradient(struct axt_graph *g, struct axt_expr *a, const char *along)
{
	struct axt_attr units = { .name = "units", .kind = AXT_ATTR_TEXT };
	struct axt_expr *e, *x;
	const struct axt_meta *like;
	struct axt_meta *m;
	struct weights w;
	const double *at;
	double *turned;
	enum axt_dtype d;
	int i;

	if (axt_refused(g, a) || (i = axt_view_find(g, a, along ? along : "")) < 0)
		return axt_node_failed(g);
	x = axt_axis_points(g, a, i, &at);
	if (axt_bad(x))
		return x;
	turned = axt_alloc(g->m, (size_t)a->axes.a[i].len * sizeof(*turned) + 1);
	if (!turned)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	memcpy(turned, at, (size_t)a->axes.a[i].len * sizeof(*turned));
	unwind(&a->axes.a[i], turned);
	if (check(g, a, i, turned) || weigh(g, turned, a->axes.a[i].len, &w))
		return axt_node_failed(g);
	d = axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT ? AXT_F64 : a->dtype;
	e = axt_cast_dtype(g, a, d == AXT_C64 || d == AXT_C128 ? AXT_C128 : AXT_F64,
	    AXT_OVERFLOW_ERROR);
	e = axt_bad(e) ? e : axt_conv(g, slopes(g, e, i, &w), d, AXT_OVERFLOW_ERROR);
	if (axt_bad(e))
		return e;
	like = axt_meta_map(g, AXT_OP_DIV, 2, (struct axt_expr *[]){ a, x }, e);
	m = axt_dress(g, &e, a); /* what belongs to elements stays at them */
	if (!like || !m)
		return axt_node_failed(g);
	axt_meta_computed(m);
	units.text = slope_units(g, a, x);
	m->attrs = units.text ? axt_attr_set(g->m, like->attrs, &units) : like->attrs;
	return e;
}

/* ---- the operation ---- */

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct axt_one, along, "the axis"),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_gradient = {
	.name = "gradient",
	.line = "slopes by the coordinates of neighbours along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct axt_one),
	.flags = AXT_OPERATION_STDIN,
	.build_of = axt_gradient,
};
