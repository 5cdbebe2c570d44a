/* inner.h - what the files of this room share. */
#ifndef AXT_OPERATIONS_INNER_H
#define AXT_OPERATIONS_INNER_H

#include "expr/expr.h"

/*
 * In trend.c: the coordinates of axis i of a, or positions where it has none, as f64 along it, with
 * the units that differences of them have. values: they become *values; may be NULL.
 */
struct axt_expr *axt_axis_points(struct axt_graph *g, const struct axt_expr *a, int i,
    const double **values);

#endif
