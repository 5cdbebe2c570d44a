/*
 * hist.c - histograms of one tensor or two. A map computes the bin of each element, and a reduction
 * with the bins as groups counts the elements. Of many integers of 8 or 16 bits it counts how often
 * each value is there, and puts these counts into the bins.
 */
#include "groups/groups.h"

#define OFTEN 16 /* elements for each value of small integers, if each value is counted */

struct bins {
	int64_t n;
	double lo, hi, step;
	bool f32; /* the edges of bins are rounded to f32 */
};

static double
edge(const struct bins *b, int64_t i)
{
	double x = i == b->n ? b->hi : (double)i * b->step + b->lo;

	return b->f32 ? axt_rounded_f32(x) : x;
}

/* Parses "LO,HI", or of operand k of two "LO,HI,LO,HI". */
static int
parse_range(struct axt_graph *g, const char *range, int k, int n, struct bins *b)
{
	char *s = axt_strdup(g->m, range), *word;
	struct axt_num x[4];
	size_t other;
	int m = 0;

	if (!s)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	while ((word = strsep(&s, ",")))
		if (m == 4 || !axt_parse_num(word, &x[m++])) {
			m = 0;
			break;
		}
	if (m != 2 && m != 2 * n) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    n == 1 ? "a range is LO,HI, not \"%s\""
			   : "the ranges are LO,HI or LO,HI,LO,HI, not \"%s\"",
		    axt_escape(g->m, range));
		axt_about(&g->err, AXT_BAD_VALUE, range, "range");
		other = strcspn(range, ":;/");
		if (range[other] && strcspn(range + other + 1, ":;/,") == strlen(range + other + 1))
			axt_hint_option(&g->err, "range", "%.*s,%s", (int)other, range,
			    range + other + 1);
		return g->err.code;
	}
	k = m == 2 ? 0 : k;
	b->lo = x[2 * k].f;
	b->hi = x[2 * k + 1].f;
	return 0;
}

int
axt_least_and_greatest(struct axt_graph *g, struct axt_expr *x, double *least, double *greatest)
{
	static const struct axt_reduce_opts skip = { .nan = 1 };
	struct axt_expr *e[2];

	if (axt_count(x) == 0)
		return 0;
	e[0] = axt_cast_dtype(g, axt_reduce(g, AXT_RED_MIN, x, &skip), AXT_F64, AXT_OVERFLOW_ERROR);
	e[1] = axt_cast_dtype(g, axt_reduce(g, AXT_RED_MAX, x, &skip), AXT_F64, AXT_OVERFLOW_ERROR);
	return axt_part_values(g, e, 2, (void *[]){ least, greatest });
}

/* Sets the range to the least and greatest finite value, or to 0 and 1 if there is none. */
static int
find_range(struct axt_graph *g, struct axt_expr *x, struct bins *b)
{
	struct axt_expr *nan = axt_number(g, "nan");

	b->hi = 1;
	if (axt_dtypes[x->dtype].cls == AXT_CLASS_FLOAT)
		x = axt_where(g, axt_map1(g, AXT_OP_ISFINITE, x), x, nan);
	if (axt_least_and_greatest(g, x, &b->lo, &b->hi))
		return g->err.code;
	if (b->lo != b->lo) {
		b->lo = 0;
		b->hi = 1;
	}
	return 0;
}

/*
 * Whether the edges of the bins rise. They do not if bins are narrower than the spacing of numbers
 * of the dtype.
 */
static bool
rising(const struct bins *b)
{
	for (int64_t i = 0; i < b->n; i++)
		if (!(edge(b, i) < edge(b, i + 1)))
			return false;
	return true;
}

/* The bins of operand k of n. */
static int
choose(struct axt_graph *g, struct axt_expr *a, const struct axt_hist_opts *o, int k, int n,
    struct bins *b)
{
	int64_t bins = k && o->bins2 ? o->bins2 : o->bins;

