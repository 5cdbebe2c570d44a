/*
 * recall.c - calls as other languages write them, made calls of axt-calc: names of functions and
 * parameters are found in the rows of operations, positions of axes become names, and values of
 * Python, such as None and True, what they mean in axt-calc.
 */
#include <ctype.h>
#include <stdlib.h>

#include "axt_cmd.h"
#include "calc/call.h"
#include "calc/respell.h"
#include "calc/rewrite.h"

#define text axt_rw_text

struct call {
	struct axt_rw *w;
	int at, end; /* tokens: of the name, and of the ")" */
	const struct axt_operation *op;
	int most; /* values that it takes */
	struct axt_rw_args a;
	const struct axt_expr *of; /* the first value; NULL: not known */
	const char *now[24];       /* of arguments: other texts, "" where they are left out */
	bool given[64];            /* of parameters */
};

static const char *
in_parentheses(const struct call *c, const char *list)
{
	return axt_respell_parentheses(c->w->c->g, list);
}

static const char *
axes(const struct call *c, int from, int to)
{
	return c->of ? axt_respell_axes(c->w->c->g, c->of, text(c->w, from, to)) : NULL;
}

/* The parameter that takes axes which are there: one without a name, over or along. */
static int
axes_param(const struct call *c)
{
	static const char *const names[] = { "over", "along" };

	for (int i = 0; c->op->params[i].name; i++)
		if (c->op->params[i].type == AXT_PARAM_AXES &&
		    (c->op->params[i].flags & AXT_PARAM_BARE))
			return c->op->params[i].flags & (AXT_PARAM_NEW | AXT_PARAM_LENGTHS) ? -1
											    : i;
	for (int i = 0; i < ARRAY_LEN(names); i++) {
		int k = axt_param_named(c->op, names[i], strlen(names[i]));

		if (k >= 0)
			return k;
	}
	return -1;
}

static bool
has_specs(const struct call *c)
{
	for (const struct axt_param *p = c->op->params; p->name; p++)
		if (p->type == AXT_PARAM_SPECS ||
		    (p->type == AXT_PARAM_AXES && (p->flags & AXT_PARAM_BARE) &&
			((p->flags & AXT_PARAM_LENGTHS) || p->arg)))
			return true;
	return false;
}

/* The parameter that a name of another tool means, or one that is much like it; -1: none. */
static int
param_meant(const struct call *c, const char *name)
{
	const char *names[64], *ours, *near;
	int n = 0, i = axt_param_named(c->op, name, strlen(name));

	if (i >= 0)
		return i;
	for (int k = 0; (ours = axt_foreign_option(name, k)); k++) {
		char key[40];

		snprintf(key, sizeof(key), "%s", ours);
		for (char *p = key; *p; p++)
			*p = *p == '-' ? '_' : *p;
		i = axt_choice("over|along", key) >= 0 ? axes_param(c)
						       : axt_param_named(c->op, key, strlen(key));
		if (i >= 0)
			return i;
	}
	for (; c->op->params[n].name && n < ARRAY_LEN(names); n++)
		names[n] = c->op->params[n].name;
	near = has_specs(c) ? NULL : axt_nearest(name, names, n);
	return near ? axt_param_named(c->op, near, strlen(near)) : -1;
}

/* A number that is to be below 1: 90 is 0.9. */
static const char *
fraction(const struct call *c, const struct axt_param *p, const char *s)
{
	double v = axt_is_number(s) ? strtod(s, NULL) : 0;

	return p->hi == 1 && v > 1 && v <= 100 ? axt_sprintf(c->w->c->g->m, "%.10g", v / 100) : s;
}

/* The value of a parameter as it is typed here; "": it says nothing; NULL: it stays as it is. */
static const char *
value(const struct call *c, const struct axt_param *p, int from, int to)
{
	const char *s = text(c->w, from, to), *list;

	switch (p->type) {
	case AXT_PARAM_AXES:
		if (axt_respell_is_all(s))
			return "";
		list = p->flags & AXT_PARAM_NEW ? NULL : axes(c, from, to);
		return list && axt_respell_is_list(s, list) ? NULL : in_parentheses(c, list);
	case AXT_PARAM_FLAG: return axt_respell_flag(s);
	case AXT_PARAM_DTYPE: return axt_respell_dtype(c->w->c->g, s);
	case AXT_PARAM_NUMBER: return fraction(c, p, s);
	case AXT_PARAM_CHOICE:
		list = axt_respell_list(c->w->c->g, s);
		return list && axt_choice(p->words, list) >= 0 ? list : NULL;
	default: return NULL;
	}
}

/* NAME=VALUE: the parameter's name, and the value by its type. */
static const char *
named(struct call *c, int k, int at)
{
	int from = c->a.from[k], to = c->a.to[k];
	const char *name = axt_rw_word(c->w, from), *s;
	int i = has_specs(c) && axt_rw_is_axis(c->w, name) ? -1 : param_meant(c, name);
	struct axt_graph *g = c->w->c->g;

	if (i < 0 && has_specs(c)) {
		s = in_parentheses(c, axt_respell_spec(g, text(c->w, at, to), 0));
		return s && (axt_rw_is(c->w, at, "[") || axt_rw_is(c->w, at, "slice"))
		    ? axt_sprintf(g->m, "%s=%s", name, s)
		    : NULL;
	}
	if (i < 0)
		return axt_rw_known(c->w, from)
		    ? axt_sprintf(g->m, "%s == %s", name, text(c->w, at, to))
		    : NULL;
	c->given[i] = true;
	s = value(c, &c->op->params[i], at, to);
	if (s && !*s)
		return "";
	s = s ? s : text(c->w, at, to);
	return c->op->params[i].flags & AXT_PARAM_BARE
	    ? s
	    : axt_sprintf(g->m, "%s=%s", c->op->params[i].name, s);
}

