/*
 * meaning.h - whether coordinates are latitudes, longitudes, times or heights. Their attributes
 * tell, as in CF 4.1 to 4.4; where these say nothing, a usual name such as "lat" does.
 */
#ifndef AXT_CF_MEANING_H
#define AXT_CF_MEANING_H

#include "cf/cf.h"

enum axt_meaning {
	AXT_MEANS_OTHER,
	AXT_MEANS_LAT,
	AXT_MEANS_LON,
	AXT_MEANS_TIME,
	AXT_MEANS_HEIGHT, /* heights, depths, pressures, levels */
};
/*
 * What attributes tell, by the first of these that says something: standard_name; units, which are
 * degrees north or east (axt_units_degrees), times since a date, or pressures; positive; the
 * letters T and Z of axis.
 */
enum axt_meaning axt_meaning_told(const struct axt_attr *l);
/* What they tell or, where they tell nothing, the name, in any case, if it is one such as "lat". */
enum axt_meaning axt_meaning(const char *name, const struct axt_attr *l);
/* The same, where a part of the name is enough: "lat_rho", "my_lon". */
enum axt_meaning axt_meaning_likely(const char *name, const struct axt_attr *l);
/* What somebody may mean by a word: such a name, or "y", "x", "t", "z", "year". */
enum axt_meaning axt_meaning_word(const char *word);
/* Whether these are latitudes or longitudes of the earth in degrees, and not of a rotated pole. */
bool axt_meaning_earth(const char *name, const struct axt_attr *l);
/* Whether larger values lie lower, as depths and pressures do. */
bool axt_meaning_down(const struct axt_attr *l);

#endif
