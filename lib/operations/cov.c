/*
 * cov.c - covariance and correlation of two tensors: products of differences from means,
 * over the elements that both tensors have.
 */
#include <math.h>

#include "groups/groups.h"
#include "axt_builds.h"
#include "axt_operation.h"

/* What cov and corr have in common. */
struct pair {
	struct axt_graph *g;
	struct axt_expr *x, *y; /* differences from their means */
	/* differences are multiplied by powers of two, which their products need and corr allows */
	bool scale;
	struct axt_reduce_opts how;
	const char *order; /* the axes of the result; NULL: it has none */
};

static enum axt_dtype
result_dtype(const struct axt_expr *x, const struct axt_expr *y)
{
	enum axt_dtype t = axt_promote(x->dtype, y->dtype);

	return axt_dtypes[t].cls == AXT_CLASS_FLOAT ? t : AXT_F64;
}

/* a in f64, but NaN where `other` is, if that matters. */
static struct axt_expr *
masked(struct axt_graph *g, struct axt_expr *a, struct axt_expr *other, bool skip)
{
	struct axt_meta *m;

	a = axt_cast_dtype(g, a, AXT_F64, AXT_OVERFLOW_ERROR);
	if (!skip || axt_bad(a) || axt_dtypes[other->dtype].cls != AXT_CLASS_FLOAT)
		return a;
	a = axt_where(g, axt_map1(g, AXT_OP_ISNAN, other), axt_number(g, "nan"), a);
	m = axt_dress(g, &a, NULL);
	if (m)
		m->missing = true;
	return a;
}

/* a over those axes of `all` too that it lacks and that are reduced: `left` lacks them. */
static struct axt_expr *
over_all(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *all,
    const struct axt_expr *left)
{
	for (int i = 0; i < all->axes.n && !axt_bad(a); i++)
		if (axt_axes_find(&left->axes, &all->axes.a[i]) < 0)
			a = axt_over_axis(g, a, all, i);
	return a;
}

static struct axt_expr *
reduced(struct pair *p, enum axt_red op, struct axt_expr *a)
{
	struct axt_reduce_opts how = p->how;

	if (op != AXT_RED_MEAN)
		how.weights = NULL;
	return axt_reduce_grouped(p->g, op, a, &how, NULL);
}

/*
 * The power of two that brings differences between elements from lo to hi to about 1. Their squares
 * are then neither too large nor too small for f64.
 */
static struct axt_expr *
unit(struct axt_graph *g, struct axt_expr *lo, struct axt_expr *hi)
{
	struct axt_expr *e = axt_map1(g, AXT_OP_FLOOR,
	    axt_map1(g, AXT_OP_LOG2, axt_map2(g, AXT_OP_SUB, hi, lo)));

	return axt_map1(g, AXT_OP_EXP2,
	    axt_map2(g, AXT_OP_MINIMUM, axt_map1(g, AXT_OP_NEGATIVE, e), axt_number(g, "1000")));
}

/*
 * The difference of a from its mean over the reduced axes. The mean is clipped to the least and the
 * greatest element, which rounding may have put it outside of; so equal elements differ by exactly
 * 0.
 */
static struct axt_expr *
centred(struct pair *p, struct axt_expr *a)
{
	struct axt_expr *lo = reduced(p, AXT_RED_MIN, a), *hi = reduced(p, AXT_RED_MAX, a);
	struct axt_expr *e = axt_map2(p->g, AXT_OP_SUB, a,
	    axt_clip(p->g, reduced(p, AXT_RED_MEAN, a), lo, hi));

	return p->scale ? axt_map2(p->g, AXT_OP_MUL, e, unit(p->g, lo, hi)) : e;
}

/*
 * The mean of the product of a and b, which are differences from means. Those means were rounded,
 * by much if elements are far from zero, so that the differences have means other than 0. The
 * product of these is subtracted.
 */
static struct axt_expr *
mean_of_product(struct pair *p, struct axt_expr *a, struct axt_expr *b)
{
	struct axt_expr *rest = axt_map2(p->g, AXT_OP_MUL, reduced(p, AXT_RED_MEAN, a),
	    reduced(p, AXT_RED_MEAN, b));

	return axt_map2(p->g, AXT_OP_SUB,
	    reduced(p, AXT_RED_MEAN, axt_map2(p->g, AXT_OP_MUL, a, b)), rest);
}

/*
 * Repeats each tensor along the axes that the weights share only with the other tensor, and leaves
 * out pairs whose weight is missing, unless the option `nan` keeps them.
 */
