/*
 * references.c - a store whose values stand in a document of JSON, or are ranges of other files, as
 * kerchunk writes it, in its versions 0 and 1.
 */
#define _GNU_SOURCE
#include "zarr/json.h"
#include "zarr/store.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DOCUMENT ((int64_t)1 << 30)

/* A file that values are ranges of. */
struct target {
	const char *url;     /* as the document has it */
	const char *path;    /* without links */
	const char *beneath; /* the same from the folder on; NULL: it may be anywhere */
	const char *why;     /* why it is not read, or NULL */
	bool outside;        /* that is because of where it is */
	struct axt_file_id id;
};
struct reference {
	const char *key;
	const uint8_t *mem; /* the value, or NULL */
	struct target *target;
	uint64_t at, size;
	bool whole; /* all of the file */
};
struct references {
	struct axt_table table, targets;
	struct reference **list; /* in the order of the document */
	int64_t n, cap;
	const struct axt_json *templates;
	const char *folder; /* of the reference file, without links; NULL: that is not known */
};
/* The document while it is parsed. */
struct parse {
	struct axt_store *s;
	struct references *r;
	struct axt_err *e;
};

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

static const struct reference *
reference_of(const struct references *r, const char *key)
{
	for (const struct axt_entry *x = axt_table_first(&r->table, axt_hash(0, key, strlen(key)));
	     x; x = axt_table_next(x))
		if (strcmp(((const struct reference *)x->value)->key, key) == 0)
			return x->value;
	return NULL;
}

/* ---- the files that are referred to ---- */

/* The folder of the reference file, without links; NULL: errno. */
static const char *
folder_of(const struct axt_store *s)
{
	const char *last = axt_last_part(s->path), *out;
	char *dir = last == s->path ? strdup(".") : strndup(s->path, (size_t)(last - s->path)),
	     *real = dir ? realpath(dir, NULL) : NULL;

	out = real ? axt_strdup(s->m, real) : NULL;
	free(dir);
	free(real);
	return out;
}

/* The path without links; a relative one begins in the folder or, where there is none, here. */
static char *
path_of(const char *folder, const char *bare)
{
	char *beside = NULL, *path = NULL;

	if (folder && bare[0] != '/' && (beside = malloc(strlen(folder) + strlen(bare) + 2)))
		sprintf(beside, "%s/%s", folder, bare);
	if (beside)
		path = realpath(beside, NULL);
	free(beside);
	return path ? path : realpath(bare, NULL);
}

/*
 * Opens the file of a target. If the file has to be in the folder of the document or below, no link
 * is followed that leads out of it, even one that was put there after the path was checked.
 */
static int
open_file(const struct references *r, const struct target *t)
{
	return t->beneath ? axt_open_beneath(r->folder, t->beneath) : axt_open_reading(t->path);
}

/* Finds the file at a path, unless that is not in the folder of the reference file or below. */
static int
identify(const struct axt_store *s, const struct references *r, struct target *t, const char *path)
{
	size_t n = r->folder ? strlen(r->folder) : 0;
	bool inside = n > 0 && strncmp(path, r->folder, n) == 0 && (n == 1 || path[n] == '/');
	struct stat st;
	int fd, bad;

	t->outside = !s->f->external && !inside;
	t->path = axt_strdup(s->m, path);
	if (t->outside || !t->path)
		return 0;
	t->beneath = s->f->external ? NULL : t->path + n + (n > 1);
	fd = open_file(r, t);
	bad = fd < 0 || fstat(fd, &st);
	if (!bad)
		axt_file_identify(&st, &t->id);
	if (fd >= 0)
		close(fd);
	return bad;
}

/* Finds the file of a target, or why it is not read. */
static void
locate(const struct axt_store *s, const struct references *r, struct target *t)
{
	const char *bare = strncmp(t->url, "file://", 7) == 0 ? t->url + 7 : t->url;
	char *path, name[256];

	axt_escape_to(name, sizeof(name), t->url);
	if (strstr(bare, "://") || strstr(bare, "::")) {
		t->why = axt_sprintf(s->m, "refers to %s, and axt reads files", name);
		return;
	}
	path = path_of(r->folder, bare);
	if (!path || identify(s, r, t, path))
		t->why = axt_sprintf(s->m, "refers to %s: %s", name, strerror(errno));
	else if (t->outside)
		t->why = axt_sprintf(s->m,
		    "refers to %s, which is not in the folder of the reference file", name);
	free(path);
}

/* ---- the document ---- */

/* A value that stands in the document. */
static bool
inlined(struct parse *p, struct reference *x, const struct axt_json *j)
{
	size_t n = 0;
	const char *s = axt_json_bytes(j, &n);

	if (axt_json_type(j) == AXT_JSON_OBJECT) { /* metadata as they are */
		s = axt_json_print(p->s->m, j);
		n = s ? strlen(s) : 0;
	}
	if (!s)
		return nomem(p->e), false;
	if (n >= 7 && memcmp(s, "base64:", 7) == 0)
		x->mem = axt_zarr_base64(p->s->m, s + 7, n - 7, &x->size);
	else if ((x->mem = (uint8_t *)axt_alloc(p->s->m, n + 1)))
		memcpy((uint8_t *)(uintptr_t)x->mem, s, x->size = n);
	if (!x->mem)
		axt_store_fail(p->s, x->key, AXT_E_DAMAGED, "is no base64", p->e);
	return !p->e->code;
}

