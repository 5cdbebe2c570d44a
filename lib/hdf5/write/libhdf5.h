/*
 * libhdf5.h - libhdf5's side of writing: the driver that only keeps metadata,
 * and the builder shared by new and old files.
 */
#ifndef AXT_HDF5_WRITE_LIBHDF5_H
#define AXT_HDF5_WRITE_LIBHDF5_H

#include <hdf5.h>

#include "hdf5/read/h5.h"
#include "hdf5/write/output.h"

/*
 * Takes the mutex, and sets the library up the first time: no plugins, no external links, no
 * atexit handler, no printing. Fails without the mutex taken. Not recursive. Every sequence of libhdf5's
 * calls stands between this and axt_h5_end.
 */
int axt_h5_begin(struct axt_err *e);
void axt_h5_end(void);
/* The library ran out of memory since axt_h5_begin. */
bool axt_h5_starved(void);

/*
 * sane.c: whether everything that libhdf5 could look at in a file it writes to is as it should be.
 * AXT_E_DAMAGED, or AXT_E_FORMAT for what axt does not write to. Asked before it opens the file.
 * next: the number of netCDF's next dimension, -1 where none has one.
 */
int axt_h5_all_sane(int fd, const char *path, int32_t *next, struct axt_err *e);

/* ---- the driver (image.c) ---- */

/*
 * Bytes of a file being laid out: in memory (fd -1) or in an open file. Space is given out by a
 * bump pointer. The next `blocks` blocks of raw data of `want` bytes are a payload: they lie one
 * after another, the first aligned, where at and len remember, and writes into them are dropped.
 * What else is allocated comes from the room before meta_end, as long as that has some.
 */
struct axt_img {
	int fd;
	unsigned char *p;
	size_t n, cap; /* bytes written, allocated */
	haddr_t eoa, eof;
	hsize_t want;
	int64_t blocks;
	haddr_t meta, meta_end;
	haddr_t at;
	hsize_t len;
	haddr_t limit; /* fd -1: no metadata at or behind it */
	int err;       /* errno of a failed read or write */
};
/*
 * A file access list that reads and writes img; any: of any version of HDF5. Inside axt_h5_begin and
 * axt_h5_end.
 */
hid_t axt_img_fapl(struct axt_img *img, bool any);

/* ---- the builder (tensors.c) ---- */

/* A scale in the group. */
struct axt_h5_scale {
	const struct axt_axis *axis;
	const char *name; /* spelled */
	hobj_ref_t obj;
	bool old; /* was there already */
	bool unlimited;
	int nrefs, cap;
	struct axt_h5_ref {
		hobj_ref_t ref;
		int32_t dim, pad;
	} * refs;
};

/* One build. Ids are closed by axt_h5w_end. */
struct axt_h5w {
	struct axt_arena *m;
	struct axt_err *e;
	struct axt_img *img;
	const char *path; /* for messages; NULL: a new file */
	hid_t file, group;
	hid_t types[AXT_NDTYPES];
	hid_t vlen, fixed; /* string type; a copy of C_S1 for attributes */
	int32_t dimid;     /* netCDF's number for the next scale; -1: the file has none */
	int nscales, cap;
	struct axt_h5_scale *scales;
};

/* Tells libhdf5's failure, or the driver's errno. */
int axt_h5w_fail(struct axt_h5w *w, const char *what, const char *name);
/* The file type of a dtype; owned by w. Negative on failure (told). */
hid_t axt_h5w_type(struct axt_h5w *w, enum axt_dtype d);
int axt_h5w_nomem(struct axt_h5w *w);
/*
 * Creates a dataset in w->group, that can grow along the axes whose scales are unlimited, or which
 * are so themselves where they have no scale yet; data NULL: nothing is written; p: how it is
 * chunked, or NULL. Negative on failure (told).
 */
hid_t axt_h5w_dset(struct axt_h5w *w, const char *name, hid_t type, const struct axt_axes *x,
    const void *data, struct axt_place *p);
