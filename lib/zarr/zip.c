/*
 * zip.c - a store whose values are the entries of a zip archive, stored as they are or deflated.
 * source  PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3
 */
#include "zarr/store.h"

#include <errno.h>
#include <stdlib.h>

#include <libdeflate.h>

#define TAIL (65535 + 22 + 20) /* in which the end of the central directory is, with its locator */

enum { STORED = 0, DEFLATED = 8 };
enum { ENCRYPTED = 1 };

struct entry {
	const char *key;
	uint64_t head, packed, size; /* where its own header is; bytes stored, and unpacked */
	uint32_t crc;
	unsigned method, flags;
};
struct zip {
	struct axt_table table;
	struct entry *entry;
	int64_t n;
	/* that names of all entries begin with, where the archive is of the directory of a store */
	const char *top;
};

static int
damaged(const struct axt_store *s, const char *why, struct axt_err *e)
{
	char name[256];

	return axt_fail(e, AXT_E_DAMAGED, "%s: is damaged: %s",
	    axt_escape_to(name, sizeof(name), s->path), why);
}

/* Reads bytes of the archive. */
static int
get(const struct axt_store *s, uint64_t at, size_t n, void *out, struct axt_err *e)
{
	uint64_t size = (uint64_t)s->f->id.size;
	int fd;
	size_t have;

	if (at > size || n > size - at)
		return damaged(s, "its central directory tells of what lies behind its end", e);
	fd = axt_file_take(s->f, e);
	if (fd < 0)
		return e->code;
	have = axt_read_at(fd, out, n, at);
	axt_file_give(s->f);
	return have == n ? AXT_OK : axt_store_fail(s, ".", AXT_E_IO, strerror(errno), e);
}

/* ---- the central directory ---- */

struct end {
	uint64_t n, size, at;
};

/* The end of the central directory in zip64's form, to which the locator at p leads. */
static int
end64(const struct axt_store *s, const uint8_t *p, struct end *d, struct axt_err *e)
{
	uint8_t b[56];

	if (get(s, axt_le(p + 8, 8), sizeof(b), b, e))
		return e->code;
	if (memcmp(b, "PK\6\6", 4) != 0)
		return damaged(s, "the end of its central directory is not where it tells", e);
	*d = (struct end){ axt_le(b + 32, 8), axt_le(b + 40, 8), axt_le(b + 48, 8) };
	return AXT_OK;
}

/* Finds the end of the central directory. false: there is none, or an error. */
static bool
find_end(const struct axt_store *s, struct end *d, struct axt_err *e)
{
	uint64_t size = (uint64_t)s->f->id.size;
	size_t n = (size_t)MIN(size, (uint64_t)TAIL), i;
	uint8_t *p = malloc(n + 1);
	bool found = false;

	if (!p)
		axt_fail(e, AXT_E_MEM, "out of memory");
	if (p && n >= 22 && get(s, size - n, n, p, e) == AXT_OK) {
		for (i = n - 22 + 1; i-- > 0 && !found;)
			found = memcmp(p + i, "PK\5\6", 4) == 0;
		i++;
		if (found)
			*d = (struct end){ axt_le(p + i + 10, 2), axt_le(p + i + 12, 4),
				axt_le(p + i + 16, 4) };
		if (found && i >= 20 && memcmp(p + i - 20, "PK\6\7", 4) == 0)
			end64(s, p + i - 20, d, e);
	}
	free(p);
	return found && !e->code;
}

/* Lengths over 4 GiB are in an extra field. */
static void
extra64(const uint8_t *p, size_t n, struct entry *x)
{
	while (n >= 4) {
		size_t len = (size_t)axt_le(p + 2, 2), at = 4;
		uint64_t *const v[] = { &x->size, &x->packed, &x->head };

		if (len > n - 4)
			return;
		for (int i = 0; axt_le(p, 2) == 1 && i < ARRAY_LEN(v); i++)
			if (*v[i] == UINT32_MAX && at + 8 <= 4 + len) {
				*v[i] = axt_le(p + at, 8);
				at += 8;
			}
		p += 4 + len;
		n -= 4 + len;
	}
}

