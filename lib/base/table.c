/* table.c - pointers found by the hash of a key. */
#include "base/base.h"

#define FIRST 64 /* slots, a power of 2 */

uint64_t
axt_hash(uint64_t h, const void *p, size_t n)
{
	const uint8_t *q = p;

	h ^= 0xcbf29ce484222325u;
	for (; n >= 8; n -= 8, q += 8) {
		uint64_t w;

		memcpy(&w, q, 8);
		h = (h ^ w) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	for (; n > 0; n--, q++)
		h = (h ^ *q) * 0x100000001b3u;
	return h ^ h >> 29;
}

/* Doubles the number of slots. */
static bool
grow(struct axt_arena *m, struct axt_table *t)
{
	size_t cap = t->cap ? 2 * t->cap : FIRST;
	struct axt_entry **slot = axt_alloc(m, cap * sizeof(*slot)), *next;

	if (!slot)
		return false;
	for (size_t i = 0; i < t->cap; i++)
		for (struct axt_entry *x = t->slot[i]; x; x = next) {
			next = x->next;
			x->next = slot[x->hash & (cap - 1)];
			slot[x->hash & (cap - 1)] = x;
		}
	t->slot = slot;
	t->cap = cap;
	return true;
}

bool
axt_table_add(struct axt_arena *m, struct axt_table *t, uint64_t hash, void *value)
{
	struct axt_entry *x;

	if (t->n == t->cap && !grow(m, t))
		return false;
	x = axt_alloc(m, sizeof(*x));
	if (!x)
		return false;
	*x = (struct axt_entry){ hash, value, t->slot[hash & (t->cap - 1)] };
	t->slot[hash & (t->cap - 1)] = x;
	t->n++;
	return true;
}

static const struct axt_entry *
of_hash(const struct axt_entry *x, uint64_t hash)
{
	while (x && x->hash != hash)
		x = x->next;
	return x;
}

const struct axt_entry *
axt_table_first(const struct axt_table *t, uint64_t hash)
{
	return t->cap ? of_hash(t->slot[hash & (t->cap - 1)], hash) : NULL;
}

const struct axt_entry *
axt_table_next(const struct axt_entry *x)
{
	return of_hash(x->next, x->hash);
}