/* The attribute that tells bool and bfloat16. */
int axt_h5w_marker(struct axt_h5w *w, hid_t d, enum axt_dtype t);
hid_t axt_h5w_strings(struct axt_h5w *w);
/* Opens or makes a group, with those above it. */
hid_t axt_h5w_group(struct axt_h5w *w, const char *path);
/* Refuses names that cannot be in one group. Needs no file. */
int axt_h5w_names(struct axt_h5w *w, const struct axt_place *p, int n);
/* Creates all datasets of the places in w->group, where those names are free. */
int axt_h5w_tensors(struct axt_h5w *w, struct axt_place *p, int n);
/* Allocates the payloads of places: their offsets. */
int axt_h5w_alloc(struct axt_h5w *w, struct axt_place *p, int n);
/* growing.c: datasets that can grow. */
/*
 * The axes of x whose scales are unlimited. false: none, or it cannot be (told where that is an
 * error).
 */
bool axt_h5w_grows(const struct axt_h5w *w, const struct axt_axes *x, bool open[AXT_MAX_RANK]);
/*
 * Chunks for a dataset of so many bytes an element that is not compressed: of about 1 MiB or, where it
 * is no tensor but stands beside one, more, such that
 * one after another they are its bytes, row-major, with room for more behind. false: there are none.
 */
bool axt_h5w_chunk(const struct axt_axes *x, const bool open[AXT_MAX_RANK], int64_t size, bool tensor,
    int64_t chunk[AXT_MAX_RANK]);
/* Sets room aside, in front of payloads, for the indices of their chunks. */
void axt_h5w_index_room(struct axt_h5w *w, const struct axt_place *p, int n);
/* The index of the chunks of a place, which get their addresses one after another. */
bool axt_h5w_index(struct axt_h5w *w, hid_t d, const struct axt_place *p);
/*
 * virtual.c: whether what is created is to be of the newest form: even steps are then said in a few
 * bytes, else each block is listed. The creation list of a virtual dataset.
 */
bool axt_h5w_newest(struct axt_h5w *w, bool newest);
bool axt_h5w_virtual(hid_t props, hid_t type, const struct axt_out_var *v);
void axt_h5w_begin(struct axt_h5w *w, struct axt_arena *m, struct axt_img *img, struct axt_err *e);
/* ---- scales (scales.c) ---- */

/* The scale of that axis, if it was found or made before; else NULL. */
const struct axt_h5_scale *axt_h5w_scale_of(const struct axt_h5w *w, const struct axt_axis *a);
/* Finds or makes the scale of an axis in w->group: its index, or -1 (told). */
int axt_h5w_scale(struct axt_h5w *w, const struct axt_axis *a);
/* Takes a dataset that is a tensor too as the scale of its axis. */
int axt_h5w_scale_take(struct axt_h5w *w, hid_t d, const struct axt_axis *a);
/* Attaches the scales of a dataset's axes: its DIMENSION_LIST. */
int axt_h5w_attach(struct axt_h5w *w, hid_t d, const char *name, const struct axt_axes *x);
/* Takes the dataset out of the REFERENCE_LIST of its scales, before it is removed. */
int axt_h5w_detach(struct axt_h5w *w, const char *name);
/* REFERENCE_LIST of every scale that got new references. */
int axt_h5w_refs(struct axt_h5w *w);
/* Opens the file behind w->img (add.c). path is for messages. */
int axt_h5w_open(struct axt_h5w *w, const char *path);
void axt_h5w_end(struct axt_h5w *w);

/* ---- attributes (attributes.c) ---- */

/*
 * Creates an attribute and writes data, unless it is NULL. Consumes space; it and type may be
 * negative. false: failed (not told).
 */
bool axt_h5w_put(hid_t obj, const char *name, hid_t type, hid_t space, const void *data);
int axt_h5w_attr(struct axt_h5w *w, hid_t obj, const struct axt_attr *a);
/* Refuses an attribute that is too long for an old object. */
int axt_h5w_fits(struct axt_h5w *w, hid_t obj, const struct axt_attr *a);
/* A list without what HDF5, netCDF and axt write themselves. */
int axt_h5w_attrs(struct axt_h5w *w, hid_t obj, const struct axt_attr *l);
int axt_h5w_text(struct axt_h5w *w, hid_t obj, const char *name, const char *text);

#endif
