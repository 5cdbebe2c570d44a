/*
 * reduce.c - reductions by labels. The distinct labels, rising, become coordinates of the result;
 * the group of each index is a tensor of i32, which is in memory or computed.
 */
#include <stdlib.h>
#include <unistd.h>

#include "graph/graph.h"

/*
 * A list of labels and their groups, so that several reductions by the same labels share one tensor
 * of groups.
 */
struct axt_labels {
	const struct axt_expr *by;
	/* the groups may be computed from labels that are read again, and are then not in memory */
	bool again;
	struct axt_groups groups;
	/*
	 * of periods of a time axis: the coordinates of that axis, the periods as typed, and bounds
	 */
	const struct axt_coord *times;
	const char *every;
	struct axt_aux *bounds;
	struct axt_labels *next;
};

/*
 * A label and its index. Integers are compared as integers, since a double would round large ones.
 */
struct label {
	union {
		double f;
		int64_t i;
		uint64_t u;
		const char *s;
	} v;
	int64_t at;
};

static int
by_place(const struct label *x, const struct label *y)
{
	return (x->at > y->at) - (x->at < y->at);
}

static int
by_float(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.f > y->v.f) - (x->v.f < y->v.f);

	return c ? c : by_place(x, y);
}

static int
by_int(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.i > y->v.i) - (x->v.i < y->v.i);

	return c ? c : by_place(x, y);
}

static int
by_uint(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.u > y->v.u) - (x->v.u < y->v.u);

	return c ? c : by_place(x, y);
}

static int
by_text(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = strcmp(x->v.s, y->v.s);

	return c ? c : by_place(x, y);
}

typedef int compare_fn(const void *a, const void *b);

/* Labels in memory, either numbers of a dtype or strings. */
struct given {
	bool text;
	enum axt_dtype dtype;
	const void *p;
	int64_t n;
	size_t size; /* bytes of a label */
};

static bool
same_label(const struct label *x, const struct label *y, compare_fn *compare)
{
	struct label a = *x, b = *y;

	a.at = b.at = 0;
	return compare(&a, &b) == 0;
}

/*
 * Sets out to label i. Returns false if it is NaN or an empty string, and so belongs to no group.
 */
static bool
take(const struct given *in, axt_conv_fn *conv, int64_t i, struct label *out)
{
	int64_t bad = -1;

	out->at = i;
	if (in->text) {
		out->v.s = ((const char *const *)in->p)[i];
		return out->v.s && *out->v.s;
	}
	conv(&out->v, (const uint8_t *)in->p + (size_t)i * in->size, 1, &bad);
	return axt_dtypes[in->dtype].cls != AXT_CLASS_FLOAT || out->v.f == out->v.f;
}

/* Sorts the labels into out and sets n to their number. Returns the comparison that was used. */
static compare_fn *
sorted(const struct given *in, struct label *out, int64_t *n)
{
	enum axt_class cls = axt_dtypes[in->dtype].cls;
	enum axt_dtype wide = cls == AXT_CLASS_FLOAT ? AXT_F64
	    : in->dtype == AXT_U64                   ? AXT_U64
						     : AXT_I64;
	compare_fn *compare = in->text ? by_text
	    : wide == AXT_F64          ? by_float
	    : wide == AXT_U64          ? by_uint
				       : by_int;
	axt_conv_fn *conv = in->text ? NULL : axt_kern_conv(wide, in->dtype, AXT_OVERFLOW_WRAP);
	bool rising = true;

	*n = 0;
	for (int64_t i = 0; i < in->n; i++) {
		if (!take(in, conv, i, &out[*n]))
			continue;
		rising = rising && (*n == 0 || compare(&out[*n - 1], &out[*n]) < 0);
		++*n;
	}
	if (!rising)
		qsort(out, (size_t)*n, sizeof(*out), compare);
	return compare;
}

/* ---- integers near each other, which need no sorting: a table has a place for each number ---- */

#define PIECE 512 /* labels that are converted at a time */
#define NONE UINT64_MAX

/*
 * Converts labels [lo, lo + n) to unsigned numbers of the same order; NaN becomes NONE. Returns
 * false if a label has a fraction or is too large.
 */
