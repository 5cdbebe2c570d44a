/*
 * libhdf5.h - writing by libhdf5: its driver, which stores only metadata, and functions that build
 * new files and add to existing ones.
 */
#ifndef AXT_HDF5_WRITE_LIBHDF5_H
#define AXT_HDF5_WRITE_LIBHDF5_H

#include <hdf5.h>

#include "files/inner.h"
#include "hdf5/append/append.h"
#include "hdf5/write/output.h"

/*
 * Takes the mutex of libhdf5, and sets libhdf5 up the first time: no plugins, no external links, no
 * atexit handler, no printing. Every sequence of calls of libhdf5 is between this function and
 * axt_h5_end. If it fails, the mutex is not taken. Not recursive.
 */
int axt_h5_begin(struct axt_err *e);
void axt_h5_end(void);
/* Whether libhdf5 ran out of memory since axt_h5_begin. */
bool axt_h5_starved(void);

/*
 * In sane.c: checks all metadata that libhdf5 may read in a file that it is to change, before
 * libhdf5 opens the file. Returns 0 if they are sound, otherwise AXT_E_DAMAGED, AXT_E_FORMAT (for
 * what axt does not write to), or the error of reading. *next gets the next number for a netCDF
 * dimension, or -1 if the file does not number dimensions.
 */
int axt_h5_all_sane(int fd, const char *path, int32_t *next, struct axt_err *e);

/* ---- the driver (image.c) ---- */

/*
 * The bytes of a file that is being laid out, in memory (fd is -1) or in an open file. Space is
 * allocated from the end on. The next `blocks` blocks of raw data that have `want` bytes are a
 * payload: they are adjacent, the first one is aligned, `at` and `len` tell where they are, and
 * writes to them are dropped. Other blocks are allocated before meta_end while there is space.
 */
struct axt_img {
	int fd;
	unsigned char *p;
	size_t n, cap; /* bytes written; allocated */
	haddr_t eoa, eof;
	hsize_t want;
	int64_t blocks;
	haddr_t meta, meta_end;
	haddr_t at;
	hsize_t len;
	haddr_t limit; /* fd -1: metadata must be below it */
	bool drops;    /* all raw data are dropped, and `at` is where the last of them belong */
	bool grows; /* the block of hdf5/format/growth.h is left free, and nodes are in one page */
	int err;    /* errno of a failed read or write */
};
/*
 * A list of properties for opening a file through the driver; any: for files of any version of
 * HDF5. To be called between axt_h5_begin and axt_h5_end.
 */
hid_t axt_img_fapl(struct axt_img *img, bool any);

/* ---- building files (build.c, tensors.c) ---- */

/* A dimension scale in the group. */
struct axt_h5_scale {
	const struct axt_axis *axis;
	const char *name; /* as spelled, with stars */
	const char *path;
	hobj_ref_t obj;
	bool old;  /* the file had it before */
	bool here; /* it is in w->group itself */
	bool unlimited;
	int nrefs, cap;
	struct axt_h5_ref {
		hobj_ref_t ref;
		int32_t dim, pad;
	} * refs;
};

#define AXT_GROWN 40
/* A file being built or added to. axt_h5w_end closes its ids. */
struct axt_h5w {
	struct axt_arena *m;
	struct axt_err *e;
	struct axt_img *img;
	const char *path; /* for messages; NULL: a new file */
	hid_t file, group;
	const char *at; /* the path of `group` */
	hid_t types[AXT_NDTYPES];
	hid_t vlen, fixed; /* types of strings: variable-length; a copy of C_S1 for attributes */
	int32_t dimid;     /* netCDF's number for the next scale; -1: scales are not numbered */
	int nscales, cap;
	struct axt_h5_scale *scales; /* of w->group */
	struct axt_out_rest *rest;
	uint64_t grown[AXT_GROWN]; /* headers of datasets that grow along their first axis alone */
	int ngrown;                /* more than AXT_GROWN: too many */
	int64_t few;               /* records that a chunk has room for where there are fewer */
	bool removed;              /* a dataset was taken out of the file */
	bool as_were; /* what is beside tensors is compressed as it was where it was read */
};

