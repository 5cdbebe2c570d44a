/*
 * units.c - units as CF files spell them: which spellings mean the same unit, units of products and
 * roots, and how values of one unit become those of another, which UDUNITS knows.
 */
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "cf/cf.h"

/*
 * Each row has the spellings of one unit, with a blank before and after each spelling. degrees_of
 * knows further ones of degrees.
 */
enum { DEGREES };
static const char *const spellings[] = {
	[DEGREES] = " degree degrees arc_degree arcdeg degrees_true degree_true ",
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
	" month months ",
	" year years yr ",
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

/*
 * The standard spelling, "degC", "degF" or "K", of temperatures that are spelled with blanks or
 * capitals, as "deg C" and "Degrees Celsius": UDUNITS does not know these, or takes them for
 * degrees times coulombs. *n becomes its length. Other units are returned as they are.
 */
static const char *
standard(const char *s, size_t *n)
{
	static const char *const names[] = {
		("degc degreec degreesc degcelsius degreecelsius degreescelsius celsius "
		 "centigrade "),
		"degf degreef degreesf degfahrenheit degreefahrenheit degreesfahrenheit fahrenheit ",
		"degk degreek degreesk degkelvin degreekelvin degreeskelvin kelvin kelvins "
	};
	static const char *const is[] = { "degC", "degF", "K" };
	char low[24], row[sizeof(low) + 2];
	size_t m = 0;

	for (size_t i = 0; i < *n; i++) {
		if (s[i] == ' ' || s[i] == '_')
			continue;
		if (m + 1 == sizeof(low))
			return s;
		low[m++] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
	}
	low[m] = '\0';
	for (int k = 0; m > 3 && k < ARRAY_LEN(is); k++) {
		const char *at = strstr(names[k], strcat(strcpy(row, low), " "));

		if (at && (at == names[k] || at[-1] == ' ')) {
			*n = strlen(is[k]);
			return is[k];
		}
	}
	return s;
}

/*
 * Which degrees the n bytes at s mean: "degrees_north", "degreeN", "DEGREES_N", "deg N", "degrees".
 */
static enum axt_degrees
degrees_of(const char *s, size_t n)
{
	static const struct {
		const char *words;
		enum axt_degrees is;
	} ends[] = { { " n north ", AXT_DEGREES_NORTH }, { " e east ", AXT_DEGREES_EAST },
		{ "  ", AXT_DEGREES_ANY } };
	static const char *const begins[] = { "degrees", "degree", "deg" };
	char low[20], word[sizeof(low) + 2];
	size_t m = 0, k;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == ' ' || s[i] == '_')
			continue;
		if (m + 1 == sizeof(low))
			return AXT_DEGREES_NONE;
		low[m++] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] | 32) : s[i];
	}
	low[m] = '\0';
	for (int i = 0; i < ARRAY_LEN(begins); i++) {
		k = strlen(begins[i]);
		if (strncmp(low, begins[i], k) != 0)
			continue;
		snprintf(word, sizeof(word), " %s ", low + k);
		for (int j = 0; j < ARRAY_LEN(ends); j++)
			if (strstr(ends[j].words, word))
				return ends[j].is;
	}
	return AXT_DEGREES_NONE;
}

enum axt_degrees
axt_units_degrees(const char *u)
{
	size_t n = u ? trim(&u) : 0;

	return n ? degrees_of(u, n) : AXT_DEGREES_NONE;
}

/* All kinds of degrees are one unit, as in UDUNITS. */
static bool
is_degrees(const char *s, size_t n)
{
	return degrees_of(s, n) || has(spellings[DEGREES], s, n);
}

/* Whether the words, of na and nb bytes, are one or spellings of one unit. */
static bool
same_word(const char *a, size_t na, const char *b, size_t nb)
{
	if (na == nb && memcmp(a, b, na) == 0)
		return true;
	if (is_degrees(a, na) && is_degrees(b, nb))
		return true;
	for (int i = 0; i < ARRAY_LEN(spellings); i++)
		if (has(spellings[i], a, na) && has(spellings[i], b, nb))
			return true;
	return false;
}

bool
axt_units_differ(const char *a, const char *b)
{
	size_t na = a ? trim(&a) : 0, nb = b ? trim(&b) : 0;

	if (!na || !nb || same_word(a, na, b, nb))
		return false;
	a = standard(a, &na);
	b = standard(b, &nb);
	return !same_word(a, na, b, nb);
}

bool
axt_units_temperature(const char *u)
{
	size_t n = u ? trim(&u) : 0;
	const char *s = n ? standard(u, &n) : "";

	return (n == 1 && *s == 'K') ||
	    (n == 4 && (!memcmp(s, "degC", 4) || !memcmp(s, "degF", 4)));
}

