/*
 * links.c - the links of a group, which are in a symbol table (a B-tree of nodes, with names in a
 * local heap), in link messages, or in a fractal heap of such messages.
 * source  HDF5 File Format Specification 3.0, sections III.A.1, III.B to III.D, IV.A.2.
 */
#include "hdf5/format/raw.h"

struct links {
	struct axt_raw r;
	axt_link_fn *fn;
	void *ctx;
	const uint8_t *names; /* the names, in the local heap of a symbol table */
	uint64_t nnames;
	struct axt_fheap *heap;
	bool bad;
};

/* ---- symbol tables ---- */

/*
 * Whether the free list of a local heap is valid: its blocks are inside the heap, there are not too
 * many, and the list ends with offset 1 or with an offset of all ones. Only programs that write use
 * the list.
 */
static bool
free_list_ok(const struct links *w, uint64_t next)
{
	int l = w->r.s->len_size;
	uint64_t most = w->nnames / (2 * (uint64_t)l);

	while (next != 1 && next != UINT64_MAX >> (64 - 8 * l)) {
		uint64_t size;

		if (most-- == 0 || next >= w->nnames || 2 * (uint64_t)l > w->nnames - next)
			return false;
		size = axt_le(w->names + next + l, l);
		if (size < 2 * (uint64_t)l || size > w->nnames - next)
			return false;
		next = axt_le(w->names + next, l);
	}
	return true;
}

/* Reads the data of the local heap at addr. */
static bool
local_heap(struct links *w, uint64_t addr)
{
	struct axt_src *s = w->r.s;
	size_t n = 8 + 2 * (size_t)s->len_size + (size_t)s->addr_size;
	const uint8_t *p = axt_raw_block(&w->r, addr, n);
	struct axt_cur c = { .p = p, .n = n };
	uint64_t next, at;

	if (!p || memcmp(p, "HEAP", 5) != 0)
		return false;
	axt_cur_skip(&c, 8);
	w->nnames = axt_cur_len(&c, s);
	next = axt_cur_num(&c, s->len_size);
	at = axt_cur_addr(&c, s);
	w->names = axt_raw_block(&w->r, at, w->nnames);
	axt_raw_claim(s, AXT_BLOCK_HEAP, addr, n);
	axt_raw_claim(s, AXT_BLOCK_HEAP, at, w->nnames);
	return w->names && (!s->claims || free_list_ok(w, next));
}

static const char *
name_at(const struct links *w, uint64_t off)
{
	if (off >= w->nnames || !memchr(w->names + off, 0, (size_t)(w->nnames - off)))
		return NULL;
	return (const char *)w->names + off;
}

/*
 * Reads an entry of a symbol table: the offset of the name, the address of the object header, the
 * kind of the cached data, and these data.
 */
static bool
symbol(struct links *w, struct axt_cur *c, struct axt_link *l)
{
	struct axt_src *s = w->r.s;
	uint64_t off = axt_cur_len(c, s), kind;
	struct axt_cur x;

	*l = (struct axt_link){ .addr = axt_cur_addr(c, s), .name = name_at(w, off) };
	kind = axt_cur_num(c, 4);
	axt_cur_skip(c, 4);
	x = (struct axt_cur){ .p = axt_cur_skip(c, 16), .n = 16 };
	if (c->bad || !l->name || !*l->name || kind > 2)
		return false;
	if (kind == 2) {
		l->soft = name_at(w, axt_cur_num(&x, 4));
		return l->soft != NULL;
	}
	return true;
}

static enum axt_walked
symbols(struct links *w, uint64_t addr)
{
	struct axt_src *s = w->r.s;
	size_t one = (size_t)(s->len_size + s->addr_size) + 24;
	const uint8_t *p = axt_raw_block(&w->r, addr, 8);
	struct axt_cur c;
	uint64_t n;

	if (!p || memcmp(p, "SNOD\001", 5) != 0)
		return AXT_WALK_DAMAGED;
	n = axt_le(p + 6, 2);
	if (n > 2 * (uint64_t)s->leaf_k)
		return AXT_WALK_DAMAGED;
	axt_raw_claim(s, AXT_BLOCK_TREE, addr, 8 + 2 * (uint64_t)s->leaf_k * one);
	c = (struct axt_cur){ .n = (size_t)n * one };
	if (n == 0)
		return AXT_WALK_ALL;
	c.p = axt_raw_block(&w->r, addr + 8, c.n);
	for (uint64_t i = 0; c.p && i < n; i++) {
		struct axt_link l;

		if (!symbol(w, &c, &l))
			return AXT_WALK_DAMAGED;
		if (w->fn(w->ctx, &l))
			return AXT_WALK_ENDED;
	}
	return c.p ? AXT_WALK_ALL : AXT_WALK_DAMAGED;
}

