/*
 * reduce.c - reductions by labels: which groups a reduction has, and what the result says of them.
 */
#include "groups/groups.h"

/* Whether the name is that of a field of a time that is the same in every year, such as month. */
static bool
is_of_years(const char *name)
{
	return name &&
	    (strcmp(name, "season") == 0 || strcmp(name, "month") == 0 ||
		strcmp(name, "dayofyear") == 0);
}

/*
 * Whether some group has elements of several years. That is so only for groups by a field of the
 * dates of a time axis, such as month; labels of that name from elsewhere may mean anything.
 * December belongs to the winter of the next year.
 */
static bool
several_years(struct axt_graph *g, const struct axt_labels *l)
{
	const struct axt_groups *by = &l->groups;
	const struct axt_coord *c = by->of->axes.n == 1 ? by->of->axes.a[0].coord : NULL;
	const char *name = by->axis.name;
	bool season = strcmp(name, "season") == 0;
	const int32_t *group;
	struct axt_cffields f;
	struct axt_cftime t;
	int64_t *year, *field;
	bool several = false;

	if (!l->field || !is_of_years(name) || !c || !c->data || c->text ||
	    !axt_attrs_time(c->attrs, &t))
		return false;
	group = by->of->u.leaf.st->mem;
	year = axt_alloc(g->m, (size_t)by->axis.len * sizeof(*year) + 1);
	field = axt_alloc(g->m, (size_t)by->axis.len * sizeof(*field) + 1);
	for (int64_t k = 0; year && k < by->axis.len; k++)
		year[k] = INT64_MIN;
	for (int64_t i = 0; year && field && i < c->n; i++) {
		int64_t own, is, k = group[i];

		if (k < 0 ||
		    !axt_cftime_fields(&t,
			axt_load_f64(c->dtype, (const uint8_t *)c->data + i * axt_size(c->dtype)),
			&f))
			continue;
		own = f.year + (season && f.month == 12);
		is = axt_cffield_of(&f, axt_cffield_named(name));
		if (year[k] != INT64_MIN && field[k] != is)
			return false;
		several = several || (year[k] != INT64_MIN && year[k] != own);
		year[k] = own;
		field[k] = is;
	}
	return several;
}

/*
 * Changes cell_methods of a climatology, whose last entry is "time: mean", to "time: mean within
 * years time: mean over years" (CF, section 7.4), also if the values were means in time before.
 * This is done only if time is the one axis that is reduced.
 */
static struct axt_expr *
climatology(struct axt_graph *g, enum axt_red op, const struct axt_expr *a, struct axt_expr *e,
    const struct axt_labels *l)
{
	static const bool has[AXT_NREDS] = { [AXT_RED_MEAN] = true,
		[AXT_RED_SUM] = true,
		[AXT_RED_MIN] = true,
		[AXT_RED_MAX] = true };
	int i = axt_axes_find(&a->axes, &l->groups.of->axes.a[0]);
	const char *old = axt_attr_text(e->meta->attrs, "cell_methods");
	struct axt_attr t = { .name = "cell_methods", .kind = AXT_ATTR_TEXT };
	struct axt_meta *m;

	if (!has[op] || !old || i < 0 || !a->axes.a[i].coord || e->u.red.nkept != a->axes.n - 1 ||
	    !several_years(g, l))
		return e;
	t.text = axt_sprintf(g->m, "%s within years %s: %s over years", old,
	    axt_axis_spell(g->m, &a->axes.a[i]), axt_reds[op].cf);
	m = axt_dress(g, &e, NULL);
	if (m)
		m->attrs = axt_attr_set(g->m, m->attrs, &t);
	return e;
}

/*
 * Whether a step may compute the groups from the labels while it reduces, instead of from a list in
 * memory. It may for sums and counts by labels along the last axis, unless the labels may be a
 * field of dates: whether they are is found from the list.
 */
static bool
may_again(enum axt_red op, const struct axt_expr *a, const struct axt_expr *by)
{
	int last = a->axes.n - 1;

	while (last > 0 && a->axes.a[last].len == 1)
		last--;
	return (op == AXT_RED_SUM || op == AXT_RED_COUNT) && by->axes.n == 1 &&
	    axt_axes_find(&a->axes, &by->axes.a[0]) == last &&
	    !axt_labels_doubtful(axt_expr_name(by), &by->axes);
}
/* Which groups have elements, over their axis. *empty: the first that has none, -1: all have. */
static struct axt_expr *
groups_met(struct axt_graph *g, const struct axt_groups *by, int64_t *empty)
{
	const int32_t *of = by->of->u.leaf.st->mem;
	int64_t n = axt_count(by->of);
	struct axt_axes x = { .n = 1, .a = { by->axis } };
	bool *met = axt_alloc(g->m, (size_t)by->axis.len + 1);

	*empty = -1;
	for (int64_t i = 0; met && i < n; i++)
		if (of[i] >= 0)
			met[of[i]] = true;
	for (int64_t k = 0; met && k < by->axis.len && *empty < 0; k++)
		*empty = met[k] ? -1 : k;
	return axt_memory_leaf(g, AXT_BOOL, &x, met);
}

