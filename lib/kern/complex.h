/*
 * complex.h - exp, log, sqrt and pow of complex numbers, as the steps before and after the real
 * functions that they are made of: kernels call those for many elements at once (zmap.h), programs
 * for devices for one. All is computed in f64, also of c64.
 */
#ifndef AXT_KERN_COMPLEX_H
#define AXT_KERN_COMPLEX_H

#include "kern/prim.h"

#if IS_COMPLEX
#define Z T_C128
#define Z_LN2 0.69314718055994530942

INLINE Z
NAMED(z_of)(double re, double im)
{
	Z z;

	z.re = re;
	z.im = im;
	return z;
}

/* A factor that keeps the modulus from overflowing and from being subnormal; for most it is 1. */
INLINE double
NAMED(z_scale)(double x, double y)
{
	double a = fabs(x), b = fabs(y), m = a > b ? a : b;

	return m > 0x1p1000 ? 0x1p-100 : m < 0x1p-900 ? 0x1p200 : 1;
}

/* ---- log ---- */

/*
 * Near the unit circle the logarithm of the modulus has few digits if it is taken of the rounded
 * modulus. It is half of log1p(x^2 + y^2 - 1). Returns x^2 + y^2 - 1, computed with twice the
 * digits, near the unit circle, and 0 elsewhere.
 */
INLINE double
NAMED(z_beyond_one)(double x, double y, double h, double scale)
{
	double a = fabs(x) > fabs(y) ? fabs(x) : fabs(y), b = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
	double p = a * a, pe = fma(a, a, -p), q = b * b, qe = fma(b, b, -q);
	double s = p - 1, r = s - p, se = (p - (s - r)) - (1 + r);
	double t = s + q, z = t - s, te = (s - (t - z)) + (q - z);

	return h >= 0.5 && h <= 2 && scale == 1 ? t + (te + se + pe + qe) : 0;
}

/* The real part: h is the scaled modulus, l its logarithm, near log1p of what is above. */
INLINE double
NAMED(z_log_re)(double h, double scale, double l, double near)
{
	return scale < 1 ? l + 100 * Z_LN2
	    : scale > 1  ? l - 200 * Z_LN2
			 : (h >= 0.5 && h <= 2 ? near / 2 : l);
}

/* ---- exp ---- */

/* Beyond this, exp(x) overflows or is subnormal, though exp(x) times a sine may be neither. */
#define Z_FAR(x) (fabs(x) > 700)

/* e is exp(x), or exp(x/2) where x is far; c and s are the cosine and the sine of y. */
INLINE Z
NAMED(z_exp)(double x, double y, double e, double c, double s)
{
	double f = Z_FAR(x) ? e : 1;

	if (y == 0)
		return NAMED(z_of)(e * f, y);
	if (y - y != 0 && x - x != 0 && x == x)
		return NAMED(z_of)(x > 0 ? x : 0, x > 0 ? (double)NAN : 0);
	return NAMED(z_of)(e * c * f, e * s * f);
}

/* ---- sqrt ---- */

/* h is the scaled modulus. */
INLINE Z
NAMED(z_sqrt)(double x, double y, double h, double scale)
{
	double root = scale < 1 ? 0x1p50 : scale > 1 ? 0x1p-100 : 1;
	double t = sqrt(h / 2 + fabs(x) * scale / 2) * root, u = t == 0 ? 0 : fabs(y) / (2 * t);
	double sign = y == y ? y : 0;

	if (fabs(y) == (double)INFINITY)
		return NAMED(z_of)((double)INFINITY, y);
	if (fabs(x) == (double)INFINITY) {
		u = y == y ? 0 : y;
		t = (double)INFINITY;
	}
	return NAMED(z_of)(x < 0 ? u : t, copysign(x < 0 ? t : u, sign));
}

/* ---- pow ---- */

