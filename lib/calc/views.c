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
		if (i > 0 && !is_spec(k->word[i])) {
			k->word[n - 1] = axt_sprintf(k->c->g->m, "%s,%s", k->word[n - 1],
			    k->word[i]);
			if (!k->word[n - 1])
				return -1;
		} else {
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
 * The tensor whose name follows AXIS= or AXIS@ in a spec; mask: one of bool with axes, and no
 * other. *axis: the name of the axis. NULL: there is none, and the spec means something else.
 */
static struct axt_expr *
tensor_of(struct axt_calc_call *k, const char *spec, bool mask, const char **axis)
{
	const char *v = strpbrk(spec, "=@");
	struct axt_calc *c = k->c;
	struct axt_expr *e;

	for (struct axt_calc_name *x = v ? k->computed : NULL; x; x = x->next)
		if (strcmp(x->name, v + 1) == 0) {
			*axis = axt_calc_copy(c, spec, (size_t)(v - spec));
			return *axis ? x->e : NULL;
		}
	for (struct axt_calc_name *x = v ? c->names : NULL; x; x = x->next)
		if (strcmp(x->name, v + 1) == 0) {
			if (mask && (x->e->dtype != AXT_BOOL || x->e->axes.n == 0))
				return NULL;
			x->used = true;
			*axis = axt_calc_copy(c, spec, (size_t)(v - spec));
			return *axis ? x->e : NULL;
		}
	e = v && !mask ? coordinates_of(c, v + 1) : NULL;
	*axis = e ? axt_calc_copy(c, spec, (size_t)(v - spec)) : NULL;
	return *axis ? e : NULL;
}

struct axt_expr *
axt_calc_spec_target(struct axt_calc_call *k, const char *spec)
{
	const char *axis;

	return tensor_of(k, spec, false, &axis);
}

/* Fails because positions were typed without names of axes, as NumPy has them: a[0,:,2:5]. */
static struct axt_expr *
no_names(struct axt_calc_call *k, const struct axt_expr *a)
{
	struct axt_graph *g = k->c->g;
	const char *typed = k->word[0], *w = typed, *hint = NULL;
	struct axt_expr *e;
	size_t n;

	for (int i = 0; *w && i < a->axes.n; i++, w += n + (w[n] == ',')) {
		n = strcspn(w, ",");
		if (n == 0 || strspn(w, "0123456789-:") < n)
			break;
		if (n > 1 || *w != ':')
			hint = axt_sprintf(g->m, "%s%s%s=%.*s", hint ? hint : "", hint ? ", " : "",
			    axt_escape(g->m, axt_axis_spell(g->m, &a->axes.a[i])), (int)n, w);
	}
	e = axt_calc_fail(k->c, k->at, "\"%s\" is not AXIS=...", axt_escape(g->m, typed));
	if (*w || !hint)
		axt_hint(&g->err, "the name of an axis stands first, such as [time=0]");
	else if (k->c->whole.name && k->c->whole.to == k->at)
		axt_hint(&g->err, "%s[%s]", axt_escape(g->m, k->c->whole.name), hint);
	else
		axt_hint(&g->err, "[%s]", hint);
	return e;
}

/*
 * Where a spec of n begins with the name of a tensor, as trial=bad or trial=bad != 0, the hint of
 * the error is take(), which has any expression for positions or a mask.
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
 * Where no coordinate is the value of one of n specs, the hint is an expression, not an option of a
 * command.
 */
static void
hint_nearest(struct axt_calc_call *k, int n)
{
	struct axt_calc *c = k->c;
	const char *a = NULL, *specs = NULL;

	if (strcmp(c->g->err.hint, "--nearest takes the nearest") != 0)
		return;
	for (struct axt_calc_name *x = c->names; x && !a; x = x->next)
		a = x->e == k->arg[0] ? axt_escape(c->g->m, x->name) : NULL;
	for (int i = 0; i < n; i++)
		specs = axt_sprintf(c->g->m, "%s%s%s", specs ? specs : "", specs ? ", " : "",
		    axt_escape(c->g->m, k->word[i]));
	c->g->err.hint[0] = '\0';
	axt_hint(&c->g->err, "%s[%s, nearest=true] takes the nearest", a ? a : "", specs);
}

/* Applies all specs of a slice, of which some may be masks, one after another. */
struct axt_expr *
axt_calc_slice(struct axt_calc_call *k)
{
	struct axt_expr *a = k->arg[0], *mask, *text = axt_expr_text(a) ? a : NULL;
	const char *axis;
	int from = 0;
	int n = axt_calc_specs(k);

	if (n == 0)
		return axt_calc_fail(k->c, k->at, "%s needs %s", k->name, k->fn->words);
	if (n < 0)
		return axt_node_failed(k->c->g);
	if (!is_spec(k->word[0]) && !axt_bad(a))
		return no_names(k, a);
	a = axt_text_groups(k->c->g, a);
	for (int i = 0; i <= n; i++) {
		mask = i < n ? tensor_of(k, k->word[i], true, &axis) : NULL;
		if (i < n && !mask)
			continue;
		if (i > from)
			a = axt_slices(k->c->g, a, k->word + from, i - from, k->o.nearest > 0);
		if (i > from && axt_bad(a)) {
			hint_nearest(k, n);
			hint_take(k, n);
		}
		if (mask)
			a = axt_take(k->c->g, a, axis, mask, true);
		from = i + 1;
	}
	return text && !axt_bad(a) ? axt_text_part(k->c->g, text, a) : a;
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

/* Takes nearest=true, which is an option as in slice(), out of the words of [..]. */
static void
take_nearest(struct axt_calc_call *k)
{
	int n = 0;

	for (int i = 0; i < k->nwords; i++) {
		const char *w = k->word[i];
		bool yes = strcmp(w, "nearest=true") == 0;

		if (yes || strcmp(w, "nearest=false") == 0)
			k->o.nearest = yes;
		else
			k->word[n++] = w;
	}
	k->nwords = n;
}

struct axt_expr *
axt_calc_part(struct axt_calc *c, struct axt_expr *a)
{
	struct axt_calc_call k = { .c = c, .at = c->tok.s, .arg = { a } };

	if (!axt_calc_part_words(&k) || !axt_calc_work(c, k.at))
		return axt_node_failed(c->g);
	take_nearest(&k);
	if (k.nwords == 0)
		return axt_calc_fail(c, k.at, "[..] needs AXIS=SPEC or AXIS@SPEC");
	return axt_calc_at(c, k.at, axt_calc_slice(&k));
}

struct axt_expr *
axt_calc_take(struct axt_calc_call *k)
{
	if (k->nwords != 1)
		return axt_calc_fail(k->c, k->at, "take needs one %s", k->fn->words);
	if (k->o.nearest > 0 && k->labels && !strchr(k->word[0], ','))
		return axt_take_near(k->c->g, k->arg[0], k->word[0], k->index);
	if (k->o.nearest > 0 && k->labels)
		return axt_take_nearest(k->c->g, k->arg[0], k->word[0], k->index);
	return axt_take(k->c->g, k->arg[0], k->word[0], k->index, k->labels);
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
 * Whether the argument that `at` has begun with a number, a sign or a parenthesis takes a value, as
 * 2*h does; ranges and files have a ":".
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
	struct axt_calc_name *x;
	struct axt_calc *c = k->c;
	struct axt_calc_token axis = c->tok;
	const char *value;

	if (!axt_calc_assigns(c, &value) || !is_computed(c, value))
		return false;
	axt_calc_next(c);
	axt_calc_next(c);
	x = axt_alloc(c->g->m, sizeof(*x));
	*w = NULL;
	if (!x) {
		axt_node_failed(c->g);
		return true;
	}
	/* a name that nobody can type */
	*x = (struct axt_calc_name){ .name = axt_sprintf(c->g->m, " %d", k->nwords),
		.e = axt_calc_value(c),
		.next = k->computed };
	k->computed = x;
	*w = x->name && !axt_bad(x->e)
	    ? axt_sprintf(c->g->m, "%.*s=%s", (int)axis.n, axis.s, x->name)
	    : NULL;
	return true;
}
