/*
 * advice_look.c - finds out what the words of a line are: files that exist, their axes and tensors,
 * and names that are similar to others. It reads what describes files, but no values.
 */
#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "advice.h"

enum { MOST_TENSORS = 40, MOST_NAMES = 500 };

const char *
advice_path(const char *word)
{
	return advice_text("%.*s", (int)strcspn(word, ":"), word);
}

bool
advice_is_file(const char *word)
{
	char path[4096];
	struct stat st;

	snprintf(path, sizeof(path), "%.*s", (int)strcspn(word, ":"), word);
	return stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
	    strpbrk(path, "./");
}

bool
advice_has(const struct cmd_list *list, const char *word)
{
	word += *word == '/'; /* of a tensor in a group, the path is told with it or without */
	for (int i = 0; i < list->n; i++)
		if (strcmp(list->v[i] + (*list->v[i] == '/'), word) == 0)
			return true;
	return false;
}

/*
 * Whether a name from a file may stand in a line that is tried. It may only have characters without
 * a meaning in command lines, so that a file cannot bring in options or other words.
 */
static bool
is_plain(const char *name)
{
	if (*name == '-' || !*name)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < 0x80 && !isalnum((unsigned char)*name) &&
		    !strchr("_./-+ ", *name))
			return false;
	return true;
}

/* Words that mean axes by what these are, whatever their names. */
static const char *const usual[] = { "lat", "lon", "time", "lev" };

static void
add_axes(struct advice_file *f, const char *operand)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = g ? axt_open_text(g, operand, &(struct axt_open_opts){ 0 })
				     : NULL;
	struct axt_values units;

	for (size_t k = 0; g && !axt_graph_error(g) && k < sizeof(usual) / sizeof(usual[0]); k++) {
		int i = axt_axis_meant(e, usual[k]);

		if (i >= 0 && !f->meant[k] && is_plain(axt_expr_axis(e, i)))
			f->meant[k] = advice_text("%s", axt_expr_axis(e, i));
	}
	if (g && !axt_graph_error(g) && !f->units && axt_expr_attr(e, NULL, "units", &units) &&
	    units.dtype == AXT_DTYPE_AUTO && units.n == 1)
		f->units = advice_text("%s", *(const char *const *)units.data);
	for (int i = 0; g && !axt_graph_error(g) && i < axt_expr_rank(e); i++)
		if (!advice_has(&f->axes, axt_expr_axis(e, i)) && is_plain(axt_expr_axis(e, i)))
			cmd_add_copy(&f->axes, axt_expr_axis(e, i), SIZE_MAX);
	axt_graph_free(g);
}

static void
look(struct advice_file *f)
{
	struct axt_graph *g = axt_graph_new();
	size_t n = strcspn(f->word, ":");
	const char *file = advice_text("%.*s", (int)n, f->word);
	const char *const *names = g ? axt_tensors(g, file) : NULL;

	for (int i = 0; names && names[i] && i < MOST_TENSORS; i++) {
		const char *name = names[i] + (names[i][0] == '/' && !strchr(names[i] + 1, '/'));

		if (!is_plain(name))
			continue;
		cmd_add_copy(&f->tensor, name, SIZE_MAX);
		if (!f->word[n] || strpbrk(f->word + n, "*?["))
			add_axes(f, advice_text("%s:%s", file, name));
	}
	if (f->word[n] && !strpbrk(f->word + n, "*?["))
		add_axes(f, f->word);
	axt_graph_free(g);
}

const struct advice_file *
advice_look(const char *word)
{
	static struct advice_file *seen[64];
	static int n;

	for (int i = 0; i < n; i++)
		if (strcmp(seen[i]->word, word) == 0)
			return seen[i];
	if (n == 64)
		return seen[0];
	seen[n] = cmd_kept(sizeof(*seen[n]));
	seen[n]->word = word;
	if (advice_is_file(word))
		look(seen[n]);
	return seen[n++];
}

/* What of a word names a file: what is behind NAME= or AXIS@ of a spec, or all of it. */
static const char *
file_in(const char *word)
{
	const char *sign = strpbrk(word, "=@");

	return !advice_is_file(word) && sign && advice_is_file(sign + 1) ? sign + 1 : word;
}

const struct advice_file *
advice_first_file(const struct advice_line *l)
{
	const struct advice_file *any = NULL;

	for (const struct advice_line *k = l; k; k = k->from)
		for (int i = 1; i < k->n; i++) {
			const struct advice_file *f;

			if (k->part[i] != ADVICE_OPERAND || !advice_is_file(file_in(k->v[i])))
				continue;
			f = advice_look(file_in(k->v[i]));
			if (f->axes.n > 0)
				return f;
			any = any ? any : f;
		}
	return any;
}

bool
advice_is_axes(const struct advice_line *l, const char *word)
{
	char name[200];

	for (size_t n; *word; word += n + (word[n] == ',')) {
		bool has = false;

		n = strcspn(word, ",");
		snprintf(name, sizeof(name), "%.*s", (int)n, word);
		for (int i = 1; i < l->n && !has; i++)
			has = l->part[i] == ADVICE_OPERAND && advice_is_file(file_in(l->v[i])) &&
			    advice_has(&advice_look(file_in(l->v[i]))->axes, name);
		if (!has)
			return false;
	}
	return true;
}

