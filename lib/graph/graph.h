/*
 * graph.h - what commands ask of a graph: reductions by labels, saving, printing, assigning,
 * comparing.
 */
#ifndef AXT_GRAPH_GRAPH_H
#define AXT_GRAPH_GRAPH_H

#include "eval/eval.h"
#include "hdf5/write/write.h"
#include "show/show.h"

/* axt_save into FILE, or a dataset of it, instead of the output that the options name. */
struct axt_save_place {
	const char *file, *dataset; /* dataset: NULL where it has the value's name */
};
enum axt_code axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_save_place *in);
/* In group_quantiles.c: replaces e, a quantile of groups, by nodes that can be computed. */
struct axt_expr *axt_reduce_parts(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_groups *by);
/*
 * The least and greatest value of a real x, NaN aside, in one pass; NaN where there is no other
 * value, and both as they were where x has no elements.
 */
int axt_least_and_greatest(struct axt_graph *g, struct axt_expr *x, double *least,
    double *greatest);
/*
 * Values as integers or floats of dtype d with that packing: the way back from axt_unpack. A value
 * that would become an integer that means missing is an error; range: the least and greatest
 * integer, and values beyond become these. NULL: beyond the dtype is an error.
 */
struct axt_expr *axt_packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d,
    const struct axt_packing *p, const double *range);
/*
 * group_labels.c: whether `by` has so many labels, whole numbers near each other in a file, that
 * they were looked at there: out has its groups, and what the labels are as coordinates, or there
 * is an error. again: they may be read again as groups are added; else the group of each is kept in
 * memory.
 */
bool axt_labels_met(struct axt_graph *g, struct axt_expr *by, bool again, struct axt_groups *out);
/* e with its axes in the order of the storage that o asks for. */
struct axt_expr *axt_padded_order(struct axt_graph *g, struct axt_expr *e,
    const struct axt_save_opts *o);
/* v as what is allocated for e. */
int axt_padded_var(struct axt_graph *g, const struct axt_expr *e, const struct axt_save_opts *o,
    struct axt_out_var *v);
/* A sink for the bytes of e, which go to their places in v's, zeros between them. */
struct axt_padded {
	struct axt_sink sink, *to;
	struct axt_view v;
	int64_t bytes, rows, row; /* allocated; of the last axis; bytes of one */
	int size;
};
int axt_padded_begin(struct axt_padded *p, const struct axt_expr *e, const struct axt_out_var *v,
    struct axt_sink *to, struct axt_err *err);
/* Whether the last of n targets takes its value, beside the others: errors but those of a run. */
enum axt_code axt_assign_check(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o);
struct axt_filled {
	struct axt_sink sink, *to;
	const struct axt_expr *e;
	const struct axt_attr *fill; /* of e's dtype */
	struct axt_packing packing;  /* what means missing in e, beside NaN */
	/* values may equal the fill value: the user typed it, or they mean missing anyway */
	bool known;
};
/*
 * The sink for values of e, as stored, in front of `to`: itself where no fill is asked for. NULL:
 * error.
 */
struct axt_sink *axt_filled(struct axt_graph *g, const struct axt_expr *e, struct axt_sink *to);

#endif
