/* axis.c - gufuncs along one axis: scans, sorted order, elements by position. */
#include "expr/expr.h"

static bool
is_complex(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX;
}

struct axt_expr *
axt_gufunc_given(struct axt_graph *g, struct axt_expr *a, enum axt_gufunc_id op, int i,
    bool reverse, enum axt_dtype d)
{
	enum axt_dtype own = axt_gufuncs[op]->result(&a->dtype);
	bool scans = axt_gufuncs[op]->scans;
	const char *what = scans ? "scan " : "", *name = axt_gufunc_name[op];
	struct axt_expr *e = axt_node_like(g, AXT_NODE_GUFUNC, a);

	if (axt_bad(e))
		return e;
	if (!own)
		return axt_graph_fail(g, AXT_E_DTYPE, "%s%s is not defined for %s (%s)", what, name,
		    axt_dtypes[a->dtype].name, a->from);
	if (d && (is_complex(own) != is_complex(d) || (!scans && d != own)))
		return axt_graph_fail(g, AXT_E_DTYPE, "%s%s of %s cannot be %s", what, name,
		    axt_dtypes[a->dtype].name, axt_dtypes[d].name);
	e->dtype = d ? d : own;
	e->u.gufunc.op = op;
	e->u.gufunc.axis = i;
	e->u.gufunc.reverse = reverse;
	if (!scans)
		e->axes.a[i].coord = NULL;
	e->meta = axt_meta_gufunc(g, op, a, e);
	return e->meta ? e : axt_node_failed(g);
}

struct axt_expr *
axt_take_given(struct axt_graph *g, struct axt_expr *index, struct axt_expr *a, int i)
{
	struct axt_expr *e;
	struct axt_axes x = a->axes;

	if (i >= x.n || i >= index->axes.n ||
	    !axt_gufunc_TAKE.result((enum axt_dtype[]){ index->dtype, a->dtype }))
		return NULL;
	x.a[i].len = index->axes.a[i].len;
	if (!axt_axes_same(&x, &index->axes))
		return NULL;
	e = axt_node_like(g, AXT_NODE_GUFUNC, a);
	if (axt_bad(e))
		return e;
	e->axes = index->axes;
	e->nargs = 2;
	e->arg[0] = index;
	e->arg[1] = a;
	e->u.gufunc.op = AXT_GUFUNC_TAKE;
	e->u.gufunc.axis = i;
	e->u.gufunc.reverse = false;
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
			   what, x.n, axt_escape(g->m, along)),
		       -1;
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
	static const struct axt_scan_opts plain = { 0 };
	int l = 0, i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	o = o ? o : &plain;
	while (l < AXT_NGUFUNCS && (!axt_gufuncs[l]->scans || axt_gufuncs[l]->red != op))
		l++;
	if (l == AXT_NGUFUNCS)
		return axt_graph_fail(g, AXT_E_ARG, "no scan of that reduction");
	i = one_axis(g, a, "a scan", along);
	return i < 0 ? axt_node_failed(g)
		     : axt_gufunc_given(g, a, (enum axt_gufunc_id)l, i, o->reverse, o->dtype);
}

struct axt_expr *
axt_sort(struct axt_graph *g, struct axt_expr *a, const char *along, bool descending, bool index)
{
	int i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	i = one_axis(g, a, "a sort", along);
	return i < 0 ? axt_node_failed(g)
		     : axt_gufunc_given(g, a, index ? AXT_GUFUNC_INDEX : AXT_GUFUNC_SORT, i,
			   descending, AXT_DTYPE_AUTO);
}

/* ---- the kind ---- */

static const char *
op_name(int op)
{
	return axt_gufunc_name[op];
}

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	return axt_field_int(f, "axis=", &e->u.gufunc.axis, 0, e->arg[0]->axes.n - 1) &&
	    axt_field_flag(f, "reverse=", &e->u.gufunc.reverse);
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	enum axt_gufunc_id op = d->u.gufunc.op;

	if (d->nargs != axt_gufunc_signature(op).nin)
		return NULL;
	if (axt_gufuncs[op]->takes)
		return axt_take_given(g, d->arg[0], d->arg[1], d->u.gufunc.axis);
	return axt_gufunc_given(g, d->arg[0], op, d->u.gufunc.axis, d->u.gufunc.reverse, d->dtype);
}

const struct axt_node_kind axt_node_gufunc = { .min_args = 1,
	.max_args = AXT_GUFUNC_TENSORS,
	.op = offsetof(struct axt_expr, u.gufunc.op),
	.nops = AXT_NGUFUNCS,
	.op_name = op_name,
	.fields = fields,
	.build = build,
	.works = true,
	.does = axt_does_compute };
