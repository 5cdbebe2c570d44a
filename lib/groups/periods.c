/*
 * periods.c - a time axis in periods, such as months, or so many steps: the label of each time is
 * its period.
 */
#include <stdlib.h>

#include "base/quote.h"
#include "groups/groups.h"

#define STEPS AXT_CF_UNITS /* as a unit: positions along the axis */

int
axt_time_axes(const struct axt_axes *x, const struct axt_axes *named, int *at)
{
	struct axt_cftime t;
	int n = 0;

	for (int i = 0; i < x->n; i++)
		if ((!named || axt_axes_find(named, &x->a[i]) >= 0) &&
		    !axt_axis_times(&x->a[i], "", &t, &(struct axt_err){ 0 })) {
			*at = i;
			n++;
		}
	return n;
}

/* A dataset of CF times that lies along one axis of a, which has none itself; or NULL. */
static const struct axt_aux *
times_beside(const struct axt_expr *a)
{
	struct axt_cftime t;

	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (x->axes.n == 1 && !x->text && axt_axes_find(&a->axes, &x->axes.a[0]) >= 0 &&
		    axt_attrs_time(x->attrs, &t))
			return x;
	return NULL;
}

/* Says that a has no axis of CF times, and how it gets one. */
static int
no_times(struct axt_graph *g, const struct axt_expr *a)
{
	const struct axt_aux *x = times_beside(a);
	const char *end = strrchr(a->from, ':');

	axt_axes_no_times(g->m, &a->axes, a->from, &g->err);
	if (x && end && end > a->from) {
		g->err.hint[0] = '\0';
		axt_hint(&g->err, "axt-coord set %s %s makes the times of %s those of its axis",
		    axt_typed(g->m, "%s=%.*s:%s", axt_axis_spell(g->m, &x->axes.a[0]),
			(int)(end - a->from), a->from, axt_escape(g->m, x->name)),
		    axt_typed(g->m, "%s", a->from), axt_escape(g->m, x->name));
	}
	return -1;
}

/* The index of the axis of CF times that goes by `over`, if that is given. -1: error. */
static int
time_axis(struct axt_graph *g, const struct axt_expr *a, const char *over)
{
	struct axt_axes named;
	int at, n;

	if (over && axt_axes_parse(g->m, over, false, &named, NULL, &g->err))
		return -1;
	n = axt_time_axes(&a->axes, over ? &named : NULL, &at);
	if (n == 1)
		return at;
	if (n) {
		axt_fail(&g->err, AXT_E_AXES,
		    "%s has %d axes of CF times, and periods are of one (%s)", a->from, n,
		    axt_axes_text(g->m, &a->axes));
		axt_hint(&g->err, "--over names one of them");
		return -1;
	}
	if (over && axt_time_axes(&a->axes, NULL, &at) > 0) {
		const char *time = axt_axis_spell(g->m, &a->axes.a[at]);

		axt_fail(&g->err, AXT_E_AXES,
		    "the axis \"%s\" of the periods (%s) is kept: it has to be reduced", time,
		    a->from);
		axt_about(&g->err, AXT_LEFT_OUT, time, a->from);
		axt_hint_option(&g->err, "over", "%s,%s", time, over);
		return -1;
	}
	return no_times(g, a);
}

/* The number of the first unit of the periods, which is that of the earliest time. */
static int
first_unit(const struct axt_cfperiod *p, const struct axt_cftime *t, const double *v, int64_t n,
    int64_t *first)
{
	int64_t k;

	*first = INT64_MAX;
	for (int64_t i = 0; i < n; i++) {
		if (!axt_cfperiod_unit(p, t, v[i], true, &k))
			return -1;
		*first = MIN(*first, k);
	}
	return 0;
}

/* Sets of[i] to the number of the period of time v[i]. Returns nonzero if one has no date. */
static int
periods(const struct axt_cfperiod *p, const struct axt_cftime *t, const double *v, int64_t n,
    int64_t first, int32_t *of)
{
	int64_t k;

	for (int64_t i = 0; i < n; i++) {
		if (!axt_cfperiod_unit(p, t, v[i], false, &k) || (k - first) / p->n > INT32_MAX)
			return -1;
		of[i] = (int32_t)((k - first) / p->n);
	}
	return 0;
}

/*
 * Where the period that begins with unit k ends and begins; of steps along x, which has the times
 * v, its first and last time.
 */
static void
period_ends(const struct axt_cfperiod *p, const struct axt_cftime *t, const struct axt_axis *x,
    const double *v, int64_t k, double ends[2])
{
	if (p->unit == STEPS) {
		ends[0] = v[k];
		ends[1] = v[MIN(k + p->n, x->len) - 1];
	} else {
		ends[0] = axt_cfperiod_begin(p, t, k);
		ends[1] = axt_cfperiod_begin(p, t, k + p->n);
	}
}

/*
 * Gives the groups of the periods their axis, which is a time axis like x: coordinates are the
 * middles of the periods, and bounds where they begin and end.
 */
