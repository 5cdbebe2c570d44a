/*
 * interp.c - interpolation to other coordinates along an axis, or within gaps. Here the targets are
 * found, which are typed, or another tensor's coordinates or values, and converted to the units of
 * the axis; a gufunc interpolates.
 */
#include <math.h>
#include <stdlib.h>

#include "base/quote.h"
#include "axes/keys.h"
#include "grids/grids.h"

/* What is interpolated along which axis, and the targets. */
struct interp {
	struct axt_graph *g;
	struct axt_expr *a;
	const struct axt_axis *axis;
	const char *spec; /* the targets as typed */
	const char *what; /* what has the points, for messages */
	/* attributes of the points, which tell their units */
	const struct axt_attr *attrs;
	bool time;
	struct axt_cftime t;
	double *to; /* [n], in the units of the points */
	int64_t n, cap;
	struct axt_coord coord; /* those of the result */
	/* the tensor whose values are the targets, such as latitudes of stations; NULL: none */
	const struct axt_expr *at;
	/* the tensor whose coordinates are the targets; NULL: they are others */
	const struct axt_expr *along;
	bool listed; /* the tensor stands for several axes, so that its values are no targets */
	bool single; /* one number or date was typed: the axis is dropped, as axt_slice does */
};

/* ---- typed targets ---- */

static int
add(struct interp *s, double v)
{
	double *p;

	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		p = axt_alloc(s->g->m, (size_t)s->cap * sizeof(*p));
		if (!p)
			return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
		if (s->n)
			memcpy(p, s->to, (size_t)s->n * sizeof(*p));
		s->to = p;
	}
	s->to[s->n++] = v;
	return 0;
}

static int
bad_spec(struct interp *s, const char *word, const char *why)
{
	axt_fail(&s->g->err, AXT_E_SYNTAX, "\"%s\" %s", axt_escape(s->g->m, word), why);
	axt_about(&s->g->err, AXT_BAD_COORDINATE, word, axt_axis_spell(s->g->m, s->axis));
	axt_hint(&s->g->err,
	    s->time ? "%s=2001-01-01,2001-01-02T12:00:00, %s=2001-01-01:2001-12-31:6h, or "
		      "%s=FILE:DATASET"
		    : "%s=V,W, %s=FIRST:LAST:STEP, or %s=FILE:DATASET",
	    s->axis->name, s->axis->name, s->axis->name);
	return s->g->err.code;
}

/*
 * The instant as a number in the units of the axis. A number that only rounding keeps from being
 * whole is made whole.
 */
static double
of_instant(const struct axt_cftime *t, double seconds)
{
	double v = (seconds - t->epoch) / t->unit;

	return fabs(v - rint(v)) * t->unit < 1e-4 ? rint(v) : v;
}

/* A typed value: a number, or the instant at which a date begins. */
static bool
value(const struct interp *s, const char *word, double *v)
{
	struct axt_num x;
	double end;

	if (s->time) {
		if (!axt_cftime_period(&s->t, word, v, &end))
			return false;
		*v = of_instant(&s->t, *v);
		return true;
	}
	if (!axt_parse_num(word, &x) || !isfinite(x.f))
		return false;
	*v = x.f;
	return true;
}

/* The step of a range of dates, such as 6h or month: n times that unit, counted from `first`. */
static bool
date_step(const struct interp *s, const char *word, double first, double *n, struct axt_cftime *t)
{
	size_t digits = strspn(word, "0123456789.");
	char number[32], *end;
	const char *units = axt_sprintf(s->g->m, "%s since 2000-01-01",
	    word + digits + strspn(word + digits, " "));

	if (digits >= sizeof(number) || !units ||
	    !axt_cftime_parse(units, axt_cftime_calendar(s->t.calendar), t))
		return false;
	memcpy(number, word, digits);
	number[digits] = '\0';
	*n = digits ? axt_strtod(number, &end) : 1;
	t->epoch = axt_cftime_seconds(&s->t, first);
	return *n > 0;
}

#define MOST (INT64_C(1) << 32) /* targets of one range */

