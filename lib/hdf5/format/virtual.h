/*
 * virtual.h - virtual datasets, which are put together from parts of other datasets. They are read
 * from the bytes of the file (virtual.c), since libhdf5 1.10 trusts these and opens sources by
 * itself; maps are written by libhdf5 (hdf5/write/virtual.c).
 */
#ifndef AXT_HDF5_FORMAT_VIRTUAL_H
#define AXT_HDF5_FORMAT_VIRTUAL_H

#include "bytes/src.h"

/* listed for one selection: libhdf5 takes time by the square of them */
#define AXT_VIRTUAL_BLOCKS 4096
#define AXT_VIRTUAL_WRITTEN 4096 /* more maps take libhdf5 too long */

/*
 * The positions selected along each dimension of a dataset; together they select every combination.
 */
struct axt_blocks {
	bool all; /* all positions, however many there are */
	int rank;
	struct axt_sel *sel; /* [rank], rising */
};
/* A map: elements of one dataset, and where they go, both in row-major order. Later maps win. */
struct axt_map {
	/* as written, relative to the folder of the file; ".": the file itself */
	const char *file;
	const char *path; /* of the dataset in that file */
	struct axt_blocks src, dst;
	/* For writing: the dataset that is mapped. */
	const struct axt_file *of;
	const struct axt_dset *dset;
};
struct axt_virtual {
	int n;
	struct axt_map *map;
	/* why it cannot be read, such as growing with its sources; NULL: it can be */
	const char *why;
	/* for writing: fill is the value of elements that no map covers */
	bool has_fill;
	uint8_t fill[16] __attribute__((aligned(16)));
};

#endif
