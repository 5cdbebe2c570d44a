/*
 * lanes.h - vectors of numbers, one for each lane, real (vec) or complex (cvec). A source that
 * includes this is compiled once for each instruction set. Functions that depend on PARTS, the
 * parts of a number (1 real, 2 complex), are in files that such a source includes twice.
 */
#ifndef AXT_LINALG_LANES_H
#define AXT_LINALG_LANES_H

#include "kern/isa.h"
#include "linalg/linalg.h"

#define LANES (VEC_BYTES / 8)

typedef double vec __attribute__((vector_size(VEC_BYTES), may_alias));
typedef int64_t mask __attribute__((vector_size(VEC_BYTES))); /* all bits of a lane, or none */
typedef struct {
	vec re, im;
} cvec;

INLINE vec
all(double x)
{
	return x - (vec){ 0 };
}

INLINE vec
v_sqrt(vec a)
{
	return (vec)SQRT_F64(a);
}

INLINE vec
v_abs(vec a)
{
	return (vec)((mask)a & INT64_MAX);
}

/* a where m is true, else b */
INLINE vec
v_select(mask m, vec a, vec b)
{
	return (vec)((m & (mask)a) | (~m & (mask)b));
}

INLINE vec
v_max(vec a, vec b)
{
	return v_select(a > b, a, b);
}

INLINE unsigned
lanes_of(mask m)
{
	return (unsigned)SIGNS_F64((vec)m);
}

/* 1 with the sign of a; 1 for both zeros. */
INLINE vec
v_sign(vec a)
{
	return v_select(a < all(0), all(-1), all(1));
}

/* The greatest power of two that is not above a, a normal number; for less, the least one. */
INLINE vec
v_power(vec a)
{
	return v_max((vec)((mask)a & 0x7ff0000000000000), all(0x1p-1022));
}

/* ---- the same words for real and for complex numbers ---- */

INLINE vec
neg_r(vec a)
{
	return -a;
}
INLINE cvec
neg_c(cvec a)
{
	return (cvec){ -a.re, -a.im };
}

INLINE vec
conj_r(vec a)
{
	return a;
}
INLINE cvec
conj_c(cvec a)
{
	return (cvec){ a.re, -a.im };
}

INLINE vec
mul_r(vec a, vec b)
{
	return a * b;
}
INLINE cvec
mul_c(cvec a, cvec b)
{
	return (
	    cvec){ (vec)FNMA_F64(a.im, b.im, a.re * b.re), (vec)FMA_F64(a.im, b.re, a.re * b.im) };
}

/* a + b * c */
INLINE vec
muladd_r(vec a, vec b, vec c)
{
	return (vec)FMA_F64(b, c, a);
}
INLINE cvec
muladd_c(cvec a, cvec b, cvec c)
{
	return (cvec){ (vec)FNMA_F64(b.im, c.im, FMA_F64(b.re, c.re, a.re)),
		(vec)FMA_F64(b.im, c.re, FMA_F64(b.re, c.im, a.im)) };
}

INLINE vec
scale_r(vec a, vec s)
{
	return a * s;
}
INLINE cvec
scale_c(cvec a, vec s)
{
	return (cvec){ a.re * s, a.im * s };
}

/* |re| + |im| */
INLINE vec
size_r(vec a)
{
	return v_abs(a);
}
INLINE vec
size_c(cvec a)
{
	return v_abs(a.re) + v_abs(a.im);
}

/* The square of the absolute value. */
INLINE vec
square_r(vec a)
{
	return a * a;
}
INLINE vec
square_c(cvec a)
{
	return (vec)FMA_F64(a.im, a.im, a.re * a.re);
}

/* The absolute value; that of a complex number's parts must have a square. */
INLINE vec
abs_r(vec a)
{
	return v_abs(a);
}
INLINE vec
abs_c(cvec a)
{
	return v_sqrt(square_c(a));
}

INLINE vec
real_r(vec a)
{
	return a;
}
INLINE vec
real_c(cvec a)
{
	return a.re;
}

INLINE vec
select_r(mask m, vec a, vec b)
{
	return v_select(m, a, b);
}
INLINE cvec
select_c(mask m, cvec a, cvec b)
{
	return (cvec){ v_select(m, a.re, b.re), v_select(m, a.im, b.im) };
}

