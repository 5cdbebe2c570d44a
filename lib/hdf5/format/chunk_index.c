/*
 * chunk_index.c - where the chunks of a dataset are in the file. An index of chunks is a single
 * chunk, an implicit index (all chunks in order), a fixed or an extensible array, or a B-tree of
 * version 1 or 2.
 * source  HDF5 File Format Specification 3.0, sections III.A, IV.A.2.i and VII.
 */
#include "hdf5/format/raw.h"

#define MAX_BITS 62
/* An extensible array has at most 2 + 2 * 64 super blocks. */
#define MAX_SUPER 130

struct index {
	struct axt_raw r;
	const struct axt_hlayout *l;
	const struct axt_grid *g;
	axt_chunk_fn *fn;
	void *ctx;
	uint64_t last[AXT_MAX_RANK]; /* of a B-tree: the position of the last chunk that was read */
	bool any, bad;
	/* of an array: the dimension whose chunks are numbered slowest; -1: row-major order */
	int unlimited;
	/* the difference of numbers between neighbours along each dimension */
	uint64_t down[AXT_MAX_RANK];
	uint64_t need; /* elements with this number or above are outside the extents */
	/* bytes of an element, and bytes of the chunk size in it, 0 if it has no size */
	int elem, size_n;
};

/* ---- B-trees ---- */

/*
 * Whether the position is greater than that of the chunk before it. libhdf5 finds chunks by binary
 * search, so it would not find chunks in another order.
 */
static bool
rises(struct index *x, const uint64_t *at)
{
	bool more = !x->any;

	for (int k = 0; k < x->g->rank && !more; k++) {
		if (at[k] < x->last[k])
			return false;
		more = at[k] > x->last[k];
	}
	x->any = true;
	memcpy(x->last, at, (size_t)x->g->rank * sizeof(*at));
	return more;
}

/*
 * A key of a B-tree of version 1: size and filter mask of the chunk, its offsets in elements, and
 * an offset in bytes of an element, which is 0 for a chunk.
 */
struct key {
	uint64_t at[AXT_MAX_RANK];
	uint64_t size, in_elem;
	uint32_t mask;
};

static bool
key_of(struct index *x, struct axt_cur *c, struct key *k)
{
	k->size = axt_cur_num(c, 4);
	k->mask = (uint32_t)axt_cur_num(c, 4);
	for (int d = 0; d < x->g->rank; d++) {
		uint64_t off = axt_cur_num(c, 8);

		if (off % x->l->dim[d] != 0)
			return false;
		k->at[d] = off / x->l->dim[d];
	}
	k->in_elem = axt_cur_num(c, 8);
	return !c->bad;
}

static int
compare(const struct index *x, const struct key *a, const struct key *b)
{
	for (int k = 0; k < x->g->rank; k++)
		if (a->at[k] != b->at[k])
			return a->at[k] < b->at[k] ? -1 : 1;
	return (a->in_elem > b->in_elem) - (a->in_elem < b->in_elem);
}

/*
 * Reads a node of a B-tree of version 1 and all nodes below it. Chunks of the node must be in [lo,
 * hi). lo is NULL for the root, whose chunks may be anywhere.
 */
