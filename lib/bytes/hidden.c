/* hidden.c - hidden names: what has one, who holds it, and what killed commands have left. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "bytes/hidden.h"
#include "bytes/output.h"

#define MARK ".axt-unfinished" /* a file in a directory that is no store yet, or no more */
#define PATIENCE 1000          /* milliseconds to wait for readers of a store that is replaced */
#define TURN 5                 /* after so many each it is looked whether they have ended */

/* ---- names to remove when a signal ends the process ---- */

enum { SLOT_FREE, SLOT_TAKEN, SLOT_NAMED };
static struct {
	int state; /* read and written by atomic operations only */
	int dirfd;
	char name[PATH_MAX];
} slots[64];

int
axt_hidden_note(int dirfd, const char *name)
{
	for (int i = 0; i < ARRAY_LEN(slots) && strlen(name) < sizeof(slots[i].name); i++) {
		int empty = SLOT_FREE;

		if (!__atomic_compare_exchange_n(&slots[i].state, &empty, SLOT_TAKEN, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		slots[i].dirfd = dirfd;
		strcpy(slots[i].name, name);
		__atomic_store_n(&slots[i].state, SLOT_NAMED, __ATOMIC_RELEASE);
		return i;
	}
	return -1;
}

void
axt_hidden_forget(int *slot)
{
	if (*slot >= 0)
		__atomic_store_n(&slots[*slot].state, SLOT_FREE, __ATOMIC_RELEASE);
	*slot = -1;
}

/* ---- removing ---- */

/* Removes a file, or a directory with all that is in it, once. Async-signal-safe. */
static void
remove_once(int dirfd, const char *name, int depth)
{
	char list[512] __attribute__((aligned(8)));
	const struct dirent64 *d;
	ssize_t n;
	int fd;

	if (unlinkat(dirfd, name, 0) == 0 || errno != EISDIR || depth > 64)
		return;
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	while (fd >= 0 && (n = getdents64(fd, list, sizeof(list))) > 0)
		for (ssize_t at = 0; at < n; at += d->d_reclen) {
			d = (const void *)(list + at);
			if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
			    (depth > 0 || strcmp(d->d_name, MARK) != 0))
				remove_once(fd, d->d_name, depth + 1);
		}
	if (fd >= 0)
		close(fd);
	if (depth > 0)
		unlinkat(dirfd, name, AT_REMOVEDIR);
}

static void
mark(int dir)
{
	int fd = openat(dir, MARK, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd >= 0)
		close(fd);
}

/*
 * Removes a file, or a directory with all that is in it. Async-signal-safe. A mark is put into a
 * directory before anything else is removed, and goes last, so that a later command recognises what
 * is left if the process ends half way; then the metadata of the root go, so that readers of a
 * store see that it is being removed. Other threads, and other processes of a job, may still put
 * files there, so it tries a few times.
 */
static void
remove_all(int dirfd, const char *name)
{
	int was = errno, dir;

	for (int turn = 0; turn < 8 && unlinkat(dirfd, name, 0) && errno == EISDIR; turn++) {
		dir = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (dir < 0)
			break;
		mark(dir);
		for (int i = 0; i < ARRAY_LEN(axt_store_marks); i++)
			unlinkat(dir, axt_store_marks[i], 0);
		remove_once(dirfd, name, 0);
		unlinkat(dir, MARK, 0);
		if (unlinkat(dirfd, name, AT_REMOVEDIR) && errno == ENOTEMPTY)
			mark(dir);
		close(dir);
	}
	errno = was;
}

void
axt_out_cleanup(void)
{
	for (int i = 0; i < ARRAY_LEN(slots); i++)
		if (__atomic_load_n(&slots[i].state, __ATOMIC_ACQUIRE) == SLOT_NAMED)
			remove_all(slots[i].dirfd, slots[i].name);
}

static void
release(struct axt_hidden *h)
{
	if (h->fd >= 0)
		close(h->fd);
	axt_hidden_forget(&h->slot);
	free(h->path);
	*h = (struct axt_hidden){ .fd = -1, .slot = -1 };
}

void
axt_hidden_drop(struct axt_hidden *h)
{
	axt_reach();
	if (h->path)
		remove_all(AT_FDCWD, h->path);
	release(h);
}

/* ---- names ---- */

static const char digits[] = "abcdefghijklmnopqrstuvwxyz012345";

bool
axt_hidden_name(const char *base, char name[NAME_MAX + 1])
{
	unsigned char r[6];
	int n = snprintf(name, NAME_MAX + 1, ".%.200s.axt", base);

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r))
		return false;
	for (int i = 0; i < (int)sizeof(r); i++)
		name[n++] = digits[r[i] & 31];
	name[n] = '\0';
	return true;
}

