/*
 * raw.h - the metadata of HDF5 files, read with every bound checked. libhdf5 1.10 trusts what a
 * damaged file says, so it is used only for writing, and sees no byte of a file that is only read.
 * source  HDF5 File Format Specification 3.0, which also has the names of structures and fields.
 */
#ifndef AXT_HDF5_FORMAT_RAW_H
#define AXT_HDF5_FORMAT_RAW_H

#include "bytes/bytes.h"
#include "bytes/src.h"

#define AXT_UNDEF UINT64_MAX /* an address that stands for "none" */

/* A cursor over bytes. Reading past the end gives 0 and sets bad. */
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

/* Reads a number of n bytes. All ones become UINT64_MAX, whatever n is. */
static inline uint64_t
axt_cur_wide(struct axt_cur *c, int n)
{
	uint64_t a = axt_cur_num(c, n);

	return n < 8 && a == (UINT64_C(1) << 8 * n) - 1 ? UINT64_MAX : a;
}

/* Reads an address in the file. */
static inline uint64_t
axt_cur_addr(struct axt_cur *c, const struct axt_src *s)
{
	return axt_cur_wide(c, s->addr_size);
}

/* Reads a length, of as many bytes as the file uses for lengths. */
static inline uint64_t
axt_cur_len(struct axt_cur *c, const struct axt_src *s)
{
	return axt_cur_num(c, s->len_size);
}

/* ---- blocks (raw.c) ---- */

/*
 * The blocks read while something is walked: they are freed together, and their total is bounded.
 */
struct axt_raw {
	struct axt_arena *m;
	struct axt_src *s;
	uint64_t left;
	bool many; /* more were asked for than allowed */
};
uint64_t axt_raw_end(const struct axt_src *s);
/* The bound for a walk that reads each byte of a file once. */
uint64_t axt_raw_all(const struct axt_src *s);
/* Whether n bytes at an address are in the file. Addresses count from the file's first byte. */
bool axt_raw_inside(const struct axt_src *s, uint64_t addr, uint64_t n);
/*
 * n bytes at an address, in the arena. NULL when they are not in the file, or the bound is
 * exceeded.
 */
const uint8_t *axt_raw_block(struct axt_raw *r, uint64_t addr, uint64_t n);
/* The same for a block with a signature first and a checksum last; c leaves both out. */
bool axt_raw_signed(struct axt_raw *r, uint64_t addr, uint64_t n, const char *sign,
    struct axt_cur *c);
/*
 * ---- claims.c: which block each byte belongs to. Claiming the same block again is allowed for the
 * same owner; for any owner if it is a header, or a collection of strings. apart: never. ----
 */
enum axt_block {
	AXT_BLOCK_HEAD,
	AXT_BLOCK_STRINGS,
	AXT_BLOCK_TREE,
	AXT_BLOCK_HEAP,
	AXT_BLOCK_DATA
};
struct axt_claims {
	struct axt_claim {
		uint64_t addr, end, owner;
		enum axt_block kind;
	} * v;
	size_t n, cap;
	uint64_t owner; /* of the blocks claimed from now on */
	bool apart, many, starved;
};
void axt_claim(struct axt_claims *c, enum axt_block kind, uint64_t addr, uint64_t n);
/* An address where two blocks overlap, or one goes past the end; AXT_UNDEF when there is none. */
uint64_t axt_claims_clash(struct axt_claims *c, uint64_t size);
void axt_claims_free(struct axt_claims *c);
/* Claims a block, if the file's blocks are being recorded. */
static inline void
axt_raw_claim(struct axt_src *s, enum axt_block kind, uint64_t addr, uint64_t n)
{
	if (s->claims)
		axt_claim(s->claims, kind, addr, n);
}
/* Jenkins' lookup3 with the initial value 0, as in HDF5. */
uint32_t axt_lookup3(const uint8_t *p, size_t n);
/* Whether the n bytes are followed by their checksum. */
static inline bool
axt_sum_ok(const uint8_t *p, size_t n)
{
	return axt_lookup3(p, n) == axt_le32(p + n);
}

/* ---- version 1 B-trees (raw.c) ---- */

