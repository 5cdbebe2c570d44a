/*
 * named.c - what a word names: a number, a file, a dataset of a file, or a field of its times.
 * Everything that takes an operand calls these functions, so that a word means the same everywhere.
 */
#include <fnmatch.h>

#include "inputs/inputs.h"

int
axt_named_words(struct axt_graph *g, const char *word, const char *dataset, struct axt_named *x)
{
	*x = (struct axt_named){ .word = word };
	if (g->err.code || axt_operand_split(g->m, word, &x->file, &x->name, &g->err))
		return g->err.code;
	x->name = x->name ? x->name : dataset;
	return 0;
}

int
axt_named_file(struct axt_graph *g, struct axt_named *x)
{
	if (!x->f)
		x->f = axt_open_file(g, x->file);
	return x->f ? 0 : (int)g->err.code;
}

int
axt_named_dataset(struct axt_graph *g, struct axt_named *x)
{
	if (axt_named_file(g, x))
		return g->err.code;
	if (axt_file_find(g->m, x->f, x->name, &x->d, &g->err) ||
	    axt_dset_load(g->m, x->f, x->d, &g->err))
		axt_calendar_hint(g, x->f, x->name);
	return g->err.code;
}

int
axt_named_values(struct axt_graph *g, struct axt_named *x)
{
	if (axt_named_file(g, x))
		return g->err.code;
	return axt_is_calendar(x->f, x->name) ? 0 : axt_named_dataset(g, x);
}

int
axt_named_operand(struct axt_graph *g, const char *word, const struct axt_open_opts *o,
    struct axt_named *x)
{
	*x = (struct axt_named){ .word = word };
	if (g->err.code)
		return g->err.code;
	g->stale = o->stale;
	if (axt_is_number(word))
		return 0;
	return axt_named_words(g, word, o->dataset, x) || axt_named_values(g, x) ? (int)g->err.code
										 : 0;
}

/* ---- several tensors by a pattern ---- */

/* The path of a dataset without the first slash, and with its name instead of that of the link. */
static const char *
clean_path(struct axt_graph *g, const struct axt_dset *d)
{
	return axt_sprintf(g->m, "%.*s%s", (int)(axt_last_part(d->path) - d->path) - 1, d->path + 1,
	    d->name);
}

static bool
fits(const char *pattern, const char *path, const char *name)
{
	if (pattern[0] == '/')
		return fnmatch(pattern + 1, path, 0) == 0;
	return fnmatch(pattern, path, 0) == 0 ||
	    (!strchr(pattern, '/') && fnmatch(pattern, name, 0) == 0);
}

/*
 * Moves *pattern behind its first part, up to a comma, and returns a copy of that; NULL: no part.
 */
static const char *
next_part(struct axt_graph *g, const char **pattern)
{
	size_t n = strcspn(*pattern, ",");
	const char *part = **pattern ? axt_strndup(g->m, *pattern, n) : NULL;

	*pattern += n + ((*pattern)[n] == ',');
	return part;
}

bool
axt_pattern_fits(struct axt_graph *g, const char *pattern, const struct axt_dset *d)
{
	const char *path = clean_path(g, d), *part;

	while (path && (part = next_part(g, &pattern)))
		if (fits(part, path, d->name))
			return true;
	return false;
}

const char *
axt_pattern_misfit(struct axt_graph *g, const char *pattern, const struct axt_file *f, bool tensors)
{
	const char *part;
	bool found = true;

	while (found && (part = next_part(g, &pattern))) {
		found = false;
		for (int i = 0; i < f->ndsets && !found; i++)
			found = (!tensors || f->dsets[i].role == AXT_ROLE_TENSOR) &&
			    axt_pattern_fits(g, part, &f->dsets[i]);
	}
	return found ? NULL : part;
}

const char *
axt_pattern(struct axt_graph *g, const struct axt_named *x)
{
	const char *p = x->name ? x->name : "*";

	if (*p && p[strlen(p) - 1] == '/') /* a group */
		p = axt_sprintf(g->m, "%s*", p);
	return p && strpbrk(p, "*?[,") ? p : NULL;
}

