/*
 * guess_slices.c - hints about parts of tensors: AXIS=SPEC in other places and as in NCO and
 * Python.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guess.h"

bool
guess_is_part(const char *w)
{
	size_t n = strcspn(w, "=@ ");

	return n > 0 && (w[n] == '=' || w[n] == '@') && w[n + 1] &&
	    strchr("0123456789-:.", w[n + 1]) && !memchr(w, '/', n) && !guess_is_file(w + n + 1);
}

const char *
guess_part_first(int x, int f)
{
	guess_from("axt-slice");
	guess_put(cmd_st.args.v[x], true);
	guess_put(cmd_st.args.v[f], true);
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.args.n; i++)
		if (i != x)
			guess_put(i == f ? "-" : cmd_st.args.v[i], true);
	return guess_end(cmd_st.args.n, -1);
}

void
guess_hyperslab(const char *typed)
{
	char spec[512], *part[4] = { NULL }, *rest = spec, last[32];
	bool whole = true;
	int n = 0;

	snprintf(spec, sizeof(spec), "%s", typed);
	while (n < 4 && (part[n] = strsep(&rest, ",")))
		n++;
	for (int k = 1; k < n; k++)
		whole = whole && strspn(part[k], "-0123456789") == strlen(part[k]) &&
		    !strchr(part[k] + (*part[k] != '\0'), '-');
	guess_put(part[0], true);
	/* from a negative number to a positive one are coordinates: as positions they are none */
	whole = whole && !(n > 2 && *part[1] == '-' && *part[2] && *part[2] != '-');
	guess_put(whole ? "=" : "@", false);
	guess_put(n > 1 ? part[1] : "", false);
	if (n > 2) {
		guess_put(":", false);
		snprintf(last, sizeof(last), "%lld", atoll(part[2]) + 1);
		guess_put(!whole || !*part[2]    ? part[2]
			: strcmp(last, "0") == 0 ? ""
						 : last,
		    false);
	}
	if (n > 3) {
		guess_put(":", false);
		guess_put(part[3], false);
	}
}

const char *
guess_bare_spec(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	bool window = strcmp(cmd_st.c->name, "axt-window") == 0;
	char text[300];

	if (a->n != 2 || !guess_is_file(a->v[1]) || !strstr(error, " is not AXIS="))
		return NULL;
	guess_begin();
	if (window && *a->v[0] && strspn(a->v[0], "0123456789") == strlen(a->v[0])) {
		snprintf(text, sizeof(text), "%s=w:%.200s", guess_axis("time"), a->v[0]);
		guess_put(text, true);
		return guess_end(1, -1);
	}
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(a->v[0], ":"), a->v[0]);
	if (window && strchr(a->v[0], ':') && guess_has_axis(a->v[1], text)) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "=w:%.100s",
		    strchr(a->v[0], ':') + 1);
		guess_put(text, true);
		return guess_end(1, -1);
	}
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(a->v[0], ","), a->v[0]);
	if (strcmp(cmd_st.c->name, "axt-slice") != 0 || !strchr(a->v[0], ',') ||
	    strspn(a->v[0] + strlen(text), ",.-0123456789") < strlen(a->v[0] + strlen(text)) ||
	    !guess_has_axis(a->v[1], text))
		return NULL;
	guess_hyperslab(a->v[0]);
	return guess_end(1, -1);
}

/* Where in w ",AXIS=" or ",AXIS@" begins, of an axis that the file has; NULL: nowhere. */
static const char *
next_spec(const char *w, const char *file)
{
	char axis[200];

	for (const char *p = strchr(w, ','); p; p = strchr(p + 1, ',')) {
		size_t n = strcspn(p + 1, "=@,:/");

		snprintf(axis, sizeof(axis), "%.*s", (int)n, p + 1);
		if (n < sizeof(axis) && (p[1 + n] == '=' || p[1 + n] == '@') &&
		    guess_has_axis(file, axis))
			return p;
	}
	return NULL;
}

const char *
guess_specs_apart(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *file = a->n > 1 ? a->v[a->n - 1] : "";
	bool any = false;

	if (!(cmd_st.c->flags & CMD_SPECS) || !guess_is_file(file) || !strchr(error, ','))
		return NULL;
	guess_begin();
	for (int i = 0; i + 1 < a->n; i++) {
		const char *w = a->v[i], *next;
		char one[600];

		/* lat,lon=FILE is one spec of two axes */
		while ((next = next_spec(w, file)) && strpbrk(w, "=@") < next &&
		    next - w < (long)sizeof(one)) {
			snprintf(one, sizeof(one), "%.*s", (int)(next - w), w);
			guess_put(one, true);
			w = next + 1;
			any = true;
		}
		guess_put(w, true);
	}
	return any ? guess_end(a->n - 1, -1) : NULL;
}

