/* spec.c - parts of tensors as other tools and people write them, each as it is typed here. */
#include <ctype.h>
#include <strings.h>

#include "axt_cmd.h"
#include "calc/respell.h"
#include "expr/expr.h"

/* The number of the month that the n characters begin; 0: none. */
static int
month_named(const char *s, size_t n)
{
	static const char *const names[] = { "january", "february", "march", "april", "may", "june",
		"july", "august", "september", "october", "november", "december" };

	for (int i = 0; i < 12 && n > 2; i++)
		if (n <= strlen(names[i]) && strncasecmp(s, names[i], n) == 0)
			return i + 1;
	return 0;
}

/* Reads up to 3 numbers and names of months, with signs between; 0: there is something else. */
static int
read_date(const char *s, size_t n, int v[3], size_t digits[3])
{
	size_t i = 0;
	int k = 0;

	for (; i < n && k < 3; k++) {
		size_t letters = 0;

		v[k] = 0;
		for (digits[k] = 0; i < n && isdigit((unsigned char)s[i]) && digits[k] < 8;
		     digits[k]++)
			v[k] = v[k] * 10 + s[i++] - '0';
		while (digits[k] == 0 && i + letters < n && isalpha((unsigned char)s[i + letters]))
			letters++;
		if (letters > 0)
			v[k] = month_named(s + i, letters);
		if (digits[k] + letters == 0 || (letters > 0 && v[k] == 0))
			return 0;
		for (i += letters; i < n && strchr("-/., ", s[i]); i++)
			;
	}
	return i < n ? 0 : k;
}

/*
 * Writes a date as YEAR-MONTH-DAY. Of two numbers before the year the first is the day, unless
 * month_first or the second is above 12; of two behind the year the first is the month, unless it
 * is above 12.
 */
static const char *
date(struct axt_graph *g, const char *s, size_t n, bool month_first)
{
	int v[3], k, year, month, a;
	size_t digits[3];

	k = read_date(s, n, v, digits);
	if (k == 1 && digits[0] == 8)
		return axt_sprintf(g->m, "%04d-%02d-%02d", v[0] / 10000, v[0] / 100 % 100,
		    v[0] % 100);
	year = k < 2 ? -1 : digits[0] == 4 ? 0 : digits[k - 1] == 4 ? k - 1 : -1;
	if (year < 0)
		return NULL;
	if (k == 2)
		return axt_sprintf(g->m, "%04d-%02d", v[year], v[1 - year]);
	a = year == 0;
	month = digits[a] == 0   ? a
	    : digits[a + 1] == 0 ? a + 1
	    : year == 0          ? a + (v[a] > 12)
				 : a + !(v[a + 1] > 12 || (month_first && v[a] <= 12));
	return axt_sprintf(g->m, "%04d-%02d-%02d", v[year], v[month], v[2 * a + 1 - month]);
}

/* One end of a range, or a value. */
static const char *
value(struct axt_graph *g, const char *s, size_t n, unsigned how)
{
	const char *d;
	char *text;

	while (n > 0 && strchr(" '\"[(", *s))
		s++, n--;
	while (n > 0 && strchr(" '\"])", s[n - 1]))
		n--;
	d = date(g, s, n, how & AXT_SPEC_MONTH_FIRST);
	if (d)
		return d;
	text = axt_strndup(g->m, s, n);
	if (text && n > 1 && strchr("NEnesSwW", s[n - 1]) && strspn(s, "0123456789.") == n - 1) {
		text[n - 1] = '\0';
		return strchr("sSwW", s[n - 1]) ? axt_sprintf(g->m, "-%s", text) : text;
	}
	if (text && n > 11 && text[4] == '-' && text[10] == ' ') /* 2001-01-05 12:00 */
		text[10] = 'T';
	return text;
}

/* The sign, or word, that stands between the two ends of a range; NULL: s is none. */
static const char *
between(const char *s, unsigned how, size_t *len)
{
	static const char *const signs[] = { "..", " to ", ":", "," };

	/* the ":" of 2001-01-01T00:2001-02-01 and of T00:00 are those of clocks, but for one */
	*len = 1;
	for (const char *p = strchr(s, 'T') ? strchr(s, ':') : NULL; p; p = strchr(p + 1, ':'))
		if (strspn(p + 1, "0123456789") == 4 && p[5] == '-')
			return p;
	for (int i = 0; i < ARRAY_LEN(signs) - !(how & AXT_SPEC_PAIRS); i++) {
		const char *p = strstr(s, signs[i]);

		*len = strlen(signs[i]);
		if (p && (*p != ',' || !strchr(p + 1, ','))) /* more than two are a list */
			return p;
	}
	*len = 1;
	/* 0-10, Jan-Mar; a date of three numbers has two dashes, and a sign nothing before it */
	for (const char *p = how & AXT_SPEC_WORDS ? strchr(s, '-') : NULL; p;
	     p = strchr(p + 1, '-'))
		if (p > s && p[1] && !strchr(p + 1, '-') && !memchr(s, '-', (size_t)(p - s)) &&
		    strspn(s, "0123456789") != 4) /* the year of a date */
			return p;
	return NULL;
}

const char *
axt_respell_spec(struct axt_graph *g, const char *typed, unsigned how)
{
	bool plain = !strpbrk(typed, "[]()") && (how & AXT_SPEC_WORDS || strpbrk(typed, "\"'"));
	const char *s = plain ? typed : axt_respell_list(g, typed), *p;
	bool clocks;
	size_t len;

	p = s ? between(s, how, &len) : NULL;
	clocks = p && memchr(s, 'T', (size_t)(p - s)) && strlen(p) > 6;
	return !s ? NULL
	    : !p  ? value(g, s, strlen(s), how)
		  : axt_sprintf(g->m, clocks ? "%s/%s" : "%s:%s", value(g, s, (size_t)(p - s), how),
			value(g, p + len, strlen(p + len), how));
}

const char *
axt_respell_field(struct axt_graph *g, const char *axis, const char *typed)
{
	size_t len;
	const char *p = between(typed, AXT_SPEC_WORDS | AXT_SPEC_PAIRS, &len);
	int from = month_named(typed, p ? (size_t)(p - typed) : strlen(typed));
	int to = p ? month_named(p + len, strlen(p + len)) : from;
	const char *month = strchr(axis, '.') ? "" : ".month";

	if (!*month && !(from && to))
		return NULL;
	if (strlen(typed) == 2 && toupper((unsigned char)*typed) == 'Q' && typed[1] >= '1' &&
	    typed[1] <= '4') {
		to = 3 * (typed[1] - '0');
		from = to - 2;
	}
	if (axt_has_word("DJF MAM JJA SON", typed))
		return axt_sprintf(g->m, "%s.season@%s", axis, typed);
	if (!from || !to || (*month && from > to))
		return NULL;
	return from == to ? axt_sprintf(g->m, "%s%s@%d", axis, month, from)
			  : axt_sprintf(g->m, "%s%s@%d:%d", axis, month, from, to);
}
