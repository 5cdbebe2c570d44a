/* compressed.h - one chunk of plain bytes at a time: cut out, and packed by filters. */
#ifndef AXT_HDF5_WRITE_COMPRESSED_H
#define AXT_HDF5_WRITE_COMPRESSED_H

#include "hdf5/write/output.h"

/* Plain row-major bytes and the grid they are cut in. */
struct axt_cut {
	const unsigned char *p;	/* NULL: they are read from a file */
	int fd;
	int rank, size; /* size: bytes of an element */
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK], grid[AXT_MAX_RANK];
	int64_t nchunks;
	size_t bytes; /* of a chunk */
	struct axt_filters filters;
};
void axt_cut_init(struct axt_cut *c, const struct axt_place *p, const void *plain, int fd);

/* What one thread packs with. room: of axt_pack_room bytes, none where chunks stay plain. */
struct axt_pack;
size_t axt_pack_room(const struct axt_cut *c);
struct axt_pack *axt_pack_new(const struct axt_cut *c, unsigned char *room, struct axt_err *e);
void axt_pack_free(struct axt_pack *k);
/* Room a packed chunk may need. */
size_t axt_pack_bound(const struct axt_cut *c);
/* Chunk i of the grid as it is stored; what is outside the tensor is zero. */
int axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e);

#endif
