/*
 * lock.c - makes writers of one file wait for each other. A program that changes an existing file
 * holds a lock on it from before it looks at the file until the change is in place, or the file
 * that replaces it. Once it has the lock, it checks that the name still leads to the file that is
 * locked.
 *
 * The lock is an "open file description" lock (fcntl(2)) on one byte far behind the end. HDF5 locks
 * files by flock(2), which is independent of that, so programs that only read neither wait for the
 * lock nor hinder it. A shared flock finds out whether a program has the file open for writing
 * through HDF5. (NFS makes flock of fcntl locks of the whole file, so there the first lock finds
 * this out.)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <linux/magic.h>

#include "axt_cmd.h"
#include "bytes/deeds.h"
#include "bytes/output.h"

#define FAR_BYTE ((off_t)1 << 62) /* a byte that no program has data at */
#define APPEND_BYTE (FAR_BYTE + 1)
#define CHANGE_BYTE (FAR_BYTE + 3) /* next to none, as locks of neighbours are one lock */
#define PATIENCE 3                 /* seconds of waiting before the user is told */
#define SKEW 60                    /* by how many seconds the clocks of two machines may differ */

#ifndef CIFS_SUPER_MAGIC
#define CIFS_SUPER_MAGIC 0xff534d42
#endif
#ifndef SMB2_SUPER_MAGIC
#define SMB2_SUPER_MAGIC 0xfe534d42
#endif

/* ---- what a file is ---- */

void
axt_file_identify(const struct stat *st, struct axt_file_id *id)
{
	*id = (struct axt_file_id){ .dev = st->st_dev,
		.ino = st->st_ino,
		.size = st->st_size,
		.mtime = st->st_mtim,
		.ctime = st->st_ctim };
	clock_gettime(CLOCK_REALTIME_COARSE, &id->seen);
}

static bool
is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* Where a file is: on this machine's disk or in its memory, or on a server. */
static enum fs_place { FS_UNKNOWN, FS_LOCAL, FS_SERVER } place_of(int fd)
{
	static const struct {
		unsigned type;
		enum fs_place place;
	} known[] = {
		{ EXT4_SUPER_MAGIC, FS_LOCAL },
		{ XFS_SUPER_MAGIC, FS_LOCAL },
		{ BTRFS_SUPER_MAGIC, FS_LOCAL },
		{ TMPFS_MAGIC, FS_LOCAL },
		{ OVERLAYFS_SUPER_MAGIC, FS_LOCAL },
		{ NFS_SUPER_MAGIC, FS_SERVER },
		{ SMB_SUPER_MAGIC, FS_SERVER },
		{ CIFS_SUPER_MAGIC, FS_SERVER },
		{ SMB2_SUPER_MAGIC, FS_SERVER },
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0)
		for (int i = 0; i < ARRAY_LEN(known); i++)
			if ((unsigned)fs.f_type == known[i].type)
				return known[i].place;
	return FS_UNKNOWN;
}

/*
 * Whether the file's time of change is before the tick of the clock in which the file was examined:
 * the clock ticks every few milliseconds, and a file may be changed twice in one tick, with the
 * same time.
 */
bool
axt_file_settled(int fd, const struct axt_file_id *id)
{
	struct timespec seen = id->seen;

	if (place_of(fd) != FS_LOCAL)
		seen.tv_sec -= SKEW;
	return is_before(&id->ctime, &seen);
}

bool
axt_file_same(const struct axt_file_id *a, const struct axt_file_id *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	    a->mtime.tv_sec == b->mtime.tv_sec && a->mtime.tv_nsec == b->mtime.tv_nsec;
}

bool
axt_file_untouched(const struct axt_file_id *a, const struct axt_file_id *b)
{
	return axt_file_same(a, b) && a->ctime.tv_sec == b->ctime.tv_sec &&
	    a->ctime.tv_nsec == b->ctime.tv_nsec;
}

/* ---- waiting ---- */

