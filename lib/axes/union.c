/*
 * union.c - what is done with lists of axes: union, order, reduction, cast, renaming,
 * transposition.
 */
#include "base/quote.h"
#include "axes/inner.h"
#include "axes/select.h"

int
axt_axes_find(const struct axt_axes *x, const struct axt_axis *a)
{
	for (int i = 0; i < x->n; i++)
		if (axt_axis_same(&x->a[i], a))
			return i;
	return -1;
}

bool
axt_axes_same(const struct axt_axes *x, const struct axt_axes *y)
{
	if (x->n != y->n)
		return false;
	for (int i = 0; i < x->n; i++)
		if (!axt_axis_same(&x->a[i], &y->a[i]) || x->a[i].len != y->a[i].len)
			return false;
	return true;
}

bool
axt_axes_count(const struct axt_axes *x, int64_t *n)
{
	bool fits = true;

	/* one axis of length 0 makes the count 0, even if the product of the others does not fit */
	*n = 1;
	for (int i = 0; i < x->n; i++)
		if (x->a[i].len == 0) {
			*n = 0;
			return true;
		}
	for (int i = 0; i < x->n; i++)
		fits = fits && x->a[i].len >= 0 && axt_mul(*n, x->a[i].len, n);
	return fits;
}

int64_t
axt_axes_product(const struct axt_axes *x, const int *which, int n)
{
	int64_t p = 1;

	for (int i = 0; i < n; i++)
		if (!axt_mul(p, x->a[which[i]].len, &p))
			return INT64_MAX;
	return p;
}

/* ---- joining two axes ---- */

static bool
overridden(const struct axt_join *j, const struct axt_axis *a)
{
	return j && (j->override_all || axt_axes_find(&j->override, a) >= 0);
}

static bool
has_value(const struct axt_coord *c, double v)
{
	for (int64_t i = 0; i < c->n; i++)
		if (axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype)) == v)
			return true;
	return false;
}

const struct axt_axis *
axt_times_apart(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b)
{
	const struct axt_axis *axis[2] = { a, b };
	const char *ends[2][2];

	for (int i = 0; i < 2; i++) {
		const struct axt_axis *x = axis[i];
		struct axt_err ignored = { 0 };
		struct axt_cftime t;

		if (axt_axis_times(x, axt_axis_show(m, x), &t, &ignored) || x->len < 1)
			return NULL;
		for (int k = 0; k < 2; k++)
			ends[i][k] = axt_coord_value(m, x->coord, &t, k ? x->len - 1 : 0);
	}
	return strcmp(ends[0][1], ends[1][0]) < 0 ? a
	    : strcmp(ends[1][1], ends[0][0]) < 0  ? b
						  : NULL;
}

/* Where the shorter axis is a part of the longer one, how to take that part of the longer one. */
static void
hint_part(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e)
{
	const struct axt_axis *few = a->len < b->len ? a : b, *all = few == a ? b : a;
	const struct axt_axis *early;
	const struct axt_coord *c = few->coord, *whole = all->coord;
	struct axt_err ignored = { 0 };
	struct axt_cftime t;
	const char *first, *last, *from, *name = axt_axis_show(m, few);
	int64_t n = few->len - 1, inside = 0;
	bool times;

	if (n < 0 || !c || !whole || !c->data || !whole->data)
		return;
	if (c->text || whole->text) {
		axt_labels_hint(m, a, b, e);
		return;
	}
	if ((early = axt_times_apart(m, few, all))) {
		axt_hint(e, "the times do not overlap: axt-concat %s %s %s joins them",
		    axt_typed(m, "%s", name), axt_typed(m, "%s", early->from),
		    axt_typed(m, "%s", (early == few ? all : few)->from));
		return;
	}
	for (int64_t i = 0; i <= n; i += MAX(1, n))
		if (!has_value(whole,
			axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype))))
			return;
	for (int64_t i = 0; i < whole->n; i++) {
		double v = axt_load_f64(whole->dtype,
		    (const char *)whole->data + i * axt_size(whole->dtype));
		double lo = axt_load_f64(c->dtype, c->data);
		double hi = axt_load_f64(c->dtype, (const char *)c->data + n * axt_size(c->dtype));

		inside += v >= MIN(lo, hi) && v <= MAX(lo, hi);
	}
	if (inside != few->len) {
		if (!axt_labels_hint(m, a, b, e) && a->from && b->from)
			axt_hint(e, "axt-interp %s %s has the values there",
			    axt_typed(m, "%s=%s", name, few->from), axt_typed(m, "%s", all->from));
		return;
	}
	times = axt_axis_times(few, name, &t, &ignored) == 0;
	first = axt_coord_value(m, c, times ? &t : NULL, 0);
	last = axt_coord_value(m, c, times ? &t : NULL, n);
	from = axt_typed(m, "%s", all->from);
	axt_hint(e, "axt-slice %s %s, in axt-calc [%s@%s:%s] behind the name, is the same part",
	    axt_typed(m, "%s@%s:%s", name, first, last), from, name, first, last);
}

