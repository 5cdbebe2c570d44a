/*
 * tree.c - B-trees of version 2, whose records are sorted, and whose nodes have checksums.
 * source  HDF5 File Format Specification 3.0, section III.A.2.
 */
#include "hdf5/format/raw.h"

#define MAX_NODE ((uint64_t)16 << 20)
#define MAX_DEPTH 16

/*
 * The header of a tree, and what follows from it for each level: how many records a node may have
 * at most, and how wide the counts in pointers to children are.
 */
struct tree {
	struct axt_raw *r;
	axt_tree_fn *fn;
	void *ctx;
	int type;
	size_t node, rec;
	int depth, nrec_n;
	uint64_t most[MAX_DEPTH + 1];
	int all_n[MAX_DEPTH +
	    1]; /* the bytes of "records below" in pointers to this level; 0 for leaves */
	uint64_t met;
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

		if (t->node - 10 < ptr + t->rec)
			return false;
		t->most[d] = (t->node - 10 - ptr) / (t->rec + ptr);
		if (t->most[d] == 0 || __builtin_mul_overflow(all, t->most[d] + 1, &all) ||
		    __builtin_add_overflow(all, t->most[d], &all))
			return false;
		t->all_n[d] = axt_le_width(all);
	}
	return true;
}

struct pointer {
	uint64_t addr, nrec, all;
};

static enum axt_walked
one_record(struct tree *t, struct axt_cur *c)
{
	struct axt_cur rec = { .p = axt_cur_skip(c, t->rec), .n = t->rec };

	if (!rec.p)
		return AXT_WALK_DAMAGED;
	t->met++;
	return t->fn(t->ctx, rec) ? AXT_WALK_ENDED : AXT_WALK_ALL;
}

/*
 * Walks a node: child 0, record 0, child 1, and so on. In the file, all records of a node come
 * before all pointers to children.
 */
static enum axt_walked
tree_node(struct tree *t, struct pointer at, int depth)
{
	struct axt_src *s = t->r->s;
	size_t ptr = depth ? (size_t)(s->addr_size + t->nrec_n + t->all_n[depth - 1]) : 0;
	const uint8_t *p;
	struct axt_cur recs, ptrs;
	uint64_t met = t->met;
	enum axt_walked rc = AXT_WALK_ALL;
	size_t used;

	if (at.nrec == 0 || at.nrec > t->most[depth])
		return AXT_WALK_DAMAGED;
	used = 6 + (size_t)at.nrec * t->rec + (depth ? ((size_t)at.nrec + 1) * ptr : 0);
	p = axt_raw_block(t->r, at.addr, used + 4);
	if (!p || !axt_raw_summed(t->r, at.addr, p, used) ||
	    memcmp(p, depth ? "BTIN" : "BTLF", 4) != 0 || p[4] != 0 || p[5] != t->type)
		return AXT_WALK_DAMAGED;
	axt_raw_claim(s, AXT_BLOCK_TREE, at.addr, t->node);
	recs = (struct axt_cur){ .p = p + 6, .n = (size_t)at.nrec * t->rec };
	ptrs = (struct axt_cur){ .p = recs.p + recs.n, .n = used - 6 - recs.n };
	for (uint64_t i = 0; i <= at.nrec && rc == AXT_WALK_ALL; i++) {
		if (depth) {
			struct pointer q = { axt_cur_addr(&ptrs, s), axt_cur_num(&ptrs, t->nrec_n),
				0 };

			if (depth > 1)
				q.all = axt_cur_num(&ptrs, t->all_n[depth - 1]);
			else
				q.all = q.nrec;
			rc = ptrs.bad ? AXT_WALK_DAMAGED : tree_node(t, q, depth - 1);
		}
		if (i < at.nrec && rc == AXT_WALK_ALL)
			rc = one_record(t, &recs);
	}
	return rc == AXT_WALK_ALL && t->met - met != at.all ? AXT_WALK_DAMAGED : rc;
}

enum axt_walked
axt_tree_walk(struct axt_raw *r, uint64_t addr, int type, axt_tree_fn *fn, void *ctx)
{
	struct tree t = { .r = r, .fn = fn, .ctx = ctx, .type = type };
	struct axt_src *s = r->s;
	struct pointer root;
	struct axt_cur c;
	size_t n = 22 + (size_t)s->addr_size + (size_t)s->len_size;

	if (!axt_raw_signed(r, addr, n, "BTHD", &c) || axt_cur_num(&c, 1) != 0 ||
	    (int)axt_cur_num(&c, 1) != type)
		return AXT_WALK_DAMAGED;
	axt_raw_claim(s, AXT_BLOCK_TREE, addr, n);
	t.node = (size_t)axt_cur_num(&c, 4);
	t.rec = (size_t)axt_cur_num(&c, 2);
	t.depth = (int)axt_cur_num(&c, 2);
	axt_cur_skip(&c, 2);
	root.addr = axt_cur_addr(&c, s);
	root.nrec = axt_cur_num(&c, 2);
	root.all = axt_cur_len(&c, s);
	if (c.bad || !tree_sizes(&t, s->addr_size))
		return AXT_WALK_DAMAGED;
	if (root.addr == AXT_UNDEF || root.all == 0)
		return root.nrec == 0 && root.all == 0 ? AXT_WALK_ALL : AXT_WALK_DAMAGED;
	return tree_node(&t, root, t.depth);
}
