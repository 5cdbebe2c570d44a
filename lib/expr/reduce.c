/* reduce.c - reduction nodes. */
#include "expr/expr.h"

/*
 * Removes the axis of groups from the axes that are kept, and returns where it stood, or -1 if it
 * is not among them.
 */
static int
take_out(struct axt_axes *to, const struct axt_axis *axis)
{
	int at = axt_axes_find(to, axis);

	for (int i = at; at >= 0 && i < to->n - 1; i++)
		to->a[i] = to->a[i + 1];
	to->n -= at >= 0;
	return at;
}

static int
parse_lists(struct axt_graph *g, const struct axt_expr *a, const struct axt_reduce_opts *o,
    const struct axt_groups *by, struct axt_expr *e)
{
	struct axt_axes to, over;
	const struct axt_axes *t = NULL, *v = NULL;

	if (o->to) {
		if (axt_axes_parse(g->m, o->to, false, &to, NULL, &g->err))
			return g->err.code;
		t = &to;
		if (by)
			e->u.red.group = take_out(&to, &by->axis);
	}
	if (o->over) {
		if (axt_axes_parse(g->m, o->over, false, &over, NULL, &g->err))
			return g->err.code;
		v = &over;
	}
	return axt_axes_reduce(g->m, &a->axes, t, v, e->u.red.kept, &e->u.red.nkept, &g->err);
}

/* The dtype of a reduction of values of dtype t; false when there is none. */
static bool
result_dtype(enum axt_red op, enum axt_dtype t, bool skip, bool weighted, enum axt_dtype *res)
{
	if (!axt_red_selects(op))
		return axt_kern_red(op, t, skip, weighted, res) != NULL;
	*res = axt_dtypes[t].cls < AXT_CLASS_FLOAT ? AXT_F64 : t;
	return !axt_is_complex(t);
}

/* Fails for reductions such as min, which have no value for no elements. */
static int
check_empty(struct axt_graph *g, enum axt_red op, const struct axt_expr *a,
    const struct axt_expr *e)
{
	if (axt_reds[op].empty_ok || axt_count(e) == 0)
		return 0;
	for (int i = 0; i < a->axes.n; i++)
		if (a->axes.a[i].len == 0 && axt_axes_find(&e->axes, &a->axes.a[i]) < 0)
			return axt_fail(&g->err, AXT_E_ARG,
			    "%s over the empty axis \"%s\" of %s has no value", axt_reds[op].name,
			    axt_escape(g->m, a->axes.a[i].name), a->from);
	return 0;
}

static int
add_weights(struct axt_graph *g, struct axt_expr *e, struct axt_expr *a, struct axt_expr *w)
{
	struct axt_axes x;

	if (axt_refused(g, w))
		return g->err.code;
	if (axt_is_complex(w->dtype) || axt_is_complex(a->dtype))
		return axt_fail(&g->err, AXT_E_DTYPE,
		    "weights are not defined for complex tensors");
	if (axt_meet(g, a, w, &x))
		return g->err.code;
	if (x.n > a->axes.n)
		return axt_lacks(g, a, "weights", &x.a[a->axes.n]);
	e->arg[1] = axt_conv(g, w, AXT_F64, AXT_OVERFLOW_ERROR);
	e->nargs = 2;
	return g->err.code;
}

/*
 * Where the axis of groups goes by default: before the first kept axis of the operand that is
 * behind the axis of the labels.
 */
static int
own_place(const struct axt_expr *a, const struct axt_expr *e, const struct axt_groups *by)
{
	int of = by->of->axes.n ? axt_axes_find(&a->axes, &by->of->axes.a[0]) : 0, i;

	for (i = 0; i < e->u.red.nkept && e->u.red.kept[i] < of; i++)
		;
	return i;
}

/* The hint names the axes that are reduced, with those of the labels. */
static int
kept_axis(struct axt_graph *g, const struct axt_expr *e, const struct axt_expr *a,
    const struct axt_groups *by, const struct axt_axis *kept)
{
	const char *over = NULL;
	bool last = axt_meets_first(by->of, a);

	axt_fail(&g->err, AXT_E_AXES,
	    "the axis \"%s\" of the labels%s%s%s is kept: it has to be reduced",
	    axt_escape(g->m, kept->name), by->of->from ? " (" : "",
	    by->of->from ? axt_escape(g->m, by->of->from) : "", by->of->from ? ")" : "");
	axt_about(&g->err, AXT_LEFT_OUT, axt_axis_spell(g->m, kept), a->from);
	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&e->axes, &a->axes.a[i]) < 0 ||
		    axt_axes_find(&by->of->axes, &a->axes.a[i]) >= 0)
			over = axt_sprintf(g->m, "%s%s%s", over ? over : "--over", over ? "," : " ",
			    axt_axis_spell(g->m, &a->axes.a[i]));
	for (int i = a->axes.n - by->of->axes.n; last && i < a->axes.n; i++)
		last = axt_axes_find(&e->axes, &a->axes.a[i]) < 0;
	if (last)
		axt_hint_meet(g, 2, (struct axt_expr *[]){ (struct axt_expr *)a, by->of });
	axt_hint(&g->err, "%s", over);
	return g->err.code;
}

