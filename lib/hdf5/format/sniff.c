/*
 * sniff.c - recognises other formats by their first bytes, for the message about a file that is not
 * HDF5.
 */
#include <strings.h>

#include "axt_cmd.h"
#include "hdf5/format/raw.h"

#define PYTHON(modules, save) "python3 -c 'import " modules "; " save "'"
#define THEN_NPY ", then axt-from a.npy -o a.nc"
#define THEN_CSV ", then axt-from a.csv -o a.nc"
#define READ_BY_FROM "axt-from reads it"
#define UNPICKLE \
	PYTHON("numpy", "numpy.save(\"a.npy\", numpy.load(\"%s\", allow_pickle=True))") THEN_NPY

/* All pages, and values as they are: of GDAL, one page becomes a file in which 65535 is missing. */
#define TIFF_PAGES \
	PYTHON("numpy, tifffile", "numpy.save(\"a.npy\", tifffile.imread(\"%s\"))") THEN_NPY

/* A format by n bytes at an offset. The hint has the file's name in place of "%s". */
static const struct known {
	const char *magic;
	int n, at;
	const char *what, *hint;
} known[] = {
	{ "CDF\001", 4, 0, "netCDF classic", "axt-copy %s -o a.nc makes it netCDF-4" },
	{ "CDF\002", 4, 0, "netCDF classic", "axt-copy %s -o a.nc makes it netCDF-4" },
	{ "CDF\005", 4, 0, "netCDF classic", "axt-copy %s -o a.nc makes it netCDF-4" },
	{ "\016\003\023\001", 4, 0, "HDF4", "h4toh5 %s a.h5" },
	{ "\223NUMPY", 6, 0, "a NumPy .npy file", READ_BY_FROM },
	{ "ustar", 5, 257, "a tar archive", "tar xf %s" },
	{ "GRIB", 4, 0, "GRIB", "cdo -f nc4 copy %s a.nc" },
	{ "SIMPLE  =", 9, 0, "FITS",
	    PYTHON("numpy, astropy.io.fits as f", "numpy.save(\"a.npy\", f.getdata(\"%s\"))")
		THEN_NPY },
	{ "II*\0", 4, 0, "TIFF", TIFF_PAGES },
	{ "MM\0*", 4, 0, "TIFF", TIFF_PAGES },
	{ "\211PNG", 4, 0, "PNG", "convert %s a.ppm, then axt-from a.ppm -o a.nc" },
	{ "\377\330\377", 3, 0, "JPEG", "convert %s a.ppm, then axt-from a.ppm -o a.nc" },
	{ "MATLAB 5.0", 10, 0, "a MATLAB 5 file",
	    "in MATLAB: load %s, then save a.mat -v7.3, which is HDF5" },
	{ "n+1", 3, 344, "NIfTI",
	    PYTHON("numpy, nibabel", "numpy.save(\"a.npy\", nibabel.load(\"%s\").get_fdata())")
		THEN_NPY },
	{ "PAR1", 4, 0, "Parquet",
	    PYTHON("pandas", "pandas.read_parquet(\"%s\").to_csv(\"a.csv\", index=False)")
		THEN_CSV },
	{ "ARROW1", 6, 0, "Arrow",
	    PYTHON("pandas", "pandas.read_feather(\"%s\").to_csv(\"a.csv\", index=False)")
		THEN_CSV },
	{ "FEA1", 4, 0, "Feather",
	    PYTHON("pandas", "pandas.read_feather(\"%s\").to_csv(\"a.csv\", index=False)")
		THEN_CSV },
	{ "\200\004\225", 3, 0, "a Python pickle", UNPICKLE },
	{ "\200\005\225", 3, 0, "a Python pickle", UNPICKLE },
	{ "SQLite format 3", 15, 0, "an SQLite database", NULL },
	{ "GGUF", 4, 0, "GGUF", NULL },
	{ "%PDF", 4, 0, "PDF", NULL },
	{ "version https://git-lfs", 23, 0, "a pointer of Git LFS", "git lfs pull" },
	/* of zip, what the first file in it is called tells more */
	{ "PK\003\004", 4, 0, "a zip archive", "unzip %s" },
	{ "PK\005\006", 4, 0, "an empty zip archive", NULL },
	{ "\037\213", 2, 0, "gzip-compressed", "gunzip -k %s" },
	{ "\050\265\057\375", 4, 0, "zstd-compressed", "unzstd -k %s" },
	{ "BZh", 3, 0, "bzip2-compressed", "bunzip2 -k %s" },
	{ "\3757zXZ", 6, 0, "xz-compressed", "unxz -k %s" },
};

/* Formats that are zip archives, by the end of the name of the first file in them. */
static const struct known zipped[] = {
	{ .magic = ".npy",
	    .what = "a NumPy .npz file",
	    .hint = "unzip %s, then axt-from reads each .npy" },
	{ .magic = "/data.pkl",
	    .what = "a PyTorch file",
	    .hint = PYTHON("torch, safetensors.torch as s",
		"s.save_file(torch.load(\"%s\"), \"a.safetensors\")") },
	{ .magic = "[Content_Types].xml",
	    .what = "an Office document",
	    .hint = "saved as CSV there, axt-from a.csv -o a.nc reads it" },
	{ .magic = "_rels/.rels",
	    .what = "an Office document",
	    .hint = "saved as CSV there, axt-from a.csv -o a.nc reads it" },
};