static void
say(struct axt_talk *t, const char *line)
{
	if (t && t->say)
		t->say(t->ctx, line);
}

/* Tells what is waited for when it takes long. */
struct reminder {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool end, started;
	pthread_t thread;
	struct axt_talk *talk;
	char line[800];
};

static void *
remind(void *ctx)
{
	struct reminder *r = ctx;
	struct timespec t;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += PATIENCE;
	pthread_mutex_lock(&r->lock);
	while (!r->end && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&r->ended, &r->lock, &t);
	if (!r->end)
		say(r->talk, r->line);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void
remind_begin(struct reminder *r)
{
	pthread_condattr_t a;
	sigset_t all, old;

	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&r->ended, &a);
	pthread_condattr_destroy(&a);
	sigfillset(&all); /* signals are for the thread that waits */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r->started = r->talk && r->talk->say && pthread_create(&r->thread, NULL, remind, r) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void
remind_end(struct reminder *r)
{
	pthread_mutex_lock(&r->lock);
	r->end = true;
	pthread_cond_signal(&r->ended);
	pthread_mutex_unlock(&r->lock);
	if (r->started)
		pthread_join(r->thread, NULL);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
}

/* ---- the two locks ---- */

static struct flock
byte_at(off_t at, short type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
}

/* The lock of writers; -1 with errno. wait: until it is free. */
static int
lock_byte(int fd, bool wait)
{
	struct flock l = byte_at(FAR_BYTE, F_WRLCK);
	int rc;

	do
		rc = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &l);
	while (rc && errno == EINTR);
	if (rc && errno == EACCES)
		errno = EAGAIN;
	return rc;
}

/* The lock that says to HDF5 that a file that may be open for reading is not to be written. */
static int
lock_shared(int fd, bool wait)
{
	int rc;

	do
		rc = flock(fd, wait ? LOCK_SH : LOCK_SH | LOCK_NB);
	while (rc && errno == EINTR);
	return rc && errno == EWOULDBLOCK ? -1
					  : 0; /* where there are no such locks, HDF5 has none */
}

/* Whether a program that reads keeps the file: HDF5 on NFS. No command here locks for reading. */
static bool
is_read_locked(int fd)
{
	struct flock l = byte_at(FAR_BYTE, F_WRLCK);

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type == F_RDLCK;
}

/* Whether the environment (HDF5_USE_FILE_LOCKING) lets HDF5 lock files. */
static bool
hdf5_locks(int fd)
{
	const char *s = getenv("HDF5_USE_FILE_LOCKING");

	if (s && (strcasecmp(s, "FALSE") == 0 || strcmp(s, "0") == 0))
		return false;
	return place_of(fd) != FS_SERVER;
}

static int
wait_for(int (*lock)(int fd, bool wait), int fd, const char *shown, const char *what,
    struct axt_talk *talk)
{
	struct reminder r = { .talk = talk };
	int rc, err;

	snprintf(r.line, sizeof(r.line), "%s %s", shown, what);
	remind_begin(&r);
	rc = lock(fd, true);
	err = errno;
	remind_end(&r);
	errno = err;
	return rc;
}

/* ---- one file ---- */

static int
fail(const char *shown, struct axt_err *e)
{
	return axt_fail(e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s", shown,
	    strerror(errno));
}

/* Notes that the file cannot be locked and the command goes on without; the user is told once. */
static void
no_lock(struct axt_lock *l, const char *shown, const char *why, struct axt_talk *talk)
{
	char line[800];

	if (l->how & AXT_LOCK_REPLACE || !talk || talk->told)
		return;
	talk->told = true;
	snprintf(line, sizeof(line),
	    "%s cannot be locked (%s): if another command changes it at the "
	    "same time, one of the changes is lost",
	    shown, why);
	say(talk, line);
}

/*
 * Opens the file that is to be locked, for writing if possible. l->fd is -1 if it does not exist or
 * is no regular file.
 */
