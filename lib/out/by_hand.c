/*
 * by_hand.c - warnings of results that arithmetic has converted to other units, such as tas -
 * 273.15, and that still have the attribute of the old units.
 */
#include <math.h>

#include "out/inner.h"

/* Whether e is a constant of about this value, in any floating or integer dtype. */
static bool
is_number(const struct axt_expr *e, double x)
{
	while (e->kind == AXT_NODE_VIEW || e->kind == AXT_NODE_CONV)
		e = e->arg[0];
	return e->kind == AXT_NODE_CONST && axt_dtypes[e->dtype].cls != AXT_CLASS_COMPLEX &&
	    fabs(axt_load_f64(e->dtype, e->u.val.bytes) - x) <= 4e-7 * x;
}

/*
 * The units to which e converts values of the units `from`, if it is arithmetic by which people
 * convert units; NULL: it is none that is known.
 */
static const char *
units_by_hand(struct axt_graph *g, const struct axt_expr *e, const char *from)
{
	static const struct {
		double factor;
		const char *from,
		    *to; /* what stands at the end of units; all of them, if not a rate */
		bool rate;
	} rows[] = {
		{ 86400, "s-1", "day-1", true },
		{ 86400, "s^-1", "day-1", true },
		{ 86400, "s**-1", "day-1", true },
		{ 86400, "/s", "/day", true },
		{ 3600, "s-1", "h-1", true },
		{ 3600, "s^-1", "h-1", true },
		{ 3600, "/s", "/h", true },
		{ 0.01, "Pa", "hPa", false },
		{ 0.01, "%", "1", false },
		{ 0.01, "percent", "1", false },
		{ 100, "1", "%", false },
		{ 1000, "kg kg-1", "g kg-1", false },
	};
	size_t n = strlen(from), m;

	if (e->u.op == AXT_OP_SUB && is_number(e->arg[1], 273.15) && !axt_units_differ("K", from))
		return "degC";
	if (e->u.op == AXT_OP_ADD && !axt_units_differ("degC", from) &&
	    (is_number(e->arg[0], 273.15) || is_number(e->arg[1], 273.15)))
		return "K";
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		m = strlen(rows[i].from);
		if (n < m || strcmp(from + n - m, rows[i].from) != 0 || (!rows[i].rate && n != m) ||
		    !((e->u.op == AXT_OP_MUL &&
			  (is_number(e->arg[0], rows[i].factor) ||
			      is_number(e->arg[1], rows[i].factor))) ||
			(e->u.op == AXT_OP_DIV && is_number(e->arg[1], 1 / rows[i].factor))))
			continue;
		return axt_sprintf(g->m, "%.*s%s", (int)(n - m), from, rows[i].to);
	}
	return NULL;
}

/*
 * The power of ten by which e multiplies, if it is at least 100 or at most 0.01; 0: it is none.
 * Hardly anything but a conversion of units multiplies by that.
 */
static double
power_of_ten(const struct axt_expr *e)
{
	for (int k = 2; k <= 15; k++)
		for (int sign = -1; sign <= 1; sign += 2)
			for (int i = 0; i < 2; i++)
				if (is_number(e->arg[i], pow(10, sign * k)) &&
				    (i == 1 || e->u.op == AXT_OP_MUL))
					return pow(10,
					    e->u.op == AXT_OP_DIV ? -sign * k : sign * k);
	return 0;
}

static bool
has_units(const struct axt_expr *e, const char *units)
{
	const char *u = axt_attr_text(e->meta->attrs, "units");

	return u && strcmp(u, units) == 0;
}

/* Warns of a result that was multiplied by a power of ten, and still has its units. */
static void
check_scale(struct axt_graph *g, const struct axt_expr *e, const char *units)
{
	double by = e->u.op == AXT_OP_MUL || e->u.op == AXT_OP_DIV ? power_of_ten(e) : 0;
	const char *quoted = axt_escape(g->m, units);

	if (by == 0 || axt_units_temperature(units) || strcmp(units, "1") == 0 ||
	    (!has_units(e->arg[0], units) && !has_units(e->arg[1], units)))
		return;
	axt_warn(g,
	    "the result still has units \"%s\", and %.15g as many of them; --attr 'units=%.15g %s' says "
	    "what it counts, axt-convert --to UNITS converts values and units",
	    quoted, by, 1 / by, strcmp(units, "%") == 0 ? "percent" : quoted);
}

/* The operand of e that is no number, as the text of axt-calc has it, or "...". */
static const char *
operand_typed(const struct axt_expr *e)
{
	const struct axt_expr *a = e->arg[0];

	while (a->kind == AXT_NODE_VIEW || a->kind == AXT_NODE_CONV)
		a = a->arg[0];
	a = e->arg[a->kind == AXT_NODE_CONST];
	if (strstr(e->from, a->from))
		return a->from;
	return a->meta->name && strstr(e->from, a->meta->name) ? a->meta->name : "...";
}