/* Fails with the error of libhdf5, or the driver's errno. */
int axt_h5w_fail(struct axt_h5w *w, const char *what, const char *name);
/* The file type of a dtype, which belongs to w. Negative on failure, which is reported. */
hid_t axt_h5w_type(struct axt_h5w *w, enum axt_dtype d);
int axt_h5w_nomem(struct axt_h5w *w);
/*
 * Makes a new type: an enumeration of integers of dtype d with the names in a, or h5py's bool. It
 * is committed if it was so in the file that it was read from. The type of a dataset is always
 * committed, since netCDF shows no other enumerations, unless it is bool, which is as h5py writes
 * it. -1: d does not hold all the numbers, or it failed, which is reported.
 */
hid_t axt_h5w_enum(struct axt_h5w *w, const struct axt_attr *a, enum axt_dtype d,
    const char *dataset);
/*
 * Creates a dataset in w->group. It can grow along axes whose scales are unlimited, or which are
 * unlimited themselves and have no scale yet. data NULL: nothing is written. p is the tensor that
 * has chunks and filters for the dataset; if it is NULL, it has those of `like`, if that is not
 * NULL. Negative on failure, which is reported.
 */
hid_t axt_h5w_dset(struct axt_h5w *w, const char *name, hid_t type, const struct axt_axes *x,
    const void *data, struct axt_out_tensor *p, const struct axt_storage *like);
/* Writes the attribute that marks bool and bfloat16. */
int axt_h5w_marker(struct axt_h5w *w, hid_t d, enum axt_dtype t);
hid_t axt_h5w_strings(struct axt_h5w *w);
/* Opens or creates a group, and those above it. */
hid_t axt_h5w_group(struct axt_h5w *w, const char *path);
/* Makes it w->group, whose scales are looked for anew. */
int axt_h5w_enter(struct axt_h5w *w, const char *group);
/* Calls f for the tensors of each group, in that group. */
int axt_h5w_each_group(struct axt_h5w *w, struct axt_out_tensor *p, int n,
    int (*f)(struct axt_h5w *w, struct axt_out_tensor *p, int n));
/* Makes what an output has beside tensors, unless it is there. */
int axt_h5w_rest(struct axt_h5w *w);
/* Makes what groups share, before their tensors. */
int axt_h5w_share(struct axt_h5w *w);
/* Refuses names that cannot be in one group. Needs no file. */
int axt_h5w_names(struct axt_h5w *w, const struct axt_out_tensor *p, int n);
/* Creates the datasets of n tensors in w->group, where their names must be free. */
int axt_h5w_tensors(struct axt_h5w *w, struct axt_out_tensor *p, int n);
/* Allocates the payloads of n tensors, and so sets their offsets. */
int axt_h5w_alloc(struct axt_h5w *w, struct axt_out_tensor *p, int n);
/*
 * In growable.c, for datasets that can grow: sets open[] to the axes of x whose scales are
 * unlimited. Returns false if there are none, or the dataset cannot grow (which is reported if it
 * is an error).
 */
bool axt_h5w_grows(const struct axt_h5w *w, const struct axt_axes *x, bool open[AXT_MAX_RANK]);
/*
 * Chooses chunk lengths for a dataset that can grow and is not compressed, whose elements have
 * `size` bytes: about 1 MiB, or more for a dataset that is no tensor. The chunks, one after
 * another, are the bytes of the dataset in row-major order, with space to grow at the end: for
 * `few` records if there are fewer. Returns false if there are no such lengths.
 */
bool axt_h5w_chunk(const struct axt_axes *x, const bool open[AXT_MAX_RANK], int64_t size,
    bool tensor, int64_t few, int64_t chunk[AXT_MAX_RANK]);
/*
 * Notes a new dataset that can grow along the axes open[]. asked: whether the user asked for its
 * chunks, or it has filters.
 */
void axt_h5w_note_grown(struct axt_h5w *w, hid_t d, int rank, const bool open[AXT_MAX_RANK],
    bool asked);
