/*
 * graph.h - what commands ask of a graph: assigning, taking, comparing.
 */
#ifndef AXT_GRAPH_GRAPH_H
#define AXT_GRAPH_GRAPH_H

#include "groups/groups.h"
#include "out/out.h"

/*
 * Packs values as numbers of dtype d, so that axt_unpack gives the values again. It is an error if
 * a value becomes the number that means missing. range: the least and greatest number, to which
 * others are clipped; NULL: a number that d cannot hold is an error.
 */
struct axt_expr *axt_packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d,
    const struct axt_packing *p, const double *range);
/*
 * In take.c: does what axt_meet_dates does with the two operands of axt_take or axt_interp. They do
 * not meet along the axis `axis` of e[0], along which e[1] says what is taken.
 */
int axt_meet_dates_but(struct axt_graph *g, struct axt_expr *e[2], const char *axis);
/*
 * Whether the last of n assignments can be made after the others. This finds every error but those
 * that only computing and writing values can show.
 */
enum axt_code axt_assign_check(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o);
/*
 * In take.c: the elements of `a` at the positions `at`, of i64, along axis i, taken line by line. A
 * negative position gives NaN; missing: there may be negative ones.
 */
struct axt_expr *axt_take_lines(struct axt_graph *g, struct axt_expr *a, int i, struct axt_expr *at,
    bool missing);
/*
 * In take.c: e with one more auxiliary coordinate *x, which lies over axes of e and is named in the
 * attribute "coordinates". If e has an axis or an auxiliary dataset of that name, it stays as it
 * is.
 */
struct axt_expr *axt_with_auxiliary(struct axt_graph *g, struct axt_expr *e,
    const struct axt_aux *x);
/*
 * In take.c: splits axis i of e, along which the elements of an index follow each other in
 * row-major order, into the axes x of the index.
 */
struct axt_expr *axt_unfold(struct axt_graph *g, struct axt_expr *e, int i,
    const struct axt_axes *x);
/* In attributes.c: the attributes of the group of that path. */
int axt_attrs_of_group(struct axt_graph *g, struct axt_file *f, const char *group,
    const struct axt_attr **attrs);
/*
 * In take.c: `a` in a dtype that has NaN, which missing elements need: the one to which integers
 * with missing values are unpacked.
 */
struct axt_expr *axt_with_nan(struct axt_graph *g, struct axt_expr *a);

/*
 * In waits.c: a sink that stores values until they are used. Close `to` afterwards, also on an
 * error.
 */
struct axt_wait_sink {
	struct axt_sink sink;
	struct axt_waiting *to;
};
int axt_wait_sink_open(struct axt_graph *g, struct axt_wait_sink *k, const struct axt_expr *e,
    struct axt_waiting *to);
/*
 * A leaf over the values of e that a sink has stored, after axt_wait_map, with the name and
 * attributes of `like`.
 */
struct axt_expr *axt_wait_leaf(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_expr *like, const struct axt_waiting *w);
/*
 * Whether e should be computed while no file is locked: it reads a pipe whose writer may wait for
 * the lock, or it does much work for few values.
 */
bool axt_is_slow(struct axt_graph *g, struct axt_expr *e);

/*
 * In positions.c: if the coordinates that the index has for axis i of `a` only count its elements,
 * the index without them, so that the result gets those of `a`. Otherwise the result has the
 * coordinates of the index, and a warning says that those of `a` are given up for them.
 */
struct axt_expr *axt_unnumbered(struct axt_graph *g, const struct axt_expr *a, int i,
    struct axt_expr *index);
/*
 * In positions.c: whether labels are most likely positions: whole numbers without units along an
 * axis of times.
 */
bool axt_seem_positions(const struct axt_axis *x, const struct axt_expr *index);

#endif
