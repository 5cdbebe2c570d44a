/*
 * deflate.c - a chunk: gathered, shuffled as HDF5's filter does, and deflated
 * by igzip (1 to 3) or libdeflate (4 to 9).
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include "bytes/chunk.h"
#include "hdf5/write/compressed.h"

struct axt_pack {
	int level;
	unsigned char *plain, *shuffled;
	struct libdeflate_compressor *deflate; /* levels 4 to 9 */
	struct isal_zstream z;                 /* igzip */
	uint8_t *level_buf;
	uint32_t level_size;
};

void
axt_cut_init(struct axt_cut *c, const struct axt_place *p, const void *plain, int fd)
{
	*c = (struct axt_cut){
		.p = plain, .fd = fd, .rank = p->v->axes.n, .size = axt_size(p->v->dtype), .nchunks = 1
	};
	c->bytes = (size_t)c->size;
	for (int i = 0; i < c->rank; i++) {
		c->dims[i] = p->v->axes.a[i].len;
		c->chunk[i] = p->chunk[i];
		c->grid[i] = (c->dims[i] + c->chunk[i] - 1) / c->chunk[i];
		c->nchunks *= c->grid[i];
		c->bytes *= (size_t)c->chunk[i];
	}
}

size_t
axt_pack_bound(const struct axt_cut *c)
{
	return c->bytes + c->bytes / 256 + 4096;
}

struct axt_pack *
axt_pack_new(const struct axt_cut *c, int level, unsigned char *room, struct axt_err *e)
{
	static const uint32_t igzip_size[] = { 0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
		ISAL_DEF_LVL3_DEFAULT };
	struct axt_pack *k = calloc(1, sizeof(*k));
	bool ok = k != NULL;

	if (ok)
		k->level = MAX(level, 0);
	if (ok && k->level > 0) {
		k->plain = room;
		k->shuffled = room + c->bytes;
	}
	if (ok && k->level > 3) {
		k->deflate = libdeflate_alloc_compressor(k->level);
		ok = k->deflate != NULL;
	} else if (ok && k->level > 0) {
		k->level_size = igzip_size[k->level];
		k->level_buf = calloc(1, k->level_size);
		ok = k->level_buf != NULL;
	}
	if (ok)
		return k;
	axt_pack_free(k);
	axt_fail(e, AXT_E_MEM, "out of memory");
	return NULL;
}

void
axt_pack_free(struct axt_pack *k)
{
	if (!k)
		return;
	if (k->deflate)
		libdeflate_free_compressor(k->deflate);
	free(k->level_buf);
	free(k);
}

/* n plain bytes from byte `at` on; errno tells what is wrong. */
static bool
get(const struct axt_cut *c, size_t at, unsigned char *out, size_t n)
{
	if (c->p) {
		memcpy(out, c->p + at, n);
		return true;
	}
	while (n > 0) {
		ssize_t k = pread(c->fd, out, MIN(n, (size_t)1 << 30), (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k == 0)
			errno = EIO;
		if (k <= 0)
			return false;
		out += k;
		at += (size_t)k;
		n -= (size_t)k;
	}
	return true;
}

/* Copies a chunk's part of the tensor: runs over the last axis cut and the whole ones behind it. */
static bool
gather(const struct axt_cut *c, int64_t i, unsigned char *out)
{
	int64_t at[AXT_MAX_RANK], n[AXT_MAX_RANK] = { 1 }, k[AXT_MAX_RANK] = { 0 };
	bool edge = false;
	int r = c->rank - 1;
	size_t run = (size_t)c->size;

	for (int d = c->rank - 1; d >= 0; d--) {
		at[d] = i % c->grid[d] * c->chunk[d];
		i /= c->grid[d];
		n[d] = MIN(c->chunk[d], c->dims[d] - at[d]);
		edge = edge || n[d] < c->chunk[d];
	}
	while (r > 0 && c->chunk[r] == c->dims[r])
		run *= (size_t)c->dims[r--];
	run *= (size_t)n[r];
	if (edge)
		memset(out, 0, c->bytes);
	for (;;) {
		int64_t from = 0, to = 0;
		int d;

		for (d = 0; d < c->rank; d++) {
			from = from * c->dims[d] + at[d] + (d < r ? k[d] : 0);
			to = to * c->chunk[d] + (d < r ? k[d] : 0);
		}
		if (!get(c, (size_t)from * (size_t)c->size, out + (size_t)to * (size_t)c->size, run))
			return false;
		for (d = r - 1; d >= 0 && ++k[d] == n[d]; d--)
			k[d] = 0;
		if (d < 0)
			return true;
	}
}

/* 0 when igzip gave up. */
static size_t
igzip(struct axt_pack *k, const unsigned char *in, size_t bytes, void *out, size_t cap)
{
	struct isal_zstream *z = &k->z;

	memset(z, 0, sizeof(*z)); /* igzip looks at what its init leaves */
	isal_deflate_stateless_init(z);
	z->level = (uint32_t)k->level;
	z->level_buf = k->level_buf;
	z->level_buf_size = k->level_size;
	z->gzip_flag = IGZIP_ZLIB;
	z->end_of_stream = 1;
	z->flush = NO_FLUSH;
	z->next_in = (uint8_t *)(uintptr_t)in;
	z->avail_in = (uint32_t)bytes;
	z->next_out = out;
	z->avail_out = (uint32_t)MIN(cap, (size_t)UINT32_MAX);
	return isal_deflate_stateless(z) == COMP_OK && z->avail_in == 0 ? z->total_out : 0;
}

int
axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e)
{
	const unsigned char *p;

	if (!gather(c, i, k->level == 0 ? out : k->plain))
		return axt_fail(e, AXT_E_IO, "a temporary file beside the output: %s", strerror(errno));
	if (k->level == 0) {
		*n = c->bytes;
		return 0;
	}
	p = c->size > 1 ? k->shuffled : k->plain;
	if (c->size > 1)
		axt_shuffle(k->plain, k->shuffled, c->bytes, c->size);
	*n = k->deflate ? libdeflate_zlib_compress(k->deflate, p, c->bytes, out, cap)
			: igzip(k, p, c->bytes, out, cap);
	if (*n == 0)
		return axt_fail(e, AXT_E_IO, "a chunk cannot be compressed");
	return 0;
}