/* Reserves space before the payloads for the indices of their chunks. */
void axt_h5w_reserve_index(struct axt_h5w *w, const struct axt_out_tensor *p, int n);
/* Writes the index of a tensor's chunks, whose addresses follow each other. */
bool axt_h5w_index(struct axt_h5w *w, hid_t d, const struct axt_out_tensor *p);
/*
 * In virtual_out.c. axt_h5w_newest decides whether new objects have the newest format, in which
 * blocks at even distances take a few bytes; in others each block is listed. axt_h5w_virtual makes
 * the creation properties of a virtual dataset. ----
 */
bool axt_h5w_newest(struct axt_h5w *w, bool newest);
bool axt_h5w_virtual(hid_t props, hid_t type, const struct axt_out_var *v);
void axt_h5w_begin(struct axt_h5w *w, struct axt_arena *m, struct axt_img *img, struct axt_err *e);
/* ---- scales (scales.c) ---- */

/* Whether that group is above w->group. */
bool axt_h5w_above(const struct axt_h5w *w, const char *group);
/* What has that axis in the nearest group above w->group that shares it; else NULL. */
const struct axt_out_rest *axt_h5w_shared_axis(const struct axt_h5w *w, const struct axt_axis *a);
/* The scale of that axis, if one was found or made; else NULL. */
const struct axt_h5_scale *axt_h5w_scale_of(const struct axt_h5w *w, const struct axt_axis *a);
/*
 * Finds the scale of an axis in w->group or in groups above it, or makes it in w->group. Returns
 * its index, or -1 on failure, which is reported.
 */
int axt_h5w_scale(struct axt_h5w *w, const struct axt_axis *a);
/* The same, but only in w->group: what groups above it share is not used. */
int axt_h5w_scale_here(struct axt_h5w *w, const struct axt_axis *a);
/* Makes a dataset that is a tensor the scale of its axis. */
int axt_h5w_scale_take(struct axt_h5w *w, hid_t d, const struct axt_axis *a);
/*
 * In tensors.c: writes the labels of a dataset's axes, if there are any. If `named` is not NULL, an
 * axis whose name there has another number than its scale gets the name there as its label: see
 * axt_file_axes.
 */
int axt_h5w_labels(struct axt_h5w *w, hid_t d, const struct axt_axes *x,
    const struct axt_axes *named);
/* Attaches the scales of a dataset's axes: writes its DIMENSION_LIST. */
int axt_h5w_attach(struct axt_h5w *w, hid_t d, const char *name, const struct axt_axes *x);
/* Gives a scale another attribute NAME. */
int axt_h5w_scale_named(struct axt_h5w *w, hid_t d, const char *name);
/*
 * Turns a scale into one of length len without coordinates, which netCDF calls a dimension but not
 * a variable. Attributes that describe the coordinates are removed.
 */
int axt_h5w_scale_bare(struct axt_h5w *w, hid_t d, int64_t len);
/* Removes the dataset from the REFERENCE_LIST of its scales, before it is removed itself. */
int axt_h5w_detach(struct axt_h5w *w, const char *name);
/* Writes the REFERENCE_LIST of every scale with new references. */
int axt_h5w_refs(struct axt_h5w *w);
/* In add.c: opens the file behind w->img. path is for messages. */
int axt_h5w_open(struct axt_h5w *w, const char *path);
void axt_h5w_end(struct axt_h5w *w);

/* ---- attributes (attributes.c) ---- */

/*
 * Creates an attribute, and writes data to it unless that is NULL. Closes space. space and type may
 * be negative, from a call that failed. Returns false if it failed, which is not reported.
 */
bool axt_h5w_put(hid_t obj, const char *name, hid_t type, hid_t space, const void *data);
int axt_h5w_attr(struct axt_h5w *w, hid_t obj, const struct axt_attr *a);
/* Refuses an attribute that is too long for an object in the old format. */
int axt_h5w_fits(struct axt_h5w *w, hid_t obj, const struct axt_attr *a);
/* Writes a list of attributes, without those that HDF5, netCDF and axt write for themselves. */
int axt_h5w_attrs(struct axt_h5w *w, hid_t obj, const struct axt_attr *l);
int axt_h5w_text(struct axt_h5w *w, hid_t obj, const char *name, const char *text);

#endif
