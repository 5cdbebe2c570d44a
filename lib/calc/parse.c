/* parse.c - a parser of values: operators by precedence, names, numbers, parentheses. */
#include <math.h>

#include "axt_cmd.h"
#include "calc/calc.h"

/*
 * Levels of precedence, weakest first. Signs bind more tightly than all of these, and ^ more than
 * signs.
 */
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT };

static const struct {
	const char *sign;
	int level;
	enum axt_op op;
} signs[] = {
	{ "or", LEVEL_OR, AXT_OP_OR },
	{ "and", LEVEL_AND, AXT_OP_AND },
	{ "==", LEVEL_COMPARE, AXT_OP_EQ },
	{ "!=", LEVEL_COMPARE, AXT_OP_NE },
	{ "<", LEVEL_COMPARE, AXT_OP_LT },
	{ "<=", LEVEL_COMPARE, AXT_OP_LE },
	{ ">", LEVEL_COMPARE, AXT_OP_GT },
	{ ">=", LEVEL_COMPARE, AXT_OP_GE },
	{ "+", LEVEL_SUM, AXT_OP_ADD },
	{ "-", LEVEL_SUM, AXT_OP_SUB },
	{ "*", LEVEL_PRODUCT, AXT_OP_MUL },
	{ "/", LEVEL_PRODUCT, AXT_OP_DIV },
	{ "//", LEVEL_PRODUCT, AXT_OP_FLOORDIV },
	{ "%", LEVEL_PRODUCT, AXT_OP_MOD },
};

/* Words and signs of other languages, and what to write here instead. */
static const char *const foreign[][2] = {
	{ "&", "write a and b" },
	{ "&&", "write a and b" },
	{ "|", "write a or b" },
	{ "||", "write a or b" },
	{ "~", "write not a" },
	{ "!", "write not a" },
	{ "?", "write where(condition, a, b)" },
	{ ".", "a function stands first: mean(a, over=time)" },
	{ "=", "a == b compares; NAME = ... and FILE:NAME = ... begin a statement" },
	{ "@", "dot(a, b) sums over the axes that both have" },
	{ "$", "a name has no sign before it: tas*2" },
	{ ",", "several results stand last, without parentheses: a, b" },
};

static const char *const constants[][2] = {
	{ "pi", "3.141592653589793" },
	{ "inf", "inf" },
	{ "nan", "nan" },
};

static struct axt_expr *binary(struct axt_calc *c, int least);
static struct axt_expr *unary(struct axt_calc *c);

static bool
is_word(const struct axt_calc *c, const char *w)
{
	return c->tok.kind == AXT_CALC_NAME && c->tok.n == strlen(w) &&
	    strncmp(c->tok.s, w, c->tok.n) == 0;
}

