/* bind.c - the placeholders of an expression, replaced by tensors or numbers. */
#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"
#include "bytes/bytes.h"
#include "expr/expr.h"

struct bind {
	struct axt_specs specs;
};

static const struct axt_param params[] = {
	AXT_PARAM_OF(struct bind, specs, struct axt_specs, SPECS,
	    "a placeholder, and the tensor or number that replaces it", .arg = "NAME=OPERAND",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_INDEX),
	AXT_PARAMS_END,
};

/* The name in NAME=..., without escapes; NULL: the word has another form, or there is no memory. */
static const char *
name_of(struct axt_graph *g, const char *spec)
{
	size_t n = axt_spec_axis(spec);
	char *name = n > 0 && spec[n] == '=' ? axt_strndup(g->m, spec, n) : NULL;

	if (name)
		return axt_unescape(name);
	axt_no_form(g, spec, "NAME=OPERAND");
	return NULL;
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct bind, c)->specs;
	const char **name = axt_alloc(g->m, (size_t)s->n * sizeof(*name) + 1);
	struct axt_expr **value = axt_alloc(g->m, (size_t)s->n * sizeof(struct axt_expr *) + 1);

	if (!name || !value)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int i = 0; i < s->n; i++) {
		const char *typed = s->word[i] + axt_spec_axis(s->word[i]);

		if (!(name[i] = name_of(g, s->word[i])))
			return axt_node_failed(g);
		value[i] = s->e && s->e[i] ? s->e[i] : axt_number(g, typed + 1);
	}
	return axt_bind(g, c->in[0], s->n, name, value);
}

const struct axt_operation axt_operation_bind = {
	.name = "bind",
	.line = "give values to the placeholders of an expression",
	.operands = "A",
	.params = params,
	.size = sizeof(struct bind),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
