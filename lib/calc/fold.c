/*
 * fold.c - computes operations on numbers at once, so that their results are numbers, too, and
 * a*(9/5) has the dtype of a. x^2 becomes the square of x where that gives the same bits.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "calc/calc.h"

static struct axt_expr *
real(struct axt_calc *c, double v)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%.17g", v);

	/* "2" would be read as an integer, and an integer has no -0 */
	if (!text[strcspn(text, ".eni")])
		snprintf(text + n, sizeof(text) - (size_t)n, ".0");
	return axt_number(c->g, text);
}

/*
 * A node of the integer *value of dtype d. v is about the number that the operation should give: if
 * both differ much, the integer has wrapped around, and the node becomes a float instead.
 */
static struct axt_expr *
integer(struct axt_calc *c, enum axt_dtype d, const void *value, double v)
{
	char text[400];
	double is = axt_load_f64(d, value);

	if (!(fabs(is - v) < 0x1p60) && isinf(v))
		return real(c, v);
	if (!(fabs(is - v) < 0x1p60))
		snprintf(text, sizeof(text), "%.0f", v);
	else
		axt_value_text(text, d, value);
	return axt_number(c->g, text);
}

/*
 * Computes e, an operation on numbers, by its kernel. Returns false if that cannot be done before
 * the run.
 */
static bool
kernel(const struct axt_expr *e, enum axt_dtype d, const void *const in[], void *out)
{
	axt_map_fn *fn = axt_kern_map(e->u.op, d);
	int64_t bad = -1;

	if (fn)
		fn(out, in, (const bool[]){ false, false, false }, 1, &bad);
	return fn && bad < 0;
}

static struct axt_expr *
folded(struct axt_calc *c, struct axt_expr *e)
{
	_Alignas(16) uint8_t value[16];
	const void *in[3] = { NULL }, *real_in[3] = { NULL };
	char text[AXT_TEXT];
	double v, x[3];

	if (axt_bad(e) || e->kind != AXT_NODE_MAP || e->dtype == AXT_BOOL ||
	    e->nargs > ARRAY_LEN(x))
		return e;
	for (int i = 0; i < e->nargs; i++) {
		x[i] = axt_load_f64(e->arg[i]->dtype, e->arg[i]->u.val.bytes);
		in[i] = e->arg[i]->u.val.bytes;
		real_in[i] = &x[i];
	}
	if (!kernel(e, e->arg[0]->dtype, in, value))
		return e;
	if (e->dtype == AXT_C128) {
		axt_value_text(text, AXT_C128, value);
		return axt_number(c->g, text);
	}
	if (e->dtype == AXT_F64)
		return real(c, axt_load_f64(AXT_F64, value));
	if (e->dtype != AXT_I64 && e->dtype != AXT_U64)
		return e;
	if (!axt_op_types(e->u.op, AXT_F64, &(struct axt_op_types){ 0 }) ||
	    /* bitwise operations cannot overflow */
	    !kernel(e, AXT_F64, real_in, &v))
		v = axt_load_f64(e->dtype, value);
	return integer(c, e->dtype, value, v);
}

/*
 * The exponent e, a number, as a float if it is negative: 10^-3 is 0.001, although tensors of
 * integers refuse negative exponents.
 */
static struct axt_expr *
exponent(struct axt_calc *c, struct axt_expr *e)
{
	return e->u.val.num.is_int && e->u.val.num.i < 0 ? real(c, e->u.val.num.f) : e;
}

/* Whether x^e has the same dtype as x*x, and the same bits. */
static bool
is_square(const struct axt_expr *x, const struct axt_expr *e)
{
	enum axt_class cls = axt_dtypes[x->dtype].cls;

	return axt_is_weak(e) && e->u.val.num.f == 2 && cls != AXT_CLASS_BOOL &&
	    (e->u.val.num.is_int || cls >= AXT_CLASS_FLOAT);
}

struct axt_expr *
axt_calc_map(struct axt_calc *c, enum axt_op op, int n, struct axt_expr *const a[])
{
	struct axt_expr *e, *b[3];
	bool numbers = op != AXT_OP_WHERE;

	for (int i = 0; i < n; i++) {
		if (axt_bad(a[i]))
			return a[i];
		numbers = numbers && axt_is_weak(a[i]);
	}
	if (n > 2 && axt_ops[op].nary) {
		e = a[0];
		for (int i = 1; i < n; i++)
			e = axt_calc_map(c, op, 2, (struct axt_expr *[]){ e, a[i] });
		return e;
	}
	if (!numbers)
		return op == AXT_OP_POW && n == 2 && is_square(a[0], a[1])
		    ? axt_map1(c->g, AXT_OP_SQUARE, a[0])
		    : axt_map(c->g, op, n, a);
	for (int i = 0; i < n && i < ARRAY_LEN(b); i++)
		b[i] = op == AXT_OP_POW && i == 1 ? exponent(c, a[i]) : a[i];
	return folded(c, axt_map(c->g, op, n, b));
}

struct axt_expr *
axt_calc_negative(struct axt_calc *c, struct axt_expr *a)
{
	char text[40];

	if (axt_bad(a) || !axt_is_weak(a) || !a->u.val.num.is_unsigned)
		return axt_calc_map(c, AXT_OP_NEGATIVE, 1, &a);
	snprintf(text, sizeof(text), "-%" PRIu64, a->u.val.num.u);
	return axt_number(c->g, text);
}

const char *
axt_calc_number(struct axt_calc *c, const struct axt_expr *e)
{
	char text[AXT_TEXT];

	if (!axt_is_weak(e))
		return NULL;
	axt_value_text(text, e->dtype, e->u.val.bytes);
	return axt_calc_copy(c, text, strlen(text));
}
