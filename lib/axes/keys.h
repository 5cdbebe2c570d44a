/* keys.h - coordinates prepared for lookup: a sorted list of numbers, one for each value. */
#ifndef AXT_AXES_KEYS_H
#define AXT_AXES_KEYS_H

#include "axes/inner.h"

/* a type that holds every integer of 64 bits and every f64 exactly */
typedef long double axt_key;

/* How keys are made of values. */
struct axt_keying {
	bool time; /* keys are instants, in the seconds of axt_cftime_seconds */
	struct axt_cftime t;
	enum axt_dtype narrow; /* the dtype to which floats are cast first; AXT_DTYPE_AUTO: none */
};

/* Whether c has CF times; *t then tells how to read them. */
bool axt_coord_time(const struct axt_coord *c, struct axt_cftime *t);
/* Whether c has longitudes in degrees, which are compared modulo 360. */
bool axt_coord_circle(const struct axt_coord *c);
/* The same of an axis, whose name or standard_name may tell it, of numbers up to 720. */
bool axt_axis_circle(const struct axt_axis *a);

/* The key of value i: the value itself; of text a hash. NaN stays NaN. */
axt_key axt_key_of(const struct axt_coord *c, const struct axt_keying *how, int64_t i);
/*
 * By how much two keys near k may differ and still mean one coordinate: the rounding error where
 * keys are instants, else 0.
 */
axt_key axt_key_slack(const struct axt_coord *c, const struct axt_keying *how, axt_key k);

struct axt_keys {
	const struct axt_coord *c;
	struct axt_keying how;
	int64_t n; /* number of values that are not NaN */
	struct axt_keyed {
		axt_key k;
		int64_t i; /* index of the value in the coordinates */
	} * v;             /* sorted by key, and by index if keys are equal */
};
/* Makes the keys of c, which must have values. Returns AXT_OK or AXT_E_MEM. */
int axt_keys_init(struct axt_arena *m, const struct axt_coord *c, const struct axt_keying *how,
    struct axt_keys *out);
/* The index in v of the first key that is at least k; n if there is none. */
int64_t axt_keys_above(const struct axt_keys *s, axt_key k);
/*
 * The index in s->v of a value whose key differs from k by at most `slack`; if the coordinates are
 * text, the string must be equal to `text` as well. -1: there is none. *twice becomes the index of
 * another such value, or -1.
 */
int64_t axt_keys_find(const struct axt_keys *s, axt_key k, axt_key slack, const char *text,
    int64_t *twice);
/* The key of a string. */
axt_key axt_key_text(const char *s);

#endif
