/* bytes.h - small pieces shared by readers and writers of raw bytes. */
#ifndef AXT_STORE_BYTES_H
#define AXT_STORE_BYTES_H

#include "store.h"

static inline uint32_t
axt_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* An unsigned little-endian number of 1..8 bytes. */
static inline uint64_t
axt_le(const uint8_t *p, int n)
{
	uint64_t v = 0;

	for (int i = n; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

/* fd, or a copy above 2 (closing fd), so that no data file is standard input, output or error. */
int axt_fd_high(int fd);
/* The N of /dev/fd/N and /proc/self/fd/N, or -1. */
int axt_fd_number(const char *path);
/* Bytes that hold v: 1..8. */
static inline int
axt_le_width(uint64_t v)
{
	int n = 1;

	for (; n < 8 && v >> 8 * n; n++)
		;
	return n;
}

/* pread of n bytes at a file address; s->mem is not looked at. */
int axt_pread(const struct axt_storage *s, uint64_t addr, size_t n, void *out, struct axt_err *e);
/* The same of a stream: pulled as far as needed, and kept. */
int axt_stream_read(const struct axt_storage *s, uint64_t addr, size_t n, void *out,
    struct axt_err *e);
/* n elements to native order, where the storage is big-endian. */
void axt_swap(const struct axt_storage *s, void *p, int64_t n);
/* Reverses the bytes of n items of 2, 4 or 8 bytes. */
void axt_swap_items(void *p, int64_t n, int size);
/* n elements of the fill value. */
void axt_fill(const struct axt_storage *s, void *p, int64_t n);
/* All elements of a storage into out, native order. */
int axt_storage_whole(const struct axt_storage *s, void *out, struct axt_err *e);

#endif