/* Warns that the step leads beyond the last value: a number of points may have been meant. */
static void
warn_step(const struct interp *s, double first, double last, double step)
{
	double n = rint(step);
	const char *axis = axt_escape(s->g->m, s->axis->name);

	if (n == step && n >= 2 && n <= 1e9)
		axt_warn(s->g,
		    "%s=%s is one point, since the step %g is larger than the range; "
		    "%s=%.15g:%.15g:%.15g has %.15g points",
		    axis, axt_escape(s->g->m, s->spec), step, axis, first, last,
		    fabs(last - first) / (n - 1), n);
	else
		axt_warn(s->g, "%s=%s is one point, since the step %g is larger than the range",
		    axis, axt_escape(s->g->m, s->spec), step);
}

/* FIRST:LAST:STEP. The last is a target where steps lead to it. */
static int
range(struct interp *s, char *part[3])
{
	double first, last, step;
	struct axt_cftime t;
	int64_t n;

	if (!value(s, part[0], &first))
		return bad_spec(s, part[0], s->time ? "is no date" : "is no number");
	if (!value(s, part[1], &last))
		return bad_spec(s, part[1], s->time ? "is no date" : "is no number");
	if (!part[2])
		return bad_spec(s, s->spec, "has no step");
	if (s->time) {
		double end = axt_cftime_seconds(&s->t, last);

		if (!date_step(s, part[2], first, &step, &t))
			return bad_spec(s, part[2], "is no step of time, such as 6h");
		if ((end - t.epoch) / t.unit / step > (double)MOST)
			return bad_spec(s, s->spec, "has too many steps");
		for (int64_t i = 0;; i++) {
			double v = axt_cftime_seconds(&t, (double)i * step);

			if (v > end + 1e-4) {
				if (i == 1 && end > t.epoch)
					axt_warn(s->g,
					    "%s=%s is one time, since the step is larger than the "
					    "range",
					    axt_escape(s->g->m, s->axis->name),
					    axt_escape(s->g->m, s->spec));
				return 0;
			}
			if (add(s, of_instant(&s->t, v)))
				return s->g->err.code;
		}
	}
	if (!value(s, part[2], &step) || step == 0)
		return bad_spec(s, part[2], "is no step");
	if ((last - first) / step < 0)
		step = -step;
	if ((last - first) / step > (double)MOST)
		return bad_spec(s, s->spec, "has too many steps");
	n = (int64_t)floor((last - first) / step + 1e-9) + 1;
	if (n == 1 && first != last)
		warn_step(s, first, last, fabs(step));
	for (int64_t i = 0; i < n; i++)
		if (add(s, first + (double)i * step))
			return s->g->err.code;
	return 0;
}

/*
 * Reads targets that were typed. *done becomes false, without an error, if the word begins with no
 * number and no date, and so is not typed targets.
 */
static int
typed(struct interp *s, bool *done)
{
	char *word = axt_strdup(s->g->m, s->spec), *part[3] = { NULL }, *p;
	char sep = strchr(s->spec, '/') ? '/' : ':';
	double v;
	int n = 0;

	*done = false;
	if (!word)
		return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	if (value(s, s->spec, &v)) { /* a date may have a clock */
		*done = s->single = true;
		return add(s, v);
	}
	for (p = word; p && n < 3; n++) {
		part[n] = p;
		p = n < 2 || strchr(p, ',') ? strpbrk(p, (char[]){ sep, '\0' }) : NULL;
		if (p)
			*p++ = '\0';
	}
	*done = value(s, part[0], &v) && !strchr(s->spec, ',');
	if (*done)
		return n < 2 ? add(s, v) : range(s, part);
	word = axt_strdup(s->g->m, s->spec);
	for (; word; word = p) {
		p = strchr(word, ',');
		if (p)
			*p++ = '\0';
		if (!value(s, word, &v))
			return s->n ? bad_spec(s, word, s->time ? "is no date" : "is no number")
				    : 0;
		*done = true;
		if (add(s, v))
			return s->g->err.code;
	}
	return 0;
}

/* ---- the targets of another tensor ---- */

