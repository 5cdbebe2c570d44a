/*
 * faulty.c - makes one call of a program fail; preloaded by faults.py.
 *
 * FAULT_CALLS  names of calls, each between spaces: " write close malloc "
 * FAULT_AT     the Nth of them fails
 * FAULT_ERRNO  with this error; or
 * FAULT_KILL   this signal is sent instead
 * FAULT_STAY   those after the Nth fail too
 * FAULT_MARK   this file is made when a call fails, to tell that there were N
 * FAULT_SHORT  reads and writes move at most so many bytes, and every third is interrupted
 * FAULT_PLAIN  no file without a name (O_TMPFILE) can be had
 * FAULT_ONLY   only in programs of this name, as "axt-map": one of a pipeline
 *
 * What libc calls inside itself is not seen. Nothing fails on standard error.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static const char *calls;
static long at, count, turn;
static int error, signum, stay, no_tmpfile;
static size_t most;

static long
number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 10) : 0;
}

__attribute__((constructor)) static void
init(void)
{
	at = number("FAULT_AT");
	error = (int)number("FAULT_ERRNO");
	signum = (int)number("FAULT_KILL");
	stay = (int)number("FAULT_STAY");
	most = (size_t)number("FAULT_SHORT");
	no_tmpfile = (int)number("FAULT_PLAIN");
	calls = getenv("FAULT_CALLS");
	if (getenv("FAULT_ONLY") &&
	    strcmp(getenv("FAULT_ONLY"), program_invocation_short_name) != 0)
		calls = NULL;
}

static int
strike(void)
{
	const char *mark = getenv("FAULT_MARK");

	if (mark)
		syscall(SYS_close,
		    syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	if (signum)
		syscall(SYS_kill, getpid(), signum);
	errno = error;
	return !signum;
}

/* Whether this call, named between spaces, is to fail. */
static int
fault(const char *name)
{
	long n;

	if (!calls || !strstr(calls, name))
		return 0;
	n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	return n == at || (stay && n > at) ? strike() : 0;
}

static int
interrupted(int fd)
{
	if (!most || fd == 2 || __atomic_add_fetch(&turn, 1, __ATOMIC_RELAXED) % 3)
		return 0;
	errno = EINTR;
	return 1;
}

static size_t
piece(size_t n)
{
	return most && n > most ? most : n;
}

/* ---- bytes ---- */

ssize_t
read(int fd, void *p, size_t n)
{
	return fault(" read ") || interrupted(fd) ? -1 : syscall(SYS_read, fd, p, piece(n));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	return (fd != 2 && fault(" write ")) || interrupted(fd)
	    ? -1
	    : syscall(SYS_write, fd, p, piece(n));
}

ssize_t
pread(int fd, void *p, size_t n, off_t o)
{
	return fault(" pread ") || interrupted(fd) ? -1 : syscall(SYS_pread64, fd, p, piece(n), o);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t o)
{
	return fault(" pwrite ") || interrupted(fd) ? -1
						    : syscall(SYS_pwrite64, fd, p, piece(n), o);
}

ssize_t
copy_file_range(int in, off_t *i, int out, off_t *o, size_t n, unsigned flags)
{
	return fault(" copy_file_range ")
	    ? -1
	    : syscall(SYS_copy_file_range, in, i, out, o, piece(n), flags);
}

/* ---- files ---- */

/* The descriptor is gone, as Linux does it. */
int
close(int fd)
{
	int bad = fault(" close ");
	int r = (int)syscall(SYS_close, fd);

	if (bad)
		errno = error;
	return bad ? -1 : r;
}

