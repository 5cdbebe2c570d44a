/* repack.c - one chunk decoded, and packed again by the filters of its dataset. */
#include <math.h>

#include "bytes/boxes.h"
#include "bytes/chunk.h"
#include "bytes/repack.h"

int
axt_repack_fits(const struct axt_storage *st, bool pack, int64_t memory, struct axt_err *e)
{
	const struct axt_filter *f = axt_filters_read_only(&st->filters);
	int64_t whole = (int64_t)axt_decoder_bytes(st, false);

	if (pack && f)
		return axt_fail(e, AXT_E_DTYPE, "%s: axt reads filter %s, but does not write it",
		    st->from, f->name);
	if (st->filters.n == 0 || whole <= memory || axt_decoder_bytes(st, true) > 0)
		return 0;
	axt_fail(e, AXT_E_LIMIT,
	    "%s: a chunk needs %.4g MiB of scratch memory, the bound is %.4g MiB", st->from,
	    (double)whole / (1 << 20), (double)memory / (1 << 20));
	axt_hint(e, "raise it with --memory %.0fM", ceil((double)whole / (1 << 20)));
	return e->code;
}

int
axt_repack_open(struct axt_repack *k, const struct axt_storage *st, bool pack, int64_t memory,
    struct axt_temp *beside, struct axt_err *e)
{
	const struct axt_filters *l = &st->filters;
	size_t bytes = (size_t)st->chunk_count * (size_t)st->esize,
	       inner = l->n > 0 ? axt_filters_bound(l, l->n - 1, bytes) : bytes,
	       bound = MAX(axt_filters_bound(l, l->n, bytes), st->largest);
	int64_t all = (int64_t)(pack ? 2 * inner + bound : bytes);
	const char *why;

	*k = (struct axt_repack){ .st = *st, .bytes = bytes, .bound = bound, .scratch.fd = -1 };
	if (axt_repack_fits(st, pack, memory, e))
		return e->code;
	k->pieces = all + (int64_t)axt_decoder_bytes(st, false) > memory / 2;
	k->z = axt_decoder_new();
	if (all <= memory / 2)
		k->scratch.mem = axt_scratch_new(all);
	else if (axt_wait_open(&k->scratch, all, 0, beside, e) || axt_wait_map(&k->scratch, e))
		return e->code;
	if (!k->z || !k->scratch.mem)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", st->from);
	k->plain = k->scratch.mem;
	if (!pack)
		return 0;
	k->stored = k->plain + 2 * inner;
	k->packing = (struct axt_pack_scratch){ .inner = { k->plain, k->plain + inner },
		.inner_cap = inner,
		.out = k->stored,
		.out_cap = bound };
	why = axt_filters_pack_open(l, &k->work);
	return why ? axt_bad_filter(st, &k->work, why, e) : 0;
}

void
axt_repack_close(struct axt_repack *k)
{
	axt_decoder_free(k->z);
	axt_filter_work_close(&k->work);
	axt_wait_close(&k->scratch);
}

/* Decodes the whole chunk c of s. */
static int
decode(struct axt_repack *k, const struct axt_storage *s, int64_t c, struct axt_err *e)
{
	struct axt_chunk_box b = { .out = k->plain };

	axt_row_strides(s->rank, s->chunk, b.stride);
	for (int d = 0; d < s->rank; d++) {
		b.n[d] = s->chunk[d];
		b.stride[d] *= s->esize;
	}
	return axt_chunk_box(s, k->z, c, &b, k->pieces, e);
}

int
axt_repack_read(struct axt_repack *k, int64_t c, struct axt_err *e)
{
	return decode(k, &k->st, c, e);
}

/*
 * Decodes n bytes that are in k->stored, by means of a copy of the storage in which these bytes are
 * chunk c.
 */
int
axt_repack_take(struct axt_repack *k, int64_t c, size_t n, uint32_t mask, struct axt_err *e)
{
	struct axt_chunk_loc was = k->st.chunks[c];
	struct axt_storage s = k->st;

	s.mem = k->stored;
	s.chunks[c] = (struct axt_chunk_loc){ .size = (uint32_t)n, .mask = mask };
	decode(k, &s, c, e);
	s.chunks[c] = was;
	return e->code;
}

int
axt_repack_pack(struct axt_repack *k, uint32_t mask, const uint8_t **out, size_t *n,
    struct axt_err *e)
{
	const char *why;

	axt_swap(&k->st, k->plain, k->st.chunk_count);
	*n = k->bytes;
	why = axt_filters_pack(&k->st.filters, mask, &k->work, &k->packing, out, n);
	return why ? axt_fail(e, AXT_E_IO, "%s: %s", k->st.from, why) : 0;
}
