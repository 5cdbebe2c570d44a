/*
 * virtual.h - virtual datasets: parts of other datasets, put together by HDF5. Read from the bytes of
 * the file (virtual.c), since libhdf5 1.10 trusts them and opens sources on its own; written by
 * libhdf5 (hdf5/write/tensors.c).
 */
#ifndef AXT_HDF5_FORMAT_VIRTUAL_H
#define AXT_HDF5_FORMAT_VIRTUAL_H

#include "bytes/src.h"

#define AXT_VIRTUAL_BLOCKS 4096		/* listed for one selection: libhdf5 takes the square of them */
#define AXT_VIRTUAL_WRITTEN 4096	/* libhdf5 takes long over more */

/* Positions along each dimension of a dataset: the blocks where they cross. */
struct axt_blocks {
	bool all;			/* the whole of it, whatever that is */
	int rank;
	struct axt_sel *sel;		/* [rank], upwards */
};
/* Elements of one dataset and where they stand, both row-major. Later maps win. */
struct axt_map {
	const char *file;		/* as written, from the folder of the file; ".": the file itself */
	const char *path;		/* of the dataset there */
	struct axt_blocks src, dst;
	/* to be written: what is mapped */
	const struct axt_file *of;
	const struct axt_dset *dset;
};
struct axt_virtual {
	int n;
	struct axt_map *map;
	const char *why;		/* cannot be read: it grows with its sources... NULL: it can */
	bool has_fill;			/* to be written: what is not mapped */
	uint8_t fill[16] __attribute__((aligned(16)));
};

#endif
