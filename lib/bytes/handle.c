/*
 * handle.c - descriptors of files that are read. Any number of files may be open in a graph: when
 * the process has used most of the descriptors it may have, those of files that were not read
 * lately are closed, and opened again when they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "bytes/output.h"

#define LEAST 8      /* at least so many stay open, however low the process's limit is */
#define CLOSING (-1) /* value of `users` while the file is being closed */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct axt_file *hand; /* the next to be looked at in the ring of files that may be closed */
static int nopen;             /* files in the ring */

/* Takes as many descriptors as the process may have: shells give 1,024 at first. */
static bool
take_more(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= MIN(r.rlim_max, 1 << 16))
		return false;
	r.rlim_cur = MIN(r.rlim_max, 1 << 16);
	return setrlimit(RLIMIT_NOFILE, &r) == 0;
}

/* How many descriptors the ring may use; outputs, pipes and the program itself need the rest. */
static int
most(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur > 1 << 20)
		return 1 << 19;
	if ((rlim_t)nopen > r.rlim_cur / 2 && take_more())
		return most();
	return MAX(LEAST, (int)r.rlim_cur / 4 * 3 - 16);
}

static void
enter(struct axt_file *f)
{
	if (hand) {
		f->next_open = hand;
		f->last_open = hand->last_open;
		f->last_open->next_open = hand->last_open = f;
	} else {
		hand = f->next_open = f->last_open = f;
	}
	nopen++;
}

static void
leave(struct axt_file *f)
{
	if (!f->next_open)
		return;
	hand = hand == f ? f->next_open : hand;
	hand = hand == f ? NULL : hand;
	f->last_open->next_open = f->next_open;
	f->next_open->last_open = f->last_open;
	f->next_open = f->last_open = NULL;
	nopen--;
}

static bool
is_file(const struct stat *st, const struct axt_file *f)
{
	return st->st_dev == f->id.dev && st->st_ino == f->id.ino;
}

/*
 * Closes one file that was not used since this function last looked at it (the clock algorithm).
 * Returns false if all are in use, or cannot be closed.
 */
static bool
close_one(void)
{
	for (int i = 2 * nopen; i > 0 && hand; i--) {
		struct axt_file *f = hand;
		struct stat st;
		int none = 0;

		hand = f->next_open;
		if (__atomic_exchange_n(&f->used, false, __ATOMIC_RELAXED) ||
		    !__atomic_compare_exchange_n(&f->users, &none, CLOSING, false, __ATOMIC_ACQUIRE,
			__ATOMIC_RELAXED))
			continue;
		leave(f);
		if (stat(f->path, &st) == 0 && is_file(&st, f)) {
			close(f->fd);
			f->fd = -1;
		} /* else it stays open, because its name no longer leads to it */
		__atomic_store_n(&f->users, 0, __ATOMIC_RELEASE);
		if (f->fd < 0)
			return true;
	}
	return false;
}

static bool
make_room(void)
{
	return take_more() || close_one();
}

void
axt_file_opened(struct axt_file *f)
{
	int n = most();

	pthread_mutex_lock(&lock);
	while (nopen >= n && close_one())
		;
	enter(f);
	f->used = true;
	pthread_mutex_unlock(&lock);
}

int
axt_open_reading(const char *path)
{
	int fd;

	do {
		fd = axt_fd_high(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
		if (fd < 0 && errno != EMFILE && errno != ENFILE)
			break;
	} while (fd < 0 && axt_file_spare());
	return fd;
}

bool
axt_file_spare(void)
{
	int before = errno;
	bool any;

	pthread_mutex_lock(&lock);
	any = make_room();
	pthread_mutex_unlock(&lock);
	errno = before;
	return any;
}

/*
 * Makes the file that is open one that this process has seen. Returns whether it is as another
 * process has told.
 */
static bool
see(struct axt_file *f, const struct stat *st)
{
	struct axt_file_id id;

	axt_file_identify(st, &id);
	if (id.size != f->id.size || id.mtime.tv_sec != f->id.mtime.tv_sec ||
	    id.mtime.tv_nsec != f->id.mtime.tv_nsec)
		return false;
	f->id = id;
	f->links = st->st_nlink;
	f->mode = st->st_mode;
	f->owner = st->st_uid;
	f->group = st->st_gid;
	f->unseen = false;
	return true;
}

static int
open_again(struct axt_file *f, struct axt_err *e)
{
	char name[256];
	struct stat st;
	int fd;

	if (f->fd >= 0) /* another thread has opened it meanwhile */
		return 0;
	axt_escape_to(name, sizeof(name), f->path);
	fd = axt_fd_high(open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
	while (fd < 0 && (errno == EMFILE || errno == ENFILE) && make_room())
		fd = axt_fd_high(open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
	if (fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", name, strerror(errno));
	if (fstat(fd, &st) || !(f->unseen ? see(f, &st) : is_file(&st, f))) {
		close(fd);
		if (f->unseen)
			return axt_fail(e, AXT_E_CHANGED,
			    "%s: the processes of the job see different inputs: the first one found "
			    "another size or time of writing",
			    name);
		axt_deed_note(AXT_DISTURBED);
		return axt_fail(e, AXT_E_CHANGED, "%s: changed while being read", name);
	}
	__atomic_store_n(&f->fd, fd, __ATOMIC_RELEASE);
	return 0;
}

int
axt_file_take(struct axt_file *f, struct axt_err *e)
{
	int users = __atomic_load_n(&f->users, __ATOMIC_RELAXED), n, bad = 0;

	if (f->stream)
		return f->fd;
	do {
		while (users == CLOSING)
			users = __atomic_load_n(&f->users, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&f->users, &users, users + 1, true, __ATOMIC_ACQUIRE,
	    __ATOMIC_RELAXED));
	__atomic_store_n(&f->used, true, __ATOMIC_RELAXED);
	if (__atomic_load_n(&f->fd, __ATOMIC_ACQUIRE) < 0) {
		n = most();
		pthread_mutex_lock(&lock);
		while (nopen >= n && close_one())
			;
		bad = open_again(f, e);
		if (!bad && !f->next_open)
			enter(f);
		pthread_mutex_unlock(&lock);
	}
	if (bad)
		axt_file_give(f);
	return bad ? -1 : f->fd;
}

void
axt_file_give(struct axt_file *f)
{
	if (!f->stream)
		__atomic_fetch_sub(&f->users, 1, __ATOMIC_RELEASE);
}

int
axt_file_stat(struct axt_file *f, struct stat *st)
{
	int bad;

	pthread_mutex_lock(&lock);
	bad = f->fd >= 0 ? fstat(f->fd, st) : stat(f->path, st);
	pthread_mutex_unlock(&lock);
	return bad;
}

void
axt_file_shut(struct axt_file *f)
{
	pthread_mutex_lock(&lock);
	leave(f);
	pthread_mutex_unlock(&lock);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
