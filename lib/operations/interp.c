/* interp.c - values at other coordinates: between points, the nearest, means over cells. */
#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

struct interp {
	struct axt_specs specs;
	int method;
	bool extrapolate;
	struct axt_expr *points;
};

enum { LINEAR, NEAREST, CONSERVATIVE };

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct interp, "AXIS=TARGETS", AXT_PARAM_OPERANDS,
	    "the new coordinates along an axis"),
	AXT_CHOICE_OF(struct interp, method, "linear|nearest|conservative",
	    "on a line between two points (default), the nearest one, or means over cells"),
	AXT_FLAG_OF(struct interp, extrapolate, "go on beyond the ends (default: missing)",
	    .excludes = "method=conservative"),
	AXT_TENSOR_OF(struct interp, points,
	    "a tensor that tells where each element lies along AXIS", .arg = "FIELD",
	    .flags = AXT_PARAM_ONE, .excludes = "method=conservative"),
	AXT_PARAMS_END,
};

/* The i-th of the specs, of which only the axis is left where its targets are a tensor. */
static const char *
spec(struct axt_graph *g, const struct axt_specs *s, int i)
{
	return s->e && s->e[i] ? axt_strndup(g->m, s->word[i], axt_spec_axis(s->word[i]))
			       : s->word[i];
}

/* Means over the cells of another grid, along all axes at once. */
static struct axt_expr *
regridded(struct axt_graph *g, const struct axt_call *c, const struct axt_specs *s)
{
	struct axt_expr *targets[AXT_MAX_RANK] = { NULL };
	const char *word[AXT_MAX_RANK];
	int n = MIN(s->n, AXT_MAX_RANK);

	for (int i = 0; i < n; i++) {
		targets[i] = s->e ? s->e[i] : NULL;
		word[i] = spec(g, s, i);
		if (!word[i])
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	}
	return axt_regrid(g, c->in[0], n, word, targets, c->open);
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct interp *o = AXT_VALUES(struct interp, c);
	struct axt_expr *a = c->in[0];

	if (o->method == CONSERVATIVE)
		return regridded(g, c, &o->specs);
	for (int i = 0; i < o->specs.n; i++) {
		const char *word = spec(g, &o->specs, i);

		if (!word)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		a = axt_interp(g, a, word,
		    &(struct axt_interp_opts){ .nearest = o->method == NEAREST,
			.extrapolate = o->extrapolate,
			.points = o->points,
			.targets = o->specs.e ? o->specs.e[i] : NULL,
			.open = c->open });
	}
	return a;
}

const struct axt_operation axt_operation_interp = {
	.name = "interp",
	.line = "interpolate to other coordinates along axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct interp),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
