/*
 * seams.c - functions that the copy of libhdf5 inside libaxt calls under names that the build has
 * changed (see scripts/hdf5).
 *
 * Where HDF5=DIR has libhdf5.so alone, there is no copy, and these functions are not called.
 *
 * libhdf5's objects are built for executables, where stderr can be addressed directly. In libaxt,
 * their stderr is a stream that discards everything, since libhdf5 prints errors while it starts,
 * before it can be told not to.
 *
 * For each file that it opens, libhdf5 zeroes a hash table of half a MiB twice, and uses a page or
 * two of it. That takes a third of the time that a command needs for a small file, so whole pages
 * are replaced by fresh ones instead.
 *
 * Objects in files of other programs may have the time of their last change, to the second. If axt
 * changes such an object, it keeps the time it had: the bytes of a result follow from the inputs,
 * and not from the clock.
 *
 * Some libraries are compiled with assertions, which fail on full disks and damaged files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/output.h"

FILE *axt_h5_stderr;
FILE *axt_h5_stdout;

__attribute__((constructor)) static void
h5_streams(void)
{
	FILE *nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){ 0 });

	axt_h5_stderr = nowhere ? nowhere : stderr;
	axt_h5_stdout = nowhere ? nowhere : stdout;
}

void *axt_h5_memset(void *p, int c, size_t n);

/*
 * memset for memory from malloc, which is private and anonymous: to be zeroed, whole pages are
 * replaced by fresh ones.
 */
void *
axt_h5_memset(void *p, int c, size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *lo = p, *hi = lo + n;

	if (c != 0 || n < 32 * page)
		return memset(p, c, n);
	lo += -(uintptr_t)lo % page;
	hi -= (uintptr_t)hi % page;
	if (mmap(lo, (size_t)(hi - lo), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return memset(p, c, n);
	memset(p, 0, (size_t)(lo - (uint8_t *)p));
	memset(hi, 0, (size_t)((uint8_t *)p + n - hi));
	return p;
}

int axt_h5_touch(void *file, void *header, bool force);

int
axt_h5_touch(void *file, void *header, bool force)
{
	(void)file;
	(void)header;
	(void)force;
	return 0;
}

_Noreturn void axt_h5_assert(const char *what, const char *file, unsigned line, const char *in);

/* libhdf5 cannot go on. The process ends as after an error: outputs are as they were. */
_Noreturn void
axt_h5_assert(const char *what, const char *file, unsigned line, const char *in)
{
	const char *name = strrchr(file, '/');

	fprintf(stderr, "%s: libhdf5 cannot write the file: %s fails in %s (%s:%u)\n",
	    program_invocation_short_name, what, in, name ? name + 1 : file, line);
	axt_out_cleanup();
	_exit(1);
}

int64_t H5FD_ros3_init(void);

/* The driver for S3, which would bring curl and OpenSSL, is not in the copy: it has no number. */
int64_t
H5FD_ros3_init(void)
{
	return -1;
}
