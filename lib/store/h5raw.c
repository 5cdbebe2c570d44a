/*
 * h5raw.c - messages of object headers read with every bound checked: what
 * libhdf5 does not do.
 * source  HDF5 File Format Specification 3.0, section IV.A (object headers).
 */
#include "h5raw.h"

#include <stdlib.h>

#define MAX_BLOCK ((uint64_t)16 << 20)
#define MAX_WALK ((uint64_t)64 << 20)		/* bytes read for all messages of one object */
#define MAX_BLOCKS 256
#define MAX_NAMES 65536
#define UNDEF UINT64_MAX

enum { MSG_CONT = 0x10, MSG_ATTR_INFO = 0x15 };

static bool
skip(struct axt_cur *c, size_t n)
{
	return axt_cur_skip(c, n) != NULL;
}

const uint8_t *
axt_raw_block(struct axt_raw *r, uint64_t addr, uint64_t n)
{
	struct axt_src *s = r->s;
	uint8_t *p;

	if (n == 0 || n > MAX_BLOCK || addr > (uint64_t)INT64_MAX ||
	    (!s->stream && addr + n > s->size))
		return NULL;
	r->many |= n > r->left;
	if (r->many)
		return NULL;
	r->left -= n;
	p = axt_alloc(r->m, n);
	return p && axt_src_read(s, addr, n, p) == 0 ? p : NULL;
}

/* Messages of one object: what fn answers true to ends the walk. */
struct walk {
	struct axt_raw r;
	axt_raw_fn *fn;
	void *ctx;
	uint64_t heap, tree;		/* dense attributes */
	/* continuation blocks still to read */
	struct {
		uint64_t addr, n;
	} todo[MAX_BLOCKS];
	int ntodo, done;
	int version, order;		/* of the header; a creation order stands in each message */
	uint64_t created;		/* of the message at hand */
};

static void
on_cont(struct walk *w, struct axt_cur c)
{
	if (w->ntodo == MAX_BLOCKS)
		return;
	w->todo[w->ntodo].addr = axt_cur_addr(&c, w->r.s);
	w->todo[w->ntodo].n = axt_cur_num(&c, w->r.s->len_size);
	w->ntodo += !c.bad;
}

static void
on_attr_info(struct walk *w, struct axt_cur c)
{
	int flags;

	skip(&c, 1);
	flags = (int)axt_cur_num(&c, 1);
	skip(&c, flags & 1 ? 2 : 0);
	w->heap = axt_cur_addr(&c, w->r.s);
	w->tree = axt_cur_addr(&c, w->r.s);
	if (c.bad)
		w->heap = w->tree = UNDEF;
}

/* Shared messages (flag 2) hold only a reference. */
static bool
messages(struct walk *w, struct axt_cur c)
{
	while (c.n >= (w->version == 1 ? 8u : 4u) && !c.bad) {
		struct axt_raw_msg g = { .type = (int)axt_cur_num(&c, w->version == 1 ? 2 : 1) };
		int flags;

		g.c.n = (size_t)axt_cur_num(&c, 2);
		flags = (int)axt_cur_num(&c, 1);
		if (w->version == 1)
			skip(&c, 3);
		g.created = w->created = w->order ? axt_cur_num(&c, 2) : w->created + 1;
		g.c.p = axt_cur_skip(&c, g.c.n);
		if (c.bad)
			return false;
		if (g.type == MSG_CONT)
			on_cont(w, g.c);
		else if (g.type == MSG_ATTR_INFO)
			on_attr_info(w, g.c);
		else if (!(flags & 2) && w->fn(w->ctx, &g))
			return true;
	}
	return false;
}

static bool
first_block(struct walk *w, uint64_t addr)
{
	const uint8_t *p = axt_raw_block(&w->r, addr, 16), *q;
	struct axt_cur c;
	uint64_t n, head;
	int flags;

	if (!p)
		return false;
	if (memcmp(p, "OHDR", 4) != 0) {
		w->version = 1;
		n = axt_le32(p + 8);
		q = p[0] == 1 ? axt_raw_block(&w->r, addr + 16, n) : NULL;
		return q && messages(w, (struct axt_cur){ .p = q, .n = n });
	}
	w->version = 2;
	flags = p[5];
	w->order = flags & 4 ? 2 : 0;
	head = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
	p = axt_raw_block(&w->r, addr, head + 8);
	if (!p)
		return false;
	c = (struct axt_cur){ .p = p + head, .n = 8 };
	n = axt_cur_num(&c, 1 << (flags & 3));
	q = axt_raw_block(&w->r, addr + head + (1u << (flags & 3)), n);
	return q && messages(w, (struct axt_cur){ .p = q, .n = n });
}

/* Continuation blocks of version 2 have a signature before and a checksum behind. */
static bool
next_block(struct walk *w)
{
	uint64_t n = w->todo[w->done].n, addr = w->todo[w->done].addr;
	const uint8_t *p;

	w->done++;
	if (addr == UNDEF || __builtin_add_overflow(addr, w->r.s->base, &addr))
		return false;
	p = axt_raw_block(&w->r, addr, n);
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
	if (__builtin_add_overflow(obj, w->r.s->base, &obj))
		return false;
	if (first_block(w, obj))
		return true;
	while (w->done < w->ntodo)
		if (next_block(w))
			return true;
	if (w->heap != UNDEF && w->tree != UNDEF &&
	    axt_raw_dense(&w->r, w->heap, w->tree, w->fn, w->ctx))
		return true;
	return w->r.many;
}

