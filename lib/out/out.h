/*
 * out.h - results on their way to a target: what is written with them, and how they reach a file,
 * a stream or another format.
 */
#ifndef AXT_OUT_OUT_H
#define AXT_OUT_OUT_H

#include "hdf5/write/write.h"
#include "inputs/inputs.h"

/* Where axt_save_in writes, instead of the output that the options name. */
struct axt_save_place {
	const char *file, *dataset; /* dataset: NULL if it takes the name of its value */
	/* [n]: tensors that the results are parts of, or go on, and whose compression they keep */
	const struct axt_expr *const *whole;
	/* of the file, which is held while it is replaced; NULL: it is taken at the end */
	const struct axt_lock *lock;
	const struct axt_out_rest *rest; /* what is written beside the results; may be NULL */
	/* [n]: the values go there, as they would into a file, and no file is written; NULL */
	struct axt_sink *const *into;
	/* [n]: the storage that each is laid out like; an entry may be NULL, and so may this */
	const struct axt_storage *const *like;
	/* [n]: of each the chunks that files have of it, as axt_out_chunks finds them; NULL */
	const struct axt_in_chunks *const *chunks;
	/* one more dataset gets this name: [n] checksums of the results' bytes (bytes/summed.h) */
	const char *sums;
};
enum axt_code axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_save_place *in);
/*
 * All that axt_save would write but the values: the results as they are stored, their names, axes
 * and attributes, the attributes of the file, and the options of the output. axt_save_ready makes
 * it, with the warnings of axt_save.
 */
struct axt_save_ready {
	struct axt_expr *const *e;
	struct axt_out_var *v;
	const struct axt_attr *attrs;
	struct axt_out_opts opts;
};
enum axt_code axt_save_ready(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, struct axt_save_ready *out);
struct axt_chunking;
/*
 * In chunked.c: where a result that only moves elements has them in chunks of files, if the whole
 * output, which is stored as *as in HDF5 by these options, has the same chunks. With `from` a box
 * of `len` elements from there on is looked for, which begins with a chunk. NULL: the elements are
 * computed, or lie otherwise.
 */
const struct axt_in_chunks *axt_out_chunks(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_chunking *as, const struct axt_save_opts *o, const int64_t *from,
    const int64_t *len);
/* "/g/t", where FILE:g/t or FILE:/g/ puts a result of that name. NULL: out of memory. */
const char *axt_path_in(struct axt_graph *g, const char *dset, const char *name);
/* Warns if a new file gets a name such as "data:x", which may have been meant as FILE:DATASET. */
void axt_warn_of_colon(struct axt_graph *g, const char *file);

/* ---- what an output tells of its results ---- */

/* Makes names, attributes and auxiliary datasets of n results, as they are written. */
int axt_out_vars(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_out_var **v);
/* What an output has beside its results. */
struct axt_out_known {
	const struct axt_out_rest *rest; /* what goes along; may be NULL */
	/* the file that they are added to, and the path that the first gets there; or NULL */
	const char *file, *path;
};
/*
 * Removes from attributes of the n results the names of tensors that are neither results nor beside
 * them in the output: quality flags in ancillary_variables, and terms in formula_terms. v was made
 * of e by axt_out_vars. This is not done for pipes, since the reader may put those tensors beside a
 * result.
 */
int axt_out_known(struct axt_graph *g, struct axt_out_var *v, struct axt_expr *const e[], int n,
    const struct axt_out_known *in);
/*
 * In agree.c: sees to it that results in one group have the same axis of a name. A result without
 * coordinates along it gets those of another, with a warning; it is an error (COORD) if two have
 * different ones. Coordinates without axes that differ from those of an earlier result are left
 * out, with a warning.
 */
int axt_out_agree(struct axt_graph *g, struct axt_out_var *v, struct axt_expr *const e[], int n);
/*
 * In history.c: a copy of l, attributes of a file, whose history begins with `line`, followed by
 * the lines of the streams. With line NULL it is l itself. The graph may get the error MEM.
 */
const struct axt_attr *axt_with_history(struct axt_graph *g, const struct axt_attr *l,
    const char *line);

/* ---- what values go through ---- */

struct axt_filled {
	struct axt_sink sink, *to;
	const struct axt_expr *e;
	const struct axt_attr *fill; /* in the dtype of e */
	struct axt_packing packing;  /* the values in e that mean missing, beside NaN */
	/* elements may equal the fill value: the user chose it, or it means missing in e anyway */
	bool known;
};
/*
 * A sink that replaces missing values of e by the number in its attribute _FillValue, and passes
 * the values to `to`. It is `to` itself if e has no such attribute, and NULL after an error.
 */
struct axt_sink *axt_filled(struct axt_graph *g, const struct axt_expr *e, struct axt_sink *to);

#endif
