/* rewrite.c - the rows of rewrites.def: patterns of tokens, and what is put in their place. */
#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "axt_cmd.h"
#include "calc/rewrite.h"

static const struct row {
	const char *from, *to; /* a sign of UTF-8; a pattern; NULL */
	axt_rw_step *step;
} signs[] = {
#define SIGNS(theirs, ours) { theirs, ours, NULL },
#include "calc/rewrites.def"
}, rows[] = {
#define REWRITE(theirs, ours) { theirs, ours, NULL },
#define STEP(name) { NULL, NULL, axt_rw_##name },
#include "calc/rewrites.def"
};

static const struct words {
	const char *name, *list;
	bool pairs; /* what is typed, and what it is here */
} words[] = {
#define WORDS(name, list) { name, list, false },
#define PAIRS(name, list) { name, list, true },
#include "calc/rewrites.def"
};

/* ---- patterns ---- */

/* A part of a pattern: a token as it stands there, a mark, or a $name. */
struct part {
	char mark; /* '<' begins a statement, '>' ends a value, '_' is between two values; 0 */
	const char *s;
	const struct words *words;
	size_t n;
	const struct axt_rw_kind *kind; /* NULL: the token s */
	bool glued, prefix; /* to the part before it; to the name of which it is the beginning */
};

struct pattern {
	struct part p[40];
	int n;
};

/* What the $names of a pattern stand for. */
struct match {
	struct axt_rw *w;
	const struct pattern *p;
	struct slot {
		const struct part *of;
		const char *value;
		bool one; /* a name, a number, or a call: it needs no parentheses */
	} slot[12];
	int n, from, to;
};

static const struct axt_rw_kind listed = { "", AXT_RW_ONE, NULL };

/* The kind of a $name, whose token is at s. */
static void
find_kind(struct part *p)
{
	size_t n = p->n;

	while (n > 1 && isdigit((unsigned char)p->s[n - 1]))
		n--;
	p->kind = axt_rw_kind(p->s, n);
	for (int i = 0; !p->kind && i < ARRAY_LEN(words); i++)
		if (strlen(words[i].name) == n && strncmp(words[i].name, p->s, n) == 0) {
			p->words = &words[i];
			p->kind = &listed;
		}
}

static void
read_pattern(struct axt_graph *g, const char *text, struct pattern *p)
{
	struct axt_calc c = { .g = g, .text = text, .p = text };
	const char *end = NULL;

	p->n = 0;
	for (axt_calc_next(&c); c.tok.kind != AXT_CALC_END && p->n < ARRAY_LEN(p->p);
	     axt_calc_next(&c)) {
		struct part *x = &p->p[p->n++];
		bool dollar = axt_calc_is(&c, "$");

		*x = (struct part){ .s = c.tok.s, .n = c.tok.n, .glued = c.tok.s == end };
		if (dollar) {
			axt_calc_next(&c);
			x->s = c.tok.s;
			x->n = c.tok.n;
			if (axt_calc_is(&c, "<") || axt_calc_is(&c, ">") || *x->s == '_')
				x->mark = *x->s;
			else if (!axt_calc_is(&c, "$"))
				find_kind(x);
			if (x->kind && x->glued && p->n > 1 && isalpha((unsigned char)x[-1].s[0]))
				x[-1].prefix = !x[-1].kind;
		} else if (*x->s == '"') {
			x->n = strcspn(x->s + 1, "\"") + 2;
			c.p = x->s + x->n;
		}
		end = c.p;
	}
}

static bool matches(struct match *m, int p, int i);

/* Signs that have nothing between them where a pattern has them together. */
static const char signs_of_two[] = "+-*/%^&|=<>~!:.";

/* Whether the token is the one of the pattern, in any case of letters where it has several. */
static bool
is_token(const struct match *m, int p, int i)
{
	const struct part *x = &m->p->p[p], *after = p + 1 < m->p->n ? x + 1 : NULL;
	const struct axt_rw_token *t = axt_rw_at(m->w, i);
	bool called = after && !after->kind && strchr("(=", *after->s);
	bool dot = p > 0 && !x[-1].kind && *x[-1].s == '.';

	if (t->kind == AXT_CALC_END || t->quoted != (*x->s == '"'))
		return false;
	if (t->quoted)
		return x->n == t->n && strncmp(x->s + 1, t->s + 1, t->n - 2) == 0;
	if (x->glued && p > 0 && !x[-1].kind && strchr(signs_of_two, *x->s) &&
	    strchr(signs_of_two, *x[-1].s) && !axt_rw_glued(m->w, i))
		return false;
	if (x->n != t->n || (x->n == 1 ? *x->s != *t->s : strncasecmp(x->s, t->s, x->n) != 0))
		return false;
	return t->kind != AXT_CALC_NAME || called || dot || !axt_rw_known(m->w, i);
}

