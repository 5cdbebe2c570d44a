/* groups.h - reductions by labels and by bins: each group of elements by itself. */
#ifndef AXT_GROUPS_GROUPS_H
#define AXT_GROUPS_GROUPS_H

#include "expr/expr.h"
#include "eval/eval.h"

/*
 * Labels and their groups. A graph keeps a list of them, so that several reductions by the same
 * labels share one tensor of groups.
 */
struct axt_labels {
	const struct axt_expr *by;
	/* the groups may be computed from labels that are read again, and are then not in memory */
	bool again;
	bool field; /* the labels are a field of the dates of their axis, such as month */
	struct axt_groups groups;
	/*
	 * For periods of a time axis: the coordinates of the axis, the periods as typed, and the
	 * bounds of the periods.
	 */
	const struct axt_coord *times;
	const char *every;
	struct axt_aux *bounds;
	/* of labels that are given: as typed, "" if they are those of a tensor; else NULL */
	const char *labels;
	const struct axt_expr *among;
	bool drop; /* other labels are left out */
	/* of several tensors of labels: the groups of each, which are combined; else NULL and 0 */
	struct axt_groups *part;
	int nparts;
	struct axt_labels *next;
};

/*
 * Replaces *coord, values of field k of dates as i32, by text, if such values are shown as text:
 * "DJF" for a season.
 */
int axt_fields_text(struct axt_graph *g, int k, const struct axt_coord **coord);
/*
 * In labels.c: the groups of the labels `by`, which are made once for each tensor. again: as in
 * axt_labels_met. NULL: error.
 */
struct axt_labels *axt_labels_known(struct axt_graph *g, const struct axt_expr *by, bool again);
/*
 * An attribute of the coordinates of groups. It says that they are no field of dates, though they
 * have the name of one: the labels, which lay along times, were something else, such as an hour of
 * local time.
 */
#define AXT_LABELS_ATTR "axt_labels"
/* In labels.c: says so of these groups, which are in memory, if it is so. */
int axt_labels_tell(struct axt_graph *g, struct axt_groups *groups);
/*
 * Whether labels called `name`, over the axes x, may be the field of dates of that name. Only their
 * groups, in memory, show whether they are.
 */
bool axt_labels_doubtful(const char *name, const struct axt_axes *x);
/* The labels in this graph that made the axis of a result of a reduction by labels, or NULL. */
const struct axt_labels *axt_labels_made(const struct axt_graph *g, const struct axt_axis *x);
/* The labels that a word means which is no list of several; as axt_labels_of. */
struct axt_expr *axt_labels_one(struct axt_graph *g, struct axt_expr *a, const char *word,
    const struct axt_open_opts *o);
/*
 * In own.c: the labels that the word means where it is no file: a coordinate of `a` that is no
 * axis, or a dataset beside `a` in its file. NULL: there are none of that name, or the graph has an
 * error.
 */
struct axt_expr *axt_labels_own(struct axt_graph *g, const struct axt_expr *a, const char *word,
    const struct axt_open_opts *o);
/*
 * Several tensors of labels, n > 0, as one: each combination of labels has a number, which is the
 * label of the elements that have the combination.
 */
struct axt_expr *axt_labels_joined(struct axt_graph *g, struct axt_expr *const by[], int n);
/* The groups of the texts of a dataset, which are read now. NULL: error. */
struct axt_labels *axt_labels_text(struct axt_graph *g, struct axt_file *f, struct axt_dset *d);
/* The same of texts along an axis, such as its own coordinates. name: that of the labels. */
struct axt_labels *axt_labels_coord(struct axt_graph *g, const struct axt_axis *axis,
    const struct axt_coord *text, const char *name);
/* In texts.c: the node that stands for texts of that name, whose groups are known. */
struct axt_expr *axt_text_node(struct axt_graph *g, const struct axt_labels *l, const char *name);
/* In texts.c: the groups of the texts that node e stands for, or NULL. */
const struct axt_labels *axt_text_labels(const struct axt_graph *g, const struct axt_expr *e);
/* In texts.c: the coordinates of an axis, which are text, as a tensor of text. */
struct axt_expr *axt_text_coord(struct axt_graph *g, const struct axt_axis *axis, const char *name);
/*
 * In texts.c: finds what the operand names, which becomes *x, and returns a node for it: numbers as
 * by axt_named_tensor, or text as by axt_open_text.
 */
