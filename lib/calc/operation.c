/* operation.c - operations as functions of expressions: f(a, b, axes, name=value). */
#include <string.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "bytes/bytes.h"
#include "calc/call.h"

/* What words in a call are; NULL: there are none. */
static const char *
words(const struct axt_operation *op)
{
	for (const struct axt_param *p = op->params; p->name; p++)
		if (p->flags & AXT_PARAM_BARE)
			return p->type == AXT_PARAM_AXES && !p->arg ? "axes" : axt_param_value(p);
	return op->results ? "a result" : NULL;
}

struct axt_expr *
axt_calc_misused(struct axt_calc_call *k, const char *at, const struct axt_misuse *m)
{
	struct axt_misuse shown = *m;
	struct axt_fact fact;
	char text[400];

	if (m->kind == AXT_MISUSE_MISSING && strcmp(m->param->name, "along") == 0)
		return axt_calc_no_axis(k, axt_param_value(m->param));
	if (m->word)
		shown.word = axt_calc_show(k->c, m->word, strlen(m->word));
	if (m->again)
		shown.again = axt_calc_show(k->c, m->again, strlen(m->again));
	axt_calc_fail(k->c, at, "%s", axt_misuse_text(&shown, k->name, text, sizeof(text)));
	axt_misuse_fact(m, k->name, &fact);
	axt_calc_about(k->c, fact.about, fact.word, fact.of);
	return axt_node_failed(k->c->g);
}

/*
 * Reads the value of parameter i where it is a word about the first operand: "area", or a field of
 * the operand's dates such as time.month. Returns false if it is something else, an expression.
 */
static bool
is_of_first(struct axt_calc_call *k, int i, const char *value)
{
	const char *end = value + strspn(value, " \t\r\n");
	bool area = strncmp(end, "area", 4) == 0;

	end += area ? 4 + strspn(end + 4, " \t\r\n") : 0;
	if (!(k->of->params[i].flags & (AXT_PARAM_AREA | AXT_PARAM_GROUPS)) ||
	    k->nlater == ARRAY_LEN(k->later) ||
	    !((area && (*end == ',' || *end == ')')) || axt_calc_is_field(value)))
		return false;
	if (area && !(k->of->params[i].flags & AXT_PARAM_AREA))
		return false;
	for (struct axt_calc_name *x = k->c->names; x && area; x = x->next)
		if (strcmp(x->name, "area") == 0)
			return false;
	k->later[k->nlater] = (struct axt_calc_later){ i, axt_calc_word(k->c, value, ",)", true) };
	k->given |= UINT64_C(1) << i;
	return true;
}

bool
axt_calc_operation_old(struct axt_calc_call *k, const char *value)
{
	struct axt_calc_token key = k->c->tok;
	const char *v = value + strspn(value, " \t\r\n");

	for (int i = 0; k->of->params[i].name; i++) {
		const char *was = k->of->params[i].was, *is = was ? strchr(was, '=') : NULL;
		size_t n = is ? strlen(is + 1) : 0;

		if (!is || (size_t)(is - was) != key.n || strncmp(was, key.s, key.n) != 0 ||
		    strncmp(v, is + 1, n) != 0 || !strchr(",) \t\r\n", v[n]))
			continue;
		axt_warn(k->c->g, "%s of %s is called %s=true now", was, k->name,
		    k->of->params[i].name);
		*(bool *)((char *)k->values + k->of->params[i].at) = true;
		k->given |= UINT64_C(1) << i;
		return axt_calc_word(k->c, value, ",)", false) != NULL;
	}
	return false;
}

/* Whether values of that type are lists, which stand in parentheses. */
static bool
is_list(enum axt_param_type type)
{
	return type == AXT_PARAM_AXES || type == AXT_PARAM_NUMBERS || type == AXT_PARAM_LABELS;
}

