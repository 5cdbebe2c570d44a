/*
 * space.c - checks what libhdf5 uses when it adds an object to a fractal heap: the sizes by which
 * the heap grows, and its list of free space. Space in that list must not be in use.
 * source  HDF5 File Format Specification 3.0, sections III.F and III.G.
 */
#include "hdf5/format/fractal_heap.h"

struct space {
	struct axt_fheap *h;
	struct axt_claims *used; /* the parts of the heap that are in use, by offset */
};

/* Whether the heap has a possible number of rows, since libhdf5 makes a table of that length. */
static bool
shape_ok(const struct axt_fheap *h)
{
	int first = __builtin_ctzll(h->start) + __builtin_ctzll((uint64_t)h->width);
	int most = h->bits - first + 1;
	uint64_t all = 0;

	if (h->bits < first || h->rows > most || h->first_rows > most ||
	    h->bits < __builtin_ctzll(h->max_direct) || h->bits > 8 * h->r->s->len_size)
		return false;
	for (int r = 0; r < h->rows; r++)
		all += axt_fheap_row(h, r) * (uint64_t)h->width;
	if (h->rows == 0)
		all = h->root == AXT_UNDEF ? 0 : h->start;
	return h->size == all && h->next <= h->size;
}

/* Checks a free section inside a direct block. */
static bool
in_block(struct space *w, uint64_t off, uint64_t size)
{
	const struct axt_hblock *b = axt_fheap_direct(w->h, off);

	axt_claim(w->used, AXT_BLOCK_HEAP, off, size);
	return b && off - b->off <= b->c.n && size <= b->c.n - (off - b->off);
}

/*
 * Checks a free section that consists of n blocks which do not exist yet. c gives the indirect
 * block that they belong to, and the row and column of the first.
 */
static bool
in_rows(struct space *w, uint64_t off, struct axt_cur *c)
{
	struct axt_fheap *h = w->h;
	const struct axt_hblock *b = h->read;
	uint64_t of = axt_cur_num(c, h->offset_n), row = axt_cur_num(c, 2), col = axt_cur_num(c, 2),
		 n = axt_cur_num(c, 2), at = of;
	struct axt_cur p;

	while (b && (b->rows == 0 || b->off != of))
		b = b->next;
	if (c->bad || !b || n == 0 || col >= (uint64_t)h->width ||
	    row * (uint64_t)h->width + col + n > (uint64_t)b->rows * (uint64_t)h->width)
		return false;
	for (int r = 0; r < (int)row; r++)
		at += axt_fheap_row(h, r) * (uint64_t)h->width;
	at += col * axt_fheap_row(h, (int)row);
	p = b->c;
	axt_cur_skip(&p, (size_t)(row * (uint64_t)h->width + col) * (size_t)h->r->s->addr_size);
	for (; n > 0; n--)
		if (axt_cur_addr(&p, h->r->s) != AXT_UNDEF)
			return false;
	return at == off;
}

/* Checks `count` free sections in sets of one size. Each section has an offset and a kind. */
static bool
sections_ok(struct space *w, struct axt_cur c, uint64_t count, uint64_t most, int bits)
{
	int count_n = axt_le_width(count), size_n = axt_le_width(most), off_n = (bits + 7) / 8;
	uint64_t met = 0, n, size;

	while (met < count) {
		n = axt_cur_num(&c, count_n);
		size = axt_cur_num(&c, size_n);
		if (c.bad || n == 0 || n > count - met || size == 0 || size > most)
			return false;
		for (met += n; n > 0; n--) {
			uint64_t off = axt_cur_num(&c, off_n), kind = axt_cur_num(&c, 1);

			if (c.bad || kind > 1 || off > w->h->size || size > w->h->size - off ||
			    !(kind ? in_rows(w, off, &c) : in_block(w, off, size)))
				return false;
		}
	}
	return !c.bad && c.n == 0;
}

