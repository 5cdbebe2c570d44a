/* kinds.c - what a $name in a pattern of rewrites.def matches. */
#include <ctype.h>
#include <strings.h>

#include "axt_cmd.h"
#include "calc/call.h"
#include "calc/respell.h"
#include "calc/rewrite.h"
#include "cf/cf.h"

static const char *
any(const struct axt_rw *w, int from, int to)
{
	return axt_rw_text(w, from, to);
}

/* Whether the token is a sign that stands between values, or a word that does. */
static bool
is_between(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return t->kind == AXT_CALC_SIGN && !t->quoted && !strchr("([{)]}-+!~|$@%'n", *t->s);
}

static const char *
value(const struct axt_rw *w, int from, int to)
{
	return is_between(w, from) || is_between(w, to - 1) || axt_rw_is(w, to - 1, "-") ||
		axt_rw_is(w, to - 1, "not") ||
		(to == from + 1 && axt_rw_is_axis(w, axt_rw_word(w, from)) &&
		    !axt_rw_known(w, from))
	    ? NULL
	    : axt_rw_text(w, from, to);
}

/* A value that is compared. */
static const char *
condition(const struct axt_rw *w, int from, int to)
{
	bool found = false;

	for (int i = from; i < to; i++)
		found = found || axt_rw_is(w, i, "<") || axt_rw_is(w, i, ">") ||
		    axt_rw_is(w, i, "<=") || axt_rw_is(w, i, ">=") || axt_rw_is(w, i, "==") ||
		    axt_rw_is(w, i, "!=") || axt_rw_is(w, i, "isnan");
	return found ? value(w, from, to) : NULL;
}

/* Arguments, or none. */
static const char *
arguments(const struct axt_rw *w, int from, int to)
{
	return axt_rw_is(w, to, ",") || axt_rw_bounds(w, to) ? axt_rw_text(w, from, to) : NULL;
}

static const char *
number(const struct axt_rw *w, int from, int to)
{
	const char *s = axt_rw_text(w, from, to);

	return axt_is_number(s) && !isalpha((unsigned char)*s) ? s : NULL;
}

static const char *
no_number(const struct axt_rw *w, int from, int to)
{
	return number(w, from, to) ? NULL : value(w, from, to);
}

/* The name of an operation, as it is called here. */
static const char *
function(const struct axt_rw *w, int from, int to)
{
	return axt_rw_is_name(w, from) && !axt_rw_known(w, from)
	    ? axt_rw_function(w, axt_rw_text(w, from, to))
	    : NULL;
}

static const char *
function_of_one(const struct axt_rw *w, int from, int to)
{
	const char *s = function(w, from, to);
	struct axt_calc_fn fn;

	return s && axt_calc_find(w->c->g->m, s, &fn) && fn.min == 1 ? s : NULL;
}

static int
reduction_named(const char *name)
{
	for (int k = 0; k < AXT_NREDS; k++)
		if (!strcmp(axt_reds[k].name, name))
			return k;
	return -1;
}

static const char *
reduction(const struct axt_rw *w, int from, int to)
{
	const char *s = function(w, from, to);

	return s && reduction_named(s) >= 0 ? s : NULL;
}

static const char *
axis(const struct axt_rw *w, int from, int to)
{
	const char *s = axt_rw_word(w, from);
	bool word = axt_rw_is_name(w, from) || axt_rw_at(w, from)->quoted;

	(void)to;
	return word && axt_rw_is_axis(w, s) ? s : NULL;
}

static const char *
axis_without_times(const struct axt_rw *w, int from, int to)
{
	const char *s = axis(w, from, to), *time = axt_rw_usual(w, "time");

	return s && time && strcmp(s, time) == 0 ? NULL : s;
}

static const char *
operand(const struct axt_rw *w, int from, int to)
{
	return axt_rw_known(w, from) ? axt_rw_text(w, from, to) : NULL;
}

static const char *
unknown(const struct axt_rw *w, int from, int to)
{
	return axt_rw_is_name(w, from) && !axt_rw_known(w, from) ? axt_rw_text(w, from, to) : NULL;
}