enum { AXT_OLD_TREE_LINKS, AXT_OLD_TREE_CHUNKS };
/* A node: n children between n + 1 keys; c is at the first key. */
struct axt_old_node {
	int level;
	uint64_t n;
	struct axt_cur c;
};
/* Reads the node at addr of a tree whose keys have `key` bytes; level -1: any. false: damaged. */
bool axt_old_node_read(struct axt_raw *r, uint64_t addr, int type, size_t key, int level,
    struct axt_old_node *out);

/* ---- version 2 B-trees and fractal heaps (tree.c, fractal_heap.c) ---- */

enum {
	AXT_TREE_HUGE = 1,
	AXT_TREE_LINKS = 5,
	AXT_TREE_LINK_ORDER = 6,
	AXT_TREE_ATTRS = 8,
	AXT_TREE_ATTR_ORDER = 9,
	AXT_TREE_CHUNKS = 10,
	AXT_TREE_PACKED = 11,
};
/* Gets one record; returns true to end the walk. */
typedef bool axt_tree_fn(void *ctx, struct axt_cur rec);
enum axt_walked { AXT_WALK_DAMAGED = -1, AXT_WALK_ALL, AXT_WALK_ENDED };
/* Calls fn with every record of the tree at addr, in order. */
enum axt_walked axt_tree_walk(struct axt_raw *r, uint64_t addr, int type, axt_tree_fn *fn,
    void *ctx);

struct axt_fheap;
/* In the arena of r. NULL when it is damaged, or memory ran out. */
struct axt_fheap *axt_fheap_open(struct axt_raw *r, uint64_t addr);
/* Frees what is not in the arena. */
void axt_fheap_close(struct axt_fheap *h);
int axt_fheap_id_bytes(const struct axt_fheap *h);
/*
 * In space.c: reads every block of a heap and compares them with its header. id[objects] are the
 * IDs of all objects in it.
 */
bool axt_fheap_check(struct axt_fheap *h, const struct axt_cur *id, uint64_t objects);
/* An object: its bytes, or (p NULL) where they are, counted from the file's first byte. */
struct axt_fobject {
	const uint8_t *p;
	uint64_t at, n;
};
bool axt_fheap_get(struct axt_fheap *h, struct axt_cur id, struct axt_fobject *o);

/* ---- object headers (header.c) ---- */

enum {
	AXT_MSG_SPACE = 0x01,
	AXT_MSG_LINK_INFO = 0x02,
	AXT_MSG_TYPE = 0x03,
	AXT_MSG_OLD_FILL = 0x04,
	AXT_MSG_FILL = 0x05,
	AXT_MSG_LINK = 0x06,
	AXT_MSG_EXTERNAL = 0x07,
	AXT_MSG_LAYOUT = 0x08,
	AXT_MSG_FILTERS = 0x0b,
	AXT_MSG_ATTR = 0x0c,
	AXT_MSG_SHARED = 0x0f,
	AXT_MSG_CONT = 0x10,
	AXT_MSG_SYMBOLS = 0x11,
	AXT_MSG_TREE_K = 0x13,
	AXT_MSG_DRIVER = 0x14,
	AXT_MSG_ATTR_INFO = 0x15,
	AXT_MSG_REFS = 0x16,
	AXT_MSG_FILE_SPACE = 0x17,
	AXT_MSG_CACHE_IMAGE = 0x18,
};
struct axt_msg {
	int type, flags;
	struct axt_cur c; /* the contents, wherever they are stored */
};
/* An attribute. Its value is what data contains, followed by `rest` bytes at `at` in the file. */
struct axt_hattr {
	const char *name;
	int64_t created;
	struct axt_cur type, space, data;
	uint64_t at, rest;
};
/* Compares attributes or links by creation order, and then by name. */
static inline int
axt_creation_order(int64_t a, const char *x, int64_t b, const char *y)
{
	return a != b ? (a < b ? -1 : 1) : strcmp(x, y);
}
/* What an object header contains. */
struct axt_head {
	struct axt_raw r;
	bool no_attrs; /* set by the caller: attributes are not wanted */
	uint64_t addr;
	int version;
	uint64_t refs; /* how many links lead to the object, as it says itself */
	struct axt_msg *msg;
	int nmsgs, msg_cap;
	struct axt_hattr *attr; /* in creation order where that is tracked, else as stored */
	int nattrs, attr_cap;
};
/*
 * Reads the header at addr. h must begin as {0}, and must be closed in any case. false: the header
 * is damaged, or (s->starved) memory ran out.
 */
