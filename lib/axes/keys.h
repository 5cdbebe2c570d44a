/* keys.h - coordinates prepared for lookup: a number for each value, sorted. */
#ifndef AXT_AXES_KEYS_H
#define AXT_AXES_KEYS_H

#include "axes/inner.h"

/* Holds every integer of 64 bits and every f64 exactly. */
typedef long double axt_key;

/* How values are turned into keys. */
struct axt_keying {
	bool time; /* a key is an instant, in seconds of t's count */
	struct axt_cftime t;
	enum axt_dtype narrow; /* floats are cast to it first; AXT_DTYPE_AUTO: they are not */
};

/* Whether c has CF times; then *t is how to read them. */
bool axt_coord_time(const struct axt_coord *c, struct axt_cftime *t);
/* Whether c has degrees of longitude, which are compared modulo 360. */
bool axt_coord_circle(const struct axt_coord *c);

/* The key of value i: the value; of text a hash; NaN stays NaN. */
axt_key axt_key_of(const struct axt_coord *c, const struct axt_keying *how, int64_t i);
/* How far two keys near k may differ and still be one value: the rounding of instants, else 0. */
axt_key axt_key_slack(const struct axt_coord *c, const struct axt_keying *how, axt_key k);

struct axt_keys {
	const struct axt_coord *c;
	struct axt_keying how;
	int64_t n; /* without NaN */
	struct axt_keyed {
		axt_key k;
		int64_t i; /* index of the value in c */
	} * v;             /* sorted by key, then by index */
};
/* c must have values. Returns AXT_OK or AXT_E_MEM. */
int axt_keys_init(struct axt_arena *m, const struct axt_coord *c, const struct axt_keying *how,
    struct axt_keys *out);
/* The index in v of the first key that is at least k, or n when there is none. */
int64_t axt_keys_above(const struct axt_keys *s, axt_key k);
/*
 * The index in v of a value whose key differs from k by at most slack (and, of text, which is that
 * string), or -1. *twice gets the index of another such value, or -1.
 */
int64_t axt_keys_find(const struct axt_keys *s, axt_key k, axt_key slack, const char *text,
    int64_t *twice);
/* The key of a string. */
axt_key axt_key_text(const char *s);

#endif
