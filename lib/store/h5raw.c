/*
 * h5raw.c - messages of object headers, and dense attributes, read with every
 * bound checked: what libhdf5 does not do.
 * source  HDF5 File Format Specification 3.0, sections IV.A (object headers),
 *         III.A.2 (B-trees), III.G (fractal heaps).
 */
#include "h5raw.h"

#include <stdlib.h>

#include "bytes.h"

#define MAX_BLOCK ((uint64_t)16 << 20)		/* of one header block */
#define MAX_BLOCKS 256
#define MAX_NAMES 65536
#define MAX_DEPTH 6
#define UNDEF UINT64_MAX

enum { MSG_LAYOUT = 0x08, MSG_ATTR = 0x0c, MSG_CONT = 0x10, MSG_ATTR_INFO = 0x15 };

static bool
skip(struct axt_cur *c, size_t n)
{
	return axt_cur_skip(c, n) != NULL;
}

static uint8_t *
block(struct axt_arena *m, struct axt_src *s, uint64_t addr, uint64_t n)
{
	uint8_t *p;

	if (n == 0 || n > MAX_BLOCK || addr > (uint64_t)INT64_MAX ||
	    (!s->stream && addr + n > s->size))
		return NULL;
	p = axt_alloc(m, n);
	return p && axt_src_read(s, addr, n, p) == 0 ? p : NULL;
}

/* Messages of one object: what fn answers true to ends the walk. */
struct walk {
	struct axt_arena *m;
	struct axt_src *s;
	bool (*fn)(struct walk *w, int type, int flags, struct axt_cur c);
	const char *name;
	const uint8_t *found;
	size_t n;
	uint64_t heap, tree;		/* dense attributes */
	/* continuation blocks still to read */
	struct {
		uint64_t addr, n;
	} todo[MAX_BLOCKS];
	int ntodo, done;
	int version, order;		/* of the header; a creation order stands in each message */
	uint64_t created;		/* of the message at hand */
	struct axt_raw_name *names;	/* where all names are wanted */
	int nnames, cap, nodes;
	axt_raw_fn *each;
	void *ctx;
};

static bool
messages(struct walk *w, struct axt_cur c)
{
	while (c.n >= (w->version == 1 ? 8u : 4u) && !c.bad) {
		int type = (int)axt_cur_num(&c, w->version == 1 ? 2 : 1);
		size_t n = (size_t)axt_cur_num(&c, 2);
		int flags = (int)axt_cur_num(&c, 1);
		struct axt_cur body = { .n = n };

		if (w->version == 1)
			skip(&c, 3);
		w->created = w->order ? axt_cur_num(&c, 2) : w->created + 1;
		body.p = axt_cur_skip(&c, n);
		if (c.bad)
			return false;
		if (type == MSG_CONT && w->ntodo < MAX_BLOCKS) {
			w->todo[w->ntodo].addr = axt_cur_addr(&body, w->s);
			w->todo[w->ntodo].n = axt_cur_num(&body, w->s->len_size);
			if (!body.bad)
				w->ntodo++;
		} else if (w->fn(w, type, flags, body)) {
			return true;
		}
	}
	return false;
}

static bool
first_block(struct walk *w, uint64_t addr)
{
	uint8_t *p = block(w->m, w->s, addr, 16), *q;
	struct axt_cur c;
	uint64_t n, head;
	int flags;

	if (!p)
		return false;
	if (memcmp(p, "OHDR", 4) != 0) {
		w->version = 1;
		n = axt_le32(p + 8);
		q = p[0] == 1 ? block(w->m, w->s, addr + 16, n) : NULL;
		return q && messages(w, (struct axt_cur){ .p = q, .n = n });
	}
	w->version = 2;
	flags = p[5];
	w->order = flags & 4 ? 2 : 0;
	head = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
	p = block(w->m, w->s, addr, head + 8);
	if (!p)
		return false;
	c = (struct axt_cur){ .p = p + head, .n = 8 };
	n = axt_cur_num(&c, 1 << (flags & 3));
	q = block(w->m, w->s, addr + head + (1u << (flags & 3)), n);
	return q && messages(w, (struct axt_cur){ .p = q, .n = n });
}

/* Continuation blocks of version 2 have a signature before and a checksum behind. */
static bool
next_block(struct walk *w)
{
	uint64_t n = w->todo[w->done].n, addr = w->todo[w->done].addr;
	uint8_t *p;

	w->done++;
	if (addr == UNDEF || __builtin_add_overflow(addr, w->s->base, &addr))
		return false;
	p = block(w->m, w->s, addr, n);
	if (!p)
		return false;
	if (w->version == 1)
		return messages(w, (struct axt_cur){ .p = p, .n = n });
	if (n < 8 || memcmp(p, "OCHK", 4) != 0)
		return false;
	return messages(w, (struct axt_cur){ .p = p + 4, .n = n - 8 });
}

