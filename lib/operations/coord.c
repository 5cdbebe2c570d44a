/*
 * coord.c - sets the coordinates of an axis: to the values of a dataset, to numbers that were
 * typed, to START:STEP, also of dates, or a field of its dates. It also shifts and removes them.
 */
#include <math.h>
#include <unistd.h>

#include "cf/meaning.h"
#include "expr/expr.h"
#include "formats/formats.h"
#include "graph/graph.h"
#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"

static const struct axt_axis *
the_axis(const struct axt_expr *a, int k)
{
	return &a->axes.a[k];
}

static const char *
name_of(struct axt_graph *g, const struct axt_axis *x)
{
	const char *s = axt_axis_spell(g->m, x);

	return s ? axt_escape(g->m, s) : "?";
}

/* ---- a tensor with other coordinates ---- */

static void
replace(struct axt_axes *x, const bool *own, const struct axt_axis *a, const struct axt_coord *c)
{
	int k = axt_axes_find(x, a);

	if (k >= 0 && !(own && own[k]))
		x->a[k].coord = c;
}

/* Replaces the axis also in the auxiliary datasets that have it. */
static int
replace_aux(struct axt_graph *g, struct axt_meta *m, const struct axt_axis *a,
    const struct axt_coord *c)
{
	const struct axt_aux *old = m->aux;
	struct axt_aux **tail = (struct axt_aux **)&m->aux;

	for (; old; old = old->next) {
		struct axt_aux *x = axt_alloc(g->m, sizeof(*x));

		if (!x)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*x = *old;
		replace(&x->axes, x->own, a, c);
		*tail = x;
		tail = &x->next;
	}
	*tail = NULL;
	return AXT_OK;
}

static struct axt_expr *
with_coord(struct axt_graph *g, struct axt_expr *a, int k, const struct axt_coord *c)
{
	struct axt_expr *e = a;
	struct axt_meta *m = axt_dress(g, &e, NULL);

	if (!m || replace_aux(g, m, the_axis(a, k), c))
		return axt_node_failed(g);
	e->axes.a[k].coord = c;
	return e;
}

/* ---- where the values come from ---- */

/* Attributes l without those that describe the dataset in its own file, such as its bounds. */
static const struct axt_attr *
own_attrs(struct axt_graph *g, const struct axt_attr *l)
{
	static const char *const other[] = { "bounds", "climatology", "coordinates", "grid_mapping",
		"cell_methods", "cell_measures", "ancillary_variables", "_FillValue",
		"missing_value" };

	for (int i = 0; i < ARRAY_LEN(other); i++)
		l = axt_attr_drop(g->m, l, other[i]);
	return l;
}

static int
differ(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, int64_t n,
    const char *what)
{
	axt_fail(&g->err, AXT_E_AXES, "axis \"%s\" has length %lld in %s, and %s has %lld value%s",
	    name_of(g, x), (long long)x->len, a->from, what, (long long)n, n == 1 ? "" : "s");
	return axt_about(&g->err, AXT_LENGTHS, axt_axis_spell(g->m, x), a->from);
}

/* Latitudes that end beyond a pole were most likely typed as START:END. */
static void
tell_beyond_pole(struct axt_graph *g, const struct axt_axis *x, const struct axt_num v[2])
{
	double last = v[0].f + (double)(x->len - 1) * v[1].f;
	const char *name = name_of(g, x);

	if (fabs(last) > 90 && fabs(v[0].f) <= 90 &&
	    axt_meaning_earth(name, x->coord ? x->coord->attrs : NULL) &&
	    axt_meaning(name, x->coord ? x->coord->attrs : NULL) == AXT_MEANS_LAT)
		axt_warn(g,
		    "latitudes from %.10g in steps of %.10g end at %.10g, beyond the pole: %s=%.10g:%.10g "
		    "ends at %.10g",
		    v[0].f, v[1].f, last, name, v[0].f, (v[1].f - v[0].f) / (double)(x->len - 1),
		    v[1].f);
}

/* Coordinates START:STEP; they are integers if both numbers are. */
static int
counted(struct axt_graph *g, const struct axt_axis *x, const struct axt_num v[2],
    struct axt_coord *c)
{
	bool ints = v[0].is_int && v[1].is_int && !v[0].is_unsigned && !v[1].is_unsigned;
	int64_t *i64 = axt_alloc(g->m, (size_t)x->len * sizeof(*i64) + 1), last;
	double *f64 = (double *)i64;

	if (!i64)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	ints = ints && !__builtin_mul_overflow(v[1].i, x->len, &last) &&
	    !__builtin_add_overflow(last, v[0].i, &last);
	for (int64_t i = 0; i < x->len; i++) {
		if (ints)
			i64[i] = v[0].i + i * v[1].i;
		else
			f64[i] = v[0].f + (double)i * v[1].f;
	}
	*c = (struct axt_coord){ .dtype = ints ? AXT_I64 : AXT_F64, .n = x->len, .data = i64 };
	tell_beyond_pole(g, x, v);
	return AXT_OK;
}

