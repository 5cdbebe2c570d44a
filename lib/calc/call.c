/* call.c - reads the arguments of a call; the row of the operation says which it takes. */
#include "axt_cmd.h"
#include "calc/call.h"
#include "groups/groups.h"

/* Whether some operation has a parameter of that name. */
static bool
is_param(const char *word)
{
	const struct axt_operation *op;

	for (int i = 0; (op = axt_operation_row(i)); i++)
		if (axt_param_named(op, word, strlen(word)) >= 0)
			return true;
	return false;
}

/* Fails at a NAME= that the function does not take; the hint has what it takes. */
static bool
unknown_key(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	struct axt_calc_fn fn;
	const char *names[64], *near, *here = NULL, *ours,
				      *word = axt_calc_show(c, c->tok.s, c->tok.n);
	/* another function takes it, so that it is no foreign word */
	bool elsewhere = is_param(word);
	int n = 0;

	axt_calc_find(c->g->m, k->name, &fn);
	for (const char *s = fn.keys; *s && n < ARRAY_LEN(names); s += strspn(s, " ")) {
		names[n++] = axt_calc_copy(c, s, strcspn(s, " "));
		s += strcspn(s, " ");
		if (!names[n - 1])
			return false;
	}
	near = axt_nearest(word, names, n);
	for (int i = 0; !elsewhere && (ours = axt_foreign_option(word, i)); i++)
		for (int j = 0; j < n; j++)
			here = strcmp(names[j], ours) == 0 ? names[j] : here;
	axt_calc_fail(c, c->tok.s, "%s takes no \"%s=\"", k->name, word);
	axt_calc_about(c, AXT_NO_PARAMETER, word, k->name);
	for (int i = 0; i < n; i++)
		axt_about_among(&c->g->err, names[i]);
	if (here)
		axt_hint(&c->g->err, "%s takes these: %s; %s is called %s", k->name, fn.keys, word,
		    here);
	else if (near)
		axt_hint(&c->g->err, "did you mean %s=?", near);
	else if (n)
		axt_hint(&c->g->err, "%s takes these: %s", k->name, fn.keys);
	return false;
}

bool
axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d)
{
	const char *names[AXT_NDTYPES], *near;

	*d = axt_dtype_parse(word);
	if (*d)
		return true;
	for (int i = AXT_BOOL; i < AXT_NDTYPES; i++)
		names[i] = axt_dtypes[i].name;
	near = axt_nearest(word, names + AXT_BOOL, AXT_NDTYPES - AXT_BOOL);
	axt_calc_fail(c, at, "unknown dtype \"%s\"", axt_calc_show(c, word, strlen(word)));
	axt_calc_about(c, AXT_BAD_DTYPE, word, NULL);
	axt_hint(&c->g->err,
	    near ? "did you mean %s?"
		 : "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 "
		   "bf16 f32 f64 c64 c128",
	    near ? near : "");
	return false;
}

/* Whether s begins with AXIS.FIELD and the end of an argument; no expression has that form. */
bool
axt_calc_is_field(const char *s)
{
	static const char part[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const char *p;

	s += strspn(s, " \t\r\n");
	p = s + strspn(s, part);
	if (p == s || (*s >= '0' && *s <= '9') || *p != '.' || !strspn(p + 1, part))
		return false;
	p += 1 + strspn(p + 1, part);
	p += strspn(p, " \t\r\n");
	return *p == ',' || *p == ')';
}

/*
 * Returns v, the labels that the text from s up to here stands for. If that text is only a local
 * name of something computed, the axis of the groups gets this name and not that of an operand. The
 * named node is made once for each local name, since reductions by one node share its groups.
 */
static struct axt_expr *
labels_called(struct axt_calc *c, const char *s, struct axt_expr *v)
{
	struct axt_calc_name *x = c->whole.to &&
		c->tok.s == c->whole.to + strspn(c->whole.to, " \t\r\n")
	    ? axt_calc_computed(c, s)
	    : NULL;

	if (axt_bad(v) || !x || axt_axes_spelled(&v->axes, x->name) >= 0)
		return v;
	if (!x->labels)
		x->labels = axt_set_name(c->g, v, x->name);
	return x->labels;
}

/* Whether a list in parentheses begins at s, as (a,b), and no expression in some. */
static bool
is_list(const char *s)
{
	int open = 0;

	s += strspn(s, " \t\r\n");
	if (*s != '(')
		return false;
	for (char quote = 0; *s; s++)
		if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == ')' && --open == 0)
			return false;
		else if (*s == ',' && open == 1)
			return true;
		else
			open += *s == '(';
	return false;
}

