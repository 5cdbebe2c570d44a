/*
 * advice_spell.c - one word written as axt has it: specs, lists of axes, numbers, dtypes as other
 * languages and people write them. Nothing here knows a command.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "advice.h"

static const char *const seasons = "DJF MAM JJA SON";

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

/*
 * Reads a date of three numbers with any of the signs between them, and writes it with the year
 * first. The day stands before the month, unless `month_first`, or unless it can be no day.
 */
static const char *
date(const char *s, size_t n, bool month_first)
{
	int v[3] = { 0 }, k = 0, digits[3] = { 0 };
	size_t i = 0;

	for (; i < n && k < 3; k++) {
		while (i < n && isdigit((unsigned char)s[i]) && digits[k] < 8) {
			v[k] = v[k] * 10 + s[i++] - '0';
			digits[k]++;
		}
		if (digits[k] == 0 || (i < n && !strchr("-/. ", s[i])))
			return NULL;
		i += i < n;
	}
	if (i < n)
		return NULL;
	if (k == 1 && digits[0] == 8)
		return advice_text("%04d-%02d-%02d", v[0] / 10000, v[0] / 100 % 100, v[0] % 100);
	if (k == 2 && digits[0] == 4)
		return advice_text("%04d-%02d", v[0], v[1]);
	if (k < 3)
		return NULL;
	if (digits[0] == 4)
		return v[1] > 12 ? advice_text("%04d-%02d-%02d", v[0], v[2], v[1])
				 : advice_text("%04d-%02d-%02d", v[0], v[1], v[2]);
	if (digits[2] != 4)
		return NULL;
	if (v[1] > 12 || (month_first && v[0] <= 12))
		return advice_text("%04d-%02d-%02d", v[2], v[0], v[1]);
	return advice_text("%04d-%02d-%02d", v[2], v[1], v[0]);
}

/* A date with the name of its month: 1 Jan 2001, 2001-Jan, Jan 2001. */
static const char *
named_date(const char *s, size_t n)
{
	int year = 0, month = 0, day = 0;

	for (size_t i = 0, k; i < n; i += k) {
		int v = 0;

		for (k = 0; i + k < n && isdigit((unsigned char)s[i + k]) && k < 5; k++)
			v = 10 * v + s[i + k] - '0';
		year = k == 4 ? v : year;
		day = k == 1 || k == 2 ? v : day;
		if (k > 0)
			continue;
		while (i + k < n && isalpha((unsigned char)s[i + k]))
			k++;
		month = k ? month_named(s + i, k) : month;
		if (k == 0 && !strchr(" -,./", s[i]))
			return NULL;
		k += k == 0;
	}
	if (!year || !month)
		return NULL;
	return day ? advice_text("%04d-%02d-%02d", year, month, day)
		   : advice_text("%04d-%02d", year, month);
}

/* One end of a range, or a value, as axt has it. */
static const char *
value(const char *s, size_t n, bool month_first)
{
	const char *d, *text;
	char *end;
	double x;

	while (n > 0 && strchr(" '\"[(", *s))
		s++, n--;
	while (n > 0 && strchr(" '\"])", s[n - 1]))
		n--;
	d = date(s, n, month_first);
	if (d || (d = named_date(s, n)))
		return d;
	if (n == 4 && strncmp(s, "None", 4) == 0)
		return "";
	text = advice_text("%.*s", (int)n, s);
	x = strtod(text, &end);
	if (end > text && strlen(end) == 1 && strchr("NEnesSwW", *end))
		return strchr("sSwW", *end) ? advice_text("-%.*s", (int)(end - text), text)
					    : advice_text("%.*s", (int)(end - text), text);
	(void)x;
	/* 2001-01-05 12:00 */
	if (n > 11 && text[4] == '-' && text[10] == ' ')
		((char *)(uintptr_t)text)[10] = 'T';
	return text;
}

