/*
 * weights.c - weights that have missing values. An element whose weight is missing is left out of
 * the reduction: its weight becomes 0, and the element becomes 0 or missing. That is done by other
 * nodes here, so that the loops of reductions see only weights that are not missing.
 */
#include "groups/groups.h"

struct axt_expr *
axt_weights_over(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w)
{
	struct axt_axes x;

	if (axt_refused(g, w) || axt_meet(g, a, w, &x))
		return axt_node_failed(g);
	if (x.n > a->axes.n)
		return axt_lacks(g, a, "weights", &x.a[a->axes.n]), axt_node_failed(g);
	return axt_over_axes(g, w, &a->axes);
}

bool
axt_weights_lack(const struct axt_expr *w, int nan)
{
	return w && nan >= 0 && w->meta->missing && axt_dtypes[w->dtype].cls == AXT_CLASS_FLOAT;
}

struct axt_expr *
axt_weights_filled(struct axt_graph *g, struct axt_expr *w)
{
	return axt_fillnan(g, w, axt_number(g, "0"));
}

struct axt_expr *
axt_weights_leave_out(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w, int nan)
{
	bool skip = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT &&
	    (nan > 0 || (nan == 0 && a->meta->missing));
	struct axt_expr *e;

	if (axt_refused(g, a) || axt_refused(g, w) || axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return a; /* which weights refuse */
	e = axt_where(g, axt_map1(g, AXT_OP_ISNAN, axt_weights_over(g, a, w)),
	    axt_number(g, skip ? "nan" : "0"), a);
	axt_dress(g, &e, a);
	return e;
}

struct axt_expr *
axt_weighted_quantile(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o)
{
	struct axt_reduce_opts plain = *o;
	static const char line[] = "axt_line";
	bool skip = o->nan > 0 || (o->nan == 0 && a->meta->missing);
	double q = op == AXT_RED_QUANTILE ? o->q : 0.5;
	struct axt_expr *like, *in[2], *e;
	struct axt_gufunc_opts how;
	struct axt_axes both;
	const char *core;
	int gone[AXT_MAX_RANK], n = 0;

	if (op == AXT_RED_QUANTILE && o->method != AXT_LINEAR)
		return axt_graph_fail(g, AXT_E_ARG,
		    "quantiles with weights have the method linear alone");
	plain.weights = NULL;
	plain.dtype = AXT_DTYPE_AUTO;
	/* what the result is called, its axes and its attributes are those without weights */
	like = axt_reduce_grouped(g, op, a, &plain, NULL);
	if (axt_bad(like) || axt_refused(g, o->weights) || axt_meet(g, a, o->weights, &both))
		return axt_node_failed(g);
	for (int i = 0; i < o->weights->axes.n; i++)
		if (axt_axes_find(&a->axes, &o->weights->axes.a[i]) < 0)
			return axt_lacks(g, a, "weights", &o->weights->axes.a[i]),
			       axt_node_failed(g);
	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&like->axes, &a->axes.a[i]) < 0)
			gone[n++] = i;
	in[1] = o->weights;
	for (int i = 0; i < n; i++) {
		in[1] = axt_over_axis(g, in[1], a, gone[i]);
		if (axt_bad(in[1]))
			return in[1];
	}
	if (n == 0)
		return axt_graph_fail(g, AXT_E_AXES, "a quantile with weights over no axis of %s",
		    a->from);
	in[0] = a;
	core = axt_axes_typed(g->m, &a->axes, gone, n);
	for (int k = 0; k < 2 && n > 1; k++) { /* the axes as one */
		in[k] = axt_flatten(g, in[k], axt_sprintf(g->m, "%s=%s", core, line));
		if (axt_bad(in[k]))
			return in[k];
	}
	how = (struct axt_gufunc_opts){ .core = n > 1 ? line : core, .n = { skip }, .x = { q } };
	if (axt_gufunc(g, "wquantile", 2, in, &how, &e))
		return axt_node_failed(g);
	if (e->axes.n > 1)
		e = axt_order(g, e, axt_axes_typed(g->m, &like->axes, axt_identity, e->axes.n));
	e = axt_bad(e) ? e : axt_conv(g, e, o->dtype ? o->dtype : like->dtype, AXT_OVERFLOW_ERROR);
	if (axt_dress(g, &e, like))
		e->axes = like->axes;
	return e;
}