/* Adds the axis of groups to the result's axes, at its place. */
static int
add_groups(struct axt_graph *g, struct axt_expr *e, struct axt_expr *a, const struct axt_groups *by)
{
	struct axt_axes x;
	int at = e->u.red.group;

	if (axt_bad(by->of))
		return g->err.code;
	if (axt_meet(g, a, by->of, &x))
		return g->err.code;
	if (x.n > a->axes.n)
		return axt_lacks(g, a, "labels", &x.a[a->axes.n]);
	if (e->axes.n == AXT_MAX_RANK)
		return axt_fail(&g->err, AXT_E_LIMIT, "the result has more than %d axes",
		    AXT_MAX_RANK);
	for (int i = 0; (by->of->kind == AXT_NODE_LEAF || by->place < 0) && i < by->of->axes.n; i++)
		if (axt_axes_find(&e->axes, &by->of->axes.a[i]) >= 0)
			return kept_axis(g, e, a, by, &by->of->axes.a[i]);
	at = at >= 0 ? at : by->place >= 0 ? MIN(by->place, e->axes.n) : own_place(a, e, by);
	for (int i = e->axes.n++; i > at; i--)
		e->axes.a[i] = e->axes.a[i - 1];
	e->axes.a[at] = by->axis;
	e->u.red.group = at;
	e->arg[e->nargs++] = by->of;
	if (axt_axes_check_unique(g->m, &e->axes, &g->err))
		return g->err.code;
	return axt_count(e) >= 0
	    ? 0
	    : axt_fail(&g->err, AXT_E_LIMIT, "the result has more than 2^63 elements");
}

/*
 * Whether sums or products of integers may not fit in 64 bits. Sums of fewer than 2^31 integers of
 * 32 bits fit, and so do sums of as many squares of 16 bits, so these are taken to fit.
 */
static bool
may_wrap(enum axt_red op, enum axt_dtype d)
{
	size_t size = axt_size(d);

	switch (op) {
	case AXT_RED_SUM:
	case AXT_RED_NORM1: return size == 8;
	case AXT_RED_SUMSQ: return size >= 4;
	case AXT_RED_PROD: return d != AXT_BOOL;
	default: return false;
	}
}

struct axt_expr *
axt_as_added(struct axt_graph *g, enum axt_red op, struct axt_expr *a, enum axt_dtype d)
{
	bool integers = axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT;

	return integers && axt_dtypes[d].cls == AXT_CLASS_FLOAT && may_wrap(op, a->dtype)
	    ? axt_conv(g, a, AXT_F64, AXT_OVERFLOW_ERROR)
	    : a;
}

/*
 * Whether the reduction of complex numbers is made of reductions of real ones: of the absolute
 * values, of both parts, or of whether an element is NaN or 0.
 */
static bool
by_parts(enum axt_red op)
{
	return op == AXT_RED_NORM1 || op == AXT_RED_NORM2 || op == AXT_RED_SUMSQ ||
	    op == AXT_RED_RMS || op == AXT_RED_VAR || op == AXT_RED_STD || op == AXT_RED_COUNT ||
	    op == AXT_RED_ANY || op == AXT_RED_ALL;
}

/* A part of a, real or imaginary; NaN where either part of an element is. */
static struct axt_expr *
known_part(struct axt_graph *g, enum axt_op part, struct axt_expr *a)
{
	return axt_where(g, axt_map1(g, AXT_OP_ISNAN, a), axt_number(g, "nan"),
	    axt_map1(g, part, a));
}

/*
 * The variance of complex numbers, mean(|a - mean|^2), which is the sum of the variances of both
 * parts. It is computed in f64, since f32 may not hold the square whose root is the standard
 * deviation.
 */
static struct axt_expr *
spread(struct axt_graph *g, enum axt_red op, struct axt_expr *a, const struct axt_reduce_opts *o,
    const struct axt_groups *by, enum axt_dtype d)
{
	struct axt_reduce_opts how = *o;
	struct axt_expr *e;

	how.dtype = AXT_F64;
	e = axt_map2(g, AXT_OP_ADD,
	    axt_reduce_grouped(g, AXT_RED_VAR, known_part(g, AXT_OP_REAL, a), &how, by),
	    axt_reduce_grouped(g, AXT_RED_VAR, known_part(g, AXT_OP_IMAG, a), &how, by));
	return axt_conv(g, op == AXT_RED_STD ? axt_map1(g, AXT_OP_SQRT, e) : e, d,
	    AXT_OVERFLOW_ERROR);
}