static bool
as_whole(const struct given *in, int64_t lo, int64_t n, uint64_t out[PIECE])
{
	bool real = axt_dtypes[in->dtype].cls == AXT_CLASS_FLOAT;
	enum axt_dtype wide = real ? AXT_F64 : in->dtype == AXT_U64 ? AXT_U64 : AXT_I64;
	int64_t bad = -1;
	double f;

	axt_kern_conv(wide, in->dtype, AXT_OVERFLOW_WRAP)(out,
	    (const uint8_t *)in->p + (size_t)lo * in->size, n, &bad);
	for (int64_t i = 0; i < n && !real; i++) {
		out[i] ^= wide == AXT_U64 ? 0 : (uint64_t)1 << 63;
		if (out[i] == NONE)
			return false;
	}
	for (int64_t i = 0; i < n && real; i++) {
		memcpy(&f, &out[i], 8);
		if (f == f && !(f > -0x1p53 && f < 0x1p53 && f == (double)(int64_t)f))
			return false;
		out[i] = f == f ? (uint64_t)(int64_t)f ^ (uint64_t)1 << 63 : NONE;
	}
	return true;
}

/*
 * Does what split does, for integers. Returns false if the labels are no integers or too far apart.
 */
static bool
split_whole(const struct given *in, int32_t *of, struct axt_coord *c, uint8_t *values)
{
	uint64_t x[PIECE], lo = UINT64_MAX, hi = 0;
	/* for each number 1 + the index of its first label, then the number of its group */
	int32_t *place;

	if (in->text)
		return false;
	for (int64_t i = 0; i < in->n; i += PIECE) {
		int64_t n = MIN(PIECE, in->n - i);

		if (!as_whole(in, i, n, x))
			return false;
		for (int64_t j = 0; j < n; j++) {
			lo = x[j] < lo ? x[j] : lo;
			hi = x[j] != NONE && x[j] > hi ? x[j] : hi;
		}
	}
	if (lo > hi || hi - lo > MIN((uint64_t)in->n * 2 + 4096, INT32_MAX) ||
	    !(place = calloc((size_t)(hi - lo) + 1, sizeof(*place))))
		return false;
	for (int64_t i = 0; i < in->n; i += PIECE) {
		int64_t n = MIN(PIECE, in->n - i);

		as_whole(in, i, n, x);
		for (int64_t j = 0; j < n; j++) {
			of[i + j] = x[j] == NONE ? -1 : (int32_t)(x[j] - lo);
			if (x[j] != NONE && place[of[i + j]] == 0)
				place[of[i + j]] = (int32_t)(i + j + 1);
		}
	}
	for (uint64_t k = 0; k <= hi - lo; k++)
		if (place[k]) {
			memcpy(values + (size_t)c->n * in->size,
			    (const uint8_t *)in->p + (size_t)(place[k] - 1) * in->size, in->size);
			place[k] = (int32_t)c->n++;
		}
	for (int64_t i = 0; i < in->n; i++)
		of[i] = of[i] < 0 ? -1 : place[of[i]];
	free(place);
	return true;
}

/* ---- groups ---- */

/* Does what split does, for any labels, by sorting them. */
static int
split_sorted(struct axt_graph *g, const struct given *in, int32_t *of, struct axt_coord *c,
    uint8_t *values)
{
	struct label *l = malloc((size_t)in->n * sizeof(*l) + 1);
	compare_fn *compare;
	int64_t n;

	if (!l)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < in->n; i++)
		of[i] = -1;
	compare = sorted(in, l, &n);
	for (int64_t i = 0; i < n; i++) {
		if (i == 0 || !same_label(&l[i - 1], &l[i], compare))
			memcpy(values + (size_t)c->n++ * in->size,
			    (const uint8_t *)in->p + (size_t)l[i].at * in->size, in->size);
		of[l[i].at] = (int32_t)(c->n - 1);
	}
	free(l);
	return 0;
}

/* Sets of[i] to the group of label i, -1 if it has none, and c to the distinct labels. */
static int
split(struct axt_graph *g, const struct given *in, int32_t *of, struct axt_coord *c)
{
	uint8_t *values = axt_alloc(g->m, (size_t)in->n * in->size + 1);

	if (!values)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	c->text = in->text;
	c->dtype = in->dtype;
	c->data = values;
	return split_whole(in, of, c, values) ? 0 : split_sorted(g, in, of, c, values);
}

