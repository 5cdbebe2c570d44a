/* mend.c - the text of an expression as tokens that rules change, and what they ask about it. */
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"

#define TOKENS 500

/* ---- tokens ---- */

static void
find_mates(struct axt_mend *m)
{
	int open[TOKENS], n = 0;

	for (int i = 0; i < m->n; i++) {
		char s = m->t[i].n == 1 && !m->t[i].quoted ? *m->t[i].s : '\0';

		m->t[i].mate = -1;
		if (s == '(' || s == '[' || s == '{')
			open[n++] = i;
		if (s != ')' && s != ']' && s != '}')
			continue;
		if (n > 0 && *m->t[open[n - 1]].s == (s == ')' ? '(' : s - 2)) {
			m->t[i].mate = open[--n];
			m->t[open[n]].mate = i;
		}
	}
}

/* Splits the text; false if it is too long. */
static bool
split(struct axt_mend *m)
{
	struct axt_calc c = { .g = m->c->g, .text = m->text, .p = m->text };

	m->t = axt_alloc(c.g->m, (TOKENS + 1) * sizeof(*m->t));
	for (m->n = 0; m->t; m->n++) {
		struct axt_mend_token *t = m->t + m->n;
		const char *end;

		axt_calc_next(&c);
		*t = (struct axt_mend_token){ c.tok.kind, false, c.tok.s, c.tok.n, -1 };
		if (t->kind == AXT_CALC_END)
			break;
		if (m->n == TOKENS)
			return false;
		if (!axt_calc_is(&c, "\"") && !axt_calc_is(&c, "'"))
			continue;
		end = strchr(t->s + 1, *t->s);
		if (end) {
			t->quoted = true;
			t->n = (size_t)(end + 1 - t->s);
			c.p = end + 1;
		}
	}
	if (m->t)
		find_mates(m);
	return m->t != NULL;
}

const struct axt_mend_token *
axt_mend_at(const struct axt_mend *m, int i)
{
	return m->t + (i < 0 || i > m->n ? m->n : i);
}

bool
axt_mend_is(const struct axt_mend *m, int i, const char *s)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);

	return !t->quoted && t->kind != AXT_CALC_END && t->n == strlen(s) &&
	    strncmp(t->s, s, t->n) == 0;
}

bool
axt_mend_glued(const struct axt_mend *m, int i)
{
	return i > 0 && i < m->n && m->t[i - 1].s + m->t[i - 1].n == m->t[i].s;
}

bool
axt_mend_is_name(const struct axt_mend *m, int i)
{
	return axt_mend_at(m, i)->kind == AXT_CALC_NAME;
}

bool
axt_mend_begins(const struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);

	return t->kind == AXT_CALC_NAME || t->kind == AXT_CALC_NUMBER || axt_mend_is(m, i, "(");
}

bool
axt_mend_ends(const struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);

	return t->kind == AXT_CALC_NAME || t->kind == AXT_CALC_NUMBER || axt_mend_is(m, i, ")") ||
	    axt_mend_is(m, i, "]");
}

int
axt_mend_first(const struct axt_mend *m, int i)
{
	for (;;) {
		while ((axt_mend_is(m, i, ")") || axt_mend_is(m, i, "]")) && m->t[i].mate >= 0) {
			int open = m->t[i].mate;

			if (open == 0 || !axt_mend_ends(m, open - 1) ||
			    m->t[open - 1].kind == AXT_CALC_NUMBER)
				return open;
			i = open - 1;
		}
		if (i < 2 || !axt_mend_is_name(m, i) || !axt_mend_is(m, i - 1, ".") ||
		    !axt_mend_ends(m, i - 2))
			return i;
		i -= 2;
	}
}

int
axt_mend_last(const struct axt_mend *m, int i)
{
	if (axt_mend_is(m, i, "(") && m->t[i].mate >= 0)
		i = m->t[i].mate;
	while ((axt_mend_is(m, i + 1, "(") || axt_mend_is(m, i + 1, "[")) && m->t[i + 1].mate >= 0)
		i = m->t[i + 1].mate;
	return i;
}

int
axt_mend_from(const struct axt_mend *m, int i)
{
	for (i--; i >= 0; i--) {
		if (m->t[i].mate >= 0 && m->t[i].mate < i)
			i = m->t[i].mate;
		else if (m->t[i].kind == AXT_CALC_SEP || axt_mend_is(m, i, "(") ||
		    axt_mend_is(m, i, "[") || axt_mend_is(m, i, ",") || axt_mend_is(m, i, "="))
			break;
	}
	return i + 1;
}