/* 1 / a; parts of a complex number are scaled by the greater one, so that no square overflows. */
INLINE vec
inverse_r(vec a)
{
	return all(1) / a;
}
INLINE cvec
inverse_c(cvec a)
{
	vec s = v_power(v_max(v_abs(a.re), v_abs(a.im)));
	cvec b = { a.re / s, a.im / s };
	vec d = square_c(b) * s;

	return (cvec){ b.re / d, -b.im / d };
}

INLINE vec
div_r(vec a, vec b)
{
	return a / b;
}
INLINE cvec
div_c(cvec a, cvec b)
{
	return mul_c(a, inverse_c(b));
}

/* The number of size 1 that makes a real and positive. */
INLINE vec
unit_r(vec a)
{
	return v_sign(a);
}
INLINE cvec
unit_c(cvec a)
{
	return scale_c(conj_c(a), all(1) / v_sqrt(square_c(a)));
}

#define OF(name, a) _Generic((a), vec : name##_r, cvec : name##_c)
#define NEG(a) OF(neg, a)(a)
#define CONJ(a) OF(conj, a)(a)
#define MUL(a, b) OF(mul, a)(a, b)
#define MULADD(a, b, c) OF(muladd, a)(a, b, c)
#define MULSUB(a, b, c) OF(muladd, a)(a, NEG(b), c)
#define SCALE(a, s) OF(scale, a)(a, s)
#define SIZE(a) OF(size, a)(a)
#define SQUARE(a) OF(square, a)(a)
#define ABS(a) OF(abs, a)(a)
#define REAL(a) OF(real, a)(a)
#define SELECT(m, a, b) OF(select, a)(m, a, b)
#define DIV(a, b) OF(div, a)(a, b)
#define INVERSE(a) OF(inverse, a)(a)
#define UNIT(a) OF(unit, a)(a)

/* A real number as one of either kind. */
INLINE vec
from_r(vec a)
{
	return a;
}
INLINE cvec
from_c(vec a)
{
	return (cvec){ a, all(0) };
}

/* In files that are included with PARTS set: the type of a number, and names for both kinds. */
#define NUM_1 vec
#define NUM_2 cvec
#define FROM_1 from_r
#define FROM_2 from_c
#define num CAT(NUM_, PARTS)
#define FROM CAT(FROM_, PARTS)
#define PARTS_NAME(stem) CAT4(CAT4(axt_, stem, _, PARTS), _, AXT_ISA, )

/* Where element `at` of an array of matrices begins, counted in doubles. */
#define PLACE(at) ((size_t)(at)*LANES * PARTS)

/* The functions of the table, which all sources of an instruction set define together. */
#define TABLE(parts)                                                                             \
	unsigned CAT4(axt_lu_, parts, _, AXT_ISA)(double *a, int n, int *exchange);              \
	void CAT4(axt_lu_solve_, parts, _, AXT_ISA)(const double *a, int n, const int *exchange, \
	    double *b, int k);                                                                   \
	unsigned CAT4(axt_cholesky_, parts, _, AXT_ISA)(double *a, int n);                       \
	void CAT4(axt_qr_, parts, _, AXT_ISA)(double *a, int m, int n, double *q, int k);        \
	void CAT4(axt_mul_, parts, _, AXT_ISA)(int m, int k, int n, const double *a,             \
	    const double *b, double *c);                                                         \
	void CAT4(axt_turn_, parts, _, AXT_ISA)(double *u, int m, int n, double *v, int rows);   \
	void CAT4(axt_eigh_, parts, _, AXT_ISA)(double *a, int n, double *w, double *v);         \
	void CAT4(axt_svd_, parts, _, AXT_ISA)(double *a, int m, int n, double *s, double *v);
TABLE(1)
TABLE(2)
axt_load_fn ISA_NAME(load_f64_1), ISA_NAME(load_f64_2), ISA_NAME(load_f32_1), ISA_NAME(load_f32_2);
axt_store_fn ISA_NAME(store_f64_1), ISA_NAME(store_f64_2), ISA_NAME(store_f32_1),
    ISA_NAME(store_f32_2), ISA_NAME(store_i64_1);

#endif