/* Whether a dataset has that very name or path, whatever characters are in it. */
static bool
is_name(const struct axt_file *f, const char *name)
{
	for (int i = 0; i < f->ndsets; i++)
		if (strcmp(f->dsets[i].name, name) == 0 ||
		    strcmp(f->dsets[i].path + (name[0] != '/'), name) == 0)
			return true;
	return false;
}

/* The path with a backslash before what would be read as something else. */
static const char *
as_typed(struct axt_graph *g, const char *path)
{
	char *out = axt_alloc(g->m, 2 * strlen(path) + 1), *p = out;

	for (; out && *path; path++) {
		if (strchr(",=:*^@[]\\", *path))
			*p++ = '\\';
		*p++ = *path;
	}
	return out;
}

/*
 * Lists the tensors that fit the pattern, *tensors of them; NULL: all tensors, then all else that
 * has numbers, such as coordinates. Returns how many, or -1.
 */
static int
list_fitting(struct axt_graph *g, const struct axt_named *x, const char *pattern,
    const char ***operands, const char ***paths, int *tensors)
{
	size_t bytes = (size_t)(x->f->ndsets + 1) * sizeof(char *);
	const char **o = axt_alloc(g->m, bytes), **p = axt_alloc(g->m, bytes);
	int n = 0;

	*tensors = 0;
	for (int i = 0; o && p && i < (pattern ? 1 : 2) * x->f->ndsets; i++) {
		const struct axt_dset *d = &x->f->dsets[i % x->f->ndsets];
		bool taken = i < x->f->ndsets
		    ? d->role == AXT_ROLE_TENSOR
		    : d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_AUX;
		const char *path = taken ? clean_path(g, d) : NULL;

		if (!path || (pattern && !axt_pattern_fits(g, pattern, d)))
			continue;
		p[n] = path;
		path = as_typed(g, d->path);
		o[n] = path ? axt_sprintf(g->m, "%s:%s", x->file, path) : NULL;
		if (!o[n++])
			break;
		*tensors += d->role == AXT_ROLE_TENSOR;
	}
	*operands = o;
	*paths = p;
	if (o && p && (n == 0 || o[n - 1]))
		return n;
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return -1;
}

int
axt_match(struct axt_graph *g, const char *word, bool each, const char *const **operands,
    const char *const **paths)
{
	const char *pattern, **o, **p, *none, *colon = strchr(word, ':');
	struct axt_named x;
	int n, tensors;

	if (!each && !strpbrk(word, "*?[") && !(*word && word[strlen(word) - 1] == '/') &&
	    !(colon && strchr(colon, ',')))
		return 0;
	if (g->err.code || axt_is_number(word))
		return g->err.code ? -1 : 0;
	if (axt_named_words(g, word, NULL, &x))
		return -1;
	pattern = axt_pattern(g, &x);
	if (!pattern || (!x.name && !each))
		return 0;
	if (axt_named_file(g, &x))
		return -1;
	if (x.name && is_name(x.f, x.name))
		return 0;
	n = list_fitting(g, &x, pattern, &o, &p, &tensors);
	*operands = o;
	*paths = p;
	x.f->pattern = pattern;
	none = n < 0 ? NULL : axt_pattern_misfit(g, pattern, x.f, true);
	if (none) {
		axt_fail(&g->err, AXT_E_NAME, "%s: no tensor has a name like \"%s\"",
		    axt_escape(g->m, x.file), axt_escape(g->m, none));
		axt_hint(&g->err, "axt-info %s lists them", axt_escape(g->m, x.file));
		return -1;
	}
	return n;
}

int
axt_names(struct axt_graph *g, const char *file, const char *const **operands,
    const char *const **paths, int *tensors)
{
	struct axt_named x;
	const char **o, **p;
	int n;

	if (axt_named_words(g, file, NULL, &x))
		return -1;
	if (x.name) {
		o = axt_alloc(g->m, 2 * sizeof(*o));
		p = axt_alloc(g->m, 2 * sizeof(*p));
		if (!o || !p)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
		*o = file;
		*p = x.name + (x.name[0] == '/');
		n = *tensors = 1;
	} else {
		n = axt_named_file(g, &x) ? -1 : list_fitting(g, &x, NULL, &o, &p, tensors);
	}
	*operands = n < 0 ? NULL : o;
	*paths = n < 0 ? NULL : p;
	return n;
}
