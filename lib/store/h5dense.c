/*
 * h5dense.c - dense attributes: a version 2 B-tree of their names gives heap IDs,
 * a fractal heap the messages; those over 64 kB stand by themselves in the file
 * ("huge"), found by a second B-tree.
 * source  HDF5 File Format Specification 3.0, sections III.A.2 (B-trees), III.G
 *         (fractal heaps).
 */
#include "h5raw.h"

#include <stdlib.h>

#define MAX_NODE ((uint64_t)1 << 20)
#define MAX_DIRECT ((uint64_t)16 << 20)
#define MAX_DEPTH 6
#define UNDEF UINT64_MAX

/* ---- B-trees ---- */

enum { TREE_HUGE = 1, TREE_NAMES = 8 };

/*
 * What is asked of a B-tree, and the sizes of its nodes: how many records each level may hold, and
 * how wide the counts in child pointers are.
 */
struct tree {
	struct axt_raw *r;
	bool (*fn)(void *ctx, struct axt_cur rec);	/* true ends the walk */
	void *ctx;
	size_t node, rec;
	int depth, nrec_n;
	uint64_t most[MAX_DEPTH + 1];
	/* width of "records below" in pointers to this level; 0 for leaves */
	int all_n[MAX_DEPTH + 1];
};

static bool
tree_sizes(struct tree *t, int addr_size)
{
	uint64_t all;

	if (t->node < 64 || t->node > MAX_NODE || t->rec == 0 || t->rec > t->node - 10 ||
	    t->depth > MAX_DEPTH)
		return false;
	t->most[0] = all = (t->node - 10) / t->rec;
	t->nrec_n = axt_le_width(all);
	for (int d = 1; d <= t->depth; d++) {
		size_t ptr = (size_t)(addr_size + t->nrec_n + t->all_n[d - 1]);

		t->most[d] = (t->node - 10 - ptr) / (t->rec + ptr);
		if (t->most[d] == 0 || __builtin_mul_overflow(all, t->most[d] + 1, &all))
			return false;
		all += t->most[d];
		t->all_n[d] = axt_le_width(all);
	}
	return true;
}

static bool
tree_node(const struct tree *t, uint64_t addr, uint64_t nrec, int depth)
{
	struct axt_src *s = t->r->s;
	const uint8_t *p;
	struct axt_cur c;

	if (addr == UNDEF || nrec > t->most[depth])
		return false;
	p = axt_raw_block(t->r, addr + s->base, t->node);
	if (!p || memcmp(p, depth ? "BTIN" : "BTLF", 4) != 0)
		return false;
	c = (struct axt_cur){ .p = p + 6, .n = t->node - 10 };
	for (uint64_t i = 0; i < nrec && !c.bad; i++) {
		struct axt_cur rec = { .p = axt_cur_skip(&c, t->rec), .n = t->rec };

		if (rec.p && t->fn(t->ctx, rec))
			return true;
	}
	for (uint64_t i = 0; depth > 0 && i <= nrec && !c.bad; i++) {
		uint64_t child = axt_cur_addr(&c, s), k = axt_cur_num(&c, t->nrec_n);

		axt_cur_skip(&c, (size_t)t->all_n[depth - 1]);
		if (!c.bad && tree_node(t, child, k, depth - 1))
			return true;
	}
	return false;
}

/* Every record of the tree at addr; true when fn ended it. */
static bool
tree_walk(struct tree *t, uint64_t addr, int type)
{
	struct axt_src *s = t->r->s;
	size_t n = 18 + (size_t)s->addr_size;
	const uint8_t *p = addr == UNDEF ? NULL : axt_raw_block(t->r, addr + s->base, n);
	struct axt_cur c = { .p = p, .n = n };

	if (!p || memcmp(p, "BTHD", 4) != 0 || p[5] != type)
		return false;
	axt_cur_skip(&c, 6);
	t->node = (size_t)axt_cur_num(&c, 4);
	t->rec = (size_t)axt_cur_num(&c, 2);
	t->depth = (int)axt_cur_num(&c, 2);
	axt_cur_skip(&c, 2);
	addr = axt_cur_addr(&c, s);
	return tree_sizes(t, s->addr_size) &&
	    tree_node(t, addr, axt_cur_num(&c, 2), t->depth);
}

/* ---- the fractal heap ---- */

struct heap {
	struct axt_raw *r;
	axt_raw_fn *fn;
	void *ctx;
	int id_n, width, offset_n, len_n;
	uint64_t start, max_direct;
	uint64_t root;
	int rows;			/* of the root's indirect block; 0: a direct block */
	struct indirect {		/* blocks read so far */
		struct indirect *next;
		uint64_t addr;
		int rows;
		const uint8_t *p;
	} *read;
	uint64_t huge_tree;
	struct huge {
		uint64_t id, addr, n;
	} *huge;			/* in order of id, once sorted is set */
	size_t nhuge, cap;
	bool sorted, starved;
};