/* The format of the first bytes of a file; NULL: none of these. */
static const struct known *
format_of(const uint8_t *p, size_t n)
{
	const struct known *k = NULL;

	for (int i = 0; i < ARRAY_LEN(known) && !k; i++)
		if (n >= (size_t)(known[i].at + known[i].n) &&
		    memcmp(p + known[i].at, known[i].magic, (size_t)known[i].n) == 0)
			k = &known[i];
	for (int i = 0; k && strncmp(k->magic, "PK\003\004", 4) == 0 && i < ARRAY_LEN(zipped);
	     i++) {
		size_t end = n > 30 ? 30 + (size_t)p[26] + ((size_t)p[27] << 8) : SIZE_MAX;
		size_t m = strlen(zipped[i].magic);

		if (end <= n && end >= 30 + m && memcmp(p + end - m, zipped[i].magic, m) == 0)
			return &zipped[i];
	}
	return k;
}

/*
 * Hints at the command that reads the file. The name of the file stands in the command. In a line
 * of Python, it stands inside two kinds of quotes, where it cannot be quoted again; so there is no
 * hint then for a name with other characters than those of `bare`.
 */
static void
hint_command(const struct known *k, const char *path, struct axt_err *e)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789._-/+,:@% ";
	const char *at = k->hint ? strstr(k->hint, "%s") : NULL;
	bool python = at > k->hint && at[-1] == '"';
	char word[480];

	if (at && strcmp(path, "-") == 0 && !python)
		axt_hint(e, "it has to be a file: %.*sFILE%s", (int)(at - k->hint), k->hint,
		    at + 2);
	else if (at && !python)
		axt_hint(e, "%.*s%s%s", (int)(at - k->hint), k->hint,
		    axt_quoted_to(word, sizeof(word), path), at + 2);
	else if (at && path[strspn(path, bare)] == '\0')
		axt_hint(e, "%.*s%s%s", (int)(at - k->hint), k->hint, path, at + 2);
	else if (k->hint && !at)
		axt_hint(e, "%s", k->hint);
}

/* What text is, by its first bytes. */
static const char *
sort_of_text(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && strchr(" \t\r\n", p[i]))
		i++;
	if (n - i > 9 &&
	    (strncasecmp((const char *)p + i, "<!doctype", 9) == 0 ||
		strncasecmp((const char *)p + i, "<html", 5) == 0))
		return "an HTML page";
	if (n - i > 5 && memcmp(p + i, "<?xml", 5) == 0)
		return "XML";
	return i < n && p[i] == '{' ? "JSON" : "text";
}

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

/* Tells the line that makes a file of tensors of one of another format, beside it. */
static void
hint_from(const char *options, const char *path, const char *behind, struct axt_err *e)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	char in[480], out[480], name[300];

	snprintf(name, sizeof(name), "%.*s.nc", (int)(dot ? dot - path : 290), path);
	axt_hint(e, "axt-from%s %s -o %s%s", options, axt_quoted_to(in, sizeof(in), path),
	    axt_quoted_to(out, sizeof(out), name), behind);
}

int
axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e)
{
	const struct known *k = format_of(p, n);
	const char *text;
	char name[256];

	axt_escape_to(name, sizeof(name), path);
	if (n == 0)
		return axt_fail(e, AXT_E_FORMAT, "%s: is empty%s", name,
		    strcmp(path, "-") ? ""
				      : "; the command before it failed, or wrote to a file (-o)");
	if (k) {
		axt_fail(e, AXT_E_FORMAT, "%s: is %s, not HDF5", name, k->what);
		axt_about(e, AXT_OTHER_FORMAT, path, k->what);
		hint_command(k, path, e);
		return AXT_E_FORMAT;
	}
	if (n < 8 && memcmp(p, "\211HDF\r\n\032\n", n) == 0)
		return axt_fail(e, AXT_E_DAMAGED, "%s: ends after %d bytes", name, (int)n);
	text = is_text(p, n) ? sort_of_text(p, n) : NULL;
	axt_fail(e, AXT_E_FORMAT, text ? "%s: is %s, not HDF5" : "%s: is not HDF5", name, text);
	axt_about(e, AXT_OTHER_FORMAT, path, text);
	if (has_format(path))
		hint_from("", path, "", e);
	else if (text && strcmp(text, "an HTML page") == 0)
		axt_hint(e,
		    "a download often gives a page in place of a file that is elsewhere, or needs a login");
	else if (text && strcmp(text, "text") == 0 && strcmp(path, "-") == 0)
		axt_hint(e,
		    "the command before the pipe wrote text; axt-from --format csv - reads a table");
	else if (text && strcmp(text, "text") == 0)
		hint_from(" --format csv", path, " reads a table", e);
	return AXT_E_FORMAT;
}

bool
axt_sniff_other(const char *path, const uint8_t *p, size_t n, struct axt_err *e)
{
	const struct known *k = format_of(p, n);
	char name[256];

	if (!k || (k->hint && strcmp(k->hint, READ_BY_FROM) == 0))
		return false;
	axt_escape_to(name, sizeof(name), path);
	axt_fail(e, AXT_E_FORMAT, "%s: is %s, which axt-from does not read", name, k->what);
	axt_about(e, AXT_OTHER_FORMAT, path, k->what);
	hint_command(k, path, e);
	return true;
}
