/* call.c - reads the arguments of a call; the row of the function says which it takes. */
#include <math.h>
#include <stddef.h>

#include "axt_cmd.h"
#include "calc/call.h"
#include "groups/groups.h"

enum key_type { AXES, WORD, VALUE, NUMBER, INTEGER, WHOLE, YES_NO, NO_YES, CHOICE, DTYPE };

#define KEY(field) offsetof(struct axt_calc_opts, field)
static const struct key {
	const char *name;
	enum key_type type;
	size_t to;
	const char *choices; /* words in the order of their numbers, which begin at 0 */
} keys[] = {
	{ "over", AXES, KEY(over), NULL },
	{ "to", AXES, KEY(to), NULL },
	{ "keep", AXES, KEY(keep), NULL },
	{ "range", AXES, KEY(range), NULL },
	{ "pack", WORD, KEY(pack), NULL },
	{ "along", AXES, KEY(along), NULL },
	{ "row", AXES, KEY(row), NULL },
	{ "col", AXES, KEY(col), NULL },
	{ "weights", VALUE, KEY(weights), NULL },
	{ "by", VALUE, KEY(by), NULL },
	{ "labels", AXES, KEY(labels), NULL },
	{ "dropothers", YES_NO, KEY(dropothers), NULL },
	{ "every", WORD, KEY(every), NULL },
	{ "value", VALUE, KEY(value), NULL },
	{ "ddof", NUMBER, KEY(ddof), NULL },
	{ "q", NUMBER, KEY(q), NULL },
	{ "seed", WHOLE, KEY(seed), NULL },
	{ "skip_nan", YES_NO, KEY(skipnan), NULL },
	{ "keep_nan", NO_YES, KEY(skipnan), NULL },
	{ "skipnan", YES_NO, KEY(skipnan), NULL },
	{ "bins", AXES, KEY(bins), NULL },
	{ "limit", WHOLE, KEY(limit), NULL },
	{ "max_gap", WHOLE, KEY(max_gap), NULL },
	{ "method", CHOICE, KEY(method), "linear nearest" },
	{ "nearest", YES_NO, KEY(nearest), NULL },
	{ "reverse", YES_NO, KEY(reverse), NULL },
	{ "density", YES_NO, KEY(density), NULL },
	{ "mode", WORD, KEY(mode), NULL },
	{ "rcond", NUMBER, KEY(rcond), NULL },
	{ "power", INTEGER, KEY(power), NULL },
	{ "ord", CHOICE, KEY(ord), "fro nuc 2 -2 1 inf" },
	{ "overflow", CHOICE, KEY(overflow), "error saturate wrap" },
	{ "dtype", DTYPE, KEY(dtype), NULL },
	{ "accumulate", DTYPE, KEY(accumulate), "tf32" },
};

int
axt_calc_word_index(const char *words, const char *w, size_t n)
{
	for (int i = 0; *words; i++) {
		size_t len = strcspn(words, " ");

		if (len == n && strncmp(words, w, n) == 0)
			return i;
		words += len + (words[len] == ' ');
	}
	return -1;
}

static const struct key *
find_key(const struct axt_calc_call *k, const char *w, size_t n)
{
	for (int i = 0; !k->of && i < ARRAY_LEN(keys); i++)
		if (strlen(keys[i].name) == n && strncmp(keys[i].name, w, n) == 0 &&
		    axt_calc_word_index(k->fn->keys, w, n) >= 0)
			return &keys[i];
	return NULL;
}

