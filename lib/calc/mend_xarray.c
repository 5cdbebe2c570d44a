/* mend_xarray.c - rules for methods of xarray that have another form here. */
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text

/* A call of a method: a.f(arguments). */
struct method {
	int from, dot, open, end; /* tokens: of a, "." and both parentheses */
	struct axt_mend_args a;   /* n is 0 where there are none */
	const char *of;           /* the text of a */
};

/* Whether ".name(" stands at token i, behind a value. */
static bool
is_method(const struct axt_mend *m, int i, const char *name, struct method *x)
{
	if (!is(m, i, ".") || !is(m, i + 1, name) || !is(m, i + 2, "(") || i == 0 ||
	    !axt_mend_ends(m, i - 1) || axt_mend_at(m, i + 2)->mate < 0)
		return false;
	x->dot = i;
	x->open = i + 2;
	x->end = m->t[i + 2].mate;
	x->from = axt_mend_first(m, i - 1);
	x->of = text(m, x->from, i);
	return axt_mend_args(m, x->open, &x->a) || x->end == x->open + 1;
}

/* Whether argument k is NAME=VALUE. */
static bool
keyed(const struct axt_mend *m, const struct method *x, int k)
{
	return axt_mend_is_name(m, x->a.from[k]) && is(m, x->a.from[k] + 1, "=") &&
	    x->a.to[k] > x->a.from[k] + 2;
}

/* The number of elements along an axis of an operand; 0: none has the axis. */
static int64_t
length(const struct axt_mend *m, const char *axis)
{
	for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
		for (int k = 0; k < x->e->axes.n; k++)
			if (strcmp(x->e->axes.a[k].name, axis) == 0)
				return x->e->axes.a[k].len;
	return 0;
}

/* a.shift(time=1): what is moved in is missing, where shift() goes around. */
static bool
shifted(struct axt_mend *m, int i)
{
	struct method x;
	const char *axis, *by;
	int64_t n, len;

	if (!is_method(m, i, "shift", &x) || x.a.n != 1 || !keyed(m, &x, 0))
		return false;
	axis = axt_mend_word(m, x.a.from[0]);
	by = text(m, x.a.from[0] + 2, x.a.to[0]);
	len = length(m, axis);
	return axt_parse_int(by, -len, len, &n) && n != 0 &&
	    put(m, x.from, x.end + 1,
		"where(iota(%s=%lld) %s %lld, nan, shift(%s, %s=%s, fixed=true))", axis,
		(long long)len, n > 0 ? "<" : ">=", (long long)(n > 0 ? n : len + n), x.of, axis,
		by);
}

/* a.coarsen(lat=2, lon=2).mean(): windows that lie side by side. */
static bool
coarsened(struct axt_mend *m, int i)
{
	struct method x;
	char windows[400] = "", over[100] = "", name[16];
	size_t n = 0, used = 0;
	int count = 0, call;

	if (!is_method(m, i, "coarsen", &x) || !is(m, x.end + 1, ".") || !is(m, x.end + 3, "(") ||
	    axt_red_find(axt_mend_word(m, x.end + 2)) < 0)
		return false;
	call = m->t[x.end + 3].mate;
	for (int k = 0; k < x.a.n; k++) {
		const char *axis = axt_mend_word(m, x.a.from[k]);
		const char *len = text(m, x.a.from[k] + 2, x.a.to[k]);

		if (!keyed(m, &x, k) || is(m, x.a.from[k], "boundary"))
			continue; /* windows that would go over the end are left out here, too */
		if (!axt_mend_is_axis(m, axis) || n >= sizeof(windows) || used >= sizeof(over))
			return false;
		snprintf(name, sizeof(name), count ? "w%d" : "w", count + 1);
		n += (size_t)snprintf(windows + n, sizeof(windows) - n, ", %s=%s:%s:%s", axis, name,
		    len, len);
		used += (size_t)snprintf(over + used, sizeof(over) - used, "%s%s",
		    count++ ? ", " : "", name);
	}
	return count > 0 && call == x.end + 4 && n < sizeof(windows) && used < sizeof(over) &&
	    put(m, x.from, call + 1,
		count > 1 ? "%s(window(%s%s), over=(%s))" : "%s(window(%s%s), over=%s)",
		axt_mend_word(m, x.end + 2), x.of, windows, over);
}

/* a.transpose("lon", "lat") */
static bool
transposed(struct axt_mend *m, int i)
{
	struct method x;

	return is_method(m, i, "transpose", &x) && x.a.n > 1 &&
	    put(m, x.from, x.end + 1, "order(%s, %s)", x.of, axt_mend_bare(m, x.open + 1, x.end));
}

/* a.diff("time", n=2) */
static bool
differenced(struct axt_mend *m, int i)
{
	struct method x;
	const char *axis = NULL, *times = NULL;

	if (!is_method(m, i, "diff", &x))
		return false;
	for (int k = 0; k < x.a.n; k++) {
		int value = x.a.from[k] + 2 * keyed(m, &x, k);

		if (k == 0 ? !keyed(m, &x, k) || is(m, x.a.from[k], "dim")
			   : is(m, x.a.from[k], "dim"))
			axis = axt_mend_bare(m, value, x.a.to[k]);
		else if (is(m, x.a.from[k], "n") || !keyed(m, &x, k))
			times = text(m, value, x.a.to[k]);
		else
			return false;
	}
	return axis && axt_mend_is_axis(m, axis) &&
	    put(m, x.from, x.end + 1, times ? "diff(%s, along=%s, times=%s)" : "diff(%s, along=%s)",
		x.of, axis, times);
}

