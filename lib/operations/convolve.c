/*
 * convolve.c - convolution with a kernel: sums of elements around each one, times weights. It is
 * built of padding, windows, products and sums, which run as one kernel.
 */
#include <inttypes.h>
#include <math.h>

#include "base/quote.h"
#include "graph/graph.h"
#include "axt_builds.h"
#include "axt_operation.h"

enum { SAME, VALID, FULL };
enum { CONSTANT = 1 }; /* among the borders */

#define LONGEST (1 << 24) /* elements of a kernel along an axis */
#define TRUNCATE 4        /* standard deviations behind which a Gaussian is cut off, as in SciPy */

struct convolve {
	struct axt_specs specs;
	struct axt_expr *kernel, *value;
	bool gaussian, skip_nan, keep_nan;
	int mode, border;
};

/* What is made of a tensor: the kernel along each of its axes. */
struct kernels {
	int64_t len[AXT_MAX_RANK]; /* how long it is; 0: there is none along the axis */
	double sigma[AXT_MAX_RANK];
};

/* What is beyond the ends where the border is constant. */
static double
beyond(const struct convolve *o)
{
	const struct axt_num *v = o->value ? &o->value->u.val.num : NULL;

	return !v ? 0 : v->is_int ? (double)v->i : v->f;
}

/* The dtype to compute in: f32 for 16-bit floats, which are rounded once, at the end. */
static enum axt_dtype
compute_dtype(enum axt_dtype d)
{
	return d == AXT_F16 || d == AXT_BF16       ? AXT_F32
	    : axt_dtypes[d].cls >= AXT_CLASS_FLOAT ? d
						   : AXT_F64;
}

/* Reads a spec "AXIS=WIDTH". */
static int
width(struct axt_graph *g, struct axt_expr *a, const char *spec, bool gaussian, struct kernels *k)
{
	char mark, *name;
	const char *rest = axt_view_spec(g, spec, "=", &mark, &name);
	struct axt_num x;
	int i = rest ? axt_view_find(g, a, name) : -1;
	double w;

	if (i < 0)
		return g->err.code;
	w = axt_parse_num(rest, &x) ? x.is_int ? (double)x.i : x.f : NAN;
	if (!(w > 0) || (!gaussian && w != rint(w)))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    gaussian ? "the standard deviation in \"%s\" is no number above 0"
			     : "the width in \"%s\" is no number of elements above 0",
		    axt_escape(g->m, spec));
	if ((gaussian ? 2 * TRUNCATE : 1) * w > LONGEST)
		return axt_fail(&g->err, AXT_E_LIMIT,
		    "the kernel of \"%s\" is longer than %d elements", axt_escape(g->m, spec),
		    LONGEST);
	k->sigma[i] = gaussian ? w : 0;
	k->len[i] = gaussian ? 2 * (int64_t)(TRUNCATE * w + .5) + 1 : (int64_t)w;
	return 0;
}

/* Finds the axes of a that a kernel has, by their names. */
static int
shape(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *kernel,
    struct kernels *k)
{
	for (int j = 0; j < kernel->axes.n; j++) {
		const struct axt_axis *axis = &kernel->axes.a[j];
		int i = axt_axes_find(&a->axes, axis);

		if (i < 0)
			return axt_fail(&g->err, AXT_E_AXES,
			    "the kernel %s has the axis \"%s\", which %s has not", kernel->from,
			    axt_escape(g->m, axis->name), a->from);
		if (axis->len == 0)
			return axt_fail(&g->err, AXT_E_ARG, "axis \"%s\" of the kernel %s is empty",
			    axt_escape(g->m, axis->name), kernel->from);
		k->len[i] = axis->len;
	}
	return 0;
}

/*
 * Makes a longer at both ends of axis i, so that all results along it are windows of n elements.
 * beyond: what is there where that is one value.
 */
static struct axt_expr *
padded(struct axt_graph *g, struct axt_expr *a, int i, int64_t n, const struct convolve *o,
    double beyond)
{
	static const char *const border[] = { "symmetric", "constant", "edge", "reflect", "wrap" };
	int64_t before = o->mode == FULL ? n - 1 : n / 2,
		after = o->mode == FULL ? n - 1 : n - 1 - before;
	char *spec;

	if (axt_bad(a) || o->mode == VALID)
		return a;
	spec = axt_sprintf(g->m, "%s=%" PRId64 ",%" PRId64, axt_axis_spell(g->m, &a->axes.a[i]),
	    before, after);
	if (!spec)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_pad(g, a, spec, border[o->border],
	    o->border == CONSTANT ? axt_const(g, a->dtype, beyond) : NULL);
}