/* Adds what stands for each -d NAME,LO,HI,STEP. Returns whether there is one. */
static bool
hyperslabs(void)
{
	const struct cmd_list *o = &cmd_st.given;
	bool any = false;

	for (int i = 0; i + 1 < o->n; i++)
		if (strcmp(o->v[i], "-d") == 0 && strchr(o->v[i + 1], ',')) {
			guess_hyperslab(o->v[i + 1]);
			any = true;
		}
	return any;
}

/* Ends the line with all options but -d. */
static void
put_options(void)
{
	for (int i = 0; i < cmd_st.given.n; i++)
		if (strcmp(cmd_st.given.v[i], "-d") == 0)
			i++;
		else
			guess_put(cmd_st.given.v[i], true);
}

const char *
guess_slices_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	bool slice = strcmp(cmd_st.c->name, "axt-slice") == 0;

	const char *file = a->n > 0 ? a->v[a->n - 1] : "";
	bool output = slice && a->n == 2 && guess_names_output(file) && !guess_is_file(file);
	char all[2048];

	guess_from("axt-slice");
	if (!hyperslabs() || a->n == 0 || (!slice && a->n - cmd_st.nwords != 1))
		return NULL;
	file = output ? a->v[0] : file;
	snprintf(all, sizeof(all), "%s%s", file,
	    slice && !strchr(file, ':') && guess_tensors(file) > 1 ? ":*" : "");
	guess_put(all, true);
	if (output) {
		guess_put("-o", true);
		guess_put(a->v[1], true);
	}
	if (!slice) {
		guess_put(" | ", false);
		guess_put(cmd_st.c->name, false);
		for (int i = 0; i < a->n - 1; i++)
			guess_put(a->v[i], true);
		guess_put("-", true);
	}
	put_options();
	return guess_text;
}

const char *
guess_part_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char both[2048];

	for (int i = strcmp(cmd_st.c->name, "axt-assign") == 0; i < a->n; i++) {
		const char *w = a->v[i], *open = strchr(w, '[');
		size_t n = strlen(w);

		snprintf(both, sizeof(both), "%.*s", (int)(open ? open - w : 0), w);
		if (!open || w[n - 1] != ']' || !strpbrk(open, "=@") || !guess_is_file(both))
			continue;
		guess_from("axt-slice");
		snprintf(both, sizeof(both), "%.*s", (int)(w + n - 2 - open), open + 1);
		for (char *s = both, *rest; s; s = rest) {
			rest = strchr(s, ',');
			if (rest)
				*rest++ = '\0';
			guess_put(s, true);
		}
		snprintf(both, sizeof(both), "%.*s", (int)(open - w), w);
		guess_put(both, true);
		guess_put(" | ", false);
		guess_put(cmd_st.c->name, false);
		for (int k = 0; k < a->n; k++)
			guess_put(k == i ? "-" : a->v[k], true);
		return guess_end(a->n, -1);
	}
	return NULL;
}

/* The number of a month, 1 to 12, of its name or the first three letters; 0: it is none. */
static int
month_named(const char *w)
{
	static const char *const names[] = { "january", "february", "march", "april", "may", "june",
		"july", "august", "september", "october", "november", "december" };
	size_t n = strlen(w);

	for (int i = 0; n >= 3 && i < 12; i++)
		if (strncasecmp(names[i], w, n) == 0)
			return i + 1;
	return 0;
}

/* Reads a number with an optional sky direction, as 30S; *end is behind it. */
static bool
read_value(const char *w, double *v, const char **end)
{
	char *rest;

	*v = strtod(w, &rest);
	if (rest == w)
		return false;
	if (*rest && strchr("SsWw", *rest))
		*v = -*v;
	*end = rest + (*rest && strchr("NSEWnsew", *rest));
	return true;
}

