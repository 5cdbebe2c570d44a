/*
 * guess_near.c - hints about a file that is not there, and about a dataset of another name: the
 * line that was typed, with the file or the dataset that was likely meant.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guess.h"

#define MOST 500 /* names of a directory that are looked at */

static bool
is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Adds a word, with `is` for `was` at its beginning or behind "NAME=". Returns whether it was. */
static bool
put_swapped(const char *w, const char *was, const char *is)
{
	size_t n = strlen(was), before = strcspn(w, "=");
	const char *at = strncmp(w, was, n) == 0 ? w : w[before] == '=' ? w + before + 1 : NULL;
	char text[4096];

	if (!at || strncmp(at, was, n) != 0 || (at[n] && at[n] != ':')) {
		guess_put(w, true);
		return false;
	}
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - w), w, is, at + n);
	guess_put(text, true);
	return true;
}

/* Adds what was typed, with `is` for `was`. NULL: no word has that. */
static const char *
swapped(const char *was, const char *is)
{
	bool any = false;

	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.args.n; i++) {
		int k = i - cmd_st.nwords;
		const char *named = k >= 0 && k < cmd_st.names.n ? cmd_st.names.v[k] : NULL;
		char both[4096];

		snprintf(both, sizeof(both), "%s%s%s", named ? named : "",
		    named && *named ? "=" : "", cmd_st.args.v[i]);
		any |= put_swapped(both, was, is);
	}
	for (int i = 0; i < cmd_st.given.n; i++)
		any |= put_swapped(cmd_st.given.v[i], was, is);
	return any ? guess_text : NULL;
}

static const char *
line_with(const char *was, const char *is)
{
	guess_from("");
	return swapped(was, is);
}

/* --by time.year where --by year,month was typed: the fields of the list get the same axis. */
static void
all_fields(char *hint, size_t size)
{
	const char *typed = NULL, *dot = strchr(hint, '.');
	char text[200] = "--by ";

	for (int i = 0; i < cmd_st.given.n; i++)
		if (strcmp(cmd_st.given.v[i], "--by") == 0 && i + 1 < cmd_st.given.n)
			typed = cmd_st.given.v[i + 1];
		else if (strncmp(cmd_st.given.v[i], "--by=", 5) == 0)
			typed = cmd_st.given.v[i] + 5;
	if (!typed || !dot || !strchr(typed, ','))
		return;
	for (size_t n; *typed; typed += n + (typed[n] == ',')) {
		n = strcspn(typed, ",");
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%.*s%.*s",
		    text[5] ? "," : "", memchr(typed, '.', n) ? 0 : (int)(dot - hint - 4), hint + 5,
		    (int)n, typed);
	}
	snprintf(hint, size, "%s", text);
}

/* For a hint that is one option with its value: the line that was typed, with that option. */
static const char *
with_option(const char *typed)
{
	const struct cmd_list *o = &cmd_st.given;
	char hint[200];
	size_t n = strncmp(typed, "--", 2) == 0 ? strcspn(typed, " =") : 0;
	const char *value = typed + n + 1;
	char name[64];
	bool put = false;

	if (n < 3 || typed[n] != ' ' || n >= sizeof(name) || strlen(typed) >= sizeof(hint) ||
	    (*value != '\'' && strcspn(value, " ABCDEFGHIJKLMNOPQRSTUVWXYZ") < strlen(value)))
		return NULL;
	strcpy(hint, typed);
	snprintf(name, sizeof(name), "%.*s", (int)n - 2, hint + 2);
	if (!guess_has_option(name))
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	if (strcmp(name, "by") == 0)
		all_fields(hint, sizeof(hint));
	for (int i = 0; i < o->n; i++) {
		bool same = strncmp(o->v[i], hint, n) == 0 && strchr("=", o->v[i][n]);

		if (same && put) {
			i += !o->v[i][n];
			continue;
		}
		guess_put(same ? " " : "", false);
		guess_put(same ? hint : o->v[i], !same);
		i += same && !o->v[i][n];
		put = put || same;
	}
	if (!put) {
		guess_put(" ", false);
		guess_put(hint, false);
	}
	return guess_text;
}

