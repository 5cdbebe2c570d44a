/*
 * pairs.c - finds which axes of a dot are summed, which are batch axes, and which are
 * neither.
 */
#include "axes/inner.h"

enum role { FREE, SUMMED, BATCH };

struct pairing {
	const struct axt_axes *a, *b;
	enum role ra[AXT_MAX_RANK], rb[AXT_MAX_RANK];
	int pa[AXT_MAX_RANK]; /* for each axis of a its partner in b, if it is paired */
};

/*
 * Finds the axis of b that is paired with axis i of a: one that is not paired yet, has the same
 * name, and a level lower by `below`.
 */
static int
partner(const struct pairing *p, int i, int below)
{
	struct axt_axis want = p->a->a[i];
	int k;

	want.level -= below;
	k = axt_axes_find(p->b, &want);
	return k >= 0 && p->rb[k] == FREE ? k : -1;
}

static void
pair(struct pairing *p, int i, int k, enum role role)
{
	p->ra[i] = p->rb[k] = role;
	p->pa[i] = k;
}

static void
pair_all(struct pairing *p, int below)
{
	for (int i = 0; i < p->a->n; i++) {
		int k = p->ra[i] == FREE ? partner(p, i, below) : -1;

		if (k >= 0)
			pair(p, i, k, SUMMED);
	}
}

static int
pair_kept(struct axt_arena *m, struct pairing *p, const struct axt_axes *keep, struct axt_err *e)
{
	if (axt_axes_check_unique(m, keep, e))
		return e->code;
	for (int n = 0; n < keep->n; n++) {
		int i = axt_axes_find(p->a, &keep->a[n]), k = axt_axes_find(p->b, &keep->a[n]);

		if (i < 0 || k < 0)
			return axt_axes_unknown(m, i < 0 ? p->a : p->b, &keep->a[n], e);
		pair(p, i, k, BATCH);
	}
	return AXT_OK;
}

static int
unpaired(struct axt_arena *m, const struct pairing *p, const struct axt_axis *a,
    enum axt_pair_mode mode, struct axt_err *e)
{
	if (axt_axes_find(p->b, a) < 0)
		return axt_axes_unknown(m, p->b, a, e);
	axt_fail(e, AXT_E_AXES, "axis \"%s\" has nothing to pair with%s%s", axt_axis_show(m, a),
	    axt_axes_in(m, p->b),
	    mode == AXT_PAIR_STRICT ? ": strict pairs only starred axes" : "");
	return axt_about(e, AXT_NO_AXIS, axt_axis_spell(m, a), axt_axes_from(p->b));
}

/*
 * Pairs the axes that the list names and that are not paired yet. Axes with stars come first, as
 * they do if there is no list.
 */
static void
pair_named(struct pairing *p, const struct axt_axes *over, int below)
{
	for (int n = 0; n < over->n; n++) {
		int i = axt_axes_find(p->a, &over->a[n]);
		int k = i >= 0 && p->ra[i] == FREE ? partner(p, i, below) : -1;

		if (k >= 0)
			pair(p, i, k, SUMMED);
	}
}

static int
pair_over(struct axt_arena *m, struct pairing *p, const struct axt_axes *over,
    enum axt_pair_mode mode, struct axt_err *e)
{
	if (axt_axes_check_unique(m, over, e))
		return e->code;
	if (mode != AXT_PAIR_PLAIN)
		pair_named(p, over, 1);
	if (mode != AXT_PAIR_STRICT)
		pair_named(p, over, 0);
	for (int n = 0; n < over->n; n++) {
		int i = axt_axes_find(p->a, &over->a[n]);

		if (i < 0)
			return axt_axes_unknown(m, p->a, &over->a[n], e);
		if (p->ra[i] == BATCH) {
			axt_fail(e, AXT_E_AXES, "axis \"%s\" is to be contracted and to be kept",
			    axt_axis_show(m, &over->a[n]));
			return axt_about(e, AXT_AXIS_TWICE, axt_axis_spell(m, &over->a[n]),
			    axt_axes_from(p->a));
		}
		if (p->ra[i] != SUMMED)
			return unpaired(m, p, &over->a[n], mode, e);
	}
	return AXT_OK;
}

