/*
 * kern.c - the tables of operations as data; the dtypes an operation needs; and the calls that go
 * to the kernel of the instruction set in use.
 */
#include <math.h>

#include <pthread.h>
#include <stdlib.h>

#include "isa/cpu.h"
#include "kern/isa.h"

enum { NARY = 1, COMM = 2, QUANT = 4, UNITS = 8, CMP = 16, INTERN = 32, DIFF = 64 };
enum { DOM_B = 1, DOM_I = 2, DOM_U = 4, DOM_F = 8, DOM_C = 16 };
enum {
	DOM_BIUFC = 31,
	DOM_IUFC = 30,
	DOM_BIUF = 15,
	DOM_IUF = 14,
	DOM_BIU = 7,
	DOM_IU = 6,
	DOM_FC = 24,
};
enum result { SAME, BYTE, FLOAT, BOOL, REAL, FREAL, F64 };

const struct axt_op_info axt_ops[AXT_NOPS] = {
#define OP(id, name, alias, arity, dom, result, flags, ulp, body, line)                  \
	[AXT_OP_##id] = { name, alias, arity, (flags)&NARY, (flags)&COMM, (flags)&QUANT, \
		(flags)&UNITS, (flags)&CMP, (flags)&INTERN, (flags)&DIFF, line, ulp },
#include "ops.def"
#undef OP
};

static const struct {
	uint8_t domain, result;
} op_rules[AXT_NOPS] = {
#define OP(id, name, alias, arity, dom, result, ...) [AXT_OP_##id] = { DOM_##dom, result },
#include "ops.def"
#undef OP
};

const struct axt_red_info axt_reds[AXT_NREDS] = {
#define RED(id, name, result, ...) [AXT_RED_##id] = { name, AXT_RESULT_##result, __VA_ARGS__ },
#include "reds.def"
#undef RED
};

int
axt_op_find(const char *name)
{
	for (int k = 0; k < AXT_NOPS; k++)
		if (!strcmp(axt_ops[k].name, name) ||
		    (axt_ops[k].alias && !strcmp(axt_ops[k].alias, name)))
			return k;
	return -1;
}

static enum axt_dtype
real_of(enum axt_dtype d)
{
	return d == AXT_C64 ? AXT_F32 : d == AXT_C128 ? AXT_F64 : d;
}

bool
axt_op_types(enum axt_op op, enum axt_dtype t, struct axt_op_types *out)
{
	enum result r = op_rules[op].result;
	enum axt_dtype comp, half = t;

	if (!t || t >= AXT_NDTYPES)
		return false;
	comp = axt_dtypes[t].comp;
	if ((r == FLOAT || r == FREAL) && axt_dtypes[t].cls < AXT_CLASS_FLOAT)
		comp = AXT_F64;
	if (r == BYTE && t == AXT_BOOL)
		comp = AXT_I8;
	if (!(op_rules[op].domain & 1 << axt_dtypes[comp].cls))
		return false;
	out->comp = comp;
	out->kout = r == BOOL         ? AXT_BOOL
	    : r == F64                ? AXT_F64
	    : r == REAL || r == FREAL ? real_of(comp)
				      : comp;
	/* f16 and bf16 are computed in f32, and the result is rounded back. */
	out->res = out->kout == comp && axt_dtypes[half].comp != half ? half : out->kout;
	return true;
}

/* ---- the instruction set in use ---- */

static const struct axt_kern_isa *isa;
static char isa_error[160];
static pthread_once_t isa_once = PTHREAD_ONCE_INIT;

