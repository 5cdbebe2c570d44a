/*
 * points.c - points on the sphere as vectors of length 1, and the nearest of many to one. The point
 * that is nearest by the straight line through the sphere is nearest along a great circle as well.
 * A tree finds the same point as a walk over all points would: distances are compared as they are
 * computed, and of two equal ones the lower index counts.
 */
#include <math.h>

#include "grids/grids.h"
#include "grids/shares.h"

/* ---- coordinates as vectors ---- */

#define RADIAN 57.295779513082320877

double
axt_place_degrees(const struct axt_attr *l)
{
	const char *u = axt_attr_text(l, "units");

	return u && strncmp(u, "rad", 3) == 0 ? RADIAN : 1;
}

/*
 * remainder(d, by) of -360 <= d <= 360, by 90 or 360, with the same bits in a tenth of the time:
 * products and differences of such numbers are exact. Only the quotient may be rounded to the other
 * side of a half.
 */
static double
rest(double d, double by)
{
	double r = d - by * rint(d / by);

	if (fabs(r) > by / 2)
		return remainder(d, by);
	return r == 0 ? copysign(r, d) : r;
}

/*
 * Sine and cosine of degrees: exact at multiples of 90, and of equal size at odd multiples of 45.
 */
static void
sine_cosine(double d, double *s, double *c)
{
	double r = rest(d, 90), q = rest(d - r, 360), a, b;

	a = fabs(r) == 45 ? copysign(0.70710678118654752440, r) : sin(r / RADIAN);
	b = fabs(r) == 45 ? 0.70710678118654752440 : cos(r / RADIAN);
	*s = q == 0 ? a : q == 90 ? b : q == -90 ? -b : -a;
	*c = q == 0 ? b : q == 90 ? -a : q == -90 ? a : -b;
}

/* lat and lon in degrees. */
static void
vector(double lat, double lon, double v[3])
{
	double s, c, e, n;

	sine_cosine(fmin(fmax(lat, -90), 90), &s, &c);
	sine_cosine(fmod(lon, 360), &e, &n);
	v[0] = c * n;
	v[1] = c * e;
	v[2] = s;
}

/* Whether a number is no coordinate, but stands for a missing one. */
static bool
is_missing(double d)
{
	return !(fabs(d) < 1e10);
}

static int
not_latitude(struct axt_graph *g, const struct axt_place *lat, double d)
{
	axt_fail(&g->err, AXT_E_ARG, "%.9g is no latitude (\"%s\", units %s)", d,
	    axt_escape(g->m, lat->aux->name),
	    axt_attr_text(lat->aux->attrs, "units")
		? axt_escape(g->m, axt_attr_text(lat->aux->attrs, "units"))
		: "not given");
	axt_hint(&g->err,
	    "the latitude comes first, and is in degrees unless its units are radian");
	return AXT_E_ARG;
}

int
axt_point_of(struct axt_graph *g, const struct axt_place *lat, double at_lat,
    const struct axt_place *lon, double at_lon, double v[3])
{
	double y = at_lat * axt_place_degrees(lat->c.attrs),
	       x = at_lon * axt_place_degrees(lon->c.attrs);

	v[0] = v[1] = v[2] = NAN;
	if (is_missing(y) || is_missing(x))
		return 0;
	if (fabs(y) > 90.0001)
		return g ? not_latitude(g, lat, at_lat) : AXT_E_ARG;
	vector(y, x, v);
	return 0;
}

/* ---- the points of a tensor ---- */

/* The strides of a coordinate along the axes x, in elements: 0 along those it does not have. */
static void
strides(const struct axt_place *p, const struct axt_axes *x, int64_t out[AXT_MAX_RANK])
{
	int64_t step = 1;

	for (int i = 0; i < x->n; i++)
		out[i] = 0;
	for (int k = p->aux->axes.n - 1; k >= 0; step *= p->aux->axes.a[k--].len)
		out[axt_axes_find(x, &p->aux->axes.a[k])] = step;
}

