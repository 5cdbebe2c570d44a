/* map.c - elementwise nodes: their dtype, which numbers take from the tensor, and their axes. */
#include <limits.h>
#include <strings.h>

#include "expr/expr.h"

/*
 * An operation on at least so many arguments is one node that folds them; one on fewer is a chain
 * of nodes, each of which can be fused with what uses it.
 */
#define FOLDED 16

/* The complex dtype whose parts hold values of dtype d. */
static enum axt_dtype
complex_of(enum axt_dtype d)
{
	return d == AXT_C64 || (axt_dtypes[d].cls == AXT_CLASS_FLOAT && d != AXT_F64) ? AXT_C64
										      : AXT_C128;
}

/*
 * Finds the dtype that all of a[0..n) are computed in, by NumPy's promotion. Numbers typed without
 * a dtype count only if there is no tensor.
 */
int
axt_common_dtype(struct axt_graph *g, int n, struct axt_expr *const a[], enum axt_dtype *out)
{
	enum axt_dtype t = AXT_DTYPE_AUTO, w;

	for (int i = 0; i < n; i++)
		if (!axt_is_weak(a[i]))
			t = t ? axt_promote(t, a[i]->dtype) : a[i]->dtype;
	if (!t) { /* there are only typed numbers */
		for (int i = 0; i < n; i++)
			t = t ? axt_promote(t, a[i]->dtype) : a[i]->dtype;
		*out = t;
		return 0;
	}
	w = t;
	for (int i = 0; i < n; i++) {
		enum axt_dtype d;

		if (!axt_is_weak(a[i]))
			continue;
		if (axt_is_complex(a[i]->dtype))
			d = complex_of(t);
		else if (axt_weak(&a[i]->u.val.num, t, &d, &g->err))
			return g->err.code;
		w = axt_promote(w, d);
	}
	*out = w;
	return 0;
}

/* a as an argument of dtype d; a weak number is stored in d exactly or not at all. */
struct axt_expr *
axt_argument(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d)
{
	struct axt_expr *c;

	if (!axt_is_weak(a) || (axt_is_complex(a->dtype) && !axt_is_complex(d)))
		return axt_conv(g, a, d, AXT_OVERFLOW_ERROR);
	c = axt_node(g, AXT_NODE_CONST, d);
	if (axt_bad(c))
		return c;
	if (axt_is_complex(a->dtype)) {
		int64_t bad = -1;

		c->u.val = a->u.val;
		if (d != a->dtype)
			axt_kern_conv(d, a->dtype, AXT_OVERFLOW_ERROR)(c->u.val.bytes,
			    a->u.val.bytes, 1, &bad);
		c->u.val.weak = false;
		return c;
	}
	c->meta = a->meta;
	c->u.val.num = a->u.val.num;
	if (!axt_num_store(&a->u.val.num, d, c->u.val.bytes))
		return axt_too_big(g, a->u.val.num.f, d);
	return c;
}

/*
 * Which of the arguments of `where`, a condition and two values, has the most axes, because its
 * order of axes is kept. If several have as many, the first value comes first, then the second,
 * then the condition.
 */
static int
most_axes(struct axt_expr *const a[3])
{
	int most = 1;

	for (int i = 2; i < 4; i++)
		if (a[i % 3]->axes.n > a[most]->axes.n)
			most = i % 3;
	return most;
}

/* Sets the axes and the meta of a node. a[] are its arguments as the caller gave them. */
static struct axt_expr *
finished(struct axt_graph *g, struct axt_expr *e, struct axt_expr *const a[])
{
	int first = e->u.op == AXT_OP_WHERE ? most_axes(a) : 0;

	for (int i = 0; i < e->nargs; i++) {
		const struct axt_expr *next = a[(i + first) % e->nargs];

		e->flat = e->flat || a[i]->flat;
		e->concats = e->concats || a[i]->concats;
		if (axt_axes_union(g->m, &e->axes, &next->axes, &g->join, &e->axes, &g->err)) {
			axt_hint_meet(g, e->nargs, a);
			return axt_node_failed(g);
		}
	}
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	if (e->nargs == 1)
		e->from = a[0]->from;
	axt_mark_outer(e, e->nargs, a);
	axt_mark_first(e, e->nargs, a);
	e->meta = axt_meta_map(g, e->u.op, e->nargs, a, e);
	return e->meta ? e : axt_node_failed(g);
}

