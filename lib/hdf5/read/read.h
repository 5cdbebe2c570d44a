/*
 * read.h - opens HDF5 files and describes their datasets, by axt's own reader: axt_file_open,
 * axt_file_find, axt_dset_load; bytes are then read by way of the dataset's axt_storage
 * (bytes/bytes.h). libhdf5 sees no byte of a file that is only read.
 */
#ifndef AXT_HDF5_READ_READ_H
#define AXT_HDF5_READ_READ_H

#include "bytes/bytes.h"

/*
 * Opens FILE or "-". Errors: FORMAT ("is netCDF classic", with the hint nccopy; npy, gzip, zip,
 * text, empty), DAMAGED, IO. axt_file_close closes it; a graph keeps its files open until it is
 * freed.
 */
int axt_file_open(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
/*
 * Has the file free p, which is from malloc, when it is closed. false when memory ran out; then p
 * has been freed.
 */
bool axt_file_keep(struct axt_arena *m, struct axt_file *f, void *p);
void axt_file_close(struct axt_file *f);
/* Opening in two steps. The first waits for nothing, not even for the writer of a FIFO. */
int axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
int axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/*
 * The first step for an open descriptor, which belongs to the file from here on, even after an
 * error.
 */
int axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e);
/*
 * Puts two streams into one ring, as they are read together: see axt_stream_take. Does nothing for
 * other files.
 */
void axt_file_ring(struct axt_file *a, struct axt_file *b);
/*
 * Finds the dataset that a name means: NULL or "" is the only TENSOR; "/g/x" is a path; "x" is in
 * the root, or else in the only group that has one. Errors: NAME (lists what there is), AMBIG
 * (lists them), DTYPE (with `why`).
 */
int axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Fills axes (names, and coordinates with their attributes), attributes, and storage (the table of
 * chunks, with bounds checked against the file).
 */
int axt_dset_load(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_err *e);
/*
 * Reads all elements into out, in native byte order and the stored dtype. For small things
 * (coordinates, auxiliary datasets) and tests.
 */
int axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e);
/* The strings of a TEXT dataset: *out[n], in the arena. */
int axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e);
/*
 * Fails with AXT_E_CHANGED unless device, inode, size and times are the same as at opening. Reads a
 * stream to its end, which must be where its superblock says: else AXT_E_DAMAGED. To be called
 * after the last read.
 */
int axt_file_check(struct axt_file *f, struct axt_err *e);

#endif
