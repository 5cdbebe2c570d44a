/* array.c - the metadata of nodes, of both versions. */
#include "zarr/json.h"
#include "zarr/zarr.h"

#include <stdlib.h>

#define MAX_META ((size_t)64 << 20)
#define MAX_PARSED ((uint64_t)512 << 20) /* bytes of memory for one document */

struct axt_store *
axt_zarr_open(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	static const struct axt_store_kind *const kinds[] = { &axt_store_directory, &axt_store_zip,
		&axt_store_references };
	struct axt_store *s = axt_alloc(m, sizeof(*s));
	char *path = s ? axt_strdup(m, f->path) : NULL;

	if (!path) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	*s = (struct axt_store){ .m = m, .f = f, .path = path };
	for (int i = 0; i < ARRAY_LEN(kinds) && !e->code; i++)
		if (kinds[i]->open(s, e)) {
			s->kind = kinds[i];
			return s;
		}
	return NULL;
}

bool
axt_zarr_lengths(const struct axt_json *j, int64_t lo, int rank, int64_t *out)
{
	if (axt_json_type(j) != AXT_JSON_ARRAY || axt_json_count(j) != (size_t)rank)
		return false;
	for (int i = 0; i < rank; i++)
		if (!axt_json_int(axt_json_item(j, (size_t)i), lo, INT64_MAX, &out[i]))
			return false;
	return true;
}

/* A document of the store; NULL with *why NULL: there is none. */
static struct axt_json *
document(const struct axt_store *s, const char *path, const char *name, const char **why,
    struct axt_err *e)
{
	const char *key = *path ? axt_sprintf(s->m, "%s/%s", path, name) : name;
	size_t n;
	uint8_t *p;
	struct axt_json *j = NULL;

	*why = NULL;
	if (!key) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	p = axt_store_whole(s, key, MAX_META, &n, e);
	if (p)
		j = axt_json_parse(p, n, MIN(axt_store_memory(s), MAX_PARSED), why);
	if (p && !*why && axt_json_type(j) != AXT_JSON_OBJECT)
		*why = "is no object of JSON";
	free(p);
	if (*why)
		*why = axt_sprintf(s->m, "%s %s", name, *why);
	return j;
}

/* ---- what both versions have ---- */

/* Lengths of the array and of its chunks. */
static const char *
extents(struct axt_zarr_array *a, const struct axt_json *shape, const struct axt_json *chunks)
{
	int64_t n = a->esize, c = a->esize;
	size_t rank = axt_json_count(shape);

	if (axt_json_type(shape) != AXT_JSON_ARRAY)
		return "it has no shape";
	if (rank > AXT_MAX_RANK)
		return "it has too many dimensions";
	a->rank = (int)rank;
	if (!axt_zarr_lengths(shape, 0, a->rank, a->dims))
		return "its shape has an impossible length";
	if (!axt_zarr_lengths(chunks, 1, a->rank, a->chunk))
		return "its chunks have an impossible length, or another rank than the array";
	for (int i = 0; i < a->rank; i++)
		if (!axt_mul(n, MAX(a->dims[i], 1), &n) || !axt_mul(c, a->chunk[i], &c))
			return "it is too large";
	return NULL;
}

static const char *
named_dims(struct axt_arena *m, struct axt_zarr_array *a, const struct axt_json *names)
{
	if (axt_json_type(names) == AXT_JSON_NULL)
		return NULL;
	if (axt_json_count(names) != (size_t)a->rank)
		return "the names of its dimensions are not as many as these";
	for (int i = 0; i < a->rank; i++) {
		const char *s = axt_json_text(axt_json_item(names, (size_t)i));

		if (s && *s && !(a->dim[i] = axt_strdup(m, s)))
			return "out of memory";
	}
	return NULL;
}

/* ---- version 2 ---- */

static void
set_missing(struct axt_arena *m, struct axt_zarr_array *a)
{
	struct axt_attr x = { .name = "_FillValue",
		.kind = AXT_ATTR_NUM,
		.dtype = a->dtype,
		.n = 1,
		.data = a->fill };

	if (!axt_attr_find(a->attrs, x.name) && a->kind == AXT_ZARR_NUMBERS &&
	    a->dtype != AXT_BOOL && axt_dtypes[a->dtype].cls != AXT_CLASS_COMPLEX)
		a->attrs = axt_attr_set(m, a->attrs, &x);
}

/*
 * Reads the metadata of an array of version 2. By xarray's convention, the attribute
 * _ARRAY_DIMENSIONS names the dimensions, and the fill value of an array with that attribute marks
 * missing values. Returns what is wrong, or NULL.
 */