bool
axt_units_angle(const char *u)
{
	static const char others[] =
	    " radian radians rad arcmin arcminute arcminutes arc_minute arcsec arcsecond "
	    "arcseconds arc_second ";
	size_t n = u ? trim(&u) : 0;

	return n && (is_degrees(u, n) || has(others, u, n));
}

bool
axt_attrs_difference(const struct axt_attr *l)
{
	const char *kind = axt_attr_text(l, "units_metadata"),
		   *methods = axt_attr_text(l, "cell_methods");

	return (kind && strcmp(kind, "temperature: difference") == 0) ||
	    (methods && (strstr(methods, ": standard_deviation") || strstr(methods, ": range")));
}

/* ---- products, powers and roots ---- */

/* Units that are multiplied as they are. Those of angles, and degC with its offset, are not. */
static const char factors[] =
    " m km cm mm um nm meter meters metre metres s sec second seconds ms us min minute minutes h hr "
    "hour hours d day days month months year years yr g kg mg ug K kelvin Pa hPa kPa MPa mbar bar J kJ MJ GJ W mW kW MW GW N "
    "V A Hz mol mmol umol kmol l L cd lm lx T Wb F S ohm eV Bq Gy Sv Gg Tg Pg sr rad ";

struct factor {
	const char *s;
	size_t n;
	int power;
};

/* The exponent at *s, such as 2, -1, ^2 or **-3; 1 if there is none, 0 if it is none. */
static int
exponent(const char **s)
{
	const char *p = *s + (**s == '^' ? 1 : strncmp(*s, "**", 2) == 0 ? 2 : 0);
	int sign = *p == '-' ? -1 : 1, v = 0;

	if (p == *s && *p != '-' && *p != '+' && !(*p >= '0' && *p <= '9'))
		return 1;
	p += *p == '-' || *p == '+';
	for (; *p >= '0' && *p <= '9' && v < 100; p++)
		v = 10 * v + *p - '0';
	*s = p;
	return v < 100 ? sign * v : 0;
}

