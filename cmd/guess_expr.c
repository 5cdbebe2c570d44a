/*
 * guess_expr.c - hints of axt-calc: the expression as it was most likely meant, with the operands
 * it needs. A line is shown only if its expression can be read with its operands.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "guess.h"

#define OPERANDS 60

/* The operands of a line, with their names, opened on a graph of their own. */
struct tried {
	struct axt_graph *g;
	const char *name[OPERANDS];
	struct axt_expr *e[OPERANDS];
	int n;
	struct cmd_list copies; /* of names that are parts of words */
};

static bool
add(struct tried *t, const char *name, const char *operand)
{
	struct axt_open_opts o = cmd_open_opts(t->g);

	for (int i = 0; i < t->n; i++)
		if (strcmp(t->name[i], name) == 0)
			return true;
	if (t->n == OPERANDS)
		return true;
	t->name[t->n] = name;
	t->e[t->n++] = axt_open_text(t->g, operand, &o);
	return axt_graph_error(t->g) == NULL;
}

static bool
is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether another dataset of the n has the same name, in another group. */
static bool
several(const char *const *paths, int n, int k)
{
	const char *slash = strrchr(paths[k], '/'), *s;

	for (int i = 0; i < n && slash; i++) {
		s = strrchr(paths[i], '/');
		if (i != k && strcmp(s ? s + 1 : paths[i], slash + 1) == 0)
			return true;
	}
	return false;
}

/*
 * Opens what the word "NAME=OPERAND" or "FILE" means; false: it cannot be opened. A dataset in a
 * group is there by its path, and by its name if it alone has it.
 */
static bool
open_word(struct tried *t, const char *word)
{
	const char *const *operands, *const *paths, *slash, *eq = strchr(word, '=');
	struct cmd_list *c = &t->copies;
	char path[4096];
	int n, tensors, texts;
	bool good = true;

	if (eq && !memchr(word, '/', (size_t)(eq - word))) {
		cmd_add_copy(c, word, (size_t)(eq - word));
		return add(t, c->v[c->n - 1], eq + 1);
	}
	if (!guess_is_file(word))
		return false;
	n = axt_names(t->g, word, &operands, &paths, &tensors, &texts);
	for (int k = 0; k < n && good; k++) {
		bool plain = true;

		slash = strrchr(paths[k], '/');
		for (const char *p = slash ? slash + 1 : paths[k]; *p; p++)
			plain = plain && is_part_of_name(*p);
		good = !plain || several(paths, n, k) ||
		    add(t, slash ? slash + 1 : paths[k], operands[k]);
		if ((slash || !plain) && good) {
			snprintf(path, sizeof(path), "/%s", paths[k]);
			cmd_add_copy(c, path, strlen(path));
			good = add(t, c->v[c->n - 1], operands[k]);
		}
	}
	return n > 0 && good;
}

/*
 * The expression, or the one that was meant by it, if it can be read with the operands; else NULL.
 * same: it may be the one that was typed.
 */
static const char *
tried(const char *expr, const char *const *words, int n, bool same)
{
	static char text[1024];
	struct tried t = { .g = axt_graph_new() };
	struct axt_expr *out[OPERANDS];
	const char *s = NULL;
	bool good = t.g != NULL;

	for (int i = 0; i < n && good; i++)
		good = open_word(&t, words[i]);
	if (good && axt_calc(t.g, expr, t.name, t.e, t.n, out, OPERANDS) > 0)
		s = same ? expr : NULL;
	else if (good)
		s = axt_calc_mended(t.g, expr, t.name, t.e, t.n);
	if (s)
		s += strspn(s, " ");
	if (s && strlen(s) < sizeof(text))
		memmove(text, s, strlen(s) + 1);
	else
		s = NULL;
	for (char *p = text; s && *p; p++) /* the line has ' around it */
		*p = *p == '\'' ? '"' : *p;
	axt_graph_free(t.g);
	cmd_free_copies(&t.copies);
	return s ? text : NULL;
}

/* The line with an expression and operands in place of those that were typed. */
static const char *
line(const char *expr, const char *const *words, int n)
{
	if (!expr)
		return NULL;
	guess_begin();
	guess_put(" '", false);
	guess_put(expr, false);
	guess_put("'", false);
	for (int i = 0; i < n; i++)
		guess_put(words[i], true);
	return guess_end(cmd_st.args.n, -1);
}

/*
 * The next name in the text that is a value and neither a function nor a key; *n: its length. NULL:
 * there is none.
 */
