/* labels.c - finds the positions of many values along an axis. */
#include "base/quote.h"
#include "axes/pick.h"

struct labels {
	struct axt_arena *m;
	const struct axt_axis *a;
	const struct axt_coord *c, *l; /* c: coordinates of the axis; l: the labels */
	const char *name, *in, *what;
	struct axt_keys keys;
	struct axt_keying how; /* how keys are made of labels */
	bool circle;
	enum axt_absent absent;
	struct axt_err *e;
};

/*
 * Decides how labels and coordinates are compared: as instants, as exact integers, or in the
 * narrower dtype.
 */
static int
agree(struct labels *s)
{
	struct axt_keying how = { 0 };
	struct axt_cftime tl;
	enum axt_dtype dc = s->c->dtype, dl = s->l->dtype;

	if (s->c->text != s->l->text) {
		axt_fail(s->e, AXT_E_COORD, "axis \"%s\"%s has %s for coordinates, and %s has %s",
		    s->name, s->in, s->c->text ? "text" : "numbers", s->what,
		    s->l->text ? "text" : "numbers");
		return axt_about(s->e, AXT_COORDINATES, axt_axis_spell(s->m, s->a), s->a->from);
	}
	if (!s->c->text &&
	    (axt_dtypes[dc].cls == AXT_CLASS_COMPLEX || axt_dtypes[dl].cls == AXT_CLASS_COMPLEX))
		return axt_fail(s->e, AXT_E_DTYPE,
		    "axis \"%s\"%s: complex coordinates cannot be looked up", s->name, s->in);
	how.time = axt_coord_time(s->c, &how.t) && axt_coord_time(s->l, &tl);
	if (how.time && !axt_cftime_same_count(how.t.calendar, tl.calendar))
		return axt_fail(s->e, AXT_E_COORD, "axis \"%s\" has calendar %s%s, and %s has %s",
		    s->name, axt_cftime_calendar(how.t.calendar), s->in, s->what,
		    axt_cftime_calendar(tl.calendar));
	/* times with the same units and reference instant are compared as numbers */
	how.time = how.time && !axt_cftime_alike(&how.t, &tl);
	if (axt_dtypes[dc].cls == AXT_CLASS_FLOAT || axt_dtypes[dl].cls == AXT_CLASS_FLOAT)
		how.narrow = axt_coord_narrower(dc, dl);
	s->how = how;
	s->how.t = tl;
	return axt_keys_init(s->m, s->c, &how, &s->keys) ? axt_axes_nomem(s->e) : (int)AXT_OK;
}

/* Label i as messages show it. */
static const char *
label(const struct labels *s, int64_t i)
{
	struct axt_cftime t;

	return axt_coord_value(s->m, s->l, axt_coord_time(s->l, &t) ? &t : NULL, i);
}

static const char *
extent(const struct labels *s)
{
	struct axt_cftime t;
	bool time = axt_coord_time(s->c, &t);
	const char *r;

	if (!s->keys.n || s->c->text)
		return s->c->text ? "" : ", which has no values";
	r = axt_sprintf(s->m, ", which runs from %s to %s",
	    axt_coord_value(s->m, s->c, time ? &t : NULL, s->keys.v[0].i),
	    axt_coord_value(s->m, s->c, time ? &t : NULL, s->keys.v[s->keys.n - 1].i));
	return r ? r : "";
}

