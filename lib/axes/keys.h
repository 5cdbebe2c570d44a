/*
 * keys.h - coordinates made ready to be looked up: one number for each value, in rising order.
 */
#ifndef AXT_AXES_KEYS_H
#define AXT_AXES_KEYS_H

#include "axes/inner.h"

/* Holds every integer of 64 bits and every f64 exactly. */
typedef long double axt_key;

/* How values become keys. */
struct axt_keying {
	bool time;		/* seconds of t's count */
	struct axt_cftime t;
	enum axt_dtype narrow;	/* floats are cast to it first; AXT_DTYPE_AUTO: not */
};

/* Whether c has CF times; then *t is how to read them. */
bool axt_coord_time(const struct axt_coord *c, struct axt_cftime *t);
/* Whether c counts degrees of longitude, which come around. */
bool axt_coord_circle(const struct axt_coord *c);

/* The key of value i: of text a hash; NaN stays. */
axt_key axt_key_of(const struct axt_coord *c, const struct axt_keying *how, int64_t i);
/* How far a key may be off: rounding of instants near k; else 0. */
axt_key axt_key_slack(const struct axt_coord *c, const struct axt_keying *how, axt_key k);

struct axt_keys {
	const struct axt_coord *c;
	struct axt_keying how;
	int64_t n;		/* without NaN */
	struct axt_keyed {
		axt_key k;
		int64_t i;	/* where it stands */
	} *v;			/* by key, then by place */
};
/* AXT_OK or AXT_E_MEM. c has values. */
int axt_keys_init(struct axt_arena *m, const struct axt_coord *c, const struct axt_keying *how,
    struct axt_keys *out);
/* Index in v of the first key that is not below k; n when there is none. */
int64_t axt_keys_above(const struct axt_keys *s, axt_key k);
/*
 * Index in v of the one value with key k, which may be off by slack (text: that is the string), or
 * -1 when there is none. *twice: index of another one with the same value, or -1.
 */
int64_t axt_keys_find(const struct axt_keys *s, axt_key k, axt_key slack, const char *text,
    int64_t *twice);
/* The key of a string. */
axt_key axt_key_text(const char *s);

#endif
