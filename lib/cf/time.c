/*
 * time.c - CF times such as "days since 1850-01-01", in the calendars of the CF conventions. The
 * standard, proleptic Gregorian and Julian calendars all number days as Julian day numbers do, so
 * that their instants can be compared. Each of the other calendars numbers its days on its own.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "cf/cf.h"

enum { STANDARD, PROLEPTIC, JULIAN, NOLEAP, ALL_LEAP, DAYS_360 };

/*
 * For each calendar, the name by which CF knows it comes first. Of the other names, some are those
 * of models (FMS has NO_LEAP and THIRTY_DAY_MONTHS), and some occur in files made by hand.
 */
static const struct {
	const char *name;
	int calendar;
} calendars[] = {
	{ "standard", STANDARD },
	{ "gregorian", STANDARD },
	{ "proleptic_gregorian", PROLEPTIC },
	{ "gregorian_proleptic", PROLEPTIC },
	{ "proleptic", PROLEPTIC },
	{ "julian", JULIAN },
	{ "noleap", NOLEAP },
	{ "no_leap", NOLEAP },
	{ "365_day", NOLEAP },
	{ "365_days", NOLEAP },
	{ "365day", NOLEAP },
	{ "365days", NOLEAP },
	{ "all_leap", ALL_LEAP },
	{ "allleap", ALL_LEAP },
	{ "366_day", ALL_LEAP },
	{ "366_days", ALL_LEAP },
	{ "366day", ALL_LEAP },
	{ "366days", ALL_LEAP },
	{ "360_day", DAYS_360 },
	{ "360_days", DAYS_360 },
	{ "360day", DAYS_360 },
	{ "360days", DAYS_360 },
	{ "thirty_day_months", DAYS_360 },
	{ "thirty_day_month", DAYS_360 },
	{ "30_day_months", DAYS_360 },
};

const char *
axt_cftime_calendar(int calendar)
{
	for (int i = 0; i < ARRAY_LEN(calendars); i++)
		if (calendars[i].calendar == calendar)
			return calendars[i].name;
	return "?";
}

bool
axt_cftime_same_count(int a, int b)
{
	return a == b || (a <= JULIAN && b <= JULIAN);
}

/* ---- days ---- */

/*
 * Days are counted from 2000-01-01 on, so that instants of our time are small numbers of seconds,
 * of which a double tells microseconds.
 */
#define DAY_0 2451545 /* the Julian day number of 2000-01-01 in the Gregorian calendar */
#define YEAR_0 2000

struct date {
	int64_t year; /* as astronomers count: 0 is 1 BC */
	int month, day;
};

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * The Julian day number of a date in the Gregorian calendar or, if not `gregorian`, the Julian one.
 */
static int64_t
real_day(const struct date *d, bool gregorian)
{
	int a = (14 - d->month) / 12;
	int64_t y = d->year + 4800 - a;
	int64_t n = d->day + (153 * (d->month + 12 * a - 3) + 2) / 5 + 365 * y + floor_div(y, 4);

	return gregorian ? n - floor_div(y, 100) + floor_div(y, 400) - 32045 : n - 32083;
}

#define REFORM 2299161 /* 1582-10-15, the first day of the Gregorian calendar */

static void
real_date(int64_t n, bool gregorian, struct date *out)
{
	int64_t b = 0, c = n + 32082, d, e, m;

	if (gregorian) {
		b = floor_div(4 * (n + 32044) + 3, 146097);
		c = n + 32044 - floor_div(146097 * b, 4);
	}
	d = floor_div(4 * c + 3, 1461);
	e = c - floor_div(1461 * d, 4);
	m = (5 * e + 2) / 153;
	out->day = (int)(e - (153 * m + 2) / 5 + 1);
	out->month = (int)(m + 3 - 12 * (m / 10));
	out->year = 100 * b + d - 4800 + m / 10;
}