static struct axt_expr *
undefined(struct axt_graph *g, enum axt_op op, enum axt_dtype t, const char *from)
{
	axt_fail(&g->err, AXT_E_DTYPE, "%s is not defined for %s (%s)", axt_ops[op].name,
	    axt_dtypes[t].name, from);
	axt_about(&g->err, AXT_OTHER_DTYPE, axt_dtypes[t].name, from);
	if (t == AXT_BOOL)
		axt_hint(&g->err,
		    "axt-cast --dtype i8 makes 0 and 1 of it, in axt-calc cast(a, i8)%s",
		    op == AXT_OP_SUB ? "; axt-ne tells where two of them differ" : "");
	return axt_node_failed(g);
}

static struct axt_expr *
map_node(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_op_types ty;
	struct axt_expr *e;
	enum axt_dtype t = AXT_F64;
	int first = op == AXT_OP_WHERE; /* its condition takes no part in promotion */

	if (axt_common_dtype(g, n - first, a + first, &t))
		return axt_node_failed(g);
	if (!axt_op_types(op, t, &ty))
		return undefined(g, op, t, a[first]->from);
	e = axt_node(g, AXT_NODE_MAP, ty.res);
	if (axt_bad(e))
		return e;
	e->u.op = op;
	e->nargs = n;
	for (int i = 0; i < n; i++) {
		e->arg[i] = axt_argument(g, a[i], i < first ? AXT_BOOL : ty.comp);
		if (axt_bad(e->arg[i]))
			return e->arg[i];
	}
	return finished(g, e, a);
}

/*
 * Compares signed integers with u64. Promotion gives f64, which would not compare exactly. So
 * signed values below zero are decided by their sign, and the others are compared as u64.
 */
static struct axt_expr *
compare_exactly(struct axt_graph *g, enum axt_op op, struct axt_expr *a, struct axt_expr *b)
{
	static const enum axt_op flip[] = { [AXT_OP_EQ] = AXT_OP_EQ,
		[AXT_OP_NE] = AXT_OP_NE,
		[AXT_OP_LT] = AXT_OP_GT,
		[AXT_OP_LE] = AXT_OP_GE,
		[AXT_OP_GT] = AXT_OP_LT,
		[AXT_OP_GE] = AXT_OP_LE };
	bool swap = a->dtype == AXT_U64;
	struct axt_expr *s = swap ? b : a, *zero = axt_number(g, "0"), *u, *arg[2];
	enum axt_op o = swap ? flip[op] : op;
	bool if_negative = o == AXT_OP_NE || o == AXT_OP_LT || o == AXT_OP_LE;

	arg[swap] = axt_conv(g, s, AXT_U64, AXT_OVERFLOW_WRAP);
	arg[!swap] = swap ? a : b;
	if (axt_bad(arg[0]) || axt_bad(arg[1]))
		return axt_node_failed(g);
	u = map_node(g, op, 2, arg);
	return axt_map2(g, if_negative ? AXT_OP_OR : AXT_OP_AND, u,
	    axt_map2(g, if_negative ? AXT_OP_LT : AXT_OP_GE, s, zero));
}

static bool
mixed_sign64(const struct axt_expr *a, const struct axt_expr *b)
{
	return !axt_is_weak(a) && !axt_is_weak(b) && b->dtype == AXT_U64 &&
	    axt_dtypes[a->dtype].cls == AXT_CLASS_INT;
}

/*
 * x as it is compared with y. A typed number that y's integer dtype does not hold, as 300 beside
 * u8, is i64 instead, so that the comparison has an answer.
 */