/* Label k as messages show it; of several tensors of labels "year 2010, season "DJF"". */
static const char *
label_text(struct axt_graph *g, const struct axt_labels *l, int64_t k)
{
	const char *text = "";

	if (l->nparts == 0)
		return axt_coord_value(g->m, l->groups.axis.coord, NULL, k);
	for (int i = l->nparts - 1; i >= 0 && text; i--) {
		const struct axt_axis *x = &l->part[i].axis;

		text = axt_sprintf(g->m, "%s %s%s%s", axt_escape(g->m, x->name),
		    axt_coord_value(g->m, x->coord, NULL, k % x->len), *text ? ", " : "", text);
		k /= x->len;
	}
	return text ? text : "";
}

/*
 * Makes e, the reduction by groups, missing where a group has no elements and a reduction of no
 * elements has no value. Fails if e has integers, which cannot be missing.
 */
static struct axt_expr *
with_empty(struct axt_graph *g, enum axt_red op, struct axt_expr *e, const struct axt_labels *l)
{
	const struct axt_groups *by = &l->groups;
	bool mean = op == AXT_RED_MEAN || op == AXT_RED_VAR || op == AXT_RED_STD ||
	    op == AXT_RED_RMS;
	struct axt_expr *met = NULL, *y;
	struct axt_meta *m;
	int64_t k = -1;

	if ((!axt_reds[op].empty_ok || mean) && op != AXT_RED_ARGMIN && op != AXT_RED_ARGMAX &&
	    by->of->kind == AXT_NODE_LEAF)
		met = groups_met(g, by, &k);
	if (k < 0)
		return e;
	if (axt_dtypes[e->dtype].cls < AXT_CLASS_FLOAT) {
		axt_fail(&g->err, AXT_E_ARG,
		    "label %s of %s has no elements, and %s of none is no %s", label_text(g, l, k),
		    by->of->from, axt_reds[op].name, axt_dtypes[e->dtype].name);
		axt_hint(&g->err, "axt-cast --dtype f64 makes numbers that can be missing");
		return axt_node_failed(g);
	}
	y = axt_where(g, met, e, axt_number(g, "nan"));
	m = axt_dress(g, &y, e);
	if (m)
		m->missing = true;
	return y;
}

/* Replaces the bounds of the time axis that was reduced by those of the periods. */
static struct axt_expr *
with_bounds(struct axt_graph *g, struct axt_expr *e, const struct axt_labels *l)
{
	struct axt_meta *m = axt_dress_without(g, &e, e, &l->groups.axis);
	struct axt_aux *b = axt_alloc(g->m, sizeof(*b));

	if (!m || !b)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	*b = *l->bounds;
	b->next = (struct axt_aux *)(uintptr_t)m->aux;
	m->aux = b;
	return e;
}

/*
 * Warns if the reduction, without `to` and `over`, also reduces axes that the labels do not have:
 * groupby of xarray, by the same labels, keeps these axes.
 */
static void
warn_others(struct axt_graph *g, const struct axt_expr *a, const struct axt_groups *by)
{
	const char *sign = g->called ? "" : "--", *to = g->called ? "=" : " ", *axes;
	int own[AXT_MAX_RANK], other[AXT_MAX_RANK], nown = 0, n = 0;

	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&by->of->axes, &a->axes.a[i]) >= 0)
			own[nown++] = i;
		else if (a->axes.a[i].len > 1)
			other[n++] = i;
	if (n == 0 || nown == 0)
		return;
	axes = axt_axes_typed(g->m, &a->axes, own, nown);
	if (g->called && nown > 1)
		axes = axt_sprintf(g->m, "(%s)", axes ? axes : "");
	axt_warn(g, "%sby without %sover reduces over %s of %s, too: %sover%s%s keeps %s", sign,
	    sign, axt_axes_typed(g->m, &a->axes, other, n), axt_called(a), sign, to,
	    axes ? axes : "", n > 1 ? "them" : "it");
}

