/*
 * inner.h - what the files of this room share: axes as messages show them, and comparing
 * coordinates.
 */
#ifndef AXT_AXES_INNER_H
#define AXT_AXES_INNER_H

#include "axes/axes.h"

/* The axis as a message shows it: with stars, escaped; never NULL. */
const char *axt_axis_show(struct axt_arena *m, const struct axt_axis *a);
/* A file or name as a message shows it; never NULL. */
const char *axt_show(struct axt_arena *m, const char *s);
/* " in a.nc:t" of the first axis that has an origin, or "". */
const char *axt_axes_in(struct axt_arena *m, const struct axt_axes *x);
/* "time, lat, lon": names only. */
const char *axt_axes_names(struct axt_arena *m, const struct axt_axes *x);
/* Fails with NAME: x has no axis a. The message lists x's axes; the hint is the nearest one. */
int axt_axes_unknown(struct axt_arena *m, const struct axt_axes *x, const struct axt_axis *a,
    struct axt_err *e);
int axt_axes_nomem(struct axt_err *e);
/* Moves the error of own, if it has one, to e; returns own's code. */
int axt_axes_tell(struct axt_err *e, const struct axt_err *own);
/* Appends an axis; fails with LIMIT when the list is full. */
int axt_axes_add(struct axt_axes *x, const struct axt_axis *a, struct axt_err *e);
/* Fails with COORD unless the values along two axes of one length agree (both have values). */
int axt_coord_compare(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e);
/*
 * The narrower of two dtypes: a float rather than an integer; of two halves the one with fewer
 * digits.
 */
enum axt_dtype axt_coord_narrower(enum axt_dtype a, enum axt_dtype b);
/* v rounded to a float dtype. */
double axt_coord_cast(double v, enum axt_dtype d);
/*
 * How many seconds a value may differ from an instant by rounding: half the last digit of its
 * dtype.
 */
double axt_cftime_slack(enum axt_dtype d, const struct axt_cftime *t, double v);
/* Value i as messages show it: text in quotes; a date if t is not NULL; never NULL. */
const char *axt_coord_value(struct axt_arena *m, const struct axt_coord *c,
    const struct axt_cftime *t, int64_t i);
/*
 * Parses one word as typed, "NAME^2" with escapes, up to an unescaped ',' or '=' or the end, and
 * moves *s there.
 */
int axt_axis_parse(struct axt_arena *m, const char **s, struct axt_axis *out, struct axt_err *e);

#endif
