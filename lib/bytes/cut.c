/*
 * cut.c - makes one chunk of an output: gathers its elements from the bytes of the tensor, and
 * packs them by the filters of the output.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bytes/packing.h"

struct axt_pack {
	struct axt_pack_scratch scratch; /* all but .out, which each call of axt_pack_chunk names */
	struct axt_filter_work work;
};

void
axt_cut_init(struct axt_cut *c, const struct axt_axes *x, int size, const int64_t *chunk,
    struct axt_filters filters, const void *plain, int fd)
{
	*c = (struct axt_cut){ .p = plain,
		.fd = fd,
		.rank = MAX(x->n, 1), /* one element is cut as if it lay along an axis */
		.size = size,
		.nchunks = 1,
		.bytes = (size_t)size,
		.filters = filters };
	for (int i = 0; i < c->rank; i++) {
		c->dims[i] = x->n ? x->a[i].len : 1;
		c->chunk[i] = x->n ? chunk[i] : 1;
		c->grid[i] = (c->dims[i] + c->chunk[i] - 1) / c->chunk[i];
		c->nchunks *= c->grid[i];
		c->bytes *= (size_t)c->chunk[i];
	}
}

size_t
axt_pack_bound(const struct axt_cut *c)
{
	return axt_filters_bound(&c->filters, c->filters.n, c->bytes);
}

size_t
axt_pack_scratch_bytes(const struct axt_cut *c)
{
	return c->filters.n > 0 ? 2 * axt_filters_bound(&c->filters, c->filters.n - 1, c->bytes)
				: 0;
}

struct axt_pack *
axt_pack_new(const struct axt_cut *c, unsigned char *mem, struct axt_err *e)
{
	struct axt_pack *k = calloc(1, sizeof(*k));
	size_t half = axt_pack_scratch_bytes(c) / 2;
	const char *why = k ? NULL : axt_filter_no_memory;

	if (k) {
		k->scratch = (struct axt_pack_scratch){ .inner = { mem, mem + half },
			.inner_cap = half };
		why = axt_filters_pack_open(&c->filters, &k->work);
	}
	if (!why)
		return k;
	if (why == axt_filter_no_memory)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else
		axt_fail(e, AXT_E_DTYPE, "filter %s: %s", k->work.absent->name, why);
	axt_pack_free(k);
	return NULL;
}

void
axt_pack_free(struct axt_pack *k)
{
	if (k)
		axt_filter_work_close(&k->work);
	free(k);
}

/* Reads n bytes from byte `at` of the tensor; false sets errno. */
static bool
get(const struct axt_cut *c, size_t at, unsigned char *out, size_t n)
{
	if (c->p) {
		memcpy(out, c->p + at, n);
		return true;
	}
	if (axt_read_at(c->fd, out, n, at) == n)
		return true;
	errno = errno ? errno : EIO;
	return false;
}

/*
 * Gathers the elements of chunk i from the bytes of the tensor. What is contiguous in both is
 * copied at once: along the last axis that is cut into chunks, and the whole axes after it.
 */
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
		if (!get(c, (size_t)from * (size_t)c->size, out + (size_t)to * (size_t)c->size,
			run))
			return false;
		for (d = r - 1; d >= 0 && ++k[d] == n[d]; d--)
			k[d] = 0;
		if (d < 0)
			return true;
	}
}

int
axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e)
{
	struct axt_pack_scratch scratch = k->scratch;
	const uint8_t *packed;
	const char *why;

	*n = c->bytes;
	if (!gather(c, i, c->filters.n > 0 ? scratch.inner[0] : out))
		return axt_fail(e, AXT_E_IO, "a temporary file beside the output: %s",
		    strerror(errno));
	if (c->filters.n == 0)
		return 0;
	scratch.out = out;
	scratch.out_cap = cap;
	why = axt_filters_pack(&c->filters, 0, &k->work, &scratch, &packed, n);
	return why ? axt_fail(e, AXT_E_IO, "%s", why) : 0;
}
