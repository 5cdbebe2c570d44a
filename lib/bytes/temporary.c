/*
 * temporary.c - a file that appears only when it is whole: it is written without a name, or under a
 * hidden one, and then renamed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/fs.h>
#include <linux/magic.h>

#include "bytes/deeds.h"
#include "bytes/hidden.h"
#include "bytes/output.h"

/* ---- the target ---- */

static int
sys(struct axt_temp *t, struct axt_err *e)
{
	enum axt_code c = errno == ENOMEM ? AXT_E_MEM : errno == EEXIST ? AXT_E_EXISTS : AXT_E_IO;
	const char *slash = strrchr(t->path, '/');
	bool no_directory = errno == ENOENT && slash && slash > t->path &&
	    !strpbrk(t->path, "~$ '\\:");

	axt_fail(e, c, "%s: %s", t->path,
	    c == AXT_E_EXISTS ? "exists (--no-clobber)" : strerror(errno));
	axt_about(e, c == AXT_E_EXISTS ? AXT_EXISTS : AXT_CANNOT_WRITE, t->path, NULL);
	if (no_directory)
		axt_hint(e, "mkdir -p %.*s makes the directory", (int)(slash - t->path), t->path);
	return (int)c;
}

/*
 * Opens the directory of path, which is relative to the directory `from`. base gets the last part
 * of the path. -1 with errno.
 */
