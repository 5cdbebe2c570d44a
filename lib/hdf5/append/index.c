/*
 * index.c - adds chunks at the right end of a B-tree of version 1. A node is a header of 24 bytes
 * (signature, type, level, number of entries, both neighbours), then keys and children in turn, and
 * a last key, which is greater than any chunk. Nodes have no checksums.
 *
 * After each write, readers find every chunk in the tree that they may look at: an entry is written
 * behind the others before the number of entries includes it.
 * source  HDF5 File Format Specification 3.0, section III.A.1.
 */
#include "hdf5/append/index.h"

#include <errno.h>
#include <stdlib.h>

#define HALF 32 /* half of the most entries: the value that superblocks of version 2 imply */
#define MOST (2 * HALF)
#define HEAD 24
#define NONE UINT64_MAX

static uint8_t *
entry(const struct axt_index *x, uint8_t *node, int i)
{
	return node + HEAD + (size_t)i * (x->key + 8);
}

/* The first record of the chunk of a key. */
static uint64_t
record_of(const uint8_t *key)
{
	return axt_le(key + 8, 8);
}

static void
put_key(const struct axt_index *x, uint8_t *key, uint32_t size, uint64_t record)
{
	memset(key, 0, x->key);
	axt_put_le(key, size, 4);
	axt_put_le(key + 8, record, 8);
}

/* The key behind the last entry: no record is as far as that, so it stays when chunks are added. */
static void
put_end(const struct axt_index *x, uint8_t *key)
{
	const uint64_t far = UINT64_C(1) << 62;

	put_key(x, key, 0, far - far % (uint64_t)x->chunk);
}

static int
put(const struct axt_index *x, const void *p, size_t n, uint64_t at, struct axt_err *e)
{
	return axt_pwrite(x->fd, p, n, at, x->shown, e);
}

/* Takes out entries behind `used`, which no reader has looked at. */
static int
trim(const struct axt_index *x, struct axt_inode *n, int used, struct axt_err *e)
{
	n->used = n->seen = used;
	axt_put_le(n->p + 6, (uint64_t)used, 2);
	axt_put_le(n->p + 16, NONE, 8);
	return put(x, n->p + 6, 2, n->addr + 6, e) || put(x, n->p + 16, 8, n->addr + 16, e);
}

/* Reads one node. Returns 1 where it is not as it should be. */
static int
read_node(struct axt_index *x, int depth, uint64_t addr, int level, uint64_t have,
    struct axt_err *e)
{
	struct axt_inode *n = &x->node[depth];
	int used, all;

	if (!n->p && !(n->p = malloc(x->bytes)))
		return axt_fail(e, AXT_E_MEM, "out of memory");
	n->addr = addr;
	if (axt_read_at(x->fd, n->p, x->bytes, addr) != x->bytes ||
	    memcmp(n->p, "TREE\1", 5) != 0 || (level >= 0 && n->p[5] != level))
		return 1;
	all = (int)axt_le(n->p + 6, 2);
	if (all > MOST)
		return 1;
	for (used = 0; used < all && record_of(entry(x, n->p, used)) < have; used++)
		;
	if (used == 0)
		return 1;
	n->used = n->seen = used;
	return used < all ? trim(x, n, used, e) : 0;
}

int
axt_index_open(struct axt_index *x, uint64_t root, int64_t have, uint64_t *last, struct axt_err *e)
{
	int level = -1, rc;
	uint64_t at = root;
	const uint8_t *c;

	x->key = 16 + 8 * (size_t)x->rank;
	x->bytes = HEAD + MOST * (x->key + 8) + x->key;
	x->root = root;
	x->levels = 0;
	*last = NONE;
	if (root == NONE || have == 0) {
		x->root = NONE;
		return have != 0;
	}
	do {
		struct axt_inode *n = &x->node[x->levels];

		if (x->levels == AXT_INDEX_LEVELS)
			return 1;
		rc = read_node(x, x->levels, at, level, (uint64_t)have, e);
		if (rc)
			return rc;
		x->levels++;
		level = n->p[5] - 1;
		c = entry(x, n->p, n->used - 1);
		at = axt_le(c + x->key, 8);
	} while (level >= 0);
	*last = at;
	/* the last chunk is where the records end, and as long as chunks are without filters */
	return record_of(c) != (uint64_t)((have - 1) / x->chunk * x->chunk) || axt_le32(c + 4) != 0;
}

int64_t
axt_index_room(const struct axt_index *x, int64_t chunks)
{
	/* each node gets a page of its own where it fits in one */
	int64_t node = (int64_t)x->bytes + AXT_GROWTH_BYTES, n = 1;

	for (int64_t k = chunks; k > 0; k /= MOST)
		n += k / MOST + 2;
	return n * node;
}

/* Begins an empty node in new room. */
static int
fresh(struct axt_index *x, struct axt_inode *n, int level, uint64_t left, uint64_t *used,
    struct axt_err *e)
{
	const uint64_t page = AXT_GROWTH_BYTES;

