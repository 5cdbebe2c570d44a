/* operand.c - FILE:DATASET as typed: the longest prefix that exists is the file. */
#include <errno.h>
#include <sys/stat.h>

#include "store.h"

static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) ? !axt_is_absent(errno) : !S_ISDIR(st.st_mode);
}

/* Where a FILE that does not exist probably ends: after a usual suffix, else nowhere. */
static size_t
likely_end(const char *s)
{
	static const char *const ends[] = { ".h5:", ".hdf5:", ".he5:", ".nc:", ".nc4:", ".mat:" };
	size_t n = strlen(s);

	for (int i = 0; i < ARRAY_LEN(ends); i++) {
		const char *p = strstr(s, ends[i]);

		if (p)
			n = MIN(n, (size_t)(p - s) + strlen(ends[i]) - 1);
	}
	return n;
}

/* A backslash takes what else means something in a name, or another backslash. */
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
	if (strcmp(s, "-") == 0 || stat(s, &st) == 0)
		return AXT_OK;
	err = errno;
	for (size_t i = n; i-- > 0;) {
		if (s[i] != ':')
			continue;
		s[i] = '\0';
		if (i > 0 && (strcmp(s, "-") == 0 || is_file(s))) {
			*dset = axt_unescape(s + i + 1);
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
	return axt_fail(e, AXT_E_IO, "%s: %s", name, strerror(err));
}
