/*
 * names.c - names as values: operands, local names, constants, paths of datasets such as
 * /model1/tas, fields of dates such as time.month, and coordinates of results such as y.time.
 */
#include <stdio.h>

#include "axt_builds.h"
#include "base/quote.h"
#include "axt_cmd.h"
#include "calc/calc.h"
#include "cf/cf.h"
#include "graph/graph.h"
#include "inputs/inputs.h"

static const char *const constants[][2] = {
	{ "pi", "3.141592653589793" },
	{ "inf", "inf" },
	{ "nan", "nan" },
	{ "true", NULL },
	{ "false", NULL },
};

static struct axt_expr *
constant(struct axt_graph *g, int i)
{
	return constants[i][1] ? axt_number(g, constants[i][1])
			       : axt_const(g, AXT_BOOL, constants[i][0][0] == 't');
}

static bool
is_constant(const char *s)
{
	for (int i = 0; i < ARRAY_LEN(constants); i++)
		if (strcmp(s, constants[i][0]) == 0)
			return true;
	return false;
}

bool
axt_calc_is_name(const char *s)
{
	struct axt_calc c = { .p = s };

	axt_calc_next(&c);
	return c.tok.kind == AXT_CALC_NAME && c.tok.s == s && !*c.p && !is_constant(s);
}

/* Whether what follows a name makes it the name of a file: ".nc", and no call of a function. */
static bool
is_file(const char *s)
{
	size_t n = *s == '.' ? strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;

	return n > 0 && s[n + 1] != '(' && s[n + 1] != '_' && s[n + 1] != '.';
}

/* What is said of the word at s, which stands behind a module's name: np.unique. */
static bool
foreign_word(const char *s, char line[500])
{
	char word[64];

	snprintf(word, sizeof(word), "%.*s",
	    (int)strspn(s, "abcdefghijklmnopqrstuvwxyz_0123456789"), s);
	return axt_foreign_line(word, line, 500);
}

/* The attribute of that name of an operand or its file; *of: of which of them. NULL: none. */
static const struct axt_attr *
attribute(struct axt_calc *c, const char *name, const char **of)
{
	for (const struct axt_calc_name *x = c->names; x; x = x->next) {
		const struct axt_attr *own = axt_attr_find(x->e->meta->attrs, name),
				      *whole = axt_attr_find(x->e->meta->file_attrs, name);
		const char *colon = strrchr(x->e->from, ':');

		if (!x->operand || (!own && !whole))
			continue;
		*of = own || !colon
		    ? x->e->from
		    : axt_strndup(c->g->m, x->e->from, (size_t)(colon - x->e->from));
		return own ? own : whole;
	}
	return NULL;
}

/* Hints that the name at `at` is that of an attribute, whose number can be typed instead. */
static bool
hint_attribute(struct axt_calc *c, const char *at, const char *name)
{
	const char *of, *typed;
	const struct axt_attr *a = attribute(c, name, &of);
	char value[128];

	if (!a || !of)
		return false;
	if (a->kind != AXT_ATTR_NUM || a->n != 1 || axt_dtypes[a->dtype].cls > AXT_CLASS_FLOAT) {
		axt_hint(&c->g->err,
		    "%s is an attribute of %s, and not one number: axt-attr %s %s shows it", name,
		    axt_escape(c->g->m, of),
		    axt_typed(c->g->m, "%s%s", strchr(of, ':') ? "" : ":", name),
		    axt_quoted(c->g->m, of));
		return true;
	}
	value[axt_value_text(value, a->dtype, a->data)] = '\0';
	typed = axt_sprintf(c->g->m, "%.*s%s%s", (int)(at - c->text), c->text, value,
	    at + strlen(name));
	axt_hint(&c->g->err, "%s is an attribute of %s; its value can be typed: %s", name,
	    axt_escape(c->g->m, of), typed && strlen(typed) < 200 ? typed : value);
	return true;
}

/* Hints at the names that there are: words[n], of which the last is that of the first operand. */
static void
hint_names(struct axt_calc *c, const char *name, const char *const words[], int n)
{
	const char *near = axt_nearest(name, words, n), *all = "";

	for (int i = n - 1; i >= 0; i--) {
		axt_about_among(&c->g->err, words[i]);
		all = axt_sprintf(c->g->m, "%s%s%s", all, *all ? ", " : "",
		    axt_escape(c->g->m, words[i]));
	}
	if (near)
		axt_hint(&c->g->err, "did you mean %s? the names are: %s",
		    axt_escape(c->g->m, near), all);
	else if (n)
		axt_hint(&c->g->err, "the names are: %s", all);
	else
		axt_hint(&c->g->err, "no operand has a name: give %s=OPERAND",
		    axt_escape(c->g->m, name));
}