static bool
unknown_key(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	const char *names[ARRAY_LEN(keys)], *near, *here = NULL, *ours,
						   *word = axt_calc_show(c, c->tok.s, c->tok.n);
	bool elsewhere = false; /* another function takes it, so that it is no foreign word */
	int n = 0;

	for (int i = 0; i < ARRAY_LEN(keys); i++)
		elsewhere = elsewhere || strcmp(keys[i].name, word) == 0;
	for (const char *s = k->fn->keys; *s && n < ARRAY_LEN(names); s += strspn(s, " ")) {
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
	if (here)
		axt_hint(&c->g->err, "%s takes these: %s; %s is called %s", k->name, k->fn->keys,
		    word, here);
	else if (near)
		axt_hint(&c->g->err, "did you mean %s=?", near);
	else if (n)
		axt_hint(&c->g->err, "%s takes these: %s", k->name, k->fn->keys);
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
	axt_hint(&c->g->err,
	    near ? "did you mean %s?"
		 : "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 "
		   "bf16 f32 f64 c64 c128",
	    near ? near : "");
	return false;
}

/* Converts the word for a key to the type of the key, and stores it. */
static bool
convert(struct axt_calc_call *k, const struct key *key, const char *at, const char *w)
{
	struct axt_calc *c = k->c;
	void *to = (char *)&k->o + key->to;
	const char *want = key->type == CHOICE ? key->choices : "true false", *one_of = "";
	int i;

	switch (key->type) {
	case AXES:
	case WORD: *(const char **)to = w; return true;
	case NUMBER:
		if (axt_parse_ratio(w, to))
			return true;
		want = "a number";
		break;
	case INTEGER:
		if (axt_parse_int(w, -AXT_MAX_RANK, AXT_MAX_RANK, to))
			return true;
		want = "a whole number from -32 to 32";
		break;
	case WHOLE:
		if (axt_parse_int(w, 0, INT64_MAX, to))
			return true;
		want = "a whole number";
		break;
	case DTYPE: /* the choices of a dtype's key follow the dtypes: AXT_NDTYPES and up */
		if (key->choices && (i = axt_calc_word_index(key->choices, w, strlen(w))) >= 0) {
			*(int *)to = AXT_NDTYPES + i;
			return true;
		}
		return axt_calc_dtype(c, at, w, to);
	default:
		i = axt_calc_word_index(want, w, strlen(w));
		*(int *)to = key->type == YES_NO ? (i ? -1 : 1)
		    : key->type == NO_YES        ? (i ? 1 : -1)
						 : i;
		if (i >= 0)
			return true;
		one_of = "one of: ";
	}
	axt_calc_fail(c, at, "%s= takes %s%s, not \"%s\"", key->name, one_of, want,
	    axt_calc_show(c, w, strlen(w)));
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

/* Whether s begins with a name, and not with a number, a list in parentheses or a quoted word. */
static bool
is_name(const char *s)
{
	s += strspn(s, " \t\r\n");
	return *s && !strchr("0123456789+-(\"'", *s);
}

/*
 * Labels that are all of the text from s up to here. If they are a local name of something
 * computed, the axis of the groups is called by it, and not by an operand's name. Each name is
 * given once, since reductions of the same node share its groups.
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

static bool
key_value(struct axt_calc_call *k, const struct key *key, const char *value)
{
	struct axt_calc *c = k->c;
	const char *at, *w;
	struct axt_expr *v;

	if (key->to == KEY(by) && axt_calc_is_field(value))
		return (k->o.field = axt_calc_word(c, value, ",)", true)) != NULL;
	if (key->type == VALUE || (key->to == KEY(labels) && is_name(value))) {
		axt_calc_next(c); /* skip the "=" */
		axt_calc_next(c);
		if (key->to == KEY(by))
			v = is_list(value) ? labels_list(c) : labels_one(c);
		else
			v = axt_calc_value(c);
		*(struct axt_expr **)((char *)&k->o +
		    (key->type == VALUE ? key->to : KEY(among))) = v;
		return !axt_bad(v);
	}
	k->list = key->type == AXES ? key->name : NULL;
	w = axt_calc_word(c, value, ",)", key->type == AXES);
	at = value + strspn(value, " \t\r\n");
	return w && convert(k, key, at, w);
}

/* Reads the value after AXIS= or AXIS@. */
static bool
index_value(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;

	k->labels = axt_calc_is(c, "@");
	if (!k->labels && !axt_calc_is(c, "=")) {
		axt_calc_fail(c, c->tok.s, "%s takes %s", k->name, k->fn->words);
		return false;
	}
	axt_calc_next(c);
	k->index = axt_calc_value(c);
	return !axt_bad(k->index);
}

/* Whether an expression may stand behind AXIS= in its words. */
static bool
takes_targets(const struct axt_calc_call *k)
{
	int i = k->of ? axt_param_named(k->of, "specs", 5) : -1;

	return i >= 0 && (k->of->params[i].flags & AXT_PARAM_OPERANDS);
}

static bool
word(struct axt_calc_call *k)
{
	/* take(a, AXIS=INDEX) has an expression as index; in other functions it is a word */
	bool take = k->fn->build == axt_calc_take;
	const char *w;

	if (k->nwords == AXT_CALC_ARGS) {
		axt_calc_fail(k->c, k->c->tok.s, "more than %d words", AXT_CALC_ARGS);
		return false;
	}
	if (k->nwords == 0)
		k->word_at = k->c->tok.s;
	if (!takes_targets(k) || !axt_calc_computed_target(k, &w))
		w = axt_calc_word(k->c, k->c->tok.s, take ? "=@,)" : ",)", true);
	k->word[k->nwords++] = w;
	return w && (!take || index_value(k));
}

struct axt_expr *
axt_calc_no_axis(struct axt_calc_call *k)
{
	struct axt_expr *e = axt_calc_fail(k->c, k->at, "%s needs along=AXIS", k->name);

	axt_hint(&k->c->g->err, "%s(%s, along=time)", k->name, k->fn->max > 1 ? "a, b" : "a");
	return e;
}

/* The key of the function that takes axes: over or along; NULL: it has none. */
static const char *
axes_key(const struct axt_calc_call *k)
{
	return axt_calc_word_index(k->fn->keys, "over", 4) >= 0 ? "over"
	    : axt_calc_word_index(k->fn->keys, "along", 5) >= 0 ? "along"
								: NULL;
}

