/*
 * labels.c - reductions by labels: the distinct ones, rising, are coordinates; the group of each
 * index is a tensor of i32 in memory.
 */
#include <stdlib.h>

#include "run.h"

/* Labels met before: several reductions by one tensor of labels have one tensor of groups. */
struct axt_labels {
	const struct axt_expr *by;
	struct axt_groups groups;
	struct axt_labels *next;
};

/* A label and where it stands; integers compare exactly. */
struct label {
	union {
		double f;
		int64_t i;
		uint64_t u;
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

typedef int compare_fn(const void *a, const void *b);

static bool
same_label(const struct label *x, const struct label *y, compare_fn *compare)
{
	struct label a = *x, b = *y;

	a.at = b.at = 0;
	return compare(&a, &b) == 0;
}

/* The labels that are no NaN, sorted. *n: how many of the dtype's values there are, then are left. */
static compare_fn *
sorted(enum axt_dtype d, const uint8_t *p, int64_t *n, struct label *out)
{
	enum axt_class cls = axt_dtypes[d].cls;
	compare_fn *compare = cls == AXT_CLASS_FLOAT ? by_float : d == AXT_U64 ? by_uint : by_int;
	axt_conv_fn *conv = axt_kern_conv(cls == AXT_CLASS_FLOAT ? AXT_F64 : d == AXT_U64 ? AXT_U64
	    : AXT_I64, d, AXT_OVERFLOW_WRAP);
	int64_t left = 0, bad = -1;
	bool rising = true;

	for (int64_t i = 0; i < *n; i++) {
		conv(&out[left].v, p + i * axt_size(d), 1, &bad);
		out[left].at = i;
		if (cls == AXT_CLASS_FLOAT && out[left].v.f != out[left].v.f)
			continue;
		rising = rising && (left == 0 || compare(&out[left - 1], &out[left]) < 0);
		left++;
	}
	if (!rising)
		qsort(out, (size_t)left, sizeof *out, compare);
	*n = left;
	return compare;
}

/* The groups of n labels at p: of[i] of label i; the distinct ones as coordinates. */
static int
split(struct axt_graph *g, const struct axt_expr *by, const uint8_t *p, int64_t n, int32_t *of,
    struct axt_coord *c)
{
	struct label *l = malloc((size_t)n * sizeof *l + 1);
	size_t size = (size_t)axt_size(by->dtype);
	uint8_t *values = axt_alloc(g->m, (size_t)n * size + 1);
	compare_fn *compare;

	if (!l || !values) {
		free(l);
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	for (int64_t i = 0; i < n; i++)
		of[i] = -1;
	compare = sorted(by->dtype, p, &n, l);
	for (int64_t i = 0; i < n; i++) {
		if (i == 0 || !same_label(&l[i - 1], &l[i], compare))
			memcpy(values + (size_t)c->n++ * size, p + (size_t)l[i].at * size, size);
		of[l[i].at] = (int32_t)(c->n - 1);
	}
	c->dtype = by->dtype;
	c->data = values;
	free(l);
	return 0;
}

/* The axis the distinct labels are coordinates of, named like their tensor. */
static int
name_axis(struct axt_graph *g, const struct axt_expr *by, const struct axt_coord *c,
    struct axt_axis *x)
{
	const char *name = axt_expr_name(by);

	if (axt_axis_from_file(g->m, name && *name ? name : "group", x))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	x->len = c->n;
	x->coord = c;
	x->from = by->from;
	return 0;
}

/* A part of what is to be run: streams of the rest are not looked at yet. */
static int
values(struct axt_graph *g, struct axt_expr *e, void *p, int64_t bytes)
{
	struct axt_mem_sink m;
	struct axt_sink *sink = &m.sink;
	bool once = g->once;

	axt_mem_sink_init(&m, p, bytes);
	g->once = false;	/* the rest may have the same streams */
	axt_run(g, &e, 1, &sink);
	g->once = once;
	return g->err.code;
}

static int
group_labels(struct axt_graph *g, struct axt_expr *by, struct axt_groups *out)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof *c);
	int64_t n = by->axes.n == 1 ? axt_count(by) : 0, bytes = n * axt_size(by->dtype);
	int32_t *of;
	uint8_t *p;

	if (by->axes.n != 1)
		return axt_fail(&g->err, AXT_E_AXES, "labels have one axis: %s has %d", by->from,
		    by->axes.n);
	if (axt_dtypes[by->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_fail(&g->err, AXT_E_DTYPE, "labels cannot be %s (%s)",
		    axt_dtypes[by->dtype].name, by->from);
	if (n > INT32_MAX || n * (int64_t)sizeof(struct label) > g->memory)
		return axt_fail(&g->err, AXT_E_LIMIT, "%lld labels are too many (%s)", (long long)n,
		    by->from);
	p = malloc((size_t)bytes + 1);
	of = axt_alloc(g->m, (size_t)n * sizeof *of + 1);
	if (!p || !of || !c)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (values(g, by, p, bytes) == 0 && split(g, by, p, n, of, c) == 0 &&
	    name_axis(g, by, c, &out->axis) == 0)
		out->of = axt_memory_leaf(g, AXT_I32, &by->axes, of);
	free(p);
	if (g->err.code)
		return g->err.code;
	c->attrs = by->meta->attrs;
	out->of->from = by->from;
	out->place = -1;
	return 0;
}

struct axt_expr *
axt_reduce(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o)
{
	struct axt_labels *l;

	if (axt_bad(a) || !o || !o->by)
		return axt_reduce_grouped(g, op, a, o, NULL);
	if (axt_bad(o->by))
		return o->by;
	for (l = g->labels; l && l->by != o->by; l = l->next)
		;
	if (!l) {
		l = axt_alloc(g->m, sizeof *l);
		if (!l || group_labels(g, o->by, &l->groups))
			return axt_node_failed(g);
		l->by = o->by;
		l->next = g->labels;
		g->labels = l;
	}
	return axt_reduce_grouped(g, op, a, o, &l->groups);
}