/* Warns of e, which was converted by hand to the units `to`, and still has others. */
static void
warn_by_hand(struct axt_graph *g, const struct axt_expr *e, bool result, const char *units,
    const char *to)
{
	const char *quote = strchr(to, ' ') ? "'" : "";

	if (result || strcmp(e->from, "result") == 0)
		axt_warn(g,
		    "the result still has units \"%s\"; axt-convert --to %s%s%s converts values and "
		    "units, --attr %sunits=%s%s sets the units",
		    axt_escape(g->m, units), quote, axt_escape(g->m, to), quote, quote,
		    axt_escape(g->m, to), quote);
	else
		axt_warn(g,
		    "%s still has units \"%s\", and so has the result; convert(%s, \"%s\") converts "
		    "values and units, --attr units=UNITS sets those of the result",
		    e->from, axt_escape(g->m, units), operand_typed(e), axt_escape(g->m, to));
}

void
axt_doubt_sum(struct axt_graph *g, const struct axt_expr *e)
{
	while (e->kind == AXT_NODE_VIEW || e->kind == AXT_NODE_CONV)
		e = e->arg[0];
	if (e->kind != AXT_NODE_MAP || e->u.op != AXT_OP_ADD)
		return;
	for (int i = 0; i < e->nargs; i++)
		if (!axt_attrs_time(e->arg[i]->meta->attrs, NULL))
			return;
	axt_warn(g,
	    "the result is a sum of times, \"%s\", which is no time; axt-sub has the time between "
	    "two of them",
	    axt_escape(g->m, axt_attr_text(e->meta->attrs, "units")));
}

/* Warns of the result e, which has these units, if its own operation is a conversion. */
static bool
doubt_result(struct axt_graph *g, const struct axt_expr *e, const char *units)
{
	const char *to;

	while (e->kind == AXT_NODE_VIEW || e->kind == AXT_NODE_CONV)
		e = e->arg[0];
	if (e->kind != AXT_NODE_MAP || e->nargs != 2)
		return false;
	axt_doubt_sum(g, e);
	if (e->u.op == AXT_OP_SUB && is_number(e->arg[0], 273.15) && !axt_units_differ("K", units))
		axt_warn(g,
		    "the result is 273.15 minus the temperature; the other way round the "
		    "number is the last operand");
	to = units_by_hand(g, e, units);
	if (to)
		warn_by_hand(g, e, true, units, to);
	else
		check_scale(g, e, units);
	return to;
}

/* Whether e is a difference of temperatures, or a temperature that was converted there and back. */
static bool
is_right_again(const struct axt_expr *e, const char *units)
{
	if (!axt_units_temperature(units))
		return false;
	return axt_attrs_difference(e->meta->attrs) ||
	    (e->kind == AXT_NODE_MAP && e->nargs == 2 && e->u.op == AXT_OP_ADD &&
		!axt_units_differ("K", units) &&
		(is_number(e->arg[0], 273.15) || is_number(e->arg[1], 273.15)));
}

/*
 * Looks for a conversion among the nodes that the result e has its units from, beginning with the
 * last one, and warns of it. told[] marks nodes that were warned of, so that each is told once.
 */
static void
doubt_made_of(struct axt_graph *g, const struct axt_nodes *o, const struct axt_expr *e,
    const char *units, bool *told)
{
	bool *gives = axt_alloc(g->m, (size_t)o->n);

	if (!gives)
		return;
	gives[axt_nodes_at(o, e)] = true;
	for (int i = axt_nodes_at(o, e); i >= 0; i--) {
		const struct axt_expr *x = o->e[i];
		const char *to = NULL;

		if (!gives[i] || is_right_again(x, units))
			continue;
		if (x->kind == AXT_NODE_MAP && x->nargs == 2)
			to = units_by_hand(g, x, units);
		if (to && !told[i])
			warn_by_hand(g, x, false, units, to);
		told[i] = told[i] || to;
		for (int k = 0; k < x->nargs && !to; k++)
			if (x->arg[k] && has_units(x->arg[k], units))
				gives[axt_nodes_at(o, x->arg[k])] = true;
	}
}

void
axt_doubt_units(struct axt_graph *g, struct axt_expr *const e[], int n)
{
	struct axt_nodes o = { 0 };
	bool *told = NULL;

	for (int i = 0; i < n && !g->err.code; i++) {
		const struct axt_attr *u = axt_bad(e[i])
		    ? NULL
		    : axt_attr_find(e[i]->meta->attrs, "units");

		/* what the user said of the result is right */
		if (!u || u->kind != AXT_ATTR_TEXT || u->typed || doubt_result(g, e[i], u->text))
			continue;
		if (!told && axt_nodes(g, e, n, false, &o))
			return;
		if (!told && !(told = axt_alloc(g->m, (size_t)o.n)))
			return;
		doubt_made_of(g, &o, e[i], u->text, told);
	}
}