static int
month_days(int calendar, int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0;

	if (calendar == DAYS_360)
		return 30;
	if (calendar == PROLEPTIC || (calendar == STANDARD && year > 1582))
		leap = leap && (year % 100 || year % 400 == 0);
	if (calendar >= NOLEAP)
		leap = calendar == ALL_LEAP;
	return days[month - 1] + (month == 2 && leap);
}

/* The days in a year of a calendar whose years are alike. */
static int64_t
year_length(int calendar)
{
	return calendar == DAYS_360 ? 360 : calendar == ALL_LEAP ? 366 : 365;
}

static int64_t
day_number(int calendar, const struct date *d)
{
	int64_t n;

	if (calendar <= JULIAN) {
		n = real_day(d, calendar != JULIAN);
		return (calendar == STANDARD && n < REFORM ? real_day(d, false) : n) - DAY_0;
	}
	n = (d->year - YEAR_0) * year_length(calendar) + d->day - 1;
	for (int i = 1; i < d->month; i++)
		n += month_days(calendar, d->year, i);
	return n;
}

static void
date_of(int calendar, int64_t n, struct date *d)
{
	int64_t len = year_length(calendar);
	int day;

	if (calendar <= JULIAN) {
		n += DAY_0;
		real_date(n, calendar == PROLEPTIC || (calendar == STANDARD && n >= REFORM), d);
		return;
	}
	d->year = floor_div(n, len);
	day = (int)(n - d->year * len);
	d->year += YEAR_0;
	for (d->month = 1; day >= month_days(calendar, d->year, d->month); d->month++)
		day -= month_days(calendar, d->year, d->month);
	d->day = day + 1;
}

/* ---- units ---- */

static const struct {
	const char *names; /* with a blank before and after each name */
	double seconds;
	int months; /* of the calendar; they have no fixed length, except in calendar 360_day */
} units[] = {
	{ " nanosecond nanoseconds nanosec nanosecs nsec nsecs ns ", 1e-9, 0 },
	{ " microsecond microseconds microsec microsecs us ", 1e-6, 0 },
	{ " millisecond milliseconds millisec millisecs msec msecs ms ", 1e-3, 0 },
	{ " second seconds sec secs s ", 1, 0 },
	{ " minute minutes min mins ", 60, 0 },
	{ " hour hours hr hrs h ", 3600, 0 },
	{ " day days d ", 86400, 0 },
	{ " week weeks ", 604800, 0 },
	{ " common_year common_years ", 365 * 86400.0, 0 },
	{ " month months ", 0, 1 },
	{ " year years ", 0, 12 },
};

/* The mean length of a year, in days. */
static double
year_days(int calendar)
{
	return calendar == DAYS_360 ? 360
	    : calendar == ALL_LEAP  ? 366
	    : calendar == NOLEAP    ? 365
	    : calendar == JULIAN    ? 365.25
				    : 365.2425;
}

/* Makes a number of months of the calendar the unit. */
static bool
months_of(struct axt_cftime *t, const struct axt_num *count)
{
	if (t->calendar != DAYS_360 && (!count->is_int || count->f > 12000))
		return false;
	t->unit = year_days(t->calendar) / 12 * 86400 * t->months * count->f;
	t->months = t->calendar == DAYS_360 ? 0 : t->months * (int)count->i;
	return true;
}

/* Reads the unit in the n bytes at s, such as "days", or "10 days" as UDUNITS has it. */
static bool
unit_of(const char *s, size_t n, struct axt_cftime *out)
{
	const char *end = s + n, *at;
	struct axt_num count = { .is_int = true, .i = 1, .f = 1 };
	char word[20];

	if (n && ((*s >= '0' && *s <= '9') || *s == '.')) {
		at = axt_scan_num(s, end, &count);
		if (!at || !(count.f > 0) || !isfinite(count.f))
			return false;
		at += strspn(at, " \t");
		n = at < end ? (size_t)(end - at) : 0;
		s = at;
	}
	if (n == 0 || n > sizeof(word) - 3)
		return false;
	word[0] = ' ';
	for (size_t i = 0; i < n; i++)
		word[i + 1] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] | 32) : s[i];
	memcpy(word + n + 1, " ", 2);
	for (int i = 0; i < ARRAY_LEN(units); i++)
		if (strstr(units[i].names, word)) {
			out->unit = units[i].seconds * count.f;
			out->months = units[i].months;
			return !out->months || months_of(out, &count);
		}
	return false;
}