/* Windows of n elements along axis i, which are along a new last axis. */
static struct axt_expr *
windows(struct axt_graph *g, struct axt_expr *a, int i, int64_t n)
{
	const struct axt_axis *axis = &a->axes.a[i];
	char *spec = NULL;

	for (int k = 0; !spec; k++) {
		const char *name = axt_sprintf(g->m, "kernel%d", k);

		if (!name)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		if (axt_axes_spelled(&a->axes, name) >= 0)
			continue;
		spec = axt_sprintf(g->m, "%s=%s:%" PRId64, axt_axis_spell(g->m, axis), name, n);
		if (!spec)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	}
	if (axis->len < n)
		return axt_graph_fail(g, AXT_E_ARG,
		    "axis \"%s\" has %" PRId64 " elements, and the kernel %" PRId64,
		    axt_escape(g->m, axis->name), axis->len, n);
	return axt_window(g, a, spec, AXT_WINDOW_MIDDLE);
}

/* The weights of a Gaussian along the last axis of a, which add up to 1. */
static struct axt_expr *
bell(struct axt_graph *g, const struct axt_expr *a, double sigma)
{
	struct axt_axes x = { .n = 1, .a = { a->axes.a[a->axes.n - 1] } };
	int64_t n = x.a[0].len;
	double *w = axt_alloc(g->m, (size_t)n * sizeof(*w)), sum = 0;
	float *narrow = (float *)w;

	for (int64_t i = 0; w && i < n; i++) {
		double d = (double)(i - n / 2) / sigma;

		w[i] = exp(-d * d / 2);
		sum += w[i];
	}
	for (int64_t i = 0; w && i < n; i++)
		if (a->dtype == AXT_F32)
			narrow[i] = (float)(w[i] / sum);
		else
			w[i] /= sum;
	return w ? axt_memory_leaf(g, a->dtype == AXT_F32 ? AXT_F32 : AXT_F64, &x, w)
		 : axt_graph_fail(g, AXT_E_MEM, "out of memory");
}

/* Means of a in windows, or sums of boxes, along one axis after another. */
static struct axt_expr *
smoothed(struct axt_graph *g, struct axt_expr *a, enum axt_red box, const struct kernels *k,
    const struct convolve *o, double beyond)
{
	int rank = a->axes.n;

	for (int i = 0; i < rank; i++) {
		struct axt_reduce_opts last = { .nan = -1 };
		struct axt_expr *w;

		if (k->len[i] < 2)
			continue;
		w = padded(g, a, i, k->len[i], o, beyond);
		w = axt_bad(w) ? w : windows(g, w, i, k->len[i]);
		if (axt_bad(w))
			return w;
		last.over = axt_axis_spell(g->m, &w->axes.a[rank]);
		a = k->sigma[i] > 0
		    ? axt_reduce(g, AXT_RED_SUM,
			  axt_map2(g, AXT_OP_MUL, w, bell(g, w, k->sigma[i])), &last)
		    : axt_reduce(g, box, w, &last);
		if (axt_bad(a))
			return a;
		if (k->sigma[i] == 0 &&
		    box == AXT_RED_SUM) /* of what is beyond the other axes, too */
			beyond *= (double)k->len[i];
	}
	return a;
}

/* Sums of the elements of a in windows, times those of the kernel, which is turned around. */
static struct axt_expr *
weighted(struct axt_graph *g, struct axt_expr *a, struct axt_expr *kernel, const struct convolve *o,
    double beyond)
{
	struct axt_axes x = kernel->axes;
	struct axt_buf over = { 0 };
	const char *names;

	for (int j = 0; j < x.n; j++)
		a = padded(g, a, axt_axes_find(&a->axes, &x.a[j]), x.a[j].len, o, beyond);
	for (int j = 0; j < x.n && !axt_bad(a); j++) {
		int64_t n = x.a[j].len;
		const struct axt_span back = { n - 1, -1, n };

		a = windows(g, a, axt_axes_find(&a->axes, &x.a[j]), n);
		if (axt_bad(a))
			return a;
		kernel = axt_view_axis(g, kernel, j, &back, 1, &kernel->axes.a[j]);
		x.a[j] = a->axes.a[a->axes.n - 1];
		axt_buf_addf(&over, "%s%s", j ? "," : "", axt_axis_spell(g->m, &x.a[j]));
	}
	names = axt_buf_text(g->m, &over);
	if (!names)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (axt_bad(a))
		return a;
	return axt_reduce(g, AXT_RED_SUM,
	    axt_map2(g, AXT_OP_MUL, a, axt_relabel(g, kernel, &x, axt_identity)),
	    &(struct axt_reduce_opts){ .over = names, .nan = -1 });
}

