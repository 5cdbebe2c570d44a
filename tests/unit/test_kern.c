/*
 * test_kern.c - every kernel of every ISA against a reference in long double or wide integers,
 * against the other ISA bit for bit, at every short length, unaligned, with scalars and in place.
 */
#define _GNU_SOURCE /* M_PIl */
#include <math.h>
#include <sys/mman.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/cpu.h"
#include "kern/isa.h"

#define NMAX 1600
#define PAD 16

static const struct axt_kern_isa *const all_isas[] = {
#define ISA(name, flags, test) &axt_kern_isa_##name,
#include "isa/isas.def"
#undef ISA
};
static const struct axt_kern_isa *isas[8];
static int nisas;

static int
setup(void **state)
{
	int k = 0;

	(void)state;
	CPU_INIT();
#define ISA(name, flags, test)               \
	if (test)                            \
		isas[nisas++] = all_isas[k]; \
	k++;
#include "isa/isas.def"
#undef ISA
	return nisas ? 0 : -1;
}

/* ---- random data ---- */

static uint64_t seed = 88172645463325252u;

static uint64_t
rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static double
rnd_real(void)
{
	static const double special[] = { 0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, 2, 3, 1e-300,
		-1e300, 1e30, -1e-30, 1e-40, INFINITY, -INFINITY, NAN, 88.5, -104, 709.5, -745.1,
		1e5, 65504, 65520, 2147483647, -2147483649.0, 255.5 };
	uint64_t r = rnd();

	switch (r >> 60) {
	case 0:
	case 1: return special[(r & 0xffff) % ARRAY_LEN(special)];
	case 2:
	case 3:
	case 4:
	case 5: return (double)(int64_t)(r << 8 >> 44) / 65536 - 8;
	case 6:
	case 7: return (double)((int64_t)(r & 0xff) - 128);
	case 8:
	case 9:
	case 10: return ldexp((double)(int64_t)rnd(), (int)(r % 200) - 160);
	default: return (double)(int64_t)rnd() / 0x1p62;
	}
}

static void
put(enum axt_dtype d, void *p, int64_t i)
{
	uint64_t r = rnd();
	float f = (float)rnd_real(), g = (float)rnd_real();
	double x = rnd_real(), y = rnd_real();
	uint16_t h = axt_f32_to_f16(f);

	r = r & 1 ? r >> 8 : r >> (8 + r % 56);
	switch (d) {
	case AXT_BOOL: ((uint8_t *)p)[i] = r & 1; break;
	case AXT_F16: ((uint16_t *)p)[i] = h; break;
	case AXT_BF16: ((uint16_t *)p)[i] = axt_f32_to_bf16(f); break;
	case AXT_F32: ((float *)p)[i] = f; break;
	case AXT_F64: ((double *)p)[i] = x; break;
	case AXT_C64:
		((float *)p)[2 * i] = f;
		((float *)p)[2 * i + 1] = g;
		break;
	case AXT_C128:
		((double *)p)[2 * i] = x;
		((double *)p)[2 * i + 1] = y;
		break;
	default:
		r = rnd() & 1 ? 0 - r : r;
		r = rnd() % 16 ? r : rnd() & 1 ? (uint64_t)1 << (8 * axt_size(d) - 1) : 0;
		memcpy((char *)p + i * axt_size(d), &r, axt_size(d));
	}
}

static bool
nan_at(enum axt_dtype d, const void *p, int64_t i)
{
	switch (d) {
	case AXT_F16: return (((const uint16_t *)p)[i] & 0x7fff) > 0x7c00;
	case AXT_BF16: return (((const uint16_t *)p)[i] & 0x7fff) > 0x7f80;
	case AXT_F32: return isnan(((const float *)p)[i]);
	case AXT_F64: return isnan(((const double *)p)[i]);
	default: return false;
	}
}

/* Equal bits, any NaN as good as another. */
static bool
same_at(enum axt_dtype d, const void *a, const void *b, int64_t i)
{
	if (d == AXT_C64 || d == AXT_C128) {
		d = d == AXT_C64 ? AXT_F32 : AXT_F64;
		return same_at(d, a, b, 2 * i) && same_at(d, a, b, 2 * i + 1);
	}
	return (nan_at(d, a, i) && nan_at(d, b, i)) ||
	    !memcmp((const char *)a + i * axt_size(d), (const char *)b + i * axt_size(d),
		axt_size(d));
}

static void
check_same(const char *what, enum axt_dtype d, const void *a, const void *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (!same_at(d, a, b, i)) {
			double x = axt_load_f64(d, (const char *)a + i * axt_size(d));
			double y = axt_load_f64(d, (const char *)b + i * axt_size(d));

			fail_msg("%s %s: element %d of %d: %.17g and %.17g", what,
			    axt_dtypes[d].name, (int)i, (int)n, x, y);
		}
}

/* ---- maps: same bits however called ---- */

struct map_case {
	enum axt_op op;
	struct axt_op_types t;
	int arity;
	enum axt_dtype arg[3];
	_Alignas(64) char in[3][(NMAX + PAD) * 16];
};

static void
fill_case(struct map_case *c, enum axt_op op, enum axt_dtype comp, const struct axt_op_types *t)
{
	c->op = op;
	c->t = *t;
	c->arity = axt_ops[op].arity;
	for (int k = 0; k < c->arity; k++) {
		c->arg[k] = op == AXT_OP_WHERE && k == 0 ? AXT_BOOL : comp;
		for (int64_t i = 0; i < NMAX + PAD; i++)
			if (op == AXT_OP_INDEX) { /* 0 to 6, below 7 */
				memset(c->in[k] + i * axt_size(comp), 0, axt_size(comp));
				c->in[k][i * axt_size(comp)] = k ? 7 : (char)(i % 7);
			} else {
				put(c->arg[k], c->in[k], i);
			}
	}
}

/* One call with arguments and result moved by `off` elements. */
static int64_t
call(const struct axt_kern_isa *isa, struct map_case *c, const bool scalar[3], int64_t n, int off,
    void *out)
{
	const void *in[3];
	int64_t bad = -1;

	for (int k = 0; k < c->arity; k++)
		in[k] = c->in[k] + off * axt_size(c->arg[k]);
	isa->map[c->t.comp](c->op)((char *)out + off * axt_size(c->t.kout), in, scalar, n, &bad);
	return bad;
}

static void
one_map(struct map_case *c)
{
	static _Alignas(64) char want[(NMAX + PAD) * 16], got[(NMAX + PAD) * 16];
	static struct map_case d;
	bool none[3] = { false, false, false };
	int ks = axt_size(c->t.kout);
	int64_t bad = call(isas[0], c, none, NMAX, 0, want);

	for (int i = 0; i < nisas; i++) {
		assert_int_equal(call(isas[i], c, none, NMAX, 0, got), bad);
		if (bad >= 0)
			return;
		check_same(axt_ops[c->op].name, c->t.kout, want, got, NMAX);
		for (int64_t n = 0; n <= 70; n++) {
			int off = (int)(rnd() % PAD);

			memset(got, 0x5a, sizeof(got));
			call(isas[i], c, none, n, off, got);
			check_same(axt_ops[c->op].name, c->t.kout, want + off * ks, got + off * ks,
			    n);
			assert_int_equal(got[(n + off) * ks], 0x5a);
		}
		for (int mask = 1; mask < 1 << c->arity; mask++) {
			bool scalar[3] = { mask & 1, mask & 2, mask & 4 };
			int64_t n = 1 + (int64_t)(rnd() % (NMAX - 1));

			memcpy(&d, c, sizeof(d));
			for (int k = 0; k < c->arity; k++)
				for (int64_t j = 1; scalar[k] && j < n; j++)
					memcpy(d.in[k] + j * axt_size(c->arg[k]), d.in[k],
					    axt_size(c->arg[k]));
			call(isas[i], &d, none, n, 0, want);
			call(isas[i], c, scalar, n, 0, got);
			check_same(axt_ops[c->op].name, c->t.kout, want, got, n);
		}
		call(isas[i], c, none, NMAX, 0, want);
		if (axt_size(c->t.kout) == axt_size(c->arg[0])) {
			memcpy(&d, c, sizeof(d));
			call(isas[i], &d, none, NMAX, 0, d.in[0]);
			check_same(axt_ops[c->op].name, c->t.kout, want, d.in[0], NMAX);
		}
	}
}

/* Divisors that would be refused are made 1, but for a case of its own. */
static void
tame(struct map_case *c)
{
	int s = axt_size(c->t.comp);

	if (axt_dtypes[c->t.comp].cls >= AXT_CLASS_FLOAT ||
	    (c->op != AXT_OP_POW && c->op != AXT_OP_MOD && c->op != AXT_OP_FLOORDIV))
		return;
	for (int64_t i = 0; i < NMAX + PAD; i++) {
		char *p = c->in[1] + i * s;

		if (axt_load_f64(c->t.comp, p) == 0 ||
		    (c->op == AXT_OP_POW && axt_load_f64(c->t.comp, p) < 0)) {
			memset(p, 0, s);
			*p = 1;
		}
	}
}

static void
test_maps_same(void **state)
{
	static struct map_case c;
	struct axt_op_types t;

	(void)state;
	for (int op = 0; op < AXT_NOPS; op++)
		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
			if (!axt_op_types(op, d, &t) || t.comp != (enum axt_dtype)d)
				continue;
			fill_case(&c, op, d, &t);
			tame(&c);
			one_map(&c);
		}
}