static int
open_file(struct axt_lock *l, const char *shown, struct axt_err *e)
{
	bool follow = l->dirfd == AT_FDCWD;
	int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW);
	struct stat st;
	char word[480];

	/* opening a FIFO for writing would make this process its writer */
	if (fstatat(l->dirfd, l->name, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISREG(st.st_mode)) {
		if (!S_ISDIR(st.st_mode) || !follow || !axt_is_store(l->name))
			return 0;
		axt_fail(e, AXT_E_ARG, "%s: is a store of Zarr, which is not changed in place",
		    shown);
		axt_hint(e, "axt-copy %s -o a.nc makes it netCDF-4",
		    axt_quoted_to(word, sizeof(word), l->name));
		return e->code;
	}
	axt_reach();
	l->fd = axt_fd_high(openat(l->dirfd, l->name, O_RDWR | flags));
	if (l->fd < 0 && (errno == EACCES || errno == EPERM) && !(l->how & AXT_LOCK_WRITE)) {
		l->why = errno; /* the user decides by --force */
		l->fd = axt_fd_high(openat(l->dirfd, l->name, O_RDONLY | flags));
		if (l->fd < 0 && l->how & AXT_LOCK_REPLACE)
			return 0;
	}
	l->absent = l->fd < 0 && errno == ENOENT;
	if (l->fd < 0)
		return l->absent || (errno == ELOOP && !follow) ? 0 : fail(shown, e);
	if (fstat(l->fd, &st))
		return fail(shown, e);
	if (!S_ISREG(st.st_mode)) {
		close(l->fd);
		l->fd = -1;
	}
	axt_file_identify(&st, &l->id);
	return 0;
}

/* Takes the lock of writers, or warns that the file cannot be locked. */
static int
lock_file(struct axt_lock *l, const char *shown, struct axt_talk *talk, struct axt_err *e)
{
	int rc = l->why ? -1 : lock_byte(l->fd, false);

	if (l->why) {
		no_lock(l, shown, strerror(l->why), talk);
		return 0;
	}
	if (rc && errno == EAGAIN && l->how & AXT_LOCK_TRY) {
		l->busy = true;
		return 0;
	}
	if (rc && errno == EAGAIN && is_read_locked(l->fd)) {
		no_lock(l, shown, "a program that reads it has locked it", talk);
		return 0;
	}
	if (rc && errno == EAGAIN)
		rc = wait_for(lock_byte, l->fd, shown,
		    "is being written by another command: waiting "
		    "for its end",
		    talk);
	if (rc && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO))
		return fail(shown, e);
	if (rc)
		no_lock(l, shown, strerror(errno), talk);
	l->held = rc == 0;
	return 0;
}

/*
 * Fails if a program has the file open for writing through HDF5, or waits for it: that program
 * would overwrite what is written here.
 */
static int
check_hdf5(struct axt_lock *l, const char *shown, struct axt_talk *talk, struct axt_err *e)
{
	if (l->how & AXT_LOCK_REPLACE || !hdf5_locks(l->fd) || lock_shared(l->fd, false) == 0)
		return 0;
	if (l->how & AXT_LOCK_WAIT) {
		wait_for(lock_shared, l->fd, shown,
		    "is open for writing in another program: waiting until it is closed there",
		    talk);
		return 0;
	}
	axt_fail(e, AXT_E_IO, "%s is open for writing in another program", shown);
	axt_hint(e, "close it there; HDF5_USE_FILE_LOCKING=FALSE does without the locks of HDF5");
	return e->code;
}

/* Whether the name leads to the file that is open; -1 where that cannot be told. */
static int
is_named(const struct axt_lock *l)
{
	struct stat st;

	if (fstatat(l->dirfd, l->name, &st, l->dirfd == AT_FDCWD ? 0 : AT_SYMLINK_NOFOLLOW))
		return axt_is_absent(errno) ? 0 : -1;
	return st.st_dev == l->id.dev && st.st_ino == l->id.ino;
}

int
axt_lock_take(struct axt_lock *l, int dirfd, const char *name, const char *shown, int how,
    struct axt_talk *talk, struct axt_err *e)
{
	struct stat st;
	int named;

