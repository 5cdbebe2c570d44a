/*
 * select.h - finds the positions of an axis that a spec selects, and their coordinates. These
 * functions know only axes, and nothing of expressions or files.
 */
#ifndef AXT_AXES_SELECT_H
#define AXT_AXES_SELECT_H

#include "axes/axes.h"

/*
 * The positions start, start + step, ..., of which there are len, all on the axis. step is 1 if len
 * < 2.
 */
struct axt_span {
	int64_t start, step, len; /* step may be negative; if it is 0, one position is repeated */
};

struct axt_selection {
	int nspans; /* 0: nothing is selected, as by an empty range of positions */
	struct axt_span *span;
	int64_t len; /* number of positions in all spans */
	/*
	 * one position was selected by itself, so that the axis is dropped; there is one span of
	 * length 1
	 */
	bool drop;
	/* the coordinates of the selected positions; NULL: the axis has none, or is dropped */
	const struct axt_coord *coord;
	/* [i]: the number of turns of 360 that were subtracted from coordinate i; NULL: none */
	const int64_t *turns;
	const char
	    *beyond; /* a warning of a value far from the nearest, which was taken; or NULL */
};

/*
 * What `spec` selects of a, as in axt-slice(1).
 * Positions (by_value false): "i" drops the axis; "i:j", "i:j:k" as Python's slices; "i,j,...".
 * A list with a range in it, "i:j,k", selects each position once, in the order of the axis.
 * Values (by_value): "v" drops the axis, "v,w,..." keeps it; they must be there, or else the
 * nearest is taken (the larger of two). "v:w" or "v/w" is a range with both ends in it; either end
 * may be missing, in any order; the result keeps the axis's order. Values are compared in the
 * coordinates' dtype. On a CF time axis they are dates: with a clock, an instant; without, all of
 * that day, month or year, and the axis is kept. Text is compared bytewise (`\` makes the next byte
 * literal) and has no ranges. In degrees_east values are compared modulo 360, and a range goes
 * eastward: where it crosses the end of the axis it has two spans, with coordinates that go on to
 * the end typed.
 * from    "a.nc:t" for messages; NULL: a->from.
 * Errors: SYNTAX; ARG (no such position or value, or nothing in a range: messages give the axis's
 * range and the nearest value); AMBIG (a value that stands twice); COORD (no coordinates; a range
 * on an axis that neither rises nor falls); DTYPE (complex coordinates); MEM.
 */
int axt_select(struct axt_arena *m, const struct axt_axis *a, const char *spec, bool by_value,
    bool nearest, const char *from, struct axt_selection *out, struct axt_err *e);

/*
 * Marks the values of a coordinate that has several axes, or is not that of its axis: in[i] becomes
 * true where value i is what a word of the spec says, which is a value or a range as above. NaN is
 * in no range. a has the name and, as coordinates, all values in row-major order.
 * Errors: SYNTAX; ARG (nothing is in the spec: the message gives the least and greatest value).
 */
int axt_select_cells(struct axt_arena *m, const struct axt_axis *a, const char *spec,
    const char *from, bool *in, struct axt_err *e);

/*
 * What "AXIS.FIELD@SPEC" selects of a: the positions whose date has field k as the spec says, such
 * as "6:8" or "JJA,SON". They are in the order of the axis, which is kept.
 */
int axt_select_field(struct axt_arena *m, const struct axt_axis *a, int k, const char *spec,
    const char *from, struct axt_selection *out, struct axt_err *e);

/* Turns n positions into spans of constant step. Returns AXT_OK or AXT_E_MEM. */
int axt_spans_of(struct axt_arena *m, const int64_t *pos, int64_t n, struct axt_span **span,
    int *nspans);

/*
 * The coordinates at the positions of the spans, with the same dtype and attributes. The result is
 * c itself if all positions are selected in order, NULL if c is NULL, and has only attributes if c
 * has no values. Returns AXT_OK or AXT_E_MEM.
 */
int axt_coord_take(struct axt_arena *m, const struct axt_coord *c, const struct axt_span *span,
    int nspans, const struct axt_coord **out);

/*
 * Subtracts turns[i / per] turns of 360 from value i of c. The result has the dtype of c if that
 * can hold it, else i64. c must have real numbers. Returns AXT_OK or AXT_E_MEM.
 */
int axt_coord_turn(struct axt_arena *m, const struct axt_coord *c, const int64_t *turns,
    int64_t per, const struct axt_coord **out);

/*
 * Sets pos[i] to the position of label i among a's coordinates. Values are compared as coordinates
 * are: in the narrower dtype; integers exactly; if both are CF times, as instants, with units and
 * calendar from labels->attrs; text bytewise; degrees_east modulo 360. None may be there twice.
 * absent  what is done with a label that is not there: an error; position -1; or that of the
 *         nearest coordinate, as axt_select finds it (text has none)
 * from    as above, of a
 * what    where the labels are from, for messages
 * cost    n log n for the coordinates, log n for a label
 * Errors: ARG (not there; no nearest); AMBIG (there twice); COORD (no coordinates, text against
 * numbers, calendars that cannot be compared); DTYPE (complex); MEM.
 */
enum axt_absent { AXT_ABSENT_FAILS, AXT_ABSENT_NONE, AXT_ABSENT_NEAREST };
int axt_labels_find(struct axt_arena *m, const struct axt_axis *a, const struct axt_coord *labels,
    const char *from, const char *what, enum axt_absent absent, int64_t *pos, struct axt_err *e);

/*
 * Where the coordinates of one of two axes are all among those of the other, in any order, adds the
 * hint that they can be paired by that. Returns whether they are.
 */
bool axt_labels_hint(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e);

/*
 * Concatenates n >= 1 axes of one name: *out is the first one, with the sum of the lengths and all
 * coordinates. CF times are converted to the first axis's units (calendars must agree), and dtypes
 * are promoted. Unless override, values must go on in one direction without repeats (text: without
 * repeats), other units must be the same, and all or none must have coordinates; with override
 * there are none where one axis lacks them. Axes of length 0 are not checked.
 * dataset  NULL; or the coordinates are the values of that dataset, whose order is not checked
 * Errors: COORD (naming both operands and the values); DTYPE (complex); LIMIT; MEM.
 */
int axt_coords_concat(struct axt_arena *m, const struct axt_axis *const a[], int n, bool override,
    const char *dataset, struct axt_axis *out, struct axt_err *e);

#endif
