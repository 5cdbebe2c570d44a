/* store.c - values of stores of all kinds, and lists of nodes. */
#define _GNU_SOURCE
#include "bytes/src.h"
#include "zarr/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libdeflate.h>
#include <linux/openat2.h>

#define MAX_NODES 100000

int
axt_store_fail(const struct axt_store *s, const char *key, enum axt_code code, const char *why,
    struct axt_err *e)
{
	char file[256], name[256];

	return axt_fail(e, code, "%s: %s: %s", axt_escape_to(file, sizeof(file), s->path),
	    axt_escape_to(name, sizeof(name), key), why);
}

bool
axt_store_sane(const char *key)
{
	for (;;) {
		size_t n = strcspn(key, "/");

		if (n == 0 || (n <= 2 && strncmp(key, "..", n) == 0))
			return false;
		if (!key[n])
			return true;
		key += n + 1;
	}
}

uint64_t
axt_store_memory(const struct axt_store *s)
{
	int64_t most = s->f->src->memory;

	return most > 0 ? (uint64_t)MAX(most, (int64_t)32 << 20) : UINT64_MAX;
}

/* ---- files that may be links ---- */

enum { READING = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* The same where the kernel does not look after links: none is followed. */
static int
open_parts(int dir, const char *key)
{
	char part[NAME_MAX + 1];
	int fd = dir, next = -1;

	for (;;) {
		size_t n = strcspn(key, "/");

		errno = ENAMETOOLONG;
		next = -1;
		if (n < sizeof(part)) {
			snprintf(part, sizeof(part), "%.*s", (int)n, key);
			next = openat(fd, part,
			    O_NOFOLLOW | (key[n] ? O_PATH | O_DIRECTORY | O_CLOEXEC : READING));
		}
		if (fd != dir)
			close(fd);
		if (next < 0 || !key[n])
			return next;
		fd = next;
		key += n + 1;
	}
}

/* Whether to open again. EAGAIN: a directory on the way was renamed meanwhile. */
static bool
is_worth_another(int error)
{
	return error == EAGAIN || ((error == EMFILE || error == ENFILE) && axt_file_spare());
}

int
axt_open_beneath_at(int dir, const char *key)
{
	struct open_how how = { .flags = READING, .resolve = RESOLVE_BENEATH };
	int fd;

	errno = EXDEV;
	if (!axt_store_sane(key))
		return -1;
	do {
		fd = (int)syscall(__NR_openat2, dir, key, &how, sizeof(how));
		if (fd < 0 && (errno == ENOSYS || errno == EPERM))
			fd = open_parts(dir, key);
	} while (fd < 0 && is_worth_another(errno));
	return axt_fd_high(fd);
}

int
axt_open_beneath(const char *directory, const char *key)
{
	int dir, fd, was;

	do
		dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	while (dir < 0 && is_worth_another(errno));
	fd = dir < 0 ? -1 : axt_open_beneath_at(dir, key);
	was = errno;
	if (dir >= 0)
		close(dir);
	errno = was;
	return fd;
}

/* ---- values ---- */

int
axt_value_read(const struct axt_store *s, const char *key, const struct axt_value *v, uint64_t at,
    size_t n, void *out, struct axt_err *e)
{
	size_t have;

	if (at > v->size || n > v->size - at)
		return axt_store_fail(s, key, AXT_E_DAMAGED, "is too short", e);
	if (v->mem)
		memcpy(out, v->mem + at, have = n);
	else
		have = axt_read_at(v->fd, out, n, v->at + at);
	if (have == n && v->summed && n == v->size && libdeflate_crc32(0, out, n) != v->crc)
		return axt_store_fail(s, key, AXT_E_DAMAGED, "checksum differs", e);
	if (have == n)
		return AXT_OK;
	return errno ? axt_store_fail(s, key, AXT_E_IO, strerror(errno), e)
		     : axt_store_fail(s, key, AXT_E_CHANGED, "became shorter while being read", e);
}

void
axt_value_close(struct axt_value *v)
{
	if (v->own)
		close(v->fd);
	if (v->given)
		axt_file_give(v->given);
	free(v->kept);
	*v = (struct axt_value){ 0 };
}

uint8_t *
axt_store_whole(const struct axt_store *s, const char *key, size_t most, size_t *n,
    struct axt_err *e)
{
	struct axt_value v = { .most = most };
	uint8_t *p = NULL;