static int
split_path(int from, char *path, char base[NAME_MAX + 1])
{
	char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;

	errno = *path ? EISDIR : ENOENT;
	if (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return -1;
	errno = ENAMETOOLONG;
	if (strlen(last) > NAME_MAX)
		return -1;
	memcpy(base, last, strlen(last) + 1);
	if (slash)
		slash[slash == path] = '\0';
	return axt_fd_high(openat(from, slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/*
 * Whether a link in the directory dir may be followed. As Linux does with fs.protected_symlinks,
 * links of other users are not followed in a directory like /tmp, which all may write to and which
 * is sticky.
 */
static bool
may_follow(int dir, const struct stat *link)
{
	struct stat d;

	if (link->st_uid == geteuid())
		return true;
	if (fstat(dir, &d))
		return false;
	return (d.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) || d.st_uid == link->st_uid;
}

/* Reads what a link holds into path. 0 if base is no link; -1 with errno. */
static ssize_t
read_link(int dir, const char *base, char path[PATH_MAX])
{
	int fd = axt_fd_high(openat(dir, base, O_PATH | O_NOFOLLOW | O_CLOEXEC));
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	if (fstat(fd, &st) == 0 && !S_ISLNK(st.st_mode)) {
		n = 0;
	} else if (S_ISLNK(st.st_mode) && !may_follow(dir, &st)) {
		errno = EACCES;
	} else if (S_ISLNK(st.st_mode)) {
		n = readlinkat(fd, "", path, PATH_MAX);
		if (n == PATH_MAX) {
			errno = ENAMETOOLONG;
			n = -1;
		}
	}
	if (n > 0)
		path[n] = '\0';
	close(fd);
	return n;
}

/*
 * Sets dirfd and base for path, and follows links in its last part: so the link stays, and the file
 * that it leads to is replaced.
 */
static int
locate(struct axt_temp *t, char path[PATH_MAX])
{
	int from = AT_FDCWD;

	for (int i = 0; i < 40; i++) {
		ssize_t n;

		t->dirfd = split_path(from, path, t->base);
		if (from != AT_FDCWD)
			close(from);
		from = t->dirfd;
		n = from < 0 ? -1 : read_link(from, t->base, path);
		if (n <= 0)
			return (int)n;
	}
	errno = ELOOP;
	return -1;
}

char *
axt_target_followed(const char *target)
{
	struct axt_temp t = { .dirfd = -1 };
	char path[PATH_MAX], proc[64], *out = NULL;
	ssize_t n = -1;

	errno = ENAMETOOLONG;
	if (strlen(target) >= sizeof(path))
		return NULL;
	strcpy(path, target);
	if (locate(&t, path) == 0) {
		snprintf(proc, sizeof(proc), "/proc/self/fd/%d", t.dirfd);
		n = readlink(proc, path, sizeof(path) - 1);
	}
	if (n > 0 && (out = malloc((size_t)n + strlen(t.base) + 2)))
		sprintf(out, "%.*s/%s", (int)n, path, t.base);
	if (t.dirfd >= 0)
		close(t.dirfd);
	return out;
}

/*
 * Takes the hidden name that is the same for all processes that write this output one after
 * another, so that what a killed one left is found without a search. The name is noted for removal
 * only after it was taken: a signal must not remove what another process has under this name.
 */
static int
take_usual_name(struct axt_temp *t, int (*take)(struct axt_temp *t))
{
	int bad;

	snprintf(t->name, sizeof(t->name), ".%.200s.axt000000", t->base);
	bad = take(t);
	if (bad && errno == EEXIST)
		bad = axt_hidden_stale(t->dirfd, t->name) ? take(t) : (errno = EEXIST, -1);
	if (!bad)
		t->slot = axt_hidden_note(t->dirfd, t->name);
	return bad;
}

/* Tries hidden names until `take` succeeds with one that is free. */
static int
take_name(struct axt_temp *t, int (*take)(struct axt_temp *t))
{
	if (take_usual_name(t, take) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	for (int i = 0; i < 100 && axt_hidden_name(t->base, t->name); i++) {
		t->slot = axt_hidden_note(t->dirfd, t->name);
		if (take(t) == 0)
			return 0;
		axt_hidden_forget(&t->slot);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static int
create(struct axt_temp *t)
{
	struct stat st;

	axt_reach();
	t->fd = axt_fd_high(openat(t->dirfd, t->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
	if (t->fd < 0)
		return -1;
	flock(t->fd, LOCK_SH); /* for axt_hidden_stale */
	axt_hidden_hold(t->fd);
	if (fstat(t->fd, &st) || st.st_nlink > 0)
		return 0;
	close(t->fd);
	t->fd = -1;
	errno = EEXIST;
	return -1;
}

static int
make(struct axt_temp *t)
{
	axt_reach();
	t->fd = axt_fd_high(openat(t->dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
	if (t->fd >= 0 && access("/proc/self/fd", X_OK) == 0) {
		t->anonymous = true;
		return 0;
	}
	if (t->fd >= 0)
		close(t->fd);
	return take_name(t, create);
}

/* Gives the new file the old one's mode, without set-id bits, and if allowed its owner. */
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
	else if (!S_ISREG(old->st_mode)) /* a pipe or device cannot be replaced by a file */
		errno = EINVAL;
	else if (t->no_clobber)
		errno = EEXIST;
	else if (!force && faccessat(t->dirfd, t->base, W_OK, AT_EACCESS))
		errno = errno ? errno : EACCES;
	else
		return 0;
	return -1;
}

/* Makes the temporary, once dirfd and base are known. */
int
axt_output_shared(const char *path, struct axt_err *e)
{
	char name[512];

	axt_fail(e, AXT_E_EXISTS, "%s is also an operand and holds other tensors",
	    axt_escape_to(name, sizeof(name), path));
	return axt_about(e, AXT_INPUT_TOO, path, NULL);
}

static int
begin(struct axt_temp *t, bool force)
{
	struct stat old;

	return check_old(t, force, &old) || make(t) || (t->replaces && inherit(t, &old)) ? -1 : 0;
}

int
axt_temp_open(struct axt_temp *t, const char *path, bool no_clobber, bool force, struct axt_err *e)
{
	char real[PATH_MAX];
	size_t n = strlen(path);

	*t = (struct axt_temp){ .fd = -1, .dirfd = -1, .slot = -1, .no_clobber = no_clobber };
	axt_escape_to(t->path, sizeof(t->path), path);
	if (n == 0)
		return axt_fail(e, AXT_E_IO, "the name of the output is empty");
	errno = ENAMETOOLONG;
	if (n >= sizeof(real))
		return sys(t, e);
	memcpy(real, path, n + 1);
	if (locate(t, real) || begin(t, force)) {
		sys(t, e);
		axt_temp_drop(t);
		return e->code;
	}
	return 0;
}

int
axt_temp_again(struct axt_temp *t, const struct axt_temp *old, bool force, struct axt_err *e)
{
	*t = (struct axt_temp){ .fd = -1, .slot = -1, .no_clobber = old->no_clobber };
	memcpy(t->path, old->path, sizeof(t->path));
	memcpy(t->base, old->base, sizeof(t->base));
	t->dirfd = fcntl(old->dirfd, F_DUPFD_CLOEXEC, 3);
	if (t->dirfd < 0 || begin(t, force)) {
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
	axt_hidden_forget(&t->slot);
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
	axt_hidden_hold(t->fd);
	if (link_as(t, t->name))
		return -1;
	t->anonymous = false;
	return 0;
}

int
axt_temp_show(struct axt_temp *t, char *path)
{
	char proc[64];
	ssize_t n;

	if (t->anonymous) {
		flock(t->fd, LOCK_SH); /* for axt_hidden_stale */
		if (take_name(t, link_hidden))
			return -1;
	}
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", t->dirfd);
	n = readlink(proc, path, PATH_MAX);
	if (n <= 0 || (size_t)n + strlen(t->name) + 2 > PATH_MAX) {
		errno = n < 0 ? errno : ENAMETOOLONG;
		return -1;
	}
	snprintf(path + n, (size_t)(PATH_MAX - n), "/%s", t->name);
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
	if (unlinkat(t->dirfd, t->name, 0) == 0)
		return 0;
	/* the temporary's name could not be removed, so the final name is taken back */
	unlinkat(t->dirfd, t->base, 0);
	return -1;
}

/*
 * Closes a copy of the descriptor, because some file systems report a failed write only then. The
 * old file is still there at that time.
 */
static int
flush_errors(struct axt_temp *t)
{
	int fd = fcntl(t->fd, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? -1 : close(fd);
}

/*
 * Waits until the bytes are on the disk. Otherwise the file system could store the new name before
 * the bytes, and a loss of power in between would leave neither the old bytes nor the new ones.
 */
static int
to_disk(const struct axt_temp *t)
{
	return fdatasync(t->fd) && errno != EINVAL && errno != ENOSYS ? -1 : 0;
}

/* Gives t its final name if no file has it; EEXIST if one has. */
static int
name_new(struct axt_temp *t)
{
	return t->anonymous ? link_as(t, t->base) : rename_new(t);
}

int
axt_temp_name(struct axt_temp *t, bool over)
{
	if (flush_errors(t))
		return -1;
	if (over && t->precious && to_disk(t))
		return -1;
	flock(t->fd, LOCK_UN); /* under its final name it is as any other file */
	if (!over)
		return name_new(t);
	if (t->anonymous && take_name(t, link_hidden))
		return -1;
	return renameat(t->dirfd, t->name, t->dirfd, t->base);
}

void
axt_temp_fail(struct axt_temp *t, struct axt_err *e)
{
	sys(t, e);
}

int
axt_temp_named(struct axt_temp *t, struct axt_err *e)
{
	if (e->code == 0) {
		axt_deed_note(AXT_GAVE_OUT);
		axt_hidden_forget(&t->slot);
	} else {
		axt_temp_drop(t);
	}
	if (t->fd >= 0)
		close(t->fd);
	if (t->dirfd >= 0)
		close(t->dirfd);
	t->fd = t->dirfd = -1;
	return e->code;
}

int
axt_temp_lock(const struct axt_temp *t, struct axt_lock *l, int how, struct axt_talk *talk,
    struct axt_err *e)
{
	return axt_lock_take(l, t->dirfd, t->base, t->path, how, talk, e);
}

/* The file may have appeared, or disappeared, since the temporary was made. */
int
axt_temp_commit(struct axt_temp *t, struct axt_talk *talk, struct axt_err *e)
{
	struct axt_lock l = { .fd = -1, .absent = !t->replaces };
	bool again = true;
	int bad;

	while (again) {
		if (!l.absent && axt_temp_lock(t, &l, AXT_LOCK_REPLACE, talk, e))
			break;
		bad = axt_temp_name(t, !l.absent);
		again = bad && errno == EEXIST && l.absent && !t->no_clobber;
		if (bad && !again)
			sys(t, e);
		axt_lock_drop(&l);
		l.absent = false;
	}
	return axt_temp_named(t, e);
}

int
axt_temp_commit_locked(struct axt_temp *t, const struct axt_lock *l, struct axt_err *e)
{
	struct stat st;

	t->precious = true;
	if (fstatat(t->dirfd, t->base, &st, AT_SYMLINK_NOFOLLOW))
		sys(t, e);
	else if (st.st_dev != l->id.dev || st.st_ino != l->id.ino) {
		axt_deed_note(AXT_DISTURBED);
		axt_fail(e, AXT_E_CHANGED, "%s: another file was given its name meanwhile",
		    t->path);
	} else if (axt_temp_name(t, true))
		sys(t, e);
	return axt_temp_named(t, e);
}

/* ---- contents ---- */

static int
copy_by_hand(int in, off_t from, int out, off_t to, off_t n)
{
	size_t cap = 1 << 20;
	char *p = malloc(cap);
	struct axt_err e = { 0 };

	while (p && n > 0) {
		size_t k = MIN(cap, (size_t)n);

		if (axt_read_at(in, p, k, (uint64_t)from) < k) {
			/* the file became shorter while it was copied */
			errno = errno ? errno : EIO;
			break;
		}
		if (axt_pwrite(out, p, k, (uint64_t)to, "", &e))
			break;
		from += (off_t)k;
		to += (off_t)k;
		n -= (off_t)k;
	}
	free(p);
	return p && n == 0 ? 0 : -1;
}

/* Copies n bytes, in the kernel if possible. */
static int
copy(int in, off_t from, int out, off_t to, off_t n)
{
	while (n > 0) {
		off_t i = from, o = to;
		ssize_t k = copy_file_range(in, &i, out, &o, (size_t)n, 0);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && (errno == ENOSPC || errno == EIO || errno == EDQUOT || errno == EFBIG))
			return -1;
		if (k <= 0)
			return copy_by_hand(in, from, out, to, n);
		from += k;
		to += k;
		n -= k;
	}
	return 0;
}

int
axt_temp_copy(struct axt_temp *t, int from, struct axt_err *e)
{
	struct stat st;

	t->precious = true;
	if (ioctl(t->fd, FICLONE, from) == 0)
		return 0;
	return fstat(from, &st) || copy(from, 0, t->fd, 0, st.st_size) ? sys(t, e) : 0;
}

int
axt_temp_move(struct axt_temp *t, uint64_t to, const struct axt_temp *old, uint64_t from, int64_t n,
    struct axt_err *e)
{
	return copy(old->fd, (off_t)from, t->fd, (off_t)to, n) ? sys(t, e) : 0;
}

/*
 * Reserves disk space, so that a full disk is reported before the work. File systems in memory are
 * only asked how much is free, because reserving would clear every page, which costs half as much
 * again as writing it.
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
	bool bad = fd < 0 && (take_name(&s, create) || unlinkat(s.dirfd, s.name, 0));

	if (!bad && reserve(s.fd, size) == 0) {
		axt_hidden_forget(&s.slot);
		return s.fd;
	}
	sys(t, e);
	if (bad && s.fd >= 0)
		unlinkat(s.dirfd, s.name, 0);
	axt_hidden_forget(&s.slot);
	if (s.fd >= 0)
		close(s.fd);
	return -1;
}