static const char *
word(const struct axt_rw *w, int from, int to)
{
	(void)to;
	return axt_rw_is_name(w, from) || axt_rw_at(w, from)->quoted ? axt_rw_word(w, from) : NULL;
}

static const char *
quoted(const struct axt_rw *w, int from, int to)
{
	(void)to;
	return axt_rw_at(w, from)->quoted ? axt_rw_word(w, from) : NULL;
}

/* A dataset that an operand is, by its name or its path, in quotes or not. */
static const char *
dataset(const struct axt_rw *w, int from, int to)
{
	const char *s = word(w, from, to), *path = s ? axt_rw_path(w, s) : NULL;

	for (const struct axt_calc_name *x = s && !path ? w->c->names : NULL; x && !path;
	     x = x->next)
		path = strcmp(x->name, s) == 0 ? x->name : NULL;
	return path;
}

static const char *
field(const struct axt_rw *w, int from, int to)
{
	const char *s = word(w, from, to);

	return s && axt_cffield_named(s) >= 0 ? s : NULL;
}

/* "time.month", in quotes: a field of dates. */
static const char *
dates(const struct axt_rw *w, int from, int to)
{
	const char *s = quoted(w, from, to), *dot = s ? strchr(s, '.') : NULL;

	return dot && axt_cffield_named(dot + 1) >= 0 ? s : NULL;
}

static const char *
dtype(const struct axt_rw *w, int from, int to)
{
	return axt_respell_dtype(w->c->g, axt_rw_text(w, from, to));
}

static const char *
unit(const struct axt_rw *w, int from, int to)
{
	const char *s = unknown(w, from, to);
	struct axt_units_way way;
	const char *absent;
	enum axt_units_fit fit = s ? axt_units_way(s, "1", &way, &absent) : AXT_UNITS_FROM_UNKNOWN;

	return fit == AXT_UNITS_FIT || fit == AXT_UNITS_APART ? s : NULL;
}

static const struct axt_rw_kind kinds[] = {
	{ "a b", AXT_RW_OPERAND, any },
	{ "A B C", AXT_RW_VALUE, value },
	{ "other", AXT_RW_VALUE, no_number },
	{ "cond", AXT_RW_VALUE, condition },
	{ "rest more", AXT_RW_ARGS, arguments },
	{ "text", AXT_RW_ANY, any },
	{ "n m", AXT_RW_ANY, number },
	{ "f", AXT_RW_ONE, function },
	{ "h", AXT_RW_ONE, function_of_one },
	{ "r", AXT_RW_ONE, reduction },
	{ "x y", AXT_RW_ONE, axis },
	{ "z", AXT_RW_ONE, axis_without_times },
	{ "v", AXT_RW_ONE, operand },
	{ "u", AXT_RW_ONE, unknown },
	{ "w", AXT_RW_ONE, word },
	{ "q", AXT_RW_ONE, quoted },
	{ "d", AXT_RW_ONE, dataset },
	{ "field", AXT_RW_ONE, field },
	{ "dates", AXT_RW_ONE, dates },
	{ "dtype", AXT_RW_VALUE, dtype },
	{ "unit", AXT_RW_ONE, unit },
};

const struct axt_rw_kind *
axt_rw_kind(const char *name, size_t n)
{
	for (int i = 0; i < ARRAY_LEN(kinds); i++)
		if (axt_word_index(kinds[i].names, name, n) >= 0)
			return &kinds[i];
	return NULL;
}

const char *
axt_rw_listed(const struct axt_rw *w, int i, const char *words, bool pairs)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	if (t->kind != AXT_CALC_NAME || axt_rw_known(w, i) || axt_rw_is_axis(w, axt_rw_word(w, i)))
		return NULL;
	for (size_t n; *words; words += n + strspn(words + n, " ")) {
		const char *ours;

		n = strcspn(words, " ");
		ours = words + n + strspn(words + n, " ");
		if (n == t->n && strncasecmp(words, t->s, n) == 0)
			return pairs ? axt_strndup(w->c->g->m, ours, strcspn(ours, " "))
				     : axt_rw_word(w, i);
		n = pairs ? (size_t)(ours - words) + strcspn(ours, " ") : n;
	}
	return NULL;
}