static struct axt_expr *
compared(struct axt_graph *g, struct axt_expr *x, const struct axt_expr *y)
{
	enum axt_class cls = axt_dtypes[y->dtype].cls;
	uint64_t bits;

	if (!axt_is_weak(x) || axt_is_weak(y) || (cls != AXT_CLASS_INT && cls != AXT_CLASS_UINT) ||
	    !x->u.val.num.is_int || axt_num_store(&x->u.val.num, y->dtype, &bits) ||
	    !axt_num_store(&x->u.val.num, AXT_I64, &bits))
		return x;
	return axt_argument(g, x, AXT_I64);
}

static struct axt_expr *
fixed_arity(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_expr *both[2];

	if (n == 2 && axt_ops[op].compare && op >= AXT_OP_EQ && op <= AXT_OP_GE) {
		both[0] = compared(g, a[0], a[1]);
		both[1] = compared(g, a[1], a[0]);
		if (axt_bad(both[0]) || axt_bad(both[1]))
			return axt_node_failed(g);
		a = both;
	}
	if (n == 2 && axt_ops[op].compare && op >= AXT_OP_EQ && op <= AXT_OP_GE &&
	    (mixed_sign64(a[0], a[1]) || mixed_sign64(a[1], a[0])))
		return compare_exactly(g, op, a[0], a[1]);
	return map_node(g, op, n, a);
}

/* Whether an operation on n arguments, taken from left to right, stays in one dtype. */
static bool
folds(enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_op_types ty;

	if (!axt_op_types(op, a[0]->dtype, &ty) || ty.res != a[0]->dtype)
		return false;
	for (int i = 0; i < n; i++)
		if (axt_is_weak(a[i]) || a[i]->dtype != a[0]->dtype)
			return false;
	return true;
}

/* Makes one node of many arguments, which a step reads at once. */
static struct axt_expr *
fold(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_expr *e = axt_node(g, AXT_NODE_MAP, a[0]->dtype);

	if (axt_bad(e) || !(e->arg = axt_alloc(g->m, (size_t)n * sizeof(*e->arg))))
		return axt_node_failed(g);
	e->u.op = op;
	e->nargs = n;
	memcpy(e->arg, a, (size_t)n * sizeof(*e->arg));
	return finished(g, e, a);
}

/* The operation on arguments whose numbers are taken as they are, whatever units they have. */
static struct axt_expr *
on_numbers(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	int arity = axt_ops[op].arity;
	struct axt_expr *e;

	if (n == arity)
		return fixed_arity(g, op, n, a);
	if (n >= FOLDED && axt_ops[op].nary && folds(op, n, a))
		return fold(g, op, n, a);
	if (!axt_ops[op].nary || n < 1)
		return axt_graph_fail(g, AXT_E_ARG, "%s takes %d operands, not %d",
		    axt_ops[op].name, arity, n);
	e = a[0];
	for (int i = 1; i < n && !axt_bad(e); i++)
		e = fixed_arity(g, op, 2, (struct axt_expr *[]){ e, a[i] });
	return e;
}

/*
 * Fails, and returns true, if the duration cannot be added to the times: months have no fixed
 * length in days, and dates that are numbers, as 20010116.5, count nothing.
 */
static bool
is_months_apart(struct axt_graph *g, const struct axt_expr *time, const struct axt_expr *duration,
    const char *u)
{
	const char *v = axt_attr_text(duration->meta->attrs, "units");
	struct axt_cftime t = { 0 };
	bool steps = !axt_units_differ(v, "month") || !axt_units_differ(v, "year");

	axt_attrs_time(time->meta->attrs, &t);
	if (g->units == AXT_UNITS_IGNORE ||
	    (t.months != AXT_CFTIME_NUMBERS &&
		(!axt_units_differ(u, v) || steps == (t.months > 0))))
		return false;
	axt_fail(&g->err, AXT_E_ARG,
	    "%s has the units \"%s\", and \"%s\" of %s have no fixed length in them", time->from,
	    axt_escape(g->m, axt_attr_text(time->meta->attrs, "units")), axt_escape(g->m, v),
	    duration->from);
	return true;
}

