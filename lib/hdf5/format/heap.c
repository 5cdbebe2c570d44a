/*
 * heap.c - global heap collections, which hold variable-length values.
 * source  HDF5 File Format Specification 3.0, section III.E.
 */
#include "hdf5/format/raw.h"

#include <stdlib.h>

#define MAX_HEAP ((uint64_t)1 << 30)
#define UNDEF UINT64_MAX

/* Reads a whole collection into memory from malloc. NULL: there is no collection at addr. */
static uint8_t *
collection(struct axt_src *s, uint64_t addr, uint64_t *n)
{
	uint8_t head[16], *p;
	uint64_t size;

	if (axt_src_read(s, addr, 8 + (size_t)s->len_size, head) != 0 ||
	    memcmp(head, "GCOL\001", 5) != 0)
		return NULL;
	size = axt_le(head + 8, s->len_size);
	if (size < 4096 || size > MAX_HEAP || !axt_raw_inside(s, addr, size))
		return NULL;
	axt_raw_claim(s, AXT_BLOCK_STRINGS, addr - s->base, size);
	p = malloc(size);
	s->starved |= !p;
	if (p && axt_src_read(s, addr, size, p) != 0) {
		free(p);
		return NULL;
	}
	*n = size;
	return p;
}

static size_t
align8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/*
 * Walks the objects of a collection, and sets at[index] to the offset of each object; at may be
 * NULL. Returns true if the last object ends at the end of the collection. Object 0 is free space,
 * whose size includes its own head.
 */
static bool
chain(const struct axt_src *s, const uint8_t *p, uint64_t n, uint32_t *at, size_t nat)
{
	size_t head = align8(8 + (size_t)s->len_size), o = head;

	while (n - o >= head) {
		uint64_t size = axt_le(p + o + 8, s->len_size), need;
		size_t index = (size_t)axt_le(p + o, 2);

		if (size > n)
			return false;
		need = index == 0 ? size : head + align8(size);
		if (need < head || need > n - o)
			return false;
		if (index < nat)
			at[index] = (uint32_t)o;
		o += need;
	}
	return true;
}

/* Loads a collection and keeps it, since neighbouring values are usually in the same one. */
static bool
load(struct axt_src *s, uint64_t addr)
{
	if (s->heap && s->heap_addr == addr)
		return true;
	free(s->heap);
	free(s->heap_at);
	s->heap_at = NULL;
	s->heap = collection(s, addr, &s->heap_size);
	s->heap_addr = addr;
	if (s->heap) {
		s->heap_n = MIN(s->heap_size / 16 + 2, (size_t)65536);
		s->heap_at = calloc(s->heap_n, sizeof(*s->heap_at));
		s->starved |= !s->heap_at;
	}
	if (s->heap_at && chain(s, s->heap, s->heap_size, s->heap_at, s->heap_n))
		return true;
	free(s->heap);
	s->heap = NULL;
	return false;
}

/* The bytes of object `index` of the loaded collection. */
static const uint8_t *
object(const struct axt_src *s, uint32_t index, uint64_t *n)
{
	size_t o = index > 0 && index < s->heap_n ? s->heap_at[index] : 0;

	if (o == 0)
		return NULL;
	*n = axt_le(s->heap + o + 8, s->len_size);
	return s->heap + o + align8(8 + (size_t)s->len_size);
}

const uint8_t *
axt_raw_heap(struct axt_src *s, uint64_t addr, uint32_t index, uint64_t *n)
{
	if (addr == UNDEF || __builtin_add_overflow(addr, s->base, &addr) || !load(s, addr))
		return NULL;
	return object(s, index, n);
}

const uint8_t *
axt_raw_vlen(struct axt_arena *m, struct axt_src *s, const uint8_t *p, size_t size, size_t *n)
{
	struct axt_cur c = { .p = p, .n = (size_t)axt_raw_vlen_bytes(s) };
	uint64_t count = axt_cur_num(&c, 4), addr = axt_cur_addr(&c, s), bytes;
	uint32_t index = (uint32_t)axt_cur_num(&c, 4);
	uint64_t len = 0;
	const uint8_t *q;
	uint8_t *out;

	*n = 0;
	if (count == 0)
		return axt_alloc(m, 1);
	if (__builtin_mul_overflow(count, (uint64_t)size, &bytes))
		return NULL;
	q = axt_raw_heap(s, addr, index, &len);
	if (!q || len < bytes)
		return NULL;
	out = axt_alloc(m, bytes + 1);
	if (!out)
		return NULL;
	memcpy(out, q, bytes);
	*n = (size_t)count;
	return out;
}