bool axt_head_open(struct axt_head *h, struct axt_src *s, uint64_t addr);
void axt_head_close(struct axt_head *h);
/* The first message of a type, or NULL when there is none. */
const struct axt_msg *axt_head_msg(const struct axt_head *h, int type);
const struct axt_hattr *axt_head_attr(const struct axt_head *h, const char *name);
enum axt_kind_of { AXT_OBJ_NONE, AXT_OBJ_GROUP, AXT_OBJ_DSET, AXT_OBJ_TYPE };
enum axt_kind_of axt_head_kind(const struct axt_head *h);
/* In shared.c: reads the message that a shared message refers to. */
bool axt_shared(struct axt_raw *r, int type, struct axt_cur ref, struct axt_cur *out);

/* ---- the contents of messages (messages.c, type.c) ---- */

struct axt_hspace {
	bool null;
	int rank;
	uint64_t dims[AXT_MAX_RANK], most[AXT_MAX_RANK]; /* UINT64_MAX: unlimited */
};
/* false: the dataspace is invalid, or has a rank over 32. */
bool axt_msg_space(struct axt_cur c, const struct axt_src *s, struct axt_hspace *out);

struct axt_hfilters {
	int n;
	struct {
		int id, ncd;
		uint32_t cd[AXT_FILTER_PARAMS];
	} f[32];
};
bool axt_msg_filters(struct axt_cur c, struct axt_hfilters *out);
/* The bytes of a fill value, of either type of message; out->p is NULL when there is none. */
bool axt_msg_fill(struct axt_cur c, int type, struct axt_cur *out);

enum { AXT_LAY_COMPACT, AXT_LAY_CONTIGUOUS, AXT_LAY_CHUNKED, AXT_LAY_VIRTUAL };
enum {
	AXT_IDX_TREE1,
	AXT_IDX_SINGLE,
	AXT_IDX_IMPLICIT,
	AXT_IDX_FIXED,
	AXT_IDX_EXTENSIBLE,
	AXT_IDX_TREE2,
};
struct axt_hlayout {
	int version, class;
	struct axt_cur data; /* compact */
	uint64_t addr, size; /* size: contiguous; UINT64_MAX: not given */
	uint32_t heap_index; /* virtual */
	/* Chunked. */
	int index, rank, flags; /* rank counts the bytes of an element as a dimension */
	uint64_t dim[AXT_MAX_RANK + 1];
	uint64_t one_size; /* of a single chunk with filters */
	uint32_t one_mask;
};
bool axt_msg_layout(struct axt_cur c, const struct axt_src *s, struct axt_hlayout *out);

struct axt_link {
	const char *name;
	uint64_t addr;
	int64_t created;
	bool tracked;
	const char *soft; /* the path of a soft link; NULL: it is a hard link */
};
enum axt_link_is { AXT_LINK_DAMAGED = -1, AXT_LINK_OTHER, AXT_LINK_OK };
enum axt_link_is axt_msg_link(struct axt_arena *m, struct axt_cur c, const struct axt_src *s,
    struct axt_link *out);

