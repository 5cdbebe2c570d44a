/*
 * det.c - determinants of matrices, as numpy.linalg.det: by elimination, where the largest element
 * of each column is the pivot. All is computed in f64.
 */
#include <math.h>

#include "gufunc/gufunc.h"

#define WORK_MAX 1e16 /* bytes: more than that fits no memory */

/* A complex number is two doubles, a real one is one. */
static int
parts_of(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX ? 2 : 1;
}

/* f16 and bf16 become f32, integers and bool f64. */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	if (axt_dtypes[in[0]].cls < AXT_CLASS_FLOAT)
		in[0] = AXT_F64;
	else if (parts_of(in[0]) == 1)
		in[0] = axt_dtypes[in[0]].comp;
	out[0] = in[0];
	return true;
}

/* A copy of a matrix, row by row. */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	double n = (double)x->len['m' - 'a'];

	return (int64_t)MIN(n * n * 8 * parts_of(x->t[0].dtype), WORK_MAX);
}

static void
copy(const struct axt_gufunc_tensor *t, int64_t call, int64_t n, int parts, double *to)
{
	bool f32 = t->dtype == AXT_F32 || t->dtype == AXT_C64;

	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			int64_t at = call * t->step + i * t->stride[0] + j * t->stride[1];

			for (int k = 0; k < parts; k++)
				*to++ = f32 ? (double)((const float *)t->p)[at * parts + k]
					    : ((const double *)t->p)[at * parts + k];
		}
}

static double
size(const double *x, int parts)
{
	return fabs(x[0]) + (parts == 2 ? fabs(x[1]) : 0);
}

/* row -= f * pivot, n numbers. */
static void
subtract(double *row, const double *pivot, const double *f, int64_t n, int parts)
{
	if (parts == 1) {
		for (int64_t j = 0; j < n; j++)
			row[j] -= f[0] * pivot[j];
		return;
	}
	for (int64_t j = 0; j < n; j++) {
		row[2 * j] -= f[0] * pivot[2 * j] - f[1] * pivot[2 * j + 1];
		row[2 * j + 1] -= f[0] * pivot[2 * j + 1] + f[1] * pivot[2 * j];
	}
}

/* *q = a / b. */
static void
divide(double q[2], const double *a, const double *b, int parts)
{
	double _Complex z;

	if (parts == 1) {
		q[0] = a[0] / b[0];
		return;
	}
	z = __builtin_complex(a[0], a[1]) / __builtin_complex(b[0], b[1]);
	q[0] = __real__ z;
	q[1] = __imag__ z;
}

/* A product whose exponent is kept apart: part of it may be beyond f64 where all of it is not. */
struct scaled {
	double x[2];
	int64_t e;
};

static int
normalize(double x[2])
{
	double s = size(x, 2);
	int e = 0;

	if (!isfinite(s))
		return 0;
	frexp(s / 2, &e);
	x[0] = ldexp(x[0], -e);
	x[1] = ldexp(x[1], -e);
	return e;
}

static void
multiply(struct scaled *p, const double *by, int parts)
{
	double y[2] = { by[0], parts == 2 ? by[1] : 0 }, re;

	p->e += normalize(y);
	re = parts == 2 ? p->x[0] * y[0] - p->x[1] * y[1] : p->x[0] * y[0];
	p->x[1] = parts == 2 ? p->x[0] * y[1] + p->x[1] * y[0] : 0;
	p->x[0] = re;
	p->e += normalize(p->x);
}

/* Exchanges n doubles. */
static void
swap(double *a, double *b, int64_t n)
{
	for (int64_t j = 0; j < n; j++) {
		double x = a[j];

		a[j] = b[j];
		b[j] = x;
	}
}

/* The determinant of n rows at a, which are overwritten. */
static struct scaled
eliminate(double *a, int64_t n, int parts)
{
	struct scaled p = { .x = { 1 } };
	int64_t row = n * parts;

	for (int64_t k = 0; k < n; k++) {
		double *pivot = a + k * (row + parts), f[2];
		int64_t best = k;

		for (int64_t i = k + 1; i < n; i++)
			if (size(pivot + (i - k) * row, parts) >
			    size(pivot + (best - k) * row, parts))
				best = i;
		if (best != k) {
			swap(pivot, pivot + (best - k) * row, row - k * parts);
			p.x[0] = -p.x[0];
			p.x[1] = -p.x[1];
		}
		if (size(pivot, parts) == 0)
			return (struct scaled){ 0 };
		multiply(&p, pivot, parts);
		for (int64_t i = 1; i < n - k; i++) {
			divide(f, pivot + i * row, pivot, parts);
			subtract(pivot + i * row + parts, pivot + parts, f, n - k - 1, parts);
		}
	}
	return p;
}

static bool
calls(struct axt_gufunc_calls *x)
{
	const struct axt_gufunc_tensor *to = &x->t[1];
	int64_t n = x->len['m' - 'a'];
	int parts = parts_of(to->dtype);

	for (int64_t c = 0; c < x->calls; c++) {
		struct scaled d;

		copy(&x->t[0], c, n, parts, x->work);
		d = eliminate(x->work, n, parts);
		for (int k = 0; k < parts; k++) {
			/* beyond these exponents all is 0 or infinite */
			double y = ldexp(d.x[k], (int)MAX(-5000, MIN(5000, d.e)));
			int64_t at = c * to->step * parts + k;

			if (to->dtype == AXT_F32 || to->dtype == AXT_C64)
				((float *)to->p)[at] = (float)y;
			else
				((double *)to->p)[at] = y;
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_DET = { .dtypes = dtypes, .work = work, .calls = calls };
