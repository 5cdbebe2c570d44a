/*
 * raw.h - the metadata of HDF5 files, read with every bound checked. libhdf5 1.10 trusts what a
 * damaged file says, so it is used only for writing, and sees no byte of a file that is only read.
 * Structures and fields have the names of the specification.
 * source  HDF5 File Format Specification 3.0 and, for what HDF5 2.0 writes, 4.0.
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
 * The blocks that are read during a walk. They are in one arena, and freed together; `left` is how
 * many more bytes they may have.
 */
struct axt_raw {
	struct axt_arena *m;
	struct axt_src *s;
	uint64_t left;
	bool many; /* a block exceeded the limit */
};
uint64_t axt_raw_end(const struct axt_src *s);
/* The limit for a walk that reads each byte of a file once. */
uint64_t axt_raw_all(const struct axt_src *s);
/* Whether n bytes at an address are in the file. Addresses count from the file's first byte. */
bool axt_raw_inside(const struct axt_src *s, uint64_t addr, uint64_t n);
/*
 * Reads n bytes at an address into the arena. NULL: they are not in the file, or are more than the
 * limit allows.
 */
const uint8_t *axt_raw_block(struct axt_raw *r, uint64_t addr, uint64_t n);
/*
 * Reads a block that begins with a signature and ends with a checksum, as axt_raw_block does; c
 * gets what is between the two.
 */
bool axt_raw_signed(struct axt_raw *r, uint64_t addr, uint64_t n, const char *sign,
    struct axt_cur *c);
/*
 * Whether n bytes that were read from an address are followed by their checksum. If another program
 * is writing the file, they are read again until they are, some times.
 */
bool axt_raw_summed(struct axt_raw *r, uint64_t addr, const uint8_t *p, uint64_t n);
/* Looks how long a file is that is written meanwhile. Whether it has grown. */
bool axt_raw_grown(struct axt_src *s);
/*
 * ---- claims.c: which block each byte belongs to. An owner may claim a block that it has claimed
 * before. Headers and collections of strings may be claimed by several owners. If `apart` is set,
 * no block may be claimed twice. ----
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
	uint64_t owner; /* owner of the blocks that are claimed next */
	bool apart, many, starved;
};
void axt_claim(struct axt_claims *c, enum axt_block kind, uint64_t addr, uint64_t n);
/* An address where two blocks overlap or one exceeds `size`; AXT_UNDEF if there is none. */
uint64_t axt_claims_clash(struct axt_claims *c, uint64_t size);
void axt_claims_free(struct axt_claims *c);
/* Claims a block if s records the blocks of the file. */
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
/* A node with n children and n + 1 keys; the cursor is at the first key. */
struct axt_old_node {
	int level;
	uint64_t n;
	struct axt_cur c;
};
/*
 * Reads the node at addr of a B-tree whose keys have `key` bytes. If level is not -1, the node must
 * be of that level. Returns false if the node is damaged.
 */
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
/* Called with each record; returns true to end the walk. */
typedef bool axt_tree_fn(void *ctx, struct axt_cur rec);
enum axt_walked { AXT_WALK_DAMAGED = -1, AXT_WALK_ALL, AXT_WALK_ENDED };
/* Calls fn with every record of the tree at addr, in order. */
enum axt_walked axt_tree_walk(struct axt_raw *r, uint64_t addr, int type, axt_tree_fn *fn,
    void *ctx);

struct axt_fheap;
/* Opens a heap in the arena of r. NULL: it is damaged, or memory ran out. */
struct axt_fheap *axt_fheap_open(struct axt_raw *r, uint64_t addr);
/* Frees the parts of the heap that are not in the arena. */
void axt_fheap_close(struct axt_fheap *h);
int axt_fheap_id_bytes(const struct axt_fheap *h);
/*
 * In space.c: reads every block of a heap, and compares them with the header of the heap.
 * id[0..objects) are the IDs of all objects in it.
 */
bool axt_fheap_check(struct axt_fheap *h, const struct axt_cur *id, uint64_t objects);
/* An object of a heap: its bytes p or, if p is NULL, their address in the file. */
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
/*
 * AXT_TYPE_VERSION: the newest version of datatype messages that axt reads. AXT_NEWER: how many
 * versions beyond the one that axt reads are taken for a newer HDF5; a number far beyond is damage.
 */
