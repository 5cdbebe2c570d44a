/* scale.c - where values lie along an axis, and its ticks: round numbers, dates, degrees. */
#include "plot/plot.h"

#include <math.h>

#define DAY 86400.0

void
axt_scale_range(struct axt_scale *s, double lo, double hi)
{
	if (!(lo < hi)) {
		double d = lo == 0 ? 1 : fabs(lo) * 0.05;

		if (!isfinite(lo) || !isfinite(hi))
			lo = hi = 0, d = 1;
		lo = s->log ? lo / 2 : lo - d;
		hi = s->log ? hi * 2 : hi + d;
	}
	if (!isfinite(hi - lo)) {
		lo = fmax(lo, -0x1p1022);
		hi = fmin(hi, 0x1p1022);
	}
	s->lo = lo;
	s->hi = hi;
}

double
axt_scale_at(const struct axt_scale *s, double v)
{
	double f = s->log ? log(v / s->lo) / log(s->hi / s->lo) : (v - s->lo) / (s->hi - s->lo);

	return s->down ? 1 - f : f;
}

double
axt_scale_value(const struct axt_scale *s, double f)
{
	f = s->down ? 1 - f : f;
	return s->log ? s->lo * pow(s->hi / s->lo, f) : s->lo + f * (s->hi - s->lo);
}

/* ---- texts ---- */

/* v, where ticks are `step` apart: as many digits as tell them from each other. */
static void
number(char *out, double v, double step)
{
	int top = (int)floor(log10(fmax(fabs(v), step)) + 1e-9);
	int low = (int)floor(log10(step) + 1e-9), digits;
	char *end;

	/* 2.5 has one digit more than its size tells */
	if (fabs(step / pow(10, low) - rint(step / pow(10, low))) > 1e-6)
		low--;
	if (fabs(v) < step * 1e-6)
		v = 0;
	if (v == 0 || (top < 7 && low >= -5)) {
		out[axt_fixed_text(out, v, low < -5 ? 0 : MAX(0, -low))] = '\0';
		return;
	}
	digits = MAX(0, MIN(top - low, 15));
	v /= pow(10, top);
	out[axt_fixed_text(out, v, digits)] = '\0';
	end = out + strlen(out);
	while (digits > 0 && end[-1] == '0')
		*--end = '\0';
	if (end > out && end[-1] == '.')
		*--end = '\0';
	snprintf(end, (size_t)(out + AXT_TICK_TEXT - end), "e%d", top);
}

/* Degrees with a letter of the compass: 60W, 30N. */
static void
degrees(char *out, double v, double step, bool east, bool ascii)
{
	const char *letter = east ? "WE" : "SN";
	size_t n;

	if (east) {
		v = fmod(v, 360);
		v = v > 180 ? v - 360 : v < -180 ? v + 360 : v;
	}
	number(out, fabs(v), step);
	n = strlen(out);
	snprintf(out + n, AXT_TICK_TEXT - n, "%s%.*s", ascii ? "" : "\u00b0",
	    v == 0 || (east && fabs(v) == 180) ? 0 : 1, letter + (v > 0));
}

/* ---- ticks ---- */

static void
add(struct axt_scale *s, double v, const char *text)
{
	double slack = (s->hi - s->lo) * 1e-9;

	if (s->n >= AXT_TICKS || v < s->lo - slack || v > s->hi + slack)
		return;
	s->tick[s->n] = v;
	snprintf(s->text[s->n++], AXT_TICK_TEXT, "%s", text);
}

/* The least step of the list, times a power of ten, at which `most` steps reach over the span. */
static double
round_step(double span, int most, const double *list, int n)
{
	double least = span / most, ten = pow(10, floor(log10(least)));

	for (int i = 0; i < n; i++)
		if (list[i] * ten >= least * (1 - 1e-9))
			return list[i] * ten;
	return 10 * ten;
}

static void
numbers(struct axt_scale *s, int most, bool ascii)
{
	static const double tens[] = { 1, 2, 2.5, 5 }, whole[] = { 1, 2, 5 };
	static const double circle[] = { 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 180 };
	double span = s->hi - s->lo, step, first;
	bool index = s->kind == AXT_SCALE_LABELS;
	bool degree = s->kind == AXT_SCALE_EAST || s->kind == AXT_SCALE_NORTH;
	char text[AXT_TICK_TEXT];

	step = index ? round_step(span, most, whole, ARRAY_LEN(whole))
		     : round_step(span, most, tens, ARRAY_LEN(tens));
	for (int i = 0; degree && span > 4 && i < ARRAY_LEN(circle); i++)
		if (circle[i] * most >= span) {
			step = circle[i];
			break;
		}
	if (index)
		step = fmax(step, 1);
	first = ceil(s->lo / step - 1e-9) * step;
	for (int i = 0; i < AXT_TICKS; i++) {
		double v = first + i * step;

		if (v > s->hi + step * 1e-9)
			break;
		if (degree)
			degrees(text, v, step, s->kind == AXT_SCALE_EAST, ascii);
		else
			number(text, v, step);
		if (index && s->label)
			snprintf(text, sizeof(text), "%s", v < 0 ? "" : s->label[(int64_t)rint(v)]);
		add(s, v, text);
	}
}

static void
powers(struct axt_scale *s, int most, bool ascii)
{
	int lo = (int)ceil(log10(s->lo) - 1e-9), hi = (int)floor(log10(s->hi) + 1e-9);
	int step = MAX(1, (hi - lo) / MAX(1, most) + 1);
	char text[AXT_TICK_TEXT];

	if (hi - lo < 1) {
		numbers(s, most, ascii);
		return;
	}
	for (int k = lo; k <= hi; k += hi - lo < most ? 1 : step) {
		if (k > -4 && k < 6)
			number(text, pow(10, k), pow(10, k));
		else
			snprintf(text, sizeof(text), "1e%d", k);
		add(s, pow(10, k), text);
	}
}

