/* views.c - parts and views of tensors, by specs as commands take them. */
#include "calc/call.h"
#include "graph/graph.h"

/*
 * Whether a word begins a spec, as NAME=... or NAME@... does. Other words continue the list of the
 * spec before them.
 */
static bool
is_spec(const char *w)
{
	for (; *w && *w != '=' && *w != '@'; w++)
		w += *w == '\\' && w[1];
	return *w != '\0';
}

int
axt_calc_specs(struct axt_calc_call *k)
{
	int n = 0;

	for (int i = 0; i < k->nwords; i++)
		if (n > 0 && !is_spec(k->word[i])) {
			if (k->target[n - 1]) {
				axt_calc_misused(k, k->word_at ? k->word_at : k->at,
				    &(struct axt_misuse){ .kind = AXT_MISUSE_BOTH,
					.param = &k->of->params[axt_param_named(k->of, "specs", 5)],
					.word = k->word[n - 1],
					.again = k->word[i] });
				return -1;
			}
			k->word[n - 1] = axt_sprintf(k->c->g->m, "%s,%s", k->word[n - 1],
			    k->word[i]);
			if (!k->word[n - 1])
				return -1;
		} else {
			k->target[n] = k->target[i];
			k->word[n++] = k->word[i];
		}
	return n;
}

/* The coordinates that NAME.AXIS means, of an axis of a tensor; NULL: it means something else. */
static struct axt_expr *
coordinates_of(struct axt_calc *c, const char *word)
{
	const char *dot = strchr(word, '.');
	struct axt_calc_name *x = dot ? c->names : NULL;
	struct axt_expr *e;

	while (x && (strncmp(x->name, word, (size_t)(dot - word)) != 0 || x->name[dot - word]))
		x = x->next;
	e = x ? axt_coord_values(c->g, x->e, dot + 1) : NULL;
	if (e)
		x->used = true;
	return e;
}

/*
 * In a part a[...], AXIS=NAME means a tensor only if this is a mask: integers may be positions or
 * flags, and a name behind "@" may be a text that is a coordinate.
 */
struct axt_expr *
axt_calc_spec_target(struct axt_calc_call *k, const struct axt_param *p, const char *spec)
{
	const char *v = spec + axt_spec_axis(spec);
	bool parts = p->flags & AXT_PARAM_FILES;

	for (struct axt_calc_name *x = *v ? k->c->names : NULL; x; x = x->next)
		if (strcmp(x->name, v + 1) == 0) {
			if (parts && (x->e->dtype != AXT_BOOL || x->e->axes.n == 0))
				return NULL;
			x->used = true;
			return x->e;
		}
	return *v && !parts ? coordinates_of(k->c, v + 1) : NULL;
}

/* Fails because positions were typed without names of axes, as NumPy has them: a[0,:,2:5]. */
bool
axt_calc_no_names(struct axt_calc_call *k)
{
	struct axt_graph *g = k->c->g;
	const struct axt_expr *a = k->arg[0];
	const char *typed = k->nwords ? k->word[0] : "=", *w = typed, *hint = NULL;
	size_t n;

	if (is_spec(typed) || axt_bad(a))
		return false;

	for (int i = 0; *w && i < a->axes.n; i++, w += n + (w[n] == ',')) {
		n = strcspn(w, ",");
		if (n == 0 || strspn(w, "0123456789-:") < n)
			break;
		if (n > 1 || *w != ':')
			hint = axt_sprintf(g->m, "%s%s%s=%.*s", hint ? hint : "", hint ? ", " : "",
			    axt_escape(g->m, axt_axis_spell(g->m, &a->axes.a[i])), (int)n, w);
	}
	axt_calc_fail(k->c, k->at, "\"%s\" is not AXIS=...", axt_escape(g->m, typed));
	axt_calc_about(k->c, AXT_BAD_WORD, typed, "AXIS=...");
	if (*w || !hint)
		axt_hint(&g->err, "the name of an axis stands first, such as [time=0]");
	else if (k->c->whole.name && k->c->whole.to == k->at)
		axt_hint(&g->err, "%s[%s]", axt_escape(g->m, k->c->whole.name), hint);
	else
		axt_hint(&g->err, "[%s]", hint);
	return true;
}

/*
 * Where one of n specs begins with the name of a tensor, as trial=bad and trial=bad != 0 do,
 * replaces the hint of the error by take(), which takes any expression as positions or as a mask.
 */
static void
hint_take(struct axt_calc_call *k, int n)
{
	struct axt_calc *c = k->c;
	const char *a = "...";

	for (struct axt_calc_name *x = c->names; x; x = x->next)
		if (x->e == k->arg[0])
			a = axt_escape(c->g->m, x->name);
	for (int i = 0; i < n; i++) {
		const char *v = strpbrk(k->word[i], "=@");
		size_t len = v ? strcspn(++v, " !=<>+-*/()") : 0;

		for (struct axt_calc_name *x = v ? c->names : NULL; x; x = x->next) {
			if (strlen(x->name) != len || strncmp(x->name, v, len) != 0)
				continue;
			c->g->err.hint[0] = '\0';
			if (v[len] || v[-1] == '@')
				axt_hint(&c->g->err, "take(%s, %s)", a, k->word[i]);
			else
				axt_hint(&c->g->err,
				    "take(%s, %s) takes what stands at positions, take(%s, %s != 0) what "
				    "a mask has",
				    a, k->word[i], a, k->word[i]);
			return;
		}
	}
}

/*
 * For the error that no coordinate is the value of a spec: replaces the hint, an option of a
 * command, by an expression.
 */