/*
 * Reads a node of the B-tree and all nodes below it. level is the level of the node, or -1 for the
 * root, whose level is in its head.
 */
static enum axt_walked
table(struct links *w, uint64_t addr, int level)
{
	size_t key = (size_t)w->r.s->len_size;
	enum axt_walked rc = AXT_WALK_ALL;
	struct axt_old_node o;

	if (!axt_old_node_read(&w->r, addr, AXT_OLD_TREE_LINKS, key, level, &o))
		return AXT_WALK_DAMAGED;
	for (uint64_t i = 0; i < o.n && rc == AXT_WALK_ALL; i++) {
		uint64_t child;

		axt_cur_skip(&o.c, key);
		child = axt_cur_addr(&o.c, w->r.s);
		rc = o.level ? table(w, child, o.level - 1) : symbols(w, child);
	}
	return rc;
}

static enum axt_walked
symbol_table(struct links *w, struct axt_cur c)
{
	uint64_t tree = axt_cur_addr(&c, w->r.s), heap = axt_cur_addr(&c, w->r.s);

	return !c.bad && local_heap(w, heap) ? table(w, tree, -1) : AXT_WALK_DAMAGED;
}

/* ---- link messages ---- */

static enum axt_walked
one_link(struct links *w, struct axt_cur c, const uint32_t *hash)
{
	struct axt_link l;

	switch (axt_msg_link(w->r.m, c, w->r.s, &l)) {
	case AXT_LINK_OK:
	case AXT_LINK_OTHER:
		if (hash && axt_lookup3((const uint8_t *)l.name, strlen(l.name)) != *hash)
			break;
		return w->fn(w->ctx, &l) ? AXT_WALK_ENDED : AXT_WALK_ALL;
	case AXT_LINK_DAMAGED: break;
	}
	return AXT_WALK_DAMAGED;
}

/* Reads a record of the B-tree of names: hash, heap ID. */
static bool
on_record(void *ctx, struct axt_cur rec)
{
	struct links *w = ctx;
	struct axt_cur id;
	struct axt_fobject o;
	enum axt_walked rc;
	uint32_t hash;

	hash = (uint32_t)axt_cur_num(&rec, 4);
	id = (struct axt_cur){ .n = (size_t)axt_fheap_id_bytes(w->heap) };
	id.p = axt_cur_skip(&rec, id.n);
	w->bad = true;
	if (!id.p || !axt_fheap_get(w->heap, id, &o))
		return true;
	if (!o.p)
		o.p = axt_raw_block(&w->r, o.at - w->r.s->base, o.n);
	if (!o.p)
		return true;
	rc = one_link(w, (struct axt_cur){ .p = o.p, .n = (size_t)o.n }, &hash);
	w->bad = rc == AXT_WALK_DAMAGED;
	return rc != AXT_WALK_ALL;
}

static enum axt_walked
dense(struct links *w, struct axt_cur c)
{
	int version = (int)axt_cur_num(&c, 1), flags = (int)axt_cur_num(&c, 1);
	enum axt_walked rc;
	uint64_t heap, tree;

	axt_cur_skip(&c, flags & 1 ? 8 : 0);
	heap = axt_cur_addr(&c, w->r.s);
	tree = axt_cur_addr(&c, w->r.s);
	if (c.bad || version != 0)
		return AXT_WALK_DAMAGED;
	if (heap == AXT_UNDEF)
		return AXT_WALK_ALL;
	w->heap = axt_fheap_open(&w->r, heap);
	rc = w->heap ? axt_tree_walk(&w->r, tree, AXT_TREE_LINKS, on_record, w) : AXT_WALK_DAMAGED;
	axt_fheap_close(w->heap);
	return w->bad ? AXT_WALK_DAMAGED : rc;
}

enum axt_walked
axt_links_walk(struct axt_arena *m, const struct axt_head *h, axt_link_fn *fn, void *ctx)
{
	struct axt_src *s = h->r.s;
	struct links w = { .r = { .m = m, .s = s, .left = axt_raw_all(s) }, .fn = fn, .ctx = ctx };
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_SYMBOLS);
	enum axt_walked rc = AXT_WALK_ALL;

	if (g)
		return symbol_table(&w, g->c);
	g = axt_head_msg(h, AXT_MSG_LINK_INFO);
	if (g)
		rc = dense(&w, g->c);
	for (int i = 0; i < h->nmsgs && rc == AXT_WALK_ALL; i++)
		if (h->msg[i].type == AXT_MSG_LINK)
			rc = one_link(&w, h->msg[i].c, NULL);
	return rc;
}