static struct axt_expr *
unknown_name(struct axt_calc *c, const char *at, const char *name)
{
	const char *words[64] = { NULL };
	const struct axt_calc_name *has = NULL;
	struct axt_expr *e;
	char line[500];
	int n = 0, i;

	for (struct axt_calc_name *x = c->names; x && n < ARRAY_LEN(words); x = x->next) {
		i = axt_axes_spelled(&x->e->axes, name);
		if (i >= 0 && x->e->axes.a[i].coord && x->e->axes.a[i].coord->data)
			has = x;
		words[n++] = x->name;
	}
	e = axt_calc_fail(c, at, "unknown name \"%s\"", axt_calc_show(c, name, strlen(name)));
	axt_calc_about(c, AXT_NO_NAME, name, NULL);
	if (is_file(at + strlen(name)))
		axt_hint(&c->g->err, "a file stands behind the expression: axt-calc 'tas*2' a.nc");
	else if (has)
		axt_hint(&c->g->err, "the coordinates of that axis are %s.%s", has->name, name);
	else if (axt_cffield_named(name) >= 0)
		axt_hint(&c->g->err, "a field of dates has its axis before it: time.%s", name);
	else if (at[strlen(name)] == '.' && foreign_word(at + strlen(name) + 1, line))
		axt_hint(&c->g->err, "%s", line);
	else if (at[strlen(name)] == '.')
		axt_hint(&c->g->err, "functions have no module before them: sqrt(a)");
	else if (hint_attribute(c, at, name))
		;
	else if (axt_calc_is_function(name))
		axt_hint(&c->g->err, "%s is a function: %s(...)", name, name);
	else if (axt_foreign_line(name, line, sizeof(line)) && strstr(line, "axt-calc"))
		axt_hint(&c->g->err, "%s", line);
	else
		hint_names(c, name, words, n);
	return e;
}

static struct axt_expr *
value_of(struct axt_calc *c, const char *at, const char *name)
{
	for (struct axt_calc_name *x = c->names; x; x = x->next)
		if (strcmp(x->name, name) == 0) {
			x->used = true;
			return x->e;
		}
	for (int i = 0; i < ARRAY_LEN(constants); i++)
		if (strcmp(name, constants[i][0]) == 0)
			return constant(c->g, i);
	return unknown_name(c, at, name);
}

/* Keeps that a result that is all of the text from `from` up to c->p is called by the name. */
static void
read_name(struct axt_calc *c, const char *from, const char *name)
{
	c->whole.from = from;
	c->whole.to = c->p;
	c->whole.name = name;
	c->whole.call = false;
	axt_calc_next(c);
}

/* ---- fields of dates ---- */

/*
 * The operand whose axis called `axis` has the dates of AXIS.FIELD; a computed value has them only
 * if no operand does. All operands with such an axis must have the same dates. NULL: none has the
 * axis, or an error.
 */
static struct axt_expr *
dated(struct axt_calc *c, const char *at, const char *axis, const char *field)
{
	struct axt_calc_name *found = NULL;
	const struct axt_axis *first = NULL;
	struct axt_axis met;

	for (struct axt_calc_name *x = c->names; x; x = x->next) {
		int i = axt_axes_spelled(&x->e->axes, axis);

		if (i < 0 || (!x->operand && found))
			continue;
		if (first && found->operand &&
		    axt_axis_meet(c->g->m, first, &x->e->axes.a[i], NULL, &met, &c->g->err)) {
			c->g->err.hint[0] = '\0';
			axt_hint(&c->g->err, "%s.%s.%s has those of %s", x->name, axis, field,
			    x->name);
			axt_calc_at(c, at, axt_node_failed(c->g));
			return NULL;
		}
		if (!found || strcmp(x->name, axis) == 0 || (x->operand && !found->operand)) {
			found = x;
			first = &x->e->axes.a[i];
		}
	}
	if (found && !found->operand)
		found->used = true;
	return found ? found->e : NULL;
}

/* The name that follows "." at the token, without blanks; n: its length. NULL: there is none. */
static const char *
after_dot(const struct axt_calc *c, const char *dot, size_t *n)
{
	struct axt_calc next = { .g = c->g, .text = c->text, .p = dot + 1 };

	if (*dot != '.')
		return NULL;
	axt_calc_next(&next);
	*n = next.tok.n;
	return next.tok.kind == AXT_CALC_NAME && next.tok.s == dot + 1 && *next.p != '('
	    ? next.tok.s
	    : NULL;
}