static enum axt_walked
old_tree(struct index *x, uint64_t addr, int level, const struct key *lo, const struct key *hi)
{
	size_t key = 16 + 8 * (size_t)x->g->rank;
	enum axt_walked rc = AXT_WALK_ALL;
	struct axt_old_node o;
	struct key a, b;

	if (!axt_old_node_read(&x->r, addr, AXT_OLD_TREE_CHUNKS, key, level, &o))
		return AXT_WALK_DAMAGED;
	if (o.n == 0)
		return lo ? AXT_WALK_DAMAGED : AXT_WALK_ALL;
	if (!key_of(x, &o.c, &a) || (lo && compare(x, &a, lo) < 0))
		return AXT_WALK_DAMAGED;
	for (uint64_t i = 0; i < o.n && rc == AXT_WALK_ALL; i++, a = b) {
		uint64_t child = axt_cur_addr(&o.c, x->r.s);
		struct axt_found f = { .addr = child, .size = a.size, .mask = a.mask };

		if (!key_of(x, &o.c, &b) || compare(x, &a, &b) >= 0 ||
		    (hi && compare(x, &a, hi) >= 0))
			return AXT_WALK_DAMAGED;
		if (o.level > 0) {
			rc = old_tree(x, child, o.level - 1, &a, &b);
			continue;
		}
		memcpy(f.at, a.at, sizeof(f.at));
		if (child == AXT_UNDEF || a.in_elem != 0 || !rises(x, a.at))
			return AXT_WALK_DAMAGED;
		axt_raw_claim(x->r.s, AXT_BLOCK_DATA, f.addr, f.size);
		if (!x->fn(x->ctx, &f))
			return AXT_WALK_ENDED;
	}
	return rc;
}

/*
 * Reads a record of a B-tree of version 2: the address; size and filter mask, if there are filters;
 * the position, counted in chunks.
 */
static bool
on_record(void *ctx, struct axt_cur rec)
{
	struct index *x = ctx;
	struct axt_found f = { .size = x->g->chunk_bytes };
	int n;

	f.addr = axt_cur_addr(&rec, x->r.s);
	if (x->g->filtered) {
		n = (int)rec.n - 4 - 8 * x->g->rank;
		x->bad = n < 1 || n > 8;
		f.size = x->bad ? 0 : axt_cur_num(&rec, n);
		f.mask = (uint32_t)axt_cur_num(&rec, 4);
	}
	for (int k = 0; k < x->g->rank; k++)
		f.at[k] = axt_cur_num(&rec, 8);
	x->bad = x->bad || rec.bad || rec.n != 0 || f.addr == AXT_UNDEF || !rises(x, f.at);
	if (!x->bad)
		axt_raw_claim(x->r.s, AXT_BLOCK_DATA, f.addr, f.size);
	return x->bad || !x->fn(x->ctx, &f);
}

static enum axt_walked
new_tree(struct index *x)
{
	enum axt_walked rc = axt_tree_walk(&x->r, x->l->addr,
	    x->g->filtered ? AXT_TREE_PACKED : AXT_TREE_CHUNKS, on_record, x);

	return x->bad ? AXT_WALK_DAMAGED : rc;
}

/* ---- arrays ---- */

/* Finds how the elements of an array are numbered. Returns false if there are too many. */
static bool
numbering(struct index *x, bool swizzle)
{
	const struct axt_grid *g = x->g;
	uint64_t n = 1, i = 0;
	int order[AXT_MAX_RANK], k = 0;

	x->unlimited = -1;
	for (int d = 0; d < g->rank; d++)
		if (g->most[d] == UINT64_MAX) {
			if (!swizzle || x->unlimited >= 0)
				return false;
			x->unlimited = d;
		}
	if (swizzle && x->unlimited < 0)
		return false;
	if (x->unlimited >= 0)
		order[k++] = x->unlimited;
	for (int d = 0; d < g->rank; d++)
		if (d != x->unlimited)
			order[k++] = d;
	while (k-- > 0) {
		int d = order[k];
		uint64_t most = g->most[d], len = x->l->dim[d], last;

		x->down[d] = n;
		if (g->dims[d] == 0 || __builtin_mul_overflow(n, (g->dims[d] - 1) / len, &last) ||
		    __builtin_add_overflow(i, last, &i) ||
		    (most != UINT64_MAX &&
			__builtin_mul_overflow(n, most / len + (most % len != 0), &n)) ||
		    n >> MAX_BITS || i >> MAX_BITS)
			return false;
	}
	x->need = i + 1;
	return true;
}

