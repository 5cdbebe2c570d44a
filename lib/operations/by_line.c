/*
 * by_line.c - what is done along one axis, with a result for each of its elements: missing values
 * filled, ranks, and recurrences.
 */
#include "expr/expr.h"
#include "axt_builds.h"

/* e, a result over the axes of a, with what a has along the axis; fails if e is bad. */
static struct axt_expr *
with_aux(struct axt_graph *g, struct axt_expr *e, const struct axt_expr *a)
{
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (m)
		m->aux = a->meta->aux;
	return e;
}

/* A function of one operand along one axis, with the arguments n. */
static struct axt_expr *
along_axis(struct axt_graph *g, const char *name, struct axt_expr *a, const char *along, int n)
{
	struct axt_expr *e;

	if (axt_refused(g, a) || axt_view_find(g, a, along ? along : "") < 0 ||
	    axt_gufunc(g, name, 1, &a, &(struct axt_gufunc_opts){ .core = along, .n = { n } }, &e))
		return axt_node_failed(g);
	return with_aux(g, e, a);
}

static struct axt_expr *
filled(struct axt_graph *g, const char *name, struct axt_expr *a, const char *along, int limit)
{
	enum axt_class c;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	c = axt_dtypes[a->dtype].cls;
	if (limit < 0)
		return axt_graph_fail(g, AXT_E_ARG, "%s: the limit is %d", name, limit);
	if (c < AXT_CLASS_FLOAT) /* nothing is missing */
		return axt_view_find(g, a, along ? along : "") < 0 ? axt_node_failed(g) : a;
	return axt_conv(g, along_axis(g, name, a, along, limit), a->dtype, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_ffill(struct axt_graph *g, struct axt_expr *a, const char *along, int limit)
{
	return filled(g, "ffill", a, along, limit);
}

struct axt_expr *
axt_bfill(struct axt_graph *g, struct axt_expr *a, const char *along, int limit)
{
	return filled(g, "bfill", a, along, limit);
}

struct axt_expr *
axt_rank(struct axt_graph *g, struct axt_expr *a, const char *along, enum axt_rank_method method)
{
	if ((int)method < 0 || method > AXT_RANK_ORDINAL)
		return axt_graph_fail(g, AXT_E_ARG, "no such method of ranking");
	return along_axis(g, "rank", a, along, (int)method);
}

struct axt_expr *
axt_scan_linear(struct axt_graph *g, struct axt_expr *x, struct axt_expr *a, const char *along,
    const struct axt_scan_opts *o)
{
	static const struct axt_scan_opts plain = { 0 };
	struct axt_expr *in[2] = { x }, *e;
	enum axt_dtype d;
	int i;

	if (axt_refused(g, x) || axt_refused(g, a) ||
	    (i = axt_view_find(g, x, along ? along : "")) < 0)
		return axt_node_failed(g);
	o = o ? o : &plain;
	in[1] = axt_over_axis(g, a, x, i);
	d = o->dtype ? o->dtype : axt_dtypes[x->dtype].cls == AXT_CLASS_FLOAT ? x->dtype : AXT_F64;
	if (axt_bad(in[1]) ||
	    axt_gufunc(g, "linear", 2, in,
		&(struct axt_gufunc_opts){ .core = along, .n = { o->reverse } }, &e))
		return axt_node_failed(g);
	return axt_conv(g, with_aux(g, e, x), d, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_scan_by(struct axt_graph *g, enum axt_red op, struct axt_expr *x, struct axt_expr *by,
    const char *along, const struct axt_scan_opts *o)
{
	static const struct axt_scan_opts plain = { 0 };
	static const enum axt_recur how[AXT_NREDS] = { [AXT_RED_SUM] = AXT_RECUR_SUM,
		[AXT_RED_PROD] = AXT_RECUR_PROD,
		[AXT_RED_MIN] = AXT_RECUR_MIN,
		[AXT_RED_MAX] = AXT_RECUR_MAX };
	struct axt_expr *in[2] = { x }, *e, *like;
	struct axt_axes both;
	int i;

	o = o ? o : &plain;
	if (axt_refused(g, x) || axt_refused(g, by) ||
	    (i = axt_view_find(g, x, along ? along : "")) < 0 || axt_meet(g, x, by, &both))
		return axt_node_failed(g);
	axt_warn_first(g, 2, (struct axt_expr *[]){ x, by });
	if (!how[op])
		return axt_graph_fail(g, AXT_E_ARG, "a scan by labels is a sum, prod, min or max");
	if (axt_axes_find(&by->axes, &x->axes.a[i]) < 0) {
		axt_fail(&g->err, AXT_E_AXES, "the labels %s (%s) lack the axis \"%s\"", by->from,
		    axt_axes_text(g->m, &by->axes), axt_escape(g->m, along));
		axt_about(&g->err, AXT_NO_AXIS, along, by->from);
		return axt_node_failed(g);
	}
	like = axt_scan(g, op, x, along, o);
	/* whether the label is that of the element before */
	in[1] = axt_map2(g, AXT_OP_EQ, by,
	    axt_shift(g, by, axt_sprintf(g->m, "%s=%d", along, o->reverse ? -1 : 1), true));
	in[1] = axt_cast_dtype(g, in[1], AXT_F64, AXT_OVERFLOW_ERROR);
	if (axt_bad(like) || axt_bad(in[1]) ||
	    axt_gufunc(g, "linear", 2, in,
		&(struct axt_gufunc_opts){ .core = along, .n = { o->reverse, how[op] } }, &e))
		return axt_node_failed(g);
	e = axt_conv(g, e, like->dtype, AXT_OVERFLOW_ERROR);
	if (!axt_bad(e) && e->axes.n == like->axes.n)
		axt_dress(g, &e, like);
	return with_aux(g, e, x);
}