bool
axt_raw_each(struct axt_src *s, uint64_t obj, axt_raw_fn *fn, void *ctx)
{
	struct walk *w = calloc(1, sizeof(*w));
	struct axt_arena *m = axt_arena_new();
	bool ended = true;

	if (w && m) {
		w->r = (struct axt_raw){ .m = m, .s = s, .left = MAX_WALK };
		w->heap = w->tree = UNDEF;
		w->fn = fn;
		w->ctx = ctx;
		ended = walk(w, obj);
	}
	s->starved |= !w || !m || axt_arena_failed(m);
	free(w);
	axt_arena_free(m);
	return ended;
}

/* ---- attributes ---- */

bool
axt_raw_head(struct axt_cur *c, struct axt_raw_head *h)
{
	int version = (int)axt_cur_num(c, 1);
	struct axt_cur *part[] = { &h->name, &h->type, &h->space };

	*h = (struct axt_raw_head){ .flags = (int)axt_cur_num(c, 1) };
	if (version == 1)
		h->flags = 0;		/* reserved there */
	for (int i = 0; i < 3; i++)
		part[i]->n = (size_t)axt_cur_num(c, 2);
	if (version == 3)
		skip(c, 1);
	for (int i = 0; i < 3; i++) {
		size_t n = part[i]->n;

		part[i]->p = axt_cur_skip(c, version == 1 ? (n + 7) & ~(size_t)7 : n);
	}
	return version >= 1 && version <= 3 && !c->bad && h->name.n > 0 &&
	    h->name.p[h->name.n - 1] == 0;
}

/* What is looked for, and the bytes found. */
struct search {
	struct axt_arena *m;
	struct axt_src *s;
	const char *name;
	uint8_t *found;
	size_t n;
};

/* Keeps what the cursor holds and the rest behind it. */
static void
keep(struct search *w, struct axt_cur c, uint64_t at, uint64_t rest)
{
	uint8_t *p;

	if (rest > AXT_RAW_ATTRS || !(p = axt_alloc(w->m, c.n + (size_t)rest)))
		return;
	if (c.n > 0)
		memcpy(p, c.p, c.n);
	if (rest > 0 && axt_src_read(w->s, at, (size_t)rest, p + c.n) != 0)
		return;
	w->found = p;
	w->n = c.n + (size_t)rest;
}

static bool
on_attr(void *ctx, const struct axt_raw_msg *g)
{
	struct search *w = ctx;
	struct axt_raw_head h;
	struct axt_cur c = g->c;

	if (g->type != AXT_RAW_ATTR || !axt_raw_head(&c, &h) ||
	    h.name.n != strlen(w->name) + 1 || memcmp(h.name.p, w->name, h.name.n) != 0)
		return false;
	keep(w, c, g->at, g->rest);
	return true;
}

static bool
on_layout(void *ctx, const struct axt_raw_msg *g)
{
	struct search *w = ctx;
	struct axt_cur c = g->c, data = { 0 };
	int version = (int)axt_cur_num(&c, 1), rank;

	if (g->type != AXT_RAW_LAYOUT)
		return false;
	if (version >= 3) {
		if (axt_cur_num(&c, 1) != 0)
			return false;
		data.n = (size_t)axt_cur_num(&c, 2);
	} else {
		rank = (int)axt_cur_num(&c, 1);
		if (axt_cur_num(&c, 1) != 0)
			return false;
		skip(&c, 5 + 4 * (size_t)rank);
		data.n = (size_t)axt_cur_num(&c, 4);
	}
	data.p = axt_cur_skip(&c, data.n);
	if (!c.bad)
		keep(w, data, 0, 0);
	return !c.bad;
}

static uint8_t *
search(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name, size_t *n,
    axt_raw_fn *fn)
{
	struct search w = { .m = m, .s = s, .name = name };

	axt_raw_each(s, obj, fn, &w);
	if (w.found)
		*n = w.n;
	return w.found;
}

uint8_t *
axt_raw_attr(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name, size_t *n)
{
	return search(m, s, obj, name, n, on_attr);
}

const uint8_t *
axt_raw_compact(struct axt_arena *m, struct axt_src *s, uint64_t obj, size_t *n)
{
	return search(m, s, obj, NULL, n, on_layout);
}

struct names {
	struct axt_arena *m;
	struct axt_raw_name *v;
	int n, cap;
	bool starved;
};

/* Adds a name to the list: true (the walk ends) when there is no room. */
static bool
on_name(void *ctx, const struct axt_raw_msg *g)
{
	struct names *l = ctx;
	struct axt_raw_head h;
	struct axt_cur c = g->c;

	if (g->type != AXT_RAW_ATTR || !axt_raw_head(&c, &h))
		return false;
	if (l->n == l->cap) {
		int cap = l->cap ? 2 * l->cap : 16;
		void *p = l->cap < MAX_NAMES ? realloc(l->v, (size_t)cap * sizeof(*l->v)) : NULL;

		if (!p) {
			l->starved = l->cap < MAX_NAMES;
			return true;
		}
		l->v = p;
		l->cap = cap;
	}
	l->v[l->n].name = axt_strndup(l->m, (const char *)h.name.p, h.name.n);
	l->v[l->n].created = g->created;
	l->starved = !l->v[l->n].name;
	l->n += !l->starved;
	return l->starved;
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
	struct names l = { .m = m };

	axt_raw_each(s, obj, on_name, &l);
	s->starved |= l.starved;
	if (s->starved) {
		free(l.v);
		l = (struct names){ .n = -1 };
	}
	if (l.n > 1)
		qsort(l.v, (size_t)l.n, sizeof(*l.v), by_creation);
	*names = l.v;
	return l.n;
}
