/* meaning.c - what the words of an expression mean, as its operands and operations say. */
#include <ctype.h>

#include "axt_cmd.h"
#include "calc/call.h"
#include "calc/rewrite.h"

const struct axt_calc_name *
axt_rw_operand(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	for (const struct axt_calc_name *x = t->kind == AXT_CALC_NAME ? w->c->names : NULL; x;
	     x = x->next)
		if (strlen(x->name) == t->n && strncmp(x->name, t->s, t->n) == 0)
			return x;
	return NULL;
}

bool
axt_rw_known(const struct axt_rw *w, int i)
{
	const char *s = axt_rw_word(w, i);

	if (axt_rw_operand(w, i))
		return true;
	for (int k = 0; k < w->n && axt_rw_is_name(w, i); k++)
		if (axt_rw_is(w, k, s) && axt_rw_is(w, k + 1, "=") &&
		    (k == 0 || w->t[k - 1].kind == AXT_CALC_SEP))
			return true;
	return false;
}

bool
axt_rw_is_axis(const struct axt_rw *w, const char *s)
{
	for (const struct axt_calc_name *x = w->c->names; x; x = x->next)
		if (axt_axes_spelled(&x->e->axes, s) >= 0)
			return true;
	return false;
}

struct axt_expr *
axt_rw_built(const struct axt_rw *w, int i, const char *text)
{
	struct axt_graph *g = w->c->g;
	struct axt_expr *e[64];
	const char *all = text;
	int depth = 0, n;

	for (i--; i >= 0 && all == text; i--) {
		depth += (w->t[i].mate > i) - (w->t[i].mate >= 0 && w->t[i].mate < i);
		if (w->t[i].kind == AXT_CALC_SEP && depth >= 0)
			all = axt_sprintf(g->m, "%s\n%s", axt_rw_text(w, 0, i), text);
	}
	g->err = (struct axt_err){ 0 };
	n = all ? axt_calc(g, all, w->name, w->operand, w->noperands, e, ARRAY_LEN(e)) : 0;
	g->err = (struct axt_err){ 0 };
	return n > 0 ? e[0] : NULL;
}

static const char *
find_function(const struct axt_rw *w, const char *word)
{
	char *small = axt_strdup(w->c->g->m, word);
	const char *ours;
	char line[500];

	if (axt_calc_is_function(word) || !small)
		return small;
	for (char *p = small; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (axt_calc_is_function(small))
		return small;
	for (int k = 0; (ours = axt_foreign_name(small, k)); k++)
		if (axt_calc_is_function(ours))
			return ours;
	if (axt_foreign_line(word, line, sizeof(line)))
		return NULL;
	return strlen(word) > 3 ? axt_calc_near(word) : NULL;
}

const char *
axt_rw_function(const struct axt_rw *w, const char *word)
{
	struct axt_rw_function *x = *w->functions;

	while (x && strcmp(x->word, word) != 0)
		x = x->next;
	if (x || !(x = axt_alloc(w->c->g->m, sizeof(*x))))
		return x ? x->ours : NULL;
	*x = (struct axt_rw_function){ word, find_function(w, word), *w->functions };
	*w->functions = x;
	return x->ours;
}

const char *
axt_rw_usual(const struct axt_rw *w, const char *word)
{
	const char *own = NULL;

	for (const struct axt_calc_name *x = w->c->names; x && strlen(word) > 1; x = x->next) {
		int k = axt_axes_meant(&x->e->axes, word);

		if (k < 0)
			continue;
		if (own && strcmp(own, x->e->axes.a[k].name) != 0)
			return NULL;
		own = x->e->axes.a[k].name;
	}
	return own;
}

const char *
axt_rw_path(const struct axt_rw *w, const char *words)
{
	const char *found = NULL;
	size_t n = strlen(words);

	for (const struct axt_calc_name *x = w->c->names; x; x = x->next) {
		size_t len = strlen(x->name);

		if (x->name[0] != '/' || len < n + 1 || strcmp(x->name + len - n, words) != 0 ||
		    x->name[len - n - 1] != '/')
			continue;
		found = x->name; /* the first that was given, as the list begins with the last */
		if (len == n + 1)
			break;
	}
	return found;
}