	*b = (struct bins){ .n = bins,
		.f32 = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT && axt_size(a->dtype) <= 4 };
	if (bins < 1 || bins > INT32_MAX)
		return axt_fail(&g->err, AXT_E_ARG, "bins are from 1 to %d, not %lld", INT32_MAX,
		    (long long)bins);
	if (bins > g->memory / 64)
		return axt_fail(&g->err, AXT_E_LIMIT, "%lld bins are too many for the memory bound",
		    (long long)bins);
	if (o->range ? parse_range(g, o->range, k, n, b) : find_range(g, a, b))
		return g->err.code;
	if (!(b->lo <= b->hi) || b->lo - b->lo != 0 || b->hi - b->hi != 0)
		return axt_fail(&g->err, AXT_E_ARG,
		    "the range of bins is from %.17g to %.17g: not rising, or not finite", b->lo,
		    b->hi);
	if (b->lo == b->hi) {
		b->lo -= 0.5;
		b->hi += 0.5;
	}
	b->step = (b->hi - b->lo) / (double)b->n;
	if (b->step - b->step != 0 || !rising(b))
		return axt_fail(&g->err, AXT_E_ARG,
		    "%lld bins from %.17g to %.17g are too narrow or too wide", (long long)b->n,
		    b->lo, b->hi);
	return 0;
}

/* A node of i32 with the bin of each element, or -1 if the element is in none. */
static struct axt_expr *
bin_of(struct axt_graph *g, struct axt_expr *a, const struct bins *b)
{
	struct axt_expr *x = axt_conv(g, a, AXT_F64, AXT_OVERFLOW_ERROR),
			*i = axt_map(g, b->f32 ? AXT_OP_BINF : AXT_OP_BIN, 3,
			    (struct axt_expr *[]){ x, axt_const(g, AXT_F64, b->lo),
				axt_const(g, AXT_F64, b->step) }),
			*in = axt_map2(g, AXT_OP_AND,
			    axt_map2(g, AXT_OP_GE, x, axt_const(g, AXT_F64, edge(b, 0))),
			    axt_map2(g, AXT_OP_LE, x, axt_const(g, AXT_F64, edge(b, b->n))));

	i = axt_map2(g, AXT_OP_MINIMUM, i, axt_const(g, AXT_F64, (double)(b->n - 1)));
	i = axt_where(g, in, i, axt_const(g, AXT_F64, -1));
	return axt_conv(g, i, AXT_I32, AXT_OVERFLOW_ERROR);
}

/* Adds to the list l those attributes of `a` that tell what its values are. */
static const struct axt_attr *
quantity(struct axt_graph *g, const struct axt_expr *a, const struct axt_attr *l)
{
	static const char *const names[] = { "units", "standard_name", "long_name" };

	for (int i = 0; i < ARRAY_LEN(names); i++) {
		const struct axt_attr *x = axt_attr_find(a->meta->attrs, names[i]);

		if (x)
			l = axt_attr_set(g->m, l, x);
	}
	return l;
}

static void
store(const struct bins *b, void *p, int64_t i, double v)
{
	if (b->f32)
		((float *)p)[i] = (float)v;
	else
		((double *)p)[i] = v;
}

/* The axis of the bins, its coordinates, and their bounds. */
static int
bin_axis(struct axt_graph *g, const struct axt_expr *a, const struct bins *b, const char *called,
    struct axt_axis *x, struct axt_aux *bounds)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	struct axt_attr *name = axt_alloc(g->m, sizeof(*name));
	void *mid = axt_alloc(g->m, (size_t)b->n * sizeof(double)),
	     *ends = axt_alloc(g->m, (size_t)b->n * 2 * sizeof(double));

	if (!c || !name || !mid || !ends || !called)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory for %lld bins", (long long)b->n);
	for (int64_t i = 0; i < b->n; i++) {
		store(b, mid, i, edge(b, i) + (edge(b, i + 1) - edge(b, i)) / 2);
		store(b, ends, 2 * i, edge(b, i));
		store(b, ends, 2 * i + 1, edge(b, i + 1));
	}
	*name = (struct axt_attr){ .name = "bounds",
		.kind = AXT_ATTR_TEXT,
		.text = axt_sprintf(g->m, "%s_bounds", called) };
	c->dtype = b->f32 ? AXT_F32 : AXT_F64;
	c->n = b->n;
	c->data = mid;
	c->attrs = axt_attr_set(g->m, quantity(g, a, NULL), name);
	*x = (struct axt_axis){ .name = called, .len = b->n, .coord = c, .from = a->from };
	*bounds = (struct axt_aux){ .name = name->text,
		.dtype = c->dtype,
		.data = ends,
		.axes = { .n = 2, .a = { *x, { .name = "bnds", .len = 2 } } },
		.own = { false, true } };
	return c->attrs && name->text ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The weights, broadcast to all axes of `a`; 0 where they are missing. */
