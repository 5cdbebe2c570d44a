/* target.c - statements that write to a file: "FILE:DATASET[AXIS=SPEC,...] OP VALUE". */
#include "calc/call.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Whether the character needs no quotes in the name of a file. */
static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    (c & 0x80) || (c && strchr("_./:-~@%\\", c));
}

/* What follows "[...]" at p, or NULL if there is no closing bracket. */
static const char *
behind_bracket(const char *p)
{
	char quote = 0;

	for (p++; *p && (quote || *p != ']'); p++)
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : NULL;
}

/* The length of "=", "+=" and the like at p; 0 if there is none. */
static size_t
operator_at(const char *p)
{
	size_t n = *p && strchr("+-*/", *p) ? 1 : 0;

	return p[n] == '=' && p[n + 1] != '=' ? n + 1 : 0;
}

/* What follows the word that begins at s and may have quotes; NULL if there is no word. */
static const char *
behind_word(const char *s)
{
	const char *p = s;

	if (*s == '"' || *s == '\'') {
		p = strchr(s + 1, *s);
		if (!p)
			return NULL;
		p++;
	}
	while (is_plain(*p))
		p += *p == '\\' && p[1] ? 2 : 1;
	/* the operator is -= or /=, so its first character is no part of the word */
	while (p > s && strchr("-/", p[-1]) && *p == '=' && p[1] != '=')
		p--;
	return p > s ? p : NULL;
}

bool
axt_calc_targets(const struct axt_calc *c)
{
	const char *s = c->tok.s, *p = behind_word(s), *q;
	bool quoted = *s == '"' || *s == '\'';

	if (!p || *s == '-')
		return false;
	q = *p == '[' ? behind_bracket(p) : p;
	if (!q) /* the missing part is reported later */
		return quoted || c->tok.kind != AXT_CALC_NAME || p > s + c->tok.n;
	while (is_blank(*q))
		q++;
	if (!operator_at(q))
		return false;
	/* a plain name before "=" is the name of a value, unless a slice follows */
	if (!quoted && c->tok.kind == AXT_CALC_NAME && p == s + c->tok.n)
		return *p == '[' || *q != '=';
	return quoted || memchr(s, '.', (size_t)(p - s)) || memchr(s, ':', (size_t)(p - s)) ||
	    memchr(s, '/', (size_t)(p - s));
}

/* The word of the file, from s to p, without quotes. */
static const char *
file_word(struct axt_calc *c, const char *s, const char *p)
{
	const char *end;

	if (*s != '"' && *s != '\'')
		return axt_calc_copy(c, s, (size_t)(p - s));
	end = strchr(s + 1, *s);
	return axt_sprintf(c->g->m, "%.*s%.*s", (int)(end - s - 1), s + 1, (int)(p - end - 1),
	    end + 1);
}

/* Reads the slice and returns "file[a=1,b=2]"; the token is the "[". */
static const char *
with_slice(struct axt_calc *c, const char *file)
{
	struct axt_calc_call k = { .c = c, .at = c->tok.s };
	const char *words;

	if (!axt_calc_part_words(&k) || !(words = axt_calc_words(&k)))
		return NULL;
	return axt_sprintf(c->g->m, "%s[%s]", file, words);
}

static bool
no_file(struct axt_calc *c, const char *at, size_t n)
{
	const char *name = axt_calc_show(c, at, n);

	axt_calc_fail(c, at, "%s is a name, and what is assigned to is a file", name);
	axt_hint(&c->g->err,
	    "FILE:DATASET, in quotes where it looks like a name; NAME = ... "
	    "names a value");
	return false;
}

bool
axt_calc_target(struct axt_calc *c, const char **target, const char **op)
{
	const char *at = c->tok.s, *p = behind_word(at);
	size_t n;

	if (c->tok.kind == AXT_CALC_NAME && p == at + c->tok.n)
		return no_file(c, at, c->tok.n);
	*target = file_word(c, at, p);
	c->p = p;
	axt_calc_next(c);
	if (*target && axt_calc_is(c, "["))
		*target = with_slice(c, *target);
	if (!*target) {
		axt_node_failed(c->g);
		if (!c->g->err.code)
			axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
		return false;
	}
	n = operator_at(c->tok.s);
	if (n == 0) {
		axt_calc_unexpected(c, "\"=\"");
		return false;
	}
	*op = axt_calc_copy(c, c->tok.s, n);
	c->p = c->tok.s + n;
	axt_calc_next(c);
	return *op != NULL;
}