static int
texts(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x,
    const struct axt_named *from, struct axt_coord *c)
{
	const char *const *s;
	int rank;

	if (axt_dset_texts(g->m, from->f, from->d, &s, &c->n, &rank, &g->err))
		return g->err.code;
	if (rank != 1)
		return axt_fail(&g->err, AXT_E_AXES, "coordinates have one axis, and %s has %d",
		    axt_escape(g->m, from->word), rank);
	if (c->n != x->len)
		return differ(g, a, x, c->n, axt_escape(g->m, from->word));
	c->text = true;
	c->data = s;
	c->attrs = own_attrs(g, from->d->attrs);
	return AXT_OK;
}

static int
numbers(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, struct axt_expr *v,
    struct axt_coord *c)
{
	void *data;
	int64_t bytes;

	if (axt_bad(v))
		return g->err.code;
	if (v->axes.n != 1)
		return axt_fail(&g->err, AXT_E_AXES,
		    "coordinates have one axis, and %s has %d (%s)", v->from, v->axes.n,
		    axt_axes_text(g->m, &v->axes));
	if (v->axes.a[0].len != x->len)
		return differ(g, a, x, v->axes.a[0].len, v->from);
	if (!axt_mul(x->len, axt_size(v->dtype), &bytes))
		return axt_fail(&g->err, AXT_E_LIMIT, "%s is too large", v->from);
	data = axt_alloc(g->m, (size_t)bytes + 1);
	if (!data)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .dtype = v->dtype,
		.n = x->len,
		.data = data,
		.attrs = own_attrs(g, v->meta->attrs) };
	return axt_eval_early(g, v, data, (size_t)bytes);
}

/* ---- words ---- */

/* The word of a list that ends at a comma, or at the end of it. */
static const char *
one_word(struct axt_graph *g, const char **s)
{
	size_t n = strcspn(*s, ",");
	const char *word = axt_strndup(g->m, *s, n);

	*s += n + ((*s)[n] == ',');
	return word;
}

/* Whether s is a list of words, and no file or dataset: words with commas between or after them. */
static bool
is_words(struct axt_graph *g, const char *s)
{
	struct axt_err ignore = { 0 };
	const char *file, *name;

	return strchr(s, ',') && access(s, F_OK) != 0 &&
	    (axt_operand_split(g->m, s, &file, &name, &ignore) || !name || access(file, F_OK) != 0);
}

static int
typed_words(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, const char *s,
    struct axt_coord *c)
{
	const char **word = axt_alloc(g->m, (strlen(s) + 1) * sizeof(*word)), *rest = s;
	struct axt_num v;

	if (!word)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .text = true, .data = word };
	while (*rest) {
		if (!(word[c->n] = one_word(g, &rest)))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (axt_parse_num(word[c->n++], &v)) {
			axt_fail(&g->err, AXT_E_SYNTAX,
			    "\"%s\" is no list of numbers, and no list of words, since \"%s\" is "
			    "a number",
			    axt_escape(g->m, s), axt_escape(g->m, word[c->n - 1]));
			axt_hint(&g->err, "a file has words of any kind, a line each: %s=FILE.txt",
			    name_of(g, x));
			return g->err.code;
		}
	}
	return c->n == x->len
	    ? 0
	    : differ(g, a, x, c->n, axt_sprintf(g->m, "\"%s\"", axt_escape(g->m, s)));
}

/* Whether the operand is a table of text, by the end of its name: a list of words or of numbers. */
static bool
is_table(struct axt_graph *g, const char *s)
{
	struct axt_err ignore = { 0 };
	const char *file, *name;

	return axt_operand_split(g->m, s, &file, &name, &ignore) == 0 &&
	    axt_format_of(file, false) == AXT_FORMAT_CSV && access(file, F_OK) == 0;
}

/* The words or numbers of a table. */
static int
column_of(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, const char *from,
    struct axt_coord *c)
{
	struct axt_words w;
	struct axt_expr **e;
	int n = axt_from_words(g, from, NULL, &e, &w);

	if (n > 1)
		return axt_fail(&g->err, AXT_E_AMBIG, "%s has several columns of numbers",
		    axt_escape(g->m, from));
	if (n > 0 && w.n < 0)
		return numbers(g, a, x, e[0], c);
	if (n < 0)
		return g->err.code;
	if (w.n == x->len) {
		*c = (struct axt_coord){ .text = true, .n = w.n, .data = w.word };
		return 0;
	}
	differ(g, a, x, w.n, axt_escape(g->m, from));
	if (w.n == x->len + 1 && !w.name)
		axt_hint(&g->err, "%s=%s:%s takes the first line as the name of a column",
		    name_of(g, x), axt_escape(g->m, from), axt_escape(g->m, w.word[0]));
	return g->err.code;
}

/* ---- times that were typed ---- */

/* The length of time that s tells, such as 6h or month; *t counts it from its epoch. */
static bool
is_duration(struct axt_graph *g, const char *s, const char *calendar, struct axt_cftime *t)
{
	return axt_cftime_parse(axt_sprintf(g->m, "%s since 2000-01-01", s), calendar, t);
}

static double
of_instant(const struct axt_cftime *t, double seconds)
{
	double v = (seconds - t->epoch) / t->unit;

	return fabs(v - rint(v)) * t->unit < 1e-4 ? rint(v) : v;
}

/* The calendar of the axis, if it has one. */
static const char *
calendar_of(const struct axt_axis *x)
{
	return x->coord ? axt_attr_text(x->coord->attrs, "calendar") : NULL;
}

static const struct axt_attr *
with_text(struct axt_graph *g, const struct axt_attr *l, const char *name, const char *text)
{
	return axt_attr_set(g->m, l,
	    &(struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text });
}

