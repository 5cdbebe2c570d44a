/* coord.c - compares the values along two axes. */
#include <math.h>

#include "base/quote.h"
#include "axes/inner.h"
#include "axes/select.h"

/* Two lists of coordinates that are compared. */
struct match {
	const struct axt_coord *a, *b;
	bool times;    /* whether both are CF times */
	bool instants; /* whether they are compared as instants */
	struct axt_cftime ta, tb;
	enum axt_dtype narrow; /* the dtype to which both are cast, unless they are instants */
	bool exact;            /* whether both are integers, which are compared without a cast */
};

static const void *
at(const struct axt_coord *c, int64_t i)
{
	return (const char *)c->data + i * axt_size(c->dtype);
}

enum axt_dtype
axt_coord_narrower(enum axt_dtype a, enum axt_dtype b)
{
	enum axt_class ca = axt_dtypes[a].cls, cb = axt_dtypes[b].cls;

	if ((ca == AXT_CLASS_FLOAT) != (cb == AXT_CLASS_FLOAT))
		return ca == AXT_CLASS_FLOAT ? a : b;
	if (axt_size(a) == axt_size(b))
		return a == AXT_BF16 ? a : b;
	return axt_size(a) < axt_size(b) ? a : b;
}

double
axt_coord_cast(double v, enum axt_dtype d)
{
	struct axt_num n = { .f = v };
	char p[16];

	if (d == AXT_F32)
		return axt_rounded_f32(v);
	if (d != AXT_F16 && d != AXT_BF16)
		return v;
	axt_num_store(&n, d, p);
	return axt_load_f64(d, p);
}

static bool
is_int(enum axt_dtype d)
{
	return axt_dtypes[d].cls <= AXT_CLASS_UINT;
}

static bool
is_complex(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX;
}

/*
 * The low 64 bits of an integer; *negative tells whether it is negative. Both together are the
 * integer exactly, for every integer dtype.
 */
static int64_t
load_int(enum axt_dtype d, const void *p, bool *negative)
{
	uint64_t u;

	if (axt_size(d) == 8) {
		memcpy(&u, p, 8);
		*negative = d == AXT_I64 && (int64_t)u < 0;
		return (int64_t)u;
	}
	*negative = axt_load_f64(d, p) < 0;
	return (int64_t)axt_load_f64(d, p);
}

double
axt_cftime_slack(enum axt_dtype d, const struct axt_cftime *t, double v)
{
	double eps = d == AXT_F32 ? 0x1p-24
	    : d == AXT_F16        ? 0x1p-11
	    : d == AXT_BF16       ? 0x1p-8
				  : 0x1p-53;

	/* sums of short units are made of days and seconds, and rounded once */
	if (t->unit < 1 && axt_dtypes[d].cls != AXT_CLASS_FLOAT)
		return fabs(v * t->unit + t->epoch) * 0x1p-52;
	/* dates as numbers have seven digits before their fraction of a day */
	if (t->months == AXT_CFTIME_NUMBERS)
		return 1e8 * t->unit * eps;
	return fabs(v) * t->unit * eps + (fabs(v) * t->unit + fabs(t->epoch)) * 0x1p-51;
}

static bool
same_instant(const struct match *m, double va, double vb)
{
	double d = fabs(axt_cftime_seconds(&m->ta, va) - axt_cftime_seconds(&m->tb, vb));

	return d <=
	    axt_cftime_slack(m->a->dtype, &m->ta, va) + axt_cftime_slack(m->b->dtype, &m->tb, vb);
}

static bool
same_complex(const struct match *m, int64_t i, int64_t j)
{
	enum axt_dtype pa = m->a->dtype == AXT_C64 ? AXT_F32 : AXT_F64;
	enum axt_dtype pb = m->b->dtype == AXT_C64 ? AXT_F32 : AXT_F64;
	enum axt_dtype d = axt_coord_narrower(pa, pb);

	for (int k = 0; k < 2; k++) {
		double x = axt_coord_cast(
		    axt_load_f64(pa, (const char *)at(m->a, i) + k * axt_size(pa)), d);
		double y = axt_coord_cast(
		    axt_load_f64(pb, (const char *)at(m->b, j) + k * axt_size(pb)), d);

		if (x != y && !(isnan(x) && isnan(y)))
			return false;
	}
	return true;
}

/* Whether value i of a equals value j of b. */
static bool
same(const struct match *m, int64_t i, int64_t j)
{
	bool na, nb;
	double x, y;

	if (m->a->text)
		return !strcmp(((const char *const *)m->a->data)[i],
		    ((const char *const *)m->b->data)[j]);
	if (m->exact)
		return load_int(m->a->dtype, at(m->a, i), &na) ==
		    load_int(m->b->dtype, at(m->b, j), &nb) &&
		    na == nb;
	if (is_complex(m->a->dtype) && is_complex(m->b->dtype))
		return same_complex(m, i, j);
	x = axt_load_f64(m->a->dtype, at(m->a, i));
	y = axt_load_f64(m->b->dtype, at(m->b, j));
	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y);
	if (m->instants)
		return same_instant(m, x, y);
	return axt_coord_cast(x, m->narrow) == axt_coord_cast(y, m->narrow);
}

