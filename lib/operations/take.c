/* take.c - elements at the positions or coordinates that another tensor has. */
#include "expr/expr.h"
#include "axt_operation.h"

struct take {
	struct axt_specs specs;
	struct axt_expr *like;
	bool nearest, missing;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct take, "AXIS=INDEX|AXIS@LABELS|LAT,LON@POINTS",
	    AXT_PARAM_INDEX | AXT_PARAM_ONE,
	    "positions along an axis, coordinates of it, or points"),
	AXT_TENSOR_OF(struct take, like, "the coordinates of B, in its order, along shared axes",
	    .flags = AXT_PARAM_INSTEAD, .excludes = "specs"),
	AXT_FLAG_OF(struct take, nearest,
	    "take the cells nearest to the points, or to those of --like"),
	AXT_FLAG_OF(struct take, missing,
	    "with --like: what A lacks is missing, as with --fill (default: an error)",
	    .flags = AXT_PARAM_FILL, .needs = "like"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "reindex_like", "missing=true",
	    "at the coordinates of the second tensor; missing where the first has none", "like",
	    NULL },
	{ .name = NULL },
};

/* Whether the n bytes at s are more than one name. */
static bool
is_names(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == ',')
			return true;
		i += s[i] == '\\';
	}
	return false;
}

/*
 * Takes the elements whose coordinates along the axis are nearest to the labels. axt_flip is called
 * only to learn whether a has the axis. If not, axt_slices tells whether the name is a coordinate
 * that is no axis, such as the latitudes of a curved grid: there is no nearest latitude without a
 * longitude.
 */
static struct axt_expr *
nearest(struct axt_graph *g, struct axt_expr *a, const char *spec, const char *axis,
    struct axt_expr *labels)
{
	struct axt_expr *y;

	axt_flip(g, a, axis);
	if (!axt_graph_lacks_axis(g))
		return axt_take_near(g, a, axis, labels);
	axt_graph_clear(g);
	y = axt_slices(g, a, (const char *const[]){ spec }, 1, true);
	if (axt_graph_lacks_axis(g))
		return y;
	axt_graph_clear(g);
	return axt_graph_fail(g, AXT_E_SYNTAX, "nearest takes a latitude and a longitude");
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct take *o = AXT_VALUES(struct take, c);
	const struct axt_reindex_opts how = { .missing = o->missing, .nearest = o->nearest };
	const char *spec = o->specs.n ? o->specs.word[0] : "";
	size_t n = axt_spec_axis(spec);
	struct axt_expr *e = o->specs.n && o->specs.e ? o->specs.e[0] : NULL;
	const char *axis = axt_strndup(g->m, spec, n);
	bool points = is_names(spec, n), labels = spec[n] == '@';

	if (o->like)
		return axt_reindex_like(g, c->in[0], o->like, &how);
	if (!spec[n] || n == 0)
		return axt_no_form(g, spec, "AXIS=INDEX or AXIS@LABELS"), axt_node_failed(g);
	if (o->nearest && !labels)
		return axt_graph_fail(g, AXT_E_SYNTAX,
		    "nearest takes coordinates, which stand behind @: AXIS@LABELS or LAT,LON@POINTS");
	if (points && !o->nearest) {
		axt_graph_fail(g, AXT_E_SYNTAX,
		    "elements along one axis are taken, or those nearest to points");
		if (labels)
			axt_hint_option(&g->err, "nearest", "%s", "");
		return axt_node_failed(g);
	}
	if (!axis)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (!e)
		return axt_slice(g, c->in[0], spec, o->nearest);
	return points    ? axt_take_nearest(g, c->in[0], axis, e)
	    : o->nearest ? nearest(g, c->in[0], spec, axis, e)
			 : axt_take(g, c->in[0], axis, e, labels);
}

const struct axt_operation axt_operation_take = {
	.name = "take",
	.line = "elements at the positions or coordinates held in another tensor",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct take),
	.flags = AXT_OPERATION_STDIN | AXT_OPERATION_OF_TEXT,
	.build = build,
};