struct axt_expr *
axt_calc_unexpected(struct axt_calc *c, const char *want)
{
	struct axt_expr *e;

	if (c->tok.kind == AXT_CALC_END)
		return axt_calc_fail(c, c->tok.s, "%s is missing", want);
	if (c->tok.kind == AXT_CALC_SEP)
		return axt_calc_fail(c, c->tok.s, "%s is missing before the end of the statement",
		    want);
	e = axt_calc_fail(c, c->tok.s, "%s is missing before \"%s\"", want,
	    axt_calc_show(c, c->tok.s, c->tok.n));
	for (int i = 0; i < ARRAY_LEN(foreign); i++)
		if (axt_calc_is(c, foreign[i][0]))
			axt_hint(&c->g->err, "%s", foreign[i][1]);
	if ((is_word(c, "e") || is_word(c, "E")) && c->tok.s > c->text && c->tok.s[-1] >= '0' &&
	    c->tok.s[-1] <= '9')
		axt_hint(&c->g->err, "an exponent has digits: %ce3", c->tok.s[-1]);
	if (c->tok.kind == AXT_CALC_NAME && c->tok.s > c->text && c->tok.s[-1] >= '0' &&
	    c->tok.s[-1] <= '9')
		axt_hint(&c->g->err, "a product has a sign: %c*%s", c->tok.s[-1],
		    axt_calc_show(c, c->tok.s, c->tok.n));
	return e;
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

/* Whether the text begins with a field of dates, such as "year". */
static bool
is_field(const char *s)
{
	char word[16];

	snprintf(word, sizeof(word), "%.*s", (int)strspn(s, "abcdefghijklmnopqrstuvwxyz"), s);
	return axt_cffield_named(word) >= 0;
}

/* ---- names, numbers ---- */

static struct axt_expr *
unknown_name(struct axt_calc *c, const char *at, const char *name)
{
	const char *words[64], *near;
	struct axt_buf b = { 0 };
	struct axt_expr *e;
	char line[500];
	int n = 0;

	for (struct axt_calc_name *x = c->names; x && n < ARRAY_LEN(words); x = x->next)
		words[n++] = x->name;
	for (int i = n - 1; i >= 0; i--)
		axt_buf_addf(&b, "%s%s", axt_escape(c->g->m, words[i]), i ? ", " : "");
	near = axt_nearest(name, words, n);
	e = axt_calc_fail(c, at, "unknown name \"%s\"", axt_calc_show(c, name, strlen(name)));
	if (at[strlen(name)] == '.' && is_field(at + strlen(name) + 1))
		axt_hint(&c->g->err, "labels of dates are an operand: NAME=FILE:%s%.*s", name,
		    (int)strspn(at + strlen(name), "._abcdefghijklmnopqrstuvwxyz"),
		    at + strlen(name));
	else if (is_file(at + strlen(name)))
		axt_hint(&c->g->err, "a file stands behind the expression: axt-calc 'tas*2' a.nc");
	else if (axt_cffield_named(name) >= 0)
		axt_hint(&c->g->err, "a field of dates has its axis before it: time.%s", name);
	else if (at[strlen(name)] == '.')
		axt_hint(&c->g->err, "functions have no module before them: sqrt(a)");
	else if (axt_calc_is_function(name))
		axt_hint(&c->g->err, "%s is a function: %s(...)", name, name);
	else if (axt_foreign_line(name, line, sizeof(line)) && strstr(line, "axt-calc"))
		axt_hint(&c->g->err, "%s", line);
	else if (near)
		axt_hint(&c->g->err, "did you mean %s? the names are: %s",
		    axt_escape(c->g->m, near), b.p);
	else if (n)
		axt_hint(&c->g->err, "the names are: %s", b.p);
	else
		axt_hint(&c->g->err, "no operand has a name: give %s=OPERAND",
		    axt_escape(c->g->m, name));
	axt_buf_release(&b);
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
			return axt_number(c->g, constants[i][1]);
	return unknown_name(c, at, name);
}

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
	e = value_of(c, t.s, s);
	c->whole.from = t.s;
	c->whole.to = t.s + t.n;
	c->whole.name = s;
	c->whole.call = false;
	return e;
}

static struct axt_expr *
number(struct axt_calc *c)
{
	struct axt_calc_token t = c->tok;
	const char *s = axt_calc_copy(c, t.s, t.n);

	axt_calc_next(c);
	return s ? axt_calc_at(c, t.s, axt_number(c->g, s)) : axt_node_failed(c->g);
}

static struct axt_expr *
parenthesis(struct axt_calc *c)
{
	const char *at = c->tok.s;
	struct axt_expr *e;

	c->parens++;
	axt_calc_next(c);
	e = axt_calc_value(c);
	if (axt_bad(e))
		return e;
	if (c->tok.kind == AXT_CALC_END)
		return axt_calc_fail(c, at, "the parenthesis is not closed");
	if (!axt_calc_is(c, ")"))
		return axt_calc_unexpected(c, "\")\" or an operator");
	c->parens--;
	axt_calc_next(c);
	return e;
}

static struct axt_expr *
primary(struct axt_calc *c)
{
	if (!axt_calc_work(c, c->tok.s))
		return axt_node_failed(c->g);
	if (c->tok.kind == AXT_CALC_NUMBER)
		return number(c);
	if (c->tok.kind == AXT_CALC_NAME)
		return name(c);
	return axt_calc_is(c, "(") ? parenthesis(c) : axt_calc_unexpected(c, "a value");
}

/* Reads a value and the brackets that follow it. */
static struct axt_expr *
part(struct axt_calc *c)
{
	struct axt_expr *e = primary(c);

	while (!axt_bad(e) && axt_calc_is(c, "["))
		e = axt_calc_part(c, e);
	return e;
}

/* ---- operators ---- */

static bool
is_nan(const struct axt_expr *e)
{
	return e->kind == AXT_NODE_CONST && e->u.val.weak && isnan(e->u.val.num.f);
}

/* The node of one operation, whose text begins at `start` and whose operator is at `at`. */
static struct axt_expr *
operation(struct axt_calc *c, const char *start, const char *at, enum axt_op op, struct axt_expr *a,
    struct axt_expr *b)
{
	struct axt_expr *e;

