/* choose.c - the filters of new chunks, as words name them: "zstd:5", "bit". */
#include "filters/filters.h"

/* How bits are shuffled in filter 32008: without packing them, and what LZ4 and zstd are there. */
enum { BITS_PLAIN = 0, BITS_LZ4 = 2, BITS_ZSTD = 3 };
enum { BITS_MAJOR = 0, BITS_MINOR = 4 }; /* the version of bitshuffle whose format it is */

/* What new chunks are compressed by. */
static const struct codec {
	enum axt_filter_kind kind;
	int least, most, usual; /* levels; most 0: it has none */
	uint32_t in_bits;       /* how shuffled bits are packed by it */
} codecs[] = { { AXT_FILTER_DEFLATE, 1, 9, 4, BITS_PLAIN },
	{ AXT_FILTER_ZSTD, 1, 22, 3, BITS_ZSTD }, { AXT_FILTER_LZ4, 0, 0, 0, BITS_LZ4 } };
#define NCODECS ((int)(sizeof(codecs) / sizeof(codecs[0])))

/* Words of other programs, and what they are here. */
static const char *const others[][2] = { { "gzip", "deflate" }, { "zlib", "deflate" },
	{ "zip", "deflate" }, { "zstandard", "zstd" }, { "bitshuffle", "lz4 --shuffle bit" },
	{ "lzf", "lz4" }, { "blosc", "zstd" }, { "bzip2", "zstd" }, { "szip", "deflate" } };

/* The codec whose name the first n characters are, or NULL. */
static const struct codec *
codec_of(const char *name, size_t n)
{
	for (int i = 0; i < NCODECS; i++)
		if (strncmp(axt_filters[codecs[i].kind].name, name, n) == 0 &&
		    axt_filters[codecs[i].kind].name[n] == '\0')
			return &codecs[i];
	return NULL;
}

static int
unknown(const char *word, struct axt_err *e)
{
	size_t n = strcspn(word, ":_=,");
	int64_t level = 0;
	bool leveled;

	axt_fail(e, AXT_E_ARG, "--compress takes deflate, zstd, lz4 or none, not \"%.40s\"", word);
	if (axt_parse_int(word, 1, 9, &level))
		axt_hint_option(e, "compress", "deflate:%d", (int)level);
	else if (axt_parse_int(word, 0, 0, &level))
		axt_hint_option(e, "compress", "none");
	leveled = axt_parse_int(word + n + (word[n] != '\0'), 1, 22, &level);
	if (leveled && codec_of(word, n)) /* zstd,5 */
		axt_hint_option(e, "compress", "%.*s:%d", (int)n, word, (int)level);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strlen(others[i][0]) == n && strncmp(others[i][0], word, n) == 0)
			axt_hint_option(e, "compress", leveled ? "%s:%d" : "%s", others[i][1],
			    (int)level);
	return -1;
}

/* The codec and its level; NULL, with no error: none. */
static const struct codec *
parse(const char *word, int64_t *level, struct axt_err *e)
{
	size_t n = strcspn(word, ":");
	const struct codec *c = codec_of(word, n);
	const char *name;

	if (strcmp(word, "none") == 0)
		return NULL;
	if (!c) {
		unknown(word, e);
		return NULL;
	}
	name = axt_filters[c->kind].name;
	*level = c->usual;
	if (word[n] == ':' && c->most == 0)
		axt_fail(e, AXT_E_ARG, "--compress %s has no level: \"%.40s\"", name, word);
	else if (word[n] == ':' && !axt_parse_int(word + n + 1, c->least, c->most, level))
		axt_fail(e, AXT_E_ARG, "the level of --compress %s is %d to %d, not \"%.40s\"",
		    name, c->least, c->most, word + n + 1);
	return e->code ? NULL : c;
}

int
axt_filters_choose(const char *compress, const char *shuffle, int esize,
    struct axt_filter_use use[AXT_MAX_FILTERS], struct axt_err *e)
{
	bool bits = shuffle && strcmp(shuffle, "bit") == 0;
	bool none = shuffle && strcmp(shuffle, "none") == 0;
	const struct codec *c;
	int64_t level = 0;
	int n = 0;

	if (shuffle && !bits && !none && strcmp(shuffle, "byte") != 0) {
		axt_fail(e, AXT_E_ARG, "--shuffle takes byte, bit or none, not \"%.40s\"", shuffle);
		return -1;
	}
	if (shuffle && !compress) {
		axt_fail(e, AXT_E_ARG, "--shuffle is of a compressed result");
		axt_hint(e, "--compress deflate --shuffle %s", shuffle);
		return -1;
	}
	c = compress ? parse(compress, &level, e) : NULL;
	if (!c)
		return e->code ? -1 : 0;
	if (bits)
		use[n++] = (struct axt_filter_use){ .f = &axt_filters[AXT_FILTER_BITSHUFFLE],
			.esize = esize,
			.n = c->in_bits == BITS_ZSTD ? 6 : 5,
			.param = { BITS_MAJOR, BITS_MINOR, (uint32_t)esize, 0, c->in_bits,
			    (uint32_t)level } };
	else if (!none && esize > 1)
		use[n++] = (struct axt_filter_use){ .f = &axt_filters[AXT_FILTER_SHUFFLE],
			.esize = esize };
	if (!bits || c->in_bits == BITS_PLAIN)
		use[n++] = (struct axt_filter_use){ .f = &axt_filters[c->kind],
			.esize = esize,
			.n = 1,
			.param = { (uint32_t)level } };
	return n;
}

const char *
axt_filters_elsewhere(const struct axt_filter_use *use, int n)
{
	for (int i = 0; i < n; i++)
		if (use[i].f->id >= 256) /* smaller numbers are HDF5's own filters */
			return use[i].f->name;
	return NULL;
}
