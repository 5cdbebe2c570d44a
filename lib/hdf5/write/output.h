/*
 * output.h - shared by the files of this folder: where a tensor is in a file, and the functions
 * that lay out, add and change. It needs no header of libhdf5; what does is in libhdf5.h.
 */
#ifndef AXT_HDF5_WRITE_OUTPUT_H
#define AXT_HDF5_WRITE_OUTPUT_H

#include "bytes/packing.h"
#include "hdf5/write/write.h"

/* One tensor of an output, and its position in the file. */
struct axt_out_tensor {
	const struct axt_out_var *v;
	const char *group; /* its path; "" is the root */
	const char *name;  /* in its group */
	const char *link;  /* the same as HDF5 has it, set when it is made */
	int few;           /* records that a chunk has room for, if it grows and there are fewer */
	bool as_were;      /* nobody asked how to compress it, or what is beside it */
	bool plain;        /* its axes have no scales: see axt_axes_numbered */
	/* the axes, if some have scales with other numbers than their names; else NULL */
	const struct axt_axes *named;
	int64_t bytes; /* of the payload; 0: there is none */
	struct axt_chunking as;
	bool rows; /* no filters: chunks are its bytes in order */
	/* of the payload, if it has bytes and no filtered chunks; set by build and add */
	uint64_t offset;
};
/* Lays out a new file. Tensors of one group are adjacent in p; rest may be NULL. */
int axt_h5_build(struct axt_arena *m, struct axt_out_tensor *p, int n,
    const struct axt_attr *file_attrs, struct axt_out_rest *rest, struct axt_header *out,
    struct axt_err *e);
/*
 * Checks whether the tensors can be added to the file `path`: it must be HDF5, and its scales must
 * agree with the tensors' axes in length and coordinates. A dataset that is replaced must not be an
 * axis of others, nor a constant unless `force`; with no_clobber it must not exist. told: warns of
 * axes that the user asked to be unlimited and that have a fixed length in the file; NULL: the user
 * did not ask. Adds to *seen the axes that the tensors' groups share with groups above them in the
 * file.
 */
int axt_h5_add_check(struct axt_arena *m, const char *path, const struct axt_out_tensor *p, int n,
    bool no_clobber, bool force, struct axt_talk *told, struct axt_out_rest **seen,
    struct axt_err *e);
/*
 * Leaves out a coordinate without axes, such as the place of a section, if the tensor's group in
 * the file already has a dataset of that name with other values, which other tensors name. Says so.
 */
int axt_h5_add_agree(struct axt_arena *m, const char *path, struct axt_out_tensor *p, int n,
    struct axt_talk *talk, struct axt_err *e);
/*
 * Adds the tensors to the HDF5 file that is open as fd for reading and writing. path is its name as
 * typed, for messages.
 */
int axt_h5_add(struct axt_arena *m, int fd, const char *path, struct axt_out_tensor *p, int n,
    struct axt_out_rest *rest, uint64_t *size, struct axt_err *e);
/*
 * Writes the chunks of a tensor that axt_h5_build or axt_h5_add laid out with chunks. Called with
 * libhdf5's mutex held.
 */
int axt_h5_chunks(int fd, const char *path, const struct axt_out_tensor *p, struct axt_chunks *c,
    struct axt_err *e);
/* Whether HDF5, netCDF or axt write the attribute for themselves. */
bool axt_h5w_own(const char *name);
/* Edits the attributes of one object of the file open as fd. dset: its path. */
int axt_h5_edit(int fd, const char *path, const char *dset, const struct axt_attr_edit *ed, int n,
    struct axt_err *e);
/* A step of axt_h5_relink, about the dataset `link` of a group. */
struct axt_relink {
	enum {
		AXT_RELINK_ATTR, /* attr is set; it goes where its text is empty; link NULL: root */
		AXT_RELINK_MARK, /* the attribute NAME of a scale becomes `to` */
		AXT_RELINK_BARE, /* a scale of `len` elements loses its coordinates */
		AXT_RELINK_REMOVE, /* the dataset goes */
		AXT_RELINK_GROUP,  /* the group `to` goes, with what is in it */
		AXT_RELINK_MOVE    /* the dataset gets the name `to` */
	} what;
	const char *group, *link, *to;
	int64_t len;
	struct axt_attr attr;
	struct axt_relink *next;
};
/* Does the steps one after another in the file open as fd. */
int axt_h5_relink(int fd, const char *path, const struct axt_relink *steps, struct axt_err *e);
struct axt_boxes;
/*
 * Writes the values of a slice to a dataset without chunks, of the file that is open as fd. values
 * has them row-major, as they are stored. most: the bytes of the largest box.
 */
int axt_h5_assign(int fd, const char *path, const char *dset, struct axt_boxes *b, size_t most,
    void *values, struct axt_err *e);
/*
 * Writes the values of a slice to a dataset with chunks, whose storage is st. values has them
 * row-major, in native byte order. memory and beside are as for axt_repack_open.
 */
int axt_h5_assign_chunks(int fd, const char *path, const char *dset, const struct axt_storage *st,
    struct axt_boxes *b, int64_t memory, struct axt_temp *beside, void *values, struct axt_err *e);

#endif