/*
 * If in[0] and in[1], which are added or subtracted, are a time and a duration, converts the
 * duration to the unit of the time: "hours" to "days" beside "days since 2000-01-01". Returns which
 * of the two is the time, or -1 if they are something else.
 */
static int
time_and_duration(struct axt_graph *g, enum axt_op op, struct axt_expr *in[2])
{
	bool time[2];
	const char *u;
	int t;

	for (int i = 0; i < 2; i++)
		time[i] = axt_attrs_time(in[i]->meta->attrs, NULL);
	t = time[1];
	if (time[0] == time[1] || (op != AXT_OP_ADD && !(op == AXT_OP_SUB && t == 0)) ||
	    !axt_attr_text(in[!t]->meta->attrs, "units"))
		return -1;
	u = axt_attr_text(in[t]->meta->attrs, "units");
	u = axt_cftime_unit(g->m, u);
	if (!u)
		return -1;
	if (is_months_apart(g, in[t], in[!t], u)) {
		in[!t] = axt_node_failed(g);
		return t;
	}
	in[!t] = axt_units_as(g, in[!t], u, in[t]->from, NULL);
	return t;
}

/* The sum or the difference of a time, in[t], and a duration. It is a time, in either order. */
static struct axt_expr *
moved_time(struct axt_graph *g, enum axt_op op, struct axt_expr *const in[2], int t)
{
	struct axt_expr *e = axt_bad(in[!t]) ? in[!t] : on_numbers(g, op, 2, in);

	if (t == 0 || axt_bad(e))
		return e;
	e->meta = axt_meta_map(g, op, 2, (struct axt_expr *[]){ in[t], in[!t] }, e);
	return e->meta ? e : axt_node_failed(g);
}

/* Whether a is of integers that have a number for missing ones, so that its dtype is a float. */
static bool
is_flags(struct axt_graph *g, const struct axt_expr *a)
{
	return axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT && axt_has_integers(g, a);
}

static bool
is_bitwise(enum axt_op op)
{
	return op == AXT_OP_BITWISE_AND || op == AXT_OP_BITWISE_OR || op == AXT_OP_XOR ||
	    op == AXT_OP_BITWISE_NOT;
}

/*
 * A bitwise operation on integers with missing values, as flags of quality are, which is done on
 * the stored integers. The result is missing where one of the operands is.
 */
static struct axt_expr *
on_flags(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_expr **in = axt_alloc(g->m, (size_t)n * sizeof(*in)), *missing = NULL, *e;
	enum axt_dtype d = AXT_F32;

	if (!in)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		const struct axt_stored *s = a[i]->meta->stored;

		in[i] = a[i];
		if (!is_flags(g, a[i]))
			continue;
		d = axt_promote(d, a[i]->dtype);
		e = axt_map1(g, AXT_OP_ISNAN, a[i]);
		missing = missing ? axt_map2(g, AXT_OP_OR, missing, e) : e;
		in[i] = axt_cast_dtype(g, axt_fillnan(g, a[i], axt_number(g, "0")),
		    axt_with_sign(s->attrs, s->dtype), AXT_OVERFLOW_ERROR);
		if (axt_bad(in[i]))
			return in[i];
	}
	return axt_where(g, missing, axt_number(g, "nan"),
	    axt_cast_dtype(g, axt_map(g, op, n, in), d, AXT_OVERFLOW_ERROR));
}

/* The attributes that have the units of a: of bounds that were only moved, their coordinate's. */
static const struct axt_attr *
units_attrs(const struct axt_expr *a)
{
	const struct axt_expr *e = a;

	while (e->kind == AXT_NODE_VIEW)
		e = e->arg[0];
	return e->kind == AXT_NODE_LEAF || a->meta->stored
	    ? axt_values_attrs(a, a->meta->name, a->meta->attrs)
	    : a->meta->attrs;
}

