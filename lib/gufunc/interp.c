/*
 * interp.c - interpolation along an axis: from values at points to values at targets. The points of
 * a call rise or fall. If all calls have the same points, each target is looked up only once.
 */
#include <math.h>

#include "gufunc/gufunc.h"

/* Between which two elements a target lies: a[lo] + w * (a[hi] - a[lo]); lo < 0: outside. */
struct place {
	int64_t lo, hi;
	double w;
};

/* f32 and f64 are computed as they are, in f64; points and targets are f64 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	bool real = true, narrow = axt_dtypes[in[0]].cls == AXT_CLASS_FLOAT && in[0] != AXT_F64;

	for (int i = 0; i < 3; i++)
		real = real && axt_dtypes[in[i]].cls != AXT_CLASS_COMPLEX;
	in[0] = out[0] = narrow ? AXT_F32 : AXT_F64;
	in[1] = in[2] = AXT_F64;
	return real;
}

static int64_t
work(const struct axt_gufunc_calls *k)
{
	return k->len['m' - 'a'] * (int64_t)sizeof(struct place) +
	    k->len['n' - 'a'] * (int64_t)(sizeof(double) + sizeof(int64_t));
}

/* ---- where targets lie ---- */

/* The points of a call: numbers that rise, times sign. */
struct points {
	double *x;     /* [n] */
	int64_t at, n; /* point 0 is that of element `at` of the line */
	/* [n]: the elements that points are those of; NULL: they are one after another */
	const int64_t *element;
	double sign; /* -1: they fall */
};

/*
 * Copies the points of a call to x. NaN may stand before and behind them, as where levels are below
 * the ground. If `element` is not NULL, elements without a point may also be between them, and are
 * left out: `element` gets the numbers of the others. Returns false if the points neither rise nor
 * fall.
 */
static bool
points_of(const struct axt_gufunc_calls *k, int64_t call, double *x, int64_t *element,
    struct points *p)
{
	const struct axt_gufunc_tensor *t = &k->t[1];
	const axt_operand_f64 *from = (const axt_operand_f64 *)t->p + call * t->step;
	int64_t n = k->len['n' - 'a'], s = t->stride[0], at = 0;

	while (at < n && isnan(from[at * s]))
		at++;
	while (n > at && isnan(from[(n - 1) * s]))
		n--;
	*p = (struct points){ .x = x, .at = at, .n = n - at, .sign = 1 };
	if (p->n > 1 && from[at * s] > from[(n - 1) * s])
		p->sign = -1;
	p->n = 0;
	for (int64_t i = at; i < n; i++) {
		double v = p->sign * from[i * s];

		if (isnan(v) && element)
			continue;
		if (isnan(v) || (p->n > 0 && v < x[p->n - 1]))
			return false;
		if (element)
			element[p->n] = i;
		x[p->n++] = v;
	}
	p->element = p->n < n - at ? element : NULL;
	return true;
}

/* The element of the line that point i is that of. */
static int64_t
element_of(const struct points *p, int64_t i)
{
	return p->element ? p->element[i] : p->at + i;
}

