/*
 * in_units.c - values in other units: CF times in the units of the first of several tensors, and
 * other operands in the units of the first.
 */
#include <math.h>

#include "expr/expr.h"

/* Whether a coordinate with the attributes l has the bounds of that name. */
static bool
has_bounds(const struct axt_attr *l, const char *name)
{
	const char *s = axt_attr_text(l, "bounds"), *c = axt_attr_text(l, "climatology");

	return (s && strcmp(s, name) == 0) || (c && strcmp(c, name) == 0);
}

const struct axt_attr *
axt_values_attrs(const struct axt_expr *e, const char *name, const struct axt_attr *attrs)
{
	if (!name || axt_attr_text(attrs, "units"))
		return attrs;
	for (int i = 0; i < e->axes.n; i++)
		if (e->axes.a[i].coord && has_bounds(e->axes.a[i].coord->attrs, name))
			return e->axes.a[i].coord->attrs;
	for (const struct axt_aux *x = e->meta->aux; x; x = x->next)
		if (has_bounds(x->attrs, name))
			return x->attrs;
	return attrs;
}

static bool
time_of(const struct axt_expr *e, struct axt_cftime *t)
{
	const struct axt_attr *l = axt_values_attrs(e, e->meta->name, e->meta->attrs);
	enum axt_class c = axt_dtypes[e->dtype].cls;

	return c != AXT_CLASS_BOOL && c != AXT_CLASS_COMPLEX && axt_attrs_time(l, t);
}

/*
 * How a time v in one tensor's units is converted to those of another tensor: to v * mul / div +
 * add, where mul or div is 1. other: whether the units differ at all.
 */
struct way {
	bool other;
	double mul, div, add;
};

static struct way
way(const struct axt_cftime *t, const struct axt_cftime *to)
{
	return (struct way){ .other = !axt_cftime_alike(t, to),
		.mul = t->unit > to->unit ? rint(t->unit / to->unit) : 1,
		.div = t->unit < to->unit ? rint(to->unit / t->unit) : 1,
		.add = (t->epoch - to->epoch) / to->unit };
}

/* Converts a, and gives it the attributes of the units that it is converted to. */
static struct axt_expr *
converted(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d, const struct way *w,
    const struct axt_attr *attrs)
{
	struct axt_expr *e = axt_conv(g, a, d, AXT_OVERFLOW_ERROR);
	struct axt_meta *m;

	if (w->mul != 1)
		e = axt_map2(g, AXT_OP_MUL, e, axt_const(g, d, w->mul));
	if (w->div != 1)
		e = axt_map2(g, AXT_OP_DIV, e, axt_const(g, d, w->div));
	if (w->add != 0)
		e = axt_map2(g, AXT_OP_ADD, e, axt_const(g, d, w->add));
	if (axt_bad(e) || e == a)
		return e;
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	m->attrs = attrs;
	e->from = a->from;
	return e;
}

/* Fails because months and years have no fixed length. */
static int
months_differ(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *b)
{
	return axt_fail(&g->err, AXT_E_COORD,
	    "\"%s\" in %s and \"%s\" in %s: a month has no fixed length, so neither is converted",
	    axt_escape(g->m,
		axt_attr_text(axt_values_attrs(a, a->meta->name, a->meta->attrs), "units")),
	    a->from,
	    axt_escape(g->m,
		axt_attr_text(axt_values_attrs(b, b->meta->name, b->meta->attrs), "units")),
	    b->from);
}

int
axt_times_alike(struct axt_graph *g, int n, struct axt_expr *const a[], struct axt_expr *out[],
    enum axt_dtype *d)
{
	struct way *w = axt_alloc(g->m, (size_t)n * sizeof(*w));
	bool other = false, whole = axt_dtypes[*d].cls < AXT_CLASS_FLOAT;
	struct axt_cftime to, t;

	if (!w)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < n; k++)
		out[k] = a[k];
	if (!time_of(a[0], &to))
		return 0;
	for (int k = 0; k < n; k++) {
		w[k] = (struct way){ false, 1, 1, 0 };
		if (!time_of(a[k], &t))
			continue;
		if (!axt_cftime_same_count(to.calendar, t.calendar))
			return axt_fail(&g->err, AXT_E_COORD, "calendar %s in %s, %s in %s",
			    axt_cftime_calendar(to.calendar), a[0]->from,
			    axt_cftime_calendar(t.calendar), a[k]->from);
		w[k] = way(&t, &to);
		if (w[k].other && (t.months || to.months))
			return months_differ(g, a[0], a[k]);
		other = other || w[k].other;
		whole = whole && w[k].div == 1 && w[k].add == rint(w[k].add);
	}
	if (!other)
		return 0;
	*d = whole ? AXT_I64 : AXT_F64;
	for (int k = 0; k < n; k++)
		if (w[k].other) {
			out[k] = converted(g, a[k], *d, &w[k], a[0]->meta->attrs);
			if (axt_bad(out[k]))
				return g->err.code;
		}
	return 0;
}

/* ---- other units ---- */