static int
period_axis(struct axt_graph *g, struct axt_labels *l, const struct axt_axis *x, const double *v,
    const struct axt_cfperiod *p, const struct axt_cftime *t, int64_t first)
{
	const int32_t *k = l->groups.axis.coord->data;
	int64_t n = l->groups.axis.coord->n;
	struct axt_cftime as = *t; /* the middle of a month is told in days */
	bool months = t->months && p->unit != STEPS;
	const char *days = months ? axt_cftime_days(g->m, &as) : "";
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	struct axt_aux *b = axt_alloc(g->m, sizeof(*b));
	struct axt_attr *name = axt_alloc(g->m, sizeof(*name));
	double *mid = axt_alloc(g->m, (size_t)n * sizeof(*mid) + 1),
	       *ends = axt_alloc(g->m, (size_t)n * 2 * sizeof(*ends) + 1);
	const char *old = axt_attr_text(x->coord->attrs, "bounds");

	if (!c || !b || !name || !mid || !ends || !days)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++) {
		period_ends(p, &as, x, v, first + k[i] * p->n, ends + 2 * i);
		mid[i] = ends[2 * i] + (ends[2 * i + 1] - ends[2 * i]) / 2;
	}
	*name = (struct axt_attr){ .name = "bounds",
		.kind = AXT_ATTR_TEXT,
		.text = old ? old : axt_sprintf(g->m, "%s_bnds", x->name) };
	*c = (struct axt_coord){ .dtype = AXT_F64, .n = n, .data = mid };
	c->attrs = axt_attr_set(g->m, axt_attr_drop(g->m, x->coord->attrs, "climatology"), name);
	if (months)
		c->attrs = axt_attr_set(g->m, c->attrs,
		    &(struct axt_attr){ .name = "units", .kind = AXT_ATTR_TEXT, .text = days });
	l->groups.axis = (struct axt_axis){ .name = x->name,
		.level = x->level,
		.len = n,
		.coord = c,
		.from = x->from,
		.unlimited = x->unlimited };
	*b = (struct axt_aux){ .name = name->text,
		.dtype = AXT_F64,
		.data = ends,
		.axes = { .n = 2, .a = { l->groups.axis, { .name = "bnds", .len = 2 } } },
		.own = { false, true } };
	l->bounds = b;
	return c->attrs && name->text ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* Makes the groups of axis x by the periods. */
static struct axt_labels *
make_periods(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x,
    const char *every, const struct axt_cfperiod *p)
{
	const char *what = axt_axis_where(g->m, x, a->from);
	double *v = axt_alloc(g->m, (size_t)x->len * sizeof(*v) + 1);
	int32_t *of = axt_alloc(g->m, (size_t)x->len * sizeof(*of) + 1);
	struct axt_expr *leaf;
	struct axt_labels *l;
	struct axt_cftime t;
	int64_t first;

	if (!what || !v || !of || axt_axis_times(x, what, &t, &g->err))
		return NULL;
	for (int64_t i = 0; i < x->len; i++)
		v[i] = axt_load_f64(x->coord->dtype,
		    (const uint8_t *)x->coord->data + i * axt_size(x->coord->dtype));
	for (int64_t i = 0; i < x->len && p->unit == STEPS; i++)
		of[i] = (int32_t)MIN(i / p->n, INT32_MAX);
	if (p->unit == STEPS)
		first = 0;
	else if (first_unit(p, &t, v, x->len, &first) || periods(p, &t, v, x->len, first, of)) {
		axt_fail(&g->err, AXT_E_RANGE, "%s has a value that is no date, or is too far",
		    what);
		return NULL;
	}
	leaf = axt_time_leaf(g, x, of, "period", a->from);
	l = axt_bad(leaf) ? NULL : axt_labels_known(g, leaf, false);
	if (!l || period_axis(g, l, x, v, p, &t, first))
		return NULL;
	l->times = x->coord;
	l->every = every;
	return l;
}

static bool
parse_period(const char *s, struct axt_cfperiod *out)
{
	static const char *const units[AXT_CF_UNITS] = { "hour", "day", "month", "season", "year" };
	const char *short_units[AXT_CF_UNITS] = { "h", "d" }; /* behind a number: 12h */
	bool number = *s >= '0' && *s <= '9';
	char *end;
	size_t n;

	*out = (struct axt_cfperiod){ .n = 1, .unit = STEPS + 1 };
	if (number) {
		out->n = strtoll(s, &end, 10);
		s = end + strspn(end, " ");
	}
	n = strlen(s);
	n -= n > 1 && s[n - 1] == 's';
	if (n == 4 && strncmp(s, "step", n) == 0)
		out->unit = STEPS;
	for (int i = 0; i < AXT_CF_UNITS; i++)
		if ((strlen(units[i]) == n && strncmp(units[i], s, n) == 0) ||
		    (number && short_units[i] && strcmp(short_units[i], s) == 0))
			out->unit = (enum axt_cfunit)i;
	return out->unit <= STEPS && out->n > 0 && out->n <= INT32_MAX;
}

struct axt_expr *
axt_reduce_every(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o)
{
	int i = o->by ? -1 : time_axis(g, a, o->over);
	struct axt_reduce_opts by = *o;
	struct axt_cfperiod p;
	struct axt_labels *l;

	if (o->by)
		return axt_graph_fail(g, AXT_E_ARG, "labels and periods do not go together");
	if (i < 0)
		return axt_node_failed(g);
	if (!parse_period(o->every, &p) || (p.unit == AXT_CF_SEASONS && p.n > 1)) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no period of time",
		    axt_escape(g->m, o->every));
		axt_about(&g->err, AXT_BAD_PERIOD, o->every, NULL);
		axt_hint(&g->err,
		    "hour, day, month, season, year, or several: \"5 days\", "
		    "\"10 steps\"");
		return axt_node_failed(g);
	}
	for (l = g->labels; l; l = l->next)
		if (l->every && l->times == a->axes.a[i].coord && strcmp(l->every, o->every) == 0)
			break;
	if (!l && !(l = make_periods(g, a, &a->axes.a[i], o->every, &p)))
		return axt_node_failed(g);
	by.every = NULL;
	by.by = (struct axt_expr *)(uintptr_t)l->by;
	if (!by.over && !by.to)
		by.over = axt_axes_typed(g->m, &a->axes, &i, 1);
	return axt_reduce(g, op, a, &by);
}