/* Converts n coordinates to targets in the units of the points. */
static int
convert(struct interp *s, const struct axt_coord *c, const char *from)
{
	const char *u = axt_attr_text(s->attrs, "units"), *v = axt_attr_text(c->attrs, "units"),
		   *absent = NULL;
	struct axt_units_way w = { .scale = 1 };
	struct axt_cftime t;
	bool time = axt_attrs_time(c->attrs, &t);

	if (c->text || !c->data || axt_dtypes[c->dtype].cls > AXT_CLASS_FLOAT)
		return axt_fail(&s->g->err, AXT_E_COORD, "axis \"%s\" of %s has no numbers",
		    axt_escape(s->g->m, s->axis->name), from);
	if (time != s->time)
		return axt_fail(&s->g->err, AXT_E_COORD, "%s has %s, and %s has %s", s->what,
		    s->time ? "times" : "no times", from, time ? "times" : "none");
	if (time && !axt_cftime_same_count(t.calendar, s->t.calendar))
		return axt_fail(&s->g->err, AXT_E_COORD, "%s has calendar %s, and %s has %s",
		    s->what, axt_cftime_calendar(s->t.calendar), from,
		    axt_cftime_calendar(t.calendar));
	if (!time && axt_units_differ(u, v) && axt_units_way(v, u, &w, &absent) != AXT_UNITS_FIT)
		return axt_fail(&s->g->err, AXT_E_COORD,
		    "%s has units \"%s\", and %s has \"%s\"%s%s", s->what, axt_escape(s->g->m, u),
		    from, axt_escape(s->g->m, v), absent ? ": " : "", absent ? absent : "");
	time = time && !axt_cftime_alike(&t, &s->t);
	for (int64_t i = 0; i < c->n; i++) {
		double x = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));

		if (add(s,
			time ? of_instant(&s->t, axt_cftime_seconds(&t, x))
			     : x * w.scale + w.offset))
			return s->g->err.code;
	}
	return 0;
}

/* Whether the tensor of one axis has the name of that axis, as coordinates have. */
static bool
names_itself(const struct axt_expr *e)
{
	const char *colon = strrchr(e->from, ':'), *name = colon ? colon + 1 : e->from;

	return strcmp(axt_last_part(name), e->axes.a[0].name) == 0;
}

/* Whether the values of e are those of a dataset, perhaps moved, and not computed. */
static bool
is_read(const struct axt_expr *e)
{
	while (e->kind != AXT_NODE_LEAF && !e->meta->stored && e->nargs > 0 &&
	    !axt_kinds[e->kind]->does)
		e = e->arg[0];
	return e->kind == AXT_NODE_LEAF || e->meta->stored;
}

/*
 * Warns where the coordinates of e are taken as targets, though its values may be meant: e has only
 * this axis, and its values were computed and have the units of the axis.
 */
static void
doubt(const struct interp *s, const struct axt_expr *e)
{
	const char *u = axt_attr_text(s->attrs, "units"),
		   *v = axt_attr_text(e->meta->attrs, "units");

	if (e->axes.n == 1 && !is_read(e) && !u == !v && !axt_units_differ(u, v))
		axt_warn(s->g,
		    "the targets are the coordinates of %s along \"%s\", and not its values; "
		    "axt-rename %s, in axt-calc rename(..., %s=target), lets these be targets",
		    e->from, axt_escape(s->g->m, e->axes.a[0].name),
		    axt_typed(s->g->m, "%s=target", e->axes.a[0].name), e->axes.a[0].name);
}

/* The axis of e that has latitudes or longitudes as the axis has, under another name; or -1. */
static int
alike(const struct interp *s, const struct axt_expr *e)
{
	const struct axt_axis *x = s->axis;
	enum axt_meaning is = x->coord ? axt_meaning(x->name, x->coord->attrs) : AXT_MEANS_OTHER;

	for (int i = 0; (is == AXT_MEANS_LAT || is == AXT_MEANS_LON) && i < e->axes.n; i++) {
		x = &e->axes.a[i];
		if (x->coord && x->coord->data && axt_meaning(x->name, x->coord->attrs) == is)
			return i;
	}
	return -1;
}