static int
lengths_differ(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e)
{
	const char *na = axt_axis_show(m, a);
	long long la = (long long)a->len, lb = (long long)b->len;

	if (a->level != b->level)
		axt_fail(e, AXT_E_AXES,
		    "axis \"%s\" has length %lld%s%s and its pair \"%s\" has %lld%s%s", na, la,
		    a->from ? " in " : "", a->from ? axt_show(m, a->from) : "", axt_axis_show(m, b),
		    lb, b->from ? " in " : "", b->from ? axt_show(m, b->from) : "");
	else if (!a->from || !b->from)
		axt_fail(e, AXT_E_AXES, "axis \"%s\" has lengths %lld and %lld", na, la, lb);
	else
		axt_fail(e, AXT_E_AXES, "axis \"%s\" has length %lld in %s and %lld in %s", na, la,
		    axt_show(m, a->from), lb, axt_show(m, b->from));
	axt_about_both(m, AXT_LENGTHS, a, b, e);
	if (a->level == b->level && a->from && b->from)
		hint_part(m, a, b, e);
	return e->code;
}

int
axt_axis_meet(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    const struct axt_join *j, struct axt_axis *out, struct axt_err *e)
{
	bool va = a->coord && a->coord->data, vb = b->coord && b->coord->data;
	struct axt_axis r = *a;

	if (a->len != b->len)
		return lengths_differ(m, a, b, e);
	if (va && vb && !overridden(j, a) && axt_coord_compare(m, a, b, e))
		return e->code;
	/*
	 * If only one of the axes has values, the result has these, and messages name that axis's
	 * tensor.
	 */
	if (!va && (vb || !a->coord))
		r.coord = b->coord;
	if (!va && vb && b->from)
		r.from = b->from;
	r.unlimited = a->unlimited || b->unlimited;
	*out = r;
	return AXT_OK;
}

int
axt_axes_union(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_join *j, struct axt_axes *out, struct axt_err *e)
{
	struct axt_axes r = *a;

	for (int i = 0; i < b->n; i++) {
		int k = axt_axes_find(a, &b->a[i]);
		int rc = k < 0 ? axt_axes_add(&r, &b->a[i], e)
			       : axt_axis_meet(m, &a->a[k], &b->a[i], j, &r.a[k], e);

		if (rc)
			return rc;
	}
	*out = r;
	return AXT_OK;
}

/* ---- lists that a user typed ---- */

/* Adds to the error just set that axis i has to be in a list, and is not. */
static int
left_out(struct axt_arena *m, const struct axt_axes *have, int i, const struct axt_axes *want,
    struct axt_err *e)
{
	axt_about(e, AXT_LEFT_OUT, i < 0 ? NULL : axt_axis_spell(m, &have->a[i]),
	    axt_axes_from(have));
	for (int k = 0; k < want->n; k++)
		axt_about_among(e, axt_axis_spell(m, &want->a[k]));
	return e->code;
}

static int
missing(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want, int i,
    struct axt_err *e)
{
	axt_fail(e, AXT_E_AXES, "axis \"%s\"%s is not among the axes named (%s)",
	    axt_axis_show(m, &have->a[i]), axt_axes_in(m, have), axt_axes_names(m, want));
	left_out(m, have, i, want, e);
	if (have->a[i].len == 1)
		axt_hint(e, "axt-squeeze --over %s drops an axis of length 1",
		    axt_typed(m, "%s", axt_axis_show(m, &have->a[i])));
	return e->code;
}

