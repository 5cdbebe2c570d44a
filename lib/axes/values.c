/* values.c - selection by coordinates: numbers, dates and text, one by one or as ranges. */
#include <math.h>
#include <stdlib.h>

#include "axes/pick.h"

/* What a typed value means: everything in [lo, hi] or, if `open`, in [lo, hi). */
struct want {
	axt_key lo, hi;
	bool open;
	/* word: as typed; text: the string to find, if coordinates are text */
	const char *word, *text;
};

struct lookup {
	struct axt_picking *p;
	const struct axt_coord *c;
	struct axt_keys keys;
	bool circle;
};

/* ---- messages ---- */

static const char *
value(const struct lookup *l, int64_t i)
{
	return axt_coord_value(l->p->m, l->c, l->keys.how.time ? &l->keys.how.t : NULL, i);
}

/* The extent of the axis for a message, such as "it runs from -90 to 90". */
static const char *
extent(const struct lookup *l)
{
	const char *s = "it has no values";

	if (l->keys.n)
		s = axt_sprintf(l->p->m, "it runs from %s to %s", value(l, l->keys.v[0].i),
		    value(l, l->keys.v[l->keys.n - 1].i));
	return s ? s : "?";
}

/* Fails because a range is empty, of what is an axis or a coordinate. */
static int
nothing_in(const struct lookup *l, const char *what, const char *spec)
{
	axt_fail(l->p->e, AXT_E_ARG, "%s \"%s\"%s has nothing in %s; %s", what, l->p->name,
	    l->p->in, axt_show(l->p->m, spec), extent(l));
	return axt_pick_about(l->p, AXT_NOTHING, spec);
}

static int
no_text(const struct lookup *l, const char *text)
{
	int n = (int)MIN(l->c->n, 1000);
	const char *near = axt_nearest(text, (const char *const *)l->c->data, n);

	axt_fail(l->p->e, AXT_E_ARG, "axis \"%s\"%s has no \"%s\"", l->p->name, l->p->in,
	    axt_show(l->p->m, text));
	axt_pick_about(l->p, AXT_NO_LABEL, text);
	for (int i = 0; i < n; i++)
		axt_about_among(l->p->e, ((const char *const *)l->c->data)[i]);
	if (near)
		axt_hint_meant(l->p->e, near, "did you mean \"%s\"?", axt_show(l->p->m, near));
	return l->p->e->code;
}

static int
twice(const struct lookup *l, const struct want *w, int64_t i, int64_t j)
{
	axt_fail(l->p->e, AXT_E_AMBIG, "axis \"%s\"%s has %s twice, at index %lld and %lld",
	    l->p->name, l->p->in, axt_show(l->p->m, w->word), (long long)i, (long long)j);
	axt_pick_about(l->p, AXT_COORDINATE_TWICE, w->word);
	axt_hint(l->p->e,
	    "%s=%lld selects one by position, %s@<(axt-eq FILE:%s %s) all where it is that",
	    l->p->name, (long long)i, l->p->name, l->p->name, axt_show(l->p->m, w->word));
	return l->p->e->code;
}

/* ---- a value as typed ---- */

/* Hints at 2001-02-01 for 1.2.2001, whose year is the last number; false: w is no such date. */
static bool
hint_year_last(const struct lookup *l, const char *w)
{
	struct axt_err *e = l->p->e;
	const char *name = l->p->name;
	int a, b, c, end = 0;

	if (strlen(w) > 10 || sscanf(w, "%2d%*1[-./]%2d%*1[-./]%4d%n", &a, &b, &c, &end) != 3 ||
	    w[end] || c <= 31 || a < 1 || b < 1 || MIN(a, b) > 12 || MAX(a, b) > 31)
		return false;
	if (a > 12 || a == b)
		axt_hint(e, "%s@%04d-%02d-%02d", name, c, b, a);
	else if (b > 12)
		axt_hint(e, "%s@%04d-%02d-%02d", name, c, a, b);
	else
		axt_hint(e,
		    "the year comes first: %s@%04d-%02d-%02d, or %s@%04d-%02d-%02d if the month was "
		    "first",
		    name, c, b, a, name, c, a, b);
	return true;
}

