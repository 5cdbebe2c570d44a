/*
 * agree.c - what the tensors in one group of an output share. The group has one dataset of a name,
 * so that its axes of one name must have the same coordinates. A coordinate without axes, such as
 * the place of a section, is kept for the first tensor that has it, and not for tensors with other
 * values.
 */
#include "out/inner.h"

/* The length of the group's path in the name of a result. */
static size_t
group_of(const char *name)
{
	return (size_t)(axt_last_part(name) - name);
}

/* ---- axes ---- */

/* An axis of a group in the output, as the first result has it. */
struct seen {
	const char *result; /* the name of that result */
	struct axt_axis *axis;
	struct seen *next;
};

static bool
in_one_group(const char *a, const char *b)
{
	return group_of(a) == group_of(b) && strncmp(a, b, group_of(a)) == 0;
}

/* Whether no dataset that e is made of first has the axis, so that it cannot be renamed there. */
static bool
made_here(const struct axt_expr *e, const struct axt_axis *a)
{
	while (e->nargs > 0)
		e = e->arg[0];
	return axt_axes_find(&e->axes, a) < 0;
}

/* Fails: axis i of v has other coordinates than the axis of that name in an earlier result. */
static int
other_axis(struct axt_graph *g, const struct axt_out_var *v, const struct axt_expr *e, int i,
    const struct seen *s, const struct axt_err *why)
{
	const char *name = axt_axis_spell(g->m, &v->axes.a[i]),
		   *other = axt_sprintf(g->m, "%s2", name);
	const char *units = strstr(why->text, " has units "), *told = strstr(why->text, ": ");

	axt_fail(&g->err, AXT_E_COORD,
	    "axis \"%s\" has other coordinates in %s than in %s, and a file has one axis of a "
	    "name%s%s",
	    axt_escape(g->m, name), axt_escape(g->m, v->name), axt_escape(g->m, s->result),
	    units ? ": it" : "",
	    units      ? units
		: told ? told
		       : "");
	axt_about(&g->err, AXT_COORDINATES, name, v->name);
	axt_about_among(&g->err, v->name);
	axt_about_among(&g->err, s->result);
	if (made_here(e, &v->axes.a[i]))
		axt_hint(&g->err, "each goes to a file of its own");
	axt_hint(&g->err, "each goes to a file of its own, or one gets another axis: %s",
	    axt_rename_typed(g, e, axt_sprintf(g->m, "%s=%s", name, other)));
	return g->err.code;
}

/*
 * Gives axes of one name in a group the same coordinates: those of the first result that has some.
 */
static int
agree_on_axes(struct axt_graph *g, struct axt_out_var *v, struct axt_expr *const e[], int n)
{
	struct seen *all = NULL;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < v[i].axes.n; k++) {
			struct axt_axis *a = &v[i].axes.a[k], met;
			struct axt_err why = { 0 };
			struct seen *s = all;

			while (
			    s && !(axt_axis_same(s->axis, a) && in_one_group(s->result, v[i].name)))
				s = s->next;
			if (!s) {
				s = axt_alloc(g->m, sizeof(*s));
				if (!s)
					return axt_fail(&g->err, AXT_E_MEM, "out of memory");
				*s = (struct seen){ v[i].name, a, all };
				all = s;
			} else if (s->axis->len != a->len) {
				continue; /* refused, or written without scales, when they are */
			} else if (axt_axis_meet(g->m, s->axis, a, &g->join, &met, &why)) {
				return other_axis(g, &v[i], e[i], k, s, &why);
			} else if (axt_axis_has_values(s->axis) != axt_axis_has_values(a)) {
				axt_warn(g,
				    "%s has no coordinates along \"%s\", and gets those of %s",
				    axt_escape(g->m,
					axt_axis_has_values(a) ? s->result : v[i].name),
				    axt_escape(g->m, a->name),
				    axt_escape(g->m,
					axt_axis_has_values(a) ? v[i].name : s->result));
				s->axis->coord = a->coord = met.coord;
			}
		}
	return 0;
}

/* ---- coordinates without axes ---- */

/* Stands for a dataset of that name that has axes. */
static const struct axt_aux with_axes = { .axes = { .n = 1 } };

/* What a result has under that name: a dataset beside it, or one of its axes; or NULL. */
static const struct axt_aux *
of_result(const struct axt_out_var *v, const char *name)
{
	for (int i = 0; i < v->axes.n; i++)
		if (strcmp(v->axes.a[i].name, name) == 0)
			return &with_axes;
	return axt_aux_find(v->aux, name);
}

/* Leaves out x, which v[i] has, where another result of its group has another of that name. */
static int
leave_other(struct axt_graph *g, struct axt_out_var *v, int n, int i, const struct axt_aux *x)
{
	for (int k = 0; k < n; k++) {
		const struct axt_aux *there = k != i && in_one_group(v[k].name, v[i].name)
		    ? of_result(&v[k], x->name)
		    : NULL;

		/* of two coordinates without axes the first stays */
		if (!there || (k > i && there != &with_axes) ||
		    (there != &with_axes && !axt_aux_differ(g->m, x, there)))
			continue;
		axt_warn(g, AXT_AUX_LEFT, axt_escape(g->m, x->name), axt_escape(g->m, v[i].name),
		    axt_escape(g->m, v[k].name));
		return axt_aux_leave(g->m, x->name, &v[i].aux, &v[i].attrs, &g->err);
	}
	return 0;
}

int
axt_out_agree(struct axt_graph *g, struct axt_out_var *v, struct axt_expr *const e[], int n)
{
	if (agree_on_axes(g, v, e, n))
		return g->err.code;
	for (int i = 0; i < n; i++)
		for (const struct axt_aux *x = v[i].aux, *next; x; x = next) {
			next = x->next;
			if (x->axes.n == 0 && leave_other(g, v, n, i, x))
				return g->err.code;
		}
	return 0;
}
