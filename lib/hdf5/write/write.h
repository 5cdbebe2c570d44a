/*
 * write.h - HDF5 files written: axt_out_open with all metadata, bytes through a sink, axt_out_close; values
 * and attributes put into files that are there. libhdf5 is called in the thread that calls these functions
 * (never in workers), behind a mutex.
 */
#ifndef AXT_HDF5_WRITE_WRITE_H
#define AXT_HDF5_WRITE_WRITE_H

#include "bytes/output.h"
#include "hdf5/read/read.h"

struct axt_out_opts {
	/* as typed: FILE, FILE:DATASET, NULL or "-" for standard output */
	const char *target;
	bool is_file;		/* target is FILE, whatever colons are in its name ... */
	const char *dataset;	/* ... and this the dataset in it, or NULL */
	bool no_clobber, force;
	/* target is also an operand and holds other tensors: refused unless force */
	bool shared_input;
	bool add;		/* to FILE, if it is there, as FILE:DATASET does */
	int deflate;		/* -1: none; 0..9 */
	bool has_chunk;
	int64_t chunk[AXT_MAX_RANK];	/* of the result's axes; -1 whole */
	int64_t memory;
	int threads;
	struct axt_talk *talk;	/* may be NULL */
	int64_t *sent;		/* counts the bytes of a stream, its header's too; may be NULL */
	/* told in axt_out_finish what part of the chunks is written, by the thread that calls; or NULL */
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
};
/*
 * Starts an output with nvars tensors (axes of one name must agree) and the file's attributes.
 * Small files, standard output and FIFOs get the header at once; a named file is a temporary
 * in the same directory until axt_out_close.
 * FILE:DATASET adds or replaces one dataset in a copy of an existing file (its scales are reused if
 * equal, else AXT_E_AXES or AXT_E_COORD); the file's other datasets and attributes stay.
 * axt_out_sink(o, i) takes the bytes of tensor i; tensors of an ordered sink
 * come one after another.
 */
struct axt_out;
int axt_out_open(struct axt_arena *m, const struct axt_out_var *v, int nvars,
    const struct axt_attr *file_attrs, const struct axt_out_opts *o, struct axt_out **out,
    struct axt_err *e);
struct axt_sink *axt_out_sink(struct axt_out *o, int i);
/* The descriptor of a stream, -1 for a file. */
int axt_out_fd(const struct axt_out *o);
/* Sends a stream's header, which else goes with the first bytes. */
int axt_out_begin(struct axt_out *o, struct axt_err *e);
/* Bytes to be cut into chunks when all have come, and to be compressed. */
int64_t axt_out_chunked(const struct axt_out *o);
/* Every byte came, and is written: what can still fail is the renaming. */
int axt_out_finish(struct axt_out *o, struct axt_err *e);
/*
 * ok: finishes, closes, renames into place. Not ok (or on failure): removes
 * the temporary; the old file is as it was, a stream stays short. For streams the last block is
 * held back until this call. Frees o either way.
 */
int axt_out_close(struct axt_out *o, bool ok, struct axt_err *e);
/*
 * Replaces the attributes of one dataset, one axis's scale or the file in a
 * copy of FILE (or in place), whose lock is held, with WRITE.
 */
struct axt_attr_edit {
	const char *object;		/* NULL: the tensor; "": the file; else an axis's name */
	struct axt_attr attr;		/* TEXT with text "": remove */
};
int axt_attr_edit_file(struct axt_arena *m, const char *path, const char *dset,
    const struct axt_attr_edit *ed, int n, bool in_place, const struct axt_lock *l,
    struct axt_err *e);
/*
 * Values for a slice of a dataset: the sink takes them row-major over dim[], in the dataset's dtype and
 * native order, any piece from any thread. axt_assign_write, after all, writes them into a copy of the
 * file, or into the file itself; axt_assign_close lets the copy take its place; not ok: it goes.
 * lock: of the file, held from before f was opened until all is closed; with WRITE.
 * first: of another slice of this file, whose copy is shared; it is closed first, or neither is ok.
 */
struct axt_assign;
int axt_assign_open(struct axt_file *f, struct axt_dset *d, const struct axt_slice_dim *dim,
    bool in_place, const struct axt_lock *lock, const struct axt_assign *first, int64_t memory,
    struct axt_assign **out, struct axt_err *e);
struct axt_sink *axt_assign_sink(struct axt_assign *a);
/* What the slice holds, row-major in memory until axt_assign_close; *out lacks rank and dims. */
int axt_assign_old(struct axt_assign *a, struct axt_storage *out, struct axt_err *e);
int axt_assign_write(struct axt_assign *a, struct axt_err *e);
int axt_assign_close(struct axt_assign *a, bool ok, struct axt_err *e);

#endif