int
openat(int dir, const char *path, int flags, ...)
{
	va_list v;
	unsigned mode;

	va_start(v, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(v, unsigned) : 0;
	va_end(v);
	if (no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return fault(" open ") ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	va_list v;
	unsigned mode;

	va_start(v, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(v, unsigned) : 0;
	va_end(v);
	return openat(AT_FDCWD, path, flags, mode);
}

int
fsync(int fd)
{
	return fault(" fsync ") ? -1 : (int)syscall(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	return fault(" fsync ") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int
ftruncate(int fd, off_t n)
{
	return fault(" ftruncate ") ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

int
fallocate(int fd, int mode, off_t o, off_t n)
{
	return fault(" fallocate ") ? -1 : (int)syscall(SYS_fallocate, fd, mode, o, n);
}

int
fchmod(int fd, mode_t m)
{
	return fault(" fchmod ") ? -1 : (int)syscall(SYS_fchmod, fd, m);
}

int
fcntl(int fd, int cmd, ...)
{
	va_list v;
	long a;

	va_start(v, cmd);
	a = va_arg(v, long);
	va_end(v);
	return fault(cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW || cmd == F_OFD_GETLK ? " lock "
										     : " fcntl ")
	    ? -1
	    : (int)syscall(SYS_fcntl, fd, cmd, a);
}

int
linkat(int a, const char *from, int b, const char *to, int flags)
{
	return fault(" link ") ? -1 : (int)syscall(SYS_linkat, a, from, b, to, flags);
}

int
renameat(int a, const char *from, int b, const char *to)
{
	return fault(" rename ") ? -1 : (int)syscall(SYS_renameat, a, from, b, to);
}

int
renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
	return fault(" rename ") ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, flags);
}

int
flock(int fd, int how)
{
	return fault(" lock ") ? -1 : (int)syscall(SYS_flock, fd, how);
}

off_t
lseek(int fd, off_t o, int whence)
{
	return fault(" lseek ") ? -1 : syscall(SYS_lseek, fd, o, whence);
}

/* ---- what is asked of files ---- */

int
fstat(int fd, struct stat *st)
{
	return fault(" stat ") ? -1 : (int)syscall(SYS_fstat, fd, st);
}

int
fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return fault(" stat ") ? -1 : (int)syscall(SYS_newfstatat, dir, path, st, flags);
}

int
stat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, path, st, 0);
}

int
lstat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int
fstatfs(int fd, struct statfs *st)
{
	return fault(" stat ") ? -1 : (int)syscall(SYS_fstatfs, fd, st);
}

int
access(const char *path, int mode)
{
	return fault(" access ") ? -1 : (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int
faccessat(int dir, const char *path, int mode, int flags)
{
	return fault(" access ") ? -1 : (int)syscall(SYS_faccessat2, dir, path, mode, flags);
}

ssize_t
readlink(const char *path, char *to, size_t n)
{
	return fault(" readlink ") ? -1 : syscall(SYS_readlinkat, AT_FDCWD, path, to, n);
}

ssize_t
readlinkat(int dir, const char *path, char *to, size_t n)
{
	return fault(" readlink ") ? -1 : syscall(SYS_readlinkat, dir, path, to, n);
}

char *
realpath(const char *path, char *to)
{
	static char *(*real)(const char *path, char *to);

	if (!real)
		real = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
	return fault(" readlink ") ? NULL : real(path, to);
}

int
unlinkat(int dir, const char *path, int flags)
{
	return fault(" unlink ") ? -1 : (int)syscall(SYS_unlinkat, dir, path, flags);
}

int
unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int
fchown(int fd, uid_t u, gid_t g)
{
	return fault(" fchmod ") ? -1 : (int)syscall(SYS_fchown, fd, u, g);
}

ssize_t
getrandom(void *p, size_t n, unsigned flags)
{
	return fault(" getrandom ") ? -1 : syscall(SYS_getrandom, p, n, flags);
}

/* ---- plans that go from command to command ---- */

int
eventfd(unsigned n, int flags)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_eventfd2, n, flags);
}

int
socket(int domain, int type, int protocol)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

int
bind(int fd, const struct sockaddr *a, socklen_t n)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_bind, fd, a, n);
}

int
listen(int fd, int n)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_listen, fd, n);
}

int
accept4(int fd, struct sockaddr *a, socklen_t *n, int flags)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_accept4, fd, a, n, flags);
}

int
connect(int fd, const struct sockaddr *a, socklen_t n)
{
	return fault(" socket ") ? -1 : (int)syscall(SYS_connect, fd, a, n);
}

ssize_t
sendmsg(int fd, const struct msghdr *m, int flags)
{
	return fault(" socket ") ? -1 : syscall(SYS_sendmsg, fd, m, flags);
}

ssize_t
recv(int fd, void *p, size_t n, int flags)
{
	return fault(" socket ") ? -1 : syscall(SYS_recvfrom, fd, p, n, flags, NULL, NULL);
}

int
posix_fallocate(int fd, off_t o, off_t n)
{
	if (fault(" fallocate "))
		return error;
	return syscall(SYS_fallocate, fd, 0, o, n) ? errno : 0;
}

ssize_t
recvmsg(int fd, struct msghdr *m, int flags)
{
	return fault(" socket ") ? -1 : syscall(SYS_recvmsg, fd, m, flags);
}

/* ---- memory and threads ---- */

void *
mmap(void *p, size_t n, int prot, int flags, int fd, off_t o)
{
	return fault(" mmap ") ? MAP_FAILED : (void *)syscall(SYS_mmap, p, n, prot, flags, fd, o);
}

void *
malloc(size_t n)
{
	return fault(" malloc ") ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t k)
{
	return fault(" malloc ") ? NULL : __libc_calloc(n, k);
}

void *
realloc(void *p, size_t n)
{
	return fault(" malloc ") ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return fault(" malloc ") ? NULL : __libc_memalign(align, n);
}

int
pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *ctx)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (fault(" pthread_create "))
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(t, a, fn, ctx);
}