/* Says what may have been meant by a date whose second number is no month; false: it is one. */
static bool
hint_no_month(const struct lookup *l, const char *w)
{
	size_t n = strlen(w);
	int a, b, c, end = 0;

	if (n == 10 && sscanf(w, "%4d-%2d-%2d%n", &a, &b, &c, &end) == 3 && end == 10 && b > 12 &&
	    b <= 31 && c >= 1 && c <= 12)
		axt_hint(l->p->e, "months are 01 to 12: %s@%04d-%02d-%02d if the day came first",
		    l->p->name, a, c, b);
	else if ((n == 7 || n == 10) && sscanf(w, "%4d-%2d%n", &a, &b, &end) == 2 && end == 7 &&
	    (b < 1 || b > 12))
		axt_hint(l->p->e, "months are 01 to 12: %s@%04d is the whole year", l->p->name, a);
	else
		return false;
	return true;
}

/* Says how a date is written that was typed otherwise. */
static void
hint_date(const struct lookup *l, const char *w)
{
	struct axt_err *e = l->p->e;
	const char *name = l->p->name;
	const char *first = w + strspn(w, "\"'"), *to = strstr(w, " to ");
	size_t n = strlen(w);
	int a, b, c, end = 0;
	char dashed[12];
	double lo, hi;

	if (n == 8 && strspn(w, "0123456789") == 8) {
		snprintf(dashed, sizeof(dashed), "%.4s-%.2s-%.2s", w, w + 4, w + 6);
		if (!axt_cftime_period(&l->keys.how.t, dashed, &lo, &hi))
			hint_date(l, dashed);
		else
			axt_hint(e, "%s@%s", name, dashed);
	} else if (n <= 10 && sscanf(w, "%4d%*1[-./]%2d%*1[-./]%2d%n", &a, &b, &c, &end) == 3 &&
	    (size_t)end == n && a > 31 && b >= 1 && b <= 12 && c >= 1 && c <= 31) {
		if (n == 10 && w[4] == '-' && w[7] == '-')
			axt_hint(e, "that month has fewer days: %s@%04d-%02d is all of it", name, a,
			    b);
		else
			axt_hint(e, "%s@%04d-%02d-%02d", name, a, b, c);
	} else if (hint_year_last(l, w) || hint_no_month(l, w))
		;
	else if (to && to > first)
		axt_hint(e, "%s@%.*s:%.*s", name, (int)(to - first), first,
		    (int)strcspn(to + 4, "\"'"), to + 4);
	else
		axt_hint(e,
		    strpbrk(w, "Tt") && strchr(w, ':')
			? "a range of dates with clocks is written A/B"
			: "dates are 2010, 2010-06, 2010-06-01 or 2010-06-01T12:00:00");
}

static int
parse_date(const struct lookup *l, struct want *w)
{
	double lo, hi;

	if (!axt_cftime_period(&l->keys.how.t, w->word, &lo, &hi)) {
		axt_fail(l->p->e, AXT_E_SYNTAX, "axis \"%s\"%s counts time, and \"%s\" is no date",
		    l->p->name, l->p->in, axt_show(l->p->m, w->word));
		axt_pick_about(l->p, AXT_BAD_DATE, w->word);
		hint_date(l, w->word);
		return l->p->e->code;
	}
	w->lo = lo;
	w->hi = hi;
	w->open = lo != hi;
	return AXT_OK;
}

/* The number rounded to the dtype of the coordinates. */
static axt_key
number_key(const struct axt_coord *c, const struct axt_num *n)
{
	char p[16];

	if (axt_dtypes[c->dtype].cls != AXT_CLASS_FLOAT)
		return !n->is_int || n->is_big ? (axt_key)n->f
		    : n->is_unsigned           ? (axt_key)n->u
					       : (axt_key)n->i;
	axt_num_store(n, c->dtype, p);
	return axt_load_f64(c->dtype, p);
}

