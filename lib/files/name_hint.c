/*
 * name_hint.c - what was likely meant by a name that no dataset of a file has: a dataset of a near
 * name, or with that long name, a group, an attribute.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <strings.h>

#include "base/quote.h"
#include "files/inner.h"

/* Hints at FILE:PATH, as it is typed. */
static void
did_you_mean(struct axt_arena *m, const struct axt_file *f, const char *path, struct axt_err *e)
{
	bool root = path[0] == '/' && !strchr(path + 1, '/');

	axt_hint_meant(e, path + root, "did you mean %s:%s?", axt_escape(m, f->path),
	    axt_escape(m, path + root));
}

/* Whether both are the same but for case, blanks, '_' and '-', and for what stands before `a`. */
static bool
alike(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, " _-");
		b += strspn(b, " _-");
		if (!*a || tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return !*a && !*b;
	}
}

/* The dataset whose name is the same but for case and the like; -1: none, or several are. */
static int
same_name(const struct axt_file *f, const char *name)
{
	int found = -1;

	for (int i = 0; i < f->ndsets; i++) {
		const struct axt_dset *d = &f->dsets[i];

		if (!alike(name, d->name) && !alike(name, d->path + (name[0] != '/')))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

/*
 * The index of the dataset whose long_name or standard_name is the name or, if there is none, whose
 * long_name or standard_name alone has a word that begins with it; -1: none has, or several have.
 */
static int
described(struct axt_arena *m, struct axt_file *f, const char *name)
{
	static const char *const keys[] = { "long_name", "standard_name" };
	int found = -1, part = -1, parts = 0;
	size_t n = strlen(name);

	for (int i = 0; i < f->ndsets && !f->stream; i++) {
		struct axt_err ignored = { 0 };

		if (f->dsets[i].role == AXT_ROLE_OTHER || f->dsets[i].role == AXT_ROLE_DIM ||
		    axt_dset_load(m, f, &f->dsets[i], &ignored))
			continue;
		for (int k = 0; k < ARRAY_LEN(keys); k++) {
			const char *text = axt_attr_text(f->dsets[i].attrs, keys[k]);
			const char *at = text ? strcasestr(text, name) : NULL;

			if (text && alike(name, text)) {
				if (found >= 0 && found != i)
					return -1;
				found = i;
			}
			if (n < 3 || !at || (at > text && isalnum((unsigned char)at[-1])) ||
			    part == i)
				continue;
			part = i;
			parts++;
		}
	}
	return found >= 0 ? found : parts == 1 ? part : -1;
}

/* The group whose path, or last name, is the name; NULL: none, or several are. */
static const char *
group_of(const struct axt_file *f, const char *name)
{
	const char *found = NULL;

	name += name[0] == '/';
	for (int i = 1; i < axt_file_ngroups(f); i++) {
		const char *path = axt_file_group(f, i);

		if (strcasecmp(path + 1, name) == 0)
			return path;
		if (strcasecmp(strrchr(path, '/') + 1, name) == 0) {
			if (found)
				return NULL;
			found = path;
		}
	}
	return found;
}

/* DATASET.ATTRIBUTE, with another sign between them, or the name of an attribute alone. */
static bool
attribute(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_err *e)
{
	size_t n = strcspn(name, ".@:");
	const char *key = name[n] ? name + n + 1 : name;
	const struct axt_dset *of = NULL;

	for (int i = 0; i < f->ndsets && !f->stream; i++) {
		struct axt_dset *d = &f->dsets[i];
		struct axt_err ignored = { 0 };
		bool meant = name[n] ? strlen(d->name) == n && strncmp(d->name, name, n) == 0
				     : d->role == AXT_ROLE_TENSOR;

		if (meant && d->role != AXT_ROLE_OTHER && d->role != AXT_ROLE_DIM &&
		    axt_dset_load(m, f, d, &ignored) == 0 && axt_attr_find(d->attrs, key)) {
			of = d;
			break;
		}
	}
	if (of)
		axt_hint(e, "axt-attr %s %s shows that attribute", axt_quoted(m, key),
		    axt_typed(m, "%s", axt_h5_where(m, f, of)));
	else if (!name[n] && axt_attr_find(f->attrs, key))
		axt_hint(e, "axt-attr %s %s shows that attribute",
		    axt_quoted(m, axt_sprintf(m, ":%s", key)), axt_quoted(m, f->path));
	return e->hint[0];
}

/* A name near to this one, in the same group if that is named; else the only that begins so. */
static const char *
near(struct axt_arena *m, const struct axt_file *f, const char *name)
{
	const char **names = axt_alloc(m, (size_t)(f->ndsets + 1) * sizeof(*names)), *close = NULL;
	const char *leaf = axt_last_part(name), *slash = name[0] == '/' ? "" : "/";
	size_t len = strlen(leaf), group = (size_t)(leaf - name);
	int n = 0, with = 0;

	for (int i = 0; names && i < f->ndsets; i++) {
		const struct axt_dset *d = &f->dsets[i];
		const char *path = d->path + (*slash == '/');

		if (d->role == AXT_ROLE_OTHER || d->role == AXT_ROLE_DIM ||
		    (group > 0 && (strncmp(path, name, group) != 0 || strchr(path + group, '/'))))
			continue;
		names[n++] = d->name;
		if (len > 1 && strncasecmp(d->name, leaf, len) == 0 && with++ == 0)
			close = d->name;
	}
	close = with == 1 || !names ? close : axt_nearest(leaf, names, n);
	return close && group > 0 ? axt_sprintf(m, "%.*s%s", (int)group, name, close) : close;
}

void
axt_h5_name_hint(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_err *e)
{
	const char *group, *close;
	int i;

	if (f->foreign)
		return;
	while (*name == ':' || *name == ' ')
		name++;
	if ((i = same_name(f, name)) >= 0 || (i = described(m, f, name)) >= 0) {
		did_you_mean(m, f, f->dsets[i].path, e);
		return;
	}
	group = group_of(f, name);
	if (group) {
		axt_hint(e, "did you mean %s:%s/?", axt_escape(m, f->path),
		    axt_escape(m, group + (strchr(group + 1, '/') == NULL)));
		return;
	}
	if (attribute(m, f, name, e))
		return;
	close = near(m, f, name);
	if (close)
		axt_hint_meant(e, close, "did you mean %s:%s?", axt_escape(m, f->path),
		    axt_escape(m, close));
}