/* Names of the same thing, in lists. */
static const char *const same[] = { "lat latitude y nav_lat yc rlat Y",
	"lon longitude x nav_lon xc rlon X", "time t T record step",
	"lev level plev depth z height pressure Z alt altitude",
	"member ens ensemble realization run" };

static bool
are_same(const char *a, const char *b)
{
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (axt_has_word(same[i], a) && axt_has_word(same[i], b))
			return true;
	return false;
}

static char *
lower(const char *s)
{
	char *t = strdup(s);

	if (!t)
		cmd_oom();
	for (char *p = t; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return t;
}

const char *
advice_axis(const struct advice_file *f, const char *word)
{
	const char *name = advice_meant(&f->axes, word);

	for (size_t k = 0; !name && k < sizeof(usual) / sizeof(usual[0]); k++)
		if (f->meant[k] && (strcmp(usual[k], word) == 0 || are_same(usual[k], word)))
			name = f->meant[k];
	return name;
}

/* Of what has one of these, a name is only a part, and the others mean something, too. */
static const char more_than_names[] = " ,:+()[]{}\"'<>=!&|";

const char *
advice_meant(const struct cmd_list *list, const char *word)
{
	char *w = lower(word);
	const char *found = NULL, *last;
	size_t n = strlen(word);

	for (int i = 0; i < list->n && !found; i++) {
		last = strrchr(list->v[i], '/');
		if (strcasecmp(list->v[i], word) == 0 ||
		    strcasecmp(last ? last + 1 : "", word) == 0)
			found = list->v[i];
	}
	for (int i = 0; i < list->n && !found && !strpbrk(word, more_than_names); i++) {
		char *name = lower(list->v[i]);

		if (are_same(name, w) ||
		    (n > 2 &&
			(strncmp(name, w, n) == 0 ||
			    (strlen(name) > 2 && strncmp(w, name, strlen(name)) == 0))))
			found = list->v[i];
		free(name);
	}
	if (!found && !strpbrk(word, more_than_names))
		found = axt_nearest_word(word, list->v, list->n);
	/* a letter stands for the name that alone begins with it */
	for (int i = 0; i < list->n && n == 1 && !found; i++)
		if (strncasecmp(list->v[i], word, 1) == 0)
			found = list->v[i];
	free(w);
	return found && strcmp(found, word) != 0 ? found : NULL;
}

/* Whether names differ by digits alone, as run01.nc and run02.nc. */
static bool
other_digits(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(isdigit((unsigned char)*a) && isdigit((unsigned char)*b)))
			return false;
	return *a == *b;
}

/* The names of files in the directory of the path, with that, in order. */
static const struct cmd_list *
beside(const char *path)
{
	static struct cmd_list names;
	const char *slash = strrchr(path, '/');
	const char *dir = slash ? advice_text("%.*s", (int)(slash + 1 - path), path) : "";
	DIR *d = opendir(*dir ? dir : ".");
	struct dirent *e;

	names.n = 0;
	while (d && (e = readdir(d)) && names.n < MOST_NAMES)
		if (e->d_name[0] != '.' && advice_is_file(advice_text("%s%s", dir, e->d_name)))
			cmd_add(&names, advice_text("%s%s", dir, e->d_name));
	if (d)
		closedir(d);
	cmd_sort(&names); /* the order of a directory is any */
	return &names;
}

int
advice_distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	int row[257], diagonal, above;

	if (n > 256)
		return 99;
	for (size_t j = 0; j <= n; j++)
		row[j] = (int)j;
	for (int i = 1; a[i - 1]; i++) {
		diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			above = row[j];
			row[j] = diagonal +
			    (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
			row[j] = above + 1 < row[j] ? above + 1 : row[j];
			row[j] = row[j - 1] + 1 < row[j] ? row[j - 1] + 1 : row[j];
			diagonal = above;
		}
	}
	return row[n];
}

const char *
advice_matching_file(const char *pattern, int i)
{
	const struct cmd_list *names = beside(pattern);
	const char *path = advice_path(pattern);

	for (int k = 0; k < names->n; k++)
		if (fnmatch(path, names->v[k], 0) == 0 && i-- == 0)
			return advice_text("%s%s", names->v[k], pattern + strlen(path));
	return NULL;
}

const char *
advice_near_file(const char *word, int i)
{
	const char *path = advice_path(word);
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const struct cmd_list *names = beside(path);
	const char *near = axt_nearest_word(path, names->v, names->n);
	size_t stem = strcspn(base, ".") + (size_t)(base - path);

	if (slash && strlen(base) > 0 && advice_is_file(base) && i-- == 0)
		return base;
	/* of a short name, another letter is another name */
	bool good = near && !other_digits(near, path) &&
	    3 * (size_t)advice_distance(near, path) <= stem - (size_t)(base - path);

	if (good && i-- == 0)
		return near;
	for (int k = 0; k < names->n && stem > (size_t)(base - path); k++) {
		const char *s = names->v[k];
		bool same_stem = strncasecmp(s, path, stem) == 0 && (s[stem] == '.' || !path[stem]);
		bool begins = strncmp(s, path, stem) == 0 && isdigit((unsigned char)s[stem]);

		if (!(good && s == near) &&
		    (same_stem || begins ||
			(stem - (size_t)(base - path) > 3 && other_digits(s, path))) &&
		    i-- == 0)
			return s;
	}
	return NULL;
}
