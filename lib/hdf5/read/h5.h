/*
 * h5.h - what the files of this folder share: what is kept of an HDF5 file that is being read. What
 * libhdf5 does, which only writes, is in hdf5/write/libhdf5.h.
 */
#ifndef AXT_HDF5_READ_H5_H
#define AXT_HDF5_READ_H5_H

#include "bytes/src.h"
#include "hdf5/read/read.h"

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
struct axt_head;	/* of an object: hdf5/format/raw.h */
struct axt_htype;
/*
 * attributes.c: attributes of an object, in creation order where tracked,
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
/* dataset.c: fills role, why, rank, dims and dtype of dataset i. 0, or AXT_E_MEM. */
int axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* storage.c: storage of a described dataset, checked against the file's size. */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* groups.c: whether an address is met for the first time: 1 or 0; -1: out of memory. */
int axt_h5_first(struct axt_h5 *h, uint64_t addr);
/* Fills dsets and groups. */
int axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* The index of the dataset that a path means, soft links followed, or -1. */
int axt_h5_follow(struct axt_file *f, const char *path);
/* find.c: the index of the dataset at an address, or -1. Roles AUX, from the words gathered. */
int axt_h5_at(const struct axt_file *f, uint64_t addr);
void axt_h5_roles(struct axt_file *f);
/* file.c: the header of dataset i, to be closed either way. */
int axt_h5_reopen(struct axt_file *f, int i, struct axt_head *h, struct axt_err *e);
/* "a.nc:t", escaped. */
const char *axt_h5_where(struct axt_arena *m, const struct axt_file *f, const struct axt_dset *d);
/* axes.c: names and coordinates of a dataset's axes. */
int axt_h5_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* scale_values.c: the values of a scale, unpacked where packed. *out NULL: none. */
int axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const struct axt_coord **out, struct axt_err *e);

#endif