/* Multiplies the factors in f, of which there are *n, by the unit s to that power. */
static bool
multiply(struct factor f[AXT_UNITS_FACTORS], int *n, const char *s, int power)
{
	while (*(s += strspn(s, " \t"))) {
		struct factor x = { 0 };
		int sign = 1, k = 0;

		if (*s == '.' || *s == '*' || *s == '/') {
			sign = *s++ == '/' ? -1 : 1;
			s += strspn(s, " \t");
		}
		if (*s == '1' && (!s[1] || strchr(" \t/.*", s[1]))) {
			s++;
			continue;
		}
		x.s = s;
		while ((*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z'))
			s++;
		x.n = (size_t)(s - x.s);
		x.power = sign * power * exponent(&s);
		if (!x.n || !x.power || !has(factors, x.s, x.n))
			return false;
		while (k < *n && !same_word(f[k].s, f[k].n, x.s, x.n))
			k++;
		if (k == AXT_UNITS_FACTORS)
			return false;
		if (k < *n)
			f[k].power += x.power;
		else
			f[(*n)++] = x;
	}
	return true;
}

bool
axt_units_product(int n, const char *const units[], const int power[], int root,
    char out[AXT_UNITS_TEXT])
{
	struct factor f[AXT_UNITS_FACTORS];
	size_t at = 0;
	int nf = 0;

	*out = '\0';
	for (int i = 0; i < n; i++)
		if (power[i] && (!units[i] || !multiply(f, &nf, units[i], power[i])))
			return false;
	for (int k = 0; k < nf; k++) {
		int p = f[k].power / root;

		if (f[k].power % root || at + f[k].n + 8 > AXT_UNITS_TEXT)
			return false;
		if (!p)
			continue;
		at += (size_t)sprintf(out + at, "%s%.*s", at ? " " : "", (int)f[k].n, f[k].s);
		if (p != 1)
			at += (size_t)sprintf(out + at, "%d", p);
	}
	if (!at)
		strcpy(out, "1");
	return true;
}

/* ---- conversion ---- */

const char *
axt_units_in_calendar(struct axt_arena *m, const char *units, const char *calendar)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	double year = axt_calendar_year(calendar);
	const char *out = "";
	int changed = 0;

	for (const char *p = units; year > 0 && out && *p;) {
		size_t n = strspn(p, letters);
		bool is_year = n && same_word(p, n, "year", 4),
		     is_month = n && same_word(p, n, "month", 5);

		n = n ? n : 1;
		if (is_year || is_month) {
			out = axt_sprintf(m, "%s(%.17g day)", out, is_year ? year : year / 12);
			changed++;
		} else {
			out = axt_sprintf(m, "%s%.*s", out, (int)n, p);
		}
		p += n;
	}
	return changed && out ? out : units;
}

/* The functions of UDUNITS that are used; its types are opaque, and its header is not needed. */
static struct {
	void *(*read_xml)(const char *path);
	void *(*parse)(const void *system, const char *text, int encoding);
	void *(*converter)(void *from, void *to);
	double (*convert)(const void *converter, double v);
	void (*free)(void *unit);
	void (*free_converter)(void *converter);
	void *(*on_message)(int (*handler)(const char *fmt, va_list args));
	int (*ignore)(const char *fmt, va_list args);
	void *system; /* NULL: not loaded, or it cannot be */
} ud;
static const struct axt_library_function functions[] = { { "ut_read_xml", &ud.read_xml },
	{ "ut_parse", &ud.parse }, { "ut_get_converter", &ud.converter },
	{ "cv_convert_double", &ud.convert }, { "ut_free", &ud.free },
	{ "cv_free", &ud.free_converter }, { "ut_set_error_message_handler", &ud.on_message },
	{ "ut_ignore", &ud.ignore }, { NULL, NULL } };
static struct axt_library library = { .so = "libudunits2.so.0",
	.package = "libudunits2-0",
	.functions = functions };
static const char *absent; /* why it cannot be used; NULL: it can, or was not loaded yet */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the library has no threads in mind */

/* UDUNITS looks for its list of units where it was built to; one may have come with libaxt. */
static void
load(void)
{
	char path[PATH_MAX];
	bool here = !getenv("UDUNITS2_XML_PATH") && axt_library_beside("udunits2.xml", path);

	absent = axt_library_load(&library);
	if (absent)
		return;
	ud.on_message(ud.ignore);
	ud.system = ud.read_xml(here ? path : NULL);
	if (!ud.system)
		absent = "libudunits2 cannot read its list of units (Debian's package "
			 "libudunits2-data)";
}

/* The unit of a text, without the blanks around it; NULL: it is none. */
static void *
unit(const char *s)
{
	size_t n = trim(&s);
	const char *as = standard(s, &n);
	char *copy = strndup(as, n);
	void *u = copy ? ud.parse(ud.system, copy, 2) : NULL; /* 2: as UTF-8 */

	free(copy);
	return u;
}

/*
 * Finds scale and offset of a conversion of UDUNITS. At 2^100 the offset is less than the last bit
 * of the result, so that the scale found there has all its digits. Returns false if the conversion
 * is no v * scale + offset, as between decibels and watts.
 */
static bool
linear(const void *cv, struct axt_units_way *out)
{
	double scale = ldexp(ud.convert(cv, 0x1p100), -100), offset = ud.convert(cv, 0);
	double got = ud.convert(cv, 3), want = 3 * scale + offset;

	*out = (struct axt_units_way){ .scale = scale, .offset = offset };
	return isfinite(scale) && isfinite(offset) && scale != 0 &&
	    fabs(got - want) <= 1e-12 * (fabs(3 * scale) + fabs(offset));
}

enum axt_units_fit
axt_units_way(const char *from, const char *to, struct axt_units_way *out, const char **why)
{
	enum axt_units_fit fit = AXT_UNITS_APART;
	void *a, *b, *cv;

	*out = (struct axt_units_way){ .scale = 1 };
	if (!axt_units_differ(from, to))
		return AXT_UNITS_FIT;
	pthread_once(&once, load);
	*why = absent;
	if (!ud.system)
		return AXT_UNITS_ABSENT;
	pthread_mutex_lock(&lock);
	a = unit(from);
	b = unit(to);
	if (!a || !b) {
		fit = a ? AXT_UNITS_TO_UNKNOWN : AXT_UNITS_FROM_UNKNOWN;
	} else if ((cv = ud.converter(a, b))) {
		fit = linear(cv, out) ? AXT_UNITS_FIT : AXT_UNITS_CURVED;
		ud.free_converter(cv);
	}
	if (a)
		ud.free(a);
	if (b)
		ud.free(b);
	pthread_mutex_unlock(&lock);
	return fit;
}

bool
axt_units_measure(const char *word, const char *units, double *out)
{
	struct axt_units_way w = { .scale = 1 };
	const char *absent, *unit;
	char *end;
	double v = axt_strtod(word, &end);

	unit = end + strspn(end, " ");
	if (end == word || !isalpha((unsigned char)*unit))
		return false;
	if (axt_units_temperature(units)) /* not coulombs and farads */
		unit = strcmp(unit, "C") == 0 ? "degC" : strcmp(unit, "F") == 0 ? "degF" : unit;
	if (axt_units_way(unit, units, &w, &absent) != AXT_UNITS_FIT || w.from)
		return false;
	*out = v * w.scale + w.offset;
	return true;
}
