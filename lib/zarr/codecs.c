/*
 * codecs.c - reads the codecs of an array: byte order, order of axes, shards, and filters
 * (lib/filters).
 */
#include "zarr/json.h"
#include "zarr/zarr.h"

/* The list of filters while it is made, in the order in which a chunk is packed. */
struct chain {
	struct axt_arena *m;
	struct axt_zarr_array *a;
	struct axt_filter_use use[AXT_MAX_FILTERS];
	/* of a filter that is transpose: which axes of the array the axes were before it */
	int before[AXT_MAX_FILTERS][AXT_MAX_RANK];
	int n;
	bool bytes;                /* what goes on are bytes, and no elements */
	int esize;                 /* bytes of an element, as far as the list goes */
	enum axt_dtype dtype;      /* and their dtype, where they are numbers */
	struct axt_renumber *last; /* the filter that gave it; NULL: the array has it */
	const char *whole; /* a filter that looks at all elements of a chunk together, or NULL */
};

/*
 * A codec, by its name, which is the same in both versions, with or without "numcodecs." before it.
 * `of` makes the filter's parameters of the codec's configuration (in version 2, of the object that
 * also has its id), and returns what is wrong, or NULL.
 */
struct codec {
	const char *name;
	enum axt_filter_kind filter;
	const char *(*of)(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf);
	bool elements; /* it takes elements, and gives elements */
};

static const char *
wrong(struct axt_arena *m, const char *name, const char *what)
{
	char text[100];
	const char *why = axt_sprintf(m, "codec %s %s", axt_escape_to(text, sizeof(text), name),
	    what);

	return why ? why : "a codec is not supported";
}

static const char *
unsupported(struct axt_arena *m, const char *name)
{
	return wrong(m, name, "is not supported");
}

/* ---- parameters ---- */

static const char *
gzip_level(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	int64_t v = u->f == &axt_filters[AXT_FILTER_GZIP] ? 5 : 1;

	(void)c;
	axt_json_int(axt_json_get(conf, "level"), 0, 9, &v);
	u->n = 1;
	u->param[0] = (uint32_t)v;
	return NULL;
}

static const char *
shuffle(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	const struct axt_json *size = axt_json_get(conf, "elementsize");
	int64_t v = 4;

	(void)c;
	if (size && !axt_json_int(size, 1, 1 << 20, &v))
		return "codec shuffle has no size of elements";
	u->esize = (int)v;
	return NULL;
}

/* Checksums of zlib lie before the data, CRC-32C behind it, unless that is said. */
static const char *
sum_place(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	const char *at = axt_json_text(axt_json_get(conf, "location"));

	u->n = 1;
	u->param[0] = u->f != &axt_filters[AXT_FILTER_CRC32C];
	if (at && strcmp(at, "start") != 0 && strcmp(at, "end") != 0)
		return wrong(c->m, u->f->name, "has a location that is neither start nor end");
	if (at)
		u->param[0] = at[0] == 's';
	return NULL;
}

/* The dtype in a member, or `usual` where it is not there. AUTO: it is no dtype of numbers. */
static enum axt_dtype
dtype_of(const struct axt_json *conf, const char *member, enum axt_dtype usual, bool *swap)
{
	const struct axt_json *j = axt_json_get(conf, member);
	const char *s = axt_json_text(j);

	return axt_json_type(j) == AXT_JSON_NULL ? usual
	    : s                                  ? axt_zarr_dtype(s, swap)
						 : AXT_DTYPE_AUTO;
}

/*
 * Reads the configuration of a codec that stores numbers in another dtype. In version 2 the codec
 * tells the byte order of both dtypes. In version 3 only stored bytes have a byte order, which
 * codec `bytes` tells.
 */