static void
pick(void)
{
	const char *want = getenv("AXT_ISA");
	bool known = false, can = false;

	CPU_INIT();
#define ISA(row, flags, test)                         \
	if (!want || !*want || !strcmp(want, #row)) { \
		known = true;                         \
		if (test) {                           \
			isa = &axt_kern_isa_##row;    \
			can = true;                   \
		}                                     \
	}
#include "isa/isas.def"
#undef ISA
	if (can)
		return;
	if (!known)
		snprintf(isa_error, sizeof(isa_error), "AXT_ISA names none of the instruction sets:"
#define ISA(row, flags, test) " " #row
#include "isa/isas.def"
#undef ISA
		);
	else
		snprintf(isa_error, sizeof(isa_error), "%s",
		    want && *want ? "this processor lacks the instructions AXT_ISA asks for"
				  : "this processor lacks " CPU_NEEDS ", which axt needs");
}

int
axt_kern_init(struct axt_err *e)
{
	pthread_once(&isa_once, pick);
	return isa ? AXT_OK : axt_fail(e, AXT_E_NOSYS, "%s", isa_error);
}

const struct axt_kern_isa *
axt_kern(void)
{
	pthread_once(&isa_once, pick);
	return isa;
}

/* ---- reductions ---- */

static enum axt_dtype
int_in(enum axt_dtype t)
{
	return axt_dtypes[t].cls == AXT_CLASS_UINT ? AXT_U64 : AXT_I64;
}

/* Whether integers of 64 bits stay what they are: their distances are exact, and then squared. */
static bool
takes_distances(enum axt_red op)
{
	return op == AXT_RED_VAR || op == AXT_RED_STD;
}

/* The dtype that values are converted to, and the dtype of the node. */
static bool
red_types(enum axt_red op, enum axt_dtype t, enum axt_dtype *in, enum axt_dtype *res)
{
	bool integer = axt_dtypes[t].cls < AXT_CLASS_FLOAT;

	*in = integer ? int_in(t) : axt_dtypes[t].comp;
	*res = t;
	switch (axt_reds[op].result) {
	case AXT_RESULT_SAME: break;
	case AXT_RESULT_SPAN: return t != AXT_BOOL;
	case AXT_RESULT_COUNT: *res = AXT_I64; break;
	case AXT_RESULT_TRUTH: *res = AXT_BOOL; break;
	case AXT_RESULT_SUM: *res = integer ? *in : t; break;
	case AXT_RESULT_FLOAT:
		if (integer)
			*res = AXT_F64;
		if (integer && !(axt_size(t) == 8 && takes_distances(op)))
			*in = AXT_F64;
		break;
	}
	return true;
}

/* Whether there are functions for complex numbers, whose parts lie beside each other. */
static bool
of_complex(enum axt_red op)
{
	return op == AXT_RED_SUM || op == AXT_RED_MEAN || op == AXT_RED_PROD;
}

const struct axt_red_fns *
axt_kern_red(enum axt_red op, enum axt_dtype t, bool skip, bool weighted, enum axt_dtype *res)
{
	const struct axt_red_fns *f;
	bool complex = axt_dtypes[t].cls == AXT_CLASS_COMPLEX;
	enum axt_dtype in;

	if ((complex && !of_complex(op)) || !red_types(op, real_of(t), &in, res))
		return NULL;
	if (weighted && !axt_reds[op].weighted)
		return NULL;
	if (complex)
		*res = t;
	if (complex && op == AXT_RED_PROD)
		return axt_kern()->folds[t](op, skip, weighted);
	/* A weighted sum of integers is a float. */
	if (weighted && axt_dtypes[*res].cls < AXT_CLASS_FLOAT)
		in = *res = AXT_F64;
	/* Only floats have NaN: in a tensor of integers there is nothing to skip. */
	skip = skip && axt_dtypes[t].cls == AXT_CLASS_FLOAT;
	f = axt_kern()->sums[in](op, skip, weighted);
	f = f ? f : axt_kern()->folds[in](op, skip, weighted);
	f = f ? f : axt_kern()->extremes[in](op, skip, weighted);
	return f ? f : axt_kern()->moments[in](op, skip, weighted);
}

/* Whether a state of this reduction contains the sum of the values. */
static bool
sums_values(enum axt_red red)
{
	return red == AXT_RED_SUM || red == AXT_RED_MEAN;
}

const struct axt_fused_fns *
axt_kern_fused_unpack(enum axt_red red, enum axt_dtype to, enum axt_dtype from, bool skip,
    const double p[4], int64_t count)
{
	return sums_values(red) ? axt_kern()->fused_unpack[from](to, skip, p, count) : NULL;
}

const struct axt_fused_fns *
axt_kern_fused_map(enum axt_red red, enum axt_dtype t, bool skip, enum axt_op op, enum axt_op then)
{
	return sums_values(red) ? axt_kern()->fused[t](op, then, skip) : NULL;
}

/* ---- lines ---- */

bool
axt_red_selects(enum axt_red op)
{
	return op == AXT_RED_MEDIAN || op == AXT_RED_QUANTILE;
}

/*
 * The position of the quantile among n sorted values, as NumPy computes it: q (n - 1) or, of the
 * other methods of Hyndman and Fan, n q + alpha + q (1 - alpha - beta) - 1.
 */
static double
quantile_position(const struct axt_quantile_of *q, double n)
{
	double least = q->q * (n - 1), rank = n * q->q, alpha = 0, beta = 0;

	switch (q->method) {
	case AXT_LOWER: return floor(least);
	case AXT_HIGHER: return ceil(least);
	case AXT_NEAREST: return rint(least);
	case AXT_MIDPOINT: return 0.5 * (floor(least) + ceil(least));
	case AXT_INVERTED_CDF: return ceil(rank - 1);
	case AXT_AVERAGED_INVERTED_CDF:
		return rank - 1 == floor(rank - 1) ? rank - 0.5 : ceil(rank - 1);
	case AXT_CLOSEST_OBSERVATION: /* of two, the one whose rank from 1 is even */
		least = floor(rank - 1.5);
		return least + (rank - 1.5 > least || fmod(least, 2) == 0);
	case AXT_INTERPOLATED_INVERTED_CDF: beta = 1; break;
	case AXT_HAZEN: alpha = beta = 0.5; break;
	case AXT_WEIBULL: break;
	case AXT_MEDIAN_UNBIASED: alpha = beta = 1 / 3.; break;
	case AXT_NORMAL_UNBIASED: alpha = beta = 3 / 8.; break;
	default: return least;
	}
	return rank + (alpha + q->q * (1 - alpha - beta)) - 1;
}

int64_t
axt_quantile_at(const struct axt_quantile_of *q, int64_t n, double *t)
{
	double at = quantile_position(q, (double)n);
	int64_t lo;

	/* methods that reach beyond the least and the greatest value end there */
	at = at > 0 ? MIN(at, (double)(n - 1)) : 0;
	lo = MIN((int64_t)at, n - 1);
	*t = at - (double)lo;
	return lo;
}

/*
 * The quantile at t of the way from a to b, two neighbours in the sorted line, with the bits of
 * NumPy: it is interpolated from the nearer of the two, and in the middle it is their mean. If a
 * and b are equal it is a, since the difference of infinities is NaN.
 */
double
axt_quantile_mix(double a, double b, double t)
{
	double m = (a + b) / 2;

	if (t == 0 || a == b)
		return a;
	if (t != 0.5)
		m = t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
	else if (m - m != 0 && a - a == 0 && b - b == 0) /* the sum overflowed, not a or b */
		m = a / 2 + b / 2;
	return m == m ? m : __builtin_nan("");
}