/* A datatype: its class. */
enum {
	AXT_T_INT,
	AXT_T_FLOAT,
	AXT_T_TIME,
	AXT_T_STRING,
	AXT_T_BITS,
	AXT_T_OPAQUE,
	AXT_T_COMPOUND,
	AXT_T_REF,
	AXT_T_ENUM,
	AXT_T_VLEN,
	AXT_T_ARRAY,
};
enum { AXT_ORDER_LE, AXT_ORDER_BE, AXT_ORDER_VAX };
struct axt_htype {
	int class;
	uint64_t size;
	uint32_t bits; /* the class bit field */
	/* Integers and floats. */
	int order, offset, precision;
	bool sign, pads; /* pads: some padding bits are ones */
	int norm, spos, epos, esize, mpos, msize;
	uint32_t bias;
	const struct axt_htype *base; /* of enum, vlen, array */
	/* Compounds and enums. */
	int n;
	struct axt_hmember {
		const char *name;
		uint64_t at;
		const uint8_t *value;
		const struct axt_htype *type;
	} * member;
};
/* Moves c past the type. NULL: the type is invalid, or (the arena has failed) memory ran out. */
const struct axt_htype *axt_msg_type(struct axt_arena *m, struct axt_cur *c);

/* ---- values ---- */

/* The most bytes for the value of one attribute, and for all values kept of one file. */
#define AXT_RAW_ATTRS ((size_t)64 << 20)
/* The stored bytes of an attribute's value, in the arena. NULL: not in the file, or too many. */
uint8_t *axt_raw_attr(struct axt_arena *m, struct axt_src *s, const struct axt_hattr *a, size_t *n);
/*
 * In heap.c: the bytes of one variable-length value (length, address, index), n elements of `size`,
 * in the arena.
 */
const uint8_t *axt_raw_vlen(struct axt_arena *m, struct axt_src *s, const uint8_t *p, size_t size,
    size_t *n);
/* An object of a collection, valid until the next call. NULL: there is none. */
const uint8_t *axt_raw_heap(struct axt_src *s, uint64_t addr, uint32_t index, uint64_t *n);
/* The bytes of a reference to a variable-length value in this file. */
static inline int
axt_raw_vlen_bytes(const struct axt_src *s)
{
	return 4 + s->addr_size + 4;
}
/* In virtual.c: whether the maps of a virtual dataset are sound. */
bool axt_raw_virtual_ok(struct axt_src *s, const struct axt_hlayout *l);
/* The maps of a virtual dataset. NULL when memory ran out. */
const struct axt_virtual *axt_h5_virtual(struct axt_arena *m, struct axt_src *s,
    const struct axt_hlayout *l);

/* ---- groups (links.c), chunks (chunk_index.c) ---- */

/* Gets each link of a group; returns true to end the walk. */
typedef bool axt_link_fn(void *ctx, const struct axt_link *l);
enum axt_walked axt_links_walk(struct axt_arena *m, const struct axt_head *h, axt_link_fn *fn,
    void *ctx);

/* A chunk of a dataset: its position, counted in chunks, and its bytes. */
struct axt_found {
	uint64_t at[AXT_MAX_RANK];
	uint64_t addr, size;
	uint32_t mask;
};
typedef bool axt_chunk_fn(void *ctx, const struct axt_found *c);
/* What is needed beside the layout: the extents, and the bytes of a chunk. */
struct axt_grid {
	int rank;
	const uint64_t *dims, *most;
	uint64_t chunk_bytes;
	bool filtered;
};
/* Calls fn with each chunk that was written. */
enum axt_walked axt_chunks_walk(struct axt_src *s, const struct axt_hlayout *l,
    const struct axt_grid *g, axt_chunk_fn *fn, void *ctx);

/* In superblock.c: finds the superblock, and reads it with its extension. */
int axt_h5_super(struct axt_file *f, struct axt_err *e);
/*
 * Fails with one line that says why a file cannot be opened: because memory ran out or reading
 * failed, or else `why`.
 */
int axt_h5_failed(struct axt_file *f, const char *why, struct axt_err *e);

/* In type.c: whether a type is text: variable-length, padded with spaces, its stored size. */
bool axt_h5_is_text(const struct axt_htype *t, bool *vlen, bool *space_pad, uint64_t *size);
/*
 * The axt dtype that is exactly the file's type; swap: its byte order is not the machine's. false
 * when there is none; *why says what it is.
 */
bool axt_h5_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap, const char **why);
/* Whether member i of a compound or an enum has that name. */
bool axt_h5_member_is(const struct axt_htype *t, int i, const char *want);
/* In sniff.c: fails with AXT_E_FORMAT, saying what the first n bytes look like. */
int axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e);

#endif
