/*
 * positions.c - what is said of an index of axt-take whose numbers or coordinates were most likely
 * meant otherwise.
 */
#include "graph/graph.h"

/* Whether coordinates are only the numbers 0, 1, 2..., as those that a table without any has. */
static bool
only_counts(const struct axt_coord *c)
{
	if (c->text || !c->data || axt_attr_text(c->attrs, "units"))
		return false;
	for (int64_t k = 0; k < c->n; k++)
		if (axt_load_f64(c->dtype, (const char *)c->data + k * axt_size(c->dtype)) !=
		    (double)k)
			return false;
	return true;
}

struct axt_expr *
axt_unnumbered(struct axt_graph *g, const struct axt_expr *a, int i, struct axt_expr *index)
{
	const struct axt_axis *x = &a->axes.a[i];
	int k = axt_axes_find(&index->axes, x);
	const struct axt_coord *c = k < 0 ? NULL : index->axes.a[k].coord;
	struct axt_axes axes = index->axes;
	struct axt_axis met;
	struct axt_err differ = { 0 };

	if (!c || !c->data || !x->coord || !x->coord->data ||
	    (axes.a[k].len == x->len &&
		axt_axis_meet(g->m, x, &axes.a[k], NULL, &met, &differ) == 0))
		return index;
	if (!only_counts(c)) {
		axt_warn(g,
		    "axis \"%s\" has the coordinates of %s, not those that %s has at its "
		    "positions",
		    axt_escape(g->m, x->name), index->from, a->from);
		return index;
	}
	axes.a[k].coord = NULL;
	return axt_relabel(g, index, &axes, axt_identity);
}

bool
axt_seem_positions(const struct axt_axis *x, const struct axt_expr *index)
{
	enum axt_class cls = axt_dtypes[index->dtype].cls;
	const char *units = axt_attr_text(index->meta->attrs, "units");
	struct axt_cftime t;
	struct axt_err none = { 0 };

	if (cls != AXT_CLASS_INT && cls != AXT_CLASS_UINT &&
	    (cls != AXT_CLASS_FLOAT || !index->meta->missing))
		return false;
	return x->coord && axt_axis_times(x, "", &t, &none) == 0 &&
	    (!units || strcmp(units, "1") == 0);
}
