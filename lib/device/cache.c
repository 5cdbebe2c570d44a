/*
 * cache.c - keeps compiled programs from run to run, each in a file. A program's key is the
 * compiler, for CUDA its version and the GPU's architecture too, and the source. The file is named
 * by a hash of the key and has the key in it, since two keys may have one hash.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device.h"

#define PATH_SIZE 4096
#define MOST (64 << 20) /* larger files are not read */

/* FNV-1a with 64 bits. Collisions are found, since each file contains the whole key. */
static uint64_t
hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3;
	return h;
}

/* Makes the path of the file for the key. Returns false if the user has no folder for caches. */
static bool
path_of(const char *key, char path[PATH_SIZE])
{
	const char *x = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = x && *x == '/'     ? snprintf(path, PATH_SIZE - 64, "%s/axt", x)
	    : home && *home == '/' ? snprintf(path, PATH_SIZE - 64, "%s/.cache/axt", home)
				   : -1;

	if (n < 0 || n >= PATH_SIZE - 64)
		return false;
	snprintf(path + n, 64, "/%016llx", (unsigned long long)hash(key));
	return true;
}

void *
axt_read_file(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	char *p = NULL;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_size <= MOST && (p = malloc((size_t)st.st_size + 1))) {
		*n = (size_t)st.st_size;
		if (read(fd, p, *n) != st.st_size) {
			free(p);
			p = NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	return p;
}

void *
axt_cache_get(const char *key, size_t *n)
{
	char path[PATH_SIZE];
	size_t len = strlen(key) + 1;
	char *p = path_of(key, path) ? axt_read_file(path, n) : NULL;

	if (!p || *n <= len || memcmp(p, key, len) != 0) {
		free(p);
		return NULL;
	}
	*n -= len;
	memmove(p, p + len, *n);
	return p;
}

/* Makes the folder of path and the one above it; $XDG_CACHE_HOME may be missing as well. */
static void
make_folder(char *path)
{
	char *last = strrchr(path, '/'), *above;

	*last = '\0';
	above = strrchr(path, '/');
	*above = '\0';
	mkdir(path, 0700);
	*above = '/';
	mkdir(path, 0700);
	*last = '/';
}

void
axt_cache_put(const char *key, const void *p, size_t n)
{
	char path[PATH_SIZE], *tmp;
	size_t len = strlen(key) + 1;
	bool ok;
	int fd;

	if (!path_of(key, path) || asprintf(&tmp, "%s.XXXXXX", path) < 0)
		return;
	make_folder(path);
	fd = mkostemp(tmp, O_CLOEXEC);
	ok = fd >= 0 && write(fd, key, len) == (ssize_t)len && write(fd, p, n) == (ssize_t)n;
	if (fd >= 0 && (close(fd) || !ok || rename(tmp, path)))
		unlink(tmp);
	free(tmp);
}

void
axt_dump_source(const char *text)
{
	const char *dir = getenv("AXT_DEVICE_DUMP");
	char path[PATH_SIZE];
	FILE *f;

	if (!dir || !*dir)
		return;
	snprintf(path, sizeof(path), "%s/%016llx.cu", dir, (unsigned long long)hash(text));
	f = fopen(path, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}