static const char *
array2(struct axt_arena *m, struct axt_zarr_array *a, const struct axt_json *meta,
    const struct axt_json *attrs)
{
	const struct axt_json *sep = axt_json_get(meta, "dimension_separator"),
			      *names = axt_json_get(attrs, "_ARRAY_DIMENSIONS"),
			      *fill = axt_json_get(meta, "fill_value");
	const char *why, *s = axt_json_text(sep);

	a->attrs = axt_zarr_attrs(m, attrs);
	a->separator = '.';
	if (sep && (!s || (strcmp(s, ".") != 0 && strcmp(s, "/") != 0)))
		return "its dimension_separator is neither . nor /";
	if (sep)
		a->separator = s[0];
	why = axt_zarr_type(m, axt_json_get(meta, "dtype"), a);
	if (!why)
		why = extents(a, axt_json_get(meta, "shape"), axt_json_get(meta, "chunks"));
	if (!why)
		why = axt_zarr_codecs2(m, meta, a);
	if (!why)
		why = axt_zarr_fill(m, fill, a);
	if (!why)
		why = named_dims(m, a, names);
	if (!why && names && axt_json_type(fill) != AXT_JSON_NULL)
		set_missing(m, a);
	return why;
}

/* ---- version 3 ---- */

/* The name and the configuration of an extension point; a name may stand alone. */
static const char *
extension(const struct axt_json *j, const struct axt_json **conf)
{
	const struct axt_json *name = axt_json_get(j, "name");
	const char *s = axt_json_text(name ? name : j);

	*conf = axt_json_get(j, "configuration");
	return s ? s : "";
}

static const char *
keys3(struct axt_zarr_array *a, const struct axt_json *encoding)
{
	const struct axt_json *conf;
	const char *name = extension(encoding, &conf),
		   *sep = axt_json_text(axt_json_get(conf, "separator"));

	a->prefix = strcmp(name, "default") == 0;
	a->separator = a->prefix ? '/' : '.';
	if (!a->prefix && strcmp(name, "v2") != 0)
		return "its chunk_key_encoding is not supported";
	if (sep && strcmp(sep, ".") != 0 && strcmp(sep, "/") != 0)
		return "the separator of its keys is neither . nor /";
	if (sep)
		a->separator = sep[0];
	return NULL;
}

/*
 * Decodes _FillValue, which xarray writes for floats as base64 of 8 bytes, little-endian. Other
 * texts stay as they are.
 */
static void
unpack_missing(struct axt_arena *m, struct axt_zarr_array *a)
{
	const char *s = axt_attr_text(a->attrs, "_FillValue");
	uint8_t *p = axt_alloc(m, 16);
	const uint8_t *bytes;
	uint64_t n;
	double v;

	if (!s || !p || strlen(s) != 12 || s[11] != '=' || a->kind != AXT_ZARR_NUMBERS ||
	    axt_dtypes[a->dtype].cls != AXT_CLASS_FLOAT)
		return;
	bytes = axt_zarr_base64(m, s, strlen(s), &n);
	if (!bytes || n != sizeof(v))
		return;
	memcpy(&v, bytes, sizeof(v));
	axt_zarr_float(a->dtype, v, p);
	a->attrs = axt_attr_set(m, a->attrs,
	    &(struct axt_attr){ .name = "_FillValue",
		.kind = AXT_ATTR_NUM,
		.dtype = a->dtype,
		.n = 1,
		.data = p });
}

/* One of n numbers of an attribute as the array's dtype. false: it would be another one. */
static bool
as_dtype(const struct axt_attr *a, int64_t i, enum axt_dtype d, void *p)
{
	const char *q = (const char *)a->data + i * axt_size(a->dtype);
	double v = axt_load_f64(a->dtype, q);
	struct axt_num x = { .is_int = a->dtype != AXT_F64, .f = v };

	if (x.is_int)
		memcpy(&x.i, q, sizeof(x.i));
	if (axt_dtypes[d].cls != AXT_CLASS_FLOAT && !x.is_int) {
		if (!(v > -0x1p62 && v < 0x1p62) || v != (double)(int64_t)v)
			return false;
		x = (struct axt_num){ .is_int = true, .i = (int64_t)v, .f = v };
	}
	if (!axt_num_store(&x, d, p))
		return false;
	return axt_load_f64(d, p) == v || v != v;
}

/* What stands for values of an array has its dtype, of which numbers of JSON tell nothing. */
static void
give_dtype(struct axt_arena *m, struct axt_zarr_array *a)
{
	static const char *const names[] = { "_FillValue", "missing_value", "valid_min",
		"valid_max", "valid_range", "flag_values", "flag_masks" };

	for (int k = 0; k < ARRAY_LEN(names) && a->kind == AXT_ZARR_NUMBERS; k++) {
		const struct axt_attr *old = axt_attr_find(a->attrs, names[k]);
		struct axt_attr new = old ? *old : (struct axt_attr){ 0 };
		uint8_t *p = old && old->kind == AXT_ATTR_NUM && old->dtype != a->dtype &&
			(old->dtype == AXT_I64 || old->dtype == AXT_F64) && a->dtype != AXT_BOOL &&
			axt_dtypes[a->dtype].cls != AXT_CLASS_COMPLEX
		    ? axt_alloc(m, (size_t)old->n * 8 + 8)
		    : NULL;
		bool same = p;

		for (int64_t i = 0; same && i < old->n; i++)
			same = as_dtype(old, i, a->dtype, p + i * axt_size(a->dtype));
		new.dtype = a->dtype;
		new.data = p;
		if (same)
			a->attrs = axt_attr_set(m, a->attrs, &new);
	}
}

