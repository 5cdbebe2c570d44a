/* linfit.c - fits a straight line to points by least squares: its slope and its intercept. */
#include <math.h>

#include "gufunc/gufunc.h"
#include "isa/cpu.h"

#define ABREAST 64 /* calls whose sums are computed together */

/* real dtypes; computed in f64 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = axt_dtypes[in[0]].cls != AXT_CLASS_COMPLEX &&
	    axt_dtypes[in[1]].cls != AXT_CLASS_COMPLEX;

	in[0] = in[1] = out[0] = out[1] = AXT_F64;
	return real;
}

/*
 * The sums of a number of calls. n: how many points there are; x0 and y0: the first point; x and y:
 * the means of the distances from the first point (their sums until all points are added), which
 * keep the digits in which points differ, however far from zero they are; xx and xy: the sums of
 * products of the differences from these means.
 */
struct sums {
	double n[ABREAST], x0[ABREAST], y0[ABREAST], x[ABREAST], y[ABREAST], xx[ABREAST],
	    xy[ABREAST];
};

/* The coordinate of point i of a call: 0 is x, 1 is y. */
static double
point(const struct axt_gufunc_calls *k, int which, int64_t call, int64_t i)
{
	const struct axt_gufunc_tensor *t = &k->t[which];

	return ((const axt_operand_f64 *)t->p)[call * t->step + i * t->stride[0]];
}

/* Whether a point is left out, since it has no x or no y. */
static bool
is_left_out(const struct axt_gufunc_calls *k, int64_t call, int64_t i)
{
	double x = point(k, 0, call, i), y = point(k, 1, call, i);

	return k->args->n[0] && (x != x || y != y);
}

static void
begin(const struct axt_gufunc_calls *k, int64_t from, int64_t calls, struct sums *s)
{
	int64_t n = k->len['n' - 'a'];

	memset(s, 0, sizeof(*s));
	for (int64_t c = 0; c < calls && n > 0; c++) {
		int64_t i = 0;

		while (i + 1 < n && is_left_out(k, from + c, i))
			i++;
		s->x0[c] = point(k, 0, from + c, i);
		s->y0[c] = point(k, 1, from + c, i);
	}
}

#define INLINE static inline CPU_ANY __attribute__((always_inline))
#define LANES 4
#define SIDE 2           /* vectors side by side, as each addition waits for the last */
#define W (SIDE * LANES) /* calls whose sums are in registers while all points are added */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(LANES * sizeof(int64_t))));

/* Point i of calls that are `step` apart. */
INLINE void
load(lanes *v, const axt_operand_f64 *p, int64_t step)
{
	if (step == 1)
		memcpy(v, p, sizeof(*v));
	else
		for (int c = 0; c < LANES; c++)
			(*v)[c] = p[c * step];
}

/* Adds v where `here`: a point that is left out adds 0, which changes no sum. */
#define ADD(sum, v) ((sum) += skip ? (lanes)((mask)(v)&here) : (v))

/*
 * Adds the points of calls c to c + W - 1, to the sums of distances or, if `products`, to those of
 * products.
 */
INLINE void
add_lanes(const struct axt_gufunc_calls *k, int64_t from, struct sums *s, int64_t c, int64_t xstep,
    int64_t ystep, const bool products, const bool skip)
{
	const struct axt_gufunc_tensor *x = &k->t[0], *y = &k->t[1];
	const axt_operand_f64 *px = (const axt_operand_f64 *)x->p + (from + c) * x->step;
	const axt_operand_f64 *py = (const axt_operand_f64 *)y->p + (from + c) * y->step;
	const lanes one = (lanes){ 0 } + 1;
	lanes x0[SIDE], y0[SIDE], mx[SIDE], my[SIDE], sum[3][SIDE] = { { { 0 } } };

	memcpy(x0, s->x0 + c, sizeof(x0));
	memcpy(y0, s->y0 + c, sizeof(y0));
	memcpy(mx, s->x + c, sizeof(mx));
	memcpy(my, s->y + c, sizeof(my));
	for (int64_t i = 0; i < k->len['n' - 'a']; i++) {
#pragma GCC unroll 2
		for (int j = 0; j < SIDE; j++) {
			lanes a, b;
			mask here;

			load(&a, px + i * x->stride[0] + j * LANES * xstep, xstep);
			load(&b, py + i * y->stride[0] + j * LANES * ystep, ystep);
			a -= x0[j];
			b -= y0[j];
			here = (a == a) & (b == b);
			if (products) {
				a -= mx[j];
				b -= my[j];
				ADD(sum[0][j], a * a);
				ADD(sum[1][j], a * b);
			} else {
				ADD(sum[0][j], one);
				ADD(sum[1][j], a);
				ADD(sum[2][j], b);
			}
		}
	}
	memcpy((products ? s->xx : s->n) + c, sum[0], sizeof(sum[0]));
	memcpy((products ? s->xy : s->x) + c, sum[1], sizeof(sum[1]));
	if (!products)
		memcpy(s->y + c, sum[2], sizeof(sum[2]));
}

