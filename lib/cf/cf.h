/*
 * cf.h - what attributes mean by the CF conventions: lists of attributes, packed values, units,
 * times, and kinds of tensors.
 */
#ifndef AXT_CF_CF_H
#define AXT_CF_CF_H

#include "dtype/dtype.h"

/*
 * An attribute of a tensor, of an axis's coordinates, or of a file. They form a list, whose order
 * is kept.
 */
enum axt_attr_kind { AXT_ATTR_TEXT, AXT_ATTR_NUM, AXT_ATTR_TEXTS };
struct axt_attr {
	const char *name;
	enum axt_attr_kind kind;
	enum axt_dtype dtype; /* NUM: of the values */
	int64_t n;            /* NUM: number of values; TEXTS: of strings */
	const void *data;     /* NUM: values, native; TEXTS: const char *const * */
	const char *text;     /* TEXT: NUL-terminated */
	/* set by the user on this command line: warn if it is dropped */
	bool typed;
	struct axt_attr *next;
};
const struct axt_attr *axt_attr_find(const struct axt_attr *l, const char *name);
/* The text of an attribute; NULL when there is none of the name, or it is no text. */
const char *axt_attr_text(const struct axt_attr *l, const char *name);
/*
 * Each makes a new list: without the attribute, or with it (in its old place, else at the end).
 * Nodes of l are shared and never changed.
 */
struct axt_attr *axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name);
struct axt_attr *axt_attr_set(struct axt_arena *m, const struct axt_attr *l,
    const struct axt_attr *a);
/* A new list of the attributes whose names are wanted. */
struct axt_attr *axt_attrs_only(struct axt_arena *m, const struct axt_attr *l,
    bool (*wanted)(const char *name));
bool axt_attr_equal(const struct axt_attr *a, const struct axt_attr *b);
struct axt_packing {
	/* scale_factor or add_offset is there; missing values are named */
	bool scaled, missing;
	double scale, offset;
	/* of scale_factor and add_offset; AUTO when there is neither */
	enum axt_dtype attr_dtype;
	int nmiss;
	const double *miss; /* [nmiss]: stored values that mean missing; NaN always does */
};
/*
 * Reads l. stored is the dtype that stored values are read as, which axt_with_sign tells. Without
 * memory, m has failed and miss is empty.
 */
void axt_packing_read(struct axt_arena *m, const struct axt_attr *l, enum axt_dtype stored,
    struct axt_packing *p);
/*
 * The dtype of unpacked values, and the dtype that they are computed in: wide integers are computed
 * in f64, because f32 would give different ones the same value.
 */
enum axt_dtype axt_unpacked_dtype(enum axt_dtype stored, const struct axt_packing *p);
enum axt_dtype axt_unpacking_dtype(enum axt_dtype stored, enum axt_dtype unpacked);
/*
 * Unpacks n stored values of dtype `from` to dtype `to` (that of axt_unpacked_dtype); missing
 * values become NaN. The bits are those that MASK and UNPACK give in expressions.
 */
void axt_unpack_values(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, int64_t n,
    const struct axt_packing *p);
/*
 * The dtype that stored integers of dtype d are read as: the attribute _Unsigned may change the
 * sign.
 */
enum axt_dtype axt_with_sign(const struct axt_attr *l, enum axt_dtype d);
/* Whether an attribute describes stored values: packing, missing values, or their range. */
bool axt_is_packing(const char *name);
/* The list without such attributes. */
const struct axt_attr *axt_attrs_unpacked(struct axt_arena *m, const struct axt_attr *l);
/*
 * Whether both units are given and are not two spellings ("m", "metres") of one unit. Units of time
 * with different reference instants differ as well.
 */
bool axt_units_differ(const char *a, const char *b);
/*
 * How CF times are counted. units are such as "days since 1850-01-01 12:00"; calendar NULL is
 * standard.
 */
struct axt_cftime {
	double unit; /* seconds per unit */
	int calendar;
	/* the reference instant, in seconds of that calendar's own count */
	double epoch;
};
/* Returns false when the attributes do not describe a CF time. */
bool axt_cftime_parse(const char *units, const char *calendar, struct axt_cftime *out);
/*
 * Writes the instant as ISO 8601: "2010-06-01", with T12:00:00 unless it is midnight, and with a
 * fraction of seconds if there is one. Returns the length.
 */
int axt_cftime_text(const struct axt_cftime *t, double v, char out[40]);
/*
 * The fields of the date. season is 1 for DJF to 4 for SON; dayofyear begins at 1. Returns false
 * when v is no instant.
 */
struct axt_cffields {
	int64_t year;
	int season, month, day, hour, dayofyear;
};
bool axt_cftime_fields(const struct axt_cftime *t, double v, struct axt_cffields *out);
/* Whether seconds of the two calendars can be compared; and a calendar's name. */
bool axt_cftime_same_count(int a, int b);
const char *axt_cftime_calendar(int calendar);
/*
 * The instant v in seconds of the calendar's own count, by which instants of one calendar compare.
 */
double axt_cftime_seconds(const struct axt_cftime *t, double v);
/*
 * What a tensor is for: the value of the attribute axt_kind of its dataset, and what follows from
 * it.
 */
#define AXT_NKINDS 4
struct axt_tensor_kind {
	const char *name, *line;
	bool constant, persistent, trainable, input;
};
extern const struct axt_tensor_kind axt_tensor_kinds[AXT_NKINDS];
/* NULL when name is NULL or no such kind. */
const struct axt_tensor_kind *axt_kind_named(const char *name);
const struct axt_tensor_kind *axt_kind_of(const struct axt_attr *attrs);
/* Writes the names of the flags it has, such as "persistent, trainable"; returns out. */
#define AXT_KIND_FLAGS 64
const char *axt_kind_flags(const struct axt_tensor_kind *k, const char *between,
    char out[AXT_KIND_FLAGS]);
/*
 * Reads a date as typed. [*from, *to), in seconds of t's count, is the whole of "2010", "2010-06"
 * or "2010-06-01". With a clock, as in "2010-06-01T12:30", it is an instant: *from equals *to.
 * Returns false when s is no date.
 */
bool axt_cftime_period(const struct axt_cftime *t, const char *s, double *from, double *to);

#endif
