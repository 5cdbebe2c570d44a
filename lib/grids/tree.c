/*
 * tree.c - a tree over balls, which are ordered along a curve on which neighbours are near. Node k
 * has the children 2k + 1 and 2k + 2, which have the first and the second half of what it has, so
 * that nothing but boxes is stored. What is found does not depend on the order.
 */
#include <math.h>
#include <stdlib.h>

#include "grids/tree.h"

#define FEW 8      /* balls that are not divided further */
#define DEEPEST 64 /* levels */
#define TIE 1e-12  /* squares of distances that differ by less than this part of them are equal */

/* A node while the tree is built or walked. */
struct node {
	int64_t k, from, to;
};

static struct node
child(const struct node *x, bool second)
{
	int64_t mid = x->from + (x->to - x->from) / 2;

	return second ? (struct node){ 2 * x->k + 2, mid, x->to }
		      : (struct node){ 2 * x->k + 1, x->from, mid };
}

/* How many nodes a tree over n has, counted with those that are not used. */
static int64_t
nodes_of(int64_t n)
{
	int64_t nodes = 1;

	for (; n > FEW; n -= n / 2)
		nodes = 2 * nodes + 1;
	return nodes;
}

static float
below(double x)
{
	float f = (float)x;

	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

/* The box of a node that is not divided further. */
static void
box_of_few(struct axt_tree *t, const struct node *x)
{
	double lo[3] = { INFINITY, INFINITY, INFINITY },
	       hi[3] = { -INFINITY, -INFINITY, -INFINITY };

	for (int64_t i = x->from; i < x->to; i++) {
		const struct axt_ball *b = &t->ball[t->order[i]];

		for (int d = 0; d < 3; d++) {
			lo[d] = b->at[d] - b->radius < lo[d] ? b->at[d] - b->radius : lo[d];
			hi[d] = b->at[d] + b->radius > hi[d] ? b->at[d] + b->radius : hi[d];
		}
	}
	for (int d = 0; d < 3; d++) {
		t->box[x->k][d] = below(lo[d]);
		t->box[x->k][3 + d] = -below(-hi[d]);
	}
}

/* The box of a node around those of its children. */
static void
box_of_both(struct axt_tree *t, const struct node *x)
{
	const float *a = t->box[2 * x->k + 1], *b = t->box[2 * x->k + 2];

	for (int d = 0; d < 3; d++) {
		t->box[x->k][d] = a[d] < b[d] ? a[d] : b[d];
		t->box[x->k][3 + d] = a[3 + d] > b[3 + d] ? a[3 + d] : b[3 + d];
	}
}

static void
set_boxes(struct axt_tree *t, struct node x)
{
	if (x.to - x.from <= FEW) {
		box_of_few(t, &x);
		return;
	}
	set_boxes(t, child(&x, false));
	set_boxes(t, child(&x, true));
	box_of_both(t, &x);
}

/* ---- the order ---- */

/* The low 21 bits of x, with two zeros between each and the next. */
static uint64_t
spread(uint64_t x)
{
	x &= 0x1fffff;
	x = (x | x << 32) & 0x1f00000000ffff;
	x = (x | x << 16) & 0x1f0000ff0000ff;
	x = (x | x << 8) & 0x100f00f00f00f00f;
	x = (x | x << 4) & 0x10c30c30c30c30c3;
	return (x | x << 2) & 0x1249249249249249;
}

/* The place on Morton's curve, on which places that are near on the sphere are near. */
static uint64_t
place_of(const struct axt_ball *b)
{
	uint64_t at = 0;

	for (int d = 0; d < 3; d++)
		at |= spread((uint64_t)((fmin(1, fmax(-1, b->at[d])) + 1) * ((1 << 20) - 1))) << d;
	return at;
}

struct placed {
	uint64_t at;
	int64_t i;
};

/* Orders n places by 16 bits of each, and those with equal bits as they were. */
static void
order_by_bits(const struct placed *from, struct placed *to, int64_t n, int shift, int64_t *count)
{
	int64_t sum = 0;

	memset(count, 0, sizeof(*count) << 16);
	for (int64_t i = 0; i < n; i++)
		count[from[i].at >> shift & 0xffff]++;
	for (int64_t k = 0; k < 1 << 16; k++) {
		int64_t here = count[k];

		count[k] = sum;
		sum += here;
	}
	for (int64_t i = 0; i < n; i++)
		to[count[from[i].at >> shift & 0xffff]++] = from[i];
}

/* Orders all balls that there are along Morton's curve. Returns false without memory. */
static bool
put_in_order(struct axt_tree *t, int64_t n)
{
	struct placed *a = malloc(((size_t)n + 1) * sizeof(*a)),
		      *b = malloc(((size_t)n + 1) * sizeof(*b)), *swap;
	int64_t *count = malloc(sizeof(*count) << 16);
	bool done = a && b && count;

	for (int64_t i = 0; i < n && done; i++)
		if (!isnan(t->ball[i].at[0]))
			a[t->n++] = (struct placed){ place_of(&t->ball[i]), i };
	for (int shift = 0; shift < 64 && done; shift += 16) {
		order_by_bits(a, b, t->n, shift, count);
		swap = a;
		a = b;
		b = swap;
	}
	free(b);
	free(count);
	t->order = done ? malloc(((size_t)t->n + 1) * sizeof(*t->order)) : NULL;
	for (int64_t i = 0; i < t->n && t->order; i++)
		t->order[i] = a[i].i;
	free(a);
	return t->order;
}

int
axt_tree_make(struct axt_graph *g, const struct axt_ball *ball, int64_t n, struct axt_tree *out)
{
	*out = (struct axt_tree){ .ball = ball };
	if (!put_in_order(out, n) ||
	    !(out->box = malloc((size_t)nodes_of(out->n) * sizeof(*out->box))))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (out->n > 0)
		set_boxes(out, (struct node){ 0, 0, out->n });
	return 0;
}

void
axt_tree_free(struct axt_tree *t)
{
	free(t->order);
	free(t->box);
	*t = (struct axt_tree){ 0 };
}

/* ---- what touches a ball ---- */

static bool
add(struct axt_found *f, int64_t i)
{
	if (f->n == f->room) {
		int64_t room = f->room ? 2 * f->room : 64, *more;

		more = realloc(f->i, (size_t)room * sizeof(*more));
		if (!more)
			return false;
		f->i = more;
		f->room = room;
	}
	f->i[f->n++] = i;
	return true;
}

static bool
is_apart(const float box[6], const struct axt_ball *b)
{
	for (int d = 0; d < 3; d++)
		if (b->at[d] - b->radius > (double)box[3 + d] ||
		    b->at[d] + b->radius < (double)box[d])
			return true;
	return false;
}

static double
distance2(const double a[3], const double b[3])
{
	double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

	return x * x + y * y + z * z;
}

/* Each of a few moves to its place among those before it. */
static void
sort(int64_t *v, int64_t n)
{
	for (int64_t i = 1; i < n; i++) {
		int64_t x = v[i], k = i;

		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

static int
by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

bool
axt_tree_touching(const struct axt_tree *t, const struct axt_ball *b, struct axt_found *out)
{
	struct node stack[DEEPEST] = { { 0, 0, t->n } };
	int n = t->n > 0;

	out->n = 0;
	while (n > 0) {
		struct node x = stack[--n];

		if (is_apart(t->box[x.k], b))
			continue;
		if (x.to - x.from > FEW) {
			stack[n++] = child(&x, true);
			stack[n++] = child(&x, false);
			continue;
		}
		for (int64_t i = x.from; i < x.to; i++) {
			const struct axt_ball *c = &t->ball[t->order[i]];
			double reach = b->radius + c->radius;

			if (distance2(b->at, c->at) <= reach * reach && !add(out, t->order[i]))
				return false;
		}
	}
	if (out->n <= 128)
		sort(out->i, out->n);
	else
		qsort(out->i, (size_t)out->n, sizeof(*out->i), by_number);
	return true;
}

/* ---- the nearest ---- */

struct nearest {
	const struct axt_tree *t;
	const double *p;
	int k, n;
	int64_t *i;
	double *d;
};

/* Whether ball i at distance d comes before ball j at e. Of two at one distance the first does. */
static bool
is_before(double d, int64_t i, double e, int64_t j)
{
	return d < e * (1 - TIE) || (d <= e * (1 + TIE) && i < j);
}

static void
consider(struct nearest *x, int64_t i)
{
	double d = distance2(x->t->ball[i].at, x->p);
	int at = x->n;

	while (at > 0 && is_before(d, i, x->d[at - 1], x->i[at - 1]))
		at--;
	if (at == x->k)
		return;
	x->n = MIN(x->n + 1, x->k);
	for (int m = x->n - 1; m > at; m--) {
		x->i[m] = x->i[m - 1];
		x->d[m] = x->d[m - 1];
	}
	x->i[at] = i;
	x->d[at] = d;
}

/* The square of the distance from p to the box; somewhat less, since boxes are rounded. */
static double
outside(const float box[6], const double p[3])
{
	double sum = 0;

	for (int d = 0; d < 3; d++) {
		double below = (double)box[d] - p[d], above = p[d] - (double)box[3 + d],
		       x = below > 0 ? below
		    : above > 0      ? above
				     : 0;

		sum += x * x;
	}
	return sum;
}

static void
look(struct nearest *x, struct node at)
{
	while (at.to - at.from > FEW) {
		struct node a = child(&at, false), b = child(&at, true);
		double da = outside(x->t->box[a.k], x->p), db = outside(x->t->box[b.k], x->p);
		bool first = da <= db;

		if (x->n < x->k || fmin(da, db) <= x->d[x->k - 1] * (1 + TIE))
			look(x, first ? a : b);
		if (x->n == x->k && fmax(da, db) > x->d[x->k - 1] * (1 + TIE))
			return;
		at = first ? b : a;
	}
	for (int64_t i = at.from; i < at.to; i++)
		consider(x, x->t->order[i]);
}

int
axt_tree_nearest(const struct axt_tree *t, const double p[3], int k, int64_t i[], double d[])
{
	struct nearest x = { .t = t, .p = p, .k = k, .i = i, .d = d };

	if (t->n > 0)
		look(&x, (struct node){ 0, 0, t->n });
	return x.n;
}