/* The values of a tensor as targets: its axes take the place of the axis. */
static int
of_values(struct interp *s, struct axt_expr *e)
{
	struct axt_graph *g = s->g;
	struct axt_expr *pair[2] = { s->a, e };
	struct axt_coord c;
	size_t bytes;
	void *p;

	if (axt_meet_dates_but(g, pair, axt_axis_spell(g->m, s->axis)))
		return g->err.code;
	s->a = pair[0];
	e = pair[1];
	bytes = (size_t)axt_count(e) * (size_t)axt_size(e->dtype);
	p = axt_alloc(g->m, bytes + 1);
	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_dtypes[e->dtype].cls > AXT_CLASS_FLOAT)
		return axt_fail(&g->err, AXT_E_DTYPE, "targets are numbers, %s is %s", e->from,
		    axt_dtypes[e->dtype].name);
	s->at = e;
	c = (struct axt_coord){ .dtype = e->dtype,
		.n = axt_count(e),
		.data = p,
		.attrs = e->meta->attrs };
	if (axt_eval_early(g, e, p, bytes))
		return g->err.code;
	return convert(s, &c, e->from);
}

/*
 * Takes targets from the tensor e: its coordinates along the axis or, if it does not have the axis,
 * its values.
 */
static int
of_tensor(struct interp *s, struct axt_expr *e)
{
	struct axt_graph *g = s->g;
	const struct axt_coord *c;
	bool computed = false;
	int i;

	if (axt_bad(e))
		return g->err.code;
	i = axt_axes_find(&e->axes, s->axis);
	/*
	 * e may be the coordinates of the axis under another name, as latitude(latitude) for lat;
	 * then its coordinates are the targets. What is computed of such coordinates, as log(plev),
	 * has its values as targets.
	 */
	if (i < 0 && e->axes.n == 1 && names_itself(e))
		computed = !is_read(e);
	if (i < 0 && !computed)
		i = e->axes.n == 1 && names_itself(e) ? 0 : alike(s, e);
	else if (i >= 0)
		doubt(s, e);
	if (i < 0 && s->listed) {
		axt_fail(&g->err, AXT_E_AXES,
		    "the targets of \"%s\" are missing: %s has the axes %s",
		    axt_escape(g->m, s->axis->name), e->from, axt_axes_text(g->m, &e->axes));
		axt_hint(&g->err, "%s=FILE:COORDINATES tells them, each axis by itself",
		    axt_escape(g->m, s->axis->name));
		return g->err.code;
	}
	if (i < 0)
		return of_values(s, e);
	c = e->axes.a[i].coord;
	if (!c || !c->data)
		return axt_axis_unlabelled(g->m, &e->axes.a[i], e->from, &g->err);
	if (convert(s, c, e->from))
		return g->err.code;
	s->coord = *c;
	s->along = e;
	return 0;
}

/* ---- the points ---- */

/* A leaf of n numbers along an axis of that name. */
static struct axt_expr *
line(struct interp *s, const char *name, const double *v, int64_t n)
{
	struct axt_axes x = { .n = 1,
		.a = {
		    { .name = name, .level = s->axis->level, .len = n, .from = s->axis->from } } };

	if (!name)
		return axt_graph_fail(s->g, AXT_E_MEM, "out of memory");
	return axt_memory_leaf(s->g, AXT_F64, &x, v);
}

/*
 * Whether the points x are longitudes that go around; then turns of 360 are added to them so that
 * they run on in one direction. *closed: the last point is about as far from the first, a turn on,
 * as neighbours are, so that they close the circle.
 */
static bool
goes_around(const struct interp *s, double *x, int64_t n, bool *closed)
{
	double most = 0, gap;

	if (!axt_axis_circle(s->axis))
		return false;
	for (int64_t i = 1; i < n; i++) {
		x[i] -= 360 * rint((x[i] - x[i - 1]) / 360);
		most = fmax(most, fabs(x[i] - x[i - 1]));
	}
	gap = n > 1 ? 360 - fabs(x[n - 1] - x[0]) : 360;
	*closed = gap > 0 && gap <= 1.5 * most;
	return gap > 0;
}

/* The coordinates of the axis as the points, in the units that targets are told in. */
static struct axt_expr *
own_points(struct interp *s, struct axt_gufunc_opts *o)
{
	const struct axt_coord *c = s->axis->coord;
	struct axt_graph *g = s->g;
	struct axt_cftime t = s->t;
	bool closed = false;
	double *x;

	x = axt_alloc(g->m, (size_t)c->n * sizeof(*x) + 1);
	if (!x)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	/* months have no fixed length: between them days are counted */
	if (t.months && !axt_cftime_days(g->m, &t))
		return axt_node_failed(g);
	for (int64_t i = 0; i < c->n; i++) {
		x[i] = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));
		if (s->time && s->t.months)
			x[i] = of_instant(&t, axt_cftime_seconds(&s->t, x[i]));
	}
	if (goes_around(s, x, c->n, &closed)) {
		o->n[2] = closed;
		o->x[0] = 360;
	}
	return line(s, s->axis->name, x, c->n);
}

