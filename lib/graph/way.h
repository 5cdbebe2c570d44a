/*
 * way.h - the way out: what an output is by the name of its target, which everything that writes
 * asks here.
 */
#ifndef AXT_GRAPH_WAY_H
#define AXT_GRAPH_WAY_H

#include "graph/graph.h"

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

/* ---- each way: save.c and to.c ---- */

/* Writes results to HDF5 or Zarr, as axt_save does, whatever else the name tells. */
enum axt_code axt_save_stored(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/* Writes results in that format; AXT_FORMAT_AUTO: the name told none. */
enum axt_code axt_save_format(struct axt_graph *g, struct axt_expr *const e[], int n,
    const char *file, enum axt_format format, const struct axt_to_opts *o);

#endif