/* valgrind's long double is a double, and it lacks an instruction that conversions to c128 use. */
static void
not_under_valgrind(void)
{
	const char *s = getenv("AXT_SANITIZER");

	if (s && strcmp(s, "valgrind") == 0)
		skip();
}

static void
test_types(void **state)
{
	struct axt_op_types t;

	(void)state;
	for (int op = 0; op < AXT_NOPS; op++) {
		int comps = 0;

		assert_int_equal(axt_op_find(axt_ops[op].name), op);
		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
			bool ok = axt_op_types(op, d, &t);

			if (ok)
				for (int i = 0; i < nisas; i++)
					assert_non_null(isas[i]->map[t.comp](op));
			comps += ok;
		}
		assert_true(comps > 0);
	}
	assert_int_equal(axt_op_find("abs"), AXT_OP_ABSOLUTE);
	assert_int_equal(axt_op_find("frobnicate"), -1);
#define TYPES(op, d, c, k, r)                                                 \
	assert_true(axt_op_types(AXT_OP_##op, AXT_##d, &t));                  \
	assert_int_equal(t.comp, AXT_##c), assert_int_equal(t.kout, AXT_##k), \
	    assert_int_equal(t.res, AXT_##r)
#define NONE(op, d) assert_false(axt_op_types(AXT_OP_##op, AXT_##d, &t))
	TYPES(ADD, BOOL, BOOL, BOOL, BOOL);
	TYPES(ADD, F16, F32, F32, F16);
	TYPES(DIV, U8, F64, F64, F64);
	TYPES(DIV, BF16, F32, F32, BF16);
	TYPES(EXP, BOOL, F64, F64, F64);
	TYPES(SQUARE, BOOL, I8, I8, I8);
	TYPES(SQRT, I16, F64, F64, F64);
	TYPES(ABSOLUTE, C64, C64, F32, F32);
	TYPES(ABSOLUTE, F16, F32, F32, F16);
	TYPES(LT, BF16, F32, BOOL, BOOL);
	TYPES(ARG, I32, F64, F64, F64);
	TYPES(ARG, C128, C128, F64, F64);
	TYPES(IMAG, I32, I32, I32, I32);
	TYPES(ABSDIFF, F16, F32, F64, F64);
	TYPES(WHERE, BF16, F32, F32, BF16);
	TYPES(FLOORDIV, BOOL, I8, I8, I8);
	NONE(SUB, BOOL);
	NONE(NEGATIVE, BOOL);
	NONE(SIGN, BOOL);
	TYPES(AND, C64, C64, BOOL, BOOL);
	NONE(BITWISE_AND, F32);
	NONE(BITWISE_NOT, C64);
	NONE(LT, C64);
	NONE(MINIMUM, C64);
	NONE(FLOORDIV, C64);
	TYPES(EXP, C64, C64, C64, C64);
	TYPES(POW, C128, C128, C128, C128);
	NONE(EXP2, C64);
	NONE(UNPACK, I32);
}

/* ---- maps: values ---- */

static long double
ref1(enum axt_op op, long double a)
{
	switch (op) {
	case AXT_OP_NEGATIVE: return -a;
	case AXT_OP_ABSOLUTE: return fabsl(a);
	case AXT_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a;
	case AXT_OP_SQUARE: return a * a;
	case AXT_OP_SQRT: return sqrtl(a);
	case AXT_OP_CBRT: return cbrtl(a);
	case AXT_OP_RECIPROCAL: return 1 / a;
	case AXT_OP_EXP: return expl(a);
	case AXT_OP_EXP2: return exp2l(a);
	case AXT_OP_EXPM1: return expm1l(a);
	case AXT_OP_LOG: return logl(a);
	case AXT_OP_LOG2: return log2l(a);
	case AXT_OP_LOG10: return log10l(a);
	case AXT_OP_LOG1P: return log1pl(a);
	case AXT_OP_SIN: return sinl(a);
	case AXT_OP_COS: return cosl(a);
	case AXT_OP_TAN: return tanl(a);
	case AXT_OP_ASIN: return asinl(a);
	case AXT_OP_ACOS: return acosl(a);
	case AXT_OP_ATAN: return atanl(a);
	case AXT_OP_SINH: return sinhl(a);
	case AXT_OP_COSH: return coshl(a);
	case AXT_OP_TANH: return tanhl(a);
	case AXT_OP_ASINH: return asinhl(a);
	case AXT_OP_ACOSH: return acoshl(a);
	case AXT_OP_ATANH: return atanhl(a);
	case AXT_OP_SIGMOID: return 1 / (1 + expl(-a));
	case AXT_OP_RELU: return a < 0 ? 0 : a;
	case AXT_OP_ERF: return erfl(a);
	case AXT_OP_ERFC: return erfcl(a);
	case AXT_OP_LGAMMA: return lgammal(a);
	case AXT_OP_GAMMA: return tgammal(a);
	case AXT_OP_ROUND: return rintl(a);
	case AXT_OP_FLOOR: return floorl(a);
	case AXT_OP_CEIL: return ceill(a);
	case AXT_OP_TRUNC: return truncl(a);
	case AXT_OP_RADIANS: return a * (M_PIl / 180);
	case AXT_OP_DEGREES: return a * (180 / M_PIl);
	case AXT_OP_GELU: return a * erfcl(-a * M_SQRT1_2l) / 2;
	case AXT_OP_REAL:
	case AXT_OP_CONJ: return a;
	case AXT_OP_IMAG: return 0;
	case AXT_OP_NOT: return a == 0;
	case AXT_OP_ARG: return isnan(a) ? a : signbit(a) ? M_PIl : 0;
	default: fail_msg("no reference for %s", axt_ops[op].name);
	}
	return 0;
}

static double
floormod(double a, double b)
{
	double r = fmod(a, b);

	return r == 0 ? copysign(0, b) : (r < 0) != (b < 0) ? r + b : r;
}

static long double
ref2(enum axt_op op, long double a, long double b)
{
	switch (op) {
	case AXT_OP_ADD: return a + b;
	case AXT_OP_SUB: return a - b;
	case AXT_OP_MUL: return a * b;
	case AXT_OP_DIV: return a / b;
	case AXT_OP_POW: return powl(a, b);
	case AXT_OP_HYPOT: return hypotl(a, b);
	case AXT_OP_ATAN2: return atan2l(a, b);
	case AXT_OP_COPYSIGN: return copysignl(a, isnan(b) ? 0 : b);
	case AXT_OP_MINIMUM: return isnan(a) ? a : isnan(b) ? b : a < b ? a : b;
	case AXT_OP_MAXIMUM: return isnan(a) ? a : isnan(b) ? b : a > b ? a : b;
	case AXT_OP_EQ: return a == b;
	case AXT_OP_NE: return a != b;
	case AXT_OP_LT: return a < b;
	case AXT_OP_LE: return a <= b;
	case AXT_OP_GT: return a > b;
	case AXT_OP_GE: return a >= b;
	case AXT_OP_AND: return a != 0 && b != 0;
	case AXT_OP_OR: return a != 0 || b != 0;
	case AXT_OP_DIFFER: return a != b && !(isnan(a) && isnan(b));
	case AXT_OP_ABSDIFF: return a == b ? 0 : fabsl(a - b);
	case AXT_OP_FILLNAN: return isnan(a) ? b : a;
	case AXT_OP_MASK: return a == b || (isnan(a) && isnan(b)) ? (long double)NAN : a;
	default: fail_msg("no reference for %s", axt_ops[op].name);
	}
	return 0;
}

/* |x - exact| in units of the last place of dtype d at the exact value. */
static double
ulps(enum axt_dtype d, double x, long double exact)
{
	int digits = d == AXT_F32 ? 24 : 53, least = d == AXT_F32 ? -149 : -1074, e;
	double as = d == AXT_F32 ? (double)(float)exact : (double)exact;

	if (isnan(x) || isnan(as))
		return isnan(x) && isnan(as) ? 0 : INFINITY;
	if (x == as)
		return 0;
	if (isinf(x))
		return fabsl(exact) >= (d == AXT_F32 ? 0x1.fffffcp127L : 0x1.ffffffffffffep1023L) &&
			signbit(x) == (exact < 0)
		    ? 1
		    : INFINITY;
	if (isinf(as))
		return fabs(x) >= (d == AXT_F32 ? 0x1.fffffcp127 : 0x1.ffffffffffffep1023)
		    ? 1
		    : INFINITY;
	frexpl(exact, &e);
	e = MAX(e - digits, least);
	return (double)fabsl(ldexpl(x - exact, -e));
}

static void
check_real_op(enum axt_op op, enum axt_dtype d, double *worst)
{
	static struct map_case c;
	static _Alignas(64) char out[(NMAX + PAD) * 16];
	struct axt_op_types t;
	bool none[3] = { false, false, false };

	axt_op_types(op, d, &t);
	fill_case(&c, op, d, &t);
	call(isas[nisas - 1], &c, none, NMAX, 0, out);
	for (int64_t i = 0; i < NMAX; i++) {
		double v[3] = { 0 }, y = axt_load_f64(t.kout, out + i * axt_size(t.kout)), u;
		long double r;

		for (int k = 0; k < c.arity; k++)
			v[k] = axt_load_f64(c.arg[k], c.in[k] + i * axt_size(c.arg[k]));
		r = c.arity == 1 ? ref1(op, v[0]) : ref2(op, v[0], v[1]);
		u = ulps(t.kout, y, r);
		/* between its poles it has zeros, near which its error is one of 1 */
		if (op == AXT_OP_LGAMMA && v[0] < 0 && isfinite(y))
			u = MIN(u, (double)fabsl(y - r) / (d == AXT_F32 ? 0x1p-23 : 0x1p-52));
		*worst = MAX(*worst, u);
		if (u > axt_ops[op].ulp + 0.01)
			fail_msg("%s %s(%.17g, %.17g) = %.17g, not %.20Lg: %g ulp",
			    axt_ops[op].name, axt_dtypes[d].name, v[0], c.arity > 1 ? v[1] : 0, y,
			    r, u);
	}
}

static void
test_real_values(void **state)
{
	(void)state;
	not_under_valgrind();
	for (int op = 0; op < AXT_NOPS; op++) {
		double worst[2] = { 0, 0 };
		struct axt_op_types t;

		if (!axt_op_types(op, AXT_F32, &t) || axt_ops[op].arity == 3 || op == AXT_OP_MOD ||
		    op == AXT_OP_FLOORDIV || op == AXT_OP_ISNAN || op == AXT_OP_ISINF ||
		    op == AXT_OP_ISFINITE)
			continue;
		for (int k = 0; k < 40; k++) {
			check_real_op(op, AXT_F32, worst);
			check_real_op(op, AXT_F64, worst + 1);
		}
		if (getenv("AXT_TEST_VERBOSE"))
			print_message("%-10s f32 %.3f f64 %.3f ulp\n", axt_ops[op].name, worst[0],
			    worst[1]);
	}
}

static double
map_f64(enum axt_op op, double a, double b, double c)
{
	const void *in[3] = { &a, &b, &c };
	bool none[3] = { false, false, false };
	int64_t bad = -1;
	union {
		double f;
		uint8_t b;
	} y;
	struct axt_op_types t;

	assert_true(axt_op_types(op, AXT_F64, &t));
	isas[0]->map[AXT_F64](op)(&y, in, none, 1, &bad);
	return t.kout == AXT_BOOL ? y.b : y.f;
}

#define IS(x, y)                                      \
	do {                                          \
		double x_ = (x), y_ = (y);            \
		check_same(#x, AXT_F64, &x_, &y_, 1); \
	} while (0)

/* The corners, as NumPy has them. */
static void
test_real_corners(void **state)
{
	(void)state;
	for (int i = 0; i < 60; i++) {
		double a = -183.3 + 0.37 * i;

		assert_true(ulps(AXT_F64, map_f64(AXT_OP_GAMMA, a, 0, 0), tgammal(a)) <=
		    axt_ops[AXT_OP_GAMMA].ulp);
	}
	IS(map_f64(AXT_OP_FLOORDIV, 7, -2, 0), -4);
	IS(map_f64(AXT_OP_FLOORDIV, -7, 2, 0), -4);
	IS(map_f64(AXT_OP_FLOORDIV, 1, 0, 0), INFINITY);
	IS(map_f64(AXT_OP_FLOORDIV, 0, 0, 0), NAN);
	IS(map_f64(AXT_OP_FLOORDIV, 1, INFINITY, 0), 0);
	IS(map_f64(AXT_OP_FLOORDIV, -1, INFINITY, 0), -1);
	IS(map_f64(AXT_OP_FLOORDIV, INFINITY, 2, 0), NAN);
	IS(map_f64(AXT_OP_FLOORDIV, -0.0, 3, 0), -0.0);
	IS(map_f64(AXT_OP_FLOORDIV, 1, 0.1, 0), 9);
	IS(map_f64(AXT_OP_MOD, 7, -2, 0), -1);
	IS(map_f64(AXT_OP_MOD, -7, 2, 0), 1);
	IS(map_f64(AXT_OP_MOD, 1, 0, 0), NAN);
	IS(map_f64(AXT_OP_MOD, 1, INFINITY, 0), 1);
	IS(map_f64(AXT_OP_MOD, -1, INFINITY, 0), INFINITY);
	IS(map_f64(AXT_OP_MOD, 6, -3, 0), -0.0);
	IS(map_f64(AXT_OP_MOD, -0.0, 3, 0), 0.0);
	IS(map_f64(AXT_OP_POW, -8, 3, 0), -512);
	IS(map_f64(AXT_OP_POW, NAN, 0, 0), 1);
	IS(map_f64(AXT_OP_POW, 1, NAN, 0), 1);
	IS(map_f64(AXT_OP_POW, -8, 1.0 / 3, 0), NAN);
	IS(map_f64(AXT_OP_ROUND, 0.5, 0, 0), 0);
	IS(map_f64(AXT_OP_ROUND, 1.5, 0, 0), 2);
	IS(map_f64(AXT_OP_ROUND, -2.5, 0, 0), -2);
	IS(map_f64(AXT_OP_FLOOR, -0.0, 0, 0), -0.0);
	IS(map_f64(AXT_OP_CEIL, -0.7, 0, 0), -0.0);
	IS(map_f64(AXT_OP_TRUNC, -0.7, 0, 0), -0.0);
	IS(map_f64(AXT_OP_SIGN, NAN, 0, 0), NAN);
	IS(map_f64(AXT_OP_RELU, NAN, 0, 0), NAN);
	IS(map_f64(AXT_OP_MINIMUM, 1, NAN, 0), NAN);
	IS(map_f64(AXT_OP_CLIP, NAN, 0, 1), NAN);
	IS(map_f64(AXT_OP_CLIP, 5, 0, 1), 1);
	IS(map_f64(AXT_OP_CLIP, -5, 0, 1), 0);
	IS(map_f64(AXT_OP_UNPACK, 3, 0.1, 7), 3 * 0.1 + 7);
	IS(map_f64(AXT_OP_VALID, 1, 0, 1), 1);
	IS(map_f64(AXT_OP_VALID, -0.5, 0, 1), NAN);
	IS(map_f64(AXT_OP_VALID, 1.5, 0, 1), NAN);
	IS(map_f64(AXT_OP_VALID, NAN, 0, 1), NAN);
	IS(map_f64(AXT_OP_BIN, 0.3, 0, 0.1), 2); /* 3 * 0.1 is more */
	IS(map_f64(AXT_OP_BIN, 3 * 0.1, 0, 0.1), 3);
	IS(map_f64(AXT_OP_BIN, -0.5, 0, 0.1), -5);
	IS(map_f64(AXT_OP_BINF, (double)0.7f, 0, 0.1), 7);
	IS(map_f64(AXT_OP_BIN, (double)0.7f, 0, 0.1), 6);
	IS(map_f64(AXT_OP_BIN, NAN, 0, 0.1), NAN);
	IS(map_f64(AXT_OP_ISNAN, NAN, 0, 0), 1);
	IS(map_f64(AXT_OP_ISINF, -INFINITY, 0, 0), 1);
	IS(map_f64(AXT_OP_ISFINITE, INFINITY, 0, 0), 0);
	IS(map_f64(AXT_OP_ISFINITE, 1e308, 0, 0), 1);
	IS(map_f64(AXT_OP_LOG1P, 1e308, 0, 0), log1p(1e308));
}

static void
test_floormod(void **state)
{
	(void)state;
	for (int k = 0; k < 200000; k++) {
		double a = rnd_real(), b = rnd_real(), m, q;
		double r = floormod(a, b);

		m = map_f64(AXT_OP_MOD, a, b, 0);
		q = map_f64(AXT_OP_FLOORDIV, a, b, 0);
		if (!isfinite(a) || !isfinite(b) || b == 0)
			continue;
		if (m != r)
			fail_msg("mod(%.17g, %.17g) = %.17g, not %.17g", a, b, m, r);
		if (fabs(a / b) < 1e15 && fabs(a / b) > 1e-300 &&
		    q != (double)floorl((a - r) / b + 0.5L))
			fail_msg("floordiv(%.17g, %.17g) = %.17g", a, b, q);
	}
}

/* Integers against 128 bits, for each dtype. */
static __int128
load_int(enum axt_dtype d, const void *p)
{
	uint64_t u = 0;
	int bits = 8 * axt_size(d);

	memcpy(&u, p, axt_size(d));
	if (axt_dtypes[d].cls == AXT_CLASS_INT && bits < 64 && u >> (bits - 1))
		u |= ~(uint64_t)0 << bits;
	return axt_dtypes[d].cls == AXT_CLASS_INT ? (__int128)(int64_t)u : (__int128)u;
}

static __int128
int_pow(__int128 a, __int128 b)
{
	uint64_t r = 1, x = (uint64_t)a;

	for (uint64_t n = (uint64_t)b; n; n >>= 1, x *= x)
		r *= n & 1 ? x : 1;
	return (__int128)r;
}

static __int128
ref_int(enum axt_op op, __int128 a, __int128 b)
{
	__int128 q = b ? a / b : 0, r = b ? a % b : 0;

	if (b && r != 0 && (r < 0) != (b < 0)) {
		q--;
		r += b;
	}
	switch (op) {
	case AXT_OP_ADD: return a + b;
	case AXT_OP_SUB: return a - b;
	case AXT_OP_MUL: return (__int128)((unsigned __int128)a * (unsigned __int128)b);
	case AXT_OP_FLOORDIV: return q;
	case AXT_OP_MOD: return r;
	case AXT_OP_POW: return int_pow(a, b);
	case AXT_OP_MINIMUM: return a < b ? a : b;
	case AXT_OP_MAXIMUM: return a > b ? a : b;
	case AXT_OP_BITWISE_AND: return a & b;
	case AXT_OP_BITWISE_OR: return a | b;
	case AXT_OP_XOR: return a ^ b;
	case AXT_OP_NEGATIVE: return -a;
	case AXT_OP_ABSOLUTE: return a < 0 ? -a : a;
	case AXT_OP_SIGN: return (a > 0) - (a < 0);
	case AXT_OP_SQUARE: return (__int128)((unsigned __int128)a * (unsigned __int128)a);
	case AXT_OP_RELU: return a > 0 ? a : 0;
	case AXT_OP_BITWISE_NOT: return ~a;
	case AXT_OP_ROUND:
	case AXT_OP_FLOOR:
	case AXT_OP_CEIL:
	case AXT_OP_TRUNC:
	case AXT_OP_REAL:
	case AXT_OP_CONJ:
	case AXT_OP_FILLNAN:
	case AXT_OP_INDEX: return a;
	case AXT_OP_IMAG:
	case AXT_OP_ISNAN:
	case AXT_OP_ISINF: return 0;
	case AXT_OP_ISFINITE: return 1;
	case AXT_OP_AND: return a && b;
	case AXT_OP_OR: return a || b;
	case AXT_OP_NOT: return !a;
	case AXT_OP_EQ: return a == b;
	case AXT_OP_NE:
	case AXT_OP_DIFFER: return a != b;
	case AXT_OP_LT: return a < b;
	case AXT_OP_LE: return a <= b;
	case AXT_OP_GT: return a > b;
	case AXT_OP_GE: return a >= b;
	default: fail_msg("no integer reference for %s", axt_ops[op].name);
	}
	return 0;
}

/* Whether the kernels of an operation tell that an integer result does not fit. */
static bool
tells(int op)
{
	return op == AXT_OP_ADD || op == AXT_OP_SUB || op == AXT_OP_MUL || op == AXT_OP_POW ||
	    op == AXT_OP_SQUARE || op == AXT_OP_NEGATIVE || op == AXT_OP_ABSOLUTE ||
	    op == AXT_OP_FLOORDIV;
}

/* Whether the result y is not the true one. r is the true one modulo 2^64 for powers. */
static bool
differs(int op, __int128 y, __int128 a, __int128 b, __int128 r)
{
	return op == AXT_OP_POW ? powl((long double)a, (long double)b) != (long double)y : y != r;
}

static void
test_int_values(void **state)
{
	static struct map_case c;
	bool told, wraps;
	static _Alignas(64) char out[(NMAX + PAD) * 16];
	bool none[3] = { false, false, false };

	(void)state;
	for (int op = 0; op < AXT_NOPS; op++)
		for (int d = AXT_I8; d <= AXT_U64; d++) {
			struct axt_op_types t;

			if (!axt_op_types(op, d, &t) || t.comp != (enum axt_dtype)d ||
			    axt_ops[op].arity == 3 || op == AXT_OP_ABSDIFF)
				continue;
			fill_case(&c, op, d, &t);
			tame(&c);
			told = call(isas[0], &c, none, NMAX, 0, out) == AXT_KERN_WRAPPED;
			wraps = false;
			for (int64_t i = 0; i < NMAX; i++) {
				int s = axt_size(d), ks = axt_size(t.kout);
				__int128 a = load_int(d, c.in[0] + i * s),
					 b = c.arity > 1 ? load_int(d, c.in[1] + i * s) : 0;
				__int128 r = ref_int(op, a, b);

				if (memcmp(out + i * ks, &r, ks))
					fail_msg("%s %s(%lld, %lld)", axt_ops[op].name,
					    axt_dtypes[d].name, (long long)a, (long long)b);
				if (tells(op))
					wraps = wraps ||
					    differs(op, load_int(d, out + i * ks), a, b, r);
			}
			if (told != wraps)
				fail_msg("%s %s wraps: %d, and the kernel says %d",
				    axt_ops[op].name, axt_dtypes[d].name, wraps, told);
		}
}

static void
test_int_refused(void **state)
{
	int32_t a[100], b[100], y[100];
	const void *in[2] = { a, b };
	bool none[2] = { false, false }, second[2] = { false, true };

	(void)state;
	for (int k = 0; k < 100; k++)
		a[k] = b[k] = k + 1;
	b[77] = 0;
	b[78] = 0;
	for (int i = 0; i < nisas; i++) {
		int64_t bad = -1;

		isas[i]->map[AXT_I32](AXT_OP_FLOORDIV)(y, in, none, 100, &bad);
		assert_int_equal(bad, 77);
		bad = 5;
		isas[i]->map[AXT_I32](AXT_OP_MOD)(y, in, none, 100, &bad);
		assert_int_equal(bad, 5);
		bad = -1;
		isas[i]->map[AXT_I32](
		    AXT_OP_MOD)(y, (const void *[]){ a, b + 77 }, second, 100, &bad);
		assert_int_equal(bad, 0);
		bad = -1;
		isas[i]->map[AXT_I32](
		    AXT_OP_MOD)(y, (const void *[]){ a, b + 77 }, second, 0, &bad);
		assert_int_equal(bad, -1);
		b[3] = -1;
		isas[i]->map[AXT_I32](AXT_OP_POW)(y, in, none, 100, &bad);
		assert_int_equal(bad, 3);
		b[3] = 4;
		bad = -1;
		isas[i]->map[AXT_I32](
		    AXT_OP_INDEX)(y, (const void *[]){ a, a + 99 }, second, 99, &bad);
		assert_int_equal(bad, -1);
		isas[i]->map[AXT_I32](
		    AXT_OP_INDEX)(y, (const void *[]){ a, a + 98 }, second, 100, &bad);
		assert_int_equal(bad, 98);
		bad = -1;
		a[5] = -1;
		isas[i]->map[AXT_I32](
		    AXT_OP_INDEX)(y, (const void *[]){ a, a + 98 }, second, 100, &bad);
		assert_int_equal(bad, 5);
		a[5] = 6;
	}
}

static void
test_complex(void **state)
{
	double a[2] = { 1, 2 }, b[2] = { 3, -4 }, y[2], inf[2] = { INFINITY, 1 },
	       nan[2] = { NAN, 1 };
	const void *in[2] = { a, b };
	bool none[2] = { false, false };
	uint8_t t;
	int64_t bad = -1;

	(void)state;
#define C2(op, re, im)                                             \
	isas[0]->map[AXT_C128](AXT_OP_##op)(y, in, none, 1, &bad); \
	assert_true(fabs(y[0] - (re)) < 1e-15), assert_true(fabs(y[1] - (im)) < 1e-15)
	C2(ADD, 4, -2);
	C2(MUL, 11, 2);
	C2(DIV, -0.2, 0.4);
	C2(SQUARE, -3, 4);
	C2(RECIPROCAL, 0.2, -0.4);
	C2(CONJ, 1, -2);
	y[1] = 0;
	C2(ABSOLUTE, sqrt(5), 0);
	C2(ARG, atan2(2, 1), 0);
	C2(ABSDIFF, hypot(2, 6), 0);
	isas[0]->map[AXT_C128](AXT_OP_ISINF)(&t, (const void *[]){ inf }, none, 1, &bad);
	assert_int_equal(t, 1);
	isas[0]->map[AXT_C128](AXT_OP_DIFFER)(&t, (const void *[]){ nan, nan }, none, 1, &bad);
	assert_int_equal(t, 0);
	isas[0]->map[AXT_C128](AXT_OP_NE)(&t, (const void *[]){ nan, nan }, none, 1, &bad);
	assert_int_equal(t, 1);
}

/* ---- conversions ---- */

/* What NumPy gives; false: refused. Complex parts and f16 are compared by other means. */
static bool
conv_ref(enum axt_dtype to, long double x, __int128 *r)
{
	int bits = 8 * axt_size(to);
	bool sign = axt_dtypes[to].cls == AXT_CLASS_INT;
	__int128 lo = sign ? -((__int128)1 << (bits - 1)) : 0,
		 hi = ((__int128)1 << (bits - sign)) - 1;

	if (!(x > (long double)lo - 1 && x < (long double)hi + 1))
		return false;
	*r = (__int128)x;
	return true;
}

static void
test_conv(void **state)
{
	static _Alignas(64) char in[(NMAX + PAD) * 16], want[(NMAX + PAD) * 16],
	    got[(NMAX + PAD) * 16];

	(void)state;
	not_under_valgrind();
	for (int from = AXT_BOOL; from < AXT_NDTYPES; from++)
		for (int to = AXT_BOOL; to < AXT_NDTYPES; to++)
			for (int mode = 0; mode < 3; mode++) {
				int s = axt_size(from), k = axt_size(to);
				int64_t bad0 = -1;

				for (int64_t i = 0; i < NMAX; i++)
					put(from, in, i);
				isas[0]->conv[from](to, mode)(want, in, NMAX, &bad0);
				for (int i = 0; i < nisas; i++) {
					for (int64_t n = 0; n <= 70; n++) {
						int64_t bad = -1;
						int off = (int)(rnd() % PAD);

						isas[i]->conv[from](to, mode)(got + off * k,
						    in + off * s, n, &bad);
						if (bad0 < 0 || mode)
							check_same(axt_dtypes[from].name, to,
							    want + off * k, got + off * k, n);
					}
				}
				if (axt_dtypes[to].cls != AXT_CLASS_INT &&
				    axt_dtypes[to].cls != AXT_CLASS_UINT)
					assert_int_equal(bad0, -1);
			}
}

static long double
value_of(enum axt_dtype d, const void *p)
{
	if (d < AXT_F16)
		return (long double)load_int(d, p);
	return axt_load_f64(d, p);
}

static void
test_conv_to_int(void **state)
{
	(void)state;
	not_under_valgrind();
	for (int to = AXT_I8; to <= AXT_U64; to++)
		for (int from = AXT_BOOL; from <= AXT_F64; from++)
			for (int k = 0; k < 4000; k++) {
				char x[16], y[16];
				int64_t bad = -1;
				__int128 r = 0;
				long double v;
				bool ok;

				put(from, x, 0);
				v = value_of(from, x);
				ok = conv_ref(to, v, &r);
				isas[k % nisas]->conv[from](to, AXT_OVERFLOW_ERROR)(y, x, 1, &bad);
				if ((bad < 0) != ok || (ok && load_int(to, y) != r))
					fail_msg("%s %.17Lg to %s: %d", axt_dtypes[from].name, v,
					    axt_dtypes[to].name, (int)bad);
				isas[k % nisas]->conv[from](to, AXT_OVERFLOW_SATURATE)(y, x, 1,
				    &bad);
				if (!ok && !isnan(v)) {
					bool sign = axt_dtypes[to].cls == AXT_CLASS_INT;
					int bits = 8 * axt_size(to);

					r = v > 0  ? ((__int128)1 << (bits - sign)) - 1
					    : sign ? -((__int128)1 << (bits - 1))
						   : 0;
				}
				assert_true(load_int(to, y) == r);
				isas[k % nisas]->conv[from](to, AXT_OVERFLOW_WRAP)(y, x, 1, &bad);
				if (fabsl(v) < 0x1p100L) {
					__int128 w = (__int128)v;

					if (memcmp(y, &w, axt_size(to)))
						fail_msg("%s %.17Lg to %s wraps wrong",
						    axt_dtypes[from].name, v, axt_dtypes[to].name);
				}
			}
}

/* One rounding: f16 and bf16 neighbours are no nearer than the result, ties go to even. */
static void
test_conv_half(void **state)
{
	static const enum axt_dtype from[] = { AXT_F64, AXT_F32, AXT_I64, AXT_U64, AXT_I32, AXT_U32,
		AXT_U16 };

	(void)state;
	not_under_valgrind();
	for (int h = AXT_F16; h <= AXT_BF16; h++)
		for (int f = 0; f < ARRAY_LEN(from); f++)
			for (int k = 0; k < 20000; k++) {
				char x[16];
				uint16_t y;
				int64_t bad = -1;
				long double v, d[3];

				put(from[f], x, 0);
				v = value_of(from[f], x);
				isas[k % nisas]->conv[from[f]](h, AXT_OVERFLOW_ERROR)(&y, x, 1,
				    &bad);
				if (isnan(v) || fabsl(v) > (h == AXT_F16 ? 65000 : 3.3e38L))
					continue;
				for (int j = -1; j <= 1; j++) {
					uint16_t z = (uint16_t)(y + j);

					d[j + 1] = fabsl(v - axt_load_f64(h, &z));
				}
				if ((y & 0x7fff) == 0)
					d[0] = d[2];
				if (d[1] > d[0] || d[1] > d[2] ||
				    ((d[1] == d[0] || d[1] == d[2]) && y & 1))
					fail_msg("%s %.20Lg to %s %04x", axt_dtypes[from[f]].name,
					    v, axt_dtypes[h].name, y);
			}
}

/* ---- moves ---- */

static void
test_gather(void **state)
{
	static const int sizes[] = { 1, 2, 4, 8, 16 };
	static _Alignas(64) char in[1 << 21], out[1 << 20], want[1 << 20];

	(void)state;
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (char)rnd();
	for (int k = 0; k < 3000; k++) {
		int size = sizes[rnd() % 5];
		int64_t n0 = (int64_t)(rnd() % 70), n1 = (int64_t)(rnd() % 150),
			o0 = n1 + (int64_t)(rnd() % 5), s0, s1, base;
		const char *p;

		s0 = (int64_t)(rnd() % 7) - 3;
		s1 = (int64_t)(rnd() % 7) - 3;
		if (rnd() % 2) {
			s0 = 1;
			s1 = (rnd() % 2 ? 1 : -1) * (int64_t)(rnd() % 100 + 70);
		} else if (rnd() % 2) {
			s0 = 1;
			n0 = (int64_t)(rnd() % 20);
			s1 = n0 + (int64_t)(rnd() % 4);
		} else if (rnd() % 3 == 0) {
			s1 = 1;
		}
		base = (s0 < 0 ? -s0 * 70 : 0) + (s1 < 0 ? -s1 * 150 : 0);
		p = in + base * size;
		for (int i = 0; i < nisas; i++) {
			memset(out, 0, sizeof(out));
			memset(want, 0, sizeof(want));
			for (int64_t a = 0; a < n0; a++)
				for (int64_t b = 0; b < n1; b++)
					memcpy(want + (a * o0 + b) * size,
					    p + (a * s0 + b * s1) * size, size);
			isas[i]->gather2(out, o0, p, n0, n1, s0, s1, size);
			assert_memory_equal(out, want, sizeof(out));
		}
	}
}

/* Nothing is read behind the last element. */
static void
test_gather_end(void **state)
{
	static const int sizes[] = { 1, 2, 4, 8, 16 };
	int64_t page = 1 << 16;
	static _Alignas(64) char out[1 << 16], want[1 << 16];
	char *p = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);

	(void)state;
	assert_true(p != MAP_FAILED && mprotect(p + page, (size_t)page, PROT_NONE) == 0);
	for (int64_t i = 0; i < page; i++)
		p[i] = (char)rnd();
	for (int k = 0; k < 5; k++)
		for (int64_t n0 = 1; n0 < 20; n0++)
			for (int64_t n1 = 1; n1 < 70; n1++)
				for (int64_t s1 = n0; s1 < n0 + 3; s1++)
					for (int i = 0; i < nisas; i++) {
						int64_t size = sizes[k];
						const char *x = p + page -
						    ((n1 - 1) * s1 + n0) * size;

						for (int64_t a = 0; a < n0; a++)
							for (int64_t b = 0; b < n1; b++)
								memcpy(want + (a * n1 + b) * size,
								    x + (a + b * s1) * size,
								    (size_t)size);
						isas[i]->gather2(out, n1, x, n0, n1, 1, s1,
						    (int)size);
						assert_memory_equal(out, want,
						    (size_t)(n0 * n1 * size));
					}
	munmap(p, (size_t)page * 2);
}

static void
test_swap(void **state)
{
	char in[128], out[128];

	(void)state;
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (char)rnd();
	for (int size = 2; size <= 8; size *= 2)
		for (int k = 0; k < nisas; k++) {
			memcpy(out, in, 128);
			isas[k]->swap(out, 100 / size, size);
			for (int i = 0; i < 100 / size * size; i++)
				assert_true(out[i] == in[i / size * size + size - 1 - i % size]);
		}
}

/* ---- values from nothing ---- */

static void
philox_ref(uint32_t c[4], uint32_t k0, uint32_t k1)
{
	for (int r = 0; r < 10; r++, k0 += 0x9e3779b9, k1 += 0xbb67ae85) {
		uint64_t p = (uint64_t)0xd2511f53 * c[0], q = (uint64_t)0xcd9e8d57 * c[2];
		uint32_t t[4] = { (uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q,
			(uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p };

		memcpy(c, t, sizeof(t));
	}
}

static void
test_random(void **state)
{
	static uint64_t u[2000];
	static double x[2000], y[2000];
	uint32_t c[4] = { ~0u, ~0u, ~0u, ~0u }, z[4] = { 0 };
	static const uint32_t ones[4] = { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd };
	static const uint32_t zeros[4] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };
	double sum = 0, sq = 0;

	(void)state;
	philox_ref(c, ~0u, ~0u);
	philox_ref(z, 0, 0);
	assert_memory_equal(c, ones, sizeof(c));
	assert_memory_equal(z, zeros, sizeof(z));
	for (int i = 0; i < nisas; i++) {
		isas[i]->random(u, AXT_U64, 5, 1, 1000, 0x123456789abcdefu, false, 0, 0x1p64);
		for (int k = 0; k < 1000; k++) {
			uint32_t w[4] = { (uint32_t)(k + 5) / 2, 0, 0, 0 };
			int h = (k + 5) % 2 * 2;

			philox_ref(w, 0x89abcdefu, 0x01234567u);
			assert_true(u[k] == ((uint64_t)w[h + 1] << 32 | w[h]));
		}
		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
			for (int normal = 0; normal < 2; normal++) {
				int s = axt_size(d);

				isas[0]->random(x, d, 1000, 3, 700, 42, normal, -1, 5);
				isas[i]->random(y, d, 1000, 3, 700, 42, normal, -1, 5);
				assert_memory_equal(x, y, 700 * s);
				isas[i]->random(y, d, 1000 + 3 * 77, 3, 1, 42, normal, -1, 5);
				assert_memory_equal((char *)x + 77 * s, y, s);
				isas[i]->random(y, d, 1000, 1, 700, 42, normal, -1, 5);
				assert_memory_equal((char *)x + 77 * s, (char *)y + 3 * 77 * s, s);
				for (int k = 0; k < 700 && !normal && d <= AXT_F64; k++) {
					double v = axt_load_f64(d, (char *)x + k * s);

					if (axt_dtypes[d].cls != AXT_CLASS_UINT && d != AXT_BOOL)
						assert_true(v >= -1 && v <= 5);
				}
			}
	}
	isas[0]->random(x, AXT_F64, 0, 1, 2000, 7, true, 3, 2);
	for (int k = 0; k < 2000; k++) {
		sum += x[k];
		sq += (x[k] - 3) * (x[k] - 3);
	}
	assert_true(fabs(sum / 2000 - 3) < 0.2 && fabs(sq / 2000 - 4) < 0.6);
}

static void
test_iota(void **state)
{
	int16_t a[600];
	float f[600];
	uint64_t u[3];

	(void)state;
	for (int i = 0; i < nisas; i++) {
		isas[i]->iota(a, AXT_I16, 10, 2, 600, 32000, 1);
		isas[i]->iota(f, AXT_F32, 10, 2, 600, 0.5, 0.25);
		for (int k = 0; k < 600; k++) {
			assert_int_equal(a[k], (int16_t)(32010 + 2 * k));
			assert_true(f[k] == 0.5f + 0.25f * (float)(10 + 2 * k));
		}
		isas[i]->iota(u, AXT_U64, 0, 1, 3, 0x1p63, 1);
		assert_true(u[2] == ((uint64_t)1 << 63) + 2);
	}
}

/* ---- reductions ---- */

/* A model of the contract for sums: lanes, pairwise, blocks merged with compensation. */
static double
model_sum(enum axt_dtype d, const void *x, const double *w, int64_t n, int kind, bool skip,
    int64_t *left)
{
	double s = 0, c = 0;

	*left = 0;
	for (int64_t b = 0; b < n; b += AXT_BLOCK) {
		double l[16] = { 0 }, t, z;

		for (int64_t i = b; i < MIN(b + AXT_BLOCK, n); i++) {
			double v = axt_load_f64(d, (const char *)x + i * axt_size(d));

			if (skip && isnan(v))
				continue;
			++*left;
			v = kind == 1 ? fabs(v) : kind == 2 ? v * v : v;
			l[(i - b) % 16] += w ? v * w[i] : v;
		}
		for (int h = 8; h; h /= 2)
			for (int i = 0; i < h; i++)
				l[i] += l[i + h];
		t = s + l[0];
		z = t - s;
		c += (s - (t - z)) + (l[0] - z);
		s = t;
	}
	return isfinite(s) ? s + c : s;
}

struct state {
	struct axt_acc a;
	int64_t v[4][64];
};

static void
state_init(struct state *s)
{
	memset(s->v, 0x77, sizeof(s->v));
	for (int q = 0; q < 4; q++)
		s->a.p[q] = s->v[q];
}

static const struct axt_red_fns *
fns(const struct axt_kern_isa *isa, enum axt_red op, enum axt_dtype in, bool skip, bool weighted)
{
	const struct axt_red_fns *f = isa->sums[in](op, skip, weighted);

	f = f ? f : isa->folds[in](op, skip, weighted);
	f = f ? f : isa->extremes[in](op, skip, weighted);
	return f ? f : isa->moments[in](op, skip, weighted);
}

/* The result of a whole run, its blocks merged in order. */
static int64_t
reduce(const struct axt_red_fns *f, const void *x, const double *w, int64_t n, double ddof)
{
	struct state a, b;
	int64_t out = 0;

	state_init(&a);
	state_init(&b);
	f->init(&a.a, 3, 1);
	for (int64_t i = 0; i < n; i += AXT_BLOCK) {
		f->block(&b.a, 5, (const char *)x + i * axt_size(f->in), w ? w + i : NULL,
		    MIN(n - i, AXT_BLOCK), i);
		f->merge(&a.a, 3, &b.a, 5, 1);
	}
	f->finish(&out, &a.a, 3, 1, n, ddof);
	return out;
}

static double
reduce_f64(enum axt_red op, const double *x, const double *w, int64_t n, bool skip, double ddof)
{
	int64_t r = reduce(fns(isas[0], op, AXT_F64, skip, w != NULL), x, w, n, ddof);
	double v;

	memcpy(&v, &r, sizeof(v));
	return v;
}

/* Data that keeps sums finite, with some NaN. */
static void
fill_red(enum axt_dtype d, void *x, int64_t n, bool nans)
{
	for (int64_t i = 0; i < n; i++) {
		put(d, x, i);
		if (axt_dtypes[d].cls == AXT_CLASS_FLOAT) {
			double v = nans && rnd() % 9 == 0
			    ? (double)NAN
			    : ldexp((double)(int64_t)rnd(), (int)(rnd() % 60) - 90);

			if (d == AXT_F32)
				((float *)x)[i] = (float)v;
			else
				((double *)x)[i] = v;
		}
	}
}

/*
 * Every reduction: the same bits on each ISA; rows are blocks of one element; other ways in give
 * the same.
 */
static void
test_red_same(void **state)
{
	static const enum axt_dtype ins[] = { AXT_F32, AXT_F64, AXT_I64, AXT_U64 };
	static double x[5000], w[5000];

	(void)state;
	for (int64_t i = 0; i < 5000; i++)
		w[i] = rnd() % 8 ? (double)(rnd() % 1000) / 100 : 0;
	for (int op = 0; op < AXT_NREDS; op++)
		for (int v = 0; v < 4; v++)
			for (int k = 0; k < 4; k++)
				for (int pass = 0; pass < 60; pass++) {
					bool skip = v & 1, weighted = v & 2;
					const struct axt_red_fns *f = fns(isas[0], op, ins[k], skip,
					    weighted);
					int64_t n = pass < 40 ? pass : (int64_t)(rnd() % 5000),
						cols = 1 + (int64_t)(rnd() % 40), rows;
					const double *u = weighted ? w : NULL;
					struct state a, b, c;
					int64_t o1[64], o2[64], want;
					int os;

					if (!f || (weighted && !axt_reds[op].weighted) ||
					    (n == 0 && !axt_reds[op].empty_ok))
						continue;
					os = axt_size(f->out);
					fill_red(ins[k], x, 5000, skip || pass % 5 == 0);
					want = reduce(f, x, u, n, 1);
					rows = n / cols;
					state_init(&a);
					f->init(&a.a, 0, cols);
					f->rows(&a.a, 0, x, u, rows, cols, cols, 10, 2);
					f->finish(o1, &a.a, 0, cols, rows, 0);
					for (int i = 0; i < nisas; i++) {
						const struct axt_red_fns *g = fns(isas[i], op,
						    ins[k], skip, weighted);
						int64_t got = reduce(g, x, u, n, 1);

						assert_int_equal(g->planes, f->planes);
						check_same(axt_reds[op].name, f->out, &want, &got,
						    1);
						state_init(&b);
						state_init(&c);
						g->init(&b.a, 0, cols);
						for (int64_t r = 0; r < rows; r++)
							for (int64_t j = 0; j < cols; j++) {
								g->block(&c.a, 0,
								    (char *)x +
									(r * cols + j) *
									    axt_size(ins[k]),
								    u ? u + r * cols + j : NULL, 1,
								    10 + 2 * r);
								g->merge(&b.a, j, &c.a, 0, 1);
							}
						g->finish(o2, &b.a, 0, cols, rows, 0);
						if (rows || axt_reds[op].empty_ok)
							check_same(axt_reds[op].name, f->out, o1,
							    o2, cols);
						(void)os;
					}
				}
}

/* Blocks side by side are blocks one by one, to the bit, and merge as such. */
static void
test_red_side(void **state)
{
	static const enum axt_dtype ins[] = { AXT_F32, AXT_F64, AXT_I64, AXT_U64 };
	static const int64_t lengths[] = { 1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 40 };
	enum { COLS = 64, MOST = 150 };
	static _Alignas(64) char x[41 * 200 * 8], one[41 * 8];
	static double w[41 * MOST], u[41];
	static int64_t v[2][4][MOST];
	struct axt_acc a, b;

	(void)state;
	for (int q = 0; q < 4; q++) {
		a.p[q] = v[0][q];
		b.p[q] = v[1][q];
	}
	for (int i = 0; i < ARRAY_LEN(w); i++)
		w[i] = rnd() % 8 ? (double)(rnd() % 1000) / 100 : 0;
	for (int op = 0; op < AXT_NREDS; op++)
		for (int k = 0; k < 4 * 4 * ARRAY_LEN(lengths); k++) {
			enum axt_dtype d = ins[k % 4];
			bool skip = k / 4 % 2, weighted = k / 8 % 2;
			int64_t n = lengths[k / 16],
				m = k % 3 ? COLS + (int64_t)(rnd() % (MOST - COLS - 2))
					  : 1 + (int64_t)(rnd() % 9),
				ld = rnd() % 4 ? m + (int64_t)(rnd() % 40)
					       : 1 + (int64_t)(rnd() % 3),
				o1[MOST], o2[MOST];
			const int size = axt_size(d);

			fill_red(d, x, 41 * 200, skip || k % 5 == 0);
			for (int i = 0; i < (int)sizeof(x) && k % 7 == 0; i++) /* -0 */
				x[i] = i % size == size - 1 ? (char)0x80 : 0;
			for (int i = 0; i < nisas; i++) {
				const struct axt_red_fns *f = fns(isas[i], op, d, skip, weighted);

				if (!f || !f->blocks || (weighted && !axt_reds[op].weighted))
					continue;
				memset(v, 0x77, sizeof(v));
				f->blocks(&a, 1, x, weighted ? w : NULL, n, m, ld);
				for (int64_t j = 0; j < m; j++) {
					for (int64_t e = 0; e < n; e++) {
						memcpy(one + e * size, x + (e * ld + j) * size,
						    (size_t)size);
						u[e] = w[e * m + j];
					}
					f->block(&b, 1 + j, one, weighted ? u : NULL, n, 0);
				}
				for (int pass = 0; pass < 2; pass++) {
					f->finish(o1, &a, 1, m, n, 1);
					f->finish(o2, &b, 1, m, n, 1);
					check_same(axt_reds[op].name, f->out, o2, o1, m);
					assert_true(v[0][0][m + 1] == 0x7777777777777777);
					f->merge(&a, 1, &a, 1, m); /* with themselves */
					for (int64_t j = 0; j < m; j++)
						f->merge(&b, 1 + j, &b, 1 + j, 1);
				}
			}
		}
}

static void
test_red_values(void **state)
{
	static double x[3000], w[3000], z[] = { 3, NAN, -7, NAN, 5, 5, -7 }, n[] = { NAN, NAN };
	static float f[3000];
	int64_t left;

	(void)state;
	fill_red(AXT_F64, x, 3000, true);
	fill_red(AXT_F32, f, 3000, true);
	for (int i = 0; i < 3000; i++)
		w[i] = (double)(rnd() % 100) / 7;
	for (int64_t k = 0; k < 3000; k += 1 + k / 3)
		for (int skip = 0; skip < 2; skip++) {
			IS(reduce_f64(AXT_RED_SUM, x, NULL, k, false, 0),
			    model_sum(AXT_F64, x, NULL, k, 0, false, &left));
			IS(reduce_f64(AXT_RED_SUMSQ, x, NULL, k, false, 0),
			    model_sum(AXT_F64, x, NULL, k, 2, false, &left));
			if (k > 20) {
				IS(reduce_f64(AXT_RED_SUM, x, NULL, k, true, 0),
				    model_sum(AXT_F64, x, NULL, k, 0, true, &left));
				IS(reduce_f64(AXT_RED_NORM1, x, NULL, k, true, 0),
				    model_sum(AXT_F64, x, NULL, k, 1, true, &left));
				IS(reduce_f64(AXT_RED_SUM, x, w, k, true, 0),
				    model_sum(AXT_F64, x, w, k, 0, true, &left));
				IS(reduce_f64(AXT_RED_MEAN, x, NULL, k, true, 0),
				    model_sum(AXT_F64, x, NULL, k, 0, true, &left) / (double)left);
				IS(reduce_f64(AXT_RED_RMS, x, NULL, k, true, 0),
				    sqrt(model_sum(AXT_F64, x, NULL, k, 2, true, &left) /
					(double)left));
			}
		}
	IS(reduce_f64(AXT_RED_SUM, z, NULL, 0, false, 0), 0);
	IS(reduce_f64(AXT_RED_PROD, z, NULL, 0, false, 0), 1);
	IS(reduce_f64(AXT_RED_MEAN, z, NULL, 0, false, 0), NAN);
	IS(reduce_f64(AXT_RED_MIN, z, NULL, 7, false, 0), NAN);
	IS(reduce_f64(AXT_RED_MIN, z, NULL, 7, true, 0), -7);
	IS(reduce_f64(AXT_RED_MAX, z, NULL, 7, true, 0), 5);
	IS(reduce_f64(AXT_RED_PTP, z, NULL, 7, true, 0), 12);
	IS(reduce_f64(AXT_RED_PROD, z, NULL, 7, true, 0), 3 * 7 * 25 * 7.0);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_ARGMIN, AXT_F64, false, false), z, NULL, 7, 0),
	    1);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_ARGMIN, AXT_F64, true, false), z, NULL, 7, 0),
	    2);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_ARGMAX, AXT_F64, true, false), z, NULL, 7, 0),
	    4);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_COUNT, AXT_F64, false, false), z, NULL, 7, 0),
	    5);
	for (int op = 0; op < AXT_NREDS; op++)
		if (op != AXT_RED_COUNT && op != AXT_RED_ANY && op != AXT_RED_ALL &&
		    op != AXT_RED_ARGMIN && op != AXT_RED_ARGMAX && !axt_red_selects(op))
			IS(reduce_f64(op, n, NULL, 2, true, 0), NAN);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_ARGMAX, AXT_F64, true, false), n, NULL, 2, 0),
	    -1);
	assert_int_equal(reduce(fns(isas[0], AXT_RED_COUNT, AXT_F64, true, false), n, NULL, 2, 0),
	    0);
	assert_int_equal(
	    (uint8_t)reduce(fns(isas[0], AXT_RED_ANY, AXT_F64, true, false), n, NULL, 2, 0), 0);
	IS(reduce_f64(AXT_RED_VAR, (double[]){ 1, 2, 3, 4 }, NULL, 4, false, 0), 1.25);
	IS(reduce_f64(AXT_RED_VAR, (double[]){ 1, 2, NAN, 3, 4 }, NULL, 5, true, 1), 5.0 / 3);
	IS(reduce_f64(AXT_RED_VAR, (double[]){ 1 }, NULL, 1, false, 1), NAN);
	IS(reduce_f64(AXT_RED_STD, (double[]){ 1, 3 }, (double[]){ 1, 3 }, 2, false, 0),
	    sqrt(0.75));
	IS(reduce_f64(AXT_RED_LOGSUMEXP, (double[]){ 1000, 1000 }, NULL, 2, false, 0),
	    1000 + log(2));
	IS(reduce_f64(AXT_RED_LOGSUMEXP, (double[]){ -INFINITY, 3 }, NULL, 2, false, 0), 3);
	IS(reduce_f64(AXT_RED_LOGSUMEXP, (double[]){ -INFINITY, -INFINITY }, NULL, 2, false, 0),
	    -INFINITY);
	IS(reduce_f64(AXT_RED_LOGSUMEXP, (double[]){ INFINITY, 3 }, NULL, 2, false, 0), INFINITY);
	IS(reduce_f64(AXT_RED_LOGSUMEXP, (double[]){ NAN, 3 }, NULL, 2, false, 0), NAN);
	IS(reduce_f64(AXT_RED_SUM, (double[]){ 1e308, 1e308, 1 }, NULL, 3, false, 0), INFINITY);
}

