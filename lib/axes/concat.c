/* concat.c - makes the coordinates of a concatenated axis. */
#include <math.h>

#include "axes/pick.h"

struct concat {
	struct axt_arena *m;
	const struct axt_axis *const *a;
	int n, first; /* first: index of the first operand whose axis has values */
	bool override, time, ints;
	struct axt_cftime t; /* the units of the result: those of the first operand, or days */
	const char *units;   /* of the result, if they are not those of the first operand */
	enum axt_dtype dtype;
	const char *name; /* name of the axis */
	/* 'axis "time"' or 'dataset "x"', whichever has the values, for messages */
	const char *what;
	bool ordered;
	bool plain;          /* the values of all operands are in the result as they were */
	struct axt_coord *c; /* coordinates of the result */
	struct axt_err *e;
};

static bool
has_values(const struct axt_axis *a)
{
	return a->coord && a->coord->data;
}

/* The origin of operand k for messages: "a.nc:t", or its number. */
static const char *
origin(const struct concat *j, int k)
{
	const char *s;

	if (j->a[k]->from)
		return axt_show(j->m, j->a[k]->from);
	s = axt_sprintf(j->m, "operand %d", k + 1);
	return s ? s : "?";
}

/* ---- what the operands have ---- */

static const char *
sort_of(const struct axt_coord *c)
{
	struct axt_cftime t;

	return c->text ? "text" : axt_coord_time(c, &t) ? "CF times" : "numbers";
}

/* Adds to the error just set that the axis differs in operands i and k. */
static int
differ(struct concat *j, int i, int k)
{
	return axt_about_both(j->m, AXT_COORDINATES, j->a[i], j->a[k], j->e);
}

static int
one_lacks(struct concat *j, int with, int without)
{
	axt_fail(j->e, AXT_E_COORD, "%s has coordinates in %s and none in %s", j->what,
	    origin(j, with), origin(j, without));
	differ(j, with, without);
	axt_hint(j->e, "--join override:%s goes on without coordinates", j->name);
	return j->e->code;
}

/* Fails unless the units are the same. Only units of time are converted. */
static int
check_units(struct concat *j, int k)
{
	const char *a = axt_attr_text(j->a[j->first]->coord->attrs, "units"),
		   *b = axt_attr_text(j->a[k]->coord->attrs, "units");

	if (j->override || !axt_units_differ(a, b))
		return AXT_OK;
	axt_fail(j->e, AXT_E_COORD, "%s has units \"%s\" in %s and \"%s\" in %s", j->what,
	    axt_show(j->m, a), origin(j, j->first), axt_show(j->m, b), origin(j, k));
	axt_about(j->e, AXT_UNITS, a, b);
	axt_hint(j->e, "--join override:%s takes the numbers as they are", j->name);
	return j->e->code;
}

