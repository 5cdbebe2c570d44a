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
 * Selects the positions that `one` selects for any word of the comma list spec, each position once
 * and in the order of the axis.
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
 * The index in s->v of the key that is nearest to the range [lo, hi], modulo 360 if `circle`. Of
 * two at the same distance it is the larger key. There must be a key.
 */
int64_t axt_keys_nearest(const struct axt_keys *s, axt_key lo, axt_key hi, bool circle);
/*
 * Whether the range [lo, hi] is far from key i, the nearest one: beyond an end of the keys by more
 * than the step between keys there. With `circle` it is far if key i is more than two steps away.
 */
bool axt_keys_beyond(const struct axt_keys *s, int64_t i, axt_key lo, axt_key hi, bool circle);
/*
 * Selects [lo, hi], where lo <= hi, on an axis of longitudes, which may select nothing. The values
 * rise if `rises`, else fall, except at position `jump`, where they begin anew, as 0 does after
 * 355. jump is the length of the axis if there is no such position.
 */
int axt_pick_around(struct axt_picking *p, bool rises, int64_t jump, axt_key lo, axt_key hi);
/* Whether there is such a place on an axis within one turn, and how the values go on there. */
bool axt_circle_jump(const struct axt_coord *c, int64_t *jump, bool *rises);

#endif
