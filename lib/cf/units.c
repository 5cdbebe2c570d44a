/*
 * units.c - units as CF files spell them: which spellings mean the same unit. Nothing is converted.
 */
#include "cf/cf.h"

/*
 * Each row has the spellings of one unit, with a blank before and after each. All kinds of degrees
 * are one unit, as in UDUNITS.
 */
static const char *const spellings[] = {
	(" degree degrees degrees_east degree_east degrees_E degree_E degreesE degreeE "
	 "degrees_north degree_north degrees_N degree_N degreesN degreeN degrees_true degree_true "),
	" m meter meters metre metres ",
	" km kilometer kilometers kilometre kilometres ",
	" Pa pascal pascals ",
	" hPa hectopascal hectopascals mb mbar millibar millibars ",
	" K kelvin kelvins degK deg_K degree_K degrees_K degreeK degreesK ",
	(" degC deg_C degree_C degrees_C degreeC degreesC celsius Celsius degree_Celsius "
	 "degrees_Celsius degree_celsius degrees_celsius "),
	" s sec secs second seconds ",
	" min mins minute minutes ",
	" h hr hrs hour hours ",
	" d day days ",
	" % percent ",
};

/* Whether the n bytes at s are one of the words of the row. */
static bool
has(const char *row, const char *s, size_t n)
{
	for (const char *p = row; *++p; p += strcspn(p, " "))
		if (strcspn(p, " ") == n && memcmp(p, s, n) == 0)
			return true;
	return false;
}

/* Skips leading blanks of *s, and returns its length without trailing ones. */
static size_t
trim(const char **s)
{
	size_t n;

	*s += strspn(*s, " \t");
	n = strlen(*s);
	while (n && strchr(" \t", (*s)[n - 1]))
		n--;
	return n;
}

bool
axt_units_differ(const char *a, const char *b)
{
	size_t na = a ? trim(&a) : 0, nb = b ? trim(&b) : 0;

	if (!na || !nb || (na == nb && memcmp(a, b, na) == 0))
		return false;
	for (int i = 0; i < ARRAY_LEN(spellings); i++)
		if (has(spellings[i], a, na) && has(spellings[i], b, nb))
			return false;
	return true;
}
