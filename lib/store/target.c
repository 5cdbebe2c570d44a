/* target.c - "FILE:DATASET" of -o, split. */
#include <strings.h>
#include <sys/stat.h>

#include "store.h"

static bool
is_file(const char *p)
{
	struct stat st;

	return stat(p, &st) == 0 && !S_ISDIR(st.st_mode);
}

static bool
is_dir(const char *p)
{
	struct stat st;

	return stat(p, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
has_suffix(const char *p)
{
	static const char *const ext[] = { ".h5", ".hdf5", ".he5", ".nc", ".nc4" };
	size_t n = strlen(p);

	for (int i = 0; i < ARRAY_LEN(ext); i++) {
		size_t k = strlen(ext[i]);

		if (n > k && p[n - k - 1] != '/' && strcasecmp(p + n - k, ext[i]) == 0)
			return true;
	}
	return false;
}

/*
 * Whether the colon at s[i] ends the file's name though no such file is there.
 * s is cut for the look and mended.
 */
static bool
splits(char *s, size_t i)
{
	char next = s[i + 1];
	bool yes;

	s[i] = '\0';
	yes = has_suffix(s) && !is_dir(s);
	s[i] = ':';
	if (yes || next != '/')
		return yes;
	s[i + 1] = '\0'; /* "dir:/x": a directory with a colon */
	yes = i > 0 && !is_dir(s);
	s[i + 1] = next;
	return yes;
}

int
axt_target_split(struct axt_arena *m, const char *target, const char **file, const char **dset,
    struct axt_err *e)
{
	char *s = axt_strdup(m, target), *cut = NULL;
	char esc[256];

	if (!s)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*file = s;
	*dset = NULL;
	if (is_file(s) || !strchr(s, ':'))
		return 0;
	for (char *c = strrchr(s, ':'); c && !cut;) {
		*c = '\0';
		if (is_file(s) || strcmp(s, "-") == 0)
			cut = c;
		*c = ':';
		while (c > s && *--c != ':')
			;
		c = c > s ? c : NULL;
	}
	for (char *c = strchr(s, ':'); c && !cut; c = strchr(c + 1, ':'))
		if (splits(s, (size_t)(c - s)))
			cut = c;
	if (!cut)
		return 0;
	*cut = '\0';
	*dset = cut + 1;
	if (!(*dset)[strspn(*dset, "/")]) {
		axt_escape_to(esc, sizeof(esc), target);
		return axt_fail(e, AXT_E_SYNTAX, "%s: no dataset is named after the colon", esc);
	}
	return 0;
}