/*
 * Returns a * b - c * e with twice the digits of a double: the result is the sum of what is
 * returned and *rest. Each factor has twice the digits, too: the first one is a + da.
 */
INLINE double
NAMED(z_dot)(double a, double da, double b, double db, double c, double dc, double e, double de,
    double *rest)
{
	double p = a * b, pe = fma(a, b, -p) + (ROUNDED(a * db) + ROUNDED(da * b));
	double q = c * e, qe = fma(c, e, -q) + (ROUNDED(c * de) + ROUNDED(dc * e));
	double s = p - q, z = s - p, d = (p - (s - z)) - (q + z) + (pe - qe), r = s + d;

	*rest = d - (r - s);
	return r;
}

/* z to the power of n > 0, by products. */
INLINE Z
NAMED(z_power)(double x, double y, int n)
{
	double re = 1, im = 0, dre = 0, dim = 0, xre = x, xim = y, xdre = 0, xdim = 0, t, dt;

	for (; n; n >>= 1) {
		if (n & 1) {
			t = NAMED(z_dot)(re, dre, xre, xdre, im, dim, xim, xdim, &dt);
			im = NAMED(z_dot)(re, dre, xim, xdim, -im, -dim, xre, xdre, &dim);
			re = t;
			dre = dt;
		}
		t = NAMED(z_dot)(xre, xdre, xre, xdre, xim, xdim, xim, xdim, &dt);
		xim = NAMED(z_dot)(xre, xdre, xim, xdim, -xim, -xdim, xre, xdre, &xdim);
		xre = t;
		xdre = dt;
	}
	return NAMED(z_of)(re, im);
}

/* How a to the power of b is computed. */
enum NAMED(z_way) {
	NAMED(z_found),  /* it is there */
	NAMED(z_root),   /* as sqrt(a) */
	NAMED(z_general) /* as exp(b * log(a)) */
};

/*
 * Finds a to the power of b without logarithms where that is possible: for small integers b by
 * products, as NumPy does. Zero has powers only for b > 0; others are NaN.
 */
INLINE int
NAMED(z_simple)(T a, T b, T *out)
{
	double n = fabs((double)b.re), m;
	Z z;

	if (b.re == 0 && b.im == 0)
		return *out = ONE, NAMED(z_found);
	if (a.re == 0 && a.im == 0) {
		*out = b.re > 0 && b.im == 0 ? CPLX(0, 0) : CPLX((R)NAN, (R)NAN);
		return NAMED(z_found);
	}
	if (b.im != 0 || !(n < 100))
		return NAMED(z_general);
	if (b.re == 1 || b.re == 2) {
		*out = b.re == 1 ? a : MUL(a, a);
		return NAMED(z_found);
	}
	if (b.re == -1)
		return *out = DIV(ONE, a), NAMED(z_found);
	if (b.re == K(0.5))
		return NAMED(z_root);
	if (n != (int)n)
		return NAMED(z_general);
	z = NAMED(z_power)((double)a.re, (double)a.im, (int)n);
	m = fabs(z.re) > fabs(z.im) ? fabs(z.re) : fabs(z.im);
	if (!(m > 1e-280 && m < 1e300))
		return NAMED(z_general);
	if (b.re < 0) {
		double q = 1 / m, u = z.re * q, v = z.im * q, d = ROUNDED(u * u) + ROUNDED(v * v);

		z = NAMED(z_of)(u / d * q, -v / d * q);
	}
	*out = CPLX((R)z.re, (R)z.im);
	return NAMED(z_found);
}

/* b * log(a), of the logarithm's parts. */
INLINE Z
NAMED(z_exponent)(T b, Z l)
{
	double re = b.re, im = b.im;

	if (im == 0)
		return NAMED(z_of)(re * l.re, re * l.im);
	return NAMED(
	    z_of)(ROUNDED(re * l.re) - ROUNDED(im * l.im), ROUNDED(re * l.im) + ROUNDED(im * l.re));
}
#endif

#endif