/* Parses one entry at p, of at most n bytes. Returns its bytes; 0: error. */
static size_t
parse(const struct axt_store *s, const uint8_t *p, size_t n, struct entry *x, struct axt_err *e)
{
	size_t name, extra, all;

	if (n < 46 || memcmp(p, "PK\1\2", 4) != 0)
		return damaged(s, "an entry of its central directory is none", e), 0;
	name = (size_t)axt_le(p + 28, 2);
	extra = (size_t)axt_le(p + 30, 2);
	all = 46 + name + extra + (size_t)axt_le(p + 32, 2);
	if (all > n)
		return damaged(s, "its central directory ends within an entry", e), 0;
	*x = (struct entry){ .flags = (unsigned)axt_le(p + 8, 2),
		.method = (unsigned)axt_le(p + 10, 2),
		.crc = axt_le32(p + 16),
		.packed = axt_le(p + 20, 4),
		.size = axt_le(p + 24, 4),
		.head = axt_le(p + 42, 4) };
	extra64(p + 46 + name, extra, x);
	x->key = axt_strndup(s->m, (const char *)p + 46, name);
	if (!x->key)
		return axt_fail(e, AXT_E_MEM, "out of memory"), 0;
	if (strlen(x->key) != name)
		return damaged(s, "the name of an entry has a zero in it", e), 0;
	return all;
}

static const struct entry *
entry_of(const struct zip *z, const char *key)
{
	for (const struct axt_entry *x = axt_table_first(&z->table, axt_hash(0, key, strlen(key)));
	     x; x = axt_table_next(x))
		if (strcmp(((const struct entry *)x->value)->key, key) == 0)
			return x->value;
	return NULL;
}

static int
directory(const struct axt_store *s, struct zip *z, const struct end *d, struct axt_err *e)
{
	uint8_t *p;
	size_t at = 0;

	if (d->size > axt_store_memory(s) / 4 || d->n > d->size / 46)
		return damaged(s, "its central directory has an impossible length", e);
	p = malloc((size_t)d->size + 1);
	z->entry = axt_alloc(s->m, (size_t)(d->n + 1) * sizeof(*z->entry));
	if (!p || !z->entry)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else
		get(s, d->at, (size_t)d->size, p, e);
	for (; !e->code && z->n < (int64_t)d->n; z->n++) {
		struct entry *x = &z->entry[z->n];

		at += parse(s, p + at, (size_t)d->size - at, x, e);
		if (!e->code && entry_of(z, x->key))
			axt_store_fail(s, x->key, AXT_E_DAMAGED, "is twice in the archive", e);
		if (!e->code &&
		    !axt_table_add(s->m, &z->table, axt_hash(0, x->key, strlen(x->key)), x))
			axt_fail(e, AXT_E_MEM, "out of memory");
	}
	free(p);
	return e->code;
}

/* ---- a store ---- */

static bool
is_meta(const char *key)
{
	const char *last = axt_last_part(key);

	for (int i = 0; i < ARRAY_LEN(axt_store_marks); i++)
		if (strcmp(last, axt_store_marks[i]) == 0)
			return true;
	return false;
}

/* Where its nodes begin: the shortest path with metadata. NULL: there are none. */
static const char *
top_of(const struct axt_store *s, const struct zip *z)
{
	const char *best = NULL;
	size_t n = SIZE_MAX;

	for (int64_t i = 0; i < z->n; i++) {
		const char *key = z->entry[i].key;
		size_t k = (size_t)(axt_last_part(key) - key);

		if (is_meta(key) && k < n) {
			n = k;
			best = key;
		}
	}
	return best ? axt_strndup(s->m, best, n) : NULL;
}

static bool
open_zip(struct axt_store *s, struct axt_err *e)
{
	struct zip *z;
	struct end d;
	uint8_t magic[4];

	if (s->f->directory || s->f->id.size < 22 || get(s, 0, 4, magic, e) ||
	    memcmp(magic, "PK", 2) != 0 || !find_end(s, &d, e))
		return false;
	z = axt_alloc(s->m, sizeof(*z));
	if (!z || directory(s, z, &d, e) || !(z->top = top_of(s, z))) {
		/* what is no store is told of by the caller, also where it is damaged */
		if (axt_arena_failed(s->m))
			axt_fail(e, AXT_E_MEM, "out of memory");
		return false;
	}
	s->own = z;
	return true;
}

