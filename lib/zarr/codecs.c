/*
 * codecs.c - the codecs of arrays, as byte order, order of axes, shards, and filters
 * (lib/filters).
 */
#include "zarr/json.h"
#include "zarr/zarr.h"

/* Codecs of bytes: their names in both versions, with or without "numcodecs." before. */
static const struct codec {
	const char *name;
	enum axt_filter_kind filter;
	const char
	    *level; /* the member of the configuration that is the first parameter, or NULL */
	int64_t usual;
} codecs[] = { { "gzip", AXT_FILTER_GZIP, "level", 5 }, { "zlib", AXT_FILTER_DEFLATE, "level", 1 },
	{ "zstd", AXT_FILTER_ZSTD, NULL, 0 }, { "blosc", AXT_FILTER_BLOSC, NULL, 0 },
	{ "lz4", AXT_FILTER_SIZED_LZ4, NULL, 0 }, { "bz2", AXT_FILTER_BZIP2, NULL, 0 },
	{ "crc32c", AXT_FILTER_CRC32C, NULL, 0 }, { "shuffle", AXT_FILTER_SHUFFLE, NULL, 0 },
	{ "fletcher32", AXT_FILTER_FLETCHER32, NULL, 0 } };

/* The list of filters while it is made. */
struct chain {
	struct axt_arena *m;
	struct axt_zarr_array *a;
	struct axt_filter_use use[AXT_MAX_FILTERS];
	int n;
	bool bytes; /* what goes on are bytes, and no elements */
};

static const char *
unsupported(struct axt_arena *m, const char *name)
{
	char text[100];
	const char *why = axt_sprintf(m, "codec %s is not supported",
	    axt_escape_to(text, sizeof(text), name));

	return why ? why : "a codec is not supported";
}

/* Adds a codec of bytes. conf: its configuration; of version 2, what has its id, too. */
static const char *
add(struct chain *c, const char *name, const struct axt_json *conf)
{
	const char *bare = strncmp(name, "numcodecs.", 10) == 0 ? name + 10 : name;
	struct axt_filter_use *u = &c->use[c->n];
	int64_t v;

	for (int i = 0; i < ARRAY_LEN(codecs); i++) {
		if (strcmp(codecs[i].name, bare) != 0)
			continue;
		if (c->n == AXT_MAX_FILTERS)
			return "it has more than 8 codecs";
		*u = (struct axt_filter_use){ .f = &axt_filters[codecs[i].filter],
			.esize = c->a->esize };
		if (codecs[i].level) {
			u->n = 1;
			v = codecs[i].usual;
			axt_json_int(axt_json_get(conf, codecs[i].level), 0, 9, &v);
			u->param[0] = (uint32_t)v;
		}
		v = 4;
		if (codecs[i].filter == AXT_FILTER_SHUFFLE && axt_json_get(conf, "elementsize") &&
		    !axt_json_int(axt_json_get(conf, "elementsize"), 1, 1 << 20, &v))
			return "codec shuffle has no size of elements";
		if (codecs[i].filter == AXT_FILTER_SHUFFLE)
			u->esize = (int)v;
		c->n++;
		return NULL;
	}
	return unsupported(c->m, name);
}

static const char *
finish(struct chain *c)
{
	struct axt_filter_use *use = NULL;

	if (c->n > 0 && !(use = axt_alloc(c->m, (size_t)c->n * sizeof(*use))))
		return "out of memory";
	for (int i = 0; i < c->n; i++)
		use[i] = c->use[i];
	c->a->filters = (struct axt_filters){ .n = c->n, .use = use };
	return NULL;
}

/* ---- version 2 ---- */

const char *
axt_zarr_codecs2(struct axt_arena *m, const struct axt_json *meta, struct axt_zarr_array *a)
{
	const struct axt_json *pack = axt_json_get(meta, "compressor"),
			      *filters = axt_json_get(meta, "filters");
	const char *order = axt_json_text(axt_json_get(meta, "order")), *why = NULL, *id;
	struct chain c = { .m = m, .a = a };
	bool vlen = false;

	if (!order || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0))
		return "its order is neither C nor F";
	for (int i = 0; i < a->rank; i++)
		a->order[i] = order[0] == 'F' ? a->rank - 1 - i : i;
	for (size_t i = 0; i < axt_json_count(filters) && !why; i++) {
		id = axt_json_text(axt_json_get(axt_json_item(filters, i), "id"));
		if (!id)
			return "a filter has no id";
		if (strcmp(id, "vlen-utf8") == 0 && a->kind == AXT_ZARR_VLEN && i == 0)
			vlen = true;
		else
			why = add(&c, id, axt_json_item(filters, i));
	}
	if (!why && axt_json_type(pack) != AXT_JSON_NULL) {
		id = axt_json_text(axt_json_get(pack, "id"));
		why = id ? add(&c, id, pack) : "its compressor has no id";
	}
	if (!why && a->kind == AXT_ZARR_VLEN && !vlen)
		why = "type not supported: objects of Python";
	return why ? why : finish(&c);
}

/* ---- version 3 ---- */