static bool
value(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	const char *at = c->tok.s, *axes;

	if (k->n == k->fn->max) {
		if (k->fn->max == 1)
			axt_calc_fail(c, at, "%s takes one argument", k->name);
		else
			axt_calc_fail(c, at, "%s takes %d arguments", k->name, k->fn->max);
		if (k->list)
			axt_hint(&c->g->err, "a list stands in parentheses: %s=(x, y)", k->list);
		else if (strcmp(k->name, "min") == 0 || strcmp(k->name, "max") == 0)
			axt_hint(&c->g->err, "%simum(a, b) takes two", k->name);
		else if (strcmp(k->name, "log") == 0)
			axt_hint(&c->g->err, "log10(a), log2(a) or log(a)/log(b)");
		else if ((*at == '"' || *at == '\'') && (axes = axes_key(k)))
			axt_hint(&c->g->err, "axes have a name before them: %s(a, %s=%s)", k->name,
			    axes, axt_calc_show(c, at + 1, strcspn(at + 1, "\"'),")));
		else if (c->tok.kind == AXT_CALC_NAME && (axes = axes_key(k)))
			axt_hint(&c->g->err, "axes have a name before them: %s(a, %s=%s)", k->name,
			    axes, axt_calc_show(c, at, c->tok.n));
		else if (axt_calc_word_index(k->fn->keys, "q", 1) >= 0 &&
		    strcmp(k->name, "quantile") == 0)
			axt_hint(&c->g->err, "q is from 0 to 1, and has its name: %s(a, q=0.9)",
			    k->name);
		else if (k->fn->keys[0])
			axt_hint(&c->g->err, "%s takes these by name: %s", k->name, k->fn->keys);
		return false;
	}
	k->arg[k->n] = axt_calc_value(c);
	return !axt_bad(k->arg[k->n++]);
}

static bool
argument(struct axt_calc_call *k)
{
	const char *behind;
	bool assigns = axt_calc_assigns(k->c, &behind);
	const struct key *key = assigns ? find_key(k, k->c->tok.s, k->c->tok.n) : NULL;
	int param = assigns && k->of ? axt_param_named(k->of, k->c->tok.s, k->c->tok.n) : -1;

	if (param >= 0 && (k->of->params[param].flags & AXT_PARAM_PLAIN) != AXT_PARAM_PLAIN &&
	    !(k->of->params[param].flags & AXT_PARAM_RESULT))
		return axt_calc_operation_value(k, param, behind);
	if (key)
		return key_value(k, key, behind);
	if (k->fn->words &&
	    (assigns || k->n == k->fn->max || axt_calc_is(k->c, "\"") || axt_calc_is(k->c, "'")))
		return word(k);
	return assigns ? unknown_key(k) : value(k);
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
		axt_calc_fail(c, c->tok.s, "\",\" or \")\" is missing before \"%s\"",
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
	const struct axt_calc_fn *f = k->fn;

	if (k->n < f->min)
		axt_calc_fail(k->c, k->at, "%s takes %s%d value%s, not %d", k->name,
		    f->min < f->max ? "at least " : "", f->min, f->min == 1 ? "" : "s", k->n);
	if (k->n < f->min && strcmp(k->name, "where") == 0)
		axt_hint(&k->c->g->err, "where(condition, a, nan)");
	if (k->n < f->min && f->min > 1)
		axt_hint(&k->c->g->err,
		    strcmp(k->name, "clip") == 0 ? "%s(a, 0, 1)"
			: f->min > 2             ? "%s(a, b, c)"
						 : "%s(a, b)",
		    k->name);
	return k->n >= f->min;
}

static struct axt_expr *
unknown_function(struct axt_calc *c, const char *at, const char *name)
{
	const char *near = axt_calc_near(name);
	bool tensor = false;
	char line[500];
	struct axt_expr *e = axt_calc_fail(c, at, "unknown function \"%s\"",
	    axt_calc_show(c, name, strlen(name)));

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
		axt_hint(&c->g->err, "did you mean %s?", near);
	else if (axt_foreign_line(name, line, sizeof(line)))
		axt_hint(&c->g->err, "%s", line);
	else
		axt_hint(&c->g->err, "axt-calc -h lists them");
	return e;
}

struct axt_expr *
axt_calc_call(struct axt_calc *c, struct axt_calc_token name)
{
	struct axt_calc_fn fn;
	struct axt_calc_call k = { .c = c,
		.fn = &fn,
		.at = name.s,
		.o = { .seed = -1, .q = -1, .method = -1, .ddof = NAN } };

	k.name = axt_calc_copy(c, name.s, name.n);
	if (!k.name)
		return axt_node_failed(c->g);
	if (!axt_calc_find(c->g->m, k.name, &fn, &k.op))
		return unknown_function(c, k.at, k.name);
	if (!axt_calc_operation_begin(&k))
		return axt_node_failed(c->g);
	if (!arguments(&k) || !enough(&k) || !axt_calc_work(c, k.at))
		return axt_node_failed(c->g);
	if (!axt_calc_meet(&k))
		return axt_calc_at(c, k.at, axt_node_failed(c->g));
	return axt_calc_named(c, k.at, axt_calc_at(c, k.at, fn.build(&k)));
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