/* Elements whose weight is missing are left out. */
static struct axt_expr *
known(struct axt_graph *g, enum axt_red op, struct axt_expr *a, const struct axt_reduce_opts *o)
{
	struct axt_reduce_opts how = *o;
	struct axt_meta *m;
	struct axt_expr *e;

	a = axt_weights_leave_out(g, a, o->weights, o->nan);
	how.weights = axt_weights_filled(g, o->weights);
	e = axt_reduce(g, op, a, &how);
	m = axt_dress(g, &e, NULL);
	if (m)
		m->missing = axt_dtypes[e->dtype].cls == AXT_CLASS_FLOAT;
	return e;
}

/*
 * Warns of the count of bools, such as a comparison: nothing is missing among them, so that all are
 * counted, true or not. There is no warning where elements of a file are counted by groups, since
 * any dataset along them, also a mask, does for that.
 */
static void
doubt_count(struct axt_graph *g, enum axt_red op, const struct axt_expr *a, bool groups)
{
	if (op == AXT_RED_COUNT && a->dtype == AXT_BOOL && !(groups && a->kind == AXT_NODE_LEAF))
		axt_warn(g,
		    "count counts what is not missing, and in %s, which is bool, nothing is; sum "
		    "counts the true ones",
		    axt_called(a));
}

/* Warns of times as weights: days since a date say how late an element is, not what it counts. */
static void
doubt_weights(struct axt_graph *g, const struct axt_expr *w)
{
	if (!axt_bad(w) && axt_attrs_time(w->meta->attrs, NULL))
		axt_warn(g,
		    "the weights %s are times, \"%s\"; the days of each month are %s.daysinmonth",
		    axt_called(w), axt_escape(g->m, axt_attr_text(w->meta->attrs, "units")),
		    w->axes.n ? axt_axis_spell(g->m, &w->axes.a[0]) : "time");
}

struct axt_expr *
axt_reduce(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o)
{
	struct axt_reduce_opts how;
	struct axt_labels *l;
	struct axt_expr *e;
	bool selects;

	if (o && o->weights)
		doubt_weights(g, o->weights);
	if (o && axt_weights_lack(o->weights, o->nan))
		return axt_refused(g, a) ? axt_node_failed(g) : known(g, op, a, o);
	if (o && o->every)
		return axt_refused(g, a) ? axt_node_failed(g) : axt_reduce_every(g, op, a, o);
	selects = axt_red_selects(op);
	if (o && !o->by && o->weights && selects)
		return axt_refused(g, a) ? axt_node_failed(g) : axt_weighted_quantile(g, op, a, o);
	if (o && !o->by && (o->labels || o->among))
		return axt_graph_fail(g, AXT_E_ARG, "labels are given, and no tensor has them");
	if (axt_refused(g, a) || (o && o->by && axt_refused(g, o->by)))
		return axt_node_failed(g);
	doubt_count(g, op, a, o && o->by);
	if (!o || !o->by)
		return axt_separated(g, axt_reduce_grouped(g, op, a, o, NULL));
	for (l = o->labels || o->among ? g->labels : NULL; l; l = l->next)
		if (l->by == o->by && l->nparts)
			return axt_graph_fail(g, AXT_E_ARG,
			    "--labels lists the labels of one tensor, and there are %d of them "
			    "here: without --labels, those that occur are taken",
			    l->nparts);
	l = o->labels || o->among ? axt_labels_set(g, o->by, o, may_again(op, a, o->by))
				  : axt_labels_known(g, o->by, may_again(op, a, o->by));
	if (!l)
		return axt_node_failed(g);
	how = *o;
	if (selects)
		how.weights = NULL; /* they are given to each group */
	if (axt_groups_to(g, l->part, l->nparts, o->to, &how.to))
		return axt_node_failed(g);
	e = axt_reduce_grouped(g, op, a, &how, &l->groups);
	if (!axt_bad(e) && !o->to && !o->over)
		warn_others(g, a, &l->groups);
	if (!axt_bad(e))
		e = axt_red_selects(op)
		    ? axt_reduce_parts(g, e, &l->groups, selects ? o->weights : NULL, o->nan)
		    : climatology(g, op, a, e, l);
	if (!axt_bad(e) && (l->labels || l->nparts) && !l->again)
		e = with_empty(g, op, e, l);
	if (l->nparts)
		return axt_groups_apart(g, e, l->part, l->nparts, o->to);
	return axt_bad(e) || !l->bounds ? e : with_bounds(g, e, l);
}
