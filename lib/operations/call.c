/* call.c - axt_call: an operation by its name. */
#include <string.h>

#include "axt_builds.h"
#include "expr/expr.h"
#include "axt_cmd.h"
#include "axt_operation.h"

/* Fails because of what is wrong with the arguments. */
static struct axt_expr *
misused(struct axt_graph *g, const char *name, const struct axt_misuse *m)
{
	struct axt_misuse shown = *m;
	bool names = m->kind == AXT_MISUSE_MISSING;
	struct axt_fact fact;
	char text[400];

	shown.word = axt_escape(g->m, m->word ? m->word : "NULL");
	shown.again = m->again ? axt_escape(g->m, m->again) : NULL;
	axt_misuse_text(&shown, name, text, sizeof(text));
	axt_fail(&g->err, AXT_E_SYNTAX, "%s%s%s", names ? "" : name, names ? "" : ": ", text);
	axt_misuse_fact(m, name, &fact);
	axt_about(&g->err, fact.about, fact.word, fact.of);
	return axt_node_failed(g);
}

int
axt_call_build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const char *names = axt_operation_results(c->op, c->given);
	int n = names != NULL;

	if (!names) {
		out[0] = c->op->build_of
		    ? c->op->build_of(g, c->in[0], AXT_VALUES(struct axt_one, c)->axes)
		    : c->op->build(g, c);
		return 1;
	}
	if (c->op->build_all(g, c, out))
		return 0;
	for (; *names; names++)
		n += *names == ' ';
	return n;
}

/* The result of that name; NULL: the only one. */
static struct axt_expr *
result(struct axt_graph *g, const struct axt_call *c, const char *name)
{
	const char *names = axt_operation_results(c->op, c->given);
	struct axt_expr *out[AXT_MOST_RESULTS];
	int which = names ? axt_word_index(names, name ? name : "", name ? strlen(name) : 0) : 0;

	if (!names && name)
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s has one result", c->op->name);
	if (which < 0)
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s has the results %s", c->op->name, names);
	return axt_call_build(g, c, out) ? out[which] : axt_node_failed(g);
}

/* Adds AXIS=... to the specs of parameter i; of AXIS= the node is what stands behind. */
static bool
add_spec(struct axt_graph *g, const struct axt_operation *op, int i, const struct axt_arg *a,
    void *values, uint64_t *given)
{
	struct axt_specs *s = (void *)((char *)values + op->params[i].at);
	const char **all = axt_alloc(g->m, (size_t)(s->n + 1) * sizeof(*all));
	struct axt_expr **e = axt_alloc(g->m, (size_t)(s->n + 1) * sizeof(struct axt_expr *));

	if (!all || !e) {
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
		return false;
	}
	for (int k = 0; k < s->n; k++) {
		all[k] = s->word[k];
		e[k] = s->e[k];
	}
	all[s->n] = a->text;
	e[s->n] = a->e;
	axt_param_specs(op, i, s->n + 1, all, values, given);
	s->e = e;
	return !a->e || !axt_bad(a->e);
}

/* Whether both a value and a node stand behind AXIS=, of which one would be left out. */
static bool
stand_both(struct axt_graph *g, const struct axt_param *p, const struct axt_arg *a,
    struct axt_misuse *wrong)
{
	size_t n = axt_spec_axis(a->text);
	const char *sign = a->text[n] ? axt_strndup(g->m, a->text, n + 1) : NULL;

	if (!a->e || !a->text[n] || !a->text[n + 1])
		return false;
	*wrong = (struct axt_misuse){ .kind = AXT_MISUSE_BOTH,
		.param = p,
		.word = sign,
		.again = a->text + n + 1 };
	return true;
}