/* Checks the free-space manager, whose list libhdf5 trusts. */
static bool
space_ok(struct space *w)
{
	struct axt_fheap *h = w->h;
	struct axt_src *s = h->r->s;
	uint64_t l = (uint64_t)s->len_size, n = 18 + 7 * l + (uint64_t)s->addr_size;
	uint64_t at, used, have, count, serial, ghosts, most;
	struct axt_cur c;
	int bits;

	if (h->space == AXT_UNDEF)
		return true;
	if (!axt_raw_signed(h->r, h->space, n, "FSHD", &c) || axt_cur_num(&c, 1) != 0 ||
	    axt_cur_num(&c, 1) != 0)
		return false;
	axt_raw_claim(s, AXT_BLOCK_HEAP, h->space, n);
	axt_cur_skip(&c, (size_t)s->len_size);
	count = axt_cur_len(&c, s);
	serial = axt_cur_len(&c, s);
	ghosts = axt_cur_len(&c, s);
	if (axt_cur_num(&c, 2) != 4)
		return false;
	axt_cur_skip(&c, 4);
	bits = (int)axt_cur_num(&c, 2);
	most = axt_cur_len(&c, s);
	at = axt_cur_addr(&c, s);
	used = axt_cur_len(&c, s);
	have = axt_cur_len(&c, s);
	if (c.bad || bits != h->bits || count != serial + ghosts || used > have)
		return false;
	if (at == AXT_UNDEF)
		return serial == 0;
	n = 5 + (uint64_t)s->addr_size;
	axt_raw_claim(s, AXT_BLOCK_HEAP, at, have);
	if (used < n + 4 || !axt_raw_signed(h->r, at, used, "FSSE", &c) ||
	    axt_cur_num(&c, 1) != 0 || axt_cur_addr(&c, s) != h->space)
		return false;
	return sections_ok(w, c, serial, most, bits);
}

static bool
check_block(struct space *w, uint64_t addr, uint64_t off, int rows, uint64_t size)
{
	struct axt_fheap *h = w->h;
	struct axt_hblock *b = axt_fheap_block(h, addr, off, rows, size);
	struct axt_cur c;

	if (!b)
		return false;
	if (rows == 0)
		axt_claim(w->used, AXT_BLOCK_HEAP, off, axt_fheap_head(h) + (h->summed ? 4 : 0));
	c = b->c;
	for (int r = 0; r < rows; r++) {
		uint64_t n = axt_fheap_row(h, r);

		for (int k = 0; k < h->width; k++, off += n) {
			uint64_t a = axt_cur_addr(&c, h->r->s);
			int below = n <= h->max_direct ? 0 : axt_fheap_rows(h, n);

			if (a == AXT_UNDEF)
				continue;
			if (n == 0 || below < 0 || below >= rows ||
			    (n > h->max_direct && below == 0) || off > INT64_MAX ||
			    !check_block(w, a, off, below, n))
				return false;
		}
	}
	return !c.bad;
}

/* Claims the bytes of an object of the heap. */
static bool
object_ok(struct space *w, struct axt_cur id)
{
	struct axt_fobject o;
	bool managed = id.p && !(*id.p & 0x30);

	if (!id.p || !axt_fheap_get(w->h, id, &o))
		return false;
	axt_cur_skip(&id, 1);
	if (managed)
		axt_claim(w->used, AXT_BLOCK_HEAP, axt_cur_num(&id, w->h->offset_n), o.n);
	return true;
}

bool
axt_fheap_check(struct axt_fheap *h, const struct axt_cur *id, uint64_t objects)
{
	struct axt_claims used = { .apart = true };
	struct space w = { .h = h, .used = &used };
	bool ok = shape_ok(h) && h->objects == objects &&
	    (h->root == AXT_UNDEF || check_block(&w, h->root, 0, h->rows, h->start)) &&
	    space_ok(&w) &&
	    (h->huge_tree == AXT_UNDEF ||
		axt_tree_walk(h->r, h->huge_tree, AXT_TREE_HUGE, axt_fheap_on_huge, h) ==
		    AXT_WALK_ALL);

	for (uint64_t i = 0; ok && i < objects; i++)
		ok = object_ok(&w, id[i]);
	ok = ok && axt_claims_clash(&used, h->size) == AXT_UNDEF;
	h->r->s->starved |= used.starved;
	axt_claims_free(&used);
	return ok;
}