/* What the result has along the axis: the targets, as f64 unless the points' dtype holds them. */
static int
result_coord(struct interp *s, struct axt_coord *c)
{
	static const char *const dropped[] = { "bounds", "climatology", "coordinates",
		"cell_methods", "_FillValue", "missing_value", "grid_mapping", "cell_measures",
		"ancillary_variables", "formula_terms" };
	const struct axt_attr *l = s->coord.data ? s->coord.attrs : s->attrs;

	for (int i = 0; i < ARRAY_LEN(dropped); i++)
		l = axt_attr_drop(s->g->m, l, dropped[i]);
	*c = s->coord.data ? s->coord
			   : (struct axt_coord){ .dtype = AXT_F64, .n = s->n, .data = s->to };
	c->attrs = l;
	return 0;
}

/* The units of the points: those of the axis, or of the tensor that has the points. */
static int
begin(struct interp *s, int i, struct axt_expr *points)
{
	struct axt_graph *g = s->g;
	const struct axt_coord *c;

	s->axis = &s->a->axes.a[i];
	c = s->axis->coord;
	s->what = points ? points->from : axt_axis_where(g->m, s->axis, s->a->from);
	if (!points && (!c || !c->data || c->text || axt_dtypes[c->dtype].cls > AXT_CLASS_FLOAT)) {
		axt_fail(&g->err, AXT_E_COORD, "%s has %s to interpolate between", s->what,
		    c && c->text ? "text, and no numbers," : "no coordinates");
		axt_about(&g->err, AXT_UNLABELLED, axt_axis_spell(g->m, s->axis), s->a->from);
		axt_hint(&g->err, "axt-coord set %s numbers its elements",
		    axt_typed(g->m, "%s=0:1", s->axis->name));
		return g->err.code;
	}
	s->attrs = points ? points->meta->attrs : c->attrs;
	s->time = axt_attrs_time(s->attrs, &s->t);
	return 0;
}

/* Targets on an axis of months become days since the same date, as the points do. */
static int
in_days(struct interp *s)
{
	struct axt_attr at = { .name = "units", .kind = AXT_ATTR_TEXT };

	if (!s->time || !s->t.months)
		return 0;
	at.text = axt_cftime_days(s->g->m, &s->t);
	s->attrs = at.text ? axt_attr_set(s->g->m, s->attrs, &at) : NULL;
	return s->attrs ? 0 : axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
}

/* ---- the call ---- */

/* Whether `a` has one of the axes of the targets, so that a place of it has a target of its own. */
static bool
shares_axes(const struct axt_expr *a, const struct axt_expr *at)
{
	for (int k = 0; k < at->axes.n; k++)
		if (axt_axes_find(&a->axes, &at->axes.a[k]) >= 0)
			return true;
	return false;
}

/* The targets as an operand: along a core axis, or along loop axes if `a` has some of them. */
static struct axt_expr *
targets(struct interp *s, bool each)
{
	const char *name = axt_sprintf(s->g->m, "%s.targets", s->axis->name);
	struct axt_axes x = { 0 };

	if (!each)
		return line(s, name, s->to, s->n);
	if (!name)
		return axt_graph_fail(s->g, AXT_E_MEM, "out of memory");
	x = s->at->axes;
	if (x.n == AXT_MAX_RANK)
		return axt_graph_fail(s->g, AXT_E_LIMIT, "%s has too many axes", s->at->from);
	x.a[x.n++] = (struct axt_axis){ .name = name,
		.level = s->axis->level,
		.len = 1,
		.from = s->axis->from };
	return axt_memory_leaf(s->g, AXT_F64, &x, s->to);
}

#define SHOWN (1 << 24) /* the most targets that go along with a result */

