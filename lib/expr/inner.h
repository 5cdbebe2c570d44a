/* inner.h - what the files of this room share, and no other room calls. */
#ifndef AXT_EXPR_INNER_H
#define AXT_EXPR_INNER_H

#include "axes/select.h"
#include "expr/expr.h"

/*
 * A warning for positions selected by `spec` that were likely meant otherwise: as coordinates, or
 * as a range that is not empty. where: what messages call the tensor. NULL: there is no doubt.
 */
const char *axt_positions_doubt(struct axt_arena *m, const struct axt_axis *x, const char *spec,
    const char *where, const struct axt_selection *s);
/* The same of two dates that `spec` has selected along a time axis, with others between them. */
const char *axt_dates_doubt(struct axt_arena *m, const struct axt_axis *x, const char *spec,
    const struct axt_selection *s);

/*
 * In tall.c: replaces the systems of linear equations a[0] X = a[1] by systems with fewer rows and
 * the same least squares, in f64 or c128; *row becomes the axis of their rows. Systems that are no
 * larger than a few blocks stay as they are. other is the axis of the columns of a[1].
 */
int axt_fewer_rows(struct axt_graph *g, struct axt_expr *a[2], struct axt_axis *row,
    const struct axt_axis *col, const struct axt_axis *other);

#endif
