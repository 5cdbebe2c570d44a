/* calc.c - statements: local names, and the values of the last statement, which are the results. */
#include "axt_cmd.h"
#include "calc/rewrite.h"
#include "graph/graph.h"

static bool
add_name(struct axt_calc *c, const char *name, struct axt_expr *e, bool operand)
{
	struct axt_calc_name *x = axt_alloc(c->g->m, sizeof(*x));

	if (!x) {
		axt_node_failed(c->g);
		return false;
	}
	*x = (struct axt_calc_name){ name, e, NULL, operand, false, c->names };
	c->names = x;
	return true;
}

/* Keeps what the operand that was added last is called in the text, for hints. */
static bool
call_it(struct axt_calc *c)
{
	struct axt_called *x = axt_alloc(c->g->m, sizeof(*x));

	if (!x) {
		axt_node_failed(c->g);
		return false;
	}
	*x = (struct axt_called){ c->names->name, c->names->e, c->g->called };
	c->g->called = x;
	return true;
}

static bool
add_operands(struct axt_calc *c, const char *const names[], struct axt_expr *const a[], int n)
{
	struct axt_graph *g = c->g;

	for (int i = 0; i < n; i++) {
		if (names[i][0] != '/' && !axt_calc_is_name(names[i])) {
			axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no name for an operand",
			    axt_escape(g->m, names[i]));
			axt_hint(&g->err,
			    "names are letters, digits and _, and not and or not pi "
			    "inf nan true false");
			return false;
		}
		for (struct axt_calc_name *x = c->names; x; x = x->next)
			if (strcmp(x->name, names[i]) == 0) {
				axt_fail(&g->err, AXT_E_SYNTAX, "two operands are named %s",
				    axt_escape(g->m, names[i]));
				return false;
			}
		if (axt_refused(g, axt_text_groups(g, a[i])) ||
		    !add_name(c, axt_strdup(g->m, names[i]), a[i], true) || !call_it(c))
			return false;
	}
	return true;
}

/* The values of one statement. */
struct items {
	int n, max;
	struct axt_expr **e;
	/* what each result is to be called, or NULL, and where it begins: [max] */
	const char **called, **from;
	/* where the last value begins; its name, if it is only a name */
	const char *at, *name;
	const char *extra; /* the first value that does not fit in the results; NULL if all do */
	bool call;         /* whether `name` is the name of a function that is called */
	bool assigned;     /* whether every value is assigned to a name */
	/* for statements that write to files: */
	const struct axt_assign_opts *o;
	struct axt_assignment *to; /* [max]; NULL if statements may not write to files */
	int nto;
};

static void
skip_separators(struct axt_calc *c)
{
	while (c->tok.kind == AXT_CALC_SEP)
		axt_calc_next(c);
}

/*
 * Reads [NAME =] VALUE. s->name becomes NAME. Without NAME it is the name or the function that the
 * value consists of alone, such as tas, or mean in mean(tas); otherwise NULL.
 */
static struct axt_expr *
item(struct axt_calc *c, struct items *s)
{
	const char *behind, *from;
	struct axt_expr *e;

	s->at = c->tok.s;
	s->name = NULL;
	s->call = false;
	if (axt_calc_assigns(c, &behind)) {
		s->name = axt_calc_copy(c, c->tok.s, c->tok.n);
		axt_calc_next(c);
		axt_calc_next(c);
		if (s->name && !axt_calc_is_name(s->name))
			return axt_calc_fail(c, s->at, "%s cannot be assigned",
			    axt_calc_show(c, s->name, strlen(s->name)));
	} else {
		s->assigned = false;
	}
	from = c->tok.s;
	c->whole.from = NULL;
	e = axt_calc_value(c);
	if (axt_bad(e))
		return e;
	if (s->name)
		return add_name(c, s->name, e, false) ? e : axt_node_failed(c->g);
	if (c->whole.from == from &&
	    strspn(c->whole.to, " \t\r") >= (size_t)(c->tok.s - c->whole.to)) {
		s->name = c->whole.name;
		s->call = c->whole.call;
	}
	return e;
}

/*
 * Keeps one value, which is a result if no other statement follows. `name` is the name that it is
 * assigned to; where there are several results, also a name that the value consists of alone; or
 * NULL.
 */
static void
keep(struct items *s, struct axt_expr *e, const char *name)
{
	if (s->n == s->max) { /* this is an error only if no other statement follows */
		s->extra = s->extra ? s->extra : s->at;
		return;
	}
	s->e[s->n] = e;
	s->called[s->n] = name;
	s->from[s->n++] = s->at;
}

