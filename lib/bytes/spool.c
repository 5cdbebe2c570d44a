/*
 * spool.c - what is kept of a pipe: in memory, then in an unlinked file.
 */
#define _GNU_SOURCE
#include "bytes/src.h"
#include "bytes/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define PIECE (256 << 10)

bool
axt_src_refuse(struct axt_src *s, const char *why, int err)
{
	if (!s->why)
		s->why = why;
	if (!s->err)
		s->err = err;
	return false;
}

const char *
axt_temporary_folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int
axt_temporary(void)
{
	const char *dir = axt_temporary_folder();
	char name[4096];
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (snprintf(name, sizeof(name), "%s/axt-XXXXXX", dir) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0 && unlink(name)) {
		int err = errno;

		unlink(name);
		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

int
axt_temporary_fail(int error, struct axt_err *e)
{
	char dir[256];

	axt_escape_to(dir, sizeof(dir), axt_temporary_folder());
	axt_fail(e, error == ENOMEM ? AXT_E_MEM : AXT_E_IO, "a temporary file in %s: %s", dir,
	    strerror(error));
	axt_hint(e, "TMPDIR=DIR has them in another directory");
	return e->code;
}

/* Notes that the temporary file cannot be made or written. */
static bool
no_room(struct axt_src *s, const char *what)
{
	char dir[200];

	axt_escape_to(dir, sizeof(dir), axt_temporary_folder());
	snprintf(s->said, sizeof(s->said), "%s in %s (TMPDIR has it elsewhere)", what, dir);
	return axt_src_refuse(s, s->said, errno ? errno : ENOSPC);
}

/* Adds bytes to the unlinked file. */
static bool
add_to_file(struct axt_src *s, const uint8_t *p, size_t n, uint64_t at)
{
	struct axt_err e = { 0 };

	return !axt_pwrite(s->spool, p, n, at, "", &e) ||
	    no_room(s, "a temporary file cannot be written");
}

/* Moves what memory holds to the unlinked file. */
static bool
to_file(struct axt_src *s)
{
	s->spool = axt_temporary();
	if (s->spool < 0)
		return no_room(s, "no temporary file");
	if (!add_to_file(s, s->mem, s->size - s->from, 0))
		return false;
	free(s->mem);
	s->mem = NULL;
	s->cap = 0;
	return true;
}

void
axt_src_forget(struct axt_src *s)
{
	if (s->next < s->size) {
		/* memory is compacted once half of it is free; a file only when all of it is */
		if (s->mem && s->next - s->from > s->cap / 2) {
			memmove(s->mem, s->mem + (s->next - s->from), s->size - s->next);
			s->from = s->next;
		}
		return;
	}
	if (s->cap > 2 * PIECE) {
		free(s->mem);
		s->mem = NULL;
		s->cap = 0;
	}
	if (s->spool >= 0)
		close(s->spool);
	s->spool = -1;
	s->from = s->size;
}

/*
 * Makes room for more bytes of a pipe: makes the buffer in memory larger or, if that has reached
 * its bound, moves what is kept to a file.
 */
static bool
grow(struct axt_src *s)
{
	size_t cap = s->cap ? s->cap * 2 : PIECE;
	uint8_t *p;

	if (s->size - s->from < s->cap)
		return true;
	if (s->cap >= s->bound)
		return to_file(s);
	p = realloc(s->mem, cap);
	if (!p)
		return s->cap ? to_file(s) : axt_src_refuse(s, "out of memory", ENOMEM);
	s->mem = p;
	s->cap = cap;
	return true;
}

static bool
pull_to_file(struct axt_src *s)
{
	uint8_t *p = malloc(PIECE);
	ssize_t k = p ? axt_src_some(s, p, PIECE) : 0;
	bool ok = k > 0;

	if (!p)
		return axt_src_refuse(s, "out of memory", ENOMEM);
	ok = ok && add_to_file(s, p, (size_t)k, s->size - s->from);
	if (ok)
		s->size += (uint64_t)k;
	free(p);
	return ok;
}

bool
axt_src_pull_some(struct axt_src *s)
{
	uint64_t n;
	ssize_t k;

	if (s->spool < 0 && !grow(s))
		return false;
	if (s->spool >= 0)
		return pull_to_file(s);
	n = s->size - s->from;
	k = axt_src_some(s, s->mem + n, MIN(s->cap - n, PIECE));
	if (k > 0)
		s->size += (uint64_t)k;
	return k > 0;
}

bool
axt_src_pull(struct axt_src *s, uint64_t n)
{
	while (s->size < n && !s->eof)
		if (!axt_src_pull_some(s))
			return false;
	return s->size >= n;
}

bool
axt_src_kept(struct axt_src *s, uint64_t addr, size_t n, void *out)
{
	if (addr < s->from || addr + n > s->size)
		return axt_src_refuse(s, "bytes of the stream were taken before", 0);
	addr -= s->from;
	if (n > 0 && s->mem)
		memcpy(out, s->mem + addr, n);
	else if (n > 0 && axt_read_at(s->spool, out, n, addr) < n)
		return axt_src_refuse(s, "the temporary file cannot be read", errno ? errno : EIO);
	return true;
}

void
axt_src_release(struct axt_src *s)
{
	free(s->growth);
	s->growth = NULL;
	free(s->mem);
	free(s->heap);
	free(s->heap_at);
	s->mem = s->heap = NULL;
	s->heap_at = NULL;
	if (s->spool >= 0)
		close(s->spool);
	s->spool = -1;
}