static bool
is_marked(const struct match *m, char mark, int i)
{
	const struct axt_rw *w = m->w;

	switch (mark) {
	case '<': return i == 0 || axt_rw_at(w, i - 1)->kind == AXT_CALC_SEP;
	case '>': return axt_rw_bounds(w, i);
	default:
		return axt_rw_ends(w, i - 1) && axt_rw_begins(w, i) && !axt_rw_glued(w, i) &&
		    !axt_rw_is(w, i, "(");
	}
}

/* The end of tokens that a $name may stand for, beyond `to`; -1: there is none. */
static int
longer(const struct axt_rw *w, const struct axt_rw_kind *k, int from, int to)
{
	const struct axt_rw_token *t = axt_rw_at(w, to);

	if (k->span == AXT_RW_ONE)
		return to == from && to < w->n ? to + 1 : -1;
	if (k->span == AXT_RW_OPERAND)
		return axt_rw_longer(w, from, to);
	if (axt_rw_bounds(w, to) && (k->span == AXT_RW_VALUE || !axt_rw_is(w, to, ",")))
		return -1;
	if (k->span == AXT_RW_VALUE && axt_rw_is(w, to, "="))
		return -1;
	return t->mate > to ? t->mate + 1 : to + 1;
}

/* Whether a $name that is the first, or the last, of a pattern may begin, or end, there. */
static bool
is_whole(const struct match *m, int p, int from, int to)
{
	const struct axt_rw_kind *k = m->p->p[p].kind;
	const struct axt_rw *w = m->w;

	if (p == 0 && k->span == AXT_RW_VALUE && from > 0 && !axt_rw_bounds(w, from - 1) &&
	    !strchr("([{=", *w->t[from - 1].s))
		return false;
	if (p + 1 < m->p->n)
		return true;
	return k->span == AXT_RW_VALUE  ? axt_rw_bounds(w, to)
	    : k->span == AXT_RW_OPERAND ? axt_rw_longer(w, from, to) < 0
					: true;
}

/* Whether the tokens are a value that needs no parentheses. */
static bool
is_one(const struct axt_rw *w, int from, int to)
{
	int end = axt_rw_longer(w, from, from);

	while (end > 0 && end < to)
		end = axt_rw_longer(w, from, end);
	return end == to;
}

/* Goes on behind tokens that a $name stands for, if it stands for the same elsewhere. */
static bool
bind_name(struct match *m, int p, int from, int to, const char *value)
{
	const struct part *x = &m->p->p[p];
	bool same = false;

	for (int k = 0; k < m->n; k++)
		if (m->slot[k].of->n == x->n && strncmp(m->slot[k].of->s, x->s, x->n) == 0) {
			if (strcmp(m->slot[k].value, value) != 0)
				return false;
			same = true;
		}
	if (same)
		return matches(m, p + 1, to);
	if (m->n == ARRAY_LEN(m->slot))
		return false;
	m->slot[m->n++] = (struct slot){ x, value, is_one(m->w, from, to) };
	if (matches(m, p + 1, to))
		return true;
	m->n--;
	return false;
}

/* No arguments, and then the "," beside them is not there either. */
static bool
matches_none(struct match *m, int p, int i)
{
	const struct part *x = &m->p->p[p];

	if (p + 1 < m->p->n && !x[1].kind && *x[1].s == ',' && !axt_rw_is(m->w, i, ",")) {
		m->slot[m->n++] = (struct slot){ x, "", true };
		if (matches(m, p + 2, i))
			return true;
		m->n--;
	}
	return bind_name(m, p, i, i, "");
}