/* Whether values of the unit `from` can be converted to `to`; of NULL they cannot. */
static bool
fits(const char *from, const char *to)
{
	struct axt_units_way w;
	const char *absent;

	return from && axt_units_way(from, to, &w, &absent) == AXT_UNITS_FIT;
}

/* Whether a mass of water on an area, or its rate, can be told as the height `to`. */
static bool
are_of_water(struct axt_graph *g, const char *mass, const char *to)
{
	return fits(axt_sprintf(g->m, "(%s) (0.001 m3 kg-1)", mass), to);
}

/* The unit with the mass of water on an area in the place of its height; NULL: it has no mm. */
static const char *
as_mass(struct axt_graph *g, const char *to)
{
	const char *mm = strstr(to, "mm");

	return mm ? axt_sprintf(g->m, "%.*skg m-2%s", (int)(mm - to), to, mm + 2) : NULL;
}

/* Whether `amount` is what the unit `rate` gives in a time. */
static bool
is_rate_of(struct axt_graph *g, const char *rate, const char *amount)
{
	return fits(axt_sprintf(g->m, "(%s) s", rate), amount);
}

/* Why there is no way, as the end of a sentence. */
static const char *
why_not(struct axt_graph *g, enum axt_units_fit fit, const char *from, const char *to)
{
	static const char *const usual[] = { "celsius", "fahrenheit", "kelvin", "degC", "degF",
		"pascal", "meter", "second", "minute", "percent", "radian", "degree" };
	const char *near;

	if (fit == AXT_UNITS_CURVED)
		return "one of them is logarithmic";
	if (fit == AXT_UNITS_APART && (strcmp(from, "C") == 0 || strcmp(to, "C") == 0))
		return "\"C\" is the coulomb; degrees Celsius are \"degC\"";
	if (fit == AXT_UNITS_APART && (strcmp(from, "F") == 0 || strcmp(to, "F") == 0))
		return "\"F\" is the farad; degrees Fahrenheit are \"degF\"";
	if (fit == AXT_UNITS_APART && (are_of_water(g, from, to) || are_of_water(g, to, from)))
		return "they measure different things; of water 1 kg m-2 is 1 mm";
	if (fit == AXT_UNITS_APART && is_rate_of(g, from, to))
		return "the first is a rate; times the time that a value stands for it is an amount";
	if (fit == AXT_UNITS_APART && is_rate_of(g, to, from))
		return "the second is a rate; divide by the time that a value stands for";
	if (fit == AXT_UNITS_APART)
		return "they measure different things";
	from = fit == AXT_UNITS_FROM_UNKNOWN ? from : to;
	if (strstr(from, "decade") || strstr(from, "century"))
		return axt_sprintf(g->m, "UDUNITS does not know \"%s\"; K per %s is 'K/(%d year)'",
		    axt_escape(g->m, from), strstr(from, "decade") ? "decade" : "century",
		    strstr(from, "decade") ? 10 : 100);
	near = axt_nearest(from, usual, ARRAY_LEN(usual));
	return axt_sprintf(g->m,
	    near ? "UDUNITS does not know \"%s\"; did you mean \"%s\"?"
		 : "UDUNITS does not know \"%s\"",
	    axt_escape(g->m, from), near);
}

/* The way from months or years since a date, whose instants are looked up in the calendar. */
static int
stepped(struct axt_graph *g, const char *from, const char *what, const char *to,
    const struct axt_cftime *t, const struct axt_cftime *as, struct axt_units_way *out)
{
	struct axt_cftime *both = axt_alloc(g->m, 2 * sizeof(*both));

	if (as->months) {
		axt_fail(&g->err, AXT_E_ARG,
		    "units \"%s\" (%s) cannot be converted to \"%s\": a month has no fixed length",
		    axt_escape(g->m, from), what, axt_escape(g->m, to));
		return axt_about(&g->err, AXT_UNITS, from, to);
	}
	if (!both)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	both[0] = *t;
	both[1] = *as;
	out->from = &both[0];
	out->to = &both[1];
	return 0;
}

int
axt_units_find(struct axt_graph *g, const struct axt_attr *l, const char *to, const char *what,
    struct axt_units_way *out)
{
	const char *from = axt_attr_text(l, "units"), *absent = NULL;
	struct axt_cftime t, as;
	enum axt_units_fit fit;