/* The sign, or word, that stands between the two ends of a range; NULL: s is none. */
static const char *
between(const char *s, size_t *len)
{
	static const char *const signs[] = { "..", " to ", ":", "," };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		const char *p = strstr(s, signs[i]);

		*len = strlen(signs[i]);
		if (p && (*p != ',' || !strchr(p + 1, ','))) /* more than two are a list */
			return p;
	}
	/*
	 * 0-10, Jan-Mar; a date of three numbers has two dashes, and a sign has nothing before it
	 */
	*len = 1;
	for (const char *p = strchr(s, '-'); p; p = strchr(p + 1, '-'))
		if (p > s && p[1] && !strchr(p + 1, '-') && !memchr(s, '-', (size_t)(p - s)) &&
		    strspn(s, "0123456789") != 4) /* the year of a date */
			return p;
	return NULL;
}

/* A range with its ends respelled; NULL: s is none. */
static const char *
range(const char *s, bool month_first)
{
	size_t len, n;
	const char *p = between(s, &len), *text;

	if (!p)
		return NULL;
	text = value(s, (size_t)(p - s), month_first);
	n = strlen(p + len);
	if (n > 5 && strncmp(p + len + n - 6, ", None", 6) == 0)
		n -= 6;
	return advice_text("%s:%s", text, value(p + len, n, month_first));
}

/* A month or a season by its name, as AXIS.month@1; NULL: s is none. */
static const char *
field(const char *axis, size_t n, const char *s)
{
	size_t len;
	const char *p = between(s, &len);
	size_t k = p ? (size_t)(p - s) : strlen(s);
	int from = month_named(s, k), to = p ? month_named(p + len, strlen(p + len)) : from;

	if (memchr(axis, '.', n))
		return from && to
		    ? advice_text("%.*s@%d%s", (int)n, axis, from, p ? advice_text(":%d", to) : "")
		    : NULL;
	if (strlen(s) == 2 && toupper((unsigned char)*s) == 'Q' && s[1] >= '1' && s[1] <= '4')
		return advice_text("%.*s.month@%d:%d", (int)n, axis, 3 * (s[1] - '0') - 2,
		    3 * (s[1] - '0'));
	if (strlen(s) == 3 && axt_has_word(seasons, s))
		return advice_text("%.*s.season@%s", (int)n, axis, s);
	if (!from || !to || (p && from > to))
		return NULL;
	return p ? advice_text("%.*s.month@%d:%d", (int)n, axis, from, to)
		 : advice_text("%.*s.month@%d", (int)n, axis, from);
}

/* What stands behind a call such as slice(0,5), or brackets. */
static const char *
inner(const char *s)
{
	size_t n;

	if (strncmp(s, "slice(", 6) == 0)
		s += 6;
	else if (strchr("[(", *s) && *s)
		s += 1;
	n = strlen(s);
	while (n > 0 && strchr(")]\"'", s[n - 1]))
		n--;
	while (n > 0 && strchr("\"'", *s))
		s++, n--;
	return advice_text("%.*s", (int)n, s);
}

/* AXIS and what is behind it, of lat<=0, lat[0:2], lat,-30,30, time:7, lat@[-60,30]. */
static size_t
sign_at(const char *w, const char **rest, char *sign)
{
	size_t n = strcspn(w, "=@<>[,:");
	const char *s = w + n;

	*sign = *s;
	*rest = s;
	if (n == 0 || !*s)
		return 0;
	while (**rest && strchr("=@<>,:", **rest))
		(*rest)++;
	if (*s == '[')
		*rest = s;
	if ((*s == '@' || *s == '=') && s[1] && strchr("<>", s[1]))
		*sign = s[1];
	return n;
}

