/* src.c - bytes of a file at an address: pread, or what is kept of a pipe. */
#include "bytes/src.h"

#include <errno.h>
#include <unistd.h>

#define GROWTH 4096 /* where the block `growth` is, and its bytes */

static int
refuse(struct axt_src *s, const char *why)
{
	if (!s->why)
		s->why = why;
	return -1;
}

int
axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out)
{
	struct axt_err e = { 0 };
	uint64_t end;
	int rc, fd;

	if (__builtin_add_overflow(addr, n, &end) || end > (uint64_t)INT64_MAX)
		return refuse(s, "address out of range");
	s->asked = MAX(s->asked, end);
	if (s->stream && !axt_src_pull(s, end))
		return refuse(s, "short stream");
	if (end > s->size)
		return refuse(s, "address behind the end");
	if (s->stream)
		return axt_src_kept(s, addr, n, out) ? 0 : -1;
	fd = s->fd >= 0 ? s->fd : axt_file_take(s->of, &e);
	rc = fd < 0 ? EIO : axt_read_at(fd, out, n, addr) == n ? 0 : errno ? errno : -1;
	if (s->growth && addr < 2 * GROWTH &&
	    end > GROWTH) { /* both are at that address, and as long */
		uint64_t from = MAX(addr, (uint64_t)GROWTH), to = MIN(end, (uint64_t)2 * GROWTH);

		memcpy((uint8_t *)out + (from - addr), s->growth + (from - GROWTH), to - from);
	}
	if (fd >= 0 && s->fd < 0)
		axt_file_give(s->of);
	if (rc > 0)
		s->err = rc;
	return rc == 0 ? 0 : refuse(s, "short read");
}