/* ---- the reference instant ---- */

static void
blanks(const char **s)
{
	*s += strspn(*s, " \t");
}

/* Reads at most max digits at *s. */
static bool
number(const char **s, int max, int64_t *out)
{
	int n = 0;

	for (*out = 0; n < max && **s >= '0' && **s <= '9'; n++)
		*out = *out * 10 + *(*s)++ - '0';
	return n > 0 && !(**s >= '0' && **s <= '9');
}

/* Reads `sep` and one or two digits, if `sep` is there. */
static bool
date_field(const char **s, char sep, int lo, int hi, int *out)
{
	int64_t v;

	if (**s != sep)
		return true;
	++*s;
	if (!number(s, 2, &v) || v < lo || v > hi)
		return false;
	*out = (int)v;
	return true;
}

/*
 * Whether the calendar has no year 0, so that year -1 is 1 BC. A calendar in which a file gives a
 * reference date in year 0 is taken to have one, as astronomers count.
 */
static bool
lacks_year_0(const struct axt_cftime *t)
{
	return !t->year_zero && (t->calendar == STANDARD || t->calendar == JULIAN);
}

static bool
parse_date(const char **s, const struct axt_cftime *t, struct date *d)
{
	bool negative = **s == '-';

	*s += **s == '-' || **s == '+';
	*d = (struct date){ 0, 1, 1 };
	if (!number(s, 7, &d->year) || !date_field(s, '-', 1, 12, &d->month))
		return false;
	if (negative)
		d->year = -d->year + lacks_year_0(t);
	return date_field(s, '-', 1, month_days(t->calendar, d->year, d->month), &d->day);
}

/* Whether a date has no dashes, as UDUNITS knows them: "19500101" or, of a month, "195001". */
static bool
is_packed(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return (n == 6 || n == 8) && s[n] != '-';
}

static bool
parse_packed(const char **s, const struct axt_cftime *t, struct date *d)
{
	size_t n = strspn(*s, "0123456789");
	int ymd = atoi(*s);

	ymd = n == 6 ? ymd * 100 + 1 : ymd;
	*d = (struct date){ ymd / 10000, ymd / 100 % 100, ymd % 100 };
	*s += n;
	return d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	    d->day <= month_days(t->calendar, d->year, d->month);
}

/* Reads a time of day: "12", "12:00", "12:00:30.5"; without colons "1200" or "120030". */
static bool
parse_clock(const char **s, double *seconds)
{
	size_t digits = strspn(*s, "0123456789");
	int64_t h;
	int min = 0, sec = 0;
	double fraction = 0, digit = 0.1;

	*seconds = 0;
	if (digits == 4 || digits == 6) {
		int64_t hms = atoi(*s) * (digits == 4 ? 100 : 1);

		h = hms / 10000;
		min = (int)(hms / 100 % 100);
		sec = (int)(hms % 100);
		*s += digits;
	} else if (!number(s, 2, &h) || !date_field(s, ':', 0, 59, &min) ||
	    !date_field(s, ':', 0, 60, &sec)) {
		return false;
	}
	if (h > 24 || min > 59 || sec > 60)
		return false;
	if (**s == '.')
		for (++*s; **s >= '0' && **s <= '9'; digit /= 10)
			fraction += digit * (*(*s)++ - '0');
	*seconds = (double)(h * 3600 + min * 60 + sec) + fraction;
	return true;
}