/* Reads "Jan 2001", "1 Jan 2001" or "2001-Jan-1", in any order; false: it is no such date. */
static bool
read_words(const char *value, char *out, size_t n)
{
	int year = 0, month = 0, day = 0, used = 0;
	char word[40];

	for (const char *p = value; *p; p += strcspn(p, " -/,.")) {
		p += strspn(p, " -/,.");
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(p, " -/,."), p);
		if (!*word)
			break;
		if (!month && month_named(word))
			month = month_named(word);
		else if (strspn(word, "0123456789") != strlen(word) || atoi(word) == 0)
			return false;
		else if (!year && strlen(word) == 4)
			year = atoi(word);
		else if (!day && atoi(word) <= 31)
			day = atoi(word);
		else
			return false;
		used++;
	}
	if (used < 2 || !year || !month)
		return false;
	snprintf(out, n, day ? "%04d-%02d-%02d" : "%04d-%02d", year, month, day);
	return true;
}

/*
 * The numbers of a date such as 2000/06/01, 1.6.2000 or 2000/06, in this order. Returns how many
 * there are; 0: it is something else. As it is written here, 2000-06-01, it is one text, -1.
 */
static int
read_date(const char *s, int p[3])
{
	int used = 0;

	if (strspn(s, "0123456789-") == strlen(s) && strlen(s) >= 4 && strspn(s, "0123456789") == 4)
		return -1;
	if (sscanf(s, "%4d%*1[-./]%2d%*1[-./]%2d%n", &p[0], &p[1], &p[2], &used) == 3 && !s[used] &&
	    p[0] > 31 && p[1] <= 12 && p[2] <= 31)
		return 3;
	used = 0;
	if (sscanf(s, "%2d%*1[-./]%2d%*1[-./]%4d%n", &p[0], &p[1], &p[2], &used) == 3 && !s[used] &&
	    p[2] > 31 && (p[0] <= 12 || p[1] <= 12) && p[0] <= 31 && p[1] <= 31)
		return 3;
	used = 0;
	if (sscanf(s, "%4d/%2d%n", &p[0], &p[1], &used) == 2 && !s[used] && p[0] > 31 && p[1] <= 12)
		return 2;
	return 0;
}

/*
 * Writes a date, or a range of two, as axt spells them. Where a number of both may be the day,
 * `day_first` tells, and *either is true unless the other date of the range shows it, or points
 * stand between them.
 */
static bool
read_dates(const char *value, bool day_first, char *out, size_t n, bool *either)
{
	const char *mid = strstr(value, ".."), *text[2];
	char copy[100];
	int p[2][3], kind[2], parts = 1;

	*either = false;
	if (strlen(value) >= sizeof(copy))
		return false;
	strcpy(copy, value);
	mid = mid ? mid : strchr(value, ':');
	text[0] = text[1] = copy;
	if (mid && mid > value && mid[1]) {
		copy[mid - value] = '\0';
		text[parts++] = copy + (mid - value) + (*mid == '.' ? 2 : 1);
	}
	for (int k = 0; k < parts; k++) {
		kind[k] = read_date(text[k], p[k]);
		if (kind[k] == 0)
			return false;
		if (kind[k] < 3 || p[k][0] > 31)
			continue;
		*either = *either || !strchr(text[k], '.');
		day_first = day_first || strchr(text[k], '.');
	}
	for (int k = 0; k < parts; k++)
		if (kind[k] == 3 && p[k][0] <= 31 && (p[k][0] > 12 || p[k][1] > 12)) {
			day_first = p[k][0] > 12;
			*either = false;
		}
	for (int k = 0; k < parts; k++) {
		char one[40];
		bool last = p[k][0] <= 31;
		int month = last ? p[k][day_first] : p[k][1], day = p[k][last ? !day_first : 2];

		if (kind[k] == 3 && month > 12)
			return false;
		if (kind[k] < 0)
			snprintf(one, sizeof(one), "%s", text[k]);
		else if (kind[k] == 2)
			snprintf(one, sizeof(one), "%04d-%02d", p[k][0], p[k][1]);
		else
			snprintf(one, sizeof(one), "%04d-%02d-%02d", p[k][last ? 2 : 0], month,
			    day);
		snprintf(k ? out + strlen(out) : out, k ? n - strlen(out) : n, "%s%s", k ? ":" : "",
		    one);
	}
	return true;
}

