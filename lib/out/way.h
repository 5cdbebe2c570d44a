/*
 * way.h - the way out: what an output is by the name of its target, which everything that writes
 * asks here.
 */
#ifndef AXT_OUT_WAY_H
#define AXT_OUT_WAY_H

#include "out/out.h"

enum axt_way_kind {
	AXT_WAY_HDF5,    /* a file of its own, or a stream */
	AXT_WAY_DATASET, /* FILE:DATASET, or FILE:GROUP/ */
	AXT_WAY_ZARR,
	AXT_WAY_FORMAT /* a file of another format, such as b.npy */
};
struct axt_way {
	enum axt_way_kind kind;
	const char *file; /* NULL: standard output; a store has no slashes at its end */
	const char *dset; /* of AXT_WAY_DATASET, else NULL */
	enum axt_format format;
};
/* What the target is; NULL: standard output. Looks for files, since their names may have colons. */
int axt_way_of(struct axt_graph *g, const char *target, struct axt_way *w);

#endif
