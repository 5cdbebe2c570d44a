/* compressed.h - makes one chunk at a time: gathered from a tensor's bytes, packed by filters. */
#ifndef AXT_HDF5_WRITE_COMPRESSED_H
#define AXT_HDF5_WRITE_COMPRESSED_H

#include "hdf5/write/output.h"

/* The bytes of a tensor, row-major, and the grid of chunks they are cut into. */
struct axt_cut {
	const unsigned char *p; /* the plain bytes; NULL: they are read from a file */
	int fd;
	int rank, size; /* size: bytes of an element */
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK], grid[AXT_MAX_RANK];
	int64_t nchunks;
	size_t bytes; /* bytes of a chunk */
	struct axt_filters filters;
};
void axt_cut_init(struct axt_cut *c, const struct axt_out_tensor *p, const void *plain, int fd);

/*
 * The state of one thread. mem: axt_pack_scratch_bytes of memory; NULL where there are no filters.
 */
struct axt_pack;
size_t axt_pack_scratch_bytes(const struct axt_cut *c);
struct axt_pack *axt_pack_new(const struct axt_cut *c, unsigned char *mem, struct axt_err *e);
void axt_pack_free(struct axt_pack *k);
/* The most bytes that a packed chunk may have. */
size_t axt_pack_bound(const struct axt_cut *c);
/* Packs chunk i of the grid; positions outside the tensor are zero. */
int axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e);

#endif
