/* mend_near.c - rules for neighbours, computed positions, and coordinates by usual names. */
#include <stdio.h>

#include "axes/keys.h"
#include "axt_cmd.h"
#include "calc/mend.h"
#include "grids/grids.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text

/* Whether a[AXIS=from:to] stands at token i, with these texts before and behind ":". */
static bool
is_part(const struct axt_mend *m, int i, const char *lo, const char *hi, int *end)
{
	int k = i + 4;

	if (!axt_mend_known(m, i) || !is(m, i + 1, "[") || m->t[i + 1].mate < 0 ||
	    !axt_mend_is_name(m, i + 2) || !is(m, i + 3, "="))
		return false;
	*end = m->t[i + 1].mate;
	if (*lo && !is(m, k++, lo))
		return false;
	if (!is(m, k++, ":"))
		return false;
	return strcmp(text(m, k, *end), hi) == 0;
}

/* a[time=1:] - a[time=:-1], the differences of neighbours, whose coordinates differ. */
static bool
neighbours(struct axt_mend *m, int i)
{
	const char *a = text(m, i, i + 1);
	int end, last;

	if (!is_part(m, i, "1", "", &end) || !is(m, end + 1, "-"))
		return false;
	return is(m, end + 2, a) && is_part(m, end + 2, "", "-1", &last) &&
	    is(m, end + 4, axt_mend_word(m, i + 2)) &&
	    put(m, i, last + 1, "diff(%s, along=%s)", a, axt_mend_word(m, i + 2));
}

/* shift(a, lon=1) in a difference: coordinates that are not moved meet those of a. */
static bool
shifted(struct axt_mend *m, int i)
{
	int end = axt_mend_at(m, i + 1)->mate;

	if (!is(m, i, "shift") || !is(m, i + 1, "(") || end < 0)
		return false;
	for (int k = i + 2; k < end; k++)
		if (is(m, k, "fixed"))
			return false;
	return put(m, end, end + 1, ", fixed=true)");
}

/* Whether a call stands there, up to token `end`, that gives positions: argmax(a, over=time). */
static bool
is_positions(const struct axt_mend *m, int i, int end)
{
	return (is(m, i, "argmax") || is(m, i, "argmin") || is(m, i, "argsort")) &&
	    is(m, i + 1, "(") && m->t[i + 1].mate == end - 1;
}

/* a[time=argmax(b, over=time)] and take(a, argmax(b, over=time)) */
static bool
at_positions(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	int end = axt_mend_at(m, i + 1)->mate;

	if (axt_mend_known(m, i) && is(m, i + 1, "[") && end > 0 && is(m, i + 3, "=") &&
	    is_positions(m, i + 4, end))
		return put(m, i, end + 1, "take(%s, %s)", text(m, i, i + 1), text(m, i + 2, end));
	if (!is(m, i, "take") || !is(m, i + 1, "(") || !axt_mend_args(m, i + 1, &a) || a.n != 2 ||
	    !is_positions(m, a.from[1], a.to[1]))
		return false;
	for (int k = a.from[1]; k < a.to[1]; k++)
		if ((is(m, k, "over") || is(m, k, "along")) && is(m, k + 1, "=") &&
		    axt_mend_is_name(m, k + 2))
			return put(m, a.from[1], a.from[1], "%s=", text(m, k + 2, k + 3));
	return false;
}

/* Whether the axis is one that is usually called so: lat, lon or time. */
static bool
is_usual(const struct axt_axis *a, const char *usual)
{
	const struct axt_attr *attrs = a->coord ? a->coord->attrs : NULL;
	struct axt_cftime t;

	if (axt_has_word("lat latitude nav_lat", usual))
		return axt_place_is(a->name, attrs, AXT_PLACE_LAT);
	if (axt_has_word("lon longitude nav_lon", usual))
		return axt_place_is(a->name, attrs, AXT_PLACE_LON);
	return strcmp(usual, "time") == 0 && a->coord && axt_coord_time(a->coord, &t);
}

/* The name that an operand has for an axis that is usually called so; NULL: none, or several. */
static const char *
own_name(const struct axt_mend *m, const char *usual)
{
	const char *own = NULL;

	for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
		for (int k = 0; k < x->e->axes.n; k++) {
			const struct axt_axis *a = &x->e->axes.a[k];

			if (!is_usual(a, usual))
				continue;
			if (own && strcmp(own, a->name) != 0)
				return NULL;
			own = a->name;
		}
	return own;
}

/* lat, where the operand has latitude: also in over= and in parts; degrees become radians. */
static bool
usual_name(struct axt_mend *m, int i)
{
	const char *w = axt_mend_is_name(m, i) ? axt_mend_word(m, i) : "", *own;
	bool angle = is(m, i - 1, "(") && is(m, i + 1, ")") &&
	    (is(m, i - 2, "cos") || is(m, i - 2, "sin") || is(m, i - 2, "tan"));

	if (!*w || axt_mend_known(m, i) || axt_mend_assigned(m, i) || is(m, i - 1, ".") ||
	    is(m, i + 1, "(") || axt_mend_is_axis(m, w) || axt_calc_is_function(w) ||
	    !(own = own_name(m, w)) || strcmp(own, w) == 0)
		return false;
	return put(m, i, i + 1, angle && strcmp(w, "time") != 0 ? "radians(%s)" : "%s", own);
}

axt_mend_rule *const axt_mend_near[] = {
	usual_name,
	neighbours,
	at_positions,
	shifted,
	NULL,
};