/* Says that the calendar of the axis has no dates. */
static int
no_calendar(struct axt_graph *g, const struct axt_axis *x)
{
	char why[AXT_CFTIME_WHY];

	axt_cftime_why("days since 2000-01-01", calendar_of(x), why);
	return axt_fail(&g->err, AXT_E_COORD, "axis \"%s\": %s", name_of(g, x), why);
}

/*
 * Makes times of DATE:LENGTH, such as 2001-01-01T12:00:6h, in days since that date; *is tells
 * whether s has that form.
 */
static int
dated(struct axt_graph *g, const struct axt_axis *x, const char *s, struct axt_coord *c, bool *is)
{
	const char *colon = strrchr(s, ':'), *calendar = calendar_of(x), *start;
	struct axt_cftime days, step;
	double *v, first, end;
	char text[40];

	start = colon ? axt_strndup(g->m, s, (size_t)(colon - s)) : NULL;
	*is = start && strspn(s, "0123456789") == 4 && s[4] == '-' &&
	    strspn(start, "0123456789-:T ") == strlen(start);
	if (!*is)
		return 0;
	if (!axt_cftime_parse("days since 2000-01-01", calendar, &days))
		return no_calendar(g, x);
	if (!axt_cftime_period(&days, start, &first, &end))
		axt_fail(&g->err, AXT_E_SYNTAX, "%s=%s: \"%s\" is no date of calendar %s",
		    name_of(g, x), axt_escape(g->m, s), axt_escape(g->m, start),
		    axt_cftime_calendar(days.calendar));
	else if (!is_duration(g, colon + 1, calendar, &step))
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "%s=%s: \"%s\" is no length of time, such as 6h, 1day or 2months",
		    name_of(g, x), axt_escape(g->m, s), axt_escape(g->m, colon + 1));
	if (g->err.code)
		return axt_about(&g->err, AXT_BAD_WORD, s, "DATE:LENGTH");
	step.epoch = first;
	v = axt_alloc(g->m, (size_t)x->len * sizeof(*v) + 1);
	axt_cftime_text(&days, of_instant(&days, step.epoch), text);
	if (!v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	days.epoch = step.epoch;
	for (int64_t i = 0; i < x->len; i++)
		v[i] = of_instant(&days, axt_cftime_seconds(&step, (double)i));
	if (strchr(text, 'T'))
		*strchr(text, 'T') = ' ';
	*c = (struct axt_coord){ .dtype = AXT_F64, .n = x->len, .data = v };
	c->attrs = with_text(g,
	    with_text(g, with_text(g, NULL, "standard_name", "time"), "units",
		axt_sprintf(g->m, "days since %s", text)),
	    "calendar", axt_cftime_calendar(days.calendar));
	return c->attrs ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/*
 * What becomes of coordinates one by one: of dates, field `field` is set to v, or, if that is -1, a
 * length of time is added n times; of other numbers, v is added.
 */
struct change {
	const struct axt_cftime *old; /* NULL: they are no times */
	struct axt_cftime to, length; /* the units of the result; the length that is added */
	double n, v;
	int field;
};

/* The field of a date that is set, with the other ones; the day ends with its month. */
static bool
set_field(const struct change *w, double seconds, double v, double *out)
{
	const char *name = axt_cffield_name(w->field);
	struct axt_cffields f;
	int64_t year, day, first, last;
	int month;

	if (!axt_cftime_fields(w->old, v, &f))
		return false;
	year = strcmp(name, "year") == 0 ? (int64_t)w->v : f.year;
	month = strcmp(name, "month") == 0 ? (int)w->v : f.month;
	day = strcmp(name, "day") == 0 ? (int64_t)w->v : f.day;
	first = axt_cftime_day(w->old, year, month, 1);
	last = axt_cftime_day(w->old, year + month / 12, month % 12 + 1, 1) - 1;
	*out = seconds - 86400 * floor(seconds / 86400); /* the time of day */
	if (strcmp(name, "hour") == 0)
		*out = w->v;
	*out += strcmp(name, "date") == 0 ? w->v : 86400 * (double)MIN(first + day - 1, last);
	return true;
}

static bool
changed(const struct change *w, double v, double *out)
{
	struct axt_cftime from = w->length;
	double seconds;

	if (!w->old) {
		*out = v + w->v;
		return true;
	}
	seconds = axt_cftime_seconds(w->old, v);
	if (w->field >= 0) {
		if (!set_field(w, seconds, v, &seconds))
			return false;
	} else {
		from.epoch = seconds;
		seconds = from.months ? axt_cftime_seconds(&from, w->n)
				      : seconds + w->n * from.unit;
	}
	*out = of_instant(&w->to, seconds);
	return true;
}

/* n values of dtype d changed, as f64. NULL: error. */
static const void *
all_changed(struct axt_graph *g, const struct change *w, const void *in, int64_t n,
    enum axt_dtype d, const char *what)
{
	double *out = axt_alloc(g->m, (size_t)n * sizeof(*out) + 1);

	if (!out)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; out && i < n; i++)
		if (!changed(w, axt_load_f64(d, (const char *)in + i * axt_size(d)), &out[i])) {
			axt_fail(&g->err, AXT_E_RANGE, "%s has no valid date at index %lld", what,
			    (long long)i);
			return NULL;
		}
	return out;
}

