/*
 * graph.h - what commands ask of a graph: saving, printing, assigning, comparing.
 */
#ifndef AXT_GRAPH_GRAPH_H
#define AXT_GRAPH_GRAPH_H

#include "groups/groups.h"
#include "hdf5/write/write.h"
#include "show/show.h"

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
	/* one more dataset gets this name: [n] checksums of the results' bytes (bytes/summed.h) */
	const char *sums;
};
enum axt_code axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_save_place *in);
/*
 * What axt_save would write, but for the values: results as they are stored, their names, axes and
 * attributes, the file's attributes, and the options of the output. Warns as axt_save does.
 */
struct axt_save_ready {
	struct axt_expr *const *e;
	struct axt_out_var *v;
	const struct axt_attr *attrs;
	struct axt_out_opts opts;
};
enum axt_code axt_save_ready(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, struct axt_save_ready *out);
/* "/g/t", where FILE:g/t or FILE:/g/ puts a result of that name. NULL: out of memory. */
const char *axt_path_in(struct axt_graph *g, const char *dset, const char *name);
/* Warns if a new file gets a name such as "data:x", which may have been meant as FILE:DATASET. */
void axt_warn_of_colon(struct axt_graph *g, const char *file);
/*
 * Packs values as integers or floats of dtype d, which axt_unpack reverses. It is an error if a
 * value becomes the integer that means missing. range is NULL, and then a value outside the dtype
 * is an error, or the least and greatest integer, to which values outside are clipped.
 */
struct axt_expr *axt_packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d,
    const struct axt_packing *p, const double *range);
/*
 * The coordinates of that axis of a as a tensor along it, with their units. NULL: a has no such
 * axis, or it has no coordinates. Those that are text are a tensor of text.
 */
struct axt_expr *axt_coord_values(struct axt_graph *g, const struct axt_expr *a, const char *axis);
/*
 * In trend.c: the coordinates of axis i of a, or positions where it has none, as f64 along it, with
 * the units that differences of them have. values: they become *values; may be NULL.
 */
struct axt_expr *axt_axis_points(struct axt_graph *g, const struct axt_expr *a, int i,
    const double **values);
/*
 * In take.c: as axt_meet_dates, of two operands that do not meet along that axis of e[0]: elements
 * are taken, or interpolated, along it, as e[1] tells.
 */
int axt_meet_dates_but(struct axt_graph *g, struct axt_expr *e[2], const char *axis);
/* e with its axes reversed if the options ask for column-major storage. */
struct axt_expr *axt_padded_order(struct axt_graph *g, struct axt_expr *e,
    const struct axt_save_opts *o);
/* Sets the lengths of v to the allocated ones, and its attributes that tell of the tensor in it. */
int axt_padded_var(struct axt_graph *g, const struct axt_expr *e, const struct axt_save_opts *o,
    struct axt_out_var *v);
/*
 * A sink for the bytes of a tensor whose rows lie apart in a larger dataset. It writes each row to
 * its place, and zeros between rows.
 */
struct axt_padded {
	struct axt_sink sink, *to;
	struct axt_view v;
	int64_t bytes, rows, row; /* bytes of the dataset; rows of the tensor; bytes of a row */
	int size;
};
int axt_padded_begin(struct axt_padded *p, const struct axt_expr *e, const struct axt_out_var *v,
    struct axt_sink *to, struct axt_err *err);
/*
 * Whether the last of n assignments can be made after the others. Finds every error except those
 * that only show while values are computed and written.
 */
enum axt_code axt_assign_check(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o);
/*
 * In take.c: the elements of axis i at the positions `at`, i64, taken line by line; negative ones
 * give NaN, which `missing` says that there are.
 */
struct axt_expr *axt_take_lines(struct axt_graph *g, struct axt_expr *a, int i, struct axt_expr *at,
    bool missing);
/*
 * In take.c: e with the auxiliary coordinate *x, whose axes e has, and its name in the attribute
 * "coordinates". e stays as it is if it has an axis or an auxiliary dataset of that name.
 */
struct axt_expr *axt_with_auxiliary(struct axt_graph *g, struct axt_expr *e,
    const struct axt_aux *x);
/*
 * In take.c: replaces axis i of e, which runs over the elements of an index in row-major order, by
 * the axes x of the index.
 */
struct axt_expr *axt_unfold(struct axt_graph *g, struct axt_expr *e, int i,
    const struct axt_axes *x);
/* In attributes.c: the attributes of the group of that path. */
int axt_attrs_of_group(struct axt_graph *g, struct axt_file *f, const char *group,
    const struct axt_attr **attrs);
struct axt_filled {
	struct axt_sink sink, *to;
	const struct axt_expr *e;
	const struct axt_attr *fill; /* in the dtype of e */
	struct axt_packing packing;  /* the values in e that mean missing, beside NaN */
	/* elements may equal the fill value: the user chose it, or it means missing in e anyway */
	bool known;
};
/*
 * A sink that replaces missing values of e by its fill value and passes them to `to`. It is `to`
 * itself if e has no fill value, and NULL after an error.
 */
struct axt_sink *axt_filled(struct axt_graph *g, const struct axt_expr *e, struct axt_sink *to);

/*
 * In sinks.c: the attributes of the results that --quantize rounds. Fails if it is none, and
 * warns of others.
 */
int axt_quantize_vars(struct axt_graph *g, const struct axt_quantize *q, struct axt_out_var *v,
    int n);
/* A sink that rounds values of v and passes them to `to`; `to` itself if they are no f32 or f64. */
struct axt_sink *axt_quantized(struct axt_graph *g, const struct axt_quantize *q,
    const struct axt_out_var *v, struct axt_sink *to);

/*
 * In take.c: `a` in a dtype that has NaN, for missing elements; the dtype is the one that unpacking
 * integers with missing values gives.
 */
struct axt_expr *axt_with_nan(struct axt_graph *g, struct axt_expr *a);

#endif