/* Makes the axis of the groups. It has the name of the labels, or "group" if they have none. */
static int
name_axis(struct axt_graph *g, const char *name, const char *from, struct axt_groups *out)
{
	/* a dataset without a name reads as "tensor" */
	bool named = name && *name && strcmp(name, "tensor") != 0;

	if (axt_axis_from_file(g->m, named ? name : "group", &out->axis))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	out->axis.from = from;
	out->place = -1;
	return 0;
}

/* Makes groups of the labels along axis x. */
static int
group(struct axt_graph *g, const struct given *in, const struct axt_axis *x, const char *from,
    const struct axt_attr *attrs, struct axt_groups *out)
{
	struct axt_axes over = { .n = 1, .a = { *x } };
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	int32_t *of = axt_alloc(g->m, (size_t)in->n * sizeof(*of) + 1);

	if (in->n > INT32_MAX || in->n * (int64_t)sizeof(struct label) > g->memory)
		return axt_fail(&g->err, AXT_E_LIMIT, "%lld labels are too many (%s)",
		    (long long)in->n, from);
	if (!c || !of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (split(g, in, of, c))
		return g->err.code;
	out->axis.coord = c;
	c->attrs = attrs;
	out->of = axt_memory_leaf(g, AXT_I32, &over, of);
	return g->err.code;
}

/* Makes groups of the labels of `by`, which are evaluated into memory. */
static int
group_values(struct axt_graph *g, struct axt_expr *by, struct axt_groups *out)
{
	struct given in = { .dtype = by->dtype, .size = (size_t)axt_size(by->dtype) };
	int64_t bytes;
	uint8_t *p;

	in.n = axt_count(by);
	bytes = in.n * (int64_t)in.size;
	p = bytes > g->memory ? NULL : malloc((size_t)bytes + 1);
	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory for %lld labels (%s)",
		    (long long)in.n, by->from);
	in.p = p;
	if (axt_part_values(g, &by, 1, &(void *){ p }) == 0)
		group(g, &in, &by->axes.a[0], by->from, by->meta->attrs, out);
	free(p);
	return g->err.code;
}

/*
 * Sets the length of the axis of the groups, and the origin of the tensor of groups for messages.
 */
static int
finish_groups(struct axt_groups *out)
{
	out->axis.len = out->axis.coord->n;
	if (!axt_bad(out->of))
		out->of->from = out->axis.from;
	return 0;
}

/* Reports labels that do not run along one axis. */
static int
several_axes(struct axt_graph *g, const char *from, int n)
{
	axt_fail(&g->err, AXT_E_AXES, "labels have one axis: %s has %d", from, n);
	if (n > 1)
		axt_hint(&g->err,
		    "axt-flatten makes one axis of several, of the labels and of the tensor");
	return AXT_E_AXES;
}