/* `a` with the coordinates of axis k changed, and with their bounds, unless a field was set. */
static struct axt_expr *
with_changed(struct axt_graph *g, struct axt_expr *a, int k, struct change *w)
{
	const struct axt_axis *x = the_axis(a, k);
	const char *what = axt_axis_where(g->m, x, a->from), *units = NULL;
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	struct axt_meta *m;

	if (!what || !c)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (!x->coord || !x->coord->data || x->coord->text ||
	    axt_dtypes[x->coord->dtype].cls > AXT_CLASS_FLOAT)
		return axt_graph_fail(g, AXT_E_NAME, "%s has no numbers as coordinates", what);
	if (w->old) {
		w->to = *w->old;
		units = w->to.months ? axt_cftime_days(g->m, &w->to) : NULL;
	}
	*c = *x->coord;
	c->data = all_changed(g, w, x->coord->data, c->n, c->dtype, what);
	c->dtype = AXT_F64;
	if (!c->data || !(m = axt_dress(g, &a, NULL)))
		return axt_node_failed(g);
	if (w->field >= 0)
		c->attrs = axt_attr_drop(g->m, axt_attr_drop(g->m, c->attrs, "bounds"),
		    "climatology");
	if (units)
		c->attrs = with_text(g, c->attrs, "units", units);
	for (struct axt_aux *b = (struct axt_aux *)(uintptr_t)m->aux; b;
	     b = (struct axt_aux *)(uintptr_t)b->next) {
		int64_t n;

		if (b->text || !axt_is_bounds(c->attrs, b) || !axt_axes_count(&b->axes, &n))
			continue;
		b->data = all_changed(g, w, b->data, n, b->dtype, axt_escape(g->m, b->name));
		b->dtype = AXT_F64;
	}
	if (g->err.code || replace_aux(g, m, x, c))
		return axt_node_failed(g);
	a->axes.a[k].coord = c;
	return a;
}

/* Reads the value of a field of dates: a date, a time of day in seconds, or a number. */
static bool
is_field_value(struct axt_graph *g, const struct axt_cftime *t, int k, const char *s, double *v)
{
	const char *name = axt_cffield_name(k);
	struct axt_num x;
	double end;

	if (strcmp(name, "date") == 0 || strcmp(name, "hour") == 0) {
		bool hour = strcmp(name, "hour") == 0;

		if (!axt_cftime_period(t, hour ? axt_sprintf(g->m, "2000-01-01T%s", s) : s, v,
			&end))
			return false;
		*v -= hour ? 86400 * (double)axt_cftime_day(t, 2000, 1, 1) : 0;
		return true;
	}
	if (!axt_parse_num(s, &x) || x.f != rint(x.f) || fabs(x.f) > 1e6)
		return false;
	*v = x.f;
	return strcmp(name, "year") == 0 || (strcmp(name, "month") == 0 && *v >= 1 && *v <= 12) ||
	    (strcmp(name, "day") == 0 && *v >= 1 && *v <= 31);
}

/* What the values of a field of dates are. */
static const char *
range_of(struct axt_graph *g, const struct axt_cftime *t, const char *field)
{
	static const char *const of[][2] = {
		{ "year", "a year is a whole number" },
		{ "month", "months are 1 to 12" },
		{ "day", "days are 1 to 31, or as many as the month has" },
		{ "hour", "hours are 0 to 23, with minutes as in 12:30" },
	};

	for (int i = 0; i < ARRAY_LEN(of); i++)
		if (strcmp(field, of[i][0]) == 0)
			return of[i][1];
	return strcmp(field, "date") != 0
	    ? "what can be set is year, month, day, date or hour, as in hour=12:30"
	    : axt_sprintf(g->m, "a date is such as 1990-02-28, and is in calendar \"%s\"",
		  axt_cftime_calendar(t->calendar));
}

/* `a` with field k of the dates of its axis i set to what s tells. */
static struct axt_expr *
with_field(struct axt_graph *g, struct axt_expr *a, int i, int k, const char *s)
{
	struct change w = { .field = k };
	struct axt_cftime t;

	if (axt_axis_times(the_axis(a, i), axt_axis_where(g->m, the_axis(a, i), a->from), &t,
		&g->err))
		return axt_node_failed(g);
	w.old = &t;
	if (is_field_value(g, &t, k, s, &w.v))
		return with_changed(g, a, i, &w);
	axt_fail(&g->err, AXT_E_SYNTAX, "%s.%s=%s: %s", name_of(g, the_axis(a, i)),
	    axt_cffield_name(k), axt_escape(g->m, s), range_of(g, &t, axt_cffield_name(k)));
	if (strcmp(axt_cffield_name(k), "date") != 0) /* dates are spelled right, and not there */
		axt_about(&g->err, AXT_BAD_FIELD, s, axt_cffield_name(k));
	return axt_node_failed(g);
}

