/* inner.h - what the files of this room share. */
#ifndef AXT_OPERATIONS_INNER_H
#define AXT_OPERATIONS_INNER_H

#include "expr/expr.h"

/*
 * In trend.c: a tensor of f64 along axis i of a, with its coordinates, or positions where it has
 * none, and with the units of their differences. *values becomes its values; values may be NULL.
 */
struct axt_expr *axt_axis_points(struct axt_graph *g, const struct axt_expr *a, int i,
    const double **values);

#endif
