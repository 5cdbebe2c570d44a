/*
 * tree.c - a tree over balls. Node k has the children 2k + 1 and 2k + 2, which have the first and
 * the second half of what it has, so that nothing but boxes is stored. What is found does not
 * depend on how the tree is built.
 */
#include <math.h>
#include <stdlib.h>

#include "grids/shares.h"
#include "grids/tree.h"

#define FEW 8      /* balls that are not divided further */
#define SERIAL 5   /* levels that one thread divides, so that all have subtrees to take */
#define DEEPEST 64 /* levels */

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

/* Of two balls at one place that with the lower number comes first. */
static bool
is_before(const struct axt_ball *b, int d, int64_t i, int64_t k)
{
	return b[i].at[d] < b[k].at[d] || (b[i].at[d] == b[k].at[d] && i < k);
}

/* Orders o[from..to) so that o[mid] is in its place in dimension d. */
static void
divide(const struct axt_ball *b, int64_t *o, int64_t from, int64_t to, int64_t mid, int d)
{
	while (to - from > 1) {
		int64_t pivot = o[from + (to - from) / 2], i = from, k = to - 1, swap;

		while (i <= k) {
			while (is_before(b, d, o[i], pivot))
				i++;
			while (is_before(b, d, pivot, o[k]))
				k--;
			if (i <= k) {
				swap = o[i];
				o[i++] = o[k];
				o[k--] = swap;
			}
		}
		if (mid <= k)
			to = k + 1;
		else if (mid >= i)
			from = i;
		else
			return;
	}
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

/* Divides what a node has along the dimension in which it is widest. */
static void
divide_node(struct axt_tree *t, const struct node *x)
{
	double lo[3] = { INFINITY, INFINITY, INFINITY },
	       hi[3] = { -INFINITY, -INFINITY, -INFINITY };
	int widest = 0;

	for (int64_t i = x->from; i < x->to; i++) {
		const double *at = t->ball[t->order[i]].at;

		for (int d = 0; d < 3; d++) {
			lo[d] = at[d] < lo[d] ? at[d] : lo[d];
			hi[d] = at[d] > hi[d] ? at[d] : hi[d];
		}
	}
	for (int d = 1; d < 3; d++)
		if (hi[d] - lo[d] > hi[widest] - lo[widest])
			widest = d;
	divide(t->ball, t->order, x->from, x->to, x->from + (x->to - x->from) / 2, widest);
}

static void
build(struct axt_tree *t, struct node x)
{
	if (x.to - x.from <= FEW) {
		box_of_few(t, &x);
		return;
	}
	divide_node(t, &x);
	build(t, child(&x, false));
	build(t, child(&x, true));
	box_of_both(t, &x);
}

/* Subtrees that threads take. */
struct subtrees {
	struct axt_tree *t;
	struct node of[1 << SERIAL];
	int n;
};

static void
build_some(void *ctx, int64_t from, int64_t to)
{
	struct subtrees *s = ctx;

	for (int64_t i = from; i < to; i++)
		build(s->t, s->of[i]);
}

/*
 * Divides the first levels, and lists what is below them; or, with `boxes`, sets the boxes of the
 * first levels once those below have theirs.
 */
static void
build_top(struct subtrees *s, struct node x, int level, bool boxes)
{
	if (level == SERIAL || x.to - x.from <= FEW) {
		if (!boxes)
			s->of[s->n++] = x;
		return;
	}
	if (!boxes)
		divide_node(s->t, &x);
	build_top(s, child(&x, false), level + 1, boxes);
	build_top(s, child(&x, true), level + 1, boxes);
	if (boxes)
		box_of_both(s->t, &x);
}

int
axt_tree_make(struct axt_graph *g, const struct axt_ball *ball, int64_t n, struct axt_tree *out)
{
	struct subtrees s = { .t = out };

	*out = (struct axt_tree){ .ball = ball };
	out->order = malloc((size_t)n * sizeof(*out->order) + 1);
	if (!out->order)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++)
		if (!isnan(ball[i].at[0]))
			out->order[out->n++] = i;
	out->box = malloc((size_t)nodes_of(out->n) * sizeof(*out->box));
	if (!out->box)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (out->n == 0)
		return 0;
	build_top(&s, (struct node){ 0, 0, out->n }, 0, false);
	axt_shares(g, s.n, 1, build_some, &s);
	build_top(&s, (struct node){ 0, 0, out->n }, 0, true);
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
	if (out->n > 1)
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

static void
consider(struct nearest *x, int64_t i)
{
	double d = distance2(x->t->ball[i].at, x->p);
	int at = x->n;

	while (at > 0 && (x->d[at - 1] > d || (x->d[at - 1] == d && x->i[at - 1] > i)))
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

		if (x->n < x->k || fmin(da, db) <= x->d[x->k - 1])
			look(x, first ? a : b);
		if (x->n == x->k && fmax(da, db) > x->d[x->k - 1])
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
