/* reword.c - hints that are commands, as expressions. */
#include "base/quote.h"
#include "calc/calc.h"

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
	const struct axt_fact *fact = &c->g->err.fact;
	const char *axis = axt_escape(c->g->m, fact->word), *rest;

	if ((fact->about != AXT_LENGTHS && fact->about != AXT_COORDINATES) || !*fact->word)
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