/* Adds the template that the text begins with, as "{{name}}"; returns what follows. NULL: error. */
static const char *
put_template(struct parse *p, const char *key, const char *s, struct axt_buf *b)
{
	const char *close = strstr(s, "}}"),
		   *name = close ? axt_strndup(p->s->m, s + 2, (size_t)(close - s - 2)) : NULL,
		   *by = name ? axt_json_text(axt_json_get(p->r->templates, name)) : NULL;

	if (!by || strstr(by, "{{")) {
		axt_store_fail(p->s, key, AXT_E_DTYPE,
		    "refers to a template that is not there, or not plain text", p->e);
		return NULL;
	}
	axt_buf_adds(b, by);
	return close + 2;
}

/* The text with each {{name}} replaced by the template of that name. NULL: error. */
static const char *
filled_in(struct parse *p, const char *key, const char *s)
{
	struct axt_buf b = { 0 };
	const char *open;

	while (!p->e->code && (open = strstr(s, "{{"))) {
		axt_buf_add(&b, s, (size_t)(open - s));
		if (b.n > PATH_MAX)
			axt_store_fail(p->s, key, AXT_E_LIMIT,
			    "refers to an address that is too long", p->e);
		else
			s = put_template(p, key, open, &b);
	}
	if (p->e->code) {
		axt_buf_release(&b);
		return NULL;
	}
	axt_buf_adds(&b, s);
	s = axt_buf_text(p->s->m, &b);
	if (!s)
		nomem(p->e);
	return s;
}

static struct target *
target_of(struct parse *p, const char *url)
{
	uint64_t hash = axt_hash(0, url, strlen(url));
	struct target *t;

	for (const struct axt_entry *x = axt_table_first(&p->r->targets, hash); x;
	     x = axt_table_next(x)) {
		t = x->value;
		if (strcmp(t->url, url) == 0)
			return t;
	}
	t = axt_alloc(p->s->m, sizeof(*t));
	if (!t || !(t->url = axt_strdup(p->s->m, url)) ||
	    !axt_table_add(p->s->m, &p->r->targets, hash, t))
		return nomem(p->e), NULL;
	locate(p->s, p->r, t);
	return t;
}

/* A range of another file: its address, and where there are two more items, offset and length. */
static bool
range(struct parse *p, struct reference *x, const struct axt_json *j)
{
	const char *url = axt_json_text(axt_json_item(j, 0));
	size_t n = axt_json_count(j);
	int64_t at = 0, size = 0;

	if (!url || (n != 1 && n != 3) ||
	    (n == 3 &&
		(!axt_json_int(axt_json_item(j, 1), 0, INT64_MAX, &at) ||
		    !axt_json_int(axt_json_item(j, 2), 0, INT64_MAX, &size))))
		return axt_store_fail(p->s, x->key, AXT_E_DAMAGED,
			   "is no list of an address, an offset and a length", p->e),
		       false;
	url = filled_in(p, x->key, url);
	if (!url || !(x->target = target_of(p, url)))
		return false;
	x->at = (uint64_t)at;
	x->size = (uint64_t)size;
	x->whole = n == 1;
	return true;
}

static bool
add(void *ctx, const char *key, const struct axt_json *j)
{
	struct parse *p = ctx;
	struct references *r = p->r;
	struct reference *x = axt_alloc(p->s->m, sizeof(*x));
	bool ok;

	if (!x || !(x->key = axt_strdup(p->s->m, key)))
		return nomem(p->e), false;
	if (axt_json_type(j) == AXT_JSON_ARRAY)
		ok = range(p, x, j);
	else if (axt_json_type(j) == AXT_JSON_STRING || axt_json_type(j) == AXT_JSON_OBJECT)
		ok = inlined(p, x, j);
	else
		ok = (axt_store_fail(p->s, key, AXT_E_DAMAGED, "is no reference", p->e), false);
	if (!ok)
		return false;
	if (r->n == r->cap) {
		int64_t cap = MAX(256, 2 * r->cap);
		struct reference **list = axt_alloc(p->s->m, (size_t)cap * sizeof(*list));

		if (!list)
			return nomem(p->e), false;
		if (r->n > 0)
			memcpy(list, r->list, (size_t)r->n * sizeof(*list));
		r->list = list;
		r->cap = cap;
	}
	r->list[r->n++] = x;
	if (!axt_table_add(p->s->m, &r->table, axt_hash(0, key, strlen(key)), x))
		nomem(p->e);
	return !p->e->code;
}

/* The object that has the references; NULL: it is another document. */
static const struct axt_json *
references(const struct axt_json *doc)
{
	const struct axt_json *refs = axt_json_get(doc, "refs");

	if (axt_json_type(refs) == AXT_JSON_OBJECT)
		return refs;
	return axt_json_get(doc, ".zgroup") || axt_json_get(doc, ".zarray") ||
		axt_json_get(doc, ".zmetadata")
	    ? doc
	    : NULL;
}