static void
hint_nearest(struct axt_calc_call *k, int n)
{
	struct axt_calc *c = k->c;
	const char *a = NULL, *specs = NULL;

	if (c->g->err.fact.about != AXT_NO_COORDINATE || !c->g->err.hint[0])
		return;
	for (struct axt_calc_name *x = c->names; x && !a; x = x->next)
		a = x->e == k->arg[0] ? axt_escape(c->g->m, x->name) : NULL;
	for (int i = 0; i < n; i++)
		specs = axt_sprintf(c->g->m, "%s%s%s", specs ? specs : "", specs ? ", " : "",
		    axt_escape(c->g->m, k->word[i]));
	c->g->err.hint[0] = '\0';
	axt_hint(&c->g->err, "%s[%s, nearest=true] takes the nearest", a ? a : "", specs);
}

void
axt_calc_spec_hints(struct axt_calc_call *k)
{
	hint_nearest(k, k->nwords);
	hint_take(k, k->nwords);
}

bool
axt_calc_part_words(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;

	c->parens++;
	for (;;) {
		const char *w;

		if (k->nwords == AXT_CALC_ARGS) {
			axt_calc_fail(c, c->p, "more than %d words", AXT_CALC_ARGS);
			return false;
		}
		w = axt_calc_word(c, c->p, ",]", true);
		if (!w)
			return false;
		k->word[k->nwords++] = w;
		if (!axt_calc_is(c, ","))
			break;
	}
	if (!axt_calc_is(c, "]")) {
		axt_calc_fail(c, k->at, "the bracket is not closed");
		return false;
	}
	c->parens--;
	axt_calc_next(c);
	return true;
}

/* Takes flags such as nearest=true, which are parameters, out of the words of [..]. */
static bool
take_flags(struct axt_calc_call *k)
{
	struct axt_misuse wrong;
	int n = 0;

	for (int i = 0; i < k->nwords; i++) {
		const char *w = k->word[i];
		size_t len = axt_spec_axis(w);
		int p = axt_param_named(k->of, w, len);

		if (p < 0 || k->of->params[p].type != AXT_PARAM_FLAG || w[len] != '=')
			k->word[n++] = w;
		else if (!axt_param_read(k->of, p, w + len + 1, k->values, &k->given, &wrong)) {
			axt_calc_fail(k->c, k->at, "%s= takes %s", wrong.param->name, wrong.want);
			return false;
		}
	}
	k->nwords = n;
	return true;
}

struct axt_expr *
axt_calc_part(struct axt_calc *c, struct axt_expr *a)
{
	struct axt_calc_call k = { .c = c, .name = "slice", .at = c->tok.s };

	if (!axt_calc_operation_begin(&k))
		return axt_node_failed(c->g);
	k.arg[k.n++] = a;
	if (!axt_calc_part_words(&k) || !axt_calc_work(c, k.at) || !take_flags(&k))
		return axt_node_failed(c->g);
	if (k.nwords == 0)
		return axt_calc_fail(c, k.at, "[..] needs AXIS=SPEC or AXIS@SPEC");
	return axt_calc_at(c, k.at, axt_calc_operation_build(&k));
}

static bool
is_value(const struct axt_calc *c, const struct axt_calc_token *t)
{
	const struct axt_calc_name *x = t->kind == AXT_CALC_NAME ? c->names : NULL;

	while (x && (strlen(x->name) != t->n || strncmp(x->name, t->s, t->n) != 0))
		x = x->next;
	return x;
}

/*
 * Whether the argument at `at`, which begins with a number, a sign or a parenthesis, is an
 * expression with a value in it, as 2*h is. Ranges and files have a ":", and are none.
 */
static bool
takes_value(struct axt_calc *at)
{
	bool found = false;

	for (int open = 0; at->tok.kind != AXT_CALC_END && at->tok.kind != AXT_CALC_SEP;
	     axt_calc_next(at)) {
		if (open == 0 && (axt_calc_is(at, ",") || axt_calc_is(at, ")")))
			break;
		if (axt_calc_is(at, ":"))
			return false;
		open += axt_calc_is(at, "(") - axt_calc_is(at, ")");
		found = found || is_value(at, &at->tok);
	}
	return found;
}

/* Whether the text at s is a call, or an operation with a value. */
static bool
is_computed(const struct axt_calc *c, const char *s)
{
	struct axt_calc at = { .g = c->g,
		.text = c->text,
		.p = s,
		.parens = c->parens,
		.names = c->names };
	struct axt_calc_token first;

	axt_calc_next(&at);
	first = at.tok;
	if (first.kind == AXT_CALC_NUMBER || axt_calc_is(&at, "-") || axt_calc_is(&at, "("))
		return takes_value(&at);
	axt_calc_next(&at);
	if (first.kind != AXT_CALC_NAME || at.tok.kind != AXT_CALC_SIGN)
		return false;
	if (*at.tok.s == '(')
		return true;
	return is_value(c, &first) && strchr("+-*^/", *at.tok.s) &&
	    !memchr(s, ':', strcspn(s, ",)"));
}

bool
axt_calc_computed_target(struct axt_calc_call *k, const char **w)
{
	struct axt_calc *c = k->c;
	struct axt_calc_token axis = c->tok;
	const char *value;

	if (!axt_calc_assigns(c, &value) || !is_computed(c, value))
		return false;
	axt_calc_next(c);
	axt_calc_next(c);
	k->target[k->nwords] = axt_calc_value(c);
	*w = axt_bad(k->target[k->nwords]) ? NULL
					   : axt_sprintf(c->g->m, "%.*s=", (int)axis.n, axis.s);
	return true;
}