/* Whether an expression begins at s: a name of a value, or one that a sign or a call follows. */
static bool
is_known(struct axt_calc *c, const char *s)
{
	static const char part[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t n;

	s += strspn(s, " \t\r\n");
	n = strspn(s, part);
	if (strchr("0123456789+-(\"'", *s))
		return false;
	for (const struct axt_calc_name *x = c->names; x; x = x->next)
		if (strlen(x->name) == n && strncmp(x->name, s, n) == 0)
			return true;
	s += n;
	s += strspn(s, " \t\r\n");
	return n == 0 || (*s != ',' && *s != ')');
}

/* Whether parameter i was typed before, which is an error: one of two values would be left out. */
static bool
is_there(struct axt_calc_call *k, int i, const char *at)
{
	if (k->typed >> i & 1) {
		axt_calc_fail(k->c, at, "%s= is there already", k->of->params[i].name);
		axt_calc_about(k->c, AXT_TWICE, k->of->params[i].name, k->name);
		return true;
	}
	k->typed |= UINT64_C(1) << i;
	return false;
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
	if (is_there(k, i, at))
		return false;
	if (is_of_first(k, i, value))
		return k->later[k->nlater++].word != NULL;
	if (axt_param_is_node(p) && (p->type != AXT_PARAM_LABELS || is_known(c, value))) {
		axt_calc_next(c); /* skip the "=" */
		axt_calc_next(c);
		e = p->flags & AXT_PARAM_GROUPS ? axt_calc_labels(c, value) : axt_calc_value(c);
		axt_param_tensor(op, i, e, k->values, &k->given);
		return !axt_bad(e);
	}
	k->list = is_list(p->type) ? p->name : NULL;
	w = axt_calc_word(c, value, ",)", is_list(p->type));
	if (w && p->type == AXT_PARAM_DTYPE && !(p->words && axt_choice(p->words, w) >= 0)) {
		k->given |= UINT64_C(1) << i;
		return axt_calc_dtype(c, at, w, (enum axt_dtype *)((char *)k->values + p->at));
	}
	if (w && axt_param_read(op, i, w, k->values, &k->given, &wrong))
		return true;
	if (w)
		axt_calc_misused(k, at, &wrong);
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
	for (int j = 0; j < n; j++)
		e[j] = k->target[j] || !(k->of->params[i].flags & AXT_PARAM_OPERANDS)
		    ? k->target[j]
		    : axt_calc_spec_target(k, &k->of->params[i], k->word[j]);
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
		return (axt_param_is_names(p) || !axt_calc_no_names(k)) && read_specs(k, i);
	if (p->type == AXT_PARAM_DTYPE && k->nwords == 1 && !(k->given >> i & 1)) {
		k->given |= UINT64_C(1) << i;
		return axt_calc_dtype(k->c, k->word_at, k->word[0],
		    (enum axt_dtype *)((char *)k->values + p->at));
	}
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
		axt_calc_misused(k, k->word_at, &wrong);
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
		    k->of->params[i].flags & AXT_PARAM_AREA ? axt_weights_of(k->c->g, a, word)
							    : axt_field(k->c->g, a, word),
		    k->values, &k->given);
}