static struct axt_expr *
spread(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w)
{
	struct axt_axes both;

	if (axt_refused(g, w))
		return axt_node_failed(g);
	if (axt_dtypes[w->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_not_defined(g, "weights are", w), axt_node_failed(g);
	if (axt_meet(g, a, w, &both))
		return axt_node_failed(g);
	axt_warn_first(g, 2, (struct axt_expr *[]){ w, a });
	w = axt_cast_dtype(g, w, AXT_F64, AXT_OVERFLOW_ERROR);
	if (!axt_bad(w) && axt_weights_lack(w, 0))
		w = axt_weights_filled(g, w);
	return axt_weights_over(g, a, w);
}

/*
 * Gives e, the counts of elements of `a`, the name and the origin of `a`, and those of its
 * attributes that do not describe values.
 */
static struct axt_expr *
counts(struct axt_graph *g, struct axt_expr *e, const struct axt_expr *a)
{
	const struct axt_meta *of = axt_meta_reduce(g, AXT_RED_COUNT, a, e);
	struct axt_meta *m = axt_dress(g, &e, a);

	if (!of || !m)
		return axt_node_failed(g);
	*m = *of;
	m->missing = false;
	return e;
}

/* The bins of the n operands: by[k] has the axis and the bin of each element, bounds its edges. */
static int
group(struct axt_graph *g, struct axt_expr *const a[], int n, const struct axt_hist_opts *o,
    struct bins b[2], struct axt_groups by[2], struct axt_aux *bounds[2])
{
	const char *called = "bin", *name;

	for (int k = 0; k < n; k++) {
		if (axt_dtypes[a[k]->dtype].cls == AXT_CLASS_COMPLEX)
			return axt_not_defined(g, "a histogram is", a[k]);
		name = axt_expr_name(a[k]);
		if ((n > 1 || o->named) && name && *name && strcmp(name, "tensor") != 0)
			called = axt_sprintf(g->m, "%s_bin", name);
		if (k && called && strcmp(called, by[0].axis.name) == 0)
			called = axt_sprintf(g->m, "%s_2", called);
		bounds[k] = axt_alloc(g->m, sizeof(*bounds[k]));
		if (!bounds[k] || choose(g, a[k], o, k, n, &b[k]) ||
		    bin_axis(g, a[k], &b[k], called, &by[k].axis, bounds[k]))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		by[k].place = AXT_MAX_RANK;
		by[k].of = bin_of(g, a[k], &b[k]);
		if (axt_bad(by[k].of))
			return g->err.code;
		called = "bin";
	}
	return 0;
}

/*
 * The histogram of many integers of 8 or 16 bits: counts each of their values, and then puts the
 * values into bins. NULL: a is something else.
 */
static struct axt_expr *
by_value(struct axt_graph *g, struct axt_expr *a, const struct bins *b, const struct axt_groups *by,
    const struct axt_reduce_opts *r)
{
	int64_t n = axt_size(a->dtype) == 1 ? 1 << 8 : 1 << 16;
	bool is_signed = axt_dtypes[a->dtype].cls == AXT_CLASS_INT;
	double *value, least = is_signed ? -(double)n / 2 : 0;
	struct axt_groups values = { .axis = { .name = "value", .len = n }, .place = AXT_MAX_RANK },
			  bins = { .axis = by->axis, .place = AXT_MAX_RANK };
	struct axt_axes x = { .n = 1, .a = { values.axis } };
	struct axt_expr *e;

	if ((!is_signed && axt_dtypes[a->dtype].cls != AXT_CLASS_UINT) || axt_size(a->dtype) > 2 ||
	    r->to || r->over || axt_count(a) < OFTEN * n)
		return NULL;
	value = axt_alloc(g->m, (size_t)n * sizeof(*value));
	if (!value)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++)
		value[i] = least + (double)i;
	values.of = axt_conv(g, a, AXT_I32, AXT_OVERFLOW_ERROR);
	if (is_signed)
		values.of = axt_map2(g, AXT_OP_SUB, values.of, axt_const(g, AXT_I32, least));
	bins.of = bin_of(g, axt_memory_leaf(g, AXT_F64, &x, value), b);
	if (axt_bad(values.of) || axt_bad(bins.of))
		return axt_node_failed(g);
	e = axt_reduce_grouped(g, AXT_RED_COUNT, values.of, r, &values);
	return axt_bad(e) ? e : axt_reduce_grouped(g, AXT_RED_SUM, e, r, &bins);
}

/* Counts the elements of each group in `by`, or adds up their weights. one: by the bins b alone. */
static struct axt_expr *
count_bins(struct axt_graph *g, struct axt_expr *of, const struct bins *b, bool one,
    struct axt_expr *weights, const struct axt_groups *by, const struct axt_reduce_opts *r)
{
	struct axt_expr *e = one && !weights ? by_value(g, of, b, by, r) : NULL;

	if (e)
		return e;
	return weights ? axt_reduce_grouped(g, AXT_RED_SUM, spread(g, of, weights), r, by)
		       : axt_reduce_grouped(g, AXT_RED_COUNT, by->of, r, by);
}

/* Counts as a density: its sum over the bins, each times its width or area, is 1. */
static struct axt_expr *
density(struct axt_graph *g, struct axt_expr *e, const struct bins *b, const struct axt_groups *by,
    int n)
{
	struct axt_axes x = { .n = n };
	struct axt_reduce_opts all = { .nan = -1 };
	struct axt_expr *y = e;

	for (int k = 0; k < n; k++) {
		struct axt_axes one = { .n = 1, .a = { by[k].axis } };
		double *width = axt_alloc(g->m, (size_t)b[k].n * sizeof(*width));

		if (!width)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		for (int64_t i = 0; i < b[k].n; i++)
			width[i] = edge(&b[k], i + 1) - edge(&b[k], i);
		y = axt_map2(g, AXT_OP_DIV, y, axt_memory_leaf(g, AXT_F64, &one, width));
		x.a[k] = by[k].axis;
	}
	all.over = axt_axes_typed(g->m, &x, axt_identity, n);
	y = axt_map2(g, AXT_OP_DIV, y, axt_reduce_grouped(g, AXT_RED_SUM, e, &all, NULL));
	axt_dress(g, &y, e);
	return y;
}

/* The histogram of n operands, 1 or 2. */
static struct axt_expr *
histogram(struct axt_graph *g, struct axt_expr *const a[], int n, const struct axt_hist_opts *o)
{
	struct axt_hist_opts how = o ? *o : (struct axt_hist_opts){ 0 };
	struct axt_reduce_opts r = { .to = how.to, .over = how.over, .nan = -1 };
	struct axt_groups part[2] = { 0 }, by;
	struct axt_aux *bounds[2];
	struct axt_expr *e, *of = a[0];
	struct axt_meta *m;
	struct bins b[2];

	how.bins = how.bins ? how.bins : 10;
	for (int k = 0; k < n; k++)
		if (axt_refused(g, a[k]))
			return axt_node_failed(g);
	/* a wrong axis is told before values are read for the range of the bins */
	if (n == 1 && how.over && axt_bad(axt_reduce_grouped(g, AXT_RED_COUNT, a[0], &r, NULL)))
		return axt_node_failed(g);
	if (group(g, a, n, &how, b, part, bounds))
		return axt_node_failed(g);
	by = part[0];
	if (n > 1) {
		if (axt_groups_join(g, part, n, &by) || axt_groups_to(g, part, n, how.to, &r.to))
			return axt_node_failed(g);
		by.place = AXT_MAX_RANK;
		of = by.of;
		of->from = a[0]->from;
	}
	e = count_bins(g, of, &b[0], n == 1, how.weights, &by, &r);
	if (axt_bad(e))
		return e;
	e = counts(g, e, of);
	e = n > 1 && !axt_bad(e) ? axt_groups_apart(g, e, part, n, how.to) : e;
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	for (int k = 0; k < n; k++) {
		bounds[k]->next = (struct axt_aux *)m->aux;
		m->aux = bounds[k];
	}
	m->name = n > 1 ? "histogram" : m->name;
	return how.density ? density(g, e, b, part, n) : e;
}

struct axt_expr *
axt_hist(struct axt_graph *g, struct axt_expr *a, const struct axt_hist_opts *o)
{
	return histogram(g, &a, 1, o);
}

struct axt_expr *
axt_hist2d(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_hist_opts *o)
{
	return histogram(g, (struct axt_expr *[]){ a, b }, 2, o);
}
