/* directory.c - a store whose values are files in a directory. */
#include "zarr/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH 64 /* of groups in groups; links may lead in circles */
#define PATH 4096

/*
 * Whether the directory has the file. What cannot be looked at is an error: it may be there, and
 * to take it for absent would lose a group, or make fill values of what was written.
 */
static bool
is_there(const struct axt_store *s, const char *dir, const char *name, struct axt_err *e)
{
	char path[PATH];

	errno = ENAMETOOLONG;
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	    access(path, F_OK) == 0)
		return true;
	if (errno != ENOENT && errno != ENOTDIR)
		axt_store_fail(s, path + MIN(strlen(s->path) + 1, strlen(path)), AXT_E_IO,
		    strerror(errno), e);
	return false;
}

/* Says why a file of the store cannot be opened. */
static int
not_opened(const struct axt_store *s, const char *key, int error, struct axt_err *e)
{
	if (error != EXDEV)
		return axt_store_fail(s, key, AXT_E_IO, strerror(error), e);
	axt_store_fail(s, key, AXT_E_IO, "is behind a link that leads out of the store", e);
	axt_hint(e, "--allow-external reads it all the same");
	return e->code;
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
	int error;

	if (snprintf(path, sizeof(path), "%s/%s", s->path, key) >= (int)sizeof(path))
		return axt_store_fail(s, key, AXT_E_IO, strerror(ENAMETOOLONG), e);
	v->fd = s->f->external ? axt_open_reading(path) : axt_open_beneath(s->path, key);
	error = errno;
	/* a link to what is not there is no absent file */
	if (v->fd < 0 && error == ENOENT && lstat(path, &st) && errno == ENOENT)
		return AXT_OK;
	if (v->fd < 0)
		return not_opened(s, key, error, e);
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
		/* also of a hidden directory, which any node may be */
		if (!axt_store_sane(x->d_name) ||
		    (x->d_type != DT_DIR && x->d_type != DT_LNK && x->d_type != DT_UNKNOWN))
			continue;
		if (snprintf(child, sizeof(child), "%s%s%s", path, *path ? "/" : "", x->d_name) <
		    (int)sizeof(child))
			walk(s, l, child, depth + 1, e);
		else
			axt_store_fail(s, path, AXT_E_IO, strerror(ENAMETOOLONG), e);
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

	if (depth > DEPTH)
		return axt_store_fail(s, path, AXT_E_LIMIT, "is too many groups deep", e);
	if (snprintf(full, sizeof(full), "%s%s%s", s->path, *path ? "/" : "", path) >=
	    (int)sizeof(full))
		return axt_store_fail(s, path, AXT_E_IO, strerror(ENAMETOOLONG), e);
	if (is_there(s, full, "zarr.json", e))
		x.version = 3;
	else if (!e->code && is_there(s, full, ".zarray", e))
		x.version = 2;
	else if (!e->code && is_there(s, full, ".zgroup", e))
		x = (struct axt_zarr_node){ path, 2, true };
	else
		return e->code;
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