/* A name that begins with a part of the pattern, and goes on as the $name behind it. */
static bool
matches_prefix(struct match *m, int p, int i)
{
	const struct part *x = &m->p->p[p];
	const struct axt_rw_token *t = axt_rw_at(m->w, i);
	struct axt_rw_token rest = *t, all = *t;
	const char *value;

	if (t->kind != AXT_CALC_NAME || t->n <= x->n || strncasecmp(t->s, x->s, x->n) != 0 ||
	    axt_rw_known(m->w, i))
		return false;
	rest.s += x->n;
	rest.n -= x->n;
	m->w->t[i] = rest;
	value = x[1].kind->is(m->w, i, i + 1);
	m->w->t[i] = all;
	return value && bind_name(m, p + 1, i, i + 1, value);
}

/* Whether a part of the pattern is a token that has to be there, as a "," beside $rest has not. */
static bool
is_needed(const struct pattern *p, int i)
{
	const struct part *x = &p->p[i];

	return !x->kind && !x->mark && !x->prefix &&
	    !(*x->s == ',' && i + 1 < p->n && x[1].kind && x[1].kind->span == AXT_RW_ARGS);
}

static bool
may_follow(const struct match *m, int p, int i)
{
	return p == m->p->n || !is_needed(m->p, p) || is_token(m, p, i);
}

static bool
matches_kind(struct match *m, int p, int i)
{
	const struct part *x = &m->p->p[p];

	if (x->words) {
		const char *value = axt_rw_listed(m->w, i, x->words->list, x->words->pairs);

		return value && bind_name(m, p, i, i + 1, value);
	}
	if (x->kind->span == AXT_RW_ARGS && matches_none(m, p, i))
		return true;
	for (int to = longer(m->w, x->kind, i, i); to > 0; to = longer(m->w, x->kind, i, to)) {
		const char *value = may_follow(m, p + 1, to) && is_whole(m, p, i, to)
		    ? x->kind->is(m->w, i, to)
		    : NULL;

		if (value && bind_name(m, p, i, to, value))
			return true;
	}
	return false;
}

/* Whether the parts from the p-th on match tokens from the i-th on. */
static bool
matches(struct match *m, int p, int i)
{
	const struct part *x = &m->p->p[p], *next = p + 1 < m->p->n ? x + 1 : NULL;

	if (p == m->p->n) {
		m->to = i;
		return true;
	}
	if (x->mark)
		return is_marked(m, x->mark, i) && matches(m, p + 1, i);
	if (x->prefix)
		return matches_prefix(m, p, i);
	if (x->kind)
		return matches_kind(m, p, i);
	if (*x->s == ',' && next && next->kind && next->kind->span == AXT_RW_ARGS &&
	    axt_rw_bounds(m->w, i) && !axt_rw_is(m->w, i, ",") && bind_name(m, p + 1, i, i, ""))
		return true;
	return is_token(m, p, i) && matches(m, p + 1, i + 1);
}

/* ---- what is put ---- */

/* The $name of n characters; NULL: the pattern has none. */
static const struct slot *
slot_named(const struct match *m, const char *s, size_t n)
{
	for (int k = 0; k < m->n; k++)
		if (m->slot[k].of->n == n && strncmp(m->slot[k].of->s, s, n) == 0)
			return &m->slot[k];
	return NULL;
}

static size_t
name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]))
		n++;
	return n;
}

/* Adds what the function at *s, "name(x, y)", gives; false: it gives nothing. */
static bool
add_function(const struct match *m, struct axt_buf *b, const char **s)
{
	struct axt_rw_values v = { m->w, m->from, { NULL } };
	size_t n = name_length(*s);
	const char *name = *s, *p = name + n + 1, *value;

	for (int k = 0; *p && *p != ')' && k < ARRAY_LEN(v.v); k++, p += strspn(p, ", ")) {
		const struct slot *x = slot_named(m, p, name_length(p));

		v.v[k] = x ? x->value : axt_strndup(m->w->c->g->m, p, name_length(p));
		p += name_length(p);
	}
	*s = p + 1;
	value = axt_rw_fill(name, n, &v);
	if (value)
		axt_buf_adds(b, value);
	return value != NULL;
}

/* Adds a value. Where it is nothing, the "," beside it goes as well. */
static const char *
add_value(struct axt_buf *b, const char *value, const char *s)
{
	axt_buf_adds(b, value);
	if (*value)
		return s;
	if (b->n >= 2 && strcmp(b->p + b->n - 2, ", ") == 0)
		b->p[b->n -= 2] = '\0';
	else if (strncmp(s, ", ", 2) == 0)
		s += 2;
	return s;
}

