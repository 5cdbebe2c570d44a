/*
 * uses.c - which names of datasets the text of an expression takes values of, found before any
 * operand is opened.
 */
#include <limits.h>
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/calc.h"

/* A name, path or quoted text in an expression. */
struct use {
	const char *s;
	size_t n;
	bool path, quoted;
	/* a value of that name is needed: it is no axis, key, function or word of one */
	bool sure;
};

struct scan {
	struct axt_calc c;
	int depth, brackets; /* open parentheses and brackets; the latter alone */
	bool begins;         /* a statement, or one of several results, begins here */
	int items;           /* how many of them have begun */
	bool target;         /* this is the name of a file, up to "=" */
	struct axt_calc_token last;
	const char *made; /* the name that was assigned last; its length */
	size_t nmade;
};

/* Whether a value ends with the last token, so that "/" divides. */
static bool
ended(const struct scan *s)
{
	const struct axt_calc_token *t = &s->last;

	return t->s &&
	    (t->kind == AXT_CALC_NAME || t->kind == AXT_CALC_NUMBER ||
		(t->kind == AXT_CALC_SIGN && (strchr(")]\"'", *t->s))));
}

static bool
last_is(const struct scan *s, char sign)
{
	return s->last.s && s->last.kind == AXT_CALC_SIGN && s->last.n == 1 && *s->last.s == sign;
}

/* Keeps what the text says besides names: depth, statements. */
static void
pass(struct scan *s)
{
	const struct axt_calc_token *t = &s->c.tok;
	int open = axt_calc_is(&s->c, "(") || axt_calc_is(&s->c, "[");
	int close = axt_calc_is(&s->c, ")") || axt_calc_is(&s->c, "]");

	s->depth += open - close;
	s->brackets += (*t->s == '[' && open) - (*t->s == ']' && close);
	s->c.parens = s->depth;
	s->begins = s->depth == 0 && (t->kind == AXT_CALC_SEP || axt_calc_is(&s->c, ","));
	s->items += s->begins;
	if (s->depth == 0 && axt_calc_is(&s->c, "="))
		s->target = false;
	s->last = *t;
}

/* A name: whether it is assigned, or needed as a value. */
static void
name(struct scan *s, struct use *u)
{
	const char *behind, *p = s->c.p + strspn(s->c.p, " \t");

	u->sure = !s->target && s->brackets == 0 && *p != '(' && *s->c.p != '.' &&
	    !last_is(s, '.') && !last_is(s, '@') &&
	    !(s->depth > 0 && (last_is(s, ',') || last_is(s, '='))) &&
	    !axt_calc_assigns(&s->c, &behind);
	if (s->depth == 0 && s->begins && axt_calc_assigns(&s->c, &behind)) {
		s->made = u->s;
		s->nmade = u->n;
		u->n = 0;
	}
}

/*
 * Finds the next name, path or quoted text; u->n is 0 for a name that is assigned to. Returns false
 * at the end of the text.
 */
static bool
next(struct scan *s, struct use *u)
{
	for (;; pass(s)) {
		const char *end;
		size_t n;

		axt_calc_next(&s->c);
		*u = (struct use){ .s = s->c.tok.s, .n = s->c.tok.n };
		if (s->c.tok.kind == AXT_CALC_END)
			return false;
		if (s->begins && s->c.tok.kind != AXT_CALC_SEP)
			s->target = axt_calc_targets(&s->c);
		if (s->c.tok.kind == AXT_CALC_NAME) {
			name(s, u);
			break;
		}
		n = axt_calc_is(&s->c, "/") && !ended(s) && !s->target ? axt_calc_path(u->s) : 0;
		if (n > 0) {
			u->n = n;
			u->path = u->sure = true;
			s->c.p = u->s + n;
			s->c.tok.kind = AXT_CALC_NAME;
			break;
		}
		if (!axt_calc_is(&s->c, "\"") && !axt_calc_is(&s->c, "'"))
			continue;
		end = strchr(u->s + 1, *u->s);
		if (!end)
			continue;
		*u = (struct use){ .s = u->s + 1, .n = (size_t)(end - u->s) - 1, .quoted = true };
		s->c.p = end + 1;
		break;
	}
	pass(s);
	return true;
}

static bool
is(const char *s, size_t n, const char *name)
{
	return strlen(name) == n && strncmp(s, name, n) == 0;
}

int
axt_calc_uses(const char *text, const char *path)
{
	struct scan s = { .c = { .text = text, .p = text }, .begins = true };
	const char *last = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	int how = 0, made = INT_MAX;
	struct use u;

	while (next(&s, &u)) {
		if (u.n == 0 && is(s.made, s.nmade, last)) {
			made = MIN(made, s.items);
			how |= AXT_CALC_ASSIGNED;
		} else if (u.path ||
		    (u.quoted && (memchr(u.s, '/', u.n) || !axt_calc_is_name(last))))
			how |= is(u.s + (*u.s == '/'), u.n - (*u.s == '/'), path) ||
				(u.quoted && is(u.s, u.n, last)) /* in any group */
			    ? AXT_CALC_BY_PATH
			    : 0;
		else if (is(u.s, u.n, last) && s.items <= made)
			how |= AXT_CALC_BY_NAME;
	}
	return how;
}

/* Whether the text assigns to the name anywhere. */
static bool
assigned(const char *text, const char *name)
{
	struct scan s = { .c = { .text = text, .p = text }, .begins = true };
	struct use u;

	while (next(&s, &u))
		if (u.n == 0 && is(s.made, s.nmade, name))
			return true;
	return false;
}

bool
axt_calc_lacks(const char *text, const char *const names[], int n)
{
	struct scan s = { .c = { .text = text, .p = text }, .begins = true };
	char word[256];
	struct use u;

	while (next(&s, &u)) {
		bool known = !u.sure || u.n == 0;

		snprintf(word, sizeof(word), "%.*s", (int)u.n, u.s);
		for (int i = 0; i < n && !known; i++)
			known = strcmp(names[i], word) == 0;
		if (!known && (u.path || axt_calc_is_name(word)) && !assigned(text, word))
			return true;
	}
	return false;
}
