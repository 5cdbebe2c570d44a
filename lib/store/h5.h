/*
 * h5.h - HDF5 files that are read, by axt's own reader: where their bytes come from, what is kept
 * of one, names shared by lib/store/h5*.c. What libhdf5 does, which only writes, is in h5write.h.
 */
#ifndef AXT_STORE_H5_H
#define AXT_STORE_H5_H

#include "store.h"

/*
 * Where a file's bytes come from: pread of a regular file, or a pipe read in
 * order and kept, in memory up to a bound, then in an unlinked file.
 */
struct axt_src {
	int fd;				/* the pipe, or another's descriptor; -1: */
	struct axt_file *of;		/* that of the file */
	bool stream;
	uint64_t size;			/* of the file; stream: bytes pulled so far */
	uint64_t eoa;			/* end of the HDF5 file as its superblock tells */
	int len_size;			/* bytes of a length in this file: 2, 4, 8 */
	int addr_size;			/* of an address */
	uint64_t base;			/* user block: raw addresses in the file count from here */
	uint64_t root;			/* the root group's header, counted from base */
	uint64_t extension, driver;	/* of the superblock, or UINT64_MAX */
	uint64_t shared;		/* the table of shared messages, or UINT64_MAX */
	int nshared;			/* its indexes */
	int nested;			/* datatypes that are being looked up elsewhere */
	/* the most a node may hold, halved: of a group's tree, its symbols, a tree of chunks */
	int group_k, leaf_k, chunk_k;
	struct axt_claims *claims;	/* blocks of metadata met, while all of them are looked at */
	const char *why;		/* the first thing refused, or NULL */
	char said[300];			/* room for why */
	int err;			/* errno of a failed read, or 0 */
	bool starved;			/* memory ran out: something may seem not to be there */
	/* stream: bytes [from, size) are kept, [next, size) of them not taken yet */
	uint64_t from, next;
	uint64_t asked;			/* end of what was read at random, metadata */
	uint8_t *mem;			/* what is kept; NULL once it moved to spool */
	size_t cap, bound;
	int spool;			/* -1, or the unlinked file */
	bool eof;
	bool keep;			/* to be pulled whole before it is used */
	bool ended;			/* its length was compared */
	struct axt_src *peer;		/* ring of the streams read together; NULL: alone */
	/* the global heap collection read last, checked */
	uint8_t *heap;
	uint64_t heap_addr, heap_size;
	uint32_t *heap_at;		/* where each index's object header is; 0: nowhere */
	size_t heap_n;
};

/* Reads n bytes at addr, pulling the pipe as far as needed. 0, or -1 with err or why set. */
int axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out);

/* spool.c: what is kept */
/* Keeps the pipe's bytes up to n: false at the end of the stream or on error. */
bool axt_src_pull(struct axt_src *s, uint64_t n);
/* One read of the pipe, kept. */
bool axt_src_pull_some(struct axt_src *s);
/* Copies kept bytes. */
bool axt_src_kept(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* Bytes before s->next are gone: what they took is given back. */
void axt_src_forget(struct axt_src *s);
void axt_src_release(struct axt_src *s);
/* Notes what was refused first; false. */
bool axt_src_refuse(struct axt_src *s, const char *why, int err);

/* stream.c: what is not */
/*
 * One read of at most n bytes, 0 at the end, -1 on error. While it waits, what arrives on the
 * other streams of the ring is kept: a writer to several of them goes on.
 */
ssize_t axt_src_some(struct axt_src *s, void *out, size_t n);
/* Takes n bytes at addr, never before what was taken last; they are not kept. */
bool axt_src_take(struct axt_src *s, uint64_t addr, size_t n, void *out);
/*
 * Takes the pipe to its end, kept (spool) or not (end), and compares its length with the file's:
 * short and long streams are AXT_E_DAMAGED.
 */
int axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e);
int axt_src_end(struct axt_src *s, const char *path, struct axt_err *e);

