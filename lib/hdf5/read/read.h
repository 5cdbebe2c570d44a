/*
 * read.h - HDF5 files opened and their datasets described, by a reader of axt's own: axt_file_open,
 * axt_file_find, axt_dset_load; then bytes through the dataset's axt_storage (bytes/bytes.h). libhdf5 sees
 * no byte of a file that is only read.
 */
#ifndef AXT_HDF5_READ_READ_H
#define AXT_HDF5_READ_READ_H

#include "bytes/bytes.h"

/*
 * Opens FILE or "-". Errors: FORMAT ("is netCDF classic", hint nccopy; npy,
 * gzip, zip, text, empty), DAMAGED, IO. The file closes with axt_file_close;
 * the graph keeps it open until it is freed.
 */
int axt_file_open(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
/* Gives p, of malloc, to the file; false: out of memory, and it is freed. */
bool axt_file_keep(struct axt_arena *m, struct axt_file *f, void *p);
void axt_file_close(struct axt_file *f);
/* The same in two steps. The first waits for nothing, not for the writer of a FIFO either. */
int axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
int axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* The first step for an open descriptor, which the file owns from here on, errors included. */
int axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e);
/* Two streams (other files are left alone) that are read together: see axt_stream_take. */
void axt_file_join(struct axt_file *a, struct axt_file *b);
/*
 * The dataset a name means: NULL or "" the only TENSOR; "/g/x" exact; "x" in the
 * root, else searched in all groups and there once. Errors: NAME (lists what there
 * is), AMBIG (lists them), DTYPE (with `why`).
 */
int axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Fills axes (names, coordinates with their attributes), attributes, storage
 * (chunk table, bounds checked against the file).
 */
int axt_dset_load(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_err *e);
/*
 * All elements into out, native order, stored dtype. For small things
 * (coordinates, auxiliaries) and tests.
 */
int axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e);
/* Strings of a TEXT dataset: *out[n] in the arena. */
int axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e);
/*
 * dev, ino, size and mtime are still those of the opening: AXT_E_CHANGED. A stream is taken to its
 * end, which must be where its superblock says: else AXT_E_DAMAGED. Called after the last read.
 */
int axt_file_check(struct axt_file *f, struct axt_err *e);

#endif