/* var of many values with a large mean, against long double. */
static void
test_red_var(void **state)
{
	static double x[20000];
	long double m = 0, v = 0;
	double got;

	(void)state;
	for (int i = 0; i < 20000; i++)
		m += x[i] = 1e6 + (double)(rnd() % 1000) / 1000;
	m /= 20000;
	for (int i = 0; i < 20000; i++)
		v += (x[i] - m) * (x[i] - m);
	got = reduce_f64(AXT_RED_VAR, x, NULL, 20000, false, 0);
	assert_true(fabsl(got - v / 20000) < 1e-9L * v / 20000);
}

static void
test_red_int(void **state)
{
	int64_t a[] = { INT64_MAX, 1, -5, INT64_MIN };
	uint64_t u[] = { UINT64_MAX, 2, 7 };
	enum axt_dtype res;
	struct axt_err e = { 0 };

	(void)state;
	assert_int_equal(axt_kern_init(&e), AXT_OK);
	assert_true(reduce(axt_kern_red(AXT_RED_SUM, AXT_I64, true, false, &res), a, NULL, 2, 0) ==
	    INT64_MIN);
	assert_int_equal(res, AXT_I64);
	assert_true(reduce(axt_kern_red(AXT_RED_MIN, AXT_I64, true, false, &res), a, NULL, 4, 0) ==
	    INT64_MIN);
	assert_true(
	    reduce(axt_kern_red(AXT_RED_ARGMAX, AXT_I64, true, false, &res), a, NULL, 4, 0) == 0);
	assert_true(
	    reduce(axt_kern_red(AXT_RED_PTP, AXT_U64, false, false, &res), u, NULL, 3, 0) == -3);
	assert_int_equal(res, AXT_U64);
	assert_true(reduce(axt_kern_red(AXT_RED_NORM1, AXT_I64, false, false, &res), a + 1, NULL, 2,
			0) == 6);
	assert_int_equal(axt_kern_red(AXT_RED_MEAN, AXT_I16, false, false, &res)->in, AXT_F64);
	assert_int_equal(res, AXT_F64);
	axt_kern_red(AXT_RED_SUM, AXT_U8, false, false, &res);
	assert_int_equal(res, AXT_U64);
	axt_kern_red(AXT_RED_SUM, AXT_BOOL, false, false, &res);
	assert_int_equal(res, AXT_I64);
	axt_kern_red(AXT_RED_MAX, AXT_I16, false, false, &res);
	assert_int_equal(res, AXT_I16);
	assert_int_equal(axt_kern_red(AXT_RED_MEAN, AXT_F16, false, false, &res)->in, AXT_F32);
	assert_int_equal(res, AXT_F16);
	axt_kern_red(AXT_RED_SUM, AXT_C64, false, false, &res);
	assert_int_equal(res, AXT_C64);
	assert_int_equal(axt_kern_red(AXT_RED_PROD, AXT_C128, false, false, &res)->in, AXT_F64);
	assert_null(axt_kern_red(AXT_RED_MAX, AXT_C64, false, false, &res));
	assert_int_equal(axt_kern_red(AXT_RED_VAR, AXT_I32, false, false, &res)->in, AXT_F64);
	assert_int_equal(axt_kern_red(AXT_RED_VAR, AXT_U64, false, true, &res)->in, AXT_U64);
	assert_null(axt_kern_red(AXT_RED_MAX, AXT_F64, false, true, &res));
	for (int op = 0; op < AXT_NREDS; op++)
		for (int d = 0; d < AXT_C64; d++)
			if (axt_red_selects(op)) /* not made of states */
				assert_null(axt_kern_red(op, d, true, false, &res));
			else if (op != AXT_RED_PTP || d != AXT_BOOL)
				assert_non_null(
				    axt_kern_red(op, d, true, axt_reds[op].weighted, &res));
}