/* Reports the chunk of element i, which is at addr. */
static enum axt_walked
found(struct index *x, uint64_t i, uint64_t addr, uint64_t size, uint32_t mask)
{
	struct axt_found f = { .addr = addr, .size = size, .mask = mask };

	if (addr == AXT_UNDEF || i >= x->need)
		return AXT_WALK_ALL;
	axt_raw_claim(x->r.s, AXT_BLOCK_DATA, addr, size);
	if (x->unlimited >= 0) {
		f.at[x->unlimited] = i / x->down[x->unlimited];
		i %= x->down[x->unlimited];
	}
	for (int d = 0; d < x->g->rank; d++)
		if (d != x->unlimited) {
			f.at[d] = i / x->down[d];
			i %= x->down[d];
		}
	return x->fn(x->ctx, &f) ? AXT_WALK_ALL : AXT_WALK_ENDED;
}

/* Reads n elements from number `first` on. */
static enum axt_walked
elements(struct index *x, struct axt_cur *c, uint64_t first, uint64_t n)
{
	enum axt_walked rc = AXT_WALK_ALL;

	for (uint64_t i = 0; i < n && rc == AXT_WALK_ALL; i++) {
		uint64_t addr = axt_cur_addr(c, x->r.s), size = x->g->chunk_bytes;
		uint32_t mask = 0;

		if (x->size_n > 0) {
			size = axt_cur_num(c, x->size_n);
			mask = (uint32_t)axt_cur_num(c, 4);
		}
		rc = c->bad ? AXT_WALK_DAMAGED : found(x, first + i, addr, size, mask);
	}
	return rc;
}

/* Reads a block of an array and claims its bytes. */
static bool
array_block(struct index *x, uint64_t addr, uint64_t n, const char *sign, struct axt_cur *c)
{
	axt_raw_claim(x->r.s, AXT_BLOCK_TREE, addr, n);
	return axt_raw_signed(&x->r, addr, n, sign, c);
}

/* The bytes of an element. The array says whether its chunks are filtered. */
static bool
element_of(struct index *x, uint64_t client, uint64_t bytes)
{
	int plain = x->r.s->addr_size;

	if (client != (x->g->filtered ? 1u : 0u))
		return false;
	x->elem = (int)bytes;
	x->size_n = x->g->filtered ? x->elem - plain - 4 : 0;
	return x->g->filtered ? x->size_n >= 1 && x->size_n <= 8 : x->elem == plain;
}

/*
 * Reads n elements of an array, from element `first` on, in pages of `per` elements, which follow
 * each other from addr on. Only pages whose bit in `set` is 1 were written; bit number `bit` is
 * that of the first page.
 */
static enum axt_walked
pages(struct index *x, uint64_t addr, const uint8_t *set, uint64_t bit, uint64_t first, uint64_t n,
    uint64_t per)
{
	enum axt_walked rc = AXT_WALK_ALL;
	uint64_t page = per * (uint64_t)x->elem + 4;

	for (uint64_t k = 0; k * per < n && rc == AXT_WALK_ALL; k++) {
		uint64_t m = MIN(per, n - k * per), bytes = m * (uint64_t)x->elem;
		struct axt_cur c = { .n = (size_t)bytes };
		uint64_t at, b = bit + k;

		if (!(set[b / 8] & 0x80 >> b % 8) || first + k * per >= x->need)
			continue;
		if (__builtin_mul_overflow(k, page, &at) || __builtin_add_overflow(at, addr, &at))
			return AXT_WALK_DAMAGED;
		axt_raw_claim(x->r.s, AXT_BLOCK_TREE, at, bytes + 4);
		c.p = axt_raw_block(&x->r, at, bytes + 4);
		rc = c.p && axt_raw_summed(&x->r, at, c.p, c.n)
		    ? elements(x, &c, first + k * per, m)
		    : AXT_WALK_DAMAGED;
	}
	return rc;
}