static bool
walk(struct walk *w, uint64_t obj)
{
	if (__builtin_add_overflow(obj, w->s->base, &obj))
		return false;
	if (first_block(w, obj))
		return true;
	while (w->done < w->ntodo)
		if (next_block(w))
			return true;
	return false;
}

static size_t
padded(size_t n, int version)
{
	return version == 1 ? (n + 7) & ~(size_t)7 : n;
}

/* Adds a name to the list: true (the walk ends) when there is no room. */
static bool
add_name(struct walk *w, const char *name, size_t n)
{
	char *s = axt_strndup(w->m, name, n);

	if (w->nnames == w->cap) {
		int cap = w->cap ? 2 * w->cap : 16;
		void *p = w->cap < MAX_NAMES ? realloc(w->names, (size_t)cap * sizeof(*w->names))
		    : NULL;

		if (!p) {
			w->s->starved |= w->cap < MAX_NAMES;
			return true;
		}
		w->names = p;
		w->cap = cap;
	}
	w->names[w->nnames] = (struct axt_raw_name){ .name = s, .created = w->created };
	w->nnames += s != NULL;
	return !s;
}

/* An attribute message: true when it has the name looked for, with its value's bytes. */
static bool
attr_message(struct walk *w, struct axt_cur c)
{
	int version = (int)axt_cur_num(&c, 1);
	size_t name_n, type_n, space_n;
	const uint8_t *p;

	skip(&c, 1);
	name_n = (size_t)axt_cur_num(&c, 2);
	type_n = (size_t)axt_cur_num(&c, 2);
	space_n = (size_t)axt_cur_num(&c, 2);
	if (version == 3)
		skip(&c, 1);
	p = axt_cur_skip(&c, padded(name_n, version));
	if (version < 1 || version > 3 || !p || name_n == 0 || p[name_n - 1] != 0)
		return false;
	if (!w->name)
		return add_name(w, (const char *)p, name_n);
	if (name_n != strlen(w->name) + 1 || memcmp(p, w->name, name_n) != 0)
		return false;
	skip(&c, padded(type_n, version));
	skip(&c, padded(space_n, version));
	w->found = c.p;
	w->n = c.n;
	return !c.bad;
}

/* Shared messages (flag 2) hold only a reference to the attribute. */
static bool
on_attr(struct walk *w, int type, int flags, struct axt_cur c)
{
	if (type == MSG_ATTR_INFO) {
		int f;

		skip(&c, 1);
		f = (int)axt_cur_num(&c, 1);
		skip(&c, f & 1 ? 2 : 0);
		w->heap = axt_cur_addr(&c, w->s);
		w->tree = axt_cur_addr(&c, w->s);
		if (c.bad)
			w->heap = w->tree = UNDEF;
		return false;
	}
	return type == MSG_ATTR && !(flags & 2) && attr_message(w, c);
}

static bool
on_layout(struct walk *w, int type, int flags, struct axt_cur c)
{
	int version = (int)axt_cur_num(&c, 1), rank;

	if (type != MSG_LAYOUT || (flags & 2))
		return false;
	if (version >= 3) {
		if (axt_cur_num(&c, 1) != 0)
			return false;
		w->n = (size_t)axt_cur_num(&c, 2);
	} else {
		rank = (int)axt_cur_num(&c, 1);
		if (axt_cur_num(&c, 1) != 0)
			return false;
		skip(&c, 5 + 4 * (size_t)rank);
		w->n = (size_t)axt_cur_num(&c, 4);
	}
	w->found = axt_cur_skip(&c, w->n);
	return !c.bad;
}

/* ---- dense attributes: a version 2 B-tree gives heap IDs, the fractal heap the messages ---- */

/* The doubling table of a fractal heap. */
struct fheap {
	struct walk *w;
	uint64_t root;
	int width, offset_n, len_n;
	uint64_t start, max_direct;
	int rows;			/* of the root's indirect block; 0: a direct block */
	bool plain;			/* no filters, no checksum trouble */
};