/* A reduction of complex numbers that by_parts allows; its attributes are those of |a|. */
static struct axt_expr *
of_parts(struct axt_graph *g, enum axt_red op, struct axt_expr *a, const struct axt_reduce_opts *o,
    const struct axt_groups *by)
{
	struct axt_expr *like = axt_reduce_grouped(g, op, axt_map1(g, AXT_OP_ABSOLUTE, a), o, by),
			*e = like;

	if (axt_bad(like))
		return like;
	if (op == AXT_RED_VAR || op == AXT_RED_STD)
		e = spread(g, op, a, o, by, like->dtype);
	else if (op == AXT_RED_COUNT)
		e = axt_reduce_grouped(g, op, known_part(g, AXT_OP_REAL, a), o, by);
	else if (op == AXT_RED_ANY || op == AXT_RED_ALL)
		e = axt_reduce_grouped(g, op, axt_map2(g, AXT_OP_NE, a, axt_number(g, "0")), o, by);
	axt_dress(g, &e, like);
	return e;
}

/* Whether NaN does not count, as asked for or as a declares missing values. */
static bool
skips(const struct axt_reduce_opts *o, const struct axt_expr *a)
{
	return o->nan > 0 || (o->nan == 0 && a->meta->missing);
}

/*
 * A sum, product or mean of complex numbers in which NaN does not count. NaN is replaced by 0 (1 in
 * a product), and the mean is the sum divided by the number of other elements. A result with no
 * other elements is NaN, as for real numbers.
 */
static struct axt_expr *
of_known(struct axt_graph *g, enum axt_red op, struct axt_expr *a, const struct axt_reduce_opts *o,
    const struct axt_groups *by)
{
	struct axt_reduce_opts all = *o, how = *o;
	struct axt_expr *like, *known, *e;

	all.nan = -1;
	how.dtype = 0;
	like = axt_reduce_grouped(g, op, a, &all, by);
	known = axt_reduce_grouped(g, AXT_RED_COUNT, a, &how, by);
	e = axt_where(g, axt_map1(g, AXT_OP_ISNAN, a),
	    axt_number(g, op == AXT_RED_PROD ? "1" : "0"), a);
	e = axt_reduce_grouped(g, op == AXT_RED_MEAN ? AXT_RED_SUM : op, e, &all, by);
	e = op == AXT_RED_MEAN ? axt_map2(g, AXT_OP_DIV, e, known)
			       : axt_where(g, known, e, axt_number(g, "nan"));
	if (axt_bad(e) || axt_bad(like))
		return axt_bad(e) ? e : like;
	e = axt_conv(g, e, like->dtype, AXT_OVERFLOW_ERROR);
	axt_dress(g, &e, like);
	return e;
}

/* Fails where the reduction does not take what is asked of it. */
static int
check_options(struct axt_graph *g, enum axt_red op, const struct axt_reduce_opts *o, double q)
{
	if (!(q >= 0 && q <= 1))
		return axt_fail(&g->err, AXT_E_ARG, "a quantile lies between 0 and 1, not at %g",
		    q);
	if ((int)o->method < 0 || o->method >= AXT_QUANTILES)
		return axt_fail(&g->err, AXT_E_ARG, "no such method of quantiles");
	if (o->weights && !axt_reds[op].weighted)
		return axt_fail(&g->err, AXT_E_ARG, "%s takes no weights", axt_reds[op].name);
	if (o->weights && o->ddof != 0)
		return axt_fail(&g->err, AXT_E_ARG, "weights and a ddof do not go together");
	if (o->ddof != 0 && !axt_reds[op].ddof)
		return axt_fail(&g->err, AXT_E_ARG, "%s takes no ddof", axt_reds[op].name);
	return 0;
}

