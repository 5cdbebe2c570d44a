/* fill.c - functions in what rows of rewrites.def put: text in, text out. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "axt_cmd.h"
#include "calc/respell.h"
#include "calc/rewrite.h"

typedef const char *fill(const struct axt_rw_values *v);

static const struct axt_expr *
built(const struct axt_rw_values *v, const char *text)
{
	return axt_rw_built(v->w, v->at, text);
}

/* Axes as a list that a function takes; NULL: there are none. */
static const char *
listed(const struct axt_rw_values *v, const struct axt_axes *x, const int *which, int n)
{
	const char *s = n > 0 ? axt_axes_typed(v->w->c->g->m, x, which, n) : NULL;

	return s && n > 1 ? axt_sprintf(v->w->c->g->m, "(%s)", s) : s;
}

/* percent(n): a hundredth. */
static const char *
percent(const struct axt_rw_values *v)
{
	return axt_sprintf(v->w->c->g->m, "%.10g", strtod(v->v[0], NULL) / 100);
}

/* reversed(a): its axes from the last to the first. */
static const char *
reversed(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	int back[AXT_MAX_RANK], n = e ? e->axes.n : 0;

	for (int k = 0; k < n; k++)
		back[k] = n - 1 - k;
	return n == 1 ? v->v[0]
	    : n > 1
	    ? axt_sprintf(v->w->c->g->m, "order(%s, %s)", v->v[0], listed(v, &e->axes, back, n))
	    : NULL;
}

/* others(a, x): its axes without x. */
static const char *
others(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	int which[AXT_MAX_RANK], n = 0, x = e ? axt_axes_spelled(&e->axes, v->v[1]) : -1;

	for (int k = 0; x >= 0 && k < e->axes.n; k++)
		if (k != x)
			which[n++] = k;
	return n
	    ? axt_respell_parentheses(v->w->c->g, axt_axes_typed(v->w->c->g->m, &e->axes, which, n))
	    : NULL;
}

/* axes(a): all of them. */
static const char *
axes(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);

	return e ? listed(v, &e->axes, axt_identity, e->axes.n) : NULL;
}

/* numbered(a, n): axes by their positions or names. */
static const char *
numbered(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);

	return e ? axt_respell_parentheses(v->w->c->g, axt_respell_axes(v->w->c->g, e, v->v[1]))
		 : NULL;
}

/* beyond(a, x, n): where elements have been moved from outside by n along x. */
static const char *
beyond(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	int x = e ? axt_axes_spelled(&e->axes, v->v[1]) : -1;
	long long len = x >= 0 ? (long long)e->axes.a[x].len : 0, n;

	n = strtoll(v->v[2], NULL, 10);
	if (n == 0 || llabs(n) > len)
		return NULL;
	return axt_sprintf(v->w->c->g->m, "iota(%s=%lld) %s %lld", v->v[1], len,
	    n > 0 ? "<" : ">=", n > 0 ? n : len + n);
}

/* steps(n, m, k): how many numbers there are from n on, before m, by k. */
static const char *
steps(const struct axt_rw_values *v)
{
	double by = strtod(v->v[2], NULL);
	double n = by == 0 ? 0 : ceil((strtod(v->v[1], NULL) - strtod(v->v[0], NULL)) / by);

	return n >= 1 && n < 1e15 ? axt_sprintf(v->w->c->g->m, "%.0f", n) : NULL;
}

/* only(): the only operand with several axes. */
static const char *
only(const struct axt_rw_values *v)
{
	const char *name = NULL;

	for (const struct axt_calc_name *x = v->w->c->names; x; x = x->next) {
		if (x->e->axes.n > 1 && name)
			return NULL;
		name = x->e->axes.n > 1 ? x->name : name;
	}
	return name;
}

