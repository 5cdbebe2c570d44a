/*
 * operand.c - splits FILE:DATASET as typed. In an operand, FILE is the longest prefix that is an
 * existing file. In the target of an output, if no such file exists, it is the part that ends like
 * the name of an HDF5 file.
 */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/output.h"

/* Whether it is a file, or a directory that is a Zarr store. */
static bool
exists(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return !axt_is_absent(errno);
	return !S_ISDIR(st.st_mode) || axt_is_store(path);
}

const char *const axt_store_marks[3] = { "zarr.json", ".zgroup", ".zarray" };

bool
axt_is_store(const char *directory)
{
	char path[4096];

	for (int i = 0; i < ARRAY_LEN(axt_store_marks); i++)
		if (snprintf(path, sizeof(path), "%s/%s", directory, axt_store_marks[i]) <
			(int)sizeof(path) &&
		    access(path, F_OK) == 0)
			return true;
	return false;
}

bool
axt_is_store_at(int dir)
{
	for (int i = 0; i < ARRAY_LEN(axt_store_marks); i++)
		if (faccessat(dir, axt_store_marks[i], F_OK, 0) == 0)
			return true;
	return false;
}

const char *
axt_last_part(const char *path)
{
	const char *last = strrchr(path, '/');

	return last ? last + 1 : path;
}

/* Where a FILE that does not exist probably ends: after a usual suffix, else nowhere. */
static size_t
likely_end(const char *s)
{
	static const char *const ends[] = { ".h5:", ".hdf5:", ".he5:", ".nc:", ".nc4:", ".mat:",
		".zarr:", ".zip:" };
	size_t n = strlen(s);

	for (int i = 0; i < ARRAY_LEN(ends); i++) {
		const char *p = strstr(s, ends[i]);

		if (p)
			n = MIN(n, (size_t)(p - s) + strlen(ends[i]) - 1);
	}
	return n;
}

/*
 * Removes the escapes of a name: a backslash before a character that has a meaning in names, or
 * before another backslash.
 */
char *
axt_unescape(char *name)
{
	char *to = name;

	for (const char *s = name; *s; s++) {
		s += *s == '\\' && s[1] && strchr("/,=:*^@[]\\", s[1]);
		*to++ = *s;
	}
	*to = '\0';
	return name;
}

static void
cut_slashes(char *path)
{
	for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
}

int
axt_operand_split(struct axt_arena *m, const char *operand, const char **file, const char **dset,
    struct axt_err *e)
{
	size_t n = strlen(operand);
	struct stat st;
	char *s = axt_strdup(m, operand), name[256];
	int err;

	*file = s;
	*dset = NULL;
	if (!s)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (strcmp(s, "-") == 0 || stat(s, &st) == 0) {
		cut_slashes(s);
		return AXT_OK;
	}
	err = errno;
	for (size_t i = n; i-- > 0;) {
		if (s[i] != ':')
			continue;
		s[i] = '\0';
		if (i > 0 && (strcmp(s, "-") == 0 || exists(s))) {
			*dset = axt_unescape(s + i + 1);
			cut_slashes(s);
			return AXT_OK;
		}
		s[i] = ':';
	}
	n = likely_end(s);
	if (s[n] == ':') {
		s[n] = '\0';
		errno = stat(s, &st) == 0 ? EISDIR : errno;
		err = errno;
	}
	if (n == 0)
		return axt_fail(e, AXT_E_IO, "an operand is empty");
	axt_escape_to(name, sizeof(name), s);
	axt_fail(e, AXT_E_IO, "%s: %s", name,
	    strstr(s, "://") ? "is an address, and axt reads files" : strerror(err));
	return axt_is_absent(err) || strstr(s, "://") ? axt_about(e, AXT_NO_FILE, s, operand)
						      : (int)e->code;
}

/* ---- targets of -o ---- */

/* The state of a search for files. error keeps an errno other than that a file does not exist. */
struct look {
	int error;
};

static bool
is_there(struct look *l, const char *p, bool dir)
{
	struct stat st;

	if (stat(p, &st) == 0)
		return !S_ISDIR(st.st_mode) == !dir;
	if (!l->error && !axt_is_absent(errno))
		l->error = errno;
	return false;
}

static bool
is_file(struct look *l, const char *p)
{
	return is_there(l, p, false);
}

static bool
is_dir(struct look *l, const char *p)
{
	return is_there(l, p, true);
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
 * Whether the colon at s[i] is the end of the name of a file that does not exist yet. s is changed
 * for the test, and then restored.
 */
static bool
splits(struct look *l, char *s, size_t i)
{
	char next = s[i + 1];
	bool yes;

	s[i] = '\0';
	yes = has_suffix(s) && !is_dir(l, s);
	s[i] = ':';
	if (yes || next != '/')
		return yes;
	s[i + 1] = '\0'; /* "dir:/x": a directory with a colon */
	yes = i > 0 && !is_dir(l, s);
	s[i + 1] = next;
	return yes;
}

static int
looked(const char *target, int error, struct axt_err *e)
{
	char esc[256];

	axt_escape_to(esc, sizeof(esc), target);
	return axt_fail(e, error == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s", esc, strerror(error));
}

int
axt_target_split(struct axt_arena *m, const char *target, const char **file, const char **dset,
    struct axt_err *e)
{
	char *s = axt_strdup(m, target), *cut = NULL;
	struct look l = { 0 };
	char esc[256];

	if (!s)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*file = s;
	*dset = NULL;
	if (!strchr(s, ':') || is_file(&l, s))
		return 0;
	for (char *c = strrchr(s, ':'); c && !cut;) {
		*c = '\0';
		if (is_file(&l, s) || strcmp(s, "-") == 0)
			cut = c;
		*c = ':';
		while (c > s && *--c != ':')
			;
		c = c > s ? c : NULL;
	}
	for (char *c = strchr(s, ':'); c && !cut; c = strchr(c + 1, ':'))
		if (splits(&l, s, (size_t)(c - s)))
			cut = c;
	if (l.error)
		return looked(target, l.error, e);
	if (!cut)
		return 0;
	*cut = '\0';
	*dset = axt_unescape(cut + 1);
	if (**dset == '\0') {
		axt_escape_to(esc, sizeof(esc), target);
		return axt_fail(e, AXT_E_SYNTAX, "%s: no dataset is named after the colon", esc);
	}
	return 0;
}
