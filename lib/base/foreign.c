/* foreign.c - words of other tools, and what is typed here instead: the rows of foreign.def. */
#include <stdio.h>
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
	{ "avg", "mean" },
	{ "min", "min" },
	{ "max", "max" },
	{ "sum", "sum" },
	{ "range", "ptp" },
	{ "std", "std" },
	{ "std1", "std --ddof 1" },
	{ "var", "var" },
	{ "var1", "var --ddof 1" },
	{ "median", "median" },
	{ "pctl", "quantile:0.9" },
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
 * Whether the word is what the n bytes at p mean, with at most one of the signs "@", "#" and "*"
 * among them. *sign is then what the sign stands for here; for a word without a sign, what the
 * statistic at its end is called.
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

bool
axt_foreign_line(const char *word, char *out, size_t n)
{
	const char *sign;
	size_t used = 0;

	for (int k = 0; k < ARRAY_LEN(lines); k++) {
		if (!one_matches(lines[k].theirs, word, &sign))
			continue;
		if (lines[k].none) {
			snprintf(out, n, "axt has no %s, yet: %s", word, lines[k].ours);
			return true;
		}
		for (const char *p = lines[k].ours; *p != '\0' && used + 1 < n; p++) {
			if (*p != '#' && (*p != '@' || (p[1] != ' ' && p[1] != '\0')))
				out[used++] = *p;
			else
				used += (size_t)snprintf(out + used, n - used, "%s", sign);
		}
		out[used < n ? used : n - 1] = '\0';
		return true;
	}
	return false;
}