/* e with targets that are a tensor over other axes as an auxiliary coordinate: lat(row). */
static struct axt_expr *
with_targets(struct interp *s, struct axt_expr *e)
{
	if (!s->at || s->at->axes.n == 0 || s->n > SHOWN)
		return e;
	return axt_with_auxiliary(s->g, e,
	    &(struct axt_aux){ .name = s->axis->name,
		.axes = s->at->axes,
		.dtype = AXT_F64,
		.data = s->to,
		.attrs = s->attrs });
}

/* Gives axis i of e, which runs over the targets, the name and the coordinates that it has. */
static struct axt_expr *
result_axes(struct interp *s, struct axt_expr *e, int i, bool each)
{
	struct axt_coord *c = axt_alloc(s->g->m, sizeof(*c));

	if (s->at && (each || s->at->axes.n == 0))
		return axt_view_axis(s->g, e, i, &(struct axt_span){ 0, 1, 1 }, 1, NULL);
	if (s->at && s->at->axes.n > 1)
		return axt_unfold(s->g, e, i, &s->at->axes);
	if (s->at) {
		e->axes.a[i] = s->at->axes.a[0];
		return axt_axes_check_unique(s->g->m, &e->axes, &s->g->err) ? axt_node_failed(s->g)
									    : e;
	}
	if (!c || result_coord(s, c))
		return axt_graph_fail(s->g, AXT_E_MEM, "out of memory");
	e->axes.a[i] = *s->axis;
	e->axes.a[i].len = s->n;
	e->axes.a[i].coord = c;
	e->axes.a[i].unlimited = false;
	return e;
}

/* Finds the targets: those of a tensor that is given, typed ones, or those of FILE:DATASET. */
static int
find_targets(struct interp *s, const struct axt_interp_opts *o)
{
	bool done = false;

	if (o->targets)
		return of_tensor(s, o->targets);
	if (typed(s, &done) || done)
		return s->g->err.code;
	return of_tensor(s, axt_open(s->g, s->spec, o->open));
}

/* The bounds of the targets, in the units of the points, if the tensor that has these has them. */
static int
target_bounds(const struct interp *s, double **out)
{
	struct interp b = *s;

	b.to = NULL;
	b.n = b.cap = 0;
	for (const struct axt_aux *x = s->along ? s->along->meta->aux : NULL; x; x = x->next)
		if (axt_is_bounds(s->coord.attrs, x) && x->axes.n == 2 && x->own[1] &&
		    x->axes.a[0].len == s->n && x->axes.a[1].len == 2) {
			struct axt_coord c = { .dtype = x->dtype,
				.n = 2 * s->n,
				.data = x->data,
				.attrs = axt_attr_text(x->attrs, "units") ? x->attrs
									  : s->coord.attrs };

			if (convert(&b, &c, s->along->from))
				return s->g->err.code;
			break;
		}
	*out = b.to;
	return 0;
}

int
axt_targets_of(struct axt_graph *g, struct axt_expr *a, int i, const char *spec,
    const struct axt_interp_opts *o, struct axt_targets *out)
{
	struct interp s = { .g = g, .a = a, .spec = spec };

	if (begin(&s, i, NULL) || find_targets(&s, o))
		return g->err.code;
	if (s.at || s.n == 0)
		return axt_fail(&g->err, AXT_E_ARG, "%s are no coordinates along an axis \"%s\"",
		    s.at ? s.at->from : axt_escape(g->m, spec), axt_escape(g->m, s.axis->name));
	if (s.time && s.t.months)
		return axt_fail(&g->err, AXT_E_COORD,
		    "%s counts months, which have no length that is always the same", s.what);
	*out = (struct axt_targets){ .n = s.n, .to = s.to };
	return target_bounds(&s, &out->bounds) || result_coord(&s, &out->coord) ? g->err.code : 0;
}

/*
 * Warns if targets lie outside the coordinates of the axis, so that the result is missing there. If
 * all do, they may be in other units. Longitudes, which go around, and months since a date are not
 * checked.
 */