/* Hints at a number that is typed in place of the word. */
static void
hint_number(const struct lookup *l, const char *word, double is)
{
	const char *meant = axt_sprintf(l->p->m, "%.10g", is);

	axt_hint_meant(l->p->e, meant, "axis \"%s\" counts %s: %s is %s", l->p->name,
	    axt_show(l->p->m, axt_attr_text(l->c->attrs, "units")), axt_show(l->p->m, word), meant);
}

/* Fails because a word is no number; if it is a date, the units may tell why it is not read so. */
static int
no_value(const struct lookup *l, const char *word)
{
	const char *calendar = axt_attr_text(l->c->attrs, "calendar"),
		   *units = axt_attr_text(l->c->attrs, "units");
	struct axt_cftime t;
	char why[AXT_CFTIME_WHY];
	double lo, hi;

	axt_fail(l->p->e, AXT_E_SYNTAX,
	    "axis \"%s\": \"%s\" is no value (v, v,w,..., v:w, v: or :w)", l->p->name,
	    axt_show(l->p->m, word));
	axt_pick_about(l->p, AXT_BAD_COORDINATE, word);
	if (units && axt_units_measure(word, units, &lo))
		hint_number(l, word, lo);
	if (axt_cftime_parse("days since 2000-01-01", NULL, &t) &&
	    axt_cftime_period(&t, word, &lo, &hi))
		axt_hint(l->p->e, "the axis has no dates: %s",
		    axt_cftime_why(axt_attr_text(l->c->attrs, "units"), calendar, why));
	return l->p->e->code;
}

/* Fails because a number may be meant as a date, on an axis whose dates cannot be read. */
static int
undated(const struct lookup *l, const char *word)
{
	const char *units = axt_attr_text(l->c->attrs, "units");
	char why[AXT_CFTIME_WHY];

	axt_fail(l->p->e, AXT_E_ARG, "axis \"%s\"%s counts time, and %s is no date of it: %s",
	    l->p->name, l->p->in, axt_show(l->p->m, word),
	    axt_cftime_why(units, axt_attr_text(l->c->attrs, "calendar"), why));
	axt_about(l->p->e, AXT_NO_TIMES, axt_axis_spell(l->p->m, l->p->a), l->p->from);
	axt_hint(l->p->e, "%s=I:J selects by position", l->p->name);
	return l->p->e->code;
}

static int
parse(const struct lookup *l, const char *word, struct want *w)
{
	struct axt_num n;

	*w = (struct want){ .word = word };
	if (l->keys.how.time)
		return parse_date(l, w);
	if (!axt_parse_num(word, &n) || isnan(n.f))
		return no_value(l, word);
	if (axt_attrs_undated(l->c->attrs))
		return undated(l, word);
	w->lo = w->hi = number_key(l->c, &n);
	return AXT_OK;
}

/* ---- values one by one ---- */

