/*
 * claims.c - records which bytes of a file, or of a heap, belong to which block, to find blocks
 * that overlap.
 */
#include <stdlib.h>

#include "hdf5/format/raw.h"

#define MAX_CLAIMS 4000000

void
axt_claim(struct axt_claims *c, enum axt_block kind, uint64_t addr, uint64_t n)
{
	uint64_t end;

	if (n == 0 || __builtin_add_overflow(addr, n, &end))
		return;
	if (c->n == MAX_CLAIMS) {
		c->many |= kind != AXT_BLOCK_DATA;
		return;
	}
	if (c->n == c->cap) {
		size_t cap = c->cap ? 2 * c->cap : 256;
		void *p = realloc(c->v, cap * sizeof(*c->v));

		c->starved |= !p;
		if (!p)
			return;
		c->v = p;
		c->cap = cap;
	}
	c->v[c->n++] = (struct axt_claim){ addr, end, c->owner, kind };
}

static int
by_addr(const void *a, const void *b)
{
	const struct axt_claim *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static bool
again(const struct axt_claim *a, const struct axt_claim *b)
{
	return a->addr == b->addr && a->end == b->end && a->kind == b->kind &&
	    (a->owner == b->owner || a->kind <= AXT_BLOCK_STRINGS);
}

uint64_t
axt_claims_clash(struct axt_claims *c, uint64_t size)
{
	struct axt_claim *last = NULL;

	if (c->n > 1)
		qsort(c->v, c->n, sizeof(*c->v), by_addr);
	for (size_t i = 0; i < c->n; i++) {
		struct axt_claim *x = &c->v[i];

		if (x->end > size || (last && x->addr < last->end && (c->apart || !again(last, x))))
			return x->addr;
		if (!last || x->end > last->end)
			last = x;
	}
	return AXT_UNDEF;
}

void
axt_claims_free(struct axt_claims *c)
{
	free(c->v);
}
