/*
 * outfile.c - a file that appears whole: written without a name or under a
 * hidden one, then renamed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/fs.h>
#include <linux/magic.h>

#include "out.h"

/* ---- names to remove when a signal ends the process ---- */

enum { SLOT_FREE, SLOT_TAKEN, SLOT_NAMED };
static struct {
	int state; /* only by atomics */
	int dirfd;
	char name[256];
} slots[64];

void
axt_out_cleanup(void)
{
	int saved = errno;

	for (int i = 0; i < ARRAY_LEN(slots); i++)
		if (__atomic_load_n(&slots[i].state, __ATOMIC_ACQUIRE) == SLOT_NAMED)
			unlinkat(slots[i].dirfd, slots[i].name, 0);
	errno = saved;
}

/* A full table only means that a signal may leave a temporary. */
static void
slot_take(struct axt_temp *t)
{
	for (int i = 0; i < ARRAY_LEN(slots); i++) {
		int empty = SLOT_FREE;

		if (!__atomic_compare_exchange_n(&slots[i].state, &empty, SLOT_TAKEN, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		slots[i].dirfd = t->dirfd;
		memcpy(slots[i].name, t->name, sizeof(t->name));
		__atomic_store_n(&slots[i].state, SLOT_NAMED, __ATOMIC_RELEASE);
		t->slot = i;
		return;
	}
}

static void
slot_drop(struct axt_temp *t)
{
	if (t->slot >= 0)
		__atomic_store_n(&slots[t->slot].state, SLOT_FREE, __ATOMIC_RELEASE);
	t->slot = -1;
}

/* ---- the target ---- */

static int
sys(struct axt_temp *t, struct axt_err *e)
{
	enum axt_code c = errno == ENOMEM ? AXT_E_MEM : errno == EEXIST ? AXT_E_EXISTS : AXT_E_IO;

	return axt_fail(e, c, "%s: %s", t->path,
	    c == AXT_E_EXISTS ? "exists (--no-clobber)" : strerror(errno));
}

/*
 * Follows the links of the last component only, so that a link stays and what
 * it names is replaced. /
 */
static int
follow(char path[PATH_MAX])
{
	char link[PATH_MAX];

	for (int i = 0; i < 40; i++) {
		char *slash = strrchr(path, '/');
		size_t dir = slash ? (size_t)(slash - path) + 1 : 0;
		ssize_t n = readlink(path, link, sizeof(link) - 1);

		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -1;
		if (link[0] == '/')
			dir = 0;
		if (dir + (size_t)n >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(path + dir, link, (size_t)n);
		path[dir + (size_t)n] = '\0';
	}
	errno = ELOOP;
	return -1;
}

/* dirfd and base of a path without links at its end. */
static int
locate(struct axt_temp *t, char *path)
{
	char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	if (strlen(base) >= sizeof(t->base)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0) {
		errno = *path ? EISDIR : ENOENT;
		return -1;
	}
	memcpy(t->base, base, strlen(base) + 1);
	if (slash)
		slash[slash == path] = '\0';
	t->dirfd = axt_fd_high(open(slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
	return t->dirfd < 0 ? -1 : 0;
}

static bool
random_name(struct axt_temp *t)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char r[6];

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r))
		return false;
	for (int i = 0; i < 6; i++)
		r[i] = (unsigned char)digits[r[i] & 31];
	snprintf(t->name, sizeof(t->name), ".%.200s.axt%.6s", t->base, (const char *)r);
	return true;
}

/* Takes a hidden name that is free: the first that `take` can have. */
static int
take_name(struct axt_temp *t, int (*take)(struct axt_temp *t))
{
	for (int i = 0; i < 100 && random_name(t); i++) {
		slot_take(t);
		if (take(t) == 0)
			return 0;
		slot_drop(t);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static int
create(struct axt_temp *t)
{
	t->fd = axt_fd_high(
	    openat(t->dirfd, t->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
	return t->fd < 0 ? -1 : 0;
}

static int
make(struct axt_temp *t)
{
	t->fd = axt_fd_high(openat(t->dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
	if (t->fd >= 0 && access("/proc/self/fd", X_OK) == 0) {
		t->anonymous = true;
		return 0;
	}
	if (t->fd >= 0)
		close(t->fd);
	return take_name(t, create);
}

/*
 * What the old file leaves to the new one: its mode without set-id bits, and
 * where allowed its owner.
 */
static int
inherit(struct axt_temp *t, const struct stat *old)
{
	struct stat st;

	if (fstat(t->fd, &st))
		return -1;
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(t->fd, old->st_uid, old->st_gid)) {
		if (errno != EPERM && errno != EINVAL)
			return -1;
	}
	return fchmod(t->fd, old->st_mode & 0777);
}

static int
check_old(struct axt_temp *t, bool force, struct stat *old)
{
	if (fstatat(t->dirfd, t->base, old, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			return -1;
		return 0;
	}
	t->replaces = true;
	if (S_ISDIR(old->st_mode))
		errno = EISDIR;
	else if (t->no_clobber)
		errno = EEXIST;
	else if (!force && faccessat(t->dirfd, t->base, W_OK, AT_EACCESS))
		errno = errno ? errno : EACCES;
	else
		return 0;
	return -1;
}

int
axt_temp_open(struct axt_temp *t, const char *path, bool no_clobber, bool force, struct axt_err *e)
{
	char real[PATH_MAX];
	struct stat old;
	size_t n = strlen(path);

	*t = (struct axt_temp){ .fd = -1, .dirfd = -1, .slot = -1, .no_clobber = no_clobber };
	axt_escape_to(t->path, sizeof(t->path), path);
	if (n == 0)
		return axt_fail(e, AXT_E_IO, "the name of the output is empty");
	errno = ENAMETOOLONG;
	if (n >= sizeof(real))
		return sys(t, e);
	memcpy(real, path, n + 1);
	if (follow(real) || locate(t, real) || check_old(t, force, &old) || make(t) ||
	    (t->replaces && inherit(t, &old))) {
		sys(t, e);
		axt_temp_drop(t);
		return e->code;
	}
	return 0;
}

void
axt_temp_drop(struct axt_temp *t)
{
	if (t->fd >= 0 && !t->anonymous)
		unlinkat(t->dirfd, t->name, 0);
	slot_drop(t);
	if (t->fd >= 0)
		close(t->fd);
	if (t->dirfd >= 0)
		close(t->dirfd);
	t->fd = t->dirfd = -1;
}

/* ---- the final name ---- */

static int
link_as(struct axt_temp *t, const char *name)
{
	char proc[64];

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", t->fd);
	return linkat(AT_FDCWD, proc, t->dirfd, name, AT_SYMLINK_FOLLOW);
}

static int
link_hidden(struct axt_temp *t)
{
	if (link_as(t, t->name))
		return -1;
	t->anonymous = false;
	return 0;
}

static int
rename_new(struct axt_temp *t)
{
	if (renameat2(t->dirfd, t->name, t->dirfd, t->base, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(t->dirfd, t->name, t->dirfd, t->base, 0))
		return -1;
	unlinkat(t->dirfd, t->name, 0);
	return 0;
}

/*
 * A file system may tell a failed write only when the file is closed; closing a
 * copy asks it while nothing is lost.
 */
static int
flush_errors(struct axt_temp *t)
{
	int fd = fcntl(t->fd, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? -1 : close(fd);
}

static int
commit(struct axt_temp *t)
{
	if (flush_errors(t))
		return -1;
	if (t->anonymous && (t->no_clobber || !t->replaces)) {
		if (link_as(t, t->base) == 0)
			return 0;
		if (t->no_clobber || errno != EEXIST)
			return -1;
	}
	if (t->anonymous && take_name(t, link_hidden))
		return -1;
	if (t->no_clobber)
		return rename_new(t);
	return renameat(t->dirfd, t->name, t->dirfd, t->base);
}

int
axt_temp_commit(struct axt_temp *t, struct axt_err *e)
{
	if (commit(t)) {
		sys(t, e);
		axt_temp_drop(t);
		return e->code;
	}
	slot_drop(t);
	close(t->fd);
	close(t->dirfd);
	t->fd = t->dirfd = -1;
	return 0;
}

/* ---- contents ---- */

static int
copy_by_hand(int in, int out)
{
	size_t cap = 1 << 20;
	char *p = malloc(cap);
	off_t at = 0;
	struct axt_err e = { 0 };

	while (p) {
		ssize_t n = pread(in, p, cap, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (n > 0 && axt_pwrite(out, p, (size_t)n, (uint64_t)at, "", &e)))
			break;
		if (n == 0) {
			free(p);
			return 0;
		}
		at += n;
	}
	free(p);
	return -1;
}

static int
copy(int in, int out)
{
	struct stat st;
	off_t at = 0;

	if (ioctl(out, FICLONE, in) == 0)
		return 0;
	if (fstat(in, &st))
		return -1;
	while (at < st.st_size) {
		off_t o = at;
		ssize_t n =
		    copy_file_range(in, &o, out, &(off_t){ at }, (size_t)(st.st_size - at), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == ENOSPC || errno == EIO || errno == EDQUOT || errno == EFBIG))
			return -1;
		if (n <= 0)
			return copy_by_hand(in, out);
		at += n;
	}
	return 0;
}

int
axt_temp_copy_fd(struct axt_temp *t, int from, struct axt_err *e)
{
	return copy(from, t->fd) ? sys(t, e) : 0;
}

int
axt_temp_copy(struct axt_temp *t, const char *from, struct axt_err *e)
{
	int in = axt_fd_high(open(from, O_RDONLY | O_CLOEXEC | O_NOCTTY));
	int bad = in < 0 || copy(in, t->fd);

	if (bad)
		sys(t, e);
	if (in >= 0)
		close(in);
	return bad ? (int)e->code : 0;
}

/*
 * Tells a full disk before the work. Memory file systems are only asked how much is free: reserving
 * there clears every page, which costs half as much again as writing it.
 */
static int
reserve(int fd, uint64_t size)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0 && fs.f_type == TMPFS_MAGIC) {
		errno = ENOSPC;
		return fs.f_blocks > 0 && size / (uint64_t)fs.f_bsize > fs.f_bavail ? -1 : 0;
	}
	if (fallocate(fd, 0, 0, (off_t)size) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS || errno == EINTR || errno == EINVAL ? 0 : -1;
}

int
axt_temp_size(struct axt_temp *t, uint64_t size, struct axt_err *e)
{
	if (size > INT64_MAX) {
		errno = EFBIG;
		return sys(t, e);
	}
	if (size >= 1 << 20 && reserve(t->fd, size))
		return sys(t, e);
	return ftruncate(t->fd, (off_t)size) ? sys(t, e) : 0;
}

int
axt_temp_spool(struct axt_temp *t, uint64_t size, struct axt_err *e)
{
	int fd = axt_fd_high(openat(t->dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
	struct axt_temp s = { .fd = fd, .dirfd = t->dirfd, .slot = -1 };

	memcpy(s.base, t->base, sizeof(s.base));
	if (fd < 0 && take_name(&s, create) == 0) {
		unlinkat(s.dirfd, s.name, 0);
		slot_drop(&s);
	}
	if (s.fd >= 0 && reserve(s.fd, size) == 0)
		return s.fd;
	sys(t, e);
	if (s.fd >= 0)
		close(s.fd);
	return -1;
}