struct axt_expr *axt_text_named(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o, struct axt_named *x);
/*
 * Makes the axis of groups, of length 0 at first. It is called `name` as the labels are, or "group"
 * if they have no name.
 */
int axt_labels_axis(struct axt_graph *g, const char *name, const char *from,
    struct axt_groups *out);
/* In label_set.c: the groups of the labels that the options give. NULL: error. */
struct axt_labels *axt_labels_set(struct axt_graph *g, const struct axt_expr *by,
    const struct axt_reduce_opts *o, bool again);
/* The groups `of`, which may have to be computed, as values in memory. */
struct axt_expr *axt_groups_in_memory(struct axt_graph *g, struct axt_expr *of);
/* Fails since the groups of these labels, 4 bytes each, need more memory than may be used. */
struct axt_expr *axt_groups_no_memory(struct axt_graph *g, const struct axt_expr *by);
/*
 * In joint.c: makes `out`, with a group for each combination of groups of the n groupings `part`,
 * or -1 where an element has no group in one of them. They are computed where they are used, and
 * not kept.
 */
int axt_groups_join(struct axt_graph *g, const struct axt_groups *part, int n,
    struct axt_groups *out);
/* *rest: the axes that `to` names without those of the groupings. */
int axt_groups_to(struct axt_graph *g, const struct axt_groups *part, int n, const char *to,
    const char **rest);
/*
 * Splits the axis of combinations of e, a reduction by joined groups, into an axis for each of the
 * n groupings. `to` gives the order of the axes; NULL: that of the groupings.
 */
struct axt_expr *axt_groups_apart(struct axt_graph *g, struct axt_expr *e,
    const struct axt_groups *part, int n, const char *to);
/*
 * In periods.c: counts the axes of CF times among x, or, if `named` is not NULL, among the axes of
 * x that `named` has. *at becomes the last of them.
 */
int axt_time_axes(const struct axt_axes *x, const struct axt_axes *named, int *at);
/* Reduces `a` by periods of its time axis. */
struct axt_expr *axt_reduce_every(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o);
/*
 * In group_quantiles.c: builds e, a reduction by groups that needs all elements of a group at once,
 * of other nodes. `weights` are those of a quantile, or NULL; e itself does not have them. nan: as
 * in axt_reduce_opts.
 */
struct axt_expr *axt_reduce_parts(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_groups *by, struct axt_expr *weights, int nan);
/*
 * In hist.c: the least and greatest value of a real tensor x, found in one pass that ignores NaN.
 * Both are NaN if all values are NaN, and are left as they were if x has no elements.
 */
int axt_least_and_greatest(struct axt_graph *g, struct axt_expr *x, double *least,
    double *greatest);
/*
 * In whole_labels.c: makes the groups of labels that are many integers in a file, near each other
 * in value, without loading all of them. Returns false if `by` is no such tensor. Otherwise the
 * graph has an error, or out->of has the groups and out->axis.coord the distinct labels. again: the
 * step may read the labels once more while it reduces; else the group of each label is kept in
 * memory.
 */
bool axt_labels_met(struct axt_graph *g, struct axt_expr *by, bool again, struct axt_groups *out);

/*
 * In weights.c, for weights w with missing values. axt_weights_over gives w over all axes of `a`;
 * axt_weights_lack tells whether elements are to be left out where w is missing (w may be NULL;
 * nan: as in axt_reduce_opts); axt_weights_filled gives w with 0 there. axt_weights_leave_out gives
 * `a` with 0 there, or with NaN if the reduction leaves out missing values of `a`, so that counts
 * leave them out.
 */
struct axt_expr *axt_weights_over(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w);
bool axt_weights_lack(const struct axt_expr *w, int nan);
struct axt_expr *axt_weights_filled(struct axt_graph *g, struct axt_expr *w);
struct axt_expr *axt_weights_leave_out(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w,
    int nan);
/* In weights.c: axt_reduce of a quantile or median with weights, without labels. */
struct axt_expr *axt_weighted_quantile(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o);

/*
 * In separable.c: e, or the same values where it is an extreme over windows of several axes that
 * are better reduced one axis after another.
 */
struct axt_expr *axt_separated(struct axt_graph *g, struct axt_expr *e);

#endif