static void
doubt_range(const struct interp *s)
{
	const struct axt_coord *c = s->axis->coord;
	double lo = INFINITY, hi = -INFINITY;
	int64_t out = 0;

	if (!c || !c->data || (s->time && s->t.months) ||
	    axt_meaning(s->axis->name, c->attrs) == AXT_MEANS_LON)
		return;
	for (int64_t i = 0; i < c->n; i++) {
		double v = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));

		lo = fmin(lo, v);
		hi = fmax(hi, v);
	}
	for (int64_t i = 0; i < s->n; i++)
		out += s->to[i] < lo || s->to[i] > hi;
	if (out > 0 && out < s->n)
		axt_warn(s->g,
		    "%lld of %lld targets lie beyond the values of %s%s: the result is missing there",
		    (long long)out, (long long)s->n, s->what,
		    s->time ? "" : axt_sprintf(s->g->m, ", %.9g to %.9g", lo, hi));
	if (out < s->n)
		return;
	axt_warn(s->g, "no target lies in the range of %s, %.9g to %.9g: all values are missing",
	    s->what, lo, hi);
}

/* e without what is not true at targets: they may lie outside, and are other cells. */
static struct axt_expr *
at_targets(const struct interp *s, struct axt_expr *e)
{
	enum axt_meaning is = axt_meaning(s->axis->name,
	    s->axis->coord ? s->axis->coord->attrs : NULL);
	struct axt_meta *m = axt_dress(s->g, &e, NULL);

	if (!m)
		return e;
	m->missing = true;
	if (is == AXT_MEANS_LAT || is == AXT_MEANS_LON)
		m->attrs = axt_attr_drop(s->g->m, m->attrs, "cell_measures");
	return e;
}

static struct axt_expr *
interp_one(struct axt_graph *g, struct axt_expr *a, const char *axis, const char *spec,
    const struct axt_interp_opts *o, bool listed)
{
	struct interp s = { .g = g, .spec = spec, .listed = listed };
	struct axt_gufunc_opts how = { .n = { o->nearest, o->extrapolate } };
	struct axt_expr *in[3] = { a, o->points }, *points, *e;
	int i;
	struct interp days;
	struct axt_axes core;
	bool each;

	if (o->points && axt_meet_dates_but(g, in, axis))
		return axt_node_failed(g);
	s.a = in[0];
	points = in[1];
	i = axt_view_find(g, s.a, axis);
	if (i < 0 || begin(&s, i, points))
		return axt_node_failed(g);
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_undefined(g, "interp", a);
	days = s;
	if (in_days(&days))
		return axt_node_failed(g);
	if (!in[1])
		in[1] = own_points(&s, &how);
	s.t = days.t;
	s.attrs = days.attrs;
	if (axt_bad(in[1]) || find_targets(&s, o))
		return axt_node_failed(g);
	if (s.n == 0)
		return axt_graph_fail(g, AXT_E_ARG, "\"%s\" has no targets",
		    axt_escape(g->m,
			spec       ? spec
			    : s.at ? s.at->from
				   : axis));
	if (points && axt_axes_find(&points->axes, s.axis) < 0) {
		axt_axes_unknown_in(g->m, &points->axes, s.axis, points->from, &g->err);
		return axt_node_failed(g);
	}
	if (!points && !o->extrapolate)
		doubt_range(&s);
	in[0] = s.a; /* at the times of targets, where it had a value for each month */
	each = s.at && shares_axes(s.a, s.at);
	/* core axes need names of their own */
	in[2] = targets(&s, each);
	if (axt_bad(in[2]))
		return in[2];
	core = (struct axt_axes){ .n = 2, .a = { *s.axis, in[2]->axes.a[in[2]->axes.n - 1] } };
	how.core = axt_axes_typed(g->m, &core, axt_identity, 2);
	if (axt_gufunc(g, "interp", 3, in, &how, &e))
		return axt_node_failed(g);
	e = result_axes(&s, e, axt_axes_find(&e->axes, &core.a[1]), each);
	if (!axt_bad(e) && axt_dtypes[e->dtype].cls == AXT_CLASS_FLOAT)
		e = at_targets(&s, e);
	e = points ? e : with_targets(&s, e);
	if (!axt_bad(e) && axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT)
		e = axt_conv(g, e, a->dtype, AXT_OVERFLOW_ERROR);
	return axt_bad(e) || !s.single ? e : axt_squeeze(g, e, axis);
}

