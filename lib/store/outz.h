/* outz.h - one chunk of plain bytes at a time: cut out, shuffled, deflated. */
#ifndef AXT_STORE_OUTZ_H
#define AXT_STORE_OUTZ_H

#include "out.h"

/* Plain row-major bytes and the grid they are cut in. */
struct axt_cut {
	const unsigned char *p;	/* NULL: they are read from a file */
	int fd;
	int rank, size; /* size: bytes of an element */
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK], grid[AXT_MAX_RANK];
	int64_t nchunks;
	size_t bytes; /* of a chunk */
};
void axt_cut_init(struct axt_cut *c, const struct axt_place *p, const void *plain, int fd);

/* Scratch of one thread. level 0 or less: chunks stay plain. room: two chunks, for other levels. */
struct axt_pack;
struct axt_pack *axt_pack_new(const struct axt_cut *c, int level, unsigned char *room,
    struct axt_err *e);
void axt_pack_free(struct axt_pack *k);
/* Room a packed chunk may need. */
size_t axt_pack_bound(const struct axt_cut *c);
/* Chunk i of the grid as it is stored; what is outside the tensor is zero. */
int axt_pack_chunk(struct axt_pack *k, const struct axt_cut *c, int64_t i, void *out, size_t cap,
    size_t *n, struct axt_err *e);
/* Byte j of every element to plane j, as HDF5's filter does; what is no whole element stays last. */
void axt_shuffle(const unsigned char *in, unsigned char *out, size_t bytes, int size);

#endif
