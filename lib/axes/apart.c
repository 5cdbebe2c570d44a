/* apart.c - hints about axes of two tensors that do not meet. */
#include <stdio.h>

#include "axes/axes.h"
#include "cf/cf.h"

bool
axt_axes_numbered(const struct axt_axes *x)
{
	char name[16];

	for (int i = 0; i < x->n; i++) {
		snprintf(name, sizeof(name), "dim_%d", i);
		if (strcmp(x->a[i].name, name) != 0 || x->a[i].coord)
			return false;
	}
	return true;
}

/* Whether the axis has no name in its file, so that it is called by its number. */
static bool
is_unnamed(const struct axt_axis *a)
{
	return strncmp(a->name, "dim_", 4) == 0 && a->name[4] &&
	    !a->name[4 + strspn(a->name + 4, "0123456789")] && !a->coord;
}

bool
axt_axes_meet_others(const struct axt_axes *x, const struct axt_axes *y)
{
	bool other = false;
	int more = y->n - x->n;

	for (int i = 0; i < y->n; i++)
		if (!is_unnamed(&y->a[i]))
			return false;
	for (int i = 0; i < x->n && more >= 0; i++) {
		const struct axt_axis *a = &x->a[i], *b = &y->a[i + more];

		if (!is_unnamed(a) || a->len != b->len || a->len < 2)
			return false;
		other = other || strcmp(a->name, b->name) != 0;
	}
	return more >= 0 && other;
}

const char *
axt_axes_renaming(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y)
{
	const char *map = "";

	for (int i = 0; i < x->n && map; i++)
		map = axt_sprintf(m, "%s%s%s=%s", map, i ? "," : "", x->a[i].name,
		    y->a[i + y->n - x->n].name);
	return map ? map : "";
}

void
axt_axes_hint_apart(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y,
    const char *from, struct axt_err *e)
{
	struct axt_err none = { 0 };
	struct axt_cftime t;

	if (e->code != AXT_E_AXES)
		return;
	if (axt_axes_meet_others(x, y))
		axt_hint(e,
		    "axes without names meet by their numbers; axt-rename %s %s lets its axes meet "
		    "the last ones, as in NumPy",
		    axt_axes_renaming(m, x, y), from);
	for (int i = 0; i < x->n; i++) {
		int k = axt_axes_find(y, &x->a[i]);
		const char *s = x->a[i].name;

		if (k >= 0 && x->a[i].len > 1 && x->a[i].len <= y->a[k].len / 2 &&
		    axt_axis_times(&x->a[i], "", &t, &none) == 0 &&
		    axt_axis_times(&y->a[k], "", &t, &none) == 0)
			axt_hint(e,
			    "the mean of each %s's year: axt-reduce mean --over %s --by %s.year "
			    "FILE | axt-take year@FILE:%s.year -; in axt-calc take(mean(a, over=%s, "
			    "by=%s.year), year@%s.year)",
			    s, s, s, s, s, s, s);
	}
}
