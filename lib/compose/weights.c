/*
 * weights.c - weights that have missing values: elements are left out where their weight is. The
 * loops know nothing of it; weights without missing values are left as they are.
 */
#include "compose/compose.h"

struct axt_expr *
axt_weights_over(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w)
{
	struct axt_axes x;

	if (axt_refused(g, w) || axt_meet(g, a, w, &x))
		return axt_node_failed(g);
	if (x.n > a->axes.n)
		return axt_lacks(g, a, "weights", &x.a[a->axes.n]), axt_node_failed(g);
	return axt_over_axes(g, w, &a->axes);
}

bool
axt_weights_lack(const struct axt_expr *w, int nan)
{
	return w && nan >= 0 && w->meta->missing && axt_dtypes[w->dtype].cls == AXT_CLASS_FLOAT;
}

struct axt_expr *
axt_weights_filled(struct axt_graph *g, struct axt_expr *w)
{
	return axt_fillnan(g, w, axt_number(g, "0"));
}

struct axt_expr *
axt_weights_leave_out(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w, int nan)
{
	bool skip = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT &&
	    (nan > 0 || (nan == 0 && a->meta->missing));
	struct axt_expr *e;

	if (axt_refused(g, a) || axt_refused(g, w) || axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return a; /* which weights refuse */
	e = axt_where(g, axt_map1(g, AXT_OP_ISNAN, axt_weights_over(g, a, w)),
	    axt_number(g, skip ? "nan" : "0"), a);
	axt_dress(g, &e, a);
	return e;
}
