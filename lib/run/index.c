/* index.c - elements by a tensor of positions or labels, which is evaluated first. */
#include "run.h"

/* The values of an index in its own dtype; NULL: error. */
static void *
values(struct axt_graph *g, struct axt_expr *index, int64_t n)
{
	size_t bytes = (size_t)n * (size_t)axt_size(index->dtype);
	void *p = axt_alloc(g->m, bytes + 1);

	if (!p) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	return axt_eval(g, index, p, bytes) == AXT_OK ? p : NULL;
}

/* Positions as typed integers: from the end when negative. */
static int
positions(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_expr *index,
    int64_t n, int64_t *pos)
{
	int64_t len = a->axes.a[i].len;

	for (int64_t k = 0; k < n; k++) {
		if (pos[k] < -len || pos[k] >= len)
			return axt_fail(&g->err, AXT_E_ARG,
			    "position %lld in %s is not on axis \"%s\" of %s, "
			    "which has length %lld",
			    (long long)pos[k], index->from,
			    axt_escape(g->m, a->axes.a[i].name), a->from, (long long)len);
		pos[k] += pos[k] < 0 ? len : 0;
	}
	return 0;
}

static int
labels(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_expr *index,
    int64_t n, void *v, int64_t *pos)
{
	struct axt_coord c = { .dtype = index->dtype, .n = n, .data = v,
	    .attrs = index->meta->attrs };

	return axt_labels_find(g->m, &a->axes.a[i], &c, a->from, index->from, pos, &g->err);
}

/* Axis i of e as the axes of the index, whose row-major positions it has. */
static struct axt_expr *
unfold(struct axt_graph *g, struct axt_expr *e, int i, const struct axt_axes *x)
{
	struct axt_buf b = { 0 };
	const char *name = axt_axis_spell(g->m, &e->axes.a[i]);

	axt_buf_addf(&b, "%s=", name ? name : "");
	for (int k = 0; k < x->n; k++) {
		const char *word = axt_axis_spell(g->m, &x->a[k]);

		axt_buf_addf(&b, "%s%s:%lld", k ? "," : "", word ? word : "",
		    (long long)x->a[k].len);
	}
	e = b.bad ? axt_node_failed(g) : axt_unflatten(g, e, b.p);
	axt_buf_release(&b);
	if (axt_bad(e))
		return e;
	for (int k = 0; k < x->n; k++)
		e->axes.a[i + k].coord = x->a[k].coord;
	return e;
}

struct axt_expr *
axt_take(struct axt_graph *g, struct axt_expr *a, const char *axis, struct axt_expr *index,
    bool by_label)
{
	struct axt_axis as;
	struct axt_span *span;
	struct axt_expr *e;
	int64_t n, *pos;
	int i, nspans;
	void *v;

	if (axt_bad(a) || axt_bad(index))
		return axt_node_failed(g);
	if ((i = axt_view_find(g, a, axis)) < 0)
		return axt_node_failed(g);
	if (!by_label && axt_dtypes[index->dtype].cls != AXT_CLASS_INT &&
	    axt_dtypes[index->dtype].cls != AXT_CLASS_UINT)
		return axt_graph_fail(g, AXT_E_DTYPE, "positions are integers, %s is %s",
		    index->from, axt_dtypes[index->dtype].name);
	n = axt_count(index);
	pos = axt_alloc(g->m, ((size_t)n + 1) * sizeof *pos);
	if (!pos)
		return axt_node_failed(g);
	if (!by_label)
		index = axt_cast_dtype(g, index, AXT_I64, AXT_OVERFLOW_ERROR);
	if (axt_bad(index) || !(v = values(g, index, n)))
		return axt_node_failed(g);
	if (!by_label)
		memcpy(pos, v, (size_t)n * sizeof *pos);
	if (by_label ? labels(g, a, i, index, n, v, pos) : positions(g, a, i, index, n, pos))
		return axt_node_failed(g);
	if (axt_spans_of(g->m, pos, n, &span, &nspans))
		return axt_node_failed(g);
	if (index->axes.n == 0)
		return axt_view_axis(g, a, i, span, nspans, NULL);
	as = index->axes.n == 1 ? index->axes.a[0] : a->axes.a[i];
	as.len = n;
	if (index->axes.n > 1) {
		as.coord = NULL;
		as.parts = NULL;
	}
	e = axt_view_axis(g, a, i, span, nspans, &as);
	return axt_bad(e) || index->axes.n == 1 ? e : unfold(g, e, i, &index->axes);
}