enum { AXT_TYPE_VERSION = 5, AXT_NEWER = 4 };
struct axt_msg {
	int type, flags;
	/* the contents of the message, which may be stored elsewhere in the file */
	struct axt_cur c;
};
/* An attribute. Its value is `data`, followed by `rest` bytes at address `at` of the file. */
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
	bool no_attrs; /* set by the caller if it does not want the attributes */
	uint64_t addr;
	int version;
	uint64_t refs; /* number of links to the object, as the header has it */
	/*
	 * what in the header is newer than axt knows, as text for an error; some messages of the
	 * header may then be missing from this struct. NULL: nothing is newer
	 */
	const char *newer;
	bool newer_attrs; /* the same of attributes, which are missing then, and of nothing else */
	bool modern;      /* it has what came with HDF5 2.0, and older libraries cannot read */
	uint64_t
	    type; /* the address of the committed datatype of a dataset; 0: its type has none */
	struct axt_msg *msg;
	int nmsgs, msg_cap;
	/* in creation order if the file records it, else in the order of storage */
	struct axt_hattr *attr;
	int nattrs, attr_cap;
};
/*
 * Reads the header at addr. h begins as {0}, but the caller may set no_attrs. Returns false if the
 * header is damaged or, if s->starved, memory ran out. axt_head_close has to be called also after
 * an error.
 */
bool axt_head_open(struct axt_head *h, struct axt_src *s, uint64_t addr);
void axt_head_close(struct axt_head *h);
/* The first message of a type, or NULL if there is none. */
const struct axt_msg *axt_head_msg(const struct axt_head *h, int type);
const struct axt_hattr *axt_head_attr(const struct axt_head *h, const char *name);
enum axt_kind_of { AXT_OBJ_NONE, AXT_OBJ_GROUP, AXT_OBJ_DSET, AXT_OBJ_TYPE };
enum axt_kind_of axt_head_kind(const struct axt_head *h);
/*
 * In shared.c: reads the message that a shared message refers to by `ref`. *object gets the address
 * of the object that the message is in, or 0 if it is in none; object may be NULL.
 */
bool axt_shared(struct axt_raw *r, int type, struct axt_cur ref, struct axt_cur *out,
    uint64_t *object);

/* ---- the contents of messages (messages.c, type.c) ---- */

struct axt_hspace {
	bool null;
	int rank;
	/* most: the limit to which the dataset can be extended; UINT64_MAX: unlimited */
	uint64_t dims[AXT_MAX_RANK], most[AXT_MAX_RANK];
};
/* Returns false if the dataspace is invalid, or its rank is over AXT_MAX_RANK. */
bool axt_msg_space(struct axt_cur c, const struct axt_src *s, struct axt_hspace *out);

struct axt_hfilters {
	int n;
	struct {
		int id, ncd;
		uint32_t cd[AXT_FILTER_PARAMS];
	} f[32];
};
bool axt_msg_filters(struct axt_cur c, struct axt_hfilters *out);
/* The bytes of a fill value, from either type of message. out->p is NULL if there is none. */
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
	struct axt_cur data; /* of compact layout: the values */
	uint64_t addr, size; /* size: of contiguous layout; UINT64_MAX if it is not given */
	uint32_t heap_index; /* of virtual layout */
	/* of chunked layout */
	int index, rank, flags; /* rank: the bytes of an element count as a dimension */
	uint64_t dim[AXT_MAX_RANK + 1];
	uint64_t one_size; /* bytes of a single chunk that has filters */
	uint32_t one_mask;
};
bool axt_msg_layout(struct axt_cur c, const struct axt_src *s, struct axt_hlayout *out);

struct axt_link {
	const char *name;
	uint64_t addr;
	int64_t created;
	bool tracked;
	const char *soft; /* the path of a soft link; NULL: it is a hard link */
	bool other;       /* it leads to another file, or is of a kind that a program defines */
	const char *file, *in_file; /* that file and the path in it; NULL: it leads to none */
};
enum axt_link_is { AXT_LINK_DAMAGED = -1, AXT_LINK_OTHER, AXT_LINK_OK };
enum axt_link_is axt_msg_link(struct axt_arena *m, struct axt_cur c, const struct axt_src *s,
    struct axt_link *out);

/* The classes of datatypes. */
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
	AXT_T_COMPLEX,
	AXT_T_NEWER = 16, /* a class or a version that axt does not know */
};
enum { AXT_ORDER_LE, AXT_ORDER_BE, AXT_ORDER_VAX };
struct axt_htype {
	int class;
	uint64_t size;
	uint32_t bits; /* the class bit field */
	/* of integers and floats */
	int order, offset, precision;
	bool sign, pads; /* pads: padding bits may be ones */
	int norm, spos, epos, esize, mpos, msize;
	uint32_t bias;
	/* the type of the elements of an enum, a list, an array; of the parts of a complex */
	const struct axt_htype *base;
	int rank; /* of an array, with its lengths */
	uint64_t dims[AXT_MAX_RANK];
	/* of compounds and enums */
	int n;
	struct axt_hmember {
		const char *name;
		uint64_t at;
		const uint8_t *value;
		const struct axt_htype *type;
	} * member;
};
/*
 * Reads a datatype, and moves c behind it. NULL: the type is invalid, or memory ran out. If the
 * type, or a part of it, is newer than axt knows, only its size is known.
 */
