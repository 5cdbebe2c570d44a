/*
 * gufunc.c - functions of whole core axes: nodes of scans, of sorted order and of elements by
 * position, which have one core axis; and nodes of the results of any other row, by its signature.
 */
#include <limits.h>

#include "expr/expr.h"

struct axt_expr *
axt_gufunc_given(struct axt_graph *g, struct axt_expr *a, enum axt_gufunc_id op, int i,
    bool reverse, enum axt_dtype d)
{
	enum axt_dtype in[] = { a->dtype }, out[1],
		       own = axt_gufuncs[op]->dtypes(in, out) ? out[0] : AXT_DTYPE_AUTO;
	bool scans = axt_gufuncs[op]->scans;
	const char *what = scans ? "scan " : "", *name = axt_gufunc_name[op];
	struct axt_expr *e = axt_node_like(g, AXT_NODE_GUFUNC, a);

	if (axt_bad(e))
		return e;
	if (!own)
		return axt_undefined(g, axt_sprintf(g->m, "%s%s", what, name), a);
	if (d && (axt_is_complex(own) != axt_is_complex(d) || (!scans && d != own)))
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
	enum axt_dtype in[] = { index->dtype, a->dtype }, out[1];
	struct axt_expr *e;
	struct axt_axes x = a->axes;

	if (i >= x.n || i >= index->axes.n || !axt_gufunc_TAKE.dtypes(in, out))
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
	if (x.n != 1) {
		axt_fail(&g->err, AXT_E_AXES, "%s goes along one axis, not %d (\"%s\")", what, x.n,
		    axt_escape(g->m, along));
		axt_about(&g->err, AXT_BAD_WORD, along, "AXIS");
		return -1;
	}
	i = axt_axes_find(&a->axes, &x.a[0]);
	if (i < 0)
		axt_axes_unknown_in(g->m, &a->axes, &x.a[0], a->from, &g->err);
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
	if (i >= 0)
		a = axt_as_added(g, op, a, o->dtype);
	return i < 0 || axt_bad(a)
	    ? axt_node_failed(g)
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

/* ---- rows without special ways ---- */

const int *
axt_gufunc_core(const struct axt_expr *e, int k)
{
	struct axt_signature x = axt_gufunc_signature(e->u.gufunc.op);
	const int *p = e->u.gufunc.core;

	for (int i = 0; i < k && i < x.nin; i++)
		p += x.core[i].n;
	return p;
}

/* How many positions there are in all. */
static int
positions(const struct axt_signature *x, int result)
{
	int n = x->core[x->nin + result].n;

	for (int i = 0; i < x->nin; i++)
		n += x->core[i].n;
	return n;
}

bool
axt_gufunc_together(const struct axt_expr *a, const struct axt_expr *b)
{
	struct axt_signature x = axt_gufunc_signature(a->u.gufunc.op);
	size_t in = (size_t)(positions(&x, 0) - x.core[x.nin].n);

	return a->kind == AXT_NODE_GUFUNC && b->kind == AXT_NODE_GUFUNC &&
	    a->u.gufunc.op == b->u.gufunc.op &&
	    memcmp(a->arg, b->arg, (size_t)x.nin * sizeof(*a->arg)) == 0 &&
	    memcmp(a->u.gufunc.core, b->u.gufunc.core, in * sizeof(int)) == 0 &&
	    memcmp(&a->u.gufunc.args, &b->u.gufunc.args, sizeof(a->u.gufunc.args)) == 0;
}

const char *
axt_gufunc_lengths(const struct axt_expr *e, int64_t len[AXT_LETTERS])
{
	const struct axt_gufunc *f = axt_gufuncs[e->u.gufunc.op];
	struct axt_signature x = axt_gufunc_signature(e->u.gufunc.op);

	for (int i = 0; i < AXT_LETTERS; i++)
		len[i] = -1;
	for (int k = 0; k < x.nin; k++)
		for (int c = 0; c < x.core[k].n; c++) {
			int64_t n = e->arg[k]->axes.a[axt_gufunc_core(e, k)[c]].len,
				*l = &len[x.core[k].axis[c] - 'a'];

			if (*l >= 0 && *l != n)
				return "core axes of one letter are not equally long";
			*l = n;
		}
	return f->sizes ? f->sizes(&e->u.gufunc.args, len) : NULL;
}

/* ---- the kind ---- */

static const char *
op_name(int op)
{
	return axt_gufunc_name[op];
}

/* Of a plain row: what is 0 is left out of a plan's text. */
static bool
plain_fields(struct axt_fields *f, struct axt_expr *e)
{
	struct axt_signature x = axt_gufunc_signature(e->u.gufunc.op);
	struct axt_gufunc_args *a = &e->u.gufunc.args;
	int *result = &e->u.gufunc.result, n, numbers = AXT_GUFUNC_NUMBERS;
	bool has_n = false, has_x = false;

	if (e->nargs != x.nin || !axt_field_int(f, "result=", result, 0, x.nout - 1))
		return false;
	n = positions(&x, *result);
	for (int i = 0; i < AXT_GUFUNC_NUMBERS; i++) {
		has_n = has_n || a->n[i];
		has_x = has_x || a->x[i] != 0;
	}
	if (!f->field(f,
		AXT_FIELD(INTS, "core=", e->u.gufunc.core, .n = &n, .fixed = true, .lo = 0,
		    .hi = AXT_MAX_RANK - 1)))
		return false;
	if (f->has(f, "n=", has_n) &&
	    !f->field(f,
		AXT_FIELD(INTS, "n=", a->n, .n = &numbers, .fixed = true, .lo = INT_MIN,
		    .hi = INT_MAX)))
		return false;
	if (f->has(f, "x=", has_x))
		for (int i = 0; i < AXT_GUFUNC_NUMBERS; i++)
			if (!axt_field_real(f, "x=", &a->x[i]))
				return false;
	return true;
}

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	if (axt_gufunc_plain(axt_gufuncs[e->u.gufunc.op]))
		return plain_fields(f, e);
	return axt_field_int(f, "axis=", &e->u.gufunc.axis, 0, e->arg[0]->axes.n - 1) &&
	    axt_field_flag(f, "reverse=", &e->u.gufunc.reverse);
}

