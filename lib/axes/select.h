/*
 * select.h - finds the positions of an axis that a spec selects, and their coordinates. These
 * functions know only axes, and nothing of expressions or files.
 */
#ifndef AXT_AXES_SELECT_H
#define AXT_AXES_SELECT_H

#include "axes/axes.h"

/*
 * The positions start, start + step and so on, `len` of them, all on the axis. step is 1 if len <
 * 2.
 */
struct axt_span {
	int64_t start, step, len; /* step may be negative; if it is 0, one position is repeated */
};

struct axt_selection {
	int nspans; /* 0: nothing is selected, as by an empty range of positions */
	struct axt_span *span;
	int64_t len; /* number of positions in all spans */
	/*
	 * The spec selected a single position, so that the axis is dropped; there is one span of
	 * length 1.
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
 * Finds what `spec` selects of the axis a, as in axt-slice(1).
 * By position (by_value false): "i" drops the axis; "i:j" and "i:j:k" are Python's slices;
 * "i,j,..." is a list. A list with a range in it, "i:j,k", selects each position once, in the
 * axis's order.
 * By value (by_value): "v" drops the axis, "v,w,..." keeps it. The values must be coordinates; with
 * `nearest`, the nearest coordinate is taken instead, of two the larger. "v:w" or "v/w" is a range
 * that includes both ends; an end may be left out, and the ends may stand in any order; positions
 * keep the axis's order. Values are compared in the dtype of the coordinates. On a CF time axis
 * they are dates: one with a time of day is an instant; one without is the whole day, month or
 * year, and the axis is kept. Text is compared byte by byte (`\` makes the next byte literal) and
 * has no ranges. Longitudes are compared modulo 360, and a range goes eastward: where it crosses
 * the end of the axis it has two spans, whose coordinates go on to the end that was typed.
 * from    the tensor for messages, "a.nc:t"; NULL: a->from.
 * Errors: SYNTAX; ARG (no such position or value, or nothing in a range: messages give the axis's
 * range and the nearest value); AMBIG (a value that occurs twice); COORD (no coordinates; a range
 * on an axis that neither rises nor falls); DTYPE (complex coordinates); MEM.
 */
int axt_select(struct axt_arena *m, const struct axt_axis *a, const char *spec, bool by_value,
    bool nearest, const char *from, struct axt_selection *out, struct axt_err *e);

/*
 * Marks cells of a coordinate that lies over several axes, or over an axis that it is not the
 * coordinate of. a has its name and, as coordinates, all its values in row-major order. in[i]
 * becomes true where value i fits a word of the spec: a value or a range, as in axt_select. NaN
 * fits none.
 * Errors: SYNTAX; ARG (no value fits: the message gives the least and greatest value).
 */
int axt_select_cells(struct axt_arena *m, const struct axt_axis *a, const char *spec,
    const char *from, bool *in, struct axt_err *e);

/*
 * Finds what "AXIS.FIELD@SPEC" selects of a: the positions where field k of the date is as the spec
 * says, such as "6:8" or "JJA,SON". They stay in the order of the axis, and the axis is kept.
 */
int axt_select_field(struct axt_arena *m, const struct axt_axis *a, int k, const char *spec,
    const char *from, struct axt_selection *out, struct axt_err *e);

/* Turns n positions into spans of constant step. Returns AXT_OK or AXT_E_MEM. */
int axt_spans_of(struct axt_arena *m, const int64_t *pos, int64_t n, struct axt_span **span,
    int *nspans);

/*
 * Gives the coordinates at the positions of the spans, with the dtype and attributes of c. *out is
 * c itself if the spans are all positions in order, NULL if c is NULL, and has only attributes if c
 * has no values. Returns AXT_OK or AXT_E_MEM.
 */
int axt_coord_take(struct axt_arena *m, const struct axt_coord *c, const struct axt_span *span,
    int nspans, const struct axt_coord **out);

/*
 * Subtracts 360 * turns[i / per] from value i of c. *out has the dtype of c if that dtype can hold
 * all values, else i64. c must have real numbers. Returns AXT_OK or AXT_E_MEM.
 */
int axt_coord_turn(struct axt_arena *m, const struct axt_coord *c, const int64_t *turns,
    int64_t per, const struct axt_coord **out);

/*
 * Sets pos[i] to the position of label i among a's coordinates. They are compared as coordinates of
 * operands are: in the narrower dtype; integers exactly; CF times as instants, where labels->attrs
 * have units and calendar of the labels; text byte by byte; longitudes modulo 360. No coordinate
 * that a label means may occur twice.
 * absent  what becomes of a label that is no coordinate: an error; position -1; or the position of
 *         the nearest coordinate, as axt_select finds it (not for text)
 * from    the tensor of a for messages, as in axt_select
 * what    where the labels are from, for messages
 * cost    n log n for the coordinates, log n for a label
 * Errors: ARG (no such coordinate; no nearest); AMBIG (one occurs twice); COORD (no coordinates,
 * text against numbers, calendars that cannot be compared); DTYPE (complex); MEM.
 */
enum axt_absent { AXT_ABSENT_FAILS, AXT_ABSENT_NONE, AXT_ABSENT_NEAREST };
int axt_labels_find(struct axt_arena *m, const struct axt_axis *a, const struct axt_coord *labels,
    const char *from, const char *what, enum axt_absent absent, int64_t *pos, struct axt_err *e);

/*
 * If the coordinates of one axis are all among those of the other, in any order, adds a hint to the
 * error: how to pair the axes by coordinates. Returns whether it did.
 */
bool axt_labels_hint(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    struct axt_err *e);

/*
 * Concatenates n >= 1 axes of one name: *out is the first axis, with the sum of the lengths and all
 * coordinates. CF times are converted to the first axis's units (calendars must agree), and dtypes
 * are promoted. Without `override`, the values must go on in one direction without repeats (text:
 * only without repeats), units must be the same, and all axes or none must have coordinates. With
 * it, *out has no coordinates if one axis lacks them. Axes of length 0 are not checked.
 * dataset  NULL, or the name of a dataset whose values are concatenated here like coordinates;
 *          their order is not checked
 * Errors: COORD (naming both operands and the values); DTYPE (complex); LIMIT; MEM.
 */
int axt_coords_concat(struct axt_arena *m, const struct axt_axis *const a[], int n, bool override,
    const char *dataset, struct axt_axis *out, struct axt_err *e);

#endif
