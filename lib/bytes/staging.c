/*
 * staging.c - values kept in memory: a sink of a known size, and values staged until all are known,
 * in memory or in an unlinked file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/output.h"
#include "bytes/src.h"

static int
io(const struct axt_waiting *w, struct axt_err *e)
{
	if (!w->beside)
		return axt_temporary_fail(errno, e);
	return axt_fail(e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO,
	    "a temporary file beside the output: %s", strerror(errno));
}

int
axt_wait_open(struct axt_waiting *w, int64_t bytes, int64_t most, struct axt_temp *beside,
    struct axt_err *e)
{
	*w = (struct axt_waiting){ .bytes = bytes, .fd = -1, .beside = beside };
	if (bytes <= most) {
		w->mem = axt_scratch_new(bytes);
		if (w->mem)
			return 0;
	}
	w->fd = beside ? axt_temp_spool(beside, (uint64_t)bytes, e) : axt_temporary();
	if (w->fd < 0)
		return e->code ? (int)e->code : io(w, e);
	errno = beside ? 0 : posix_fallocate(w->fd, 0, (off_t)bytes);
	return errno ? io(w, e) : 0;
}

int
axt_wait_put(struct axt_waiting *w, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_err failed = { 0 };

	if (w->mem)
		memcpy(w->mem + off, p, (size_t)n);
	else if (axt_pwrite(w->fd, p, (size_t)n, (uint64_t)off, "", &failed))
		return io(w, e);
	return 0;
}

int
axt_wait_map(struct axt_waiting *w, struct axt_err *e)
{
	if (w->mem)
		return 0;
	w->map = mmap(NULL, (size_t)w->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
	if (w->map == MAP_FAILED) {
		w->map = NULL;
		return io(w, e);
	}
	w->mem = w->map;
	return 0;
}

const void *
axt_wait_bytes(struct axt_waiting *w)
{
	struct axt_err none = { 0 };

	return !w->mem && (!axt_may_map(w->bytes) || axt_wait_map(w, &none)) ? NULL : w->mem;
}

void
axt_wait_close(struct axt_waiting *w)
{
	if (w->map)
		munmap(w->map, (size_t)w->bytes);
	else
		free(w->mem);
	if (w->fd >= 0)
		close(w->fd);
	*w = (struct axt_waiting){ .fd = -1 };
}

static int
mem_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_mem_sink *m = (struct axt_mem_sink *)s;

	if (off < 0 || n < 0 || off + n > m->bytes)
		return axt_fail(e, AXT_E_ARG, "the result needs more than %lld bytes",
		    (long long)m->bytes);
	memcpy(m->p + off, p, (size_t)n);
	return 0;
}

void
axt_mem_sink_init(struct axt_mem_sink *m, void *p, int64_t bytes)
{
	*m = (struct axt_mem_sink){ .sink = { .write = mem_write }, .p = p, .bytes = bytes };
}