/* Reads one tensor of labels. */
static struct axt_expr *
labels_one(struct axt_calc *c)
{
	const char *at = c->tok.s;

	c->whole.from = c->whole.to = NULL;
	return labels_called(c, at, axt_text_groups(c->g, axt_calc_value(c)));
}

/* Reads (a,b), several tensors of labels. */
static struct axt_expr *
labels_list(struct axt_calc *c)
{
	struct axt_expr *by[AXT_MAX_RANK];
	int n = 0;

	do {
		axt_calc_next(c);
		if (n == AXT_MAX_RANK)
			return axt_calc_fail(c, c->p, "more than %d tensors of labels", n);
		by[n] = labels_one(c);
		if (axt_bad(by[n++]))
			return axt_node_failed(c->g);
	} while (axt_calc_is(c, ","));
	if (!axt_calc_is(c, ")"))
		return axt_calc_fail(c, c->tok.s, "the list of labels is not closed");
	axt_calc_next(c);
	return axt_labels_joined(c->g, by, n);
}

struct axt_expr *
axt_calc_labels(struct axt_calc *c, const char *value)
{
	return is_list(value) ? labels_list(c) : labels_one(c);
}

/* The parameter that is words AXIS=..., or that words in expressions are; NULL: there is none. */
static const struct axt_param *
word_param(const struct axt_operation *op)
{
	for (const struct axt_param *p = op->params; p->name; p++)
		if (p->flags & AXT_PARAM_BARE)
			return p;
	return NULL;
}

/* Whether a list of numbers in parentheses begins at s, which is no expression. */
static bool
lists_numbers(const char *s)
{
	size_t n;

	s += strspn(s, " \t\r\n");
	n = *s == '(' ? 1 + strspn(s + 1, "0123456789-, \t\r\n") : 0;
	return n && s[n] == ')' && memchr(s, ',', n);
}

/* Reads AXIS=TENSOR or AXIS@TENSOR, whose tensor any expression may be. */
static const char *
index_word(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	const char *axis = axt_calc_word(c, c->tok.s, "=@,)", true), *list, *number;
	char sign = axt_calc_is(c, "@") ? '@' : '=';
	struct axt_expr *e;

	if (!axis)
		return NULL;
	if (sign == '=' && !axt_calc_is(c, "=")) {
		axt_calc_fail(c, c->tok.s, "%s takes %s", k->name,
		    axt_param_value(word_param(k->of)));
		return NULL;
	}
	if (lists_numbers(c->p)) {
		list = axt_calc_word(c, c->p, ",)", true);
		return list ? axt_sprintf(c->g->m, "%s%c%s", axis, sign, list) : NULL;
	}
	axt_calc_next(c);
	e = axt_calc_value(c);
	if (axt_bad(e))
		return NULL;
	number = axt_calc_number(c, e); /* a number is a word, as on a command line */
	k->target[k->nwords] = number ? NULL : e;
	return axt_sprintf(c->g->m, "%s%c%s", axis, sign, number ? number : "");
}

static bool
word(struct axt_calc_call *k)
{
	const struct axt_param *p = word_param(k->of);
	const char *w;

	if (k->nwords == AXT_CALC_ARGS) {
		axt_calc_fail(k->c, k->c->tok.s, "more than %d words", AXT_CALC_ARGS);
		return false;
	}
	if (k->nwords == 0)
		k->word_at = k->c->tok.s;
	if (p && (p->flags & AXT_PARAM_INDEX))
		w = index_word(k);
	else if (!(p && (p->flags & AXT_PARAM_OPERANDS)) || !axt_calc_computed_target(k, &w))
		w = axt_calc_word(k->c, k->c->tok.s, ",)", true);
	k->word[k->nwords++] = w;
	return w != NULL;
}