/* A member that a reader has to understand, and this one does not. */
static bool
strange(void *ctx, const char *name, const struct axt_json *value)
{
	static const char *const known[] = { "zarr_format", "node_type", "shape", "data_type",
		"chunk_grid", "chunk_key_encoding", "fill_value", "codecs", "attributes",
		"storage_transformers", "dimension_names", "consolidated_metadata" };
	const struct axt_json *must = axt_json_get(value, "must_understand");

	for (int i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	if (must && !axt_json_true(must))
		return true;
	*(const char **)ctx = name;
	return false;
}

static const char *
array3(struct axt_arena *m, struct axt_zarr_array *a, const struct axt_json *meta)
{
	const struct axt_json *conf;
	const char *why = NULL, *name = NULL, *grid;
	char text[100];

	a->attrs = axt_zarr_attrs(m, axt_json_get(meta, "attributes"));
	axt_json_each(meta, strange, &name);
	if (name)
		return axt_sprintf(m, "member %s of its metadata is not supported",
		    axt_escape_to(text, sizeof(text), name));
	if (axt_json_count(axt_json_get(meta, "storage_transformers")) > 0)
		return "storage transformers are not supported";
	grid = extension(axt_json_get(meta, "chunk_grid"), &conf);
	if (strcmp(grid, "regular") != 0)
		return "its chunk_grid is not regular";
	why = axt_zarr_type(m, axt_json_get(meta, "data_type"), a);
	if (!why)
		why = extents(a, axt_json_get(meta, "shape"), axt_json_get(conf, "chunk_shape"));
	if (!why)
		why = keys3(a, axt_json_get(meta, "chunk_key_encoding"));
	if (!why)
		why = axt_zarr_codecs(m, axt_json_get(meta, "codecs"), a);
	if (!why)
		why = axt_zarr_fill(m, axt_json_get(meta, "fill_value"), a);
	if (!why)
		why = named_dims(m, a, axt_json_get(meta, "dimension_names"));
	if (!why) {
		unpack_missing(m, a);
		give_dtype(m, a);
	}
	return why;
}

/* ---- nodes ---- */

static const char *
right_version(const struct axt_json *meta, int version)
{
	int64_t v;

	return axt_json_int(axt_json_get(meta, "zarr_format"), version, version, &v)
	    ? NULL
	    : "another zarr_format than 2 or 3, or none";
}

int
axt_zarr_node(const struct axt_store *s, const struct axt_zarr_node *x,
    struct axt_zarr_array **array, const struct axt_attr **attrs, struct axt_err *e)
{
	const char *file = x->version == 3 ? "zarr.json"
	    : x->group                     ? ".zgroup"
					   : ".zarray",
		   *why, *other = NULL, *type;
	struct axt_json *meta = document(s, x->path, file, &why, e), *more = NULL;
	struct axt_zarr_array *a = NULL;
	bool group = x->group;

	*array = NULL;
	*attrs = NULL;
	if (!e->code && x->version == 2)
		more = document(s, x->path, ".zattrs", &other, e);
	why = why ? why : other;
	why = why || !meta ? why : right_version(meta, x->version);
	type = axt_json_text(axt_json_get(meta, "node_type"));
	if (x->version == 3 && !why)
		group = type && strcmp(type, "group") == 0;
	if (x->version == 3 && !why && !group && (!type || strcmp(type, "array") != 0))
		why = "zarr.json tells neither of a group nor of an array";
	if (!e->code && (group || (!*x->path && why))) {
		if (why)
			axt_fail(e, AXT_E_DAMAGED, "%s: %s%s%s", axt_escape(s->m, s->path),
			    axt_escape(s->m, x->path), *x->path ? ": " : "", why);
		*attrs = axt_zarr_attrs(s->m,
		    x->version == 3 ? axt_json_get(meta, "attributes") : more);
	} else if (!e->code && !(a = *array = axt_alloc(s->m, sizeof(*a)))) {
		axt_fail(e, AXT_E_MEM, "out of memory");
	} else if (!e->code) {
		a->path = x->path;
		a->version = x->version;
		a->why = why          ? why
		    : x->version == 3 ? array3(s->m, a, meta)
				      : array2(s->m, a, meta, more);
		*attrs = a->attrs;
	}
	axt_json_free(meta);
	axt_json_free(more);
	return e->code;
}
