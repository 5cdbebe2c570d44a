/* times.c - tensors whose values are CF times, in the units of one of them. */
#include <math.h>

#include "expr/expr.h"

const struct axt_attr *
axt_values_attrs(const struct axt_expr *e, const char *name, const struct axt_attr *attrs)
{
	static const char *const role[] = { "bounds", "climatology" };

	for (int i = 0; name && i < e->axes.n && !axt_attr_text(attrs, "units"); i++)
		for (int k = 0; k < 2 && e->axes.a[i].coord; k++) {
			const struct axt_attr *l = e->axes.a[i].coord->attrs;
			const char *s = axt_attr_text(l, role[k]);

			if (s && strcmp(s, name) == 0)
				return l;
		}
	return attrs;
}

static bool
time_of(const struct axt_expr *e, struct axt_cftime *t)
{
	const struct axt_attr *l = axt_values_attrs(e, e->meta->name, e->meta->attrs);
	enum axt_class c = axt_dtypes[e->dtype].cls;

	return c != AXT_CLASS_BOOL && c != AXT_CLASS_COMPLEX &&
	    axt_cftime_parse(axt_attr_text(l, "units"), axt_attr_text(l, "calendar"), t);
}

/*
 * How a time v in the units of one tensor is converted to those of another: v * mul / div + add,
 * where mul or div is 1.
 */
struct way {
	bool other;
	double mul, div, add;
};

static struct way
way(const struct axt_cftime *t, const struct axt_cftime *to)
{
	return (struct way){ .other = t->unit != to->unit || t->epoch != to->epoch,
		.mul = t->unit > to->unit ? rint(t->unit / to->unit) : 1,
		.div = t->unit < to->unit ? rint(to->unit / t->unit) : 1,
		.add = (t->epoch - to->epoch) / to->unit };
}

/* Converts a, and gives it the attributes of the units that it is converted to. */
static struct axt_expr *
converted(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d, const struct way *w,
    const struct axt_attr *attrs)
{
	struct axt_expr *e = axt_conv(g, a, d, AXT_OVERFLOW_ERROR);
	struct axt_meta *m;

	if (w->mul != 1)
		e = axt_map2(g, AXT_OP_MUL, e, axt_const(g, d, w->mul));
	if (w->div != 1)
		e = axt_map2(g, AXT_OP_DIV, e, axt_const(g, d, w->div));
	if (w->add != 0)
		e = axt_map2(g, AXT_OP_ADD, e, axt_const(g, d, w->add));
	if (axt_bad(e) || e == a)
		return e;
	m = axt_meta_copy(g, e->meta);
	if (!m)
		return axt_node_failed(g);
	m->attrs = attrs;
	e->meta = m;
	e->from = a->from;
	return e;
}

int
axt_times_alike(struct axt_graph *g, int n, struct axt_expr *const a[], struct axt_expr *out[],
    enum axt_dtype *d)
{
	struct way *w = axt_alloc(g->m, (size_t)n * sizeof(*w));
	bool other = false, whole = axt_dtypes[*d].cls < AXT_CLASS_FLOAT;
	struct axt_cftime to, t;

	if (!w)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < n; k++)
		out[k] = a[k];
	if (!time_of(a[0], &to))
		return 0;
	for (int k = 0; k < n; k++) {
		w[k] = (struct way){ false, 1, 1, 0 };
		if (!time_of(a[k], &t))
			continue;
		if (!axt_cftime_same_count(to.calendar, t.calendar))
			return axt_fail(&g->err, AXT_E_COORD, "calendar %s in %s, %s in %s",
			    axt_cftime_calendar(to.calendar), a[0]->from,
			    axt_cftime_calendar(t.calendar), a[k]->from);
		w[k] = way(&t, &to);
		other = other || w[k].other;
		whole = whole && w[k].div == 1 && w[k].add == rint(w[k].add);
	}
	if (!other)
		return 0;
	*d = whole ? AXT_I64 : AXT_F64;
	for (int k = 0; k < n; k++)
		if (w[k].other) {
			out[k] = converted(g, a[k], *d, &w[k], a[0]->meta->attrs);
			if (axt_bad(out[k]))
				return g->err.code;
		}
	return 0;
}
