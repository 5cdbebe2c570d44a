/* reword.c - hints that are commands, as expressions. */
#include "base/quote.h"
#include "calc/calc.h"

/* The axis that the message is about, as it was typed, or NULL. */
static const char *
axis_of(struct axt_calc *c)
{
	const char *s = strstr(c->g->err.text, "axis \""), *end = s ? strchr(s + 6, '"') : NULL;

	return end ? axt_calc_copy(c, s + 6, (size_t)(end - s) - 6) : NULL;
}

/* Whether the hint is to take the tensor y at the coordinates of x; where it goes on. */
static const char *
takes_like(struct axt_calc *c, const struct axt_expr *x, const struct axt_expr *y)
{
	const char *s = axt_sprintf(c->g->m, "axt-take --like %s %s ",
	    axt_typed(c->g->m, "%s", x->from), axt_typed(c->g->m, "%s", y->from));
	size_t n = s ? strlen(s) : 0;

	return s && strncmp(c->g->err.hint, s, n) == 0 ? c->g->err.hint + n : NULL;
}

void
axt_calc_reword(struct axt_calc *c)
{
	const char *axis, *rest;

	if (strncmp(c->g->err.hint, "axt-take --like ", 16) != 0 || !(axis = axis_of(c)))
		return;
	for (struct axt_calc_name *x = c->names; x; x = x->next)
		for (struct axt_calc_name *y = c->names; y; y = y->next) {
			if (!x->operand || !y->operand || !(rest = takes_like(c, x->e, y->e)))
				continue;
			rest = axt_strdup(c->g->m, rest);
			c->g->err.hint[0] = '\0';
			axt_hint(&c->g->err, "take(%s, %s@%s.%s) %s", y->name, axis, x->name, axis,
			    rest ? rest : "");
			return;
		}
}
