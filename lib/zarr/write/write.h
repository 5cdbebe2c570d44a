/*
 * write.h - writes tensors as a store of Zarr, version 3: a directory that appears whole. Values
 * are kept until all are known, then cut into chunks and packed by threads.
 */
#ifndef AXT_ZARR_WRITE_WRITE_H
#define AXT_ZARR_WRITE_WRITE_H

#include "bytes/packing.h"
#include "files/files.h"

/* Whether the target of -o, FILE or FILE:DATASET, is a store of Zarr: FILE ends with .zarr. */
bool axt_zarr_target(const char *target);
/*
 * Begins a store of n tensors. A slash in a tensor's name separates the names of groups from it.
 * Only those options are used that concern a whole file. Until axt_zarr_out_close, the store is in
 * a directory of its own beside the target.
 */
struct axt_zarr_out;
int axt_zarr_out_open(struct axt_arena *m, const struct axt_out_var *v, int n,
    const struct axt_attr *attrs, const struct axt_out_opts *o, struct axt_zarr_out **out,
    struct axt_err *e);
/* Takes the bytes of tensor i, from any thread and in any order. */
struct axt_sink *axt_zarr_out_sink(struct axt_zarr_out *o, int i);
/* Checks that all bytes have come, and writes all chunks and metadata. */
int axt_zarr_out_finish(struct axt_zarr_out *o, struct axt_err *e);
/*
 * If `ok`, gives the directory the name of the target, in place of a store that has it; otherwise
 * removes the directory. Frees o in either case.
 */
int axt_zarr_out_close(struct axt_zarr_out *o, bool ok, struct axt_err *e);
/*
 * Chooses the chunk lengths of an array of v, and how chunks are packed. first: the axes that
 * o->chunk is for. An array without axes or elements is not chunked.
 */
int axt_zarr_chunking(struct axt_chunking *as, const struct axt_out_var *v,
    const struct axt_axes *first, const struct axt_out_opts *o, struct axt_err *e);
/*
 * Of a store opened with o->apart, whose chunks others write by axt_zarr_put_chunks before it is
 * finished: *path, of PATH_MAX bytes, is that of its directory. false, with errno: there is none.
 */
bool axt_zarr_out_share(const struct axt_zarr_out *o, char *path);
/*
 * Packs the chunks of a box of an array, and writes them. Used of *a are dir, path and v; first:
 * the chunk with which the box begins; how: what it may take.
 */
struct axt_zarr_new;
int axt_zarr_put_chunks(const struct axt_zarr_new *a, const struct axt_cut *box,
    const int64_t *first, struct axt_packers how, struct axt_err *e);

/* ---- between the files of this room ---- */

/* An array while it is written. */
struct axt_zarr_new {
	const char *dir; /* the directory of the store */
	/* gets the metadata, as a member of those that the root has of all nodes */
	struct axt_buf *all;
	const char *path; /* in the store: "g/t" */
	const struct axt_out_var *v;
	/* its values, row-major and native; NULL: others write its chunks */
	const void *data;
	struct axt_filters filters; /* none, or one: zstd or gzip */
	int64_t chunk[AXT_MAX_RANK];
	/* texts of so many characters each, as UTF-32; 0: numbers */
	int64_t chars;
};
/* Writes its metadata and chunks. how: what it may take to pack these. */
int axt_zarr_put_array(struct axt_arena *m, const struct axt_zarr_new *a, struct axt_packers how,
    struct axt_err *e);
/* Writes zarr.json of a group. That of the root, path "", is written last, and has all others. */
int axt_zarr_put_group(const char *dir, const char *path, const struct axt_attr *attrs,
    struct axt_buf *all, struct axt_err *e);

#endif
