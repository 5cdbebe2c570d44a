/*
 * shared.c - messages that are stored elsewhere in the file: in a committed datatype, or in the
 * file's heap of shared messages.
 * source  HDF5 File Format Specification 3.0, sections IV.A.2 (shared message) and III.H.
 */
#include "hdf5/format/raw.h"

#define MAX_NEST 4

/* The address of the heap of shared messages that has messages of a type. */
static uint64_t
heap_for(struct axt_raw *r, int type)
{
	struct axt_src *s = r->s;
	size_t one = 14 + 2 * (size_t)s->addr_size;
	struct axt_cur c;

	if (s->shared == AXT_UNDEF || s->nshared < 1 || s->nshared > 8 ||
	    !axt_raw_signed(r, s->shared, 8 + (uint64_t)s->nshared * one, "SMTB", &c))
		return AXT_UNDEF;
	for (int i = 0; i < s->nshared; i++) {
		struct axt_cur x = { .p = axt_cur_skip(&c, one), .n = one };
		int types;

		if (axt_cur_num(&x, 1) != 0)
			return AXT_UNDEF;
		axt_cur_skip(&x, 1);
		types = (int)axt_cur_num(&x, 2);
		axt_cur_skip(&x, 10 + (size_t)s->addr_size);
		if (types >> type & 1)
			return axt_cur_addr(&x, s);
	}
	return AXT_UNDEF;
}

static bool
from_heap(struct axt_raw *r, int type, struct axt_cur id, struct axt_cur *out)
{
	struct axt_fheap *h = axt_fheap_open(r, heap_for(r, type));
	struct axt_fobject o;
	bool ok = h && axt_fheap_get(h, id, &o);

	if (ok && !o.p)
		o.p = axt_raw_block(r, o.at - r->s->base, o.n);
	axt_fheap_close(h);
	if (!ok || !o.p)
		return false;
	*out = (struct axt_cur){ .p = o.p, .n = (size_t)o.n };
	return true;
}

/* Copies the datatype of the object at addr, whose header is freed again. */
static bool
committed(struct axt_raw *r, uint64_t addr, struct axt_cur *out)
{
	const struct axt_msg *g = NULL;
	struct axt_head h = { .no_attrs = true };
	uint8_t *p = NULL;

	if (r->s->nested >= MAX_NEST)
		return false;
	r->s->nested++;
	if (axt_head_open(&h, r->s, addr))
		g = axt_head_msg(&h, AXT_MSG_TYPE);
	if (g) {
		p = axt_alloc(r->m, g->c.n + 1);
		r->s->starved |= !p;
	}
	if (p) {
		memcpy(p, g->c.p, g->c.n);
		*out = (struct axt_cur){ .p = p, .n = g->c.n };
	}
	axt_head_close(&h);
	r->s->nested--;
	return p != NULL;
}

bool
axt_shared(struct axt_raw *r, int type, struct axt_cur c, struct axt_cur *out, uint64_t *object)
{
	int version = (int)axt_cur_num(&c, 1), kind = (int)axt_cur_num(&c, 1);
	uint64_t addr;

	if (version == 3 && kind == 1) {
		struct axt_cur id = { .p = axt_cur_skip(&c, 8), .n = 8 };

		return id.p && from_heap(r, type, id, out);
	}
	if (version == 1)
		axt_cur_skip(&c, 6 + (size_t)r->s->len_size);
	addr = axt_cur_addr(&c, r->s);
	if (object)
		*object = addr;
	return !c.bad && version >= 1 && version <= 3 && type == AXT_MSG_TYPE &&
	    addr != AXT_UNDEF && committed(r, addr, out);
}