static const char *
next_value(const char *text, const char *s, size_t *n)
{
	static const char *const own[] = { "and", "or", "not", "pi", "inf", "nan", "true",
		"false" };
	int depth = 0;

	for (const char *p = text; *p; p += *n) {
		const char *after;
		bool word = isalpha((unsigned char)*p) || *p == '_', taken = false;

		*n = 1;
		depth += (*p == '[') - (*p == ']');
		if (!word && !isdigit((unsigned char)*p))
			continue;
		while (is_part_of_name(p[*n]))
			(*n)++;
		after = p + *n + strspn(p + *n, " ");
		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
			taken = taken || (strlen(own[i]) == *n && strncmp(p, own[i], *n) == 0);
		if (!word || p < s || depth > 0 || taken || *after == '(' || *after == '.' ||
		    (after[0] == '=' && after[1] != '=') ||
		    (p > text && (p[-1] == '.' || p[-1] == '=' || p[-1] == '\'' || p[-1] == '"')))
			continue;
		return p;
	}
	return NULL;
}

/* Writes the first tensor of a file that has several; false, and "": it has one, or is named. */
static bool
first_of(const char *file, char *name, size_t size)
{
	struct axt_graph *g = strchr(file, ':') ? NULL : axt_graph_new();
	const char *const *names = g ? axt_tensors(g, file) : NULL;
	bool several = names && *names && names[1];

	snprintf(name, size, "%s", several ? *names + (**names == '/') : "");
	axt_graph_free(g);
	return several;
}

/*
 * An expression that has as many names as there are operands without one: the names are given to
 * the operands in their order. So are a, b and so on where one name stands for tensors of several
 * files, as often as there are files.
 */
static const char *
named_in_order(const char *expr, const char *error)
{
	const char *const *words = cmd_st.args.v + 1;
	const char *p = expr, *at[26];
	size_t n, len[26];
	int files = cmd_st.args.n - 1, count = 0;
	static char pairs[26][600];
	char text[1024] = "", name[256];
	const char *both[26];
	bool alike = strstr(error, "NAME=OPERAND gives one a name") != NULL;

	if (files < 1 || files > 26)
		return NULL;
	for (; (p = next_value(expr, p, &n)); p += n) {
		bool again = false;

		for (int i = 0; i < count; i++)
			again = again || (len[i] == n && strncmp(at[i], p, n) == 0);
		if (again != (alike && count > 0))
			continue;
		if (count == files)
			return NULL;
		at[count] = p;
		len[count++] = n;
	}
	if (count != files)
		return NULL;
	if (files == 1 && count == 1 && strchr(words[0], ':')) {
		snprintf(pairs[0], sizeof(pairs[0]), "%.*s", (int)len[0], at[0]);
		snprintf(pairs[1], sizeof(pairs[1]), "%.*s", (int)strcspn(words[0], ":"), words[0]);
		both[0] = pairs[1];
		if (guess_has_tensor(pairs[1], pairs[0])) /* another tensor of the file is meant */
			return line(expr, both, 1);
	}
	for (int i = 0; i < files; i++) {
		if (!guess_is_file(words[i]))
			return NULL;
		if (alike)
			snprintf(pairs[i], sizeof(pairs[i]), "%c=%s%s%.*s", 'a' + i, words[i],
			    strchr(words[i], ':') ? "" : ":",
			    strchr(words[i], ':') ? 0 : (int)len[i], at[i]);
		else
			snprintf(pairs[i], sizeof(pairs[i]), "%.*s=%s%s%s", (int)len[i], at[i],
			    words[i], first_of(words[i], name, sizeof(name)) ? ":" : "", name);
		both[i] = pairs[i];
	}
	for (int i = 0; i < files && alike; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s%c",
		    (int)(at[i] - (i ? at[i - 1] + len[i - 1] : expr)),
		    i ? at[i - 1] + len[i - 1] : expr, 'a' + i);
	if (alike)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
		    at[files - 1] + len[files - 1]);
	/* what else is wrong with it is told when the line of the hint is tried */
	return line(alike ? tried(text, both, files, true) : expr, both, files);
}

/* The length of FILE or FILE:DATASET at s, if the file is there; 0: other text. */
static size_t
file_at(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-");
	char path[600];
	struct stat st;

	for (; n > 2; n--) {
		snprintf(path, sizeof(path), "%.*s", (int)n, s);
		if (memchr(s, '.', n) && stat(path, &st) == 0 && S_ISREG(st.st_mode))
			break;
	}
	if (n <= 2)
		return 0;
	if (s[n] != ':')
		return n;
	n++;
	while (is_part_of_name(s[n]) || s[n] == '/')
		n++;
	return n;
}