/* One argument: a node for a parameter that is a tensor, a text for any other. */
static bool
take(struct axt_graph *g, const struct axt_operation *op, const struct axt_arg *a, void *values,
    uint64_t *given, uint64_t *typed, struct axt_misuse *wrong)
{
	int i = axt_param_named(op, a->name, strlen(a->name));
	enum axt_param_type type = i < 0 ? AXT_PARAM_TEXT : op->params[i].type;
	struct axt_expr *e = a->e;

	if (i < 0) {
		axt_fail(&g->err, AXT_E_SYNTAX, "%s has no parameter \"%s\"", op->name,
		    axt_escape(g->m, a->name));
		axt_about(&g->err, AXT_NO_PARAMETER, a->name, op->name);
		for (const struct axt_param *p = op->params; p->name; p++)
			axt_about_among(&g->err, p->name);
		return false;
	}
	if ((*typed >> i & 1) && type != AXT_PARAM_SPECS) {
		axt_fail(&g->err, AXT_E_SYNTAX, "%s: %s= is there already", op->name, a->name);
		axt_about(&g->err, AXT_TWICE, a->name, op->name);
		return false;
	}
	*typed |= UINT64_C(1) << i;
	if (type == AXT_PARAM_VALUE && !e && a->text)
		e = axt_number(g, a->text);
	if (axt_param_is_node(&op->params[i]) && e) {
		axt_param_tensor(op, i, e, values, given);
		return !axt_bad(e);
	}
	if (type == AXT_PARAM_SPECS && a->text) {
		if (!stand_both(g, &op->params[i], a, wrong))
			return add_spec(g, op, i, a, values, given);
	} else if (a->text && !e) {
		if (axt_param_read(op, i, a->text, values, given, wrong))
			return true;
	} else {
		*wrong = (struct axt_misuse){ .kind = AXT_MISUSE_VALUE,
			.param = &op->params[i],
			.word = e ? "a tensor" : "nothing" };
		snprintf(wrong->want, sizeof(wrong->want),
		    type == AXT_PARAM_TENSOR ? "a tensor" : "a text");
	}
	misused(g, op->name, wrong);
	return false;
}

void
axt_call_repeat(const struct axt_operation *op, void *values, uint64_t given)
{
	for (int i = 0; op->params[i].name; i++) {
		int from = axt_param_again(op, i, given);

		if (from >= 0)
			*axt_param_node(op, op->params[i].name, values) = *axt_param_node(op,
			    op->params[from].name, values);
	}
}

struct axt_expr *
axt_call(struct axt_graph *g, const char *name, struct axt_expr *const in[], int n,
    const struct axt_arg *args, int nargs)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	struct axt_call c = { .op = op, .in = in, .n = n };
	const char *which = alias ? alias->result : NULL;
	struct axt_misuse wrong;
	struct axt_expr **met;
	void *values;
	uint64_t typed = 0; /* with a bit for each parameter that is given, not preset */
	int takes, most;

	if (g->err.code)
		return axt_node_failed(g);
	if (!op) {
		axt_fail(&g->err, AXT_E_SYNTAX, "there is no operation \"%s\"",
		    axt_escape(g->m, name));
		axt_about(&g->err, AXT_NO_FUNCTION, name, NULL);
		return axt_node_failed(g);
	}
	takes = axt_operation_operands(op, &most) + (alias && alias->second);
	most += alias && alias->second;
	if (n < takes || (n > most && !(op->flags & AXT_OPERATION_MANY))) {
		axt_fail(&g->err, AXT_E_SYNTAX, "%s takes %d tensors, not %d", name,
		    n < takes ? takes : most, n);
		axt_about(&g->err, n < takes ? AXT_TOO_FEW : AXT_TOO_MANY, NULL, name);
		return axt_node_failed(g);
	}
	values = axt_alloc(g->m, op->size + 1);
	if (!values)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	axt_call_defaults(op, alias, values, &c.given);
	if (alias && alias->second) {
		int second = axt_param_named(op, alias->second, strlen(alias->second));

		axt_param_tensor(op, second, in[--c.n], values, &c.given);
		typed = UINT64_C(1) << second;
	}
	for (int i = 0; i < nargs; i++)
		if (strcmp(args[i].name, "result") == 0)
			which = args[i].text;
		else if (!take(g, op, &args[i], values, &c.given, &typed, &wrong))
			return axt_node_failed(g);
	axt_call_repeat(op, values, c.given);
	if (!axt_call_check(op, values, c.given, &wrong))
		return misused(g, name, &wrong);
	c.values = values;
	if (op->flags & AXT_OPERATION_MEET) {
		met = axt_alloc(g->m, (size_t)n * sizeof(*met));
		if (!met)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		memcpy(met, in, (size_t)n * sizeof(*met));
		if (axt_meet_dates(g, c.n, met))
			return axt_node_failed(g);
		c.in = met;
	}
	return result(g, &c, which);
}