/* Reads the head of a block, which must name the array at address `of` as its owner. */
static bool
belongs(struct index *x, struct axt_cur *c, uint64_t of)
{
	return axt_cur_num(c, 1) == 0 && axt_cur_num(c, 1) == (x->g->filtered ? 1u : 0u) &&
	    axt_cur_addr(c, x->r.s) == of;
}

static enum axt_walked
fixed_array(struct index *x)
{
	struct axt_src *s = x->r.s;
	size_t head = 6 + (size_t)s->addr_size;
	uint64_t version, client, n, per, data, bytes, npages;
	struct axt_cur c;
	const uint8_t *set;
	int bits;

	if (!array_block(x, x->l->addr, 12 + (uint64_t)s->len_size + (uint64_t)s->addr_size, "FAHD",
		&c))
		return AXT_WALK_DAMAGED;
	version = axt_cur_num(&c, 1);
	client = axt_cur_num(&c, 1);
	if (version != 0 || !element_of(x, client, axt_cur_num(&c, 1)) || !numbering(x, false))
		return AXT_WALK_DAMAGED;
	bits = (int)axt_cur_num(&c, 1);
	n = axt_cur_len(&c, s);
	data = axt_cur_addr(&c, s);
	if (bits < 1 || bits > 30 || n < x->need || n >> MAX_BITS ||
	    __builtin_mul_overflow(n, (uint64_t)x->elem, &bytes))
		return AXT_WALK_DAMAGED;
	if (data == AXT_UNDEF)
		return AXT_WALK_ALL;
	per = UINT64_C(1) << bits;
	if (n <= per) {
		if (!array_block(x, data, head + bytes + 4, "FADB", &c) ||
		    !belongs(x, &c, x->l->addr))
			return AXT_WALK_DAMAGED;
		return elements(x, &c, 0, n);
	}
	npages = (n - 1) / per + 1;
	head += (npages + 7) / 8 + 4;
	if (!array_block(x, data, head, "FADB", &c) || !belongs(x, &c, x->l->addr) ||
	    !(set = axt_cur_skip(&c, (npages + 7) / 8)))
		return AXT_WALK_DAMAGED;
	return pages(x, data + head, set, 0, 0, n, per);
}

/*
 * What the header of an extensible array tells. own: how many elements are in the index block
 * itself; min_data: the elements of the smallest data block; min_super: the least data blocks of a
 * super block; page: the elements of a page; max_set: no element from this number on is set.
 * Indices have `bits` bits, and offsets off_n bytes.
 */
struct array {
	uint64_t own, min_data, min_super, page, max_set;
	int bits, off_n;
	int nsuper; /* the number of super blocks, with those that are part of the index block */
};

/* The number of data blocks in super block u, and the number of elements in each of them. */
static uint64_t
data_blocks(int u)
{
	return UINT64_C(1) << u / 2;
}

static uint64_t
data_elements(const struct array *a, int u)
{
	return a->min_data << (u + 1) / 2;
}

static int
log_of(uint64_t n)
{
	return 63 - __builtin_clzll(n);
}

