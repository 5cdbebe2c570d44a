/*
 * header.c - object headers: their messages, their attributes (compact and dense), shared messages.
 * source  HDF5 File Format Specification 3.0, section IV.A.
 */
#include "hdf5/format/raw.h"

#include <stdlib.h>

#define MAX_WALK ((uint64_t)64 << 20) /* bytes of all messages of one object */
#define MAX_BLOCKS 4096
#define MAX_ATTRS 65536

/* The blocks of one object header, while they are read. */
struct walk {
	struct axt_head *h;
	uint64_t heap, tree; /* addresses of the heap and the B-tree of dense attributes */
	struct todo {        /* continuation blocks that are not read yet */
		uint64_t addr, n;
	} * todo;
	int ntodo, cap, done;
	int order;        /* bytes that the creation order takes in each message */
	uint64_t created; /* the creation order of the current message */
};

/* Makes space for one more element in a list of n elements of `size` bytes. */
static bool
reserve_one(struct axt_src *s, void *list, int n, int *cap, size_t size)
{
	void *p, **at = list;

	if (n < *cap)
		return true;
	p = realloc(*at, (size_t)(*cap ? 2 * *cap : 16) * size);
	s->starved |= !p;
	if (!p)
		return false;
	*at = p;
	*cap = *cap ? 2 * *cap : 16;
	return true;
}

/* ---- attributes ---- */

/* The parts of the message of an attribute. After they are read, the cursor is at the value. */
struct parts {
	int flags;
	struct axt_cur part[3]; /* name, datatype, dataspace */
};

/*
 * Reads the parts of an attribute's message. Returns the number of bytes before the value, or 0 if
 * the message is too short.
 */
static size_t
split(struct axt_cur *c, struct parts *a)
{
	struct axt_cur all = *c;
	int version = (int)axt_cur_num(c, 1);

	a->flags = (int)axt_cur_num(c, 1);
	if (version == 1)
		a->flags = 0; /* the flags are reserved in that version */
	for (int i = 0; i < 3; i++)
		a->part[i] = (struct axt_cur){ .n = (size_t)axt_cur_num(c, 2) };
	if (version == 3)
		axt_cur_skip(c, 1);
	for (int i = 0; i < 3; i++) {
		size_t n = a->part[i].n;

		a->part[i].p = axt_cur_skip(c, version == 1 ? (n + 7) & ~(size_t)7 : n);
	}
	return version >= 1 && version <= 3 && !c->bad && a->part[0].n > 0 &&
		a->part[0].p[a->part[0].n - 1] == 0
	    ? (size_t)(c->p - all.p)
	    : 0;
}

/* Whether the type, dataspace and value of an attribute agree. */
static bool
attr_fits(struct axt_head *h, const struct axt_hattr *a)
{
	struct axt_cur c = a->type;
	const struct axt_htype *t = axt_msg_type(h->r.m, &c);
	struct axt_hspace sp;
	uint64_t bytes;

	if (!t)
		return false;
	h->modern |= a->type.p[0] >> 4 > 4;
	if (t->class == AXT_T_NEWER)
		return true;
	if (!axt_msg_space(a->space, h->r.s, &sp))
		return false;
	bytes = sp.null              ? 0
	    : t->class == AXT_T_VLEN ? (uint64_t)axt_raw_vlen_bytes(h->r.s)
				     : t->size;
	for (int k = 0; k < sp.rank; k++)
		if (__builtin_mul_overflow(bytes, sp.dims[k], &bytes))
			return false;
	return bytes <= a->data.n || bytes - a->data.n <= a->rest;
}

/* Adds the attribute in message c. The value continues with `rest` bytes at address `at`. */
static bool
add_attr(struct axt_head *h, struct axt_cur c, uint64_t at, uint64_t rest, uint64_t created)
{
	struct axt_hattr a = { .created = created, .at = at, .rest = rest };
	struct parts x;

	if (!split(&c, &x))
		return false;
	a.type = x.part[1];
	a.space = x.part[2];
	a.data = c;
	if (((x.flags & 1) && !axt_shared(&h->r, AXT_MSG_TYPE, x.part[1], &a.type, NULL)) ||
	    ((x.flags & 2) && !axt_shared(&h->r, AXT_MSG_SPACE, x.part[2], &a.space, NULL)) ||
	    !attr_fits(h, &a) || h->nattrs >= MAX_ATTRS ||
	    !reserve_one(h->r.s, &h->attr, h->nattrs, &h->attr_cap, sizeof(a)))
		return false;
	a.name = axt_strndup(h->r.m, (const char *)x.part[0].p, x.part[0].n);
	h->r.s->starved |= !a.name;
	if (!a.name)
		return false;
	h->attr[h->nattrs++] = a;
	return true;
}

