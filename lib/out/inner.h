/*
 * inner.h - what the files of this room share.
 */
#ifndef AXT_OUT_INNER_H
#define AXT_OUT_INNER_H

#include "eval/eval.h"
#include "out/deliver.h"
#include "out/way.h"

/* ---- each way: way.c, save.c and to.c ---- */

/*
 * What else writes files whose name ends like that of the target, where these are no HDF5:
 * "axt-plot", or "no command of axt". NULL: nothing is known of such names.
 */
const char *axt_way_writer(const struct axt_way *w);
/* Writes results to HDF5 or Zarr, as axt_save does, whatever else the name tells. */
enum axt_code axt_save_stored(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/* Writes results in that format; AXT_FORMAT_AUTO: the name told none. */
enum axt_code axt_save_format(struct axt_graph *g, struct axt_expr *const e[], int n,
    const char *file, enum axt_format format, const struct axt_to_opts *o);

/* ---- what goes along with results, and may be wrong with them ---- */

/*
 * In by_hand.c: warns of results that have the attribute of their old units, though arithmetic has
 * converted them, or values that they are made of, to other units.
 */
void axt_doubt_units(struct axt_graph *g, struct axt_expr *const e[], int n);
/*
 * In by_hand.c: warns if a result is a sum of times. Within an expression such a sum may be right:
 * (a + b) / 2 is the time between two.
 */
void axt_doubt_sum(struct axt_graph *g, const struct axt_expr *e);

/*
 * In rest.c: what FILE or FILE:PATTERN, `word`, means beside tensors, for an output of the n
 * results v. Warnings tell what cannot be written. within: the results go to a group; then their
 * paths begin in the group that the word names, or in the root, and its attributes go along. NULL:
 * nothing, or the graph's error.
 */
const struct axt_out_rest *axt_rest_of(struct axt_graph *g, const char *word, bool within,
    const struct axt_out_var *v, int n);
/*
 * In scopes.c: adds, at *tail of the list `rest`, the axes and auxiliary datasets that the results,
 * and the datasets in `rest`, share in groups above their own. Their paths begin in the group
 * `base` of the file f. Returns the new tail.
 */
struct axt_out_rest **axt_share(struct axt_graph *g, const struct axt_file *f, const char *base,
    const struct axt_out_var *v, int n, const struct axt_out_rest *rest,
    struct axt_out_rest **tail);
/* Warns of attributes of f, at that path and below, whose types are not read: copies lack them. */
void axt_tell_lost(struct axt_graph *g, struct axt_file *f, const char *at);

/*
 * In lacks.c: warns of what a whole file has and its copy in another format cannot have: links,
 * complex attributes, in netCDF classic groups and unlimited axes, in Zarr axes without arrays.
 */
enum axt_lacking { AXT_LACKING_ZARR, AXT_LACKING_CLASSIC };
void axt_tell_lacks(struct axt_graph *g, const char *out, const struct axt_delivery *o,
    const struct axt_out_rest *rest, enum axt_lacking format);

/* ---- what values go through ---- */

/* e with its axes reversed if the options ask for column-major storage. */
struct axt_expr *axt_padded_order(struct axt_graph *g, struct axt_expr *e,
    const struct axt_save_opts *o);
/* Sets the lengths of v to the allocated ones, and its attributes that tell of the tensor in it. */
int axt_padded_var(struct axt_graph *g, const struct axt_expr *e, const struct axt_save_opts *o,
    struct axt_out_var *v);
/*
 * A sink for the bytes of a tensor whose rows lie apart in a larger dataset. It writes each row to
 * its place, and fills the space between rows with zeros.
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
 * In quantize.c: how floats are rounded: to n significant digits or, with `bits`, to n bits of
 * their mantissa, as netCDF-C does.
 */
struct axt_quantize {
	bool bits;
	int n;
};
/* Reads "3" or "bits:9". */
int axt_quantize_parse(const char *text, struct axt_quantize *q, struct axt_err *e);
/* The most digits or bits that values of this dtype, f32 or f64, are rounded to. */
int axt_quantize_most(const struct axt_quantize *q, enum axt_dtype d);
/* The attribute that says how values are rounded; NULL: out of memory. */
const struct axt_attr *axt_quantize_attr(struct axt_arena *m, const struct axt_quantize *q);
/* What rounds values of one dtype. */
struct axt_quantizer {
	enum axt_dtype dtype;
	bool bits;
	int n;
	const struct axt_packing *missing;
	uint64_t margin;                        /* of a mantissa, see quantize.c */
	const struct axt_quantize_piece *piece; /* of each exponent; NULL with bits */
};
/* missing: its values are not rounded; it must stay. Not 0: out of memory. */
int axt_quantizer_new(struct axt_arena *m, const struct axt_quantize *q, enum axt_dtype d,
    const struct axt_packing *missing, struct axt_quantizer *z);
/*
 * Rounds n values. Zeros, NaN, infinities and missing values stay as they are. Without an attribute
 * of missing values netCDF's own fill value counts as missing. Any thread may call this.
 */
void axt_quantize(const struct axt_quantizer *z, void *out, const void *in, int64_t n);

/*
 * In sinks.c: gives results that --quantize rounds the attribute that says so. Warns of results
 * that it does not round, and fails if it rounds none.
 */
int axt_quantize_vars(struct axt_graph *g, const struct axt_quantize *q, struct axt_out_var *v,
    int n);
/* A sink that rounds values of v and passes them to `to`; `to` itself if they are no f32 or f64. */
struct axt_sink *axt_quantized(struct axt_graph *g, const struct axt_quantize *q,
    const struct axt_out_var *v, struct axt_sink *to);

#endif