static bool
power_of_two(uint64_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

/*
 * Reads a data block of n elements, from element `first` on. If it has pages, `set` has their bits,
 * from number `bit` on. The block also contains its own offset, which is not checked, since libhdf5
 * writes another one than the specification gives.
 */
static enum axt_walked
data_block(struct index *x, const struct array *a, uint64_t addr, const uint8_t *set, uint64_t bit,
    uint64_t first, uint64_t n)
{
	uint64_t head = 6 + (uint64_t)x->r.s->addr_size + (uint64_t)a->off_n;
	bool paged = n > a->page;
	struct axt_cur c;

	if (addr == AXT_UNDEF || first >= x->need)
		return AXT_WALK_ALL;
	if (!array_block(x, addr, head + 4 + (paged ? 0 : n * (uint64_t)x->elem), "EADB", &c) ||
	    !belongs(x, &c, x->l->addr) || !axt_cur_skip(&c, (size_t)a->off_n))
		return AXT_WALK_DAMAGED;
	if (!paged)
		return elements(x, &c, first, n);
	return set ? pages(x, addr + head + 4, set, bit, first, n, a->page) : AXT_WALK_DAMAGED;
}

static enum axt_walked
super_block(struct index *x, const struct array *a, uint64_t addr, int u, uint64_t first)
{
	uint64_t n = data_blocks(u), each = data_elements(a, u), bytes = 0, npages = 0;
	uint64_t head = 6 + (uint64_t)x->r.s->addr_size + (uint64_t)a->off_n;
	enum axt_walked rc = AXT_WALK_ALL;
	const uint8_t *set = NULL;
	struct axt_cur c;

	if (addr == AXT_UNDEF || first >= x->need)
		return AXT_WALK_ALL;
	if (each > a->page)
		npages = each / a->page;
	bytes = n * ((npages + 7) / 8);
	if (bytes >> 32 ||
	    !array_block(x, addr, head + bytes + n * (uint64_t)x->r.s->addr_size + 4, "EASB", &c) ||
	    !belongs(x, &c, x->l->addr) || !axt_cur_skip(&c, (size_t)a->off_n))
		return AXT_WALK_DAMAGED;
	if (bytes)
		set = axt_cur_skip(&c, (size_t)bytes);
	for (uint64_t k = 0; k < n && rc == AXT_WALK_ALL; k++) {
		uint64_t data = axt_cur_addr(&c, x->r.s);

		rc = c.bad ? AXT_WALK_DAMAGED
			   : data_block(x, a, data, set, k * npages, first + k * each, each);
	}
	return rc;
}

static bool
array_head(struct index *x, struct array *a, uint64_t *block)
{
	struct axt_src *s = x->r.s;
	uint64_t version, client;
	struct axt_cur c;
	int page_bits;

	if (!array_block(x, x->l->addr, 16 + 6 * (uint64_t)s->len_size + (uint64_t)s->addr_size,
		"EAHD", &c))
		return false;
	version = axt_cur_num(&c, 1);
	client = axt_cur_num(&c, 1);
	if (version != 0 || !element_of(x, client, axt_cur_num(&c, 1)) || !numbering(x, true))
		return false;
	a->bits = (int)axt_cur_num(&c, 1);
	a->own = axt_cur_num(&c, 1);
	a->min_data = axt_cur_num(&c, 1);
	a->min_super = axt_cur_num(&c, 1);
	page_bits = (int)axt_cur_num(&c, 1);
	axt_cur_skip(&c, 4 * (size_t)s->len_size);
	a->max_set = axt_cur_len(&c, s);
	axt_cur_skip(&c, (size_t)s->len_size);
	*block = axt_cur_addr(&c, s);
	if (c.bad || a->bits < 1 || a->bits > 62 || page_bits < 1 || page_bits > a->bits ||
	    !power_of_two(a->min_data) || !power_of_two(a->min_super) || a->min_super < 2 ||
	    log_of(a->min_data) > a->bits)
		return false;
	a->page = UINT64_C(1) << page_bits;
	a->off_n = (a->bits + 7) / 8;
	a->nsuper = 1 + a->bits - log_of(a->min_data);
	return a->nsuper >= 2 * log_of(a->min_super) && a->nsuper <= MAX_SUPER;
}

/*
 * Reads an extensible array by its index block, which has the first elements, the addresses of the
 * data blocks of the first super blocks, and the addresses of the other super blocks.
 */
static enum axt_walked
extensible_array(struct index *x)
{
	struct axt_src *s = x->r.s;
	struct array a;
	uint64_t addr, first;
	enum axt_walked rc;
	struct axt_cur c;
	int direct;

	if (!array_head(x, &a, &addr))
		return AXT_WALK_DAMAGED;
	if (addr == AXT_UNDEF || a.max_set == 0)
		return AXT_WALK_ALL;
	direct = 2 * log_of(a.min_super);
	if (!array_block(x, addr,
		10 + (uint64_t)s->addr_size + a.own * (uint64_t)x->elem +
		    (2 * (a.min_super - 1) + (uint64_t)(a.nsuper - direct)) *
			(uint64_t)s->addr_size,
		"EAIB", &c) ||
	    !belongs(x, &c, x->l->addr))
		return AXT_WALK_DAMAGED;
	x->need = MIN(x->need, a.max_set);
	rc = elements(x, &c, 0, a.own);
	first = a.own;
	for (int u = 0; u < a.nsuper && rc == AXT_WALK_ALL && first < x->need; u++) {
		uint64_t n = data_blocks(u), each = data_elements(&a, u);

		if (u >= direct)
			rc = super_block(x, &a, axt_cur_addr(&c, s), u, first);
		for (uint64_t k = 0; u < direct && k < n && rc == AXT_WALK_ALL; k++)
			rc = data_block(x, &a, axt_cur_addr(&c, s), NULL, 0, first + k * each,
			    each);
		first += n * each;
	}
	return c.bad ? AXT_WALK_DAMAGED : rc;
}

/* ---- the other kinds of index, and the choice between all ---- */

static enum axt_walked
implicit(struct index *x)
{
	enum axt_walked rc = AXT_WALK_ALL;

	uint64_t all, from;

	if (x->g->filtered || !numbering(x, false) ||
	    __builtin_mul_overflow(x->need, x->g->chunk_bytes, &all) ||
	    __builtin_add_overflow(x->l->addr, x->r.s->base, &from) ||
	    !axt_raw_inside(x->r.s, from, all))
		return AXT_WALK_DAMAGED;
	for (uint64_t i = 0; i < x->need && rc == AXT_WALK_ALL; i++)
		rc = found(x, i, x->l->addr + i * x->g->chunk_bytes, x->g->chunk_bytes, 0);
	return rc;
}

static enum axt_walked
single(struct index *x)
{
	struct axt_found f = { .addr = x->l->addr, .size = x->g->chunk_bytes };

	for (int k = 0; k < x->g->rank; k++)
		if (x->g->dims[k] > x->l->dim[k] || x->g->most[k] > x->l->dim[k])
			return AXT_WALK_DAMAGED;
	if (x->l->flags & 2) {
		f.size = x->l->one_size;
		f.mask = x->l->one_mask;
	}
	if (x->g->filtered != (bool)(x->l->flags & 2))
		return AXT_WALK_DAMAGED;
	return x->fn(x->ctx, &f) ? AXT_WALK_ALL : AXT_WALK_ENDED;
}

static enum axt_walked
by_kind(struct index *x)
{
	switch (x->l->index) {
	case AXT_IDX_TREE1: return old_tree(x, x->l->addr, -1, NULL, NULL);
	case AXT_IDX_SINGLE: return single(x);
	case AXT_IDX_IMPLICIT: return implicit(x);
	case AXT_IDX_FIXED: return fixed_array(x);
	case AXT_IDX_EXTENSIBLE: return extensible_array(x);
	case AXT_IDX_TREE2: return new_tree(x);
	}
	return AXT_WALK_DAMAGED;
}

enum axt_walked
axt_chunks_walk(struct axt_src *s, const struct axt_hlayout *l, const struct axt_grid *g,
    axt_chunk_fn *fn, void *ctx)
{
	struct index x = { .l = l, .g = g, .fn = fn, .ctx = ctx };
	enum axt_walked rc;

	if (l->addr == AXT_UNDEF)
		return AXT_WALK_ALL;
	x.r = (struct axt_raw){ .m = axt_arena_new(), .s = s, .left = axt_raw_all(s) };
	s->starved |= !x.r.m;
	if (!x.r.m)
		return AXT_WALK_DAMAGED;
	rc = by_kind(&x);
	s->starved |= axt_arena_failed(x.r.m);
	axt_arena_free(x.r.m);
	return rc;
}