/* Reads a time zone as seconds east of Greenwich: "Z", "UTC", "GMT", "+01:00", "-0130" or "+2". */
static bool
parse_zone(const char **s, double *seconds)
{
	int sign = **s == '-' ? -1 : 1, min = 0;
	int64_t h;
	const char *p;

	*seconds = 0;
	if (!strncasecmp(*s, "utc", 3) || !strncasecmp(*s, "gmt", 3))
		*s += 3;
	else if (**s == 'Z' || **s == 'z')
		++*s;
	if (**s != '+' && **s != '-')
		return true;
	p = ++*s;
	if (!number(s, 4, &h))
		return false;
	if (*s - p > 2) {
		min = (int)(h % 100);
		h /= 100;
	}
	if (!date_field(s, ':', 0, 59, &min) || h > 14 || min > 59)
		return false;
	*seconds = sign * (double)(h * 3600 + min * 60);
	return true;
}

static bool
parse_reference(const char *s, struct axt_cftime *t)
{
	double clock = 0, zone = 0;
	const char *year = s;
	struct date d;

	t->year_zero = false;
	if (!(is_packed(s) ? parse_packed(&s, t, &d) : parse_date(&s, t, &d)))
		return false;
	t->year_zero = d.year == 0 && *year != '-';
	if ((*s == 'T' || *s == 't') && (s[1] < '0' || s[1] > '9'))
		return false;
	s += *s == 'T' || *s == 't';
	blanks(&s);
	if (*s >= '0' && *s <= '9' && !parse_clock(&s, &clock))
		return false;
	blanks(&s);
	if (!parse_zone(&s, &zone))
		return false;
	blanks(&s);
	t->epoch = (double)day_number(t->calendar, &d) * 86400 + clock - zone;
	return !*s;
}

/* The day that follows a year (parts 1), a month of it (2), or a day of that (3). */
static int64_t
day_after(int calendar, struct date d, int parts)
{
	if (parts == 3)
		return day_number(calendar, &d) + 1;
	if (parts == 1 || d.month++ == 12) {
		d.month = 1;
		d.year++;
	}
	return day_number(calendar, &d);
}

bool
axt_cftime_period(const struct axt_cftime *t, const char *s, double *from, double *to)
{
	const char *p = s + (*s == '-' || *s == '+');
	double clock, zone;
	struct date d, same;
	int parts = 1;

	if (!parse_date(&s, t, &d))
		return false;
	for (; p < s; p++)
		parts += *p == '-';
	date_of(t->calendar, day_number(t->calendar, &d), &same);
	if (same.day != d.day || same.month != d.month)
		return false; /* the reform of the calendar left out this day */
	*from = (double)day_number(t->calendar, &d) * 86400;
	*to = (double)day_after(t->calendar, d, parts) * 86400;
	if (!*s)
		return true;
	if (parts != 3 || !strchr("Tt ", *s++) || !parse_clock(&s, &clock) ||
	    !parse_zone(&s, &zone))
		return false;
	*from += clock - zone;
	*to = *from;
	return !*s;
}

/* The length of s without the blanks at its end. */
static size_t
trimmed(const char *s, size_t n)
{
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return n;
}

/*
 * Splits units of time at the word "since". Moves *s to the unit, whose length becomes *n, and
 * returns where the date begins; NULL if there is no "since", and *n is then the length of the
 * first word.
 */
static const char *
since(const char **s, size_t *n)
{
	const char *p;

	blanks(s);
	for (p = *s; *p; blanks(&p)) {
		size_t len = strcspn(p, " \t");

		if (p > *s && len == 5 && p[5] && strncasecmp(p, "since", 5) == 0) {
			*n = trimmed(*s, (size_t)(p - *s));
			p += 5;
			blanks(&p);
			return p;
		}
		p += len;
	}
	*n = strcspn(*s, " \t");
	return NULL;
}

