/* hidden.c - the directory that a store is written in, its name, and what killed commands left. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "bytes/output.h"
#include "zarr/write/hidden.h"

#define MARK ".axt-unfinished" /* a file in a directory that is no store yet, or no more */
#define PATIENCE 1000          /* milliseconds to wait for readers of a store that is replaced */
#define TURN 5                 /* after so many each it is looked whether they have ended */

/* ---- removing ---- */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	if (f->level == 0 || (f->level == 1 && strcmp(path + f->base, MARK) == 0))
		return 0;
	return type == FTW_DP || type == FTW_DNR ? rmdir(path) : unlink(path);
}

/*
 * Removes a directory. A mark is put into it before anything else is removed, and goes last; so if
 * the process ends half way, a later command recognises what is left. The metadata of the root go
 * first, so that readers of the store see that it is being removed.
 */
static void
remove_tree(const char *path)
{
	int was = errno, dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), mark;

	axt_reach();
	mark = dir < 0 ? -1 : openat(dir, MARK, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (mark >= 0)
		close(mark);
	for (int i = 0; dir >= 0 && i < ARRAY_LEN(axt_store_marks); i++)
		unlinkat(dir, axt_store_marks[i], 0);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	if (dir >= 0)
		unlinkat(dir, MARK, 0);
	/* another process of a job has put a file there meanwhile: a later command removes it */
	if (rmdir(path) && errno == ENOTEMPTY && dir >= 0) {
		mark = openat(dir, MARK, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (mark >= 0)
			close(mark);
	}
	if (dir >= 0)
		close(dir);
	errno = was;
}

static void
release(struct axt_hidden *h)
{
	if (h->fd >= 0)
		close(h->fd);
	axt_folder_forget(h->slot);
	free(h->path);
	*h = (struct axt_hidden){ .fd = -1, .slot = -1 };
}

void
axt_hidden_drop(struct axt_hidden *h)
{
	if (h->path)
		remove_tree(h->path);
	release(h);
}

/* ---- making ---- */

static bool
is_named(int fd, const char *path)
{
	struct stat st, named;

	return fstat(fd, &st) == 0 && lstat(path, &named) == 0 && st.st_dev == named.st_dev &&
	    st.st_ino == named.st_ino;
}

static int
lock(int fd, int how)
{
	int rc;

	do
		rc = flock(fd, how);
	while (rc && errno == EINTR);
	return rc;
}

/*
 * Locks the new directory, and puts the mark into it. Returns false if another command has removed
 * the directory before it was locked, because it took it for one that a killed command had left.
 */
static bool
hold(struct axt_hidden *h)
{
	int mark;

	h->fd = axt_fd_high(open(h->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (h->fd < 0)
		return errno != ENOENT;
	lock(h->fd, LOCK_SH);
	if (!is_named(h->fd, h->path))
		return false;
	mark = openat(h->fd, MARK, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (mark >= 0)
		close(mark);
	return true;
}

int
axt_hidden_make(struct axt_hidden *h, const char *target)
{
	const char *last = axt_last_part(target);
	char *end;

	*h = (struct axt_hidden){ .fd = -1, .slot = -1 };
	if (asprintf(&h->path, "%.*s.%.200s.axtXXXXXX", (int)(last - target), target, last) < 0) {
		h->path = NULL;
		errno = ENOMEM;
		return -1;
	}
	end = h->path + strlen(h->path) - AXT_HIDDEN_END;
	for (int turn = 0; turn < 100 && axt_hidden_end(end); turn++) {
		bool made;

		/* it is noted before it is there, so that a signal never leaves it behind */
		h->slot = axt_folder_note(h->path);
		made = mkdir(h->path, 0777) == 0;
		if (made && hold(h))
			return 0;
		if (h->fd >= 0)
			close(h->fd);
		h->fd = -1;
		axt_folder_forget(h->slot);
		h->slot = -1;
		if (!made && errno != EEXIST)
			break;
	}
	free(h->path);
	h->path = NULL;
	return -1;
}

/* ---- the name of the target ---- */

/*
 * Whether what had the name of the target, and has the hidden name since the two were exchanged,
 * may be removed: it is a store, or an empty directory. Locks it. If another command has it locked,
 * that one takes it for something that was left, and marks a store before it removes anything of
 * it.
 */
static bool
may_go(struct axt_hidden *h)
{
	h->fd = axt_fd_high(open(h->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (h->fd < 0)
		return errno == ENOENT || (errno == EACCES && axt_is_store(h->path));
	if (lock(h->fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK)
		return axt_is_store_at(h->fd) ||
		    faccessat(h->fd, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	return axt_is_store_at(h->fd) || rmdir(h->path) == 0;
}

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Removes the store that had the name before, when those who read it have ended, but waits no
 * longer than PATIENCE. Readers that take longer find that the store has changed, and begin again
 * if they can.
 */
static void
remove_old(struct axt_hidden *h)
{
	int64_t end = now() + PATIENCE;

	while (h->fd >= 0 && lock(h->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK && now() < end)
		usleep(TURN * 1000);
	axt_hidden_drop(h);
}

/* Without exchange on this file system: only an empty directory is replaced. */
static int
rename_over(struct axt_hidden *h, const char *target)
{
	if (rename(h->path, target))
		return -1;
	release(h);
	return 0;
}

/* Gives the target the new store, and the hidden name to what was there, which is then locked. */
static int
exchange(struct axt_hidden *h, const char *target, bool *foreign)
{
	axt_folder_forget(h->slot);
	h->slot = -1;
	if (renameat2(AT_FDCWD, h->path, AT_FDCWD, target, RENAME_EXCHANGE))
		return rename_over(h, target);
	if (h->fd >= 0)
		close(h->fd); /* it is the new store's, which is as any other one */
	if (!may_go(h)) {
		if (renameat2(AT_FDCWD, h->path, AT_FDCWD, target, RENAME_EXCHANGE))
			release(h); /* what is not ours stays, wherever it is */
		*foreign = true;
		errno = EEXIST;
		return -1;
	}
	h->slot = axt_folder_note(h->path);
	return 0;
}

static int
show(struct axt_hidden *h, const char *target, bool over, bool *foreign)
{
	sigset_t all, was;
	int bad;

	if (renameat2(AT_FDCWD, h->path, AT_FDCWD, target, RENAME_NOREPLACE) == 0) {
		release(h);
		return 0;
	}
	if ((errno == EEXIST && !over) || (errno != EEXIST && errno != EINVAL))
		return -1;
	/* a signal in between would leave the old store under the hidden name, or remove the new */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	bad = exchange(h, target, foreign);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (!bad && h->path)
		remove_old(h);
	return bad;
}

int
axt_hidden_show(struct axt_hidden *h, const char *target, bool over, bool *foreign)
{
	*foreign = false;
	if (h->fd >= 0)
		unlinkat(h->fd, MARK, 0);
	if (show(h, target, over, foreign))
		return -1;
	axt_deed_note(AXT_GAVE_OUT);
	return 0;
}

/* ---- what killed commands have left ---- */

/*
 * Removes a hidden directory that no process has locked for writing or reading. While names are
 * exchanged, anything may have such a name for a moment; so only a directory that has the mark, is
 * a store or is empty is removed.
 */
static void
remove_left(const char *path)
{
	int fd = axt_fd_high(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && lock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    is_named(fd, path)) {
		if (faccessat(fd, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || axt_is_store_at(fd))
			remove_tree(path);
		else
			rmdir(path);
	}
	close(fd);
}

void
axt_hidden_sweep(const char *target)
{
	const char *last = axt_last_part(target);
	size_t n = (size_t)(last - target);
	char *above = strndup(target, n), *path;
	DIR *dir = !above ? NULL : opendir(n ? above : ".");
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		if (!axt_is_hidden(d->d_name, last) ||
		    asprintf(&path, "%s%s", above, d->d_name) < 0)
			continue;
		remove_left(path);
		free(path);
	}
	if (dir)
		closedir(dir);
	free(above);
}