static int
by_position(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Selects everything in a period, in the order of the axis. */
static int
pick_period(struct lookup *l, const struct want *w)
{
	axt_key s = axt_key_slack(l->c, &l->keys.how, w->lo);
	int64_t i = axt_keys_above(&l->keys, w->lo - s), end = axt_keys_above(&l->keys, w->hi - s);
	int64_t first = l->p->n;

	for (; i < end; i++)
		if (axt_pick(l->p, l->keys.v[i].i))
			return l->p->e->code;
	if (l->p->n > first)
		qsort(l->p->pos + first, (size_t)(l->p->n - first), sizeof(int64_t), by_position);
	return AXT_OK;
}

/*
 * Hints at the coordinate that the number is in other units, as 850 is 85000 Pa; false: it is none.
 */
static bool
hint_other_units(const struct lookup *l, const struct want *w)
{
	static const char *const usual[] = { "hPa", "Pa", "km", "m" };
	const char *units = axt_attr_text(l->c->attrs, "units");
	int64_t other;
	double is;

	for (int i = 0; units && !w->text && i < ARRAY_LEN(usual); i++)
		if (axt_units_measure(axt_sprintf(l->p->m, "%s %s", w->word, usual[i]), units,
			&is) &&
		    is != (double)w->lo && axt_keys_find(&l->keys, is, 0, NULL, &other) >= 0) {
			hint_number(l, axt_sprintf(l->p->m, "%s %s", w->word, usual[i]), is);
			return true;
		}
	return false;
}

static int
absent(const struct lookup *l, const struct want *w)
{
	const char *near = "";

	if (l->keys.n)
		near = axt_sprintf(l->p->m, ": nearest is %s",
		    value(l, l->keys.v[axt_keys_nearest(&l->keys, w->lo, w->hi, l->circle)].i));
	axt_fail(l->p->e, AXT_E_ARG, "axis \"%s\"%s has no %s%s; %s", l->p->name, l->p->in,
	    axt_show(l->p->m, w->word), near ? near : "", extent(l));
	if (l->keys.n && !l->keys.how.time && hint_other_units(l, w))
		return axt_pick_about(l->p, AXT_BAD_COORDINATE, w->word);
	axt_pick_about(l->p, AXT_NO_COORDINATE, w->word);
	if (l->keys.n)
		axt_hint(l->p->e, "--nearest takes the nearest");
	return AXT_E_ARG;
}

/* Selects what is nearest, and keeps a warning where that is beyond the values of the axis. */
static int
pick_nearest(struct lookup *l, const struct want *w)
{
	int64_t i = axt_keys_nearest(&l->keys, w->lo, w->hi, l->circle);

	if (axt_keys_beyond(&l->keys, i, w->lo, w->hi, l->circle))
		l->p->beyond = axt_sprintf(l->p->m,
		    "%s is far from all values of axis \"%s\"%s: %s is taken; %s",
		    axt_show(l->p->m, w->word), l->p->name, l->p->in, value(l, l->keys.v[i].i),
		    extent(l));
	return axt_pick(l->p, l->keys.v[i].i);
}

static int
pick_one(struct lookup *l, const struct want *w)
{
	int64_t n = l->p->n, other = -1, i;

	if (w->open) {
		if (pick_period(l, w) || l->p->n > n)
			return l->p->e->code;
		i = -1;
	} else {
		i = l->circle ? axt_keys_around(&l->keys, w->lo, &other)
			      : axt_keys_find(&l->keys, w->lo, 0, w->text, &other);
	}
	if (other >= 0)
		return twice(l, w, l->keys.v[i].i, l->keys.v[other].i);
	if (i < 0 && w->text)
		return no_text(l, w->text);
	if (i < 0 && l->p->nearest && l->keys.n)
		return pick_nearest(l, w);
	return i < 0 ? absent(l, w) : axt_pick(l->p, l->keys.v[i].i);
}

/* Reads a word up to an unescaped comma, and removes its escapes. *s moves past it. */
static const char *
text_word(struct axt_arena *m, const char **s)
{
	char *word = axt_strdup(m, *s), *to = word;

	for (; word && **s && **s != ','; (*s)++) {
		*s += **s == '\\' && (*s)[1];
		*to++ = **s;
	}
	if (word)
		*to = '\0';
	return word;
}

static int
pick_list(struct lookup *l, const char *spec)
{
	struct want w = { 0 };
	bool one = true;

	for (const char *s = spec;; s++, one = false) {
		const char *word = l->c->text ? text_word(l->p->m, &s)
					      : axt_strndup(l->p->m, s, strcspn(s, ","));

		if (!word)
			return axt_axes_nomem(l->p->e);
		if (l->c->text) {
			w = (struct want){ .word = word, .text = word };
			w.lo = w.hi = axt_key_text(word);
		} else {
			s += strlen(word);
			if (parse(l, word, &w))
				return l->p->e->code;
		}
		if (pick_one(l, &w))
			return l->p->e->code;
		if (!*s)
			break;
	}
	l->p->drop = one && !w.open;
	return AXT_OK;
}

/* ---- ranges ---- */

/* Finds whether the values rise or fall. It is an error if they do neither. */
static int
direction(const struct lookup *l, bool *rises)
{
	bool up = true, down = true;
	axt_key last = 0;

	for (int64_t i = 0; i < l->c->n; i++) {
		axt_key k = axt_key_of(l->c, &l->keys.how, i);

		up = up && (i ? k >= last : !isnan(k));
		down = down && (i ? k <= last : !isnan(k));
		last = k;
	}
	*rises = up;
	if (up || down)
		return AXT_OK;
	axt_fail(l->p->e, AXT_E_COORD,
	    "axis \"%s\"%s neither rises nor falls: it has no range of values", l->p->name,
	    l->p->in);
	return axt_about(l->p->e, AXT_NOT_INCREASING, axt_axis_spell(l->p->m, l->p->a), l->p->from);
}

/*
 * Selects the positions whose values are in [lo, hi]; they are one span, since the axis is sorted.
 */
static int
pick_between(struct lookup *l, axt_key lo, axt_key hi, bool open)
{
	int64_t first = -1, n = 0;

	for (int64_t i = 0; i < l->c->n; i++) {
		axt_key k = axt_key_of(l->c, &l->keys.how, i);
		axt_key s = axt_key_slack(l->c, &l->keys.how, k);

		if (k < lo - s || (open ? k >= hi - s : k > hi + s))
			continue;
		first = first < 0 ? i : first;
		n++;
	}
	return n ? axt_pick_run(l->p, first, 1, n) : AXT_OK;
}

/* Keeps a warning of dates of which the later stands first, on an axis of rising ones. */
static void
doubt_backwards(struct lookup *l, const struct want *from, const struct want *to, bool rises)
{
	const char *a = axt_show(l->p->m, from->word), *b = axt_show(l->p->m, to->word);

	if (l->keys.how.time && rises)
		l->p->beyond = axt_sprintf(l->p->m, "%s@%s:%s is backwards: %s to %s is taken",
		    l->p->name, a, b, b, a);
}

/* Adds turns of 360 to v, or subtracts some, until v is on the axis, if that is possible. */
static axt_key
turned(const struct lookup *l, axt_key v)
{
	axt_key min = l->keys.v[0].k, max = l->keys.v[l->keys.n - 1].k, t = ceill((min - v) / 360);

	if (v >= min && v <= max)
		return v;
	return v + 360 * t <= max ? axt_key_cast(l->c, v + 360 * t) : v;
}

static int
pick_ends(struct lookup *l, const struct want *from, const struct want *to)
{
	axt_key lo = from ? from->lo : -INFINITY, hi = to ? to->hi : INFINITY;
	bool open = to && to->open, rises;
	bool circle = l->circle && (!from || !axt_keys_far(&l->keys, lo)) &&
	    (!to || !axt_keys_far(&l->keys, hi));
	bool around = circle && from && to, jumps;
	int64_t jump;

	jumps = around && axt_circle_jump(l->c, &jump, &rises);
	if (!jumps && direction(l, &rises))
		return l->p->e->code;
	jump = jumps ? jump : l->c->n;
	if (around) {
		if (lo > hi)
			lo -= 360 * ceill((lo - hi) / 360);
		return axt_pick_around(l->p, rises, jump, lo, hi);
	}
	if (circle && (from || to))
		return pick_between(l, from ? turned(l, lo) : lo, to ? turned(l, hi) : hi, false);
	if (from && to && from->lo > to->lo) {
		doubt_backwards(l, from, to, rises);
		return pick_between(l, to->lo, from->hi, from->open);
	}
	return pick_between(l, lo, hi, open);
}

/* Reads an end of a range from n bytes. *w is NULL if the end is missing. */
static int
parse_end(const struct lookup *l, const char *s, size_t n, struct want *store,
    const struct want **w)
{
	const char *word = axt_strndup(l->p->m, s, n);

	*w = n ? store : NULL;
	if (!word)
		return axt_axes_nomem(l->p->e);
	return n ? parse(l, word, store) : (int)AXT_OK;
}

/*
 * Keeps a warning where the only end of an open range is outside the axis, and the same longitude a
 * turn away is on it: on an axis of 0 to 355 "-20:" selects 340 to 355, and all of the axis may
 * have been meant.
 */
static void
doubt_end(struct lookup *l, const char *spec, const struct want *from, const struct want *to)
{
	axt_key end = from ? from->lo : to ? to->hi : 0, at;

	if (!l->circle || !from == !to || axt_keys_far(&l->keys, end))
		return;
	at = turned(l, end);
	if (at != end)
		l->p->beyond = axt_sprintf(l->p->m,
		    "%s@%s is %s%.15g%s of axis \"%s\"%s: %s; a range with two ends goes around: "
		    "%s@%.15g:%.15g",
		    l->p->name, axt_show(l->p->m, spec), from ? "" : "the beginning to ",
		    (double)at, from ? " to the end" : "", l->p->name, l->p->in, extent(l),
		    l->p->name, from ? (double)end : (double)end - 40,
		    from ? (double)end + 40 : (double)end);
}

static int
pick_range(struct lookup *l, const char *spec, const char *mid)
{
	struct want store[2];
	const struct want *from, *to;

	if (parse_end(l, spec, (size_t)(mid - spec), &store[0], &from) ||
	    parse_end(l, mid + 1, strlen(mid + 1), &store[1], &to) || pick_ends(l, from, to))
		return l->p->e->code;
	if (l->p->n || (l->p->run && l->p->run->len)) {
		doubt_end(l, spec, from, to);
		return AXT_OK;
	}
	return nothing_in(l, "axis", spec);
}

/*
 * Finds the ':' or '/' between the two ends of a range. NULL: the spec is no range, but a value or
 * a list. A ':' may also belong to a time of day.
 */
static const char *
parting(const struct lookup *l, const char *spec)
{
	const char *slash = strchr(spec, '/'), *colon = strchr(spec, ':');

	if (l->c->text || strchr(spec, ','))
		return NULL;
	if (slash || !l->keys.how.time || !colon)
		return slash && (!colon || l->keys.how.time || slash < colon) ? slash : colon;
	return strpbrk(spec, "Tt ") ? NULL : colon;
}

/* Whether a word of the list is a range. */
static bool
has_range(const struct lookup *l, const char *list)
{
	for (;; list++) {
		const char *word = axt_strndup(l->p->m, list, strcspn(list, ","));

		if (!word || parting(l, word))
			return word != NULL;
		list += strlen(word);
		if (!*list)
			return false;
	}
}

static int
prepare(struct lookup *l)
{
	struct axt_keying how = { 0 };

	l->c = l->p->a->coord;
	if (!l->c || !l->c->data) {
		axt_axis_unlabelled(l->p->m, l->p->a, l->p->from, l->p->e);
		axt_hint(l->p->e, "%s=SPEC selects by position", l->p->name);
		return l->p->e->code;
	}
	if (!l->c->text && axt_dtypes[l->c->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_fail(l->p->e, AXT_E_DTYPE,
		    "axis \"%s\"%s has complex coordinates: select by position", l->p->name,
		    l->p->in);
	how.time = axt_coord_time(l->c, &how.t);
	if (axt_keys_init(l->p->m, l->c, &how, &l->keys))
		return axt_axes_nomem(l->p->e);
	l->circle = axt_axis_circle(l->p->a);
	return AXT_OK;
}

/* ---- cells: the values of a coordinate with several axes, in no order ---- */

/* Begins without sorting; only the least and the greatest value are looked for. */
static int
prepare_cells(struct lookup *l)
{
	struct axt_keyed *ends = axt_alloc(l->p->m, 2 * sizeof(*ends));

	if (!ends)
		return axt_axes_nomem(l->p->e);
	l->c = l->p->a->coord;
	l->keys = (struct axt_keys){ .c = l->c, .v = ends };
	l->keys.how.time = axt_coord_time(l->c, &l->keys.how.t);
	l->circle = axt_axis_circle(l->p->a);
	for (int64_t i = 0; i < l->c->n; i++) {
		axt_key k = axt_key_of(l->c, &l->keys.how, i);

		if (isnan(k))
			continue;
		if (!l->keys.n || k < ends[0].k)
			ends[0] = (struct axt_keyed){ k, i };
		if (!l->keys.n || k > ends[1].k)
			ends[1] = (struct axt_keyed){ k, i };
		l->keys.n = 2;
	}
	return AXT_OK;
}

/*
 * Whether k, or k and some turns of 360, is in [lo, hi]. Near the ends it is rounded to the dtype
 * of the coordinates, so that an end that is a coordinate is found in any turn.
 */
static bool
in_arc(const struct lookup *l, axt_key k, axt_key lo, axt_key hi)
{
	double d = (double)(k - lo), width = (double)(hi - lo);
	axt_key t;

	/* what is far from both ends needs no care */
	d -= 360 * floor(d / 360);
	if (d > 1 && d < 359 && fabs(d - width) > 1)
		return d < width;
	t = ceill((lo - k) / 360);
	for (axt_key u = t - 1; u <= t + 1; u++) {
		axt_key x = axt_key_cast(l->c, k + 360 * u);

		if ((x >= lo || k >= axt_key_cast(l->c, lo - 360 * u)) &&
		    (x <= hi || k <= axt_key_cast(l->c, hi - 360 * u)))
			return true;
	}
	return false;
}

/* Marks the cells with values from lo to hi. Returns whether there are any. */
static bool
mark_between(const struct lookup *l, axt_key lo, axt_key hi, bool open, bool *in)
{
	bool around = l->circle && !isinf(lo) && !isinf(hi) && !axt_keys_far(&l->keys, lo) &&
	    !axt_keys_far(&l->keys, hi);
	bool any = false;

	if (around && lo > hi)
		lo -= 360 * ceill((lo - hi) / 360);
	for (int64_t i = 0; i < l->c->n; i++) {
		axt_key k = axt_key_of(l->c, &l->keys.how, i);
		axt_key s = axt_key_slack(l->c, &l->keys.how, k);
		bool is = around ? in_arc(l, k, lo, hi)
				 : k >= lo - s && (open ? k < hi - s : k <= hi + s);

		in[i] = in[i] || is;
		any = any || is;
	}
	return any;
}

/* Marks what one word selects, which is a value or a range. *any: whether it selects something. */
static int
mark_word(const struct lookup *l, const char *word, bool *in, bool *any)
{
	const char *mid = parting(l, word);
	const struct want *from, *to;
	struct want w[2];
	axt_key lo, hi;

	if (!mid) {
		if (parse(l, word, &w[0]))
			return l->p->e->code;
		*any = mark_between(l, w[0].lo, w[0].hi, w[0].open, in) || *any;
		return AXT_OK;
	}
	if (parse_end(l, word, (size_t)(mid - word), &w[0], &from) ||
	    parse_end(l, mid + 1, strlen(mid + 1), &w[1], &to))
		return l->p->e->code;
	lo = from ? from->lo : -INFINITY;
	hi = to ? to->hi : INFINITY;
	if (from && to && lo > to->lo && !l->circle)
		*any = mark_between(l, to->lo, from->hi, from->open, in) || *any;
	else
		*any = mark_between(l, l->circle && !to ? turned(l, lo) : lo,
			   l->circle && !from ? turned(l, hi) : hi, to && to->open, in) ||
		    *any;
	return AXT_OK;
}

int
axt_pick_cells(struct axt_picking *p, const char *spec, bool *in)
{
	struct lookup l = { .p = p };
	bool any = false;

	if (prepare_cells(&l))
		return p->e->code;
	for (const char *s = spec;; s++) {
		const char *word = axt_strndup(p->m, s, strcspn(s, ","));

		if (!word)
			return axt_axes_nomem(p->e);
		if (mark_word(&l, word, in, &any))
			return p->e->code;
		s += strlen(word);
		if (!*s)
			break;
	}
	if (any)
		return AXT_OK;
	return nothing_in(&l, "coordinate", spec);
}

/* ---- an axis ---- */

int
axt_pick_values(struct axt_picking *p, const char *spec)
{
	struct lookup l = { .p = p };
	const char *mid;

	if (prepare(&l))
		return p->e->code;
	if (!l.c->text && strchr(spec, ',') && has_range(&l, spec))
		return axt_pick_union(p, spec, axt_pick_values);
	mid = parting(&l, spec);
	return mid ? pick_range(&l, spec, mid) : pick_list(&l, spec);
}