/* `a` with a length of time, or a number, added to the coordinates of an axis: AXIS=N. */
static struct axt_expr *
shifted(struct axt_graph *g, struct axt_expr *a, const char *word)
{
	size_t n = axt_spec_axis(word);
	const char *axis = axt_strndup(g->m, word, n), *s = word + n + (word[n] == '=');
	const struct axt_axis *x;
	struct change w = { .field = -1 };
	struct axt_cftime t;
	struct axt_num v;
	int k;

	if (axt_refused(g, a) || !axis || (k = axt_view_find(g, a, axis)) < 0)
		return axt_node_failed(g);
	x = the_axis(a, k);
	if (axt_parse_num(s, &v)) {
		w.v = v.f;
		return with_changed(g, a, k, &w);
	}
	w.n = *s == '-' ? -1 : 1;
	s += *s == '-' || *s == '+';
	if (!is_duration(g, s, calendar_of(x), &w.length)) {
		if (is_duration(g, s, NULL, &w.length))
			return no_calendar(g, x), axt_node_failed(g);
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "\"%s\" is no number and no length of time, such as 12h, -1day or 3months",
		    axt_escape(g->m, word));
		axt_about(&g->err, AXT_BAD_WORD, word, "AXIS=LENGTH");
		return axt_node_failed(g);
	}
	if (axt_axis_times(x, axt_axis_where(g->m, x, a->from), &t, &g->err))
		return axt_node_failed(g);
	w.old = &t;
	return with_changed(g, a, k, &w);
}

/* ---- numbers that were typed ---- */

/* Whether s is NUMBER,NUMBER,...; their count. */
static bool
is_list(struct axt_graph *g, const char *s, int64_t *n)
{
	const char *part, *next;
	struct axt_num v;

	for (*n = 1;; s = next + 1, ++*n) {
		next = strchr(s, ',');
		part = next ? axt_strndup(g->m, s, (size_t)(next - s)) : s;
		if (!part || !axt_parse_num(part, &v))
			return false;
		if (!next)
			return true;
	}
}

/* Coordinates that were typed; they are integers if all numbers are. */
static int
listed(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, const char *s,
    int64_t n, struct axt_coord *c)
{
	int64_t *i64 = axt_alloc(g->m, (size_t)n * sizeof(*i64));
	double *f64 = axt_alloc(g->m, (size_t)n * sizeof(*f64));
	bool ints = true;

	if (n != x->len)
		return differ(g, a, x, n, axt_sprintf(g->m, "\"%s\"", axt_escape(g->m, s)));
	if (!i64 || !f64)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < n; i++, s += strcspn(s, ",") + 1) {
		const char *part = axt_strndup(g->m, s, strcspn(s, ","));
		struct axt_num v = { 0 };

		if (!part || !axt_parse_num(part, &v))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		ints = ints && v.is_int && !v.is_unsigned;
		i64[i] = v.i;
		f64[i] = v.f;
	}
	*c = (struct axt_coord){ .dtype = ints ? AXT_I64 : AXT_F64,
		.n = n,
		.data = ints ? (void *)i64 : f64 };
	return AXT_OK;
}

/* Whether s is NUMBER:NUMBER. */
static bool
is_counted(struct axt_graph *g, const char *s, struct axt_num v[2])
{
	const char *colon = strchr(s, ':');
	const char *start = colon ? axt_strndup(g->m, s, (size_t)(colon - s)) : NULL;

	return start && axt_parse_num(start, &v[0]) && axt_parse_num(colon + 1, &v[1]);
}

/* Reads START:END:STEP, or START..END, whose v[2] is 0; false: it is neither. */
static bool
is_range(struct axt_graph *g, const char *s, struct axt_num v[3])
{
	const char *dots = strstr(s, ".."), *end = dots ? dots : strchr(s, ':'), *rest;
	const char *start = end ? axt_strndup(g->m, s, (size_t)(end - s)) : NULL;

	v[2] = (struct axt_num){ 0 };
	if (!start || !axt_parse_num(start, &v[0]))
		return false;
	if (dots)
		return axt_parse_num(dots + 2, &v[1]);
	rest = strchr(end + 1, ':');
	start = rest ? axt_strndup(g->m, end + 1, (size_t)(rest - end - 1)) : NULL;
	return start && axt_parse_num(start, &v[1]) && axt_parse_num(rest + 1, &v[2]);
}

/*
 * Makes coordinates of START:END:STEP, as targets of axt-interp are written, if these are as many
 * as the axis has elements, with END or without it. Otherwise fails, and the hint has START:STEP,
 * which fits an axis of any length.
 */
static int
ranged(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, const char *typed,
    const struct axt_num v[3], struct axt_coord *c)
{
	double steps = v[2].f != 0 ? (v[1].f - v[0].f) / v[2].f : NAN;
	double step = v[2].f != 0 ? v[2].f : (v[1].f - v[0].f) / (double)MAX(x->len - 1, 1);
	const char *meant = axt_sprintf(g->m, "%.10g:%.10g", v[0].f, step);

	if (round(steps) == (double)x->len || floor(steps + 1e-9) == (double)(x->len - 1))
		return counted(g, x, (struct axt_num[]){ v[0], v[2] }, c);
	axt_fail(&g->err, AXT_E_SYNTAX,
	    "%s=%s is no START:STEP, and axis \"%s\" has length %lld in %s", name_of(g, x), typed,
	    name_of(g, x), (long long)x->len, a->from);
	axt_about(&g->err, AXT_BAD_WORD, typed, "AXIS=START:STEP");
	axt_hint_meant(&g->err, meant, "%s=%s counts as far as the axis goes", name_of(g, x),
	    meant);
	return g->err.code;
}