/* Gives parameters that are not given what others have whose words are meant once more. */
static void
set_repeated(struct axt_calc_call *k)
{
	axt_call_repeat(k->of, k->values, k->given);
	for (int i = 0; k->of->params[i].name; i++) {
		int from = axt_param_again(k->of, i, k->given);

		for (int j = 0; j < k->nlater && from >= 0; j++)
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
	int which = names ? axt_word_index(names, word, strlen(word)) : 0;

	if (which < 0)
		return axt_calc_fail(k->c, k->nwords ? k->word_at : k->at,
		    "%s has the results %s; write %s(a, %s%.*s)", k->name, names, k->name,
		    k->most > 1 ? "b, " : "", (int)strcspn(names, " "), names);
	return axt_call_build(k->c->g, call, out) ? out[which] : axt_node_failed(k->c->g);
}

/* Whether all values of the call are numbers, whose result is then computed here. */
static bool
are_numbers(const struct axt_calc_call *k)
{
	for (int i = 0; i < k->n; i++)
		if (!axt_is_weak(k->arg[i]))
			return false;
	return (k->of->flags & AXT_OPERATION_NUMBERS) && k->n > 0 && !k->given;
}

/* What stands for e in the expression: its name, if it has one, or its number. */
static const char *
text_of(struct axt_calc *c, const struct axt_expr *e)
{
	const char *number = axt_calc_number(c, e);

	for (const struct axt_calc_name *x = c->names; x && !number; x = x->next)
		if (x->e == e)
			return x->name;
	return number ? number : e->from;
}

/*
 * For a call that failed, of two or three operands with a number among them: whether it can be
 * built with the operands in another order, of which order[i] is the number of the operand at place
 * i. The graph's error stays as it was.
 */
static bool
reordered(struct axt_graph *g, const struct axt_call *c, int order[3])
{
	static const int orders[][3] = { { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 2, 0 },
		{ 2, 0, 1 } };
	const struct axt_err was = g->err;
	struct axt_call other = *c;
	struct axt_expr *in[3];
	bool good = false, number = false;

	for (int i = 0; i < c->n; i++)
		number = number || axt_is_weak(c->in[i]);
	if (!number || c->n < 2 || c->n > 3 || !c->op->build)
		return false;
	other.in = in;
	for (int k = 0; k < ARRAY_LEN(orders) && !good; k++) {
		if (c->n == 2 && k > 0)
			break;
		for (int i = 0; i < c->n; i++)
			in[i] = c->in[order[i] = orders[k][i]];
		axt_graph_clear(g);
		good = !axt_bad(c->op->build(g, &other)) && !g->err.code;
	}
	g->err = was;
	return good;
}

/* The hint where a call cannot be built: with its values in another order, where it then can. */
static void
hint(struct axt_calc_call *k, const struct axt_call *call)
{
	struct axt_calc *c = k->c;
	const char *all = "", *flag = c->g->err.hint;
	int order[3];

	axt_calc_spec_hints(k);
	if (strncmp(flag, "--", 2) == 0 &&
	    axt_param_named(k->of, flag + 2, strlen(flag + 2)) >= 0) {
		flag = axt_strdup(c->g->m, flag + 2);
		c->g->err.hint[0] = '\0';
		if (flag)
			axt_hint(&c->g->err, "%s=true", flag);
		return;
	}
	if (c->g->err.hint[0] || c->g->err.code != AXT_E_SYNTAX || !reordered(c->g, call, order))
		return;
	for (int i = 0; i < k->n && all; i++)
		all = axt_sprintf(c->g->m, "%s%s%s", all, i ? ", " : "",
		    text_of(c, k->arg[order[i]]));
	if (all)
		axt_hint(&c->g->err, "%s(%s)", k->name, all);
}

struct axt_expr *
axt_calc_operation_build(struct axt_calc_call *k)
{
	struct axt_misuse wrong;
	struct axt_call call;
	struct axt_expr *e;

	if (!read_places(k))
		return axt_node_failed(k->c->g);
	if (!axt_call_check(k->of, k->values, k->given, &wrong))
		return axt_calc_misused(k, k->at, &wrong);
	call = (struct axt_call){ .op = k->of,
		.in = k->arg,
		.n = k->n,
		.values = k->values,
		.given = k->given };
	e = result(k, &call);
	if (axt_bad(e))
		hint(k, &call);
	else if (are_numbers(k))
		e = axt_calc_map(k->c, (enum axt_op)k->of->kind, k->n, k->arg);
	return e;
}

bool
axt_calc_operation_number(struct axt_calc_call *k)
{
	size_t n = strcspn(k->colon, " ");
	int i = axt_param_named(k->of, k->colon, n);
	const char *at = k->c->tok.s, *w;
	struct axt_expr *e = axt_calc_value(k->c);
	struct axt_misuse wrong;

	k->colon += n + (k->colon[n] == ' ');
	if (axt_bad(e) || is_there(k, i, at))
		return false;
	w = axt_calc_number(k->c, e);
	if (!w) {
		axt_calc_fail(k->c, at, "%s= takes a number", k->of->params[i].name);
		return false;
	}
	if (k->of->params[i].type == AXT_PARAM_VALUE) {
		axt_param_tensor(k->of, i, e, k->values, &k->given);
		return true;
	}
	if (axt_param_read(k->of, i, w, k->values, &k->given, &wrong))
		return true;
	axt_calc_misused(k, at, &wrong);
	return false;
}

bool
axt_calc_operation_key(struct axt_calc_call *k, bool assigns)
{
	const struct axt_param *p = k->of->params;
	const char *names[32], *near, *word;
	int n = 0;

	while (p->name && !((p->flags & AXT_PARAM_BARE) && (p->flags & AXT_PARAM_LENGTHS)))
		p++;
	if (!p->name || !assigns)
		return false;
	/* short names, such as "loc", are near to those of axes, such as "lon" */
	for (p = k->of->params; p->name && n < ARRAY_LEN(names); p++)
		if (!(p->flags & AXT_PARAM_BARE) && strlen(p->name) > 3)
			names[n++] = p->name;
	word = axt_calc_copy(k->c, k->c->tok.s, k->c->tok.n);
	near = word && k->c->tok.n > 2 ? axt_nearest(word, names, n) : NULL;
	if (!near)
		return false;
	axt_calc_fail(k->c, k->c->tok.s, "%s takes no \"%s=\"", k->name,
	    axt_calc_show(k->c, word, strlen(word)));
	axt_calc_about(k->c, AXT_NO_PARAMETER, word, k->name);
	axt_hint(&k->c->g->err, "%s= was meant, or else \"%s\"= for an axis of that name", near,
	    axt_calc_show(k->c, word, strlen(word)));
	return false;
}

bool
axt_calc_operation_begin(struct axt_calc_call *k)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(k->name, &alias);

	if (!op)
		return false;
	k->values = axt_alloc(k->c->g->m, op->size + 1);
	if (!k->values) {
		axt_graph_fail(k->c->g, AXT_E_MEM, "out of memory");
		return false;
	}
	k->of = op;
	k->colon = op->colon;
	k->result = alias ? alias->result : NULL;
	k->second = alias && alias->second
	    ? axt_param_named(op, alias->second, strlen(alias->second))
	    : -1;
	if (k->second >= 0)
		k->typed |= UINT64_C(1) << k->second;
	k->least = axt_operation_operands(op, &k->most) + (k->second >= 0);
	k->most = op->flags & AXT_OPERATION_MANY ? AXT_CALC_ARGS : k->most + (k->second >= 0);
	axt_call_defaults(op, alias, k->values, &k->given);
	return true;
}

