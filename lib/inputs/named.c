/*
 * named.c - what a word names: a number, a file, a dataset of a file, or a field of its times.
 * Everything that takes an operand calls these functions, so that a word means the same everywhere.
 */
#include <fnmatch.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "inputs/inputs.h"

#define MAX_HOPS 16 /* links that lead from file to file */

int
axt_named_words(struct axt_graph *g, const char *word, const char *dataset, struct axt_named *x)
{
	*x = (struct axt_named){ .word = word };
	if (g->err.code || axt_operand_split(g->m, word, &x->file, &x->name, &g->err))
		return g->err.code;
	x->name = x->name ? x->name : dataset;
	return 0;
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

/* Opens the other file to which an external link on the way of the name leads. */
static int
leave(struct axt_graph *g, struct axt_named *x, const struct axt_route *r)
{
	const char *from = axt_sprintf(g->m, "%s:%s", axt_escape(g->m, x->file),
	    axt_escape(g->m, x->name));
	const char *folder;

	if (!from)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!g->external) {
		axt_fail(&g->err, AXT_E_ARG, "%s is a link to another file, to %s in %s", from,
		    axt_escape(g->m, r->path), axt_escape(g->m, r->file));
		axt_hint(&g->err, "--allow-external reads it all the same");
		return g->err.code;
	}
	folder = axt_input_folder(g, x->f);
	if (!folder)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s is a link to another file: it is read from its file, not from a pipe",
		    from);
	x->f = axt_open_input(g, from, folder, r->file, true, &g->err);
	if (!x->f)
		return g->err.code;
	x->outside = true;
	x->file = x->f->path;
	x->name = r->path;
	return 0;
}

/* Goes where links on the way of the name lead, from file to file. */
static int
follow(struct axt_graph *g, struct axt_named *x)
{
	struct axt_route r;

	for (int hops = 0; hops < MAX_HOPS && x->name && *x->name && !is_name(x->f, x->name);
	     hops++) {
		axt_file_route(g->m, x->f, x->name, &r);
		if (!r.file) {
			x->name = r.path ? r.path : x->name;
			return 0;
		}
		if (leave(g, x, &r))
			return g->err.code;
	}
	return 0;
}

int
axt_named_file(struct axt_graph *g, struct axt_named *x)
{
	if (x->f)
		return 0;
	x->f = axt_open_file(g, x->file);
	return x->f ? follow(g, x) : (int)g->err.code;
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
	g->external = g->external || o->allow_external;
	if (axt_is_number(word))
		return 0;
	return axt_named_words(g, word, o->dataset, x) || axt_named_values(g, x) ? (int)g->err.code
										 : 0;
}

/* ---- groups ---- */

/* Whether name, of n characters, is the path of a group, with or without the first slash. */
static bool
is_path(const char *path, const char *name, size_t n)
{
	path += name[0] != '/' && *path;
	return strlen(path) == n && strncmp(path, name, n) == 0;
}

const char *
axt_group_path(const struct axt_file *f, const char *name)
{
	size_t n = strlen(name);
	const char *only = NULL;
	int found = 0;

	while (n > 0 && name[n - 1] == '/')
		n--;
	for (int i = 0; i < axt_file_ngroups(f); i++) {
		const char *path = axt_file_group(f, i);

		const char *last = axt_last_part(path);

		if (is_path(path, name, n))
			return path;
		if (strlen(last) == n && strncmp(last, name, n) == 0 && found++ == 0)
			only = path;
	}
	return found == 1 ? only : NULL;
}

const char *
axt_named_group(const struct axt_named *x)
{
	return x->name && *x->name && x->f && !is_name(x->f, x->name)
	    ? axt_group_path(x->f, x->name)
	    : NULL;
}

/*
 * Whether a word FILE:NAME means a group, though it has no slash at its end. That is looked up in
 * the file, if it is a regular one, which can be read again.
 */