static int
check_length(struct axt_arena *m, const struct axt_axis *have, const struct axt_axis *want,
    struct axt_err *e)
{
	if (want->len < 0 || want->len == have->len)
		return AXT_OK;
	axt_fail(e, AXT_E_AXES, "axis \"%s\" has length %lld%s%s, not %lld", axt_axis_show(m, have),
	    (long long)have->len, have->from ? " in " : "",
	    have->from ? axt_show(m, have->from) : "", (long long)want->len);
	return axt_about(e, AXT_LENGTHS, axt_axis_spell(m, have), have->from);
}

static int
check_all_named(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_err *e)
{
	for (int i = 0; i < have->n; i++)
		if (axt_axes_find(want, &have->a[i]) < 0)
			return missing(m, have, want, i, e);
	return AXT_OK;
}

/*
 * Checks an axis of a list that `have` lacks: it must have a length. One without a length was
 * probably meant as an axis of `have`, and is mistyped.
 */
static int
new_axis(struct axt_arena *m, const struct axt_axes *have, const struct axt_axis *a,
    struct axt_err *e)
{
	const char *name = axt_axis_show(m, a);

	if (a->len >= 0)
		return AXT_OK;
	axt_axes_unknown(m, have, a, e);
	axt_hint(e, "a new axis needs a length: %s=LEN", name);
	return e->code;
}

int
axt_axes_override(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e)
{
	struct axt_axes r = { 0 };

	if (axt_axes_check_unique(m, want, e))
		return e->code;
	for (int i = 0; i < want->n; i++) {
		int k = axt_axes_find(have, &want->a[i]);

		if (k < 0 ? new_axis(m, have, &want->a[i], e)
			  : check_length(m, &have->a[k], &want->a[i], e))
			return e->code;
		r.a[r.n++] = k < 0 ? want->a[i] : have->a[k];
	}
	if (check_all_named(m, have, want, e))
		return e->code;
	*out = r;
	return AXT_OK;
}

/* Finds each axis of want in `have`. It is an error if one is not there, or occurs twice. */
static int
look_up(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want, int *index,
    struct axt_err *e)
{
	if (axt_axes_check_unique(m, want, e))
		return e->code;
	for (int i = 0; i < want->n; i++) {
		index[i] = axt_axes_find(have, &want->a[i]);
		if (index[i] < 0)
			return axt_axes_unknown(m, have, &want->a[i], e);
		if (check_length(m, &have->a[index[i]], &want->a[i], e))
			return e->code;
	}
	return AXT_OK;
}

int
axt_axes_permute(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    int rest, int perm[AXT_MAX_RANK], struct axt_err *e)
{
	int index[AXT_MAX_RANK], n = 0;

	if (look_up(m, have, want, index, e))
		return e->code;
	if (rest < 0 && check_all_named(m, have, want, e)) {
		axt_hint(e, "\"...\" stands for the axes not named");
		return e->code;
	}
	for (int i = 0; i <= want->n; i++) {
		for (int k = 0; i == rest && k < have->n; k++)
			if (axt_axes_find(want, &have->a[k]) < 0)
				perm[n++] = k;
		if (i < want->n)
			perm[n++] = index[i];
	}
	return AXT_OK;
}

/* If both lists are given, checks that each axis is in exactly one of them. */
static int
check_partition(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *to,
    const struct axt_axes *over, struct axt_err *e)
{
	for (int i = 0; i < x->n; i++) {
		bool stays = axt_axes_find(to, &x->a[i]) >= 0,
		     goes = axt_axes_find(over, &x->a[i]) >= 0;

		if (stays && goes) {
			axt_fail(e, AXT_E_AXES, "axis \"%s\" is both kept and reduced",
			    axt_axis_show(m, &x->a[i]));
			return axt_about(e, AXT_AXIS_TWICE, axt_axis_spell(m, &x->a[i]),
			    axt_axes_from(x));
		}
		if (!stays && !goes) {
			axt_fail(e, AXT_E_AXES, "axis \"%s\"%s is neither kept nor reduced",
			    axt_axis_show(m, &x->a[i]), axt_axes_in(m, x));
			return left_out(m, x, i, to, e);
		}
	}
	return AXT_OK;
}