static void
weigh(struct pair *p, int nan)
{
	struct axt_expr *w = p->how.weights;

	for (int i = 0; i < w->axes.n; i++) {
		p->x = axt_bad(p->x) ? p->x : axt_over_axis(p->g, p->x, w, i);
		p->y = axt_bad(p->y) ? p->y : axt_over_axis(p->g, p->y, w, i);
	}
	if (axt_bad(p->x) || axt_bad(p->y) || !axt_weights_lack(w, nan))
		return;
	p->x = axt_weights_leave_out(p->g, p->x, w, p->how.nan);
	p->y = axt_weights_leave_out(p->g, p->y, w, p->how.nan);
	p->how.weights = axt_weights_filled(p->g, w);
}

/* Fails if a has none of the axes of `all` that are reduced: it does not vary along them. */
static bool
has_none(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *all,
    const int gone[], int n)
{
	for (int i = 0; i < n; i++)
		if (axt_axes_find(&a->axes, &all->axes.a[gone[i]]) >= 0)
			return false;
	axt_fail(&g->err, AXT_E_AXES, "%s has %s, and none of the axes that are reduced (%s)",
	    a->from, axt_axes_text(g->m, &a->axes), axt_axes_typed(g->m, &all->axes, gone, n));
	axt_about(&g->err, AXT_NO_AXIS, axt_axes_typed(g->m, &all->axes, gone, n), a->from);
	for (int i = 0; i < a->axes.n; i++)
		axt_about_among(&g->err, axt_axis_spell(g->m, &a->axes.a[i]));
	if (a->axes.n == 1 && n == 1 && a->axes.a[0].len == all->axes.a[gone[0]].len)
		axt_hint(&g->err, "%s lets them meet",
		    axt_rename_typed(g, a,
			axt_sprintf(g->m, "%s=%s", a->axes.a[0].name, all->axes.a[gone[0]].name)));
	return true;
}

/* Finds the axes that are reduced, and makes the differences from the means. */
static int
begin(struct pair *p, struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o)
{
	struct axt_expr *all, *left;
	int gone[AXT_MAX_RANK], n = 0;
	bool skip;

	if (axt_refused(g, x) || axt_refused(g, y))
		return g->err.code;
	for (int i = 0; i < 2; i++)
		if (axt_dtypes[i ? y->dtype : x->dtype].cls == AXT_CLASS_COMPLEX)
			return axt_not_defined(g, "covariances are", i ? y : x);
	if (o->by || o->every)
		return axt_fail(&g->err, AXT_E_ARG, "covariances are not taken by labels");
	if (o->weights && o->ddof != 0)
		return axt_fail(&g->err, AXT_E_ARG, "weights and a ddof do not go together");
	skip = o->nan > 0 || (o->nan == 0 && (x->meta->missing || y->meta->missing));
	p->g = g;
	p->how = *o;
	p->how.ddof = 0;
	p->how.dtype = AXT_F64;
	p->how.nan = skip ? 1 : -1;
	p->x = masked(g, x, y, skip);
	p->y = masked(g, y, x, skip);
	axt_warn_first(g, 2, (struct axt_expr *[]){ x, y });
	all = axt_map2(g, AXT_OP_MUL, p->x, p->y);
	left = axt_reduce_grouped(g, AXT_RED_MEAN, all, &p->how, NULL);
	if (axt_bad(left))
		return g->err.code;
	for (int i = 0; i < all->axes.n; i++)
		if (axt_axes_find(&left->axes, &all->axes.a[i]) < 0)
			gone[n++] = i;
	if (n > 0 && (has_none(g, x, all, gone, n) || has_none(g, y, all, gone, n)))
		return g->err.code;
	p->how.to = NULL;
	p->how.over = axt_axes_typed(g->m, &all->axes, gone, n);
	p->order = left->axes.n > 0 ? axt_axes_typed(g->m, &left->axes, axt_identity, left->axes.n)
				    : NULL;
	p->x = over_all(g, p->x, all, left);
	p->y = over_all(g, p->y, all, left);
	if (o->weights)
		weigh(p, o->nan);
	p->x = centred(p, p->x);
	p->y = centred(p, p->y);
	return g->err.code;
}

/* e as the result: its dtype, the order of its axes, and attributes of x op y. */
static struct axt_expr *
finish(struct pair *p, struct axt_expr *e, enum axt_op op, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o)
{
	struct axt_graph *g = p->g;
	const struct axt_meta *like;
	struct axt_meta *m;

	e = axt_conv(g, e, o->dtype ? o->dtype : result_dtype(x, y), AXT_OVERFLOW_ERROR);
	if (p->order && !axt_bad(e))
		e = axt_order(g, e, p->order);
	if (axt_bad(e))
		return e;
	like = axt_meta_map(g, op, 2, (struct axt_expr *[]){ x, y }, e);
	m = axt_dress(g, &e, NULL);
	if (!like || !m)
		return axt_node_failed(g);
	m->attrs = like->attrs;
	m->missing = m->missing || p->how.nan > 0;
	e->from = "result";
	return e;
}

