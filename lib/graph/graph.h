/*
 * graph.h - what commands ask of a graph: assigning, taking, comparing.
 */
#ifndef AXT_GRAPH_GRAPH_H
#define AXT_GRAPH_GRAPH_H

#include "groups/groups.h"
#include "out/out.h"

/*
 * Packs values as integers or floats of dtype d, which axt_unpack reverses. It is an error if a
 * value becomes the integer that means missing. range is NULL, and then a value outside the dtype
 * is an error, or the least and greatest integer, to which values outside are clipped.
 */
struct axt_expr *axt_packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d,
    const struct axt_packing *p, const double *range);
/*
 * In take.c: as axt_meet_dates, of two operands that do not meet along that axis of e[0]: elements
 * are taken, or interpolated, along it, as e[1] tells.
 */
int axt_meet_dates_but(struct axt_graph *g, struct axt_expr *e[2], const char *axis);
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
/*
 * In take.c: `a` in a dtype that has NaN, for missing elements; the dtype is the one that unpacking
 * integers with missing values gives.
 */
struct axt_expr *axt_with_nan(struct axt_graph *g, struct axt_expr *a);

/*
 * In waits.c: a sink that stores values for later use. `to` has to be closed, also after an error.
 */
struct axt_wait_sink {
	struct axt_sink sink;
	struct axt_waiting *to;
};
int axt_wait_sink_open(struct axt_graph *g, struct axt_wait_sink *k, const struct axt_expr *e,
    struct axt_waiting *to);
/*
 * A leaf over the stored values of e (after axt_wait_map), with the name and attributes of `like`.
 */
struct axt_expr *axt_wait_leaf(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_expr *like, const struct axt_waiting *w);
/*
 * Whether e should be computed without holding a lock: it reads a pipe, whose writer may wait for
 * that lock, or it computes few values from much work.
 */
bool axt_is_slow(struct axt_graph *g, struct axt_expr *e);

/*
 * In positions.c: the index without its coordinates along axis i of `a`, if they only count its
 * elements, so that those of `a` follow. Other coordinates say which places the result has, and a
 * warning tells that those of `a` are given up for them.
 */
struct axt_expr *axt_unnumbered(struct axt_graph *g, const struct axt_expr *a, int i,
    struct axt_expr *index);
/*
 * In positions.c: whether labels are most likely positions: whole numbers without units along an
 * axis of times.
 */
bool axt_seem_positions(const struct axt_axis *x, const struct axt_expr *index);

#endif
