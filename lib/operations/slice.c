/* slice.c - parts of tensors: ranges, lists, single elements, and what another tensor selects. */
#include "expr/expr.h"
#include "groups/groups.h"
#include "axt_operation.h"

struct slice {
	struct axt_specs specs;
	bool nearest;
	struct axt_expr *like;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct slice, "AXIS=SPEC|AXIS@SPEC",
	    AXT_PARAM_OPERANDS | AXT_PARAM_FILES | AXT_PARAM_TWICE,
	    "the part of an axis, by positions or by coordinates"),
	AXT_FLAG_OF(struct slice, nearest,
	    "take the nearest coordinate if none is equal to a value"),
	AXT_TENSOR_OF(struct slice, like,
	    "take only coordinates that B has, too, along shared axes", .flags = AXT_PARAM_INSTEAD),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "slice_like", NULL, "only the coordinates that the second tensor has, too", "like",
	    NULL },
	{ .name = NULL },
};

/* What a tensor selects along the axis of a spec: positions, a mask, or coordinates behind "@". */
static struct axt_expr *
selected(struct axt_graph *g, struct axt_expr *a, const char *spec, struct axt_expr *e,
    bool nearest)
{
	size_t n = axt_spec_axis(spec);
	const char *axis = axt_strndup(g->m, spec, n);
	bool labels = spec[n] == '@';

	if (!axis)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return labels && nearest ? axt_take_near(g, a, axis, e)
				 : axt_take(g, a, axis, e, labels || e->dtype == AXT_BOOL);
}

/* The texts that a part of the groups of `text`, such as a slice of them, tells. */
static struct axt_expr *
text_part(struct axt_graph *g, const struct axt_expr *text, struct axt_expr *part)
{
	const struct axt_labels *of = axt_text_labels(g, text);
	struct axt_labels *l = axt_alloc(g->m, sizeof(*l));

	if (axt_bad(part) || !of || !l)
		return axt_node_failed(g);
	*l = *of;
	l->by = l->groups.of = part;
	l->next = g->labels;
	g->labels = l;
	part->from = text->from;
	return axt_text_node(g, l, text->meta->name);
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct slice *o = AXT_VALUES(struct slice, c);
	const struct axt_specs *s = &o->specs;
	struct axt_expr *text = axt_expr_text(c->in[0]) ? c->in[0] : NULL;
	struct axt_expr *a = axt_text_groups(g, c->in[0]);
	int from = 0;

	if (o->like)
		a = axt_slice_like(g, a, o->like);
	for (int i = 0; i <= s->n; i++) {
		struct axt_expr *e = i < s->n && s->e ? s->e[i] : NULL;

		if (i < s->n && !e)
			continue;
		if (i > from)
			a = axt_slices(g, a, s->word + from, i - from, o->nearest);
		if (e)
			a = selected(g, a, s->word[i], e, o->nearest);
		from = i + 1;
	}
	return text && !axt_bad(a) ? text_part(g, text, a) : a;
}

const struct axt_operation axt_operation_slice = {
	.name = "slice",
	.line = "part of a tensor, by position or coordinate",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct slice),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
