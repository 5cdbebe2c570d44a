/* meant.c - which axis a usual word means, as "lat" means one that its units call latitudes. */
#include <strings.h>

#include "axes/axes.h"
#include "cf/meaning.h"

typedef bool meets(const struct axt_axis *a, const char *word);

static const struct axt_attr *
attrs_of(const struct axt_axis *a)
{
	return a->coord ? a->coord->attrs : NULL;
}

static bool
is_called(const struct axt_axis *a, const char *word)
{
	return strcasecmp(a->name, word) == 0;
}

/* x, y, z and t, as the attribute axis has them. */
static bool
has_letter(const struct axt_axis *a, const char *word)
{
	const char *letter = axt_attr_text(attrs_of(a), "axis");

	return letter && strcasecmp(letter, word) == 0;
}

static bool
means(const struct axt_axis *a, const char *word)
{
	enum axt_meaning is = axt_meaning_word(word);

	return is && axt_meaning_likely(a->name, attrs_of(a)) == is;
}

static bool
may_mean(const struct axt_axis *a, const char *word)
{
	enum axt_meaning is = axt_meaning_word(word);

	return is && axt_meaning_word(a->name) == is;
}

static bool
is_described(const struct axt_axis *a, const char *word)
{
	const char *standard = axt_attr_text(attrs_of(a), "standard_name"),
		   *title = axt_attr_text(attrs_of(a), "long_name");

	return (standard && strcasecmp(standard, word) == 0) ||
	    (title && strcasecmp(title, word) == 0);
}

/* One word is the beginning of the other: "lati", "time_counter". */
static bool
begins(const struct axt_axis *a, const char *word)
{
	size_t n = MIN(strlen(a->name), strlen(word));

	return n >= 3 && strncasecmp(a->name, word, n) == 0;
}

int
axt_axes_meant(const struct axt_axes *x, const char *word)
{
	static meets *const by[] = { is_called, has_letter, means, may_mean, is_described, begins };
	int found = axt_axes_spelled(x, word);

	for (int k = 0; found < 0 && k < ARRAY_LEN(by); k++)
		for (int i = 0; i < x->n; i++) {
			if (x->a[i].level || !by[k](&x->a[i], word))
				continue;
			if (found >= 0)
				return -1;
			found = i;
		}
	return found;
}
