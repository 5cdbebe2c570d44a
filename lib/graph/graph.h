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

#endif
