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
/*
 * In by_hand.c: warns of a result that is a sum of times. Within an expression it may be right:
 * (a + b) / 2 is the time between two.
 */
void axt_doubt_sum(struct axt_graph *g, const struct axt_expr *e);

/*
 * In weights.c: the weights, broadcast to all axes of `a`. Whether elements are left out where w,
 * which may be NULL, is missing: nan as of axt_reduce. The weights with 0 in place of what is
 * missing; and a, of elements that count, 0 there, or missing where a's missing values are left
 * out.
 */
struct axt_expr *axt_weights_over(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w);
bool axt_weights_lack(const struct axt_expr *w, int nan);
struct axt_expr *axt_weights_filled(struct axt_graph *g, struct axt_expr *w);
struct axt_expr *axt_weights_leave_out(struct axt_graph *g, struct axt_expr *a, struct axt_expr *w,
    int nan);

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

/*
 * In attr.c: AXIS:NAME for a name that is typed as AXIS.NAME, where the list has none of that name
 * and there is such an axis; just NAME behind the name of the tensor. NULL: it is typed as it is
 * meant.
 */
const char *axt_attr_undotted(struct axt_graph *g, const struct axt_axes *x, const char *tensor,
    const struct axt_attr *l, const char *name);
/*
 * In attr.c: a with the attribute, as axt_set_attr sets it. numbers: NULL, or those of the
 * attribute as text.
 */
struct axt_expr *axt_attr_put(struct axt_graph *g, struct axt_expr *a, const char *object,
    struct axt_attr *at, const char *numbers);
/*
 * In attr.c: warns where the attribute `to`, which a tensor with the attributes l gets, declares
 * another number as missing than they do, so that elements that were missing are values.
 */
void axt_doubt_fill(struct axt_graph *g, const char *tensor, const struct axt_attr *l,
    const struct axt_attr *to);

#endif
