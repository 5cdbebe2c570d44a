/* index.h - chunks added at the right end of a B-tree of version 1 (HDF5's index of chunks). */
#ifndef AXT_HDF5_APPEND_INDEX_H
#define AXT_HDF5_APPEND_INDEX_H

#include "hdf5/append/inner.h"

#define AXT_INDEX_LEVELS 8

/* The nodes from the root to the last leaf that readers look at. */
struct axt_index {
	int fd, rank;
	const char *shown;
	size_t key, bytes; /* of a key; of a node */
	int64_t chunk;     /* records of a chunk */
	int levels;        /* 0: there is no tree */
	uint64_t root;
	struct axt_inode {
		uint64_t addr;
		uint8_t *p;
		int used, seen; /* entries now; those that are in the file */
		bool fresh;     /* nothing of it is in the file */
	} node[AXT_INDEX_LEVELS];
	/* nodes whose right neighbour is new: written last */
	struct axt_buf links;
};
/*
 * Reads the nodes of the tree at `root` (UINT64_MAX: there is none) that lead to its last chunk,
 * for a dataset with `have` records. Entries behind these, which a killed command added, are taken
 * out. *last gets the address of the last chunk. Returns 0, an error, or 1 if the tree is not as
 * axt makes it.
 */
int axt_index_open(struct axt_index *x, uint64_t root, int64_t have, uint64_t *last,
    struct axt_err *e);
/* The most bytes that so many new chunks take in new nodes. */
int64_t axt_index_room(const struct axt_index *x, int64_t chunks);
/* Adds the chunk that begins at record `at`. New nodes go to *used, which is moved behind them. */
int axt_index_add(struct axt_index *x, int64_t at, uint64_t addr, uint32_t size, uint64_t *used,
    struct axt_err *e);
/* Writes what was added. Readers do not look at it yet. */
int axt_index_flush(struct axt_index *x, struct axt_err *e);
void axt_index_close(struct axt_index *x);

#endif
