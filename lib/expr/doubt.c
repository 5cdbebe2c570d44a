/*
 * doubt.c - axes that may meet otherwise than the user means: outer products, and axes without
 * names. The nodes in question are marked here, and when one is planned, there is a warning.
 */
#include "expr/expr.h"

/*
 * An outer product of more than OUTER_BYTES that is OUTER_TIMES as large as its operands is
 * refused, unless the user names its axes.
 */
#define OUTER_BYTES ((int64_t)1 << 30)
#define OUTER_TIMES 16
/* A smaller outer product, of operands that also share axes, gives a warning beyond these. */
#define LARGE_BYTES ((int64_t)64 << 20)
#define LARGE_TIMES 4

static double
node_bytes(const struct axt_expr *a)
{
	double n = axt_size(a->dtype);

	for (int i = 0; i < a->axes.n; i++)
		n *= (double)a->axes.a[i].len;
	return n;
}

/* The axes that x has and y lacks: returns how many, and fills out. */
static int
lacking(const struct axt_axes *x, const struct axt_axes *y, const struct axt_axis *out[])
{
	int n = 0;

	for (int i = 0; i < x->n; i++)
		if (axt_axes_find(y, &x->a[i]) < 0)
			out[n++] = &x->a[i];
	return n;
}

/*
 * Whether an outer product may be a mistake. p are the axes that only the one operand has, q those
 * that only the other has. It may be one if an axis of p looks like one of q, or if there are as
 * many of both, at least two, with coordinates and the same lengths.
 */
static bool
alike(const struct axt_axis *const p[], int np, const struct axt_axis *const q[], int nq)
{
	bool same = np == nq && np >= 2;

	for (int i = 0; i < np; i++)
		for (int k = 0; k < nq; k++)
			if (axt_axes_alike(p[i], q[k]))
				return true;
	for (int i = 0; same && i < np; i++)
		same = p[i]->len == q[i]->len && p[i]->len > 1 && p[i]->coord && q[i]->coord;
	return same;
}

void
axt_mark_outer(struct axt_expr *e, int n, struct axt_expr *const a[])
{
	const struct axt_axis *p[AXT_MAX_RANK], *q[AXT_MAX_RANK];
	double in = 0;

	for (int i = 0; i < n; i++) {
		if (a[i]->axes.n == e->axes.n)
			return;
		in += node_bytes(a[i]);
	}
	e->outer = node_bytes(e) > (double)OUTER_BYTES && node_bytes(e) > OUTER_TIMES * in;
	/* of many operands only the first are compared */
	for (int i = 0; i + 1 < MIN(n, 8) && !e->doubt; i++)
		for (int k = i + 1; k < MIN(n, 8) && !e->doubt; k++) {
			int np = lacking(&a[i]->axes, &a[k]->axes, p),
			    nq = lacking(&a[k]->axes, &a[i]->axes, q);

			if (np == 0 || nq == 0)
				continue;
			if (alike(p, np, q, nq))
				e->doubt = AXT_ALIKE;
			else if (np < a[i]->axes.n && node_bytes(e) > (double)LARGE_BYTES &&
			    node_bytes(e) > LARGE_TIMES * in)
				e->doubt = AXT_LARGE;
		}
}

/* Whether a is a dataset, or computed of one element by element. */
static bool
is_dataset(const struct axt_expr *a)
{
	while (a->nargs > 0 && (a->kind == AXT_NODE_CONV || a->kind == AXT_NODE_MAP))
		a = a->arg[0];
	return a->kind == AXT_NODE_LEAF;
}

/*
 * Whether NumPy would let other axes of x and y meet than axt does: all axes have no names, the
 * last ones of y have the lengths of those of x, and at least one of them has another number than
 * the axis of x.
 */
static bool
meet_others(const struct axt_axes *x, const struct axt_axes *y)
{
	bool other = false;
	int more = y->n - x->n;

	for (int i = 0; i < y->n; i++)
		if (!axt_axis_unnamed(&y->a[i]))
			return false;
	for (int i = 0; i < x->n && more >= 0; i++) {
		const struct axt_axis *a = &x->a[i], *b = &y->a[i + more];

		if (!axt_axis_unnamed(a) || a->len != b->len || a->len < 2)
			return false;
		other = other || strcmp(a->name, b->name) != 0;
	}
	return more >= 0 && other;
}

bool
axt_meets_first(const struct axt_expr *x, const struct axt_expr *y)
{
	bool part = true;

	if (x->axes.n > y->axes.n || !meet_others(&x->axes, &y->axes))
		return false;
	for (int i = 0; i < x->axes.n; i++)
		part = part && axt_axes_find(&y->axes, &x->axes.a[i]) >= 0;
	return is_dataset(x) || (!part && x->axes.n < y->axes.n && is_dataset(y));
}

void
axt_mark_first(struct axt_expr *e, int n, struct axt_expr *const a[])
{
	/* of many operands only the first are compared */
	for (int i = 0; i < MIN(n, 8); i++)
		for (int k = 0; k < MIN(n, 8); k++)
			if (i != k && axt_meets_first(a[i], a[k]))
				e->doubt = AXT_FIRST;
}