/* Whether `name` is a hidden name of an output called base. */
static bool
is_hidden(const char *name, const char *base)
{
	size_t n = strnlen(base, 200);
	const char *s = name + 1 + n;

	return name[0] == '.' && strncmp(name + 1, base, n) == 0 && strncmp(s, ".axt", 4) == 0 &&
	    strlen(s) == 4 + 6 && strspn(s + 4, digits) == 6;
}

/* ---- locks of files ---- */

/*
 * The lock of a temporary, on a byte at which no program has data. HDF5 does not see it, as in
 * lock.c, so it may stay until the file is closed, even under its final name.
 */
static struct flock
hidden_byte(short type)
{
	return (struct flock){ .l_type = type,
		.l_whence = SEEK_SET,
		.l_start = ((off_t)1 << 62) + 5,
		.l_len = 1 };
}

void
axt_hidden_hold(int fd)
{
	struct flock l = hidden_byte(F_WRLCK);

	(void)fcntl(fd, F_OFD_SETLK, &l);
}

static bool
is_named(int fd, int dirfd, const char *name)
{
	struct stat st, named;

	return fstat(fd, &st) == 0 && fstatat(dirfd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

/* Whether it is a file of this user that no living process holds. */
static bool
is_stale(int fd)
{
	struct flock l = hidden_byte(F_RDLCK);
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type == F_UNLCK &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0;
}

bool
axt_hidden_stale(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool gone;

	if (fd < 0)
		return errno == ENOENT;
	gone = is_stale(fd) && is_named(fd, dirfd, name) && unlinkat(dirfd, name, 0) == 0;
	close(fd);
	return gone;
}

/* ---- directories ---- */

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
	h->fd = axt_fd_high(open(h->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (h->fd < 0)
		return errno != ENOENT;
	lock(h->fd, LOCK_SH);
	if (!is_named(h->fd, AT_FDCWD, h->path))
		return false;
	mark(h->fd);
	return true;
}

int
axt_hidden_make(struct axt_hidden *h, const char *target)
{
	const char *last = axt_last_part(target);
	size_t above = (size_t)(last - target);

	*h = (struct axt_hidden){ .fd = -1, .slot = -1 };
	h->path = malloc(above + NAME_MAX + 1);
	if (!h->path)
		return -1;
	memcpy(h->path, target, above);
	for (int turn = 0; turn < 100 && axt_hidden_name(last, h->path + above); turn++) {
		bool made;

		/* it is noted before it is there, so that a signal never leaves it behind */
		h->slot = axt_hidden_note(AT_FDCWD, h->path);
		made = mkdir(h->path, 0777) == 0;
		if (made && hold(h))
			return 0;
		if (h->fd >= 0)
			close(h->fd);
		h->fd = -1;
		axt_hidden_forget(&h->slot);
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
	axt_hidden_forget(&h->slot);
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
	h->slot = axt_hidden_note(AT_FDCWD, h->path);
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
remove_left(int dirfd, const char *name)
{
	int fd = axt_fd_high(openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && lock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    is_named(fd, dirfd, name)) {
		if (faccessat(fd, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || axt_is_store_at(fd))
			remove_all(dirfd, name);
		else
			unlinkat(dirfd, name, AT_REMOVEDIR);
	}
	close(fd);
}

void
axt_hidden_sweep(const char *target)
{
	char *real = axt_target_followed(target), *slash = real ? strrchr(real, '/') : NULL;
	DIR *dir = NULL;
	const struct dirent *d;

	if (slash) {
		*slash = '\0';
		dir = opendir(slash == real ? "/" : real);
	}
	while (dir && (d = readdir(dir)))
		if (is_hidden(d->d_name, slash + 1) && !axt_hidden_stale(dirfd(dir), d->d_name))
			remove_left(dirfd(dir), d->d_name);
	if (dir)
		closedir(dir);
	free(real);
}