/* Whether nothing changes along the first axis of the list. */
static bool
is_constant(const struct axt_place *p, const struct axt_axes *x, const int64_t stride[])
{
	struct axt_axes rest = *x;
	int64_t n, len = x->a[0].len, inner;

	if (!stride[0])
		return true;
	/* it is the coordinate's first axis if its stride is the product of all others */
	rest.a[0].len = 1;
	inner = p->c.n / MAX(1, len);
	if (stride[0] != inner || !axt_axes_count(&rest, &n))
		return false;
	for (int64_t k = 1; k < len; k++)
		if (memcmp((const char *)p->c.data + k * inner * axt_size(p->c.dtype), p->c.data,
			(size_t)(inner * axt_size(p->c.dtype))) != 0)
			return false;
	return true;
}

/* Leaves out the first axis. */
static void
shorten(struct axt_axes *x, int64_t lat[], int64_t lon[])
{
	x->n--;
	for (int i = 0; i < x->n; i++) {
		x->a[i] = x->a[i + 1];
		lat[i] = lat[i + 1];
		lon[i] = lon[i + 1];
	}
}

static int
fill(struct axt_graph *g, const struct axt_place *lat, const int64_t ys[],
    const struct axt_place *lon, const int64_t xs[], struct axt_points *p)
{
	int64_t at[AXT_MAX_RANK] = { 0 }, y = 0, x = 0;

	for (int64_t i = 0; i < p->n; i++) {
		if (axt_point_of(g, lat, axt_place_value(lat, y), lon, axt_place_value(lon, x),
			p->v[i]))
			return g->err.code;
		for (int k = p->axes.n - 1; k >= 0; k--) {
			y += ys[k];
			x += xs[k];
			if (++at[k] < p->axes.a[k].len)
				break;
			y -= at[k] * ys[k];
			x -= at[k] * xs[k];
			at[k] = 0;
		}
	}
	return 0;
}

int
axt_points_of(struct axt_graph *g, const struct axt_expr *a, const struct axt_place *lat,
    const struct axt_place *lon, struct axt_points *out)
{
	int64_t ys[AXT_MAX_RANK], xs[AXT_MAX_RANK];

	*out = (struct axt_points){ 0 };
	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&lat->aux->axes, &a->axes.a[i]) >= 0 ||
		    axt_axes_find(&lon->aux->axes, &a->axes.a[i]) >= 0)
			out->axes.a[out->axes.n++] = a->axes.a[i];
	strides(lat, &out->axes, ys);
	strides(lon, &out->axes, xs);
	while (
	    out->axes.n > 2 && is_constant(lat, &out->axes, ys) && is_constant(lon, &out->axes, xs))
		shorten(&out->axes, ys, xs);
	if (!axt_axes_count(&out->axes, &out->n) || out->n > INT64_MAX / 64)
		return axt_fail(&g->err, AXT_E_LIMIT, "the grid has too many cells");
	out->v = axt_alloc(g->m, (size_t)out->n * sizeof(*out->v) + 1);
	if (!out->v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return fill(g, lat, ys, lon, xs, out);
}

/* ---- the nearest ---- */

#define FEW 8 /* points that are walked over and not divided further */

struct leaf_point {
	double v[3];
	int64_t i;
};
/*
 * A tree within the list of points. The points from lo to hi are divided at the middle one: before
 * it are points whose number in dimension split[middle] is less or equal, behind it greater or
 * equal.
 */
struct tree {
	struct leaf_point *p;
	uint8_t *split;
	int64_t n;
};

/* Orders p[lo..hi) so that p[k] is in its place in dimension d. */
static void
divide(struct leaf_point *p, int64_t lo, int64_t hi, int64_t k, int d)
{
	while (hi - lo > 1) {
		double a = p[lo].v[d], b = p[lo + (hi - lo) / 2].v[d], c = p[hi - 1].v[d];
		double mid = fmax(fmin(a, b), fmin(fmax(a, b), c));
		int64_t i = lo, j = hi - 1;

		while (i <= j) {
			while (p[i].v[d] < mid)
				i++;
			while (p[j].v[d] > mid)
				j--;
			if (i <= j) {
				struct leaf_point swap = p[i];

				p[i++] = p[j];
				p[j--] = swap;
			}
		}
		if (k <= j)
			hi = j + 1;
		else if (k >= i)
			lo = i;
		else
			return;
	}
}

