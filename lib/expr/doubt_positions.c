/* doubt_positions.c - positions along an axis that were likely meant otherwise. */
#include <stdio.h>
#include <stdlib.h>

#include "axes/keys.h"
#include "expr/inner.h"

/* The whole numbers of "i", "i:j" or "i:j:k"; those left out are not counted. */
static int
typed_numbers(const char *s, double out[2])
{
	int n = 0;

	for (int part = 0; part < 2; part++) {
		char *end;
		long long v = strtoll(s, &end, 10);

		if (end != s)
			out[n++] = (double)v;
		if (*end != ':')
			return *end ? 0 : n;
		s = end + 1;
	}
	return n;
}

/*
 * Whether the typed positions `spec` are likely meant as coordinates. That is so if the coordinates
 * of the axis reach these numbers, and they are years of a time axis, a negative number below -9,
 * or a range with an end beyond the axis or on both sides of zero. It is not so for coordinates 0,
 * 1, 2... Ranges of longitudes may go around the circle.
 */
static bool
looks_like_coordinates(const struct axt_axis *x, const char *spec)
{
	const struct axt_coord *c = x->coord;
	double v[2] = { 0, 0 }, lo, hi, len = (double)x->len;
	struct axt_cffields a, b;
	struct axt_cftime t;
	int n = typed_numbers(spec, v);

	if (n == 0 || !c || !c->data || c->text || x->len < 2 ||
	    axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX)
		return false;
	lo = axt_load_f64(c->dtype, c->data);
	hi = axt_load_f64(c->dtype, (const uint8_t *)c->data + (c->n - 1) * axt_size(c->dtype));
	if (axt_attrs_time(c->attrs, &t)) {
		if (!axt_cftime_fields(&t, lo, &a) || !axt_cftime_fields(&t, hi, &b))
			return false;
		lo = (double)MIN(a.year, b.year);
		hi = (double)MAX(a.year, b.year);
		return lo >= 1000 && v[0] >= lo && v[n - 1] <= hi;
	}
	if (lo == 0 && hi == len - 1)
		return false;
	if (lo > hi) {
		double swap = lo;

		lo = hi;
		hi = swap;
	}
	if (n == 2 && axt_axis_circle(x)) {
		lo = MIN(lo, -360);
		hi = MAX(hi, 360);
	}
	for (int k = 0; k < n; k++)
		if (v[k] < lo || v[k] > hi)
			return false;
	if (!strchr(spec, ':'))
		return v[0] < -9;
	return v[0] < -len || v[n - 1] > len || (n == 2 && v[0] < 0 && v[1] > 0);
}

/* A range that takes nothing of an axis that has something; only that of "0:0" is surely meant. */
static const char *
of_nothing(struct axt_arena *m, const struct axt_axis *x, const char *spec, const char *typed,
    const char *where)
{
	long long from, to, len = (long long)x->len;
	int n = 0;

	if (!len || !strcmp(spec, "0:0") || !strcmp(spec, ":0"))
		return NULL;
	if (sscanf(spec, "%lld:%lld%n", &from, &to, &n) == 2 && !spec[n] && from >= to && to >= 0 &&
	    from < len)
		return axt_sprintf(m,
		    "%s takes nothing: a range ends before its second number; %.*s%lld:%lld "
		    "takes %lld to %lld",
		    typed, (int)(strrchr(typed, '=') + 1 - typed), typed, to, from + 1, to, from);
	return axt_sprintf(m, "%s takes nothing of %s, whose positions are 0 to %lld", typed, where,
	    len - 1);
}

const char *
axt_positions_doubt(struct axt_arena *m, const struct axt_axis *x, const char *spec,
    const char *where, const struct axt_selection *s)
{
	const char *name = axt_axis_spell(m, x), *rest = axt_escape(m, spec), *typed;
	int64_t first = s->nspans ? s->span[0].start : 0;

	if (s->nspans > 1 || !name)
		return NULL;
	name = axt_escape(m, name);
	typed = axt_sprintf(m, "%s=%s", name, rest);
	if (!typed)
		return NULL;
	if (!looks_like_coordinates(x, spec))
		return s->drop || s->len ? NULL : of_nothing(m, x, spec, typed, where);
	if (s->drop)
		return axt_sprintf(m, "%s is position %lld: %s@%s selects by coordinate", typed,
		    (long long)first, name, rest);
	if (!s->len)
		return axt_sprintf(m, "%s takes no position: %s@%s selects by coordinate", typed,
		    name, rest);
	return axt_sprintf(m, "%s takes positions %lld to %lld: %s@%s selects by coordinate", typed,
	    (long long)first, (long long)(first + s->span[0].step * (s->len - 1)), name, rest);
}

/* Whether there are elements between the first and the second of what is selected. */
static bool
has_gap(const struct axt_selection *s)
{
	const struct axt_span *a = s->span;

	return s->nspans == 1 ? a->len == 2 && a->step > 1
			      : s->nspans == 2 && a[1].start > a[0].start + a[0].len;
}

const char *
axt_dates_doubt(struct axt_arena *m, const struct axt_axis *x, const char *spec,
    const struct axt_selection *s)
{
	const char *comma = strchr(spec, ','), *name = axt_axis_spell(m, x), *one, *other;
	struct axt_cftime t;

	if (!comma || strchr(comma + 1, ',') || strchr(spec, ':') || !has_gap(s) || !name ||
	    !memchr(spec, '-', (size_t)(comma - spec)) || !strchr(comma + 1, '-') || !x->coord ||
	    !axt_attrs_time(x->coord->attrs, &t))
		return NULL;
	name = axt_escape(m, name);
	one = axt_sprintf(m, "%.*s", (int)(comma - spec), spec);
	one = one ? axt_escape(m, one) : NULL;
	other = axt_escape(m, comma + 1);
	return !name || !one || !other
	    ? NULL
	    : axt_sprintf(m, "%s@%s,%s takes these two dates; %s@%s:%s takes all between them, too",
		  name, one, other, name, one, other);
}
