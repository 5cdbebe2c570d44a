/* array.c - one array of a store: its metadata, and its chunks, which threads pack and write. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show/show.h"
#include "zarr/write/write.h"

#define PATH 4096

/* ---- files ---- */

static int
failed(const char *path, struct axt_err *e)
{
	char name[256];

	return axt_fail(e, AXT_E_IO, "%s: %s", axt_escape_to(name, sizeof(name), path),
	    strerror(errno));
}

/* Makes the directories that a path leads through, from byte `from` of it on. */
static int
make_folders(char *path, size_t from)
{
	for (char *s = path + from; (s = strchr(s, '/')); s++) {
		*s = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return -1;
		*s = '/';
	}
	return 0;
}

/* Writes a file, whose directories are made where they are not there. */
static int
put_file(const char *dir, const char *key, const void *p, size_t n, struct axt_err *e)
{
	static const int how = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	char path[PATH];
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", dir, key) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return failed(dir, e);
	}
	fd = open(path, how, 0666);
	if (fd < 0 && errno == ENOENT && make_folders(path, strlen(dir) + 1) == 0)
		fd = open(path, how, 0666);
	fd = axt_fd_high(fd);
	if (fd < 0)
		return failed(path, e);
	axt_pwrite(fd, p, n, 0, path, e);
	if (close(fd) && !e->code)
		failed(path, e);
	return e->code;
}

/* ---- metadata ---- */

static void
put_number(struct axt_buf *b, enum axt_dtype d, const void *p)
{
	bool real = axt_dtypes[d].cls == AXT_CLASS_FLOAT;
	double v = real ? axt_load_f64(d, p) : 0;
	char text[AXT_TEXT];

	if (axt_dtypes[d].cls == AXT_CLASS_COMPLEX) { /* as text, since JSON has none */
		axt_value_text(text, d, p);
		axt_json_string(b, text);
		return;
	}
	if (real && !isfinite(v)) { /* as Python writes them, which is what reads them */
		axt_buf_adds(b, isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
		return;
	}
	if (real)
		axt_value_text(text, AXT_F64, &v);
	else
		axt_value_text(text, d, p);
	axt_buf_adds(b, text);
	if (real && !strpbrk(text, ".e"))
		axt_buf_adds(b, ".0");
}

/* The 8 bytes of a double in base64, as xarray writes _FillValue of floats. */
static void
put_base64(struct axt_buf *b, double v)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t p[9] = { 0 };
	char text[13];

	memcpy(p, &v, sizeof(v));
	for (int i = 0; i < 12; i++) {
		uint32_t three = (uint32_t)p[i / 4 * 3] << 16 | (uint32_t)p[i / 4 * 3 + 1] << 8 |
		    p[i / 4 * 3 + 2];

		text[i] = digits[three >> (18 - 6 * (i % 4)) & 63];
	}
	text[11] = '=';
	text[12] = '\0';
	axt_json_string(b, text);
}

static void
put_attr(struct axt_buf *b, const struct axt_attr *a, enum axt_dtype of)
{
	bool list = a->n != 1;
	bool missing = strcmp(a->name, "_FillValue") == 0 && a->kind == AXT_ATTR_NUM && a->n == 1;

	if (missing && axt_dtypes[of].cls == AXT_CLASS_FLOAT) {
		put_base64(b, axt_load_f64(a->dtype, a->data));
		return;
	}
	if (a->kind == AXT_ATTR_TEXT) {
		axt_buf_adds(b, axt_attr_listed(a) ? "[" : "");
		axt_json_string(b, a->text);
		axt_buf_adds(b, axt_attr_listed(a) ? "]" : "");
		return;
	}
	axt_buf_adds(b, list ? "[" : "");
	for (int64_t i = 0; i < a->n; i++) {
		axt_buf_adds(b, i > 0 ? ", " : "");
		if (a->kind == AXT_ATTR_TEXTS)
			axt_json_string(b, ((const char *const *)a->data)[i]);
		else
			put_number(b, a->dtype, (const char *)a->data + i * axt_size(a->dtype));
	}
	axt_buf_adds(b, list ? "]" : "");
}

static void
put_attrs(struct axt_buf *b, const struct axt_attr *l, enum axt_dtype of)
{
	const char *sep = "";

	axt_buf_adds(b, "\"attributes\": {");
	for (; l; l = l->next) {
		axt_buf_adds(b, sep);
		axt_json_string(b, l->name);
		axt_buf_adds(b, ": ");
		put_attr(b, l, of);
		sep = ", ";
	}
	axt_buf_adds(b, "}");
}

/* Writes the metadata of a node, and adds them to those of all. */
static int
put_json(const char *dir, const char *path, struct axt_buf *b, struct axt_buf *all,
    struct axt_err *e)
{
	char key[PATH];

	if (*path) {
		axt_buf_adds(all, all->n > 0 ? ", " : "");
		axt_json_string(all, path);
		axt_buf_adds(all, ": ");
		axt_buf_add(all, b->p, b->n);
	}

	if (b->bad)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else if (snprintf(key, sizeof(key), "%s%szarr.json", path, *path ? "/" : "") >=
	    (int)sizeof(key))
		axt_fail(e, AXT_E_LIMIT, "%s: a name is too long", dir);
	else
		put_file(dir, key, b->p, b->n, e);
	axt_buf_release(b);
	return e->code;
}

int
axt_zarr_put_group(const char *dir, const char *path, const struct axt_attr *attrs,
    struct axt_buf *all, struct axt_err *e)
{
	struct axt_buf b = { 0 };