/* ---- dates ---- */

enum { YEARS, MONTHS, DAYS, SECONDS };
static const struct {
	int unit, n;
	double seconds;
} date_steps[] = {
	{ SECONDS, 1, 1 },
	{ SECONDS, 5, 5 },
	{ SECONDS, 15, 15 },
	{ SECONDS, 30, 30 },
	{ SECONDS, 60, 60 },
	{ SECONDS, 300, 300 },
	{ SECONDS, 600, 600 },
	{ SECONDS, 1800, 1800 },
	{ SECONDS, 3600, 3600 },
	{ SECONDS, 10800, 10800 },
	{ SECONDS, 21600, 21600 },
	{ SECONDS, 43200, 43200 },
	{ DAYS, 1, DAY },
	{ DAYS, 2, 2 * DAY },
	{ DAYS, 5, 5 * DAY },
	{ DAYS, 10, 10 * DAY },
	{ DAYS, 15, 15 * DAY },
	{ MONTHS, 1, 30 * DAY },
	{ MONTHS, 2, 60 * DAY },
	{ MONTHS, 3, 91 * DAY },
	{ MONTHS, 6, 182 * DAY },
	{ YEARS, 1, 365 * DAY },
	{ YEARS, 2, 730 * DAY },
	{ YEARS, 5, 1826 * DAY },
	{ YEARS, 10, 3652 * DAY },
	{ YEARS, 20, 7305 * DAY },
	{ YEARS, 50, 18262 * DAY },
	{ YEARS, 100, 36525 * DAY },
	{ YEARS, 200, 73050 * DAY },
	{ YEARS, 500, 182625 * DAY },
	{ YEARS, 1000, 365250 * DAY },
};

/* Times of day: those at midnight show the date. */
static void
clock_ticks(struct axt_scale *s, const struct axt_cftime *t, int n)
{
	char text[AXT_TICK_TEXT];

	for (double v = ceil(s->lo / n) * n; v <= s->hi && s->n < AXT_TICKS; v += n) {
		int64_t in = (int64_t)(v - floor(v / DAY) * DAY);
		struct axt_cffields f;

		if (!axt_cftime_fields(t, v, &f))
			return;
		if (in == 0)
			snprintf(text, sizeof(text), "%04lld-%02d-%02d", (long long)f.year, f.month,
			    f.day);
		else
			snprintf(text, sizeof(text), n < 60 ? "%02d:%02d:%02d" : "%02d:%02d",
			    (int)(in / 3600), (int)(in / 60 % 60), (int)(in % 60));
		add(s, v, text);
	}
}

/* The first day of month m, counted from month 0 of year 0, in seconds. */
static double
month_begins(const struct axt_cftime *t, int64_t m)
{
	int64_t year = m >= 0 ? m / 12 : -((11 - m) / 12);

	return (double)axt_cftime_day(t, year, (int)(m - year * 12) + 1, 1) * DAY;
}

/* Every n-th month from the one of lo on or, within each, every `days`-th day. */
static void
month_ticks(struct axt_scale *s, const struct axt_cftime *t, int64_t n, int days)
{
	struct axt_cffields lo, hi;
	char text[AXT_TICK_TEXT];

	if (!axt_cftime_fields(t, s->lo, &lo) || !axt_cftime_fields(t, s->hi, &hi) ||
	    hi.year - lo.year > 100000)
		return;
	for (int64_t m = lo.year * 12 + lo.month - 1; m <= hi.year * 12 + hi.month - 1; m++) {
		double v = month_begins(t, m), next = month_begins(t, m + 1);
		int64_t year = m >= 0 ? m / 12 : -((11 - m) / 12);
		int month = (int)(m - year * 12) + 1;

		if (days == 0 && ((m % n) + n) % n == 0) {
			snprintf(text, sizeof(text), n % 12 ? "%04lld-%02d" : "%04lld",
			    (long long)year, month);
			add(s, v, text);
		}
		for (int d = 1; days > 0 && v + (days > 1 ? DAY * days / 2 : 0) < next; d += days) {
			snprintf(text, sizeof(text), "%04lld-%02d-%02d", (long long)year, month, d);
			add(s, v, text);
			v += days * DAY;
		}
	}
}

static void
times(struct axt_scale *s, int most)
{
	struct axt_cftime t = { .unit = 1, .calendar = s->calendar };
	double span = s->hi - s->lo;
	int i = 0;

	while (i < ARRAY_LEN(date_steps) - 1 && span > date_steps[i].seconds * most)
		i++;
	switch (date_steps[i].unit) {
	case SECONDS: clock_ticks(s, &t, date_steps[i].n); break;
	case DAYS: month_ticks(s, &t, 1, date_steps[i].n); break;
	case MONTHS: month_ticks(s, &t, date_steps[i].n, 0); break;
	default: month_ticks(s, &t, date_steps[i].n * 12LL, 0);
	}
}

void
axt_scale_ticks(struct axt_scale *s, int most, bool ascii)
{
	s->n = 0;
	most = MAX(1, MIN(most, AXT_TICKS - 2));
	if (s->kind == AXT_SCALE_TIMES)
		times(s, most);
	else if (s->log)
		powers(s, most, ascii);
	else
		numbers(s, most, ascii);
}