/* ---- products of matrices ---- */

enum { GM = 31, GN = 70, GK = 9 };

/* c += or = a b, [m][k] by [k][n], one chain of multiply-adds an element (two for complex). */
static void
gemm_reference(enum axt_dtype d, void *c, const void *a, const void *b, int m, int n, int k,
    bool add)
{
	int parts = d == AXT_C64 || d == AXT_C128 ? 2 : 1;

	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			for (int q = 0; q < parts; q++) {
				double s = 0, t = 0;
				float f = 0, g = 0;
				uint64_t u = 0;
				int to = (i * n + j) * parts + q;

				for (int l = 0; l < k; l++) {
					int x = (i * k + l) * parts, y = (l * n + j) * parts;

					if (d == AXT_F64 || d == AXT_C128) {
						s = fma(((double *)a)[x], ((double *)b)[y + q], s);
						t = parts == 2 ? fma(((double *)a)[x + 1],
								     ((double *)b)[y + !q], t)
							       : 0;
					} else if (d == AXT_F32 || d == AXT_C64) {
						f = fmaf(((float *)a)[x], ((float *)b)[y + q], f);
						g = parts == 2 ? fmaf(((float *)a)[x + 1],
								     ((float *)b)[y + !q], g)
							       : 0;
					} else {
						u += ((uint64_t *)a)[x] * ((uint64_t *)b)[y];
					}
				}
				if (d == AXT_F64 || d == AXT_C128)
					((double *)c)[to] = (add ? ((double *)c)[to] : 0) +
					    (q ? s + t : s - t);
				else if (d == AXT_F32 || d == AXT_C64)
					((float *)c)[to] = (add ? ((float *)c)[to] : 0) +
					    (q ? f + g : f - g);
				else
					((uint64_t *)c)[to] = (add ? ((uint64_t *)c)[to] : 0) + u;
			}
}

