/* dates.c - axes of CF times: fields of their dates, and what specs of such fields select. */
#include "axes/pick.h"

int
axt_axes_field(struct axt_arena *m, const struct axt_axes *x, const char *word, int *axis)
{
	const char *dot = strrchr(word, '.'), *name;
	struct axt_err e = { 0 };
	struct axt_axes one;
	int k = dot ? axt_cffield_named(dot + 1) : -1;

	if (k < 0 || axt_axes_spelled(x, word) >= 0)
		return -1;
	name = axt_strndup(m, word, (size_t)(dot - word));
	if (!name || axt_axes_parse(m, name, false, &one, NULL, &e) || one.n != 1)
		return -1;
	*axis = axt_axes_find(x, &one.a[0]);
	return *axis < 0 ? -1 : k;
}

const char *
axt_axis_where(struct axt_arena *m, const struct axt_axis *a, const char *from)
{
	const char *name = axt_axis_show(m, a);

	return from ? axt_sprintf(m, "axis \"%s\" in %s", name, axt_show(m, from))
		    : axt_sprintf(m, "axis \"%s\"", name);
}

int
axt_axis_times(const struct axt_axis *a, const char *what, struct axt_cftime *t, struct axt_err *e)
{
	const struct axt_coord *c = a->coord;
	const char *units = c ? axt_attr_text(c->attrs, "units") : NULL;
	char why[AXT_CFTIME_WHY];

	if (c && !c->text && c->data && axt_attrs_time(c->attrs, t))
		return AXT_OK;
	axt_fail(e, AXT_E_ARG, "%s is no CF time axis: %s", what,
	    !c || !c->data ? "it has no coordinates"
		: c->text  ? "its coordinates are text"
			   : axt_cftime_why(units, axt_attr_text(c->attrs, "calendar"), why));
	return axt_about(e, AXT_NO_TIMES, a->name, a->from);
}

struct axt_cffields *
axt_axis_dates(struct axt_arena *m, const struct axt_axis *a, const char *what, struct axt_err *e)
{
	const struct axt_coord *c = a->coord;
	struct axt_cffields *f;
	struct axt_cftime t;

	if (!what || axt_axis_times(a, what, &t, e))
		return NULL;
	f = axt_alloc(m, (size_t)c->n * sizeof(*f) + 1);
	if (!f)
		axt_axes_nomem(e);
	for (int64_t i = 0; f && i < c->n; i++)
		if (!axt_cftime_fields(&t,
			axt_load_f64(c->dtype, (const uint8_t *)c->data + i * axt_size(c->dtype)),
			&f[i])) {
			axt_fail(e, AXT_E_RANGE, "%s has no valid date at index %lld", what,
			    (long long)i);
			return NULL;
		}
	return f;
}

/* The field as typed: time.month. */
static const char *
field_of(const struct axt_picking *p, int k)
{
	return axt_sprintf(p->m, "%s.%s", axt_axis_spell(p->m, p->a), axt_cffield_name(k));
}

/* Fails because no date of the axis has a field that is wanted. */
static int
none(const struct axt_picking *p, int k, const char *what, const char *word,
    const struct axt_cffields *f)
{
	int64_t lo = INT64_MAX, hi = INT64_MIN;
	char from[AXT_CFFIELD_TEXT], to[AXT_CFFIELD_TEXT];

	for (int64_t i = 0; i < p->a->len; i++) {
		lo = MIN(lo, axt_cffield_of(&f[i], k));
		hi = MAX(hi, axt_cffield_of(&f[i], k));
	}
	axt_cffield_text(k, lo, from);
	axt_cffield_text(k, hi, to);
	if (lo > hi)
		axt_fail(p->e, AXT_E_ARG, "%s is empty: it has no %s %s", what, axt_cffield_name(k),
		    axt_show(p->m, word));
	else
		axt_fail(p->e, AXT_E_ARG, "%s has no %s %s: it has %s to %s", what,
		    axt_cffield_name(k), axt_show(p->m, word), from, to);
	return axt_about(p->e, AXT_NO_LABEL, word, field_of(p, k));
}

static bool
is_wanted(const struct axt_cfwant *w, const struct axt_cffields *f)
{
	int64_t v = axt_cffield_of(f, w->field);

	return w->lo <= w->hi ? v >= w->lo && v <= w->hi : v >= w->lo || v <= w->hi;
}

/* Marks the positions whose date has the field that the word tells. */
static int
mark(const struct axt_picking *p, int k, const char *what, const char *word,
    const struct axt_cffields *f, bool *in)
{
	struct axt_cfwant w;
	bool any = false;

	if (!axt_cfwant_parse(k, word, &w)) {
		axt_fail(p->e, AXT_E_SYNTAX, "\"%s\" is no %s", axt_show(p->m, word),
		    axt_cffield_name(k));
		axt_about(p->e, AXT_BAD_FIELD, word, field_of(p, k));
		if (strcmp(axt_cffield_name(k), "season") == 0)
			axt_hint(p->e, "seasons are DJF, MAM, JJA, SON, or others such as JJAS");
		else
			axt_hint(p->e, "%s.%s@V,W or V:W", p->name, axt_cffield_name(k));
		return p->e->code;
	}
	for (int64_t i = 0; i < p->a->len; i++)
		if (is_wanted(&w, &f[i]))
			any = in[i] = true;
	return any ? (int)AXT_OK : none(p, k, what, word, f);
}

int
axt_pick_field(struct axt_picking *p, int k, const char *from, const char *spec)
{
	const char *what = axt_axis_where(p->m, p->a, from);
	const struct axt_cffields *f = axt_axis_dates(p->m, p->a, what, p->e);
	bool *in = axt_alloc(p->m, (size_t)p->a->len + 1);

	if (!f || !in)
		return p->e->code ? (int)p->e->code : axt_axes_nomem(p->e);
	memset(in, 0, (size_t)p->a->len + 1);
	for (;; spec++) {
		const char *word = axt_strndup(p->m, spec, strcspn(spec, ","));

		if (!word)
			return axt_axes_nomem(p->e);
		if (mark(p, k, what, word, f, in))
			return p->e->code;
		spec += strlen(word);
		if (!*spec)
			break;
	}
	return axt_pick_marked(p, in);
}
