/*
 * directory.c - a store whose values are files in a directory. They are all opened relative to the
 * directory that was opened first, and not by its name, which another store may have got meanwhile.
 */
#include "zarr/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH 64 /* of groups in groups; links may lead in circles */
#define PATH 4096

/*
 * Whether the store, whose directory is open as dir, has the file `name` in its directory `path`.
 * If that cannot be found out, it is an error: to take a file for absent would lose a group, or
 * replace values by the fill value.
 */
static bool
is_there(const struct axt_store *s, int dir, const char *path, const char *name, struct axt_err *e)
{
	char key[PATH];

	errno = ENAMETOOLONG;
	if (snprintf(key, sizeof(key), "%s%s%s", path, *path ? "/" : "", name) < (int)sizeof(key) &&
	    faccessat(dir, key, F_OK, 0) == 0)
		return true;
	if (errno != ENOENT && errno != ENOTDIR)
		axt_store_fail(s, key, AXT_E_IO, strerror(errno), e);
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

/* Opens the value for reading; -1 with errno. */
static int
open_value(const struct axt_store *s, int dir, const char *key)
{
	int fd;

	if (!s->f->external)
		return axt_open_beneath_at(dir, key);
	do
		fd = openat(dir, key, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (fd < 0 && (errno == EMFILE || errno == ENFILE) && axt_file_spare());
	return axt_fd_high(fd);
}

static int
find_in(const struct axt_store *s, int dir, const char *key, struct axt_value *v, struct axt_err *e)
{
	struct stat st;
	int error;

	v->fd = open_value(s, dir, key);
	error = errno;
	/* a link to what is not there is no absent file */
	if (v->fd < 0 && error == ENOENT && fstatat(dir, key, &st, AT_SYMLINK_NOFOLLOW) &&
	    errno == ENOENT)
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

static int
find(const struct axt_store *s, const char *key, struct axt_value *v, struct axt_err *e)
{
	int dir = axt_file_take(s->f, e);

	if (dir < 0)
		return e->code;
	find_in(s, dir, key, v, e);
	axt_file_give(s->f);
	return e->code;
}

static int walk(const struct axt_store *s, int dir, struct axt_node_list *l, const char *path,
    int depth, struct axt_err *e);

/* Walks into the directories of a group, in which other groups and arrays may be. */
static int
walk_into(const struct axt_store *s, int dir, struct axt_node_list *l, const char *path, int depth,
    struct axt_err *e)
{
	int fd = openat(dir, *path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *x;
	char child[PATH];

	if (!d) {
		axt_store_fail(s, *path ? path : ".", AXT_E_IO, strerror(errno), e);
		if (fd >= 0)
			close(fd);
		return e->code;
	}
	while (!e->code && (x = readdir(d))) {
		/* also of a hidden directory, which any node may be */
		if (!axt_store_sane(x->d_name) ||
		    (x->d_type != DT_DIR && x->d_type != DT_LNK && x->d_type != DT_UNKNOWN))
			continue;
		if (snprintf(child, sizeof(child), "%s%s%s", path, *path ? "/" : "", x->d_name) <
		    (int)sizeof(child))
			walk(s, dir, l, child, depth + 1, e);
		else
			axt_store_fail(s, path, AXT_E_IO, strerror(ENAMETOOLONG), e);
	}
	closedir(d);
	return e->code;
}

/* Adds the node at a path, and those below it. */
static int
walk(const struct axt_store *s, int dir, struct axt_node_list *l, const char *path, int depth,
    struct axt_err *e)
{
	struct axt_zarr_node x = { .path = path };

	if (depth > DEPTH)
		return axt_store_fail(s, path, AXT_E_LIMIT, "is too many groups deep", e);
	if (is_there(s, dir, path, "zarr.json", e))
		x.version = 3;
	else if (!e->code && is_there(s, dir, path, ".zarray", e))
		x.version = 2;
	else if (!e->code && is_there(s, dir, path, ".zgroup", e))
		x = (struct axt_zarr_node){ path, 2, true };
	else
		return e->code;
	if (axt_zarr_nodes_add(s, l, x, e))
		return e->code;
	if (x.version == 2 && !x.group)
		return AXT_OK;
	return walk_into(s, dir, l, path, depth, e);
}

static int
nodes(const struct axt_store *s, struct axt_zarr_node **out, int *n, struct axt_err *e)
{
	struct axt_node_list l = { 0 };
	int dir = axt_file_take(s->f, e);

	if (dir >= 0) {
		walk(s, dir, &l, "", 0, e);
		axt_file_give(s->f);
	}
	return axt_zarr_nodes_end(s, &l, out, n, e);
}

const struct axt_store_kind axt_store_directory = { open_directory, find, nodes };