static const char *
renumber(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf, const char *plain,
    const char *stored)
{
	struct axt_renumber *r = axt_alloc(c->m, sizeof(*r));
	bool two = c->a->version == 2;

	if (!r)
		return "out of memory";
	*r = (struct axt_renumber){ .scale = 1 };
	r->plain_swap = r->stored_swap = two && c->a->swap;
	if (c->dtype == AXT_DTYPE_AUTO)
		return wrong(c->m, u->f->name, "is not for elements that are no numbers");
	r->plain = dtype_of(conf, plain, c->dtype, &r->plain_swap);
	r->stored_swap = r->plain_swap;
	r->stored = r->plain ? dtype_of(conf, stored, r->plain, &r->stored_swap) : AXT_DTYPE_AUTO;
	if (r->stored == AXT_DTYPE_AUTO)
		return wrong(c->m, u->f->name, "has a dtype that is not supported");
	if (axt_size(r->plain) != c->esize)
		return wrong(c->m, u->f->name, "has a dtype of another size than its elements");
	if (!two)
		r->plain_swap = r->stored_swap = false;
	u->own = c->last = r;
	c->dtype = r->stored;
	c->esize = axt_size(r->stored);
	return NULL;
}

static const char *
astype(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	return renumber(c, u, conf, "decode_dtype", "encode_dtype");
}

static const char *
quantize(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	return renumber(c, u, conf, "dtype", "astype");
}

static const char *
delta(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	const char *why = renumber(c, u, conf, "dtype", "astype");

	c->whole = u->f->name;
	if (!why && axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX)
		return "codec delta of complex numbers is not supported";
	return why;
}

static const char *
fixedscaleoffset(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	const char *why = renumber(c, u, conf, "dtype", "astype");

	if (!why &&
	    (!axt_json_double(axt_json_get(conf, "scale"), &c->last->scale) ||
		!axt_json_double(axt_json_get(conf, "offset"), &c->last->offset)))
		return "codec fixedscaleoffset has no scale or no offset";
	if (!why && axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX)
		return "codec fixedscaleoffset of complex numbers is not supported";
	return why;
}

static const char *
packbits(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	(void)conf;
	if (c->esize != 1)
		return "codec packbits is not for elements of several bytes";
	c->whole = u->f->name;
	c->dtype = AXT_U8;
	c->last = NULL;
	return NULL;
}

/* The labels of codec categorize, in UTF-32 of the array's byte order. */
static const char *
labels(struct chain *c, struct axt_filter_labels *l, const struct axt_json *list)
{
	size_t n = axt_json_count(list);
	int64_t longest = 1;
	uint32_t code, *p;

	for (size_t i = 0; i < n; i++) {
		const char *s = axt_json_text(axt_json_item(list, i));
		int64_t k = 0;

		if (!s)
			return "codec categorize has a label that is no text";
		for (int len; *s; s += len, k++)
			if ((len = axt_utf8(s, &code)) == 0)
				return "codec categorize has a label that is no text";
		longest = MAX(longest, k);
	}
	/* texts of any length get one that all labels fit in */
	if (c->a->kind == AXT_ZARR_VLEN) {
		c->a->kind = AXT_ZARR_UTF32;
		c->a->esize = (int)(4 * longest);
	}
	if (c->a->kind != AXT_ZARR_UTF32 || 4 * longest > c->a->esize)
		return "codec categorize has labels that do not fit its texts";
	p = axt_alloc(c->m, (n + 1) * (size_t)c->a->esize);
	if (!p)
		return "out of memory";
	*l = (struct axt_filter_labels){ .n = n, .label = (const uint8_t *)p };
	for (size_t i = 0; i < n; i++, p += c->a->esize / 4) {
		const char *s = axt_json_text(axt_json_item(list, i));

		for (int k = 0; *s; k++) {
			s += axt_utf8(s, &code);
			p[k] = c->a->swap ? __builtin_bswap32(code) : code;
		}
	}
	return NULL;
}

static const char *
categorize(struct chain *c, struct axt_filter_use *u, const struct axt_json *conf)
{
	struct axt_filter_labels *l = axt_alloc(c->m, sizeof(*l));
	const char *why = l ? labels(c, l, axt_json_get(conf, "labels")) : "out of memory";

	if (why)
		return why;
	l->stored = dtype_of(conf, "astype", AXT_U8, &l->swap);
	if (l->stored == AXT_DTYPE_AUTO || axt_dtypes[l->stored].cls > AXT_CLASS_UINT)
		return "codec categorize has a dtype that is not supported";
	u->own = l;
	u->esize = c->a->esize;
	c->dtype = l->stored;
	c->esize = axt_size(l->stored);
	c->last = NULL;
	return NULL;
}

