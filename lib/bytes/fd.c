/* fd.c - descriptors: their numbers, all bytes read or written. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "bytes/output.h"

int
axt_fd_high(int fd)
{
	int high = fd;

	if (fd >= 0 && fd <= 2) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		close(fd);
	}
	return high;
}

bool
axt_is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP ||
	    error == EACCES;
}

int
axt_fd_number(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };
	int64_t n;

	for (int i = 0; i < ARRAY_LEN(dirs); i++)
		if (strncmp(path, dirs[i], strlen(dirs[i])) == 0 &&
		    axt_parse_int(path + strlen(dirs[i]), 0, INT32_MAX, &n))
			return (int)n;
	return -1;
}

size_t
axt_read_at(int fd, void *out, size_t n, uint64_t at)
{
	size_t have = 0;

	while (have < n) {
		ssize_t k = pread(fd, (char *)out + have, MIN(n - have, (size_t)1 << 30),
		    (off_t)(at + have));

		if (k < 0 && errno == EINTR)
			continue;
		if (k == 0)
			errno = 0;
		if (k <= 0)
			break;
		have += (size_t)k;
	}
	return have;
}

int
axt_pwrite(int fd, const void *p, size_t n, uint64_t off, const char *what, struct axt_err *e)
{
	const char *q = p;

	while (n > 0) {
		ssize_t w = pwrite(fd, q, MIN(n, (size_t)1 << 30), (off_t)off);

		if (w < 0 && errno == EINTR)
			continue;
		if (w == 0)
			errno = EIO;
		if (w <= 0)
			return axt_fail(e, AXT_E_IO, "%s: %s", what, strerror(errno));
		q += w;
		n -= (size_t)w;
		off += (uint64_t)w;
	}
	return 0;
}
