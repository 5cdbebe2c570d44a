/*
 * cut.c - makes one chunk of an output: gathers its elements from the bytes of the tensor, and
 * packs them by the filters of the output; or takes it from a storage that has it.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bytes/chunk.h"
#include "bytes/packing.h"

struct axt_pack {
	struct axt_pack_scratch scratch; /* all but .out, which each call of axt_pack_chunk names */
	struct axt_filter_work work;
	struct axt_decoder *z; /* for chunks that are taken */
};

/* Has the chunks taken from there, if each is a whole one there, or begins as one does. */
static void
take_from(struct axt_cut *c, const struct axt_in_chunks *from)
{
	for (int k = 0; k < from->n; k++) {
		const struct axt_chunked_part *p = &from->part[k];
		const struct axt_storage *st = p->st;

		if (st->layout != AXT_LAYOUT_CHUNKED || st->record || st->rank != c->rank ||
		    st->esize != c->size || p->at % c->chunk[from->dim] != 0)
			return;
		for (int d = 0; d < c->rank; d++)
			if (st->chunk[d] != c->chunk[d] || p->from[d] % c->chunk[d] != 0)
				return;
		c->unpacks = MAX(c->unpacks, axt_decoder_bytes(st, false));
	}
	c->chunks = from;
	c->takes = axt_pack_scratch_bytes(c) + axt_pack_bound(c) + c->unpacks;
}

void
axt_cut_init(struct axt_cut *c, const struct axt_axes *x, int size, const int64_t *chunk,
    struct axt_filters filters, const void *plain, int fd, const struct axt_in_chunks *from)
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
	if (from)
		take_from(c, from);
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

	if (k && c->chunks && !(k->z = axt_decoder_new()))
		why = axt_filter_no_memory;
	if (!why) {
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
	if (k) {
		axt_filter_work_close(&k->work);
		axt_decoder_free(k->z);
	}
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

/* ---- chunks that are taken ---- */

/* Where a chunk is taken from. */
struct taken {
	const struct axt_storage *st;
	int64_t c;               /* its number there */
	int64_t n[AXT_MAX_RANK]; /* what of it is in the tensor */
	bool edge;               /* that is not all of it */
	bool same;               /* the storage has no elements of it that the tensor has not */
};

static void
find(const struct axt_cut *c, int64_t i, struct taken *t)
{
	const struct axt_in_chunks *in = c->chunks;
	const struct axt_chunked_part *p;
	int64_t at[AXT_MAX_RANK];

	for (int d = c->rank - 1; d >= 0; d--) {
		at[d] = i % c->grid[d] * c->chunk[d];
		i /= c->grid[d];
	}
	p = &in->part[axt_range_of(&in->part->at, sizeof(*in->part), in->n, at[in->dim])];
	*t = (struct taken){ .st = p->st, .same = true };
	for (int d = 0; d < c->rank; d++) {
		int64_t from = p->from[d] + at[d] - (d == in->dim ? p->at : 0);

		t->c = t->c * p->st->grid[d] + from / c->chunk[d];
		t->n[d] = MIN(c->chunk[d], c->dims[d] - at[d]);
		t->edge = t->edge || t->n[d] < c->chunk[d];
		t->same = t->same && t->n[d] == MIN(c->chunk[d], p->st->dims[d] - from);
	}
}

static bool
same_filter(const struct axt_filter_use *a, const struct axt_filter_use *b)
{
	return a->f == b->f && a->esize == b->esize && a->n == b->n && a->n <= AXT_FILTER_PARAMS &&
	    !a->own && !b->own && memcmp(a->param, b->param, (size_t)a->n * sizeof(*a->param)) == 0;
}

/* Whether a chunk that all filters were applied to is packed as the output has it. */
static bool
packed_alike(const struct axt_cut *c, const struct taken *t)
{
	const struct axt_storage *st = t->st;
	bool alike = t->same && !st->swap && !st->cut && !st->short_edges &&
	    st->filters.n == c->filters.n;

	for (int k = 0; k < c->filters.n && alike; k++)
		alike = same_filter(&c->filters.use[k], &st->filters.use[k]);
	return alike;
}

/* Makes all elements 0 that are not in the tensor, as they are in chunks that are gathered. */
static void
clear_edge(const struct axt_cut *c, const struct taken *t, unsigned char *p)
{
	int64_t i[AXT_MAX_RANK] = { 0 };
	int last = c->rank - 1, d;
	size_t row = (size_t)c->chunk[last] * (size_t)c->size;

	do {
		size_t keep = (size_t)t->n[last] * (size_t)c->size;

		for (d = 0; d < last; d++)
			keep = i[d] < t->n[d] ? keep : 0;
		memset(p + keep, 0, row - keep);
		p += row;
		for (d = last - 1; d >= 0 && ++i[d] == c->chunk[d]; d--)
			i[d] = 0;
	} while (d >= 0);
}

static bool
has_bytes(const struct axt_cut *c)
{
	return c->p || c->fd >= 0;
}

/*
 * Copies chunk i to `out`, where a file has it as the output has: *n becomes its length, or 0. If
 * the elements are nowhere else, they are read to `plain`.
 */
static int
take(struct axt_pack *k, const struct axt_cut *c, int64_t i, unsigned char *plain, void *out,
    size_t *n, struct axt_err *e)
{
	struct taken t;
	bool alike;

	find(c, i, &t);
	alike = c->filters.n > 0 && packed_alike(c, &t);
	if (!alike)
		*n = 0;
	if (has_bytes(c))
		return alike ? axt_chunk_read_packed(t.st, k->z, t.c, out, n, e) : 0;
	if (alike ? axt_chunk_read_both(t.st, k->z, t.c, plain, out, n, e)
		  : axt_chunk_read(t.st, k->z, t.c, plain, e))
		return e->code;
	if (*n == 0 && t.edge)
		clear_edge(c, &t, plain);
	return 0;
}

int
axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e)
{
	struct axt_pack_scratch scratch = k->scratch;
	unsigned char *plain = c->filters.n > 0 ? scratch.inner[0] : out;
	const uint8_t *packed;
	const char *why;

	*n = cap;
	if (c->chunks && (take(k, c, i, plain, out, n, e) || *n > 0))
		return e->code;
	*n = c->bytes;
	if ((has_bytes(c) || !c->chunks) && !gather(c, i, plain))
		return axt_fail(e, AXT_E_IO, "a temporary file beside the output: %s",
		    strerror(errno));
	if (c->filters.n == 0)
		return 0;
	scratch.out = out;
	scratch.out_cap = cap;
	why = axt_filters_pack(&c->filters, 0, &k->work, &scratch, &packed, n);
	return why ? axt_fail(e, AXT_E_IO, "%s", why) : 0;
}