/* How many points are at most t. */
static int64_t
up_to(const struct points *p, double t)
{
	int64_t lo = 0, hi = p->n;

	while (lo < hi) {
		int64_t mid = lo + (hi - lo) / 2;

		if (p->x[mid] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* t moved by whole turns to the first one from the first point on. */
static double
turned(const struct points *p, double t, double turn)
{
	t = fmod(t - p->x[0], turn);
	return p->x[0] + (t < 0 ? t + turn : t);
}

static struct place
place_of(const struct points *p, double t, const struct axt_gufunc_args *o)
{
	bool nearest = o->n[0], beyond = o->n[1], around = o->n[2];
	double turn = o->x[0], x0, x1;
	struct place at = { -1, -1, 0 };
	int64_t i;

	t *= p->sign;
	if (p->n == 0 || isnan(t))
		return at;
	if (turn > 0)
		t = turned(p, t, turn);
	i = up_to(p, t) - 1;
	if ((i < 0 || (i == p->n - 1 && t > p->x[i] && !around)) && !beyond)
		return at;
	if (i >= 0 && t == p->x[i])
		return (struct place){ element_of(p, i), element_of(p, i), 0 };
	if (!around && !nearest)
		i = MIN(MAX(i, 0), p->n - 2);
	if (i < 0 || (!around && i == p->n - 1)) { /* the end is nearest */
		at.lo = at.hi = element_of(p, MAX(i, 0));
		if (!nearest)
			at.lo = -1; /* a line has two points */
		return at;
	}
	at.lo = element_of(p, i);
	at.hi = element_of(p, (i + 1) % p->n);
	x0 = p->x[i];
	x1 = p->x[(i + 1) % p->n] + (i + 1 == p->n ? turn : 0);
	at.w = x1 > x0 ? (t - x0) / (x1 - x0) : 0;
	if (nearest) {
		/* as in SciPy, in the middle it is the lower one */
		bool upper = at.w > 0.5 || (at.w == 0.5 && p->sign < 0);

		at.lo = at.hi = upper ? at.hi : at.lo;
		at.w = 0;
	}
	return at;
}

/* Reads the points of a call, and says if they neither rise nor fall. */
static bool
read_points(struct axt_gufunc_calls *k, int64_t call, double *x, int64_t *element, struct points *p)
{
	if (points_of(k, call, x, element, p))
		return true;
	k->failed = call;
	k->why = "the coordinates neither rise nor fall all along";
	return false;
}

static void
find(const struct axt_gufunc_calls *k, int64_t call, const struct points *p, struct place *at)
{
	const struct axt_gufunc_tensor *t = &k->t[2];
	const axt_operand_f64 *to = (const axt_operand_f64 *)t->p + call * t->step;

	for (int64_t j = 0; j < k->len['m' - 'a']; j++)
		at[j] = place_of(p, to[j * t->stride[0]], k->args);
}

/* ---- values ---- */

/* Values of calls [from, to) at the places of all targets. */
#define VALUES(T, operand)                                                                 \
	static void values_##T(const struct axt_gufunc_calls *k, int64_t from, int64_t to, \
	    const struct place *at)                                                        \
	{                                                                                  \
		const struct axt_gufunc_tensor *ta = &k->t[0], *ty = &k->t[3];             \
		int64_t sa = ta->step, sy = ty->step, n = to - from;                       \
                                                                                           \
		for (int64_t j = 0; j < k->len['m' - 'a']; j++) {                          \
			T *y = (T *)ty->p + j * ty->stride[0] + from * sy;                 \
			const operand *a = (const operand *)ta->p + from * sa, *b = a;     \
			double w = at[j].w;                                                \
                                                                                           \
			a += MAX(at[j].lo, 0) * ta->stride[0];                             \
			b += MAX(at[j].hi, 0) * ta->stride[0];                             \
			if (at[j].lo < 0)                                                  \
				for (int64_t c = 0; c < n; c++)                            \
					y[c * sy] = (T)NAN;                                \
			else if (w == 0)                                                   \
				for (int64_t c = 0; c < n; c++)                            \
					y[c * sy] = a[c * sa];                             \
			else if (sa == 1 && sy == 1)                                       \
				for (int64_t c = 0; c < n; c++)                            \
					y[c] = (T)((double)a[c] +                          \
					    w * ((double)b[c] - (double)a[c]));            \
			else                                                               \
				for (int64_t c = 0; c < n; c++)                            \
					y[c * sy] = (T)((double)a[c * sa] +                \
					    w * ((double)b[c * sa] - (double)a[c * sa]));  \
		}                                                                          \
	}
VALUES(float, axt_operand_f32)
VALUES(double, axt_operand_f64)

static bool
calls(struct axt_gufunc_calls *k)
{
	bool alike = k->t[1].step == 0 && k->t[2].step == 0;
	struct place *at = k->work;
	double *x = (double *)(at + k->len['m' - 'a']);
	int64_t *element = (int64_t *)(x + k->len['n' - 'a']);
	struct points p;

	for (int64_t c = 0, n; c < k->calls; c += n) {
		n = alike ? k->calls : 1;
		/* stations have targets of their own, and the same points */
		if ((c == 0 || k->t[1].step != 0) && !read_points(k, c, x, element, &p))
			return false;
		find(k, c, &p, at);
		(k->t[0].dtype == AXT_F32 ? values_float : values_double)(k, c, c + n, at);
	}
	return true;
}

const struct axt_gufunc axt_gufunc_INTERP = {
	.dtypes = dtypes, .work = work, .calls = calls, .like = 1
};

/* ---- gaps between values ---- */

#define ABREAST 64 /* calls that are gone through together, since they are often neighbours */

static bool
gap_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	enum axt_dtype three[3] = { in[0], in[1], AXT_F64 };
	bool real = dtypes(three, out);

	in[0] = three[0];
	in[1] = three[1];
	return real;
}

static int64_t
gap_work(const struct axt_gufunc_calls *k)
{
	return k->len['n' - 'a'] * (int64_t)sizeof(double);
}

/* The value at t, which lies between points lo and hi of which the values are a and b. */
static double
between(const struct points *p, const double x[3], double a, double b, bool nearest)
{
	double lo = x[0], t = x[1], hi = x[2], half = (lo + hi) / 2;

	if (nearest) /* as in SciPy, in the middle it is the lower one */
		return t > half || (t == half && p->sign < 0) ? b : a;
	return hi > lo ? a + (t - lo) / (hi - lo) * (b - a) : a;
}

/*
 * Defines the function of a dtype that fills NaN between two values, for calls [from, from +
 * calls), which have the same points. It fills at most `limit` elements behind the first value (0:
 * all), and nothing in a gap of more than `longest` elements (0: of any length).
 */
#define GAPS(T, operand)                                                                           \
	static void gaps_##T(const struct axt_gufunc_calls *k, int64_t from, int64_t calls,        \
	    const struct points *p)                                                                \
	{                                                                                          \
		const struct axt_gufunc_tensor *in = &k->t[0], *out = &k->t[2];                    \
		int64_t limit = k->args->n[1], longest = k->args->n[2], last[ABREAST];             \
		double value[ABREAST];                                                             \
                                                                                                   \
		for (int64_t c = 0; c < calls; c++)                                                \
			last[c] = -1;                                                              \
		for (int64_t i = 0; i < k->len['n' - 'a']; i++) {                                  \
			int64_t at = i - p->at;                                                    \
			const operand *a = (const operand *)in->p + i * in->stride[0] +            \
			    from * in->step;                                                       \
			T *y = (T *)out->p + i * out->stride[0] + from * out->step;                \
                                                                                                   \
			for (int64_t c = 0; c < calls; c++) {                                      \
				T v = a[c * in->step];                                             \
				int64_t l = last[c],                                               \
					end = limit && l + limit + 1 < at ? l + limit + 1 : at;    \
                                                                                                   \
				y[c * out->step] = v;                                              \
				if (isnan(v) || at < 0 || at >= p->n)                              \
					continue;                                                  \
				if (longest && at - l - 1 > longest)                               \
					end = l + 1;                                               \
				for (int64_t j = l + 1; l >= 0 && j < end; j++)                    \
					y[c * out->step + (j - at) * out->stride[0]] = (T)between( \
					    p, (double[]){ p->x[l], p->x[j], p->x[at] }, value[c], \
					    (double)v, k->args->n[0]);                             \
				last[c] = at;                                                      \
				value[c] = (double)v;                                              \
			}                                                                          \
		}                                                                                  \
	}
GAPS(float, axt_operand_f32)
GAPS(double, axt_operand_f64)

static bool
fill_gaps(struct axt_gufunc_calls *k)
{
	bool alike = k->t[1].step == 0;
	struct points p;

	for (int64_t c = 0, n; c < k->calls; c += n) {
		n = alike ? MIN(ABREAST, k->calls - c) : 1;
		if ((c == 0 || !alike) && !read_points(k, c, k->work, NULL, &p))
			return false;
		(k->t[0].dtype == AXT_F32 ? gaps_float : gaps_double)(k, c, n, &p);
	}
	return true;
}

const struct axt_gufunc axt_gufunc_FILL_GAPS = {
	.dtypes = gap_dtypes, .work = gap_work, .calls = fill_gaps, .like = 1
};