static bool
reversed(const struct match *m)
{
	if (m->a->n < 2)
		return false;
	for (int64_t i = 0; i < m->a->n; i++)
		if (!same(m, i, m->a->n - 1 - i))
			return false;
	return true;
}

/* ---- messages ---- */

static const char *
in(struct axt_arena *m, const struct axt_axis *x)
{
	const char *s = x->from ? axt_sprintf(m, " in %s", axt_show(m, x->from)) : "";

	return s ? s : "";
}

const char *
axt_coord_value(struct axt_arena *m, const struct axt_coord *c, const struct axt_cftime *t,
    int64_t i)
{
	char text[AXT_TEXT];
	const char *s;

	if (c->text) {
		s = axt_sprintf(m, "\"%s\"", axt_show(m, ((const char *const *)c->data)[i]));
		return s ? s : "?";
	}
	if (t)
		axt_cftime_text(t, axt_load_f64(c->dtype, at(c, i)), text);
	else
		axt_value_text(text, c->dtype, at(c, i));
	s = axt_strdup(m, text);
	return s ? s : "?";
}

/* Whether all coordinates agree but for rounding: to a millionth of the largest one. */
static bool
rounded(const struct match *p)
{
	double most = 0, far = 0;

	for (int64_t i = 0; i < p->a->n; i++) {
		double x = axt_load_f64(p->a->dtype, at(p->a, i));
		double y = axt_load_f64(p->b->dtype, at(p->b, i));

		if (!isfinite(x) || !isfinite(y))
			return false;
		most = MAX(most, MAX(fabs(x), fabs(y)));
		far = MAX(far, fabs(x - y));
	}
	return far <= 1e-6 * most;
}

/* Says what brings two axes together whose coordinates differ. */
static void
hint_meet(struct axt_arena *m, const struct match *p, const struct axt_axis *a,
    const struct axt_axis *b, struct axt_err *e)
{
	const char *name = axt_axis_show(m, a);
	bool numbers = !p->a->text && !p->times && !is_complex(p->a->dtype) &&
	    !is_complex(p->b->dtype);

	const struct axt_axis *early = p->times ? axt_times_apart(m, a, b) : NULL;

	if (axt_labels_hint(m, a, b, e))
		return;
	if (early && a->from && b->from && strcmp(a->from, b->from) != 0)
		axt_hint(e,
		    "the times do not overlap: axt-concat %s %s %s joins them; --join override:%s "
		    "pairs by position, right or wrong",
		    axt_typed(m, "%s", name), axt_typed(m, "%s", early->from),
		    axt_typed(m, "%s", early == a ? b->from : a->from), name);
	else if (numbers && a->len == 1 && !rounded(p))
		axt_hint(e,
		    "axt-squeeze --over %s, or squeeze(a, over=%s) in axt-calc, drops an axis of "
		    "length 1",
		    axt_typed(m, "%s", name), name);
	else if (numbers && rounded(p))
		axt_hint(e, "they differ by rounding: --join override:%s takes the first operand's",
		    name);
	else if (numbers && a->from && b->from && strcmp(a->from, b->from) != 0)
		axt_hint(e,
		    "axt-interp %s %s has the values there; --join %s pairs them by "
		    "position, right or wrong",
		    axt_typed(m, "%s=%s", name, b->from), axt_typed(m, "%s", a->from),
		    axt_typed(m, "override:%s", name));
	else
		axt_hint(e,
		    "--join override:%s takes the first operand's coordinates and pairs by "
		    "position, right or wrong",
		    name);
}

/*
 * Coordinate i of c for a message, where the coordinates of both operands would look the same: a
 * date with its calendar, if the calendars differ, else the number that is stored.
 */
static const char *
distinct_value(struct axt_arena *m, const struct match *p, const struct axt_coord *c,
    const struct axt_cftime *t, int64_t i)
{
	const char *s;

	if (p->ta.calendar == p->tb.calendar)
		return axt_coord_value(m, c, NULL, i);
	s = axt_sprintf(m, "%s (%s)", axt_coord_value(m, c, t, i),
	    axt_cftime_calendar(t->calendar));
	return s ? s : "?";
}

