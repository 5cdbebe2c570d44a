/* foreign.c - words of other tools, and what is typed here instead: the rows of foreign.def. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axt_cmd.h"
#include "base/base.h"

struct pair {
	const char *theirs, *ours;
};
static const struct pair names[] = {
#define FOREIGN_NAME(theirs, ours) { theirs, ours },
#include "foreign.def"
};
static const struct pair options[] = {
#define FOREIGN_OPTION(theirs, ours) { theirs, ours },
#include "foreign.def"
};
/* ours: a whole command line, or, with `none`, what axt has not. */
static const struct {
	const char *theirs, *ours;
	bool none;
} lines[] = {
#define FOREIGN_LINE(theirs, line) { theirs, line, false },
#define FOREIGN_NONE(theirs, what) { theirs, what, true },
#include "foreign.def"
};

/* The statistics of CDO, and what axt-reduce calls them. */
static const struct pair stats[] = {
	{ "mean", "mean" },
	{ "avg", "mean --keep-nan" }, /* missing values make an average missing */
	{ "min", "min" },
	{ "max", "max" },
	{ "sum", "sum" },
	{ "range", "ptp" },
	{ "std", "std" },
	{ "std1", "std --ddof 1" },
	{ "var", "var" },
	{ "var1", "var --ddof 1" },
	{ "median", "median" },
	{ "count", "count" },
	{ "minidx", "argmin" },
	{ "maxidx", "argmax" },
};
static const struct pair arithmetic[] = {
	{ "add", "add" },
	{ "sub", "sub" },
	{ "mul", "mul" },
	{ "div", "div" },
};

/* The i-th row that has the word; NULL after the last. */
static const char *
ith(const struct pair *rows, int n, const char *word, int i)
{
	for (int k = 0; k < n; k++)
		if (strcmp(rows[k].theirs, word) == 0 && i-- == 0)
			return rows[k].ours;
	return NULL;
}

const char *
axt_foreign_name(const char *word, int i)
{
	return ith(names, ARRAY_LEN(names), word, i);
}

const char *
axt_foreign_option(const char *word, int i)
{
	return ith(options, ARRAY_LEN(options), word, i);
}

/* What the first n bytes of w are called here by one of the rows; NULL: none has them. */
static const char *
of_sign(const struct pair *rows, int n_rows, const char *w, size_t n)
{
	for (int k = 0; k < n_rows; k++)
		if (strlen(rows[k].theirs) == n && strncmp(rows[k].theirs, w, n) == 0)
			return rows[k].ours;
	return NULL;
}

/*
 * Whether the word matches the n bytes at p, among which one of the signs "@", "#" and "*" may
 * stand for any text. *sign becomes axt's name for what "@" (a statistic) or "#" (arithmetic)
 * stands for in the word; if there is no sign at p, that of the statistic at the end of the word.
 */
static bool
matches(const char *p, size_t n, const char *word, const char **sign)
{
	size_t before = 0, len = strlen(word), after, skip;

	*sign = "mean";
	while (before < n && !strchr("@#*", p[before]))
		before++;
	if (before == n) {
		const char *own = NULL;

		for (skip = 0; skip < len && !own; skip++)
			own = of_sign(stats, ARRAY_LEN(stats), word + skip, len - skip);
		*sign = own ? own : *sign;
		return len == n && strncmp(p, word, n) == 0;
	}
	after = n - before - 1;
	if (len < before + after || strncmp(p, word, before) != 0 ||
	    strncmp(p + before + 1, word + len - after, after) != 0)
		return false;
	skip = len - before - after;
	if (p[before] == '@')
		*sign = of_sign(stats, ARRAY_LEN(stats), word + before, skip);
	else if (p[before] == '#')
		*sign = of_sign(arithmetic, ARRAY_LEN(arithmetic), word + before, skip);
	return *sign != NULL;
}

/* Whether one of the words of a row, with blanks between them, is the word. */
static bool
one_matches(const char *row, const char *word, const char **sign)
{
	for (size_t n; *row != '\0'; row += n + (row[n] == ' ')) {
		n = strcspn(row, " ");
		if (matches(row, n, word, sign))
			return true;
	}
	return false;
}

/*
 * Argument number i of `args`, which are separated by commas, and its length. NULL: there is none.
 */
static const char *
argument(const char *args, int i, size_t *n)
{
	while (args && *args && i-- > 0)
		args = strchr(args, ',') ? strchr(args, ',') + 1 : NULL;
	*n = args ? strcspn(args, ",") : 0;
	return *n > 0 ? args : NULL;
}

/*
 * Writes a position that counts from 1, or a range A/B of such positions, as it is counted from 0.
 * Positions counted from the end stay.
 */
static size_t
from_zero(char *out, size_t n, const char *arg, size_t len)
{
	const char *to = memchr(arg, '/', len);
	long long first = atoll(arg), last = to ? atoll(to + 1) : 0;

	if (to && last < 0)
		return (size_t)snprintf(out, n, last == -1 ? "%lld:" : "%lld:%lld",
		    first - (first > 0), last + 1);
	if (to)
		return (size_t)snprintf(out, n, "%lld:%lld", first - (first > 0), last);
	return (size_t)snprintf(out, n, "%lld", first - (first > 0));
}

