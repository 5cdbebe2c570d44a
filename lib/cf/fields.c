/*
 * fields.c - the fields of a date, such as its month, and periods of time, such as months, by which
 * elements of a time axis are selected and grouped.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cf/cf.h"

enum { YEAR, SEASON, MONTH, DAY, HOUR, DAYOFYEAR, DAYSINMONTH, DATE };

static const struct {
	const char *name;
	/* after the last value comes the first again, as January comes after December */
	bool around;
} fields[] = {
	[YEAR] = { "year", false },
	[SEASON] = { "season", true },
	[MONTH] = { "month", true },
	[DAY] = { "day", true },
	[HOUR] = { "hour", true },
	[DAYOFYEAR] = { "dayofyear", true },
	[DAYSINMONTH] = { "daysinmonth", false },
	[DATE] = { "date", false },
};

static const char seasons[] = "DJFMAMJJASON";

int
axt_cffield_named(const char *name)
{
	for (int k = 0; k < ARRAY_LEN(fields); k++)
		if (strcmp(name, fields[k].name) == 0)
			return k;
	return -1;
}

const char *
axt_cffield_name(int k)
{
	return k < ARRAY_LEN(fields) ? fields[k].name : NULL;
}

int64_t
axt_cffield_of(const struct axt_cffields *f, int k)
{
	switch (k) {
	case YEAR: return f->called;
	case SEASON: return f->season;
	case MONTH: return f->month;
	case DAY: return f->day;
	case HOUR: return f->hour;
	case DAYOFYEAR: return f->dayofyear;
	case DAYSINMONTH: return f->daysinmonth;
	default: return (f->called * 100 + f->month) * 100 + f->day;
	}
}

int
axt_cffield_digits(int k)
{
	return k == YEAR ? 4 : k == DAYOFYEAR ? 3 : k == SEASON ? 1 : 2;
}

bool
axt_cffield_text(int k, int64_t v, char out[AXT_CFFIELD_TEXT])
{
	long long year = (v - (v % 10000 + 10000) % 10000) / 10000, rest = v - year * 10000;

	if (k == SEASON && (v < 1 || v > 4))
		return false;
	if (k == SEASON)
		snprintf(out, AXT_CFFIELD_TEXT, "%.3s", seasons + 3 * (v - 1));
	else if (k == DATE)
		snprintf(out, AXT_CFFIELD_TEXT, "%s%04lld-%02lld-%02lld", year < 0 ? "-" : "",
		    llabs(year), rest / 100, rest % 100);
	else
		snprintf(out, AXT_CFFIELD_TEXT, "%lld", (long long)v);
	return k == SEASON || k == DATE;
}

/* ---- what a field is compared with ---- */

/* Months that are named by three or more of their first letters in order, such as JJA or ONDJ. */
static bool
parse_letters(const char *s, struct axt_cfwant *w)
{
	static const char year[] = "JFMAMJJASONDJFMAMJJASOND";
	size_t n = strlen(s);
	const char *at = n >= 3 && n <= 12 ? strstr(year, s) : NULL;

	if (!at)
		return false;
	*w = (struct axt_cfwant){ MONTH, at - year + 1, (at - year + (int64_t)n - 1) % 12 + 1 };
	return true;
}

/* Reads a date such as 2010-06-01 as a number. */
static bool
parse_date(const char *s, int64_t *v)
{
	long long part[3];
	char end;

	if (sscanf(s, "%6lld-%2lld-%2lld%c", &part[0], &part[1], &part[2], &end) != 3)
		return false;
	for (int i = 1; i < 3; i++)
		if (part[i] < 1 || part[i] > (i == 1 ? 12 : 31))
			return false;
	*v = (part[0] * 100 + part[1]) * 100 + part[2];
	return true;
}

static bool
parse_end(int k, const char *s, int64_t *v)
{
	return k == DATE ? parse_date(s, v) : axt_parse_int(s, INT64_MIN, INT64_MAX, v);
}

bool
axt_cfwant_parse(int k, const char *s, struct axt_cfwant *w)
{
	const char *colon = strchr(s, ':');
	char first[32] = "";

	*w = (struct axt_cfwant){ k, INT64_MIN, INT64_MAX };
	if (k == SEASON && parse_letters(s, w))
		return true;
	if (!colon)
		return parse_end(k, s, &w->lo) && parse_end(k, s, &w->hi);
	if (colon - s >= (ptrdiff_t)sizeof(first))
		return false;
	memcpy(first, s, (size_t)(colon - s));
	if ((*first && !parse_end(k, first, &w->lo)) ||
	    (colon[1] && !parse_end(k, colon + 1, &w->hi)))
		return false;
	if (w->lo > w->hi && !fields[k].around) {
		int64_t lo = w->hi;

		w->hi = w->lo;
		w->lo = lo;
	}
	return true;
}

/* ---- periods ---- */

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

bool
axt_cfperiod_unit(const struct axt_cfperiod *p, const struct axt_cftime *t, double v, bool first,
    int64_t *k)
{
	struct axt_cffields f;
	int64_t day;

	if (!axt_cftime_fields(t, v, &f))
		return false;
	day = axt_cftime_day(t, f.year, f.month, f.day);
	switch (p->unit) {
	case AXT_CF_HOURS: *k = day * 24 + (first ? 0 : f.hour); break;
	case AXT_CF_DAYS: *k = day; break;
	case AXT_CF_MONTHS: *k = f.year * 12 + f.month - 1; break;
	case AXT_CF_SEASONS: *k = floor_div(f.year * 12 + f.month, 3); break;
	default: *k = f.year;
	}
	return true;
}

/* The instant, in the units of t, at which a month begins; it is counted as by months above. */
static double
begin_of_month(const struct axt_cftime *t, int64_t month)
{
	int64_t year = floor_div(month, 12);

	return (double)axt_cftime_day(t, year, (int)(month - 12 * year) + 1, 1) * 86400;
}

double
axt_cfperiod_begin(const struct axt_cfperiod *p, const struct axt_cftime *t, int64_t k)
{
	double s;

	switch (p->unit) {
	case AXT_CF_HOURS: s = (double)k * 3600; break;
	case AXT_CF_DAYS: s = (double)k * 86400; break;
	case AXT_CF_MONTHS: s = begin_of_month(t, k); break;
	case AXT_CF_SEASONS: s = begin_of_month(t, 3 * k - 1); break;
	default: s = begin_of_month(t, 12 * k);
	}
	return (s - t->epoch) / t->unit;
}