static int
values(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x, const char *from,
    const struct axt_open_opts *o, struct axt_coord *c)
{
	struct axt_named named;
	struct axt_num v[3];
	bool dates;
	int64_t n;

	if (is_counted(g, from, v))
		return counted(g, x, v, c);
	if (dated(g, x, from, c, &dates) || dates)
		return g->err.code;
	if (is_range(g, from, v))
		return ranged(g, a, x, from, v, c);
	if (is_list(g, from, &n))
		return listed(g, a, x, from, n, c);
	if (is_words(g, from))
		return typed_words(g, a, x, from, c);
	if (is_table(g, from))
		return column_of(g, a, x, from, c);
	if (!*from) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "the coordinates of \"%s\" are FILE:DATASET, START:STEP or V,W,..., not \"%s\"",
		    name_of(g, x), axt_escape(g->m, from));
		return axt_about(&g->err, AXT_BAD_WORD, from,
		    "FILE:DATASET, START:STEP or V,W,...");
	}
	if (axt_named_operand(g, from, o, &named)) {
		if (g->err.code == AXT_E_IO && !strpbrk(from, ":/.") && access(from, F_OK) != 0)
			axt_hint(&g->err, "%s=%s, is one label; several have commas between them",
			    name_of(g, x), axt_escape(g->m, from));
		return g->err.code;
	}
	return named.d && named.d->role == AXT_ROLE_TEXT
	    ? texts(g, a, x, &named, c)
	    : numbers(g, a, x, axt_named_tensor(g, &named, o), c);
}

/* Finds the axes of `a` that the list names: index[0..n) are their positions in `a`. */
static int
named(struct axt_graph *g, const struct axt_expr *a, const char *list, int *index, int *n)
{
	struct axt_axes want;
	int perm[AXT_MAX_RANK];

	if (axt_axes_parse(g->m, list, false, &want, NULL, &g->err) ||
	    axt_axes_permute(g->m, &a->axes, &want, 0, perm, &g->err))
		return g->err.code;
	*n = want.n;
	for (int i = 0; i < want.n; i++)
		index[i] = axt_axes_find(&a->axes, &want.a[i]);
	return AXT_OK;
}

struct axt_expr *
axt_set_coord(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	const char *eq = spec, *axis;
	int index[AXT_MAX_RANK], n, field;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	while (*eq && *eq != '=')
		eq += *eq == '\\' && eq[1] ? 2 : 1;
	axis = axt_strndup(g->m, spec, (size_t)(eq - spec));
	if (!c || !axis)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (!*eq) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "\"%s\" is neither AXIS=FILE:DATASET nor AXIS=START:STEP",
		    axt_escape(g->m, spec));
		axt_about(&g->err, AXT_BAD_WORD, spec, "AXIS=FILE:DATASET or AXIS=START:STEP");
		return axt_node_failed(g);
	}
	if ((field = axt_axes_field(g->m, &a->axes, axis, &n)) >= 0)
		return with_field(g, a, n, field, eq + 1);
	if (named(g, a, axis, index, &n))
		return axt_node_failed(g);
	if (n != 1)
		return axt_not_one_axis(g, axis), axt_node_failed(g);
	if (values(g, a, the_axis(a, index[0]), eq + 1, o ? o : &plain, c))
		return axt_node_failed(g);
	return with_coord(g, a, index[0], c);
}

struct axt_expr *
axt_set_coord_to(struct axt_graph *g, struct axt_expr *a, const char *axis, struct axt_expr *e)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	int index[AXT_MAX_RANK], n;

	if (axt_refused(g, a) || axt_refused(g, e) || !c || named(g, a, axis, index, &n))
		return axt_node_failed(g);
	if (n != 1)
		return axt_not_one_axis(g, axis), axt_node_failed(g);
	return numbers(g, a, the_axis(a, index[0]), e, c) ? axt_node_failed(g)
							  : with_coord(g, a, index[0], c);
}

struct axt_expr *
axt_set_coord_values(struct axt_graph *g, struct axt_expr *a, const char *axis,
    const struct axt_values *v)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	int index[AXT_MAX_RANK], n;

	if (axt_refused(g, a) || !c || named(g, a, axis, index, &n))
		return axt_node_failed(g);
	if (n != 1)
		return axt_not_one_axis(g, axis), axt_node_failed(g);
	if (!v)
		return with_coord(g, a, index[0], NULL);
	*c = (struct axt_coord){ .text = !v->dtype,
		.dtype = v->dtype,
		.n = v->n,
		.data = axt_values_copy(g, v) };
	if (!c->data ||
	    (v->n != the_axis(a, index[0])->len &&
		differ(g, a, the_axis(a, index[0]), v->n, "what was given")))
		return axt_node_failed(g);
	return with_coord(g, a, index[0], c);
}

struct axt_expr *
axt_drop_coord(struct axt_graph *g, struct axt_expr *a, const char *axes)
{
	int index[AXT_MAX_RANK], n;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (named(g, a, axes, index, &n))
		return axt_node_failed(g);
	for (int i = 0; i < n && !axt_bad(a); i++)
		a = with_coord(g, a, index[i], NULL);
	return a;
}

/* ---- other units ---- */