/* The hint at axt-concat of two tensors, with all operands and options as they were typed. */
static bool
put_end_to_end(const char *hint)
{
	static const char before[] = "the times do not overlap: axt-concat ";
	char axis[100];
	const char *from = hint + strlen(before);
	bool later;

	if (strncmp(hint, before, strlen(before)) != 0 || cmd_st.unsplit.n > 0 ||
	    strcmp(cmd_st.c->name, "axt-concat") == 0)
		return false;
	for (int i = cmd_st.nwords; i < cmd_st.args.n; i++)
		if (!guess_is_file(cmd_st.args.v[i]))
			return false;
	snprintf(axis, sizeof(axis), "%.*s", (int)strcspn(from, " "), from);
	from += strlen(axis) + 1;
	/* the earlier one is named first there */
	later = cmd_st.args.n - cmd_st.nwords == 2 &&
	    strncmp(from, cmd_st.args.v[cmd_st.nwords],
		strcspn(cmd_st.args.v[cmd_st.nwords], ":")) != 0;
	guess_from("the times do not overlap: axt-concat");
	guess_put(axis, true);
	for (int i = cmd_st.nwords; i < cmd_st.args.n; i++) {
		guess_put_whole(cmd_st.args.v[later ? cmd_st.nwords + cmd_st.args.n - 1 - i : i]);
	}
	for (int i = 0; i < cmd_st.given.n; i++)
		if (strcmp(cmd_st.given.v[i], "-o") == 0 && i + 1 < cmd_st.given.n) {
			guess_put("-o", true);
			guess_put(cmd_st.given.v[i + 1], true);
		}
	guess_put(" joins them", false);
	return true;
}

const char *
cmd_guess_mended(const char *error, const char *hint)
{
	static const char before[] = "did you mean ", no[] = ": no dataset \"";
	const char *at = strstr(error, no), *end = at ? strstr(at, "\" (there are: ") : NULL;
	char was[2048], is[2048], name[1024];
	size_t n = hint ? strlen(hint) : 0;

	if (hint && with_option(hint))
		return guess_text;
	if (hint && put_end_to_end(hint))
		return guess_text;
	if (!end || n < sizeof(before) || strncmp(hint, before, sizeof(before) - 1) != 0 ||
	    hint[n - 1] != '?')
		return NULL;
	snprintf(is, sizeof(is), "%.*s", (int)(n - sizeof(before)), hint + sizeof(before) - 1);
	snprintf(name, sizeof(name), "%.*s", (int)(end - at - (int)sizeof(no) + 1),
	    at + sizeof(no) - 1);
	snprintf(was, sizeof(was), "%.*s:%s", (int)(at - error), error, name);
	if (line_with(was, is))
		return guess_text;
	if (!cmd_st.o.dataset || strcmp(cmd_name(cmd_st.o.dataset), name) != 0 || !strchr(is, ':'))
		return NULL;
	return line_with(name, strchr(is, ':') + 1);
}

/* An address: the line that fetches it, and what was typed, with the file. */
static const char *
fetched(const char *name)
{
	const char *base = strrchr(name, '/') + 1;

	if (strncmp(name, "file://", 7) == 0)
		return is_regular(name + 7) ? line_with(name, name + 7) : NULL;
	guess_from(strncmp(name, "s3:", 3) == 0 ? "aws s3 cp"
		: strncmp(name, "gs:", 3) == 0  ? "gsutil cp"
		: strstr(name, "/dodsC/")       ? "nccopy -k nc4"
						: "curl -fLO");
	if (!*base)
		return NULL;
	guess_put(name, true);
	if (strncmp(guess_text, "curl", 4) != 0)
		guess_put(strstr(name, "/dodsC/") ? base : ".", true);
	guess_put(" && ", false);
	return swapped(name, base);
}