static int
find_groups(struct axt_graph *g, struct axt_expr *by, bool again, struct axt_groups *out)
{
	if (by->axes.n != 1)
		return several_axes(g, by->from, by->axes.n);
	if (axt_dtypes[by->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_fail(&g->err, AXT_E_DTYPE, "labels cannot be %s (%s)",
		    axt_dtypes[by->dtype].name, by->from);
	if (name_axis(g, axt_expr_name(by), by->from, out))
		return g->err.code;
	if (!axt_labels_met(g, by, again, out))
		group_values(g, by, out);
	return g->err.code ? (int)g->err.code : finish_groups(out);
}

/*
 * The groups of the labels `by`; made once for each tensor. again: as in axt_labels_met. NULL:
 * error.
 */
static struct axt_labels *
labels_of(struct axt_graph *g, const struct axt_expr *by, bool again)
{
	struct axt_labels *l;

	for (l = g->labels; l && (l->by != by || (l->again && !again)); l = l->next)
		;
	if (l)
		return l;
	l = axt_alloc(g->m, sizeof(*l));
	if (!l || find_groups(g, (struct axt_expr *)by, again, &l->groups))
		return NULL;
	l->by = by;
	l->again = again;
	l->next = g->labels;
	return g->labels = l;
}

/* Whether the name is that of a field of a time that is the same in every year, such as month. */
static bool
is_of_years(const char *name)
{
	return name &&
	    (strcmp(name, "season") == 0 || strcmp(name, "month") == 0 ||
		strcmp(name, "dayofyear") == 0);
}

/*
 * Whether a group has elements of several years. It can only if the groups are a field of a time
 * axis by CF, such as month. December belongs to the winter of the next year.
 */
static bool
several_years(struct axt_graph *g, const struct axt_groups *by)
{
	const struct axt_coord *c = by->of->axes.a[0].coord;
	const char *name = by->axis.name;
	bool season = strcmp(name, "season") == 0;
	const int32_t *group;
	struct axt_cffields f;
	struct axt_cftime t;
	int64_t *year;

	if (!is_of_years(name) || !c || !c->data || c->text ||
	    !axt_cftime_parse(axt_attr_text(c->attrs, "units"), axt_attr_text(c->attrs, "calendar"),
		&t))
		return false;
	group = by->of->u.leaf.st->mem;
	year = axt_alloc(g->m, (size_t)by->axis.len * sizeof(*year) + 1);
	for (int64_t k = 0; year && k < by->axis.len; k++)
		year[k] = INT64_MIN;
	for (int64_t i = 0; year && i < c->n; i++) {
		int64_t own, *y = group[i] >= 0 ? &year[group[i]] : NULL;

		if (!y ||
		    !axt_cftime_fields(&t,
			axt_load_f64(c->dtype, (const uint8_t *)c->data + i * axt_size(c->dtype)),
			&f))
			continue;
		own = f.year + (season && f.month == 12);
		if (*y != INT64_MIN && *y != own)
			return true;
		*y = own;
	}
	return false;
}

/*
 * Changes cell_methods of a climatology, whose last entry is "time: mean", to "time: mean within
 * years time: mean over years" (CF, section 7.4). That applies only if time is the one axis that is
 * reduced.
 */
static int
climatology(struct axt_graph *g, enum axt_red op, const struct axt_expr *a, struct axt_expr *e,
    const struct axt_groups *by)
{
	static const bool has[AXT_NREDS] = { [AXT_RED_MEAN] = true,
		[AXT_RED_SUM] = true,
		[AXT_RED_MIN] = true,
		[AXT_RED_MAX] = true };
	int i = axt_axes_find(&a->axes, &by->of->axes.a[0]);
	const char *old = axt_attr_text(e->meta->attrs, "cell_methods");
	struct axt_attr t = { .name = "cell_methods", .kind = AXT_ATTR_TEXT };
	struct axt_meta *m;

	if (!has[op] || !old || i < 0 || !a->axes.a[i].coord || e->u.red.nkept != a->axes.n - 1 ||
	    !several_years(g, by))
		return 0;
	t.text = axt_sprintf(g->m, "%s within years %s: %s over years", old,
	    axt_axis_spell(g->m, &a->axes.a[i]), axt_reds[op].cf);
	m = axt_meta_copy(g, e->meta);
	if (!t.text || !m)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	m->attrs = axt_attr_set(g->m, m->attrs, &t);
	e->meta = m;
	return 0;
}

/*
 * Whether a step may compute the groups from labels while it reduces. It may if the labels are
 * along the last axis, the reduction does not need the number of elements in each group, and the
 * groups are no months or the like, which climatology() looks at in memory.
 */
static bool
may_again(enum axt_red op, const struct axt_expr *a, const struct axt_expr *by)
{
	int last = a->axes.n - 1;

	while (last > 0 && a->axes.a[last].len == 1)
		last--;
	return (op == AXT_RED_SUM || op == AXT_RED_COUNT) && by->axes.n == 1 &&
	    axt_axes_find(&a->axes, &by->axes.a[0]) == last && !is_of_years(axt_expr_name(by));
}

/* ---- periods of a time axis ---- */

/* Counts the axes of CF times, those in `named` if that is not NULL. *at: the last of them. */
static int
time_axes(const struct axt_axes *x, const struct axt_axes *named, int *at)
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

/* The index of the axis of CF times that goes by `over`, if that is given. -1: error. */
static int
time_axis(struct axt_graph *g, const struct axt_expr *a, const char *over)
{
	struct axt_axes named;
	int at, n;

	if (over && axt_axes_parse(g->m, over, false, &named, NULL, &g->err))
		return -1;
	n = time_axes(&a->axes, over ? &named : NULL, &at);
	if (n == 1)
		return at;
	if (n) {
		axt_fail(&g->err, AXT_E_AXES,
		    "%s has %d axes of CF times, and periods are of one (%s)", a->from, n,
		    axt_axes_text(g->m, &a->axes));
		axt_hint(&g->err, "--over names one of them");
		return -1;
	}
	axt_axes_no_times(g->m, &a->axes, a->from, &g->err);
	return -1;
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
 * Gives the groups of the periods their axis, which is a time axis like x: coordinates are the
 * middles of the periods, and bounds where they begin and end.
 */
static int
period_axis(struct axt_graph *g, struct axt_labels *l, const struct axt_axis *x,
    const struct axt_cfperiod *p, const struct axt_cftime *t, int64_t first)
{
	const int32_t *k = l->groups.axis.coord->data;
	int64_t n = l->groups.axis.coord->n;
	struct axt_cftime as = *t; /* the middle of a month is told in days */
	const char *days = t->months ? axt_cftime_days(g->m, &as) : "";
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	struct axt_aux *b = axt_alloc(g->m, sizeof(*b));
	struct axt_attr *name = axt_alloc(g->m, sizeof(*name));
	double *mid = axt_alloc(g->m, (size_t)n * sizeof(*mid) + 1),
	       *ends = axt_alloc(g->m, (size_t)n * 2 * sizeof(*ends) + 1);
	const char *old = axt_attr_text(x->coord->attrs, "bounds");

	if (!c || !b || !name || !mid || !ends || !days)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++) {
		ends[2 * i] = axt_cfperiod_begin(p, &as, first + k[i] * p->n);
		ends[2 * i + 1] = axt_cfperiod_begin(p, &as, first + (k[i] + 1) * p->n);
		mid[i] = ends[2 * i] + (ends[2 * i + 1] - ends[2 * i]) / 2;
	}
	*name = (struct axt_attr){ .name = "bounds",
		.kind = AXT_ATTR_TEXT,
		.text = old ? old : axt_sprintf(g->m, "%s_bnds", x->name) };
	*c = (struct axt_coord){ .dtype = AXT_F64, .n = n, .data = mid };
	c->attrs = axt_attr_set(g->m, axt_attr_drop(g->m, x->coord->attrs, "climatology"), name);
	if (t->months)
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
	if (first_unit(p, &t, v, x->len, &first) || periods(p, &t, v, x->len, first, of)) {
		axt_fail(&g->err, AXT_E_RANGE, "%s has a value that is no date, or is too far",
		    what);
		return NULL;
	}
	leaf = axt_time_leaf(g, x, of, "period", a->from);
	l = axt_bad(leaf) ? NULL : labels_of(g, leaf, false);
	if (!l || period_axis(g, l, x, p, &t, first))
		return NULL;
	l->times = x->coord;
	l->every = every;
	return l;
}

/* Reduces `a` by periods of its time axis. */
static struct axt_expr *
reduce_every(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
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
	if (!axt_cfperiod_parse(o->every, &p) || (p.unit == AXT_CF_SEASONS && p.n > 1)) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no period of time",
		    axt_escape(g->m, o->every));
		axt_hint(&g->err, "hour, day, month, season, year, or several: \"5 days\"");
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

/* Replaces the bounds of the time axis that was reduced by those of the periods. */
static struct axt_expr *
with_bounds(struct axt_graph *g, struct axt_expr *e, const struct axt_labels *l)
{
	struct axt_meta *m = axt_meta_along(g, e->meta, &l->groups.axis, NULL, NULL);
	struct axt_aux *b = axt_alloc(g->m, sizeof(*b));

	if (!m || !b)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	*b = *l->bounds;
	b->next = (struct axt_aux *)(uintptr_t)m->aux;
	m->aux = b;
	e->meta = m;
	return e;
}

struct axt_expr *
axt_reduce(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o)
{
	struct axt_labels *l;
	struct axt_expr *e;

	if (o && o->every)
		return axt_refused(g, a) ? axt_node_failed(g) : reduce_every(g, op, a, o);
	if (o && !o->by && o->weights && (op == AXT_RED_QUANTILE || op == AXT_RED_MEDIAN))
		return axt_refused(g, a) ? axt_node_failed(g) : axt_weighted_quantile(g, op, a, o);
	if (!o || !o->by)
		return axt_reduce_grouped(g, op, a, o, NULL);
	if (axt_refused(g, a) || axt_refused(g, o->by))
		return axt_node_failed(g);
	l = labels_of(g, o->by, may_again(op, a, o->by));
	if (!l)
		return axt_node_failed(g);
	e = axt_reduce_grouped(g, op, a, o, &l->groups);
	if (!axt_bad(e) && climatology(g, op, a, e, &l->groups))
		return axt_node_failed(g);
	if (!axt_bad(e) && axt_red_selects(op))
		e = axt_reduce_parts(g, e, &l->groups);
	return axt_bad(e) || !l->bounds ? e : with_bounds(g, e, l);
}

/* ---- labels that are fields of dates ---- */

/* The labels of field k as text, if they are no numbers: "DJF" for a season. */
static int
name_fields(struct axt_graph *g, int k, const struct axt_coord **coord)
{
	int64_t n = (*coord)->n;
	const char **s = axt_alloc(g->m, (size_t)n * sizeof(*s) + 1);
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	char text[AXT_CFFIELD_TEXT];

	if (!s || !c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .text = true, .n = n, .data = s, .attrs = (*coord)->attrs };
	for (int64_t i = 0; i < n; i++) {
		if (!axt_cffield_text(k, ((const int32_t *)(*coord)->data)[i], text))
			return AXT_OK;
		s[i] = axt_strdup(g->m, text);
		if (!s[i])
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	*coord = c;
	return AXT_OK;
}

struct axt_expr *
axt_field(struct axt_graph *g, struct axt_expr *a, const char *word)
{
	struct axt_labels *l;
	struct axt_expr *by;
	int i, k;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	k = axt_axes_field(g->m, &a->axes, word, &i);
	if (k < 0) {
		axt_view_find(g, a, word);
		return axt_node_failed(g);
	}
	by = axt_axis_calendar(g, &a->axes.a[i], k, axt_axis_where(g->m, &a->axes.a[i], a->from),
	    a->from);
	l = axt_bad(by) ? NULL : labels_of(g, by, false);
	return !l || name_fields(g, k, &l->groups.axis.coord) ? axt_node_failed(g) : by;
}

struct axt_expr *
axt_labels_of(struct axt_graph *g, struct axt_expr *a, const char *word,
    const struct axt_open_opts *o)
{
	struct axt_expr *e;
	int i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (axt_axes_field(g->m, &a->axes, word, &i) >= 0 ||
	    (axt_is_field(word) && access(word, F_OK) != 0))
		return axt_field(g, a, word);
	e = axt_labels(g, word, o);
	if (axt_bad(e) && axt_cffield_named(word) >= 0 && time_axes(&a->axes, NULL, &i) == 1)
		axt_hint(&g->err, "%s.%s", axt_axis_spell(g->m, &a->axes.a[i]), word);
	return e;
}

/* ---- labels that are text ---- */

/* The group of each label, for labels that are text. */
static struct axt_expr *
text_labels(struct axt_graph *g, struct axt_file *f, struct axt_dset *d)
{
	struct given in = { .text = true, .size = sizeof(char *) };
	const char *const *s,
	    *from = axt_sprintf(g->m, "%s:%s", axt_escape(g->m, f->path),
		axt_escape(g->m, d->name));
	struct axt_labels *l = axt_alloc(g->m, sizeof(*l));

	if (!l || !from)
		return axt_node_failed(g);
	if (d->rank != 1)
		return axt_graph_fail(g, AXT_E_AXES, "labels have one axis: %s has %d", from,
		    d->rank);
	if (axt_dset_strings(g->m, f, d, &s, &in.n, &g->err))
		return axt_node_failed(g);
	in.p = s;
	if (name_axis(g, d->name, from, &l->groups) ||
	    group(g, &in, &d->axes.a[0], from, d->attrs, &l->groups) || finish_groups(&l->groups))
		return axt_node_failed(g);
	l->by = l->groups.of;
	l->next = g->labels;
	g->labels = l;
	return l->groups.of;
}

struct axt_expr *
axt_labels(struct axt_graph *g, const char *operand, const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	struct axt_named x;

	o = o ? o : &plain;
	if (axt_named_operand(g, operand, o, &x))
		return axt_node_failed(g);
	return x.d && x.d->role == AXT_ROLE_TEXT ? text_labels(g, x.f, x.d)
						 : axt_named_tensor(g, &x, o);
}