/* Names the results. A value that is none may have the name of one of its axes. */
static bool
name_results(struct axt_calc *c, struct items *s)
{
	for (int i = 0; i < s->n; i++) {
		if (!s->called[i])
			continue;
		for (int k = 0; k < s->e[i]->axes.n; k++)
			if (strcmp(s->called[i], s->e[i]->axes.a[k].name) == 0) {
				axt_calc_fail(c, s->from[i],
				    "the result %s has an axis of that name, which only the axis's "
				    "coordinates may have",
				    s->called[i]);
				axt_hint(&c->g->err, "give the result another name");
				return false;
			}
		s->e[i] = axt_set_name(c->g, s->e[i], s->called[i]);
		if (axt_bad(axt_calc_at(c, s->from[i], s->e[i])))
			return false;
	}
	return true;
}

static bool
is_local(const struct axt_calc *c, const char *name)
{
	for (const struct axt_calc_name *x = c->names; name && x; x = x->next)
		if (strcmp(x->name, name) == 0)
			return !x->operand;
	return false;
}

static bool
other_name(struct axt_calc *c, const struct items *s, const char *name)
{
	for (int i = 0; i < s->n; i++)
		if (strcmp(s->called[i], name) == 0) {
			axt_calc_fail(c, s->at, "two results are named %s",
			    axt_calc_show(c, name, strlen(name)));
			axt_hint(&c->g->err, "give one another: NAME = ...");
			return false;
		}
	return true;
}

/* Whether the "," behind the value at s, or before it, stands between digits, as in 1,000. */
static bool
digits_around(const struct axt_calc *c, const char *s)
{
	for (const char *p = s > c->text && s[-1] == ',' ? s - 1 : s;
	     p > c->text && *p && *p != ';'; p++)
		if (*p == ',' && p[-1] >= '0' && p[-1] <= '9' && p[1] >= '0' && p[1] <= '9')
			return true;
	return false;
}

/* Reads VALUE, VALUE, ...; false on an error. */
static bool
statement(struct axt_calc *c, struct items *s)
{
	bool first = true;

	s->n = 0;
	s->extra = NULL;
	s->assigned = true;
	for (;; first = false) {
		struct axt_expr *e = item(c, s);

		if (axt_bad(e))
			return false;
		if (first && !axt_calc_is(c, ",")) { /* this is the only value */
			keep(s, e, !s->call && is_local(c, s->name) ? s->name : NULL);
			return true;
		}
		if (!s->name) {
			axt_calc_fail(c, s->at, "one of several results needs a name");
			axt_hint(&c->g->err,
			    digits_around(c, s->at)
				? "a number has a point, and no sign between thousands"
				: "NAME = ... gives one");
			return false;
		}
		if (!other_name(c, s, s->name))
			return false;
		keep(s, e, s->name);
		if (!axt_calc_is(c, ","))
			return true;
		axt_calc_next(c);
	}
}

/* Reads FILE:DATASET[...] OP VALUE. */
static bool
target_statement(struct axt_calc *c, struct items *s)
{
	struct axt_assignment none, *a = s->to && s->nto < s->max ? &s->to[s->nto] : &none;
	const char *at = c->tok.s;

	if (!axt_calc_target(c, &a->target, &a->op))
		return false;
	if (a == &none) {
		if (s->to)
			axt_calc_fail(c, at, "more than %d files are written", s->max);
		else
			axt_calc_fail(c, at, "no file is written here");
		return false;
	}
	s->n = 0;
	s->extra = NULL;
	s->assigned = true;
	a->e = axt_calc_value(c);
	if (axt_bad(a->e))
		return false;
	if (axt_calc_is(c, ",")) {
		axt_calc_fail(c, c->tok.s, "a file takes one value");
		axt_hint(&c->g->err, "FILE:NAME = ...; FILE:NAME = ...");
		return false;
	}
	s->nto++;
	if (!s->o || !axt_assign_check(c->g, s->to, s->nto, s->o))
		return true;
	axt_calc_at(c, at, axt_node_failed(c->g));
	return false;
}

static bool
unused_value(struct axt_calc *c, const struct items *s, const char *at)
{
	axt_calc_fail(c, at, "the value of this statement is not used");
	axt_hint(&c->g->err,
	    s->nto ? "FILE:NAME = ... writes it, NAME = ... keeps one for later"
		   : "only the last is the result; NAME = ... keeps one for later");
	return false;
}

static bool
statements(struct axt_calc *c, struct items *s)
{
	for (skip_separators(c);;) {
		const char *at = c->tok.s;
		bool to = axt_calc_targets(c);

		if (c->tok.kind == AXT_CALC_END && s->n == 0) {
			axt_calc_fail(c, at, "the expression is empty");
			return false;
		}
		if (!(to ? target_statement(c, s) : statement(c, s)))
			return false;
		if (c->tok.kind == AXT_CALC_SIGN || c->tok.kind == AXT_CALC_NAME ||
		    c->tok.kind == AXT_CALC_NUMBER) {
			axt_calc_unexpected(c, "an operator");
			return false;
		}
		skip_separators(c);
		if (c->tok.kind == AXT_CALC_END)
			return to || s->nto == 0 || unused_value(c, s, at);
		if (!s->assigned)
			return unused_value(c, s, at);
	}
}