/* first(A): the first operand in it, with its parts. */
static const char *
first(const struct axt_rw_values *v)
{
	struct axt_rw w = *v->w;

	w.text = v->v[0];
	for (int i = 0; axt_rw_split(&w) && i < w.n; i++)
		if (axt_rw_operand(&w, i)) {
			int to = i + 1;

			if (axt_rw_is(&w, to, "[") && w.t[to].mate > to)
				to = w.t[to].mate + 1;
			return axt_rw_text(&w, i, to);
		}
	return NULL;
}

/* period(q): a frequency of pandas. */
static const char *
period(const struct axt_rw_values *v)
{
	const char *s = axt_respell_period(v->w->c->g, v->v[0]);

	return s && strchr(s, ' ') ? axt_sprintf(v->w->c->g->m, "\"%s\"", s) : s;
}

/* attribute(v, w): the number that an attribute of an operand is. */
static const char *
attribute(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	const struct axt_attr *a = e ? axt_attr_find(e->meta->attrs, v->v[1]) : NULL;
	char value[AXT_TEXT];

	if (!a || a->kind != AXT_ATTR_NUM || a->n != 1 ||
	    axt_dtypes[a->dtype].cls > AXT_CLASS_FLOAT)
		return NULL;
	value[axt_value_text(value, a->dtype, a->data)] = '\0';
	return axt_strdup(v->w->c->g->m, value);
}

/* Another name for an axis where two of one name meet: j for dim_0, k for dim_1, lat2 for lat. */
static const char *
new_axis(const struct axt_rw_values *v, const char *name)
{
	static const char *const letters[] = { "j", "k", "l", "m" };
	int64_t number;

	if (strncmp(name, "dim_", 4) == 0 && axt_parse_int(name + 4, 0, 3, &number))
		return letters[number];
	return axt_sprintf(v->w->c->g->m, "%s2", name);
}

/* The text b, of which axis i gets the name to[i] where that is another one. */
static const char *
renamed(const struct axt_rw_values *v, const char *b, const struct axt_axes *x,
    const char *const to[])
{
	const char *s = "";

	for (int i = 0; i < x->n && s; i++)
		if (to[i] && strcmp(to[i], x->a[i].name) != 0)
			s = axt_sprintf(v->w->c->g->m, "%s, %s=%s", s, x->a[i].name, to[i]);
	return !s ? NULL : *s ? axt_sprintf(v->w->c->g->m, "rename(%s%s)", b, s) : b;
}

/* outer(a, b): the product of all elements of one with all of the other. */
static const char *
outer(const struct axt_rw_values *v)
{
	const struct axt_expr *a = built(v, v->v[0]), *b = built(v, v->v[1]);
	const char *to[AXT_MAX_RANK] = { NULL }, *s;

	if (!a || !b || b->axes.n == 0)
		return NULL;
	for (int i = 0; i < b->axes.n; i++)
		if (axt_axes_spelled(&a->axes, b->axes.a[i].name) >= 0)
			to[i] = new_axis(v, b->axes.a[i].name);
	s = renamed(v, v->v[1], &b->axes, to);
	if (!s || s == v->v[1] || a->axes.n > 1 || b->axes.n > 1)
		return s ? axt_sprintf(v->w->c->g->m, "%s*%s", v->v[0], s) : NULL;
	/* of two vectors as long as each other, which might be meant to meet */
	return axt_sprintf(v->w->c->g->m, "broadcast(%s*%s, (%s,%s))", v->v[0], s,
	    a->axes.a[0].name, to[0]);
}

/* The text without ".T" at its end; *turned: whether it had that. */
static const char *
turned(const struct axt_rw_values *v, const char *s, bool *turned)
{
	size_t n = strlen(s);

	*turned = n > 2 && strcmp(s + n - 2, ".T") == 0;
	return axt_strndup(v->w->c->g->m, s, n - 2 * *turned);
}

/* last(a): the last two of its axes. */
static const char *
last(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	int n = e ? e->axes.n : 0, two[] = { n - 2, n - 1 };

	return n >= 2 ? listed(v, &e->axes, two, 2) : NULL;
}

