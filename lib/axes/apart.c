/* apart.c - axes of two tensors that do not meet, and may be meant to: what looks alike, hints. */
#include <stdio.h>
#include <strings.h>

#include "axt_cmd.h"
#include "axes/axes.h"
#include "cf/meaning.h"

bool
axt_axes_numbered(const struct axt_axes *x)
{
	char name[16];

	for (int i = 0; i < x->n; i++) {
		snprintf(name, sizeof(name), "dim_%d", i);
		if (strcmp(x->a[i].name, name) != 0 || x->a[i].level || x->a[i].coord)
			return false;
	}
	return x->n > 0;
}

bool
axt_axis_unnamed(const struct axt_axis *a)
{
	return !a->level && !a->coord && strncmp(a->name, "dim_", 4) == 0 && a->name[4] &&
	    !a->name[4 + strspn(a->name + 4, "0123456789")];
}

bool
axt_axes_meet_others(const struct axt_axes *x, const struct axt_axes *y)
{
	bool other = false;
	int more = y->n - x->n;

	for (int i = 0; i < y->n; i++)
		if (!axt_axis_unnamed(&y->a[i]))
			return false;
	for (int i = 0; i < x->n && more >= 0; i++) {
		const struct axt_axis *a = &x->a[i], *b = &y->a[i + more];

		if (!axt_axis_unnamed(a) || a->len != b->len || a->len < 2)
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

const char *
axt_axes_own_names(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *y)
{
	const char *map = "";
	int same = 0, n = 0;

	for (int i = 0; i < x->n && map; i++) {
		int k = axt_axes_find(y, &x->a[i]);

		if (!axt_axis_unnamed(&x->a[i]))
			return NULL;
		same += k >= 0 && x->a[i].len == y->a[k].len;
		if (k < 0 || x->a[i].len == y->a[k].len)
			continue;
		if (n < 4)
			map = axt_sprintf(m, "%s%s%s=%c", map, n ? "," : "", x->a[i].name, 'j' + n);
		n++;
	}
	/* of two vectors there may be an outer product */
	return (same || x->n == 1) && n && n <= 4 ? map : NULL;
}

static void
hint_years(const char *s, struct axt_err *e)
{
	char over[300], year[300], label[320], by[400], at[400];

	snprintf(year, sizeof(year), "%s.year", s);
	snprintf(label, sizeof(label), "year@FILE:%s", year);
	axt_hint(e,
	    "the mean of each %s's year: axt-reduce mean --over %s --by %s FILE | axt-take %s -; in "
	    "axt-calc take(mean(a, over=%s, by=%s), year@%s)",
	    s, axt_quoted_to(over, sizeof(over), s), axt_quoted_to(by, sizeof(by), year),
	    axt_quoted_to(at, sizeof(at), label), s, year, year);
}

void
axt_axes_hint_apart(const struct axt_axes *x, const struct axt_axes *y, struct axt_err *e)
{
	struct axt_err none = { 0 };
	struct axt_cftime t;

	if (e->code != AXT_E_AXES)
		return;
	for (int i = 0; i < x->n; i++) {
		int k = axt_axes_find(y, &x->a[i]);
		const char *s = x->a[i].name;

		if (k >= 0 && x->a[i].len > 1 && x->a[i].len <= y->a[k].len / 2 &&
		    axt_axis_times(&x->a[i], "", &t, &none) == 0 &&
		    axt_axis_times(&y->a[k], "", &t, &none) == 0)
			hint_years(s, e);
	}
}

/* ---- axes of two names ---- */

/* Whether two names are spellings of one axis: "lat" and "latitude", "x" and "lon". */
static bool
same_names(const char *a, const char *b)
{
	enum axt_meaning is = axt_meaning_word(a);

	return strcasecmp(a, b) == 0 || (is && is == axt_meaning_word(b));
}

/* Whether the coordinates of two axes say that they are one: latitudes of two files, say. */
static bool
same_meaning(const struct axt_axis *a, const struct axt_axis *b)
{
	static const char *const word[] = { "standard_name", "axis" };
	enum axt_meaning is = a->coord ? axt_meaning_told(a->coord->attrs) : AXT_MEANS_OTHER;

	if (is && b->coord && is == axt_meaning_told(b->coord->attrs))
		return true;
	for (int k = 0; k < ARRAY_LEN(word); k++) {
		const char *x = a->coord ? axt_attr_text(a->coord->attrs, word[k]) : NULL;
		const char *y = b->coord ? axt_attr_text(b->coord->attrs, word[k]) : NULL;

		if (x && y && strcmp(x, y) == 0)
			return true;
	}
	return false;
}

bool
axt_axes_alike(const struct axt_axis *a, const struct axt_axis *b)
{
	size_t n = MIN(strlen(a->name), strlen(b->name));
	/* lon and lon_u of a staggered grid, which has a cell more or as many */
	bool staggered = strncmp(a->name, b->name, n) == 0 &&
	    (a->name[n] == '_' || b->name[n] == '_') && a->len - b->len <= 1 &&
	    b->len - a->len <= 1;

	/* an axis that has no name in its file may be any that is as long */
	bool numbered = a->len == b->len &&
	    (strncmp(a->name, "dim_", 4) == 0) != (strncmp(b->name, "dim_", 4) == 0);

	return a->level == b->level && a->len > 1 && b->len > 1 &&
	    (staggered || numbered || same_names(a->name, b->name) || same_meaning(a, b));
}
