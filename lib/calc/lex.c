/* lex.c - splits an expression into tokens, and adds positions to messages. */
#include <stdio.h>

#include "calc/calc.h"

#define AROUND 30 /* characters that a message shows before and after the position */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Skips blanks and comments, and inside parentheses also line ends. */
static const char *
skip(const struct axt_calc *c, const char *p)
{
	for (;; p++) {
		if (*p == '#')
			p += strcspn(p, "\n");
		if (!is_blank(*p) && !(*p == '\n' && c->parens > 0))
			return p;
	}
}

static size_t
digits(const char *p, bool hex)
{
	return strspn(p, hex ? "0123456789abcdefABCDEF." : "0123456789.");
}

/* The length of the real number at p: 2, .5, 1e-3, 0x1p-4. */
static size_t
real(const char *p)
{
	bool hex = p[0] == '0' && (p[1] | 32) == 'x';
	size_t n = hex ? 2 : 0, e;

	n += digits(p + n, hex);
	if ((p[n] | 32) != (hex ? 'p' : 'e'))
		return n;
	e = n + 1;
	e += p[e] == '-' || p[e] == '+';
	return is_digit(p[e]) ? e + strspn(p + e, "0123456789") : n;
}

/* The same, and of an imaginary one: 2j. */
static size_t
number(const char *p)
{
	size_t n = real(p);

	return (p[n] | 32) == 'j' && !is_letter(p[n + 1]) && !is_digit(p[n + 1]) ? n + 1 : n;
}

size_t
axt_calc_path(const char *s)
{
	size_t n = 0;

	while (s[n] == '/' && is_letter(s[n + 1]))
		for (n++; is_letter(s[n]) || is_digit(s[n]); n++)
			;
	return n;
}

static size_t
sign(const char *p)
{
	static const char *const two[] = { "==", "!=", "<=", ">=", "//", "**", "&&", "||" };

	for (int i = 0; i < ARRAY_LEN(two); i++)
		if (strncmp(p, two[i], 2) == 0)
			return 2;
	return 1;
}

static bool
is_word(const struct axt_calc_token *t, const char *w)
{
	return t->n == strlen(w) && strncmp(t->s, w, t->n) == 0;
}

void
axt_calc_next(struct axt_calc *c)
{
	const char *p = skip(c, c->p);
	struct axt_calc_token t = { AXT_CALC_SIGN, p, 1 };

	if (*p == '\0') {
		t.kind = AXT_CALC_END;
		t.n = 0;
	} else if (*p == ';' || *p == '\n') {
		t.kind = AXT_CALC_SEP;
	} else if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) {
		t.kind = AXT_CALC_NUMBER;
		t.n = number(p);
	} else if (is_letter(*p)) {
		t.kind = AXT_CALC_NAME;
		while (is_letter(p[t.n]) || is_digit(p[t.n]))
			t.n++;
		if (is_word(&t, "and") || is_word(&t, "or") || is_word(&t, "not"))
			t.kind = AXT_CALC_SIGN;
	} else {
		t.n = sign(p);
	}
	c->tok = t;
	c->p = p + t.n;
}

bool
axt_calc_is(const struct axt_calc *c, const char *s)
{
	return c->tok.kind == AXT_CALC_SIGN && is_word(&c->tok, s);
}

bool
axt_calc_assigns(const struct axt_calc *c, const char **value)
{
	const char *p = skip(c, c->p);

	*value = p + 1;
	/* =< and => are comparisons of other languages */
	return c->tok.kind == AXT_CALC_NAME && p[0] == '=' && p[1] != '=' && p[1] != '<' &&
	    p[1] != '>';
}

const char *
axt_calc_copy(struct axt_calc *c, const char *s, size_t n)
{
	const char *w = axt_strndup(c->g->m, s, n);

	if (!w)
		axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
	return w;
}

/*
 * Adds quoted text to the word. names: the characters are escaped, so that each is taken literally.
 * Returns what follows the closing quote, or NULL if there is none.
 */
static const char *
quoted(struct axt_buf *b, const char *s, bool names)
{
	const char *q = s++;

	for (; *s && *s != *q; s++)
		axt_buf_addf(b, names && strchr("/,=:*^@[]\\", *s) ? "\\%c" : "%c", *s);
	return *s ? s + 1 : NULL;
}

static bool
is_mark(char c)
{
	return c == '\0' || strchr(",=:@()*^]", c) != NULL;
}

/*
 * Adds the next piece of a word. Returns what follows it, or NULL if a quote or parenthesis is not
 * closed.
 */
static const char *
piece(struct axt_calc *c, struct axt_buf *b, const char *s, bool names, int *open)
{
	const char *p = skip(c, s);

	if (p > s) { /* blanks inside a name belong to it */
		if (b->n > 0 && !is_mark(b->p[b->n - 1]) && !is_mark(*p))
			axt_buf_adds(b, " ");
		return p;
	}
	if (*s == '"' || *s == '\'')
		return quoted(b, s, names);
	if (*s == '\\' && s[1]) {
		axt_buf_add(b, s, 2);
		return s + 2;
	}
	*open += (*s == '(') - (*s == ')');
	if (*s != '(' && *s != ')')
		axt_buf_add(b, s, 1);
	return s + 1;
}

/* Whether a list in parentheses has an operator, or nothing, on either side, as in (a,b)=c. */
static bool
stands_alone(const struct axt_calc *c, const struct axt_buf *b, const char *s)
{
	if (*s == '(')
		return b->n == 0 || is_mark(b->p[b->n - 1]);
	return *s != ')' || strchr(",=@:)]", *skip(c, s + 1));
}