bool
axt_calc_field_of(const struct axt_calc *c, const struct axt_expr *e, int *k)
{
	const struct axt_calc_dates *d = c->dates;

	while (d && d->e != e)
		d = d->next;
	if (d)
		*k = d->k;
	return d != NULL;
}

/* Keeps that the values of e are those of a field of dates. */
static struct axt_expr *
keep_field(struct axt_calc *c, struct axt_expr *e, int k)
{
	struct axt_calc_dates *d = axt_alloc(c->g->m, sizeof(*d));

	if (!d)
		return axt_node_failed(c->g);
	*d = (struct axt_calc_dates){ e, k, c->dates };
	c->dates = d;
	return e;
}

/*
 * Reads AXIS.FIELD, or NAME.AXIS.FIELD, the field of one operand's dates; `first` is the token of
 * the first word, and the "." follows it. NULL: this is neither, and nothing has been read.
 */
static struct axt_expr *
field(struct axt_calc *c, struct axt_calc_token first)
{
	const char *w = axt_calc_copy(c, first.s, first.n), *second, *third, *axis = w, *name;
	struct axt_expr *of = NULL, *e;
	size_t n = 0, more = 0;
	int k;

	second = w ? after_dot(c, first.s + first.n, &n) : NULL;
	if (!second)
		return NULL;
	third = after_dot(c, second + n, &more);
	name = axt_calc_copy(c, third ? third : second, third ? more : n);
	k = name ? axt_cffield_named(name) : -1;
	if (k < 0)
		return NULL;
	if (third) {
		axis = axt_calc_copy(c, second, n);
		for (struct axt_calc_name *x = c->names; x && !of; x = x->next)
			if (strcmp(x->name, w) == 0) {
				x->used = true;
				of = x->e;
			}
	} else {
		of = dated(c, first.s, w, name);
	}
	if (!of || !axis)
		return c->g->err.code ? axt_node_failed(c->g) : NULL;
	c->p = third ? third + more : second + n;
	read_name(c, first.s, name);
	e = axt_field(c->g, of, axt_sprintf(c->g->m, "%s.%s", axis, name));
	e = axt_calc_at(c, first.s, e);
	return axt_bad(e) ? e : keep_field(c, e, k);
}

/* ---- coordinates of values that were computed ---- */

/*
 * Reads NAME.AXIS, the coordinates of an axis of a local name; `first` is the token of the name,
 * and the "." follows it. NULL: this is something else, and nothing has been read.
 */
static struct axt_expr *
coordinates(struct axt_calc *c, struct axt_calc_token first)
{
	const char *w = axt_calc_copy(c, first.s, first.n), *second, *axis;
	struct axt_calc_name *x = c->names;
	struct axt_expr *e;
	size_t n = 0;

	second = w ? after_dot(c, first.s + first.n, &n) : NULL;
	axis = second ? axt_calc_copy(c, second, n) : NULL;
	while (axis && x && strcmp(x->name, w) != 0)
		x = x->next;
	if (!axis || !x)
		return NULL;
	e = axt_coord_values(c->g, x->e, axis);
	if (!e)
		return NULL;
	x->used = true;
	c->p = second + n;
	read_name(c, first.s, axis);
	return axt_calc_at(c, first.s, e);
}

/* ---- reading ---- */

static struct axt_expr *
name(struct axt_calc *c)
{
	struct axt_calc_token t = c->tok;
	const char *s = axt_calc_copy(c, t.s, t.n);
	struct axt_expr *e;

	if (!s)
		return axt_node_failed(c->g);
	axt_calc_next(c);
	if (axt_calc_is(c, "("))
		return axt_calc_call(c, t);
	e = axt_calc_is(c, ".") ? field(c, t) : NULL;
	if (!e && axt_calc_is(c, "."))
		e = coordinates(c, t);
	if (e)
		return e;
	e = value_of(c, t.s, s);
	c->whole.from = t.s;
	c->whole.to = t.s + t.n;
	c->whole.name = s;
	c->whole.call = false;
	return e;
}

struct axt_calc_name *
axt_calc_computed(const struct axt_calc *c, const char *s)
{
	const struct axt_expr *e;

	for (struct axt_calc_name *x = c->names; x && c->whole.from == s && !c->whole.call;
	     x = x->next) {
		if (strcmp(x->name, c->whole.name) != 0)
			continue;
		for (e = x->e; e->kind == AXT_NODE_VIEW; e = e->arg[0])
			;
		return x->operand || e->kind == AXT_NODE_LEAF ? NULL : x;
	}
	return NULL;
}