	if (!n->p && !(n->p = malloc(x->bytes)))
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*used = (*used + 7) & ~(uint64_t)7;
	if (*used % page + x->bytes > page)
		*used = (*used + page - 1) & ~(page - 1);
	n->addr = *used;
	*used += x->bytes;
	n->used = n->seen = 0;
	n->fresh = true;
	memset(n->p, 0, x->bytes);
	memcpy(n->p, "TREE\1", 5);
	n->p[5] = (uint8_t)level;
	axt_put_le(n->p + 8, left, 8);
	axt_put_le(n->p + 16, NONE, 8);
	return 0;
}

/* Writes the new entries of a node: those of a node that is in the file before their number. */
static int
write_node(const struct axt_index *x, struct axt_inode *n, struct axt_err *e)
{
	const uint8_t *from = entry(x, n->p, n->seen);
	size_t len = (size_t)(n->used - n->seen) * (x->key + 8) + x->key;

	if (n->used == n->seen)
		return 0;
	axt_put_le(n->p + 6, (uint64_t)n->used, 2);
	if (n->fresh ? put(x, n->p, x->bytes, n->addr, e)
		     : put(x, from, len, n->addr + (uint64_t)(from - n->p), e) ||
		    put(x, n->p + 6, 2, n->addr + 6, e))
		return e->code;
	n->seen = n->used;
	n->fresh = false;
	return 0;
}

/* Adds a child to the node of a depth, or to a new one at its right. */
static int
insert(struct axt_index *x, int depth, const uint8_t *key, uint64_t child, uint64_t *used,
    struct axt_err *e)
{
	struct axt_inode *n = &x->node[depth], old;
	uint8_t first[16 + 8 * (AXT_MAX_RANK + 1)], *c;
	uint64_t link[2];
	int level = n->p[5];

	if (n->used == MOST) {
		memcpy(entry(x, n->p, MOST), key, x->key);
		memcpy(first, entry(x, n->p, 0), x->key);
		if (n->seen == MOST &&
		    put(x, key, x->key, n->addr + (uint64_t)(entry(x, n->p, MOST) - n->p), e))
			return e->code;
		if (write_node(x, n, e))
			return e->code;
		old = *n;
		if (fresh(x, n, level, old.addr, used, e))
			return e->code;
		link[0] = old.addr;
		link[1] = n->addr;
		axt_buf_add(&x->links, link, sizeof(link));
		if (depth == 0) { /* a new root over both; everything is one deeper */
			if (x->levels == AXT_INDEX_LEVELS)
				return axt_fail(e, AXT_E_LIMIT, "%s: too many chunks", x->shown);
			memmove(&x->node[1], &x->node[0], (size_t)x->levels * sizeof(*n));
			x->node[0] = (struct axt_inode){ 0 };
			x->levels++;
			depth = 1;
			if (fresh(x, &x->node[0], level + 1, NONE, used, e) ||
			    insert(x, 0, first, old.addr, used, e))
				return e->code;
			x->root = x->node[0].addr;
		}
		if (insert(x, depth - 1, key, x->node[depth].addr, used, e))
			return e->code;
		n = &x->node[depth];
	}
	c = entry(x, n->p, n->used++);
	memcpy(c, key, x->key);
	axt_put_le(c + x->key, child, 8);
	put_end(x, c + x->key + 8);
	return 0;
}

int
axt_index_add(struct axt_index *x, int64_t at, uint64_t addr, uint32_t size, uint64_t *used,
    struct axt_err *e)
{
	uint8_t key[16 + 8 * (AXT_MAX_RANK + 1)];

	put_key(x, key, size, (uint64_t)at);
	if (x->levels == 0) {
		if (fresh(x, &x->node[0], 0, NONE, used, e))
			return e->code;
		x->levels = 1;
		x->root = x->node[0].addr;
	}
	return insert(x, x->levels - 1, key, addr, used, e);
}

/* The ends of the nodes above the last leaf: further than any record, as the leaf's. */
static int
far_ends(const struct axt_index *x, struct axt_err *e)
{
	for (int i = 0; i < x->levels; i++) {
		const struct axt_inode *n = &x->node[i];
		uint8_t *end = entry(x, n->p, n->used);

		if (record_of(end) >> 61)
			continue;
		put_end(x, end);
		if (!n->fresh && n->used == n->seen &&
		    put(x, end, x->key, n->addr + (uint64_t)(end - n->p), e))
			return e->code;
	}
	return 0;
}

int
axt_index_flush(struct axt_index *x, struct axt_err *e)
{
	uint8_t right[8];
	uint64_t link[2];

	if (far_ends(x, e))
		return e->code;
	for (int i = x->levels - 1; i >= 0; i--)
		if (write_node(x, &x->node[i], e))
			return e->code;
	for (size_t i = 0; i < x->links.n; i += sizeof(link)) {
		memcpy(link, x->links.p + i, sizeof(link));
		axt_put_le(right, link[1], 8);
		if (put(x, right, 8, link[0] + 16, e))
			return e->code;
	}
	return x->links.bad ? axt_fail(e, AXT_E_MEM, "out of memory") : 0;
}

void
axt_index_close(struct axt_index *x)
{
	for (int i = 0; i < AXT_INDEX_LEVELS; i++)
		free(x->node[i].p);
	free(x->links.p);
}