/* The part of a date with words or slashes: time@June, time@Jan-Mar, time@2001/01/02, time@Q1. */
static bool
respell_date(const char *w, size_t axis, char *out, size_t n)
{
	const char *value = w + axis + 1;
	int month = month_named(value), last, years[2], used = 0;
	bool either;
	size_t sign = strcspn(value, "-:/");
	char first[40], date[80];

	snprintf(first, sizeof(first), "%.*s", (int)sign, value);
	last = value[sign] ? month_named(value + sign + 1) : 0;
	if (strlen(value) == 2 && (*value == 'Q' || *value == 'q') && strchr("1234", value[1])) {
		month = (value[1] - '1') * 3 + 1;
		last = month + 2;
	} else if (last > 0) {
		month = month_named(first);
	}
	if (month > 0 || (strlen(value) == 3 && strstr("DJF MAM JJA SON", value))) {
		if (axis > 6 && strncmp(w + axis - 6, ".month", 6) == 0)
			axis -= 6;
		if (last > 0)
			snprintf(out, n, "%.*s.month@%d:%d", (int)axis, w, month, last);
		else
			snprintf(out, n, month > 0 ? "%.*s.month@%d" : "%.*s.season@%.0d%s",
			    (int)axis, w, month, value);
		return last == 0 || last > month;
	}
	if (w[axis] != '@')
		return false;
	if (sscanf(value, "%4d-%4d%n", &years[0], &years[1], &used) == 2 && used == 9 &&
	    !value[used] && years[1] > years[0]) {
		snprintf(out, n, "%.*s@%.4s:%.4s", (int)axis, w, value, value + 5);
		return true;
	}
	if (read_dates(value, true, date, sizeof(date), &either)) {
		snprintf(out, n, "%.*s@%s", (int)axis, w, date);
		return !either && strcmp(out, w) != 0;
	}
	if (!read_words(value, date, sizeof(date)))
		return false;
	snprintf(out, n, "%.*s@%s", (int)axis, w, date);
	return true;
}

/* Reads "2000-01-01 06:00", with "T" or a blank; returns where it ends, or NULL. */
static const char *
read_clock(const char *s, char out[32])
{
	int d[3], t[2], sec = 0, used = 0, more = 0;

	if (sscanf(s, "%4d-%2d-%2d%*1[ T]%2d:%2d%n", &d[0], &d[1], &d[2], &t[0], &t[1], &used) !=
		5 ||
	    used == 0)
		return NULL;
	s += used;
	if (sscanf(s, ":%2d%n", &sec, &more) == 1)
		s += more;
	snprintf(out, 32, sec ? "%04d-%02d-%02dT%02d:%02d:%02d" : "%04d-%02d-%02dT%02d:%02d", d[0],
	    d[1], d[2], t[0], t[1], sec);
	return s;
}

/* A date with a clock in quotes, or two of them: a range of these has "/" between them. */
static bool
respell_clocks(const char *w, size_t axis, char *out, size_t n)
{
	char one[32], other[32];
	const char *s = w + axis + 1, *end;

	s += strspn(s, "\"'[");
	if (!(end = read_clock(s, one)))
		return false;
	end += strspn(end, "\"']");
	if (!*end) {
		snprintf(out, n, "%.*s@%s", (int)axis, w, one);
		return strcmp(out, w) != 0;
	}
	if (!strchr(":/,. ", *end) || !(s = read_clock(end + strspn(end, ":/,. \"'"), other)) ||
	    s[strspn(s, "\"']")])
		return false;
	snprintf(out, n, "%.*s@%s/%s", (int)axis, w, one, other);
	return strcmp(out, w) != 0;
}

/*
 * AXIS@>VALUE and AXIS@<=VALUE are ranges with an open end. A year that is left out is known;
 * another value stays in the range.
 */
static bool
respell_compared(const char *w, size_t axis, char *out, size_t n)
{
	const char *value = w + axis + 1;
	bool above = *value == '>', equal;
	int year;

	if (w[axis] != '@' || !strchr("<>", *value))
		return false;
	value++;
	equal = *value == '=';
	value += equal;
	value += strspn(value, " ");
	if (!*value || strpbrk(value, ":<>=/ "))
		return false;
	year = strlen(value) == 4 && strspn(value, "0123456789") == 4 && !equal ? atoi(value) : 0;
	if (year)
		snprintf(out, n, above ? "%.*s@%d:" : "%.*s@:%d", (int)axis, w,
		    above ? year + 1 : year - 1);
	else
		snprintf(out, n, above ? "%.*s@%s:" : "%.*s@:%s", (int)axis, w, value);
	return true;
}