/* A name with "~" or "$NAME" in quotes, which the shell has therefore not replaced. */
static const char *
unexpanded(const char *name)
{
	static char path[4096];
	char variable[256] = "HOME";
	const char *sign = strchr(name, '$'), *value;
	size_t n = 0, brace;

	if (name[0] != '~' && !sign)
		return NULL;
	if (name[0] == '~') {
		sign = name;
		n = 1;
	} else {
		brace = sign[1] == '{';
		n = brace ? strcspn(sign, "}") + 1 : 1;
		while (!brace && sign[n] && !strchr("/.:-", sign[n]))
			n++;
		snprintf(variable, sizeof(variable), "%.*s", (int)(n - 1 - 2 * brace),
		    sign + 1 + brace);
	}
	value = getenv(variable);
	snprintf(path, sizeof(path), "%.*s%s%s", (int)(sign - name), name, value ? value : "",
	    sign + n);
	if (value && cmd_st.o.output && strcmp(cmd_st.o.output, name) == 0 && strchr(path, '/')) {
		static char dir[4096];

		snprintf(dir, sizeof(dir), "%.*s/", (int)(strrchr(path, '/') - path), path);
		return access(dir, W_OK) == 0 ? line_with(name, path) : NULL;
	}
	return value && is_regular(path) ? line_with(name, path) : NULL;
}

/* A link to a file that is not there. */
static const char *
broken_link(const char *name)
{
	char to[2048];
	ssize_t n = readlink(name, to, sizeof(to) - 1);

	if (n <= 0)
		return NULL;
	to[n] = '\0';
	guess_from(cmd_name(name));
	guess_put(" is a link to ", false);
	guess_put(cmd_name(to), false);
	guess_put(", which is not there", false);
	return guess_text;
}

/* FILE/DATASET, FILE,DATASET and FILE#DATASET: a colon stands between them. */
static const char *
other_sign(const char *name)
{
	static char file[4096], both[8192];

	for (const char *p = name + strlen(name); --p > name;) {
		snprintf(file, sizeof(file), "%.*s", (int)(p - name), name);
		if (!strchr("/,#?", *p) || !p[1] || !is_regular(file))
			continue;
		snprintf(both, sizeof(both), *p == ',' && is_regular(p + 1) ? "%s %s" : "%s:%s",
		    file, p + 1);
		if (strchr(both, ' '))
			return NULL;
		return line_with(name, both);
	}
	return NULL;
}

/* A name with a blank that was typed without quotes, from operand i on. */
static const char *
unquoted(int i)
{
	char path[4096];
	int k = i;

	snprintf(path, sizeof(path), "%s", cmd_st.args.v[i]);
	while (++k < cmd_st.args.n && strlen(path) + strlen(cmd_st.args.v[k]) + 2 < sizeof(path)) {
		strcat(strcat(path, " "), cmd_st.args.v[k]);
		if (!guess_is_file(path))
			continue;
		guess_begin();
		for (int j = 0; j < i; j++)
			guess_put(cmd_st.args.v[j], true);
		guess_put(path, true);
		return guess_end(k + 1, -1);
	}
	return NULL;
}