/* Adds an attribute that is stored as a huge object. Only what precedes its value is read. */
static bool
add_huge(struct axt_head *h, uint64_t at, uint64_t n, uint64_t created)
{
	uint64_t some = MIN(n, UINT64_C(256)), addr = at - h->r.s->base;
	struct axt_cur c = { .p = axt_raw_block(&h->r, addr, some), .n = (size_t)some };
	struct parts x;
	size_t head = 9 + 3 * 65543;

	if (!c.p)
		return false;
	if (!split(&c, &x)) {
		some = MIN(n, head);
		c = (struct axt_cur){ .p = axt_raw_block(&h->r, addr, some), .n = (size_t)some };
		if (!c.p || !split(&c, &x))
			return false;
	}
	head = (size_t)some - c.n;
	c = (struct axt_cur){ .p = c.p - head, .n = head };
	return add_attr(h, c, at + head, n - head, created);
}

struct dense {
	struct axt_head *h;
	struct axt_fheap *heap;
	bool bad;
};

/* Reads a record of the B-tree of names: heap ID, flags, creation order, hash of the name. */
static bool
on_record(void *ctx, struct axt_cur rec)
{
	struct dense *d = ctx;
	struct axt_head *h = d->h;
	struct axt_cur id = { .p = axt_cur_skip(&rec, 8), .n = 8 }, c;
	int flags = (int)axt_cur_num(&rec, 1);
	uint64_t created = axt_cur_num(&rec, 4);
	uint32_t hash = (uint32_t)axt_cur_num(&rec, 4);
	struct axt_fobject o = { 0 };
	uint8_t ref[10] = { 3, 1 };
	const char *name;

	d->bad = true;
	if (rec.bad)
		return true;
	if (flags & 2) {
		memcpy(ref + 2, id.p, 8);
		if (!axt_shared(&h->r, AXT_MSG_ATTR, (struct axt_cur){ .p = ref, .n = 10 }, &c,
			NULL))
			return true;
		o = (struct axt_fobject){ .p = c.p, .n = c.n };
	} else if (!axt_fheap_get(d->heap, id, &o)) {
		return true;
	}
	if (o.p ? !add_attr(h, (struct axt_cur){ .p = o.p, .n = (size_t)o.n }, 0, 0, created)
		: !add_huge(h, o.at, o.n, created))
		return true;
	name = h->attr[h->nattrs - 1].name;
	d->bad = axt_lookup3((const uint8_t *)name, strlen(name)) != hash;
	return d->bad;
}

static bool
dense_attrs(struct axt_head *h, uint64_t heap, uint64_t tree)
{
	struct dense d = { .h = h };
	bool ok;

	if (heap == AXT_UNDEF)
		return true;
	d.heap = axt_fheap_open(&h->r, heap);
	ok = d.heap && axt_fheap_id_bytes(d.heap) == 8 &&
	    axt_tree_walk(&h->r, tree, AXT_TREE_ATTRS, on_record, &d) == AXT_WALK_ALL && !d.bad;
	axt_fheap_close(d.heap);
	return ok;
}

static int
by_creation(const void *a, const void *b)
{
	const struct axt_hattr *x = a, *y = b;

	return axt_creation_order(x->created, x->name, y->created, y->name);
}

/* ---- messages ---- */

static bool
on_cont(struct walk *w, struct axt_cur c)
{
	struct axt_src *s = w->h->r.s;

	if (w->ntodo >= MAX_BLOCKS ||
	    !reserve_one(s, &w->todo, w->ntodo, &w->cap, sizeof(*w->todo)))
		return false;
	w->todo[w->ntodo].addr = axt_cur_addr(&c, s);
	w->todo[w->ntodo].n = axt_cur_len(&c, s);
	w->ntodo += !c.bad;
	return !c.bad;
}

static bool
on_attr_info(struct walk *w, struct axt_cur c)
{
	int version = (int)axt_cur_num(&c, 1), flags = (int)axt_cur_num(&c, 1);

	axt_cur_skip(&c, flags & 1 ? 2 : 0);
	w->heap = axt_cur_addr(&c, w->h->r.s);
	w->tree = axt_cur_addr(&c, w->h->r.s);
	return !c.bad && version == 0;
}