static int
differ(struct axt_arena *m, const struct match *p, const struct axt_axis *a,
    const struct axt_axis *b, int64_t i, struct axt_err *e)
{
	bool times = p->times, back = reversed(p);
	const char *x = axt_coord_value(m, a->coord, times ? &p->ta : NULL, i);
	const char *y = axt_coord_value(m, b->coord, times ? &p->tb : NULL, i);

	if (times && !strcmp(x, y)) {
		x = distinct_value(m, p, a->coord, &p->ta, i);
		y = distinct_value(m, p, b->coord, &p->tb, i);
	}
	axt_fail(e, AXT_E_COORD, "axis \"%s\" has other coordinates: at index %lld %s%s and %s%s%s",
	    axt_axis_show(m, a), (long long)i, x, in(m, a), y, in(m, b),
	    back ? " (one is the other reversed)" : "");
	axt_about_both(m, AXT_COORDINATES, a, b, e);
	hint_meet(m, p, a, b, e);
	return e->code;
}

/* ---- how values are compared ---- */

/* Whether both are CF times. *ok becomes false if their calendars cannot be compared. */
static bool
both_times(struct match *p, bool *ok)
{
	*ok = true;
	if (p->a->text || !axt_attrs_time(p->a->attrs, &p->ta) ||
	    !axt_attrs_time(p->b->attrs, &p->tb))
		return false;
	*ok = axt_cftime_same_count(p->ta.calendar, p->tb.calendar);
	return true;
}

static int
units_differ(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e)
{
	axt_fail(e, AXT_E_COORD, "axis \"%s\" has units \"%s\"%s and \"%s\"%s", axt_axis_show(m, a),
	    axt_show(m, axt_attr_text(a->coord->attrs, "units")), in(m, a),
	    axt_show(m, axt_attr_text(b->coord->attrs, "units")), in(m, b));
	axt_about(e, AXT_UNITS, axt_attr_text(a->coord->attrs, "units"),
	    axt_attr_text(b->coord->attrs, "units"));
	axt_hint(e, "--join override takes the first operand's coordinates, and pairs by position");
	return e->code;
}

int
axt_coord_compare(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e)
{
	struct match p = { .a = a->coord, .b = b->coord };
	bool comparable;

	if (a->coord == b->coord)
		return AXT_OK;
	if (p.a->text != p.b->text) {
		axt_fail(e, AXT_E_COORD, "axis \"%s\" has %s for coordinates%s and %s%s",
		    axt_axis_show(m, a), p.a->text ? "text" : "numbers", in(m, a),
		    p.b->text ? "text" : "numbers", in(m, b));
		return axt_about_both(m, AXT_COORDINATES, a, b, e);
	}
	p.times = both_times(&p, &comparable);
	if (!comparable) {
		const char *name = axt_axis_show(m, a);

		axt_fail(e, AXT_E_COORD, "axis \"%s\" has calendar %s%s and %s%s", name,
		    axt_cftime_calendar(p.ta.calendar), in(m, a),
		    axt_cftime_calendar(p.tb.calendar), in(m, b));
		axt_about_both(m, AXT_COORDINATES, a, b, e);
		axt_hint(e,
		    "--join override:%s takes the first operand's times, and pairs by position",
		    name);
		return e->code;
	}
	if (!p.a->text && !p.times &&
	    axt_units_differ(axt_attr_text(p.a->attrs, "units"),
		axt_attr_text(p.b->attrs, "units")))
		return units_differ(m, a, b, e);
	/* times with the same units and reference instant are compared as numbers */
	p.instants = p.times && !axt_cftime_alike(&p.ta, &p.tb);
	if (!p.a->text) {
		p.exact = !p.instants && is_int(p.a->dtype) && is_int(p.b->dtype);
		p.narrow = axt_coord_narrower(p.a->dtype, p.b->dtype);
		if (!p.instants && p.a->dtype == p.b->dtype && p.a->n &&
		    !memcmp(p.a->data, p.b->data, (size_t)p.a->n * (size_t)axt_size(p.a->dtype)))
			return AXT_OK;
	}
	for (int64_t i = 0; i < p.a->n; i++)
		if (!same(&p, i, i))
			return differ(m, &p, a, b, i, e);
	return AXT_OK;
}

const struct axt_coord *
axt_coord_as_stored(struct axt_arena *m, const struct axt_coord *c)
{
	const struct axt_coord_stored *s = c ? c->stored : NULL;
	struct axt_coord *out;

	if (!s || !c->data || c->text || s->of != c->data || s->n < c->n)
		return c;
	for (const struct axt_attr *a = s->attrs; a; a = a->next)
		if (axt_attr_find(c->attrs, a->name)) /* somebody says otherwise */
			return c;
	out = axt_alloc(m, sizeof(*out));
	if (!out)
		return NULL;
	*out = *c;
	out->dtype = s->dtype;
	out->data = s->data;
	for (const struct axt_attr *a = s->attrs; a; a = a->next)
		out->attrs = axt_attr_set(m, out->attrs, a);
	return out;
}