	if (axt_bad(a) || axt_bad(b) || !axt_calc_work(c, at))
		return axt_node_failed(c->g);
	if ((op == AXT_OP_EQ || op == AXT_OP_NE) && (is_nan(a) || is_nan(b)))
		axt_warn(c->g, "nothing is equal to nan: isnan(a) is true where a is");
	e = axt_calc_map(c, op, 2, (struct axt_expr *[]){ a, b });
	return axt_calc_named(c, start, axt_calc_at(c, at, e));
}

static struct axt_expr *
power(struct axt_calc *c)
{
	const char *start = c->tok.s;
	struct axt_expr *e = part(c);
	const char *at = c->tok.s;

	if (axt_bad(e) || !(axt_calc_is(c, "^") || axt_calc_is(c, "**")))
		return e;
	axt_calc_next(c);
	return operation(c, start, at, AXT_OP_POW, e, unary(c));
}

/*
 * Moves to the operand behind an operator, which may be on the next line. Fails if the nesting is
 * too deep.
 */
static bool
enter(struct axt_calc *c)
{
	while (c->tok.kind == AXT_CALC_SEP && *c->tok.s == '\n')
		axt_calc_next(c);
	if (++c->depth <= AXT_CALC_DEPTH)
		return true;
	axt_calc_fail(c, c->tok.s, "parentheses, signs or powers are nested too deep");
	return false;
}

static struct axt_expr *
signed_value(struct axt_calc *c)
{
	const char *at = c->tok.s;
	bool minus = axt_calc_is(c, "-");
	struct axt_expr *e;

	if (!minus && !axt_calc_is(c, "+"))
		return power(c);
	axt_calc_next(c);
	e = unary(c);
	return minus && !axt_bad(e) ? axt_calc_at(c, at, axt_calc_negative(c, e)) : e;
}

static struct axt_expr *
unary(struct axt_calc *c)
{
	struct axt_expr *e = enter(c) ? signed_value(c) : axt_node_failed(c->g);

	c->depth--;
	return e;
}

static struct axt_expr *
negation(struct axt_calc *c)
{
	const char *at = c->tok.s;
	struct axt_expr *e;

	axt_calc_next(c);
	e = binary(c, LEVEL_NOT);
	return axt_bad(e) ? e : axt_calc_at(c, at, axt_calc_map(c, AXT_OP_NOT, 1, &e));
}

/* The current operator if it has at least this precedence, or -1. */
static int
operator_here(const struct axt_calc *c, int least)
{
	for (int i = 0; i < ARRAY_LEN(signs); i++)
		if (signs[i].level >= least && axt_calc_is(c, signs[i].sign))
			return i;
	return -1;
}

/* Reads a chain of comparisons: a < b <= c means a < b and b <= c. */
static struct axt_expr *
comparisons(struct axt_calc *c, const char *start, struct axt_expr *a)
{
	struct axt_expr *all = NULL, *b, *e;
	int i;

	while ((i = operator_here(c, LEVEL_COMPARE)) >= 0) {
		const char *at = c->tok.s;

		axt_calc_next(c);
		b = binary(c, LEVEL_SUM);
		e = operation(c, start, at, signs[i].op, a, b);
		all = all ? operation(c, start, at, AXT_OP_AND, all, e) : e;
		if (axt_bad(all))
			return all;
		a = b;
	}
	return all;
}

static struct axt_expr *
operations(struct axt_calc *c, int least)
{
	const char *start = c->tok.s;
	struct axt_expr *e = least <= LEVEL_NOT && axt_calc_is(c, "not") ? negation(c) : unary(c);
	int i;

	while (!axt_bad(e) && (i = operator_here(c, least)) >= 0) {
		const char *at = c->tok.s;

		if (signs[i].level == LEVEL_COMPARE) {
			e = comparisons(c, start, e);
			continue;
		}
		axt_calc_next(c);
		e = operation(c, start, at, signs[i].op, e, binary(c, signs[i].level + 1));
	}
	return e;
}

static struct axt_expr *
binary(struct axt_calc *c, int least)
{
	struct axt_expr *e = enter(c) ? operations(c, least) : axt_node_failed(c->g);

	c->depth--;
	return e;
}

struct axt_expr *
axt_calc_value(struct axt_calc *c)
{
	return binary(c, LEVEL_OR);
}