int
axt_mend_to(const struct axt_mend *m, int i)
{
	for (; i < m->n; i++) {
		if (m->t[i].mate > i)
			i = m->t[i].mate;
		else if (m->t[i].kind == AXT_CALC_SEP || axt_mend_is(m, i, ")") ||
		    axt_mend_is(m, i, "]") || axt_mend_is(m, i, ","))
			break;
	}
	return i;
}

const char *
axt_mend_text(const struct axt_mend *m, int from, int to)
{
	const char *s = from >= to ? ""
				   : axt_strndup(m->c->g->m, m->t[from].s,
					 (size_t)(m->t[to - 1].s + m->t[to - 1].n - m->t[from].s));

	return s ? s : "";
}

const char *
axt_mend_word(const struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);
	const char *s = axt_strndup(m->c->g->m, t->s + t->quoted, t->n - 2 * (size_t)t->quoted);

	return s ? s : "";
}

double
axt_mend_number(const struct axt_mend *m, int from, int to)
{
	struct axt_num n;

	return axt_parse_num(axt_mend_text(m, from, to), &n) ? n.f : 0;
}

bool
axt_mend_put(struct axt_mend *m, int from, int to, const char *fmt, ...)
{
	const char *at = m->t[from].s, *end = from < to ? m->t[to - 1].s + m->t[to - 1].n : at;
	char s[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	m->out = axt_sprintf(m->c->g->m, "%.*s%s%s", (int)(at - m->text), m->text, s, end);
	return m->out != NULL;
}

bool
axt_mend_args(const struct axt_mend *m, int open, struct axt_mend_args *a)
{
	int end = axt_mend_at(m, open)->mate;

	a->n = 0;
	if (end <= open + 1)
		return false;
	for (int i = open + 1; i <= end; i = a->to[a->n++] + 1) {
		if (a->n == ARRAY_LEN(a->from))
			return false;
		a->from[a->n] = i;
		a->to[a->n] = axt_mend_to(m, i);
		if (a->to[a->n] == i || a->to[a->n] > end)
			return false;
	}
	return true;
}

/* ---- names ---- */

const struct axt_calc_name *
axt_mend_known(const struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);

	for (const struct axt_calc_name *x = t->kind == AXT_CALC_NAME ? m->c->names : NULL; x;
	     x = x->next)
		if (strlen(x->name) == t->n && strncmp(x->name, t->s, t->n) == 0)
			return x;
	return NULL;
}

bool
axt_mend_assigned(const struct axt_mend *m, int i)
{
	const char *w = axt_mend_text(m, i, i + 1);

	for (int k = 0; k < m->n; k++)
		if (axt_mend_is_name(m, k) && axt_mend_is(m, k + 1, "=") && axt_mend_is(m, k, w) &&
		    (k == 0 || m->t[k - 1].kind == AXT_CALC_SEP))
			return true;
	return false;
}

bool
axt_mend_is_axis(const struct axt_mend *m, const char *s)
{
	for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
		for (int k = 0; k < x->e->axes.n; k++)
			if (strcmp(x->e->axes.a[k].name, s) == 0)
				return true;
	return false;
}

const char *
axt_mend_new_axis(const struct axt_mend *m, const char *name)
{
	static const char *const letters[] = { "j", "k", "l", "m" };
	int64_t number;
	const char *s;

	if (strncmp(name, "dim_", 4) == 0 && axt_parse_int(name + 4, 0, 3, &number))
		return letters[number];
	s = axt_sprintf(m->c->g->m, "%s2", name);
	return s ? s : name;
}

/* ---- rules ---- */

const char *
axt_mend_once(struct axt_calc *c, const char *text)
{
	axt_mend_rule *const *const all[] = { axt_mend_names, axt_mend_xarray, axt_mend_words,
		axt_mend_signs, axt_mend_calls, axt_mend_parts, axt_mend_near,
		axt_mend_last_words };
	struct axt_mend m = { .c = c, .text = text };
	const char *s = axt_mend_ascii(c, text);

	if (s)
		return s;
	if (!split(&m))
		return NULL;
	for (int k = 0; k < ARRAY_LEN(all); k++)
		for (axt_mend_rule *const *r = all[k]; *r; r++)
			for (int i = 0; i < m.n; i++)
				if ((*r)(&m, i) && m.out && strcmp(m.out, text) != 0)
					return m.out;
	return NULL;
}
