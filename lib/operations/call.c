/* call.c - axt_call: an operation by its name. */
#include <string.h>

#include "expr/expr.h"
#include "axt_operation.h"

/* Fails because of what is wrong with the arguments. */
static struct axt_expr *
misused(struct axt_graph *g, const struct axt_operation *op, const struct axt_misuse *m)
{
	const char *p = m->param->name, *other = m->other ? m->other->name : "";

	switch (m->kind) {
	case AXT_MISUSE_VALUE:
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s of %s takes %s, not \"%s\"", p, op->name,
		    m->want, axt_escape(g->m, m->word ? m->word : "NULL"));
	case AXT_MISUSE_NUMBER:
		return axt_graph_fail(g, AXT_E_SYNTAX, "\"%s\"%s", axt_escape(g->m, m->word),
		    m->want);
	case AXT_MISUSE_MISSING: return axt_graph_fail(g, AXT_E_SYNTAX, "%s needs %s", op->name, p);
	case AXT_MISUSE_EXCLUDED:
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s and %s of %s exclude each other", p,
		    other, op->name);
	default:
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s of %s goes with %s", p, op->name, other);
	}
}

/* One argument: a node for a parameter that is a tensor, a text for any other. */
static bool
take(struct axt_graph *g, const struct axt_operation *op, const struct axt_arg *a, void *values,
    uint64_t *given, struct axt_misuse *wrong)
{
	int i = axt_param_named(op, a->name, strlen(a->name));

	if (i < 0) {
		axt_graph_fail(g, AXT_E_SYNTAX, "%s has no parameter \"%s\"", op->name,
		    axt_escape(g->m, a->name));
		return false;
	}
	if (op->params[i].type == AXT_PARAM_TENSOR && a->e) {
		axt_param_tensor(op, i, a->e, values, given);
		return true;
	}
	if (a->text && axt_param_read(op, i, a->text, values, given, wrong))
		return true;
	if (!a->text)
		*wrong = (struct axt_misuse){ .kind = AXT_MISUSE_VALUE,
			.param = &op->params[i],
			.want = "a text" };
	misused(g, op, wrong);
	return false;
}

struct axt_expr *
axt_call(struct axt_graph *g, const char *name, struct axt_expr *const in[], int n,
    const struct axt_arg *args, int nargs)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	struct axt_call c = { .op = op, .in = in, .n = n };
	struct axt_misuse wrong;
	void *values;
	int takes;

	if (g->err.code)
		return axt_node_failed(g);
	if (!op)
		return axt_graph_fail(g, AXT_E_SYNTAX, "there is no operation \"%s\"",
		    axt_escape(g->m, name));
	takes = axt_operation_operands(op) + (alias && alias->second);
	if (n < takes || (n > takes && !(op->flags & AXT_OPERATION_MANY)))
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s takes %d tensors, not %d", name, takes,
		    n);
	values = axt_alloc(g->m, op->size + 1);
	if (!values)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	axt_call_defaults(op, alias, values, &c.given);
	if (alias && alias->second)
		axt_param_tensor(op, axt_param_named(op, alias->second, strlen(alias->second)),
		    in[--c.n], values, &c.given);
	for (int i = 0; i < nargs; i++)
		if (!take(g, op, &args[i], values, &c.given, &wrong))
			return axt_node_failed(g);
	if (!axt_call_check(op, c.given, &wrong))
		return misused(g, op, &wrong);
	c.values = values;
	return op->build(g, &c);
}
