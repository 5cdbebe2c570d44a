/*
 * write.h - writes HDF5 files: axt_out_open writes all metadata, sinks take the bytes,
 * axt_out_close ends. Also assigns values and edits attributes in existing files. libhdf5 is called
 * in the thread that calls these functions, never in workers, and is guarded by a mutex.
 */
#ifndef AXT_HDF5_WRITE_WRITE_H
#define AXT_HDF5_WRITE_WRITE_H

#include "bytes/output.h"
#include "files/files.h"

/*
 * Begins an output of nvars tensors, or of opts->rest alone, and of the attributes of the file. A
 * slash in a tensor's name separates the names of groups from it; axes of one name in one group
 * must agree. A file is written to a temporary in the same directory, which gets the file's name in
 * axt_out_close; its header is written here. The header of a stream is sent by axt_out_begin, or
 * with its first bytes. FILE:DATASET adds or replaces one dataset in a copy of an existing file.
 * Scales there are reused if they are equal; if they are not, the error is AXT_E_AXES or
 * AXT_E_COORD. Other datasets and attributes stay. axt_out_sink(o, i) takes the bytes of tensor i.
 * If sinks are ordered, the bytes of one tensor come after those of another.
 */
struct axt_out;
int axt_out_open(struct axt_arena *m, const struct axt_out_var *v, int nvars,
    const struct axt_attr *file_attrs, const struct axt_out_opts *o, struct axt_out **out,
    struct axt_err *e);
struct axt_sink *axt_out_sink(struct axt_out *o, int i);
/*
 * For an output opened with `apart`: where others write the bytes of tensor i before it is closed.
 * That is *path, of PATH_MAX bytes, and the offset of the first byte, in the order of elements; -1
 * if the tensor is in chunks, as those are that filters pack. Returns false if it is added to a
 * file. With `near`, the path is for processes on this machine only, and the file has no name that
 * would stay if this process was killed.
 */
bool axt_out_share(struct axt_out *o, int i, bool near, char *path, int64_t *offset);
/*
 * Lays out the chunks of tensor i of such an output: chunk[] has how many bytes each has once it is
 * packed, in row-major order of the grid, and gets the address in the file at which each is to be
 * written. The file is then as if they had come.
 */
int axt_out_place(struct axt_out *o, int i, int64_t *chunk, struct axt_err *e);
/* The descriptor of a stream; -1 for a file. */
int axt_out_fd(const struct axt_out *o);
/* Sends the header of a stream, which otherwise goes with the first bytes. */
int axt_out_begin(struct axt_out *o, struct axt_err *e);
/* How many bytes will be cut into chunks and compressed, once all have come. */
int64_t axt_out_chunked(const struct axt_out *o);
/* Checks that every byte has come, and writes what is left: after it only renaming can fail. */
int axt_out_finish(struct axt_out *o, struct axt_err *e);
/*
 * If `ok`, finishes the output, closes it and renames the temporary. Otherwise, or after a failure,
 * removes the temporary, so that the old file stays as it was, and a stream ends too early: its
 * last block is held back until this call. Frees o in any case.
 */
int axt_out_close(struct axt_out *o, bool ok, struct axt_err *e);
/*
 * An edit of an attribute, for axt_attr_edit_file, which replaces attributes of one dataset, of the
 * scale of one axis, of a group, or of the file, in a copy of FILE (or in place). FILE's lock must
 * be held, with WRITE. dset names a dataset, or a group if it ends with a slash.
 */
struct axt_attr_edit {
	/* NULL: the tensor or group; "": the file; else the name of an axis */
	const char *object;
	struct axt_attr attr; /* TEXT with text "": it is removed */
};
int axt_attr_edit_file(struct axt_arena *m, const char *path, const char *dset,
    const struct axt_attr_edit *ed, int n, bool in_place, const struct axt_lock *l,
    struct axt_err *e);
/*
 * axt_dsets_edit_file removes datasets of a file, or gives them other names in their groups, in a
 * copy of the file (or in place). change[i] is for f->dsets[i]. What names a renamed dataset
 * (attributes such as coordinates and bounds, the name of an axis) gets its new name. It is an
 * error if something that stays names a dataset that is removed, unless `force` is set: then that
 * name is removed, too, and a removed axis of something that stays only loses its coordinates. The
 * lock of f must be held, with WRITE.
 */
struct axt_dset_change {
	enum {
		AXT_DSET_STAYS,
		AXT_DSET_GOES,
		AXT_DSET_MAY_GO /* it goes unless it is an axis of something that stays */
	} verb;
	const char *name; /* the new one; NULL: it keeps its name */
};
struct axt_dsets_edit {
	struct axt_dset_change *change;
	const char **groups; /* their paths: they go, too, and all in them has AXT_DSET_GOES */
	int ngroups;
	bool force, in_place;
	const struct axt_attr *history; /* the new one of the file; NULL: it stays */
};
int axt_dsets_edit_file(struct axt_arena *m, struct axt_file *f, const struct axt_dsets_edit *ed,
    const struct axt_lock *l, struct axt_err *e);
/*
 * Assigns values to a slice of a dataset. The sink takes them row-major over dim[], in the
 * dataset's dtype and native byte order; pieces may come in any order and from any thread.
 * axt_assign_write, after all have come, writes them to a copy of the file, or to the file itself.
 * axt_assign_close renames the copy over the file if ok, and otherwise removes it.
 * lock: of the file, held with WRITE from before f was opened until all is closed.
 * first: NULL, or the assignment to another slice of this file, whose copy is shared. It is closed
 * first, and the file changes only if both are ok.
 */
struct axt_assign;
int axt_assign_open(struct axt_file *f, struct axt_dset *d, const struct axt_slice_dim *dim,
    bool in_place, const struct axt_lock *lock, const struct axt_assign *first, int64_t memory,
    struct axt_assign **out, struct axt_err *e);
struct axt_sink *axt_assign_sink(struct axt_assign *a);
/*
 * The old values of the slice, row-major, in memory until axt_assign_close. *out gets no rank and
 * no lengths.
 */
int axt_assign_old(struct axt_assign *a, struct axt_storage *out, struct axt_err *e);
int axt_assign_write(struct axt_assign *a, struct axt_err *e);
int axt_assign_close(struct axt_assign *a, bool ok, struct axt_err *e);

#endif