/* Whether a text may have references: other documents are not parsed, which may take long. */
static bool
has_references(const uint8_t *text, size_t n)
{
	static const char *const names[] = { "\"refs\"", "\".zgroup\"", "\".zarray\"",
		"\".zmetadata\"" };

	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (memmem(text, n, names[i], strlen(names[i])))
			return true;
	return false;
}

/* All of the document; NULL: it begins as no JSON does, or an error. */
static uint8_t *
contents(const struct axt_store *s, size_t *n, struct axt_err *e)
{
	struct axt_value v = { .there = true, .size = (uint64_t)s->f->id.size };
	uint8_t *p = NULL;
	char first[64];
	size_t k = (size_t)MIN(s->f->id.size, (int64_t)sizeof(first)), i = 0;

	v.fd = axt_file_take(s->f, e);
	v.given = v.fd < 0 ? NULL : s->f;
	if (v.fd >= 0 && axt_value_read(s, ".", &v, 0, k, first, e) == AXT_OK) {
		while (i < k && first[i] && strchr(" \t\r\n", first[i]))
			i++;
		*n = (size_t)v.size;
		if (i < k && first[i] == '{' && v.size <= (uint64_t)MAX_DOCUMENT &&
		    v.size <= axt_store_memory(s))
			p = malloc(*n + 1);
		if (p && axt_value_read(s, ".", &v, 0, *n, p, e)) {
			free(p);
			p = NULL;
		}
	}
	axt_value_close(&v);
	return p;
}

static bool
open_references(struct axt_store *s, struct axt_err *e)
{
	struct references *r;
	struct parse p = { .s = s, .e = e };
	const struct axt_json *refs;
	struct axt_json *doc;
	const char *why = NULL;
	uint8_t *text;
	size_t n = 0;

	if (s->f->directory || s->f->id.size < 2 || !(text = contents(s, &n, e)))
		return false;
	doc = has_references(text, n) ? axt_json_parse(text, n, axt_store_memory(s), &why) : NULL;
	free(text);
	if (why == axt_json_too_large)
		axt_store_fail(s, ".", AXT_E_LIMIT, why, e);
	refs = references(doc);
	r = p.r = refs ? axt_alloc(s->m, sizeof(*r)) : NULL;
	if (r) {
		r->folder = folder_of(s);
		r->templates = axt_json_get(doc, "templates");
		if (axt_json_count(axt_json_get(doc, "gen")) > 0)
			axt_store_fail(s, "gen", AXT_E_DTYPE, "generated references are not read",
			    e);
		else
			axt_json_each(refs, add, &p);
		r->templates = NULL;
		s->own = r;
	}
	axt_json_free(doc);
	return r && !e->code;
}

/* ---- values ---- */

/* Opens a target, which has to be the file that it was when the references were read. */
static int
open_target(const struct axt_store *s, const char *key, const struct target *t, struct axt_value *v,
    struct axt_err *e)
{
	struct axt_file_id id;
	struct stat st;

	if (t->why) {
		axt_store_fail(s, key, AXT_E_IO, t->why, e);
		if (t->outside)
			axt_hint(e, "--allow-external reads it all the same");
		return e->code;
	}
	v->fd = open_file(s->own, t);
	v->own = v->fd >= 0;
	if (v->fd < 0 || fstat(v->fd, &st))
		return axt_store_fail(s, key, AXT_E_IO, strerror(errno), e);
	axt_file_identify(&st, &id);
	if (!axt_file_same(&id, &t->id))
		return axt_store_fail(s, key, AXT_E_CHANGED,
		    "the file that it refers to changed while being read", e);
	v->size = (uint64_t)st.st_size;
	return S_ISREG(st.st_mode) ? AXT_OK
				   : axt_store_fail(s, key, AXT_E_DAMAGED, "refers to no file", e);
}

static int
find(const struct axt_store *s, const char *key, struct axt_value *v, struct axt_err *e)
{
	const struct reference *x = reference_of(s->own, key);

	if (!x)
		return AXT_OK;
	v->there = true;
	v->mem = x->mem;
	if (!x->mem && open_target(s, key, x->target, v, e))
		return e->code;
	if (!x->mem && !x->whole && (x->at > v->size || x->size > v->size - x->at))
		return axt_store_fail(s, key, AXT_E_DAMAGED,
		    "refers to what lies behind the end of a file", e);
	if (!x->whole)
		v->size = x->size;
	v->at = x->at;
	return AXT_OK;
}

static int
nodes(const struct axt_store *s, struct axt_zarr_node **out, int *n, struct axt_err *e)
{
	const struct references *r = s->own;
	struct axt_node_list l = { 0 };

	for (int64_t i = 0; i < r->n && !e->code; i++)
		axt_zarr_nodes_key(s, &l, r->list[i]->key, e);
	return axt_zarr_nodes_end(s, &l, out, n, e);
}

const struct axt_store_kind axt_store_references = { open_references, find, nodes };