static bool
is_result(const struct items *s, const struct axt_calc_name *x)
{
	for (int i = 0; i < s->n; i++)
		if (s->e[i] == x->e || (s->called[i] && strcmp(s->called[i], x->name) == 0))
			return true;
	return false;
}

/*
 * Warns of operands whose values the expression does not use, and of assigned values that are not
 * used: something else may have been meant. An operand whose name stands in the text, as an axis
 * for instance, counts as used.
 */
static void
warn_unused(struct axt_calc *c, const struct items *s)
{
	for (struct axt_calc_name *x = c->names; x; x = x->next)
		if (x->operand && !x->used && is_local(c, x->name))
			axt_warn(c->g,
			    "the expression does not use %s, and assigns to its name: "
			    "a == b compares",
			    axt_escape(c->g->m, x->name));
		else if (x->operand && !x->used && x->name[0] != '/' &&
		    !axt_has_word(c->text, x->name))
			axt_warn(c->g, "the expression does not use %s",
			    axt_escape(c->g->m, x->name));
		else if (!x->operand && !x->used && !is_result(s, x))
			axt_warn(c->g, "%s is assigned, and its value is not used",
			    axt_escape(c->g->m, x->name));
}

static int
calc(struct axt_graph *g, const char *text, const char *const names[], struct axt_expr *const a[],
    int n, struct items *s)
{
	struct axt_calc c = { .g = g, .text = text, .p = text };

	if (g->err.code || !add_operands(&c, names, a, n))
		return 0;
	s->called = axt_alloc(g->m, 2 * ((size_t)s->max + 1) * sizeof(*s->called));
	if (!s->called)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), 0;
	s->from = s->called + s->max;
	axt_calc_next(&c);
	if (!statements(&c, s))
		return 0;
	if (s->extra)
		axt_calc_fail(&c, s->extra, "more than %d results", s->max);
	else if (name_results(&c, s))
		warn_unused(&c, s);
	return g->err.code ? 0 : s->nto ? s->nto : s->n;
}

int
axt_calc(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, struct axt_expr *out[], int max)
{
	return calc(g, text, names, a, n, &(struct items){ .e = out, .max = max });
}

int
axt_calc_to(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, const struct axt_assign_opts *o, struct axt_assignment out[],
    int max)
{
	struct items s = { .max = max, .o = o, .to = out };
	int count;

	s.e = axt_alloc(g->m, (size_t)max * sizeof(*s.e));
	if (!s.e) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return 0;
	}
	count = calc(g, text, names, a, n, &s);
	for (int i = 0; i < count && !s.nto; i++)
		out[i] = (struct axt_assignment){ .e = s.e[i] };
	return count;
}

#define CHANGES 40 /* the most places of a text that are changed */

/* Whether the text can be read: nothing is reported, and its nodes stay unused. */
static bool
readable(const struct axt_rw *w)
{
	struct axt_graph *g = w->c->g;
	struct axt_assignment to[64];

	g->err = (struct axt_err){ 0 };
	return axt_calc_to(g, w->text, w->name, w->operand, w->noperands, NULL, to, ARRAY_LEN(to)) >
	    0;
}

/* The text with " for ', which stand around it on a command line. */
static const char *
in_double_quotes(struct axt_graph *g, const char *text)
{
	char *s = axt_strdup(g->m, text);

	for (char *p = s; p && (p = strchr(p, '\''));)
		*p = '"';
	return s;
}

const char *
axt_calc_mended(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n)
{
	struct axt_calc c = { .g = g, .text = text, .p = text };
	struct axt_rw_function *functions = NULL;
	struct axt_rw w = { .c = &c,
		.name = names,
		.operand = a,
		.noperands = n,
		.text = text,
		.functions = &functions };
	struct axt_err err = g->err;
	void (*warn)(void *ctx, const char *line) = g->warn;
	bool good = false;

	for (int i = 0; i < n && !err.code; i++)
		if (axt_refused(g, axt_text_groups(g, a[i])))
			return NULL;
	g->err = (struct axt_err){ 0 };
	g->warn = NULL;
	if (add_operands(&c, names, a, n))
		for (int k = 0; k < CHANGES && !good && (w.text = axt_rw_once(&w)); k++)
			good = readable(&w);
	g->err = err;
	g->warn = warn;
	return good ? in_double_quotes(g, w.text) : NULL;
}