/* Whether the contents of a message are consistent with its type. */
static bool
sane(struct axt_head *h, int type, struct axt_cur c)
{
	struct axt_src *s = h->r.s;
	struct axt_hspace sp;
	struct axt_hlayout lay;
	struct axt_hfilters fl;
	struct axt_link link;
	struct axt_cur fill;

	switch (type) {
	case AXT_MSG_SPACE: return axt_msg_space(c, s, &sp);
	case AXT_MSG_TYPE: return axt_msg_type(h->r.m, &c) != NULL;
	case AXT_MSG_OLD_FILL:
	case AXT_MSG_FILL: return axt_msg_fill(c, type, &fill);
	case AXT_MSG_LINK: return axt_msg_link(h->r.m, c, s, &link) != AXT_LINK_DAMAGED;
	case AXT_MSG_LAYOUT: return axt_msg_layout(c, s, &lay) && axt_raw_virtual_ok(s, &lay);
	case AXT_MSG_FILTERS: return axt_msg_filters(c, &fl);
	}
	return true;
}

/*
 * Whether a message is of a version that is newer than axt reads, which the header then notes. A
 * number so high that no version will have it soon is damage instead. type.c deals with newer
 * datatypes.
 */
static bool
is_newer(struct axt_head *h, int type, struct axt_cur c)
{
	static const struct {
		uint8_t type, known;
		const char *what;
	} row[] = {
		{ AXT_MSG_SPACE, 2, "its dataspace message is newer than axt knows" },
		{ AXT_MSG_LINK_INFO, 0, "its list of links is newer than axt knows" },
		{ AXT_MSG_FILL, 3, "its fill value message is newer than axt knows" },
		{ AXT_MSG_LINK, 1, "a link in it is newer than axt knows" },
		{ AXT_MSG_LAYOUT, 5, "its layout message is newer than axt knows" },
		{ AXT_MSG_FILTERS, 2, "its filter message is newer than axt knows" },
		{ AXT_MSG_ATTR, 3, NULL }, /* the object can be read without its attributes */
		{ AXT_MSG_ATTR_INFO, 0, NULL },
	};

	for (int i = 0; i < ARRAY_LEN(row) && c.n > 0; i++)
		if (row[i].type == type && c.p[0] > row[i].known &&
		    c.p[0] <= row[i].known + AXT_NEWER) {
			h->newer = row[i].what ? row[i].what : h->newer;
			h->newer_attrs |= !row[i].what;
			return true;
		}
	return false;
}

static bool
add(struct walk *w, int type, int flags, struct axt_cur c)
{
	struct axt_head *h = w->h;

	if (type == AXT_MSG_CONT)
		return on_cont(w, c);
	if (!(flags & 2) && is_newer(h, type, c))
		return true;
	if (type == AXT_MSG_ATTR_INFO && !on_attr_info(w, c))
		return false;
	if (type == AXT_MSG_REFS && c.n >= 5)
		h->refs = axt_le32(c.p + 1);
	if (type == 0 || (h->no_attrs && type != AXT_MSG_TYPE))
		return true;
	if (type > AXT_MSG_CACHE_IMAGE && (flags & 0x80)) {
		/* the message is marked: readers that do not know it must not read the object */
		h->newer = "a message in it is newer than axt knows";
		return true;
	}
	if ((flags & 2) && !axt_shared(&h->r, type, c, &c, type == AXT_MSG_TYPE ? &h->type : NULL))
		return false;
	if (type == AXT_MSG_ATTR)
		return add_attr(h, c, 0, 0, w->created);
	h->modern |= c.n > 0 &&
	    ((type == AXT_MSG_LAYOUT && c.p[0] > 4) || (type == AXT_MSG_TYPE && c.p[0] >> 4 > 4));
	if (!sane(h, type, c) ||
	    !reserve_one(h->r.s, &h->msg, h->nmsgs, &h->msg_cap, sizeof(*h->msg)))
		return false;
	h->msg[h->nmsgs++] = (struct axt_msg){ .type = type, .flags = flags, .c = c };
	return true;
}

static bool
messages(struct walk *w, struct axt_cur c)
{
	bool old = w->h->version == 1;

	while (c.n >= (old ? 8u : 4u + (unsigned)w->order)) {
		int type = (int)axt_cur_num(&c, old ? 2 : 1), flags;
		struct axt_cur body = { .n = (size_t)axt_cur_num(&c, 2) };

		flags = (int)axt_cur_num(&c, 1);
		if (old)
			axt_cur_skip(&c, 3);
		w->created = w->order ? axt_cur_num(&c, 2) : w->created + 1;
		body.p = axt_cur_skip(&c, body.n);
		if (c.bad || !add(w, type, flags, body))
			return false;
	}
	return true;
}