/* The n-th operand, from 0, that is in a group and has that name there; NULL: it is not there. */
static struct axt_calc_name *
in_group(const struct axt_calc *c, const char *name, int n)
{
	for (struct axt_calc_name *x = c->names; x; x = x->next) {
		const char *slash = x->operand ? strrchr(x->name, '/') : NULL;

		if (slash && strcmp(slash + 1, name) == 0 && n-- == 0)
			return x;
	}
	return NULL;
}

/*
 * The operand at that path, with or without its first slash, or, if only one operand of that name
 * is in a group, this one. NULL: there is none.
 */
static struct axt_expr *
at_path(struct axt_calc *c, const char *path)
{
	struct axt_calc_name *only = in_group(c, path, 0);

	for (struct axt_calc_name *x = c->names; x; x = x->next)
		if (strcmp(x->name, path) == 0 ||
		    (x->name[0] == '/' && path[0] != '/' && strcmp(x->name + 1, path) == 0) ||
		    (path[0] == '/' && x->operand && strcmp(x->name, path + 1) == 0)) {
			x->used = true;
			return x->e;
		}
	if (!only || in_group(c, path, 1))
		return NULL;
	only->used = true;
	return only->e;
}

static struct axt_expr *
path(struct axt_calc *c)
{
	const char *at = c->tok.s, *s = axt_calc_copy(c, at, axt_calc_path(at));
	struct axt_expr *e = s ? at_path(c, s) : axt_node_failed(c->g);

	if (!e) {
		e = axt_calc_fail(c, at, "no operand has a dataset \"%s\"",
		    axt_calc_show(c, s, strlen(s)));
		axt_calc_about(c, AXT_NO_NAME, s, NULL);
		axt_hint(&c->g->err, "a file stands behind the expression: axt-calc %s a.nc",
		    axt_quoted(c->g->m, s));
	}
	c->p = at + strlen(s ? s : "");
	read_name(c, at, s ? strrchr(s, '/') + 1 : "");
	return e;
}

/* Fails since s, which is quoted at `at` and ends at `end`, is no dataset of an operand. */
static struct axt_expr *
unknown_quoted(struct axt_calc *c, const char *at, const char *end, const char *s)
{
	struct axt_calc behind = { .g = c->g, .text = c->text, .p = end + 1 };
	const char *words[64] = { NULL }, *near;
	struct axt_expr *e;
	int n = 0;

	for (struct axt_calc_name *x = c->names; x && n < ARRAY_LEN(words); x = x->next)
		words[n++] = x->name;
	near = axt_nearest(s, words, n);
	e = axt_calc_fail(c, at, "no operand has a dataset \"%s\"", axt_calc_show(c, s, strlen(s)));
	axt_calc_about(c, AXT_NO_NAME, s, NULL);
	for (int i = n - 1; i >= 0; i--)
		axt_about_among(&c->g->err, words[i]);
	axt_calc_next(&behind);
	if (axt_calc_is(&behind, "==") || axt_calc_is(&behind, "!="))
		axt_hint(&c->g->err, "a text stands behind the name: NAME %.2s \"%s\"",
		    behind.tok.s, s);
	else if (in_group(c, s, 1))
		axt_hint(&c->g->err, "several groups have it: \"%s\", \"%s\"",
		    axt_escape(c->g->m, in_group(c, s, 1)->name),
		    axt_escape(c->g->m, in_group(c, s, 0)->name));
	else if (near)
		axt_hint_meant(&c->g->err, near, "did you mean \"%s\"?", axt_escape(c->g->m, near));
	else
		axt_hint(&c->g->err,
		    "in quotes stands the path of a dataset, \"/group/tas\", or its name, where no other "
		    "has it");
	return e;
}

/* A name in quotes, which may be that of any dataset. NULL: the quote has no end. */
static struct axt_expr *
in_quotes(struct axt_calc *c)
{
	const char *at = c->tok.s, *end = strchr(at + 1, *at), *s;
	struct axt_expr *e;

	s = end ? axt_calc_copy(c, at + 1, (size_t)(end - at) - 1) : NULL;
	e = s ? at_path(c, s) : NULL;
	if (!e)
		return s ? unknown_quoted(c, at, end, s) : NULL;
	c->p = end + 1;
	read_name(c, at, strrchr(s, '/') ? strrchr(s, '/') + 1 : s);
	return e;
}

struct axt_expr *
axt_calc_name(struct axt_calc *c)
{
	if (c->tok.kind == AXT_CALC_NAME)
		return name(c);
	if (axt_calc_is(c, "/") && axt_calc_path(c->tok.s) > 0)
		return path(c);
	return axt_calc_is(c, "\"") || axt_calc_is(c, "'") ? in_quotes(c) : NULL;
}