	axt_buf_adds(&b, "{\"zarr_format\": 3, \"node_type\": \"group\", ");
	put_attrs(&b, attrs, AXT_U8);
	if (!*path && all->bad)
		b.bad = true;
	if (!*path) {
		axt_buf_adds(&b,
		    ", \"consolidated_metadata\": {\"kind\": \"inline\", \"must_understand\": false, "
		    "\"metadata\": {");
		if (all->n > 0)
			axt_buf_add(&b, all->p, all->n);
		axt_buf_adds(&b, "}}");
	}
	axt_buf_adds(&b, "}");
	return put_json(dir, path, &b, all, e);
}

static void
put_lengths(struct axt_buf *b, const struct axt_axes *x, const int64_t *chunk)
{
	axt_buf_adds(b, "[");
	for (int i = 0; i < x->n; i++)
		axt_buf_addf(b, "%s%lld", i > 0 ? ", " : "",
		    (long long)(chunk ? chunk[i] : x->a[i].len));
	axt_buf_adds(b, "]");
}

static void
put_type(struct axt_buf *b, const struct axt_zarr_new *a)
{
	const struct axt_dtype_info *d = &axt_dtypes[a->v->dtype];

	axt_buf_adds(b, ", \"data_type\": ");
	if (a->chars)
		axt_buf_addf(b,
		    "{\"name\": \"fixed_length_utf32\", \"configuration\": {\"length_bytes\": %lld}}, "
		    "\"fill_value\": \"\"",
		    (long long)(4 * a->chars));
	else
		axt_buf_addf(b, "\"%s\", \"fill_value\": %s", d->numpy,
		    d->cls == AXT_CLASS_COMPLEX     ? "[0.0, 0.0]"
			: d->cls == AXT_CLASS_FLOAT ? "0.0"
			: d->cls == AXT_CLASS_BOOL  ? "false"
						    : "0");
}

static int
put_meta(struct axt_arena *m, const struct axt_zarr_new *a, struct axt_err *e)
{
	const struct axt_axes *x = &a->v->axes;
	const struct axt_filter_use *f = a->filters.n > 0 ? a->filters.use : NULL;
	bool gzip = f && f->f == &axt_filters[AXT_FILTER_GZIP];
	const struct axt_attr *attrs = axt_enum_flags(m, a->v->attrs);
	const struct axt_attr *labels = axt_axes_labels(m, x);
	struct axt_buf b = { 0 };

	if (labels)
		attrs = axt_attr_set(m, attrs, labels);
	axt_buf_adds(&b, "{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": ");
	put_lengths(&b, x, NULL);
	put_type(&b, a);
	axt_buf_adds(&b,
	    ", \"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": ");
	put_lengths(&b, x, a->chunk);
	axt_buf_adds(&b,
	    "}}, \"chunk_key_encoding\": {\"name\": \"default\", \"configuration\": "
	    "{\"separator\": \"/\"}}, \"codecs\": [{\"name\": \"bytes\"");
	if (a->chars || axt_size(a->v->dtype) > 1)
		axt_buf_adds(&b, ", \"configuration\": {\"endian\": \"little\"}");
	axt_buf_adds(&b, "}");
	if (f)
		axt_buf_addf(&b, ", {\"name\": \"%s\", \"configuration\": {\"level\": %u%s}}",
		    gzip ? "gzip" : "zstd", f->param[0], gzip ? "" : ", \"checksum\": false");
	axt_buf_adds(&b, "], ");
	put_attrs(&b, attrs, a->v->dtype);
	axt_buf_adds(&b, ", \"dimension_names\": [");
	for (int i = 0; i < x->n; i++) {
		const char *name = axt_axis_spell(m, &x->a[i]);

		axt_buf_adds(&b, i > 0 ? ", " : "");
		axt_json_string(&b, name ? name : "");
	}
	axt_buf_adds(&b, "]}");
	return put_json(a->dir, a->path, &b, a->all, e);
}

/* ---- chunks ---- */

struct chunks {
	const struct axt_zarr_new *a;
	const struct axt_cut *cut;
	const int64_t *first;
};

static int
put_chunk(void *ctx, int64_t i, const void *p, size_t n, struct axt_err *e)
{
	const struct chunks *w = ctx;
	int64_t at[AXT_MAX_RANK];
	char key[PATH];
	int k = snprintf(key, sizeof(key), "%s/c", w->a->path);

	for (int d = w->cut->rank - 1; d >= 0; d--) {
		at[d] = w->first[d] + i % w->cut->grid[d];
		i /= w->cut->grid[d];
	}
	for (int d = 0; d < w->a->v->axes.n && k < (int)sizeof(key); d++)
		k += snprintf(key + k, sizeof(key) - (size_t)k, "/%lld", (long long)at[d]);
	if (k >= (int)sizeof(key))
		return axt_fail(e, AXT_E_LIMIT, "%s: a name is too long", w->a->dir);
	return put_file(w->a->dir, key, p, n, e);
}

int
axt_zarr_put_chunks(const struct axt_zarr_new *a, const struct axt_cut *box, const int64_t *first,
    struct axt_packers how, struct axt_err *e)
{
	how.put = put_chunk;
	how.ctx = &(struct chunks){ a, box, first };
	return axt_packers_run(box, &how, e);
}

int
axt_zarr_put_array(struct axt_arena *m, const struct axt_zarr_new *a, struct axt_packers how,
    struct axt_err *e)
{
	static const int64_t first[AXT_MAX_RANK];
	struct axt_cut cut;

	if (put_meta(m, a, e) || !a->data)
		return e->code;
	axt_cut_init(&cut, &a->v->axes, (int)(a->chars ? 4 * a->chars : axt_size(a->v->dtype)),
	    a->chunk, a->filters, a->data, -1, NULL);
	return axt_zarr_put_chunks(a, &cut, first, how, e);
}
