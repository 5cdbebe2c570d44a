/*
 * files.h - opens files and describes their datasets, with axt's own reader: axt_file_open,
 * axt_file_find, axt_dset_load. Values are then read through the dataset's axt_storage
 * (bytes/bytes.h). libhdf5 is not given any byte of a file that is only read.
 */
#ifndef AXT_FILES_FILES_H
#define AXT_FILES_FILES_H

#include "bytes/bytes.h"

/*
 * The prefix that netCDF gives to the name of a variable which has the name of a dimension of its
 * group, but is not that dimension's coordinates.
 */
#define AXT_NC_HIDDEN "_nc4_non_coord_"
/*
 * Opens FILE or "-". Errors: AXT_E_FORMAT for files that axt does not read, with a hint if the
 * format is known; AXT_E_DAMAGED; AXT_E_IO. axt_file_close closes it; a graph keeps its files open
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
 * Opens a file in two steps. axt_file_begin waits for nothing, not even for the writer of a FIFO;
 * axt_file_read reads the metadata.
 */
int axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
int axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* Whether it has been read, and as HDF5. */
bool axt_file_is_hdf5(const struct axt_file *f);
/*
 * In place of axt_file_read, for a file that is not HDF5: makes a list of n datasets, which the
 * caller fills in before it sets f->ndsets. NULL: out of memory.
 */
struct axt_dset *axt_file_list(struct axt_file *f, int n);
/*
 * axt_file_begin for an open descriptor, which the file closes, also after an error. fd -1: another
 * process has told of the file; the caller sets what that one found, and it is opened when it is
 * first read.
 */
int axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e);
/*
 * Puts two streams into one ring, so that reading from one of them takes in what arrives on the
 * other. Does nothing for other files.
 */
void axt_file_ring(struct axt_file *a, struct axt_file *b);
/*
 * Finds the dataset that a name means. NULL or "" means the only tensor; "/g/x" is a path; "x" is
 * in the root, or else in the only group that has such a dataset. Errors: AXT_E_NAME and
 * AXT_E_AMBIG, which list the names in question, and AXT_E_DTYPE with `why`.
 */
int axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Where a name that names no dataset leads over the links of an HDF5 file. If it leads into another
 * file, `file` is that file and `path` the path in it. If soft links lead to a group, or to
 * something in a group, `path` is the path of that. Both are NULL if there are no such links.
 */
struct axt_route {
	const char *file, *path;
};
void axt_file_route(struct axt_arena *m, struct axt_file *f, const char *name,
    struct axt_route *out);
/*
 * Finds a dataset as axt_file_find does, but of any kind, also one without values or one that axt
 * does not read. Soft links are not followed, so the name is that of the dataset itself.
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
 * Reads all elements into out, in the stored dtype and native byte order. For small datasets
 * (coordinates, auxiliary datasets) and tests.
 */
int axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e);
/*
 * The address of the header of a dataset of an HDF5 file if records may be added to it in place,
 * along its first dimension, which requires that its values are stored as they are in memory.
 * Otherwise 0.
 */
uint64_t axt_dset_grows(const struct axt_file *f, const struct axt_dset *d);
/*
 * The groups of a file. Number 0 is the root, with path "". The attributes of a group are read when
 * they are asked for.
 */
int axt_file_ngroups(const struct axt_file *f);
const char *axt_file_group(const struct axt_file *f, int i);
int axt_group_attrs(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **out,
    struct axt_err *e);
/*
 * A link in an HDF5 file which is not the one that an object is listed by: a further name of a
 * dataset or group, a soft link, or a link out of the file.
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
 * Attributes of a group ("" is the root), and of what is in it, which could not be read, as text
 * such as "/w:c, :d"; NULL: there are none so far. Each is told only once.
 */
const char *axt_file_lost(struct axt_arena *m, struct axt_file *f, const char *group);
/* Reads the strings of a dataset of role TEXT into the arena. */
int axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e);
/* Whether d is text of single characters, netCDF's type char. */
bool axt_dset_is_chars(const struct axt_file *f, const struct axt_dset *d);
/*
 * Whether the single characters of d, which is loaded, are flags of numbers, such as the quality of
 * each temperature of Argo floats. They are if their last axis is an axis of a dataset of numbers
 * in the same group: then they are no letters of one text.
 */
bool axt_dset_are_flags(struct axt_arena *m, struct axt_file *f, struct axt_dset *d);
/*
 * Reads strings as axt_dset_strings does. Single characters, unless they are flags, are joined to
 * texts along their last axis, as netCDF-3 stores texts. *rank: how many axes the result has.
 */
int axt_dset_texts(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, int *rank, struct axt_err *e);
/*
 * Fails with AXT_E_CHANGED if device, inode, size or times of the file are not those at its
 * opening. Reads a stream to its end, and fails with AXT_E_DAMAGED if it does not end where its
 * superblock says. To be called after everything else was read.
 */
int axt_file_check(struct axt_file *f, struct axt_err *e);
/*
 * To be called when something about a file has failed. If another process has changed the file
 * since it was opened here, it may only have been wrong for a moment: then the error becomes the
 * one of axt_file_check. Returns whether it did. A file that nobody changes keeps its error.
 */
bool axt_file_blame(struct axt_file *f, struct axt_err *e);
/* Whether another process has changed the file since it was opened here. */
bool axt_file_disturbed(struct axt_file *f);
/* Nothing more is read of the file: if it is a store, who replaces it need not wait for this. */
void axt_file_is_read(struct axt_file *f);

/*
 * In dsetview.c: the tensor as a view of its storage: its shape and strides, the lengths that are
 * allocated, and which of d->axes each of its axes is.
 */
void axt_dset_layout(const struct axt_dset *d, struct axt_view *v, int64_t size[AXT_MAX_RANK],
    int axis[AXT_MAX_RANK]);
/* Applies the attributes axt_shape and axt_layout to a dataset that was just loaded. */
int axt_dset_view(struct axt_arena *m, struct axt_dset *d, struct axt_err *e);

#endif
