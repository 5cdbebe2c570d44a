/*
 * cf.h - what attributes say, by the CF conventions: lists of attributes, packed values, units, times, and
 * what a tensor is for.
 */
#ifndef AXT_CF_CF_H
#define AXT_CF_CF_H

#include "dtype/dtype.h"

/* An attribute of a tensor, of an axis's coordinates, or of a file. A list; order is kept. */
enum axt_attr_kind { AXT_ATTR_TEXT, AXT_ATTR_NUM, AXT_ATTR_TEXTS };
struct axt_attr {
	const char *name;
	enum axt_attr_kind kind;
	enum axt_dtype dtype;		/* NUM: of the values */
	int64_t n;			/* NUM: number of values; TEXTS: of strings */
	const void *data;		/* NUM: values, native; TEXTS: const char *const * */
	const char *text;		/* TEXT: NUL-terminated */
	bool typed;			/* by who makes the result: not left out in silence */
	struct axt_attr *next;
};
const struct axt_attr *axt_attr_find(const struct axt_attr *l, const char *name);
/* NULL when there is none or it is no text. */
const char *axt_attr_text(const struct axt_attr *l, const char *name);
/*
 * A new list without / with (at its old place, else at the end) an attribute;
 * nodes of l are shared, never changed.
 */
struct axt_attr *axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name);
struct axt_attr *axt_attr_set(struct axt_arena *m, const struct axt_attr *l,
    const struct axt_attr *a);
/* A new list of those whose names are wanted. */
struct axt_attr *axt_attrs_only(struct axt_arena *m, const struct axt_attr *l,
    bool (*wanted)(const char *name));
bool axt_attr_equal(const struct axt_attr *a, const struct axt_attr *b);
struct axt_packing {
	bool scaled, missing;		/* which of them there are */
	double scale, offset;
	enum axt_dtype attr_dtype;	/* of scale_factor and add_offset; AUTO: there are none */
	int nmiss;
	double miss[8];			/* stored values that mean missing, as NaN does */
};
/* stored: the dtype the values are seen as, axt_with_sign's. */
void axt_packing_read(const struct axt_attr *l, enum axt_dtype stored, struct axt_packing *p);
/* The dtype of unpacked values; and the one they are computed in: f32 would merge wide integers. */
enum axt_dtype axt_unpacked_dtype(enum axt_dtype stored, const struct axt_packing *p);
enum axt_dtype axt_unpacking_dtype(enum axt_dtype stored, enum axt_dtype unpacked);
/*
 * n stored values of dtype `from` as the values of dtype `to` (axt_unpacked_dtype's) that they mean,
 * missing ones NaN: the bits that MASK and UNPACK give in expressions.
 */
void axt_unpack_values(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, int64_t n,
    const struct axt_packing *p);
/* The dtype stored integers are seen as: _Unsigned. */
enum axt_dtype axt_with_sign(const struct axt_attr *l, enum axt_dtype d);
/* Whether an attribute tells of stored values: packing, missing values, their range. */
bool axt_is_packing(const char *name);
/* The list without those. */
const struct axt_attr *axt_attrs_unpacked(struct axt_arena *m, const struct axt_attr *l);
/*
 * Whether both are told and are not two spellings ("m", "metres") of one unit. Times of other
 * reference instants differ, too.
 */
bool axt_units_differ(const char *a, const char *b);
/*
 * CF time (lib/cf/time.c). units like "days since 1850-01-01 12:00";
 * calendar NULL: standard.
 */
struct axt_cftime {
	double unit;			/* seconds per step */
	int calendar;
	/* seconds of the reference instant in that calendar's own count */
	double epoch;
};
/* false when the attributes do not describe a CF time. */
bool axt_cftime_parse(const char *units, const char *calendar, struct axt_cftime *out);
/*
 * ISO 8601 of a value: "2010-06-01", with T12:00:00 when not midnight (fractions when needed); returns its
 * length.
 */
int axt_cftime_text(const struct axt_cftime *t, double v, char out[40]);
/*
 * Fields of the date; season 1 is DJF .. 4 SON; dayofyear begins at 1. false
 * when v is no instant.
 */
struct axt_cffields {
	int64_t year;
	int season, month, day, hour, dayofyear;
};
bool axt_cftime_fields(const struct axt_cftime *t, double v, struct axt_cffields *out);
/* Whether two calendars count the same seconds; and the name of one. */
bool axt_cftime_same_count(int a, int b);
const char *axt_cftime_calendar(int calendar);
/* Seconds of v in the calendar's own count: instants of one calendar compare by it. */
double axt_cftime_seconds(const struct axt_cftime *t, double v);
/* What a tensor is for: the attribute axt_kind of its dataset, and what follows from it. */
#define AXT_NKINDS 4
struct axt_tensor_kind {
	const char *name, *line;
	bool constant, persistent, trainable, input;
};
extern const struct axt_tensor_kind axt_tensor_kinds[AXT_NKINDS];
/* NULL: none, or no such kind. */
const struct axt_tensor_kind *axt_kind_named(const char *name);
const struct axt_tensor_kind *axt_kind_of(const struct axt_attr *attrs);
/* The flags it has, "persistent, trainable"; returns out. */
#define AXT_KIND_FLAGS 64
const char *axt_kind_flags(const struct axt_tensor_kind *k, const char *between,
    char out[AXT_KIND_FLAGS]);
/*
 * A date as typed: [*from, *to) in seconds of t's count is all of "2010", "2010-06" or
 * "2010-06-01"; with a clock, "2010-06-01T12:30", an instant: both are the same. false: it is none.
 */
bool axt_cftime_period(const struct axt_cftime *t, const char *s, double *from, double *to);

#endif
