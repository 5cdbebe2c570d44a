/* meaning.c - what a coordinate is by its attributes or its name: latitudes, times, heights. */
#include "cf/meaning.h"

#include <strings.h>

/* Words of a row stand between blanks. */
static const struct {
	const char *standard; /* standard names */
	const char *usual;    /* names that such coordinates often have */
	const char *loose;    /* words for them, which other coordinates are called as well */
} words[] = {
	[AXT_MEANS_LAT] = { " latitude grid_latitude ", " lat latitude nav_lat clat xlat ",
	    " y ylat y_lat rlat " },
	[AXT_MEANS_LON] = { " longitude grid_longitude ", " lon long longitude nav_lon clon xlong ",
	    " x xlon x_lon rlon " },
	[AXT_MEANS_TIME] = { " time ", " time ",
	    " t date year month record season water_year decade " },
	[AXT_MEANS_HEIGHT] = { " height altitude depth air_pressure model_level_number ",
	    " lev level plev height altitude depth ", " z " },
};

/* Whether the n bytes at s are a word of the row, in any case. */
static bool
has(const char *row, const char *s, size_t n)
{
	for (const char *p = row; *++p; p += strcspn(p, " "))
		if (strcspn(p, " ") == n && strncasecmp(p, s, n) == 0)
			return true;
	return false;
}

/* ---- attributes ---- */

/* Whether values in that unit may be the heights of elements in the air or the sea. */
static bool
is_pressure(const char *units)
{
	return units && *units &&
	    (has(" bar decibar dbar ", units, strlen(units)) || !axt_units_differ("Pa", units) ||
		!axt_units_differ("hPa", units));
}

enum axt_meaning
axt_meaning_told(const struct axt_attr *l)
{
	const char *name = axt_attr_text(l, "standard_name"), *units = axt_attr_text(l, "units"),
		   *axis = axt_attr_text(l, "axis");
	enum axt_degrees degrees = axt_units_degrees(units);

	for (int k = 1; name && k < ARRAY_LEN(words); k++)
		if (has(words[k].standard, name, strlen(name)))
			return (enum axt_meaning)k;
	/* places of another kind have another standard name, whatever they are counted in */
	if (!name && degrees == AXT_DEGREES_NORTH)
		return AXT_MEANS_LAT;
	if (!name && degrees == AXT_DEGREES_EAST)
		return AXT_MEANS_LON;
	if (axt_attrs_time(l, NULL) || (axis && strcmp(axis, "T") == 0))
		return AXT_MEANS_TIME;
	if (is_pressure(units) || axt_attr_text(l, "positive") || (axis && strcmp(axis, "Z") == 0))
		return AXT_MEANS_HEIGHT;
	return AXT_MEANS_OTHER;
}

bool
axt_meaning_earth(const char *name, const struct axt_attr *l)
{
	const char *units = axt_attr_text(l, "units"),
		   *standard = axt_attr_text(l, "standard_name");
	enum axt_meaning is = axt_meaning(name, l);

	return (is == AXT_MEANS_LAT || is == AXT_MEANS_LON) &&
	    (!units || !units[strspn(units, " ")] || axt_units_degrees(units)) &&
	    (!standard || strncmp(standard, "grid_", 5) != 0);
}

bool
axt_meaning_down(const struct axt_attr *l)
{
	const char *positive = axt_attr_text(l, "positive");

	return positive ? strcasecmp(positive, "down") == 0
			: is_pressure(axt_attr_text(l, "units"));
}

/* ---- names ---- */

static enum axt_meaning
called(const char *s, size_t n, bool loose)
{
	for (int k = 1; k < ARRAY_LEN(words); k++)
		if (has(words[k].usual, s, n) || (loose && has(words[k].loose, s, n)))
			return (enum axt_meaning)k;
	return AXT_MEANS_OTHER;
}

enum axt_meaning
axt_meaning(const char *name, const struct axt_attr *l)
{
	enum axt_meaning is = axt_meaning_told(l);

	return is ? is : called(name, strlen(name), false);
}

enum axt_meaning
axt_meaning_likely(const char *name, const struct axt_attr *l)
{
	enum axt_meaning is = axt_meaning(name, l);

	for (size_t n; !is && *name; name += n + !!name[n]) {
		n = strcspn(name, "_0123456789");
		is = called(name, n, false);
		/* tlat and ulon lie at sides of cells, rlat on a sphere that is turned */
		if (!is && n > 3 && strchr("cnrtuvxyCNRTUVXY", *name))
			is = called(name + 1, n - 1, false);
		if (!is && n > 5 && strncasecmp(name, "geo", 3) == 0)
			is = called(name + 3, n - 3, false);
	}
	return is;
}

enum axt_meaning
axt_meaning_word(const char *word)
{
	return called(word, strlen(word), true);
}
