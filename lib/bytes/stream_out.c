/*
 * stream_out.c - output that cannot be seeked or renamed, such as a pipe. A run that fails leaves
 * it incomplete, so that its reader notices.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "bytes/output.h"

#define HELD (64 << 10) /* at most so many bytes are held back */
#define PIECE (1 << 20) /* bytes of one write, and the capacity asked for a pipe */

/* The descriptor a target stands for, or -1. */
static int
fd_named(const char *target)
{
	if (!target || strcmp(target, "-") == 0 || strcmp(target, "/dev/stdout") == 0)
		return 1;
	return strcmp(target, "/dev/stderr") == 0 ? 2 : axt_fd_number(target);
}

bool
axt_stream_is(const char *target)
{
	struct stat st;

	if (fd_named(target) >= 0)
		return true;
	return stat(target, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int
sys(struct axt_stream *s, struct axt_err *e)
{
	return axt_fail(e, AXT_E_IO, "%s: %s", s->path, strerror(errno));
}

int
axt_stream_open(struct axt_stream *s, const char *target, struct axt_err *e)
{
	int n = fd_named(target), flags;
	struct stat st;

	*s = (struct axt_stream){ .fd = n };
	axt_escape_to(s->path, sizeof(s->path), n == 1 ? "standard output" : target);
	axt_reach();
	if (n < 0) {
		s->fd = axt_fd_high(open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC));
		s->own = true;
	}
	flags = s->fd < 0 ? -1 : fcntl(s->fd, F_GETFL);
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		flags = -1;
	}
	if (flags < 0 || fstat(s->fd, &st))
		return sys(s, e);
	if (isatty(s->fd)) {
		axt_fail(e, AXT_E_ARG, "%s is a terminal: no binary data is written to it",
		    s->path);
		axt_hint(e, "-p prints text, -o FILE writes a file");
		return e->code;
	}
	if (S_ISFIFO(st.st_mode))
		fcntl(s->fd, F_SETPIPE_SZ, PIECE);
	axt_deed_note(AXT_GAVE_OUT); /* whoever reads it may be offered a plan from now on */
	s->held = malloc(HELD);
	return s->held ? 0 : axt_fail(e, AXT_E_MEM, "out of memory");
}

static int
wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}

static int
send_all(struct axt_stream *s, const void *p, size_t n, struct axt_err *e)
{
	const char *q = p;

	while (n > 0) {
		ssize_t w = write(s->fd, q, MIN(n, (size_t)PIECE));

		if (w < 0 && (errno == EINTR || (errno == EAGAIN && wait_writable(s->fd) == 0)))
			continue;
		if (w == 0)
			errno = EIO;
		if (w <= 0)
			return sys(s, e);
		q += w;
		n -= (size_t)w;
		if (s->sent)
			*s->sent += w;
	}
	return 0;
}

int
axt_stream_begin(struct axt_stream *s, struct axt_err *e)
{
	if (s->started)
		return 0;
	s->started = true;
	s->pos = s->header.n;
	return send_all(s, s->header.p, s->header.n, e);
}

/* Puts n bytes. Once there were any, between 1 and HELD bytes are held back. */
static int
take(struct axt_stream *s, const void *p, size_t n, struct axt_err *e)
{
	const char *q = p;
	size_t tail;

	if (s->nheld + n > HELD) {
		if (send_all(s, s->held, s->nheld, e))
			return e->code;
		s->nheld = 0;
		if (n > HELD) {
			tail = n % HELD ? n % HELD : HELD;
			if (send_all(s, q, n - tail, e))
				return e->code;
			q += n - tail;
			n = tail;
		}
	}
	memcpy(s->held + s->nheld, q, n);
	s->nheld += n;
	return 0;
}

/* Puts zeros up to pos. */
static int
skip_to(struct axt_stream *s, uint64_t pos, struct axt_err *e)
{
	static const char zeros[AXT_ALIGN];

	while (s->pos < pos) {
		size_t gap = MIN(pos - s->pos, sizeof(zeros));

		if (take(s, zeros, gap, e))
			return e->code;
		s->pos += gap;
	}
	return 0;
}

int
axt_stream_put(struct axt_stream *s, uint64_t pos, const void *p, size_t n, struct axt_err *e)
{
	if (n == 0)
		return 0;
	if (axt_stream_begin(s, e))
		return e->code;
	if (pos < s->pos)
		return axt_fail(e, AXT_E_IO, "%s: bytes came out of order", s->path);
	if (skip_to(s, pos, e))
		return e->code;
	s->pos += n;
	return take(s, p, n, e);
}

int
axt_stream_end(struct axt_stream *s, struct axt_err *e)
{
	if (axt_stream_begin(s, e) || skip_to(s, s->header.size, e) ||
	    send_all(s, s->held, s->nheld, e))
		return e->code;
	s->nheld = 0;
	if (s->own) {
		s->own = false;
		if (close(s->fd))
			return sys(s, e);
	}
	return 0;
}

void
axt_stream_release(struct axt_stream *s)
{
	if (s->own && s->fd >= 0)
		close(s->fd);
	free(s->held);
	free(s->header.p);
	*s = (struct axt_stream){ .fd = -1 };
}
