/* coord.c - coordinates of axes set and dropped: what the words of axt-coord do. */
#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"
#include "expr/expr.h"

struct coord {
	struct axt_specs specs;
};

#define SPECS(value, more, h)                                                         \
	AXT_PARAM_OF(struct coord, specs, struct axt_specs, SPECS, h, .arg = (value), \
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL | (more))
#define OTHERS "what an axis has from now on: a tensor, counted from START, or listed"

static const struct axt_param set[] = {
	SPECS("AXIS=OPERAND|AXIS=START:STEP", AXT_PARAM_OPERANDS, OTHERS),
	AXT_PARAMS_END,
};
static const struct axt_param drop[] = {
	SPECS("AXIS,...", 0, "the axes that lose their coordinates"),
	AXT_PARAMS_END,
};
static const struct axt_param any[] = {
	SPECS("AXIS", AXT_PARAM_OPERANDS, OTHERS),
	AXT_PARAMS_END,
};

static struct axt_expr *
build_set(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct coord, c)->specs;
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < s->n; i++) {
		size_t n = axt_spec_axis(s->word[i]);
		const char *axis = axt_strndup(g->m, s->word[i], n);

		if (!axis)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		a = s->e && s->e[i] ? axt_set_coord_to(g, a, axis, s->e[i])
				    : axt_set_coord(g, a, s->word[i], c->open);
	}
	return a;
}

static struct axt_expr *
build_drop(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct coord, c)->specs;
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < s->n; i++) {
		if (s->word[i][axt_spec_axis(s->word[i])])
			return axt_no_form(g, s->word[i], "AXIS,..."), axt_node_failed(g);
		a = axt_drop_coord(g, a, s->word[i]);
	}
	return a;
}

const struct axt_operation axt_operations_coord[] = {
	{ .name = "set_coord",
	    .line = "AXIS=OPERAND, AXIS=START:STEP or AXIS=V,W,..., any number of them",
	    .operands = "A",
	    .params = set,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN,
	    .build = build_set },
	{ .name = "drop_coord",
	    .line = "AXIS,...: take the coordinates away",
	    .operands = "A",
	    .params = drop,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN,
	    .build = build_drop },
	{ .name = NULL },
};

const struct axt_chooser axt_chooser_coord = {
	.all = { .name = "coord",
	    .line = "set or drop the coordinates of axes",
	    .operands = "A",
	    .params = any,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN },
	.word = "ACTION",
	.noun = "action",
	.affix = "_coord",
	.table = axt_operations_coord,
};