	*n = 0;
	if (s->kind->find(s, key, &v, e) == AXT_OK && v.there) {
		if (v.size > most)
			axt_store_fail(s, key, AXT_E_LIMIT, "is too large", e);
		else if (!(p = malloc((size_t)v.size + 1)))
			axt_fail(e, AXT_E_MEM, "out of memory");
		else
			axt_value_read(s, key, &v, 0, *n = (size_t)v.size, p, e);
	}
	axt_value_close(&v);
	if (e->code) {
		free(p);
		p = NULL;
	}
	return p;
}

/* ---- nodes ---- */

int
axt_zarr_nodes_add(const struct axt_store *s, struct axt_node_list *l, struct axt_zarr_node x,
    struct axt_err *e)
{
	char name[256];

	if (l->n == MAX_NODES)
		return axt_fail(e, AXT_E_LIMIT, "%s: holds over %d groups and arrays",
		    axt_escape_to(name, sizeof(name), s->path), MAX_NODES);
	if (l->n == l->cap) {
		int cap = MAX(64, 2 * l->cap);
		struct axt_zarr_node *p = realloc(l->node, (size_t)cap * sizeof(*p));

		if (!p)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		l->node = p;
		l->cap = cap;
	}
	x.path = axt_strdup(s->m, x.path);
	if (!x.path)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	l->node[l->n++] = x;
	return AXT_OK;
}

int
axt_zarr_nodes_key(const struct axt_store *s, struct axt_node_list *l, const char *key,
    struct axt_err *e)
{
	static const struct {
		const char *name;
		int version;
		bool group;
	} ends[] = { { ".zarray", 2, false }, { ".zgroup", 2, true }, { "zarr.json", 3, false } };
	const char *slash = strrchr(key, '/'), *last = slash ? slash + 1 : key;
	struct axt_zarr_node x = { .path = "" };

	for (int i = 0; i < ARRAY_LEN(ends); i++) {
		if (strcmp(last, ends[i].name) != 0)
			continue;
		x.version = ends[i].version;
		x.group = ends[i].group;
		if (slash && !(x.path = axt_strndup(s->m, key, (size_t)(slash - key))))
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (slash && !axt_store_sane(x.path))
			return axt_store_fail(s, key, AXT_E_DAMAGED, "is no name of a node", e);
		return axt_zarr_nodes_add(s, l, x, e);
	}
	return AXT_OK;
}

static int
by_path(const void *a, const void *b)
{
	const struct axt_zarr_node *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	return c ? c : y->version - x->version;
}

int
axt_zarr_nodes_end(const struct axt_store *s, struct axt_node_list *l, struct axt_zarr_node **out,
    int *n, struct axt_err *e)
{
	int k = 0;

	*out = NULL;
	*n = 0;
	if (!e->code && !(*out = axt_alloc(s->m, (size_t)(l->n + 1) * sizeof(**out))))
		axt_fail(e, AXT_E_MEM, "out of memory");
	if (!e->code && l->n > 0) {
		qsort(l->node, (size_t)l->n, sizeof(*l->node), by_path);
		/* where a node has metadata of both versions, those of version 3 count */
		for (int i = 0; i < l->n; i++)
			if (k == 0 || strcmp((*out)[k - 1].path, l->node[i].path) != 0)
				(*out)[k++] = l->node[i];
		*n = k;
	}
	free(l->node);
	*l = (struct axt_node_list){ 0 };
	return e->code;
}