/* Warns where the operand of a function of radians has units of degrees, as latitudes have. */
static void
doubt_degrees(struct axt_graph *g, enum axt_op op, const struct axt_expr *a)
{
	const char *u = axt_attr_text(units_attrs(a), "units"), *f = axt_ops[op].name;

	if (!u || !*u || axt_units_differ("degree", u))
		return;
	axt_warn(g, "%s takes radians, and %s has units \"%s\": %s(radians(...)), axt-map radians",
	    f, axt_called(a), axt_escape(g->m, u), f);
}

/* e without units: those of its operands measure different things. */
static struct axt_expr *
without_units(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (m)
		m->attrs = axt_attr_drop(g->m, m->attrs, "units");
	return e;
}

/* Fails if a time is subtracted from a duration. */
static bool
is_time_less(struct axt_graph *g, struct axt_expr *const a[2])
{
	if (axt_attrs_time(a[0]->meta->attrs, NULL) || !axt_attrs_time(a[1]->meta->attrs, NULL) ||
	    !axt_attr_text(a[0]->meta->attrs, "units"))
		return false;
	axt_fail(&g->err, AXT_E_ARG, "%s is a time, and is subtracted from %s, which is none",
	    a[1]->from, a[0]->from);
	return true;
}

struct axt_expr *
axt_map(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_expr *few[3], **in = few, *pair[2], *e;
	int first = op == AXT_OP_WHERE, t;
	bool apart = false;

	if ((int)op < 0 || op >= AXT_NOPS)
		return axt_graph_fail(g, AXT_E_ARG, "no such operation");
	for (int i = 0; i < n; i++)
		if (axt_refused(g, a[i]))
			return axt_node_failed(g);
	for (int i = 0; i < n; i++)
		if (is_bitwise(op) && is_flags(g, a[i]))
			return on_flags(g, op, n, a);
	if (op == AXT_OP_SIN || op == AXT_OP_COS || op == AXT_OP_TAN)
		doubt_degrees(g, op, a[0]);
	if (!axt_ops[op].same_units || n < 2)
		return on_numbers(g, op, n, a);
	if (op == AXT_OP_SUB && is_time_less(g, a))
		return axt_node_failed(g);
	if (n > ARRAY_LEN(few) && !(in = axt_alloc(g->m, (size_t)n * sizeof(*in))))
		return axt_node_failed(g);
	if (n == 2) {
		pair[0] = a[0];
		pair[1] = a[1];
		if ((t = time_and_duration(g, op, pair)) >= 0)
			return moved_time(g, op, pair, t);
	}
	in[0] = a[0];
	if (axt_units_alike(g, n - first, a + first, in + first, NULL,
		axt_ops[op].compare ? NULL : &apart))
		return axt_node_failed(g);
	e = on_numbers(g, op, n, in);
	return apart ? without_units(g, e) : e;
}

struct axt_expr *
axt_map1(struct axt_graph *g, enum axt_op op, struct axt_expr *a)
{
	return axt_map(g, op, 1, &a);
}

struct axt_expr *
axt_map2(struct axt_graph *g, enum axt_op op, struct axt_expr *a, struct axt_expr *b)
{
	return axt_map(g, op, 2, (struct axt_expr *[]){ a, b });
}

struct axt_expr *
axt_where(struct axt_graph *g, struct axt_expr *cond, struct axt_expr *a, struct axt_expr *b)
{
	return axt_map(g, AXT_OP_WHERE, 3, (struct axt_expr *[]){ cond, a, b });
}

struct axt_expr *
axt_clip(struct axt_graph *g, struct axt_expr *a, struct axt_expr *lo, struct axt_expr *hi)
{
	return axt_map(g, AXT_OP_CLIP, 3, (struct axt_expr *[]){ a, lo, hi });
}

struct axt_expr *
axt_fillnan(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b)
{
	return axt_map2(g, AXT_OP_FILLNAN, a, b);
}