static bool
heap_open(struct fheap *h)
{
	struct axt_src *s = h->w->s;
	int a = s->addr_size, l = s->len_size, bits;
	size_t n = 22 + 12 * (size_t)l + 3 * (size_t)a;
	uint8_t *p = block(h->w->m, s, h->w->heap + s->base, n);
	struct axt_cur c = { .p = p, .n = n };
	uint64_t filters, max_managed;

	if (!p || memcmp(p, "FRHP", 4) != 0)
		return false;
	skip(&c, 7);
	filters = axt_cur_num(&c, 2);
	skip(&c, 1);
	max_managed = axt_cur_num(&c, 4);
	skip(&c, 10 * (size_t)l + 2 * (size_t)a);
	h->width = (int)axt_cur_num(&c, 2);
	h->start = axt_cur_num(&c, l);
	h->max_direct = axt_cur_num(&c, l);
	bits = (int)axt_cur_num(&c, 2);
	skip(&c, 2);
	h->root = axt_cur_addr(&c, s);
	h->rows = (int)axt_cur_num(&c, 2);
	h->offset_n = (bits + 7) / 8;
	max_managed = MIN(max_managed, h->max_direct);
	for (h->len_n = 1; h->len_n < 8 && max_managed >> 8 * h->len_n; h->len_n++)
		;
	return !c.bad && filters == 0 && h->width > 0 && bits <= 64 && h->start > 0 &&
	    h->root != UNDEF && h->max_direct >= h->start && h->max_direct <= MAX_BLOCK &&
	    h->rows <= 64;
}

static uint64_t
row_block(const struct fheap *h, int row)
{
	return row < 2 ? h->start : row < 50 ? h->start << (row - 1) : UNDEF;
}

/*
 * The address of the direct block that holds offset *off of the heap; *off
 * becomes the offset in it. Levels: one.
 */
static uint64_t
heap_block(const struct fheap *h, uint64_t *off, uint64_t *size)
{
	struct axt_src *s = h->w->s;
	size_t head = 5 + (size_t)s->addr_size + (size_t)h->offset_n;
	struct axt_cur c;
	uint8_t *p;
	size_t n;

	*size = h->start;
	if (h->rows == 0)
		return h->root;
	n = head + (size_t)h->rows * (size_t)h->width * (size_t)s->addr_size;
	p = block(h->w->m, s, h->root + s->base, n);
	if (!p || memcmp(p, "FHIB", 4) != 0)
		return UNDEF;
	c = (struct axt_cur){ .p = p + head, .n = n - head };
	for (int r = 0; r < h->rows; r++) {
		*size = row_block(h, r);
		if (*size > h->max_direct)
			return UNDEF;
		for (int k = 0; k < h->width; k++) {
			uint64_t a = axt_cur_addr(&c, s);

			if (*off < *size)
				return a;
			*off -= *size;
		}
	}
	return UNDEF;
}

/* Offsets of a heap count its blocks' own headers. */
static bool
heap_object(const struct fheap *h, struct axt_cur id, const uint8_t **p, size_t *n)
{
	struct axt_src *s = h->w->s;
	int flags = (int)axt_cur_num(&id, 1);
	uint64_t off = axt_cur_num(&id, h->offset_n), len = axt_cur_num(&id, h->len_n), size, addr;
	uint8_t *b;

	if (id.bad || (flags & 0x30) != 0)	/* managed objects only */
		return false;
	addr = heap_block(h, &off, &size);
	if (h->rows == 0)
		size = MAX_BLOCK;
	if (addr == UNDEF || len == 0 || off > size || len > size - off)
		return false;
	b = block(h->w->m, s, addr + s->base + off, len);
	*p = b;
	*n = (size_t)len;
	return b != NULL;
}

static bool
tree_records(struct fheap *h, struct axt_cur c, uint64_t nrec, size_t rec)
{
	for (uint64_t i = 0; i < nrec; i++) {
		struct axt_cur id = { .p = axt_cur_skip(&c, rec), .n = 8 }, msg = { 0 };

		if (c.bad)
			return false;
		if (rec >= 13)
			h->w->created = axt_le32(id.p + 9);
		if (heap_object(h, id, &msg.p, &msg.n) && attr_message(h->w, msg))
			return true;
	}
	return false;
}

/*
 * Sizes of a B-tree's nodes: how many records each level may hold, and how wide
 * the counts in child pointers are.
 */
struct tree {
	size_t node, rec;
	int depth, nrec_n;
	uint64_t most[MAX_DEPTH + 1];
	/* width of "records below" in pointers to this level; 0 for leaves */
	int all_n[MAX_DEPTH + 1];
};

static int
width(uint64_t v)
{
	int n = 1;

	for (; n < 8 && v >> 8 * n; n++)
		;
	return n;
}

static bool
tree_sizes(struct tree *t, int addr_size)
{
	uint64_t all;

	if (t->node < 64 || t->node > MAX_BLOCK || t->rec < 8 || t->rec > t->node - 10 ||
	    t->depth > MAX_DEPTH)
		return false;
	t->most[0] = all = (t->node - 10) / t->rec;
	t->nrec_n = width(all);
	for (int d = 1; d <= t->depth; d++) {
		size_t ptr = (size_t)(addr_size + t->nrec_n + t->all_n[d - 1]);

		t->most[d] = (t->node - 10 - ptr) / (t->rec + ptr);
		if (t->most[d] == 0 || __builtin_mul_overflow(all, t->most[d] + 1, &all))
			return false;
		all += t->most[d];
		t->all_n[d] = width(all);
	}
	return true;
}