/* Rows or columns i < n of x[i*si + l*sl] in panels of w, zeros behind. */
static void
gemm_pack(char *out, const char *x, int n, int k, int si, int sl, int w, int size)
{
	memset(out, 0, (size_t)((n + w - 1) / w * w * k * size));
	for (int i = 0; i < n; i++)
		for (int l = 0; l < k; l++)
			memcpy(out + ((i / w * k + l) * w + i % w) * size,
			    x + (i * si + l * sl) * size, (size_t)size);
}

static const enum axt_dtype gemm_dtypes[] = { AXT_F32, AXT_F64, AXT_C64, AXT_C128, AXT_I64,
	AXT_U64 };

/* n 8-byte words that are numbers of dtype d. */
static void
gemm_fill(enum axt_dtype d, double *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = (double)rnd() / 0x1p63 - 1;
	for (int i = 0; i < n && (d == AXT_F32 || d == AXT_C64); i++)
		((float *)x)[i] = (float)((double)rnd() / 0x1p63 - 1);
}

static void
test_gemm(void **state)
{
	static _Alignas(64) double a[GM * GK * 2], b[GK * GN * 2], c[GM * GN * 2],
	    want[GM * GN * 2], left[(GM + 64) * GK * 2], right[GK * (GN + 64) * 2];

	(void)state;
	for (int t = 0; t < 400; t++) {
		enum axt_dtype d = gemm_dtypes[t % 6];
		int size = axt_size(d), m = 1 + (int)(rnd() % GM), n = 1 + (int)(rnd() % GN),
		    k = (int)(rnd() % (GK + 1));
		bool add = t & 1;

		gemm_fill(d, a, GM * GK * 2);
		gemm_fill(d, b, GK * GN * 2);
		for (int i = 0; i < nisas; i++) {
			const struct axt_gemm_fns *f = isas[i]->gemm[d]();

			memset(c, 0, sizeof(c));
			memset(want, 0, sizeof(want));
			gemm_reference(d, want, a, b, m, n, k, false);
			if (add)
				gemm_reference(d, want, a, b, m, n, k, true);
			gemm_pack((char *)left, (char *)a, m, k, k, 1, f->mr, size);
			gemm_pack((char *)right, (char *)b, n, k, 1, n, f->nr, size);
			for (int r = 0; r <= add; r++)
				f->multiply(c, n, left, right, m, n, k, r > 0);
			assert_memory_equal(c, want, sizeof(c));
		}
	}
	assert_null(axt_kern_gemm(AXT_F16));
	assert_null(axt_kern_gemm(AXT_BOOL));
}

