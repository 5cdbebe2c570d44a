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

/* Where axes without names meet from the first, and the last of y are as long as those of x. */
static void
hint_last(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y, const char *from,
    struct axt_err *e)
{
	int more = y->n - x->n;
	const char *map = "";

	if (more <= 0 || x->n == 0 || !axt_axes_numbered(x) || !axt_axes_numbered(y))
		return;
	for (int i = 0; i < x->n && map; i++) {
		if (x->a[i].len != y->a[i + more].len)
			return;
		map = axt_sprintf(m, "%s%sdim_%d=dim_%d", map, i ? "," : "", i, i + more);
	}
	axt_hint(e,
	    "axes without names meet from the first; axt-rename %s %s lets its axes meet the last "
	    "ones, as in NumPy",
	    map ? map : "", from);
}

void
axt_axes_hint_apart(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y,
    const char *from, struct axt_err *e)
{
	struct axt_err none = { 0 };
	struct axt_cftime t;

	if (e->code != AXT_E_AXES)
		return;
	hint_last(m, x, y, from, e);
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