static const struct codec codecs[] = { { "gzip", AXT_FILTER_GZIP, gzip_level, false },
	{ "zlib", AXT_FILTER_DEFLATE, gzip_level, false }, { "zstd", AXT_FILTER_ZSTD, NULL, false },
	{ "blosc", AXT_FILTER_BLOSC, NULL, false }, { "lz4", AXT_FILTER_SIZED_LZ4, NULL, false },
	{ "bz2", AXT_FILTER_BZIP2, NULL, false }, { "crc32c", AXT_FILTER_CRC32C, sum_place, false },
	{ "crc32", AXT_FILTER_CRC32, sum_place, false },
	{ "adler32", AXT_FILTER_ADLER32, sum_place, false },
	{ "shuffle", AXT_FILTER_SHUFFLE, shuffle, false },
	{ "fletcher32", AXT_FILTER_FLETCHER32, NULL, false },
	{ "astype", AXT_FILTER_ASTYPE, astype, true },
	{ "quantize", AXT_FILTER_ASTYPE, quantize, true },
	{ "delta", AXT_FILTER_DELTA, delta, true },
	{ "fixedscaleoffset", AXT_FILTER_FIXEDSCALEOFFSET, fixedscaleoffset, true },
	{ "packbits", AXT_FILTER_PACKBITS, packbits, true },
	{ "categorize", AXT_FILTER_CATEGORIZE, categorize, true } };

/* ---- the list ---- */

/* The next filter of the list; NULL: it is full. */
static struct axt_filter_use *
next(struct chain *c, enum axt_filter_kind kind)
{
	struct axt_filter_use *u = &c->use[c->n];

	if (c->n == AXT_MAX_FILTERS)
		return NULL;
	*u = (struct axt_filter_use){ .f = &axt_filters[kind], .esize = c->esize };
	c->n++;
	return u;
}

/*
 * Whether the codec x may come next. In version 3 codecs of elements come before `bytes`, and
 * codecs of bytes after it; in version 2 a codec of bytes may come anywhere. Labels are for texts,
 * and only in version 2.
 */
static bool
is_for(const struct chain *c, const struct codec *x)
{
	bool two = c->a->version == 2;

	if (x->filter == AXT_FILTER_CATEGORIZE)
		return two && !c->bytes && c->a->kind != AXT_ZARR_NUMBERS;
	if (x->elements)
		return !c->bytes && c->a->kind == AXT_ZARR_NUMBERS;
	return two || c->bytes;
}

static const char too_many[] = "it has more than 8 codecs";

/* Adds a codec. conf: its configuration; of version 2, what has its id, too. */
static const char *
add(struct chain *c, const char *name, const struct axt_json *conf)
{
	const char *bare = strncmp(name, "numcodecs.", 10) == 0 ? name + 10 : name;
	struct axt_filter_use *u;

	if (strcmp(bare, "bitround") == 0 && !c->bytes) /* nothing is undone */
		return c->dtype ? NULL : unsupported(c->m, name);
	for (int i = 0; i < ARRAY_LEN(codecs); i++) {
		if (strcmp(codecs[i].name, bare) != 0 || !is_for(c, &codecs[i]))
			continue;
		u = next(c, codecs[i].filter);
		if (!u)
			return too_many;
		return codecs[i].of ? codecs[i].of(c, u, conf) : NULL;
	}
	return unsupported(c->m, name);
}

/* Adds another order of axes: axis i is what axis order[i] was before. */
static const char *
add_transpose(struct chain *c, const int *order)
{
	struct axt_zarr_array *a = c->a;
	struct axt_transpose *t;
	struct axt_filter_use *u;
	int was[AXT_MAX_RANK], moved = 0;

	for (int i = 0; i < a->rank; i++)
		moved += order[i] != i;
	if (moved == 0)
		return NULL;
	memcpy(was, a->order, sizeof(was));
	for (int i = 0; i < a->rank; i++)
		a->order[i] = was[order[i]];
	if (a->kind == AXT_ZARR_VLEN)
		return NULL;
	u = next(c, AXT_FILTER_TRANSPOSE);
	if (!u)
		return too_many;
	u->own = t = axt_alloc(c->m, sizeof(*t));
	if (!t)
		return "out of memory";
	t->rank = a->rank;
	for (int i = 0; i < a->rank; i++) {
		t->order[i] = order[i];
		c->before[c->n - 1][i] = was[i];
	}
	return NULL;
}