static void
build(struct tree *t, int64_t lo, int64_t hi)
{
	while (hi - lo > FEW) {
		double min[3], max[3], widest = -1;
		int64_t mid = lo + (hi - lo) / 2;
		int d = 0;

		for (int k = 0; k < 3; k++) {
			min[k] = INFINITY;
			max[k] = -INFINITY;
		}
		for (int64_t i = lo; i < hi; i++)
			for (int k = 0; k < 3; k++) {
				min[k] = t->p[i].v[k] < min[k] ? t->p[i].v[k] : min[k];
				max[k] = t->p[i].v[k] > max[k] ? t->p[i].v[k] : max[k];
			}
		for (int k = 0; k < 3; k++)
			if (max[k] - min[k] > widest) {
				widest = max[k] - min[k];
				d = k;
			}
		divide(t->p, lo, hi, mid, d);
		t->split[mid] = (uint8_t)d;
		build(t, lo, mid);
		lo = mid + 1;
	}
}

struct found {
	double d;  /* the square of the distance */
	int64_t i; /* index of the point; -1: none yet */
};

static void
consider(const struct leaf_point *p, const double q[3], struct found *best)
{
	double x = p->v[0] - q[0], y = p->v[1] - q[1], z = p->v[2] - q[2];
	double d = x * x + y * y + z * z;

	if (d < best->d || (d == best->d && p->i < best->i)) {
		best->d = d;
		best->i = p->i;
	}
}

static void
look(const struct tree *t, int64_t lo, int64_t hi, const double q[3], struct found *best)
{
	while (hi - lo > FEW) {
		int64_t mid = lo + (hi - lo) / 2;
		double away = q[t->split[mid]] - t->p[mid].v[t->split[mid]];

		if (away < 0)
			look(t, lo, mid, q, best);
		else
			look(t, mid + 1, hi, q, best);
		/* a point on the other side at the same distance may have a lower index */
		if (away * away > best->d)
			return;
		consider(&t->p[mid], q, best);
		if (away < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < hi; lo++)
		consider(&t->p[lo], q, best);
}

#define SHARE 256 /* targets that a thread takes at a time */

struct job {
	const struct tree *t;
	double (*to)[3];
	int64_t *at;
};

/* Looks for the points nearest to a share of the targets. */
static void
look_share(void *ctx, int64_t from, int64_t to)
{
	struct job *j = ctx;

	for (int64_t i = from; i < to; i++) {
		struct found best = { INFINITY, -1 };

		if (!isnan(j->to[i][0]))
			look(j->t, 0, j->t->n, j->to[i], &best);
		j->at[i] = best.i;
	}
}

int
axt_points_nearest(struct axt_graph *g, const struct axt_points *from, double (*to)[3], int64_t n,
    int64_t *at)
{
	struct tree t = { .p = axt_alloc(g->m, (size_t)from->n * sizeof(*t.p) + 1),
		.split = axt_alloc(g->m, (size_t)from->n + 1) };
	struct job j = { .t = &t, .to = to, .at = at };

	if (!t.p || !t.split)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < from->n; i++)
		if (!isnan(from->v[i][0])) {
			memcpy(t.p[t.n].v, from->v[i], sizeof(from->v[i]));
			t.p[t.n++].i = i;
		}
	if (n > 1) {
		build(&t, 0, t.n);
		axt_shares(g, n, SHARE, look_share, &j);
		return 0;
	}
	for (int64_t i = 0; i < n; i++) {
		struct found best = { INFINITY, -1 };

		for (int64_t k = 0; k < t.n && !isnan(to[i][0]); k++)
			consider(&t.p[k], to[i], &best);
		at[i] = best.i;
	}
	return 0;
}