/* r180x90, as CDO calls a global grid of so many longitudes and latitudes. */
static void
hint_grid(struct axt_graph *g, const char *spec)
{
	int nx, ny, end = 0;
	double dx, dy;

	if (sscanf(spec, "r%5dx%5d%n", &nx, &ny, &end) != 2 || spec[end] || nx < 1 || ny < 1)
		return;
	dx = 360.0 / nx;
	dy = 180.0 / ny;
	axt_hint(&g->err, "lat=%g:%g:%g lon=0:%g:%g", dy / 2 - 90, 90 - dy / 2, dy, 360 - dx, dx);
}

/* Fails: the word is not AXIS=TARGETS. */
static int
no_spec(struct axt_graph *g, const char *spec)
{
	axt_no_form(g, spec, "AXIS=TARGETS");
	hint_grid(g, spec);
	axt_hint(&g->err, "lat=-90:90:2.5, time=2001-01-01:2001-12-31:6h, lon=FILE:DATASET");
	return g->err.code;
}

int
axt_targets_split(struct axt_graph *g, const char *spec, char **names, const char **rest)
{
	const char *eq = spec;

	while (*eq && *eq != '=' && *eq != '@')
		eq += *eq == '\\' && eq[1] ? 2 : 1;
	if (!*eq || eq == spec || !eq[1])
		return no_spec(g, spec);
	*rest = eq + 1;
	*names = axt_strndup(g->m, spec, (size_t)(eq - spec));
	return *names ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

struct axt_expr *
axt_interp(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const struct axt_interp_opts *o)
{
	static const struct axt_interp_opts plain;
	static const struct axt_open_opts open;
	struct axt_interp_opts own = o ? *o : plain;
	const char *rest;
	char *names;
	bool listed;

	own.open = own.open ? own.open : &open;
	if (axt_refused(g, a) || (own.points && axt_refused(g, own.points)) ||
	    (own.targets && axt_refused(g, own.targets)))
		return axt_node_failed(g);
	if (own.targets)
		return interp_one(g, a, spec, NULL, &own, false);
	if (axt_targets_split(g, spec, &names, &rest))
		return axt_node_failed(g);
	listed = names && strchr(names, ',');
	for (char *p; names && !axt_bad(a); names = p) {
		p = strchr(names, ',');
		if (p)
			*p++ = '\0';
		a = interp_one(g, a, names, rest, &own, listed);
	}
	return a;
}

/* ---- gaps ---- */

struct axt_expr *
axt_fillnan_along(struct axt_graph *g, struct axt_expr *a, const char *along, bool nearest,
    int limit, int max_gap)
{
	struct axt_gufunc_opts how = { .core = along, .n = { nearest, limit, max_gap } },
			       around = { 0 };
	struct interp s = { .g = g, .a = a };
	struct axt_expr *in[2] = { a }, *e;
	const struct axt_coord *c;
	struct axt_coord counted = { .dtype = AXT_I64 };
	struct axt_axis axis;
	struct axt_meta *m;
	int i;

	if (axt_refused(g, a) || (i = axt_view_find(g, a, along ? along : "")) < 0)
		return axt_node_failed(g);
	if (limit < 0 || max_gap < 0)
		return axt_graph_fail(g, AXT_E_ARG, "fillnan: the %s is %d",
		    limit < 0 ? "limit" : "longest gap", limit < 0 ? limit : max_gap);
	if (axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT) /* nothing is missing */
		return a;
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_undefined(g, "fillnan", a);
	axis = a->axes.a[i];
	c = axis.coord;
	if (c && (c->data || c->text)) {
		if (begin(&s, i, NULL))
			return axt_node_failed(g);
	} else { /* without coordinates, elements are one apart */
		int64_t *at = axt_alloc(g->m, (size_t)axis.len * sizeof(*at) + 1);

		if (!at)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
		for (int64_t k = 0; k < axis.len; k++)
			at[k] = k;
		counted.n = axis.len;
		counted.data = at;
		axis.coord = &counted;
		s.axis = &axis;
	}
	in[1] = own_points(&s, &around);
	if (axt_bad(in[1]) || axt_gufunc(g, "fillnan", 2, in, &how, &e))
		return axt_node_failed(g);
	m = axt_dress(g, &e, NULL);
	if (!m)
		return e;
	m->aux = a->meta->aux;
	return axt_conv(g, e, a->dtype, AXT_OVERFLOW_ERROR);
}
