/* diff.c - differences of neighbours along an axis. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct axt_expr *
axt_diff(struct axt_graph *g, struct axt_expr *a, int order, const char *along)
{
	struct axt_expr *e, *y, *upper;
	struct axt_meta *m;
	int i;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	i = axt_view_find(g, a, along ? along : "");
	if (i < 0 ||
	    axt_gufunc(g, "diff", 1, &a, &(struct axt_gufunc_opts){ .core = along, .n = { order } },
		&e))
		return axt_node_failed(g);
	/* coordinates and auxiliary datasets along the axis are those of the later element */
	upper = axt_slice(g, a,
	    order < a->axes.a[i].len ? axt_sprintf(g->m, "%s=%d:", along, order)
				     : axt_sprintf(g->m, "%s=0:0", along),
	    false);
	y = e;
	m = axt_dress(g, &y, upper);
	if (!m)
		return y;
	axt_meta_computed(m);
	m->attrs = axt_meta_difference(g, e->meta->attrs);
	m->missing = e->meta->missing;
	y->axes = upper->axes;
	y->from = e->from;
	return axt_conv(g, y, a->dtype, AXT_OVERFLOW_ERROR);
}

struct diff {
	const char *along;
	int64_t order;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct diff, along, "the axis"),
	AXT_INTEGER_OF(struct diff, order, 1, INT32_MAX, "take differences N times", .value = 1,
	    .was = "times"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct diff *o = AXT_VALUES(struct diff, c);

	return axt_diff(g, c->in[0], (int)o->order, o->along);
}

const struct axt_operation axt_operation_diff = {
	.name = "diff",
	.line = "differences of neighbours along an axis",
	.operands = "A",
	.two = "axt-sub A B subtracts; axt-equal compares files",
	.params = params,
	.size = sizeof(struct diff),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
