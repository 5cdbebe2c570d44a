/* directory.c - a store whose values are files in a directory. */
#include "zarr/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH 64 /* of groups in groups; links may lead in circles */
#define PATH 4096

static bool
is_there(const char *dir, const char *name)
{
	char path[PATH];

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	    access(path, F_OK) == 0;
}

static bool
open_directory(struct axt_store *s, struct axt_err *e)
{
	(void)e;
	return s->f->directory && axt_is_store(s->path);
}

static int
find(const struct axt_store *s, const char *key, struct axt_value *v, struct axt_err *e)
{
	char path[PATH];
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", s->path, key) >= (int)sizeof(path))
		return axt_store_fail(s, key, AXT_E_IO, strerror(ENAMETOOLONG), e);
	v->fd = axt_open_reading(path);
	if (v->fd < 0 && axt_is_absent(errno))
		return AXT_OK;
	if (v->fd < 0)
		return axt_store_fail(s, key, AXT_E_IO, strerror(errno), e);
	v->own = v->there = true;
	if (fstat(v->fd, &st))
		return axt_store_fail(s, key, AXT_E_IO, strerror(errno), e);
	if (!S_ISREG(st.st_mode))
		return axt_store_fail(s, key, AXT_E_DAMAGED, "is no file", e);
	v->size = (uint64_t)st.st_size;
	return AXT_OK;
}

static int walk(const struct axt_store *s, struct axt_node_list *l, const char *path, int depth,
    struct axt_err *e);

/* Walks into the directories of a group, in which other groups and arrays may be. */
static int
walk_into(const struct axt_store *s, struct axt_node_list *l, const char *path, const char *full,
    int depth, struct axt_err *e)
{
	DIR *d = opendir(full);
	const struct dirent *x;
	char child[PATH];

	if (!d)
		return axt_store_fail(s, *path ? path : ".", AXT_E_IO, strerror(errno), e);
	while (!e->code && (x = readdir(d))) {
		if (x->d_name[0] == '.' ||
		    (x->d_type != DT_DIR && x->d_type != DT_LNK && x->d_type != DT_UNKNOWN))
			continue;
		if (snprintf(child, sizeof(child), "%s%s%s", path, *path ? "/" : "", x->d_name) <
		    (int)sizeof(child))
			walk(s, l, child, depth + 1, e);
	}
	closedir(d);
	return e->code;
}

/* Adds the node at a path, and those below it. */
static int
walk(const struct axt_store *s, struct axt_node_list *l, const char *path, int depth,
    struct axt_err *e)
{
	struct axt_zarr_node x = { .path = path };
	char full[PATH];

	if (depth > DEPTH ||
	    snprintf(full, sizeof(full), "%s%s%s", s->path, *path ? "/" : "", path) >=
		(int)sizeof(full))
		return AXT_OK;
	if (is_there(full, "zarr.json"))
		x.version = 3;
	else if (is_there(full, ".zarray"))
		x.version = 2;
	else if (is_there(full, ".zgroup"))
		x = (struct axt_zarr_node){ path, 2, true };
	else
		return AXT_OK;
	if (axt_zarr_nodes_add(s, l, x, e))
		return e->code;
	if (x.version == 2 && !x.group)
		return AXT_OK;
	return walk_into(s, l, path, full, depth, e);
}

static int
nodes(const struct axt_store *s, struct axt_zarr_node **out, int *n, struct axt_err *e)
{
	struct axt_node_list l = { 0 };

	walk(s, &l, "", 0, e);
	return axt_zarr_nodes_end(s, &l, out, n, e);
}

const struct axt_store_kind axt_store_directory = { open_directory, find, nodes };