	if (!from || !*from) {
		axt_fail(&g->err, AXT_E_NAME, "%s has no units to convert to \"%s\"", what,
		    axt_escape(g->m, to));
		axt_about(&g->err, AXT_UNITS, NULL, to);
		axt_hint(&g->err, "axt-attr units=K FILE tells them");
		return g->err.code;
	}
	if (axt_cftime_parse(from, axt_attr_text(l, "calendar"), &t) &&
	    axt_cftime_parse(to, axt_attr_text(l, "calendar"), &as)) {
		*out = (struct axt_units_way){ t.unit / as.unit, (t.epoch - as.epoch) / as.unit,
			NULL, NULL };
		if (axt_cftime_alike(&t, &as) || !(t.months || as.months))
			return 0;
		return stepped(g, from, what, to, &t, &as, out);
	}
	fit = axt_units_way(axt_units_in_calendar(g->m, from, axt_attr_text(l, "calendar")),
	    axt_units_in_calendar(g->m, to, axt_attr_text(l, "calendar")), out, &absent);
	if (axt_attrs_difference(l))
		out->offset = 0;
	if (fit == AXT_UNITS_FIT)
		return 0;
	if (fit == AXT_UNITS_ABSENT)
		axt_fail(&g->err, AXT_E_NOSYS, "\"%s\" to \"%s\" (%s): %s", axt_escape(g->m, from),
		    axt_escape(g->m, to), what, absent);
	else
		axt_fail(&g->err, AXT_E_ARG, "units \"%s\" (%s) cannot be converted to \"%s\": %s",
		    axt_escape(g->m, from), what, axt_escape(g->m, to), why_not(g, fit, from, to));
	axt_about(&g->err, AXT_UNITS, from, to);
	if (fit == AXT_UNITS_APART && are_of_water(g, from, to) && as_mass(g, to))
		axt_hint_option(&g->err, "to", "%s", as_mass(g, to));
	return g->err.code;
}

struct axt_expr *
axt_converted(struct axt_graph *g, struct axt_expr *a, const struct axt_units_way *w,
    const char *units)
{
	bool complex = axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX,
	     real = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT;
	enum axt_dtype d = complex ? AXT_C128 : AXT_F64;
	struct axt_attr at = { .name = "units", .kind = AXT_ATTR_TEXT, .text = units };
	struct axt_expr *e = a;
	struct axt_meta *m;

	if (w->from)
		return axt_graph_fail(g, AXT_E_ARG,
		    "%s counts months, which have no fixed length: only coordinates are converted",
		    a->from);
	if (w->scale != 1 || w->offset != 0) {
		struct axt_expr *k[] = { axt_conv(g, a, d, AXT_OVERFLOW_ERROR),
			axt_const(g, d, w->scale), axt_const(g, d, w->offset) };

		if (axt_bad(k[0]))
			return k[0];
		e = complex ? axt_map2(g, AXT_OP_ADD, axt_map2(g, AXT_OP_MUL, k[0], k[1]), k[2])
			    : axt_map(g, AXT_OP_UNPACK, 3, k);
		e = axt_bad(e) ? e
			       : axt_conv(g, e, real || complex ? a->dtype : d, AXT_OVERFLOW_ERROR);
	}
	m = axt_dress(g, &e, a);
	if (!m)
		return e;
	axt_meta_computed(m);
	m->attrs = axt_attr_set(g->m, axt_attrs_recomputed(g->m, m->attrs), &at);
	return e;
}

struct axt_expr *
axt_units_as(struct axt_graph *g, struct axt_expr *a, const char *u, const char *first, bool *apart)
{
	const char *v = axt_attr_text(a->meta->attrs, "units"), *absent = NULL, *said;
	struct axt_units_way w;
	enum axt_units_fit fit;

	if (g->units == AXT_UNITS_IGNORE || !axt_units_differ(u, v))
		return a;
	fit = axt_units_way(v, u, &w, &absent);
	if (axt_attrs_difference(a->meta->attrs))
		w.offset = 0;
	if (fit == AXT_UNITS_FIT && w.scale == 1 && w.offset == 0)
		return a;
	said = axt_sprintf(g->m, "units differ: \"%s\" in %s, \"%s\" in %s", axt_escape(g->m, u),
	    first, axt_escape(g->m, v), a->from);
	if (g->units == AXT_UNITS_STRICT || fit == AXT_UNITS_ABSENT) {
		axt_fail(&g->err, fit == AXT_UNITS_ABSENT ? AXT_E_NOSYS : AXT_E_ARG, "%s%s%s",
		    said ? said : "", absent ? ", and " : "", absent ? absent : "");
		axt_about(&g->err, AXT_UNITS, v, u);
		axt_hint(&g->err, "--units ignore takes the numbers as they are");
		return axt_node_failed(g);
	}
	if (fit != AXT_UNITS_FIT) {
		bool none = apart && fit == AXT_UNITS_APART;

		axt_warn(g, "%s, and %s%s", said ? said : "", why_not(g, fit, v, u),
		    none ? ", so the result has no units; --attr units=UNITS sets them" : "");
		if (none)
			*apart = true;
		return a;
	}
	axt_warn(g, "%s, which is converted to \"%s\"", said ? said : "", axt_escape(g->m, u));
	return axt_converted(g, a, &w, u);
}

int
axt_units_alike(struct axt_graph *g, int n, struct axt_expr *const a[], struct axt_expr *out[],
    enum axt_dtype *d, bool *apart)
{
	const struct axt_expr *first = NULL;
	const char *u = NULL;

	for (int i = 0; i < n; i++) {
		struct axt_expr *e = u ? axt_units_as(g, a[i], u, first->from, apart) : a[i];

		if (axt_bad(e))
			return g->err.code;
		if (d && e != a[i])
			*d = axt_promote(*d, e->dtype);
		if (!u && (u = axt_attr_text(e->meta->attrs, "units")))
			first = e;
		out[i] = e;
	}
	return 0;
}
