/* parse.c - a parser of values: operators by precedence, names, numbers, parentheses. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/calc.h"
#include "cf/cf.h"

/*
 * Bytes of the stack. Each level of nesting takes up to LEVEL of them; a level took 1400 at most
 * when measured, a call has two levels, and sanitizers need more. SPARE is left for what the
 * innermost function calls. The first SHALLOW levels are taken without asking how much stack there
 * is.
 */
#ifdef AXT_SAN
enum { LEVEL = 16 << 10 };
#else
enum { LEVEL = 2 << 10 };
#endif
enum { SPARE = 40 << 10, SHALLOW = 8 };

/*
 * Levels of precedence, weakest first. Signs bind more tightly than all of these, and ^ more than
 * signs.
 */
enum {
	LEVEL_OR = 1,
	LEVEL_AND,
	LEVEL_NOT,
	LEVEL_COMPARE,
	LEVEL_BIT_OR,
	LEVEL_BIT_AND,
	LEVEL_SUM,
	LEVEL_PRODUCT
};

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
	{ "|", LEVEL_BIT_OR, AXT_OP_BITWISE_OR },
	{ "&", LEVEL_BIT_AND, AXT_OP_BITWISE_AND },
	{ "+", LEVEL_SUM, AXT_OP_ADD },
	{ "-", LEVEL_SUM, AXT_OP_SUB },
	{ "*", LEVEL_PRODUCT, AXT_OP_MUL },
	{ "/", LEVEL_PRODUCT, AXT_OP_DIV },
	{ "//", LEVEL_PRODUCT, AXT_OP_FLOORDIV },
	{ "%", LEVEL_PRODUCT, AXT_OP_MOD },
};

/* Words and signs of other languages, and what to write here instead. */
static const char *const foreign[][2] = {
	{ "&&", "write a and b" },
	{ "||", "write a or b" },
	{ "!", "write not a" },
	{ "?", "write where(condition, a, b)" },
	{ ".", "a function stands first: mean(a, over=time)" },
	{ "=", "a == b compares; NAME = ... and FILE:NAME = ... begin a statement" },
	{ "@", "dot(a, b) sums over the axes that both have" },
	{ "$", "a name has no sign before it: tas*2" },
	{ ",", "several results stand last, without parentheses: a, b; by=(a,b) takes two labels" },
};

static struct axt_expr *binary(struct axt_calc *c, int least);
static struct axt_expr *unary(struct axt_calc *c);

static bool
is_word(const struct axt_calc *c, const char *w)
{
	return c->tok.kind == AXT_CALC_NAME && c->tok.n == strlen(w) &&
	    strncmp(c->tok.s, w, c->tok.n) == 0;
}

/* Whether the word at s is what other tools tell about a tensor. */
static bool
tells(const char *s)
{
	static const char *const words[] = { "shape", "size", "ndim", "dims", "dtype", "attrs",
		"units", "coords", "name", "encoding", "nbytes", "sizes", "info" };

	for (int i = 0; i < ARRAY_LEN(words); i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0 &&
		    (!s[strlen(words[i])] ||
			!strchr("abcdefghijklmnopqrstuvwxyz_", s[strlen(words[i])])))
			return true;
	return false;
}

void
axt_calc_hint_unit(struct axt_calc *c)
{
	axt_hint(&c->g->err,
	    "an imaginary number is written 2j, and a + 1j*b is complex; real(z), imag(z), abs(z) and "
	    "arg(z) are parts of it");
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
	if (strcmp(want, "an operator") == 0 && c->tok.n <= 2 && strchr("&|!?@$", *c->tok.s))
		e = axt_calc_fail(c, c->tok.s, "\"%s\" is no operator",
		    axt_calc_show(c, c->tok.s, c->tok.n));
	else
		e = axt_calc_fail(c, c->tok.s, "%s is missing before \"%s\"", want,
		    axt_calc_show(c, c->tok.s, c->tok.n));
	if (axt_calc_is(c, "@") && strncmp(c->p, "units", 5) == 0)
		axt_hint(&c->g->err,
		    "--attr units=UNITS sets the attribute; axt-convert --to UNITS the values, too");
	if (axt_calc_is(c, ".") && tells(c->p))
		axt_hint(&c->g->err, "axt-info FILE tells axes, lengths, dtypes and attributes");
	for (int i = 0; i < ARRAY_LEN(foreign); i++)
		if (axt_calc_is(c, foreign[i][0]))
			axt_hint(&c->g->err, "%s", foreign[i][1]);
	if (is_word(c, "where"))
		axt_hint(&c->g->err, "where(condition, a, nan) is a where the condition holds");
	if ((is_word(c, "e") || is_word(c, "E")) && c->tok.s > c->text && c->tok.s[-1] >= '0' &&
	    c->tok.s[-1] <= '9')
		axt_hint(&c->g->err, "an exponent has digits: %ce3", c->tok.s[-1]);
	if (c->tok.s > c->text && c->tok.s[-1] >= '0' && c->tok.s[-1] <= '9' &&
	    (is_word(c, "j") || is_word(c, "i") || is_word(c, "J")))
		axt_calc_hint_unit(c);
	else if (c->tok.kind == AXT_CALC_NAME && c->tok.s > c->text && c->tok.s[-1] >= '0' &&
	    c->tok.s[-1] <= '9')
		axt_hint(&c->g->err, "a product has a sign: %c*%s", c->tok.s[-1],
		    axt_calc_show(c, c->tok.s, c->tok.n));
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
	struct axt_expr *e;

	if (!axt_calc_work(c, c->tok.s))
		return axt_node_failed(c->g);
	if (c->tok.kind == AXT_CALC_NUMBER)
		return number(c);
	e = axt_calc_name(c);
	if (e)
		return e;
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
	return axt_is_weak(e) && e->dtype == AXT_F64 && isnan(e->u.val.num.f);
}