/* The text of a row with the values in their places, in the arena; NULL: it does not fit. */
static const char *
filled(const struct match *m, const char *s)
{
	struct axt_buf b = { 0 };
	const char *out = NULL;
	bool fits = true;

	while (*s && fits && !b.bad) {
		size_t n = *s == '$' || *s == '{' ? name_length(s + 1) : 0;
		const struct slot *x = n ? slot_named(m, s + 1, n) : NULL;

		if (x && *s == '{') {
			axt_buf_addf(&b, x->one ? "%s" : "(%s)", x->value);
			s += n + 2;
		} else if (x) {
			s = add_value(&b, x->value, s + n + 1);
		} else if (n && *s == '$') {
			s++;
			fits = add_function(m, &b, &s);
		} else {
			axt_buf_add(&b, s++, 1);
		}
	}
	if (fits && !b.bad)
		out = axt_strndup(m->w->c->g->m, b.p ? b.p : "", b.n);
	axt_buf_release(&b);
	return out;
}

/* ---- rows ---- */

/* Whether a match may begin with token i: where a value begins, and in no other value. */
static bool
may_begin(const struct axt_rw *w, const struct pattern *p, int i)
{
	const struct part *x = &p->p[p->p[0].mark != 0];

	if (axt_rw_ends(w, i - 1) && i > 0)
		return !x->kind && !isalnum((unsigned char)*x->s) && *x->s != '"' &&
		    strchr(".;=", *x->s);
	if (p->n == 1 &&
	    (axt_rw_is(w, i + 1, "(") || axt_rw_is(w, i + 1, ".") || axt_rw_is(w, i - 1, "=")))
		return false;
	return !axt_rw_is(w, i - 1, ".");
}

/* Whether the text has all tokens of the pattern, so that it is worth a closer look. */
static bool
has_tokens(struct axt_rw *w, const struct pattern *p)
{
	const struct match m = { .w = w, .p = p };

	for (int k = 0; k < p->n; k++) {
		int i = 0;

		while (is_needed(p, k) && *p->p[k].s != ',' && i < w->n && !is_token(&m, k, i))
			i++;
		if (i == w->n)
			return false;
	}
	return true;
}

static bool
apply(struct axt_rw *w, const struct row *r)
{
	struct pattern p;
	const char *s;

	for (int i = 0; r->step && i < w->n; i++)
		if (r->step(w, i))
			return true;
	if (r->step)
		return false;
	read_pattern(w->c->g, r->from, &p);
	if (!has_tokens(w, &p))
		return false;
	for (int i = 0; i < w->n; i++) {
		struct match m = { .w = w, .p = &p, .from = i };

		if (may_begin(w, &p, i) && matches(&m, 0, i) && (s = filled(&m, r->to)) &&
		    axt_rw_put(w, i, m.to, s))
			return true;
	}
	return false;
}

/* The text with the signs of documents in ASCII, and without comments of C; NULL: it has none. */
static const char *
plain(struct axt_rw *w)
{
	struct axt_buf b = { 0 };
	const char *out = NULL, *s = w->text;
	bool any = false;

	for (size_t n; *s; s += n) {
		const char *end = strncmp(s, "/*", 2) == 0 ? strstr(s, "*/") : NULL;
		char sign[8];
		int k = 0;

		for (n = 1; n < 4 && ((unsigned char)s[n] & 0xc0) == 0x80;)
			n++;
		snprintf(sign, sizeof(sign), "%.*s", (int)n, s);
		while (n > 1 && k < ARRAY_LEN(signs) && !strstr(signs[k].from, sign))
			k++;
		n = end ? (size_t)(end + 2 - s) : n;
		if (n > 1 && !end && k < ARRAY_LEN(signs))
			axt_buf_adds(&b, signs[k].to);
		else if (!end)
			axt_buf_add(&b, s, n);
		any = any || end || (n > 1 && k < ARRAY_LEN(signs));
	}
	if (any && !b.bad)
		out = axt_strndup(w->c->g->m, b.p ? b.p : "", b.n);
	axt_buf_release(&b);
	return out;
}

const char *
axt_rw_once(struct axt_rw *w)
{
	const char *s = plain(w);

	if (s)
		return s;
	if (!axt_rw_split(w))
		return NULL;
	for (int k = 0; k < ARRAY_LEN(rows); k++)
		if (apply(w, &rows[k]))
			return w->out;
	return NULL;
}
