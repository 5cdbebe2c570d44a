/* axis.c - nodes along one axis that keep all axes: scans, sorted order, elements by position. */
#include "expr/expr.h"

const char *const axt_lines_name[AXT_NLINES] = {
	[AXT_LINES_SUM] = "sum", [AXT_LINES_PROD] = "prod", [AXT_LINES_MIN] = "min",
	[AXT_LINES_MAX] = "max", [AXT_LINES_SORT] = "sort", [AXT_LINES_INDEX] = "index",
	[AXT_LINES_TAKE] = "take"
};

enum axt_red
axt_lines_red(enum axt_lines op)
{
	static const enum axt_red red[] = { AXT_RED_SUM, AXT_RED_PROD, AXT_RED_MIN, AXT_RED_MAX };

	return red[op];
}

static bool
is_complex(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX;
}

/* The dtype a scan or sort of d has by itself; AUTO: there is none. */
static enum axt_dtype
own_dtype(enum axt_lines op, enum axt_dtype d)
{
	enum axt_dtype res;

	if (is_complex(d))
		return op == AXT_LINES_SUM ? d : AXT_DTYPE_AUTO;
	if (!axt_is_scan(op))
		return op == AXT_LINES_INDEX ? AXT_I64 : d;
	return axt_kern_red(axt_lines_red(op), d, false, false, &res) ? res : AXT_DTYPE_AUTO;
}

struct axt_expr *
axt_lines_given(struct axt_graph *g, struct axt_expr *a, enum axt_lines op, int i, bool reverse,
    enum axt_dtype d)
{
	enum axt_dtype own = own_dtype(op, a->dtype);
	const char *what = axt_is_scan(op) ? "scan " : "", *name = axt_lines_name[op];
	struct axt_expr *e = axt_node_like(g, AXT_NODE_LINES, a);

	if (axt_bad(e))
		return e;
	if ((int)own < 0)
		return axt_graph_fail(g, AXT_E_DTYPE, "%s%s is not defined for %s (%s)", what,
		    name, axt_dtypes[a->dtype].name, a->from);
	if ((int)d >= 0 && (is_complex(own) != is_complex(d) || (!axt_is_scan(op) && d != own)))
		return axt_graph_fail(g, AXT_E_DTYPE, "%s%s of %s cannot be %s", what, name,
		    axt_dtypes[a->dtype].name, axt_dtypes[d].name);
	e->dtype = (int)d < 0 ? own : d;
	e->u.lines.op = op;
	e->u.lines.axis = i;
	e->u.lines.reverse = reverse;
	if (!axt_is_scan(op))
		e->axes.a[i].coord = NULL;
	e->meta = axt_meta_lines(g, op, a, e);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_take_given(struct axt_graph *g, struct axt_expr *index, struct axt_expr *a, int i)
{
	struct axt_expr *e;
	struct axt_axes x = a->axes;

	if (i >= x.n || i >= index->axes.n || index->dtype != AXT_I64)
		return NULL;
	x.a[i].len = index->axes.a[i].len;
	if (!axt_axes_same(&x, &index->axes))
		return NULL;
	e = axt_node_like(g, AXT_NODE_LINES, a);
	if (axt_bad(e))
		return e;
	e->axes = index->axes;
	e->nargs = 2;
	e->arg[0] = index;
	e->arg[1] = a;
	e->u.lines.op = AXT_LINES_TAKE;
	e->u.lines.axis = i;
	e->u.lines.reverse = false;
	return e;
}

/* The axis of a list that names one of a's. */
static int
one_axis(struct axt_graph *g, const struct axt_expr *a, const char *what, const char *along)
{
	struct axt_axes x;
	int i;

	if (!along)
		return axt_fail(&g->err, AXT_E_ARG, "%s needs the axis to go along", what), -1;
	if (axt_axes_parse(g->m, along, false, &x, NULL, &g->err))
		return -1;
	if (x.n != 1)
		return axt_fail(&g->err, AXT_E_AXES, "%s goes along one axis, not %d (\"%s\")",
		    what, x.n, axt_escape(g->m, along)), -1;
	i = axt_axes_find(&a->axes, &x.a[0]);
	if (i < 0)
		axt_fail(&g->err, AXT_E_AXES, "no axis \"%s\" in %s (%s)",
		    axt_escape(g->m, axt_axis_spell(g->m, &x.a[0])), a->from,
		    axt_axes_text(g->m, &a->axes));
	return i;
}

struct axt_expr *
axt_scan(struct axt_graph *g, enum axt_red op, struct axt_expr *a, const char *along,
    const struct axt_scan_opts *o)
{
	static const struct axt_scan_opts plain = { .dtype = AXT_DTYPE_AUTO };
	enum axt_lines l = AXT_LINES_SUM;
	int i;

	if (axt_bad(a))
		return a;
	o = o ? o : &plain;
	while (axt_is_scan(l) && axt_lines_red(l) != op)
		l++;
	if (!axt_is_scan(l))
		return axt_graph_fail(g, AXT_E_ARG, "no scan of that reduction");
	i = one_axis(g, a, "a scan", along);
	return i < 0 ? axt_node_failed(g) : axt_lines_given(g, a, l, i, o->reverse,
	    o->dtype > 0 ? o->dtype : AXT_DTYPE_AUTO);
}

struct axt_expr *
axt_sort(struct axt_graph *g, struct axt_expr *a, const char *along, bool descending, bool index)
{
	int i;

	if (axt_bad(a))
		return a;
	i = one_axis(g, a, "a sort", along);
	return i < 0 ? axt_node_failed(g) : axt_lines_given(g, a,
	    index ? AXT_LINES_INDEX : AXT_LINES_SORT, i, descending, AXT_DTYPE_AUTO);
}

/* ---- the kind ---- */

static const char *
op_name(int op)
{
	return axt_lines_name[op];
}

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	return axt_field_int(f, "axis=", &e->u.lines.axis, 0, e->arg[0]->axes.n - 1) &&
	    axt_field_flag(f, "reverse=", &e->u.lines.reverse);
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	if (d->u.lines.op == AXT_LINES_TAKE)
		return d->nargs == 2 ? axt_take_given(g, d->arg[0], d->arg[1], d->u.lines.axis) : NULL;
	return axt_lines_given(g, d->arg[0], d->u.lines.op, d->u.lines.axis, d->u.lines.reverse,
	    d->dtype);
}

const struct axt_node_kind axt_node_lines = {
	.min_args = 1, .max_args = 2, .op = offsetof(struct axt_expr, u.lines.op),
	.nops = AXT_NLINES, .op_name = op_name, .fields = fields, .build = build, .works = true,
	.does = axt_does_compute
};
