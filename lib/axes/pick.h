/* pick.h - shared by the files that read specs. */
#ifndef AXT_AXES_PICK_H
#define AXT_AXES_PICK_H

#include "axes/keys.h"
#include "axes/select.h"

struct axt_picking {
	struct axt_arena *m;
	const struct axt_axis *a;
	const char *name, *in; /* the axis, and " in a.nc:t", as messages show them */
	const char *from;      /* what the axis is of, for messages; may be NULL */
	bool nearest, drop;
	/* [i]: the number of turns of 360 to subtract from the value at position i; NULL: none */
	const int64_t *turns;
	struct axt_span *run; /* if not NULL, this span is selected instead of single positions */
	int64_t *pos, n, cap;
	const char *beyond; /* what axt_selection has under this name */
	struct axt_err *e;
};

/* Adds to the error just set what a word of a spec is in it: `of` is the axis. Returns its code. */
int axt_pick_about(const struct axt_picking *p, enum axt_about about, const char *word);
/* Selects one more position. */
int axt_pick(struct axt_picking *p, int64_t i);
/* Selects a span instead of single positions. */
int axt_pick_run(struct axt_picking *p, int64_t start, int64_t step, int64_t len);
/* Selects the positions i of the axis for which in[i] is true. */
int axt_pick_marked(struct axt_picking *p, const bool *in);
int axt_pick_positions(struct axt_picking *p, const char *spec);
int axt_pick_values(struct axt_picking *p, const char *spec);
/* Marks what axt_select_cells marks. */
int axt_pick_cells(struct axt_picking *p, const char *spec, bool *in);
/* In dates.c: selects the positions whose field k is as the spec says, such as "6:8" or "DJF". */
int axt_pick_field(struct axt_picking *p, int k, const char *from, const char *spec);
/*
 * Selects what any of the words of the list selects by `one`, in the order of the axis and each
 * position once.
 */
typedef int axt_pick_fn(struct axt_picking *p, const char *spec);
int axt_pick_union(struct axt_picking *p, const char *spec, axt_pick_fn *one);

/* ---- circle.c: longitudes, modulo 360 ---- */

/* k rounded to the dtype of c, if that is a float dtype. */
axt_key axt_key_cast(const struct axt_coord *c, axt_key k);
/*
 * Whether v or a coordinate is too large to be a longitude, so that values are not compared modulo
 * 360.
 */
bool axt_keys_far(const struct axt_keys *s, axt_key v);
/* Does what axt_keys_find does, but modulo 360. */
int64_t axt_keys_around(const struct axt_keys *s, axt_key v, int64_t *twice);
/* The index in s->v of the key that is nearest to v modulo 360. There is at least one key. */
int64_t axt_keys_near_around(const struct axt_keys *s, axt_key v);
/*
 * The index of the key that is nearest to [lo, hi], modulo 360 if `circle`; of two at the same
 * distance, that of the larger. There is at least one key.
 */
int64_t axt_keys_nearest(const struct axt_keys *s, axt_key lo, axt_key hi, bool circle);
/*
 * Whether [lo, hi] is farther from its nearest key, number i, than keys are from each other there:
 * beyond an end, or in the rest of the circle that the keys leave out.
 */
bool axt_keys_beyond(const struct axt_keys *s, int64_t i, axt_key lo, axt_key hi, bool circle);
/*
 * Selects [lo, hi], where lo <= hi, on an axis whose values rise or, if not `rises`, fall, but for
 * one place `jump` where they begin anew, as 355, 0, 5 do; the length of the axis: they do not. It
 * may select nothing.
 */
int axt_pick_around(struct axt_picking *p, bool rises, int64_t jump, axt_key lo, axt_key hi);
/* Whether there is such a place on an axis within one turn, and how the values go on there. */
bool axt_circle_jump(const struct axt_coord *c, int64_t *jump, bool *rises);

#endif
