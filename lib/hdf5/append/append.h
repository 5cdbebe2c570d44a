/*
 * append.h - records added to a file in place: arranging new files so that this is possible, and
 * writing records behind what such a file uses, until one small write shows them to readers.
 */
#ifndef AXT_HDF5_APPEND_APPEND_H
#define AXT_HDF5_APPEND_APPEND_H

#include "bytes/output.h"
#include "hdf5/format/growth.h"

/*
 * Moves what changes when datasets grow from the headers of the datasets, whose addresses are
 * head[], to the block of the file (growth.h). p has the first n bytes of the file, with room for
 * the block. end: where the file ends. Returns false if that is not possible, for instance because
 * they do not fit in the block.
 */
bool axt_growth_arrange(uint8_t *p, uint64_t n, const uint64_t *head, int nheads, uint64_t end);

/* A file while records are added to it. */
struct axt_growing;
/* A dataset that gets records. */
struct axt_grown {
	uint64_t head;  /* the address of its header */
	int64_t have;   /* records that it has */
	int64_t more;   /* records that it gets */
	int64_t record; /* bytes of a record; 0: nothing is stored */
};
/*
 * Begins to add records to the datasets d[], which have to be all that the block of the file has.
 * The file's lock is held, and fd is open for writing. *out is NULL, without an error, if records
 * cannot be added in place. Nothing that readers see changes before axt_growing_commit.
 */
int axt_growing_open(int fd, const char *shown, const struct axt_grown *d, int n,
    struct axt_growing **out, struct axt_err *e);
/* Writes bytes of the new records of dataset i: `off` counts from the first of them. Any thread. */
int axt_growing_put(struct axt_growing *w, int i, int64_t off, const void *p, int64_t n,
    struct axt_err *e);
/*
 * Shows the new records to readers. With `sync`, the records are on the disk before they are shown,
 * and the change that shows them is on the disk when this returns.
 */
int axt_growing_commit(struct axt_growing *w, bool sync, struct axt_err *e);
void axt_growing_close(struct axt_growing *w);

#endif
