/*
 * inner.h - shared by the files of this room: axes as messages show them, and the comparison of
 * coordinates.
 */
#ifndef AXT_AXES_INNER_H
#define AXT_AXES_INNER_H

#include "axes/axes.h"

/* The axis as messages show it, with stars and escapes. Never NULL. */
const char *axt_axis_show(struct axt_arena *m, const struct axt_axis *a);
/* A file or name as messages show it. Never NULL. */
const char *axt_show(struct axt_arena *m, const char *s);
/* " in a.nc:t", from the first axis that has an origin; "" if none has. */
const char *axt_axes_in(struct axt_arena *m, const struct axt_axes *x);
/* The names of the axes, such as "time, lat, lon". */
const char *axt_axes_names(struct axt_arena *m, const struct axt_axes *x);
/* axt_axes_unknown_in of axes that know where they are from. */
int axt_axes_unknown(struct axt_arena *m, const struct axt_axes *x, const struct axt_axis *a,
    struct axt_err *e);
int axt_axes_nomem(struct axt_err *e);
/* Adds to the error just set that an axis of two operands, a in one and b in the other, differs. */
int axt_about_both(struct axt_arena *m, enum axt_about about, const struct axt_axis *a,
    const struct axt_axis *b, struct axt_err *e);
/* Where the first axis that knows comes from; NULL: none does. */
const char *axt_axes_from(const struct axt_axes *x);
/* Appends an axis. Fails with LIMIT if the list is full. */
int axt_axes_add(struct axt_axes *x, const struct axt_axis *a, struct axt_err *e);
/* Fails with COORD unless the values along two axes of one length agree. Both have values. */
int axt_coord_compare(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e);
/*
 * The dtype in which coordinates of two dtypes are compared: the narrower one, where a float counts
 * as narrower than an integer, and bf16 as narrower than f16.
 */
enum axt_dtype axt_coord_narrower(enum axt_dtype a, enum axt_dtype b);
/* v rounded to a float dtype. */
double axt_coord_cast(double v, enum axt_dtype d);
/*
 * By how many seconds the time v, stored as dtype d, may differ from the instant that it stands
 * for, because it was rounded: half of the last digit.
 */
double axt_cftime_slack(enum axt_dtype d, const struct axt_cftime *t, double v);
/*
 * Parses one axis of a list that the user typed, such as "NAME^2" with escapes. Moves *s to the
 * unescaped ',' or '=' behind the axis, or to the end.
 */
int axt_axis_parse(struct axt_arena *m, const char **s, struct axt_axis *out, struct axt_err *e);

#endif