/* n real values of dtype *d converted; *d becomes f64 unless it is of floats. NULL: error. */
static const void *
in_units(struct axt_graph *g, const void *in, int64_t n, enum axt_dtype *d,
    const struct axt_units_way *w)
{
	enum axt_dtype to = axt_dtypes[*d].cls == AXT_CLASS_FLOAT ? *d : AXT_F64;
	void *out = axt_alloc(g->m, (size_t)n * (size_t)axt_size(to) + 1);

	if (!out) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t i = 0; i < n; i++) {
		double v = axt_load_f64(*d, (const char *)in + i * axt_size(*d));
		struct axt_num x = { .f = w->from
			    ? (axt_cftime_seconds(w->from, v) - w->to->epoch) / w->to->unit
			    : v * w->scale + w->offset };

		axt_num_store(&x, to, (char *)out + i * axt_size(to));
	}
	*d = to;
	return out;
}

static const struct axt_attr *
units_set(struct axt_graph *g, const struct axt_attr *l, const char *units)
{
	struct axt_attr at = { .name = "units", .kind = AXT_ATTR_TEXT, .text = units };

	return axt_attr_set(g->m, l, &at);
}

/* How bounds that have units of their own, of what has the attributes l, get other units. */
static int
own_way(struct axt_graph *g, const struct axt_aux *x, const struct axt_attr *l, const char *units,
    struct axt_units_way *out)
{
	const struct axt_attr *calendar = axt_attr_find(l, "calendar"), *own = x->attrs;

	if (calendar && !axt_attr_find(own, "calendar"))
		own = axt_attr_set(g->m, own, calendar);
	return axt_units_find(g, own, units, axt_escape(g->m, x->name), out);
}

/*
 * Converts the auxiliary datasets in m that are called `name`, and those that the attributes l, of
 * coordinates, name as bounds. name may be NULL.
 */
static bool
aux_in_units(struct axt_graph *g, struct axt_meta *m, const char *name, const struct axt_attr *l,
    const struct axt_units_way *w, const char *units)
{
	const struct axt_aux *old = m->aux;
	struct axt_aux **tail = (struct axt_aux **)&m->aux;
	bool found = false;

	for (; old; old = old->next) {
		struct axt_aux *x = axt_alloc(g->m, sizeof(*x));
		bool itself = name && strcmp(old->name, name) == 0;
		struct axt_units_way own_units;
		int64_t n;

		if (!x)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory"), false;
		*x = *old;
		*tail = x;
		tail = &x->next;
		if (!itself && !axt_is_bounds(l, old))
			continue;
		found = found || itself;
		if (!itself && axt_attr_text(x->attrs, "units") &&
		    own_way(g, x, l, units, &own_units))
			return false;
		if (x->text || axt_dtypes[x->dtype].cls > AXT_CLASS_FLOAT ||
		    !axt_axes_count(&x->axes, &n) ||
		    !(x->data = in_units(g, x->data, n, &x->dtype,
			  !itself && axt_attr_text(x->attrs, "units") ? &own_units : w)))
			return axt_fail(&g->err, AXT_E_DTYPE, "\"%s\" has no real numbers",
				   axt_escape(g->m, x->name)),
			       false;
		if (itself || axt_attr_text(x->attrs, "units"))
			x->attrs = units_set(g, x->attrs, units);
	}
	*tail = NULL;
	return found;
}

/* The auxiliary dataset called `name` in other units, with its bounds. */
static struct axt_expr *
convert_aux(struct axt_graph *g, struct axt_expr *a, const struct axt_aux *x, const char *units)
{
	struct axt_meta *m = axt_dress(g, &a, NULL);
	struct axt_units_way w;

	if (!m || axt_units_find(g, x->attrs, units, axt_escape(g->m, x->name), &w))
		return axt_node_failed(g);
	aux_in_units(g, m, x->name, x->attrs, &w, units);
	return g->err.code ? axt_node_failed(g) : a;
}

/*
 * The attributes of a. If they have no calendar, they get that of the times of a: months, in a unit
 * of values along times in the calendar 360_day, have 30 days.
 */
static const struct axt_attr *
with_times_calendar(struct axt_graph *g, const struct axt_expr *a)
{
	struct axt_attr x = { .name = "calendar", .kind = AXT_ATTR_TEXT };
	const struct axt_attr *l = a->meta->attrs;

	for (int i = 0; i < a->axes.n && !x.text; i++)
		if (a->axes.a[i].coord && axt_attrs_time(a->axes.a[i].coord->attrs, NULL))
			x.text = axt_attr_text(a->axes.a[i].coord->attrs, x.name);
	for (const struct axt_aux *y = a->meta->aux; y && !x.text; y = y->next)
		if (axt_attrs_time(y->attrs, NULL))
			x.text = axt_attr_text(y->attrs, x.name);
	return !x.text || axt_attr_text(l, x.name) || axt_attrs_time(l, NULL)
	    ? l
	    : axt_attr_set(g->m, l, &x);
}