/* Unpacks a deflated entry, whose bytes begin at `at`, into memory of the value. */
static int
inflate(const struct axt_store *s, const struct entry *x, uint64_t at, struct axt_value *v,
    struct axt_err *e)
{
	struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
	uint8_t *in = NULL, *out = NULL;
	size_t n = 0;

	if (x->size > MIN(v->most ? v->most : UINT64_MAX, axt_store_memory(s)))
		axt_store_fail(s, x->key, AXT_E_LIMIT, "unpacks to more bytes than it may have", e);
	else if (x->size / 1032 > x->packed)
		axt_store_fail(s, x->key, AXT_E_DAMAGED, "is too small for what it is to unpack to",
		    e);
	else if (!z || !(in = malloc((size_t)x->packed + 1)) ||
	    !(out = malloc((size_t)x->size + 1)))
		axt_fail(e, AXT_E_MEM, "out of memory");
	else if (get(s, at, (size_t)x->packed, in, e) == AXT_OK &&
	    (libdeflate_deflate_decompress(z, in, (size_t)x->packed, out, (size_t)x->size, &n) !=
		    LIBDEFLATE_SUCCESS ||
		n != x->size))
		axt_store_fail(s, x->key, AXT_E_DAMAGED, "does not inflate", e);
	free(in);
	if (z)
		libdeflate_free_decompressor(z);
	v->mem = v->kept = out;
	return e->code;
}

static int
find(const struct axt_store *s, const char *key, struct axt_value *v, struct axt_err *e)
{
	const struct zip *z = s->own;
	const struct entry *x;
	uint8_t head[30];
	char full[4096];
	uint64_t at;

	if (snprintf(full, sizeof(full), "%s%s", z->top, key) >= (int)sizeof(full) ||
	    !(x = entry_of(z, full)))
		return AXT_OK;
	v->there = true;
	v->size = x->size;
	v->summed = true;
	v->crc = x->crc;
	if (x->flags & ENCRYPTED)
		return axt_store_fail(s, key, AXT_E_DTYPE, "is encrypted", e);
	if (x->method != STORED && x->method != DEFLATED)
		return axt_store_fail(s, key, AXT_E_DTYPE,
		    "is packed by a method of zip that is not supported", e);
	if (x->method == STORED && x->size != x->packed)
		return axt_store_fail(s, key, AXT_E_DAMAGED, "has two lengths", e);
	if (get(s, x->head, sizeof(head), head, e))
		return e->code;
	if (memcmp(head, "PK\3\4", 4) != 0)
		return axt_store_fail(s, key, AXT_E_DAMAGED,
		    "is not where the central directory tells", e);
	at = x->head + sizeof(head) + axt_le(head + 26, 2) + axt_le(head + 28, 2);
	if (at > (uint64_t)s->f->id.size || x->packed > (uint64_t)s->f->id.size - at)
		return axt_store_fail(s, key, AXT_E_DAMAGED, "reaches behind the end of the file",
		    e);
	if (x->method == DEFLATED)
		return inflate(s, x, at, v, e);
	v->at = at;
	v->fd = axt_file_take(s->f, e);
	v->given = v->fd < 0 ? NULL : s->f;
	return e->code;
}

static int
nodes(const struct axt_store *s, struct axt_zarr_node **out, int *n, struct axt_err *e)
{
	const struct zip *z = s->own;
	struct axt_node_list l = { 0 };
	size_t top = strlen(z->top);

	for (int64_t i = 0; i < z->n && !e->code; i++)
		if (strncmp(z->entry[i].key, z->top, top) == 0)
			axt_zarr_nodes_key(s, &l, z->entry[i].key + top, e);
	return axt_zarr_nodes_end(s, &l, out, n, e);
}

const struct axt_store_kind axt_store_zip = { open_zip, find, nodes };