int
axt_axes_reduce(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *to,
    const struct axt_axes *over, int kept[AXT_MAX_RANK], int *nkept, struct axt_err *e)
{
	int index[AXT_MAX_RANK];

	*nkept = 0;
	if (over && look_up(m, x, over, index, e))
		return e->code;
	if (to) {
		if (look_up(m, x, to, kept, e))
			return e->code;
		*nkept = to->n;
		return over ? check_partition(m, x, to, over, e) : AXT_OK;
	}
	for (int i = 0; over && i < x->n; i++)
		if (axt_axes_find(over, &x->a[i]) < 0)
			kept[(*nkept)++] = i;
	return AXT_OK;
}

/* ---- new names ---- */

int
axt_axes_cast(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e)
{
	struct axt_axes r = *have;

	if (axt_axes_check_unique(m, want, e))
		return e->code;
	if (have->n != want->n) {
		axt_fail(e, AXT_E_AXES,
		    "a cast names every axis: rank %d%s (%s), but %d named (%s)", have->n,
		    axt_axes_in(m, have), axt_axes_names(m, have), want->n,
		    axt_axes_names(m, want));
		return left_out(m, have, MIN(want->n, have->n - 1), want, e);
	}
	for (int i = 0; i < want->n; i++) {
		if (check_length(m, &have->a[i], &want->a[i], e))
			return e->code;
		if (axt_axis_same(&have->a[i], &want->a[i]))
			continue;
		r.a[i].name = want->a[i].name;
		r.a[i].level = want->a[i].level;
		r.a[i].coord = NULL;
		r.a[i].parts = NULL;
		r.a[i].along = NULL;
		r.a[i].unlimited = false;
	}
	*out = r;
	return AXT_OK;
}

/* Reads "old=new" at *s. */
static int
rename_one(struct axt_arena *m, const struct axt_axes *have, const char **s, struct axt_axes *r,
    bool *done, struct axt_err *e)
{
	const char *typed = *s;
	struct axt_axis from, to;
	int k;

	if (axt_axis_parse(m, s, &from, e))
		return e->code;
	if (**s != '=') {
		axt_fail(e, AXT_E_SYNTAX, "\"%s\" is not OLD=NEW", axt_axis_show(m, &from));
		return axt_about_part(e, AXT_BAD_WORD, typed, strcspn(typed, ","), "OLD=NEW");
	}
	++*s;
	if (axt_axis_parse(m, s, &to, e))
		return e->code;
	if (**s == '=') {
		axt_fail(e, AXT_E_SYNTAX, "\"%s=%s=\" is not OLD=NEW", axt_axis_show(m, &from),
		    axt_axis_show(m, &to));
		return axt_about_part(e, AXT_BAD_WORD, typed, strcspn(typed, ","), "OLD=NEW");
	}
	k = axt_axes_find(have, &from);
	if (k < 0)
		return axt_axes_unknown(m, have, &from, e);
	if (done[k]) {
		axt_fail(e, AXT_E_AXES, "axis \"%s\" is renamed twice", axt_axis_show(m, &from));
		return axt_about(e, AXT_AXIS_TWICE, axt_axis_spell(m, &from), axt_axes_from(have));
	}
	done[k] = true;
	r->a[k].name = to.name;
	r->a[k].level = to.level;
	r->a[k].parts = axt_axis_same(&from, &to) ? have->a[k].parts : NULL;
	return AXT_OK;
}

int
axt_axes_rename(struct axt_arena *m, const struct axt_axes *have, const char *map,
    struct axt_axes *out, struct axt_err *e)
{
	bool done[AXT_MAX_RANK] = { false };
	struct axt_axes r = *have;
	struct axt_err own = { 0 };

	while (*map) {
		if (rename_one(m, have, &map, &r, done, &own))
			break;
		if (!*map)
			break;
		map++;
		if (!*map && axt_fail(&own, AXT_E_SYNTAX, "the list of new names ends in a comma"))
			axt_about(&own, AXT_BAD_WORD, "", "OLD=NEW");
	}
	if (!own.code && !axt_axes_check_unique(m, &r, &own))
		*out = r;
	return axt_err_copy(e, &own);
}

void
axt_axes_transpose(const struct axt_axes *have, struct axt_axes *out)
{
	struct axt_axes r = *have;

	for (int i = 0; i < r.n; i++)
		r.a[i].level = 1 - r.a[i].level;
	*out = r;
}