/* A value more than the function takes: axes, a dtype, or a number that a parameter is. */
static const char *
unnamed(struct call *c, int from, int to)
{
	const struct axt_param *p = c->op->params;
	int i = axes_param(c), colon = -1;
	struct axt_graph *g = c->w->c->g;
	const char *s = text(c->w, from, to), *list;

	if (c->op->colon)
		colon = axt_param_named(c->op, c->op->colon, strcspn(c->op->colon, " "));
	if (colon >= 0 && !c->given[colon] && axt_is_number(s)) {
		c->given[colon] = true;
		return axt_sprintf(g->m, "%s=%s", p[colon].name, fraction(c, &p[colon], s));
	}
	list = axt_respell_list(g, s);
	if (list && axt_respell_is_all(list))
		return "";
	for (int k = 0; i < 0 && p[k].name; k++)
		if (p[k].type == AXT_PARAM_DTYPE && (p[k].flags & AXT_PARAM_BARE))
			return axt_respell_dtype(g, s);
	list = i >= 0 && !c->given[i] ? in_parentheses(c, axes(c, from, to)) : NULL;
	if (!list || (p[i].flags & AXT_PARAM_BARE))
		return list;
	c->given[i] = true;
	return axt_sprintf(g->m, "%s=%s", p[i].name, list);
}

static void
respell_arguments(struct call *c)
{
	int values = 0;

	for (int k = 0; k < c->a.n; k++) {
		int at = axt_rw_value(c->w, c->a.from[k], c->a.to[k]);

		if (at > 0)
			c->now[k] = named(c, k, at);
		else if (++values > c->most)
			c->now[k] = unnamed(c, c->a.from[k], c->a.to[k]);
	}
}

/* ", along=AXIS" where an axis is missing: that of time, or else the last one. */
static const char *
missing_axis(const struct call *c)
{
	int i = axes_param(c), n = c->of ? c->of->axes.n : 0;
	const char *axis = n ? c->of->axes.a[n - 1].name : "", *usual;

	if (i < 0 || n == 0 || c->given[i] || !(c->op->params[i].flags & AXT_PARAM_REQUIRED) ||
	    (c->op->params[i].flags & (AXT_PARAM_WORD | AXT_PARAM_NEW)))
		return "";
	usual = axt_rw_usual(c->w, "time");
	if (usual && axt_axes_spelled(&c->of->axes, usual) >= 0)
		axis = usual;
	return axt_sprintf(c->w->c->g->m, ", %s=%s", c->op->params[i].name, axis);
}

/* The call with its arguments as they are now. */
static bool
put(struct call *c)
{
	struct axt_rw *w = c->w;
	struct axt_buf b = { 0 };
	const char *last = missing_axis(c), *end = w->t[c->at + 2].s;
	bool done = false;

	axt_buf_add(&b, w->t[c->at].s, (size_t)(end - w->t[c->at].s));
	for (int k = 0; k < c->a.n; k++) {
		const char *s = c->now[k] ? c->now[k] : text(w, c->a.from[k], c->a.to[k]);

		if (*s)
			axt_buf_add(&b, end, (size_t)(w->t[c->a.from[k]].s - end));
		axt_buf_adds(&b, s);
		end = w->t[c->a.to[k] - 1].s + w->t[c->a.to[k] - 1].n;
	}
	axt_buf_addf(&b, "%s)", last ? last : "");
	if (!b.bad)
		done = axt_rw_put(w, c->at, c->end + 1, b.p);
	axt_buf_release(&b);
	return done;
}

bool
axt_rw_calls(struct axt_rw *w, int i)
{
	struct call c = { .w = w, .at = i };
	const struct axt_alias *alias;
	const char *name = axt_rw_is_name(w, i) ? axt_rw_word(w, i) : "";

	if (!*name || !axt_rw_is(w, i + 1, "(") || axt_rw_is(w, i - 1, ".") ||
	    axt_rw_operand(w, i) || !axt_rw_args(w, i + 1, &c.a))
		return false;
	c.op = axt_operation_named(name, &alias);
	if (!c.op) {
		name = axt_rw_function(w, name);
		return name && axt_rw_put(w, i, i + 1, name);
	}
	if (c.a.n == 0)
		return false;
	c.end = w->t[i + 1].mate;
	axt_operation_operands(c.op, &c.most);
	c.most = c.op->flags & AXT_OPERATION_MANY ? AXT_CALC_ARGS
						  : c.most + (alias && alias->second);
	c.of = axt_rw_built(w, i, text(w, c.a.from[0], c.a.to[0]));
	respell_arguments(&c);
	return put(&c);
}