struct axt_expr *
axt_calc_no_axis(struct axt_calc_call *k, const char *value)
{
	struct axt_expr *e = axt_calc_fail(k->c, k->at, "%s needs along=%s", k->name, value);

	axt_calc_about(k->c, AXT_NEEDS_OPTION, "along", k->name);

	axt_hint(&k->c->g->err, "%s(%s, along=time)", k->name, k->most > 1 ? "a, b" : "a");
	return e;
}

/* The parameter of the function that takes axes: over or along; NULL: it has none. */
static const char *
axes_key(const struct axt_calc_call *k)
{
	return axt_param_named(k->of, "over", 4) >= 0 ? "over"
	    : axt_param_named(k->of, "along", 5) >= 0 ? "along"
						      : NULL;
}

/* Fails because there are too many values; most often one is a parameter without its name. */
static bool
too_many(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	const char *at = c->tok.s, *axes = axes_key(k);
	struct axt_calc_fn fn;

	if (k->most == 1)
		axt_calc_fail(c, at, "%s takes one argument", k->name);
	else
		axt_calc_fail(c, at, "%s takes %d arguments", k->name, k->most);
	axt_calc_about(c, AXT_TOO_MANY, axt_calc_copy(c, at, c->tok.n), k->name);
	if (k->list)
		axt_hint(&c->g->err, "a list stands in parentheses: %s=(x, y)", k->list);
	else if (strcmp(k->name, "min") == 0 || strcmp(k->name, "max") == 0)
		axt_hint(&c->g->err, "%simum(a, b) takes two", k->name);
	else if (strcmp(k->name, "log") == 0)
		axt_hint(&c->g->err, "log10(a), log2(a) or log(a)/log(b)");
	else if ((*at == '"' || *at == '\'') && axes)
		axt_hint(&c->g->err, "axes have a name before them: %s(a, %s=%s)", k->name, axes,
		    axt_calc_show(c, at + 1, strcspn(at + 1, "\"'),")));
	else if (c->tok.kind == AXT_CALC_NAME && axes)
		axt_hint(&c->g->err, "axes have a name before them: %s(a, %s=%s)", k->name, axes,
		    axt_calc_show(c, at, c->tok.n));
	else if (axt_calc_find(c->g->m, k->name, &fn) && fn.keys[0])
		axt_hint(&c->g->err, "%s takes these by name: %s", k->name, fn.keys);
	return false;
}

static bool
value(struct axt_calc_call *k)
{
	if (k->n == k->most)
		return too_many(k);
	k->arg[k->n] = axt_calc_value(k->c);
	return !axt_bad(k->arg[k->n++]);
}

/* Whether the token begins a number that is a parameter by its place, as in full(3, x=2). */
static bool
is_placed(const struct axt_calc_call *k)
{
	return k->n == k->most && k->colon && *k->colon && k->nwords == 0 &&
	    (k->c->tok.kind == AXT_CALC_NUMBER || axt_calc_is(k->c, "-") ||
		axt_calc_is(k->c, "(") || k->most == 0) &&
	    !axt_calc_is(k->c, "\"") && !axt_calc_is(k->c, "'");
}

static bool
argument(struct axt_calc_call *k)
{
	const char *behind;
	bool assigns = axt_calc_assigns(k->c, &behind);
	int i = assigns ? axt_param_named(k->of, k->c->tok.s, k->c->tok.n) : -1;
	const struct axt_param *p = i >= 0 ? &k->of->params[i] : NULL;

	if (p && !axt_param_is_plain(p) && !(p->flags & AXT_PARAM_RESULT))
		return axt_calc_operation_value(k, i, behind);
	if (!assigns && is_placed(k))
		return axt_calc_operation_number(k);
	if ((word_param(k->of) || k->of->results) &&
	    (assigns || k->n == k->most || axt_calc_is(k->c, "\"") || axt_calc_is(k->c, "'")))
		return axt_calc_operation_key(k, assigns) || (!k->c->g->err.code && word(k));
	if (assigns)
		return axt_calc_operation_old(k, behind) || (!k->c->g->err.code && unknown_key(k));
	return value(k);
}

