/* tokens.c - the text of an expression as tokens that rows of rewrites.def change. */
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/rewrite.h"

#define TOKENS 500

static void
find_mates(struct axt_rw *w)
{
	int open[TOKENS], n = 0;

	for (int i = 0; i < w->n; i++) {
		char s = w->t[i].n == 1 && !w->t[i].quoted ? *w->t[i].s : '\0';

		w->t[i].mate = -1;
		if (s == '(' || s == '[' || s == '{')
			open[n++] = i;
		if (s != ')' && s != ']' && s != '}')
			continue;
		if (n > 0 && *w->t[open[n - 1]].s == (s == ')' ? '(' : s - 2)) {
			w->t[i].mate = open[--n];
			w->t[open[n]].mate = i;
		}
	}
}

bool
axt_rw_split(struct axt_rw *w)
{
	struct axt_calc c = { .g = w->c->g, .text = w->text, .p = w->text };

	w->t = axt_alloc(c.g->m, (TOKENS + 1) * sizeof(*w->t));
	for (w->n = 0; w->t; w->n++) {
		struct axt_rw_token *t = w->t + w->n;
		const char *end;

		axt_calc_next(&c);
		*t = (struct axt_rw_token){ c.tok.kind, false, c.tok.s, c.tok.n, -1 };
		if (t->kind == AXT_CALC_END)
			break;
		if (w->n == TOKENS)
			return false;
		end = axt_calc_is(&c, "\"") || axt_calc_is(&c, "'") ? strchr(t->s + 1, *t->s)
								    : NULL;
		if (!end)
			continue;
		t->quoted = true;
		t->n = (size_t)(end + 1 - t->s);
		c.p = end + 1;
	}
	if (w->t)
		find_mates(w);
	return w->t != NULL;
}

const struct axt_rw_token *
axt_rw_at(const struct axt_rw *w, int i)
{
	return w->t + (i < 0 || i > w->n ? w->n : i);
}

bool
axt_rw_is(const struct axt_rw *w, int i, const char *s)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return !t->quoted && t->kind != AXT_CALC_END && t->n == strlen(s) &&
	    strncmp(t->s, s, t->n) == 0;
}

bool
axt_rw_glued(const struct axt_rw *w, int i)
{
	return i > 0 && i < w->n && w->t[i - 1].s + w->t[i - 1].n == w->t[i].s;
}

bool
axt_rw_is_name(const struct axt_rw *w, int i)
{
	return axt_rw_at(w, i)->kind == AXT_CALC_NAME;
}

/* Whether token i is one of the signs, each of one character. */
static bool
is_one(const struct axt_rw *w, int i, const char *signs)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return t->kind == AXT_CALC_SIGN && t->n == 1 && !t->quoted && strchr(signs, *t->s);
}

bool
axt_rw_begins(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return t->kind == AXT_CALC_NAME || t->kind == AXT_CALC_NUMBER || t->quoted ||
	    is_one(w, i, "(");
}

bool
axt_rw_ends(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return t->kind == AXT_CALC_NAME || t->kind == AXT_CALC_NUMBER || t->quoted ||
	    is_one(w, i, ")]}");
}

bool
axt_rw_bounds(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	return t->kind == AXT_CALC_END || t->kind == AXT_CALC_SEP || is_one(w, i, ")]},");
}

int
axt_rw_longer(const struct axt_rw *w, int from, int to)
{
	bool bracket = is_one(w, to, "([") && w->t[to].mate > to;

	if (to == from && !is_one(w, to, "["))
		return bracket ? w->t[to].mate + 1 : axt_rw_begins(w, to) ? to + 1 : -1;
	if (to > from && bracket && w->t[to - 1].kind != AXT_CALC_NUMBER &&
	    (*w->t[to].s == '[' || axt_rw_is_name(w, to - 1)))
		return w->t[to].mate + 1;
	return to > from && axt_rw_is(w, to, ".") && axt_rw_is_name(w, to + 1) ? to + 2 : -1;
}

const char *
axt_rw_text(const struct axt_rw *w, int from, int to)
{
	const char *s = from >= to ? ""
				   : axt_strndup(w->c->g->m, w->t[from].s,
					 (size_t)(w->t[to - 1].s + w->t[to - 1].n - w->t[from].s));

	return s ? s : "";
}

const char *
axt_rw_word(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);
	const char *s = axt_strndup(w->c->g->m, t->s + t->quoted, t->n - 2 * (size_t)t->quoted);

	return s ? s : "";
}

bool
axt_rw_put(struct axt_rw *w, int from, int to, const char *s)
{
	const char *at = w->t[from].s, *end = from < to ? w->t[to - 1].s + w->t[to - 1].n : at;

	w->out = axt_sprintf(w->c->g->m, "%.*s%s%s", (int)(at - w->text), w->text, s, end);
	return w->out && strcmp(w->out, w->text) != 0;
}

/* The token behind the argument that begins with token i. */
static int
behind(const struct axt_rw *w, int i)
{
	while (i < w->n && !axt_rw_bounds(w, i))
		i = w->t[i].mate > i ? w->t[i].mate + 1 : i + 1;
	return i;
}

bool
axt_rw_args(const struct axt_rw *w, int open, struct axt_rw_args *a)
{
	int end = axt_rw_at(w, open)->mate;

	a->n = 0;
	if (end <= open + 1)
		return end == open + 1;
	for (int i = open + 1; i <= end; i = a->to[a->n++] + 1) {
		if (a->n == ARRAY_LEN(a->from))
			return false;
		a->from[a->n] = i;
		a->to[a->n] = behind(w, i);
		if (a->to[a->n] == i || a->to[a->n] > end)
			return false;
	}
	return true;
}

int
axt_rw_value(const struct axt_rw *w, int from, int to)
{
	return axt_rw_is_name(w, from) && axt_rw_is(w, from + 1, "=") && to > from + 2 ? from + 2
										       : 0;
}