/* Whether the units are those of CDO's absolute times: numbers such as 20010116.5. */
static bool
as_numbers(const char *s)
{
	static const char *const words[] = { "day", "as", "%Y%m%d.%f" };

	for (int i = 0; i < ARRAY_LEN(words); i++) {
		size_t n;

		blanks(&s);
		n = strcspn(s, " \t");
		if (n != strlen(words[i]) && !(i == 0 && n == 4 && (s[3] == 's' || s[3] == 'S')) &&
		    !(i == 2 && n == 6))
			return false;
		if (strncasecmp(s, words[i], MIN(n, strlen(words[i]))) != 0)
			return false;
		s += n;
	}
	blanks(&s);
	return !*s;
}

/* Blanks around the name do not matter, nor do capitals and dashes in it. */
static bool
calendar_of(const char *name, int *out)
{
	size_t n, k;

	*out = STANDARD;
	if (!name)
		return true;
	blanks(&name);
	n = trimmed(name, strlen(name));
	if (!n)
		return true;
	for (int i = 0; i < ARRAY_LEN(calendars); i++) {
		const char *s = calendars[i].name;

		for (k = 0; k < n && s[k]; k++)
			if ((name[k] | 32) != s[k] && !(s[k] == '_' && strchr("_- ", name[k])))
				break;
		if (k == n && !s[k]) {
			*out = calendars[i].calendar;
			return true;
		}
	}
	return false;
}

double
axt_calendar_year(const char *calendar)
{
	int c;

	if (!calendar_of(calendar, &c) || c < NOLEAP)
		return 0;
	return c == DAYS_360 ? 360 : c == NOLEAP ? 365 : 366;
}

bool
axt_cftime_parse(const char *s, const char *calendar, struct axt_cftime *out)
{
	const char *date;
	size_t n;

	if (!s || !calendar_of(calendar, &out->calendar))
		return false;
	date = since(&s, &n);
	if (!date && as_numbers(s)) {
		out->unit = 86400;
		out->months = AXT_CFTIME_NUMBERS;
		out->epoch = 0;
		out->year_zero = true;
		return true;
	}
	return date && unit_of(s, n, out) && parse_reference(date, out);
}

bool
axt_attrs_time(const struct axt_attr *l, struct axt_cftime *out)
{
	struct axt_cftime t;

	return axt_cftime_parse(axt_attr_text(l, "units"), axt_attr_text(l, "calendar"),
	    out ? out : &t);
}

const char *
axt_cftime_unit(struct axt_arena *m, const char *units)
{
	size_t n;

	since(&units, &n);
	return axt_strndup(m, units, n);
}

bool
axt_attrs_undated(const struct axt_attr *l)
{
	const char *units = axt_attr_text(l, "units"), *date = NULL;
	size_t n;

	if (units && !axt_attrs_time(l, NULL))
		date = since(&units, &n);
	return date && ((*date >= '0' && *date <= '9') || *date == '-' || *date == '+');
}

const char *
axt_cftime_why(const char *s, const char *calendar, char out[AXT_CFTIME_WHY])
{
	struct axt_cftime t = { 0 };
	const char *date, *units = s;
	size_t n;

	if (!s) {
		snprintf(out, AXT_CFTIME_WHY, "it has no units such as \"days since 2000-01-01\"");
		return out;
	}
	date = since(&s, &n);
	if (!date)
		snprintf(out, AXT_CFTIME_WHY,
		    "its units are \"%.80s\", not such as \"days since 2000-01-01\"", units);
	else if (!calendar_of(calendar, &t.calendar))
		snprintf(out, AXT_CFTIME_WHY, "its calendar \"%.80s\" is none of CF", calendar);
	else if (!unit_of(s, n, &t))
		snprintf(out, AXT_CFTIME_WHY, "\"%.*s\" in its units \"%.80s\" is no unit of time",
		    (int)MIN(n, 40), s, units);
	else
		snprintf(out, AXT_CFTIME_WHY,
		    "\"%.80s\" in its units \"%.80s\" is no date of calendar %s", date, units,
		    axt_cftime_calendar(t.calendar));
	return out;
}

