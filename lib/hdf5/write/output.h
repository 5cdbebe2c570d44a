/*
 * output.h - what the files of this folder share: where a tensor lies in a file, the compressor. Plain
 * structs; libhdf5's side is in libhdf5.h.
 */
#ifndef AXT_HDF5_WRITE_OUTPUT_H
#define AXT_HDF5_WRITE_OUTPUT_H

#include "hdf5/write/write.h"

/* One tensor of an output. */
struct axt_place {
	const struct axt_out_var *v;
	const char *name; /* in its group */
	int64_t bytes;    /* of the payload; 0: none */
	bool chunked;
	int nfilters;
	struct axt_filter_use filter[AXT_MAX_FILTERS];
	bool rows;                   /* not chunked: stored in chunks that are its bytes in order */
	int64_t chunk[AXT_MAX_RANK]; /* chunked or rows: none is 0 */
	uint64_t offset; /* not chunked, bytes > 0: of the payload, told by build and add */
};
/* group "" is the root. */
int axt_h5_build(struct axt_arena *m, const char *group, struct axt_place *p, int n,
    const struct axt_attr *file_attrs, struct axt_header *out, struct axt_err *e);
/*
 * Whether the tensors can be added to FILE: it is HDF5, the scales there agree in length and
 * coordinates. A dataset that is replaced must not be an axis of others, nor a constant unless force;
 * no_clobber: must not be there.
 */
int axt_h5_add_check(struct axt_arena *m, const char *path, const char *group,
    const struct axt_place *p, int n, bool no_clobber, bool force, struct axt_err *e);
/* Adds the tensors to the HDF5 file open (read and write) as fd; path is its name as typed. */
int axt_h5_add(struct axt_arena *m, int fd, const char *path, const char *group,
    struct axt_place *p, int n, uint64_t *size, struct axt_err *e);
/*
 * Writes the chunks of a tensor that build or add laid out chunked. next gives them one after
 * another, row-major over the grid: *out and *n stay valid until the next call. Called with
 * libhdf5's mutex held.
 */
struct axt_chunks {
	int (*next)(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e);
};
int axt_h5_chunks(int fd, const char *path, const char *group, const struct axt_place *p,
    struct axt_chunks *c, struct axt_err *e);
/* Whether an attribute is HDF5's, netCDF's or axt's own. */
bool axt_h5w_own(const char *name);
/* Edits the attributes of one object of the file open as fd. dset: its path. */
int axt_h5_edit(int fd, const char *path, const char *dset, const struct axt_attr_edit *ed, int n,
    struct axt_err *e);
struct axt_boxes;
/*
 * Writes values of a slice, row-major, as stored, into a dataset of the file open as fd that has no
 * chunks; most: bytes of the largest box.
 */
int axt_h5_assign(int fd, const char *path, const char *dset, struct axt_boxes *b, size_t most,
    void *values, struct axt_err *e);
/* The same of native values into one that has: st. memory, beside: as of axt_repack_open. */
int axt_h5_assign_chunks(int fd, const char *path, const char *dset, const struct axt_storage *st,
    struct axt_boxes *b, int64_t memory, struct axt_temp *beside, void *values, struct axt_err *e);
struct axt_outz;
/* Spools bytes of one tensor until axt_outz_write. */
struct axt_outz *axt_outz_new(
    struct axt_temp *t, const struct axt_place *p, int64_t memory, struct axt_err *e);
int axt_outz_put(struct axt_outz *z, int64_t off, const void *p, int64_t n, struct axt_err *e);
/* Whom to tell how far it is: plain bytes of what was written before, and of all. */
struct axt_outz_told {
	void (*progress)(void *ctx, double done);	/* or NULL */
	void *ctx;
	int64_t done, all;
};
/* Compresses with that many threads, in so many bytes, and writes into the file of t. */
int axt_outz_write(struct axt_outz *z, const char *group, int threads, int64_t memory,
    const struct axt_outz_told *told, struct axt_err *e);
/* Bytes that are spooled in memory. */
int64_t axt_outz_held(const struct axt_outz *z);
void axt_outz_free(struct axt_outz *z);
/* How a tensor is chunked by the options, whose chunk lengths are those of first's axes. */
int axt_outz_plan(struct axt_place *p, const struct axt_axes *first, const struct axt_out_opts *o,
    struct axt_err *e);

#endif