enum { SIDE_MOST = 9, SIDE_LANES = 3 * AXT_ACROSS, SIDE_ROOM = SIDE_MOST * SIDE_MOST * SIDE_LANES };

/*
 * Element e of a matrix to its place beside others; turned: from [columns][rows], which is
 * [rows][columns] there.
 */
static void
gemm_beside(char *out, const char *x, int rows, int cols, bool turned, int lane, int lanes,
    int size)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			memcpy(out + ((turned ? j * rows + i : i * cols + j) * lanes + lane) * size,
			    x + (i * cols + j) * size, (size_t)size);
}

/* Small matrices side by side: the bits of a chain of multiply-adds, in every layout. */
static void
test_gemm_across(void **state)
{
	static _Alignas(64) double left[SIDE_ROOM * 2], right[SIDE_ROOM * 2], c[SIDE_ROOM * 2],
	    want[SIDE_ROOM * 2];
	double a[SIDE_MOST * SIDE_MOST * 2], b[SIDE_MOST * SIDE_MOST * 2],
	    one[SIDE_MOST * SIDE_MOST * 2];

	(void)state;
	for (int t = 0; t < 240; t++) {
		enum axt_dtype d = gemm_dtypes[t % 6];
		int size = axt_size(d), m = 1 + (int)(rnd() % SIDE_MOST),
		    n = 1 + (int)(rnd() % SIDE_MOST), k = 1 + (int)(rnd() % SIDE_MOST),
		    lanes = AXT_ACROSS * (1 + (int)(rnd() % 3));
		const bool k_last[2] = { rnd() & 1, rnd() & 1 };

		memset(want, 0, sizeof(want));
		for (int lane = 0; lane < lanes; lane++) {
			gemm_fill(d, a, ARRAY_LEN(a));
			gemm_fill(d, b, ARRAY_LEN(b));
			gemm_reference(d, one, a, b, m, n, k, false);
			gemm_beside((char *)left, (char *)a, m, k, !k_last[0], lane, lanes, size);
			gemm_beside((char *)right, (char *)b, k, n, k_last[1], lane, lanes, size);
			gemm_beside((char *)want, (char *)one, m, n, false, lane, lanes, size);
		}
		for (int i = 0; i < nisas; i++) {
			memset(c, 0, sizeof(c));
			isas[i]->gemm[d]()->across(c, left, right, m, n, k, k_last, lanes);
			assert_memory_equal(c, want, sizeof(c));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_maps_same),
		cmocka_unit_test(test_real_values),
		cmocka_unit_test(test_real_corners),
		cmocka_unit_test(test_floormod),
		cmocka_unit_test(test_int_values),
		cmocka_unit_test(test_int_refused),
		cmocka_unit_test(test_complex),
		cmocka_unit_test(test_conv),
		cmocka_unit_test(test_conv_to_int),
		cmocka_unit_test(test_conv_half),
		cmocka_unit_test(test_gather),
		cmocka_unit_test(test_gather_end),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_iota),
		cmocka_unit_test(test_red_same),
		cmocka_unit_test(test_red_side),
		cmocka_unit_test(test_red_values),
		cmocka_unit_test(test_red_var),
		cmocka_unit_test(test_red_int),
		cmocka_unit_test(test_gemm),
		cmocka_unit_test(test_gemm_across),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