/* swapped(a, i, k): with two axes in each other's place, which count from the end below 0. */
static const char *
swapped(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	long n = e ? e->axes.n : 0, i = strtol(v->v[1], NULL, 10), k = strtol(v->v[2], NULL, 10);
	int which[AXT_MAX_RANK];

	i += i < 0 ? n : 0;
	k += k < 0 ? n : 0;
	if (n < 3 || i < 0 || k < 0 || i >= n || k >= n) /* of two axes it is an order of them */
		return NULL;
	memcpy(which, axt_identity, (size_t)n * sizeof(which[0]));
	which[i] = (int)k;
	which[k] = (int)i;
	return axt_sprintf(v->w->c->g->m, "order(%s, %s)", v->v[0],
	    listed(v, &e->axes, which, (int)n));
}

/* A product of matrices along axes that both have before the last two: these are kept. */
static const char *
stacked(const struct axt_rw_values *v, const struct axt_expr *a, const struct axt_expr *b)
{
	const char *to[AXT_MAX_RANK] = { NULL }, *s;
	int keep[AXT_MAX_RANK], n = 0, over = -1, from = -1;

	for (int i = 0; i < a->axes.n; i++) { /* of matrices alone none is before the last two */
		int k = axt_axes_find(&b->axes, &a->axes.a[i]);

		if (k >= 0 && i < a->axes.n - 2 && k < b->axes.n - 2) {
			keep[n++] = i;
		} else if (k >= 0) {
			/* of two that both have, NumPy sums over the last but one of b */
			if (from >= 0 && k != b->axes.n - 2)
				return NULL;
			if (from >= 0)
				to[from] = new_axis(v, a->axes.a[over].name);
			over = i;
			from = k;
		}
	}
	s = n > 0 && over >= 0 ? renamed(v, v->v[1], &b->axes, to) : NULL;
	return s ? axt_sprintf(v->w->c->g->m, "dot(%s, %s, over=%s, keep=%s)", v->v[0], s,
		       listed(v, &a->axes, &over, 1), listed(v, &a->axes, keep, n))
		 : NULL;
}

/*
 * The axis of which each letter of a factor of einsum is the name; axes of the factor that have
 * another one get it in to[]. Returns false if there is not a letter for each axis.
 */
static bool
read_letters(const struct axt_rw_values *v, const char *s, const struct axt_axes *x,
    const char *name[128], const char *to[])
{
	for (int i = 0; i < x->n; i++, s++) {
		bool used = false;

		if (!isalpha((unsigned char)*s) || strchr(s + 1, *s))
			return false;
		for (int c = 0; c < 128; c++)
			used = used || (name[c] && strcmp(name[c], x->a[i].name) == 0);
		if (!name[(int)*s])
			name[(int)*s] = used ? new_axis(v, x->a[i].name) : x->a[i].name;
		to[i] = name[(int)*s];
	}
	return *s == '\0';
}

/* Whether a letter of s is in neither of the others: dot sums over no axis of one factor alone. */
static bool
has_alone(const char *s, const char *other, const char *result)
{
	for (; *s; s++)
		if (!strchr(other, *s) && !strchr(result, *s))
			return true;
	return false;
}

