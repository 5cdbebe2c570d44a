/* operation.c - operations as functions of expressions: f(a, b, axes, name=value). */
#include <string.h>

#include "bytes/bytes.h"
#include "calc/call.h"

static bool
is_plain(const struct axt_param *p)
{
	return (p->flags & AXT_PARAM_PLAIN) == AXT_PARAM_PLAIN;
}

/* What is wrong with the arguments, at the place where they stand. */
static struct axt_expr *
misused(struct axt_calc_call *k, const char *at, const struct axt_misuse *m)
{
	const char *p = m->param->name, *other = m->other ? m->other->name : "";

	switch (m->kind) {
	case AXT_MISUSE_VALUE:
		return axt_calc_fail(k->c, at, "%s= takes %s, not \"%s\"", p, m->want,
		    axt_calc_show(k->c, m->word, strlen(m->word)));
	case AXT_MISUSE_NUMBER:
		return axt_calc_fail(k->c, at, "\"%s\"%s",
		    axt_calc_show(k->c, m->word, strlen(m->word)), m->want);
	case AXT_MISUSE_MISSING:
		if (is_plain(m->param))
			return axt_calc_fail(k->c, at, "%s needs %s", k->name, k->fn->words);
		if (strcmp(p, "along") == 0)
			return axt_calc_no_axis(k);
		return axt_calc_fail(k->c, at, "%s needs %s=%s", k->name, p,
		    axt_param_value(m->param));
	case AXT_MISUSE_EXCLUDED:
		if (m->want[0])
			return axt_calc_fail(k->c, at, "%s=%s takes no %s=", other, m->want, p);
		return axt_calc_fail(k->c, at, "%s= and %s= exclude each other", p, other);
	case AXT_MISUSE_MANY: return axt_calc_fail(k->c, at, "%s= is for one axis", p);
	case AXT_MISUSE_TWICE:
		return axt_calc_fail(k->c, at, "axis \"%.*s\" is named twice: %s and %s",
		    (int)axt_spec_axis(m->word), m->word,
		    axt_calc_show(k->c, m->word, strlen(m->word)),
		    axt_calc_show(k->c, m->again, strlen(m->again)));
	default: return axt_calc_fail(k->c, at, "%s= goes with %s=%s", p, other, m->want);
	}
}

/*
 * Reads the word of a parameter that means something of the first value: area, or a field of its
 * dates. Returns false if it is an expression.
 */
static bool
is_of_first(struct axt_calc_call *k, int i, const char *value)
{
	const char *end = value + strspn(value, " \t\r\n");
	bool area = strncmp(end, "area", 4) == 0;

	end += area ? 4 + strspn(end + 4, " \t\r\n") : 0;
	if (!(k->of->params[i].flags & AXT_PARAM_AREA) || k->nlater == ARRAY_LEN(k->later) ||
	    !((area && (*end == ',' || *end == ')')) || axt_calc_is_field(value)))
		return false;
	for (struct axt_calc_name *x = k->c->names; x && area; x = x->next)
		if (strcmp(x->name, "area") == 0)
			return false;
	k->later[k->nlater] = (struct axt_calc_later){ i, axt_calc_word(k->c, value, ",)", true) };
	k->given |= UINT64_C(1) << i;
	return true;
}

bool
axt_calc_operation_value(struct axt_calc_call *k, int i, const char *value)
{
	const struct axt_operation *op = k->of;
	const struct axt_param *p = &op->params[i];
	const char *at = value + strspn(value, " \t\r\n"), *w;
	struct axt_calc *c = k->c;
	struct axt_misuse wrong;
	struct axt_expr *e;

	if (strlen(p->name) != c->tok.n || strncmp(p->name, c->tok.s, c->tok.n) != 0)
		axt_warn(c->g, "%.*s= of %s is called %s= now", (int)c->tok.n, c->tok.s, k->name,
		    p->name);
	if (is_of_first(k, i, value))
		return k->later[k->nlater++].word != NULL;
	if (p->type == AXT_PARAM_TENSOR || p->type == AXT_PARAM_VALUE) {
		axt_calc_next(c); /* skip the "=" */
		axt_calc_next(c);
		e = axt_calc_value(c);
		axt_param_tensor(op, i, e, k->values, &k->given);
		return !axt_bad(e);
	}
	k->list = p->type == AXT_PARAM_AXES ? p->name : NULL;
	w = axt_calc_word(c, value, ",)", p->type == AXT_PARAM_AXES);
	if (w && p->type == AXT_PARAM_DTYPE) {
		k->given |= UINT64_C(1) << i;
		return axt_calc_dtype(c, at, w, (enum axt_dtype *)((char *)k->values + p->at));
	}
	if (w && axt_param_read(op, i, w, k->values, &k->given, &wrong))
		return true;
	if (w)
		misused(k, at, &wrong);
	return false;
}

/* Gives the words to parameter i, which is specs, with the tensors that some of them name. */
static bool
read_specs(struct axt_calc_call *k, int i)
{
	struct axt_specs *s = (void *)((char *)k->values + k->of->params[i].at);
	int n = axt_calc_specs(k);
	struct axt_expr **e = axt_alloc(k->c->g->m, (size_t)(n + 1) * sizeof(*e));

	if (n < 0 || !e)
		return false;
	axt_param_specs(k->of, i, n, k->word, k->values, &k->given);
	for (int j = 0; (k->of->params[i].flags & AXT_PARAM_OPERANDS) && j < n; j++)
		e[j] = axt_calc_spec_target(k, k->word[j]);
	s->e = e;
	return !k->c->g->err.code;
}