const struct axt_htype *axt_msg_type(struct axt_arena *m, struct axt_cur *c);

/* ---- values ---- */

/* The most bytes for the value of one attribute, and for all values kept of one file. */
#define AXT_RAW_ATTRS ((size_t)64 << 20)
/*
 * The stored bytes of the value of an attribute, in the arena. NULL: they are not in the file, or
 * there are too many.
 */
uint8_t *axt_raw_attr(struct axt_arena *m, struct axt_src *s, const struct axt_hattr *a, size_t *n);
/*
 * In heap.c: the bytes of a variable-length value, whose elements have `size` bytes, in the arena.
 * p is the stored reference: the length, the address, the index. *n gets the number of bytes.
 */
const uint8_t *axt_raw_vlen(struct axt_arena *m, struct axt_src *s, const uint8_t *p, size_t size,
    size_t *n);
/* The bytes of an object of a collection, valid until the next call. NULL: there is none. */
const uint8_t *axt_raw_heap(struct axt_src *s, uint64_t addr, uint32_t index, uint64_t *n);
/* The size of a stored reference to a variable-length value. */
static inline int
axt_raw_vlen_bytes(const struct axt_src *s)
{
	return 4 + s->addr_size + 4;
}
/* In virtual.c: whether the maps of a virtual dataset are valid. */
bool axt_raw_virtual_ok(struct axt_src *s, const struct axt_hlayout *l);
/* Reads the maps of a virtual dataset. NULL: memory ran out. */
const struct axt_virtual *axt_h5_virtual(struct axt_arena *m, struct axt_src *s,
    const struct axt_hlayout *l);

/* ---- groups (links.c), chunks (chunk_index.c) ---- */

/* Called with each link of a group; returns true to end the walk. */
typedef bool axt_link_fn(void *ctx, const struct axt_link *l);
enum axt_walked axt_links_walk(struct axt_arena *m, const struct axt_head *h, axt_link_fn *fn,
    void *ctx);

/* A chunk of a dataset: its position, counted in chunks, and where its bytes are. */
struct axt_found {
	uint64_t at[AXT_MAX_RANK];
	uint64_t addr, size;
	uint32_t mask;
};
typedef bool axt_chunk_fn(void *ctx, const struct axt_found *c);
/* What the walk needs in addition to the layout: the extents, and the bytes of a chunk. */
struct axt_grid {
	int rank;
	const uint64_t *dims, *most;
	uint64_t chunk_bytes;
	bool filtered;
};
/* Calls fn with each chunk that is stored in the file. */
enum axt_walked axt_chunks_walk(struct axt_src *s, const struct axt_hlayout *l,
    const struct axt_grid *g, axt_chunk_fn *fn, void *ctx);

/* In superblock.c: fails if another program has the file open for writing, or has not closed it. */
int axt_h5_closed(const struct axt_file *f, struct axt_err *e);
/* Finds the superblock, and reads it with its extension. */
int axt_h5_super(struct axt_file *f, struct axt_err *e);
/*
 * Fails with a message that says why a file cannot be opened: memory ran out, reading failed, or
 * else `why`.
 */
int axt_h5_failed(struct axt_file *f, const char *why, struct axt_err *e);

/*
 * In type.c: whether a type is text. If so, *vlen tells whether it has variable length, *space_pad
 * whether it is padded with spaces, and *size its stored size.
 */
bool axt_h5_is_text(const struct axt_htype *t, bool *vlen, bool *space_pad, uint64_t *size);
/*
 * Finds the dtype that has exactly the values of the file's type. *swap: whether its bytes are in
 * the reverse of this machine's order. Returns false if there is none; *why then describes the
 * type.
 */
bool axt_h5_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap, const char **why);
/*
 * For a type of numbers that axt_h5_dtype finds no dtype for: finds its layout, and the dtype that
 * its numbers become. Returns false if it is no number, or its layout is impossible.
 */
bool axt_h5_number(const struct axt_htype *t, struct axt_number *out);
/* Whether it is a compound that is no complex number. */
bool axt_h5_is_table(const struct axt_htype *t);
/* Whether member i of a compound or an enum has the name `want`. */
bool axt_h5_member_is(const struct axt_htype *t, int i, const char *want);
/* In sniff.c: fails with AXT_E_FORMAT and a message that says what the first n bytes look like. */
int axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e);
/* Fails so if they are those of a format that axt does not read; else returns false. */
bool axt_sniff_other(const char *path, const uint8_t *p, size_t n, struct axt_err *e);

#endif