/* ---- what functions there are ---- */

/* The names of parameters, with blanks between them. */
static const char *
keys(struct axt_arena *m, const struct axt_operation *op, const char *second)
{
	const char *all = "";

	for (const struct axt_param *p = op->params; p->name && all; p++)
		if (!axt_param_is_plain(p) && !(p->flags & AXT_PARAM_RESULT) &&
		    !(second && strcmp(p->name, second) == 0))
			all = axt_sprintf(m, "%s%s%s", all, *all ? " " : "", p->name);
	return all ? all : "";
}

bool
axt_calc_find(struct axt_arena *m, const char *name, struct axt_calc_fn *fn)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	const char *second = alias ? alias->second : NULL;

	if (!op)
		return false;
	*fn = (struct axt_calc_fn){ .keys = keys(m, op, second),
		.words = (second && !op->results) || (alias && alias->result) ? NULL : words(op) };
	fn->min = axt_operation_operands(op, &fn->max) + (second != NULL);
	fn->max = op->flags & AXT_OPERATION_MANY ? AXT_CALC_ARGS : fn->max + (second != NULL);
	return true;
}

bool
axt_calc_is_function(const char *name)
{
	const struct axt_alias *alias;

	return axt_operation_named(name, &alias) != NULL;
}

bool
axt_calc_function(int i, const char **name, const char **line)
{
	const struct axt_operation *op;

	for (int k = 0; i >= 0 && (op = axt_operation_row(k)); k++) {
		*name = op->name;
		*line = op->line;
		if (i-- == 0)
			return true;
		for (const struct axt_alias *a = op->aliases; a && a->name; a++) {
			*name = a->name;
			*line = a->line;
			if (i-- == 0)
				return true;
		}
	}
	return false;
}

const char *
axt_calc_near(const char *name)
{
	const char *names[400], *line, *ours;
	int n = 0;

	for (int i = 0; (ours = axt_foreign_name(name, i)); i++)
		if (axt_calc_is_function(ours))
			return ours;
	while (n < ARRAY_LEN(names) && axt_calc_function(n, &names[n], &line))
		n++;
	return axt_nearest(name, names, n);
}
