/* sort.c - values in order along an axis, or the positions that put them in order. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct sort {
	const char *along;
	bool descending, index;
};

static const struct axt_param params[] = {
	AXT_AXIS_OF(struct sort, along, "the axis"),
	AXT_FLAG_OF(struct sort, descending, "sort in decreasing order"),
	AXT_FLAG_OF(struct sort, index, "give the positions of the sorted values, not the values"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct sort *o = AXT_VALUES(struct sort, c);
	struct axt_expr *e = axt_sort(g, c->in[0], o->along, o->descending, o->index);

	/* Several tensors of a file are most often columns of one table, whose rows are to move. */
	if (c->nth == 1 && !o->index && !g->err.code)
		axt_warn(g,
		    "each tensor is sorted by itself: axt-sort --index gives the order of one, "
		    "by which axt-take orders all");
	return e;
}

const struct axt_operation axt_operation_sort = {
	.name = "sort",
	.line = "sort values along an axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct sort),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
