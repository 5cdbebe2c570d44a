/*
 * h5.h - shared by the files of this folder: an HDF5 file that is being read. (libhdf5, which axt
 * uses only for writing, is behind hdf5/write/libhdf5.h.)
 */
#ifndef AXT_HDF5_READ_H5_H
#define AXT_HDF5_READ_H5_H

#include "bytes/src.h"
#include "hdf5/read/read.h"

/* What is known of dataset i beside axt_file.dsets[i]. */
struct axt_obj {
	uint64_t addr; /* of its object header, counted from the superblock */
	int group;     /* the index of its group */
	/* The name of the link. The dataset's name is without netCDF's prefix. */
	const char *link;
	uint32_t unlimited; /* bit k: dimension k may grow without limit */
	/* TEXT: strings are variable-length; else they have esize bytes */
	bool vlen;
	bool space_pad;
	int esize;
	/* coord (may be NULL) and parts have been read from this scale */
	bool have_coord;
	const struct axt_coord *coord;
	const char *parts, *along;
};
struct axt_h5 {
	struct axt_obj *objs; /* [ndsets], in the same order as axt_file.dsets */
	int cap;
	const char **groups; /* paths; the root is "" */
	int ngroups;
	size_t attr_bytes; /* of the attributes read so far */
	uint64_t *seen;    /* hash set of the addresses visited */
	uint32_t nseen, seen_cap;
	struct axt_word { /* names of auxiliary datasets in CF attributes */
		const char *name;
		int of; /* the dataset with the attribute */
		struct axt_word *next;
	} * words;
};
struct axt_head; /* of an object: hdf5/format/raw.h */
struct axt_htype;
/*
 * In attributes.c: the attributes of an object, in creation order where that is tracked, without
 * those that HDF5 and netCDF write for themselves.
 */
int axt_h5_attrs(struct axt_arena *m, struct axt_file *f, const struct axt_head *h,
    const struct axt_attr **out, struct axt_err *e);
/* Whether it is an attribute that HDF5 or netCDF writes for itself. */
bool axt_h5_own(const char *name);
/*
 * The value of a text attribute, in the arena. NULL when there is none of the name, or it is no
 * text.
 */
const char *axt_h5_text(struct axt_arena *m, const struct axt_head *h, const char *name);
/* The same for a list of strings; *n is how many. */
const char **axt_h5_texts(struct axt_arena *m, const struct axt_head *h, const char *name,
    int64_t *n);
/* A stored string of n bytes, without its padding, in the arena. */
const char *axt_h5_string(struct axt_arena *m, const void *p, size_t n, bool space_pad);
/* In dataset.c: fills role, why, rank, dims and dtype of dataset i. Returns 0 or AXT_E_MEM. */
int axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* In storage.c: the storage of a described dataset, checked against the file's size. */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* In groups.c: 1 if the address was not visited before, else 0; -1 when memory ran out. */
int axt_h5_first(struct axt_h5 *h, uint64_t addr);
/* Fills dsets and groups. */
int axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* The index of the dataset that a path means, following soft links, or -1. */
int axt_h5_follow(struct axt_file *f, const char *path);
/*
 * In find.c: the index of the dataset at an address, or -1; and marking the datasets that
 * attributes name as auxiliary.
 */
int axt_h5_at(const struct axt_file *f, uint64_t addr);
void axt_h5_roles(struct axt_file *f);
/* In file.c: opens the header of dataset i, which must be closed in any case. */
int axt_h5_reopen(struct axt_file *f, int i, struct axt_head *h, struct axt_err *e);
/* "a.nc:t", escaped, for messages. */
const char *axt_h5_where(struct axt_arena *m, const struct axt_file *f, const struct axt_dset *d);
/* In axes.c: the names and coordinates of a dataset's axes. */
int axt_h5_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/*
 * In scale_values.c: the values of a scale, unpacked if they are packed. *out is NULL when it has
 * none.
 */
int axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const struct axt_coord **out, struct axt_err *e);

#endif