static bool
power_of_two(uint64_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

static bool
heap_open(struct heap *h, uint64_t addr)
{
	struct axt_src *s = h->r->s;
	int l = s->len_size, bits;
	size_t n = 22 + 12 * (size_t)l + 3 * (size_t)s->addr_size;
	const uint8_t *p = axt_raw_block(h->r, addr + s->base, n);
	struct axt_cur c = { .p = p, .n = n };
	uint64_t filters, max_managed;

	if (!p || memcmp(p, "FRHP", 4) != 0)
		return false;
	axt_cur_skip(&c, 5);
	h->id_n = (int)axt_cur_num(&c, 2);
	filters = axt_cur_num(&c, 2);
	axt_cur_skip(&c, 1);
	max_managed = axt_cur_num(&c, 4);
	axt_cur_skip(&c, (size_t)l);
	h->huge_tree = axt_cur_addr(&c, s);
	axt_cur_skip(&c, 9 * (size_t)l + (size_t)s->addr_size);
	h->width = (int)axt_cur_num(&c, 2);
	h->start = axt_cur_num(&c, l);
	h->max_direct = axt_cur_num(&c, l);
	bits = (int)axt_cur_num(&c, 2);
	axt_cur_skip(&c, 2);
	h->root = axt_cur_addr(&c, s);
	h->rows = (int)axt_cur_num(&c, 2);
	h->offset_n = (bits + 7) / 8;
	h->len_n = axt_le_width(MIN(max_managed, h->max_direct));
	return !c.bad && filters == 0 && power_of_two((uint64_t)h->width) && bits <= 64 &&
	    power_of_two(h->start) && h->max_direct >= h->start && h->max_direct <= MAX_DIRECT &&
	    h->id_n > 1 && h->rows <= 64;
}

/* The pointers of an indirect block; each is read once. */
static struct axt_cur
pointers(struct heap *h, uint64_t addr, int rows)
{
	struct axt_src *s = h->r->s;
	size_t head = 5 + (size_t)s->addr_size + (size_t)h->offset_n;
	size_t n = head + (size_t)rows * (size_t)h->width * (size_t)s->addr_size;
	struct indirect *b = h->read;

	while (b && (b->addr != addr || b->rows != rows))
		b = b->next;
	if (!b) {
		const uint8_t *p = axt_raw_block(h->r, addr + s->base, n);

		b = p && memcmp(p, "FHIB", 4) == 0 ? axt_alloc(h->r->m, sizeof(*b)) : NULL;
		if (!b)
			return (struct axt_cur){ .bad = true };
		*b = (struct indirect){ .next = h->read, .addr = addr, .rows = rows, .p = p };
		h->read = b;
	}
	return (struct axt_cur){ .p = b->p + head, .n = n - head };
}

/* Bytes of each block in a row, 0: too many to count. */
static uint64_t
row_block(const struct heap *h, int row)
{
	int shift = row < 2 ? 0 : row - 1;

	return shift < __builtin_clzll(h->start) ? h->start << shift : 0;
}

/* The block of an indirect block that holds offset *off of it; *off becomes the offset in it. */
static uint64_t
child(struct heap *h, uint64_t addr, int rows, uint64_t *off, uint64_t *size)
{
	struct axt_cur c = pointers(h, addr, rows);

	for (int r = 0; r < rows && !c.bad && (*size = row_block(h, r)) > 0; r++)
		for (int k = 0; k < h->width; k++) {
			uint64_t a = axt_cur_addr(&c, h->r->s);

			if (*off < *size)
				return c.bad ? UNDEF : a;
			*off -= *size;
		}
	return UNDEF;
}

/* The same from the root down to a direct block. */
static uint64_t
direct_block(struct heap *h, uint64_t *off, uint64_t *size)
{
	uint64_t addr = h->root;
	int rows = h->rows;

	*size = rows > 0 ? UNDEF : h->max_direct;
	while (rows > 0 && addr != UNDEF) {
		addr = child(h, addr, rows, off, size);
		if (addr == UNDEF || *size <= h->max_direct)
			break;
		/* A block of more bytes is indirect itself: as many rows as make them. */
		rows = __builtin_ctzll(*size) -
		    __builtin_ctzll(h->start * (uint64_t)h->width) + 1;
		if (rows <= 0)
			addr = UNDEF;
	}
	return addr;
}

static bool
on_huge(void *ctx, struct axt_cur rec)
{
	struct heap *h = ctx;
	struct axt_src *s = h->r->s;
	struct huge o = { .addr = axt_cur_addr(&rec, s) };

	o.n = axt_cur_num(&rec, s->len_size);
	o.id = axt_cur_num(&rec, s->len_size);
	if (rec.bad)
		return true;
	if (h->nhuge == h->cap) {
		size_t cap = h->cap ? 2 * h->cap : 16;
		void *p = realloc(h->huge, cap * sizeof(o));

		if (!p) {
			h->starved = true;
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
huge_object(struct heap *h, struct axt_cur id)
{
	struct huge key = { .id = axt_cur_num(&id, MIN(h->id_n - 1, 8)) };

	if (!h->sorted) {
		struct tree t = { .r = h->r, .fn = on_huge, .ctx = h };

		tree_walk(&t, h->huge_tree, TREE_HUGE);
		if (h->nhuge > 1)
			qsort(h->huge, h->nhuge, sizeof(key), by_id);
		h->sorted = true;
	}
	return id.bad || h->nhuge == 0 ? NULL
	    : bsearch(&key, h->huge, h->nhuge, sizeof(key), by_id);
}

/*
 * Where an object is in the file. Offsets of a heap count its blocks' own headers; a huge object's
 * ID is its place where that fits.
 */
static bool
heap_object(struct heap *h, struct axt_cur id, uint64_t *addr, uint64_t *n)
{
	struct axt_src *s = h->r->s;
	int kind = (int)axt_cur_num(&id, 1) & 0x30;
	const struct huge *o;
	uint64_t off, size;

	if (kind == 0) {
		off = axt_cur_num(&id, h->offset_n);
		*n = axt_cur_num(&id, h->len_n);
		*addr = id.bad ? UNDEF : direct_block(h, &off, &size);
		if (*addr == UNDEF || off > size || *n > size - off)
			return false;
		*addr += off;
	} else if (kind == 0x10 && s->addr_size + s->len_size < h->id_n) {
		*addr = axt_cur_addr(&id, s);
		*n = axt_cur_num(&id, s->len_size);
	} else {
		o = kind == 0x10 ? huge_object(h, id) : NULL;
		*addr = o ? o->addr : UNDEF;
		*n = o ? o->n : 0;
	}
	if (id.bad || *addr == UNDEF)
		return false;
	*addr += s->base;
	return *n > 0 && *addr <= (uint64_t)INT64_MAX &&
	    (s->stream || (*addr <= s->size && *n <= s->size - *addr));
}

/* ---- attributes ---- */

/* How many bytes of an attribute message stand before its value. */
static size_t
head_bytes(const uint8_t *p)
{
	size_t n = p[0] == 3 ? 9 : 8;

	for (int i = 2; i < 8; i += 2) {
		size_t part = (size_t)axt_le(p + i, 2);

		n += p[0] == 1 ? (part + 7) & ~(size_t)7 : part;
	}
	return n;
}

/* A record of the tree of names: heap ID, flags of the message, creation order, hash. */
static bool
on_record(void *ctx, struct axt_cur rec)
{
	struct heap *h = ctx;
	struct axt_cur id = { .p = axt_cur_skip(&rec, 8), .n = 8 };
	int flags = (int)axt_cur_num(&rec, 1);
	struct axt_raw_msg g = { .type = AXT_RAW_ATTR, .created = axt_cur_num(&rec, 4) };
	uint64_t addr, n;
	size_t head;

	if (rec.bad)
		return true;
	if ((flags & 2) || !heap_object(h, id, &addr, &n) || n < 8)
		return false;
	g.c.n = (size_t)MIN(n, UINT64_C(256));
	g.c.p = axt_raw_block(h->r, addr, g.c.n);
	if (!g.c.p)
		return false;
	head = head_bytes(g.c.p);
	if (head > n)
		return false;
	if (head > g.c.n)
		g.c.p = axt_raw_block(h->r, addr, head);
	if (!g.c.p)
		return false;
	g.c.n = head;
	g.at = addr + head;
	g.rest = n - head;
	return h->fn(h->ctx, &g);
}

bool
axt_raw_dense(struct axt_raw *r, uint64_t heap, uint64_t tree, axt_raw_fn *fn, void *ctx)
{
	struct heap h = { .r = r, .fn = fn, .ctx = ctx };
	struct tree t = { .r = r, .fn = on_record, .ctx = &h };
	bool ended = heap_open(&h, heap) && tree_walk(&t, tree, TREE_NAMES);

	r->s->starved |= h.starved;
	free(h.huge);
	return ended;
}