/* Writes a spec as axt spells it, for one that was typed otherwise; false: it is another. */
static bool
respell(const char *w, char *out, size_t n)
{
	size_t axis = strcspn(w, "=@");
	const char *value = w + axis + 1, *mid, *end;
	double a, b = 0;
	bool at = w[axis] == '@', plain = strspn(value, "0123456789 .-") == strlen(value);

	if (axis == 0 || !w[axis] || !*value)
		return false;
	if (respell_compared(w, axis, out, n) || respell_date(w, axis, out, n) ||
	    (w[axis] == '@' && respell_clocks(w, axis, out, n)))
		return true;
	mid = strstr(value, "..");
	if (mid && mid > value && mid[2]) {
		at = at || !plain || strchr(value, '-') ||
		    memchr(value, '.', (size_t)(mid - value)) || strchr(mid + 2, '.');
		snprintf(out, n, "%.*s%c%.*s:%s", (int)axis, w, at ? '@' : '=', (int)(mid - value),
		    value, mid + 2);
		return true;
	}
	if (!at && axt_is_number(value) && strchr(value, '.') && strncmp(w, "time", 4) != 0) {
		snprintf(out, n, "%.*s@%s", (int)axis, w, value);
		return true;
	}
	value += at && *value == '[';
	if (!read_value(value, &a, &end))
		return false;
	if (!at && strspn(value, "0123456789- ") == strlen(value) && strchr("- ", *end) && *end &&
	    read_value(end + 1, &b, &end) && !*end && b > a) {
		snprintf(out, n, "%.*s=%.0f:%.0f", (int)axis, w, a, b);
		return true;
	}
	if (!at)
		return false;
	if (!*end) {
		snprintf(out, n, "%.*s@%.15g", (int)axis, w, a);
		return strpbrk(value, "NSEWnsew") != NULL;
	}
	if (!strchr(":,", *end) || !read_value(end + 1, &b, &end) ||
	    (*end && strcmp(end, "]") != 0) || b <= a)
		return false;
	snprintf(out, n, "%.*s@%.15g:%.15g", (int)axis, w, a, b);
	return strcmp(out, w) != 0;
}

/* AXIS@D/M/YEAR, or a range of two, where the first number may be the day or the month. */
static const char *
either_date(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char one[80], other[80], both[400];
	bool either;

	for (int i = 0; i < a->n; i++) {
		const char *at = strchr(a->v[i], '@');
		int n = at ? (int)(at - a->v[i]) : 0;

		if (n == 0 || !read_dates(at + 1, true, one, sizeof(one), &either) || !either ||
		    !read_dates(at + 1, false, other, sizeof(other), &either))
			continue;
		snprintf(both, sizeof(both), "%.*s@%s, or %.*s@%s", n, a->v[i], one, n, a->v[i],
		    other);
		guess_from("the year comes first: ");
		guess_put(both, false);
		guess_put(" if the month was first", false);
		return guess_text;
	}
	return NULL;
}

/* Whether AXIS@>VALUE becomes a range that has VALUE in it, which was left out. */
static bool
respells_more(const char *w)
{
	char spec[600];
	size_t axis = strcspn(w, "=@"), n;

	if (!w[axis] || !respell_compared(w, axis, spec, sizeof(spec)))
		return false;
	n = strlen(w + axis + 2);
	return w[axis + 2] != '=' && !(n == 4 && strspn(w + axis + 2, "0123456789") == 4);
}

const char *
guess_respelled(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char spec[600];
	bool any = false, near = false;

	if (!(cmd_st.c->flags & CMD_SPECS))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++) {
		bool other = !guess_is_file(a->v[i]) && respell(a->v[i], spec, sizeof(spec));

		guess_put(other ? spec : a->v[i], true);
		any = any || other;
		near = near || (other && strpbrk(a->v[i], "NSEW") && !strpbrk(a->v[i], ":,."));
	}
	if (any && near && guess_has_option("nearest") && !strstr(guess_text, ".season@") &&
	    !strstr(guess_text, ".month@"))
		guess_put("--nearest", true);
	if (!any)
		return either_date();
	guess_end(a->n, -1);
	for (int i = 0; i < a->n; i++)
		if (respells_more(a->v[i])) {
			guess_put(" takes", false);
			guess_put(strpbrk(a->v[i], "<>") + 1, true);
			guess_put(", too", false);
			break;
		}
	return guess_text;
}