/* The words of a call as the value of parameter i; names in lists of axes keep their escapes. */
static bool
read_words(struct axt_calc_call *k, int i)
{
	const struct axt_param *p = &k->of->params[i];
	const char *w;
	struct axt_misuse wrong;

	if (p->type == AXT_PARAM_SPECS)
		return read_specs(k, i);
	w = axt_calc_words(k);
	if (w && p->type != AXT_PARAM_AXES) {
		char *text = axt_strdup(k->c->g->m, w);

		w = text ? axt_unescape(text) : NULL;
	}
	if (!w)
		return false;
	if (k->given >> i & 1)
		axt_calc_fail(k->c, k->word_at, "%s= is there already", p->name);
	else if (axt_param_read(k->of, i, w, k->values, &k->given, &wrong))
		return true;
	else
		misused(k, k->word_at, &wrong);
	return false;
}

/* Gives parameter i what the word means of the tensor that it is about. */
static void
set_later(struct axt_calc_call *k, int i, const char *word)
{
	const char *of = k->of->params[i].of;
	struct axt_expr *a = of ? *axt_param_node(k->of, of, k->values) : k->arg[0];

	if (a)
		axt_param_tensor(k->of, i,
		    strcmp(word, "area") == 0 ? axt_area(k->c->g, a) : axt_field(k->c->g, a, word),
		    k->values, &k->given);
}

/* Gives parameters that are not given what others have whose words are meant once more. */
static void
set_repeated(struct axt_calc_call *k)
{
	axt_call_repeat(k->of, k->values, k->given);
	for (int i = 0; k->of->params[i].name; i++) {
		const struct axt_param *p = &k->of->params[i];
		int from = p->as ? axt_param_named(k->of, p->as, strlen(p->as)) : -1;

		if (from < 0 || (k->given >> i & 1) || !*axt_param_node(k->of, p->of, k->values))
			continue;
		for (int j = 0; j < k->nlater; j++)
			if (k->later[j].param == from)
				set_later(k, i, k->later[j].word);
	}
}

/* Gives the words, and the value behind the operands, to the parameters that they are. */
static bool
read_places(struct axt_calc_call *k)
{
	if (k->second >= 0)
		axt_param_tensor(k->of, k->second, k->arg[--k->n], k->values, &k->given);
	for (int i = 0; i < k->nlater; i++)
		set_later(k, k->later[i].param, k->later[i].word);
	set_repeated(k);
	for (int i = 0; k->nwords && k->of->params[i].name; i++)
		if (k->of->params[i].flags & AXT_PARAM_BARE)
			return read_words(k, i);
	return true;
}

/* The result that is asked for. */
static struct axt_expr *
result(struct axt_calc_call *k, const struct axt_call *call)
{
	const char *names = axt_operation_results(k->of, k->given);
	const char *word = k->result ? k->result : k->nwords == 1 ? k->word[0] : "";
	struct axt_expr *out[AXT_MOST_RESULTS];
	int which = names ? axt_result_named(names, word, strlen(word)) : 0;

	if (which < 0)
		return axt_calc_fail(k->c, k->nwords ? k->word_at : k->at,
		    "%s has the results %s; write %s(a, %s%.*s)", k->name, names, k->name,
		    k->fn->max > 1 ? "b, " : "", (int)strcspn(names, " "), names);
	return axt_call_build(k->c->g, call, out) ? out[which] : axt_node_failed(k->c->g);
}

static struct axt_expr *
build(struct axt_calc_call *k)
{
	struct axt_misuse wrong;

	if (!read_places(k))
		return axt_node_failed(k->c->g);
	if (!axt_call_check(k->of, k->values, k->given, &wrong))
		return misused(k, k->at, &wrong);
	return result(k,
	    &(struct axt_call){ .op = k->of,
		.in = k->arg,
		.n = k->n,
		.values = k->values,
		.given = k->given });
}

bool
axt_calc_operation_begin(struct axt_calc_call *k)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(k->name, &alias);

	if (!op)
		return true;
	k->values = axt_alloc(k->c->g->m, op->size + 1);
	if (!k->values) {
		axt_graph_fail(k->c->g, AXT_E_MEM, "out of memory");
		return false;
	}
	k->of = op;
	k->result = alias ? alias->result : NULL;
	k->second = alias && alias->second
	    ? axt_param_named(op, alias->second, strlen(alias->second))
	    : -1;
	axt_call_defaults(op, alias, k->values, &k->given);
	return true;
}

/* The names of parameters, with blanks between them. */
static const char *
keys(struct axt_arena *m, const struct axt_operation *op, const char *second)
{
	const char *all = "";

	for (const struct axt_param *p = op->params; p->name && all; p++)
		if (!is_plain(p) && !(p->flags & AXT_PARAM_RESULT) &&
		    !(second && strcmp(p->name, second) == 0))
			all = axt_sprintf(m, "%s%s%s", all, *all ? " " : "", p->name);
	return all ? all : "";
}

/* What words in a call are; NULL: there are none. */
static const char *
words(const struct axt_operation *op)
{
	for (const struct axt_param *p = op->params; p->name; p++)
		if (p->flags & AXT_PARAM_BARE)
			return p->type == AXT_PARAM_AXES && !p->arg ? "axes" : axt_param_value(p);
	return op->results ? "a result" : NULL;
}

bool
axt_calc_operation_named(struct axt_arena *m, const char *name, struct axt_calc_fn *fn)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	const char *second = alias ? alias->second : NULL;
	int n = op ? axt_operation_operands(op) + (second != NULL) : 0;

	if (op)
		*fn = (struct axt_calc_fn){ .name = name,
			.build = build,
			.min = n,
			.max = op->flags & AXT_OPERATION_MANY ? AXT_CALC_ARGS : n,
			.keys = keys(m, op, second),
			.words = (second && !op->results) || (alias && alias->result) ? NULL
										      : words(op),
			.line = alias ? alias->line : op->line };
	return op;
}
