/*
 * sniff.c - recognises other formats by their first bytes, for the message about a file that is not
 * HDF5.
 */
#include "hdf5/format/raw.h"

static const struct {
	const char *magic;
	int n;
	const char *what, *hint;
} known[] = {
	{ "CDF\001", 4, "netCDF classic", "%s" },
	{ "CDF\002", 4, "netCDF classic", "%s" },
	{ "CDF\005", 4, "netCDF classic", "%s" },
	{ "\016\003\023\001", 4, "HDF4", NULL },
	{ "\223NUMPY", 6, "a NumPy .npy file", "axt-from reads it" },
	{ "\037\213", 2, "gzip-compressed", "gunzip it first" },
	{ "PK\003\004", 4, "a zip archive", NULL },
	{ "PK\005\006", 4, "a zip archive", NULL },
	{ "\050\265\057\375", 4, "zstd-compressed", "unzstd it first" },
	{ "BZh", 3, "bzip2-compressed", "bunzip2 it first" },
	{ "\3757zXZ", 6, "xz-compressed", "unxz it first" },
	{ "GRIB", 4, "GRIB", NULL },
	{ "SIMPLE  =", 9, "FITS", NULL },
	{ "%PDF", 4, "PDF", NULL },
};

static bool
is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] == 127 || (p[i] < 32 && !strchr("\t\n\r\f", p[i])) || p[i] == 0)
			return false;
	return true;
}

/* Whether the name ends as that of a format that axt-from reads. */
static bool
has_format(const char *path)
{
	static const char *const ends[] = {
#define FORMAT(NAME, name, line) "." #name,
#include "formats.def"
#undef FORMAT
		".pgm", ".ppm", ".txt"
	};
	size_t n = strlen(path);

	for (int i = 0; i < ARRAY_LEN(ends); i++)
		if (n > strlen(ends[i]) && strcmp(path + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

int
axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e)
{
	char name[256];

	axt_escape_to(name, sizeof(name), path);
	if (n == 0)
		return axt_fail(e, AXT_E_FORMAT, "%s: is empty", name);
	for (int i = 0; i < ARRAY_LEN(known); i++) {
		if (n < (size_t)known[i].n || memcmp(p, known[i].magic, (size_t)known[i].n) != 0)
			continue;
		axt_fail(e, AXT_E_FORMAT, "%s: is %s, not HDF5", name, known[i].what);
		if (known[i].hint && strstr(known[i].hint, "%s"))
			axt_hint(e, "axt-copy %s -o a.nc makes it netCDF-4", name);
		else if (known[i].hint)
			axt_hint(e, "%s", known[i].hint);
		return AXT_E_FORMAT;
	}
	if (n < 8 && memcmp(p, "\211HDF\r\n\032\n", n) == 0)
		return axt_fail(e, AXT_E_DAMAGED, "%s: ends after %d bytes", name, (int)n);
	axt_fail(e, AXT_E_FORMAT, is_text(p, n) ? "%s: is text, not HDF5" : "%s: is not HDF5",
	    name);
	if (has_format(path))
		axt_hint(e, "axt-from %s -o a.nc", name);
	return AXT_E_FORMAT;
}