struct axt_expr *
axt_reduce_grouped(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o, const struct axt_groups *by)
{
	static const struct axt_reduce_opts plain = { 0 };
	struct axt_expr *e;
	enum axt_dtype res;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	o = o ? o : &plain;
	if (axt_is_complex(a->dtype) && by_parts(op))
		return of_parts(g, op, a, o, by);
	if (axt_is_complex(a->dtype) && skips(o, a) && !o->weights &&
	    (op == AXT_RED_SUM || op == AXT_RED_PROD || op == AXT_RED_MEAN))
		return of_known(g, op, a, o, by);
	e = axt_node(g, AXT_NODE_REDUCE, a->dtype);
	if (axt_bad(e))
		return e;
	if ((int)op < 0 || op >= AXT_NREDS)
		return axt_graph_fail(g, AXT_E_ARG, "no such reduction");
	e->from = a->from;
	e->u.red.op = op;
	e->u.red.group = -1;
	e->u.red.ddof = o->ddof;
	e->u.red.q = op == AXT_RED_QUANTILE ? o->q : 0.5;
	e->u.red.method = op == AXT_RED_QUANTILE ? (int)o->method : AXT_LINEAR;
	e->u.red.skip = skips(o, a);
	if (axt_dtypes[a->dtype].cls != AXT_CLASS_FLOAT)
		e->u.red.skip = false;
	if (check_options(g, op, o, e->u.red.q))
		return axt_node_failed(g);
	if (!result_dtype(op, a->dtype, e->u.red.skip, o->weights != NULL, &res))
		return axt_undefined(g, axt_reds[op].name, a);
	e->dtype = res;
	e->nargs = 1;
	e->arg[0] = axt_as_added(g, op, a, o->dtype);
	if (axt_bad(e->arg[0]))
		return e->arg[0];
	if (o->dtype) {
		if (axt_is_complex(e->dtype) != axt_is_complex(o->dtype))
			return axt_graph_fail(g, AXT_E_DTYPE, "%s of %s cannot be %s",
			    axt_reds[op].name, axt_dtypes[a->dtype].name,
			    axt_dtypes[o->dtype].name);
		e->dtype = o->dtype;
	}
	if (parse_lists(g, a, o, by, e))
		return axt_node_failed(g);
	e->axes.n = e->u.red.nkept;
	for (int i = 0; i < e->axes.n; i++)
		e->axes.a[i] = a->axes.a[e->u.red.kept[i]];
	if ((o->weights && add_weights(g, e, a, o->weights)) || (by && add_groups(g, e, a, by)) ||
	    check_empty(g, op, a, e))
		return axt_node_failed(g);
	axt_mark_first(e, e->nargs, e->arg);
	e->meta = axt_meta_reduce(g, op, a, e);
	return e->meta ? e : axt_node_failed(g);
}

static const char *
op_name(int op)
{
	return axt_reds[op].name;
}

static bool
fields(struct axt_fields *f, struct axt_expr *e)
{
	if (!axt_field_axes(f, "kept=", e->u.red.kept, &e->u.red.nkept, e->arg[0]->axes.n) ||
	    !axt_field_flag(f, "skip=", &e->u.red.skip) ||
	    !axt_field_real(f, "ddof=", &e->u.red.ddof) ||
	    (axt_red_selects(e->u.red.op) && !axt_field_real(f, "q=", &e->u.red.q)))
		return false;
	if (f->has(f, "method=", e->u.red.method != AXT_LINEAR) &&
	    !axt_field_int(f, "method=", &e->u.red.method, 0, AXT_QUANTILES - 1))
		return false;
	if (f->has(f, "group=", e->u.red.group >= 0))
		return axt_field_int(f, "group=", &e->u.red.group, 0, e->axes.n - 1);
	if (e->u.red.group >= 0) /* a draft's axes have it already */
		e->u.red.group = -1;
	return true;
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	bool grouped = d->u.red.group >= 0;
	struct axt_expr *a = d->arg[0], *w = d->nargs > 1 + grouped ? d->arg[1] : NULL;
	struct axt_groups by = { .of = d->arg[d->nargs - 1], .place = d->u.red.group };

	if (d->nargs != 1 + (w != NULL) + grouped || (w && w->dtype != AXT_F64) ||
	    (grouped && by.of->dtype != AXT_I32))
		return NULL;
	if (grouped)
		by.axis = d->axes.a[d->u.red.group];
	return axt_reduce_grouped(g, d->u.red.op, a,
	    &(struct axt_reduce_opts){ .dtype = d->dtype,
		.weights = w,
		.nan = d->u.red.skip ? 1 : -1,
		.ddof = d->u.red.ddof,
		.q = axt_red_selects(d->u.red.op) ? d->u.red.q : 0,
		.method = (enum axt_quantile)d->u.red.method,
		.to = axt_axes_typed(g->m, &a->axes, d->u.red.kept, d->u.red.nkept) },
	    grouped ? &by : NULL);
}

const struct axt_node_kind axt_node_reduce = { .min_args = 1,
	.max_args = 3,
	.op = offsetof(struct axt_expr, u.red.op),
	.nops = AXT_NREDS,
	.op_name = op_name,
	.fields = fields,
	.build = build,
	.works = true,
	.does = axt_does_compute };
