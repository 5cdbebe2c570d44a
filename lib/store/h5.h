/*
 * h5.h - libhdf5's side of the store: set-up, the one read-only driver, names shared by lib/store/h5*.c. Every sequence of
 * libhdf5 calls stands between axt_h5_begin and axt_h5_end.
 */
#ifndef AXT_STORE_H5_H
#define AXT_STORE_H5_H

#include <hdf5.h>

#include "store.h"

/*
 * Takes the mutex, and sets the library up the first time: no plugins, no external links, no atexit handler, no
 * printing. Fails without the mutex taken. Not recursive.
 */
int axt_h5_begin(struct axt_err *e);
void axt_h5_end(void);

/*
 * Where a file's bytes come from: pread of a regular file, or a pipe read in order and kept, in memory up to a bound,
 * then in an unlinked file. Shared by the driver and the readers of raw bytes.
 */
struct axt_src {
	int fd;				/* the file, or the pipe */
	bool stream;
	uint64_t size;			/* of the file; stream: bytes pulled so far */
	uint64_t eoa;			/* end of the HDF5 file as its superblock tells */
	int len_size;			/* bytes of a length in this file: 2, 4, 8 */
	int addr_size;			/* of an address */
	uint64_t base;			/* user block: raw addresses in the file count from here */
	const char *why;		/* the first thing the driver refused, or NULL */
	int err;			/* errno of a failed read, or 0 */
	/* stream */
	uint8_t *mem;			/* bytes pulled; NULL once they moved to spool */
	size_t cap, bound;
	int spool;			/* -1, or the unlinked file */
	bool eof;
	/* while record: raw reads are noted instead of done */
	bool record;
	int nrec;
	uint64_t rec_addr, rec_size;
};

/* Reads n bytes at addr, pulling the pipe as far as needed. 0, or -1 with err or why set. */
int axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* A file access list that reads through s; close it with H5Pclose. Inside begin and end. */
hid_t axt_src_fapl(struct axt_src *s);

/* spool.c */
/* Makes the first n bytes of the pipe available: false at the end of the stream or on error. */
bool axt_src_pull(struct axt_src *s, uint64_t n);
/* Takes the pipe to its end and compares its length with the file's: short and long streams are AXT_E_DAMAGED. */
int axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e);
void axt_src_release(struct axt_src *s);

/* One object met by the walk. */
struct axt_obj {
	uint64_t addr;
	char *path;
	const char *name;		/* inside path */
	int group;			/* index of the group it is in, among groups */
};

struct axt_h5 {
	struct axt_arena *m;		/* of the walk; the caller's */
	struct axt_src src;
	hid_t file;
	struct axt_obj *objs;		/* [ndsets]: same index as axt_file.dsets */
	char **groups;			/* paths, "" for the root */
	int ngroups;
	bool attrs;			/* the root's attributes were read */
	bool aux;			/* roles AUX are known */
};

/* h5attr.c: attributes of an open object, in creation order where tracked. internal: keep HDF5's and netCDF's own out. */
int axt_h5_attrs(struct axt_arena *m, struct axt_src *s, hid_t obj, const struct axt_attr **out,
    struct axt_err *e);
/* A text attribute's value, in the arena; NULL when there is none or it is no text. */
char *axt_h5_text(struct axt_arena *m, struct axt_src *s, hid_t obj, const char *name);
/* Strings (fixed or variable) of n file elements at p, in the arena. */
int axt_h5_strings(struct axt_arena *m, struct axt_src *s, hid_t type, const void *raw, int64_t n,
    const char **out);
/* One object of a global heap collection: bytes in the arena, NULL when the reference is bad. */
void *axt_heap_object(struct axt_arena *m, struct axt_src *s, uint64_t addr, uint32_t index, size_t *n);
/* Whether the collection at addr chains exactly to its end. */
bool axt_heap_ok(struct axt_src *s, uint64_t addr);

/* h5dset.c */
/* The axt dtype of a file's type, by exact comparison. false: *why tells. swap: stored big-endian. */
bool axt_h5_dtype(hid_t type, enum axt_dtype *out, bool *swap, const char **why);
/* Rank and lengths; false for null and odd spaces. */
bool axt_h5_dims(hid_t space, int *rank, int64_t *dims, int64_t *count);
/* Fills role (TENSOR, TEXT or OTHER), rank, dims and dtype. */
int axt_h5_describe(struct axt_arena *m, struct axt_file *f, hid_t dset, struct axt_dset *d);
/* Fills st of a described dataset. */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, hid_t dset, struct axt_dset *d, struct axt_err *e);
hid_t axt_h5_open_dset(struct axt_file *f, struct axt_dset *d, struct axt_err *e);

/* h5axes.c: names and coordinates of a dataset's axes. */
int axt_h5_axes(struct axt_arena *m, struct axt_file *f, hid_t dset, struct axt_dset *d, struct axt_err *e);

/* sniff.c: fails with AXT_E_FORMAT naming what the first n bytes look like. */
int axt_sniff(const char *path, const uint8_t *p, size_t n, struct axt_err *e);

#endif