static int
find(struct labels *s, int64_t i, int64_t *pos)
{
	const char *text = s->l->text ? ((const char *const *)s->l->data)[i] : NULL;
	axt_key k = axt_key_of(s->l, &s->how, i), slack = axt_key_slack(s->l, &s->how, k);
	int64_t other = -1, at = -1;

	if (k == k)
		at = s->circle ? axt_keys_around(&s->keys, k, &other)
			       : axt_keys_find(&s->keys, k, slack, text, &other);
	if (at < 0 && k == k && s->absent == AXT_ABSENT_NEAREST && s->keys.n && !s->l->text)
		at = axt_keys_nearest(&s->keys, k, k, s->circle);
	if (at < 0 && s->absent == AXT_ABSENT_NONE) {
		*pos = -1;
		return AXT_OK;
	}
	if (at < 0) {
		axt_fail(s->e, AXT_E_ARG, "%s of %s (element %lld) is not on axis \"%s\"%s%s",
		    label(s, i), s->what, (long long)i, s->name, s->in, extent(s));
		return axt_about(s->e, AXT_NO_COORDINATE, label(s, i), axt_axis_spell(s->m, s->a));
	}
	if (other >= 0) {
		axt_fail(s->e, AXT_E_AMBIG, "axis \"%s\"%s has %s twice, at index %lld and %lld",
		    s->name, s->in, label(s, i), (long long)s->keys.v[at].i,
		    (long long)s->keys.v[other].i);
		return axt_about(s->e, AXT_COORDINATE_TWICE, label(s, i),
		    axt_axis_spell(s->m, s->a));
	}
	*pos = s->keys.v[at].i;
	return AXT_OK;
}

int
axt_labels_find(struct axt_arena *m, const struct axt_axis *a, const struct axt_coord *labels,
    const char *from, const char *what, enum axt_absent absent, int64_t *pos, struct axt_err *e)
{
	struct axt_err own = { 0 };
	struct labels s = { .m = m,
		.a = a,
		.c = a->coord,
		.circle = a->coord && axt_axis_circle(a),
		.l = labels,
		.absent = absent,
		.e = &own };

	from = from ? from : a->from;
	s.name = axt_axis_show(m, a);
	s.in = from ? axt_sprintf(m, " in %s", axt_show(m, from)) : "";
	s.what = axt_show(m, what);
	if (!s.in)
		return axt_axes_nomem(e);
	if (!s.c || !s.c->data)
		axt_axis_unlabelled(m, a, from, &own);
	else if (!agree(&s))
		for (int64_t i = 0; i < labels->n && !find(&s, i, &pos[i]); i++)
			continue;
	return axt_err_copy(e, &own);
}

/*
 * Whether each coordinate of `few` occurs exactly once among those of `all`. *turned: `few` has all
 * of these, in an order that a cyclic shift makes.
 */
static bool
are_among(struct axt_arena *m, const struct axt_axis *few, const struct axt_axis *all, bool *turned)
{
	int64_t n = few->coord->n, *pos = axt_alloc(m, ((size_t)n + 1) * sizeof(*pos));
	struct axt_err ignored = { 0 };

	if (!pos || n == 0 || few->coord->text != all->coord->text ||
	    axt_labels_find(m, all, few->coord, NULL, "", AXT_ABSENT_NONE, pos, &ignored))
		return false;
	*turned = n > 2 && !few->coord->text && n == all->coord->n && pos[0] != 0;
	for (int64_t i = 0; i < n; i++) {
		if (pos[i] < 0)
			return false;
		*turned = *turned && pos[i] == (pos[0] + i) % n;
	}
	return true;
}

bool
axt_labels_hint(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e)
{
	const struct axt_axis *few = b->len < a->len ? b : a, *all = few == a ? b : a;
	bool turned = false;

	if (!a->coord || !b->coord || !a->coord->data || !b->coord->data || !a->from || !b->from ||
	    !are_among(m, few, all, &turned))
		return false;
	if (turned) {
		axt_hint(e,
		    "axt-take --like %s %s pairs them by their coordinates, which undoes a shift; "
		    "axt-shift --fixed leaves the coordinates where they are",
		    axt_typed(m, "%s", few->from), axt_typed(m, "%s", all->from));
		return true;
	}
	axt_hint(e, "axt-take --like %s %s pairs them by their coordinates%s%s%s",
	    axt_typed(m, "%s", few->from), axt_typed(m, "%s", all->from),
	    a->len == b->len ? "; --join override:" : "",
	    a->len == b->len ? axt_axis_show(m, a) : "",
	    a->len == b->len ? " by position, right or wrong" : "");
	return true;
}
