/*
 * append.h - records added to a file in place: the block that new files with growing datasets get,
 * and writing behind the end of such a file until one small write shows the records.
 */
#ifndef AXT_HDF5_APPEND_APPEND_H
#define AXT_HDF5_APPEND_APPEND_H

#include "bytes/output.h"
#include "hdf5/format/growth.h"

/*
 * Moves what changes when datasets grow from their headers to the block of the file, whose bytes up
 * to n are at p, and which has room for the block. Returns false, and changes nothing, where they
 * do not fit. end: where the file ends.
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
 * Begins to add records to all datasets of the file's block, which are those of d[]. The lock of
 * the file is held; fd is open for writing. *out is NULL, without an error, where that cannot be
 * done in place. Nothing that a reader can see is changed before axt_growing_commit.
 */
int axt_growing_open(int fd, const char *shown, const struct axt_grown *d, int n,
    struct axt_growing **out, struct axt_err *e);
/* Writes bytes of the new records of dataset i: `off` counts from the first of them. Any thread. */
int axt_growing_put(struct axt_growing *w, int i, int64_t off, const void *p, int64_t n,
    struct axt_err *e);
/*
 * Shows the new records to readers. sync: they are on the disk before, and the change is when this
 * returns.
 */
int axt_growing_commit(struct axt_growing *w, bool sync, struct axt_err *e);
void axt_growing_close(struct axt_growing *w);

#endif
