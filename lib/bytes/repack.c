/* repack.c - one chunk decoded, and packed again by the filters of its dataset. */
#include <math.h>
#include <stdlib.h>

#include <libdeflate.h>

#include "bytes/chunk.h"
#include "bytes/repack.h"

int
axt_repack_fits(const struct axt_storage *st, int64_t memory, struct axt_err *e)
{
	int64_t whole = (int64_t)axt_decoder_bytes(st, false);

	if (st->nfilters == 0 || whole <= memory || axt_decoder_bytes(st, true) > 0)
		return 0;
	axt_fail(e, AXT_E_LIMIT, "%s: a chunk needs %.4g MiB of scratch memory, the bound is %.4g MiB",
	    st->from, (double)whole / (1 << 20), (double)memory / (1 << 20));
	axt_hint(e, "raise it with --memory %.0fM", ceil((double)whole / (1 << 20)));
	return e->code;
}

/* Bytes for a chunk packed by filters that make it longer, if anything. */
static size_t
bound_of(const struct axt_storage *st, size_t bytes)
{
	size_t more = bytes / 256 + 4096;

	return MAX(bytes + (size_t)st->nfilters * more, st->largest);
}

int
axt_repack_open(struct axt_repack *k, const struct axt_storage *st, int level, int64_t memory,
    struct axt_temp *beside, struct axt_err *e)
{
	size_t bytes = (size_t)st->chunk_count * (size_t)st->esize, bound = bound_of(st, bytes);
	int64_t all = (int64_t)(bytes + (level >= 0 ? 2 * bound : 0));

	*k = (struct axt_repack){ .st = *st, .bytes = bytes, .bound = bound, .room.fd = -1 };
	if (axt_repack_fits(st, memory, e))
		return e->code;
	k->pieces = all + (int64_t)axt_decoder_bytes(st, false) > memory / 2;
	k->z = axt_decoder_new();
	if (level >= 0)
		k->deflate = libdeflate_alloc_compressor(level);
	if (all <= memory / 2)
		k->room.mem = axt_room(all);
	else if (axt_wait_open(&k->room, all, 0, beside, e) || axt_wait_map(&k->room, e))
		return e->code;
	if (!k->z || !k->room.mem || (level >= 0 && !k->deflate))
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", st->from);
	k->plain = k->room.mem;
	if (level >= 0) {
		k->stored = k->plain + bytes;
		k->work = k->stored + bound;
	}
	return 0;
}

void
axt_repack_close(struct axt_repack *k)
{
	axt_decoder_free(k->z);
	if (k->deflate)
		libdeflate_free_compressor(k->deflate);
	axt_wait_close(&k->room);
}

/* Chunk c of s, all of it. */
static int
decode(struct axt_repack *k, const struct axt_storage *s, int64_t c, struct axt_err *e)
{
	struct axt_chunk_box b = { .out = k->plain };
	int64_t n = s->esize;

	for (int d = s->rank - 1; d >= 0; d--) {
		b.n[d] = s->chunk[d];
		b.stride[d] = n;
		n *= s->chunk[d];
	}
	return axt_chunk_box(s, k->z, c, &b, k->pieces, e);
}

int
axt_repack_read(struct axt_repack *k, int64_t c, struct axt_err *e)
{
	return decode(k, &k->st, c, e);
}

/* The table of chunks tells for a moment where this one is. */
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

/* ---- packing ---- */

/* n bytes with their sum behind them, in the place they are in. */
static size_t
add_sum(uint8_t *p, size_t n)
{
	struct axt_fletcher f = { 0 };
	uint32_t sum;

	axt_fletcher_add(&f, p, n);
	sum = axt_fletcher_sum(&f);
	for (int i = 0; i < 4; i++)
		p[n + (size_t)i] = (uint8_t)(sum >> 8 * i);
	return n + 4;
}

int
axt_repack_pack(struct axt_repack *k, uint32_t mask, const uint8_t **out, size_t *n,
    struct axt_err *e)
{
	uint8_t *p = k->plain, *to = k->stored;

	axt_swap(&k->st, p, k->st.chunk_count);
	*n = k->bytes;
	for (int i = 0; i < k->st.nfilters; i++) {
		if (mask >> i & 1)
			continue;
		if (k->st.filter[i] == AXT_FILTER_DEFLATE)
			*n = libdeflate_zlib_compress(k->deflate, p, *n, to, k->bound);
		else if (k->st.filter[i] == AXT_FILTER_SHUFFLE)
			axt_shuffle(p, to, *n, k->st.esize);
		else if (p == k->plain)		/* which has no room for a sum */
			memcpy(to, p, *n);
		if (*n == 0)
			return axt_fail(e, AXT_E_IO, "%s: a chunk cannot be compressed", k->st.from);
		if (k->st.filter[i] != AXT_FILTER_FLETCHER32 || p == k->plain) {
			p = to;
			to = p == k->stored ? k->work : k->stored;
		}
		if (k->st.filter[i] == AXT_FILTER_FLETCHER32)
			*n = add_sum(p, *n);
	}
	*out = p;
	return 0;
}