/* The name of a codec, which may stand alone instead of an object. */
static const char *
name_of(const struct axt_json *codec)
{
	const struct axt_json *name = axt_json_get(codec, "name");

	return axt_json_text(name ? name : codec);
}

static const char *
transpose(struct axt_zarr_array *a, const struct axt_json *conf)
{
	const struct axt_json *list = axt_json_get(conf, "order");
	int was[AXT_MAX_RANK];
	uint64_t seen = 0;

	memcpy(was, a->order, sizeof(was));
	if (axt_json_count(list) != (size_t)a->rank)
		return "codec transpose has an order of another rank";
	for (int i = 0; i < a->rank; i++) {
		int64_t k;

		if (!axt_json_int(axt_json_item(list, (size_t)i), 0, a->rank - 1, &k) ||
		    seen >> k & 1)
			return "codec transpose has an order that is none";
		seen |= (uint64_t)1 << k;
		a->order[i] = was[k];
	}
	return NULL;
}

static const char *
order_of_bytes(struct axt_zarr_array *a, const struct axt_json *conf)
{
	const char *endian = axt_json_text(axt_json_get(conf, "endian"));

	if (!endian && a->esize > 1 && a->kind == AXT_ZARR_NUMBERS)
		return "codec bytes has no endian";
	if (endian && strcmp(endian, "little") != 0 && strcmp(endian, "big") != 0)
		return "codec bytes has an endian that is neither little nor big";
	a->swap = endian && endian[0] == 'b' && a->esize > 1;
	return NULL;
}

/* The index of a shard: numbers of 8 bytes, little-endian, and perhaps their checksum. */
static const char *
index_of(struct axt_zarr_array *a, const struct axt_json *conf)
{
	const struct axt_json *list = axt_json_get(conf, "index_codecs");
	const char *at = axt_json_text(axt_json_get(conf, "index_location")), *endian;
	size_t n = axt_json_count(list);

	for (size_t i = 0; i < n; i++) {
		const char *name = name_of(axt_json_item(list, i));

		if (i == 1 && name && strcmp(name, "crc32c") == 0) {
			a->index_sum = true;
			continue;
		}
		endian = axt_json_text(
		    axt_json_get(axt_json_get(axt_json_item(list, i), "configuration"), "endian"));
		if (i != 0 || !name || strcmp(name, "bytes") != 0 || !endian ||
		    strcmp(endian, "little") != 0)
			return "codecs of the index of a shard are not supported";
	}
	if (n == 0)
		return "a shard has no codecs for its index";
	if (at && strcmp(at, "start") != 0 && strcmp(at, "end") != 0)
		return "the index of a shard is neither at its start nor at its end";
	a->index_first = at && strcmp(at, "start") == 0;
	return NULL;
}

static const char *one_codec(struct chain *c, const struct axt_json *codec);

static const char *
shards(struct chain *c, const struct axt_json *conf)
{
	struct axt_zarr_array *a = c->a;
	const struct axt_json *list = axt_json_get(conf, "codecs");
	const char *why = index_of(a, conf);

	if (a->sharded)
		return "shards in shards are not supported";
	for (int i = 0; i < a->rank; i++)
		if (a->order[i] != i)
			return "shards behind codec transpose are not supported";
	if (!why && !axt_zarr_lengths(axt_json_get(conf, "chunk_shape"), 1, a->rank, a->inner))
		why = "the chunks of a shard have impossible lengths";
	for (int i = 0; i < a->rank && !why; i++)
		if (a->chunk[i] % a->inner[i])
			why = "the chunks of a shard do not divide it";
	a->sharded = true;
	for (size_t i = 0; i < axt_json_count(list) && !why; i++)
		why = one_codec(c, axt_json_item(list, i));
	return why || c->bytes ? why : "its codecs do not make bytes of elements";
}

static const char *
one_codec(struct chain *c, const struct axt_json *codec)
{
	const struct axt_json *conf = axt_json_get(codec, "configuration");
	const char *name = name_of(codec), *why;

	if (!name)
		return "a codec has no name";
	if (c->bytes)
		return add(c, name, conf);
	if (strcmp(name, "transpose") == 0)
		return transpose(c->a, conf);
	if (strcmp(name, "sharding_indexed") == 0)
		return shards(c, conf);
	if (strcmp(name, "bytes") == 0 && c->a->kind != AXT_ZARR_VLEN)
		why = order_of_bytes(c->a, conf);
	else if (strcmp(name, "vlen-utf8") == 0 && c->a->kind == AXT_ZARR_VLEN)
		why = NULL;
	else
		return unsupported(c->m, name);
	c->bytes = true;
	return why;
}

const char *
axt_zarr_codecs(struct axt_arena *m, const struct axt_json *list, struct axt_zarr_array *a)
{
	struct chain c = { .m = m, .a = a };
	const char *why = NULL;

	for (int i = 0; i < a->rank; i++)
		a->order[i] = i;
	for (size_t i = 0; i < axt_json_count(list) && !why; i++) {
		if (a->sharded)
			return "codecs behind sharding_indexed are not supported";
		why = one_codec(&c, axt_json_item(list, i));
	}
	if (!why && !c.bytes)
		why = "its codecs do not make bytes of elements";
	return why ? why : finish(&c);
}