/* Reads arguments up to and including the ")". */
static bool
arguments(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;

	c->parens++;
	axt_calc_next(c);
	while (!axt_calc_is(c, ")")) {
		if (c->tok.kind == AXT_CALC_END)
			break;
		if (!argument(k))
			return false;
		if (!axt_calc_is(c, ","))
			break;
		axt_calc_next(c);
	}
	if (c->tok.kind == AXT_CALC_END)
		axt_calc_fail(c, k->at, "the parenthesis of %s is not closed", k->name);
	else if (!axt_calc_is(c, ")"))
		axt_calc_fail(c, c->tok.s,
		    axt_calc_is(c, "@") ? "\"%s\" is no operator: dot(a, b, over=AXES) is a product"
					: "\",\" or \")\" is missing before \"%s\"",
		    axt_calc_show(c, c->tok.s, c->tok.n));
	c->parens--;
	c->whole.from = k->at;
	c->whole.to = c->tok.s + 1;
	c->whole.name = k->name;
	c->whole.call = true;
	axt_calc_next(c);
	return !c->g->err.code;
}

static bool
enough(struct axt_calc_call *k)
{
	if (k->n >= k->least)
		return true;
	axt_calc_fail(k->c, k->at, "%s takes %s%d value%s, not %d", k->name,
	    k->least < k->most ? "at least " : "", k->least, k->least == 1 ? "" : "s", k->n);
	axt_calc_about(k->c, AXT_TOO_FEW, NULL, k->name);
	if (strcmp(k->name, "where") == 0)
		axt_hint(&k->c->g->err, "where(condition, a, nan)");
	if (k->least > 1)
		axt_hint(&k->c->g->err,
		    strcmp(k->name, "clip") == 0 ? "%s(a, 0, 1)"
			: k->least > 2           ? "%s(a, b, c)"
						 : "%s(a, b)",
		    k->name);
	return false;
}

static struct axt_expr *
unknown_function(struct axt_calc *c, const char *at, const char *name)
{
	const char *near = axt_calc_near(name);
	bool tensor = false;
	char line[500];
	struct axt_expr *e = axt_calc_fail(c, at, "unknown function \"%s\"",
	    axt_calc_show(c, name, strlen(name)));

	axt_calc_about(c, AXT_NO_FUNCTION, name, NULL);
	for (const struct axt_calc_name *x = c->names; x; x = x->next)
		tensor = tensor || strcmp(x->name, name) == 0;
	if (tensor)
		axt_hint(&c->g->err,
		    "%s is a tensor: %s[AXIS=i] is a part of it, %s*(...) a product", name, name,
		    name);
	else if (strcmp(name, "arange") == 0 || strcmp(name, "range") == 0)
		axt_hint(&c->g->err,
		    "iota(AXIS=5) counts 0...4 along an axis, iota(10, 2, AXIS=5) 10, 12...18");
	else if (strcmp(name, "complex") == 0)
		axt_calc_hint_unit(c);
	else if (near && (axt_foreign_name(name, 0) || !axt_foreign_line(name, line, sizeof(line))))
		axt_hint(&c->g->err, "did you mean %s?", near); /* with other arguments, maybe */
	else if (axt_foreign_line(name, line, sizeof(line)))
		axt_hint(&c->g->err, "%s", line);
	else
		axt_hint(&c->g->err, "axt-calc -h lists them");
	return e;
}

struct axt_expr *
axt_calc_call(struct axt_calc *c, struct axt_calc_token name)
{
	struct axt_calc_call k = { .c = c, .at = name.s };

	k.name = axt_calc_copy(c, name.s, name.n);
	if (!k.name)
		return axt_node_failed(c->g);
	if (!axt_calc_operation_begin(&k))
		return c->g->err.code ? axt_node_failed(c->g) : unknown_function(c, k.at, k.name);
	if (!arguments(&k) || !enough(&k) || !axt_calc_work(c, k.at))
		return axt_node_failed(c->g);
	if ((k.of->flags & AXT_OPERATION_MEET) && axt_meet_dates(c->g, k.n, k.arg))
		return axt_calc_at(c, k.at, axt_node_failed(c->g));
	return axt_calc_named(c, k.at, axt_calc_at(c, k.at, axt_calc_operation_build(&k)));
}

const char *
axt_calc_words(struct axt_calc_call *k)
{
	struct axt_buf b = { 0 };
	const char *s;

	for (int i = 0; i < k->nwords; i++)
		axt_buf_addf(&b, "%s%s", i ? "," : "", k->word[i]);
	s = b.bad ? NULL : axt_calc_copy(k->c, b.p ? b.p : "", b.n);
	axt_buf_release(&b);
	return s;
}
