/*
 * fractal_heap.c - fractal heaps, which hold dense attributes and links. Objects over some size are
 * outside of the heap ("huge"), where a B-tree finds them. The smallest objects are stored in their
 * IDs ("tiny").
 * source  HDF5 File Format Specification 3.0, section III.G.
 */
#include "hdf5/format/fractal_heap.h"

#include <stdlib.h>

#define MAX_DIRECT ((uint64_t)16 << 20)

static bool
power_of_two(uint64_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

struct axt_fheap *
axt_fheap_open(struct axt_raw *r, uint64_t addr)
{
	struct axt_src *s = r->s;
	int l = s->len_size, flags;
	size_t n = 26 + 12 * (size_t)l + 3 * (size_t)s->addr_size;
	struct axt_fheap *h;
	struct axt_cur c;
	uint64_t filters, max_managed, version;

	if (!axt_raw_signed(r, addr, n, "FRHP", &c))
		return NULL;
	h = axt_alloc(r->m, sizeof(*h));
	s->starved |= !h;
	if (!h)
		return NULL;
	axt_raw_claim(s, AXT_BLOCK_HEAP, addr, n);
	h->r = r;
	h->addr = addr;
	version = axt_cur_num(&c, 1);
	h->id_n = (int)axt_cur_num(&c, 2);
	filters = axt_cur_num(&c, 2);
	flags = (int)axt_cur_num(&c, 1);
	h->summed = flags & 2;
	max_managed = axt_cur_num(&c, 4);
	axt_cur_skip(&c, (size_t)l);
	h->huge_tree = axt_cur_addr(&c, s);
	axt_cur_skip(&c, (size_t)l);
	h->space = axt_cur_addr(&c, s);
	h->size = axt_cur_len(&c, s);
	axt_cur_skip(&c,
	    (size_t)l); /* bytes taken: libhdf5 may count them wrong, and uses them not */
	h->next = axt_cur_len(&c, s);
	h->objects = axt_cur_len(&c, s);
	axt_cur_skip(&c, (size_t)l);
	h->objects += axt_cur_len(&c, s);
	axt_cur_skip(&c, (size_t)l);
	h->objects += axt_cur_len(&c, s);
	h->width = (int)axt_cur_num(&c, 2);
	h->start = axt_cur_len(&c, s);
	h->max_direct = axt_cur_len(&c, s);
	h->bits = (int)axt_cur_num(&c, 2);
	h->first_rows = (int)axt_cur_num(&c, 2);
	h->root = axt_cur_addr(&c, s);
	h->rows = (int)axt_cur_num(&c, 2);
	h->offset_n = (h->bits + 7) / 8;
	h->len_n = axt_le_width(MIN(max_managed, h->max_direct));
	if (c.bad || version != 0 || filters != 0 || !power_of_two((uint64_t)h->width) ||
	    h->bits < 1 || h->bits > 8 * l || h->bits > 63 || !power_of_two(h->start) ||
	    !power_of_two(h->max_direct) || h->max_direct < h->start ||
	    h->max_direct > MAX_DIRECT || h->id_n < 1 + h->offset_n + h->len_n ||
	    h->rows > AXT_FHEAP_ROWS || max_managed == 0 || max_managed > h->max_direct)
		return NULL;
	return h;
}

void
axt_fheap_close(struct axt_fheap *h)
{
	if (h)
		free(h->huge);
	if (h)
		h->huge = NULL;
}

int
axt_fheap_id_bytes(const struct axt_fheap *h)
{
	return h->id_n;
}

size_t
axt_fheap_head(const struct axt_fheap *h)
{
	return 5 + (size_t)h->r->s->addr_size + (size_t)h->offset_n;
}

/* Whether the head of a block names this heap and this offset. */
static bool
is_of(const struct axt_fheap *h, const uint8_t *p, uint64_t off)
{
	struct axt_cur c = { .p = p + 4, .n = axt_fheap_head(h) - 4 };

	return axt_cur_num(&c, 1) == 0 && axt_cur_addr(&c, h->r->s) == h->addr &&
	    axt_cur_num(&c, h->offset_n) == off;
}

static struct axt_hblock *
keep(struct axt_fheap *h, struct axt_hblock b)
{
	struct axt_hblock *p = axt_alloc(h->r->m, sizeof(*p));

	h->r->s->starved |= !p;
	if (!p)
		return NULL;
	*p = b;
	p->next = h->read;
	h->read = p;
	return p;
}

/*
 * Whether the checksum of a direct block is right. The checksum is in the head of the block, and
 * was computed with zeros in its own place.
 */
static bool
direct_sum_ok(const struct axt_fheap *h, const uint8_t *p, uint64_t n)
{
	size_t at = axt_fheap_head(h);
	uint8_t *q;
	bool ok;

	if (!h->summed)
		return true;
	q = malloc(n);
	h->r->s->starved |= !q;
	if (!q)
		return false;
	memcpy(q, p, n);
	memset(q + at, 0, 4);
	ok = axt_lookup3(q, n) == axt_le32(p + at);
	free(q);
	return ok;
}

struct axt_hblock *
axt_fheap_block(struct axt_fheap *h, uint64_t addr, uint64_t off, int rows, uint64_t size)
{
	size_t head = axt_fheap_head(h);
	struct axt_hblock b = { .addr = addr, .off = off, .rows = rows };
	const uint8_t *p;

	for (struct axt_hblock *q = h->read; q; q = q->next)
		if (q->addr == addr && q->rows == rows)
			return q->off == off && (rows > 0 || q->c.n == size) ? q : NULL;
	if (rows > 0) {
		b.c.n = (size_t)rows * (size_t)h->width * (size_t)h->r->s->addr_size;
		p = axt_raw_block(h->r, addr, head + b.c.n + 4);
		if (!p || !axt_raw_summed(h->r, addr, p, head + b.c.n) ||
		    memcmp(p, "FHIB", 4) != 0 || !is_of(h, p, off))
			return NULL;
		b.c.p = p + head;
		size = head + b.c.n + 4;
	} else {
		if (size < head + (h->summed ? 4 : 0))
			return NULL;
		p = axt_raw_block(h->r, addr, size);
		if (!p || memcmp(p, "FHDB", 4) != 0 || !is_of(h, p, off) ||
		    !direct_sum_ok(h, p, size))
			return NULL;
		b.c = (struct axt_cur){ .p = p, .n = (size_t)size };
	}
	axt_raw_claim(h->r->s, AXT_BLOCK_HEAP, addr, size);
	return keep(h, b);
}

uint64_t
axt_fheap_row(const struct axt_fheap *h, int row)
{
	int shift = row < 2 ? 0 : row - 1;

	return shift < __builtin_clzll(h->start) ? h->start << shift : 0;
}

int
axt_fheap_rows(const struct axt_fheap *h, uint64_t size)
{
	return __builtin_ctzll(size) - __builtin_ctzll(h->start * (uint64_t)h->width) + 1;
}

const struct axt_hblock *
axt_fheap_direct(struct axt_fheap *h, uint64_t off)
{
	uint64_t addr = h->root, at = 0, size = h->start;
	int rows = h->rows;

	while (rows > 0) {
		struct axt_hblock *b = axt_fheap_block(h, addr, at, rows, 0);
		struct axt_cur c;
		int r = 0;
		uint64_t k;

		if (!b)
			return NULL;
		c = b->c;
		for (; r < rows; r++) {
			uint64_t row;

			size = axt_fheap_row(h, r);
			if (size == 0 || __builtin_mul_overflow(size, (uint64_t)h->width, &row))
				return NULL;
			if (off - at < row)
				break;
			at += row;
			axt_cur_skip(&c, (size_t)h->width * (size_t)h->r->s->addr_size);
		}
		if (r == rows)
			return NULL;
		k = (off - at) / size;
		at += k * size;
		axt_cur_skip(&c, (size_t)k * (size_t)h->r->s->addr_size);
		addr = axt_cur_addr(&c, h->r->s);
		if (c.bad || addr == AXT_UNDEF)
			return NULL;
		/*
		 * a block of more than max_direct bytes is itself an indirect block, with as many
		 * rows as its size needs
		 */
		rows = size <= h->max_direct ? 0 : axt_fheap_rows(h, size);
		if (rows < 0 || (size > h->max_direct && rows == 0) || rows > AXT_FHEAP_ROWS)
			return NULL;
	}
	return off - at < size ? axt_fheap_block(h, addr, at, 0, size) : NULL;
}

bool
axt_fheap_on_huge(void *ctx, struct axt_cur rec)
{
	struct axt_fheap *h = ctx;
	struct axt_src *s = h->r->s;
	struct huge o = { .addr = axt_cur_addr(&rec, s) };

	o.n = axt_cur_len(&rec, s);
	o.id = axt_cur_len(&rec, s);
	if (rec.bad)
		return true;
	if (h->nhuge == h->cap) {
		size_t cap = h->cap ? 2 * h->cap : 16;
		void *p = realloc(h->huge, cap * sizeof(o));

		if (!p) {
			s->starved = true;
			return true;
		}
		h->huge = p;
		h->cap = cap;
	}
	h->huge[h->nhuge++] = o;
	return false;
}

static int
by_id(const void *a, const void *b)
{
	const struct huge *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static const struct huge *
huge_object(struct axt_fheap *h, struct axt_cur id)
{
	struct huge key = { .id = axt_cur_num(&id, MIN(h->id_n - 1, 8)) };

	if (!h->sorted) {
		if (axt_tree_walk(h->r, h->huge_tree, AXT_TREE_HUGE, axt_fheap_on_huge, h) !=
		    AXT_WALK_ALL)
			h->nhuge = 0;
		if (h->nhuge > 1)
			qsort(h->huge, h->nhuge, sizeof(key), by_id);
		h->sorted = true;
	}
	return id.bad || h->nhuge == 0 ? NULL
				       : bsearch(&key, h->huge, h->nhuge, sizeof(key), by_id);
}

static bool
managed(struct axt_fheap *h, struct axt_cur id, struct axt_fobject *o)
{
	uint64_t off = axt_cur_num(&id, h->offset_n), in;
	const struct axt_hblock *b;

	o->n = axt_cur_num(&id, h->len_n);
	b = id.bad || h->root == AXT_UNDEF ? NULL : axt_fheap_direct(h, off);
	if (!b)
		return false;
	in = off - b->off;
	if (in < axt_fheap_head(h) || in > b->c.n || o->n > b->c.n - in)
		return false;
	o->p = b->c.p + in;
	return o->n > 0;
}

/*
 * Reads an object by its ID. Offsets in a heap also count the heads of its blocks. The ID of a huge
 * object has its address and length, if these fit, or else its key in a B-tree.
 */
bool
axt_fheap_get(struct axt_fheap *h, struct axt_cur id, struct axt_fobject *o)
{
	struct axt_src *s = h->r->s;
	int first, kind;
	const struct huge *g;

	if (id.n != (size_t)h->id_n)
		return false;
	first = (int)axt_cur_num(&id, 1);
	kind = first & 0x30;
	*o = (struct axt_fobject){ 0 };
	if (first & 0xc0)
		return false;
	if (kind == 0)
		return managed(h, id, o);
	if (kind == 0x20) {
		o->n = (uint64_t)(first & 15) + 1;
		if (h->id_n > 17)
			o->n = ((uint64_t)(first & 15) << 8 | axt_cur_num(&id, 1)) + 1;
		o->p = axt_cur_skip(&id, (size_t)o->n);
		return o->p != NULL;
	}
	if (kind != 0x10)
		return false;
	if (s->addr_size + s->len_size < h->id_n) {
		o->at = axt_cur_addr(&id, s);
		o->n = axt_cur_len(&id, s);
	} else {
		g = huge_object(h, id);
		o->at = g ? g->addr : AXT_UNDEF;
		o->n = g ? g->n : 0;
	}
	return !id.bad && o->at != AXT_UNDEF && o->n > 0 &&
	    !__builtin_add_overflow(o->at, s->base, &o->at) && axt_raw_inside(s, o->at, o->n);
}
