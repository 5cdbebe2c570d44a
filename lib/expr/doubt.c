/*
 * doubt.c - axes that may meet otherwise than the user means: outer products, and axes without
 * names. Such a node is marked, and there is a warning when it is planned.
 */
#include <strings.h>

#include "expr/expr.h"

/*
 * An outer product of more than OUTER_BYTES, and OUTER_TIMES as large as its operands, is refused
 * unless the user names its axes.
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

/* Whether two names are spellings of one axis: "lat" and "latitude", "x" and "lon". */
static bool
same_names(const char *a, const char *b)
{
	static const char *const row[][9] = {
		{ "lat", "latitude", "nav_lat", "y", "ylat", "rlat" },
		{ "lon", "longitude", "nav_lon", "x", "xlon", "rlon" },
		{ "lev", "level", "plev", "z", "height", "altitude" },
		{ "time", "t", "date", "year", "month", "record", "season",
		    "water_year", "decade" },
	};

	if (strcasecmp(a, b) == 0)
		return true;
	for (int r = 0; r < ARRAY_LEN(row); r++) {
		bool has_a = false, has_b = false;

		for (int k = 0; k < ARRAY_LEN(row[r]) && row[r][k]; k++) {
			has_a = has_a || strcasecmp(a, row[r][k]) == 0;
			has_b = has_b || strcasecmp(b, row[r][k]) == 0;
		}
		if (has_a && has_b)
			return true;
	}
	return false;
}

/* Whether the coordinates of two axes say that they are one: latitudes of two files, say. */
static bool
same_meaning(const struct axt_axis *a, const struct axt_axis *b)
{
	static const char *const word[] = { "standard_name", "axis" };

	for (int k = 0; k < ARRAY_LEN(word); k++) {
		const char *x = a->coord ? axt_attr_text(a->coord->attrs, word[k]) : NULL;
		const char *y = b->coord ? axt_attr_text(b->coord->attrs, word[k]) : NULL;

		if (x && y && strcmp(x, y) == 0)
			return true;
	}
	return false;
}

bool
axt_axes_alike(const struct axt_axis *a, const struct axt_axis *b)
{
	size_t n = MIN(strlen(a->name), strlen(b->name));
	/* lon and lon_u of a staggered grid, which has a cell more or as many */
	bool staggered = strncmp(a->name, b->name, n) == 0 &&
	    (a->name[n] == '_' || b->name[n] == '_') && a->len - b->len <= 1 &&
	    b->len - a->len <= 1;

	/* an axis that has no name in its file may be any that is as long */
	bool numbered = a->len == b->len &&
	    (strncmp(a->name, "dim_", 4) == 0) != (strncmp(b->name, "dim_", 4) == 0);

	return a->level == b->level && a->len > 1 && b->len > 1 &&
	    (staggered || numbered || same_names(a->name, b->name) || same_meaning(a, b));
}

/*
 * Whether an outer product may be a mistake: p are the axes that only one side has, q those that
 * only the other has, and two of them look alike.
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

bool
axt_meets_first(const struct axt_expr *x, const struct axt_expr *y)
{
	bool part = true;

	if (x->axes.n > y->axes.n || !axt_axes_meet_others(&x->axes, &y->axes))
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
	    "ones meet: axt-rename %s %s does so",
	    a[i]->from, axt_axes_text(g->m, &a[i]->axes), a[k]->from,
	    axt_axes_text(g->m, &a[k]->axes), axt_axes_renaming(g->m, &a[i]->axes, &a[k]->axes),
	    a[i]->from);
	g->outer_told = true;
}