/*
 * The same where NaN are left out: the weights of the others are made larger, so that they add up
 * to what those of a whole window do.
 */
static struct axt_expr *
without_nan(struct axt_graph *g, struct axt_expr *a, struct axt_expr *kernel,
    const struct kernels *k, const struct convolve *o)
{
	double value = beyond(o), all = isnan(value) ? 0 : 1;
	struct axt_expr *nan = axt_map1(g, AXT_OP_ISNAN, a), *zero = axt_const(g, a->dtype, 0),
			*one = axt_const(g, a->dtype, 1), *sum;

	a = axt_where(g, nan, zero, a);
	one = axt_where(g, nan, zero, one);
	value = isnan(value) ? 0 : value;
	if (!kernel)
		return axt_map2(g, AXT_OP_DIV, smoothed(g, a, AXT_RED_SUM, k, o, value),
		    smoothed(g, one, AXT_RED_SUM, k, o, all));
	sum = weighted(g, a, kernel, o, value);
	kernel = axt_map1(g, AXT_OP_ABSOLUTE, kernel);
	return axt_map2(g, AXT_OP_DIV, sum,
	    axt_map2(g, AXT_OP_DIV, weighted(g, one, kernel, o, all),
		axt_reduce(g, AXT_RED_SUM, kernel, &(struct axt_reduce_opts){ .nan = -1 })));
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct convolve *o = AXT_VALUES(struct convolve, c);
	struct axt_expr *a = c->in[0], *kernel = o->kernel, *e;
	struct kernels k = { 0 };

	if (axt_refused(g, a) || (kernel && axt_refused(g, kernel)))
		return axt_node_failed(g);
	for (int i = 0; i < o->specs.n; i++)
		if (width(g, a, o->specs.word[i], o->gaussian, &k))
			return axt_node_failed(g);
	if (kernel && shape(g, a, kernel, &k))
		return axt_node_failed(g);
	e = axt_cast_dtype(g, a, compute_dtype(a->dtype), AXT_OVERFLOW_ERROR);
	if (axt_bad(e))
		return e;
	if (o->skip_nan || (a->meta->missing && !o->keep_nan))
		e = without_nan(g, e, kernel, &k, o);
	else
		e = kernel ? weighted(g, e, kernel, o, beyond(o))
			   : smoothed(g, e, AXT_RED_MEAN, &k, o, beyond(o));
	if (axt_bad(e))
		return e;
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT && !kernel)
		e = axt_conv(g, e, a->dtype, AXT_OVERFLOW_ERROR);
	if (o->mode != SAME)
		return e;
	e = axt_relabel(g, e, &a->axes, axt_identity);
	axt_dress(g, &e, a);
	return e;
}

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct convolve, "AXIS=WIDTH", 0,
	    "means of so many elements along an axis, or with gaussian of that deviation"),
	AXT_TENSOR_OF(struct convolve, kernel, "a tensor with the weights, whose axes A has",
	    .flags = AXT_PARAM_INSTEAD, .excludes = "specs"),
	AXT_FLAG_OF(struct convolve, gaussian, "weights of a bell of that standard deviation",
	    .excludes = "kernel"),
	AXT_CHOICE_OF(struct convolve, mode, "same|valid|full",
	    "as many results as elements (default), none or all that need more than there is"),
	AXT_CHOICE_OF(struct convolve, border, "symmetric|constant|edge|reflect|wrap",
	    "what is beyond the ends: as in axt-pad (default: mirrored with the outermost)",
	    .excludes = "mode=valid"),
	AXT_VALUE_OF(struct convolve, value, "what is beyond the ends", .text = "0",
	    .needs = "border=constant"),
	AXT_FLAG_OF(struct convolve, skip_nan, "leave NaN out, with larger weights of the others",
	    .excludes = "keep_nan", .opposite = "keep_nan"),
	AXT_FLAG_OF(struct convolve, keep_nan,
	    "NaN where one takes part (default, unless declared)", .excludes = "skip_nan"),
	AXT_PARAMS_END,
};

const struct axt_operation axt_operation_convolve = {
	.name = "convolve",
	.line = "smooth along axes, or filter with a kernel",
	.operands = "A",
	.two = "axt-convolve --kernel B A takes B as the kernel",
	.params = params,
	.size = sizeof(struct convolve),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
