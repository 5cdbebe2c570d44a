/* placeholder.c - placeholders: tensors with a description and no values yet. */
#include "expr/expr.h"

struct axt_expr *
axt_place(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x, const char *name)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_PLACE, d);

	if (axt_bad(e) || !name)
		return axt_node_failed(g);
	e->axes = *x;
	e->u.place = name;
	e->from = name;
	return e;
}