/* 'a.nc b.nc' as one word, with quotes around a list. */
static const char *
several_in_one(int i)
{
	const char *w = cmd_st.args.v[i];
	char one[2048];

	guess_begin();
	for (int k = 0; k < i; k++)
		guess_put(cmd_st.args.v[k], true);
	for (size_t n; *(w += strspn(w, " ")); w += n) {
		n = strcspn(w, " ");
		snprintf(one, sizeof(one), "%.*s", (int)n, w);
		if (!guess_is_file(one))
			return NULL;
		guess_put(one, true);
	}
	return guess_end(i + 1, -1);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a directory, sorted. The caller frees them. */
static int
list(const char *dir, const char *names[MOST])
{
	DIR *d = opendir(dir);
	int n = 0;

	for (const struct dirent *x; d && n < MOST && (x = readdir(d));)
		if (x->d_name[0] != '.' && (names[n] = strdup(x->d_name)))
			n++;
	if (d)
		closedir(d);
	qsort(names, (size_t)n, sizeof(*names), by_name);
	return n;
}

static size_t
stem(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot > name ? (size_t)(dot - name) : strlen(name);
}

/*
 * The name that is the same but for case, or the only one with the same stem, or the nearest; NULL:
 * none.
 */
static const char *
nearest(const char *base, const char *const names[], int n)
{
	const char *same = NULL;
	int stems = 0;

	for (int i = 0; i < n; i++)
		if (strcasecmp(names[i], base) == 0)
			return names[i];
	for (int i = 0; i < n; i++)
		if (stem(names[i]) == stem(base) && strncmp(names[i], base, stem(base)) == 0) {
			same = names[i];
			stems++;
		}
	return stems == 1 ? same : axt_nearest_word(base, names, n);
}

/* Another name that is as near as the nearest; NULL: there is none. */
static const char *
as_near(const char *base, const char *near, const char *const names[], int n)
{
	static const char *rest[MOST];
	const char *both[2] = { NULL, near };
	int k = 0;

	if (axt_nearest_word(base, names, n) != near)
		return NULL;
	for (int i = 0; i < n; i++)
		if (names[i] != near)
			rest[k++] = names[i];
	both[0] = axt_nearest_word(base, rest, k);
	return both[0] && axt_nearest_word(base, both, 2) == both[0] ? both[0] : NULL;
}

/* Whether the name is that of a table of text. */
static bool
is_text(const char *name)
{
	return guess_ends_with(name, ".csv") || guess_ends_with(name, ".tsv") ||
	    guess_ends_with(name, ".txt");
}

bool
guess_other_digits(const char *a, const char *b)
{
	bool differ = false;

	for (; *a && *b && (*a == *b || (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)));
	     a++, b++)
		differ = differ || *a != *b;
	return differ && !*a && !*b;
}

/* Whether what stands before the same ending is near as well, or begins alike. */
static bool
near_stems(const char *a, const char *b)
{
	char s[1024], t[1024];
	const char *one = t;
	size_t n = stem(a), m = stem(b);

	if (strcasecmp(a + n, b + m) != 0 || strncasecmp(a, b, n < m ? n : m) == 0)
		return true;
	snprintf(s, sizeof(s), "%.*s", (int)n, a);
	snprintf(t, sizeof(t), "%.*s", (int)m, b);
	return axt_nearest_word(s, &one, 1) != NULL;
}

/* Whether the file has the dataset, if that is a name or a path and nothing else. */
static bool
has_dataset(const char *path, const char *dataset)
{
	struct axt_graph *g;
	const char *const *operands, *const *paths;
	bool found = false;
	int n, tensors, texts;

	if (!*dataset || strpbrk(dataset, "*?[,.@\\") || dataset[strlen(dataset) - 1] == '/')
		return true;
	dataset += *dataset == '/';
	g = axt_graph_new();
	n = g ? axt_names(g, path, &operands, &paths, &tensors, &texts) : 0;
	for (int i = 0; i < n; i++) {
		const char *last = strrchr(paths[i], '/');

		found = found || strcmp(paths[i], dataset) == 0 ||
		    strcmp(last ? last + 1 : paths[i], dataset) == 0;
	}
	axt_graph_free(g);
	return found;
}

/* Whether the file has each dataset that was typed behind the name. */
static bool
has_typed(const char *path, const char *name)
{
	size_t n = strlen(name);

	for (int i = 0; i < cmd_st.args.n + cmd_st.given.n; i++) {
		const char *w = i < cmd_st.args.n ? cmd_st.args.v[i]
						  : cmd_st.given.v[i - cmd_st.args.n];

		if (strncmp(w, name, n) == 0 && w[n] == ':' && !has_dataset(path, w + n + 1))
			return false;
	}
	return true;
}

/*
 * Puts the names of files in `dir` first that may have been meant by `name`, of which `base` is the
 * last part; how many they are. One of several that differ from it by their digits is another file.
 */
static int
plausible(const char *dir, const char *name, const char *base, const char *names[], int n)
{
	static char path[8192];
	int series = 0, m = 0;

	for (int i = 0; i < n; i++)
		series += guess_other_digits(base, names[i]);
	for (int i = 0; i < n; i++) {
		const char *x = names[i], *one = x;
		bool near = axt_nearest_word(base, &one, 1) && near_stems(base, x);

		if ((series > 1 && guess_other_digits(base, x)) ||
		    (!near && strncasecmp(x, base, stem(base)) != 0))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, x);
		if (strchr(base, '.') && is_regular(path) && !is_text(path) &&
		    !has_typed(path, name))
			continue;
		names[i] = names[m];
		names[m++] = x;
	}
	return m;
}