static const char *
finish(struct chain *c)
{
	const int64_t *chunk = axt_zarr_chunk(c->a);
	struct axt_filter_use *use = NULL;

	if (c->n > 0 && !(use = axt_alloc(c->m, (size_t)c->n * sizeof(*use))))
		return "out of memory";
	for (int i = 0; i < c->n; i++) {
		use[i] = c->use[i];
		if (use[i].f == &axt_filters[AXT_FILTER_TRANSPOSE]) {
			struct axt_transpose *t = (struct axt_transpose *)(uintptr_t)use[i].own;

			for (int k = 0; k < t->rank; k++)
				t->len[k] = chunk[c->before[i][k]];
		}
	}
	c->a->filters = (struct axt_filters){ .n = c->n, .use = use };
	return NULL;
}

static void
begin(struct chain *c, struct axt_arena *m, struct axt_zarr_array *a)
{
	*c = (struct chain){ .m = m, .a = a, .esize = a->esize };
	c->dtype = a->kind == AXT_ZARR_NUMBERS ? a->dtype : AXT_DTYPE_AUTO;
	for (int i = 0; i < a->rank; i++)
		a->order[i] = i;
}

/* ---- version 2 ---- */

const char *
axt_zarr_codecs2(struct axt_arena *m, const struct axt_json *meta, struct axt_zarr_array *a)
{
	const struct axt_json *pack = axt_json_get(meta, "compressor"),
			      *filters = axt_json_get(meta, "filters");
	const char *order = axt_json_text(axt_json_get(meta, "order")), *why = NULL, *id;
	int back[AXT_MAX_RANK];
	bool vlen = false;
	struct chain c;

	begin(&c, m, a);
	if (!order || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0))
		return "its order is neither C nor F";
	for (int i = 0; i < a->rank; i++)
		back[i] = order[0] == 'F' ? a->rank - 1 - i : i;
	why = add_transpose(&c, back);
	for (size_t i = 0; i < axt_json_count(filters) && !why; i++) {
		id = axt_json_text(axt_json_get(axt_json_item(filters, i), "id"));
		if (!id)
			return "a filter has no id";
		if (strcmp(id, "vlen-utf8") == 0 && a->kind == AXT_ZARR_VLEN && i == 0)
			vlen = true;
		else
			why = add(&c, id, axt_json_item(filters, i));
	}
	c.bytes = true;
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
transpose(struct chain *c, const struct axt_json *conf)
{
	const struct axt_json *list = axt_json_get(conf, "order");
	int order[AXT_MAX_RANK], rank = c->a->rank;
	uint64_t seen = 0;

	if (axt_json_count(list) != (size_t)rank)
		return "codec transpose has an order of another rank";
	for (int i = 0; i < rank; i++) {
		int64_t k;

		if (!axt_json_int(axt_json_item(list, (size_t)i), 0, rank - 1, &k) || seen >> k & 1)
			return "codec transpose has an order that is none";
		seen |= (uint64_t)1 << k;
		order[i] = (int)k;
	}
	return add_transpose(c, order);
}

/* Whether the codec that makes bytes of elements makes them big-endian. */
static const char *
is_big(const struct axt_json *conf, bool *big)
{
	const struct axt_json *j = axt_json_get(conf, "endian");
	const char *endian = axt_json_text(j);

	if (j && (!endian || (strcmp(endian, "little") != 0 && strcmp(endian, "big") != 0)))
		return "codec bytes has an endian that is neither little nor big";
	*big = endian && endian[0] == 'b';
	return NULL;
}

static const char *
order_of_bytes(struct chain *c, const struct axt_json *conf)
{
	struct axt_zarr_array *a = c->a;
	bool big = false;
	const char *why = is_big(conf, &big);

	if (!axt_json_get(conf, "endian") && c->esize > 1 && c->dtype)
		return "codec bytes has no endian";
	if (c->last)
		c->last->stored_swap = big;
	else if (c->esize > 1)
		a->swap = big;
	return why;
}