/* Files in the expression: they become operands a, b and so on. FILE[DATASET] is one, too. */
static const char *
files_inside(const char *expr)
{
	static char words[26][600];
	char text[1024] = "";
	const char *all[26];
	int n = 0;
	size_t len;

	for (const char *s = expr; *s; s += len) {
		char one[600];
		int i = 0;

		len = s > expr && is_part_of_name(s[-1]) ? 0 : file_at(s);
		if (strlen(text) + 3 > sizeof(text) || len > 500)
			return NULL;
		if (len == 0) {
			len = 1;
			snprintf(text + strlen(text), 2, "%c", *s);
			continue;
		}
		snprintf(one, sizeof(one), "%.*s", (int)len, s);
		if (s[len] == '[' && !strchr(one, ':')) {
			const char *from = s + len + 1 + strspn(s + len + 1, "\"'");
			size_t k = strcspn(from, "\"']");
			char name[256];

			snprintf(name, sizeof(name), "%.*s", (int)k, from);
			if (guess_has_tensor(one, name) && strchr(from, ']')) {
				snprintf(one + strlen(one), sizeof(one) - strlen(one), ":%s", name);
				len = (size_t)(strchr(from, ']') + 1 - s);
			}
		}
		while (i < n && strcmp(words[i] + 2, one) != 0)
			i++;
		if (i == 26)
			return NULL;
		if (i == n) {
			snprintf(words[n], sizeof(words[n]), "%c=%.590s", 'a' + n, one);
			all[n] = words[n];
			n++;
		}
		snprintf(text + strlen(text), 2, "%c", 'a' + i);
	}
	if (n == 0 || n + cmd_st.args.n - 1 > 26)
		return NULL;
	if (strcmp(text, "a") == 0 && !strchr(words[0], ':'))
		return NULL; /* the expression is missing */
	for (int i = 1, inside = n; i < cmd_st.args.n; i++) {
		bool same = false; /* the file is in the expression already */

		for (int k = 0; k < inside; k++)
			same = same ||
			    strncmp(words[k] + 2, cmd_st.args.v[i], strlen(cmd_st.args.v[i])) == 0;
		if (!same)
			all[n++] = cmd_st.args.v[i];
	}
	return line(tried(text, all, n, true), all, n);
}

/*
 * How many operands from the i-th on are what the shell makes of "*"; 0: they are something else.
 */
static int
expanded(int i)
{
	DIR *d = opendir(".");
	const struct dirent *e;
	struct stat st;
	int files = 0;

	while (d && (e = readdir(d)))
		files += e->d_name[0] != '.';
	if (d)
		closedir(d);
	if (files == 0 || cmd_st.args.n - i <= files)
		return 0;
	for (int k = i; k < i + files; k++)
		if (strchr(cmd_st.args.v[k], '/') || stat(cmd_st.args.v[k], &st) != 0)
			return 0;
	return files;
}

/* An expression without quotes around it, which is several words: tas * 2 a.nc. */
static const char *
unquoted(void)
{
	char text[1024];
	const struct cmd_list *a = &cmd_st.args;
	int k = 1, n;

	if (a->n < 2)
		return NULL;
	snprintf(text, sizeof(text), "%s", a->v[0]);
	for (; k < a->n && (k == 1 || !guess_is_file(a->v[k]) || expanded(k)); k += n) {
		const char *w = a->v[k];

		n = expanded(k);
		if (n == 0 && guess_is_file(w))
			break;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", n ? "*" : w);
		n = n ? n : 1;
	}
	return k == 1 ? NULL : line(tried(text, a->v + k, a->n - k, true), a->v + k, a->n - k);
}

static bool
is_function(const char *word)
{
	const char *name, *about;

	for (int i = 0; axt_calc_function(i, &name, &about); i++)
		if (strcmp(name, word) == 0)
			return true;
	return false;
}

static const char *
meant(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *expr = a->n > 0 ? a->v[0] : "", *guess;

	if (strcmp(cmd_st.c->name, "axt-calc") != 0 || a->n == 0)
		return NULL;
	guess = line(tried(expr, a->v + 1, a->n - 1, false), a->v + 1, a->n - 1);
	if (!guess && a->n > 1)
		guess = unquoted();
	if (!guess)
		guess = files_inside(expr);
	if (!guess &&
	    (strstr(error, "the expression has none of the names") ||
		strstr(error, "NAME=OPERAND gives one a name")))
		guess = named_in_order(expr, error);
	if (!guess) { /* lambda, import: an expression is another kind of thing */
		static char text[500];
		char word[40];

		snprintf(word, sizeof(word), "%.*s",
		    (int)strspn(expr, "abcdefghijklmnopqrstuvwxyz_"), expr);
		if (!is_function(word) && axt_foreign_line(word, text, sizeof(text)) &&
		    strstr(text, "axt-calc"))
			guess = text;
	}
	return guess;
}

const char *
guess_expression(const char *error)
{
	struct cmd_list split = cmd_st.args;
	const char *guess;

	if (cmd_st.unsplit.n > 0)
		cmd_st.args = cmd_st.unsplit;
	guess = meant(error);
	cmd_st.args = split;
	return guess;
}
