/* rows.h - tests as data: tab-separated rows of tests/cases, one case each. */
#ifndef AXT_TEST_ROWS_H
#define AXT_TEST_ROWS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROW_COLUMNS 5
enum { ROW_ID, ROW_OP, ROW_IN, ROW_PARAMS, ROW_WANT };

/* Splits s in place at one of the bytes of sep; missing pieces are "". */
static inline int
row_split(char *s, char sep, char *out[], int max)
{
	int n = 0;

	for (int i = 0; i < max; i++)
		out[i] = "";
	while (n < max) {
		char *end = strchr(s, sep);

		out[n++] = s;
		if (!end)
			break;
		*end = '\0';
		s = end + 1;
	}
	return n;
}

/* The word after "key=" among words separated by blanks, into out; false when there is none. n-th:
 * from 0. */
static inline int
row_param(const char *words, const char *key, int nth, char *out, size_t cap)
{
	size_t k = strlen(key);

	while (*words) {
		size_t n = strcspn(words, " ");

		if (n > k && words[k] == '=' && !strncmp(words, key, k) && nth-- == 0) {
			if (n - k > cap)
				return 0;
			memcpy(out, words + k + 1, n - k - 1);
			out[n - k - 1] = '\0';
			return 1;
		}
		words += n + strspn(words + n, " ");
	}
	return 0;
}

/*
 * Runs `right` on every row of tests/cases/NAME (in the directory AXT_TESTS, else "tests"); prints
 * those that are wrong; returns their number, and the number of rows in *rows.
 */
static inline int
row_all(const char *name, int (*right)(char *f[ROW_COLUMNS], char *got, size_t cap), int *rows)
{
	const char *dir = getenv("AXT_TESTS");
	char path[1024], line[2048], got[4096], *f[ROW_COLUMNS];
	int bad = 0;
	FILE *in;

	*rows = 0;
	snprintf(path, sizeof(path), "%s/cases/%s", dir ? dir : "tests", name);
	in = fopen(path, "r");
	if (!in) {
		print_error("%s: cannot be opened\n", path);
		return 1;
	}
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		++*rows;
		if (row_split(line, '\t', f, ROW_COLUMNS) == ROW_COLUMNS &&
		    right(f, got, sizeof(got)))
			continue;
		bad++;
		print_error("%s %s %s %s: got %s, expected %s\n", f[ROW_ID], f[ROW_OP], f[ROW_IN],
		    f[ROW_PARAMS], got, f[ROW_WANT]);
	}
	fclose(in);
	return bad;
}

#endif
