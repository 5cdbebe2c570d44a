/*
 * pipe.c - reads a pipe in order: waits for it without blocking a process that writes to several
 * pipes, reads bytes that need not be kept, and checks where the pipe ends.
 */
#include "bytes/src.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "bytes/bytes.h"

/* bytes of a stream that are read ahead while another one is waited for ... */
#define AHEAD (8 << 20)
/* ... but all that comes once that one has been silent for so many milliseconds */
#define PATIENCE 100
#define PIECE (256 << 10)

/* ---- waiting ---- */

static int
ring(const struct axt_src *s)
{
	int n = 1;

	for (const struct axt_src *x = s->peer; x && x != s; x = x->peer)
		n++;
	return n;
}

/*
 * Waits until stream s can be read. Meanwhile the other streams of its ring are read and kept: up
 * to AHEAD bytes each, and more if s stays silent, since its writer may be blocked in writing to
 * one of them.
 */
static bool
wait_among(struct axt_src *s, struct pollfd *p, int n)
{
	bool patient = true;

	for (;;) {
		bool held = false;
		struct axt_src *x = s;
		int r;

		for (int i = 0; i < n; i++, x = x->peer) {
			bool ahead = i > 0 && x->size - x->next >= AHEAD;

			held = held || (ahead && !x->eof);
			p[i].events = POLLIN;
			/* poll ignores negative descriptors */
			p[i].fd = i > 0 && (x->eof || (ahead && patient)) ? -1 : x->fd;
		}
		r = poll(p, (nfds_t)n, held && patient ? PATIENCE : -1);
		if (r < 0 && errno != EINTR)
			return false;
		if (r > 0 && p[0].revents)
			return true;
		patient = patient && r != 0;
		for (int i = 1; r > 0 && i < n; i++) {
			x = x->peer; /* after n steps x is s again */
			if (p[i].fd >= 0 && p[i].revents && !axt_src_pull_some(x))
				x->eof = true;
		}
	}
}

/*
 * Waits until s can be read. (For a FIFO that no writer has opened yet, poll reports neither data
 * nor an end, so it is waited for, too.)
 */
static bool
wait_for(struct axt_src *s)
{
	struct pollfd one = { .fd = s->fd, .events = POLLIN }, *p;
	int n = ring(s), r;
	bool ok;

	while ((r = poll(&one, 1, n > 1 ? 0 : -1)) < 0 && errno == EINTR)
		;
	if (r != 0)
		return r > 0;
	p = calloc((size_t)n, sizeof(*p));
	if (!p) {
		errno = ENOMEM;
		return false;
	}
	ok = wait_among(s, p, n);
	free(p);
	return ok;
}

ssize_t
axt_src_some(struct axt_src *s, void *out, size_t n)
{
	axt_reach();
	while (!s->eof) {
		ssize_t k = wait_for(s) ? read(s->fd, out, n) : -2;

		if (k > 0)
			return k;
		if (k == -1 && (errno == EAGAIN || errno == EINTR))
			continue;
		s->eof = true;
		if (k == 0)
			break;
		axt_src_refuse(s, "the stream cannot be read", errno);
		return -1;
	}
	return 0;
}

/* ---- taking ---- */

/* Reads n bytes that are not kept, to out, or drops them if out is NULL. */
static bool
pass(struct axt_src *s, uint64_t n, uint8_t *out)
{
	uint8_t *away = out ? NULL : malloc(PIECE);

	if (!out && !away)
		return axt_src_refuse(s, "out of memory", ENOMEM);
	while (n > 0) {
		ssize_t k = axt_src_some(s, out ? out : away, out ? n : MIN(n, PIECE));

		if (k <= 0)
			break;
		s->size += (uint64_t)k;
		s->from = s->next = s->size;
		n -= (uint64_t)k;
		out = out ? out + k : NULL;
	}
	free(away);
	return n == 0;
}

bool
axt_src_take(struct axt_src *s, uint64_t addr, size_t n, void *out)
{
	uint8_t *p = out;
	size_t k;

	if (addr < s->next)
		return axt_src_refuse(s, "bytes of the stream were taken before", 0);
	s->next = MIN(addr, s->size);
	k = (size_t)MIN(n, s->size - s->next);
	if (k > 0 && p && !axt_src_kept(s, s->next, k, p))
		return false;
	s->next += k;
	axt_src_forget(s);
	return (addr <= s->size || pass(s, addr - s->size, NULL)) &&
	    pass(s, n - k, p ? p + k : NULL);
}

/* ---- the end ---- */

static int
failed(struct axt_src *s, const char *path, struct axt_err *e)
{
	char name[256];

	axt_escape_to(name, sizeof(name), path);
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
	return axt_fail(e, AXT_E_IO, "%s: %s", name, s->why ? s->why : "the stream cannot be read");
}

/*
 * Compares the number of bytes that came with the end of the file that the superblock gives. One
 * more byte is asked for, to see whether the stream goes on.
 */
static int
compare(struct axt_src *s, const char *path, struct axt_err *e)
{
	if (s->eoa < INT64_MAX)
		axt_src_pull(s, s->eoa + 1);
	if (s->err || s->size != s->eoa)
		return failed(s, path, e);
	s->ended = true;
	return AXT_OK;
}

int
axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e)
{
	s->keep = true;
	return s->ended ? AXT_OK : compare(s, path, e);
}

int
axt_src_end(struct axt_src *s, const char *path, struct axt_err *e)
{
	if (s->ended)
		return AXT_OK;
	if (!s->keep && s->size < s->eoa && !s->eof)
		axt_src_take(s, s->eoa, 0, NULL);
	return compare(s, path, e);
}

int
axt_stream_drain(struct axt_file *f, uint64_t *all, struct axt_err *e)
{
	struct axt_src *s = f->src;

	pass(s, UINT64_MAX, NULL);
	*all = s->size;
	s->ended = true;
	return s->err ? failed(s, f->path, e) : AXT_OK;
}

/* ---- storage ---- */

int
axt_stream_read(const struct axt_storage *s, uint64_t addr, size_t n, void *out, struct axt_err *e)
{
	return axt_src_read(s->src, addr, n, out) == 0 ? AXT_OK : failed(s->src, s->file->path, e);
}

/* Metadata behind the values were read already, and so the values before them were stored. */
bool
axt_stream_kept(const struct axt_storage *s)
{
	uint64_t end = s->offset + (uint64_t)s->count * (uint64_t)s->esize;

	return s->src->keep || s->src->asked > end;
}

bool
axt_stream_keep(const struct axt_storage *s)
{
	bool news = !s->src->keep;

	s->src->keep = true;
	return news;
}

int
axt_stream_spool(struct axt_storage *s, struct axt_err *e)
{
	struct axt_src *src = s->src;

	if (axt_src_spool(src, s->file->path, e))
		return e->code;
	s->fd = src->spool;
	s->mem = src->mem ? src->mem + s->offset : NULL;
	s->src = NULL;
	return AXT_OK;
}

int
axt_stream_take(const struct axt_storage *s, int64_t first, int64_t n, void *out, struct axt_err *e)
{
	uint64_t size = (uint64_t)s->esize;

	if (axt_src_take(s->src, s->offset + (uint64_t)first * size, (size_t)n * size, out))
		return AXT_OK;
	return failed(s->src, s->file->path, e);
}