static bool
names_group(struct axt_graph *g, const char *word)
{
	struct axt_named x;
	struct stat st;

	if (g->err.code || !strchr(word, ':') || axt_is_number(word))
		return false;
	if (axt_named_words(g, word, NULL, &x)) {
		g->err = (struct axt_err){ 0 }; /* whoever opens the operand has the error */
		return false;
	}
	return x.name && stat(x.file, &st) == 0 && S_ISREG(st.st_mode) &&
	    axt_named_file(g, &x) == 0 && axt_named_group(&x);
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
 * Returns a copy of the first part of *pattern, up to a comma without a backslash, and moves
 * *pattern behind it; NULL: no part is left.
 */
static const char *
next_part(struct axt_graph *g, const char **pattern)
{
	const char *part, *p = *pattern;
	size_t n = 0;

	while (p[n] && p[n] != ',')
		n += p[n] == '\\' && p[n + 1] ? 2 : 1;
	part = *p ? axt_strndup(g->m, p, n) : NULL;
	*pattern += n + (p[n] == ',');
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

bool
axt_pattern_takes(struct axt_graph *g, const char *pattern, const char *group)
{
	const char *part;

	group += *group == '/';
	while ((part = next_part(g, &pattern)))
		if (strcmp(part, "*") == 0 ||
		    (strchr(part, '/') && fnmatch(part + (part[0] == '/'), group, 0) == 0))
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

int
axt_pattern_none(struct axt_graph *g, const struct axt_named *x, const char *what, const char *none)
{
	axt_fail(&g->err, AXT_E_NAME, "%s: no %s has a name like \"%s\"", axt_escape(g->m, x->file),
	    what, axt_escape(g->m, none));
	axt_hint(&g->err, "axt-info --names %s lists them", axt_quoted(g->m, x->file));
	axt_about(&g->err, AXT_NO_DATASET, none, x->file);
	for (int i = 0; i < x->f->ndsets; i++)
		if (x->f->dsets[i].role != AXT_ROLE_DIM)
			axt_about_among(&g->err, axt_last_part(x->f->dsets[i].path));
	return g->err.code;
}

/* The characters with a backslash before each of `special`. */
static const char *
escaped(struct axt_graph *g, const char *s, const char *special)
{
	char *out = axt_alloc(g->m, 2 * strlen(s) + 1), *p = out;

	for (; out && *s; s++) {
		if (strchr(special, *s))
			*p++ = '\\';
		*p++ = *s;
	}
	return out;
}

/* The pattern of all in a group, "" for the root. */
static const char *
pattern_of(struct axt_graph *g, const char *group)
{
	const char *path = escaped(g, group, "*?[]\\,");

	return path ? axt_sprintf(g->m, "%s/*", path) : NULL;
}

/* One of the names that have commas between them, which may be that of a group. */
static const char *
part_pattern(struct axt_graph *g, const struct axt_named *x, const char *part)
{
	const char *group = x->f && !is_name(x->f, part) ? axt_group_path(x->f, part) : NULL;
	size_t n = strlen(part);

	if (group)
		return pattern_of(g, group);
	return n > 0 && part[n - 1] == '/' ? axt_sprintf(g->m, "%s*", part) : part;
}

const char *
axt_pattern(struct axt_graph *g, const struct axt_named *x)
{
	const char *group = axt_named_group(x), *rest = x->name ? x->name : "*", *all = NULL, *part;

	if (group)
		return pattern_of(g, group);
	if (!strpbrk(rest, "*?[,") && !(*rest && rest[strlen(rest) - 1] == '/'))
		return NULL;
	while ((part = next_part(g, &rest)) && (part = part_pattern(g, x, part)))
		all = all ? axt_sprintf(g->m, "%s,%s", all, part) : part;
	return all;
}

const char *
axt_named_pattern(struct axt_graph *g, const struct axt_named *x)
{
	return x->name && x->f && !is_name(x->f, x->name) && !axt_named_group(x) ? axt_pattern(g, x)
										 : NULL;
}

/* Whether list_fitting has the dataset in a part of its list: tensors, other numbers, texts. */
static bool
is_in_part(const struct axt_dset *d, int part)
{
	return part == 0 ? d->role == AXT_ROLE_TENSOR
	    : part == 1  ? d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_AUX
			 : d->role == AXT_ROLE_TEXT;
}

/*
 * Lists the datasets that fit the pattern, or all if it is NULL: first tensors, whose number is
 * *tensors; if parts > 1, then everything else that has numbers, such as coordinates, and then
 * *texts datasets of text. Returns how many there are, or -1.
 */
static int
list_fitting(struct axt_graph *g, const struct axt_named *x, const char *pattern, int parts,
    const char ***operands, const char ***paths, int *tensors, int *texts)
{
	size_t bytes = (size_t)(x->f->ndsets + 1) * sizeof(char *);
	const char **o = axt_alloc(g->m, bytes), **p = axt_alloc(g->m, bytes);
	int n = 0;

	*tensors = *texts = 0;
	for (int i = 0; o && p && i < parts * x->f->ndsets; i++) {
		const struct axt_dset *d = &x->f->dsets[i % x->f->ndsets];
		const char *path = is_in_part(d, i / x->f->ndsets) ? clean_path(g, d) : NULL;

		if (!path || (pattern && !axt_pattern_fits(g, pattern, d)))
			continue;
		p[n] = path;
		/* nothing in it is to be read as something else */
		path = escaped(g, d->path, ",=:*^@[]\\");
		o[n] = path ? axt_sprintf(g->m, "%s:%s", x->file, path) : NULL;
		if (!o[n++])
			break;
		*tensors += d->role == AXT_ROLE_TENSOR;
		*texts += d->role == AXT_ROLE_TEXT;
	}
	*operands = o;
	*paths = p;
	if (o && p && (n == 0 || o[n - 1]))
		return n;
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return -1;
}

/* Fails: a pattern means no tensor. Says why, where there is something else that it means. */
static int
no_tensor(struct axt_graph *g, const struct axt_named *x, const char *none)
{
	const char *file = axt_escape(g->m, x->file);
	const struct axt_dset *other = NULL;
	bool values = false;

	for (int i = 0; i < x->f->ndsets; i++) {
		const struct axt_dset *d = &x->f->dsets[i];

		if (!axt_pattern_fits(g, none, d) || d->role == AXT_ROLE_DIM)
			continue;
		values = values || d->role != AXT_ROLE_OTHER;
		other = other && (other->role == AXT_ROLE_OTHER || d->role != AXT_ROLE_OTHER)
		    ? other
		    : d;
	}
	if (other && other->role == AXT_ROLE_OTHER && !other->is_table)
		return axt_fail(&g->err, AXT_E_DTYPE, "%s:%s: %s", file,
		    axt_escape(g->m, other->path), other->why);
	if (!values)
		return axt_pattern_none(g, x, "tensor", none);
	axt_fail(&g->err, AXT_E_NAME,
	    "%s: \"%s\" means no tensor there, but coordinates or text: %s", file,
	    axt_escape(g->m, none), axt_escape(g->m, other->path));
	axt_about(&g->err, AXT_NO_DATASET, none, x->file);
	axt_hint(&g->err, "name a dataset: %s:%s", file, axt_escape(g->m, other->path));
	return g->err.code;
}

int
axt_match(struct axt_graph *g, const char *word, bool each, bool whole,
    const char *const **operands, const char *const **paths, int *base)
{
	const char *pattern, **o, **p, *none, *colon = strchr(word, ':'), *group;
	struct axt_named x;
	int n, tensors, texts;

	*base = 0;
	if (!each && !strpbrk(word, "*?[") && !(*word && word[strlen(word) - 1] == '/') &&
	    !(colon && strchr(colon, ',')) && !names_group(g, word))
		return g->err.code ? -1 : 0;
	if (g->err.code || axt_is_number(word))
		return g->err.code ? -1 : 0;
	if (axt_named_words(g, word, NULL, &x))
		return -1;
	if (x.name ? !axt_pattern(g, &x) && !names_group(g, word) : !each)
		return g->err.code ? -1 : 0;
	if (axt_named_file(g, &x))
		return -1;
	if ((x.name && is_name(x.f, x.name)) || !(pattern = axt_pattern(g, &x)))
		return 0;
	if ((group = axt_named_group(&x)) && *group)
		*base = (int)strlen(group); /* paths have no first slash, but one behind it */
	n = list_fitting(g, &x, pattern, 1, &o, &p, &tensors, &texts);
	if (n == 0 && whole)
		n = list_fitting(g, &x, pattern, 2, &o, &p, &tensors, &texts);
	*operands = o;
	*paths = p;
	if (x.f->pattern && strcmp(x.f->pattern, pattern) != 0) /* of another operand */
		pattern = axt_sprintf(g->m, "%s,%s", x.f->pattern, pattern);
	x.f->pattern = pattern;
	none = n < 0 || (n > 0 && tensors == 0) ? NULL : axt_pattern_misfit(g, pattern, x.f, true);
	return none ? no_tensor(g, &x, none), -1 : n;
}

/* Keeps those of the n paths that are in the group, told from there on. Returns how many. */
static int
keep_group(const char *group, const char **operands, const char **paths, int n, int *tensors,
    int *texts)
{
	size_t len = strlen(group); /* paths have no first slash, but one behind the group */
	int kept = 0, before = *tensors, numbers = n - *texts;

	for (int i = 0; i < n; i++) {
		if (len > 0 &&
		    (strncmp(paths[i], group + 1, len - 1) != 0 || paths[i][len - 1] != '/')) {
			*tensors -= i < before;
			*texts -= i >= numbers;
			continue;
		}
		operands[kept] = operands[i];
		paths[kept++] = paths[i] + len;
	}
	return kept;
}

int
axt_names(struct axt_graph *g, const char *file, const char *const **operands,
    const char *const **paths, int *tensors, int *texts)
{
	struct axt_named x;
	const char **o, **p, *group;
	bool is_group = names_group(g, file);
	int n;

	if (axt_named_words(g, file, NULL, &x))
		return -1;
	if (x.name && strcmp(x.name, "*") == 0) /* all of the file, as without it */
		x.name = NULL;
	if (x.name && !is_group) {
		o = axt_alloc(g->m, 2 * sizeof(*o));
		p = axt_alloc(g->m, 2 * sizeof(*p));
		if (!o || !p)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
		*o = file;
		*p = x.name + (x.name[0] == '/');
		n = *tensors = 1;
		*texts = 0;
	} else {
		n = axt_named_file(g, &x) ? -1
					  : list_fitting(g, &x, NULL, 3, &o, &p, tensors, texts);
		group = n > 0 && is_group ? axt_named_group(&x) : NULL;
		n = group ? keep_group(group, o, p, n, tensors, texts) : n;
	}
	*operands = n < 0 ? NULL : o;
	*paths = n < 0 ? NULL : p;
	return n;
}