static bool
tree_node(struct fheap *h, const struct tree *t, uint64_t addr, uint64_t nrec, int depth)
{
	struct axt_src *s = h->w->s;
	uint8_t *p;
	struct axt_cur c;

	if (addr == UNDEF || nrec > t->most[depth] || h->w->nodes++ > MAX_NAMES)
		return false;
	p = block(h->w->m, s, addr + s->base, t->node);
	if (!p || memcmp(p, depth ? "BTIN" : "BTLF", 4) != 0)
		return false;
	c = (struct axt_cur){ .p = p + 6, .n = t->node - 10 };
	if (tree_records(h, c, nrec, t->rec))
		return true;
	skip(&c, (size_t)nrec * t->rec);
	for (uint64_t i = 0; depth > 0 && i <= nrec && !c.bad; i++) {
		uint64_t child = axt_cur_addr(&c, s), k = axt_cur_num(&c, t->nrec_n);

		skip(&c, (size_t)t->all_n[depth - 1]);
		if (!c.bad && tree_node(h, t, child, k, depth - 1))
			return true;
	}
	return false;
}

static bool
dense(struct walk *w)
{
	struct axt_src *s = w->s;
	struct fheap h = { .w = w };
	struct tree t = { 0 };
	uint8_t *p = block(w->m, s, w->tree + s->base,
	    22 + (size_t)s->addr_size + (size_t)s->len_size);
	struct axt_cur c;

	if (!p || memcmp(p, "BTHD", 4) != 0 || !heap_open(&h))
		return false;
	t.node = axt_le32(p + 6);
	t.rec = (size_t)axt_le(p + 10, 2);
	t.depth = (int)axt_le(p + 12, 2);
	if (!tree_sizes(&t, s->addr_size))
		return false;
	c = (struct axt_cur){ .p = p + 16, .n = (size_t)s->addr_size + 2 };
	w->tree = axt_cur_addr(&c, s);
	return tree_node(&h, &t, w->tree, axt_cur_num(&c, 2), t.depth);
}

static struct walk *
new_walk(struct axt_src *s)
{
	struct walk *w = calloc(1, sizeof(*w));

	s->starved |= w == NULL;
	return w;
}

static const uint8_t *
search(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name, size_t *n,
    bool (*fn)(struct walk *, int, int, struct axt_cur))
{
	struct walk *w = new_walk(s);
	const uint8_t *p = NULL;

	if (!w)
		return NULL;
	w->m = m;
	w->s = s;
	w->fn = fn;
	w->name = name;
	w->heap = w->tree = UNDEF;
	if (walk(w, obj) || (w->heap != UNDEF && w->tree != UNDEF && dense(w))) {
		p = w->found;
		*n = w->n;
	}
	free(w);
	return p;
}

const uint8_t *
axt_raw_attr(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name, size_t *n)
{
	return search(m, s, obj, name, n, on_attr);
}

const uint8_t *
axt_raw_compact(struct axt_arena *m, struct axt_src *s, uint64_t obj, size_t *n)
{
	return search(m, s, obj, "", n, on_layout);
}

static int
by_creation(const void *a, const void *b)
{
	const struct axt_raw_name *x = a, *y = b;

	if (x->created != y->created)
		return x->created < y->created ? -1 : 1;
	return strcmp(x->name, y->name);
}

int
axt_raw_names(struct axt_arena *m, struct axt_src *s, uint64_t obj, struct axt_raw_name **names)
{
	struct walk *w = new_walk(s);
	int n;

	*names = NULL;
	if (!w)
		return -1;
	w->m = m;
	w->s = s;
	w->fn = on_attr;
	w->heap = w->tree = UNDEF;
	if (!walk(w, obj) && w->heap != UNDEF && w->tree != UNDEF)
		dense(w);
	*names = w->names;
	n = w->nnames;
	if (n > 1)
		qsort(w->names, (size_t)n, sizeof(*w->names), by_creation);
	free(w);
	return n;
}

static bool
on_each(struct walk *w, int type, int flags, struct axt_cur c)
{
	return !(flags & 2) && w->each(w->ctx, type, c);
}

bool
axt_raw_each(struct axt_arena *m, struct axt_src *s, uint64_t obj, axt_raw_fn *fn, void *ctx)
{
	struct walk *w = new_walk(s);
	bool ended;

	if (!w)
		return true;
	w->m = m;
	w->s = s;
	w->fn = on_each;
	w->each = fn;
	w->ctx = ctx;
	ended = walk(w, obj);
	free(w);
	return ended;
}