/* A pattern that no name fits: what there is with the same ending. */
static const char *
no_match(const char *dir, const char *base, const char *const names[], int n)
{
	const char *end = strrchr(base, '.'), *sep = "";
	int some = 0;

	if (!end || strpbrk(end, "*?[]"))
		return NULL;
	guess_from("");
	for (int i = 0; i < n; i++)
		if (guess_ends_with(names[i], end) && some++ < 4) {
			guess_put(sep, false);
			guess_put(names[i], false);
			sep = ", ";
		}
	if (some == 0) {
		guess_put("no name in ", false);
		guess_put(strcmp(dir, ".") == 0 ? "this directory" : cmd_name(dir), false);
		guess_put(" ends in ", false);
		guess_put(end, false);
		return guess_text;
	}
	guess_put(some > 4 ? "... are there" : some > 1 ? " are there" : " is there", false);
	return guess_text;
}

/* The line that makes the file of the one with the same stem, which is text. */
static const char *
made_of_text(const char *name, const char *text)
{
	guess_from("axt-from");
	guess_put(text, true);
	guess_put("-o", true);
	guess_put(name, true);
	guess_put(" makes it of the text", false);
	return guess_text;
}

/* A file of a near name, in the directory of this one or in the current one. */
static const char *
near_file(const char *name)
{
	static char dir[4096], path[8192];
	static const char *names[MOST];
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *near;
	const char *hint = NULL;
	struct stat st;
	int n, all;

	snprintf(dir, sizeof(dir), "%.*s", (int)(slash > name ? slash - name : 1),
	    slash ? name : ".");
	if (slash && is_regular(base))
		return line_with(name, base);
	if (stat(dir, &st) != 0) {
		guess_from("there is no directory ");
		guess_put(cmd_name(dir), false);
		return guess_text;
	}
	n = all = list(dir, names);
	if (!strpbrk(base, "*?["))
		n = plausible(dir, name, base, names, n);
	if (strpbrk(base, "*?[")) {
		hint = no_match(dir, base, names, n);
	} else if ((near = nearest(base, names, n))) {
		snprintf(path, sizeof(path), "%s%s%s", slash ? dir : "",
		    slash && slash > name ? "/" : "", near);
		for (int i = 0; i < cmd_st.args.n; i++)
			path[0] = strcmp(cmd_st.args.v[i], path) == 0 ? '\0' : path[0];
		if (is_regular(path) && stem(path) == stem(name) && is_text(path) && !is_text(name))
			hint = made_of_text(name, path);
		else
			hint = is_regular(path) ? line_with(name, path) : NULL;
		if (hint && (near = as_near(base, near, names, n))) {
			snprintf(path, sizeof(path), "%s%s%s", slash ? dir : "",
			    slash && slash > name ? "/" : "", near);
			guess_put("  or  ", false);
			hint = is_regular(path) ? swapped(name, path) : hint;
		}
	}
	while (all > 0)
		free((char *)names[--all]);
	return hint;
}

bool
guess_is_pattern(const char *w)
{
	const char *end = strrchr(w, '.');

	return end && strpbrk(w, "*?[") && !strchr(w, ' ') && end[1] > '9' && !strpbrk(end, "*?[/");
}

const char *
guess_near_file(const char *error)
{
	static const char *const kinds[] = { ": No such file", ": Not a directory",
		": is an address" };
	const char *end = NULL, *hint;
	char name[2048];
	int i = guess_not_there(error);

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && !end; k++)
		end = strstr(error, kinds[k]);
	if (!end || end == error)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)(end - error), error);
	if (strstr(name, "://"))
		return fetched(name);
	if (i >= 0 && strchr(name, ' ') && (hint = several_in_one(i)))
		return hint;
	if ((hint = broken_link(name)) || (hint = unexpanded(name)) || (hint = other_sign(name)) ||
	    (i >= 0 && (hint = unquoted(i))))
		return hint;
	return near_file(name);
}