/* Marks the n core axes of a tensor, `core`. false: there is none such, or one stands twice. */
static bool
mark_core(const struct axt_axes *x, const int *core, int n, bool is[AXT_MAX_RANK])
{
	memset(is, 0, AXT_MAX_RANK * sizeof(*is));
	for (int c = 0; c < n; c++) {
		if (core[c] >= x->n || is[core[c]])
			return false;
		is[core[c]] = true;
	}
	return true;
}

/* Whether each axis of x that is no core axis is one of y, where it is none either. */
static bool
loops_in(const struct axt_axes *x, const bool core[], const struct axt_axes *y, const bool no[])
{
	for (int i = 0; i < x->n; i++) {
		int j = core[i] ? -1 : axt_axes_find(y, &x->a[i]);

		if (!core[i] && (j < 0 || no[j] || y->a[j].len != x->a[i].len))
			return false;
	}
	return true;
}

/* Whether the axes, core axes, lengths and dtypes of a result are what its operands give. */
static bool
is_result(const struct axt_expr *d)
{
	struct axt_signature x = axt_gufunc_signature(d->u.gufunc.op);
	int r = x.nin + d->u.gufunc.result;
	enum axt_dtype ty[AXT_GUFUNC_TENSORS];
	bool core[AXT_GUFUNC_TENSORS][AXT_MAX_RANK], found[AXT_MAX_RANK] = { false };
	int64_t len[AXT_LETTERS];

	for (int k = 0; k < x.nin; k++) {
		ty[k] = d->arg[k]->dtype;
		if (!mark_core(&d->arg[k]->axes, axt_gufunc_core(d, k), x.core[k].n, core[k]))
			return false;
	}
	if (!axt_gufuncs[d->u.gufunc.op]->dtypes(ty, ty + x.nin) || ty[r] != d->dtype ||
	    !mark_core(&d->axes, axt_gufunc_core(d, x.nin), x.core[r].n, core[x.nin]) ||
	    axt_gufunc_lengths(d, len) || axt_count(d) < 0)
		return false;
	for (int c = 0; c < x.core[r].n; c++)
		if (d->axes.a[axt_gufunc_core(d, x.nin)[c]].len != len[x.core[r].axis[c] - 'a'])
			return false;
	for (int k = 0; k < x.nin; k++) {
		if (ty[k] != d->arg[k]->dtype || (axt_count(d) > 0 && axt_count(d->arg[k]) <= 0) ||
		    !loops_in(&d->arg[k]->axes, core[k], &d->axes, core[x.nin]))
			return false;
		for (int i = 0; i < d->axes.n; i++) {
			int j = axt_axes_find(&d->arg[k]->axes, &d->axes.a[i]);

			found[i] = found[i] || core[x.nin][i] || (j >= 0 && !core[k][j]);
		}
	}
	for (int i = 0; i < d->axes.n; i++)
		if (!found[i])
			return false;
	return true;
}

static struct axt_expr *
build_plain(struct axt_graph *g, struct axt_expr *d)
{
	struct axt_expr *e = is_result(d) ? axt_node_like(g, AXT_NODE_GUFUNC, d->arg[0]) : NULL;

	if (axt_bad(e))
		return e;
	e->dtype = d->dtype;
	e->axes = d->axes;
	e->flat = false;
	e->nargs = d->nargs;
	e->u.gufunc = d->u.gufunc;
	return axt_node_again(g, e, d->arg, AXT_DTYPE_AUTO);
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	enum axt_gufunc_id op = d->u.gufunc.op;

	if (d->nargs != axt_gufunc_signature(op).nin)
		return NULL;
	if (axt_gufunc_plain(axt_gufuncs[op]))
		return build_plain(g, d);
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
