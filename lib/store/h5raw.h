/*
 * h5raw.h - the few structures axt reads past libhdf5, because it is not safe on damaged ones:
 * messages of an object header (raw attribute values, compact data) and global heap objects.
 */
#ifndef AXT_STORE_H5RAW_H
#define AXT_STORE_H5RAW_H

#include "bytes.h"
#include "h5.h"

/* A cursor over bytes: reads past the end give 0 and set bad. */
struct axt_cur {
	const uint8_t *p;
	size_t n;
	bool bad;
};

static inline const uint8_t *
axt_cur_skip(struct axt_cur *c, size_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || n > c->n) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	c->n -= n;
	return p;
}

static inline uint64_t
axt_cur_num(struct axt_cur *c, int n)
{
	const uint8_t *p = axt_cur_skip(c, (size_t)n);

	return p ? axt_le(p, n) : 0;
}

/* A file address; UINT64_MAX: undefined. */
static inline uint64_t
axt_cur_addr(struct axt_cur *c, const struct axt_src *s)
{
	uint64_t a = axt_cur_num(c, s->addr_size);

	return s->addr_size < 8 && a == (UINT64_C(1) << 8 * s->addr_size) - 1 ? UINT64_MAX : a;
}

/* Reads of one walk, freed together and bounded in all. */
struct axt_raw {
	struct axt_arena *m;
	struct axt_src *s;
	uint64_t left;
	bool many;		/* more were asked for */
};
/* n bytes at an address that counts from the file's first byte; NULL: not there, or too many. */
const uint8_t *axt_raw_block(struct axt_raw *r, uint64_t addr, uint64_t n);

/* A message of an object header, or a dense attribute. */
struct axt_raw_msg {
	int type;
	uint64_t created;	/* creation order */
	struct axt_cur c;
	uint64_t at, rest;	/* a dense attribute's value: where it is, its bytes, not in c */
};
enum { AXT_RAW_LAYOUT = 0x08, AXT_RAW_ATTR = 0x0c };

/*
 * Calls fn with each message of an object header and each dense attribute that is not shared,
 * until it answers true: then true, as when there is no end of them.
 */
typedef bool axt_raw_fn(void *ctx, const struct axt_raw_msg *g);
bool axt_raw_each(struct axt_src *s, uint64_t obj, axt_raw_fn *fn, void *ctx);
/* h5dense.c: the part of it for a fractal heap of attributes and the B-tree of their names. */
bool axt_raw_dense(struct axt_raw *r, uint64_t heap, uint64_t tree, axt_raw_fn *fn, void *ctx);

/* An attribute message without its value, behind which c stands then. false: it lies. */
struct axt_raw_head {
	int flags;
	struct axt_cur name, type, space;
};
bool axt_raw_head(struct axt_cur *c, struct axt_raw_head *h);

/*
 * h5sane.c: false when libhdf5 would read past the end of a message of this
 * object. Asked before it is opened.
 */
bool axt_raw_sane(struct axt_src *s, uint64_t obj);

/* Bytes of one attribute's value, and of all that are kept of one file. */
#define AXT_RAW_ATTRS ((size_t)64 << 20)

/*
 * The stored bytes of an attribute's value: compact or dense. NULL when not
 * found as they should be. In the arena.
 */
uint8_t *axt_raw_attr(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name,
    size_t *n);
/*
 * Names of an object's attributes in creation order, malloc'd list, names in the arena; -1: out of
 * memory. H5Aiterate frees what it never had when one of them is damaged.
 */
struct axt_raw_name {
	const char *name;
	uint64_t created;
};
int axt_raw_names(struct axt_arena *m, struct axt_src *s, uint64_t obj,
    struct axt_raw_name **names);
/* The data of a compact dataset. */
const uint8_t *axt_raw_compact(struct axt_arena *m, struct axt_src *s, uint64_t obj, size_t *n);
/*
 * h5heap.c: one variable-length element (length, address, index): its bytes in
 * the arena, elements of `size`; n of them.
 */
const uint8_t *axt_raw_vlen(struct axt_arena *m, struct axt_src *s, const uint8_t *p, size_t size,
    size_t *n);
/* The object of a collection, which is valid until another is asked for; NULL: not there. */
const uint8_t *axt_raw_heap(struct axt_src *s, uint64_t addr, uint32_t index, uint64_t *n);
/* h5virtual.c: whether the maps of a virtual dataset's layout message are as libhdf5 expects them. */
bool axt_raw_virtual_ok(struct axt_src *s, struct axt_cur c);
/* Bytes of a variable-length element in this file. */
static inline int
axt_raw_vlen_bytes(const struct axt_src *s)
{
	return 4 + s->addr_size + 4;
}

#endif
