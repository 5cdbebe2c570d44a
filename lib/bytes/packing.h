/*
 * packing.h - how an output is cut into chunks and by which filters these are packed: choosing
 * both, packing one chunk, and packing all chunks by threads.
 */
#ifndef AXT_BYTES_PACKING_H
#define AXT_BYTES_PACKING_H

#include "bytes/output.h"

/* ---- in chunking.c: the choice ---- */

struct axt_chunking {
	bool chunked;
	int nfilters;
	struct axt_filter_use filter[AXT_MAX_FILTERS];
	int64_t chunk[AXT_MAX_RANK]; /* chunk lengths; 0 where there are no chunks */
};
/*
 * Chooses the chunk lengths and filters of v: by the options, whose chunk lengths are those of the
 * axes of `first`, or as the tensor has them that v is a copy of. A tensor without elements or axes
 * is not chunked.
 */
int axt_chunking_choose(struct axt_chunking *p, const struct axt_out_var *v,
    const struct axt_axes *first, const struct axt_out_opts *o, struct axt_err *e);

/* ---- in cut.c: one chunk ---- */

/* The bytes of a tensor, row-major, and the grid of chunks they are cut into. */
struct axt_cut {
	const unsigned char *p; /* the plain bytes; NULL: they are read from a file */
	int fd;
	/*
	 * chunks of files that are the same; NULL: they are not. If p is NULL and fd is -1, they
	 * are where the elements are.
	 */
	const struct axt_in_chunks *chunks;
	/* what a thread needs to unpack such chunks; all that one thread needs to take them */
	size_t unpacks, takes;
	int rank, size; /* size: bytes of an element */
	int64_t dims[AXT_MAX_RANK], chunk[AXT_MAX_RANK], grid[AXT_MAX_RANK];
	int64_t nchunks;
	size_t bytes; /* bytes of a chunk */
	struct axt_filters filters;
};
/*
 * size: bytes of an element; plain NULL: fd has the bytes. `from`: where files have the elements in
 * chunks, or NULL. If each chunk of the output is one of theirs, or begins as one does, those that
 * are packed by the same filters are copied as they are. Without bytes they are unpacked, too, to
 * see that they are sound, and others are packed again.
 */
void axt_cut_init(struct axt_cut *c, const struct axt_axes *x, int size, const int64_t *chunk,
    struct axt_filters filters, const void *plain, int fd, const struct axt_in_chunks *from);

/*
 * What one thread packs with. mem: axt_pack_scratch_bytes bytes of memory, or NULL if there are no
 * filters.
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

/* ---- in packing.c: all chunks, by threads ---- */

/*
 * Packed chunks. next gives one after the other, in row-major order of the grid; *out is valid
 * until the next call.
 */
struct axt_chunks {
	int (*next)(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e);
	/*
	 * gets the address of that chunk in the file, to which somebody else writes the bytes, so
	 * that *out may be anything; NULL: they are at *out
	 */
	void (*placed)(struct axt_chunks *c, uint64_t at);
};
struct axt_packers {
	int threads;
	int64_t memory;          /* for all buffers */
	struct axt_temp *beside; /* in whose directory buffers are that memory has no room for */
	/* asks for all chunks, in the thread that called ... */
	int (*take)(void *ctx, struct axt_chunks *c, struct axt_err *e);
	/* ... or, if take is NULL, gets chunk i, in any thread and order */
	int (*put)(void *ctx, int64_t i, const void *p, size_t n, struct axt_err *e);
	void (*told)(void *ctx, double share); /* of chunks that were taken; or NULL */
	void *ctx;
};
int axt_packers_run(const struct axt_cut *c, const struct axt_packers *how, struct axt_err *e);

#endif