/* Writes all arguments by the sign: "i" positions, "p" pairs with "=", ":" or else ",". */
static size_t
list(char sign, const char *args, char *out, size_t n)
{
	size_t used = 0, len;
	const char *a;

	for (int i = 0; (a = argument(args, i, &len)) && used < n; i++) {
		if (i > 0)
			out[used++] = sign == ':' ? ':' : sign == 'p' && i % 2 ? '=' : ',';
		if (sign == 'i')
			used += from_zero(out + used, n - used, a, len);
		else
			for (size_t k = 0; k < len && used + 1 < n; k++)
				out[used++] = a[k] == '/' ? ':' : a[k];
	}
	return used;
}

/* The bits of the arguments that a sign stands for: all, or the one of number nth. */
static uint64_t
taken(char sign, int nth)
{
	return strchr("*@v,:ip_", sign) ? UINT64_MAX : UINT64_C(1) << nth;
}

/*
 * Writes what "{SIGN=DEFAULT}" at p stands for, as foreign.def explains, and sets *after to its
 * end. Without that argument it stands for DEFAULT. The bits of *used are the arguments that have
 * had a place. Returns the number of bytes, as snprintf does.
 */
static size_t
expand(const char *p, const char *args, char *out, size_t n, const char **after, uint64_t *used)
{
	char sign = p[1];
	const char *at = args ? strchr(args, '@') : NULL, *a;
	int nth = sign >= '1' && sign <= '9' ? sign - '1'
	    : sign >= 'A' && sign <= 'D'     ? sign - 'A'
					     : 0;
	size_t len;

	*after = p + strcspn(p, "}") + 1;
	a = argument(args, nth, &len);
	if (!a || (strchr("@v", sign) && !at))
		return (size_t)snprintf(out, n, "%.*s", (int)(*after - 1 - (p + 3)), p + 3);
	*used |= taken(sign, nth);
	switch (sign) {
	case '*': return (size_t)snprintf(out, n, "%s", args);
	case '_': return 0;
	case '@': return (size_t)snprintf(out, n, "%s", at + 1);
	case 'v': return (size_t)snprintf(out, n, "%.*s", (int)(at - args), args);
	case '%': return (size_t)snprintf(out, n, "%.12g", strtod(a, NULL) / 100);
	case ',':
	case ':':
	case 'i':
	case 'p': return list(sign, args, out, n);
	default: break;
	}
	return sign >= 'A' && sign <= 'D' ? from_zero(out, n, a, len)
					  : (size_t)snprintf(out, n, "%.*s", (int)len, a);
}

/*
 * Parts a typed word from its arguments. Where these are one NAME=VALUE, NAME is the end of the
 * word, as in "select,year", if a row has that. Returns the arguments, or NULL.
 */
static const char *
part(const char *typed, char *word, size_t n)
{
	const char *args = strchr(typed, ','), *eq = args ? strchr(args, '=') : NULL, *sign;

	if (eq && !strchr(eq + 1, '=') && !memchr(args + 1, ',', (size_t)(eq - args - 1))) {
		snprintf(word, n, "%.*s", (int)(eq - typed), typed);
		for (int k = 0; k < ARRAY_LEN(lines); k++)
			if (one_matches(lines[k].theirs, word, &sign))
				return eq + 1;
	}
	snprintf(word, n, "%.*s", (int)strcspn(typed, ","), typed);
	return args ? args + 1 : NULL;
}

/* Puts what the line has no place for before it: without an argument the result is another. */
static void
tell_unused(const char *word, const char *args, uint64_t places, char *line, size_t n)
{
	char whole[600];
	const char *a;
	size_t len;
	int i = 0;

	while ((a = argument(args, i, &len)) && places >> i & 1)
		i += i < 63;
	if (!a)
		return;
	snprintf(whole, sizeof(whole), "%s", line);
	snprintf(line, n, "axt has no line for \"%.*s\" of %s, yet; without it: %s", (int)len, a,
	    word, whole);
}

bool
axt_foreign_line(const char *typed, char *out, size_t n)
{
	char word[128];
	const char *sign, *args = part(typed, word, sizeof(word));
	uint64_t places = 0;
	size_t used = 0;

	for (int k = 0; k < ARRAY_LEN(lines); k++) {
		if (!one_matches(lines[k].theirs, word, &sign))
			continue;
		if (lines[k].none) {
			snprintf(out, n, "axt has no %s, yet: %s", word, lines[k].ours);
			return true;
		}
		for (const char *p = lines[k].ours; *p != '\0' && used + 1 < n; p++) {
			if (*p == '{' && p[1] != '\0' && p[2] == '=') {
				used += expand(p, args, out + used, n - used, &p, &places);
				p--;
			} else if (*p != '#' && (*p != '@' || (p[1] != ' ' && p[1] != '\0')))
				out[used++] = *p;
			else
				used += (size_t)snprintf(out + used, n - used, "%s", sign);
		}
		out[used < n ? used : n - 1] = '\0';
		tell_unused(word, args, places, out, n);
		return true;
	}
	return false;
}