bool
axt_cftime_alike(const struct axt_cftime *a, const struct axt_cftime *b)
{
	return a->unit == b->unit && a->epoch == b->epoch && a->months == b->months &&
	    (!a->months || a->calendar == b->calendar);
}

/* ---- months ---- */

/* The instant v months after the reference instant. */
static double
after_months(const struct axt_cftime *t, double v)
{
	double whole = trunc(v), start = floor(t->epoch / 86400);
	int64_t month;
	struct date d;

	date_of(t->calendar, (int64_t)start, &d);
	month = d.year * 12 + d.month - 1 + (int64_t)whole;
	d.year = floor_div(month, 12);
	d.month = (int)(month - 12 * d.year) + 1;
	return t->epoch + ((double)day_number(t->calendar, &d) - start) * 86400 +
	    (v - whole) * 86400 * month_days(t->calendar, d.year, d.month);
}

/* The day and the second of a date that is a number, 20010116.5; NaN: it is none. */
static void
date_of_number(const struct axt_cftime *t, double v, double *days, double *seconds)
{
	double whole = trunc(v);
	int64_t ymd = fabs(whole) < 1e12 ? (int64_t)fabs(whole) : 0;
	struct date d = { ymd / 10000, (int)(ymd / 100 % 100), (int)(ymd % 100) };

	d.year = v < 0 ? -d.year : d.year;
	*days = d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31
	    ? (double)day_number(t->calendar, &d)
	    : NAN;
	*seconds = fabs(v - whole) * 86400;
}

/*
 * Splits a time into whole days and seconds, as two numbers, so that large times keep all digits.
 */
static void
split(const struct axt_cftime *t, double v, double *days, double *seconds)
{
	double unit = t->unit, per_day, start = floor(t->epoch / 86400), rest;

	if (t->months == AXT_CFTIME_NUMBERS) {
		date_of_number(t, v, days, seconds);
		return;
	}
	if (!t->months && unit > 86400) {
		v *= unit / 86400;
		unit = 86400;
	}
	per_day = rint(86400 / unit);
	if (t->months || fabs(per_day * unit - 86400) > 1e-6) {
		rest = t->months ? axt_cftime_seconds(t, v) : t->epoch + v * unit;
		*days = floor(rest / 86400);
		*seconds = rest - *days * 86400;
		return;
	}
	rest = fmod(v, per_day);
	*days = (v - rest) / per_day + start;
	*seconds = rest * unit + (t->epoch - start * 86400);
}

double
axt_cftime_seconds(const struct axt_cftime *t, double v)
{
	double linear = t->epoch + v * t->unit, days, seconds;

	/* values that no calendar reaches stay what they are: far away, or no number */
	if (!(fabs(linear) < 1e15))
		return linear;
	if (t->months > 0)
		return after_months(t, v * t->months);
	if (t->unit >= 1 && !t->months)
		return linear;
	split(t, v, &days, &seconds);
	return days * 86400 + seconds;
}

const char *
axt_cftime_days(struct axt_arena *m, struct axt_cftime *t)
{
	struct axt_cftime reference = *t;
	char text[40];

	reference.unit = 1;
	reference.months = 0;
	t->unit = 86400;
	t->months = 0;
	axt_cftime_text(&reference, 0, text);
	return axt_sprintf(m, "days since %s", text);
}

/* ---- text ---- */

/*
 * How many ticks a second has, for rounding v: a tick is 1 us, 1 ms or 1 s, the shortest that a
 * double near v can tell. Whole numbers of units of at most a second need no rounding, and their
 * ticks are 1 us, or 1 ns for units of nanoseconds. Beyond 2^53 they are wrong by at most half of
 * their last digit, unlike computed fractions, and so may have shorter ticks.
 */