const char *
advice_spec(const char *word, int i)
{
	const char *rest, *in, *all[16];
	char sign;
	size_t n = sign_at(word, &rest, &sign);
	int k = 0, a = (int)n;

	if (n == 0 || !*rest)
		return NULL;
	in = inner(rest);
	all[k++] = field(word, n, in);
	if (sign == '<' || sign == '>') {
		all[k++] = advice_text(sign == '<' ? "%.*s@:%s" : "%.*s@%s:", a, word,
		    value(in, strlen(in), false));
	} else {
		const char *r = range(in, false), *v = value(in, strlen(in), false);
		bool at = strpbrk(in, "./-") || strncmp(in, "20", 2) == 0 || sign == '@';

		for (int how = 0; how < 2; how++) {
			const char *s = (how == 0) == at ? "@" : "=";

			all[k++] = r ? advice_text("%.*s%s%s", a, word, s, r) : NULL;
			r = range(in, true); /* the month may stand before the day */
			all[k++] = r ? advice_text("%.*s%s%s", a, word, s, r) : NULL;
			all[k++] = advice_text("%.*s%s%s", a, word, s, v);
			all[k++] = advice_text("%.*s%s%s", a, word, s, in);
		}
		all[k++] = strcasecmp(in, "last") == 0 ? advice_text("%.*s=-1", a, word)
		    : strcasecmp(in, "first") == 0     ? advice_text("%.*s=0", a, word)
						       : NULL;
		all[k++] = advice_text("%.*s=w:%s", a, word, in);
		all[k++] = strchr(in, ':') ? advice_text("%.*s=%.*s,%s", a, word,
						 (int)strcspn(in, ":"), in, strchr(in, ':') + 1)
					   : NULL;
	}
	for (int j = 0; j < k; j++)
		if (all[j] && strcmp(all[j], word) != 0 && i-- == 0)
			return all[j];
	return NULL;
}

const char *
advice_axes(const struct advice_file *f, const char *word, int i)
{
	char out[400] = "";
	int k = 0;

	if (i > 0 || !*word)
		return NULL;
	for (const char *s = word; *s; k++) {
		const char *name;
		char *end;
		size_t n;
		long at;

		s += strspn(s, " ,:+;[](){}\"'=");
		n = strcspn(s, " ,:+;[](){}\"'=");
		if (n == 0)
			break;
		name = advice_text("%.*s", (int)n, s);
		if (s[n] == '=' && axt_has_word("axis axes dim dims", name)) { /* axis=0 */
			s += n;
			k--;
			continue;
		}
		at = strtol(name, &end, 10);
		if (!*end && at < f->axes.n && at >= -f->axes.n)
			name = f->axes.v[at < 0 ? at + f->axes.n : at];
		else if (!advice_has(&f->axes, name) && strcmp(name, word) != 0)
			name = advice_axis(f, name);
		if (!name || strlen(out) + strlen(name) + 2 > sizeof(out))
			return NULL;
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", k ? "," : "", name);
		s += n;
	}
	return *out && strcmp(out, word) != 0 ? advice_text("%s", out) : NULL;
}

const char *
advice_number(const char *word)
{
	char *end, *comma;
	char text[40];
	double x;

	if (strlen(word) >= sizeof(text) ||
	    !isdigit((unsigned char)word[*word == '-' || *word == '+']))
		return NULL;
	strcpy(text, word);
	if ((comma = strchr(text, ',')) && !strchr(comma + 1, ','))
		*comma = '.';
	x = strtod(text, &end);
	if (end == text)
		return NULL;
	if (strcmp(end, "%") == 0)
		return advice_text("%.10g", x / 100);
	if (*end == '/' && strtod(end + 1, NULL) != 0)
		return advice_text("%.10g", x / strtod(end + 1, NULL));
	if (!*end && !comma)
		return NULL;
	return strlen(end) <= 4 && strspn(end, " KCFmsdegrx") == strlen(end)
	    ? advice_text("%.*s", (int)(end - text), text)
	    : NULL;
}

const char *
advice_dtype(const char *word)
{
	struct axt_graph *g = axt_graph_new();
	const char *is = g ? axt_respell_dtype(g, word) : NULL;

	is = is ? advice_text("%s", is) : NULL;
	axt_graph_free(g);
	return is;
}