/* The node of one operation, whose text begins at `start` and whose operator is at `at`. */
static struct axt_expr *
operation(struct axt_calc *c, const char *start, const char *at, enum axt_op op, struct axt_expr *a,
    struct axt_expr *b)
{
	struct axt_expr *e, *pair[2] = { a, b };

	if (axt_bad(a) || axt_bad(b) || !axt_calc_work(c, at))
		return axt_node_failed(c->g);
	if ((op == AXT_OP_EQ || op == AXT_OP_NE) && (is_nan(a) || is_nan(b)))
		axt_warn(c->g, "nothing is equal to nan: isnan(a) is true where a is");
	if (axt_meet_dates(c->g, 2, pair))
		return axt_calc_at(c, at, axt_node_failed(c->g));
	e = axt_calc_map(c, op, 2, pair);
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

/* The bytes of this thread's stack that are still free; the environment and words take some. */
static int64_t
stack_left(void)
{
	pthread_attr_t a;
	void *low;
	size_t size;
	int64_t left = SPARE;

	if (pthread_getattr_np(pthread_self(), &a))
		return left;
	if (pthread_attr_getstack(&a, &low, &size) == 0)
		left = (char *)__builtin_frame_address(0) - (char *)low;
	pthread_attr_destroy(&a);
	return left;
}

/* How deep operands may be nested. Asked only where it matters, since the answer takes a while. */
static int
deepest(struct axt_calc *c)
{
	if (c->depth > SHALLOW && c->deepest == 0)
		c->deepest = (int)MIN(AXT_CALC_DEPTH,
		    SHALLOW + MAX(0, stack_left() - SPARE) / LEVEL);
	return c->deepest ? c->deepest : SHALLOW;
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
	c->depth++;
	if (c->depth <= deepest(c))
		return true;
	axt_calc_fail(c, c->tok.s, "parentheses, signs or powers are nested too deep");
	return false;
}

static struct axt_expr *
signed_value(struct axt_calc *c)
{
	const char *at = c->tok.s, sign = *at;
	struct axt_expr *e;

	if (!axt_calc_is(c, "-") && !axt_calc_is(c, "+") && !axt_calc_is(c, "~"))
		return power(c);
	axt_calc_next(c);
	e = unary(c);
	if (axt_bad(e) || sign == '+')
		return e;
	return axt_calc_at(c, at,
	    sign == '-' ? axt_calc_negative(c, e) : axt_calc_map(c, AXT_OP_BITWISE_NOT, 1, &e));
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

static bool
is_of_bits(int i)
{
	return signs[i].level == LEVEL_BIT_OR || signs[i].level == LEVEL_BIT_AND;
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

/*
 * Reads a text in quotes that e, a field of dates, is compared with, as "DJF" in time.season ==
 * "DJF". Returns the number of that season or date. NULL: the token is no text, or values of e are
 * not shown as text.
 */
static struct axt_expr *
date_text(struct axt_calc *c, const struct axt_expr *e)
{
	const char *at = c->tok.s, *end, *s;
	char text[AXT_CFFIELD_TEXT], digits[16];
	int64_t v = -1;
	int k, y, m, d;

	if (!(axt_calc_is(c, "\"") || axt_calc_is(c, "'")) || !axt_calc_field_of(c, e, &k) ||
	    !axt_cffield_text(k, 1, text))
		return NULL;
	end = strchr(at + 1, *at);
	s = end ? axt_calc_copy(c, at + 1, (size_t)(end - at) - 1) : NULL;
	if (!s)
		return NULL;
	for (int64_t i = 1; i <= 4 && v < 0; i++)
		if (axt_cffield_text(k, i, text) && strcmp(text, s) == 0)
			v = i;
	if (v < 0 && sscanf(s, "%d-%2d-%2d", &y, &m, &d) == 3 && y >= 0) {
		v = (int64_t)y * 10000 + (int64_t)m * 100 + d;
		v = axt_cffield_text(k, v, text) && strcmp(text, s) == 0 ? v : -1;
	}
	if (v < 0) {
		axt_cffield_text(k, k == axt_cffield_named("date") ? 20010131 : 1, text);
		e = axt_calc_fail(c, at, "no %s is \"%s\"", axt_cffield_name(k),
		    axt_calc_show(c, s, strlen(s)));
		axt_hint(&c->g->err, "%s is compared with a text such as \"%s\"",
		    axt_cffield_name(k), text);
		return (struct axt_expr *)e;
	}
	c->p = end + 1;
	axt_calc_next(c);
	snprintf(digits, sizeof(digits), "%lld", (long long)v);
	return axt_number(c->g, digits);
}

/*
 * Compares e, a tensor of text, with the text in quotes at the token. NULL: e has numbers, and
 * nothing has been read.
 */
static struct axt_expr *
compare_text(struct axt_calc *c, enum axt_op op, struct axt_expr *e)
{
	const char *at = c->tok.s, *end, *s;

	if (!axt_expr_text(e))
		return NULL;
	end = axt_calc_is(c, "\"") || axt_calc_is(c, "'") ? strchr(at + 1, *at) : NULL;
	if (!end) {
		e = axt_calc_fail(c, at, "%s holds text, and is compared with a text in quotes",
		    e->from);
		if (c->tok.kind == AXT_CALC_NAME)
			axt_hint(&c->g->err, "a text is typed so: \"%s\"",
			    axt_calc_show(c, c->tok.s, c->tok.n));
		return e;
	}
	s = axt_calc_copy(c, at + 1, (size_t)(end - at) - 1);
	c->p = end + 1;
	axt_calc_next(c);
	return s ? axt_calc_at(c, at, axt_compare_text(c->g, op, e, s)) : axt_node_failed(c->g);
}

/*
 * Fails because of "a & b > c": as in Python that is "(a & b) > c", while most people mean "a & (b
 * > c)". `bits` is where the "&" or "|" stands.
 */
static struct axt_expr *
doubtful_bits(struct axt_calc *c, const char *bits)
{
	struct axt_expr *e = axt_calc_fail(c, bits,
	    "\"%c\" joins what is beside it before it is compared: parentheses must say what is meant",
	    *bits);

	axt_hint(&c->g->err, "a > 1 %s b > 2 is about truth, (a %c b) > 2 about bits",
	    *bits == '&' ? "and" : "or", *bits);
	return e;
}

/*
 * Reads a chain of comparisons: a < b <= c means a < b and b <= c. `bits` is where the "&" or "|"
 * stands if `a` was made by one without parentheses around it, else NULL.
 */
static struct axt_expr *
comparisons(struct axt_calc *c, const char *start, struct axt_expr *a, const char *bits)
{
	struct axt_expr *all = NULL, *b, *e;
	int i;

	while ((i = operator_here(c, LEVEL_COMPARE)) >= 0) {
		const char *at = c->tok.s;

		c->bits = bits;
		axt_calc_next(c);
		e = bits ? NULL : compare_text(c, signs[i].op, a);
		b = e ? a : date_text(c, a);
		b = b ? b : binary(c, LEVEL_COMPARE + 1);
		if (!axt_bad(b) && (bits || c->bits))
			return doubtful_bits(c, bits ? bits : c->bits);
		e = e ? e : operation(c, start, at, signs[i].op, a, b);
		all = all ? operation(c, start, at, AXT_OP_AND, all, e) : e;
		if (axt_bad(all))
			return all;
		a = b;
	}
	return all;
}

/* Warns of a number as an operand of "and" or "or": whoever writes one means bits. */
static void
doubt_truth(struct axt_calc *c, enum axt_op op, const struct axt_expr *e)
{
	if ((op == AXT_OP_AND || op == AXT_OP_OR) && !axt_bad(e) && axt_is_weak(e))
		axt_warn(c->g,
		    "\"%s\" is about truth, and a number is always %s: \"%s\" is about bits",
		    axt_ops[op].name, e->u.val.num.f != 0 ? "true" : "false",
		    op == AXT_OP_AND ? "&" : "|");
}

static struct axt_expr *
operations(struct axt_calc *c, int least)
{
	const char *start = c->tok.s, *bits = NULL;
	struct axt_expr *e = least <= LEVEL_NOT && axt_calc_is(c, "not") ? negation(c) : unary(c);
	struct axt_expr *b;
	int i;

	while (!axt_bad(e) && (i = operator_here(c, least)) >= 0) {
		const char *at = c->tok.s;

		if (signs[i].level == LEVEL_COMPARE) {
			e = comparisons(c, start, e, bits);
			bits = NULL;
			continue;
		}
		axt_calc_next(c);
		b = binary(c, signs[i].level + 1);
		doubt_truth(c, signs[i].op, e);
		doubt_truth(c, signs[i].op, b);
		e = operation(c, start, at, signs[i].op, e, b);
		bits = is_of_bits(i) ? at : NULL;
	}
	c->bits = bits;
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