/* Tells how all axes are kept that both operands have, and that are not contracted. */
static void
tell_kept(struct axt_arena *m, const struct pairing *p, struct axt_err *e)
{
	const char *names;
	int which[AXT_MAX_RANK], n = 0;

	for (int i = 0; i < p->a->n; i++) {
		int k = p->ra[i] == FREE ? axt_axes_find(p->b, &p->a->a[i]) : -1;

		if (k >= 0 && p->rb[k] == FREE)
			which[n++] = i;
	}
	names = axt_axes_typed(m, p->a, which, n);
	axt_hint(e,
	    n > 1 ? "contract these too (--over), keep them (--keep %s, in axt-calc keep=(%s)), or "
		    "rename them in one"
		  : "contract it too (--over), keep it (--keep %s), or rename it in one",
	    names, names);
	snprintf(e->fact.option, sizeof(e->fact.option), "keep");
	snprintf(e->fact.value, sizeof(e->fact.value), "%s", names);
}

/* Fails if an axis would occur twice in the result because it is left over in both operands. */
static int
check_rest(struct axt_arena *m, const struct pairing *p, bool over, struct axt_err *e)
{
	for (int i = 0; i < p->a->n; i++) {
		const struct axt_axis *x = &p->a->a[i];
		int k = p->ra[i] == FREE ? axt_axes_find(p->b, x) : -1;
		const char *name = axt_axis_show(m, x), *left;
		struct axt_axis up = *x;

		if (k < 0 || p->rb[k] != FREE)
			continue;
		up.level++;
		left = axt_axis_show(m, &up);
		axt_fail(e, AXT_E_AXES,
		    "axis \"%s\" stands in both operands and is not contracted%s%s%s%s", name,
		    x->from ? ": " : "", x->from ? axt_show(m, x->from) : "",
		    x->from && p->b->a[k].from ? ", " : "",
		    x->from && p->b->a[k].from ? axt_show(m, p->b->a[k].from) : "");
		axt_about_both(m, AXT_AXIS_THERE, x, &p->b->a[k], e);
		if (over)
			tell_kept(m, p, e);
		else
			axt_hint(e,
			    "to contract it rename it \"%s\" in the first, else rename it in one",
			    left);
		return e->code;
	}
	return AXT_OK;
}

/* Checks lengths and coordinates of pairs, and makes the axes of the result. */
static int
settle(struct axt_arena *m, const struct pairing *p, const struct axt_join *j,
    struct axt_pairing *out, struct axt_err *e)
{
	for (int i = 0; i < p->a->n; i++) {
		struct axt_axis x = p->a->a[i];
		int k = p->ra[i] == FREE ? -1 : p->pa[i];

		if (k >= 0 && axt_axis_meet(m, &p->a->a[i], &p->b->a[k], j, &x, e))
			return e->code;
		if (p->ra[i] == SUMMED) {
			out->ka[out->nk] = i;
			out->kb[out->nk++] = k;
			continue;
		}
		if (p->ra[i] == BATCH) {
			out->ba[out->nb] = i;
			out->bb[out->nb++] = k;
		} else {
			out->ma[out->nm++] = i;
		}
		if (axt_axes_add(&out->out, &x, e))
			return e->code;
	}
	for (int k = 0; k < p->b->n; k++) {
		if (p->rb[k] != FREE)
			continue;
		out->nbx[out->nn++] = k;
		if (axt_axes_add(&out->out, &p->b->a[k], e))
			return e->code;
	}
	return AXT_OK;
}

int
axt_axes_pair(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    enum axt_pair_mode mode, const struct axt_axes *over, const struct axt_axes *keep,
    const struct axt_join *j, struct axt_pairing *out, struct axt_err *e)
{
	struct pairing p = { .a = a, .b = b };

	memset(out, 0, sizeof(*out));
	if (keep && pair_kept(m, &p, keep, e))
		return e->code;
	if (over && pair_over(m, &p, over, mode, e))
		return e->code;
	if (!over && mode != AXT_PAIR_PLAIN)
		pair_all(&p, 1);
	if (!over && mode != AXT_PAIR_STRICT)
		pair_all(&p, 0);
	if (check_rest(m, &p, over != NULL, e))
		return e->code;
	return settle(m, &p, j, out, e);
}

int
axt_axes_pair_given(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_pairing *given, const struct axt_join *j, struct axt_pairing *out,
    struct axt_err *e)
{
	struct pairing p = { .a = a, .b = b };

	memset(out, 0, sizeof(*out));
	for (int n = 0; n < given->nk; n++)
		pair(&p, given->ka[n], given->kb[n], SUMMED);
	for (int n = 0; n < given->nb; n++) {
		if (p.ra[given->ba[n]] != FREE || p.rb[given->bb[n]] != FREE)
			return axt_fail(e, AXT_E_AXES,
			    "an axis is to be contracted and to be kept");
		pair(&p, given->ba[n], given->bb[n], BATCH);
	}
	return settle(m, &p, j, out, e);
}