	for (;;) {
		*l = (struct axt_lock){ .fd = -1, .dirfd = dirfd, .name = name, .how = how };
		if (open_file(l, shown, e) == 0 && l->fd < 0)
			return 0;
		if (e->code || lock_file(l, shown, talk, e) || l->busy ||
		    check_hdf5(l, shown, talk, e))
			break;
		named = is_named(l);
		if (named == 0) { /* the name now leads to another file */
			axt_lock_drop(l);
			continue;
		}
		if (named < 0 || fstat(l->fd, &st)) {
			fail(shown, e);
			break;
		}
		axt_file_identify(&st, &l->id); /* it may have changed while this waited */
		return 0;
	}
	axt_lock_drop(l);
	return e->code;
}

void
axt_lock_rest(struct axt_lock *l)
{
	struct flock none = byte_at(FAR_BYTE, F_UNLCK);
	struct stat st;

	if (l->fd < 0)
		return;
	l->settled = fstat(l->fd, &st) == 0;
	if (l->settled)
		axt_file_identify(&st, &l->id);
	flock(l->fd, LOCK_UN);
	if (l->held && fcntl(l->fd, F_OFD_SETLK, &none))
		axt_lock_drop(l);
	l->held = false;
}

bool
axt_lock_same(const struct axt_lock *was, const struct axt_lock *now)
{
	if (was->fd < 0 || now->fd < 0)
		return was->absent && now->absent;
	return was->settled && axt_file_untouched(&was->id, &now->id) &&
	    axt_file_settled(was->fd, &was->id);
}

void
axt_lock_appends(int fd, bool appends)
{
	struct flock l = byte_at(APPEND_BYTE, appends ? F_WRLCK : F_UNLCK);

	axt_deed_note(AXT_CHANGES);
	(void)fcntl(fd, F_OFD_SETLK, &l);
}

bool
axt_lock_is_appended(int fd)
{
	struct flock l = byte_at(APPEND_BYTE, F_RDLCK);

	/* both bytes are one lock, and flock on NFS is one of the whole file */
	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type == F_WRLCK && l.l_start >= FAR_BYTE;
}

/*
 * Waits until the next change to the file will show in its times, whose clock ticks every few
 * milliseconds. The clock of a server may be another one, so this does not wait for long.
 */
static void
await_tick(int fd)
{
	struct stat st;
	struct timespec now;

	for (int i = 0; i < 50 && fstat(fd, &st) == 0; i++) {
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
		if (is_before(&st.st_ctim, &now))
			break;
		usleep(500);
	}
}

void
axt_lock_changes(const struct axt_lock *l)
{
	struct flock b = byte_at(CHANGE_BYTE, F_WRLCK);

	axt_deed_note(AXT_CHANGES);
	while (fcntl(l->fd, F_OFD_SETLKW, &b) && errno == EINTR)
		;
	await_tick(l->fd);
}

bool
axt_lock_await(int fd)
{
	struct flock b = byte_at(CHANGE_BYTE, F_RDLCK);
	bool waited;

	/* flock on NFS is a lock of the whole file, which HDF5 may have for as long as it reads */
	if (fcntl(fd, F_OFD_GETLK, &b) || b.l_type != F_WRLCK || b.l_start < FAR_BYTE)
		return false;
	b = byte_at(CHANGE_BYTE, F_RDLCK);
	do
		waited = fcntl(fd, F_OFD_SETLKW, &b) == 0;
	while (!waited && errno == EINTR);
	b.l_type = F_UNLCK;
	return waited && fcntl(fd, F_OFD_SETLK, &b) == 0;
}

bool
axt_lock_is_held(int fd)
{
	struct flock l = byte_at(FAR_BYTE, F_RDLCK);

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

int
axt_lock_drop(struct axt_lock *l)
{
	int rc = l->fd >= 0 ? close(l->fd) : 0;

	l->fd = -1;
	l->held = false;
	return rc;
}
