/*
 * virtual.h - virtual datasets, which are composed of parts of other datasets. axt reads their maps
 * from the bytes of the file (virtual.c), since libhdf5 1.10 trusts those bytes, and opens sources
 * by itself. libhdf5 writes maps (hdf5/write/virtual_out.c).
 */
#ifndef AXT_HDF5_FORMAT_VIRTUAL_H
#define AXT_HDF5_FORMAT_VIRTUAL_H

#include "bytes/src.h"

/* the most blocks in a list; libhdf5 takes time by the square of their number */
#define AXT_VIRTUAL_BLOCKS 4096
#define AXT_VIRTUAL_WRITTEN 4096 /* libhdf5 takes too long to write more maps */

/*
 * A selection of elements of a dataset, by positions along each dimension. An element is selected
 * if its position is selected along every dimension.
 */
struct axt_blocks {
	bool all; /* all positions, whatever the length */
	bool none;
	int rank;
	struct axt_sel *sel; /* [rank], in rising order */
};
/*
 * A map: the selected elements of a source (src) are those at the selected positions of the virtual
 * dataset (dst), both taken in row-major order. Where maps overlap, the last one counts.
 */
struct axt_map {
	/*
	 * the file of the source as it is stored: relative to the folder of the virtual dataset's
	 * file, or "." for that file itself
	 */
	const char *file;
	const char *path; /* path of the dataset in that file */
	struct axt_blocks src, dst;
	/* used for writing: the dataset that is mapped */
	const struct axt_file *of;
	const struct axt_dset *dset;
};
struct axt_virtual {
	int n;
	struct axt_map *map;
	/* NULL, or why the dataset cannot be read, for example because it grows with its sources */
	const char *why;
	/* used for writing: elements without a map have the value `fill` */
	bool has_fill;
	uint8_t fill[16] __attribute__((aligned(16)));
};

#endif