/* The same, with steps that are known here where calls lie next to each other. */
INLINE void
add_pass(const struct axt_gufunc_calls *k, int64_t from, struct sums *s, int64_t c, bool one,
    const bool products, const bool skip)
{
	int64_t xstep = one ? 0 : k->t[0].step, ystep = one ? 0 : k->t[1].step;

	if (xstep == 0 && ystep == 1)
		add_lanes(k, from, s, c, 0, 1, products, skip);
	else
		add_lanes(k, from, s, c, xstep, ystep, products, skip);
}

/* Adds all points of W calls; one: of call c alone, which all lanes take. */
static CPU_ANY void
add_calls(const struct axt_gufunc_calls *k, int64_t from, struct sums *s, int64_t c, bool one)
{
	if (k->args->n[0])
		add_pass(k, from, s, c, one, false, true);
	else
		add_pass(k, from, s, c, one, false, false);
	for (int64_t j = c; j < c + W; j++) {
		s->x[j] /= s->n[j];
		s->y[j] /= s->n[j];
	}
	if (k->args->n[0])
		add_pass(k, from, s, c, one, true, true);
	else
		add_pass(k, from, s, c, one, true, false);
}

/* The last W calls may be some that were there before; fewer than W are taken one by one. */
static void
add_up(const struct axt_gufunc_calls *k, int64_t from, int64_t calls, struct sums *s)
{
	for (int64_t c = 0; c < calls && calls >= W; c += W)
		add_calls(k, from, s, MIN(c, calls - W), false);
	for (int64_t c = 0; c < calls && calls < W; c++)
		add_calls(k, from, s, c, true);
}

/* Whether the sums of products may have been too large or too small for f64. */
static bool
is_beyond(const struct sums *s, int64_t c)
{
	return !(s->xx[c] > 1e-250 && s->xx[c] < 1e250 && fabs(s->xy[c]) < 1e250 &&
	    fabs(s->xy[c]) > 1e-250);
}

/*
 * Adds up the products of one call again, for sums that f64 does not hold: differences are divided
 * by the power of two that is just above the largest of them. Returns the exponent of the power of
 * two that the slope has to be multiplied by.
 */
static int
add_scaled(const struct axt_gufunc_calls *k, int64_t call, struct sums *s, int64_t c)
{
	double most[2] = { 0 };
	int unit[2];

	for (int pass = 0; pass < 2; pass++) {
		s->xx[c] = s->xy[c] = 0;
		for (int64_t i = 0; i < k->len['n' - 'a']; i++) {
			double a = point(k, 0, call, i) - s->x0[c] - s->x[c];
			double b = point(k, 1, call, i) - s->y0[c] - s->y[c];

			if (is_left_out(k, call, i))
				continue;
			if (pass == 0) {
				most[0] = fmax(most[0], fabs(a));
				most[1] = fmax(most[1], fabs(b));
			} else {
				a = ldexp(a, -unit[0]);
				s->xx[c] += a * a;
				s->xy[c] += a * ldexp(b, -unit[1]);
			}
		}
		for (int j = 0; j < 2 && pass == 0; j++)
			frexp(most[j], &unit[j]);
	}
	return unit[1] - unit[0];
}

/* A line needs two points; with fewer the results are NaN. */
static bool
calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *slope = &k->t[2], *intercept = &k->t[3];
	struct sums s;

	for (int64_t from = 0, n; from < k->calls; from += n) {
		n = MIN(ABREAST, k->calls - from);
		begin(k, from, n, &s);
		add_up(k, from, n, &s);
		for (int64_t c = 0; c < n; c++) {
			int unit = is_beyond(&s, c) ? add_scaled(k, from + c, &s, c) : 0;
			double b = s.n[c] < 2 ? __builtin_nan("") : ldexp(s.xy[c] / s.xx[c], unit);

			if (s.n[c] >= 2 && s.xx[c] == 0) {
				k->failed = from + c;
				k->why = "all points have the same x";
				return false;
			}
			if (slope->p)
				((double *)slope->p)[(from + c) * slope->step] = b;
			if (intercept->p)
				((double *)intercept->p)[(from + c) * intercept->step] =
				    (s.y0[c] - b * s.x0[c]) + (s.y[c] - b * s.x[c]);
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_LINFIT = { .dtypes = dtypes, .calls = calls };