static bool
first_block(struct walk *w, uint64_t addr)
{
	struct axt_raw *r = &w->h->r;
	const uint8_t *p = axt_raw_block(r, addr, 16), *q;
	struct axt_cur c;
	uint64_t n, head;
	int flags;

	if (!p)
		return false;
	if (memcmp(p, "OHDR", 4) != 0) {
		w->h->version = 1;
		w->h->refs = axt_le32(p + 4);
		n = axt_le32(p + 8);
		if (p[0] != 1 || n == 0)
			return p[0] == 1;
		q = axt_raw_block(r, addr + 16, n);
		axt_raw_claim(r->s, AXT_BLOCK_HEAD, addr, n + 16);
		return q && messages(w, (struct axt_cur){ .p = q, .n = n });
	}
	w->h->version = 2;
	w->h->refs = 1;
	flags = p[5];
	w->order = flags & 4 ? 2 : 0;
	head = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0) + (1u << (flags & 3));
	if (p[4] > 2 && p[4] <= 2 + AXT_NEWER) {
		w->h->newer = "its header is newer than axt knows";
		return true;
	}
	if (p[4] != 2 || !(p = axt_raw_block(r, addr, head)))
		return false;
	n = axt_le(p + head - (1u << (flags & 3)), 1 << (flags & 3));
	if (n > MAX_WALK || !axt_raw_signed(r, addr, head + n + 4, "OHDR", &c) ||
	    !axt_cur_skip(&c, (size_t)head - 4))
		return false;
	axt_raw_claim(r->s, AXT_BLOCK_HEAD, addr, head + n + 4);
	return messages(w, c);
}

/* Continuation blocks of version 2 begin with a signature and end with a checksum. */
static bool
next_block(struct walk *w)
{
	uint64_t n = w->todo[w->done].n, addr = w->todo[w->done].addr;
	struct axt_cur c = { .n = (size_t)n };

	w->done++;
	axt_raw_claim(w->h->r.s, AXT_BLOCK_HEAD, addr, n);
	if (w->h->version == 1)
		c.p = axt_raw_block(&w->h->r, addr, n);
	else if (!axt_raw_signed(&w->h->r, addr, n, "OCHK", &c))
		return false;
	return c.p && messages(w, c);
}

static bool
walk(struct walk *w)
{
	if (!first_block(w, w->h->addr))
		return false;
	while (w->done < w->ntodo)
		if (!next_block(w))
			return false;
	return w->h->no_attrs || dense_attrs(w->h, w->heap, w->tree);
}

bool
axt_head_open(struct axt_head *h, struct axt_src *s, uint64_t addr)
{
	struct walk w = { .h = h, .heap = AXT_UNDEF, .tree = AXT_UNDEF };
	bool ok;

	h->addr = addr;
	h->r = (struct axt_raw){ .m = axt_arena_new(), .s = s, .left = MAX_WALK };
	s->starved |= !h->r.m;
	ok = h->r.m && walk(&w);
	s->starved |= h->r.m && axt_arena_failed(h->r.m);
	free(w.todo);
	if (ok && h->nattrs > 1)
		qsort(h->attr, (size_t)h->nattrs, sizeof(*h->attr), by_creation);
	return ok;
}

void
axt_head_close(struct axt_head *h)
{
	if (h->r.m)
		h->r.s->starved |= axt_arena_failed(h->r.m);
	axt_arena_free(h->r.m);
	free(h->msg);
	free(h->attr);
	*h = (struct axt_head){ 0 };
}

const struct axt_msg *
axt_head_msg(const struct axt_head *h, int type)
{
	for (int i = 0; i < h->nmsgs; i++)
		if (h->msg[i].type == type)
			return &h->msg[i];
	return NULL;
}

const struct axt_hattr *
axt_head_attr(const struct axt_head *h, const char *name)
{
	for (int i = 0; i < h->nattrs; i++)
		if (strcmp(h->attr[i].name, name) == 0)
			return &h->attr[i];
	return NULL;
}

enum axt_kind_of
axt_head_kind(const struct axt_head *h)
{
	bool type = axt_head_msg(h, AXT_MSG_TYPE) != NULL;

	if (axt_head_msg(h, AXT_MSG_SYMBOLS) || axt_head_msg(h, AXT_MSG_LINK_INFO))
		return AXT_OBJ_GROUP;
	if (type && axt_head_msg(h, AXT_MSG_SPACE))
		return AXT_OBJ_DSET;
	return type ? AXT_OBJ_TYPE : AXT_OBJ_NONE;
}

uint8_t *
axt_raw_attr(struct axt_arena *m, struct axt_src *s, const struct axt_hattr *a, size_t *n)
{
	uint8_t *p;

	if (a->rest > AXT_RAW_ATTRS || !(p = axt_alloc(m, a->data.n + (size_t)a->rest + 1)))
		return NULL;
	if (a->data.n > 0)
		memcpy(p, a->data.p, a->data.n);
	if (a->rest > 0 && axt_src_read(s, a->at, (size_t)a->rest, p + a->data.n) != 0)
		return NULL;
	*n = a->data.n + (size_t)a->rest;
	return p;
}
