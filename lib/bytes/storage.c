/*
 * storage.c - reads bytes of contiguous storage and whole datasets, reverses bytes of elements, and
 * fills. Any thread may call these functions.
 */
#include "bytes/chunk.h"
#include "kern/kern.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

bool
axt_may_map(int64_t bytes)
{
	struct rlimit r;

	return getrlimit(RLIMIT_AS, &r) || r.rlim_cur == RLIM_INFINITY ||
	    (uint64_t)bytes <= r.rlim_cur / 8;
}

int
axt_pread(const struct axt_storage *s, uint64_t addr, size_t n, void *out, struct axt_err *e)
{
	int fd = s->fd >= 0 ? s->fd : axt_file_take(s->file, e), bad = fd < 0;
	size_t have = bad ? 0 : axt_read_at(fd, out, n, addr);

	if (!bad && have < n && errno)
		bad = axt_fail(e, AXT_E_IO, "%s: %s", s->from, strerror(errno));
	else if (!bad && have < n)
		bad = axt_fail(e, AXT_E_DAMAGED,
		    "%s: the file ends at byte %llu, %zu bytes are missing", s->from,
		    (unsigned long long)(addr + have), n - have);
	if (fd >= 0 && s->fd < 0)
		axt_file_give(s->file);
	return bad ? (int)e->code : AXT_OK;
}

int
axt_storage_read(const struct axt_storage *s, int64_t first, int64_t n, void *out,
    struct axt_err *e)
{
	size_t from = (size_t)first * (size_t)s->esize, bytes = (size_t)n * (size_t)s->esize;

	if (s->layout == AXT_LAYOUT_VIRTUAL)
		return axt_fail(e, AXT_E_DTYPE, "%s: is virtual: no values are stored here",
		    s->from);
	if (s->layout == AXT_LAYOUT_NONE) {
		axt_fill(s, out, n);
		/* fill values are native: swapped, because the caller swaps what it gets */
		axt_swap(s, out, n);
		return AXT_OK;
	}
	if (s->mem) {
		memcpy(out, (const uint8_t *)s->mem + from, bytes);
		return AXT_OK;
	}
	if (s->src)
		return axt_stream_read(s, s->offset + from, bytes, out, e);
	return axt_pread(s, s->offset + from, bytes, out, e);
}

void
axt_swap_items(void *p, int64_t n, int size)
{
	if (size > 1)
		axt_kern_swap(p, n, size);
}

void
axt_swap(const struct axt_storage *s, void *p, int64_t n)
{
	if (!s->swap)
		return;
	if (axt_dtypes[s->dtype].cls == AXT_CLASS_COMPLEX)
		axt_swap_items(p, 2 * n, s->esize / 2);
	else
		axt_swap_items(p, n, s->esize);
}

void
axt_fill(const struct axt_storage *s, void *p, int64_t n)
{
	uint8_t *q = p;
	size_t size = (size_t)s->esize, done;
	size_t total = (size_t)n * size;

	if (n <= 0)
		return;
	if (size > sizeof(s->fill_bytes) && !s->fill_text) {
		memset(p, 0, total);
		return;
	}
	memcpy(q, size > sizeof(s->fill_bytes) ? s->fill_text : s->fill_bytes, size);
	for (done = size; done < total; done *= 2)
		memcpy(q + done, q, MIN(done, total - done));
}

/* Copies those elements of chunk c that lie within the dataset. */
static void
scatter(const struct axt_storage *s, int64_t c, const uint8_t *in, uint8_t *out)
{
	int64_t start[AXT_MAX_RANK], len[AXT_MAX_RANK], i[AXT_MAX_RANK] = { 0 };
	int last = s->rank - 1, k;
	size_t row;

	for (k = last; k >= 0; k--) {
		start[k] = c % s->grid[k] * s->chunk[k];
		len[k] = MIN(s->chunk[k], s->dims[k] - start[k]);
		c /= s->grid[k];
	}
	row = (size_t)len[last] * (size_t)s->esize;
	do {
		int64_t from = 0, to = 0;

		for (k = 0; k <= last; k++) {
			from = from * s->chunk[k] + i[k];
			to = to * s->dims[k] + start[k] + i[k];
		}
		memcpy(out + (size_t)to * (size_t)s->esize, in + (size_t)from * (size_t)s->esize,
		    row);
		for (k = last - 1; k >= 0 && ++i[k] == len[k]; k--)
			i[k] = 0;
	} while (k >= 0);
}

static int
whole_chunked(const struct axt_storage *s, uint8_t *out, struct axt_err *e)
{
	struct axt_decoder *z = axt_decoder_new();
	uint8_t *p = malloc((size_t)s->chunk_count * (size_t)s->esize);
	int rc = AXT_OK;

	if (!z || !p)
		rc = axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int64_t c = 0; c < s->nchunks && rc == AXT_OK; c++) {
		rc = axt_chunk_read(s, z, c, p, e);
		if (rc == AXT_OK)
			scatter(s, c, p, out);
	}
	axt_decoder_free(z);
	free(p);
	return rc;
}

/* Reads the chunks that axt_storage_cut made. */
static int
whole_cut(const struct axt_storage *s, uint8_t *out, struct axt_err *e)
{
	struct axt_decoder *z = axt_decoder_new();

	if (!z)
		axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int64_t c = 0; c < s->nchunks && !e->code; c++) {
		struct axt_chunk_box b = { .out = out };
		int64_t rest = c, row = s->esize;

		for (int d = s->rank - 1; d >= 0; d--) {
			int64_t at = rest % s->grid[d] * s->chunk[d];

			rest /= s->grid[d];
			b.n[d] = MIN(s->chunk[d], s->dims[d] - at);
			b.stride[d] = row;
			b.out += at * row;
			row *= s->dims[d];
		}
		axt_cut_box(s, z, c, &b, e);
	}
	axt_decoder_free(z);
	return e->code;
}

int
axt_storage_whole(const struct axt_storage *s, void *out, struct axt_err *e)
{
	int rc;

	if (s->count == 0)
		return AXT_OK;
	if (s->layout == AXT_LAYOUT_CHUNKED)
		return whole_chunked(s, out, e);
	if (s->layout == AXT_LAYOUT_RECORDS)
		return whole_cut(s, out, e);
	rc = axt_storage_read(s, 0, s->count, out, e);
	if (rc == AXT_OK)
		axt_swap(s, out, s->count);
	return rc;
}