static int64_t
ticks_of(const struct axt_cftime *t, double v)
{
	double last = (fabs(v) * 0x1p-52) * t->unit;

	if (!t->months && t->unit <= 1 && v == rint(v)) {
		if (fabs(v) < 0x1p53)
			return t->unit < 1e-6 ? 1000000000 : 1000000;
		last /= 5;
	}
	return last < 2e-7 ? 1000000 : last < 2e-4 ? 1000 : 1;
}

/* Finds the day, and the number of ticks since it began. Returns false if v is no instant. */
static bool
instant(const struct axt_cftime *t, double v, int64_t ticks, int64_t *day, int64_t *n)
{
	double days, seconds;
	int64_t over;

	if (!isfinite(v) || !(fabs(axt_cftime_seconds(t, v)) <= 1e15))
		return false;
	split(t, v, &days, &seconds);
	*n = (int64_t)rint(seconds * (double)ticks);
	over = floor_div(*n, 86400 * ticks);
	*day = (int64_t)days + over;
	*n -= over * 86400 * ticks;
	return true;
}

/* The year as it is called; an astronomer's year 0 is year -1 where there is no year 0. */
static int64_t
year_called(const struct axt_cftime *t, int64_t year)
{
	return year <= 0 && lacks_year_0(t) ? year - 1 : year;
}

bool
axt_cftime_fields(const struct axt_cftime *t, double v, struct axt_cffields *out)
{
	int64_t ticks = ticks_of(t, v), day, n;
	struct date d, first, month, next;

	if (!instant(t, v, ticks, &day, &n))
		return false;
	date_of(t->calendar, day, &d);
	first = (struct date){ .year = d.year, .month = 1, .day = 1 };
	month = (struct date){ .year = d.year, .month = d.month, .day = 1 };
	next = (struct date){ .year = d.year + (d.month == 12),
		.month = d.month % 12 + 1,
		.day = 1 };
	*out = (struct axt_cffields){
		.year = d.year,
		.called = year_called(t, d.year),
		.season = d.month % 12 / 3 + 1,
		.month = d.month,
		.day = d.day,
		.hour = (int)(n / (3600 * ticks)),
		.dayofyear = (int)(day - day_number(t->calendar, &first)) + 1,
		.daysinmonth = (int)(day_number(t->calendar, &next) -
		    day_number(t->calendar, &month)),
	};
	return true;
}

int64_t
axt_cftime_day(const struct axt_cftime *t, int64_t year, int month, int day)
{
	return day_number(t->calendar, &(struct date){ year, month, day });
}

/* Writes v with at least n digits, followed by the character `then`; returns what is behind it. */
static char *
put(char *p, int64_t v, int n, char then)
{
	n = MAX(n, axt_digits_count((uint64_t)v));
	axt_digits(p, (uint64_t)v, n);
	p[n] = then;
	return p + n + 1;
}

int
axt_cftime_text(const struct axt_cftime *t, double v, char out[40])
{
	int64_t ticks = ticks_of(t, v), n, day;
	char number[AXT_TEXT], *p = out;
	int64_t year;
	struct date d;

	if (!instant(t, v, ticks, &day, &n)) {
		axt_value_text(number, AXT_F64, &v);
		return snprintf(out, 40, "%.39s", number);
	}
	date_of(t->calendar, day, &d);
	year = year_called(t, d.year);
	if (year < 0)
		*p++ = '-';
	p = put(p, llabs((long long)year), 4, '-');
	p = put(p, d.month, 2, '-');
	p = put(p, d.day, 2, 'T');
	if (n) {
		p = put(p, n / (3600 * ticks), 2, ':');
		p = put(p, n / (60 * ticks) % 60, 2, ':');
		p = put(p, n / ticks % 60, 2, '.');
	}
	if (n % ticks)
		for (p = put(p, n % ticks, axt_digits_count((uint64_t)ticks) - 1, '0');
		     p[-1] == '0';)
			p--;
	else
		p--;
	*p = '\0';
	return (int)(p - out);
}
