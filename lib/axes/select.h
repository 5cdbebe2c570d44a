/*
 * select.h - which positions of an axis a spec selects, and the coordinates that come with them.
 * Functions of an axis alone: no expression, no file.
 */
#ifndef AXT_AXES_SELECT_H
#define AXT_AXES_SELECT_H

#include "axes/axes.h"

/* Positions start, start + step, ...: len of them, all on the axis; step is 1 where len < 2. */
struct axt_span {
	int64_t start, step, len;	/* step may be negative; 0: one position again and again */
};

struct axt_selection {
	int nspans;		/* 0: nothing is selected (an empty range of positions) */
	struct axt_span *span;
	int64_t len;		/* of all spans together */
	bool drop;		/* one position, and the axis goes: one span of length 1 */
	/* Values along what is selected (n is len); NULL: the axis has none, or it goes. */
	const struct axt_coord *coord;
	/* Of each position, the turns of 360 that coord is less than the axis's; NULL: none. */
	const int64_t *turns;
};

/*
 * What `spec` selects of a, as axt-slice(1) tells.
 * Positions (by_value false): "i" drops the axis; "i:j", "i:j:k" as Python's slices; "i,j,...".
 * Values (by_value): "v" drops the axis, "v,w,..." keeps it. They must be there, or the nearest is
 * taken (the larger of two). "v:w" or "v/w": both ends in, either may be missing, in any order; the
 * result keeps the axis's order. Compared in the coordinates' dtype.
 * On a CF time axis values are dates: one with a clock is an instant, a shorter one is all of its
 * day, month or year and keeps the axis. Text is compared bytewise (`\` takes the next byte
 * literally) and has no ranges. In degrees_east values count modulo 360, and a range goes eastward:
 * across the seam it has two spans, and coordinates that run on to its end as typed.
 * from    "a.nc:t" for messages; NULL: a->from.
 * Errors: SYNTAX; ARG (no such position or value, nothing in a range: messages give the axis's
 * range and the nearest value); AMBIG (a value that stands twice); COORD (no coordinates; a range
 * on an axis that neither rises nor falls); DTYPE (complex coordinates); MEM.
 */
int axt_select(struct axt_arena *m, const struct axt_axis *a, const char *spec, bool by_value,
    bool nearest, const char *from, struct axt_selection *out, struct axt_err *e);

/* n positions as spans of constant step. AXT_OK, or AXT_E_MEM. */
int axt_spans_of(struct axt_arena *m, const int64_t *pos, int64_t n, struct axt_span **span,
    int *nspans);

/*
 * The coordinates at the positions of spans: same dtype and attributes; c itself where that is all
 * of it. c NULL: NULL; without values: attributes only. AXT_OK, or AXT_E_MEM.
 */
int axt_coord_take(struct axt_arena *m, const struct axt_coord *c, const struct axt_span *span,
    int nspans, const struct axt_coord **out);

/*
 * c with value i less turns[i / per] turns of 360, in c's dtype where that holds them, else i64.
 * c has real numbers. AXT_OK, or AXT_E_MEM.
 */
int axt_coord_turn(struct axt_arena *m, const struct axt_coord *c, const int64_t *turns,
    int64_t per, const struct axt_coord **out);

/*
 * pos[i]: where the value i of labels stands among a's coordinates. Compared as coordinates are:
 * in the narrower dtype; integers exactly; where both are CF times as instants, units and calendar
 * read from labels->attrs; text bytewise; degrees_east modulo 360. Each must be there, once.
 * from    of a, as above
 * what    the labels' origin, for messages
 * cost    n log n for the coordinates, log n for a label
 * Errors: ARG (not there); AMBIG (there twice); COORD (no coordinates, text against numbers,
 * calendars that count otherwise); DTYPE (complex); MEM.
 */
int axt_labels_find(struct axt_arena *m, const struct axt_axis *a, const struct axt_coord *labels,
    const char *from, const char *what, int64_t *pos, struct axt_err *e);

/*
 * n >= 1 axes of one name, end to end: *out is the first, with the lengths' sum and the joined
 * coordinates. CF times are converted to the first's units (calendars must agree), dtypes are
 * promoted. Unless override, they go on in one direction without repeats (text: without repeats),
 * other units are the same, and all or none have coordinates; with override there are none where
 * one lacks them. Axes of no length have no say.
 * dataset  NULL; or the coordinates are the values of that dataset, which have no order
 * Errors: COORD (naming both operands and the values); DTYPE (complex); LIMIT; MEM.
 */
int axt_coords_concat(struct axt_arena *m, const struct axt_axis *const a[], int n, bool override,
    const char *dataset, struct axt_axis *out, struct axt_err *e);

#endif