/* a.interp(lat=[10, 20], lon=5): several values have parentheses. */
static bool
interpolated(struct axt_mend *m, int i)
{
	struct method x;
	int open, close;

	if (!is_method(m, i, "interp", &x))
		return false;
	for (int k = 0; k < x.a.n; k++) {
		open = x.a.from[k] + 2;
		close = axt_mend_at(m, open)->mate;
		if (keyed(m, &x, k) && is(m, open, "[") && close == x.a.to[k] - 1)
			return put(m, open, close + 1, "(%s)", text(m, open + 1, close));
	}
	return false;
}

/* a.rename("x") of a whole expression is x = a; a.rename(lat="y") renames an axis. */
static bool
renamed(struct axt_mend *m, int i)
{
	struct method x;
	const char *name;

	if (!is_method(m, i, "rename", &x) || x.a.n == 0)
		return false;
	if (x.a.n == 1 && axt_mend_at(m, x.a.from[0])->quoted && x.end == x.open + 2) {
		name = axt_mend_word(m, x.a.from[0]);
		return x.from == 0 && x.end + 1 == m->n && axt_calc_is_name(name)
		    ? put(m, 0, m->n, "%s = %s", name, x.of)
		    : put(m, x.dot, x.end + 1, "%s", "");
	}
	for (int k = 0; k < x.a.n; k++)
		if (!keyed(m, &x, k))
			return false;
	return put(m, x.from, x.end + 1, "rename(%s, %s)", x.of, text(m, x.open + 1, x.end));
}

/* a.dropna("time"): a mask along time selects what is there in all places. */
static bool
without_missing(struct axt_mend *m, int i)
{
	struct method x;
	const struct axt_calc_name *a;
	const char *axis;
	char over[300] = "";
	size_t n = 0;
	int count = 0;

	if (!is_method(m, i, "dropna", &x) || x.a.n == 0 || x.from + 1 != i ||
	    !(a = axt_mend_known(m, x.from)))
		return false;
	axis = axt_mend_bare(m, x.a.from[0] + 2 * keyed(m, &x, 0), x.a.to[0]);
	for (int k = 0; k < a->e->axes.n && n < sizeof(over); k++)
		if (strcmp(a->e->axes.a[k].name, axis) != 0)
			n += (size_t)snprintf(over + n, sizeof(over) - n, "%s%s",
			    count++ ? ", " : "", a->e->axes.a[k].name);
	if (n >= sizeof(over) || count == a->e->axes.n)
		return false;
	if (count == 0)
		return put(m, x.from, x.end + 1, "take(%s, %s@not isnan(%s))", x.of, axis, x.of);
	return put(m, x.from, x.end + 1, "take(%s, %s@all(not isnan(%s), over=(%s)))", x.of, axis,
	    x.of, over);
}

/* a.polyfit("time", 1), of which the slope is mostly meant; intercept() is the other number. */
static bool
fitted(struct axt_mend *m, int i)
{
	struct method x;
	const char *axis;

	if (!is_method(m, i, "polyfit", &x) || x.a.n != 2 ||
	    strcmp(text(m, x.a.from[1] + 2 * keyed(m, &x, 1), x.a.to[1]), "1") != 0)
		return false;
	axis = axt_mend_bare(m, x.a.from[0] + 2 * keyed(m, &x, 0), x.a.to[0]);
	return axt_mend_is_axis(m, axis) &&
	    put(m, x.from, x.end + 1, "slope(%s, along=%s)", x.of, axis);
}

/* tas.scale and tas.attrs["scale"], an attribute that is a number: the number. */
static bool
attribute(struct axt_mend *m, int i)
{
	const struct axt_calc_name *x = axt_mend_known(m, i);
	bool listed = is(m, i + 2, "attrs") && is(m, i + 3, "[") && axt_mend_at(m, i + 4)->quoted &&
	    is(m, i + 5, "]");
	const struct axt_attr *a;
	char value[128];

	if (!x || !is(m, i + 1, ".") || is(m, i - 1, ".") ||
	    (!listed && (!axt_mend_is_name(m, i + 2) || is(m, i + 3, "("))))
		return false;
	a = axt_attr_find(x->e->meta->attrs, axt_mend_word(m, listed ? i + 4 : i + 2));
	if (!a || a->kind != AXT_ATTR_NUM || a->n != 1 ||
	    axt_dtypes[a->dtype].cls > AXT_CLASS_FLOAT)
		return false;
	value[axt_value_text(value, a->dtype, a->data)] = '\0';
	return put(m, i, i + (listed ? 6 : 3), "%s", value);
}

axt_mend_rule *const axt_mend_xarray[] = {
	shifted,
	coarsened,
	transposed,
	differenced,
	interpolated,
	renamed,
	without_missing,
	fitted,
	attribute,
	NULL,
};
