/*
 * spool.c - a pipe as a source: read in order, as far as asked, and kept in
 * memory, then in an unlinked file.
 */
#define _GNU_SOURCE
#include "h5.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define PIECE (256 << 10)

static bool
refuse(struct axt_src *s, const char *why, int err)
{
	if (!s->why)
		s->why = why;
	if (!s->err)
		s->err = err;
	return false;
}

/* One read of at most n bytes; waits on a pipe that another process made non-blocking. */
static ssize_t
read_some(int fd, void *p, size_t n)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t k;

	for (;;) {
		k = read(fd, p, n);
		if (k >= 0)
			return k;
		if (errno == EAGAIN)
			poll(&pfd, 1, -1);
		else if (errno != EINTR)
			return -1;
	}
}

static bool
write_all(int fd, const uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static int
temporary(void)
{
	const char *dir = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (snprintf(name, sizeof(name), "%s/axt-XXXXXX", dir) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* Moves what memory holds to the unlinked file; mem stays as the piece's buffer only. */
static bool
to_file(struct axt_src *s)
{
	s->spool = temporary();
	if (s->spool < 0)
		return refuse(s, "no temporary file", errno);
	if (!write_all(s->spool, s->mem, s->size))
		return refuse(s, "the temporary file cannot be written", errno ? errno : ENOSPC);
	free(s->mem);
	s->mem = NULL;
	s->cap = 0;
	return true;
}

static bool
grow(struct axt_src *s)
{
	size_t cap = s->cap ? s->cap * 2 : PIECE;
	uint8_t *p;

	if (s->size < s->cap)
		return true;
	if (s->cap >= s->bound && s->cap > 0)
		return to_file(s);
	p = realloc(s->mem, cap);
	if (!p)
		return refuse(s, "out of memory", ENOMEM);
	s->mem = p;
	s->cap = cap;
	return true;
}

static bool
pull_file(struct axt_src *s, uint64_t n)
{
	uint8_t *p = malloc(PIECE);
	ssize_t k = 1;
	bool ok = p != NULL;

	if (!ok)
		refuse(s, "out of memory", ENOMEM);
	while (ok && s->size < n) {
		k = read_some(s->fd, p, PIECE);
		if (k <= 0)
			break;
		ok = write_all(s->spool, p, (size_t)k);
		if (ok)
			s->size += (uint64_t)k;
		else
			refuse(s, "the temporary file cannot be written", errno ? errno : ENOSPC);
	}
	if (k < 0)
		refuse(s, "the stream cannot be read", errno);
	s->eof = s->eof || k <= 0;
	free(p);
	return ok && s->size >= n;
}

bool
axt_src_pull(struct axt_src *s, uint64_t n)
{
	while (s->size < n && !s->eof && s->spool < 0) {
		ssize_t k;

		if (!grow(s))
			return false;
		if (s->spool >= 0)
			break;
		k = read_some(s->fd, s->mem + s->size, MIN(s->cap - s->size, PIECE));
		if (k < 0) {
			s->eof = true;
			return refuse(s, "the stream cannot be read", errno);
		}
		s->eof = k == 0;
		s->size += (uint64_t)k;
	}
	if (s->size < n && !s->eof && s->spool >= 0)
		return pull_file(s, n);
	return s->size >= n;
}

int
axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e)
{
	char name[256];

	axt_escape_to(name, sizeof(name), path);
	/* One byte more than there may be shows a stream that goes on. */
	if (s->eoa < INT64_MAX)
		axt_src_pull(s, s->eoa + 1);
	if (s->err == ENOMEM)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", name);
	if (s->err)
		return axt_fail(e, AXT_E_IO, "%s: %s: %s", name, s->why, strerror(s->err));
	if (s->size < s->eoa)
		return axt_fail(e, AXT_E_DAMAGED, "%s: stream ends after %llu of %llu bytes", name,
		    (unsigned long long)s->size, (unsigned long long)s->eoa);
	if (s->size > s->eoa)
		return axt_fail(e, AXT_E_DAMAGED, "%s: stream has bytes after its end at byte %llu",
		    name, (unsigned long long)s->eoa);
	return AXT_OK;
}

void
axt_src_release(struct axt_src *s)
{
	free(s->mem);
	free(s->heap);
	free(s->heap_at);
	s->mem = s->heap = NULL;
	s->heap_at = NULL;
	if (s->spool >= 0)
		close(s->spool);
	s->spool = -1;
}