/* What the walk and the description keep of dataset i beside axt_file.dsets[i]. */
struct axt_obj {
	uint64_t addr;		/* of its object header, counted from base */
	int group;		/* which of groups it is in */
	/* name of the link; the dataset's name may lack a prefix of netCDF's */
	const char *link;
	uint32_t unlimited;		/* bit k: its dimension k has no greatest length */
	bool vlen;			/* TEXT: variable-length; else strings of esize bytes */
	bool space_pad;
	int esize;
	bool have_coord;		/* coord (may be NULL) and parts are what a scale gives */
	const struct axt_coord *coord;
	const char *parts, *along;
};

struct axt_h5 {
	struct axt_src src;
	struct axt_obj *objs;		/* [ndsets]: same index as axt_file.dsets */
	int cap;
	const char **groups;		/* paths; "" for the root */
	int ngroups;
	size_t attr_bytes;		/* of the attributes read so far */
	uint64_t *seen;			/* hash set of the addresses met */
	uint32_t nseen, seen_cap;
	struct axt_word {		/* names in CF attributes: AUX */
		const char *name;
		int of;			/* the dataset with the attribute */
		struct axt_word *next;
	} *words;
};

struct axt_head;	/* of an object: h5raw.h */
struct axt_htype;

/* h5super.c: finds the superblock, and reads it with its extension. */
int axt_h5_super(struct axt_file *f, struct axt_err *e);
/* Tells in one line why a file cannot be opened: `why`, where nothing worse happened. */
int axt_h5_failed(struct axt_file *f, const char *why, struct axt_err *e);

/*
 * h5attr.c: attributes of an object, in creation order where tracked,
 * without HDF5's and netCDF's own.
 */
int axt_h5_attrs(struct axt_arena *m, struct axt_file *f, const struct axt_head *h,
    const struct axt_attr **out, struct axt_err *e);
/* Whether HDF5 or netCDF writes an attribute for itself. */
bool axt_h5_own(const char *name);
/* A text attribute's value, in the arena; NULL when there is none or it is no text. */
const char *axt_h5_text(struct axt_arena *m, const struct axt_head *h, const char *name);
/* The same of a list; *n strings. */
const char **axt_h5_texts(struct axt_arena *m, const struct axt_head *h, const char *name,
    int64_t *n);
/* One stored string of n bytes, cut at its padding, in the arena. */
const char *axt_h5_string(struct axt_arena *m, const void *p, size_t n, bool space_pad);

/* h5type.c */
/* Whether a type is text; vlen, padding and stored size. */
bool axt_h5_is_text(const struct axt_htype *t, bool *vlen, bool *space_pad, uint64_t *size);
/*
 * The axt dtype of a file's type, by exact comparison. false: *why tells. swap:
 * stored in the other order.
 */
bool axt_h5_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap, const char **why);
/* Whether member i of a compound or an enum has that name. */
bool axt_h5_member_is(const struct axt_htype *t, int i, const char *want);

/* h5dset.c: fills role, why, rank, dims and dtype of dataset i. 0, or AXT_E_MEM. */
int axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);

/* h5storage.c: storage of a described dataset, checked against the file's size. */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);

/* h5walk.c: whether an address is met for the first time: 1 or 0; -1: out of memory. */
int axt_h5_first(struct axt_h5 *h, uint64_t addr);
/* Fills dsets and groups. */
int axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* The index of the dataset that a path means, soft links followed, or -1. */
int axt_h5_follow(struct axt_file *f, const char *path);
/* h5find.c: the index of the dataset at an address, or -1. Roles AUX, from the words gathered. */
int axt_h5_at(const struct axt_file *f, uint64_t addr);
void axt_h5_roles(struct axt_file *f);

/* h5file.c: the header of dataset i, to be closed either way. */
int axt_h5_reopen(struct axt_file *f, int i, struct axt_head *h, struct axt_err *e);
/* "a.nc:t", escaped. */
const char *axt_h5_where(struct axt_arena *m, const struct axt_file *f, const struct axt_dset *d);

/* h5axes.c: names and coordinates of a dataset's axes. */
int axt_h5_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* coord.c: the values of a scale, unpacked where packed. *out NULL: none. */
int axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const struct axt_coord **out, struct axt_err *e);

/* sniff.c: fails with AXT_E_FORMAT naming what the first n bytes look like. */
int axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e);

#endif