static int
check_sorts(struct concat *j, int k)
{
	const struct axt_coord *a = j->a[j->first]->coord, *b = j->a[k]->coord;
	struct axt_cftime t;
	bool time = axt_coord_time(b, &t);

	if (a->text == b->text && !a->text && !(time && j->time) && check_units(j, k))
		return j->e->code;
	if (a->text != b->text || time != j->time)
		axt_fail(j->e, AXT_E_COORD, "%s has %s for coordinates in %s and %s in %s", j->what,
		    sort_of(a), origin(j, j->first), sort_of(b), origin(j, k));
	else if (time && !axt_cftime_same_count(t.calendar, j->t.calendar))
		axt_fail(j->e, AXT_E_COORD, "%s has calendar %s in %s and %s in %s", j->what,
		    axt_cftime_calendar(j->t.calendar), origin(j, j->first),
		    axt_cftime_calendar(t.calendar), origin(j, k));
	if (j->e->code)
		return differ(j, j->first, k);
	if (j->ordered && !b->text && axt_dtypes[b->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_fail(j->e, AXT_E_DTYPE,
		    "%s has complex coordinates in %s: they cannot be concatenated", j->what,
		    origin(j, k));
	j->dtype = axt_promote(j->dtype, b->dtype);
	return AXT_OK;
}

/* Finds which operands have values. *some: whether the result gets coordinates. */
static int
look(struct concat *j, bool *some)
{
	int without = -1;

	j->first = -1;
	for (int k = 0; k < j->n; k++) {
		if (!j->a[k]->len)
			continue;
		if (!has_values(j->a[k]))
			without = without < 0 ? k : without;
		else if (j->first < 0)
			j->first = k;
	}
	*some = j->first >= 0 && without < 0;
	if (j->first < 0)
		return AXT_OK;
	if (without >= 0)
		return j->override ? (int)AXT_OK : one_lacks(j, j->first, without);
	j->time = axt_coord_time(j->a[j->first]->coord, &j->t);
	j->dtype = j->a[j->first]->coord->dtype;
	for (int k = j->first; k < j->n; k++)
		if (j->a[k]->len && check_sorts(j, k))
			return j->e->code;
	for (int k = j->first; k < j->n && j->time && j->t.months; k++) {
		struct axt_cftime t;

		/* months have no fixed length, so that other times cannot be told in them */
		if (j->a[k]->len && axt_coord_time(j->a[k]->coord, &t) &&
		    !axt_cftime_alike(&t, &j->t) && !(j->units = axt_cftime_days(j->m, &j->t)))
			return axt_axes_nomem(j->e);
	}
	return AXT_OK;
}

/* ---- concatenating ---- */

/*
 * Converts a time v to the units of the first operand. If the result is whole apart from rounding
 * errors, it is rounded.
 */
static double
converted(const struct concat *j, const struct axt_coord *c, const struct axt_cftime *t, double v)
{
	double x = t->months ? (axt_cftime_seconds(t, v) - j->t.epoch) / j->t.unit
			     : v * (t->unit / j->t.unit) + (t->epoch - j->t.epoch) / j->t.unit;
	double slack = axt_cftime_slack(c->dtype, t, v);

	return fabs(x - rint(x)) * j->t.unit <= slack ? rint(x) : x;
}

/* The number that means missing in c; NaN if there is none. */
static double
missing_of(const struct axt_coord *c)
{
	const struct axt_attr *a = axt_attr_find(c->attrs, "_FillValue");

	a = a ? a : axt_attr_find(c->attrs, "missing_value");
	return a && a->kind == AXT_ATTR_NUM && a->n == 1 ? axt_load_f64(a->dtype, a->data) : NAN;
}

/*
 * Converts the n values of c and stores them at p. Returns false if the dtype cannot hold one of
 * them.
 */
static bool
store(struct concat *j, const struct axt_coord *c, char *p)
{
	struct axt_cftime t;
	bool other = j->time && axt_coord_time(c, &t) && !axt_cftime_alike(&t, &j->t);
	double gone = missing_of(c), missing = missing_of(j->a[j->first]->coord);
	bool whole = axt_dtypes[j->dtype].cls < AXT_CLASS_FLOAT;
	int size = axt_size(j->dtype);

	if (!other && c->dtype == j->dtype && (isnan(gone) || gone == missing)) {
		memcpy(p, c->data, (size_t)c->n * (size_t)size);
		return true;
	}
	j->plain = false;
	for (int64_t i = 0; i < c->n; i++) {
		axt_key k = axt_key_of(c, &(struct axt_keying){ 0 }, i);
		struct axt_num n = { .f = (double)k };

		if (n.f == gone && !(whole && isnan(missing)))
			k = n.f = missing;
		else if (other && n.f != gone)
			k = n.f = converted(j, c, &t, n.f);
		n.is_int = k == rintl(k) && fabsl(k) < 0x1p63L;
		n.i = n.is_int ? (int64_t)k : 0;
		n.u = (uint64_t)n.i;
		if (!n.is_int && k >= 0 && k == rintl(k) && k < 0x1p64L) {
			n.is_int = n.is_unsigned = true;
			n.u = (uint64_t)k;
		}
		if (whole && !n.is_int)
			return false;
		if (!axt_num_store(&n, j->dtype, p + i * size))
			return false;
	}
	return true;
}

/* How the file has the coordinates of operand k, if it is how it has those of the first. */
static const struct axt_coord_stored *
stored_alike(const struct concat *j, int k)
{
	const struct axt_coord *c = j->a[k]->coord;
	const struct axt_coord_stored *s = c->stored, *first = j->a[j->first]->coord->stored;

	return s && first && s->of == c->data && s->n >= c->n && s->dtype == first->dtype &&
		axt_attrs_equal(s->attrs, first->attrs)
	    ? s
	    : NULL;
}

/* Coordinates that all files have packed alike, or with the same marks, stay as they have them. */
static int
concat_stored(struct concat *j)
{
	struct axt_coord_stored *own = axt_alloc(j->m, sizeof(*own));
	size_t size;
	char *p;

	j->c->stored = NULL;
	if (!own)
		return axt_axes_nomem(j->e);
	for (int k = 0; k < j->n; k++)
		if (j->a[k]->len && (!j->plain || !stored_alike(j, k)))
			return AXT_OK;
	*own = *j->a[j->first]->coord->stored;
	size = (size_t)axt_size(own->dtype);
	own->of = j->c->data;
	own->n = j->c->n;
	own->data = p = axt_alloc(j->m, (size_t)own->n * size + 1);
	if (!p)
		return axt_axes_nomem(j->e);
	for (int k = 0; k < j->n; k++)
		if (j->a[k]->len) {
			memcpy(p, stored_alike(j, k)->data, (size_t)j->a[k]->len * size);
			p += (size_t)j->a[k]->len * size;
		}
	j->c->stored = own;
	return AXT_OK;
}

static int
concat_numbers(struct concat *j)
{
	char *p = axt_alloc(j->m, (size_t)j->c->n * (size_t)MAX(8, axt_size(j->dtype)) + 1);
	bool fits = true;

	if (!p)
		return axt_axes_nomem(j->e);
	for (int pass = 0; pass < 2; pass++) {
		char *at = p;

		fits = true;
		j->plain = true;
		for (int k = 0; k < j->n && fits; k++) {
			if (!j->a[k]->len)
				continue;
			fits = store(j, j->a[k]->coord, at);
			at += j->a[k]->len * axt_size(j->dtype);
		}
		if (fits)
			break;
		j->dtype = AXT_F64; /* converted times may have fractions */
	}
	j->c->dtype = j->dtype;
	j->c->data = p;
	return concat_stored(j);
}

static int
concat_texts(struct concat *j)
{
	const char **p = axt_alloc(j->m, (size_t)j->c->n * sizeof(*p) + 1);

	if (!p)
		return axt_axes_nomem(j->e);
	j->c->data = p;
	for (int k = 0; k < j->n; k++)
		if (j->a[k]->len) {
			memcpy(p, j->a[k]->coord->data, (size_t)j->a[k]->len * sizeof(*p));
			p += j->a[k]->len;
		}
	return AXT_OK;
}

/* ---- checks for one direction and no repeats ---- */

/* The operand that index *i of the result comes from; *i becomes the index in that operand. */
static int
operand_of(const struct concat *j, int64_t *i)
{
	int k = 0;

	while (*i >= j->a[k]->len)
		*i -= j->a[k++]->len;
	return k;
}

/*
 * The coordinate at position `at` of operand k, as a number that can be compared (keys.h). Negative
 * positions count from the end.
 */
static axt_key
key_in(const struct concat *j, int k, int64_t at)
{
	at += at < 0 ? j->a[k]->len : 0;
	while (k-- > 0)
		at += j->a[k]->len;
	return axt_key_of(j->c, &(struct axt_keying){ 0 }, at);
}

/* Whether all values of operand l come before those of operand k, in the direction of sign. */
static bool
other_way(const struct concat *j, int k, int l, int sign)
{
	axt_key last = key_in(j, l, -1), first = key_in(j, k, 0);

	return sign > 0 ? last < first : sign < 0 && last > first;
}

/* Fails because of values i and l. sign: the direction of the values before; 0: it has none. */
static int
clash(struct concat *j, int64_t i, int64_t l, const char *why, int sign)
{
	const struct axt_cftime *t = j->time ? &j->t : NULL;
	const char *x = axt_coord_value(j->m, j->c, t, i), *y = axt_coord_value(j->m, j->c, t, l);
	int ki = operand_of(j, &i), kl = operand_of(j, &l);

	if (ki == kl)
		axt_fail(j->e, AXT_E_COORD, "%s %s in %s: %s at index %lld, %s at %lld", j->what,
		    why, origin(j, ki), x, (long long)i, y, (long long)l);
	else
		axt_fail(j->e, AXT_E_COORD,
		    sign ? "%s %s: %s (%s) is followed by %s (%s)"
			 : "%s %s: %s in %s, then %s in %s",
		    j->what, why, x, origin(j, ki), y, origin(j, kl));
	axt_about_both(j->m, AXT_NOT_INCREASING, j->a[ki], j->a[kl], j->e);
	if (ki != kl && other_way(j, ki, kl, sign))
		axt_hint(j->e, "put %s before %s; --join override:%s takes them in the order given",
		    origin(j, kl), origin(j, ki), j->name);
	else
		axt_hint(j->e, "--join override:%s takes them as they are", j->name);
	return j->e->code;
}

static int
check_numbers(struct concat *j)
{
	struct axt_keying how = { 0 };
	axt_key last = 0, k;
	int sign = 0, s;

	for (int64_t i = 0; i < j->c->n; i++, last = k) {
		k = axt_key_of(j->c, &how, i);
		if (i == 0)
			continue;
		s = (k > last) - (k < last);
		sign = sign ? sign : s;
		if (!s && k == last)
			return clash(j, i - 1, i, "repeats a value", 0);
		if (!s || s != sign)
			return clash(j, i - 1, i,
			    sign > 0 ? "is not increasing" : "is not decreasing", sign);
	}
	return AXT_OK;
}

static int
check_texts(struct concat *j)
{
	const char *const *text = j->c->data;
	struct axt_keys keys;

	if (axt_keys_init(j->m, j->c, &(struct axt_keying){ 0 }, &keys))
		return axt_axes_nomem(j->e);
	for (int64_t i = 0; i < keys.n; i++)
		for (int64_t l = i + 1; l < keys.n && keys.v[l].k == keys.v[i].k; l++)
			if (!strcmp(text[keys.v[i].i], text[keys.v[l].i]))
				return clash(j, keys.v[i].i, keys.v[l].i, "repeats a value", 0);
	return AXT_OK;
}

static int
concat_values(struct concat *j)
{
	if (j->c->text ? concat_texts(j) : concat_numbers(j))
		return j->e->code;
	if (j->override || !j->ordered)
		return AXT_OK;
	return j->c->text ? check_texts(j) : check_numbers(j);
}

/* Makes the coordinates of the result, which has len values. */
static int
make_coord(struct concat *j, int64_t len)
{
	const struct axt_coord *c = j->a[0]->coord;
	bool some;

	if (look(j, &some))
		return j->e->code;
	if (some)
		c = j->a[j->first]->coord;
	else if (j->first >= 0)
		c = NULL;
	if (!c)
		return AXT_OK;
	j->c = axt_alloc(j->m, sizeof(*j->c));
	if (!j->c)
		return axt_axes_nomem(j->e);
	*j->c = *c;
	j->c->n = len;
	if (j->units)
		j->c->attrs = axt_attr_set(j->m, c->attrs,
		    &(struct axt_attr){ .name = "units", .kind = AXT_ATTR_TEXT, .text = j->units });
	if (!some) { /* no operand has values, but one of length 0 has coordinates all the same */
		j->c->data = len ? NULL : c->data;
		return AXT_OK;
	}
	return concat_values(j);
}

int
axt_coords_concat(struct axt_arena *m, const struct axt_axis *const a[], int n, bool override,
    const char *dataset, struct axt_axis *out, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct concat j = { .m = m,
		.a = a,
		.n = n,
		.override = override,
		.ordered = !dataset,
		.e = &own };
	struct axt_axis r = *a[0];

	j.name = axt_axis_show(m, &r);
	j.what = axt_sprintf(m, "%s \"%s\"", dataset ? "dataset" : "axis",
	    dataset ? axt_show(m, dataset) : j.name);
	if (!j.what)
		return axt_axes_nomem(e);
	r.len = 0;
	r.parts = NULL;
	for (int k = 0; k < n; k++) {
		r.unlimited = r.unlimited || a[k]->unlimited;
		if (__builtin_add_overflow(r.len, a[k]->len, &r.len))
			return axt_fail(e, AXT_E_LIMIT, "%s would be longer than 2^63", j.what);
	}
	if (!make_coord(&j, r.len)) {
		r.coord = j.c;
		*out = r;
	}
	return axt_err_copy(e, &own);
}