/* The words of axt-rename by which the axes of x meet the last of y: "dim_0=dim_1,dim_1=dim_2". */
static const char *
renaming(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y)
{
	const char *map = "";

	for (int i = 0; i < x->n && map; i++)
		map = axt_sprintf(m, "%s%s%s=%s", map, i ? "," : "", x->a[i].name,
		    y->a[i + y->n - x->n].name);
	return map ? map : "";
}

void
axt_warn_first(struct axt_graph *g, int n, struct axt_expr *const a[])
{
	/* from the last: the first may be a pipe, which has no name to type */
	int i = n - 1, k = 0;

	while (i >= 0 && (i == k || !axt_meets_first(a[i], a[k]))) {
		k = (k + 1) % n;
		i -= k == 0;
	}
	if (i < 0 || g->outer_told)
		return;
	axt_warn(g,
	    "axes without names meet by their numbers, and %s has %s, %s has %s; NumPy lets the last "
	    "ones meet: %s does so",
	    axt_called(a[i]), axt_axes_text(g->m, &a[i]->axes), axt_called(a[k]),
	    axt_axes_text(g->m, &a[k]->axes),
	    axt_rename_typed(g, a[i], renaming(g->m, &a[i]->axes, &a[k]->axes)));
	g->outer_told = true;
}

/*
 * New names for axes of x, as "dim_0=j", so that x and y have an outer product over them. Renamed
 * are the axes that meet axes of y of other lengths, if others fit or x has only one. NULL: x has
 * an axis with a name, or no renaming helps.
 */
static const char *
own_names(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y)
{
	const char *map = "";
	int same = 0, n = 0;

	for (int i = 0; i < x->n && map; i++) {
		int k = axt_axes_find(y, &x->a[i]);

		if (!axt_axis_unnamed(&x->a[i]))
			return NULL;
		same += k >= 0 && x->a[i].len == y->a[k].len;
		if (k < 0 || x->a[i].len == y->a[k].len)
			continue;
		if (n < 4)
			map = axt_sprintf(m, "%s%s%s=%c", map, n ? "," : "", x->a[i].name, 'j' + n);
		n++;
	}
	/* of two vectors there may be an outer product */
	return (same || x->n == 1) && n && n <= 4 ? map : NULL;
}

static void
hint_years(const char *s, struct axt_err *e)
{
	char over[300], year[300], label[320], by[400], at[400];

	snprintf(year, sizeof(year), "%s.year", s);
	snprintf(label, sizeof(label), "year@FILE:%s", year);
	axt_hint(e,
	    "the mean of each %s's year: axt-reduce mean --over %s --by %s FILE | axt-take %s -; in "
	    "axt-calc take(mean(a, over=%s, by=%s), year@%s)",
	    s, axt_quoted_to(over, sizeof(over), s), axt_quoted_to(by, sizeof(by), year),
	    axt_quoted_to(at, sizeof(at), label), s, year, year);
}

/*
 * If no union of x and y was possible (AXT_E_AXES), and x has far fewer times than y, as the means
 * of years have, gives a hint how to make them meet.
 */
static void
hint_apart(const struct axt_axes *x, const struct axt_axes *y, struct axt_err *e)
{
	struct axt_err none = { 0 };
	struct axt_cftime t;

	if (e->code != AXT_E_AXES)
		return;
	for (int i = 0; i < x->n; i++) {
		int k = axt_axes_find(y, &x->a[i]);
		const char *s = x->a[i].name;

		if (k >= 0 && x->a[i].len > 1 && x->a[i].len <= y->a[k].len / 2 &&
		    axt_axis_times(&x->a[i], "", &t, &none) == 0 &&
		    axt_axis_times(&y->a[k], "", &t, &none) == 0)
			hint_years(s, e);
	}
}

void
axt_hint_meet(struct axt_graph *g, int n, struct axt_expr *const a[])
{
	const char *names;

	/* from the last: the first may be a pipe, which has no name to type */
	for (int i = n - 1; i >= 0 && g->err.code == AXT_E_AXES; i--)
		for (int k = 0; k < n; k++) {
			const struct axt_axes *x = &a[i]->axes, *y = &a[k]->axes;

			if (meet_others(x, y))
				axt_hint(&g->err,
				    "axes without names meet by their numbers; %s lets its axes "
				    "meet the last ones, as in NumPy",
				    axt_rename_typed(g, a[i], renaming(g->m, x, y)));
			hint_apart(x, y, &g->err);
		}
	if (n == 2 && g->err.code == AXT_E_AXES && !*g->err.hint &&
	    (names = own_names(g->m, &a[1]->axes, &a[0]->axes)))
		axt_hint(&g->err,
		    "axes without names meet by their numbers; %s gives the one that differs a name",
		    axt_rename_typed(g, a[1], names));
}

int
axt_meet(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, struct axt_axes *out)
{
	if (axt_axes_union(g->m, &a->axes, &b->axes, &g->join, out, &g->err))
		axt_hint_meet(g, 2, (struct axt_expr *[]){ a, b });
	return g->err.code;
}
