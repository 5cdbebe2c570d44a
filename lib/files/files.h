/*
 * files.h - opens files and describes their datasets, with axt's own reader: axt_file_open,
 * axt_file_find, axt_dset_load. Values are then read through the dataset's axt_storage
 * (bytes/bytes.h). libhdf5 is not given any byte of a file that is only read.
 */
#ifndef AXT_FILES_FILES_H
#define AXT_FILES_FILES_H

#include "bytes/bytes.h"

/*
 * What netCDF puts before the name of a variable that has the name of a dimension of its group and
 * is not its coordinates.
 */
#define AXT_NC_HIDDEN "_nc4_non_coord_"
/*
 * Opens FILE or "-". Errors: FORMAT (with a hint for netCDF classic, and the format if it is npy,
 * gzip, zip, text or empty), DAMAGED, IO. axt_file_close closes it; a graph keeps its files open
 * until it is freed.
 */
int axt_file_open(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
/*
 * Lets the file free p, which is from malloc, when it is closed. Returns false if memory ran out;
 * then p has been freed.
 */
bool axt_file_keep(struct axt_arena *m, struct axt_file *f, void *p);
void axt_file_close(struct axt_file *f);
/*
 * The first of two steps of opening a file. It waits for nothing, not even for the writer of a
 * FIFO.
 */
int axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
int axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* Whether it has been read, and as HDF5. */
bool axt_file_is_hdf5(const struct axt_file *f);
/*
 * Instead of axt_file_read, for a file that is no HDF5: a list of n datasets, which the caller
 * fills in and sets f->ndsets. NULL: out of memory.
 */
struct axt_dset *axt_file_list(struct axt_file *f, int n);
/* The same for an open descriptor, which the file closes, also after an error. */
int axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e);
/*
 * Puts two streams into one ring, so that they are read together: see axt_stream_take. Does nothing
 * for other files.
 */
void axt_file_ring(struct axt_file *a, struct axt_file *b);
/*
 * Finds the dataset that a name means. NULL or "" means the only tensor; "/g/x" is a path; "x" is
 * in the root, or else in the only group that has such a dataset. Errors: NAME and AMBIG, which
 * list the names in question, DTYPE (with `why`).
 */
int axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Where the links on the way of a name lead, if it is one of HDF5: into another file; or, over soft
 * links, to a group, or to what is in one and has that path. All NULL: no such way.
 */
struct axt_route {
	const char *file, *path;
};
void axt_file_route(struct axt_arena *m, struct axt_file *f, const char *name,
    struct axt_route *out);
/*
 * The same of a dataset of any kind, also one without values or that axt does not read. Soft links
 * are not followed: the name is that of the dataset itself.
 */
int axt_file_entry(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Reads what axt_file_open did not: axes with their names, coordinates and attributes, the
 * attributes of the dataset, and its storage (the table of chunks, checked against the size of the
 * file).
 */
int axt_dset_load(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_err *e);
/* How a loaded dataset lies in compressed chunks; NULL: it does not. */
const struct axt_storage *axt_dset_packed(const struct axt_dset *d);
/*
 * Reads all elements into out, in native byte order and the stored dtype. It is for small datasets
 * (coordinates, auxiliary datasets) and tests.
 */
int axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e);
/*
 * The address of the header of a dataset of an HDF5 file, if records may be added along its first
 * dimension in place: its values are as they are in memory. 0: they may not.
 */
uint64_t axt_dset_grows(const struct axt_file *f, const struct axt_dset *d);
/*
 * The groups of a file, of which number 0 is the root, with path "". Attributes are read when they
 * are asked for.
 */
int axt_file_ngroups(const struct axt_file *f);
const char *axt_file_group(const struct axt_file *f, int i);
int axt_group_attrs(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **out,
    struct axt_err *e);
/*
 * A link in an HDF5 file that is not the name under which an object is listed: a further name of a
 * dataset or group, a soft link, or one that leads out of the file.
 */
struct axt_file_link {
	enum { AXT_FILE_HARD, AXT_FILE_SOFT, AXT_FILE_OUT } kind;
	const char *group; /* the path of its group */
	const char *name;
	const char *to; /* the path of the object as it is listed; what a soft link says */
	int dset;       /* the number of the dataset that is listed as `to`, or -1 */
	bool told;      /* that it is left out */
};
struct axt_file_link *axt_file_links(struct axt_arena *m, struct axt_file *f, int *n);
/*
 * The attributes of a group ("" is the root) and of what is in it that could not be read so far, as
 * text such as "/w:c, :d"; NULL: none. Each is told once.
 */
const char *axt_file_lost(struct axt_arena *m, struct axt_file *f, const char *group);
/* Reads the strings of a dataset of role TEXT into the arena. */
int axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e);
/* Whether d is text of single characters, netCDF's type char. */
bool axt_dset_is_chars(const struct axt_file *f, const struct axt_dset *d);
/*
 * Whether single characters are flags of numbers, such as the quality of each temperature of Argo
 * floats: their last axis is one of a dataset of numbers in the same group, so that none of them
 * belongs to its neighbours. d is loaded.
 */
bool axt_dset_are_flags(struct axt_arena *m, struct axt_file *f, struct axt_dset *d);
/*
 * Does the same as axt_dset_strings, and joins the characters of an array of them along its last
 * axis, as netCDF-3 has text, unless they are flags. *rank: how many axes the strings have.
 */
int axt_dset_texts(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, int *rank, struct axt_err *e);
/*
 * Fails with AXT_E_CHANGED if device, inode, size or times differ from those at opening. Reads a
 * stream to its end, and fails with AXT_E_DAMAGED if that is not where its superblock says. To be
 * called after the last read.
 */
int axt_file_check(struct axt_file *f, struct axt_err *e);
/*
 * Where something has failed: if another process has changed the file since it was opened here,
 * what is wrong with it may have been so for a moment only, and the error becomes that of
 * axt_file_check. Whether it did. A file that nobody changes costs nothing, and keeps the error
 * that it has.
 */
bool axt_file_blame(struct axt_file *f, struct axt_err *e);
/* Whether another process has changed the file since it was opened here. */
bool axt_file_disturbed(struct axt_file *f);
/* Nothing more is read of the file: if it is a store, who replaces it need not wait for this. */
void axt_file_is_read(struct axt_file *f);

/*
 * In dsetview.c: the tensor as a view of its storage: shape, strides, lengths allocated, which of
 * d->axes each axis is.
 */
void axt_dset_layout(const struct axt_dset *d, struct axt_view *v, int64_t size[AXT_MAX_RANK],
    int axis[AXT_MAX_RANK]);
/* Applies the attributes axt_shape and axt_layout to a dataset that was just loaded. */
int axt_dset_view(struct axt_arena *m, struct axt_dset *d, struct axt_err *e);

#endif