/* einsum(q, a, b): the product of two factors that "sf,sg->fg" tells, by names of axes. */
static const char *
einsum(const struct axt_rw_values *v)
{
	struct axt_arena *m = v->w->c->g->m;
	const struct axt_expr *a = built(v, v->v[1]), *b = built(v, v->v[2]);
	const char *name[128] = { NULL }, *none[AXT_MAX_RANK] = { NULL },
		   *to[AXT_MAX_RANK] = { NULL };
	const char *over = "", *keep = "", *order = "", *s;
	char left[40] = "", right[40] = "", result[40] = "";

	if (!a || !b ||
	    sscanf(v->v[0] + strspn(v->v[0], "\"' "), "%39[a-zA-Z],%39[a-zA-Z]->%39[a-zA-Z]", left,
		right, result) != 3 ||
	    !read_letters(v, left, &a->axes, name, none) ||
	    !read_letters(v, right, &b->axes, name, to) || has_alone(left, right, result) ||
	    has_alone(right, left, result))
		return NULL;
	for (const char *c = left; *c; c++) {
		const char **list = strchr(result, *c) ? &keep : &over;

		if (strchr(right, *c))
			*list = axt_sprintf(m, "%s%s%s", *list, **list ? "," : "", name[(int)*c]);
	}
	for (const char *c = result; *c; c++) {
		if (!name[(int)*c])
			return NULL;
		order = axt_sprintf(m, "%s%s%s", order, *order ? "," : "", name[(int)*c]);
	}
	s = renamed(v, v->v[2], &b->axes, to);
	if (!s || !*over)
		return NULL;
	s = axt_sprintf(m, *keep ? "dot(%s, %s, over=(%s), keep=(%s))" : "dot(%s, %s, over=(%s))",
	    v->v[1], s, over, keep);
	return result[1] ? axt_sprintf(m, "order(%s, %s)", s, order) : s;
}

/* length(a, n): of the n-th of its axes. */
static const char *
length(const struct axt_rw_values *v)
{
	const struct axt_expr *e = built(v, v->v[0]);
	long i = strtol(v->v[1], NULL, 10);

	i += i < 0 && e ? e->axes.n : 0;
	return e && i >= 0 && i < e->axes.n
	    ? axt_sprintf(v->w->c->g->m, "%lld", (long long)e->axes.a[i].len)
	    : NULL;
}

/* dot(a, b): a product of matrices, whose axes get the names over which NumPy sums. */
static const char *
dot(const struct axt_rw_values *v)
{
	bool ta, tb;
	const char *x = turned(v, v->v[0], &ta), *y = turned(v, v->v[1], &tb), *rest, *s;
	const struct axt_expr *a = x ? built(v, x) : NULL, *b = y ? built(v, y) : NULL;
	const char *to[AXT_MAX_RANK] = { NULL };
	int i = a && a->axes.n == 2 && !ta, j = b && b->axes.n == 2 && tb;

	if (!a || !b || axt_rw_is_axis(v->w, x)) /* AXIS@VALUE */
		return NULL;
	s = stacked(v, a, b);
	if (s)
		return s;
	if (a->axes.n >= 1 && a->axes.n <= 2 && b->axes.n >= 1 && b->axes.n <= 2 &&
	    a->axes.a[i].len == b->axes.a[j].len) {
		rest = b->axes.n == 2 ? b->axes.a[1 - j].name : "";
		to[j] = a->axes.a[i].name;
		to[1 - j] = axt_axes_spelled(&a->axes, rest) >= 0 ? new_axis(v, rest) : NULL;
	}
	s = renamed(v, y, &b->axes, to);
	return s ? axt_sprintf(v->w->c->g->m, "dot(%s, %s)", x, s) : NULL;
}

const char *
axt_rw_fill(const char *name, size_t n, const struct axt_rw_values *v)
{
	static const struct {
		const char *name;
		fill *fn;
	} fns[] = { { "percent", percent }, { "reversed", reversed }, { "others", others },
		{ "axes", axes }, { "numbered", numbered }, { "beyond", beyond }, { "only", only },
		{ "first", first }, { "steps", steps }, { "period", period },
		{ "attribute", attribute }, { "outer", outer }, { "dot", dot }, { "last", last },
		{ "swapped", swapped }, { "einsum", einsum }, { "length", length } };

	for (int i = 0; i < ARRAY_LEN(fns); i++)
		if (strlen(fns[i].name) == n && strncmp(fns[i].name, name, n) == 0)
			return fns[i].fn(v);
	return NULL;
}
