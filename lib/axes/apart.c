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