struct axt_expr *
axt_cov(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o)
{
	static const struct axt_reduce_opts plain = { .ddof = 1 };
	struct axt_expr *e, *n;
	char ddof[40];
	struct pair p = { .scale = false };

	o = o ? o : &plain;
	if (begin(&p, g, x, y, o))
		return axt_node_failed(g);
	e = mean_of_product(&p, p.x, p.y);
	if (o->ddof != 0 && !axt_bad(e)) {
		struct axt_reduce_opts count = { .over = p.how.over, .nan = p.how.nan };

		snprintf(ddof, sizeof(ddof), "%.17g", o->ddof);
		n = axt_cast_dtype(g,
		    axt_reduce_grouped(g, AXT_RED_COUNT, axt_map2(g, AXT_OP_MUL, p.x, p.y), &count,
			NULL),
		    AXT_F64, AXT_OVERFLOW_ERROR);
		e = axt_map2(g, AXT_OP_MUL, e,
		    axt_map2(g, AXT_OP_DIV, n, axt_map2(g, AXT_OP_SUB, n, axt_number(g, ddof))));
	}
	return finish(&p, e, AXT_OP_MUL, x, y, o);
}

struct axt_expr *
axt_corr(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o)
{
	static const struct axt_reduce_opts plain = { 0 };
	struct axt_expr *e;
	struct pair p = { .scale = true };

	o = o ? o : &plain;
	if (begin(&p, g, x, y, o))
		return axt_node_failed(g);
	e = axt_map1(g, AXT_OP_SQRT,
	    axt_map2(g, AXT_OP_MUL, mean_of_product(&p, p.x, p.x), mean_of_product(&p, p.y, p.y)));
	e = axt_map2(g, AXT_OP_DIV, mean_of_product(&p, p.x, p.y), e);
	/* rounding may go beyond 1 */
	return finish(&p, axt_clip(g, e, axt_number(g, "-1"), axt_number(g, "1")), AXT_OP_DIV, x, x,
	    o);
}

/* ---- the operation ---- */

struct cov {
	const char *to, *over;
	bool skip_nan, keep_nan;
	double ddof;
	struct axt_expr *weights;
	enum axt_dtype dtype;
};

#define AXES                                                                                      \
	AXT_AXES_OF(struct cov, to, "axes to keep, in the result's order ('': none)"),            \
	    AXT_AXES_OF(struct cov, over, "axes to reduce over (default: all)"),                  \
	    AXT_FLAG_OF(struct cov, skip_nan, "leave pairs with NaN out", .excludes = "keep_nan", \
		.opposite = "keep_nan", .was = "skipnan"),                                        \
	    AXT_FLAG_OF(struct cov, keep_nan,                                                     \
		"NaN is a value, also where a tensor declares missing values")
#define WEIGHTS                                                                           \
	AXT_TENSOR_OF(struct cov, weights, "weights, broadcast by name", .arg = "W|area", \
	    .flags = AXT_PARAM_AREA),                                                     \
	    AXT_DTYPE_OF(struct cov, dtype, "the dtype of the result, and of sums that make it")

static const struct axt_param params[] = {
	AXES,
	AXT_NUMBER_OF(struct cov, ddof, INT64_MIN,
	    "divide by count - N (default 1; 0 with weights)", .arg = "N", .number = NAN),
	WEIGHTS,
	AXT_PARAMS_END,
};

static const struct axt_param without_ddof[] = { AXES, WEIGHTS, AXT_PARAMS_END };

static struct axt_reduce_opts
opts(const struct cov *o, double ddof)
{
	return (struct axt_reduce_opts){ .to = o->to,
		.over = o->over,
		.nan = o->skip_nan - o->keep_nan,
		.ddof = ddof,
		.weights = o->weights,
		.dtype = o->dtype };
}

static struct axt_expr *
cov(struct axt_graph *g, const struct axt_call *c)
{
	const struct cov *o = AXT_VALUES(struct cov, c);
	struct axt_reduce_opts how = opts(o, isnan(o->ddof) ? !o->weights : o->ddof);

	return axt_cov(g, c->in[0], c->in[1], &how);
}

/* A correlation has no use for ddof. */
static struct axt_expr *
corr(struct axt_graph *g, const struct axt_call *c)
{
	struct axt_reduce_opts how = opts(AXT_VALUES(struct cov, c), 0);

	return axt_corr(g, c->in[0], c->in[1], &how);
}

const struct axt_operation axt_operation_cov = {
	.name = "cov",
	.line = "covariance of two tensors over axes",
	.operands = "X Y",
	.params = params,
	.size = sizeof(struct cov),
	.flags = AXT_OPERATION_COMMUTES | AXT_OPERATION_MEET,
	.build = cov,
};

const struct axt_operation axt_operation_corr = {
	.name = "corr",
	.line = "correlation of two tensors over axes",
	.operands = "X Y",
	.params = without_ddof,
	.size = sizeof(struct cov),
	.flags = AXT_OPERATION_COMMUTES | AXT_OPERATION_MEET,
	.build = corr,
};