const char *
axt_calc_word(struct axt_calc *c, const char *s, const char *ends, bool names)
{
	struct axt_buf b = { 0 };
	const char *from = skip(c, s), *p = from, *w = NULL;
	int open = 0;

	while (p && *p && (open > 0 || !strchr(ends, *p))) {
		if (!stands_alone(c, &b, p)) {
			axt_calc_fail(c, p, "\",\" is missing %s the parenthesis",
			    *p == '(' ? "before" : "after");
			break;
		}
		p = piece(c, &b, p, names, &open);
	}
	if (!p || open > 0)
		axt_calc_fail(c, from, p ? "a parenthesis is not closed" : "a quote is not closed");
	else if (p == from)
		axt_calc_fail(c, from, "a word is missing");
	else if (b.bad)
		axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
	else if (!c->g->err.code)
		w = axt_calc_copy(c, b.p ? b.p : "", b.n);
	axt_buf_release(&b);
	if (!w)
		return NULL;
	c->p = p;
	axt_calc_next(c);
	return w;
}

/* ---- messages ---- */

/* The text is cut to a fixed number of bytes, so that the message has space for the position. */
const char *
axt_calc_show(struct axt_calc *c, const char *s, size_t n)
{
	size_t most = n > 6 * AROUND ? 6 * AROUND : n;
	char *w = axt_strndup(c->g->m, s, most);
	const char *e;

	for (char *p = w; p && (p = strchr(p, '\n'));) /* a line of an expression ends there */
		*p = ' ';
	e = w ? axt_escape(c->g->m, w) : NULL;
	if (e && most < n)
		e = axt_sprintf(c->g->m, "%s...", e);
	return e ? e : "?";
}

struct axt_expr *
axt_calc_named(struct axt_calc *c, const char *s, struct axt_expr *e)
{
	size_t n = (size_t)(c->tok.s - s);

	if (axt_bad(e) || strcmp(e->from, "result") != 0)
		return e;
	while (n > 0 && (is_blank(s[n - 1]) || s[n - 1] == '\n'))
		n--;
	e->from = axt_calc_show(c, s, n);
	return e;
}

/* Whether the byte begins a character in UTF-8. */
static bool
begins(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static int
characters(const char *s, const char *end)
{
	int n = 0;

	for (; s < end; s++)
		n += begins(*s);
	return n;
}

/*
 * The place n characters behind s, or before s if n is negative, for the part of the text that a
 * message shows. It is never outside the text, nor more than 3 * AROUND bytes away.
 */
static const char *
away(const char *text, const char *s, int n)
{
	const char *p = s;

	for (; n < 0 && p > text && s - p < 3 * AROUND; p--)
		n += begins(p[-1]);
	while (p < s && !begins(*p))
		p++;
	for (; n > 0 && *p && p - s < 3 * AROUND; p++)
		n -= begins(p[1]);
	while (p > s && !begins(*p))
		p--;
	return p;
}

/* Adds the position to the message of the graph's error. */
static void
locate(struct axt_calc *c, const char *at)
{
	struct axt_err *e = &c->g->err;
	const char *from = away(c->text, at, -AROUND), *to = away(c->text, at, AROUND);
	char place[800];
	size_t n = strlen(e->text), len;

	if (c->located || e->code == AXT_E_MEM)
		return;
	c->located = true;
	if (characters(c->text, from) <= 3)
		from = c->text;
	if (characters(to, to + strlen(to)) <= 3)
		to += strlen(to);
	snprintf(place, sizeof(place), " at character %d of \"%s%s%s\"",
	    characters(c->text, at) + 1, from > c->text ? "..." : "",
	    axt_calc_show(c, from, (size_t)(to - from)), *to ? "..." : "");
	len = strlen(place) + 1;
	n = MIN(n, sizeof(e->text) - len); /* the message is cut to make space */
	while (n > 0 && !begins(e->text[n]))
		n--;
	memcpy(e->text + n, place, len);
	axt_calc_reword(c);
}

struct axt_expr *
axt_calc_fail(struct axt_calc *c, const char *at, const char *fmt, ...)
{
	char text[sizeof(c->g->err.text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!c->g->err.code) {
		axt_fail(&c->g->err, AXT_E_SYNTAX, "%s", text);
		axt_about(&c->g->err, AXT_BAD_SYNTAX, at, c->text);
		locate(c, at);
	}
	return axt_node_failed(c->g);
}

void
axt_calc_about(struct axt_calc *c, enum axt_about about, const char *word, const char *of)
{
	if (c->g->err.fact.about != AXT_BAD_SYNTAX)
		return;
	c->g->err.fact = (struct axt_fact){ 0 };
	axt_about(&c->g->err, about, word, of);
}

struct axt_expr *
axt_calc_at(struct axt_calc *c, const char *at, struct axt_expr *e)
{
	if (axt_bad(e) && c->g->err.code)
		locate(c, at);
	return e;
}

bool
axt_calc_work(struct axt_calc *c, const char *at)
{
	if (c->g->err.code)
		return false;
	if (++c->work <= AXT_CALC_WORK)
		return true;
	axt_fail(&c->g->err, AXT_E_LIMIT, "more than %d values and operations", AXT_CALC_WORK);
	locate(c, at);
	return false;
}
