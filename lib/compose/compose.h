/* compose.h - operations made of other nodes that other rooms use as well. */
#ifndef AXT_COMPOSE_COMPOSE_H
#define AXT_COMPOSE_COMPOSE_H

#include "expr/expr.h"

/* In gufunc.c: axt_reduce of a quantile or median with weights, without labels. */
struct axt_expr *axt_weighted_quantile(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const struct axt_reduce_opts *o);

/* In gufunc.c: b over axis i of a too. */
struct axt_expr *axt_over_axis(struct axt_graph *g, struct axt_expr *b, const struct axt_expr *a,
    int i);

/*
 * In tall.c: systems of linear equations a[0] X = a[1] that have few rows and the same least
 * squares, in f64 or c128; what they are by then is in *row. Those that are no larger than a few
 * blocks stay. other: the columns of a[1].
 */
int axt_fewer_rows(struct axt_graph *g, struct axt_expr *a[2], struct axt_axis *row,
    const struct axt_axis *col, const struct axt_axis *other);

/*
 * In by_hand.c: warns of results that were converted to other units by arithmetic, or are made of
 * what was, and still have the units from before.
 */
void axt_doubt_units(struct axt_graph *g, struct axt_expr *const e[], int n);

#endif