struct axt_expr *
axt_convert(struct axt_graph *g, struct axt_expr *a, const char *units, const char *coord)
{
	struct axt_units_way w;
	struct axt_coord *c;
	const struct axt_axis *x;
	struct axt_meta *m;
	const char *what;
	int k;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	units = axt_strndup(g->m, units, strlen(units));
	if (!coord)
		return !units || axt_units_find(g, with_times_calendar(g, a), units, a->from, &w)
		    ? axt_node_failed(g)
		    : axt_converted(g, a, &w, units);
	for (const struct axt_aux *y = a->meta->aux; y; y = y->next)
		if (strcmp(y->name, coord) == 0 && axt_axes_spelled(&a->axes, coord) < 0)
			return convert_aux(g, a, y, units);
	if ((k = axt_view_find(g, a, coord)) < 0)
		return axt_node_failed(g);
	x = the_axis(a, k);
	what = axt_sprintf(g->m, "coordinates \"%s\" of %s", name_of(g, x), a->from);
	c = axt_alloc(g->m, sizeof(*c));
	if (!c || !what || !units)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (!x->coord || !x->coord->data || x->coord->text ||
	    axt_dtypes[x->coord->dtype].cls > AXT_CLASS_FLOAT)
		return axt_graph_fail(g, AXT_E_NAME, "%s are no numbers", what);
	*c = *x->coord;
	if (axt_units_find(g, c->attrs, units, what, &w) ||
	    !(c->data = in_units(g, c->data, c->n, &c->dtype, &w)))
		return axt_node_failed(g);
	if (!(m = axt_dress(g, &a, NULL)))
		return a;
	aux_in_units(g, m, NULL, c->attrs, &w, units);
	c->attrs = units_set(g, c->attrs, units);
	if (g->err.code || replace_aux(g, m, x, c))
		return axt_node_failed(g);
	a->axes.a[k].coord = c;
	return a;
}

struct axt_expr *
axt_coord_values(struct axt_graph *g, const struct axt_expr *a, const char *axis)
{
	int i = axt_axes_spelled(&a->axes, axis);
	const struct axt_coord *c = i < 0 ? NULL : a->axes.a[i].coord;
	struct axt_axes x = { .n = 1 };
	struct axt_expr *e;
	struct axt_meta *m;

	if (!c || !c->data)
		return NULL;
	if (c->text)
		return axt_text_coord(g, &a->axes.a[i], axis);
	x.a[0] = a->axes.a[i];
	e = axt_memory_leaf(g, c->dtype, &x, c->data);
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	m->name = axis;
	m->attrs = axt_attr_drop(g->m, axt_attr_drop(g->m, c->attrs, "bounds"), "climatology");
	return e;
}

/* ---- the operations ---- */

struct coord {
	struct axt_specs specs;
};

#define SPECS(value, more, h)                                                         \
	AXT_PARAM_OF(struct coord, specs, struct axt_specs, SPECS, h, .arg = (value), \
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL | (more))
#define OTHERS "what an axis has from now on: a tensor, counted from START, or listed"

static const struct axt_param set[] = {
	SPECS("AXIS=OPERAND|AXIS=START:STEP", AXT_PARAM_OPERANDS, OTHERS),
	AXT_PARAMS_END,
};
static const struct axt_param shift[] = {
	SPECS("AXIS=LENGTH", 0,
	    "what is added: a length of time, such as 12h or -1month, or a number"),
	AXT_PARAMS_END,
};
static const struct axt_param drop[] = {
	SPECS("AXIS,...", 0, "the axes that lose their coordinates"),
	AXT_PARAMS_END,
};
static const struct axt_param any[] = {
	SPECS("AXIS", AXT_PARAM_OPERANDS, OTHERS),
	AXT_PARAMS_END,
};

static struct axt_expr *
build_set(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct coord, c)->specs;
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < s->n; i++) {
		size_t n = axt_spec_axis(s->word[i]);
		const char *axis = axt_strndup(g->m, s->word[i], n);

		if (!axis)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		a = s->e && s->e[i] ? axt_set_coord_to(g, a, axis, s->e[i])
				    : axt_set_coord(g, a, s->word[i], c->open);
	}
	return a;
}

static struct axt_expr *
build_shift(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct coord, c)->specs;
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < s->n; i++)
		a = shifted(g, a, s->word[i]);
	return a;
}

static struct axt_expr *
build_drop(struct axt_graph *g, const struct axt_call *c)
{
	const struct axt_specs *s = &AXT_VALUES(struct coord, c)->specs;
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < s->n; i++) {
		if (s->word[i][axt_spec_axis(s->word[i])])
			return axt_no_form(g, s->word[i], "AXIS,..."), axt_node_failed(g);
		a = axt_drop_coord(g, a, s->word[i]);
	}
	return a;
}

const struct axt_operation axt_operations_coord[] = {
	{ .name = "set_coord",
	    .line = "AXIS=OPERAND, AXIS=START:STEP or AXIS=V,W,..., any number of them",
	    .operands = "A",
	    .params = set,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN,
	    .build = build_set },
	{ .name = "shift_coord",
	    .line = "AXIS=LENGTH: add a length of time, or a number, to the coordinates",
	    .operands = "A",
	    .params = shift,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN,
	    .build = build_shift },
	{ .name = "drop_coord",
	    .line = "AXIS,...: take the coordinates away",
	    .operands = "A",
	    .params = drop,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN,
	    .build = build_drop },
	{ .name = NULL },
};

const struct axt_chooser axt_chooser_coord = {
	.all = { .name = "coord",
	    .line = "set, shift or drop the coordinates of axes",
	    .operands = "A",
	    .params = any,
	    .size = sizeof(struct coord),
	    .flags = AXT_OPERATION_STDIN },
	.word = "ACTION",
	.noun = "action",
	.affix = "_coord",
	.table = axt_operations_coord,
};