/* The index of a shard: numbers of 8 bytes, and perhaps their checksum. */
static const char *
index_of(struct axt_zarr_shard *x, const struct axt_json *conf)
{
	const struct axt_json *list = axt_json_get(conf, "index_codecs");
	const char *at = axt_json_text(axt_json_get(conf, "index_location")), *why = NULL;
	size_t n = axt_json_count(list);

	for (size_t i = 0; i < n && !why; i++) {
		const struct axt_json *codec = axt_json_item(list, i),
				      *own = axt_json_get(codec, "configuration");
		const char *name = name_of(codec);

		if (i == 1 && name && strcmp(name, "crc32c") == 0)
			x->sum = true;
		else if (i == 0 && name && strcmp(name, "bytes") == 0 &&
		    axt_json_get(own, "endian"))
			why = is_big(own, &x->big);
		else
			return "codecs of the index of a shard are not supported";
	}
	if (n == 0)
		return "a shard has no codecs for its index";
	if (at && strcmp(at, "start") != 0 && strcmp(at, "end") != 0)
		return "the index of a shard is neither at its start nor at its end";
	x->first = at && strcmp(at, "start") == 0;
	return why;
}

static const char *one_codec(struct chain *c, const struct axt_json *codec);

/* A shard's chunks: their lengths are those of its axes, which codec transpose may have moved. */
static const char *
cut(struct chain *c, struct axt_zarr_shard *x, const struct axt_json *conf)
{
	struct axt_zarr_array *a = c->a;
	const int64_t *outer = axt_zarr_chunk(a);
	int64_t len[AXT_MAX_RANK];

	if (!axt_zarr_lengths(axt_json_get(conf, "chunk_shape"), 1, a->rank, len))
		return "the chunks of a shard have impossible lengths";
	for (int i = 0; i < a->rank; i++) {
		int k = a->order[i];

		x->order[i] = k;
		x->chunk[k] = len[i];
		if (outer[k] % len[i])
			return "the chunks of a shard do not divide it";
	}
	return NULL;
}

static const char *
shards(struct chain *c, const struct axt_json *conf)
{
	struct axt_zarr_array *a = c->a;
	struct axt_zarr_shard *x = &a->shard[a->nshards];
	const struct axt_json *list = axt_json_get(conf, "codecs");
	const char *why;

	if (a->nshards == AXT_ZARR_SHARDS)
		return "shards in shards in shards in shards are not supported any deeper";
	if (c->whole)
		return wrong(c->m, c->whole, "before sharding_indexed is not supported");
	why = index_of(x, conf);
	if (!why)
		why = cut(c, x, conf);
	a->nshards++;
	for (size_t i = 0; i < axt_json_count(list) && !why; i++) {
		if (i > 0 && strcmp(name_of(axt_json_item(list, i - 1)), "sharding_indexed") == 0)
			return "codecs behind sharding_indexed are not supported";
		why = one_codec(c, axt_json_item(list, i));
	}
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
		return transpose(c, conf);
	if (strcmp(name, "sharding_indexed") == 0)
		return shards(c, conf);
	if (strcmp(name, "bytes") == 0 && c->a->kind != AXT_ZARR_VLEN)
		why = order_of_bytes(c, conf);
	else if (strcmp(name, "vlen-utf8") == 0 && c->a->kind == AXT_ZARR_VLEN)
		why = NULL;
	else
		return add(c, name, conf);
	c->bytes = true;
	return why;
}

const char *
axt_zarr_codecs(struct axt_arena *m, const struct axt_json *list, struct axt_zarr_array *a)
{
	const char *why = NULL;
	struct chain c;

	begin(&c, m, a);
	for (size_t i = 0; i < axt_json_count(list) && !why; i++) {
		if (a->nshards > 0)
			return "codecs behind sharding_indexed are not supported";
		why = one_codec(&c, axt_json_item(list, i));
	}
	if (!why && !c.bytes)
		why = "its codecs do not make bytes of elements";
	return why ? why : finish(&c);
}