/* The real number of the n characters at s; an integer has no -0, and this has. */
static bool
parse_real(struct axt_graph *g, const char *s, size_t n, double *out)
{
	struct axt_num x;
	const char *t = n ? axt_strndup(g->m, s, n) : NULL;

	if (!t || !axt_parse_num(t, &x))
		return false;
	*out = x.f == 0 && *t == '-' ? -0.0 : x.f;
	return true;
}

/* A complex number as it is printed: 2j, -1.5e-3+2j. */
static bool
parse_complex(struct axt_graph *g, const char *text, double v[2])
{
	size_t n = strlen(text), k;

	if (n < 2 || (text[n - 1] | 32) != 'j')
		return false;
	for (k = n - 2; k > 0; k--)
		if ((text[k] == '+' || text[k] == '-') && (text[k - 1] | 32) != 'e')
			break;
	v[0] = 0;
	return (k == 0 || parse_real(g, text, k, &v[0])) &&
	    parse_real(g, text + k + (text[k] == '+'), n - 1 - k - (text[k] == '+'), &v[1]);
}

static struct axt_expr *
complex_number(struct axt_graph *g, const double v[2])
{
	struct axt_expr *e = axt_node(g, AXT_NODE_CONST, AXT_C128);

	if (axt_bad(e))
		return e;
	e->u.val.num = (struct axt_num){ .f = __builtin_nan("") }; /* it is no real number */
	e->u.val.weak = true;
	memcpy(e->u.val.bytes, v, 2 * sizeof(*v));
	e->from = "a number";
	return e;
}

struct axt_expr *
axt_number(struct axt_graph *g, const char *text)
{
	struct axt_num n;
	struct axt_expr *e;
	double v[2];

	if (parse_complex(g, text, v))
		return complex_number(g, v);
	if (!axt_parse_num(text, &n)) {
		char word[256];

		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not a number",
		    axt_escape_to(word, sizeof(word), text));
		axt_about(&g->err, AXT_BAD_NUMBER, text, NULL);
		return axt_node_failed(g);
	}
	e = axt_node(g, AXT_NODE_CONST, axt_num_dtype(&n));
	if (axt_bad(e))
		return e;
	e->u.val.num = n;
	e->u.val.weak = true;
	if (n.f != n.f) /* a NaN as typed: the result has missing values */
		e->meta = &axt_meta_missing;
	axt_num_store(&n, e->dtype, e->u.val.bytes);
	e->from = "a number";
	return e;
}

struct axt_expr *
axt_const(struct axt_graph *g, enum axt_dtype d, double v)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_CONST, d);

	if (axt_bad(e))
		return e;
	e->u.val.num = (struct axt_num){ .f = v };
	if (v > -9e18 && v < 9e18 && v == (double)(int64_t)v)
		e->u.val.num = (struct axt_num){ .is_int = true, .i = (int64_t)v, .f = v };
	if (!axt_num_store(&e->u.val.num, d, e->u.val.bytes))
		return axt_too_big(g, v, d);
	return e;
}

/* ---- the kind ---- */

static const char *
op_name(int op)
{
	return axt_ops[op].name;
}

static struct axt_expr *
build(struct axt_graph *g, struct axt_expr *d)
{
	struct axt_expr *e = on_numbers(g, d->u.op, d->nargs, d->arg);

	if (axt_bad(e) || !axt_node_alike(e, d))
		return NULL; /* the arguments are conforming since the node was first made */
	/* computed in f32, rounded once */
	if (e->dtype == AXT_F32 && (d->dtype == AXT_F16 || d->dtype == AXT_BF16))
		e->dtype = d->dtype;
	e->doubt = AXT_CLEAR; /* the warning was given when the node was first made */
	return e;
}

const struct axt_node_kind axt_node_map = { .min_args = 1,
	.max_args = INT_MAX,
	.op = offsetof(struct axt_expr, u.op),
	.nops = AXT_NOPS,
	.op_name = op_name,
	.build = build,
	.does = axt_does_compute };
